//! Changes of the Set that a job makes, after the call that started it was answered: on a draft, against the Set as it
//! is by then, as one step. See D137 in `docs/decisions.md`.

use super::apply_call::{REPLACED_WHILE_IT_RAN, nothing_written};
use super::hosts::Host;
use super::set_host::DraftOutcome;
use crate::jobs::JobControl;
use crate::object_model::history::{Caller, StepLabel};
use crate::tools::call::{Change, ChangeLater};
use crate::tools::error::{ErrorKind, ToolError};
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long another job's hold on the writes is waited for before it is looked again.
const HOLD_LIMIT: Duration = Duration::from_secs(1);

/// Changes for the jobs of one call.
pub struct LateChange {
    /// Whose Set the call was about.
    pub host: Arc<Host>,
    /// The host's generation when it came in.
    pub generation: u64,
    /// Label of the step.
    pub tool: &'static str,
    pub who: Caller,
}

impl ChangeLater for LateChange {
    /// As a batch, whoever is outrun by somebody else's write begins anew, and then with the writes of others held
    /// back.
    fn commit(&self, control: &JobControl, change: &Change<'_>) -> Result<Value, ToolError> {
        let Host { set, pump } = &*self.host;
        let mut hold = None;
        while !control.is_cancelled() {
            let Some(mut draft) = set.draft(StepLabel { tool: self.tool.into(), who: self.who.clone() }) else {
                let why = "a job changes nothing here: what this host is told, it does at once";
                return Err(ToolError { kind: ErrorKind::Unable, ..ToolError::new(why) });
            };
            let is_replaced = || self.generation != set.generation();
            if is_replaced() {
                return Err(ToolError::new(REPLACED_WHILE_IT_RAN));
            }
            let session = draft.session();
            let result = change(session)?;
            session.settle()?;
            if is_replaced() {
                return Err(ToolError::new(REPLACED_WHILE_IT_RAN));
            }
            if let Some(why) = set.write_refusal().filter(|_| draft.has_changes()) {
                return Err(nothing_written(&why));
            }
            let outcome = match &hold {
                None if pump.are_writes_held() => DraftOutcome::Outdated,
                _ => draft.commit(&mut || !is_replaced() && control.commit()),
            };
            match outcome {
                DraftOutcome::Committed(_) => return Ok(result),
                DraftOutcome::NotAllowed if is_replaced() => return Err(ToolError::new(REPLACED_WHILE_IT_RAN)),
                DraftOutcome::NotAllowed => break,
                DraftOutcome::Outdated => {}
            }
            hold = hold.or_else(|| pump.hold_writes(Instant::now() + HOLD_LIMIT));
        }
        Err(ToolError::new("the job was cancelled"))
    }
}
