//! When somebody called last.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Counts the calls under way, and knows when the last one ended.
#[derive(Debug)]
pub struct CallActivity {
    since: Instant,
    under_way: AtomicUsize,
    /// Milliseconds after `since`; `u64::MAX` before the first call.
    last_ended: AtomicU64,
}

impl Default for CallActivity {
    fn default() -> CallActivity {
        CallActivity { since: Instant::now(), under_way: AtomicUsize::new(0), last_ended: AtomicU64::new(u64::MAX) }
    }
}

/// A call under way, until it is dropped.
pub struct UnderWay<'a>(&'a CallActivity);

impl CallActivity {
    pub fn begin(&self) -> UnderWay<'_> {
        self.under_way.fetch_add(1, Ordering::AcqRel);
        UnderWay(self)
    }

    /// Zero while a call is under way; without end before the first.
    pub fn idle_for(&self) -> Duration {
        if self.under_way.load(Ordering::Acquire) > 0 {
            return Duration::ZERO;
        }
        match self.last_ended.load(Ordering::Acquire) {
            u64::MAX => Duration::MAX,
            ended_ms => self.since.elapsed().saturating_sub(Duration::from_millis(ended_ms)),
        }
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let now_ms = u64::try_from(self.0.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.0.last_ended.store(now_ms, Ordering::Release);
        self.0.under_way.fetch_sub(1, Ordering::AcqRel);
    }
}
