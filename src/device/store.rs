//! Files of a device: written whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where a device without a host's project keeps its state.
#[derive(Clone, Debug)]
pub struct Store {
    file: PathBuf,
    /// The folder of what is not one Set's own.
    folder: PathBuf,
}

impl Store {
    /// The state in `data_dir`, or in `file` when the user opened one.
    pub fn new(data_dir: &Path, file: Option<PathBuf>) -> Store {
        Store { file: file.unwrap_or_else(|| data_dir.join("state.json")), folder: data_dir.to_owned() }
    }

    /// The folder of what belongs to the user across Sets.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The text last written; `None` when nothing was.
    pub fn read(&self) -> io::Result<Option<String>> {
        match fs::read_to_string(&self.file) {
            Ok(text) => Ok(Some(text)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    pub fn write(&self, state: &str) -> io::Result<()> {
        write_whole(&self.file, state.as_bytes())
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
    renamed
}
