//! Where a device's server listens, for everyone who shows it or waits for it.

use parking_lot::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// Ends the reason of a device that waits for a port.
pub const RETRYING: &str = " Trying again until it is free.";

/// Where the server listens, or why it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerStatus {
    /// Not asked to listen yet.
    Off,
    Listening {
        port: u16,
    },
    /// The device tries again by itself.
    Waiting {
        why: String,
    },
}

/// The status, written by the supervisor's thread alone.
pub struct StatusCell {
    status: Mutex<ServerStatus>,
    changed: Condvar,
}

impl StatusCell {
    pub fn new() -> StatusCell {
        StatusCell { status: Mutex::new(ServerStatus::Off), changed: Condvar::new() }
    }

    pub fn get(&self) -> ServerStatus {
        self.status.lock().clone()
    }

    /// Waits until the server listens or cannot, at most for `limit`.
    pub fn wait(&self, limit: Duration) -> ServerStatus {
        let end = Instant::now() + limit;
        let mut status = self.status.lock();
        while *status == ServerStatus::Off {
            if self.changed.wait_until(&mut status, end).timed_out() {
                break;
            }
        }
        status.clone()
    }

    /// Gives whether it is another status than before.
    pub fn set(&self, status: ServerStatus) -> bool {
        let mut slot = self.status.lock();
        let is_new = *slot != status;
        if is_new {
            *slot = status;
            drop(slot);
            self.changed.notify_all();
        }
        is_new
    }
}
