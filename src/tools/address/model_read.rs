//! Reading and naming objects, in the words of the tools.

use crate::music::Meter;
use crate::music::scale::{self, Scale};
use crate::music::text::counted;
use crate::object_model::path::Root;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::path::TrackPath;
use crate::tools::error::ToolError;

pub fn song(session: &dyn Session) -> Result<ObjectId, ToolError> {
    session.root(Root::LiveSet).ok_or_else(|| ToolError::new("there is no Set"))
}

pub fn text(session: &dyn Session, id: ObjectId, member: &str) -> Result<String, ModelError> {
    Ok(session.get(id, member)?.as_str().unwrap_or_default().to_owned())
}

pub fn number(session: &dyn Session, id: ObjectId, member: &str) -> Result<f64, ModelError> {
    Ok(session.get(id, member)?.as_f64().unwrap_or_default())
}

pub fn int(session: &dyn Session, id: ObjectId, member: &str) -> Result<i64, ModelError> {
    Ok(session.get(id, member)?.as_i64().unwrap_or_default())
}

/// A flag; false where the object does not have it.
pub fn flag(session: &dyn Session, id: ObjectId, member: &str) -> bool {
    session.get(id, member).ok().and_then(|value| value.as_bool()).unwrap_or(false)
}

pub fn child(session: &dyn Session, id: ObjectId, name: &str) -> Result<Option<ObjectId>, ModelError> {
    Ok(session.get(id, name)?.as_object())
}

pub fn count(session: &dyn Session, id: ObjectId, list: &str) -> usize {
    session.child_count(id, list).unwrap_or(0)
}

/// The class of an object, such as `Track`.
pub fn class(session: &dyn Session, id: ObjectId) -> Option<&'static str> {
    session.class_of(id).map(|class| class.name.as_str())
}

pub fn track(session: &dyn Session, path: TrackPath) -> Result<ObjectId, ToolError> {
    let song = song(session)?;
    let (list, at, what) = match path {
        TrackPath::Main => {
            return child(session, song, "master_track")?.ok_or_else(|| ToolError::new("this Set has no main track"));
        }
        TrackPath::Regular(at) => ("tracks", at, "regular track"),
        TrackPath::Return(at) => ("return_tracks", at, "return track"),
    };
    session.child_at(song, list, at).ok_or_else(|| {
        ToolError::not_found(format!(
            "{path}: this Set has {}, counted from 0",
            counted(count(session, song, list), what)
        ))
    })
}

pub fn scene(session: &dyn Session, at: usize) -> Result<ObjectId, ToolError> {
    let song = song(session)?;
    session.child_at(song, "scenes", at).ok_or_else(|| {
        let scenes = counted(count(session, song, "scenes"), "scene");
        ToolError::new(format!("s{at}: this Set has {scenes}, counted from 0; svc-create-scene makes more"))
    })
}

/// The slot of a regular track in a scene that exists.
pub fn slot(session: &dyn Session, track_at: usize, scene_at: usize) -> Result<ObjectId, ToolError> {
    let track = track(session, TrackPath::Regular(track_at))?;
    session.child_at(track, "clip_slots", scene_at).ok_or_else(|| {
        let scenes = counted(song(session).map_or(0, |song| count(session, song, "scenes")), "scene");
        ToolError::new(format!("t{track_at}/s{scene_at}: this Set has {scenes}, counted from 0"))
    })
}

/// The time signature of a Song or a Clip.
pub fn meter(session: &dyn Session, id: ObjectId) -> Result<Meter, ToolError> {
    let (n, d) = (int(session, id, "signature_numerator")?, int(session, id, "signature_denominator")?);
    Meter::new(n, d).map_err(|e| ToolError::new(e.to_string()))
}

/// The Set's scale, if it is on.
pub fn scale(session: &dyn Session) -> Result<Option<Scale>, ToolError> {
    let song = song(session)?;
    if !flag(session, song, "scale_mode") {
        return Ok(None);
    }
    let root = u8::try_from(int(session, song, "root_note")?).unwrap_or_default();
    Ok(scale::kind_named(&text(session, song, "scale_name")?).map(|kind| Scale { root, kind }))
}

/// `#RRGGBB` of an object with a colour.
pub fn color(session: &dyn Session, id: ObjectId) -> Option<String> {
    session.get(id, "color").ok().and_then(|c| c.as_i64()).map(|rgb| format!("#{rgb:06X}"))
}

/// Every object of a list, in order.
pub fn children<'a>(session: &'a dyn Session, id: ObjectId, list: &'a str) -> impl Iterator<Item = ObjectId> + 'a {
    (0..count(session, id, list)).filter_map(move |at| session.child_at(id, list, at))
}

/// `{:.2}` without trailing zeros: the resolution reads give.
pub fn rounded(number: f64) -> serde_json::Value {
    let rounded = (number * 100.0).round() / 100.0;
    if rounded.fract() == 0.0 && rounded.abs() < 9e15 {
        serde_json::json!(rounded as i64)
    } else {
        serde_json::json!(rounded)
    }
}
