//! An ordered list of shared objects that are also found by their serial: the Set's tracks and scenes.
//!
//! Persistent like the [`Tree`] below it: cloning copies two pointers, and inserting, removing, editing and finding an
//! object's position cost the logarithm of the length. Each object has an *order label*, a number between those of its
//! neighbours, so that its position is a rank in the tree and moving in a sibling touches no other entry. Where two
//! neighbours' labels leave no room, those around them are spread out again.
//!
//! Written and read as a plain array.

#[cfg(test)]
mod tests;

use crate::set::document::ids::Serial;
use crate::set::document::ordered::{self, Item, Summary, Tree};
use imbl::OrdMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::Index;
use std::sync::Arc;

/// An object of a [`Sequence`].
pub trait SequenceItem {
    /// What is counted over the whole sequence.
    type Sum: Summary;
    /// Never changes, and no other object of the sequence has it.
    fn serial(&self) -> Serial;
    fn sum(&self) -> Self::Sum;
}

impl<T: SequenceItem> Item for Arc<T> {
    type Sum = T::Sum;
    fn sum(&self) -> T::Sum {
        T::sum(self)
    }
}

/// Labels of a list made at once lie between these, so that both ends have room.
const FIRST_LABEL: u64 = 1 << 62;
const LAST_LABEL: u64 = 3 << 62;
/// From the first or last label to a new one beyond it.
const STEP: u64 = 1 << 40;
/// Room between neighbours that spreading out has to reach, on average.
const ROOM: u64 = 1 << 32;
/// Neighbours on each side among which room is looked for first.
const NEIGHBOURS: usize = 16;

/// See the [module](self).
pub struct Sequence<T: SequenceItem> {
    by_label: Tree<Arc<T>>,
    labels: OrdMap<Serial, u64>,
}

impl<T: SequenceItem> Sequence<T> {
    pub fn new() -> Sequence<T> {
        Sequence::default()
    }

    pub fn len(&self) -> usize {
        self.by_label.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_label.is_empty()
    }

    pub fn get(&self, at: usize) -> Option<&Arc<T>> {
        self.by_label.at(at).map(|(_, item)| item)
    }

    pub fn first(&self) -> Option<&Arc<T>> {
        self.get(0)
    }

    pub fn last(&self) -> Option<&Arc<T>> {
        self.get(self.len().checked_sub(1)?)
    }

    pub fn iter(&self) -> ordered::Iter<'_, Arc<T>> {
        self.by_label.iter()
    }

    pub fn iter_from(&self, at: usize) -> ordered::Iter<'_, Arc<T>> {
        self.by_label.iter_from(at)
    }

    /// What is counted over all objects.
    pub fn sum(&self) -> T::Sum {
        self.by_label.sum()
    }

    pub fn position(&self, serial: Serial) -> Option<usize> {
        self.by_label.rank(*self.labels.get(&serial)?)
    }

    pub fn find(&self, serial: Serial) -> Option<&Arc<T>> {
        self.by_label.get(*self.labels.get(&serial)?)
    }

    /// Changes an object, copying it if others share it; `None` when it is not here. Its serial must stay.
    pub fn edit<R>(&mut self, serial: Serial, change: impl FnOnce(&mut T) -> R) -> Option<R>
    where
        T: Clone,
    {
        let label = *self.labels.get(&serial)?;
        self.by_label.edit(label, |item| change(Arc::make_mut(item)))
    }

    /// Changes every object.
    pub fn edit_all(&mut self, mut change: impl FnMut(&mut T))
    where
        T: Clone,
    {
        let serials: Vec<Serial> = self.iter().map(|item| item.serial()).collect();
        for serial in serials {
            self.edit(serial, &mut change);
        }
    }

    /// Puts an object at a position, or at the end if there is none such.
    pub fn insert(&mut self, at: usize, item: Arc<T>) {
        let at = at.min(self.len());
        let label = self.label_between(at).unwrap_or_else(|| {
            self.make_room(at);
            // Every label is at least ROOM from the next now.
            self.label_between(at).unwrap_or(FIRST_LABEL)
        });
        self.labels.insert(item.serial(), label);
        self.by_label.insert(label, item);
    }

    pub fn push(&mut self, item: Arc<T>) {
        self.insert(self.len(), item);
    }

    pub fn remove(&mut self, at: usize) -> Option<Arc<T>> {
        let (label, _) = self.by_label.at(at)?;
        let item = self.by_label.remove(label)?;
        self.labels.remove(&item.serial());
        Some(item)
    }

    /// Visits the objects that `self` and `other` do not share, with the one on each side.
    pub fn differences<'a>(&'a self, other: &'a Self, visit: impl FnMut(Option<&'a Arc<T>>, Option<&'a Arc<T>>)) {
        self.by_label.differences(&other.by_label, Arc::ptr_eq, visit);
    }

    fn label_at(&self, at: usize) -> Option<u64> {
        self.by_label.at(at).map(|(label, _)| label)
    }

    /// A label between those at `at - 1` and `at`; `None` where there is no room.
    fn label_between(&self, at: usize) -> Option<u64> {
        let before = at.checked_sub(1).and_then(|before| self.label_at(before));
        match (before, self.label_at(at)) {
            (None, None) => Some(FIRST_LABEL),
            (None, Some(after)) => after.checked_sub(STEP),
            (Some(before), None) => before.checked_add(STEP),
            (Some(before), Some(after)) => {
                let half = after.saturating_sub(before) / 2;
                (half > 0).then(|| before + half)
            }
        }
    }

    /// Spreads out the labels around a position: of as few neighbours as have room between them.
    fn make_room(&mut self, at: usize) {
        let mut reach = NEIGHBOURS;
        loop {
            let (from, to) = (at.saturating_sub(reach), (at + reach).min(self.len().saturating_sub(1)));
            let whole = from == 0 && to + 1 >= self.len();
            let (low, high) = match (self.label_at(from), self.label_at(to)) {
                (Some(low), Some(high)) if !whole => (low, high),
                _ => (FIRST_LABEL, LAST_LABEL),
            };
            let steps = (to - from).max(1) as u64;
            let step = high.saturating_sub(low) / steps;
            if whole || step >= ROOM {
                for (at, number) in (from..=to).zip(0u64..) {
                    self.relabel(at, low + step * number);
                }
                return;
            }
            reach *= 2;
        }
    }

    fn relabel(&mut self, at: usize, label: u64) {
        if let Some(serial) = self.get(at).map(|item| item.serial()) {
            self.by_label.set_key(at, label);
            self.labels.insert(serial, label);
        }
    }
}

impl<T: SequenceItem> Clone for Sequence<T> {
    fn clone(&self) -> Self {
        Sequence { by_label: self.by_label.clone(), labels: self.labels.clone() }
    }
}

impl<T: SequenceItem> Default for Sequence<T> {
    fn default() -> Self {
        Sequence { by_label: Tree::default(), labels: OrdMap::new() }
    }
}

impl<T: SequenceItem> FromIterator<Arc<T>> for Sequence<T> {
    fn from_iter<I: IntoIterator<Item = Arc<T>>>(items: I) -> Self {
        let items: Vec<Arc<T>> = items.into_iter().collect();
        let step = (LAST_LABEL - FIRST_LABEL) / items.len().max(1) as u64;
        let labelled: Vec<(u64, Arc<T>)> = (0u64..).map(|n| FIRST_LABEL + step * n).zip(items).collect();
        let labels = labelled.iter().map(|(label, item)| (item.serial(), *label)).collect();
        Sequence { by_label: Tree::from_sorted(labelled), labels }
    }
}

impl<T: SequenceItem + PartialEq> PartialEq for Sequence<T> {
    fn eq(&self, other: &Self) -> bool {
        self.by_label.has_items_of(&other.by_label, |a, b| Arc::ptr_eq(a, b) || a == b)
    }
}

impl<T: SequenceItem + fmt::Debug> fmt::Debug for Sequence<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T: SequenceItem> IntoIterator for &'a Sequence<T> {
    type Item = &'a Arc<T>;
    type IntoIter = ordered::Iter<'a, Arc<T>>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// As a slice's: for tests and for places that have just looked at the length.
impl<T: SequenceItem> Index<usize> for Sequence<T> {
    type Output = Arc<T>;
    fn index(&self, at: usize) -> &Arc<T> {
        match self.get(at) {
            Some(item) => item,
            None => panic!("index {at} of a sequence of {}", self.len()),
        }
    }
}

impl<T: SequenceItem + Serialize> Serialize for Sequence<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: SequenceItem + Deserialize<'de>> Deserialize<'de> for Sequence<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Arc<T>>::deserialize(deserializer).map(Sequence::from_iter)
    }
}
