//! Which User Library is found.

use super::user_library::write;
use crate::live_script::*;
use std::fs;
use std::path::{Path, PathBuf};

/// A user's folders, as they lie on each system.
struct Machine {
    root: tempfile::TempDir,
    platform: Platform,
}

impl Machine {
    fn new(platform: Platform) -> Machine {
        Machine { root: tempfile::tempdir().unwrap(), platform }
    }

    fn places(&self) -> Places {
        let at = |name: &str| Some(self.root.path().join(name));
        Places { platform: self.platform, home: at("home"), app_data: at("appdata"), one_drive: at("onedrive") }
    }

    fn folder(&self, name: &str) -> PathBuf {
        let folder = self.root.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn states(&self, live: &str, library: &Path) {
        let file = match self.platform {
            Platform::Windows => format!("appdata/Ableton/{live}/Preferences/Library.cfg"),
            _ => format!("home/Library/Preferences/Ableton/{live}/Library.cfg"),
        };
        let (above, name) = (library.parent().unwrap().display(), library.file_name().unwrap().to_str().unwrap());
        let text = format!(
            "<Ableton><ContentLibrary><UserLibrary><LibraryProject><ProjectName Value=\"{name}\" />\
             <ProjectPath Value=\"{above}\" /></LibraryProject></UserLibrary></ContentLibrary></Ableton>"
        );
        write(self.root.path().join(file), &text);
    }

    fn find(&self, named: Option<&Path>) -> Result<UserLibrary, LibraryProblem> {
        find_user_library(named, &self.places())
    }
}

const MAC: &str = "home/Music/Ableton/User Library";

#[test]
fn the_default_is_found_where_it_is() {
    for (platform, at) in [
        (Platform::MacOs, MAC),
        (Platform::Windows, "home/Documents/Ableton/User Library"),
        (Platform::Windows, "onedrive/Documents/Ableton/User Library"),
    ] {
        let machine = Machine::new(platform);
        let absent = machine.find(None).unwrap_err();
        let expected = machine.root.path().join(at);
        assert!(matches!(&absent, LibraryProblem::Absent { looked_at } if looked_at.contains(&expected)), "{absent}");
        assert!(absent.to_string().contains(expected.to_str().unwrap()), "{absent}");
        let folder = machine.folder(at);
        assert_eq!(machine.find(None), Ok(UserLibrary { folder, source: LibrarySource::Default }));
    }
    let linux = Machine::new(Platform::Other);
    linux.folder(MAC);
    assert_eq!(linux.find(None), Err(LibraryProblem::NoLive));
}

#[test]
fn a_moved_library_is_found_and_never_guessed() {
    for platform in [Platform::MacOs, Platform::Windows] {
        let machine = Machine::new(platform);
        let moved = machine.folder("disk/Ableton/User Library");
        machine.states("Live 12.1.10", &moved);
        // Preferences of an old version whose library is gone are no trouble.
        machine.states("Live 12.1.9", &machine.root.path().join("gone/User Library"));
        let stated = UserLibrary { folder: moved.clone(), source: LibrarySource::StatedBy("Live 12.1.10".to_owned()) };
        assert_eq!(machine.find(None), Ok(stated.clone()));
        // Both are there: the user is asked.
        let default =
            machine.folder(if platform == Platform::MacOs { MAC } else { "home/Documents/Ableton/User Library" });
        let refused = machine.find(None).unwrap_err();
        let own = UserLibrary { folder: default.clone(), source: LibrarySource::Default };
        assert_eq!(refused, LibraryProblem::Several { candidates: vec![stated, own] });
        for part in [moved.to_str().unwrap(), default.to_str().unwrap(), "preferences of Live 12.1.10"] {
            assert!(refused.to_string().contains(part), "{refused}");
        }
        let named = machine.find(Some(&default)).unwrap();
        assert_eq!((named.folder, named.source), (default.clone(), LibrarySource::Named));
        // Both say the same.
        machine.states("Live 12.1.10", &default);
        assert_eq!(machine.find(None).unwrap().folder, default);
        // On a disk that is not there now, with the default there: nothing is written to the wrong one.
        let away = machine.root.path().join("unplugged/User Library");
        machine.states("Live 12.1.10", &away);
        let refused = machine.find(None).unwrap_err();
        assert_eq!(refused, LibraryProblem::StatedAndAbsent { live: "Live 12.1.10".to_owned(), folder: away });
    }
}

#[test]
fn a_named_folder_is_looked_at() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    for name in
        ["Mine/Presets", "Empty", "Mine/Remote Scripts/SvcDevice", "x/User Remote Scripts", "y/MIDI Remote Scripts"]
    {
        fs::create_dir_all(at(name)).unwrap();
    }
    write(at("file"), "x");
    for (name, looks_like_one) in [("Mine", true), ("Empty", false)] {
        assert_eq!(check_named(&at(name)), Ok(NamedFolder { folder: at(name), looks_like_one }));
    }
    for (name, words) in [
        ("absent", "is not there"),
        ("file", "is no folder"),
        ("file/below", "is no folder"),
        ("Mine/Remote Scripts", "name the folder above it"),
        ("Mine/Remote Scripts/SvcDevice", "two folders above it"),
        ("x/User Remote Scripts", "loads no script from it"),
        ("y/MIDI Remote Scripts", "inside the application"),
        ("absent/remote scripts", "name the folder above it"),
    ] {
        let refused = check_named(&at(name)).unwrap_err().to_string();
        assert!(refused.contains(words) && refused.contains(root.path().to_str().unwrap()), "{name}: {refused}");
    }
    assert!(check_named(Path::new("relative")).unwrap_err().to_string().starts_with('/') || cfg!(windows));
}
