//! A file in the making beside the one that it is to replace, so that a reader or a crash sees the old one or the new
//! one. Nobody can guess its name, and nothing that has that name is used.

use super::folder::{Folder, not_plain};
use super::place::{Access, folder_of, make_folder};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// What may be replaced by a file that is put in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacing {
    Anything,
    Nothing,
}

/// See the [module](self). Dropped before it is put in place, it is removed.
#[derive(Debug)]
pub struct StagedFile {
    folder: Folder,
    name: OsString,
    staged: OsString,
    file: File,
    in_place: bool,
}

impl StagedFile {
    /// In a folder that is made if it is not there. Links on the way are followed: the path is the user's own.
    pub fn new(target: &Path, access: Access) -> io::Result<StagedFile> {
        make_folder(folder_of(target), access)?;
        StagedFile::within(Folder::open(folder_of(target))?, target, access)
    }

    /// In a folder that is there, by a path that the user named: links on the way are followed.
    pub fn by_hand(target: &Path, access: Access) -> io::Result<StagedFile> {
        StagedFile::within(Folder::open(folder_of(target))?, target, access)
    }

    /// By the path that a look at its links gave: a link that came into it since is refused.
    pub fn of_real(target: &Path, access: Access) -> io::Result<StagedFile> {
        StagedFile::within(Folder::open_real(folder_of(target))?, target, access)
    }

    fn within(folder: Folder, target: &Path, access: Access) -> io::Result<StagedFile> {
        let name = target.file_name().ok_or_else(|| io::Error::other("not a file name"))?.to_owned();
        if folder.has_special(&name) {
            return Err(not_plain());
        }
        // Whoever could not read what lies there reads nothing of the new one either, from its first moment.
        let before = folder.open_file(&name).and_then(|file| file.metadata()).map(|about| about.permissions()).ok();
        let before = before.filter(|_| access == Access::AsBefore);
        let is_open = access == Access::AsBefore && before.is_none();
        let (staged, file) = create_hidden(&folder, &name, if is_open { 0o666 } else { 0o600 })?;
        let staged = StagedFile { folder, name, staged, file, in_place: false };
        if let Some(before) = before {
            staged.file.set_permissions(before)?;
        }
        Ok(staged)
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Where it will lie.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// Has the disk keep what was written.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Gives the file its name; gives the open file.
    pub fn put_in_place(mut self) -> io::Result<File> {
        self.folder.rename(&self.staged, &self.name)?;
        self.in_place = true;
        // The rename should survive a power cut as well.
        self.folder.sync();
        self.file.try_clone()
    }

    /// Puts it in place of what lies there, which comes back unless the new one is kept. Where nothing may be replaced,
    /// what came there meanwhile stays.
    pub fn put_for_now(mut self, replacing: Replacing) -> io::Result<InPlace> {
        let before = match replacing {
            Replacing::Anything => self.put_aside(),
            Replacing::Nothing => None,
        };
        let put = match replacing {
            Replacing::Anything => self.folder.rename(&self.staged, &self.name),
            Replacing::Nothing => self.folder.rename_new(&self.staged, &self.name),
        };
        if let Err(why) = put {
            if let Some(before) = before {
                let _ = self.folder.remove_file(&before);
            }
            return Err(why);
        }
        self.in_place = true;
        let folder = self.folder.try_clone()?;
        Ok(InPlace { folder, name: self.name.clone(), file: self.file.try_clone()?, before, is_kept: false })
    }

    /// A second name of the file that lies there; `None` where there is none, or none can be made.
    fn put_aside(&self) -> Option<OsString> {
        self.folder.open_file(&self.name).ok()?;
        let aside = hidden_name(&self.name, "before").ok()?;
        self.folder.link(&self.name, &aside).ok().map(|()| aside)
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        if !self.in_place {
            // Of no use; if it cannot be removed, it does no harm.
            let _ = self.folder.remove_file(&self.staged);
        }
    }
}

/// A file that was put in place; dropped before it is kept, what lay there is there again, or nothing.
#[derive(Debug)]
pub struct InPlace {
    folder: Folder,
    name: OsString,
    file: File,
    before: Option<OsString>,
    is_kept: bool,
}

impl InPlace {
    /// What lies there now stays; gives it, open.
    pub fn keep(mut self) -> io::Result<File> {
        self.is_kept = true;
        self.file.try_clone()
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }
}

impl Drop for InPlace {
    fn drop(&mut self) {
        let _ = match (&self.before, self.is_kept) {
            (Some(before), true) => self.folder.remove_file(before),
            (Some(before), false) => self.folder.rename(before, &self.name),
            (None, true) => Ok(()),
            (None, false) => self.folder.remove_file(&self.name),
        };
    }
}

/// A new file with a name that nobody can guess.
fn create_hidden(folder: &Folder, name: &OsStr, mode: u32) -> io::Result<(OsString, File)> {
    const TRIES: usize = 16;
    for _ in 1..TRIES {
        let hidden = hidden_name(name, "new")?;
        match folder.create_file(&hidden, mode) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|file| (hidden, file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The name of the file that a staged file of this name was to become; `None` for a file of another kind. Versions
/// before this one marked them by the number of their process.
pub fn staged_target(name: &str) -> Option<&str> {
    let (target, mark) = name.strip_prefix('.')?.strip_suffix(".new")?.rsplit_once('.')?;
    let is_random = mark.len() == 16 && mark.bytes().all(|b| b.is_ascii_hexdigit());
    let is_process = !mark.is_empty() && mark.bytes().all(|b| b.is_ascii_digit());
    (is_random || is_process).then_some(target)
}

/// `.x.wav.0123456789abcdef.new`: a point first hides it where the system hides files.
fn hidden_name(name: &OsStr, ending: &str) -> io::Result<OsString> {
    let random = getrandom::u64().map_err(|why| io::Error::other(why.to_string()))?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{random:016x}.{ending}"));
    Ok(hidden)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    #[cfg(unix)]
    #[test]
    fn pipes_are_not_replaced() {
        let root = tempfile::tempdir().unwrap();
        let pipe = root.path().join("pipe");
        crate::disk::make_pipe(&pipe);
        for path in [pipe.as_path(), root.path()] {
            assert!(StagedFile::by_hand(path, Access::AsBefore).is_err(), "{}", path.display());
        }
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "no staged file is left");
    }

    #[test]
    fn what_came_meanwhile_is_not_replaced() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("a.wav");
        let staged = StagedFile::new(&target, Access::AsBefore).unwrap();
        staged.file().write_all(b"new").unwrap();
        fs::write(&target, "theirs").unwrap();
        let refused = staged.put_for_now(Replacing::Nothing).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&target).unwrap(), "theirs");
        drop(StagedFile::new(&target, Access::AsBefore).unwrap().put_for_now(Replacing::Anything).unwrap());
        assert_eq!(fs::read_to_string(&target).unwrap(), "theirs", "it was not kept");
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_its_place_is_not_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let root = tempfile::tempdir().unwrap();
        let (precious, target) = (root.path().join("precious"), root.path().join("x.wav"));
        fs::write(&precious, "theirs").unwrap();
        fs::set_permissions(&precious, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&precious, &target).unwrap();
        let staged = StagedFile::of_real(&target, Access::AsBefore).unwrap();
        staged.file().write_all(b"ours").unwrap();
        staged.put_in_place().unwrap();
        assert_eq!((fs::read_to_string(&precious).unwrap(), fs::read_to_string(&target).unwrap()).0, "theirs");
        assert!(!fs::symlink_metadata(&target).unwrap().is_symlink());
        StagedFile::of_real(&precious, Access::AsBefore).unwrap().put_in_place().unwrap();
        assert_eq!(fs::metadata(&precious).unwrap().permissions().mode() & 0o777, 0o600, "the narrower mode stays");
    }
}
