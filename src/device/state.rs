//! A device's state as text: settings and Set in one versioned JSON document.

use crate::service::Settings;
use crate::service::embedded::UnreadableState;
use crate::set::Document;
use crate::set::edit::saved_set::{self, FORMAT, LoadError, SavedSet};
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Read, Write};

/// What a state is made of.
#[derive(Clone, Copy)]
pub struct StateParts<'a> {
    pub settings: &'a Settings,
    pub document: &'a Document,
    /// Which Set this is; see [`super::recovery`].
    pub id: &'a str,
    /// Changes it has seen.
    pub revision: u64,
    /// In a file with a log of changes beside it: which log goes on from here; see [`super::change_log`].
    pub log: Option<LogNames<'a>>,
}

/// The log that goes on from a state, and the one that the state holds already.
#[derive(Clone, Copy, Serialize)]
pub struct LogNames<'a> {
    pub log: &'a str,
    #[serde(rename = "endedLog", skip_serializing_if = "str::is_empty")]
    pub ended: &'a str,
}

#[derive(Serialize)]
struct StateOut<'a> {
    format: u32,
    /// The version that wrote it; for people who look into the file.
    version: &'static str,
    id: &'a str,
    revision: u64,
    #[serde(flatten)]
    log: Option<LogNames<'a>>,
    settings: &'a Settings,
    set: &'a Document,
}

impl StateParts<'_> {
    fn out(&self) -> StateOut<'_> {
        StateOut {
            format: FORMAT,
            version: crate::VERSION,
            id: self.id,
            revision: self.revision,
            log: self.log,
            settings: self.settings,
            set: self.document,
        }
    }

    pub fn to_text(&self) -> String {
        // Plain values with text keys: this cannot fail.
        serde_json::to_string(&self.out()).unwrap_or_default()
    }

    /// Writes it piece by piece; `to` is best buffered.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(to, &self.out()).map_err(io::Error::from)
    }
}

pub fn save(settings: &Settings, document: &Document, id: &str, revision: u64) -> String {
    StateParts { settings, document, id, revision, log: None }.to_text()
}

/// A state that was read.
#[derive(Debug, PartialEq)]
pub struct LoadedState {
    pub settings: Settings,
    pub document: Document,
    pub id: String,
    pub revision: u64,
    /// The log that goes on from it; empty where none does.
    pub log: String,
    /// The log that it holds already.
    pub ended_log: String,
}

/// Reads a state, or says why it cannot be read.
pub fn load(text: &str) -> Result<LoadedState, LoadError> {
    with_settings(saved_set::load(text)?)
}

/// As [`load`], from what gives the text piece by piece; it is best buffered.
pub fn read(text: impl Read) -> Result<LoadedState, LoadError> {
    with_settings(saved_set::read(text)?)
}

fn with_settings(SavedSet { document, others }: SavedSet) -> Result<LoadedState, LoadError> {
    let settings = match others.get("settings") {
        Some(settings) => Settings::from_json(settings).map_err(LoadError::Damaged)?,
        None => Settings { sound: None, ..Settings::default() },
    };
    let text = |name: &str| others.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let revision = others.get("revision").and_then(Value::as_u64).unwrap_or(0);
    Ok(LoadedState { settings, document, id: text("id"), revision, log: text("log"), ended_log: text("endedLog") })
}

/// A saved state that cannot be read, with what the user can do about it.
pub fn unreadable(text: String, error: &str) -> UnreadableState {
    let why = format!(
        "{error}. Reading works; to write, start fresh (in the device's window, or POST /config {{\"startFresh\": true}})"
    );
    UnreadableState { text, why }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the plugin saved it: the framework's frame (a length, then its own JSON) around the device's text.
    const SAVED_BY_0_1_0: &[u8] = include_bytes!("../../tests/fixtures/state-0.1.0.json");

    #[test]
    fn a_set_of_an_older_version_is_written_as_it_was_read() {
        let frame: Value = serde_json::from_slice(SAVED_BY_0_1_0.get(8..).unwrap()).unwrap();
        let text: String = serde_json::from_str(frame["fields"]["device"].as_str().unwrap()).unwrap();
        let was: Value = serde_json::from_str(&text).unwrap();
        let loaded = load(&text).unwrap();
        assert!(loaded.document.tracks.iter().any(|track| !track.session.is_empty()), "there is something to lose");
        assert_eq!(serde_json::to_string(&loaded.document).unwrap(), was["set"].to_string());
    }
}
