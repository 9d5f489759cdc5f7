//! A track's routings: what is chosen, and what could be.

use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{flag_if_any, if_any, int};
use crate::tools::mixer::mixer_strip::MONITORING;
use crate::tools::mixer::routing::{dictionary, identifier};
use crate::tools::read::gathered::Gathered;
use crate::tools::read::routing_list::SharedEntries;
use serde_json::{Map, Value, json};

const CHOSEN: [(&str, &str, &str); 4] = [
    ("input_routing_type", "inputRoutingType", "inputId"),
    ("input_routing_channel", "inputRoutingChannel", "inputId"),
    ("output_routing_type", "outputRoutingType", "outputId"),
    ("output_routing_channel", "outputRoutingChannel", "outputId"),
];

const AVAILABLE: [(&str, &str, &str); 4] = [
    ("available_input_routing_types", "availableInputRoutingTypes", "inputId"),
    ("available_input_routing_channels", "availableInputRoutingChannels", "inputId"),
    ("available_output_routing_types", "availableOutputRoutingTypes", "outputId"),
    ("available_output_routing_channels", "availableOutputRoutingChannels", "outputId"),
];

/// What [`chosen`] reads.
pub const READ_CHOSEN: [&str; 7] = [
    "input_routing_type",
    "input_routing_channel",
    "output_routing_type",
    "output_routing_channel",
    "is_foldable",
    "can_be_armed",
    "current_monitoring_state",
];

/// What [`available`] reads.
pub const READ_AVAILABLE: [&str; 5] = [
    "available_input_routing_types",
    "available_input_routing_channels",
    "available_output_routing_types",
    "available_output_routing_channels",
    "is_foldable",
];

/// Group tracks have no input fields; what a return or main track lacks is null.
pub fn chosen(session: &dyn Session, track: ObjectId, out: &mut Gathered) -> Result<(), ModelError> {
    for (member, field, id) in CHOSEN {
        match dictionary(session, track, member)? {
            Some(entry) => out.set(field, pair(entry, id)),
            None if is_group(session, track)? => {}
            None => out.set(field, Value::Null),
        }
    }
    if flag_if_any(session, track, "can_be_armed")?
        && let Some(state) = if_any(int(session, track, "current_monitoring_state"))?
        && let Some(state) = usize::try_from(state).ok().and_then(|at| MONITORING.get(at))
    {
        out.set("monitoringState", *state);
    }
    Ok(())
}

/// What this track lacks is an empty list; a group's inputs are left out.
pub fn available(
    session: &dyn Session,
    track: ObjectId,
    shared: &SharedEntries,
    out: &mut Gathered,
) -> Result<(), ModelError> {
    for (member, field, id) in AVAILABLE {
        if let Some(choices) = session.routing_choices(track, member)? {
            out.set(field, shared.list(session, track, id, choices)?);
            continue;
        }
        match dictionary(session, track, member)? {
            Some(Value::Array(entries)) => {
                out.set(field, entries.into_iter().map(|entry| pair(entry, id)).collect::<Vec<_>>());
            }
            _ if is_group(session, track)? => {}
            _ => out.set(field, json!([])),
        }
    }
    Ok(())
}

fn is_group(session: &dyn Session, track: ObjectId) -> Result<bool, ModelError> {
    flag_if_any(session, track, "is_foldable")
}

/// `{name, inputId}`: either of them can be written back.
fn pair(mut entry: Value, id: &str) -> Value {
    let identifier = identifier(&entry);
    // A list names every track, for every track: names are moved.
    let name = entry.get_mut("display_name").map(Value::take).unwrap_or_default();
    let mut pair = Map::with_capacity(2);
    pair.insert("name".to_owned(), name);
    pair.insert(id.to_owned(), identifier.into());
    Value::Object(pair)
}
