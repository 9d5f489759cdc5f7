//! What the window shows, as plain values, and what the user can ask for in it.

use crate::device::file_desk::{FileTask, FileTaskView};
use crate::notation::Notation;
use crate::service::Settings;
use crate::service::hosts::HostChoice;
use crate::sound::output_status::SoundStatus;
use crate::window::acts::ToolCall;
use crate::window::shown::Shown;
use crate::window::tab::Tab;
use std::sync::Arc;

/// Everything on screen.
#[derive(Clone)]
pub struct WindowModel {
    /// The Set, the calls, what plays.
    pub shown: Arc<Shown>,
    pub server: ServerLine,
    /// Calls have to show a token.
    pub needs_token: bool,
    pub instance: String,
    /// In a DAW, whose transport leads and whose project saves.
    pub in_plugin_host: bool,
    /// How far the index of the user's samples is, if there is a folder of them.
    pub samples: Option<String>,
    /// A folder of them cannot be listed; [`WindowModel::samples`] says which.
    pub samples_closed: bool,
    /// Why what was changed last is not on the disk.
    pub save_failure: Option<String>,
    /// Why the saved Set could not be read.
    pub unreadable: Option<String>,
    /// Changes that the journal holds and the project does not.
    pub newer_changes: Option<u64>,
    /// What the project asks for and the user has not granted.
    pub permission_request: Option<String>,
    /// The script for Ableton Live.
    pub live: LiveCard,
    /// Opening and saving Sets.
    pub file: FileTaskView,
    pub host: HostLine,
    /// How the Set is heard.
    pub sound: SoundStatus,
    pub settings: Arc<Settings>,
}

/// Whose Set the tools work on now, and how it stands with the link to Live.
#[derive(Clone, Debug, PartialEq)]
pub struct HostLine {
    /// One or two sentences.
    pub text: String,
    /// It is Live's.
    pub is_live: bool,
    /// Calls fail, or something could be chosen.
    pub needs_attention: bool,
}

/// The line about the server.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerLine {
    Off,
    Listening { address: String },
    Waiting { why: String },
}

/// The card about the script for Ableton Live.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveCard {
    pub state: String,
    pub mood: Mood,
    /// What the button does that mends it, if one does.
    pub install: Option<&'static str>,
    pub can_remove: bool,
    /// Where it is about; empty where that is not known.
    pub library: String,
    /// What was just done or refused, and what comes next.
    pub told: String,
    /// The text is of something that went wrong.
    pub is_refusal: bool,
}

/// The colour of the card's dot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mood {
    Good,
    #[default]
    Quiet,
    Attention,
}

/// Something the user asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Of the same tools that scripts call.
    Call(ToolCall),
    /// That tab was opened.
    Open(Tab),
    ReadMemory(String),
    DismissMessage,
    /// The size of everything, 1 to 2.
    Scale(f32),
    Copy(String),
    /// The device's page, at this address.
    OpenPage(String),
    Port(u16),
    TimeoutMs(u32),
    /// Empty for none.
    SampleFolder(String),
    Notation(Notation),
    HostChoice(HostChoice),
    SmallModelMode(bool),
    LiveApi(bool),
    OwnClock(bool),
    Sound(bool),
    MidiOut(bool),
    JsonOutput(bool),
    AllowedFolders(Vec<String>),
    /// Whether clients see that tool.
    ShowTool(&'static str, bool),
    InstallLiveScript,
    RemoveLiveScript,
    /// Where Live's User Library is; empty to have it found.
    LiveLibrary(String),
    /// Grant what the project asks for, or drop it.
    Permit(bool),
    /// Let the user choose a file, and do that with it.
    File(FileTask),
    StartFresh,
    /// Take the journal's changes, or turn them down.
    Recover(bool),
}
