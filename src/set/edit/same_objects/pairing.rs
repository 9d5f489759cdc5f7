//! Two lists of likenesses paired: by what they have in common, then by place.

use std::collections::{HashMap, VecDeque};

/// What an object is like.
#[derive(Clone, Debug, Default)]
pub struct Likeness {
    /// Only objects of one sort are the same.
    pub sort: String,
    /// From the surest to the weakest; those that an object lacks are `None`.
    pub keys: Vec<Option<String>>,
}

/// Which of the old is which of the new, by position: by each key in turn, the n-th that has it with the n-th. With
/// `by_place`, what is left between two pairs is paired in order.
pub fn pairs(old: &[Likeness], new: &[Likeness], by_place: bool) -> Vec<(usize, usize)> {
    let mut found = Found { to: vec![None; old.len()], taken: vec![false; new.len()] };
    let rounds = old.iter().chain(new).map(|likeness| likeness.keys.len()).max().unwrap_or_default();
    for round in 0..rounds {
        let key = |likeness: &Likeness| Some((likeness.sort.clone(), likeness.keys.get(round)?.clone()?));
        found.round(old.iter().map(key).collect(), new.iter().map(key).collect());
    }
    if by_place {
        let (before_old, before_new) = found.anchors();
        let placed =
            |(likeness, anchor): (&Likeness, Option<usize>)| Some((likeness.sort.clone(), format!("{anchor:?}")));
        let (old, new) = (old.iter().zip(before_old), new.iter().zip(before_new));
        found.round(old.map(placed).collect(), new.map(placed).collect());
    }
    // What has nothing of its own is the same in order.
    let plain =
        |likeness: &Likeness| likeness.keys.iter().all(Option::is_none).then(|| (likeness.sort.clone(), String::new()));
    found.round(old.iter().map(plain).collect(), new.iter().map(plain).collect());
    found.to.into_iter().enumerate().filter_map(|(at, to)| Some((at, to?))).collect()
}

/// What is paired so far.
struct Found {
    /// The new one of each old one.
    to: Vec<Option<usize>>,
    taken: Vec<bool>,
}

type Key = Option<(String, String)>;

impl Found {
    fn round(&mut self, old: Vec<Key>, new: Vec<Key>) {
        let mut waiting: HashMap<(String, String), VecDeque<usize>> = HashMap::new();
        for ((at, key), taken) in new.into_iter().enumerate().zip(&self.taken) {
            if let (Some(key), false) = (key, *taken) {
                waiting.entry(key).or_default().push_back(at);
            }
        }
        for (key, to) in old.into_iter().zip(&mut self.to).filter(|(_, to)| to.is_none()) {
            let found = key.and_then(|key| waiting.get_mut(&key)?.pop_front());
            if let Some(taken) = found.and_then(|at| self.taken.get_mut(at)) {
                *taken = true;
                *to = found;
            }
        }
    }

    /// Of each item, as a place among the new, the pair that stands nearest before it.
    fn anchors(&self) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
        let nearest = |paired: &mut dyn Iterator<Item = Option<usize>>| {
            let mut last = None;
            paired
                .map(|place| {
                    last = place.or(last);
                    last
                })
                .collect()
        };
        let mut places = self.taken.iter().enumerate().map(|(at, taken)| taken.then_some(at));
        (nearest(&mut self.to.iter().copied()), nearest(&mut places))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<Likeness> {
        let one = |word: &str| {
            let (sort, name) = word.split_at(1);
            Likeness { sort: sort.to_owned(), keys: vec![Some(name.to_owned()).filter(|name| !name.is_empty())] }
        };
        text.split_whitespace().map(one).collect()
    }

    #[test]
    fn names_then_places_pair() {
        for (old, new, by_place, want) in [
            ("mA mB", "mB mA", true, vec![(0, 1), (1, 0)]),
            // Renamed, with another one made behind it.
            ("mA mB mC", "mA mX mC mD", true, vec![(0, 0), (1, 1), (2, 2)]),
            ("mA mB", "mA aB", true, vec![(0, 0)]),
            ("mA mA", "mA mA mA", true, vec![(0, 0), (1, 1)]),
            ("m m m", "m m", true, vec![(0, 0), (1, 1)]),
            ("mA m", "m mA", true, vec![(0, 1), (1, 0)]),
            ("mA mB", "mA mX", false, vec![(0, 0)]),
            ("", "mA", true, vec![]),
        ] {
            assert_eq!(pairs(&list(old), &list(new), by_place), want, "{old} / {new}");
        }
    }
}
