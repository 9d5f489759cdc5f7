//! Parameters that move while a plan stays: what automation says counts, until it is let go of.

use crate::dsp::span::{Span, TICK};
use crate::parameter::Parameter;

/// Parameters of one device, chain or track that move at once.
const MOST_MOVES: usize = 32;

#[derive(Clone, Copy)]
struct Move {
    parameter: Parameter,
    from: f32,
    to: f32,
    begun: u64,
    frames: u32,
}

impl Move {
    fn value(&self, frame: u64) -> f32 {
        let passed = frame.saturating_sub(self.begun);
        if passed >= u64::from(self.frames) || !self.from.is_finite() || !self.to.is_finite() {
            return if frame < self.begun { self.from } else { self.to };
        }
        self.from + (self.to - self.from) * (passed as f32 / self.frames as f32)
    }
}

/// Lives on from plan to plan.
pub(super) struct Overrides {
    moves: Vec<Move>,
}

impl Overrides {
    /// Allocates all that it ever needs.
    pub fn new() -> Overrides {
        Overrides { moves: Vec::with_capacity(MOST_MOVES) }
    }

    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// From `from` (where it is not moved yet) straight to `to` within `frames`. Without room nothing moves: `false`.
    pub fn go(&mut self, parameter: Parameter, from: f32, (to, frames): (f32, u32), now: u64) -> bool {
        if let Some(known) = self.moves.iter_mut().find(|known| known.parameter == parameter) {
            *known = Move { from: known.value(now), to, begun: now, frames, ..*known };
            return true;
        }
        let room = self.moves.len() < self.moves.capacity();
        if room {
            self.moves.push(Move { parameter, from, to, begun: now, frames });
        }
        room
    }

    pub fn free(&mut self, parameter: Option<Parameter>) {
        self.moves.retain(|known| parameter.is_some_and(|parameter| parameter != known.parameter));
    }

    pub fn moved(&self) -> impl Iterator<Item = Parameter> {
        self.moves.iter().map(|known| known.parameter)
    }

    /// What a parameter is in a span: as of the tick that it lies in, so that it is the same however spans are cut.
    pub fn value(&self, parameter: Parameter, span: &Span) -> Option<f32> {
        let known = self.moves.iter().find(|known| known.parameter == parameter)?;
        Some(known.value(tick_of(span)))
    }

    pub fn values(&self, span: &Span) -> impl Iterator<Item = (Parameter, f32)> {
        let tick = tick_of(span);
        self.moves.iter().map(move |known| (known.parameter, known.value(tick)))
    }
}

fn tick_of(span: &Span) -> u64 {
    span.start - span.start % TICK as u64
}
