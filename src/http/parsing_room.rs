//! How much of what was sent may be parsed at a time. A text takes up to eighty times its size once it is parsed, and many
//! of two megabytes may come at once: who finds no room waits a while, in the order in which they came.

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
    if bytes <= SMALL_BYTES {
        return Ok(None);
    }
    let kilobytes = u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX).min(ROOM_KB);
    match tokio::time::timeout(WAIT, ROOM.acquire_many(kilobytes)).await {
        Ok(Ok(room)) => Ok(Some(room)),
        _ => Err(Refusal::ManyLongBodies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn long_bodies_wait_for_each_other() {
        const LONG: usize = 2 * 1024 * 1024;
        let first = room_for(LONG).await.unwrap();
        let second = room_for(LONG).await.unwrap();
        assert!(first.is_some() && second.is_some());
        assert!(room_for(SMALL_BYTES).await.unwrap().is_none(), "short ones pass by");
        assert!(matches!(room_for(LONG).await, Err(Refusal::ManyLongBodies)));
        let waits = tokio::spawn(room_for(LONG));
        tokio::time::sleep(Duration::from_secs(1)).await;
        drop(first);
        assert!(waits.await.unwrap().unwrap().is_some());
    }
}
