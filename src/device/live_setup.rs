//! The script for Ableton Live on this user's disk, for every face: which User Library it is about, how it stands
//! there, and installing and removing it.

use crate::live_script::{
    Installed, LibraryProblem, LibrarySource, NamedFolder, Places, Removed, RunningScript, ScriptStatus, UserLibrary,
    check_named, find_user_library, install, remove,
};
use crate::user_store::{read_live_library, write_live_library};
use std::path::{Path, PathBuf};

/// Where Live shows the folder that is asked for.
pub const WHERE_LIVE_SHOWS_IT: &str = "Live shows it under Settings > Library";

/// What is known of a user before the disk is looked at. Everything here waits for a disk.
#[derive(Clone, Debug)]
pub struct LiveSetup {
    /// Where the folder is kept that the user named; without one it is not.
    user_folder: Option<PathBuf>,
    places: Places,
}

/// What was done, and what the user should know of it beside that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done<T> {
    pub library: UserLibrary,
    pub what: T,
    pub remarks: Vec<String>,
}

/// Why there is nothing to show or to do: a sentence, without its full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupProblem {
    pub why: String,
    /// The user mends it by naming the User Library.
    pub asks_for_library: bool,
    /// Live does not run on this system, so there may be nothing to mend.
    pub is_without_live: bool,
}

impl LiveSetup {
    pub fn new(user_folder: Option<PathBuf>, places: Places) -> LiveSetup {
        LiveSetup { user_folder, places }
    }

    /// The User Library: the one that is named, else the one that was named before, else the only one there is.
    pub fn library(&self, named: Option<&Path>) -> Result<UserLibrary, SetupProblem> {
        if let Some(named) = named {
            return find_user_library(Some(named), &self.places).map_err(|why| asks(&why));
        }
        let Some(remembered) = self.remembered()? else {
            return find_user_library(None, &self.places).map_err(|why| asks(&why));
        };
        let known = check_named(&remembered).map_err(|why| match why {
            LibraryProblem::Missing(folder) => SetupProblem {
                why: format!("{}, which was named as the User Library, is not there now", folder.display()),
                asks_for_library: true,
                is_without_live: false,
            },
            why => asks(&why),
        })?;
        Ok(UserLibrary { folder: known.folder, source: LibrarySource::Named })
    }

    /// How it stands with the script there. `running` is what the script in a linked Live told of itself.
    pub fn look(
        &self,
        named: Option<&Path>,
        running: Option<&RunningScript>,
    ) -> Result<(UserLibrary, ScriptStatus), SetupProblem> {
        let library = self.library(named)?;
        let status = ScriptStatus::look(&library.folder, running);
        Ok((library, status))
    }

    /// Installs the script. A folder that was named for it is named from now on.
    pub fn install(&self, named: Option<&Path>) -> Result<Done<Installed>, SetupProblem> {
        let library = self.library(named)?;
        let mut remarks = Vec::new();
        if library.source == LibrarySource::Named
            && let Ok(NamedFolder { looks_like_one: false, .. }) = check_named(&library.folder)
        {
            remarks.push(format!(
                "{} holds nothing yet that Live makes in a User Library; if Live does not list SvcDevice, see which \
                 folder it is: {WHERE_LIVE_SHOWS_IT}",
                library.folder.display()
            ));
        }
        let what = install(&library.folder).map_err(|why| other(&why))?;
        if named.is_some() {
            remarks.extend(self.remember(Some(&library.folder)).err());
        }
        Ok(Done { library, what, remarks })
    }

    /// Removes the script, and forgets the folder that was named for it.
    pub fn remove(&self, named: Option<&Path>) -> Result<Done<Removed>, SetupProblem> {
        let library = self.library(named)?;
        let what = remove(&library.folder).map_err(|why| other(&why))?;
        let remarks = self.remember(None).err().into_iter().collect();
        Ok(Done { library, what, remarks })
    }

    /// Names the User Library from now on, or none.
    pub fn name_library(&self, named: Option<&Path>) -> Result<(), SetupProblem> {
        let named = match named {
            Some(named) => Some(check_named(named).map_err(|why| asks(&why))?.folder),
            None => None,
        };
        self.remember(named.as_deref()).map_err(|why| SetupProblem {
            why,
            asks_for_library: false,
            is_without_live: false,
        })
    }

    fn remembered(&self) -> Result<Option<PathBuf>, SetupProblem> {
        let Some(folder) = &self.user_folder else { return Ok(None) };
        read_live_library(folder).map_err(|why| SetupProblem { why, asks_for_library: true, is_without_live: false })
    }

    fn remember(&self, library: Option<&Path>) -> Result<(), String> {
        let Some(folder) = &self.user_folder else { return Ok(()) };
        write_live_library(folder, library)
            .map_err(|e| format!("the User Library's place could not be kept in {} ({e})", folder.display()))
    }
}

fn asks(why: &LibraryProblem) -> SetupProblem {
    SetupProblem { why: why.to_string(), asks_for_library: true, is_without_live: *why == LibraryProblem::NoLive }
}

fn other(why: &impl std::fmt::Display) -> SetupProblem {
    SetupProblem { why: why.to_string(), asks_for_library: false, is_without_live: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live_script::{Change, Platform, ScriptState};
    use std::fs;

    fn setup(root: &Path) -> LiveSetup {
        let places =
            Places { platform: Platform::MacOs, home: Some(root.join("home")), app_data: None, one_drive: None };
        LiveSetup::new(Some(root.join("svc")), places)
    }

    #[test]
    fn the_folder_that_was_named_is_known_from_then_on() {
        let root = tempfile::tempdir().unwrap();
        let (setup, mine) = (setup(root.path()), root.path().join("Mine"));
        let absent = setup.look(None, None).unwrap_err();
        assert!(absent.asks_for_library && absent.why.contains("Music/Ableton/User Library"), "{absent:?}");
        let refused = setup.install(Some(&mine)).unwrap_err();
        assert!(refused.asks_for_library && refused.why.contains("is not there"), "{refused:?}");
        fs::create_dir(&mine).unwrap();
        let done = setup.install(Some(&mine)).unwrap();
        assert_eq!(done.what.change, Change::New);
        assert!(done.remarks.iter().any(|remark| remark.contains("Settings > Library")), "{:?}", done.remarks);
        let (library, status) = setup.look(None, None).unwrap();
        assert_eq!(
            (library.folder, library.source, status.state),
            (mine.clone(), LibrarySource::Named, ScriptState::Installed)
        );
        assert_eq!(setup.install(None).unwrap().remarks, [""; 0], "by now it looks like one");
        // The default is there too now: what was named still counts, until it is gone.
        let default = root.path().join("home/Music/Ableton/User Library");
        fs::create_dir_all(&default).unwrap();
        assert_eq!(setup.library(None).unwrap().folder, mine);
        fs::rename(&mine, root.path().join("away")).unwrap();
        let gone = setup.library(None).unwrap_err();
        assert!(gone.asks_for_library && gone.why.contains("was named as the User Library"), "{gone:?}");
        fs::rename(root.path().join("away"), &mine).unwrap();
        assert!(setup.remove(None).unwrap().what.script.is_some());
        assert_eq!(setup.library(None).unwrap().folder, default, "and is forgotten with the script");
        setup.name_library(Some(&mine)).unwrap();
        assert_eq!(setup.library(None).unwrap().folder, mine);
        assert!(setup.name_library(Some(&root.path().join("no"))).unwrap_err().asks_for_library);
        setup.name_library(None).unwrap();
        assert_eq!(setup.library(None).unwrap().folder, default);
    }
}
