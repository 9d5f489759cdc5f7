//! `svc-duplicate`: copies of tracks, take lanes, scenes, clips, devices, chains and drum pads.
//!
//! `name`, `color`, `arrangementLength` and `clip.index` count over every copy of every source. A source that is not there is a
//! skip in the place of each of its copies.

mod clips;
mod lanes;
mod lengths;
mod old;
mod racks;
mod scenes;
mod tracks;

use super::create_clip::SEED_ABOUT;
use super::delete::{TYPES, wanted};
use crate::music::text::counted;
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::model_read;
use crate::tools::address::path_format;
use crate::tools::address::targets::{self, Target, TargetKind};
use crate::tools::aliases::fold::{IDS, PATHS};
use crate::tools::arguments::action_params::{ParamScope, refuse_out_of_scope, sent};
use crate::tools::arguments::values::Color;
use crate::tools::arguments::{lists, values};
use crate::tools::call::{CallContext, arguments, prepared};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{self, TargetResult};
use crate::tools::report::write_log::WriteLog;
use crate::tools::tool::{Kind, Param, Tool};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::HashSet;

pub static TOOL: Tool = Tool {
    name: "svc-duplicate",
    title: "Duplicate",
    read_only: false,
    destructive: true,
    description: |_| {
        "Copies tracks, scenes, clips, devices, chains or drum pads. A track or scene goes right behind its source, later ones \
         move up; a clip onto others overwrites them, which is told."
            .to_owned()
    },
    params: &[
        Param::new("type", Kind::Choice(TYPES), "kind of every source").required(),
        Param::new("id", Kind::Text, "source id(s), comma-separated"),
        Param::new("path", Kind::Text, "source path(s), comma-separated"),
        Param::new(
            "toPath",
            Kind::Text,
            "place(s), one a copy. clip: t0/s1, t2[5|1], t2/l0[5|1], [5|1] (own lane), t2 (own time). scene: [5|1], into the \
             arrangement. track: lane t2/l0 or t2/l+ for its clips. device: t1, t1/d0, t1/d0/c0. chain: rack t1/d0. drum-pad: \
             t0/d0/pD1",
        ),
        Param::new("count", Kind::IntegerIn(1, 1000), "copies of each source; tracks and scenes")
            .hidden_in_small_model(),
        Param::new("name", Kind::Text, "name(s), over all copies"),
        Param::new("color", Kind::Text, "#RRGGBB"),
        Param::new("withoutClips", Kind::Boolean, "tracks and scenes").hidden_in_small_model(),
        Param::new("withoutDevices", Kind::Boolean, "tracks").hidden_in_small_model(),
        Param::new("routeToSource", Kind::Boolean, "tracks: an empty copy that plays the source's instrument")
            .hidden_in_small_model(),
        Param::new(
            "arrangementLength",
            Kind::Text,
            "how much timeline a copied clip covers, such as 8bar: cut or tiled",
        ),
        Param::new("transforms", Kind::Text, "clips: transform lines for each copy; clip.index counts them")
            .hidden_in_small_model(),
        Param::new("seed", Kind::Integer, SEED_ABOUT).hidden_in_small_model(),
    ],
    hidden: &[IDS, PATHS, old::COPIED_TO, old::LANE_NAME],
    withheld_in_small_model: false,
    reads_files: |_| false,
    prepare: |map, _| {
        let plan = Plan::read(arguments(map)?)?;
        Ok(prepared(move |session, call| plan.run(session, call)))
    },
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    #[serde(rename = "type")]
    kind: String,
    id: Option<String>,
    path: Option<String>,
    to_path: Option<String>,
    count: Option<i64>,
    name: Option<String>,
    color: Option<String>,
    without_clips: Option<bool>,
    without_devices: Option<bool>,
    route_to_source: Option<bool>,
    arrangement_length: Option<String>,
    transforms: Option<String>,
    seed: Option<i64>,
    take_lane_name: Option<String>,
    /// Beside a track: it keeps its clips' times.
    arrangement_start: Option<String>,
    locator: Option<String>,
}

/// Copies that one call makes of clips, devices and the like at most; tracks and scenes have their own limits.
const MAX_COPIES: usize = 1000;

/// What a call asks for.
struct Plan {
    sources: Vec<Target>,
    wanted: TargetKind,
    /// Of each copy: the place of its source, and of its destination where it has one.
    copies: Vec<(usize, Option<usize>)>,
    dress: Dress,
    warnings: Vec<String>,
    work: Work,
}

enum Work {
    Tracks(tracks::Tracks),
    Lanes(lanes::Lanes),
    Scenes(scenes::Scenes),
    Timeline(scenes::Timeline),
    Clips(Box<clips::Clips>),
    Devices(racks::Devices),
    Chains(racks::Chains),
    Pads(racks::Pads),
}

/// Names and colours, over all copies.
struct Dress {
    names: Option<lists::ValueList>,
    colors: Option<Vec<Color>>,
}

impl Dress {
    fn write(&self, session: &mut dyn Session, id: ObjectId, at: usize, steps: &mut WriteLog) -> Result<(), ToolError> {
        self.write_name(session, id, at, steps)?;
        if let Some(color) = self.color(at) {
            steps.color(session, id, color)?;
        }
        Ok(())
    }

    fn write_name(
        &self,
        session: &mut dyn Session,
        id: ObjectId,
        at: usize,
        steps: &mut WriteLog,
    ) -> Result<(), ToolError> {
        match &self.names {
            Some(names) => steps.record("name", session.set(id, "name", names.at(at).into())),
            None => Ok(()),
        }
    }

    fn color(&self, at: usize) -> Option<Color> {
        self.colors.as_ref()?.get(at).copied()
    }
}

impl Plan {
    fn read(args: Args) -> Result<Plan, ToolError> {
        let kind = args.kind.as_str();
        let is_sent = |text: &Option<String>| sent(text.as_ref());
        let to_path = args.to_path.clone().filter(|to| sent(Some(to)));
        refuse_out_of_scope(
            "type",
            Some(kind),
            &[
                ParamScope {
                    parameter: "count",
                    sent: args.count.is_some_and(|count| count > 1),
                    to: &["track", "scene"],
                },
                ParamScope {
                    parameter: "withoutClips",
                    sent: args.without_clips == Some(true),
                    to: &["track", "scene"],
                },
                ParamScope { parameter: "withoutDevices", sent: args.without_devices == Some(true), to: &["track"] },
                ParamScope { parameter: "routeToSource", sent: args.route_to_source == Some(true), to: &["track"] },
                ParamScope { parameter: "transforms", sent: is_sent(&args.transforms), to: &["clip"] },
                ParamScope { parameter: "seed", sent: args.seed.is_some(), to: &["clip"] },
                ParamScope { parameter: "takeLaneName", sent: is_sent(&args.take_lane_name), to: &["clip", "track"] },
                ParamScope {
                    parameter: "arrangementLength",
                    sent: is_sent(&args.arrangement_length),
                    to: &["clip", "scene"],
                },
            ],
        )?;
        let wanted = if kind == "track" { TargetKind::Lane } else { wanted(kind) };
        let sources = targets::read_any(wanted, args.id.as_ref(), args.path.as_ref())?;
        let places = to_path.as_ref().map(|to| lists::split_targets("toPath", to)).transpose()?.unwrap_or_default();
        let mut warnings: Vec<String> = sources.iter().filter_map(|source| source.warning.clone()).collect();
        let mut count = usize::try_from(args.count.unwrap_or(1)).unwrap_or(1);
        if count > 1 && !places.is_empty() {
            if places.len() > 1 {
                return Err(ToolError::new(
                    "count and a list in toPath both say how many; name one place for each copy",
                ));
            }
            warnings.push("count ignored: toPath says where, and each place gets one copy".to_owned());
            count = 1;
        }
        if kind == "track" && (is_sent(&args.arrangement_start) || is_sent(&args.locator)) {
            warnings.push("arrangementStart, locator ignored: the clips of a copied track keep their times".to_owned());
        }
        let shared = matches!(places.as_slice(), [one] if kind == "clip" && clips::is_shared(one)?);
        let copies = pair(sources.len(), places.len(), count, shared)?;
        let total = copies.len();
        if total > MAX_COPIES {
            return Err(ToolError::new(format!("that makes {total} copies; one call makes at most {MAX_COPIES}")));
        }
        let dress = Dress {
            names: lists::spread("name", args.name.as_ref(), total)?,
            colors: values::colors(args.color.as_ref(), total)?,
        };
        let work = match kind {
            "track" if places.is_empty() => Work::Tracks(tracks::Tracks::read(&args, count, total, &mut warnings)?),
            "track" => Work::Lanes(lanes::Lanes::read(&args, places)?),
            "scene" if places.is_empty() => Work::Scenes(scenes::Scenes::read(&args, count, &mut warnings)),
            "scene" => Work::Timeline(scenes::Timeline::read(&args, places, total)?),
            "device" => Work::Devices(racks::Devices::read(places)?),
            "chain" => Work::Chains(racks::Chains::read(places)?),
            "drum-pad" => Work::Pads(racks::Pads::read(places)?),
            _ => Work::Clips(Box::new(clips::Clips::read(&args, places, total, &mut warnings)?)),
        };
        Ok(Plan { sources, wanted, copies, dress, warnings, work })
    }

    fn run(&self, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
        let mut warning = None;
        let is_pads = matches!(self.work, Work::Pads(_));
        let found: Vec<Result<ObjectId, String>> = self
            .sources
            .iter()
            .map(|source| {
                target_result::or_detail(if is_pads {
                    racks::find_pad(session, source)
                } else {
                    source.find_with_warning(session, self.wanted, &mut warning)
                })
            })
            .collect::<Result<_, _>>()?;
        if let (None, Work::Devices(work)) = (&warning, &self.work) {
            warning = work.told(session)?;
        }
        let mut made = match &self.work {
            Work::Tracks(work) => work.run(session, call, self, &found)?,
            Work::Lanes(work) => work.run(session, call, self, &found)?,
            Work::Scenes(work) => work.run(session, call, self, &found)?,
            Work::Timeline(work) => work.run(session, call, self, &found)?,
            Work::Clips(work) => work.run(session, call, self, &found)?,
            Work::Devices(work) => work.run(session, call, self, &found)?,
            Work::Chains(work) => work.run(session, call, self, &found)?,
            Work::Pads(work) => work.run(session, call, self, &found)?,
        };
        call.warnings.extend(self.warnings.iter().cloned().chain(warning));
        for entry in made.iter_mut().flat_map(|made| std::iter::once(&mut made.entry).chain(&mut made.more)) {
            if let TargetResult::Written(map) = entry {
                refresh(session, map)?;
            }
        }
        answer(made)
    }

    /// Makes the copies one by one: the entry of each, or a skip with the spelling of its place. `copy` gets the number of the
    /// copy, its source and the number of its place.
    fn each(
        &self,
        session: &mut dyn Session,
        call: &CallContext,
        found: &[Result<ObjectId, String>],
        spelling: impl Fn(usize) -> Option<String>,
        mut copy: impl FnMut(&mut dyn Session, usize, ObjectId, Option<usize>) -> Result<TargetResult, ToolError>,
    ) -> Result<Vec<Made>, ModelError> {
        let mut all = Vec::new();
        for (at, (source, to)) in self.copies.iter().enumerate() {
            let id = match found.get(*source) {
                Some(Ok(id)) => *id,
                Some(Err(why)) => {
                    all.push(self.no_source(*source, why));
                    continue;
                }
                None => continue,
            };
            let made = if call.is_late() {
                Err(target_result::NOT_REACHED.to_owned())
            } else {
                copy(session, at, id, *to).map_err(|e| e.text)
            };
            all.push(match (made, to.and_then(&spelling)) {
                (Ok(entry), _) => Made::from(entry),
                (Err(why), Some(place)) => Made::from(TargetResult::skip("path", place, why)),
                (Err(why), None) => self.no_source(*source, &why),
            });
        }
        Ok(all)
    }

    /// The skip of a copy whose source is not there.
    fn no_source(&self, source: usize, why: &str) -> Made {
        let (key, spelling) = self.sources.get(source).map_or(("path", ""), |s| (s.key, s.spelling.as_str()));
        Made::from(TargetResult::skip(key, spelling, why))
    }
}

/// What came of one copy: its entry, and those of what came with it.
struct Made {
    entry: TargetResult,
    more: Vec<TargetResult>,
}

impl From<TargetResult> for Made {
    fn from(entry: TargetResult) -> Made {
        Made { entry, more: Vec::new() }
    }
}

/// Every copy is at its final place only now.
fn refresh(session: &dyn Session, map: &mut Map<String, Value>) -> Result<(), ModelError> {
    let id_of = |map: &Map<String, Value>| map.get("id")?.as_str()?.parse().ok().map(ObjectId);
    let clips = map.get("clips").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
    let ids: Vec<ObjectId> = clips.chain([&*map]).filter_map(id_of).collect();
    let parts = || Ok(path_format::parts(&ids));
    model_read::through_snapshot(session, &parts, |session| refresh_from(session, map))
}

fn refresh_from(session: &dyn Session, map: &mut Map<String, Value>) -> Result<(), ModelError> {
    let path_of = |map: &Map<String, Value>| {
        let id = map.get("id").and_then(Value::as_str).and_then(|id| id.parse().ok()).map(ObjectId);
        id.map_or(Ok(None), |id| path_format::tool_path(session, id))
    };
    if let Some(path) = path_of(map)? {
        map.insert("path".to_owned(), json!(path));
    }
    for clip in
        map.get_mut("clips").and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
    {
        if let Some(path) = path_of(clip)? {
            clip.insert("path".to_owned(), json!(path));
        }
    }
    Ok(())
}

fn answer(made: Vec<Made>) -> Result<Value, ToolError> {
    let lone = made.len() == 1 && made.iter().all(|one| one.more.is_empty());
    let (entries, more): (Vec<TargetResult>, Vec<Vec<TargetResult>>) =
        made.into_iter().map(|one| (one.entry, one.more)).unzip();
    if lone {
        return target_result::answer(entries);
    }
    let all = target_result::values(entries).into_iter().zip(more);
    Ok(Value::Array(all.flat_map(|(entry, more)| std::iter::once(entry).chain(target_result::values(more))).collect()))
}

/// Which source goes to which place. A place takes one copy; only one that leaves the time or the lane open serves several.
fn pair(sources: usize, places: usize, count: usize, shared: bool) -> Result<Vec<(usize, Option<usize>)>, ToolError> {
    match (sources, places) {
        (sources, 0) => Ok((0..sources).flat_map(|source| std::iter::repeat_n((source, None), count)).collect()),
        (1, places) => Ok((0..places).map(|place| (0, Some(place))).collect()),
        (sources, 1) if shared => Ok((0..sources).map(|source| (source, Some(0))).collect()),
        (sources, places) if sources == places => Ok((0..sources).map(|at| (at, Some(at))).collect()),
        _ => Err(ToolError::new(format!(
            "toPath names {} for {}; name one for each, as a place takes one copy",
            counted(places, "place"),
            counted(sources, "source")
        ))),
    }
}

/// `[{id, path}]` of clips.
fn clip_list(session: &dyn Session, clips: &[ObjectId]) -> Result<Value, ModelError> {
    Ok(path_format::ids_and_paths(session, clips)?.into_iter().map(Value::Object).collect())
}

/// Makes that many copies of one object, in the order in which they stand: each one stands right behind the source, before those
/// made earlier. The text says why the missing ones are.
fn copies<T>(call: &CallContext, count: usize, mut copy: impl FnMut() -> Result<T, ToolError>) -> (Vec<T>, String) {
    let mut copies = Vec::new();
    let mut failed = target_result::NOT_REACHED.to_owned();
    for _ in 0..count {
        if call.is_late() {
            break;
        }
        match copy() {
            Ok(copy) => copies.push(copy),
            Err(error) => {
                failed = error.text;
                break;
            }
        }
    }
    copies.reverse();
    (copies, failed)
}

/// Copies a track or scene, and gives what is in the Song's list after and was not before, in order.
fn copied(
    session: &mut dyn Session,
    song: ObjectId,
    list: &'static str,
    function: &str,
    source: ObjectId,
) -> Result<Vec<ObjectId>, ToolError> {
    let before = model_read::children(session, song, list)?;
    let at = before.iter().position(|other| *other == source).ok_or_else(|| ToolError::new("the source is gone"))?;
    session.call(song, function, &[Model::Int(i64::try_from(at).unwrap_or(-1))])?;
    let before: HashSet<ObjectId> = before.into_iter().collect();
    let now = model_read::children(session, song, list)?;
    Ok(now.into_iter().filter(|object| !before.contains(object)).collect())
}
