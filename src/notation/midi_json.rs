//! `midi-json`: an array of flat note objects, `[{p:60,t:0,d:1,v:100}]`, as text with bare or quoted keys or as real
//! JSON.
//!
//! Times count musical beats of the meter from the clip's start, 0-based. Nothing carries over from note to note.
//! [`read`] and [`array`] read the plain [`members`] of each note, [`notes`] makes notes of them, [`write`] writes
//! notes.

mod array;
mod members;
mod notes;
mod number;
mod problem;
mod read;
mod skip;
mod write;

use super::error::NotationError;
use super::limits::MAX_NOTES;
use super::parsed::Parsed;
use crate::music::{Meter, Note};
use serde_json::Value;

/// Reads a text; see [`super::parse`].
pub fn parse(text: &str, meter: Meter, existing: &[Note]) -> Result<Parsed, NotationError> {
    notes::to_parsed(&read::read_text(text)?, meter, existing)
}

/// Reads a real JSON array; see [`super::parse_array`].
pub fn parse_array(value: &[Value], meter: Meter, existing: &[Note]) -> Result<Parsed, NotationError> {
    if value.len() > MAX_NOTES {
        return Err(NotationError::TooManyNotes);
    }
    notes::to_parsed(&array::read_array(value)?, meter, existing)
}

/// Writes notes as text, in the order given.
pub fn format(notes: &[Note], meter: Meter) -> String {
    write::format(notes, meter)
}

/// Writes notes as a real JSON array with plain numbers in full precision.
pub fn format_array(notes: &[Note], meter: Meter) -> Value {
    write::format_array(notes, meter)
}

#[cfg(test)]
mod tests;
