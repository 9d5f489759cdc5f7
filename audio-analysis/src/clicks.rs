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
    let Some(coefficients) = prediction(block) else { return Vec::new() };
    let unexplained: Vec<f64> = (0..block.len())
        .map(|at| {
            let Some(past) = at.checked_sub(ORDER).and_then(|from| block.get(from..at)) else { return 0.0 };
            let expected: f64 = past.iter().rev().zip(&coefficients).map(|(x, c)| f64::from(*x) * c).sum();
            f64::from(block.get(at).copied().unwrap_or_default()) - expected
        })
        .collect();
    let mut sizes: Vec<f64> = unexplained.iter().map(|e| e.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let usual = sizes.get(sizes.len() / 2).copied().unwrap_or_default() / 0.674_5;
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

/// Coefficients that predict a sample from those before it, the nearest first (Levinson and Durbin). `None` for
/// silence.
fn prediction(block: &[f32]) -> Option<Vec<f64>> {
    let likeness = |lag: usize| -> f64 {
        let later = block.get(lag..).unwrap_or_default();
        block.iter().zip(later).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    let r: Vec<f64> = (0..=ORDER).map(likeness).collect();
    let whole = *r.first()?;
    if whole <= 1e-9 {
        return None;
    }
    let mut a = vec![0.0; ORDER];
    // A little noise, so that a pure tone has a prediction too.
    let mut error = whole * (1.0 + 1e-9);
    for i in 0..ORDER {
        let reach: f64 = (0..i).filter_map(|j| Some(a.get(j)? * r.get(i - j)?)).sum();
        let k = (r.get(i + 1)? - reach) / error;
        let before = a.clone();
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
