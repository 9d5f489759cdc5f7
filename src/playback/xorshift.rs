//! Dice for note probability and velocity deviation: an xorshift generator, because the audio thread can't ask the
//! system for random numbers.

/// Cloning it lets a walk over some notes be made twice with the same draws.
#[derive(Clone, Debug)]
pub(super) struct Xorshift(u64);

impl Xorshift {
    pub fn new(seed: u64) -> Xorshift {
        // Zero is the one state that xorshift never leaves.
        Xorshift(seed.max(1))
    }

    /// Evenly from 0 (included) to 1 (excluded).
    pub fn unit(&mut self) -> f64 {
        let mut x = self.0;
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        self.0 = x;
        // The upper 53 bits fill a double's mantissa exactly.
        (x.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_fill_the_unit_interval_evenly() {
        let mut random = Xorshift::new(0);
        let mut tenths = [0u32; 10];
        for _ in 0..10_000 {
            let draw = random.unit();
            assert!((0.0..1.0).contains(&draw));
            tenths[(draw * 10.0) as usize] += 1;
        }
        assert!(tenths.iter().all(|&n| (850..1150).contains(&n)), "{tenths:?}");
    }
}
