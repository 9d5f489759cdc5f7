//! All clips of a call before the first one is written: what is to be done to each, and in which order.

use super::clip_update::{self, ClipRefusal, ClipUpdate};
use super::plan::{Cuts, Plan};
use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::path::LanePath;
use crate::tools::address::path_format;
use crate::tools::address::targets::{Target, TargetKind};
use crate::tools::clip::transforms::TextErrors;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{later_mentions, or_detail};
use crate::tools::timeline::area::{Area, ClipMove};
use crate::tools::timeline::length;
use crate::tools::timeline::order::{self, Order};

/// The clips of a call, by the positions of their targets.
pub struct ClipUpdates {
    pub found: Vec<Result<ObjectId, String>>,
    /// Of each target the later one that names the same clip.
    pub named_again: Vec<Option<usize>>,
    /// Only of those that are written: there, and not named again later.
    pub updates: Vec<Option<Result<ClipUpdate, ClipRefusal>>>,
    /// Where a later clip begins that this one would be lengthened over, and which. It ends there.
    pub limits: Vec<Option<(Beats, usize)>>,
    pub order: Order,
    /// Where each clip was before the call, where its target does not say so.
    paths: Vec<Option<String>>,
    /// The positions to cut at that cut no clip, where others do; as written.
    pub idle_cuts: Vec<String>,
}

impl ClipUpdates {
    /// Looks all of them up. What no clip of the call can take refuses it.
    pub fn look_up(plan: &Plan, session: &dyn Session) -> Result<ClipUpdates, ToolError> {
        let mut found: Vec<Result<ObjectId, String>> = Vec::new();
        for target in &plan.targets {
            found.push(or_detail(target.find(session, TargetKind::Clip))?);
        }
        let clips: Vec<Option<ObjectId>> = found.iter().map(|found| found.as_ref().ok().copied()).collect();
        let mut faults = TextErrors::default();
        faults.check_for(session, clips.iter().flatten().copied(), &plan.note_work())?;
        faults.refuse()?;
        let song_cuts = clip_update::song_cuts(plan, session)?;
        let mut updates = Vec::new();
        let named_again = later_mentions(&clips);
        for (at, (clip, again)) in clips.iter().zip(&named_again).enumerate() {
            let clip = clip.filter(|_| again.is_none());
            updates.push(clip.map(|clip| ClipUpdate::look_up(plan, session, at, clip, &song_cuts)));
        }
        refuse_unreadable(plan, &updates)?;
        let mut tiles = 0usize;
        for update in updates.iter().flatten().flatten() {
            tiles = tiles.saturating_add(update.tiles(plan, session)?);
        }
        length::check_tiles(tiles)?;
        let mut moves = Vec::new();
        for update in &updates {
            moves.push(match update {
                Some(Ok(update)) if update.to.is_some() || update.length.is_some() => {
                    Some(update.clip_move(plan, session)?)
                }
                _ => None,
            });
        }
        let limits = limits(plan, session, &clips, &updates)?;
        for (one, limit) in moves.iter_mut().zip(&limits) {
            if let (Some(ClipMove { to: Area::Span { to, .. }, .. }), Some((end, _))) = (one, limit) {
                *to = *end;
            }
        }
        let order = if plan.destinations.is_empty() { order_in_place(&moves)? } else { order::order(&moves)? };
        let mut paths = Vec::new();
        for (target, clip) in plan.targets.iter().zip(&clips) {
            let is_asked = target.key == "id" && plan.targets.len() > 1;
            paths.push(match clip.filter(|_| is_asked) {
                Some(clip) => path_format::tool_path(session, clip)?,
                None => None,
            });
        }
        let idle_cuts = idle_cuts(plan, &song_cuts, &updates);
        Ok(ClipUpdates { found, named_again, updates, limits, order, paths, idle_cuts })
    }

    /// Where the clip of a target was before the call.
    pub fn path_before(&self, at: usize, target: &Target) -> String {
        self.paths.get(at).cloned().flatten().unwrap_or_else(|| target.spelling.clone())
    }

    /// Of several clips: the positions to cut at that lie inside none of them.
    pub fn idle_cuts_warning(&self, plan: &Plan) -> Option<String> {
        let has_several = plan.targets.len() > 1 && !self.idle_cuts.is_empty();
        has_several.then(|| {
            format!("arrangementSplit cuts nothing at {}: inside none of the clips", self.idle_cuts.join(", "))
        })
    }

    /// What is to be done to the clip at that position, or why nothing can be.
    pub fn update(&self, at: usize) -> Result<&ClipUpdate, &str> {
        match (self.found.get(at), self.updates.get(at)) {
            (Some(Err(why)), _) => Err(why),
            (_, Some(Some(Ok(update)))) => Ok(update),
            (_, Some(Some(Err(refusal)))) => Err(&refusal.error.text),
            _ => Err("not found"),
        }
    }

    /// The place that a target goes to, else its clip.
    pub fn spelled(&self, session: &dyn Session, at: usize) -> Result<String, ModelError> {
        match self.update(at) {
            Ok(ClipUpdate { to: Some(to), .. }) => to.spelled(session),
            Ok(update) => path_format::path_and_id(session, update.clip),
            Err(_) => Ok(format!("entry {}", at.saturating_add(1))),
        }
    }
}

/// The positions of a call, as written, that cut no clip, where others do.
fn idle_cuts(plan: &Plan, song_cuts: &[Beats], updates: &[Option<Result<ClipUpdate, ClipRefusal>>]) -> Vec<String> {
    let Some(Cuts::Song(moments)) = &plan.cuts else { return Vec::new() };
    let made: Vec<Beats> = updates.iter().flatten().flatten().flat_map(|update| update.cuts.iter().copied()).collect();
    if made.is_empty() {
        return Vec::new();
    }
    let is_idle = |at: &Beats| !made.iter().any(|cut| (cut - at).abs() <= SAME_POSITION_BEATS);
    let idle = moments.iter().zip(song_cuts).filter(|(_, at)| is_idle(at));
    idle.map(|(moment, _)| moment.to_string()).collect()
}

/// Refuses what no clip of the call can take; with cuts, which cannot be undone, what any of them cannot take.
fn refuse_unreadable(plan: &Plan, updates: &[Option<Result<ClipUpdate, ClipRefusal>>]) -> Result<(), ToolError> {
    let refusals = updates.iter().flatten().filter_map(|update| update.as_ref().err());
    let unreadable: Vec<&ClipRefusal> = refusals.filter(|refusal| refusal.is_unreadable).collect();
    match unreadable.first() {
        Some(first) if plan.cuts.is_some() || unreadable.len() == updates.iter().flatten().count() => {
            Err(first.error.clone())
        }
        _ => Ok(()),
    }
}

/// Clips that stay where they are and only get longer or shorter are written in call order.
fn order_in_place(moves: &[Option<ClipMove>]) -> Result<Order, ToolError> {
    let nowhere = |at: usize| Area::Slot { track: usize::MAX, scene: at };
    let stay: Vec<Option<ClipMove>> = moves
        .iter()
        .enumerate()
        .map(|(at, one)| {
            one.as_ref().map(|one| ClipMove { from: nowhere(at), covers_before: nowhere(at), ..one.clone() })
        })
        .collect();
    order::order(&stay)
}

/// A place on a lane that a clip of the call takes in the end.
type Taken = (LanePath, Beats, Beats);

/// For each clip, the start of a later one of the call that it would otherwise grow over.
fn limits(
    plan: &Plan,
    session: &dyn Session,
    clips: &[Option<ObjectId>],
    updates: &[Option<Result<ClipUpdate, ClipRefusal>>],
) -> Result<Vec<Option<(Beats, usize)>>, ToolError> {
    let lengthens = |update: &Option<Result<ClipUpdate, ClipRefusal>>| match update {
        Some(Ok(update)) => update.length.is_some() || update.may_grow_in_place(plan),
        _ => false,
    };
    if !updates.iter().any(lengthens) {
        return Ok(vec![None; updates.len()]);
    }
    let mut taken: Vec<Option<Taken>> = Vec::new();
    for (clip, update) in clips.iter().zip(updates) {
        let area = match (clip, update) {
            (_, Some(Ok(update))) => Some(update.clip_move(plan, session)?.to),
            // A refused target leaves its clip where it is.
            (Some(clip), Some(Err(_))) => Some(Area::of_clip(session, *clip)?),
            _ => None,
        };
        taken.push(match area {
            Some(Area::Span { lane, from, to }) => Some((lane, from, to)),
            _ => None,
        });
    }
    let of = |(at, update)| if lengthens(update) { limit(&taken, at) } else { None };
    Ok(updates.iter().enumerate().map(of).collect())
}

/// The start of the first later clip inside the area of the clip at `at`.
fn limit(taken: &[Option<Taken>], at: usize) -> Option<(Beats, usize)> {
    let (lane, from, end) = taken.get(at).copied().flatten()?;
    let later = taken.iter().enumerate().skip(at.saturating_add(1));
    let starts = later.filter_map(|(by, taken)| taken.filter(|(on, ..)| *on == lane).map(|(_, start, _)| (start, by)));
    starts
        .filter(|(start, _)| *start > from + SAME_POSITION_BEATS && *start < end - SAME_POSITION_BEATS)
        .min_by(|a, b| a.0.total_cmp(&b.0))
}
