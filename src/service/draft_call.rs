//! Calls that are carried out on a draft, a copy of the Set, by a worker: batches, which may take long, and dry runs,
//! of which nothing is kept. Meanwhile nobody waits for the Set. See D69 and D70 in `docs/decisions.md`.

use super::Service;
use super::apply_call::{REPLACED_WHILE_IT_RAN, nothing_written, refuse_nothing_done};
use super::call::{Applied, CommitOrTimeout};
use super::call_failures::timed_out;
use super::hosts::Host;
use super::pump::Pump;
use super::set_host::{DraftOutcome, SetHost};
use super::types::CallFailure;
use crate::object_model::history::{Caller, StepLabel};
use crate::tools;
use crate::tools::budget::TimeLimit;
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use crate::tools::request::RequestContext;
use crate::tools::tool::Tool;
use serde_json::{Map, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

/// A call for a draft.
pub struct DraftCall {
    pub tool: &'static Tool,
    /// Who called, for the undo step.
    pub who: Caller,
    pub arguments: Map<String, Value>,
    pub view: RequestContext,
    pub context: CallContext,
    /// Whose Set it is about.
    pub host: Arc<Host>,
    pub deadline: Instant,
    /// The host's generation when the call came in.
    pub generation: u64,
}

/// What became of a call for a draft.
pub enum Drafted {
    Applied(Applied),
    /// Refused while it was prepared.
    NotPrepared(ToolError),
    /// This host has no drafts; nothing was done.
    NoDrafts(Box<DraftCall>),
}

impl Service {
    /// Carries out a call on a draft, and makes that the Set unless it is a dry run.
    pub(super) async fn apply_to_draft(&self, call: DraftCall, limit: &TimeLimit) -> Result<Drafted, CallFailure> {
        let (tool, deadline) = (call.tool, call.deadline);
        let decision = CommitOrTimeout::default();
        let (host, told) = (call.host.clone(), decision.clone());
        let of_call = host.clone();
        let work = move || catch_unwind(AssertUnwindSafe(|| call.carry_out(&*of_call.set, &of_call.pump, &told)));
        let mut done = self.on_worker(work)?;
        let timed_out = || timed_out(tool, limit, host.set.after_failure(), host.set.waits_for());
        let drafted = match tokio::time::timeout_at(deadline.into(), &mut done).await {
            Ok(drafted) => drafted,
            Err(_) if decision.time_out() => return Err(timed_out()),
            // It committed at the last moment: its answer is on the way.
            Err(_) => done.await,
        };
        match drafted {
            Ok(Ok(Some(drafted))) => Ok(drafted),
            Ok(Ok(None)) => Err(timed_out()),
            Ok(Err(_)) => {
                let why = format!("the tool failed unexpectedly; {}", host.set.after_failure());
                Err(CallFailure::Internal(why))
            }
            Err(_) => Err(CallFailure::Internal("the device is shutting down".to_owned())),
        }
    }
}

impl DraftCall {
    /// `None` where its time was up before it could commit. Who is outrun by somebody else's write begins anew, once
    /// without being in anybody's way, and then with the writes of others held back.
    fn carry_out(self, host: &dyn SetHost, pump: &Pump, decision: &CommitOrTimeout) -> Option<Drafted> {
        let mut hold = None;
        loop {
            let Some(mut draft) = host.draft(StepLabel { tool: self.tool.name.into(), who: self.who.clone() }) else {
                return Some(Drafted::NoDrafts(Box::new(self)));
            };
            let replaced = || {
                let failed = || Drafted::Applied(Applied::Failed(REPLACED_WHILE_IT_RAN.to_owned()));
                (self.generation != host.generation()).then(failed)
            };
            if let Some(replaced) = replaced() {
                return Some(replaced);
            }
            let mut job = match self.tool.prepare(self.arguments.clone(), &self.view) {
                Ok(job) => job,
                Err(refusal) => return Some(Drafted::NotPrepared(refusal)),
            };
            let mut context = self.context.clone();
            let session = draft.session();
            let applied = tools::call::apply(&mut *job, session, &mut context);
            if let Err(refusal) = applied.and_then(|()| Ok(session.settle()?)) {
                return Some(Drafted::Applied(Applied::Refused(refusal)));
            }
            if let Err(late) = refuse_nothing_done(&*job, &context, || draft.has_effects()) {
                return Some(Drafted::Applied(Applied::Refused(late)));
            }
            context.left_unchanged = tools::call::is_update(self.tool.name) && !draft.has_changes();
            if let Some(replaced) = replaced() {
                return Some(replaced);
            }
            if let Some(why) = host.write_refusal().filter(|_| draft.has_changes()) {
                return Some(Drafted::Applied(Applied::Refused(nothing_written(&why))));
            }
            if self.context.dry_run {
                return Some(Drafted::Applied(Applied::Done(job, context)));
            }
            let outcome = match &hold {
                None if pump.are_writes_held() => DraftOutcome::Outdated,
                _ => draft.commit(&mut || decision.commit()),
            };
            match outcome {
                DraftOutcome::Committed(step) => {
                    context.step = step;
                    return Some(Drafted::Applied(Applied::Done(job, context)));
                }
                DraftOutcome::NotAllowed => return None,
                DraftOutcome::Outdated => {}
            }
            self.context.budget.begin_anew();
            hold = hold.or_else(|| pump.hold_writes(self.deadline));
        }
    }
}
