//! The letters of returns follow their places: what those that stay are called when one before them goes.

use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;

/// The returns of a Set, and how they were called.
pub struct ReturnNames(Vec<(ObjectId, String)>);

impl ReturnNames {
    pub fn read(session: &dyn Session, song: ObjectId) -> Result<ReturnNames, ModelError> {
        let mut names = Vec::new();
        for id in model_read::children(session, song, "return_tracks")? {
            names.push((id, model_read::text(session, id, "name")?));
        }
        Ok(ReturnNames(names))
    }

    /// Says which of those that are still there are called otherwise now.
    pub fn describe_changes(&self, session: &dyn Session) -> Result<Option<String>, ModelError> {
        let mut changes = Vec::new();
        for (id, before) in &self.0 {
            if !model_read::is_there(session, *id)? {
                continue;
            }
            let now = model_read::text(session, *id, "name")?;
            if now != *before {
                changes.push(format!("{before} is {now}"));
            }
        }
        let said = || format!("the returns behind it have new letters: {}", changes.join(", "));
        Ok((!changes.is_empty()).then(said))
    }
}
