//! The Compressor's side-chain: the track it listens to, by id, and where on that track.

use crate::object_model::path::Root;
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{self, class};
use crate::tools::error::ToolError;
use crate::tools::mixer::routing::{dictionary, identifier};
use serde_json::{Value, json};

const TYPE: &str = "input_routing_type";
const CHANNEL: &str = "input_routing_channel";

fn name(entry: &Value) -> String {
    entry.get("display_name").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn available(session: &dyn Session, device: ObjectId, member: &str) -> Result<Vec<Value>, ModelError> {
    Ok(match dictionary(session, device, &format!("available_{member}s"))? {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    })
}

/// The track that a source is, by what the host says of it, else by its name where only one has that.
fn track_of(session: &dyn Session, source: &Value) -> Result<Option<ObjectId>, ModelError> {
    if let Some(track) = session.routed_track(&identifier(source))? {
        return Ok(Some(track));
    }
    let Some(song) = session.root(Root::LiveSet)? else { return Ok(None) };
    let wanted = name(source);
    let mut named = Vec::new();
    for list in ["tracks", "return_tracks"] {
        let all = model_read::children(session, song, list)?;
        named.extend(model_read::filter(all, |id| model_read::text(session, id, "name").map(|name| name == wanted))?);
    }
    Ok(named.first().copied().filter(|_| named.len() == 1))
}

/// The tracks that can be listened to: name and id.
pub fn tracks(session: &dyn Session, device: ObjectId) -> Result<Vec<(String, String)>, ModelError> {
    let mut tracks = Vec::new();
    for entry in available(session, device, TYPE)? {
        tracks.extend(track_of(session, &entry)?.map(|track| (name(&entry), track.to_string())));
    }
    Ok(tracks)
}

/// The track that is listened to.
pub fn source(session: &dyn Session, device: ObjectId) -> Result<Option<ObjectId>, ModelError> {
    match dictionary(session, device, TYPE)? {
        Some(source) => track_of(session, &source),
        None => Ok(None),
    }
}

/// The channels of the source, by name.
pub fn channels(session: &dyn Session, device: ObjectId) -> Result<Vec<(String, Model)>, ModelError> {
    let list = available(session, device, CHANNEL)?.into_iter();
    Ok(list
        .map(|entry| (name(&entry), Model::Struct(json!({ CHANNEL: entry }))))
        .filter(|(n, _)| !n.is_empty())
        .collect())
}

pub fn channel(session: &dyn Session, device: ObjectId) -> Result<Option<String>, ModelError> {
    Ok(dictionary(session, device, CHANNEL)?.map(|entry| name(&entry)))
}

pub fn write_channel(session: &mut dyn Session, device: ObjectId, entry: Model) -> Result<(), ToolError> {
    Ok(session.set(device, CHANNEL, entry)?)
}

/// Listens to the track of that id; to nothing for `null`, `none` or a blank.
pub fn write_source(session: &mut dyn Session, device: ObjectId, sent: Option<&str>) -> Result<(), ToolError> {
    let sources = available(session, device, TYPE)?;
    let wanted = sent.map(str::trim).filter(|text| !matches!(text.to_lowercase().as_str(), "null" | "none"));
    let found = match wanted {
        None => sources.iter().find(|entry| name(entry) == "No Input"),
        Some(id) => {
            let track = id.parse().ok().map(ObjectId);
            let mut found = None;
            for entry in sources.iter().filter(|_| track.is_some()) {
                if track_of(session, entry)? == track {
                    found = Some(entry);
                    break;
                }
            }
            found.or_else(|| sources.iter().find(|entry| name(entry) == id))
        }
    };
    let Some(entry) = found.cloned() else {
        let there: Vec<String> =
            tracks(session, device)?.into_iter().map(|(name, id)| format!("{id} ({name})")).collect();
        let wanted = wanted.unwrap_or("none");
        let wanted_class = match wanted.parse() {
            Ok(id) => class(session, ObjectId(id))?,
            Err(_) => None,
        };
        let why = match wanted_class {
            Some("Track") => "that track makes no sound to listen to".to_owned(),
            Some(_) => "that id is no track's".to_owned(),
            None => format!("\"{wanted}\" is no track's id"),
        };
        return Err(ToolError::new(format!(
            "{why}; there are {}",
            if there.is_empty() { "none".to_owned() } else { there.join(", ") }
        )));
    };
    Ok(session.set(device, TYPE, Model::Struct(json!({ TYPE: entry })))?)
}
