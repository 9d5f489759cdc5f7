//! Wide windowed sincs for what is read faster than it was recorded: what would fold back into what is heard is gone
//! before, and what is heard stays. They take more the faster it is read, up to eight times.

use super::math::bessel;
use crate::sample::Sample;
use std::sync::LazyLock;

/// Frames of the sample for each frame played, up to which each table is used: the last octave of what files and rates
/// make of each other, and steps between.
const LIMITS: [f64; 16] = [1.0885, 1.2, 1.34, 1.5, 1.7, 2.0, 2.18, 2.5, 3.0, 3.5, 4.0, 4.36, 5.2, 6.2, 7.2, 8.0];
/// A limit holds for what lies on it.
const NEAR: f64 = 1e-6;
/// The way from all to nothing, around half the rate, as a part of it: what lies beyond folds back to where less than
/// the rest of it is heard.
const HALF_WAY: f64 = 0.167;
/// Kaiser's window for 68 dB.
const STOP_DB: f64 = 68.0;
const PHASES: usize = 128;
/// Products are summed in so many lanes.
const LANES: usize = 8;

/// See the [module](self).
pub struct SteepTable {
    limit: f64,
    /// Frames of the sample for each frame played: a multiple of the lanes.
    taps: usize,
    /// One after the other, one more than phases.
    rows: Vec<f32>,
}

static TABLES: LazyLock<Vec<SteepTable>> =
    LazyLock::new(|| LIMITS.iter().map(|limit| SteepTable::new(*limit)).collect());

/// Computes the tables, unless that was done: it belongs where a plan is made.
pub fn prepare() {
    LazyLock::force(&TABLES);
}

impl SteepTable {
    /// For a speed above 1; what is faster than eight times has the last one.
    pub fn at_speed(speed: f64) -> Option<&'static SteepTable> {
        TABLES.iter().find(|table| speed <= table.limit).or(TABLES.last())
    }

    fn new(limit: f64) -> SteepTable {
        let (cut, pi) = (1.0 / limit, std::f64::consts::PI);
        let beta = 0.1102 * (STOP_DB - 8.7);
        let wanted = (STOP_DB - 7.95) / (2.285 * 2.0 * HALF_WAY * pi * cut) + 1.0;
        let taps = (wanted / LANES as f64).ceil() as usize * LANES;
        let (half, edge) = (taps as f64 / 2.0, bessel(beta));
        let mut rows = Vec::with_capacity((PHASES + 1) * taps);
        for phase in 0..=PHASES {
            let shift = phase as f64 / PHASES as f64;
            let value = |tap: usize| {
                let x = tap as f64 - (half - 1.0) - shift;
                let sinc = if x == 0.0 { cut } else { libm::sin(pi * cut * x) / (pi * x) };
                let place = (x / half).abs().min(1.0);
                sinc * bessel(beta * (1.0 - place * place).sqrt()) / edge
            };
            let row: Vec<f64> = (0..taps).map(value).collect();
            let sum: f64 = row.iter().sum();
            rows.extend(row.iter().map(|value| (value / sum) as f32));
        }
        SteepTable { limit: limit + NEAR, taps, rows }
    }

    /// The sample at `position` frames; outside of it is silence.
    #[inline]
    pub fn read(&self, sample: &Sample, position: f64) -> (f32, f32) {
        let whole = position as i64 - i64::from(position < 0.0);
        let place = (position - whole as f64) as f32 * PHASES as f32;
        let row = (place as usize).min(PHASES - 1);
        let between = place - row as f32;
        let taps = self.taps;
        let rows = self.rows.get(row * taps..(row + 2) * taps).unwrap_or_default();
        let (here, next) = rows.split_at(rows.len() / 2);
        let first = whole - (taps as i64 / 2 - 1);
        let channels = sample.channels();
        let run = usize::try_from(first).ok().and_then(|first| {
            sample.data().get(first.checked_mul(channels)?..first.checked_add(taps)?.checked_mul(channels)?)
        });
        let weigh = |here: &[f32], next: &[f32]| -> [f32; LANES] {
            let mut weights = [0.0; LANES];
            for ((weight, here), next) in weights.iter_mut().zip(here).zip(next) {
                *weight = here + (next - here) * between;
            }
            weights
        };
        let rows = here.chunks_exact(LANES).zip(next.chunks_exact(LANES));
        match run {
            Some(run) if channels == 2 => {
                let (mut left, mut right) = ([0.0f32; LANES], [0.0f32; LANES]);
                for ((here, next), frames) in rows.zip(run.chunks_exact(2 * LANES)) {
                    let weights = weigh(here, next);
                    for (at, frame) in frames.chunks_exact(2).enumerate() {
                        if let (Some(weight), Some(l), Some(r), [a, b]) =
                            (weights.get(at), left.get_mut(at), right.get_mut(at), frame)
                        {
                            *l += weight * a;
                            *r += weight * b;
                        }
                    }
                }
                (left.iter().sum(), right.iter().sum())
            }
            Some(run) => {
                let mut sums = [0.0f32; LANES];
                for ((here, next), values) in rows.zip(run.chunks_exact(LANES)) {
                    for ((sum, weight), value) in sums.iter_mut().zip(weigh(here, next)).zip(values) {
                        *sum += weight * value;
                    }
                }
                let sum = sums.iter().sum();
                (sum, sum)
            }
            None => {
                let (mut left, mut right) = (0.0, 0.0);
                for ((here, next), index) in here.iter().zip(next).zip(first..) {
                    let (weight, (l, r)) = (here + (next - here) * between, sample.frame(index));
                    left += weight * l;
                    right += weight * r;
                }
                (left, right)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{level_db_at, sine, spectrum};

    const RATE: f32 = 48_000.0;

    /// A tone that would be heard at so many Hz if nothing folded back.
    fn played(heard_hz: f64, speed: f64) -> Vec<f32> {
        let sample = Sample::new(sine((heard_hz / speed) as f32, RATE, 280_000).into(), 1, RATE).expect("a sample");
        let table = SteepTable::at_speed(speed).expect("a table");
        (0..32_768).map(|n| table.read(&sample, 1_000.3 + f64::from(n) * speed).0).collect()
    }

    const SPEEDS: [f64; 12] = [1.005, 1.088_435, 1.15, 1.5, 1.9, 2.0, 2.176_871, 2.7, 3.0, 4.0, 5.5, 8.0];

    #[test]
    fn what_folds_back_below_20_khz_is_gone() {
        for speed in SPEEDS {
            // Just so high that it folds back to 20 kHz, to the middle, and as high as the file has it.
            for heard in [28_050.0, 30_000.0, 36_500.0, 47_000.0, 60_100.0, 150_000.0] {
                if heard / speed > 23_500.0 {
                    continue;
                }
                let (bins, width) = spectrum(&played(heard, speed), RATE);
                let whole = spectrum(&sine(1_000.0, RATE, 32_768), RATE).0.iter().copied().fold(0.0, f64::max);
                let below = (20_000.0 / width) as usize;
                let most = bins.iter().take(below).copied().fold(0.0, f64::max);
                let db = 20.0 * (most / whole).log10();
                assert!(db < -60.0, "{heard} Hz at {speed}: {db:.1} dB");
            }
        }
    }

    #[test]
    fn what_is_heard_stays() {
        for speed in SPEEDS {
            for heard in [100.0, 5_000.0, 14_000.0, 16_000.0] {
                let signal = played(heard, speed);
                let level = level_db_at(&signal, RATE, heard as f32);
                assert!(level.abs() < 0.5, "{heard} Hz at {speed}: {level:.2} dB");
                let (bins, width) = spectrum(&signal, RATE);
                let apart = |at: usize| (at as f64 * width - heard).abs() > 10.0 * width;
                let wanted = bins.iter().copied().fold(0.0, f64::max);
                let other = bins.iter().enumerate().filter(|(at, _)| apart(*at)).map(|(_, m)| *m).fold(0.0, f64::max);
                assert!(20.0 * (other / wanted).log10() < -60.0, "{heard} Hz at {speed}");
            }
        }
    }
}
