//! Dice for note probability and velocity deviation. What is drawn for a note is a function of which note it is and
//! which time it comes round, and of nothing else: a mute, a solo or another track's notes change nobody's draws, and
//! the same music asked for again is the same. Places are meant, not ids: a Set that is read from a file has other ids.

use crate::set::document::ClipPlace;

/// Which note is drawn for, and which of its times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Draw {
    /// Starts, jumps and loops of the clock since the engine was made.
    pub clock_changes: u64,
    /// The launch that plays, 0 in the Arrangement.
    pub launch: u64,
    /// The track's place in the Set.
    pub track: u32,
    pub clip: ClipPlace,
    pub note: u32,
    /// Passes of the clip's loop before this one.
    pub pass: i64,
}

/// What is drawn of a note.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// Whether it sounds.
    Probability = 1,
    /// How much harder it sounds.
    Deviation = 2,
}

impl Draw {
    /// Evenly from 0 (included) to 1 (excluded).
    pub fn unit(&self, purpose: Purpose) -> f64 {
        let parts = [
            self.clock_changes,
            self.launch,
            u64::from(self.track),
            self.clip.number(),
            u64::from(self.note),
            self.pass as u64,
            purpose as u64,
        ];
        let hash = parts.into_iter().fold(SEED, |hash, part| mixed(hash.wrapping_add(GOLDEN) ^ mixed(part)));
        // The upper 53 bits fill a double's mantissa exactly.
        (hash >> 11) as f64 / (1u64 << 53) as f64
    }
}

const SEED: u64 = 0x5356_4320_4465_7669;
/// 2^64 divided by the golden ratio, SplitMix64's step.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64's output function: each bit of the input changes half of the output's.
fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Draw =
        Draw { clock_changes: 1, launch: 1, track: 10, clip: ClipPlace::session(100), note: 1, pass: 0 };

    /// What is drawn along one of a draw's numbers.
    fn along(number: impl Fn(u32) -> Draw) -> Vec<f64> {
        (0..10_000).map(|n| number(n).unit(Purpose::Probability)).collect()
    }

    #[test]
    fn draws_fill_the_unit_interval_evenly_along_each_number() {
        let table = [
            ("clock changes", along(|n| Draw { clock_changes: n.into(), ..FIRST })),
            ("launches", along(|n| Draw { launch: n.into(), ..FIRST })),
            ("tracks", along(|n| Draw { track: n, ..FIRST })),
            ("scenes", along(|n| Draw { clip: ClipPlace::session(n as usize), ..FIRST })),
            ("starts", along(|n| Draw { clip: ClipPlace::arrangement(n.into()), ..FIRST })),
            ("notes", along(|n| Draw { note: n, ..FIRST })),
            ("passes", along(|n| Draw { pass: n.into(), ..FIRST })),
            ("passes before the first", along(|n| Draw { pass: -i64::from(n), ..FIRST })),
        ];
        for (name, draws) in table {
            let mut tenths = [0u32; 10];
            for draw in &draws {
                assert!((0.0..1.0).contains(draw), "{name}");
                tenths[(draw * 10.0) as usize] += 1;
            }
            assert!(tenths.iter().all(|&n| (850..1150).contains(&n)), "{name}: {tenths:?}");
            // One draw says nothing of the next.
            let rises = draws.windows(2).filter(|pair| pair[0] < pair[1]).count();
            assert!((4800..5200).contains(&rises), "{name}: {rises}");
        }
    }

    #[test]
    fn what_is_drawn_for_one_purpose_says_nothing_of_another() {
        let alike = (0..10_000)
            .map(|note| Draw { note, ..FIRST })
            .filter(|draw| (draw.unit(Purpose::Probability) < 0.5) == (draw.unit(Purpose::Deviation) < 0.5))
            .count();
        assert!((4800..5200).contains(&alike), "{alike}");
    }
}
