//! Making the scenes that a place in the Session needs.

use super::objects;
use super::take_lanes::range;
use crate::object_model::{ObjectId, Session, Value};
use crate::tools::ToolError;

/// Scenes that a Set has at most, as far as tools make them.
pub const MAX_SCENES: usize = 1000;

/// The slot of a regular track in a scene; the scenes up to it that are missing are made. Gives what was made, as `s8-s9`.
pub fn slot_made(
    session: &mut dyn Session,
    track: usize,
    scene: usize,
) -> Result<(ObjectId, Option<String>), ToolError> {
    let song = objects::song(session)?;
    let before = objects::count(session, song, "scenes");
    if scene >= before.max(MAX_SCENES) {
        return Err(ToolError::new(past_last(scene)));
    }
    for _ in before..=scene {
        session.call(song, "create_scene", &[Value::Int(-1)])?;
    }
    Ok((objects::slot(session, track, scene)?, (before <= scene).then(|| range('s', before, scene))))
}

/// Why no tool makes that scene.
pub fn past_last(scene: usize) -> String {
    format!("s{scene} is past the last possible scene, s{}", MAX_SCENES - 1)
}
