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
    #[error("the preset is damaged at {place} (byte {at} of its XML): {why}")]
    DamagedPreset { place: String, at: u64, why: String },
    #[error("the preset is too large: more than {limit} {what}")]
    LargePreset { what: &'static str, limit: u64 },
    #[error("the preset cannot be: {0}")]
    ImpossiblePreset(String),
}

impl ReadError {
    /// The same of a preset, which is no Set.
    pub fn of_preset(self) -> ReadError {
        match self {
            ReadError::NotASet(why) => ReadError::NotAPreset(why),
            ReadError::Damaged { place, at, why } => ReadError::DamagedPreset { place, at, why },
            ReadError::TooLarge { what, limit } => ReadError::LargePreset { what, limit },
            ReadError::Impossible(why) => ReadError::ImpossiblePreset(why),
            other => other,
        }
    }
}
