//! What lies in a folder of ours, and the rule by which files of it go.

use super::Kept;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How files in the making begin and end; nothing else in the folders does.
const PARTIAL: (&str, &str) = (".upload-", ".part");
/// A sender that pauses for half of that is refused, so nobody is still at work on what has not changed for so long.
const PARTIAL_IS_LEFT_AFTER: Duration = Duration::from_secs(60);

/// A file as the disk tells of it.
#[derive(Clone, Debug)]
pub struct FileThere {
    pub path: PathBuf,
    pub bytes: u64,
    pub modified: SystemTime,
}

pub fn partial_name(number: usize) -> String {
    format!("{}{}-{number}{}", PARTIAL.0, std::process::id(), PARTIAL.1)
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
    let mut files = files_in(folder);
    while !files.is_empty() && !has_room(&files, more_bytes, kept) {
        // What cannot be removed is in somebody's hands; the next one does as well.
        let _ = fs::remove_file(files.remove(0).path);
    }
}

/// Removes what was left by a device that was killed while a file came.
pub fn remove_left_partials(folder: &Path) {
    let is_partial = |file: &FileThere| {
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(PARTIAL.0) && name.ends_with(PARTIAL.1)
    };
    remove_older(all_in(folder).filter(is_partial), PARTIAL_IS_LEFT_AFTER);
}

pub fn remove_older(files: impl Iterator<Item = FileThere>, age: Duration) {
    for file in files {
        if file.modified.elapsed().is_ok_and(|passed| passed > age) {
            // Of no use; if it cannot be removed, it does no harm.
            let _ = fs::remove_file(file.path);
        }
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
