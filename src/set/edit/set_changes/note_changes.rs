//! What is different between the notes of two versions of a clip. An id stays with a pitch and a start, so a note that
//! was transposed or moved has another one: what became of a note is found by what it is like. See D87 in
//! `docs/decisions.md`.

use crate::music::{Note, SAME_POSITION_BEATS};
use crate::object_model::history::NoteChanges;
use crate::set::document::clip::Notes;
use std::collections::HashMap;

/// A note before and after.
type Pair<'a> = (&'a Note, &'a Note);

/// The notes of two versions of a clip; `None` where they are the same.
pub fn between(before: &Notes, after: &Notes) -> Option<NoteChanges> {
    // Both are in the order of time and pitch.
    let old: Vec<&Note> = before.list.iter().map(|stored| &stored.note).collect();
    let new: Vec<&Note> = after.list.iter().map(|stored| &stored.note).collect();
    let count = (old.len(), new.len());
    let mut pairs = Vec::new();
    let (mut removed, mut added) = (0, 0);
    if are_shifted(&old, &new) {
        pairs.extend(old.into_iter().zip(new));
    } else {
        let (old, new) = take_transposed(old, new, &mut pairs);
        let (old, new) = take_same_places(old, new, &mut pairs);
        let (old, new) = take_near(old, new, &mut pairs);
        if are_shifted(&old, &new) {
            pairs.extend(old.into_iter().zip(new));
        } else {
            let (old, new) = take_alike(old, new, |note| note.start.to_bits(), &mut pairs);
            let (old, new) = take_alike(old, new, |note| u64::from(note.pitch), &mut pairs);
            (removed, added) = (old.len(), new.len());
        }
    }
    let mut changes = NoteChanges { before: count.0, after: count.1, added, removed, ..NoteChanges::default() };
    pairs.into_iter().for_each(|pair| tally(&mut changes, pair));
    (changes.added + changes.removed + changes.changed > 0).then_some(changes)
}

/// Whether the one list is the other, all notes transposed or moved by the same; by both only where that is no chance.
fn are_shifted(old: &[&Note], new: &[&Note]) -> bool {
    let (Some(first), Some(to)) = (old.first(), new.first()) else { return old.is_empty() && new.is_empty() };
    let by = (i16::from(to.pitch) - i16::from(first.pitch), to.start - first.start);
    let is_plain = by.0 == 0 || by.1.abs() < SAME_POSITION_BEATS || old.len() > 2;
    is_plain
        && old.len() == new.len()
        && old.iter().zip(new).all(|(was, is)| {
            i16::from(is.pitch) - i16::from(was.pitch) == by.0
                && (is.start - was.start - by.1).abs() < SAME_POSITION_BEATS
        })
}

/// Where all notes of one side are there on the other, transposed by the same, and more came or others went.
fn take_transposed<'a>(
    old: Vec<&'a Note>,
    new: Vec<&'a Note>,
    pairs: &mut Vec<Pair<'a>>,
) -> (Vec<&'a Note>, Vec<&'a Note>) {
    let (few, many) = if old.len() <= new.len() { (&old, &new) } else { (&new, &old) };
    let at = |note: &Note, semitones: i16| (note.start.to_bits(), i16::from(note.pitch) + semitones);
    let places: HashMap<(u64, i16), &'a Note> = many.iter().map(|note| (at(note, 0), *note)).collect();
    let Some(first) = few.first().filter(|_| few.len() > 2) else { return (old, new) };
    let mut shifts: Vec<i16> = many
        .iter()
        .take_while(|note| note.start <= first.start)
        .filter(|note| note.start == first.start)
        .map(|note| i16::from(note.pitch) - i16::from(first.pitch))
        .collect();
    shifts.sort_by_key(|shift| shift.abs());
    let fits = |shift: &i16| few.iter().all(|note| places.contains_key(&at(note, *shift)));
    let Some(shift) = shifts.into_iter().find(fits).filter(|shift| *shift != 0) else { return (old, new) };
    let mut taken = HashMap::new();
    for note in few {
        if let Some(other) = places.get(&at(note, shift)) {
            pairs.push(if few.len() == old.len() { (*note, *other) } else { (*other, *note) });
            taken.insert(at(other, 0), ());
        }
    }
    let left: Vec<&Note> = many.iter().copied().filter(|note| !taken.contains_key(&at(note, 0))).collect();
    if few.len() == old.len() { (Vec::new(), left) } else { (left, Vec::new()) }
}

/// So far a note is moved by who plays it looser, in quarter beats.
const NEAR_BEATS: f64 = 0.125;

/// Pairs notes of one pitch whose starts are near each other, in their order.
fn take_near<'a>(old: Vec<&'a Note>, new: Vec<&'a Note>, pairs: &mut Vec<Pair<'a>>) -> (Vec<&'a Note>, Vec<&'a Note>) {
    let mut by_pitch: HashMap<u8, Vec<&Note>> = HashMap::new();
    for note in &new {
        by_pitch.entry(note.pitch).or_default().push(note);
    }
    // From the last to the first, so that the nearest one is at the end.
    by_pitch.values_mut().for_each(|notes| notes.reverse());
    let mut old_left = Vec::new();
    let mut paired: HashMap<(u64, u8), ()> = HashMap::new();
    for was in old {
        let others = by_pitch.entry(was.pitch).or_default();
        while others.last().is_some_and(|other| other.start < was.start - NEAR_BEATS) {
            others.pop();
        }
        match others.last().filter(|other| other.start <= was.start + NEAR_BEATS) {
            Some(_) => {
                if let Some(is) = others.pop() {
                    paired.insert((is.start.to_bits(), is.pitch), ());
                    pairs.push((was, is));
                }
            }
            None => old_left.push(was),
        }
    }
    let is_left = |note: &&Note| !paired.contains_key(&(note.start.to_bits(), note.pitch));
    (old_left, new.into_iter().filter(is_left).collect())
}

/// Pairs notes of the same start and pitch, and chords of which some notes are where others of them were.
fn take_same_places<'a>(
    old: Vec<&'a Note>,
    new: Vec<&'a Note>,
    pairs: &mut Vec<Pair<'a>>,
) -> (Vec<&'a Note>, Vec<&'a Note>) {
    let (mut old_left, mut new_left) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (old.as_slice(), new.as_slice());
    while let (Some(was), Some(is)) = (old.first(), new.first()) {
        let start = was.start.min(is.start);
        let chord = |notes: &[&'a Note]| notes.iter().take_while(|note| note.start == start).count();
        let (was, old_rest) = old.split_at(chord(old));
        let (is, new_rest) = new.split_at(chord(new));
        (old, new) = (old_rest, new_rest);
        let stay = |note: &&&Note| is.iter().any(|other| other.pitch == note.pitch);
        if was.iter().any(|note| stay(&note)) && are_shifted(was, is) {
            pairs.extend(was.iter().copied().zip(is.iter().copied()));
            continue;
        }
        let mut left: Vec<&Note> = is.to_vec();
        for note in was {
            match left.iter().position(|other| other.pitch == note.pitch) {
                Some(at) => pairs.push((note, left.remove(at))),
                None => old_left.push(*note),
            }
        }
        new_left.extend(left);
    }
    old_left.extend(old);
    new_left.extend(new);
    (old_left, new_left)
}

/// Pairs notes that are alike, in their order, where both sides have as many of the kind.
fn take_alike<'a>(
    old: Vec<&'a Note>,
    new: Vec<&'a Note>,
    kind: fn(&Note) -> u64,
    pairs: &mut Vec<Pair<'a>>,
) -> (Vec<&'a Note>, Vec<&'a Note>) {
    let mut kinds: HashMap<u64, (Vec<&Note>, Vec<&Note>)> = HashMap::new();
    old.iter().for_each(|note| kinds.entry(kind(note)).or_default().0.push(note));
    new.iter().for_each(|note| kinds.entry(kind(note)).or_default().1.push(note));
    kinds.retain(|_, (old, new)| old.len() == new.len());
    let is_left = |note: &&Note| !kinds.contains_key(&kind(note));
    let left = (old.into_iter().filter(is_left).collect(), new.into_iter().filter(is_left).collect());
    pairs.extend(kinds.into_values().flat_map(|(old, new)| old.into_iter().zip(new)));
    left
}

fn tally(changes: &mut NoteChanges, (was, is): Pair<'_>) {
    if was == is {
        return;
    }
    changes.changed += 1;
    let (semitones, beats) = (i16::from(is.pitch) - i16::from(was.pitch), is.start - was.start);
    if semitones != 0 {
        let by = if changes.transposed == 0 { Some(semitones) } else { changes.semitones };
        changes.semitones = by.filter(|by| *by == semitones);
        changes.transposed += 1;
    }
    if beats != 0.0 {
        let by = if changes.moved == 0 { Some(beats) } else { changes.beats };
        changes.beats = by.filter(|by| (by - beats).abs() < SAME_POSITION_BEATS);
        changes.moved += 1;
    }
    changes.durations += usize::from(was.duration != is.duration);
    changes.velocities += usize::from((was.velocity, was.velocity_deviation) != (is.velocity, is.velocity_deviation));
    let others = |note: &Note| (note.probability, note.mute, note.release_velocity);
    changes.others += usize::from(others(was) != others(is));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::document::StoredNote;

    fn notes(list: &[(u8, f64)]) -> Notes {
        let mut list: Vec<Note> = list.iter().map(|(pitch, start)| Note::new(*pitch, *start, 0.25)).collect();
        list.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.pitch.cmp(&b.pitch)));
        let list = list.into_iter().map(|note| StoredNote { id: 0, note }).collect();
        Notes { list, next_id: 1 }
    }

    /// Added, removed, changed; transposed by; moved by.
    fn told(old: &[(u8, f64)], new: &[(u8, f64)]) -> (usize, usize, usize, usize, Option<i16>, usize, Option<f64>) {
        let found = between(&notes(old), &notes(new)).unwrap_or_default();
        let NoteChanges { added, removed, changed, transposed, semitones, moved, beats, .. } = found;
        (added, removed, changed, transposed, semitones, moved, beats)
    }

    #[test]
    fn what_became_of_the_notes() {
        let line: Vec<(u8, f64)> = (0..8u8).map(|n| (60, f64::from(n))).collect();
        let by = |semitones: u8, beats: f64| -> Vec<(u8, f64)> {
            line.iter().map(|(pitch, start)| (pitch + semitones, start + beats)).collect()
        };
        assert_eq!(told(&line, &line), (0, 0, 0, 0, None, 0, None));
        assert_eq!(told(&line, &by(2, 0.0)), (0, 0, 8, 8, Some(2), 0, None));
        assert_eq!(told(&line, &by(0, 1.0)), (0, 0, 8, 0, None, 8, Some(1.0)), "onto each other's places");
        assert_eq!(told(&line, &by(12, 0.5)), (0, 0, 8, 8, Some(12), 8, Some(0.5)));
        assert_eq!(told(&line, &line[2..]), (0, 2, 0, 0, None, 0, None));
        assert_eq!(told(&line[2..], &line), (2, 0, 0, 0, None, 0, None));
        assert_eq!(told(&line, &[]), (0, 8, 0, 0, None, 0, None));
        // A part of them.
        let chord = [(60, 0.0), (64, 0.0), (67, 0.0), (50, 4.0)];
        assert_eq!(told(&chord, &[(64, 0.0), (68, 0.0), (71, 0.0), (50, 4.0)]), (0, 0, 3, 3, Some(4), 0, None));
        assert_eq!(told(&chord, &[(60, 0.0), (65, 0.0), (67, 0.0), (50, 4.0)]), (0, 0, 1, 1, Some(1), 0, None));
        let steps = [(60, 0.0), (62, 1.0), (64, 2.0), (65, 3.0)];
        let three = [(60, 1.0), (62, 2.0), (64, 3.0), (65, 3.0)];
        assert_eq!(told(&steps, &three), (0, 0, 3, 0, None, 3, Some(1.0)));
        let swung = [(60, 0.0), (62, 1.1), (64, 2.0), (65, 3.2)];
        assert_eq!(told(&steps, &swung), (0, 0, 2, 0, None, 2, None));
        // Transposed, and doubled an octave above.
        let doubled: Vec<(u8, f64)> = by(2, 0.0).into_iter().chain(by(14, 0.0)).collect();
        assert_eq!(told(&line, &doubled), (8, 0, 8, 8, Some(2), 0, None));
        assert_eq!(told(&doubled, &line), (0, 8, 8, 8, Some(-2), 0, None));
        // Played looser, with a fill of another pitch.
        let loose = [(60, 0.02), (60, 0.97), (60, 2.0), (60, 3.04), (38, 3.5), (38, 3.75)];
        assert_eq!(told(&line[..4], &loose), (2, 0, 3, 0, None, 3, None));
        // One gone and one more.
        assert_eq!(told(&[(60, 0.0), (62, 1.0)], &[(60, 0.0), (70, 2.0)]), (1, 1, 0, 0, None, 0, None));
    }
}
