//! `stark`: one line a voice (`kick /8: X z X z`, `melody: C E G/2`), tokens in a row, each as long as it says.
//!
//! [`read`] makes a [`score`] of a text; [`tokens`] is the grammar of a line and [`token_parts`] that of a token. Where
//! a text cannot be read, [`diagnose`] tells what was meant. Only a text without mistakes is played by [`play`], which
//! draws the velocities. [`write`] spells notes with [`rests`] between them, and [`approximations`] tells what the
//! spelling does not say. All times are whole numbers of [`vocabulary::Ticks`], so sums are exact.

mod approximations;
mod diagnose;
mod play;
mod problem;
mod read;
mod rests;
mod score;
mod token_parts;
mod tokens;
mod vocabulary;
mod write;

use super::error::NotationError;
use super::notes_text::NotesText;
use super::parsed::{ParseContext, Parsed};
use super::text_style::TextStyle;
use crate::music::Note;

/// Reads a text; see [`super::parse`]. The meter changes nothing here.
pub fn parse(text: &str, reading: ParseContext<'_>) -> Result<Parsed, NotationError> {
    let score = read::read(text)?;
    play::play(score, text, reading)
}

/// What a pitch is called where it is a drum.
pub fn drum_name(pitch: u8) -> Option<&'static str> {
    vocabulary::drum_name(pitch)
}

/// Writes notes. In drum mode each pitch has a line of its own; else there is one line, `melody` or `bass`.
pub fn write(notes: &[Note], style: impl Into<TextStyle>) -> NotesText {
    let TextStyle { drum_mode, spelling } = style.into();
    let (text, approximations) =
        if drum_mode { write::drum_lines(notes, spelling) } else { write::pitched_line(notes, spelling) };
    NotesText { text, approximations: approximations.sentence() }
}

#[cfg(test)]
mod tests;
