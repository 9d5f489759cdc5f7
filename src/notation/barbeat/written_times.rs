//! The starts and lengths of notes as a text writes them.
//!
//! Invariant: two lengths that are given out are the same, or far enough apart that neither is ever taken for the
//! other; two starts of one pitch that are in slots of their own stay so. So what is alike, and what is apart, is the
//! same when a text is read and written again.

use crate::music::duration::{SHORTEST_WRITTEN_BEATS, length_as_written};
use crate::music::position::bar_and_beat;
use crate::music::{Beats, Meter, SAME_POSITION_BEATS, time_without_noise};
use std::collections::BTreeMap;

/// Lengths no further apart than this are written as one. With the half of a ten-thousandth that rounding takes, none
/// moves by more than a thousandth.
const SAME_LENGTH: Beats = 0.000_95;

#[derive(Debug, Default)]
pub(super) struct WrittenLengths {
    /// By the bits of the length, which sort like it: all are above 0.
    known: BTreeMap<u64, Beats>,
    last: Option<Beats>,
}

impl WrittenLengths {
    /// The length that is written for one (above 0): the first that was written and is like it, else its own spelling.
    pub fn length(&mut self, duration: Beats) -> Beats {
        // Most notes are as long as the one before.
        if let Some(last) = self.last
            && last == duration
        {
            return last;
        }
        let spelled = length_as_written(duration).max(SHORTEST_WRITTEN_BEATS);
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

/// The starts of notes, which are asked for in the order of time.
#[derive(Debug)]
pub(super) struct WrittenStarts {
    meter: Meter,
    /// Of each pitch the last start, as it came and as it is written.
    last: [Option<(Beats, Beats)>; 128],
}

impl WrittenStarts {
    pub fn new(meter: Meter) -> WrittenStarts {
        WrittenStarts { meter, last: [None; 128] }
    }

    /// The start, bar and beat that are written. One that rounding brings into the slot before it moves on by the least
    /// there is.
    pub fn start(&mut self, pitch: u8, start: Beats) -> (Beats, i64, f64) {
        let mut found = self.bar_and_beat(start);
        if let Some((came, written)) = self.last.get(usize::from(pitch)).copied().flatten()
            && start - came >= SAME_POSITION_BEATS
            && found.0 - written < SAME_POSITION_BEATS
        {
            found = self.bar_and_beat(written + SAME_POSITION_BEATS + SHORTEST_WRITTEN_BEATS);
        }
        if let Some(last) = self.last.get_mut(usize::from(pitch)) {
            *last = Some((start, found.0));
        }
        found
    }

    fn bar_and_beat(&self, start: Beats) -> (Beats, i64, f64) {
        let (bar, beat) = bar_and_beat(start, self.meter);
        let written = (bar - 1) as f64 * self.meter.bar_length() + (beat - 1.0) * self.meter.beat_length();
        (time_without_noise(written), bar, beat)
    }
}
