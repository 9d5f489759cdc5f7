//! Waits that are too short to sleep: putting a thread to sleep and waking it costs more than a small call does.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// On a machine with one core nobody could bring what is watched for.
static HAS_COMPANY: LazyLock<bool> = LazyLock::new(|| std::thread::available_parallelism().is_ok_and(|n| n.get() > 1));

/// Looks again and again until there is something or `limit` has passed; looks once at least.
pub fn watch<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + if *HAS_COMPANY { limit } else { Duration::ZERO };
    loop {
        if let Some(found) = look() {
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
        assert_eq!(watch(Duration::ZERO, || Some(1)), Some(1), "one look is always taken");
        let mut looks = 0;
        let third = watch(Duration::from_secs(60), || {
            looks += 1;
            (looks == 3).then_some(looks)
        });
        assert_eq!(third, HAS_COMPANY.then_some(3));
        assert_eq!(watch(Duration::from_micros(50), || None::<()>), None);
    }
}
