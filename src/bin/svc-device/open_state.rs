//! Opens the file that the settings and the Set are kept in: finds, locks and reads it.
//!
//! Invariant: a file that cannot be read is never written over, and two devices never write the same file.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use svc_device::device::{state, state_file::StateFile};
use svc_device::service::Settings;
use svc_device::service::embedded::UnreadableState;
use svc_device::set::Document;

/// What a device starts with.
pub struct OpenState {
    pub file: StateFile,
    pub settings: Settings,
    pub document: Document,
    /// What lies in the file cannot be read; it stays as it is.
    pub unreadable: Option<UnreadableState>,
    pub lock: Lock,
}

/// Opens `open`, or the state in `data_dir` (default `~/.svc`). A missing one is made. The error is a sentence for the
/// user.
pub fn open(data_dir: Option<PathBuf>, open: Option<PathBuf>) -> Result<OpenState, String> {
    let data_dir = match data_dir {
        Some(folder) => folder,
        None => std::env::home_dir()
            .filter(|home| !home.as_os_str().is_empty())
            .ok_or("there is no home folder to keep the Set in; name a folder with --data-dir")?
            .join(".svc"),
    };
    if let Some(file) = open.as_deref().filter(|file| is_live_set(file)) {
        return Err(format!(
            "{} is an Ableton Live Set; this version opens its own JSON documents only, so the file was left alone",
            file.display()
        ));
    }
    let file = StateFile::new(&data_dir, open);
    let path = file.path().to_owned();
    let shown = path.display();
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let hint = "choose another place with --data-dir DIR or --open FILE";
    fs::create_dir_all(folder).map_err(|e| format!("cannot make the folder {}: {e}; {hint}", folder.display()))?;
    let name = path.file_name().ok_or_else(|| format!("{shown} is no file name; {hint}"))?.to_string_lossy();
    let lock = Lock::take(folder.join(format!(".{name}.lock")))
        .map_err(|_| format!("another svc-device has {shown} open; close that one, or {hint}"))?;
    remove_partial_writes(folder, &name);

    let mut opened =
        OpenState { file, settings: Settings::default(), document: Document::new_set(), unreadable: None, lock };
    match fs::read(&path) {
        Ok(bytes) => match read(bytes) {
            Ok((settings, document)) => {
                opened.settings = settings;
                opened.document = document;
            }
            Err(unreadable) => opened.unreadable = Some(unreadable),
        },
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let made = opened.file.write(&state::save(&opened.settings, &opened.document, "", 0));
            made.map_err(|e| format!("cannot write {shown}: {e}; {hint}"))?;
        }
        Err(e) => return Err(format!("cannot read {shown}: {e}; {hint}")),
    }
    Ok(opened)
}

/// By its name or its content: a Live Set is XML behind gzip.
fn is_live_set(file: &Path) -> bool {
    const GZIP: [u8; 2] = [0x1F, 0x8B];
    let named = file.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("als"));
    let mut start = [0; 2];
    let packed = File::open(file).and_then(|mut f| f.read_exact(&mut start)).is_ok() && start == GZIP;
    named || packed
}

fn read(bytes: Vec<u8>) -> Result<(Settings, Document), UnreadableState> {
    match String::from_utf8(bytes) {
        Ok(text) => match state::load(&text) {
            Ok(loaded) => Ok((loaded.settings, loaded.document)),
            Err(error) => Err(state::unreadable(text, &error.to_string())),
        },
        Err(error) => {
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Err(state::unreadable(text, "the saved Set is damaged: it is no UTF-8 text"))
        }
    }
}

/// What devices that were killed in the middle of writing left behind.
fn remove_partial_writes(folder: &Path, name: &str) {
    let start = format!(".{name}.");
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let file = entry.file_name();
        let middle = file.to_str().and_then(|name| name.strip_prefix(&start)?.strip_suffix(".new"));
        if middle.is_some_and(|process| process.bytes().all(|b| b.is_ascii_digit())) {
            // Only litter: that it cannot be removed changes nothing.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The lock on the state file, kept as long as the device runs. Its own file is removed with it; after a crash that
/// file stays, unlocked.
pub struct Lock {
    path: PathBuf,
    file: Option<File>,
}

/// Another process has the lock.
#[derive(Debug)]
pub struct LockTaken;

impl Lock {
    /// Where the system has no locks, everybody gets one.
    pub fn take(path: PathBuf) -> Result<Lock, LockTaken> {
        // The former owner removes the file while it holds the lock: then the one at hand is no longer the one to lock.
        for _ in 0..100 {
            let Ok(file) = File::options().create(true).append(true).open(&path) else { break };
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => return Ok(Lock { path, file: Some(file) }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(LockTaken),
                Err(TryLockError::Error(_)) => break,
            }
        }
        Ok(Lock { path, file: None })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.file.is_some() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(mine), Ok(there)) = (file.metadata(), fs::metadata(path)) else { return false };
    (mine.dev(), mine.ino()) == (there.dev(), there.ino())
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
    fn a_lock_is_for_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".lock");
        let first = Lock::take(path.clone()).unwrap();
        assert!(Lock::take(path.clone()).is_err());
        drop(first);
        assert!(!path.exists());
        drop(Lock::take(path.clone()).unwrap());
        // One that a killed device left.
        fs::write(&path, "").unwrap();
        assert!(Lock::take(path).is_ok());
    }

    #[test]
    fn only_partial_writes_of_this_file_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let names = [".a.json.123.new", ".b.json.123.new", ".a.json.x.new", "a.json", ".a.json.123.newer"];
        for name in names {
            fs::write(folder.path().join(name), "").unwrap();
        }
        remove_partial_writes(folder.path(), "a.json");
        let left: Vec<bool> = names.iter().map(|name| folder.path().join(name).exists()).collect();
        assert_eq!(left, [false, true, true, true, true]);
    }

    #[test]
    fn what_is_no_state_is_kept_and_not_written() {
        for bytes in [&b"{"[..], b"", b"{\"format\":99,\"set\":{}}", b"\xff\xfe", b"{\"format\":1,\"set\":\"\xff\"}"] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("state.json");
            fs::write(&file, bytes).unwrap();
            let opened = open(Some(folder.path().to_owned()), None).unwrap();
            let why = opened.unreadable.unwrap().why;
            assert!(why.contains("startFresh"), "{why}");
            assert_eq!(fs::read(&file).unwrap(), bytes);
        }
    }

    #[test]
    fn what_cannot_be_had_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        for (data_dir, open_file, part) in [
            (file.join("below"), None, "cannot make the folder"),
            (folder.path().to_owned(), Some(folder.path().to_owned()), "cannot read"),
            (folder.path().to_owned(), Some(PathBuf::from("..")), "no file name"),
        ] {
            let error = open(Some(data_dir), open_file).err().unwrap();
            assert!(error.contains(part) && error.contains("--data-dir"), "{error}");
        }
        // A Live Set is left alone, there or not, whatever it is called.
        let packed = folder.path().join("packed");
        fs::write(&packed, [0x1F, 0x8B, 8, 0]).unwrap();
        let absent = folder.path().join("new.als");
        for set in [packed.clone(), absent.clone()] {
            let error = open(Some(folder.path().to_owned()), Some(set)).err().unwrap();
            assert!(error.contains("Ableton Live Set"), "{error}");
        }
        assert_eq!((fs::read(packed).unwrap().len(), absent.exists()), (4, false));
    }
}
