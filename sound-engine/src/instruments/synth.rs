//! The synthesizer: notes to voices, one at a time or many.

use super::held_notes::HeldNotes;
use super::patch::Patch;
use super::synth_fours::render_fours;
use super::synth_voice::SynthVoice;
use super::voice_pool::{MOST_VOICES, Note, VoicePool};
use crate::dsp::span::{Bus, Span};

pub struct Synth {
    pub(super) pool: VoicePool<SynthVoice>,
    /// Of a mono patch.
    held: HeldNotes,
}

impl Synth {
    pub fn new(rate: f32) -> Synth {
        Synth { pool: VoicePool::new(rate, || SynthVoice::new(rate)), held: HeldNotes::default() }
    }

    pub fn note_on(&mut self, patch: &Patch, note: Note, now: u64) {
        if !patch.mono {
            self.pool.begin(note, now, MOST_VOICES, |voice| voice.start(patch, note, None));
            return;
        }
        self.held.hold(note);
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
        let (sounded, back) = self.held.release(id, pitch);
        let Some(back) = back else {
            self.pool.end_all();
            return;
        };
        if sounded && let Some(voice) = self.pool.newest_held() {
            voice.slide(f32::from(back.pitch));
            self.pool.rename_held(back);
        }
    }

    pub fn end_all(&mut self) {
        self.held.clear();
        self.pool.end_all();
    }

    pub fn fade_all(&mut self) {
        self.held.clear();
        self.pool.fade_all();
    }

    pub fn render(&mut self, patch: &Patch, span: &Span, bus: &mut Bus) {
        self.pool.render_fours(span, bus, |voices, own| render_fours(voices, patch, span, own));
    }
}
