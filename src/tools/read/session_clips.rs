//! The clips in the slots of a track or scene. A host that keeps them together gives them at once; of another the slots
//! are walked.

use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;

/// In the order of the slots.
pub fn list(session: &dyn Session, of: ObjectId) -> Result<Vec<ObjectId>, ModelError> {
    if let Some(clips) = session.session_clips(of)? {
        return Ok(clips);
    }
    let mut clips = Vec::new();
    for slot in model_read::children(session, of, "clip_slots")? {
        clips.extend(session.child_at(slot, "clip", 0)?);
    }
    Ok(clips)
}

/// How many there are.
pub fn count(session: &dyn Session, of: ObjectId) -> Result<usize, ModelError> {
    match session.session_clip_count(of)? {
        Some(count) => Ok(count),
        None => Ok(list(session, of)?.len()),
    }
}
