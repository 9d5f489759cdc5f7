//! Carrying a call out, clip by clip.

use super::after;
use super::envelopes;
use super::note_steps::Turn;
use super::plan::Plan;
use super::ready::{self, NotReady, Ready};
use crate::music::{Beats, Random, SAME_POSITION_BEATS};
use crate::notation::transforms::ClipKind;
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::path_format;
use crate::tools::address::targets::TargetKind;
use crate::tools::call::CallContext;
use crate::tools::clip::audio_clip;
use crate::tools::clip::transforms::{self, ClipOrdinal, TextErrors};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{self, TargetResult, add_detail, later_mention};
use crate::tools::report::write_log::WriteLog;
use crate::tools::report::write_targets;
use crate::tools::timeline::lane::ClipSpan;
use crate::tools::timeline::order::{self, Area, ClipMove, Order};
use crate::tools::timeline::overwritten::PlacedBefore;
use crate::tools::timeline::{copy, length, split};
use serde_json::{Map, Value, json};

/// The clips of a call as they were found and looked at.
pub struct Looked {
    found: Vec<Result<ObjectId, String>>,
    /// By place in the call; only those that are written: there, and not named again later.
    pub ready: Vec<Option<Result<Ready, NotReady>>>,
    /// By place in the call: where a later clip begins that this one would be lengthened over, and which. It ends there.
    pub limits: Vec<Option<(Beats, usize)>>,
    pub order: Order,
}

impl Looked {
    /// The place that a target goes to, else its clip.
    pub fn spelled(&self, session: &dyn Session, at: usize) -> String {
        match self.ready.get(at) {
            Some(Some(Ok(Ready { to: Some(to), .. }))) => to.spelled(session),
            Some(Some(Ok(ready))) => path_format::path_and_id(session, ready.clip),
            _ => format!("entry {}", at.saturating_add(1)),
        }
    }
}

/// What has been written so far.
#[derive(Default)]
pub struct Done {
    pub entries: Vec<Option<TargetResult>>,
    pub further: Vec<Vec<Map<String, Value>>>,
    /// Clips that were written.
    pub own: Vec<ObjectId>,
    /// By place in the call: the clip and what is behind it, on the timeline.
    pub landed: Vec<Vec<PlacedBefore>>,
}

pub fn run(plan: &Plan, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
    let looked = look(plan, session)?;
    write_targets::warn_of_old_spellings(call, &plan.targets);
    call.warnings.extend(plan.destinations.iter().filter_map(|destination| destination.warning.clone()));
    if let Some(warning) = plan.chance.unused().filter(|_| !plan.has_note_work()) {
        call.warnings.push(warning);
    }
    let count = plan.targets.len();
    let mut done = Done {
        entries: (0..count).map(|_| None).collect(),
        further: vec![Vec::new(); count],
        own: Vec::new(),
        landed: vec![Vec::new(); count],
    };
    let mut random = plan.chance.transforms();
    for at in looked.order.turns.clone() {
        let entry = turn(plan, &looked, session, call, at, &mut random, &mut done);
        if let Some(place) = done.entries.get_mut(at) {
            *place = Some(entry);
        }
    }
    after::settle(plan, &looked, session, done)
}

fn look(plan: &Plan, session: &dyn Session) -> Result<Looked, ToolError> {
    let found: Vec<Result<ObjectId, String>> =
        plan.targets.iter().map(|target| target.find(session, TargetKind::Clip)).collect();
    let clips: Vec<Option<ObjectId>> = found.iter().map(|found| found.as_ref().ok().copied()).collect();
    let mut faults = TextErrors::default();
    faults.check_for(session, clips.iter().flatten().copied(), &plan.note_work());
    faults.refuse()?;
    let song_cuts = ready::song_cuts(plan, session)?;
    let written = |at: &usize| clips.get(*at).is_some_and(Option::is_some) && later_mention(&clips, *at).is_none();
    let batch: Vec<usize> = (0..clips.len()).filter(written).collect();
    let mut looked: Vec<Option<Result<Ready, NotReady>>> = clips.iter().map(|_| None).collect();
    for at in &batch {
        if let (Some(place), Some(Some(clip))) = (looked.get_mut(*at), clips.get(*at)) {
            *place = Some(Ready::look(plan, session, *at, *clip, &song_cuts));
        }
    }
    // What no clip of the call can take is wrong with the call; and a cut cannot be undone.
    let unreadable = || looked.iter().flatten().filter_map(|ready| ready.as_ref().err()).filter(|e| e.is_unreadable);
    if let Some(first) = unreadable().next()
        && (plan.cuts.is_some() || unreadable().count() == batch.len())
    {
        return Err(first.error.clone());
    }
    let mut ways = Vec::new();
    let mut tiles = 0usize;
    for ready in looked.iter().flatten().flatten() {
        tiles = tiles.saturating_add(ready.tiles(plan, session)?);
    }
    length::check_tiles(tiles)?;
    for ready in &looked {
        ways.push(match ready {
            Some(Ok(ready)) => ready.way(plan, session)?,
            _ => None,
        });
    }
    let limits: Vec<Option<(Beats, usize)>> = (0..looked.len()).map(|at| limit(&looked, &ways, at)).collect();
    for (way, limit) in ways.iter_mut().zip(&limits) {
        if let (Some(ClipMove { to: Area::Span { to, .. }, .. }), Some((end, _))) = (way, limit) {
            *to = *end;
        }
    }
    let order = if plan.destinations.is_empty() { in_place(&ways)? } else { order::order(&ways)? };
    Ok(Looked { found, ready: looked, limits, order })
}

/// Clips that stay where they are and only get longer or shorter are written in call order.
fn in_place(ways: &[Option<ClipMove>]) -> Result<Order, ToolError> {
    let nowhere = |at: usize| Area::Slot { track: usize::MAX, scene: at };
    let stay: Vec<Option<ClipMove>> = ways
        .iter()
        .enumerate()
        .map(|(at, way)| way.as_ref().map(|way| ClipMove { from: nowhere(at), grows: nowhere(at), to: way.to.clone() }))
        .collect();
    order::order(&stay)
}

fn turn(
    plan: &Plan,
    looked: &Looked,
    session: &mut dyn Session,
    call: &mut CallContext,
    at: usize,
    random: &mut Random,
    done: &mut Done,
) -> TargetResult {
    let Some(target) = plan.targets.get(at) else { return TargetResult::skip("path", "", "not named") };
    let skip = |detail: &str| TargetResult::skip(target.key, &target.spelling, detail);
    let clips: Vec<Option<ObjectId>> = looked.found.iter().map(|found| found.as_ref().ok().copied()).collect();
    if let Some(Err(detail)) = looked.found.get(at) {
        return skip(detail);
    }
    if let Some(by) = later_mention(&clips, at) {
        return TargetResult::superseded(target.key, &target.spelling, by);
    }
    if let Some(by) = looked.order.replaced_by.get(at).copied().flatten() {
        return TargetResult::replaced(target.key, &target.spelling, by, &looked.spelled(session, by));
    }
    let ready = match looked.ready.get(at) {
        Some(Some(Ok(ready))) => ready,
        Some(Some(Err(error))) => return skip(&error.error.text),
        _ => return skip("not found"),
    };
    if call.is_late() {
        return skip(target_result::NOT_REACHED);
    }
    if session.class_of(ready.clip).is_none() {
        return skip("overwritten earlier in this call by another clip it names");
    }
    let place = ClipOrdinal { index: at, count: plan.targets.len() };
    let mut steps = WriteLog::on(session, ready.clip);
    let mut writer = Writer {
        plan,
        ready,
        at,
        place,
        own: &done.own,
        end: looked.limits.get(at).copied().flatten(),
        pieces: Vec::new(),
        now: ready.clip,
    };
    let outcome = writer.write(session, call, random, &mut steps);
    let Writer { pieces, now, .. } = writer;
    if outcome.is_ok() && !steps.has_landed() && !ready.needs_nothing {
        let said = steps.entry.get("detail").and_then(Value::as_str).unwrap_or("nothing was changed");
        return skip(said);
    }
    match steps.end(outcome) {
        Err(error) => skip(&error.text),
        Ok(mut map) => {
            map.insert("id".to_owned(), json!(now.to_string()));
            if let Some(further) = done.further.get_mut(at) {
                *further =
                    pieces.iter().map(|piece| Map::from_iter([("id".to_owned(), json!(piece.to_string()))])).collect();
            }
            if let Some(landed) = done.landed.get_mut(at) {
                *landed = std::iter::once(&now)
                    .chain(&pieces)
                    .filter_map(|clip| PlacedBefore::look(session, *clip))
                    .collect();
            }
            done.own.push(now);
            done.own.extend(pieces);
            TargetResult::Written(map)
        }
    }
}

/// Where a later clip of the call will begin that this one would be lengthened over: it is never covered.
fn limit(looked: &[Option<Result<Ready, NotReady>>], ways: &[Option<ClipMove>], at: usize) -> Option<(Beats, usize)> {
    if !matches!(looked.get(at), Some(Some(Ok(Ready { length: Some(_), .. })))) {
        return None;
    }
    let span = |at: usize| match ways.get(at)?.as_ref()?.to {
        Area::Span { lane, from, to } => Some((lane, from, to)),
        Area::Slot { .. } => None,
    };
    let (lane, from, end) = span(at)?;
    let later = (at.saturating_add(1)..ways.len()).filter_map(|by| Some((span(by)?, by)));
    let starts = later.filter(|((there, ..), _)| *there == lane).map(|((_, start, _), by)| (start, by));
    starts
        .filter(|(start, _)| *start > from + SAME_POSITION_BEATS && *start < end - SAME_POSITION_BEATS)
        .min_by(|a, b| a.0.total_cmp(&b.0))
}

/// One clip's turn.
struct Writer<'a> {
    plan: &'a Plan,
    ready: &'a Ready,
    at: usize,
    place: ClipOrdinal,
    own: &'a [ObjectId],
    end: Option<(Beats, usize)>,
    /// Pieces and tiles behind the clip.
    pieces: Vec<ObjectId>,
    /// The clip; another one once it has moved.
    now: ObjectId,
}

impl Writer<'_> {
    fn write(
        &mut self,
        session: &mut dyn Session,
        call: &mut CallContext,
        random: &mut Random,
        steps: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let (plan, ready) = (self.plan, self.ready);
        ready.said.iter().for_each(|said| add_detail(&mut steps.entry, said));
        self.properties(session, steps)?;
        match ready.kind {
            ClipKind::Midi => {
                let turn =
                    Turn { plan, clip: self.now, at: self.at, place: self.place, meter: ready.meter, own: self.own };
                turn.write(session, call, random, steps)?;
            }
            ClipKind::Audio => self.audio_transforms(session, random, steps)?,
        }
        let late: Vec<&str> = [
            ("toPath", ready.to.is_some()),
            ("arrangementLength", ready.length.is_some()),
            ("arrangementSplit", !ready.cuts.is_empty()),
            ("envelopes", ready.draws_envelopes),
            ("convert", ready.converts),
        ]
        .into_iter()
        .filter_map(|(name, asked)| asked.then_some(name))
        .collect();
        if !late.is_empty() && call.is_late() {
            add_detail(&mut steps.entry, format!("the time ran out before {}; send it again", late.join(", ")));
            return Ok(());
        }
        self.places(session, call, steps)?;
        if ready.draws_envelopes {
            envelopes::draw(&plan.envelopes, session, self.now, ready.meter, steps);
        }
        if let Some(conversion) = plan.convert.as_ref().filter(|_| ready.converts) {
            let made = steps.record("convert", conversion.run(session, self.now))?;
            steps.entry.insert("converted".to_owned(), made);
        }
        Ok(())
    }

    fn properties(&self, session: &mut dyn Session, steps: &mut WriteLog) -> Result<(), ToolError> {
        let (plan, ready, clip) = (self.plan, self.ready, self.now);
        if plan.meters.is_some() {
            steps.record(
                "timeSignature",
                session.set(clip, "signature_numerator", Model::Int(ready.meter.numerator().into())),
            )?;
            session.set(clip, "signature_denominator", Model::Int(ready.meter.denominator().into()))?;
        }
        ready.region.write(session, clip, ready.meter, self.own, steps)?;
        if let Some(names) = &plan.names {
            steps.record("name", session.set(clip, "name", names.at(self.at).into()))?;
        }
        if let Some(color) = plan.colors.as_ref().and_then(|colors| colors.get(self.at)) {
            steps.color(session, clip, *color)?;
        }
        if ready.kind == ClipKind::Audio {
            plan.audio.write(session, clip, steps)?;
        }
        Ok(())
    }

    /// The gain and pitch of an audio clip; it has no notes.
    fn audio_transforms(
        &self,
        session: &mut dyn Session,
        random: &mut Random,
        steps: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let clip = self.now;
        let [first, later] = self.plan.note_work();
        let Some(lines) = first.after.as_ref().or(later.after.as_ref()) else { return Ok(()) };
        let context = transforms::clip(session, clip, self.ready.meter, self.place)?;
        if audio_clip::transform(lines, &context, random, session, clip, steps)? {
            self.plan.chance.tell(&mut steps.entry);
        }
        Ok(())
    }

    /// Moving, lengthening, cutting.
    fn places(&mut self, session: &mut dyn Session, call: &CallContext, steps: &mut WriteLog) -> Result<(), ToolError> {
        if let Some(to) = &self.ready.to {
            let landed = steps.record("toPath", copy::relocate(session, self.now, to, self.own))?;
            self.now = landed.clip;
            if let Some(created) = landed.created {
                steps.entry.insert("created".to_owned(), json!(created));
            }
            landed.details.iter().for_each(|detail| add_detail(&mut steps.entry, detail));
        }
        if let Some(mut wanted) = self.ready.length {
            if let Some((end, _)) = self.end {
                wanted = end - ClipSpan::read(session, self.now)?.start;
            }
            let done =
                steps.record("arrangementLength", length::set_length(session, call, self.now, wanted, self.own))?;
            self.pieces = done.tiles;
            done.details.iter().for_each(|detail| add_detail(&mut steps.entry, detail));
        }
        if !self.ready.cuts.is_empty() {
            let cut = steps.record("arrangementSplit", split::cut(session, call, self.now, &self.ready.cuts))?;
            self.pieces = cut.pieces;
            cut.detail.iter().for_each(|detail| add_detail(&mut steps.entry, detail));
        }
        Ok(())
    }
}
