//! A note of a MIDI clip.

use super::time::{Beats, SAME_POSITION_BEATS};
use serde::{Deserialize, Serialize};

/// One note of a MIDI clip. Times are quarter beats from the clip's beat 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// MIDI pitch 0..=127; C3 = 60.
    pub pitch: u8,
    /// Start in quarter beats; negative for a pickup.
    pub start: Beats,
    /// Length in quarter beats, above 0.
    pub duration: Beats,
    /// 1..=127.
    pub velocity: f64,
    /// Added to the velocity at random when played, from 0 to this (negative: from this to 0). -127..=127.
    pub velocity_deviation: f64,
    /// Chance to play, 0..=1.
    pub probability: f64,
    /// A deactivated note is kept and not played.
    pub mute: bool,
    /// 0..=127.
    pub release_velocity: f64,
}

impl Note {
    /// A note with the values Live gives when nothing else is said: velocity 100, always played, release velocity 64.
    pub fn new(pitch: u8, start: Beats, duration: Beats) -> Note {
        Note {
            pitch,
            start,
            duration,
            velocity: 100.0,
            velocity_deviation: 0.0,
            probability: 1.0,
            mute: false,
            release_velocity: 64.0,
        }
    }
}

/// Whether a note starts inside an earlier one of its pitch, which is cut there. The notes are sorted by start.
pub fn any_meet(notes: &[Note]) -> bool {
    let mut ends = [f64::NEG_INFINITY; 128];
    notes.iter().any(|note| {
        let Some(end) = ends.get_mut(usize::from(note.pitch)) else { return false };
        let meets = note.start < *end - SAME_POSITION_BEATS;
        *end = end.max(note.start + note.duration);
        meets
    })
}
