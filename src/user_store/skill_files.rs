//! The user's own fragments of the skills.

use super::atomic_files::read_text;
use std::fs;
use std::path::Path;

const FOLDER: &str = "skills";
/// Files looked at, at most.
const MAX_FILES: usize = 200;

/// Whether a fragment may be called so. The letters that are allowed cannot lead out of a folder.
pub fn is_fragment_name(name: &str) -> bool {
    let fine = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    !name.is_empty() && name.len() <= 80 && name.bytes().all(fine)
}

/// The fragments in the user's folder by name, and remarks on files that cannot be read.
pub fn read(folder: &Path) -> (Vec<(String, String)>, Vec<String>) {
    let folder = folder.join(FOLDER);
    let (mut fragments, mut problems) = (Vec::new(), Vec::new());
    if !fs::symlink_metadata(&folder).is_ok_and(|about| about.is_dir()) {
        return (fragments, problems);
    }
    let Ok(files) = fs::read_dir(&folder) else { return (fragments, problems) };
    for file in files.take(MAX_FILES).flatten() {
        let name = file.file_name();
        let Some(stem) = name.to_str().and_then(|name| name.strip_suffix(".md")) else { continue };
        if stem.starts_with('.') {
            continue;
        }
        if !is_fragment_name(stem) {
            problems.push(format!("skills/{stem}.md is left out: a fragment's file is called like this-one.md"));
            continue;
        }
        match read_text(&file.path()) {
            Ok(Some(text)) => fragments.push((stem.to_owned(), text)),
            Ok(None) => {}
            Err(why) => problems.push(format!("skills/{stem}.md is left out: it {why}")),
        }
    }
    fragments.sort();
    problems.sort();
    (fragments, problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_of_the_user() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()), (vec![], vec![]));
        let skills = folder.path().join("skills");
        fs::create_dir(&skills).unwrap();
        for (name, text) in [("b.md", "two"), ("a-1.md", "one"), ("Odd.md", "x"), ("a.txt", "x"), (".a.md", "x")] {
            fs::write(skills.join(name), text).unwrap();
        }
        fs::write(skills.join("bytes.md"), b"\xff").unwrap();
        let (fragments, problems) = read(folder.path());
        assert_eq!(fragments, [("a-1".to_owned(), "one".to_owned()), ("b".to_owned(), "two".to_owned())]);
        assert_eq!(problems.len(), 2, "{problems:?}");
    }
}
