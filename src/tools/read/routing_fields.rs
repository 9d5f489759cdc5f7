//! A track's routings: what is chosen, and what could be.

use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{flag_if_any, if_any, int};
use crate::tools::mixer::mixer_strip::MONITORING;
use crate::tools::mixer::routing::{dictionary, identifier};
use crate::tools::read::gathered::Gathered;
use serde_json::{Value, json};

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

/// Group tracks have no input fields; what a return or main track lacks is null.
pub fn chosen(session: &dyn Session, track: ObjectId, out: &mut Gathered) -> Result<(), ModelError> {
    for (member, field, id) in CHOSEN {
        match dictionary(session, track, member)? {
            Some(entry) => out.set(field, pair(&entry, id)),
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
pub fn available(session: &dyn Session, track: ObjectId, out: &mut Gathered) -> Result<(), ModelError> {
    for (member, field, id) in AVAILABLE {
        match dictionary(session, track, member)? {
            Some(Value::Array(entries)) => {
                out.set(field, entries.iter().map(|entry| pair(entry, id)).collect::<Vec<_>>());
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
fn pair(entry: &Value, id: &str) -> Value {
    let name = entry.get("display_name").cloned().unwrap_or_default();
    json!({ "name": name, id: identifier(entry) })
}
