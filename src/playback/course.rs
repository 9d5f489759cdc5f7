//! What a track plays, for who follows its clips.

use super::phase::ClipPhase;
use crate::set::document::ids::Serial;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Course {
    Silent,
    Session {
        clip: Serial,
        phase: ClipPhase,
    },
    /// Whatever lies in the Arrangement, if anything.
    Arrangement,
}
