//! News on their way to the thread that tells them. Whoever sends some never waits; the thread sleeps as soon as there
//! are none. (A channel's own receiver looks out for more before it sleeps, which was a quarter of what it cost to look
//! at what plays.)

use crossbeam_channel::{Receiver, Sender, bounded};
use std::sync::atomic::{Ordering, fence};
use std::sync::{Arc, OnceLock};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// Both ends; at most so many news wait.
pub fn news_inbox<T>(most: usize) -> (NewsSender<T>, NewsInbox<T>) {
    let (news, inbox) = bounded(most);
    let receiver = Arc::new(OnceLock::new());
    (NewsSender { news, receiver: receiver.clone() }, NewsInbox { news: inbox, receiver })
}

/// See the [module](self).
pub struct NewsSender<T> {
    news: Sender<T>,
    /// Known once it receives.
    receiver: Arc<OnceLock<Thread>>,
}

impl<T> Clone for NewsSender<T> {
    fn clone(&self) -> Self {
        NewsSender { news: self.news.clone(), receiver: self.receiver.clone() }
    }
}

impl<T> NewsSender<T> {
    /// Wakes who receives. Whether there was room.
    pub fn send(&self, news: T) -> bool {
        let has_room = self.news.try_send(news).is_ok();
        // Of the first news: either this sees who receives, or the other sees the news.
        fence(Ordering::SeqCst);
        if let Some(receiver) = self.receiver.get() {
            receiver.unpark();
        }
        has_room
    }
}

/// Of one thread.
pub struct NewsInbox<T> {
    news: Receiver<T>,
    receiver: Arc<OnceLock<Thread>>,
}

impl<T> NewsInbox<T> {
    /// What came first, as soon as there is something. `None` where nothing came within that time, if one is given.
    pub fn receive(&self, within: Option<Duration>) -> Option<T> {
        self.receiver.get_or_init(std::thread::current);
        fence(Ordering::SeqCst);
        let end = within.and_then(|within| Instant::now().checked_add(within));
        loop {
            // Who sends wakes this thread afterwards, so that nothing can come between this look and its sleep.
            if let Some(news) = self.at_once() {
                return Some(news);
            }
            let Some(end) = end else {
                std::thread::park();
                continue;
            };
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            std::thread::park_timeout(left);
        }
    }

    /// What came first, if there is something.
    pub fn at_once(&self) -> Option<T> {
        self.news.try_recv().ok()
    }

    /// How many wait.
    pub fn waiting(&self) -> usize {
        self.news.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_at_any_moment_is_received() {
        const COUNT: usize = 20_000;
        let (sender, inbox) = news_inbox(4);
        let receives = std::thread::spawn(move || {
            for _ in 0..COUNT {
                assert!(inbox.receive(None).is_some());
            }
            assert!(inbox.receive(Some(Duration::from_micros(10))).is_none());
        });
        for _ in 0..COUNT {
            while !sender.send(()) {
                std::thread::yield_now();
            }
        }
        receives.join().expect("all came");
    }
}
