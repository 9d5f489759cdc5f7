//! A User Library that a test makes.

use crate::live_script::{RunningScript, ScriptStatus};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file below a folder, and every link, by its path from there.
pub fn tree(root: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()) {
            let path = entry.path();
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if let Ok(to) = fs::read_link(&path) {
                files.insert(name, format!("-> {}", to.display()));
            } else if path.is_dir() {
                folders.push(path);
                files.insert(name + "/", String::new());
            } else {
                files.insert(name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned());
            }
        }
    }
    files
}

pub fn write(file: PathBuf, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// A script of ours of another version.
pub fn put_old(folder: &Path, version: &str) {
    write(folder.join("__init__.py"), "# old\n");
    write(folder.join("version.py"), &format!("SCRIPT_VERSION = \"{version}\"\nPROTOCOL = 1\n"));
}

pub struct Library(tempfile::TempDir);

impl Library {
    pub fn new() -> Library {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("Presets")).unwrap();
        Library(folder)
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn scripts(&self) -> PathBuf {
        self.root().join("Remote Scripts")
    }

    pub fn script(&self) -> PathBuf {
        self.scripts().join("SvcDevice")
    }

    pub fn status(&self, running: Option<&RunningScript>) -> ScriptStatus {
        ScriptStatus::look(self.root(), running)
    }

    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.scripts())
            .map(|entries| entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect())
            .unwrap_or_default();
        names.sort();
        names
    }
}
