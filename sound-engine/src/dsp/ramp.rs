//! Values that move to where they are told without a step.

use super::math::approach;
use super::span::{Bus, Lane, Span};

/// A value that goes straight to its target within a time, sample by sample.
#[derive(Clone, Copy, Debug)]
pub struct Ramp {
    value: f32,
    target: f32,
    step: f32,
    left: u32,
    frames: u32,
}

impl Ramp {
    /// Stands at `value`; each way to a new target takes `seconds`.
    pub fn new(value: f32, seconds: f32, rate: f32) -> Ramp {
        Ramp { value, target: value, step: 0.0, left: 0, frames: ((seconds * rate) as u32).max(1) }
    }

    /// Begins to move, unless it already does so or is there.
    pub fn go(&mut self, target: f32) {
        if target != self.target {
            self.target = target;
            self.left = self.frames;
            self.step = (target - self.value) / self.frames as f32;
        }
    }

    pub fn jump(&mut self, value: f32) {
        (self.value, self.target, self.left) = (value, value, 0);
    }

    pub fn value(&self) -> f32 {
        self.value
    }

    pub fn is_moving(&self) -> bool {
        self.left > 0
    }

    #[inline]
    pub fn next_value(&mut self) -> f32 {
        if self.left > 0 {
            self.left -= 1;
            self.value = if self.left == 0 { self.target } else { self.value + self.step };
        }
        self.value
    }

    /// Multiplies a span by its values.
    pub fn multiply(&mut self, span: &Span, bus: &mut Bus) {
        let Bus { left, right } = bus;
        self.multiply_lanes(span, [left, right]);
    }

    /// Multiplies lanes of a span by its values.
    pub fn multiply_lanes<const COUNT: usize>(&mut self, span: &Span, lanes: [&mut Lane; COUNT]) {
        // What stands at 1 changes nothing.
        if self.left == 0 && self.value == 1.0 {
            return;
        }
        let gains = self.lane(span);
        for lane in lanes {
            lane.iter_mut().zip(&gains).for_each(|(value, gain)| *value *= gain);
        }
    }

    /// The values of a span.
    pub fn lane(&mut self, span: &Span) -> Lane {
        let mut lane = [0.0; super::span::TICK];
        self.fill(span, &mut lane);
        lane
    }

    /// Fills a lane with the values of a span.
    #[inline]
    pub fn fill(&mut self, span: &Span, lane: &mut Lane) {
        *lane = [self.value; super::span::TICK];
        if self.left > 0 {
            for value in lane.iter_mut().take(span.frames) {
                *value = self.next_value();
            }
        }
    }
}

/// A control value that comes nearer to its target with each tick.
#[derive(Clone, Copy, Debug)]
pub struct Glide {
    value: f32,
    part: f32,
    fresh: bool,
}

/// How far from its target, as a part of it, a glide counts as arrived.
const ARRIVED: f32 = 1e-5;

impl Glide {
    /// Its first target is where it begins.
    pub fn new(seconds: f32, rate: f32) -> Glide {
        Glide { value: 0.0, part: approach(seconds * rate / super::span::TICK as f32), fresh: true }
    }

    /// One step. Gives the value, and whether it is another than before.
    pub fn step(&mut self, target: f32) -> (f32, bool) {
        if self.fresh {
            (self.value, self.fresh) = (target, false);
            return (target, true);
        }
        if self.value == target {
            return (target, false);
        }
        let next = self.value + (target - self.value) * self.part;
        self.value = if (next - target).abs() <= ARRIVED * target.abs().max(1e-3) { target } else { next };
        (self.value, true)
    }

    pub fn value(&self) -> f32 {
        self.value
    }
}
