//! What later sequence of a call left of the clips that earlier ones before: read from the lanes when all are written,
//! and not predicted.

use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{if_any, is_there};
use crate::tools::address::path_format;
use crate::tools::timeline::lane::{self, ClipSpan};

/// Clips that took of one are named up to here, and counted from there on.
const MOST_NAMED: usize = 10;

/// A clip on the timeline, as it was right after its target was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedBefore {
    pub lane: ObjectId,
    pub placed: ClipSpan,
}

impl PlacedBefore {
    /// `None` in the Session.
    pub fn read(session: &dyn Session, clip: ObjectId) -> Result<Option<PlacedBefore>, ModelError> {
        let Some(lane) = if_any(lane::of_clip(session, clip))?.flatten() else { return Ok(None) };
        Ok(Some(PlacedBefore { lane, placed: ClipSpan::read(session, clip)? }))
    }

    /// Those of these clips that lie on the timeline.
    pub fn of_all<'a>(
        session: &dyn Session,
        clips: impl IntoIterator<Item = &'a ObjectId>,
    ) -> Result<Vec<PlacedBefore>, ModelError> {
        clips.into_iter().filter_map(|clip| PlacedBefore::read(session, *clip).transpose()).collect()
    }

    /// The parts of it that are no longer its own.
    fn lost(&self, session: &dyn Session) -> Result<Vec<(Beats, Beats)>, ModelError> {
        let was = self.placed;
        let Some(now) = if_any(ClipSpan::read(session, was.id))? else { return Ok(vec![(was.start, was.end)]) };
        let parts = [(was.start, now.start), (now.end, was.end)];
        Ok(parts.into_iter().filter(|(from, to)| to - from > SAME_POSITION_BEATS).collect())
    }

    fn reaches_into(&self, lane: ObjectId, (from, to): (Beats, Beats)) -> bool {
        let ClipSpan { start, end, .. } = self.placed;
        self.lane == lane && start < to - SAME_POSITION_BEATS && from < end - SAME_POSITION_BEATS
    }
}

/// What later sequence took of a target's clips.
pub struct Overwritten {
    /// The clip itself is no more; copies and pieces behind it may be.
    pub is_gone: bool,
    pub said: String,
}

/// What later targets of a call took of the clips of the target at position `at`; `None` where nothing was taken.
/// `placed` has each target's clip and those behind it, `sequence` the order in which the targets were written, `own`
/// all clips that the call wrote; `name` gives the place that a target went to.
pub fn loss(
    session: &dyn Session,
    placed: &[Vec<PlacedBefore>],
    sequence: &[usize],
    own: &[ObjectId],
    at: usize,
    name: impl Fn(usize) -> Result<String, ModelError>,
) -> Result<Option<Overwritten>, ModelError> {
    let before = placed.get(at).map_or(&[][..], Vec::as_slice);
    loss_of(session, (placed, sequence), own, (at, before), name)
}

/// As [`loss`], of some of the clips of a target: `before` are those.
pub fn loss_of(
    session: &dyn Session,
    (placed, sequence): (&[Vec<PlacedBefore>], &[usize]),
    own: &[ObjectId],
    (at, before): (usize, &[PlacedBefore]),
    name: impl Fn(usize) -> Result<String, ModelError>,
) -> Result<Option<Overwritten>, ModelError> {
    let mut lost: Vec<(ObjectId, (Beats, Beats))> = Vec::new();
    for before in before {
        lost.extend(before.lost(session)?.into_iter().map(|part| (before.lane, part)));
    }
    if lost.is_empty() {
        return Ok(None);
    }
    let took = |by: &&usize| {
        let theirs = placed.get(**by).map_or(&[][..], Vec::as_slice);
        lost.iter().any(|(lane, part)| theirs.iter().any(|theirs| theirs.reaches_into(*lane, *part)))
    };
    let mut by: Vec<usize> = sequence.iter().skip_while(|other| **other != at).skip(1).filter(took).copied().collect();
    by.sort_unstable();
    let when = if by.iter().all(|by| *by > at) { "named later in this call" } else { "in this call" };
    let more = by.len().saturating_sub(MOST_NAMED);
    let names = by.into_iter().take(MOST_NAMED).map(name).collect::<Result<Vec<_>, _>>()?;
    let mut names = if names.is_empty() { "another clip".to_owned() } else { names.join(" and ") };
    if more > 0 {
        names.push_str(&format!(" and {more} more"));
    }
    let is_gone = match before.first() {
        Some(clip) => !is_there(session, clip.placed.id)?,
        None => false,
    };
    let mut said = format!("{} by {names}, {when}", if is_gone { "overwritten" } else { "shortened" });
    let tails = tails(session, own, before)?;
    if !tails.is_empty() {
        said = format!("{said}; it goes on at {}", tails.join(", "));
    }
    Ok(Some(Overwritten { is_gone, said }))
}

/// What lies behind a clip that was cut in two: the rest of it is a new clip.
fn tails(session: &dyn Session, own: &[ObjectId], before: &[PlacedBefore]) -> Result<Vec<String>, ModelError> {
    let mut tails = Vec::new();
    for PlacedBefore { lane, placed } in before {
        let Some(now) = if_any(ClipSpan::read(session, placed.id))? else { continue };
        let behind = lane::within(session, *lane, now.end, placed.end)?;
        for clip in behind.iter().filter(|clip| !own.contains(&clip.id)) {
            tails.push(path_format::path_and_id(session, clip.id)?);
        }
    }
    Ok(tails)
}
