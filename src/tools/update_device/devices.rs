//! What a device is written, and a rack besides: name, A/B state, macros, actions.

use super::args::Args;
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::device_targets::is_rack;
use crate::tools::address::model_read::{flag, flag_if_any, int, text};
use crate::tools::address::path_format::path_and_id;
use crate::tools::arguments::action_params::{ParamScope, refuse_out_of_scope};
use crate::tools::device::device_actions::run::{self, Outcome};
use crate::tools::device::device_actions::syntax::ActionCall;
use crate::tools::error::ToolError;
use crate::tools::parameter::pad_sample::is_sample_name;
use crate::tools::parameter::{ParamWrites, macros};
use crate::tools::report::target_result::add_detail;
use crate::tools::report::write_log::WriteLog;
use crate::tools::request::RequestContext;
use crate::user_store::presets::check_preset_name;
use serde_json::{Value, json};

/// A rack's macros, shown or not.
const MACROS: usize = 16;

/// What a call asks of devices.
pub struct DeviceWork {
    params: Option<ParamWrites>,
    /// A sample may throw away the instrument of a pad.
    force: bool,
    /// As written, and as read, or why it cannot be read.
    actions: Vec<(String, Result<ActionCall, String>)>,
    compare: Option<Compare>,
    variation: Option<Variation>,
    macro_count: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compare {
    Use { b: bool },
    Save,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variation {
    Create,
    Load(i64),
    Delete(i64),
    Revert,
    Randomize,
}

impl DeviceWork {
    pub fn read(args: &mut Args, view: &RequestContext) -> Result<DeviceWork, ToolError> {
        Ok(DeviceWork {
            params: ParamWrites::read(args.params.take(), &view.device.allowed_folders(), &view.budget)?,
            force: args.force == Some(true),
            actions: args.actions.iter().flatten().map(|text| (text.clone(), ActionCall::read(text))).collect(),
            compare: args.ab_compare.as_deref().map(|word| match word {
                "save" => Compare::Save,
                which => Compare::Use { b: which == "b" },
            }),
            variation: Variation::read(args)?,
            macro_count: args.macro_count,
        })
    }

    /// The names of the parameters that were sent.
    pub fn sent(&self) -> Vec<&'static str> {
        let mut sent: Vec<&'static str> = self.params.iter().map(|_| "params").collect();
        if !self.actions.is_empty() {
            sent.push("actions");
        }
        if self.compare.is_some() {
            sent.push("abCompare");
        }
        sent.extend(self.of_racks());
        sent
    }

    /// How many settings each of its lists has.
    pub fn list_lengths(&self) -> [(&'static str, usize); 2] {
        let params = self.params.as_ref().map_or(0, |params| params.items.len());
        [("params", params), ("actions", self.actions.len())]
    }

    /// The sample files that `params` loads.
    pub fn sample_files(&self) -> Vec<String> {
        self.params.as_ref().map_or_else(Vec::new, ParamWrites::sample_files)
    }

    /// `force` was sent, and nothing that it is about.
    pub fn has_idle_force(&self) -> bool {
        let samples = |params: &ParamWrites| params.items.iter().any(|item| is_sample_name(item.key().1));
        self.force && !self.params.as_ref().is_some_and(samples)
    }

    /// A warning, where `params` spells a place as answers do not.
    pub fn spelling_warning(&self, session: &dyn Session, device: ObjectId) -> Result<Option<String>, ToolError> {
        self.params.as_ref().map_or(Ok(None), |params| params.spelling_warning(session, device))
    }

    fn of_racks(&self) -> Vec<&'static str> {
        let variation: &[&str] = match self.variation {
            Some(Variation::Load(_) | Variation::Delete(_)) => &["macroVariation", "macroVariationIndex"],
            Some(_) => &["macroVariation"],
            None => &[],
        };
        variation.iter().copied().chain(self.macro_count.map(|_| "macroCount")).collect()
    }

    /// None of it is for chains and pads.
    pub fn refuse_all(&self, log: &mut WriteLog) {
        let sent = self.sent();
        if !sent.is_empty() {
            log.refuse(format!("{} ignored: for devices, not for chains and pads", sent.join(", ")));
        }
    }

    pub fn write(
        &self,
        session: &mut dyn Session,
        device: ObjectId,
        name: Option<&str>,
        log: &mut WriteLog,
    ) -> Result<Vec<NewPreset>, ToolError> {
        if let Some(Compare::Use { b }) = self.compare
            && has_compare(session, device, log)?
        {
            log.record("abCompare", session.set(device, "is_using_compare_preset_b", b.into()))?;
        }
        if let Some(name) = name {
            log.name(session, device, name)?;
        }
        let of_racks = self.of_racks();
        let rack = is_rack(session, device)?;
        if !rack && !of_racks.is_empty() {
            log.refuse(format!("{} ignored: {} is no rack", of_racks.join(", "), path_and_id(session, device)?));
        }
        if rack {
            if let Some(count) = self.macro_count {
                write_macro_count(session, device, count, log)?;
            }
            if let Some(variation) = self.variation.filter(|variation| *variation != Variation::Create) {
                variation.write(session, device, log)?;
            }
        }
        if let Some(params) = &self.params {
            params.write(session, device, self.force, log)?;
        }
        let presets = self.run_actions(session, device, log)?;
        if rack && self.variation == Some(Variation::Create) {
            Variation::Create.write(session, device, log)?;
        }
        if self.compare == Some(Compare::Save) && has_compare(session, device, log)? {
            log.record("abCompare", session.call(device, "save_preset_to_compare_ab_slot", &[]))?;
        }
        Ok(presets)
    }

    /// One entry for each action. If nothing else of the target lands either, theirs is why.
    fn run_actions(
        &self,
        session: &mut dyn Session,
        device: ObjectId,
        log: &mut WriteLog,
    ) -> Result<Vec<NewPreset>, ToolError> {
        let mut entries = Vec::new();
        let mut presets = Vec::new();
        for (action, (written, call)) in self.actions.iter().enumerate() {
            let mut said = None;
            let read = call.as_ref().map_err(|why| ToolError::new(why.clone()));
            let done = read.and_then(|call| run::run(session, device, call)).and_then(|outcome| match outcome {
                Outcome::Done => Ok(()),
                Outcome::Macro(of) => {
                    said = macros::edit(session, device, &of)?;
                    Ok(())
                }
                Outcome::SavePreset(name) => {
                    check_preset_name(&name)
                        .map_err(|why| ToolError::new(format!("\"{name}\" cannot name a preset: {why}")))?;
                    let saved = session.save_device(device)?;
                    let device = text(session, device, "class_display_name")?;
                    presets.push(NewPreset { action, device, name, saved });
                    Ok(())
                }
            });
            entries.push(match done {
                Ok(()) => {
                    let name = call.as_ref().map_or(written.as_str(), |call| call.name.as_str());
                    log.record(format!("action {name}"), Ok::<_, ToolError>(()))?;
                    match said {
                        Some(detail) => json!({ "action": written, "detail": detail }),
                        None => json!({ "action": written }),
                    }
                }
                Err(error) => {
                    log.refuse_inside(format!("{written}: {error}"));
                    json!({ "action": written, "ok": false, "detail": error.text })
                }
            });
        }
        if !entries.is_empty() {
            log.entry.insert("actions".to_owned(), Value::Array(entries));
        }
        Ok(presets)
    }
}

/// A preset of a device, made by the action at that place of the list; its file is still to be written.
pub struct NewPreset {
    pub action: usize,
    pub device: String,
    pub name: String,
    pub saved: Value,
}

fn has_compare(session: &dyn Session, device: ObjectId, log: &mut WriteLog) -> Result<bool, ModelError> {
    let has = flag_if_any(session, device, "can_compare_ab")?;
    if !has {
        log.refuse(format!("abCompare ignored: {} has no A/B compare", path_and_id(session, device)?));
    }
    Ok(has)
}

impl Variation {
    fn read(args: &Args) -> Result<Option<Variation>, ToolError> {
        let word = args.macro_variation.as_deref();
        refuse_out_of_scope(
            "macroVariation",
            word,
            &[ParamScope {
                parameter: "macroVariationIndex",
                sent: args.macro_variation_index.is_some(),
                read_by: &["load", "delete"],
            }],
        )?;
        let index = || {
            let why = "macroVariation load and delete need macroVariationIndex, counted from 0";
            args.macro_variation_index.ok_or_else(|| ToolError::new(why))
        };
        Ok(match word {
            Some("create") => Some(Variation::Create),
            Some("load") => Some(Variation::Load(index()?)),
            Some("delete") => Some(Variation::Delete(index()?)),
            Some("revert") => Some(Variation::Revert),
            Some(_) => Some(Variation::Randomize),
            None => None,
        })
    }

    fn write(self, session: &mut dyn Session, rack: ObjectId, log: &mut WriteLog) -> Result<(), ToolError> {
        let count = int(session, rack, "variation_count")?;
        let there = match count {
            0 => "the rack has no variations; create makes one".to_owned(),
            1 => "the rack has 1 variation, 0".to_owned(),
            n => format!("the rack has {n} variations, 0 to {}", n.saturating_sub(1)),
        };
        let function = match self {
            Variation::Create => "store_variation",
            Variation::Load(at) | Variation::Delete(at) if at >= count => {
                log.refuse(format!("macroVariationIndex {at}: {there}"));
                return Ok(());
            }
            Variation::Load(at) | Variation::Delete(at) => {
                session.set(rack, "selected_variation_index", Model::Int(at))?;
                if matches!(self, Variation::Load(_)) {
                    "recall_selected_variation"
                } else {
                    "delete_selected_variation"
                }
            }
            Variation::Revert if count == 0 => {
                log.refuse(format!("macroVariation revert: {there}"));
                return Ok(());
            }
            Variation::Revert => "recall_last_used_variation",
            Variation::Randomize if !flag(session, rack, "has_macro_mappings")? => {
                log.refuse("macroVariation randomize: only mapped macros are, and this rack has none");
                return Ok(());
            }
            Variation::Randomize => "randomize_macros",
        };
        log.record("macroVariation", session.call(rack, function, &[]))?;
        Ok(())
    }
}

/// Macros are shown in pairs, so an odd number is rounded up.
fn write_macro_count(
    session: &mut dyn Session,
    rack: ObjectId,
    asked: i64,
    log: &mut WriteLog,
) -> Result<(), ToolError> {
    let even = asked.saturating_add(asked % 2);
    let before = int(session, rack, "visible_macro_count")?;
    let mut shown = before;
    // Not every host log onto the number; none needs more log than there are macros.
    for _ in 0..MACROS {
        if shown == even {
            break;
        }
        session.call(rack, if shown < even { "add_macro" } else { "remove_macro" }, &[])?;
        shown = int(session, rack, "visible_macro_count")?;
    }
    log.record("macroCount", Ok::<_, ToolError>(()))?;
    if shown != asked {
        log.entry.insert("macroCount".to_owned(), json!(shown));
        let why = if asked % 2 == 1 { "macros are shown in pairs" } else { "a rack shows no fewer" };
        add_detail(&mut log.entry, format!("macroCount is {shown}, not {asked}: {why}"));
    }
    let mapped = session.get(rack, "macros_mapped")?;
    let Model::Bools(mapped) = mapped else { return Ok(()) };
    let mut hidden = Vec::new();
    for (at, _) in mapped.iter().enumerate().filter(|(_, mapped)| **mapped) {
        let place = i64::try_from(at).unwrap_or(i64::MAX);
        if place >= shown && place < before {
            let parameter = session.child_at(rack, "parameters", at.saturating_add(1))?;
            let name = parameter.map(|parameter| text(session, parameter, "name")).transpose()?;
            hidden.push(format!("{} ({})", at.saturating_add(1), name.unwrap_or_default()));
        }
    }
    if !hidden.is_empty() {
        add_detail(
            &mut log.entry,
            format!("macros that are mapped and hidden now: {}; their mappings stay", hidden.join(", ")),
        );
    }
    Ok(())
}
