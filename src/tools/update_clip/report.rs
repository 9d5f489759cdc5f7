//! The answer, once all clips of a call are written: what the later ones left of the earlier (read from the lanes, not
//! predicted), and where each is now.

use super::aside::Waiting;
use super::note_steps::NoteLook;
use super::plan::{Cuts, Plan};
use super::region::{self, RegionWritten};
use super::updates::ClipUpdates;
use crate::music::Meter;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::path_format;
use crate::tools::address::targets::Target;
use crate::tools::clip::heard_notes::HeardNotes;
use crate::tools::error::ToolError;
use crate::tools::read::settled::settled;
use crate::tools::report::target_result::{self, TargetResult, add_detail};
use crate::tools::timeline::copy::{LeftOnLane, WaitingCopy};
use crate::tools::timeline::lane_changes::LaneChanges;
use crate::tools::timeline::order::Aside;
use crate::tools::timeline::overwritten::{self, Overwritten, PlacedBefore};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::rc::Rc;

/// Why a clip that another one of the call took all of the place of is not carried out.
pub const GONE_BEFORE: &str = "overwritten earlier in this call by another clip it names";

/// What has been written so far, by the positions of the targets.
pub struct WrittenClips {
    pub entries: Vec<Option<TargetResult>>,
    /// The entries of pieces and tiles behind the clip.
    pub further: Vec<Vec<Map<String, Value>>>,
    /// The clip and what is behind it on the timeline, as they were when they were written.
    pub placed: Vec<Vec<PlacedBefore>>,
    /// What became of the others on the lanes, and all clips that were written.
    pub lanes: LaneChanges,
    /// The clips that are put aside until their turn comes.
    pub aside: HashMap<usize, Waiting>,
    pub looks: Vec<LastLook>,
}

/// What is looked up of a clip when all are written.
#[derive(Clone, Default)]
pub struct LastLook {
    /// What is left of it on a take lane that it moved off.
    pub left: Option<LeftOnLane>,
    /// Where the call asks for no length on the timeline.
    pub region: Option<RegionWritten>,
    pub notes: Option<NoteLook>,
    /// What it played before the call, where the call may have changed that, and its meter.
    pub heard: Option<(Rc<HeardNotes>, Meter)>,
}

impl WrittenClips {
    /// Nothing yet, of that many targets.
    pub fn of(count: usize) -> WrittenClips {
        WrittenClips {
            entries: (0..count).map(|_| None).collect(),
            further: vec![Vec::new(); count],
            placed: vec![Vec::new(); count],
            lanes: LaneChanges::default(),
            aside: HashMap::new(),
            looks: vec![LastLook::default(); count],
        }
    }

    /// Puts a clip of the main lane beside the others there, as earlier ones of the call go over its place.
    pub fn put_aside(&mut self, session: &mut dyn Session, clip: ObjectId, aside: &Aside) -> Result<(), ToolError> {
        let copy = WaitingCopy::make(session, clip, aside)?;
        let waiting = Waiting::of(session, clip, copy.clip)?;
        copy.replace_source(session)?;
        self.lanes.add_own([clip]);
        self.aside.insert(aside.at, waiting);
        Ok(())
    }

    /// Puts back the clips that still wait when all are written, as they could not go where they were to go.
    pub fn bring_back(&mut self, session: &mut dyn Session) -> Result<(), ToolError> {
        let mut waiting: Vec<(usize, Waiting)> = self.aside.drain().collect();
        waiting.sort_by_key(|(at, _)| *at);
        for (at, mut one) in waiting {
            self.lanes.begin(at);
            // If that fails, the entry says where the clip waits.
            let brought = one.bring_back(session, &mut self.lanes);
            if brought.is_ok() && one.is_back {
                self.lanes.add_own([one.clip]);
                if let Some(placed) = self.placed.get_mut(at) {
                    *placed = PlacedBefore::of_all(session, [&one.clip])?;
                }
                if let Some(Some(entry)) = self.entries.get_mut(at)
                    && let Some(map) = entry.written_mut()
                {
                    map.insert("id".to_owned(), json!(one.clip.to_string()));
                }
            }
            self.aside.insert(at, one);
        }
        Ok(())
    }
}

/// The answer: what became of each clip, with the paths that they have now.
pub fn answer(
    plan: &Plan,
    updates: &ClipUpdates,
    session: &dyn Session,
    mut written: WrittenClips,
) -> Result<Value, ToolError> {
    let cut_nothing =
        plan.cuts.is_some() && updates.updates.iter().flatten().flatten().all(|update| update.cuts.is_empty());
    for (at, target) in plan.targets.iter().enumerate() {
        let Some(entry) = written.entries.get_mut(at).and_then(Option::take) else { continue };
        let mut entry = not_carried_out(updates, session, &written, entry, (at, target))?;
        if let Some(map) = entry.written_mut() {
            say_what_is_there(updates, session, &written, (at, target), map)?;
            if cut_nothing && updates.update(at).is_ok_and(|update| update.takes_cuts) {
                let which = if matches!(plan.cuts, Some(Cuts::OwnTime(_))) { "split" } else { "arrangementSplit" };
                add_detail(map, format!("nothing was cut: no position of {which} lies inside it"));
            }
            if plan.targets.len() == 1 && !updates.idle_cuts.is_empty() {
                add_detail(map, format!("nothing was cut at {}: not inside the clip", updates.idle_cuts.join(", ")));
            }
        }
        if let Some(slot) = written.entries.get_mut(at) {
            *slot = Some(entry);
        }
    }
    for more in &mut written.further {
        let mut there = Vec::new();
        for map in more.drain(..) {
            if let Some(id) = id(&map)
                && session.class_of(id)?.is_some()
            {
                there.push(map);
            }
        }
        *more = there;
    }
    let entries = written.entries.iter_mut().flatten().filter_map(|entry| match entry {
        TargetResult::Written(map) => Some(map),
        _ => None,
    });
    for map in entries.chain(written.further.iter_mut().flatten()) {
        refresh(session, map)?;
        if let Some(Value::Object(track)) = map.get_mut("converted").and_then(|made| made.get_mut("track")) {
            refresh(session, track)?;
        }
    }
    let never = |entry: Option<TargetResult>| entry.unwrap_or_else(|| TargetResult::skip("path", "", "not reached"));
    let entries = written.entries.into_iter().map(never).collect();
    settled(session, target_result::answer_with(entries, written.further))
}

/// Says in the entry of a clip that was written what the call did to others, and what is left of the clip itself.
fn say_what_is_there(
    updates: &ClipUpdates,
    session: &dyn Session,
    written: &WrittenClips,
    (at, target): (usize, &Target),
    map: &mut Map<String, Value>,
) -> Result<(), ToolError> {
    let name = |by: usize| updates.spelled(session, by);
    let lost = overwritten::loss(session, &written.placed, &updates.order.sequence, written.lanes.own(), at, name)?;
    let LastLook { left, region, notes, heard } = written.looks.get(at).cloned().unwrap_or_default();
    let clip = id(map).filter(|_| lost.as_ref().is_none_or(|lost| !lost.is_gone));
    if let (Some(region), Some(clip)) = (region, clip) {
        region.report_cover(session, clip, map)?;
    }
    if let (Ok(update), Some(clip), true) = (updates.update(at), clip, map.contains_key("length")) {
        map.insert("length".to_owned(), json!(region::shown_length(session, clip, update.meter)?));
    }
    if let Some(is) = written.aside.get(&at).map_or(Ok(None), |waiting| waiting.whereabouts(session))? {
        add_detail(map, is);
    }
    written.lanes.report(session, at, map)?;
    if let Some((_, by)) = updates.limits.get(at).copied().flatten() {
        add_detail(map, format!("shortened: {} is named later in this call", updates.spelled(session, by)?));
    }
    if let Some(Overwritten { is_gone, said }) = lost {
        if is_gone {
            map.retain(|field, _| matches!(field.as_str(), "detail" | "converted"));
            map.insert("path".to_owned(), json!(updates.path_before(at, target)));
            map.insert("deleted".to_owned(), json!(true));
        }
        add_detail(map, said);
    }
    if let (Some(look), Some(clip)) = (notes, clip) {
        look.report(session, clip, map)?;
    } else if let (Some((heard, meter)), Some(clip)) = (heard, clip) {
        heard.silenced_details(session, clip, meter)?.iter().for_each(|said| add_detail(map, said));
    }
    for said in left.map_or(Ok(Vec::new()), |left| left.describe(session, written.lanes.own()))? {
        add_detail(map, said);
    }
    Ok(())
}

/// The entry of a target of which nothing was carried out, if it is one: its clip may be gone all the same, or wait
/// where it was put aside.
fn not_carried_out(
    updates: &ClipUpdates,
    session: &dyn Session,
    written: &WrittenClips,
    entry: TargetResult,
    (at, target): (usize, &Target),
) -> Result<TargetResult, ToolError> {
    let Some(Ok(clip)) = updates.found.get(at) else { return Ok(entry) };
    if matches!(entry, TargetResult::Written(_)) {
        return Ok(entry);
    }
    let waiting = written.aside.get(&at);
    let clip = waiting.map_or(*clip, |waiting| waiting.clip);
    let is_gone = session.class_of(clip)?.is_none();
    let more = match waiting {
        // Why it could not be carried out does not say why it is gone.
        _ if is_gone => match written.lanes.touched_by(clip).filter(|_| !entry.is_skipped_as(GONE_BEFORE)) {
            Some(by) => Some(format!("overwritten by {}, in this call", updates.spelled(session, by)?)),
            None => None,
        },
        Some(waiting) => waiting.whereabouts(session)?,
        None => None,
    };
    let entry = match (entry, more) {
        (TargetResult::Skip { key, spelling, detail }, Some(more)) => {
            TargetResult::Skip { key, spelling, detail: format!("{detail}; {more}") }
        }
        (entry, _) => entry,
    };
    Ok(if is_gone { entry.into_gone(updates.path_before(at, target)) } else { entry })
}

fn id(map: &Map<String, Value>) -> Option<ObjectId> {
    map.get("id").and_then(Value::as_str).and_then(|id| id.parse().ok()).map(ObjectId)
}

fn refresh(session: &dyn Session, map: &mut Map<String, Value>) -> Result<(), ModelError> {
    if let Some(id) = id(map)
        && let Some(path) = path_format::tool_path(session, id)?
    {
        map.insert("path".to_owned(), json!(path));
    }
    Ok(())
}
