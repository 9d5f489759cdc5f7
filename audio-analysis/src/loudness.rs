//! Loudness and true peak (EBU R 128, ITU-R BS.1770).

use crate::audio::{Audio, amplitude_db};
use ebur128::{EbuR128, Mode};

/// Frames that are handed over at once; a tenth of a second at most, in which the momentary loudness is read.
const STEPS_A_SECOND: f64 = 10.0;

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

/// The error says why it cannot be measured: the sample rate.
pub fn measure(audio: &Audio) -> Result<Loudness, String> {
    let failed = |error: ebur128::Error| format!("loudness of {} frames a second: {error}", audio.rate_hz);
    let mut meter = EbuR128::new(2, audio.rate_hz as u32, Mode::all()).map_err(failed)?;
    let step = ((audio.rate_hz / STEPS_A_SECOND) as usize).max(1);
    let frames = audio.frames();
    let (mut momentary, mut short_term) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for start in (0..frames).step_by(step) {
        let end = (start + step).min(frames);
        let (Some(left), Some(right)) = (audio.left.get(start..end), audio.right.get(start..end)) else { break };
        meter.add_frames_planar_f32(&[left, right]).map_err(failed)?;
        momentary = momentary.max(meter.loudness_momentary().map_err(failed)?);
        short_term = short_term.max(meter.loudness_shortterm().map_err(failed)?);
    }
    let loud = |lufs: f64| Some(lufs).filter(|lufs| lufs.is_finite() && *lufs > -70.0);
    let peak = |channel| meter.true_peak(channel).map_err(failed);
    let lasts = audio.seconds() >= 0.4;
    Ok(Loudness {
        integrated_lufs: loud(meter.loudness_global().map_err(failed)?).filter(|_| lasts),
        momentary_max_lufs: loud(momentary),
        short_term_max_lufs: loud(short_term),
        range_lu: meter.loudness_range().ok().filter(|range| range.is_finite()),
        true_peak_dbtp: amplitude_db(peak(0)?.max(peak(1)?)),
    })
}
