//! The Compressor's side-chain: the track it listens to, by id, and where on that track.

use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{self, class};
use crate::tools::mixer::routing::{dictionary, identifier};
use serde_json::{Value, json};

const TYPE: &str = "input_routing_type";
const CHANNEL: &str = "input_routing_channel";

fn name(entry: &Value) -> String {
    entry.get("display_name").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn available(session: &dyn Session, device: ObjectId, member: &str) -> Vec<Value> {
    match dictionary(session, device, &format!("available_{member}s")) {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    }
}

/// The track that a source is, by what the host says of it, else by its name where only one has that.
fn track_of(session: &dyn Session, source: &Value) -> Option<ObjectId> {
    session.routed_track(&identifier(source)).or_else(|| {
        let song = model_read::song(session).ok()?;
        let all = ["tracks", "return_tracks"].into_iter().flat_map(|list| {
            (0..model_read::count(session, song, list)).filter_map(move |at| session.child_at(song, list, at))
        });
        let wanted = name(source);
        let mut named = all.filter(|id| model_read::text(session, *id, "name").is_ok_and(|name| name == wanted));
        named.next().filter(|_| named.next().is_none())
    })
}

/// The tracks that can be listened to: name and id.
pub fn tracks(session: &dyn Session, device: ObjectId) -> Vec<(String, String)> {
    let sources = available(session, device, TYPE);
    sources.iter().filter_map(|entry| Some((name(entry), track_of(session, entry)?.to_string()))).collect()
}

/// The track that is listened to.
pub fn source(session: &dyn Session, device: ObjectId) -> Option<ObjectId> {
    track_of(session, &dictionary(session, device, TYPE)?)
}

/// The channels of the source, by name.
pub fn channels(session: &dyn Session, device: ObjectId) -> Vec<(String, Model)> {
    let list = available(session, device, CHANNEL).into_iter();
    list.map(|entry| (name(&entry), Model::Struct(json!({ CHANNEL: entry })))).filter(|(n, _)| !n.is_empty()).collect()
}

pub fn channel(session: &dyn Session, device: ObjectId) -> Option<String> {
    dictionary(session, device, CHANNEL).map(|entry| name(&entry))
}

pub fn write_channel(session: &mut dyn Session, device: ObjectId, entry: Model) -> Result<(), String> {
    session.set(device, CHANNEL, entry).map_err(|e| e.to_string())
}

/// Listens to the track of that id; to nothing for `null`, `none` or a blank.
pub fn write_source(session: &mut dyn Session, device: ObjectId, sent: Option<&str>) -> Result<(), String> {
    let sources = available(session, device, TYPE);
    let wanted = sent.map(str::trim).filter(|text| !matches!(text.to_lowercase().as_str(), "null" | "none"));
    let found = match wanted {
        None => sources.iter().find(|entry| name(entry) == "No Input"),
        Some(id) => {
            let track = id.parse().ok().map(ObjectId);
            let found = sources.iter().find(|entry| track.is_some() && track_of(session, entry) == track);
            found.or_else(|| sources.iter().find(|entry| name(entry) == id))
        }
    };
    let Some(entry) = found.cloned() else {
        let there: Vec<String> =
            tracks(session, device).into_iter().map(|(name, id)| format!("{id} ({name})")).collect();
        let wanted = wanted.unwrap_or("none");
        let why = match wanted.parse().ok().and_then(|id| class(session, ObjectId(id))) {
            Some("Track") => "that track makes no sound to listen to".to_owned(),
            Some(_) => "that id is no track's".to_owned(),
            None => format!("\"{wanted}\" is no track's id"),
        };
        return Err(format!(
            "{why}; there are {}",
            if there.is_empty() { "none".to_owned() } else { there.join(", ") }
        ));
    };
    session.set(device, TYPE, Model::Struct(json!({ TYPE: entry }))).map_err(|e| e.to_string())
}
