//! What a clip or a device refers to by a number, to be joined with the track, parameter or groove of that number.

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

/// What a device listens to, as the file has it: `AudioIn/Track.10/PostFxOut`.
pub struct Source {
    pub device: Serial,
    pub class: String,
    pub target: String,
}

/// The groove of each clip that follows one.
pub type GroovesOfClips = Vec<(Serial, i64)>;
