//! Peaks, clipping, and how left and right belong together.

use crate::audio::{Audio, amplitude_db};

/// From here on a sample counts as full.
const FULL_SCALE: f32 = 0.999_9;
/// Full samples in a row that are clipping: one alone may be a peak that just fits.
const RUN_THAT_CLIPS: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// The largest sample of both channels; `None` where all are zero.
    pub sample_peak_dbfs: Option<f64>,
    /// Both channels' power together.
    pub rms_dbfs: Option<f64>,
    /// Stretches in which a channel stands at full scale.
    pub clipped_stretches: u32,
    /// When the first one begins.
    pub first_clipped_s: Option<f64>,
    /// -1 (each the other's opposite) to 1 (mono); `None` where a channel is silent.
    pub correlation: Option<f64>,
    /// How much louder the right channel is than the left; `None` where one is silent.
    pub right_over_left_db: Option<f64>,
}

pub fn measure(audio: &Audio) -> Levels {
    let (mut peak, mut left_power, mut right_power, mut product) = (0.0_f32, 0.0, 0.0, 0.0);
    for (left, right) in audio.pairs() {
        peak = peak.max(left.abs()).max(right.abs());
        let (left, right) = (f64::from(left), f64::from(right));
        left_power += left * left;
        right_power += right * right;
        product += left * right;
    }
    let both = left_power > 0.0 && right_power > 0.0;
    let (stretches, first) = clipping(audio);
    let frames = audio.frames().max(1) as f64;
    Levels {
        sample_peak_dbfs: amplitude_db(peak.into()),
        rms_dbfs: amplitude_db(((left_power + right_power) / (2.0 * frames)).sqrt()),
        clipped_stretches: stretches,
        first_clipped_s: first.map(|frame| frame as f64 / audio.rate_hz),
        correlation: both.then(|| product / (left_power * right_power).sqrt()),
        right_over_left_db: both.then(|| 10.0 * (right_power / left_power).log10()),
    }
}

/// How many stretches of full samples there are, and the frame at which the first begins.
fn clipping(audio: &Audio) -> (u32, Option<usize>) {
    let (mut stretches, mut first) = (0, None);
    for channel in [audio.left, audio.right] {
        let mut run = 0;
        for (frame, sample) in channel.iter().take(audio.frames()).enumerate() {
            run = if sample.abs() >= FULL_SCALE { run + 1 } else { 0 };
            if run == RUN_THAT_CLIPS {
                stretches += 1;
                let begin = frame + 1 - RUN_THAT_CLIPS as usize;
                first = Some(first.map_or(begin, |first: usize| first.min(begin)));
            }
        }
    }
    (stretches, first)
}
