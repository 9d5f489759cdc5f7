//! The region of a clip that sounds: the loop while it loops, else the markers. Whatever unit the host counts in, here times
//! are quarter beats: an unwarped clip's seconds are taken at the Set's tempo.

use super::arrange::place::own_units_per_beat;
use super::objects::{flag, number};
use crate::music::{Beats, Meter, SAME_POSITION_BEATS, duration, position};
use crate::object_model::{ObjectId, Session};
use crate::tools::ToolError;

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
    let beats = position::parse(text, meter).map_err(|e| ToolError::new(format!("{parameter}: {e}")))?.beats;
    let most = crate::set::model::MAX_CLIP_LENGTH_BEATS;
    if beats.abs() > most {
        return Err(ToolError::new(format!("{parameter}: \"{text}\" lies more than {most} quarter beats from 1|1")));
    }
    Ok(beats)
}

/// The length of a clip, in the clip's meter.
pub fn parse_length(parameter: &str, text: &str, meter: Meter) -> Result<Beats, ToolError> {
    let beats = duration::parse(text, meter).map_err(|e| ToolError::new(format!("{parameter}: {e}")))?;
    let most = crate::set::model::MAX_CLIP_LENGTH_BEATS;
    if beats <= 0.0 || beats > most {
        return Err(ToolError::new(format!(
            "{parameter}: \"{text}\" is {beats} quarter beats; a clip is longer than 0 and at most {most}"
        )));
    }
    Ok(beats)
}

/// Refuses a region that ends where no clip can; `parameter` is what asked for it.
pub fn check_end(parameter: &str, end: Beats) -> Result<(), ToolError> {
    let most = crate::set::model::MAX_CLIP_LENGTH_BEATS;
    if end <= most {
        return Ok(());
    }
    Err(ToolError::new(format!(
        "{parameter}: the clip would end {end} quarter beats from 1|1; it can end at most {most} from there"
    )))
}

pub fn read(session: &dyn Session, clip: ObjectId) -> Result<Region, ToolError> {
    let unit = own_units_per_beat(session, clip)?;
    let time = |member| number(session, clip, member).map(|time| time / unit);
    let looping = flag(session, clip, "looping");
    let start = time("loop_start")?;
    let first_start = if looping { time("start_marker")? } else { start };
    Ok(Region { start, end: time("loop_end")?, looping, first_start })
}

/// Writes the region of a clip that is counted in beats, loop and markers alike, so that switching `looping` later keeps what
/// sounds.
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
