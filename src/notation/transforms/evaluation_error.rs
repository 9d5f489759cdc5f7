//! Why an expression has no value.

use super::code::{Function, VARIABLES, Variable};

/// Why an expression has no value for a note.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum EvaluationError {
    #[error("the last selected note has no next one, so it stays as it is")]
    NoNext,
    #[error("{0} has no meaning for an audio clip")]
    NoteOnAudio(Name),
    #[error("{0} has no meaning for a MIDI clip")]
    AudioOnMidi(Name),
    #[error("{0} has no value in the arguments of ratchet, repeat and humanize, which are the same for all notes")]
    NoNote(Name),
    #[error("a value comes to no finite number")]
    NotFinite,
    #[error("the exponent of curve must be above 0")]
    Exponent,
    #[error("the grid of {0} must be above 0")]
    Grid(&'static str),
    #[error("the amount of swing must be smaller than its grid")]
    SwingAmount,
    #[error("the clip has no end after the last note, so its duration stays")]
    NoClipEnd,
    #[error("the result lies beyond 1,000,000,000 quarter beats")]
    TooFar,
}

/// What a message calls a variable or a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Name {
    Variable(Variable),
    Function(Function),
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Name::Variable(wanted) => {
                let known = VARIABLES.iter().find(|(_, _, variable)| variable == wanted);
                known.map_or(Ok(()), |(space, name, _)| write!(f, "{space}.{name}"))
            }
            Name::Function(function) => write!(f, "{}(...)", function.name()),
        }
    }
}
