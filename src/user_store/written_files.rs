//! `written-files.json`: the files outside the user's folder that this product wrote, as they were then. A call may
//! replace those, and no file of anybody else's: neither one that was there before, nor one that was changed since.

use super::atomic_files::{read_plain, write_atomically};
use super::folder_lock::lock_folder;
use crate::disk::{Access, open_real};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

const FILE: &str = "written-files.json";
/// The oldest are forgotten, and taken for somebody else's.
const MOST: usize = 5_000;
const MAX_BYTES: u64 = 16 << 20;

/// A file as it was left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    path: String,
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: u64,
}

impl Written {
    fn of(path: &Path, file: &File) -> Option<Written> {
        let about = file.metadata().ok()?;
        let modified = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        let path = path.to_str()?.to_owned();
        Some(Written { path, bytes: about.len(), modified: u64::try_from(modified).ok()? })
    }
}

/// See the [module](self). Without a folder it lasts as long as the device.
#[derive(Debug, Default)]
pub struct WrittenFiles {
    folder: Option<PathBuf>,
    /// What this device wrote, oldest first.
    own: Mutex<Vec<Written>>,
}

impl WrittenFiles {
    pub fn new(folder: Option<PathBuf>) -> WrittenFiles {
        WrittenFiles { folder, own: Mutex::default() }
    }

    /// Whether the file that lies there, no link on the way, is as this product left it.
    pub fn is_ours(&self, path: &Path) -> bool {
        let Some(there) = open_real(path).ok().and_then(|file| Written::of(path, &file)) else { return false };
        self.own.lock().contains(&there) || self.kept().contains(&there)
    }

    /// Notes a file that was written just now. What cannot be kept is known until the device ends: then the next call
    /// has to say that it replaces the file.
    pub fn note(&self, path: &Path, file: &File) {
        let Some(written) = Written::of(path, file) else { return };
        let mut own = self.own.lock();
        add(&mut own, written.clone());
        let Some(folder) = &self.folder else { return };
        let Ok(_lock) = lock_folder(folder) else { return };
        let mut kept = self.kept();
        add(&mut kept, written);
        if let Ok(text) = serde_json::to_vec(&kept) {
            let _ = write_atomically(&folder.join(FILE), &text, Access::OwnerOnly);
        }
    }

    /// What devices of this user wrote. A file that cannot be read vouches for nothing.
    fn kept(&self) -> Vec<Written> {
        let text = self.folder.as_ref().and_then(|folder| read_plain(&folder.join(FILE), MAX_BYTES).ok().flatten());
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }
}

fn add(list: &mut Vec<Written>, written: Written) {
    list.retain(|known| known.path != written.path);
    list.push(written);
    list.drain(..list.len().saturating_sub(MOST));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_ours_until_it_changes() {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let elsewhere = elsewhere.path().canonicalize().unwrap();
        let (ours, theirs) = (elsewhere.join("a.wav"), elsewhere.join("b.wav"));
        let written = WrittenFiles::new(Some(folder.path().join("deep")));
        fs::write(&ours, "rendered").unwrap();
        fs::write(&theirs, "recorded").unwrap();
        written.note(&ours, &File::open(&ours).unwrap());
        let next = WrittenFiles::new(Some(folder.path().join("deep")));
        for known in [&written, &next] {
            assert!(known.is_ours(&ours) && !known.is_ours(&theirs) && !known.is_ours(&elsewhere.join("none")));
        }
        assert!(!WrittenFiles::default().is_ours(&ours), "of another user");
        fs::write(&ours, "recorded over it").unwrap();
        assert!(!written.is_ours(&ours) && !next.is_ours(&ours));
        fs::write(folder.path().join("deep").join(FILE), "no list").unwrap();
        written.note(&ours, &File::open(&ours).unwrap());
        assert!(written.is_ours(&ours));
    }
}
