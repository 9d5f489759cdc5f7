//! Writing each target of a call, with one entry for each.

use super::target_result::{self, LeftTo, later_mentions, result_of};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::target_origin::look_ahead;
use crate::tools::address::targets::{Target, TargetKind};
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use serde_json::{Map, Value};
use std::hash::Hash;

/// Warns of old spellings.
pub fn warn_of_old_spellings(call: &mut CallContext, targets: &[Target]) {
    call.warnings.extend(targets.iter().filter_map(|target| target.warning.clone()));
}

/// Writes each target in call order and gives the call's answer. One named again later is left to that mention; one
/// that is not there, or is not reached in time, is a skip.
pub fn write_each(
    session: &mut dyn Session,
    call: &mut CallContext,
    targets: &[Target],
    wanted: TargetKind,
    write: impl FnMut(&mut dyn Session, &mut CallContext, usize, ObjectId) -> Result<Map<String, Value>, ToolError>,
) -> Result<Value, ToolError> {
    look_ahead(session, targets)?;
    let found = targets.iter().map(|target| target_result::or_detail(target.find(session, wanted)));
    let found = found.collect::<Result<_, _>>()?;
    write_found(session, call, targets, found, write)
}

/// As [`write_each`], for targets that were found already; they may be more than objects.
pub fn write_found<T: Copy + Eq + Hash>(
    session: &mut dyn Session,
    call: &mut CallContext,
    targets: &[Target],
    found: Vec<Result<T, String>>,
    mut write: impl FnMut(&mut dyn Session, &mut CallContext, usize, T) -> Result<Map<String, Value>, ToolError>,
) -> Result<Value, ToolError> {
    warn_of_old_spellings(call, targets);
    let same: Vec<Option<T>> = found.iter().map(|found| found.as_ref().ok().copied()).collect();
    let later = later_mentions(&same);
    let mut entries = Vec::new();
    for (at, ((target, found), later)) in targets.iter().zip(&found).zip(later).enumerate() {
        let left_to = later.map(LeftTo::Same);
        let found = found.as_ref().map_err(String::as_str);
        let is_late = call.is_late();
        session.begin_target(at);
        entries.push(result_of(target.into(), left_to, found, is_late, |object| write(session, call, at, *object)));
    }
    for landed in session.land()? {
        if let (Some(entry), Some(target)) = (entries.get_mut(landed.target), targets.get(landed.target)) {
            entry.take_late_failures(target.into(), &landed);
        }
    }
    target_result::answer(entries)
}
