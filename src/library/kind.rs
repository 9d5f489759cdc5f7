//! How files are classified: by extension, by how a sample is played, by the folder they come from.

use crate::files::SOUND_ENDINGS;
use std::path::Path;

/// Kinds of content, as a search names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContentKind {
    Audio,
    Midi,
    LiveClip,
    Preset,
    DeviceGroup,
    M4lDevice,
    LiveSet,
    Image,
    Video,
    Folder,
}

/// Extensions in lower case. Audio that cannot be read here (such as `m4a`) is not listed, as no tool could use it.
const EXTENSIONS: &[(ContentKind, &[&str])] = &[
    (ContentKind::Audio, &SOUND_ENDINGS),
    (ContentKind::Midi, &["mid", "midi"]),
    (ContentKind::LiveClip, &["alc"]),
    (ContentKind::Preset, &["adv", "vstpreset", "fxp", "aupreset"]),
    (ContentKind::DeviceGroup, &["adg"]),
    (ContentKind::M4lDevice, &["amxd"]),
    (ContentKind::LiveSet, &["als"]),
    (ContentKind::Image, &["png", "jpg", "jpeg", "gif", "webp"]),
    (ContentKind::Video, &["mp4", "mov", "mkv", "webm"]),
];

impl ContentKind {
    /// By the extension; `None` for files that the library leaves out.
    pub fn of_file(path: &Path) -> Option<ContentKind> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        EXTENSIONS.iter().find(|(_, list)| list.contains(&extension.as_str())).map(|(kind, _)| *kind)
    }

    pub fn name(self) -> &'static str {
        match self {
            ContentKind::Audio => "audio",
            ContentKind::Midi => "midi",
            ContentKind::LiveClip => "live-clip",
            ContentKind::Preset => "preset",
            ContentKind::DeviceGroup => "device-group",
            ContentKind::M4lDevice => "m4l-device",
            ContentKind::LiveSet => "live-set",
            ContentKind::Image => "image",
            ContentKind::Video => "video",
            ContentKind::Folder => "folder",
        }
    }
}

/// How a sample is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SampleType {
    Loop,
    OneShot,
    ImpulseResponse,
}

impl SampleType {
    pub fn name(self) -> &'static str {
        match self {
            SampleType::Loop => "loop",
            SampleType::OneShot => "oneshot",
            SampleType::ImpulseResponse => "impulse-response",
        }
    }
}

/// Which kind of folder a file comes from. The sample folder comes first wherever items are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileSource {
    SampleFolder,
    /// A folder that the user allowed beside it.
    User,
}

impl FileSource {
    pub fn name(self) -> &'static str {
        match self {
            FileSource::SampleFolder => "sample-folder",
            FileSource::User => "user",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_extension() {
        for (name, kind) in [
            ("a.wav", Some(ContentKind::Audio)),
            ("a.WAV", Some(ContentKind::Audio)),
            ("a.b.Aiff", Some(ContentKind::Audio)),
            ("a.mid", Some(ContentKind::Midi)),
            ("a.als", Some(ContentKind::LiveSet)),
            ("a.adg", Some(ContentKind::DeviceGroup)),
            ("a.m4a", None),
            ("a.asd", None),
            ("wav", None),
            (".wav", None),
        ] {
            assert_eq!(ContentKind::of_file(Path::new(name)), kind, "{name}");
        }
    }
}
