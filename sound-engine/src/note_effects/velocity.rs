//! Velocity: bends, limits and shakes the velocities of notes.

use super::note_act::{mixed, unit};
use crate::dsp::math::{exp2, log2};
use crate::instruments::Note;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VelocityMode {
    /// What lies outside the input range counts as its end.
    #[default]
    Clip,
    /// What lies outside is not played.
    Gate,
    /// Every note has the highest velocity of the output.
    Fixed,
}

/// Velocities are those of MIDI, 1 to 127.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocitySettings {
    /// -1 to 1: all quieter or louder.
    pub drive: f32,
    /// -1 to 1: towards the middle, or towards the ends.
    pub compand: f32,
    /// Up to so many up or down, 0 to 64.
    pub random: f32,
    pub mode: VelocityMode,
    pub out_high: f32,
    pub out_low: f32,
    /// What comes in: from `lowest` on, so wide.
    pub lowest: f32,
    pub range: f32,
    pub seed: u64,
}

impl Default for VelocitySettings {
    fn default() -> VelocitySettings {
        VelocitySettings {
            drive: 0.0,
            compand: 0.0,
            random: 0.0,
            mode: VelocityMode::Clip,
            out_high: 127.0,
            out_low: 1.0,
            lowest: 1.0,
            range: 127.0,
            seed: 0,
        }
    }
}

impl VelocitySettings {
    /// What a note becomes.
    pub(super) fn apply(&self, note: Note) -> Option<Note> {
        let velocity = note.velocity * 127.0;
        let highest = (self.lowest + self.range).min(127.0);
        // A hundredth of a step is rounding, not velocity.
        let outside = velocity < self.lowest - 0.01 || velocity > highest + 0.01;
        if self.mode == VelocityMode::Gate && outside {
            return None;
        }
        let mut out = self.out_high;
        if self.mode != VelocityMode::Fixed {
            let width = highest - self.lowest;
            let part = if width > 0.0 { ((velocity - self.lowest) / width).clamp(0.0, 1.0) } else { 1.0 };
            out = self.out_low + (self.out_high - self.out_low) * self.bent(part);
        }
        if self.random > 0.0 {
            let dice = 2.0 * unit(mixed(note.id, self.seed ^ u64::from(note.pitch) << 32)) - 1.0;
            out += dice * self.random;
        }
        Some(Note { velocity: out.clamp(1.0, 127.0) / 127.0, ..note })
    }

    fn bent(&self, part: f32) -> f32 {
        let power =
            |x: f32, amount: f32| if amount == 0.0 || x <= 0.0 { x } else { exp2(log2(x) * exp2(-3.0 * amount)) };
        let driven = power(part, self.drive);
        let side = 2.0 * driven - 1.0;
        0.5 + 0.5 * power(side.abs(), self.compand) * side.signum()
    }
}
