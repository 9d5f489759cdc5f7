//! Pitch: transposes, and says what becomes of notes that leave a range.

use super::pitch_set::Shift;
use crate::instruments::Note;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutsideRange {
    /// The note is not played.
    #[default]
    Block,
    /// By octaves into the range; where none fits, not played.
    Fold,
    /// The nearest pitch of the range.
    Limit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PitchSettings {
    pub shift: Shift,
    /// The lowest pitch that comes out, and how many semitones above it the highest lies.
    pub lowest: u8,
    pub range: u8,
    pub outside: OutsideRange,
}

impl Default for PitchSettings {
    fn default() -> PitchSettings {
        PitchSettings { shift: Shift::NONE, lowest: 0, range: 127, outside: OutsideRange::Block }
    }
}

impl PitchSettings {
    /// What a note becomes.
    pub(super) fn apply(&self, note: Note) -> Option<Note> {
        let (lowest, highest) = (i32::from(self.lowest), (i32::from(self.lowest) + i32::from(self.range)).min(127));
        let mut pitch = self.shift.apply(i32::from(note.pitch));
        match self.outside {
            OutsideRange::Block => {}
            OutsideRange::Limit => pitch = pitch.clamp(lowest.min(highest), highest),
            OutsideRange::Fold => {
                if pitch < lowest {
                    pitch += (lowest - pitch + 11) / 12 * 12;
                } else if pitch > highest {
                    pitch -= (pitch - highest + 11) / 12 * 12;
                }
            }
        }
        let pitch = u8::try_from(pitch).ok().filter(|pitch| (lowest..=highest).contains(&i32::from(*pitch)))?;
        Some(Note { pitch, ..note })
    }
}
