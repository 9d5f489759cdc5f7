//! Clip: automation drawn in it, and its view.
//!
//! Live's scripts draw envelopes with an object of their own, which the class table does not have. Here an envelope is
//! a dictionary of its points, which tools read; scripts see whether there are any, and clear them.

use crate::object_model::value::object_argument;
use crate::object_model::{EnvelopePoint, ModelError, ObjectId, ObjectModel, Value};
use crate::set::document::ids::Serial;
use crate::set::document::{Clip, Envelope};
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// `{"parameter": id, "points": [{"time": beats, "value": raw}]}`; a point that the way bends after has a `curve` too.
fn shown(envelope: &Envelope) -> Json {
    let point = |p: &EnvelopePoint| match p.curve {
        0.0 => json!({"time": p.time, "value": p.value}),
        curve => json!({"time": p.time, "value": p.value, "curve": curve}),
    };
    json!({"parameter": envelope.parameter, "points": envelope.points.iter().map(point).collect::<Vec<_>>()})
}

impl SetState {
    pub(in crate::set::model) fn read_clip_envelopes(&self, clip: &Clip, member: &str) -> MemberAnswer<Value> {
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
    pub(in crate::set::model) fn write_groove(
        &mut self,
        clip: Serial,
        groove: Option<ObjectRef>,
    ) -> Result<(), ModelError> {
        match groove {
            None => Ok(()),
            Some(ObjectRef::Groove(groove)) => {
                self.document.edit_clip(clip, |clip| clip.groove = Some(groove)).ok_or(ModelError::NoObject)
            }
            Some(_) => Err(ModelError::WrongType { member: "groove".to_owned(), expected: "a groove of the pool" }),
        }
    }

    /// The parameter that an argument names.
    fn parameter_argument(&self, arg: Option<&Value>) -> Result<ObjectId, ModelError> {
        let wrong = || ModelError::refused("the argument is a parameter: \"id N\"");
        let id = arg.and_then(object_argument).flatten().ok_or_else(wrong)?;
        self.class_of(id)?.filter(|class| class.name == "DeviceParameter").map(|_| id).ok_or_else(wrong)
    }

    pub(in crate::set::model) fn call_clip_envelopes(
        &mut self,
        serial: Serial,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
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
        let points = vec![EnvelopePoint { time: clip.region().0, value, curve: 0.0 }];
        let envelope = Envelope::new(parameter.0, points);
        let answer = Value::Struct(shown(&envelope));
        self.document.edit_clip(serial, |clip| clip.envelopes.push(Arc::new(envelope))).ok_or(ModelError::NoObject)?;
        Ok(answer)
    }

    /// HostEdits::draw_envelope.
    pub(in crate::set::model) fn draw(
        &mut self,
        clip: ObjectId,
        parameter: ObjectId,
        points: Vec<EnvelopePoint>,
    ) -> Result<(), ModelError> {
        let Some(ObjectRef::Clip(serial)) = self.object_ref(clip) else { return Err(ModelError::NoObject) };
        let argument = [Value::from(parameter)];
        self.parameter_argument(argument.first())?;
        let (Some(low), Some(high)) = (self.get(parameter, "min")?.as_f64(), self.get(parameter, "max")?.as_f64())
        else {
            return Err(ModelError::NoObject);
        };
        if !points.is_sorted_by(|a, b| a.time <= b.time) {
            return Err(ModelError::refused("the points of an envelope are in order of time"));
        }
        if let Some(wrong) = points.iter().find(|point| !(low..=high).contains(&point.value)) {
            let range = format!("from {low} to {high} for this parameter, not {}", wrong.value);
            return Err(ModelError::OutOfRange { member: "a value".to_owned(), range });
        }
        if points.iter().any(|point| !point.time.is_finite() || !(-1.0..=1.0).contains(&point.curve)) {
            return Err(ModelError::refused("a point has a time, and a curve from -1 to 1"));
        }
        let clear = |set: &mut Self| {
            let clip = set.document.edit_clip(serial, |clip| clip.envelopes.retain(|e| e.parameter != parameter.0));
            clip.ok_or(ModelError::NoObject)
        };
        if points.is_empty() {
            return clear(self);
        }
        let before = self.document.clip(serial).map(|clip| clip.envelopes.clone()).unwrap_or_default();
        clear(self)?;
        let made = self.create_envelope(serial, argument.first());
        let drawn = self.document.edit_clip(serial, |clip| match (&made, clip.envelopes.last_mut()) {
            (Ok(_), Some(envelope)) => Arc::make_mut(envelope).points = points,
            _ => clip.envelopes = before,
        });
        made.and(drawn.ok_or(ModelError::NoObject))
    }

    /// No window shows the view: arguments are checked, and nothing else happens.
    pub(in crate::set::model) fn call_clip_view(&mut self, function: &str, args: &[Value]) -> MemberAnswer<Value> {
        match function {
            "show_envelope" | "hide_envelope" | "show_loop" => Some(Ok(Value::Nothing)),
            "select_envelope_parameter" => Some(self.parameter_argument(args.first()).map(|_| Value::Nothing)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::document::Groove;
    use crate::set::edit::validate::validate;
    use std::collections::BTreeMap;

    fn with_clip() -> (SetState, ObjectId, Serial) {
        let mut set = SetState::alone();
        let track = set.resolve("live_set tracks 0").unwrap().unwrap();
        set.call(track, "create_midi_clip", &[0.0.into(), 4.0.into()]).unwrap();
        let slot = set.resolve("live_set tracks 0 clip_slots 0").unwrap().unwrap();
        let id = set.call(slot, "create_clip", &[4.0.into()]).unwrap().as_object().unwrap();
        let Some(ObjectRef::Clip(serial)) = set.object_ref(id) else { panic!("a clip") };
        (set, id, serial)
    }

    #[test]
    fn envelopes_are_made_read_doubled_and_cleared() {
        let (mut set, clip, serial) = with_clip();
        let volume = [Value::from(set.resolve("live_set tracks 0 mixer_device volume").unwrap().unwrap())];
        let pan = [Value::from(set.resolve("live_set tracks 0 mixer_device panning").unwrap().unwrap())];
        let has = |set: &SetState| set.get(clip, "has_envelopes").unwrap().as_bool().unwrap();
        assert!(!has(&set));
        assert_eq!(set.call(clip, "automation_envelope", &volume).unwrap(), Value::Nothing);
        let Value::Struct(made) = set.call(clip, "create_automation_envelope", &volume).unwrap() else {
            panic!("a dictionary")
        };
        assert_eq!(made["points"], json!([{"time": 0.0, "value": 0.85}]));
        assert!(set.call(clip, "create_automation_envelope", &volume).is_err(), "there is one");
        set.call(clip, "create_automation_envelope", &pan).unwrap();
        assert!(has(&set));
        set.call(clip, "duplicate_loop", &[]).unwrap();
        let points = |set: &SetState| set.document.clip(serial).unwrap().envelopes[0].points.clone();
        assert_eq!(points(&set).iter().map(|p| p.time).collect::<Vec<_>>(), [0.0, 4.0]);
        assert_eq!(validate(&set.document), Ok(()));
        set.call(clip, "clear_envelope", &volume).unwrap();
        assert_ne!(set.call(clip, "automation_envelope", &pan).unwrap(), Value::Nothing);
        set.call(clip, "clear_all_envelopes", &[]).unwrap();
        assert!(!has(&set));
        // Clips on the timeline have none of their own.
        let placed = set.resolve("live_set tracks 0 arrangement_clips 0").unwrap().unwrap();
        assert!(set.call(placed, "create_automation_envelope", &pan).is_err());
    }

    #[test]
    fn a_clip_takes_a_groove_of_the_pool() {
        let (mut set, clip, _) = with_clip();
        let serial = set.document.fresh_serial().unwrap();
        Arc::make_mut(&mut set.document.grooves).push(Groove { serial, notes: None, stored: BTreeMap::new() });
        set.document.index.insert(serial, crate::set::document::object_index::Location::Groove);
        let groove = ObjectRef::Groove(serial).id();
        let track = set.resolve("live_set tracks 0").unwrap().unwrap();
        assert_eq!(set.get(clip, "groove").unwrap(), Value::Object(None));
        assert!(set.set(clip, "groove", track.into()).is_err());
        assert_eq!(set.get(clip, "has_groove").unwrap(), false.into());
        set.set(clip, "groove", format!("id {groove}").into()).unwrap();
        assert_eq!(set.get(clip, "groove").unwrap(), groove.into());
        assert_eq!(set.get(clip, "has_groove").unwrap(), true.into());
        // Ignored, as in Live.
        set.set(clip, "groove", "id 0".into()).unwrap();
        assert_eq!(set.get(clip, "groove").unwrap(), groove.into());
    }

    #[test]
    fn what_only_tools_ask_of_audio_clips() {
        let (mut set, _, _) = with_clip();
        let facts = crate::object_model::audio::AudioFacts {
            frames: 16_000,
            sample_rate_hz: 8_000.0,
            channels: 1,
            tempo_bpm: None,
        };
        let files = [("/a.wav".to_owned(), Ok(facts)), ("/b.wav".to_owned(), Err("there is no such file".to_owned()))];
        crate::object_model::HostEdits::know_files(&mut set, files.into_iter().collect());
        let track = set.resolve("live_set tracks 2").unwrap().unwrap();
        let make = |set: &mut SetState, path: &str| set.call(track, "create_audio_clip", &[path.into(), 0.0.into()]);
        assert!(make(&mut set, "/b.wav").unwrap_err().to_string().contains("no such file"));
        assert!(make(&mut set, "/c.wav").unwrap_err().to_string().contains("nobody looked"));
        let clip = make(&mut set, "/a.wav").unwrap().as_object().unwrap();
        for (function, time, want) in [("beat_to_sample_time", 2.0, 8_000.0), ("sample_to_beat_time", 16_000.0, 4.0)] {
            assert_eq!(set.call(clip, function, &[time.into()]).unwrap(), want.into(), "{function}");
        }
        assert!(set.call(clip, "seconds_to_sample_time", &[1.0.into()]).is_err(), "it is warped");
        set.set(clip, "warping", false.into()).unwrap();
        assert_eq!(set.call(clip, "seconds_to_sample_time", &[0.5.into()]).unwrap(), 4_000.0.into());
        assert!(set.call(clip, "beat_to_sample_time", &[1.0.into()]).is_err());
        assert_eq!(set.call(clip, "note_number_to_name", &[60i64.into()]).unwrap(), "C3".into());
        assert_eq!(set.get(clip, "is_session_clip").unwrap(), false.into());
        assert_eq!(set.get(clip, "is_take_lane_clip").unwrap(), false.into());
        assert_eq!(validate(&set.document), Ok(()));
    }
}
