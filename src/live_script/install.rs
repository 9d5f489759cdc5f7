//! Puts the script into a User Library, and takes it away again.
//!
//! What is new is written beside its place and checked there, then everything is renames; see [`Swap`].

use super::bundled::{SCRIPT_FILES, SCRIPT_NAME, bundled_version};
use super::folder_state::{ScriptFolder, ScriptState, disk_state, is_whole};
use super::swap::Swap;
use parking_lot::{Mutex, MutexGuard};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Devices of one process install one after another; names in the making carry the process's number.
fn alone() -> MutexGuard<'static, ()> {
    static AT_WORK: Mutex<()> = Mutex::new(());
    AT_WORK.lock()
}

/// What an installation did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    pub folder: PathBuf,
    pub change: Change,
    /// What lay there before, where it is kept now.
    pub kept: Option<PathBuf>,
    /// A folder that should be gone and could not be removed.
    pub left: Option<PathBuf>,
}

/// See [`Installed`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It lay there already, byte for byte.
    None,
    New,
    /// In place of another version, or of an edited one.
    Replaced {
        version: String,
    },
    /// In place of a folder that is no script of ours.
    ReplacedForeign,
}

/// What was removed; all `None` where nothing was there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// The script's folder and its version.
    pub script: Option<(PathBuf, String)>,
    pub backup: Option<PathBuf>,
    /// What was not ours when the script was installed. It stays.
    pub foreign_backup: Option<PathBuf>,
    /// A folder that should be gone and could not be removed.
    pub left: Option<PathBuf>,
}

/// Why nothing was changed. Each text is a sentence with what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InstallProblem {
    #[error("{} is a file where a folder belongs; move it away. Nothing was changed", .0.display())]
    FileInTheWay(PathBuf),
    #[error("{} is a link to {}, which is not written through; remove the link first. Nothing was changed",
            link.display(), to.display())]
    Link { link: PathBuf, to: PathBuf },
    #[error("{} {why}; mend that first. Nothing was changed", folder.display())]
    Unknown { folder: PathBuf, why: String },
    #[error("{} holds no script of ours and was left alone", .0.display())]
    NotOurs(PathBuf),
    #[error("{} lies where an earlier folder is to be kept, and is not ours to replace; move it away. Nothing was \
             changed", .0.display())]
    NoRoomForBackup(PathBuf),
    #[error("{} cannot be written ({}); see who may write there, and whether the disk is full. Nothing was changed",
            folder.display(), why)]
    NotWritten { folder: PathBuf, why: String },
    #[error("{} cannot be put in place ({}); close what has files of it open. What lay there before lies there again",
            folder.display(), why)]
    NotInPlace { folder: PathBuf, why: String },
}

/// Writes the script into the User Library, which must be there. What it replaces is kept: of ours the last one, of
/// others' any. Nothing is half done when it fails.
pub fn install(user_library: &Path) -> Result<Installed, InstallProblem> {
    let _alone = alone();
    let folder = ScriptFolder::of(user_library);
    let done = |change, kept| Installed { folder: folder.script.clone(), change, kept, left: None };
    let state = disk_state(&folder.script);
    if state == ScriptState::Installed {
        return Ok(done(Change::None, None));
    }
    check_no_link(&folder.script)?;
    let (change, kept, doomed) = match state {
        ScriptState::NotInstalled => (Change::New, None, None),
        ScriptState::Outdated { version, .. } => {
            let doomed = old_backup(&folder)?.then(|| beside(&folder, "old"));
            (Change::Replaced { version }, Some(folder.backup.clone()), doomed)
        }
        ScriptState::Foreign if is_there(&folder.foreign_backup) => {
            return Err(InstallProblem::NoRoomForBackup(folder.foreign_backup));
        }
        ScriptState::Foreign => (Change::ReplacedForeign, Some(folder.foreign_backup.clone()), None),
        // As `disk_state` never gives it, this is a match that is complete.
        ScriptState::Installed | ScriptState::RunningAnother { .. } => return Ok(done(Change::None, None)),
        ScriptState::Unknown(_) if folder.script.is_file() => return Err(InstallProblem::FileInTheWay(folder.script)),
        ScriptState::Unknown(why) => return Err(InstallProblem::Unknown { folder: folder.script, why }),
    };
    make_scripts_folder(&folder.scripts)?;
    remove_leftovers(&folder.scripts);
    let fresh = beside(&folder, "new");
    if let Err(why) = write_script(&fresh) {
        let _ = fs::remove_dir_all(&fresh);
        return Err(InstallProblem::NotWritten { folder: folder.scripts, why });
    }
    let swap = Swap { fresh, target: folder.script.clone(), kept: kept.clone(), doomed: doomed.clone() };
    if let Err(why) = swap.run(|from, to| fs::rename(from, to)) {
        let _ = fs::remove_dir_all(&swap.fresh);
        return Err(InstallProblem::NotInPlace { folder: folder.script, why: why.to_string() });
    }
    sync_folder(&folder.scripts);
    let left = doomed.filter(|doomed| fs::remove_dir_all(doomed).is_err());
    Ok(Installed { left, ..done(change, kept) })
}

/// Removes the script from the User Library, and the backup of an earlier one.
pub fn remove(user_library: &Path) -> Result<Removed, InstallProblem> {
    let _alone = alone();
    let folder = ScriptFolder::of(user_library);
    check_no_link(&folder.script)?;
    let mut removed = Removed::default();
    match disk_state(&folder.script) {
        ScriptState::NotInstalled => {}
        ScriptState::Foreign => return Err(InstallProblem::NotOurs(folder.script)),
        ScriptState::Unknown(_) if folder.script.is_file() => return Err(InstallProblem::FileInTheWay(folder.script)),
        ScriptState::Unknown(why) => return Err(InstallProblem::Unknown { folder: folder.script, why }),
        ScriptState::Outdated { version, .. } | ScriptState::RunningAnother { version } => {
            removed.left = discard(&folder, &folder.script)?;
            removed.script = Some((folder.script.clone(), version));
        }
        ScriptState::Installed => {
            removed.left = discard(&folder, &folder.script)?;
            removed.script = Some((folder.script.clone(), bundled_version().to_owned()));
        }
    }
    // One that is not ours stays, without a word: its name is nothing special.
    if old_backup(&folder).is_ok_and(|is_ours| is_ours) {
        removed.left = discard(&folder, &folder.backup)?.or(removed.left);
        removed.backup = Some(folder.backup.clone());
    }
    removed.foreign_backup = Some(folder.foreign_backup).filter(|kept| is_there(kept));
    Ok(removed)
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn check_no_link(script: &Path) -> Result<(), InstallProblem> {
    match fs::read_link(script) {
        Ok(to) => Err(InstallProblem::Link { link: script.to_owned(), to }),
        // No link, or nothing there.
        Err(_) => Ok(()),
    }
}

/// Whether a backup of ours lies there; fails where something else does.
fn old_backup(folder: &ScriptFolder) -> Result<bool, InstallProblem> {
    let is_link = fs::read_link(&folder.backup).is_ok();
    match disk_state(&folder.backup) {
        ScriptState::NotInstalled => Ok(false),
        ScriptState::Installed | ScriptState::Outdated { .. } if !is_link => Ok(true),
        _ => Err(InstallProblem::NoRoomForBackup(folder.backup.clone())),
    }
}

/// A folder in the making, or one that goes: with a hyphen, so that Live cannot import it.
fn beside(folder: &ScriptFolder, what: &str) -> PathBuf {
    folder.scripts.join(format!("{SCRIPT_NAME}-{what}-{}", std::process::id()))
}

fn make_scripts_folder(scripts: &Path) -> Result<(), InstallProblem> {
    if scripts.is_file() {
        return Err(InstallProblem::FileInTheWay(scripts.to_owned()));
    }
    // The User Library itself is not made: one that is not there is another mistake.
    match fs::create_dir(scripts) {
        Err(_) if scripts.is_dir() => Ok(()),
        made => made.map_err(|e| InstallProblem::NotWritten { folder: scripts.to_owned(), why: e.to_string() }),
    }
}

/// Writes all files and reads them back.
fn write_script(fresh: &Path) -> Result<(), String> {
    let write = || -> io::Result<()> {
        fs::create_dir(fresh)?;
        for file in SCRIPT_FILES {
            let mut open = fs::File::create_new(fresh.join(file.name))?;
            open.write_all(file.bytes)?;
            open.sync_all()?;
        }
        Ok(())
    };
    write().map_err(|e| e.to_string())?;
    sync_folder(fresh);
    if is_whole(fresh) { Ok(()) } else { Err("what was written does not read back the same".to_owned()) }
}

/// Takes a folder of ours out of Live's sight with one rename, then removes it; gives what could not be removed.
fn discard(folder: &ScriptFolder, what: &Path) -> Result<Option<PathBuf>, InstallProblem> {
    let doomed = beside(folder, "old");
    let closed = |e: io::Error| InstallProblem::NotWritten { folder: what.to_owned(), why: e.to_string() };
    remove_leftovers(&folder.scripts);
    fs::rename(what, &doomed).map_err(closed)?;
    sync_folder(&folder.scripts);
    Ok(fs::remove_dir_all(&doomed).is_err().then_some(doomed))
}

/// Removes what a process left behind that was killed in the middle. Another one may be at work just now, so only what
/// is older than any installation takes is removed.
fn remove_leftovers(scripts: &Path) {
    const AN_INSTALLATION_TAKES: Duration = Duration::from_secs(60);
    let Ok(entries) = fs::read_dir(scripts) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| {
            let rest = name.strip_prefix(SCRIPT_NAME)?;
            rest.strip_prefix("-new-").or_else(|| rest.strip_prefix("-old-"))
        });
        let is_ours = number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
        let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_ours && age().is_some_and(|age| age > AN_INSTALLATION_TAKES) {
            // If it cannot be removed, Live still does not show it.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Has the disk keep the names in a folder. Where folders cannot be synced, nothing more can be done.
fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    let _ = fs::File::open(folder).and_then(|open| open.sync_all());
    #[cfg(not(unix))]
    let _ = folder;
}
