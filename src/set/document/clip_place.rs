//! Where a clip is in the Set, as a number for what is drawn or laid otherwise at each place: it knows no ids, so that
//! a Set sounds the same after it was read from a file, and a clip that was made anew as the one before it.

use crate::music::Beats;

/// The place of a clip among those of its track. No two clips that are played have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClipPlace(u64);

/// Above it lie the places of the Arrangement: the sign of a start, which is never negative.
const ARRANGED: u64 = 1 << 63;

impl ClipPlace {
    /// In the slot of that scene, counted from 0.
    pub const fn session(scene: usize) -> ClipPlace {
        ClipPlace(scene as u64 & !ARRANGED)
    }

    /// In the Arrangement, by where the clip starts.
    pub fn arrangement(start: Beats) -> ClipPlace {
        // Without the sign that 0 may have.
        ClipPlace(start.abs().to_bits() | ARRANGED)
    }

    pub fn number(self) -> u64 {
        self.0
    }
}
