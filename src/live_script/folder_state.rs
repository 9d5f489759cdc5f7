//! What lies where Live looks for the script, and what the user does next.

use super::bundled::{
    SCRIPT_FILES, SCRIPT_NAME, VERSION_FILE, bundled_hash, bundled_version, source_hash, stated_version,
};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What the user does in Live once the script is there.
pub const SWITCH_ON: &str = "Restart Live, then choose SvcDevice under Settings > Link, Tempo & MIDI > Control Surface, \
                             with Input and Output at None.";

/// Files that are read of a folder, and of each so many bytes: far more than a script of ours has.
const MAX_FILES: usize = 500;
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// The places of the script in one User Library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptFolder {
    /// `Remote Scripts`, which Live reads.
    pub scripts: PathBuf,
    /// The script's own folder in it.
    pub script: PathBuf,
    /// What an installation replaced. Live cannot import a name with a hyphen, so it shows in no menu.
    pub backup: PathBuf,
    /// What lay there and was no script of ours.
    pub foreign_backup: PathBuf,
}

impl ScriptFolder {
    pub fn of(user_library: &Path) -> ScriptFolder {
        let scripts = user_library.join("Remote Scripts");
        let beside = |ending: &str| scripts.join(format!("{SCRIPT_NAME}{ending}"));
        ScriptFolder { script: beside(""), backup: beside("-backup"), foreign_backup: beside("-not-ours"), scripts }
    }
}

/// What the script in a running Live told of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningScript {
    pub version: String,
    /// Empty where it could not read its own files.
    pub source_hash: String,
}

/// How it stands with the script in one User Library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptStatus {
    pub folder: ScriptFolder,
    pub state: ScriptState,
    /// Where the script's folder is a link to, if it is one.
    pub link: Option<PathBuf>,
    /// What an installation replaced lies beside it.
    pub has_backup: bool,
}

/// See [`ScriptStatus`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptState {
    NotInstalled,
    /// Byte for byte the script that this device brings.
    Installed,
    /// A script of ours with other bytes.
    Outdated {
        version: String,
        difference: Difference,
    },
    /// What lies on the disk is this device's; Live still runs what it loaded before.
    RunningAnother {
        version: String,
    },
    /// A folder of this name that holds no script of ours.
    Foreign,
    /// It cannot be known: the text follows the folder in a sentence.
    Unknown(String),
}

/// Why a script of ours has other bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    AnotherVersion,
    /// This very version: edited by hand, or of another build.
    EditedByHand,
}

impl ScriptStatus {
    /// Looks at the disk. `running` is what the script in a running Live told, if one is linked.
    pub fn look(user_library: &Path, running: Option<&RunningScript>) -> ScriptStatus {
        let folder = ScriptFolder::of(user_library);
        let link = fs::read_link(&folder.script).ok();
        let state = match disk_state(&folder.script) {
            ScriptState::Installed => match running.filter(|running| is_another(running)) {
                Some(running) => ScriptState::RunningAnother { version: running.version.clone() },
                None => ScriptState::Installed,
            },
            state => state,
        };
        let has_backup = folder.backup.is_dir();
        ScriptStatus { folder, state, link, has_backup }
    }

    /// One word, or two.
    pub fn word(&self) -> &'static str {
        match self.state {
            ScriptState::NotInstalled => "not installed",
            ScriptState::Installed => "installed",
            ScriptState::Outdated { .. } => "outdated",
            ScriptState::RunningAnother { .. } => "running another version",
            ScriptState::Foreign => "not ours",
            ScriptState::Unknown(_) => "unknown",
        }
    }

    /// What is the case, as a sentence that names the folder.
    pub fn sentence(&self) -> String {
        let (folder, version) = (self.folder.script.display(), bundled_version());
        let linked = self.link.as_ref().map(|to| format!(", which is a link to {}", to.display())).unwrap_or_default();
        match &self.state {
            ScriptState::NotInstalled => format!("The script is not installed: there is no {folder}."),
            ScriptState::Installed => format!("The script {version} is installed in {folder}{linked}."),
            ScriptState::Outdated { version: there, difference: Difference::AnotherVersion } => {
                format!("The script in {folder}{linked} is version {there}; this device brings {version}.")
            }
            ScriptState::Outdated { difference: Difference::EditedByHand, .. } => format!(
                "The script in {folder}{linked} is version {version} with other bytes: edited by hand, or of another \
                 build."
            ),
            ScriptState::RunningAnother { version: running } => format!(
                "The script {version} is installed in {folder}{linked}, and Live still runs {}.",
                if *running == version { format!("another build of {running}") } else { running.clone() }
            ),
            ScriptState::Foreign => format!("{folder}{linked} holds no script of ours."),
            ScriptState::Unknown(why) => format!("{folder}{linked} {why}."),
        }
    }

    /// What the user does next; `install` says how to install from where this is shown.
    pub fn next_step(&self, install: &str) -> String {
        match (&self.state, &self.link) {
            (ScriptState::Installed, _) => format!("If Live does not show it yet: {SWITCH_ON}"),
            (ScriptState::RunningAnother { .. }, _) => "Restart Live.".to_owned(),
            (ScriptState::Foreign | ScriptState::Outdated { .. }, Some(_)) => {
                format!("Remove the link, which was made by hand, then {install}.")
            }
            (ScriptState::NotInstalled | ScriptState::Outdated { .. }, _) => {
                let mut text = install.to_owned();
                if let Some(first) = text.get_mut(..1) {
                    first.make_ascii_uppercase();
                }
                text + ", then restart Live."
            }
            (ScriptState::Foreign, _) => {
                format!("Move it away, or {install}: it is kept as {}.", self.folder.foreign_backup.display())
            }
            (ScriptState::Unknown(_), _) => format!("Mend that, then {install}."),
        }
    }
}

/// A script that could not read its own files is known by its version.
fn is_another(running: &RunningScript) -> bool {
    match running.source_hash.as_str() {
        "" => running.version != bundled_version(),
        hash => hash != bundled_hash(),
    }
}

/// What lies in a folder, through a link too; never [`ScriptState::RunningAnother`].
pub(super) fn disk_state(script: &Path) -> ScriptState {
    match fs::symlink_metadata(script) {
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return ScriptState::NotInstalled;
        }
        Err(e) => return ScriptState::Unknown(format!("cannot be read ({})", e.kind())),
        Ok(_) => {}
    }
    match fs::metadata(script) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            return ScriptState::Unknown("leads nowhere".to_owned());
        }
        Err(e) => return ScriptState::Unknown(format!("cannot be read ({})", e.kind())),
        Ok(about) if !about.is_dir() => return ScriptState::Unknown("is a file, not a folder".to_owned()),
        Ok(_) => {}
    }
    match python_files(script) {
        Err(why) => ScriptState::Unknown(why),
        Ok(files) => state_of(&files),
    }
}

fn state_of(files: &BTreeMap<String, Vec<u8>>) -> ScriptState {
    let Some(version) = files.get(VERSION_FILE).and_then(|bytes| stated_version(bytes)) else {
        return ScriptState::Foreign;
    };
    if source_hash(files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))) == bundled_hash() {
        return ScriptState::Installed;
    }
    let difference = if version == bundled_version() { Difference::EditedByHand } else { Difference::AnotherVersion };
    ScriptState::Outdated { version, difference }
}

/// The files that the script's own hash counts. What Python keeps beside them (`__pycache__`) counts for nothing.
fn python_files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let closed = |e: io::Error| format!("cannot be read ({})", e.kind());
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(closed)? {
        let entry = entry.map_err(closed)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if !name.ends_with(".py") || !fs::metadata(entry.path()).is_ok_and(|about| about.is_file()) {
            continue;
        }
        if files.len() == MAX_FILES {
            return Err(format!("holds more than {MAX_FILES} files"));
        }
        let mut bytes = Vec::new();
        let read = fs::File::open(entry.path()).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|e| format!("holds {name}, which cannot be read ({})", e.kind()))?;
        // Cut short, it is still none of ours: the hash differs.
        files.insert(name, bytes);
    }
    Ok(files)
}

/// Whether a folder that was just written holds what it should.
pub(super) fn is_whole(folder: &Path) -> bool {
    python_files(folder)
        .is_ok_and(|files| files.len() == SCRIPT_FILES.len() && state_of(&files) == ScriptState::Installed)
}
