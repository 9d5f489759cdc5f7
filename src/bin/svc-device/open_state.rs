//! Opens the file that the settings and the Set are kept in: finds, locks and reads it, with the log beside it.
//!
//! Invariant: a file that cannot be read is never written over, and two devices never write the same file.

use crate::console::log;
use std::fs;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use svc_device::device::change_log;
use svc_device::device::file_lock::NameLock;
use svc_device::device::packed_state;
use svc_device::device::set_files::{is_live_set, own_file_beside, replayed, with_samples_beside};
use svc_device::device::state::{self, LoadedState, LogNames, StateParts};
use svc_device::device::state_file::{OpenLog, StateFile};
use svc_device::disk::{open_plain, staged_target};
use svc_device::live_files::{Damage, LiveSetFile, read_file_through};
use svc_device::paths::AllowedFolders;
use svc_device::service::Settings;
use svc_device::service::embedded::UnreadableState;
use svc_device::set::Document;
use svc_device::set::edit::saved_set::LoadError;

/// What a device starts with.
pub struct OpenState {
    pub file: StateFile,
    pub settings: Settings,
    pub document: Document,
    /// Which Set it is, and the changes it has seen; an empty id where the file names none.
    pub id: String,
    pub changes: u64,
    /// What lies in the file cannot be read; it stays as it is.
    pub unreadable: Option<UnreadableState>,
    pub lock: NameLock,
}

const HINT: &str = "choose another place with --data-dir DIR or --open FILE";

/// Opens `open`, or the state in `data_dir` (default `~/.svc`). A missing one is made. The error is a sentence for the
/// user.
pub fn open(data_dir: Option<PathBuf>, open: Option<PathBuf>, damage: Damage) -> Result<OpenState, String> {
    let data_dir = match data_dir {
        Some(folder) => folder,
        None => own_folder().ok_or("there is no home folder to keep the Set in; name a folder with --data-dir")?,
    };
    if let Some(file) = open.as_deref() {
        if file.file_name().is_none() {
            return Err(format!("{} is no file name; {HINT}", file.display()));
        }
        if let Some(why) = StateFile::name_fault(file) {
            return Err(format!("{} cannot be the file's name: {why}; {HINT}", file.display()));
        }
        if file.is_dir() {
            return Err(format!("cannot read {}: it is a folder; {HINT}", file.display()));
        }
    }
    let live_set = match &open {
        Some(file) if is_live_set(file) => Some(read_live_set(file, damage)?),
        _ => None,
    };
    let mut file = match (&live_set, open) {
        (Some(live_set), _) => StateFile::new(&data_dir, Some(live_set.own.clone())),
        (None, open) => StateFile::new(&data_dir, open),
    };
    let path = file.path().to_owned();
    let shown = path.display();
    file.check_kind().map_err(|why| format!("{shown} {why}; {HINT}"))?;
    file.make_folder().map_err(|e| format!("cannot make the folder of {shown}: {e}; {HINT}"))?;
    let taken = || format!("another svc-device has {shown} open; close that one, or {HINT}");
    let lock = NameLock::take(file.beside("lock")).map_err(|_| taken())?;
    file.take_lock().map_err(|_| taken())?;
    remove_partial_writes(&path);

    match file.read() {
        Ok(Some(_)) if live_set.is_some() => Err(kept_already(&path)),
        Ok(Some(Ok(loaded))) => Ok(with_log(file, loaded, lock)),
        Ok(Some(Err(LoadError::Disk(why)))) => Err(format!("cannot read {shown}: {why}; {HINT}")),
        Ok(Some(Err(error))) => Ok(OpenState {
            file,
            settings: Settings::default(),
            document: Document::new_set(),
            id: String::new(),
            changes: 0,
            // The text is in the file, and stays there.
            unreadable: Some(state::unreadable(String::new(), &error.to_string())),
            lock,
        }),
        Ok(None) => {
            let settings = Settings::default();
            let (document, open_log) = match live_set {
                None => {
                    let document = Document::new_set();
                    let log = make(&file, &settings, &document);
                    (document, log.map_err(|e| format!("cannot write {shown}: {e}; {HINT}"))?)
                }
                Some(live_set) => {
                    let log = make(&file, &settings, &live_set.read.document);
                    let log = log.map_err(|e| live_set.not_kept(&e))?;
                    live_set.tell();
                    (live_set.read.document, log)
                }
            };
            file.open_log = Some(open_log);
            tell_of_other_logs(&file, "");
            Ok(OpenState { file, settings, document, id: String::new(), changes: 0, unreadable: None, lock })
        }
        Err(e) => Err(format!("cannot read {shown}: {e}; {HINT}")),
    }
}

/// A Live Set, which is never written, and the file beside it that its changes go to.
struct OpenedLiveSet {
    path: PathBuf,
    read: LiveSetFile,
    own: PathBuf,
}

impl OpenedLiveSet {
    fn tell(&self) {
        log(&format!("{} is never written: its changes are kept in {}", self.path.display(), self.own.display()));
        self.read.report.lines().iter().for_each(|line| log(line));
    }

    fn not_kept(&self, error: &io::Error) -> String {
        let (path, own) = (self.path.display(), self.own.display());
        format!(
            "the changes to {path} would be kept beside it, and {own} cannot be written: {error}; write the Set where \
             there is room with svc-device convert \"{path}\" FILE.svcset, and --open that"
        )
    }
}

/// Reads a Live Set. A file of our own that is there already holds changes made before: whether to go on with those or
/// to begin again is the user's to say.
fn read_live_set(path: &Path, damage: Damage) -> Result<OpenedLiveSet, String> {
    let own = own_file_beside(path);
    if own.exists() {
        return Err(kept_already(&own));
    }
    let read = read_file_through(&plain_real(path), &AllowedFolders::default(), damage, |file| Box::new(file));
    let read = read.map_err(|why| format!("cannot open {}: {why}", path.display()))?;
    Ok(OpenedLiveSet { path: path.to_owned(), read, own })
}

fn kept_already(own: &Path) -> String {
    let own = own.display();
    format!(
        "{own} holds what was changed of this Live Set before. To go on with that: --open {own}. To begin again from \
         the Live Set, move that file away"
    )
}

/// `~/.svc`, which nobody else may look into.
fn own_folder() -> Option<PathBuf> {
    let folder = std::env::home_dir().filter(|home| !home.as_os_str().is_empty())?.join(".svc");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // One that is not there is made so; one that is not ours stays as it is.
        let _ = fs::set_permissions(&folder, fs::Permissions::from_mode(0o700));
    }
    Some(folder)
}

/// Writes the first state of a file that is not there.
fn make(file: &StateFile, settings: &Settings, document: &Document) -> io::Result<OpenLog> {
    let name = change_log::new_name();
    let log = Some(LogNames { log: &name, ended: "" });
    let parts = StateParts { settings, document, id: "", revision: 0, log };
    file.put_in_place(file.stage(|to| parts.write(to))?)?;
    Ok(OpenLog { name, length: 0 })
}

/// What was read, with the changes that its log holds.
fn with_log(mut file: StateFile, loaded: LoadedState, lock: NameLock) -> OpenState {
    let LoadedState { mut settings, mut document, id, revision: changes, log: name, ended_log } = loaded;
    if change_log::is_name(&ended_log) {
        // All of it is in the state. One that is gone already is fine.
        let _ = fs::remove_file(file.log_path(&ended_log));
    }
    if change_log::is_name(&name) {
        match replayed(&file.log_path(&name), &document, &settings) {
            Ok((replayed, with)) => {
                if let Some((changed, changed_settings)) = with {
                    (document, settings) = (changed, changed_settings);
                }
                if let Some(why) = &replayed.damage {
                    let kept = file.log_path(&name).with_extension("damaged");
                    // A copy: the log itself is cut behind what was read.
                    let _ = fs::copy(file.log_path(&name), &kept);
                    log(&format!(
                        "changes after the last save could not all be read: {why}. They are kept in {}",
                        kept.display()
                    ));
                }
                file.open_log = Some(OpenLog { name, length: replayed.length });
            }
            Err(why) => {
                let path = file.log_path(&name);
                let kept = path.with_extension("damaged");
                let _ = fs::rename(&path, &kept);
                log(&format!(
                    "changes after the last save could not be read: {why}. They are kept in {}",
                    kept.display()
                ));
            }
        }
    }
    if file.project_folder().is_some() {
        document = with_samples_beside(file.path(), &document);
    }
    let known = file.open_log.as_ref().map(|log| log.name.clone()).unwrap_or_default();
    tell_of_other_logs(&file, &known);
    OpenState { file, settings, document, id, changes, unreadable: None, lock }
}

/// Logs that go on from another state than the one that lies in the file, such as one that was put there by hand.
fn tell_of_other_logs(file: &StateFile, known: &str) {
    for name in file.logs().into_iter().filter(|name| name != known) {
        let path = file.log_path(&name);
        if fs::metadata(&path).is_ok_and(|about| about.len() > 0) {
            log(&format!("{} holds changes of another version of this Set; it stays as it is", path.display()));
        }
    }
}

/// What devices that were killed in the middle of writing left behind.
fn remove_partial_writes(file: &Path) {
    let Some(name) = file.file_name() else { return };
    let Some(Ok(entries)) = file.parent().map(fs::read_dir) else { return };
    for entry in entries.flatten() {
        let file = entry.file_name();
        if file.to_str().and_then(staged_target).is_some_and(|target| name == target) {
            // The log of a state that never came into force.
            let staged = open_plain(&entry.path()).ok();
            let read = staged.and_then(|staged| packed_state::read(BufReader::new(staged)).ok());
            if let Some(log) = read.map(|state| state.log).filter(|log| change_log::is_name(log)) {
                let _ = fs::remove_file(entry.path().with_file_name(format!(".{}.{log}.log", name.to_string_lossy())));
            }
            // Only litter: that it cannot be removed changes nothing.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Where the path of a file leads, if that can be told: the user named it, so its links are followed.
fn plain_real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_partial_writes_of_this_file_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let names = [
            ".a.json.123.new",
            ".a.json.0123456789abcdef.new",
            ".b.json.123.new",
            ".a.json.x.new",
            "a.json",
            ".a.json.123.newer",
        ];
        for name in names {
            fs::write(folder.path().join(name), "").unwrap();
        }
        remove_partial_writes(&folder.path().join("a.json"));
        let left: Vec<bool> = names.iter().map(|name| folder.path().join(name).exists()).collect();
        assert_eq!(left, [false, false, true, true, true, true]);
    }

    #[test]
    fn partial_writes_go_with_their_logs() {
        let folder = tempfile::tempdir().unwrap();
        let (name, other) = (change_log::new_name(), change_log::new_name());
        let log = Some(LogNames { log: &name, ended: &other });
        let (settings, document) = (Settings::default(), Document::new_set());
        let parts = StateParts { settings: &settings, document: &document, id: "", revision: 0, log };
        fs::write(folder.path().join(".a.json.0123456789abcdef.new"), parts.to_text()).unwrap();
        for name in [&name, &other] {
            fs::write(folder.path().join(format!(".a.json.{name}.log")), "changes").unwrap();
        }
        remove_partial_writes(&folder.path().join("a.json"));
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, [format!(".a.json.{other}.log").as_str()], "the log of the state that is in force stays");
    }

    #[test]
    fn what_is_no_state_is_kept_and_not_written() {
        for bytes in [&b"{"[..], b"", b"{\"format\":99,\"set\":{}}", b"\xff\xfe", b"{\"format\":1,\"set\":\"\xff\"}"] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("state.json");
            fs::write(&file, bytes).unwrap();
            let opened = open(Some(folder.path().to_owned()), None, Damage::Refused).unwrap();
            let why = opened.unreadable.unwrap().why;
            assert!(why.contains("startFresh"), "{why}");
            assert_eq!(fs::read(&file).unwrap(), bytes);
        }
    }

    #[test]
    fn what_cannot_be_had_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        for (data_dir, open_file, part) in [
            (file.join("below"), None, "cannot make the folder"),
            (folder.path().to_owned(), Some(folder.path().to_owned()), "cannot read"),
            (folder.path().to_owned(), Some(PathBuf::from("..")), "no file name"),
        ] {
            let error = open(Some(data_dir), open_file, Damage::Refused).err().unwrap();
            assert!(error.contains(part) && error.contains("--data-dir"), "{error}");
        }
    }
    #[test]
    fn a_live_set_is_opened_and_never_written() {
        const SET: &str = include_str!("../../live_files/tests/one_of_each.xml");
        let folder = tempfile::tempdir().unwrap();
        let (live_set, own) = (folder.path().join("song.als"), folder.path().join("song.svcset"));
        let open_it = |file: &Path| open(Some(folder.path().to_owned()), Some(file.to_owned()), Damage::Refused);
        for content in [&b""[..], &[0x1F, 0x8B, 8, 0]] {
            fs::write(&live_set, content).unwrap();
            let error = open_it(&live_set).err().unwrap();
            assert!(error.starts_with(&format!("cannot open {}", live_set.display())), "{error}");
        }
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        io::Write::write_all(&mut packer, SET.as_bytes()).unwrap();
        let bytes = packer.finish().unwrap();
        fs::write(&live_set, &bytes).unwrap();
        let opened = open_it(&live_set).unwrap();
        assert_eq!((opened.file.path(), opened.document.song.name.as_str()), (own.as_path(), "song"));
        assert_eq!((opened.document.song.tempo_bpm, opened.document.tracks.len()), (133.5, 3));
        let document = opened.document.clone();
        drop(opened);
        assert_eq!((fs::read(&live_set).unwrap(), fs::read(&own).unwrap().starts_with(&[0x1F, 0x8B])), (bytes, true));
        // Its changes lie beside it by now: they are offered, never overwritten or taken unasked.
        let error = open_it(&live_set).err().unwrap();
        assert!(error.contains(&format!("--open {}", own.display())), "{error}");
        assert_eq!(open_it(&own).unwrap().document, document);
        fs::remove_file(&live_set).unwrap();
        fs::remove_file(&own).unwrap();
        let error = open_it(&live_set).err().unwrap();
        assert!(error.contains("could not be read"), "{error}");
        assert!(!own.exists());
    }
}
