//! The auto filter: a filter that an LFO and the signal's level move.

use super::effect::EffectContext;
use crate::dsp::lfo::{LfoRate, LfoWave, wave_at};
use crate::dsp::math::{approach_in_loop, exp2, floor, gain_of_db, log2, tanh};
use crate::dsp::noise::Noise;
use crate::dsp::ramp::{Glide, Ramp};
use crate::dsp::span::{Bus, TICK, quiet};
use crate::dsp::svf::{Coefficients, Response, StereoSvf};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FilterType {
    #[default]
    Lowpass,
    Highpass,
    Bandpass,
    Notch,
    /// From lowpass over bandpass, highpass and notch back, 0 to 1.
    Morph(f32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lfo {
    pub wave: LfoWave,
    pub rate: LfoRate,
    /// Octaves up and down.
    pub octaves: f32,
    /// How far the right side's is ahead, turns.
    pub phase: f32,
    /// Where it begins, turns.
    pub offset: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct AutoFilterSettings {
    pub filter_type: FilterType,
    pub hz: f32,
    /// 0 to 1.
    pub resonance: f32,
    /// 24 dB an octave rather than 12.
    pub steep: bool,
    /// 0 to 1: up to 24 dB into a soft bend.
    pub drive: f32,
    pub lfo: Lfo,
    /// Octaves that a signal of 0 dB moves it.
    pub envelope_octaves: f32,
    pub envelope_attack_ms: f32,
    pub envelope_release_ms: f32,
    pub output_db: f32,
    pub mix: f32,
}

impl Default for AutoFilterSettings {
    fn default() -> AutoFilterSettings {
        AutoFilterSettings {
            filter_type: FilterType::Lowpass,
            hz: 10_000.0,
            resonance: 0.0,
            steep: true,
            drive: 0.0,
            lfo: Lfo { wave: LfoWave::Sine, rate: LfoRate::Hz(1.0), octaves: 0.0, phase: 0.0, offset: 0.0 },
            envelope_octaves: 0.0,
            envelope_attack_ms: 1.0,
            envelope_release_ms: 250.0,
            output_db: 0.0,
            mix: 1.0,
        }
    }
}

const DRIVE_DB: f32 = 24.0;

pub struct AutoFilter {
    octave: Glide,
    resonance: Glide,
    filters: [StereoSvf; 2],
    coefficients: [Coefficients; 2],
    turn: f32,
    held: [f32; 2],
    noise: Noise,
    level: f32,
    drive: Ramp,
    output: Ramp,
    mix: Ramp,
    steep: Ramp,
    rate: f32,
    fresh: bool,
}

impl AutoFilter {
    pub fn new(rate: f32) -> AutoFilter {
        let through = Coefficients::new(Response::Through, 0.1, 1.0);
        let ramp = |value| Ramp::new(value, 0.01, rate);
        AutoFilter {
            octave: Glide::new(0.005, rate),
            resonance: Glide::new(0.005, rate),
            filters: [StereoSvf::default(); 2],
            coefficients: [through; 2],
            turn: 0.0,
            held: [0.0; 2],
            noise: Noise::new(7),
            level: 0.0,
            drive: ramp(1.0),
            output: ramp(1.0),
            mix: ramp(1.0),
            steep: ramp(0.0),
            rate,
            fresh: true,
        }
    }

    pub fn process(&mut self, settings: &AutoFilterSettings, context: &EffectContext, bus: &mut Bus) {
        if context.span.is_tick() {
            self.tick(settings, context.tempo_bpm);
        }
        let aims = [
            (&mut self.drive, gain_of_db(DRIVE_DB * settings.drive)),
            (&mut self.output, gain_of_db(settings.output_db)),
            (&mut self.mix, settings.mix),
            (&mut self.steep, if settings.steep { 1.0 } else { 0.0 }),
        ];
        for (ramp, value) in aims {
            if self.fresh { ramp.jump(value) } else { ramp.go(value) }
        }
        self.fresh = false;
        let part = |ms: f32| approach_in_loop(ms.max(0.05) * 0.001 * self.rate);
        let (attack, release) = (part(settings.envelope_attack_ms), part(settings.envelope_release_ms));
        let [first, second] = &mut self.filters;
        let [for_left, for_right] = self.coefficients;
        for (left, right) in bus.frames_mut(context.span.frames) {
            let peak = left.abs().max(right.abs());
            self.level += (peak - self.level) * if peak > self.level { attack } else { release };
            let drive = self.drive.next_value();
            let driven = |x: f32| if drive > 1.001 { tanh(x * drive) / drive.sqrt() } else { x };
            let one = (first.left.process(&for_left, driven(*left)), first.right.process(&for_right, driven(*right)));
            let two = (second.left.process(&for_left, one.0), second.right.process(&for_right, one.1));
            let (steep, output, mix) = (self.steep.next_value(), self.output.next_value(), self.mix.next_value());
            let wet = |one: f32, two: f32| (one + (two - one) * steep) * output;
            *left += (wet(one.0, two.0) - *left) * mix;
            *right += (wet(one.1, two.1) - *right) * mix;
        }
    }

    fn tick(&mut self, settings: &AutoFilterSettings, tempo_bpm: f32) {
        for filter in &mut self.filters {
            filter.settle();
        }
        self.level = quiet(self.level);
        let hz = settings.lfo.rate.hz(tempo_bpm);
        let before = self.turn;
        self.turn += hz * TICK as f32 / self.rate;
        self.turn -= floor(self.turn);
        if self.turn < before {
            self.held = [self.held[1], self.noise.next_value()];
        }
        let (octave, _) = self.octave.step(log2(settings.hz.clamp(10.0, 22_000.0)));
        let (resonance, _) = self.resonance.step(settings.resonance.clamp(0.0, 1.0));
        let moved = octave + settings.envelope_octaves * self.level.min(1.0);
        let q = 0.6 * exp2(if settings.steep { 3.2 } else { 4.6 } * resonance);
        let sides = [settings.lfo.offset, settings.lfo.offset + settings.lfo.phase];
        for (coefficients, shift) in self.coefficients.iter_mut().zip(sides) {
            let lfo = wave_at(settings.lfo.wave, self.turn + shift, self.held) * settings.lfo.octaves;
            let frequency = exp2((moved + lfo).clamp(4.0, 14.4)) / self.rate;
            let target = coefficients_of(settings.filter_type, frequency, q);
            // A type that changes does so within ten milliseconds.
            *coefficients = if self.fresh { target } else { coefficients.towards(&target, 0.2) };
        }
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        let filters = self.filters.iter().flat_map(|f| f.left.memory().into_iter().chain(f.right.memory()));
        filters.chain([self.level])
    }
}

fn coefficients_of(filter_type: FilterType, frequency: f32, q: f32) -> Coefficients {
    let of = |response: Response| Coefficients::new(response, frequency, q);
    match filter_type {
        FilterType::Lowpass => of(Response::Lowpass),
        FilterType::Highpass => of(Response::Highpass),
        FilterType::Bandpass => of(Response::Bandpass),
        FilterType::Notch => of(Response::Notch),
        FilterType::Morph(morph) => {
            let ring =
                [Response::Lowpass, Response::Bandpass, Response::Highpass, Response::Notch, Response::Lowpass].map(of);
            let place = morph.clamp(0.0, 1.0) * 4.0;
            let index = (place as usize).min(3);
            match ring.get(index..index + 2) {
                Some([from, to]) => from.towards(to, place - index as f32),
                _ => of(Response::Lowpass),
            }
        }
    }
}
