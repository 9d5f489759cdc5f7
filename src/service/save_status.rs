//! Whether what was changed is on the disk: written by whoever saves, told in the answers to calls and wherever the
//! device shows itself.

use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Answers say nothing of changes that wait to be saved for less than this.
pub const UNSAVED_LIMIT: Duration = Duration::from_millis(100);

/// See the [module](self). Times are microseconds since it was made, and 0 stands for none.
#[derive(Debug)]
pub struct SaveStatus {
    made: Instant,
    /// The oldest change that nobody has begun to save.
    waiting_since: AtomicU64,
    /// The oldest change that is being saved.
    in_work_since: AtomicU64,
    failure: Mutex<Option<Arc<str>>>,
    /// Sent to when something was saved, or could not be.
    settled: watch::Sender<()>,
}

impl Default for SaveStatus {
    fn default() -> Self {
        SaveStatus {
            made: Instant::now(),
            waiting_since: AtomicU64::new(0),
            in_work_since: AtomicU64::new(0),
            failure: Mutex::new(None),
            settled: watch::Sender::new(()),
        }
    }
}

impl SaveStatus {
    fn now(&self) -> u64 {
        u64::try_from(self.made.elapsed().as_micros()).unwrap_or(u64::MAX).max(1)
    }

    /// Something changed that is to be saved. Never waits.
    pub fn changed(&self) {
        if self.waiting_since.load(Ordering::Acquire) == 0 {
            // Who came first stays.
            let _ = self.waiting_since.compare_exchange(0, self.now(), Ordering::AcqRel, Ordering::Acquire);
        }
    }

    /// Saving begins, of all that was changed until now: to be called before that is looked at.
    pub fn begin(&self) {
        let waiting = self.waiting_since.swap(0, Ordering::AcqRel);
        if waiting != 0 && self.in_work_since.load(Ordering::Acquire) == 0 {
            self.in_work_since.store(waiting, Ordering::Release);
        }
    }

    /// What was begun to be saved is.
    pub fn done(&self) {
        self.in_work_since.store(0, Ordering::Release);
        self.settled.send_replace(());
    }

    /// Waits until nothing is left to be saved or saving fails, for at most [`UNSAVED_LIMIT`]: what still waits then is
    /// told by [`SaveStatus::warning`].
    pub async fn settle(&self) {
        let until = Instant::now() + UNSAVED_LIMIT;
        let mut changes = self.settled.subscribe();
        while self.unsaved_for().is_some() && self.failure().is_none() {
            // The status keeps the sender, so nothing but the time ends the waiting.
            if tokio::time::timeout_at(until.into(), changes.changed()).await.is_err() {
                return;
            }
        }
    }

    /// Saving fails, for this reason, or no longer does. Gives whether that is news.
    pub fn set_failure(&self, why: Option<&str>) -> bool {
        let mut failure = self.failure.lock();
        let is_news = failure.is_some() != why.is_some();
        if failure.as_deref() != why {
            *failure = why.map(Arc::from);
            self.settled.send_replace(());
        }
        is_news
    }

    /// Why nothing can be saved just now.
    pub fn failure(&self) -> Option<Arc<str>> {
        self.failure.lock().clone()
    }

    /// For how long the oldest change has been waiting to be saved.
    fn unsaved_for(&self) -> Option<Duration> {
        let since = [&self.waiting_since, &self.in_work_since].map(|since| since.load(Ordering::Acquire));
        let oldest = since.into_iter().filter(|since| *since != 0).min()?;
        Some(Duration::from_micros(self.now().saturating_sub(oldest)))
    }

    /// What an answer says of it; `None` while everything is on the disk, or has been waiting for less than
    /// [`UNSAVED_LIMIT`].
    pub fn warning(&self) -> Option<String> {
        if let Some(why) = self.failure() {
            return Some(format!("saved: false. {why}; it is tried again until it works"));
        }
        let waiting = self.unsaved_for().filter(|waiting| *waiting >= UNSAVED_LIMIT)?;
        Some(format!("saved: false. The last {} ms of changes are not on the disk yet", waiting.as_millis()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_waits_until_it_is_saved() {
        let status = SaveStatus::default();
        assert_eq!(status.unsaved_for(), None);
        status.changed();
        let waiting = status.unsaved_for().expect("it waits");
        status.begin();
        assert!(status.unsaved_for().expect("it is being saved") >= waiting);
        // A later one does not wait longer than the first.
        status.changed();
        status.begin();
        status.done();
        assert_eq!(status.unsaved_for(), None, "what was begun is saved, the later one too");
        status.changed();
        status.begin();
        status.changed();
        status.done();
        assert!(status.unsaved_for().is_some(), "the later one is not");
    }

    fn settled(status: &SaveStatus) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(status.settle());
    }

    #[test]
    fn what_waits_for_its_own_change_knows_what_became_of_it() {
        let status = SaveStatus::default();
        settled(&status);
        status.changed();
        settled(&status);
        assert!(status.warning().is_some_and(|text| text.contains("not on the disk yet")), "nobody saves it");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                status.begin();
                status.done();
            });
            settled(&status);
        });
        status.begin();
        status.done();
        assert_eq!(status.warning(), None);
        status.changed();
        status.set_failure(Some("The disk is full"));
        settled(&status);
        assert!(status.warning().is_some_and(|text| text.contains("The disk is full")));
    }

    #[test]
    fn a_failure_is_news_once() {
        let status = SaveStatus::default();
        assert!(!status.set_failure(None));
        assert!(status.set_failure(Some("The disk is full")) && !status.set_failure(Some("It is read-only")));
        assert!(status.warning().is_some_and(|text| text.contains("saved: false") && text.contains("read-only")));
        assert!(status.set_failure(None) && status.warning().is_none());
    }
}
