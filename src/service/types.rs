//! What goes in and out of the service, independent of the network.

use super::profile::ProfileHeaders;
use crate::jobs::StartedJob;
use crate::object_model::history::Caller;
use crate::tools::answer_text::AnswerResult;
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Called when something happened; must not wait.
pub type Callback = Box<dyn Fn() + Send + Sync>;

/// One tool, as `GET /api/tools` shows it.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDescriptor {
    pub name: String,
    pub title: String,
    pub description: String,
    pub annotations: Annotations,
    pub input_schema: Value,
}

/// The tools that a request sees. Requests that see the same share one list.
pub type ToolList = Arc<[ToolDescriptor]>;

#[derive(Clone, Copy, Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    pub read_only_hint: bool,
    pub destructive_hint: bool,
}

/// One call of a tool.
pub struct CallRequest {
    pub tool: String,
    pub arguments: Map<String, Value>,
    pub headers: ProfileHeaders,
    /// `None`: the device's own time-out.
    pub timeout: Option<Duration>,
    /// The answer goes out as JSON, not as compact text.
    pub json: bool,
    /// The result may be written out already, in that form: nobody looks into it.
    pub as_text: bool,
    /// In small-model mode only what its schemas show is taken, as MCP does; REST takes all that there is in any mode.
    pub published_only: bool,
    /// Who calls, as the history tells it.
    pub who: Caller,
    /// A file that the user chose by hand for it, in a dialog: it may be read and written wherever it lies.
    pub chosen_file: Option<Arc<Path>>,
}

/// A call that ran: HTTP 200.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// On `is_error` always a plain string.
    pub result: AnswerResult,
    pub is_error: bool,
    /// Without the `WARNING:` prefix.
    pub warnings: Vec<String>,
    pub appended: Vec<String>,
    /// The job that the call started and that has not ended yet.
    pub job: Option<Arc<StartedJob>>,
}

/// A call that did not run to an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum CallFailure {
    /// 404: unknown, disabled or withheld.
    NoSuchTool(String),
    /// 400, with `details` (a list of `{path, message, allowed?}`).
    InvalidArguments { message: String, details: Value },
    /// 503.
    QueueFull(String),
    /// 504, `errorCode: "timeout"`.
    TimedOut(String),
    /// 500.
    Internal(String),
}

impl CallFailure {
    /// What went wrong, in words, without the details.
    pub fn message(&self) -> &str {
        match self {
            CallFailure::NoSuchTool(why)
            | CallFailure::InvalidArguments { message: why, .. }
            | CallFailure::QueueFull(why)
            | CallFailure::TimedOut(why)
            | CallFailure::Internal(why) => why,
        }
    }
}

/// `POST /config` refused: every bad member with its reason.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigRefusal {
    /// Member -> what is wrong, in the order of the body.
    pub fields: Vec<(String, String)>,
    /// Only when `tools` was bad.
    pub valid_tool_names: Option<Vec<String>>,
}
