//! Two notes in one place: deletions, replacements, order.
//!
//! A slot is a pitch and a start; starts closer than [`SAME_POSITION_BEATS`] are the same. The last note written to a
//! slot is the one that stays.

use crate::music::{Note, SAME_POSITION_BEATS};
use std::collections::BTreeMap;

/// Applies deletions to notes in the order they were written: a note of velocity 0 removes every earlier one in its slot
/// and itself. Then leaves one note in a slot, sorted by start and pitch.
pub(super) fn settle(written: Vec<Note>) -> Vec<Note> {
    let deletes = |note: &Note| note.velocity <= 0.0;
    let kept = if written.iter().any(deletes) { delete(written, deletes) } else { written };
    let mut kept = last_in_slots(kept, |note| note);
    sort(&mut kept);
    kept
}

/// Leaves the last one written to each slot, in no order.
pub(super) fn last_in_slots<T>(written: Vec<T>, note: impl Fn(&T) -> &Note) -> Vec<T> {
    // The keys beside their places, so that sorting touches little memory.
    let key = |(place, item): (usize, &T)| (note(item).pitch, note(item).start, place);
    let mut keys: Vec<(u8, f64, usize)> = written.iter().enumerate().map(key).collect();
    keys.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut stays = vec![false; written.len()];
    // The last one of the slot being looked at, by pitch, start and place.
    let mut top: Option<(u8, f64, usize)> = None;
    let mut keep = |place: Option<(u8, f64, usize)>| {
        if let Some(flag) = place.and_then(|(.., place)| stays.get_mut(place)) {
            *flag = true;
        }
    };
    for (pitch, start, place) in keys {
        top = match top {
            Some((of, at, before)) if of == pitch && start - at < SAME_POSITION_BEATS => {
                // The slot is where its last note is.
                Some(if place > before { (pitch, start, place) } else { (of, at, before) })
            }
            _ => {
                keep(top);
                Some((pitch, start, place))
            }
        };
    }
    keep(top);
    let mut stays = stays.into_iter();
    written.into_iter().filter(|_| stays.next() == Some(true)).collect()
}

/// By start, then pitch; equal ones keep their order.
pub(super) fn sort(notes: &mut [Note]) {
    notes.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.pitch.cmp(&b.pitch)));
}

fn delete(written: Vec<Note>, deletes: impl Fn(&Note) -> bool) -> Vec<Note> {
    // Slots are looked up by pitch and by start in steps of the tolerance, so a deletion touches three cells at most.
    let cell = |start: f64| (start / SAME_POSITION_BEATS).floor() as i64;
    let mut cells: BTreeMap<(u8, i64), Vec<usize>> = BTreeMap::new();
    let mut alive = vec![true; written.len()];
    for (index, note) in written.iter().enumerate() {
        if !deletes(note) {
            cells.entry((note.pitch, cell(note.start))).or_default().push(index);
            continue;
        }
        let middle = cell(note.start);
        let near = (note.pitch, middle.saturating_sub(1))..=(note.pitch, middle.saturating_add(1));
        for (_, indices) in cells.range_mut(near) {
            indices.retain(|earlier| {
                let same =
                    written.get(*earlier).is_some_and(|other| (other.start - note.start).abs() < SAME_POSITION_BEATS);
                if same && let Some(flag) = alive.get_mut(*earlier) {
                    *flag = false;
                }
                !same
            });
        }
    }
    written.into_iter().zip(alive).filter(|(note, alive)| *alive && !deletes(note)).map(|(note, _)| note).collect()
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
            (vec![(60, 0.0, 0.0), (60, 0.0, 20.0)], vec![(60, 0.0, 20.0)]),
            (vec![(60, 0.0, 10.0), (61, 0.0, 0.0), (60, 0.002, 0.0)], vec![(60, 0.0, 10.0)]),
        ] {
            let written: Vec<Note> = written.into_iter().map(|(p, s, v)| note(p, s, v)).collect();
            let settled: Vec<Note> = settled.into_iter().map(|(p, s, v)| note(p, s, v)).collect();
            assert_eq!(settle(written.clone()), settled, "{written:?}");
        }
    }
}
