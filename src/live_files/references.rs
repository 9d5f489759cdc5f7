//! What a clip, a track or a device refers to by a number, to be joined with the track, parameter or groove of that
//! number once all of them are known.

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

/// What automates a parameter in the Arrangement.
#[derive(Default)]
pub struct Envelope {
    pub first_value: String,
    /// Values as the file has them.
    pub points: Vec<EnvelopePoint>,
    /// The ways between points that are bent.
    pub bends: Vec<Bend>,
}

/// How the way from a point to the next bends: two control points, in shares of the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// The position of the point that it begins at.
    pub at: usize,
    /// x and y of the first, x and y of the second.
    pub controls: [f64; 4],
}

/// What a device listens to, as the file has it: `AudioIn/Track.10/PostFxOut`.
pub struct Source {
    pub device: Serial,
    pub class: String,
    pub target: String,
}

/// The groove of each clip that follows one.
pub type GroovesOfClips = Vec<(Serial, i64)>;
