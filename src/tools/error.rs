//! Why a call, or a part of it, was refused.

use crate::music::excerpt::with_short_quotations;
use crate::object_model::ModelError;
use crate::object_model::wrapper::WrapperError;

/// A refusal, in a sentence that says what was wrong and what would be right. Code decides by `kind`, never by the
/// text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{text}")]
pub struct ToolError {
    pub kind: ErrorKind,
    /// The parameter that it is about, such as `path`; `None` where it is about the call or the Set.
    pub param: Option<String>,
    pub text: String,
}

/// What kind of refusal it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// What was sent cannot be, or does not suit its target.
    Refused,
    /// What was named is not there.
    NotFound,
    /// Targets were named, and nothing was sent to write.
    NothingToWrite,
    /// This host cannot do it, whatever is sent.
    Unable,
    /// The host's objects are in another program, which does not answer.
    Unreachable,
    /// The call's time, or something else of its budget, is used up.
    OverBudget,
}

impl ErrorKind {
    /// Whether it says nothing of one target, and ends the call.
    pub fn ends_call(self) -> bool {
        matches!(self, ErrorKind::Unreachable | ErrorKind::OverBudget)
    }
}

impl ToolError {
    /// Of kind [`ErrorKind::Refused`], about no parameter in particular. Long quotations in the text are cut short.
    pub fn new(text: impl Into<String>) -> ToolError {
        ToolError { kind: ErrorKind::Refused, param: None, text: with_short_quotations(text.into()) }
    }

    /// Of kind [`ErrorKind::Refused`], about a parameter: the text is `param: why`.
    pub fn about(param: &str, why: impl std::fmt::Display) -> ToolError {
        ToolError { param: Some(param.to_owned()), ..ToolError::new(format!("{param}: {why}")) }
    }

    /// The same, with what else there is to say of it: `text; more`.
    pub fn and(self, more: impl std::fmt::Display) -> ToolError {
        ToolError { text: format!("{}; {more}", self.text), ..self }
    }

    /// Of kind [`ErrorKind::NothingToWrite`]; `send` says what could be sent: `name or color beside the tracks`.
    pub fn nothing_to_write(send: &str) -> ToolError {
        ToolError { kind: ErrorKind::NothingToWrite, ..ToolError::new(format!("nothing to write: send {send}")) }
    }

    /// Of kind [`ErrorKind::NotFound`].
    pub fn not_found(text: impl Into<String>) -> ToolError {
        ToolError { kind: ErrorKind::NotFound, ..ToolError::new(text) }
    }
}

/// Of kind [`ErrorKind::Refused`], about no parameter in particular.
impl From<String> for ToolError {
    fn from(text: String) -> Self {
        ToolError::new(text)
    }
}

/// As from a `String`.
impl From<&str> for ToolError {
    fn from(text: &str) -> Self {
        ToolError::new(text)
    }
}

impl From<ModelError> for ToolError {
    fn from(error: ModelError) -> Self {
        let kind = match &error {
            ModelError::NoObject => ErrorKind::NotFound,
            ModelError::Unable(_) => ErrorKind::Unable,
            ModelError::Unreachable(_) => ErrorKind::Unreachable,
            ModelError::OverBudget(_) => ErrorKind::OverBudget,
            _ => ErrorKind::Refused,
        };
        ToolError { kind, ..ToolError::new(error.to_string()) }
    }
}

impl From<WrapperError> for ToolError {
    fn from(error: WrapperError) -> Self {
        match error {
            WrapperError::Misuse(text) => ToolError::new(text),
            WrapperError::Unreachable(error) => error.into(),
        }
    }
}
