//! Files written whole or not at all, and read only where they are what they should be.

use crate::disk::{Access, Folder, StagedFile, folder_of, open_plain, staged_target};
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

/// Largest text that is read, in bytes: four times what a document may have, as people edit these files by hand.
const MAX_BYTES: u64 = 64 * 1024;

/// Why a file is not read. The text follows the file's name in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileProblem {
    #[error("is no plain file")]
    NotAFile,
    #[error("is larger than {} kB", MAX_BYTES / 1024)]
    TooLarge,
    #[error("is longer than {0} characters")]
    TooLong(usize),
    #[error("is no UTF-8 text")]
    NotText,
    #[error("cannot be read ({0})")]
    Unreadable(io::ErrorKind),
}

/// Reads a text file of the store; `None` when there is none. Links are not followed.
pub fn read_text(file: &Path) -> Result<Option<String>, FileProblem> {
    let closed = |e: io::Error| FileProblem::Unreadable(e.kind());
    let about = match fs::symlink_metadata(file) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        about => about.map_err(closed)?,
    };
    if !about.is_file() {
        return Err(FileProblem::NotAFile);
    }
    let name = file.file_name().ok_or(FileProblem::NotAFile)?;
    let open = Folder::open(folder_of(file)).and_then(|folder| folder.open_file(name)).map_err(closed)?;
    let mut bytes = Vec::new();
    open.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(closed)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(FileProblem::TooLarge);
    }
    let text = String::from_utf8(bytes).map_err(|_| FileProblem::NotText)?;
    Ok(Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)))
}

/// The text of a plain file of at most so many bytes; `None` when there is none. The error follows the file's name in a
/// sentence.
pub fn read_plain(file: &Path, max_bytes: u64) -> Result<Option<String>, String> {
    let closed = |e: io::Error| format!("cannot be read ({})", e.kind());
    match fs::metadata(file) {
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return if leads_nowhere(file) {
                Err("cannot be reached: a link leads nowhere".to_owned())
            } else {
                Ok(None)
            };
        }
        about if !about.as_ref().is_ok_and(fs::Metadata::is_file) => {
            return Err(about.err().map_or_else(|| "is no plain file".to_owned(), closed));
        }
        _ => {}
    }
    let mut bytes = Vec::new();
    open_plain(file).and_then(|open| open.take(max_bytes + 1).read_to_end(&mut bytes)).map_err(closed)?;
    if bytes.len() as u64 > max_bytes {
        return Err(format!("is larger than {max_bytes} bytes"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| "is no UTF-8 text".to_owned())
}

/// Whether a path is not there because a link on it, or at its end, leads to nothing: to a drive that is not plugged
/// in, say. What it leads to is not known then, so it is not the same as no file.
fn leads_nowhere(file: &Path) -> bool {
    let first = file.ancestors().find(|above| above.symlink_metadata().is_ok());
    first.is_some_and(|there| fs::metadata(there).is_err())
}

/// Removes a file, if it is there.
pub fn remove_if_present(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Writes a file beside the given one and renames it over that, so that a reader or a crash sees the old text or the
/// new one.
pub fn write_atomically(file: &Path, bytes: &[u8], access: Access) -> io::Result<()> {
    let staged = StagedFile::new(file, access)?;
    staged.file().write_all(bytes)?;
    staged.sync()?;
    staged.put_in_place()?;
    Ok(())
}

/// Removes what [`write_atomically`] left of this file when its process was killed. Another process may be writing just
/// now, so only what is older than any write takes is removed.
pub fn remove_partial_writes(folder: &Path, name: &str) {
    remove_partial_writes_where(folder, |file| file == name);
}

/// As [`remove_partial_writes`], for every file name that `ours` accepts.
pub fn remove_partial_writes_where(folder: &Path, ours: impl Fn(&str) -> bool) {
    const A_WRITE_TAKES: std::time::Duration = std::time::Duration::from_secs(60);
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_partial = name.to_str().and_then(staged_target).is_some_and(&ours);
        let modified = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_partial && modified().is_some_and(|age| age > A_WRITE_TAKES) {
            // If it cannot be removed, it does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_texts_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.md");
        assert_eq!(read_text(&file), Ok(None));
        for (bytes, read) in [
            (&b"one\n"[..], Ok("one\n")),
            (b"", Ok("")),
            ("\u{feff}Grüße".as_bytes(), Ok("Grüße")),
            (b"\xff", Err(FileProblem::NotText)),
            (&[b'x'; 64 * 1024 + 1], Err(FileProblem::TooLarge)),
        ] {
            write_atomically(&file, bytes, Access::OwnerOnly).unwrap();
            assert_eq!(read_text(&file), read.map(|text| Some(text.to_owned())), "{} bytes", bytes.len());
        }
        assert_eq!(read_text(folder.path()), Err(FileProblem::NotAFile));
        remove_if_present(&file).unwrap();
        remove_if_present(&file).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_is_no_absence() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert_eq!(read_plain(&at("none"), 10), Ok(None));
        assert_eq!(read_plain(&at("no folder/none"), 10), Ok(None));
        std::os::unix::fs::symlink("/nowhere", at("lost")).unwrap();
        assert!(read_plain(&at("lost"), 10).is_err(), "the file");
        assert!(read_plain(&at("lost/token"), 10).is_err(), "its folder");
    }

    #[test]
    fn only_old_halves_of_ours_are_litter() {
        let folder = tempfile::tempdir().unwrap();
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        for (name, aged) in [
            (".a.md.12.new", true),
            (".a.md.13.new", false),
            (".b.md.12.new", true),
            (".a.md.x.new", true),
            ("a.md.12.new", true),
        ] {
            let file = fs::File::create(folder.path().join(name)).unwrap();
            if aged {
                file.set_modified(old).unwrap();
            }
        }
        remove_partial_writes(folder.path(), "a.md");
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".a.md.13.new", ".a.md.x.new", ".b.md.12.new", "a.md.12.new"]);
    }
}
