//! Where Live's own preferences say that the user's library is.
//!
//! Each version of Live keeps a `Library.cfg`, XML, in a folder named after it. Older versions leave theirs behind.

use super::places::{Places, Platform};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

const FILE_NAME: &str = "Library.cfg";
/// Live's own are of a few kilobytes.
const MAX_BYTES: u64 = 1024 * 1024;
/// Versions that are looked at, the newest first.
const MAX_VERSIONS: usize = 50;

/// What one version of Live states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StatedLibrary {
    /// Such as `Live 12.1.5`.
    pub live: String,
    pub folder: PathBuf,
}

/// What the versions of Live state that were ever run here, the newest version first.
pub(super) fn stated_libraries(places: &Places) -> Vec<StatedLibrary> {
    let Some(root) = root(places) else { return Vec::new() };
    let Ok(entries) = fs::read_dir(&root) else { return Vec::new() };
    let mut versions: Vec<(Vec<u32>, String)> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter_map(|name| Some((version(&name)?, name)))
        .collect();
    versions.sort_by(|a, b| b.cmp(a));
    versions.truncate(MAX_VERSIONS);
    let stated = |(_, live): (Vec<u32>, String)| {
        let mut file = root.join(&live);
        if places.platform == Platform::Windows {
            file.push("Preferences");
        }
        Some(StatedLibrary { folder: library_in(&read(&file.join(FILE_NAME))?)?, live })
    };
    versions.into_iter().filter_map(stated).collect()
}

/// The folder of the preferences of all versions.
fn root(places: &Places) -> Option<PathBuf> {
    match places.platform {
        Platform::MacOs => places.home.as_ref().map(|home| home.join("Library").join("Preferences").join("Ableton")),
        Platform::Windows => places.app_data.as_ref().map(|folder| folder.join("Ableton")),
        Platform::Other => None,
    }
}

/// The numbers of a folder's name such as `Live 12.1.5`; a beta's (`Live 12.2b3`) count too.
fn version(name: &str) -> Option<Vec<u32>> {
    let numbers = name.strip_prefix("Live ")?.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let numbers: Vec<u32> = numbers.filter_map(|part| part.parse().ok()).collect();
    (!numbers.is_empty()).then_some(numbers)
}

fn read(file: &Path) -> Option<String> {
    let mut text = String::new();
    fs::File::open(file).ok()?.take(MAX_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The user's library as a `Library.cfg` states it: a folder and the library's name in it.
fn library_in(text: &str) -> Option<PathBuf> {
    let document = roxmltree::Document::parse(text).ok()?;
    let library = document.descendants().find(|node| node.has_tag_name("UserLibrary"))?;
    let value = |tag: &str| {
        let node = library.descendants().find(|node| node.has_tag_name(tag))?;
        node.attribute("Value").filter(|value| !value.is_empty())
    };
    let folder = Path::new(value("ProjectPath")?);
    let whole = folder.join(value("ProjectName").unwrap_or("User Library"));
    // Some versions of Live state the folder above, some the library itself.
    let stated = if whole.is_dir() || !folder.ends_with("User Library") { whole } else { folder.to_owned() };
    stated.is_absolute().then_some(stated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_numbers() {
        let newest = |names: &[&str]| {
            let mut read: Vec<_> = names.iter().filter_map(|name| Some((version(name)?, *name))).collect();
            read.sort();
            read.last().map(|(_, name)| (*name).to_owned())
        };
        assert_eq!(newest(&["Live 9.7.7", "Live 12.1.10", "Live 12.1.9", "Live"]).as_deref(), Some("Live 12.1.10"));
        assert_eq!(newest(&["Live 12.2b3", "Live 12.1.10"]).as_deref(), Some("Live 12.2b3"));
        assert_eq!(newest(&["Live Reports", "Live", "Index"]), None);
    }

    #[cfg(unix)]
    #[test]
    fn what_a_file_states() {
        let stated = |inside: &str| {
            library_in(&format!("<?xml version=\"1.0\"?><Ableton><ContentLibrary>{inside}</ContentLibrary></Ableton>"))
        };
        let library = |path: &str| {
            format!(
                "<UserLibrary><LibraryProject><ProjectName Value=\"User Library\" /><ProjectPath Value=\"{path}\" /></LibraryProject></UserLibrary>"
            )
        };
        let other = "<FactoryPacks><ProjectPath Value=\"/packs\" /></FactoryPacks>";
        for (inside, folder) in [
            (library("/Volumes/Music &amp; more/Ableton"), Some("/Volumes/Music & more/Ableton/User Library")),
            (other.to_owned() + &library("/a"), Some("/a/User Library")),
            (library("/a/User Library"), Some("/a/User Library")),
            ("<UserLibrary><ProjectPath Value=\"/b\"/></UserLibrary>".to_owned(), Some("/b/User Library")),
            (library(""), None),
            (library("relative/folder"), None),
            (other.to_owned(), None),
            ("<UserLibrary>".to_owned(), None),
        ] {
            assert_eq!(stated(&inside), folder.map(PathBuf::from), "{inside}");
        }
        assert_eq!(library_in("\u{0}binary"), None);
    }
}
