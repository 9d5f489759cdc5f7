//! The indexer: one thread that walks the folders, analyzes what is new, and saves what it found.
//!
//! Invariant: it alone makes the index; callers get the newest one at once and never wait for a disk.

pub mod folder_state;
pub mod index_file;
mod inventory;
pub mod sample_analyzer;
pub mod state;
pub mod walk;

use super::analysis::StoredAnalysis;
use super::index::{Index, listing_order};
use super::path_key::path_key;
use super::progress::{Phase, Progress};
use super::record::Record;
use crate::files::read_budget::ReadLimits;
use folder_state::FolderState;
use index_file::{IndexFile, IndexFileChanges};
use inventory::{Inventory, KnownFiles};
use sample_analyzer::SampleAnalyzer;
use state::{IndexedFolder, IndexerState};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often what was found is published while files are read.
const PUBLISH_EVERY: Duration = Duration::from_millis(500);
/// Publishing takes at most one part in this many of the time, however many files there are.
const PUBLISH_TIME_DIVISOR: u32 = 10;
/// A walk tells of its progress each time it has come past so many files and folders.
const TELL_EVERY_ENTRIES: usize = 1_000;
/// How often it is saved meanwhile.
const SAVE_EVERY: Duration = Duration::from_secs(2);
/// How long until a save that failed is tried again.
const RETRY_SAVE_AFTER: Duration = Duration::from_secs(2);

/// What the thread works with.
pub struct Indexer {
    state: Arc<IndexerState>,
    /// `None` without a user's folder: nothing is saved.
    file: Option<IndexFile>,
    /// The folders that are walked, as they were asked for last.
    folders: Vec<IndexedFolder>,
    records: Vec<Arc<Record>>,
    /// The folders of the last walk; `None` before the first.
    walked_folders: Option<Vec<FolderState>>,
    analyzer: SampleAnalyzer,
    /// What is still to be saved.
    unsaved: IndexFileChanges,
}

/// What to do next.
struct Job {
    stop: bool,
    walk: bool,
    /// The newest rescan that is asked for.
    rescan: u64,
    /// The newest re-index that is asked for, and whether it still is to be done: files that cannot be read are then
    /// tried again.
    reindex: u64,
    retry_unreadable: bool,
}

impl Indexer {
    pub fn new(state: Arc<IndexerState>, file: Option<IndexFile>) -> Indexer {
        Indexer {
            state,
            file,
            folders: Vec::new(),
            records: Vec::new(),
            walked_folders: None,
            analyzer: SampleAnalyzer::default(),
            unsaved: IndexFileChanges::default(),
        }
    }

    /// Runs until it is told to stop.
    pub fn run(mut self) {
        self.load_use_counts();
        loop {
            let job = self.next_job();
            if job.stop {
                break;
            }
            if job.walk || !self.rescan_unchanged() {
                self.state.requests.lock().is_walking = true;
                let pending = self.walk(&job);
                self.state.requests.lock().is_walking = false;
                if let Some(pending) = pending {
                    self.analyze_files(pending);
                }
                self.show_stopped();
            }
            self.save();
        }
        self.save();
    }

    /// Shows that the reading ended because nobody wants it any more, if it did.
    fn show_stopped(&self) {
        let is_stopped = {
            let mut requests = self.state.requests.lock();
            std::mem::take(&mut requests.stop_reading) && !requests.walk_requested
        };
        if is_stopped {
            self.state.update_progress(|progress| {
                if !progress.is_complete() {
                    progress.phase = Phase::Stopped;
                }
            });
        }
    }

    /// Answers the rescan that is asked for, if there is one, by the state of the folders alone. False when they have
    /// to be walked for it.
    fn rescan_unchanged(&self) -> bool {
        rescan_unchanged(&self.state, self.walked_folders.as_deref(), &mut 0)
    }

    /// Waits for something to do.
    fn next_job(&mut self) -> Job {
        let again = (!self.unsaved.is_empty()).then(|| Instant::now() + RETRY_SAVE_AFTER);
        let mut requests = self.state.requests.lock();
        let done = || self.state.rescans_done.load(Ordering::Acquire);
        while !(requests.stop || requests.walk_requested || requests.save_uses || requests.rescans_requested > done()) {
            match again {
                Some(again) if self.state.requests_changed.wait_until(&mut requests, again).timed_out() => break,
                Some(_) => {}
                None => self.state.requests_changed.wait(&mut requests),
            }
        }
        self.state.cancel_work.store(requests.stop, Ordering::Release);
        requests.save_uses = false;
        requests.stop_reading = false;
        if requests.walk_requested {
            self.folders.clone_from(&requests.folders);
        }
        requests.is_walking = std::mem::take(&mut requests.walk_requested);
        let reindex = requests.reindexes_requested;
        Job {
            stop: requests.stop,
            walk: requests.is_walking,
            rescan: requests.rescans_requested,
            reindex,
            retry_unreadable: self.state.progress.lock().reindexed < reindex,
        }
    }

    /// Takes over the counts of use that earlier runs saved.
    fn load_use_counts(&self) {
        let Some(file) = &self.file else { return };
        if let Err(why) = file.check_or_reset().and_then(|()| {
            let saved = file.use_counts()?;
            let mut use_counts = self.state.use_counts.write();
            for (path, count) in saved {
                use_counts.add(path, count);
            }
            Ok(())
        }) {
            self.state.update_progress(|progress| progress.save_error = Some(why.to_string()));
        }
    }

    /// Finds out which files there are, which also answers the rescans and re-indexes that were asked for; gives the
    /// indices of the records that are to be analyzed. `None` when it was cancelled or there are no folders.
    fn walk(&mut self, job: &Job) -> Option<Vec<usize>> {
        let last_folders = self.walked_folders.take();
        if self.folders.is_empty() {
            self.clear(job);
            return None;
        }
        // A walk that only checks for changes is no news as long as it finds none.
        let first = self.state.progress.lock().phase != Phase::Complete;
        if first {
            self.state.update_progress(|progress| {
                progress.phase = Phase::Walking;
                progress.found = 0;
            });
        }
        let state = self.state.clone();
        let tried = Cell::new(job.rescan);
        // A rescan that is asked for meanwhile need not wait for the end of this walk when the folders are as the walk
        // before found them.
        let cancelled = || {
            let mut last = tried.get();
            rescan_unchanged(&state, last_folders.as_deref(), &mut last);
            tried.set(last);
            state.cancel_work.load(Ordering::Acquire)
        };
        let known = KnownFiles {
            folders: &self.folders,
            records: self.records.iter().map(|record| (record.path.clone(), record.clone())).collect(),
            file: self.file.as_ref(),
            state: &state,
        };
        let mut told = 0_usize;
        let mut show_count = |count| {
            let mut progress = state.progress.lock();
            progress.seen = count;
            if first {
                progress.found = count;
            }
            if count >= told.saturating_add(TELL_EVERY_ENTRIES) {
                told = count;
                state.progress_changed.notify_all();
            }
        };
        let inventory = Inventory::take(&known, &cancelled, &mut show_count, &mut self.unsaved.removed)?;
        let changes = known.changes_to(&inventory, last_folders.is_none() && self.records.is_empty());
        drop(known);
        state.changes.lock().add(changes);
        let Inventory { mut records, folders, progress, .. } = inventory;
        records.sort_by(|a, b| listing_order(a, b));
        self.records = records;
        self.walked_folders = Some(folders);
        self.publish();
        let pending = |record: &Record| record.is_pending() || (job.retry_unreadable && record.is_unreadable());
        let pending: Vec<usize> =
            self.records.iter().enumerate().filter(|(_, record)| pending(record)).map(|(at, _)| at).collect();
        self.finish_walk(progress, pending.len(), job.reindex);
        self.state.finish_rescans(job.rescan);
        Some(pending)
    }

    /// Without folders nothing is known.
    fn clear(&mut self, job: &Job) {
        self.records.clear();
        self.publish();
        self.state.finish_rescans(job.rescan);
        self.state.update_progress(|progress| {
            *progress = Progress {
                completed_walks: progress.completed_walks.saturating_add(1),
                save_error: progress.save_error.take(),
                reindexed: job.reindex,
                ..Progress::default()
            };
        });
    }

    /// Shows what the walk found.
    fn finish_walk(&self, walked: Progress, to_read: usize, reindexed: u64) {
        *self.state.last_walk_at.lock() = Some(Instant::now());
        let found = self.records.len();
        let unreadable = self.records.iter().filter(|record| record.is_unreadable()).count();
        // Other folders may be asked for by now: those are walked next, and this is nothing of them.
        let requests = self.state.requests.lock();
        if requests.folders != self.folders {
            return;
        }
        drop(requests);
        self.state.update_progress(|progress| {
            *progress = Progress {
                phase: if to_read == 0 { Phase::Complete } else { Phase::Reading },
                found,
                to_read,
                unreadable,
                completed_walks: progress.completed_walks.saturating_add(1),
                save_error: progress.save_error.take(),
                seen: found,
                reindexed,
                ..walked
            };
        });
    }

    /// Analyzes the records at these indices, until something else is more urgent.
    fn analyze_files(&mut self, pending: Vec<usize>) {
        let state = self.state.clone();
        let cancelled = || state.cancel_work.load(Ordering::Acquire);
        let (mut published, mut saved, mut publish_every) = (Instant::now(), Instant::now(), PUBLISH_EVERY);
        for (done, at) in pending.into_iter().enumerate() {
            let Some(record) = self.records.get(at).cloned() else { continue };
            if cancelled() || self.state.requests.lock().walk_requested || !self.rescan_unchanged() {
                self.publish();
                return;
            }
            let analysis = self.analyzer.analyze(&record.path, ReadLimits::INDEXED_FILE, &cancelled);
            let Some(analysis) = analysis else {
                self.publish();
                return;
            };
            let stamp = record.stamp;
            if let Some(bytes) = (StoredAnalysis { stamp, analysis: analysis.clone() }).to_bytes() {
                self.unsaved.files.push((path_key(&record.path), bytes));
            }
            let (was_unreadable, is_unreadable) = (record.is_unreadable(), analysis.is_unreadable());
            let root = self.folders.iter().find(|root| record.path.starts_with(&root.path));
            if let (Some(root), Some(place)) = (root, self.records.get_mut(at)) {
                *place = Arc::new(record.with_analysis(&root.path, analysis));
            }
            {
                let mut progress = self.state.progress.lock();
                progress.read = done.saturating_add(1);
                let others = progress.unreadable.saturating_sub(usize::from(was_unreadable));
                progress.unreadable = others.saturating_add(usize::from(is_unreadable));
            }
            if published.elapsed() >= publish_every {
                let began = Instant::now();
                self.publish();
                self.state.update_progress(|_| {});
                published = Instant::now();
                publish_every = PUBLISH_EVERY.max(published.duration_since(began).saturating_mul(PUBLISH_TIME_DIVISOR));
            }
            if saved.elapsed() >= SAVE_EVERY {
                self.save();
                saved = Instant::now();
            }
        }
        self.publish();
        // Saved before it is called complete: whoever waits for that finds it on the disk too.
        self.save();
        self.state.update_progress(|progress| progress.phase = Phase::Complete);
    }

    /// Publishes what is known now. What searches need is worked out here, once, and only when something is new.
    fn publish(&self) {
        let published = self.state.index.load_full();
        let same = published.records().iter().zip(&self.records).all(|(a, b)| Arc::ptr_eq(a, b));
        if same && published.records().len() == self.records.len() {
            return;
        }
        self.state.index.store(Arc::new(Index::new(self.records.clone())));
    }

    /// Writes what is to be saved; what cannot be written now is tried again later.
    fn save(&mut self) {
        let uses: Vec<(Box<[u8]>, u64)> = self.state.unsaved_uses.lock().drain().collect();
        self.unsaved.uses.extend(uses);
        let Some(file) = &self.file else {
            self.unsaved = IndexFileChanges::default();
            return;
        };
        if self.unsaved.is_empty() {
            return;
        }
        let save_error = match file.write(&self.unsaved) {
            Ok(()) => {
                self.unsaved = IndexFileChanges::default();
                None
            }
            Err(why) => Some(why.to_string()),
        };
        if self.state.progress.lock().save_error != save_error {
            self.state.update_progress(|progress| progress.save_error = save_error);
        }
    }
}

/// Answers the rescans that are asked for, if there are any after `tried`, by the state of the folders alone. False
/// when these have to be walked.
fn rescan_unchanged(state: &IndexerState, folders: Option<&[FolderState]>, tried: &mut u64) -> bool {
    let rescan = {
        let requests = state.requests.lock();
        // Perhaps of other folders; that walk answers the rescan, too.
        if requests.walk_requested {
            return true;
        }
        requests.rescans_requested
    };
    if rescan <= state.rescans_done.load(Ordering::Acquire).max(*tried) {
        return true;
    }
    *tried = rescan;
    let unchanged = folders.is_some_and(|folders| folders.iter().all(FolderState::is_unchanged));
    if unchanged {
        state.finish_rescans(rescan);
    }
    unchanged
}
