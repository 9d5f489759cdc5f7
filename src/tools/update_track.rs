//! `svc-update-track`: names, colours, mixer, state and routing of tracks; makes and names take lanes.

use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path::{LanePath, Path};
use crate::tools::address::path_resolve;
use crate::tools::address::target_origin::look_ahead;
use crate::tools::address::targets::{self, Target, TargetKind, TargetName};
use crate::tools::aliases::fold::{IDS, PATHS, TRACK_INDEX};
use crate::tools::arguments::values::Color;
use crate::tools::arguments::{lists, values};
use crate::tools::call::{CallContext, arguments_of, prepared};
use crate::tools::error::ToolError;
use crate::tools::mixer::mixer_strip::StripArgs;
use crate::tools::mixer::routing::{RoutingArgs, Routings};
use crate::tools::mixer::sends::{self, SendArgs, Sends};
use crate::tools::report::write_log::WriteLog;
use crate::tools::report::{target_result, write_targets};
use crate::tools::timeline::take_lanes;
use crate::tools::tool::AliasRule;
use crate::tools::tool::{Param, ParamAlias, ParamKind, Prepare, Tool};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

pub static TOOL: Tool = Tool {
    name: "svc-update-track",
    title: "Update Track",
    read_only: false,
    destructive: true,
    description: |_| {
        "Changes name, colour, mixer, state and routing of tracks. Also makes and names take lanes (t0/l1, t0/l+), which can \
         never be deleted."
            .to_owned()
    },
    params: &[
        Param::new("id", ParamKind::Text, "id(s), with commas"),
        Param::new(
            "path",
            ParamKind::Text,
            "comma-separated: t0, rt0 (return), mt (main), t0/l1 (take lane; made up to there), t0/l+ (a new one)",
        ),
        Param::new("name", ParamKind::Text, "name(s); an empty text goes back to the default name"),
        Param::new("color", ParamKind::Text, "#RRGGBB"),
        Param::new("gainDb", ParamKind::Decibels(6.0), "fader; -70 is silence"),
        Param::new("pan", ParamKind::Pan, "-1 left to 1 right; in stereo mode"),
        Param::new("panningMode", ParamKind::Choice(&["stereo", "split"]), "split pans each side by itself")
            .hidden_in_small_model(),
        Param::new("leftPan", ParamKind::Pan, "split mode").hidden_in_small_model(),
        Param::new("rightPan", ParamKind::Pan, "split mode").hidden_in_small_model(),
        Param::new("mute", ParamKind::Switch, "mute; pairs too: [true,false]"),
        Param::new("solo", ParamKind::Switch, "solo"),
        Param::new("arm", ParamKind::Switch, "record arm"),
        Param::new("inputRoutingType", ParamKind::Text, "name or id, as svc-read-track lists them")
            .hidden_in_small_model(),
        Param::new("inputRoutingChannel", ParamKind::Text, "the same; of the type, which is written first")
            .hidden_in_small_model(),
        Param::new("outputRoutingType", ParamKind::Text, "name or id").hidden_in_small_model(),
        Param::new("outputRoutingChannel", ParamKind::Text, "the same; of the type").hidden_in_small_model(),
        Param::new("monitoringState", ParamKind::Choice(&["in", "auto", "off"]), "input monitoring")
            .hidden_in_small_model(),
        Param::new("sendGainDb", ParamKind::Decibels(0.0), "level of one send; with sendReturn")
            .hidden_in_small_model(),
        Param::new("sendReturn", ParamKind::Text, "id, name, rt0 or letter; with sendGainDb").hidden_in_small_model(),
        Param::new("sends", ParamKind::Wide(sends::schema, sends::full_schema), "several at once")
            .hidden_in_small_model(),
    ],
    aliases: &[
        IDS,
        PATHS,
        TRACK_INDEX,
        old_id("inputRoutingType", &[Param::new("inputRoutingTypeId", ParamKind::Text, "")], |sent| {
            Ok(text(sent, "inputRoutingTypeId"))
        }),
        old_id("inputRoutingChannel", &[Param::new("inputRoutingChannelId", ParamKind::Text, "")], |sent| {
            Ok(text(sent, "inputRoutingChannelId"))
        }),
        old_id("outputRoutingType", &[Param::new("outputRoutingTypeId", ParamKind::Text, "")], |sent| {
            Ok(text(sent, "outputRoutingTypeId"))
        }),
        old_id("outputRoutingChannel", &[Param::new("outputRoutingChannelId", ParamKind::Text, "")], |sent| {
            Ok(text(sent, "outputRoutingChannelId"))
        }),
    ],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| true,
    prepare: Prepare::Alone(|map| {
        let plan = Plan::read(&map)?;
        Ok(prepared(move |session, call| plan.run(session, call)))
    }),
};

const fn old_id(into: &'static str, params: &'static [Param], value: crate::tools::tool::PublishedValue) -> ParamAlias {
    ParamAlias { params, into, rule: AliasRule::Deprecated { value, modifiers: &[] } }
}

fn text(sent: &Map<String, Value>, name: &str) -> Option<String> {
    sent.get(name).and_then(Value::as_str).map(str::to_owned)
}

#[derive(Deserialize)]
struct Args {
    id: Option<String>,
    path: Option<String>,
    name: Option<String>,
    color: Option<String>,
}

struct Plan {
    targets: Vec<Target>,
    names: Option<lists::ValueList>,
    colors: Option<Vec<Color>>,
    strip: StripArgs,
    routings: Routings,
    sends: Option<Sends>,
    /// Of what was sent, what a take lane does not have.
    only_tracks: Vec<&'static str>,
}

/// What a target comes down to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum TrackTarget {
    Object(ObjectId),
    /// A take lane of that index, which may be still to make.
    Lane {
        track: ObjectId,
        at: usize,
    },
}

impl Plan {
    fn read(map: &Map<String, Value>) -> Result<Plan, ToolError> {
        let args: Args = arguments_of(map)?;
        let (sends, strip) = (arguments_of::<SendArgs>(map)?, arguments_of::<StripArgs>(map)?);
        let routing: RoutingArgs = arguments_of(map)?;
        let targets = targets::read(TargetKind::LaneToMake, args.id.as_ref(), args.path.as_ref())?;
        let count = targets.len();
        let sends = sends.read(count)?;
        let routings = Routings::read(&routing, count)?;
        let colors = values::colors(args.color.as_ref(), count)?;
        let strip = strip.spread(count)?;
        let mut only_tracks: Vec<&'static str> = colors.iter().map(|_| "color").collect();
        only_tracks.extend(strip.sent());
        only_tracks.extend(routings.sent());
        only_tracks.extend(sends.iter().flat_map(Sends::sent));
        let names = lists::spread("name", args.name.as_ref(), count)?;
        let makes =
            |target: &Target| matches!(target.named, TargetName::Path(Path::Lane { .. } | Path::NewLane { .. }));
        if names.is_none() && only_tracks.is_empty() && !targets.iter().any(makes) {
            return Err(nothing_to_write());
        }
        Ok(Plan { targets, names, colors, strip, routings, sends, only_tracks })
    }

    fn run(&self, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
        let found = self.find(session)?;
        let mut makes = false;
        for found in found.iter().flatten() {
            if let TrackTarget::Lane { track, at } = found {
                makes |= *at >= model_read::count_if_any(session, *track, "take_lanes")?;
            }
        }
        if self.names.is_none() && self.only_tracks.is_empty() && !makes {
            return Err(nothing_to_write());
        }
        write_targets::write_found(session, call, &self.targets, found, |session, _, at, found| {
            let (id, created) = match found {
                TrackTarget::Object(id) => (id, None),
                TrackTarget::Lane { track, at } => take_lanes::make_up_to(session, track, at)?,
            };
            let mut log = WriteLog::on(session, id)?;
            if let Some(created) = created {
                log.record(format!("take lane {created}"), Ok::<_, ToolError>(()))?;
                log.entry.insert("created".to_owned(), json!(created));
            }
            let outcome = if model_read::class(session, id)? == Some("TakeLane") {
                self.write_lane(session, id, at, &mut log)
            } else {
                self.write_track(session, id, at, &mut log)
            };
            log.end(outcome)
        })
    }

    /// What each target comes down to. A lane too many is its target's fault alone.
    fn find(&self, session: &dyn Session) -> Result<Vec<Result<TrackTarget, String>>, ToolError> {
        // The lanes of a track as they will be when the targets so far are written.
        look_ahead(session, &self.targets)?;
        let mut lanes: HashMap<ObjectId, usize> = HashMap::new();
        let mut all = Vec::new();
        for target in &self.targets {
            let (track, lane) = match target.named {
                TargetName::Path(Path::Lane { track, lane }) => (track, Some(lane)),
                TargetName::Path(Path::NewLane { track }) => (track, None),
                _ => {
                    let found = target_result::or_detail(target.find(session, TargetKind::LaneToMake))?;
                    all.push(found.map(TrackTarget::Object));
                    continue;
                }
            };
            let lane_path = LanePath { track, take_lane: None };
            let track = match target_result::or_detail(path_resolve::lane(session, lane_path))? {
                Ok(track) => track,
                Err(why) => {
                    all.push(Err(why));
                    continue;
                }
            };
            let planned = match lanes.entry(track) {
                Entry::Occupied(planned) => planned.into_mut(),
                Entry::Vacant(first) => first.insert(model_read::count_if_any(session, track, "take_lanes")?),
            };
            let at = lane.unwrap_or(*planned);
            match take_lanes::refusal(session, track, at)? {
                Some(why) => all.push(Err(why)),
                None => {
                    *planned = (*planned).max(at.saturating_add(1));
                    all.push(Ok(TrackTarget::Lane { track, at }));
                }
            }
        }
        // However it was named, a lane that is there is one object.
        let object = |found| match found {
            Ok(TrackTarget::Lane { track, at }) => {
                let there = session.child_at(track, "take_lanes", at)?;
                Ok(Ok(there.map_or(TrackTarget::Lane { track, at }, TrackTarget::Object)))
            }
            other => Ok(other),
        };
        all.into_iter().map(object).collect()
    }

    fn write_lane(
        &self,
        session: &mut dyn Session,
        lane: ObjectId,
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if let Some(names) = &self.names {
            log.name(session, lane, names.at(at))?;
        }
        if !self.only_tracks.is_empty() {
            log.refuse(format!("{} ignored: a take lane has only a name", self.only_tracks.join(", ")));
        }
        Ok(())
    }

    fn write_track(
        &self,
        session: &mut dyn Session,
        track: ObjectId,
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if let Some(names) = &self.names {
            log.name(session, track, names.at(at))?;
        }
        if let Some(color) = self.colors.as_ref().and_then(|colors| colors.get(at)) {
            log.color(session, track, *color)?;
        }
        self.strip.write_levels(session, track, at, log)?;
        self.strip.write_switches(session, track, at, log)?;
        self.routings.write(session, track, at, log)?;
        self.strip.write_monitoring(session, track, log)?;
        match &self.sends {
            Some(levels) => sends::write(session, track, &levels.levels_at(at), log),
            None => Ok(()),
        }
    }
}

fn nothing_to_write() -> ToolError {
    ToolError::nothing_to_write("name, color, gainDb or another value beside the tracks")
}
