//! The notes of a text as they are placed, and the bars that hold them.
//!
//! Invariant: the notes placed are bounded. Repeats and copies count against [`MAX_NOTES`] as they are made.

use crate::music::position::bar_of;
use crate::music::{Meter, Note, time_without_noise};
use crate::notation::error::NotationError;
use crate::notation::limits::MAX_NOTES;
use std::collections::BTreeMap;

pub(super) struct PlacedNotes {
    meter: Meter,
    /// The clip's notes, then the text's in the order they sound; velocity 0 deletes.
    notes: Vec<Note>,
    /// How many of them are the clip's.
    existing_count: usize,
    /// How many positions have sounded.
    position_count: usize,
    /// The notes of each bar, by their index; only kept for a text that copies bars.
    bars: Option<BTreeMap<i64, Vec<usize>>>,
}

impl PlacedNotes {
    /// Starts with the clip's notes. `room`: about how many notes the text writes.
    pub fn new(existing: &[Note], room: usize, meter: Meter, copies_bars: bool) -> PlacedNotes {
        let mut placed = PlacedNotes {
            meter,
            notes: Vec::with_capacity(existing.len() + room),
            existing_count: existing.len(),
            position_count: 0,
            bars: copies_bars.then(BTreeMap::new),
        };
        for note in existing {
            placed.push(*note);
        }
        placed
    }

    pub fn meter(&self) -> Meter {
        self.meter
    }

    #[inline]
    pub fn push(&mut self, note: Note) {
        if let Some(bars) = &mut self.bars {
            bars.entry(bar_of(note.start, self.meter)).or_default().push(self.notes.len());
        }
        self.notes.push(note);
    }

    /// Counts a position that sounds, be it without a note.
    pub fn count_position(&mut self) {
        self.position_count += 1;
    }

    pub fn check_limit(&self) -> Result<(), NotationError> {
        let written = self.notes.len().saturating_sub(self.existing_count);
        if written.max(self.position_count) > MAX_NOTES { Err(NotationError::TooManyNotes) } else { Ok(()) }
    }

    /// Forgets which bar holds what, so that no later copy takes from them. The notes stay.
    pub fn clear_bars(&mut self) {
        if let Some(bars) = &mut self.bars {
            bars.clear();
        }
    }

    /// The first bar from `first` to `last` that holds notes to copy.
    pub fn next_filled_bar(&self, first: i64, last: i64) -> Option<i64> {
        self.bars.as_ref()?.range(first..=last).next().map(|(bar, _)| *bar)
    }

    /// Adds the notes of one bar to another one.
    pub fn copy_bar(&mut self, source: i64, target: i64) -> Result<(), NotationError> {
        let indices = self.bars.as_ref().and_then(|bars| bars.get(&source)).cloned().unwrap_or_default();
        let shift = (target - source) as f64 * self.meter.bar_length();
        for index in indices {
            if let Some(note) = self.notes.get(index).copied() {
                self.push(Note { start: time_without_noise(note.start + shift), ..note });
                self.check_limit()?;
            }
        }
        Ok(())
    }

    /// All notes, and how many of them are the clip's own, which come first.
    pub fn finish(self) -> (Vec<Note>, usize) {
        (self.notes, self.existing_count)
    }
}
