//! Chorus-Ensemble: copies of a signal whose delays move.

use super::effect::EffectContext;
use crate::dsp::delay_line::DelayLine;
use crate::dsp::lfo::{LfoRate, LfoWalk, LfoWave, TickValue};
use crate::dsp::math::{gain_of_db, tanh};
use crate::dsp::ramp::{Glide, Ramp};
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::{Bus, TICK};
use crate::dsp::svf::Response;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChorusMode {
    /// One or two copies, against each other on both sides.
    #[default]
    Chorus,
    /// Three, a third of a turn apart.
    Ensemble,
    /// One, and nothing else.
    Vibrato,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChorusSettings {
    pub mode: ChorusMode,
    pub rate: LfoRate,
    /// 0 to 1.
    pub amount: f32,
    /// 0 to 0.99.
    pub feedback: f32,
    pub invert_feedback: bool,
    /// How far the right side's movement is ahead, turns, 0 to 0.5.
    pub offset: f32,
    /// In the middle of the movement.
    pub delay_ms: f32,
    /// Of [`ChorusMode::Chorus`]: a second copy.
    pub two_taps: bool,
    /// The copies' lows are taken away.
    pub highpass_hz: Option<f32>,
    /// 0 mono, 1 as it is, 2 at most.
    pub width: f32,
    /// A soft bend of the copies, 0 to 1.
    pub warmth: f32,
    pub output_db: f32,
    pub mix: f32,
}

impl Default for ChorusSettings {
    fn default() -> ChorusSettings {
        ChorusSettings {
            mode: ChorusMode::Chorus,
            rate: LfoRate::Hz(0.9),
            amount: 0.5,
            feedback: 0.0,
            invert_feedback: false,
            offset: 0.0,
            delay_ms: 20.0,
            two_taps: true,
            highpass_hz: None,
            width: 1.0,
            warmth: 0.0,
            output_db: 0.0,
            mix: 0.5,
        }
    }
}

/// What is remembered, seconds.
const LONGEST: f32 = 0.12;
/// Of the delay, how much full amount moves.
const DEPTH: f32 = 0.35;

pub struct Chorus {
    lines: [DelayLine; 2],
    lfo: LfoWalk,
    delay: Glide,
    /// Three copies on each side, frames.
    delays: [[TickValue; 3]; 2],
    highpass: SmoothFilter,
    feedback: Ramp,
    width: Ramp,
    output: Ramp,
    mix: Ramp,
    rate: f32,
}

impl Chorus {
    pub fn new(rate: f32) -> Chorus {
        let ramp = |value| Ramp::new(value, 0.005, rate);
        Chorus {
            lines: std::array::from_fn(|_| DelayLine::new((LONGEST * rate) as usize)),
            lfo: LfoWalk::new(17),
            delay: Glide::new(0.05, rate),
            delays: [[TickValue::default(); 3]; 2],
            highpass: SmoothFilter::new(rate),
            feedback: ramp(0.0),
            width: ramp(1.0),
            output: ramp(1.0),
            mix: ramp(0.5),
            rate,
        }
    }

    pub fn memory_frames(&self) -> u64 {
        (LONGEST * self.rate) as u64
    }

    pub fn process(&mut self, settings: &ChorusSettings, context: &EffectContext, bus: &mut Bus) {
        let span = &context.span;
        if span.is_tick() {
            self.tick(settings, context);
        }
        let vibrato = settings.mode == ChorusMode::Vibrato;
        self.feedback.go(settings.feedback.clamp(0.0, 0.99) * if settings.invert_feedback { -1.0 } else { 1.0 });
        self.width.go(settings.width);
        self.output.go(gain_of_db(settings.output_db));
        self.mix.go(if vibrato { 1.0 } else { settings.mix });
        let copies = match settings.mode {
            ChorusMode::Ensemble => 3,
            ChorusMode::Chorus if settings.two_taps => 2,
            _ => 1,
        };
        let level = if copies == 1 { 1.0 } else { 1.0 / (copies as f32).sqrt() };
        let first = (span.start % TICK as u64) as usize;
        let mut wet = Bus::SILENT;
        for at in 0..span.frames {
            let feedback = self.feedback.next_value();
            let sides =
                self.lines.iter_mut().zip(&self.delays).zip([(&bus.left, &mut wet.left), (&bus.right, &mut wet.right)]);
            for ((line, delays), (input, out)) in sides {
                let read = |delay: &TickValue| line.read_between(delay.at(first + at));
                let nearest = delays.first().map_or(0.0, read);
                let copies: f32 = delays.iter().take(copies).map(read).sum();
                let input = input.get(at).copied().unwrap_or_default();
                line.write(input + tanh(nearest * feedback));
                if let Some(out) = out.get_mut(at) {
                    *out = warmed(copies * level, settings.warmth);
                }
            }
        }
        self.highpass.process(span, &mut wet);
        let lanes = wet.left.into_iter().zip(wet.right);
        for ((left, right), (l, r)) in bus.frames_mut(span.frames).zip(lanes) {
            let (mix, output) = (self.mix.next_value(), self.output.next_value());
            let (middle, side) = (0.5 * (l + r), 0.5 * (l - r) * self.width.next_value());
            *left = (*left + (middle + side - *left) * mix) * output;
            *right = (*right + (middle - side - *right) * mix) * output;
        }
    }

    fn tick(&mut self, settings: &ChorusSettings, context: &EffectContext) {
        self.lfo.tick(settings.rate, (context.tempo_bpm, context.song_beat), self.rate);
        let (ms, _) = self.delay.step(settings.delay_ms.clamp(0.5, 60.0));
        let depth = DEPTH * settings.amount.clamp(0.0, 1.0);
        for (side, delays) in self.delays.iter_mut().enumerate() {
            let ahead = match settings.mode {
                // Both sides move against each other, unless the offset says otherwise.
                ChorusMode::Chorus => 0.5 + settings.offset,
                _ => settings.offset + if settings.mode == ChorusMode::Ensemble { 0.25 } else { 0.0 },
            } * side as f32;
            for (copy, delay) in delays.iter_mut().enumerate() {
                let place = copy as f32 * if settings.mode == ChorusMode::Ensemble { 1.0 / 3.0 } else { 0.25 };
                let moved = self.lfo.value(LfoWave::Sine, ahead + place) * depth;
                delay.set((ms * (1.0 + moved) * 0.001 * self.rate).max(2.0));
            }
        }
        let response = if settings.highpass_hz.is_some() { Response::Highpass } else { Response::Through };
        self.highpass.tick(&FilterSettings { response, hz: settings.highpass_hz.unwrap_or(50.0), q: 0.707 });
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        self.lines.iter().flat_map(|line| line.memory().iter().copied()).chain(self.highpass.memory())
    }
}

/// A soft bend that leaves the level of quiet signals.
pub(super) fn warmed(x: f32, warmth: f32) -> f32 {
    if warmth <= 0.0 { x } else { x + (tanh(2.0 * x) * 0.5 - x) * warmth.min(1.0) }
}
