//! Clicks: single moments that the sound around them does not lead to.
//!
//! Sound is predictable over a few samples; a cut is not. What a linear prediction cannot explain is compared with what
//! it usually cannot explain nearby. The beginning of a drum is no click: it stays unpredictable for a while.

use std::ops::Range;

const ORDER: usize = 24;
const BLOCK: usize = 2_048;
/// Times what is usual in the block.
const THRESHOLD: f64 = 14.0;
/// An unexplained jump below is not heard.
const LOWEST_AMPLITUDE: f64 = 0.004;
/// How long a click lasts at most, and how long around it has to be calm.
const CLICK_S: f64 = 0.000_3;
const CALM_S: f64 = 0.004;
/// Share of what is unexplained around it that a click makes up.
const SHARE: f64 = 0.7;
/// Clicks nearer than this are one.
const APART_S: f64 = 0.02;

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
            clicks.look(self.rate_hz, BLOCK / 2);
        }
    }

    /// The times of the clicks in seconds, in order; of both channels together.
    pub fn finish(self) -> Vec<f64> {
        let mut times = Vec::new();
        for mut clicks in self.channels {
            clicks.look(self.rate_hz, 0);
            times.extend(clicks.found.iter().map(|frame| *frame as f64 / self.rate_hz));
        }
        times.sort_by(f64::total_cmp);
        times.dedup_by(|later, earlier| *later - *earlier < APART_S);
        times
    }
}

#[derive(Default)]
struct ChannelClicks {
    /// From half a block before what was not looked at yet.
    kept: Vec<f32>,
    /// The frame that `kept` begins with.
    first: usize,
    /// Frames of `kept` that were looked at.
    looked: usize,
    found: Vec<usize>,
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
            let around = self.kept.get(..(end + BLOCK / 2).min(self.kept.len())).unwrap_or_default();
            let clicks = clicks_of(around, self.looked..end, rate_hz);
            self.found.extend(clicks.into_iter().map(|at| self.first + at));
            let done = end.saturating_sub(BLOCK / 2);
            self.kept.drain(..done);
            (self.first, self.looked) = (self.first + done, end - done);
        }
    }
}

fn clicks_of(block: &[f32], frames: Range<usize>, rate_hz: f64) -> Vec<usize> {
    let block: Vec<f64> = block.iter().copied().map(f64::from).collect();
    let Some(coefficients) = prediction(&block) else { return Vec::new() };
    let unexplained = unexplained(&block, &coefficients);
    let mut sizes: Vec<f64> = unexplained.iter().map(|e| e.abs()).collect();
    let middle = sizes.len() / 2;
    let usual = if sizes.is_empty() { 0.0 } else { *sizes.select_nth_unstable_by(middle, f64::total_cmp).1 / 0.674_5 };
    let limit = (THRESHOLD * usual).max(LOWEST_AMPLITUDE);
    let (short, calm) = ((CLICK_S * rate_hz).ceil() as usize, (CALM_S * rate_hz) as usize);
    let energy = |from: usize, to: usize| -> f64 {
        let to = to.min(unexplained.len());
        unexplained.get(from.min(to)..to).unwrap_or_default().iter().map(|e| e * e).sum()
    };
    frames
        .filter(|at| unexplained.get(*at).is_some_and(|e| e.abs() > limit))
        .filter(|at| {
            let near = energy(at.saturating_sub(short), at + ORDER.max(short));
            near > SHARE * energy(at.saturating_sub(calm), at + calm)
        })
        .collect()
}

/// What the samples before do not lead to; 0 where there are too few of them.
fn unexplained(block: &[f64], coefficients: &[f64; ORDER]) -> Vec<f64> {
    let mut expected = vec![0.0; block.len()];
    // One coefficient after the other, so that many samples are worked on at once.
    for (before, coefficient) in coefficients.iter().enumerate() {
        let past = block.get(ORDER - 1 - before..).unwrap_or_default();
        let sums = expected.get_mut(ORDER..).unwrap_or_default();
        sums.iter_mut().zip(past).for_each(|(sum, past)| *sum += past * coefficient);
    }
    let mut unexplained: Vec<f64> = block.iter().zip(expected).map(|(sample, expected)| sample - expected).collect();
    unexplained.iter_mut().take(ORDER).for_each(|e| *e = 0.0);
    unexplained
}

/// How alike the block is to itself, by how much later.
fn likeness(block: &[f64]) -> [f64; ORDER + 1] {
    let mut sums = [0.0; ORDER + 1];
    for (at, sample) in block.iter().enumerate() {
        // As many as there are, most often all: then many at once.
        let later = block.get(at..).unwrap_or_default();
        match later.first_chunk::<{ ORDER + 1 }>() {
            Some(later) => sums.iter_mut().zip(later).for_each(|(sum, later)| *sum += sample * later),
            None => sums.iter_mut().zip(later).for_each(|(sum, later)| *sum += sample * later),
        }
    }
    sums
}

/// Coefficients that predict a sample from those before it, the nearest first (Levinson and Durbin). `None` for
/// silence.
fn prediction(block: &[f64]) -> Option<[f64; ORDER]> {
    let r = likeness(block);
    let whole = *r.first()?;
    if whole <= 1e-9 {
        return None;
    }
    let mut a = [0.0; ORDER];
    // A little noise, so that a pure tone has a prediction too.
    let mut error = whole * (1.0 + 1e-9);
    for i in 0..ORDER {
        let reach: f64 = (0..i).filter_map(|j| Some(a.get(j)? * r.get(i - j)?)).sum();
        let k = (r.get(i + 1)? - reach) / error;
        let before = a;
        for (j, value) in a.iter_mut().enumerate().take(i) {
            *value -= k * before.get(i - 1 - j)?;
        }
        *a.get_mut(i)? = k;
        error *= 1.0 - k * k;
        if error <= 0.0 {
            break;
        }
    }
    Some(a)
}
