//! What re-indexing on demand found.

use super::record::Record;
use std::path::PathBuf;

/// How often files came, changed and went since the start; two of these, one before the other, say what happened
/// between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileChanges {
    pub new: usize,
    pub changed: usize,
    pub gone: usize,
}

impl FileChanges {
    pub fn add(&mut self, more: FileChanges) {
        self.new = self.new.saturating_add(more.new);
        self.changed = self.changed.saturating_add(more.changed);
        self.gone = self.gone.saturating_add(more.gone);
    }

    pub fn since(self, before: FileChanges) -> FileChanges {
        FileChanges {
            new: self.new.saturating_sub(before.new),
            changed: self.changed.saturating_sub(before.changed),
            gone: self.gone.saturating_sub(before.gone),
        }
    }
}

/// What the folders hold after a re-index, folders themselves not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReindexReport {
    pub files: usize,
    pub changes: FileChanges,
    /// Files that cannot be read, in the order of listings, with the reason.
    pub unreadable: Vec<(PathBuf, Box<str>)>,
    /// Files that are not read yet: somebody stopped the reading.
    pub unread: usize,
}

/// Why there is no report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReindexError {
    #[error("no folder is indexed")]
    NoFolder,
    #[error("the index cannot be read anew: no thread could be started")]
    NoThread,
    #[error("cancelled")]
    Cancelled,
    #[error("the device is shutting down")]
    Stopped,
}

/// What a walk changed: `known` are the records before it, by path; a first walk has none and finds nothing new but
/// what is still to be read.
pub fn changes_between<'a>(
    find_known: impl Fn(&Record) -> Option<&'a Record>,
    known_files: usize,
    now: impl Iterator<Item = &'a Record>,
    is_first_walk: bool,
) -> FileChanges {
    let (mut changes, mut still_there) = (FileChanges::default(), 0_usize);
    for record in now.filter(|record| record.is_file()) {
        match find_known(record) {
            Some(before) => {
                still_there = still_there.saturating_add(1);
                changes.changed = changes.changed.saturating_add(usize::from(before.stamp != record.stamp));
            }
            None if is_first_walk && !record.is_pending() => {}
            None => changes.new = changes.new.saturating_add(1),
        }
    }
    changes.gone = known_files.saturating_sub(still_there);
    changes
}
