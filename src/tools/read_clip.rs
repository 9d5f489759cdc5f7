//! `svc-read-clip`: clips with their timing and notes.

use super::shared::gathered::{self, Gathered, NoteStyle};
use super::shared::hidden::{CLIP_IDS, PATHS};
use super::shared::read_clip::{self, ClipInclude, Nested};
use super::shared::targets::{self, Wanted};
use super::{Kind, Param, Tool, arguments, job_with_finish};
use serde::Deserialize;

pub static TOOL: Tool = Tool {
    name: "svc-read-clip",
    title: "Read Clip",
    read_only: true,
    destructive: false,
    description: |view| {
        format!(
            "Reads clips by path or id; include adds timing, notes (in {} notation) and color.",
            view.notation.name()
        )
    },
    params: &[
        Param::new("id", Kind::Text, "clip id(s), comma-separated"),
        Param::new(
            "path",
            Kind::Text,
            "clip(s), comma-separated: t0/s0 is the first track's slot in the first scene, t0[5|1] its arrangement clip there",
        ),
        Param::new(
            "include",
            Kind::Words(&["timing", "notes", "sample", "warp", "color", "*"]),
            "timing: time signature, looping, start, end, length; notes: the notes; sample: file, gain and pitch; * is all",
        )
        .small_model_drops(&["warp"]),
    ],
    hidden: &[CLIP_IDS, PATHS],
    withheld_in_small_model: false,
    reads_files: |_| false,
    prepare: |map, view| {
        let args: Args = arguments(map)?;
        let targets = targets::read(Wanted::Clip, args.id.as_ref(), args.path.as_ref())?;
        let include = ClipInclude::of(&args.include);
        let style = NoteStyle { notation: view.notation, json: view.json };
        Ok(job_with_finish(
            move |session, call| {
                gathered::each(session, call, &targets, Wanted::Clip, |session, id| {
                    read_clip::gather(session, id, include, Nested::No)
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
