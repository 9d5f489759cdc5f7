//! Clip: automation drawn in it, and its view.
//!
//! Live's scripts draw envelopes with an object of their own, which the class table does not have. Here an envelope is a
//! dictionary of its points, which tools read; scripts see whether there are any, and clear them.

use super::{Answer, SetState, Target};
use crate::object_model::wrapper::object_argument;
use crate::object_model::{ModelError, ObjectId, ObjectModel, Value};
use crate::set::document::{Clip, Envelope, EnvelopePoint};
use crate::set::ids::Serial;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// `{"parameter": id, "points": [{"time": beats, "value": raw}]}`.
fn shown(envelope: &Envelope) -> Json {
    let point = |p: &EnvelopePoint| json!({"time": p.time, "value": p.value});
    json!({"parameter": envelope.parameter, "points": envelope.points.iter().map(point).collect::<Vec<_>>()})
}

impl SetState {
    pub(super) fn read_clip_envelopes(&self, clip: &Clip, member: &str) -> Answer<Value> {
        Some(Ok(match member {
            "has_envelopes" => (!clip.envelopes.is_empty()).into(),
            "automation_envelopes" => {
                let all: Vec<Json> = clip.envelopes.iter().map(|envelope| shown(envelope)).collect();
                Value::Struct(json!({ "automation_envelopes": all }))
            }
            "has_groove" => clip.groove.is_some().into(),
            _ => return None,
        }))
    }

    /// A groove of the pool; a write of `id 0` is ignored, as in Live.
    pub(super) fn write_groove(&mut self, clip: Serial, groove: Option<Target>) -> Result<(), ModelError> {
        match groove {
            None => Ok(()),
            Some(Target::Groove(groove)) => {
                self.document.edit_clip(clip, |clip| clip.groove = Some(groove)).ok_or(ModelError::NoObject)
            }
            Some(_) => Err(ModelError::WrongType { member: "groove".to_owned(), expected: "a groove of the pool" }),
        }
    }

    /// The parameter that an argument names.
    fn parameter_argument(&self, arg: Option<&Value>) -> Result<ObjectId, ModelError> {
        let wrong = || ModelError::refused("the argument is a parameter: \"id N\"");
        let id = arg.and_then(object_argument).flatten().ok_or_else(wrong)?;
        self.class_of(id).filter(|class| class.name == "DeviceParameter").map(|_| id).ok_or_else(wrong)
    }

    pub(super) fn call_clip_envelopes(&mut self, serial: Serial, function: &str, args: &[Value]) -> Answer<Value> {
        let edit = |set: &mut Self, edit: &dyn Fn(&mut Clip)| {
            set.document.edit_clip(serial, |clip| edit(clip)).map(|()| Value::Nothing).ok_or(ModelError::NoObject)
        };
        Some(match function {
            "clear_all_envelopes" => edit(self, &|clip| clip.envelopes.clear()),
            "clear_envelope" => self
                .parameter_argument(args.first())
                .and_then(|id| edit(self, &|clip| clip.envelopes.retain(|envelope| envelope.parameter != id.0))),
            "automation_envelope" => self.parameter_argument(args.first()).map(|id| {
                let clip = self.document.clip(serial);
                let found = clip.and_then(|clip| clip.envelopes.iter().find(|envelope| envelope.parameter == id.0));
                found.map_or(Value::Nothing, |envelope| Value::Struct(shown(envelope)))
            }),
            "create_automation_envelope" => self.create_envelope(serial, args.first()),
            _ => return None,
        })
    }

    /// A flat envelope where the parameter stands.
    fn create_envelope(&mut self, serial: Serial, arg: Option<&Value>) -> Result<Value, ModelError> {
        let parameter = self.parameter_argument(arg)?;
        let clip = self.document.clip(serial).ok_or(ModelError::NoObject)?;
        if self.track_of_clip(serial).is_none() {
            return Err(ModelError::refused("only clips of the Session have envelopes of their own"));
        }
        if clip.is_unwarped() {
            return Err(ModelError::refused("an unwarped clip has no beats to draw at"));
        }
        if clip.envelopes.iter().any(|envelope| envelope.parameter == parameter.0) {
            return Err(ModelError::refused("the clip has an envelope for that parameter"));
        }
        let value = self.get(parameter, "value")?.as_f64().unwrap_or_default();
        let points = vec![EnvelopePoint { time: clip.region().0, value }];
        let envelope = Envelope { parameter: parameter.0, points };
        let answer = Value::Struct(shown(&envelope));
        self.document.edit_clip(serial, |clip| clip.envelopes.push(Arc::new(envelope))).ok_or(ModelError::NoObject)?;
        Ok(answer)
    }

    /// The view itself shows nothing here; what it is told is looked at and is otherwise of no effect.
    pub(super) fn call_clip_view(&mut self, function: &str, args: &[Value]) -> Answer<Value> {
        match function {
            "show_envelope" | "hide_envelope" | "show_loop" => Some(Ok(Value::Nothing)),
            "select_envelope_parameter" => Some(self.parameter_argument(args.first()).map(|_| Value::Nothing)),
            _ => None,
        }
    }
}
