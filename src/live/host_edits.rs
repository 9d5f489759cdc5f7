//! A running Live's share of what no function of the object model does: locators, clips as a whole, copies of devices.

use super::exchange::unreadable;
use super::known::Known;
use super::refusals::NO_PRESETS;
use super::session::LiveSession;
use super::wire_value::reference;
use crate::music::Beats;
use crate::object_model::host_edits::BrowserItem;
use crate::object_model::host_values::EnvelopePoint;
use crate::object_model::model::OWN_DEVICE_INSIDE;
use crate::object_model::{HostEdits, HostFacts, ModelError, ObjectId, ObjectModel, Value};
use serde_json::{Value as Json, json};

/// `Device.type` of an instrument.
const INSTRUMENT: i64 = 1;

impl HostEdits for LiveSession {
    fn create_locator(&mut self, at: Beats) -> Result<ObjectId, ModelError> {
        self.exchanges.lock().toggle_locator(&self.link, at, true)?.ok_or_else(unreadable)
    }

    fn delete_locator(&mut self, locator: ObjectId) -> Result<(), ModelError> {
        let at = self.get(locator, "time")?.as_f64().ok_or_else(unreadable)?;
        self.exchanges.lock().toggle_locator(&self.link, at, false)?;
        Ok(())
    }

    fn split_clip(&mut self, clip: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        self.cut_clip(clip, at)
    }

    fn set_clip_end(&mut self, clip: ObjectId, at: Beats) -> Result<(), ModelError> {
        self.move_clip_end(clip, at)
    }

    fn rebuild_clip(&mut self, clip: ObjectId, onto: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        self.build_clip(clip, onto, at)
    }

    /// Live copies a device beside itself, from where it is moved; but no instruments. Those it copies with their
    /// track.
    fn copy_device(&mut self, device: ObjectId, onto: ObjectId, at: Option<usize>) -> Result<ObjectId, ModelError> {
        let is_instrument = |live: &LiveSession, one: ObjectId| -> Result<bool, ModelError> {
            Ok(live.get(one, "type")?.as_i64() == Some(INSTRUMENT))
        };
        let instrument = is_instrument(self, device)?;
        let beside = !instrument && self.has_member("Track.duplicate_device", "copying a device").is_ok();
        if beside || self.refuse_track_copy(device).is_err() {
            return self.copy_beside(device, onto, at);
        }
        if let (true, Value::Objects(there)) = (instrument, self.get(onto, "devices")?) {
            for other in there {
                if is_instrument(self, other)? {
                    return Err(ModelError::refused("there is an instrument already"));
                }
            }
        }
        self.copy_device_by_track(device, onto, at)
    }

    fn copy_chain(&mut self, chain: ObjectId, rack: ObjectId, at: Option<usize>) -> Result<ObjectId, ModelError> {
        self.copy_chain_by_track(chain, rack, at)
    }

    /// Live may draw a bend as a straight way; then that is said.
    fn draw_envelope(
        &mut self,
        clip: ObjectId,
        parameter: ObjectId,
        points: Vec<EnvelopePoint>,
    ) -> Result<(), ModelError> {
        let rows: Vec<Json> = points.iter().map(|point| json!([point.time, point.value, point.curve])).collect();
        let step = json!({
            "do": "draw_envelope", "of": reference(clip), "parameter": reference(parameter), "points": rows,
        });
        let drawn = self.write(step, true)?;
        let is_bent = |row: &Json| row.get(2).and_then(Json::as_f64).is_some_and(|curve| curve != 0.0);
        let was_bent = points.iter().any(|point| point.curve != 0.0);
        if was_bent && !drawn.as_array().ok_or_else(unreadable)?.iter().any(is_bent) {
            self.exchanges.lock().remark("Live drew the bent ways of an envelope straight".to_owned());
        }
        Ok(())
    }

    fn insert_from_browser(
        &mut self,
        item: &BrowserItem,
        onto: ObjectId,
        at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        let at = at.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1);
        self.load(json!({ "kind": "load", "onto": reference(onto), "at": at, "name": item.name, "under": item.under }))
    }

    fn swap_from_browser(&mut self, item: &BrowserItem, device: ObjectId) -> Result<ObjectId, ModelError> {
        if self.own_devices()?.contains(&device) {
            return Err(ModelError::refused(OWN_DEVICE_INSIDE));
        }
        let item = json!({
            "kind": "load", "onto": reference(device), "instead": true, "name": item.name, "under": item.under,
        });
        self.load(item)
    }

    fn convert_audio(&mut self, clip: ObjectId, to: &str) -> Result<ObjectId, ModelError> {
        let message = json!({ "kind": "convert", "of": reference(clip), "to": to });
        let answer = self.exchanges.lock().lasting(&self.link, message, Known::forget_values)?;
        answer.get("track").and_then(Json::as_u64).map(ObjectId).ok_or_else(unreadable)
    }

    fn insert_saved_device(&mut self, _: &Json, _: ObjectId, _: Option<usize>) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable(NO_PRESETS.to_owned()))
    }
}

impl LiveSession {
    fn copy_beside(&mut self, device: ObjectId, onto: ObjectId, at: Option<usize>) -> Result<ObjectId, ModelError> {
        let holder = self.get(device, "canonical_parent")?.as_object().ok_or(ModelError::NoObject)?;
        let Value::Objects(devices) = self.get(holder, "devices")? else { return Err(unreadable()) };
        let index = devices.iter().position(|one| *one == device).ok_or(ModelError::NoObject)?;
        let step = json!({
            "do": "call", "of": reference(holder), "function": "duplicate_device", "args": [index],
        });
        self.write(step, true)?;
        let copy = self.child_at(holder, "devices", index + 1)?.filter(|copy| !devices.contains(copy));
        let copy = copy.ok_or_else(|| ModelError::refused("Live made no copy of the device"))?;
        if holder == onto && at == Some(index + 1) {
            return Ok(copy);
        }
        let song = self.resolve("live_set")?.ok_or(ModelError::NoObject)?;
        let end = self.child_count(onto, "devices")?;
        let at = i64::try_from(at.unwrap_or(end)).unwrap_or(i64::MAX);
        let moved = self.call(song, "move_device", &[copy.into(), onto.into(), Value::Int(at)]);
        if let Err(why) = moved {
            // Where it may not go nothing is left of it.
            self.call(holder, "delete_device", &[Value::Int(i64::try_from(index).unwrap_or(i64::MAX) + 1)])?;
            return Err(why);
        }
        Ok(copy)
    }

    /// Has the script load what the browser has, and wait until it is there.
    fn load(&mut self, message: Json) -> Result<ObjectId, ModelError> {
        let answer = self.exchanges.lock().lasting(&self.link, message, Known::forget_values)?;
        answer.get("device").and_then(Json::as_u64).map(ObjectId).ok_or_else(unreadable)
    }
}
