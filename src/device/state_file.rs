//! The file of a device that no plugin host saves; written whole or not at all.

use crate::user_store::write_atomically;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where a device without a plugin host's project keeps its state.
#[derive(Clone, Debug)]
pub struct StateFile {
    path: PathBuf,
    /// The folder of what is not one Set's own.
    user_folder: PathBuf,
    /// The folder of the Set that the user opened.
    project_folder: Option<PathBuf>,
}

impl StateFile {
    /// The state in `data_dir`, or in `file` when the user opened one.
    pub fn new(data_dir: &Path, file: Option<PathBuf>) -> StateFile {
        let project_folder = file.as_deref().map(folder_of);
        StateFile {
            path: file.unwrap_or_else(|| data_dir.join("state.json")),
            user_folder: data_dir.to_owned(),
            project_folder,
        }
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

    /// The text last written; `None` when nothing was.
    pub fn read(&self) -> io::Result<Option<String>> {
        match fs::read_to_string(&self.path) {
            Ok(text) => Ok(Some(text)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    pub fn write(&self, state: &str) -> io::Result<()> {
        write_atomically(&self.path, state.as_bytes())
    }
}

fn folder_of(file: &Path) -> PathBuf {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}
