//! When all clips of a call are written: what the later ones left of the earlier, read from the lanes and not predicted, and
//! where each stands now.

use super::plan::{Cuts, Plan};
use super::run::{Done, Looked};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::path_format;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{self, TargetResult, add_detail};
use crate::tools::timeline::overwritten::{self, Overwritten};
use serde_json::{Map, Value, json};

/// The answer: what became of each clip, with the paths that they have now.
pub fn settle(plan: &Plan, looked: &Looked, session: &dyn Session, mut done: Done) -> Result<Value, ToolError> {
    let cut_nothing = plan.cuts.is_some()
        && looked.ready.iter().flatten().filter_map(|ready| ready.as_ref().ok()).all(|ready| ready.cuts.is_empty());
    for (at, target) in plan.targets.iter().enumerate() {
        let name = |by: usize| looked.spelled(session, by);
        let fate = overwritten::fate(session, &done.landed, &looked.order.turns, &done.own, at, name)?;
        let cut_none = cut_nothing && matches!(looked.ready.get(at), Some(Some(Ok(ready))) if ready.takes_cuts);
        let Some(Some(TargetResult::Written(map))) = done.entries.get_mut(at) else { continue };
        if let Some((_, by)) = looked.limits.get(at).copied().flatten() {
            add_detail(map, format!("shortened: {} is named later in this call", looked.spelled(session, by)?));
        }
        if let Some(Overwritten { is_gone, said }) = fate {
            if is_gone {
                map.retain(|field, _| matches!(field.as_str(), "detail" | "converted"));
                map.insert(target.key.to_owned(), json!(target.spelling));
            }
            add_detail(map, said);
        }
        if cut_none {
            let which = if matches!(plan.cuts, Some(Cuts::OwnTime(_))) { "split" } else { "arrangementSplit" };
            add_detail(map, format!("nothing was cut: no position of {which} lies inside it"));
        }
    }
    for more in &mut done.further {
        let mut there = Vec::new();
        for map in more.drain(..) {
            if let Some(id) = id(&map)
                && session.class_of(id)?.is_some()
            {
                there.push(map);
            }
        }
        *more = there;
    }
    let written = done.entries.iter_mut().flatten().filter_map(|entry| match entry {
        TargetResult::Written(map) => Some(map),
        _ => None,
    });
    for map in written.chain(done.further.iter_mut().flatten()) {
        refresh(session, map)?;
        if let Some(Value::Object(track)) = map.get_mut("converted").and_then(|made| made.get_mut("track")) {
            refresh(session, track)?;
        }
    }
    let lost = |entry: Option<TargetResult>| entry.unwrap_or_else(|| TargetResult::skip("path", "", "not reached"));
    target_result::answer_with(done.entries.into_iter().map(lost).collect(), done.further)
}

fn id(map: &Map<String, Value>) -> Option<ObjectId> {
    map.get("id").and_then(Value::as_str).and_then(|id| id.parse().ok()).map(ObjectId)
}

fn refresh(session: &dyn Session, map: &mut Map<String, Value>) -> Result<(), ModelError> {
    if let Some(id) = id(map)
        && let Some(path) = path_format::tool_path(session, id)?
    {
        map.insert("path".to_owned(), json!(path));
    }
    Ok(())
}
