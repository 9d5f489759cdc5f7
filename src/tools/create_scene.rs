//! `svc-create-scene`: empty scenes, or one captured from what plays.

use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{self, count};
use crate::tools::address::path::Path;
use crate::tools::address::path_format;
use crate::tools::address::path_parse;
use crate::tools::aliases::fold::{LARGEST_INDEX, PATHS, SCENE_INDEX};
use crate::tools::arguments::lists::{self, ListEntry};
use crate::tools::call::{CallContext, arguments, prepared};
use crate::tools::error::ToolError;
use crate::tools::read::settled::settled;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::target_result::{self, Mention, TargetResult, add_detail};
use crate::tools::report::write_log::WriteLog;
use crate::tools::scene::values::{SceneArgs, SceneValues};
use crate::tools::timeline::place::{MAX_SCENES, check_scene};
use crate::tools::tool::{AliasRule, ParamAlias};
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use serde::Deserialize;
use serde_json::{Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-create-scene",
    title: "Create Scene",
    read_only: false,
    destructive: true,
    description: |_| "Adds empty scenes: s+ appends, s0 inserts there. Later scenes shift.".to_owned(),
    params: &[
        Param::new(
            "path",
            ParamKind::Text,
            "place(s), comma-separated, counted from the Set as it is now; past the end, the gap is filled",
        ),
        Param::new(
            "capture",
            ParamKind::Boolean,
            "one new scene of the clips that play, at path or else below the selected one",
        )
        .hidden_in_small_model(),
        Param::new("name", ParamKind::Text, "name(s)"),
        Param::new("color", ParamKind::Text, "#RRGGBB"),
        Param::new("tempo", ParamKind::Number, "20 to 999 BPM; -1: none of its own").hidden_in_small_model(),
        Param::new("timeSignature", ParamKind::Text, "N/D, such as 7/8; disabled: none of its own")
            .hidden_in_small_model(),
    ],
    aliases: &[PATHS, SCENE_INDEX, COUNT],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| true,
    prepare: Prepare::Alone(|map| {
        let args: Args = arguments(map)?;
        let plan = Plan::read(&args)?;
        Ok(prepared(move |session, call| plan.run(session, call)))
    }),
};

const COUNT: ParamAlias = ParamAlias {
    params: &[Param::new("count", ParamKind::IntegerIn(1, LARGEST_INDEX), "")],
    into: "path",
    rule: AliasRule::Count { of: "s+", at_most: MAX_SCENES },
};

#[derive(Deserialize)]
struct Args {
    path: Option<String>,
    #[serde(default)]
    capture: bool,
    #[serde(flatten)]
    values: SceneArgs,
}

/// Where a scene goes, counted in the Set before the call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ScenePlace {
    End,
    At(usize),
}

impl ScenePlace {
    fn read(spelling: &str) -> Result<ScenePlace, ToolError> {
        match path_parse::parse(spelling).map_err(|e| ToolError::about("path", e))? {
            Path::NewScene => Ok(ScenePlace::End),
            Path::Scene(at) => Ok(ScenePlace::At(at)),
            _ => Err(ToolError::about("path", format!("{spelling} is no place for a scene; write s+ or s0"))),
        }
    }
}

struct Plan {
    places: Vec<ListEntry<ScenePlace>>,
    capture: bool,
    values: SceneValues,
}

/// What became of one place: the scene and those that filled the gap before it.
struct MadeScene {
    scene: ObjectId,
    gap: Vec<ObjectId>,
}

impl Plan {
    fn read(args: &Args) -> Result<Plan, ToolError> {
        let path = args.path.as_ref().filter(|text| !text.trim().is_empty());
        let spellings = path.map(|text| lists::split_targets("path", text)).transpose()?.unwrap_or_default();
        let places = lists::read_each(spellings, ScenePlace::read)?;
        match (args.capture, places.len()) {
            (false, 0) => return Err(ToolError::new("path says where: s+ for the end, s0 to insert there")),
            (true, 2..) => {
                return Err(ToolError::new(
                    "capture makes one scene; name one scene by path, or none for the selected one",
                ));
            }
            _ => {}
        }
        let values = SceneValues::read(&args.values, places.len().max(1))?;
        Ok(Plan { places, capture: args.capture, values })
    }

    fn run(&self, session: &mut dyn Session, call: &CallContext) -> Result<Value, ToolError> {
        if self.capture {
            return self.run_capture(session);
        }
        let song = model_read::song(session)?;
        let before = count(session, song, "scenes")?;
        self.refuse_too_many(before)?;
        let inserts = |place: &ListEntry<_>| matches!(place.read, Ok(ScenePlace::At(at)) if at < before);
        let scenes = self.places.iter().any(inserts).then(|| ListBefore::read(session, song, "scenes")).transpose()?;
        let mut made: Vec<Result<MadeScene, String>> = Vec::new();
        let mut inserted: Vec<usize> = Vec::new();
        for (at, ListEntry { spelling, read }) in self.places.iter().enumerate() {
            session.begin_target(at);
            let possible = read.as_ref().map_err(Clone::clone).and_then(|place| match place {
                ScenePlace::At(at) => check_scene("path", spelling, *at).map(|()| *place),
                ScenePlace::End => Ok(*place),
            });
            made.push(match possible {
                Err(why) => Err(why.text),
                Ok(_) if call.is_late() => Err(target_result::NOT_REACHED.to_owned()),
                Ok(place) => target_result::or_detail(make(session, song, place, before, &mut inserted))?,
            });
        }
        // Of one alone its own look at it tells.
        let landed = if self.places.len() > 1 { session.land()? } else { Vec::new() };
        for landed in landed {
            if let (Some(made), Some(why)) = (made.get_mut(landed.target), landed.failed.first()) {
                *made = Err(why.to_string());
            }
        }
        let mut entries = Vec::new();
        for (at, (ListEntry { spelling, .. }, made)) in self.places.iter().zip(made).enumerate() {
            session.begin_target(at);
            let made = match made {
                Ok(made) => made,
                Err(detail) => {
                    entries.push(TargetResult::skip("path", spelling, detail));
                    continue;
                }
            };
            let mut steps = WriteLog::on(session, made.scene)?;
            if let Some(created) = path_range(session, &made.gap)? {
                steps.entry.insert("created".to_owned(), json!(created));
            }
            steps.record("scene", Ok::<_, ToolError>(()))?;
            let outcome = self.values.write(session, made.scene, at, &mut steps);
            entries.push(TargetResult::Written(steps.end(outcome)?));
        }
        for landed in session.land()? {
            if let (Some(entry), Some(place)) = (entries.get_mut(landed.target), self.places.get(landed.target)) {
                entry.take_late_failures(Mention { key: "path", spelling: &place.spelling }, &landed);
            }
        }
        if let Some(scenes) = scenes {
            scenes.report(session, &[], entries.iter_mut())?;
        }
        settled(session, target_result::answer(entries))
    }

    /// Refuses more scenes than a Set gets. One place that is too far is its own fault alone.
    fn refuse_too_many(&self, before: usize) -> Result<(), ToolError> {
        let possible = || {
            self.places.iter().filter_map(|place| match place.read.as_ref().ok()? {
                ScenePlace::End => Some(0),
                ScenePlace::At(at) => (*at < MAX_SCENES).then_some(at.saturating_add(1)),
            })
        };
        let wanted = possible().max().unwrap_or(0).max(before.saturating_add(possible().count()));
        if wanted > MAX_SCENES {
            return Err(ToolError::about(
                "path",
                format!("that makes {wanted} scenes, of which a Set gets at most {MAX_SCENES}; it has {before} now"),
            ));
        }
        Ok(())
    }

    fn run_capture(&self, session: &mut dyn Session) -> Result<Value, ToolError> {
        let song = model_read::song(session)?;
        let scenes = count(session, song, "scenes")?;
        if scenes >= MAX_SCENES {
            return Err(ToolError::new(format!("a Set gets at most {MAX_SCENES} scenes; it has {scenes}")));
        }
        let list = ListBefore::read(session, song, "scenes")?;
        let view = model_read::child(session, song, "view")?.ok_or_else(|| ToolError::new("the Set has no view"))?;
        let mut gap = Vec::new();
        // A host captures below a scene, so the first place is got by way of a scene in front.
        let mut in_front = None;
        let place = self.places.first().map(|one| one.read.clone().map(|place| (&one.spelling, place))).transpose()?;
        let above = match place {
            Some((_, ScenePlace::At(0))) => {
                in_front = Some(create(session, song, 0)?);
                in_front
            }
            Some((spelling, ScenePlace::At(at))) => {
                check_scene("path", spelling, at)?;
                for _ in scenes..at {
                    gap.push(create(session, song, -1)?);
                }
                Some(model_read::scene(session, at.saturating_sub(1))?)
            }
            Some((_, ScenePlace::End)) => match scenes.checked_sub(1) {
                Some(last) => session.child_at(song, "scenes", last)?,
                None => None,
            },
            None => None,
        };
        if let Some(above) = above {
            session.set(view, "selected_scene", Model::Object(Some(above)))?;
        }
        session.call(song, "capture_and_insert_scene", &[])?;
        let scene = model_read::child(session, view, "selected_scene")?
            .ok_or_else(|| ToolError::new("the host captured no scene"))?;
        if in_front.is_some() {
            session.call(song, "delete_scene", &[Model::Int(0)])?;
        }
        let mut steps = WriteLog::on(session, scene)?;
        if let Some(created) = path_range(session, &gap)? {
            steps.entry.insert("created".to_owned(), json!(created));
        }
        steps.record("scene", Ok::<_, ToolError>(()))?;
        let outcome = self.values.write(session, scene, 0, &mut steps);
        let mut clips: Vec<Value> = Vec::new();
        for slot in model_read::children(session, scene, "clip_slots")? {
            if let Some(clip) = session.child_at(slot, "clip", 0)? {
                clips.push(json!({ "id": clip.to_string(), "path": path_format::tool_path(session, clip)? }));
            }
        }
        let none = clips.is_empty();
        steps.entry.insert("clips".to_owned(), clips.into());
        if none {
            add_detail(&mut steps.entry, "no session clip plays, so the scene is empty");
        }
        if let Some(moved) = list.describe(session, &[])? {
            add_detail(&mut steps.entry, moved);
        }
        Ok(Value::Object(steps.end(outcome)?))
    }
}

/// Makes a scene, and the scenes between the end of the Set and it.
fn make(
    session: &mut dyn Session,
    song: ObjectId,
    place: ScenePlace,
    before: usize,
    inserted: &mut Vec<usize>,
) -> Result<MadeScene, ToolError> {
    let now = count(session, song, "scenes")?;
    let index = match place {
        ScenePlace::End => now,
        // Each insert moves down what is at or behind it. What was appended only makes a gap behind the end shorter.
        ScenePlace::At(at) => at.saturating_add(inserted.iter().filter(|earlier| **earlier <= at).count()),
    };
    if let ScenePlace::At(at) = place {
        inserted.push(at);
    }
    let index = if matches!(place, ScenePlace::At(at) if at <= before) { index.min(now) } else { index };
    let gap = (now..index).map(|_| create(session, song, -1)).collect::<Result<Vec<_>, _>>()?;
    let scene = create(session, song, i64::try_from(index).unwrap_or(-1))?;
    Ok(MadeScene { scene, gap })
}

fn create(session: &mut dyn Session, song: ObjectId, at: i64) -> Result<ObjectId, ToolError> {
    let made = session.call(song, "create_scene", &[Model::Int(at)])?;
    made.as_object().ok_or_else(|| ToolError::new("no scene was made"))
}

/// `s8` or `s8-s9`, where they stand now.
pub fn path_range(session: &dyn Session, made: &[ObjectId]) -> Result<Option<String>, ModelError> {
    let (Some(first), Some(last)) = (made.first(), made.last()) else { return Ok(None) };
    let (first, last) = (path_format::tool_path(session, *first)?, path_format::tool_path(session, *last)?);
    Ok(first.zip(last).map(|(first, last)| if first == last { first } else { format!("{first}-{last}") }))
}
