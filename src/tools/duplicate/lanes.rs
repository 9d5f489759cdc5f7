//! The clips of a track or take lane, copied onto a lane: each at its own place.

use super::{Args, Made, Plan, clip_list};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{self, flag, number};
use crate::tools::address::path::{LanePath, Path, TrackPath};
use crate::tools::address::path_format;
use crate::tools::address::path_parse;
use crate::tools::arguments::action_params::sent;
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{self, TargetResult, add_detail};
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::copy;
use crate::tools::timeline::place::ClipPlace;
use crate::tools::timeline::take_lanes;
use serde_json::json;
use std::collections::HashMap;

pub struct Lanes {
    to: Vec<To>,
    lane_name: Option<String>,
}

/// A lane, as the caller named it.
struct To {
    spelling: String,
    track: usize,
    lane: Lane,
}

#[derive(Clone, Copy, PartialEq)]
enum Lane {
    Main,
    At(usize),
    New,
}

impl Lanes {
    pub fn read(args: &Args, places: Vec<String>) -> Result<Lanes, ToolError> {
        let extras = [
            ("count", args.count.is_some_and(|count| count > 1)),
            ("withoutClips", args.without_clips.is_some()),
            ("withoutDevices", args.without_devices.is_some()),
            ("routeToSource", args.route_to_source.is_some()),
        ];
        let extras: Vec<&str> = extras.into_iter().filter_map(|(name, sent)| sent.then_some(name)).collect();
        if !extras.is_empty() {
            return Err(ToolError::new(format!(
                "{} belongs to a copy of a whole track; toPath copies the clips of a track or lane onto a lane",
                extras.join(", ")
            )));
        }
        let mut to = Vec::new();
        for spelling in places {
            let (track, lane) = match path_parse::parse(&spelling).map_err(|e| ToolError::about("toPath", e))? {
                Path::Lane { track, lane } => (track, Lane::At(lane)),
                Path::NewLane { track } => (track, Lane::New),
                Path::Track(TrackPath::Regular(track)) => (track, Lane::Main),
                _ => {
                    return Err(ToolError::about(
                        "toPath",
                        format!(
                            "{spelling}: a track's clips go to a take lane (t2/l0, t2/l+), a lane's also to a track (t2); \
                         without toPath the copy of a track stands behind it"
                        ),
                    ));
                }
            };
            to.push(To { spelling, track, lane });
        }
        let lane_name = args.take_lane_name.clone().filter(|name| sent(Some(name)));
        Ok(Lanes { to, lane_name })
    }

    pub fn run(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        plan: &Plan,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Made>, ToolError> {
        // What each copy comes down to, all looked up before a lane is made.
        let mut lanes: HashMap<ObjectId, usize> = HashMap::new();
        let mut ready = Vec::new();
        for (source, place) in &plan.copies {
            let Some(to) = place.and_then(|at| self.to.get(at)) else { continue };
            ready.push(match found.get(*source) {
                Some(Ok(id)) => look(session, *id, to, &mut lanes)?
                    .map_err(|why| Made::from(TargetResult::skip("path", &to.spelling, why))),
                Some(Err(why)) => Err(plan.no_source(*source, why)),
                None => continue,
            });
        }
        let mut all = Vec::new();
        for (at, ready) in ready.into_iter().enumerate() {
            let spelling = plan.copies.get(at).and_then(|(_, to)| self.to.get((*to)?)).map_or("", |to| &to.spelling);
            all.push(match ready {
                Err(made) => made,
                Ok(_) if call.is_late() => Made::from(TargetResult::skip("path", spelling, target_result::NOT_REACHED)),
                Ok((from, track, lane)) => match self.copy(session, call, plan, at, from, track, lane) {
                    Ok(entry) => Made::from(entry),
                    Err(error) => Made::from(TargetResult::skip("path", spelling, error.text)),
                },
            });
        }
        Ok(all)
    }

    #[expect(clippy::too_many_arguments, reason = "one copy from here to there, in one call")]
    fn copy(
        &self,
        session: &mut dyn Session,
        call: &CallContext,
        plan: &Plan,
        at: usize,
        from: ObjectId,
        track: ObjectId,
        lane: Option<usize>,
    ) -> Result<TargetResult, ToolError> {
        let (onto, created) = match lane {
            Some(lane) => take_lanes::make_up_to(session, track, lane)?,
            None => (track, None),
        };
        let mut steps = WriteLog::on(session, onto)?;
        if let Some(created) = created {
            steps.record(format!("take lane {created}"), Ok::<_, ToolError>(()))?;
            steps.entry.insert("created".to_owned(), json!(created));
        }
        let mut copies = Vec::new();
        let outcome = self.copy_clips(session, call, from, onto, lane, &mut copies, &mut steps);
        let outcome = outcome.and_then(|()| match (lane, &self.lane_name) {
            (Some(_), Some(name)) if plan.dress.names.is_none() => {
                steps.record("name", session.set(onto, "name", name.as_str().into()))
            }
            (Some(_), _) => plan.dress.write_name(session, onto, at, &mut steps),
            (None, _) => Ok(()),
        });
        if plan.dress.colors.is_some() {
            steps.refuse("color ignored: only clips were copied, onto a lane");
        }
        if lane.is_none() && plan.dress.names.is_some() {
            steps.refuse("name ignored: the track keeps its own; only clips were copied");
        }
        let copies = model_read::filter(copies, |clip| model_read::is_there(session, clip))?;
        steps.entry.insert("clips".to_owned(), clip_list(session, &copies)?);
        if copies.is_empty() && outcome.is_ok() {
            steps.idle("the lane holds no clips to copy");
        }
        Ok(TargetResult::Written(steps.end(outcome)?))
    }

    #[expect(clippy::too_many_arguments, reason = "as above")]
    fn copy_clips(
        &self,
        session: &mut dyn Session,
        call: &CallContext,
        from: ObjectId,
        onto: ObjectId,
        lane: Option<usize>,
        copies: &mut Vec<ObjectId>,
        steps: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let track = match lane {
            Some(_) => model_read::child(session, onto, "canonical_parent")?.unwrap_or(onto),
            None => onto,
        };
        let track = path_format::tool_path(session, track)?.and_then(|path| path.strip_prefix('t')?.parse().ok());
        let track: usize = track.ok_or_else(|| ToolError::new("the lane has no place"))?;
        let clips = model_read::children(session, from, "arrangement_clips")?;
        let mut said: Vec<String> = Vec::new();
        for clip in clips {
            if call.is_late() {
                said.push("the time ran out; the later clips were not copied".to_owned());
                break;
            }
            let to = ClipPlace::Timeline {
                lane: LanePath { track, take_lane: lane },
                at: number(session, clip, "start_time")?,
            };
            let landed = steps.record("some clips", copy::copy(session, clip, &to, copies))?;
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
            add_detail(&mut steps.entry, once.join("; "));
        }
        Ok(())
    }
}

/// The lane to copy from, the track to copy onto, and the take lane there. A lane too many refuses the call, before any is
/// made; the inner error is this copy's alone.
#[expect(clippy::type_complexity, reason = "two kinds of refusal around three plain things")]
fn look(
    session: &dyn Session,
    from: ObjectId,
    to: &To,
    lanes: &mut HashMap<ObjectId, usize>,
) -> Result<Result<(ObjectId, ObjectId, Option<usize>), String>, ToolError> {
    let track = match target_result::or_detail(model_read::track(session, TrackPath::Regular(to.track)))? {
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
        Lane::Main => return Ok(Ok((from, track, None))),
        Lane::At(at) => at,
        Lane::New => *planned,
    };
    match take_lanes::refusal(session, track, lane)? {
        Some(why) if !plain(track)? => return Ok(Err(why)),
        Some(why) => return Err(ToolError::about("toPath", format!("{}: {why}", to.spelling))),
        None => {}
    }
    if session.child_at(track, "take_lanes", lane)? == Some(from) {
        return Ok(Err(format!("{}: a lane cannot be copied onto itself", to.spelling)));
    }
    *planned = (*planned).max(lane.saturating_add(1));
    Ok(Ok((from, track, Some(lane))))
}
