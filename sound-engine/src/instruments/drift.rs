//! Drift: a synthesizer of two unsteady oscillators and noise.

use super::drift_settings::{DriftSettings, DriftVoices};
use super::drift_voice::DriftVoice;
use super::held_notes::HeldNotes;
use super::voice_pool::{Note, VoicePool};
use crate::dsp::span::{Bus, Span};

pub struct Drift {
    pub(super) pool: VoicePool<DriftVoice>,
    held: HeldNotes,
    last_pitch: Option<u8>,
}

impl Drift {
    pub fn new(rate: f32) -> Drift {
        Drift { pool: VoicePool::new(rate, || DriftVoice::new(rate)), held: HeldNotes::default(), last_pitch: None }
    }

    pub fn note_on(&mut self, settings: &DriftSettings, note: Note, now: u64) {
        let last = self.last_pitch.replace(note.pitch).filter(|_| settings.glide > 0.0).map(f32::from);
        let DriftVoices::Mono { .. } = settings.voices else {
            let limit = usize::from(settings.voice_count);
            self.pool.begin(note, now, limit, |voice| voice.start(settings, note, last, now));
            return;
        };
        self.held.hold(note);
        match self.pool.newest_held() {
            Some(voice) => {
                voice.slide(note, !settings.legato);
                self.pool.rename_held(note);
            }
            None => self.pool.begin(note, now, 1, |voice| voice.start(settings, note, last, now)),
        }
    }

    pub fn note_off(&mut self, settings: &DriftSettings, id: u64, pitch: u8) {
        let DriftVoices::Mono { .. } = settings.voices else {
            self.pool.end(id, pitch);
            return;
        };
        let (sounded, back) = self.held.release(id, pitch);
        let Some(back) = back else {
            self.pool.end_all();
            return;
        };
        if sounded && let Some(voice) = self.pool.newest_held() {
            voice.slide(back, false);
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

    pub fn render(&mut self, settings: &DriftSettings, span: &Span, tempo_bpm: f32, bus: &mut Bus) {
        self.pool.render(span, bus, |voice, own| voice.render(settings, span, tempo_bpm, own));
    }
}
