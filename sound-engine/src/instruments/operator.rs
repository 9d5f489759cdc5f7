//! Operator: four oscillators that bend each other.

use super::operator_settings::OperatorSettings;
use super::operator_voice::OperatorVoice;
use super::voice_pool::{MOST_VOICES, Note, VoicePool};
use crate::dsp::span::{Bus, Span};

pub struct Operator {
    pub(super) pool: VoicePool<OperatorVoice>,
    last_pitch: Option<u8>,
}

impl Operator {
    pub fn new(rate: f32) -> Operator {
        Operator { pool: VoicePool::new(rate, || OperatorVoice::new(rate)), last_pitch: None }
    }

    pub fn note_on(&mut self, settings: &OperatorSettings, note: Note, now: u64) {
        let last = self.last_pitch.replace(note.pitch).filter(|_| settings.glide > 0.0).map(f32::from);
        self.pool.begin(note, now, MOST_VOICES, |voice| voice.start(settings, note, last, now));
    }

    pub fn render(&mut self, settings: &OperatorSettings, span: &Span, tempo_bpm: f32, bus: &mut Bus) {
        self.pool.render(span, bus, |voice, own| voice.render(settings, span, tempo_bpm, own));
    }
}
