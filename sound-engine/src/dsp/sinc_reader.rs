//! A sample between its frames: sixteen of them through a windowed sinc. For upward pitch there are narrower ones, so
//! that what would fold back is gone before.

use super::math::bessel;
use super::steep_table::SteepTable;
use crate::sample::Sample;
use std::sync::LazyLock;

const TAPS: usize = 16;
const PHASES: usize = 256;
/// Frames of the sample for each frame played, up to which each version is used.
const LIMITS: [f64; 7] = [1.02, 1.45, 2.05, 2.9, 4.1, 5.8, f64::INFINITY];
/// Where the widest one ends, as a part of half the sample's rate.
const WIDEST: f64 = 0.93;
/// Kaiser's beta: 70 dB.
const BETA: f64 = 7.0;

struct Table {
    rows: Vec<[f32; TAPS]>,
}

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let cuts = LIMITS.iter().map(|limit| if limit.is_finite() { WIDEST / limit.max(1.0) } else { WIDEST / 8.0 });
    cuts.enumerate().map(|(at, cut)| Table::new(if at == 0 { WIDEST } else { cut })).collect()
});

/// Computes the tables, unless that was done: it belongs where a plan is made.
pub fn prepare() {
    LazyLock::force(&TABLES);
    super::steep_table::prepare();
}

impl Table {
    fn new(cut: f64) -> Table {
        let half = TAPS as f64 / 2.0;
        let rows = (0..=PHASES).map(|phase| {
            let shift = phase as f64 / PHASES as f64;
            let mut row = [0.0f64; TAPS];
            for (tap, value) in row.iter_mut().enumerate() {
                let x = tap as f64 - (half - 1.0) - shift;
                let sinc =
                    if x == 0.0 { cut } else { libm::sin(std::f64::consts::PI * cut * x) / (std::f64::consts::PI * x) };
                let place = (x / half).abs().min(1.0);
                *value = sinc * bessel(BETA * (1.0 - place * place).sqrt()) / bessel(BETA);
            }
            let sum: f64 = row.iter().sum();
            row.map(|value| (value / sum) as f32)
        });
        Table { rows: rows.collect() }
    }
}

/// How a sample is read at one speed.
#[derive(Clone, Copy)]
pub struct SincReader {
    table: &'static Table,
    /// A frame for each: what lies at a whole frame is that frame, without what a filter takes of its treble.
    is_plain: bool,
    /// In place of the table.
    steep: Option<&'static SteepTable>,
}

/// Seconds of the edge that a sample has where it stops at once.
pub const END_EDGE: f32 = 0.003;
/// A speed so near to 1 is 1, and a place so near to a frame is there: what adding up seconds leaves lies far below.
const SAME_SPEED: f64 = 1e-9;
const SAME_PLACE: f64 = 1e-4;

impl SincReader {
    /// `speed`: frames of the sample for each frame played.
    pub fn at_speed(speed: f64) -> SincReader {
        let version = LIMITS.iter().position(|limit| speed.abs() <= *limit).unwrap_or(LIMITS.len() - 1);
        // There are as many tables as limits.
        let table = TABLES.get(version).unwrap_or(&TABLES[0]);
        SincReader { table, is_plain: (speed.abs() - 1.0).abs() < SAME_SPEED, steep: None }
    }

    /// As [`SincReader::at_speed`], for one that may cost more where the sample is read faster than it was recorded: of
    /// what folds back to below 20 kHz (at 48 kHz), up to eight times as fast, nothing is left above -60 dB.
    pub fn steep_at_speed(speed: f64) -> SincReader {
        let reader = SincReader::at_speed(speed);
        let steep = (speed.abs() > 1.0 && !reader.is_plain).then(|| SteepTable::at_speed(speed.abs())).flatten();
        SincReader { steep, ..reader }
    }

    /// As [`SincReader::read`], with an edge in front of the end of the sample, or of its beginning where it is played
    /// backwards: `edge` frames of the sample, below 0 backwards.
    #[inline]
    pub fn read_to_end(&self, sample: &Sample, position: f64, edge: f64) -> (f32, f32) {
        let left_over = if edge < 0.0 { position + 1.0 } else { sample.frames() as f64 - position };
        let (left, right) = self.read(sample, position);
        if left_over >= edge.abs() {
            return (left, right);
        }
        let gain = (left_over / edge.abs()).max(0.0) as f32;
        (left * gain, right * gain)
    }

    /// The sample at `position` frames; outside of it is silence.
    #[inline]
    pub fn read(&self, sample: &Sample, position: f64) -> (f32, f32) {
        if self.is_plain && (position - position.round()).abs() < SAME_PLACE {
            return sample.frame(position.round() as i64);
        }
        if let Some(steep) = self.steep {
            return steep.read(sample, position);
        }
        let whole = position as i64 - i64::from(position < 0.0);
        let place = (position - whole as f64) as f32 * PHASES as f32;
        let row = (place as usize).min(PHASES - 1);
        let between = place - row as f32;
        let [Some(here), Some(next)] = [self.table.rows.get(row), self.table.rows.get(row + 1)] else {
            return (0.0, 0.0);
        };
        let first = whole - (TAPS as i64 / 2 - 1);
        let run = usize::try_from(first).ok().and_then(|first| {
            let channels = sample.channels();
            sample.data().get(first * channels..(first + TAPS) * channels)
        });
        let (mut left, mut right) = (0.0f32, 0.0f32);
        let weights = here.iter().zip(next).map(|(here, next)| here + (next - here) * between);
        match run {
            Some(run) if sample.channels() == 2 => {
                for (weight, frame) in weights.zip(run.chunks_exact(2)) {
                    if let [l, r] = frame {
                        left += weight * l;
                        right += weight * r;
                    }
                }
            }
            Some(run) => {
                left = weights.zip(run).map(|(weight, value)| weight * value).sum();
                right = left;
            }
            None => {
                for (weight, index) in weights.zip(first..) {
                    let (l, r) = sample.frame(index);
                    left += weight * l;
                    right += weight * r;
                }
            }
        }
        (left, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{level_db_at, sine, spectrum};

    fn played(hz: f32, speed: f64) -> Vec<f32> {
        let sample = Sample::new(sine(hz, 48_000.0, 300_000).into(), 1, 48_000.0).expect("a sample");
        let reader = SincReader::at_speed(speed);
        (0..32_768).map(|n| reader.read(&sample, 1000.3 + f64::from(n) * speed).0).collect()
    }

    #[test]
    fn a_tone_keeps_its_level_and_adds_nothing() {
        for (hz, speed) in [(1000.0, 1.0), (1000.0, 0.7), (5000.0, 1.3), (300.0, 4.0), (9000.0, 1.01)] {
            let signal = played(hz, speed);
            let heard = hz * speed as f32;
            let level = level_db_at(&signal, 48_000.0, heard);
            assert!(level.abs() < 0.5, "{hz} Hz at {speed}: {level:.2} dB");
            let (bins, width) = spectrum(&signal, 48_000.0);
            let apart = |at: usize| (at as f64 * width - f64::from(heard)).abs() > 10.0 * width;
            let wanted = bins.iter().copied().fold(0.0, f64::max);
            let other = bins.iter().enumerate().filter(|(at, _)| apart(*at)).map(|(_, m)| *m).fold(0.0, f64::max);
            assert!(20.0 * (other / wanted).log10() < -60.0, "{hz} Hz at {speed}");
        }
    }

    #[test]
    fn what_would_fold_back_is_taken_away() {
        // 20 kHz four times as fast lies at 80 kHz, which folds back to 16 kHz.
        assert!(level_db_at(&played(20_000.0, 4.0), 48_000.0, 16_000.0) < -60.0);
    }

    #[test]
    fn the_edge_lies_where_the_way_leads() {
        let sample = Sample::new(vec![1.0; 1_000].into(), 1, 48_000.0).expect("a sample");
        let reader = SincReader::at_speed(1.0);
        let at = |position, edge| reader.read_to_end(&sample, position, edge).0;
        assert_eq!([at(0.0, 100.0), at(900.0, 100.0), at(950.0, 100.0), at(1_000.0, 100.0)], [1.0, 1.0, 0.5, 0.0]);
        assert_eq!([at(999.0, -100.0), at(99.0, -100.0), at(49.0, -100.0), at(-1.0, -100.0)], [1.0, 1.0, 0.5, 0.0]);
    }
}
