//! Filters in a row, worked side by side: while the first has one frame, the second has the one before, and so on.
//! Alone a filter waits for its own last frame most of the time; in a row all of them wait together.

use super::four::{Four, ZEROS, across};
use super::four_svf::{FourCoefficients, FourSvf};
use super::span::{Bus, TICK};
use super::svf::{Coefficients, StereoSvf};

/// Filters of a row.
pub const ROW: usize = 8;
/// Two filters with two channels each stand side by side.
const PAIRS: usize = ROW / 2;

/// Settled filters; where there are fewer, the signal goes through the other places as it is.
pub struct FilterRow {
    count: usize,
    /// Both channels of two filters, and what they remember.
    pairs: [FourCoefficients; PAIRS],
    memories: [FourSvf; PAIRS],
}

impl FilterRow {
    pub const EMPTY: FilterRow =
        FilterRow { count: 0, pairs: [FourCoefficients::THROUGH; PAIRS], memories: [FourSvf::SILENT; PAIRS] };

    /// Of the first [`ROW`] filters.
    pub fn of<'a>(filters: impl Iterator<Item = (&'a Coefficients, &'a StereoSvf)>) -> FilterRow {
        let mut row = FilterRow::EMPTY;
        for (at, (c, memory)) in filters.enumerate().take(ROW) {
            if let (Some(pair), Some(memories)) = (row.pairs.get_mut(at / 2), row.memories.get_mut(at / 2)) {
                let first = at % 2 * 2;
                for (place, svf) in [(first, &memory.left), (first + 1, &memory.right)] {
                    pair.put(place, c);
                    memories.put(place, svf);
                }
                row.count = at + 1;
            }
        }
        row
    }

    /// Once a tick: lets go of what nobody could hear.
    pub fn settle(&mut self) {
        self.memories.iter_mut().take(self.count.div_ceil(2)).for_each(FourSvf::settle);
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
        let (Some(pairs), Some(kept)) = (self.pairs.first_chunk::<PAIRS>(), self.memories.first_chunk_mut()) else {
            return;
        };
        // Whoever calls a function with a walk keeps it in memory; the one that goes through a whole span is called with
        // none, and has it in registers.
        *kept = if frames >= TICK { whole(pairs, kept, bus) } else { part(pairs, kept, frames, bus) };
    }

    /// What the filters remember now, one after the other.
    pub fn memories(&self) -> impl Iterator<Item = StereoSvf> {
        let both = self.memories.iter().flat_map(|memory| {
            let [a, b, c, d] = memory.apart();
            [StereoSvf { left: a, right: b }, StereoSvf { left: c, right: d }]
        });
        both.take(self.count)
    }
}

/// Takes a whole span through a row, and gives what it remembers then.
#[inline(always)]
fn whole<const PAIRS: usize>(
    pairs: &[FourCoefficients; PAIRS],
    memories: &[FourSvf; PAIRS],
    bus: &mut Bus,
) -> [FourSvf; PAIRS] {
    let mut walk = Walk { pairs: *pairs, memories: *memories, made: [ZEROS; PAIRS] };
    walk.whole(bus);
    walk.memories
}

/// As [`whole`], of fewer frames.
#[inline(never)]
fn part<const PAIRS: usize>(
    pairs: &[FourCoefficients; PAIRS],
    memories: &[FourSvf; PAIRS],
    frames: usize,
    bus: &mut Bus,
) -> [FourSvf; PAIRS] {
    let mut walk = Walk { pairs: *pairs, memories: *memories, made: [ZEROS; PAIRS] };
    walk.part(frames, bus);
    walk.memories
}

/// A span on its way through a row.
struct Walk<const PAIRS: usize> {
    pairs: [FourCoefficients; PAIRS],
    memories: [FourSvf; PAIRS],
    /// What each pair made in the step before.
    made: [Four; PAIRS],
}

impl<const PAIRS: usize> Walk<PAIRS> {
    /// The last filter has its first frame when the first has had as many as there are others.
    const LAST: usize = 2 * PAIRS - 1;

    #[inline(always)]
    fn whole(&mut self, bus: &mut Bus) {
        let input = *bus;
        let mut inputs = input.left.into_iter().zip(input.right);
        let mut outputs = bus.left.iter_mut().zip(&mut bus.right);
        self.begin::<1>(&mut inputs);
        self.begin::<2>(&mut inputs);
        self.begin::<3>(&mut inputs);
        self.begin::<4>(&mut inputs);
        for _ in Self::LAST..TICK {
            self.step::<0, PAIRS>(inputs.next());
            self.give(&mut outputs);
        }
        self.end::<0>(&mut outputs);
        self.end::<1>(&mut outputs);
        self.end::<2>(&mut outputs);
        self.end::<3>(&mut outputs);
    }

    /// One frame of the filters of the pairs `FROM` to `TO`.
    #[inline(always)]
    fn step<const FROM: usize, const TO: usize>(&mut self, input: Option<(f32, f32)>) {
        let (left, right) = input.unwrap_or_default();
        let mut before = if FROM == 0 { Four::new([0.0, 0.0, left, right]) } else { self.made[FROM - 1] };
        // By their places, all of which the compiler knows: iterators that skip some would not be unrolled.
        for at in FROM..TO.min(PAIRS) {
            // Each hears what the one before it made a step ago.
            let heard = across(before, self.made[at]);
            before = self.made[at];
            self.made[at] = self.memories[at].process(&self.pairs[at], heard);
        }
    }

    /// Two steps of the first `TO` pairs; of the last of them, the second filter has nothing to do yet in the first step.
    #[inline(always)]
    fn begin<const TO: usize>(&mut self, inputs: &mut impl Iterator<Item = (f32, f32)>) {
        if TO > PAIRS {
            return;
        }
        let was = self.memories[TO - 1];
        self.step::<0, TO>(inputs.next());
        self.memories[TO - 1] = self.memories[TO - 1].with_upper_half_of(&was);
        if TO < PAIRS {
            self.step::<0, TO>(inputs.next());
        }
    }

    /// Two steps of the pairs from `FROM` on; of the first of them, the first filter has nothing to do any more.
    #[inline(always)]
    fn end<'a, const FROM: usize>(&mut self, outputs: &mut impl Iterator<Item = (&'a mut f32, &'a mut f32)>) {
        if FROM >= PAIRS {
            return;
        }
        let was = self.memories[FROM];
        self.step::<FROM, PAIRS>(None);
        self.give(outputs);
        self.memories[FROM] = was.with_upper_half_of(&self.memories[FROM]);
        if FROM + 1 < PAIRS {
            self.after::<FROM>();
            self.give(outputs);
        }
    }

    /// One frame of the filters of the pairs behind `PAIR`.
    #[inline(always)]
    fn after<const PAIR: usize>(&mut self) {
        match PAIR {
            0 => self.step::<1, PAIRS>(None),
            1 => self.step::<2, PAIRS>(None),
            _ => self.step::<3, PAIRS>(None),
        }
    }

    /// As [`Walk::whole`], of fewer frames, which may be fewer than there are filters.
    fn part(&mut self, frames: usize, bus: &mut Bus) {
        let input = *bus;
        let mut inputs = input.left.into_iter().zip(input.right).take(frames);
        let mut outputs = bus.left.iter_mut().zip(&mut bus.right).take(frames);
        for step in 0..frames + Self::LAST {
            let was = self.memories;
            self.step::<0, PAIRS>(inputs.next());
            for (at, (now, was)) in self.memories.iter_mut().zip(&was).enumerate() {
                let has_frame = |filter: usize| (filter..filter + frames).contains(&step);
                *now = match (has_frame(2 * at), has_frame(2 * at + 1)) {
                    (true, true) => *now,
                    (true, false) => now.with_upper_half_of(was),
                    (false, true) => was.with_upper_half_of(now),
                    (false, false) => *was,
                };
            }
            if step >= Self::LAST {
                self.give(&mut outputs);
            }
        }
    }

    /// Gives what the last filter made.
    #[inline(always)]
    fn give<'a>(&self, outputs: &mut impl Iterator<Item = (&'a mut f32, &'a mut f32)>) {
        if let (Some((left, right)), Some(made)) = (outputs.next(), self.made.last()) {
            let [_, _, l, r] = made.to_array();
            (*left, *right) = (l, r);
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
            assert_eq!(
                row.memories().map(|memory| bits(&memory)).collect::<Vec<_>>(),
                alone.iter().map(bits).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn a_row_gives_what_its_filters_give_one_after_the_other() {
        (1..=ROW).for_each(is_as_one_after_the_other);
    }
}
