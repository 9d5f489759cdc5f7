//! Waits that are too short to sleep: putting a thread to sleep and waking it costs more than a small call does.
//! See D28 in `docs/decisions.md`.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// On a machine with one core a thread that spins only keeps the other one from running.
static HAS_OTHER_CORES: LazyLock<bool> =
    LazyLock::new(|| std::thread::available_parallelism().is_ok_and(|n| n.get() > 1));

/// Polls again and again, without sleeping, until there is something or `limit` has passed; polls once at least.
pub fn spin_wait<T>(limit: Duration, mut poll: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + if *HAS_OTHER_CORES { limit } else { Duration::ZERO };
    loop {
        if let Some(found) = poll() {
            return Some(found);
        }
        if Instant::now() >= end {
            return None;
        }
        std::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_is_found_and_what_does_not_is_given_up() {
        assert_eq!(spin_wait(Duration::ZERO, || Some(1)), Some(1), "it always polls once");
        let mut polls = 0;
        let third = spin_wait(Duration::from_secs(60), || {
            polls += 1;
            (polls == 3).then_some(polls)
        });
        assert_eq!(third, HAS_OTHER_CORES.then_some(3));
        assert_eq!(spin_wait(Duration::from_micros(50), || None::<()>), None);
    }
}
