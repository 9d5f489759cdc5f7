//! What lies in a folder of ours, and the rule by which files of it go.

use super::Kept;
use crate::disk::{open_plain, private_file};
use std::fs::{self, File, TryLockError};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

/// How files in the making begin and end; nothing else in the folders does.
const PARTIAL: (&str, &str) = (".upload-", ".part");
/// A sender that pauses for half of that is refused, so nobody is still at work on what has not changed for so long.
/// That is the rule where files have no locks.
const PARTIAL_IS_LEFT_AFTER: Duration = Duration::from_secs(60);
/// Names that are tried for a file in the making; somebody may look at each of them just when it was made.
const TRIES: usize = 100;

/// Tells files in the making of one process apart.
static LAST_NUMBER: AtomicUsize = AtomicUsize::new(0);

/// A file as the disk tells of it.
#[derive(Clone, Debug)]
pub struct FileThere {
    pub path: PathBuf,
    pub bytes: u64,
    pub modified: SystemTime,
}

/// A file in the making, which is locked for as long as somebody has it open: the system takes the lock away when the
/// process is killed, and so others know what was left.
pub fn new_partial(folder: &Path) -> Result<(PathBuf, File)> {
    for _ in 0..TRIES {
        let number = LAST_NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{}{}-{number}{}", PARTIAL.0, std::process::id(), PARTIAL.1));
        let file = match private_file().create_new(true).write(true).open(&path) {
            // One of an earlier process of that number.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            made => made?,
        };
        if !HAS_LOCKS {
            return Ok((path, file));
        }
        match file.try_lock() {
            // Who found it before it was locked has removed it, or is about to.
            Err(TryLockError::WouldBlock) => {}
            Ok(()) if fs::symlink_metadata(&path).is_err() => {}
            Ok(()) | Err(TryLockError::Error(_)) => return Ok((path, file)),
        }
    }
    Err(Error::from(ErrorKind::ResourceBusy))
}

/// Whether a file stays locked until it has its name: Windows renames none that is open.
pub const HAS_LOCKS: bool = cfg!(unix);

/// Whether a device has the Set in a file open, and keeps its changes there.
pub fn is_open(file: &FileThere) -> bool {
    let lock = || open_plain(&file.path).ok().map(|file| file.try_lock());
    matches!(HAS_LOCKS.then(lock).flatten(), Some(Err(TryLockError::WouldBlock)))
}

/// Whether nobody is at work on a file any more.
fn is_left(file: &FileThere) -> bool {
    let lock = || File::options().write(true).open(&file.path).ok().map(|file| file.try_lock());
    match HAS_LOCKS.then(lock).flatten() {
        Some(Ok(())) => true,
        Some(Err(TryLockError::WouldBlock)) => false,
        Some(Err(TryLockError::Error(_))) | None => is_older(file, PARTIAL_IS_LEFT_AFTER),
    }
}

/// Plain files that can be seen, oldest first.
pub fn files_in(folder: &Path) -> Vec<FileThere> {
    let mut files: Vec<FileThere> = all_in(folder).filter(|file| !is_hidden(&file.path)).collect();
    files.sort_by(|a, b| (a.modified, &a.path).cmp(&(b.modified, &b.path)));
    files
}

/// Whether there is room for one more of so many bytes.
pub fn has_room(files: &[FileThere], more_bytes: u64, kept: Kept) -> bool {
    let bytes = files.iter().fold(more_bytes, |sum, file| sum.saturating_add(file.bytes));
    files.len() < kept.files && bytes <= kept.bytes
}

/// Removes the oldest until there is room for one more.
pub fn make_room(folder: &Path, more_bytes: u64, kept: Kept) {
    let mut files: Vec<FileThere> = files_in(folder).into_iter().filter(|file| !is_open(file)).collect();
    while !files.is_empty() && !has_room(&files, more_bytes, kept) {
        // What cannot be removed is in somebody's hands; the next one does as well.
        let _ = fs::remove_file(files.remove(0).path);
    }
}

/// Removes what was left by a device that was killed while a file came, and nothing that still comes to another one.
pub fn remove_left_partials(folder: &Path) {
    let is_partial = |file: &FileThere| {
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(PARTIAL.0) && name.ends_with(PARTIAL.1)
    };
    remove(all_in(folder).filter(is_partial).filter(is_left));
}

pub fn remove_older(files: impl Iterator<Item = FileThere>, age: Duration) {
    remove(files.filter(|file| is_older(file, age)));
}

fn is_older(file: &FileThere, age: Duration) -> bool {
    file.modified.elapsed().is_ok_and(|passed| passed > age)
}

fn remove(files: impl Iterator<Item = FileThere>) {
    for file in files {
        // Of no use; if it cannot be removed, it does no harm.
        let _ = fs::remove_file(file.path);
    }
}

fn all_in(folder: &Path) -> impl Iterator<Item = FileThere> {
    fs::read_dir(folder).into_iter().flatten().flatten().filter_map(|entry| {
        // Of a link, what it leads to is not asked.
        let about = fs::symlink_metadata(entry.path()).ok().filter(fs::Metadata::is_file)?;
        Some(FileThere { path: entry.path(), bytes: about.len(), modified: about.modified().ok()? })
    })
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().unwrap_or_default().to_string_lossy().starts_with('.')
}
