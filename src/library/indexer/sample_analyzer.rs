//! Analyzing an audio file: its length and format, the hash of its samples, its fingerprint.

use crate::files::decode::{SampleFormat, decode};
use crate::library::analysis::{Analysis, AnalyzedSound};
use crate::library::fingerprint::builder::FingerprintBuilder;
use rustfft::FftPlanner;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Analyzes files one after the other. The plans of the Fourier transform are made once for all of them.
#[derive(Default)]
pub struct SampleAnalyzer {
    planner: Option<FftPlanner<f32>>,
}

impl SampleAnalyzer {
    /// Analyzes the whole of a file. `None` when `stopped` said so before the end.
    pub fn analyze(&mut self, path: &Path, stopped: &dyn Fn() -> bool) -> Option<Analysis> {
        let planner = self.planner.get_or_insert_with(FftPlanner::new);
        let mut hash = SampleHash::default();
        let mut builder: Option<FingerprintBuilder> = None;
        let mut cancelled = false;
        let decoded = catch_unwind(AssertUnwindSafe(|| {
            decode(path, |samples, format| {
                if builder.is_none() {
                    hash.begin(format);
                }
                hash.add(samples);
                builder
                    .get_or_insert_with(|| FingerprintBuilder::new(planner, format.sample_rate_hz))
                    .add_samples(samples, format.channels);
                cancelled = stopped();
                if cancelled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        }));
        if cancelled {
            return None;
        }
        // A file on which a decoder fails in any way, a panic included, is unreadable.
        let Ok(Ok((frames, format))) = decoded else { return Some(Analysis::Unreadable) };
        Some(Analysis::Sound(Box::new(AnalyzedSound {
            frames,
            sample_rate_hz: format.sample_rate_hz,
            channels: format.channels,
            sample_hash: hash.0,
            fingerprint: builder.and_then(FingerprintBuilder::finish),
        })))
    }
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
        SampleAnalyzer::default().analyze(&file, &|| false).unwrap()
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
        assert_eq!(analyzed(b""), Analysis::Unreadable);
        assert_eq!(analyzed(b"RIFF no sound at all"), Analysis::Unreadable);
        assert_eq!(analyzed(&wav(&[], 44_100)), Analysis::Unreadable);
        let Analysis::Sound(silence) = analyzed(&wav(&[0.0; 4410], 44_100)) else { panic!("silence is a sound") };
        assert_eq!((silence.frames, silence.fingerprint), (4410, None));
        assert_eq!(
            SampleAnalyzer::default().analyze(Path::new("/nowhere/x.wav"), &|| false),
            Some(Analysis::Unreadable)
        );
    }

    #[test]
    fn it_stops_when_told_to() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.wav");
        std::fs::write(&file, wav(&Tone::default().samples(), 44_100)).unwrap();
        assert_eq!(SampleAnalyzer::default().analyze(&file, &|| true), None);
    }
}
