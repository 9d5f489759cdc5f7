//! Text to notes and notes to text, in the notation a request asks for.
//!
//! Each notation reads a whole text or refuses it with every mistake it can tell apart (at most ten), so nothing is
//! ever half written. All of them hand what they read to [`duplicates`], which applies deletions and merges, so that the
//! rule for two notes in one place is the same everywhere. Reading and writing take time linear in text and notes (but
//! for one sort), and no input deepens a recursion.
//!
//! Muted notes are the caller's matter: it leaves them out before asking and puts them back afterwards.

pub mod barbeat;
mod closest_word;
mod comments;
mod duplicates;
mod error;
pub mod midi_json;
mod other_notation;
pub mod stark;
pub mod transforms;

pub(crate) use error::MAX_MISTAKES;
pub use error::{Mistake, MistakePlace, NotationError};

use crate::music::text::decimal_text;
use crate::music::{Beats, Meter, Note, Random, position};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

/// A text longer than this is refused.
pub const MAX_TEXT_BYTES: usize = 1024 * 1024;
/// A text that writes more notes than this is refused.
pub const MAX_NOTES: usize = 100_000;
/// A text of transforms with more statements than this is refused.
pub const MAX_TRANSFORM_LINES: usize = 10_000;
/// Warnings beyond this many are counted instead of listed.
const MAX_WARNINGS: usize = 100;

/// The text notation notes are written and read in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notation {
    #[default]
    Barbeat,
    MidiJson,
    Stark,
}

impl Notation {
    pub const ALL: [Notation; 3] = [Notation::Barbeat, Notation::MidiJson, Notation::Stark];

    pub fn name(self) -> &'static str {
        match self {
            Notation::Barbeat => "barbeat",
            Notation::MidiJson => "midi-json",
            Notation::Stark => "stark",
        }
    }

    pub fn from_name(name: &str) -> Option<Notation> {
        Notation::ALL.into_iter().find(|n| n.name() == name)
    }
}

/// What a text says, settled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// Sorted by start, then pitch; one note in a slot (the last one written), deletions applied.
    pub notes: Vec<Note>,
    /// What was ignored or changed, in the order of the text.
    pub warnings: Vec<String>,
    /// Notes of the text that were left out because a later one has their pitch and start.
    pub duplicates: usize,
    /// The notes with those: see [`Parsed::with_duplicates`].
    with_duplicates: Option<Vec<Note>>,
    /// Positions of the text before 1|1, in its order: whether they play, the clip's region says.
    pub pickups: Vec<Pickup>,
}

/// A position before 1|1.
#[derive(Clone, Debug, PartialEq)]
pub struct Pickup {
    /// As the text has it.
    pub written: String,
    pub start: Beats,
}

impl Parsed {
    fn new(settled: duplicates::Resolved, warnings: Vec<String>) -> Parsed {
        Parsed {
            notes: settled.notes,
            warnings,
            duplicates: settled.duplicates,
            with_duplicates: settled.with_duplicates,
            pickups: Vec::new(),
        }
    }

    /// The notes for transforms, which may yet part those that share a pitch and start: sorted like [`Parsed::notes`], and of
    /// one slot in the order they were written.
    pub fn with_duplicates(self) -> Vec<Note> {
        self.with_duplicates.unwrap_or(self.notes)
    }

    /// Warns of the pickups that a clip never plays which begins at `start`.
    pub fn pickup_warnings(&self, start: Beats, meter: Meter) -> Vec<String> {
        let mut warnings = Warnings::default();
        for Pickup { written, start: at } in self.pickups.iter().filter(|pickup| pickup.start < start - 1e-9) {
            let quarters = decimal_text(start - at, 4);
            let begins = position::format(start, meter);
            let beats = if quarters == "1" { "quarter beat" } else { "quarter beats" };
            warnings.add(|| format!("{written} is {quarters} {beats} before the clip's start ({begins})"));
        }
        warnings.finish()
    }
}

/// What a text is read with.
pub struct ParseContext<'a> {
    /// The clip's meter.
    pub meter: Meter,
    /// The clip's notes for an update (the result is then the clip's whole new list); empty for a new clip.
    pub existing: &'a [Note],
    /// What velocities that are left open are drawn from.
    pub random: &'a mut Random,
}

/// Reads a text.
pub fn parse(notation: Notation, text: &str, reading: ParseContext<'_>) -> Result<Parsed, NotationError> {
    if text.len() > MAX_TEXT_BYTES {
        return Err(NotationError::TextTooLong { bytes: text.len() });
    }
    let meter = reading.meter;
    read(notation, text, reading).map_err(|error| other_notation::name_other_notation(notation, text, meter, error))
}

fn read(notation: Notation, text: &str, reading: ParseContext<'_>) -> Result<Parsed, NotationError> {
    match notation {
        Notation::Barbeat => barbeat::parse(text, reading.meter, reading.existing),
        Notation::MidiJson => midi_json::parse(text, reading.meter, reading.existing),
        Notation::Stark => stark::parse(text, reading),
    }
}

/// Reads `midi-json` notes that came as a JSON array. A text such as `"2/3"` may stand for a number.
pub fn parse_array(value: &[Value], meter: Meter, existing: &[Note]) -> Result<Parsed, NotationError> {
    midi_json::parse_array(value, meter, existing)
}

/// Notes as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NotesText {
    pub text: String,
    /// What the text cannot say of the notes, a sentence for whoever reads it.
    pub approximations: Option<String>,
}

/// Writes notes as text. `drum_mode`: the clip's track holds a drum rack.
pub fn write(notation: Notation, notes: &[Note], meter: Meter, drum_mode: bool) -> NotesText {
    let exact = |text| NotesText { text, approximations: None };
    match notation {
        Notation::Barbeat => exact(barbeat::format(notes, meter, drum_mode)),
        Notation::MidiJson => exact(midi_json::format(notes, meter)),
        Notation::Stark => stark::write(notes, drum_mode),
    }
}

/// The text alone, see [`write`].
pub fn format(notation: Notation, notes: &[Note], meter: Meter, drum_mode: bool) -> String {
    write(notation, notes, meter, drum_mode).text
}

/// Writes notes as `midi-json` in a real JSON array: plain numbers, full precision, in the order given.
pub fn format_array(notes: &[Note], meter: Meter) -> Value {
    midi_json::format_array(notes, meter)
}

/// Warnings in the order they arise, each text once, cut at [`MAX_WARNINGS`].
#[derive(Debug, Default)]
struct Warnings {
    list: Vec<(String, usize)>,
    /// Where each text stands in the list.
    known: HashMap<String, usize>,
    more: usize,
}

impl Warnings {
    fn add(&mut self, text: impl FnOnce() -> String) {
        // A full list asks for no more texts: finding out where they point may take a walk through a bracket each.
        if self.list.len() >= MAX_WARNINGS {
            self.more += 1;
            return;
        }
        let text = text();
        let known = self.known.get(&text).and_then(|place| self.list.get_mut(*place));
        if let Some((_, times)) = known {
            *times += 1;
        } else {
            self.known.insert(text.clone(), self.list.len());
            self.list.push((text, 1));
        }
    }

    fn finish(self) -> Vec<String> {
        let told = |(text, times)| if times == 1 { text } else { format!("{text} ({times} times)") };
        let mut list: Vec<String> = self.list.into_iter().map(told).collect();
        if self.more > 0 {
            list.push(format!("and {} more warnings about the notes", self.more));
        }
        list
    }
}

/// A pitch as a key of a drum map: its name; in `stark` the drum's, in `midi-json` its number.
pub fn drum_map_key(notation: Notation, pitch: u8) -> String {
    match notation {
        Notation::MidiJson => pitch.to_string(),
        Notation::Stark => stark::drum_name(pitch).map_or_else(|| crate::music::pitch::name(pitch), str::to_owned),
        Notation::Barbeat => crate::music::pitch::name(pitch),
    }
}
