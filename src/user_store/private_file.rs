//! Files that nobody but this user may read: written whole, with the mode 0600 from the first byte on.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

/// As [`super::write_atomically`]; the file is the user's alone.
pub fn write_private(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = file.file_name().ok_or_else(|| io::Error::other("not a file name"))?;
    fs::create_dir_all(folder)?;
    let beside = folder.join(format!(".{}.{}.new", name.to_string_lossy(), std::process::id()));
    // One of an earlier process of this number would keep its mode.
    let _ = fs::remove_file(&beside);
    let mut options = fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&beside).and_then(|mut open| {
        open.write_all(bytes)?;
        open.sync_all()
    });
    let renamed = written.and_then(|()| fs::rename(&beside, file));
    if renamed.is_err() {
        // The partial file is of no use; if it cannot be removed, it does no harm.
        let _ = fs::remove_file(&beside);
    }
    renamed
}

/// The text of a plain file of at most so many bytes; `None` when there is none. The error follows the file's name in a
/// sentence.
pub fn read_plain(file: &Path, max_bytes: u64) -> Result<Option<String>, String> {
    let closed = |e: io::Error| format!("cannot be read ({})", e.kind());
    match fs::metadata(file) {
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(None),
        about if !about.as_ref().is_ok_and(fs::Metadata::is_file) => {
            return Err(about.err().map_or_else(|| "is no plain file".to_owned(), closed));
        }
        _ => {}
    }
    let mut bytes = Vec::new();
    fs::File::open(file).and_then(|open| open.take(max_bytes + 1).read_to_end(&mut bytes)).map_err(closed)?;
    if bytes.len() as u64 > max_bytes {
        return Err(format!("is larger than {max_bytes} bytes"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| "is no UTF-8 text".to_owned())
}
