//! A note while lines change it.

use crate::music::Note;

/// A note while lines change it.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkingNote {
    pub note: Note,
    /// Which note it was, or was made from.
    pub origin: usize,
    /// Made by a line, beside the one that it was made from.
    pub made: bool,
}

/// By start, then pitch.
pub(super) fn order(a: &Note, b: &Note) -> std::cmp::Ordering {
    a.start.total_cmp(&b.start).then(a.pitch.cmp(&b.pitch))
}

pub(super) fn sort(notes: &mut [WorkingNote]) {
    notes.sort_by(|a, b| order(&a.note, &b.note));
}
