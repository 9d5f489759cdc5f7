//! The user's device presets, as calls name and make them. Both wait for a disk: one is loaded while a call is
//! prepared, and saved when the call was kept.

use crate::tools::arguments::nearest;
use crate::tools::error::ToolError;
use crate::tools::request::RequestContext;
use crate::user_store::{Preset, PresetError, Presets, SavedPreset};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Reads a preset, for the device that it has to be for.
pub fn load(view: &RequestContext, wanted: &str, device: Option<&str>) -> Result<Preset, ToolError> {
    read(view, wanted, device).map_err(|error| {
        let hint = match &error {
            PresetError::Unknown { name, known } => nearest::hint(name, known.iter().map(String::as_str)),
            _ => String::new(),
        };
        let refusal = ToolError::about("preset", format!("{error}{hint}"));
        match (&error, view.device.project.permission_request()) {
            (PresetError::Unknown { .. } | PresetError::Several { .. }, _) | (_, None) => refusal,
            (_, Some(asked)) => refusal.and(asked),
        }
    })
}

/// Reads a preset by its name. Where presets of several devices have that name, it is the one of `device`, the device
/// that it goes onto.
pub fn load_for_device(
    view: &RequestContext,
    wanted: &str,
    device: impl FnOnce() -> Result<Option<String>, ToolError>,
) -> Result<Preset, ToolError> {
    if let Err(PresetError::Several { .. }) = read(view, wanted, None)
        && let Some(device) = device()?
        && let Ok(preset) = read(view, wanted, Some(&device))
    {
        return Ok(preset);
    }
    load(view, wanted, None)
}

fn read(view: &RequestContext, wanted: &str, device: Option<&str>) -> Result<Preset, PresetError> {
    let folders: Vec<PathBuf> = view.device.library.folders().into_iter().map(|root| root.path).collect();
    view.device.presets.load(wanted, device, &folders)
}

/// A preset that a call makes: the file is written when the call was kept.
#[derive(Clone, Debug)]
pub struct PendingPreset {
    /// The positions of the target, and of the action in its list, whose entry says what came of it.
    pub target: usize,
    pub action: usize,
    pub device: String,
    pub name: String,
    /// The device as the host saved it.
    pub saved: Value,
}

/// Writes the presets of a call, and says in its answer what did not go well.
pub fn write(saves: Vec<PendingPreset>, presets: &Presets, answer: &mut Value) {
    for save in saves {
        let entry = if answer.is_array() { answer.get_mut(save.target) } else { Some(&mut *answer) };
        let action = entry.and_then(|entry| entry.get_mut("actions")?.get_mut(save.action)?.as_object_mut());
        let outcome = presets.save(&save.device, &save.name, save.saved);
        let Some(action) = action else { continue };
        match outcome {
            Ok(SavedPreset { preset, file, replaced }) => {
                action.insert("preset".to_owned(), json!(preset));
                action.insert("file".to_owned(), json!(file.to_string_lossy()));
                if replaced {
                    action.insert("detail".to_owned(), json!("replaced the preset of that name"));
                }
            }
            Err(error) => {
                action.insert("ok".to_owned(), json!(false));
                action.insert("detail".to_owned(), json!(error.to_string()));
            }
        }
    }
}
