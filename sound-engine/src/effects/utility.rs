//! Utility: gain, width, balance, mono, phase.

use super::effect::EffectContext;
use crate::dsp::math::gain_of_db;
use crate::dsp::ramp::Ramp;
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::Bus;
use crate::dsp::svf::{Coefficients, Response, Svf};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChannelMode {
    Left,
    #[default]
    Stereo,
    Right,
    Swap,
}

#[derive(Clone, Debug, PartialEq)]
pub struct UtilitySettings {
    pub invert_left: bool,
    pub invert_right: bool,
    pub channels: ChannelMode,
    /// 0 mono, 1 as it is, 4 at most.
    pub width: f32,
    pub mono: bool,
    /// Below this it is mono.
    pub bass_mono_hz: Option<f32>,
    /// -1 left to 1 right.
    pub balance: f32,
    /// Negative infinity is silence.
    pub gain_db: f32,
    pub mute: bool,
    pub dc_filter: bool,
}

impl Default for UtilitySettings {
    fn default() -> UtilitySettings {
        UtilitySettings {
            invert_left: false,
            invert_right: false,
            channels: ChannelMode::Stereo,
            width: 1.0,
            mono: false,
            bass_mono_hz: None,
            balance: 0.0,
            gain_db: 0.0,
            mute: false,
            dc_filter: false,
        }
    }
}

pub struct Utility {
    /// From each input to each output.
    matrix: [Ramp; 4],
    bass: Ramp,
    /// The side's highpass: what is left below it is mono.
    side_filter: Svf,
    dc: SmoothFilter,
    fresh: bool,
    rate: f32,
}

impl Utility {
    pub fn new(rate: f32) -> Utility {
        Utility {
            matrix: [1.0, 0.0, 0.0, 1.0].map(|value| Ramp::new(value, 0.005, rate)),
            bass: Ramp::new(0.0, 0.01, rate),
            side_filter: Svf::default(),
            dc: SmoothFilter::new(rate),
            fresh: true,
            rate,
        }
    }

    pub fn process(&mut self, settings: &UtilitySettings, context: &EffectContext, bus: &mut Bus) {
        for (ramp, value) in self.matrix.iter_mut().zip(matrix(settings)) {
            if self.fresh { ramp.jump(value) } else { ramp.go(value) }
        }
        self.fresh = false;
        if context.span.is_tick() {
            let response = if settings.dc_filter { Response::Highpass } else { Response::Through };
            self.dc.tick(&FilterSettings { response, hz: 5.0, q: 0.707 });
            self.side_filter.settle();
        }
        self.bass.go(if settings.bass_mono_hz.is_some() { 1.0 } else { 0.0 });
        let bass = settings.bass_mono_hz.unwrap_or(120.0);
        let highpass = Coefficients::new(Response::Highpass, bass / self.rate, 0.707);
        for (left, right) in bus.frames_mut(context.span.frames) {
            let [ll, rl, lr, rr] = self.matrix.each_mut().map(Ramp::next_value);
            let (l, r) = (*left * ll + *right * rl, *left * lr + *right * rr);
            let (middle, side) = (0.5 * (l + r), 0.5 * (l - r));
            let high = self.side_filter.process(&highpass, side);
            let side = side + (high - side) * self.bass.next_value();
            *left = middle + side;
            *right = middle - side;
        }
        self.dc.process(&context.span, bus);
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        self.side_filter.memory().into_iter().chain(self.dc.memory())
    }
}

/// Left to left, right to left, left to right, right to right.
fn matrix(settings: &UtilitySettings) -> [f32; 4] {
    let chosen = match settings.channels {
        ChannelMode::Left => [1.0, 0.0, 1.0, 0.0],
        ChannelMode::Stereo => [1.0, 0.0, 0.0, 1.0],
        ChannelMode::Right => [0.0, 1.0, 0.0, 1.0],
        ChannelMode::Swap => [0.0, 1.0, 1.0, 0.0],
    };
    let [ll, rl, lr, rr] = chosen;
    let (sl, sr) = (if settings.invert_left { -1.0 } else { 1.0 }, if settings.invert_right { -1.0 } else { 1.0 });
    let width = if settings.mono { 0.0 } else { settings.width.clamp(0.0, 4.0) };
    let (near, far) = (0.5 + 0.5 * width, 0.5 - 0.5 * width);
    let gain = if settings.mute || settings.gain_db == f32::NEG_INFINITY { 0.0 } else { gain_of_db(settings.gain_db) };
    let balance = settings.balance.clamp(-1.0, 1.0);
    let (gl, gr) = (gain * (1.0 - balance).min(1.0), gain * (1.0 + balance).min(1.0));
    let mixed = |near: f32, far: f32, from_left: f32, from_right: f32| near * sl * from_left + far * sr * from_right;
    [
        gl * mixed(near, far, ll, lr),
        gl * mixed(near, far, rl, rr),
        gr * mixed(far, near, ll, lr),
        gr * mixed(far, near, rl, rr),
    ]
}
