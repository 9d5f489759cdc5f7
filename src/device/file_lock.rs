//! That one device has a state file. See D44 in `docs/decisions.md`.

use crate::user_store::private_file;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// Another process has the file.
#[derive(Debug, PartialEq, Eq)]
pub struct FileTaken;

/// Whether that name is this file's.
#[cfg(unix)]
pub fn is_same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(mine), Ok(there)) = (file.metadata(), fs::metadata(path)) else { return false };
    (mine.dev(), mine.ino()) == (there.dev(), there.ino())
}

/// The lock on a name beside the state file, kept as long as the device runs. Its own file is removed with it; after a
/// crash that file stays, unlocked. Together with the lock on the file itself it holds although one of the two names is
/// removed.
pub struct NameLock {
    path: PathBuf,
    file: Option<File>,
}

impl NameLock {
    /// Where the system has no locks, everybody gets one.
    pub fn take(path: PathBuf) -> Result<NameLock, FileTaken> {
        // The former owner removes the file while it holds the lock: then the one at hand is no longer the one to lock.
        for _ in 0..100 {
            let Ok(file) = private_file().create(true).append(true).open(&path) else { break };
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => return Ok(NameLock { path, file: Some(file) }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(FileTaken),
                Err(TryLockError::Error(_)) => break,
            }
        }
        Ok(NameLock { path, file: None })
    }
}

impl Drop for NameLock {
    fn drop(&mut self) {
        // Another device's file may lie there, if ours was removed.
        if self.file.as_ref().is_some_and(|file| is_at(file, &self.path)) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    is_same_file(file, path)
}

/// An open file is not removed here.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_locked_for_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".lock");
        let first = NameLock::take(path.clone()).unwrap();
        assert!(NameLock::take(path.clone()).is_err());
        drop(first);
        assert!(!path.exists());
        drop(NameLock::take(path.clone()).unwrap());
        // One that a killed device left.
        fs::write(&path, "").unwrap();
        assert!(NameLock::take(path).is_ok());
    }
}
