//! Copying in the Song's own lists, of tracks and of scenes.

use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::model_read;
use crate::tools::error::ToolError;
use std::collections::HashSet;

/// Copies a track or scene, and gives what is in the Song's list after and was not before, in order.
pub fn copy_in_list(
    session: &mut dyn Session,
    song: ObjectId,
    list: &'static str,
    function: &str,
    source: ObjectId,
) -> Result<Vec<ObjectId>, ToolError> {
    let before = model_read::children(session, song, list)?;
    let at = before.iter().position(|other| *other == source).ok_or_else(|| ToolError::new("the source is gone"))?;
    session.call_later(song, function, &[Model::Int(i64::try_from(at).unwrap_or(-1))])?;
    let before: HashSet<ObjectId> = before.into_iter().collect();
    let now = model_read::children(session, song, list)?;
    Ok(now.into_iter().filter(|object| !before.contains(object)).collect())
}
