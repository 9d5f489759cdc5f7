//! The synthesizer: notes to voices, one at a time or many.

use super::patch::Patch;
use super::synth_voice::SynthVoice;
use super::voice_pool::{MOST_VOICES, Note, VoicePool};
use crate::dsp::span::{Bus, Span};

/// Notes that are held while a mono patch plays another one.
const MOST_WAITING: usize = 16;

pub struct Synth {
    pub(super) pool: VoicePool<SynthVoice>,
    /// Of a mono patch: the notes that are held, the last one sounds.
    held: [Option<Note>; MOST_WAITING],
}

impl Synth {
    pub fn new(rate: f32) -> Synth {
        Synth { pool: VoicePool::new(rate, || SynthVoice::new(rate)), held: [None; MOST_WAITING] }
    }

    pub fn note_on(&mut self, patch: &Patch, note: Note, now: u64) {
        if !patch.mono {
            self.pool.begin(note, now, MOST_VOICES, |voice| voice.start(patch, note, None));
            return;
        }
        self.hold(note);
        match self.pool.newest_held() {
            // It overlaps: the voice that sounds goes there.
            Some(voice) => {
                voice.slide(f32::from(note.pitch));
                self.pool.rename_held(note);
            }
            None => self.pool.begin(note, now, 1, |voice| voice.start(patch, note, None)),
        }
    }

    pub fn note_off(&mut self, patch: &Patch, id: u64, pitch: u8) {
        if !patch.mono {
            self.pool.end(id, pitch);
            return;
        }
        let is_it = |note: &Note| note.id == id && note.pitch == pitch;
        let sounded = self.held.iter().flatten().last().is_some_and(is_it);
        for place in &mut self.held {
            if place.as_ref().is_some_and(is_it) {
                *place = None;
            }
        }
        let Some(&back) = self.held.iter().flatten().last() else {
            self.pool.end_all();
            return;
        };
        if sounded && let Some(voice) = self.pool.newest_held() {
            voice.slide(f32::from(back.pitch));
            self.pool.rename_held(back);
        }
    }

    pub fn end_all(&mut self) {
        self.held = [None; MOST_WAITING];
        self.pool.end_all();
    }

    pub fn fade_all(&mut self) {
        self.held = [None; MOST_WAITING];
        self.pool.fade_all();
    }

    /// Puts a note behind those that are held; the oldest one is forgotten where there are too many.
    fn hold(&mut self, note: Note) {
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

    pub fn render(&mut self, patch: &Patch, span: &Span, bus: &mut Bus) {
        self.pool.render(span, bus, |voice, own| voice.render(patch, span, own));
    }
}
