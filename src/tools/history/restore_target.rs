//! Which object a call brings back, and to which step: named as it is now, or by where it was.

use super::step_list::Steps;
use crate::object_model::history::{Moment, ObjectChange};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path::{Path, Segment};
use crate::tools::address::path_format::{path_and_id, tool_path};
use crate::tools::address::path_parse;
use crate::tools::address::targets::{self, Target, TargetKind, class_with_article};
use crate::tools::error::ToolError;

/// An object as it was after a step.
pub struct RestoreTarget {
    pub object: ObjectId,
    pub step: u64,
    /// The newest step that changed it, where that was looked for.
    pub changed_by: Option<u64>,
}

/// What is brought back.
const KINDS: [TargetKind; 4] = [TargetKind::Clip, TargetKind::Track, TargetKind::Scene, TargetKind::Device];

const ONE_OBJECT: &str = "restore takes one clip, track, scene or device, by path or id";

/// Finds it. Without a step: as it was before the newest step that changed it.
pub fn find(
    session: &dyn Session,
    steps: &Steps,
    id: Option<&String>,
    path: Option<&String>,
    step: Option<u64>,
) -> Result<RestoreTarget, ToolError> {
    let named = Named::read(id, path)?;
    match step {
        Some(step) => at_step(session, steps, &named, step),
        None => before_its_last_change(session, steps, &named),
    }
}

/// An object as the call names it.
struct Named {
    target: Target,
    /// Of a path, what it can name.
    kind: Option<TargetKind>,
}

impl Named {
    fn read(id: Option<&String>, path: Option<&String>) -> Result<Named, ToolError> {
        let kind = match path {
            None => None,
            Some(text) => {
                let path = path_parse::parse(text.trim()).map_err(|e| ToolError::about("path", e))?;
                Some(kind_of(&path).ok_or_else(|| ToolError::about("path", format!("{path}: {ONE_OBJECT}")))?)
            }
        };
        let mut targets = targets::read_any(kind.unwrap_or(TargetKind::Clip), id, path)
            .map_err(|error| if id.is_none() && path.is_none() { ToolError::new(ONE_OBJECT) } else { error })?;
        match (targets.pop(), targets.is_empty()) {
            (Some(target), true) => Ok(Named { target, kind }),
            _ => Err(ToolError::new(ONE_OBJECT)),
        }
    }

    fn spelling(&self) -> &str {
        &self.target.spelling
    }

    /// What it names in a Set; `None` where that has nothing of the kind there.
    fn find(&self, session: &dyn Session) -> Result<Option<ObjectId>, ToolError> {
        let found = match self.kind {
            Some(kind) => self.target.find(session, kind),
            None => match targets::id_of(self.spelling()) {
                Ok(id) => return Ok(restorable(session, id)?.then_some(id)),
                Err(error) => return Err(error),
            },
        };
        match found {
            Ok(id) => Ok(Some(id)),
            Err(error) if error.kind.ends_call() => Err(error),
            Err(_) => Ok(None),
        }
    }
}

fn kind_of(path: &Path) -> Option<TargetKind> {
    match path {
        Path::Track(_) => Some(TargetKind::Track),
        Path::Scene(_) => Some(TargetKind::Scene),
        Path::Slot { .. } | Path::Arrangement { lane: Some(_), .. } => Some(TargetKind::Clip),
        Path::Device(device) if device.segments.last().copied().is_some_and(Segment::is_device) => {
            Some(TargetKind::Device)
        }
        _ => None,
    }
}

/// Whether an object is there; refused for one of a kind that is not brought back.
fn restorable(session: &dyn Session, id: ObjectId) -> Result<bool, ToolError> {
    match model_read::class(session, id)? {
        None => Ok(false),
        Some(class) if KINDS.iter().any(|kind| kind.is_class(class)) => Ok(true),
        Some(class) => Err(ToolError::about("id", format!("id {id} is {}: {ONE_OBJECT}", class_with_article(class)))),
    }
}

/// What was named, as it was after that step. What stood at a path then and is gone now is meant first, then what
/// stands there now.
fn at_step(session: &dyn Session, steps: &Steps, named: &Named, step: u64) -> Result<RestoreTarget, ToolError> {
    let then = steps.state(Moment::After(step)).ok_or_else(|| steps.not_kept("step", step))?;
    let stood = named.find(&then)?;
    if let Some(object) = stood
        && !model_read::is_there(session, object)?
    {
        return Ok(RestoreTarget { object, step, changed_by: None });
    }
    let stands = match named.find(session)? {
        Some(now) if model_read::is_there(&then, now)? => Some(now),
        _ => None,
    };
    match stands.or(stood) {
        Some(object) => Ok(RestoreTarget { object, step, changed_by: None }),
        None => Err(ToolError::not_found(format!("{}: there was no such object after step {step}", named.spelling()))),
    }
}

fn before_its_last_change(session: &dyn Session, steps: &Steps, named: &Named) -> Result<RestoreTarget, ToolError> {
    let stands = named.find(session)?;
    // Until the step that made it was found: before that something else was there.
    let mut now = stands;
    let mut made_by = None;
    let mut stood_before = None;
    for step in steps.all().into_iter().filter(|step| !step.undone) {
        let number = step.number;
        let (Some(before), Some(after)) = (steps.state(Moment::Before(number)), steps.state(Moment::After(number)))
        else {
            break;
        };
        let target = |object| Ok(RestoreTarget { object, step: steps.before(number), changed_by: Some(number) });
        // What was there, and went with this step: deleted, or replaced.
        let stood = named.find(&before)?;
        if let Some(object) = stood
            && !model_read::is_there(&after, object)?
            && !model_read::is_there(session, object)?
        {
            return target(object);
        }
        match (now, stood) {
            (Some(object), _) => {
                let Some(changes) = steps.raw_changes(number)? else { break };
                if !is_changed(&changes.objects, object, &before, &after)? {
                    continue;
                }
                if model_read::is_there(&before, object)? {
                    return target(object);
                }
                (now, made_by, stood_before) = (None, Some(number), stood);
                if let Some(moved) = stood.filter(|_| named.kind == Some(TargetKind::Clip)) {
                    return target(moved);
                }
            }
            // It went elsewhere with this step.
            (None, Some(object)) if named.find(&after)?.is_none() => {
                refuse_another_path(session, named, object)?;
                return target(object);
            }
            (None, _) => {}
        }
    }
    Err(nothing_to_bring_back(session, named, stands.is_some(), made_by, stood_before)?)
}

/// Why no step changed what is named, in the way that restore could take back.
fn nothing_to_bring_back(
    session: &dyn Session,
    named: &Named,
    is_there: bool,
    made_by: Option<u64>,
    stood_before: Option<ObjectId>,
) -> Result<ToolError, ToolError> {
    let spelling = named.spelling();
    let stood_before = match stood_before {
        Some(object) if model_read::is_there(session, object)? => Some(path_and_id(session, object)?),
        _ => None,
    };
    Ok(match (made_by, stood_before, is_there) {
        (Some(number), Some(elsewhere), _) => ToolError::about(
            "path",
            format!("step {number} made {spelling}; what was there before is {elsewhere} now: name it so"),
        ),
        (Some(number), None, _) => ToolError::new(format!(
            "{spelling}: unchanged since step {number} made it, before which nothing was there: there is nothing to bring \
             back"
        )),
        (None, _, true) => ToolError::new(format!("{spelling}: no step that is kept changed it")),
        (None, _, false) => ToolError::not_found(format!("{spelling}: nothing was there in any step that is kept")),
    })
}

/// A track, scene or device that stands at another path now has only made room or closed up.
fn refuse_another_path(session: &dyn Session, named: &Named, object: ObjectId) -> Result<(), ToolError> {
    if named.kind == Some(TargetKind::Clip) || !model_read::is_there(session, object)? {
        return Ok(());
    }
    let now = path_and_id(session, object)?;
    Err(ToolError::about("path", format!("{} is {now} now; name it so", named.spelling())))
}

/// Whether the changes of a step are of an object or of what it holds.
fn is_changed(
    changes: &[ObjectChange],
    object: ObjectId,
    before: &dyn Session,
    after: &dyn Session,
) -> Result<bool, ToolError> {
    for change in changes {
        if change.id == object || holds(before, object, change.id)? || holds(after, object, change.id)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether an object holds another, at any depth.
fn holds(session: &dyn Session, holder: ObjectId, held: ObjectId) -> Result<bool, ModelError> {
    if model_read::class(session, holder)? == Some("Scene") {
        let (Some(scene), Some(clip)) = (tool_path(session, holder)?, tool_path(session, held)?) else {
            return Ok(false);
        };
        return Ok(clip.split_once('/').is_some_and(|(_, slot)| slot == scene));
    }
    let mut at = held;
    while let Some(parent) = model_read::child_if_any(session, at, "canonical_parent")? {
        if parent == holder {
            return Ok(true);
        }
        at = parent;
    }
    Ok(false)
}
