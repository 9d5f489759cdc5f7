//! The drum machine: each key a hit.

use super::drum_kits::DrumKit;
use super::drum_voice::DrumVoice;
use super::voice_pool::{MOST_VOICES, Note, VoicePool};
use crate::dsp::span::{Bus, Span};

pub struct Drums {
    pub(super) pool: VoicePool<DrumVoice>,
}

impl Drums {
    pub fn new(rate: f32) -> Drums {
        Drums { pool: VoicePool::new(rate, || DrumVoice::new(rate)) }
    }

    pub fn note_on(&mut self, kit: DrumKit, note: Note, now: u64) {
        let (sound, pitch) = kit.sound(note.pitch);
        if sound.choke > 0 {
            self.pool.fade_where(|voice| voice.choke() == sound.choke);
        }
        let seed = note.id ^ (u64::from(note.pitch) << 32);
        self.pool.begin(note, now, MOST_VOICES, |voice| voice.start(&sound, note.velocity, pitch, seed));
    }

    pub fn render(&mut self, span: &Span, bus: &mut Bus) {
        self.pool.render(span, bus, |voice, own| voice.render(span, own));
    }
}
