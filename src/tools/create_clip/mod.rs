//! `svc-create-clip`: MIDI and audio clips in Session slots, on the timeline and on take lanes.
//!
//! What may refuse the call comes before its first write: [`Plan::read`](plan::Plan::read) away from the Set,
//! [`content`] with it at hand. [`write`] then makes the clips one by one, in call order.

mod content;
mod destination;
mod fill;
mod making;
mod plan;
mod report;
mod task;
mod write;

use crate::tools::aliases::clip_aliases::NEW_CLIP;
use crate::tools::aliases::fold::PATHS;
use crate::tools::arguments::one_or_each::Switch;
use crate::tools::call::{arguments, prepared_write};
use crate::tools::clip::audio_clip::{AudioValues, CHOSEN_WARP_MODES};
use crate::tools::clip::notes::each_notes_about;
use crate::tools::clip::source_tempo::{FASTEST_SOURCE_BPM, SLOWEST_SOURCE_BPM, SOURCE_TEMPO_ABOUT};
use crate::tools::clip::transforms::SEED_ABOUT;
use crate::tools::tool::{AliasRule, ParamAlias};
use crate::tools::tool::{Param, ParamKind, Prepare, Tool, sends_none_of};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

pub static TOOL: Tool = Tool {
    name: "svc-create-clip",
    title: "Create Clip",
    read_only: false,
    destructive: true,
    description: |view| {
        format!(
            "Makes clips in session slots, in the arrangement and on take lanes: MIDI with notes ({} notation), or audio with \
             sampleFile. What is there is replaced; missing scenes and take lanes are made.",
            view.notation.name()
        )
    },
    params: &[
        Param::new(
            "path",
            ParamKind::Text,
            "place(s), comma-separated: t0/s0 (first track, first scene), t0[5|1] (arrangement), t0/l0[5|1] (take lane), \
             t0[loc:Verse]",
        ),
        Param::new("name", ParamKind::Text, "clip name(s)"),
        Param::new("color", ParamKind::Text, "#RRGGBB"),
        Param::new("timeSignature", ParamKind::Text, "N/D, such as 4/4; the Set's when omitted"),
        Param::new("start", ParamKind::Text, "MIDI: bar|beat where the region begins, 1|1 when omitted"),
        Param::new(
            "length",
            ParamKind::Text,
            "MIDI: duration 4bar, n/4, 1bar+n/4; when omitted, whole bars up to the start of the last note",
        ),
        Param::new("looping", ParamKind::Switch, "MIDI: true when omitted"),
        Param::new("firstStart", ParamKind::Text, "MIDI: bar|beat where playback first enters; needs looping: true")
            .hidden_in_small_model(),
        Param::per("notes", ParamKind::NotesEach, each_notes_about),
        Param::new(
            "transforms",
            ParamKind::Text,
            "transform lines for the notes: \"velocity += 10 * rand()\", \"C1: ratchet(2)\"; clip.index counts the places; for \
             audio gain and pitchShift",
        )
        .hidden_in_small_model(),
        Param::new("seed", ParamKind::Integer, SEED_ABOUT).hidden_in_small_model(),
        Param::new("sampleFile", ParamKind::Text, "absolute path of an audio file: makes an audio clip; not with notes"),
        Param::new("warping", ParamKind::Switch, "audio: false plays the file as it is"),
        Param::new("sourceTempo", ParamKind::NumberIn(SLOWEST_SOURCE_BPM, FASTEST_SOURCE_BPM), SOURCE_TEMPO_ABOUT)
            .hidden_in_small_model(),
        Param::new("gainDb", ParamKind::Decibels(24.0), "audio"),
        Param::new("pitchShift", ParamKind::NumberIn(-48.0, 48.0), "audio: semitones"),
        Param::new("warpMode", ParamKind::Choice(&CHOSEN_WARP_MODES), "audio"),
        Param::new("auto", ParamKind::Choice(&["play-scene", "play-clip"]), "launch what was made in the session")
            .hidden_in_small_model(),
    ],
    aliases: &[PATHS, NEW_CLIP, TAKE_LANE_NAME],
    left_out_in_small_model: false,
    reads_files: |map| map.get("sampleFile").and_then(Value::as_str).is_some_and(|file| !file.trim().is_empty()),
    small: |map| sends_none_of(map, &["transforms", "sampleFile"]),
    prepare: Prepare::Seeing(|map, view| {
        let plan = plan::Plan::read(arguments(map)?, view)?;
        let library = view.device.library.clone();
        Ok(prepared_write(
            move |session, call| write::run(plan, session, call),
            |(result, _)| result,
            move |(result, used), call| {
                let used = used.iter().filter(|_| !call.dry_run);
                used.for_each(|file| library.count_use(Path::new(file)));
                result.into()
            },
            |_| false,
        ))
    }),
};

const TAKE_LANE_NAME: ParamAlias = ParamAlias {
    params: &[Param::new("takeLaneName", ParamKind::Text, "")],
    into: "name",
    rule: AliasRule::Kept("the name to svc-update-track, with the lane's path,"),
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    path: Option<String>,
    name: Option<String>,
    color: Option<String>,
    time_signature: Option<String>,
    start: Option<String>,
    length: Option<String>,
    looping: Option<Switch>,
    first_start: Option<String>,
    notes: Option<Value>,
    transforms: Option<String>,
    seed: Option<i64>,
    sample_file: Option<String>,
    #[serde(flatten)]
    audio: AudioValues,
    auto: Option<Auto>,
    take_lane_name: Option<String>,
}

/// What is launched when the clips are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Auto {
    PlayScene,
    PlayClip,
}
