//! Oscillators without aliases: a phase that walks through a [wave](super::wavetable).

use super::phase::Phase;
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

    /// Gives the next values one after the other, and leaves the phase behind them.
    #[inline]
    pub fn walk<'b>(&self, phase: &mut Phase, step: Phase, places: impl Iterator<Item = &'b mut f32>) {
        // What is drawn is asked once, not for each value.
        match self {
            Shape::Sine => walk(phase, step, places, Phase::sine),
            Shape::Table(table) => walk(phase, step, places, |phase| table.at(phase)),
            Shape::Pulse { saw, apart } => {
                walk(phase, step, places, |phase| saw.at(phase) - saw.at(phase.plus(*apart)));
            }
        }
    }
}

#[inline]
fn walk<'b>(phase: &mut Phase, step: Phase, places: impl Iterator<Item = &'b mut f32>, at: impl Fn(Phase) -> f32) {
    let mut here = *phase;
    for place in places {
        *place = at(here);
        here = here.plus(step);
    }
    *phase = here;
}

#[cfg(test)]
mod tests {
    use super::super::wavetable::waves;
    use super::*;
    use crate::analysis::{fundamental_hz, spectrum};

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
