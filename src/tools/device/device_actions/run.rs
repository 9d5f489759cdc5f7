//! Carrying out the actions of devices.

use crate::object_model::class::class as class_table;
use crate::object_model::{ObjectId, Session, Value};
use crate::tools::address::model_read::{self, child, class, text};
use crate::tools::address::path::Path;
use crate::tools::address::path_format::path_and_id;
use crate::tools::address::path_parse;
use crate::tools::arguments::nearest;
use crate::tools::device::device_actions::syntax::{ActionCall, Argument};
use crate::tools::device::device_actions::{DeviceAction, MODULATION_SOURCES, actions_of, possible};
use crate::tools::error::ToolError;

/// What an action left to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Done,
    /// Save what the device is now as a preset of that name: a file, which is written after the call is kept.
    SavePreset(String),
    /// Map, unmap or name a macro.
    Macro(MacroAction),
}

/// What is done with a macro, as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct MacroAction {
    /// Its number from 1, or its name.
    pub which: Argument,
    pub change: MacroChange,
}

#[derive(Clone, Debug, PartialEq)]
pub enum MacroChange {
    Map { parameter: String, range: Option<(Argument, Argument)> },
    Unmap(Option<String>),
    Rename(String),
}

/// Why an action was not carried out.
enum ActionError {
    /// The arguments are not what the signature says.
    Arguments,
    Why(ToolError),
}

impl<E: Into<ToolError>> From<E> for ActionError {
    fn from(error: E) -> ActionError {
        ActionError::Why(error.into())
    }
}

/// Carries out one action.
pub fn run(session: &mut dyn Session, device: ObjectId, call: &ActionCall) -> Result<Outcome, ToolError> {
    let all = actions_of(session, device)?;
    let Some(action) = all.iter().find(|action| action.name.eq_ignore_ascii_case(&call.name)) else {
        let can = possible(session, device)?;
        let hint = nearest::hint(&call.name, can.iter().map(|action| action.name));
        let there = can.iter().map(|action| action.signature).collect::<Vec<_>>().join(", ");
        return Err(ToolError::new(format!(
            "{} has no action {}{hint}; there are {there}",
            path_and_id(session, device)?,
            call.name
        )));
    };
    if let Some(why) = action.only_live.filter(|_| session.kind() == "embedded") {
        return Err(ToolError::new(why));
    }
    action.run(session, device, &call.arguments).map_err(|failed| match failed {
        ActionError::Arguments => ToolError::new(format!("it is written {}", action.signature)),
        ActionError::Why(error) => error,
    })
}

impl DeviceAction {
    fn run(&self, session: &mut dyn Session, device: ObjectId, arguments: &[Argument]) -> Result<Outcome, ActionError> {
        match (self.name, arguments) {
            ("savePreset", [Argument::Text(name)]) if !name.trim().is_empty() => {
                return Ok(Outcome::SavePreset(name.trim().to_owned()));
            }
            ("mapMacro" | "unmapMacro" | "nameMacro", [which, rest @ ..]) => {
                let change = macro_change(self.name, rest).ok_or(ActionError::Arguments)?;
                return Ok(Outcome::Macro(MacroAction { which: which.clone(), change }));
            }
            ("warpOn" | "warpOff", []) => {
                let sample = sample_of(session, device)?;
                session.set(sample, "warping", (self.name == "warpOn").into())?;
            }
            ("setModulation", [Argument::Text(target), Argument::Text(source), Argument::Number(amount)]) => {
                modulate(session, device, target, source, *amount)?;
            }
            ("addModulationTarget", [Argument::Text(target)]) => {
                row_of(session, device, target)?;
            }
            ("exportToClipSlot", [Argument::Text(place)]) => {
                let Ok(Path::Slot { track, scene }) = path_parse::parse(place) else {
                    return Err(ActionError::Arguments);
                };
                let slot = model_read::slot(session, track, scene)?;
                session.call(device, "export_to_clip_slot", &[Value::Text(format!("id {slot}"))])?;
            }
            (name, arguments) if !OWN.contains(&name) => self.call(session, device, arguments)?,
            _ => return Err(ActionError::Arguments),
        }
        Ok(Outcome::Done)
    }

    /// A function of the device or of its sample, whose arguments are whole numbers.
    fn call(&self, session: &mut dyn Session, device: ObjectId, arguments: &[Argument]) -> Result<(), ActionError> {
        let function = self.function.ok_or(ActionError::Arguments)?;
        let wanted = self.signature.split_once('(').map_or(0, |(_, list)| list.split(',').count());
        let numbers: Option<Vec<Value>> = arguments.iter().map(|a| a.whole().map(Value::Int)).collect();
        let numbers = numbers.filter(|numbers| numbers.len() == wanted).ok_or(ActionError::Arguments)?;
        let table = class(session, device)?.and_then(class_table);
        let of_device = table.is_some_and(|class| class.functions.get(function).is_some());
        let on = if of_device { device } else { sample_of(session, device)? };
        session.call(on, function, &numbers)?;
        Ok(())
    }
}

/// Actions that are more than a call with numbers.
const OWN: [&str; 9] = [
    "savePreset",
    "warpOn",
    "warpOff",
    "setModulation",
    "addModulationTarget",
    "exportToClipSlot",
    "mapMacro",
    "unmapMacro",
    "nameMacro",
];

/// What stands behind the macro in the brackets.
fn macro_change(action: &str, rest: &[Argument]) -> Option<MacroChange> {
    Some(match (action, rest) {
        ("mapMacro", [Argument::Text(parameter)]) => MacroChange::Map { parameter: parameter.clone(), range: None },
        ("mapMacro", [Argument::Text(parameter), from, to]) => {
            MacroChange::Map { parameter: parameter.clone(), range: Some((from.clone(), to.clone())) }
        }
        ("unmapMacro", []) => MacroChange::Unmap(None),
        ("unmapMacro", [Argument::Text(parameter)]) => MacroChange::Unmap(Some(parameter.clone())),
        ("nameMacro", [Argument::Text(name)]) => MacroChange::Rename(name.clone()),
        _ => return None,
    })
}

fn sample_of(session: &dyn Session, device: ObjectId) -> Result<ObjectId, ToolError> {
    let sample = child(session, device, "sample")?;
    sample.ok_or_else(|| ToolError::new("it holds no sample; the parameter sample loads one"))
}

/// The row of a parameter in the modulation matrix, added where it is missing.
fn row_of(session: &mut dyn Session, device: ObjectId, target: &str) -> Result<Value, ToolError> {
    let mut names = Vec::new();
    for id in model_read::children(session, device, "parameters")? {
        names.push((id, text(session, id, "name")?));
    }
    let (parameter, name) = names.iter().find(|(_, name)| same(name, target)).ok_or_else(|| {
        let hint = nearest::hint(target, names.iter().map(|(_, name)| name.as_str()));
        ToolError::new(format!("this device has no parameter \"{target}\"{hint}"))
    })?;
    let argument = Value::Text(format!("id {parameter}"));
    if session.call(device, "is_parameter_modulatable", std::slice::from_ref(&argument))?.as_bool() != Some(true) {
        return Err(ToolError::new(format!("{name} cannot be modulated")));
    }
    Ok(session.call(device, "add_parameter_to_modulation_matrix", &[argument])?)
}

fn modulate(
    session: &mut dyn Session,
    device: ObjectId,
    target: &str,
    source: &str,
    amount: f64,
) -> Result<(), ToolError> {
    if !(-1.0..=1.0).contains(&amount) {
        return Err(ToolError::new(format!("an amount is from -1 to 1, not {amount}")));
    }
    let source_at = MODULATION_SOURCES.iter().position(|(name, short)| same(name, source) || same(short, source));
    let source_at = source_at.ok_or_else(|| {
        let known = MODULATION_SOURCES.map(|(name, _)| name);
        let near = nearest::hint(source, known);
        ToolError::new(format!("there is no source \"{source}\"{near}; there are {}", known.join(", ")))
    })?;
    let row = row_of(session, device, target)?;
    let source_at = i64::try_from(source_at).unwrap_or_default();
    session.call(device, "set_modulation_value", &[row, Value::Int(source_at), Value::Float(amount)])?;
    Ok(())
}

fn same(a: &str, b: &str) -> bool {
    a.trim().to_lowercase() == b.trim().to_lowercase()
}
