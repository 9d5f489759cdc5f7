//! A folder in the place of another, with a way back at each step.

use std::io;
use std::path::{Path, PathBuf};

/// The folders of a swap, all in one folder, so that each step is one rename.
#[derive(Clone, Debug)]
pub struct Swap {
    /// What is to be in place.
    pub fresh: PathBuf,
    /// Where.
    pub target: PathBuf,
    /// Where what is there goes, if anything is.
    pub kept: Option<PathBuf>,
    /// Where what lies at `kept` goes until all is done, if anything lies there.
    pub doomed: Option<PathBuf>,
}

impl Swap {
    /// Makes the renames, by `rename`. When one fails, those before it are undone: what lay at the target lies there
    /// again, and so does what was kept before.
    pub fn run(&self, mut rename: impl FnMut(&Path, &Path) -> io::Result<()>) -> io::Result<()> {
        let mut steps: Vec<(&Path, &Path)> = Vec::new();
        if let Some(kept) = &self.kept {
            steps.extend(self.doomed.as_deref().map(|doomed| (kept.as_path(), doomed)));
            steps.push((self.target.as_path(), kept.as_path()));
        }
        steps.push((self.fresh.as_path(), self.target.as_path()));
        for (at, (from, to)) in steps.iter().enumerate() {
            if let Err(why) = rename(from, to) {
                for (from, to) in steps.iter().take(at).rev() {
                    // Where even that fails, the folder lies under the other name and is told of at the next look.
                    let _ = rename(to, from);
                }
                return Err(why);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::fs;

    /// What lies in the folder, by name.
    fn tree(root: &Path) -> BTreeMap<String, String> {
        let entries = fs::read_dir(root).unwrap().map(|entry| entry.unwrap());
        let read = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read_to_string(entry.path().join("what")).unwrap())
        };
        entries.map(read).collect()
    }

    fn made(names: &[&str]) -> (tempfile::TempDir, Swap) {
        let root = tempfile::tempdir().unwrap();
        for name in names {
            fs::create_dir(root.path().join(name)).unwrap();
            fs::write(root.path().join(name).join("what"), name).unwrap();
        }
        let at = |name: &str| root.path().join(name);
        let has = |name: &str| names.contains(&name);
        let swap = Swap {
            fresh: at("fresh"),
            target: at("target"),
            kept: has("target").then(|| at("kept")),
            doomed: has("kept").then(|| at("doomed")),
        };
        (root, swap)
    }

    #[test]
    fn a_step_that_fails_leaves_all_as_it_was() {
        for names in [&["fresh"][..], &["fresh", "target"], &["fresh", "target", "kept"]] {
            for failing in 0..names.len() {
                let (root, swap) = made(names);
                let before = tree(root.path());
                let mut count = 0;
                let outcome = swap.run(|from, to| {
                    count += 1;
                    if count == failing + 1 { Err(io::Error::other("no")) } else { fs::rename(from, to) }
                });
                assert!(outcome.is_err(), "{names:?}, step {failing}");
                assert_eq!(tree(root.path()), before, "{names:?}, step {failing}");
            }
            let (root, swap) = made(names);
            swap.run(|from, to| fs::rename(from, to)).unwrap();
            let after = tree(root.path());
            assert_eq!(after.get("target").map(String::as_str), Some("fresh"));
            assert_eq!(after.get("kept").map(String::as_str), names.contains(&"target").then_some("target"));
            assert_eq!(after.get("doomed").map(String::as_str), names.contains(&"kept").then_some("kept"));
        }
    }
}
