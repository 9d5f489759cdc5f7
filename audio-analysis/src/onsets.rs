//! How strongly something begins at each moment: what tempo is heard by.

use crate::spectrum::{PowerSpectrum, bins};

/// Moments a second.
pub const RATE_HZ: f64 = 200.0;

/// Bands whose growth counts, each as much as another: else the loudest instrument alone would be heard.
const BANDS: usize = 24;
const LOWEST_HZ: f64 = 40.0;
const HIGHEST_HZ: f64 = 12_000.0;
/// Below the loudest moment of a band; what is quieter does not count.
const FLOOR_DB: f32 = 50.0;

/// The strength of onsets, moment after moment ([`RATE_HZ`]), 0 and above; of the mean 0 after a slow trend was taken
/// away.
pub fn strength(mono: &[f32], rate_hz: f64) -> Vec<f64> {
    let hop = (rate_hz / RATE_HZ).round().max(1.0) as usize;
    let length = ((rate_hz / 24.0) as usize).next_power_of_two();
    let mut strengths = vec![0.0; mono.len().div_ceil(hop)];
    for powers in band_powers(mono, rate_hz, length, hop) {
        let loudest = powers.iter().copied().fold(0.0_f32, f32::max);
        if loudest <= 1e-10 {
            continue;
        }
        let level = |power: f32| (10.0 * (power / loudest).max(1e-12).log10()).max(-FLOOR_DB);
        let levels: Vec<f32> = powers.iter().map(|power| level(*power)).collect();
        // Over a few moments, so that a slow attack counts as a whole.
        for (at, strength) in strengths.iter_mut().enumerate().skip(4) {
            let (Some(now), Some(before)) = (levels.get(at), levels.get(at - 4)) else { break };
            *strength += f64::from((now - before).max(0.0));
        }
    }
    without_trend(&strengths)
}

/// The power of each band, moment after moment. Spectra are not kept: of ten minutes they would be half a gigabyte.
fn band_powers(mono: &[f32], rate_hz: f64, length: usize, hop: usize) -> Vec<Vec<f32>> {
    let edge = |n: usize| LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ).powf(n as f64 / BANDS as f64);
    let bands: Vec<_> = (0..BANDS).map(|band| bins(rate_hz, length, edge(band), edge(band + 1))).collect();
    let room = || Vec::with_capacity(mono.len().div_ceil(hop));
    let mut powers: Vec<Vec<f32>> = (0..BANDS).map(|_| room()).collect();
    let mut spectrum = PowerSpectrum::new(length);
    for start in (0..mono.len()).step_by(hop) {
        let moment = spectrum.of(mono.get(start..).unwrap_or_default());
        for (powers, bins) in powers.iter_mut().zip(&bands) {
            powers.push(moment.get(bins.clone()).unwrap_or_default().iter().sum());
        }
    }
    powers
}

/// What stands out of the second around it.
fn without_trend(strengths: &[f64]) -> Vec<f64> {
    let reach = RATE_HZ as usize / 2;
    let mut sums = Vec::with_capacity(strengths.len() + 1);
    sums.push(0.0);
    let mut sum = 0.0;
    for strength in strengths {
        sum += strength;
        sums.push(sum);
    }
    let sum_to = |at: usize| sums.get(at).copied().unwrap_or(sum);
    strengths
        .iter()
        .enumerate()
        .map(|(at, strength)| {
            let (from, to) = (at.saturating_sub(reach), (at + reach + 1).min(strengths.len()));
            let mean = (sum_to(to) - sum_to(from)) / (to - from).max(1) as f64;
            (strength - mean).max(0.0)
        })
        .collect()
}
