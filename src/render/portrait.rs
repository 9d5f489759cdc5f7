//! Gathers what a picture of the sound shows, while the sound goes by.

use crate::picture::sound_picture::{BANDS, Column, HIGHEST_HZ, LOWEST_HZ, MOST_COLUMNS};
use svc_analysis::spectrum::PowerSpectrum;

/// Frames of a window: enough to tell low tones apart.
const WINDOW: usize = 4_096;
/// Windows of long stretches are this far apart.
const LONGEST_HOP: usize = WINDOW / 2;
const SILENCE_DB: f32 = -140.0;

/// See the [module](self).
pub struct Portrait {
    rate_hz: f64,
    spectrum: PowerSpectrum,
    /// Frames of a column. It grows when there are more columns than fit.
    hop: usize,
    columns: Vec<Gathered>,
    frames: usize,
    /// The last frames, as one channel.
    recent: Vec<f32>,
    /// Frames in the newest column, and since the last window.
    in_column: usize,
    since_window: usize,
}

struct Gathered {
    lowest: f32,
    highest: f32,
    powers: [f32; BANDS],
    windows: u32,
}

impl Gathered {
    fn new() -> Gathered {
        Gathered { lowest: 0.0, highest: 0.0, powers: [0.0; BANDS], windows: 0 }
    }
}

impl Portrait {
    /// Of about so many frames.
    pub fn new(rate_hz: f64, frames: u64) -> Portrait {
        let hop = usize::try_from(frames / MOST_COLUMNS as u64).unwrap_or(usize::MAX).max(64);
        Portrait {
            rate_hz,
            spectrum: PowerSpectrum::new(WINDOW),
            hop,
            columns: vec![Gathered::new()],
            frames: 0,
            recent: Vec::new(),
            in_column: 0,
            since_window: 0,
        }
    }

    pub fn push(&mut self, left: &[f32], right: &[f32]) {
        for (left, right) in left.iter().zip(right) {
            if self.in_column == self.hop {
                self.next_column();
            }
            self.in_column += 1;
            self.frames += 1;
            self.listen(0.5 * (left + right));
            if let Some(column) = self.columns.last_mut() {
                column.lowest = column.lowest.min(*left).min(*right);
                column.highest = column.highest.max(*left).max(*right);
            }
        }
    }

    fn listen(&mut self, sample: f32) {
        self.recent.push(sample);
        self.since_window += 1;
        if self.since_window >= self.hop.min(LONGEST_HOP) {
            self.window();
        }
    }

    fn next_column(&mut self) {
        self.in_column = 0;
        if self.columns.len() == MOST_COLUMNS {
            let pairs = std::mem::take(&mut self.columns);
            let mut pairs = pairs.into_iter();
            while let Some(mut first) = pairs.next() {
                if let Some(second) = pairs.next() {
                    first.lowest = first.lowest.min(second.lowest);
                    first.highest = first.highest.max(second.highest);
                    first.windows += second.windows;
                    first.powers.iter_mut().zip(second.powers).for_each(|(sum, power)| *sum += power);
                }
                self.columns.push(first);
            }
            self.hop *= 2;
        }
        self.columns.push(Gathered::new());
    }

    fn window(&mut self) {
        self.since_window = 0;
        let from = self.recent.len().saturating_sub(WINDOW);
        self.recent.drain(..from);
        let bin_hz = self.rate_hz / WINDOW as f64;
        let powers = self.spectrum.of(&self.recent);
        // A window tells of its middle.
        let at = self.frames.saturating_sub(WINDOW / 2) / self.hop;
        let Some(column) = self.columns.get_mut(at) else { return };
        column.windows += 1;
        for (band, sum) in column.powers.iter_mut().enumerate() {
            let edge = |band: usize| LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ).powf(band as f64 / BANDS as f64) / bin_hz;
            let (low, high) = (edge(band), edge(band + 1));
            // The strongest of a band's bins, or between two where it is narrower than one.
            let at = |bin: usize| powers.get(bin).copied().unwrap_or_default();
            let middle = 0.5 * (low + high);
            let share = (middle - middle.floor()) as f32;
            let between = at(middle as usize) * (1.0 - share) + at(middle as usize + 1) * share;
            let inside = (low.ceil() as usize..high.ceil() as usize).map(at).fold(0.0, f32::max);
            *sum += between.max(inside);
        }
    }

    pub fn finish(mut self) -> Vec<Column> {
        // The last windows, as far as they reach behind the end.
        let end = self.frames;
        for _ in 0..WINDOW / 2 {
            self.frames += 1;
            self.listen(0.0);
        }
        self.columns.truncate(end.div_ceil(self.hop).max(1));
        let column = |gathered: Gathered| {
            let count = gathered.windows.max(1) as f32;
            let db = |power: f32| (10.0 * (power / count).log10()).max(SILENCE_DB);
            Column { lowest: gathered.lowest, highest: gathered.highest, bands_db: gathered.powers.map(db) }
        };
        self.columns.into_iter().map(column).collect()
    }
}
