//! The result of each target of a call, and the answer that is made of them.

use crate::object_model::host_values::LandedTarget;
use crate::tools::address::targets::Target;
use crate::tools::error::{ErrorKind, ToolError};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// The `detail` of a target that was not begun before the call's time ran out.
pub const NOT_REACHED: &str = "not reached before the time ran out; send it again";

/// Opens where something stands that was to go past the end: the last step of its path follows, and is written anew
/// where that changes.
pub const STANDS_AT_END: &str = ", so it stands at the end, ";

/// The end of a call that came to nothing of what it was to do before its time ran out.
pub fn not_reached() -> ToolError {
    ToolError { kind: ErrorKind::OverBudget, ..ToolError::new(NOT_REACHED) }
}

/// What was found of one target, or the `detail` that says why it was not. What [ends the
/// call](ErrorKind::ends_call) is said of no target.
pub fn or_detail<T>(found: Result<T, ToolError>) -> Result<Result<T, String>, ToolError> {
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(error) if error.kind.ends_call() => Err(error),
        Err(error) => Ok(Err(error.text)),
    }
}

/// One target's part of the answer.
#[derive(Clone, Debug, PartialEq)]
pub enum TargetResult {
    /// Something landed (or needed no doing); may carry a `detail`.
    Written(Map<String, Value>),
    /// Nothing asked of this target landed: `{id or path: as the caller wrote it, ok: false, detail}`.
    Skip { key: &'static str, spelling: String, detail: String },
    /// Left to the entry at `by`, later in the call, which names the same object or takes its place: only that one was
    /// carried out. `is_done`: what the later one did is what was asked of this one too.
    Superseded { key: &'static str, spelling: String, by: usize, detail: String, is_done: bool },
    /// Nothing asked of this target landed, and its object is no more: another target of the call went over it.
    /// `{path: where it was, ok: false, deleted: true, detail}`.
    Gone { path: String, detail: String },
}

/// A target as the caller named it: the parameter, and what stands in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mention<'a> {
    pub key: &'static str,
    pub spelling: &'a str,
}

impl<'a> From<&'a Target> for Mention<'a> {
    fn from(target: &'a Target) -> Self {
        Mention { key: target.key, spelling: &target.spelling }
    }
}

/// A later target of the call, by its position, which an earlier one is left to.
#[derive(Clone, Debug, PartialEq)]
pub enum LeftTo {
    /// It names the same object.
    Same(usize),
    /// It names the same place, which gets what the later one puts there.
    SamePlace(usize),
    /// It goes to `place`, where all of the earlier one is or would be.
    Over { by: usize, place: String },
}

/// The result of one target: it is left to a later one, or a skip where it was not found or where the time
/// ran out before it, or else written.
pub fn result_of<T>(
    mention: Mention,
    left_to: Option<LeftTo>,
    found: Result<T, &str>,
    is_late: bool,
    write: impl FnOnce(T) -> Result<Map<String, Value>, ToolError>,
) -> TargetResult {
    let Mention { key, spelling } = mention;
    match (left_to, found) {
        (Some(LeftTo::Same(by)), _) => TargetResult::superseded(key, spelling, by, true),
        (Some(LeftTo::SamePlace(by)), _) => TargetResult::superseded(key, spelling, by, false),
        (Some(LeftTo::Over { by, place }), _) => TargetResult::replaced(key, spelling, by, &place),
        (None, Err(why)) => TargetResult::skip(key, spelling, why),
        (None, Ok(_)) if is_late => TargetResult::skip(key, spelling, NOT_REACHED),
        (None, Ok(found)) => match write(found) {
            Ok(entry) => TargetResult::Written(entry),
            Err(error) => TargetResult::skip(key, spelling, error.text),
        },
    }
}

impl TargetResult {
    pub fn skip(key: &'static str, spelling: impl Into<String>, detail: impl Into<String>) -> TargetResult {
        TargetResult::Skip { key, spelling: spelling.into(), detail: detail.into() }
    }

    fn superseded(key: &'static str, spelling: impl Into<String>, by: usize, is_done: bool) -> TargetResult {
        let detail = "named again later in this call; the later one was carried out".to_owned();
        TargetResult::Superseded { key, spelling: spelling.into(), by, detail, is_done }
    }

    fn replaced(key: &'static str, spelling: impl Into<String>, by: usize, place: &str) -> TargetResult {
        let detail = format!("not carried out: {place}, later in this call, takes its place");
        TargetResult::Superseded { key, spelling: spelling.into(), by, detail, is_done: false }
    }

    /// The same of an object that is no more; `path` is where it was before the call. What was written, or is done by a
    /// later mention, stays as it is.
    pub fn into_gone(self, path: String) -> TargetResult {
        match self {
            TargetResult::Skip { detail, .. } | TargetResult::Superseded { detail, is_done: false, .. } => {
                TargetResult::Gone { path, detail }
            }
            other => other,
        }
    }

    /// Whether that is why nothing of it was carried out.
    pub fn is_skipped_as(&self, why: &str) -> bool {
        matches!(self, TargetResult::Skip { detail, .. } if detail == why)
    }

    /// A host that writes late says that it could not.
    pub fn take_late_failures(&mut self, mention: Mention, landed: &LandedTarget) {
        if landed.failed.is_empty() {
            return;
        }
        let why = landed.failed.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        match self {
            TargetResult::Written(entry) if landed.landed > 0 => {
                add_detail(entry, format!("not all of it landed: {why}"));
            }
            TargetResult::Written(_) => *self = TargetResult::skip(mention.key, mention.spelling, why),
            // What was not made was found missing afterwards: why it was not made says more.
            TargetResult::Skip { detail, .. } if landed.landed == 0 => *detail = why,
            _ => {}
        }
    }

    /// The entry of what was written.
    pub fn written_mut(&mut self) -> Option<&mut Map<String, Value>> {
        match self {
            TargetResult::Written(map) => Some(map),
            _ => None,
        }
    }

    fn into_json(self) -> Value {
        match self {
            TargetResult::Written(map) => Value::Object(map),
            TargetResult::Skip { key, spelling, detail } => json!({ key: spelling, "ok": false, "detail": detail }),
            TargetResult::Superseded { key, spelling, detail, is_done: true, .. } => {
                json!({ key: spelling, "detail": detail })
            }
            TargetResult::Superseded { key, spelling, detail, .. } => {
                json!({ key: spelling, "ok": false, "detail": detail })
            }
            TargetResult::Gone { path, detail } => {
                json!({ "path": path, "ok": false, "deleted": true, "detail": detail })
            }
        }
    }
}

/// Adds a sentence to an entry's `detail`.
pub fn add_detail(entry: &mut Map<String, Value>, detail: impl AsRef<str>) {
    let text = match entry.get("detail").and_then(Value::as_str) {
        Some(before) => format!("{before}; {}", detail.as_ref()),
        None => detail.as_ref().to_owned(),
    };
    entry.insert("detail".to_owned(), Value::String(text));
}

/// Of each target the next one that is the same, by position.
pub fn later_mentions<T: Eq + Hash>(targets: &[Option<T>]) -> Vec<Option<usize>> {
    let mut later = vec![None; targets.len()];
    if targets.len() < 2 {
        return later;
    }
    let mut next: HashMap<&T, usize> = HashMap::new();
    for ((at, target), later) in targets.iter().enumerate().zip(&mut later).rev() {
        *later = target.as_ref().and_then(|target| next.insert(target, at));
    }
    later
}

/// Makes skips of what was left to a later target that then landed nothing; `why` says so, given that one's reason. One
/// that was left to such a skip has the same reason: none quotes another's sentence.
fn settle(entries: &mut [TargetResult], why: impl Fn(&str) -> String) {
    let mut reasons: Vec<Option<Arc<str>>> = vec![None; entries.len()];
    for at in (0..entries.len()).rev() {
        let (reason, settled) = match entries.get(at) {
            Some(TargetResult::Skip { detail, .. } | TargetResult::Gone { detail, .. }) => {
                (Some(Arc::from(detail.as_str())), None)
            }
            Some(TargetResult::Superseded { key, spelling, by, .. }) => {
                let reason = reasons.get(*by).cloned().flatten();
                let settled = reason.as_deref().map(|reason| TargetResult::skip(key, spelling, why(reason)));
                (reason, settled)
            }
            _ => continue,
        };
        if let (Some(entry), Some(settled)) = (entries.get_mut(at), settled) {
            *entry = settled;
        }
        if let Some(slot) = reasons.get_mut(at) {
            *slot = reason;
        }
    }
}

/// The sentence of a target that was left to a later one, with the reason why nothing landed there.
fn left_in_vain(detail: &str) -> String {
    format!("left to its later mention in this call, where nothing landed: {detail}")
}

/// The entries of a call's targets, in call order.
pub fn values(mut entries: Vec<TargetResult>) -> Vec<Value> {
    settle(&mut entries, left_in_vain);
    entries.into_iter().map(TargetResult::into_json).collect()
}

/// The entries of the items inside one target's entry, in their order.
pub fn item_values(mut entries: Vec<TargetResult>) -> Vec<Value> {
    settle(&mut entries, |_| "left to its later mention in this call, where nothing landed".to_owned());
    entries.into_iter().map(TargetResult::into_json).collect()
}

/// As [`answer`], with further entries behind those of some targets: what was made of them besides.
pub fn answer_with(entries: Vec<TargetResult>, mut further: Vec<Vec<Map<String, Value>>>) -> Result<Value, ToolError> {
    if further.iter().all(Vec::is_empty) {
        return answer(entries);
    }
    let mut all = Vec::new();
    for (at, value) in values(entries).into_iter().enumerate() {
        all.push(value);
        let more = further.get_mut(at).map(std::mem::take).unwrap_or_default();
        all.extend(more.into_iter().map(Value::Object));
    }
    Ok(Value::Array(all))
}

/// The refusal of a call whose only target was a skip of that detail.
pub fn refusal(detail: &str) -> ToolError {
    if detail == NOT_REACHED { not_reached() } else { ToolError::new(detail) }
}

/// The answer of a call: one entry for each target in call order; a lone target's entry stands alone, and a lone skip
/// is the whole call's refusal.
pub fn answer(entries: Vec<TargetResult>) -> Result<Value, ToolError> {
    let mut entries = entries;
    settle(&mut entries, left_in_vain);
    match entries.len() {
        1 => match entries.pop() {
            Some(TargetResult::Skip { detail, .. }) => Err(refusal(&detail)),
            Some(entry) => Ok(entry.into_json()),
            None => Ok(Value::Null),
        },
        _ => Ok(Value::Array(entries.into_iter().map(TargetResult::into_json).collect())),
    }
}
