//! What the indexer's thread and its callers exchange. Each lock is held for moments, never while a disk is read.

use crate::library::index::Index;
use crate::library::kind::FileSource;
use crate::library::progress::Progress;
use crate::library::reindex::FileChanges;
use crate::library::use_counts::UseCounts;
use arc_swap::ArcSwap;
use parking_lot::{Condvar, Mutex, RwLock};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// A folder to index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedFolder {
    pub path: PathBuf,
    pub source: FileSource,
}

/// What the thread is to do next.
#[derive(Default)]
pub struct IndexerRequests {
    pub folders: Vec<IndexedFolder>,
    pub walk_requested: bool,
    /// A walk has begun and is not over.
    pub is_walking: bool,
    /// Rescans that were asked for since the start.
    pub rescans_requested: u64,
    /// Re-indexes that were asked for since the start.
    pub reindexes_requested: u64,
    /// The reading under way is not wanted any more.
    pub stop_reading: bool,
    pub save_uses: bool,
    pub stop: bool,
}

/// What the thread and its callers exchange.
pub struct IndexerState {
    pub requests: Mutex<IndexerRequests>,
    pub requests_changed: Condvar,
    /// The work under way is of no use any more.
    pub cancel_work: AtomicBool,
    pub index: ArcSwap<Index>,
    pub progress: Mutex<Progress>,
    pub progress_changed: Condvar,
    pub use_counts: RwLock<UseCounts>,
    pub unsaved_uses: Mutex<HashMap<Box<[u8]>, u64>>,
    /// The newest rescan that is done; all that were asked for before it are done as well.
    pub rescans_done: AtomicU64,
    /// Since the start.
    pub changes: Mutex<FileChanges>,
    /// The thread ends, or has ended.
    pub is_stopping: AtomicBool,
    pub last_walk_at: Mutex<Option<Instant>>,
    /// Called when the progress has something new to show. Must not wait.
    pub on_progress: Box<dyn Fn() + Send + Sync>,
}

impl IndexerState {
    pub fn new(on_progress: Box<dyn Fn() + Send + Sync>) -> IndexerState {
        IndexerState {
            requests: Mutex::new(IndexerRequests::default()),
            requests_changed: Default::default(),
            cancel_work: AtomicBool::new(false),
            index: Default::default(),
            progress: Default::default(),
            progress_changed: Default::default(),
            use_counts: Default::default(),
            unsaved_uses: Default::default(),
            rescans_done: Default::default(),
            changes: Default::default(),
            is_stopping: AtomicBool::new(false),
            last_walk_at: Default::default(),
            on_progress,
        }
    }

    /// Marks a rescan as done, and all that were asked for before it.
    pub fn finish_rescans(&self, rescan: u64) {
        self.rescans_done.store(rescan, Ordering::Release);
        self.wake_waiting();
    }

    /// Has whoever waits for the progress look again.
    pub fn wake_waiting(&self) {
        // A waiting thread holds this lock from its check until it sleeps; taking it here keeps the wake-up from
        // falling between the two.
        drop(self.progress.lock());
        self.progress_changed.notify_all();
    }

    pub fn update_progress(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.progress.lock());
        self.progress_changed.notify_all();
        (self.on_progress)();
    }
}
