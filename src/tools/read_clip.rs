//! `svc-read-clip`: clips with their timing and notes.

use super::shared::gathered::{self, ReadArgs};
use super::shared::hidden::{CLIP_IDS, PATHS};
use super::shared::hidden_clip::OLD_CLIP;
use super::shared::read_clip::{self, ClipInclude, Nested};
use super::shared::targets::Wanted;
use super::{Kind, Param, Tool, View, arguments};
use crate::picture;
use std::borrow::Cow;

/// What the words mean that this profile publishes.
fn include_about(view: &View) -> Cow<'static, str> {
    let small = "timing: time signature, looping, start, end, length; notes: the notes; sample: file, gain and pitch";
    if view.small_model_mode {
        return small.into();
    }
    let more = "envelopes: drawn automation; image: a piano roll to look at; * is all but image";
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
        Param::new("id", Kind::Text, "clip id(s), comma-separated"),
        Param::new(
            "path",
            Kind::Text,
            "clip(s), comma-separated: t0/s0 is the first track's slot in the first scene, t0[5|1] its arrangement clip there",
        ),
        Param::per(
            "include",
            Kind::Words(&["notes", "timing", "sample", "warp", "color", "envelopes", "image", "*"]),
            include_about,
        )
        .small_model_drops(&["warp", "envelopes", "image"]),
    ],
    hidden: &[CLIP_IDS, PATHS, OLD_CLIP],
    withheld_in_small_model: false,
    reads_files: |_| false,
    prepare: |map, view| {
        let args: ReadArgs = arguments(map)?;
        let include = ClipInclude::of(&args.include);
        if include.image {
            args.at_most(picture::MAX_PER_CALL, "include image draws")?;
        }
        gathered::job(&args, view, Wanted::Clip, move |session, id| read_clip::gather(session, id, include, Nested::No))
    },
};
