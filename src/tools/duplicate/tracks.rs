//! Copies of whole tracks, right behind their source.

use super::Args;
use super::clip_transforms::ClipTransforms;
use super::frame::{Batch, Candidate, CopyKind, CopyResult, CopyTask, SourceCopies, clip_list_bare, sequence};
use super::song_lists::copy_in_list;

use crate::object_model::scope::{Part, Shape};
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::group_tracks;
use crate::tools::address::model_read::{self, child, count, flag};
use crate::tools::address::path_format;
use crate::tools::arguments::action_params::sent;
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use crate::tools::mixer::routing::{dictionary, identifier};
use crate::tools::read::track_fields::track_type;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::target_result::{add_detail, or_detail};
use crate::tools::report::write_log::WriteLog;
use serde_json::{Value, json};
use std::sync::Arc;

/// Tracks that one call makes at most.
const MAX_TRACKS: usize = 100;

pub struct TrackCopies {
    /// Copies of each source.
    count: usize,
    without_clips: bool,
    without_devices: bool,
    route: bool,
    transforms: ClipTransforms,
    /// The Set's tracks before the call.
    tracks: Option<ListBefore>,
    /// Those of the source that is being copied.
    copies: SourceCopies<TrackCopy>,
    /// Copies whose clips are still to be listed, each with its members, and their positions in the call.
    unlisted: Vec<(usize, Vec<ObjectId>)>,
    /// A group is copied before its members are.
    sequence: Vec<usize>,
}

/// A copy, and what came along inside it.
struct TrackCopy {
    track: ObjectId,
    members: Vec<ObjectId>,
}

impl TrackCopies {
    pub fn read(args: &Args, count: usize, total: usize, warnings: &mut Vec<String>) -> Result<TrackCopies, ToolError> {
        if total > MAX_TRACKS {
            return Err(ToolError::new(format!("that makes {total} tracks; one call makes at most {MAX_TRACKS}")));
        }
        let route = args.route_to_source == Some(true);
        for (name, sent) in [("withoutClips", args.without_clips), ("withoutDevices", args.without_devices)] {
            if route && sent.is_some() {
                warnings.push(format!("{name} ignored: a copy routed to its source has no clips and no devices"));
            }
        }
        let without_clips = route || args.without_clips == Some(true);
        if without_clips && sent(args.transforms.as_ref()) {
            warnings.push("transforms ignored: the copy has no clips to transform".to_owned());
        }
        Ok(TrackCopies {
            count,
            without_clips,
            transforms: ClipTransforms::read(args, warnings)?,
            without_devices: route || args.without_devices == Some(true),
            route,
            tracks: None,
            copies: SourceCopies::default(),
            unlisted: Vec::new(),
            sequence: Vec::new(),
        })
    }

    fn check(&self, session: &dyn Session, track: ObjectId) -> Result<(), ToolError> {
        let named = path_format::path_and_id(session, track)?;
        if model_read::class(session, track)? == Some("TakeLane") {
            return Err(ToolError::new(format!(
                "{named}: say with toPath where the clips of a take lane go: a lane (t2/l0, t2/l+) or a track (t2)"
            )));
        }
        if !path_format::tool_path(session, track)?.is_some_and(|path| path.starts_with('t')) {
            return Err(ToolError::new(format!("{named}: return and main tracks cannot be copied")));
        }
        let has_input = flag(session, track, "has_midi_input")? || flag(session, track, "has_audio_input")?;
        if self.route && !has_input {
            let why = format!("{named} is a group track, which no track can be routed to as an instrument");
            return Err(ToolError::new(why));
        }
        Ok(())
    }

    /// Takes away what the copy is not to have.
    fn empty(&self, session: &mut dyn Session, copy: &TrackCopy, log: &mut WriteLog) -> Result<(), ToolError> {
        for track in std::iter::once(&copy.track).chain(&copy.members) {
            if self.without_clips {
                remove_clips(session, *track, log)?;
            }
            if self.without_devices {
                for index in (0..count(session, *track, "devices")?).rev() {
                    session.call(*track, "delete_device", &[int(index)])?;
                }
            }
        }
        Ok(())
    }
}

impl CopyKind for TrackCopies {
    fn look_up(
        &mut self,
        session: &dyn Session,
        call: &mut CallContext,
        batch: &Batch,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Candidate>, ToolError> {
        self.tracks = Some(ListBefore::read(session, model_read::song(session)?, "tracks")?);
        self.sequence = groups_first(session, batch, found)?;
        self.transforms.tell_drawn(call.dry_run);
        if self.without_clips || self.transforms.is_empty() {
            return Ok(batch.candidates(found, |_| None));
        }
        let mut sources = Vec::new();
        for track in batch.copies.iter().filter_map(|copy| found.get(copy.source)?.as_ref().ok()) {
            if model_read::class(session, *track)? == Some("Track") {
                sources.extend(clips(session, *track)?);
                for member in group_tracks::members(session, *track)? {
                    sources.extend(clips(session, member)?);
                }
            }
        }
        self.transforms.look_up(session, sources)?;
        Ok(batch.candidates(found, |_| None))
    }

    fn order(&self, _count: usize) -> Vec<usize> {
        self.sequence.clone()
    }

    fn checks_time(&self) -> bool {
        true
    }

    fn copy(&mut self, session: &mut dyn Session, task: &CopyTask, log: &mut WriteLog) -> Result<(), ToolError> {
        let source = task.source;
        if self.copies.begins(task) {
            match or_detail(self.check(session, source))? {
                Ok(()) => {
                    // The one that is made last stands first.
                    let mut targets = (task.at..task.at.saturating_add(self.count)).rev();
                    self.copies.make(task.call, self.count, || {
                        session.begin_target(targets.next().unwrap_or(task.at));
                        copy_track(session, source)
                    });
                    session.begin_target(task.at);
                }
                Err(why) => self.copies.refuse(why),
            }
        }
        let copy = self.copies.next()?;
        *log = WriteLog::on(session, copy.track)?;
        log.entry.insert("type".to_owned(), json!(track_type(session, copy.track)?));
        log.record("track copy", Ok::<_, ToolError>(()))?;
        leave_out_own_device(session, source, copy.track, log)?;
        self.empty(session, &copy, log)?;
        task.batch.labels.write(session, copy.track, task.at, log)?;
        if self.route {
            route(session, source, copy.track, log)?;
        }
        if self.transforms.is_empty() {
            let all = std::iter::once(copy.track).chain(copy.members.iter().copied());
            self.unlisted.push((task.at, all.collect()));
        } else {
            self.transform(session, &copy, log)?;
        }
        if !copy.members.is_empty() {
            let members = group_tracks::listed(session, &copy.members)?;
            add_detail(&mut log.entry, format!("its members came along: {members}"));
        }
        if let Some(remark) = session.remark(copy.track)? {
            add_detail(&mut log.entry, remark);
        }
        Ok(())
    }

    fn report(&self, session: &dyn Session, results: &mut [CopyResult]) -> Result<(), ToolError> {
        let all: Vec<ObjectId> = self.unlisted.iter().flat_map(|(_, tracks)| tracks.iter().copied()).collect();
        let mut found = clips_of_all(session, &all)?.into_iter();
        for (at, tracks) in &self.unlisted {
            let clips: Vec<ObjectId> = found.by_ref().take(tracks.len()).flatten().collect();
            let entry = results.get_mut(*at).and_then(|result| result.entry.written_mut());
            if let Some(entry) = entry.filter(|_| !clips.is_empty() || !self.without_clips) {
                entry.insert("clips".to_owned(), clip_list_bare(&clips));
            }
        }
        if let Some(tracks) = &self.tracks {
            tracks.report(session, &[], results.iter_mut().map(|one| &mut one.entry))?;
        }
        Ok(())
    }
}

impl TrackCopies {
    fn transform(&mut self, session: &mut dyn Session, copy: &TrackCopy, log: &mut WriteLog) -> Result<(), ToolError> {
        let mut transformed = clips(session, copy.track)?;
        for member in &copy.members {
            transformed.extend(clips(session, *member)?);
        }
        let held_none = transformed.is_empty();
        let transformed = self.transforms.write_all_inner(session, transformed, log)?;
        if (held_none || !transformed.is_empty()) && !self.without_clips {
            self.transforms.tell_if_unreached(&transformed, &mut log.entry);
        }
        if !transformed.is_empty() || !self.without_clips {
            log.entry.insert("clips".to_owned(), self.transforms.list(session, &transformed)?);
        }
        Ok(())
    }
}

/// The order in which no copy of a member stands in its group when that is copied.
fn groups_first(
    session: &dyn Session,
    batch: &Batch,
    found: &[Result<ObjectId, String>],
) -> Result<Vec<usize>, ToolError> {
    let mut around = Vec::new();
    for copy in &batch.copies {
        let source = found.get(copy.source).and_then(|found| found.as_ref().ok()).copied();
        let track = source.map_or(Ok(None), |source| {
            model_read::class(session, source).map(|class| (class == Some("Track")).then_some(source))
        })?;
        around.push((source, track.map_or(Ok(Vec::new()), |track| group_tracks::around(session, track))?));
    }
    let goes_first = |first: usize, then: usize| match (around.get(first), around.get(then)) {
        (Some((Some(group), _)), Some((_, groups))) => groups.contains(group),
        _ => false,
    };
    // No group is inside itself.
    Ok(sequence(around.len(), goes_first).unwrap_or_else(|| (0..around.len()).collect()))
}

fn int(index: usize) -> Model {
    Model::Int(i64::try_from(index).unwrap_or(-1))
}

/// The copy, and its members behind it.
fn copy_track(session: &mut dyn Session, track: ObjectId) -> Result<TrackCopy, ToolError> {
    let song = model_read::song(session)?;
    let mut new = copy_in_list(session, song, "tracks", "duplicate_track", track)?.into_iter();
    let track = new.next().ok_or_else(|| ToolError::new("no copy was made"))?;
    Ok(TrackCopy { track, members: new.collect() })
}

/// The clips of a track's slots and main lane.
fn clips(session: &dyn Session, track: ObjectId) -> Result<Vec<ObjectId>, ModelError> {
    Ok(clips_of_all(session, &[track])?.into_iter().flatten().collect())
}

/// The same of each of several tracks.
fn clips_of_all(session: &dyn Session, tracks: &[ObjectId]) -> Result<Vec<Vec<ObjectId>>, ModelError> {
    if tracks.is_empty() {
        return Ok(Vec::new());
    }
    let parts = || {
        let slots = Shape::default().below("clip_slots", Shape::default().below("clip", Shape::default()));
        let shape = Arc::new(slots.below("arrangement_clips", Shape::default()));
        Ok(tracks.iter().map(|track| Part::of_id(*track, shape.clone())).collect())
    };
    model_read::through_snapshot(session, &parts, |session| {
        let all = tracks.iter().map(|track| {
            let mut clips = Vec::new();
            for slot in model_read::children(session, *track, "clip_slots")? {
                clips.extend(session.child_at(slot, "clip", 0)?);
            }
            clips.extend(model_read::children(session, *track, "arrangement_clips")?);
            Ok(clips)
        });
        all.collect()
    })
}

fn remove_clips(session: &mut dyn Session, track: ObjectId, log: &mut WriteLog) -> Result<(), ToolError> {
    for clip in clips(session, track)? {
        session.call(track, "delete_clip", &[clip.into()])?;
    }
    let lanes = model_read::children(session, track, "take_lanes")?;
    let filled = model_read::find(lanes, |lane| count(session, lane, "arrangement_clips").map(|clips| clips > 0))?;
    if filled.is_some() {
        let named = path_format::path_and_id(session, track)?;
        add_detail(&mut log.entry, format!("the clips in the take lanes of {named} stay: they cannot be deleted"));
    }
    Ok(())
}

/// The device that answers this call stands in the Set once.
fn leave_out_own_device(
    session: &mut dyn Session,
    source: ObjectId,
    copy: ObjectId,
    log: &mut WriteLog,
) -> Result<(), ToolError> {
    let (Some(from), Some(to)) = (session.path_of(source)?, session.path_of(copy)?) else { return Ok(()) };
    let mut inside = None;
    for own in session.own_devices()? {
        let own = session.path_of(own)?.unwrap_or_default();
        inside = inside.or(own.strip_prefix(&from).filter(|rest| rest.starts_with(' ')).map(str::to_owned));
    }
    let Some(inside) = inside else { return Ok(()) };
    let route = format!("{to}{inside}");
    let index = route.rsplit(' ').next().and_then(|at| at.parse().ok());
    if let (Some(device), Some(index)) = (session.resolve(&route)?, index)
        && let Some(holder) = child(session, device, "canonical_parent")?
    {
        session.call(holder, "delete_device", &[int(index)])?;
        add_detail(&mut log.entry, "without the device that answers this call, which stays on its track alone");
    }
    Ok(())
}

/// The copy plays what its source holds: its output goes to the source, which is armed and takes no other input.
fn route(session: &mut dyn Session, source: ObjectId, copy: ObjectId, log: &mut WriteLog) -> Result<(), ToolError> {
    let named = path_format::path_and_id(session, source)?;
    let entry = entry_of(session, copy, source)?;
    let value = Model::Struct(json!({ "output_routing_type": entry }));
    log.record("output routing", session.set(copy, "output_routing_type", value))?;
    let mut said = vec![format!("its output goes to {named}")];
    let none = available(session, source, "input_routing_type")?.into_iter().find(|entry| name(entry) == "No Input");
    let now = dictionary(session, source, "input_routing_type")?.map(|now| identifier(&now));
    if let Some(none) = none.filter(|none| now != Some(identifier(none))) {
        let value = Model::Struct(json!({ "input_routing_type": none }));
        log.record(format!("input of {named}"), session.set(source, "input_routing_type", value))?;
        said.push("whose input is now No Input".to_owned());
    }
    if flag(session, source, "can_be_armed")? && !flag(session, source, "arm")? {
        log.record(format!("arm of {named}"), session.set(source, "arm", true.into()))?;
        said.push("which is armed now".to_owned());
    }
    add_detail(&mut log.entry, said.join(", "));
    Ok(())
}

fn available(session: &dyn Session, track: ObjectId, member: &str) -> Result<Vec<Value>, ModelError> {
    Ok(match dictionary(session, track, &format!("available_{member}s"))? {
        Some(Value::Array(entries)) => entries,
        _ => Vec::new(),
    })
}

fn name(entry: &Value) -> &str {
    entry.get("display_name").and_then(Value::as_str).unwrap_or_default()
}

/// The output of `of` that leads to `to`. Several tracks may have one name: they are listed in their order.
fn entry_of(session: &dyn Session, of: ObjectId, to: ObjectId) -> Result<Value, ToolError> {
    let wanted = model_read::text(session, to, "name")?;
    let song = model_read::song(session)?;
    let same: Vec<Value> =
        available(session, of, "output_routing_type")?.into_iter().filter(|entry| name(entry) == wanted).collect();
    let offered = |track| Ok::<_, ToolError>(track != of && model_read::text(session, track, "name")? == wanted);
    let namesakes = model_read::filter(model_read::children(session, song, "tracks")?, offered)?;
    let at = namesakes.iter().position(|track| *track == to);
    // An entry of another kind that has the name too would shift them: then none is safe to take.
    let entry = at.filter(|_| same.len() <= namesakes.len()).and_then(|at| same.get(at));
    match entry {
        Some(entry) => Ok(entry.clone()),
        None => Err(ToolError::new(format!(
            "the copy cannot be routed to {}; there is no such output",
            path_format::path_and_id(session, to)?
        ))),
    }
}
