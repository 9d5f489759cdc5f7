//! Four [lanes](super::span::Lane) side by side.

use super::four::{Four, ZEROS};
use super::span::{Lane, TICK};

/// At each frame, what each of four lanes has.
pub type FourLanes = [Four; TICK];

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
    }
}
