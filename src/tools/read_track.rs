//! `svc-read-track`: one or more tracks or take lanes in detail.

use super::shared::gathered::{self, Gathered, NoteStyle};
use super::shared::hidden::{PATHS, TRACK_IDS, TRACK_INDEX};
use super::shared::read_track::{self, TrackInclude};
use super::shared::targets::{self, Wanted};
use super::{Kind, Param, Tool, arguments, job_with_finish};
use serde::Deserialize;

pub static TOOL: Tool = Tool {
    name: "svc-read-track",
    title: "Read Track",
    read_only: true,
    destructive: false,
    description: |_| "Reads tracks or take lanes; include adds their clips, notes, devices and mixer.".to_owned(),
    params: &[
        Param::new("id", Kind::Text, "track or take-lane id(s), comma-separated"),
        Param::new("path", Kind::Text, "path(s), comma-separated: t0, rt0 (return), mt (main), t0/l0 (take lane)"),
        Param::new(
            "include",
            Kind::Words(&[
                "session-clips",
                "arrangement-clips",
                "notes",
                "timing",
                "sample",
                "warp",
                "devices",
                "drum-map",
                "routings",
                "available-routings",
                "mixer",
                "color",
                "*",
            ]),
            "session-clips, arrangement-clips and devices replace the counts; notes, timing, sample and warp go to those \
             clips; drum-map: what each pad of the Drum Rack plays; * is all",
        )
        .small_model_drops(&["routings", "available-routings", "warp"]),
    ],
    hidden: &[TRACK_IDS, PATHS, TRACK_INDEX],
    withheld_in_small_model: false,
    reads_files: |_| false,
    prepare: |map, view| {
        let args: Args = arguments(map)?;
        let targets = targets::read(Wanted::Lane, args.id.as_ref(), args.path.as_ref())?;
        let include = TrackInclude::of(&args.include, view.notation);
        let style = NoteStyle { notation: view.notation, json: view.json };
        Ok(job_with_finish(
            move |session, call| {
                gathered::each(session, call, &targets, Wanted::Lane, |session, id| {
                    read_track::gather(session, id, include)
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
