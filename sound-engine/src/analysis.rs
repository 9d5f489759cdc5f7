//! How tests look at signals: levels, spectra, pitches, steps.

use rustfft::FftPlanner;
use rustfft::num_complex::Complex;

pub fn sine(hz: f32, rate: f32, frames: usize) -> Vec<f32> {
    (0..frames).map(|n| libm::sin(std::f64::consts::TAU * f64::from(hz) * n as f64 / f64::from(rate)) as f32).collect()
}

/// Magnitudes up to half the rate, and the hertz between two of them. Through a Blackman-Harris window, 92 dB deep.
pub fn spectrum(signal: &[f32], rate: f32) -> (Vec<f64>, f64) {
    let length = signal.len();
    let window = |n: usize| {
        let t = std::f64::consts::TAU * n as f64 / length as f64;
        0.358_75 - 0.488_29 * t.cos() + 0.141_28 * (2.0 * t).cos() - 0.011_68 * (3.0 * t).cos()
    };
    let mut bins: Vec<Complex<f64>> =
        signal.iter().enumerate().map(|(n, x)| Complex::new(f64::from(*x) * window(n), 0.0)).collect();
    FftPlanner::new().plan_fft_forward(length).process(&mut bins);
    (bins.iter().take(length / 2).map(|bin| bin.norm()).collect(), f64::from(rate) / length as f64)
}

/// The strongest partial that is none of a note's, in dB below the strongest that is.
pub fn alias_db(signal: &[f32], rate: f32, hz: f32) -> f64 {
    let (bins, width) = spectrum(signal, rate);
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

/// The amplitude of one frequency, in dB of a full sine, over the signal's second half.
pub fn level_db_at(signal: &[f32], rate: f32, hz: f32) -> f64 {
    let half = &signal[signal.len() / 2..];
    let (mut re, mut im, mut sum) = (0.0, 0.0, 0.0);
    for (n, x) in half.iter().enumerate() {
        let turn = std::f64::consts::TAU * f64::from(hz) * n as f64 / f64::from(rate);
        let window = 0.5 - 0.5 * (std::f64::consts::TAU * n as f64 / half.len() as f64).cos();
        re += f64::from(*x) * window * turn.cos();
        im += f64::from(*x) * window * turn.sin();
        sum += window;
    }
    20.0 * (2.0 * (re * re + im * im).sqrt() / sum).max(1e-12).log10()
}

/// By how much `process` makes a quiet tone louder.
pub fn gain_db_at(rate: f32, hz: f32, process: impl FnOnce(&[f32]) -> Vec<f32>) -> f64 {
    let tone: Vec<f32> = sine(hz, rate, 96_000).iter().map(|x| x * 0.1).collect();
    level_db_at(&process(&tone), rate, hz) + 20.0
}

/// The pitch near `guess`: where the signal is most like itself a few periods later, to a part of a sample.
pub fn fundamental_hz(signal: &[f32], rate: f32, guess: f32) -> f64 {
    let start = signal.len() / 4;
    let period = f64::from(rate / guess);
    let periods = ((signal.len() / 4) as f64 / period).clamp(1.0, 64.0).floor();
    let around = (period * periods) as usize;
    let width = ((period * 0.25) as usize).clamp(3, 400);
    let length = (signal.len() / 4).min(24_000);
    let likeness = |lag: usize| -> f64 {
        (start..start + length).map(|n| f64::from(signal[n]) * f64::from(signal[n + lag])).sum()
    };
    let scores: Vec<f64> = (around - width..=around + width).map(likeness).collect();
    let best = (1..scores.len() - 1).max_by(|a, b| scores[*a].total_cmp(&scores[*b])).unwrap_or(width);
    let (before, here, after) = (scores[best - 1], scores[best], scores[best + 1]);
    let part = 0.5 * (before - after) / (before - 2.0 * here + after);
    periods * f64::from(rate) / ((around - width + best) as f64 + part)
}

/// The largest difference between two neighbours.
pub fn largest_step(signal: &[f32]) -> f32 {
    signal.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max)
}
