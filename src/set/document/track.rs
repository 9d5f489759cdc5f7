//! Tracks, with their mixers and take lanes.

use super::attributes::{ColorIndex, StoredMembers, is_false};
use super::clip::Envelope;
use super::device_tree::Device;
use super::ids::Serial;
use super::session_clips::SessionClips;
use super::timeline_lane::Lane;
use crate::object_model::default_sound::DefaultSound;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The stored member of a frozen track.
const IS_FROZEN: &str = "is_frozen";
/// The stored member of a track that the Live Set has frozen. It plays and changes as any other: nothing here freezes
/// and nothing could unfreeze it.
pub const FROZEN_IN_FILE: &str = "frozen_in_file";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrackKind {
    Midi,
    Audio,
    Group,
    Return,
    Main,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Track {
    pub serial: Serial,
    pub kind: TrackKind,
    /// As given by the user; `None` shows Live's numbered default, which follows the track's position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub color: ColorIndex,
    /// The group track this one is directly in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Serial>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub mute: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub solo: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub arm: bool,
    pub mixer: Mixer,
    /// The MIDI channel (0..=15) this track's notes leave on: the lowest free one when the track was made. `None` on
    /// tracks that send no MIDI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub midi_channel: Option<u8>,
    /// What a MIDI track sounds as without an instrument, chosen when it got its first notes or its name; see
    /// [`Track::default_sound`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen_sound: Option<DefaultSound>,
    /// Session clips by their scene's serial. A slot without a clip has no entry.
    #[serde(default, skip_serializing_if = "SessionClips::is_empty")]
    pub session: SessionClips,
    /// Scenes (by serial, sorted) whose slot on this track has its stop button removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_stop_button: Vec<Serial>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<Arc<Device>>,
    /// Arrangement clips; none on group, return and main tracks.
    #[serde(default, skip_serializing_if = "Lane::is_empty")]
    pub arrangement: Lane,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub take_lanes: Vec<Arc<TakeLane>>,
    /// How much later its output is heard than that of other tracks; see [`Track::played_delay`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<TrackDelay>,
    /// What the Arrangement moves on this track, at most one envelope a parameter; times are the Set's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub automation: Vec<Arc<Envelope>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: StoredMembers,
}

impl Track {
    /// Freezing is no function of Live's object model.
    pub fn is_frozen(&self) -> bool {
        self.has_flag(IS_FROZEN)
    }

    pub fn is_frozen_in_file(&self) -> bool {
        self.has_flag(FROZEN_IN_FILE)
    }

    fn has_flag(&self, member: &str) -> bool {
        self.stored.get(member).and_then(serde_json::Value::as_bool) == Some(true)
    }
}

/// Below 0 it plays earlier.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrackDelay {
    Milliseconds(f64),
    Samples(i64),
}

impl TrackDelay {
    /// A document may have as much: milliseconds and samples.
    pub const MOST_MILLISECONDS: f64 = 10_000.0;
    pub const MOST_SAMPLES: i64 = 2_000_000;
    /// As far as Live's control goes, which is what is played; a second of the highest rate in samples.
    pub const MOST_PLAYED_MILLISECONDS: f64 = 1_000.0;
    pub const MOST_PLAYED_SAMPLES: i64 = 192_000;

    /// Whether its value is possible: a document may bring any.
    pub fn is_sound(self) -> bool {
        match self {
            TrackDelay::Milliseconds(by) => by.abs() <= Self::MOST_MILLISECONDS && by != 0.0,
            TrackDelay::Samples(by) => by.unsigned_abs() <= Self::MOST_SAMPLES.unsigned_abs() && by != 0,
        }
    }
}

impl TrackDelay {
    /// Whether it is short enough to be played.
    pub fn is_played(self) -> bool {
        match self {
            TrackDelay::Milliseconds(by) => by.abs() <= Self::MOST_PLAYED_MILLISECONDS,
            TrackDelay::Samples(by) => by.unsigned_abs() <= Self::MOST_PLAYED_SAMPLES.unsigned_abs(),
        }
    }

    /// At so many frames a second, to the nearest frame.
    pub fn frames(self, rate: f64) -> i64 {
        match self {
            TrackDelay::Milliseconds(by) => (by * rate / 1_000.0).round() as i64,
            TrackDelay::Samples(by) => by,
        }
    }
}

/// `5 ms`, `-120 samples`.
impl fmt::Display for TrackDelay {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrackDelay::Milliseconds(by) => write!(out, "{by} ms"),
            TrackDelay::Samples(by) => write!(out, "{by} samples"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TakeLane {
    pub serial: Serial,
    pub name: String,
    #[serde(default, skip_serializing_if = "Lane::is_empty")]
    pub clips: Lane,
}

/// A track's strip; volumes are raw 0..=1 (0.85 = 0 dB), pans -1..=1, sends raw 0..=1, one per return track in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mixer {
    pub volume: f64,
    pub panning: f64,
    pub split_stereo: bool,
    pub left_split: f64,
    pub right_split: f64,
    /// 0 = A, 1 = none, 2 = B.
    pub crossfade_assign: u8,
    pub sends: Vec<f64>,
    /// Main track only.
    pub cue_volume: f64,
    /// Main track only.
    pub crossfader: f64,
}
