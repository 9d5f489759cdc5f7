//! A clip, as every read shows it.

use super::gathered::{Gathered, GatheredNotes};
use super::objects::{self, flag, meter, number, text};
use crate::music::{Beats, Meter, Note, duration, position};
use crate::object_model::{ObjectId, Session};
use crate::tools::ToolError;

/// What to add to a clip.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClipInclude {
    pub timing: bool,
    pub notes: bool,
    pub color: bool,
}

impl ClipInclude {
    pub fn of(words: &[String]) -> ClipInclude {
        let has = |word: &str| words.iter().any(|w| w == word || w == "*");
        ClipInclude { timing: has("timing"), notes: has("notes"), color: has("color") }
    }
}

/// Reads a clip. `nested` leaves out what the clip's place in a track or scene already says.
pub fn gather(
    session: &dyn Session,
    clip: ObjectId,
    include: ClipInclude,
    nested: bool,
) -> Result<Gathered, ToolError> {
    let mut out = Gathered::default();
    out.set("id", clip.to_string());
    let midi = flag(session, clip, "is_midi_clip");
    if !nested {
        out.set("type", if midi { "midi" } else { "audio" });
    }
    let name = text(session, clip, "name")?;
    if !name.is_empty() {
        out.set("name", name);
    }
    if !nested {
        out.set("view", if flag(session, clip, "is_arrangement_clip") { "arrangement" } else { "session" });
    }
    if let Some(path) = objects::tool_path(session, clip) {
        out.set("path", path);
    }
    for (member, field) in [
        ("is_playing", "playing"),
        ("is_triggered", "triggered"),
        ("is_recording", "recording"),
        ("is_overdubbing", "overdubbing"),
        ("muted", "muted"),
    ] {
        out.set_if(flag(session, clip, member), field);
    }
    if include.color
        && let Some(color) = objects::color(session, clip)
    {
        out.set("color", color);
    }
    let meter = meter(session, clip)?;
    if include.timing {
        timing(session, clip, meter, &mut out)?;
    }
    if midi {
        let window = note_window(session, clip)?;
        let (muted, shown): (Vec<Note>, Vec<Note>) = session
            .notes(clip)?
            .into_iter()
            .filter(|n| n.start >= window.0 && n.start < window.1)
            .partition(|n| n.mute);
        if include.notes {
            if !muted.is_empty() {
                out.set("mutedNotes", muted.len());
            }
            out.notes = Some(GatheredNotes { notes: shown, meter, drums: plays_drums(session, clip)? });
        } else {
            out.set("noteCount", shown.len());
        }
    }
    Ok(out)
}

/// Whether the clip's track holds a Drum Rack: its notes are then written a pitch a line.
fn plays_drums(session: &dyn Session, clip: ObjectId) -> Result<bool, ToolError> {
    // A clip stands in its track, or in a slot or take lane of it.
    let mut track = objects::child(session, clip, "canonical_parent")?;
    while let Some(id) = track.filter(|id| objects::class(session, *id) != Some("Track")) {
        track = objects::child(session, id, "canonical_parent")?;
    }
    let Some(track) = track else { return Ok(false) };
    let devices =
        (0..objects::count(session, track, "devices")).filter_map(|at| session.child_at(track, "devices", at));
    for device in devices {
        if text(session, device, "class_name")? == "DrumGroupDevice" {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Start and end of the region that sounds, with the notation's words for them.
fn timing(session: &dyn Session, clip: ObjectId, meter: Meter, out: &mut Gathered) -> Result<(), ToolError> {
    let looping = flag(session, clip, "looping");
    let (start, end) = (number(session, clip, "loop_start")?, number(session, clip, "loop_end")?);
    out.set("timeSignature", meter.to_string());
    out.set("looping", looping);
    out.set("start", position::format(start, meter));
    out.set("end", position::format(end, meter));
    out.set("length", duration::format(end - start, meter));
    let first = number(session, clip, "start_marker")?;
    if looping && (first - start).abs() >= crate::music::SAME_POSITION_BEATS {
        out.set("firstStart", position::format(first, meter));
    }
    Ok(())
}

/// The notes that callers see and edit: those that start in the clip's region (markers or loop, whichever reaches further)
/// or within one clip length of it on either side, so that pickups and overhang survive a round trip.
pub fn note_window(session: &dyn Session, clip: ObjectId) -> Result<(Beats, Beats), ToolError> {
    let member = |name| number(session, clip, name);
    let start = member("loop_start")?.min(member("start_marker")?);
    let end = member("loop_end")?.max(member("end_marker")?);
    let length = end - start;
    Ok((start - length, end + length))
}
