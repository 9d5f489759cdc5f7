//! What is told a few times a second at most, however often it becomes another.

use std::time::{Duration, Instant};

const PACE: Duration = Duration::from_millis(200);

/// See the [module](self).
#[derive(Default)]
pub(super) struct Paced {
    is_due: bool,
    told_at: Option<Instant>,
}

impl Paced {
    /// It may be another one now, if `is_so`.
    pub fn note(&mut self, is_so: bool) {
        self.is_due |= is_so;
    }

    /// When it is to be told; `None`: when it becomes another.
    pub fn due_in(&self) -> Option<Duration> {
        self.is_due.then(|| time_left(self.told_at, PACE))
    }

    /// Whether it is to be told now; it counts as told then.
    pub fn take(&mut self) -> bool {
        let is_time = self.due_in().is_some_and(|wait| wait.is_zero());
        if is_time {
            (self.told_at, self.is_due) = (Some(Instant::now()), false);
        }
        is_time
    }
}

/// Until a pace has passed since the last time.
pub(super) fn time_left(last: Option<Instant>, pace: Duration) -> Duration {
    last.map_or(Duration::ZERO, |at| pace.saturating_sub(at.elapsed()))
}
