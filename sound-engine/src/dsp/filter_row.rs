//! Filters in a row, worked side by side: while the first has one frame, the second has the one before, and so on.
//! Alone a filter waits for its own last frame most of the time; in a row all of them wait together.

use super::four::{Four, ZEROS, across, halves};
use super::span::{Bus, TICK, quiet};
use super::svf::{Coefficients, StereoSvf};

/// Filters of a row.
pub const ROW: usize = 8;
/// Two filters with two channels each stand side by side.
const PAIRS: usize = ROW / 2;

/// What two filters are.
#[derive(Clone, Copy)]
struct Pair {
    a1: Four,
    a2: Four,
    a3: Four,
    m0: Four,
    m1: Four,
    m2: Four,
}

/// What two filters remember: both channels of the first, both of the second.
#[derive(Clone, Copy)]
struct Memory {
    ic1: Four,
    ic2: Four,
}

/// Settled filters; where there are fewer, the signal goes through the other places as it is.
pub struct FilterRow {
    count: usize,
    pairs: [Pair; PAIRS],
    memories: [Memory; PAIRS],
}

impl FilterRow {
    pub const EMPTY: FilterRow = FilterRow {
        count: 0,
        pairs: [Pair { a1: ZEROS, a2: ZEROS, a3: ZEROS, m0: Four::ONE, m1: ZEROS, m2: ZEROS }; PAIRS],
        memories: [Memory { ic1: ZEROS, ic2: ZEROS }; PAIRS],
    };

    /// Of the first [`ROW`] filters.
    pub fn of<'a>(filters: impl Iterator<Item = (&'a Coefficients, &'a StereoSvf)>) -> FilterRow {
        let mut row = FilterRow::EMPTY;
        for (at, (c, memory)) in filters.enumerate().take(ROW) {
            if let (Some(pair), Some(memories)) = (row.pairs.get_mut(at / 2), row.memories.get_mut(at / 2)) {
                put(&mut pair.a1, at, c.a1, c.a1);
                put(&mut pair.a2, at, c.a2, c.a2);
                put(&mut pair.a3, at, c.a3, c.a3);
                put(&mut pair.m0, at, c.m0, c.m0);
                put(&mut pair.m1, at, c.m1, c.m1);
                put(&mut pair.m2, at, c.m2, c.m2);
                put(&mut memories.ic1, at, memory.left.ic1, memory.right.ic1);
                put(&mut memories.ic2, at, memory.left.ic2, memory.right.ic2);
                row.count = at + 1;
            }
        }
        row
    }

    /// Once a tick: lets go of what nobody could hear.
    pub fn settle(&mut self) {
        for memory in &mut self.memories {
            memory.ic1 = Four::new(memory.ic1.to_array().map(quiet));
            memory.ic2 = Four::new(memory.ic2.to_array().map(quiet));
        }
    }

    /// Takes the first frames through all of them.
    pub fn process(&mut self, frames: usize, bus: &mut Bus) {
        match self.count {
            0 => {}
            1..=2 => self.go_through::<1>(frames, bus),
            3..=4 => self.go_through::<2>(frames, bus),
            _ => self.go_through::<4>(frames, bus),
        }
    }

    #[inline(always)]
    fn go_through<const PAIRS: usize>(&mut self, frames: usize, bus: &mut Bus) {
        let frames = frames.min(TICK);
        let (Some(pairs), Some(kept)) = (self.pairs.first_chunk::<PAIRS>(), self.memories.first_chunk_mut::<PAIRS>())
        else {
            return;
        };
        let (mut memories, mut made) = (*kept, [ZEROS; PAIRS]);
        let input = *bus;
        let mut inputs = input.left.into_iter().zip(input.right).take(frames);
        let mut outputs = bus.left.iter_mut().zip(&mut bus.right).take(frames);
        // The last filter has its first frame when the first has had as many as there are others.
        let last = 2 * PAIRS - 1;
        for step in 0..last {
            edge_step(pairs, &mut memories, &mut made, inputs.next(), (step, frames));
        }
        for _ in last..frames {
            full_step(pairs, &mut memories, &mut made, inputs.next());
            give(&mut outputs, made.last());
        }
        for step in frames.max(last)..frames + last {
            edge_step(pairs, &mut memories, &mut made, None, (step, frames));
            give(&mut outputs, made.last());
        }
        *kept = memories;
    }

    /// What the filters remember now, one after the other.
    pub fn memories(&self) -> impl Iterator<Item = StereoSvf> {
        let both = self.memories.iter().flat_map(|memory| {
            let ([a, b, c, d], [e, f, g, h]) = (memory.ic1.to_array(), memory.ic2.to_array());
            [StereoSvf::of([a, e], [b, f]), StereoSvf::of([c, g], [d, h])]
        });
        both.take(self.count)
    }
}

/// Both channels of a filter of a pair, by the filter's place in the row.
fn put(four: &mut Four, at: usize, left: f32, right: f32) {
    let [a, b, c, d] = four.to_array();
    *four = Four::new(if at.is_multiple_of(2) { [left, right, c, d] } else { [a, b, left, right] });
}

/// What the last pair made.
#[inline(always)]
fn give<'a>(outputs: &mut impl Iterator<Item = (&'a mut f32, &'a mut f32)>, made: Option<&Four>) {
    if let (Some((left, right)), Some(made)) = (outputs.next(), made) {
        let [_, _, l, r] = made.to_array();
        (*left, *right) = (l, r);
    }
}

#[inline(always)]
fn frame(pair: &Pair, memory: &mut Memory, heard: Four) -> Four {
    let Memory { ic1, ic2 } = *memory;
    let v3 = heard - ic2;
    let v1 = pair.a1 * ic1 + pair.a2 * v3;
    let v2 = ic2 + pair.a2 * ic1 + pair.a3 * v3;
    memory.ic1 = v1 + v1 - ic1;
    memory.ic2 = v2 + v2 - ic2;
    pair.m0 * heard + pair.m1 * v1 + pair.m2 * v2
}

/// One frame of each filter.
#[inline(always)]
fn full_step<const PAIRS: usize>(
    pairs: &[Pair; PAIRS],
    memories: &mut [Memory; PAIRS],
    made: &mut [Four; PAIRS],
    input: Option<(f32, f32)>,
) {
    let (left, right) = input.unwrap_or_default();
    let mut before = Four::new([0.0, 0.0, left, right]);
    for ((pair, memory), made) in pairs.iter().zip(memories).zip(made) {
        // Each hears what the one before it made a step ago.
        let heard = across(before, *made);
        before = *made;
        *made = frame(pair, memory, heard);
    }
}

/// As [`full_step`], where the last filters have nothing to do yet, or the first no more.
#[inline(always)]
fn edge_step<const PAIRS: usize>(
    pairs: &[Pair; PAIRS],
    memories: &mut [Memory; PAIRS],
    made: &mut [Four; PAIRS],
    input: Option<(f32, f32)>,
    (step, frames): (usize, usize),
) {
    let (left, right) = input.unwrap_or_default();
    let mut before = Four::new([0.0, 0.0, left, right]);
    for (at, ((pair, memory), made)) in pairs.iter().zip(memories).zip(made).enumerate() {
        let heard = across(before, *made);
        before = *made;
        let first = 2 * at;
        if step < first || step > first + frames {
            continue;
        }
        let was = *memory;
        *made = frame(pair, memory, heard);
        if step == first {
            (memory.ic1, memory.ic2) = (halves(memory.ic1, was.ic1), halves(memory.ic2, was.ic2));
        }
        if step == first + frames {
            (memory.ic1, memory.ic2) = (halves(was.ic1, memory.ic1), halves(was.ic2, memory.ic2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::noise::Noise;
    use super::super::svf::Response;
    use super::*;

    /// As many filters as there are, or fewer, in spans of all lengths.
    fn is_as_one_after_the_other(count: usize) {
        let coefficients: Vec<Coefficients> =
            (0..count).map(|at| Coefficients::new(Response::Bell { gain: 2.0 }, 0.01 * (at + 1) as f32, 1.5)).collect();
        let mut alone = vec![StereoSvf::default(); count];
        let mut row = FilterRow::of(coefficients.iter().zip(&alone));
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
            row.process(frames, &mut bus);
            assert_eq!(bus, expected, "{count} filters, {frames} frames");
            let bits = |memory: &StereoSvf| [memory.left.ic1, memory.left.ic2, memory.right.ic1, memory.right.ic2];
            assert_eq!(row.memories().map(|memory| bits(&memory)).collect::<Vec<_>>(), alone.iter().map(bits).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_row_gives_what_its_filters_give_one_after_the_other() {
        (1..=ROW).for_each(is_as_one_after_the_other);
    }
}
