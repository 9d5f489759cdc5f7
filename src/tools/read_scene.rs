//! `svc-read-scene`: one or more scenes in detail.

use crate::tools::address::targets::TargetKind;
use crate::tools::aliases::fold::{PATHS, SCENE_IDS, SCENE_INDEX};
use crate::tools::call::arguments;
use crate::tools::read::read_call::{self, ReadArgs};
use crate::tools::read::scene_fields::{self, SceneInclude};
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};

pub static TOOL: Tool = Tool {
    name: "svc-read-scene",
    title: "Read Scene",
    read_only: true,
    destructive: false,
    description: |_| "Reads scenes; include adds their clips. A name is shown with the scene's number.".to_owned(),
    params: &[
        Param::new("id", ParamKind::Text, "scene id(s), with commas"),
        Param::new("path", ParamKind::Text, "scene path(s), comma-separated: s0"),
        Param::new(
            "include",
            ParamKind::Words(&["clips", "notes", "sample", "timing", "warp", "color", "*"]),
            "clips replaces the clip count; notes, sample, timing and warp go to those clips; * is all",
        )
        .small_model_drops(&["warp"]),
    ],
    aliases: &[SCENE_IDS, PATHS, SCENE_INDEX],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| true,
    prepare: Prepare::Seeing(|map, view| {
        let args: ReadArgs = arguments(map)?;
        let include = SceneInclude::from_words(&args.include);
        let shape = move || scene_fields::shape(include);
        read_call::job(&args, view, TargetKind::Scene, shape, move |session, id| {
            scene_fields::gather(session, id, include)
        })
    }),
};
