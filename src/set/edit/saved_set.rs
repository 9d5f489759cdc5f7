//! The Set as text: one versioned JSON document, as it lies in a DAW's project or a file.

use crate::set::document::device_tree::Rack;
use crate::set::document::{Document, Track};
use crate::set::edit::validate::validate;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::sync::Arc;

/// The format this version writes, and the newest it reads. 2 brought Arrangement clips, take lanes, locators, grooves,
/// audio and what racks hold; a version that knows only 1 would lose them unsaid.
pub const FORMAT: u32 = 2;

#[derive(Serialize)]
struct FileOut<'a> {
    format: u32,
    set: &'a Document,
}

#[derive(Deserialize)]
struct FileIn {
    set: Document,
}

/// Why a text is no Set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LoadError {
    #[error(
        "the Set was saved by a newer version of SVC Device (format {found}; this version reads up to {FORMAT}); update to open it"
    )]
    Newer { found: u64 },
    #[error("the saved Set is damaged: {0}")]
    Damaged(String),
}

/// The document as text.
pub fn save(document: &Document) -> String {
    // Every field is a plain value with text keys, and serde_json writes a non-finite number as null: this cannot fail.
    serde_json::to_string(&FileOut { format: FORMAT, set: document }).unwrap_or_default()
}

/// Reads a document. What is loaded obeys every rule that edits keep, or it is refused as damaged.
pub fn load(text: &str) -> Result<Document, LoadError> {
    let damaged = |e: serde_json::Error| LoadError::Damaged(e.to_string());
    let json: Json = serde_json::from_str(text).map_err(damaged)?;
    let format = json.get("format").and_then(Json::as_u64);
    match format {
        Some(found) if found > u64::from(FORMAT) => return Err(LoadError::Newer { found }),
        Some(1..) => {}
        _ => return Err(LoadError::Damaged("it has no format number".to_owned())),
    }
    let FileIn { set: mut document } = serde_json::from_value(json).map_err(damaged)?;
    if format == Some(1) {
        give_racks_their_place(&mut document);
    }
    document.rebuild_index();
    validate(&document).map_err(LoadError::Damaged)?;
    Ok(document)
}

/// Format 1 knew racks as devices without chains.
fn give_racks_their_place(document: &mut Document) {
    fn fill(track: &mut Track) {
        for device in &mut track.devices {
            if device.table_class() == "RackDevice" && device.rack.is_none() {
                Arc::make_mut(device).rack = Some(Arc::new(Rack { visible_macros: 8, ..Rack::default() }));
            }
        }
    }
    document.tracks.edit_all(fill);
    document.returns.edit_all(fill);
    fill(Arc::make_mut(&mut document.main));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_comes_back_as_it_was() {
        let set = Document::new_set();
        assert_eq!(load(&save(&set)).unwrap(), set);
    }

    #[test]
    fn what_is_not_a_set_is_refused() {
        let good = save(&Document::new_set());
        let mut json: Json = serde_json::from_str(&good).unwrap();
        json["set"]["song"]["tempo_bpm"] = 5.into();
        let slow = json.to_string();
        for (text, want) in [
            ("", "damaged"),
            ("{}", "no format number"),
            (r#"{"format":3,"set":{"anything":[]}}"#, "newer version"),
            (r#"{"format":1}"#, "damaged"),
            (&good[..good.len() / 2], "damaged"),
            (&slow, "tempo"),
        ] {
            let error = load(text).unwrap_err().to_string();
            assert!(error.contains(want), "{text:.40}: {error}");
        }
    }
}
