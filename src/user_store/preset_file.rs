//! A preset's file: what is in it, and why it is not read. It states its format and version; a file of a newer version
//! is refused.

use crate::disk::open_plain;
use crate::metered_json::{self, Meter};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

const FORMAT: &str = "svc-device-preset";
/// The newest version that is read, and the one that is written.
const VERSION: u32 = 1;

/// Largest preset that is read or written, in bytes.
pub const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Bytes of memory that a preset may take while it is read.
const MAX_MEMORY: u64 = 128 << 20;

/// Why a preset was not loaded or saved. The texts name no folder of the user's disk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    #[error("there is no folder to keep presets in: no home folder was found")]
    NoFolder,
    #[error("\"{0}\" cannot name a preset: {1}")]
    Name(String, &'static str),
    /// With the names of all presets.
    #[error("there is no preset \"{name}\"")]
    Unknown { name: String, known: Vec<String> },
    #[error(
        "several presets are called \"{name}\": {files}; send device along, or the name with its folder, such as \"{first}\""
    )]
    Several { name: String, files: String, first: String },
    #[error("the preset \"{name}\" is for {of}, not for {wanted}")]
    OtherDevice { name: String, of: String, wanted: String },
    #[error("the preset \"{0}\" {1}")]
    Unreadable(String, String),
    #[error(
        "a preset file is read only from the presets folder, the sample folder and the folders that the setting allowedFolders \
         lists; it ends in .svcpreset.json, .adv or .adg"
    )]
    Elsewhere,
    #[error("\"{0}\" is an address in Live's browser, which only a running Live has; send the name of a saved preset")]
    Browser(String),
    #[error("the device is too large for a preset: more than {} MB", MAX_BYTES / 1024 / 1024)]
    TooLarge,
    #[error(
        "there is \"{0}\" already, which is no preset that this version of SVC Device reads: save under another name, or \
         take that away first"
    )]
    NotOurs(String),
    #[error("the preset could not be written: {}", super::store_error::write_error_text(*.0))]
    NotWritten(io::ErrorKind),
}

/// A preset as its file holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preset {
    format: String,
    version: u32,
    /// What the user calls the device, such as `Auto Filter`.
    pub device: String,
    pub name: String,
    /// The device as the host saved it.
    pub saved: Value,
    /// What there is to say of it wherever it is used.
    #[serde(skip)]
    pub remark: Option<String>,
}

impl Preset {
    pub(super) fn new(device: String, name: String, saved: Value) -> Preset {
        Preset { format: FORMAT.to_owned(), version: VERSION, device, name, saved, remark: None }
    }

    /// A device that was read from a file of another program.
    pub fn from_elsewhere(device: String, name: String, saved: Value, remark: Option<String>) -> Preset {
        Preset { remark, ..Preset::new(device, name, saved) }
    }

    /// The preset, where it is for that device.
    pub fn checked(self, device: Option<&str>) -> Result<Preset, PresetError> {
        match device.filter(|device| device.trim().to_lowercase() != self.device.trim().to_lowercase()) {
            Some(other) => Err(PresetError::OtherDevice { name: self.name, of: self.device, wanted: other.to_owned() }),
            None => Ok(self),
        }
    }

    /// The file's text.
    pub(super) fn text(&self) -> Result<String, PresetError> {
        let text = serde_json::to_string(self).map_err(|_| PresetError::TooLarge)?;
        // A preset that could not be read again is not written.
        let can_be_read = text.len() as u64 <= MAX_BYTES && parsed::<Preset>(text.as_bytes()).is_ok();
        if can_be_read { Ok(text) } else { Err(PresetError::TooLarge) }
    }
}

fn parsed<T: DeserializeOwned>(text: &[u8]) -> serde_json::Result<T> {
    metered_json::from_slice(text, &Meter::of(MAX_MEMORY))
}

/// Reads a preset; `name` is how errors call it.
pub(super) fn read(file: &Path, name: &str) -> Result<Preset, PresetError> {
    let unreadable = |why: &str| PresetError::Unreadable(name.chars().take(80).collect(), why.to_owned());
    let about = fs::symlink_metadata(file).map_err(|_| unreadable("is gone"))?;
    if !about.is_file() {
        return Err(unreadable("is no plain file"));
    }
    let mut bytes = Vec::new();
    let opened = open_plain(file).and_then(|f| f.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    opened.map_err(|e| unreadable(&format!("cannot be read ({})", e.kind())))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(unreadable("is too large"));
    }
    /// What every version has.
    #[derive(Deserialize)]
    struct Head {
        format: String,
        version: u32,
    }
    let damaged = "is damaged, or no preset of this device's";
    let head: Head = parsed(&bytes).map_err(|_| unreadable(damaged))?;
    match head {
        Head { format, .. } if format != FORMAT => Err(unreadable(damaged)),
        Head { version, .. } if version > VERSION => Err(unreadable("was written by a newer version")),
        _ => parsed(&bytes).map_err(|error| {
            unreadable(if Meter::refused(&error) { "would take far more memory than a device does" } else { damaged })
        }),
    }
}
