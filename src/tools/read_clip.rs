//! `svc-read-clip`: clips with their timing and notes.

use crate::picture;
use crate::tools::address::targets::TargetKind;
use crate::tools::aliases::clip_aliases::{ARRANGED_CLIP, OLD_CLIP};
use crate::tools::aliases::fold::{CLIP_IDS, PATHS};
use crate::tools::call::arguments;
use crate::tools::read::clip_fields::{self, ClipInclude, Nested};
use crate::tools::read::read_call::{self, ReadArgs};
use crate::tools::request::RequestContext;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use std::borrow::Cow;

/// What the words mean that this profile publishes.
fn include_about(view: &RequestContext) -> Cow<'static, str> {
    let small = "timing: looping, start, end, length; sample: file, gain, pitch";
    if view.small_model_mode {
        return small.into();
    }
    let more = "envelopes: drawn automation; image: a piano roll; * is all but image";
    format!("{small}; {more}").into()
}

pub static TOOL: Tool = Tool {
    name: "svc-read-clip",
    title: "Read Clip",
    read_only: true,
    destructive: false,
    description: |view| {
        format!(
            "Reads clips by path or id; include adds timing, notes (in {} notation) and more.",
            view.notation.name()
        )
    },
    params: &[
        Param::new("id", ParamKind::Text, "clip id(s), with commas"),
        Param::new(
            "path",
            ParamKind::Text,
            "clip(s), comma-separated: t0/s0 (first track, first scene), t0[5|1] (arrangement)",
        ),
        Param::per(
            "include",
            ParamKind::Words(&["notes", "timing", "sample", "warp", "color", "envelopes", "image", "*"]),
            include_about,
        )
        .small_model_drops(&["warp", "envelopes", "image"]),
    ],
    aliases: &[CLIP_IDS, PATHS, ARRANGED_CLIP, OLD_CLIP],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| true,
    prepare: Prepare::Seeing(|map, view| {
        let args: ReadArgs = arguments(map)?;
        let include = ClipInclude::from_words(&args.include);
        if include.image {
            args.at_most(picture::MAX_PER_CALL, "include image draws")?;
        }
        let shape = move || clip_fields::shape(include, Nested::No);
        read_call::job(&args, view, TargetKind::Clip, shape, move |session, id| {
            clip_fields::gather(session, id, include, Nested::No, None)
        })
    }),
};
