//! White noise with a seed.

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
}
