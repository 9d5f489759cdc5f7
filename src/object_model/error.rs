//! Why the object model refused.

use super::ObjectId;
use thiserror::Error;

/// A read, write or call that could not be done. Nothing changed, unless it is [`ModelError::Unreachable`].
///
/// The raw tool answers each with the number 1, as Live's scripting layer does; tools turn the text into a `detail`.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ModelError {
    #[error("there is no such object (any more)")]
    NoObject,
    #[error("{class} has no member \"{member}\"")]
    UnknownMember { class: String, member: String },
    #[error("{member} cannot be written")]
    ReadOnly { member: String },
    #[error("{member} takes {expected}")]
    WrongType { member: String, expected: &'static str },
    #[error("{member} must be {range}")]
    OutOfRange { member: String, range: String },
    #[error("{function} takes {expected}")]
    BadArguments { function: String, expected: String },
    /// A track or chain holds one instrument; this is the one that is there.
    #[error("there is an instrument already, id {0}")]
    InstrumentAlready(ObjectId),
    /// A rule of the session that the table cannot state.
    #[error("{0}")]
    Refused(String),
    /// This host cannot do it at all; the text says why and what to do instead.
    #[error("{0}")]
    Unable(String),
    /// The host's objects are in another program, which does not answer; the text says what to do about it. A write may
    /// have landed or not.
    #[error("{0}")]
    Unreachable(String),
    /// The call may do no more: its time, or something else of its budget, is used up; the text says what. No host says
    /// so of itself.
    #[error("{0}")]
    OverBudget(String),
}

impl ModelError {
    pub fn refused(text: impl Into<String>) -> ModelError {
        ModelError::Refused(text.into())
    }

    /// Whether it says nothing of the object, and ends the call: nothing more can be read or written.
    pub fn ends_call(&self) -> bool {
        matches!(self, ModelError::Unreachable(_) | ModelError::OverBudget(_))
    }

    /// Whether the object, or that member of it, is not there. Every other error says nothing about what there is.
    pub fn is_absence(&self) -> bool {
        matches!(self, ModelError::NoObject | ModelError::UnknownMember { .. })
    }
}
