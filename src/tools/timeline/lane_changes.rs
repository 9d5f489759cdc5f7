//! What the clips that a call lays do to the others of their lanes. A call notes what it touched as it goes; what
//! became of that is read from the lanes and told when all is written.

use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::is_there;
use crate::tools::address::path_format::{path_and_id, tool_path};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use crate::tools::timeline::lane::{self, ClipSpan};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// What lies in a span before something is written there.
#[derive(Clone, Debug)]
pub struct LaneBefore {
    lane: ObjectId,
    clips: Vec<(ClipSpan, String)>,
}

impl LaneBefore {
    pub fn read(session: &dyn Session, lane: ObjectId, from: Beats, to: Beats) -> Result<LaneBefore, ToolError> {
        // Also clips that it meets by less than counts: they are trimmed by that, and have another path then.
        let clips = lane::within(session, lane, from - SAME_POSITION_BEATS, to + SAME_POSITION_BEATS)?;
        let named = clips.into_iter().map(|clip| Ok((clip, path(session, clip.id)?)));
        Ok(LaneBefore { lane, clips: named.collect::<Result<_, ModelError>>()? })
    }

    /// Whether any clip lies there but for those.
    pub fn holds_others(&self, than: &[ObjectId]) -> bool {
        self.clips.iter().any(|(clip, _)| !than.contains(&clip.id))
    }
}

/// A clip that the call did not write and that it cut, shortened or overwrote.
#[derive(Debug)]
struct TouchedClip {
    /// Before the call.
    was: ClipSpan,
    path: String,
    /// What lies behind the places where it was cut: new clips, of which later ones of the call may take more.
    rests: Vec<ObjectId>,
}

impl TouchedClip {
    fn is_or_has(&self, clip: ObjectId) -> bool {
        self.was.id == clip || self.rests.contains(&clip)
    }
}

/// What one call does to lanes.
#[derive(Debug, Default)]
pub struct LaneChanges {
    /// Clips that the call wrote, also where they were before it moved them: their own entries say what happens to
    /// them.
    own: Vec<ObjectId>,
    /// Remainders of clips that the call itself wrote and then cut; they count as clips of the call.
    own_rests: Vec<ObjectId>,
    /// The position of the target that is being written.
    target: usize,
    touched: Vec<TouchedClip>,
    /// Which target touched which of them.
    by_target: Vec<(usize, usize)>,
    /// As they were before the call: clips that it touched by less than counts, and that have another path by it.
    nudged: HashMap<ObjectId, (ClipSpan, String)>,
}

impl LaneChanges {
    /// What follows is done for the target at that position.
    pub fn begin(&mut self, target: usize) {
        self.target = target;
    }

    pub fn own(&self) -> &[ObjectId] {
        &self.own
    }

    pub fn add_own(&mut self, clips: impl IntoIterator<Item = ObjectId>) {
        self.own.extend(clips);
    }

    /// Notes what became of the clips that lay there. `laid` are the call's own too.
    pub fn record(&mut self, session: &dyn Session, before: &LaneBefore, laid: &[ObjectId]) -> Result<(), ToolError> {
        let own: Vec<ObjectId> = self.own.iter().chain(&self.own_rests).chain(laid).copied().collect();
        for (old, path) in &before.clips {
            let now = match is_there(session, old.id)? {
                true => Some(ClipSpan::read(session, old.id)?),
                false => None,
            };
            let unchanged = |now: &ClipSpan| !differ(now.start, old.start) && !differ(now.end, old.end);
            if now.as_ref().is_some_and(unchanged) {
                if now.is_some_and(|now| now != *old) {
                    self.nudged.entry(old.id).or_insert_with(|| (*old, path.clone()));
                }
                continue;
            }
            let rest = match now {
                Some(now) => {
                    let mut behind = lane::within(session, before.lane, now.end, old.end)?;
                    let is_known = |id| own.contains(&id) || before.clips.iter().any(|(known, _)| known.id == id);
                    behind.retain(|clip| !is_known(clip.id));
                    behind.last().filter(|rest| !differ(rest.end, old.end)).map(|rest| rest.id)
                }
                None => None,
            };
            match (own.contains(&old.id), self.nudged.get(&old.id).cloned()) {
                (true, _) => self.own_rests.extend(rest),
                (false, Some((was, path))) => self.note(was, &path, rest),
                (false, None) => self.note(*old, path, rest),
            }
        }
        Ok(())
    }

    /// The target that touched a clip first.
    pub fn touched_by(&self, clip: ObjectId) -> Option<usize> {
        let at = self.touched.iter().position(|one| one.was.id == clip)?;
        self.by_target.iter().find(|(_, touched)| *touched == at).map(|(by, _)| *by)
    }

    fn note(&mut self, old: ClipSpan, path: &str, rest: Option<ObjectId>) {
        let at = match self.touched.iter().position(|one| one.is_or_has(old.id)) {
            Some(at) => at,
            None => {
                self.touched.push(TouchedClip { was: old, path: path.to_owned(), rests: Vec::new() });
                self.touched.len() - 1
            }
        };
        if let Some(one) = self.touched.get_mut(at) {
            one.rests.extend(rest);
        }
        if !self.by_target.contains(&(self.target, at)) {
            self.by_target.push((self.target, at));
        }
    }

    /// Says in the entry of a target what became of each clip that it touched: `overwrote t0[5|1] (id 7)`, and the
    /// like. Clips that are as they were are not named.
    pub fn report(
        &self,
        session: &dyn Session,
        target: usize,
        entry: &mut Map<String, Value>,
    ) -> Result<(), ToolError> {
        for (_, at) in self.by_target.iter().filter(|(by, _)| *by == target) {
            let touched = self.touched.get(*at).filter(|one| !self.own.contains(&one.was.id));
            if let Some(said) = touched.map(|one| self.describe(session, one)).transpose()?.flatten() {
                add_detail(entry, said);
            }
        }
        Ok(())
    }

    fn describe(&self, session: &dyn Session, touched: &TouchedClip) -> Result<Option<String>, ToolError> {
        let TouchedClip { was, path: path_before, rests } = touched;
        let mut left = Vec::new();
        for clip in std::iter::once(&was.id).chain(rests.iter().filter(|rest| !self.own.contains(rest))) {
            if is_there(session, *clip)? {
                left.push(ClipSpan::read(session, *clip)?);
            }
        }
        left.sort_by(|one, other| one.start.total_cmp(&other.start));
        let id = was.id;
        let Some(first) = left.first() else { return Ok(Some(format!("overwrote {path_before} (id {id})"))) };
        let whole = match left.iter().any(|clip| clip.id == id) {
            true => path_and_id(session, id)?,
            false => format!("{path_before} (id {id})"),
        };
        if left.len() > 1 {
            let mut pieces = Vec::new();
            for clip in &left {
                pieces.push(if clip.id == id { path(session, id)? } else { path_and_id(session, clip.id)? });
            }
            let last = pieces.pop().unwrap_or_default();
            return Ok(Some(format!("split {whole} into {} and {last}", pieces.join(", "))));
        }
        Ok(if first.id != id {
            Some(format!("cut down {whole} to {}", path_and_id(session, first.id)?))
        } else if differ(first.start, was.start) {
            Some(format!("shortened {whole}, which began at {path_before}"))
        } else if differ(first.end, was.end) {
            Some(format!("shortened {whole}"))
        } else {
            None
        })
    }
}

fn differ(one: Beats, other: Beats) -> bool {
    (one - other).abs() > SAME_POSITION_BEATS
}

fn path(session: &dyn Session, clip: ObjectId) -> Result<String, ModelError> {
    Ok(tool_path(session, clip)?.unwrap_or_else(|| format!("id {clip}")))
}
