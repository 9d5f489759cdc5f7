//! The overview of a Set, as `svc-connect` and `svc-read-live-set` give it.

use super::gathered::Gathered;
use super::objects::{self, count, flag, int, meter, number, rounded, text};
use super::read_track::{self, TrackInclude};
use crate::object_model::{ObjectId, Session};
use crate::tools::ToolError;

/// What to add to the overview.
#[derive(Clone, Copy, Debug, Default)]
pub struct SetInclude {
    pub tracks: bool,
    pub scenes: bool,
    pub track: TrackInclude,
}

pub fn gather(session: &dyn Session, include: SetInclude) -> Result<Gathered, ToolError> {
    let song = objects::song(session)?;
    let mut out = Gathered::default();
    let name = text(session, song, "name")?;
    if !name.is_empty() {
        out.set("name", name);
    }
    out.set("tempo", rounded(number(session, song, "tempo")?));
    out.set("timeSignature", meter(session, song)?.to_string());
    if include.scenes {
        let list = (0..count(session, song, "scenes")).filter_map(|at| session.child_at(song, "scenes", at));
        let list = list.map(|scene| gather_scene(session, scene, include.track.color)).collect::<Result<_, _>>()?;
        out.lists.push(("scenes", list));
    } else {
        out.set("sceneCount", count(session, song, "scenes"));
    }
    if include.tracks {
        for (list, field) in [("tracks", "tracks"), ("return_tracks", "returnTracks")] {
            let tracks = (0..count(session, song, list)).filter_map(|at| session.child_at(song, list, at));
            let tracks =
                tracks.map(|track| read_track::gather(session, track, include.track)).collect::<Result<_, _>>()?;
            out.lists.push((field, tracks));
        }
        if let Some(main) = objects::child(session, song, "master_track")? {
            // The main track holds no clips, so nothing in it is left to be written later.
            let style = super::gathered::NoteStyle { notation: Default::default(), json: true };
            out.set("mainTrack", read_track::gather(session, main, include.track)?.into_json(style));
        }
    } else {
        out.set("regularTrackCount", count(session, song, "tracks"));
        out.set("returnTrackCount", count(session, song, "return_tracks"));
    }
    if let Some(scale) = objects::scale(session)? {
        out.set("scale", scale.to_string());
        out.set("scalePitches", scale.pitches().join(","));
    }
    out.set_if(session.clock().playing, "isPlaying");
    Ok(out)
}

fn gather_scene(session: &dyn Session, scene: ObjectId, color: bool) -> Result<Gathered, ToolError> {
    let mut out = Gathered::default();
    out.set("id", scene.to_string());
    let path = objects::tool_path(session, scene).unwrap_or_default();
    let number_text =
        path.trim_start_matches('s').parse::<usize>().map_or_else(|_| String::new(), |at| (at + 1).to_string());
    out.set("path", path);
    let name = text(session, scene, "name")?;
    out.set("name", if name.is_empty() { number_text } else { format!("{name} ({number_text})") });
    let slots = (0..count(session, scene, "clip_slots")).filter_map(|at| session.child_at(scene, "clip_slots", at));
    out.set("clipCount", slots.filter(|slot| session.child_at(*slot, "clip", 0).is_some()).count());
    if flag(session, scene, "tempo_enabled") {
        out.set("tempo", rounded(number(session, scene, "tempo")?));
    }
    if flag(session, scene, "time_signature_enabled") {
        let (n, d) =
            (int(session, scene, "time_signature_numerator")?, int(session, scene, "time_signature_denominator")?);
        out.set("timeSignature", format!("{n}/{d}"));
    }
    if color && let Some(color) = objects::color(session, scene) {
        out.set("color", color);
    }
    out.set_if(flag(session, scene, "is_triggered"), "triggered");
    Ok(out)
}
