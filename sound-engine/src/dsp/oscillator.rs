//! Oscillators without aliases: a phase that walks through a [wave](super::wavetable).

use super::four::{LaneInFours, lane_of};
use super::math::sines_of_half;
use super::phase::Phase;
use super::span::Lane;
use super::wavetable::{TableRef, Waves};

/// What an oscillator draws.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Wave {
    #[default]
    Sine,
    Triangle,
    Saw,
    /// High for `width` of the cycle, 0.05 to 0.95.
    Pulse {
        width: f32,
    },
    /// A full but soft registration of drawbars.
    Organ,
}

/// A wave in the version that fits a frequency.
#[derive(Clone, Copy)]
pub enum Shape<'a> {
    Sine,
    Table(TableRef<'a>),
    /// Two saws so far apart.
    Pulse {
        saw: TableRef<'a>,
        apart: Phase,
    },
}

impl Wave {
    /// Of an oscillator that goes `step` cycles a sample.
    pub fn shape<'a>(&self, waves: &'a Waves, step: f32) -> Shape<'a> {
        self.shape_near(waves, step, &mut 0)
    }

    /// As [`Wave::shape`]: its version is looked for from `near` on, where one for about this frequency was found.
    #[inline]
    pub fn shape_near<'a>(&self, waves: &'a Waves, step: f32, near: &mut usize) -> Shape<'a> {
        match *self {
            Wave::Sine => Shape::Sine,
            Wave::Triangle => Shape::Table(waves.triangle.version(step, near)),
            Wave::Saw => Shape::Table(waves.saw.version(step, near)),
            Wave::Pulse { width } => {
                Shape::Pulse { saw: waves.saw.version(step, near), apart: Phase::of(1.0 - width.clamp(0.05, 0.95)) }
            }
            Wave::Organ => Shape::Table(waves.organ.version(step, near)),
        }
    }

    /// Cycles of the table for each of the note's: the drawbars' table begins an octave lower.
    pub fn cycles(&self) -> f32 {
        if matches!(self, Wave::Organ) { 0.5 } else { 1.0 }
    }
}

impl Shape<'_> {
    #[inline]
    pub fn at(&self, phase: Phase) -> f32 {
        match self {
            Shape::Sine => phase.sine(),
            Shape::Table(table) => table.at(phase),
            Shape::Pulse { saw, apart } => saw.at(phase) - saw.at(phase.plus(*apart)),
        }
    }

    /// The next values, a tick of them, whatever of it is wanted: a loop of a fixed length is done several values at
    /// once.
    #[inline]
    pub fn lane(&self, phase: Phase, step: Phase) -> Lane {
        lane_of(&self.fours(phase, step))
    }

    /// As [`Shape::lane`], four frames side by side.
    #[inline(always)]
    pub fn fours(&self, phase: Phase, step: Phase) -> LaneInFours {
        // What is drawn is asked once, not for each value.
        match self {
            Shape::Sine => phase.fours(step).map(sines_of_half),
            Shape::Table(table) => table.fours(phase, step),
            Shape::Pulse { saw, apart } => {
                let mut values = saw.fours(phase, step);
                let others = saw.fours(phase.plus(*apart), step);
                values.iter_mut().zip(others).for_each(|(value, other)| *value -= other);
                values
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::wavetable::waves;
    use super::*;
    use crate::analysis::{alias_db, fundamental_hz};

    const RATE: f32 = 48_000.0;

    fn play(hz: f32, frames: usize, mut at: impl FnMut(Phase, f32) -> f32) -> Vec<f32> {
        let step = hz / RATE;
        let mut phase = Phase::default();
        (0..frames)
            .map(|_| {
                let value = at(phase, step);
                phase = phase.plus(Phase::of(step));
                value
            })
            .collect()
    }

    #[test]
    fn a_lane_is_as_many_values_wherever_its_version_is_looked_for() {
        let step = |pitch: i32| crate::dsp::math::hz_of_pitch(pitch as f32) / RATE;
        let mut near = 0;
        for pitch in (0..136).chain((0..136).rev()).map(|pitch| pitch * 7 % 136) {
            let (begin, by) = (Phase(0x9e37_79b9u32.wrapping_mul(pitch as u32)), Phase::of(step(pitch)));
            for wave in [Wave::Sine, Wave::Saw, Wave::Triangle, Wave::Pulse { width: 0.3 }, Wave::Organ] {
                let values = wave.shape_near(waves(), step(pitch), &mut near).lane(begin, by);
                let alone = wave.shape(waves(), step(pitch));
                let alone: Lane = std::array::from_fn(|at| alone.at(begin.after(by, at)));
                assert_eq!(values.map(f32::to_bits), alone.map(f32::to_bits), "{wave:?} at {pitch}");
            }
        }
    }

    #[test]
    fn aliases_lie_60_db_below_up_to_c7() {
        for pitch in [24, 36, 48, 57, 60, 69, 72, 79, 84, 89, 96] {
            let hz = crate::dsp::math::hz_of_pitch(pitch as f32);
            for wave in [Wave::Saw, Wave::Triangle, Wave::Pulse { width: 0.5 }, Wave::Pulse { width: 0.17 }] {
                let signal = play(hz, 1 << 15, |phase, step| wave.shape(waves(), step).at(phase));
                let alias = alias_db(&signal, RATE, hz);
                assert!(alias < -60.0, "{wave:?} at {hz} Hz: {alias:.1} dB");
            }
        }
    }

    /// What D124 decides on: the usual correction of two samples leaves more than the law allows.
    #[test]
    fn a_saw_of_two_corrected_samples_would_alias() {
        let blep = |phase: Phase, step: f32| {
            let phase = phase.0 as f32 / 4_294_967_296.0;
            let residue = |t: f32| {
                if t < step {
                    let x = t / step;
                    x + x - x * x - 1.0
                } else if t > 1.0 - step {
                    let x = (t - 1.0) / step;
                    x * x + x + x + 1.0
                } else {
                    0.0
                }
            };
            2.0 * phase - 1.0 - residue(phase)
        };
        let hz = crate::dsp::math::hz_of_pitch(96.0);
        let alias = alias_db(&play(hz, 1 << 15, blep), RATE, hz);
        assert!(alias > -50.0, "{alias:.1} dB");
    }

    #[test]
    fn pitch_is_within_a_cent() {
        for pitch in [24.0, 45.0, 60.5, 81.0, 96.0] {
            let hz = crate::dsp::math::hz_of_pitch(pitch);
            for wave in [Wave::Sine, Wave::Saw, Wave::Triangle] {
                let signal = play(hz, 48_000, |phase, step| wave.shape(waves(), step).at(phase));
                let cents = 1200.0 * (fundamental_hz(&signal, RATE, hz) / f64::from(hz)).log2();
                assert!(cents.abs() < 1.0, "{wave:?} at {hz} Hz is {cents:.2} cents off");
            }
        }
    }
}
