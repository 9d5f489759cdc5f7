//! The user's own fragments of the skills, and the front matter of Markdown files.

use super::files::read_text;
use std::fs;
use std::path::Path;

const FOLDER: &str = "skills";
/// Files looked at.
const MAX_FILES: usize = 200;

/// Whether a fragment may be called so: what leads out of a folder cannot be written with these letters.
pub fn is_name(name: &str) -> bool {
    let fine = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    !name.is_empty() && name.len() <= 80 && name.bytes().all(fine)
}

/// The fragments in the user's folder by name, and remarks on files that cannot be read.
pub fn read(folder: &Path) -> (Vec<(String, String)>, Vec<String>) {
    let folder = folder.join(FOLDER);
    let (mut fragments, mut odd) = (Vec::new(), Vec::new());
    if !fs::symlink_metadata(&folder).is_ok_and(|about| about.is_dir()) {
        return (fragments, odd);
    }
    let Ok(files) = fs::read_dir(&folder) else { return (fragments, odd) };
    for file in files.take(MAX_FILES).flatten() {
        let name = file.file_name();
        let Some(stem) = name.to_str().and_then(|name| name.strip_suffix(".md")) else { continue };
        if stem.starts_with('.') {
            continue;
        }
        if !is_name(stem) {
            odd.push(format!("skills/{stem}.md is left out: a fragment's file is called like this-one.md"));
            continue;
        }
        match read_text(&file.path()) {
            Ok(Some(text)) => fragments.push((stem.to_owned(), text)),
            Ok(None) => {}
            Err(why) => odd.push(format!("skills/{stem}.md is left out: it {why}")),
        }
    }
    fragments.sort();
    odd.sort();
    (fragments, odd)
}

/// The `key: value` lines between two `---` at a text's beginning, and what follows them. Values in quotes are unquoted.
pub fn front_matter(text: &str) -> (Vec<(String, String)>, &str) {
    let mut lines = text.split_inclusive('\n');
    let Some(open) = lines.next().filter(|line| line.trim_end() == "---") else { return (Vec::new(), text) };
    let (mut matter, mut read) = (Vec::new(), open.len());
    for line in lines {
        read += line.len();
        if line.trim_end() == "---" {
            return (matter, text.get(read..).unwrap_or_default());
        }
        if let Some((key, value)) = line.split_once(':') {
            matter.push((key.trim().to_owned(), unquoted(value.trim())));
        }
    }
    (Vec::new(), text)
}

/// Whether a text begins a front matter and never ends it: all of it is taken as text then.
pub fn is_open_matter(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_end);
    lines.next() == Some("---") && !lines.any(|line| line == "---")
}

fn unquoted(value: &str) -> String {
    let inner = |mark| value.strip_prefix(mark).and_then(|value| value.strip_suffix(mark));
    if let Some(text) = inner('"').and_then(|_| serde_json::from_str(value).ok()) {
        return text;
    }
    inner('\'').map_or_else(|| value.to_owned(), |text| text.replace("''", "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matters() {
        for (text, matter, body) in [
            ("a\n---\n", &[][..], "a\n---\n"),
            ("---\nenabled: false\n---\nrest\n", &[("enabled", "false")], "rest\n"),
            ("---\r\na: \"x: \\\"y\\\"\"\r\nno key\r\n---\r\nrest", &[("a", "x: \"y\"")], "rest"),
            ("---\na: \"\nb: '\n---", &[("a", "\""), ("b", "'")], ""),
            ("---\na: 1\n", &[], "---\na: 1\n"),
            ("", &[], ""),
        ] {
            let (read, rest) = front_matter(text);
            let read: Vec<(&str, &str)> = read.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            assert_eq!((read.as_slice(), rest), (matter, body), "{text:?}");
            assert_eq!(is_open_matter(text), text.starts_with("---") && rest == text, "{text:?}");
        }
    }

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
        let (fragments, odd) = read(folder.path());
        assert_eq!(fragments, [("a-1".to_owned(), "one".to_owned()), ("b".to_owned(), "two".to_owned())]);
        assert_eq!(odd.len(), 2, "{odd:?}");
    }
}
