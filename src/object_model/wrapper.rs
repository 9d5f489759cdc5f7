//! The wrapper that the raw tool drives: a cursor over the object model that answers as Live's scripting object does.
//!
//! A missing object is no error. On one, a call, `get` and `getstring` answer 1, counts are 0, lists empty, the path
//! and the type "", the id "0", `exists` false, a colour null and `getProperty` undefined; a member that cannot be read
//! is answered likewise. A write answers 1 whether it landed or not.

use super::check::Asker;
use super::info;
use super::model::ObjectModel;
use super::value::{Value, from_json};
use super::{ModelError, ObjectId};
use serde_json::{Value as Json, json};

/// The number that stands for "no object and no answer".
const NO_ANSWER: i64 = 1;

/// A cursor. It follows its object when indexes shift; `mode` is kept and shown as it was set.
#[derive(Clone, Debug, Default)]
pub struct Wrapper {
    id: Option<ObjectId>,
    mode: i64,
}

/// Why a whole call fails.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WrapperError {
    /// A wrapper method or field that does not exist, or was called wrongly.
    #[error("{0}")]
    Misuse(String),
    /// The host does not answer, or the call may ask no more: nothing can be said of what is there.
    #[error(transparent)]
    Unreachable(ModelError),
}

impl From<ModelError> for WrapperError {
    fn from(error: ModelError) -> Self {
        WrapperError::Unreachable(error)
    }
}

/// What the model gave; `None` for what Live's scripting object swallows, which is every error but those that end the
/// call.
fn given<T>(result: Result<T, ModelError>) -> Result<Option<T>, ModelError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.ends_call() => Err(error),
        Err(_) => Ok(None),
    }
}

/// The fields that `get_property` reads.
pub const FIELDS: [&str; 11] =
    ["id", "path", "unquotedpath", "type", "info", "children", "mode", "property", "proptype", "patcher", "valid"];

/// The methods that `call_method` calls.
pub const METHODS: [&str; 13] = [
    "get",
    "set",
    "call",
    "getcount",
    "getstring",
    "goto",
    "getProperty",
    "getChildIds",
    "exists",
    "getColor",
    "setColor",
    "child",
    "info",
];

/// The methods fail with what [ends the call](ModelError::ends_call) alone; every other error has an answer of its own.
impl Wrapper {
    pub fn at<M: ObjectModel + ?Sized>(model: &M, path: &str) -> Result<Wrapper, ModelError> {
        Ok(Wrapper { id: retarget(model, path)?, mode: 0 })
    }

    /// The object, if it (still) exists.
    fn object<M: ObjectModel + ?Sized>(&self, model: &M) -> Result<Option<ObjectId>, ModelError> {
        Ok(match self.id {
            Some(id) => model.class_of(id)?.map(|_| id),
            None => None,
        })
    }

    /// Canonical path; empty when there is no object.
    pub fn path<M: ObjectModel + ?Sized>(&self, model: &M) -> Result<String, ModelError> {
        Ok(match self.id {
            Some(id) => model.path_of(id)?.unwrap_or_default(),
            None => String::new(),
        })
    }

    /// The id as text. A held object that was deleted keeps its old number; a path that never resolved shows "0".
    pub fn id_text(&self) -> String {
        self.id.map_or_else(|| "0".to_owned(), |id| id.to_string())
    }

    pub fn goto<M: ObjectModel + ?Sized>(&mut self, model: &M, path: &str) -> Result<(), ModelError> {
        self.id = retarget(model, path)?;
        Ok(())
    }

    pub fn set_mode(&mut self, mode: i64) {
        self.mode = mode;
    }

    pub fn get<M: ObjectModel + ?Sized>(&self, model: &M, member: &str) -> Result<Json, ModelError> {
        Ok(self.read(model, member)?.map_or(json!(NO_ANSWER), |value| value.to_list()))
    }

    fn read<M: ObjectModel + ?Sized>(&self, model: &M, member: &str) -> Result<Option<Value>, ModelError> {
        match self.object(model)? {
            Some(id) => given(model.get_as(Asker::Raw, id, member)),
            None => Ok(None),
        }
    }

    /// Always 1; read back to see whether it landed.
    pub fn set<M: ObjectModel + ?Sized>(&self, model: &mut M, member: &str, value: &Json) -> Result<Json, ModelError> {
        if let Some(id) = self.object(model)? {
            // Refusals are told by reading back, as in Live.
            given(model.set_as(Asker::Raw, id, member, from_json(value)))?;
        }
        Ok(json!(NO_ANSWER))
    }

    pub fn call<M: ObjectModel + ?Sized>(
        &self,
        model: &mut M,
        function: &str,
        args: &[Json],
    ) -> Result<Json, ModelError> {
        let Some(id) = self.object(model)? else { return Ok(json!(NO_ANSWER)) };
        let args: Vec<Value> = args.iter().map(from_json).collect();
        let called = given(model.call_as(Asker::Raw, id, function, &args))?;
        Ok(called.map_or(json!(NO_ANSWER), |value| value.to_list()))
    }

    pub fn getcount<M: ObjectModel + ?Sized>(&self, model: &M, child: &str) -> Result<Json, ModelError> {
        Ok(match self.object(model)? {
            Some(id) => json!(given(model.child_count(id, child))?.unwrap_or(0)),
            None => json!(0),
        })
    }

    pub fn getstring<M: ObjectModel + ?Sized>(&self, model: &M, member: &str) -> Result<Json, ModelError> {
        Ok(match self.read(model, member)? {
            Some(Value::Struct(json)) => json!(json.to_string()),
            Some(value) => match value.to_list() {
                Json::Array(items) => json!(items.iter().map(plain_text).collect::<Vec<_>>().join(" ")),
                other => json!(plain_text(&other)),
            },
            None => json!(NO_ANSWER),
        })
    }

    /// The value itself, unwrapped; a list is cut to its first element. `None` is JavaScript's *undefined*.
    pub fn get_property<M: ObjectModel + ?Sized>(&self, model: &M, member: &str) -> Result<Option<Json>, ModelError> {
        Ok(self.read(model, member)?.and_then(|value| match value {
            Value::Struct(json) => match json {
                Json::Object(map) if map.len() == 1 => map.into_iter().next().map(|(_, inner)| inner),
                json => Some(json),
            },
            Value::Object(id) => Some(json!(format!("id {}", id.map_or(0, |id| id.0)))),
            Value::Objects(ids) => ids.first().map(|id| json!(format!("id {id}"))),
            value => match value.to_list() {
                Json::Array(items) => items.into_iter().next(),
                other => Some(other),
            },
        }))
    }

    pub fn child_ids<M: ObjectModel + ?Sized>(&self, model: &M, child: &str) -> Result<Json, ModelError> {
        let ids = match self.read(model, child)? {
            Some(Value::Objects(ids)) => ids,
            Some(Value::Object(Some(id))) => vec![id],
            _ => Vec::new(),
        };
        Ok(Json::Array(ids.iter().map(|id| json!(format!("id {id}"))).collect()))
    }

    pub fn exists<M: ObjectModel + ?Sized>(&self, model: &M) -> Result<bool, ModelError> {
        Ok(self.object(model)?.is_some())
    }

    /// `#RRGGBB`, or null.
    pub fn color<M: ObjectModel + ?Sized>(&self, model: &M) -> Result<Json, ModelError> {
        Ok(match self.read(model, "color")?.and_then(|value| value.as_i64()) {
            Some(rgb) => json!(format!("#{rgb:06X}")),
            None => Json::Null,
        })
    }

    /// A colour text that cannot be read is the caller's error; an object without colour changes nothing.
    pub fn set_color<M: ObjectModel + ?Sized>(&self, model: &mut M, hex: &str) -> Result<Json, WrapperError> {
        let rgb = hex.strip_prefix('#').filter(|h| h.len() == 6 && h.bytes().all(|b| b.is_ascii_hexdigit()));
        let rgb = rgb.and_then(|h| i64::from_str_radix(h, 16).ok());
        let rgb = rgb
            .ok_or_else(|| WrapperError::Misuse(format!("setColor takes a colour such as \"#FF8800\", not {hex:?}")))?;
        Ok(self.set(model, "color", &json!(rgb))?)
    }

    pub fn info<M: ObjectModel + ?Sized>(&self, model: &M) -> Result<Json, ModelError> {
        Ok(match self.object(model)? {
            Some(id) => json!(info::info(model, id)?),
            None => json!("No object"),
        })
    }

    /// A field of the wrapper itself. `Ok(None)` is *undefined*.
    pub fn field<M: ObjectModel + ?Sized>(&self, model: &M, field: &str) -> Result<Option<Json>, ModelError> {
        Ok(Some(match field {
            "id" => json!(self.id_text()),
            "path" | "unquotedpath" => json!(self.path(model)?),
            "type" => {
                let class = match self.object(model)? {
                    Some(id) => model.class_of(id)?,
                    None => None,
                };
                json!(class.map_or("", |class| class.type_name.as_str()))
            }
            "info" => self.info(model)?,
            "children" => match self.object(model)? {
                Some(id) => json!(info::children(model, id)?),
                None => json!(["this_device", "control_surfaces", "live_app", "live_set"]),
            },
            "mode" => json!(self.mode),
            "property" | "proptype" => json!(""),
            // Live's own field reads 1 for a missing object too; `exists` is the way to ask.
            "valid" => json!(1),
            _ => return Ok(None),
        }))
    }

    /// A method of the wrapper itself. `Ok(None)` is *undefined*.
    pub fn method<M: ObjectModel + ?Sized>(
        &mut self,
        model: &mut M,
        method: &str,
        args: &[Json],
    ) -> Result<Option<Json>, WrapperError> {
        let text = |at: usize| {
            args.get(at)
                .and_then(Json::as_str)
                .ok_or_else(|| WrapperError::Misuse(format!("{method} takes a name or path as text in args[{at}]")))
        };
        Ok(match method {
            "get" => Some(self.get(model, text(0)?)?),
            "set" => {
                let value = args
                    .get(1)
                    .ok_or_else(|| WrapperError::Misuse("set takes a property and a value in args".to_owned()))?;
                Some(self.set(model, text(0)?, value)?)
            }
            "call" => Some(self.call(model, text(0)?, args.get(1..).unwrap_or_default())?),
            "getcount" => Some(self.getcount(model, text(0)?)?),
            "getstring" => Some(self.getstring(model, text(0)?)?),
            "getProperty" => self.get_property(model, text(0)?)?,
            "getChildIds" => Some(self.child_ids(model, text(0)?)?),
            "exists" => Some(json!(self.exists(model)?)),
            "getColor" => Some(self.color(model)?),
            "setColor" => Some(self.set_color(model, text(0)?)?),
            "info" => Some(self.info(model)?),
            "goto" => {
                self.goto(model, text(0)?)?;
                None
            }
            "child" => {
                let base = self.path(model)?;
                let steps: Vec<String> = args.iter().map(plain_text).collect();
                let child = Wrapper::at(model, &format!("{base} {}", steps.join(" ")))?;
                Some(json!({"id": child.id_text(), "path": child.path(model)?}))
            }
            _ => {
                return Err(WrapperError::Misuse(format!(
                    "the wrapper has no method \"{method}\"; it has {}. Methods of the object itself go through type \"call\"",
                    METHODS.join(", ")
                )));
            }
        })
    }
}

/// A path, an `id N`, or a bare number.
fn retarget<M: ObjectModel + ?Sized>(model: &M, path: &str) -> Result<Option<ObjectId>, ModelError> {
    let path = path.trim();
    if !path.is_empty() && path.bytes().all(|b| b.is_ascii_digit()) {
        return model.resolve(&format!("id {path}"));
    }
    model.resolve(path)
}

fn plain_text(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}
