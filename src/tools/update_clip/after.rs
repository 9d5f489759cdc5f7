//! When all clips of a call are written: what the later ones left of the earlier, read from the lanes and not predicted, and
//! where each stands now.

use super::plan::{Cuts, Plan};
use super::run::{Done, Looked};
use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::{ObjectId, Session};
use crate::tools::ToolError;
use crate::tools::shared::arrange::lane::{self, Placed};
use crate::tools::shared::entry::{self, Entry, add_detail};
use crate::tools::shared::objects;
use serde_json::{Map, Value, json};

/// A clip of the timeline as it was when its target's turn ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laid {
    pub lane: ObjectId,
    pub placed: Placed,
}

impl Laid {
    /// `None` in the Session.
    pub fn look(session: &dyn Session, clip: ObjectId) -> Option<Laid> {
        let lane = lane::of_clip(session, clip).ok().flatten()?;
        Some(Laid { lane, placed: Placed::read(session, clip).ok()? })
    }

    /// The parts of it that are no longer its own.
    fn lost(&self, session: &dyn Session) -> Vec<(Beats, Beats)> {
        let was = self.placed;
        let Ok(now) = Placed::read(session, was.id) else { return vec![(was.start, was.end)] };
        let parts = [(was.start, now.start), (now.end, was.end)];
        parts.into_iter().filter(|(from, to)| to - from > SAME_POSITION_BEATS).collect()
    }

    fn reaches_into(&self, lane: ObjectId, (from, to): (Beats, Beats)) -> bool {
        let Placed { start, end, .. } = self.placed;
        self.lane == lane && start < to - SAME_POSITION_BEATS && from < end - SAME_POSITION_BEATS
    }
}

/// The answer: what became of each clip, with the paths that they have now.
pub fn settle(plan: &Plan, looked: &Looked, session: &dyn Session, mut done: Done) -> Result<Value, ToolError> {
    let cut_nothing = plan.cuts.is_some()
        && looked.ready.iter().flatten().filter_map(|ready| ready.as_ref().ok()).all(|ready| ready.cuts.is_empty());
    for (at, target) in plan.targets.iter().enumerate() {
        let fate = fate(looked, session, &done, at);
        let cut_none = cut_nothing && matches!(looked.ready.get(at), Some(Some(Ok(ready))) if ready.takes_cuts);
        let Some(Some(Entry::Written(map))) = done.entries.get_mut(at) else { continue };
        if let Some((_, by)) = looked.limits.get(at).copied().flatten() {
            add_detail(map, format!("shortened: {} is named later in this call", looked.spelled(session, by)));
        }
        if let Some(Fate { is_gone, said }) = fate {
            if is_gone {
                map.retain(|field, _| matches!(field.as_str(), "detail" | "converted"));
                map.insert(target.key.to_owned(), json!(target.spelling));
            }
            add_detail(map, said);
        }
        if cut_none {
            let which = if matches!(plan.cuts, Some(Cuts::OwnTime(_))) { "split" } else { "arrangementSplit" };
            add_detail(map, format!("nothing was cut: no position of {which} lies inside it"));
        }
    }
    for more in &mut done.further {
        more.retain(|map| id(map).is_some_and(|id| session.class_of(id).is_some()));
    }
    let written = done.entries.iter_mut().flatten().filter_map(|entry| match entry {
        Entry::Written(map) => Some(map),
        _ => None,
    });
    for map in written.chain(done.further.iter_mut().flatten()) {
        refresh(session, map);
        if let Some(Value::Object(track)) = map.get_mut("converted").and_then(|made| made.get_mut("track")) {
            refresh(session, track);
        }
    }
    let lost = |entry: Option<Entry>| entry.unwrap_or_else(|| Entry::skip("path", "", "not reached"));
    entry::answer_with(done.entries.into_iter().map(lost).collect(), done.further)
}

fn id(map: &Map<String, Value>) -> Option<ObjectId> {
    map.get("id").and_then(Value::as_str).and_then(|id| id.parse().ok()).map(ObjectId)
}

fn refresh(session: &dyn Session, map: &mut Map<String, Value>) {
    if let Some(path) = id(map).and_then(|id| objects::tool_path(session, id)) {
        map.insert("path".to_owned(), json!(path));
    }
}

/// What later turns took of a target's clips.
struct Fate {
    /// The clip itself is no more; copies and pieces behind it may be.
    is_gone: bool,
    said: String,
}

fn fate(looked: &Looked, session: &dyn Session, done: &Done, at: usize) -> Option<Fate> {
    let laid = done.landed.get(at)?;
    let lost: Vec<(ObjectId, (Beats, Beats))> =
        laid.iter().flat_map(|laid| laid.lost(session).into_iter().map(|part| (laid.lane, part))).collect();
    if lost.is_empty() {
        return None;
    }
    let turns = looked.order.turns.iter().skip_while(|turn| **turn != at).skip(1);
    let took = |by: &&usize| {
        let theirs = done.landed.get(**by).map_or(&[][..], Vec::as_slice);
        lost.iter().any(|(lane, part)| theirs.iter().any(|theirs| theirs.reaches_into(*lane, *part)))
    };
    let mut by: Vec<usize> = turns.filter(took).copied().collect();
    by.sort_unstable();
    let when = if by.iter().all(|by| *by > at) { "named later in this call" } else { "in this call" };
    let names: Vec<String> = by.iter().map(|by| looked.spelled(session, *by)).collect();
    let names = if names.is_empty() { "another clip".to_owned() } else { names.join(" and ") };
    let is_gone = laid.first().is_some_and(|clip| session.class_of(clip.placed.id).is_none());
    let mut said = format!("{} by {names}, {when}", if is_gone { "overwritten" } else { "shortened" });
    let tails = tails(session, done, laid);
    if !tails.is_empty() {
        said = format!("{said}; it goes on at {}", tails.join(", "));
    }
    Some(Fate { is_gone, said })
}

/// What lies behind a clip that was cut in two: the rest of it is a new clip.
fn tails(session: &dyn Session, done: &Done, laid: &[Laid]) -> Vec<String> {
    let mut tails = Vec::new();
    for Laid { lane, placed } in laid {
        let Ok(now) = Placed::read(session, placed.id) else { continue };
        let behind = lane::within(session, *lane, now.end, placed.end).unwrap_or_default();
        tails.extend(
            behind.iter().filter(|clip| !done.own.contains(&clip.id)).map(|clip| objects::named(session, clip.id)),
        );
    }
    tails
}
