//! A clip that was moved is another clip where it went: brought back, it leaves that one where it is, which is said.

use super::same_clip::went;
use super::step_list::Steps;
use crate::object_model::history::{ChangeKind, ChangedClass, Moment};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path_format::path_and_id;
use crate::tools::error::ToolError;

/// What is said of a clip that came back, if the step that took it away made the same one elsewhere.
pub fn remark(session: &dyn Session, steps: &Steps, clip: ObjectId) -> Result<Option<String>, ToolError> {
    if model_read::class(session, clip)? != Some("Clip") {
        return Ok(None);
    }
    let is_there = |set: &dyn Session| Ok(model_read::is_there(set, clip)?);
    let Some(step) = steps.taken_away_by(is_there)? else { return Ok(None) };
    let sides = (steps.state(Moment::Before(step)), steps.state(Moment::After(step)), steps.raw_changes(step)?);
    let (Some(before), Some(after), Some(changes)) = sides else { return Ok(None) };
    let made = changes
        .objects
        .iter()
        .filter(|change| change.class == ChangedClass::Clip && change.kind == ChangeKind::Made && change.id != clip);
    let mut stay = Vec::new();
    for change in made {
        if model_read::is_there(session, change.id)? && went(&before, clip, &after, change.id)? {
            stay.push(path_and_id(session, change.id)?);
        }
    }
    Ok((!stay.is_empty())
        .then(|| format!("what step {step} made of it elsewhere stays: {}; svc-delete deletes it", stay.join(", "))))
}
