//! White noise with a seed.

use super::four::Four;
use super::span::{Lane, TICK};

/// A stream of white noise; the same seed gives the same stream.
#[derive(Clone, Copy, Debug)]
pub struct Noise(u32);

impl Noise {
    pub fn new(seed: u64) -> Noise {
        // Neighbouring seeds give streams that have nothing in common.
        let mixed = (seed ^ (seed >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Noise(((mixed >> 32) as u32).max(1))
    }

    /// Evenly from -1 to 1.
    #[inline]
    pub fn next_value(&mut self) -> f32 {
        let mut x = self.0;
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        self.0 = x;
        (x >> 8) as f32 * (1.0 / 8_388_608.0) - 1.0
    }

    /// Adds the next values to the first frames, each multiplied by a level.
    pub fn add(&mut self, lane: &mut Lane, level: f32, frames: usize) {
        if frames < TICK {
            lane.iter_mut().take(frames).for_each(|value| *value += self.next_value() * level);
            return;
        }
        for values in lane.as_chunks_mut::<4>().0 {
            let noise = [(); 4].map(|()| self.next_value());
            *values = (Four::new(*values) + Four::new(noise) * Four::splat(level)).to_array();
        }
    }
}
