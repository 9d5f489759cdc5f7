//! How often which energy was there, in tenths of a LU from -70 LUFS on: gated loudness, and the loudness range.

use std::sync::LazyLock;

const BINS: usize = 1_000;
/// Below the mean: what integrated loudness leaves out, and what the range does.
const GATE: f64 = 0.1;
const RANGE_GATE: f64 = 0.01;
/// Between which shares of what is left the range lies.
const RANGE: [f64; 2] = [0.1, 0.95];

/// Where each bin begins, and the energy that it stands for.
static BEGINS: LazyLock<Vec<f64>> = LazyLock::new(|| (0..BINS).map(|bin| energy_of(bin as f64 * 0.1 - 70.0)).collect());
static ENERGIES: LazyLock<Vec<f64>> =
    LazyLock::new(|| (0..BINS).map(|bin| energy_of(bin as f64 * 0.1 - 69.95)).collect());

/// Counts of energies.
pub struct EnergyBins {
    counts: Box<[u64; BINS]>,
}

impl EnergyBins {
    pub fn new() -> EnergyBins {
        EnergyBins { counts: Box::new([0; BINS]) }
    }

    /// What is below -70 LUFS is left out.
    pub fn add(&mut self, energy: f64) {
        if let Some(count) = bin_of(energy).and_then(|bin| self.counts.get_mut(bin)) {
            *count += 1;
        }
    }

    /// The mean from a bin on.
    fn mean_from(&self, first: usize) -> Option<f64> {
        let (mut count, mut sum) = (0, 0.0);
        for (of_bin, energy) in self.counts.iter().zip(ENERGIES.iter()).skip(first) {
            count += of_bin;
            sum += *of_bin as f64 * energy;
        }
        (count > 0).then(|| sum / count as f64)
    }

    /// The first bin that is at least a part of the mean of all.
    fn gate(&self, part: f64) -> Option<usize> {
        let threshold = self.mean_from(0)? * part;
        let Some(bin) = bin_of(threshold) else { return Some(0) };
        let is_above = ENERGIES.get(bin).is_some_and(|energy| threshold > *energy);
        Some(if is_above { bin + 1 } else { bin })
    }

    /// Of what is no more than 10 LU below the mean, LUFS.
    pub fn gated_lufs(&self) -> Option<f64> {
        Some(lufs(self.mean_from(self.gate(GATE)?)?))
    }

    /// Between soft and loud parts, LU (EBU Tech 3342); 0 where there are none.
    pub fn range_lu(&self) -> f64 {
        let Some(first) = self.gate(RANGE_GATE) else { return 0.0 };
        let counts = || self.counts.iter().skip(first);
        let Some(last) = counts().sum::<u64>().checked_sub(1) else { return 0.0 };
        let [soft, loud] = RANGE.map(|share| {
            let place = (last as f64 * share + 0.5) as u64;
            let sums = counts().scan(0, |sum, count| {
                *sum += count;
                Some(*sum)
            });
            let bin = first + sums.take_while(|sum| *sum <= place).count();
            ENERGIES.get(bin).copied().map_or(0.0, lufs)
        });
        loud - soft
    }
}

fn bin_of(energy: f64) -> Option<usize> {
    BEGINS.partition_point(|begin| energy >= *begin).checked_sub(1)
}

fn energy_of(lufs: f64) -> f64 {
    10.0_f64.powf((lufs + 0.691) / 10.0)
}

/// The loudness of an energy; silence has negative infinity.
pub fn lufs(energy: f64) -> f64 {
    10.0 * energy.log10() - 0.691
}
