//! One cycle of a wave in many versions, each with as many harmonics as fit below half the sample rate.

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
    /// One cycle and its first sample again.
    samples: Vec<f32>,
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
        TableRef { samples: found.map_or(&[], |version| &version.samples) }
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
        let mut samples: Vec<f32> = cycle.iter().map(|value| *value as f32).collect();
        samples.push(cycle.first().map_or(0.0, |value| *value as f32));
        Version { harmonics, samples }
    }
}

/// One version of a wave.
#[derive(Clone, Copy)]
pub struct TableRef<'a> {
    samples: &'a [f32],
}

impl TableRef<'_> {
    /// The wave at `phase`, 0 to 1.
    #[inline]
    pub fn at(&self, phase: f32) -> f32 {
        let length = self.samples.len().saturating_sub(1);
        let place = phase * length as f32;
        let index = place as usize;
        match self.samples.get(index..index + 2) {
            Some(&[here, next]) => here + (next - here) * (place - index as f32),
            _ => self.samples.last().copied().unwrap_or_default(),
        }
    }
}
