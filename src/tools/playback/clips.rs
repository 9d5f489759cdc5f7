//! Launching and stopping session clips, target by target.

use super::report_waiting;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::group_tracks;
use crate::tools::address::model_read;
use crate::tools::address::path::Path;
use crate::tools::address::path_format;
use crate::tools::address::targets::{Target, TargetKind, TargetName};
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{self, LeftTo, add_detail, later_mentions, or_detail, result_of};
use crate::tools::report::write_targets;
use serde_json::{Map, Value, json};

/// What one target came to: its entry, and how many clips were launched.
type SlotResult = (Map<String, Value>, usize);
type OneClip = fn(&mut dyn Session, &Target) -> Result<SlotResult, ToolError>;

pub(super) fn play(
    session: &mut dyn Session,
    call: &mut CallContext,
    song: ObjectId,
    targets: &[Target],
    result: &mut Map<String, Value>,
) -> Result<(), ToolError> {
    let before = session.clock()?;
    let (entries, fired) = act_on_each(session, call, targets, play_one)?;
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
        report_waiting(session, result)?;
    }
    Ok(())
}

pub(super) fn stop(
    session: &mut dyn Session,
    call: &mut CallContext,
    targets: &[Target],
    result: &mut Map<String, Value>,
) -> Result<(), ToolError> {
    let (entries, _) = act_on_each(session, call, targets, stop_one)?;
    result.insert("clip".to_owned(), entries);
    Ok(())
}

/// Acts on each slot once, at its last mention; gives the entries and how many clips were launched.
fn act_on_each(
    session: &mut dyn Session,
    call: &mut CallContext,
    targets: &[Target],
    act: OneClip,
) -> Result<(Value, usize), ToolError> {
    write_targets::warn_of_old_spellings(call, targets);
    let slots = targets.iter().map(|target| slot_of(session, target)).collect::<Result<Vec<_>, _>>()?;
    let (mut entries, mut fired) = (Vec::new(), 0);
    for (target, later) in targets.iter().zip(later_mentions(&slots)) {
        let left_to = later.map(LeftTo::Same);
        let is_late = call.is_late();
        let acted = if left_to.is_some() || is_late { Ok(None) } else { or_detail(act(session, target))?.map(Some) };
        let found = acted.as_ref().map_err(String::as_str);
        entries.push(result_of(target.into(), left_to, found, is_late, |acted| {
            let (entry, clips) = acted.clone().unwrap_or_default();
            fired += clips;
            Ok(entry)
        }));
    }
    Ok((target_result::answer(entries)?, fired))
}

/// The slot a target is about: it is what makes two targets the same.
fn slot_of(session: &dyn Session, target: &Target) -> Result<Option<ObjectId>, ToolError> {
    if let &TargetName::Path(Path::Slot { track, scene }) = &target.named {
        return Ok(target_result::or_detail(model_read::slot(session, track, scene))?.ok());
    }
    match target_result::or_detail(target.find(session, TargetKind::Clip))? {
        Ok(clip) => Ok(model_read::child(session, clip, "canonical_parent")?),
        Err(_) => Ok(None),
    }
}

/// An empty slot would stop its track, so it is left alone and said.
fn play_one(session: &mut dyn Session, target: &Target) -> Result<SlotResult, ToolError> {
    if let &TargetName::Path(Path::Slot { track, scene }) = &target.named
        && let Ok(slot) = target_result::or_detail(model_read::slot(session, track, scene))?
        && model_read::flag(session, slot, "is_group_slot")?
    {
        let Members { with_clip, stopping } = Members::of(session, slot, scene)?;
        if with_clip.is_empty() {
            return Err(ToolError::new(format!(
                "{}: no member of the group has a clip in that scene, nothing to launch",
                target.spelling
            )));
        }
        session.call(slot, "fire", &[])?;
        let mut entry = at(target);
        add_detail(&mut entry, format!("a group slot: launched {}", with_clip.join(", ")));
        if !stopping.is_empty() {
            add_detail(&mut entry, format!("stopped {}", stopping.join(", ")));
        }
        return Ok((entry, with_clip.len()));
    }
    let clip = target
        .find(session, TargetKind::Clip)
        .map_err(|why| ToolError { text: format!("{why}, nothing to launch"), ..why })?;
    in_session(session, clip)?;
    session.call(clip, "fire", &[])?;
    Ok((path_format::id_and_path(session, clip)?, 1))
}

/// Clips on the timeline are launched by nothing: they play when the Arrangement does.
fn in_session(session: &dyn Session, clip: ObjectId) -> Result<(), ToolError> {
    if model_read::flag(session, clip, "is_arrangement_clip")? {
        return Err(ToolError::new(format!(
            "{} is an arrangement clip; session clips are launched and stopped",
            path_format::path_and_id(session, clip)?
        )));
    }
    Ok(())
}

/// Stopping works on a slot without a clip too: it stops the track.
fn stop_one(session: &mut dyn Session, target: &Target) -> Result<SlotResult, ToolError> {
    let done = match &target.named {
        &TargetName::Path(Path::Slot { track, scene }) => {
            let slot = model_read::slot(session, track, scene)?;
            let mut entry = at(target);
            if model_read::flag(session, slot, "is_group_slot")? {
                match Members::busy(session, slot)? {
                    list if list.is_empty() => add_detail(&mut entry, "a group slot: nothing in the group was playing"),
                    list => add_detail(&mut entry, format!("a group slot: stopped {}", list.join(", "))),
                }
            }
            session.call(slot, "stop", &[])?;
            match model_read::child(session, slot, "clip")? {
                Some(clip) => path_format::id_and_path(session, clip)?,
                None => entry,
            }
        }
        _ => {
            let clip = target.find(session, TargetKind::Clip)?;
            in_session(session, clip)?;
            let slot = model_read::child(session, clip, "canonical_parent")?.ok_or("the clip is in no slot")?;
            session.call(slot, "stop", &[])?;
            path_format::id_and_path(session, clip)?
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
    fn of(session: &dyn Session, slot: ObjectId, scene: usize) -> Result<Members, ModelError> {
        let mut members = Members { with_clip: Vec::new(), stopping: Vec::new() };
        for (path, track) in members_of(session, slot)? {
            let Some(own) = session.child_at(track, "clip_slots", scene)? else { continue };
            if model_read::flag(session, own, "has_clip")? {
                members.with_clip.push(format!("{path}/s{scene}"));
            } else if model_read::flag(session, own, "has_stop_button")? && is_busy(session, track)? {
                members.stopping.push(path);
            }
        }
        Ok(members)
    }

    /// Those that play or wait: what a stop in the group stops.
    fn busy(session: &dyn Session, slot: ObjectId) -> Result<Vec<String>, ModelError> {
        let mut busy = Vec::new();
        for (path, track) in members_of(session, slot)? {
            if is_busy(session, track)? {
                busy.push(path);
            }
        }
        Ok(busy)
    }
}

/// Plays a session clip, or waits to.
fn is_busy(session: &dyn Session, track: ObjectId) -> Result<bool, ModelError> {
    for member in ["playing_slot_index", "fired_slot_index"] {
        if model_read::int(session, track, member)? >= 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The tracks in a group that hold clips, by their paths; groups in it hold none.
fn members_of(session: &dyn Session, slot: ObjectId) -> Result<Vec<(String, ObjectId)>, ModelError> {
    let Some(group) = model_read::child(session, slot, "canonical_parent")? else { return Ok(Vec::new()) };
    let mut tracks = Vec::new();
    for track in group_tracks::members(session, group)? {
        if !model_read::flag(session, track, "is_foldable")? {
            tracks.extend(path_format::tool_path(session, track)?.map(|path| (path, track)));
        }
    }
    Ok(tracks)
}

fn at(target: &Target) -> Map<String, Value> {
    let mut entry = Map::new();
    let path = match &target.named {
        TargetName::Path(path) => path.to_string(),
        TargetName::Id(_) | TargetName::Unreadable(_) => target.spelling.clone(),
    };
    entry.insert("path".to_owned(), json!(path));
    entry
}
