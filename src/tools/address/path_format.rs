//! The path of an object, as answers say it: what can be sent back wherever that kind of object is taken. Devices are always
//! `d<n>`, drum chains always under their pad, positions always bar|beat.

use crate::music::{pitch, position};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read;

/// The object's path, such as `t0/s3`; `None` for what no path names.
pub fn tool_path(session: &dyn Session, id: ObjectId) -> Option<String> {
    let route = session.path_of(id)?;
    let words: Vec<&str> = route.split(' ').collect();
    let rest = words.strip_prefix(&["live_set"])?;
    let (head, mut rest) = match rest {
        ["tracks", at, rest @ ..] => (format!("t{at}"), rest),
        ["return_tracks", at, rest @ ..] => (format!("rt{at}"), rest),
        ["master_track", rest @ ..] => ("mt".to_owned(), rest),
        ["scenes", at] => return Some(format!("s{at}")),
        _ => return None,
    };
    let mut path = head;
    loop {
        rest = match rest {
            [] => return Some(path),
            ["clip_slots", at] | ["clip_slots", at, "clip"] => return Some(format!("{path}/s{at}")),
            ["arrangement_clips", _] => return Some(format!("{path}[{}]", start(session, id)?)),
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
                path.push_str(&format!("/p{}", pitch::name(note.parse().ok()?)));
                &[]
            }
            ["chains", at, after @ ..] => {
                let rack_words = words.len().checked_sub(after.len() + 2)?;
                let rack = session.resolve(&words.get(..rack_words)?.join(" "))?;
                path.push_str(&chain(session, rack, at.parse().ok()?)?);
                after
            }
            _ => return None,
        };
    }
}

/// `t0/s3 (id 7)`.
pub fn path_and_id(session: &dyn Session, id: ObjectId) -> String {
    match tool_path(session, id) {
        Some(path) => format!("{path} (id {id})"),
        None => format!("id {id}"),
    }
}

/// `{id, path}` of an object: how an answer names it.
pub fn id_and_path(session: &dyn Session, id: ObjectId) -> serde_json::Map<String, serde_json::Value> {
    let path = tool_path(session, id).map(|path| ("path".to_owned(), path.into()));
    std::iter::once(("id".to_owned(), id.to_string().into())).chain(path).collect()
}

/// What was made to reach `last` where there were `before`: `s8-s9`, `s8` or nothing.
pub fn created_range(kind: char, before: usize, last: usize) -> Option<String> {
    match last.checked_sub(before)? {
        0 => Some(format!("{kind}{last}")),
        _ => Some(format!("{kind}{before}-{kind}{last}")),
    }
}

/// Where a clip on the timeline begins, in the song's meter.
fn start(session: &dyn Session, clip: ObjectId) -> Option<String> {
    let meter = model_read::meter(session, model_read::song(session).ok()?).ok()?;
    Some(position::format(model_read::number(session, clip, "start_time").ok()?, meter))
}

/// `/c1`, or `/pC1/c1` for the second layer of a pad.
fn chain(session: &dyn Session, rack: ObjectId, at: usize) -> Option<String> {
    let Some(note) = drum_note(session, session.child_at(rack, "chains", at)?) else {
        return Some(format!("/c{at}"));
    };
    let earlier = (0..at).filter_map(|at| session.child_at(rack, "chains", at));
    let layer = earlier.filter(|other| drum_note(session, *other) == Some(note)).count();
    let pad = u8::try_from(note).map_or_else(|_| "p*".to_owned(), |note| format!("p{}", pitch::name(note)));
    Some(format!("/{pad}/c{layer}"))
}

/// The note that a drum chain answers, -1 for all; `None` for another rack's chain.
pub fn drum_note(session: &dyn Session, chain: ObjectId) -> Option<i64> {
    (model_read::class(session, chain) == Some("DrumChain")).then(|| model_read::int(session, chain, "in_note").ok())?
}
