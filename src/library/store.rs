//! The file that the index is kept in between runs, and the counts of use. It is opened for each piece of work and closed
//! again, so that several devices share it: while one writes, the others' work fails and they come back later. Whole after a
//! kill at any moment: redb commits or does not.

use super::record::Kept;
use redb::{Builder, Database, DatabaseError, ReadableDatabase, ReadableTable, TableDefinition, TableError};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// By the bytes of the path. Another form of the values is another table, so that an older version finds its own again.
const FILES: TableDefinition<&[u8], &[u8]> = TableDefinition::new("files-1");
const USES: TableDefinition<&[u8], u64> = TableDefinition::new("uses-1");

const CACHE_BYTES: usize = 4 * 1024 * 1024;

/// Why nothing could be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    #[error("another device is writing it")]
    Busy,
    #[error("{0}")]
    Failed(String),
}

/// Paths as the store knows them, with what is kept of each.
pub type Files = HashMap<Box<[u8]>, Kept>;

#[derive(Clone, Debug)]
pub struct Store {
    file: PathBuf,
}

/// What to write in one piece.
#[derive(Debug, Default)]
pub struct Changes {
    pub files: Vec<(Box<[u8]>, Vec<u8>)>,
    pub gone: Vec<Box<[u8]>>,
    /// Uses to add.
    pub uses: Vec<(Box<[u8]>, u64)>,
}

impl Changes {
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.gone.is_empty() && self.uses.is_empty()
    }
}

/// The bytes of a path, as keys.
pub fn key(path: &Path) -> Box<[u8]> {
    key_bytes(path).into()
}

pub fn key_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

impl Store {
    pub fn new(file: PathBuf) -> Store {
        Store { file }
    }

    /// Looks whether the file is whole; one that is damaged is put aside, and a new one begun. The index can be made again;
    /// only the counts of use are lost with it.
    pub fn look_after(&self) -> Result<(), StoreError> {
        if !self.file.exists() {
            return Ok(());
        }
        match self.guarded(|| self.open(true).map(drop)) {
            Err(StoreError::Failed(why)) => {
                let aside = self.file.with_extension("damaged");
                std::fs::rename(&self.file, aside).map_err(|e| StoreError::Failed(format!("{why}; {e}")))
            }
            other => other,
        }
    }

    /// Everything kept of the files in a folder.
    pub fn files_in(&self, folder: &Path) -> Result<Files, StoreError> {
        if !self.file.exists() {
            return Ok(Files::new());
        }
        let mut from = folder.as_os_str().as_encoded_bytes().to_vec();
        if from.last() != Some(&(std::path::MAIN_SEPARATOR as u8)) {
            from.push(std::path::MAIN_SEPARATOR as u8);
        }
        self.guarded(|| {
            let database = self.open(false)?;
            let reading = database.begin_read().map_err(failed)?;
            let table = match reading.open_table(FILES) {
                Err(TableError::TableDoesNotExist(_)) => return Ok(Files::new()),
                table => table.map_err(failed)?,
            };
            let mut files = Files::new();
            for entry in table.range(from.as_slice()..).map_err(failed)? {
                let (path, kept) = entry.map_err(failed)?;
                if !path.value().starts_with(&from) {
                    break;
                }
                // What no version of ours wrote is as good as nothing.
                if let Some(kept) = Kept::from_bytes(kept.value()) {
                    files.insert(path.value().into(), kept);
                }
            }
            Ok(files)
        })
    }

    /// How often each file was used.
    pub fn uses(&self) -> Result<HashMap<Box<[u8]>, u64>, StoreError> {
        if !self.file.exists() {
            return Ok(HashMap::new());
        }
        self.guarded(|| {
            let database = self.open(false)?;
            let reading = database.begin_read().map_err(failed)?;
            let table = match reading.open_table(USES) {
                Err(TableError::TableDoesNotExist(_)) => return Ok(HashMap::new()),
                table => table.map_err(failed)?,
            };
            let entries = table.iter().map_err(failed)?;
            entries.map(|entry| entry.map(|(path, uses)| (path.value().into(), uses.value())).map_err(failed)).collect()
        })
    }

    /// Writes all of it or nothing.
    pub fn write(&self, changes: &Changes) -> Result<(), StoreError> {
        if let Some(folder) = self.file.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        self.guarded(|| {
            let database = self.open(false)?;
            let writing = database.begin_write().map_err(failed)?;
            {
                let mut files = writing.open_table(FILES).map_err(failed)?;
                for (path, kept) in &changes.files {
                    files.insert(&**path, kept.as_slice()).map_err(failed)?;
                }
                for path in &changes.gone {
                    files.remove(&**path).map_err(failed)?;
                }
                let mut uses = writing.open_table(USES).map_err(failed)?;
                for (path, more) in &changes.uses {
                    let before = uses.get(&**path).map_err(failed)?.map_or(0, |uses| uses.value());
                    uses.insert(&**path, before.saturating_add(*more)).map_err(failed)?;
                }
            }
            writing.commit().map_err(failed)?;
            database.close().map_err(failed)
        })
    }

    fn open(&self, whole: bool) -> Result<Database, StoreError> {
        let mut builder = Builder::new();
        let opened = builder.set_cache_size(CACHE_BYTES).set_check_integrity_on_open(whole).create(&self.file);
        opened.map_err(|error| match error {
            DatabaseError::DatabaseAlreadyOpen => StoreError::Busy,
            error => failed(error),
        })
    }

    /// redb may panic on a file that something else has written into.
    fn guarded<T>(&self, work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        let done = catch_unwind(AssertUnwindSafe(work));
        done.unwrap_or_else(|_| Err(StoreError::Failed("the index file is damaged".to_owned())))
    }
}

fn failed(error: impl std::fmt::Display) -> StoreError {
    StoreError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::record::{Heard, Stamp};
    use super::*;

    fn kept(bytes: u64) -> Kept {
        Kept { stamp: Stamp { bytes, modified_ns: 0 }, heard: Heard::Broken }
    }

    fn entry(path: &str, bytes: u64) -> (Box<[u8]>, Vec<u8>) {
        (key(Path::new(path)), kept(bytes).to_bytes().unwrap())
    }

    fn store(folder: &Path) -> Store {
        Store::new(folder.join("deep/library.redb"))
    }

    #[test]
    fn what_was_written_is_read_by_folder() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        assert_eq!(store.files_in(Path::new("/smp")).unwrap(), Files::new());
        assert_eq!(store.look_after(), Ok(()));
        let files = vec![entry("/smp/a.wav", 1), entry("/smp/b/c.wav", 2), entry("/smp2/a.wav", 3)];
        store.write(&Changes { files, ..Changes::default() }).unwrap();
        let found = store.files_in(Path::new("/smp")).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found.get(&key(Path::new("/smp/b/c.wav"))), Some(&kept(2)));
        let gone = vec![key(Path::new("/smp/a.wav"))];
        store.write(&Changes { gone, files: vec![entry("/smp/b/c.wav", 9)], ..Changes::default() }).unwrap();
        let found = store.files_in(Path::new("/smp")).unwrap();
        assert_eq!((found.len(), found.get(&key(Path::new("/smp/b/c.wav")))), (1, Some(&kept(9))));
        assert_eq!(store.files_in(Path::new("/smp2")).unwrap().len(), 1);
    }

    #[test]
    fn uses_add_up() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        let used = |uses| Changes { uses: vec![(key(Path::new("/smp/a.wav")), uses)], ..Changes::default() };
        store.write(&used(1)).unwrap();
        store.write(&used(2)).unwrap();
        assert_eq!(store.uses().unwrap().get(&key(Path::new("/smp/a.wav"))), Some(&3));
    }

    #[test]
    fn a_file_in_use_is_busy_and_unharmed() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        store.write(&Changes { files: vec![entry("/smp/a.wav", 1)], ..Changes::default() }).unwrap();
        let other = store.open(false).unwrap();
        assert_eq!(store.write(&Changes::default()), Err(StoreError::Busy));
        assert_eq!(store.look_after(), Err(StoreError::Busy));
        drop(other);
        assert_eq!(store.files_in(Path::new("/smp")).unwrap().len(), 1);
    }

    #[test]
    fn a_damaged_file_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        let files = (0..200).map(|n| entry(&format!("/smp/{n}.wav"), n)).collect();
        store.write(&Changes { files, ..Changes::default() }).unwrap();
        let whole = std::fs::read(&store.file).unwrap();
        let halves = [whole[..whole.len() / 2].to_vec(), b"nothing of ours".to_vec(), {
            let mut bytes = whole.clone();
            bytes[4096..].iter_mut().for_each(|byte| *byte ^= 0x5a);
            bytes
        }];
        for bytes in halves {
            std::fs::write(&store.file, bytes).unwrap();
            assert_eq!(store.look_after(), Ok(()));
            assert_eq!(store.files_in(Path::new("/smp")).unwrap(), Files::new());
            store.write(&Changes { files: vec![entry("/smp/a.wav", 1)], ..Changes::default() }).unwrap();
            assert_eq!(store.files_in(Path::new("/smp")).unwrap().len(), 1);
            assert_eq!(store.look_after(), Ok(()), "a whole one stays");
            assert_eq!(store.files_in(Path::new("/smp")).unwrap().len(), 1);
        }
    }
}
