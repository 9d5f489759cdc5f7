//! Oscillators without aliases: a phase that walks through a [wave](super::wavetable).

use super::phase::Phase;
use super::span::{Lane, TICK};
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
        match *self {
            Wave::Sine => Shape::Sine,
            Wave::Triangle => Shape::Table(waves.triangle.version(step)),
            Wave::Saw => Shape::Table(waves.saw.version(step)),
            Wave::Pulse { width } => {
                Shape::Pulse { saw: waves.saw.version(step), apart: Phase::of(1.0 - width.clamp(0.05, 0.95)) }
            }
            Wave::Organ => Shape::Table(waves.organ.version(step)),
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
        // What is drawn is asked once, not for each value.
        match self {
            Shape::Sine => {
                let mut values: Lane = [0.0; TICK];
                for (value, phase) in values.iter_mut().zip(phase.lane(step)) {
                    *value = phase.sine();
                }
                values
            }
            Shape::Table(table) => table.lane(phase, step),
            Shape::Pulse { saw, apart } => {
                let mut values = saw.lane(phase, step);
                for (value, other) in values.iter_mut().zip(saw.lane(phase.plus(*apart), step)) {
                    *value -= other;
                }
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
