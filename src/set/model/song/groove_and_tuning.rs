//! Groove and TuningSystem. Both are kept with the Set and read back; what is written is looked at, for a tuning that
//! makes no sense could be saved for good.

use crate::object_model::{ModelError, Value};
use crate::set::document::Groove;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::set_state::SetState;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// Steps of the tuning system: twelve-tone equal temperament, the one that every new Set has.
const STEPS: i64 = 12;
const PSEUDO_OCTAVE_CENTS: f64 = 1200.0;
/// Octaves as Live counts them: note 60 is C3.
const OCTAVES: std::ops::RangeInclusive<i64> = -2..=8;

/// What a tuning member starts with.
fn tuning_start(member: &str) -> Option<Json> {
    Some(match member {
        "name" => json!("12 Tone Equal Temperament"),
        "lowest_note" => json!({"index_in_octave": 0, "octave": -2}),
        "highest_note" => json!({"index_in_octave": 7, "octave": 8}),
        "reference_pitch" => json!({"index_in_octave": 9, "octave": 3, "frequency": 440.0}),
        "note_tunings" => {
            let cents: Vec<f64> = (0..12).map(|step| f64::from(step) * 100.0).collect();
            json!({ "note_tunings": cents })
        }
        _ => return None,
    })
}

/// A place of the tuning as a number of steps, if it is one.
fn place(json: &Json) -> Option<i64> {
    let index = json.get("index_in_octave")?.as_i64().filter(|index| (0..STEPS).contains(index))?;
    let octave = json.get("octave")?.as_i64().filter(|octave| OCTAVES.contains(octave))?;
    Some(octave * STEPS + index)
}

fn has_only(json: &Json, keys: &[&str]) -> bool {
    json.as_object().is_some_and(|map| map.len() == keys.len() && keys.iter().all(|key| map.contains_key(*key)))
}

impl SetState {
    pub(in crate::set::model) fn read_groove(&self, groove: &Groove, member: &str) -> MemberAnswer<Value> {
        // What a groove that was just extracted shows in Live's pool.
        let start: Value = match member {
            "base" => 3.into(),
            "name" => "".into(),
            "timing_amount" => 100.0.into(),
            "quantization_amount" | "random_amount" | "velocity_amount" => 0.0.into(),
            _ => return None,
        };
        let kept = groove.stored.get(member);
        Some(Ok(match start {
            Value::Int(_) => kept.and_then(Json::as_i64).map(Value::Int),
            Value::Float(_) => kept.and_then(Json::as_f64).map(Value::Float),
            _ => kept.and_then(Json::as_str).map(Value::from),
        }
        .unwrap_or(start)))
    }

    fn tuning(&self, member: &str) -> Option<Json> {
        let kept = self.document.song.stored.get(&format!("tuning.{member}"));
        kept.cloned().or_else(|| tuning_start(member))
    }

    pub(in crate::set::model) fn read_tuning(&self, member: &str) -> MemberAnswer<Value> {
        Some(Ok(match member {
            "pseudo_octave_in_cents" => PSEUDO_OCTAVE_CENTS.into(),
            "number_of_notes_in_pseudo_octave" => STEPS.into(),
            "name" => self.tuning(member)?.as_str().unwrap_or_default().into(),
            _ => Value::Struct(self.tuning(member)?),
        }))
    }

    pub(in crate::set::model) fn write_tuning(&mut self, member: &str, value: &Value) -> MemberAnswer<()> {
        let refuse = |what: &str| Some(Err(ModelError::refused(format!("{member} takes {what}"))));
        let place_of = |member: &str| self.tuning(member).as_ref().and_then(place);
        let json = match (member, value) {
            ("name", Value::Text(name)) => json!(name),
            ("lowest_note" | "highest_note", Value::Struct(json)) => {
                let note = place(json).filter(|_| has_only(json, &["index_in_octave", "octave"]));
                let Some(note) = note else {
                    return refuse("{\"index_in_octave\": 0..11, \"octave\": -2..8}");
                };
                let (lowest, highest) = if member == "lowest_note" {
                    (Some(note), place_of("highest_note"))
                } else {
                    (place_of("lowest_note"), Some(note))
                };
                if lowest > highest {
                    return refuse("a range whose lowest note is not above its highest");
                }
                json.clone()
            }
            ("reference_pitch", Value::Struct(json)) => {
                let frequency = json.get("frequency").and_then(Json::as_f64).filter(|hertz| *hertz > 0.0);
                let keys = ["index_in_octave", "octave", "frequency"];
                if place(json).is_none() || frequency.is_none() || !has_only(json, &keys) {
                    return refuse("{\"index_in_octave\": 0..11, \"octave\": -2..8, \"frequency\": above 0}");
                }
                json.clone()
            }
            ("note_tunings", Value::Struct(json)) => {
                let cents = json.get("note_tunings").and_then(Json::as_array);
                let fits = cents.is_some_and(|list| list.len() == 12 && list.iter().all(Json::is_number));
                if !fits || !has_only(json, &["note_tunings"]) {
                    return refuse("{\"note_tunings\": [12 numbers of cents]}");
                }
                json.clone()
            }
            _ => return None,
        };
        Arc::make_mut(&mut self.document.song).stored.insert(format!("tuning.{member}"), json);
        Some(Ok(()))
    }
}
