//! `svc-update-scene`: names, colours, and scenes' own tempo and meter.

use crate::tools::address::targets::{self, TargetKind};
use crate::tools::aliases::fold::{IDS, PATHS, SCENE_INDEX};
use crate::tools::call::{arguments, prepared};
use crate::tools::error::ToolError;
use crate::tools::report::write_log::WriteLog;
use crate::tools::report::write_targets;
use crate::tools::scene::values::{SceneArgs, SceneValues};
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use serde::Deserialize;

pub static TOOL: Tool = Tool {
    name: "svc-update-scene",
    title: "Update Scene",
    read_only: false,
    destructive: true,
    description: |_| "Renames and colours scenes, and sets the tempo and meter that launching them brings.".to_owned(),
    params: &[
        Param::new("id", ParamKind::Text, "scene id(s), with commas"),
        Param::new("path", ParamKind::Text, "scene path(s), comma-separated: s0"),
        Param::new("name", ParamKind::Text, "name(s); an empty text leaves only the number"),
        Param::new("color", ParamKind::Text, "#RRGGBB"),
        Param::new("tempo", ParamKind::Number, "20 to 999 BPM; -1: none of its own"),
        Param::new("timeSignature", ParamKind::Text, "N/D, such as 7/8; disabled: none of its own"),
    ],
    aliases: &[IDS, PATHS, SCENE_INDEX],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| true,
    prepare: Prepare::Alone(|map| {
        let args: Args = arguments(map)?;
        let targets = targets::read(TargetKind::Scene, args.id.as_ref(), args.path.as_ref())?;
        let values = SceneValues::read(&args.values, targets.len())?;
        if values.is_empty() {
            return Err(ToolError::nothing_to_write("name, color, tempo or timeSignature beside the scenes"));
        }
        Ok(prepared(move |session, call| {
            write_targets::write_each(session, call, &targets, TargetKind::Scene, |session, _, at, scene| {
                let mut log = WriteLog::on(session, scene)?;
                let outcome = values.write(session, scene, at, &mut log);
                log.end(outcome)
            })
        }))
    }),
};

#[derive(Deserialize)]
struct Args {
    id: Option<String>,
    path: Option<String>,
    #[serde(flatten)]
    values: SceneArgs,
}
