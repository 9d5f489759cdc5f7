//! What is different about a device beside its parameters: what reads list among its parameters, and of a rack what its
//! macros move and are called.

use super::shown_value::ShownValue;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::if_known;
use crate::tools::error::ToolError;
use crate::tools::parameter::{macros, virtual_table};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Members that [`special`] tells of, and those that only go along with others.
pub fn is_told(device: &dyn Session, id: ObjectId, member: &str) -> Result<bool, ModelError> {
    let rack = ["mappings", "macro_names", "variations", "selected_variation", "last_variation", "visible_macros"];
    let plain = member.strip_prefix("sample ").unwrap_or(member);
    let has_it = |of: &&virtual_table::VirtualParam| of.shows(plain);
    Ok(rack.contains(&member) || virtual_table::virtual_params_of(device, id)?.iter().any(has_it))
}

/// What is different, one for each thing that reads show.
pub fn special(
    before: &dyn Session,
    after: &dyn Session,
    id: ObjectId,
    members: &[(String, Value, Value)],
) -> Result<Vec<ShownValue>, ToolError> {
    let mut all = Vec::new();
    let mut push = |name: String, old: Value, new: Value| {
        if old != new {
            all.push(ShownValue { name, old, new });
        }
    };
    for of in virtual_table::virtual_params_of(after, id)? {
        let (old, new) = (if_known(of.value(before, id))?, if_known(of.value(after, id))?);
        push(of.name.to_owned(), old.unwrap_or_default(), new.unwrap_or_default());
    }
    for (member, was, is) in members {
        match member.as_str() {
            "mappings" => {
                let (mut old, new) = (moved_by_macros(before, id)?, moved_by_macros(after, id)?);
                for (name, now) in new {
                    push(name.clone(), old.remove(&name).map_or(Value::Null, |was| json!(was)), json!(now));
                }
                old.into_iter().for_each(|(name, was)| push(name, json!(was), Value::Null));
            }
            "macro_names" => {
                let (mut old, new) = (names(was), names(is));
                for (name, now) in new {
                    push(name.clone(), old.remove(&name).unwrap_or_default(), now);
                }
                old.into_iter().for_each(|(name, was)| push(name, was, Value::Null));
            }
            "variations" => push(member.clone(), count(was), count(is)),
            "selected_variation" => push("selected variation".to_owned(), was.clone(), is.clone()),
            "visible_macros" => push("macros".to_owned(), was.clone(), is.clone()),
            _ => {}
        }
    }
    Ok(all)
}

fn count(list: &Value) -> Value {
    json!(list.as_array().map_or(0, Vec::len))
}

/// `Cutoff (20 Hz to 5 kHz), Volume (...)` by `macro 1`.
fn moved_by_macros(session: &dyn Session, rack: ObjectId) -> Result<BTreeMap<String, String>, ToolError> {
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    for mapping in macros::list(session, rack)? {
        let text = |field: &str| mapping.get(field).and_then(Value::as_str).unwrap_or_default();
        let number = mapping.get("macro").cloned().unwrap_or_default();
        let moved = format!("{} ({} to {})", text("parameter"), text("from"), text("to"));
        let list = all.entry(format!("macro {number}")).or_default();
        *list = if list.is_empty() { moved } else { format!("{list}, {moved}") };
    }
    Ok(all)
}

/// Own names of macros by `name of macro 1`.
fn names(kept: &Value) -> Map<String, Value> {
    let number = |at: &str| at.parse::<u64>().map_or_else(|_| at.to_owned(), |at| (at + 1).to_string());
    let all = kept.as_object().into_iter().flatten();
    all.map(|(at, name)| (format!("name of macro {}", number(at)), name.clone())).collect()
}
