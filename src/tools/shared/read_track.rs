//! A track, as every read shows it.

use super::gathered::Gathered;
use super::objects::{self, class, count, flag, int, number, rounded, text};
use super::read_clip::{self, ClipInclude};
use crate::object_model::{ObjectId, Session};
use crate::set::display;
use crate::tools::ToolError;
use serde_json::{Value, json};

/// What to add to a track.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrackInclude {
    pub session_clips: bool,
    pub devices: bool,
    pub mixer: bool,
    pub color: bool,
    pub clip: ClipInclude,
}

impl TrackInclude {
    pub fn of(words: &[String]) -> TrackInclude {
        let has = |word: &str| words.iter().any(|w| w == word || w == "*");
        TrackInclude {
            session_clips: has("session-clips"),
            devices: has("devices"),
            mixer: has("mixer"),
            color: has("color"),
            clip: ClipInclude::of(words),
        }
    }
}

pub fn gather(session: &dyn Session, track: ObjectId, include: TrackInclude) -> Result<Gathered, ToolError> {
    let mut out = Gathered::default();
    out.set("id", track.to_string());
    let path = objects::tool_path(session, track).unwrap_or_default();
    let regular = path.starts_with('t');
    out.set("path", path);
    out.set("name", text(session, track, "name")?);
    let group = flag(session, track, "is_foldable");
    if regular && !group {
        out.set("type", if flag(session, track, "has_midi_input") { "midi" } else { "audio" });
    }
    if let Some(instrument) = instrument(session, track)? {
        out.set("instrument", instrument);
    }
    if let Some(parent) = objects::child(session, track, "group_track")? {
        out.set("groupId", parent.to_string());
    }
    out.set_if(flag(session, track, "arm"), "isArmed");
    out.set_if(group, "isGroup");
    out.set_if(flag(session, track, "is_grouped"), "isGroupMember");
    for (member, field) in [("playing_slot_index", "playingSlotIndex"), ("fired_slot_index", "firedSlotIndex")] {
        let at = int(session, track, member).unwrap_or(-1);
        if at >= 0 {
            out.set(field, at);
        }
    }
    if let Some(state) = state(session, track) {
        out.set("state", state);
    }
    if include.color
        && let Some(color) = objects::color(session, track)
    {
        out.set("color", color);
    }
    if regular && !group {
        clips(session, track, include, &mut out)?;
    }
    if include.devices {
        devices(session, track, &mut out)?;
    } else {
        out.set("deviceCount", count(session, track, "devices"));
    }
    if include.mixer {
        mixer(session, track, &mut out)?;
    }
    Ok(out)
}

/// Why a track does not sound, if it does not.
fn state(session: &dyn Session, track: ObjectId) -> Option<&'static str> {
    let (muted, soloed) = (flag(session, track, "mute"), flag(session, track, "solo"));
    let via_solo = flag(session, track, "muted_via_solo");
    match (muted, soloed, via_solo) {
        (true, true, _) => Some("muted-and-soloed"),
        (true, _, true) => Some("muted-also-via-solo"),
        (true, ..) => Some("muted"),
        (_, true, _) => Some("soloed"),
        (_, _, true) => Some("muted-via-solo"),
        _ => None,
    }
}

fn instrument(session: &dyn Session, track: ObjectId) -> Result<Option<String>, ToolError> {
    for at in 0..count(session, track, "devices") {
        let Some(device) = session.child_at(track, "devices", at) else { continue };
        if int(session, device, "type")? == 1 {
            return Ok(Some(text(session, device, "class_display_name")?));
        }
    }
    Ok(None)
}

fn clips(session: &dyn Session, track: ObjectId, include: TrackInclude, out: &mut Gathered) -> Result<(), ToolError> {
    let mut found = Vec::new();
    for at in 0..count(session, track, "clip_slots") {
        let slot = session.child_at(track, "clip_slots", at);
        if let Some(clip) = slot.and_then(|slot| session.child_at(slot, "clip", 0)) {
            found.push(clip);
        }
    }
    if !include.session_clips {
        out.set("sessionClipCount", found.len());
    } else {
        let list = found.into_iter().map(|clip| read_clip::gather(session, clip, include.clip, true));
        out.lists.push(("sessionClips", list.collect::<Result<_, _>>()?));
    }
    out.set("arrangementClipCount", count(session, track, "arrangement_clips"));
    Ok(())
}

fn devices(session: &dyn Session, track: ObjectId, out: &mut Gathered) -> Result<(), ToolError> {
    let mut list = Vec::new();
    for at in 0..count(session, track, "devices") {
        let Some(device) = session.child_at(track, "devices", at) else { continue };
        let mut entry = Gathered::default();
        entry.set("id", device.to_string());
        entry.set("path", objects::tool_path(session, device).unwrap_or_default());
        let kind = match int(session, device, "type")? {
            1 => "instrument",
            2 => "audio-effect",
            4 => "midi-effect",
            _ => class(session, device).unwrap_or("device"),
        };
        let (name, display) = (text(session, device, "name")?, text(session, device, "class_display_name")?);
        entry.set("type", format!("{kind}: {display}"));
        if name != display {
            entry.set("name", name);
        }
        entry.set_if(!flag(session, device, "is_active"), "deactivated");
        list.push(entry);
    }
    out.lists.push(("devices", list));
    Ok(())
}

fn mixer(session: &dyn Session, track: ObjectId, out: &mut Gathered) -> Result<(), ToolError> {
    let Some(mixer) = objects::child(session, track, "mixer_device")? else { return Ok(()) };
    let value = |name: &str| -> Result<f64, ToolError> {
        let parameter =
            objects::child(session, mixer, name)?.ok_or_else(|| ToolError::new(format!("the mixer has no {name}")))?;
        Ok(number(session, parameter, "value")?)
    };
    out.set("gainDb", db(display::volume_db(value("volume")?)));
    if int(session, mixer, "panning_mode")? == 1 {
        out.set("panningMode", "split");
        out.set("leftPan", rounded(value("left_split_stereo")?));
        out.set("rightPan", rounded(value("right_split_stereo")?));
    } else {
        out.set("pan", rounded(value("panning")?));
    }
    let song = objects::song(session)?;
    let mut sends = Vec::new();
    for at in 0..count(session, mixer, "sends") {
        let (Some(send), Some(to)) =
            (session.child_at(mixer, "sends", at), session.child_at(song, "return_tracks", at))
        else {
            continue;
        };
        sends.push(json!({
            "gainDb": db(display::send_db(number(session, send, "value")?)),
            "return": text(session, to, "name")?,
            "returnId": to.to_string(),
        }));
    }
    if !sends.is_empty() {
        out.set("sends", sends);
    }
    Ok(())
}

/// Decibels at the resolution of reads; fully down is the text `-inf`.
fn db(db: Option<f64>) -> Value {
    db.map_or_else(|| json!("-inf"), rounded)
}
