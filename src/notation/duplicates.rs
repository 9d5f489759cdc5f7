//! Notes that share a pitch and a start: deletions, replacements, order.
//!
//! A slot is a pitch and a start; starts closer than [`SAME_POSITION_BEATS`] are the same. The last note written to a
//! slot is the one that stays.

use crate::music::{Note, SAME_POSITION_BEATS};
use std::collections::BTreeMap;

/// Notes as they go into a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Resolved {
    /// One note in a slot, sorted by start and pitch.
    pub notes: Vec<Note>,
    /// Notes of the text itself that gave way to a later one in their slot.
    pub duplicates: usize,
    /// With those, in the same order: only where there are some.
    pub with_duplicates: Option<Vec<Note>>,
    /// Deletions of a text for a clip without notes that found none to delete.
    pub idle_deletions: usize,
}

/// Applies deletions to notes in the order they were written, the clip's own (`existing` of them) first: a note of
/// velocity 0 removes every earlier one in its slot and itself. Then leaves one note in a slot.
pub(super) fn resolve(mut written: Vec<Note>, mut existing: usize) -> Resolved {
    let deletes = |note: &Note| note.velocity <= 0.0;
    let mut idle_deletions = 0;
    if written.iter().any(deletes) {
        let is_new = existing == 0;
        let idle;
        (written, existing, idle) = delete(written, existing, deletes);
        idle_deletions = if is_new { idle } else { 0 };
    }
    let mut duplicates = 0;
    let mut taken = vec![false; existing];
    let notes = keep_last(
        &written,
        |note| note,
        |place| match taken.get_mut(place) {
            Some(flag) => *flag = true,
            None => duplicates += 1,
        },
    );
    let with_duplicates = (duplicates > 0).then(|| {
        let stays = |place: usize| !taken.get(place).copied().unwrap_or(false);
        let left: Vec<Note> = written.iter().enumerate().filter(|(at, _)| stays(*at)).map(|(_, note)| *note).collect();
        sorted(&left)
    });
    Resolved { notes, duplicates, with_duplicates, idle_deletions }
}

/// Leaves the last one written to each slot, sorted by start and pitch. Reports the index of each one that is dropped.
pub(super) fn keep_last<T: Copy>(
    written: &[T],
    note: impl Fn(&T) -> &Note,
    mut gives_way: impl FnMut(usize),
) -> Vec<T> {
    let order = Order::new(written.iter().map(&note));
    let mut stays = vec![true; order.0.len()];
    // By pitch: the one that stays so far in the slot being looked at, by its place in the order.
    let mut tops: [Option<usize>; 256] = [None; 256];
    for (at, key) in order.0.iter().enumerate() {
        let Some(slot) = tops.get_mut(usize::from(key.pitch())) else { continue };
        let top = slot.and_then(|top| order.0.get(top).map(|key| (top, key)));
        let (gone, top) = match top {
            Some((top, earlier)) if key.start() - earlier.start() < SAME_POSITION_BEATS => {
                if key.place() > earlier.place() { (Some(top), at) } else { (Some(at), top) }
            }
            _ => (None, at),
        };
        *slot = Some(top);
        if let Some((key, flag)) = gone.and_then(|gone| Some((order.0.get(gone)?, stays.get_mut(gone)?))) {
            *flag = false;
            gives_way(key.place());
        }
    }
    let kept = order.0.iter().zip(stays).filter(|(_, stays)| *stays);
    kept.filter_map(|(key, _)| written.get(key.place()).copied()).collect()
}

/// By start, then pitch; equal ones keep their order.
pub(super) fn sorted(notes: &[Note]) -> Vec<Note> {
    Order::new(notes.iter()).0.iter().filter_map(|key| notes.get(key.place()).copied()).collect()
}

/// The places of notes by start, then pitch, then place: small keys, so that sorting touches little memory.
struct Order(Vec<Key>);

/// The start, as bits that sort like it, then pitch and place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u64, u64);

impl Key {
    fn pitch(self) -> u8 {
        (self.1 >> 32) as u8
    }

    fn place(self) -> usize {
        (self.1 & u64::from(u32::MAX)) as usize
    }

    fn start(self) -> f64 {
        f64::from_bits(if self.0 >> 63 == 1 { self.0 ^ (1 << 63) } else { !self.0 })
    }
}

impl Order {
    fn new<'a>(notes: impl Iterator<Item = &'a Note>) -> Order {
        let key = |(note, place): (&Note, u64)| {
            // -0 is 0 here.
            let bits = (note.start + 0.0).to_bits();
            let start = if bits >> 63 == 1 { !bits } else { bits ^ (1 << 63) };
            Key(start, u64::from(note.pitch) << 32 | place)
        };
        // There is no room in memory for so many notes that their places need more than 32 bits.
        let mut keys: Vec<Key> = notes.zip(0..=u64::from(u32::MAX)).map(key).collect();
        keys.sort_unstable();
        Order(keys)
    }
}

/// What deletions leave, how many of the first `existing` notes are among it, and how many deletions found no note.
fn delete(written: Vec<Note>, existing: usize, deletes: impl Fn(&Note) -> bool) -> (Vec<Note>, usize, usize) {
    // Slots are looked up by pitch and by start in steps of the tolerance, so a deletion touches three cells at most.
    let cell = |start: f64| (start / SAME_POSITION_BEATS).floor() as i64;
    let mut cells: BTreeMap<(u8, i64), Vec<usize>> = BTreeMap::new();
    let mut alive = vec![true; written.len()];
    let mut idle = 0;
    for (index, note) in written.iter().enumerate() {
        if !deletes(note) {
            cells.entry((note.pitch, cell(note.start))).or_default().push(index);
            continue;
        }
        let middle = cell(note.start);
        let near = (note.pitch, middle.saturating_sub(1))..=(note.pitch, middle.saturating_add(1));
        let mut is_idle = true;
        for (_, indices) in cells.range_mut(near) {
            indices.retain(|earlier| {
                let same =
                    written.get(*earlier).is_some_and(|other| (other.start - note.start).abs() < SAME_POSITION_BEATS);
                if same && let Some(flag) = alive.get_mut(*earlier) {
                    *flag = false;
                    is_idle = false;
                }
                !same
            });
        }
        idle += usize::from(is_idle);
    }
    let stays = |(note, alive): (&Note, &bool)| *alive && !deletes(note);
    let left = written.iter().zip(&alive).take(existing).filter(|pair| stays(*pair)).count();
    let kept = written.iter().zip(&alive).filter(|pair| stays(*pair)).map(|(note, _)| *note);
    (kept.collect(), left, idle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_note_in_a_slot_stays_and_deletions_reach_back_only() {
        let note = |pitch, start, velocity| Note { velocity, ..Note::new(pitch, start, 1.0) };
        for (written, settled) in [
            (
                vec![(60, 1.0, 10.0), (60, 0.0, 20.0), (48, 1.0, 30.0)],
                vec![(60, 0.0, 20.0), (48, 1.0, 30.0), (60, 1.0, 10.0)],
            ),
            (vec![(60, 0.0, 10.0), (60, 0.0009, 20.0)], vec![(60, 0.0009, 20.0)]),
            (vec![(60, 0.0009, 10.0), (60, 0.0, 20.0)], vec![(60, 0.0, 20.0)]),
            (vec![(60, 0.0, 10.0), (60, 0.001, 20.0)], vec![(60, 0.0, 10.0), (60, 0.001, 20.0)]),
            (vec![(60, 0.0, 10.0), (60, 0.0, 20.0), (60, 0.0005, 0.0)], vec![]),
            (vec![(60, -0.0003, 10.0), (60, 0.0003, 0.0)], vec![]),
            (vec![(60, -0.0, 10.0), (48, 0.0, 20.0)], vec![(48, 0.0, 20.0), (60, 0.0, 10.0)]),
            (vec![(60, 0.0, 0.0), (60, 0.0, 20.0)], vec![(60, 0.0, 20.0)]),
            (vec![(60, 0.0, 10.0), (61, 0.0, 0.0), (60, 0.002, 0.0)], vec![(60, 0.0, 10.0)]),
        ] {
            let written: Vec<Note> = written.into_iter().map(|(p, s, v)| note(p, s, v)).collect();
            let settled: Vec<Note> = settled.into_iter().map(|(p, s, v)| note(p, s, v)).collect();
            assert_eq!(resolve(written.clone(), 0).notes, settled, "{written:?}");
        }
    }

    #[test]
    fn notes_that_give_way_to_a_later_one_of_their_own_text_are_counted() {
        let note = |(pitch, start, velocity)| Note { velocity, ..Note::new(pitch, start, 1.0) };
        for (written, existing, left, duplicates) in [
            (vec![(60, 0.0, 9.0), (60, 0.0, 8.0), (60, 0.0005, 7.0), (61, 0.0, 6.0)], 0, 2, 2),
            // A new note in the slot of an old one is what an update is for.
            (vec![(60, 0.0, 9.0), (60, 0.0, 8.0)], 1, 1, 0),
            (vec![(60, 0.0, 9.0), (60, 0.0, 8.0), (60, 0.0, 7.0)], 1, 1, 1),
            // Deleted is not dropped.
            (vec![(60, 0.0, 9.0), (60, 0.0, 8.0), (60, 0.0, 0.0)], 0, 0, 0),
            (vec![(60, 0.0, 9.0), (61, 0.0, 9.0), (60, 0.0, 0.0), (62, 0.0, 8.0), (62, 0.0, 7.0)], 2, 2, 1),
        ] {
            let notes = written.iter().copied().map(note).collect();
            let settled = resolve(notes, existing);
            assert_eq!((settled.notes.len(), settled.duplicates), (left, duplicates), "{written:?}");
        }
    }
}
