//! The names of scenes: reads show them with the scene's number.

use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::{model_read, path_format};

/// The number that the scene is shown with, from 1.
pub fn shown_number(session: &dyn Session, scene: ObjectId) -> Result<String, ModelError> {
    let path = path_format::tool_path(session, scene)?.unwrap_or_default();
    Ok(path.trim_start_matches('s').parse::<usize>().map_or_else(|_| String::new(), |at| (at + 1).to_string()))
}

/// The name as reads show it.
pub fn shown_name(session: &dyn Session, scene: ObjectId) -> Result<String, ModelError> {
    let (name, number) = (model_read::text(session, scene, "name")?, shown_number(session, scene)?);
    Ok(if name.is_empty() { number } else { format!("{name} ({number})") })
}

/// The name that a scene gets: reads show names with the scene's number, and written back so it is no part of them.
pub fn written_name(session: &dyn Session, scene: ObjectId, name: &str) -> Result<String, ModelError> {
    let number = shown_number(session, scene)?;
    if name == number {
        return Ok(String::new());
    }
    Ok(name.strip_suffix(&format!(" ({number})")).unwrap_or(name).to_owned())
}
