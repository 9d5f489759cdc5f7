//! Copies of scenes in the Arrangement: each clip on its own track.

use super::Args;
use super::clip_transforms::ClipTransforms;
use super::frame::{Batch, Candidate, CopyKind, CopyResult, CopyTask};
use super::lengths::Lengths;
use super::scenes::{clips_of_copies, filled_slots};
use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::notation::transforms::ClipKind;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::path::{LanePath, Moment, Path};
use crate::tools::address::{model_read, path_format, path_parse, path_resolve};
use crate::tools::arguments::lists::{self, ListEntry};
use crate::tools::call::CallContext;
use crate::tools::clip::heard_notes::HeardNotes;
use crate::tools::clip::transforms;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{TargetResult, add_detail, or_detail};
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::area::Area;
use crate::tools::timeline::copy::copy_covering;
use crate::tools::timeline::lane;
use crate::tools::timeline::lane_changes::LaneChanges;
use crate::tools::timeline::length::{self, PendingRegion, WantedLength};
use crate::tools::timeline::place::{self, ClipPlace};
use serde_json::json;

pub struct SceneLayouts {
    destinations: Vec<ListEntry<Moment>>,
    lengths: Option<Lengths>,
    transforms: ClipTransforms,
    /// Of each copy, in call order.
    layouts: Vec<Layout>,
    /// What the copies do to the others of their lanes.
    lanes: LaneChanges,
}

/// One scene on the timeline.
#[derive(Default)]
struct Layout {
    start: Option<Beats>,
    path: String,
    clips: Vec<SceneClip>,
    /// What its clips will cover.
    areas: Vec<Area>,
    /// The clips that were made for it.
    made: Vec<ObjectId>,
}

impl SceneLayouts {
    pub fn read(
        args: &Args,
        places: Vec<String>,
        total: usize,
        warnings: &mut Vec<String>,
    ) -> Result<SceneLayouts, ToolError> {
        if args.without_clips == Some(true) {
            return Err(ToolError::new(
                "withoutClips leaves nothing to lay out in the arrangement; leave it out, or toPath",
            ));
        }
        let destinations = lists::read_each(places, |spelling| {
            match path_parse::parse(spelling).map_err(|e| ToolError::about("toPath", e))? {
                Path::Arrangement { lane: None, at } => Ok(at),
                _ => {
                    let why = "a scene goes to a position, such as [5|1]; without toPath its copy stands below it";
                    Err(ToolError::about("toPath", format!("{spelling}: {why}")))
                }
            }
        })?;
        let lengths = Lengths::read(args.arrangement_length.as_ref(), total)?;
        let transforms = ClipTransforms::read(args, warnings)?;
        Ok(SceneLayouts { destinations, lengths, transforms, layouts: Vec::new(), lanes: LaneChanges::default() })
    }

    /// Refuses more copies of looping clips than a call makes.
    fn check_tiles(&self, session: &dyn Session) -> Result<(), ToolError> {
        let mut tiles = 0usize;
        for SceneClip { clip, length, .. } in self.layouts.iter().flat_map(|layout| &layout.clips) {
            let Some(length) = *length else { continue };
            tiles = tiles.saturating_add(length::count_tiles(session, *clip, length, PendingRegion::default())?);
        }
        length::check_tiles(tiles)
    }

    /// Lays out the clips of the scene, and gives those that were made, also where a later one fails.
    fn lay_out(
        &mut self,
        session: &mut dyn Session,
        task: &CopyTask,
        clips: Vec<SceneClip>,
        made: &mut Vec<ObjectId>,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        for SceneClip { clip, to, refused, length, .. } in clips {
            if task.call.is_late() {
                add_detail(&mut log.entry, "the time ran out; the later tracks' clips were not copied");
                break;
            }
            if let Some(why) = refused {
                log.refuse(why);
                continue;
            }
            if let Some(why) = self.transforms.refusal_inner(session, clip, (&to, length))? {
                log.refuse(format!("{} was not copied: {why}", path_format::path_and_id(session, clip)?));
                continue;
            }
            let landed = log.record("some clips", copy_covering(session, clip, &to, length, &mut self.lanes))?;
            self.lanes.add_own([landed.clip]);
            made.push(landed.clip);
            let mut details = landed.details;
            let labels = &task.batch.labels;
            if let Some(names) = &labels.names {
                session.set(landed.clip, "name", names.at(task.at).into())?;
            }
            labels.write_color(session, landed.clip, task.at, log)?;
            self.transforms.write_inner(session, landed.clip)?;
            if let Some(length) = length {
                let is_midi = transforms::clip_kind(session, clip)? == ClipKind::Midi;
                let heard = if is_midi { Some(HeardNotes::read(session, clip)?) } else { None };
                let wanted = WantedLength { length, repeats_region: false };
                let done = length::set_length(session, task.call, landed.clip, wanted, &mut self.lanes)?;
                self.lanes.add_own(done.tiles.iter().copied());
                made.extend(done.tiles);
                details.extend(done.details);
                if let Some(heard) = heard {
                    let meter = model_read::meter(session, landed.clip)?;
                    let named = path_format::path_and_id(session, landed.clip)?;
                    let silenced = heard.silenced_details(session, landed.clip, meter)?;
                    details.extend(silenced.into_iter().map(|said| format!("{named}: {said}")));
                }
            }
            for detail in details {
                add_detail(&mut log.entry, detail);
            }
        }
        Ok(())
    }

    /// The first later copy that goes over all of that one.
    fn covered_by(&self, at: usize) -> Option<usize> {
        let this = &self.layouts.get(at)?.areas;
        let covers = |other: &Layout| this.iter().all(|area| other.areas.iter().any(|other| other.covers(area)));
        let mut later = self.layouts.iter().enumerate().skip(at + 1).filter(|_| !this.is_empty());
        later.find(|(_, other)| covers(other)).map(|(by, _)| by)
    }
}

impl CopyKind for SceneLayouts {
    fn look_up(
        &mut self,
        session: &dyn Session,
        call: &mut CallContext,
        batch: &Batch,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Candidate>, ToolError> {
        self.transforms.tell_drawn(call.dry_run);
        if !self.transforms.is_empty() {
            self.transforms.look_up(session, clips_of_copies(session, batch, found)?)?;
        }
        let mut starts: Vec<Result<Beats, String>> = Vec::new();
        for place in &self.destinations {
            starts.push(match &place.read {
                Ok(moment) => or_detail(path_resolve::resolve_moment(session, moment))?,
                Err(why) => Err(why.text.clone()),
            });
        }
        let lengths = self.lengths.as_ref().map(|lengths| lengths.in_song(session)).transpose()?;
        let mut paths: Vec<String> = Vec::new();
        for (start, place) in starts.iter().zip(&self.destinations) {
            paths.push(match start {
                Ok(start) => format!("[{}]", lane::position_text(session, *start)?),
                Err(_) => place.spelling.clone(),
            });
        }
        let mut trial = (0, self.transforms.trial_draws());
        for (at, copy) in batch.copies.iter().enumerate() {
            let start = |to: usize| starts.get(to).and_then(|start| start.as_ref().ok()).copied();
            let place = copy.destination.and_then(|to| start(to).zip(paths.get(to)));
            let Some((start, path)) = place else {
                self.layouts.push(Layout::default());
                continue;
            };
            let length = lengths.as_ref().and_then(|lengths| lengths.get(at)).copied();
            let clips = match found.get(copy.source) {
                Some(Ok(scene)) => scene_clips(session, *scene, start, length)?,
                _ => Vec::new(),
            };
            let mut areas = Vec::new();
            for one in clips.iter().filter(|one| one.refused.is_none()) {
                if self.transforms.takes_inner(session, one.clip, (&one.to, one.length), &mut trial)? {
                    areas.push(Area::of(&one.to, one.covers));
                }
            }
            self.layouts.push(Layout { start: Some(start), path: path.clone(), clips, areas, made: Vec::new() });
        }
        self.check_tiles(session)?;
        let mut candidates = batch.candidates(found, |to| paths.get(to).cloned());
        for (candidate, copy) in candidates.iter_mut().zip(&batch.copies) {
            if let (Ok(_), Some(Err(why))) = (&candidate.source, copy.destination.and_then(|to| starts.get(to))) {
                candidate.source = Err(why.clone());
            }
        }
        Ok(candidates)
    }

    fn replaced_by(&self, at: usize, is_late: bool) -> Option<usize> {
        // Out of time, the copy itself is to be sent again.
        if is_late { None } else { self.covered_by(at) }
    }

    fn copy(&mut self, session: &mut dyn Session, task: &CopyTask, log: &mut WriteLog) -> Result<(), ToolError> {
        let nowhere = || ToolError::new("toPath names no position for this copy");
        let layout = self.layouts.get(task.at).filter(|layout| layout.start.is_some()).ok_or_else(nowhere)?;
        let clips = layout.clips.clone();
        let is_empty = clips.is_empty();
        for SceneClip { clip, to, length, .. } in clips.iter().filter(|one| one.refused.is_none()) {
            to.check_fits(session, *clip, *length)?;
        }
        log.entry.insert("path".to_owned(), json!(layout.path));
        let mut made = Vec::new();
        self.lanes.begin(task.at);
        let outcome = self.lay_out(session, task, clips, &mut made, log);
        let made = model_read::filter(made, |clip| model_read::is_there(session, clip))?;
        log.entry.insert("clips".to_owned(), self.transforms.list(session, &made)?);
        if is_empty && outcome.is_ok() {
            log.record_unchanged("the scene holds no clips");
        }
        if is_empty || !made.is_empty() {
            self.transforms.tell_if_unreached(&made, &mut log.entry);
        }
        if let Some(layout) = self.layouts.get_mut(task.at) {
            layout.made = made;
        }
        outcome
    }

    fn report(&self, session: &dyn Session, results: &mut [CopyResult]) -> Result<(), ToolError> {
        let is_written = |one: &CopyResult| matches!(one.entry, TargetResult::Written(_));
        let written: Vec<bool> = results.iter().map(is_written).collect();
        for (at, (layout, result)) in self.layouts.iter().zip(results).enumerate() {
            let later = self.layouts.iter().zip(&written).skip(at + 1);
            let over = later.filter(|(other, written)| **written && layout.meets(other));
            let by: Vec<&str> = over.map(|(other, _)| other.path.as_str()).collect();
            let TargetResult::Written(entry) = &mut result.entry else { continue };
            self.lanes.report(session, at, entry)?;
            let left = model_read::filter(layout.made.iter().copied(), |clip| model_read::is_there(session, clip))?;
            if by.is_empty() {
                continue;
            }
            let what = if left.len() == layout.made.len() { "shortened" } else { "partly overwritten" };
            entry.insert("clips".to_owned(), self.transforms.list(session, &left)?);
            add_detail(entry, format!("{what} by what is named later in this call: {}", by.join(", ")));
        }
        Ok(())
    }
}

impl Layout {
    /// Whether two copies have a place in common.
    fn meets(&self, other: &Layout) -> bool {
        self.areas.iter().any(|area| other.areas.iter().any(|other| other.meets(area)))
    }
}

/// A clip of a scene that is laid out.
#[derive(Clone)]
struct SceneClip {
    clip: ObjectId,
    to: ClipPlace,
    /// Why it cannot go there.
    refused: Option<String>,
    /// How much it is to cover: what was asked for; else a loop is repeated as long as the longest clip of the scene.
    length: Option<Beats>,
    /// How much it will cover.
    covers: Beats,
}

fn scene_clips(
    session: &dyn Session,
    scene: ObjectId,
    at: Beats,
    asked: Option<Beats>,
) -> Result<Vec<SceneClip>, ToolError> {
    let mut clips = Vec::new();
    let mut longest: Beats = 0.0;
    for (slot, clip) in filled_slots(session, scene)? {
        let Some(to) = own_track(session, slot, at)? else { continue };
        let refused = or_detail(to.check(session, clip))?.err();
        let covers = match asked {
            Some(length) => length,
            None if refused.is_none() => place::clip_length(session, clip)?,
            None => 0.0,
        };
        longest = longest.max(covers);
        clips.push(SceneClip { clip, to, refused, length: asked, covers });
    }
    for one in clips.iter_mut().filter(|one| one.refused.is_none() && longest - one.covers > SAME_POSITION_BEATS) {
        if model_read::flag(session, one.clip, "looping")? {
            (one.length, one.covers) = (Some(longest), longest);
        }
    }
    Ok(clips)
}

/// The place at that moment on the track of a slot.
fn own_track(session: &dyn Session, slot: ObjectId, at: Beats) -> Result<Option<ClipPlace>, ModelError> {
    let track = place::track_index(session, slot)?;
    Ok(track.map(|track| ClipPlace::Timeline { lane: LanePath { track, take_lane: None }, at }))
}
