//! Four numbers that go through the same steps side by side, for loops in which each step waits for the one before.
//!
//! Only `+ - * /` and comparisons are used of them: each of the four gets the bits that it would get alone.

use super::span::{Lane, TICK};
pub use wide::f32x4 as Four;
use wide::{CmpGt, CmpLt};

pub const ZEROS: Four = Four::ZERO;

/// A lane, four frames side by side.
pub type LaneInFours = [Four; TICK / 4];

/// The lane of them.
#[inline(always)]
pub fn lane_of(fours: &LaneInFours) -> Lane {
    let mut lane: Lane = [0.0; TICK];
    lane.as_chunks_mut::<4>().0.iter_mut().zip(fours).for_each(|(to, four)| *to = four.to_array());
    lane
}

/// Adds values to a lane, each multiplied by a factor.
#[inline(always)]
pub fn add_scaled(lane: &mut Lane, values: &LaneInFours, factor: f32) {
    for (to, values) in lane.as_chunks_mut::<4>().0.iter_mut().zip(values) {
        *to = (Four::new(*to) + *values * Four::splat(factor)).to_array();
    }
}

/// The upper half of `first`, then the lower half of `second`.
#[inline(always)]
pub fn across(first: Four, second: Four) -> Four {
    let ([_, _, a, b], [c, d, _, _]) = (first.to_array(), second.to_array());
    Four::new([a, b, c, d])
}

/// The lower half of `lower`, then the upper half of `upper`.
#[inline(always)]
pub fn halves(lower: Four, upper: Four) -> Four {
    let ([a, b, _, _], [_, _, c, d]) = (lower.to_array(), upper.to_array());
    Four::new([a, b, c, d])
}

/// `value`, or zero where that is nearer to zero than `quiet`, of each.
#[inline(always)]
pub fn without_quiet(values: Four, quiet: f32) -> Four {
    values.abs().cmp_lt(Four::splat(quiet)).blend(ZEROS, values)
}

/// The larger absolute value of each. What is no number is passed over.
#[inline(always)]
pub fn louder(peaks: Four, values: Four) -> Four {
    values.abs().cmp_gt(peaks).blend(values.abs(), peaks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_and_comparisons_are_what_they_say() {
        let (a, b) = (Four::new([1.0, 2.0, 3.0, 4.0]), Four::new([5.0, 6.0, 7.0, 8.0]));
        assert_eq!(across(a, b).to_array(), [3.0, 4.0, 5.0, 6.0]);
        assert_eq!(halves(a, b).to_array(), [1.0, 2.0, 7.0, 8.0]);
        let odd = Four::new([f32::NAN, -3.0, 1e-20, -1e-20]);
        assert_eq!(louder(a, odd).to_array(), [1.0, 3.0, 3.0, 4.0]);
        let [nan, kept, zero, also] = without_quiet(odd, 1e-15).to_array();
        assert!(nan.is_nan() && kept == -3.0 && zero.to_bits() == 0 && also.to_bits() == 0);
    }
}
