//! Text to notes and notes to text, in the notation a request asks for.
//!
//! Each notation reads a whole text or refuses it with every mistake it can tell apart (at most ten), so nothing is
//! ever half written. All of them hand what they read to [`duplicates`], which applies deletions and merges, so that
//! the rule for two notes in one place is the same everywhere. Reading and writing take time linear in text and notes
//! (but for one sort), and no input deepens a recursion.
//!
//! Muted notes are the caller's matter: it leaves them out before asking and puts them back afterwards.

pub mod barbeat;
mod closest_word;
mod comments;
mod duplicates;
mod error;
mod limits;
pub mod midi_json;
mod name;
mod notes_text;
mod other_notation;
mod parsed;
mod read;
pub mod stark;
mod text_style;
pub mod transforms;
mod warnings;

pub(crate) use error::MAX_MISTAKES;
pub use error::{Mistake, MistakePlace, NotationError};
pub use limits::{MAX_NOTES, MAX_TEXT_BYTES, MAX_TRANSFORM_LINES};
pub use name::Notation;
pub use notes_text::NotesText;
pub use parsed::{ParseContext, Parsed, Pickup};
pub use text_style::TextStyle;

use crate::music::pitch::Spelling;
use crate::music::{Meter, Note};
use read::read;
use serde_json::Value;

/// Reads a text.
pub fn parse(notation: Notation, text: &str, reading: ParseContext<'_>) -> Result<Parsed, NotationError> {
    if text.len() > MAX_TEXT_BYTES {
        return Err(NotationError::TextTooLong { bytes: text.len() });
    }
    let meter = reading.meter;
    read(notation, text, reading).map_err(|error| other_notation::name_other_notation(notation, text, meter, error))
}

/// Reads `midi-json` notes that came as a JSON array. A text such as `"2/3"` may stand for a number.
pub fn parse_array(value: &[Value], meter: Meter, existing: &[Note]) -> Result<Parsed, NotationError> {
    midi_json::parse_array(value, meter, existing)
}

/// Writes notes as text.
pub fn write(notation: Notation, notes: &[Note], meter: Meter, style: impl Into<TextStyle>) -> NotesText {
    let style = style.into();
    let exact = |text| NotesText { text, approximations: None };
    match notation {
        Notation::Barbeat => exact(barbeat::format(notes, meter, style)),
        Notation::MidiJson => exact(midi_json::format(notes, meter)),
        Notation::Stark => stark::write(notes, style),
    }
}

/// The text alone, with flats; see [`write`]. `drum_mode`: the clip's track holds a drum rack.
pub fn format(notation: Notation, notes: &[Note], meter: Meter, drum_mode: bool) -> String {
    write(notation, notes, meter, drum_mode).text
}

/// Writes notes as `midi-json` in a real JSON array: plain numbers, full precision, in the order given.
pub fn format_array(notes: &[Note], meter: Meter) -> Value {
    midi_json::format_array(notes, meter)
}

/// A pitch as a key of a drum map: its name; in `stark` the drum's, in `midi-json` its number.
pub fn drum_map_key(notation: Notation, pitch: u8, spelling: Spelling) -> String {
    match notation {
        Notation::MidiJson => pitch.to_string(),
        Notation::Stark => stark::drum_name(pitch).map_or_else(|| spelling.name(pitch), str::to_owned),
        Notation::Barbeat => spelling.name(pitch),
    }
}
