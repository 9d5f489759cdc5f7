//! The right to look at the files of a folder and then write them, while no other device does.
//! See D19 in `docs/decisions.md`.

use crate::disk::{Access, make_folder};
use parking_lot::{Mutex, MutexGuard};
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Devices of one process may share a folder: who holds this may look at a file and then write it.
pub static PROCESS_LOCK: Mutex<()> = Mutex::new(());

/// The right to look at the files of a folder and then write them, while no other device does, in this process or
/// another.
pub struct FolderLock {
    /// The operating system's lock is released with the handle, also when the process is killed.
    _across_processes: Option<fs::File>,
    _in_process: MutexGuard<'static, ()>,
}

/// Waits for the right to write in the folder, which is made if it is not there. Fails with
/// [`io::ErrorKind::WouldBlock`] when another process holds it for longer than any write takes.
pub fn lock_folder(folder: &Path) -> io::Result<FolderLock> {
    const PATIENCE: Duration = Duration::from_secs(2);
    const BETWEEN: Duration = Duration::from_millis(2);
    let here = PROCESS_LOCK.lock();
    make_folder(folder, Access::OwnerOnly)?;
    let lock = open_lock_file(folder)?;
    let end = Instant::now() + PATIENCE;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(FolderLock { _across_processes: Some(lock), _in_process: here }),
            Err(fs::TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(BETWEEN),
            Err(fs::TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
            // A disk without locks, such as some network ones: there, only whole files are guaranteed.
            Err(fs::TryLockError::Error(_)) => return Ok(FolderLock { _across_processes: None, _in_process: here }),
        }
    }
}

/// Opens what is locked: the folder itself where it can be opened, so that no extra file is needed.
#[cfg(unix)]
fn open_lock_file(folder: &Path) -> io::Result<fs::File> {
    fs::File::open(folder)
}

/// Opens what is locked: a file inside, as a folder cannot be opened.
#[cfg(not(unix))]
fn open_lock_file(folder: &Path) -> io::Result<fs::File> {
    fs::File::options().create(true).truncate(false).write(true).open(folder.join(".lock"))
}
