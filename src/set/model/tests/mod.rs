//! The devices of the model, seen through the object model as a tool sees it.

mod note_limit;
mod parameters;
mod racks;
mod special;

use crate::object_model::{ObjectId, ObjectModel, Value};
use crate::set::model::set_state::SetState;

/// A Set, with short words for what tests do to it.
pub(super) struct Bench(pub SetState);

impl Bench {
    pub fn new() -> Bench {
        Bench(SetState::alone())
    }

    pub fn at(&self, path: &str) -> ObjectId {
        self.0.resolve(path).unwrap().unwrap_or_else(|| panic!("{path} is there"))
    }

    pub fn get(&self, path: &str, member: &str) -> Value {
        self.0.get(self.at(path), member).unwrap_or_else(|e| panic!("{path} {member}: {e}"))
    }

    pub fn set(&mut self, path: &str, member: &str, value: impl Into<Value>) -> Result<(), String> {
        self.0.set(self.at(path), member, value.into()).map_err(|e| e.to_string())
    }

    /// One undo step.
    pub fn call(&mut self, path: &str, function: &str, args: &[Value]) -> Result<Value, String> {
        let id = self.at(path);
        self.0.call(id, function, args).map_err(|e| e.to_string())
    }

    pub fn made(&mut self, path: &str, function: &str, args: &[Value]) -> ObjectId {
        match self.call(path, function, args) {
            Ok(Value::Object(Some(id))) => id,
            other => panic!("{path} {function} {args:?}: {other:?}"),
        }
    }

    pub fn path(&self, id: ObjectId) -> String {
        self.0.path_of(id).unwrap().unwrap_or_default()
    }
}
