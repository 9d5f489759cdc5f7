//! One clip, as a piano roll or a waveform shows it.

use super::overview::{LoopView, meter};
use super::waveform::Waveforms;
use super::{Id, colors};
use crate::object_model::ObjectId;
use crate::object_model::default_sound::drum_name;
use crate::paths::AllowedFolders;
use crate::set::SetState;
use crate::set::document::ids::{IdParts, Serial};
use crate::set::document::object_index::Location;
use crate::set::document::{AudioContent, Notes};
use crate::tools::address::{path_format, path_resolve};
use crate::tools::read::rack_fields;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// See the [module](self).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClipView {
    pub revision: u64,
    pub id: Id,
    pub path: Option<String>,
    pub track_id: Option<Id>,
    pub name: String,
    pub color: String,
    pub is_audio: bool,
    pub is_muted: bool,
    /// Its times are seconds from the first frame, not quarter beats, whatever they are called; but for where it lies
    /// in the Arrangement, which is quarter beats of the song.
    pub is_in_seconds: bool,
    pub meter: String,
    pub length_beats: f64,
    #[serde(rename = "loop")]
    pub loop_brace: LoopView,
    pub markers: MarkersView,
    /// Where it lies in the Arrangement.
    pub arrangement: Option<PlaceView>,
    pub notes: Option<NoteColumns>,
    /// Of a track with a drum rack: names of the pads by their notes.
    pub pad_names: BTreeMap<String, String>,
    pub waveform: Option<WaveformView>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MarkersView {
    pub start_beat: f64,
    pub end_beat: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaceView {
    pub start_beat: f64,
    pub end_beat: f64,
}

/// The notes, sorted by start: one list for each of what they have.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NoteColumns {
    pub pitch: Vec<u8>,
    pub start_beat: Vec<f64>,
    pub length_beats: Vec<f64>,
    pub velocity: Vec<f64>,
    pub probability: Vec<f64>,
    pub is_muted: Vec<bool>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WaveformView {
    pub file: String,
    pub seconds: f64,
    pub channels: u16,
    pub is_warped: bool,
    /// `[beat, second of the file]` where it is warped.
    pub warp_markers: Vec<(f64, f64)>,
    /// `[lowest, highest]` of each part of the whole file.
    pub peaks: Arc<Vec<(f32, f32)>>,
    pub why: Option<String>,
}

impl ClipView {
    /// `None` where there is no clip of that id. Reads the file of an audio clip, so it is work for a worker.
    pub fn of(
        set: &SetState,
        revision: u64,
        id: ObjectId,
        waveforms: &Waveforms,
        folders: &AllowedFolders,
    ) -> Option<ClipView> {
        let Some(IdParts::Made(serial)) = IdParts::from_id(id) else { return None };
        let clip = set.document.clip(serial)?;
        let track = match set.document.location(serial)? {
            Location::SessionClip { track, .. } | Location::PlacedClip { track, .. } => track,
            _ => return None,
        };
        let placed = set.document.placed(serial);
        let (region_start, region_end) = clip.region();
        // Unwarped it has but one pair of bounds: its markers are left over from when it was warped.
        let (start_beat, end_beat) = match clip.is_unwarped() {
            true => (region_start, region_end),
            false => (clip.start_marker, clip.end_marker),
        };
        let markers = MarkersView { start_beat, end_beat };
        Some(ClipView {
            revision,
            id: Id(id),
            path: path_format::tool_path(set, id).ok().flatten(),
            track_id: Some(Id(IdParts::Made(track).id())),
            name: clip.name.clone(),
            color: colors::hex(clip.color),
            is_audio: clip.audio().is_some(),
            is_muted: clip.muted,
            is_in_seconds: clip.is_unwarped(),
            meter: meter(clip.signature),
            length_beats: region_end - region_start,
            loop_brace: LoopView {
                is_on: clip.looping,
                start_beat: clip.loop_start,
                length_beats: clip.loop_end - clip.loop_start,
            },
            markers,
            arrangement: placed.map(|placed| PlaceView { start_beat: placed.start, end_beat: placed.end }),
            notes: clip.notes().map(|notes| columns(notes)),
            pad_names: clip.notes().map(|notes| pad_names(set, track, notes)).unwrap_or_default(),
            waveform: clip.audio().map(|audio| waveform(audio, waveforms, folders)),
        })
    }
}

fn columns(notes: &Notes) -> NoteColumns {
    let mut columns = NoteColumns::default();
    for note in notes.list.iter().map(|stored| &stored.note) {
        columns.pitch.push(note.pitch);
        columns.start_beat.push(note.start);
        columns.length_beats.push(note.duration);
        columns.velocity.push(note.velocity);
        columns.probability.push(note.probability);
        columns.is_muted.push(note.mute);
    }
    columns
}

/// The pads of the track's drum rack, or the drums that its default kit has for these notes.
fn pad_names(set: &SetState, track: Serial, notes: &Notes) -> BTreeMap<String, String> {
    let rack = path_resolve::first_drum_rack(set, IdParts::Made(track).id(), 0).ok().flatten();
    if let Some(rack) = rack {
        let pads = rack_fields::pad_names(set, rack).unwrap_or_default();
        return pads.into_iter().map(|(note, _, name)| (note.to_string(), name)).collect();
    }
    if !set.document.track(track).is_some_and(|track| track.plays_default_kit()) {
        return BTreeMap::new();
    }
    let pitches = notes.list.iter().map(|stored| stored.note.pitch);
    pitches.map(|pitch| (pitch.to_string(), drum_name(pitch).to_owned())).collect()
}

fn waveform(audio: &AudioContent, waveforms: &Waveforms, folders: &AllowedFolders) -> WaveformView {
    let found = waveforms.of(&audio.file_path, audio.sample_length, folders);
    let (peaks, why) = match found {
        Ok(peaks) => (peaks, None),
        Err(why) => (Arc::default(), Some(why)),
    };
    let name = audio.file_path.rsplit(['/', '\\']).next().unwrap_or(&audio.file_path);
    let markers = audio.warp_markers.iter().map(|marker| (marker.beat_time, marker.sample_time_seconds));
    WaveformView {
        file: name.to_owned(),
        seconds: audio.sample_length as f64 / audio.sample_rate_hz.max(1.0),
        channels: audio.channels,
        is_warped: audio.warping,
        warp_markers: if audio.warping { markers.collect() } else { Vec::new() },
        peaks,
        why,
    }
}
