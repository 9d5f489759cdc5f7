//! `svc-delete`: tracks, scenes and clips.

use super::shared::entry::{self, Entry, add_detail};
use super::shared::hidden::{IDS, PATHS};
use super::shared::objects;
use super::shared::path::{self, Path, TrackPath};
use super::shared::targets::{self, Target, Wanted};
use super::{CallContext, Kind, Param, Tool, ToolError, arguments, job};
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
    hidden: &[IDS, PATHS],
    withheld_in_small_model: false,
    reads_files: |_| false,
    prepare: |map, _| {
        let args: Args = arguments(map)?;
        let wanted = match args.kind.as_str() {
            "track" => Wanted::Track,
            "scene" => Wanted::Scene,
            _ => Wanted::Clip,
        };
        let targets = targets::read_any(wanted, args.id.as_ref(), args.path.as_ref())?;
        Ok(job(move |session, call| run(session, call, wanted, &targets)))
    },
};

#[derive(Deserialize)]
struct Args {
    #[serde(rename = "type")]
    kind: String,
    id: Option<String>,
    path: Option<String>,
}

/// All addresses are read first; then objects go from the highest position down, each once; the answer keeps call order.
fn run(
    session: &mut dyn Session,
    call: &mut CallContext,
    wanted: Wanted,
    targets: &[Target],
) -> Result<Value, ToolError> {
    targets::warn(call, targets);
    let mut doomed: Vec<Doomed> = Vec::new();
    let mut found = Vec::with_capacity(targets.len());
    for target in targets {
        let id = target.find(session, wanted);
        if let Ok(id) = id
            && !doomed.iter().any(|d| d.id == id)
        {
            let path = objects::tool_path(session, id).unwrap_or_default();
            doomed.push(Doomed { id, path, members: members(session, id)?, error: None });
        }
        found.push(id);
    }
    doomed.sort_by_key(|d| std::cmp::Reverse(position(&d.path)));
    for at in &mut doomed {
        // A member of a group that was named too may be gone already.
        if session.class_of(at.id).is_some() {
            let late = || Err(ToolError::new(entry::NOT_REACHED));
            at.error = if call.is_late() { late() } else { delete(session, at.id) }.err();
        }
    }
    let entries = targets.iter().zip(found).map(|(target, found)| match found {
        Ok(id) => {
            doomed.iter().find(|d| d.id == id).map_or_else(|| miss(session, target, wanted, ""), |d| d.entry(target))
        }
        Err(why) => miss(session, target, wanted, &why),
    });
    entry::answer(entries.collect())
}

/// An object to be deleted: where it was before the call, and what became of it.
struct Doomed {
    id: ObjectId,
    path: String,
    members: Vec<(ObjectId, String)>,
    error: Option<ToolError>,
}

impl Doomed {
    fn entry(&self, target: &Target) -> Entry {
        let Doomed { id, path, members, error } = self;
        if let Some(error) = error {
            let detail = format!("{path} (id {id}) was not deleted: {error}");
            return Entry::skip(target.key, &target.spelling, detail);
        }
        let mut entry = Map::new();
        entry.insert("id".to_owned(), json!(id.to_string()));
        entry.insert("deletedPath".to_owned(), json!(path));
        if !members.is_empty() {
            let named: Vec<String> = members.iter().map(|(id, path)| format!("{path} (id {id})")).collect();
            add_detail(&mut entry, format!("its members went with it: {}", named.join(", ")));
        }
        Entry::Written(entry)
    }
}

/// Where in its list a track or scene stands.
fn position(path: &str) -> usize {
    match path::parse(path) {
        Ok(Path::Track(TrackPath::Regular(at) | TrackPath::Return(at)) | Path::Scene(at)) => at,
        _ => 0,
    }
}

/// Deleting what is not there needs no doing; naming an object of another kind is a mistake.
fn miss(session: &dyn Session, target: &Target, wanted: Wanted, detail: &str) -> Entry {
    let wrong_kind = target.misfit(wanted).is_some()
        || matches!(target.named, targets::Named::Id(id) if session.class_of(id).is_some());
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
            let place =
                objects::child(session, id, "canonical_parent")?.ok_or_else(|| ToolError::new("it is in no slot"))?;
            match objects::class(session, place) {
                Some("Track") => session.call(place, "delete_clip", &[Model::Object(Some(id))])?,
                Some("TakeLane") => {
                    return Err(ToolError::new(
                        "clips of take lanes cannot be deleted, in Live neither; mute it instead",
                    ));
                }
                _ => session.call(place, "delete_clip", &[])?,
            }
        }
    };
    Ok(())
}
