//! `svc-read-device`: devices, chains and drum pads in detail.

use crate::tools::address::device_targets::{self, DevicePart};
use crate::tools::aliases::fold::{DEVICE_IDS, DEVICE_INDICES, PATHS};
use crate::tools::call::arguments;
use crate::tools::error::ToolError;
use crate::tools::read::device_fields;
use crate::tools::read::device_summary::DeviceInclude;
use crate::tools::read::read_call;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use serde::Deserialize;

pub static TOOL: Tool = Tool {
    name: "svc-read-device",
    title: "Read Device",
    read_only: true,
    destructive: false,
    description: |_| {
        "Reads devices, chains of racks and drum pads; include adds parameters and what is inside. Values as in Live: \
         Hz, ms, dB, labels."
            .to_owned()
    },
    params: &[
        Param::new("id", ParamKind::Text, "device, chain or pad id(s), with commas"),
        Param::new(
            "path",
            ParamKind::Text,
            "path(s), comma-separated: t0/d0, t0/inst (instrument), t0/afx0 (first audio effect), t0/d0/c0 (chain), t0/d0/pC1 (pad)",
        ),
        Param::new(
            "include",
            ParamKind::Words(&[
                "actions",
                "chains",
                "drum-map",
                "drum-pads",
                "params",
                "param-values",
                "return-chains",
                "sample",
                "options",
                "*",
            ]),
            "params: names and ids; param-values: with values, ranges, units; chains: of racks, pads of Drum Racks; options: what \
             settings take; actions: for svc-update-device; * is all",
        )
        .small_model_drops(&["actions", "drum-pads", "return-chains"]),
        Param::new("maxDepth", ParamKind::IntegerFrom(0), "rack levels to open; 0 (default) counts their devices"),
        Param::new("paramSearch", ParamKind::Text, "only parameters with this, or one of several with commas, in name or options; adds params"),
    ],
    aliases: &[DEVICE_IDS, PATHS, DEVICE_INDICES],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| true,
    prepare: Prepare::Seeing(|map, view| {
        let args: Args = arguments(map)?;
        let targets = device_targets::read(args.id.as_ref(), args.path.as_ref())?;
        refuse_blank_search(args.param_search.as_deref())?;
        let depth = usize::try_from(args.max_depth.unwrap_or(0)).unwrap_or(usize::MAX);
        let include = DeviceInclude::from_words(&args.include, args.param_search, depth, view.notation);
        let of_scope = include.clone();
        Ok(read_call::job_in_style(
            targets,
            depth > 0,
            read_call::style(view),
            move |session, target| Ok(vec![device_fields::part(session, target, &of_scope)?]),
            |session, target, warnings| {
                let mut warning = None;
                let found = DevicePart::find(session, target, &mut warning);
                // One that shows how a chain is spelled is enough.
                if warnings.is_empty() {
                    warnings.extend(warning);
                }
                found
            },
            move |session, part| device_fields::gather(session, part, &include),
        ))
    }),
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    id: Option<String>,
    path: Option<String>,
    #[serde(default)]
    include: Vec<String>,
    max_depth: Option<u64>,
    param_search: Option<String>,
}

/// A search that is left blank is none; of commas alone it is a mistake.
fn refuse_blank_search(search: Option<&str>) -> Result<(), ToolError> {
    let search = search.unwrap_or_default();
    if !search.trim().is_empty() && search.split(',').all(|term| term.trim().is_empty()) {
        let why = format!("\"{search}\" has no term; write one, or several with commas, such as freq,reso");
        return Err(ToolError::about("paramSearch", why));
    }
    Ok(())
}
