//! The device's settings: one plain value, saved with the project, changed as a whole.

use super::held_look::HeldLook;
use super::hosts::HostChoice;
use crate::library::normalized_path;
use crate::notation::Notation;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

pub const DEFAULT_PORT: u16 = 3350;
/// Default time a tool call may take.
pub const DEFAULT_TIMEOUT_MS: u32 = 30_000;
/// The most a caller may ask for: under the 60 s at which many MCP clients give up.
pub const MAX_TIMEOUT_MS: u32 = 55_000;

/// Longest project context, in characters.
pub const MAX_CONTEXT_CHARS: usize = 10_000;
/// The most folders beside the sample folder.
pub const MAX_FOLDERS: usize = 100;

/// Everything a user can set on the device. What is *disabled* is stored, so that tools added later appear.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    pub port: u16,
    /// 1..=[`MAX_TIMEOUT_MS`].
    pub timeout_ms: u32,
    pub notation: Notation,
    pub small_model_mode: bool,
    /// The raw tool, for every client of the device.
    pub live_api_enabled: bool,
    /// MCP answers as JSON instead of compact text; never affects REST.
    pub json_output: bool,
    pub disabled_tools: BTreeSet<String>,
    /// What the assistant should know about this Set.
    pub project_context: String,
    /// The user's own samples; listing folders is allowed only here and in `allowed_folders`.
    pub sample_folder: String,
    pub allowed_folders: Vec<String>,
    /// Whose Set the tools work on.
    pub host_choice: HostChoice,
    /// In a host: play by a clock of the device's own instead of the host's transport.
    pub own_clock: bool,
    /// Whether the Set is heard as sound. A saved state of before there was any says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sound: Option<bool>,
    /// Whether its notes leave as MIDI.
    pub midi_out: bool,
    /// How the device's window was left.
    #[serde(default, skip_serializing_if = "WindowPlace::is_default")]
    pub window: WindowPlace,
    /// Which of the permissions above are stated by a project and not granted. They are read by their functions in
    /// `permissions.rs`, which know.
    #[serde(skip)]
    pub held: HeldPermissions,
}

/// How large the window is and what it shows. It is no setting: `/config` does not show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WindowPlace {
    /// The name of the open tab.
    pub tab: String,
    /// In points, before [`Self::percent`].
    pub width: u16,
    pub height: u16,
    /// How large everything is, 100 to 200.
    pub percent: u16,
}

impl Default for WindowPlace {
    fn default() -> Self {
        WindowPlace { tab: "Session".to_owned(), width: 1_040, height: 700, percent: 100 }
    }
}

impl WindowPlace {
    fn is_default(&self) -> bool {
        *self == WindowPlace::default()
    }

    /// How large everything is, 1 to 2.
    pub fn scale(&self) -> f32 {
        f32::from(self.percent.clamp(100, 200)) / 100.0
    }
}

/// Which of the permissions in the settings are not in force, and which project states them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldPermissions {
    /// The id of the open Set.
    pub set: String,
    /// The id that its file had: another one where the Set is a copy of one that is open too.
    pub copied_from: String,
    pub(super) sample_folder: bool,
    pub(super) allowed_folders: bool,
    pub(super) live_api: bool,
    /// The last check of the folders on the disk.
    pub(super) look: HeldLook,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            port: DEFAULT_PORT,
            timeout_ms: DEFAULT_TIMEOUT_MS,
            notation: Notation::default(),
            small_model_mode: false,
            live_api_enabled: false,
            json_output: false,
            disabled_tools: BTreeSet::new(),
            project_context: String::new(),
            sample_folder: String::new(),
            allowed_folders: Vec::new(),
            host_choice: HostChoice::default(),
            own_clock: false,
            sound: Some(true),
            midi_out: true,
            window: WindowPlace::default(),
            held: HeldPermissions::default(),
        }
    }
}

impl Settings {
    /// Saved settings; each is checked as a change of it would be.
    pub fn from_json(json: &serde_json::Value) -> Result<Settings, String> {
        let settings: Settings = serde_json::from_value(json.clone()).map_err(|e| format!("the settings: {e}"))?;
        if !(1..=MAX_TIMEOUT_MS).contains(&settings.timeout_ms) {
            return Err(format!("the settings: timeoutMs is outside 1..{MAX_TIMEOUT_MS}"));
        }
        if settings.project_context.chars().count() > MAX_CONTEXT_CHARS {
            return Err(format!("the settings: projectContext is longer than {MAX_CONTEXT_CHARS} characters"));
        }
        Ok(settings)
    }
}

/// A folder as the settings take it: absolute and not the root of a disk, or empty for none. The error follows the
/// setting's name in a sentence. The disk is not asked: settings are changed on threads that must not wait, and a
/// folder whose drive is unplugged is fine.
pub fn check_folder(text: String) -> Result<String, &'static str> {
    if text.is_empty() {
        Ok(text)
    } else if !Path::new(&text).is_absolute() {
        Err("must be an absolute folder path")
    } else if normalized_path(&text).parent().is_none() {
        Err("must be a folder on the disk, not the root of it")
    } else {
        Ok(text)
    }
}

/// The same as an element of a list of folders, where there is no such thing as none.
pub fn check_listed_folder(text: String) -> Result<String, &'static str> {
    if text.is_empty() { Err("must be an absolute folder path, not an empty text") } else { check_folder(text) }
}
