//! The file in which the index and the use counts are stored between runs. It is opened for each read or write and
//! closed again, so that several devices can share it: while one writes, the others fail with [`IndexFileError::Busy`]
//! and try again later. It is whole after a kill at any moment: redb commits or does not.
//! See D14 in `docs/decisions.md`.

use crate::library::analysis::StoredAnalysis;
use redb::{Builder, Database, DatabaseError, ReadableDatabase, ReadableTable, TableDefinition, TableError};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Keyed by the bytes of the path. A new format of the values gets a new table, so that an older version finds its own
/// again.
const FILES: TableDefinition<&[u8], &[u8]> = TableDefinition::new("files-3");
const USES: TableDefinition<&[u8], u64> = TableDefinition::new("uses-1");

const CACHE_BYTES: usize = 4 * 1024 * 1024;

/// Why nothing could be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexFileError {
    #[error("another device is writing it")]
    Busy,
    #[error("{0}")]
    Failed(String),
}

/// Path keys with what is stored of each file.
pub type StoredAnalyses = HashMap<Box<[u8]>, StoredAnalysis>;

#[derive(Clone, Debug)]
pub struct IndexFile {
    file: PathBuf,
}

/// What to write in one transaction.
#[derive(Debug, Default)]
pub struct IndexFileChanges {
    pub files: Vec<(Box<[u8]>, Vec<u8>)>,
    pub removed: Vec<Box<[u8]>>,
    /// Uses to add to the counts.
    pub uses: Vec<(Box<[u8]>, u64)>,
}

impl IndexFileChanges {
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.removed.is_empty() && self.uses.is_empty()
    }
}

impl IndexFile {
    pub fn new(file: PathBuf) -> IndexFile {
        IndexFile { file }
    }

    /// Checks whether the file is whole. A damaged one is renamed, and a new one begun: the index can be made again,
    /// only the use counts are lost.
    pub fn check_or_reset(&self) -> Result<(), IndexFileError> {
        if !self.file.exists() {
            return Ok(());
        }
        match self.catching_panics(|| self.open(true).map(drop)) {
            Err(IndexFileError::Failed(why)) => {
                let aside = self.file.with_extension("damaged");
                std::fs::rename(&self.file, aside).map_err(|e| IndexFileError::Failed(format!("{why}; {e}")))
            }
            other => other,
        }
    }

    /// Everything stored of the files in a folder.
    pub fn analyses_in(&self, folder: &Path) -> Result<StoredAnalyses, IndexFileError> {
        if !self.file.exists() {
            return Ok(StoredAnalyses::new());
        }
        let mut from = folder.as_os_str().as_encoded_bytes().to_vec();
        if from.last() != Some(&(std::path::MAIN_SEPARATOR as u8)) {
            from.push(std::path::MAIN_SEPARATOR as u8);
        }
        self.catching_panics(|| {
            let database = self.open(false)?;
            let reading = database.begin_read().map_err(failed)?;
            let table = match reading.open_table(FILES) {
                Err(TableError::TableDoesNotExist(_)) => return Ok(StoredAnalyses::new()),
                table => table.map_err(failed)?,
            };
            let mut files = StoredAnalyses::new();
            for entry in table.range(from.as_slice()..).map_err(failed)? {
                let (path, kept) = entry.map_err(failed)?;
                if !path.value().starts_with(&from) {
                    break;
                }
                // Bytes that no version of this program wrote are ignored.
                if let Some(kept) = StoredAnalysis::from_bytes(kept.value()) {
                    files.insert(path.value().into(), kept);
                }
            }
            Ok(files)
        })
    }

    /// How often each file was used.
    pub fn use_counts(&self) -> Result<HashMap<Box<[u8]>, u64>, IndexFileError> {
        if !self.file.exists() {
            return Ok(HashMap::new());
        }
        self.catching_panics(|| {
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
    pub fn write(&self, changes: &IndexFileChanges) -> Result<(), IndexFileError> {
        if let Some(folder) = self.file.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        self.make_private().map_err(failed)?;
        self.catching_panics(|| {
            let database = self.open(false)?;
            let writing = database.begin_write().map_err(failed)?;
            {
                let mut files = writing.open_table(FILES).map_err(failed)?;
                for (path, kept) in &changes.files {
                    files.insert(&**path, kept.as_slice()).map_err(failed)?;
                }
                for path in &changes.removed {
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

    /// What the user keeps is nobody else's to read. redb takes an empty file for a new one.
    fn make_private(&self) -> std::io::Result<()> {
        let mut options = std::fs::File::options();
        options.create(true).append(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        options.open(&self.file).map(|_| ())
    }

    fn open(&self, whole: bool) -> Result<Database, IndexFileError> {
        let mut builder = Builder::new();
        let opened = builder.set_cache_size(CACHE_BYTES).set_check_integrity_on_open(whole).create(&self.file);
        opened.map_err(|error| match error {
            DatabaseError::DatabaseAlreadyOpen => IndexFileError::Busy,
            error => failed(error),
        })
    }

    /// redb may panic on a file that something else has written into.
    fn catching_panics<T>(&self, work: impl FnOnce() -> Result<T, IndexFileError>) -> Result<T, IndexFileError> {
        let done = catch_unwind(AssertUnwindSafe(work));
        done.unwrap_or_else(|_| Err(IndexFileError::Failed("the index file is damaged".to_owned())))
    }
}

fn failed(error: impl std::fmt::Display) -> IndexFileError {
    IndexFileError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::analysis::{Analysis, FileStamp};
    use crate::library::path_key::path_key;

    fn kept(bytes: u64) -> StoredAnalysis {
        StoredAnalysis { stamp: FileStamp { bytes, modified_ns: 0 }, analysis: Analysis::unreadable("damaged") }
    }

    fn entry(path: &str, bytes: u64) -> (Box<[u8]>, Vec<u8>) {
        (path_key(Path::new(path)), kept(bytes).to_bytes().unwrap())
    }

    fn store(folder: &Path) -> IndexFile {
        IndexFile::new(folder.join("deep/library.redb"))
    }

    #[test]
    fn what_was_written_is_read_by_folder() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        assert_eq!(store.analyses_in(Path::new("/smp")).unwrap(), StoredAnalyses::new());
        assert_eq!(store.check_or_reset(), Ok(()));
        let files = vec![entry("/smp/a.wav", 1), entry("/smp/b/c.wav", 2), entry("/smp2/a.wav", 3)];
        store.write(&IndexFileChanges { files, ..IndexFileChanges::default() }).unwrap();
        let found = store.analyses_in(Path::new("/smp")).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found.get(&path_key(Path::new("/smp/b/c.wav"))), Some(&kept(2)));
        let gone = vec![path_key(Path::new("/smp/a.wav"))];
        store
            .write(&IndexFileChanges {
                removed: gone,
                files: vec![entry("/smp/b/c.wav", 9)],
                ..IndexFileChanges::default()
            })
            .unwrap();
        let found = store.analyses_in(Path::new("/smp")).unwrap();
        assert_eq!((found.len(), found.get(&path_key(Path::new("/smp/b/c.wav")))), (1, Some(&kept(9))));
        assert_eq!(store.analyses_in(Path::new("/smp2")).unwrap().len(), 1);
    }

    #[test]
    fn uses_add_up() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        let used = |uses| IndexFileChanges {
            uses: vec![(path_key(Path::new("/smp/a.wav")), uses)],
            ..IndexFileChanges::default()
        };
        store.write(&used(1)).unwrap();
        store.write(&used(2)).unwrap();
        assert_eq!(store.use_counts().unwrap().get(&path_key(Path::new("/smp/a.wav"))), Some(&3));
    }

    #[test]
    fn a_file_in_use_is_busy_and_unharmed() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        store.write(&IndexFileChanges { files: vec![entry("/smp/a.wav", 1)], ..IndexFileChanges::default() }).unwrap();
        let other = store.open(false).unwrap();
        assert_eq!(store.write(&IndexFileChanges::default()), Err(IndexFileError::Busy));
        assert_eq!(store.check_or_reset(), Err(IndexFileError::Busy));
        drop(other);
        assert_eq!(store.analyses_in(Path::new("/smp")).unwrap().len(), 1);
    }

    #[test]
    fn a_damaged_file_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        let files = (0..200).map(|n| entry(&format!("/smp/{n}.wav"), n)).collect();
        store.write(&IndexFileChanges { files, ..IndexFileChanges::default() }).unwrap();
        let whole = std::fs::read(&store.file).unwrap();
        let halves = [whole[..whole.len() / 2].to_vec(), b"nothing of ours".to_vec(), {
            let mut bytes = whole.clone();
            bytes[4096..].iter_mut().for_each(|byte| *byte ^= 0x5a);
            bytes
        }];
        for bytes in halves {
            std::fs::write(&store.file, bytes).unwrap();
            assert_eq!(store.check_or_reset(), Ok(()));
            assert_eq!(store.analyses_in(Path::new("/smp")).unwrap(), StoredAnalyses::new());
            store
                .write(&IndexFileChanges { files: vec![entry("/smp/a.wav", 1)], ..IndexFileChanges::default() })
                .unwrap();
            assert_eq!(store.analyses_in(Path::new("/smp")).unwrap().len(), 1);
            assert_eq!(store.check_or_reset(), Ok(()), "a whole one stays");
            assert_eq!(store.analyses_in(Path::new("/smp")).unwrap().len(), 1);
        }
    }
}
