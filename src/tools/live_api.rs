//! `svc-live-api`: the object model itself, operation by operation. Off unless it is switched on.

use crate::files::audio;
use crate::object_model::Session;
use crate::object_model::wrapper::{FIELDS, Wrapper};
use crate::tools::call::{arguments, prepared};
use crate::tools::error::ToolError;
use crate::tools::request::RequestContext;
use crate::tools::tool::{Param, ParamKind, Tool};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: crate::service::profile::LIVE_API_TOOL,
    title: "Live API",
    read_only: false,
    destructive: true,
    description: |_: &RequestContext| {
        "Raw access to the Live Object Model: runs up to 50 operations in order, starting at an object path. A debugging and \
         scripting escape hatch; prefer the other tools. A missing object answers 1 (getcount 0, exists false); set always \
         answers 1, so read back."
            .to_owned()
    },
    params: &[
        Param::new(
            "path",
            ParamKind::Text,
            "object to start on, such as \"live_set\" or \"live_set tracks 0 clip_slots 0 clip\"",
        )
        .required(),
        Param::new(
            OPERATIONS,
            ParamKind::Schema(operations_schema),
            "1 to 50 operations. get/set/call act on the object; get_property/call_method act on the wrapper itself; \
             goto moves to another path",
        )
        .required(),
    ],
    aliases: &[],
    withheld_in_small_model: false,
    reads_files: |map| {
        let operations = map.get("operations").and_then(Value::as_array);
        operations.is_some_and(|list| list.iter().filter_map(Value::as_object).any(|sent| file_named(sent).is_some()))
    },
    prepare: |map, _| {
        let args: Args = arguments(map)?;
        let operations = args.operations.into_iter().enumerate().map(|(at, sent)| Operation::read(at, sent));
        let operations = operations.collect::<Result<Vec<_>, _>>()?;
        let path = args.path;
        let files = audio::probe_all(operations.iter().filter_map(|o| file_named(&o.sent)).map(str::to_owned));
        Ok(prepared(move |session, _| {
            session.know_files(files);
            run(session, &path, &operations)
        }))
    },
};

/// The parameter that holds the operations.
pub const OPERATIONS: &str = "operations";

/// Operations of one call at most.
pub const MAX_OPERATIONS: usize = 50;

/// Functions whose first argument is the path of an audio file.
const TAKE_A_FILE: [&str; 2] = ["create_audio_clip", "replace_sample"];

/// The audio file that an operation makes something of. Called straight or through the wrapper's own `call`.
fn file_named(operation: &Map<String, Value>) -> Option<&str> {
    let args = operation.get("args").and_then(Value::as_array)?;
    let (function, path) = match operation.get("method")?.as_str()? {
        "call" => (args.first()?.as_str()?, args.get(1)),
        method => (method, args.first()),
    };
    TAKE_A_FILE.contains(&function).then(|| path.and_then(Value::as_str))?
}

#[derive(Deserialize)]
struct Args {
    path: String,
    operations: Vec<Map<String, Value>>,
}

/// An operation type: its published spelling, and which fields it reads.
struct Type {
    name: &'static str,
    property: bool,
    value: bool,
    method: bool,
}

const fn of(name: &'static str, property: bool, value: bool, method: bool) -> Type {
    Type { name, property, value, method }
}

const TYPES: [Type; 17] = [
    of("get", true, false, false),
    of("set", true, true, false),
    of("set_property", true, true, false),
    of("call", false, false, true),
    of("goto", false, true, false),
    of("info", false, false, false),
    of("getcount", true, false, false),
    of("getstring", true, false, false),
    of("getProperty", true, false, false),
    of("getChildIds", true, false, false),
    of("exists", false, false, false),
    of("getColor", false, false, false),
    of("setColor", false, true, false),
    of("get_property", true, false, false),
    of("call_method", false, false, true),
    of("set_path", false, true, false),
    of("set_mode", false, true, false),
];

fn operations_schema() -> Value {
    json!({
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_OPERATIONS,
        "items": {
            "type": "object",
            "properties": {
                "type": { "type": "string", "enum": TYPES.map(|t| t.name) },
                "property": { "type": "string", "description": "property or child name" },
                "value": { "description": "what to write; a path for goto and set_path, #RRGGBB for setColor, 0 or 1 for set_mode" },
                "method": { "type": "string", "description": "function name for call, wrapper method for call_method" },
                "args": { "type": "array", "description": "arguments; an object is written \"id N\"" }
            },
            "required": ["type"]
        }
    })
}

/// `get-child-ids` is the same as `getChildIds`.
fn plain(name: &str) -> String {
    name.chars().filter(|c| *c != '-' && *c != '_').flat_map(char::to_lowercase).collect()
}

/// The type a caller's spelling names. Kebab-case spellings are taken too; `get-field` is `get_property`, and
/// `get-property` is `getProperty`.
fn type_named(spelling: &str) -> Option<&'static Type> {
    let exact = TYPES.iter().find(|t| t.name == spelling);
    let alias = match spelling {
        "get-field" => "get_property",
        "get-property" => "getProperty",
        _ => "",
    };
    exact.or_else(|| TYPES.iter().find(|t| t.name == alias)).or_else(|| {
        let kebab = spelling.contains('-').then(|| plain(spelling))?;
        TYPES.iter().find(|t| plain(t.name) == kebab)
    })
}

/// The enum values that a call may use beside the published ones.
pub fn accepted_types() -> Vec<String> {
    let kebab = |name: &str| {
        let mut out = String::new();
        for c in name.chars() {
            match c {
                '_' => out.push('-'),
                c if c.is_ascii_uppercase() => {
                    out.push('-');
                    out.push(c.to_ascii_lowercase());
                }
                c => out.push(c),
            }
        }
        out
    };
    let published = TYPES.iter().map(|t| t.name.to_owned());
    let mut all: Vec<String> =
        published.chain(TYPES.iter().map(|t| kebab(t.name))).chain(["get-field".to_owned()]).collect();
    all.sort();
    all.dedup();
    all
}

/// Of the values a refusal lists, those that are published: of the operation types, their own spellings alone.
pub fn published(options: &Value) -> Value {
    let of_types = options.as_array().is_some_and(|all| all.contains(&json!("get-field")));
    if of_types { json!(TYPES.map(|t| t.name)) } else { options.clone() }
}

/// An operation whose fields are right.
struct Operation {
    sent: Map<String, Value>,
    kind: &'static Type,
}

impl Operation {
    fn read(at: usize, sent: Map<String, Value>) -> Result<Operation, ToolError> {
        let refuse = |what: String| ToolError::new(format!("operations[{at}]: {what}"));
        let spelling = sent.get("type").and_then(Value::as_str).unwrap_or_default();
        let kind = type_named(spelling).ok_or_else(|| {
            refuse(format!("\"{spelling}\" is no operation type; use one of {}", TYPES.map(|t| t.name).join(", ")))
        })?;
        let operation = Operation { sent, kind };
        for (field, needed) in [("property", kind.property), ("value", kind.value), ("method", kind.method)] {
            // `null` is "not sent", but a value like any other to what is to be written.
            let may_be_null = field == "value" && kind.value && kind.property;
            let there = operation.sent.get(field).is_some_and(|v| may_be_null || !v.is_null());
            if needed && !there {
                return Err(refuse(format!("{} needs {field}", kind.name)));
            }
            if !needed && there {
                return Err(refuse(format!("{} does not read {field}", kind.name)));
            }
        }
        if !kind.method && operation.sent.get("args").is_some_and(|v| !v.is_null()) {
            return Err(refuse(format!("{} does not read args", kind.name)));
        }
        let value = operation.sent.get("value");
        match kind.name {
            "goto" | "set_path" | "setColor" if value.and_then(Value::as_str).is_none() => {
                return Err(refuse(format!("{} takes a text as value", kind.name)));
            }
            "goto" | "setColor" if operation.text("value").is_empty() => {
                return Err(refuse(format!("{} takes a value that is not empty", kind.name)));
            }
            "set_mode" if !matches!(value.and_then(Value::as_i64), Some(0 | 1)) => {
                return Err(refuse("set_mode takes 0 (follow the path) or 1 (follow the object)".to_owned()));
            }
            "get_property" if !FIELDS.contains(&operation.text("property")) => {
                return Err(refuse(format!(
                    "the wrapper has no field \"{}\"; it has {}. Properties of the object itself are read with get",
                    operation.text("property"),
                    FIELDS.join(", ")
                )));
            }
            _ => {}
        }
        Ok(operation)
    }

    fn text(&self, field: &str) -> &str {
        self.sent.get(field).and_then(Value::as_str).unwrap_or_default()
    }

    fn args(&self) -> &[Value] {
        self.sent.get("args").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// `Ok(None)` is *undefined*: the result is left out.
    fn run(&self, wrapper: &mut Wrapper, session: &mut dyn Session) -> Result<Option<Value>, ToolError> {
        let property = self.text("property");
        let null = Value::Null;
        let value = self.sent.get("value").unwrap_or(&null);

        Ok(match self.kind.name {
            "get" => Some(wrapper.get(session, property)?),
            "set" => Some(wrapper.set(session, property, value)?),
            "set_property" => {
                wrapper.set(session, property, value)?;
                Some(value.clone())
            }
            "call" => Some(wrapper.call(session, self.text("method"), self.args())?),
            "goto" | "set_path" => {
                wrapper.goto(session, self.text("value"))?;
                None
            }
            "info" => Some(wrapper.info(session)?),
            "getcount" => Some(wrapper.getcount(session, property)?),
            "getstring" => Some(wrapper.getstring(session, property)?),
            "getProperty" => wrapper.get_property(session, property)?,
            "getChildIds" => Some(wrapper.child_ids(session, property)?),
            "exists" => Some(json!(wrapper.exists(session)?)),
            "getColor" => Some(wrapper.color(session)?),
            "setColor" => Some(wrapper.set_color(session, self.text("value"))?),
            "get_property" => wrapper.field(session, property)?,
            "call_method" => wrapper.method(session, self.text("method"), self.args())?,
            _ => {
                wrapper.set_mode(value.as_i64().unwrap_or_default());
                None
            }
        })
    }
}

/// Runs the operations in order. The wrapper lives as long as the request; its path goes with it.
fn run(session: &mut dyn Session, path: &str, operations: &[Operation]) -> Result<Value, ToolError> {
    let mut wrapper = Wrapper::at(session, path)?;
    let mut results = Vec::with_capacity(operations.len());
    for (at, operation) in operations.iter().enumerate() {
        let result = operation
            .run(&mut wrapper, session)
            .map_err(|e| ToolError { text: format!("operations[{at}]: {e}"), ..e })?;
        let mut entry = json!({ "operation": operation.sent });
        if let (Some(result), Some(entry)) = (result, entry.as_object_mut()) {
            entry.insert("result".to_owned(), result);
        }
        results.push(entry);
    }
    Ok(json!({ "path": wrapper.path(session)?, "id": wrapper.id_text(), "results": results }))
}
