//! What a call asks, read and checked as far as it can be without the Set.

use super::args::Args;
use super::chains::ChainWork;
use super::devices::DeviceWork;
use super::update::Update;
use super::wrap::Wrap;
use crate::music::text::counted;
use crate::object_model::Session;
use crate::tools::address::device_targets::{self, DevicePart};
use crate::tools::address::model_read;
use crate::tools::address::targets::Target;
use crate::tools::arguments::action_params::{blank_detail, sent};
use crate::tools::arguments::{lists, values};
use crate::tools::call::CallContext;
use crate::tools::device::device_places::DevicePlace;
use crate::tools::device::presets::{self, FoundPreset, PendingPreset};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::or_detail;
use crate::tools::request::RequestContext;
use serde_json::Value;
use std::sync::Arc;

/// A call that was read.
pub enum Plan {
    Update(Box<Update>),
    Wrap(Wrap),
}

impl Plan {
    pub fn read(mut args: Args, view: &RequestContext) -> Result<Plan, ToolError> {
        let targets = device_targets::read(args.id.as_ref(), args.path.as_ref())?;
        let count = targets.len();
        let blank = blank_detail(&[("toPath", args.to_path.as_ref())]);
        let to = args.to_path.as_ref().filter(|to| sent(Some(to)));
        let to = to.map(|to| lists::split_targets("toPath", to)).transpose()?.unwrap_or_default();
        let to = DevicePlace::read_list("toPath", to)?;
        let devices = DeviceWork::read(&mut args, view)?;
        let chains = ChainWork::read(&args, count)?;
        for (parameter, settings) in devices.list_lengths() {
            lists::refuse_too_many_writes(parameter, settings, count)?;
        }
        if args.wrap_in_rack == Some(true) {
            let mut ignored = devices.sent();
            ignored.extend(args.preset.filter(|preset| sent(Some(preset))).map(|_| "preset"));
            ignored.extend(chains.sent());
            return Wrap::read(targets, to, args.name, blank, ignored).map(Plan::Wrap);
        }
        if !to.is_empty() && to.len() != count {
            return Err(ToolError::new(format!(
                "toPath names {} for {}; name one for each, as a place takes one",
                counted(to.len(), "place"),
                counted(count, "target")
            )));
        }
        let names = lists::spread("name", args.name.as_ref(), count)?;
        let presets = presets_of(&args.preset, &targets, view)?;
        if names.is_none()
            && presets.is_empty()
            && to.is_empty()
            && devices.sent().is_empty()
            && chains.sent().is_empty()
        {
            return Err(ToolError::nothing_to_write("params, name, toPath or another value beside the targets"));
        }
        Ok(Plan::Update(Box::new(Update { targets, names, presets, to, blank, devices, chains })))
    }

    /// The sample files that `params` loads.
    pub fn sample_files(&self) -> Vec<String> {
        match self {
            Plan::Update(update) => update.devices.sample_files(),
            Plan::Wrap(_) => Vec::new(),
        }
    }

    /// Carries it out, and gives the presets that are still to be written.
    pub fn run(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
    ) -> Result<(Value, Vec<PendingPreset>), ToolError> {
        match self {
            Plan::Update(update) => update.run(session, call),
            Plan::Wrap(wrap) => Ok((wrap.run(session, call)?, Vec::new())),
        }
    }
}

/// One preset for each target, or none at all. One of several that is not there is its target's failure.
fn presets_of(
    text: &Option<String>,
    targets: &[Target],
    view: &RequestContext,
) -> Result<Vec<Result<FoundPreset, ToolError>>, ToolError> {
    let names = values::each("preset", text.as_ref(), targets.len(), |name| Ok(name.to_owned()))?.unwrap_or_default();
    if !names.is_empty() && presets::host_has_browser(view) {
        return Ok(names.iter().map(|name| Ok(presets::in_browser(name, None))).collect());
    }
    let mut all: Vec<Result<FoundPreset, ToolError>> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        // What the target is now says which is meant where several devices have one of that name.
        let device = || -> Result<Option<String>, ToolError> {
            let session = (view.at_rest.0)();
            let Some(target) = targets.get(at) else { return Ok(None) };
            match or_detail(DevicePart::find(session.as_ref(), target, &mut None))? {
                Ok(DevicePart::Device(device)) => {
                    Ok(Some(model_read::text(session.as_ref(), device, "class_display_name")?))
                }
                _ => Ok(None),
            }
        };
        all.push(presets::load_for_device(view, name, device).map(|preset| FoundPreset::Saved(Arc::new(preset))));
    }
    match all.first() {
        Some(Err(why)) if all.iter().all(Result::is_err) => Err(why.clone()),
        _ => Ok(all),
    }
}
