//! How loud a track is, told without a lock: the audio thread notes peaks, a reader takes them and lets them fall.

use std::sync::atomic::{AtomicU32, Ordering};

/// The peaks since somebody looked.
#[derive(Debug, Default)]
pub struct Meters {
    left: AtomicU32,
    right: AtomicU32,
}

impl Meters {
    /// Notes the peaks of a span. Bits of positive floats are ordered as the floats are.
    pub fn note(&self, left: f32, right: f32) {
        for (cell, peak) in [(&self.left, left), (&self.right, right)] {
            if peak > 0.0 {
                cell.fetch_max(peak.to_bits(), Ordering::Relaxed);
            }
        }
    }

    /// The peaks since the last call, as factors; and begins anew.
    pub fn take(&self) -> (f32, f32) {
        let take = |cell: &AtomicU32| f32::from_bits(cell.swap(0, Ordering::Relaxed));
        (take(&self.left), take(&self.right))
    }
}
