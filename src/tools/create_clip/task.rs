//! The clips of a call while they are made.

use super::content::ClipContent;
use super::plan::Plan;
use crate::music::Random;
use crate::object_model::ObjectId;
use crate::tools::clip::transforms::ClipOrdinal;
use crate::tools::timeline::lane::ClipSpan;
use crate::tools::timeline::lane_changes::LaneChanges;
use crate::tools::timeline::place::ClipPlace;

/// One clip to make.
pub struct ClipTask<'a> {
    pub ordinal: ClipOrdinal,
    pub place: &'a ClipPlace,
    /// The place as the caller named it.
    pub spelling: &'a str,
    pub content: &'a ClipContent,
}

/// What making the clips of a call shares.
pub struct ClipWriter<'a> {
    pub plan: &'a Plan,
    /// The Set's, in beats per minute.
    pub tempo: f64,
    /// What transforms draw from, one clip after the other.
    pub random: Random,
    /// The clips so far.
    pub made: Vec<MadeClip>,
    /// What they did to the others of their lanes.
    pub lanes: LaneChanges,
}

/// A clip that this call made.
pub struct MadeClip {
    /// The position of its destination in the call.
    pub at: usize,
    pub clip: ObjectId,
    pub place: ClipPlace,
    /// Where it lay when it was made; `None` in a slot.
    pub placed: Option<ClipSpan>,
}
