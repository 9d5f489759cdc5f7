//! `stark`: one line a voice (`kick /8: X z X z`, `melody: C E G/2`), tokens in a row, each as long as it says.
//!
//! [`read`] knows the grammar and asks [`diagnose`] what was meant where it fails; only a text without mistakes is played
//! by [`play`], which draws the velocities. [`write`] spells notes. All times are whole numbers of [`vocabulary::Ticks`], so
//! sums are exact.

mod diagnose;
mod play;
mod read;
mod vocabulary;
mod write;

use super::{NotationErrors, Parsed, Reading};
use crate::music::Note;

/// Reads a text; see [`super::parse`]. The meter changes nothing here.
pub fn parse(text: &str, reading: Reading<'_>) -> Result<Parsed, NotationErrors> {
    let score = read::read(text)?;
    play::play(score, text, reading)
}

/// Writes notes. `drum_mode` gives each pitch a line of its own; else there is one line, `melody` or `bass`.
pub fn format(notes: &[Note], drum_mode: bool) -> String {
    if drum_mode { write::drums(notes) } else { write::line(notes) }
}

#[cfg(test)]
mod tests;
