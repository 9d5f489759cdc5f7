//! Which notes were made of which: so that the end of one ends the others, whatever settings are by then.

use super::note_act::{NoteAct, Out};
use crate::instruments::Note;

#[derive(Clone, Copy, Debug)]
struct Pair {
    from: (u64, u8),
    to: (u64, u8),
}

/// Notes that are held, each with those that it became.
#[derive(Debug)]
pub struct NoteMap {
    pairs: Vec<Pair>,
}

impl NoteMap {
    /// Allocates room for `count` notes, all that it ever has.
    pub fn new(count: usize) -> NoteMap {
        NoteMap { pairs: Vec::with_capacity(count.max(1)) }
    }

    /// Gives `to` on, as made of `from`. Without room, the oldest one ends.
    pub fn begin(&mut self, from: Note, to: Note, out: Out) {
        // Of one pitch that sounds, there is one.
        self.pairs.retain(|pair| {
            let again = pair.to.1 == to.pitch;
            if again {
                out(NoteAct::Off { id: pair.to.0, pitch: pair.to.1 });
            }
            !again
        });
        if self.pairs.len() == self.pairs.capacity() && !self.pairs.is_empty() {
            let oldest = self.pairs.remove(0);
            out(NoteAct::Off { id: oldest.to.0, pitch: oldest.to.1 });
        }
        self.pairs.push(Pair { from: (from.id, from.pitch), to: (to.id, to.pitch) });
        out(NoteAct::On(to));
    }

    /// Notes down that `to` was made of `from`. Without room, the oldest one is forgotten.
    pub fn remember(&mut self, from: Note, to: Note) {
        if self.pairs.len() == self.pairs.capacity() && !self.pairs.is_empty() {
            self.pairs.remove(0);
        }
        self.pairs.push(Pair { from: (from.id, from.pitch), to: (to.id, to.pitch) });
    }

    /// Forgets a note, and gives the number and pitch of what it became.
    pub fn take(&mut self, id: u64, pitch: u8) -> Option<(u64, u8)> {
        let index = self.pairs.iter().position(|pair| pair.from == (id, pitch))?;
        Some(self.pairs.remove(index).to)
    }

    /// Ends what a note became. What it does not know it says: `false`.
    pub fn end(&mut self, id: u64, pitch: u8, out: Out) -> bool {
        let count = self.pairs.len();
        self.pairs.retain(|pair| {
            let ends = pair.from == (id, pitch);
            if ends {
                out(NoteAct::Off { id: pair.to.0, pitch: pair.to.1 });
            }
            !ends
        });
        self.pairs.len() < count
    }

    /// Ends everything.
    pub fn end_all(&mut self, out: Out) {
        for pair in self.pairs.drain(..) {
            out(NoteAct::Off { id: pair.to.0, pitch: pair.to.1 });
        }
    }

    /// Forgets everything: somebody else has ended it.
    pub fn clear(&mut self) {
        self.pairs.clear();
    }
}
