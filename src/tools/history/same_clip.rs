//! Whether a clip is what another one was: moved, it is another clip where it went, and replaced where it was.

use crate::music::SAME_POSITION_BEATS;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{child_if_any, children_if_any, class, find, flag, is_there, number, text};

/// Whether a clip plays what another played.
pub fn is_same(before: &dyn Session, old: ObjectId, after: &dyn Session, new: ObjectId) -> Result<bool, ModelError> {
    let is_midi = flag(before, old, "is_midi_clip")?;
    if is_midi != flag(after, new, "is_midi_clip")? {
        return Ok(false);
    }
    if !is_midi {
        return Ok(text(before, old, "file_path")? == text(after, new, "file_path")?);
    }
    let (was, is) = (before.notes(old)?, after.notes(new)?);
    Ok(was == is && (!was.is_empty() || text(before, old, "name")? == text(after, new, "name")?))
}

/// The clip that lies where a clip was that is gone: in its slot, or where it began in the Arrangement.
fn in_its_place(before: &dyn Session, gone: ObjectId, after: &dyn Session) -> Result<Option<ObjectId>, ModelError> {
    let Some(holder) = child_if_any(before, gone, "canonical_parent")? else { return Ok(None) };
    if !is_there(after, holder)? {
        return Ok(None);
    }
    if class(after, holder)? == Some("ClipSlot") {
        return child_if_any(after, holder, "clip");
    }
    let start = number(before, gone, "start_time")?;
    find(children_if_any(after, holder, "arrangement_clips")?, |clip| {
        Ok((number(after, clip, "start_time")? - start).abs() < SAME_POSITION_BEATS)
    })
}

/// Whether a clip lies where another one was that is gone.
pub fn took_its_place(
    before: &dyn Session,
    gone: ObjectId,
    after: &dyn Session,
    new: ObjectId,
) -> Result<bool, ModelError> {
    let Some(holder) = child_if_any(before, gone, "canonical_parent")? else { return Ok(false) };
    if child_if_any(after, new, "canonical_parent")? != Some(holder) {
        return Ok(false);
    }
    if class(after, holder)? == Some("ClipSlot") {
        return Ok(true);
    }
    Ok((number(after, new, "start_time")? - number(before, gone, "start_time")?).abs() < SAME_POSITION_BEATS)
}

/// Whether a clip that is gone went elsewhere as `new`: its own place has lost it.
pub fn went(before: &dyn Session, gone: ObjectId, after: &dyn Session, new: ObjectId) -> Result<bool, ModelError> {
    if !is_same(before, gone, after, new)? {
        return Ok(false);
    }
    Ok(match in_its_place(before, gone, after)? {
        Some(there) => !is_same(before, gone, after, there)?,
        None => true,
    })
}
