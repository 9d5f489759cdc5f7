//! Members without behaviour of their own: kept with their object and read back, starting from the table's default.

use crate::object_model::class::{Property, ValueKind};
use crate::object_model::{ModelError, Value};
use crate::set::document::StoredMembers;
use crate::set::document::attributes::{MAX_STORED_VALUES, can_be_stored};
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// Switches of the transport that are pressed rather than set: no part of the Set, of what is saved or of a step.
const MOMENTARY: [&str; 6] = [
    "is_ableton_link_enabled",
    "is_ableton_link_start_stop_sync_enabled",
    "nudge_down",
    "nudge_up",
    "record_mode",
    "session_record",
];

impl SetState {
    pub(super) fn stored(&self, target: ObjectRef, member: &str, property: &Property) -> Value {
        let kept = match self.store_of(target, member) {
            Some(store) => store.get(&key(target, member)),
            None => self.view_settings.get(&(target.id().0, key(target, member))),
        };
        kept.or(property.default.as_ref()).and_then(|json| typed(property.kind, json)).unwrap_or_else(|| zero(property))
    }

    fn store_of(&self, target: ObjectRef, member: &str) -> Option<&StoredMembers> {
        let doc = &self.document;
        Some(match target {
            ObjectRef::Song if MOMENTARY.contains(&member) => return None,
            ObjectRef::Song => &doc.song.stored,
            ObjectRef::Track(serial) => &doc.track(serial)?.stored,
            ObjectRef::Mixer(serial) => &doc.track(serial)?.stored,
            ObjectRef::Scene(serial) => &doc.scene(serial)?.stored,
            ObjectRef::Clip(serial) => &doc.clip(serial)?.stored,
            ObjectRef::Device(serial) | ObjectRef::DeviceIo { device: serial, .. } => &self.device(serial)?.stored,
            ObjectRef::Chain(serial) => &doc.chain(serial)?.stored,
            ObjectRef::Sample(device) => &self.device(device)?.sample.as_ref()?.stored,
            ObjectRef::Groove(serial) => &doc.groove(serial)?.stored,
            ObjectRef::TuningSystem => &doc.song.stored,
            _ => return None,
        })
    }

    pub(super) fn store(&mut self, target: ObjectRef, member: &str, value: &Value) -> Result<(), ModelError> {
        let json = storable(untyped(value))?;
        let key_here = key(target, member);
        let put = |store: &mut StoredMembers, key: String| {
            store.insert(key, json.clone());
        };
        let doc = &mut self.document;
        let done = match target {
            ObjectRef::Song if !MOMENTARY.contains(&member) => {
                put(&mut Arc::make_mut(&mut doc.song).stored, key_here);
                Some(())
            }
            ObjectRef::Track(serial) => doc.edit_track(serial, |t| put(&mut t.stored, key_here)),
            ObjectRef::Mixer(serial) => doc.edit_track(serial, |t| put(&mut t.stored, key_here)),
            ObjectRef::Scene(serial) => doc.edit_scene(serial, |s| put(&mut s.stored, key_here)),
            ObjectRef::Clip(serial) => doc.edit_clip(serial, |c| put(&mut c.stored, key_here)),
            ObjectRef::Device(serial) | ObjectRef::DeviceIo { device: serial, .. } => {
                self.edit_device(serial, |d| put(&mut d.stored, key_here))
            }
            ObjectRef::Chain(serial) => doc.edit_chain(serial, |c| put(&mut c.stored, key_here)),
            ObjectRef::Sample(device) => doc.edit_sample(device, |s| put(&mut s.stored, key_here)),
            ObjectRef::Groove(serial) => doc.edit_groove(serial, |g| put(&mut g.stored, key_here)),
            ObjectRef::TuningSystem => {
                put(&mut Arc::make_mut(&mut doc.song).stored, key_here);
                Some(())
            }
            _ => {
                self.view_settings.insert((target.id().0, key_here), json);
                Some(())
            }
        };
        done.ok_or(ModelError::NoObject)
    }
}

/// A mixer and the tuning system have no store of their own; their owner's keeps their members under a name of their
/// own.
fn key(target: ObjectRef, member: &str) -> String {
    match target {
        ObjectRef::Mixer(_) => format!("mixer.{member}"),
        ObjectRef::TuningSystem => format!("tuning.{member}"),
        ObjectRef::DeviceIo { index, .. } => format!("{}{member}", SetState::io_prefix(index)),
        // Two names of one switch.
        ObjectRef::Song if member == "overdub" => "arrangement_overdub".to_owned(),
        _ => member.to_owned(),
    }
}

/// Checks a value that a saved Set has to hold and give back.
pub(super) fn storable(json: Json) -> Result<Json, ModelError> {
    if can_be_stored(&json) {
        return Ok(json);
    }
    Err(ModelError::refused(format!("the value holds more than {MAX_STORED_VALUES} values, the most that a Set keeps")))
}

pub(super) fn untyped(value: &Value) -> Json {
    match value {
        Value::Bool(b) => json!(b),
        Value::Int(i) => json!(i),
        Value::Float(f) => json!(f),
        Value::Text(text) => json!(text),
        Value::Ints(list) => json!(list),
        Value::Bools(list) => json!(list),
        Value::Texts(list) => json!(list),
        Value::Struct(json) => json.clone(),
        Value::Nothing | Value::Object(_) | Value::Objects(_) => Json::Null,
    }
}

fn typed(kind: ValueKind, json: &Json) -> Option<Value> {
    Some(match kind {
        ValueKind::Bool => Value::Bool(json.as_bool().or_else(|| json.as_i64().map(|n| n != 0))?),
        ValueKind::Int => Value::Int(json.as_i64()?),
        ValueKind::Float => Value::Float(json.as_f64()?),
        ValueKind::Text => Value::Text(json.as_str()?.to_owned()),
        ValueKind::Ints => Value::Ints(json.as_array()?.iter().filter_map(Json::as_i64).collect()),
        ValueKind::Bools => Value::Bools(json.as_array()?.iter().filter_map(Json::as_bool).collect()),
        ValueKind::Texts => {
            Value::Texts(json.as_array()?.iter().filter_map(|t| t.as_str().map(str::to_owned)).collect())
        }
        ValueKind::Dict => Value::Struct(json.clone()),
        ValueKind::List | ValueKind::Bang | ValueKind::Browser => return None,
    })
}

/// What a member without a known default starts with: nothing, or its lower end where nothing is out of range, or the
/// first of the numbers it may have where nothing is none of them.
fn zero(property: &Property) -> Value {
    let first = property.numbers.as_ref().filter(|numbers| !numbers.contains(&0)).and_then(|numbers| numbers.first());
    let least = first.map(|n| *n as f64).or(property.min.filter(|min| *min > 0.0)).unwrap_or(0.0);
    match property.kind {
        ValueKind::Bool => Value::Bool(false),
        ValueKind::Int => Value::Int(least as i64),
        ValueKind::Float => Value::Float(least),
        ValueKind::Text => Value::Text(String::new()),
        ValueKind::Ints => Value::Ints(Vec::new()),
        ValueKind::Bools => Value::Bools(Vec::new()),
        ValueKind::Texts => Value::Texts(Vec::new()),
        ValueKind::Dict => Value::Struct(json!({})),
        ValueKind::List | ValueKind::Bang | ValueKind::Browser => Value::Nothing,
    }
}
