//! Random: some notes get another pitch.

use super::note_act::{mixed, unit};
use super::pitch_set::{PitchSet, Shift};
use crate::instruments::Note;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RandomSign {
    #[default]
    Up,
    Down,
    Both,
}

/// The same seed and notes give the same pitches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomSettings {
    /// How many notes are changed, 0 to 1.
    pub chance: f32,
    /// Out of how many intervals, 1 to 24; and the semitones between two of them, 1 to 24.
    pub choices: u8,
    pub interval: u8,
    pub sign: RandomSign,
    /// One interval after the other rather than any.
    pub in_turn: bool,
    /// Intervals are steps of this scale.
    pub scale: Option<PitchSet>,
    pub seed: u64,
}

impl Default for RandomSettings {
    fn default() -> RandomSettings {
        RandomSettings {
            chance: 0.0,
            choices: 12,
            interval: 1,
            sign: RandomSign::Up,
            in_turn: false,
            scale: None,
            seed: 0,
        }
    }
}

impl RandomSettings {
    /// What a note becomes; `turn` counts those that were changed.
    pub(super) fn apply(&self, note: Note, turn: &mut u64) -> Option<Note> {
        let dice = |salt: u64| unit(mixed(note.id ^ (u64::from(note.pitch) << 56), self.seed.wrapping_mul(31) + salt));
        if dice(1) >= self.chance {
            return Some(note);
        }
        let choices = u64::from(self.choices.max(1));
        let choice = if self.in_turn { *turn % choices } else { (dice(2) * choices as f32) as u64 };
        let up = match self.sign {
            RandomSign::Up => true,
            RandomSign::Down => false,
            RandomSign::Both if self.in_turn => (*turn / choices).is_multiple_of(2),
            RandomSign::Both => dice(3) < 0.5,
        };
        *turn += 1;
        let steps = (choice as i16 + 1) * i16::from(self.interval);
        let steps = if up { steps } else { -steps };
        let shift = self.scale.map_or(Shift::Semitones(steps), |scale| Shift::Degrees(steps, scale));
        let pitch = u8::try_from(shift.apply(i32::from(note.pitch))).ok().filter(|pitch| *pitch < 128)?;
        Some(Note { pitch, ..note })
    }
}
