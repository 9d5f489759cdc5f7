//! `svc-read-track`: one or more tracks or take lanes in detail.

use crate::tools::address::targets::TargetKind;
use crate::tools::aliases::fold::{PATHS, TRACK_IDS, TRACK_INDEX};
use crate::tools::call::arguments;
use crate::tools::read::read_call::{self, ReadArgs};
use crate::tools::read::routing_list::SharedEntries;
use crate::tools::read::track_fields::{self, TrackInclude};
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};

pub static TOOL: Tool = Tool {
    name: "svc-read-track",
    title: "Read Track",
    read_only: true,
    destructive: false,
    description: |_| "Reads tracks or take lanes; include adds their clips, notes, devices and mixer.".to_owned(),
    params: &[
        Param::new("id", ParamKind::Text, "track or take-lane id(s), with commas"),
        Param::new("path", ParamKind::Text, "path(s), comma-separated: t0, rt0 (return), mt (main), t0/l0 (take lane)"),
        Param::new(
            "include",
            ParamKind::Words(&[
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
             clips; drum-map: what each pad plays; * is all",
        )
        .small_model_drops(&["routings", "available-routings", "warp"]),
    ],
    aliases: &[TRACK_IDS, PATHS, TRACK_INDEX],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| true,
    prepare: Prepare::Seeing(|map, view| {
        let args: ReadArgs = arguments(map)?;
        let include = TrackInclude::from_words(&args.include, view.notation);
        let shape = move || track_fields::shape(include);
        let shared = SharedEntries::default();
        read_call::job(&args, view, TargetKind::Lane, shape, move |session, id| {
            track_fields::gather(session, id, include, &shared)
        })
    }),
};
