//! The pitches that the next positions sound, their settings, and the values that are taken in turn.

use super::source_span::SourceSpan;
use crate::music::Beats;

/// Velocity and what is added to it at random.
pub(super) type VelocityRange = (f64, f64);

/// What a pitch sounds with: the values in force where it was written.
#[derive(Clone, Copy)]
pub(super) struct Settings {
    pub velocity_range: VelocityRange,
    pub duration: Beats,
    pub probability: f64,
}

#[derive(Clone, Copy)]
pub(super) struct CapturedPitch {
    pub pitch: u8,
    pub settings: Settings,
}

/// Values taken in turn.
pub(super) struct Cycle<T> {
    pub values: Vec<T>,
    pub next: usize,
}

impl<T: Copy> Cycle<T> {
    pub fn new(values: Vec<T>) -> Option<Cycle<T>> {
        Some(Cycle { values, next: 0 })
    }

    pub fn next_value(cycle: &mut Option<Cycle<T>>) -> Option<T> {
        let cycle = cycle.as_mut()?;
        let value = cycle.values.get(cycle.next).copied();
        cycle.next = (cycle.next + 1) % cycle.values.len().max(1);
        value
    }
}

/// The pitches that the next positions sound.
#[derive(Default)]
pub(super) struct PitchGroup {
    /// Pitches were written and no position since.
    pub open: bool,
    /// Where its first pitch was written.
    pub source: SourceSpan,
    pub constant: Vec<CapturedPitch>,
    /// One per pitch pattern, in turn.
    pub patterns: Vec<Vec<Vec<CapturedPitch>>>,
    pub times_sounded: usize,
    /// Settings written after the group last sounded; they change the carried pitches.
    pub velocity_range: Option<VelocityRange>,
    pub duration: Option<Beats>,
    pub probability: Option<f64>,
}

impl PitchGroup {
    pub fn is_empty(&self) -> bool {
        self.constant.is_empty() && self.patterns.is_empty()
    }

    pub fn pitch_count(&self) -> usize {
        self.constant.len() + self.patterns.iter().flatten().map(Vec::len).sum::<usize>()
    }
}
