//! Which items of two lists kept their order: the most that can be said to have. See D88 in `docs/decisions.md`.

use crate::set::document::ids::Serial;
use std::collections::{HashMap, HashSet};

/// The items of both lists that stand in the same order in both; as few as possible are left out, which have moved.
pub fn kept_order(before: &[Serial], after: &[Serial]) -> HashSet<Serial> {
    let places: HashMap<Serial, usize> = before.iter().enumerate().map(|(at, serial)| (*serial, at)).collect();
    let both: Vec<(Serial, usize)> =
        after.iter().filter_map(|serial| places.get(serial).map(|at| (*serial, *at))).collect();
    let place = |at: usize| both.get(at).map_or(0, |(_, place)| *place);
    // The longest rising run of places: of the runs of each length the end of that whose end is lowest, and of each
    // item the one before it in the run that it ends.
    let mut ends: Vec<usize> = Vec::new();
    let mut behind: Vec<Option<usize>> = Vec::with_capacity(both.len());
    for at in 0..both.len() {
        let shorter = ends.partition_point(|end| place(*end) < place(at));
        behind.push(shorter.checked_sub(1).and_then(|length| ends.get(length).copied()));
        match ends.get_mut(shorter) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut kept = HashSet::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        kept.extend(both.get(at).map(|(serial, _)| *serial));
        next = behind.get(at).copied().flatten();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::kept_order;
    use proptest::prelude::*;

    #[test]
    fn as_few_as_possible_have_moved() {
        for (before, after, moved) in [
            (&[1, 2, 3, 4][..], &[4, 1, 2, 3][..], &[4][..]),
            (&[1, 2, 3, 4], &[2, 3, 4, 1], &[1]),
            (&[1, 2], &[5, 1, 6, 2], &[]),
            (&[1, 2, 3, 4, 5], &[4, 5, 1, 2, 3], &[4, 5]),
            (&[], &[1], &[]),
        ] {
            let kept = kept_order(before, after);
            let both = before.iter().filter(|serial| after.contains(serial));
            let left: Vec<u32> = both.copied().filter(|serial| !kept.contains(serial)).collect();
            assert_eq!(left, moved, "{before:?} {after:?}");
        }
    }

    proptest! {
        /// By trying every choice of items.
        #[test]
        fn no_choice_keeps_more(after in Just((0u32..7).collect::<Vec<_>>()).prop_shuffle()) {
            let before: Vec<u32> = (0..7).collect();
            let kept = kept_order(&before, &after);
            let rises = |chosen: &dyn Fn(u32) -> bool| {
                after.iter().copied().filter(|serial| chosen(*serial)).collect::<Vec<_>>().is_sorted()
            };
            prop_assert!(rises(&|serial| kept.contains(&serial)));
            let most = (0u32..128).filter(|bits| rises(&|serial| bits >> serial & 1 == 1)).map(u32::count_ones).max();
            prop_assert_eq!(Some(kept.len() as u32), most);
        }
    }
}
