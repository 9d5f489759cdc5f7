//! Peaks, clipping, and how left and right belong together.

use crate::decibels::amplitude_db;

/// From here on a sample counts as full.
const FULL_SCALE: f32 = 0.999_9;
/// Full samples in a row that are clipping: one alone may be a peak that just fits.
const RUN_THAT_CLIPS: u64 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// The largest sample of both channels; `None` where all are zero.
    pub sample_peak_dbfs: Option<f64>,
    /// Both channels' power together.
    pub rms_dbfs: Option<f64>,
    /// Stretches in which a channel stands at full scale.
    pub clipped_stretches: u64,
    /// When the first one begins.
    pub first_clipped_s: Option<f64>,
    /// -1 (each the other's opposite) to 1 (mono); `None` where a channel is silent.
    pub correlation: Option<f64>,
    /// How much louder the right channel is than the left; `None` where one is silent.
    pub right_over_left_db: Option<f64>,
    /// The side that sounds where the other one is silent.
    pub only_side: Option<Side>,
}

/// Finds the levels of a signal that comes in pieces.
pub struct LevelMeter {
    rate_hz: f64,
    frames: u64,
    peak: f32,
    left_power: f64,
    right_power: f64,
    product: f64,
    /// Full samples in a row, by channel.
    runs: [u64; 2],
    clipped_stretches: u64,
    first_clipped: Option<u64>,
}

impl LevelMeter {
    pub fn new(rate_hz: f64) -> LevelMeter {
        LevelMeter {
            rate_hz,
            frames: 0,
            peak: 0.0,
            left_power: 0.0,
            right_power: 0.0,
            product: 0.0,
            runs: [0; 2],
            clipped_stretches: 0,
            first_clipped: None,
        }
    }

    pub fn push(&mut self, left: &[f32], right: &[f32]) {
        for (left, right) in left.iter().zip(right) {
            self.frames += 1;
            self.peak = self.peak.max(left.abs()).max(right.abs());
            self.follow_clipping([*left, *right]);
            let (left, right) = (f64::from(*left), f64::from(*right));
            self.left_power += left * left;
            self.right_power += right * right;
            self.product += left * right;
        }
    }

    fn follow_clipping(&mut self, channels: [f32; 2]) {
        for (run, sample) in self.runs.iter_mut().zip(channels) {
            *run = if sample.abs() >= FULL_SCALE { *run + 1 } else { 0 };
            if *run == RUN_THAT_CLIPS {
                self.clipped_stretches += 1;
                self.first_clipped.get_or_insert(self.frames - RUN_THAT_CLIPS);
            }
        }
    }

    pub fn finish(self) -> Levels {
        let (left, right) = (self.left_power, self.right_power);
        let both = left > 0.0 && right > 0.0;
        let frames = self.frames.max(1) as f64;
        Levels {
            sample_peak_dbfs: amplitude_db(self.peak.into()),
            rms_dbfs: amplitude_db(((left + right) / (2.0 * frames)).sqrt()),
            clipped_stretches: self.clipped_stretches,
            first_clipped_s: self.first_clipped.map(|frame| frame as f64 / self.rate_hz),
            correlation: both.then(|| self.product / (left * right).sqrt()),
            right_over_left_db: both.then(|| 10.0 * (right / left).log10()),
            only_side: match (left > 0.0, right > 0.0) {
                (true, false) => Some(Side::Left),
                (false, true) => Some(Side::Right),
                _ => None,
            },
        }
    }
}
