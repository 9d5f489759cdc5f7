//! Copies of scenes: in the Session, right below their source, or laid out in the Arrangement.

use super::clips;
use super::lengths::Lengths;
use super::{Args, Made, Plan, clip_list, copied, copies};
use crate::music::Beats;
use crate::object_model::scope::{Part, Shape};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, count};
use crate::tools::address::path::{LanePath, Moment, Path};
use crate::tools::address::path_format;
use crate::tools::address::path_parse;
use crate::tools::address::path_resolve;
use crate::tools::arguments::action_params::sent;
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use crate::tools::read::scene_fields;
use crate::tools::report::target_result::{TargetResult, add_detail, or_detail};
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::lane;
use crate::tools::timeline::length::{self, PendingRegion};
use crate::tools::timeline::order::Area;
use crate::tools::timeline::place::{self, ClipPlace, MAX_SCENES};
use serde_json::json;

pub struct Scenes {
    count: usize,
    without_clips: bool,
}

impl Scenes {
    pub fn read(args: &Args, count: usize, warnings: &mut Vec<String>) -> Scenes {
        if sent(args.arrangement_length.as_ref()) {
            warnings.push("arrangementLength ignored: copies in the session have no length on the timeline".to_owned());
        }
        Scenes { count, without_clips: args.without_clips == Some(true) }
    }

    pub fn run(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        plan: &Plan,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Made>, ToolError> {
        let song = model_read::song(session)?;
        let there = count(session, song, "scenes")?;
        let wanted = found.iter().flatten().count().saturating_mul(self.count);
        if there.saturating_add(wanted) > MAX_SCENES {
            return Err(ToolError::new(format!("{there} scenes and {wanted} copies are more than {MAX_SCENES}")));
        }
        let mut all = Vec::new();
        for (source, found) in found.iter().enumerate() {
            let scene = match found {
                Ok(scene) => *scene,
                Err(why) => {
                    all.extend((0..self.count).map(|_| plan.no_source(source, why)));
                    continue;
                }
            };
            let (copies, failed) = copies(call, self.count, || copy(session, song, scene));
            for at in 0..self.count {
                let Some(copy) = copies.get(at).copied() else {
                    all.push(plan.no_source(source, &failed));
                    continue;
                };
                let mut steps = WriteLog::on(session, copy)?;
                steps.record("scene copy", Ok::<_, ToolError>(()))?;
                let outcome = self.dress(session, plan, copy, all.len(), &mut steps);
                all.push(Made::from(TargetResult::Written(steps.end(outcome)?)));
            }
        }
        Ok(all)
    }

    fn dress(
        &self,
        session: &mut dyn Session,
        plan: &Plan,
        scene: ObjectId,
        at: usize,
        steps: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if self.without_clips {
            for (slot, _) in filled_slots(session, scene)? {
                session.call(slot, "delete_clip", &[])?;
            }
        }
        if let Some(names) = &plan.dress.names {
            let name = scene_fields::written_name(session, scene, names.at(at))?;
            steps.record("name", session.set(scene, "name", name.as_str().into()))?;
        }
        if let Some(color) = plan.dress.color(at) {
            steps.color(session, scene, color)?;
        }
        let clips: Vec<ObjectId> = filled_slots(session, scene)?.into_iter().map(|(_, clip)| clip).collect();
        if !clips.is_empty() {
            steps.entry.insert("clips".to_owned(), clip_list(session, &clips)?);
        }
        Ok(())
    }
}

fn copy(session: &mut dyn Session, song: ObjectId, scene: ObjectId) -> Result<ObjectId, ToolError> {
    let new = copied(session, song, "scenes", "duplicate_scene", scene)?;
    new.first().copied().ok_or_else(|| ToolError::new("no copy was made"))
}

/// The slots of a scene that hold a clip, with it, from the first track on.
fn filled_slots(session: &dyn Session, scene: ObjectId) -> Result<Vec<(ObjectId, ObjectId)>, ModelError> {
    let slots = || Shape::default().below("clip_slots", Shape::default().below("clip", Shape::default()));
    model_read::through_snapshot(session, &|| Ok(vec![Part::of_id(scene, slots())]), |session| {
        let mut filled = Vec::new();
        for slot in model_read::children(session, scene, "clip_slots")? {
            filled.extend(session.child_at(slot, "clip", 0)?.map(|clip| (slot, clip)));
        }
        Ok(filled)
    })
}

/// Scenes laid out in the Arrangement: each clip on its own track.
pub struct Timeline {
    /// As spelled, and the moment.
    at: Vec<(String, Moment)>,
    lengths: Option<Lengths>,
}

impl Timeline {
    pub fn read(args: &Args, places: Vec<String>, total: usize) -> Result<Timeline, ToolError> {
        if args.without_clips == Some(true) {
            return Err(ToolError::new(
                "withoutClips leaves nothing to lay out in the arrangement; leave it out, or toPath",
            ));
        }
        let mut at = Vec::new();
        for spelling in places {
            match path_parse::parse(&spelling).map_err(|e| ToolError::about("toPath", e))? {
                Path::Arrangement { lane: None, at: moment } => at.push((spelling, moment)),
                _ => {
                    return Err(ToolError::about(
                        "toPath",
                        format!(
                            "{spelling}: a scene goes to a position, such as [5|1]; without toPath its copy stands below it"
                        ),
                    ));
                }
            }
        }
        Ok(Timeline { at, lengths: Lengths::read(args.arrangement_length.as_ref(), total)? })
    }

    pub fn run(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        plan: &Plan,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Made>, ToolError> {
        let moments: Vec<Beats> =
            self.at.iter().map(|(_, at)| path_resolve::resolve_moment(session, at)).collect::<Result<_, _>>()?;
        let lengths = self.lengths.as_ref().map(|lengths| lengths.in_song(session)).transpose()?;
        let mut tiles = 0usize;
        for ((source, _), beats) in plan.copies.iter().zip(lengths.iter().flatten()) {
            let Some(Ok(scene)) = found.get(*source) else { continue };
            for (_, clip) in filled_slots(session, *scene)? {
                tiles = tiles.saturating_add(length::tiles_of(session, clip, *beats, PendingRegion::default())?);
            }
        }
        length::check_tiles(tiles)?;
        let paths = moments.iter().map(|at| Ok(format!("[{}]", lane::position_text(session, *at)?)));
        let paths: Vec<String> = paths.collect::<Result<_, ModelError>>()?;
        let spelling = |at: usize| paths.get(at).cloned();
        let areas = plan.copies.iter().enumerate().map(|(at, (source, to))| {
            let scene = found.get(*source).and_then(|found| found.as_ref().ok());
            let beats = to.and_then(|to| moments.get(to));
            let length = lengths.as_ref().and_then(|lengths| lengths.get(at)).copied();
            scene.zip(beats).map_or(Ok(Vec::new()), |(scene, beats)| areas(session, *scene, *beats, length))
        });
        let areas: Vec<Vec<Area>> = areas.collect::<Result<_, ToolError>>()?;
        let path_of = |at: usize| plan.copies.get(at).and_then(|(_, to)| paths.get((*to)?)).map_or("", String::as_str);
        let mut own = Vec::new();
        let mut laid: Vec<Vec<ObjectId>> = vec![Vec::new(); plan.copies.len()];
        let mut all = plan.each(session, call, found, spelling, |session, at, scene, to| {
            if let Some(by) = covered_by(&areas, at) {
                return Ok(TargetResult::replaced("path", path_of(at), by, path_of(by)));
            }
            let place = to.and_then(|to| Some((*moments.get(to)?, paths.get(to)?)));
            let (beats, path) = place.ok_or_else(|| ToolError::new("toPath names no position for this copy"))?;
            let length = lengths.as_ref().and_then(|lengths| lengths.get(at)).copied();
            for (slot, clip) in filled_slots(session, scene)? {
                if let Some(to) = own_track(session, slot, beats)?
                    && or_detail(to.check(session, clip))?.is_ok()
                {
                    clips::fits(session, clip, &to, length)?;
                }
            }
            let mut steps = WriteLog::default();
            steps.entry.insert("path".to_owned(), json!(path));
            let mut made = Vec::new();
            let outcome = lay_out(session, call, plan, at, scene, beats, length, &mut own, &mut made, &mut steps);
            let made = model_read::filter(made, |clip| model_read::is_there(session, clip))?;
            steps.entry.insert("clips".to_owned(), clip_list(session, &made)?);
            if made.is_empty() && outcome.is_ok() {
                steps.idle("the scene holds no clips");
            }
            if let Some(laid) = laid.get_mut(at) {
                *laid = made;
            }
            Ok(TargetResult::Written(steps.end(outcome)?))
        })?;
        for (at, laid) in laid.into_iter().enumerate() {
            let by: Vec<&str> = (at + 1..all.len())
                .filter(|by| {
                    matches!(all.get(*by), Some(Made { entry: TargetResult::Written(_), .. })) && meet(&areas, at, *by)
                })
                .map(path_of)
                .collect();
            let Some(Made { entry: TargetResult::Written(entry), .. }) = all.get_mut(at).filter(|_| !by.is_empty())
            else {
                continue;
            };
            let left = model_read::filter(laid.iter().copied(), |clip| model_read::is_there(session, clip))?;
            let what = if left.len() == laid.len() { "shortened" } else { "partly overwritten" };
            entry.insert("clips".to_owned(), clip_list(session, &left)?);
            add_detail(entry, format!("{what} by what is named later in this call: {}", by.join(", ")));
        }
        Ok(all)
    }
}

/// What the clips of a scene cover, laid out from there.
fn areas(session: &dyn Session, scene: ObjectId, beats: Beats, length: Option<Beats>) -> Result<Vec<Area>, ToolError> {
    let mut areas = Vec::new();
    for (slot, clip) in filled_slots(session, scene)? {
        let Some(to) = own_track(session, slot, beats)? else { continue };
        if or_detail(to.check(session, clip))?.is_err() {
            continue;
        }
        let covers = length.map_or_else(|| place::length(session, clip), Ok)?;
        areas.push(Area::of(&to, covers));
    }
    Ok(areas)
}

/// The place at that moment on the track of a slot.
fn own_track(session: &dyn Session, slot: ObjectId, at: Beats) -> Result<Option<ClipPlace>, ModelError> {
    let path = path_format::tool_path(session, slot)?.and_then(|path| path_parse::parse(&path).ok());
    Ok(match path {
        Some(Path::Slot { track, .. }) => Some(ClipPlace::Timeline { lane: LanePath { track, take_lane: None }, at }),
        _ => None,
    })
}

/// The first later copy that goes over all of that one.
fn covered_by(areas: &[Vec<Area>], at: usize) -> Option<usize> {
    let this = areas.get(at).filter(|this| !this.is_empty())?;
    let covers = |other: &Vec<Area>| this.iter().all(|area| other.iter().any(|other| other.covers(area)));
    areas.iter().enumerate().skip(at + 1).find(|(_, other)| covers(other)).map(|(by, _)| by)
}

/// Whether two copies lie on a common place.
fn meet(areas: &[Vec<Area>], one: usize, other: usize) -> bool {
    let (Some(one), Some(other)) = (areas.get(one), areas.get(other)) else { return false };
    one.iter().any(|area| other.iter().any(|other| other.meets(area)))
}

#[expect(clippy::too_many_arguments, reason = "one scene, to one moment, in one call")]
fn lay_out(
    session: &mut dyn Session,
    call: &CallContext,
    plan: &Plan,
    at: usize,
    scene: ObjectId,
    beats: Beats,
    length: Option<Beats>,
    own: &mut Vec<ObjectId>,
    made: &mut Vec<ObjectId>,
    steps: &mut WriteLog,
) -> Result<(), ToolError> {
    for (slot, clip) in filled_slots(session, scene)? {
        if call.is_late() {
            add_detail(&mut steps.entry, "the time ran out; the later tracks' clips were not copied");
            break;
        }
        let Some(to) = own_track(session, slot, beats)? else { continue };
        if let Err(why) = or_detail(to.check(session, clip))? {
            steps.refuse(why);
            continue;
        }
        let landed = steps.record("some clips", clips::copy_to(session, clip, &to, length, own))?;
        own.push(landed.clip);
        made.push(landed.clip);
        let mut details = landed.details;
        if let Some(names) = &plan.dress.names {
            session.set(landed.clip, "name", names.at(at).into())?;
        }
        if let Some(color) = plan.dress.color(at) {
            steps.color(session, landed.clip, color)?;
        }
        if let Some(length) = length {
            let done = length::set_length(session, call, landed.clip, length, own)?;
            own.extend(&done.tiles);
            made.extend(done.tiles);
            details.extend(done.details);
        }
        for detail in details {
            add_detail(&mut steps.entry, detail);
        }
    }
    Ok(())
}
