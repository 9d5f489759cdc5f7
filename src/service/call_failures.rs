//! How a call ends that gives no answer of its tool.

use super::types::{Answer, CallFailure};
use crate::tools::budget::TimeLimit;
use crate::tools::error::ToolError;
use crate::tools::tool::Tool;
use serde_json::Value;

/// A refusal is not longer; what it repeats of the caller's own is cut where it is repeated.
const LONGEST_REFUSAL_CHARS: usize = 8_000;

/// Ends the sentence on a call that failed while it was prepared, when no host had seen it.
pub const NOT_APPLIED: &str = "the Set is unchanged";

/// The failure of a call that panicked while it was prepared.
pub fn unexpected() -> CallFailure {
    CallFailure::Internal(format!("the tool failed unexpectedly; {NOT_APPLIED}"))
}

/// The failure of a call whose time is up; `left` says what it left behind, `waited_for` what kept it waiting, where
/// that was not its own work.
pub fn timed_out(tool: &Tool, limit: &TimeLimit, left: &str, waited_for: Option<String>) -> CallFailure {
    let (name, ms) = (tool.name, limit.timeout.as_millis());
    let fewer = || "name fewer targets in one call, or allow it more with timeoutMs".to_owned();
    let advice = waited_for.unwrap_or_else(fewer);
    CallFailure::TimedOut(format!("{name} could not finish within {ms} ms; {left}; {advice}"))
}

/// The answer of a call that its tool refused.
pub fn refused(refusal: &ToolError, warnings: Vec<String>) -> Answer {
    let mut text = refusal.to_string();
    if let Some((at, _)) = text.char_indices().nth(LONGEST_REFUSAL_CHARS) {
        text.truncate(at);
        text.push('…');
    }
    Answer { result: Value::String(text).into(), is_error: true, warnings, appended: Vec::new(), job: None }
}
