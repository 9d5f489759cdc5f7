//! A slot of Impulse: one sample as a hit, bent, stretched, driven, filtered and faded.

use super::impulse_voice::ImpulseVoice;
use super::voice_pool::{Note, VoicePool};
use crate::dsp::span::{Bus, Span};
use crate::dsp::svf::Response;
use crate::sample::Sample;

/// What a full velocity adds to a setting, and how far chance moves it either way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HitAmounts {
    pub velocity: f32,
    pub random: f32,
}

impl HitAmounts {
    /// Of one hit; `chance` is -1 to 1.
    pub(super) fn of(&self, velocity: f32, chance: f32) -> f32 {
        self.velocity * velocity + self.random * chance
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpulseFilter {
    pub response: Response,
    pub hz: f32,
    pub q: f32,
    pub steep: bool,
    pub octaves: HitAmounts,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ImpulseSettings {
    pub sample: Sample,
    /// The part of it that there is, frames.
    pub region: (u32, u32),
    /// Where in it a hit begins, seconds.
    pub start: f32,
    pub semitones: f32,
    pub semitones_by: HitAmounts,
    /// How many times as long it takes at the same pitch, as octaves: 1 is twice, -1 is half.
    pub stretch: f32,
    pub stretch_by: HitAmounts,
    /// Seconds of the grains that it is stretched by.
    pub grain: f32,
    /// 0 is none.
    pub drive_db: f32,
    pub filter: ImpulseFilter,
    /// Seconds until it is 60 dB below; it begins with the hit or, gated, when the key is let go.
    pub decay: f32,
    pub gate: bool,
    /// -1 left to 1 right.
    pub pan: f32,
    pub pan_by: HitAmounts,
    pub gain_db: f32,
    pub velocity_to_level: f32,
}

impl ImpulseSettings {
    /// The whole sample, as it is.
    pub fn of(sample: Sample) -> ImpulseSettings {
        let end = u32::try_from(sample.frames()).unwrap_or(u32::MAX);
        let filter = ImpulseFilter {
            response: Response::Lowpass,
            hz: 18_500.0,
            q: 0.7,
            steep: false,
            octaves: HitAmounts::default(),
        };
        ImpulseSettings {
            sample,
            region: (0, end),
            start: 0.0,
            semitones: 0.0,
            semitones_by: HitAmounts::default(),
            stretch: 0.0,
            stretch_by: HitAmounts::default(),
            grain: 0.06,
            drive_db: 0.0,
            filter,
            decay: 2.0,
            gate: false,
            pan: 0.0,
            pan_by: HitAmounts::default(),
            gain_db: 0.0,
            velocity_to_level: 0.7,
        }
    }
}

pub struct Impulse {
    pub(super) pool: VoicePool<ImpulseVoice>,
}

impl Impulse {
    pub fn new(rate: f32) -> Impulse {
        Impulse { pool: VoicePool::new(rate, || ImpulseVoice::new(rate)) }
    }

    pub fn note_on(&mut self, settings: &ImpulseSettings, note: Note, now: u64) {
        // A slot has one hit at a time.
        self.pool.fade_where(|_| true);
        self.pool.begin(note, now, 1, |voice| voice.start(settings, note));
    }

    pub fn note_off(&mut self, settings: &ImpulseSettings, id: u64, pitch: u8) {
        if settings.gate {
            self.pool.end(id, pitch);
        }
    }

    pub fn render(&mut self, settings: &ImpulseSettings, span: &Span, bus: &mut Bus) {
        self.pool.render(span, bus, |voice, own| voice.render(settings, span, own));
    }
}
