//! The state variable filter, trapezoidal form: exact at its frequency, calm when its settings move.

use super::math::tan_half_turns;
use super::span::quiet;

/// What passes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Response {
    #[default]
    Lowpass,
    Highpass,
    /// 0 dB at its frequency.
    Bandpass,
    Notch,
    /// Everything; turns the phase.
    Allpass,
    Bell {
        gain: f32,
    },
    LowShelf {
        gain: f32,
    },
    HighShelf {
        gain: f32,
    },
    /// As if it were not there.
    Through,
}

/// A response at a frequency, as numbers for the loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    g: f32,
    k: f32,
    pub(super) a1: f32,
    pub(super) a2: f32,
    pub(super) a3: f32,
    pub(super) m0: f32,
    pub(super) m1: f32,
    pub(super) m2: f32,
}

/// What of a filter does not depend on its frequency.
pub(super) struct Kind {
    pub stretch: Stretch,
    pub k: f32,
    /// How much passes of the input, of the band and of what is below.
    pub mix: (f32, f32, f32),
}

/// By what a shelf moves its frequency.
pub(super) enum Stretch {
    No,
    Times(f32),
    Over(f32),
}

impl Kind {
    /// Shelves and bells move their frequency or width so that half of their decibels lie where they are told.
    #[inline]
    pub fn new(response: Response, q: f32) -> Kind {
        let k = 1.0 / q.max(0.025);
        let (stretch, k, mix) = match response {
            Response::Lowpass => (Stretch::No, k, (0.0, 0.0, 1.0)),
            Response::Highpass => (Stretch::No, k, (1.0, -k, -1.0)),
            Response::Bandpass => (Stretch::No, k, (0.0, k, 0.0)),
            Response::Notch => (Stretch::No, k, (1.0, -k, 0.0)),
            Response::Allpass => (Stretch::No, k, (1.0, -2.0 * k, 0.0)),
            Response::Bell { gain } => {
                let a = gain.max(1e-4).sqrt();
                let k = k / a;
                (Stretch::No, k, (1.0, k * (a * a - 1.0), 0.0))
            }
            Response::LowShelf { gain } => {
                let a = gain.max(1e-4).sqrt();
                (Stretch::Over(a.sqrt()), k, (1.0, k * (a - 1.0), a * a - 1.0))
            }
            Response::HighShelf { gain } => {
                let a = gain.max(1e-4).sqrt();
                (Stretch::Times(a.sqrt()), k, (a * a, k * (1.0 - a) * a, 1.0 - a * a))
            }
            Response::Through => (Stretch::No, k, (1.0, 0.0, 0.0)),
        };
        Kind { stretch, k, mix }
    }
}

impl Coefficients {
    /// `frequency` as a part of the sample rate (brought into 0 to 0.49), `q` above 0. Gains are factors.
    pub fn new(response: Response, frequency: f32, q: f32) -> Coefficients {
        let Kind { stretch, k, mix } = Kind::new(response, q);
        let g = tan_half_turns(frequency.max(1e-5));
        let g = match stretch {
            Stretch::No => g,
            Stretch::Times(factor) => g * factor,
            Stretch::Over(divisor) => g / divisor,
        };
        Coefficients::of(g, k, mix)
    }

    fn of(g: f32, k: f32, (m0, m1, m2): (f32, f32, f32)) -> Coefficients {
        let a1 = 1.0 / (1.0 + g * (g + k));
        let a2 = g * a1;
        Coefficients { g, k, a1, a2, a3: g * a2, m0, m1, m2 }
    }

    /// A part of the way to another: how a filter changes its settings or its type without a step. What lies between
    /// two filters that do not ring for ever does not either.
    pub fn towards(&self, other: &Coefficients, part: f32) -> Coefficients {
        let go = |from: f32, to: f32| from + (to - from) * part;
        let mix = (go(self.m0, other.m0), go(self.m1, other.m1), go(self.m2, other.m2));
        Coefficients::of(go(self.g, other.g), go(self.k, other.k), mix)
    }
}

impl Coefficients {
    /// The other's poles with a part of the way to its zeros.
    #[inline]
    pub fn mixed_towards(&self, other: &Coefficients, part: f32) -> Coefficients {
        let go = |from: f32, to: f32| from + (to - from) * part;
        Coefficients { m0: go(self.m0, other.m0), m1: go(self.m1, other.m1), m2: go(self.m2, other.m2), ..*other }
    }
}

/// The memory of a filter of one channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Svf {
    pub(super) ic1: f32,
    pub(super) ic2: f32,
}

impl Svf {
    #[inline]
    pub fn process(&mut self, c: &Coefficients, input: f32) -> f32 {
        let v3 = input - self.ic2;
        let v1 = c.a1 * self.ic1 + c.a2 * v3;
        let v2 = self.ic2 + c.a2 * self.ic1 + c.a3 * v3;
        self.ic1 = 2.0 * v1 - self.ic1;
        self.ic2 = 2.0 * v2 - self.ic2;
        c.m0 * input + c.m1 * v1 + c.m2 * v2
    }

    /// Once a tick: lets go of what nobody could hear.
    #[inline]
    pub fn settle(&mut self) {
        self.ic1 = quiet(self.ic1);
        self.ic2 = quiet(self.ic2);
    }

    pub fn clear(&mut self) {
        *self = Svf::default();
    }

    /// What it remembers.
    #[cfg(test)]
    pub fn memory(&self) -> [f32; 2] {
        [self.ic1, self.ic2]
    }
}

/// Two channels of one filter.
#[derive(Clone, Copy, Debug, Default)]
pub struct StereoSvf {
    pub left: Svf,
    pub right: Svf,
}

impl StereoSvf {
    #[inline]
    pub fn process(&mut self, c: &Coefficients, left: f32, right: f32) -> (f32, f32) {
        (self.left.process(c, left), self.right.process(c, right))
    }

    pub fn settle(&mut self) {
        self.left.settle();
        self.right.settle();
    }

    pub fn clear(&mut self) {
        *self = StereoSvf::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::gain_db_at;

    fn gain(response: Response, hz: f32, q: f32, at: f32) -> f64 {
        let c = Coefficients::new(response, hz / 48_000.0, q);
        gain_db_at(48_000.0, at, |signal| {
            let mut filter = Svf::default();
            signal.iter().map(|x| filter.process(&c, *x)).collect()
        })
    }

    #[test]
    fn gains_are_where_they_are_told() {
        let plus = crate::dsp::math::gain_of_db(9.0);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        for (response, hz, q, at, meant) in [
            (Response::Lowpass, 1000.0, half, 1000.0, -3.01),
            (Response::Lowpass, 1000.0, half, 50.0, 0.0),
            (Response::Lowpass, 1000.0, 4.0, 1000.0, 12.04),
            (Response::Highpass, 1000.0, half, 1000.0, -3.01),
            (Response::Highpass, 1000.0, half, 250.0, -24.1),
            (Response::Bandpass, 1000.0, 3.0, 1000.0, 0.0),
            (Response::Allpass, 1000.0, 1.0, 700.0, 0.0),
            (Response::Bell { gain: plus }, 1000.0, 2.0, 1000.0, 9.0),
            (Response::Bell { gain: 1.0 / plus }, 6000.0, 2.0, 6000.0, -9.0),
            (Response::LowShelf { gain: plus }, 200.0, half, 20.0, 9.0),
            (Response::LowShelf { gain: plus }, 200.0, half, 200.0, 4.5),
            (Response::HighShelf { gain: 1.0 / plus }, 3000.0, half, 3000.0, -4.5),
            (Response::HighShelf { gain: plus }, 2000.0, half, 20_000.0, 9.0),
        ] {
            let is = gain(response, hz, q, at);
            assert!((is - meant).abs() < 0.2, "{response:?} of {hz} Hz at {at} Hz: {is:.2} dB, not {meant}");
        }
        assert!(gain(Response::Notch, 1000.0, 1.0, 1000.0) < -60.0);
    }

    #[test]
    fn nothing_subnormal_is_left() {
        let c = Coefficients::new(Response::Lowpass, 0.001, 0.5);
        let mut filter = Svf::default();
        filter.process(&c, 1.0);
        let mut subnormal = 0;
        for frame in 0..2_880_000 {
            filter.process(&c, 0.0);
            if frame % 16 == 15 {
                filter.settle();
            }
            subnormal += filter.memory().iter().filter(|value| value.is_subnormal()).count();
        }
        assert_eq!((subnormal, filter.memory()), (0, [0.0, 0.0]));
    }
}
