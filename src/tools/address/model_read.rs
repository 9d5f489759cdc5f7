//! Reading and naming objects, in the words of the tools.
//!
//! A reader fails as the model does. Those that end in `_if_any` read what a class need not have: a member that is not
//! there is their `None`, false or 0, and every other error is handed on.

use crate::music::Meter;
use crate::music::scale::{self, Scale};
use crate::music::text::counted;
use crate::object_model::path::Root;
use crate::object_model::scope::{Part, Scope};
use crate::object_model::{ModelError, ObjectId, Session, Value};
use crate::tools::address::path::TrackPath;
use crate::tools::error::ToolError;

pub fn song(session: &dyn Session) -> Result<ObjectId, ToolError> {
    session.root(Root::LiveSet)?.ok_or_else(|| ToolError::new("there is no Set"))
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

pub fn flag(session: &dyn Session, id: ObjectId, member: &str) -> Result<bool, ModelError> {
    Ok(session.get(id, member)?.as_bool().unwrap_or_default())
}

/// What was read; `None` where the object, or that member of it, is not there.
pub fn if_any<T>(read: Result<T, ModelError>) -> Result<Option<T>, ModelError> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_absence() => Ok(None),
        Err(error) => Err(error),
    }
}

/// What was read; `None` where the model says that there is nothing to read, however it says so.
pub fn if_known<T>(read: Result<T, ModelError>) -> Result<Option<T>, ModelError> {
    match read {
        Err(error) if error.ends_call() => Err(error),
        read => Ok(read.ok()),
    }
}

/// A flag; false where the object does not have it.
pub fn flag_if_any(session: &dyn Session, id: ObjectId, member: &str) -> Result<bool, ModelError> {
    Ok(if_any(flag(session, id, member))?.unwrap_or_default())
}

pub fn child(session: &dyn Session, id: ObjectId, name: &str) -> Result<Option<ObjectId>, ModelError> {
    Ok(session.get(id, name)?.as_object())
}

/// A child that not every object of the class has; `None` too where it is empty.
pub fn child_if_any(session: &dyn Session, id: ObjectId, name: &str) -> Result<Option<ObjectId>, ModelError> {
    Ok(if_any(child(session, id, name))?.flatten())
}

/// How many objects a list holds.
pub fn count(session: &dyn Session, id: ObjectId, list: &str) -> Result<usize, ModelError> {
    session.child_count(id, list)
}

/// How many objects a list holds; 0 where the object has no such list.
pub fn count_if_any(session: &dyn Session, id: ObjectId, list: &str) -> Result<usize, ModelError> {
    Ok(if_any(count(session, id, list))?.unwrap_or_default())
}

/// The class of an object, such as `Track`; `None` where there is no such object (any more).
pub fn class(session: &dyn Session, id: ObjectId) -> Result<Option<&'static str>, ModelError> {
    Ok(session.class_of(id)?.map(|class| class.name.as_str()))
}

/// Whether the object is (still) there.
pub fn is_there(session: &dyn Session, id: ObjectId) -> Result<bool, ModelError> {
    Ok(session.class_of(id)?.is_some())
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
    if let Some(track) = session.child_at(song, list, at)? {
        return Ok(track);
    }
    let tracks = counted(count(session, song, list)?, what);
    Err(ToolError::not_found(format!("{path}: this Set has {tracks}, counted from 0")))
}

pub fn scene(session: &dyn Session, at: usize) -> Result<ObjectId, ToolError> {
    let song = song(session)?;
    if let Some(scene) = session.child_at(song, "scenes", at)? {
        return Ok(scene);
    }
    let scenes = counted(count(session, song, "scenes")?, "scene");
    Err(ToolError::new(format!("s{at}: this Set has {scenes}, counted from 0; svc-create-scene makes more")))
}

/// The slot of a regular track in a scene that exists.
pub fn slot(session: &dyn Session, track_at: usize, scene_at: usize) -> Result<ObjectId, ToolError> {
    let track = track(session, TrackPath::Regular(track_at))?;
    if let Some(slot) = session.child_at(track, "clip_slots", scene_at)? {
        return Ok(slot);
    }
    let scenes = counted(count(session, song(session)?, "scenes")?, "scene");
    Err(ToolError::new(format!("t{track_at}/s{scene_at}: this Set has {scenes}, counted from 0")))
}

/// The time signature of a Song or a Clip.
pub fn meter(session: &dyn Session, id: ObjectId) -> Result<Meter, ToolError> {
    let (n, d) = (int(session, id, "signature_numerator")?, int(session, id, "signature_denominator")?);
    Meter::new(n, d).map_err(|e| ToolError::new(e.to_string()))
}

/// The Set's time signature; `None` where there is no Set, or one that counts in what is no meter.
pub fn song_meter(session: &dyn Session) -> Result<Option<Meter>, ModelError> {
    let Some(song) = session.root(Root::LiveSet)? else { return Ok(None) };
    Ok(Meter::new(int(session, song, "signature_numerator")?, int(session, song, "signature_denominator")?).ok())
}

/// The Set's scale, if it is on.
pub fn scale(session: &dyn Session) -> Result<Option<Scale>, ToolError> {
    let song = song(session)?;
    if !flag(session, song, "scale_mode")? {
        return Ok(None);
    }
    let root = u8::try_from(int(session, song, "root_note")?).unwrap_or_default();
    Ok(scale::kind_named(&text(session, song, "scale_name")?).map(|kind| Scale { root, kind }))
}

/// `#RRGGBB` of an object that may have a colour. A scene without one refuses to be asked.
pub fn color(session: &dyn Session, id: ObjectId) -> Result<Option<String>, ModelError> {
    let color = if_known(session.get(id, "color"))?;
    Ok(color.and_then(|color| color.as_i64()).map(color_text))
}

/// `#RRGGBB`.
pub fn color_text(rgb: i64) -> String {
    format!("#{rgb:06X}")
}

/// Every object of a list, in order.
pub fn children(session: &dyn Session, id: ObjectId, list: &str) -> Result<Vec<ObjectId>, ModelError> {
    match session.get(id, list)? {
        Value::Objects(ids) => Ok(ids),
        Value::Object(id) => Ok(id.into_iter().collect()),
        _ => Ok(Vec::new()),
    }
}

/// Every object of a list, in order; none where the object has no such list.
pub fn children_if_any(session: &dyn Session, id: ObjectId, list: &str) -> Result<Vec<ObjectId>, ModelError> {
    Ok(if_any(children(session, id, list))?.unwrap_or_default())
}

/// Those for which `keep` holds, in order.
pub fn filter<E>(
    ids: impl IntoIterator<Item = ObjectId>,
    mut keep: impl FnMut(ObjectId) -> Result<bool, E>,
) -> Result<Vec<ObjectId>, E> {
    let mut kept = Vec::new();
    for id in ids {
        if keep(id)? {
            kept.push(id);
        }
    }
    Ok(kept)
}

/// The first for which `is` holds.
pub fn find<E>(
    ids: impl IntoIterator<Item = ObjectId>,
    mut is: impl FnMut(ObjectId) -> Result<bool, E>,
) -> Result<Option<ObjectId>, E> {
    for id in ids {
        if is(id)? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Reads what `parts` say through a snapshot, where the host gives one: a host whose objects are in another program
/// then has one exchange for all of it.
pub fn through_snapshot<T, E: From<ModelError>>(
    session: &dyn Session,
    parts: &dyn Fn() -> Result<Vec<Part>, ModelError>,
    read: impl FnOnce(&dyn Session) -> Result<T, E>,
) -> Result<T, E> {
    if session.reads_are_local() {
        return read(session);
    }
    match session.snapshot(&Scope::new(parts))? {
        Some(snapshot) => read(snapshot.as_ref()),
        None => read(session),
    }
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
