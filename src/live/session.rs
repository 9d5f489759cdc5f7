//! The object model of a running Live, asked over the bridge: one exchange for each read that no bulk read brought, and
//! one for each write.

use super::bridge::Bridge;
use super::known::{Known, sorted};
use super::wire_value::{from_wire, model_error, note_from_row, note_to_row, object, reference, to_wire};
use crate::music::Note;
use crate::object_model::check::{self, Asker};
use crate::object_model::model::{Capability, Clock};
use crate::object_model::path::Root;
use crate::object_model::scope::{Origin, Part, Shape};
use crate::object_model::{
    Class, HostEdits, HostFacts, ModelError, ObjectId, ObjectModel, Scope, Session, Value, class,
};
use parking_lot::Mutex;
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// Live's objects as one call sees them.
pub struct LiveSession {
    bridge: Arc<Bridge>,
    deadline: Instant,
    live_version: String,
    known: Mutex<Known>,
    has_written: bool,
}

impl LiveSession {
    /// For a call that has until `deadline`.
    pub fn new(bridge: Arc<Bridge>, deadline: Instant) -> LiveSession {
        let live_version = bridge.hello().map(|hello| hello.live_version).unwrap_or_default();
        LiveSession { bridge, deadline, live_version, known: Mutex::default(), has_written: false }
    }

    /// Whether Live was asked to change anything.
    pub fn has_written(&self) -> bool {
        self.has_written
    }

    /// One step, read or write; gives its result.
    fn step(&self, step: Json, undo: bool) -> Result<Json, ModelError> {
        let mut answer = self.ask(json!({ "kind": "program", "steps": [step], "undo": undo, "more": true }))?;
        let results = answer.remove("results");
        let first = results.and_then(|results| results.as_array().and_then(|all| all.first().cloned()));
        match first {
            Some(Json::Object(mut result)) => match (result.remove("ok"), result.remove("error")) {
                (_, Some(Json::Object(error))) => {
                    let text = |name: &str| error.get(name).and_then(Json::as_str).unwrap_or_default();
                    Err(model_error(text("code"), text("text"), &error))
                }
                (Some(ok), _) => Ok(ok),
                _ => Err(unreadable()),
            },
            _ => Err(unreadable()),
        }
    }

    fn ask(&self, message: Json) -> Result<Map<String, Json>, ModelError> {
        let Json::Object(message) = message else { return Err(unreadable()) };
        let mut answer = self.bridge.request(message, self.deadline).map_err(ModelError::from)?;
        let highest = self.known.lock().tell(&mut answer);
        self.bridge.note_id(highest);
        Ok(answer)
    }

    fn read(&self, step: Json) -> Result<Json, ModelError> {
        self.step(step, false)
    }

    fn write(&mut self, step: Json) -> Result<Json, ModelError> {
        self.has_written = true;
        self.known.lock().forget_values();
        self.step(step, true)
    }

    /// The class of an object that has to be there.
    fn class(&self, id: ObjectId) -> Result<&'static Class, ModelError> {
        self.class_of(id)?.ok_or(ModelError::NoObject)
    }

    /// What a scope names, in one exchange.
    fn fill(&self, parts: Vec<Part>) -> Result<Known, ModelError> {
        let mut shapes = Shapes::default();
        let parts: Vec<Json> = parts
            .into_iter()
            .map(|part| {
                let of = match part.of {
                    Origin::Id(id) => reference(id),
                    Origin::Path(path) => json!({ "path": path }),
                };
                json!({ "of": of, "shape": shapes.number(&part.shape) })
            })
            .collect();
        let Shapes { list, all_properties, .. } = shapes;
        let mut message = json!({ "kind": "read", "parts": parts, "shapes": list, "more": true });
        if all_properties {
            message["members"] = all_members();
        }
        let mut answer = self.bridge.request(as_object(message), self.deadline).map_err(ModelError::from)?;
        let mut known = Known::default();
        self.bridge.note_id(known.tell(&mut answer));
        known.take_read(answer);
        Ok(known)
    }
}

fn as_object(message: Json) -> Map<String, Json> {
    match message {
        Json::Object(message) => message,
        _ => Map::new(),
    }
}

fn unreadable() -> ModelError {
    ModelError::Unreachable("the script in Live answered in a way that this device does not know".to_owned())
}

/// Shapes with numbers, each once.
#[derive(Default)]
struct Shapes {
    list: Vec<Json>,
    numbers: HashMap<*const Shape, usize>,
    all_properties: bool,
}

impl Shapes {
    fn number(&mut self, shape: &Arc<Shape>) -> usize {
        if let Some(number) = self.numbers.get(&Arc::as_ptr(shape)) {
            return *number;
        }
        let number = self.list.len();
        self.numbers.insert(Arc::as_ptr(shape), number);
        self.list.push(Json::Null);
        let below: Vec<Json> = shape.children.iter().map(|(name, below)| json!([name, self.number(below)])).collect();
        self.all_properties |= shape.all_properties;
        if let Some(place) = self.list.get_mut(number) {
            *place = json!({
                "properties": shape.properties,
                "all": shape.all_properties,
                "counts": shape.counts,
                "children": below,
                "notes": shape.notes,
                "display": shape.display,
            });
        }
        number
    }
}

/// Every readable property of every class, for shapes that ask for all of them.
fn all_members() -> Json {
    let readable = |class: &Class| -> Vec<String> {
        let names = class.properties.keys().filter(|name| check::readable(class, name, Asker::Tool).is_ok());
        names.cloned().collect()
    };
    class::table()
        .classes
        .values()
        .map(|class| (class.name.clone(), json!(readable(class))))
        .collect::<Map<_, _>>()
        .into()
}

impl ObjectModel for LiveSession {
    fn root(&self, root: Root) -> Result<Option<ObjectId>, ModelError> {
        let name = match root {
            Root::LiveSet => "live_set",
            Root::LiveApp => "live_app",
            Root::Id(id) => return Ok(self.class_of(id)?.map(|_| id)),
            // Another script's objects are no part of the session.
            Root::ThisDevice | Root::ControlSurface(_) => return Ok(None),
        };
        if let Some(id) = self.known.lock().root(name) {
            return Ok(Some(id));
        }
        Ok(object(&self.read(json!({ "do": "resolve", "path": name }))?))
    }

    fn class_of(&self, id: ObjectId) -> Result<Option<&'static Class>, ModelError> {
        if let Some(class) = self.known.lock().class_of(id) {
            return Ok(Some(class));
        }
        let found = object(&self.read(json!({ "do": "exists", "of": reference(id) }))?);
        Ok(found.and_then(|id| self.known.lock().class_of(id)))
    }

    fn path_of(&self, id: ObjectId) -> Result<Option<String>, ModelError> {
        let known = self.known.lock().path_of(id).map(str::to_owned);
        if known.is_some() {
            return Ok(known);
        }
        let found = object(&self.read(json!({ "do": "exists", "of": reference(id) }))?);
        Ok(found.and_then(|id| self.known.lock().path_of(id).map(str::to_owned)))
    }

    fn child_count(&self, id: ObjectId, name: &str) -> Result<usize, ModelError> {
        if let Some(count) = self.known.lock().count(id, name) {
            return Ok(count);
        }
        let class = self.class(id)?;
        if !class.children.contains_key(name) {
            return Err(ModelError::UnknownMember { class: class.name.clone(), member: name.to_owned() });
        }
        let count = self.read(json!({ "do": "count", "of": reference(id), "member": name }))?;
        count.as_u64().and_then(|count| usize::try_from(count).ok()).ok_or_else(unreadable)
    }

    fn child_at(&self, id: ObjectId, name: &str, index: usize) -> Result<Option<ObjectId>, ModelError> {
        if let Some(children) = self.known.lock().children(id, name) {
            return Ok(children.get(index).copied());
        }
        let Some(class) = self.class_of(id)? else { return Ok(None) };
        if !class.children.contains_key(name) {
            return Ok(None);
        }
        match self.read(json!({ "do": "child", "of": reference(id), "member": name, "index": index })) {
            Ok(child) => Ok(object(&child)),
            Err(error) if error.is_absence() => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn get_as(&self, asker: Asker, id: ObjectId, member: &str) -> Result<Value, ModelError> {
        let class = self.class(id)?;
        let child = class.children.get(member).filter(|child| asker.may_reach(child.reach));
        let kind = match child {
            Some(_) => None,
            None => Some(check::readable(class, member, asker)?.kind),
        };
        {
            let known = self.known.lock();
            if let Some(value) = known.value(id, member, kind) {
                return Ok(value);
            }
            if let Some(why) = known.refusal(id, member) {
                return Err(ModelError::Refused(why.to_owned()));
            }
            if let (Some(child), Some(ids)) = (child, known.children(id, member)) {
                return Ok(if child.list { Value::Objects(ids) } else { Value::Object(ids.first().copied()) });
            }
        }
        Ok(from_wire(self.read(json!({ "do": "get", "of": reference(id), "member": member }))?, kind))
    }

    fn set_as(&mut self, asker: Asker, id: ObjectId, member: &str, value: Value) -> Result<(), ModelError> {
        let class = self.class(id)?;
        let is_child = class.children.get(member).is_some_and(|child| child.writable() && asker.may_reach(child.reach));
        let value = if is_child { value } else { check::writable(class, member, value, asker)? };
        self.write(json!({ "do": "set", "of": reference(id), "member": member, "value": to_wire(&value) }))?;
        Ok(())
    }

    fn call_as(&mut self, asker: Asker, id: ObjectId, function: &str, args: &[Value]) -> Result<Value, ModelError> {
        check::callable(self.class(id)?, function, args, asker)?;
        let args: Vec<Json> = args.iter().map(to_wire).collect();
        let given = self.write(json!({ "do": "call", "of": reference(id), "function": function, "args": args }))?;
        Ok(from_wire(given, None))
    }

    fn notes(&self, clip: ObjectId) -> Result<Vec<Note>, ModelError> {
        if let Some(notes) = self.known.lock().notes(clip) {
            return Ok(notes.to_vec());
        }
        let rows = self.read(json!({ "do": "notes", "of": reference(clip) }))?;
        let rows = rows.as_array().ok_or_else(unreadable)?;
        Ok(sorted(rows.iter().filter_map(note_from_row).collect()))
    }

    fn replace_notes(&mut self, clip: ObjectId, notes: Vec<Note>) -> Result<(), ModelError> {
        let rows: Vec<Json> = notes.iter().map(note_to_row).collect();
        self.write(json!({ "do": "replace_notes", "of": reference(clip), "rows": rows }))?;
        Ok(())
    }

    fn capability(&self, capability: Capability) -> Result<(), ModelError> {
        match capability {
            Capability::LiveEngine => {
                Err(ModelError::Unable("the script in Live does not offer it; do it in Live itself".to_owned()))
            }
        }
    }

    fn resolve(&self, path: &str) -> Result<Option<ObjectId>, ModelError> {
        if let Some(id) = self.known.lock().at_path(path) {
            return Ok(Some(id));
        }
        Ok(object(&self.read(json!({ "do": "resolve", "path": path }))?))
    }
}

impl HostFacts for LiveSession {
    fn kind(&self) -> &'static str {
        "live"
    }

    fn live_version(&self) -> &str {
        &self.live_version
    }

    fn set_name(&self) -> Result<String, ModelError> {
        Ok(self.fact("name")?.as_str().unwrap_or_default().to_owned())
    }

    fn clock(&self) -> Result<Clock, ModelError> {
        let whole = |name: &str| -> Result<u32, ModelError> {
            self.fact(name)?.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or_else(unreadable)
        };
        Ok(Clock {
            led_by_daw: true,
            playing: self.fact("is_playing")?.as_bool().ok_or_else(unreadable)?,
            tempo_bpm: self.fact("tempo")?.as_f64().ok_or_else(unreadable)?,
            meter: (whole("signature_numerator")?, whole("signature_denominator")?),
        })
    }

    fn snapshot(&self, scope: &Scope<'_>) -> Result<Option<Box<dyn Session + Send>>, ModelError> {
        let known = self.fill(scope.parts()?)?;
        Ok(Some(Box::new(LiveSession {
            bridge: self.bridge.clone(),
            deadline: self.deadline,
            live_version: self.live_version.clone(),
            known: Mutex::new(known),
            has_written: false,
        })))
    }
}

impl LiveSession {
    /// A fact of the song, as the last bulk read told it or as it is.
    fn fact(&self, name: &str) -> Result<Json, ModelError> {
        if let Some(fact) = self.known.lock().facts.get(name) {
            return Ok(fact.clone());
        }
        let song = self.root(Root::LiveSet)?.ok_or(ModelError::NoObject)?;
        self.read(json!({ "do": "get", "of": reference(song), "member": name }))
    }
}

impl HostEdits for LiveSession {}
