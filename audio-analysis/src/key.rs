//! The key that is heard: which of the 24 major and minor keys the pitches are most like.

use crate::spectrum::Spectrogram;
use std::ops::Range;

/// How often each degree of a key is played in it (counted by Albrecht and Shanahan, 2013).
const MAJOR: [f64; 12] = [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.080, 0.008, 0.081];
const MINOR: [f64; 12] = [0.220, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052];
/// Music tends to begin at home, and the bass says where: what the share of a tonic in the bass of the beginning adds.
const HOME_WEIGHT: f64 = 0.12;
/// A key and its relative have the same notes: where the bass begins on the tonic of one with more of its sound than
/// this, and not on the other's, that one is heard.
const AT_HOME: f64 = 0.4;
/// So is any key whose pitches fit nearly as well as those of the best, with less than this between the two.
const NEARLY: f64 = 0.1;
const BEGINNING_S: f64 = 1.0;
const HIGHEST_BASS_HZ: f64 = 260.0;
/// Pitches that are listened to: from the low bass to where overtones outweigh.
const LOWEST_HZ: f64 = 40.0;
const HIGHEST_HZ: f64 = 2_000.0;
const A4_HZ: f64 = 440.0;
/// A peak that far below the loudest of its moment is an overtone or noise.
const FLOOR: f32 = 1e-4;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// 0 (C) to 11 (B).
    pub tonic: u8,
    pub is_minor: bool,
    /// 0 to 1: how far it is ahead of the next key.
    pub confidence: f64,
}

/// `None` where there are no pitches.
pub fn hear(mono: &[f32], rate_hz: f64) -> Option<Key> {
    let chroma = chroma(mono, rate_hz, LOWEST_HZ..HIGHEST_HZ)?;
    let home = home(mono, rate_hz);
    let mut keys: Vec<(f64, u8, bool)> = Vec::with_capacity(24);
    for (profile, is_minor) in [(MAJOR, false), (MINOR, true)] {
        for tonic in 0..12_u8 {
            let mut rotated = chroma;
            rotated.rotate_left(tonic.into());
            let home = home.get(usize::from(tonic)).copied().unwrap_or_default();
            keys.push((correlation(&rotated, &profile) + HOME_WEIGHT * home, tonic, is_minor));
        }
    }
    keys.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (Some(first), Some(second)) = (keys.first(), keys.get(1)) else { return None };
    let confidence = (4.0 * (first.0 - second.0)).clamp(0.0, 1.0);
    let &(_, tonic, is_minor) = at_home(&keys, &home).unwrap_or(first);
    (first.0 > 0.3).then_some(Key { tonic, is_minor, confidence })
}

/// The first of the keys, best first, that has nearly the best's notes and where the sound begins, unless it begins on
/// the best's.
fn at_home<'a>(keys: &'a [(f64, u8, bool)], home: &[f64; 12]) -> Option<&'a (f64, u8, bool)> {
    let share = |tonic: u8| home.get(usize::from(tonic)).copied().unwrap_or_default();
    let &(score, tonic, is_minor) = keys.first()?;
    let relative = ((tonic + if is_minor { 3 } else { 9 }) % 12, !is_minor);
    let begins = |other: u8| share(other) > AT_HOME && share(other) > 2.0 * share(tonic);
    keys.iter().find(|key| begins(key.1) && (score - key.0 < NEARLY || (key.1, key.2) == relative))
}

/// How much of each pitch class is in the bass where the sound begins; zeros where there is none.
fn home(mono: &[f32], rate_hz: f64) -> [f64; 12] {
    let begin = mono.iter().position(|x| x.abs() > 0.01).unwrap_or_default();
    let end = (begin + (BEGINNING_S * rate_hz) as usize).min(mono.len());
    let beginning = mono.get(begin..end).unwrap_or_default();
    chroma(beginning, rate_hz, LOWEST_HZ..HIGHEST_BASS_HZ).unwrap_or_default()
}

/// How much of each pitch class there is between two frequencies, C first; of the sum 1.
fn chroma(mono: &[f32], rate_hz: f64, range_hz: Range<f64>) -> Option<[f64; 12]> {
    let length = ((rate_hz * 0.35) as usize).next_power_of_two();
    let spectrogram = Spectrogram::of(mono, rate_hz, length, length / 4);
    let bins = spectrogram.bins_of(range_hz.start, range_hz.end);
    let mut chroma = [0.0; 12];
    for moment in spectrogram.moments() {
        let loudest = bins.clone().filter_map(|bin| moment.get(bin)).copied().fold(0.0_f32, f32::max);
        if loudest < 1e-9 {
            continue;
        }
        for bin in bins.clone() {
            let (Some(before), Some(here), Some(after)) =
                (bin.checked_sub(1).and_then(|bin| moment.get(bin)), moment.get(bin), moment.get(bin + 1))
            else {
                continue;
            };
            if here < before || here <= after || *here < loudest * FLOOR {
                continue;
            }
            let log = |power: &f32| f64::from(power.max(1e-20)).ln();
            let bend = log(before) - 2.0 * log(here) + log(after);
            let part = if bend < 0.0 { 0.5 * (log(before) - log(after)) / bend } else { 0.0 };
            let hz = (bin as f64 + part) * spectrogram.bin_hz;
            let pitch = 69.0 + 12.0 * (hz / A4_HZ).log2();
            // Between two semitones nothing is told; high pitches are more often overtones.
            let off = (pitch - pitch.round()).abs();
            let weight = (1.0 - 2.0 * off).max(0.0) * (LOWEST_HZ * 4.0 / (hz + LOWEST_HZ * 4.0)).sqrt();
            let class = (pitch.round() as i64).rem_euclid(12) as usize;
            if let Some(sum) = chroma.get_mut(class) {
                *sum += f64::from(*here).sqrt() * weight;
            }
        }
    }
    let whole: f64 = chroma.iter().sum();
    (whole > 0.0).then(|| chroma.map(|sum| sum / whole))
}

fn correlation(a: &[f64; 12], b: &[f64; 12]) -> f64 {
    let mean = |values: &[f64; 12]| values.iter().sum::<f64>() / 12.0;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut product, mut power_a, mut power_b) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (a - mean_a, b - mean_b);
        product += a * b;
        power_a += a * a;
        power_b += b * b;
    }
    product / (power_a * power_b).sqrt().max(f64::MIN_POSITIVE)
}
