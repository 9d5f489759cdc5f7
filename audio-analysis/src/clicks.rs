//! Clicks: single moments that the sound around them does not lead to.
//!
//! Sound is predictable over a few samples; a cut is not. What a linear prediction cannot explain is compared with what
//! it usually cannot explain nearby. The beginning of a drum is no click: it stays unpredictable for a while. Nor is the
//! edge of a low wave, which comes again with each period, nor a note that begins no steeper than it goes on. All is
//! held against the sound itself, so that how loud it is changes nothing (docs/decisions.md, D235).

use crate::prediction::{ORDER, prediction, unexplained};
use crate::spectrum::{PowerSpectrum, bins};
use std::ops::Range;

const BLOCK: usize = 2_048;
/// Times what is usual in the block.
const THRESHOLD: f64 = 14.0;
/// An unexplained jump below such a part of the largest sample around it is not heard, nor one below such a part of the
/// largest of all.
const LOWEST_PART: f64 = 0.008;
const LOWEST_PART_OF_ALL: f64 = 0.001;
/// From such a part of the largest sample around it on it is heard in any sound; below only where the sound itself is
/// nowhere near as steep.
const LOUD_PART: f64 = 0.1;
/// How long a click lasts at most, and how long around it has to be calm.
const CLICK_S: f64 = 0.000_3;
const CALM_S: f64 = 0.004;
/// Share of what is unexplained around it that a click makes up.
const SHARE: f64 = 0.7;
/// Clicks nearer than this are one.
const APART_S: f64 = 0.02;
/// How far around it a click has to stand out: a period of the lowest note there is.
const SURROUNDING_S: f64 = 0.125;
/// What comes again is of such a part of its height at least, and stands out so far of what is next to it.
const ALIKE: f64 = 0.4;
const ALIKE_SHARE: f64 = 0.4;
/// So many alike around it make it the edge of a wave. A gap has two ends.
const RETURNS: usize = 2;
/// What is compared before and after, to tell whether something begins.
const BEGINNING_S: f64 = 0.02;
/// A band is risen by so many times its power, and by such a part of the whole.
const RISE: f32 = 4.0;
const RISEN_PART: f32 = 1e-3;
/// A beginning is so much steeper than what follows at most.
const STEEPER: f32 = 2.0;
/// A cut is such a part of all that the sound moves by, from so many frames before it to so many behind it.
const SUDDEN: f32 = 0.5;
const SUDDEN_FRAMES: usize = 6;
/// What is left of a sound's power where it stops.
const FALLEN: f32 = 0.01;
/// The bands of a beginning, from one edge up to the next.
const BAND_EDGES_HZ: [f64; 9] = [60.0, 120.0, 250.0, 500.0, 1_000.0, 2_000.0, 4_000.0, 8_000.0, 16_000.0];

/// Finds the clicks of a signal that comes in pieces.
pub struct ClickFinder {
    rate_hz: f64,
    channels: [ChannelClicks; 2],
}

impl ClickFinder {
    pub fn new(rate_hz: f64) -> ClickFinder {
        ClickFinder { rate_hz, channels: Default::default() }
    }

    pub fn push(&mut self, left: &[f32], right: &[f32]) {
        for (clicks, piece) in self.channels.iter_mut().zip([left, right]) {
            clicks.kept.extend_from_slice(piece);
            clicks.look(self.rate_hz, surrounding(self.rate_hz));
        }
    }

    /// The times of the clicks in seconds, in order; of both channels together.
    pub fn finish(self) -> Vec<f64> {
        let ClickFinder { rate_hz, mut channels } = self;
        channels.iter_mut().for_each(|clicks| clicks.look(rate_hz, 0));
        let lowest = LOWEST_PART_OF_ALL * channels.iter().fold(0.0, |top, clicks| clicks.peak.max(top));
        let found = channels.iter().flat_map(|clicks| &clicks.found).filter(|click| click.size > lowest);
        let mut times: Vec<f64> = found.map(|click| click.at as f64 / rate_hz).collect();
        times.sort_by(f64::total_cmp);
        times.dedup_by(|later, earlier| *later - *earlier < APART_S);
        times
    }
}

/// Frames that are known before and after what is looked at.
fn surrounding(rate_hz: f64) -> usize {
    frames(SURROUNDING_S, rate_hz).max(BLOCK / 2)
}

fn frames(seconds: f64, rate_hz: f64) -> usize {
    (seconds * rate_hz).ceil() as usize
}

#[derive(Default)]
struct ChannelClicks {
    /// From so much before what was not looked at yet as surrounds it.
    kept: Vec<f32>,
    /// The frame that `kept` begins with.
    first: usize,
    /// Frames of `kept` that were looked at.
    looked: usize,
    found: Vec<Click>,
    /// The largest sample so far.
    peak: f64,
}

#[derive(Clone, Copy)]
struct Click {
    /// Its frame.
    at: usize,
    /// What of it is unexplained.
    size: f64,
}

impl ChannelClicks {
    /// Looks at block after block, as long as so much is known of what follows: the beginning of a sound at a block's
    /// end is known by that.
    fn look(&mut self, rate_hz: f64, follows: usize) {
        loop {
            let left = self.kept.len().saturating_sub(self.looked + follows);
            let end = self.looked + left.min(BLOCK);
            if left == 0 || (follows > 0 && left < BLOCK) {
                return;
            }
            let around = self.kept.get(..(end + surrounding(rate_hz)).min(self.kept.len())).unwrap_or_default();
            let clicks = clicks_of(around, self.looked..end, rate_hz);
            self.found.extend(clicks.into_iter().map(|click| Click { at: self.first + click.at, ..click }));
            self.peak = self.peak.max(largest(around.get(self.looked..).unwrap_or_default()));
            let done = end.saturating_sub(surrounding(rate_hz));
            self.kept.drain(..done);
            (self.first, self.looked) = (self.first + done, end - done);
        }
    }
}

fn largest(samples: &[f32]) -> f64 {
    samples.iter().fold(0.0_f32, |top, sample| top.max(sample.abs())).into()
}

fn clicks_of(known: &[f32], looked: Range<usize>, rate_hz: f64) -> Vec<Click> {
    let near = looked.start.saturating_sub(BLOCK / 2)..(looked.end + BLOCK / 2).min(known.len());
    let block: Vec<f64> = known.get(near.clone()).unwrap_or_default().iter().copied().map(f64::from).collect();
    let Some(coefficients) = prediction(&block) else { return Vec::new() };
    let of_block = Unexplained::of(&block, &coefficients, rate_hz);
    let limit = THRESHOLD * of_block.usual();
    let standing_out: Vec<Click> = (looked.start - near.start..looked.end - near.start)
        .filter(|at| of_block.size(*at) > limit && of_block.share(*at) > SHARE)
        .map(|at| Click { at: near.start + at, size: of_block.size(at) })
        .filter(|click| is_loud(known, click, rate_hz))
        .collect();
    if standing_out.is_empty() {
        return Vec::new();
    }
    // Rare enough to look at all that surrounds it.
    let known_f64: Vec<f64> = known.iter().copied().map(f64::from).collect();
    let of_all = Unexplained::of(&known_f64, &coefficients, rate_hz);
    let is_alone = |click: &Click| !of_all.comes_again(click.at) && !begins(known, click.at, rate_hz);
    standing_out.into_iter().filter(is_alone).collect()
}

/// What the samples before do not lead to.
struct Unexplained {
    values: Vec<f64>,
    rate_hz: f64,
}

impl Unexplained {
    fn of(block: &[f64], coefficients: &[f64; ORDER], rate_hz: f64) -> Unexplained {
        Unexplained { values: unexplained(block, coefficients), rate_hz }
    }

    fn size(&self, at: usize) -> f64 {
        self.values.get(at).map_or(0.0, |value| value.abs())
    }

    /// Of most samples.
    fn usual(&self) -> f64 {
        let mut sizes: Vec<f64> = self.values.iter().map(|value| value.abs()).collect();
        let middle = sizes.len() / 2;
        if sizes.is_empty() { 0.0 } else { *sizes.select_nth_unstable_by(middle, f64::total_cmp).1 / 0.674_5 }
    }

    fn between(&self, from: usize, to: usize) -> &[f64] {
        let to = to.min(self.values.len());
        self.values.get(from.min(to)..to).unwrap_or_default()
    }

    /// How much of what is unexplained around it lies here, 0 to 1.
    fn share(&self, at: usize) -> f64 {
        let energy = |from: usize, to: usize| -> f64 { self.between(from, to).iter().map(|e| e * e).sum() };
        let (short, calm) = (frames(CLICK_S, self.rate_hz), (CALM_S * self.rate_hz) as usize);
        let around = energy(at.saturating_sub(calm), at + calm);
        if around > 0.0 { energy(at.saturating_sub(short), at + ORDER.max(short)) / around } else { 0.0 }
    }

    /// Whether others like it stand out before or after: then it belongs to a wave.
    fn comes_again(&self, at: usize) -> bool {
        let (short, calm) = (frames(CLICK_S, self.rate_hz), frames(CALM_S, self.rate_hz));
        let reach = frames(SURROUNDING_S, self.rate_hz);
        let peak = |from: usize, to: usize| self.between(from, to).iter().fold(0.0_f64, |top, e| top.max(e.abs()));
        let least = ALIKE * peak(at.saturating_sub(short), at + ORDER.max(short));
        let (mut returns, mut other) = (0, at.saturating_sub(reach));
        let end = (at + reach).min(self.values.len());
        while other < end {
            if self.size(other) >= least && other.abs_diff(at) > calm && self.share(other) >= ALIKE_SHARE {
                returns += 1;
                other += calm;
            }
            other += 1;
        }
        returns >= RETURNS
    }
}

/// Whether it is heard beside the sound around it.
fn is_loud(known: &[f32], click: &Click, rate_hz: f64) -> bool {
    let (short, reach) = (frames(CLICK_S, rate_hz).max(ORDER), frames(SURROUNDING_S, rate_hz));
    let (from, to) = (click.at.saturating_sub(reach), (click.at + reach).min(known.len()));
    let of = |from: usize, to: usize| known.get(from..to.max(from)).unwrap_or_default();
    let part = click.size / largest(of(from, to)).max(f64::MIN_POSITIVE);
    if !(LOWEST_PART..LOUD_PART).contains(&part) {
        return part >= LOUD_PART;
    }
    let (before, behind) = (click.at.saturating_sub(short), (click.at + short).min(to));
    let own = steepest(of(from, before)).max(steepest(of(behind, to)));
    steepest(of(before, behind)) > STEEPER * own
}

/// The largest difference of two samples in a row.
fn steepest(samples: &[f32]) -> f32 {
    samples
        .windows(2)
        .fold(0.0, |top, pair| if let [before, here] = pair { top.max((here - before).abs()) } else { top })
}

/// Whether the steepest step there is most of what the sound moves by around it. Through a filter it takes longer.
fn is_sudden(known: &[f32], range: Range<usize>) -> bool {
    let step = |at: &usize| known.get(*at..at + 2).map_or(0.0, steepest);
    let Some(at) = range.max_by(|a, b| step(a).total_cmp(&step(b))) else { return false };
    let near = known.get(at.saturating_sub(SUDDEN_FRAMES)..(at + 2 + SUDDEN_FRAMES).min(known.len()));
    let (low, high) =
        near.unwrap_or_default().iter().fold((f32::MAX, f32::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
    step(&at) > SUDDEN * (high - low)
}

/// Whether a sound begins here that goes on as steeply as it begins. A step is steeper than all that follows.
fn begins(known: &[f32], at: usize, rate_hz: f64) -> bool {
    let (short, length) = (frames(CLICK_S, rate_hz).max(ORDER), frames(BEGINNING_S, rate_hz));
    let step = |pair: &[f32]| if let [before, here] = pair { here - before } else { 0.0 };
    let steps: Vec<f32> = known.windows(2).map(step).collect();
    let of = |from: usize, to: usize| steps.get(from.min(steps.len())..to.min(steps.len())).unwrap_or_default();
    let steepest = |steps: &[f32]| steps.iter().fold(0.0_f32, |top, step| top.max(step.abs()));
    let here = steepest(of(at.saturating_sub(short), at + short));
    let later = steepest(of(at + short, at + frames(SURROUNDING_S, rate_hz)));
    if here > STEEPER * later && is_sudden(known, at.saturating_sub(short)..at + short) {
        return false;
    }
    // A gap ends what sounds, whatever follows it.
    let calm = frames(CALM_S, rate_hz);
    let energy = |steps: &[f32]| steps.iter().map(|step| step * step).sum::<f32>();
    let was = energy(of(at.saturating_sub(short + calm), at.saturating_sub(short)));
    if energy(of(at + short, at + short + calm)) < FALLEN * was {
        return false;
    }
    let mut spectrum = PowerSpectrum::new(length);
    let mut powers = |steps: &[f32]| -> Vec<f32> {
        let powers = spectrum.of(steps);
        let band = |edges: &[f64]| match edges {
            [from, to] => powers.get(bins(rate_hz, length, *from, *to)).unwrap_or_default().iter().sum(),
            _ => 0.0,
        };
        BAND_EDGES_HZ.windows(2).map(band).collect()
    };
    let before = powers(of(at.saturating_sub(short + length), at.saturating_sub(short)));
    let after = powers(of(at + short, at + short + length));
    let whole: f32 = after.iter().sum();
    before.iter().zip(&after).any(|(before, after)| *after > RISE * before + RISEN_PART * whole)
}
