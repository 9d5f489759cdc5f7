//! A device's state as text: settings and Set in one versioned JSON document.

use crate::service::Settings;
use crate::set::Document;
use crate::set::save::{self, FORMAT, LoadError};
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
pub struct Loaded {
    pub settings: Settings,
    pub document: Document,
    pub id: String,
    pub revision: u64,
}

/// Reads a state, or says why it cannot be read.
pub fn load(text: &str) -> Result<Loaded, LoadError> {
    let document = save::load(text)?;
    let json: Value = serde_json::from_str(text).map_err(|e| LoadError::Damaged(e.to_string()))?;
    let settings = match json.get("settings") {
        Some(settings) => Settings::from_json(settings).map_err(LoadError::Damaged)?,
        None => Settings::default(),
    };
    let id = json.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let revision = json.get("revision").and_then(Value::as_u64).unwrap_or(0);
    Ok(Loaded { settings, document, id, revision })
}
