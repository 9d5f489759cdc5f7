//! What a property holds, a function takes and gives.

use super::ObjectId;
use serde_json::{Value as Json, json};

/// A value of the object model. Beats, seconds and the like are plain floats; the class table says the unit.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A function that gives nothing.
    Nothing,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    /// A child; `None` is Live's `id 0`.
    Object(Option<ObjectId>),
    Objects(Vec<ObjectId>),
    Ints(Vec<i64>),
    Bools(Vec<bool>),
    Texts(Vec<String>),
    /// A dictionary, such as a routing or the notes of a clip.
    Struct(Json),
}

impl Value {
    /// The number in a number or a boolean.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Bool(b) => Some(f64::from(u8::from(*b))),
            Value::Int(i) => Some(*i as f64),
            Value::Float(f) => Some(*f),
            _ => None,
        }
    }

    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Bool(b) => Some(i64::from(*b)),
            Value::Int(i) => Some(*i),
            Value::Float(f) if f.fract() == 0.0 && f.abs() < 9e15 => Some(*f as i64),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            Value::Int(i @ 0..=1) => Some(*i == 1),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_object(&self) -> Option<ObjectId> {
        match self {
            Value::Object(id) => *id,
            _ => None,
        }
    }

    /// The value as Live's scripting layer lists it (`get`): a list, one element for a scalar, `["id", n, ...]` for
    /// objects, one JSON text for a dictionary. Booleans are 0 and 1, and a text of digits arrives as a number.
    pub fn to_list(&self) -> Json {
        match self {
            Value::Nothing => json!(["id", 0]),
            Value::Bool(b) => json!([u8::from(*b)]),
            Value::Int(i) => json!([i]),
            Value::Float(f) => json!([number(*f)]),
            Value::Text(text) => json!([text_or_number(text)]),
            Value::Object(id) => json!(["id", id.map_or(0, |id| id.0)]),
            Value::Objects(ids) => Json::Array(ids.iter().flat_map(|id| [json!("id"), json!(id.0)]).collect()),
            Value::Ints(list) => json!(list),
            Value::Bools(list) => Json::Array(list.iter().map(|b| json!(u8::from(*b))).collect()),
            Value::Texts(list) => json!(list),
            Value::Struct(json) => json!([json.to_string()]),
        }
    }
}

/// A JSON argument as a value of the object model. `["id", 5]` is an object; other lists and objects stay dictionaries
/// unless they are plain lists of one kind.
pub fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Nothing,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => match n.as_i64() {
            Some(i) => Value::Int(i),
            None => Value::Float(n.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => match items.as_slice() {
            [Json::String(word), Json::Number(n)] if word == "id" => {
                Value::Object(n.as_u64().filter(|n| *n > 0).map(ObjectId))
            }
            [one] => from_json(one),
            items if items.iter().all(Json::is_i64) => Value::Ints(items.iter().filter_map(Json::as_i64).collect()),
            items if items.iter().all(Json::is_string) => {
                Value::Texts(items.iter().filter_map(|i| i.as_str().map(str::to_owned)).collect())
            }
            _ => Value::Struct(json.clone()),
        },
        Json::Object(_) => Value::Struct(json.clone()),
    }
}

/// The object an argument names: an object, the text `id 5`, or the number 5. `Some(None)` is `id 0`.
pub fn object_argument(value: &Value) -> Option<Option<ObjectId>> {
    let of = |n: u64| Some((n > 0).then_some(ObjectId(n)));
    match value {
        Value::Object(id) => Some(*id),
        Value::Text(text) => of(text.trim().strip_prefix("id ")?.trim().parse().ok()?),
        Value::Int(n) => of(u64::try_from(*n).ok()?),
        _ => None,
    }
}

/// A float as JSON: whole numbers without a fraction, as Live prints them.
pub fn number(f: f64) -> Json {
    if f.fract() == 0.0 && f.abs() < 9e15 { json!(f as i64) } else { json!(f) }
}

/// Live's scripting layer turns a text of digits alone into a number.
fn text_or_number(text: &str) -> Json {
    let digits = !text.is_empty() && text.len() <= 15 && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse::<i64>() {
        Ok(n) if digits => json!(n),
        _ => json!(text),
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Value::Bool(b)
    }
}

impl From<i64> for Value {
    fn from(i: i64) -> Self {
        Value::Int(i)
    }
}

impl From<f64> for Value {
    fn from(f: f64) -> Self {
        Value::Float(f)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl From<ObjectId> for Value {
    fn from(id: ObjectId) -> Self {
        Value::Object(Some(id))
    }
}

impl From<i32> for Value {
    fn from(i: i32) -> Self {
        Value::Int(i64::from(i))
    }
}
