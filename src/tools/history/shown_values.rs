//! What is different about an object, in the words and values that reads show: `gainDb` -6 -> -3. What no read shows is
//! told by the object model's name, as the host keeps it.

use crate::music::position;
use crate::notation::Notation;
use crate::object_model::history::{ChangedClass, ObjectChange};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::device_targets::DevicePart;
use crate::tools::address::model_read::{self, number, text};
use crate::tools::error::ToolError;
use crate::tools::parameter::display::{self, ParamDisplay};
use crate::tools::read::clip_fields::{self, ClipInclude, Nested};
use crate::tools::read::device_fields;
use crate::tools::read::device_summary::{DeviceInclude, summary};
use crate::tools::read::gathered::Gathered;
use crate::tools::read::routing_list::SharedEntries;
use crate::tools::read::scene_fields::{self, SceneInclude};
use crate::tools::read::set_fields::{self, SetInclude};
use crate::tools::read::track_fields::{self, TrackInclude};
use crate::tools::read::written::{self, AnswerStyle};
use serde_json::{Map, Value, json};

/// Parameters of one device whose values are told.
const MOST_PARAMETERS: usize = 50;
/// A value that is longer is cut, in characters.
const LONGEST_VALUE: usize = 120;

/// A property before and after; null where there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownValue {
    pub name: String,
    pub old: Value,
    pub new: Value,
}

/// The properties of an object that both moments have and that are different.
pub fn of(before: &dyn Session, after: &dyn Session, change: &ObjectChange) -> Result<Vec<ShownValue>, ToolError> {
    let mut all: Vec<ShownValue> = Vec::new();
    if !change.values.is_empty() {
        let old = fields(before, change.id, change.class)?;
        let new = fields(after, change.id, change.class)?;
        for (member, was, is) in &change.values {
            let before = all.len();
            for (name, was, is) in shown_as(change.class, member, &old, &new) {
                if was != is && !all.iter().any(|shown| shown.name == name) {
                    all.push(ShownValue { name, old: short(was), new: short(is) });
                }
            }
            let is_told = all.len() > before || field_names(change.class, member).iter().any(|f| is_in(&all, f));
            if !is_told {
                all.push(ShownValue { name: member.clone(), old: short(was.clone()), new: short(is.clone()) });
            }
        }
    }
    for parameter in change.parameters.iter().take(MOST_PARAMETERS) {
        let (old, new) = (parameter_value(before, *parameter)?, parameter_value(after, *parameter)?);
        all.push(ShownValue { name: text(after, *parameter, "name")?, old, new });
    }
    if let Some(more) = change.parameters.len().checked_sub(MOST_PARAMETERS).filter(|more| *more > 0) {
        all.push(ShownValue { name: format!("{more} more parameters"), old: Value::Null, new: Value::Null });
    }
    Ok(all)
}

fn is_in(all: &[ShownValue], name: &str) -> bool {
    all.iter().any(|shown| shown.name == name)
}

/// The fields by which reads show a member of the object model.
fn field_names(class: ChangedClass, member: &str) -> &'static [&'static str] {
    use ChangedClass::{Chain, Clip, Device, Locator, Scene, Set, TakeLane, Track};
    match (class, member) {
        (_, "name") => &["name"],
        (Track | Scene | Clip | Chain, "color") => &["color"],
        (Set | Scene, "tempo_bpm") => &["tempo"],
        (Set | Scene | Clip, "signature") => &["timeSignature"],
        (Set, "root_note" | "scale_name" | "scale_mode") => &["scale"],
        (Track | Chain, "mute" | "solo") => &["state"],
        (Track, "arm") => &["isArmed"],
        (Track, "group") => &["groupId"],
        (Track, "midi_channel") => &["midiOutput"],
        (Track | Chain, "volume") => &["gainDb"],
        (Track | Chain, "panning") => &["pan"],
        (Track, "split_stereo") => &["panningMode"],
        (Track, "left_split") => &["leftPan"],
        (Track, "right_split") => &["rightPan"],
        (Clip, "looping") => &["looping"],
        (Clip, "loop_start" | "loop_end" | "start_marker" | "end_marker") => &["start", "end", "length", "firstStart"],
        (Clip, "arrangement_length") => &["arrangementLength"],
        (Clip, "muted") => &["muted"],
        (Clip, "file_path") => &["sampleFile"],
        (Clip, "gain") => &["gainDb"],
        (Clip, "pitch_coarse" | "pitch_fine") => &["pitchShift"],
        (Clip, "warping") => &["warping"],
        (Clip, "warp_mode") => &["warpMode"],
        (Clip, "sample_length") => &["sampleLength"],
        (Clip, "sample_rate_hz") => &["sampleRate"],
        (Device, "sample") => &["sample"],
        (Chain, "choke_group") => &["chokeGroup"],
        (Chain, "in_note") => &["inNote"],
        (Chain, "out_note") => &["mappedPitch"],
        (Locator, "time") => &["time"],
        (TakeLane, _) | (_, _) => &[],
    }
}

/// A member as reads show it, before and after.
fn shown_as(
    class: ChangedClass,
    member: &str,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
) -> Vec<(String, Value, Value)> {
    let of = |map: &Map<String, Value>, field: &str| map.get(field).cloned().unwrap_or_default();
    if let Some(to) = member.strip_prefix("send ") {
        let send = |map: &Map<String, Value>| {
            let sends = map.get("sends").and_then(Value::as_array)?;
            sends.iter().find(|send| send.get("returnId").and_then(Value::as_str) == Some(to)).cloned()
        };
        let level =
            |send: &Option<Value>| send.as_ref().and_then(|send| send.get("gainDb")).cloned().unwrap_or_default();
        let (old, new) = (send(old), send(new));
        let name = new.as_ref().or(old.as_ref()).and_then(|send| send.get("return")).and_then(Value::as_str);
        return vec![(format!("send {}", name.unwrap_or(to)), level(&old), level(&new))];
    }
    if member == "envelopes" {
        return envelopes(old.get("envelopes"), new.get("envelopes"));
    }
    let names = field_names(class, member).iter();
    names.map(|field| ((*field).to_owned(), of(old, field), of(new, field))).collect()
}

/// The lines of a clip's envelopes, by parameter.
fn envelopes(old: Option<&Value>, new: Option<&Value>) -> Vec<(String, Value, Value)> {
    let lines = |list: Option<&Value>| -> Map<String, Value> {
        let list = list.and_then(Value::as_array).into_iter().flatten();
        let name = |envelope: &Value| {
            let name = envelope.get("name").or(envelope.get("id")).and_then(Value::as_str).unwrap_or_default();
            format!("envelope {name}")
        };
        list.map(|envelope| (name(envelope), envelope.get("events").cloned().unwrap_or_default())).collect()
    };
    let (mut old, new) = (lines(old), lines(new));
    let mut all: Vec<_> =
        new.into_iter().map(|(name, is)| (name.clone(), old.remove(&name).unwrap_or_default(), is)).collect();
    all.extend(old.into_iter().map(|(name, was)| (name, was, Value::Null)));
    all
}

/// What was gathered of an object, without what it holds.
fn plain_fields(gathered: Gathered) -> Map<String, Value> {
    let style = AnswerStyle { notation: Notation::Barbeat, json: true, as_text: false };
    match written::to_value(Gathered { fields: gathered.fields, ..Gathered::default() }, style) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// An object as reads show it, without what it holds.
fn fields(session: &dyn Session, id: ObjectId, class: ChangedClass) -> Result<Map<String, Value>, ToolError> {
    Ok(match class {
        ChangedClass::Set => {
            let mut fields = plain_fields(set_fields::gather(session, SetInclude::default())?);
            // A scale that is off is none.
            fields.entry("scale").or_insert(json!("off"));
            fields
        }
        ChangedClass::Track => {
            let include = TrackInclude { mixer: true, color: true, ..TrackInclude::default() };
            let mut fields = plain_fields(track_fields::gather(session, id, include, &SharedEntries::default())?);
            fields.entry("state").or_insert(json!("active"));
            fields.entry("isArmed").or_insert(json!(false));
            fields
        }
        ChangedClass::Scene => {
            let include = SceneInclude { color: true, ..SceneInclude::default() };
            let mut fields = plain_fields(scene_fields::gather(session, id, include)?);
            // Without the number, which is its place.
            fields.insert("name".to_owned(), json!(text(session, id, "name")?));
            fields
        }
        ChangedClass::Clip => {
            let include = ClipInclude {
                timing: true,
                color: true,
                sample: true,
                warp: true,
                envelopes: true,
                ..ClipInclude::default()
            };
            let mut fields = plain_fields(clip_fields::gather(session, id, include, Nested::No, None)?);
            fields.entry("muted").or_insert(json!(false));
            fields
        }
        ChangedClass::Device => {
            let mut fields = plain_fields(summary(session, id)?);
            fields.insert("name".to_owned(), json!(text(session, id, "name")?));
            let include = DeviceInclude { sample: true, ..DeviceInclude::default() };
            fields.extend(plain_fields(device_fields::gather(session, DevicePart::Device(id), &include)?));
            fields
        }
        ChangedClass::Chain => {
            plain_fields(device_fields::gather(session, DevicePart::Chain(id), &DeviceInclude::default())?)
        }
        ChangedClass::Locator => {
            let meter = model_read::meter(session, model_read::song(session)?)?;
            let time = position::format(number(session, id, "time")?, meter);
            [("name", json!(text(session, id, "name")?)), ("time", json!(time))]
                .map(|(field, value)| (field.to_owned(), value))
                .into_iter()
                .collect()
        }
        ChangedClass::TakeLane => std::iter::once(("name".to_owned(), json!(text(session, id, "name")?))).collect(),
        ChangedClass::Groove => Map::new(),
    })
}

/// A parameter's label, or what reads show where it has none.
fn parameter_value(session: &dyn Session, parameter: ObjectId) -> Result<Value, ToolError> {
    let label = display::label(session, parameter, number(session, parameter, "value")?)?;
    match label.map(|label| label.trim().to_owned()).filter(|label| !label.is_empty()) {
        Some(label) => Ok(json!(label)),
        None => ParamDisplay::read(session, parameter)?.value(session),
    }
}

/// A value that is cut where it is long.
fn short(value: Value) -> Value {
    let text = match &value {
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => value.to_string(),
        _ => return value,
    };
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => json!(format!("{}…", text.get(..end).unwrap_or_default())),
        None => value,
    }
}
