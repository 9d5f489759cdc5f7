//! Whether the stems add up to the mix.

use super::offline::Signal;

/// Above -60 dBFS the difference can be heard.
const LEAST_DIFFERENCE: f32 = 1e-3;

/// The stems' sum, held against the mix block after block.
#[derive(Default)]
pub struct StemSum {
    left: Vec<f32>,
    right: Vec<f32>,
    largest: f32,
}

impl StemSum {
    /// All of the same block.
    pub fn hold_against<'a>(&mut self, mix: Signal, stems: impl Iterator<Item = Signal<'a>>) {
        for (rest, channel) in [(&mut self.left, mix.left), (&mut self.right, mix.right)] {
            rest.clear();
            rest.extend_from_slice(channel);
        }
        for stem in stems {
            for (rest, channel) in [(&mut self.left, stem.left), (&mut self.right, stem.right)] {
                rest.iter_mut().zip(channel).for_each(|(rest, sample)| *rest -= sample);
            }
        }
        self.largest = self.left.iter().chain(&self.right).fold(self.largest, |top, rest| top.max(rest.abs()));
    }

    pub fn differs(&self) -> bool {
        self.largest > LEAST_DIFFERENCE
    }
}
