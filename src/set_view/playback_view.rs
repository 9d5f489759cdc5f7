//! What plays, waits and sounds just now.

use super::{Id, region_beats};
use crate::object_model::host_values::Clock;
use crate::set::SetState;
use crate::set::document::Document;
use crate::set::document::ids::{IdParts, Serial};
use crate::set::document::object_index::Location;
use crate::set::runtime::levels::Level;
use crate::set::runtime::runtime_state::{Fired, Playing, Selection};
use serde::Serialize;

/// See the [module](self). Tracks are told by their position among all: regular ones, returns, the main track.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaybackView {
    pub is_playing: bool,
    pub is_led_by_daw: bool,
    /// The playhead, in quarter beats.
    pub beat: f64,
    /// Where the song starts when it is played from its start, in quarter beats.
    pub start_time_beats: f64,
    pub tempo_bpm: f64,
    pub meter: String,
    /// `[track, scene, position, start of the region, its length, clip]`, in quarter beats.
    pub playing: Vec<(usize, usize, f64, f64, f64, Id)>,
    /// `[track, scene]`; -1 where the track stops.
    pub waiting: Vec<(usize, i64)>,
    /// Tracks whose Session side was stopped, so that they do not follow the Arrangement.
    pub stopped: Vec<usize>,
    /// The peaks of each track, 1 at full scale; empty while all are silent.
    pub meters: Vec<(f64, f64)>,
    /// How loud the main output was in the last three seconds.
    pub lufs: Option<f64>,
    pub selection: SelectionView,
}

/// What is selected.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectionView {
    pub track_id: Option<Id>,
    pub scene_id: Option<Id>,
    pub clip_id: Option<Id>,
}

impl SelectionView {
    pub fn of(document: &Document, selection: &Selection) -> SelectionView {
        let id = |serial: Option<Serial>| {
            let there = serial.filter(|serial| document.location(*serial).is_some());
            there.map(|serial| Id(IdParts::Made(serial).id()))
        };
        SelectionView {
            track_id: id(selection.track),
            scene_id: id(selection.scene),
            clip_id: id(selection.detail_clip),
        }
    }
}

impl PlaybackView {
    /// `is_heard`: somebody makes the sound, so that levels are true.
    pub fn of(set: &SetState, is_heard: bool) -> PlaybackView {
        let (document, runtime) = (&set.document, &set.runtime);
        let Clock { led_by_daw, playing: is_playing, tempo_bpm, meter } = runtime.clock(document);
        let mut view = PlaybackView {
            is_playing,
            is_led_by_daw: led_by_daw,
            beat: rounded(runtime.position()),
            start_time_beats: runtime.start_time,
            tempo_bpm,
            meter: format!("{}/{}", meter.0, meter.1),
            playing: Vec::new(),
            waiting: Vec::new(),
            stopped: Vec::new(),
            meters: if is_heard { meters(set) } else { Vec::new() },
            lufs: None,
            selection: SelectionView::of(document, &runtime.selection),
        };
        for launch in runtime.launches.iter() {
            let Some(track) = document.track_position(launch.track) else { continue };
            let play = runtime.track_play(launch.track);
            match play.playing {
                Playing::Clip(serial) => {
                    let Some(Location::SessionClip { scene, .. }) = document.location(serial) else { continue };
                    let (Some(scene), Some(clip)) = (document.scene_position(scene), document.clip(serial)) else {
                        continue;
                    };
                    let (start, length) = region_beats(clip, tempo_bpm);
                    let position = rounded(launch.cell.read().position_beats);
                    view.playing.push((track, scene, position, start, length, Id(clip.id())));
                }
                Playing::Stopped => view.stopped.push(track),
                Playing::Arrangement => {}
            }
            match play.fired {
                Some(Fired::Clip(clip)) => {
                    if let Some(Location::SessionClip { scene, .. }) = document.location(clip)
                        && let Some(scene) = document.scene_position(scene)
                    {
                        view.waiting.push((track, scene as i64));
                    }
                }
                Some(Fired::Stop) => view.waiting.push((track, -1)),
                None => {}
            }
        }
        view
    }

    /// Whether a track does not follow the Arrangement: a launched clip has it, or it was stopped.
    pub fn is_taken_over(&self, track: usize) -> bool {
        self.playing.iter().any(|(playing, ..)| *playing == track) || self.stopped.contains(&track)
    }

    /// Whether it will be otherwise in a moment without anybody doing anything.
    pub fn moves(&self) -> bool {
        self.is_playing || !self.waiting.is_empty() || !self.meters.is_empty()
    }
}

fn meters(set: &SetState) -> Vec<(f64, f64)> {
    let level = |Level { left, right }| (rounded(f64::from(left)), rounded(f64::from(right)));
    let all = set.document.every_track();
    let levels: Vec<(f64, f64)> = all.map(|(track, _)| level(set.runtime.levels.of(track.serial))).collect();
    if levels.iter().all(|level| *level == (0.0, 0.0)) { Vec::new() } else { levels }
}

/// Finer than anybody sees, and short to write.
fn rounded(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}
