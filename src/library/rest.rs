//! Whether folders are as they were when they were walked. A file or folder that comes, goes or is renamed changes the time of
//! the folder that it lies in, so that to look at the folders alone finds what a walk would find by name; a file that is
//! written over in place is seen by walks alone.
//!
//! Invariant: in doubt a folder is not at rest, and is walked again.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A later change may bear the time of one that is younger than this: the coarsest file systems count in 2 s.
const TICK: Duration = Duration::from_secs(2);

/// What changes with a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    modified: SystemTime,
    /// When anything of it changed, rights included; nobody can set this back, as copying programs do with the other.
    changed: (i64, i64),
    /// Disk and number: another folder, or another disk, may come to the same path.
    id: (u64, u64),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    As(State),
    Unsure,
    /// It could not be listed.
    Closed,
}

/// A folder as it was before it was listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    path: PathBuf,
    seen: Seen,
}

impl Listed {
    /// Before a folder is listed.
    pub fn before(path: &Path) -> Listed {
        let now = SystemTime::now();
        let old = |state: &State| state.modified.checked_add(TICK).is_some_and(|time| time < now);
        let seen = state(path).filter(old).map_or(Seen::Unsure, Seen::As);
        Listed { path: path.to_owned(), seen }
    }

    /// It could not be listed.
    pub fn close(&mut self) {
        self.seen = Seen::Closed;
    }

    /// Some of what lies in it could not be looked at.
    pub fn doubt(&mut self) {
        self.seen = Seen::Unsure;
    }

    /// Whether a walk would find the same in it.
    pub fn is_at_rest(&self) -> bool {
        match &self.seen {
            Seen::As(before) => state(&self.path).is_some_and(|now| now == *before),
            Seen::Unsure => false,
            Seen::Closed => fs::read_dir(&self.path).is_err(),
        }
    }
}

#[cfg(unix)]
fn state(path: &Path) -> Option<State> {
    use std::os::unix::fs::MetadataExt;
    /// FAT's first day. The uppermost folder of such a disk has no time, and says this one or an earlier one.
    const NO_TIME: Duration = Duration::from_secs(3652 * 24 * 60 * 60);
    let about = fs::metadata(path).ok()?;
    let modified = about.modified().ok()?;
    let id = (about.dev(), about.ino());
    let has_time = modified.duration_since(SystemTime::UNIX_EPOCH).ok()? > NO_TIME;
    has_time.then(|| State { modified, changed: (about.ctime(), about.ctime_nsec()), id })
}

/// On Windows a folder of a FAT or exFAT disk keeps its time whatever comes into it, and nothing here tells what disk it is.
#[cfg(not(unix))]
fn state(_path: &Path) -> Option<State> {
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
    fn whatever_changes_a_folder_ends_its_rest() {
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
        for (what, change, rest) in changes {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("samples");
            fs::create_dir(&path).unwrap();
            fs::write(path.join("old.wav"), "x").unwrap();
            age(&path, 60);
            let listed = Listed::before(&path);
            change(&path);
            assert_eq!(listed.is_at_rest(), rest, "{what}");
        }
    }

    #[test]
    fn a_time_that_tells_nothing_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let years = 365 * 24 * 60 * 60;
        let at_rest = |seconds| {
            age(folder.path(), seconds);
            Listed::before(folder.path()).is_at_rest()
        };
        for (seconds, rest) in [(0, false), (1, false), (3, true), (years, true), (50 * years, false)] {
            assert_eq!(at_rest(seconds), rest, "{seconds} s old");
        }
    }

    #[test]
    fn a_time_that_was_set_back_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let time = age(folder.path(), 60);
        let listed = Listed::before(folder.path());
        fs::write(folder.path().join("new.wav"), "x").unwrap();
        File::open(folder.path()).unwrap().set_times(FileTimes::new().set_modified(time)).unwrap();
        assert!(!listed.is_at_rest());
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
        let listed = Listed::before(&link);
        assert!(listed.is_at_rest());
        fs::remove_file(&link).unwrap();
        symlink(&two, &link).unwrap();
        assert!(!listed.is_at_rest());
    }

    #[test]
    fn a_closed_folder_rests_until_it_can_be_listed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("later");
        let mut listed = Listed::before(&path);
        listed.close();
        assert!(listed.is_at_rest());
        fs::create_dir(&path).unwrap();
        assert!(!listed.is_at_rest());
        age(&path, 60);
        let mut listed = Listed::before(&path);
        assert!(listed.is_at_rest());
        listed.doubt();
        assert!(!listed.is_at_rest());
    }
}
