//! The one note that a sound has: how far its wave has to be shifted to look like itself (the normalized square
//! difference of McLeod and Wyvill), window after window.

use crate::spectrum::plan;
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Pitches that are heard: those of a piano.
const LOWEST_HZ: f64 = 27.0;
const HIGHEST_HZ: f64 = 4_300.0;
/// Two periods of the lowest pitch and more.
const WINDOW_S: f64 = 0.093;
/// A shorter sound has no pitch.
const SHORTEST_S: f64 = 0.02;
/// What is heard of a sound, from where it begins.
const HEARD_S: f64 = 3.0;
const MOST_WINDOWS: usize = 24;
/// It begins where it is that loud, of its peak.
const BEGINNING: f32 = 0.1;
/// How alike a wave is to itself a period later, at least: noise and chords out of tune are not.
const CLEAR: f32 = 0.85;
/// The first likeness that comes so near to the best is the period; the best may be several.
const NEAR_THE_BEST: f32 = 0.9;
/// Windows whose pitches are within this are of one note.
const ONE_NOTE_SEMITONES: f64 = 0.5;
/// Of the sound, at least, one note has to have.
const LEAST_SHARE: f64 = 0.5;
/// Of the strongest partial's power, at least, the note itself has to have. A chord repeats, too, as often as a note
/// far below it that nobody plays.
const LEAST_FUNDAMENTAL: f64 = 1e-4;
const PARTIALS: u32 = 10;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pitch {
    pub hz: f64,
    /// The share of the sound that has it, 0.5 to 1.
    pub share: f64,
}

/// `None` of noise, chords, glides, and what is shorter than 20 ms or silent.
pub fn hear(mono: &[f32], rate_hz: f64) -> Option<Pitch> {
    let peak = mono.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    if peak < 1e-4 {
        return None;
    }
    let begin = mono.iter().position(|x| x.abs() >= peak * BEGINNING).unwrap_or_default();
    let end = (begin + (HEARD_S * rate_hz) as usize).min(mono.len());
    let heard = mono.get(begin..end).unwrap_or_default();
    if (heard.len() as f64) < SHORTEST_S * rate_hz {
        return None;
    }
    let longest = 1_usize << (rate_hz * WINDOW_S).log2().round().clamp(6.0, 16.0) as u32;
    let length = longest.min(heard.len());
    let hop = (length / 2).max((heard.len() - length) / (MOST_WINDOWS - 1)).max(1);
    let mut likeness = Likeness::new(length);
    let mut notes: Vec<Note> = Vec::new();
    let mut whole = 0.0;
    for window in heard.windows(length).step_by(hop) {
        // By amplitude, so that what rings on counts beside the attack.
        let weight = window.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        whole += weight;
        if let Some(hz) = likeness.period(window, rate_hz).map(|period| rate_hz / period) {
            notes.push(Note { semitones: 12.0 * hz.log2(), weight, window });
        }
    }
    let together = |middle: &Note| {
        let near = |note: &&Note| (note.semitones - middle.semitones).abs() <= ONE_NOTE_SEMITONES;
        notes.iter().filter(near).collect::<Vec<&Note>>()
    };
    let weight = |notes: &[&Note]| notes.iter().map(|note| note.weight).sum::<f64>();
    let one_note = notes.iter().map(together).max_by(|a, b| weight(a).total_cmp(&weight(b)))?;
    let share = weight(&one_note) / whole.max(f64::MIN_POSITIVE);
    let mean = one_note.iter().map(|note| note.semitones * note.weight).sum::<f64>() / weight(&one_note);
    let hz = (mean / 12.0).exp2();
    let loudest = one_note.iter().max_by(|a, b| a.weight.total_cmp(&b.weight))?;
    let is_played = share >= LEAST_SHARE && has_fundamental(loudest.window, hz, rate_hz);
    is_played.then_some(Pitch { hz, share })
}

/// What one window sounds.
struct Note<'a> {
    /// Above 1 Hz.
    semitones: f64,
    weight: f64,
    window: &'a [f32],
}

fn has_fundamental(window: &[f32], hz: f64, rate_hz: f64) -> bool {
    let turn = TAU / window.len() as f64;
    let weighted = |(n, sample): (usize, &f32)| f64::from(*sample) * (0.5 - 0.5 * (turn * n as f64).cos());
    let weighted: Vec<f64> = window.iter().enumerate().map(weighted).collect();
    let partials = (1..=PARTIALS).map(|n| f64::from(n) * hz).take_while(|partial| *partial < rate_hz * 0.45);
    let powers: Vec<f64> = partials.map(|partial| power_at(&weighted, TAU * partial / rate_hz)).collect();
    let strongest = powers.iter().copied().fold(0.0, f64::max);
    powers.first().is_some_and(|first| *first >= strongest * LEAST_FUNDAMENTAL)
}

/// The power of a signal at one frequency, in radians a sample.
fn power_at(signal: &[f64], step: f64) -> f64 {
    let by = Complex::new(step.cos(), step.sin());
    let (mut at, mut sum) = (Complex::new(1.0, 0.0), Complex::new(0.0, 0.0));
    for sample in signal {
        sum += at * *sample;
        at *= by;
    }
    sum.norm_sqr()
}

/// How alike windows are to themselves some samples later.
struct Likeness {
    forward: Arc<dyn Fft<f32>>,
    back: Arc<dyn Fft<f32>>,
    values: Vec<Complex<f32>>,
    scratch: Vec<Complex<f32>>,
    /// By samples; 1 at 0.
    by_lag: Vec<f32>,
}

impl Likeness {
    fn new(length: usize) -> Likeness {
        let padded = (length * 2).next_power_of_two();
        let (forward, back) = (plan(padded, FftDirection::Forward), plan(padded, FftDirection::Inverse));
        let scratch = forward.get_inplace_scratch_len().max(back.get_inplace_scratch_len());
        Likeness {
            values: vec![Complex::default(); padded],
            scratch: vec![Complex::default(); scratch],
            by_lag: Vec::with_capacity(length),
            forward,
            back,
        }
    }

    /// In samples; `None` where the window does not repeat.
    fn period(&mut self, window: &[f32], rate_hz: f64) -> Option<f64> {
        let longest = ((rate_hz / LOWEST_HZ) as usize + 2).min(window.len() / 2);
        self.compare(window, longest);
        let shortest = (rate_hz / HIGHEST_HZ).floor().max(2.0) as usize;
        let peaks = self.peaks(shortest);
        let best = peaks.iter().map(|(_, height)| *height).fold(0.0, f32::max);
        if best < CLEAR {
            return None;
        }
        let (lag, _) = *peaks.iter().find(|(_, height)| *height >= best * NEAR_THE_BEST)?;
        Some(lag)
    }

    fn compare(&mut self, window: &[f32], longest: usize) {
        let mean = window.iter().sum::<f32>() / window.len().max(1) as f32;
        self.values.fill(Complex::default());
        for (value, sample) in self.values.iter_mut().zip(window) {
            *value = Complex::new(sample - mean, 0.0);
        }
        self.forward.process_with_scratch(&mut self.values, &mut self.scratch);
        for value in &mut self.values {
            *value = Complex::new(value.norm_sqr(), 0.0);
        }
        self.back.process_with_scratch(&mut self.values, &mut self.scratch);
        let scale = 1.0 / self.values.len() as f64;
        let square = |at: usize| window.get(at).map_or(0.0, |sample| f64::from(sample - mean).powi(2));
        let mut squares = 2.0 * (0..window.len()).map(square).sum::<f64>();
        self.by_lag.clear();
        for (lag, product) in self.values.iter().take(longest).enumerate() {
            let alike = 2.0 * f64::from(product.re) * scale / squares.max(1e-12);
            self.by_lag.push(alike as f32);
            squares -= square(lag) + square(window.len() - 1 - lag);
        }
    }

    /// The highest likeness of each stretch above zero after the first, with its lag between the samples.
    fn peaks(&self, shortest: usize) -> Vec<(f64, f32)> {
        let value = |at: usize| self.by_lag.get(at).copied().unwrap_or_default();
        let Some(fallen) = self.by_lag.iter().position(|alike| *alike <= 0.0) else { return Vec::new() };
        let mut peaks = Vec::new();
        let mut top: Option<usize> = None;
        for at in fallen.max(shortest)..self.by_lag.len() {
            if value(at) > 0.0 {
                if top.is_none_or(|top| value(at) > value(top)) {
                    top = Some(at);
                }
            } else if let Some(top) = top.take() {
                peaks.push(top);
            }
        }
        peaks.extend(top);
        // One that the end cuts off is none.
        let is_top = |at: &usize| *at > 0 && *at + 1 < self.by_lag.len() && value(*at) >= value(*at + 1);
        let refined = |at: usize| {
            let (before, here, after) = (value(at - 1), value(at), value(at + 1));
            let bend = before - 2.0 * here + after;
            let part = if bend < 0.0 { (0.5 * (before - after) / bend).clamp(-0.5, 0.5) } else { 0.0 };
            (at as f64 + f64::from(part), here - 0.25 * (before - after) * part)
        };
        peaks.into_iter().filter(is_top).map(refined).collect()
    }
}
