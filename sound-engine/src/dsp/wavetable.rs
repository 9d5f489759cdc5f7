//! One cycle of a wave in many versions, each with as many harmonics as fit below half the sample rate.

use super::four::{Four, LaneInFours, ZEROS};
use super::phase::Phase;
use std::sync::LazyLock;
use wide::u32x4;

/// The lowest notes' harmonics end here: 16.7 kHz at C1.
const MOST_HARMONICS: usize = 512;
/// Versions: each has 1/sqrt(2) of the harmonics of the one before.
const VERSIONS: usize = 19;
/// Samples of a cycle for each harmonic, at least: what interpolating on straight lines adds lies 75 dB below.
const SAMPLES_PER_HARMONIC: usize = 8;
const FEWEST_SAMPLES: usize = 512;

/// The way between two samples has 2^24 parts, which an `f32` counts.
const PARTS: f32 = 1.0 / 16_777_216.0;

/// A wave that does not alias.
pub struct Wavetable {
    versions: Vec<Version>,
    /// How many harmonics each has: each fewer than the one before.
    harmonics: [f32; VERSIONS],
}

struct Version {
    /// One cycle: each sample with [`PARTS`] of the difference to the next one.
    samples: Vec<[f32; 2]>,
    /// Of the cycle's length, a power of two.
    bits: u32,
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
        let mut harmonics = [0.0; _];
        let versions = (0..VERSIONS).zip(&mut harmonics).map(|(version, place)| {
            let harmonics = ((MOST_HARMONICS as f64 / libm::pow(2.0, version as f64 / 2.0)) as usize).max(1);
            *place = harmonics as f32;
            Version::new(harmonics, &amplitude)
        });
        Wavetable { versions: versions.collect(), harmonics }
    }

    /// The version for an oscillator that goes `step` cycles a sample, looked for from the place `near` on, which is
    /// where it is found.
    #[inline]
    pub fn version(&self, step: f32, near: &mut usize) -> TableRef<'_> {
        let is_too_rich = |at: usize| self.harmonics.get(at).is_some_and(|harmonics| harmonics * step > 0.5);
        while is_too_rich(*near) {
            *near += 1;
        }
        while *near > 0 && !is_too_rich(*near - 1) {
            *near -= 1;
        }
        match self.versions.get(*near).or(self.versions.last()) {
            Some(Version { samples, bits }) => TableRef { samples, bits: *bits },
            None => TableRef { samples: &[], bits: 1 },
        }
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
            cycle.iter().zip(next).map(|(here, next)| [*here as f32, (*next - *here) as f32 * PARTS]).collect();
        Version { samples, bits: length.trailing_zeros() }
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
        let between = ((phase.0 << self.bits) >> 8) as i32 as f32;
        match self.samples.get(index as usize) {
            Some([here, rise]) => here + rise * between,
            None => 0.0,
        }
    }

    /// The next values, a tick of them.
    #[inline(always)]
    pub fn fours(&self, phase: Phase, step: Phase) -> LaneInFours {
        // Of a length that is known beforehand, no place is asked whether it is there.
        if let Ok(cycle) = self.samples.try_into() {
            walk::<512>(cycle, phase, step)
        } else if let Ok(cycle) = self.samples.try_into() {
            walk::<1024>(cycle, phase, step)
        } else if let Ok(cycle) = self.samples.try_into() {
            walk::<2048>(cycle, phase, step)
        } else if let Ok(cycle) = self.samples.try_into() {
            walk::<4096>(cycle, phase, step)
        } else {
            [ZEROS; _]
        }
    }
}

/// The next values of a cycle of a length that is a power of two.
#[inline(always)]
fn walk<const LENGTH: usize>(cycle: &[[f32; 2]; LENGTH], phase: Phase, step: Phase) -> LaneInFours {
    let bits = LENGTH.trailing_zeros();
    let mut phases = u32x4::new([0, 1, 2, 3].map(|steps| phase.after(step, steps).0));
    let mut places = phases.to_array();
    let mut values = [ZEROS; _];
    for values in &mut values {
        // Each sample with its rise: a row.
        let rows = places.map(|phase| {
            let [here, rise] = cycle.get((phase >> (32 - bits)) as usize).copied().unwrap_or_default();
            Four::new([here, rise, 0.0, 0.0])
        });
        let [here, rise, ..] = Four::transpose(rows);
        let between = Four::new(((phases << bits) >> 8u32).to_array().map(|part| part as i32 as f32));
        *values = here + rise * between;
        phases += u32x4::splat(step.0.wrapping_mul(4));
        places = places.map(|phase| phase.wrapping_add(step.0.wrapping_mul(4)));
    }
    values
}
