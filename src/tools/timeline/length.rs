//! How much of the timeline a clip covers: trimming, extending, and filling a span with tiles.
//!
//! A looped clip that is lengthened is followed by copies of itself, each beginning in its content where the one before
//! left off. The copies are as long as the clip or its loop, whichever is longer, so that a short clip is not repeated
//! in splinters. An unlooped clip shows more of its content, unless the call says its region too: then that is
//! repeated.

use crate::music::{Beats, SAME_POSITION_BEATS, duration};
use crate::object_model::host_values::Capability;
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{self, flag, number};
use crate::tools::call::CallContext;
use crate::tools::clip::time;
use crate::tools::error::ToolError;
use crate::tools::timeline::lane::{self, ClipSpan, position_text};
use crate::tools::timeline::lane_changes::{LaneBefore, LaneChanges};
use crate::tools::timeline::place;

/// Copies that one call makes behind its clips at most: each is one more clip in the Set, and no other call is served
/// meanwhile.
pub const MOST_TILES: usize = 1_000;

/// How many copies fill `length` behind a looping clip that covers `unit` of it by itself.
fn tile_count(unit: Beats, length: Beats) -> usize {
    let rest = length - unit - SAME_POSITION_BEATS;
    // A cast of floats stays inside the range.
    if rest > 0.0 && unit > 0.0 { (rest / unit).ceil() as usize } else { 0 }
}

/// What a call does to a clip's region before it is lengthened.
#[derive(Clone, Copy, Debug, Default)]
pub struct PendingRegion {
    pub looping: Option<bool>,
    /// How long the region will be; with `doubled`, twice what it is.
    pub region: Option<Beats>,
    /// The region is what fills the length, looped or not.
    pub repeats: bool,
    pub doubled: bool,
}

impl PendingRegion {
    /// How long the clip's region will be.
    pub fn loop_length(&self, session: &dyn Session, clip: ObjectId) -> Result<Beats, ToolError> {
        if let Some(length) = self.region {
            return Ok(length);
        }
        let is = number(session, clip, "loop_end")? - number(session, clip, "loop_start")?;
        Ok(time::timeline_beats(session, clip, is)? * if self.doubled { 2.0 } else { 1.0 })
    }
}

/// How many copies that length takes of a clip that becomes what is `pending`.
pub fn count_tiles(
    session: &dyn Session,
    clip: ObjectId,
    length: Beats,
    pending: PendingRegion,
) -> Result<usize, ToolError> {
    let looping = match pending.looping {
        Some(looping) => looping,
        None => flag(session, clip, "looping")?,
    };
    if !looping {
        return Ok(pending.region.filter(|_| pending.repeats).map_or(0, |region| tile_count(region, length)));
    }
    let loop_length = pending.loop_length(session, clip)?;
    // On the timeline it covers what it covers, however short its loop; a new loop is laid from its first pass on.
    let keeps = pending.region.is_none() && (!pending.doubled || flag(session, clip, "is_arrangement_clip")?);
    let covers = if keeps { place::clip_length(session, clip)? } else { loop_length };
    Ok(tile_count(covers.max(loop_length), length))
}

/// Has a looped clip that got a new loop cover its first pass alone, so that what is laid behind it are copies of that.
pub fn shorten_to_first_pass(session: &mut dyn Session, clip: ObjectId) -> Result<(), ToolError> {
    let Some(on) = lane::of_clip(session, clip)? else { return Ok(()) };
    if model_read::class(session, on)? == Some("TakeLane") || !flag(session, clip, "looping")? {
        return Ok(());
    }
    let span = ClipSpan::read(session, clip)?;
    let end = span.start + number(session, clip, "loop_end")? - number(session, clip, "start_marker")?;
    if end - span.start > SAME_POSITION_BEATS && end < span.end - SAME_POSITION_BEATS {
        session.set_clip_end(clip, end)?;
    }
    Ok(())
}

/// Refuses more copies than a call lays.
pub fn check_tiles(tiles: usize) -> Result<(), ToolError> {
    if tiles <= MOST_TILES {
        return Ok(());
    }
    Err(ToolError::about(
        "arrangementLength",
        format!(
            "clips would be repeated as {tiles} copies; one call makes at most {MOST_TILES}. Ask for less, make \
         the loop longer first (duplicateLoop), or turn looping off for one long clip"
        ),
    ))
}

/// What came of a new length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LengthChange {
    /// The copies behind the clip, in order of time.
    pub tiles: Vec<ObjectId>,
    pub details: Vec<String>,
    /// Something was changed.
    pub landed: bool,
}

/// A length that a clip is to cover.
#[derive(Clone, Copy, Debug)]
pub struct WantedLength {
    pub length: Beats,
    /// The call says what the region is, too, so that an unlooped clip is repeated as a looped one is.
    pub repeats_region: bool,
}

/// Has a clip cover a length of the timeline.
pub fn set_length(
    session: &mut dyn Session,
    call: &CallContext,
    clip: ObjectId,
    wanted: WantedLength,
    lanes: &mut LaneChanges,
) -> Result<LengthChange, ToolError> {
    let WantedLength { length, repeats_region } = wanted;
    let unable = |why: &str| LengthChange {
        details: vec![format!("arrangementLength ignored: {why}")],
        ..LengthChange::default()
    };
    let Some(on) = lane::of_clip(session, clip)? else {
        return Ok(unable("a session clip covers nothing of the timeline"));
    };
    if model_read::class(session, on)? == Some("TakeLane") {
        return Ok(unable(
            "clips of take lanes keep their length; svc-update-clip moves it to its track, with a length (toPath: \"t0\", \
             arrangementLength)",
        ));
    }
    let edge = ClipSpan::read(session, clip)?;
    let placed = ClipSpan { end: edge.start + place::shown_length(session, clip)?, ..edge };
    lane::check_end(session, "arrangementLength", placed.start, length)?;
    let asked = placed.start + length;
    // What is shown is rounded; the end that it means may be that of a file.
    let end = if (asked - placed.end).abs() <= SAME_POSITION_BEATS { placed.end } else { asked };
    let is_end = |at: Beats| (end - at).abs() <= SAME_POSITION_BEATS;
    if is_end(placed.end) && is_end(edge.end) {
        return Ok(LengthChange { landed: true, ..LengthChange::default() });
    }
    let before = LaneBefore::read(session, on, placed.end.min(edge.end), end)?;
    let done = if end <= placed.end + SAME_POSITION_BEATS {
        session.set_clip_end(clip, end)?;
        LengthChange { landed: true, ..LengthChange::default() }
    } else if flag(session, clip, "looping")? {
        tile(session, call, on, placed, end)?
    } else if repeats_region {
        repeat(session, call, on, placed, end)?
    } else {
        extend(session, clip, placed, end)?
    };
    let laid: Vec<ObjectId> = done.tiles.iter().copied().chain([clip]).collect();
    lanes.record(session, &before, &laid)?;
    Ok(done)
}

/// An unlooped clip, as far as it has anything to play.
fn extend(session: &mut dyn Session, clip: ObjectId, placed: ClipSpan, end: Beats) -> Result<LengthChange, ToolError> {
    let most = content_end(session, clip, placed)?.map_or(end, |most| most.min(end));
    let mut done = LengthChange::default();
    let has_more = most - placed.end > SAME_POSITION_BEATS;
    if has_more {
        session.set_clip_end(clip, most)?;
        done.landed = true;
    }
    if end - most > SAME_POSITION_BEATS {
        let meter = model_read::meter(session, model_read::song(session)?)?;
        let reached = duration::format(most.max(placed.end) - placed.start, meter);
        done.details.push(if has_more {
            format!("the file ends there: it covers {reached}, not the arrangementLength asked for")
        } else {
            format!("the file has nothing more to show: it still covers {reached}")
        });
    }
    Ok(done)
}

/// Where on the timeline the file of an unlooped audio clip ends; `None` for a MIDI clip.
fn content_end(session: &mut dyn Session, clip: ObjectId, placed: ClipSpan) -> Result<Option<Beats>, ToolError> {
    if flag(session, clip, "is_midi_clip")? {
        return Ok(None);
    }
    let frames = number(session, clip, "sample_length")?;
    let file_end = if flag(session, clip, "warping")? {
        session.call(clip, "sample_to_beat_time", &[frames.into()])?.as_f64().unwrap_or_default()
    } else {
        frames / number(session, clip, "sample_rate")?
    };
    let start = number(session, clip, "loop_start")?;
    Ok(Some(placed.start + time::timeline_beats(session, clip, file_end - start)?))
}

fn tile(
    session: &mut dyn Session,
    call: &CallContext,
    track: ObjectId,
    placed: ClipSpan,
    end: Beats,
) -> Result<LengthChange, ToolError> {
    let clip = placed.id;
    let member = |session: &dyn Session, name| number(session, clip, name);
    let (loop_start, loop_end) = (member(session, "loop_start")?, member(session, "loop_end")?);
    let (first, loop_length) = (member(session, "start_marker")?, loop_end - loop_start);
    let mut done = LengthChange { landed: true, ..LengthChange::default() };
    // From a start marker past the loop's end it plays on and never loops: one clip does.
    let first_pass = if first < loop_end { loop_end - first } else { end - placed.start };
    let mut reached = placed.end;
    let grows = session.capability(Capability::LoopedClipGrowth).is_ok();
    if grows && reached - placed.start < first_pass - SAME_POSITION_BEATS {
        reached = (placed.start + first_pass).min(end);
        session.set_clip_end(clip, reached)?;
    }
    let covers = reached - placed.start;
    let unit = if grows { covers.max(loop_length) } else { covers };
    check_tiles(tile_count(unit, end - reached + unit))?;
    while end - reached > SAME_POSITION_BEATS {
        if call.is_late() {
            done.details.push(time_ran_out(session, reached)?);
            break;
        }
        let content = loop_start + (first + (reached - placed.start) - loop_start).rem_euclid(loop_length);
        // A hair before the loop's end is its start.
        let content = if loop_end - content <= SAME_POSITION_BEATS { loop_start } else { content };
        let to = end.min(reached + unit);
        let copy = tile_at(session, track, clip, reached, to)?;
        if (number(session, copy, "start_marker")? - content).abs() > SAME_POSITION_BEATS {
            if number(session, copy, "end_marker")? <= content {
                session.set(copy, "end_marker", loop_end.into())?;
            }
            session.set(copy, "start_marker", content.into())?;
        }
        done.tiles.push(copy);
        reached = to;
    }
    Ok(done)
}

/// Copies of an unlooped clip, one behind the other.
fn repeat(
    session: &mut dyn Session,
    call: &CallContext,
    track: ObjectId,
    placed: ClipSpan,
    end: Beats,
) -> Result<LengthChange, ToolError> {
    let unit = placed.end - placed.start;
    check_tiles(tile_count(unit, end - placed.start))?;
    let mut done = LengthChange { landed: true, ..LengthChange::default() };
    // Counted, not summed, so that the hundredth begins where it is meant to.
    for copy in 1..=tile_count(unit, end - placed.start) {
        let from = placed.start + unit * copy as Beats;
        if call.is_late() {
            done.details.push(time_ran_out(session, from)?);
            break;
        }
        done.tiles.push(tile_at(session, track, placed.id, from, end.min(from + unit))?);
    }
    Ok(done)
}

fn time_ran_out(session: &dyn Session, reached: Beats) -> Result<String, ToolError> {
    let at = position_text(session, reached)?;
    Ok(format!("the time ran out when it reached {at}; send arrangementLength again"))
}

/// A copy that covers just that span: the copy first waits beside the clips of the lane, so that it goes over nothing
/// else.
fn tile_at(
    session: &mut dyn Session,
    track: ObjectId,
    clip: ObjectId,
    from: Beats,
    to: Beats,
) -> Result<ObjectId, ToolError> {
    let length = place::clip_length(session, clip)?;
    let duplicate = |session: &mut dyn Session, clip: ObjectId, at: Beats| -> Result<ObjectId, ToolError> {
        let made = session.call(track, "duplicate_clip_to_arrangement", &[clip.into(), at.into()])?;
        made.as_object().ok_or_else(|| ToolError::new("no tile was made"))
    };
    if length <= to - from + SAME_POSITION_BEATS {
        let copy = duplicate(session, clip, from)?;
        if to - from - length > SAME_POSITION_BEATS {
            session.set_clip_end(copy, to)?;
        }
        return Ok(copy);
    }
    let free = lane::find_free_start(session, track, length, (from, to))?;
    let aside = duplicate(session, clip, free)?;
    let start = number(session, aside, "start_time")?;
    session.set_clip_end(aside, start + (to - from))?;
    let copy = duplicate(session, aside, from)?;
    session.call(track, "delete_clip", &[aside.into()])?;
    Ok(copy)
}
