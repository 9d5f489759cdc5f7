//! How loud a track is, told without a lock: the audio thread writes a level that falls by itself, anybody reads it.

use std::sync::atomic::{AtomicU32, Ordering};

/// What is left of a level after each frame: at 48 kHz it falls 29 dB in a second.
const KEPT_PER_FRAME: f32 = 1.0 - 1.0 / 14_400.0;
/// Below, it is silence: 100 dB under full scale.
const SILENCE: f32 = 1e-5;

/// The peaks of both channels.
#[derive(Debug, Default)]
pub struct Meters {
    left: AtomicU32,
    right: AtomicU32,
}

impl Meters {
    /// Notes the peaks of a span of some frames. Only one thread may do so.
    pub fn note(&self, left: f32, right: f32, frames: usize) {
        let frames = i32::try_from(frames).unwrap_or(i32::MAX);
        for (cell, peak) in [(&self.left, left), (&self.right, right)] {
            let before = f32::from_bits(cell.load(Ordering::Relaxed));
            if before == 0.0 && peak == 0.0 {
                continue;
            }
            let level = peak.max(before * KEPT_PER_FRAME.powi(frames));
            cell.store(if level < SILENCE { 0.0 } else { level }.to_bits(), Ordering::Relaxed);
        }
    }

    /// The level of left and right, as factors.
    pub fn level(&self) -> (f32, f32) {
        let read = |cell: &AtomicU32| f32::from_bits(cell.load(Ordering::Relaxed));
        (read(&self.left), read(&self.right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_is_there_at_once_and_falls_whatever_the_spans() {
        for frames in [1, 16, 64] {
            let meters = Meters::default();
            meters.note(0.5, 0.25, frames);
            assert_eq!(meters.level(), (0.5, 0.25));
            for _ in 0..4_800 / frames {
                meters.note(0.01, 0.0, frames);
            }
            let (left, right) = meters.level();
            assert!((left / right - 2.0).abs() < 1e-3 && (left - 0.358).abs() < 0.004, "{frames}: {left} {right}");
        }
        let meters = Meters::default();
        meters.note(1.0, 1.0, 64);
        (0..48_000 * 5 / 64).for_each(|_| meters.note(0.0, 0.0, 64));
        assert_eq!(meters.level(), (0.0, 0.0));
    }
}
