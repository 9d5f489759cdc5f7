//! The path of an object, as answers say it: what can be sent back wherever that kind of object is taken. Devices are
//! always `d<n>`, drum chains always under their pad, positions always bar|beat.

use crate::music::position;
use crate::object_model::scope::{Part, Shape};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The object's path, such as `t0/s3`; `None` for what no path names.
pub fn tool_path(session: &dyn Session, id: ObjectId) -> Result<Option<String>, ModelError> {
    let Some(route) = session.path_of(id)? else { return Ok(None) };
    if let Some(path) = slot_path(&route).or_else(|| track_path(&route)) {
        return Ok(Some(path));
    }
    let words: Vec<&str> = route.split(' ').collect();
    let Some(rest) = words.strip_prefix(&["live_set"]) else { return Ok(None) };
    let (head, mut rest) = match rest {
        ["tracks", at, rest @ ..] => (format!("t{at}"), rest),
        ["return_tracks", at, rest @ ..] => (format!("rt{at}"), rest),
        ["master_track", rest @ ..] => ("mt".to_owned(), rest),
        ["scenes", at] => return Ok(Some(format!("s{at}"))),
        _ => return Ok(None),
    };
    let mut path = head;
    loop {
        rest = match rest {
            [] => return Ok(Some(path)),
            ["clip_slots", at] | ["clip_slots", at, "clip"] => return Ok(Some(format!("{path}/s{at}"))),
            ["arrangement_clips", _] => return Ok(start(session, id)?.map(|start| format!("{path}[{start}]"))),
            ["take_lanes", at, rest @ ..] => {
                path.push_str(&format!("/l{at}"));
                rest
            }
            ["devices", at, rest @ ..] => {
                path.push_str(&format!("/d{at}"));
                rest
            }
            ["return_chains", at, rest @ ..] => {
                path.push_str(&format!("/rc{at}"));
                rest
            }
            ["drum_pads", note] => {
                let Ok(note) = note.parse() else { return Ok(None) };
                path.push_str(&format!("/p{}", session.spelling().name(note)));
                &[]
            }
            ["chains", at, after @ ..] => {
                let rack = words.len().checked_sub(after.len() + 2).and_then(|words_before| words.get(..words_before));
                let (Some(rack), Ok(at)) = (rack, at.parse()) else { return Ok(None) };
                let Some(rack) = session.resolve(&rack.join(" "))? else { return Ok(None) };
                let Some(chain) = chain(session, rack, at)? else { return Ok(None) };
                path.push_str(&chain);
                after
            }
            _ => return Ok(None),
        };
    }
}

/// The path of a regular track, which is what many writes answer with.
fn track_path(route: &str) -> Option<String> {
    let track = route.strip_prefix("live_set tracks ")?;
    (!track.contains(' ')).then(|| ["t", track].concat())
}

/// The path of a slot, or of the clip in it: what large reads have most of.
fn slot_path(route: &str) -> Option<String> {
    let (track, slot) = route.strip_prefix("live_set tracks ")?.split_once(" clip_slots ")?;
    let scene = slot.strip_suffix(" clip").unwrap_or(slot);
    let mut path = String::with_capacity(track.len() + scene.len() + 3);
    for part in ["t", track, "/s", scene] {
        path.push_str(part);
    }
    Some(path).filter(|_| !scene.contains(' '))
}

/// `t0/s3 (id 7)`.
pub fn path_and_id(session: &dyn Session, id: ObjectId) -> Result<String, ModelError> {
    Ok(match tool_path(session, id)? {
        Some(path) => format!("{path} (id {id})"),
        None => format!("id {id}"),
    })
}

/// `{id, path}` of an object: how an answer names it.
pub fn id_and_path(session: &dyn Session, id: ObjectId) -> Result<Map<String, Value>, ModelError> {
    // With room for what was written.
    let mut entry = Map::with_capacity(4);
    entry.insert("id".to_owned(), id.to_string().into());
    if let Some(path) = tool_path(session, id)? {
        entry.insert("path".to_owned(), path.into());
    }
    Ok(entry)
}

/// [`id_and_path`] of each of several clips.
pub fn ids_and_paths(session: &dyn Session, clips: &[ObjectId]) -> Result<Vec<Map<String, Value>>, ModelError> {
    let parts = || Ok(parts(clips));
    model_read::through_snapshot(session, &parts, |session| clips.iter().map(|id| id_and_path(session, *id)).collect())
}

/// What the paths of clips are read from.
pub fn parts(clips: &[ObjectId]) -> Vec<Part> {
    let song = Part::of_path("live_set", Shape::of(&["signature_numerator", "signature_denominator"]));
    let clip = Arc::new(Shape::of(&["start_time"]));
    std::iter::once(song).chain(clips.iter().map(|id| Part::of_id(*id, clip.clone()))).collect()
}

/// What was made to reach `last` where there were `before`: `s8-s9`, `s8` or nothing.
pub fn created_range(kind: char, before: usize, last: usize) -> Option<String> {
    match last.checked_sub(before)? {
        0 => Some(format!("{kind}{last}")),
        _ => Some(format!("{kind}{before}-{kind}{last}")),
    }
}

/// Where a clip on the timeline begins, in the song's meter.
fn start(session: &dyn Session, clip: ObjectId) -> Result<Option<String>, ModelError> {
    let Some(meter) = model_read::song_meter(session)? else { return Ok(None) };
    Ok(Some(position::format(model_read::number(session, clip, "start_time")?, meter)))
}

/// `/c1`, or `/pC1/c1` for the second layer of a pad.
fn chain(session: &dyn Session, rack: ObjectId, at: usize) -> Result<Option<String>, ModelError> {
    let Some(chain) = session.child_at(rack, "chains", at)? else { return Ok(None) };
    let Some(note) = drum_note(session, chain)? else { return Ok(Some(format!("/c{at}"))) };
    let mut layer = 0;
    for earlier in 0..at {
        if let Some(chain) = session.child_at(rack, "chains", earlier)?
            && drum_note(session, chain)? == Some(note)
        {
            layer += 1;
        }
    }
    let pad = u8::try_from(note).map_or_else(|_| "p*".to_owned(), |note| format!("p{}", session.spelling().name(note)));
    Ok(Some(format!("/{pad}/c{layer}")))
}

/// The note that a drum chain answers, -1 for all; `None` for another rack's chain.
pub fn drum_note(session: &dyn Session, chain: ObjectId) -> Result<Option<i64>, ModelError> {
    if model_read::class(session, chain)? != Some("DrumChain") {
        return Ok(None);
    }
    model_read::int(session, chain, "in_note").map(Some)
}
