//! A track, as every read shows it.

use crate::notation::Notation;
use crate::object_model::faders;
use crate::object_model::scope::Shape;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{
    self, children, children_if_any, class, count, flag, flag_if_any, if_any, int, number, rounded, text,
};
use crate::tools::address::{path_format, path_resolve};
use crate::tools::error::ToolError;
use crate::tools::mixer::mixer_strip::shown_db;
use crate::tools::read::clip_fields::{self, ClipInclude, Nested};
use crate::tools::read::device_summary::summary;
use crate::tools::read::gathered::Gathered;
use crate::tools::read::mute_state::state;
use crate::tools::read::rack_fields::{self, drum_map_of};
use crate::tools::read::routing_fields;
use crate::tools::read::routing_list::SharedEntries;
use crate::tools::read::session_clips;
use serde_json::{Value, json};

/// What to add to a track.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrackInclude {
    pub session_clips: bool,
    pub arrangement_clips: bool,
    pub routings: bool,
    pub available_routings: bool,
    /// With pads named as this notation names pitches.
    pub drum_map: Option<Notation>,
    /// Asked for by its name, so that where there is none this is said.
    pub says_no_drum_map: bool,
    pub devices: bool,
    pub mixer: bool,
    pub color: bool,
    pub clip: ClipInclude,
}

impl TrackInclude {
    pub fn from_words(words: &[String], notation: Notation) -> TrackInclude {
        let has = |word: &str| words.iter().any(|w| w == word || w == "*");
        TrackInclude {
            session_clips: has("session-clips"),
            arrangement_clips: has("arrangement-clips"),
            routings: has("routings"),
            available_routings: has("available-routings"),
            drum_map: has("drum-map").then_some(notation),
            says_no_drum_map: words.iter().any(|word| word == "drum-map"),
            devices: has("devices"),
            mixer: has("mixer"),
            color: has("color"),
            clip: ClipInclude::nested(words),
        }
    }
}

/// What is read of a track or take lane.
pub fn shape(include: TrackInclude) -> Shape {
    let clip = || clip_fields::shape(include.clip, Nested::InTrack);
    let in_slots = if include.session_clips { clip() } else { Shape::default() };
    let lane = Shape::of(&["name"]).below_if(include.arrangement_clips, "arrangement_clips", clip);
    let device = match include.drum_map {
        Some(_) => rack_fields::drums_within(),
        None => Shape::default(),
    };
    let device = device.with(&["type", "class_name", "class_display_name"]);
    let device = device.with_if(include.devices, &["name", "is_active"]);
    let level = || Shape::of(&["value", "automation_state"]);
    let mixer = || {
        let faders = ["volume", "panning", "left_split_stereo", "right_split_stereo", "sends"];
        faders.into_iter().fold(Shape::of(&["panning_mode"]), |mixer, fader| mixer.below(fader, level()))
    };
    let shape = Shape::of(&["name", "is_foldable", "has_midi_input", "arm", "is_grouped", "mute", "solo"])
        .with(&["muted_via_solo", "playing_slot_index", "fired_slot_index"])
        .with_if(include.color, &["color"])
        .with_if(include.routings, &routing_fields::READ_CHOSEN)
        .with_if(include.available_routings, &routing_fields::READ_AVAILABLE)
        .counting(&["devices", "arrangement_clips"])
        .below("group_track", Shape::default())
        .below("clip_slots", Shape::default().below("clip", in_slots))
        .below("devices", device)
        .below("take_lanes", lane)
        .below_if(include.mixer, "mixer_device", mixer);
    shape.below_if(include.arrangement_clips, "arrangement_clips", clip)
}

/// Reads a track, or a take lane: of that only the name and, where asked, the clips.
pub fn gather(
    session: &dyn Session,
    track: ObjectId,
    include: TrackInclude,
    shared: &SharedEntries,
) -> Result<Gathered, ToolError> {
    if class(session, track)? == Some("TakeLane") {
        return take_lane(session, track, include);
    }
    let mut out = Gathered::default();
    out.set("id", track.to_string());
    let path = path_format::tool_path(session, track)?.unwrap_or_default();
    let regular = path.starts_with('t');
    out.set("path", path);
    out.set("name", text(session, track, "name")?);
    let group = flag_if_any(session, track, "is_foldable")?;
    out.set("type", track_type(session, track)?);
    if let Some(output) = session.midi_output(track)? {
        out.set("midiOutput", json!({ "channel": output.channel, "port": output.port }));
    }
    if let Some(sounds) = session.sounds(track)? {
        out.set("sounds", sounds);
    }
    let (instrument, instruments) = instrument(session, track)?;
    if let Some(instrument) = instrument {
        out.set("instrument", instrument);
    }
    if instruments > 1 {
        out.add_detail(&format!("the track holds {instruments} instruments; the first is shown"));
    }
    if let Some(kept) = session.kept_words(track)? {
        out.add_detail(&kept);
    }
    if let Some(parent) = model_read::child(session, track, "group_track")? {
        out.set("groupId", parent.to_string());
    }
    out.set_if(flag_if_any(session, track, "arm")?, "isArmed");
    out.set_if(group, "isGroup");
    out.set_if(flag_if_any(session, track, "is_grouped")?, "isGroupMember");
    for (member, field) in [("playing_slot_index", "playingSlotIndex"), ("fired_slot_index", "firedSlotIndex")] {
        let at = if_any(int(session, track, member))?.unwrap_or(-1);
        if at >= 0 {
            out.set(field, at);
        }
    }
    if let Some(state) = state(session, track)? {
        out.set("state", state);
    }
    if include.color
        && let Some(color) = model_read::color(session, track)?
    {
        out.set("color", color);
    }
    if regular && !group {
        clips(session, track, include, &mut out)?;
    } else {
        // Nothing can be there, which the lists that were asked for say.
        for (list, asked) in [("sessionClips", include.session_clips), ("arrangementClips", include.arrangement_clips)]
        {
            if asked {
                out.lists.push((list, Vec::new()));
            }
        }
    }
    if include.devices {
        devices(session, track, &mut out)?;
    } else {
        out.set("deviceCount", count(session, track, "devices")?);
    }
    if let Some(notation) = include.drum_map {
        match path_resolve::first_drum_rack(session, track, 0)? {
            Some(rack) => drum_map_of(session, rack, notation, &mut out)?,
            None if include.says_no_drum_map => out.set("drumMap", Value::Null),
            None => {}
        }
    }
    if include.mixer {
        mixer(session, track, &mut out)?;
    }
    if include.routings {
        routing_fields::chosen(session, track, &mut out)?;
    }
    if include.available_routings {
        routing_fields::available(session, track, shared, &mut out)?;
    }
    Ok(out)
}

/// `midi`, `audio`, `group`, `return` or `main`.
pub fn track_type(session: &dyn Session, track: ObjectId) -> Result<&'static str, ModelError> {
    let route = session.path_of(track)?.unwrap_or_default();
    Ok(match route.split(' ').nth(1) {
        Some("return_tracks") => "return",
        Some("master_track") => "main",
        _ if flag_if_any(session, track, "is_foldable")? => "group",
        _ if flag(session, track, "has_midi_input")? => "midi",
        _ => "audio",
    })
}

/// The class of the first instrument, and how many there are.
fn instrument(session: &dyn Session, track: ObjectId) -> Result<(Option<String>, usize), ToolError> {
    let (mut first, mut instruments) = (None, 0);
    for device in children(session, track, "devices")? {
        if int(session, device, "type")? == 1 {
            instruments += 1;
            if first.is_none() {
                first = Some(text(session, device, "class_display_name")?);
            }
        }
    }
    Ok((first, instruments))
}

/// The clips of a track's main lane, or of a take lane.
fn timeline(session: &dyn Session, lane: ObjectId, include: ClipInclude) -> Result<Vec<Gathered>, ToolError> {
    clips_of(session, children(session, lane, "arrangement_clips")?, include)
}

/// Clips of one track: what they have in common is read with the first.
fn clips_of(session: &dyn Session, clips: Vec<ObjectId>, include: ClipInclude) -> Result<Vec<Gathered>, ToolError> {
    let drums = match clips.first() {
        Some(clip) if include.notes => Some(clip_fields::plays_drums(session, *clip)?),
        _ => None,
    };
    clips.into_iter().map(|clip| clip_fields::gather(session, clip, include, Nested::InTrack, drums)).collect()
}

fn take_lane(session: &dyn Session, lane: ObjectId, include: TrackInclude) -> Result<Gathered, ToolError> {
    let mut out = Gathered::default();
    out.set("id", lane.to_string());
    out.set("path", path_format::tool_path(session, lane)?.unwrap_or_default());
    out.set("name", text(session, lane, "name")?);
    if include.arrangement_clips {
        out.lists.push(("clips", timeline(session, lane, include.clip)?));
    }
    Ok(out)
}

fn clips(session: &dyn Session, track: ObjectId, include: TrackInclude, out: &mut Gathered) -> Result<(), ToolError> {
    if !include.session_clips {
        out.set("sessionClipCount", session_clips::count(session, track)?);
    } else {
        out.lists.push(("sessionClips", clips_of(session, session_clips::list(session, track)?, include.clip)?));
    }
    let lanes = children(session, track, "take_lanes")?;
    if !include.arrangement_clips {
        out.set("arrangementClipCount", count(session, track, "arrangement_clips")?);
        if !lanes.is_empty() {
            out.set("takeLaneCount", lanes.len());
        }
        return Ok(());
    }
    out.lists.push(("arrangementClips", timeline(session, track, include.clip)?));
    if !lanes.is_empty() {
        let lanes = lanes.into_iter().map(|lane| take_lane(session, lane, include)).collect::<Result<_, _>>()?;
        out.lists.push(("takeLanes", lanes));
    }
    Ok(())
}

fn devices(session: &dyn Session, track: ObjectId, out: &mut Gathered) -> Result<(), ToolError> {
    let mut list = Vec::new();
    for device in children(session, track, "devices")? {
        list.push(summary(session, device)?);
    }
    out.lists.push(("devices", list));
    Ok(())
}

fn mixer(session: &dyn Session, track: ObjectId, out: &mut Gathered) -> Result<(), ToolError> {
    let Some(mixer) = model_read::child(session, track, "mixer_device")? else { return Ok(()) };
    let mut automated = Automated::default();
    let mut value = |name: &str, field: &str| -> Result<f64, ToolError> {
        let parameter = model_read::child(session, mixer, name)?
            .ok_or_else(|| ToolError::new(format!("the mixer has no {name}")))?;
        note_automation(session, parameter, field, &mut automated)?;
        Ok(number(session, parameter, "value")?)
    };
    out.set("gainDb", shown_db(faders::volume_db(value("volume", "gainDb")?)));
    if int(session, mixer, "panning_mode")? == 1 {
        out.set("panningMode", "split");
        for (member, field, label) in
            [("left_split_stereo", "leftPan", "leftPanLabel"), ("right_split_stereo", "rightPan", "rightPanLabel")]
        {
            let pan = value(member, field)?;
            out.set(field, rounded(pan));
            out.set(label, faders::pan_text(pan));
        }
    } else {
        let pan = value("panning", "pan")?;
        out.set("pan", rounded(pan));
        out.set("panLabel", faders::pan_text(pan));
    }
    let song = model_read::song(session)?;
    let mut sends = Vec::new();
    let own = children_if_any(session, mixer, "sends")?;
    let returns = children(session, song, "return_tracks")?;
    for (send, to) in own.iter().copied().zip(returns.iter().copied()) {
        let name = text(session, to, "name")?;
        note_automation(session, send, &format!("send {name}"), &mut automated)?;
        sends.push(json!({
            "gainDb": shown_db(faders::send_db(number(session, send, "value")?)),
            "return": name,
            "returnId": to.to_string(),
        }));
    }
    let (have, returns) = (own.len(), returns.len());
    if have != 0 && have != returns {
        out.add_detail(&format!("the track has {have} sends for {returns} return tracks"));
    }
    if !sends.is_empty() {
        out.set("sends", sends);
    }
    // What a session clip automates is not the track's.
    if if_any(int(session, track, "playing_slot_index"))?.is_some_and(|at| at >= 0) {
        out.add_detail("automation is not known while the track plays from the session");
    } else if !automated.fields.is_empty() {
        out.set("automation", automated.fields);
    }
    automated.remarks.iter().for_each(|remark| out.add_detail(remark));
    Ok(())
}

/// What of a strip is automated.
#[derive(Default)]
struct Automated {
    fields: Vec<String>,
    /// What the host tells of it.
    remarks: Vec<String>,
}

/// Lists the field if its parameter has a lane in the Arrangement.
fn note_automation(
    session: &dyn Session,
    parameter: ObjectId,
    field: &str,
    automated: &mut Automated,
) -> Result<(), ModelError> {
    let field = match int(session, parameter, "automation_state")? {
        1 => field.to_owned(),
        2 => format!("{field} (overridden)"),
        _ => return Ok(()),
    };
    let remark = session.remark(parameter)?;
    automated.remarks.extend(remark.map(|remark| format!("{field} is {remark}")));
    automated.fields.push(field);
    Ok(())
}
