//! Where in its cycle an oscillator is.

use super::four::{Four, LaneInFours, ZEROS};
use super::math::sin_of_half;
use super::span::TICK;
use wide::i32x4;

/// A part of a cycle, 2^-32 of it for each unit: it wraps of itself, and ever so many steps add up without an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phase(pub u32);

const UNITS: f32 = 4_294_967_296.0;

impl Phase {
    /// `turns` of a cycle, 0 to 1.
    pub fn of(turns: f32) -> Phase {
        Phase((turns * UNITS) as u32)
    }

    #[inline]
    pub fn plus(self, step: Phase) -> Phase {
        Phase(self.0.wrapping_add(step.0))
    }

    /// -0.5 to 0.5 of a cycle.
    #[inline]
    pub fn turns(self) -> f32 {
        self.0 as i32 as f32 * (1.0 / UNITS)
    }

    #[inline]
    pub fn sine(self) -> f32 {
        sin_of_half(self.turns())
    }

    /// It and those that follow, each a step further: a tick of them, whatever of it is wanted.
    #[inline]
    pub fn lane(self, step: Phase) -> [Phase; TICK] {
        // Four at once.
        let mut lane = [self; TICK];
        let mut here = [0, 1, 2, 3].map(|steps| self.after(step, steps));
        for four in lane.as_chunks_mut().0 {
            *four = here;
            here = here.map(|phase| phase.plus(Phase(step.0.wrapping_mul(4))));
        }
        lane
    }

    /// As [`Phase::lane`], in turns as [`Phase::turns`] gives them, four side by side.
    #[inline(always)]
    pub fn fours(self, step: Phase) -> LaneInFours {
        let mut here = i32x4::new([0, 1, 2, 3].map(|steps| self.after(step, steps).0 as i32));
        let mut turns = [ZEROS; _];
        for four in &mut turns {
            *four = Four::from_i32x4(here) * Four::splat(1.0 / UNITS);
            here += i32x4::splat(step.0.wrapping_mul(4) as i32);
        }
        turns
    }

    /// So many steps further.
    #[inline]
    pub fn after(self, step: Phase, steps: usize) -> Phase {
        Phase(self.0.wrapping_add(step.0.wrapping_mul(steps as u32)))
    }
}
