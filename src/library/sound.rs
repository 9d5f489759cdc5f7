//! Listening to a file: its facts, the hash of its sound, its fingerprint.

use super::record::{Heard, Sound};
use super::spectrum::Listener;
use crate::files::decode::{Format, decode};
use rustfft::FftPlanner;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Listens to files one after the other; what they have in common is worked out once.
#[derive(Default)]
pub struct Ears {
    planner: Option<FftPlanner<f32>>,
}

impl Ears {
    /// Listens to the whole of a file. `None` when `stopped` said so before the end.
    pub fn listen(&mut self, path: &Path, stopped: &dyn Fn() -> bool) -> Option<Heard> {
        let planner = self.planner.get_or_insert_with(FftPlanner::new);
        let mut hash = Hash::default();
        let mut listener: Option<Listener> = None;
        let mut broken_off = false;
        let decoded = catch_unwind(AssertUnwindSafe(|| {
            decode(path, |samples, format| {
                if listener.is_none() {
                    hash.begin(format);
                }
                hash.add(samples);
                listener
                    .get_or_insert_with(|| Listener::new(planner, format.sample_rate_hz))
                    .hear(samples, format.channels);
                broken_off = stopped();
                if broken_off { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        }));
        if broken_off {
            return None;
        }
        // A file on which a decoder fails in whatever way is a broken one.
        let Ok(Ok((frames, format))) = decoded else { return Some(Heard::Broken) };
        Some(Heard::Sound(Box::new(Sound {
            frames,
            sample_rate_hz: format.sample_rate_hz,
            channels: format.channels,
            hash: hash.0,
            print: listener.and_then(Listener::finish),
        })))
    }
}

/// FNV-1a over samples instead of bytes, in 128 bits. Kept in files, so it is fixed here; nobody gains by a collision.
struct Hash(u128);

const PRIME: u128 = (1 << 88) + 0x13b;

impl Default for Hash {
    fn default() -> Hash {
        Hash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Hash {
    fn begin(&mut self, format: Format) {
        self.word(format.sample_rate_hz);
        self.word(format.channels.into());
    }

    fn add(&mut self, samples: &[f32]) {
        for sample in samples {
            // There are two zeros.
            self.word((sample + 0.0).to_bits());
        }
    }

    fn word(&mut self, word: u32) {
        self.0 = (self.0 ^ u128::from(word)).wrapping_mul(PRIME);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Tone, wav};
    use super::*;

    fn heard(bytes: &[u8]) -> Heard {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.wav");
        std::fs::write(&file, bytes).unwrap();
        Ears::default().listen(&file, &|| false).unwrap()
    }

    #[test]
    fn equal_sound_has_an_equal_hash() {
        let tone = Tone::default().samples();
        let Heard::Sound(one) = heard(&wav(&tone, 44_100)) else { panic!("a sound") };
        // Another chunk before the sound makes another file, but no other sound.
        let mut tagged = wav(&tone, 44_100);
        tagged.splice(36..36, *b"LIST\x04\0\0\0INFO");
        let size = u32::try_from(tagged.len() - 8).unwrap();
        tagged.splice(4..8, size.to_le_bytes());
        let Heard::Sound(same) = heard(&tagged) else { panic!("a sound") };
        assert_eq!(one, same);
        let mut other = tone.clone();
        other[100] += 0.001;
        let Heard::Sound(changed) = heard(&wav(&other, 44_100)) else { panic!("a sound") };
        let Heard::Sound(faster) = heard(&wav(&tone, 48_000)) else { panic!("a sound") };
        assert!(changed.hash != one.hash && faster.hash != one.hash);
    }

    #[test]
    fn what_cannot_be_heard() {
        assert_eq!(heard(b""), Heard::Broken);
        assert_eq!(heard(b"RIFF no sound at all"), Heard::Broken);
        assert_eq!(heard(&wav(&[], 44_100)), Heard::Broken);
        let Heard::Sound(silence) = heard(&wav(&[0.0; 4410], 44_100)) else { panic!("silence is a sound") };
        assert_eq!((silence.frames, silence.print), (4410, None));
        assert_eq!(Ears::default().listen(Path::new("/nowhere/x.wav"), &|| false), Some(Heard::Broken));
    }

    #[test]
    fn it_stops_when_told_to() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.wav");
        std::fs::write(&file, wav(&Tone::default().samples(), 44_100)).unwrap();
        assert_eq!(Ears::default().listen(&file, &|| true), None);
    }
}
