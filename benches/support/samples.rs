//! How long one thing takes when it is done many times.

use std::time::{Duration, Instant};

/// Durations of one thing done many times.
#[derive(Default)]
pub struct Samples(Vec<Duration>);

impl Samples {
    pub fn time<T>(&mut self, act: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let made = std::hint::black_box(act());
        self.0.push(start.elapsed());
        made
    }

    /// One that was measured otherwise.
    #[allow(dead_code, reason = "not every benchmark measures otherwise")]
    pub fn add(&mut self, duration: Duration) {
        self.0.push(duration);
    }

    /// The duration that `share` (0 to 1) of the samples do not exceed.
    pub fn at(&self, share: f64) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let rank = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }

    /// p50, p99 and the longest, as a table shows them.
    pub fn cells(&self) -> [String; 3] {
        [0.5, 0.99, 1.0].map(|share| spoken(self.at(share)))
    }
}

/// A duration in the unit that reads best.
pub fn spoken(duration: Duration) -> String {
    let us = duration.as_secs_f64() * 1e6;
    match us {
        ..1.0 => format!("{} ns", duration.as_nanos()),
        ..10_000.0 => format!("{us:.1} µs"),
        _ => format!("{:.1} ms", us / 1e3),
    }
}
