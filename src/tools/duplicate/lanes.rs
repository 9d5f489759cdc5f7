//! The clips of a track or take lane, copied onto a lane: each at its own place.

use super::Args;
use super::frame::{Batch, Candidate, CopyKind, CopyResult, CopyTask, clip_list, sequence};
use crate::music::text::counted;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, flag, number};
use crate::tools::address::path::{LanePath, Path, TrackPath};
use crate::tools::address::path_format;
use crate::tools::address::path_parse;
use crate::tools::arguments::action_params::sent;
use crate::tools::arguments::lists::{self, ListEntry};
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use crate::tools::read::session_clips;
use crate::tools::report::target_result::{add_detail, or_detail};
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::area::Area;
use crate::tools::timeline::copy;
use crate::tools::timeline::lane_changes::LaneChanges;
use crate::tools::timeline::overwritten::{self, Overwritten, PlacedBefore};
use crate::tools::timeline::place::{self, ClipPlace};
use crate::tools::timeline::take_lanes;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

pub struct LaneCopies {
    destinations: Vec<ListEntry<LanePlace>>,
    lane_name: Option<String>,
    /// Of each copy that can be made, in call order.
    routes: Vec<Option<Route>>,
    /// The areas that the clips of each copy will cover, in call order.
    areas: Vec<Vec<Area>>,
    /// The parts of each source that stay behind, read before the first copy is made.
    left: Vec<Option<String>>,
    /// What the copies do to the others of their lanes.
    changes: LaneChanges,
    /// The clips that were made for each copy, in call order, as they were then; `None` where none was begun.
    made: Vec<Option<Vec<PlacedBefore>>>,
    /// The source of each copy.
    sources: Vec<Option<ObjectId>>,
    /// Every lane is read before a copy goes over it.
    sequence: Vec<usize>,
}

/// A lane, as the caller named it.
struct LanePlace {
    spelling: String,
    track: usize,
    lane: Lane,
}

/// Where the clips of a copy go in the Set.
#[derive(Clone, Copy, PartialEq)]
struct Route {
    track: ObjectId,
    /// The take lane, there or to be made; `None` is the track's main lane.
    lane: Option<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum Lane {
    Main,
    At(usize),
    New,
}

impl LanePlace {
    fn read(spelling: &str) -> Result<LanePlace, ToolError> {
        let (track, lane) = match path_parse::parse(spelling).map_err(|e| ToolError::about("toPath", e))? {
            Path::Lane { track, lane } => (track, Lane::At(lane)),
            Path::NewLane { track } => (track, Lane::New),
            Path::Track(TrackPath::Regular(track)) => (track, Lane::Main),
            _ => {
                let why = "a track's clips go to a take lane (t2/l0, t2/l+), a lane's also to a track (t2); without \
                           toPath the copy of a track stands behind it";
                return Err(ToolError::about("toPath", format!("{spelling}: {why}")));
            }
        };
        Ok(LanePlace { spelling: spelling.to_owned(), track, lane })
    }
}

impl LaneCopies {
    pub fn read(args: &Args, places: Vec<String>) -> Result<LaneCopies, ToolError> {
        let extras = [
            ("count", args.count.is_some_and(|count| count > 1)),
            ("withoutClips", args.without_clips.is_some()),
            ("withoutDevices", args.without_devices.is_some()),
            ("routeToSource", args.route_to_source.is_some()),
            ("transforms", sent(args.transforms.as_ref())),
        ];
        let extras: Vec<&str> = extras.into_iter().filter_map(|(name, sent)| sent.then_some(name)).collect();
        if !extras.is_empty() {
            return Err(ToolError::new(format!(
                "{} belongs to a copy of a whole track; toPath copies the clips of a track or lane onto a lane",
                extras.join(", ")
            )));
        }
        let destinations = lists::read_each(places, LanePlace::read)?;
        let lane_name = args.take_lane_name.clone().filter(|name| sent(Some(name)));
        Ok(LaneCopies {
            destinations,
            lane_name,
            routes: Vec::new(),
            areas: Vec::new(),
            left: Vec::new(),
            changes: LaneChanges::default(),
            made: Vec::new(),
            sources: Vec::new(),
            sequence: Vec::new(),
        })
    }
}

impl CopyKind for LaneCopies {
    fn look_up(
        &mut self,
        session: &dyn Session,
        _call: &mut CallContext,
        batch: &Batch,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Candidate>, ToolError> {
        let mut candidates = batch.candidates_at(found, &self.destinations);
        let mut lanes: HashMap<ObjectId, usize> = HashMap::new();
        for (candidate, copy) in candidates.iter_mut().zip(&batch.copies) {
            let place = copy.destination.and_then(|at| self.destinations.get(at));
            let route = match (&candidate.source, place.map(|place| &place.read)) {
                (Ok(from), Some(Ok(place))) => Some(find_route(session, *from, place, &mut lanes)?),
                _ => None,
            };
            if let Some(Err(why)) = &route {
                candidate.source = Err(why.clone());
            }
            self.routes.push(route.and_then(Result::ok));
        }
        self.sources = candidates.iter().map(|candidate| candidate.source.as_ref().ok().copied()).collect();
        self.made = vec![None; candidates.len()];
        for (source, route) in self.sources.iter().zip(&self.routes) {
            self.left.push(source.map_or(Ok(None), |source| left_behind(session, source))?);
            self.areas.push(match (source, route) {
                (Some(source), Some(route)) => areas(session, *source, *route)?,
                _ => Vec::new(),
            });
        }
        let mut copies = Vec::new();
        for (candidate, route) in candidates.iter().zip(&self.routes) {
            let onto = match route {
                Some(Route { track, lane: Some(lane) }) => session.child_at(*track, "take_lanes", *lane)?,
                Some(Route { track, lane: None }) => Some(*track),
                None => None,
            };
            copies.push((candidate.source.as_ref().ok().copied(), onto));
        }
        let reads = |first: usize, then: usize| {
            let onto = copies.get(then).and_then(|(_, onto)| *onto);
            onto.is_some() && copies.get(first).is_some_and(|(from, _)| *from == onto)
        };
        self.sequence = sequence(copies.len(), reads).ok_or_else(|| {
            ToolError::new(
                "toPath: these lanes go to each other's places, so none can go first; copy one to a lane of its own in \
                 another call",
            )
        })?;
        Ok(candidates)
    }

    fn copy(&mut self, session: &mut dyn Session, task: &CopyTask, log: &mut WriteLog) -> Result<(), ToolError> {
        let route = self.routes.get(task.at).copied().flatten();
        let Route { track, lane } = route.ok_or_else(|| ToolError::new("toPath names no lane for this copy"))?;
        let labels = &task.batch.labels;
        let left = self.left.get(task.at).cloned().flatten();
        let (onto, created) = match lane {
            Some(lane) => take_lanes::make_up_to(session, track, lane)?,
            None => (track, None),
        };
        *log = WriteLog::on(session, onto)?;
        if let Some(created) = created {
            log.record(format!("take lane {created}"), Ok::<_, ToolError>(()))?;
            log.entry.insert("created".to_owned(), json!(created));
        }
        left.into_iter().for_each(|said| add_detail(&mut log.entry, said));
        let mut copies = Vec::new();
        self.changes.begin(task.at);
        let outcome = copy_clips(session, task, (onto, lane), (&mut self.changes, &mut copies), log);
        let outcome = outcome.and_then(|()| match (lane, &self.lane_name) {
            (Some(_), Some(name)) if labels.names.is_none() => log.name(session, onto, name.as_str()),
            (Some(_), _) => labels.write_name(session, onto, task.at, log),
            (None, _) => Ok(()),
        });
        if labels.colors.is_some() {
            log.refuse("color ignored: only clips were copied, onto a lane");
        }
        if lane.is_none() && labels.names.is_some() {
            log.refuse("name ignored: the track keeps its own; only clips were copied");
        }
        if copies.is_empty() && outcome.is_ok() {
            log.record_unchanged("the lane holds no clips to copy");
        }
        if let Some(made) = self.made.get_mut(task.at) {
            *made = Some(PlacedBefore::of_all(session, &copies)?);
        }
        outcome
    }

    fn replaced_by(&self, at: usize, is_late: bool) -> Option<usize> {
        // Out of time, the copy itself is to be sent again.
        if is_late { None } else { self.covered_by(at) }
    }

    fn order(&self, _count: usize) -> Vec<usize> {
        self.sequence.clone()
    }

    /// What is there of each when all are made.
    fn report(&self, session: &dyn Session, results: &mut [CopyResult]) -> Result<(), ToolError> {
        let placed: Vec<Vec<PlacedBefore>> = self.made.iter().map(|made| made.clone().unwrap_or_default()).collect();
        for (at, (copies, result)) in self.made.iter().zip(results).enumerate() {
            let (Some(copies), Some(entry)) = (copies, result.entry.written_mut()) else { continue };
            let clips = copies.iter().map(|clip| clip.placed.id);
            let clips = model_read::filter(clips, |clip| model_read::is_there(session, clip))?;
            entry.insert("clips".to_owned(), clip_list(session, &clips)?);
            self.changes.report(session, at, entry)?;
            self.report_lost(session, &placed, at, entry)?;
        }
        Ok(())
    }
}

impl LaneCopies {
    /// The later copy of the call that the same clips, or clips over all of its own, are left to.
    fn covered_by(&self, at: usize) -> Option<usize> {
        let (route, source, areas) = (self.routes.get(at)?.as_ref()?, self.sources.get(at)?, self.areas.get(at)?);
        let covers = |by: &usize| {
            let same = self.sources.get(*by) == Some(source) && self.routes.get(*by) == Some(&Some(*route));
            let theirs = self.areas.get(*by).map_or(&[][..], Vec::as_slice);
            let over_all = || areas.iter().all(|area| theirs.iter().any(|other| other.covers(area)));
            source.is_some() && (same || !areas.is_empty() && over_all())
        };
        (at + 1..self.routes.len()).find(covers)
    }

    /// Says what later copies took of the clips of this one: those that are cut are named, of those that are gone
    /// there is only the number.
    fn report_lost(
        &self,
        session: &dyn Session,
        placed: &[Vec<PlacedBefore>],
        at: usize,
        entry: &mut Map<String, Value>,
    ) -> Result<(), ModelError> {
        let name = |by: usize| match self.sources.get(by).copied().flatten() {
            Some(source) => Ok(format!("the copy of {}", path_format::path_and_id(session, source)?)),
            None => Ok(String::new()),
        };
        let mut lost: Vec<(String, Vec<ObjectId>)> = Vec::new();
        for clip in placed.get(at).into_iter().flatten() {
            let one = (at, std::slice::from_ref(clip));
            let loss = overwritten::loss_of(session, (placed, &self.sequence), self.changes.own(), one, name)?;
            let Some(Overwritten { is_gone, said }) = loss else { continue };
            let said = if is_gone { format!("of its clips: {said}") } else { said };
            match lost.iter_mut().find(|(known, _)| *known == said) {
                Some((_, clips)) => clips.push(clip.placed.id),
                None => lost.push((said, vec![clip.placed.id])),
            }
        }
        for (said, clips) in lost {
            let which = match clips.as_slice() {
                _ if said.starts_with("of its") => clips.len().to_string(),
                [one] => format!("{}:", path_format::path_and_id(session, *one)?),
                several => format!("{} of its clips:", several.len()),
            };
            add_detail(entry, format!("{which} {said}"));
        }
        Ok(())
    }
}

/// The areas that the clips of a source cover at their destination.
fn areas(session: &dyn Session, source: ObjectId, route: Route) -> Result<Vec<Area>, ToolError> {
    let Some(track) = place::track_index(session, route.track)? else { return Ok(Vec::new()) };
    let lane = LanePath { track, take_lane: route.lane };
    let clips = model_read::children(session, source, "arrangement_clips")?.into_iter();
    let area = |clip| {
        let at = number(session, clip, "start_time")?;
        Ok(Area::of(&ClipPlace::Timeline { lane, at }, place::clip_length(session, clip)?))
    };
    clips.map(area).collect()
}

/// What of a track does not go onto a lane: only the clips of its main lane do.
fn left_behind(session: &dyn Session, source: ObjectId) -> Result<Option<String>, ToolError> {
    if model_read::class(session, source)? == Some("TakeLane") {
        return Ok(None);
    }
    let in_slots = session_clips::count(session, source)?;
    let on_lanes = model_read::count_if_any(session, source, "take_lanes")?;
    let left: Vec<String> = [(in_slots, "session clip"), (on_lanes, "take lane")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| counted(count, what))
        .collect();
    Ok((!left.is_empty())
        .then(|| format!("{} stayed behind: only clips of the main lane are copied", left.join(" and "))))
}

/// Copies the clips of the source onto a lane; those that land are added to `copies`, also where a later one fails.
fn copy_clips(
    session: &mut dyn Session,
    task: &CopyTask,
    (onto, lane): (ObjectId, Option<usize>),
    (changes, copies): (&mut LaneChanges, &mut Vec<ObjectId>),
    log: &mut WriteLog,
) -> Result<(), ToolError> {
    let track = place::track_index(session, onto)?.ok_or_else(|| ToolError::new("the lane has no place"))?;
    let clips = model_read::children(session, task.source, "arrangement_clips")?;
    let mut said: Vec<String> = Vec::new();
    for clip in clips {
        if task.call.is_late() {
            said.push("the time ran out; the later clips were not copied".to_owned());
            break;
        }
        let to =
            ClipPlace::Timeline { lane: LanePath { track, take_lane: lane }, at: number(session, clip, "start_time")? };
        let landed = log.record("some clips", copy::copy(session, clip, &to, changes))?;
        changes.add_own([landed.clip]);
        copies.push(landed.clip);
        said.extend(landed.details);
    }
    // Many clips say the same.
    let mut once: Vec<String> = Vec::new();
    for text in said {
        if !once.contains(&text) {
            once.push(text);
        }
    }
    if !once.is_empty() {
        add_detail(&mut log.entry, once.join("; "));
    }
    Ok(())
}

/// Where the clips of `from` go; the inner error is this copy's alone. `lanes` counts the take lanes that each track
/// will have when the copies so far are made.
fn find_route(
    session: &dyn Session,
    from: ObjectId,
    to: &LanePlace,
    lanes: &mut HashMap<ObjectId, usize>,
) -> Result<Result<Route, String>, ToolError> {
    let track = match or_detail(model_read::track(session, TrackPath::Regular(to.track)))? {
        Ok(track) => track,
        Err(why) => return Ok(Err(why)),
    };
    let of_lane = model_read::class(session, from)? == Some("TakeLane");
    let source = if of_lane { model_read::child(session, from, "canonical_parent")?.unwrap_or(from) } else { from };
    let named = path_format::path_and_id(session, track)?;
    if to.lane == Lane::Main && !of_lane {
        return Ok(Err(format!(
            "{}: a track's clips go to a take lane, such as {}/l0; without toPath the copy of a track stands behind it",
            to.spelling, to.spelling
        )));
    }
    let kind = |track, member| flag(session, track, member);
    let plain = |track| Ok::<_, ToolError>(kind(track, "has_midi_input")? || kind(track, "has_audio_input")?);
    if !plain(source)? {
        return Ok(Err(format!("{} has no lanes of clips", path_format::path_and_id(session, from)?)));
    }
    if plain(track)? && kind(track, "has_midi_input")? != kind(source, "has_midi_input")? {
        let (on, is) = if kind(track, "has_midi_input")? { ("a MIDI", "audio") } else { ("an audio", "MIDI") };
        return Ok(Err(format!("{named} is {on} track; the clips are {is}")));
    }
    if kind(track, "is_frozen")? {
        return Ok(Err(format!("{named} is frozen; unfreeze it first")));
    }
    let there = model_read::count_if_any(session, track, "take_lanes")?;
    let planned = lanes.entry(track).or_insert(there);
    let lane = match to.lane {
        Lane::Main => return Ok(Ok(Route { track, lane: None })),
        Lane::At(at) => at,
        Lane::New => *planned,
    };
    if let Some(why) = take_lanes::refusal(session, track, lane)? {
        return Ok(Err(why));
    }
    if session.child_at(track, "take_lanes", lane)? == Some(from) {
        return Ok(Err(format!("{}: a lane cannot be copied onto itself", to.spelling)));
    }
    *planned = (*planned).max(lane.saturating_add(1));
    Ok(Ok(Route { track, lane: Some(lane) }))
}
