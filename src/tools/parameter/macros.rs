//! Macros of racks: which parameters they move, between which values, and what they are called.

use crate::object_model::{MacroEdit, MacroTarget, ModelError, ObjectId, Session};
use crate::tools::address::model_read::{child, children, children_if_any, class, flag_if_any, number, text};
use crate::tools::address::path_format::tool_path;
use crate::tools::arguments::nearest;
use crate::tools::device::device_actions::run::{MacroAction, MacroChange};
use crate::tools::device::device_actions::syntax::Argument;
use crate::tools::error::ToolError;
use crate::tools::parameter::ParamWrite;
use crate::tools::parameter::display::{self, ParamDisplay};
use crate::tools::parameter::find::{ParamNames, ResolvedParam};
use crate::tools::parameter::inner::{self, InnerParam};
use crate::tools::parameter::pad_sample;
use crate::tools::parameter::shown_value::raw_value;
use serde_json::{Value, json};

/// A rack's macros are its parameters 1 to 16.
const MACROS: usize = 16;

/// Carries out what an action does with a macro of a rack. Gives what is to be said of it.
pub fn edit(session: &mut dyn Session, rack: ObjectId, action: &MacroAction) -> Result<Option<String>, ToolError> {
    let at = macro_index(session, rack, &action.which)?;
    match &action.change {
        MacroChange::Rename(name) => {
            session.edit_macro(rack, at, MacroEdit::Rename(name.clone()))?;
            Ok(None)
        }
        MacroChange::Unmap(parameter) => {
            let parameter = parameter.as_ref().map(|name| find_inside(session, rack, name)).transpose()?;
            session.edit_macro(rack, at, MacroEdit::Unmap(parameter))?;
            Ok(None)
        }
        MacroChange::Map { parameter, range } => {
            let parameter = find_inside(session, rack, parameter)?;
            let display = ParamDisplay::read(session, parameter)?;
            let (at_0, at_127) = match range {
                None => (display.raw_min, display.raw_max),
                Some((from, to)) => (end(session, &display, from)?, end(session, &display, to)?),
            };
            let before = number(session, parameter, "value")?;
            session.edit_macro(rack, at, MacroEdit::Map { parameter, at_0, at_127 })?;
            if (number(session, parameter, "value")? - before).abs() <= (at_127 - at_0).abs() * 1e-6 {
                return Ok(None);
            }
            let now = ParamDisplay::read(session, parameter)?.value(session)?;
            Ok(Some(format!("{} is {now} now, where the macro stands", text(session, parameter, "name")?)))
        }
    }
}

/// What the macros of a rack move, as reads list it; empty where the host cannot tell.
pub fn list(session: &dyn Session, rack: ObjectId) -> Result<Vec<Value>, ToolError> {
    let mut list = Vec::new();
    for MacroTarget { macro_index, parameter, at_0, at_127 } in session.macro_mappings(rack)?.unwrap_or_default() {
        let mut holder = child(session, parameter, "canonical_parent")?;
        // A fader is named by its chain.
        if let Some(mixer) = holder
            && class(session, mixer)? == Some("ChainMixerDevice")
        {
            holder = child(session, mixer, "canonical_parent")?;
        }
        let path = holder.map(|holder| tool_path(session, holder)).transpose()?.flatten();
        let label = |raw| -> Result<Option<String>, ModelError> {
            Ok(display::label(session, parameter, raw)?.map(|label| label.trim().to_owned()))
        };
        list.push(json!({
            "macro": macro_index + 1,
            "parameter": text(session, parameter, "name")?,
            "path": path,
            "from": label(at_0)?,
            "to": label(at_127)?,
        }));
    }
    Ok(list)
}

/// The position, from 0, of the macro that a number or a name means.
fn macro_index(session: &dyn Session, rack: ObjectId, which: &Argument) -> Result<usize, ToolError> {
    let name = match which {
        Argument::Number(_) => {
            let number = which.whole().and_then(|number| usize::try_from(number).ok());
            let at = number.and_then(|number| number.checked_sub(1)).filter(|at| *at < MACROS);
            return at.ok_or_else(|| ToolError::new("macros are counted from 1 to 16"));
        }
        Argument::Text(name) => name.trim(),
    };
    let parameters = children(session, rack, "parameters")?;
    let mut known = Vec::new();
    for (at, parameter) in parameters.into_iter().skip(1).take(MACROS).enumerate() {
        for member in ["name", "original_name"] {
            let own = text(session, parameter, member)?;
            if own.eq_ignore_ascii_case(name) {
                return Ok(at);
            }
            known.push(own);
        }
    }
    let near = nearest::hint(name, known.iter().map(String::as_str));
    Err(ToolError::new(format!("no macro of the rack is called \"{name}\"{near}; they are counted from 1 to 16")))
}

/// The parameter inside a rack that a path with a name behind it means, or a name that only one has.
fn find_inside(session: &dyn Session, rack: ObjectId, name: &str) -> Result<ObjectId, ToolError> {
    if let Some((prefix, last)) = pad_sample::split(session, rack, name)? {
        return match inner::find(session, rack, prefix, last)? {
            InnerParam::Parameter(id) | InnerParam::Strip(id) => Ok(id),
            InnerParam::Virtual(..) | InnerParam::Chain(..) => {
                Err(ToolError::new(format!("{last} is no parameter that a macro could move")))
            }
        };
    }
    let mut fits = Vec::new();
    let mut known = Vec::new();
    for device in devices_inside(session, rack)? {
        let names = ParamNames::of_device(session, device)?;
        let item = ParamWrite { name: Some(name.to_owned()), id: None, value: None };
        if let Ok(ResolvedParam::Parameter { id, name }) = names.find(session, &item) {
            fits.push((id, format!("{}/{name}", tool_path(session, device)?.unwrap_or_default())));
        }
        known.extend(names.parameters.into_iter().map(|parameter| parameter.name));
    }
    match fits.as_slice() {
        [(id, _)] => Ok(*id),
        [] => {
            let near = nearest::hint(name, known.iter().map(String::as_str));
            Err(ToolError::new(format!("no device in the rack has a parameter \"{name}\"{near}")))
        }
        several => {
            let paths: Vec<&str> = several.iter().take(8).map(|(_, path)| path.as_str()).collect();
            Err(ToolError::new(format!(
                "{} devices in the rack have it ({}); name one by its path inside the rack, such as \"c0/d0/{name}\"",
                several.len(),
                paths.join(", ")
            )))
        }
    }
}

/// Every device in a rack's chains, at any depth.
fn devices_inside(session: &dyn Session, rack: ObjectId) -> Result<Vec<ObjectId>, ModelError> {
    let mut found = Vec::new();
    let mut racks = vec![rack];
    while let Some(rack) = racks.pop() {
        for list in ["chains", "return_chains"] {
            for chain in children_if_any(session, rack, list)? {
                for device in children(session, chain, "devices")? {
                    found.push(device);
                    if flag_if_any(session, device, "can_have_chains")? {
                        racks.push(device);
                    }
                }
            }
        }
    }
    Ok(found)
}

/// The raw value at one end of a macro.
fn end(session: &dyn Session, display: &ParamDisplay, sent: &Argument) -> Result<f64, ToolError> {
    match sent {
        Argument::Number(number) => raw_value(session, display, &number.to_string()),
        Argument::Text(text) => raw_value(session, display, text),
    }
}
