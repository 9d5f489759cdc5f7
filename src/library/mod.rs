//! The library: an index of the user's sample folders, made in the background and kept between runs.
//!
//! [`Library::index_folders`] says which folders; a thread of the library's own walks them, analyzes what is new, and
//! keeps the results in a file under the user's folder. Searches are answered from the newest state of the index at
//! once, complete or not; [`Library::progress`] says how far it is. Invariants: a caller never waits for a disk, unless
//! it asks to (`wait`, `rescan`, `reindex`, `fingerprint_of`); links are not followed; and the file is whole after a
//! kill at any moment.

mod analysis;
mod filter;
mod fingerprint;
mod fuzzy;
mod index;
mod indexer;
pub mod kind;
mod names;
mod path_key;
pub mod plugins;
mod progress;
mod record;
mod reindex;
mod search;
pub mod sound_traits;
#[cfg(test)]
mod test_sounds;
mod use_counts;

pub use analysis::AnalyzedSound;
pub use filter::Filter;
pub use fingerprint::Fingerprint;
pub use fuzzy::nearness;
pub use index::Index;
pub use indexer::state::IndexedFolder;
pub use names::vocabulary::{tag_categories, tag_category};
pub use progress::{Phase, Progress};
pub use record::{Record, tempo_in_name};
pub use reindex::{FileChanges, ReindexError, ReindexReport};
pub use search::matching::MatchKind;
pub use search::{Hit, SearchResults, Searcher, SortOrder};
pub use use_counts::UseCounts;

use crate::files::audio::ProbeError;
use crate::files::read_budget::ReadLimits;
use analysis::Analysis;
use indexer::Indexer;
use indexer::index_file::IndexFile;
use indexer::sample_analyzer::SampleAnalyzer;
use indexer::state::IndexerState;
use parking_lot::Mutex;
use path_key::path_key;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The name of the file in the user's folder.
const INDEX_FILE_NAME: &str = "library.redb";

/// The library of a device.
pub struct Library {
    state: Arc<IndexerState>,
    file: Option<IndexFile>,
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
    /// A library without folders. What it finds is kept in `user_folder`, or nowhere. `on_progress` is called when
    /// [`Library::progress`] has something new to show; it must not wait.
    pub fn new(user_folder: Option<&Path>, on_progress: Box<dyn Fn() + Send + Sync>) -> Library {
        Library {
            state: Arc::new(IndexerState::new(on_progress)),
            file: user_folder.map(|folder| IndexFile::new(folder.join(INDEX_FILE_NAME))),
            thread: Mutex::new(None),
        }
    }

    /// Indexes these folders from now on, earlier ones first where one lies in another. Never waits; the same folders
    /// again change nothing. Fails when no thread can be started.
    pub fn index_folders(&self, folders: Vec<IndexedFolder>) -> Result<(), String> {
        let nothing = folders.is_empty();
        {
            let mut requests = self.state.requests.lock();
            if requests.folders == folders {
                return Ok(());
            }
            requests.folders = folders;
            requests.walk_requested = true;
            self.state.cancel_work.store(true, Ordering::Release);
            let mut progress = self.state.progress.lock();
            // What was told of other folders is nothing of these.
            *progress = Progress {
                phase: if nothing { Phase::Idle } else { Phase::Walking },
                completed_walks: progress.completed_walks,
                reindexed: progress.reindexed,
                save_error: progress.save_error.take(),
                ..Progress::default()
            };
        }
        self.wake()
    }

    /// Has the thread look at the requests, and starts it if it does not run yet.
    fn wake(&self) -> Result<(), String> {
        let mut thread = self.thread.lock();
        if thread.is_none() && !self.state.requests.lock().stop {
            let indexer = Indexer::new(self.state.clone(), self.file.clone());
            let started = std::thread::Builder::new().name("svc-library".to_owned()).spawn(move || indexer.run());
            *thread = Some(started.map_err(|e| format!("cannot start a thread: {e}"))?);
        }
        self.state.requests_changed.notify_all();
        Ok(())
    }

    /// The folders that are indexed.
    pub fn folders(&self) -> Vec<IndexedFolder> {
        self.state.requests.lock().folders.clone()
    }

    pub fn progress(&self) -> Progress {
        self.state.progress.lock().clone()
    }

    /// The newest state of the index.
    pub fn index(&self) -> Arc<Index> {
        self.state.index.load_full()
    }

    /// Searches one state of the index.
    pub fn with_searcher<T>(&self, search: impl FnOnce(&Searcher) -> T) -> T {
        let (index, use_counts) = (self.index(), self.state.use_counts.read());
        search(&Searcher { index: &index, use_counts: &use_counts })
    }

    /// Walks the folders in the background for changed files, unless the last walk is younger than `age`. True when a
    /// walk is under way.
    pub fn refresh(&self, age: Duration) -> bool {
        let walked_at = *self.state.last_walk_at.lock();
        let is_stopped = self.state.progress.lock().phase == Phase::Stopped;
        if !is_stopped && walked_at.is_none_or(|at| at.elapsed() < age) {
            return !self.progress().is_complete();
        }
        {
            let mut requests = self.state.requests.lock();
            if requests.folders.is_empty() {
                return false;
            }
            requests.walk_requested = true;
        }
        self.wake().is_ok()
    }

    /// Waits until every file that is there now is known by name, at most for `limit`; false when that was too short.
    /// As long as no folder changed, nothing is walked: see [`folder_state`](indexer::folder_state).
    pub fn rescan(&self, limit: Duration) -> bool {
        let rescan = {
            let mut requests = self.state.requests.lock();
            if requests.folders.is_empty() {
                return true;
            }
            requests.rescans_requested = requests.rescans_requested.saturating_add(1);
            requests.rescans_requested
        };
        let is_done = || self.state.rescans_done.load(Ordering::Acquire) >= rescan;
        if self.wake().is_ok() {
            self.wait(limit, |_| is_done());
        }
        is_done()
    }

    /// Looks for files anew, reads what is new or changed and tries again what could not be read; waits until that is
    /// done. `report` is told of the progress and must not wait; `cancelled` is asked whenever the progress changes,
    /// and after [`Library::wake_waiting`]. When it says so, the reading stops; what was read stays known.
    pub fn reindex(
        &self,
        report: &mut dyn FnMut(&Progress),
        cancelled: &dyn Fn() -> bool,
    ) -> Result<ReindexReport, ReindexError> {
        let (ticket, before) = {
            let mut requests = self.state.requests.lock();
            if requests.folders.is_empty() {
                return Err(ReindexError::NoFolder);
            }
            requests.walk_requested = true;
            requests.reindexes_requested = requests.reindexes_requested.saturating_add(1);
            self.state.progress.lock().seen = 0;
            (requests.reindexes_requested, *self.state.changes.lock())
        };
        self.wake().map_err(|_| ReindexError::NoThread)?;
        let mut progress = self.state.progress.lock();
        loop {
            if self.state.is_stopping.load(Ordering::Acquire) {
                return Err(ReindexError::Stopped);
            }
            if cancelled() {
                drop(progress);
                self.stop_reading();
                return Err(ReindexError::Cancelled);
            }
            report(&progress);
            if progress.reindexed >= ticket && progress.is_complete() {
                break;
            }
            self.state.progress_changed.wait(&mut progress);
        }
        let unread = progress.to_read.saturating_sub(progress.read);
        drop(progress);
        let index = self.index();
        let files = index.records().iter().filter(|record| record.is_file());
        let unreadable = index.records().iter().filter_map(|record| Some((record.path.clone(), record.unreadable()?)));
        Ok(ReindexReport {
            files: files.count(),
            changes: self.state.changes.lock().since(before),
            unreadable: unreadable.map(|(path, unreadable)| (path, unreadable.why.clone())).collect(),
            unread,
        })
    }

    /// Has everybody who waits for the progress look again.
    pub fn wake_waiting(&self) {
        self.state.wake_waiting();
    }

    /// Stops the reading of files until the next look for them.
    fn stop_reading(&self) {
        let mut requests = self.state.requests.lock();
        requests.stop_reading = true;
        self.state.cancel_work.store(true, Ordering::Release);
    }

    /// Whether a walk for files is under way or about to begin.
    pub fn is_scanning(&self) -> bool {
        let requests = self.state.requests.lock();
        requests.walk_requested || requests.is_walking
    }

    /// Waits until the progress is as `wanted`, or the time is up; the progress then.
    pub fn wait(&self, limit: Duration, wanted: impl Fn(&Progress) -> bool) -> Progress {
        let end = Instant::now() + limit;
        let mut progress = self.state.progress.lock();
        while !wanted(&progress) && !self.state.progress_changed.wait_until(&mut progress, end).timed_out() {}
        progress.clone()
    }

    /// Counts a use of a file. Never waits; it is written soon.
    pub fn count_use(&self, path: &Path) {
        self.state.use_counts.write().add(path_key(path), 1);
        {
            let mut unsaved = self.state.unsaved_uses.lock();
            let count = unsaved.entry(path_key(path)).or_default();
            *count = count.saturating_add(1);
        }
        self.state.requests.lock().save_uses = true;
        // Without a thread the count lasts as long as the device.
        let _ = self.wake();
    }

    /// The fingerprint of any sound file, from the index or by reading it now; `None` when it is silent. Fails with the
    /// reason when it cannot be read, and when `is_over` says that nobody wants it any more.
    pub fn fingerprint_of(
        &self,
        path: &Path,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Fingerprint>, String> {
        let known = self.with_searcher(|searcher| searcher.record(path).map(|record| record.analysis.clone()));
        let analysis = match known {
            Some(analysis) if analysis != Analysis::Pending => analysis,
            _ => {
                let stopped = || is_over() || self.state.is_stopping.load(Ordering::Acquire);
                let read = SampleAnalyzer::default().analyze(path, ReadLimits::CALL, &stopped);
                read.ok_or_else(|| ReindexError::Stopped.to_string())?
            }
        };
        match analysis {
            Analysis::Sound(sound) => Ok(sound.fingerprint),
            Analysis::Unreadable(unreadable) => Err(unreadable.why.into()),
            Analysis::Pending | Analysis::NotAudio => Err(ProbeError::NotAudio.to_string()),
        }
    }

    /// Whether a folder is one of the indexed ones or lies in one.
    pub fn contains_folder(&self, folder: &Path) -> bool {
        self.state.requests.lock().folders.iter().any(|root| folder.starts_with(&root.path))
    }

    /// Tells the thread to end, which it does within moments; it is given back to be joined.
    pub fn stop(&self) -> Option<JoinHandle<()>> {
        {
            let mut requests = self.state.requests.lock();
            requests.stop = true;
            self.state.cancel_work.store(true, Ordering::Release);
        }
        self.state.is_stopping.store(true, Ordering::Release);
        self.state.wake_waiting();
        self.state.requests_changed.notify_all();
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
pub fn normalized_path(path: &str) -> PathBuf {
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
