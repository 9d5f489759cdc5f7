//! Loudness and true peak (EBU R 128, ITU-R BS.1770).

use crate::decibels::amplitude_db;
use crate::energy_bins::{EnergyBins, lufs};
use crate::step_energies::StepEnergies;
use crate::true_peak::TruePeakMeter;

/// Steps of 100 ms that have to be there for a moment, and for what is heard in three seconds, of which there is one
/// every second.
const MOMENT_STEPS: u64 = 4;
const SHORT_TERM_STEPS: u64 = 30;
const SHORT_TERM_EVERY: u64 = 10;
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
    energies: StepEnergies,
    /// Of each moment, and of the three seconds before each second.
    moments: EnergyBins,
    short_terms: EnergyBins,
    loudest_moment: f64,
    true_peak: TruePeakMeter,
    rate_hz: f64,
    frames: u64,
}

impl LoudnessMeter {
    /// The error says why it cannot be measured: the sample rate.
    pub fn new(rate_hz: f64) -> Result<LoudnessMeter, String> {
        let true_peak = TruePeakMeter::new(rate_hz).map_err(failed)?;
        Ok(LoudnessMeter {
            energies: StepEnergies::new(rate_hz as u32),
            moments: EnergyBins::new(),
            short_terms: EnergyBins::new(),
            loudest_moment: 0.0,
            true_peak,
            rate_hz,
            frames: 0,
        })
    }

    pub fn push(&mut self, left: &[f32], right: &[f32]) -> Result<(), String> {
        self.true_peak.push(left, right).map_err(failed)?;
        self.frames += left.len().min(right.len()) as u64;
        let LoudnessMeter { energies, moments, short_terms, loudest_moment, .. } = self;
        energies.push(left, right, |energies| {
            let moment = energies.moment();
            *loudest_moment = loudest_moment.max(moment);
            if energies.count() >= MOMENT_STEPS {
                moments.add(moment);
            }
            if energies.count() >= SHORT_TERM_STEPS && energies.count().is_multiple_of(SHORT_TERM_EVERY) {
                short_terms.add(energies.short_term());
            }
        });
        Ok(())
    }

    pub fn finish(self) -> Result<Loudness, String> {
        let loud = |lufs: f64| Some(lufs).filter(|lufs| lufs.is_finite() && *lufs > SILENCE_LUFS);
        let lasts = self.frames as f64 >= SHORTEST_S * self.rate_hz;
        Ok(Loudness {
            integrated_lufs: self.moments.gated_lufs().and_then(loud).filter(|_| lasts),
            momentary_max_lufs: loud(lufs(self.loudest_moment.max(self.energies.last_moment()))),
            range_lu: Some(self.short_terms.range_lu()).filter(|range| range.is_finite()),
            true_peak_dbtp: amplitude_db(self.true_peak.highest()),
        })
    }
}

/// Finds only how loud a whole sound is, for a fraction of what all of [`LoudnessMeter`] takes.
pub struct IntegratedMeter {
    energies: StepEnergies,
    moments: EnergyBins,
    rate_hz: f64,
    frames: u64,
}

impl IntegratedMeter {
    pub fn new(rate_hz: f64) -> IntegratedMeter {
        let energies = StepEnergies::new(rate_hz as u32);
        IntegratedMeter { energies, moments: EnergyBins::new(), rate_hz, frames: 0 }
    }

    /// Both channels have the same length.
    pub fn push(&mut self, left: &[f32], right: &[f32]) {
        self.frames += left.len() as u64;
        let moments = &mut self.moments;
        self.energies.push(left, right, |energies| {
            if energies.count() >= MOMENT_STEPS {
                moments.add(energies.moment());
            }
        });
    }

    /// In LUFS, gated; `None` where nothing is above -70 LUFS. What is shorter than 0.4 s is measured with silence
    /// after it.
    pub fn finish(mut self) -> Option<f64> {
        // A block more than 0.4 s, whatever that is in frames of this rate.
        let wanted = (SHORTEST_S * self.rate_hz) as u64 + 10;
        let silence = vec![0.0; usize::try_from(wanted.saturating_sub(self.frames)).unwrap_or_default()];
        self.push(&silence, &silence);
        self.moments.gated_lufs().filter(|lufs| lufs.is_finite() && *lufs > SILENCE_LUFS)
    }
}

fn failed(error: ebur128::Error) -> String {
    format!("the loudness cannot be measured: {error}")
}
