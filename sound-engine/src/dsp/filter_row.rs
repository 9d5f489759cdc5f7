//! Filters in a row, worked side by side: while the first has one frame, the second has the one before, and so on.
//! Alone a filter waits for its own last frame most of the time; in a row all of them wait together.

use super::span::{Bus, TICK};
use super::svf::{Coefficients, StereoSvf};
use std::array::from_fn;

/// `LANES` is twice the number of filters: each has two channels.
pub struct FilterRow<const LANES: usize> {
    a1: [f32; LANES],
    a2: [f32; LANES],
    a3: [f32; LANES],
    m0: [f32; LANES],
    m1: [f32; LANES],
    m2: [f32; LANES],
    ic1: [f32; LANES],
    ic2: [f32; LANES],
    /// What each is to hear next.
    input: [f32; LANES],
}

impl<const LANES: usize> FilterRow<LANES> {
    /// Of the first `LANES / 2` filters; where there are fewer, the signal goes through the other places as it is.
    #[inline]
    pub fn of<'a>(filters: impl Iterator<Item = (&'a Coefficients, &'a StereoSvf)>) -> Self {
        let silent = [0.0; LANES];
        let mut row = FilterRow {
            a1: silent,
            a2: silent,
            a3: silent,
            m0: [1.0; LANES],
            m1: silent,
            m2: silent,
            ic1: silent,
            ic2: silent,
            input: silent,
        };
        for (at, (c, memory)) in filters.enumerate() {
            let lanes = [
                (&mut row.a1, c.a1, c.a1),
                (&mut row.a2, c.a2, c.a2),
                (&mut row.a3, c.a3, c.a3),
                (&mut row.m0, c.m0, c.m0),
                (&mut row.m1, c.m1, c.m1),
                (&mut row.m2, c.m2, c.m2),
                (&mut row.ic1, memory.left.ic1, memory.right.ic1),
                (&mut row.ic2, memory.left.ic2, memory.right.ic2),
            ];
            for (lane, left, right) in lanes {
                if let Some([l, r]) = lane.as_chunks_mut().0.get_mut(at) {
                    (*l, *r) = (left, right);
                }
            }
        }
        row
    }

    /// Takes the first frames through all of them.
    #[inline]
    pub fn process(&mut self, frames: usize, bus: &mut Bus) {
        let (count, frames) = (LANES / 2, frames.min(TICK));
        let input = *bus;
        let mut inputs = input.left.into_iter().zip(input.right).take(frames);
        let mut outputs = bus.left.iter_mut().zip(&mut bus.right).take(frames);
        for step in 0..frames + count - 1 {
            let before = (self.ic1, self.ic2);
            let output = self.step(inputs.next());
            // The last have nothing to do yet, or the first no more.
            let works = (step + 1).saturating_sub(frames)..=step;
            if step + 1 < count || step >= frames {
                self.keep(before, |filter| !works.contains(&filter));
            }
            if step + 1 >= count
                && let Some((left, right)) = outputs.next()
            {
                (*left, *right) = output;
            }
        }
    }

    /// One frame of each; gives the last one's.
    #[inline(always)]
    fn step(&mut self, input: Option<(f32, f32)>) -> (f32, f32) {
        let mut heard = self.input;
        if let Some(([left, right], _)) = heard.split_first_chunk_mut() {
            (*left, *right) = input.unwrap_or_default();
        }
        let FilterRow { a1, a2, a3, m0, m1, m2, ic1, ic2, .. } = *self;
        let v3: [f32; LANES] = from_fn(|at| heard[at] - ic2[at]);
        let v1: [f32; LANES] = from_fn(|at| a1[at] * ic1[at] + a2[at] * v3[at]);
        let v2: [f32; LANES] = from_fn(|at| ic2[at] + a2[at] * ic1[at] + a3[at] * v3[at]);
        self.ic1 = from_fn(|at| 2.0 * v1[at] - ic1[at]);
        self.ic2 = from_fn(|at| 2.0 * v2[at] - ic2[at]);
        let made: [f32; LANES] = from_fn(|at| m0[at] * heard[at] + m1[at] * v1[at] + m2[at] * v2[at]);
        // Each hears next what the one before it has made.
        self.input.iter_mut().skip(2).zip(made).for_each(|(next, made)| *next = made);
        made.last_chunk().map_or((0.0, 0.0), |[left, right]| (*left, *right))
    }

    /// Gives back to some filters what they remembered before.
    #[inline]
    fn keep(&mut self, before: ([f32; LANES], [f32; LANES]), idle: impl Fn(usize) -> bool) {
        for (now, before) in [(&mut self.ic1, before.0), (&mut self.ic2, before.1)] {
            for (lane, (now, before)) in now.iter_mut().zip(before).enumerate() {
                *now = if idle(lane / 2) { before } else { *now };
            }
        }
    }

    /// What the filters remember now, one after the other.
    pub fn memories(&self) -> impl Iterator<Item = StereoSvf> {
        let pairs = self.ic1.as_chunks().0.iter().zip(self.ic2.as_chunks().0);
        pairs.map(|([l1, r1], [l2, r2])| StereoSvf::of([*l1, *l2], [*r1, *r2]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::noise::Noise;
    use super::super::svf::Response;
    use super::*;

    /// As many filters as there are, or fewer, in spans of all lengths.
    fn is_as_one_after_the_other<const LANES: usize>(count: usize) {
        let coefficients: Vec<Coefficients> =
            (0..count).map(|at| Coefficients::new(Response::Bell { gain: 2.0 }, 0.01 * (at + 1) as f32, 1.5)).collect();
        let (mut alone, mut together) = (vec![StereoSvf::default(); count], vec![StereoSvf::default(); count]);
        let mut noise = Noise::new(7);
        for round in 0..200 {
            let frames = 1 + round % TICK;
            let mut bus = Bus::SILENT;
            bus.frames_mut(frames).for_each(|(left, right)| (*left, *right) = (noise.next_value(), noise.next_value()));
            let mut expected = bus;
            for (c, memory) in coefficients.iter().zip(&mut alone) {
                for (left, right) in expected.frames_mut(frames) {
                    (*left, *right) = memory.process(c, *left, *right);
                }
            }
            let mut row = FilterRow::<LANES>::of(coefficients.iter().zip(&together));
            row.process(frames, &mut bus);
            together = row.memories().take(count).collect();
            assert_eq!(bus, expected, "{count} filters, {frames} frames");
        }
    }

    #[test]
    fn a_row_gives_what_its_filters_give_one_after_the_other() {
        is_as_one_after_the_other::<4>(2);
        is_as_one_after_the_other::<8>(3);
        is_as_one_after_the_other::<16>(5);
        is_as_one_after_the_other::<16>(8);
    }
}
