//! The user's device presets: `presets/<device>/<name>.svcpreset.json`, each a device as a host saved it.
//!
//! [`Presets::save`] writes one, [`Presets::load`] reads one by name or by its absolute file, [`Presets::list`] lists
//! them all. Like everything in this room it waits for a disk: load while a call is prepared, save when it has
//! committed. The content is checked by the host that makes a device of it.

use super::atomic_files::{remove_if_present, remove_partial_writes_where, write_atomically};
use super::folder_lock::lock_folder;
use super::preset_file::{Preset, PresetError, read};
use crate::disk::{Access, is_in_real_folder};
use crate::paths::{AllowedFolders, is_reserved_by_windows};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const FOLDER: &str = "presets";
const FILE_SUFFIX: &str = ".svcpreset.json";
/// Longest name, in characters.
pub const MAX_NAME_CHARS: usize = 100;
/// Presets that are listed at most.
const MAX_LISTED: usize = 2000;

/// The presets of a user.
#[derive(Clone, Debug, Default)]
pub struct Presets {
    folder: Option<PathBuf>,
}

/// A preset that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedPreset {
    /// What [`Presets::load`] takes: the device, a slash and the name.
    pub preset: String,
    pub file: PathBuf,
    /// There was one of that name.
    pub replaced: bool,
}

impl Presets {
    /// Opens nothing yet. `folder` is the user's own, such as `~/.svc`.
    pub fn new(folder: Option<PathBuf>) -> Presets {
        Presets { folder: folder.map(|folder| folder.join(FOLDER)) }
    }

    fn folder(&self) -> Result<&Path, PresetError> {
        self.folder.as_deref().ok_or(PresetError::NoFolder)
    }

    /// Removes the partial files of writes during which a device was killed.
    pub fn remove_partial_writes(&self) {
        let Some(folder) = &self.folder else { return };
        for device in names_in(folder, |kind| kind.is_dir()) {
            remove_partial_writes_where(&folder.join(device), |file| file.ends_with(FILE_SUFFIX));
        }
    }

    /// The names of all presets, by device, both in order.
    pub fn list(&self) -> BTreeMap<String, Vec<String>> {
        let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let Some(folder) = &self.folder else { return all };
        let mut count = 0;
        for device in names_in(folder, |kind| kind.is_dir()) {
            for file in names_in(&folder.join(&device), |kind| kind.is_file()) {
                let Some(name) = file.strip_suffix(FILE_SUFFIX).filter(|name| check_preset_name(name).is_ok()) else {
                    continue;
                };
                if count < MAX_LISTED {
                    all.entry(device.clone()).or_default().push(name.to_owned());
                    count += 1;
                }
            }
        }
        all.values_mut().for_each(|names| names.sort_by_key(|name| name.to_lowercase()));
        all
    }

    /// Writes a preset; one of that name, in any case, is replaced. Whatever else has that name stays, and nothing is
    /// written.
    pub fn save(&self, device: &str, name: &str, saved: Value) -> Result<SavedPreset, PresetError> {
        let folder = self.folder()?;
        let name = valid_name(name)?;
        let device = valid_name(device)?;
        let text = Preset::new(device.clone(), name.clone(), saved).text()?;
        let failed = |e: io::Error| PresetError::NotWritten(e.kind());
        let _lock = lock_folder(folder).map_err(failed)?;
        let folder = folder.join(&device);
        let olds: Vec<String> = names_in(&folder, |_| true)
            .into_iter()
            .filter(|file| file.strip_suffix(FILE_SUFFIX).is_some_and(|old| is_same_name(old, &name)))
            .collect();
        let file = format!("{name}{FILE_SUFFIX}");
        // A link in the folder's place would lead elsewhere.
        if fs::symlink_metadata(&folder).is_ok_and(|about| !about.is_dir()) {
            return Err(PresetError::NotWritten(io::ErrorKind::NotADirectory));
        }
        if let Some(other) = olds.iter().find(|old| read(&folder.join(old), old).is_err()) {
            return Err(PresetError::NotOurs(other.chars().take(80).collect()));
        }
        write_atomically(&folder.join(&file), text.as_bytes(), Access::OwnerOnly).map_err(failed)?;
        let replaced = !olds.is_empty();
        for old in olds.into_iter().filter(|old| *old != file) {
            // On a disk that ignores case, the old name is the new file.
            if fs::canonicalize(folder.join(&old)).ok() != fs::canonicalize(folder.join(&file)).ok() {
                remove_if_present(&folder.join(old)).map_err(failed)?;
            }
        }
        Ok(SavedPreset { preset: format!("{device}/{name}"), file: folder.join(file), replaced })
    }

    /// Reads a preset: by its whole name in any case, with its device before it where several have one
    /// (`Simpler/Kick`), or by its absolute file in the presets folder or one of `allowed`. `device` is what it has to
    /// be for.
    pub fn load(&self, wanted: &str, device: Option<&str>, allowed: &[PathBuf]) -> Result<Preset, PresetError> {
        let wanted = wanted.trim();
        if is_address(wanted) {
            return Err(PresetError::Browser(wanted.chars().take(80).collect()));
        }
        let file = Path::new(wanted);
        let preset = if file.is_absolute() {
            let named = file.file_name().and_then(|name| name.to_str());
            if !named.is_some_and(|name| name.ends_with(FILE_SUFFIX)) {
                return Err(PresetError::Elsewhere);
            }
            read(&self.allowed_file(file, allowed)?, &file.file_name().unwrap_or_default().to_string_lossy())?
        } else {
            let (device, name) = self.find(wanted, device)?;
            read(&self.folder()?.join(device).join(format!("{name}{FILE_SUFFIX}")), &name)?
        };
        preset.checked(device)
    }

    /// The device and name of the one preset that a text means.
    fn find(&self, wanted: &str, device: Option<&str>) -> Result<(String, String), PresetError> {
        let wanted = wanted.strip_suffix(FILE_SUFFIX).unwrap_or(wanted);
        let (folder, name) = match wanted.rsplit_once('/') {
            Some((folder, name)) => (Some(folder), name),
            None => (None, wanted),
        };
        valid_name(name)?;
        let all = self.list();
        let pairs = || all.iter().flat_map(|(device, names)| names.iter().map(move |name| (device, name)));
        let fits: Vec<(&String, &String)> = pairs()
            .filter(|(of, known)| is_same_name(known, name) && folder.is_none_or(|folder| is_same_name(of, folder)))
            .collect();
        // Of several, the one for the device that is wanted.
        let own: Vec<(&String, &String)> =
            fits.iter().copied().filter(|(of, _)| device.is_some_and(|device| is_same_name(of, device))).collect();
        let fits = if own.is_empty() { fits } else { own };
        match fits.as_slice() {
            [] => {
                let known = pairs().map(|(_, name)| name.clone()).collect();
                Err(PresetError::Unknown { name: wanted.to_owned(), known })
            }
            [(device, name)] => Ok(((*device).clone(), (*name).clone())),
            several => {
                let spelled = |(device, name): &(&String, &String)| format!("{device}/{name}");
                let files = several.iter().map(spelled).collect::<Vec<_>>();
                let first = files.first().cloned().unwrap_or_default();
                Err(PresetError::Several { name: wanted.to_owned(), files: files.join(", "), first })
            }
        }
    }

    /// The real path of a file, links followed, if it lies in a folder that presets may be read from. A server that
    /// none of them is on is not asked.
    pub fn allowed_file(&self, file: &Path, allowed: &[PathBuf]) -> Result<PathBuf, PresetError> {
        let folders: Vec<PathBuf> = self.folder.iter().chain(allowed).cloned().collect();
        if !AllowedFolders::new(folders.iter().cloned()).may_ask(file) {
            return Err(PresetError::Elsewhere);
        }
        let real = fs::canonicalize(file).map_err(|_| PresetError::Elsewhere)?;
        let is_inside = is_in_real_folder(folders.iter().map(PathBuf::as_path), &real);
        if is_inside { Ok(real) } else { Err(PresetError::Elsewhere) }
    }
}

/// `query:Synths#Operator`, and other addresses of the browser.
fn is_address(text: &str) -> bool {
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    scheme.len() > 1 && scheme.bytes().all(|b| b.is_ascii_alphanumeric())
}

fn is_same_name(a: &str, b: &str) -> bool {
    a.trim().to_lowercase() == b.trim().to_lowercase()
}

/// The sorted names of those entries of a folder whose type `wanted` accepts; links are neither files nor folders.
fn names_in(folder: &Path, wanted: impl Fn(&fs::FileType) -> bool) -> Vec<String> {
    let Ok(list) = fs::read_dir(folder) else { return Vec::new() };
    let fits = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| wanted(&kind));
    let mut names: Vec<String> =
        list.flatten().filter(fits).filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// The trimmed name, if a file may be called so on every system and it leads to no other folder.
fn valid_name(name: &str) -> Result<String, PresetError> {
    let name = name.trim();
    check_preset_name(name).map_err(|why| PresetError::Name(name.chars().take(80).collect(), why))?;
    Ok(name.to_owned())
}

/// Fails with the reason when no preset may be called so.
pub fn check_preset_name(name: &str) -> Result<(), &'static str> {
    let forbidden = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    if name.trim().is_empty() {
        return Err("it is blank");
    }
    if name.chars().count() > MAX_NAME_CHARS {
        return Err("it is longer than 100 characters");
    }
    if name.contains(forbidden) {
        return Err("it has a character that no file may have, such as a slash or a colon");
    }
    if name.starts_with('.') || name.ends_with(['.', ' ']) {
        return Err("it begins or ends with a dot");
    }
    if is_reserved_by_windows(name) {
        return Err("Windows keeps that name for itself");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn presets() -> (tempfile::TempDir, Presets) {
        let dir = tempfile::tempdir().unwrap();
        let presets = Presets::new(Some(dir.path().to_owned()));
        (dir, presets)
    }

    #[test]
    fn saved_listed_loaded_replaced() {
        let (dir, presets) = presets();
        assert!(presets.list().is_empty());
        assert!(!presets.save("Simpler", "Kick", json!({"a": 1})).unwrap().replaced);
        let low_cut = presets.save("EQ Eight", " Low Cut", json!({"b": 1})).unwrap();
        assert_eq!((low_cut.preset.as_str(), low_cut.replaced), ("EQ Eight/Low Cut", false));
        assert!(low_cut.file.is_file());
        assert!(presets.save("Simpler", "kick", json!({"a": 2})).unwrap().replaced, "in another case");
        let list = presets.list();
        assert_eq!(
            list.into_iter().collect::<Vec<_>>(),
            [("EQ Eight".to_owned(), vec!["Low Cut".to_owned()]), ("Simpler".to_owned(), vec!["kick".to_owned()])]
        );
        for (wanted, device) in [("KICK", None), ("kick", Some("Simpler")), ("simpler/Kick", None)] {
            assert_eq!(presets.load(wanted, device, &[]).unwrap().saved, json!({"a": 2}), "{wanted}");
        }
        let file = dir.path().join("presets/Simpler/kick.svcpreset.json");
        assert_eq!(presets.load(file.to_str().unwrap(), None, &[]).unwrap().name, "kick");
        assert!(fs::read_dir(dir.path().join("presets/Simpler")).unwrap().count() == 1, "no half file stays");
    }

    #[test]
    fn what_is_refused() {
        let (dir, presets) = presets();
        presets.save("Simpler", "Kick", json!({})).unwrap();
        presets.save("Operator", "Kick", json!({})).unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join("presets/Simpler").join(name), text).unwrap();
        write("new.svcpreset.json", r#"{"format":"svc-device-preset","version":2,"other":1}"#);
        write("half.svcpreset.json", r#"{"format":"svc-device-preset","ver"#);
        write("alien.svcpreset.json", r#"{"format":"something","version":1}"#);
        let elsewhere = tempfile::tempdir().unwrap();
        let outside = elsewhere.path().join("x.svcpreset.json");
        fs::copy(dir.path().join("presets/Simpler/Kick.svcpreset.json"), &outside).unwrap();
        let outside = outside.to_str().unwrap();
        for (wanted, device, why) in [
            ("Kick", None, "several presets"),
            ("Kikc", None, "no preset \"Kikc\""),
            ("Simpler/Kick", Some("Operator"), "is for Simpler, not for Operator"),
            ("new", None, "newer version"),
            ("half", None, "damaged"),
            ("alien", None, "damaged"),
            ("../Simpler/Kick", None, "no preset"),
            ("query:Synths#Operator", None, "only a running Live"),
            ("/etc/passwd", None, "read only from the presets folder"),
            (outside, None, "read only from the presets folder"),
        ] {
            let error = presets.load(wanted, device, &[]).unwrap_err().to_string();
            assert!(error.contains(why), "{wanted}: {error}");
            assert!(!error.contains(dir.path().to_str().unwrap()), "{error}");
        }
        assert!(presets.load(outside, None, &[elsewhere.path().to_owned()]).is_ok());
        assert_eq!(presets.load("Kick", Some("Operator"), &[]).unwrap().device, "Operator");
        let nowhere = Presets::new(None).save("Simpler", "Kick", json!({}));
        assert_eq!(nowhere, Err(PresetError::NoFolder));
    }

    #[test]
    fn only_presets_are_replaced() {
        let (dir, presets) = presets();
        let folder = dir.path().join("presets/Simpler");
        fs::create_dir_all(folder.join("Folder.svcpreset.json")).unwrap();
        for text in ["my own text", "", "{}", r#"{"format":"svc-device-preset","version":2}"#] {
            let file = folder.join("Mine.svcpreset.json");
            fs::write(&file, text).unwrap();
            for name in ["Mine", "mine", "MINE"] {
                let refused = presets.save("Simpler", name, json!({})).unwrap_err().to_string();
                assert!(refused.contains("\"Mine.svcpreset.json\"") && refused.contains("another name"), "{refused}");
            }
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
        assert!(presets.save("Simpler", "Folder", json!({})).is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc/hostname", folder.join("Link.svcpreset.json")).unwrap();
            assert!(presets.save("Simpler", "Link", json!({})).is_err());
            assert!(folder.join("Link.svcpreset.json").is_symlink());
        }
        presets.save("Simpler", "Other", json!({})).unwrap();
        assert!(presets.save("Simpler", "other", json!({})).unwrap().replaced);
    }

    #[test]
    fn names_that_lead_elsewhere() {
        let (_dir, presets) = presets();
        for name in ["", " ", "..", ".hidden", "a/b", "a\\b", "c:x", "nul", "COM1", "a\0b", "end.", &"x".repeat(101)] {
            assert!(matches!(presets.save("Simpler", name, json!({})), Err(PresetError::Name(..))), "{name:?}");
            assert!(name.trim().is_empty() || presets.save(name, "Kick", json!({})).is_err(), "{name:?}");
        }
        for name in ["Kick 1", "Größe", "日本", "a.b", "com", "Reese (dark)"] {
            assert!(presets.save("Simpler", name, json!({})).is_ok(), "{name}");
            assert_eq!(presets.load(name, None, &[]).unwrap().name, name);
        }
    }

    #[test]
    fn what_a_kill_left_is_tidied() {
        let (dir, presets) = presets();
        presets.remove_partial_writes();
        presets.save("Simpler", "Kick", json!({})).unwrap();
        let folder = dir.path().join("presets/Simpler");
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        for name in [".Kick.svcpreset.json.12.new", ".Snare 1.5.svcpreset.json.13.new", ".notes.txt.12.new"] {
            fs::File::create(folder.join(name)).unwrap().set_modified(old).unwrap();
        }
        fs::File::create(folder.join(".Kick.svcpreset.json.14.new")).unwrap();
        presets.remove_partial_writes();
        let left = names_in(&folder, |kind| kind.is_file());
        assert_eq!(left, [".Kick.svcpreset.json.14.new", ".notes.txt.12.new", "Kick.svcpreset.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (dir, presets) = presets();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("presets")).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), dir.path().join("presets/Simpler")).unwrap();
        assert!(presets.save("Simpler", "Kick", json!({})).is_err());
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    }

    proptest! {
        /// Whatever it is called: the file is in the folder, or there is none.
        #[test]
        fn nothing_escapes(device in ".{0,12}", name in ".{0,12}") {
            let (dir, presets) = presets();
            let inner = dir.path().join("in");
            let presets_inside = Presets::new(Some(inner.clone()));
            let saved = presets_inside.save(&device, &name, json!({}));
            let outside: Vec<_> = fs::read_dir(dir.path()).unwrap().flatten().map(|e| e.file_name()).collect();
            prop_assert!(outside.iter().all(|name| name == "in"), "{outside:?}");
            prop_assert_eq!(saved.is_ok(), presets_inside.list().values().flatten().count() == 1);
            drop(presets);
        }
    }
}
