//! The folders that a user has named in the settings, and what may be done about files elsewhere.
//!
//! Whoever opens `\\server\share\x.wav` on Windows makes the system log on to that server, with the user's name and a
//! proof of the password. A call, or a Set that somebody else made, may therefore not choose the server: such a path is
//! opened only where the user has named a folder that holds it. See D135 in `docs/decisions.md`.

use super::windows_names::is_reserved_by_windows;
use std::path::{Component, Path, PathBuf};

/// What is said of every file outside the folders that is not read, whatever the reason.
pub const NOT_TOLD: &str = "no audio file that can be read; outside the folders that the settings sampleFolder and \
                            allowedFolders name no more is told, and network shares are not asked";

/// The folders that the user has named.
#[derive(Clone, Debug)]
pub struct AllowedFolders {
    folders: Vec<PathBuf>,
    /// Whether paths mean what they mean on Windows.
    on_windows: bool,
}

impl Default for AllowedFolders {
    fn default() -> AllowedFolders {
        AllowedFolders::new::<PathBuf>([])
    }
}

impl AllowedFolders {
    pub fn new<F: Into<PathBuf>>(folders: impl IntoIterator<Item = F>) -> AllowedFolders {
        let folders = folders.into_iter().map(Into::into);
        let folders = folders.filter(|folder: &PathBuf| !folder.as_os_str().is_empty()).collect();
        AllowedFolders { folders, on_windows: cfg!(windows) }
    }

    /// The folders for files named on a command line: the whole disk, and no server.
    pub fn by_hand() -> AllowedFolders {
        AllowedFolders::new(cfg!(unix).then_some("/"))
    }

    /// These folders, and those.
    pub fn and(&self, others: &[PathBuf]) -> AllowedFolders {
        let both = AllowedFolders::new(self.folders.iter().chain(others).cloned());
        AllowedFolders { on_windows: self.on_windows, ..both }
    }

    /// The same folders, of a Windows: what is not asked for there can be seen on every system.
    #[cfg(test)]
    pub fn as_on_windows(self) -> AllowedFolders {
        AllowedFolders { on_windows: true, ..self }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().map(PathBuf::as_path)
    }

    /// Whether one of the folders holds it, as the paths are written.
    pub fn holds(&self, path: &Path) -> bool {
        let mut folders = self.folders.iter();
        match self.on_windows {
            true => {
                let path = path.to_string_lossy();
                folders.any(|folder| holds_on_windows(&folder.to_string_lossy(), &path))
            }
            false => {
                let climbs = path.components().any(|part| part == Component::ParentDir);
                !climbs && folders.any(|folder| path.starts_with(folder))
            }
        }
    }

    /// Whether the system may be asked for a file. Where it may not, [`NOT_TOLD`] is the answer.
    pub fn may_ask(&self, path: &Path) -> bool {
        !self.on_windows
            || match place(&path.to_string_lossy()) {
                Place::Disk => true,
                Place::Elsewhere => self.holds(path),
                Place::Device => false,
            }
    }
}

/// Where Windows looks for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// On a drive with a letter, or relative.
    Disk,
    /// On a server, or at whatever else has a name of its own.
    Elsewhere,
    /// At no file.
    Device,
}

fn place(path: &str) -> Place {
    let path = path.replace('/', r"\");
    if path.starts_with(r"\??\") || path.starts_with(r"\\.\") || path.split('\\').any(is_reserved_by_windows) {
        return Place::Device;
    }
    match (path.strip_prefix(r"\\?\"), path.starts_with(r"\\")) {
        (Some(spelled_out), _) if is_on_a_disk(spelled_out) => Place::Disk,
        (None, false) => Place::Disk,
        _ => Place::Elsewhere,
    }
}

fn is_on_a_disk(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'\\', ..] if letter.is_ascii_alphabetic())
}

/// Windows takes both slashes and both cases for one, and has two ways to write each path.
fn holds_on_windows(folder: &str, path: &str) -> bool {
    let spelled = |path: &str| {
        let path = path.replace('/', r"\").to_lowercase();
        let path = match path.strip_prefix(r"\\?\unc\") {
            Some(share) => format!(r"\\{share}"),
            None => path.strip_prefix(r"\\?\").unwrap_or(&path).to_owned(),
        };
        path.trim_end_matches('\\').to_owned()
    };
    let (folder, path) = (spelled(folder), spelled(path));
    let climbs = path.split('\\').any(|part| part == "..");
    let inside = path.strip_prefix(&folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('\\'));
    !climbs && inside && !folder.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_off_the_disk_is_known_by_its_text() {
        for (path, expected) in [
            (r"C:\samples\kick.wav", Place::Disk),
            ("c:/samples/kick.wav", Place::Disk),
            (r"\\?\C:\samples\kick.wav", Place::Disk),
            (r"//?/C:/samples/kick.wav", Place::Disk),
            (r"kick.wav", Place::Disk),
            (r"\\server\share\x.wav", Place::Elsewhere),
            ("//server/share/x.wav", Place::Elsewhere),
            (r"\/server\share\x.wav", Place::Elsewhere),
            (r"/\server/share/x.wav", Place::Elsewhere),
            (r"\\server@8080\DavWWWRoot\x.wav", Place::Elsewhere),
            (r"\\127.0.0.1\c$\x.wav", Place::Elsewhere),
            (r"\\?\UNC\server\share\x.wav", Place::Elsewhere),
            ("//?/unc/server/share/x.wav", Place::Elsewhere),
            (r"\\?\GLOBALROOT\Device\Mup\server\share\x.wav", Place::Elsewhere),
            (r"\\?\Volume{1}\x.wav", Place::Elsewhere),
            (r"\\?\C:x.wav", Place::Elsewhere),
            (r"\\.\UNC\server\share\x.wav", Place::Device),
            (r"\\.\pipe\x.wav", Place::Device),
            (r"//./PhysicalDrive0", Place::Device),
            (r"\??\UNC\server\share\x.wav", Place::Device),
            (r"C:\samples\com1.wav", Place::Device),
            (r"C:\nul\kick.wav", Place::Device),
        ] {
            assert_eq!(place(path), expected, "{path}");
        }
    }

    #[test]
    fn a_folder_holds_what_is_written_below_it() {
        for (folder, path, expected) in [
            (r"\\nas\samples", r"\\nas\samples\Drums\kick.wav", true),
            (r"\\nas\samples\", r"\\NAS\Samples\kick.wav", true),
            (r"\\nas\samples", "//nas/samples/kick.wav", true),
            (r"\\nas\samples", r"\\?\UNC\nas\samples\kick.wav", true),
            (r"\\?\UNC\nas\samples", r"\\nas\samples\kick.wav", true),
            (r"C:\samples", r"\\?\c:\Samples\kick.wav", true),
            (r"\\nas\samples", r"\\nas\samples2\kick.wav", false),
            (r"\\nas\samples", r"\\nas2\samples\kick.wav", false),
            (r"\\nas\samples", r"\\nas\samples\..\private\x.wav", false),
            (r"\\nas\samples", r"\\nas\samples/../../other/x.wav", false),
            (r"C:\samples", r"\\nas\samples\kick.wav", false),
            ("", r"\\nas\samples\kick.wav", false),
        ] {
            assert_eq!(holds_on_windows(folder, path), expected, "{folder} {path}");
        }
    }

    #[test]
    fn folders_of_this_system_hold_what_lies_below_them() {
        let folders = AllowedFolders::new(["", "/samples"]).and(&[PathBuf::from("/more")]);
        for (path, expected) in [
            ("/samples/a/kick.wav", true),
            ("/more/kick.wav", true),
            ("/samples2/kick.wav", false),
            ("/samples/../etc/passwd", false),
            ("/etc/passwd", false),
        ] {
            assert_eq!(folders.holds(Path::new(path)), expected, "{path}");
        }
        assert!(!AllowedFolders::new([""]).holds(Path::new("/samples/kick.wav")));
    }
}
