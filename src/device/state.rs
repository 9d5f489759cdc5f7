//! A device's state as text: settings and Set in one versioned JSON document.

use crate::service::Settings;
use crate::service::embedded::UnreadableState;
use crate::set::Document;
use crate::set::edit::saved_set::{self, FORMAT, LoadError};
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct StateOut<'a> {
    format: u32,
    /// The version that wrote it; for people who look into the file.
    version: &'static str,
    /// Which Set this is; see [`super::recovery`].
    id: &'a str,
    /// Changes it has seen.
    revision: u64,
    settings: &'a Settings,
    set: &'a Document,
}

pub fn save(settings: &Settings, document: &Document, id: &str, revision: u64) -> String {
    // Plain values with text keys: this cannot fail.
    serde_json::to_string(&StateOut { format: FORMAT, version: crate::VERSION, id, revision, settings, set: document })
        .unwrap_or_default()
}

/// A state that was read.
#[derive(Debug, PartialEq)]
pub struct LoadedState {
    pub settings: Settings,
    pub document: Document,
    pub id: String,
    pub revision: u64,
}

/// Reads a state, or says why it cannot be read.
pub fn load(text: &str) -> Result<LoadedState, LoadError> {
    let document = saved_set::load(text)?;
    let json: Value = serde_json::from_str(text).map_err(|e| LoadError::Damaged(e.to_string()))?;
    let settings = match json.get("settings") {
        Some(settings) => Settings::from_json(settings).map_err(LoadError::Damaged)?,
        None => Settings::default(),
    };
    let id = json.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let revision = json.get("revision").and_then(Value::as_u64).unwrap_or(0);
    Ok(LoadedState { settings, document, id, revision })
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
