//! `svc-read-scene`: one or more scenes in detail.

use super::shared::gathered::{self, Gathered, NoteStyle};
use super::shared::hidden::{PATHS, SCENE_IDS, SCENE_INDEX};
use super::shared::read_scene::{self, SceneInclude};
use super::shared::targets::{self, Wanted};
use super::{Kind, Param, Tool, arguments, job_with_finish};
use serde::Deserialize;

pub static TOOL: Tool = Tool {
    name: "svc-read-scene",
    title: "Read Scene",
    read_only: true,
    destructive: false,
    description: |_| "Reads scenes; include adds their clips. A name is shown with the scene's number.".to_owned(),
    params: &[
        Param::new("id", Kind::Text, "scene id(s), comma-separated"),
        Param::new("path", Kind::Text, "scene path(s), comma-separated: s0 is the first"),
        Param::new(
            "include",
            Kind::Words(&["clips", "notes", "sample", "timing", "warp", "color", "*"]),
            "clips replaces the clip count; notes, sample, timing and warp go to those clips; * is all",
        )
        .small_model_drops(&["warp"]),
    ],
    hidden: &[SCENE_IDS, PATHS, SCENE_INDEX],
    withheld_in_small_model: false,
    reads_files: |_| false,
    prepare: |map, view| {
        let args: Args = arguments(map)?;
        let targets = targets::read(Wanted::Scene, args.id.as_ref(), args.path.as_ref())?;
        let include = SceneInclude::of(&args.include);
        let style = NoteStyle { notation: view.notation, json: view.json };
        Ok(job_with_finish(
            move |session, call| {
                gathered::each(session, call, &targets, Wanted::Scene, |session, id| {
                    read_scene::gather(session, id, include)
                })
            },
            move |list: Vec<Gathered>, _| gathered::answer(list, style).into(),
            |list| list.iter().any(Gathered::is_heavy),
        ))
    },
};

#[derive(Deserialize)]
struct Args {
    id: Option<String>,
    path: Option<String>,
    #[serde(default)]
    include: Vec<String>,
}
