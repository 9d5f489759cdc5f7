//! The parameters of a device as reads list them.

use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{flag, int, number};
use crate::tools::error::ToolError;
use crate::tools::parameter::display::{self, DisplayKind, INF, ParamDisplay};
use crate::tools::parameter::find::ParamNames;
use serde_json::{Map, Value, json};

/// The device's parameters and virtual parameters, in order: those of which a name that a write may use holds
/// `search` in any case; with their values where asked for.
pub fn list(
    session: &dyn Session,
    device: ObjectId,
    search: Option<&str>,
    values: bool,
) -> Result<Vec<Value>, ToolError> {
    let names = ParamNames::of_device(session, device)?;
    let search = search.map(str::to_lowercase);
    let mut list = Vec::new();
    for parameter in names.parameters.iter().filter(|p| search.as_ref().is_none_or(|search| p.holds(search))) {
        let mut entry = Map::new();
        entry.insert("id".to_owned(), json!(parameter.id.to_string()));
        entry.insert("name".to_owned(), json!(parameter.name));
        if values {
            with_value(session, parameter.id, &mut entry)?;
        }
        list.push(Value::Object(entry));
    }
    let wanted = |name: &str| search.as_ref().is_none_or(|search| name.to_lowercase().contains(search));
    for virtual_param in names.virtual_params.iter().filter(|virtual_param| wanted(virtual_param.name)) {
        list.push(match values {
            true => Value::Object(virtual_param.with_value(session, device)?),
            false => json!({ "name": virtual_param.name }),
        });
    }
    Ok(list)
}

fn with_value(session: &dyn Session, parameter: ObjectId, entry: &mut Map<String, Value>) -> Result<(), ToolError> {
    let display = ParamDisplay::read(session, parameter)?;
    let mut set = |field: &str, value: Value| entry.insert(field.to_owned(), value);
    set("value", display.value(session)?);
    if let Some((min, max)) = display.range() {
        set("min", min);
        // What has no end is told among the words.
        if max != INF {
            set("max", max);
        }
    }
    if let Some(unit) = display.unit() {
        set("unit", json!(unit));
    }
    if let DisplayKind::Number { .. } = &display.shows {
        let label = display::label(session, parameter, number(session, parameter, "value")?)?;
        label.into_iter().for_each(|label| drop(set("label", json!(label.trim()))));
    }
    if let DisplayKind::Steps(labels) = &display.shows {
        set("options", json!(labels));
    }
    if !display.words.is_empty() {
        set("alsoAccepts", display.words.iter().map(|(word, _)| json!(word)).collect());
    }
    if !flag(session, parameter, "is_enabled")? {
        set("enabled", json!(false));
    }
    match int(session, parameter, "state")? {
        1 => drop(set("state", json!("inactive"))),
        2 => drop(set("state", json!("disabled"))),
        _ => {}
    }
    match int(session, parameter, "automation_state")? {
        1 => drop(set("automation", json!("active"))),
        2 => drop(set("automation", json!("overridden"))),
        _ => {}
    }
    Ok(())
}
