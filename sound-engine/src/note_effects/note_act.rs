//! What happens to notes on their way to an instrument.

use crate::instruments::Note;

/// What a note does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoteAct {
    On(Note),
    Off {
        id: u64,
        pitch: u8,
    },
    /// All are released.
    EndAll,
    /// All end within 3 ms.
    FadeAll,
}

impl NoteAct {
    /// The end of a note.
    pub fn off(note: Note) -> NoteAct {
        NoteAct::Off { id: note.id, pitch: note.pitch }
    }
}

/// Where notes go on to.
pub type Out<'a> = &'a mut dyn FnMut(NoteAct);

/// Another number of the same kind: neighbours of either argument have nothing in common.
pub(crate) fn mixed(id: u64, salt: u64) -> u64 {
    let mut x = id ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Evenly from 0 up to 1, by a number.
pub(super) fn unit(number: u64) -> f32 {
    (number >> 40) as f32 * (1.0 / 16_777_216.0)
}
