//! Scales, as note effects use them.

/// Some of the twelve pitches of an octave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PitchSet {
    /// 0 (C) to 11.
    pub root: u8,
    /// Bit n: the pitch n semitones above the root.
    pub semitones: u16,
}

/// A distance between two pitches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    Semitones(i16),
    /// Steps of a scale. A pitch beside the scale keeps its distance to the step below it.
    Degrees(i16, PitchSet),
}

impl Shift {
    pub const NONE: Shift = Shift::Semitones(0);

    /// `pitch` so much higher; it may leave 0 to 127.
    pub fn apply(&self, pitch: i32) -> i32 {
        match self {
            Shift::Semitones(semitones) => pitch + i32::from(*semitones),
            Shift::Degrees(degrees, set) => set.shifted(pitch, i32::from(*degrees)),
        }
    }
}

impl PitchSet {
    fn has(&self, pitch: i32) -> bool {
        let above = (pitch - i32::from(self.root)).rem_euclid(12);
        self.semitones & (1 << above) != 0
    }

    fn shifted(&self, pitch: i32, degrees: i32) -> i32 {
        if self.semitones & 0x0fff == 0 {
            return pitch;
        }
        let below = (0..12).find(|down| self.has(pitch - down)).unwrap_or(0);
        let (mut at, step) = (pitch - below, degrees.signum());
        for _ in 0..degrees.abs() {
            at += step;
            while !self.has(at) {
                at += step;
            }
        }
        at + below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_steps_of_the_scale() {
        // C major; the same on D.
        let major = 0b1010_1011_0101;
        let (c, d) = (PitchSet { root: 0, semitones: major }, PitchSet { root: 2, semitones: major });
        for (set, pitch, degrees, meant) in
            [(c, 60, 2, 64), (c, 60, 7, 72), (c, 64, -2, 60), (c, 61, 1, 63), (c, 59, 1, 60), (d, 62, 2, 66)]
        {
            assert_eq!(Shift::Degrees(degrees, set).apply(pitch), meant, "{set:?} {pitch} {degrees}");
        }
        assert_eq!(Shift::Degrees(3, PitchSet { root: 0, semitones: 0 }).apply(60), 60);
    }
}
