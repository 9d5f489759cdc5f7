//! Whatever the bytes, a reader ends, and tells no more frames than it gives: [`read`] looks at both.

use super::built::*;
use proptest::prelude::*;

/// Files of each kind, small.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> =
        ["half.wav", "half.aiff", "half.flac", "half.mp3", "half.ogg"].into_iter().map(fixture).collect();
    seeds.push(plain_wav());
    seeds.push(aiff(Some(b"sowt"), 24, 5, &[0; 15]));
    seeds
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn changed_heads_are_read_or_refused(
        seed in 0..7usize,
        changes in proptest::collection::vec((0..600usize, any::<u8>()), 1..6),
        cut in 0..4_000usize,
    ) {
        let mut bytes = seeds().swap_remove(seed);
        for (place, byte) in changes {
            if let Some(old) = bytes.get_mut(place) {
                *old = byte;
            }
        }
        bytes.truncate(bytes.len().saturating_sub(cut).max(40));
        let _ = read(&bytes);
    }

    #[test]
    fn any_bytes_behind_a_head(
        seed in 0..7usize,
        keep in 4..64usize,
        bytes in proptest::collection::vec(any::<u8>(), 0..3_000),
    ) {
        let mut file = seeds().swap_remove(seed);
        file.truncate(keep);
        file.extend(bytes);
        let _ = read(&file);
    }
}
