//! Samples that are collected in a folder beside the file of a Set, so that both can be moved together.

use crate::paths::AllowedFolders;
use crate::set::Document;
use crate::set::edit::put_set::{Remake, remade};
use crate::tools::request::WrittenSet;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Samples of one name.
const MAX_NAMESAKES: usize = 1_000;

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
        let beside = Path::new(path).file_name().map(|name| folder.join(name)).filter(|beside| beside.is_file());
        match beside {
            Some(beside) if !folders.may_ask(Path::new(path)) || !Path::new(path).exists() => {
                beside.to_string_lossy().into_owned()
            }
            _ => path.to_owned(),
        }
    })
}

/// Copies the samples into the folder beside the file; the document then names the copies. Those on a server are
/// missing, but for what lies in `folders`.
pub fn collect(
    file: &Path,
    document: &Document,
    folders: &AllowedFolders,
    written: &mut WrittenSet,
) -> Result<Document, String> {
    let folder = folder_beside(file);
    fs::create_dir_all(&folder).map_err(|error| format!("the folder of its samples cannot be made: {error}"))?;
    let copies = RefCell::new(BTreeMap::<String, Option<String>>::new());
    let document = with_paths(document, &|path| {
        let mut copies = copies.borrow_mut();
        let copy = copies.entry(path.to_owned()).or_insert_with(|| {
            let sample = Some(Path::new(path)).filter(|sample| folders.may_ask(sample))?;
            copy_into(&folder, sample)
        });
        copy.clone().unwrap_or_else(|| path.to_owned())
    });
    for (path, copy) in copies.into_inner() {
        match copy {
            Some(_) => written.samples += 1,
            None => written.missing.push(path),
        }
    }
    Ok(document)
}

/// Copies a sample; one of another sound that has its name already keeps it. `None` where it is not there.
fn copy_into(folder: &Path, sample: &Path) -> Option<String> {
    let (stem, ending) = (sample.file_stem()?.to_str()?, sample.extension().and_then(|ending| ending.to_str()));
    fs::metadata(sample).ok().filter(fs::Metadata::is_file)?;
    let ending = ending.map_or_else(String::new, |ending| format!(".{ending}"));
    let name = |number: usize| if number == 1 { format!("{stem}{ending}") } else { format!("{stem} {number}{ending}") };
    for to in (1..=MAX_NAMESAKES).map(|number| folder.join(name(number))) {
        let copied = Some(to.to_string_lossy().into_owned());
        match File::options().write(true).create_new(true).open(&to) {
            Ok(_) => return fs::copy(sample, &to).ok().and(copied),
            // Collected before.
            Err(_) if is_same(&to, sample) => return copied,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(_) => return None,
        }
    }
    None
}

/// Whether two files hold the same bytes.
fn is_same(one: &Path, other: &Path) -> bool {
    let (Ok(one), Ok(other)) = (File::open(one), File::open(other)) else { return false };
    let length = |file: &File| file.metadata().map(|about| about.len()).ok();
    length(&one) == length(&other)
        && BufReader::new(one).bytes().map(Result::ok).eq(BufReader::new(other).bytes().map(Result::ok))
}
