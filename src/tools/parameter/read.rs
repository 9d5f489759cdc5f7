//! The parameters of a device as reads list them.

use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{flag, if_any, int, number};
use crate::tools::error::ToolError;
use crate::tools::parameter::display::{self, DisplayKind, INF, ParamDisplay};
use crate::tools::parameter::find::ParamNames;
use serde_json::{Map, Value, json};

/// The device's parameters and virtual parameters, in order, with their values where asked for. Of a search those that
/// hold one of its terms, in any case: in a name that a write may use, or, where no name has the term, in an option.
pub fn list(session: &dyn Session, device: ObjectId, search: &[String], values: bool) -> Result<Vec<Value>, ToolError> {
    let names = ParamNames::of_device(session, device)?;
    let search = Search::new(search, &names);
    let mut list = Vec::new();
    for parameter in &names.parameters {
        if !search.finds(|term| parameter.holds(term), || options_of(session, parameter.id))? {
            continue;
        }
        let mut entry = Map::new();
        entry.insert("id".to_owned(), json!(parameter.id.to_string()));
        entry.insert("name".to_owned(), json!(parameter.name));
        if values {
            with_value(session, parameter.id, &mut entry)?;
        }
        list.push(Value::Object(entry));
    }
    for virtual_param in &names.virtual_params {
        let options = || -> Result<Vec<String>, ModelError> {
            let choices = virtual_param.choices(session, device)?.unwrap_or_default();
            Ok(choices.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        };
        if !search.finds(|term| virtual_param.name.to_lowercase().contains(term), options)? {
            continue;
        }
        list.push(match values {
            true => Value::Object(virtual_param.with_value(session, device)?),
            false => json!({ "name": virtual_param.name }),
        });
    }
    Ok(list)
}

/// The terms of a search, in lower case.
struct Search {
    all: Vec<String>,
    /// Those that no name holds: options are looked at for them.
    in_no_name: Vec<String>,
}

impl Search {
    fn new(terms: &[String], names: &ParamNames) -> Search {
        let all: Vec<String> = terms.iter().map(|term| term.to_lowercase()).collect();
        let in_name = |term: &str| {
            names.parameters.iter().any(|parameter| parameter.holds(term))
                || names.virtual_params.iter().any(|of| of.name.to_lowercase().contains(term))
        };
        let in_no_name = all.iter().filter(|term| !in_name(term)).cloned().collect();
        Search { all, in_no_name }
    }

    /// Whether what has such a name and such options is meant; without terms all is.
    fn finds(
        &self,
        in_name: impl Fn(&str) -> bool,
        options: impl FnOnce() -> Result<Vec<String>, ModelError>,
    ) -> Result<bool, ModelError> {
        if self.all.is_empty() || self.all.iter().any(|term| in_name(term)) {
            return Ok(true);
        }
        if self.in_no_name.is_empty() {
            return Ok(false);
        }
        let options: Vec<String> = options()?.iter().map(|option| option.to_lowercase()).collect();
        Ok(self.in_no_name.iter().any(|term| options.iter().any(|option| option.contains(term))))
    }
}

/// The names of the steps of a parameter, if it has steps.
fn options_of(session: &dyn Session, parameter: ObjectId) -> Result<Vec<String>, ModelError> {
    if !flag(session, parameter, "is_quantized")? {
        return Ok(Vec::new());
    }
    Ok(match if_any(session.get(parameter, "value_items"))? {
        Some(Model::Texts(items)) => items,
        _ => Vec::new(),
    })
}

fn with_value(session: &dyn Session, parameter: ObjectId, entry: &mut Map<String, Value>) -> Result<(), ToolError> {
    let display = ParamDisplay::read(session, parameter)?;
    let mut set = |field: &str, value: Value| entry.insert(field.to_owned(), value);
    set("value", display.value(session)?);
    if let Some(remark) = session.remark(parameter)? {
        set("detail", json!(remark));
    }
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
