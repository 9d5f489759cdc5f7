//! Launching and stopping session clips, target by target.

use super::say_when;
use crate::object_model::{ObjectId, Session};
use crate::tools::address::group_tracks;
use crate::tools::address::model_read;
use crate::tools::address::path::Path;
use crate::tools::address::path_format;
use crate::tools::address::targets::{Target, TargetKind, TargetName};
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{self, LeftTo, add_detail, later_mention, result_of};
use crate::tools::report::write_targets;
use serde_json::{Map, Value, json};

/// What one target came to: its entry, and how many clips were launched.
type Done = (Map<String, Value>, usize);
type OneClip = fn(&mut dyn Session, &Target) -> Result<Done, String>;

pub(super) fn play(
    session: &mut dyn Session,
    call: &mut CallContext,
    song: ObjectId,
    targets: &[Target],
    result: &mut Map<String, Value>,
) -> Result<(), ToolError> {
    let before = session.clock();
    let (entries, fired) = each(session, call, targets, play_one)?;
    result.insert("clip".to_owned(), entries);
    if fired > 1 && before.playing {
        if before.led_by_daw {
            add_detail(
                result,
                "the DAW's transport cannot be restarted for them; clips of one launch quantization start together",
            );
        } else {
            // From the start marker again, so that they start together whatever each is quantized to.
            session.call(song, "start_playing", &[])?;
        }
    }
    if fired > 0 {
        say_when(session, result);
    }
    Ok(())
}

pub(super) fn stop(
    session: &mut dyn Session,
    call: &mut CallContext,
    targets: &[Target],
    result: &mut Map<String, Value>,
) -> Result<(), ToolError> {
    let (entries, _) = each(session, call, targets, stop_one)?;
    result.insert("clip".to_owned(), entries);
    Ok(())
}

/// Acts on each slot once, at its last mention; gives the entries and how many clips were launched.
fn each(
    session: &mut dyn Session,
    call: &mut CallContext,
    targets: &[Target],
    act: OneClip,
) -> Result<(Value, usize), ToolError> {
    write_targets::warn_of_old_spellings(call, targets);
    let slots: Vec<Option<ObjectId>> = targets.iter().map(|target| slot_of(session, target)).collect();
    let (mut entries, mut fired) = (Vec::new(), 0);
    for (at, target) in targets.iter().enumerate() {
        let left_to = later_mention(&slots, at).map(LeftTo::Same);
        entries.push(result_of(target.into(), left_to, Ok(()), call.is_late(), |()| {
            let (entry, clips) = act(session, target).map_err(ToolError::new)?;
            fired += clips;
            Ok(entry)
        }));
    }
    Ok((target_result::answer(entries)?, fired))
}

/// The slot a target is about: it is what makes two targets the same.
fn slot_of(session: &dyn Session, target: &Target) -> Option<ObjectId> {
    match &target.named {
        &TargetName::Path(Path::Slot { track, scene }) => model_read::slot(session, track, scene).ok(),
        _ => {
            let clip = target.find(session, TargetKind::Clip).ok()?;
            model_read::child(session, clip, "canonical_parent").ok()?
        }
    }
}

/// An empty slot would stop its track, so it is left alone and said.
fn play_one(session: &mut dyn Session, target: &Target) -> Result<Done, String> {
    if let &TargetName::Path(Path::Slot { track, scene }) = &target.named
        && let Ok(slot) = model_read::slot(session, track, scene)
        && model_read::flag(session, slot, "is_group_slot")
    {
        let Members { with_clip, stopping } = Members::of(session, slot, scene);
        if with_clip.is_empty() {
            return Err(format!(
                "{}: no member of the group has a clip in that scene, nothing to launch",
                target.spelling
            ));
        }
        session.call(slot, "fire", &[]).map_err(|e| e.to_string())?;
        let mut entry = at(target);
        add_detail(&mut entry, format!("a group slot: launched {}", with_clip.join(", ")));
        if !stopping.is_empty() {
            add_detail(&mut entry, format!("stopped {}", stopping.join(", ")));
        }
        return Ok((entry, with_clip.len()));
    }
    let clip = target.find(session, TargetKind::Clip).map_err(|why| format!("{why}, nothing to launch"))?;
    in_session(session, clip)?;
    session.call(clip, "fire", &[]).map_err(|e| e.to_string())?;
    Ok((path_format::id_and_path(session, clip), 1))
}

/// Clips on the timeline are launched by nothing: they play when the Arrangement does.
fn in_session(session: &dyn Session, clip: ObjectId) -> Result<(), String> {
    if model_read::flag(session, clip, "is_arrangement_clip") {
        return Err(format!(
            "{} is an arrangement clip; session clips are launched and stopped",
            path_format::path_and_id(session, clip)
        ));
    }
    Ok(())
}

/// Stopping works on a slot without a clip too: it stops the track.
fn stop_one(session: &mut dyn Session, target: &Target) -> Result<Done, String> {
    let done = match &target.named {
        &TargetName::Path(Path::Slot { track, scene }) => {
            let slot = model_read::slot(session, track, scene).map_err(|e| e.text)?;
            let mut entry = at(target);
            if model_read::flag(session, slot, "is_group_slot") {
                match Members::busy(session, slot) {
                    list if list.is_empty() => add_detail(&mut entry, "a group slot: nothing in the group was playing"),
                    list => add_detail(&mut entry, format!("a group slot: stopped {}", list.join(", "))),
                }
            }
            session.call(slot, "stop", &[]).map_err(|e| e.to_string())?;
            let clip = model_read::child(session, slot, "clip").ok().flatten();
            clip.map_or(entry, |clip| path_format::id_and_path(session, clip))
        }
        _ => {
            let clip = target.find(session, TargetKind::Clip)?;
            in_session(session, clip)?;
            let slot = model_read::child(session, clip, "canonical_parent").ok().flatten();
            let slot = slot.ok_or_else(|| "the clip is in no slot".to_owned())?;
            session.call(slot, "stop", &[]).map_err(|e| e.to_string())?;
            path_format::id_and_path(session, clip)
        }
    };
    Ok((done, 0))
}

/// The members of a group track as one of its slots acts on them, by their paths.
struct Members {
    /// Slots with a clip.
    with_clip: Vec<String>,
    /// Tracks without one there that play or wait, and that the slot stops.
    stopping: Vec<String>,
}

impl Members {
    fn of(session: &dyn Session, slot: ObjectId, scene: usize) -> Members {
        let mut members = Members { with_clip: Vec::new(), stopping: Vec::new() };
        for (path, track) in members_of(session, slot) {
            let Some(own) = session.child_at(track, "clip_slots", scene) else { continue };
            if model_read::flag(session, own, "has_clip") {
                members.with_clip.push(format!("{path}/s{scene}"));
            } else if model_read::flag(session, own, "has_stop_button") && is_busy(session, track) {
                members.stopping.push(path);
            }
        }
        members
    }

    /// Those that play or wait: what a stop in the group stops.
    fn busy(session: &dyn Session, slot: ObjectId) -> Vec<String> {
        let busy = members_of(session, slot).into_iter().filter(|(_, track)| is_busy(session, *track));
        busy.map(|(path, _)| path).collect()
    }
}

/// Plays a session clip, or waits to.
fn is_busy(session: &dyn Session, track: ObjectId) -> bool {
    ["playing_slot_index", "fired_slot_index"]
        .iter()
        .any(|member| model_read::int(session, track, member).is_ok_and(|at| at >= 0))
}

/// The tracks in a group that hold clips, by their paths; groups in it hold none.
fn members_of(session: &dyn Session, slot: ObjectId) -> Vec<(String, ObjectId)> {
    let group = model_read::child(session, slot, "canonical_parent").ok().flatten();
    let members = group.and_then(|group| group_tracks::members(session, group).ok()).unwrap_or_default();
    let tracks = members.into_iter().filter(|track| !model_read::flag(session, *track, "is_foldable"));
    tracks.filter_map(|track| Some((path_format::tool_path(session, track)?, track))).collect()
}

fn at(target: &Target) -> Map<String, Value> {
    let mut entry = Map::new();
    let path = match &target.named {
        TargetName::Path(path) => path.to_string(),
        TargetName::Id(_) => target.spelling.clone(),
    };
    entry.insert("path".to_owned(), json!(path));
    entry
}
