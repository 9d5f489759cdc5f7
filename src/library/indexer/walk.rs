//! The walk over a folder. Links are not followed: what one points to inside the folder is found where it lies, and
//! what lies outside does not belong to the library. Sockets, pipes and the like are left out.

use super::folder_state::FolderState;
use crate::library::analysis::FileStamp;
use crate::library::kind::ContentKind;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Files and folders of a library at most, so that a folder named by mistake (a whole disk) does not fill the memory.
pub const MAX_FILES: usize = 500_000;
/// How deep folders inside folders are walked.
const MAX_DEPTH: usize = 64;

/// A file or folder that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkEntry {
    pub path: PathBuf,
    pub kind: ContentKind,
    pub stamp: FileStamp,
}

/// How a walk went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalkResult {
    pub entries: Vec<WalkEntry>,
    /// Links, which were not followed.
    pub links: usize,
    /// Folders that could not be listed; what is known of their files stays.
    pub unlistable: Vec<PathBuf>,
    /// Every folder that was looked into, also those that could not be listed.
    pub folders: Vec<FolderState>,
    /// There are more files than a library takes.
    pub truncated: bool,
}

/// Walks through a folder and takes at most `room` files and folders; hidden ones (a dot in front) are left out. `None`
/// when `stopped` said so. Calls `passed` with how many there are so far.
pub fn walk(root: &Path, room: usize, stopped: &dyn Fn() -> bool, passed: &mut dyn FnMut(usize)) -> Option<WalkResult> {
    let mut walked = WalkResult::default();
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        if stopped() {
            return None;
        }
        // Taken before it is listed: what is added while it is being listed changes it again.
        let mut folder_state = FolderState::before_listing(&folder);
        let Ok(entries) = fs::read_dir(&folder) else {
            folder_state.mark_unlistable();
            walked.folders.push(folder_state);
            walked.unlistable.push(folder);
            continue;
        };
        for entry in entries {
            let Ok(entry) = entry else {
                folder_state.mark_uncertain();
                continue;
            };
            if entry.file_name().as_encoded_bytes().first() == Some(&b'.') {
                continue;
            }
            // The type of the entry itself, not of what a link points to.
            let (Ok(what), path) = (entry.file_type(), entry.path()) else {
                folder_state.mark_uncertain();
                continue;
            };
            let kind = if what.is_symlink() {
                walked.links += 1;
                None
            } else if what.is_dir() {
                if depth < MAX_DEPTH {
                    folders.push((path.clone(), depth + 1));
                }
                Some(ContentKind::Folder)
            } else if what.is_file() {
                ContentKind::of_file(&path)
            } else {
                None
            };
            let Some(kind) = kind else { continue };
            if walked.entries.len() >= room {
                walked.truncated = true;
                walked.folders.push(folder_state);
                return Some(walked);
            }
            let Ok(about) = entry.metadata() else {
                folder_state.mark_uncertain();
                continue;
            };
            walked.entries.push(WalkEntry { path, kind, stamp: file_stamp(&about) });
        }
        walked.folders.push(folder_state);
        passed(walked.entries.len());
    }
    Some(walked)
}

pub fn file_stamp(about: &Metadata) -> FileStamp {
    let since = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    FileStamp {
        bytes: about.len(),
        modified_ns: since.and_then(|since| u64::try_from(since.as_nanos()).ok()).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(root: &Path) -> (Vec<String>, WalkResult) {
        let walked = walk(root, MAX_FILES, &|| false, &mut |_| {}).unwrap();
        let mut names: Vec<String> = walked
            .entries
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
        assert_eq!((walked.links, walked.truncated, walked.unlistable.len()), (3, false, 0));
        // The root itself may be a link: it is what the user named.
        symlink(root, outside.path().join("samples")).unwrap();
        let walked = walk(&outside.path().join("samples"), MAX_FILES, &|| false, &mut |_| {}).unwrap();
        assert_eq!(walked.entries.len(), 6);
    }

    #[test]
    fn a_walk_ends() {
        let folder = tempfile::tempdir().unwrap();
        for n in 0..10 {
            fs::write(folder.path().join(format!("{n}.wav")), "x").unwrap();
        }
        let cut = walk(folder.path(), 4, &|| false, &mut |_| {}).unwrap();
        assert_eq!((cut.entries.len(), cut.truncated), (4, true));
        assert_eq!(walk(folder.path(), MAX_FILES, &|| true, &mut |_| {}), None);
        let missing = walk(&folder.path().join("none"), MAX_FILES, &|| false, &mut |_| {}).unwrap();
        assert_eq!((missing.entries.len(), missing.unlistable.len()), (0, 1));
    }
}
