//! Note effects: notes to notes, in front of an instrument. One file each.
//!
//! What an effect has begun it ends: by the note that made it, when it is switched off, when all notes end, when it has
//! no room. Settings may change meanwhile; the end goes to what sounds, not to what settings would make of it now.

mod arpeggiator;
mod arpeggio_order;
mod chord;
mod clock;
#[cfg(test)]
mod laws;
mod note_act;
mod note_effect;
mod note_length;
mod note_map;
mod pitch;
mod pitch_set;
mod places;
mod random;
mod scale;
mod schedule;
mod velocity;

pub use arpeggiator::{ArpeggiatorSettings, Retrigger, StepRate, Swing, VelocityRun};
pub use arpeggio_order::ArpeggioStyle;
pub use chord::{ChordNote, ChordSettings};
pub use clock::SongClock;
pub(crate) use note_act::mixed;
pub use note_act::{NoteAct, Out};
pub use note_effect::{NoteEffectSettings, NoteEffectState};
pub use note_length::{LengthTrigger, NoteLength, NoteLengthSettings};
pub use note_map::NoteMap;
pub use pitch::{OutsideRange, PitchSettings};
pub use pitch_set::{PitchSet, Shift};
pub use random::{RandomSettings, RandomSign};
pub use scale::ScaleSettings;
pub use velocity::{VelocityMode, VelocitySettings};
