//! Gives memory back to the system that was needed for a while: a large answer, a Set that was replaced.

use std::time::{Duration, Instant};

/// Nothing has to have happened for as long.
const QUIET: Duration = Duration::from_secs(1);
/// While something always happens, it is done this often.
const AT_MOST: Duration = Duration::from_secs(10);

/// When memory is to be given back.
#[derive(Debug, Default)]
pub struct HeapWatch {
    /// The first and the last thing that happened since it was.
    busy: Option<(Instant, Instant)>,
}

impl HeapWatch {
    pub fn changed(&mut self) {
        let now = Instant::now();
        self.busy = Some((self.busy.map_or(now, |(first, _)| first), now));
    }

    pub fn trim_at(&self) -> Option<Instant> {
        self.busy.map(|(first, last)| (last + QUIET).min(first + AT_MOST))
    }

    pub fn trim(&mut self) {
        self.busy = None;
        give_back();
    }
}

/// The C library keeps what was freed between blocks that are in use, until it is asked.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn give_back() {
    // SAFETY: it may be called at any time, by any thread.
    unsafe { libc::malloc_trim(0) };
}

/// Elsewhere the system's allocator sees to it.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_back() {}
