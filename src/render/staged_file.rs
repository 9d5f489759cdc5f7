//! A file that is written beside its name and put there when it is whole; dropped before, it leaves nothing. A program
//! that is killed leaves what is beside the name.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub struct StagedFile {
    path: PathBuf,
    staged: PathBuf,
}

impl StagedFile {
    /// Errors are clauses without the file's name, as everywhere here.
    pub fn of(path: &Path) -> Result<StagedFile, String> {
        let name = path.file_name().ok_or("it is no file name")?;
        // A point first hides it where the system hides files.
        let mut staged = OsString::from(".");
        staged.push(name);
        staged.push(format!(".{}.part", std::process::id()));
        Ok(StagedFile { path: path.to_owned(), staged: path.with_file_name(staged) })
    }

    /// Where it is written meanwhile.
    pub fn staged(&self) -> &Path {
        &self.staged
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts it in place of what lies there, which comes back unless the new one is kept.
    pub fn put_in_place(self) -> Result<InPlace, String> {
        let before = self.put_aside();
        let in_place = InPlace { path: self.path.clone(), before, is_kept: false };
        match std::fs::rename(&self.staged, &self.path) {
            Ok(()) => Ok(in_place),
            Err(why) => {
                in_place.keep();
                Err(why.to_string())
            }
        }
    }

    /// A second name of the file that lies there, or a copy; `None` where there is none, or neither can be made.
    fn put_aside(&self) -> Option<PathBuf> {
        let is_file = self.path.symlink_metadata().is_ok_and(|about| !about.is_dir());
        let aside = self.staged.with_extension("before");
        // Left there by a program that was killed.
        let _ = std::fs::remove_file(&aside);
        let put = || std::fs::hard_link(&self.path, &aside).or_else(|_| std::fs::copy(&self.path, &aside).map(|_| ()));
        (is_file && put().is_ok()).then_some(aside)
    }
}

/// A file that was put in place; dropped before it is kept, what lay there is there again, or nothing.
pub struct InPlace {
    path: PathBuf,
    before: Option<PathBuf>,
    is_kept: bool,
}

impl InPlace {
    /// What lies there now stays.
    pub fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for InPlace {
    fn drop(&mut self) {
        let _ = match (&self.before, self.is_kept) {
            (Some(before), true) => std::fs::remove_file(before),
            (Some(before), false) => std::fs::rename(before, &self.path),
            (None, true) => Ok(()),
            (None, false) => std::fs::remove_file(&self.path),
        };
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        // Once it was put in place there is none of that name.
        let _ = std::fs::remove_file(&self.staged);
    }
}
