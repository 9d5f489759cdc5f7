//! That one device has a state file. See D44 in `docs/decisions.md`.

#[cfg(unix)]
use crate::disk::private_file;
#[cfg(unix)]
use std::fs::TryLockError;
use std::fs::{self, File};
#[cfg(unix)]
use std::path::Path;
use std::path::PathBuf;

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
#[cfg(unix)]
pub struct NameLock {
    path: PathBuf,
    file: Option<File>,
}

#[cfg(unix)]
impl NameLock {
    /// Where the system has no locks, everybody gets one.
    pub fn take(path: PathBuf) -> Result<NameLock, FileTaken> {
        // The former owner removes the file while it holds the lock: then the one at hand is no longer the one to lock.
        for _ in 0..100 {
            let Ok(file) = private_file().create(true).append(true).open(&path) else { break };
            match file.try_lock() {
                Ok(()) if is_same_file(&file, &path) => return Ok(NameLock { path, file: Some(file) }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(FileTaken),
                Err(TryLockError::Error(_)) => break,
            }
        }
        Ok(NameLock { path, file: None })
    }
}

#[cfg(unix)]
impl Drop for NameLock {
    fn drop(&mut self) {
        // Another device's file may lie there, if ours was removed.
        if self.file.as_ref().is_some_and(|file| is_same_file(file, &self.path)) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The lock on a name beside the state file, kept as long as the device runs. It is an open file that Windows lets
/// nobody else open, rename or remove, and that Windows itself removes when it is closed, also by a crash.
#[cfg(windows)]
pub struct NameLock {
    _file: Option<File>,
}

#[cfg(windows)]
impl NameLock {
    /// Where no such file can be made, everybody gets a lock.
    pub fn take(path: PathBuf) -> Result<NameLock, FileTaken> {
        use crate::disk::is_briefly_refused;
        use std::os::windows::fs::OpenOptionsExt;
        const GENERIC_WRITE: u32 = 0x4000_0000;
        const DELETE: u32 = 0x0001_0000;
        const FILE_ATTRIBUTE_HIDDEN: u32 = 0x2;
        const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
        const ERROR_SHARING_VIOLATION: i32 = 32;
        // A scanner may have the file open that a device has just closed: it is gone when the scanner is done.
        const TRIES: usize = 10;
        let mut options = fs::OpenOptions::new();
        options.create(true).write(true).truncate(false);
        options.access_mode(GENERIC_WRITE | DELETE).share_mode(0);
        options.attributes(FILE_ATTRIBUTE_HIDDEN).custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
        let mut is_open_elsewhere = false;
        for attempt in 1..=TRIES {
            match options.open(&path) {
                Ok(file) => return Ok(NameLock { _file: Some(file) }),
                Err(error) if is_briefly_refused(&error) => {
                    is_open_elsewhere = error.raw_os_error() == Some(ERROR_SHARING_VIOLATION);
                }
                Err(_) => break,
            }
            if attempt < TRIES {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        }
        if is_open_elsewhere { Err(FileTaken) } else { Ok(NameLock { _file: None }) }
    }
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
