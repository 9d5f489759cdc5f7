//! How much of what was sent may be parsed at a time. A text takes up to eighty times its size once it is parsed, and
//! many of two megabytes may come at once: who finds no room waits a while, in the order in which they came.

use super::errors::Refusal;
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Bodies that are shorter take no more than their connections do.
const SMALL_BYTES: usize = 16 * 1024;
/// Of the whole process, which may have several devices: two of the longest bodies.
const ROOM_KB: u32 = 4 * 1024;
const WAIT: Duration = Duration::from_secs(20);

static ROOM: Semaphore = Semaphore::const_new(ROOM_KB as usize);

/// Room for a body from before it is parsed until nothing of it is needed any more. `None` where it needs none.
pub async fn room_for(bytes: usize) -> Result<Option<SemaphorePermit<'static>>, Refusal> {
    room_in(&ROOM, bytes, WAIT).await
}

async fn room_in(room: &Semaphore, bytes: usize, wait: Duration) -> Result<Option<SemaphorePermit<'_>>, Refusal> {
    if bytes <= SMALL_BYTES {
        return Ok(None);
    }
    let kilobytes = u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX).min(ROOM_KB);
    match tokio::time::timeout(wait, room.acquire_many(kilobytes)).await {
        Ok(Ok(room)) => Ok(Some(room)),
        _ => Err(Refusal::ManyLongBodies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn long_bodies_wait_for_each_other() {
        const LONG: usize = 2 * 1024 * 1024;
        let room = Semaphore::new(ROOM_KB as usize);
        let soon = Duration::from_millis(20);
        let first = room_in(&room, LONG, soon).await.unwrap();
        let second = room_in(&room, LONG, soon).await.unwrap();
        assert!(first.is_some() && second.is_some());
        assert!(room_in(&room, SMALL_BYTES, soon).await.unwrap().is_none(), "short ones pass by");
        assert!(matches!(room_in(&room, LONG, soon).await, Err(Refusal::ManyLongBodies)));
        let waits = room_in(&room, LONG, WAIT);
        let done = async { drop(first) };
        assert!(tokio::join!(waits, done).0.unwrap().is_some());
    }
}
