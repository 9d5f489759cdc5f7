//! The Session and the Arrangement as a whole.

use super::playback_view::{PlaybackView, SelectionView};
use super::{Id, colors, region_beats};
use crate::object_model::faders::{send_db, volume_db};
use crate::object_model::path::Root;
use crate::object_model::{HostFacts, ObjectModel, Value as Model};
use crate::set::SetState;
use crate::set::document::device_tree::Device;
use crate::set::document::ids::{IdParts, Serial};
use crate::set::document::object_index::Location;
use crate::set::document::{Signature, Track, TrackKind};
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;

/// All that is there: see the [module](self). Of a host whose Set is not shown it has none of the Set.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overview<'a> {
    /// Of the Set, as events name it.
    pub revision: u64,
    /// The newest event when the snapshot was taken, or an older one.
    pub last_event_id: String,
    pub host: Value,
    pub palette: Vec<String>,
    pub song: Option<SongView>,
    pub tracks: Vec<TrackView>,
    pub scenes: Vec<SceneView<'a>>,
    /// `[track, scene, clip, name, colour, length, is audio, is looped, is muted, notes]` of the slots with a clip.
    pub slots: Vec<SlotRow<'a>>,
    pub arrangement: ArrangementView<'a>,
    pub selection: SelectionView,
    pub playback: Option<PlaybackView>,
}

pub type SlotRow<'a> = (usize, usize, Id, &'a str, u8, f64, bool, bool, bool, u64);
pub type ArrangementRow<'a> = (Id, usize, f64, f64, &'a str, u8, bool, bool);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SongView {
    pub name: String,
    pub tempo_bpm: f64,
    pub meter: String,
    pub is_playing: bool,
    pub is_led_by_daw: bool,
    pub metronome: bool,
    #[serde(rename = "loop")]
    pub loop_brace: LoopView,
    pub song_time_beats: f64,
    pub start_time_beats: f64,
    pub scale: ScaleView,
    pub launch_quantization: u8,
    pub history_step: u64,
    pub can_undo: bool,
    pub can_redo: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LoopView {
    pub is_on: bool,
    pub start_beat: f64,
    pub length_beats: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScaleView {
    pub is_on: bool,
    pub root_note: u8,
    pub name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrackView {
    pub id: Id,
    pub path: String,
    pub kind: TrackKind,
    pub name: String,
    pub color: String,
    pub group_id: Option<Id>,
    pub is_folded: bool,
    pub is_muted: bool,
    pub is_soloed: Option<bool>,
    pub is_armed: Option<bool>,
    pub volume: f64,
    pub volume_db: Option<f64>,
    pub pan: f64,
    pub sends: Vec<SendView>,
    pub sounds: Option<String>,
    pub is_drums: bool,
    pub devices: Vec<DeviceView>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SendView {
    pub volume: f64,
    pub gain_db: Option<f64>,
}

#[derive(Serialize)]
pub struct DeviceView {
    pub id: Id,
    pub name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SceneView<'a> {
    pub id: Id,
    pub path: String,
    pub name: &'a str,
    pub color: Option<String>,
    pub tempo_bpm: Option<f64>,
    pub meter: Option<String>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArrangementView<'a> {
    pub length_beats: f64,
    pub locators: Vec<LocatorView<'a>>,
    /// `[clip, track, start, end, name, colour, is audio, is muted]`.
    pub clips: Vec<ArrangementRow<'a>>,
}

#[derive(Serialize)]
pub struct LocatorView<'a> {
    pub id: Id,
    pub beat: f64,
    pub name: &'a str,
}

fn id(serial: Serial) -> Id {
    Id(IdParts::Made(serial).id())
}

pub(super) fn meter(signature: Signature) -> String {
    format!("{}/{}", signature.numerator, signature.denominator)
}

impl<'a> Overview<'a> {
    /// Of a host whose Set is not shown: `host` says why.
    pub fn without_set(revision: u64, last_event_id: String, host: Value) -> Overview<'a> {
        Overview {
            revision,
            last_event_id,
            host,
            palette: colors::palette(),
            song: None,
            tracks: Vec::new(),
            scenes: Vec::new(),
            slots: Vec::new(),
            arrangement: ArrangementView::default(),
            selection: SelectionView::default(),
            playback: None,
        }
    }

    /// Of that Set; `is_heard`: somebody makes its sound, so that levels are true.
    pub fn of(set: &'a SetState, is_heard: bool, revision: u64, last_event_id: String, host: Value) -> Overview<'a> {
        let document = &set.document;
        let scenes = document.scenes.iter().enumerate().map(|(at, scene)| SceneView {
            id: id(scene.serial),
            path: format!("s{at}"),
            name: &scene.name,
            color: scene.color.map(colors::hex),
            tempo_bpm: scene.tempo_bpm,
            meter: scene.signature.map(meter),
        });
        Overview {
            song: Some(song(set)),
            tracks: tracks(set),
            scenes: scenes.collect(),
            slots: slots(set),
            arrangement: arrangement(set),
            selection: SelectionView::of(document, &set.runtime.selection),
            playback: Some(PlaybackView::of(set, is_heard)),
            ..Overview::without_set(revision, last_event_id, host)
        }
    }
}

/// A value of the Song that the object model computes.
fn of_song(set: &SetState, member: &str) -> Option<Model> {
    let song = set.root(Root::LiveSet).ok()??;
    set.get(song, member).ok()
}

fn song(set: &SetState) -> SongView {
    let (document, runtime) = (&set.document, &set.runtime);
    let song = &document.song;
    SongView {
        name: song.name.clone(),
        tempo_bpm: song.tempo_bpm,
        meter: meter(song.signature),
        is_playing: runtime.is_playing(),
        is_led_by_daw: runtime.led_by_daw(),
        metronome: of_song(set, "metronome") == Some(Model::Bool(true)),
        loop_brace: LoopView { is_on: song.loop_on, start_beat: song.loop_start, length_beats: song.loop_length },
        song_time_beats: runtime.position(),
        start_time_beats: runtime.start_time,
        scale: ScaleView { is_on: song.scale_mode, root_note: song.root_note, name: song.scale_name.clone() },
        launch_quantization: song.launch_quantization,
        history_step: set.history.now(),
        can_undo: set.history.can_undo(),
        can_redo: set.history.can_redo(),
    }
}

fn tracks(set: &SetState) -> Vec<TrackView> {
    let (mut regular, mut returns) = (0_usize, 0_usize);
    let mut path = |location: &Location| {
        let (letter, count) = match location {
            Location::Return => ("rt", &mut returns),
            Location::Main => return "mt".to_owned(),
            _ => ("t", &mut regular),
        };
        *count += 1;
        format!("{letter}{}", *count - 1)
    };
    let all = set.document.every_track();
    all.map(|(track, location)| track_view(set, track, path(&location))).collect()
}

fn track_view(set: &SetState, track: &Track, path: String) -> TrackView {
    let mixer = &track.mixer;
    let model_id = IdParts::Made(track.serial).id();
    let can_be_armed = matches!(set.get(model_id, "can_be_armed"), Ok(Model::Bool(true)));
    TrackView {
        id: id(track.serial),
        path,
        kind: track.kind,
        name: set.document.track_name(track),
        color: colors::hex(track.color),
        group_id: track.group.map(id),
        is_folded: track.is_folded(),
        is_muted: track.mute,
        is_soloed: (track.kind != TrackKind::Main).then_some(track.solo),
        is_armed: can_be_armed.then_some(track.arm),
        volume: mixer.volume,
        volume_db: volume_db(mixer.volume),
        pan: mixer.panning,
        sends: mixer.sends.iter().map(|raw| SendView { volume: *raw, gain_db: send_db(*raw) }).collect(),
        sounds: set.sounds(model_id).ok().flatten(),
        is_drums: track.plays_default_kit() || track.devices.iter().any(|device| has_drum_rack(device)),
        devices: track
            .devices
            .iter()
            .map(|device| DeviceView { id: id(device.serial), name: device.shown_name() })
            .collect(),
    }
}

fn has_drum_rack(device: &Device) -> bool {
    let inside = || device.rack.iter().flat_map(|rack| &rack.chains).flat_map(|chain| &chain.devices);
    device.is_drum_rack() || inside().any(|device| has_drum_rack(device))
}

fn slots(set: &SetState) -> Vec<SlotRow<'_>> {
    let document = &set.document;
    let scenes: HashMap<Serial, usize> =
        document.scenes.iter().enumerate().map(|(at, scene)| (scene.serial, at)).collect();
    let tempo = document.song.tempo_bpm;
    let mut rows: Vec<SlotRow<'_>> = Vec::new();
    for (at, track) in document.tracks.iter().enumerate() {
        let first = rows.len();
        for entry in track.session.iter() {
            let Some(scene) = scenes.get(&entry.scene) else { continue };
            let clip = &entry.clip;
            let (_, length) = region_beats(clip, tempo);
            rows.push((
                at,
                *scene,
                id(clip.serial),
                clip.name.as_str(),
                clip.color,
                length,
                clip.audio().is_some(),
                clip.looping,
                clip.muted,
                clip.note_count().0,
            ));
        }
        // Clips are kept in the order of their scenes' ids.
        if let Some(of_track) = rows.get_mut(first..) {
            of_track.sort_unstable_by_key(|row| row.1);
        }
    }
    rows
}

fn arrangement(set: &SetState) -> ArrangementView<'_> {
    let document = &set.document;
    let length = match of_song(set, "last_event_time") {
        Some(Model::Float(beats)) => beats,
        _ => 0.0,
    };
    let mut clips = Vec::new();
    for (at, track) in document.tracks.iter().enumerate() {
        clips.extend(track.arrangement.iter().map(|placed| {
            let clip = &placed.clip;
            let is_audio = clip.audio().is_some();
            (id(clip.serial), at, placed.start, placed.end, clip.name.as_str(), clip.color, is_audio, clip.muted)
        }));
    }
    let locators = document.cue_points.iter();
    ArrangementView {
        length_beats: length,
        locators: locators.map(|cue| LocatorView { id: id(cue.serial), beat: cue.time, name: &cue.name }).collect(),
        clips,
    }
}
