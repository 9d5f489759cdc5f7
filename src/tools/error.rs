//! Why a call, or a part of it, was refused.

use crate::object_model::ModelError;

/// A refusal: the whole call, in a sentence that says what was wrong and what would be right.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub String);

impl ToolError {
    pub fn new(text: impl Into<String>) -> ToolError {
        ToolError(text.into())
    }
}

impl From<ModelError> for ToolError {
    fn from(error: ModelError) -> Self {
        ToolError(error.to_string())
    }
}
