//! Which reader reads which notation.

use super::error::NotationError;
use super::name::Notation;
use super::parsed::{ParseContext, Parsed};
use super::{barbeat, midi_json, stark};

/// Reads a text in the notation it is said to be in.
pub(super) fn read(notation: Notation, text: &str, reading: ParseContext<'_>) -> Result<Parsed, NotationError> {
    match notation {
        Notation::Barbeat => barbeat::parse(text, reading.meter, reading.existing),
        Notation::MidiJson => midi_json::parse(text, reading.meter, reading.existing),
        Notation::Stark => stark::parse(text, reading),
    }
}
