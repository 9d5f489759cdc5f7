//! The user's device presets, as calls name and make them. Both wait for a disk: one is loaded while a call is
//! prepared, and saved when the call was kept.

use crate::object_model::Capability;
use crate::object_model::host_edits::BrowserItem;
use crate::paths::AllowedFolders;
use crate::tools::arguments::nearest;
use crate::tools::error::ToolError;
use crate::tools::request::{FileWork, RequestContext, Unwatched};
use crate::user_store::{Preset, PresetError, Presets, SavedPreset};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a file, compressed, from which on reading it is the work of a job: some 8 MB of XML.
const LONG_BYTES: u64 = 128 << 10;

/// What a call that names a preset is about.
#[derive(Clone, Debug)]
pub enum FoundPreset {
    Saved(Arc<Preset>),
    /// For the host to look up.
    InBrowser(BrowserItem),
}

/// Whether presets, and devices that are not native, are those of the host's own browser.
pub fn host_has_browser(view: &RequestContext) -> bool {
    (view.at_rest.0)().capability(Capability::LiveEngine).is_ok()
}

/// A preset as the browser knows it: by its name, also where a file is named.
pub fn in_browser(wanted: &str, device: Option<&str>) -> FoundPreset {
    let wanted = wanted.trim();
    let file = Path::new(wanted).file_name().filter(|_| Path::new(wanted).is_absolute());
    let name = file.map_or_else(|| wanted.to_owned(), |file| file.to_string_lossy().into_owned());
    FoundPreset::InBrowser(BrowserItem { name, under: device.map(str::to_owned) })
}

/// Reads a preset, for the device that it has to be for.
pub fn load(view: &RequestContext, wanted: &str, device: Option<&str>) -> Result<Preset, ToolError> {
    load_watched(view, wanted, device, &Unwatched)
}

/// The same, followed by who asked for it.
pub fn load_watched(
    view: &RequestContext,
    wanted: &str,
    device: Option<&str>,
    work: &dyn FileWork,
) -> Result<Preset, ToolError> {
    read(view, wanted, device, work).map_err(|error| {
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
    if let Err(PresetError::Several { .. }) = read(view, wanted, None, &Unwatched)
        && let Some(device) = device()?
        && let Ok(preset) = read(view, wanted, Some(&device), &Unwatched)
    {
        return Ok(preset);
    }
    load(view, wanted, None)
}

/// Whether it is a file of Ableton Live's that takes long to read.
pub fn is_long(view: &RequestContext, wanted: &str) -> bool {
    let file = file_of_live(wanted).and_then(|file| view.device.presets.allowed_file(file, &folders(view)).ok());
    file.and_then(|file| file.metadata().ok()).is_some_and(|about| about.len() >= LONG_BYTES)
}

fn folders(view: &RequestContext) -> Vec<PathBuf> {
    view.device.project.folders().into_iter().map(PathBuf::from).collect()
}

fn read(view: &RequestContext, wanted: &str, device: Option<&str>, work: &dyn FileWork) -> Result<Preset, PresetError> {
    let folders = folders(view);
    match file_of_live(wanted) {
        Some(file) => read_of_live(view, file, &folders, work)?.checked(device),
        None => view.device.presets.load(wanted, device, &folders),
    }
}

/// The file of a preset that Ableton Live saved.
fn file_of_live(wanted: &str) -> Option<&Path> {
    let file = Path::new(wanted.trim());
    let ending = file.extension()?;
    let is_named = ["adv", "adg"].iter().any(|known| ending.eq_ignore_ascii_case(known));
    (is_named && file.is_absolute()).then_some(file)
}

fn read_of_live(
    view: &RequestContext,
    file: &Path,
    folders: &[PathBuf],
    work: &dyn FileWork,
) -> Result<Preset, PresetError> {
    let real = view.device.presets.allowed_file(file, folders)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let read = view.device.set_files.read_device(&real, &AllowedFolders::new(folders.iter().cloned()), work);
    let read = read.map_err(|why| PresetError::Unreadable(name.clone(), format!("cannot be read: {why}")))?;
    Ok(Preset::from_elsewhere(read.device, name, read.saved, read.remark))
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
