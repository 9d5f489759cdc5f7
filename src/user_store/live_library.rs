//! `live-user-library`: where Ableton Live's User Library is, once the user has named it.

use super::atomic_files::{read_plain, remove_if_present, write_atomically};
use crate::disk::Access;
use std::io;
use std::path::{Path, PathBuf};

const FILE_NAME: &str = "live-user-library";
/// Longer than any path.
const MAX_BYTES: u64 = 64 * 1024;

/// What the user named; `None` where nothing was. The error names the file.
pub fn read_live_library(folder: &Path) -> Result<Option<PathBuf>, String> {
    let file = folder.join(FILE_NAME);
    let named = |why: &str| format!("the User Library's place in {} {why}", file.display());
    let Some(text) = read_plain(&file, MAX_BYTES).map_err(|why| named(&why))? else { return Ok(None) };
    let path = PathBuf::from(text.trim());
    if path.is_absolute() { Ok(Some(path)) } else { Err(named("is no absolute path")) }
}

/// Keeps it, or forgets it. A path that is no text cannot be kept.
pub fn write_live_library(folder: &Path, library: Option<&Path>) -> io::Result<()> {
    let file = folder.join(FILE_NAME);
    let Some(library) = library else { return remove_if_present(&file) };
    let text = library.to_str().ok_or_else(|| io::Error::other("the path is no text"))?;
    write_atomically(&file, format!("{text}\n").as_bytes(), Access::OwnerOnly)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn it_is_kept_until_it_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let (home, library) = (folder.path().join("deep"), folder.path().join("My Music/User Library"));
        assert_eq!(read_live_library(&home), Ok(None));
        write_live_library(&home, Some(&library)).unwrap();
        assert_eq!(read_live_library(&home), Ok(Some(library)));
        write_live_library(&home, None).unwrap();
        write_live_library(&home, None).unwrap();
        assert_eq!(read_live_library(&home), Ok(None));
        assert_eq!(fs::read_dir(&home).unwrap().count(), 0);
        for odd in [&b"relative"[..], b"\xff", b""] {
            fs::write(home.join(FILE_NAME), odd).unwrap();
            assert!(read_live_library(&home).unwrap_err().contains(FILE_NAME), "{odd:?}");
        }
    }
}
