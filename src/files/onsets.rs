//! Onsets: where sounds begin in an audio file, which is where a loop is sliced.
//!
//! A sound begins where the level rises fast in any of three bands, so that a hat over a ringing bass is found too.
//! What counts is how much louder the next few milliseconds are than those before, not how loud they are.
//! See D12 in `docs/decisions.md`.

use super::decode::decode_mono;
use super::probe_error::ProbeError;
use super::read_budget::ReadBudget;

/// A place where a sound begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Onset {
    /// In frames of the file.
    pub frame: u64,
    /// How strong the onset is, above 0; comparable only within one file.
    pub strength: f64,
}

/// Longest part of a file that is analyzed.
const MAX_SECONDS: f64 = 20.0 * 60.0;
/// How often levels are measured.
const HOP_SECONDS: f64 = 0.0025;
/// Hops before and after a moment whose levels are compared: 20 and 10 ms.
const HOPS_BEFORE: usize = 8;
const HOPS_AFTER: usize = 4;
/// Least time between two onsets.
const MIN_GAP_SECONDS: f64 = 0.05;
/// How much the bands must rise together to be an onset.
const MIN_RISE_DB: f64 = 9.0;
/// Levels below this part of the loudest are silence.
const SILENCE_RATIO: f64 = 1e-6;
/// The borders between bass and middle, middle and treble.
const CROSSOVER_HZ: [f64; 2] = [200.0, 3_000.0];

const BANDS: usize = 3;
type BandLevels = [f64; BANDS];

/// Finds the onsets of a file, in order of time, within the limits of `budget`.
pub fn find_onsets(path: &str, budget: &ReadBudget) -> Result<Vec<Onset>, ProbeError> {
    let mut meter: Option<BandLevelMeter> = None;
    let rate = decode_mono(path, budget, |samples, rate| {
        let meter = meter.get_or_insert_with(|| BandLevelMeter::new(rate));
        samples.iter().for_each(|sample| meter.take(f64::from(*sample)));
        (meter.levels.len() as f64) * HOP_SECONDS < MAX_SECONDS
    })?;
    let levels = meter.map(|meter| meter.levels).unwrap_or_default();
    Ok(pick_onsets(&levels, rate))
}

/// Measures the level of each band, hop by hop.
struct BandLevelMeter {
    hop_frames: usize,
    smoothing: [f64; 2],
    low_passed: [f64; 2],
    sums: BandLevels,
    taken: usize,
    levels: Vec<BandLevels>,
}

impl BandLevelMeter {
    fn new(rate: f64) -> BandLevelMeter {
        let smoothing = CROSSOVER_HZ.map(|hz| 1.0 - (-std::f64::consts::TAU * hz / rate).exp());
        let hop_frames = hop_frames(rate);
        BandLevelMeter { hop_frames, smoothing, low_passed: [0.0; 2], sums: [0.0; BANDS], taken: 0, levels: Vec::new() }
    }

    fn take(&mut self, sample: f64) {
        for (passed, by) in self.low_passed.iter_mut().zip(self.smoothing) {
            *passed += (sample - *passed) * by;
        }
        let [low, middle] = self.low_passed;
        for (sum, band) in self.sums.iter_mut().zip([low, middle - low, sample - middle]) {
            *sum += band * band;
        }
        self.taken += 1;
        if self.taken == self.hop_frames {
            let frames = self.hop_frames as f64;
            self.levels.push(std::mem::take(&mut self.sums).map(|sum| sum / frames));
            self.taken = 0;
        }
    }
}

fn hop_frames(rate: f64) -> usize {
    ((rate * HOP_SECONDS) as usize).max(1)
}

fn pick_onsets(levels: &[BandLevels], rate: f64) -> Vec<Onset> {
    let total = |levels: &BandLevels| levels.iter().sum::<f64>();
    let loudest = levels.iter().map(total).fold(0.0, f64::max);
    if loudest <= 0.0 {
        return Vec::new();
    }
    let silence = loudest * SILENCE_RATIO;
    let mean = |from: usize, to: usize| -> BandLevels {
        let hops = levels.get(from.min(levels.len())..to.min(levels.len())).unwrap_or_default();
        let mut mean = [0.0; BANDS];
        for hop in hops {
            for (sum, level) in mean.iter_mut().zip(hop) {
                *sum += level / hops.len() as f64;
            }
        }
        mean
    };
    let rise = |at: usize| -> f64 {
        let (before, after) = (mean(at.saturating_sub(HOPS_BEFORE), at), mean(at, at + HOPS_AFTER));
        let bands = before.iter().zip(after);
        bands.map(|(before, after)| (10.0 * ((after + silence) / (before + silence)).log10()).max(0.0)).sum()
    };
    let rises: Vec<f64> = (0..levels.len()).map(rise).collect();
    let gap = (MIN_GAP_SECONDS / HOP_SECONDS) as usize;
    let mut found: Vec<Onset> = Vec::new();
    let mut at = 0;
    while let Some(here) = rises.get(at) {
        let around = rises.get(at.saturating_sub(gap)..(at + gap).min(rises.len())).unwrap_or_default();
        let is_peak = around.iter().all(|other| other <= here);
        if *here >= MIN_RISE_DB && is_peak {
            let level = total(&mean(at, at + HOPS_AFTER)) / loudest;
            found.push(Onset { frame: (at * hop_frames(rate)) as u64, strength: here * level.sqrt() });
            at += gap;
        } else {
            at += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::read_budget::ReadLimits;
    use std::f64::consts::TAU;

    const RATE: f64 = 44_100.0;

    fn find_onsets(path: &str) -> Result<Vec<Onset>, ProbeError> {
        super::find_onsets(path, &ReadBudget::new(ReadLimits::CALL))
    }

    /// A WAV of 16 bits.
    fn wav(folder: &tempfile::TempDir, name: &str, channels: u16, sample: impl Fn(f64) -> f64, seconds: f64) -> String {
        let frames = (seconds * RATE) as u32;
        let data_bytes = frames * 2 * u32::from(channels);
        let mut bytes = Vec::new();
        bytes.extend(b"RIFF");
        bytes.extend((36 + data_bytes).to_le_bytes());
        bytes.extend(b"WAVEfmt ");
        bytes.extend(16u32.to_le_bytes());
        bytes.extend(1u16.to_le_bytes());
        bytes.extend(channels.to_le_bytes());
        bytes.extend((RATE as u32).to_le_bytes());
        bytes.extend((RATE as u32 * 2 * u32::from(channels)).to_le_bytes());
        bytes.extend((2 * channels).to_le_bytes());
        bytes.extend(16u16.to_le_bytes());
        bytes.extend(b"data");
        bytes.extend(data_bytes.to_le_bytes());
        for frame in 0..frames {
            for _ in 0..channels {
                let value = sample(f64::from(frame) / RATE).clamp(-1.0, 1.0) * 32_000.0;
                bytes.extend((value as i16).to_le_bytes());
            }
        }
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// A pitched hit that dies away.
    fn hit(since: f64, hz: f64, decay_seconds: f64) -> f64 {
        if since < 0.0 { 0.0 } else { (since * hz * TAU).sin() * (-since / decay_seconds).exp() }
    }

    #[test]
    fn each_hit_is_found_where_it_begins() {
        let folder = tempfile::tempdir().unwrap();
        // Kicks that ring into each other, and hats over them, of which two are soft.
        let times = [0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75];
        let loop_of = |t: f64| {
            let kicks = times.iter().step_by(2).map(|at| 0.7 * hit(t - at, 55.0, 0.25)).sum::<f64>();
            let hats = times.iter().skip(1).step_by(2).enumerate();
            let hats =
                hats.map(|(n, at)| (if n % 2 == 0 { 0.2 } else { 0.05 }) * hit(t - at, 7_000.0, 0.02)).sum::<f64>();
            kicks + hats
        };
        for channels in [1, 2] {
            let path = wav(&folder, "loop.wav", channels, loop_of, 2.0);
            let found: Vec<f64> = find_onsets(&path).unwrap().iter().map(|onset| onset.frame as f64 / RATE).collect();
            assert_eq!(found.len(), times.len(), "{found:?}");
            for (found, at) in found.iter().zip(times) {
                assert!((found - at).abs() < 0.008, "{found} is not {at}");
            }
        }
    }

    #[test]
    fn what_only_sounds_on_begins_once() {
        let folder = tempfile::tempdir().unwrap();
        let tone = wav(&folder, "tone.wav", 1, |t| 0.5 * (t * 220.0 * TAU).sin(), 2.0);
        let found = find_onsets(&tone).unwrap();
        assert!(found.len() <= 1, "{found:?}");
        let swell = wav(&folder, "swell.wav", 1, |t| 0.4 * t * (t * 220.0 * TAU).sin(), 2.0);
        assert!(find_onsets(&swell).unwrap().iter().all(|onset| onset.frame < 9_000), "{:?}", find_onsets(&swell));
        let silence = wav(&folder, "silence.wav", 1, |_| 0.0, 0.5);
        assert_eq!(find_onsets(&silence).unwrap(), []);
        let nothing = folder.path().join("none.wav");
        assert_eq!(find_onsets(nothing.to_str().unwrap()), Err(ProbeError::Missing));
    }

    #[test]
    fn every_format_is_decoded() {
        for name in ["half.wav", "half.aiff", "half.flac", "half.ogg", "half.mp3"] {
            let path = format!("{}/tests/fixtures/audio/{name}", env!("CARGO_MANIFEST_DIR"));
            let mut frames = 0;
            decode_mono(&path, &ReadBudget::new(ReadLimits::CALL), |samples, _| {
                frames += samples.len();
                true
            })
            .unwrap();
            assert!(frames >= 3_900, "{name}: {frames}");
        }
    }
}
