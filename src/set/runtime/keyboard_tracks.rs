//! Which tracks a keyboard plays: who commits says so, the audio thread reads it.

use crate::set::document::ids::Serial;
use std::sync::atomic::{AtomicU32, Ordering};

/// Armed tracks beyond so many are not played.
pub const MOST_KEYBOARD_TRACKS: usize = 16;

/// Neither side ever waits. In the middle of a change a note may go to tracks of before and of after.
#[derive(Debug, Default)]
pub struct KeyboardTracks([AtomicU32; MOST_KEYBOARD_TRACKS]);

impl KeyboardTracks {
    pub fn set(&self, tracks: impl Iterator<Item = Serial>) {
        // No serial is 0.
        for (place, track) in self.0.iter().zip(tracks.chain(std::iter::repeat(0))) {
            place.store(track, Ordering::Relaxed);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Serial> {
        self.0.iter().map(|place| place.load(Ordering::Relaxed)).filter(|track| *track != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_set_last_is_played() {
        let tracks = KeyboardTracks::default();
        tracks.set([7, 8, 9].into_iter());
        tracks.set(std::iter::once(4));
        assert_eq!(tracks.iter().collect::<Vec<_>>(), [4]);
        tracks.set(1..100);
        assert_eq!(tracks.iter().count(), MOST_KEYBOARD_TRACKS);
    }
}
