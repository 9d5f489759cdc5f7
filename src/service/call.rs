//! One call on its way to the Set and back.

use crate::object_model::history::Caller;
use crate::tools::call::{CallContext, PreparedCall};
use crate::tools::error::ToolError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Instant;
use tokio::sync::oneshot;

const UNDECIDED: u8 = 0;
const COMMITTED: u8 = 1;
const TIMED_OUT: u8 = 2;

/// Whether a call committed or timed out. The pump and the caller's clock race for it; one compare-and-swap decides,
/// once.
#[derive(Clone, Debug, Default)]
pub struct CommitOrTimeout(Arc<AtomicU8>, Arc<AtomicBool>);

impl CommitOrTimeout {
    fn decide(&self, state: u8) -> bool {
        self.0.compare_exchange(UNDECIDED, state, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// True when the call may change the Set; from then on it can no longer time out.
    pub fn commit(&self) -> bool {
        self.decide(COMMITTED)
    }

    /// True when the call is over and will not commit.
    pub fn time_out(&self) -> bool {
        self.decide(TIMED_OUT)
    }

    /// The call is applied from now on.
    pub fn begin(&self) {
        self.1.store(true, Ordering::Release);
    }

    /// Whether anything of it was applied.
    pub fn has_begun(&self) -> bool {
        self.1.load(Ordering::Acquire)
    }

    pub fn has_timed_out(&self) -> bool {
        self.0.load(Ordering::Acquire) == TIMED_OUT
    }
}

/// A prepared call, as it is applied.
pub struct Application {
    /// Labels the undo step, with `who`.
    pub tool: &'static str,
    /// See [`CallRequest::who`](super::types::CallRequest).
    pub who: Caller,
    /// It changes nothing, so it need not wait while writes are held back.
    pub is_read: bool,
    pub job: Box<dyn PreparedCall>,
    pub context: CallContext,
    /// Nobody waits for it after this moment.
    pub deadline: Instant,
    /// The host's generation when the call came in.
    pub generation: u64,
}

/// What became of a call that was applied.
pub enum Applied {
    /// It was applied and committed; what is left is to put the answer together, away from the Set.
    Done(Box<dyn PreparedCall>, CallContext),
    /// The tool refused; nothing was committed.
    Refused(ToolError),
    /// It panicked, or the Set was replaced under it; nothing was committed.
    Failed(String),
}

/// A prepared call in the queue.
pub struct QueuedCall {
    pub call: Application,
    pub decision: CommitOrTimeout,
    pub reply: oneshot::Sender<Applied>,
}

impl QueuedCall {
    /// Nobody waits for it any more, so it is not begun.
    pub fn is_abandoned(&self, now: Instant) -> bool {
        self.reply.is_closed() || self.decision.has_timed_out() || now >= self.call.deadline
    }
}
