//! Samples that are collected in a folder beside the file of a Set, so that both can be moved together.

use crate::disk::{Folder, folder_of, is_in_real_folder, open_real};
use crate::files::decode::decode_file;
use crate::files::read_budget::{ReadBudget, ReadLimits};
use crate::files::spellings::spelled_as_there;
use crate::paths::AllowedFolders;
use crate::service::excerpt;
use crate::set::Document;
use crate::set::edit::put_set::{Remake, remade};
use crate::tools::request::{CollectedFrom, FileWork, WrittenSet};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, Write};
use std::ops::ControlFlow;
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
    let mut document = remade(document, &Remake { serial: &|serial| serial, path });
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
    path: PathBuf,
    is_folder_new: bool,
    /// Where the file lies, and the folder of its samples, once there is one to copy.
    open: Option<(Folder, Folder)>,
    new: Vec<OsString>,
}

impl Copies {
    pub fn beside(file: &Path) -> Copies {
        Copies { path: folder_beside(file), is_folder_new: false, open: None, new: Vec::new() }
    }

    /// The file that names them is in its place.
    pub fn keep(mut self) {
        self.new.clear();
        self.is_folder_new = false;
    }

    /// Copies the samples into the folder, which is made where there is one to copy; the document then names the
    /// copies. Missing are those that are no sound, and those that lie elsewhere than `from` says.
    pub fn collect(
        &mut self,
        document: &Document,
        from: &CollectedFrom,
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
            let sample = &spelled_as_there(sample);
            // Links are followed once: what takes its place later is not the file that was judged.
            let may_ask = from.folders.may_ask(sample);
            let real = may_ask.then(|| sample.canonicalize().ok()).flatten();
            let judged = real.as_deref().unwrap_or(sample);
            if may_ask && (from.by_hand || self.is_inside(judged, &from.folders)) {
                *copy = real.map_or(Ok(None), |real| self.copy(sample, &real, work))?;
            } else {
                written.outside += 1;
            }
            match copy {
                Some(_) => written.samples += 1,
                None => written.missing.push(path.clone()),
            }
            work.report(done, total);
        }
        Ok(with_paths(document, &|path| copies.get(path).cloned().flatten().unwrap_or_else(|| path.to_owned())))
    }

    /// Whether a sample lies in one of the folders, or was collected here before.
    fn is_inside(&self, sample: &Path, folders: &AllowedFolders) -> bool {
        is_in_real_folder(folders.iter().chain([self.path.as_path()]), sample)
    }

    /// Copies a sample; one of another sound that has its name already keeps it. `None` where it is not there, or is no
    /// sound.
    fn copy(&mut self, sample: &Path, real: &Path, work: &dyn FileWork) -> Result<Option<String>, String> {
        let stem = sample.file_stem().and_then(|stem| stem.to_str());
        // One handle serves decoding and copying, so a file that replaces the sample in between is not copied.
        let from = open_real(real).ok().filter(|file| is_sound(file, work));
        let (Some(stem), Some(from)) = (stem, from) else { return Ok(None) };
        self.open_folder()?;
        let Some((_, folder)) = &self.open else { return Ok(None) };
        let ending = sample.extension().and_then(|ending| ending.to_str());
        let ending = ending.map_or_else(String::new, |ending| format!(".{ending}"));
        let name =
            |number: usize| if number == 1 { format!("{stem}{ending}") } else { format!("{stem} {number}{ending}") };
        for number in 1..=MAX_NAMESAKES {
            let name = OsString::from(name(number));
            match folder.create_file(&name, mode_of(&from)) {
                Ok(file) => {
                    self.new.push(name.clone());
                    copy_bytes(from, file, work)
                        .map_err(|error| format!("{} cannot be copied: {error}", excerpt(&sample.to_string_lossy())))?;
                }
                // Collected before.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && is_same(folder, &name, &from) => {}
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(format!("{} cannot be written: {error}", excerpt(&name.to_string_lossy()))),
            }
            return Ok(Some(self.path.join(name).to_string_lossy().into_owned()));
        }
        Err(format!("{MAX_NAMESAKES} samples are called {}", excerpt(stem)))
    }

    /// Opens the folder, which is made if it is not there. A link of its name is no folder.
    fn open_folder(&mut self) -> Result<(), String> {
        if self.open.is_some() {
            return Ok(());
        }
        let failed = |error: io::Error| format!("the folder of its samples cannot be made: {error}");
        let above = Folder::open_real(folder_of(&self.path)).map_err(failed)?;
        let name = self.path.file_name().unwrap_or_default();
        match above.make_folder(name) {
            Ok(()) => self.is_folder_new = true,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(error)),
        }
        let shown = name.to_string_lossy();
        let no_folder = |_| format!("the folder of its samples cannot be made: {} is no folder", excerpt(&shown));
        let folder = above.folder(name).map_err(no_folder)?;
        self.open = Some((above, folder));
        Ok(())
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        let Some((above, folder)) = &self.open else { return };
        for copy in &self.new {
            // What cannot be removed is no more than litter.
            let _ = folder.remove_file(copy);
        }
        if self.is_folder_new {
            let _ = above.remove_folder(self.path.file_name().unwrap_or_default());
        }
    }
}

/// Whether a file holds sound that can be decoded. Its name says nothing: a Set may name any file a sample. The file
/// stands at its beginning afterwards.
fn is_sound(file: &File, work: &dyn FileWork) -> bool {
    let Ok(again) = file.try_clone() else { return false };
    let is_over = || work.is_cancelled();
    let budget = ReadBudget::new(ReadLimits::CALL).until(&is_over);
    let mut is_heard = false;
    let read = decode_file(again, &budget, |samples, _| {
        is_heard |= !samples.is_empty();
        ControlFlow::Break(())
    });
    let mut file = file;
    read.is_ok() && is_heard && file.rewind().is_ok()
}

/// Whom a copy lets in: nobody whom the file itself keeps out.
fn mode_of(file: &File) -> u32 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.metadata().map_or(0o600, |about| about.permissions().mode() & 0o666)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        0o666
    }
}

/// Copies a file, as far as the work goes on.
fn copy_bytes(mut from: File, mut to: File, work: &dyn FileWork) -> io::Result<()> {
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

/// Whether two files hold the same bytes; the other stands at its beginning before and afterwards.
fn is_same(folder: &Folder, name: &OsStr, mut other: &File) -> bool {
    let Ok(one) = folder.open_file(name) else { return false };
    let length = |file: &File| file.metadata().map(|about| about.len()).ok();
    let is_same = length(&one) == length(other)
        && BufReader::new(one).bytes().map(Result::ok).eq(BufReader::new(other).bytes().map(Result::ok));
    other.rewind().is_ok() && is_same
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::request::FileWork;
    use std::fs;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Puts another file in a sample's place when the work has been asked so many times whether it goes on.
    struct Swap<'a> {
        left: AtomicU32,
        sample: &'a Path,
        key: &'a Path,
    }

    impl FileWork for Swap<'_> {
        fn is_cancelled(&self) -> bool {
            if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
                fs::rename(self.key, self.sample).unwrap();
            }
            false
        }

        fn report(&self, _: u64, _: u64) {}

        fn wrote(&self, _: u64) {}

        fn commit(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_replaced_sample_is_not_copied() {
        let half = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audio/half.wav");
        let sound = fs::read(&half).unwrap();
        let mut copied = 0;
        for after in 1..12 {
            let folder = tempfile::tempdir().unwrap();
            let at = folder.path().canonicalize().unwrap();
            let (sample, key) = (at.join("half.wav"), at.join("key"));
            fs::copy(&half, &sample).unwrap();
            fs::write(&key, "-----BEGIN PRIVATE KEY-----").unwrap();
            let work = Swap { left: AtomicU32::new(after), sample: &sample, key: &key };
            let mut copies = Copies::beside(&at.join("out.svcset"));
            if let Some(copy) = copies.copy(&sample, &sample, &work).unwrap() {
                assert_eq!(fs::read(copy).unwrap(), sound, "after {after}");
                copied += 1;
            }
        }
        assert!(copied > 0);
    }
}
