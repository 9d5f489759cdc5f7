//! Note Length: notes of a length of their own, from their begin or from their end on.

use super::clock::SongClock;
use super::note_act::{NoteAct, Out};
use super::note_map::NoteMap;
use super::schedule::Schedule;
use crate::dsp::math::exp2;
use crate::instruments::Note;

/// A length of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoteLength {
    /// Quarter beats.
    Beats(f32),
    Seconds(f32),
}

impl NoteLength {
    pub(super) fn frames(&self, clock: &SongClock) -> f64 {
        match self {
            NoteLength::Beats(beats) => clock.frames_of_beats(f64::from(beats.max(0.0))),
            NoteLength::Seconds(seconds) => clock.frames_of_seconds(f64::from(seconds.max(0.0))),
        }
    }
}

/// What begins a note.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LengthTrigger {
    /// The key's begin. `latch`: it is held until a key follows that comes when no other is down.
    KeyDown { latch: bool },
    /// The key's end: its velocity falls with the time for which it was held, to nothing in `decay_s`; higher keys
    /// (with `key_scale` above 0, up to 1) fall faster, an octave as much as twice.
    KeyUp { decay_s: f32, key_scale: f32 },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoteLengthSettings {
    pub trigger: LengthTrigger,
    pub length: NoteLength,
    /// Of the length, 0.01 to 2.
    pub gate: f32,
}

impl Default for NoteLengthSettings {
    fn default() -> NoteLengthSettings {
        NoteLengthSettings {
            trigger: LengthTrigger::KeyDown { latch: false },
            length: NoteLength::Seconds(0.1),
            gate: 1.0,
        }
    }
}

/// A key that is down.
#[derive(Clone, Copy)]
struct Key {
    note: Note,
    since: u64,
}

pub struct NoteLengths {
    keys: Vec<Key>,
    /// Notes that end at a frame; and, latched, those that have none.
    ends: Schedule,
    latched: NoteMap,
}

/// Shorter notes would not sound.
const SHORTEST_FRAMES: f64 = 48.0;

impl NoteLengths {
    pub fn new() -> NoteLengths {
        NoteLengths { keys: Vec::with_capacity(128), ends: Schedule::new(128), latched: NoteMap::new(128) }
    }

    pub fn on(&mut self, settings: &NoteLengthSettings, note: Note, clock: &SongClock, out: Out) {
        let none_is_down = self.keys.is_empty();
        if self.keys.len() == self.keys.capacity() && !self.keys.is_empty() {
            self.keys.remove(0);
        }
        self.keys.push(Key { note, since: clock.frame });
        match settings.trigger {
            LengthTrigger::KeyDown { latch: true } => {
                if none_is_down {
                    self.latched.end_all(out);
                }
                self.latched.begin(note, note, out);
            }
            LengthTrigger::KeyDown { latch: false } => self.begin(settings, note, clock, out),
            LengthTrigger::KeyUp { .. } => {}
        }
    }

    fn begin(&mut self, settings: &NoteLengthSettings, note: Note, clock: &SongClock, out: Out) {
        self.ends.end_pitch(note.pitch, out);
        let frames = (settings.length.frames(clock) * f64::from(settings.gate)).max(SHORTEST_FRAMES);
        if let Some(early) = self.ends.add(clock.frame + frames as u64, note, note) {
            out(NoteAct::off(early));
        }
        out(NoteAct::On(note));
    }

    pub fn off(&mut self, settings: &NoteLengthSettings, (id, pitch): (u64, u8), clock: &SongClock, out: Out) -> bool {
        let Some(index) = self.keys.iter().position(|key| (key.note.id, key.note.pitch) == (id, pitch)) else {
            return false;
        };
        let key = self.keys.remove(index);
        match settings.trigger {
            LengthTrigger::KeyUp { decay_s, key_scale } => {
                let held = (clock.frame - key.since) as f32 / clock.rate;
                let decay = decay_s.max(0.001) * exp2(key_scale * (60.0 - f32::from(pitch)) / 12.0);
                let velocity = key.note.velocity * (1.0 - held / decay);
                if velocity > 0.0 {
                    self.begin(settings, Note { velocity, ..key.note }, clock, out);
                }
            }
            LengthTrigger::KeyDown { latch: true } => {}
            // Latched before the setting changed.
            LengthTrigger::KeyDown { latch: false } => _ = self.latched.end(id, pitch, out),
        }
        true
    }

    pub fn advance(&mut self, settings: &NoteLengthSettings, clock: &SongClock, out: Out) {
        while let Some(note) = self.ends.take(clock.frame) {
            out(NoteAct::off(note));
        }
        if settings.trigger != (LengthTrigger::KeyDown { latch: true }) && self.keys.is_empty() {
            self.latched.end_all(out);
        }
    }

    pub fn next_frame(&self) -> Option<u64> {
        self.ends.next_frame()
    }

    pub fn end_all(&mut self, out: Out) {
        self.keys.clear();
        self.ends.end_all(out);
        self.latched.end_all(out);
    }
}
