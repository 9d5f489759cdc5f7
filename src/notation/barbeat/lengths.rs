//! The lengths of notes as a text writes them.
//!
//! Invariant: two lengths that are given out are the same, or far enough apart that neither is ever taken for the other. So
//! to be of one length is the same question for any two notes of a text, also when it is read and written again.

use crate::music::Beats;
use crate::music::duration::{LEAST_BEATS, spelled};
use std::collections::BTreeMap;

/// Lengths no further apart than this are written as one. With the half of a ten-thousandth that rounding takes, none moves
/// by more than a thousandth.
const SAME_LENGTH: Beats = 0.000_95;

#[derive(Debug, Default)]
pub(super) struct Lengths {
    /// By the bits of the length, which sort like it: all are above 0.
    known: BTreeMap<u64, Beats>,
    last: Option<Beats>,
}

impl Lengths {
    /// The length that is written for one (above 0): the first that was written and is like it, else its own spelling.
    pub fn written(&mut self, duration: Beats) -> Beats {
        // Most notes are as long as the one before.
        if let Some(last) = self.last
            && last == duration
        {
            return last;
        }
        let spelled = spelled(duration).max(LEAST_BEATS);
        let (low, high) = ((spelled - SAME_LENGTH).max(0.0), spelled + SAME_LENGTH);
        let known = self.known.range(low.to_bits()..=high.to_bits()).next().map(|(_, known)| *known);
        let length = known.unwrap_or(spelled);
        if known.is_none() {
            self.known.insert(spelled.to_bits(), spelled);
        }
        self.last = Some(length);
        length
    }
}
