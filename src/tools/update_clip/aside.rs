//! Clips that wait beside the others of their lane until they go where they are to go.

use super::clip_update::ClipUpdate;
use super::plan::Plan;
use crate::music::SAME_POSITION_BEATS;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path_format::path_and_id;
use crate::tools::error::ToolError;
use crate::tools::timeline::copy::{self, WaitingCopy};
use crate::tools::timeline::lane::{self, ClipSpan};
use crate::tools::timeline::lane_changes::{LaneBefore, LaneChanges};
use crate::tools::timeline::order::Aside;
use crate::tools::timeline::place::{self, ClipPlace};

/// A clip that waits, and where it was before the call.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// The copy that stands for it while it waits.
    pub clip: ObjectId,
    pub span: ClipSpan,
    lane: ObjectId,
    place: ClipPlace,
    pub is_back: bool,
}

impl Waiting {
    /// Notes a clip of the timeline that is about to wait as `waiting`.
    pub fn of(session: &dyn Session, clip: ObjectId, waiting: ObjectId) -> Result<Waiting, ToolError> {
        let lane = lane::of_clip(session, clip)?.ok_or_else(|| ToolError::new("the clip is on no lane"))?;
        let span = ClipSpan::read(session, clip)?;
        Ok(Waiting { clip: waiting, span, lane, place: place::of_clip(session, clip)?, is_back: false })
    }

    /// Says where a clip is that did not reach its destination; `None` once it has, or when it is deleted.
    pub fn whereabouts(&self, session: &dyn Session) -> Result<Option<String>, ModelError> {
        if !model_read::is_there(session, self.clip)? {
            return Ok(None);
        }
        let is = path_and_id(session, self.clip)?;
        Ok(Some(if self.is_back { format!("it is back at {is}") } else { format!("it was put aside and is at {is}") }))
    }

    /// Puts it back, unless another clip lies there now.
    pub fn bring_back(&mut self, session: &mut dyn Session, lanes: &mut LaneChanges) -> Result<(), ToolError> {
        let ClipSpan { start, end, .. } = self.span;
        if !model_read::is_there(session, self.clip)? || !lane::within(session, self.lane, start, end)?.is_empty() {
            return Ok(());
        }
        // It may have got longer: it spares what lies behind its place.
        let length = place::clip_length(session, self.clip)?;
        let behind = lane::within(session, self.lane, end, start + length)?;
        let most = behind.first().map_or(length, |next| next.start - start);
        self.clip = copy::relocate(session, self.clip, &self.place, Some(most), lanes)?.clip;
        self.is_back = true;
        Ok(())
    }
}

/// A copy for a clip that goes elsewhere and gets longer before it goes: it would go over what lies behind it, and of a
/// clip on a take lane all that it covers then stays. The copy gets longer instead, where nothing is in its way.
pub fn room_to_grow(
    plan: &Plan,
    update: &ClipUpdate,
    session: &mut dyn Session,
    at: usize,
) -> Result<Option<WaitingCopy>, ToolError> {
    let Some(to) = &update.to else { return Ok(None) };
    let from = place::of_clip(session, update.clip)?;
    let ClipPlace::Timeline { lane, at: start } = from else { return Ok(None) };
    if from.is_same(to) {
        return Ok(None);
    }
    let length = update.growing_length(plan, session)?;
    let span = ClipSpan::read(session, update.clip)?;
    if start + length <= span.end + SAME_POSITION_BEATS {
        return Ok(None);
    }
    let Some(on) = lane::of_clip(session, update.clip)? else { return Ok(None) };
    let holds_others =
        || Ok::<_, ToolError>(LaneBefore::read(session, on, span.end, start + length)?.holds_others(&[update.clip]));
    if lane.take_lane.is_none() && !holds_others()? {
        return Ok(None);
    }
    let mut kept = (start, start + length);
    if let ClipPlace::Timeline { lane: onto, at } = *to
        && onto.track == lane.track
    {
        kept = (kept.0.min(at), kept.1.max(at + length.max(update.length.unwrap_or_default())));
    }
    WaitingCopy::make(session, update.clip, &Aside { at, room: length, kept }).map(Some)
}
