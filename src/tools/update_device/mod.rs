//! `svc-update-device`: what can be changed of devices, of the chains of racks, and of drum pads.
//!
//! A call is read ([`plan`]) and carried out target by target ([`update`]), or the devices it names are put into one
//! rack ([`wrap`]). The order within one device: a preset in its place, the A/B state that is used, its name, macros,
//! parameters, actions, a snapshot of the macros, saving the A/B state, and last its place.

mod args;
mod chains;
mod devices;
mod moves;
mod plan;
mod swap;
mod update;
mod wrap;

use crate::tools::aliases::fold::{DEVICE_INDICES, IDS, PATHS};
use crate::tools::budget::MAX_LIST_ITEMS;
use crate::tools::call::{arguments, prepared_write};
use crate::tools::device::presets;
use crate::tools::mixer::sends;
use crate::tools::parameter::{self, ParamWrites};
use crate::tools::tool::{Param, ParamKind, Prepare, Tool, sends_none_of};
use plan::Plan;
use serde_json::{Value, json};
use std::path::Path;

pub static TOOL: Tool = Tool {
    name: "svc-update-device",
    title: "Update Device",
    read_only: false,
    destructive: true,
    description: |_| "Changes devices, chains of racks and drum pads: parameters, mixer, macros, place.".to_owned(),
    params: &[
        Param::new("id", ParamKind::Text, "id(s), with commas"),
        Param::new(
            "path",
            ParamKind::Text,
            "comma-separated: t0/d0, t0/d0/c0, rc0 (return chain), t0/d0/pC1 (pad), pC1/c1 (layer)",
        ),
        Param::new(
            "toPath",
            ParamKind::Text,
            "moves, a place each: device to t1, t1/d0, t0/d0/c0, t0/d0/c+; pad (all layers) or layer to a pad of its rack, t0/d0/pD1",
        ),
        Param::new("name", ParamKind::Text, "name(s)"),
        Param::new("params", ParamKind::Wide(parameter::schema, parameter::full_schema), parameter::ABOUT),
        Param::new("force", ParamKind::Boolean, "let a pad's sample replace its instrument"),
        Param::new(
            "actions",
            ParamKind::Schema(texts),
            "calls such as reverse or warpAs(4), as svc-read-device lists them",
        )
        .hidden_in_small_model(),
        Param::new("preset", ParamKind::Text, "swaps the device for a saved preset, by name or absolute file")
            .hidden_in_small_model(),
        Param::new(
            "macroVariation",
            ParamKind::Choice(&["create", "load", "delete", "revert", "randomize"]),
            "racks: snapshots of the macros",
        )
        .hidden_in_small_model(),
        Param::new("macroVariationIndex", ParamKind::IntegerFrom(0), "which one to load or delete")
            .hidden_in_small_model(),
        Param::new("macroCount", ParamKind::IntegerIn(0, 16), "racks: macros shown, in pairs").hidden_in_small_model(),
        Param::new("abCompare", ParamKind::Choice(&["a", "b", "save"]), "A/B state; save copies it to the other one")
            .hidden_in_small_model(),
        Param::new("mute", ParamKind::Switch, "chains and pads"),
        Param::new("solo", ParamKind::Switch, "chains and pads"),
        Param::new("color", ParamKind::Text, "chains and pads, #RRGGBB"),
        Param::new("gainDb", ParamKind::Decibels(6.0), "chain fader").hidden_in_small_model(),
        Param::new("pan", ParamKind::Pan, "chain").hidden_in_small_model(),
        Param::new("sendGainDb", ParamKind::Decibels(0.0), "chain; with sendReturn").hidden_in_small_model(),
        Param::new("sendReturn", ParamKind::Text, "return chain of the rack: id, name or letter")
            .hidden_in_small_model(),
        Param::new("sends", ParamKind::Wide(sends::schema, sends::full_schema), "several at once")
            .hidden_in_small_model(),
        Param::new("chokeGroup", ParamKind::IntegerIn(0, 16), "drum chains and pads; 0 is none")
            .hidden_in_small_model(),
        Param::new("mappedPitch", ParamKind::Text, "drum chains and pads: note that the devices get, C3")
            .hidden_in_small_model(),
        Param::new("wrapInRack", ParamKind::Boolean, "puts the devices named into one new rack, at one place")
            .hidden_in_small_model(),
    ],
    aliases: &[IDS, PATHS, DEVICE_INDICES],
    left_out_in_small_model: false,
    reads_files: |map| ParamWrites::reads_files(map) || map.get("preset").is_some_and(|preset| !preset.is_null()),
    small: |map| sends_none_of(map, &["toPath", "actions", "preset", "wrapInRack"]),
    prepare: Prepare::Seeing(|map, view| {
        let plan = Plan::read(arguments(map)?, view)?;
        let (samples, device) = (plan.sample_files(), view.device.clone());
        Ok(prepared_write(
            move |session, call| plan.run(session, call),
            |(answer, _)| answer,
            move |(mut answer, saves), call| {
                // A dry run with presets to save was refused before.
                if !call.dry_run {
                    samples.iter().for_each(|file| device.library.count_use(Path::new(file)));
                    presets::write(saves, &device.presets, &mut answer);
                }
                answer.into()
            },
            |(_, saves)| !saves.is_empty(),
        ))
    }),
};

fn texts() -> Value {
    json!({ "type": "array", "maxItems": MAX_LIST_ITEMS, "items": { "type": "string" } })
}
