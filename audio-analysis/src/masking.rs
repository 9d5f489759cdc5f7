//! What hides what: where one track is drowned by another, in the same band at the same time.

use crate::spectrum::{PowerSpectrum, Windows, bins};

/// Bands as wide as hearing tells apart, about a third of an octave.
const BANDS: usize = 28;
const LOWEST_HZ: f64 = 30.0;
const HIGHEST_HZ: f64 = 16_000.0;
/// What a track plays in a band counts down to this far below its own loudest.
const OWN_REACH_DB: f64 = 24.0;
/// By how much another has to be louder in the band.
const LOUDER_DB: f64 = 6.0;
const MOMENT_S: f64 = 0.05;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Masking {
    /// Of what the hidden track plays, by its power: 0 to 1.
    pub share: f64,
    /// The band in which most of it is hidden.
    pub from_hz: f64,
    pub to_hz: f64,
}

/// A track's power by bands and moments.
pub struct Cells {
    powers: Vec<[f64; BANDS]>,
    loudest: f64,
}

/// Finds the cells of a signal that comes in pieces.
pub struct CellMeter {
    rate_hz: f64,
    length: usize,
    spectrum: PowerSpectrum,
    windows: Windows,
    powers: Vec<[f64; BANDS]>,
}

impl CellMeter {
    pub fn new(rate_hz: f64) -> CellMeter {
        let hop = (rate_hz * MOMENT_S) as usize;
        let length = (hop * 2).next_power_of_two();
        let (spectrum, windows) = (PowerSpectrum::new(length), Windows::new(length, hop));
        CellMeter { rate_hz, length, spectrum, windows, powers: Vec::new() }
    }

    pub fn push(&mut self, left: &[f32], right: &[f32]) {
        let CellMeter { rate_hz, length, spectrum, windows, powers } = self;
        let mono = left.iter().zip(right).map(|(left, right)| 0.5 * (left + right));
        windows.push(mono, |window| powers.push(in_bands(spectrum.of(window), *rate_hz, *length)));
    }

    pub fn finish(self) -> Cells {
        let CellMeter { rate_hz, length, mut spectrum, windows, mut powers } = self;
        windows.finish(|window| powers.push(in_bands(spectrum.of(window), rate_hz, length)));
        let loudest = powers.iter().flatten().copied().fold(0.0, f64::max);
        Cells { powers, loudest }
    }
}

fn in_bands(powers: &[f32], rate_hz: f64, length: usize) -> [f64; BANDS] {
    std::array::from_fn(|band| {
        let bins = bins(rate_hz, length, edge_hz(band), edge_hz(band + 1));
        powers.get(bins).unwrap_or_default().iter().map(|power| f64::from(*power)).sum()
    })
}

impl Cells {
    /// How much of this track the other one hides; both begin at the same time.
    pub fn hidden_by(&self, other: &Cells) -> Masking {
        let (mut whole, mut hidden) = (0.0, [0.0; BANDS]);
        let floor = self.loudest * 10.0_f64.powf(-OWN_REACH_DB / 10.0);
        let louder = 10.0_f64.powf(LOUDER_DB / 10.0);
        for (own, others) in self.powers.iter().zip(&other.powers) {
            for ((own, other), hidden) in own.iter().zip(others).zip(&mut hidden) {
                if *own > floor {
                    whole += own;
                    *hidden += if *other > own * louder { *own } else { 0.0 };
                }
            }
        }
        let most = (0..BANDS).max_by(|a, b| at(&hidden, *a).total_cmp(&at(&hidden, *b))).unwrap_or_default();
        let share = if whole > 0.0 { hidden.iter().sum::<f64>() / whole } else { 0.0 };
        Masking { share, from_hz: edge_hz(most), to_hz: edge_hz(most + 1) }
    }
}

fn at(values: &[f64; BANDS], band: usize) -> f64 {
    values.get(band).copied().unwrap_or_default()
}

fn edge_hz(band: usize) -> f64 {
    LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ).powf(band as f64 / BANDS as f64)
}
