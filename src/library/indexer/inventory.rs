//! Taking inventory: walking every folder, and making a record of each file and folder that is there.

use super::folder_state::FolderState;
use super::index_file::{IndexFile, StoredAnalyses};
use super::state::{IndexedFolder, IndexerState};
use super::walk::{MAX_FILES, WalkEntry, WalkResult, walk};
use crate::library::analysis::Analysis;
use crate::library::kind::ContentKind;
use crate::library::path_key::path_key;
use crate::library::progress::Progress;
use crate::library::record::{FileLocation, Record};
use crate::library::reindex::{FileChanges, changes_between};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is known before the walk.
pub struct KnownFiles<'a> {
    /// The folders to walk.
    pub folders: &'a [IndexedFolder],
    /// The records of the walk before, by path.
    pub records: HashMap<PathBuf, Arc<Record>>,
    pub file: Option<&'a IndexFile>,
    pub state: &'a IndexerState,
}

/// What a walk over all folders has found so far.
#[derive(Default)]
pub struct Inventory {
    /// In no order.
    pub records: Vec<Arc<Record>>,
    /// Keys of the paths that are there, or may be there in a folder that cannot be listed now.
    seen: HashSet<Box<[u8]>>,
    /// Only what the walk itself finds out is set.
    pub progress: Progress,
    pub folders: Vec<FolderState>,
}

impl Inventory {
    /// Walks every folder; `None` when `cancelled` said so. Calls `passed` with how many files and folders there are so
    /// far. Keys of stored files that are gone are added to `removed`, also when it is cancelled after that.
    pub fn take(
        known: &KnownFiles,
        cancelled: &dyn Fn() -> bool,
        passed: &mut dyn FnMut(usize),
        removed: &mut Vec<Box<[u8]>>,
    ) -> Option<Inventory> {
        let mut inventory = Inventory::default();
        for root in known.folders {
            let so_far = inventory.records.len();
            let room = MAX_FILES.saturating_sub(so_far);
            let walked = walk(&root.path, room, cancelled, &mut |count| passed(so_far.saturating_add(count)))?;
            inventory.add(known, root, walked, removed);
        }
        if inventory.progress.unlistable_folders.is_empty() && !inventory.progress.truncated {
            let gone = known.records.keys().map(|path| path_key(path)).filter(|path| !inventory.seen.contains(path));
            removed.extend(gone.filter(|path| known.folders.iter().any(|root| lies_in(path, &root.path))));
        }
        Some(inventory)
    }

    /// Adds what was found in one folder.
    fn add(&mut self, known: &KnownFiles, root: &IndexedFolder, walked: WalkResult, removed: &mut Vec<Box<[u8]>>) {
        let Inventory { records, seen, progress, folders } = self;
        progress.links = progress.links.saturating_add(walked.links);
        progress.truncated |= walked.truncated;
        let stored = known.stored_in(&root.path);
        for entry in walked.entries {
            // A folder inside another is walked once, as part of the first.
            if seen.insert(path_key(&entry.path)) {
                records.push(known.record_of(root, entry, &stored));
            }
        }
        for unlistable in &walked.unlistable {
            // Its files may be there again tomorrow, when the disk is.
            seen.extend(stored.keys().filter(|path| lies_in(path, unlistable)).cloned());
        }
        removed.extend(stored.into_keys().filter(|path| !seen.contains(path) && !walked.truncated));
        progress.unlistable_folders.extend(walked.unlistable);
        folders.extend(walked.folders);
    }
}

impl KnownFiles<'_> {
    /// What came, changed and went. Files of a folder that cannot be listed now, or that lie beyond the most that are
    /// indexed, are not gone.
    pub fn changes_to(&self, inventory: &Inventory, is_first_walk: bool) -> FileChanges {
        let progress = &inventory.progress;
        let looked_for = |record: &&Arc<Record>| {
            record.is_file()
                && self.folders.iter().any(|root| record.path.starts_with(&root.path))
                && !progress.unlistable_folders.iter().any(|folder| record.path.starts_with(folder))
        };
        let known = if progress.truncated { 0 } else { self.records.values().filter(looked_for).count() };
        let now = inventory.records.iter().map(|record| &**record);
        changes_between(|record| self.records.get(&record.path).map(|known| &**known), known, now, is_first_walk)
    }

    /// What the index file has of a folder, unless all of it is in memory already.
    fn stored_in(&self, root: &Path) -> StoredAnalyses {
        let in_memory = self.records.keys().any(|path| path.starts_with(root));
        let Some(file) = self.file.filter(|_| !in_memory) else { return StoredAnalyses::new() };
        match file.analyses_in(root) {
            Ok(analyses) => analyses,
            Err(why) => {
                self.state.update_progress(|progress| progress.save_error = Some(why.to_string()));
                StoredAnalyses::new()
            }
        }
    }

    /// The record of what was found: the one there is where nothing changed, else a new one.
    fn record_of(&self, root: &IndexedFolder, entry: WalkEntry, stored: &StoredAnalyses) -> Arc<Record> {
        let WalkEntry { path, kind, stamp } = entry;
        // A folder's time changes with every file in it and says nothing about the folder.
        let same = |record: &Arc<Record>| {
            record.source == root.source
                && record.kind == kind
                && (record.stamp == stamp || kind == ContentKind::Folder)
        };
        if let Some(record) = self.records.get(&path).filter(|record| same(record)) {
            return record.clone();
        }
        let analysis = match kind {
            ContentKind::Audio => {
                let stored = stored.get(&path_key(&path)).filter(|stored| stored.stamp == stamp);
                stored.map_or(Analysis::Pending, |stored| stored.analysis.clone())
            }
            _ => Analysis::NotAudio,
        };
        let location = FileLocation { root: &root.path, source: root.source, path: &path };
        Arc::new(Record::new(&location, kind, stamp, analysis))
    }
}

/// Whether a path lies in a folder, both as bytes.
fn lies_in(path: &[u8], folder: &Path) -> bool {
    let folder = folder.as_os_str().as_encoded_bytes();
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| folder.last() == Some(&b'/') || matches!(rest.first(), Some(b'/' | b'\\')))
}
