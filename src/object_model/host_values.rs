//! What hosts tell and take beside the values of members.

use super::ObjectId;
use super::error::ModelError;
use crate::music::Beats;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::sync::Arc;

/// What a host may be unable to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// Converting audio by [`convert_audio`](super::HostEdits::convert_audio), and
    /// [`insert_from_browser`](super::HostEdits::insert_from_browser): a running Live's engine.
    LiveEngine,
    /// Carrying a call out as if, and keeping nothing of it.
    DryRun,
    /// Telling of the steps of undo: [`history`](super::HostFacts::history).
    History,
    /// Bringing one object back alone: [`restore`](super::HostEdits::restore).
    Restore,
    /// Moving the end of a looped Arrangement clip outwards: [`set_clip_end`](super::HostEdits::set_clip_end).
    LoopedClipGrowth,
    /// Making a rack with chains and moving devices into it.
    NewRacks,
    /// Keeping a device outside the Set: [`save_device`](super::HostFacts::save_device).
    SavedDevices,
    /// Loading another sample into a Simpler.
    Samples,
    /// Setting the warp markers of an audio clip.
    WarpMarkers,
    /// Making the Set's sound away from the Set, faster than it lasts.
    Rendering,
}

/// The clock that playback follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// A DAW leads; else the Set's own clock does.
    pub led_by_daw: bool,
    pub playing: bool,
    pub tempo_bpm: f64,
    pub meter: (u32, u32),
}

/// How a parameter shows its values.
#[derive(Clone, Debug, PartialEq)]
pub enum Readout {
    /// One label for each whole number of the raw range, from its lowest up.
    Steps(Vec<String>),
    /// `display_value` is the number shown.
    Number {
        /// As labels have it: `Hz`, `ms`, `dB`, `%`, `st`, `pan` (-50..=50), `note` (a MIDI pitch), ...
        unit: Option<&'static str>,
        /// The numbers at the raw ends; none where a word stands, such as `-inf dB`.
        at_min: Option<f64>,
        at_max: Option<f64>,
    },
}

/// A point of a clip's envelope.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnvelopePoint {
    /// Quarter beats from the clip's beat 0.
    pub time: Beats,
    /// As the parameter counts, usually 0..=1.
    pub value: f64,
    /// How the way to the next point bends, -1..=1; 0 is straight.
    #[serde(default, skip_serializing_if = "is_straight")]
    pub curve: f64,
}

fn is_straight(curve: &f64) -> bool {
    *curve == 0.0
}

/// A parameter that a macro moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MacroTarget {
    /// 0..=15.
    pub macro_index: usize,
    pub parameter: ObjectId,
    /// Its raw values where the macro stands at its lower and its upper end.
    pub at_0: f64,
    pub at_127: f64,
}

/// Where a track's notes leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MidiOutput {
    /// 1..=16.
    pub channel: u8,
    /// As whoever plays the Set calls it.
    pub port: String,
}

/// What became of the late writes to one target of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct LandedTarget {
    /// See [`begin_target`](super::ObjectModel::begin_target).
    pub target: usize,
    /// How many landed.
    pub landed: usize,
    /// Why others did not.
    pub failed: Vec<ModelError>,
}

/// A Set at one moment, as its host knows it.
#[derive(Clone)]
pub struct SetVersion(pub Arc<dyn Any + Send + Sync>);
