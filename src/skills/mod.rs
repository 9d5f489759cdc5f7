//! What `svc-connect` teaches: Markdown fragments, composed for each request.
//!
//! A fragment names the tools it explains; when a request sees none of them, it does not see the fragment either. A line
//! that names a tool which the request does not see is left out, so each line speaks of one tool.

use crate::notation::Notation;

struct Fragment {
    /// Tools that need it; empty means that it always ships.
    for_tools: &'static [&'static str],
    /// Only in this notation.
    notation: Option<Notation>,
    standard: &'static str,
    /// The shorter variant of small-model mode.
    small: &'static str,
}

const NOTE_READERS: &[&str] = &["svc-read-clip", "svc-create-clip", "svc-update-clip", "svc-read-track"];
const NOTE_WRITERS: &[&str] = &["svc-create-clip", "svc-update-clip"];

const FRAGMENTS: &[Fragment] = &[
    Fragment {
        for_tools: &[],
        notation: None,
        standard: include_str!("working.md"),
        small: include_str!("working-small.md"),
    },
    Fragment {
        for_tools: NOTE_READERS,
        notation: Some(Notation::Barbeat),
        standard: include_str!("barbeat.md"),
        small: include_str!("barbeat-small.md"),
    },
    Fragment {
        for_tools: NOTE_READERS,
        notation: Some(Notation::MidiJson),
        standard: include_str!("midi-json.md"),
        small: include_str!("midi-json-small.md"),
    },
    Fragment {
        for_tools: NOTE_READERS,
        notation: Some(Notation::Stark),
        standard: include_str!("stark.md"),
        small: include_str!("stark-small.md"),
    },
    Fragment {
        for_tools: NOTE_WRITERS,
        notation: None,
        standard: include_str!("writing-clips.md"),
        small: include_str!("writing-clips-small.md"),
    },
    Fragment {
        for_tools: NOTE_WRITERS,
        notation: None,
        standard: include_str!("transforms.md"),
        small: include_str!("transforms-small.md"),
    },
    Fragment {
        for_tools: &["svc-playback"],
        notation: None,
        standard: include_str!("playback.md"),
        small: include_str!("playback-small.md"),
    },
];

/// The skills text of a request.
pub fn compose(notation: Notation, small_model_mode: bool, tools: &[&str]) -> String {
    let ships = |fragment: &&Fragment| {
        let taught = fragment.for_tools.is_empty() || fragment.for_tools.iter().any(|tool| tools.contains(tool));
        taught && fragment.notation.is_none_or(|n| n == notation)
    };
    let text = |fragment: &Fragment| {
        let whole = if small_model_mode { fragment.small } else { fragment.standard };
        whole.trim().lines().filter(|line| !names_another_tool(line, tools)).collect::<Vec<_>>().join("\n")
    };
    FRAGMENTS.iter().filter(ships).map(text).collect::<Vec<_>>().join("\n\n")
}

/// Whether a line names a tool, as code, that is not among these.
fn names_another_tool(line: &str, tools: &[&str]) -> bool {
    line.split('`').any(|word| word.starts_with("svc-") && !tools.contains(&word))
}

/// The last block: which context is empty, and what to do now.
pub fn next_step(project_context_empty: bool) -> String {
    let mut text = String::from("# Next step\n\n");
    if project_context_empty {
        text.push_str("Nothing is stored in the project context.\n\n");
    }
    text.push_str(
        "Tell the user that you are connected, give the overview in a sentence or two, and wait for what they want.",
    );
    text
}
