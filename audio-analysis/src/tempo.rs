//! The tempo that is heard: how far onsets are apart that come again and again.

use crate::onsets::{RATE_HZ, strength};

/// What a beat may be.
const SLOWEST_BPM: f64 = 50.0;
const FASTEST_BPM: f64 = 220.0;
/// People tap along most readily around here; among tempos that fit as well as each other, the nearer one is heard.
const PREFERRED_BPM: f64 = 116.0;
const PREFERENCE_OCTAVES: f64 = 0.55;
/// Beats, halves and whole bars that have to agree with a tempo.
const MULTIPLES: [(f64, f64); 4] = [(1.0, 1.0), (2.0, 0.8), (4.0, 0.8), (8.0, 0.4)];
/// Shorter pieces have no tempo.
const SHORTEST_S: f64 = 3.0;

/// A moment with such a strength is an onset: noise and beating partials stay below.
const ONSET: f64 = 60.0;
const ONSETS_APART_S: f64 = 0.08;
/// Fewer make no rhythm.
const LEAST_ONSETS: usize = 5;
/// How much more alike the beats are than any two moments, where 1 is the same.
const LEAST_BEYOND_CHANCE: f64 = 0.1;
/// How sure it is at most without a rhythm.
const GUESSED: f64 = 0.1;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tempo {
    pub bpm: f64,
    /// 0 (guessed) to 1 (every bar is like the one before).
    pub confidence: f64,
}

/// `None` where nothing begins; a guess with little confidence where there is no rhythm. What sounds as well at half or
/// twice the tempo is heard nearest to 116.
pub fn hear(mono: &[f32], rate_hz: f64) -> Option<Tempo> {
    if (mono.len() as f64) < SHORTEST_S * rate_hz {
        return None;
    }
    let strengths = strength(mono, rate_hz);
    let likeness = Likeness::of(&strengths)?;
    let mut best: Option<(f64, f64)> = None;
    let steps = (240.0 * (FASTEST_BPM / SLOWEST_BPM).log2()) as usize;
    for step in 0..=steps {
        let bpm = SLOWEST_BPM * 2.0_f64.powf(step as f64 / 240.0);
        let octaves = (bpm / PREFERRED_BPM).log2() / PREFERENCE_OCTAVES;
        let score = likeness.of_tempo(bpm) * (-0.5 * octaves * octaves).exp();
        if best.is_none_or(|(_, highest)| score > highest) {
            best = Some((bpm, score));
        }
    }
    let (bpm, _) = best?;
    let bpm = likeness.refined(bpm);
    let confidence = likeness.at(60.0 / bpm * RATE_HZ).clamp(0.0, 1.0);
    // Whatever begins seldom, or by chance, is like itself later at some distance.
    let is_rhythm = likeness.onsets >= LEAST_ONSETS && likeness.beyond_chance(bpm) >= LEAST_BEYOND_CHANCE;
    let confidence = if is_rhythm { confidence } else { confidence.min(GUESSED) };
    (confidence > 0.05).then_some(Tempo { bpm, confidence })
}

/// How alike onsets are to themselves some moments later.
struct Likeness {
    /// By moments; at 0 it is 1.
    by_lag: Vec<f64>,
    /// Of any two moments.
    by_chance: f64,
    onsets: usize,
}

impl Likeness {
    fn of(strengths: &[f64]) -> Option<Likeness> {
        let whole: f64 = strengths.iter().map(|s| s * s).sum();
        if whole <= 0.0 {
            return None;
        }
        let longest = ((8.5 * 60.0 / SLOWEST_BPM * RATE_HZ) as usize).min(strengths.len() * 3 / 4);
        let smooth = smoothed(strengths);
        let energy: f64 = smooth.iter().map(|s| s * s).sum();
        let by_lag = (0..longest)
            .map(|lag| {
                let later = smooth.get(lag..).unwrap_or_default();
                let product: f64 = smooth.iter().zip(later).map(|(a, b)| a * b).sum();
                // Less of the piece is left to compare with; it counts as if it went on.
                product / energy * (smooth.len() as f64 / later.len().max(1) as f64)
            })
            .collect();
        let sum: f64 = smooth.iter().sum();
        Some(Likeness { by_lag, by_chance: sum * sum / (energy * smooth.len() as f64), onsets: onsets(&smooth) })
    }

    /// Between moments as on a line.
    fn at(&self, lag: f64) -> f64 {
        let below = lag.floor() as usize;
        let value = |at: usize| self.by_lag.get(at).copied();
        let (Some(a), Some(b)) = (value(below), value(below + 1)) else { return 0.0 };
        a + (b - a) * (lag - below as f64)
    }

    fn beyond_chance(&self, bpm: f64) -> f64 {
        let left = 1.0 - self.by_chance;
        if left > 0.0 { (self.at(60.0 / bpm * RATE_HZ) - self.by_chance) / left } else { 0.0 }
    }

    fn of_tempo(&self, bpm: f64) -> f64 {
        let beat = 60.0 / bpm * RATE_HZ;
        let (mut sum, mut weights) = (0.0, 0.0);
        for (multiple, weight) in MULTIPLES {
            if ((beat * multiple) as usize) + 1 < self.by_lag.len() {
                sum += weight * self.at(beat * multiple);
                weights += weight;
            }
        }
        sum / f64::max(weights, 1.0)
    }

    /// By the longest multiple that is there: a moment too much or too little matters less over many beats.
    fn refined(&self, bpm: f64) -> f64 {
        let mut bpm = bpm;
        for multiple in [1.0, 2.0, 4.0, 8.0] {
            let around = 60.0 / bpm * RATE_HZ * multiple;
            let reach = (around * 0.015).max(2.0);
            let (from, to) = ((around - reach).floor() as usize, (around + reach).ceil() as usize);
            if to + 1 >= self.by_lag.len() || from == 0 {
                break;
            }
            let value = |at: usize| self.by_lag.get(at).copied().unwrap_or_default();
            let Some(top) = (from..=to).max_by(|a, b| value(*a).total_cmp(&value(*b))) else { break };
            let (before, here, after) = (value(top - 1), value(top), value(top + 1));
            let bend = before - 2.0 * here + after;
            let part = if bend < 0.0 { 0.5 * (before - after) / bend } else { 0.0 };
            if value(top) > 0.0 && part.abs() <= 1.0 {
                bpm = 60.0 * RATE_HZ * multiple / (top as f64 + part);
            }
        }
        bpm
    }
}

/// How many moments stand out of those next to them.
fn onsets(strengths: &[f64]) -> usize {
    let apart = (ONSETS_APART_S * RATE_HZ) as usize;
    let mut count = 0;
    let mut last = None;
    for (at, strength) in strengths.iter().enumerate().filter(|(_, strength)| **strength >= ONSET) {
        let around = strengths.get(at.saturating_sub(apart)..(at + apart + 1).min(strengths.len()));
        let is_top = around.unwrap_or_default().iter().all(|other| other <= strength);
        // Of a flat top, the first.
        if is_top && last.is_none_or(|last| at - last > apart) {
            count += 1;
            last = Some(at);
        }
    }
    count
}

/// Over 25 ms, so that players and grids that are a little apart agree.
fn smoothed(strengths: &[f64]) -> Vec<f64> {
    const WEIGHTS: [f64; 5] = [0.1, 0.25, 0.3, 0.25, 0.1];
    (0..strengths.len())
        .map(|at| {
            let weighted = WEIGHTS.iter().enumerate().map(|(n, weight)| {
                (at + n).checked_sub(2).and_then(|at| strengths.get(at)).copied().unwrap_or_default() * weight
            });
            weighted.sum()
        })
        .collect()
}
