//! The one source of chance for what is drawn while notes are read or changed: seeded, so that a call can be repeated.

use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A SplitMix64 generator. Equal seeds give equal draws, on every platform.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    /// Set by each draw.
    drawn: Option<Arc<AtomicBool>>,
}

impl Random {
    pub fn from_seed(seed: u64) -> Random {
        Random { state: seed, drawn: None }
    }

    /// Another source for the same seed, whose draws have nothing to do with the first one's.
    pub fn second_stream(seed: u64) -> Random {
        Random::from_seed(Random::from_seed(!seed).draw())
    }

    /// The same source, which says there whether anything was drawn.
    pub fn noting(self, drawn: Arc<AtomicBool>) -> Random {
        Random { drawn: Some(drawn), ..self }
    }

    /// A seed from the system's entropy.
    pub fn fresh_seed() -> u64 {
        // The standard library keys its hash maps from the system's entropy; so the hash of nothing is a random number.
        std::collections::hash_map::RandomState::new().build_hasher().finish()
    }

    pub fn fresh() -> Random {
        Random::from_seed(Random::fresh_seed())
    }

    fn draw(&mut self) -> u64 {
        if let Some(drawn) = &self.drawn {
            drawn.store(true, Ordering::Relaxed);
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Evenly from 0 (included) to 1 (excluded).
    pub fn unit(&mut self) -> f64 {
        // The upper 53 bits fill a double's mantissa exactly.
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number from 0 to below `count`, evenly; 0 when there is no such number.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_even_and_repeat_with_their_seed() {
        let mut random = Random::from_seed(0);
        let mut tenths = [0u32; 10];
        for _ in 0..10_000 {
            assert!((0.0..1.0).contains(&random.unit()));
            tenths[random.below(10)] += 1;
        }
        assert!(tenths.iter().all(|&n| (850..1150).contains(&n)), "{tenths:?}");
        let draws = |seed| {
            let mut random = Random::from_seed(seed);
            [random.unit(), random.unit()]
        };
        assert_eq!(draws(7), draws(7));
        assert_ne!(draws(7), draws(8));
        assert_ne!(Random::second_stream(7).unit(), Random::from_seed(7).unit());
        assert_eq!(Random::second_stream(7).unit(), Random::second_stream(7).unit());
        assert_ne!(Random::fresh_seed(), Random::fresh_seed());
        let drawn = Arc::new(AtomicBool::new(false));
        let mut noting = Random::from_seed(7).noting(drawn.clone());
        assert!(!drawn.load(Ordering::Relaxed));
        assert_eq!([noting.unit(), noting.unit()], draws(7));
        assert!(drawn.load(Ordering::Relaxed));
        assert_eq!([random.below(0), random.below(1)], [0, 0]);
    }
}
