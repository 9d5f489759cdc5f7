//! How far the supervisor has followed the settings, for an answer that is given once they are in force.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// How long an answer waits; beyond that it says so.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// Counts changes of the settings, and those that are followed.
pub struct FollowedSettings {
    changes: AtomicU64,
    followed: watch::Sender<u64>,
}

impl FollowedSettings {
    pub fn new() -> FollowedSettings {
        FollowedSettings { changes: AtomicU64::new(0), followed: watch::Sender::new(0) }
    }

    /// The settings in place are other ones than before.
    pub fn changed(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// The change that is to be followed now, if the last one is not; it is asked before the settings are read.
    pub fn to_follow(&self) -> Option<u64> {
        let changes = self.changes.load(Ordering::Acquire);
        (changes > *self.followed.borrow()).then_some(changes)
    }

    /// All up to that change is in force.
    pub fn done(&self, change: u64) {
        self.followed.send_if_modified(|followed| {
            let is_new = change > *followed;
            *followed = change.max(*followed);
            is_new
        });
    }

    /// Waits until every change so far is in force; false where that takes too long.
    pub async fn in_force(&self) -> bool {
        let wanted = self.changes.load(Ordering::Acquire);
        let mut followed = self.followed.subscribe();
        let waited = tokio::time::timeout(LONGEST_WAIT, followed.wait_for(|followed| *followed >= wanted)).await;
        matches!(waited, Ok(Ok(_)))
    }
}
