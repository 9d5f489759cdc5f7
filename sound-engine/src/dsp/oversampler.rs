//! Twice the sample rate and back, for what bends a signal: two allpass chains each way, no delay to speak of.

use super::span::quiet;

/// Of a halfband filter whose stopband lies 70 dB below (an elliptic one of order 9, split into two chains).
const EVEN: [f32; 2] = [0.079_866_42, 0.545_353_68];
const ODD: [f32; 2] = [0.283_829_34, 0.834_411_9];

#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    inputs: [f32; 2],
    outputs: [f32; 2],
}

impl Chain {
    #[inline]
    fn process(&mut self, coefficients: &[f32; 2], input: f32) -> f32 {
        let mut value = input;
        for ((a, before), after) in coefficients.iter().zip(&mut self.inputs).zip(&mut self.outputs) {
            let next = a * (value - *after) + *before;
            *before = value;
            *after = next;
            value = next;
        }
        value
    }

    fn settle(&mut self) {
        for value in self.inputs.iter_mut().chain(&mut self.outputs) {
            *value = quiet(*value);
        }
    }
}

/// One channel's way up and down.
#[derive(Clone, Copy, Debug, Default)]
pub struct Oversampler {
    up: [Chain; 2],
    down: [Chain; 2],
}

impl Oversampler {
    /// `shape` sees the signal at twice the rate.
    #[inline]
    pub fn process(&mut self, input: f32, mut shape: impl FnMut(f32) -> f32) -> f32 {
        let first = shape(self.up[0].process(&EVEN, input));
        let second = shape(self.up[1].process(&ODD, input));
        // The other chain stands a frame later: of the two frames it sees the earlier one.
        0.5 * (self.down[0].process(&EVEN, second) + self.down[1].process(&ODD, first))
    }

    pub fn settle(&mut self) {
        for chain in self.up.iter_mut().chain(&mut self.down) {
            chain.settle();
        }
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        let chains = self.up.iter().chain(&self.down);
        chains.flat_map(|chain| chain.inputs.into_iter().chain(chain.outputs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::gain_db_at;

    #[test]
    fn what_is_heard_comes_through_unchanged() {
        for hz in [30.0, 1_000.0, 10_000.0, 16_000.0] {
            let gain = gain_db_at(48_000.0, hz, |signal| {
                let mut sampler = Oversampler::default();
                signal.iter().map(|x| sampler.process(*x, |y| y)).collect()
            });
            assert!(gain.abs() < 0.1, "{hz} Hz: {gain} dB");
        }
    }
}
