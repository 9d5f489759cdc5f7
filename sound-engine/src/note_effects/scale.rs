//! Scale: each of the twelve pitches becomes another, or none.

use crate::instruments::Note;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaleSettings {
    /// What the pitch n semitones above the base becomes: semitones above the base, 0 to 12. `None`: not played.
    pub map: [Option<u8>; 12],
    /// 0 (C) to 11.
    pub base: u8,
    pub semitones: i8,
    /// A way of more than six semitones goes to the octave below.
    pub fold: bool,
    /// Pitches outside are left as they are.
    pub lowest: u8,
    pub range: u8,
}

impl Default for ScaleSettings {
    fn default() -> ScaleSettings {
        let map = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(Some);
        ScaleSettings { map, base: 0, semitones: 0, fold: false, lowest: 0, range: 128 }
    }
}

impl ScaleSettings {
    /// What a note becomes.
    pub(super) fn apply(&self, note: Note) -> Option<Note> {
        let pitch = i32::from(note.pitch);
        let inside = pitch >= i32::from(self.lowest) && pitch <= i32::from(self.lowest) + i32::from(self.range);
        if !inside {
            return Some(note);
        }
        let above = (pitch - i32::from(self.base)).rem_euclid(12);
        let mapped = i32::from((*self.map.get(above as usize)?)?);
        let way = if self.fold && mapped - above > 6 { mapped - above - 12 } else { mapped - above };
        let pitch = u8::try_from(pitch + way + i32::from(self.semitones)).ok().filter(|pitch| *pitch < 128)?;
        Some(Note { pitch, ..note })
    }
}
