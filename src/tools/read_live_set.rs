//! `svc-read-live-set`: the overview of the Set.

use crate::object_model::Session;
use crate::tools::call::arguments;
use crate::tools::read::read_call;
use crate::tools::read::set_fields::{self, SetInclude};
use crate::tools::read::track_fields::TrackInclude;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use serde::Deserialize;

pub static TOOL: Tool = Tool {
    name: "svc-read-live-set",
    title: "Read Live Set",
    read_only: true,
    destructive: false,
    description: |_| {
        "Overview of the Set: tempo, time signature, scale, and how many tracks and scenes; include adds them. Clips and \
         devices come from svc-read-track."
            .to_owned()
    },
    params: &[Param::new(
        "include",
        ParamKind::Words(&["tracks", "scenes", "routings", "mixer", "color", "locators", "*"]),
        "tracks and scenes replace the counts; routings, mixer and color go to the tracks (color to scenes too) shown; \
         * is all",
    )
    .small_model_drops(&["routings", "locators"])],
    aliases: &[],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| true,
    prepare: Prepare::Seeing(|map, view| {
        let args: Args = arguments(map)?;
        let has = |word: &str| args.include.iter().any(|w| w == word || w == "*");
        let include = SetInclude {
            tracks: has("tracks"),
            scenes: has("scenes"),
            locators: has("locators"),
            track: TrackInclude {
                routings: has("routings"),
                mixer: has("mixer"),
                color: has("color"),
                ..TrackInclude::default()
            },
        };
        let large = !args.include.is_empty();
        let parts = move |_: &dyn Session| Ok(vec![set_fields::part(include)]);
        Ok(read_call::of_snapshot(large, read_call::style(view), 1, parts, move |session, _, take| {
            set_fields::gather(session, include).map(take)
        }))
    }),
};

#[derive(Deserialize)]
struct Args {
    #[serde(default)]
    include: Vec<String>,
}
