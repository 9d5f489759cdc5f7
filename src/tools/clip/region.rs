//! The region of a clip that sounds: the loop while it loops, else the markers. Whatever unit the host counts in, here
//! times are quarter beats: an unwarped clip's seconds are taken at the Set's tempo.

use crate::music::{Beats, Meter, SAME_POSITION_BEATS, duration, position};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{flag, number};
use crate::tools::clip::time::is_unwarped;
use crate::tools::clip::time::own_units_per_beat;
use crate::tools::error::ToolError;

/// How far a region may slide at once, in its own length: its new start has to lie inside it.
const SLIDE: f64 = 0.9;
const MOST_SLIDES: usize = 10_000;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    pub start: Beats,
    pub end: Beats,
    pub looping: bool,
    /// Where playback first enters.
    pub first_start: Beats,
}

/// A place in a clip, in the clip's meter; before `1|1` is a pickup.
pub fn parse_position(parameter: &str, text: &str, meter: Meter) -> Result<Beats, ToolError> {
    let beats = position::parse(text, meter).map_err(|e| ToolError::about(parameter, e))?.beats;
    let most = crate::music::LONGEST_CLIP_BEATS;
    if beats.abs() > most {
        return Err(ToolError::about(parameter, format!("\"{text}\" lies more than {most} quarter beats from 1|1")));
    }
    Ok(beats)
}

/// The length of a clip, in the clip's meter.
pub fn parse_length(parameter: &str, text: &str, meter: Meter) -> Result<Beats, ToolError> {
    let beats = duration::parse(text, meter).map_err(|e| ToolError::about(parameter, e))?;
    let most = crate::music::LONGEST_CLIP_BEATS;
    if beats <= 0.0 || beats > most {
        return Err(ToolError::about(
            parameter,
            format!("\"{text}\" is {beats} quarter beats; a clip is longer than 0 and at most {most}"),
        ));
    }
    Ok(beats)
}

/// Refuses a region that ends where no clip can; `parameter` is what asked for it.
pub fn check_end(parameter: &str, end: Beats) -> Result<(), ToolError> {
    let most = crate::music::LONGEST_CLIP_BEATS;
    if end <= most {
        return Ok(());
    }
    Err(ToolError::about(
        parameter,
        format!("the clip would end {end} quarter beats from 1|1; it can end at most {most} from there"),
    ))
}

pub fn read(session: &dyn Session, clip: ObjectId) -> Result<Region, ToolError> {
    let unit = own_units_per_beat(session, clip)?;
    let time = |member| number(session, clip, member).map(|time| time / unit);
    let looping = flag(session, clip, "looping")?;
    let start = time("loop_start")?;
    let first_start = if looping { time("start_marker")? } else { start };
    Ok(Region { start, end: time("loop_end")?, looping, first_start })
}

/// Writes both ends of the active region, in the clip's own unit and in an order that never turns it inside out.
pub fn write_active(session: &mut dyn Session, clip: ObjectId, start: f64, end: f64) -> Result<(), ToolError> {
    let is_unlooped_on_timeline = !flag(session, clip, "looping")? && flag(session, clip, "is_arrangement_clip")?;
    if is_unlooped_on_timeline && start >= number(session, clip, "loop_end")? {
        slide(session, clip, start, end)?;
    }
    let ends = [("loop_start", start), ("loop_end", end)];
    let order = if start < number(session, clip, "loop_end")? { [0, 1] } else { [1, 0] };
    for at in order {
        if let Some((member, time)) = ends.get(at) {
            session.set(clip, member, (*time).into())?;
        }
    }
    Ok(())
}

/// Brings an unlooped clip of the timeline near a start at or past its end. The end cannot go first, as its right edge
/// would go with it, over whatever lies behind.
fn slide(session: &mut dyn Session, clip: ObjectId, start: f64, end: f64) -> Result<(), ToolError> {
    let ends = |session: &dyn Session| -> Result<(f64, f64), ToolError> {
        Ok((number(session, clip, "loop_start")?, number(session, clip, "loop_end")?))
    };
    let (old_start, old_end) = ends(session)?;
    if !is_unwarped(session, clip)? {
        // The markers of a clip that loops move nothing on the timeline.
        session.set(clip, "looping", true.into())?;
        session.set(clip, "end_marker", (start + (old_end - old_start)).into())?;
        session.set(clip, "start_marker", start.into())?;
        session.set(clip, "looping", false.into())?;
        return Ok(());
    }
    // Only what is warped loops. A start inside the region takes the region along.
    if end - start < old_end - old_start {
        session.set(clip, "loop_end", (old_start + (end - start)).into())?;
    }
    for _ in 0..MOST_SLIDES {
        let (from, to) = ends(session)?;
        if start < to {
            return Ok(());
        }
        session.set(clip, "loop_start", (from + SLIDE * (to - from)).min(start).into())?;
    }
    Err(ToolError::new("start lies too far from a region this short; send length before it, in a call of its own"))
}

/// Writes the region of a clip that is counted in beats, loop and markers alike, so that switching `looping` later
/// keeps what sounds.
pub fn write(session: &mut dyn Session, clip: ObjectId, wanted: Region) -> Result<(), ToolError> {
    let Region { start, end, looping, first_start } = wanted;
    // Both pairs can only be written while the clip loops.
    session.set(clip, "looping", true.into())?;
    for (from, to, first) in [("loop_start", "loop_end", start), ("start_marker", "end_marker", first_start)] {
        // A start is always before its end: whichever makes room is written first.
        let (one, other) =
            if first < number(session, clip, to)? { ((from, first), (to, end)) } else { ((to, end), (from, first)) };
        session.set(clip, one.0, one.1.into())?;
        session.set(clip, other.0, other.1.into())?;
    }
    if !looping {
        session.set(clip, "looping", false.into())?;
    }
    Ok(())
}

/// What the host kept other than asked, by field, as a read shows it.
pub fn kept(wanted: Region, landed: Region, meter: Meter) -> Vec<(&'static str, String)> {
    let differ = |a: Beats, b: Beats| (a - b).abs() >= SAME_POSITION_BEATS;
    let mut kept = Vec::new();
    if differ(wanted.start, landed.start) {
        kept.push(("start", position::format(landed.start, meter)));
    }
    if differ(wanted.end - wanted.start, landed.end - landed.start) {
        kept.push(("length", duration::format(landed.end - landed.start, meter)));
    }
    if wanted.looping && differ(wanted.first_start, landed.first_start) {
        kept.push(("firstStart", position::format(landed.first_start, meter)));
    }
    kept
}
