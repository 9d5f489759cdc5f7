//! True peak: what lies between samples (ITU-R BS.1770). It is looked for only where it could be above what was found:
//! no value between samples is above the samples around it by more than the interpolation's gain, and most of a sound
//! is far below its peak. What is told is the same, bit for bit.

use ebur128::{EbuR128, Mode};

/// Frames that are decided on together.
const PIECE: usize = 128;
/// Frames that values between samples come from, and more than those.
const REACH: usize = 32;
/// The rate from which on the interpolation has half as many values between samples.
const FINE_RATE_HZ: f64 = 96_000.0;
/// The greatest sum of the interpolation's weights, without their signs, is 1.8642 and from that rate on 2.3069.
const MOST_GAIN: f64 = 1.87;
const MOST_GAIN_OF_FINE: f64 = 2.31;

/// Finds the true peak of a signal that comes in pieces.
pub struct TruePeakMeter {
    meter: EbuR128,
    most_gain: f64,
    /// The frames before the next piece, by channel, and whether the meter has had them.
    past: [[f32; REACH]; 2],
    is_current: bool,
    highest: f64,
}

impl TruePeakMeter {
    /// The error says why it cannot be measured: the sample rate.
    pub fn new(rate_hz: f64) -> Result<TruePeakMeter, ebur128::Error> {
        let meter = EbuR128::new(2, rate_hz as u32, Mode::TRUE_PEAK)?;
        let most_gain = if rate_hz < FINE_RATE_HZ { MOST_GAIN } else { MOST_GAIN_OF_FINE };
        Ok(TruePeakMeter { meter, most_gain, past: [[0.0; REACH]; 2], is_current: true, highest: 0.0 })
    }

    pub fn push(&mut self, left: &[f32], right: &[f32]) -> Result<(), ebur128::Error> {
        for (left, right) in left.chunks(PIECE).zip(right.chunks(PIECE)) {
            let around = [left, right, &self.past[0], &self.past[1]];
            let loudest = around.into_iter().flatten().fold(0.0_f32, |loudest, sample| loudest.max(sample.abs()));
            let could_be = f64::from(loudest) * self.most_gain > self.highest;
            if could_be {
                self.listen(left, right)?;
            }
            self.is_current = could_be;
            for (past, piece) in self.past.iter_mut().zip([left, right]) {
                keep_last(past, piece);
            }
        }
        Ok(())
    }

    fn listen(&mut self, left: &[f32], right: &[f32]) -> Result<(), ebur128::Error> {
        if !self.is_current {
            // What it tells of these is wrong, as it did not have those before them; it tells of each call by itself.
            self.meter.add_frames_planar_f32(&[&self.past[0], &self.past[1]])?;
        }
        self.meter.add_frames_planar_f32(&[left, right])?;
        self.highest = self.highest.max(self.meter.prev_true_peak(0)?).max(self.meter.prev_true_peak(1)?);
        Ok(())
    }

    /// Of both channels, as an amplitude.
    pub fn highest(&self) -> f64 {
        self.highest
    }
}

/// Keeps the last frames of what was kept and came.
fn keep_last(past: &mut [f32; REACH], piece: &[f32]) {
    let new = piece.len().min(REACH);
    past.rotate_left(new);
    let from = piece.len() - new;
    past.iter_mut().skip(REACH - new).zip(piece.iter().skip(from)).for_each(|(past, sample)| *past = *sample);
}
