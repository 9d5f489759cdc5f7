//! Carrying a call out, clip by clip.

use super::aside::{self, Waiting};
use super::clip_update::ClipUpdate;
use super::envelopes;
use super::note_steps::{NoteLook, NoteWriter};
use super::plan::Plan;
use super::region::RegionWritten;
use super::report::{self, GONE_BEFORE, LastLook, WrittenClips};
use super::updates::ClipUpdates;
use crate::music::{Beats, Random};
use crate::notation::transforms::ClipKind;
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::model_read;
use crate::tools::address::target_origin::look_ahead;
use crate::tools::call::CallContext;
use crate::tools::clip::audio_clip;
use crate::tools::clip::heard_notes::HeardNotes;
use crate::tools::clip::transforms::{self, ClipOrdinal};
use crate::tools::error::ToolError;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::target_result::{LeftTo, add_detail, result_of};
use crate::tools::report::write_log::WriteLog;
use crate::tools::report::write_targets;
use crate::tools::timeline::copy::{self, LeftOnLane, WaitingCopy};
use crate::tools::timeline::lane::ClipSpan;
use crate::tools::timeline::lane_changes::LaneChanges;
use crate::tools::timeline::length::WantedLength;
use crate::tools::timeline::overwritten::PlacedBefore;
use crate::tools::timeline::place::{ClipPlace, Destination};
use crate::tools::timeline::{length, place, split};
use serde_json::{Map, Value, json};
use std::rc::Rc;

pub fn run(mut plan: Plan, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
    look_ahead(session, &plan.targets)?;
    Destination::number_new_lanes(session, &mut plan.destinations)?;
    let plan = &plan;
    let updates = ClipUpdates::look_up(plan, session)?;
    write_targets::warn_of_old_spellings(call, &plan.targets);
    call.warnings.extend(updates.idle_cuts_warning(plan));
    call.warnings.extend(plan.destinations.iter().filter_map(|destination| destination.warning.clone()));
    if let Some(warning) = plan.seed.unused_warning().filter(|_| !plan.has_note_work()) {
        call.warnings.push(warning);
    }
    let mut batch = Batch {
        plan,
        updates: &updates,
        random: plan.seed.transforms(),
        written: WrittenClips::of(plan.targets.len()),
    };
    for aside in &updates.order.aside {
        if let Ok(update) = updates.update(aside.at) {
            batch.written.put_aside(session, update.clip, aside)?;
        }
    }
    // Only converting makes tracks.
    let tracks = match &plan.convert {
        Some(_) => Some(ListBefore::read(session, model_read::song(session)?, "tracks")?),
        None => None,
    };
    for at in updates.order.sequence.iter().copied() {
        session.begin_target(at);
        batch.write_target(session, call, at)?;
    }
    batch.written.bring_back(session)?;
    for landed in session.land()? {
        if let (Some(Some(entry)), Some(target)) =
            (batch.written.entries.get_mut(landed.target), plan.targets.get(landed.target))
        {
            entry.take_late_failures(target.into(), &landed);
        }
    }
    if let Some(tracks) = tracks {
        tracks.report(session, &[], batch.written.entries.iter_mut().flatten())?;
    }
    report::answer(plan, &updates, session, batch.written)
}

/// A call while its clips are written.
struct Batch<'a> {
    plan: &'a Plan,
    updates: &'a ClipUpdates,
    /// What transforms draw from, one clip after the other.
    random: Random,
    written: WrittenClips,
}

impl Batch<'_> {
    fn write_target(&mut self, session: &mut dyn Session, call: &mut CallContext, at: usize) -> Result<(), ToolError> {
        let (plan, updates) = (self.plan, self.updates);
        let Some(target) = plan.targets.get(at) else { return Ok(()) };
        let left_to = match (
            updates.named_again.get(at).copied().flatten(),
            updates.order.replaced_by.get(at).copied().flatten(),
        ) {
            (Some(by), _) => Some(LeftTo::Same(by)),
            (None, Some(by)) => Some(LeftTo::Over { by, place: updates.spelled(session, by)? }),
            (None, None) => None,
        };
        let is_late = call.is_late();
        let entry = result_of(target.into(), left_to, updates.update(at), is_late, |update| {
            self.write_clip(session, call, at, update)
        });
        if let Some(slot) = self.written.entries.get_mut(at) {
            *slot = Some(entry);
        }
        Ok(())
    }

    fn write_clip(
        &mut self,
        session: &mut dyn Session,
        call: &mut CallContext,
        at: usize,
        update: &ClipUpdate,
    ) -> Result<Map<String, Value>, ToolError> {
        let mut waiting = self.written.aside.get(&at).cloned();
        if !model_read::is_there(session, waiting.as_ref().map_or(update.clip, |waiting| waiting.clip))? {
            return Err(ToolError::new(GONE_BEFORE));
        }
        self.written.lanes.begin(at);
        let mut growing = None;
        if waiting.is_none()
            && let Some(copy) = aside::room_to_grow(self.plan, update, session, at)?
        {
            waiting = Some(Waiting::of(session, update.clip, copy.clip)?);
            growing = Some(copy);
        }
        let clip = waiting.as_ref().map_or(update.clip, |waiting| waiting.clip);
        let mut log = WriteLog::on(session, clip)?;
        let mut writer = ClipWriter {
            plan: self.plan,
            update,
            ordinal: ClipOrdinal { index: at, count: self.plan.targets.len() },
            lanes: &mut self.written.lanes,
            limit: self.updates.limits.get(at).copied().flatten(),
            pieces: Vec::new(),
            now: clip,
            growing,
            left: None,
            region: None,
            notes: None,
            heard: None,
            position: waiting.as_ref().map(|waiting| waiting.span.start),
        };
        let outcome = writer.write(session, call, &mut self.random, &mut log);
        let ClipWriter { pieces, now, growing, left, region, notes, heard, .. } = writer;
        if let (Err(error), Some(copy)) = (&outcome, growing) {
            // The clip itself is as it was.
            copy::remove_aside(session, copy.clip)?;
            return Err(error.clone());
        }
        if let Some(waiting) = waiting.filter(|waiting| waiting.clip == now) {
            self.written.aside.insert(at, waiting);
        }
        if outcome.is_ok() && !log.has_landed() && !update.needs_nothing {
            let detail = log.entry.get("detail").and_then(Value::as_str);
            return Err(ToolError::new(detail.unwrap_or("nothing was changed")));
        }
        let mut entry = log.end(outcome)?;
        entry.insert("id".to_owned(), json!(now.to_string()));
        if let Some(further) = self.written.further.get_mut(at) {
            let kind = if update.kind == ClipKind::Midi { "midi" } else { "audio" };
            let piece = |piece: &ObjectId| {
                Map::from_iter([("id".to_owned(), json!(piece.to_string())), ("type".to_owned(), json!(kind))])
            };
            *further = pieces.iter().map(piece).collect();
        }
        if let Some(placed) = self.written.placed.get_mut(at) {
            *placed = PlacedBefore::of_all(session, std::iter::once(&now).chain(&pieces))?;
        }
        if let Some(slot) = self.written.looks.get_mut(at) {
            *slot = LastLook { left: left.clone(), region, notes, heard: heard.map(|heard| (heard, update.meter)) };
        }
        // What is left of it is the call's own too: nobody goes over anything there.
        let left = left.into_iter().flat_map(|left| left.emptied);
        self.written.lanes.add_own(std::iter::once(now).chain(pieces).chain(left));
        Ok(entry)
    }
}

/// Writes one clip.
struct ClipWriter<'a> {
    plan: &'a Plan,
    update: &'a ClipUpdate,
    ordinal: ClipOrdinal,
    /// What the call does to the lanes, and the clips that it wrote before.
    lanes: &'a mut LaneChanges,
    /// Where it ends at the latest, as a later clip of the call begins there.
    limit: Option<(Beats, usize)>,
    /// Pieces and tiles behind the clip.
    pieces: Vec<ObjectId>,
    /// The clip; another one once it has moved.
    now: ObjectId,
    /// The copy that is lengthened in its place until it moves.
    growing: Option<WaitingCopy>,
    /// What is left of it on a take lane.
    left: Option<LeftOnLane>,
    /// Reads how much it covers once the call is done.
    region: Option<RegionWritten>,
    /// What is said of its notes once the call is done.
    notes: Option<NoteLook>,
    /// What it played before the call, where that may change.
    heard: Option<Rc<HeardNotes>>,
    /// Where it was on the timeline, while it waits elsewhere.
    position: Option<Beats>,
}

impl ClipWriter<'_> {
    fn write(
        &mut self,
        session: &mut dyn Session,
        call: &mut CallContext,
        random: &mut Random,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let (plan, update) = (self.plan, self.update);
        let said = update.details.iter().chain(&plan.blank);
        said.for_each(|detail| add_detail(&mut log.entry, detail));
        if update.kind == ClipKind::Midi && update.changes_what_plays() {
            self.heard = Some(Rc::new(HeardNotes::read(session, self.now)?));
        }
        let region = self.properties(session, log)?;
        match update.kind {
            ClipKind::Midi => {
                let (clip, ordinal, meter) = (self.now, self.ordinal, update.meter);
                let most = self.most(session)?;
                let notes = NoteWriter { plan, clip, at: ordinal.index, ordinal, meter, position: self.position, most };
                let (look, wrote) = notes.write(session, call, random, self.lanes, log)?;
                self.notes = look;
                wrote?;
            }
            ClipKind::Audio => self.audio_transforms(session, random, log)?,
        }
        let late: Vec<&str> = [
            ("toPath", update.to.is_some()),
            ("arrangementLength", update.length.is_some()),
            ("arrangementSplit", !update.cuts.is_empty()),
            ("envelopes", update.draws_envelopes),
            ("convert", update.converts),
        ]
        .into_iter()
        .filter_map(|(name, asked)| asked.then_some(name))
        .collect();
        if !late.is_empty() && call.is_late() {
            let ran_out = format!("the time ran out before {}; send it again", late.join(", "));
            if self.growing.is_some() {
                return Err(ToolError::new(ran_out));
            }
            self.look_at_region(session, region, log)?;
            add_detail(&mut log.entry, ran_out);
            return Ok(());
        }
        if let Some(look) = self.notes.as_mut().filter(|_| !update.cuts.is_empty()) {
            // Each note plays in one of the pieces.
            look.report_unheard(session, self.now, &mut log.entry)?;
        }
        self.move_or_cut(session, call, log)?;
        self.look_at_region(session, region, log)?;
        if update.draws_envelopes {
            envelopes::draw(&plan.envelopes, session, self.now, update.meter, log);
        }
        if let Some(conversion) = plan.convert.as_ref().filter(|_| update.converts) {
            let made = log.record("convert", conversion.run(session, self.now))?;
            log.entry.insert("converted".to_owned(), made);
        }
        Ok(())
    }

    /// Says what of the region is other than asked, once the clip is where and as long as it will be.
    fn look_at_region(
        &mut self,
        session: &dyn Session,
        region: RegionWritten,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let update = self.update;
        if !update.cuts.is_empty() {
            return Ok(());
        }
        region.compare(session, self.now, update.meter, log)?;
        self.region = Some(region).filter(|_| update.length.is_none());
        Ok(())
    }

    fn properties(&mut self, session: &mut dyn Session, log: &mut WriteLog) -> Result<RegionWritten, ToolError> {
        let (plan, update, clip) = (self.plan, self.update, self.now);
        if plan.meters.is_some() {
            log.record(
                "timeSignature",
                session.set(clip, "signature_numerator", Model::Int(update.meter.numerator().into())),
            )?;
            session.set(clip, "signature_denominator", Model::Int(update.meter.denominator().into()))?;
        }
        let most = self.most(session)?;
        let region = update.region.write(session, clip, (update.meter, most), self.lanes, log)?;
        if let Some(names) = &plan.names {
            log.name(session, clip, names.at(self.ordinal.index))?;
        }
        if let Some(color) = plan.colors.as_ref().and_then(|colors| colors.get(self.ordinal.index)) {
            log.color(session, clip, *color)?;
        }
        if update.kind == ClipKind::Audio {
            plan.audio.write(session, clip, self.ordinal.index, log)?;
            if let Some(sounds) = session.sounds(clip)? {
                log.entry.insert("sounds".to_owned(), json!(sounds));
            }
        }
        Ok(region)
    }

    /// The gain and pitch of an audio clip; it has no notes.
    fn audio_transforms(
        &self,
        session: &mut dyn Session,
        random: &mut Random,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let clip = self.now;
        let [first, later] = self.plan.note_work();
        let Some(lines) = first.after.as_ref().or(later.after.as_ref()) else { return Ok(()) };
        let length = place::content_length(session, clip)?;
        let mut context = transforms::context_of(session, clip, self.update.meter, length, self.ordinal)?;
        context.arrangement_position = self.position.or(context.arrangement_position);
        if audio_clip::transform(lines, &context, random, session, clip, log)? {
            self.plan.seed.report(&mut log.entry);
        }
        Ok(())
    }

    /// The most beats that it may cover, where there is a limit: the call's own length, or the start of a later clip.
    fn most(&self, session: &dyn Session) -> Result<Option<Beats>, ToolError> {
        let Some((end, _)) = self.limit else { return Ok(self.update.length) };
        let start = match self.update.to {
            Some(ClipPlace::Timeline { at, .. }) => at,
            _ => ClipSpan::read(session, self.now)?.start,
        };
        Ok(Some(end - start))
    }

    /// Moving, lengthening, cutting.
    fn move_or_cut(
        &mut self,
        session: &mut dyn Session,
        call: &CallContext,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let length = self.most(session)?.filter(|_| self.update.length.is_some());
        if length.is_some() && self.update.region.length.is_some() {
            length::shorten_to_first_pass(session, self.now)?;
        }
        // The entry names the cost of rebuilding the clip once, even if it is rebuilt twice.
        let mut cost = Vec::new();
        if let Some(copy) = self.growing.take() {
            self.lanes.add_own([self.update.clip, copy.clip]);
            let placed = copy.replace_source(session)?;
            cost = placed.details;
            cost.iter().for_each(|detail| add_detail(&mut log.entry, detail));
            self.lanes.add_own(placed.left.iter().flat_map(|left| left.emptied.iter().copied()));
            self.left = placed.left;
        }
        if let Some(to) = &self.update.to {
            let landed = log.record("toPath", copy::relocate(session, self.now, to, length, self.lanes))?;
            self.now = landed.clip;
            if let Some(created) = landed.created {
                log.entry.insert("created".to_owned(), json!(created));
            }
            let more = landed.details.iter().filter(|detail| !cost.contains(detail));
            more.for_each(|detail| add_detail(&mut log.entry, detail));
            self.left = landed.left.or(self.left.take());
        }
        if let Some(length) = length {
            if self.update.region.length.is_some() && self.update.to.is_some() {
                length::shorten_to_first_pass(session, self.now)?;
            }
            let wanted = WantedLength { length, repeats_region: self.update.region.repeats() };
            let done = length::set_length(session, call, self.now, wanted, self.lanes);
            let done = log.record("arrangementLength", done)?;
            self.pieces = done.tiles;
            done.details.iter().for_each(|detail| add_detail(&mut log.entry, detail));
        }
        if !self.update.cuts.is_empty() {
            let cut = log.record("arrangementSplit", split::cut(session, call, self.now, &self.update.cuts))?;
            self.pieces = cut.pieces;
            cut.detail.iter().for_each(|detail| add_detail(&mut log.entry, detail));
        }
        Ok(())
    }
}
