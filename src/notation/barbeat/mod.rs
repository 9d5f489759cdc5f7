//! `barbeat`: state (`v90 n/8`), pitches (`C3 E3`), then the bar|beat positions they sound at (`1|1,2.5`).
//!
//! Reading goes in three steps: [`item`] knows the grammar of one item, [`read`] cuts a text into items and, where that
//! fails, asks [`diagnose`] (for lists of positions [`list`], for brackets [`bracket`]) what was meant; only a text without mistakes is
//! then played through by [`play`]. Writing is [`write`]'s.

mod bracket;
mod copy;
mod diagnose;
mod group;
mod item;
mod list;
mod play;
mod problem;
mod read;
mod shape;
mod source;
mod span;
mod spelling;
mod write;

use super::{NotationErrors, Parsed};
use crate::music::{Meter, Note};

/// Reads a text; see [`super::parse`].
pub fn parse(text: &str, meter: Meter, existing: &[Note]) -> Result<Parsed, NotationErrors> {
    let items = read::read(text, meter)?;
    play::play(items, text, meter, existing)
}

/// Writes notes; notes of no length or no pitch are left out. `drum_mode` gives each pitch a line of its own.
pub fn format(notes: &[Note], meter: Meter, drum_mode: bool) -> String {
    write::write(notes, meter, drum_mode)
}

#[cfg(test)]
mod tests;
