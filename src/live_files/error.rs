//! Why a file was not read.

/// Each says what is wrong, and where in the XML.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadError {
    #[error("the file could not be read: {0}")]
    Disk(String),
    #[error("the file is no Live Set: {0}")]
    NotASet(String),
    #[error("the file is no preset of Live's: {0}")]
    NotAPreset(String),
    /// `place` is the elements around it, such as `/Ableton/LiveSet/Tracks`; `at` counts the bytes of the XML.
    #[error("the file is damaged at {place} (byte {at} of its XML): {why}")]
    Damaged { place: String, at: u64, why: String },
    #[error("the file is too large: more than {limit} {what}")]
    TooLarge { what: &'static str, limit: u64 },
    /// Every part could be read, and together they are no Set.
    #[error("the file cannot be read as what it says: {0}")]
    Impossible(String),
}
