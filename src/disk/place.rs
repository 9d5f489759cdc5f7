//! Where a file goes, who may read it there, and how it gets a name that another one has.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Who may read a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Its owner alone: what lies in the user's own folder.
    OwnerOnly,
    /// Whoever could read the file that is there: a document that the user named. A new one is as the system makes it.
    AsBefore,
}

/// Makes a folder and those above it, if they are not there. With [`Access::OwnerOnly`] nobody else may look into what
/// was made; a folder that was there stays as it is.
pub fn make_folder(folder: &Path, access: Access) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    if access == Access::OwnerOnly {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    #[cfg(not(unix))]
    let _ = access;
    builder.create(folder)
}

/// The folder that a file lies in.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Options to make a file that nobody else may read before it is known who may. A link that lies there is not followed,
/// a pipe not waited for.
pub fn private_file() -> fs::OpenOptions {
    let options = File::options();
    #[cfg(unix)]
    let options = {
        use std::os::unix::fs::OpenOptionsExt;
        let mut options = options;
        options.mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY);
        options
    };
    options
}

/// A virus scanner, an indexer or a backup that has one of the two files open makes Windows refuse; they close it
/// within moments.
#[cfg(not(unix))]
pub fn rename_over(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(windows)]
    {
        const TRIES: usize = 40;
        for _ in 1..TRIES {
            match fs::rename(from, to) {
                Err(error) if is_briefly_refused(&error) => std::thread::sleep(std::time::Duration::from_millis(25)),
                renamed => return renamed,
            }
        }
    }
    fs::rename(from, to)
}

/// Whether Windows refused because somebody else has the file open, or is about to close one that was removed.
#[cfg(windows)]
pub fn is_briefly_refused(error: &io::Error) -> bool {
    const ERROR_ACCESS_DENIED: i32 = 5;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    const ERROR_LOCK_VIOLATION: i32 = 33;
    const ERROR_DELETE_PENDING: i32 = 303;
    matches!(
        error.raw_os_error(),
        Some(ERROR_ACCESS_DENIED | ERROR_SHARING_VIOLATION | ERROR_LOCK_VIOLATION | ERROR_DELETE_PENDING)
    )
}
