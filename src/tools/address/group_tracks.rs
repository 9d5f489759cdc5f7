//! Group tracks: who is in one, at which depth.

use crate::object_model::path::Root;
use crate::object_model::scope::{Part, Shape};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path_format;

/// The tracks inside a group, at any depth, in order; none of another track.
pub fn members(session: &dyn Session, group: ObjectId) -> Result<Vec<ObjectId>, ModelError> {
    if !model_read::flag_if_any(session, group, "is_foldable")? {
        return Ok(Vec::new());
    }
    let tracks = || Shape::default().below("tracks", Shape::default().below("group_track", Shape::default()));
    let parts = || Ok(vec![Part::of_path("live_set", tracks())]);
    model_read::through_snapshot(session, &parts, |session| inside(session, group))
}

fn inside(session: &dyn Session, group: ObjectId) -> Result<Vec<ObjectId>, ModelError> {
    let Some(song) = session.root(Root::LiveSet)? else { return Ok(Vec::new()) };
    let mut inside: Vec<ObjectId> = vec![group];
    for track in model_read::children(session, song, "tracks")? {
        if parent(session, track)?.is_some_and(|parent| inside.contains(&parent)) {
            inside.push(track);
        }
    }
    inside.remove(0);
    Ok(inside)
}

/// The group that a track is directly in.
pub fn parent(session: &dyn Session, track: ObjectId) -> Result<Option<ObjectId>, ModelError> {
    model_read::child(session, track, "group_track")
}

/// The groups around a track, the nearest first.
pub fn around(session: &dyn Session, track: ObjectId) -> Result<Vec<ObjectId>, ModelError> {
    let mut groups = Vec::new();
    let mut next = parent(session, track)?;
    while let Some(group) = next {
        groups.push(group);
        next = parent(session, group)?;
    }
    Ok(groups)
}

/// Whether the track is all that its group holds.
pub fn is_alone(session: &dyn Session, track: ObjectId) -> Result<bool, ModelError> {
    let Some(group) = parent(session, track)? else { return Ok(false) };
    let own = members(session, track)?;
    Ok(members(session, group)?.into_iter().all(|member| member == track || own.contains(&member)))
}

/// `t4 (id 7), t5 (id 9)`.
pub fn listed(session: &dyn Session, tracks: &[ObjectId]) -> Result<String, ModelError> {
    let named = tracks.iter().map(|track| path_format::path_and_id(session, *track));
    Ok(named.collect::<Result<Vec<_>, _>>()?.join(", "))
}
