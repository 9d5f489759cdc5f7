//! Writing a track's routings, by the name or id of what is available. A type goes before its channel: it decides which
//! channels there are.

use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::model_read::if_any;
use crate::tools::address::path_format;
use crate::tools::arguments::lists::{self, ValueList};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::or_detail;
use crate::tools::report::write_log::WriteLog;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoutingArgs {
    input_routing_type: Option<String>,
    input_routing_channel: Option<String>,
    output_routing_type: Option<String>,
    output_routing_channel: Option<String>,
}

/// One routing parameter and the member that it writes.
struct RoutingWrite {
    parameter: &'static str,
    member: &'static str,
    values: ValueList,
}

/// The routings that a call asks for, types before channels.
pub struct Routings(Vec<RoutingWrite>);

impl Routings {
    pub fn read(args: &RoutingArgs, count: usize) -> Result<Routings, ToolError> {
        let all = [
            ("inputRoutingType", "input_routing_type", &args.input_routing_type),
            ("inputRoutingChannel", "input_routing_channel", &args.input_routing_channel),
            ("outputRoutingType", "output_routing_type", &args.output_routing_type),
            ("outputRoutingChannel", "output_routing_channel", &args.output_routing_channel),
        ];
        let mut wanted = Vec::new();
        for (parameter, member, text) in all {
            // A blank is a name like any other: there are channels that are called nothing at all, and reads show them
            // so.
            if let Some(values) = lists::spread(parameter, text.as_ref(), count)? {
                wanted.push(RoutingWrite { parameter, member, values });
            }
        }
        Ok(Routings(wanted))
    }

    /// The names of the parameters that were sent.
    pub fn sent(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|wanted| wanted.parameter)
    }

    /// Writes those of the target at that position.
    pub fn write(
        &self,
        session: &mut dyn Session,
        track: ObjectId,
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let mut failed_type: Option<&str> = None;
        for RoutingWrite { parameter, member, values } in &self.0 {
            let direction = member.split('_').next().unwrap_or_default();
            if failed_type == Some(direction) {
                log.refuse(format!("{parameter}: left as it is, as its type was not written"));
                continue;
            }
            match or_detail(find_choice(session, track, member, values.at(at).trim()))? {
                Ok(RoutingChoice::Already) => log.record(*parameter, Ok::<_, ToolError>(()))?,
                Ok(RoutingChoice::Entry(entry)) => {
                    let value = Model::Struct(json!({ *member: entry }));
                    log.record(*parameter, session.set(track, member, value))?;
                }
                Err(why) => {
                    log.refuse(format!("{parameter}: {why}"));
                    failed_type = member.ends_with("_type").then_some(direction);
                }
            }
        }
        Ok(())
    }
}

enum RoutingChoice {
    /// Writing the type that is chosen would put its channel back.
    Already,
    Entry(Value),
}

/// What is available under that id or name.
fn find_choice(session: &dyn Session, track: ObjectId, member: &str, wanted: &str) -> Result<RoutingChoice, ToolError> {
    let list = format!("available_{member}s");
    let Some(Value::Array(entries)) = dictionary(session, track, &list)? else {
        let direction = member.split('_').next().unwrap_or_default();
        return Err(ToolError::new(format!(
            "{} has no {direction} routing",
            path_format::path_and_id(session, track)?
        )));
    };
    let name = |entry: &Value| entry.get("display_name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let ways: [&dyn Fn(&Value) -> bool; 3] =
        [&|entry| identifier(entry) == wanted, &|entry| name(entry) == wanted, &|entry| {
            name(entry).to_lowercase() == wanted.to_lowercase()
        }];
    let found = ways.iter().find_map(|way| entries.iter().find(|entry| way(entry)));
    let Some(entry) = found else {
        let names: Vec<String> = entries.iter().map(name).filter(|name| !name.is_empty()).collect();
        let there = if names.is_empty() { "nothing to choose from".to_owned() } else { names.join(", ") };
        return Err(ToolError::new(format!("\"{wanted}\" is not available; there is {there}")));
    };
    let now = dictionary(session, track, member)?.map(|now| identifier(&now));
    Ok(if now == Some(identifier(entry)) { RoutingChoice::Already } else { RoutingChoice::Entry(entry.clone()) })
}

/// The host's dictionary `{member: value}`, unwrapped; `None` where the track has no such member.
pub fn dictionary(session: &dyn Session, track: ObjectId, member: &str) -> Result<Option<Value>, ModelError> {
    Ok(match if_any(session.get(track, member))? {
        Some(Model::Struct(mut dictionary)) => dictionary.get_mut(member).map(Value::take),
        _ => None,
    })
}

pub fn identifier(entry: &Value) -> String {
    let id = entry.get("identifier");
    id.map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned)).unwrap_or_default()
}
