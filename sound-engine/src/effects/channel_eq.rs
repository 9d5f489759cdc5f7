//! Channel EQ: a highpass, a low shelf, a bell, a high shelf that turns to a lowpass.

use super::effect::EffectContext;
use crate::dsp::math::{exp2, gain_of_db};
use crate::dsp::ramp::Ramp;
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::Bus;
use crate::dsp::svf::Response;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChannelEqSettings {
    /// At 80 Hz.
    pub highpass: bool,
    /// Below 100 Hz, -15 to 15.
    pub low_db: f32,
    /// -12 to 12.
    pub mid_db: f32,
    pub mid_hz: f32,
    /// -15 to 15; less than 0 brings a lowpass down from 20 kHz to 8 kHz with it.
    pub high_db: f32,
    pub output_db: f32,
}

impl Default for ChannelEqSettings {
    fn default() -> ChannelEqSettings {
        ChannelEqSettings { highpass: false, low_db: 0.0, mid_db: 0.0, mid_hz: 1_500.0, high_db: 0.0, output_db: 0.0 }
    }
}

const HIGHPASS_HZ: f32 = 80.0;
const LOW_HZ: f32 = 100.0;
const HIGH_HZ: f32 = 6_000.0;
const MID_Q: f32 = 0.8;

pub struct ChannelEq {
    filters: [SmoothFilter; 5],
    output: Ramp,
}

impl ChannelEq {
    pub fn new(rate: f32) -> ChannelEq {
        ChannelEq { filters: std::array::from_fn(|_| SmoothFilter::new(rate)), output: Ramp::new(1.0, 0.005, rate) }
    }

    pub fn process(&mut self, settings: &ChannelEqSettings, context: &EffectContext, bus: &mut Bus) {
        if context.span.is_tick() {
            let on = |used: bool, response| if used { response } else { Response::Through };
            let down = (-settings.high_db / 15.0).clamp(0.0, 1.0);
            let stages = [
                (on(settings.highpass, Response::Highpass), HIGHPASS_HZ, 0.707),
                (Response::LowShelf { gain: gain_of_db(settings.low_db) }, LOW_HZ, 0.6),
                (Response::Bell { gain: gain_of_db(settings.mid_db) }, settings.mid_hz, MID_Q),
                (Response::HighShelf { gain: gain_of_db(settings.high_db) }, HIGH_HZ, 0.6),
                (on(down > 0.0, Response::Lowpass), 20_000.0 * exp2(-1.32 * down), 0.707),
            ];
            for (filter, (response, hz, q)) in self.filters.iter_mut().zip(stages) {
                filter.tick(&FilterSettings { response, hz, q });
            }
        }
        self.filters.iter_mut().for_each(|filter| filter.process(&context.span, bus));
        self.output.go(gain_of_db(settings.output_db));
        let gains = self.output.lane(&context.span);
        for ((left, right), gain) in bus.frames_mut(context.span.frames).zip(gains) {
            *left *= gain;
            *right *= gain;
        }
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        self.filters.iter().flat_map(SmoothFilter::memory)
    }
}
