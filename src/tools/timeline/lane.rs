//! The clips of a lane around a span of the timeline, and what became of them.

use crate::music::{Beats, SAME_POSITION_BEATS, duration, position};
use crate::object_model::limits::ARRANGEMENT_END_BEATS;
use crate::object_model::scope::{Part, Shape};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, count_if_any, number};
use crate::tools::error::ToolError;

/// A clip on the timeline, in quarter beats of the song.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipSpan {
    pub id: ObjectId,
    pub start: Beats,
    pub end: Beats,
}

impl ClipSpan {
    pub fn read(session: &dyn Session, clip: ObjectId) -> Result<ClipSpan, ModelError> {
        let member = |name| number(session, clip, name);
        Ok(ClipSpan { id: clip, start: member("start_time")?, end: member("end_time")? })
    }
}

/// The clips of a Track or TakeLane that reach into a span.
pub fn within(session: &dyn Session, lane: ObjectId, from: Beats, to: Beats) -> Result<Vec<ClipSpan>, ModelError> {
    let clips = || Shape::default().below("arrangement_clips", Shape::of(&["start_time", "end_time"]));
    let parts = || Ok(vec![Part::of_id(lane, clips())]);
    model_read::through_snapshot(session, &parts, |session| within_lane(session, lane, from, to))
}

fn within_lane(session: &dyn Session, lane: ObjectId, from: Beats, to: Beats) -> Result<Vec<ClipSpan>, ModelError> {
    let at = |index| -> Result<Option<ClipSpan>, ModelError> {
        let clip = session.child_at(lane, "arrangement_clips", index)?;
        clip.map(|clip| ClipSpan::read(session, clip)).transpose()
    };
    // Clips of a lane are sorted and do not overlap: those before the first that ends after `from` are out of the way.
    let (mut low, mut high) = (0, count_if_any(session, lane, "arrangement_clips")?);
    while low < high {
        let middle = low + (high - low) / 2;
        let ends_before = at(middle)?.is_some_and(|clip| clip.end <= from + SAME_POSITION_BEATS);
        if ends_before { low = middle + 1 } else { high = middle }
    }
    let mut found = Vec::new();
    while let Some(clip) = at(low)?.filter(|clip| clip.start < to - SAME_POSITION_BEATS) {
        found.push(clip);
        low += 1;
    }
    Ok(found)
}

/// Where the last clip of a lane ends; 0 for an empty one.
pub fn end(session: &dyn Session, lane: ObjectId) -> Result<Beats, ModelError> {
    let Some(last) = count_if_any(session, lane, "arrangement_clips")?.checked_sub(1) else { return Ok(0.0) };
    let clip = session.child_at(lane, "arrangement_clips", last)?;
    clip.map_or(Ok(0.0), |clip| number(session, clip, "end_time"))
}

/// Where on a lane a clip of that length may wait for its place, without going over another clip or over the `kept`
/// span: past all of them, or where the timeline ends too soon for that, in a gap.
pub fn find_free_start(
    session: &dyn Session,
    lane: ObjectId,
    length: Beats,
    kept: (Beats, Beats),
) -> Result<Beats, ToolError> {
    let behind = end(session, lane)?.max(kept.1) + 1.0;
    if behind + length <= ARRANGEMENT_END_BEATS {
        return Ok(behind);
    }
    let clips = within(session, lane, 0.0, f64::INFINITY)?;
    let mut taken: Vec<(Beats, Beats)> = clips.into_iter().map(|clip| (clip.start, clip.end)).collect();
    taken.extend([kept, (ARRANGEMENT_END_BEATS, ARRANGEMENT_END_BEATS)]);
    taken.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut free = 0.0;
    for (from, to) in taken {
        if from - free >= length {
            return Ok(free);
        }
        free = to.max(free);
    }
    Err(ToolError::new(
        "the clip would have to wait beside its place for a moment, and its lane has no room for it; make some, or shorten it",
    ))
}

/// The lane that a clip lies on, a Track or TakeLane; `None` for a clip of the Session.
pub fn of_clip(session: &dyn Session, clip: ObjectId) -> Result<Option<ObjectId>, ModelError> {
    if !model_read::flag(session, clip, "is_arrangement_clip")? {
        return Ok(None);
    }
    model_read::child(session, clip, "canonical_parent")
}

/// A moment of the song as paths write it.
pub fn position_text(session: &dyn Session, at: Beats) -> Result<String, ModelError> {
    let meter = model_read::song_meter(session)?;
    Ok(meter.map_or_else(|| at.to_string(), |meter| position::format(at, meter)))
}

/// Refuses a clip that would end past the last position there is, found out before anything is written; `parameter` is
/// what asked for it.
pub fn check_end(session: &dyn Session, parameter: &str, start: Beats, length: Beats) -> Result<(), ToolError> {
    if start + length <= ARRANGEMENT_END_BEATS + SAME_POSITION_BEATS {
        return Ok(());
    }
    let last = position_text(session, ARRANGEMENT_END_BEATS)?;
    let room = ARRANGEMENT_END_BEATS - start;
    let from = position_text(session, start)?;
    let right = if room > SAME_POSITION_BEATS {
        let meter = model_read::meter(session, model_read::song(session)?)?;
        format!("from {from} there is room for {}", duration::format(room, meter))
    } else {
        format!("at {from} there is room for none")
    };
    Err(ToolError::about(
        parameter,
        format!("the clip would end past the last position of the arrangement, {last}; {right}"),
    ))
}
