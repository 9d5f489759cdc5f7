//! One hit: a sine that falls, noise through a filter, metal of six squares.

use super::voice_pool::Voice;
use crate::dsp::envelope::CONSTANTS_OF_60_DB;
use crate::dsp::math::{approach, tanh};
use crate::dsp::noise::Noise;
use crate::dsp::oscillator::Wave;
use crate::dsp::phase::Phase;
use crate::dsp::span::{Bus, Span};
use crate::dsp::svf::{Coefficients, Response, Svf};
use crate::dsp::wavetable::{Waves, waves};

/// What a hit is made of. Times are to 60 dB below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrumSound {
    pub tone_hz: f32,
    pub tone_level: f32,
    pub tone_decay_ms: f32,
    /// How many times as high it begins, and how long it takes to come down.
    pub sweep: f32,
    pub sweep_ms: f32,
    /// A second sine, of so many times the frequency.
    pub overtone: f32,
    pub overtone_level: f32,
    pub noise_level: f32,
    pub noise_response: Response,
    pub noise_hz: f32,
    pub noise_q: f32,
    pub noise_decay_ms: f32,
    /// Bursts before the last one, 11 ms apart: hands that do not clap at once.
    pub bursts: u8,
    pub metal_level: f32,
    pub metal_hz: f32,
    /// What lies below is taken away.
    pub metal_highpass_hz: f32,
    pub metal_decay_ms: f32,
    /// Factor into a soft bend; 0: none.
    pub drive: f32,
    pub level: f32,
    /// -1 left to 1 right.
    pub pan: f32,
    /// Hits of one group end each other; 0: none.
    pub choke: u8,
}

impl DrumSound {
    pub const SILENT: DrumSound = DrumSound {
        tone_hz: 100.0,
        tone_level: 0.0,
        tone_decay_ms: 100.0,
        sweep: 1.0,
        sweep_ms: 20.0,
        overtone: 1.0,
        overtone_level: 0.0,
        noise_level: 0.0,
        noise_response: Response::Highpass,
        noise_hz: 1000.0,
        noise_q: 0.7,
        noise_decay_ms: 100.0,
        bursts: 0,
        metal_level: 0.0,
        metal_hz: 400.0,
        metal_highpass_hz: 7000.0,
        metal_decay_ms: 100.0,
        drive: 0.0,
        level: 1.0,
        pan: 0.0,
        choke: 0,
    };
}

/// The six squares of a cymbal, beside its lowest.
const METAL: [f32; 6] = [1.0, 1.342, 1.2312, 1.6532, 1.9523, 2.1523];
const BURST_SECONDS: f32 = 0.011;
/// A hit is over here, 100 dB below.
const END: f32 = 1e-5;
/// A hit begins within this time, so that even noise does not begin with a step.
const ONSET_SECONDS: f32 = 0.000_35;

/// A level that falls.
#[derive(Clone, Copy, Default)]
struct Fall {
    level: f32,
    part: f32,
}

impl Fall {
    fn new(level: f32, ms: f32, rate: f32) -> Fall {
        Fall { level, part: approach(ms * 0.001 * rate / CONSTANTS_OF_60_DB) }
    }

    #[inline]
    fn next_value(&mut self) -> f32 {
        let level = self.level;
        self.level = if level < END { 0.0 } else { level - level * self.part };
        level
    }
}

pub struct DrumVoice {
    sound: DrumSound,
    tone: Fall,
    sweep: Fall,
    overtone: Fall,
    noise: Fall,
    metal: Fall,
    phase: Phase,
    over_phase: Phase,
    metal_phases: [Phase; 6],
    bursts_left: u8,
    until_burst: u32,
    generator: Noise,
    noise_filter: Svf,
    metal_filters: [Svf; 2],
    noise_coefficients: Coefficients,
    metal_coefficients: Coefficients,
    onset: f32,
    gain: f32,
    pitch: f32,
    rate: f32,
    waves: &'static Waves,
}

impl Voice for DrumVoice {
    fn level(&self) -> f32 {
        (self.tone.level + self.noise.level + self.metal.level + self.overtone.level) * self.gain
    }

    /// A hit rings as long as it does.
    fn release(&mut self) {}

    fn is_over(&self) -> bool {
        self.bursts_left == 0 && self.tone.level + self.noise.level + self.metal.level + self.overtone.level == 0.0
    }
}

impl DrumVoice {
    pub fn new(rate: f32) -> DrumVoice {
        let through = Coefficients::new(Response::Through, 0.1, 1.0);
        DrumVoice {
            sound: DrumSound::SILENT,
            tone: Fall::default(),
            sweep: Fall::default(),
            overtone: Fall::default(),
            noise: Fall::default(),
            metal: Fall::default(),
            phase: Phase(0),
            over_phase: Phase(0),
            metal_phases: [Phase(0); 6],
            bursts_left: 0,
            until_burst: 0,
            generator: Noise::new(1),
            noise_filter: Svf::default(),
            metal_filters: [Svf::default(); 2],
            noise_coefficients: through,
            metal_coefficients: through,
            onset: 1.0,
            gain: 0.0,
            pitch: 1.0,
            rate,
            waves: waves(),
        }
    }

    pub fn choke(&self) -> u8 {
        self.sound.choke
    }

    /// `pitch` is a factor for every frequency of the hit.
    pub fn start(&mut self, sound: &DrumSound, velocity: f32, pitch: f32, seed: u64) {
        let rate = self.rate;
        self.sound = *sound;
        self.pitch = pitch;
        // Harder hits are louder, and brighter by a little more noise.
        self.gain = sound.level * (0.15 + 0.85 * velocity) * velocity;
        self.tone = Fall::new(sound.tone_level, sound.tone_decay_ms, rate);
        self.sweep = Fall::new((sound.sweep - 1.0).max(0.0), sound.sweep_ms, rate);
        self.overtone = Fall::new(sound.overtone_level, sound.tone_decay_ms * 0.7, rate);
        let decay = if sound.bursts > 0 { 60.0 } else { sound.noise_decay_ms };
        self.noise = Fall::new(sound.noise_level * (0.6 + 0.4 * velocity), decay, rate);
        self.metal = Fall::new(sound.metal_level, sound.metal_decay_ms, rate);
        (self.phase, self.over_phase) = (Phase(0), Phase(0));
        self.bursts_left = sound.bursts;
        self.until_burst = (BURST_SECONDS * rate) as u32;
        self.generator = Noise::new(seed);
        for (phase, at) in self.metal_phases.iter_mut().zip(1..) {
            *phase = Phase::of(0.137 * at as f32);
        }
        self.noise_filter.clear();
        self.metal_filters = [Svf::default(); 2];
        let at = |hz: f32| (hz / rate).min(0.45);
        self.noise_coefficients = Coefficients::new(sound.noise_response, at(sound.noise_hz), sound.noise_q);
        self.metal_coefficients = Coefficients::new(Response::Highpass, at(sound.metal_highpass_hz), 0.8);
        self.onset = 0.0;
    }

    /// Fills a silent bus.
    pub fn render(&mut self, span: &Span, bus: &mut Bus) {
        if span.is_tick() {
            self.noise_filter.settle();
            for filter in &mut self.metal_filters {
                filter.settle();
            }
        }
        let sound = self.sound;
        let (left_gain, right_gain) = (self.gain * (1.0 - sound.pan.max(0.0)), self.gain * (1.0 + sound.pan.min(0.0)));
        let base = sound.tone_hz * self.pitch / self.rate;
        let metal_step = sound.metal_hz * self.pitch / self.rate;
        let square = Wave::Pulse { width: 0.5 }.shape(self.waves, metal_step * 2.2);
        let onset_step = 1.0 / (ONSET_SECONDS * self.rate);
        for (left, right) in bus.frames_mut(span.frames) {
            let step = (base * (1.0 + self.sweep.next_value())).min(0.45);
            let mut value = self.phase.sine() * self.tone.next_value();
            self.phase = self.phase.plus(Phase::of(step));
            if self.overtone.level > 0.0 {
                value += self.over_phase.sine() * self.overtone.next_value();
                self.over_phase = self.over_phase.plus(Phase::of((step * sound.overtone).min(0.45)));
            }
            if self.noise.level > 0.0 || self.bursts_left > 0 {
                value += self.noise_value();
            }
            if self.metal.level > 0.0 {
                let mut metal = 0.0;
                for (phase, ratio) in self.metal_phases.iter_mut().zip(METAL) {
                    metal += square.at(*phase);
                    *phase = phase.plus(Phase::of(metal_step * ratio));
                }
                for filter in &mut self.metal_filters {
                    metal = filter.process(&self.metal_coefficients, metal);
                }
                value += metal * self.metal.next_value();
            }
            if sound.drive > 0.0 {
                value = tanh(value * sound.drive);
            }
            self.onset = (self.onset + onset_step).min(1.0);
            *left = value * left_gain * self.onset;
            *right = value * right_gain * self.onset;
        }
    }

    #[inline]
    fn noise_value(&mut self) -> f32 {
        if self.bursts_left > 0 {
            self.until_burst = self.until_burst.saturating_sub(1);
            if self.until_burst == 0 {
                self.bursts_left -= 1;
                let last = self.bursts_left == 0;
                let ms = if last { self.sound.noise_decay_ms } else { 60.0 };
                self.noise = Fall::new(self.sound.noise_level, ms, self.rate);
                self.until_burst = (BURST_SECONDS * self.rate) as u32;
            }
        }
        self.noise_filter.process(&self.noise_coefficients, self.generator.next_value()) * self.noise.next_value()
    }
}
