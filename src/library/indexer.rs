//! The indexer: one thread that walks the folders, listens to what is new, and keeps what it found.
//!
//! Invariant: it alone makes the index; whoever asks gets the newest one at once and never waits for a disk.

use super::index::{self, Index};
use super::kind::Kind;
use super::progress::{Phase, Progress};
use super::record::{Heard, Kept, Place, Record};
use super::rest::Listed;
use super::shared::{Root, Shared};
use super::sound::Ears;
use super::store::{self, Changes, Files, Store, StoreError};
use super::walk::{self, Found, MOST_FILES};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often what was found is shown and kept while files are read.
const SHOW_EVERY: Duration = Duration::from_millis(500);
/// Showing takes at most one part in so many of the time, however many files there are.
const SHOW_SHARE: u32 = 10;
const KEEP_EVERY: Duration = Duration::from_secs(2);
/// How long until a write that failed is tried again.
const WRITE_AGAIN: Duration = Duration::from_secs(2);

pub struct Indexer {
    pub shared: Arc<Shared>,
    pub store: Option<Store>,
    roots: Vec<Root>,
    records: Vec<Arc<Record>>,
    /// The folders of the last walk; `None` before the first.
    listed: Option<Vec<Listed>>,
    ears: Ears,
    /// What is still to be written.
    unkept: Changes,
}

impl Indexer {
    pub fn new(shared: Arc<Shared>, store: Option<Store>) -> Indexer {
        Indexer {
            shared,
            store,
            roots: Vec::new(),
            records: Vec::new(),
            listed: None,
            ears: Ears::default(),
            unkept: Changes::default(),
        }
    }

    /// Runs until it is told to stop.
    pub fn run(mut self) {
        self.remember();
        loop {
            let (stop, walk, look) = self.next();
            if stop {
                break;
            }
            if walk || !self.look() {
                self.shared.wanted.lock().walking = true;
                let unread = self.walk(look);
                self.shared.wanted.lock().walking = false;
                if let Some(unread) = unread {
                    self.read(unread);
                }
            }
            self.keep();
        }
        self.keep();
    }

    /// Does the look that is asked for, if there is one, by the folders alone. False when they are to be walked for it.
    fn look(&self) -> bool {
        look(&self.shared, self.listed.as_deref(), &mut 0)
    }

    /// Waits for something to do: whether to stop, whether to walk, and the newest look that is asked for.
    fn next(&mut self) -> (bool, bool, u64) {
        let again = (!self.unkept.is_empty()).then(|| Instant::now() + WRITE_AGAIN);
        let mut wanted = self.shared.wanted.lock();
        let looked = || self.shared.looked.load(Ordering::Acquire);
        while !(wanted.stop || wanted.walk || wanted.keep_uses || wanted.looks > looked()) {
            match again {
                Some(again) if self.shared.bell.wait_until(&mut wanted, again).timed_out() => break,
                Some(_) => {}
                None => self.shared.bell.wait(&mut wanted),
            }
        }
        self.shared.drop_it.store(wanted.stop, Ordering::Release);
        wanted.keep_uses = false;
        if wanted.walk {
            self.roots.clone_from(&wanted.roots);
        }
        wanted.walking = std::mem::take(&mut wanted.walk);
        (wanted.stop, wanted.walking, wanted.looks)
    }

    /// What earlier runs kept of uses.
    fn remember(&self) {
        let Some(store) = &self.store else { return };
        if let Err(why) = store.look_after().and_then(|()| {
            let kept = store.uses()?;
            let mut uses = self.shared.uses.write();
            for (path, count) in kept {
                uses.add(path, count);
            }
            Ok(())
        }) {
            self.shared.progress(|progress| progress.not_kept = Some(why.to_string()));
        }
    }

    /// Looks which files there are, which also does the looks up to `look`; gives the places of those that are to be read. `None`
    /// when it was dropped.
    fn walk(&mut self, look: u64) -> Option<Vec<usize>> {
        let shared = self.shared.clone();
        let (last_listed, tried) = (self.listed.take(), Cell::new(look));
        // Who looks meanwhile need not wait for the end of this walk when the folders are as the one before found them.
        let dropped = || {
            let mut last = tried.get();
            self::look(&shared, last_listed.as_deref(), &mut last);
            tried.set(last);
            shared.drop_it.load(Ordering::Acquire)
        };
        if self.roots.is_empty() {
            self.records.clear();
            self.publish();
            shared.looked(look);
            shared.progress(|progress| {
                *progress = Progress {
                    walks: progress.walks.saturating_add(1),
                    not_kept: progress.not_kept.take(),
                    ..Progress::default()
                };
            });
            return None;
        }
        // A look whether anything changed is no news as long as nothing did.
        let first = self.shared.progress.lock().phase != Phase::Complete;
        if first {
            shared.progress(|progress| {
                progress.phase = Phase::Walking;
                progress.found = 0;
            });
        }
        let mut before: HashMap<PathBuf, Arc<Record>> =
            self.records.iter().map(|record| (record.path.clone(), record.clone())).collect();
        let (mut records, mut seen) = (Vec::<Arc<Record>>::new(), HashSet::<Box<[u8]>>::new());
        let (mut now, mut listed) = (Progress::default(), Vec::new());
        for root in self.roots.clone() {
            let room = MOST_FILES.saturating_sub(records.len());
            let so_far = records.len();
            let walked = walk::walk(&root.path, room, &dropped, &mut |count| {
                if first {
                    shared.progress.lock().found = so_far.saturating_add(count);
                }
            })?;
            now.links = now.links.saturating_add(walked.links);
            now.cut |= walked.cut;
            let kept = self.kept_in(&root.path, &before);
            for found in walked.found {
                // A folder inside another is walked once, as part of the first.
                if seen.insert(store::key(&found.path)) {
                    records.push(self.record_of(&root, found, &mut before, &kept));
                }
            }
            for closed in &walked.closed {
                // Its files may be there again tomorrow, when the disk is.
                seen.extend(kept.keys().filter(|path| lies_in(path, closed)).cloned());
            }
            let gone = kept.into_keys().filter(|path| !seen.contains(path) && !walked.cut);
            self.unkept.gone.extend(gone.collect::<Vec<_>>());
            now.closed.extend(walked.closed);
            listed.extend(walked.listed);
        }
        let gone = before.into_keys().map(|path| store::key(&path)).filter(|path| !seen.contains(path));
        if now.closed.is_empty() && !now.cut {
            self.unkept.gone.extend(gone.filter(|path| self.roots.iter().any(|root| lies_in(path, &root.path))));
        }
        records.sort_by(|a, b| index::order(a, b));
        self.records = records;
        self.listed = Some(listed);
        self.publish();
        let unread = |record: &Record| record.heard == Heard::NotYet;
        let unread: Vec<usize> =
            self.records.iter().enumerate().filter(|(_, record)| unread(record)).map(|(at, _)| at).collect();
        *shared.walked_at.lock() = Some(Instant::now());
        let found = self.records.len();
        let broken = self.records.iter().filter(|record| record.is_broken()).count();
        shared.progress(|progress| {
            let phase = if unread.is_empty() { Phase::Complete } else { Phase::Reading };
            *progress = Progress {
                phase,
                found,
                to_read: unread.len(),
                broken,
                walks: progress.walks.saturating_add(1),
                not_kept: progress.not_kept.take(),
                ..now
            };
        });
        shared.looked(look);
        Some(unread)
    }

    /// What the store has of a folder, unless all of it is in memory already.
    fn kept_in(&self, root: &Path, before: &HashMap<PathBuf, Arc<Record>>) -> Files {
        let known = before.keys().any(|path| path.starts_with(root));
        let Some(store) = self.store.as_ref().filter(|_| !known) else { return Files::new() };
        match store.files_in(root) {
            Ok(files) => files,
            Err(why) => {
                self.shared.progress(|progress| progress.not_kept = Some(why.to_string()));
                Files::new()
            }
        }
    }

    fn record_of(
        &self,
        root: &Root,
        found: Found,
        before: &mut HashMap<PathBuf, Arc<Record>>,
        kept: &Files,
    ) -> Arc<Record> {
        let Found { path, kind, stamp } = found;
        // A folder's time changes with every file in it and tells nothing of the folder.
        let same = |record: &Arc<Record>| {
            record.source == root.source && record.kind == kind && (record.stamp == stamp || kind == Kind::Folder)
        };
        if let Some(record) = before.get(&path).filter(|record| same(record)) {
            return record.clone();
        }
        let heard = match kind {
            Kind::Audio => {
                let kept = kept.get(&store::key(&path)).filter(|kept| kept.stamp == stamp);
                kept.map_or(Heard::NotYet, |kept| kept.heard.clone())
            }
            _ => Heard::Nothing,
        };
        let place = Place { root: &root.path, source: root.source, path: &path };
        Arc::new(Record::new(&place, kind, stamp, heard))
    }

    /// Listens to files, until it is told that something else is more urgent.
    fn read(&mut self, unread: Vec<usize>) {
        let shared = self.shared.clone();
        let dropped = || shared.drop_it.load(Ordering::Acquire);
        let (mut shown, mut kept, mut show_every) = (Instant::now(), Instant::now(), SHOW_EVERY);
        for (done, at) in unread.into_iter().enumerate() {
            let Some(record) = self.records.get(at).cloned() else { continue };
            if dropped() || self.shared.wanted.lock().walk || !self.look() {
                self.publish();
                return;
            }
            let Some(heard) = self.ears.listen(&record.path, &dropped) else { return };
            let stamp = record.stamp;
            if let Some(bytes) = (Kept { stamp, heard: heard.clone() }).to_bytes() {
                self.unkept.files.push((store::key(&record.path), bytes));
            }
            let broken = heard == Heard::Broken;
            let root = self.roots.iter().find(|root| record.path.starts_with(&root.path));
            if let (Some(root), Some(place)) = (root, self.records.get_mut(at)) {
                *place = Arc::new(record.heard_now(&root.path, heard));
            }
            {
                let mut progress = self.shared.progress.lock();
                progress.read = done.saturating_add(1);
                progress.broken = progress.broken.saturating_add(usize::from(broken));
            }
            if shown.elapsed() >= show_every {
                let began = Instant::now();
                self.publish();
                self.shared.progress(|_| {});
                shown = Instant::now();
                show_every = SHOW_EVERY.max(shown.duration_since(began).saturating_mul(SHOW_SHARE));
            }
            if kept.elapsed() >= KEEP_EVERY {
                self.keep();
                kept = Instant::now();
            }
        }
        self.publish();
        // Kept before it is called complete: whoever waits for that finds it on the disk too.
        self.keep();
        self.shared.progress(|progress| progress.phase = Phase::Complete);
    }

    /// Shows what is known now. What searches need is worked out here, once, and only when something is new.
    fn publish(&self) {
        let shown = self.shared.index.load_full();
        let same = shown.records().iter().zip(&self.records).all(|(a, b)| Arc::ptr_eq(a, b));
        if same && shown.records().len() == self.records.len() {
            return;
        }
        self.shared.index.store(Arc::new(Index::new(self.records.clone())));
    }

    /// Writes what is to be kept; what cannot be written now is tried again later.
    fn keep(&mut self) {
        let uses: Vec<(Box<[u8]>, u64)> = self.shared.unkept_uses.lock().drain().collect();
        self.unkept.uses.extend(uses);
        let Some(store) = &self.store else {
            self.unkept = Changes::default();
            return;
        };
        if self.unkept.is_empty() {
            return;
        }
        let not_kept = match store.write(&self.unkept) {
            Ok(()) => {
                self.unkept = Changes::default();
                None
            }
            Err(StoreError::Busy) => Some(StoreError::Busy.to_string()),
            Err(why) => Some(why.to_string()),
        };
        if self.shared.progress.lock().not_kept != not_kept {
            self.shared.progress(|progress| progress.not_kept = not_kept);
        }
    }
}

/// Does the looks that are asked for, if there are any after `tried`, by the folders alone. False when these are to be walked.
fn look(shared: &Shared, listed: Option<&[Listed]>, tried: &mut u64) -> bool {
    let look = {
        let wanted = shared.wanted.lock();
        // Other folders, perhaps; that walk does the look, too.
        if wanted.walk {
            return true;
        }
        wanted.looks
    };
    if look <= shared.looked.load(Ordering::Acquire).max(*tried) {
        return true;
    }
    *tried = look;
    let at_rest = listed.is_some_and(|listed| listed.iter().all(Listed::is_at_rest));
    if at_rest {
        shared.looked(look);
    }
    at_rest
}

fn lies_in(path: &[u8], folder: &Path) -> bool {
    let folder = folder.as_os_str().as_encoded_bytes();
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| folder.last() == Some(&b'/') || matches!(rest.first(), Some(b'/' | b'\\')))
}
