//! Oscillators without aliases: a phase that walks through a [wave](super::wavetable).

use super::math::{floor, sin_turns};
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
    Pulse { saw: TableRef<'a>, width: f32 },
}

impl Wave {
    /// Of an oscillator that goes `step` cycles a sample.
    pub fn shape<'a>(&self, waves: &'a Waves, step: f32) -> Shape<'a> {
        match *self {
            Wave::Sine => Shape::Sine,
            Wave::Triangle => Shape::Table(waves.triangle.version(step)),
            Wave::Saw => Shape::Table(waves.saw.version(step)),
            Wave::Pulse { width } => Shape::Pulse { saw: waves.saw.version(step), width: width.clamp(0.05, 0.95) },
            Wave::Organ => Shape::Table(waves.organ.version(step)),
        }
    }

    /// Cycles of the table for each of the note's: the drawbars' table begins an octave lower.
    pub fn cycles(&self) -> f32 {
        if matches!(self, Wave::Organ) { 0.5 } else { 1.0 }
    }
}

impl Shape<'_> {
    /// The wave at `phase`, 0 to 1.
    #[inline]
    pub fn at(&self, phase: f32) -> f32 {
        match self {
            Shape::Sine => sin_turns(phase),
            Shape::Table(table) => table.at(phase),
            Shape::Pulse { saw, width } => {
                // Two saws apart by the width: their flanks are the pulse's.
                let second = phase + 1.0 - width;
                saw.at(phase) - saw.at(if second >= 1.0 { second - 1.0 } else { second })
            }
        }
    }
}

/// `phase` one step on, brought back into 0 to 1.
#[inline]
pub fn advance(phase: f32, step: f32) -> f32 {
    let next = phase + step;
    next - floor(next)
}

/// [`advance`] for a step of 0 to 1: without a division into whole numbers.
#[inline]
pub fn advance_up(phase: f32, step: f32) -> f32 {
    let next = phase + step;
    if next >= 1.0 { next - 1.0 } else { next }
}

#[cfg(test)]
mod tests {
    use super::super::wavetable::waves;
    use super::*;
    use crate::analysis::{fundamental_hz, spectrum};

    const RATE: f32 = 48_000.0;

    fn play(hz: f32, frames: usize, mut at: impl FnMut(f32, f32) -> f32) -> Vec<f32> {
        let step = hz / RATE;
        let mut phase = 0.0;
        (0..frames)
            .map(|_| {
                let value = at(phase, step);
                phase = advance_up(phase, step);
                value
            })
            .collect()
    }

    /// The strongest partial that is none of the note's, in dB below the strongest that is.
    fn alias_db(signal: &[f32], hz: f32) -> f64 {
        let (bins, width) = spectrum(signal, RATE);
        let (mut wanted, mut other) = (0.0f64, 0.0f64);
        for (at, magnitude) in bins.iter().enumerate() {
            let frequency = at as f64 * width;
            let harmonic = (frequency / f64::from(hz)).round();
            if harmonic >= 1.0 && (frequency - harmonic * f64::from(hz)).abs() < 8.0 * width {
                wanted = wanted.max(*magnitude);
            } else if frequency > 20.0 {
                other = other.max(*magnitude);
            }
        }
        20.0 * (other / wanted).log10()
    }

    #[test]
    fn aliases_lie_60_db_below_up_to_c7() {
        for pitch in [24, 36, 48, 57, 60, 69, 72, 79, 84, 89, 96] {
            let hz = crate::dsp::math::hz_of_pitch(pitch as f32);
            for wave in [Wave::Saw, Wave::Triangle, Wave::Pulse { width: 0.5 }, Wave::Pulse { width: 0.17 }] {
                let signal = play(hz, 1 << 15, |phase, step| wave.shape(waves(), step).at(phase));
                let alias = alias_db(&signal, hz);
                assert!(alias < -60.0, "{wave:?} at {hz} Hz: {alias:.1} dB");
            }
        }
    }

    /// What D124 decides on: the usual correction of two samples leaves more than the law allows.
    #[test]
    fn a_saw_of_two_corrected_samples_would_alias() {
        let blep = |phase: f32, step: f32| {
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
        let alias = alias_db(&play(hz, 1 << 15, blep), hz);
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
