//! Why an audio file is not read.

use super::read_budget::LimitReached;

/// Why nothing is known of a file. The texts leave out the path: the caller knows it, and logs should not have it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProbeError {
    #[error("an audio file is named by its absolute path")]
    NotAbsolute,
    #[error("there is no such file")]
    Missing,
    #[error("the path is no file")]
    NotAFile,
    #[error("the file cannot be opened: {0}")]
    Unreadable(String),
    #[error("the file is no WAV, AIFF, FLAC, MP3 or Ogg Vorbis audio, or it is damaged")]
    NotAudio,
    #[error("the file holds no sound")]
    Empty,
    /// Sound of a kind that is known and not read, by its name.
    #[error("it is {0}, which is not read here; convert it to WAV or FLAC")]
    Packed(Box<str>),
    #[error("its sample rate or its channels change on the way; convert it to WAV or FLAC")]
    Changes,
    #[error("too long to be read: {0}")]
    TooLong(LimitReached),
}

impl From<LimitReached> for ProbeError {
    fn from(limit: LimitReached) -> Self {
        ProbeError::TooLong(limit)
    }
}

impl From<std::io::Error> for ProbeError {
    fn from(error: std::io::Error) -> Self {
        unopened(&error)
    }
}

/// The error of opening a file.
pub fn unopened(error: &std::io::Error) -> ProbeError {
    match error.kind() {
        std::io::ErrorKind::NotFound => ProbeError::Missing,
        kind => ProbeError::Unreadable(kind.to_string()),
    }
}
