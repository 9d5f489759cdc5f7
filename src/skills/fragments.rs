//! The fragments: their texts, the tools that they explain, and what they build on.

/// One Markdown file of the skills.
pub struct Fragment {
    pub name: &'static str,
    pub text: &'static str,
    /// It is taught when the request sees any of these tools; with none named, always.
    pub for_tools: &'static [&'static str],
    /// The fragment that it builds on.
    pub needs: Option<&'static str>,
}

/// The documents that include the others: for strong models, for small ones.
pub const ROOTS: [(&str, &str); 2] = [("standard", include_str!("standard.md")), ("basic", include_str!("basic.md"))];

const NOTES: &[&str] = &["svc-read-clip", "svc-create-clip", "svc-update-clip", "svc-read-track", "svc-read-scene"];
const NOTES_WRITTEN: &[&str] = &["svc-create-clip", "svc-update-clip"];
const TRANSFORMS: &[&str] = &["svc-create-clip", "svc-update-clip", "svc-duplicate"];
const DEVICES: &[&str] =
    &["svc-create-device", "svc-read-device", "svc-update-device", "svc-select", "svc-delete", "svc-duplicate"];
const DEVICES_ALONE: &[&str] = &["svc-create-device", "svc-read-device", "svc-update-device"];
const DEVICES_WRITTEN: &[&str] = &["svc-create-device", "svc-update-device"];
const ARRANGEMENT: &[&str] =
    &["svc-create-clip", "svc-read-clip", "svc-update-clip", "svc-duplicate", "svc-read-track"];
const PATHS: &[&str] = &[
    "svc-read-track",
    "svc-read-scene",
    "svc-create-track",
    "svc-update-track",
    "svc-create-scene",
    "svc-update-scene",
    "svc-select",
    "svc-delete",
    "svc-duplicate",
];
/// Small models have no other text about what is in slots and on timelines.
const PATHS_SMALL: &[&str] = &both::<{ PATHS.len() + NOTES_WRITTEN.len() }>(PATHS, NOTES_WRITTEN);

const fn both<const N: usize>(one: &[&'static str], other: &[&'static str]) -> [&'static str; N] {
    let mut all = [""; N];
    let (front, back) = all.split_at_mut(one.len());
    front.copy_from_slice(one);
    back.copy_from_slice(other);
    all
}

macro_rules! fragments {
    ($($name:literal for $tools:expr $(, needs $needs:literal)?;)*) => {
        &[$(Fragment {
            name: $name,
            text: include_str!(concat!($name, ".md")),
            for_tools: $tools,
            needs: [$($needs,)?].first().copied(),
        }),*]
    };
}

pub const FRAGMENTS: &[Fragment] = fragments! {
    "barbeat" for NOTES;
    "midi-json" for NOTES;
    "stark" for NOTES;
    "barbeat-writing" for NOTES_WRITTEN, needs "barbeat";
    "midi-json-writing" for NOTES_WRITTEN, needs "midi-json";
    "stark-writing" for NOTES_WRITTEN, needs "stark";
    "time-and-values" for &[];
    "transforms-core" for TRANSFORMS;
    "transforms-editing" for &["svc-update-clip"], needs "transforms-core";
    "transforms-expressions" for TRANSFORMS, needs "transforms-core";
    "transforms-generative" for TRANSFORMS, needs "transforms-core";
    "library" for &["svc-library"];
    "devices" for DEVICES;
    "devices-writing" for DEVICES_WRITTEN, needs "devices";
    "devices-special" for DEVICES_ALONE, needs "devices";
    "arrangement" for ARRANGEMENT;
    "arrangement-writing" for TRANSFORMS, needs "arrangement";
    "object-paths" for PATHS;
    "mixing" for &["svc-read-track", "svc-create-track", "svc-update-track"];
    "working" for &[];
    "playback" for &["svc-playback"];
    "context" for &["svc-context"];
    "rendering" for &["svc-render"];
    "batch" for &["svc-batch"];
    "history" for &["svc-manage"];
    "help" for &[];
    "barbeat-small" for NOTES;
    "midi-json-small" for NOTES;
    "stark-small" for NOTES;
    "transforms-small" for &["svc-update-clip"];
    "arrangement-small" for ARRANGEMENT;
    "object-paths-small" for PATHS_SMALL;
    "playback-small" for &["svc-playback"];
    "context-small" for &["svc-context"];
    "help-small" for &[];
};
