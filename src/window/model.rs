//! What the window shows, as plain values, and what the user can ask for in it.

use crate::device::file_desk::{FileTask, FileTaskView};
use crate::notation::Notation;
use crate::service::Settings;
use crate::service::hosts::HostChoice;

/// Everything on screen.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowModel {
    pub server: ServerLine,
    /// Since the device started.
    pub calls_answered: u64,
    pub instance: String,
    /// In a DAW, whose transport leads and whose project saves.
    pub in_plugin_host: bool,
    pub tempo_bpm: f64,
    /// The peaks of the main track, 1 at full scale; `None` where the Set is not to be heard.
    pub level: Option<(f32, f32)>,
    pub tracks: usize,
    pub scenes: usize,
    pub clips: usize,
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
    pub settings: Settings,
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
    CopyAddress(String),
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
    /// The setup tab was opened: see how the script for Live stands.
    LookAtLiveScript,
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
