//! The script's files inside this program, so that the device and the script that it brings are of one build.

use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::sync::LazyLock;

/// The folder that Live looks the script up by, and the name in its menu of control surfaces. A name of Python's.
pub const SCRIPT_NAME: &str = "SvcDevice";

/// A file of the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptFile {
    pub name: &'static str,
    pub bytes: &'static [u8],
}

macro_rules! script_files {
    ($($name:literal,)*) => {
        &[$(ScriptFile {
            name: $name,
            bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/live-script/SvcDevice/", $name)),
        },)*]
    };
}

/// All of them, in the order of their names; a test holds them equal to the folder.
#[rustfmt::skip]
pub const SCRIPT_FILES: &[ScriptFile] = script_files![
    "__init__.py",
    "bridge_files.py",
    "browser.py",
    "bulk_read.py",
    "children.py",
    "classes.py",
    "columns.py",
    "control_surface.py",
    "conversions.py",
    "envelopes.py",
    "errors.py",
    "fault_log.py",
    "frames.py",
    "functions.py",
    "ids.py",
    "late.py",
    "link.py",
    "loading.py",
    "locators.py",
    "members.py",
    "newer.py",
    "notes.py",
    "places.py",
    "program.py",
    "pump.py",
    "requests.py",
    "routings.py",
    "steps.py",
    "tables.py",
    "undo_step.py",
    "values.py",
    "version.py",
    "visit.py",
    "watch.py",
];

/// The version that the script states of itself.
pub fn bundled_version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let file = SCRIPT_FILES.iter().find(|file| file.name == VERSION_FILE);
        file.and_then(|file| stated_version(file.bytes)).unwrap_or_default()
    });
    &VERSION
}

/// The hash that the script tells of itself when it runs from these files.
pub fn bundled_hash() -> &'static str {
    static HASH: LazyLock<String> =
        LazyLock::new(|| source_hash(SCRIPT_FILES.iter().map(|file| (file.name, file.bytes))));
    &HASH
}

/// Where the script states its version.
pub(super) const VERSION_FILE: &str = "version.py";

/// SHA-256 over files in the order of their names: each name, a zero byte, the bytes, a zero byte. In hexadecimal, as
/// the script's own first frame has it.
pub(super) fn source_hash<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut digest = Sha256::new();
    for (name, bytes) in files {
        for part in [name.as_bytes(), b"\0", bytes, b"\0"] {
            digest.update(part);
        }
    }
    digest.finalize().iter().fold(String::new(), |mut text, byte| {
        // A String takes any text.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The version in the script's `version.py`; `None` where that is the file of something else.
pub(super) fn stated_version(version_file: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(version_file).ok()?;
    let value_of = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix('='));
        lines.next().map(str::trim)
    };
    value_of("PROTOCOL")?.parse::<u32>().ok()?;
    let version = value_of("SCRIPT_VERSION")?.strip_prefix('"')?.strip_suffix('"')?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-+".contains(&byte);
    (1..=40).contains(&version.len()).then_some(version).filter(|text| text.bytes().all(plain)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::process::Command;

    fn folder() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/live-script/SvcDevice"))
    }

    #[test]
    fn the_files_are_those_of_the_folder() {
        let mut there: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder())
            .unwrap()
            .map(|entry| entry.unwrap())
            // What Python keeps beside what it ran.
            .filter(|entry| entry.file_name() != "__pycache__")
            .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
            .collect();
        there.sort();
        let here: Vec<(String, Vec<u8>)> =
            SCRIPT_FILES.iter().map(|file| (file.name.to_owned(), file.bytes.to_vec())).collect();
        let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&here), names(&there), "SCRIPT_FILES lists other files than live-script/SvcDevice has");
        assert!(here == there, "they have other bytes");
        assert!(here.len() > 20 && here.iter().all(|(name, _)| name.ends_with(".py")));
    }

    /// The hash that the script itself would tell.
    #[test]
    fn the_hash_is_the_scripts_own() {
        let code = "import sys; sys.dont_write_bytecode = True; import version; print(version.source_hash())";
        let python = std::env::var_os("SVC_PYTHON").unwrap_or_else(|| "python3".into());
        let ran = Command::new(python).args(["-c", code]).current_dir(folder()).output();
        let Ok(ran) = ran else { return };
        let (told, why) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert_eq!(told.trim(), bundled_hash(), "{why}");
        assert_eq!(bundled_hash().len(), 64);
    }

    #[test]
    fn a_version_is_read_where_the_file_is_ours() {
        assert_eq!(bundled_version(), crate::VERSION, "script and device are of one version");
        for (text, version) in [
            ("SCRIPT_VERSION = \"0.1.0\"\nPROTOCOL = 1\n", Some("0.1.0")),
            ("import os\r\nSCRIPT_VERSION=\"1.2-x\"\r\n\r\nPROTOCOL   =  7\r\n", Some("1.2-x")),
            ("SCRIPT_VERSION = \"0.1.0\"\n", None),
            ("PROTOCOL = 1\n", None),
            ("SCRIPT_VERSION = 1\nPROTOCOL = 1", None),
            ("SCRIPT_VERSION = \"\"\nPROTOCOL = 1", None),
            ("SCRIPT_VERSION = \"a b\"\nPROTOCOL = 1", None),
            ("# SCRIPT_VERSION = \"1\"\nPROTOCOL = 1", None),
            ("SCRIPT_VERSION = \"1\"\nPROTOCOL = one", None),
            ("", None),
        ] {
            assert_eq!(stated_version(text.as_bytes()).as_deref(), version, "{text:?}");
        }
        assert_eq!(stated_version(b"\xff"), None);
    }
}
