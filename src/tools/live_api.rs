//! `svc-live-api`: the object model itself, operation by operation. Off unless it is switched on.

use crate::files::audio;
use crate::object_model::Session;
use crate::object_model::wrapper::{FIELDS, Wrapper};
use crate::tools::answer_size;
use crate::tools::budget::MAX_ANSWER_BYTES;
use crate::tools::call::{CallContext, arguments, prepared};
use crate::tools::error::ToolError;
use crate::tools::request::RequestContext;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The tool's name.
pub const LIVE_API_TOOL: &str = "svc-live-api";

pub static TOOL: Tool = Tool {
    name: LIVE_API_TOOL,
    title: "Live API",
    read_only: false,
    destructive: true,
    description: |_: &RequestContext| {
        "Raw access to the Live Object Model: up to 50 operations in order, from an object path. Prefer the other tools. A \
         missing object answers 1 (getcount 0, exists false); set always answers 1: read back."
            .to_owned()
    },
    params: &[
        Param::new(
            "path",
            ParamKind::Text,
            "object to start on, such as \"live_set tracks 0 clip_slots 0 clip\"",
        )
        .required(),
        Param::new(
            OPERATIONS,
            ParamKind::Schema(operations_schema),
            "get/set/call act on the object, get_property/call_method on the wrapper itself; goto moves to another path",
        )
        .required(),
    ],
    aliases: &[],
    left_out_in_small_model: false,
    reads_files: |map| {
        let operations = map.get("operations").and_then(Value::as_array);
        operations.is_some_and(|list| list.iter().filter_map(Value::as_object).any(|sent| file_named(sent).is_some()))
    },
    small: |_| false,
    prepare: Prepare::Seeing(|map, view| {
        let args: Args = arguments(map)?;
        let operations = args.operations.into_iter().enumerate().map(|(at, sent)| Operation::read(at, sent));
        let operations = operations.collect::<Result<Vec<_>, _>>()?;
        let path = args.path;
        let named = operations.iter().filter_map(|o| file_named(&o.sent)).map(str::to_owned);
        let files = audio::probe_all(named, &view.device.allowed_folders(), &|| view.budget.is_over());
        Ok(prepared(move |session, call| {
            session.know_files(files);
            run(session, call, &path, &operations)
        }))
    }),
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

/// What an operation does. Kebab-case spellings are taken beside the published ones; `get-field` is `get_property`, and
/// `get-property` is `getProperty`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum OperationType {
    #[serde(rename = "get")]
    Get,
    #[serde(rename = "set")]
    Set,
    #[serde(rename = "set_property", alias = "set-property")]
    SetProperty,
    #[serde(rename = "call")]
    Call,
    #[serde(rename = "goto")]
    Goto,
    #[serde(rename = "info")]
    Info,
    #[serde(rename = "getcount")]
    GetCount,
    #[serde(rename = "getstring")]
    GetString,
    #[serde(rename = "getProperty", alias = "get-property")]
    GetProperty,
    #[serde(rename = "getChildIds", alias = "get-child-ids")]
    GetChildIds,
    #[serde(rename = "exists")]
    Exists,
    #[serde(rename = "getColor", alias = "get-color")]
    GetColor,
    #[serde(rename = "setColor", alias = "set-color")]
    SetColor,
    #[serde(rename = "get_property", alias = "get-field")]
    GetField,
    #[serde(rename = "call_method", alias = "call-method")]
    CallMethod,
    #[serde(rename = "set_path", alias = "set-path")]
    SetPath,
    #[serde(rename = "set_mode", alias = "set-mode")]
    SetMode,
}

use OperationType::{
    Call, CallMethod, Exists, Get, GetChildIds, GetColor, GetCount, GetField, GetProperty, GetString, Goto, Info, Set,
    SetColor, SetMode, SetPath, SetProperty,
};

/// Every type with its published spelling, in the order in which they are listed.
const TYPES: [(OperationType, &str); 17] = [
    (Get, "get"),
    (Set, "set"),
    (SetProperty, "set_property"),
    (Call, "call"),
    (Goto, "goto"),
    (Info, "info"),
    (GetCount, "getcount"),
    (GetString, "getstring"),
    (GetProperty, "getProperty"),
    (GetChildIds, "getChildIds"),
    (Exists, "exists"),
    (GetColor, "getColor"),
    (SetColor, "setColor"),
    (GetField, "get_property"),
    (CallMethod, "call_method"),
    (SetPath, "set_path"),
    (SetMode, "set_mode"),
];

/// The spellings that are taken and not published.
const ALSO_TAKEN: [&str; 9] = [
    "call-method",
    "get-child-ids",
    "get-color",
    "get-field",
    "get-property",
    "set-color",
    "set-mode",
    "set-path",
    "set-property",
];

impl OperationType {
    fn name(self) -> &'static str {
        TYPES.iter().find(|(of, _)| *of == self).map_or("", |(_, name)| name)
    }

    fn reads_property(self) -> bool {
        matches!(self, Get | Set | SetProperty | GetCount | GetString | GetProperty | GetChildIds | GetField)
    }

    fn reads_value(self) -> bool {
        matches!(self, Set | SetProperty | Goto | SetColor | SetPath | SetMode)
    }

    fn reads_method(self) -> bool {
        matches!(self, Call | CallMethod)
    }
}

fn published_types() -> [&'static str; 17] {
    TYPES.map(|(_, name)| name)
}

fn operations_schema() -> Value {
    json!({
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_OPERATIONS,
        "items": {
            "type": "object",
            "properties": {
                "type": { "type": "string", "enum": published_types() },
                "property": { "type": "string", "description": "property or child name" },
                "value": { "description": "what to write; a path for goto and set_path, #RRGGBB for setColor, 0 or 1 for set_mode" },
                "method": { "type": "string", "description": "function name for call, wrapper method for call_method" },
                "args": { "type": "array", "description": "arguments; an object is written \"id N\"" }
            },
            "required": ["type"]
        }
    })
}

/// The enum values that a call may use beside the published ones, and those.
pub fn accepted_types() -> Vec<String> {
    let mut all: Vec<String> = published_types().into_iter().chain(ALSO_TAKEN).map(str::to_owned).collect();
    all.sort();
    all
}

/// What a refusal lists for a value of that tool at that place of its arguments, where it is the type of an operation.
pub fn types_at(tool: &str, path: &str) -> Option<Value> {
    let of_operation = path.strip_prefix('/')?.strip_prefix(OPERATIONS)?.ends_with("/type");
    (of_operation && tool == TOOL.name).then(|| json!(published_types()))
}

/// An operation whose fields are right.
struct Operation {
    sent: Map<String, Value>,
    kind: OperationType,
}

impl Operation {
    fn read(at: usize, sent: Map<String, Value>) -> Result<Operation, ToolError> {
        let refuse = |what: String| ToolError::new(format!("operations[{at}]: {what}"));
        let spelling = sent.get("type").unwrap_or(&Value::Null);
        let kind = OperationType::deserialize(spelling).map_err(|_| {
            let spelling = spelling.as_str().unwrap_or_default();
            refuse(format!("\"{spelling}\" is no operation type; use one of {}", published_types().join(", ")))
        })?;
        let operation = Operation { sent, kind };
        for (field, needed) in
            [("property", kind.reads_property()), ("value", kind.reads_value()), ("method", kind.reads_method())]
        {
            // `null` is "not sent", but a value like any other to what is to be written.
            let may_be_null = field == "value" && kind.reads_value() && kind.reads_property();
            let there = operation.sent.get(field).is_some_and(|v| may_be_null || !v.is_null());
            if needed && !there {
                return Err(refuse(format!("{} needs {field}", kind.name())));
            }
            if !needed && there {
                return Err(refuse(format!("{} does not read {field}", kind.name())));
            }
        }
        if !kind.reads_method() && operation.sent.get("args").is_some_and(|v| !v.is_null()) {
            return Err(refuse(format!("{} does not read args", kind.name())));
        }
        let value = operation.sent.get("value");
        match kind {
            Goto | SetPath | SetColor if value.and_then(Value::as_str).is_none() => {
                return Err(refuse(format!("{} takes a text as value", kind.name())));
            }
            Goto | SetColor if operation.text("value").is_empty() => {
                return Err(refuse(format!("{} takes a value that is not empty", kind.name())));
            }
            SetMode if !matches!(value.and_then(Value::as_i64), Some(0 | 1)) => {
                return Err(refuse("set_mode takes 0 (follow the path) or 1 (follow the object)".to_owned()));
            }
            GetField if !FIELDS.contains(&operation.text("property")) => {
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

        Ok(match self.kind {
            Get => Some(wrapper.get(session, property)?),
            Set => Some(wrapper.set(session, property, value)?),
            SetProperty => {
                wrapper.set(session, property, value)?;
                Some(value.clone())
            }
            Call => Some(wrapper.call(session, self.text("method"), self.args())?),
            Goto | SetPath => {
                wrapper.goto(session, self.text("value"))?;
                None
            }
            Info => Some(wrapper.info(session)?),
            GetCount => Some(wrapper.getcount(session, property)?),
            GetString => Some(wrapper.getstring(session, property)?),
            GetProperty => wrapper.get_property(session, property)?,
            GetChildIds => Some(wrapper.child_ids(session, property)?),
            Exists => Some(json!(wrapper.exists(session)?)),
            GetColor => Some(wrapper.color(session)?),
            SetColor => Some(wrapper.set_color(session, self.text("value"))?),
            GetField => wrapper.field(session, property)?,
            CallMethod => wrapper.method(session, self.text("method"), self.args())?,
            SetMode => {
                wrapper.set_mode(value.as_i64().unwrap_or_default());
                None
            }
        })
    }
}

/// Runs the operations in order. The wrapper lives as long as the request; its path goes with it.
fn run(
    session: &mut dyn Session,
    call: &CallContext,
    path: &str,
    operations: &[Operation],
) -> Result<Value, ToolError> {
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
        call.budget.spend_answer(answer_size::bytes_up_to(&entry, MAX_ANSWER_BYTES as usize + 1))?;
        results.push(entry);
    }
    Ok(json!({ "path": wrapper.path(session)?, "id": wrapper.id_text(), "results": results }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_read_and_every_type_has_one() {
        let mut read = Vec::new();
        for spelling in accepted_types() {
            read.push(OperationType::deserialize(&json!(spelling)).unwrap());
        }
        for (kind, name) in TYPES {
            assert_eq!((kind.name(), OperationType::deserialize(&json!(name)).unwrap()), (name, kind));
            assert!(read.contains(&kind), "{name}");
        }
        assert_eq!(accepted_types().len(), TYPES.len() + ALSO_TAKEN.len());
        assert_eq!(OperationType::deserialize(&json!("get-property")).unwrap(), GetProperty);
        assert_eq!(OperationType::deserialize(&json!("get-field")).unwrap(), GetField);
    }
}
