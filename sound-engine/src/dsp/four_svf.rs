//! Four [filters](super::svf) of one channel side by side, each with settings and a signal of its own.

use super::four::{Four, ZEROS, halves, without_quiet};
use super::span::QUIET;
use super::svf::{Coefficients, Svf};

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

    /// Of four, or fewer.
    #[inline]
    pub fn of(all: [Option<&Coefficients>; 4]) -> FourCoefficients {
        let four = |of: fn(&Coefficients) -> f32| Four::new(all.map(|c| c.map_or(0.0, of)));
        FourCoefficients {
            a1: four(|c| c.a1),
            a2: four(|c| c.a2),
            a3: four(|c| c.a3),
            m0: four(|c| c.m0),
            m1: four(|c| c.m1),
            m2: four(|c| c.m2),
        }
    }
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

    /// Of four, or fewer.
    #[inline]
    pub fn of(all: [Option<&Svf>; 4]) -> FourSvf {
        let four = |of: fn(&Svf) -> f32| Four::new(all.map(|svf| svf.map_or(0.0, of)));
        FourSvf { ic1: four(|svf| svf.ic1), ic2: four(|svf| svf.ic2) }
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
