//! Values of the object model as they go over the wire, and failures as they come back.
//!
//! On the wire a value is JSON's own null, truth, number or text, a list of those, `{"id": n}` for an object (0 for
//! none), `{"ids": [...]}` for a list of objects, or `{"struct": {...}}` for a dictionary.

use super::link::RequestError;
use crate::music::Note;
use crate::object_model::class::ValueKind;
use crate::object_model::{ModelError, ObjectId, Value};
use serde_json::{Map, Value as Json, json};

/// A reference to an object.
pub fn reference(id: ObjectId) -> Json {
    json!({ "id": id.0 })
}

/// The object of `{"id": n}`; `None` for 0.
pub fn object(json: &Json) -> Option<ObjectId> {
    json.get("id").and_then(Json::as_u64).filter(|id| *id > 0).map(ObjectId)
}

pub fn to_wire(value: &Value) -> Json {
    match value {
        Value::Nothing => Json::Null,
        Value::Bool(b) => json!(b),
        Value::Int(i) => json!(i),
        Value::Float(f) => json!(f),
        Value::Text(text) => json!(text),
        Value::Object(id) => json!({ "id": id.map_or(0, |id| id.0) }),
        Value::Objects(ids) => json!({ "ids": ids }),
        Value::Ints(list) => json!(list),
        Value::Bools(list) => json!(list),
        Value::Texts(list) => json!(list),
        Value::Struct(json) => json!({ "struct": json }),
    }
}

/// A value that came. `kind` is what the class table says of a property: JSON does not tell 4 from 4.0, nor an empty
/// list of texts from one of numbers.
pub fn from_wire(json: Json, kind: Option<ValueKind>) -> Value {
    match json {
        Json::Null => Value::Nothing,
        Json::Bool(b) => match kind {
            Some(ValueKind::Int) => Value::Int(i64::from(b)),
            _ => Value::Bool(b),
        },
        Json::Number(number) => match (kind, number.as_i64()) {
            (Some(ValueKind::Bool), Some(i @ 0..=1)) => Value::Bool(i == 1),
            (Some(ValueKind::Float), _) | (_, None) => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
            (_, Some(i)) => Value::Int(i),
        },
        Json::String(text) => Value::Text(text),
        Json::Array(items) => list(items, kind),
        Json::Object(mut members) => match (members.remove("struct"), members.get("ids")) {
            (Some(given), _) => Value::Struct(given),
            (None, Some(Json::Array(ids))) => {
                Value::Objects(ids.iter().filter_map(Json::as_u64).filter(|id| *id > 0).map(ObjectId).collect())
            }
            _ => Value::Object(object(&Json::Object(members))),
        },
    }
}

fn list(items: Vec<Json>, kind: Option<ValueKind>) -> Value {
    let all = |is: fn(&Json) -> bool| !items.is_empty() && items.iter().all(is);
    match kind {
        Some(ValueKind::Ints) => Value::Ints(items.iter().filter_map(Json::as_i64).collect()),
        Some(ValueKind::Bools) => Value::Bools(items.iter().filter_map(truth).collect()),
        _ if all(Json::is_i64) => Value::Ints(items.iter().filter_map(Json::as_i64).collect()),
        _ if all(Json::is_boolean) => Value::Bools(items.iter().filter_map(truth).collect()),
        _ if items.iter().all(Json::is_string) => {
            Value::Texts(items.into_iter().filter_map(|item| item.as_str().map(str::to_owned)).collect())
        }
        _ => Value::Struct(Json::Array(items)),
    }
}

fn truth(json: &Json) -> Option<bool> {
    json.as_bool().or_else(|| json.as_i64().map(|i| i != 0))
}

/// A note as a row: id, pitch, start, duration, velocity, mute, probability, deviation, release velocity. New notes
/// have the id 0.
pub fn note_to_row(note: &Note) -> Json {
    json!([
        0,
        note.pitch,
        note.start,
        note.duration,
        note.velocity,
        note.mute,
        note.probability,
        note.velocity_deviation,
        note.release_velocity
    ])
}

/// `None` of what is no row.
pub fn note_from_row(row: &Json) -> Option<Note> {
    let [_, pitch, start, duration, velocity, mute, probability, deviation, release] = row.as_array()?.as_slice()
    else {
        return None;
    };
    Some(Note {
        pitch: u8::try_from(pitch.as_u64()?).ok().filter(|pitch| *pitch < 128)?,
        start: start.as_f64()?,
        duration: duration.as_f64()?,
        velocity: velocity.as_f64()?,
        velocity_deviation: deviation.as_f64()?,
        probability: probability.as_f64()?,
        mute: mute.as_bool()?,
        release_velocity: release.as_f64()?,
    })
}

/// A step's failure, or a request's, as an error of the object model.
pub fn model_error(code: &str, text: &str, about: &Map<String, Json>) -> ModelError {
    let named = |name: &str| about.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    match code {
        "no_object" => ModelError::NoObject,
        "unknown_member" => ModelError::UnknownMember { class: named("class"), member: named("member") },
        "read_only" => ModelError::ReadOnly { member: named("member") },
        "bad_arguments" => ModelError::BadArguments { function: named("function"), expected: named("expected") },
        "unable" => ModelError::Unable(text.to_owned()),
        // The class table is looked at first, so what is left is Live's own reason.
        _ => ModelError::Refused(text.to_owned()),
    }
}

impl From<RequestError> for ModelError {
    fn from(error: RequestError) -> ModelError {
        match error {
            RequestError::Refused { code, started, .. } if code == "expired" && !started => {
                ModelError::Unreachable("Live had no time for it before its time was up; it was not begun".to_owned())
            }
            RequestError::Refused { code, text, about, .. } => match code.as_str() {
                "busy" | "internal" | "malformed" | "too_large" | "cancelled" => {
                    ModelError::Unreachable(format!("the script in Live: {text}"))
                }
                _ => model_error(&code, &text, &about),
            },
            RequestError::NotAsked(why) => ModelError::Unreachable(format!("{why}; it was not begun")),
            RequestError::NoAnswer(why) => ModelError::Unreachable(format!(
                "{why}; what was asked for last may have been done or not: look in Live"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_as_the_class_table_says() {
        for (sent, kind, value) in [
            (json!(4), Some(ValueKind::Float), Value::Float(4.0)),
            (json!(4.5), None, Value::Float(4.5)),
            (json!(4), None, Value::Int(4)),
            (json!(1), Some(ValueKind::Bool), Value::Bool(true)),
            (json!(true), Some(ValueKind::Int), Value::Int(1)),
            (json!("a"), Some(ValueKind::Text), Value::Text("a".to_owned())),
            (json!([]), Some(ValueKind::Ints), Value::Ints(Vec::new())),
            (json!([]), Some(ValueKind::Texts), Value::Texts(Vec::new())),
            (json!([1, 2]), None, Value::Ints(vec![1, 2])),
            (json!([true, false]), Some(ValueKind::List), Value::Bools(vec![true, false])),
            (json!(["a"]), None, Value::Texts(vec!["a".to_owned()])),
            (json!([1, "a"]), None, Value::Struct(json!([1, "a"]))),
            (json!({"id": 7}), None, Value::Object(Some(ObjectId(7)))),
            (json!({"id": 0}), None, Value::Object(None)),
            (json!({"ids": [1, 0, 2]}), None, Value::Objects(vec![ObjectId(1), ObjectId(2)])),
            (json!({"struct": {"a": 1}}), None, Value::Struct(json!({"a": 1}))),
            (Json::Null, None, Value::Nothing),
        ] {
            assert_eq!(from_wire(sent.clone(), kind), value, "{sent}");
        }
    }

    #[test]
    fn notes_keep_every_value() {
        let note = Note {
            pitch: 61,
            start: -0.5,
            duration: 0.25,
            velocity: 80.5,
            velocity_deviation: -12.0,
            probability: 0.5,
            mute: true,
            release_velocity: 3.0,
        };
        assert_eq!(note_from_row(&note_to_row(&note)), Some(note));
        for bad in [json!([]), json!({}), json!([0, 128, 0.0, 1.0, 1.0, false, 1.0, 0.0, 64.0])] {
            assert_eq!(note_from_row(&bad), None, "{bad}");
        }
    }
}
