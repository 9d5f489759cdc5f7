//! `svc-duplicate`: copies of tracks, take lanes, scenes, clips, devices, chains and drum pads.
//!
//! `name`, `color`, `arrangementLength` and `clip.index` count over every copy of every source. A source that is not
//! there is a skip in the place of each of its copies.

mod chains;
mod clip_transforms;
mod clips;
mod devices;
mod frame;
mod lanes;
mod lengths;
mod pads;
mod scene_layouts;
mod scenes;
mod song_lists;
mod tracks;

use crate::music::text::counted;
use crate::object_model::Session;
use crate::tools::address::targets::{self, OBJECT_TYPES, TargetKind};
use crate::tools::aliases::clip_aliases::ARRANGED_SOURCE;
use crate::tools::aliases::copied_to;
use crate::tools::aliases::fold::{IDS, OBJECT_INDICES, PATHS};
use crate::tools::arguments::action_params::{ParamScope, blank_detail, refuse_out_of_scope, sent};
use crate::tools::arguments::{lists, values};
use crate::tools::call::{CallContext, arguments, prepared};
use crate::tools::clip::transforms::SEED_ABOUT;
use crate::tools::error::ToolError;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use frame::{Batch, CopyKind, CopyRequest, Labels};
use serde::Deserialize;
use serde_json::Value;

pub static TOOL: Tool = Tool {
    name: "svc-duplicate",
    title: "Duplicate",
    read_only: false,
    destructive: true,
    description: |_| {
        "Copies tracks, scenes, clips, devices, chains or drum pads. A track or scene goes right behind its source; a clip \
         onto others overwrites them."
            .to_owned()
    },
    params: &[
        Param::new("type", ParamKind::Choice(OBJECT_TYPES), "kind of every source").required(),
        Param::new("id", ParamKind::Text, "source id(s), with commas"),
        Param::new("path", ParamKind::Text, "source path(s), comma-separated"),
        Param::new(
            "toPath",
            ParamKind::Text,
            "place(s), one a copy. clip: t0/s1, t2[5|1], t2/l0[5|1], [5|1] (own lane), t2 (own time). scene: [5|1] in the \
             arrangement. track: lane t2/l0, t2/l+. device: t1, t1/d0, t1/d0/c0. chain: rack t1/d0. drum-pad: t0/d0/pD1",
        ),
        Param::new("count", ParamKind::IntegerIn(1, 1000), "copies of each source; tracks and scenes")
            .hidden_in_small_model(),
        Param::new("name", ParamKind::Text, "name(s)"),
        Param::new("color", ParamKind::Text, "#RRGGBB"),
        Param::new("withoutClips", ParamKind::Boolean, "tracks and scenes").hidden_in_small_model(),
        Param::new("withoutDevices", ParamKind::Boolean, "tracks").hidden_in_small_model(),
        Param::new("routeToSource", ParamKind::Boolean, "tracks: an empty copy that plays the source's instrument")
            .hidden_in_small_model(),
        Param::new(
            "arrangementLength",
            ParamKind::Text,
            "how much timeline a copied clip covers, such as 8bar: cut or tiled",
        ),
        Param::new(
            "transforms",
            ParamKind::Text,
            "clips, and those in scenes and tracks: transform lines for each copy; clip.index counts them",
        )
        .hidden_in_small_model(),
        Param::new("transformTracks", ParamKind::Text, "scenes: only clips of these tracks, t1,t3")
            .hidden_in_small_model(),
        Param::new("seed", ParamKind::Integer, SEED_ABOUT).hidden_in_small_model(),
    ],
    aliases: &[IDS, PATHS, ARRANGED_SOURCE, OBJECT_INDICES, copied_to::COPIED_TO, copied_to::LANE_NAME],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| false,
    prepare: Prepare::Alone(|map| {
        let plan = Plan::read(arguments(map)?)?;
        Ok(prepared(move |session, call| plan.run(session, call)))
    }),
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
    transform_tracks: Option<String>,
    seed: Option<i64>,
    take_lane_name: Option<String>,
    /// Beside a track: it keeps its clips' times.
    arrangement_start: Option<String>,
    locator: Option<String>,
}

/// Copies that one call makes of clips, devices and the like at most; tracks and scenes have their own limits.
const MAX_COPIES: usize = 1000;

/// A call that was read.
struct Plan {
    batch: Batch,
    kind: Box<dyn CopyKind>,
    warnings: Vec<String>,
}

impl Plan {
    fn read(args: Args) -> Result<Plan, ToolError> {
        refuse_other_types(&args)?;
        let kind = args.kind.as_str();
        let wanted = if kind == "track" { TargetKind::Lane } else { TargetKind::of_type(kind) };
        let sources = targets::read_any(wanted, args.id.as_ref(), args.path.as_ref())?;
        let to_path = args.to_path.as_ref().filter(|to| sent(Some(to)));
        let places = to_path.map(|to| lists::split_targets("toPath", to)).transpose()?.unwrap_or_default();
        let mut warnings: Vec<String> = sources.iter().filter_map(|source| source.warning.clone()).collect();
        let blank = blank_detail(&[
            ("toPath", args.to_path.as_ref()),
            ("arrangementLength", args.arrangement_length.as_ref()),
            ("transforms", args.transforms.as_ref()),
            ("transformTracks", args.transform_tracks.as_ref()),
        ]);
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
        if kind == "track" && (sent(args.arrangement_start.as_ref()) || sent(args.locator.as_ref())) {
            warnings.push("arrangementStart, locator ignored: the clips of a copied track keep their times".to_owned());
        }
        let is_shared = matches!(places.as_slice(), [one] if kind == "clip" && clips::is_shared(one)?);
        let copies = pair(sources.len(), places.len(), count, is_shared)?;
        let total = copies.len();
        if total > MAX_COPIES {
            return Err(ToolError::new(format!("that makes {total} copies; one call makes at most {MAX_COPIES}")));
        }
        let labels = Labels {
            names: lists::spread("name", args.name.as_ref(), total)?,
            colors: values::colors(args.color.as_ref(), total)?,
        };
        let kind: Box<dyn CopyKind> = match kind {
            "track" if places.is_empty() => Box::new(tracks::TrackCopies::read(&args, count, total, &mut warnings)?),
            "track" => Box::new(lanes::LaneCopies::read(&args, places)?),
            "scene" if places.is_empty() => Box::new(scenes::SceneCopies::read(&args, count, &mut warnings)?),
            "scene" => Box::new(scene_layouts::SceneLayouts::read(&args, places, total, &mut warnings)?),
            "device" => Box::new(devices::DeviceCopies::read(places)?),
            "chain" => Box::new(chains::ChainCopies::read(places)?),
            "drum-pad" => Box::new(pads::PadCopies::read(places)?),
            _ => Box::new(clips::ClipCopies::read(&args, places, total, &mut warnings)?),
        };
        Ok(Plan { batch: Batch { sources, wanted, copies, labels, blank }, kind, warnings })
    }

    fn run(mut self, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
        let (answer, warning) = self.batch.run(self.kind.as_mut(), session, call)?;
        call.warnings.extend(self.warnings.into_iter().chain(warning));
        Ok(answer)
    }
}

/// Refuses what only copies of another type read.
fn refuse_other_types(args: &Args) -> Result<(), ToolError> {
    let is_sent = |text: &Option<String>| sent(text.as_ref());
    refuse_out_of_scope(
        "type",
        Some(&args.kind),
        &[
            ParamScope {
                parameter: "count",
                sent: args.count.is_some_and(|count| count > 1),
                read_by: &["track", "scene"],
            },
            ParamScope {
                parameter: "withoutClips",
                sent: args.without_clips == Some(true),
                read_by: &["track", "scene"],
            },
            ParamScope { parameter: "withoutDevices", sent: args.without_devices == Some(true), read_by: &["track"] },
            ParamScope { parameter: "routeToSource", sent: args.route_to_source == Some(true), read_by: &["track"] },
            ParamScope {
                parameter: "transforms",
                sent: is_sent(&args.transforms),
                read_by: &["clip", "scene", "track"],
            },
            ParamScope { parameter: "transformTracks", sent: is_sent(&args.transform_tracks), read_by: &["scene"] },
            ParamScope { parameter: "seed", sent: args.seed.is_some(), read_by: &["clip", "scene", "track"] },
            ParamScope { parameter: "takeLaneName", sent: is_sent(&args.take_lane_name), read_by: &["clip", "track"] },
            ParamScope {
                parameter: "arrangementLength",
                sent: is_sent(&args.arrangement_length),
                read_by: &["clip", "scene"],
            },
        ],
    )
}

/// Which source goes to which place. A place takes one copy; only one that leaves the time or the lane open serves
/// several.
fn pair(sources: usize, places: usize, count: usize, is_shared: bool) -> Result<Vec<CopyRequest>, ToolError> {
    let copy = |source, destination| CopyRequest { source, destination };
    match (sources, places) {
        (sources, 0) => Ok((0..sources).flat_map(|source| (0..count).map(move |_| copy(source, None))).collect()),
        (1, places) => Ok((0..places).map(|place| copy(0, Some(place))).collect()),
        (sources, 1) if is_shared => Ok((0..sources).map(|source| copy(source, Some(0))).collect()),
        (sources, places) if sources == places => Ok((0..sources).map(|at| copy(at, Some(at))).collect()),
        _ => Err(ToolError::new(format!(
            "toPath names {} for {}; name one for each, as a place takes one copy",
            counted(places, "place"),
            counted(sources, "source")
        ))),
    }
}
