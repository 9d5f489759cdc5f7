//! Edits of a clip's notes. The list stays sorted, ids stay with their notes, and equal pitches never overlap.

use crate::music::{Beats, Note, SAME_POSITION_BEATS};
use crate::set::document::clip::{Notes, StoredNote};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

/// The order notes are kept in: start, pitch, id.
pub fn compare(a: &StoredNote, b: &StoredNote) -> Ordering {
    a.note.start.total_cmp(&b.note.start).then(a.note.pitch.cmp(&b.note.pitch)).then(a.id.cmp(&b.id))
}

pub fn in_order(a: &StoredNote, b: &StoredNote) -> bool {
    compare(a, b) != Ordering::Greater
}

impl Notes {
    fn fresh_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id = self.next_id.saturating_add(1);
        id
    }

    /// Adds notes and gives their ids. Where a new note meets an older one of its pitch, the older is cut at the new
    /// one's start; one that starts where the new one does is replaced.
    pub fn add(&mut self, notes: &[Note]) -> Vec<u32> {
        let ids: Vec<u32> = notes.iter().map(|_| self.fresh_id()).collect();
        self.list.extend(ids.iter().zip(notes).map(|(id, note)| StoredNote { id: *id, note: *note }));
        self.settle(&ids.iter().copied().collect());
        ids
    }

    /// Makes `notes` the list. A note with the pitch and start of an old one keeps that one's id.
    pub fn replace(&mut self, notes: &[Note]) {
        let slot = |note: &Note| (note.pitch, (note.start / SAME_POSITION_BEATS).round() as i64);
        let old: HashMap<_, u32> = self.list.iter().map(|stored| (slot(&stored.note), stored.id)).collect();
        let mut taken = HashSet::new();
        let mut list = Vec::with_capacity(notes.len());
        for note in notes {
            let id = old.get(&slot(note)).copied().filter(|id| taken.insert(*id)).unwrap_or_else(|| self.fresh_id());
            list.push(StoredNote { id, note: *note });
        }
        self.list = list;
        self.settle(&HashSet::new());
    }

    pub fn remove_ids(&mut self, ids: &HashSet<u32>) {
        self.list.retain(|stored| !ids.contains(&stored.id));
    }

    /// Sorts, and resolves overlaps of equal pitch: a note of `winning` beats the others, else the later start cuts the
    /// earlier note.
    pub fn settle(&mut self, winning: &HashSet<u32>) {
        self.list.sort_by(compare);
        let mut last_of_pitch: HashMap<u8, usize> = HashMap::new();
        let mut dead: HashSet<u32> = HashSet::new();
        for at in 0..self.list.len() {
            let Some(this) = self.list.get(at).copied() else { break };
            if let Some(&before) = last_of_pitch.get(&this.note.pitch)
                && let Some(earlier) = self.list.get_mut(before)
                && earlier.note.start + earlier.note.duration > this.note.start
            {
                if this.note.start - earlier.note.start < SAME_POSITION_BEATS {
                    let keep_earlier = winning.contains(&earlier.id) && !winning.contains(&this.id);
                    dead.insert(if keep_earlier { this.id } else { earlier.id });
                    if keep_earlier {
                        continue;
                    }
                } else {
                    earlier.note.duration = this.note.start - earlier.note.start;
                }
            }
            last_of_pitch.insert(this.note.pitch, at);
        }
        if !dead.is_empty() {
            self.remove_ids(&dead);
        }
    }

    /// Ids of notes that start in `[from, from + span)` with a pitch in `[from_pitch, from_pitch + pitch_span)`.
    pub fn in_area(&self, from_pitch: i64, pitch_span: i64, from: Beats, span: Beats) -> Vec<StoredNote> {
        let pitches = from_pitch..from_pitch.saturating_add(pitch_span);
        self.list
            .iter()
            .filter(|s| pitches.contains(&s.note.pitch.into()) && s.note.start >= from && s.note.start < from + span)
            .copied()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn notes(list: &[(u8, f64, f64)]) -> Vec<Note> {
        list.iter().map(|(p, s, d)| Note::new(*p, *s, *d)).collect()
    }

    fn shape(notes: &Notes) -> Vec<(u32, u8, f64, f64)> {
        notes.list.iter().map(|s| (s.id, s.note.pitch, s.note.start, s.note.duration)).collect()
    }

    #[test]
    fn a_new_note_cuts_or_replaces_the_older_one() {
        let mut kept = Notes { list: vec![], next_id: 1 };
        assert_eq!(kept.add(&notes(&[(60, 0.0, 4.0), (62, 0.0, 4.0)])), [1, 2]);
        kept.add(&notes(&[(60, 1.0, 1.0)]));
        assert_eq!(shape(&kept), [(1, 60, 0.0, 1.0), (2, 62, 0.0, 4.0), (3, 60, 1.0, 1.0)]);
        kept.add(&notes(&[(60, 0.0, 0.5)]));
        assert_eq!(shape(&kept), [(4, 60, 0.0, 0.5), (2, 62, 0.0, 4.0), (3, 60, 1.0, 1.0)]);
    }

    #[test]
    fn replacing_keeps_the_ids_of_notes_that_stay() {
        let mut kept = Notes { list: vec![], next_id: 1 };
        kept.add(&notes(&[(60, 0.0, 1.0), (62, 1.0, 1.0)]));
        kept.replace(&notes(&[(62, 1.0, 0.5), (64, 2.0, 1.0)]));
        assert_eq!(shape(&kept), [(2, 62, 1.0, 0.5), (3, 64, 2.0, 1.0)]);
    }

    proptest! {
        #[test]
        fn equal_pitches_never_overlap(list in prop::collection::vec((60u8..63, 0u32..40, 1u32..20), 0..60), cut in 0usize..60) {
            let all: Vec<Note> = list.iter().map(|(p, s, d)| Note::new(*p, f64::from(*s) / 4.0, f64::from(*d) / 4.0)).collect();
            let mut kept = Notes { list: vec![], next_id: 1 };
            kept.add(&all[..cut.min(all.len())]);
            kept.add(&all[cut.min(all.len())..]);
            prop_assert!(kept.list.is_sorted_by(in_order));
            for a in &kept.list {
                for b in &kept.list {
                    let apart = a.note.start + a.note.duration <= b.note.start + 1e-9 || b.note.start + b.note.duration <= a.note.start + 1e-9;
                    prop_assert!(a.id == b.id || a.note.pitch != b.note.pitch || apart);
                }
                prop_assert!(a.note.duration > 0.0);
            }
        }
    }
}
