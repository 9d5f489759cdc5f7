//! Files that leave: those that this device wrote into one folder since it started, and no other.

use super::kept_files::{HAS_LOCKS, files_in, is_open, remove_older};
use super::{Kept, SET_ENDINGS, TransferError};
use crate::disk::{Access, make_folder, open_plain};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What an earlier run of a device wrote goes after this time. Devices share the folder, so not before.
const LEFT_FOR: Duration = Duration::from_secs(24 * 3600);

/// A file that can be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    pub name: String,
    pub bytes: u64,
}

/// A file that is fetched.
#[derive(Debug)]
pub struct DownloadFile {
    pub file: File,
    pub name: String,
    pub bytes: u64,
}

pub struct Downloads {
    folder: PathBuf,
    kept: Kept,
    /// Oldest first.
    list: Mutex<Vec<Download>>,
    /// The files of the list, locked for other devices as long as this one can be asked for them: when they were
    /// written is no matter, as clocks are set.
    locked: Mutex<BTreeMap<String, File>>,
}

impl Downloads {
    pub fn new(folder: PathBuf, kept: Kept) -> Downloads {
        Downloads { folder, kept, list: Mutex::default(), locked: Mutex::default() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn make_folder(&self) -> Result<PathBuf, TransferError> {
        make_folder(&self.folder, Access::OwnerOnly).map_err(|error| TransferError::of(&error))?;
        let is_ours = |path: &Path| self.list.lock().iter().any(|known| path.ends_with(&known.name));
        let left = files_in(&self.folder).into_iter().filter(|file| !is_ours(&file.path) && !is_open(file));
        remove_older(left, LEFT_FOR);
        Ok(self.folder.clone())
    }

    pub fn add(&self, file: &Path) {
        let lies_here = file.parent().and_then(|folder| folder.canonicalize().ok()) == self.folder.canonicalize().ok();
        let name = file.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        let about = fs::symlink_metadata(file).ok().filter(fs::Metadata::is_file);
        let (true, Some(name), Some(about)) = (lies_here, name, about) else { return };
        let mut list = self.list.lock();
        list.retain(|known| known.name != name);
        if let Some(open) = open_plain(file).ok().filter(|open| HAS_LOCKS && open.try_lock_shared().is_ok()) {
            self.locked.lock().insert(name.clone(), open);
        }
        list.push(Download { name, bytes: about.len() });
        // A Set is the user's work, and no call makes it again: it stays whatever comes after it.
        let is_made_again = |file: &Download| !Path::new(&file.name).extension().is_some_and(is_set);
        loop {
            let made_again = || list.iter().filter(|file| is_made_again(file));
            let (count, bytes) = (made_again().count(), made_again().map(|file| file.bytes).sum::<u64>());
            let Some(oldest) = list.iter().position(is_made_again) else { break };
            // The one that was written just now stays, however large it is.
            if count <= 1 || count <= self.kept.files && bytes <= self.kept.bytes {
                break;
            }
            let name = list.remove(oldest).name;
            self.locked.lock().remove(&name);
            let _ = fs::remove_file(self.folder.join(name));
        }
    }

    pub fn list(&self) -> Vec<Download> {
        let mut list = self.list.lock();
        // The user may have taken it away.
        list.retain(|known| fs::symlink_metadata(self.folder.join(&known.name)).is_ok_and(|about| about.is_file()));
        list.clone()
    }

    /// A name is looked up in the list, and is never a path.
    pub fn open(&self, name: &str) -> Result<DownloadFile, TransferError> {
        let missing = || TransferError::NotThere(super::shown(name));
        let known = self.list().into_iter().find(|known| known.name == name).ok_or_else(missing)?;
        let file = open_plain(&self.folder.join(&known.name)).map_err(|_| missing())?;
        let bytes = file.metadata().ok().filter(fs::Metadata::is_file).ok_or_else(missing)?.len();
        Ok(DownloadFile { file, name: known.name, bytes })
    }
}

fn is_set(ending: &OsStr) -> bool {
    SET_ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_written_here_leaves_and_the_oldest_goes() {
        let root = tempfile::tempdir().unwrap();
        let downloads = Downloads::new(root.path().join("out"), Kept { files: 2, bytes: 100 });
        let folder = downloads.make_folder().unwrap();
        let write = |name: &str, bytes: usize| {
            fs::write(folder.join(name), vec![b'x'; bytes]).unwrap();
            downloads.add(&folder.join(name));
        };
        let names = || downloads.list().into_iter().map(|file| file.name).collect::<Vec<_>>();
        fs::write(folder.join("put there.wav"), "x").unwrap();
        fs::write(root.path().join("elsewhere.wav"), "x").unwrap();
        downloads.add(&root.path().join("elsewhere.wav"));
        assert!(names().is_empty());
        for (name, bytes) in [("a.wav", 10), ("b.wav", 10), ("a.wav", 20)] {
            write(name, bytes);
        }
        assert_eq!(names(), ["b.wav", "a.wav"]);
        assert_eq!(downloads.open("a.wav").unwrap().bytes, 20);
        for name in ["put there.wav", "../elsewhere.wav", "", ".", "A.WAV"] {
            assert!(matches!(downloads.open(name), Err(TransferError::NotThere(_))), "{name}");
        }
        write("c.wav", 10);
        assert_eq!((names(), folder.join("b.wav").exists()), (vec!["a.wav".to_owned(), "c.wav".to_owned()], false));
        write("large.wav", 200);
        assert_eq!(names(), ["large.wav"]);
        fs::remove_file(folder.join("large.wav")).unwrap();
        assert!(names().is_empty());
    }

    #[test]
    fn saved_sets_outlast_later_files() {
        let root = tempfile::tempdir().unwrap();
        let downloads = Downloads::new(root.path().join("out"), Kept { files: 2, bytes: 100 });
        let folder = downloads.make_folder().unwrap();
        let write = |name: &str| {
            fs::write(folder.join(name), [b'x'; 40]).unwrap();
            downloads.add(&folder.join(name));
        };
        let sets = ["My Song.svcset", "b.SVCSET", "c.svcset", "d.svcset"];
        sets.into_iter().for_each(write);
        (0..9).for_each(|number| write(&format!("{number}.wav")));
        let names: Vec<String> = downloads.list().into_iter().map(|file| file.name).collect();
        assert_eq!(names, [&sets[..], &["7.wav", "8.wav"]].concat());
        assert!(sets.iter().all(|name| folder.join(name).exists()));
    }
}
