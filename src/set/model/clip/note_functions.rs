//! Clip: the note functions. Dictionaries come and go as JSON with the keys of [`Note`]'s table in Live.

use crate::music::Note;
use crate::object_model::{ModelError, Value};
use crate::set::document::ids::Serial;
use crate::set::document::{Content, Notes, StoredNote};
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::set_state::SetState;
use serde_json::{Map, Value as Json, json};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Keys of a note in results, in Live's order.
const KEYS: [&str; 9] = [
    "note_id",
    "pitch",
    "start_time",
    "duration",
    "velocity",
    "mute",
    "probability",
    "velocity_deviation",
    "release_velocity",
];

pub(in crate::set::model) fn bad(text: impl Into<String>) -> ModelError {
    ModelError::refused(text)
}

impl SetState {
    pub(in crate::set::model) fn midi_notes(&self, clip: Serial) -> Result<&Arc<Notes>, ModelError> {
        let clip = self.document.clip(clip).ok_or(ModelError::NoObject)?;
        clip.notes().ok_or_else(|| bad("only a MIDI clip has notes"))
    }

    pub(in crate::set::model) fn edit_notes<R>(
        &mut self,
        clip: Serial,
        edit: impl FnOnce(&mut Notes) -> R,
    ) -> Result<R, ModelError> {
        self.midi_notes(clip)?;
        let edited = self.document.edit_clip(clip, |clip| match &mut clip.content {
            Content::Midi(notes) => {
                let edited = edit(Arc::make_mut(notes));
                clip.forget_lost_expression();
                Some(edited)
            }
            Content::Audio(_) => None,
        });
        edited.flatten().ok_or(ModelError::NoObject)
    }

    pub(in crate::set::model) fn call_clip_notes(
        &mut self,
        clip: Serial,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        let first = args.first();
        Some(match function {
            "add_new_notes" => self.add_new_notes(clip, first),
            "get_all_notes_extended" => self.midi_notes(clip).and_then(|notes| listed(&notes.list, first)),
            "get_notes_extended" => self.midi_notes(clip).and_then(|notes| {
                let area = NoteArea::read(args)?;
                listed(&area.select(notes), first)
            }),
            "get_notes_by_id" => self.midi_notes(clip).and_then(|notes| {
                let ids = existing_ids(notes, args)?;
                let found: Vec<StoredNote> = notes.list.iter().filter(|n| ids.contains(&n.id)).copied().collect();
                listed(&found, first)
            }),
            "remove_notes_extended" => NoteArea::read(args).and_then(|area| {
                let ids = area.select(self.midi_notes(clip)?).iter().map(|n| n.id).collect();
                self.edit_notes(clip, |notes| notes.remove_ids(&ids))?;
                Ok(Value::Nothing)
            }),
            "remove_notes_by_id" => self.midi_notes(clip).and_then(|notes| existing_ids(notes, args)).and_then(|ids| {
                self.edit_notes(clip, |notes| notes.remove_ids(&ids))?;
                Ok(Value::Nothing)
            }),
            "apply_note_modifications" => self.apply_note_modifications(clip, first),
            _ => return self.call_clip_edit(clip, function, args),
        })
    }

    fn add_new_notes(&mut self, clip: Serial, argument: Option<&Value>) -> Result<Value, ModelError> {
        let dict = dictionary(argument)?;
        let list =
            dict.get("notes").and_then(Json::as_array).ok_or_else(|| bad("add_new_notes takes {\"notes\": [...]}"))?;
        let mut notes = Vec::with_capacity(list.len());
        for (at, json) in list.iter().enumerate() {
            let map = json.as_object().ok_or_else(|| bad(format!("notes[{at}] is no dictionary")))?;
            for key in ["pitch", "start_time", "duration"] {
                if !map.contains_key(key) {
                    return Err(bad(format!("notes[{at}] lacks {key}")));
                }
            }
            let mut note = Note::new(0, 0.0, 1.0);
            // One without velocity is no note: it is read and not kept.
            if overlay(&mut note, map, at)? {
                notes.push(note);
            }
        }
        let ids = self.edit_notes(clip, |kept| kept.add(&notes))?;
        Ok(Value::Ints(ids.into_iter().map(i64::from).collect()))
    }

    /// One unknown id voids the whole call; keys that are not sent stay as they are.
    fn apply_note_modifications(&mut self, clip: Serial, argument: Option<&Value>) -> Result<Value, ModelError> {
        let dict = dictionary(argument)?;
        let list =
            dict.get("notes").and_then(Json::as_array).ok_or_else(|| bad("the argument is {\"notes\": [...]}"))?;
        let mut changed = self.midi_notes(clip)?.as_ref().clone();
        let places: HashMap<u64, usize> =
            changed.list.iter().enumerate().map(|(at, stored)| (stored.id.into(), at)).collect();
        let (mut touched, mut silent) = (HashSet::new(), HashSet::new());
        for (at, json) in list.iter().enumerate() {
            let map = json.as_object().ok_or_else(|| bad(format!("notes[{at}] is no dictionary")))?;
            let id = map.get("note_id").and_then(Json::as_u64);
            let stored = id.and_then(|id| places.get(&id)).and_then(|place| changed.list.get_mut(*place));
            let stored = stored.ok_or_else(|| bad(format!("notes[{at}]: no note has that note_id")))?;
            if !overlay(&mut stored.note, map, at)? {
                silent.insert(stored.id);
            }
            touched.insert(stored.id);
        }
        changed.remove_ids(&silent);
        changed.settle(&touched);
        self.edit_notes(clip, |notes| *notes = changed)?;
        Ok(Value::Nothing)
    }
}

/// A dictionary argument: an object, or its JSON text.
pub(in crate::set::model) fn dictionary(argument: Option<&Value>) -> Result<Map<String, Json>, ModelError> {
    let parsed = match argument {
        Some(Value::Struct(Json::Object(map))) => return Ok(map.clone()),
        Some(Value::Text(text)) => serde_json::from_str(text).ok(),
        _ => None,
    };
    match parsed {
        Some(Json::Object(map)) => Ok(map),
        _ => Err(bad("the argument is a dictionary, as an object or as its JSON text")),
    }
}

/// Writes the keys that are there onto a note, each checked. Gives whether it still is one: velocity 0 is none.
fn overlay(note: &mut Note, map: &Map<String, Json>, at: usize) -> Result<bool, ModelError> {
    let number = |key: &str, low: f64, high: f64| -> Result<Option<f64>, ModelError> {
        let Some(json) = map.get(key) else { return Ok(None) };
        let n = json.as_f64().or_else(|| json.as_bool().map(|b| f64::from(u8::from(b))));
        let n = n.filter(|n| (low..=high).contains(n));
        n.map(Some).ok_or_else(|| bad(format!("notes[{at}].{key} must be a number from {low} to {high}")))
    };
    let far = 1_576_800.0;
    if let Some(pitch) = number("pitch", 0.0, 127.0)? {
        if pitch.fract() != 0.0 {
            return Err(bad(format!("notes[{at}].pitch must be a whole number from 0 to 127")));
        }
        note.pitch = pitch as u8;
    }
    note.start = number("start_time", -far, far)?.unwrap_or(note.start);
    note.duration = number("duration", f64::MIN_POSITIVE, far)?.unwrap_or(note.duration);
    let silent = map.get("velocity").and_then(Json::as_f64) == Some(0.0);
    if !silent {
        note.velocity = number("velocity", 1.0, 127.0)?.unwrap_or(note.velocity);
    }
    note.velocity_deviation = number("velocity_deviation", -127.0, 127.0)?.unwrap_or(note.velocity_deviation);
    note.probability = number("probability", 0.0, 1.0)?.unwrap_or(note.probability);
    note.release_velocity = number("release_velocity", 0.0, 127.0)?.unwrap_or(note.release_velocity);
    if let Some(mute) = number("mute", 0.0, 1.0)? {
        note.mute = mute >= 0.5;
    }
    Ok(!silent)
}

/// `{"notes": [...]}`, with the keys that the call asked for in `return`.
pub(in crate::set::model) fn listed(notes: &[StoredNote], argument: Option<&Value>) -> Result<Value, ModelError> {
    let asked = match argument {
        Some(value) => dictionary(Some(value)).ok().and_then(|dict| dict.get("return").cloned()),
        None => None,
    };
    let asked: Option<Vec<String>> = asked.and_then(|keys| serde_json::from_value(keys).ok());
    let wanted: Vec<&str> =
        KEYS.into_iter().filter(|key| asked.as_ref().is_none_or(|keys| keys.iter().any(|k| k == key))).collect();
    let one = |stored: &StoredNote| -> Json {
        let n = &stored.note;
        let value = |key: &str| match key {
            "note_id" => json!(stored.id),
            "pitch" => json!(n.pitch),
            "start_time" => json!(n.start),
            "duration" => json!(n.duration),
            "velocity" => json!(n.velocity),
            "mute" => json!(u8::from(n.mute)),
            "probability" => json!(n.probability),
            "velocity_deviation" => json!(n.velocity_deviation),
            _ => json!(n.release_velocity),
        };
        Json::Object(wanted.iter().map(|key| ((*key).to_owned(), value(key))).collect())
    };
    Ok(Value::Struct(json!({ "notes": notes.iter().map(one).collect::<Vec<_>>() })))
}

/// Note ids as a list, as separate numbers, or in a dictionary's `note_ids`; each must be there.
pub(in crate::set::model) fn existing_ids(notes: &Notes, args: &[Value]) -> Result<HashSet<u32>, ModelError> {
    let known: HashSet<u32> = notes.list.iter().map(|n| n.id).collect();
    given_ids(args)?
        .into_iter()
        .map(|id| {
            let id = u32::try_from(id).ok().filter(|id| known.contains(id));
            id.ok_or_else(|| bad("no note has one of these ids"))
        })
        .collect()
}

/// Note ids as they were given.
pub(in crate::set::model) fn given_ids(args: &[Value]) -> Result<Vec<i64>, ModelError> {
    Ok(match args {
        [Value::Ints(ids)] => ids.clone(),
        [Value::Struct(Json::Object(_)) | Value::Text(_)] => {
            let dict = dictionary(args.first())?;
            let ids = dict.get("note_ids").cloned().unwrap_or(Json::Null);
            serde_json::from_value(ids).map_err(|_| bad("note_ids is a list of numbers"))?
        }
        numbers => {
            let ids: Option<Vec<i64>> = numbers.iter().map(Value::as_i64).collect();
            ids.ok_or_else(|| bad("note ids are whole numbers"))?
        }
    })
}

/// A rectangle of pitch and time; a note counts by its start.
struct NoteArea {
    from_pitch: i64,
    pitch_span: i64,
    from_time: f64,
    time_span: f64,
}

impl NoteArea {
    /// Four numbers, or one dictionary with their names.
    fn read(args: &[Value]) -> Result<NoteArea, ModelError> {
        let wrong = || bad("an area is from_pitch, pitch_span, from_time, time_span");
        if args.len() == 1 {
            let dict = dictionary(args.first())?;
            let number = |key: &str| dict.get(key).and_then(Json::as_f64).ok_or_else(wrong);
            return Ok(NoteArea {
                from_pitch: number("from_pitch")? as i64,
                pitch_span: number("pitch_span")? as i64,
                from_time: number("from_time")?,
                time_span: number("time_span")?,
            });
        }
        let number = |at: usize| args.get(at).and_then(Value::as_f64).filter(|n| n.is_finite()).ok_or_else(wrong);
        Ok(NoteArea {
            from_pitch: number(0)? as i64,
            pitch_span: number(1)? as i64,
            from_time: number(2)?,
            time_span: number(3)?,
        })
    }

    fn select(&self, notes: &Notes) -> Vec<StoredNote> {
        notes.in_area(self.from_pitch, self.pitch_span, self.from_time, self.time_span)
    }
}
