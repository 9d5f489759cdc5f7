//! What later turns of a call left of the clips that earlier ones laid: read from the lanes when all are written, and not
//! predicted.

use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::path_format;
use crate::tools::timeline::lane::{self, ClipSpan};

/// A clip of the timeline as it was when its target's turn ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedBefore {
    pub lane: ObjectId,
    pub placed: ClipSpan,
}

impl PlacedBefore {
    /// `None` in the Session.
    pub fn look(session: &dyn Session, clip: ObjectId) -> Option<PlacedBefore> {
        let lane = lane::of_clip(session, clip).ok().flatten()?;
        Some(PlacedBefore { lane, placed: ClipSpan::read(session, clip).ok()? })
    }

    /// The parts of it that are no longer its own.
    fn lost(&self, session: &dyn Session) -> Vec<(Beats, Beats)> {
        let was = self.placed;
        let Ok(now) = ClipSpan::read(session, was.id) else { return vec![(was.start, was.end)] };
        let parts = [(was.start, now.start), (now.end, was.end)];
        parts.into_iter().filter(|(from, to)| to - from > SAME_POSITION_BEATS).collect()
    }

    fn reaches_into(&self, lane: ObjectId, (from, to): (Beats, Beats)) -> bool {
        let ClipSpan { start, end, .. } = self.placed;
        self.lane == lane && start < to - SAME_POSITION_BEATS && from < end - SAME_POSITION_BEATS
    }
}

/// What later turns took of a target's clips.
pub struct Overwritten {
    /// The clip itself is no more; copies and pieces behind it may be.
    pub is_gone: bool,
    pub said: String,
}

/// What became of the clips of the target at that place in the call, if anything did: `landed` has, by place in the call, each
/// target's clip and those behind it, `own` all clips that the call wrote, and `name` says of a place in the call where it went.
pub fn loss(
    session: &dyn Session,
    landed: &[Vec<PlacedBefore>],
    turns: &[usize],
    own: &[ObjectId],
    at: usize,
    name: impl Fn(usize) -> String,
) -> Option<Overwritten> {
    let laid = landed.get(at)?;
    let lost: Vec<(ObjectId, (Beats, Beats))> =
        laid.iter().flat_map(|laid| laid.lost(session).into_iter().map(|part| (laid.lane, part))).collect();
    if lost.is_empty() {
        return None;
    }
    let took = |by: &&usize| {
        let theirs = landed.get(**by).map_or(&[][..], Vec::as_slice);
        lost.iter().any(|(lane, part)| theirs.iter().any(|theirs| theirs.reaches_into(*lane, *part)))
    };
    let mut by: Vec<usize> = turns.iter().skip_while(|turn| **turn != at).skip(1).filter(took).copied().collect();
    by.sort_unstable();
    let when = if by.iter().all(|by| *by > at) { "named later in this call" } else { "in this call" };
    let names: Vec<String> = by.into_iter().map(name).collect();
    let names = if names.is_empty() { "another clip".to_owned() } else { names.join(" and ") };
    let is_gone = laid.first().is_some_and(|clip| session.class_of(clip.placed.id).is_none());
    let mut said = format!("{} by {names}, {when}", if is_gone { "overwritten" } else { "shortened" });
    let tails = tails(session, own, laid);
    if !tails.is_empty() {
        said = format!("{said}; it goes on at {}", tails.join(", "));
    }
    Some(Overwritten { is_gone, said })
}

/// What lies behind a clip that was cut in two: the rest of it is a new clip.
fn tails(session: &dyn Session, own: &[ObjectId], laid: &[PlacedBefore]) -> Vec<String> {
    let mut tails = Vec::new();
    for PlacedBefore { lane, placed } in laid {
        let Ok(now) = ClipSpan::read(session, placed.id) else { continue };
        let behind = lane::within(session, *lane, now.end, placed.end).unwrap_or_default();
        tails.extend(
            behind.iter().filter(|clip| !own.contains(&clip.id)).map(|clip| path_format::path_and_id(session, clip.id)),
        );
    }
    tails
}
