//! What of a voice's pitches its patch alone says: worked out when it changes, not with every tick.

use super::patch::Patch;
use crate::dsp::math::{exp2, log2};

pub(super) const MOST_COPIES: usize = 7;

#[derive(Clone, Copy, PartialEq)]
struct Told {
    first_semitones: f32,
    second_semitones: f32,
    copies: u8,
    cents: f32,
    level: f32,
    width: f32,
    filter_hz: f32,
}

/// Factors of the note's frequency.
pub(super) struct Tuning {
    told: Option<Told>,
    pub first: f32,
    pub second: f32,
    /// Of the first oscillator's copies.
    pub detunes: [f32; MOST_COPIES],
    /// How loud these are left and right.
    pub sides: [(f32, f32); MOST_COPIES],
    /// The filter's frequency, as a power of two.
    pub filter_octave: f32,
}

impl Tuning {
    pub fn new() -> Tuning {
        Tuning {
            told: None,
            first: 1.0,
            second: 1.0,
            detunes: [1.0; MOST_COPIES],
            sides: [(1.0, 1.0); MOST_COPIES],
            filter_octave: 0.0,
        }
    }

    /// Once a tick.
    pub fn follow(&mut self, patch: &Patch) {
        let told = Told {
            first_semitones: patch.first.semitones,
            second_semitones: patch.second.semitones,
            copies: patch.unison,
            cents: patch.unison_cents,
            level: patch.first.level,
            width: patch.width,
            filter_hz: patch.filter.hz,
        };
        if self.told == Some(told) {
            return;
        }
        self.told = Some(told);
        self.first = exp2(told.first_semitones * (1.0 / 12.0));
        self.second = exp2(told.second_semitones * (1.0 / 12.0));
        let level = told.level / (copies(patch) as f32).sqrt();
        for (at, (detune, sides)) in self.detunes.iter_mut().zip(&mut self.sides).enumerate() {
            let place = place(at, patch);
            *detune = exp2(place * 0.5 * told.cents * (1.0 / 1200.0));
            // Neighbours stand on different sides, so that both sides have high and low ones.
            let side = if at % 2 == 0 { place.abs() } else { -place.abs() } * told.width;
            *sides = (level * (1.0 - side.max(0.0)), level * (1.0 + side.min(0.0)));
        }
        self.filter_octave = log2(told.filter_hz);
    }
}

/// Copies of the first oscillator.
pub(super) fn copies(patch: &Patch) -> usize {
    usize::from(patch.unison).clamp(1, MOST_COPIES)
}

/// Where a copy stands among them, -1 to 1.
fn place(copy: usize, patch: &Patch) -> f32 {
    let copies = copies(patch);
    if copies > 1 { 2.0 * copy as f32 / (copies - 1) as f32 - 1.0 } else { 0.0 }
}
