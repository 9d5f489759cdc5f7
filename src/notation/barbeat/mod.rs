//! `barbeat`: state (`v90 n/8`), pitches (`C3 E3`), then the bar|beat positions they sound at (`1|1,2.5`).
//!
//! Reading goes in three steps: [`grammar`] reads one [`item`], [`read`] cuts a text into items and, where that fails,
//! asks [`diagnose`] what was meant; only a text without mistakes is then played through by [`play`]. Writing is
//! [`write`]'s.

mod bar_copy;
mod diagnose;
mod grammar;
mod item;
mod pitch_group;
mod placed_notes;
mod play;
mod player;
mod problem;
mod read;
mod source_span;
mod write;
mod written_times;

use super::error::NotationError;
use super::parsed::Parsed;
use super::text_style::TextStyle;
use crate::music::{Meter, Note};

/// Reads a text; see [`super::parse`].
pub fn parse(text: &str, meter: Meter, existing: &[Note]) -> Result<Parsed, NotationError> {
    let items = read::read(text, meter)?;
    play::play(items, text, meter, existing)
}

/// Writes notes; notes of no length or no pitch are left out. In drum mode each pitch has a line of its own.
pub fn format(notes: &[Note], meter: Meter, style: impl Into<TextStyle>) -> String {
    write::write(notes, meter, style.into())
}

#[cfg(test)]
mod tests;
