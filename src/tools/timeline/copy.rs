//! Copying and moving a clip to a slot, to the timeline or onto a take lane.
//!
//! Between slots, and from anywhere but a take lane to a main lane, a copy is whole. Into a slot from the timeline, and
//! onto or off a take lane, it is a new clip with the same notes or file: envelopes are lost then, and warp markers
//! start over.

use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{self, flag, number};
use crate::tools::address::path_format::path_and_id;
use crate::tools::error::ToolError;
use crate::tools::timeline::lane::{self, ClipSpan};
use crate::tools::timeline::lane_changes::{LaneBefore, LaneChanges};
use crate::tools::timeline::order::Aside;
use crate::tools::timeline::place::{self, ClipPlace};

/// A clip at its new place.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedClip {
    pub clip: ObjectId,
    /// Scenes or take lanes made on the way, such as `s8-s9`.
    pub created: Option<String>,
    /// What it cost, and what did not come along.
    pub details: Vec<String>,
    /// What is left of it on the take lane that it moved off.
    pub left: Option<LeftOnLane>,
}

/// Copies a clip to a place that was [checked](ClipPlace::check).
pub fn copy(
    session: &mut dyn Session,
    clip: ObjectId,
    to: &ClipPlace,
    lanes: &mut LaneChanges,
) -> Result<PlacedClip, ToolError> {
    let (onto, created) = to.make(session)?;
    let spelled = to.spelled(session)?;
    let mut landed = match to {
        ClipPlace::Slot { .. } => into_slot(session, clip, onto, &spelled)?,
        ClipPlace::Timeline { at, .. } => onto_lane(session, clip, onto, *at, lanes)?,
    };
    landed.created = created;
    Ok(landed)
}

/// As [`copy`], covering no more than `length` of a main lane: one that is longer is cut beside the clips of the lane
/// first, so that it goes over nothing that it does not end up covering.
pub fn copy_covering(
    session: &mut dyn Session,
    clip: ObjectId,
    to: &ClipPlace,
    length: Option<Beats>,
    lanes: &mut LaneChanges,
) -> Result<PlacedClip, ToolError> {
    let (Some(length), &ClipPlace::Timeline { lane, at }) = (length.filter(|_| to.is_main_lane()), to) else {
        return copy(session, clip, to, lanes);
    };
    let whole = place::clip_length(session, clip)?;
    if length > whole - SAME_POSITION_BEATS {
        return copy(session, clip, to, lanes);
    }
    let (track, _) = to.make(session)?;
    let free = lane::find_free_start(session, track, whole, (at, at + length))?;
    let aside = copy(session, clip, &ClipPlace::Timeline { lane, at: free }, lanes)?;
    let start = ClipSpan::read(session, aside.clip)?.start;
    session.set_clip_end(aside.clip, start + length)?;
    let before = LaneBefore::read(session, track, at, at + length)?;
    let made = duplicate_to(session, track, aside.clip, at)?;
    session.call(track, "delete_clip", &[aside.clip.into()])?;
    lanes.record(session, &before, &[made])?;
    Ok(PlacedClip { clip: made, created: None, details: aside.details, left: None })
}

/// A copy of a clip at that moment of a track, as long as it is.
pub fn duplicate_to(
    session: &mut dyn Session,
    track: ObjectId,
    clip: ObjectId,
    at: Beats,
) -> Result<ObjectId, ToolError> {
    let made = session.call(track, "duplicate_clip_to_arrangement", &[clip.into(), at.into()])?;
    made.as_object().ok_or_else(|| ToolError::new("no clip was made"))
}

fn into_slot(
    session: &mut dyn Session,
    clip: ObjectId,
    slot: ObjectId,
    spelled: &str,
) -> Result<PlacedClip, ToolError> {
    let mut details = Vec::new();
    let replaced = model_read::child(session, slot, "clip")?;
    if let Some(old) = replaced {
        details.push(format!("replaced the clip that was at {spelled}"));
        if flag(session, old, "is_playing")? {
            details.push("that clip was playing and has stopped".to_owned());
        }
    }
    let source_slot = model_read::child(session, clip, "canonical_parent")?;
    let source_slot = model_read::find(source_slot, |parent| {
        Ok::<_, ModelError>(model_read::class(session, parent)? == Some("ClipSlot"))
    })?;
    let new = match source_slot {
        Some(from) => {
            session.call_later(from, "duplicate_clip_to", &[slot.into()])?;
            model_read::child(session, slot, "clip")?
                .ok_or_else(|| ToolError::new(format!("{spelled}: no clip was made")))?
        }
        None => rebuilt(session, clip, slot, 0.0, &mut details)?,
    };
    Ok(PlacedClip { clip: new, created: None, details, left: None })
}

fn onto_lane(
    session: &mut dyn Session,
    clip: ObjectId,
    lane: ObjectId,
    at: Beats,
    lanes: &mut LaneChanges,
) -> Result<PlacedClip, ToolError> {
    let length = place::clip_length(session, clip)?;
    let in_session = !flag(session, clip, "is_arrangement_clip")?;
    let before = LaneBefore::read(session, lane, at, at + length)?;
    let mut details = Vec::new();
    let off_lane = flag(session, clip, "is_take_lane_clip")?;
    let new = if off_lane || model_read::class(session, lane)? == Some("TakeLane") {
        rebuilt(session, clip, lane, at, &mut details)?
    } else {
        if flag(session, clip, "has_envelopes")? && !flag(session, clip, "is_arrangement_clip")? {
            details.push("its envelopes are automation of the track there, which no tool reads or draws".to_owned());
        }
        duplicate_to(session, lane, clip, at)?
    };
    if in_session && at + length - number(session, new, "end_time")? > SAME_POSITION_BEATS {
        // Of a loop with a pre-roll the host lays only as much as the loop is long.
        session.set_clip_end(new, at + length)?;
    }
    lanes.record(session, &before, &[new])?;
    Ok(PlacedClip { clip: new, created: None, details, left: None })
}

fn rebuilt(
    session: &mut dyn Session,
    clip: ObjectId,
    onto: ObjectId,
    at: Beats,
    details: &mut Vec<String>,
) -> Result<ObjectId, ToolError> {
    if flag(session, clip, "has_envelopes")? {
        details.push("a new clip was built there, without the envelopes".to_owned());
    }
    if flag(session, clip, "is_audio_clip")? && flag(session, clip, "warping")? {
        details.push("a new clip was built there; its warp markers start over".to_owned());
    }
    Ok(session.rebuild_clip(clip, onto, at)?)
}

/// Moves a clip to a place that was [checked](ClipPlace::check), where it covers no more than `length` of a main lane.
/// It is a new clip then, unless it is there already.
pub fn relocate(
    session: &mut dyn Session,
    clip: ObjectId,
    to: &ClipPlace,
    length: Option<Beats>,
    lanes: &mut LaneChanges,
) -> Result<PlacedClip, ToolError> {
    let from = place::of_clip(session, clip)?;
    if from.is_same(to) {
        let details = vec![format!("it is at {} already", to.spelled(session)?)];
        return Ok(PlacedClip { clip, created: None, details, left: None });
    }
    let was_playing = flag(session, clip, "is_playing")? && !flag(session, clip, "is_arrangement_clip")?;
    lanes.add_own([clip]);
    let mut whole = None;
    if let Some(length) = length.filter(|_| from.is_main_lane() && to.is_main_lane()) {
        // Where it is it may get shorter without harm to others.
        let span = ClipSpan::read(session, clip)?;
        if length < span.end - span.start - SAME_POSITION_BEATS {
            session.set_clip_end(clip, span.start + length)?;
            whole = Some(span.end);
        }
    }
    let moved = move_to(session, clip, (&from, to), length, lanes);
    if let (Err(_), Some(end), true) = (&moved, whole, model_read::is_there(session, clip)?) {
        session.set_clip_end(clip, end)?;
    }
    let mut landed = moved?;
    if was_playing {
        landed.details.push("it was playing and has stopped; launch it at its new place".to_owned());
    }
    Ok(landed)
}

fn move_to(
    session: &mut dyn Session,
    clip: ObjectId,
    (from, to): (&ClipPlace, &ClipPlace),
    length: Option<Beats>,
    lanes: &mut LaneChanges,
) -> Result<PlacedClip, ToolError> {
    if let (ClipPlace::Timeline { lane: old, at: start }, ClipPlace::Timeline { lane: new, at }) = (from, to)
        && old == new
        && old.take_lane.is_none()
        && (at - start).abs() < place::clip_length(session, clip)?
    {
        return along_its_lane(session, clip, *at, lanes);
    }
    let leaving = SourceRemoval::plan(session, clip)?;
    let mut landed = copy_covering(session, clip, to, length, lanes)?;
    leaving.carry_out(session, &mut landed)?;
    Ok(landed)
}

/// The new place overlaps the old one: the clip waits beside the others of the lane until its old place is empty.
fn along_its_lane(
    session: &mut dyn Session,
    clip: ObjectId,
    at: Beats,
    lanes: &mut LaneChanges,
) -> Result<PlacedClip, ToolError> {
    let track = lane::of_clip(session, clip)?.ok_or_else(|| ToolError::new("the clip is on no lane"))?;
    let length = place::clip_length(session, clip)?;
    let aside = lane::find_free_start(session, track, length, (at, at + length))?;
    let waiting = duplicate_to(session, track, clip, aside)?;
    session.call(track, "delete_clip", &[clip.into()])?;
    let before = LaneBefore::read(session, track, at, at + place::clip_length(session, waiting)?)?;
    let new = duplicate_to(session, track, waiting, at)?;
    session.call(track, "delete_clip", &[waiting.into()])?;
    lanes.record(session, &before, &[new])?;
    Ok(PlacedClip { clip: new, created: None, details: Vec::new(), left: None })
}

/// A copy that waits beside the clips of a main lane, for as long as others go over the place of the clip that it was
/// made of, or for as long as it changes.
#[derive(Debug)]
pub struct WaitingCopy {
    pub clip: ObjectId,
    details: Vec<String>,
    leaving: SourceRemoval,
}

impl WaitingCopy {
    pub fn make(session: &mut dyn Session, clip: ObjectId, aside: &Aside) -> Result<WaitingCopy, ToolError> {
        let leaving = SourceRemoval::plan(session, clip)?;
        let mut details = Vec::new();
        let waiting = copied_aside(session, clip, aside, &mut details)?;
        Ok(WaitingCopy { clip: waiting, details, leaving })
    }

    /// Takes away what it was made of: the clip is the copy from now on.
    pub fn replace_source(self, session: &mut dyn Session) -> Result<PlacedClip, ToolError> {
        let mut placed = PlacedClip { clip: self.clip, created: None, details: self.details, left: None };
        self.leaving.carry_out(session, &mut placed)?;
        Ok(placed)
    }
}

/// A copy beside the clips of the main lane, of a clip that stays.
pub fn copy_aside(session: &mut dyn Session, clip: ObjectId, aside: &Aside) -> Result<ObjectId, ToolError> {
    copied_aside(session, clip, aside, &mut Vec::new())
}

/// A clip of a take lane, where nothing can be removed, waits on the main lane of its track.
fn copied_aside(
    session: &mut dyn Session,
    clip: ObjectId,
    aside: &Aside,
    details: &mut Vec<String>,
) -> Result<ObjectId, ToolError> {
    let on = lane::of_clip(session, clip)?.ok_or_else(|| ToolError::new("the clip is on no lane"))?;
    let on_take_lane = model_read::class(session, on)? == Some("TakeLane");
    let track = if on_take_lane { model_read::child(session, on, "canonical_parent")? } else { Some(on) };
    let track = track.ok_or_else(|| ToolError::new("the lane is on no track"))?;
    let free = lane::find_free_start(session, track, aside.room, aside.kept)?;
    if on_take_lane {
        return rebuilt(session, clip, track, free, details);
    }
    duplicate_to(session, track, clip, free)
}

/// Takes away what waited.
pub fn remove_aside(session: &mut dyn Session, clip: ObjectId) -> Result<(), ToolError> {
    if let Some(track) = lane::of_clip(session, clip)? {
        session.call(track, "delete_clip", &[clip.into()])?;
    }
    Ok(())
}

/// What becomes of the place that a moved clip left.
#[derive(Debug)]
enum SourceRemoval {
    /// A slot or a main lane, where it can be taken away.
    Gone { from: ObjectId, clip: ObjectId },
    /// A take lane, where no clip can be deleted: it and what lies around it.
    Emptied { lane: ObjectId, span: ClipSpan, around: Vec<ObjectId> },
}

impl SourceRemoval {
    fn plan(session: &dyn Session, clip: ObjectId) -> Result<SourceRemoval, ToolError> {
        let parent = model_read::child(session, clip, "canonical_parent")?;
        let from = parent.ok_or_else(|| ToolError::new("the clip has no place"))?;
        if model_read::class(session, from)? != Some("TakeLane") {
            return Ok(SourceRemoval::Gone { from, clip });
        }
        let span = ClipSpan::read(session, clip)?;
        let around = lane::within(session, from, span.start, span.end)?.into_iter().map(|clip| clip.id);
        Ok(SourceRemoval::Emptied { lane: from, span, around: around.filter(|other| *other != clip).collect() })
    }

    fn carry_out(self, session: &mut dyn Session, landed: &mut PlacedClip) -> Result<(), ToolError> {
        match self {
            // The copy may have taken its place.
            SourceRemoval::Gone { clip, .. } if session.class_of(clip)?.is_none() => {}
            SourceRemoval::Gone { from, clip } if model_read::class(session, from)? == Some("Track") => {
                session.call(from, "delete_clip", &[clip.into()])?;
            }
            SourceRemoval::Gone { from, .. } => {
                session.call(from, "delete_clip", &[])?;
            }
            SourceRemoval::Emptied { lane, span, around } => {
                // The copy may have cut it in two, or covered it.
                let mut left = LeftOnLane { lane, span, around, emptied: Vec::new() };
                for clip in left.pieces(session, &[landed.clip])? {
                    empty_in_place(session, clip)?;
                    left.emptied.push(clip);
                }
                landed.left = Some(left);
            }
        }
        Ok(())
    }
}

/// What is left on a take lane, where no clip can be deleted, of one that moved: emptied and muted.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOnLane {
    lane: ObjectId,
    span: ClipSpan,
    /// What lay there beside it.
    around: Vec<ObjectId>,
    /// Its pieces when it had moved.
    pub emptied: Vec<ObjectId>,
}

impl LeftOnLane {
    /// Its pieces as they are now; `own` are clips that the call put there.
    fn pieces(&self, session: &dyn Session, own: &[ObjectId]) -> Result<Vec<ObjectId>, ModelError> {
        let there = lane::within(session, self.lane, self.span.start, self.span.end)?.into_iter().map(|clip| clip.id);
        let is_of_it =
            |clip: &ObjectId| self.emptied.contains(clip) || !(self.around.contains(clip) || own.contains(clip));
        Ok(there.filter(is_of_it).collect())
    }

    /// Says what of it lies where, and how to be rid of it; nothing where another clip took all of its place.
    pub fn describe(&self, session: &dyn Session, own: &[ObjectId]) -> Result<Vec<String>, ModelError> {
        let mut said = Vec::new();
        for clip in self.pieces(session, own)? {
            let midi = flag(session, clip, "is_midi_clip")?;
            let what = if midi { "an empty, muted clip" } else { "the muted clip" };
            let left = path_and_id(session, clip)?;
            said.push(format!(
                "clips of take lanes cannot be deleted, so {what} is left at {left}; delete it by hand, or have \
                 svc-create-clip write over it"
            ));
        }
        Ok(said)
    }
}

fn empty_in_place(session: &mut dyn Session, clip: ObjectId) -> Result<(), ToolError> {
    if flag(session, clip, "is_midi_clip")? {
        session.replace_notes(clip, Vec::new())?;
    }
    session.set(clip, "muted", true.into())?;
    let name = model_read::text(session, clip, "name")?;
    session.set(clip, "name", Model::Text(format!("moved: {name}").trim_end().to_owned()))?;
    Ok(())
}
