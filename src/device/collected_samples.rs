//! Samples that are collected in a folder beside the file of a Set, so that both can be moved together.

use crate::files::spellings::spelled_as_there;
use crate::paths::AllowedFolders;
use crate::service::excerpt;
use crate::set::Document;
use crate::set::edit::put_set::{Remake, remade};
use crate::tools::request::{FileWork, WrittenSet};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Samples of one name.
const MAX_NAMESAKES: usize = 1_000;
/// Bytes that are copied before it is looked whether to go on.
const COPIED_AT_ONCE: usize = 1 << 20;

fn folder_beside(file: &Path) -> PathBuf {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{name} Samples"))
}

/// The document with other paths to its samples.
fn with_paths(document: &Document, path: &dyn Fn(&str) -> String) -> Document {
    let mut document = remade(document, &Remake { offset: 0, path });
    document.rebuild_index();
    document
}

/// Samples that are not where the Set says and were collected beside it are there: it was moved with them.
pub fn found_beside(file: &Path, document: &Document, folders: &AllowedFolders) -> Document {
    let folder = folder_beside(file);
    if !folder.is_dir() {
        return document.clone();
    }
    with_paths(document, &|path| {
        let beside = Path::new(path).file_name().map(|name| spelled_as_there(&folder.join(name)).into_owned());
        let beside = beside.filter(|beside| beside.is_file());
        match beside {
            Some(beside) if !folders.may_ask(Path::new(path)) || !spelled_as_there(Path::new(path)).exists() => {
                beside.to_string_lossy().into_owned()
            }
            _ => path.to_owned(),
        }
    })
}

/// Copies of samples that are being made beside a file. Dropped before they are kept, they are removed, with the folder
/// if it was made for them.
pub struct Copies {
    folder: PathBuf,
    is_folder_new: bool,
    new: Vec<PathBuf>,
}

impl Copies {
    pub fn beside(file: &Path) -> Copies {
        Copies { folder: folder_beside(file), is_folder_new: false, new: Vec::new() }
    }

    /// The file that names them is in its place.
    pub fn keep(mut self) {
        self.new.clear();
        self.is_folder_new = false;
    }

    /// Copies the samples into the folder, which is made where there is one to copy; the document then names the
    /// copies. Those on a server are missing, but for what lies in `folders`.
    pub fn collect(
        &mut self,
        document: &Document,
        folders: &AllowedFolders,
        written: &mut WrittenSet,
        work: &dyn FileWork,
    ) -> Result<Document, String> {
        let named = RefCell::new(BTreeMap::<String, Option<String>>::new());
        with_paths(document, &|path| {
            named.borrow_mut().insert(path.to_owned(), None);
            path.to_owned()
        });
        let mut copies = named.into_inner();
        let total = copies.len() as u64;
        for (done, (path, copy)) in (1_u64..).zip(&mut copies) {
            if work.is_cancelled() {
                return Err("the job was cancelled".to_owned());
            }
            let sample = Path::new(path);
            *copy = if folders.may_ask(sample) { self.copy(&spelled_as_there(sample), work)? } else { None };
            match copy {
                Some(_) => written.samples += 1,
                None => written.missing.push(path.clone()),
            }
            work.report(done, total);
        }
        Ok(with_paths(document, &|path| copies.get(path).cloned().flatten().unwrap_or_else(|| path.to_owned())))
    }

    /// Copies a sample; one of another sound that has its name already keeps it. `None` where it is not there.
    fn copy(&mut self, sample: &Path, work: &dyn FileWork) -> Result<Option<String>, String> {
        let stem = sample.file_stem().and_then(|stem| stem.to_str());
        let is_there = fs::metadata(sample).is_ok_and(|about| about.is_file()) && File::open(sample).is_ok();
        let Some(stem) = stem.filter(|_| is_there) else { return Ok(None) };
        if !self.folder.is_dir() {
            fs::create_dir_all(&self.folder)
                .map_err(|error| format!("the folder of its samples cannot be made: {error}"))?;
            self.is_folder_new = true;
        }
        let ending = sample.extension().and_then(|ending| ending.to_str());
        let ending = ending.map_or_else(String::new, |ending| format!(".{ending}"));
        let name =
            |number: usize| if number == 1 { format!("{stem}{ending}") } else { format!("{stem} {number}{ending}") };
        for number in 1..=MAX_NAMESAKES {
            let to = self.folder.join(name(number));
            match File::options().write(true).create_new(true).open(&to) {
                Ok(file) => {
                    self.new.push(to.clone());
                    copy_bytes(sample, file, work)
                        .map_err(|error| format!("{} cannot be copied: {error}", excerpt(&sample.to_string_lossy())))?;
                }
                // Collected before.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && is_same(&to, sample) => {}
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(format!("{} cannot be written: {error}", excerpt(&to.to_string_lossy()))),
            }
            return Ok(Some(to.to_string_lossy().into_owned()));
        }
        Err(format!("{MAX_NAMESAKES} samples are called {}", excerpt(stem)))
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        for copy in &self.new {
            // What cannot be removed is no more than litter.
            let _ = fs::remove_file(copy);
        }
        if self.is_folder_new {
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// Copies a file, as far as the work goes on.
fn copy_bytes(from: &Path, mut to: File, work: &dyn FileWork) -> io::Result<()> {
    let mut from = File::open(from)?;
    let mut piece = vec![0; COPIED_AT_ONCE];
    loop {
        if work.is_cancelled() {
            return Err(io::Error::other("the job was cancelled"));
        }
        let count = from.read(&mut piece)?;
        match piece.get(..count) {
            Some(read) if count > 0 => to.write_all(read)?,
            _ => return to.sync_all(),
        }
    }
}

/// Whether two files hold the same bytes.
fn is_same(one: &Path, other: &Path) -> bool {
    let (Ok(one), Ok(other)) = (File::open(one), File::open(other)) else { return false };
    let length = |file: &File| file.metadata().map(|about| about.len()).ok();
    length(&one) == length(&other)
        && BufReader::new(one).bytes().map(Result::ok).eq(BufReader::new(other).bytes().map(Result::ok))
}
