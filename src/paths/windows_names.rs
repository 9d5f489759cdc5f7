//! What Windows makes of names and paths. Text alone: files move between systems.

use std::path::{Path, PathBuf};

/// A path of so many characters leaves Windows no room for the files beside it, unless it is spelled its long way.
const MAX_PLAIN_CHARS: usize = 200;

/// Whether Windows takes a file of this name for a device, whatever follows the first dot.
pub fn is_reserved_by_windows(file_name: &str) -> bool {
    let stem = file_name.split('.').next().unwrap_or_default().trim().to_lowercase();
    let port = |word: &str| {
        let number = stem.strip_prefix(word).map(|rest| rest.chars().collect::<Vec<_>>());
        matches!(number.as_deref(), Some(['0'..='9' | '¹' | '²' | '³']))
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$") || port("com") || port("lpt")
}

/// Why Windows keeps no file of this name, or keeps it under another one.
pub fn windows_name_fault(file_name: &str) -> Option<&'static str> {
    let forbidden = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    if is_reserved_by_windows(file_name) {
        Some("Windows keeps that name for itself")
    } else if file_name.contains(forbidden) {
        Some("it has a character that no file of Windows' may have, such as a colon")
    } else if file_name.ends_with(['.', ' ']) {
        Some("Windows drops a dot or a space at the end of a name")
    } else {
        None
    }
}

/// A path as people write it, of one that Windows has spelled out (`\\?\C:\a` is `C:\a`, `\\?\UNC\nas\a` is `\\nas\a`);
/// the same path where there is no such way to write it. Other systems spell nothing out.
pub fn plain_path(path: PathBuf) -> PathBuf {
    if !cfg!(windows) {
        return path;
    }
    path.to_str().and_then(plainly).map_or(path, PathBuf::from)
}

fn plainly(text: &str) -> Option<String> {
    let rest = text.strip_prefix(r"\\?\")?;
    let is_on_a_disk = matches!(rest.as_bytes(), [letter, b':', b'\\', ..] if letter.is_ascii_alphabetic());
    let plain = match rest.strip_prefix(r"UNC\") {
        Some(share) => format!(r"\\{share}"),
        None if is_on_a_disk => rest.to_owned(),
        None => return None,
    };
    // Windows reads these otherwise when they are not spelled out.
    let is_read_alike = rest.split('\\').skip(1).all(|name| windows_name_fault(name).is_none());
    (is_read_alike && plain.chars().count() <= MAX_PLAIN_CHARS).then_some(plain)
}

/// Why a document that the user named cannot lie there on Windows; elsewhere any name will do.
pub fn document_name_fault(file: &Path) -> Option<&'static str> {
    if !cfg!(windows) {
        return None;
    }
    windows_name_fault(&file.file_name()?.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_of_windows_are_known_by_name() {
        for (name, reserved) in [
            ("con", true),
            ("CON.json", true),
            ("nul.tar.gz", true),
            ("Aux .txt", true),
            ("COM1", true),
            ("com¹.wav", true),
            ("LPT0", true),
            ("CONOUT$", true),
            ("console", false),
            ("com10", false),
            ("com", false),
            ("my con.json", false),
            (".con", false),
        ] {
            assert_eq!(is_reserved_by_windows(name), reserved, "{name}");
        }
    }

    #[test]
    fn names_that_windows_changes_are_faults() {
        for (name, fine) in
            [("song.json", true), ("a:b", false), ("a.", false), ("a ", false), ("nul", false), ("ü ñ.json", true)]
        {
            assert_eq!(windows_name_fault(name).is_none(), fine, "{name}");
        }
    }

    #[test]
    fn paths_are_written_plainly_where_that_means_the_same() {
        let long = format!(r"\\?\C:\{}", "a".repeat(300));
        for (spelled, plain) in [
            (r"\\?\C:\Users\ü\a.json", Some(r"C:\Users\ü\a.json")),
            (r"\\?\UNC\nas\samples\a.wav", Some(r"\\nas\samples\a.wav")),
            (r"\\?\C:\a\nul", None),
            (r"\\?\C:\a.\b", None),
            (r"\\?\Volume{1}\a", None),
            (r"\\.\pipe\a", None),
            (r"C:\a", None),
            (long.as_str(), None),
        ] {
            assert_eq!(plainly(spelled).as_deref(), plain, "{spelled}");
        }
    }
}
