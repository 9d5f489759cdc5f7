//! A lane of the timeline: its clips by their left edge. Persistent: laying one clip among thousands copies a few
//! nodes.
//!
//! Written and read as the array of its clips. No two begin at one place; that none overlaps the next is its user's to
//! keep.

use crate::music::Beats;
use crate::set::document::clip::{Clip, NoteCount};
use crate::set::document::ids::Serial;
use crate::set::document::ordered::{self, Item, Tree};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

/// A clip on the timeline, in quarter beats of the Arrangement. `start < end`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlacedClip {
    pub start: Beats,
    /// The right edge: the clip's content is cut there, or repeats up to it while it loops.
    pub end: Beats,
    pub clip: Arc<Clip>,
}

/// Clips look alike when they are the same in memory; only others are compared by value.
impl PartialEq for PlacedClip {
    fn eq(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.clip, &other.clip) || self.clip == other.clip;
        self.start == other.start && self.end == other.end && same
    }
}

impl Item for PlacedClip {
    type Sum = NoteCount;
    fn sum(&self) -> NoteCount {
        self.clip.note_count()
    }
}

/// See the [module](self).
#[derive(Clone, Default)]
pub struct Lane(Tree<PlacedClip>);

/// The bits of a float from 0 up are in the order of the floats.
fn key(start: Beats) -> u64 {
    (start + 0.0).to_bits()
}

impl Lane {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The notes of all its clips.
    pub fn note_count(&self) -> NoteCount {
        self.0.sum()
    }

    pub fn get(&self, position: usize) -> Option<&PlacedClip> {
        self.0.at(position).map(|(_, placed)| placed)
    }

    /// The clip that begins at a place, exactly.
    pub fn starting_at(&self, start: Beats) -> Option<&PlacedClip> {
        self.0.get(key(start))
    }

    /// The position of the clip that begins at a place, exactly.
    pub fn position_of(&self, start: Beats) -> Option<usize> {
        self.0.rank(key(start))
    }

    /// The clip that ends last.
    pub fn last(&self) -> Option<&PlacedClip> {
        self.get(self.len().checked_sub(1)?)
    }

    pub fn iter(&self) -> ordered::Iter<'_, PlacedClip> {
        self.0.iter()
    }

    /// The clips that have a part of a span, in order.
    pub fn within(&self, from: Beats, to: Beats) -> impl Iterator<Item = &PlacedClip> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle) {
                Some(placed) if placed.end <= from => low = middle + 1,
                _ => high = middle,
            }
        }
        self.0.iter_from(low).take_while(move |placed| placed.start < to)
    }

    /// The clips that end after a place, in order. Allocates nothing: the audio thread looks here.
    pub fn ending_after(&self, from: Beats) -> ordered::Iter<'_, PlacedClip> {
        // What is no number is the beginning, as is what lies before it.
        let starting = self.0.count_below(key(from.max(0.0)));
        let before = starting.checked_sub(1).filter(|at| self.get(*at).is_some_and(|placed| placed.end > from));
        self.0.iter_from(before.unwrap_or(starting))
    }

    /// Puts a clip; one that begins at the same place is replaced.
    pub fn insert(&mut self, placed: PlacedClip) {
        self.0.insert(key(placed.start), placed);
    }

    pub fn remove(&mut self, start: Beats) -> Option<PlacedClip> {
        self.0.remove(key(start))
    }

    /// Changes the clip that begins at a place, all but that.
    pub fn edit<R>(&mut self, start: Beats, change: impl FnOnce(&mut PlacedClip) -> R) -> Option<R> {
        self.0.edit(key(start), change)
    }

    /// Visits the places whose clips `self` and `other` do not share, with the clip on each side.
    pub fn differences<'a>(
        &'a self,
        other: &'a Self,
        visit: impl FnMut(Option<&'a PlacedClip>, Option<&'a PlacedClip>),
    ) {
        let same = |a: &PlacedClip, b: &PlacedClip| Arc::ptr_eq(&a.clip, &b.clip) && a.end == b.end;
        self.0.differences(&other.0, same, visit);
    }

    /// The same with clips of ids of their own.
    pub fn renumbered<E>(&self, fresh: &mut impl FnMut() -> Result<Serial, E>) -> Result<Lane, E> {
        let copies = self.iter().map(|placed| {
            let clip = Arc::new(Clip { serial: fresh()?, ..Clip::clone(&placed.clip) });
            Ok((key(placed.start), PlacedClip { clip, ..placed.clone() }))
        });
        Ok(Lane(Tree::from_sorted(copies.collect::<Result<_, E>>()?)))
    }
}

impl PartialEq for Lane {
    fn eq(&self, other: &Self) -> bool {
        self.0.has_items_of(&other.0, PlacedClip::eq)
    }
}

impl fmt::Debug for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a Lane {
    type Item = &'a PlacedClip;
    type IntoIter = ordered::Iter<'a, PlacedClip>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Serialize for Lane {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Lane {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let clips = Vec::<PlacedClip>::deserialize(deserializer)?;
        let on_it = clips.iter().all(|placed| placed.start >= 0.0 && placed.start.is_finite());
        if !on_it || !clips.is_sorted_by(|a, b| a.start < b.start) {
            return Err(serde::de::Error::custom("Arrangement clips overlap or are out of order"));
        }
        Ok(Lane(Tree::from_sorted(clips.into_iter().map(|placed| (key(placed.start), placed)).collect())))
    }
}
