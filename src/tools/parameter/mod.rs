//! Parameters of devices as callers see them: read by display value, written by display value, unit, label or note
//! name.
//!
//! - [`display`] says how one parameter shows its values, whatever host it is of; [`value_parse`] reads the text of a
//!   written value, [`shown_value`] what it means on a parameter.
//! - [`virtual_table`] names, by class of device, what is no parameter in the object model and is read and written like
//!   one; [`virtual_params`] reads and writes it.
//! - [`find`] finds what a name or id means; [`read`] lists a device's parameters; [`write`] writes the `params` of a
//!   call.
//! - [`pad_sample`] loads samples into Simplers and onto pads; [`inner`] finds what a name behind a path means.
//! - [`macros`] maps and names the macros of racks.
//!
//! A tool reads its `params` argument away from the Set ([`ParamWrites::read`]), which refuses what no device could
//! take and looks at the audio files that it names; with the Set at hand it calls [`ParamWrites::write`] for each
//! device, which adds one entry an item to the device's own entry. The invariant: an item without `detail` landed as it
//! was sent.

pub mod display;
pub mod find;
pub mod inner;
pub mod macros;
pub mod pad_sample;
pub mod read;
pub mod shown_value;
mod side_chain;
mod step_units;
pub mod value_parse;
pub mod virtual_params;
pub mod virtual_table;
pub mod write;

pub use side_chain::tracks as sidechain_tracks;

use crate::files::audio;
use crate::object_model::Session;
use crate::object_model::audio::AudioFiles;
use crate::paths::AllowedFolders;
use crate::tools::budget::{Budget, MAX_LIST_ITEMS};
use crate::tools::error::ToolError;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// What `params` takes, for the tools that have it.
pub const ABOUT: &str = "{name or id, value}, as shown: -18, \"1.2 kHz\", \"4 : 1\", \"20L\", a label, a note, on/off; {name: \"sample\", \
                         value: absolute path} loads a Simpler. A path before a name reaches into racks: pC1/sample (a drum \
                         pad's), pC1/name, pC1/chokeGroup, pC1/playbackMode, c0/gainDb, c0/d0/Drive";

/// The same of a device that is made.
pub const ABOUT_OF_NEW: &str = "{name or id, value}, as svc-update-device takes them; {name: \"pC1/sample\", value: \
                                absolute path} makes a drum pad";

/// The published schema of a `params` parameter.
pub fn schema() -> Value {
    json!({
        "type": "array",
        "maxItems": MAX_LIST_ITEMS,
        "items": {
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "id": { "type": "string" },
                "value": { "type": ["string", "number"] },
            },
            "required": ["value"],
        },
    })
}

/// What is accepted beside it: ids and values as numbers, switches as booleans, `null` for none.
pub fn full_schema() -> Value {
    json!({
        "type": "array",
        "maxItems": MAX_LIST_ITEMS,
        "items": {
            "type": "object",
            "properties": {
                "name": { "type": ["string", "null"] },
                "id": { "type": ["string", "integer", "null"] },
                "value": { "type": ["string", "number", "boolean", "null"] },
            },
        },
    })
}

/// One item of `params`, as it was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamWrite {
    pub name: Option<String>,
    pub id: Option<String>,
    /// `None` is `null`, which means none.
    pub value: Option<String>,
}

impl ParamWrite {
    /// The key of its entry, and the text there.
    pub fn key(&self) -> (&'static str, &str) {
        match (&self.name, &self.id) {
            (Some(name), _) => ("name", name),
            (None, Some(id)) => ("id", id),
            (None, None) => ("name", ""),
        }
    }

    /// It has a value, but nothing stands in it.
    pub fn is_blank(&self) -> bool {
        self.value.as_deref() == Some("")
    }

    /// How it was called, in a sentence.
    pub fn called(&self) -> String {
        format!("\"{}\"", self.key().1)
    }
}

/// The `params` of a call.
#[derive(Clone, Debug, Default)]
pub struct ParamWrites {
    pub(crate) items: Vec<ParamWrite>,
    /// What became of the audio files that they name.
    pub(crate) files: AudioFiles,
}

impl ParamWrites {
    /// Reads the argument; `None` where nothing was sent. Refuses an item without a name and id, or without a value.
    /// Looks at the audio files that it names, so it is for *prepare* only.
    pub fn read(
        sent: Option<Vec<Value>>,
        folders: &AllowedFolders,
        budget: &Budget,
    ) -> Result<Option<ParamWrites>, ToolError> {
        let Some(sent) = sent.filter(|sent| !sent.is_empty()) else { return Ok(None) };
        let items = sent.iter().enumerate().map(|(at, item)| item_of(at, item)).collect::<Result<Vec<_>, _>>()?;
        let named = items.iter().filter(|item| item.name.as_deref().is_some_and(pad_sample::is_sample_name));
        let paths = named.filter(|item| !item.is_blank()).filter_map(|item| item.value.clone());
        let files = audio::probe_all(paths, folders, &|| budget.is_over());
        Ok(Some(ParamWrites { items, files }))
    }

    /// Whether reading this argument looks at files.
    pub fn reads_files(map: &Map<String, Value>) -> bool {
        let items = map.get("params").and_then(Value::as_array).into_iter().flatten();
        items
            .filter_map(|item| item.get("name").and_then(Value::as_str))
            .any(|name| pad_sample::is_sample_name(name.trim()))
    }

    /// The sample files that are loaded, for the library's use counts.
    pub fn sample_files(&self) -> Vec<String> {
        let named = self.items.iter().filter(|item| item.name.as_deref().is_some_and(pad_sample::is_sample_name));
        let files: BTreeSet<String> = named.filter_map(|item| item.value.clone()).collect();
        files.into_iter().filter(|file| matches!(self.files.get(file), Some(Ok(_)))).collect()
    }

    /// Tells the host what is known of the files, once at the start of *apply*.
    pub fn know_files(&self, session: &mut dyn Session) {
        session.know_files(self.files.clone());
    }
}

fn item_of(at: usize, item: &Value) -> Result<ParamWrite, ToolError> {
    let text = |field: &str| match item.get(field) {
        Some(Value::String(text)) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Some(Value::Number(number)) => Some(number.to_string()),
        Some(Value::Bool(on)) => Some(on.to_string()),
        _ => None,
    };
    let (name, id) = (text("name"), text("id"));
    let place = || match (&name, &id) {
        (Some(called), _) | (None, Some(called)) => format!("params.{at} (\"{called}\")"),
        (None, None) => format!("params.{at}"),
    };
    if name.is_none() && id.is_none() {
        return Err(ToolError::new(format!("{} has neither name nor id; send one, and a value", place())));
    }
    match item.get("value") {
        None => Err(ToolError::new(format!("{} has no value", place()))),
        Some(Value::String(blank)) if blank.trim().is_empty() => {
            Ok(ParamWrite { value: Some(String::new()), name, id })
        }
        Some(_) => Ok(ParamWrite { value: text("value"), name, id }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_device_could_take_is_refused() {
        let nowhere = AllowedFolders::default();
        let read = |sent: Value| ParamWrites::read(sent.as_array().cloned(), &nowhere, &Budget::default());
        for (sent, wrong) in [
            (json!([{"value": "1"}]), "neither name nor id"),
            (json!([{"name": " ", "value": "1"}]), "neither name nor id"),
            (json!([{"name": "A"}]), "no value"),
        ] {
            let error = read(sent.clone()).unwrap_err();
            assert!(error.text.contains(wrong), "{sent}: {error}");
        }
        assert!(read(json!([])).unwrap().is_none() && read(json!(null)).unwrap().is_none());
        assert!(read(json!([{"name": "A", "value": " "}])).unwrap().unwrap().items[0].is_blank());
        let good = read(json!([{"name": "A", "value": 1.5}, {"id": 7, "value": true}, {"name": "B", "value": null}]));
        let values: Vec<_> = good.unwrap().unwrap().items.into_iter().map(|item| item.value).collect();
        assert_eq!(values, [Some("1.5".to_owned()), Some("true".to_owned()), None]);
    }
}
