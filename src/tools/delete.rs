//! `svc-delete`: tracks, scenes and clips.

use super::shared::entry::{self, Entry, add_detail};
use super::shared::objects;
use super::shared::targets::{self, Target, Wanted};
use super::{Kind, Param, Tool, ToolError, arguments, job};
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-delete",
    title: "Delete",
    read_only: false,
    destructive: true,
    description: |_| {
        "Deletes tracks, scenes or clips. Later tracks and scenes move down. A group takes its members along."
            .to_owned()
    },
    params: &[
        Param::new("type", Kind::Choice(&["track", "scene", "clip"]), "kind of every target").required(),
        Param::new("id", Kind::Text, "id(s), comma-separated"),
        Param::new("path", Kind::Text, "path(s), comma-separated: t0, rt0, s0 or t0/s0"),
    ],
    prepare: |map, _| {
        let args: Args = arguments(map)?;
        let wanted = match args.kind.as_str() {
            "track" => Wanted::Track,
            "scene" => Wanted::Scene,
            _ => Wanted::Clip,
        };
        let targets = targets::read(wanted, args.id.as_ref(), args.path.as_ref())?;
        Ok(job(move |session, _| run(session, wanted, &targets)))
    },
};

#[derive(Deserialize)]
struct Args {
    #[serde(rename = "type")]
    kind: String,
    id: Option<String>,
    path: Option<String>,
}

/// All addresses are read first, so that no delete moves a later target.
fn run(session: &mut dyn Session, wanted: Wanted, targets: &[Target]) -> Result<Value, ToolError> {
    let found: Vec<Option<(ObjectId, String)>> = targets
        .iter()
        .map(|target| target.find(session, wanted).ok())
        .map(|id| id.and_then(|id| Some((id, objects::tool_path(session, id)?))))
        .collect();
    let missed: Vec<Option<String>> = targets.iter().map(|target| target.find(session, wanted).err()).collect();
    let mut entries = Vec::new();
    let mut gone: Vec<ObjectId> = Vec::new();
    for ((target, found), missed) in targets.iter().zip(&found).zip(missed) {
        let Some((id, path)) = found else {
            entries.push(miss(session, target, missed.unwrap_or_default()));
            continue;
        };
        let members = members(session, *id)?;
        let mut entry = Map::new();
        entry.insert("id".to_owned(), json!(id.to_string()));
        entry.insert("deletedPath".to_owned(), json!(path));
        if gone.contains(id) {
            entries.push(Entry::Written(entry));
            continue;
        }
        match delete(session, *id) {
            Ok(()) => {
                gone.push(*id);
                if !members.is_empty() {
                    let named: Vec<String> = members.iter().map(|(id, path)| format!("{path} (id {id})")).collect();
                    add_detail(&mut entry, format!("its members went with it: {}", named.join(", ")));
                    gone.extend(members.into_iter().map(|(id, _)| id));
                }
                entries.push(Entry::Written(entry));
            }
            Err(error) => {
                entries.push(Entry::skip(
                    target.key,
                    &target.spelling,
                    format!("{path} (id {id}) was not deleted: {error}"),
                ));
            }
        }
    }
    entry::answer(entries)
}

/// Deleting what is not there needs no doing; naming an object of another kind is a mistake.
fn miss(session: &dyn Session, target: &Target, detail: String) -> Entry {
    let wrong_kind = matches!(target.named, targets::Named::Id(id) if session.class_of(id).is_some());
    if wrong_kind {
        return Entry::skip(target.key, &target.spelling, detail);
    }
    let mut map = Map::new();
    map.insert(target.key.to_owned(), json!(target.spelling));
    map.insert("detail".to_owned(), json!(format!("nothing there to delete ({detail})")));
    Entry::Written(map)
}

/// The tracks inside a group, at any depth.
fn members(session: &dyn Session, group: ObjectId) -> Result<Vec<(ObjectId, String)>, ModelError> {
    if !objects::flag(session, group, "is_foldable") {
        return Ok(Vec::new());
    }
    let Ok(song) = objects::song(session) else { return Ok(Vec::new()) };
    let mut inside: Vec<ObjectId> = vec![group];
    let mut members = Vec::new();
    for at in 0..objects::count(session, song, "tracks") {
        let Some(track) = session.child_at(song, "tracks", at) else { continue };
        if objects::child(session, track, "group_track")?.is_some_and(|parent| inside.contains(&parent)) {
            inside.push(track);
            members.push((track, objects::tool_path(session, track).unwrap_or_default()));
        }
    }
    Ok(members)
}

fn delete(session: &mut dyn Session, id: ObjectId) -> Result<(), ToolError> {
    let song = objects::song(session)?;
    let path = session.path_of(id).unwrap_or_default();
    let words: Vec<&str> = path.split(' ').collect();
    let index = |text: &str| Model::Int(text.parse().unwrap_or(-1));
    match words.as_slice() {
        ["live_set", "tracks", at] => session.call(song, "delete_track", &[index(at)])?,
        ["live_set", "return_tracks", at] => session.call(song, "delete_return_track", &[index(at)])?,
        ["live_set", "scenes", at] => session.call(song, "delete_scene", &[index(at)])?,
        ["live_set", "master_track"] => return Err(ToolError::new("the main track cannot be deleted")),
        _ => {
            let slot =
                objects::child(session, id, "canonical_parent")?.ok_or_else(|| ToolError::new("it is in no slot"))?;
            session.call(slot, "delete_clip", &[])?
        }
    };
    Ok(())
}
