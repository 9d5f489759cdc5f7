//! The Set as one immutable value.
//!
//! A [`Document`] is a handful of shared pointers: cloning it is a snapshot, and an edit builds the next one and
//! shares whatever it did not touch. Equality is by value, so "the Set is exactly as before" can be asserted.
//!
//! What is *not* here: transport, launch state, selection (see [`crate::set::runtime`]); those are no part of a
//! project's undo history.

pub mod attributes;
pub mod chosen_sound;
pub mod clip;
pub mod clip_place;
pub mod default_names;
pub mod device_tree;
pub mod empty_pads;
pub mod heard;
pub mod ids;
pub mod kept;
pub mod note_list;
pub mod object_index;
pub mod ordered;
pub mod sequence;
pub mod session_clips;
pub mod silent_pads;
pub mod simpler_sample;
pub mod song;
pub mod sound_zones;
pub mod timeline_lane;
pub mod track;
pub mod track_counts;
pub mod track_delays;
pub mod warp_markers;

pub use attributes::{ColorIndex, Signature, StoredMembers};
pub use clip::{AudioContent, Clip, Content, Envelope, Notes, StoredNote};
pub use clip_place::ClipPlace;
pub use heard::BySolo;
pub use kept::{ExpressionPoint, Fade, Fades, FollowAction, FollowChoice, MeterChange, NoteExpression, TempoPoint};
pub use session_clips::SessionClip;
pub use song::{CuePoint, Groove, Scene, Song};
pub use timeline_lane::PlacedClip;
pub use track::{FROZEN_IN_FILE, Mixer, TakeLane, Track, TrackDelay, TrackKind};
pub use track_delays::{DelaysOnTheWay, TrackDelays};
pub use warp_markers::WarpMarker;

use ids::Serial;
use object_index::{Index, Location};
use sequence::Sequence;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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

impl Document {
    /// Regular tracks, then returns, then main, each with its kind of location.
    pub fn every_track(&self) -> impl Iterator<Item = (&Arc<Track>, Location)> {
        let tracks = self.tracks.iter().map(|t| (t, Location::Track));
        let returns = self.returns.iter().map(|t| (t, Location::Return));
        tracks.chain(returns).chain(std::iter::once((&self.main, Location::Main)))
    }

    /// The notes of all clips.
    pub fn note_count(&self) -> u64 {
        self.tracks.sum().notes.0
    }

    /// Makes the index from nothing; edits keep it up to date from then on.
    pub fn rebuild_index(&mut self) {
        self.index = self.index_from_contents();
    }

    /// The index that the document's contents have.
    pub fn index_from_contents(&self) -> Index {
        let mut index = Index::new();
        for scene in self.scenes.iter() {
            index.insert(scene.serial, Location::Scene);
        }
        for cue in self.cue_points.iter() {
            index.insert(cue.serial, Location::CuePoint);
        }
        for groove in self.grooves.iter() {
            index.insert(groove.serial, Location::Groove);
        }
        for (track, location) in self.every_track() {
            index.insert(track.serial, location);
            object_index::add_contents(&mut index, track);
        }
        index
    }
}

pub(super) fn is_empty<T>(list: &Arc<Vec<T>>) -> bool {
    list.is_empty()
}
