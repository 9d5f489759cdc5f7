//! Asks the thread that plays to end.

use parking_lot::{Condvar, Mutex};
use std::time::Duration;

/// Set once, by whoever stops the output.
#[derive(Default)]
pub struct StopRequest {
    requested: Mutex<bool>,
    changed: Condvar,
}

impl StopRequest {
    pub fn request(&self) {
        *self.requested.lock() = true;
        self.changed.notify_all();
    }

    pub fn is_requested(&self) -> bool {
        *self.requested.lock()
    }

    /// Waits for the request, at most for `limit`; gives whether it is there.
    pub fn wait(&self, limit: Duration) -> bool {
        let mut requested = self.requested.lock();
        if !*requested {
            self.changed.wait_for(&mut requested, limit);
        }
        *requested
    }
}
