//! Copies of bars: what `@5=1-4` adds to the notes.
//!
//! Invariant: a copy visits only bars that hold something, and what it adds counts against the limit as it is added.

use super::placed_notes::PlacedNotes;
use crate::notation::error::NotationError;

/// A copy that can be carried out. Where more bars are written than are read, those are read again from the first.
pub(super) struct BarCopy {
    from_first: i64,
    from_last: i64,
    into_first: i64,
    /// How many bars are written.
    target_count: i64,
}

/// What came of a copy.
pub(super) enum CopyOutcome {
    /// Notes, of all the bars that hold some.
    Notes,
    /// Bars that would have been copied onto themselves were skipped.
    NotOntoThemselves,
    /// Nothing: all the bars are empty.
    Nothing,
}

impl BarCopy {
    /// `into`: the first bar written to, and the last of a range. `from`: the first and last bar read; `None` is the
    /// bar before. Else the reason why nothing can be copied.
    pub fn new(into: (f64, Option<f64>), from: Option<(f64, f64)>) -> Result<BarCopy, &'static str> {
        let (into_first, into_last) = (into.0 as i64, into.1.map(|bar| bar as i64));
        let (from_first, from_last) = from.map_or((into_first - 1, into_first - 1), |(a, b)| (a as i64, b as i64));
        if into_last.is_some_and(|last| last < into_first) || from_last < from_first {
            return Err("its range runs backwards");
        }
        if from_first < 1 {
            return Err("there is no bar before bar 1");
        }
        let target_count = into_last.map_or(from_last - from_first + 1, |last| last - into_first + 1);
        Ok(BarCopy { from_first, from_last, into_first, target_count })
    }

    fn source_count(&self) -> i64 {
        self.from_last - self.from_first + 1
    }

    /// The bars read, for a message: `bar 1 is`, `bars 1-4 are`.
    pub fn sources_are(&self) -> String {
        if self.source_count() == 1 {
            format!("bar {} is", self.from_first)
        } else {
            format!("bars {}-{} are", self.from_first, self.from_last)
        }
    }

    /// Adds the copies of the bars' notes.
    pub fn carry_out(&self, notes: &mut PlacedNotes) -> Result<CopyOutcome, NotationError> {
        let mut copied = CopyOutcome::Nothing;
        let mut onto_itself = false;
        let mut done = 0;
        while done < self.target_count {
            // The bars are read again and again; where the current pass began.
            let pass = done - done % self.source_count();
            if self.into_first + pass == self.from_first {
                onto_itself = true;
                done = pass + self.source_count();
                continue;
            }
            let Some(filled) = notes.next_filled_bar(self.from_first + done % self.source_count(), self.from_last)
            else {
                if done == pass {
                    // All the bars read are empty, and nothing that is still to come fills one.
                    break;
                }
                done = pass + self.source_count();
                continue;
            };
            done = pass + (filled - self.from_first);
            if done < self.target_count {
                notes.copy_bar(filled, self.into_first + done)?;
                copied = CopyOutcome::Notes;
            }
            done += 1;
        }
        Ok(if onto_itself { CopyOutcome::NotOntoThemselves } else { copied })
    }
}
