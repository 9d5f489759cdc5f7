//! Whether folders are as they were when they were walked. A file or folder that is added, removed or renamed changes
//! the time of the folder that it lies in, so looking at the folders alone finds whatever a walk would find by name. A
//! file that is overwritten in place is seen only by walks.
//!
//! Invariant: a folder that may have changed counts as changed, and is walked again. See D13 in `docs/decisions.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A folder whose last change is younger than this may change again without a new time: the coarsest file systems count
/// in steps of 2 s.
const TIME_RESOLUTION: Duration = Duration::from_secs(2);

/// What differs after a folder has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FolderStamp {
    modified: SystemTime,
    /// When anything about it changed, rights included (seconds and nanoseconds). Copying programs set the other time
    /// back; nobody can set this one.
    changed: (i64, i64),
    /// Disk and inode: another folder, or another disk, may come to the same path.
    id: (u64, u64),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Observation {
    Stamped(FolderStamp),
    Uncertain,
    /// It could not be listed.
    Unlistable,
}

/// A folder as it was before it was listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderState {
    path: PathBuf,
    observation: Observation,
}

impl FolderState {
    /// Its state now; to be called before the folder is listed.
    pub fn before_listing(path: &Path) -> FolderState {
        let now = SystemTime::now();
        let old = |stamp: &FolderStamp| stamp.modified.checked_add(TIME_RESOLUTION).is_some_and(|time| time < now);
        let seen = stamp_of(path).filter(old).map_or(Observation::Uncertain, Observation::Stamped);
        FolderState { path: path.to_owned(), observation: seen }
    }

    /// It could not be listed.
    pub fn mark_unlistable(&mut self) {
        self.observation = Observation::Unlistable;
    }

    /// Some of its entries could not be looked at.
    pub fn mark_uncertain(&mut self) {
        self.observation = Observation::Uncertain;
    }

    /// Whether a walk would find the same in it.
    pub fn is_unchanged(&self) -> bool {
        match &self.observation {
            Observation::Stamped(before) => stamp_of(&self.path).is_some_and(|now| now == *before),
            Observation::Uncertain => false,
            Observation::Unlistable => fs::read_dir(&self.path).is_err(),
        }
    }
}

#[cfg(unix)]
fn stamp_of(path: &Path) -> Option<FolderStamp> {
    use std::os::unix::fs::MetadataExt;
    /// FAT's first day. The root folder of such a disk has no time of its own, and reports this one or an earlier one.
    const NO_TIME: Duration = Duration::from_secs(3652 * 24 * 60 * 60);
    let about = fs::metadata(path).ok()?;
    let modified = about.modified().ok()?;
    let id = (about.dev(), about.ino());
    let has_time = modified.duration_since(SystemTime::UNIX_EPOCH).ok()? > NO_TIME;
    has_time.then(|| FolderStamp { modified, changed: (about.ctime(), about.ctime_nsec()), id })
}

/// On Windows a folder of a FAT or exFAT disk keeps its time whatever is added to it, and the disk's type is not known
/// here.
#[cfg(not(unix))]
fn stamp_of(_path: &Path) -> Option<FolderStamp> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::{File, FileTimes, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn age(folder: &Path, seconds: u64) -> SystemTime {
        let time = SystemTime::now() - Duration::from_secs(seconds);
        File::open(folder).unwrap().set_times(FileTimes::new().set_modified(time)).unwrap();
        time
    }

    #[test]
    fn whatever_changes_a_folder_is_seen() {
        type Change = fn(&Path);
        let changes: [(&str, Change, bool); 9] = [
            ("nothing", |_| {}, true),
            ("a file is read", |f| drop(fs::read(f.join("old.wav"))), true),
            ("written over in place", |f| fs::write(f.join("old.wav"), "yy").unwrap(), true),
            ("a new file", |f| fs::write(f.join("new.wav"), "x").unwrap(), false),
            ("a new folder", |f| fs::create_dir(f.join("new")).unwrap(), false),
            ("a file went", |f| fs::remove_file(f.join("old.wav")).unwrap(), false),
            ("renamed", |f| fs::rename(f.join("old.wav"), f.join("new.wav")).unwrap(), false),
            ("rights", |f| fs::set_permissions(f, Permissions::from_mode(0o711)).unwrap(), false),
            ("it went", |f| fs::remove_dir_all(f).unwrap(), false),
        ];
        for (what, change, unchanged) in changes {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("samples");
            fs::create_dir(&path).unwrap();
            fs::write(path.join("old.wav"), "x").unwrap();
            age(&path, 60);
            let folder_state = FolderState::before_listing(&path);
            change(&path);
            assert_eq!(folder_state.is_unchanged(), unchanged, "{what}");
        }
    }

    #[test]
    fn a_time_that_tells_nothing_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let years = 365 * 24 * 60 * 60;
        let is_unchanged = |seconds| {
            age(folder.path(), seconds);
            FolderState::before_listing(folder.path()).is_unchanged()
        };
        for (seconds, unchanged) in [(0, false), (1, false), (3, true), (years, true), (50 * years, false)] {
            assert_eq!(is_unchanged(seconds), unchanged, "{seconds} s old");
        }
    }

    #[test]
    fn a_time_that_was_set_back_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let time = age(folder.path(), 60);
        let folder_state = FolderState::before_listing(folder.path());
        fs::write(folder.path().join("new.wav"), "x").unwrap();
        File::open(folder.path()).unwrap().set_times(FileTimes::new().set_modified(time)).unwrap();
        assert!(!folder_state.is_unchanged());
    }

    #[test]
    fn another_folder_in_the_same_place_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two, link) = (folder.path().join("1"), folder.path().join("2"), folder.path().join("link"));
        for path in [&one, &two] {
            fs::create_dir(path).unwrap();
            age(path, 60);
        }
        symlink(&one, &link).unwrap();
        let folder_state = FolderState::before_listing(&link);
        assert!(folder_state.is_unchanged());
        fs::remove_file(&link).unwrap();
        symlink(&two, &link).unwrap();
        assert!(!folder_state.is_unchanged());
    }

    #[test]
    fn an_unlistable_folder_is_unchanged_until_it_can_be_listed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("later");
        let mut folder_state = FolderState::before_listing(&path);
        folder_state.mark_unlistable();
        assert!(folder_state.is_unchanged());
        fs::create_dir(&path).unwrap();
        assert!(!folder_state.is_unchanged());
        age(&path, 60);
        let mut folder_state = FolderState::before_listing(&path);
        assert!(folder_state.is_unchanged());
        folder_state.mark_uncertain();
        assert!(!folder_state.is_unchanged());
    }
}
