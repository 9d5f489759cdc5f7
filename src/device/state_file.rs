//! The file of a device that no plugin host saves; written whole or not at all, by one device at a time.

use super::change_log;
use super::file_lock::FileTaken;
#[cfg(unix)]
use super::file_lock::is_same_file;
use super::packed_state;
use super::state::LoadedState;
use crate::disk::{Access, StagedFile, folder_of, make_folder, open_real};
use crate::paths::{document_name_fault, plain_path};
use crate::set::edit::saved_set::LoadError;
use parking_lot::Mutex;
#[cfg(unix)]
use std::fs::TryLockError;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A longer file is no state.
const MAX_BYTES: u64 = 16 << 30;
const READ_BUFFER: usize = 1 << 18;
const WRITE_BUFFER: usize = 1 << 18;
/// Links that are followed from one to the next.
const MAX_LINKS: usize = 40;

/// Where a device without a plugin host's project keeps its state.
#[derive(Clone, Debug)]
pub struct StateFile {
    /// Without links.
    path: PathBuf,
    /// A link that comes into the path later is refused.
    is_real: bool,
    access: Access,
    /// The folder of what is not one Set's own.
    user_folder: PathBuf,
    /// The folder of the Set that the user opened.
    project_folder: Option<PathBuf>,
    /// It is written compressed.
    is_packed: bool,
    /// The log that goes on from what lies in the file, and how long it is; set by who read it.
    pub open_log: Option<OpenLog>,
    lock: Arc<Mutex<FileLock>>,
}

/// A log that is to be gone on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenLog {
    pub name: String,
    /// Bytes of it that were read; 0 where there is none yet.
    pub length: u64,
}

#[derive(Debug, Default)]
struct FileLock {
    is_wanted: bool,
    /// The file under the name, locked.
    held: Option<File>,
}

impl StateFile {
    /// The state in `data_dir`, or in `file` when the user opened one. A link is followed: what it leads to is the
    /// file.
    pub fn new(data_dir: &Path, file: Option<PathBuf>) -> StateFile {
        let access = if file.is_some() { Access::AsBefore } else { Access::OwnerOnly };
        let is_named = file.is_some();
        let path = resolved(&file.unwrap_or_else(|| data_dir.join("state.json")));
        StateFile {
            access,
            user_folder: data_dir.to_owned(),
            project_folder: is_named.then(|| folder_of(&path).to_owned()),
            is_packed: packed_state::is_packed_name(&path),
            path,
            is_real: false,
            open_log: None,
            lock: Arc::default(),
        }
    }

    /// A document of a call, by the path that a look at its links gave.
    pub fn of_real(file: &Path) -> StateFile {
        let path = file.to_owned();
        let is_packed = packed_state::is_packed_name(&path);
        StateFile { path, is_packed, is_real: true, ..StateFile::new(Path::new(""), Some(file.to_owned())) }
    }

    /// Why a document that the user named cannot have that name on this system.
    pub fn name_fault(file: &Path) -> Option<&'static str> {
        document_name_fault(file)
    }

    /// The folder of what belongs to the user across Sets.
    pub fn user_folder(&self) -> &Path {
        &self.user_folder
    }

    /// The folder of the Set that the user opened; none for the state in the data folder.
    pub fn project_folder(&self) -> Option<&Path> {
        self.project_folder.as_deref()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn make_folder(&self) -> io::Result<()> {
        make_folder(folder_of(&self.path), self.access)
    }

    /// Where the log of that name lies.
    pub fn log_path(&self, name: &str) -> PathBuf {
        self.beside(&format!("{name}.log"))
    }

    /// A hidden file beside the state.
    pub fn beside(&self, ending: &str) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        folder_of(&self.path).join(format!(".{name}.{ending}"))
    }

    /// Names of the logs that lie beside the file.
    pub fn logs(&self) -> Vec<String> {
        let start = format!(".{}.", self.path.file_name().unwrap_or_default().to_string_lossy());
        let Ok(entries) = fs::read_dir(folder_of(&self.path)) else { return Vec::new() };
        let names = entries.flatten().filter_map(|entry| {
            let name = entry.file_name();
            let name = name.to_str()?.strip_prefix(&start)?.strip_suffix(".log")?;
            change_log::is_name(name).then(|| name.to_owned())
        });
        names.collect()
    }

    /// Takes the lock on the file itself, if it is there; from now on every file that is put in its place is locked
    /// before it has the name. Where the system has no locks, everybody gets one.
    #[cfg(unix)]
    pub fn take_lock(&self) -> Result<(), FileTaken> {
        let mut lock = self.lock.lock();
        lock.is_wanted = true;
        // Whoever has the file may put another one in its place between opening and locking.
        for _ in 0..100 {
            let Ok(file) = open_plain(&self.path) else { return Ok(()) };
            match file.try_lock() {
                Ok(()) if is_same_file(&file, &self.path) => {
                    lock.held = Some(file);
                    return Ok(());
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(FileTaken),
                Err(TryLockError::Error(_)) => return Ok(()),
            }
        }
        Err(FileTaken)
    }

    /// A locked file could not be read here by anyone else. The lock beside it does: nobody can remove that.
    #[cfg(not(unix))]
    pub fn take_lock(&self) -> Result<(), FileTaken> {
        Ok(())
    }

    /// Why what lies under the name cannot be a state, whoever may read it.
    pub fn check_kind(&self) -> Result<(), &'static str> {
        fs::metadata(&self.path).map_or(Ok(()), |about| check_kind(&about))
    }

    /// Reads the state as it was written last, without its log; `None` when there is no file.
    pub fn read(&self) -> io::Result<Option<Result<LoadedState, LoadError>>> {
        self.read_through(|file| Box::new(file))
    }

    /// As [`StateFile::read`], with every byte passing through what `through` gives.
    pub fn read_through<'a>(
        &self,
        through: impl FnOnce(File) -> Box<dyn Read + 'a>,
    ) -> io::Result<Option<Result<LoadedState, LoadError>>> {
        let open = if self.is_real { open_real(&self.path) } else { open_plain(&self.path) };
        let file = match open {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let loaded = packed_state::read(BufReader::with_capacity(READ_BUFFER, through(file).take(MAX_BYTES)));
        Ok(Some(loaded.map_err(|error| match error {
            LoadError::Damaged(_) if !starts_as_text(&self.path) => match starts_as_json(&self.path) {
                true => LoadError::Damaged("it is no UTF-8 text".to_owned()),
                false => LoadError::NoSet,
            },
            error => error,
        })))
    }

    /// Writes a state beside the file, for [`StateFile::put_in_place`].
    pub fn stage(&self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<StagedFile> {
        let staged = match self.is_real {
            true => StagedFile::of_real(&self.path, self.access)?,
            false => StagedFile::new(&self.path, self.access)?,
        };
        let mut writer = BufWriter::with_capacity(WRITE_BUFFER, staged.file());
        if self.is_packed {
            packed_state::write(&mut writer, fill)?;
        } else {
            fill(&mut writer)?;
        }
        writer.flush()?;
        drop(writer);
        staged.sync()?;
        Ok(staged)
    }

    /// Gives a staged state the file's name. Refused where another device has put its own there.
    pub fn put_in_place(&self, staged: StagedFile) -> io::Result<()> {
        let mut lock = self.lock.lock();
        if !lock.is_wanted {
            return staged.put_in_place().map(|_| ());
        }
        #[cfg(unix)]
        if !lock.held.as_ref().is_some_and(|held| is_same_file(held, &self.path))
            && let Ok(there) = open_plain(&self.path)
            && matches!(there.try_lock(), Err(TryLockError::WouldBlock))
        {
            return Err(io::Error::other("another svc-device has put its own file there"));
        }
        // Nobody else has seen this file yet.
        let _ = staged.file().try_lock();
        lock.held = Some(staged.put_in_place()?);
        Ok(())
    }
}

/// Follows links, also one that leads to nothing yet.
fn resolved(file: &Path) -> PathBuf {
    let mut path = file.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = folder_of(&path).join(to),
            Err(_) => break,
        }
    }
    // One file has one name, whichever folder's link leads there.
    match (fs::canonicalize(folder_of(&path)), path.file_name()) {
        (Ok(folder), Some(name)) => plain_path(folder.join(name)),
        _ => path,
    }
}

fn check_kind(about: &fs::Metadata) -> Result<(), &'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = about.file_type();
        if kind.is_fifo() || kind.is_socket() {
            return Err("is a pipe or socket, not a file");
        }
        if kind.is_char_device() || kind.is_block_device() {
            return Err("is a device, not a file");
        }
    }
    if about.is_file() && about.len() > MAX_BYTES {
        return Err("is larger than any Set (16 GB)");
    }
    Ok(())
}

/// Opens a file to be read, and nothing that opening or reading could wait for.
fn open_plain(path: &Path) -> io::Result<File> {
    check_kind(&fs::metadata(path)?).map_err(io::Error::other)?;
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NONBLOCK);
    }
    let file = options.open(path)?;
    let about = file.metadata()?;
    check_kind(&about).map_err(io::Error::other)?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(file)
}

/// Whether a file begins like what a device saves.
fn starts_as_json(path: &Path) -> bool {
    let mut first = [0];
    open_plain(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == *b"{"
}

/// Whether the first 64 MB of a file are UTF-8, or compressed.
fn starts_as_text(path: &Path) -> bool {
    const MOST: u64 = 64 << 20;
    let mut bytes = Vec::new();
    let Ok(_) = open_plain(path).and_then(|file| file.take(MOST).read_to_end(&mut bytes)) else { return true };
    if packed_state::is_packed(&bytes) {
        return true;
    }
    // The last character may have been cut.
    std::str::from_utf8(&bytes).map_or_else(|e| e.error_len().is_none() && bytes.len() as u64 == MOST, |_| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(file: &StateFile, text: &str) -> io::Result<()> {
        file.put_in_place(file.stage(|to| to.write_all(text.as_bytes()))?)
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_locked_whatever_is_put_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str| StateFile::new(folder.path(), Some(folder.path().join(name)));
        let first = of("a.json");
        write(&first, "0").unwrap();
        std::os::unix::fs::symlink("a.json", folder.path().join("link.json")).unwrap();
        first.take_lock().unwrap();
        for text in ["1", "2"] {
            assert_eq!((of("a.json").take_lock(), of("link.json").take_lock()), (Err(FileTaken), Err(FileTaken)));
            write(&first, text).unwrap();
        }
        // Its name was removed, and another device has made a file of that name.
        fs::remove_file(first.path()).unwrap();
        let second = of("a.json");
        second.take_lock().unwrap();
        write(&second, "of the second").unwrap();
        assert!(write(&first, "3").unwrap_err().to_string().contains("another svc-device"));
        assert_eq!(fs::read_to_string(first.path()).unwrap(), "of the second");
        // What no device has may be replaced, as before.
        fs::remove_file(first.path()).unwrap();
        fs::write(first.path(), "by hand").unwrap();
        write(&first, "4").unwrap();
        assert_eq!(fs::read_to_string(first.path()).unwrap(), "4");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_modes_kept() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("deep/song.json"), folder.path().join("link.json"));
        symlink("between.json", &link).unwrap();
        symlink("deep/song.json", folder.path().join("between.json")).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
        // It leads to nothing yet.
        write(&StateFile::new(folder.path(), Some(link.clone())), "new").unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        let through = StateFile::new(folder.path(), Some(link.clone()));
        write(&through, "again").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!((fs::read_to_string(&real).unwrap().as_str(), mode(&real)), ("again", 0o640));
        assert_eq!(through.path(), StateFile::new(folder.path(), Some(real)).path());

        let data = folder.path().join("data");
        let own = StateFile::new(&data, None);
        write(&own, "own").unwrap();
        assert_eq!((mode(&data), mode(own.path())), (0o700, 0o600));
    }
}
