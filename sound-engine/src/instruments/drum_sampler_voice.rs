//! One hit of the drum sampler.

use super::drum_sampler::{DrumFilterType, DrumSamplerEffect, DrumSamplerSettings, DrumVelocityTarget};
use super::drum_sampler_effect::{EffectVoice, moved};
use super::voice_pool::{Note, Voice};
use crate::dsp::envelope::{CONSTANTS_OF_60_DB, END};
use crate::dsp::math::{approach, exp2, gain_of_db, log2};
use crate::dsp::span::{Bus, Span};
use crate::dsp::svf::{Coefficients, Response, StereoSvf};

/// Edges are never sharper, seconds.
const SHORTEST_EDGE: f32 = 0.001;

pub struct DrumSamplerVoice {
    effect: EffectVoice,
    /// With what velocity makes of it.
    kind: Option<DrumSamplerEffect>,
    end: f64,
    speed: f64,
    /// Of the envelope.
    level: f32,
    rise: f32,
    fall: f32,
    hold_frames: u32,
    falling: bool,
    velocity: f32,
    gain: f32,
    filters: [StereoSvf; 2],
    coefficients: Coefficients,
    played: u32,
    begins_inside: bool,
    rate: f32,
}

impl Voice for DrumSamplerVoice {
    fn level(&self) -> f32 {
        self.level * self.gain
    }

    fn release(&mut self) {
        self.falling = true;
    }

    fn is_over(&self) -> bool {
        self.effect.position >= self.end || (self.falling && self.level == 0.0)
    }
}

impl DrumSamplerVoice {
    pub fn new(rate: f32) -> DrumSamplerVoice {
        DrumSamplerVoice {
            effect: EffectVoice::new(),
            kind: None,
            end: 0.0,
            speed: 1.0,
            level: 0.0,
            rise: 1.0,
            fall: 1.0,
            hold_frames: 0,
            falling: false,
            velocity: 0.0,
            gain: 0.0,
            filters: [StereoSvf::default(); 2],
            coefficients: Coefficients::new(Response::Through, 0.1, 1.0),
            played: 0,
            begins_inside: false,
            rate,
        }
    }

    pub fn start(&mut self, settings: &DrumSamplerSettings, note: Note) {
        let frames = settings.sample.frames() as f64;
        let from = f64::from(settings.start.clamp(0.0, 1.0)) * frames;
        self.end = (from + f64::from(settings.length.clamp(0.0, 1.0)) * frames).min(frames);
        self.begins_inside = from > 0.0;
        let semitones = settings.semitones + f32::from(note.pitch) - f32::from(settings.root);
        self.speed = f64::from(exp2(semitones / 12.0)) * f64::from(settings.sample.rate()) / f64::from(self.rate);
        self.kind = moved(settings.effect, settings.velocity_to, note.velocity);
        self.effect.start(self.kind, from, note.id ^ (u64::from(note.pitch) << 32), self.rate);
        if matches!(self.kind, Some(DrumSamplerEffect::Loop { .. })) {
            self.end = f64::INFINITY;
        }
        let by = |target| {
            let amount = settings.velocity_to.filter(|(to, _)| *to == target).map_or(0.0, |(_, amount)| amount);
            exp2(3.0 * amount * note.velocity)
        };
        let attack = (settings.attack * by(DrumVelocityTarget::Attack)).max(0.0);
        self.rise = 1.0 / (attack * self.rate).max(1.0);
        self.fall =
            approach((settings.decay * by(DrumVelocityTarget::Decay)).max(0.003) * self.rate / CONSTANTS_OF_60_DB);
        self.hold_frames = ((attack + settings.hold * by(DrumVelocityTarget::Hold)) * self.rate) as u32;
        (self.level, self.falling, self.played) = (0.0, false, 0);
        self.velocity = note.velocity;
        let amount = settings.velocity_to_level.clamp(0.0, 1.0);
        self.gain = 1.0 - amount + amount * note.velocity * note.velocity;
        self.filters = [StereoSvf::default(); 2];
        self.control(settings);
    }

    fn control(&mut self, settings: &DrumSamplerSettings) {
        self.effect.tick(self.kind, self.rate);
        let Some(filter) = &settings.filter else { return };
        let to_filter = settings.velocity_to.filter(|(to, _)| *to == DrumVelocityTarget::Filter);
        let octaves = to_filter.map_or(0.0, |(_, amount)| 5.0 * amount * self.velocity);
        let frequency = exp2((log2(filter.hz.max(10.0)) + octaves).clamp(4.0, 14.4)) / self.rate;
        let q = 0.6 * exp2(4.0 * filter.resonance.clamp(0.0, 0.9));
        let (response, q) = match filter.filter_type {
            DrumFilterType::Lowpass12 | DrumFilterType::Lowpass24 => (Response::Lowpass, q),
            DrumFilterType::Highpass24 => (Response::Highpass, q),
            DrumFilterType::Peak => (Response::Bell { gain: gain_of_db(filter.gain_db) }, q),
        };
        self.coefficients = Coefficients::new(response, frequency, q);
        self.filters.iter_mut().for_each(StereoSvf::settle);
    }

    /// Fills a silent bus.
    pub fn render(&mut self, settings: &DrumSamplerSettings, span: &Span, bus: &mut Bus) {
        if span.is_tick() {
            self.control(settings);
        }
        let level = self.gain * gain_of_db(settings.gain_db);
        let (left_gain, right_gain) = (level * (1.0 - settings.pan.max(0.0)), level * (1.0 + settings.pan.min(0.0)));
        let edge = SHORTEST_EDGE * self.rate;
        let fade_out = f64::from(edge) * self.speed;
        let steep = settings
            .filter
            .is_some_and(|filter| matches!(filter.filter_type, DrumFilterType::Lowpass24 | DrumFilterType::Highpass24));
        for (left, right) in bus.frames_mut(span.frames) {
            if self.effect.position >= self.end {
                break;
            }
            let mut gain = self.envelope(settings.gate);
            if self.begins_inside && (self.played as f32) < edge {
                gain *= self.played as f32 / edge;
            }
            if self.end - self.effect.position < fade_out {
                gain *= ((self.end - self.effect.position) / fade_out) as f32;
            }
            let (mut l, mut r) = self.effect.next(self.kind, &settings.sample, self.speed, self.rate);
            if settings.filter.is_some() {
                let [first, second] = &mut self.filters;
                (l, r) = first.process(&self.coefficients, l, r);
                if steep {
                    (l, r) = second.process(&self.coefficients, l, r);
                }
            }
            *left = l * gain * left_gain;
            *right = r * gain * right_gain;
            self.played = self.played.saturating_add(1);
        }
    }

    #[inline]
    fn envelope(&mut self, gate: bool) -> f32 {
        if !gate && self.played >= self.hold_frames {
            self.falling = true;
        }
        if self.falling {
            self.level -= self.level * self.fall;
            if self.level < END {
                self.level = 0.0;
            }
        } else {
            self.level = (self.level + self.rise).min(1.0);
        }
        self.level
    }
}
