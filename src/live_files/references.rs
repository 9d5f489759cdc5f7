//! What a clip refers to by a number, to be joined with the parameter or the groove once all of them are known.

use crate::object_model::EnvelopePoint;
use crate::set::document::ids::Serial;

/// What is drawn in a clip.
pub struct DrawnEnvelope {
    pub clip: Serial,
    /// The number that the parameter is automated by.
    pub target: i64,
    /// Values as the file has them.
    pub points: Vec<EnvelopePoint>,
}

/// The groove of each clip that follows one.
pub type GroovesOfClips = Vec<(Serial, i64)>;
