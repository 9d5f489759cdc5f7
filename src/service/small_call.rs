//! Small calls, applied on the thread that read them: handing one to another thread and back costs more than the call
//! does, and far more while other programs have the cores. See D52 in `docs/decisions.md`.

use super::Service;
use super::apply_call::apply_call;
use super::call::{Application, Applied};
use super::hosts::Host;
use crate::object_model::history::Caller;
use crate::tools;
use crate::tools::batch;
use crate::tools::budget::{Budget, TimeLimit};
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use crate::tools::request::RequestContext;
use crate::tools::tool::Tool;
use serde_json::{Map, Value};
use std::time::{Duration, Instant};

/// Arguments with more text than this make no small call.
const SMALL_ARGUMENT_BYTES: usize = 1024;

/// The longest that a call is applied on the thread that read it, on which everybody else's calls wait meanwhile.
const SMALL_CALL_LIMIT: Duration = Duration::from_millis(1);

/// What a small call is prepared from: once more where it turns out to be none.
pub struct SmallCall {
    tool: &'static Tool,
    arguments: Map<String, Value>,
    view: RequestContext,
}

/// What became of a call that was to be applied at once.
pub enum AppliedHere {
    Applied(Applied),
    /// It has to wait for its turn.
    NotBegun(Application),
    /// It took longer than it may, and was dropped. It waits for its turn, too, once it is prepared anew.
    Dropped(DroppedCall),
}

/// A call without what was prepared of it.
pub struct DroppedCall {
    tool: &'static str,
    who: Caller,
    is_read: bool,
    context: CallContext,
    deadline: Instant,
    generation: u64,
}

impl DroppedCall {
    pub fn prepared_anew(self, small: SmallCall) -> Result<Application, ToolError> {
        let job = small.tool.prepare(small.arguments, &small.view)?;
        let DroppedCall { tool, who, is_read, context, deadline, generation } = self;
        Ok(Application { tool, who, is_read, job, context, deadline, generation })
    }
}

impl SmallCall {
    /// `None` for a call that is none.
    pub fn of(tool: &'static Tool, arguments: &Map<String, Value>, view: &RequestContext) -> Option<SmallCall> {
        is_small(tool, arguments).then(|| SmallCall { tool, arguments: arguments.clone(), view: view.clone() })
    }
}

/// Whether a batch is a small call. It is if each of its calls is, however many they are: it has the same time.
pub fn is_small_batch(arguments: &Map<String, Value>) -> bool {
    batch::named_calls(arguments).all(|(name, arguments)| {
        let of_name = tools::registry::all().iter().find(|tool| tool.name == name);
        of_name.is_some_and(|tool| is_small(tool, arguments.unwrap_or(&Map::new())))
    })
}

fn is_small(tool: &Tool, arguments: &Map<String, Value>) -> bool {
    (tool.small)(arguments)
        && !(tool.reads_files)(arguments)
        && !super::arguments::exceeds(arguments, SMALL_ARGUMENT_BYTES)
}

impl Service {
    /// Applies a small call on this thread: one that only reads, to the Set as it was committed last; another if nobody
    /// else has the Set or waits for it. What takes longer than it may is dropped: as a tool stops early only where it
    /// saw that its time was up, what is done in time is all that was asked for.
    pub(super) fn apply_here(&self, host: &Host, call: Application) -> AppliedHere {
        let (now, budget) = (Instant::now(), call.context.budget.clone());
        let guard = match () {
            () if budget.is_late() => None,
            () if call.is_read && call.job.is_read() => {
                host.set.reader().or_else(|| host.pump.guard_for_small_call(true))
            }
            () => host.pump.guard_for_small_call(call.is_read),
        };
        let Some(mut guard) = guard else { return AppliedHere::NotBegun(call) };
        // A budget of its own: what is used up here must not end the call that then waits for its turn.
        let limit = now + SMALL_CALL_LIMIT;
        let of_try = Budget::of_try(TimeLimit { started: now, timeout: SMALL_CALL_LIMIT });
        let Application { tool, who, is_read, job, context, deadline, generation } = call;
        let (caller, kept) = (who.clone(), context.clone());
        let context = CallContext { budget: of_try.clone(), ..context };
        let call = Application { tool, who, is_read, job, context, deadline, generation };
        let applied = apply_call(&*host.set, &mut *guard, call, || Instant::now() < limit);
        drop(guard);
        match applied {
            // What is put together afterwards has all the time that the call has.
            Some(Applied::Done(job, context)) => {
                of_try.hand_over(&budget);
                AppliedHere::Applied(Applied::Done(job, CallContext { budget, ..context }))
            }
            Some(applied) => AppliedHere::Applied(applied),
            None => {
                let (who, context) = (caller, kept);
                AppliedHere::Dropped(DroppedCall { tool, who, is_read, context, deadline, generation })
            }
        }
    }
}
