//! Chord: up to six notes beside each, at once or one after the other.

use super::clock::SongClock;
use super::note_act::{Out, mixed, unit};
use super::note_map::NoteMap;
use super::pitch_set::Shift;
use super::schedule::Schedule;
use crate::dsp::math::{exp2, log2};
use crate::instruments::Note;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChordNote {
    /// No shift: the note is not there.
    pub shift: Shift,
    /// Of the note's, 0.01 to 2.
    pub velocity: f32,
    /// 0 to 1.
    pub chance: f32,
}

impl ChordNote {
    pub const NONE: ChordNote = ChordNote { shift: Shift::NONE, velocity: 1.0, chance: 1.0 };
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChordSettings {
    pub notes: [ChordNote; 6],
    /// From the first to the last, from the lowest up; negative: from the highest down. -400 to 400.
    pub strum_ms: f32,
    /// -1 to 1: ever faster, or ever slower.
    pub tension: f32,
    /// -1 to 1: ever quieter, or ever louder.
    pub crescendo: f32,
    pub seed: u64,
}

impl Default for ChordSettings {
    fn default() -> ChordSettings {
        ChordSettings { notes: [ChordNote::NONE; 6], strum_ms: 0.0, tension: 0.0, crescendo: 0.0, seed: 0 }
    }
}

pub struct Chord {
    map: NoteMap,
    waiting: Schedule,
}

impl Chord {
    pub fn new() -> Chord {
        Chord { map: NoteMap::new(128), waiting: Schedule::new(128) }
    }

    pub fn on(&mut self, settings: &ChordSettings, note: Note, clock: &SongClock, out: Out) {
        let mut chord = [note; 7];
        let mut count = 1;
        for (place, part) in settings.notes.iter().enumerate() {
            let pitch = part.shift.apply(i32::from(note.pitch));
            let dice = unit(mixed(note.id ^ (u64::from(note.pitch) << 56), settings.seed + place as u64));
            let Some(pitch) = u8::try_from(pitch).ok().filter(|pitch| *pitch < 128 && dice < part.chance) else {
                continue;
            };
            if chord.iter().take(count).any(|there| there.pitch == pitch) {
                continue;
            }
            let velocity = (note.velocity * part.velocity).clamp(1.0 / 127.0, 1.0);
            if let Some(there) = chord.get_mut(count) {
                *there = Note { id: mixed(note.id, place as u64 + 1), pitch, velocity };
                count += 1;
            }
        }
        let Some(chord) = chord.get_mut(..count) else { return };
        chord.sort_unstable_by_key(|note| note.pitch);
        if settings.strum_ms < 0.0 {
            chord.reverse();
        }
        let frames = clock.frames_of_seconds(f64::from(settings.strum_ms.abs()) * 0.001);
        for (at, own) in chord.iter().enumerate() {
            let part = if count > 1 { at as f32 / (count - 1) as f32 } else { 0.0 };
            let louder = settings.crescendo * (part - 0.5);
            let own = Note { velocity: (own.velocity * (1.0 + louder)).clamp(1.0 / 127.0, 1.0), ..*own };
            let bent = if part > 0.0 { exp2(log2(part) * exp2(settings.tension)) } else { 0.0 };
            let later = (frames * f64::from(bent)) as u64;
            if later == 0 {
                self.map.begin(note, own, out);
            } else if let Some(early) = self.waiting.add(clock.frame + later, own, note) {
                self.map.begin(note, early, out);
            }
        }
    }

    pub fn off(&mut self, id: u64, pitch: u8, out: Out) -> bool {
        self.waiting.cancel(id, pitch);
        self.map.end(id, pitch, out)
    }

    pub fn advance(&mut self, clock: &SongClock, out: Out) {
        while let Some((note, id, pitch)) = self.waiting.take_with_origin(clock.frame) {
            self.map.begin(Note { id, pitch, velocity: note.velocity }, note, out);
        }
    }

    pub fn next_frame(&self) -> Option<u64> {
        self.waiting.next_frame()
    }

    pub fn end_all(&mut self, out: Out) {
        self.waiting.clear();
        self.map.end_all(out);
    }
}
