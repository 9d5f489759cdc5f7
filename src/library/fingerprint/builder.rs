//! Making the fingerprint of a sound.

use super::{BANDS, Fingerprint, LEVEL_STEPS};
use rustfft::num_complex::Complex32;
use rustfft::{Fft, FftPlanner};
use std::sync::Arc;

/// The lowest band, C1.
const LOWEST_HZ: f64 = 32.703;
/// Longest part of a sound that is analyzed.
const MAX_SECONDS: f64 = 12.0;
/// Length of the window of a spectrum; the nearest power of two in samples is taken.
const WINDOW_SECONDS: f64 = 0.093;
/// Length of a step in which the level is measured.
const LEVEL_BLOCK_SECONDS: f64 = 0.005;
/// What is softer than this, relative to the loudest, counts as silence.
const FLOOR_DB: f32 = -48.0;
/// How many spectra are the beginning.
const BEGINNING_FRAMES: usize = 3;

/// Makes the fingerprint of one sound, packet by packet.
pub struct FingerprintBuilder {
    fft: Arc<dyn Fft<f32>>,
    window: Vec<f32>,
    /// For each semitone, the range of bins of a spectrum that belong to it; the end is not included.
    bands: Vec<(f32, f32)>,
    mono: Vec<f32>,
    spectrum: Vec<Complex32>,
    frames: Vec<[f32; BANDS]>,
    block_samples: usize,
    max_samples: usize,
    samples: usize,
    block: (f32, usize),
    levels: Vec<f32>,
}

impl FingerprintBuilder {
    pub fn new(planner: &mut FftPlanner<f32>, sample_rate_hz: u32) -> FingerprintBuilder {
        let rate = f64::from(sample_rate_hz);
        let power = (rate * WINDOW_SECONDS).log2().round().clamp(8.0, 15.0) as u32;
        let size = 1_usize << power;
        let hz = |band: f64| LOWEST_HZ * (band / 12.0).exp2();
        let bin = |hz: f64| (hz * size as f64 / rate) as f32;
        FingerprintBuilder {
            fft: planner.plan_fft_forward(size),
            window: (0..size).map(|n| hann(n, size)).collect(),
            bands: (0..BANDS).map(|n| (bin(hz(n as f64 - 0.5)), bin(hz(n as f64 + 0.5)))).collect(),
            mono: Vec::with_capacity(size),
            spectrum: Vec::with_capacity(size),
            frames: Vec::new(),
            block_samples: ((rate * LEVEL_BLOCK_SECONDS) as usize).max(1),
            max_samples: (rate * MAX_SECONDS) as usize,
            samples: 0,
            block: (0.0, 0),
            levels: Vec::new(),
        }
    }

    /// Takes interleaved samples.
    pub fn add_samples(&mut self, samples: &[f32], channels: u16) {
        let channels = usize::from(channels.max(1));
        for frame in samples.chunks_exact(channels) {
            // Nothing is counted before the first sound, so that silence in front changes nothing.
            if self.samples >= self.max_samples {
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
    pub fn finish(mut self) -> Option<Fingerprint> {
        if self.block.1 > 0 {
            self.end_block();
        }
        // What is left over from the last whole window; a sound shorter than a window has only this.
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
        // The rest of a short sound is its last spectrum.
        let rest = heard.get(BEGINNING_FRAMES..).filter(|rest| !rest.is_empty());
        let rest = rest.or_else(|| heard.get(heard.len().saturating_sub(1)..)).unwrap_or_default();
        Some(Fingerprint {
            whole: spectrum_of(&heard),
            beginning: spectrum_of(beginning),
            rest: spectrum_of(rest),
            level: self.level_envelope(),
        })
    }

    /// The level over time from the first loud moment on, in steps that grow.
    fn level_envelope(&self) -> [i8; LEVEL_STEPS] {
        let peak = self.levels.iter().copied().fold(0.0, f32::max);
        let first = self.levels.iter().position(|level| *level > peak * from_db(-20.0)).unwrap_or(0);
        let from = self.levels.get(first..).unwrap_or_default();
        let mut start = 0.0_f64;
        let mut course = [0.0; LEVEL_STEPS];
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
    // Half a sample further, so that no sample has the weight 0.
    let phase = std::f64::consts::TAU * (n as f64 + 0.5) / size as f64;
    (0.5 - 0.5 * phase.cos()) as f32
}

/// The mean power of a range of bins; interpolated where the range lies between two bins.
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
            // Amplitudes instead of powers, so that the loudest moment does not outweigh everything else.
            *sum += power.sqrt();
        }
    }
    let most = sum.iter().copied().fold(0.0, f32::max);
    centred(sum.map(|amplitude| db_above_floor((amplitude / most.max(f32::MIN_POSITIVE)).powi(2))))
}

fn centred<const N: usize>(values: [f32; N]) -> [i8; N] {
    let mean = values.iter().sum::<f32>() / N.max(1) as f32;
    // -48..=48 decibels, in half decibels: that fits.
    values.map(|value| ((value - mean) * 2.0).round().clamp(-127.0, 127.0) as i8)
}

fn db_above_floor(power: f32) -> f32 {
    (10.0 * power.max(1e-12).log10() - FLOOR_DB).max(0.0)
}

fn from_db(db: f32) -> f32 {
    10.0_f32.powf(db / 10.0)
}
