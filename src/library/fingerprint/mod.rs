//! Fingerprints: what a sound is like, in a few hundred bytes. A fingerprint holds the loudness of each semitone over
//! the whole sound, at its beginning and after that, and the level over time. Loudness is relative to the sound's own,
//! and two sounds are compared a semitone up and down as well, so a louder, a slightly transposed or a trimmed copy
//! stays close to its original. [`builder`] makes fingerprints, [`similarity`] compares them.
//! See D17 in `docs/decisions.md`.

pub mod builder;
pub mod similarity;

/// Bands of a semitone each, from C1 on: nine octaves.
const BANDS: usize = 108;
/// Steps of the level over time, each longer than the one before.
const LEVEL_STEPS: usize = 24;
pub const FINGERPRINT_BYTES: usize = 3 * BANDS + LEVEL_STEPS;

/// A sound's fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    whole: [i8; BANDS],
    beginning: [i8; BANDS],
    rest: [i8; BANDS],
    level: [i8; LEVEL_STEPS],
}

impl Fingerprint {
    pub fn to_bytes(&self) -> [u8; FINGERPRINT_BYTES] {
        let mut values = self.whole.iter().chain(&self.beginning).chain(&self.rest).chain(&self.level);
        std::array::from_fn(|_| values.next().map_or(0, |value| value.cast_unsigned()))
    }

    pub fn from_bytes(bytes: [u8; FINGERPRINT_BYTES]) -> Fingerprint {
        let mut values = bytes.into_iter().map(u8::cast_signed);
        let mut next = || values.next().unwrap_or(0);
        Fingerprint {
            whole: std::array::from_fn(|_| next()),
            beginning: std::array::from_fn(|_| next()),
            rest: std::array::from_fn(|_| next()),
            level: std::array::from_fn(|_| next()),
        }
    }
}

#[cfg(test)]
mod tests;
