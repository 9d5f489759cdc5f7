//! Redux: fewer samples a second, fewer bits.

use super::effect::EffectContext;
use crate::dsp::math::{exp2, floor, log2};
use crate::dsp::noise::Noise;
use crate::dsp::ramp::Ramp;
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::Bus;
use crate::dsp::svf::Response;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReduxSettings {
    /// Samples a second, 20 to 40,000.
    pub hz: f32,
    /// How unevenly they come, 0 to 1.
    pub jitter: f32,
    /// 1 to 16.
    pub bits: f32,
    /// Steps that are finer for quiet signals, 0 to 1.
    pub shape: f32,
    /// Steps lie beside zero rather than on it.
    pub dc_shift: bool,
    /// Takes away what would fold back.
    pub pre_filter: bool,
    /// Takes away what lies above: so many octaves above half of `hz`.
    pub post_filter: Option<f32>,
    /// 0 to 1.
    pub mix: f32,
}

impl Default for ReduxSettings {
    fn default() -> ReduxSettings {
        ReduxSettings {
            hz: 40_000.0,
            jitter: 0.0,
            bits: 16.0,
            shape: 0.0,
            dc_shift: false,
            pre_filter: false,
            post_filter: None,
            mix: 1.0,
        }
    }
}

pub struct Redux {
    /// Two each: 24 dB an octave.
    pre: [SmoothFilter; 2],
    post: [SmoothFilter; 2],
    until_next: f32,
    held: (f32, f32),
    noise: Noise,
    mix: Ramp,
    rate: f32,
}

impl Redux {
    pub fn new(rate: f32) -> Redux {
        let pair = || std::array::from_fn(|_| SmoothFilter::new(rate));
        Redux {
            pre: pair(),
            post: pair(),
            until_next: 0.0,
            held: (0.0, 0.0),
            noise: Noise::new(11),
            mix: Ramp::new(1.0, 0.005, rate),
            rate,
        }
    }

    pub fn process(&mut self, settings: &ReduxSettings, context: &EffectContext, bus: &mut Bus) {
        let hz = settings.hz.clamp(20.0, self.rate);
        if context.span.is_tick() {
            let lowpass = |hz: Option<f32>, idle: f32| FilterSettings {
                response: if hz.is_some() { Response::Lowpass } else { Response::Through },
                hz: hz.unwrap_or(idle).clamp(20.0, 22_000.0),
                q: 0.707,
            };
            let pre = lowpass(settings.pre_filter.then_some(0.45 * hz), 10_000.0);
            let post = lowpass(settings.post_filter.map(|octaves| 0.5 * hz * exp2(octaves)), 10_000.0);
            self.pre.iter_mut().for_each(|filter| filter.tick(&pre));
            self.post.iter_mut().for_each(|filter| filter.tick(&post));
        }
        let dry = *bus;
        self.pre.iter_mut().for_each(|filter| filter.process(&context.span, bus));
        // A step of so many bits; each bit halves it, also between whole ones.
        let steps = exp2(settings.bits.clamp(1.0, 16.0) - 1.0);
        let place = if settings.dc_shift { 0.5 } else { 0.0 };
        for (left, right) in bus.frames_mut(context.span.frames) {
            self.until_next -= hz / self.rate;
            if self.until_next <= 0.0 {
                self.until_next = (self.until_next + 1.0 + settings.jitter * self.noise.next_value() * 0.9).max(0.0);
                let cut = |x: f32| quantized(x, steps, settings.shape, place);
                self.held = (cut(*left), cut(*right));
            }
            (*left, *right) = self.held;
        }
        self.post.iter_mut().for_each(|filter| filter.process(&context.span, bus));
        self.mix.go(settings.mix);
        for ((left, right), (l, r)) in bus.frames_mut(context.span.frames).zip(dry.left.into_iter().zip(dry.right)) {
            let mix = self.mix.next_value();
            *left = l + (*left - l) * mix;
            *right = r + (*right - r) * mix;
        }
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        self.pre.iter().chain(&self.post).flat_map(SmoothFilter::memory).chain([self.held.0, self.held.1])
    }
}

fn quantized(x: f32, steps: f32, shape: f32, place: f32) -> f32 {
    // Silence stays silence.
    if x.abs() < 1e-7 {
        return 0.0;
    }
    let power = exp2(-2.0 * shape);
    let bent = if shape > 0.0 { x.signum() * exp2(log2(x.abs()) * power) } else { x };
    let cut = (floor(bent * steps + 0.5 - place) + place) / steps;
    if shape > 0.0 && cut != 0.0 { cut.signum() * exp2(log2(cut.abs()) / power) } else { cut }
}
