//! What analyzing a file gave, in memory and as the bytes that are stored between runs.

use super::fingerprint::{FINGERPRINT_BYTES, Fingerprint};
use super::sound_traits::SoundTraits;
use crate::files::audio::ProbeError;

/// What analyzing a file gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// It is still to be read.
    Pending,
    /// It is no audio file, so there is nothing to analyze.
    NotAudio,
    /// It cannot be read.
    Unreadable(Unreadable),
    Sound(Box<AnalyzedSound>),
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// For people.
    pub why: Box<str>,
    /// Another try may go better though the file stays as it is: it is not stored between runs.
    pub may_pass: bool,
}

impl Analysis {
    /// Of a file that stays unreadable until it changes.
    pub fn unreadable(why: impl std::fmt::Display) -> Analysis {
        Analysis::Unreadable(Unreadable { why: why.to_string().into(), may_pass: false })
    }

    pub fn is_unreadable(&self) -> bool {
        matches!(self, Analysis::Unreadable(_))
    }
}

/// What is known of an audio file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalyzedSound {
    pub frames: u64,
    pub sample_rate_hz: u32,
    pub channels: u16,
    /// Of the decoded samples: equal for equal sound, whatever the file's format.
    pub sample_hash: u128,
    /// `None` for silence, which sounds like nothing.
    pub fingerprint: Option<Fingerprint>,
    pub traits: SoundTraits,
}

impl AnalyzedSound {
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / f64::from(self.sample_rate_hz.max(1))
    }
}

/// A file's size and time when it was read: when either differs, the file must be read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    pub bytes: u64,
    /// Nanoseconds since 1970; 0 where the system does not say.
    pub modified_ns: u64,
}

/// What is stored of a file between runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAnalysis {
    pub stamp: FileStamp,
    pub analysis: Analysis,
}

const BROKEN: u8 = 0;
const SILENT: u8 = 1;
const SOUND: u8 = 2;
/// What earlier versions stored has no reason with it.
const BROKEN_WITH_REASON: u8 = 3;

impl StoredAnalysis {
    /// As bytes; `None` for what is not stored: what takes no reading to find out, and what another try may change.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(64 + FINGERPRINT_BYTES);
        bytes.extend(self.stamp.bytes.to_le_bytes());
        bytes.extend(self.stamp.modified_ns.to_le_bytes());
        match &self.analysis {
            Analysis::Pending | Analysis::NotAudio => return None,
            Analysis::Unreadable(Unreadable { may_pass: true, .. }) => return None,
            Analysis::Unreadable(Unreadable { why, .. }) => {
                bytes.push(BROKEN_WITH_REASON);
                bytes.extend(why.as_bytes());
            }
            Analysis::Sound(sound) => {
                bytes.push(if sound.fingerprint.is_some() { SOUND } else { SILENT });
                bytes.extend(sound.frames.to_le_bytes());
                bytes.extend(sound.sample_rate_hz.to_le_bytes());
                bytes.extend(sound.channels.to_le_bytes());
                bytes.extend(sound.sample_hash.to_le_bytes());
                bytes.extend(sound.traits.to_bytes());
                if let Some(print) = &sound.fingerprint {
                    bytes.extend(print.to_bytes());
                }
            }
        }
        Some(bytes)
    }

    /// `None` for bytes that no version of this program wrote.
    pub fn from_bytes(bytes: &[u8]) -> Option<StoredAnalysis> {
        let mut rest = bytes;
        let stamp = FileStamp {
            bytes: u64::from_le_bytes(take(&mut rest)?),
            modified_ns: u64::from_le_bytes(take(&mut rest)?),
        };
        let analysis = match take::<1>(&mut rest)? {
            [BROKEN] => Analysis::unreadable(ProbeError::NotAudio),
            [BROKEN_WITH_REASON] => Analysis::unreadable(std::str::from_utf8(std::mem::take(&mut rest)).ok()?),
            [what @ (SILENT | SOUND)] => Analysis::Sound(Box::new(AnalyzedSound {
                frames: u64::from_le_bytes(take(&mut rest)?),
                sample_rate_hz: u32::from_le_bytes(take(&mut rest)?),
                channels: u16::from_le_bytes(take(&mut rest)?),
                sample_hash: u128::from_le_bytes(take(&mut rest)?),
                traits: SoundTraits::from_bytes(take(&mut rest)?),
                fingerprint: if what == SOUND { Some(Fingerprint::from_bytes(take(&mut rest)?)) } else { None },
            })),
            _ => return None,
        };
        rest.is_empty().then_some(StoredAnalysis { stamp, analysis })
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = rest.split_first_chunk::<N>()?;
    *rest = tail;
    Some(*head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_kept_is_read_back(
            bytes: u64, modified_ns: u64, frames: u64, rate: u32, channels: u16, hash: u128, kind in 0..3, seed: u8,
        ) {
            let traits = SoundTraits::from_bytes(std::array::from_fn(|at| (at as u8).wrapping_mul(seed)));
            let print = Fingerprint::from_bytes(std::array::from_fn(|at| (at as u8).wrapping_mul(seed)));
            let analysis = match kind {
                0 => Analysis::unreadable("too long"),
                kind => Analysis::Sound(Box::new(AnalyzedSound {
                    frames,
                    sample_rate_hz: rate,
                    channels,
                    sample_hash: hash,
                    fingerprint: (kind == 1).then_some(print),
                    traits,
                })),
            };
            let kept = StoredAnalysis { stamp: FileStamp { bytes, modified_ns }, analysis };
            let written = kept.to_bytes().unwrap();
            prop_assert_eq!(StoredAnalysis::from_bytes(&written), Some(kept));
            // The reason why a file cannot be read is a text that may end anywhere.
            if kind != 0 {
                prop_assert_eq!(StoredAnalysis::from_bytes(&written[..written.len() - 1]), None);
            }
        }

        #[test]
        fn what_was_stored_without_a_reason_is_read(bytes: u64, modified_ns: u64) {
            let stamp = FileStamp { bytes, modified_ns };
            let written = [&bytes.to_le_bytes()[..], &modified_ns.to_le_bytes(), &[BROKEN]].concat();
            let read = StoredAnalysis::from_bytes(&written).unwrap();
            prop_assert_eq!(read.stamp, stamp);
            prop_assert!(read.analysis.is_unreadable());
            let may_pass = Analysis::Unreadable(Unreadable { why: "slow".into(), may_pass: true });
            prop_assert_eq!(StoredAnalysis { stamp, analysis: may_pass }.to_bytes(), None);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = StoredAnalysis::from_bytes(&bytes);
        }
    }
}
