//! Analyzing an audio file: its length and format, the hash of its samples, its fingerprint, what is heard of it.

use crate::files::audio::ProbeError;
use crate::files::decode::{SampleFormat, decode};
use crate::files::read_budget::{ReadBudget, ReadLimits};
use crate::library::analysis::{Analysis, AnalyzedSound, Unreadable};
use crate::library::fingerprint::builder::FingerprintBuilder;
use crate::library::sound_traits::SoundTraits;
use rustfft::FftPlanner;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use svc_analysis::sample::SampleMeter;

/// Analyzes files one after the other. The plans of the Fourier transform are made once for all of them.
#[derive(Default)]
pub struct SampleAnalyzer {
    planner: Option<FftPlanner<f32>>,
}

impl SampleAnalyzer {
    /// Analyzes the whole of a file, within the limits. `None` when `stopped` said so before the end.
    pub fn analyze(
        &mut self,
        path: &Path,
        limits: ReadLimits,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Option<Analysis> {
        let budget = ReadBudget::new(limits).until(stopped);
        let planner = self.planner.get_or_insert_with(FftPlanner::new);
        let mut hash = SampleHash::default();
        let mut builder: Option<FingerprintBuilder> = None;
        let mut meter: Option<SampleMeter> = None;
        let decoded = catch_unwind(AssertUnwindSafe(|| {
            check_size(path, &budget)?;
            decode(path, &budget, |samples, format| {
                if builder.is_none() {
                    hash.begin(format);
                }
                hash.add(samples);
                builder
                    .get_or_insert_with(|| FingerprintBuilder::new(planner, format.sample_rate_hz))
                    .add_samples(samples, format.channels);
                meter
                    .get_or_insert_with(|| SampleMeter::new(f64::from(format.sample_rate_hz)))
                    .push(samples, usize::from(format.channels));
                ControlFlow::Continue(())
            })
        }));
        if stopped() {
            return None;
        }
        let (frames, format) = match decoded {
            Ok(Ok(decoded)) => decoded,
            Ok(Err(error)) => return Some(unreadable(&error)),
            // A file on which a decoder panics is damaged.
            Err(_) => return Some(Analysis::unreadable(ProbeError::NotAudio)),
        };
        Some(Analysis::Sound(Box::new(AnalyzedSound {
            frames,
            sample_rate_hz: format.sample_rate_hz,
            channels: format.channels,
            sample_hash: hash.0,
            fingerprint: builder.and_then(FingerprintBuilder::finish),
            traits: meter.map_or_else(SoundTraits::default, |meter| SoundTraits::of(&meter.finish())),
        })))
    }
}

/// All of the file is read, so one that is too large is not begun.
fn check_size(path: &Path, budget: &ReadBudget) -> Result<(), ProbeError> {
    // What cannot be looked at is refused with its reason when it is opened.
    Ok(std::fs::metadata(path).map_or(Ok(()), |about| budget.check_size(about.len()))?)
}

fn unreadable(error: &ProbeError) -> Analysis {
    let may_pass = match error {
        ProbeError::TooLong(limit) => limit.is_of_time(),
        // Rights and disks change without the file.
        ProbeError::Missing | ProbeError::Unreadable(_) => true,
        _ => false,
    };
    Analysis::Unreadable(Unreadable { why: error.to_string().into(), may_pass })
}

/// FNV-1a over samples instead of bytes, in 128 bits. The hashes are stored, so the function must not change; nobody
/// gains by a collision.
struct SampleHash(u128);

const PRIME: u128 = (1 << 88) + 0x13b;

impl Default for SampleHash {
    fn default() -> SampleHash {
        SampleHash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl SampleHash {
    fn begin(&mut self, format: SampleFormat) {
        self.add_word(format.sample_rate_hz);
        self.add_word(format.channels.into());
    }

    fn add(&mut self, samples: &[f32]) {
        for sample in samples {
            // Adding 0 makes -0 and +0 one.
            self.add_word((sample + 0.0).to_bits());
        }
    }

    fn add_word(&mut self, word: u32) {
        self.0 = (self.0 ^ u128::from(word)).wrapping_mul(PRIME);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::test_sounds::{Tone, wav};

    fn analyzed(bytes: &[u8]) -> Analysis {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.wav");
        std::fs::write(&file, bytes).unwrap();
        SampleAnalyzer::default().analyze(&file, ReadLimits::INDEXED_FILE, &|| false).unwrap()
    }

    #[test]
    fn equal_sound_has_an_equal_hash() {
        let tone = Tone::default().samples();
        let Analysis::Sound(one) = analyzed(&wav(&tone, 44_100)) else { panic!("a sound") };
        // Another chunk before the sound makes another file, but no other sound.
        let mut tagged = wav(&tone, 44_100);
        tagged.splice(36..36, *b"LIST\x04\0\0\0INFO");
        let size = u32::try_from(tagged.len() - 8).unwrap();
        tagged.splice(4..8, size.to_le_bytes());
        let Analysis::Sound(same) = analyzed(&tagged) else { panic!("a sound") };
        assert_eq!(one, same);
        let mut other = tone.clone();
        other[100] += 0.001;
        let Analysis::Sound(changed) = analyzed(&wav(&other, 44_100)) else { panic!("a sound") };
        let Analysis::Sound(faster) = analyzed(&wav(&tone, 48_000)) else { panic!("a sound") };
        assert!(changed.sample_hash != one.sample_hash && faster.sample_hash != one.sample_hash);
    }

    #[test]
    fn what_cannot_be_heard() {
        let damaged = Analysis::unreadable(ProbeError::NotAudio);
        assert_eq!(analyzed(b""), damaged);
        assert_eq!(analyzed(b"RIFF no sound at all"), damaged);
        assert!(analyzed(&wav(&[], 44_100)).is_unreadable());
        let Analysis::Sound(silence) = analyzed(&wav(&[0.0; 4410], 44_100)) else { panic!("silence is a sound") };
        assert_eq!((silence.frames, silence.fingerprint), (4410, None));
        let missing = unread(Path::new("/nowhere/x.wav"), ReadLimits::INDEXED_FILE);
        assert_eq!(missing, Unreadable { why: "there is no such file".into(), may_pass: true });
    }

    fn unread(file: &Path, limits: ReadLimits) -> Unreadable {
        match SampleAnalyzer::default().analyze(file, limits, &|| false) {
            Some(Analysis::Unreadable(unreadable)) => unreadable,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_too_long_is_unreadable_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.wav");
        std::fs::write(&file, wav(&Tone::default().samples(), 44_100)).unwrap();
        let limits = ReadLimits::INDEXED_FILE;
        let short = ReadLimits { time: std::time::Duration::ZERO, ..limits };
        for (limits, why, may_pass) in [
            (ReadLimits { packets: 2, ..limits }, "too long to be read: at most 2 packets of sound are read", false),
            (short, "too long to be read: 0 s were not enough", true),
        ] {
            assert_eq!(unread(&file, limits), Unreadable { why: why.into(), may_pass });
        }
        std::fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(300_000_000_000).unwrap();
        let why = "too long to be read: it has 300 GB, and at most 4 GB are read".into();
        assert_eq!(unread(&file, limits), Unreadable { why, may_pass: false });
    }

    #[test]
    fn it_stops_when_told_to() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.wav");
        std::fs::write(&file, wav(&Tone::default().samples(), 44_100)).unwrap();
        assert_eq!(SampleAnalyzer::default().analyze(&file, ReadLimits::INDEXED_FILE, &|| true), None);
    }
}
