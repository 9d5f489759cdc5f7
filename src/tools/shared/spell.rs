//! The path of an object, as answers say it: what can be sent back wherever that kind of object is taken. Devices are always
//! `d<n>`, drum chains always under their pad, positions always bar|beat.

use super::objects;
use crate::music::{pitch, position};
use crate::object_model::{ObjectId, Session};

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

/// Where a clip on the timeline begins, in the song's meter.
fn start(session: &dyn Session, clip: ObjectId) -> Option<String> {
    let meter = objects::meter(session, objects::song(session).ok()?).ok()?;
    Some(position::format(objects::number(session, clip, "start_time").ok()?, meter))
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
    (objects::class(session, chain) == Some("DrumChain")).then(|| objects::int(session, chain, "in_note").ok())?
}
