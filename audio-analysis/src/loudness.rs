//! Loudness and true peak (EBU R 128, ITU-R BS.1770).

use crate::decibels::amplitude_db;
use crate::true_peak::TruePeakMeter;
use ebur128::{EbuR128, Mode};

/// How often the momentary loudness is read.
const READS_A_SECOND: f64 = 10.0;
/// Nothing shorter has a loudness.
const SHORTEST_S: f64 = 0.4;
/// What is softer counts as silence.
const SILENCE_LUFS: f64 = -70.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loudness {
    /// Of the whole, gated; `None` where nothing is above -70 LUFS, or it lasts less than 0.4 s.
    pub integrated_lufs: Option<f64>,
    /// The loudest 0.4 s.
    pub momentary_max_lufs: Option<f64>,
    /// Between soft and loud parts, in LU.
    pub range_lu: Option<f64>,
    pub true_peak_dbtp: Option<f64>,
}

/// Finds the loudness of a signal that comes in pieces.
pub struct LoudnessMeter {
    meter: EbuR128,
    true_peak: TruePeakMeter,
    rate_hz: f64,
    frames: u64,
    /// Frames until the momentary loudness is read again.
    to_read: usize,
    momentary_max: f64,
}

impl LoudnessMeter {
    /// The error says why it cannot be measured: the sample rate.
    pub fn new(rate_hz: f64) -> Result<LoudnessMeter, String> {
        let meter = EbuR128::new(2, rate_hz as u32, Mode::I | Mode::LRA | Mode::HISTOGRAM).map_err(failed)?;
        Ok(LoudnessMeter {
            meter,
            true_peak: TruePeakMeter::new(rate_hz).map_err(failed)?,
            rate_hz,
            frames: 0,
            to_read: step(rate_hz),
            momentary_max: f64::NEG_INFINITY,
        })
    }

    pub fn push(&mut self, left: &[f32], right: &[f32]) -> Result<(), String> {
        self.true_peak.push(left, right).map_err(failed)?;
        let frames = left.len().min(right.len());
        let mut start = 0;
        while start < frames {
            let end = (start + self.to_read).min(frames);
            let (Some(left), Some(right)) = (left.get(start..end), right.get(start..end)) else { break };
            self.meter.add_frames_planar_f32(&[left, right]).map_err(failed)?;
            self.frames += (end - start) as u64;
            self.to_read -= end - start;
            if self.to_read == 0 {
                self.read()?;
            }
            start = end;
        }
        Ok(())
    }

    fn read(&mut self) -> Result<(), String> {
        self.to_read = step(self.rate_hz);
        self.momentary_max = self.momentary_max.max(self.meter.loudness_momentary().map_err(failed)?);
        Ok(())
    }

    pub fn finish(mut self) -> Result<Loudness, String> {
        self.read()?;
        let loud = |lufs: f64| Some(lufs).filter(|lufs| lufs.is_finite() && *lufs > SILENCE_LUFS);
        let lasts = self.frames as f64 >= SHORTEST_S * self.rate_hz;
        Ok(Loudness {
            integrated_lufs: loud(self.meter.loudness_global().map_err(failed)?).filter(|_| lasts),
            momentary_max_lufs: loud(self.momentary_max),
            range_lu: self.meter.loudness_range().ok().filter(|range| range.is_finite()),
            true_peak_dbtp: amplitude_db(self.true_peak.highest()),
        })
    }
}

/// Finds only how loud a whole sound is, for a fraction of what all of [`LoudnessMeter`] takes.
pub struct IntegratedMeter {
    meter: EbuR128,
    rate_hz: f64,
    frames: u64,
}

impl IntegratedMeter {
    /// The error says why it cannot be measured: the sample rate.
    pub fn new(rate_hz: f64) -> Result<IntegratedMeter, String> {
        let meter = EbuR128::new(2, rate_hz as u32, Mode::I | Mode::HISTOGRAM).map_err(failed)?;
        Ok(IntegratedMeter { meter, rate_hz, frames: 0 })
    }

    /// Both channels have the same length.
    pub fn push(&mut self, left: &[f32], right: &[f32]) -> Result<(), String> {
        self.frames += left.len() as u64;
        self.meter.add_frames_planar_f32(&[left, right]).map_err(failed)
    }

    /// In LUFS, gated; `None` where nothing is above -70 LUFS. What is shorter than 0.4 s is measured with silence
    /// after it.
    pub fn finish(mut self) -> Result<Option<f64>, String> {
        // A block more than 0.4 s, whatever that is in frames of this rate.
        let wanted = (SHORTEST_S * self.rate_hz) as u64 + 10;
        let silence = vec![0.0; usize::try_from(wanted.saturating_sub(self.frames)).unwrap_or_default()];
        self.meter.add_frames_planar_f32(&[silence.as_slice(), &silence]).map_err(failed)?;
        let lufs = self.meter.loudness_global().map_err(failed)?;
        Ok(Some(lufs).filter(|lufs| lufs.is_finite() && *lufs > SILENCE_LUFS))
    }
}

fn step(rate_hz: f64) -> usize {
    ((rate_hz / READS_A_SECOND) as usize).max(1)
}

fn failed(error: ebur128::Error) -> String {
    format!("the loudness cannot be measured: {error}")
}
