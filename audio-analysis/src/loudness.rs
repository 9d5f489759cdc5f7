//! Loudness and true peak (EBU R 128, ITU-R BS.1770).

use crate::decibels::amplitude_db;
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
    /// The loudest 3 s.
    pub short_term_max_lufs: Option<f64>,
    /// Between soft and loud parts, in LU.
    pub range_lu: Option<f64>,
    pub true_peak_dbtp: Option<f64>,
}

/// Finds the loudness of a signal that comes in pieces.
pub struct LoudnessMeter {
    meter: EbuR128,
    rate_hz: f64,
    frames: u64,
    /// Frames until the momentary loudness is read again.
    to_read: usize,
    momentary_max: f64,
    short_term_max: f64,
}

impl LoudnessMeter {
    /// The error says why it cannot be measured: the sample rate.
    pub fn new(rate_hz: f64) -> Result<LoudnessMeter, String> {
        let meter = EbuR128::new(2, rate_hz as u32, Mode::all()).map_err(failed)?;
        let (momentary_max, short_term_max) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        Ok(LoudnessMeter { meter, rate_hz, frames: 0, to_read: step(rate_hz), momentary_max, short_term_max })
    }

    pub fn push(&mut self, left: &[f32], right: &[f32]) -> Result<(), String> {
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
        self.short_term_max = self.short_term_max.max(self.meter.loudness_shortterm().map_err(failed)?);
        Ok(())
    }

    pub fn finish(mut self) -> Result<Loudness, String> {
        self.read()?;
        let loud = |lufs: f64| Some(lufs).filter(|lufs| lufs.is_finite() && *lufs > SILENCE_LUFS);
        let peak = |channel| self.meter.true_peak(channel).map_err(failed);
        let lasts = self.frames as f64 >= SHORTEST_S * self.rate_hz;
        Ok(Loudness {
            integrated_lufs: loud(self.meter.loudness_global().map_err(failed)?).filter(|_| lasts),
            momentary_max_lufs: loud(self.momentary_max),
            short_term_max_lufs: loud(self.short_term_max),
            range_lu: self.meter.loudness_range().ok().filter(|range| range.is_finite()),
            true_peak_dbtp: amplitude_db(peak(0)?.max(peak(1)?)),
        })
    }
}

fn step(rate_hz: f64) -> usize {
    ((rate_hz / READS_A_SECOND) as usize).max(1)
}

fn failed(error: ebur128::Error) -> String {
    format!("the loudness cannot be measured: {error}")
}
