//! Making take lanes. They can never be deleted, so nothing makes more of them on a track than
//! [`MAX_TAKE_LANES`].

use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path::TrackPath;
use crate::tools::address::path_format;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::or_detail;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The most take lanes that we make on a track.
pub const MAX_TAKE_LANES: usize = 10;

/// Numbers the lanes that the places of one call name: each `l+` is one more than there will be by then.
#[derive(Default)]
pub struct LaneNumbers {
    /// By the track's index: how many lanes it will have.
    planned: HashMap<usize, usize>,
}

impl LaneNumbers {
    /// The number of the lane of that track that a place names; `None` is `l+`.
    pub fn number(&mut self, session: &dyn Session, track: usize, lane: Option<usize>) -> Result<usize, ToolError> {
        let planned = match self.planned.entry(track) {
            Entry::Occupied(planned) => planned.into_mut(),
            Entry::Vacant(first) => {
                // That there is no such track is said of the place.
                let there = or_detail(model_read::track(session, TrackPath::Regular(track)))?.ok();
                let lanes = there.map(|track| model_read::count_if_any(session, track, "take_lanes")).transpose()?;
                first.insert(lanes.unwrap_or(0))
            }
        };
        let at = lane.unwrap_or(*planned);
        if at < MAX_TAKE_LANES {
            *planned = (*planned).max(at.saturating_add(1));
        }
        Ok(at)
    }
}

/// Why this track takes no lane of that index, neither there nor to be made.
pub fn refusal(session: &dyn Session, track: ObjectId, lane: usize) -> Result<Option<String>, ModelError> {
    if lane < model_read::count_if_any(session, track, "take_lanes")? {
        return Ok(None);
    }
    let named = path_format::path_and_id(session, track)?;
    let takes_clips =
        model_read::flag(session, track, "has_midi_input")? || model_read::flag(session, track, "has_audio_input")?;
    if !takes_clips {
        return Ok(Some(format!("{named} has no take lanes; only MIDI and audio tracks do")));
    }
    Ok((lane >= MAX_TAKE_LANES).then(|| {
        format!(
            "{named}: take lanes cannot be deleted, so at most {MAX_TAKE_LANES} are made on a track (up to l{})",
            MAX_TAKE_LANES - 1
        )
    }))
}

/// The lane of that index; those up to it that are missing are made. Gives what was made, as `l1-l3`.
pub fn make_up_to(
    session: &mut dyn Session,
    track: ObjectId,
    lane: usize,
) -> Result<(ObjectId, Option<String>), ToolError> {
    if let Some(why) = refusal(session, track, lane)? {
        return Err(ToolError::new(why));
    }
    let before = model_read::count(session, track, "take_lanes")?;
    for _ in before..=lane {
        session.call(track, "create_take_lane", &[])?;
    }
    let id = session.child_at(track, "take_lanes", lane)?;
    let id = id.ok_or_else(|| ToolError::new("the take lane was not made"))?;
    Ok((id, path_format::created_range('l', before, lane)))
}
