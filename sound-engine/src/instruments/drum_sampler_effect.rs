//! The playback effects of the drum sampler: where a hit reads its sample, and what is done to what it reads.

use super::drum_sampler::{DrumSamplerEffect, DrumVelocityTarget};
use crate::dsp::grain_reader::{GrainReader, Grains};
use crate::dsp::math::{approach, exp2, log2, sin_turns};
use crate::dsp::noise::Noise;
use crate::dsp::phase::Phase;
use crate::dsp::sinc_reader::{END_EDGE, SincReader};
use crate::dsp::span::quiet;
use crate::dsp::svf::{Coefficients, Response, Svf};
use crate::sample::Sample;

/// Around a loop's seam both ends sound, for so many frames.
const SEAM: f64 = 64.0;

/// What an effect remembers of a hit.
#[derive(Clone, Copy)]
pub(super) struct EffectVoice {
    pub position: f64,
    grains: GrainReader,
    /// What falls from 1 on, and the part that each frame takes.
    fall: f32,
    fall_part: f32,
    turn: Phase,
    noise: Noise,
    filters: [Svf; 2],
    coefficients: Coefficients,
    held: (f32, f32),
    until_next: f32,
}

/// An effect with what velocity makes of its settings.
pub(super) fn moved(
    effect: Option<DrumSamplerEffect>,
    velocity_to: Option<(DrumVelocityTarget, f32)>,
    velocity: f32,
) -> Option<DrumSamplerEffect> {
    let by = |target| velocity_to.filter(|(to, _)| *to == target).map_or(0.0, |(_, amount)| amount * velocity);
    let (one, two) = (by(DrumVelocityTarget::Effect1), by(DrumVelocityTarget::Effect2));
    // Parts are added to, all else is multiplied by up to four.
    let part = |value: f32, by: f32| (value + by).clamp(0.0, 1.0);
    let times = |value: f32, by: f32| value * exp2(2.0 * by);
    Some(match effect? {
        DrumSamplerEffect::Stretch { factor, grain } => {
            DrumSamplerEffect::Stretch { factor: times(factor, one).max(1.0), grain: times(grain, two) }
        }
        DrumSamplerEffect::Loop { offset, length } => {
            DrumSamplerEffect::Loop { offset: part(offset, one), length: times(length, two) }
        }
        DrumSamplerEffect::PitchEnvelope { semitones, decay } => {
            DrumSamplerEffect::PitchEnvelope { semitones: semitones + 24.0 * one, decay: times(decay, two) }
        }
        DrumSamplerEffect::Punch { amount, release } => {
            DrumSamplerEffect::Punch { amount: part(amount, one), release: times(release, two) }
        }
        DrumSamplerEffect::EightBit { hz, filter_decay } => {
            DrumSamplerEffect::EightBit { hz: times(hz, one), filter_decay: times(filter_decay, two) }
        }
        DrumSamplerEffect::FrequencyModulation { amount, hz } => {
            DrumSamplerEffect::FrequencyModulation { amount: part(amount, one), hz: times(hz, two) }
        }
        DrumSamplerEffect::RingModulation { amount, hz } => {
            DrumSamplerEffect::RingModulation { amount: part(amount, one), hz: times(hz, two) }
        }
        DrumSamplerEffect::SubOscillator { amount, hz } => {
            DrumSamplerEffect::SubOscillator { amount: part(amount, one), hz: times(hz, two) }
        }
        DrumSamplerEffect::Noise { amount, color } => {
            DrumSamplerEffect::Noise { amount: part(amount, one), color: part(color, two) }
        }
    })
}

impl EffectVoice {
    pub fn new() -> EffectVoice {
        EffectVoice {
            position: 0.0,
            grains: GrainReader::new(),
            fall: 0.0,
            fall_part: 1.0,
            turn: Phase(0),
            noise: Noise::new(1),
            filters: [Svf::default(); 2],
            coefficients: Coefficients::new(Response::Through, 0.1, 1.0),
            held: (0.0, 0.0),
            until_next: 0.0,
        }
    }

    pub fn start(&mut self, effect: Option<DrumSamplerEffect>, from: f64, seed: u64, rate: f32) {
        *self = EffectVoice { position: from, fall: 1.0, noise: Noise::new(seed), ..EffectVoice::new() };
        let seconds = match effect {
            Some(DrumSamplerEffect::PitchEnvelope { decay, .. }) => decay,
            Some(DrumSamplerEffect::Punch { release, .. }) => release,
            Some(DrumSamplerEffect::EightBit { filter_decay, .. }) => filter_decay,
            _ => 1.0,
        };
        self.fall_part = approach(seconds.max(0.001) * rate / 4.0);
    }

    /// Once a tick.
    pub fn tick(&mut self, effect: Option<DrumSamplerEffect>, rate: f32) {
        self.fall = quiet(self.fall);
        self.filters.iter_mut().for_each(Svf::settle);
        match effect {
            Some(DrumSamplerEffect::EightBit { filter_decay, .. }) if filter_decay > 0.0 => {
                let hz = exp2(log2(18_000.0) - 6.0 * (1.0 - self.fall));
                self.coefficients = Coefficients::new(Response::Lowpass, hz / rate, 0.707);
            }
            Some(DrumSamplerEffect::Noise { color, .. }) => {
                let hz = 200.0 * exp2(6.5 * color.clamp(0.0, 1.0));
                self.coefficients = Coefficients::new(Response::Bandpass, hz / rate, 0.5);
            }
            _ => {}
        }
    }

    /// The next frame of a hit that goes through its sample at `speed`.
    #[inline]
    pub fn next(&mut self, effect: Option<DrumSamplerEffect>, sample: &Sample, speed: f64, rate: f32) -> (f32, f32) {
        let reader = SincReader::at_speed(speed);
        self.fall -= self.fall * self.fall_part;
        match effect {
            Some(DrumSamplerEffect::Stretch { factor, grain }) => {
                let hop = (grain.clamp(0.005, 0.5) * rate * 0.5) as u32;
                let grains = Grains { hop, search: i64::from(hop) / 4 };
                let out = self.grains.next(sample, &grains, self.position, speed, (&reader, END_EDGE * rate));
                self.position += speed / f64::from(factor.max(1.0));
                out
            }
            Some(DrumSamplerEffect::Loop { offset, length }) => self.looped(sample, (offset, length), speed, &reader),
            Some(DrumSamplerEffect::PitchEnvelope { semitones, .. }) => {
                let speed = speed * f64::from(exp2(semitones * self.fall / 12.0));
                self.step(sample, speed, &SincReader::at_speed(speed))
            }
            Some(DrumSamplerEffect::Punch { amount, .. }) => {
                let gain = 1.0 + 2.0 * amount * self.fall;
                let (l, r) = self.step(sample, speed, &reader);
                (l * gain, r * gain)
            }
            Some(DrumSamplerEffect::EightBit { hz, filter_decay }) => {
                let here = self.step(sample, speed, &reader);
                self.until_next -= hz.max(20.0) / rate;
                if self.until_next <= 0.0 {
                    self.until_next += 1.0;
                    let bits = |x: f32| (x * 128.0).round() * (1.0 / 128.0);
                    self.held = (bits(here.0), bits(here.1));
                }
                if filter_decay <= 0.0 {
                    return self.held;
                }
                let [left, right] = &mut self.filters;
                (left.process(&self.coefficients, self.held.0), right.process(&self.coefficients, self.held.1))
            }
            Some(DrumSamplerEffect::FrequencyModulation { amount, hz }) => {
                let away = f64::from(self.sine(hz, rate) * amount) * 0.002 * f64::from(sample.rate());
                let out = reader.read(sample, self.position + away);
                self.position += speed;
                out
            }
            Some(DrumSamplerEffect::RingModulation { amount, hz }) => {
                let gain = 1.0 + (self.sine(hz, rate) - 1.0) * amount;
                let (l, r) = self.step(sample, speed, &reader);
                (l * gain, r * gain)
            }
            Some(DrumSamplerEffect::SubOscillator { amount, hz }) => {
                let sub = self.sine(hz, rate) * amount;
                let (l, r) = self.step(sample, speed, &reader);
                (l + sub, r + sub)
            }
            Some(DrumSamplerEffect::Noise { amount, .. }) => {
                let value = self.noise.next_value();
                let noise = self.filters[0].process(&self.coefficients, value) * amount;
                let (l, r) = self.step(sample, speed, &reader);
                (l + noise, r + noise)
            }
            None => self.step(sample, speed, &reader),
        }
    }

    fn step(&mut self, sample: &Sample, speed: f64, reader: &SincReader) -> (f32, f32) {
        let out = reader.read(sample, self.position);
        self.position += speed;
        out
    }

    fn sine(&mut self, hz: f32, rate: f32) -> f32 {
        let value = sin_turns(self.turn.turns());
        self.turn = self.turn.plus(Phase::of((hz / rate).clamp(0.0, 0.49)));
        value
    }

    fn looped(&mut self, sample: &Sample, (offset, length): (f32, f32), speed: f64, reader: &SincReader) -> (f32, f32) {
        let from = f64::from(offset.clamp(0.0, 1.0)) * sample.frames() as f64;
        let length = (f64::from(length) * f64::from(sample.rate())).max(2.0 * SEAM);
        let (mut l, mut r) = reader.read(sample, self.position);
        let left_over = from + length - self.position;
        if left_over < SEAM {
            let weight = (left_over / SEAM).max(0.0) as f32;
            let (next_l, next_r) = reader.read(sample, self.position - length);
            (l, r) = (next_l + (l - next_l) * weight, next_r + (r - next_r) * weight);
        }
        self.position += speed;
        if self.position >= from + length {
            self.position -= length;
        }
        (l, r)
    }
}
