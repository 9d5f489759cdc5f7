//! What the user keeps across projects, as plain files in a folder of their own (`~/.svc`, or `--data-dir`), and the
//! copy of a project's context beside the project.
//!
//! ```text
//! context.md             who the user is
//! memory/<slug>.md       one fact each; memory/MEMORY.md lists them and is made anew from them
//! skills/<fragment>.md   what replaces a fragment of the skills
//! presets/<device>/<name>.svcpreset.json   devices as they were saved
//! grants.json            what projects may read and write
//! live-user-library      where Ableton Live looks for scripts, once the user has named it
//! token                  what every call has to show, if the user wants that
//! written-files.json     which files elsewhere this product wrote, as they were then
//! ```
//!
//! Invariants: a file is whole or not there; who looks at a file and then writes it holds the folder's lock, which also
//! keeps other processes out; nothing outside these folders is read or written, as names are checked and links are not
//! followed; a file that cannot be read as what it should be is never overwritten. Everything here waits for a disk:
//! never call it with the Set's guard, nor on a host's thread.

mod atomic_files;
mod folder_lock;
mod front_matter;
mod grants;
mod limits;
mod live_library;
mod memory;
mod overwrite_guard;
mod preset_file;
pub mod presets;
mod sidecar;
mod skill_files;
mod store_error;
mod token_file;
mod written_files;

pub use atomic_files::{FileProblem, write_atomically};
pub use front_matter::{front_matter, has_unclosed_front_matter};
pub use grants::Grants;
pub use limits::{MAX_CONTENT_CHARS, MAX_DESCRIPTION_CHARS, MAX_ENTRIES, MAX_NAME_CHARS};
pub use live_library::{read_live_library, write_live_library};
pub use memory::{MemoryIndex, slug};
pub use overwrite_guard::{LostLines, lost_lines};
pub use preset_file::{Preset, PresetError};
pub use presets::{Presets, SavedPreset};
pub use sidecar::{FILE_NAME as SIDECAR_NAME, Sidecar, SidecarProblem};
pub use skill_files::is_fragment_name;
pub use store_error::StoreError;
pub use token_file::{Token, read_token, token_file};
pub use written_files::WrittenFiles;

use crate::disk::Access;
use atomic_files::{read_text, remove_if_present, remove_partial_writes};
use folder_lock::lock_folder;
use parking_lot::Mutex;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use store_error::{not_written, unreadable};

const GLOBAL_FILE: &str = "context.md";

/// The user's folder, and the sidecar of the open project if its folder is known.
#[derive(Debug, Default)]
pub struct UserStore {
    folder: Option<PathBuf>,
    sidecar: Option<Sidecar>,
    remarks: Mutex<RemarkLog>,
}

/// Remarks on files, each of which is reported once.
#[derive(Debug, Default)]
struct RemarkLog {
    seen: HashSet<String>,
    pending: Vec<String>,
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

    /// Removes the partial files of writes during which a device was killed.
    pub fn remove_partial_writes(&self) {
        if let Some(folder) = &self.folder {
            remove_partial_writes(folder, GLOBAL_FILE);
            memory::remove_partial_writes(folder);
        }
        if let Some(sidecar) = &self.sidecar {
            sidecar.remove_partial_writes();
        }
    }

    /// The global document, empty when there is none.
    pub fn global_context(&self) -> Result<String, StoreError> {
        let Some(folder) = &self.folder else { return Ok(String::new()) };
        let text = read_text(&folder.join(GLOBAL_FILE)).map_err(|why| unreadable(GLOBAL_FILE, why))?;
        Ok(text.unwrap_or_default())
    }

    /// Replaces the global document; a blank text removes it. Unless forced, a text that keeps no line of the old one
    /// is refused ([`StoreError::WouldLose`]).
    pub fn write_global_context(&self, text: &str, force: bool) -> Result<(), StoreError> {
        let folder = self.folder()?;
        let _lock = lock_folder(folder).map_err(|e| not_written(GLOBAL_FILE, &e))?;
        let before = self.global_context()?;
        if !force && let Some(lost) = lost_lines(&before, text) {
            return Err(StoreError::WouldLose(lost));
        }
        let file = folder.join(GLOBAL_FILE);
        let written = if text.trim().is_empty() {
            remove_if_present(&file)
        } else {
            write_atomically(&file, text.as_bytes(), Access::OwnerOnly)
        };
        written.map_err(|e| not_written(GLOBAL_FILE, &e))
    }

    /// The entries of the memory. The list that lies beside them is written anew if it differs.
    pub fn memory_index(&self) -> Result<MemoryIndex, StoreError> {
        match &self.folder {
            Some(folder) => memory::index(folder),
            None => Ok(MemoryIndex::default()),
        }
    }

    /// The body of a memory entry; `None` when there is none of that name.
    pub fn memory_entry(&self, name: &str) -> Result<Option<String>, StoreError> {
        let slug = memory::file_slug(name)?;
        match &self.folder {
            Some(folder) => memory::body(folder, &slug),
            None => Ok(None),
        }
    }

    /// Makes or replaces a memory entry; gives the entries as they are then.
    pub fn write_memory_entry(&self, name: &str, description: &str, body: &str) -> Result<MemoryIndex, StoreError> {
        let slug = memory::file_slug(name)?;
        let folder = self.folder()?;
        let _lock = lock_folder(folder).map_err(|e| not_written(&memory::display_path(&slug), &e))?;
        memory::write(folder, &slug, name, description, body)?;
        memory::index(folder)
    }

    /// Removes a memory entry, if it is there; gives the entries as they are then.
    pub fn delete_memory_entry(&self, name: &str) -> Result<MemoryIndex, StoreError> {
        let slug = memory::file_slug(name)?;
        let folder = self.folder()?;
        let _lock = lock_folder(folder).map_err(|e| not_written(&memory::display_path(&slug), &e))?;
        memory::delete(folder, &slug)?;
        memory::index(folder)
    }

    /// The user's token, if there is one. The error is a sentence that names the file.
    pub fn token(&self) -> Result<Option<Token>, String> {
        self.folder.as_deref().map_or(Ok(None), |folder| read_token(&token_file(folder)))
    }

    /// Keeps the user's token, or removes it. Without a folder it lasts as long as the device.
    pub fn write_token(&self, token: Option<&Token>) -> std::io::Result<()> {
        self.folder.as_deref().map_or(Ok(()), |folder| token_file::write_token(folder, token))
    }

    /// The user's own fragments of the skills, as name and text, and remarks on files that are no fragments.
    pub fn skill_files(&self) -> (Vec<(String, String)>, Vec<String>) {
        self.folder.as_deref().map(skill_files::read).unwrap_or_default()
    }

    /// Notes a remark for the next caller; false when it was noted before.
    pub fn remark(&self, remark: String) -> bool {
        let mut remarks = self.remarks.lock();
        let new = remarks.seen.insert(remark.clone());
        if new {
            remarks.pending.push(remark);
        }
        new
    }

    /// The remarks that no caller has had yet.
    pub fn take_remarks(&self) -> Vec<String> {
        std::mem::take(&mut self.remarks.lock().pending)
    }

    fn folder(&self) -> Result<&Path, StoreError> {
        self.folder.as_deref().ok_or(StoreError::NoFolder)
    }
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
        assert_eq!(store.global_context(), Ok(String::new()));
        store.write_global_context("I make slow techno.\n", false).unwrap();
        assert_eq!(store.global_context().unwrap(), "I make slow techno.\n");
        let refused = store.write_global_context("Something else", false).unwrap_err();
        assert!(matches!(&refused, StoreError::WouldLose(loss) if loss.count == 1), "{refused}");
        assert!(refused.to_string().contains("I make slow techno."), "{refused}");
        assert_eq!(store.global_context().unwrap(), "I make slow techno.\n");
        store.write_global_context("Something else", true).unwrap();
        store.write_global_context(" \n", false).unwrap();
        assert_eq!(store.global_context(), Ok(String::new()));
        store.write_global_context("", false).unwrap();
        assert_eq!(fs::read_dir(folder.path().join("deep")).unwrap().count(), 0, "nothing is left over");
    }

    #[test]
    fn odd_files_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let store = UserStore::new(Some(folder.path().to_owned()), None);
        let file = folder.path().join(GLOBAL_FILE);
        for bytes in [b"\xff\xfe".to_vec(), vec![b'x'; 100_000]] {
            fs::write(&file, &bytes).unwrap();
            assert!(matches!(store.global_context(), Err(StoreError::Unreadable { .. })));
            assert!(matches!(store.write_global_context("new", true), Err(StoreError::Unreadable { .. })));
            assert_eq!(fs::read(&file).unwrap(), bytes);
        }
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        let refused = store.write_global_context("new", true).unwrap_err().to_string();
        assert!(refused.contains("context.md") && !refused.contains(folder.path().to_str().unwrap()), "{refused}");
        #[cfg(unix)]
        {
            fs::remove_dir(&file).unwrap();
            let outside = tempfile::NamedTempFile::new().unwrap();
            std::os::unix::fs::symlink(outside.path(), &file).unwrap();
            assert!(
                store.write_global_context("new", true).is_err() && store.global_context().is_err(),
                "no link is followed"
            );
        }
    }

    #[test]
    fn without_a_folder() {
        let store = UserStore::default();
        assert_eq!(store.global_context(), Ok(String::new()));
        assert_eq!(store.memory_entry("a"), Ok(None));
        assert_eq!(store.write_global_context("x", false), Err(StoreError::NoFolder));
        assert_eq!(store.write_memory_entry("a", "b", "c"), Err(StoreError::NoFolder));
        assert_eq!(store.delete_memory_entry("a"), Err(StoreError::NoFolder));
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
