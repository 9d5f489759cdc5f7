//! The tree against the standard library's, and its rules node by node.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

impl Summary for u64 {
    fn plus(&mut self, other: &u64) {
        *self += other;
    }
}

impl Item for u64 {
    type Sum = u64;
    fn sum(&self) -> u64 {
        *self
    }
}

/// The rules of the tree, node by node. Gives size, height and sum.
fn check(link: &Link<u64>, low: Option<u64>, high: Option<u64>) -> (usize, u8, u64) {
    let Some(node) = link else { return (0, 0, 0) };
    assert!(low.is_none_or(|low| low < node.key) && high.is_none_or(|high| node.key < high), "keys out of order");
    let (left_size, left, left_sum) = check(&node.left, low, Some(node.key));
    let (right_size, right, right_sum) = check(&node.right, Some(node.key), high);
    assert!(left.abs_diff(right) <= 1, "heights {left} and {right}");
    let counted = (left_size + right_size + 1, left.max(right) + 1, left_sum + right_sum + node.item);
    assert_eq!((node.size as usize, node.height, node.sum), counted);
    counted
}

#[derive(Clone, Debug)]
enum Operation {
    Insert(u64, u64),
    Remove(u64),
    Edit(u64, u64),
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let key = 0u64..200;
    let operation = prop_oneof![
        3 => (key.clone(), 0u64..9).prop_map(|(key, item)| Operation::Insert(key, item)),
        2 => key.clone().prop_map(Operation::Remove),
        1 => (key, 0u64..9).prop_map(|(key, item)| Operation::Edit(key, item)),
    ];
    prop::collection::vec(operation, 0..250)
}

fn act(tree: &mut Tree<u64>, map: &mut BTreeMap<u64, u64>, operation: &Operation) {
    match *operation {
        Operation::Insert(key, item) => {
            tree.insert(key, item);
            map.insert(key, item);
        }
        Operation::Remove(key) => assert_eq!(tree.remove(key), map.remove(&key)),
        Operation::Edit(key, item) => {
            let edited = tree.edit(key, |old| std::mem::replace(old, item));
            assert_eq!(edited, map.get_mut(&key).map(|old| std::mem::replace(old, item)));
        }
    }
}

proptest! {
    #[test]
    fn it_is_a_sorted_map(operations in operations()) {
        let (mut tree, mut map) = (Tree::default(), BTreeMap::new());
        for operation in &operations {
            let (before, was) = (tree.clone(), map.clone());
            act(&mut tree, &mut map, operation);
            check(&tree.root, None, None);
            prop_assert!(before.iter().eq(was.values()), "an older version changed");
        }
        prop_assert!(tree.iter().eq(map.values()));
        prop_assert!(tree.iter().rev().eq(map.values().rev()));
        prop_assert_eq!(tree.iter().len(), map.len());
        let mut ends = tree.iter();
        let (first, last) = (ends.next(), ends.next_back());
        prop_assert_eq!((first, last), (map.values().next(), map.values().skip(1).next_back()));
        prop_assert_eq!(ends.count(), map.len().saturating_sub(2));
        for (at, (key, item)) in map.iter().enumerate() {
            prop_assert!(tree.iter_from(at).eq(map.values().skip(at)));
            prop_assert_eq!((tree.at(at), tree.rank(*key), tree.get(*key)), (Some((*key, item)), Some(at), Some(item)));
        }
        prop_assert_eq!((tree.at(map.len()), tree.rank(1000), tree.sum()), (None, None, map.values().sum()));
        let built = Tree::from_sorted(map.into_iter().collect());
        check(&built.root, None, None);
        prop_assert!(built.has_items_of(&tree, |a, b| a == b));
    }

    #[test]
    fn versions_are_compared_by_what_they_do_not_share(first in operations(), second in operations()) {
        let (mut tree, mut map) = (Tree::default(), BTreeMap::new());
        first.iter().for_each(|operation| act(&mut tree, &mut map, operation));
        let (before, was) = (tree.clone(), map.clone());
        second.iter().take(5).for_each(|operation| act(&mut tree, &mut map, operation));
        let same_items = was.values().eq(map.values());
        prop_assert_eq!(before.has_items_of(&tree, |a, b| a == b), same_items);
        let mut seen = Vec::new();
        before.differences(&tree, |a, b| a == b, |a, b| seen.push((a.copied(), b.copied())));
        let keys: std::collections::BTreeSet<_> = was.keys().chain(map.keys()).collect();
        let want = keys.into_iter().map(|key| (was.get(key).copied(), map.get(key).copied()));
        prop_assert_eq!(seen, want.filter(|(a, b)| a != b).collect::<Vec<_>>());
    }
}

#[test]
fn a_comparison_looks_at_no_more_than_the_paths_that_differ() {
    let before = Tree::from_sorted((0..10_000).map(|key| (key * 2, key)).collect());
    type Change = fn(&mut Tree<u64>);
    let table: [(&str, Change); 4] = [
        ("edit", |tree| tree.edit(5000, |item| *item += 1).unwrap()),
        ("insert in front", |tree| tree.insert(0, 7)),
        ("insert inside", |tree| tree.insert(7001, 7)),
        ("remove", |tree| assert!(tree.remove(7000).is_some())),
    ];
    for (name, change) in table {
        let mut after = before.clone();
        change(&mut after);
        let looked = std::cell::Cell::new(0);
        let same = |a: &u64, b: &u64| {
            looked.set(looked.get() + 1);
            a == b
        };
        let mut changed = 0;
        before.differences(&after, same, |_, _| changed += 1);
        assert_eq!(changed, 1, "{name}");
        assert!(looked.get() < 60, "{name}: {}", looked.get());
    }
}
