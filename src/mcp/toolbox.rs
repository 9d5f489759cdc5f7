//! The tools that the protocol is spoken for.

use crate::events::EventHub;
use crate::service::{Answer, CallFailure, CallRequest, ProfileHeaders, ToolList};
use std::future::Future;
use std::sync::Arc;

/// What a server of the protocol shows and calls.
pub trait Toolbox: Send + Sync + 'static {
    /// The tools that a request with these headers sees. Must not wait.
    fn tools(&self, headers: &ProfileHeaders) -> ToolList;
    /// What happens, for clients that listen.
    fn events(&self) -> &Arc<EventHub>;
    /// Whether answers are JSON where a request does not say. Must not wait.
    fn json_output(&self) -> bool;
    /// Does work that is too long for the server's thread on another one; `None` when it failed or the server stops.
    fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> impl Future<Output = Option<T>> + Send;
    /// Runs a tool. The future is dropped when the client is gone.
    fn call(&self, request: CallRequest) -> impl Future<Output = Result<Answer, CallFailure>> + Send;
    /// What an answer has to say of what is not on the disk by now; waits for a moment for what is on its way there.
    fn save_warning(&self) -> impl Future<Output = Option<String>> + Send;
}
