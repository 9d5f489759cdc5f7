//! The saturator: bends a signal, at twice the sample rate.

use super::effect::EffectContext;
use crate::dsp::math::{gain_of_db, sin_turns, tanh};
use crate::dsp::oversampler::Oversampler;
use crate::dsp::ramp::Ramp;
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::Bus;
use crate::dsp::svf::Response;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SaturatorShape {
    #[default]
    AnalogClip,
    SoftSine,
    /// Bends what is above the threshold only.
    BassShaper {
        threshold_db: f32,
    },
    MediumCurve,
    HardCurve,
    SinoidFold,
    DigitalClip,
    /// As [`SaturatorShape::SoftSine`] blended with folds: `curve` and `depth` 0 to 1.
    Waveshaper {
        curve: f32,
        depth: f32,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PostClip {
    #[default]
    None,
    Soft,
    Hard,
}

/// What is louder or softer before it is bent, and the other way round behind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaturatorColor {
    /// -1 to 1: up to 24 dB at low frequencies.
    pub low: f32,
    pub high: f32,
    pub hz: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SaturatorSettings {
    pub drive_db: f32,
    pub shape: SaturatorShape,
    pub color: Option<SaturatorColor>,
    pub post_clip: PostClip,
    pub output_db: f32,
    /// 0 to 1.
    pub mix: f32,
    pub dc_filter: bool,
}

impl Default for SaturatorSettings {
    fn default() -> SaturatorSettings {
        SaturatorSettings {
            drive_db: 0.0,
            shape: SaturatorShape::AnalogClip,
            color: None,
            post_clip: PostClip::None,
            output_db: 0.0,
            mix: 1.0,
            dc_filter: false,
        }
    }
}

const COLOR_DB: f32 = 24.0;
/// Below this, lows are low.
const LOW_HZ: f32 = 150.0;

pub struct Saturator {
    dc: SmoothFilter,
    /// Low and high, before and behind.
    colors: [SmoothFilter; 4],
    left: Oversampler,
    right: Oversampler,
    drive: Ramp,
    output: Ramp,
    mix: Ramp,
    /// From the shape before to the one that is set.
    change: Ramp,
    shape: SaturatorShape,
    before: SaturatorShape,
}

impl Saturator {
    pub fn new(rate: f32) -> Saturator {
        let ramp = |value| Ramp::new(value, 0.005, rate);
        Saturator {
            dc: SmoothFilter::new(rate),
            colors: std::array::from_fn(|_| SmoothFilter::new(rate)),
            left: Oversampler::default(),
            right: Oversampler::default(),
            drive: ramp(1.0),
            output: ramp(1.0),
            mix: ramp(1.0),
            change: Ramp::new(1.0, 0.01, rate),
            shape: SaturatorShape::default(),
            before: SaturatorShape::default(),
        }
    }

    pub fn process(&mut self, settings: &SaturatorSettings, context: &EffectContext, bus: &mut Bus) {
        let span = &context.span;
        if span.is_tick() {
            self.tick(settings);
        }
        if settings.shape != self.shape && !self.change.is_moving() {
            self.before = self.shape;
            self.shape = settings.shape;
            self.change.jump(0.0);
            self.change.go(1.0);
        }
        self.drive.go(gain_of_db(settings.drive_db));
        self.output.go(gain_of_db(settings.output_db));
        self.mix.go(settings.mix);
        let dry = *bus;
        self.dc.process(span, bus);
        for filter in self.colors.iter_mut().take(2) {
            filter.process(span, bus);
        }
        let (before, shape) = (self.before, self.shape);
        for (left, right) in bus.frames_mut(span.frames) {
            let (drive, change) = (self.drive.next_value(), self.change.next_value());
            let bend = |x: f32| {
                let bent = bent(shape, x * drive);
                if change < 1.0 { bent + (self::bent(before, x * drive) - bent) * (1.0 - change) } else { bent }
            };
            *left = self.left.process(*left, bend);
            *right = self.right.process(*right, bend);
        }
        for filter in self.colors.iter_mut().skip(2) {
            filter.process(span, bus);
        }
        for ((left, right), (dry_left, dry_right)) in
            bus.frames_mut(span.frames).zip(dry.left.into_iter().zip(dry.right))
        {
            let (output, mix) = (self.output.next_value(), self.mix.next_value());
            let wet = |x: f32| match settings.post_clip {
                PostClip::None => x * output,
                PostClip::Soft => tanh(x * output),
                PostClip::Hard => (x * output).clamp(-1.0, 1.0),
            };
            *left = dry_left + (wet(*left) - dry_left) * mix;
            *right = dry_right + (wet(*right) - dry_right) * mix;
        }
    }

    fn tick(&mut self, settings: &SaturatorSettings) {
        self.left.settle();
        self.right.settle();
        let response = if settings.dc_filter { Response::Highpass } else { Response::Through };
        self.dc.tick(&FilterSettings { response, hz: 5.0, q: 0.707 });
        let color = settings.color.unwrap_or(SaturatorColor { low: 0.0, high: 0.0, hz: 1000.0 });
        let (low, high) = (gain_of_db(COLOR_DB * color.low), gain_of_db(COLOR_DB * color.high));
        let shelves = [
            (Response::LowShelf { gain: low }, LOW_HZ),
            (Response::HighShelf { gain: high }, color.hz),
            (Response::LowShelf { gain: 1.0 / low }, LOW_HZ),
            (Response::HighShelf { gain: 1.0 / high }, color.hz),
        ];
        for (filter, (response, hz)) in self.colors.iter_mut().zip(shelves) {
            let response = if settings.color.is_some_and(|c| c.low != 0.0 || c.high != 0.0) {
                response
            } else {
                Response::Through
            };
            filter.tick(&FilterSettings { response, hz, q: 0.707 });
        }
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        let filters = self.colors.iter().chain([&self.dc]).flat_map(SmoothFilter::memory);
        filters.chain(self.left.memory()).chain(self.right.memory())
    }
}

#[inline]
fn bent(shape: SaturatorShape, x: f32) -> f32 {
    match shape {
        SaturatorShape::AnalogClip => tanh(x),
        SaturatorShape::SoftSine => soft_sine(x),
        SaturatorShape::BassShaper { threshold_db } => {
            let t = gain_of_db(threshold_db);
            let over = x.abs() - t;
            if over > 0.0 { x.signum() * (t + (1.0 - t) * tanh(over / (1.0 - t).max(0.01))) } else { x }
        }
        SaturatorShape::MediumCurve => x / (1.0 + x * x).sqrt(),
        SaturatorShape::HardCurve => {
            let x2 = x * x;
            x / (1.0 + x2 * x2).sqrt().sqrt()
        }
        SaturatorShape::SinoidFold => sin_turns(0.25 * x.clamp(-60.0, 60.0)),
        SaturatorShape::DigitalClip => x.clamp(-1.0, 1.0),
        SaturatorShape::Waveshaper { curve, depth } => {
            let folded = sin_turns((0.25 + curve) * x.clamp(-12.0, 12.0));
            let soft = soft_sine(x);
            soft + (folded - soft) * depth
        }
    }
}

/// A quarter of a sine up to 1, flat beyond.
#[inline]
fn soft_sine(x: f32) -> f32 {
    sin_turns(0.25 * x.clamp(-1.0, 1.0))
}
