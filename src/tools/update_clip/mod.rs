//! `svc-update-clip`: what can be changed of clips that exist.
//!
//! A call is read ([`plan`]). With the Set at hand, everything that may refuse is looked up before the first write
//! ([`updates`], and [`clip_update`] for each clip); then clip by clip is written ([`run`]), and the answer says what
//! became of each ([`report`]). The order within one clip: meter, region and properties, `preTransforms`, doubling,
//! notes and `transforms`, quantizing; then its place, length or cuts; envelopes; conversion.

mod aside;
mod clip_update;
mod convert;
mod envelopes;
mod note_steps;
mod plan;
mod quantize;
mod region;
mod report;
mod run;
mod updates;

use crate::notation::Notation;
use crate::tools::aliases::clip_aliases::{ARRANGED_SOURCE, OLD_CLIP};
use crate::tools::aliases::fold::{IDS, MOVED_TO, PATHS, SPLIT};
use crate::tools::call::{arguments, prepared};
use crate::tools::clip::notes::more_notes_about;
use crate::tools::clip::source_tempo::{FASTEST_SOURCE_BPM, SLOWEST_SOURCE_BPM, SOURCE_TEMPO_SET};
use crate::tools::clip::transforms::SEED_ABOUT;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool, sends_none_of};
use plan::Plan;

/// Parameters that go through a clip's notes, make clips or cut them.
const SLOW: &[&str] = &[
    "notes",
    "preTransforms",
    "transforms",
    "quantize",
    "duplicateLoop",
    "toPath",
    "arrangementLength",
    "arrangementSplit",
    "convert",
];

pub static TOOL: Tool = Tool {
    name: "svc-update-clip",
    title: "Update Clip",
    read_only: false,
    destructive: true,
    description: |view| {
        // Where no velocity can be written, what comes before the notes deletes.
        let deletes = if view.notation == Notation::Stark { "preTransforms delete" } else { "velocity 0 deletes" };
        format!(
            "Changes clips: properties, region, notes ({} notation; merged: same pitch and start replaces, {deletes}, \
             the rest stays), place, length. In order: preTransforms, duplicateLoop, notes, transforms, quantize, toPath.",
            view.notation.name()
        )
    },
    params: &[
        Param::new("id", ParamKind::Text, "clip id(s), with commas"),
        Param::new("path", ParamKind::Text, "clip(s), comma-separated: slot t0/s0 or arrangement t0[5|1]"),
        Param::new("name", ParamKind::Text, "name(s)"),
        Param::new("color", ParamKind::Text, "#RRGGBB"),
        Param::new("timeSignature", ParamKind::Text, "clip meter N/D"),
        Param::new("start", ParamKind::Text, "bar|beat where the region (loop, or markers) begins; it keeps its length"),
        Param::new("length", ParamKind::Text, "region's length: 4bar, n/4, 1bar+n/4"),
        Param::new("looping", ParamKind::Switch, "or one each, [true,false]; the region that sounds is kept"),
        Param::new("duplicateLoop", ParamKind::Boolean, "doubles the region with its notes; MIDI; not with start or length"),
        Param::new("firstStart", ParamKind::Text, "bar|beat where a looping clip first enters").hidden_in_small_model(),
        Param::new(
            "toPath",
            ParamKind::Text,
            "moves: slot t0/s0, t2[5|1], lane t2/l0[5|1], t2 (keeps its time), [5|1] (keeps its lane)",
        ),
        Param::new(
            "arrangementLength",
            ParamKind::Text,
            "how much timeline to cover, such as 8bar; a looped clip is tiled",
        ),
        Param::new("arrangementSplit", ParamKind::Text, "song positions to cut at: \"5|1,9|1\"").hidden_in_small_model(),
        Param::new("sourceTempo", ParamKind::NumberIn(SLOWEST_SOURCE_BPM, FASTEST_SOURCE_BPM), SOURCE_TEMPO_SET)
            .hidden_in_small_model(),
        Param::new("gainDb", ParamKind::Decibels(24.0), "audio"),
        Param::new("pitchShift", ParamKind::NumberIn(-48.0, 48.0), "audio, semitones"),
        Param::new("warpMode", ParamKind::Choice(&["beats", "tones", "texture", "repitch", "complex", "pro"]), "audio"),
        Param::new("warping", ParamKind::Switch, "audio; false plays the file as it is, unlooped"),
        Param::per("notes", ParamKind::Notes, more_notes_about),
        Param::new(
            "preTransforms",
            ParamKind::Text,
            "transform lines for the notes already there, before notes are merged: \"C3: delete\", \"2|*: timing += n/8\"",
        ),
        Param::new(
            "transforms",
            ParamKind::Text,
            "transform lines for all notes after the merge: \"velocity = ramp(40, 110)\"",
        )
        .hidden_in_small_model(),
        Param::new("quantize", ParamKind::NumberIn(0.0, 1.0), "strength; MIDI"),
        Param::new("quantizeGrid", ParamKind::Choice(quantize::GRIDS), "1/16 when omitted"),
        Param::new("quantizePitch", ParamKind::Text, "only this pitch, such as C1").hidden_in_small_model(),
        Param::new(
            "envelopes",
            ParamKind::Text,
            "session clips; a line a parameter: id, volume, pan or send0, a colon, points as bar|beat and value as shown \
             (absolute), joined by / (straight), _ (hold) or ~0.5 (curve); none clears: \"volume: 1|1 -inf / 3|1 0\"",
        )
        .hidden_in_small_model(),
        Param::new(
            "convert",
            ParamKind::Choice(&["drums", "melody", "harmony", "simpler", "drum-rack"]),
            "makes a track of an audio clip. Here simpler and drum-rack (a pad a transient, from C1)",
        )
        .hidden_in_small_model(),
        Param::new("seed", ParamKind::Integer, SEED_ABOUT).hidden_in_small_model(),
    ],
    aliases: &[IDS, PATHS, ARRANGED_SOURCE, OLD_CLIP, MOVED_TO, SPLIT],
    left_out_in_small_model: false,
    reads_files: |map| map.contains_key("convert"),
    small: |map| sends_none_of(map, SLOW),
    prepare: Prepare::Seeing(|map, view| {
        let mut plan = Plan::read(arguments(map)?, view)?;
        Ok(prepared(move |session, call| {
            plan.seed.tell_drawn(call.dry_run);
            run::run(plan, session, call)
        }))
    }),
};
