//! Notes that begin or end at a frame to come.

use super::note_act::{NoteAct, Out};
use crate::instruments::Note;

#[derive(Clone, Copy, Debug)]
struct Due {
    frame: u64,
    note: Note,
    /// The note that it comes from.
    from: (u64, u8),
}

/// Notes and their frames, in the order in which they came.
#[derive(Debug)]
pub struct Schedule {
    due: Vec<Due>,
}

impl Schedule {
    /// Allocates room for `count` notes, all that it ever has.
    pub fn new(count: usize) -> Schedule {
        Schedule { due: Vec::with_capacity(count.max(1)) }
    }

    /// Puts a note down. Without room, the one that is due first comes at once, by the answer.
    pub fn add(&mut self, frame: u64, note: Note, from: Note) -> Option<Note> {
        let full = self.due.len() == self.due.capacity();
        let early = if full { self.earliest().map(|index| self.due.remove(index).note) } else { None };
        self.due.push(Due { frame, note, from: (from.id, from.pitch) });
        early
    }

    pub fn next_frame(&self) -> Option<u64> {
        self.due.iter().map(|due| due.frame).min()
    }

    /// The next note that is due by `now`.
    pub fn take(&mut self, now: u64) -> Option<Note> {
        let index = self.earliest()?;
        let is_due = self.due.get(index).is_some_and(|due| due.frame <= now);
        is_due.then(|| self.due.remove(index).note)
    }

    /// As [`Schedule::take`], with the note that it comes from.
    pub fn take_with_origin(&mut self, now: u64) -> Option<(Note, u64, u8)> {
        let index = self.earliest()?;
        let is_due = self.due.get(index).is_some_and(|due| due.frame <= now);
        is_due.then(|| self.due.remove(index)).map(|due| (due.note, due.from.0, due.from.1))
    }

    fn earliest(&self) -> Option<usize> {
        self.due.iter().enumerate().min_by_key(|(index, due)| (due.frame, *index)).map(|(index, _)| index)
    }

    /// Takes back what comes from a note.
    pub fn cancel(&mut self, id: u64, pitch: u8) {
        self.due.retain(|due| due.from != (id, pitch));
    }

    /// Ends the notes of a pitch now, instead of later.
    pub fn end_pitch(&mut self, pitch: u8, out: Out) {
        self.due.retain(|due| {
            let ends = due.note.pitch == pitch;
            if ends {
                out(NoteAct::off(due.note));
            }
            !ends
        });
    }

    /// Ends all notes now, instead of later.
    pub fn end_all(&mut self, out: Out) {
        for due in self.due.drain(..) {
            out(NoteAct::off(due.note));
        }
    }

    pub fn clear(&mut self) {
        self.due.clear();
    }
}
