//! Whether a clip is what another one was: moved, it is another clip where it went.

use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{flag, text};

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
