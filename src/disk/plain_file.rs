//! Files that are opened to be read: plain ones. A pipe, a socket and a device are refused before they are opened, for
//! opening them may wait for ever, or do something.

use super::folder::{Folder, check_plain, not_plain};
use super::place::folder_of;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Opens a plain file; links are followed.
pub fn open_plain(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(not_plain());
    }
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Something else may have taken its place since.
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    }
    check_plain(options.open(path)?)
}

/// Opens a plain file by the path that a look at its links gave: what became a link since is refused.
pub fn open_real(path: &Path) -> io::Result<File> {
    let name = path.file_name().ok_or_else(not_plain)?;
    Folder::open_real(folder_of(path))?.open_file(name)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::disk::make_pipe;

    #[test]
    fn relative_paths_are_opened() {
        assert_eq!(open_real(Path::new("no such file")).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(open_real(Path::new("Cargo.toml")).is_ok());
    }

    #[test]
    fn what_is_no_plain_file_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let pipe = root.path().join("pipe");
        make_pipe(&pipe);
        let link = root.path().join("link");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        for path in [pipe.as_path(), link.as_path(), root.path(), Path::new("/dev/zero"), Path::new("/none")] {
            assert!(open_plain(path).is_err() && open_real(path).is_err(), "{}", path.display());
        }
        let (file, link) = (root.path().join("file"), root.path().join("to file"));
        fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(open_plain(&file).is_ok() && open_real(&file).is_ok());
        assert!(open_plain(&link).is_ok() && open_real(&link).is_err());
    }
}
