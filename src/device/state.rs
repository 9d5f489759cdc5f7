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
    settings: &'a Settings,
    set: &'a Document,
}

pub fn save(settings: &Settings, document: &Document) -> String {
    // Plain values with text keys: this cannot fail.
    serde_json::to_string(&StateOut { format: FORMAT, version: crate::VERSION, settings, set: document })
        .unwrap_or_default()
}

/// Reads a state, or says why it cannot be read.
pub fn load(text: &str) -> Result<(Settings, Document), LoadError> {
    let document = save::load(text)?;
    let json: Value = serde_json::from_str(text).map_err(|e| LoadError::Damaged(e.to_string()))?;
    let settings = match json.get("settings") {
        Some(settings) => Settings::from_json(settings).map_err(LoadError::Damaged)?,
        None => Settings::default(),
    };
    Ok((settings, document))
}
