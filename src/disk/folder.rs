//! A folder that is held open. What is done in it happens there, even if its path comes to mean something else.
//!
//! Windows has no such calls in the standard library: there the path is looked at once more, and used.

#[cfg(not(unix))]
use crate::paths::plain_path;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// See the [module](self).
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    #[cfg(unix)]
    handle: std::os::fd::OwnedFd,
}

impl Folder {
    /// Opens a folder that the user or the program itself has named: links on the way are followed.
    pub fn open(path: &Path) -> io::Result<Folder> {
        #[cfg(unix)]
        return Folder::open_real(&path.canonicalize()?);
        #[cfg(not(unix))]
        {
            // Not canonicalized: some file systems and wine cannot resolve paths longer than 260 characters.
            let path = std::path::absolute(path)?;
            if path.metadata()?.is_dir() { Ok(Folder { path }) } else { Err(io::ErrorKind::NotADirectory.into()) }
        }
    }

    /// The same folder once more.
    pub fn try_clone(&self) -> io::Result<Folder> {
        Ok(Folder {
            path: self.path.clone(),
            #[cfg(unix)]
            handle: self.handle.try_clone()?,
        })
    }

    /// Opens a folder by the path that a look at its links gave: a link that came into the path since is refused.
    #[cfg(unix)]
    pub fn open_real(path: &Path) -> io::Result<Folder> {
        use rustix::fs::{CWD, Mode, openat};
        use std::path::Component;
        let mut handle = openat(CWD, "/", FOLDER, Mode::empty())?;
        for part in std::path::absolute(path)?.components() {
            match part {
                Component::RootDir => {}
                Component::Normal(name) => handle = openat(&handle, name, FOLDER, Mode::empty())?,
                _ => return Err(io::ErrorKind::InvalidInput.into()),
            }
        }
        Ok(Folder { path: path.to_owned(), handle })
    }

    #[cfg(not(unix))]
    pub fn open_real(path: &Path) -> io::Result<Folder> {
        let real = path.canonicalize()?;
        let is_led_elsewhere = plain_path(real.clone()) != plain_path(path.to_owned());
        if is_led_elsewhere || !real.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Folder { path: path.to_owned() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of that name in it; a link is none.
    pub fn folder(&self, name: &OsStr) -> io::Result<Folder> {
        #[cfg(unix)]
        {
            let handle = rustix::fs::openat(&self.handle, name, FOLDER, rustix::fs::Mode::empty())?;
            Ok(Folder { path: self.path.join(name), handle })
        }
        #[cfg(not(unix))]
        {
            let path = self.path.join(name);
            let is_folder = path.symlink_metadata()?.is_dir();
            if is_folder { Ok(Folder { path }) } else { Err(io::ErrorKind::NotADirectory.into()) }
        }
    }

    /// Opens a plain file to be read; a link is none, and nothing else is opened.
    pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
        #[cfg(unix)]
        let file = {
            use rustix::fs::{FileType, Mode, OFlags, openat};
            if self.kind_of(name)? != FileType::RegularFile {
                return Err(not_plain());
            }
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
            File::from(openat(&self.handle, name, flags, Mode::empty())?)
        };
        #[cfg(not(unix))]
        let file = {
            let path = self.path.join(name);
            if !std::fs::symlink_metadata(&path)?.is_file() {
                return Err(not_plain());
            }
            File::open(path)?
        };
        check_plain(file)
    }

    /// Makes a file that was not there, to be written and read back, for those whom `mode` lets in.
    pub fn create_file(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        #[cfg(unix)]
        {
            use rustix::fs::{Mode, OFlags, openat};
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            // The type of a mode is narrower on some systems.
            Ok(File::from(openat(&self.handle, name, flags, Mode::from_bits_truncate(mode as _))?))
        }
        #[cfg(not(unix))]
        {
            let _ = mode;
            File::options().read(true).write(true).create_new(true).open(self.path.join(name))
        }
    }

    /// The kind of file that has that name; links are not followed.
    #[cfg(unix)]
    fn kind_of(&self, name: &OsStr) -> io::Result<rustix::fs::FileType> {
        use rustix::fs::{AtFlags, FileType, statat};
        Ok(FileType::from_raw_mode(statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode))
    }

    /// Whether anything has that name, a link that leads nowhere too.
    pub fn has(&self, name: &OsStr) -> bool {
        #[cfg(unix)]
        return self.kind_of(name).is_ok();
        #[cfg(not(unix))]
        self.path.join(name).symlink_metadata().is_ok()
    }

    /// Whether the name is that of a pipe, a socket, a device or a folder.
    pub fn has_special(&self, name: &OsStr) -> bool {
        #[cfg(unix)]
        {
            use rustix::fs::FileType;
            self.kind_of(name).is_ok_and(|kind| !matches!(kind, FileType::RegularFile | FileType::Symlink))
        }
        #[cfg(not(unix))]
        self.path.join(name).symlink_metadata().is_ok_and(|about| about.is_dir())
    }

    pub fn make_folder(&self, name: &OsStr) -> io::Result<()> {
        #[cfg(unix)]
        return Ok(rustix::fs::mkdirat(&self.handle, name, rustix::fs::Mode::from_bits_truncate(0o777))?);
        #[cfg(not(unix))]
        std::fs::create_dir(self.path.join(name))
    }

    /// Removes a name, whatever file or link has it.
    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        #[cfg(unix)]
        return Ok(rustix::fs::unlinkat(&self.handle, name, rustix::fs::AtFlags::empty())?);
        #[cfg(not(unix))]
        std::fs::remove_file(self.path.join(name))
    }

    /// Removes a folder that is empty.
    pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        #[cfg(unix)]
        return Ok(rustix::fs::unlinkat(&self.handle, name, rustix::fs::AtFlags::REMOVEDIR)?);
        #[cfg(not(unix))]
        std::fs::remove_dir(self.path.join(name))
    }

    /// Gives a file another name, in place of whatever file or link has it.
    pub fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        #[cfg(unix)]
        return Ok(rustix::fs::renameat(&self.handle, from, &self.handle, to)?);
        #[cfg(not(unix))]
        super::place::rename_over(&self.path.join(from), &self.path.join(to))
    }

    /// Gives a file another name that nothing has.
    pub fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        match self.link(from, to) {
            Ok(()) => self.remove_file(from),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists || self.has(to) => {
                Err(io::ErrorKind::AlreadyExists.into())
            }
            // A file system without second names: nothing better is at hand.
            Err(_) => self.rename(from, to),
        }
    }

    /// Gives a file a second name that nothing has.
    pub fn link(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        #[cfg(unix)]
        return Ok(rustix::fs::linkat(&self.handle, from, &self.handle, to, rustix::fs::AtFlags::empty())?);
        #[cfg(not(unix))]
        std::fs::hard_link(self.path.join(from), self.path.join(to))
    }

    /// Has the disk keep its names. Where folders cannot be synced, nothing more can be done.
    pub fn sync(&self) {
        #[cfg(unix)]
        {
            use rustix::fs::{Mode, OFlags, openat};
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let _ = openat(&self.handle, ".", flags, Mode::empty()).map(|folder| File::from(folder).sync_all());
        }
    }
}

/// The file, if it is a plain one.
pub(super) fn check_plain(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_plain()) }
}

pub(super) fn not_plain() -> io::Error {
    io::Error::other("it is no plain file")
}

/// How a folder is opened. Linux need not be allowed to list it.
#[cfg(target_os = "linux")]
const FOLDER: rustix::fs::OFlags = rustix::fs::OFlags::PATH
    .union(rustix::fs::OFlags::DIRECTORY)
    .union(rustix::fs::OFlags::NOFOLLOW)
    .union(rustix::fs::OFlags::CLOEXEC);
#[cfg(all(unix, not(target_os = "linux")))]
const FOLDER: rustix::fs::OFlags =
    rustix::fs::OFlags::DIRECTORY.union(rustix::fs::OFlags::NOFOLLOW).union(rustix::fs::OFlags::CLOEXEC);

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_link_that_came_later_is_refused() {
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (folder, link) = (root.path().join("a/b"), root.path().join("a"));
        fs::create_dir_all(&folder).unwrap();
        Folder::open_real(&folder).unwrap();
        fs::rename(&link, root.path().join("moved")).unwrap();
        fs::create_dir(outside.path().join("b")).unwrap();
        symlink(outside.path(), &link).unwrap();
        assert!(Folder::open_real(&folder).is_err(), "a link in the middle");
        assert!(Folder::open_real(&link).is_err(), "a link at the end");
        assert!(Folder::open(&folder).is_ok(), "one that is followed on purpose");
    }

    #[test]
    fn an_open_folder_stays_where_it_is() {
        let root = tempfile::tempdir().unwrap();
        let (there, moved) = (root.path().join("there"), root.path().join("moved"));
        fs::create_dir(&there).unwrap();
        let folder = Folder::open_real(&there).unwrap();
        fs::rename(&there, &moved).unwrap();
        symlink("/", &there).unwrap();
        folder.create_file(OsStr::new("x"), 0o600).unwrap();
        assert!(moved.join("x").exists());
        assert!(folder.create_file(OsStr::new("x"), 0o600).is_err(), "it is there");
    }

    #[test]
    fn only_plain_files_are_opened_in_it() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("file"), "text").unwrap();
        symlink("file", root.path().join("link")).unwrap();
        fs::create_dir(root.path().join("folder")).unwrap();
        let folder = Folder::open(root.path()).unwrap();
        crate::disk::make_pipe(&root.path().join("pipe"));
        assert!(folder.open_file(OsStr::new("file")).is_ok());
        for name in ["link", "folder", "pipe", "none"] {
            assert!(folder.open_file(OsStr::new(name)).is_err(), "{name}");
        }
    }
}
