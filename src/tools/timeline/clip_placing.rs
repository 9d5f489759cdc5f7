//! Where a copy of a clip goes on the timeline, and how much it covers there.

use super::copy::{self, PlacedClip};
use super::lane::{self, ClipSpan, LaneBefore};
use super::place::{self, ClipPlace};
use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::path::LanePath;
use crate::tools::error::ToolError;

/// Refuses a copy that would end past the timeline. Only on a main lane does it take a length.
pub fn check_fits(
    session: &dyn Session,
    clip: ObjectId,
    to: &ClipPlace,
    length: Option<Beats>,
) -> Result<(), ToolError> {
    match length.filter(|_| is_main_lane(to)) {
        Some(length) => to.check_end(session, "arrangementLength", length),
        None => to.check_end(session, "toPath", place::clip_length(session, clip)?),
    }
}

/// Whether it is on a track, not on a take lane and not in a slot.
pub fn is_main_lane(to: &ClipPlace) -> bool {
    matches!(to, ClipPlace::Timeline { lane: LanePath { take_lane: None, .. }, .. })
}

/// Copies a clip to a place that was checked. One that is to be shorter there goes over no more than it will cover: it
/// is cut beside the clips of the lane first.
pub fn copy_to(
    session: &mut dyn Session,
    clip: ObjectId,
    to: &ClipPlace,
    length: Option<Beats>,
    own: &[ObjectId],
) -> Result<PlacedClip, ToolError> {
    let (Some(length), &ClipPlace::Timeline { lane, at }) = (length.filter(|_| is_main_lane(to)), to) else {
        return copy::copy(session, clip, to, own);
    };
    let whole = place::clip_length(session, clip)?;
    if length > whole - SAME_POSITION_BEATS {
        return copy::copy(session, clip, to, own);
    }
    let (track, _) = to.make(session)?;
    let free = lane::find_free_start(session, track, whole, (at, at + length))?;
    let aside = copy::copy(session, clip, &ClipPlace::Timeline { lane, at: free }, own)?;
    let start = ClipSpan::read(session, aside.clip)?.start;
    session.set_clip_end(aside.clip, start + length)?;
    let before = LaneBefore::read(session, track, at, at + length)?;
    let made = session.call(track, "duplicate_clip_to_arrangement", &[aside.clip.into(), at.into()])?;
    let made = made.as_object().ok_or_else(|| ToolError::new("no clip was made"))?;
    session.call(track, "delete_clip", &[aside.clip.into()])?;
    let mut details = aside.details;
    details.extend(before.describe_changes(session, own)?);
    Ok(PlacedClip { clip: made, created: None, details, left: None })
}
