//! Clips: their regions, and the notes or the sample they hold.

use super::attributes::{ColorIndex, Signature, StoredMembers, is_false};
use super::ids::{IdParts, Serial};
use super::is_empty;
use super::kept::{Fades, FollowAction, NoteExpression};
use super::ordered::Summary;
use super::warp_markers::WarpMarker;
use crate::music::{Beats, Note};
use crate::object_model::{EnvelopePoint, ObjectId};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

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
    /// Kept, and not followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_action: Option<FollowAction>,
    /// Kept, and not played: how single notes go along controllers of their own, in the order of their ids.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub expression: Arc<Vec<NoteExpression>>,
    pub content: Content,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: StoredMembers,
}

/// What a clip holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    Midi(Arc<Notes>),
    Audio(Arc<AudioContent>),
}

/// What a clip does to one parameter over its length, or the Arrangement over that of the Set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// The parameter's object id.
    pub parameter: u64,
    /// Sorted by time; several may share one time (a step).
    pub points: Vec<EnvelopePoint>,
    /// Of the Arrangement: the parameter was written since, and stays where it was put.
    #[serde(default, skip_serializing_if = "is_false")]
    pub overridden: bool,
}

impl Envelope {
    pub fn new(parameter: u64, points: Vec<EnvelopePoint>) -> Envelope {
        Envelope { parameter, points, overridden: false }
    }
}

/// An audio clip's sample and how it is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AudioContent {
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
    /// Heard in the Arrangement; `None` where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fades: Option<Fades>,
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
    #[serde(deserialize_with = "without_spare_room")]
    pub list: Vec<StoredNote>,
    /// The id the next note gets; ids are unique in a clip and stay with their note through edits.
    pub next_id: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "NoteRecord", into = "NoteRecord")]
pub struct StoredNote {
    pub id: u32,
    pub note: Note,
}

/// A note as it is saved: its id and its fields side by side. Read as one struct, because serde's `flatten` keeps a map
/// of each note before it makes the note.
#[derive(Serialize, Deserialize)]
struct NoteRecord {
    id: u32,
    pitch: u8,
    start: Beats,
    duration: Beats,
    velocity: f64,
    velocity_deviation: f64,
    probability: f64,
    mute: bool,
    release_velocity: f64,
}

impl From<StoredNote> for NoteRecord {
    fn from(StoredNote { id, note }: StoredNote) -> NoteRecord {
        let Note { pitch, start, duration, velocity, velocity_deviation, probability, mute, release_velocity } = note;
        NoteRecord { id, pitch, start, duration, velocity, velocity_deviation, probability, mute, release_velocity }
    }
}

impl From<NoteRecord> for StoredNote {
    fn from(record: NoteRecord) -> StoredNote {
        let NoteRecord {
            id,
            pitch,
            start,
            duration,
            velocity,
            velocity_deviation,
            probability,
            mute,
            release_velocity,
        } = record;
        let note = Note { pitch, start, duration, velocity, velocity_deviation, probability, mute, release_velocity };
        StoredNote { id, note }
    }
}

/// A list that grew while it was read holds up to twice what it needs.
fn without_spare_room<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<StoredNote>, D::Error> {
    let mut list = Vec::deserialize(deserializer)?;
    list.shrink_to_fit();
    Ok(list)
}

/// How many notes some clips hold; an audio clip holds none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoteCount(pub u64);

impl Summary for NoteCount {
    fn plus(&mut self, other: &NoteCount) {
        self.0 += other.0;
    }
}

impl Clip {
    pub fn note_count(&self) -> NoteCount {
        NoteCount(self.notes().map_or(0, |notes| notes.list.len() as u64))
    }

    /// Expression of notes that are gone goes too.
    pub fn forget_lost_expression(&mut self) {
        if self.expression.is_empty() {
            return;
        }
        let Content::Midi(notes) = &self.content else { return };
        let ids: HashSet<u32> = notes.list.iter().map(|stored| stored.id).collect();
        if self.expression.iter().any(|of| !ids.contains(&of.note)) {
            Arc::make_mut(&mut self.expression).retain(|of| ids.contains(&of.note));
        }
    }

    pub fn id(&self) -> ObjectId {
        IdParts::Made(self.serial).id()
    }

    /// Start and end of the region that sounds: the loop when looping, else the markers. Of an unwarped clip it is the
    /// pair of the loop, in seconds: its end marker is left over from when it was warped.
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

    pub fn audio(&self) -> Option<&Arc<AudioContent>> {
        match &self.content {
            Content::Audio(audio) => Some(audio),
            Content::Midi(_) => None,
        }
    }
}
