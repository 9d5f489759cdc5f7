//! Live's User Library: the folder in which Live looks for scripts of the user's own.
//!
//! The user can move it, so it is found only where there is one answer. See D90 in `docs/decisions.md`.

use super::bundled::SCRIPT_NAME;
use super::live_preferences::{StatedLibrary, stated_libraries};
use super::places::{Places, Platform};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What Live makes in a User Library, any of which shows that a folder is one.
const MADE_BY_LIVE: [&str; 8] =
    ["Ableton Folder Info", "Clips", "Defaults", "Grooves", "Max Devices", "Presets", "Remote Scripts", "Templates"];

/// Folders that are taken for the User Library, and what is true of each.
const OTHER_FOLDERS: [(&str, &str); 4] = [
    ("Remote Scripts", "is a folder inside the User Library; name the folder above it"),
    (SCRIPT_NAME, "is the script's own folder; name the User Library, two folders above it"),
    ("User Remote Scripts", "holds mappings as text files, and Live loads no script from it; name the User Library"),
    ("MIDI Remote Scripts", "is inside the application, which nobody but Live should change; name the User Library"),
];

/// A User Library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserLibrary {
    pub folder: PathBuf,
    pub source: LibrarySource,
}

/// How it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LibrarySource {
    /// The user named it, now or before.
    Named,
    Default,
    /// A version of Live states it, such as `Live 12.1.5`.
    StatedBy(String),
}

impl LibrarySource {
    /// Follows the folder in a sentence.
    pub fn words(&self) -> String {
        match self {
            LibrarySource::Named => "named by you".to_owned(),
            LibrarySource::Default => "where Live makes it".to_owned(),
            LibrarySource::StatedBy(live) => format!("by the preferences of {live}"),
        }
    }
}

/// Why there is no one User Library. Each text is a sentence without what to do where a face knows that better.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibraryProblem {
    #[error("Ableton Live does not run on this system, so its User Library is nowhere that is known")]
    NoLive,
    #[error("there is no User Library of Ableton Live at {}", paths(looked_at, " nor at "))]
    Absent { looked_at: Vec<PathBuf> },
    #[error("there are several User Libraries: {}", found(candidates))]
    Several { candidates: Vec<UserLibrary> },
    #[error("{live} keeps its User Library at {}, which is not there now", folder.display())]
    StatedAndAbsent { live: String, folder: PathBuf },
    #[error("{} is not there", .0.display())]
    Missing(PathBuf),
    #[error("{} is no folder", .0.display())]
    NotAFolder(PathBuf),
    #[error("{} {}", folder.display(), what)]
    OtherFolder { folder: PathBuf, what: &'static str },
    #[error("{} cannot be read ({})", folder.display(), why)]
    Unreadable { folder: PathBuf, why: io::ErrorKind },
}

fn paths(paths: &[PathBuf], between: &str) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(between)
}

fn found(candidates: &[UserLibrary]) -> String {
    let each = |one: &UserLibrary| format!("{} ({})", one.folder.display(), one.source.words());
    candidates.iter().map(each).collect::<Vec<_>>().join(" and ")
}

/// A folder that the user named, and whether anything in it is what Live makes in a User Library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFolder {
    pub folder: PathBuf,
    pub looks_like_one: bool,
}

/// Checks a folder that the user names. One that Live has not filled yet is taken too.
pub fn check_named(folder: &Path) -> Result<NamedFolder, LibraryProblem> {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let last = folder.file_name().unwrap_or_default().to_string_lossy();
    if let Some((_, what)) = OTHER_FOLDERS.iter().find(|(name, _)| last.eq_ignore_ascii_case(name)) {
        return Err(LibraryProblem::OtherFolder { folder, what });
    }
    match fs::metadata(&folder) {
        Ok(about) if about.is_dir() => {}
        Ok(_) => return Err(LibraryProblem::NotAFolder(folder)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Err(LibraryProblem::Missing(folder)),
        Err(e) if e.kind() == io::ErrorKind::NotADirectory => return Err(LibraryProblem::NotAFolder(folder)),
        Err(e) => return Err(LibraryProblem::Unreadable { folder, why: e.kind() }),
    }
    let looks_like_one = MADE_BY_LIVE.iter().any(|name| folder.join(name).is_dir());
    Ok(NamedFolder { folder, looks_like_one })
}

/// The User Library: the one that the user names or has named, else the only one that is found. Fails where there is
/// none, where there are several, and where the newest Live states one that is not there.
pub fn find_user_library(named: Option<&Path>, places: &Places) -> Result<UserLibrary, LibraryProblem> {
    if let Some(named) = named {
        let NamedFolder { folder, .. } = check_named(named)?;
        return Ok(UserLibrary { folder, source: LibrarySource::Named });
    }
    if places.platform == Platform::Other {
        return Err(LibraryProblem::NoLive);
    }
    let stated = stated_libraries(places);
    if let Some(StatedLibrary { live, folder }) = stated.first().filter(|newest| !newest.folder.is_dir()) {
        return Err(LibraryProblem::StatedAndAbsent { live: live.clone(), folder: folder.clone() });
    }
    let defaults = places.defaults();
    let of_live = stated.into_iter().map(|one| (one.folder, LibrarySource::StatedBy(one.live)));
    let own = defaults.iter().map(|folder| (folder.clone(), LibrarySource::Default));
    let mut candidates: Vec<UserLibrary> = Vec::new();
    for (folder, source) in of_live.chain(own).filter(|(folder, _)| folder.is_dir()) {
        if !candidates.iter().any(|known| same_folder(&known.folder, &folder)) {
            candidates.push(UserLibrary { folder, source });
        }
    }
    match (candidates.len(), candidates.pop()) {
        (1, Some(only)) => Ok(only),
        (0, _) | (_, None) => Err(LibraryProblem::Absent { looked_at: defaults }),
        (_, Some(last)) => {
            candidates.push(last);
            Err(LibraryProblem::Several { candidates })
        }
    }
}

/// Whether two paths lead to one folder, through links too.
fn same_folder(one: &Path, other: &Path) -> bool {
    one == other || fs::canonicalize(one).ok().zip(fs::canonicalize(other).ok()).is_some_and(|(a, b)| a == b)
}
