//! The overview of a Set, as `svc-connect` and `svc-read-live-set` give it.

use crate::music::position;
use crate::object_model::Session;
use crate::object_model::scope::{Part, Shape};
use crate::tools::address::model_read::{self, count, meter, number, rounded, text};
use crate::tools::address::path_resolve;
use crate::tools::error::ToolError;
use crate::tools::read::gathered::Gathered;
use crate::tools::read::routing_list::SharedEntries;
use crate::tools::read::scene_fields::{self, SceneInclude};
use crate::tools::read::track_fields::{self, TrackInclude};
use std::sync::Arc;

/// What to add to the overview.
#[derive(Clone, Copy, Debug, Default)]
pub struct SetInclude {
    pub tracks: bool,
    pub scenes: bool,
    pub locators: bool,
    pub track: TrackInclude,
}

/// What the overview reads.
pub fn part(include: SetInclude) -> Part {
    let of_scenes = SceneInclude { color: include.track.color, ..SceneInclude::default() };
    let tracks = Arc::new(track_fields::shape(include.track));
    let mut song = Shape::of(&["name", "tempo", "signature_numerator", "signature_denominator", "scale_mode"])
        .with(&["root_note", "scale_name"])
        .counting(&["scenes", "tracks", "return_tracks"])
        .below_if(include.scenes, "scenes", || scene_fields::shape(of_scenes))
        .below_if(include.locators, "cue_points", || Shape::of(&["name", "time"]));
    if include.tracks {
        song = ["tracks", "return_tracks", "master_track"]
            .into_iter()
            .fold(song, |song, list| song.below(list, tracks.clone()));
    }
    Part::of_path("live_set", song)
}

pub fn gather(session: &dyn Session, include: SetInclude) -> Result<Gathered, ToolError> {
    let song = model_read::song(session)?;
    let mut out = Gathered::default();
    let name = text(session, song, "name")?;
    if !name.is_empty() {
        out.set("name", name);
    }
    out.set("tempo", rounded(number(session, song, "tempo")?));
    out.set("timeSignature", meter(session, song)?.to_string());
    if include.scenes {
        let list = model_read::children(session, song, "scenes")?.into_iter();
        let of_scenes = SceneInclude { color: include.track.color, ..SceneInclude::default() };
        let list = list.map(|scene| scene_fields::gather(session, scene, of_scenes)).collect::<Result<_, _>>()?;
        out.lists.push(("scenes", list));
    } else {
        out.set("sceneCount", count(session, song, "scenes")?);
    }
    if include.tracks {
        let shared = SharedEntries::default();
        for (list, field) in [("tracks", "tracks"), ("return_tracks", "returnTracks")] {
            let tracks = model_read::children(session, song, list)?.into_iter();
            let tracks = tracks.map(|track| track_fields::gather(session, track, include.track, &shared));
            out.lists.push((field, tracks.collect::<Result<_, _>>()?));
        }
        if let Some(main) = model_read::child(session, song, "master_track")? {
            out.set("mainTrack", track_fields::gather(session, main, include.track, &shared)?);
        }
    } else {
        out.set("regularTrackCount", count(session, song, "tracks")?);
        out.set("returnTrackCount", count(session, song, "return_tracks")?);
    }
    if let Some(scale) = model_read::scale(session)? {
        out.set("scale", scale.to_string());
        out.set("scalePitches", scale.pitch_names().join(","));
    }
    out.set_if(session.clock()?.playing, "isPlaying");
    if let Some(kept) = session.kept_words(song)? {
        out.add_detail(&kept);
    }
    if include.locators {
        let meter = meter(session, song)?;
        let mut list = Vec::new();
        for locator in path_resolve::locators(session)? {
            let mut entry = Gathered::default();
            entry.set("id", locator.to_string());
            entry.set("name", text(session, locator, "name")?);
            let at = position::format(number(session, locator, "time")?, meter);
            entry.set("time", at.clone());
            entry.set("position", at);
            list.push(entry);
        }
        out.lists.push(("locators", list));
    }
    Ok(out)
}
