//! `svc-playback`: the transport, launching and stopping. A room for the clip actions ([`clips`]), one for the
//! Arrangement's start marker and loop ([`arrangement`]), one for the clock alone ([`transport`]).

mod arrangement;
mod clips;
mod transport;

use crate::music::locator_names;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path::Path;
use crate::tools::address::path_format;
use crate::tools::address::path_parse;
use crate::tools::address::path_parse::parse_old;
use crate::tools::address::targets::{self, Target, TargetKind, class_with_article};
use crate::tools::aliases::fold::{IDS, LARGEST_INDEX, PATHS};
use crate::tools::arguments::action_params::{self, ParamScope, sent};
use crate::tools::arguments::lists;
use crate::tools::call::{CallContext, arguments, prepared};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use crate::tools::tool::{AliasRule, ParamAlias};
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use arrangement::Settings;
use serde::Deserialize;
use serde_json::{Map, Value};

pub static TOOL: Tool = Tool {
    name: "svc-playback",
    title: "Playback",
    read_only: false,
    destructive: true,
    description: |_| {
        "Plays the arrangement, sets its start and loop, launches and stops scenes and clips. A launched clip has its track \
         until play-arrangement."
            .to_owned()
    },
    params: &[
        Param::new("action", ParamKind::Choice(&ACTIONS), "what to do").required().small_model_drops(&OF_TRANSPORT),
        Param::new("startTime", ParamKind::Text, "bar|beat or loc:<locator>"),
        Param::new("loop", ParamKind::Boolean, "arrangement loop"),
        Param::new("loopStart", ParamKind::Text, "bar|beat or loc:; alone it moves the loop"),
        Param::new("loopEnd", ParamKind::Text, "as loopStart"),
        Param::new("id", ParamKind::Text, "clip id(s); for play-scene a scene or a clip in it"),
        Param::new("path", ParamKind::Text, "slot(s) such as t0/s0; for play-scene s0, or a slot in it"),
    ],
    aliases: &[IDS, PATHS, SLOTS, SCENE, START, LOOP_START, LOOP_END],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| true,
    prepare: Prepare::Alone(|map| {
        let args: Args = arguments(map)?;
        let action = Action::read(&args)?;
        Ok(prepared(move |session, call| action.run(session, call)))
    }),
};

const ACTIONS: [&str; 9] = [
    "play-arrangement",
    "update-arrangement",
    "play-scene",
    "play-session-clips",
    "stop-session-clips",
    "stop-all-session-clips",
    "stop",
    OF_TRANSPORT[0],
    OF_TRANSPORT[1],
];
/// The clock alone, as Live's buttons Play and Stop: what is launched stays launched. See D226 in `docs/decisions.md`.
const OF_TRANSPORT: [&str; 2] = ["start-transport", "stop-transport"];
/// The actions that read the start marker and the loop, those that read targets, and the one that takes a scene.
const OF_ARRANGEMENT: &[&str] = &["play-arrangement", "update-arrangement", "stop"];
const OF_TARGETS: &[&str] = &["play-scene", "play-session-clips", "stop-session-clips"];
const OF_SCENE: &[&str] = &["play-scene"];

const SLOTS: ParamAlias = ParamAlias {
    params: &[Param::new("slots", ParamKind::Text, ""), Param::new("slot", ParamKind::Text, "")],
    into: "path",
    rule: AliasRule::Deprecated {
        value: |map| {
            let name = match ["slots", "slot"].map(|name| map.contains_key(name)) {
                [true, true] => return Err(ToolError::new("slots and slot say the same thing; send path alone")),
                [true, false] => "slots",
                _ => "slot",
            };
            let Some(list) = foreign(map, name, OF_TARGETS)?.as_str() else { return Ok(None) };
            let paths = lists::split_targets(name, list)?.into_iter().map(|slot| match parse_old(&slot) {
                Some(path) => path.to_string(),
                None => slot,
            });
            Ok(Some(paths.collect::<Vec<_>>().join(",")))
        },
        modifiers: &[],
    },
};

/// A scene, or with the track a clip slot.
const SCENE: ParamAlias = ParamAlias {
    params: &[
        Param::new("trackIndex", ParamKind::IntegerIn(0, LARGEST_INDEX), ""),
        Param::new("sceneIndex", ParamKind::IntegerIn(0, LARGEST_INDEX), ""),
    ],
    into: "path",
    rule: AliasRule::Deprecated {
        value: |map| {
            let index = |name: &str, to: &[&str]| match map.get(name) {
                Some(_) => foreign(map, name, to).map(Value::as_i64),
                None => Ok(None),
            };
            match (index("trackIndex", OF_TARGETS)?, index("sceneIndex", OF_TARGETS)?) {
                (Some(track), Some(scene)) => Ok(Some(format!("t{track}/s{scene}"))),
                (Some(track), None) => {
                    let why = format!("alone names no clip; send path: \"t{track}/s0\"");
                    Err(ToolError::about("trackIndex", why))
                }
                (None, scene) => {
                    // A scene without a track names no clip.
                    let scene = scene.map(|at| foreign(map, "sceneIndex", OF_SCENE).map(|_| format!("s{at}")));
                    scene.transpose()
                }
            }
        },
        modifiers: &[],
    },
};

const START: ParamAlias = ParamAlias {
    params: &[Param::new("startLocator", ParamKind::Text, "")],
    into: "startTime",
    rule: AliasRule::Deprecated { value: |map| locator(map, "startLocator"), modifiers: &[] },
};

const LOOP_START: ParamAlias = ParamAlias {
    params: &[Param::new("loopStartLocator", ParamKind::Text, "")],
    into: "loopStart",
    rule: AliasRule::Deprecated { value: |map| locator(map, "loopStartLocator"), modifiers: &[] },
};

const LOOP_END: ParamAlias = ParamAlias {
    params: &[Param::new("loopEndLocator", ParamKind::Text, "")],
    into: "loopEnd",
    rule: AliasRule::Deprecated { value: |map| locator(map, "loopEndLocator"), modifiers: &[] },
};

/// A deprecated parameter's value, refused under its own name where another action reads it.
fn foreign<'a>(map: &'a Map<String, Value>, parameter: &str, to: &[&str]) -> Result<&'a Value, ToolError> {
    let action = map.get("action").and_then(Value::as_str);
    action_params::refuse_out_of_scope("action", action, &[ParamScope { parameter, sent: true, read_by: to }])?;
    Ok(map.get(parameter).unwrap_or(&Value::Null))
}

fn locator(map: &Map<String, Value>, parameter: &str) -> Result<Option<String>, ToolError> {
    let value = foreign(map, parameter, OF_ARRANGEMENT)?;
    // Blanks at its ends may be the name's own.
    Ok(value.as_str().map(|name| format!("loc:{}", locator_names::name_in(name).unwrap_or(name))))
}

#[derive(Deserialize)]
struct Args {
    action: String,
    #[serde(rename = "startTime")]
    start_time: Option<String>,
    #[serde(rename = "loop")]
    looped: Option<bool>,
    #[serde(rename = "loopStart")]
    loop_start: Option<String>,
    #[serde(rename = "loopEnd")]
    loop_end: Option<String>,
    id: Option<String>,
    path: Option<String>,
}

enum Action {
    PlayArrangement(Settings),
    UpdateArrangement(Settings),
    PlayScene(Vec<SceneTarget>, Vec<String>),
    PlayClips(Vec<Target>),
    StopClips(Vec<Target>),
    StopAll,
    StartTransport,
    StopTransport,
    Stop(Settings),
}

/// A scene, or something in it.
enum SceneTarget {
    At(usize),
    Id(ObjectId),
}

impl Action {
    fn read(args: &Args) -> Result<Action, ToolError> {
        let belongs =
            |parameter, text: &Option<String>, to| ParamScope { parameter, sent: sent(text.as_ref()), read_by: to };
        action_params::refuse_out_of_scope(
            "action",
            Some(&args.action),
            &[
                belongs("startTime", &args.start_time, OF_ARRANGEMENT),
                ParamScope { parameter: "loop", sent: args.looped.is_some(), read_by: OF_ARRANGEMENT },
                belongs("loopStart", &args.loop_start, OF_ARRANGEMENT),
                belongs("loopEnd", &args.loop_end, OF_ARRANGEMENT),
                belongs("id", &args.id, OF_TARGETS),
                belongs("path", &args.path, OF_TARGETS),
            ],
        )?;
        let clips = || {
            let (id, path) = (args.id.as_ref().filter(|t| sent(Some(t))), args.path.as_ref().filter(|t| sent(Some(t))));
            targets::read(TargetKind::Clip, id, path)
        };
        Ok(match args.action.as_str() {
            "play-scene" => {
                let (targets, warnings) = scene_targets(args)?;
                Action::PlayScene(targets, warnings)
            }
            "play-session-clips" => Action::PlayClips(clips()?),
            "stop-session-clips" => Action::StopClips(clips()?),
            "stop-all-session-clips" => Action::StopAll,
            "start-transport" => Action::StartTransport,
            "stop-transport" => Action::StopTransport,
            "play-arrangement" => Action::PlayArrangement(Settings::read(args)?),
            "update-arrangement" => Action::UpdateArrangement(Settings::read(args)?),
            _ => Action::Stop(Settings::read(args)?),
        })
    }

    fn run(&self, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
        let song = model_read::song(session)?;
        let mut result = Map::new();
        result.insert("playing".to_owned(), Value::Bool(false));
        match self {
            Action::PlayArrangement(settings) => {
                settings.apply(session, song, &mut result)?;
                arrangement::play(session, song, settings, &mut result)?;
            }
            Action::UpdateArrangement(settings) => settings.apply(session, song, &mut result)?,
            Action::PlayScene(targets, warnings) => {
                let scene = one_scene(session, targets)?;
                call.warnings.extend(warnings.iter().cloned());
                session.call(scene, "fire", &[])?;
                result.insert("scene".to_owned(), Value::Object(path_format::id_and_path(session, scene)?));
                report_waiting(session, &mut result)?;
            }
            Action::PlayClips(targets) => clips::play(session, call, song, targets, &mut result)?,
            Action::StopClips(targets) => clips::stop(session, call, targets, &mut result)?,
            Action::StopAll => {
                session.call(song, "stop_all_clips", &[])?;
            }
            Action::StartTransport => transport::start(session, song, &mut result)?,
            Action::StopTransport => transport::stop(session, song, &mut result)?,
            Action::Stop(settings) => {
                // Read first: what is wrong stops nothing.
                let settings = settings.find(session, song)?;
                session.call(song, "stop_all_clips", &[false.into()])?;
                if session.clock()?.led_by_daw {
                    if session.clock()?.playing {
                        add_detail(
                            &mut result,
                            "session clips are stopped; the DAW's transport runs on, as only the DAW can stop it",
                        );
                    }
                } else if session.clock()?.playing {
                    session.call(song, "stop_playing", &[])?;
                }
                settings.write(session, song, &mut result)?;
            }
        }
        result.insert("playing".to_owned(), Value::Bool(session.clock()?.playing));
        Ok(Value::Object(result))
    }
}

fn scene_targets(args: &Args) -> Result<(Vec<SceneTarget>, Vec<String>), ToolError> {
    let (mut scenes, mut warnings) = (Vec::new(), Vec::new());
    if let Some(list) = args.path.as_ref().filter(|t| sent(Some(t))) {
        for spelling in lists::split_targets("path", list)? {
            let (path, warning) = targets::path_or_old("path", &spelling, targets::is_slot)?;
            warnings.extend(warning);
            scenes.push(match path {
                Path::Scene(at) | Path::Slot { scene: at, .. } => SceneTarget::At(at),
                Path::NewScene => {
                    return Err(ToolError::about("path", "s+ is for a new scene, which svc-create-scene makes"));
                }
                _ => {
                    return Err(ToolError::about(
                        "path",
                        format!("{spelling} names no scene; write s0, or a slot in it such as t0/s0"),
                    ));
                }
            });
        }
    }
    if let Some(list) = args.id.as_ref().filter(|t| sent(Some(t))) {
        for spelling in lists::split_targets("id", list)? {
            scenes.push(SceneTarget::Id(targets::id_of(&spelling)?));
        }
    }
    if scenes.is_empty() {
        return Err(ToolError::new("play-scene needs a scene: path \"s0\", or its id"));
    }
    Ok((scenes, warnings))
}

fn one_scene(session: &dyn Session, targets: &[SceneTarget]) -> Result<ObjectId, ToolError> {
    let mut scene: Option<ObjectId> = None;
    for target in targets {
        let this = match target {
            SceneTarget::At(at) => model_read::scene(session, *at)?,
            SceneTarget::Id(id) => match model_read::class(session, *id)? {
                Some("Scene") => *id,
                Some("Clip" | "ClipSlot") => {
                    let path = path_format::tool_path(session, *id)?;
                    match path.and_then(|p| path_parse::parse(&p).ok()) {
                        Some(Path::Slot { scene, .. }) => model_read::scene(session, scene)?,
                        _ => return Err(ToolError::new(format!("id {id} is a clip outside the session"))),
                    }
                }
                Some(class) => {
                    return Err(ToolError::new(format!("id {id} is {}, not a scene", class_with_article(class))));
                }
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
fn report_waiting(session: &dyn Session, result: &mut Map<String, Value>) -> Result<(), ModelError> {
    let clock = session.clock()?;
    if clock.led_by_daw && !clock.playing {
        add_detail(result, "armed: it starts when the DAW's transport does");
    }
    Ok(())
}
