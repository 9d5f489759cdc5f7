//! Four numbers that go through the same steps side by side, for loops in which each step waits for the one before.
//!
//! Only `+ - * /` are used of them: each of the four gets the bits that it would get alone.

use super::span::{Lane, TICK};

pub use wide::f32x4 as Four;

/// Four lanes as one: at each frame, what each of them has.
pub type FourLanes = [Four; TICK];

pub const ZEROS: Four = Four::ZERO;

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

/// Four lanes side by side.
#[inline]
pub fn side_by_side(lanes: [&Lane; 4]) -> FourLanes {
    let mut frames = [ZEROS; TICK];
    let [a, b, c, d] = lanes.map(|lane| lane.as_chunks::<4>().0);
    for ((((to, a), b), c), d) in frames.as_chunks_mut::<4>().0.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *to = Four::transpose([*a, *b, *c, *d].map(Four::new));
    }
    frames
}

/// The lanes that lie side by side, one after the other.
#[inline]
pub fn apart(frames: &FourLanes) -> [Lane; 4] {
    let mut lanes = [[0.0; TICK]; 4];
    for (at, four) in frames.as_chunks::<4>().0.iter().enumerate() {
        for (lane, values) in lanes.iter_mut().zip(Four::transpose(*four)) {
            if let Some(place) = lane.as_chunks_mut::<4>().0.get_mut(at) {
                *place = values.to_array();
            }
        }
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_side_by_side_come_apart_again() {
        let lanes: [Lane; 4] = std::array::from_fn(|lane| std::array::from_fn(|at| (lane * 100 + at) as f32));
        let frames = side_by_side(lanes.each_ref());
        assert_eq!(frames.map(Four::to_array)[5], [5.0, 105.0, 205.0, 305.0]);
        assert_eq!(apart(&frames), lanes);
        let (a, b) = (Four::new([1.0, 2.0, 3.0, 4.0]), Four::new([5.0, 6.0, 7.0, 8.0]));
        assert_eq!(across(a, b).to_array(), [3.0, 4.0, 5.0, 6.0]);
        assert_eq!(halves(a, b).to_array(), [1.0, 2.0, 7.0, 8.0]);
    }
}
