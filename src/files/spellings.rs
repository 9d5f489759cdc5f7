//! Letters with accents are written in two ways, as one character or as letter and accent; systems and programs mix
//! them. A file is found under either.

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

/// A text with each letter and its accents as one character (NFC).
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { ComposingNormalizerBorrowed::new_nfc().normalize(text) }
}

/// The path under which a file is there: as it is written, or with the accents of each name in the other way. Where
/// there is none, the path as it is written.
pub fn spelled_as_there(path: &Path) -> Cow<'_, Path> {
    let Some(text) = path.to_str().filter(|text| !text.is_ascii()) else { return Cow::Borrowed(path) };
    if path.symlink_metadata().is_ok() {
        return Cow::Borrowed(path);
    }
    let decomposer = DecomposingNormalizerBorrowed::new_nfd();
    for whole in [composed(text), decomposer.normalize(text)] {
        if Path::new(&*whole).symlink_metadata().is_ok() {
            return Cow::Owned(PathBuf::from(whole.into_owned()));
        }
    }
    let mut found = PathBuf::new();
    for part in path.components() {
        let name = match part {
            Component::Normal(name) => name.to_str().unwrap_or_default(),
            other => {
                found.push(other);
                continue;
            }
        };
        let spellings = [Cow::Borrowed(name), composed(name), decomposer.normalize(name)];
        let there = spellings.into_iter().map(|name| found.join(&*name)).find(|path| path.symlink_metadata().is_ok());
        match there {
            Some(path) => found = path,
            None => return Cow::Borrowed(path),
        }
    }
    Cow::Owned(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_either_spelling() {
        let folder = tempfile::tempdir().unwrap();
        let (composed, decomposed) = ("\u{DC}", "U\u{308}");
        for (made, asked) in [
            (format!("{composed}/{decomposed}.wav"), format!("{decomposed}/{composed}.wav")),
            (format!("{composed}2/{composed}.wav"), format!("{decomposed}2/{decomposed}.wav")),
            (format!("{decomposed}3/{decomposed}.wav"), format!("{composed}3/{composed}.wav")),
        ] {
            let file = folder.path().join(&made);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, "x").unwrap();
            assert!(spelled_as_there(&folder.path().join(&asked)).is_file(), "{asked}");
            assert_eq!(spelled_as_there(&file), file, "what is there as written");
        }
        let missing = folder.path().join(format!("{composed}/none.wav"));
        assert_eq!(spelled_as_there(&missing), missing);
    }
}
