//! Files written whole or not at all, and read only where they are what they should be.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

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
    let mut bytes = Vec::new();
    fs::File::open(file).and_then(|f| f.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(closed)?;
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
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(None),
        about if !about.as_ref().is_ok_and(fs::Metadata::is_file) => {
            return Err(about.err().map_or_else(|| "is no plain file".to_owned(), closed));
        }
        _ => {}
    }
    let mut bytes = Vec::new();
    fs::File::open(file).and_then(|open| open.take(max_bytes + 1).read_to_end(&mut bytes)).map_err(closed)?;
    if bytes.len() as u64 > max_bytes {
        return Err(format!("is larger than {max_bytes} bytes"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| "is no UTF-8 text".to_owned())
}

/// Removes a file, if it is there.
pub fn remove_if_present(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Who may read a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Its owner alone: what lies in the user's own folder.
    OwnerOnly,
    /// Whoever could read the file that is there: a document that the user named. A new one is as the system makes it.
    AsBefore,
}

/// Makes a folder and those above it, if they are not there. With [`Access::OwnerOnly`] nobody else may look into what
/// was made; a folder that was there stays as it is.
pub fn make_folder(folder: &Path, access: Access) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    if access == Access::OwnerOnly {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    #[cfg(not(unix))]
    let _ = access;
    builder.create(folder)
}

/// The folder that a file lies in.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Options to make a file that nobody else may read before it is known who may.
pub fn private_file() -> fs::OpenOptions {
    let options = fs::File::options();
    #[cfg(unix)]
    let options = {
        use std::os::unix::fs::OpenOptionsExt;
        let mut options = options;
        options.mode(0o600);
        options
    };
    options
}

/// A file in the making beside the one that it is to replace, so that a reader or a crash sees the old one or the new
/// one. Dropped before it is put in place, it is removed.
#[derive(Debug)]
pub struct StagedFile {
    beside: PathBuf,
    target: PathBuf,
    file: fs::File,
    in_place: bool,
}

impl StagedFile {
    pub fn new(target: &Path, access: Access) -> io::Result<StagedFile> {
        let folder = folder_of(target);
        make_folder(folder, access)?;
        let name = target.file_name().ok_or_else(|| io::Error::other("not a file name"))?;
        let beside = folder.join(format!(".{}.{}.new", name.to_string_lossy(), std::process::id()));
        // One that was left behind may be anything.
        remove_if_present(&beside)?;
        let mut options = if access == Access::OwnerOnly { private_file() } else { fs::File::options() };
        let file = options.create_new(true).write(true).open(&beside)?;
        let staged = StagedFile { beside, target: target.to_owned(), file, in_place: false };
        if access == Access::AsBefore
            && let Ok(there) = fs::metadata(target)
        {
            staged.file.set_permissions(there.permissions())?;
        }
        Ok(staged)
    }

    pub fn file(&self) -> &fs::File {
        &self.file
    }

    /// Has the disk keep what was written.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Gives the file its name; gives the open file.
    pub fn put_in_place(mut self) -> io::Result<fs::File> {
        rename_over(&self.beside, &self.target)?;
        self.in_place = true;
        // The rename should survive a power cut as well. Where folders cannot be synced, nothing more can be done.
        #[cfg(unix)]
        let _ = fs::File::open(folder_of(&self.target)).and_then(|folder| folder.sync_all());
        self.file.try_clone()
    }
}

#[cfg(unix)]
fn rename_over(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

/// A virus scanner, an indexer or a backup that has one of the two files open makes Windows refuse; they close it
/// within moments.
#[cfg(windows)]
fn rename_over(from: &Path, to: &Path) -> io::Result<()> {
    const TRIES: usize = 40;
    for _ in 1..TRIES {
        match fs::rename(from, to) {
            Err(error) if is_briefly_refused(&error) => std::thread::sleep(std::time::Duration::from_millis(25)),
            renamed => return renamed,
        }
    }
    fs::rename(from, to)
}

/// Whether Windows refused because somebody else has the file open, or is about to close one that was removed.
#[cfg(windows)]
pub fn is_briefly_refused(error: &io::Error) -> bool {
    const ERROR_ACCESS_DENIED: i32 = 5;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    const ERROR_LOCK_VIOLATION: i32 = 33;
    const ERROR_DELETE_PENDING: i32 = 303;
    matches!(
        error.raw_os_error(),
        Some(ERROR_ACCESS_DENIED | ERROR_SHARING_VIOLATION | ERROR_LOCK_VIOLATION | ERROR_DELETE_PENDING)
    )
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        if !self.in_place {
            // Of no use; if it cannot be removed, it does no harm.
            let _ = fs::remove_file(&self.beside);
        }
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
        let parts = name.to_str().and_then(|name| name.strip_prefix('.')?.strip_suffix(".new")?.rsplit_once('.'));
        let is_partial = parts.is_some_and(|(file, process)| process.bytes().all(|b| b.is_ascii_digit()) && ours(file));
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
