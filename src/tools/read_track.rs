//! `svc-read-track`: one or more tracks in detail.

use super::shared::gathered::{self, Gathered, NoteStyle};
use super::shared::read_track::{self, TrackInclude};
use super::shared::targets::{self, Wanted};
use super::{Kind, Param, Tool, arguments, job_with_finish};
use serde::Deserialize;

pub static TOOL: Tool = Tool {
    name: "svc-read-track",
    title: "Read Track",
    read_only: true,
    destructive: false,
    description: |_| "Reads tracks by path or id; include adds their clips, notes, devices and mixer.".to_owned(),
    params: &[
        Param::new("id", Kind::Text, "track id(s), comma-separated"),
        Param::new("path", Kind::Text, "track path(s), comma-separated: t0, rt0 (return), mt (main)"),
        Param::new(
            "include",
            Kind::Words(&["session-clips", "notes", "timing", "color", "devices", "mixer", "*"]),
            "session-clips replaces the clip count; notes and timing go to those clips; devices replaces the device count",
        ),
    ],
    reads_files: |_| false,
    prepare: |map, view| {
        let args: Args = arguments(map)?;
        let targets = targets::read(Wanted::Track, args.id.as_ref(), args.path.as_ref())?;
        let include = TrackInclude::of(&args.include);
        let style = NoteStyle { notation: view.notation, json: view.json };
        Ok(job_with_finish(
            move |session, call| {
                gathered::each(session, call, &targets, Wanted::Track, |session, id| {
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
