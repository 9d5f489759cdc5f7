//! What is told so many times a second at most, however often it becomes another.

use std::time::{Duration, Instant};

/// See the [module](self).
pub(super) struct Paced {
    pace: Duration,
    is_due: bool,
    told_at: Option<Instant>,
}

/// A few times a second.
impl Default for Paced {
    fn default() -> Paced {
        Paced::every(Duration::from_millis(200))
    }
}

impl Paced {
    /// Told once in that time at most.
    pub fn every(pace: Duration) -> Paced {
        Paced { pace, is_due: false, told_at: None }
    }

    /// It may be another one now, if `is_so`.
    pub fn note(&mut self, is_so: bool) {
        self.is_due |= is_so;
    }

    /// When it is to be told; `None`: when it becomes another.
    pub fn due_in(&self) -> Option<Duration> {
        self.is_due.then(|| time_left(self.told_at, self.pace))
    }

    /// Whether it is to be told `now`; it counts as told then.
    pub fn take(&mut self, now: Instant) -> bool {
        let is_time = self.is_due && self.told_at.is_none_or(|at| now.saturating_duration_since(at) >= self.pace);
        if is_time {
            (self.told_at, self.is_due) = (Some(now), false);
        }
        is_time
    }
}

/// Until a pace has passed since the last time.
pub(super) fn time_left(last: Option<Instant>, pace: Duration) -> Duration {
    last.map_or(Duration::ZERO, |at| pace.saturating_sub(at.elapsed()))
}
