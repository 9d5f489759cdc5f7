//! The library: an index of the user's sample folders, made in the background and kept between runs.
//!
//! [`Library::follow`] says which folders; a thread of the library's own walks them, listens to what is new, and keeps what it
//! heard in a file under the user's folder. Questions are answered from the newest state of the index at once, complete or
//! not; [`Library::progress`] says how far it is. Invariants: nobody who asks waits for a disk, links are not followed, and the
//! file is whole after a kill at any moment.

mod alike;
mod dictionary;
mod facts;
mod fuzzy;
mod index;
mod indexer;
pub mod kind;
pub mod plugins;
mod progress;
mod query;
mod record;
mod rest;
mod rows;
mod shared;
mod sound;
mod spectrum;
mod store;
mod tag_table;
#[cfg(test)]
mod testing;
mod texts;
mod uses;
mod walk;
mod words;

pub use fuzzy::nearness;
pub use index::Index;
pub use progress::{Phase, Progress};
pub use query::{Filter, Hit, Hits, Match, Query, Sort};
pub use record::{Record, Sound};
pub use shared::Root;
pub use spectrum::Print;
pub use uses::Uses;
pub use words::{categories, category};

use indexer::Indexer;
use parking_lot::Mutex;
use record::Heard;
use shared::{Shared, Wanted};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use store::Store;

/// The name of the file in the user's folder.
const FILE: &str = "library.redb";

/// The library of a device.
pub struct Library {
    shared: Arc<Shared>,
    store: Option<Store>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Default for Library {
    fn default() -> Library {
        Library::new(None, Box::new(|| {}))
    }
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library").field("progress", &self.progress()).finish_non_exhaustive()
    }
}

impl Library {
    /// A library without folders. What it finds is kept in `user_folder`, or nowhere. `on_progress` is told when
    /// [`Library::progress`] has something new to show; it must not wait.
    pub fn new(user_folder: Option<&Path>, on_progress: Box<dyn Fn() + Send + Sync>) -> Library {
        let shared = Shared {
            wanted: Mutex::new(Wanted::default()),
            bell: Default::default(),
            drop_it: AtomicBool::new(false),
            index: Default::default(),
            progress: Default::default(),
            progressed: Default::default(),
            uses: Default::default(),
            unkept_uses: Default::default(),
            looked: Default::default(),
            walked_at: Default::default(),
            on_progress,
        };
        Library {
            shared: Arc::new(shared),
            store: user_folder.map(|folder| Store::new(folder.join(FILE))),
            thread: Mutex::new(None),
        }
    }

    /// Indexes these folders from now on, earlier ones first where one lies in another. Never waits; the same folders again
    /// change nothing.
    pub fn follow(&self, roots: Vec<Root>) -> Result<(), String> {
        let nothing = roots.is_empty();
        {
            let mut wanted = self.shared.wanted.lock();
            if wanted.roots == roots {
                return Ok(());
            }
            wanted.roots = roots;
            wanted.walk = true;
            self.shared.drop_it.store(true, Ordering::Release);
            let mut progress = self.shared.progress.lock();
            progress.phase = if nothing { Phase::Idle } else { Phase::Walking };
        }
        self.wake()
    }

    /// Has the thread look at what it is to do, and starts it if it does not run yet.
    fn wake(&self) -> Result<(), String> {
        let mut thread = self.thread.lock();
        if thread.is_none() && !self.shared.wanted.lock().stop {
            let indexer = Indexer::new(self.shared.clone(), self.store.clone());
            let started = std::thread::Builder::new().name("svc-library".to_owned()).spawn(move || indexer.run());
            *thread = Some(started.map_err(|e| format!("cannot start a thread: {e}"))?);
        }
        self.shared.bell.notify_all();
        Ok(())
    }

    /// The folders that are indexed.
    pub fn roots(&self) -> Vec<Root> {
        self.shared.wanted.lock().roots.clone()
    }

    pub fn progress(&self) -> Progress {
        self.shared.progress.lock().clone()
    }

    /// The newest state of the index.
    pub fn index(&self) -> Arc<Index> {
        self.shared.index.load_full()
    }

    /// Asks one state of the index.
    pub fn ask<T>(&self, question: impl FnOnce(&Query) -> T) -> T {
        let (index, uses) = (self.index(), self.shared.uses.read());
        question(&Query { index: &index, uses: &uses })
    }

    /// Looks for changed files in the background, unless the last look is younger than `age`. True when one is under way.
    pub fn refresh(&self, age: Duration) -> bool {
        let walked_at = *self.shared.walked_at.lock();
        if walked_at.is_none_or(|at| at.elapsed() < age) {
            return !self.progress().is_complete();
        }
        {
            let mut wanted = self.shared.wanted.lock();
            if wanted.roots.is_empty() {
                return false;
            }
            wanted.walk = true;
        }
        self.wake().is_ok()
    }

    /// Waits until every file that is there now is known by name, at most for `limit`; false when that was too short. As long as
    /// no folder changed, nothing is walked: see [`rest`].
    pub fn look(&self, limit: Duration) -> bool {
        let look = {
            let mut wanted = self.shared.wanted.lock();
            if wanted.roots.is_empty() {
                return true;
            }
            wanted.looks = wanted.looks.saturating_add(1);
            wanted.looks
        };
        let looked = || self.shared.looked.load(Ordering::Acquire) >= look;
        if self.wake().is_ok() {
            self.wait(limit, |_| looked());
        }
        looked()
    }

    /// Whether a look for files is under way or about to begin.
    pub fn is_looking(&self) -> bool {
        let wanted = self.shared.wanted.lock();
        wanted.walk || wanted.walking
    }

    /// Waits until the progress is as `wanted`, or the time is up; the progress then.
    pub fn wait(&self, limit: Duration, wanted: impl Fn(&Progress) -> bool) -> Progress {
        let end = Instant::now() + limit;
        let mut progress = self.shared.progress.lock();
        while !wanted(&progress) && !self.shared.progressed.wait_until(&mut progress, end).timed_out() {}
        progress.clone()
    }

    /// Counts a use of a file. Never waits; it is written soon.
    pub fn count_use(&self, path: &Path) {
        self.shared.uses.write().add(store::key(path), 1);
        {
            let mut unkept = self.shared.unkept_uses.lock();
            let count = unkept.entry(store::key(path)).or_default();
            *count = count.saturating_add(1);
        }
        self.shared.wanted.lock().keep_uses = true;
        // Without a thread the count lasts as long as the device.
        let _ = self.wake();
    }

    /// The fingerprint of any sound file, from the index or by listening to it now. The outer `None`: it cannot be read; the
    /// inner one: it is silent.
    pub fn print_of(&self, path: &Path) -> Option<Option<Print>> {
        let known = self.ask(|ask| ask.record(path).map(|record| record.heard.clone()));
        let heard = match known {
            Some(heard) if heard != Heard::NotYet => heard,
            _ => sound::Ears::default().listen(path, &|| self.shared.wanted.lock().stop)?,
        };
        match heard {
            Heard::Sound(sound) => Some(sound.print),
            _ => None,
        }
    }

    /// Whether a folder is one of the indexed ones or lies in one.
    pub fn holds(&self, folder: &Path) -> bool {
        self.shared.wanted.lock().roots.iter().any(|root| folder.starts_with(&root.path))
    }

    /// Tells the thread to end, which it does within moments; it is given back to be joined.
    pub fn stop(&self) -> Option<JoinHandle<()>> {
        {
            let mut wanted = self.shared.wanted.lock();
            wanted.stop = true;
            self.shared.drop_it.store(true, Ordering::Release);
        }
        self.shared.bell.notify_all();
        self.thread.lock().take()
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // The thread holds nothing of the library's own; it ends by itself when nobody joins it.
        self.stop();
    }
}

/// Paths without `.`, `..` and doubled separators, so that one folder is spelled one way.
pub fn plain_path(path: &str) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            // At the root there is nothing above.
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}
