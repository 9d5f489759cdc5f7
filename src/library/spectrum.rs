//! What a sound is like, in a few hundred bytes: the loudness of each semitone over the whole of it, at its beginning and after
//! it, and how its level goes. Loudness is counted against the sound's own, and two sounds are compared a semitone up and down as
//! well, so a louder, a slightly transposed or a trimmed copy stays next to its original.

mod likeness;

pub use likeness::{Measured, Wide};

use rustfft::num_complex::Complex32;
use rustfft::{Fft, FftPlanner};
use std::sync::Arc;

/// Semitones from C1 on: nine octaves.
const BANDS: usize = 108;
const LOWEST_HZ: f64 = 32.703;
/// Steps of the level's course, each longer than the last.
const STEPS: usize = 24;
pub const PRINT_BYTES: usize = 3 * BANDS + STEPS;

/// Longest part of a sound that is looked at.
const LISTEN_SECONDS: f64 = 12.0;
/// Length of a spectrum; the nearest power of two is taken.
const WINDOW_SECONDS: f64 = 0.093;
/// Length of a step in which the level is measured.
const BLOCK_SECONDS: f64 = 0.005;
/// What is softer than this, against the loudest, counts as silence.
const FLOOR_DB: f32 = -48.0;
/// Spectra that make the beginning.
const BEGINNING_FRAMES: usize = 3;
const SEMITONES_APART: i32 = 1;

/// A sound's fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    whole: [i8; BANDS],
    beginning: [i8; BANDS],
    rest: [i8; BANDS],
    level: [i8; STEPS],
}

impl Print {
    pub fn to_bytes(&self) -> [u8; PRINT_BYTES] {
        let mut values = self.whole.iter().chain(&self.beginning).chain(&self.rest).chain(&self.level);
        std::array::from_fn(|_| values.next().map_or(0, |value| value.cast_unsigned()))
    }

    pub fn from_bytes(bytes: [u8; PRINT_BYTES]) -> Print {
        let mut values = bytes.into_iter().map(u8::cast_signed);
        let mut next = || values.next().unwrap_or(0);
        Print {
            whole: std::array::from_fn(|_| next()),
            beginning: std::array::from_fn(|_| next()),
            rest: std::array::from_fn(|_| next()),
            level: std::array::from_fn(|_| next()),
        }
    }

    /// How alike two sounds are: 1 for the same, about 0 for strangers, -1 for opposites.
    pub fn similarity(&self, other: &Print) -> f32 {
        Wide::new(self).similarity(&Measured::new(other), f32::MIN).unwrap_or(-1.0)
    }
}

/// Listens to one sound.
pub struct Listener {
    fft: Arc<dyn Fft<f32>>,
    window: Vec<f32>,
    /// For each semitone, the bins of a spectrum that are its own: from, up to and without.
    bands: Vec<(f32, f32)>,
    mono: Vec<f32>,
    spectrum: Vec<Complex32>,
    frames: Vec<[f32; BANDS]>,
    block_samples: usize,
    most_samples: usize,
    samples: usize,
    block: (f32, usize),
    levels: Vec<f32>,
}

impl Listener {
    pub fn new(planner: &mut FftPlanner<f32>, sample_rate_hz: u32) -> Listener {
        let rate = f64::from(sample_rate_hz);
        let power = (rate * WINDOW_SECONDS).log2().round().clamp(8.0, 15.0) as u32;
        let size = 1_usize << power;
        let hz = |band: f64| LOWEST_HZ * (band / 12.0).exp2();
        let bin = |hz: f64| (hz * size as f64 / rate) as f32;
        Listener {
            fft: planner.plan_fft_forward(size),
            window: (0..size).map(|n| hann(n, size)).collect(),
            bands: (0..BANDS).map(|n| (bin(hz(n as f64 - 0.5)), bin(hz(n as f64 + 0.5)))).collect(),
            mono: Vec::with_capacity(size),
            spectrum: Vec::with_capacity(size),
            frames: Vec::new(),
            block_samples: ((rate * BLOCK_SECONDS) as usize).max(1),
            most_samples: (rate * LISTEN_SECONDS) as usize,
            samples: 0,
            block: (0.0, 0),
            levels: Vec::new(),
        }
    }

    /// Interleaved samples.
    pub fn hear(&mut self, samples: &[f32], channels: u16) {
        let channels = usize::from(channels.max(1));
        for frame in samples.chunks_exact(channels) {
            // Before the first sound nothing is counted, so that silence in front changes nothing.
            if self.samples >= self.most_samples {
                return;
            }
            let sum: f32 = frame.iter().sum();
            let mono = sum / channels as f32;
            let mono = if mono.is_finite() { mono.clamp(-16.0, 16.0) } else { 0.0 };
            if self.samples == 0 && mono.abs() < 1e-4 {
                continue;
            }
            self.samples += 1;
            self.block.0 += mono * mono;
            self.block.1 += 1;
            if self.block.1 >= self.block_samples {
                self.end_block();
            }
            self.mono.push(mono);
            if self.mono.len() >= self.window.len() {
                self.analyse();
                self.mono.drain(..self.window.len() / 2);
            }
        }
    }

    fn end_block(&mut self) {
        let (sum, count) = std::mem::take(&mut self.block);
        self.levels.push(sum / count.max(1) as f32);
    }

    fn analyse(&mut self) {
        let size = self.window.len();
        self.spectrum.clear();
        self.spectrum.extend(self.mono.iter().zip(&self.window).map(|(s, w)| Complex32::new(s * w, 0.0)));
        self.spectrum.resize(size, Complex32::default());
        self.fft.process(&mut self.spectrum);
        let half = self.spectrum.get(..size / 2).unwrap_or_default();
        let powers: Vec<f32> = half.iter().map(|bin| bin.norm_sqr()).collect();
        self.frames.push(std::array::from_fn(|band| self.bands.get(band).map_or(0.0, |range| mean(&powers, *range))));
    }

    /// The fingerprint; `None` for silence.
    pub fn finish(mut self) -> Option<Print> {
        if self.block.1 > 0 {
            self.end_block();
        }
        // What no whole window was left for; a sound shorter than a window has only this.
        if self.frames.is_empty() || self.mono.len() > self.window.len() * 3 / 4 {
            self.analyse();
        }
        let loudness = |frame: &[f32; BANDS]| frame.iter().sum::<f32>();
        let loudest = self.frames.iter().map(loudness).fold(0.0, f32::max);
        if loudest <= 1e-9 {
            return None;
        }
        let heard = self.frames.iter().filter(|frame| loudness(frame) > loudest * from_db(FLOOR_DB));
        let heard: Vec<&[f32; BANDS]> = heard.collect();
        let beginning = heard.get(..BEGINNING_FRAMES.min(heard.len())).unwrap_or_default();
        // A short sound has its last moment for its rest.
        let rest = heard.get(BEGINNING_FRAMES..).filter(|rest| !rest.is_empty());
        let rest = rest.or_else(|| heard.get(heard.len().saturating_sub(1)..)).unwrap_or_default();
        Some(Print {
            whole: spectrum_of(&heard),
            beginning: spectrum_of(beginning),
            rest: spectrum_of(rest),
            level: self.course(),
        })
    }

    /// The level over time from the first loud moment on, in steps that grow.
    fn course(&self) -> [i8; STEPS] {
        let peak = self.levels.iter().copied().fold(0.0, f32::max);
        let first = self.levels.iter().position(|level| *level > peak * from_db(-20.0)).unwrap_or(0);
        let from = self.levels.get(first..).unwrap_or_default();
        let mut start = 0.0_f64;
        let mut course = [0.0; STEPS];
        for (step, value) in course.iter_mut().enumerate() {
            let length = 1.3_f64.powi(i32::try_from(step).unwrap_or(0)).max(1.0);
            let blocks = from.get(start as usize..((start + length) as usize).min(from.len())).unwrap_or_default();
            let mean = blocks.iter().sum::<f32>() / blocks.len().max(1) as f32;
            *value = db_above_floor(mean / peak);
            start += length;
        }
        centred(course)
    }
}

fn hann(n: usize, size: usize) -> f32 {
    // Half a sample further, so that nothing that is heard counts for nothing.
    let phase = std::f64::consts::TAU * (n as f64 + 0.5) / size as f64;
    (0.5 - 0.5 * phase.cos()) as f32
}

/// The mean power of a stretch of bins; between two bins, what lies between them.
fn mean(powers: &[f32], (from, to): (f32, f32)) -> f32 {
    let (first, last) = (from.ceil() as usize, to.floor() as usize);
    if first < last {
        let bins = powers.get(first..=last.min(powers.len().saturating_sub(1))).unwrap_or_default();
        return bins.iter().sum::<f32>() / bins.len().max(1) as f32;
    }
    let middle = (from + to) / 2.0;
    let low = middle.floor();
    let at = |bin: f32| powers.get(bin as usize).copied().unwrap_or(0.0);
    at(low) + (at(low + 1.0) - at(low)) * (middle - low)
}

/// Loudness of each semitone over some spectra, in half decibels above the floor, around their mean.
fn spectrum_of(frames: &[&[f32; BANDS]]) -> [i8; BANDS] {
    let mut sum = [0.0_f32; BANDS];
    for frame in frames {
        for (sum, power) in sum.iter_mut().zip(frame.iter()) {
            // Amplitudes, so that the loudest moment is not all there is.
            *sum += power.sqrt();
        }
    }
    let most = sum.iter().copied().fold(0.0, f32::max);
    centred(sum.map(|amplitude| db_above_floor((amplitude / most.max(f32::MIN_POSITIVE)).powi(2))))
}

fn centred<const N: usize>(values: [f32; N]) -> [i8; N] {
    let mean = values.iter().sum::<f32>() / N.max(1) as f32;
    // -48..=48 decibels: twice that fits.
    values.map(|value| ((value - mean) * 2.0).round().clamp(-127.0, 127.0) as i8)
}

fn db_above_floor(power: f32) -> f32 {
    (10.0 * power.max(1e-12).log10() - FLOOR_DB).max(0.0)
}

fn from_db(db: f32) -> f32 {
    10.0_f32.powf(db / 10.0)
}

#[cfg(test)]
mod tests;
