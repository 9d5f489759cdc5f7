//! Memory entries: a file each, with name and description in its front matter; and the list of them.

use super::atomic_files::{FileProblem, read_text, remove_if_present, remove_partial_writes_where, write_atomically};
use super::front_matter::front_matter;
use super::limits::MAX_ENTRIES;
use super::store_error::{StoreError, not_written, unreadable, write_error_text};
use crate::disk::Access;
use crate::paths::is_reserved_by_windows;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = "memory";
const LIST: &str = "MEMORY.md";
/// Longest slug: a file name takes 255 bytes, some of which are for the extension and for the file that is written
/// beside it.
const MAX_SLUG_BYTES: usize = 200;
/// Files looked at; a folder with more is not the memory's.
const MAX_FILES: usize = 10_000;

/// The entries of the memory, sorted by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryIndex {
    /// Slug and description.
    pub entries: Vec<(String, String)>,
    /// Files that are no entries, and why.
    pub problems: Vec<String>,
}

impl MemoryIndex {
    /// A line for each entry.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.entries.iter().map(|(slug, description)| match description.as_str() {
            "" => format!("- `{slug}`"),
            description => format!("- `{slug}` - {description}"),
        })
    }
}

impl fmt::Display for MemoryIndex {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("# Memory")?;
        if self.entries.is_empty() {
            return f.write_str("\n\nNo entries.");
        }
        self.lines().try_for_each(|line| write!(f, "\n{line}"))
    }
}

/// The name that an entry's file goes by: small letters, digits, and single hyphens between them. Empty when the name
/// has neither letters nor digits.
pub fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// A name's slug, if a file may be called so on every system.
pub fn file_slug(name: &str) -> Result<String, StoreError> {
    let slug = slug(name);
    let refused = |why| Err(StoreError::Name(name.chars().take(80).collect(), why));
    match slug.as_str() {
        "" => refused("it has no letter and no digit"),
        "memory" => refused("that is the list of all of them"),
        reserved if is_reserved_by_windows(reserved) => refused("Windows keeps that name for itself"),
        long if long.len() > MAX_SLUG_BYTES => refused("it is too long for a file"),
        _ => Ok(slug),
    }
}

fn file_name(slug: &str) -> String {
    format!("{slug}.md")
}

pub fn display_path(slug: &str) -> String {
    format!("{FOLDER}/{slug}.md")
}

/// The folder of the entries, if it is one; a link that leads elsewhere is not.
fn entries_folder(folder: &Path) -> Result<Option<PathBuf>, StoreError> {
    let memory = folder.join(FOLDER);
    match fs::symlink_metadata(&memory) {
        Ok(about) if about.is_dir() => Ok(Some(memory)),
        Ok(_) => Err(unreadable(FOLDER, FileProblem::NotAFile)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(unreadable(FOLDER, FileProblem::Unreadable(e.kind()))),
    }
}

pub fn remove_partial_writes(folder: &Path) {
    remove_partial_writes_where(&folder.join(FOLDER), |file| file.ends_with(".md"));
}

/// The entries in the folder. Brings the list that lies beside them up to date.
pub fn index(folder: &Path) -> Result<MemoryIndex, StoreError> {
    let Some(memory) = entries_folder(folder)? else { return Ok(MemoryIndex::default()) };
    let mut index = read_entries(&memory)?;
    let list = memory.join(LIST);
    let text = format!("{index}\n");
    // The list is made from the entries, so nothing is lost when it cannot be read or written.
    if read_text(&list).is_ok_and(|old| old.as_ref() != Some(&text))
        && let Err(e) = write_atomically(&list, text.as_bytes(), Access::OwnerOnly)
    {
        let why = write_error_text(e.kind());
        index.problems.push(format!("{FOLDER}/{LIST}, the list of the entries, could not be written: {why}"));
    }
    Ok(index)
}

fn read_entries(memory: &Path) -> Result<MemoryIndex, StoreError> {
    let files = fs::read_dir(memory).map_err(|e| unreadable(FOLDER, FileProblem::Unreadable(e.kind())))?;
    let mut index = MemoryIndex::default();
    for file in files.take(MAX_FILES).flatten() {
        let name = file.file_name();
        let Some(stem) = name.to_str().and_then(|name| name.strip_suffix(".md")) else { continue };
        if stem.starts_with('.') || stem.eq_ignore_ascii_case("memory") {
            continue;
        }
        if file_slug(stem).as_deref() != Ok(stem) {
            index
                .problems
                .push(format!("{} is left out: an entry's file is called like this-one.md", display_path(stem)));
            continue;
        }
        match read_text(&file.path()) {
            Ok(Some(text)) => index.entries.push((stem.to_owned(), MemoryEntry::parse(&text).description)),
            Ok(None) => {}
            Err(why) => index.problems.push(format!("{} is left out: it {why}", display_path(stem))),
        }
    }
    index.entries.sort();
    index.problems.sort();
    Ok(index)
}

pub fn body(folder: &Path, slug: &str) -> Result<Option<String>, StoreError> {
    let Some(memory) = entries_folder(folder)? else { return Ok(None) };
    let text = read_text(&memory.join(file_name(slug))).map_err(|why| unreadable(&display_path(slug), why))?;
    Ok(text.map(|text| MemoryEntry::parse(&text).body))
}

pub fn write(folder: &Path, slug: &str, name: &str, description: &str, body: &str) -> Result<(), StoreError> {
    let memory = entries_folder(folder)?.unwrap_or_else(|| folder.join(FOLDER));
    let file = memory.join(file_name(slug));
    let old = read_text(&file).map_err(|why| unreadable(&display_path(slug), why))?;
    if old.is_none() && memory.is_dir() && read_entries(&memory)?.entries.len() >= MAX_ENTRIES {
        return Err(StoreError::Full);
    }
    let entry = MemoryEntry { name: one_line(name), description: one_line(description), body: trimmed_body(body) };
    write_atomically(&file, entry.text().as_bytes(), Access::OwnerOnly)
        .map_err(|e| not_written(&display_path(slug), &e))
}

pub fn delete(folder: &Path, slug: &str) -> Result<(), StoreError> {
    let Some(memory) = entries_folder(folder)? else { return Ok(()) };
    let file = memory.join(file_name(slug));
    match fs::symlink_metadata(&file) {
        Ok(about) if !about.is_file() => Err(unreadable(&display_path(slug), FileProblem::NotAFile)),
        _ => remove_if_present(&file).map_err(|e| not_written(&display_path(slug), &e)),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A body without the blank lines around it. Its first line stays indented: that is code in Markdown.
fn trimmed_body(body: &str) -> String {
    let body = body.trim_end();
    let text_at = body.len() - body.trim_start().len();
    let line_at = body.get(..text_at).and_then(|blank| blank.rfind('\n')).map_or(0, |end| end + 1);
    body.get(line_at..).unwrap_or(body).to_owned()
}

/// An entry as its file holds it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct MemoryEntry {
    name: String,
    description: String,
    body: String,
}

impl MemoryEntry {
    /// The file's text. The front matter is YAML, which takes JSON's quoted texts.
    fn text(&self) -> String {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let MemoryEntry { name, description, body } = self;
        format!("---\nname: {}\ndescription: {}\n---\n\n{body}\n", quoted(name), quoted(description))
    }

    /// Reads a file's text; one without front matter, written by hand, is all body.
    fn parse(text: &str) -> MemoryEntry {
        let (matter, body) = front_matter(text);
        let of = |key: &str| {
            let found = matter.iter().find(|(name, _)| name == key);
            found.map(|(_, value)| one_line(value)).unwrap_or_default()
        };
        MemoryEntry { name: of("name"), description: of("description"), body: trimmed_body(body) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_become_slugs() {
        for (name, wanted) in [
            ("Swing Hats", "swing-hats"),
            ("  --Low_End__ rules! ", "low-end-rules"),
            ("808 & 909", "808-909"),
            ("Größe", "größe"),
            ("../../etc/passwd", "etc-passwd"),
            ("..", ""),
            ("!!!", ""),
            ("мелодия A", "мелодия-a"),
        ] {
            assert_eq!(slug(name), wanted, "{name}");
        }
        let long = "x".repeat(201);
        for name in ["", "..", "/", "Memory", "m.e.m", "CON", "com1", "Lpt 9", "lpt9", long.as_str()] {
            let fine = ["m.e.m", "Lpt 9"].contains(&name);
            assert_eq!(file_slug(name).is_ok(), fine, "{name}");
        }
    }

    #[test]
    fn entries_and_their_list() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert_eq!(index(path).unwrap(), MemoryIndex::default());
        assert_eq!(fs::read_dir(path).unwrap().count(), 0, "reading makes nothing");
        write(path, "swing-hats", "Swing Hats", "hat feel:\nloose, never on the grid", "\nKeep 56% swing on hats.\n")
            .unwrap();
        write(path, "bass", "Bass", "x", "one").unwrap();
        write(path, "bass", "Bass", "\"deep\"", "two\n\n---\nthree").unwrap();
        let all = index(path).unwrap();
        let text = "# Memory\n- `bass` - \"deep\"\n- `swing-hats` - hat feel: loose, never on the grid";
        assert_eq!(all.to_string(), text);
        assert_eq!(fs::read_to_string(path.join("memory/MEMORY.md")).unwrap(), format!("{text}\n"));
        assert_eq!(body(path, "swing-hats").unwrap().unwrap(), "Keep 56% swing on hats.");
        assert_eq!(body(path, "bass").unwrap().unwrap(), "two\n\n---\nthree");
        assert_eq!(body(path, "none"), Ok(None));
        write(path, "code", "Code", "x", " \n\n    an indented block\n  \n").unwrap();
        assert_eq!(body(path, "code").unwrap().unwrap(), "    an indented block");
        delete(path, "code").unwrap();
        delete(path, "bass").unwrap();
        delete(path, "bass").unwrap();
        assert_eq!(index(path).unwrap().entries.len(), 1);
        assert_eq!(MemoryIndex::default().to_string(), "# Memory\n\nNo entries.");
    }

    #[test]
    fn files_of_other_hands() {
        let folder = tempfile::tempdir().unwrap();
        let memory = folder.path().join("memory");
        fs::create_dir_all(memory.join("folder.md")).unwrap();
        for (name, text) in [
            ("plain.md", "no front matter"),
            ("hand.md", "---\r\nname: Hand\r\ndescription: 'it''s mine'\r\n---\r\nbody\r\n"),
            ("open.md", "---\nname: never closed"),
            ("My Note.md", "x"),
            ("con.md", "x"),
            ("other.txt", "x"),
            (".hidden.md", "x"),
            ("memory.md", "old list"),
        ] {
            fs::write(memory.join(name), text).unwrap();
        }
        fs::write(memory.join("bytes.md"), b"\xff").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/passwd", memory.join("link.md")).unwrap();
        let all = index(folder.path()).unwrap();
        let entries: Vec<(&str, &str)> = all.entries.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(entries, [("hand", "it's mine"), ("open", ""), ("plain", "")]);
        assert_eq!(all.problems.len(), if cfg!(unix) { 5 } else { 4 }, "{:?}", all.problems);
        assert_eq!(body(folder.path(), "hand").unwrap().unwrap(), "body");
        assert_eq!(body(folder.path(), "open").unwrap().unwrap(), "---\nname: never closed");
        assert!(body(folder.path(), "bytes").is_err());
        assert!(write(folder.path(), "bytes", "a", "b", "c").is_err(), "what cannot be read is not written over");
        assert!(write(folder.path(), "folder", "a", "b", "c").is_err() && delete(folder.path(), "folder").is_err());
        #[cfg(unix)]
        let slug = "link";
        assert!(body(folder.path(), slug).is_err() && write(folder.path(), slug, "a", "b", "c").is_err());
        assert!(delete(folder.path(), slug).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_memory_folder_that_leads_elsewhere_is_left_alone() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(outside.path(), folder.path().join("memory")).unwrap();
        assert!(index(folder.path()).is_err() && write(folder.path(), "a", "a", "b", "c").is_err());
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    }

    #[test]
    fn there_is_an_end_to_entries() {
        let folder = tempfile::tempdir().unwrap();
        let memory = folder.path().join("memory");
        fs::create_dir_all(&memory).unwrap();
        (0..MAX_ENTRIES).for_each(|n| fs::write(memory.join(format!("{n}.md")), "x").unwrap());
        assert_eq!(write(folder.path(), "more", "more", "b", "c"), Err(StoreError::Full));
        assert_eq!(write(folder.path(), "7", "7", "b", "c"), Ok(()));
    }

    proptest! {
        #[test]
        fn a_slug_is_its_own_slug_and_stays_in_the_folder(name in "\\PC{0,40}") {
            let once = slug(&name);
            prop_assert_eq!(slug(&once), once.clone());
            prop_assert!(!once.contains(['/', '\\', '.', ':', '\0']) && !once.starts_with('-') && !once.ends_with('-'));
        }

        #[test]
        fn an_entry_is_read_as_it_was_written(
            name in "\\PC{0,30}", description in "\\PC{1,30}", body in "(\\PC{0,30}\n){0,4}",
        ) {
            let entry = MemoryEntry { name: one_line(&name), description: one_line(&description), body: trimmed_body(&body) };
            prop_assert_eq!(MemoryEntry::parse(&entry.text()), entry);
        }
    }
}
