//! What a text is read with, and what comes of it.

use super::duplicates;
use super::warnings::Warnings;
use crate::music::text::{counted, decimal_text};
use crate::music::{Beats, Meter, Note, Random, position};

/// What was read, with deletions applied and one note left for each pitch and start.
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
    /// Positions of the text before 1|1, in its order. Whether they play depends on the clip's region.
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
    pub(super) fn new(settled: duplicates::Resolved, mut warnings: Vec<String>) -> Parsed {
        if settled.idle_deletions > 0 {
            let deletions = counted(settled.idle_deletions, "deletion");
            warnings.push(format!("{deletions} (velocity 0 or less) found no note"));
        }
        Parsed {
            notes: settled.notes,
            warnings,
            duplicates: settled.duplicates,
            with_duplicates: settled.with_duplicates,
            pickups: Vec::new(),
        }
    }

    /// The notes for transforms, which may yet part those that share a pitch and start: sorted like [`Parsed::notes`],
    /// and of one slot in the order they were written.
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
