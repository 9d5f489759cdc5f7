//! Checks on the disk the folders that a project asks for: where their links lead, and why one cannot be opened.

use crate::disk::folder_fault;
use crate::music::excerpt::excerpt;
use crate::music::shown_text::shown_line;
use crate::paths::AllowedFolders;
use std::collections::BTreeMap;
use std::path::Path;

/// See the [module](self).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldLook {
    sample_folder: Option<String>,
    allowed_folders: Option<String>,
    /// By the folder that leads elsewhere.
    ends: BTreeMap<String, String>,
}

impl HeldLook {
    /// Asks the disk for folders that are held. Servers are asked only `by_the_user`: a project alone reaches none.
    pub fn at(sample_folder: Option<&str>, allowed_folders: &[String], by_the_user: bool) -> HeldLook {
        let mut look = HeldLook::default();
        let may_ask = |folder: &str| by_the_user || AllowedFolders::default().may_ask(Path::new(folder));
        let fault = sample_folder.and_then(|folder| look.of(folder, may_ask(folder)));
        look.sample_folder = fault.map(|why| format!("sampleFolder {why}"));
        for folder in allowed_folders {
            let fault = look.of(folder, may_ask(folder)).map(|why| format!("allowedFolders {why}"));
            look.allowed_folders = look.allowed_folders.take().or(fault);
        }
        look
    }

    /// Why a folder cannot be granted, after where it leads was noted.
    fn of(&mut self, folder: &str, may_ask: bool) -> Option<String> {
        let path = Path::new(folder);
        let real = may_ask.then(|| path.canonicalize().ok()).flatten();
        if let Some(real) = real.filter(|real| real != path) {
            self.ends.insert(folder.to_owned(), real.to_string_lossy().into_owned());
        }
        let fault = may_ask.then(|| folder_fault(path)).flatten();
        fault.map(|why| format!("{why}: {}", shown_line(&excerpt(folder))))
    }

    pub fn sample_folder_fault(&self) -> Option<String> {
        self.sample_folder.clone()
    }

    pub fn allowed_folders_fault(&self) -> Option<String> {
        self.allowed_folders.clone()
    }

    /// A folder in quotation marks, with where it leads.
    pub fn shown(&self, folder: &str) -> String {
        let quoted = |folder: &str| format!("\"{}\"", shown_line(&excerpt(folder)));
        match self.ends.get(folder) {
            Some(end) => format!("{}, which leads to {}", quoted(folder), quoted(end)),
            None => quoted(folder),
        }
    }
}
