//! `svc-create-device`: native devices and saved presets, on tracks, in chains and on pads; chains that are missing on
//! the way are made. Without `device` and `preset` it lists what can be made.
//!
//! What may refuse the call comes before its first write: [`Plan::read`](plan::Plan::read) away from the Set, and a
//! look at every place with it at hand. [`plan`] then makes the devices one by one, in call order.

mod names;
mod plan;

use crate::music::excerpt::excerpt;
use crate::object_model::Session;
use crate::tools::aliases::fold::{DEVICE_INDICES, DEVICE_NAME, PATHS};
use crate::tools::budget::Budget;
use crate::tools::call::{CallContext, LaterChanges, PreparedCall, arguments, prepared_read, prepared_write};
use crate::tools::device::presets::{self, host_has_browser};
use crate::tools::error::ToolError;
use crate::tools::file_work::job;
use crate::tools::parameter::{self, ParamWrites};
use crate::tools::report::target_result::add_detail;
use crate::tools::request::{RequestContext, Unwatched};
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

pub static TOOL: Tool = Tool {
    name: "svc-create-device",
    title: "Create Device",
    read_only: false,
    destructive: true,
    description: |_| {
        "Inserts a native device on tracks, in rack chains or on drum pads; missing chains are made. Without device and preset \
         it lists what can be made. Order: MIDI effects, instrument, audio effects."
            .to_owned()
    },
    params: &[
        Param::new("device", ParamKind::Text, "device name(s), one a place: Operator, Drum Rack, EQ Eight"),
        Param::new(
            "path",
            ParamKind::Text,
            "place(s), comma-separated: t0 or t0/d+ (end), t0/d1, rt0, mt, t0/d0/c0 (chain), t0/d0/c+ (new chain), t0/d0/pC1 (drum pad)",
        ),
        Param::new("name", ParamKind::Text, "display name(s)"),
        Param::new("params", ParamKind::Wide(parameter::schema, parameter::full_schema), parameter::ABOUT_OF_NEW),
        Param::new(
            "preset",
            ParamKind::Text,
            "a saved preset's name, or an absolute file (.adv, .adg); makes its device",
        )
        .hidden_in_small_model(),
    ],
    aliases: &[PATHS, DEVICE_NAME, DEVICE_INDICES],
    left_out_in_small_model: false,
    reads_files: |map| {
        ParamWrites::reads_files(map) || !map.contains_key("device") || map.get("preset").is_some_and(|p| !p.is_null())
    },
    small: |_| false,
    prepare: Prepare::Seeing(|map, view| {
        let args: Args = arguments(map)?;
        if blank(&args.device) && blank(&args.preset) {
            return Ok(list(&args, view));
        }
        if is_long(&args, view) {
            return Ok(make_in_job(args, view));
        }
        let plan = plan::Plan::read(args, view, &Unwatched)?;
        let library = view.device.library.clone();
        let samples = plan.sample_files();
        Ok(prepared_write(
            move |session, call| plan.run(session, call),
            |result| result,
            move |result, call| {
                let used = samples.iter().filter(|_| !call.dry_run);
                used.for_each(|file| library.count_use(Path::new(file)));
                result.into()
            },
            |_| false,
        ))
    }),
};

#[derive(Deserialize)]
struct Args {
    device: Option<String>,
    path: Option<String>,
    name: Option<String>,
    params: Option<Vec<Value>>,
    preset: Option<String>,
}

fn blank(text: &Option<String>) -> bool {
    text.as_ref().is_none_or(|text| text.trim().is_empty())
}

/// Whether it makes one preset that takes long to read, where a job may do so.
fn is_long(args: &Args, view: &RequestContext) -> bool {
    let one = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.contains(','));
    let preset = args.preset.as_deref().unwrap_or_default();
    view.may_last && one(&args.preset) && one(&args.path) && !host_has_browser(view) && presets::is_long(view, preset)
}

/// Reads the preset in a job, which then makes the device in the Set as it is by then, as one step.
fn make_in_job(args: Args, view: &RequestContext) -> Box<dyn PreparedCall> {
    // The job outlasts the call and what it may use up.
    let view = RequestContext { budget: Budget::default(), ..view.clone() };
    let title = format!("make {}", excerpt(args.preset.as_deref().unwrap_or_default()));
    let finish = move |(), call: &mut CallContext| {
        let LaterChanges(later) = call.later.clone();
        let device = view.device.clone();
        job::start(&device, TOOL.name, &title, move |work| {
            let plan = plan::Plan::read(args, &view, work)?;
            let put = |session: &mut dyn Session| {
                let mut call = CallContext::default();
                let mut made = plan.run(session, &mut call)?;
                if let Some(entry) = made.as_object_mut() {
                    call.warnings.into_iter().for_each(|warning| add_detail(entry, warning));
                }
                Ok(made)
            };
            let later = later.ok_or_else(|| ToolError::new("nothing can be changed here"))?;
            later.commit(work.control, &put)
        })
    };
    prepared_read(|_, _| Ok(()), finish, |()| false)
}

/// What can be made. The presets are looked up here, where a disk may be waited for.
fn list(args: &Args, view: &RequestContext) -> Box<dyn crate::tools::call::PreparedCall> {
    let mut answer = names::list();
    let presets = view.device.presets.list();
    // A host with a browser makes its own presets.
    if !presets.is_empty()
        && !host_has_browser(view)
        && let Some(answer) = answer.as_object_mut()
    {
        answer.insert("presets".to_owned(), json!(presets));
    }
    let sent = [
        ("path", !blank(&args.path)),
        ("name", !blank(&args.name)),
        ("params", args.params.as_ref().is_some_and(|params| !params.is_empty())),
    ];
    let idle: Vec<&str> = sent.into_iter().filter(|(_, sent)| *sent).map(|(name, _)| name).collect();
    crate::tools::call::prepared(move |_, call: &mut CallContext| {
        if !idle.is_empty() {
            let warning = format!("{} ignored: without device and preset nothing is made", idle.join(", "));
            call.warnings.push(warning);
        }
        Ok::<_, ToolError>(answer)
    })
}
