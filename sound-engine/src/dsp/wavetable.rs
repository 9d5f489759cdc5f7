//! One cycle of a wave in many versions, each with as many harmonics as fit below half the sample rate.

use super::phase::Phase;
use super::span::{Lane, TICK};
use std::sync::LazyLock;

/// The lowest notes' harmonics end here: 16.7 kHz at C1.
const MOST_HARMONICS: usize = 512;
/// Versions: each has 1/sqrt(2) of the harmonics of the one before.
const VERSIONS: usize = 19;
/// Samples of a cycle for each harmonic, at least: what interpolating on straight lines adds lies 75 dB below.
const SAMPLES_PER_HARMONIC: usize = 8;
const FEWEST_SAMPLES: usize = 512;

/// A wave that does not alias.
pub struct Wavetable {
    versions: Vec<Version>,
}

struct Version {
    harmonics: usize,
    /// One cycle: each sample with the difference to the next one.
    samples: Vec<[f32; 2]>,
}

/// The waves of the oscillators; peak about 1.
pub struct Waves {
    /// Falls from 1 to -1.
    pub saw: Wavetable,
    pub triangle: Wavetable,
    /// The drawbars of an organ, an octave lower: the cycle is that of the 16' pipe.
    pub organ: Wavetable,
}

/// The drawbars 16', 5 1/3', 8', 4', 2 2/3', 2' of a full but soft registration: harmonic of the 16' pipe, amplitude.
const DRAWBARS: [(usize, f64); 6] = [(1, 0.30), (2, 0.40), (3, 0.18), (4, 0.22), (6, 0.12), (8, 0.10)];

static WAVES: LazyLock<Waves> = LazyLock::new(|| Waves {
    saw: Wavetable::of(|harmonic| std::f64::consts::FRAC_2_PI / harmonic as f64),
    triangle: Wavetable::of(|harmonic| {
        let sign = if harmonic % 4 == 1 { 1.0 } else { -1.0 };
        let odd = harmonic % 2 == 1;
        let amplitude = 8.0 / (std::f64::consts::PI * std::f64::consts::PI * (harmonic * harmonic) as f64);
        if odd { sign * amplitude } else { 0.0 }
    }),
    organ: Wavetable::of(|harmonic| {
        DRAWBARS.iter().find(|(bar, _)| *bar == harmonic).map_or(0.0, |(_, amplitude)| *amplitude)
    }),
});

/// The waves, which the first call computes: it belongs where a plan is made.
pub fn waves() -> &'static Waves {
    &WAVES
}

impl Wavetable {
    /// Of the amplitude of each harmonic, from 1 on.
    fn of(amplitude: impl Fn(usize) -> f64) -> Wavetable {
        let versions = (0..VERSIONS).map(|version| {
            let harmonics = (MOST_HARMONICS as f64 / libm::pow(2.0, version as f64 / 2.0)) as usize;
            Version::new(harmonics.max(1), &amplitude)
        });
        Wavetable { versions: versions.collect() }
    }

    /// The version for an oscillator that goes `step` cycles a sample.
    #[inline]
    pub fn version(&self, step: f32) -> TableRef<'_> {
        let fits = |version: &&Version| version.harmonics as f32 * step <= 0.5;
        let found = self.versions.iter().find(fits).or(self.versions.last());
        let samples: &[[f32; 2]] = found.map_or(&[], |version| &version.samples);
        TableRef { samples, bits: samples.len().trailing_zeros().clamp(1, 31) }
    }
}

impl Version {
    fn new(harmonics: usize, amplitude: impl Fn(usize) -> f64) -> Version {
        let length = (harmonics * SAMPLES_PER_HARMONIC).next_power_of_two().max(FEWEST_SAMPLES);
        let sines: Vec<f64> =
            (0..length).map(|at| libm::sin(std::f64::consts::TAU * at as f64 / length as f64)).collect();
        let mut cycle = vec![0.0f64; length];
        for harmonic in 1..=harmonics {
            let amplitude = amplitude(harmonic);
            if amplitude == 0.0 {
                continue;
            }
            for (at, value) in cycle.iter_mut().enumerate() {
                *value += amplitude * sines.get(at * harmonic % length).copied().unwrap_or_default();
            }
        }
        let next = cycle.iter().skip(1).chain(cycle.first());
        let samples: Vec<[f32; 2]> =
            cycle.iter().zip(next).map(|(here, next)| [*here as f32, (*next - *here) as f32]).collect();
        Version { harmonics, samples }
    }
}

/// One version of a wave.
#[derive(Clone, Copy)]
pub struct TableRef<'a> {
    samples: &'a [[f32; 2]],
    /// Of the cycle's length, a power of two.
    bits: u32,
}

impl TableRef<'_> {
    /// The wave at a phase.
    #[inline]
    pub fn at(&self, phase: Phase) -> f32 {
        // The upper bits are the sample, the lower ones the way to the next.
        let index = phase.0 >> (32 - self.bits);
        let between = ((phase.0 << self.bits) >> 8) as i32 as f32 * (1.0 / 16_777_216.0);
        match self.samples.get(index as usize) {
            Some([here, rise]) => here + rise * between,
            None => 0.0,
        }
    }

    /// The wave at each of these phases.
    #[inline]
    pub fn lane(&self, phases: &[Phase; TICK]) -> Lane {
        let mut between: Lane = [0.0; TICK];
        for (between, phase) in between.iter_mut().zip(phases) {
            *between = ((phase.0 << self.bits) >> 8) as i32 as f32 * (1.0 / 16_777_216.0);
        }
        let (mut heres, mut rises): (Lane, Lane) = ([0.0; TICK], [0.0; TICK]);
        for ((here, rise), phase) in heres.iter_mut().zip(&mut rises).zip(phases) {
            let sample = self.samples.get((phase.0 >> (32 - self.bits)) as usize);
            [*here, *rise] = sample.copied().unwrap_or_default();
        }
        for ((here, rise), between) in heres.iter_mut().zip(rises).zip(between) {
            *here += rise * between;
        }
        heres
    }
}
