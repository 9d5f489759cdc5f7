//! What the indexer's thread and those who ask have in common. Each lock is held for moments, never while a disk is read.

use super::index::Index;
use super::kind::Source;
use super::progress::Progress;
use super::uses::Uses;
use arc_swap::ArcSwap;
use parking_lot::{Condvar, Mutex, RwLock};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// A folder to index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    pub path: PathBuf,
    pub source: Source,
}

/// What the thread is to do next.
#[derive(Default)]
pub struct Wanted {
    pub roots: Vec<Root>,
    pub walk: bool,
    /// A walk has begun and is not over.
    pub walking: bool,
    /// Looks that were asked for since the start.
    pub looks: u64,
    pub keep_uses: bool,
    pub stop: bool,
}

/// What the thread and those who ask have in common.
pub struct Shared {
    pub wanted: Mutex<Wanted>,
    pub bell: Condvar,
    /// What is under way is of no use any more.
    pub drop_it: AtomicBool,
    pub index: ArcSwap<Index>,
    pub progress: Mutex<Progress>,
    pub progressed: Condvar,
    pub uses: RwLock<Uses>,
    pub unkept_uses: Mutex<HashMap<Box<[u8]>, u64>>,
    /// Which of the looks that were asked for is done, with all before it.
    pub looked: AtomicU64,
    pub walked_at: Mutex<Option<Instant>>,
    /// Told when the progress has something new to show. Must not wait.
    pub on_progress: Box<dyn Fn() + Send + Sync>,
}

impl Shared {
    /// A look is done, and all that were asked for before it.
    pub fn looked(&self, look: u64) {
        self.looked.store(look, Ordering::Release);
        // Whoever waits holds this lock between looking and sleeping, and would sleep through the call.
        drop(self.progress.lock());
        self.progressed.notify_all();
    }

    pub fn progress(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.progress.lock());
        self.progressed.notify_all();
        (self.on_progress)();
    }
}
