//! The delay: two lines with feedback, each its own time, or across as ping-pong.

use super::effect::EffectContext;
use crate::dsp::delay_line::DelayLine;
use crate::dsp::math::exp2;
use crate::dsp::ramp::{Glide, Ramp};
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::{Bus, TICK};
use crate::dsp::svf::Response;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DelayTime {
    Seconds(f32),
    /// Of the tempo's; `offset` -0.33 to 0.33 of it.
    Sixteenths {
        count: f32,
        offset: f32,
    },
}

/// How a delay gets another time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DelaySmoothing {
    /// As a tape: what is in it changes its pitch.
    #[default]
    Repitch,
    /// From one place to the other.
    Fade,
    Jump,
}

#[derive(Clone, Debug, PartialEq)]
pub struct DelaySettings {
    pub left: DelayTime,
    /// `None`: as the left one.
    pub right: Option<DelayTime>,
    pub ping_pong: bool,
    /// 0 to 0.95.
    pub feedback: f32,
    pub freeze: bool,
    /// The middle in Hz and the width in octaves of what comes back.
    pub filter: Option<(f32, f32)>,
    pub smoothing: DelaySmoothing,
    /// 0 to 1.
    pub mix: f32,
}

impl Default for DelaySettings {
    fn default() -> DelaySettings {
        DelaySettings {
            left: DelayTime::Sixteenths { count: 3.0, offset: 0.0 },
            right: None,
            ping_pong: false,
            feedback: 0.5,
            freeze: false,
            filter: Some((1000.0, 8.0)),
            smoothing: DelaySmoothing::Repitch,
            mix: 0.5,
        }
    }
}

/// Longer times are not remembered; sixteen sixteenths last as long at 24 beats a minute.
pub const LONGEST_SECONDS: f32 = 10.0;

pub struct Delay {
    lines: [DelayLine; 2],
    heads: [Head; 2],
    cuts: [SmoothFilter; 2],
    feedback: Ramp,
    input: Ramp,
    cross: Ramp,
    mix: Ramp,
    fresh: bool,
    rate: f32,
}

/// Where a line is read.
struct Head {
    glide: Glide,
    /// The way of the last tick, sample by sample.
    frames: f32,
    step: f32,
    /// Where it was read before, and how far it has left that place.
    before: f32,
    fade: Ramp,
}

impl Head {
    fn new(rate: f32) -> Head {
        Head { glide: Glide::new(0.08, rate), frames: 0.0, step: 0.0, before: 0.0, fade: Ramp::new(1.0, 0.03, rate) }
    }

    fn tick(&mut self, target: f32, smoothing: DelaySmoothing) {
        if self.frames == 0.0 || smoothing == DelaySmoothing::Repitch {
            let (next, _) = self.glide.step(target);
            self.step = if self.frames == 0.0 { 0.0 } else { (next - self.frames) / TICK as f32 };
            if self.frames == 0.0 {
                self.frames = next;
            }
            return;
        }
        self.step = 0.0;
        if (target - self.frames).abs() > 0.5 && !self.fade.is_moving() {
            self.before = self.frames;
            self.frames = target;
            self.glide = Glide::new(0.08, 48_000.0);
            self.glide.step(target);
            self.fade.jump(0.0);
            self.fade.go(1.0);
        }
    }

    #[inline]
    fn read(&mut self, line: &DelayLine) -> f32 {
        self.frames += self.step;
        let here = line.read_between(self.frames);
        let fade = self.fade.next_value();
        if fade < 1.0 { here + (line.read_between(self.before) - here) * (1.0 - fade) } else { here }
    }
}

impl Delay {
    pub fn new(rate: f32) -> Delay {
        let line = || DelayLine::new((LONGEST_SECONDS * rate) as usize);
        let ramp = |value| Ramp::new(value, 0.01, rate);
        Delay {
            lines: [line(), line()],
            heads: [Head::new(rate), Head::new(rate)],
            cuts: [SmoothFilter::new(rate), SmoothFilter::new(rate)],
            feedback: ramp(0.0),
            input: ramp(1.0),
            cross: ramp(0.0),
            mix: ramp(0.0),
            fresh: true,
            rate,
        }
    }

    pub fn memory_frames(&self) -> u64 {
        let [left, right] = &self.heads;
        left.frames.max(right.frames).max(left.before).max(right.before) as u64 * 2 + 64
    }

    pub fn process(&mut self, settings: &DelaySettings, context: &EffectContext, bus: &mut Bus) {
        if context.span.is_tick() {
            self.tick(settings, context.tempo_bpm);
        }
        let aims = [
            (&mut self.feedback, if settings.freeze { 1.0 } else { settings.feedback.clamp(0.0, 0.95) }),
            (&mut self.input, if settings.freeze { 0.0 } else { 1.0 }),
            (&mut self.cross, if settings.ping_pong { 1.0 } else { 0.0 }),
            (&mut self.mix, settings.mix),
        ];
        for (ramp, value) in aims {
            if self.fresh { ramp.jump(value) } else { ramp.go(value) }
        }
        self.fresh = false;
        for (left, right) in bus.frames_mut(context.span.frames) {
            let [line_left, line_right] = &mut self.lines;
            let [head_left, head_right] = &mut self.heads;
            let echo = (head_left.read(line_left), head_right.read(line_right));
            let cross = self.cross.next_value();
            let (input, feedback) = (self.input.next_value(), self.feedback.next_value());
            // Across, what comes in is mono and starts on the left; what comes back changes sides.
            let both = 0.5 * (*left + *right);
            let to_left = (*left + (both - *left) * cross) * input;
            let to_right = *right * (1.0 - cross) * input;
            let back_left = echo.0 + (echo.1 - echo.0) * cross;
            let back_right = echo.1 + (echo.0 - echo.1) * cross;
            let (mut write_left, mut write_right) = (to_left + back_left * feedback, to_right + back_right * feedback);
            if !settings.freeze {
                for filter in &mut self.cuts {
                    (write_left, write_right) = filter.frame(write_left, write_right);
                }
            }
            line_left.write(write_left);
            line_right.write(write_right);
            let mix = self.mix.next_value();
            *left += (echo.0 - *left) * mix;
            *right += (echo.1 - *right) * mix;
        }
    }

    fn tick(&mut self, settings: &DelaySettings, tempo_bpm: f32) {
        let [left, right] = &mut self.heads;
        let frames = |time: &DelayTime| {
            let seconds = match time {
                DelayTime::Seconds(seconds) => *seconds,
                DelayTime::Sixteenths { count, offset } => count * (1.0 + offset) * 15.0 / tempo_bpm.max(1.0),
            };
            (seconds.clamp(0.001, LONGEST_SECONDS) * self.rate).max(4.0)
        };
        left.tick(frames(&settings.left), settings.smoothing);
        // Across, both lines have the left one's time, so that sides take turns evenly.
        let time = if settings.ping_pong { &settings.left } else { settings.right.as_ref().unwrap_or(&settings.left) };
        right.tick(frames(time), settings.smoothing);
        let (hz, width) = settings.filter.unwrap_or((1000.0, 8.0));
        let edge = exp2(0.5 * width);
        let [low, high] = &mut self.cuts;
        let response = |response: Response| if settings.filter.is_some() { response } else { Response::Through };
        low.tick(&FilterSettings { response: response(Response::Highpass), hz: (hz / edge).max(10.0), q: 0.6 });
        high.tick(&FilterSettings { response: response(Response::Lowpass), hz: (hz * edge).min(20_000.0), q: 0.6 });
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        let lines = self.lines.iter().flat_map(|line| line.memory().iter().copied());
        lines.chain(self.cuts.iter().flat_map(SmoothFilter::memory))
    }
}
