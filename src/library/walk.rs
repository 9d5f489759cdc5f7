//! The walk over a folder. Links are not followed: what one points to inside the folder is found where it lies, and what lies
//! outside is none of the library's. Other file systems' oddities (sockets, pipes) are left alone.

use super::kind::Kind;
use super::record::Stamp;
use super::rest::Listed;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Files and folders of a library at most; a folder listed by mistake (a whole disk) must not fill the memory.
pub const MOST_FILES: usize = 500_000;
/// Deepest folder inside a folder.
const DEEPEST: usize = 64;

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub path: PathBuf,
    pub kind: Kind,
    pub stamp: Stamp,
}

/// How a walk went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    pub found: Vec<Found>,
    /// Links, which were not followed.
    pub links: usize,
    /// Folders that could not be listed; what is known of their files stays.
    pub closed: Vec<PathBuf>,
    /// Every folder that was looked into, closed ones included.
    pub listed: Vec<Listed>,
    /// There is more than a library takes.
    pub cut: bool,
}

/// Walks through a folder; hidden folders and files (a dot in front) are left out. `None` when `stopped` said so. Tells
/// `passed` how many there are so far.
pub fn walk(root: &Path, room: usize, stopped: &dyn Fn() -> bool, passed: &mut dyn FnMut(usize)) -> Option<Walked> {
    let mut walked = Walked::default();
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        if stopped() {
            return None;
        }
        // Before it is listed: what comes while it is being listed changes it once more.
        let mut listed = Listed::before(&folder);
        let Ok(entries) = fs::read_dir(&folder) else {
            listed.close();
            walked.listed.push(listed);
            walked.closed.push(folder);
            continue;
        };
        for entry in entries {
            let Ok(entry) = entry else {
                listed.doubt();
                continue;
            };
            if entry.file_name().as_encoded_bytes().first() == Some(&b'.') {
                continue;
            }
            // Of the entry itself, not of what a link points to.
            let (Ok(what), path) = (entry.file_type(), entry.path()) else {
                listed.doubt();
                continue;
            };
            let kind = if what.is_symlink() {
                walked.links += 1;
                None
            } else if what.is_dir() {
                if depth < DEEPEST {
                    folders.push((path.clone(), depth + 1));
                }
                Some(Kind::Folder)
            } else if what.is_file() {
                Kind::of_file(&path)
            } else {
                None
            };
            let Some(kind) = kind else { continue };
            if walked.found.len() >= room {
                walked.cut = true;
                walked.listed.push(listed);
                return Some(walked);
            }
            let Ok(about) = entry.metadata() else {
                listed.doubt();
                continue;
            };
            walked.found.push(Found { path, kind, stamp: stamp(&about) });
        }
        walked.listed.push(listed);
        passed(walked.found.len());
    }
    Some(walked)
}

pub fn stamp(about: &Metadata) -> Stamp {
    let since = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Stamp { bytes: about.len(), modified_ns: since.and_then(|since| u64::try_from(since.as_nanos()).ok()).unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(root: &Path) -> (Vec<String>, Walked) {
        let walked = walk(root, MOST_FILES, &|| false, &mut |_| {}).unwrap();
        let mut names: Vec<String> = walked
            .found
            .iter()
            .map(|found| found.path.strip_prefix(root).unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        (names, walked)
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_nowhere_and_odd_names_are_taken() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        use std::os::unix::fs::symlink;
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret.wav"), "x").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("Drums/Deep")).unwrap();
        fs::create_dir_all(root.join(".hidden")).unwrap();
        for name in ["Drums/kick.wav", "Drums/Deep/a b,c.WAV", "x.txt", ".hidden/y.wav", "Ünïcode.aif"] {
            fs::write(root.join(name), "x").unwrap();
        }
        fs::write(root.join(OsStr::from_bytes(b"bad\xff.wav")), "x").unwrap();
        symlink(outside.path(), root.join("out")).unwrap();
        symlink(outside.path().join("secret.wav"), root.join("link.wav")).unwrap();
        symlink(root, root.join("Drums/loop")).unwrap();
        let (names, walked) = names(root);
        assert_eq!(
            names,
            ["Drums", "Drums/Deep", "Drums/Deep/a b,c.WAV", "Drums/kick.wav", "bad\u{fffd}.wav", "Ünïcode.aif"]
        );
        assert_eq!((walked.links, walked.cut, walked.closed.len()), (3, false, 0));
        // The root itself may be a link: it is what the user named.
        symlink(root, outside.path().join("samples")).unwrap();
        let walked = walk(&outside.path().join("samples"), MOST_FILES, &|| false, &mut |_| {}).unwrap();
        assert_eq!(walked.found.len(), 6);
    }

    #[test]
    fn a_walk_ends() {
        let folder = tempfile::tempdir().unwrap();
        for n in 0..10 {
            fs::write(folder.path().join(format!("{n}.wav")), "x").unwrap();
        }
        let cut = walk(folder.path(), 4, &|| false, &mut |_| {}).unwrap();
        assert_eq!((cut.found.len(), cut.cut), (4, true));
        assert_eq!(walk(folder.path(), MOST_FILES, &|| true, &mut |_| {}), None);
        let missing = walk(&folder.path().join("none"), MOST_FILES, &|| false, &mut |_| {}).unwrap();
        assert_eq!((missing.found.len(), missing.closed.len()), (0, 1));
    }
}
