//! The pitches in hand, what they sound with, and the values that are taken in turn.

use super::source::Source;
use crate::music::Beats;

/// Velocity and what is added to it at random.
pub(super) type Loudness = (f64, f64);

/// What a pitch sounds with: the values in force where it was written.
#[derive(Clone, Copy)]
pub(super) struct Settings {
    pub loudness: Loudness,
    pub duration: Beats,
    pub probability: f64,
}

#[derive(Clone, Copy)]
pub(super) struct Captured {
    pub pitch: u8,
    pub settings: Settings,
}

/// Values taken in turn.
pub(super) struct Cycle<T> {
    pub values: Vec<T>,
    pub next: usize,
}

impl<T: Copy> Cycle<T> {
    pub fn start(values: Vec<T>) -> Option<Cycle<T>> {
        Some(Cycle { values, next: 0 })
    }

    pub fn take(cycle: &mut Option<Cycle<T>>) -> Option<T> {
        let cycle = cycle.as_mut()?;
        let value = cycle.values.get(cycle.next).copied();
        cycle.next = (cycle.next + 1) % cycle.values.len().max(1);
        value
    }
}

/// The pitches that the next positions sound.
#[derive(Default)]
pub(super) struct Group {
    /// Pitches were written and no position since.
    pub open: bool,
    /// Where its first pitch was written.
    pub source: Source,
    pub constant: Vec<Captured>,
    /// One per pitch pattern, in turn.
    pub voices: Vec<Vec<Vec<Captured>>>,
    pub emissions: usize,
    /// Settings written after the group last sounded; they change the carried pitches.
    pub loudness: Option<Loudness>,
    pub duration: Option<Beats>,
    pub probability: Option<f64>,
}

impl Group {
    pub fn is_silent(&self) -> bool {
        self.constant.is_empty() && self.voices.is_empty()
    }

    pub fn pitches(&self) -> usize {
        self.constant.len() + self.voices.iter().flatten().map(Vec::len).sum::<usize>()
    }
}
