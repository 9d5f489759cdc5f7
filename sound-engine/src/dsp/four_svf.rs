//! Four [filters](super::svf) of one channel side by side, each with settings and a signal of its own.

use super::four::{Four, ZEROS, halves, without_quiet};
use super::math::{larger, tans_half_turns};
use super::span::QUIET;
use super::svf::{Coefficients, Kind, Response, StereoSvf, Stretch, Svf};

/// What four filters are.
#[derive(Clone, Copy)]
pub struct FourCoefficients {
    a1: Four,
    a2: Four,
    a3: Four,
    m0: Four,
    m1: Four,
    m2: Four,
}

impl FourCoefficients {
    /// As if they were not there.
    pub const THROUGH: FourCoefficients =
        FourCoefficients { a1: ZEROS, a2: ZEROS, a3: ZEROS, m0: Four::ONE, m1: ZEROS, m2: ZEROS };

    /// `at` is 0 to 3.
    pub fn put(&mut self, at: usize, c: &Coefficients) {
        let FourCoefficients { a1, a2, a3, m0, m1, m2 } = self;
        for (four, value) in [(a1, c.a1), (a2, c.a2), (a3, c.a3), (m0, c.m0), (m1, c.m1), (m2, c.m2)] {
            put(four, at, value);
        }
    }

    /// Of one response at four frequencies, as [`Coefficients::new`] gives them one by one.
    #[inline]
    pub fn new(response: Response, frequencies: Four, q: f32) -> FourCoefficients {
        let Kind { stretch, k, mix: (m0, m1, m2) } = Kind::new(response, q);
        let g = tans_half_turns(larger(frequencies, 1e-5));
        let g = match stretch {
            Stretch::No => g,
            Stretch::Times(factor) => g * Four::splat(factor),
            Stretch::Over(divisor) => g / Four::splat(divisor),
        };
        let a1 = Four::ONE / (Four::ONE + g * (g + Four::splat(k)));
        let a2 = g * a1;
        FourCoefficients { a1, a2, a3: g * a2, m0: Four::splat(m0), m1: Four::splat(m1), m2: Four::splat(m2) }
    }

    /// Of four, or fewer.
    #[inline]
    pub fn of(all: [Option<&FilterNumbers>; 4]) -> FourCoefficients {
        let [a1, a2, a3, m0] = Four::transpose(all.map(|c| c.map_or(ZEROS, |c| Four::new(c.first))));
        let [m1, m2, ..] = Four::transpose(all.map(|c| c.map_or(ZEROS, |c| Four::new(c.last))));
        FourCoefficients { a1, a2, a3, m0, m1, m2 }
    }

    /// One by one.
    #[inline]
    pub fn apart(&self) -> [FilterNumbers; 4] {
        let FourCoefficients { a1, a2, a3, m0, m1, m2 } = *self;
        let (first, last) = (Four::transpose([a1, a2, a3, m0]), Four::transpose([m1, m2, ZEROS, ZEROS]));
        let mut all = [FilterNumbers::default(); 4];
        for ((numbers, first), last) in all.iter_mut().zip(first).zip(last) {
            *numbers = FilterNumbers { first: first.to_array(), last: last.to_array() };
        }
        all
    }
}

/// What one of four filters is, kept until it is one of four again.
#[derive(Clone, Copy, Default)]
pub struct FilterNumbers {
    first: [f32; 4],
    last: [f32; 4],
}

/// What four filters remember.
#[derive(Clone, Copy)]
pub struct FourSvf {
    pub(super) ic1: Four,
    pub(super) ic2: Four,
}

impl FourSvf {
    pub const SILENT: FourSvf = FourSvf { ic1: ZEROS, ic2: ZEROS };

    /// `at` is 0 to 3.
    pub fn put(&mut self, at: usize, svf: &Svf) {
        put(&mut self.ic1, at, svf.ic1);
        put(&mut self.ic2, at, svf.ic2);
    }

    /// The left and the right sides of two filters in a row, of four rows or fewer.
    #[inline]
    pub fn of_rows(all: [Option<&[StereoSvf; 2]>; 4]) -> [[FourSvf; 2]; 2] {
        let numbers = |svf: &StereoSvf| Four::new([svf.left.ic1, svf.left.ic2, svf.right.ic1, svf.right.ic2]);
        [0, 1].map(|at| {
            let rows = all.map(|row| row.and_then(|row| row.get(at)).map_or(ZEROS, numbers));
            let [left_1, left_2, right_1, right_2] = Four::transpose(rows);
            [FourSvf { ic1: left_1, ic2: left_2 }, FourSvf { ic1: right_1, ic2: right_2 }]
        })
    }

    /// One by one, with the right side of each.
    #[inline]
    pub fn both_apart(left: &FourSvf, right: &FourSvf) -> [StereoSvf; 4] {
        let mut all = [StereoSvf::default(); 4];
        let numbers = Four::transpose([left.ic1, left.ic2, right.ic1, right.ic2]);
        for (svf, numbers) in all.iter_mut().zip(numbers) {
            let [left_1, left_2, right_1, right_2] = numbers.to_array();
            *svf = StereoSvf { left: Svf { ic1: left_1, ic2: left_2 }, right: Svf { ic1: right_1, ic2: right_2 } };
        }
        all
    }

    #[inline]
    pub fn apart(&self) -> [Svf; 4] {
        let (ic1, ic2) = (self.ic1.to_array(), self.ic2.to_array());
        let mut all = [Svf::default(); 4];
        for ((svf, ic1), ic2) in all.iter_mut().zip(ic1).zip(ic2) {
            *svf = Svf { ic1, ic2 };
        }
        all
    }

    /// The bits of [`Svf::process`], of each.
    #[inline(always)]
    pub fn process(&mut self, c: &FourCoefficients, input: Four) -> Four {
        let FourSvf { ic1, ic2 } = *self;
        let v3 = input - ic2;
        let v1 = c.a1 * ic1 + c.a2 * v3;
        let v2 = ic2 + c.a2 * ic1 + c.a3 * v3;
        self.ic1 = v1 + v1 - ic1;
        self.ic2 = v2 + v2 - ic2;
        c.m0 * input + c.m1 * v1 + c.m2 * v2
    }

    /// The first two of these, the last two of others.
    #[inline(always)]
    pub fn with_upper_half_of(&self, upper: &FourSvf) -> FourSvf {
        FourSvf { ic1: halves(self.ic1, upper.ic1), ic2: halves(self.ic2, upper.ic2) }
    }

    /// Once a tick: lets go of what nobody could hear.
    pub fn settle(&mut self) {
        self.ic1 = without_quiet(self.ic1, QUIET);
        self.ic2 = without_quiet(self.ic2, QUIET);
    }
}

fn put(four: &mut Four, at: usize, value: f32) {
    if let Some(place) = four.as_array_mut().get_mut(at) {
        *place = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_filters_of_a_kind_are_those_that_each_is_alone() {
        let gain = 2.5;
        let responses = [
            Response::Lowpass,
            Response::Highpass,
            Response::Bandpass,
            Response::Notch,
            Response::Allpass,
            Response::Bell { gain },
            Response::LowShelf { gain },
            Response::HighShelf { gain },
            Response::Through,
        ];
        for (response, frequencies) in responses.into_iter().flat_map(|response| {
            [[0.0, 1e-4, 0.003, 0.021], [0.11, 0.26, 0.48, 0.7]].map(|frequencies| (response, frequencies))
        }) {
            let numbers = FourCoefficients::new(response, Four::new(frequencies), 1.3).apart();
            for (numbers, frequency) in numbers.iter().zip(frequencies) {
                let c = Coefficients::new(response, frequency, 1.3);
                let alone = [c.a1, c.a2, c.a3, c.m0, c.m1, c.m2].map(f32::to_bits);
                let [m1, m2, ..] = numbers.last;
                let [a1, a2, a3, m0] = numbers.first;
                assert_eq!([a1, a2, a3, m0, m1, m2].map(f32::to_bits), alone, "{response:?} at {frequency}");
            }
            let again = FourCoefficients::of(numbers.each_ref().map(Some)).apart();
            let bits =
                |numbers: &[FilterNumbers; 4]| numbers.map(|n| (n.first.map(f32::to_bits), n.last.map(f32::to_bits)));
            assert_eq!(bits(&again), bits(&numbers));
        }
    }
}
