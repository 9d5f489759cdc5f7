//! One prepared call applied to the Set, in a transaction of its own: by a slice of the pump, or on the thread that
//! read it.

use super::call::{Application, Applied};
use super::set_host::{SetGuard, SetHost};
use crate::object_model::history::StepLabel;
use crate::tools;
use crate::tools::call::{CallContext, PreparedCall};
use crate::tools::error::{ErrorKind, ToolError};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a call that ran comes to nothing when another Set was put in place meanwhile.
pub const REPLACED_WHILE_IT_RAN: &str = "the Set was replaced while the call ran; send it again";

/// The refusal of a call that changed the Set where the host takes no writes.
pub fn nothing_written(why: &str) -> ToolError {
    ToolError::new(format!("nothing was written: {why}"))
}

/// Refuses a call that would answer that it came to none of its targets in time: with nothing done its time-out is all
/// there is to tell. A read that came to some of them tells of those.
pub fn refuse_nothing_done(
    job: &dyn PreparedCall,
    context: &CallContext,
    has_effects: impl FnOnce() -> bool,
) -> Result<(), ToolError> {
    if job.is_read() || has_effects() { Ok(()) } else { Ok(context.budget.refuse_a_part()?) }
}

/// Applies a call, and commits it if `may_commit`, which is asked once, when all is done, says so. `None` where it does
/// not: nothing was committed, and nothing is answered from it.
pub fn apply_call(
    host: &dyn SetHost,
    guard: &mut dyn SetGuard,
    call: Application,
    may_commit: impl FnOnce() -> bool,
) -> Option<Applied> {
    let Application { tool, who, mut job, mut context, deadline, generation, .. } = call;
    let is_update = tools::call::is_update(tool);
    guard.take_pending();
    if generation != host.generation() {
        return Some(Applied::Failed("the Set was replaced while the call waited; send it again".to_owned()));
    }
    let mut transaction = guard.begin(StepLabel { tool: tool.into(), who }, deadline);
    let applied = catch_unwind(AssertUnwindSafe(|| {
        let session = transaction.session();
        let applied = tools::call::apply(&mut *job, session, &mut context);
        let settled = session.settle();
        applied.and_then(|()| Ok(settled?))
    }));
    // What another program was told cannot be taken back by saying that it was not.
    if host.is_atomic() && generation != host.generation() && matches!(applied, Ok(Ok(()))) {
        return Some(Applied::Failed(REPLACED_WHILE_IT_RAN.to_owned()));
    }
    let applied =
        applied.map(|done| done.and_then(|()| refuse_nothing_done(&*job, &context, || transaction.has_effects())));
    let has_changes = transaction.has_changes();
    context.left_unchanged = is_update && !has_changes;
    let refusal = match &applied {
        Ok(Ok(())) if has_changes => host.write_refusal(),
        _ => None,
    };
    if !may_commit() {
        return None;
    }
    Some(match applied {
        Ok(Ok(())) => {
            if let Some(why) = refusal {
                return Some(Applied::Refused(nothing_written(&why)));
            }
            context.warnings.extend(transaction.remarks());
            context.step = transaction.commit();
            Applied::Done(job, context)
        }
        // What was done by then is not taken back everywhere.
        Ok(Err(refusal)) if !host.is_atomic() && (has_changes || refusal.kind == ErrorKind::Unreachable) => {
            Applied::Refused(refusal.and(host.after_failure()))
        }
        Ok(Err(refusal)) => Applied::Refused(refusal),
        Err(_) => Applied::Failed(format!("the tool failed unexpectedly; {}", host.after_failure())),
    })
}
