//! What a folder has to be before anything in it may be listed or written: judged by where its path leads.

use std::io;
use std::path::{Path, PathBuf};

/// Where the path of a folder leads. Nothing where it is no folder, is not there, or is the root of a file system,
/// which holds everything.
pub fn real_folder(folder: &Path) -> Option<PathBuf> {
    let real = folder.is_absolute().then(|| folder.canonicalize().ok()).flatten()?;
    (real.parent().is_some() && real.is_dir()).then_some(real)
}

/// Whether one of the folders holds a file that need not be there, links followed on both sides. Folders that are none
/// to be opened hold nothing.
pub fn is_in_real_folder<'a>(folders: impl IntoIterator<Item = &'a Path>, file: &Path) -> bool {
    let Some(real) = where_it_leads(file) else { return false };
    folders.into_iter().filter_map(real_folder).any(|folder| real.starts_with(folder))
}

/// The same, where the root of a disk is a folder as any other.
pub fn leads_into<'a>(folders: impl IntoIterator<Item = &'a Path>, file: &Path) -> bool {
    let Some(real) = where_it_leads(file) else { return false };
    folders.into_iter().filter_map(|folder| folder.canonicalize().ok()).any(|folder| real.starts_with(folder))
}

/// The path without links, as far as there is anything. `None` where a link leads nowhere.
fn where_it_leads(file: &Path) -> Option<PathBuf> {
    let there = file.ancestors().find(|above| above.symlink_metadata().is_ok())?;
    let real = there.canonicalize().ok()?;
    Some(file.strip_prefix(there).map_or(real.clone(), |rest| real.join(rest)))
}

/// Whether the path of a folder leads to the root of a file system.
pub fn leads_to_root(folder: &Path) -> bool {
    folder.canonicalize().is_ok_and(|real| real.parent().is_none())
}

/// Why a folder cannot be opened to anybody: a clause that follows its name.
pub fn folder_fault(folder: &Path) -> Option<&'static str> {
    match folder.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some("must be a folder that is there"),
        Err(_) => Some("must be a folder that can be reached"),
        Ok(real) if real.parent().is_none() => Some("must be a folder on the disk, not the root of it"),
        Ok(real) if !real.is_dir() => Some("must be a folder, not a file"),
        Ok(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_judged_where_it_leads() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        std::fs::create_dir(at("samples")).unwrap();
        std::fs::write(at("file"), "").unwrap();
        let mut cases = vec![(at("samples"), true), (at("file"), false), (at("none"), false)];
        cases.extend(["", "/", "samples", "/.."].map(|path| (PathBuf::from(path), false)));
        #[cfg(unix)]
        for (name, to, fits) in [("link", at("samples"), true), ("all", "/".into(), false), ("lost", at("x"), false)] {
            std::os::unix::fs::symlink(to, at(name)).unwrap();
            cases.push((at(name), fits));
        }
        for (folder, fits) in cases {
            assert_eq!(real_folder(&folder).is_some(), fits, "{}", folder.display());
            assert!(!fits || folder_fault(&folder).is_none(), "{}", folder.display());
            assert!(fits || !folder.is_absolute() || folder_fault(&folder).is_some(), "{}", folder.display());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_out_of_a_folder() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(outside.path().join("a.wav"), "").unwrap();
        std::os::unix::fs::symlink(outside.path(), inside.path().join("out")).unwrap();
        for (file, expected) in [("new.wav", true), ("out/a.wav", false), ("out/new.wav", false), ("no/x.wav", true)] {
            assert_eq!(is_in_real_folder([inside.path()], &inside.path().join(file)), expected, "{file}");
        }
        assert!(!is_in_real_folder([Path::new("/"), Path::new("")], &outside.path().join("a.wav")));
    }
}
