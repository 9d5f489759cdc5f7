//! What a call asks, read and checked as far as it can be without the Set.

use super::chains::ChainWork;
use super::devices::DeviceWork;
use super::update::Update;
use super::wrap::Wrap;
use crate::object_model::Session;
use crate::tools::shared::actions::sent;
use crate::tools::shared::device_places::DevicePlace;
use crate::tools::shared::lists;
use crate::tools::shared::sends::SendArgs;
use crate::tools::shared::targets::{self, Wanted};
use crate::tools::{CallContext, ToolError};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Args {
    id: Option<String>,
    path: Option<String>,
    to_path: Option<String>,
    name: Option<String>,
    pub params: Option<Vec<Value>>,
    pub force: Option<bool>,
    pub actions: Option<Vec<String>>,
    pub macro_variation: Option<String>,
    pub macro_variation_index: Option<i64>,
    pub macro_count: Option<i64>,
    pub ab_compare: Option<String>,
    pub mute: Option<bool>,
    pub solo: Option<bool>,
    pub color: Option<String>,
    pub gain_db: Option<f64>,
    pub pan: Option<f64>,
    #[serde(flatten)]
    pub sends: SendArgs,
    pub choke_group: Option<i64>,
    pub mapped_pitch: Option<String>,
    wrap_in_rack: Option<bool>,
}

/// A call that was read.
pub enum Plan {
    Update(Update),
    Wrap(Wrap),
}

impl Plan {
    pub fn read(mut args: Args) -> Result<Plan, ToolError> {
        let targets = targets::read(Wanted::DevicePart, args.id.as_ref(), args.path.as_ref())?;
        let count = targets.len();
        let to = args.to_path.as_ref().filter(|to| sent(Some(to)));
        let to = to.map(|to| lists::targets("toPath", to)).transpose()?.unwrap_or_default();
        let to = to.into_iter().map(|place| DevicePlace::read("toPath", place)).collect::<Result<Vec<_>, _>>()?;
        let devices = DeviceWork::read(&mut args)?;
        let chains = ChainWork::read(&args, count)?;
        if args.wrap_in_rack == Some(true) {
            let mut ignored = devices.sent();
            ignored.extend(chains.sent());
            return Wrap::read(targets, to, args.name, ignored).map(Plan::Wrap);
        }
        if !to.is_empty() && to.len() != count {
            return Err(ToolError::new(format!(
                "toPath names {} places for {count} targets; name one for each, as a place takes one",
                to.len()
            )));
        }
        DevicePlace::refuse_ambiguous("toPath", &to)?;
        let names = lists::spread("name", args.name.as_ref(), count)?;
        if names.is_none() && to.is_empty() && devices.sent().is_empty() && chains.sent().is_empty() {
            return Err(ToolError::new(
                "nothing to write: send params, name, toPath or another value beside the targets",
            ));
        }
        Ok(Plan::Update(Update { targets, names, to, devices, chains }))
    }

    pub fn run(&self, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
        match self {
            Plan::Update(update) => update.run(session, call),
            Plan::Wrap(wrap) => wrap.run(session, call),
        }
    }
}
