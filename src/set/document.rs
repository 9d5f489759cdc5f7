//! The Set as one immutable value.
//!
//! A [`Document`] is a handful of shared pointers: cloning it is a snapshot, and an edit builds the next one and
//! shares whatever it did not touch. Equality is by value, so "the Set is exactly as before" can be asserted.
//!
//! What is *not* here: transport, launch state, selection (see [`crate::set::session`]); those are no part of a project's
//! undo history.

use super::clips::Clips;
use super::device::Device;
use super::ids::{Parts, Serial};
use super::index::Index;
use super::lane::Lane;
use super::sequence::Sequence;
use crate::music::{Beats, Meter, Note};
use crate::object_model::{EnvelopePoint, ObjectId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Values of members that have no behaviour of their own, by the member's name; absent means the table's default.
pub type Stored = BTreeMap<String, serde_json::Value>;

/// A colour of Live's palette of 70, by its position.
pub type ColorIndex = u8;

/// The whole Set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    pub song: Arc<Song>,
    /// MIDI, audio and group tracks in order; a group's members follow it.
    pub tracks: Sequence<Track>,
    pub returns: Sequence<Track>,
    pub main: Arc<Track>,
    /// Never empty.
    pub scenes: Sequence<Scene>,
    /// Locators, sorted by time; no two at the same time.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub cue_points: Arc<Vec<CuePoint>>,
    /// The groove pool.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub grooves: Arc<Vec<Groove>>,
    /// The serial that the next new object gets. Never goes back, also not by undo.
    pub next_serial: Serial,
    /// Where each object is; made again on load.
    #[serde(skip)]
    pub index: Index,
}

/// Settings of the Set that belong to no single object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Song {
    /// 20..=999.
    pub tempo_bpm: f64,
    pub signature: Signature,
    /// 0..=13, [`classes.json`](crate::object_model) `quantization`; 4 is one bar.
    pub launch_quantization: u8,
    /// 0 = C .. 11 = B.
    pub root_note: u8,
    pub scale_name: String,
    pub scale_mode: bool,
    pub loop_on: bool,
    pub loop_start: Beats,
    pub loop_length: Beats,
    pub name: String,
    /// What connected controllers call themselves. None on this host; a document of a host that has them lists them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub control_surfaces: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: Stored,
}

/// A locator on the Arrangement's timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CuePoint {
    pub serial: Serial,
    pub name: String,
    pub time: Beats,
}

/// A groove of the pool. Amounts are percent as Live stores them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Groove {
    pub serial: Serial,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: Stored,
}

/// A time signature as Live stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    pub numerator: u8,
    pub denominator: u8,
}

impl From<Meter> for Signature {
    fn from(meter: Meter) -> Self {
        Signature { numerator: meter.numerator(), denominator: meter.denominator() }
    }
}

impl From<Signature> for Meter {
    fn from(signature: Signature) -> Self {
        Meter::new(signature.numerator.into(), signature.denominator.into()).unwrap_or_default()
    }
}

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
    /// Session clips by their scene's serial. A slot without a clip has no entry.
    #[serde(default, skip_serializing_if = "Clips::is_empty")]
    pub session: Clips,
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
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: Stored,
}

/// A clip on the timeline, in quarter beats of the Arrangement. `start < end`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlacedClip {
    pub start: Beats,
    /// The right edge: the clip's content is cut there, or repeats up to it while it loops.
    pub end: Beats,
    pub clip: Arc<Clip>,
}

/// Clips look alike when they are the same in memory; only others are compared by value.
impl PartialEq for PlacedClip {
    fn eq(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.clip, &other.clip) || self.clip == other.clip;
        self.start == other.start && self.end == other.end && same
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TakeLane {
    pub serial: Serial,
    pub name: String,
    #[serde(default, skip_serializing_if = "Lane::is_empty")]
    pub clips: Lane,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SessionClip {
    /// The scene this clip's slot is in. Keyed by scene, not by index: inserting a scene touches no track.
    pub scene: Serial,
    pub clip: Arc<Clip>,
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

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    pub serial: Serial,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<ColorIndex>,
    /// `None` while the scene has no tempo of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tempo_bpm: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Signature>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: Stored,
}

/// A clip. Times are quarter beats from the clip's own beat 0.
///
/// Two regions exist side by side: the markers bound what plays while looping is off, the loop brace what repeats
/// while it is on. Toggling `looping` copies nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clip {
    pub serial: Serial,
    pub name: String,
    pub color: ColorIndex,
    pub signature: Signature,
    pub looping: bool,
    pub loop_start: Beats,
    pub loop_end: Beats,
    pub start_marker: Beats,
    pub end_marker: Beats,
    #[serde(default, skip_serializing_if = "is_false")]
    pub muted: bool,
    /// 0 trigger, 1 gate, 2 toggle, 3 repeat.
    #[serde(default)]
    pub launch_mode: u8,
    /// 0..=14, `clip_launch_quantization`; 0 follows the Song.
    #[serde(default)]
    pub launch_quantization: u8,
    #[serde(default, skip_serializing_if = "is_false")]
    pub legato: bool,
    /// A groove of the pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groove: Option<Serial>,
    /// Automation drawn in the clip, at most one envelope a parameter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub envelopes: Vec<Arc<Envelope>>,
    pub content: Content,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: Stored,
}

/// What a clip holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    Midi(Arc<Notes>),
    Audio(Arc<Audio>),
}

/// What a clip does to one parameter over its length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// The parameter's object id.
    pub parameter: u64,
    /// Sorted by time; several may share one time (a step).
    pub points: Vec<EnvelopePoint>,
}

/// An audio clip's sample and how it is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Audio {
    pub file_path: String,
    /// Frames in the file.
    pub sample_length: u64,
    pub sample_rate_hz: f64,
    pub channels: u16,
    /// Raw 0..=1; 0.4 is 0 dB.
    pub gain: f64,
    /// -48..=48 semitones.
    pub pitch_coarse: i8,
    /// -50..=49 cents.
    pub pitch_fine: f64,
    /// Off: the clip's times are seconds from the first frame; on: quarter beats.
    pub warping: bool,
    /// A number of Live's `warp_mode`.
    pub warp_mode: u8,
    #[serde(default, skip_serializing_if = "is_false")]
    pub ram_mode: bool,
    /// Sorted by both. At least two: the last is a helper that fixes the tempo after the one before it.
    pub warp_markers: Vec<WarpMarker>,
}

/// Where a moment of the sample sits in the clip.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WarpMarker {
    pub beat_time: Beats,
    pub sample_time_seconds: f64,
}

/// Notes that are the same in memory are not looked at.
impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Content::Midi(a), Content::Midi(b)) => Arc::ptr_eq(a, b) || a == b,
            (Content::Audio(a), Content::Audio(b)) => Arc::ptr_eq(a, b) || a == b,
            (Content::Midi(_) | Content::Audio(_), _) => false,
        }
    }
}

/// The notes of a MIDI clip, sorted by start, then pitch, then id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    pub list: Vec<StoredNote>,
    /// The id the next note gets; ids are unique in a clip and stay with their note through edits.
    pub next_id: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredNote {
    pub id: u32,
    #[serde(flatten)]
    pub note: Note,
}

impl Clip {
    pub fn id(&self) -> ObjectId {
        Parts::Made(self.serial).id()
    }

    /// Start and end of the region that sounds: the loop when looping, else the markers. Of an unwarped clip it is the pair
    /// of the loop, in seconds: its end marker is left over from when it was warped.
    pub fn region(&self) -> (Beats, Beats) {
        let of_loop = self.looping || self.is_unwarped();
        if of_loop { (self.loop_start, self.loop_end) } else { (self.start_marker, self.end_marker) }
    }

    /// An audio clip whose times are seconds.
    pub fn is_unwarped(&self) -> bool {
        self.audio().is_some_and(|audio| !audio.warping)
    }

    pub fn notes(&self) -> Option<&Arc<Notes>> {
        match &self.content {
            Content::Midi(notes) => Some(notes),
            Content::Audio(_) => None,
        }
    }

    pub fn audio(&self) -> Option<&Arc<Audio>> {
        match &self.content {
            Content::Audio(audio) => Some(audio),
            Content::Midi(_) => None,
        }
    }
}

fn is_empty<T>(list: &Arc<Vec<T>>) -> bool {
    list.is_empty()
}

fn is_false(value: &bool) -> bool {
    !value
}
