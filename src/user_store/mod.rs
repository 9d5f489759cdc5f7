//! What the user keeps across projects, as plain files in a folder of their own (`~/.svc`, or `--data-dir`), and the copy of a
//! project's context beside the project.
//!
//! ```text
//! context.md             who the user is
//! memory/<slug>.md       one fact each; memory/MEMORY.md lists them and is made anew from them
//! skills/<fragment>.md   what replaces a fragment of the skills
//! presets/<device>/<name>.svcpreset.json   devices as they were saved
//! ```
//!
//! Invariants: a file is whole or not there; who looks at a file and then writes it is alone in the folder, among processes
//! too; nothing outside these folders is read or written, as names are checked and links
//! are not followed; a file that cannot be read for what it should be is never written over. Everything here waits for a
//! disk: never call it with the Set's guard, nor on a host's thread.

mod files;
mod guard;
mod memory;
mod preset_file;
pub mod presets;
mod sidecar;
mod skills;

pub use files::{Odd, write_whole};
pub use guard::{Loss, loss};
pub use memory::{Index, MAX_ENTRIES, slug};
pub use preset_file::{Preset, PresetError};
pub use presets::Presets;
pub use sidecar::{FILE_NAME as SIDECAR_NAME, Sidecar};
pub use skills::{front_matter, is_name, is_open_matter};

use files::{alone, read_text, remove, remove_halves};
use parking_lot::Mutex;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// Longest document and memory body, in characters.
pub const MAX_CONTENT_CHARS: usize = 10_000;
/// Longest name of a memory entry, in characters.
pub const MAX_NAME_CHARS: usize = 200;
/// Longest description of a memory entry, in characters.
pub const MAX_DESCRIPTION_CHARS: usize = 500;

const GLOBAL: &str = "context.md";

/// The user's folder, and the sidecar of the open project if it has a folder that we know of.
#[derive(Debug, Default)]
pub struct UserStore {
    folder: Option<PathBuf>,
    sidecar: Option<Sidecar>,
    remarks: Mutex<Remarks>,
}

/// What is wrong with files: each thing is told once.
#[derive(Debug, Default)]
struct Remarks {
    made: HashSet<String>,
    open: Vec<String>,
}

/// Why something was not read or not written. The text is for the caller and names no folder of the user's disk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    #[error("there is no folder to keep it in: no home folder was found")]
    NoFolder,
    #[error("{file} in the user's folder {why}; it stays as it is. Repair it or move it away")]
    Unreadable { file: String, why: Odd },
    #[error(
        "nothing was written: the new text keeps {}. Send the whole document, what is there included; to replace it on purpose \
         add force: true",
        nothing_of(.0)
    )]
    WouldLose(Loss),
    #[error("\"{0}\" cannot name a memory entry: {1}")]
    Name(String, &'static str),
    #[error("there are {MAX_ENTRIES} memory entries already; delete one first")]
    Full,
    #[error("{file} could not be written: {}", told(*.kind))]
    NotWritten { file: String, kind: io::ErrorKind },
}

impl UserStore {
    /// Opens nothing yet. `folder` is the user's, `project` the open project's.
    pub fn new(folder: Option<PathBuf>, project: Option<PathBuf>) -> UserStore {
        UserStore { folder, sidecar: project.map(|folder| Sidecar::new(&folder)), remarks: Mutex::default() }
    }

    /// Whether there is a folder to keep things in.
    pub fn has_folder(&self) -> bool {
        self.folder.is_some()
    }

    pub fn sidecar(&self) -> Option<&Sidecar> {
        self.sidecar.as_ref()
    }

    /// Removes what was being written when a device was killed.
    pub fn tidy(&self) {
        if let Some(folder) = &self.folder {
            remove_halves(folder, GLOBAL);
            memory::tidy(folder);
        }
        if let Some(sidecar) = &self.sidecar {
            sidecar.tidy();
        }
    }

    /// The global document, empty when there is none.
    pub fn global(&self) -> Result<String, StoreError> {
        let Some(folder) = &self.folder else { return Ok(String::new()) };
        let text = read_text(&folder.join(GLOBAL)).map_err(|why| unreadable(GLOBAL, why))?;
        Ok(text.unwrap_or_default())
    }

    /// Replaces the global document; a blank text removes it. Unless forced, a text that keeps nothing is refused.
    pub fn write_global(&self, text: &str, force: bool) -> Result<(), StoreError> {
        let folder = self.folder()?;
        let _alone = alone(folder).map_err(|e| not_written(GLOBAL, &e))?;
        let before = self.global()?;
        if !force && let Some(loss) = loss(&before, text) {
            return Err(StoreError::WouldLose(loss));
        }
        let file = folder.join(GLOBAL);
        let written = if text.trim().is_empty() { remove(&file) } else { write_whole(&file, text.as_bytes()) };
        written.map_err(|e| not_written(GLOBAL, &e))
    }

    /// The entries of the memory. The list that lies beside them is made anew if it says something else.
    pub fn index(&self) -> Result<Index, StoreError> {
        match &self.folder {
            Some(folder) => memory::index(folder),
            None => Ok(Index::default()),
        }
    }

    /// The body of a memory entry; `None` when there is none of that name.
    pub fn entry(&self, name: &str) -> Result<Option<String>, StoreError> {
        let slug = memory::file_slug(name)?;
        match &self.folder {
            Some(folder) => memory::body(folder, &slug),
            None => Ok(None),
        }
    }

    /// Makes or replaces a memory entry; the entries as they are then.
    pub fn write_entry(&self, name: &str, description: &str, body: &str) -> Result<Index, StoreError> {
        let slug = memory::file_slug(name)?;
        let folder = self.folder()?;
        let _alone = alone(folder).map_err(|e| not_written(&memory::shown(&slug), &e))?;
        memory::write(folder, &slug, name, description, body)?;
        memory::index(folder)
    }

    /// Removes a memory entry, if it is there; the entries as they are then.
    pub fn delete_entry(&self, name: &str) -> Result<Index, StoreError> {
        let slug = memory::file_slug(name)?;
        let folder = self.folder()?;
        let _alone = alone(folder).map_err(|e| not_written(&memory::shown(&slug), &e))?;
        memory::delete(folder, &slug)?;
        memory::index(folder)
    }

    /// The user's own fragments of the skills, by name, and what is wrong with files that are none.
    pub fn skills(&self) -> (Vec<(String, String)>, Vec<String>) {
        self.folder.as_deref().map(skills::read).unwrap_or_default()
    }

    /// Notes what people should know, for the next caller; false when it was noted before.
    pub fn remark(&self, remark: String) -> bool {
        let mut remarks = self.remarks.lock();
        let new = remarks.made.insert(remark.clone());
        if new {
            remarks.open.push(remark);
        }
        new
    }

    /// Remarks that nobody was told of yet.
    pub fn take_remarks(&self) -> Vec<String> {
        std::mem::take(&mut self.remarks.lock().open)
    }

    fn folder(&self) -> Result<&Path, StoreError> {
        self.folder.as_deref().ok_or(StoreError::NoFolder)
    }
}

fn nothing_of(loss: &Loss) -> String {
    const OTHERS: &str = "headings and shorter ones do not count";
    match (loss.lines, loss.is_all) {
        (1, true) => format!("nothing of the 1 line that is there, \"{}\"", loss.first),
        (1, false) => format!("nothing of the 1 line that says something ({OTHERS}), \"{}\"", loss.first),
        (lines, true) => format!("none of the {lines} lines that are there, such as \"{}\"", loss.first),
        (lines, false) => {
            format!("none of the {lines} lines that say something ({OTHERS}), such as \"{}\"", loss.first)
        }
    }
}

/// Why a file was not written, in a sentence.
fn told(kind: io::ErrorKind) -> String {
    match kind {
        io::ErrorKind::WouldBlock => "another device is writing there; try again".to_owned(),
        kind => kind.to_string(),
    }
}

fn unreadable(file: &str, why: Odd) -> StoreError {
    StoreError::Unreadable { file: file.to_owned(), why }
}

fn not_written(file: &str, error: &io::Error) -> StoreError {
    StoreError::NotWritten { file: file.to_owned(), kind: error.kind() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn store(folder: &Path) -> UserStore {
        UserStore::new(Some(folder.join("deep")), None)
    }

    #[test]
    fn the_global_document() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        assert_eq!(store.global(), Ok(String::new()));
        store.write_global("I make slow techno.\n", false).unwrap();
        assert_eq!(store.global().unwrap(), "I make slow techno.\n");
        let refused = store.write_global("Something else", false).unwrap_err();
        assert!(matches!(&refused, StoreError::WouldLose(loss) if loss.lines == 1), "{refused}");
        assert!(refused.to_string().contains("I make slow techno."), "{refused}");
        assert_eq!(store.global().unwrap(), "I make slow techno.\n");
        store.write_global("Something else", true).unwrap();
        store.write_global(" \n", false).unwrap();
        assert_eq!(store.global(), Ok(String::new()));
        store.write_global("", false).unwrap();
        assert_eq!(fs::read_dir(folder.path().join("deep")).unwrap().count(), 0, "nothing is left over");
    }

    #[test]
    fn odd_files_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let store = UserStore::new(Some(folder.path().to_owned()), None);
        let file = folder.path().join(GLOBAL);
        for bytes in [b"\xff\xfe".to_vec(), vec![b'x'; 100_000]] {
            fs::write(&file, &bytes).unwrap();
            assert!(matches!(store.global(), Err(StoreError::Unreadable { .. })));
            assert!(matches!(store.write_global("new", true), Err(StoreError::Unreadable { .. })));
            assert_eq!(fs::read(&file).unwrap(), bytes);
        }
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        let refused = store.write_global("new", true).unwrap_err().to_string();
        assert!(refused.contains("context.md") && !refused.contains(folder.path().to_str().unwrap()), "{refused}");
        #[cfg(unix)]
        {
            fs::remove_dir(&file).unwrap();
            let outside = tempfile::NamedTempFile::new().unwrap();
            std::os::unix::fs::symlink(outside.path(), &file).unwrap();
            assert!(store.write_global("new", true).is_err() && store.global().is_err(), "no link is followed");
        }
    }

    #[test]
    fn without_a_folder() {
        let store = UserStore::default();
        assert_eq!(store.global(), Ok(String::new()));
        assert_eq!(store.entry("a"), Ok(None));
        assert_eq!(store.write_global("x", false), Err(StoreError::NoFolder));
        assert_eq!(store.write_entry("a", "b", "c"), Err(StoreError::NoFolder));
        assert_eq!(store.delete_entry("a"), Err(StoreError::NoFolder));
    }

    #[test]
    fn what_was_told_is_not_told_again() {
        let store = UserStore::default();
        assert!(store.remark("a".to_owned()) && !store.remark("a".to_owned()) && store.remark("b".to_owned()));
        assert_eq!(store.take_remarks(), ["a", "b"]);
        assert!(!store.remark("a".to_owned()));
        assert_eq!(store.take_remarks(), Vec::<String>::new());
    }
}
