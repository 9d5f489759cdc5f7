//! One call on its way to the Set and back.

use crate::tools::call::{CallContext, PreparedCall};
use crate::tools::error::ToolError;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;
use tokio::sync::oneshot;

const WAITING: u8 = 0;
const COMMITTED: u8 = 1;
const TIMED_OUT: u8 = 2;

/// Who won: the pump that committed, or the clock. Decided once, by one compare-and-swap.
#[derive(Clone, Debug, Default)]
pub struct Outcome(Arc<AtomicU8>);

impl Outcome {
    fn win(&self, as_what: u8) -> bool {
        self.0.compare_exchange(WAITING, as_what, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// True when the call may change the Set; from then on it can no longer time out.
    pub fn commit(&self) -> bool {
        self.win(COMMITTED)
    }

    /// True when the call is over and will change nothing.
    pub fn time_out(&self) -> bool {
        self.win(TIMED_OUT)
    }

    pub fn timed_out(&self) -> bool {
        self.0.load(Ordering::Acquire) == TIMED_OUT
    }
}

/// What the pump made of a call.
pub enum Applied {
    /// It was applied and committed; what is left is to put the answer together, away from the Set.
    Done(Box<dyn PreparedCall>, CallContext),
    /// The tool refused; nothing changed.
    Refused(ToolError),
    /// It panicked, or the Set was replaced under it; nothing changed.
    Failed(String),
}

/// A prepared call in the queue.
pub struct QueuedCall {
    /// Names the undo step.
    pub tool: &'static str,
    pub job: Box<dyn PreparedCall>,
    pub context: CallContext,
    pub outcome: Outcome,
    pub deadline: Instant,
    /// The keeper's generation when the call came in.
    pub generation: u64,
    pub reply: oneshot::Sender<Applied>,
}

impl QueuedCall {
    /// Nobody waits for it any more, so it is not begun.
    pub fn is_pointless(&self, now: Instant) -> bool {
        self.reply.is_closed() || self.outcome.timed_out() || now >= self.deadline
    }
}
