//! The drum sampler: one hit of one sample, with an envelope of its own kind and one playback effect.

use super::drum_sampler_voice::DrumSamplerVoice;
use super::voice_pool::{Note, VoicePool};
use crate::dsp::span::{Bus, Span};
use crate::sample::Sample;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrumFilterType {
    #[default]
    Lowpass12,
    Lowpass24,
    Highpass24,
    Peak,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrumFilter {
    pub filter_type: DrumFilterType,
    pub hz: f32,
    /// 0 to 0.9.
    pub resonance: f32,
    /// Of [`DrumFilterType::Peak`], -12 to 12.
    pub gain_db: f32,
}

/// Parts are 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrumSamplerEffect {
    /// So many times as long at the same pitch, in grains of so many seconds.
    Stretch {
        factor: f32,
        grain: f32,
    },
    /// From an offset (a part of the sample) on, so many seconds again and again.
    Loop {
        offset: f32,
        length: f32,
    },
    /// Begins so many semitones away; there after so many seconds.
    PitchEnvelope {
        semitones: f32,
        decay: f32,
    },
    /// The begin is louder, for so many seconds.
    Punch {
        amount: f32,
        release: f32,
    },
    /// So many samples a second, and a lowpass that falls within so many seconds.
    EightBit {
        hz: f32,
        filter_decay: f32,
    },
    FrequencyModulation {
        amount: f32,
        hz: f32,
    },
    RingModulation {
        amount: f32,
        hz: f32,
    },
    SubOscillator {
        amount: f32,
        hz: f32,
    },
    /// Dark to bright: `color` 0 to 1.
    Noise {
        amount: f32,
        color: f32,
    },
}

/// What velocity moves beside the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrumVelocityTarget {
    Filter,
    Attack,
    Hold,
    Decay,
    /// The first and the second setting of the playback effect.
    Effect1,
    Effect2,
}

#[derive(Clone, Debug, PartialEq)]
pub struct DrumSamplerSettings {
    pub sample: Sample,
    /// Where it begins and how much of it is played: parts of the sample, 0 to 1.
    pub start: f32,
    pub length: f32,
    /// The key that plays it as it is, and semitones beside it.
    pub root: u8,
    pub semitones: f32,
    pub gain_db: f32,
    /// -1 left to 1 right.
    pub pan: f32,
    pub velocity_to_level: f32,
    /// What full velocity moves, by -1 to 1 of its range.
    pub velocity_to: Option<(DrumVelocityTarget, f32)>,
    pub filter: Option<DrumFilter>,
    /// Seconds. The decay begins after the hold or, gated, when the key is let go.
    pub attack: f32,
    pub hold: f32,
    pub decay: f32,
    pub gate: bool,
    pub effect: Option<DrumSamplerEffect>,
}

impl DrumSamplerSettings {
    /// The whole sample, as it is.
    pub fn of(sample: Sample) -> DrumSamplerSettings {
        let seconds = sample.frames() as f32 / sample.rate();
        DrumSamplerSettings {
            sample,
            start: 0.0,
            length: 1.0,
            root: 60,
            semitones: 0.0,
            gain_db: 0.0,
            pan: 0.0,
            velocity_to_level: 0.35,
            velocity_to: None,
            filter: None,
            attack: 0.0,
            hold: seconds,
            decay: 0.1,
            gate: false,
            effect: None,
        }
    }
}

pub struct DrumSampler {
    pub(super) pool: VoicePool<DrumSamplerVoice>,
}

impl DrumSampler {
    pub fn new(rate: f32) -> DrumSampler {
        DrumSampler { pool: VoicePool::new(rate, || DrumSamplerVoice::new(rate)) }
    }

    pub fn note_on(&mut self, settings: &DrumSamplerSettings, note: Note, now: u64) {
        // A pad has one hit at a time.
        self.pool.fade_where(|_| true);
        self.pool.begin(note, now, 1, |voice| voice.start(settings, note));
    }

    pub fn note_off(&mut self, settings: &DrumSamplerSettings, id: u64, pitch: u8) {
        if settings.gate {
            self.pool.end(id, pitch);
        }
    }

    pub fn render(&mut self, settings: &DrumSamplerSettings, span: &Span, bus: &mut Bus) {
        self.pool.render(span, bus, |voice, own| voice.render(settings, span, own));
    }
}
