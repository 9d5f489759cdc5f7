//! Files written whole or not at all, and read only where they are what they should be.

use parking_lot::{Mutex, MutexGuard};
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Largest text that is read, in bytes: four times what a document may have, as people edit these files by hand.
const MAX_BYTES: u64 = 64 * 1024;

/// Why a file is not read. Follows the file's name in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Odd {
    #[error("is no plain file")]
    NoFile,
    #[error("is larger than {} kB", MAX_BYTES / 1024)]
    TooLarge,
    #[error("is longer than {0} characters")]
    TooLong(usize),
    #[error("is no UTF-8 text")]
    NoText,
    #[error("cannot be read ({0})")]
    Closed(io::ErrorKind),
}

/// A text file of ours; `None` when there is none. Links are not followed.
pub fn read_text(file: &Path) -> Result<Option<String>, Odd> {
    let closed = |e: io::Error| Odd::Closed(e.kind());
    let about = match fs::symlink_metadata(file) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        about => about.map_err(closed)?,
    };
    if !about.is_file() {
        return Err(Odd::NoFile);
    }
    let mut bytes = Vec::new();
    fs::File::open(file).and_then(|f| f.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(closed)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Odd::TooLarge);
    }
    let text = String::from_utf8(bytes).map_err(|_| Odd::NoText)?;
    Ok(Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)))
}

/// Devices of one process may share a folder: who has this may look at a file and then write it.
pub static WRITING: Mutex<()> = Mutex::new(());

/// The right to look at the files of a folder and then write them, while no other device does, in this process or another.
pub struct Alone {
    /// The lock goes with the handle, also when the process is killed.
    _others: Option<fs::File>,
    _here: MutexGuard<'static, ()>,
}

/// Waits for the right to write in the folder, which is made if need be. Fails with [`io::ErrorKind::WouldBlock`] when another
/// process keeps it for longer than any write takes.
pub fn alone(folder: &Path) -> io::Result<Alone> {
    const PATIENCE: Duration = Duration::from_secs(2);
    const BETWEEN: Duration = Duration::from_millis(2);
    let here = WRITING.lock();
    fs::create_dir_all(folder)?;
    let lock = handle(folder)?;
    let end = Instant::now() + PATIENCE;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(Alone { _others: Some(lock), _here: here }),
            Err(fs::TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(BETWEEN),
            Err(fs::TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
            // A disk without locks, such as some network ones: whole files are all that can be had there.
            Err(fs::TryLockError::Error(_)) => return Ok(Alone { _others: None, _here: here }),
        }
    }
}

/// What is locked: the folder itself where it can be opened, so that nothing has to lie in it.
#[cfg(unix)]
fn handle(folder: &Path) -> io::Result<fs::File> {
    fs::File::open(folder)
}

#[cfg(not(unix))]
fn handle(folder: &Path) -> io::Result<fs::File> {
    fs::File::options().create(true).truncate(false).write(true).open(folder.join(".lock"))
}

/// Removes a file; one that is not there is removed already.
pub fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Writes beside the file and renames over it, so that a reader or a crash sees the old text or the new one.
pub fn write_whole(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = file.file_name().ok_or_else(|| io::Error::other("not a file name"))?;
    let beside = folder.join(format!(".{}.{}.new", name.to_string_lossy(), std::process::id()));
    let written = fs::File::create(&beside).and_then(|mut f| {
        f.write_all(bytes)?;
        f.sync_all()
    });
    let renamed = written.and_then(|()| fs::rename(&beside, file));
    if renamed.is_err() {
        // The half file is of no use; that it cannot be removed changes nothing.
        let _ = fs::remove_file(&beside);
    }
    renamed?;
    // The new name is to outlive a power cut as well. Where folders cannot be synced, this is as far as it goes.
    #[cfg(unix)]
    let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Removes what [`write_whole`] left of this file when its process was killed. Another process may be writing just now: only
/// what is older than a write takes is litter.
pub fn remove_halves(folder: &Path, name: &str) {
    remove_halves_of(folder, |file| file == name);
}

/// As [`remove_halves`], of every file that `ours` knows.
pub fn remove_halves_of(folder: &Path, ours: impl Fn(&str) -> bool) {
    const A_WRITE_TAKES: std::time::Duration = std::time::Duration::from_secs(60);
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let half = entry.file_name();
        let of = half.to_str().and_then(|half| half.strip_prefix('.')?.strip_suffix(".new")?.rsplit_once('.'));
        let litter = of.is_some_and(|(file, process)| process.bytes().all(|b| b.is_ascii_digit()) && ours(file));
        let modified = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if litter && modified().is_some_and(|age| age > A_WRITE_TAKES) {
            // That it cannot be removed changes nothing.
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
            (b"\xff", Err(Odd::NoText)),
            (&[b'x'; 64 * 1024 + 1], Err(Odd::TooLarge)),
        ] {
            write_whole(&file, bytes).unwrap();
            assert_eq!(read_text(&file), read.map(|text| Some(text.to_owned())), "{} bytes", bytes.len());
        }
        assert_eq!(read_text(folder.path()), Err(Odd::NoFile));
        remove(&file).unwrap();
        remove(&file).unwrap();
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
        remove_halves(folder.path(), "a.md");
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".a.md.13.new", ".a.md.x.new", ".b.md.12.new", "a.md.12.new"]);
    }
}
