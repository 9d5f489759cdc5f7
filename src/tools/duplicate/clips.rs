//! Copies of clips: to slots, timelines and take lanes.

use super::Args;
use super::clip_transforms::ClipTransforms;
use super::frame::{Batch, Candidate, CopyKind, CopyResult, CopyTask};
use super::lengths::Lengths;
use crate::music::{Beats, Random, duration};
use crate::notation::transforms::ClipKind;
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path_format;
use crate::tools::arguments::action_params::sent;
use crate::tools::call::CallContext;
use crate::tools::clip::heard_notes::HeardNotes;
use crate::tools::clip::notes;
use crate::tools::clip::region;
use crate::tools::clip::time::is_unwarped;
use crate::tools::clip::transforms::{self, ClipOrdinal};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{NOT_REACHED, TargetResult, add_detail, or_detail};
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::area::{Area, ClipMove};
use crate::tools::timeline::copy;
use crate::tools::timeline::lane;
use crate::tools::timeline::lane_changes::LaneChanges;
use crate::tools::timeline::length::{self, PendingRegion, WantedLength};
use crate::tools::timeline::order::{self, Order};
use crate::tools::timeline::overwritten::{self, Overwritten, PlacedBefore};
use crate::tools::timeline::place::{self, ClipPlace, Destination};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Whether one such place serves several clips.
pub fn is_shared(text: &str) -> Result<bool, ToolError> {
    Ok(Destination::read_list("toPath", text)?.iter().all(|to| !to.is_whole()))
}

pub struct ClipCopies {
    destinations: Vec<Destination>,
    lengths: Option<Lengths>,
    transforms: ClipTransforms,
    lane_name: Option<String>,
    /// Of each copy that can be made, in call order.
    plans: Vec<Option<CopyPlan>>,
    order: Order,
    /// Copies of sources that earlier copies of the call go over, once the first one is made.
    aside: Option<HashMap<usize, ObjectId>>,
    /// What the copies do to the others of their lanes.
    lanes: LaneChanges,
    /// Of each copy, in call order: its clip and the tiles behind it.
    made: Vec<Vec<ObjectId>>,
    /// The same on the timeline, as they were when they were made.
    placed: Vec<Vec<PlacedBefore>>,
}

/// A copy that can be made.
#[derive(Clone)]
struct CopyPlan {
    clip: ObjectId,
    to: ClipPlace,
    length: Option<Beats>,
}

/// Why a copy cannot be made.
struct CopyRefusal {
    /// The place it was meant for.
    place: String,
    why: String,
    /// It cannot take the transforms.
    is_unreadable: bool,
}

impl ClipCopies {
    pub fn read(
        args: &Args,
        places: Vec<String>,
        total: usize,
        warnings: &mut Vec<String>,
    ) -> Result<ClipCopies, ToolError> {
        if places.is_empty() {
            return Err(ToolError::new(
                "toPath says where the copies go: a slot (t0/s1), the arrangement (t2[5|1]), a take lane (t2/l0[5|1]), [5|1] \
                 on the clip's own lane, or t2 at its own time",
            ));
        }
        let destinations = Destination::read_list("toPath", &places.join(","))?;
        Ok(ClipCopies {
            destinations,
            lengths: Lengths::read(args.arrangement_length.as_ref(), total)?,
            transforms: ClipTransforms::read(args, warnings)?,
            lane_name: args.take_lane_name.clone().filter(|name| sent(Some(name))),
            plans: Vec::new(),
            order: Order { sequence: Vec::new(), replaced_by: Vec::new(), aside: Vec::new() },
            aside: None,
            lanes: LaneChanges::default(),
            made: vec![Vec::new(); total],
            placed: vec![Vec::new(); total],
        })
    }

    /// Where one copy goes, or why it cannot be made. The outer error is one of the call.
    fn plan(
        &self,
        session: &dyn Session,
        clip: ObjectId,
        (to, length): (&Destination, Option<Beats>),
        ordinal: ClipOrdinal,
        random: &mut Random,
    ) -> Result<Result<CopyPlan, CopyRefusal>, ToolError> {
        let refuse = |place: String, why, is_unreadable| Ok(Err(CopyRefusal { place, why, is_unreadable }));
        let place = match or_detail(to.place_for(session, clip))? {
            Ok(place) => place,
            Err(why) => return refuse(to.spelling.clone(), why, false),
        };
        let spelling = place.spelled(session)?;
        let checked = place.check(session, clip).and_then(|()| place.check_fits(session, clip, length));
        if let Err(why) = or_detail(checked)? {
            return refuse(spelling, why, false);
        }
        let taken = self.transforms.check_copy(session, clip, (&place, length), ordinal, random);
        if let Err(why) = or_detail(taken)? {
            return refuse(spelling, why, true);
        }
        Ok(Ok(CopyPlan { clip, to: place, length }))
    }

    /// Puts the copies in order, and refuses more tiles than a call makes.
    fn arrange(&self, session: &dyn Session) -> Result<Order, ToolError> {
        let mut tiles = 0usize;
        for CopyPlan { clip, to, length } in self.plans.iter().flatten() {
            if let Some(length) = length.filter(|_| to.is_main_lane()) {
                tiles = tiles.saturating_add(length::count_tiles(session, *clip, length, PendingRegion::default())?);
            }
        }
        length::check_tiles(tiles)?;
        let mut moves = Vec::new();
        for plan in &self.plans {
            let Some(CopyPlan { clip, to, length }) = plan else {
                moves.push(None);
                continue;
            };
            let covers = place::clip_length(session, *clip)?;
            let covers = length.filter(|_| to.is_main_lane()).unwrap_or(covers);
            let from = Area::of_clip(session, *clip)?;
            moves.push(Some(ClipMove { covers_before: from.clone(), from, to: Area::of(to, covers), stays: true }));
        }
        order::order(&moves)
    }

    /// The sources that wait for their turn beside their places, put there before the first copy is made.
    fn put_aside(&mut self, session: &mut dyn Session) -> Result<&mut HashMap<usize, ObjectId>, ToolError> {
        if self.aside.is_none() {
            let mut waiting = HashMap::new();
            for aside in &self.order.aside {
                if let Some(plan) = self.plans.get(aside.at).and_then(Option::as_ref) {
                    waiting.insert(aside.at, copy::copy_aside(session, plan.clip, aside)?);
                }
            }
            self.aside = Some(waiting);
        }
        Ok(self.aside.get_or_insert_default())
    }

    /// What the source plays, where the copy may play less: read before the copy goes over it. With transforms all that
    /// does not play is told.
    fn heard(&self, session: &dyn Session, source: ObjectId, plan: &CopyPlan) -> Result<Option<HeardNotes>, ToolError> {
        let on_timeline = plan.length.is_some() && matches!(plan.to, ClipPlace::Timeline { .. });
        if !on_timeline || !self.transforms.is_empty() || transforms::clip_kind(session, source)? != ClipKind::Midi {
            return Ok(None);
        }
        HeardNotes::read(session, source).map(Some)
    }

    fn name_lane(&self, session: &mut dyn Session, clip: ObjectId, log: &mut WriteLog) -> Result<(), ToolError> {
        let Some(name) = &self.lane_name else { return Ok(()) };
        let is_take_lane = |lane| model_read::class(session, lane).map(|class| class == Some("TakeLane"));
        match model_read::find(lane::of_clip(session, clip)?, is_take_lane)? {
            Some(lane) => log.record("takeLaneName", session.set(lane, "name", name.as_str().into())),
            None => {
                log.refuse("takeLaneName ignored: the copy is on no take lane");
                Ok(())
            }
        }
    }

    /// Names, colours and transforms the copy, and has it cover its length; `tiles` gets the clips behind it.
    fn write(
        &mut self,
        session: &mut dyn Session,
        task: &CopyTask,
        (clip, plan, heard): (ObjectId, &CopyPlan, Option<HeardNotes>),
        tiles: &mut Vec<ObjectId>,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let ordinal = ClipOrdinal { index: task.at, count: task.batch.copies.len() };
        task.batch.labels.write(session, clip, task.at, log)?;
        self.name_lane(session, clip, log)?;
        self.transforms.write(session, clip, ordinal, log)?;
        if let Some(length) = plan.length
            && matches!(plan.to, ClipPlace::Timeline { .. })
        {
            let wanted = WantedLength { length, repeats_region: false };
            let lengthened = length::set_length(session, task.call, clip, wanted, &mut self.lanes);
            let lengthened = log.record("arrangementLength", lengthened)?;
            self.lanes.add_own(lengthened.tiles.iter().copied());
            *tiles = lengthened.tiles;
            for detail in lengthened.details {
                add_detail(&mut log.entry, detail);
            }
            if let Some(heard) = heard {
                let silenced = heard.silenced_details(session, clip, model_read::meter(session, clip)?)?;
                silenced.iter().for_each(|detail| add_detail(&mut log.entry, detail));
            }
        }
        // Counted in the region that the copy has by now.
        if !self.transforms.is_empty() && transforms::clip_kind(session, clip)? == ClipKind::Midi {
            let heard = notes::count_notes(session, clip)?;
            log.entry.insert("noteCount".to_owned(), json!(heard.shown));
            for detail in heard.unheard_details(model_read::meter(session, clip)?, true) {
                add_detail(&mut log.entry, detail);
            }
        }
        Ok(())
    }
}

impl CopyKind for ClipCopies {
    fn look_up(
        &mut self,
        session: &dyn Session,
        call: &mut CallContext,
        batch: &Batch,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Candidate>, ToolError> {
        Destination::number_new_lanes(session, &mut self.destinations)?;
        self.transforms.tell_drawn(call.dry_run);
        call.warnings.extend(self.destinations.iter().filter_map(|to| to.warning.clone()));
        self.transforms.check(session, found.iter().flatten().copied())?;
        let lengths = self.lengths.as_ref().map(|lengths| lengths.in_song(session)).transpose()?;
        session.look_ahead(&self.destinations.iter().filter_map(Destination::slot_origin).collect::<Vec<_>>())?;
        let mut candidates = batch.candidates(found, |_| None);
        let mut unreadable: Vec<String> = Vec::new();
        let mut looked_up = 0usize;
        let mut random = self.transforms.trial_draws();
        for (at, (candidate, copy)) in candidates.iter_mut().zip(&batch.copies).enumerate() {
            let to = copy.destination.and_then(|at| self.destinations.get(at));
            let (Ok(clip), Some(to)) = (&candidate.source, to) else {
                self.plans.push(None);
                continue;
            };
            let length = lengths.as_ref().and_then(|lengths| lengths.get(at)).copied();
            looked_up = looked_up.saturating_add(1);
            let ordinal = ClipOrdinal { index: at, count: batch.copies.len() };
            match self.plan(session, *clip, (to, length), ordinal, &mut random)? {
                Ok(plan) => {
                    candidate.place = Some(plan.to.spelled(session)?);
                    self.plans.push(Some(plan));
                }
                Err(CopyRefusal { place, why, is_unreadable }) => {
                    unreadable.extend(is_unreadable.then(|| why.clone()));
                    *candidate = Candidate { place: Some(place), source: Err(why) };
                    self.plans.push(None);
                }
            }
        }
        // What no copy of the call can take is wrong with the call.
        if let Some(why) = unreadable.first().filter(|_| unreadable.len() == looked_up) {
            return Err(ToolError::new(why.clone()));
        }
        let in_session = |plan: &CopyPlan| matches!(plan.to, ClipPlace::Slot { .. });
        if self.lengths.is_some() && self.plans.iter().flatten().any(in_session) {
            call.warnings
                .push("arrangementLength ignored for copies in the session: they have no length there".to_owned());
        }
        self.order = self.arrange(session)?;
        Ok(candidates)
    }

    fn order(&self, _count: usize) -> Vec<usize> {
        self.order.sequence.clone()
    }

    fn replaced_by(&self, at: usize, _is_late: bool) -> Option<usize> {
        self.order.replaced_by.get(at).copied().flatten()
    }

    /// What waits is taken away however late it is.
    fn checks_time(&self) -> bool {
        !self.order.aside.is_empty()
    }

    fn copy(&mut self, session: &mut dyn Session, task: &CopyTask, log: &mut WriteLog) -> Result<(), ToolError> {
        let plan = self.plans.get(task.at).cloned().flatten();
        let plan = plan.ok_or_else(|| ToolError::new("toPath names no place for this copy"))?;
        let aside = self.put_aside(session)?.remove(&task.at);
        let source = aside.unwrap_or(plan.clip);
        if !model_read::is_there(session, source)? {
            return Err(ToolError::new("the clip was overwritten earlier in this call"));
        }
        let ordinal = ClipOrdinal { index: task.at, count: task.batch.copies.len() };
        let taken = self.transforms.check_draws(session, source, (&plan.to, plan.length), ordinal);
        self.lanes.begin(task.at);
        let heard = self.heard(session, source, &plan)?;
        let landed = match (taken, task.call.is_late()) {
            (Err(why), _) => Err(why),
            (_, true) => Err(ToolError::new(NOT_REACHED)),
            _ => copy::copy_covering(session, source, &plan.to, plan.length, &mut self.lanes),
        };
        if let Some(aside) = aside {
            copy::remove_aside(session, aside)?;
        }
        let landed = landed?;
        let clip = landed.clip;
        self.lanes.add_own([clip]);
        *log = WriteLog::on(session, clip)?;
        let kind = if transforms::clip_kind(session, clip)? == ClipKind::Midi { "midi" } else { "audio" };
        log.entry.insert("type".to_owned(), json!(kind));
        log.record("copy", Ok::<_, ToolError>(()))?;
        if let Some(created) = landed.created {
            log.entry.insert("created".to_owned(), json!(created));
        }
        for detail in landed.details {
            add_detail(&mut log.entry, detail);
        }
        let mut tiles = Vec::new();
        let outcome = self.write(session, task, (clip, &plan, heard), &mut tiles, log);
        let made: Vec<ObjectId> = std::iter::once(clip).chain(tiles).collect();
        if let (Some(slot), Some(placed)) = (self.made.get_mut(task.at), self.placed.get_mut(task.at)) {
            *placed = PlacedBefore::of_all(session, &made)?;
            *slot = made;
        }
        outcome
    }

    /// Where each copy stands now, and what later ones of the call took of it.
    fn report(&self, session: &dyn Session, results: &mut [CopyResult]) -> Result<(), ToolError> {
        let name = |at: usize| match self.plans.get(at) {
            Some(Some(plan)) => plan.to.spelled(session),
            _ => Ok(String::new()),
        };
        for (at, result) in results.iter_mut().enumerate() {
            let lost = overwritten::loss(session, &self.placed, &self.order.sequence, self.lanes.own(), at, name)?;
            let TargetResult::Written(entry) = &mut result.entry else { continue };
            let Some((clip, tiles)) = self.made.get(at).and_then(|made| made.split_first()) else { continue };
            let path = match path_format::tool_path(session, *clip)? {
                Some(path) => path,
                None => name(at)?,
            };
            entry.insert("path".to_owned(), json!(path));
            self.lanes.report(session, at, entry)?;
            let is_gone = lost.as_ref().is_some_and(|lost| lost.is_gone);
            if let Some(Overwritten { said, .. }) = lost {
                add_detail(entry, said);
            }
            if is_gone {
                entry.remove("id");
                entry.remove("name");
                entry.insert("deleted".to_owned(), json!(true));
            } else {
                say_length(session, *clip, entry)?;
            }
            for tile in model_read::filter(tiles.iter().copied(), |tile| model_read::is_there(session, tile))? {
                let mut entry = WriteLog::on(session, tile)?.entry;
                let kind = if transforms::clip_kind(session, tile)? == ClipKind::Midi { "midi" } else { "audio" };
                entry.insert("type".to_owned(), json!(kind));
                say_length(session, tile, &mut entry)?;
                result.further.push(TargetResult::Written(entry));
            }
        }
        Ok(())
    }
}

/// How long a copy is: on the timeline what it covers, in the Session its region, as reads spell both.
fn say_length(session: &dyn Session, clip: ObjectId, entry: &mut Map<String, Value>) -> Result<(), ToolError> {
    let format = if is_unwarped(session, clip)? { duration::format_within } else { duration::format };
    let (field, length) = if model_read::flag(session, clip, "is_arrangement_clip")? {
        let meter = model_read::meter(session, model_read::song(session)?)?;
        ("arrangementLength", format(place::shown_length(session, clip)?, meter))
    } else {
        let region = region::read(session, clip)?;
        ("length", format(region.end - region.start, model_read::meter(session, clip)?))
    };
    entry.insert(field.to_owned(), json!(length));
    Ok(())
}
