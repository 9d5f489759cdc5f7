//! What the server answers from: the trait that its routes call.

use crate::events::EventHub;
use crate::service::{Answer, CallFailure, CallRequest, ConfigRefusal, ProfileHeaders, ToolList};
use crate::transfers::Transfers;
use serde_json::{Map, Value};
use std::future::Future;
use std::sync::Arc;

/// What the server serves. Everything but `call` is answered on the server's own thread and must not wait.
pub trait Backend: Send + Sync + 'static {
    /// What this request sees.
    fn tools(&self, headers: &ProfileHeaders) -> ToolList;
    /// Whether this request sees the tool. Asked before anything else about a call is checked.
    fn has_tool(&self, name: &str, headers: &ProfileHeaders) -> bool;
    /// Runs a tool. The future is dropped when the client is gone or the server stops.
    fn call(&self, request: CallRequest) -> impl Future<Output = Result<Answer, CallFailure>> + Send;
    /// Does work that is too long for the server's thread on another one; `None` when it failed or the server stops.
    fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> impl Future<Output = Option<T>> + Send;
    /// What an answer has to say of what is not on the disk by now; waits for a moment for what is on its way there.
    fn save_warning(&self) -> impl Future<Output = Option<String>> + Send;
    /// Whether MCP clients that do not say get JSON instead of compact text.
    fn json_output(&self) -> bool;
    /// The whole settings object.
    fn config(&self) -> Value;
    /// Changes settings, all or none; answers the whole object once the change is in force.
    fn change_config(&self, members: &Map<String, Value>) -> impl Future<Output = Result<Value, ConfigRefusal>> + Send;
    /// What happens.
    fn events(&self) -> &Arc<EventHub>;
    /// What those who follow the events are told first.
    fn greeting(&self) -> Map<String, Value>;
    /// The Set as a page shows it, as JSON; `None` when that failed or the device stops.
    fn view(&self) -> impl Future<Output = Option<String>> + Send;
    /// One clip as a page shows it; `Some(None)` where there is none of that id.
    fn clip_view(&self, id: u64) -> impl Future<Output = Option<Option<String>>> + Send;
    /// Files that come and leave; `None` where there is no folder for them.
    fn transfers(&self) -> Option<&Arc<Transfers>>;
    /// The last calls as JSON.
    fn last_calls(&self) -> impl Future<Output = Option<String>> + Send;
}
