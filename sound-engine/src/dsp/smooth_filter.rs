//! A filter in stereo whose settings may change at any tick without a click.

use super::math::approach;
use super::span::{Bus, Span, TICK};
use super::svf::{Coefficients, Response, StereoSvf};

/// How fast settings follow, seconds to e^-1.
const FOLLOW: f32 = 0.004;
/// Ticks until they are there to the last bit that counts.
const ARRIVAL_TICKS: u32 = 180;

/// What a filter is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilterSettings {
    pub response: Response,
    pub hz: f32,
    pub q: f32,
}

#[derive(Clone, Debug)]
pub struct SmoothFilter {
    told: Option<FilterSettings>,
    current: Coefficients,
    /// Of the tick before.
    before: Coefficients,
    target: Coefficients,
    left: u32,
    memory: StereoSvf,
    part: f32,
    rate: f32,
}

impl SmoothFilter {
    pub fn new(rate: f32) -> SmoothFilter {
        let through = Coefficients::new(Response::Through, 0.01, 1.0);
        SmoothFilter {
            told: None,
            current: through,
            before: through,
            target: through,
            left: 0,
            memory: StereoSvf::default(),
            part: approach(FOLLOW * rate / TICK as f32),
            rate,
        }
    }

    /// Once a tick.
    pub fn tick(&mut self, settings: &FilterSettings) {
        self.memory.settle();
        self.before = self.current;
        if self.told != Some(*settings) {
            self.target = Coefficients::new(settings.response, settings.hz / self.rate, settings.q);
            self.left = if self.told.is_some() { ARRIVAL_TICKS } else { 0 };
            if self.told.is_none() {
                self.current = self.target;
                self.before = self.target;
            }
            self.told = Some(*settings);
        }
        if self.left > 0 {
            self.left -= 1;
            self.current = if self.left == 0 { self.target } else { self.current.towards(&self.target, self.part) };
            if self.left == 0 && self.is_through() {
                self.memory.clear();
            }
        }
    }

    fn is_through(&self) -> bool {
        self.told.is_none_or(|told| told.response == Response::Through)
    }

    #[inline]
    pub fn frame(&mut self, left: f32, right: f32) -> (f32, f32) {
        self.memory.process(&self.current, left, right)
    }

    /// Whether it leaves the signal as it is.
    pub fn is_idle(&self) -> bool {
        self.left == 0 && self.is_through()
    }

    /// Whether it has arrived at its settings, and was there a tick ago: until it is told others, ticks change nothing
    /// but what it remembers.
    pub fn is_at_rest(&self) -> bool {
        self.left == 0 && self.before == self.current
    }

    /// What it is at rest, and what it remembers.
    pub fn parts(&self) -> (&Coefficients, &StereoSvf) {
        (&self.current, &self.memory)
    }

    /// It remembers what another did in its place.
    pub fn remember(&mut self, memory: StereoSvf) {
        self.memory = memory;
    }

    pub fn process(&mut self, span: &Span, bus: &mut Bus) {
        if self.is_idle() {
            return;
        }
        let (c, mut memory) = (self.current, self.memory);
        if self.before == c {
            for (left, right) in bus.frames_mut(span.frames) {
                (*left, *right) = memory.process(&c, *left, *right);
            }
        } else {
            // While it changes, each sample has a share of the change: ticks would be heard as steps.
            let first = span.start % TICK as u64;
            for ((left, right), frame) in bus.frames_mut(span.frames).zip(first + 1..) {
                let c = self.before.mixed_towards(&c, frame as f32 / TICK as f32);
                (*left, *right) = memory.process(&c, *left, *right);
            }
        }
        self.memory = memory;
    }

    pub fn clear(&mut self) {
        self.memory.clear();
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        self.memory.left.memory().into_iter().chain(self.memory.right.memory())
    }
}
