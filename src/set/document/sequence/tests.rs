//! The sequence against a plain list, and how few labels crowding moves.

use super::*;
use proptest::prelude::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Thing {
    serial: Serial,
    value: u32,
}

impl SequenceItem for Thing {
    type Sum = ();
    fn serial(&self) -> Serial {
        self.serial
    }
    fn sum(&self) {}
}

fn thing(serial: Serial) -> Arc<Thing> {
    Arc::new(Thing { serial, value: 0 })
}

/// Every object lies where the list says, and is found there.
fn assert_is(sequence: &Sequence<Thing>, list: &[Arc<Thing>]) {
    assert!(sequence.iter().eq(list.iter()), "{sequence:?} is not {list:?}");
    assert_eq!((sequence.len(), sequence.labels.len()), (list.len(), list.len()));
    for (at, item) in list.iter().enumerate() {
        assert_eq!(sequence.position(item.serial), Some(at));
        assert_eq!((sequence.find(item.serial), sequence.get(at)), (Some(item), Some(item)));
    }
    let labels: Vec<u64> = (0..list.len()).filter_map(|at| sequence.label_at(at)).collect();
    assert!(labels.is_sorted_by(|a, b| a < b), "{labels:?}");
}

#[derive(Clone, Debug)]
enum Operation {
    Insert(usize),
    /// Many objects, each before the last one: uses the room between two labels up.
    Crowd(usize, usize),
    Remove(usize),
    Edit(usize),
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn it_is_a_list(start in 0u32..40, operations in prop::collection::vec(prop_oneof![
        4 => (0usize..90).prop_map(Operation::Insert),
        1 => (0usize..90, 1usize..80).prop_map(|(at, many)| Operation::Crowd(at, many)),
        3 => (0usize..90).prop_map(Operation::Remove),
        2 => (0usize..90).prop_map(Operation::Edit),
    ], 0..40)) {
        let mut list: Vec<Arc<Thing>> = (1..=start).map(thing).collect();
        let mut sequence: Sequence<Thing> = list.iter().cloned().collect();
        let mut serial = start;
        for operation in operations {
            let (before, was) = (sequence.clone(), list.clone());
            match operation {
                Operation::Insert(at) | Operation::Crowd(at, _) => {
                    let many = if let Operation::Crowd(_, many) = operation { many } else { 1 };
                    for _ in 0..many {
                        serial += 1;
                        sequence.insert(at, thing(serial));
                        list.insert(at.min(list.len()), thing(serial));
                    }
                }
                Operation::Remove(at) => {
                    let removed = (at < list.len()).then(|| list.remove(at));
                    prop_assert_eq!(sequence.remove(at), removed.clone());
                    prop_assert!(removed.is_none_or(|gone| sequence.find(gone.serial).is_none()));
                }
                Operation::Edit(at) => {
                    let edited = list.get_mut(at).map(|item| {
                        Arc::make_mut(item).value += 1;
                        item.serial
                    });
                    let serial = edited.unwrap_or(9999);
                    prop_assert_eq!(sequence.edit(serial, |item| item.value += 1).is_some(), edited.is_some());
                }
            }
            assert_is(&sequence, &list);
            assert_is(&before, &was);
            prop_assert_eq!(before == sequence, was == list);
        }
        let text = serde_json::to_string(&sequence).unwrap();
        prop_assert_eq!(&text, &serde_json::to_string(&list).unwrap());
        assert_is(&serde_json::from_str(&text).unwrap(), &list);
    }
}

#[test]
fn crowding_one_place_relabels_few_at_a_time() {
    let mut sequence: Sequence<Thing> = (1..=1000).map(thing).collect();
    let mut list: Vec<Arc<Thing>> = sequence.iter().cloned().collect();
    let (mut most, mut all) = (0, 0);
    for serial in 1001..=3000 {
        let before = sequence.clone();
        sequence.insert(500, thing(serial));
        list.insert(500, thing(serial));
        let moved = before.labels.iter().filter(|(serial, label)| sequence.labels.get(*serial) != Some(*label)).count();
        (most, all) = (most.max(moved), all + moved);
    }
    assert_is(&sequence, &list);
    assert!(all > 0, "the room between two labels was used up");
    assert!(most < 300 && all < 20_000, "{most} at once, {all} in all");
}

#[test]
fn both_ends_have_room() {
    for front in [true, false] {
        let mut sequence = Sequence::new();
        for serial in 1..=2000 {
            sequence.insert(if front { 0 } else { usize::MAX }, thing(serial));
        }
        let mut list: Vec<Arc<Thing>> = (1..=2000).map(thing).collect();
        if front {
            list.reverse();
        }
        assert_is(&sequence, &list);
    }
}
