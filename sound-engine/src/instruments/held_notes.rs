//! The keys that are down while one voice plays them all.

use super::voice_pool::Note;

/// Notes that are held while another one sounds.
const MOST_WAITING: usize = 16;

/// Keys in the order in which they came; the last one sounds.
#[derive(Default)]
pub(super) struct HeldNotes {
    held: [Option<Note>; MOST_WAITING],
}

impl HeldNotes {
    /// Puts a note behind those that are held; the oldest one is forgotten where there are too many.
    pub fn hold(&mut self, note: Note) {
        if self.held.iter().all(Option::is_some) {
            self.held[0] = None;
        }
        // Those that are left close up, in their order.
        let mut kept = [None; MOST_WAITING];
        for (place, held) in kept.iter_mut().zip(self.held.iter().filter(|place| place.is_some()).chain([&Some(note)]))
        {
            *place = *held;
        }
        self.held = kept;
    }

    /// Lets a note go: whether it sounded, and the one that is to sound now.
    pub fn release(&mut self, id: u64, pitch: u8) -> (bool, Option<Note>) {
        let is_it = |note: &Note| note.id == id && note.pitch == pitch;
        let sounded = self.held.iter().flatten().last().is_some_and(is_it);
        for place in &mut self.held {
            if place.as_ref().is_some_and(is_it) {
                *place = None;
            }
        }
        (sounded, self.held.iter().flatten().last().copied())
    }

    pub fn clear(&mut self) {
        self.held = [None; MOST_WAITING];
    }
}
