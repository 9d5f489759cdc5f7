//! How far the index is.

use std::path::PathBuf;

/// What the index is busy with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// There is no folder to index.
    #[default]
    Idle,
    /// Finding out which files there are.
    Walking,
    /// Every file is known by name; what is new is being read.
    Reading,
    Complete,
    /// Somebody stopped the reading; it goes on with the next look for files.
    Stopped,
}

/// How far the index is. All counts are of the folders that are indexed now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub phase: Phase,
    /// Files and folders found.
    pub found: usize,
    /// Files and folders that the walk under way has come past.
    pub seen: usize,
    /// Audio files that had to be read since the last walk, and how many of them are done.
    pub to_read: usize,
    pub read: usize,
    /// Audio files that cannot be read.
    pub unreadable: usize,
    /// Links, which are not followed.
    pub links: usize,
    /// Folders that are not there or cannot be listed.
    pub unlistable_folders: Vec<PathBuf>,
    /// There are more files than the library takes.
    pub truncated: bool,
    /// Why the index could not be saved for the next start, if it could not.
    pub save_error: Option<String>,
    /// Walks finished since the start.
    pub completed_walks: u64,
    /// The newest re-index whose walk is done; see [`Library::reindex`](super::Library::reindex).
    pub reindexed: u64,
}

impl Progress {
    /// Whether nothing is under way.
    pub fn is_complete(&self) -> bool {
        matches!(self.phase, Phase::Idle | Phase::Complete | Phase::Stopped)
    }

    /// 0 to 100; 100 only when all is read.
    pub fn percent(&self) -> u8 {
        match self.phase {
            Phase::Idle | Phase::Complete => 100,
            Phase::Walking => 0,
            Phase::Reading | Phase::Stopped => {
                let percent = self.read.saturating_mul(100).checked_div(self.to_read).unwrap_or(99);
                u8::try_from(percent.min(99)).unwrap_or(99)
            }
        }
    }

    /// What is under way, such as `reading files: 120 of 2000 (6 %)`; `None` when nothing is.
    pub fn description(&self) -> Option<String> {
        match self.phase {
            Phase::Idle | Phase::Complete => None,
            Phase::Walking => Some(format!("looking for files: {} so far", self.found)),
            Phase::Reading => Some(format!("reading files: {} of {} ({} %)", self.read, self.to_read, self.percent())),
            Phase::Stopped => Some(format!("reading was stopped: {} of {} files", self.read, self.to_read)),
        }
    }

    /// The whole state in a few words, for a person; `None` without a folder.
    pub fn summary(&self) -> Option<String> {
        if self.phase == Phase::Idle {
            return None;
        }
        if let Some(folder) = self.unlistable_folders.first() {
            return Some(format!("cannot be listed: {}", folder.display()));
        }
        let broken = if self.unreadable == 0 { String::new() } else { format!(", {} unreadable", self.unreadable) };
        Some(self.description().unwrap_or_else(|| format!("{} files and folders{broken}", self.found)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents() {
        let at = |phase, read, to_read| Progress { phase, read, to_read, ..Progress::default() };
        for (progress, percent, told) in [
            (at(Phase::Idle, 0, 0), 100, None),
            (at(Phase::Walking, 0, 0), 0, Some("looking for files: 0 so far")),
            (at(Phase::Reading, 0, 0), 99, Some("reading files: 0 of 0 (99 %)")),
            (at(Phase::Reading, 120, 2000), 6, Some("reading files: 120 of 2000 (6 %)")),
            (at(Phase::Reading, 2000, 2000), 99, Some("reading files: 2000 of 2000 (99 %)")),
            (at(Phase::Complete, 2000, 2000), 100, None),
            (at(Phase::Stopped, 120, 2000), 6, Some("reading was stopped: 120 of 2000 files")),
        ] {
            assert_eq!((progress.percent(), progress.description().as_deref()), (percent, told), "{progress:?}");
        }
    }

    #[test]
    fn summaries() {
        let of = |phase, broken, closed: &[&str]| Progress {
            phase,
            found: 30,
            to_read: 20,
            read: 5,
            unreadable: broken,
            unlistable_folders: closed.iter().map(PathBuf::from).collect(),
            ..Progress::default()
        };
        for (progress, summary) in [
            (of(Phase::Idle, 0, &[]), None),
            (of(Phase::Reading, 1, &[]), Some("reading files: 5 of 20 (25 %)")),
            (of(Phase::Complete, 0, &[]), Some("30 files and folders")),
            (of(Phase::Complete, 2, &[]), Some("30 files and folders, 2 unreadable")),
            (of(Phase::Complete, 0, &["/gone"]), Some("cannot be listed: /gone")),
        ] {
            assert_eq!(progress.summary().as_deref(), summary, "{progress:?}");
        }
    }
}
