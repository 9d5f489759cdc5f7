//! Any note effect: its settings beside the state that fits them.

use super::arpeggiator::{Arpeggiator, ArpeggiatorSettings};
use super::chord::{Chord, ChordSettings};
use super::clock::SongClock;
use super::note_act::{NoteAct, Out};
use super::note_length::{NoteLengthSettings, NoteLengths};
use super::note_map::NoteMap;
use super::pitch::PitchSettings;
use super::random::RandomSettings;
use super::scale::ScaleSettings;
use super::velocity::VelocitySettings;
use crate::instruments::Note;

/// A note effect with its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoteEffectSettings {
    Arpeggiator(ArpeggiatorSettings),
    Chord(ChordSettings),
    NoteLength(NoteLengthSettings),
    Pitch(PitchSettings),
    Random(RandomSettings),
    Scale(ScaleSettings),
    Velocity(VelocitySettings),
}

impl NoteEffectSettings {
    /// Which effect it is, from 1 on.
    pub fn kind(&self) -> u64 {
        match self {
            NoteEffectSettings::Arpeggiator(_) => 1,
            NoteEffectSettings::Chord(_) => 2,
            NoteEffectSettings::NoteLength(_) => 3,
            NoteEffectSettings::Pitch(_) => 4,
            NoteEffectSettings::Random(_) => 5,
            NoteEffectSettings::Scale(_) => 6,
            NoteEffectSettings::Velocity(_) => 7,
        }
    }
}

/// What a note effect remembers of its notes.
pub enum NoteEffectState {
    Arpeggiator(Box<Arpeggiator>),
    Chord(Box<Chord>),
    NoteLength(Box<NoteLengths>),
    /// One note becomes one or none: pitch, random, scale, velocity.
    Single {
        map: NoteMap,
        turn: u64,
    },
}

impl NoteEffectState {
    /// For an effect of the settings' kind. Allocates.
    pub fn new(settings: &NoteEffectSettings) -> NoteEffectState {
        match settings {
            NoteEffectSettings::Arpeggiator(_) => NoteEffectState::Arpeggiator(Box::new(Arpeggiator::new())),
            NoteEffectSettings::Chord(_) => NoteEffectState::Chord(Box::new(Chord::new())),
            NoteEffectSettings::NoteLength(_) => NoteEffectState::NoteLength(Box::new(NoteLengths::new())),
            _ => NoteEffectState::Single { map: NoteMap::new(128), turn: 0 },
        }
    }

    /// Takes a note, and gives what becomes of it now.
    pub fn note(&mut self, settings: &NoteEffectSettings, act: NoteAct, clock: &SongClock, out: Out) {
        match act {
            NoteAct::On(note) => self.on(settings, note, clock, out),
            NoteAct::Off { id, pitch } => {
                // What it does not know began before it was there.
                if !self.off(settings, (id, pitch), clock, out) {
                    out(act);
                }
            }
            NoteAct::EndAll | NoteAct::FadeAll => {
                self.forget();
                out(act);
            }
        }
    }

    fn on(&mut self, settings: &NoteEffectSettings, note: Note, clock: &SongClock, out: Out) {
        match (self, settings) {
            (NoteEffectState::Arpeggiator(state), NoteEffectSettings::Arpeggiator(settings)) => {
                state.on(settings, note, clock);
            }
            (NoteEffectState::Chord(state), NoteEffectSettings::Chord(settings)) => {
                state.on(settings, note, clock, out);
            }
            (NoteEffectState::NoteLength(state), NoteEffectSettings::NoteLength(settings)) => {
                state.on(settings, note, clock, out);
            }
            (NoteEffectState::Single { map, turn }, settings) => {
                let becomes = match settings {
                    NoteEffectSettings::Pitch(settings) => settings.apply(note),
                    NoteEffectSettings::Random(settings) => settings.apply(note, turn),
                    NoteEffectSettings::Scale(settings) => settings.apply(note),
                    NoteEffectSettings::Velocity(settings) => settings.apply(note),
                    _ => Some(note),
                };
                if let Some(becomes) = becomes {
                    map.begin(note, becomes, out);
                }
            }
            _ => out(NoteAct::On(note)),
        }
    }

    fn off(&mut self, settings: &NoteEffectSettings, note: (u64, u8), clock: &SongClock, out: Out) -> bool {
        match (self, settings) {
            (NoteEffectState::Arpeggiator(state), NoteEffectSettings::Arpeggiator(settings)) => {
                state.off(settings, note.0, note.1)
            }
            (NoteEffectState::Chord(state), _) => state.off(note.0, note.1, out),
            (NoteEffectState::NoteLength(state), NoteEffectSettings::NoteLength(settings)) => {
                state.off(settings, note, clock, out)
            }
            (NoteEffectState::Single { map, .. }, _) => map.end(note.0, note.1, out),
            _ => false,
        }
    }

    /// Gives what is due by now.
    pub fn advance(&mut self, settings: &NoteEffectSettings, clock: &SongClock, out: Out) {
        match (self, settings) {
            (NoteEffectState::Arpeggiator(state), NoteEffectSettings::Arpeggiator(settings)) => {
                state.advance(settings, clock, out);
            }
            (NoteEffectState::Chord(state), _) => state.advance(clock, out),
            (NoteEffectState::NoteLength(state), NoteEffectSettings::NoteLength(settings)) => {
                state.advance(settings, clock, out);
            }
            _ => {}
        }
    }

    /// The next frame at which it has something to give of itself.
    pub fn next_frame(&self, settings: &NoteEffectSettings, clock: &SongClock) -> Option<u64> {
        match (self, settings) {
            (NoteEffectState::Arpeggiator(state), NoteEffectSettings::Arpeggiator(settings)) => {
                state.next_frame(settings, clock)
            }
            (NoteEffectState::Chord(state), _) => state.next_frame(),
            (NoteEffectState::NoteLength(state), _) => state.next_frame(),
            _ => None,
        }
    }

    /// Ends all that it began.
    pub fn end_all(&mut self, out: Out) {
        match self {
            NoteEffectState::Arpeggiator(state) => state.end_all(out),
            NoteEffectState::Chord(state) => state.end_all(out),
            NoteEffectState::NoteLength(state) => state.end_all(out),
            NoteEffectState::Single { map, .. } => map.end_all(out),
        }
    }

    /// As [`NoteEffectState::end_all`], where somebody else has ended it.
    pub fn forget(&mut self) {
        self.end_all(&mut |_| {});
    }
}
