//! `svc-playback`: launching and stopping scenes and Session clips.

use super::shared::entry::{self, Entry, add_detail};
use super::shared::hidden::{IDS, PATHS};
use super::shared::objects;
use super::shared::targets::{self, Named, Target, Wanted};
use super::shared::{lists, path, path::Path};
use super::{CallContext, Kind, Param, Tool, ToolError, arguments, job};
use crate::object_model::{ObjectId, Session};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-playback",
    title: "Playback",
    read_only: false,
    destructive: true,
    description: |_| {
        "Launches or stops scenes and session clips. In a DAW the DAW's transport is the clock: with it stopped, launched \
         clips wait and start with it."
            .to_owned()
    },
    params: &[
        Param::new("action", Kind::Choice(&ACTIONS), "what to do; stop also stops the Set's own transport").required(),
        Param::new("id", Kind::Text, "clip id(s); for play-scene a scene id"),
        Param::new("path", Kind::Text, "clip slot(s) such as t0/s0; for play-scene s0 or any slot in that scene"),
    ],
    hidden: &[IDS, PATHS],
    withheld_in_small_model: false,
    reads_files: |_| false,
    prepare: |map, _| {
        let args: Args = arguments(map)?;
        let action = Action::read(&args)?;
        Ok(job(move |session, call| action.run(session, call)))
    },
};

const ACTIONS: [&str; 5] = ["play-scene", "play-session-clips", "stop-session-clips", "stop-all-session-clips", "stop"];

#[derive(Deserialize)]
struct Args {
    action: String,
    id: Option<String>,
    path: Option<String>,
}

enum Action {
    PlayScene(Vec<SceneTarget>),
    PlayClips(Vec<Target>),
    StopClips(Vec<Target>),
    StopAll,
    Stop,
}

/// A scene, or something in it.
enum SceneTarget {
    At(usize),
    Id(ObjectId),
}

impl Action {
    fn read(args: &Args) -> Result<Action, ToolError> {
        let sent = |text: &Option<String>| text.as_ref().is_some_and(|t| !t.trim().is_empty());
        Ok(match args.action.as_str() {
            "play-scene" => Action::PlayScene(scene_targets(args)?),
            "play-session-clips" => {
                Action::PlayClips(targets::read(Wanted::Clip, args.id.as_ref(), args.path.as_ref())?)
            }
            "stop-session-clips" => {
                Action::StopClips(targets::read(Wanted::Clip, args.id.as_ref(), args.path.as_ref())?)
            }
            action => {
                for (name, text) in [("id", &args.id), ("path", &args.path)] {
                    if sent(text) {
                        return Err(ToolError::new(format!(
                            "{name} belongs to play-scene, play-session-clips and stop-session-clips; this call has {action}"
                        )));
                    }
                }
                if action == "stop" { Action::Stop } else { Action::StopAll }
            }
        })
    }

    fn run(&self, session: &mut dyn Session, call: &CallContext) -> Result<Value, ToolError> {
        let song = objects::song(session)?;
        let mut result = Map::new();
        result.insert("playing".to_owned(), Value::Bool(false));
        match self {
            Action::PlayScene(targets) => {
                let scene = one_scene(session, targets)?;
                session.call(scene, "fire", &[])?;
                result.insert(
                    "scene".to_owned(),
                    json!({ "id": scene.to_string(), "path": objects::tool_path(session, scene) }),
                );
                say_when(session, &mut result);
            }
            Action::PlayClips(targets) => {
                let (entries, launched) = each_clip(session, call, targets, play_one)?;
                result.insert("clip".to_owned(), entries);
                if launched {
                    say_when(session, &mut result);
                }
            }
            Action::StopClips(targets) => {
                let (entries, _) = each_clip(session, call, targets, stop_one)?;
                result.insert("clip".to_owned(), entries);
            }
            Action::StopAll => {
                session.call(song, "stop_all_clips", &[])?;
            }
            Action::Stop => {
                session.call(song, "stop_all_clips", &[false.into()])?;
                if session.clock().led_by_daw {
                    if session.clock().playing {
                        add_detail(
                            &mut result,
                            "session clips are stopped; the DAW's transport runs on, as only the DAW can stop it",
                        );
                    }
                } else if session.clock().playing {
                    session.call(song, "stop_playing", &[])?;
                }
            }
        }
        result.insert("playing".to_owned(), Value::Bool(session.clock().playing));
        Ok(Value::Object(result))
    }
}

fn scene_targets(args: &Args) -> Result<Vec<SceneTarget>, ToolError> {
    let mut targets = Vec::new();
    if let Some(list) = args.path.as_ref().filter(|t| !t.trim().is_empty()) {
        for spelling in lists::targets("path", list)? {
            targets.push(match path::parse(&spelling).map_err(|e| ToolError::new(format!("path: {e}")))? {
                Path::Scene(at) | Path::Slot { scene: at, .. } => SceneTarget::At(at),
                _ => {
                    return Err(ToolError::new(format!(
                        "path: {spelling} names no scene; write s0, or a slot in it such as t0/s0"
                    )));
                }
            });
        }
    }
    if let Some(list) = args.id.as_ref().filter(|t| !t.trim().is_empty()) {
        for spelling in lists::targets("id", list)? {
            let id = spelling.parse().map_err(|_| ToolError::new(format!("id: \"{spelling}\" is no id")))?;
            targets.push(SceneTarget::Id(ObjectId(id)));
        }
    }
    if targets.is_empty() {
        return Err(ToolError::new("play-scene needs a scene: path \"s0\", or its id"));
    }
    Ok(targets)
}

fn one_scene(session: &dyn Session, targets: &[SceneTarget]) -> Result<ObjectId, ToolError> {
    let mut scene: Option<ObjectId> = None;
    for target in targets {
        let this = match target {
            SceneTarget::At(at) => objects::scene(session, *at)?,
            SceneTarget::Id(id) => match objects::class(session, *id) {
                Some("Scene") => *id,
                Some("Clip") => {
                    let at = match objects::tool_path(session, *id).and_then(|p| path::parse(&p).ok()) {
                        Some(Path::Slot { scene, .. }) => scene,
                        _ => return Err(ToolError::new(format!("id {id} is a clip outside the session"))),
                    };
                    objects::scene(session, at)?
                }
                Some(class) => return Err(ToolError::new(format!("id {id} is a {class}, not a scene"))),
                None => return Err(ToolError::new(format!("no object has the id {id} (any more)"))),
            },
        };
        if scene.is_some_and(|other| other != this) {
            return Err(ToolError::new("play-scene launches one scene; the call names two different ones"));
        }
        scene = Some(this);
    }
    scene.ok_or_else(|| ToolError::new("play-scene needs a scene"))
}

/// With the DAW's transport standing, what was launched waits for it.
fn say_when(session: &dyn Session, result: &mut Map<String, Value>) {
    let clock = session.clock();
    if clock.led_by_daw && !clock.playing {
        add_detail(result, "armed: it starts when the DAW's transport does");
    }
}

type OneClip = fn(&mut dyn Session, &Target) -> Result<Map<String, Value>, String>;

/// Acts on each slot once, at its last mention; gives the entries and whether anything was done.
fn each_clip(
    session: &mut dyn Session,
    call: &CallContext,
    targets: &[Target],
    act: OneClip,
) -> Result<(Value, bool), ToolError> {
    let slots: Vec<Option<ObjectId>> = targets.iter().map(|target| slot_of(session, target)).collect();
    let mut entries = Vec::new();
    let mut any = false;
    for (at, target) in targets.iter().enumerate() {
        entries.push(match entry::named_again(&slots, at) {
            Some(by) => Entry::superseded(target.key, &target.spelling, by),
            None if call.is_late() => Entry::skip(target.key, &target.spelling, entry::NOT_REACHED),
            None => match act(session, target) {
                Ok(entry) => {
                    any = true;
                    Entry::Written(entry)
                }
                Err(detail) => Entry::skip(target.key, &target.spelling, detail),
            },
        });
    }
    Ok((entry::answer(entries)?, any))
}

/// The slot a target is about: it is what makes two targets the same.
fn slot_of(session: &dyn Session, target: &Target) -> Option<ObjectId> {
    match &target.named {
        &Named::Path(Path::Slot { track, scene }) => objects::slot(session, track, scene).ok(),
        _ => {
            let clip = target.find(session, Wanted::Clip).ok()?;
            objects::child(session, clip, "canonical_parent").ok()?
        }
    }
}

/// An empty slot would stop its track, so it is left alone and said.
fn play_one(session: &mut dyn Session, target: &Target) -> Result<Map<String, Value>, String> {
    if let &Named::Path(Path::Slot { track, scene }) = &target.named
        && let Ok(slot) = objects::slot(session, track, scene)
        && objects::flag(session, slot, "is_group_slot")
    {
        session.call(slot, "fire", &[]).map_err(|e| e.to_string())?;
        let mut entry = Map::new();
        entry.insert("path".to_owned(), json!(target.spelling));
        add_detail(
            &mut entry,
            "a group slot: its members' clips in this scene were launched, members without one were stopped",
        );
        return Ok(entry);
    }
    let clip = target.find(session, Wanted::Clip).map_err(|why| format!("{why}, nothing to launch"))?;
    in_session(session, clip)?;
    session.call(clip, "fire", &[]).map_err(|e| e.to_string())?;
    Ok(entry_of(session, clip))
}

/// Clips on the timeline are launched by nothing: they play when the Arrangement does.
fn in_session(session: &dyn Session, clip: ObjectId) -> Result<(), String> {
    if objects::flag(session, clip, "is_arrangement_clip") {
        return Err(format!(
            "{} is an arrangement clip; session clips are launched and stopped",
            objects::named(session, clip)
        ));
    }
    Ok(())
}

/// Stopping works on a slot without a clip too: it stops the track.
fn stop_one(session: &mut dyn Session, target: &Target) -> Result<Map<String, Value>, String> {
    match &target.named {
        &Named::Path(Path::Slot { track, scene }) => {
            let slot = objects::slot(session, track, scene).map_err(|e| e.0)?;
            session.call(slot, "stop", &[]).map_err(|e| e.to_string())?;
            let clip = objects::child(session, slot, "clip").ok().flatten();
            Ok(clip.map_or_else(
                || {
                    let mut entry = Map::new();
                    entry.insert("path".to_owned(), json!(target.spelling));
                    entry
                },
                |clip| entry_of(session, clip),
            ))
        }
        _ => {
            let clip = target.find(session, Wanted::Clip)?;
            in_session(session, clip)?;
            let slot = objects::child(session, clip, "canonical_parent").ok().flatten();
            let slot = slot.ok_or_else(|| "the clip is in no slot".to_owned())?;
            session.call(slot, "stop", &[]).map_err(|e| e.to_string())?;
            Ok(entry_of(session, clip))
        }
    }
}

fn entry_of(session: &dyn Session, clip: ObjectId) -> Map<String, Value> {
    let mut entry = Map::new();
    entry.insert("id".to_owned(), json!(clip.to_string()));
    entry.insert("path".to_owned(), json!(objects::tool_path(session, clip)));
    entry
}
