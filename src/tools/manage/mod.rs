//! `svc-manage`: stepping through the undo history, bringing one object back, cancelling jobs, and files that hold
//! Sets. Bringing back, opening and importing are steps of their own.

mod set_files;

use crate::jobs::Jobs;
use crate::object_model::history::{StepFacts, StepWay};
use crate::object_model::host_values::Capability;
use crate::object_model::{Session, Value as Model};
use crate::tools::address::model_read::{self, flag};
use crate::tools::address::path_format::id_and_path;
use crate::tools::aliases::clip_aliases::ARRANGED_CLIP;
use crate::tools::aliases::fold::{OBJECT_INDICES, PATHS};
use crate::tools::arguments::action_params::{ParamScope, refuse_out_of_scope};
use crate::tools::budget::Budget;
use crate::tools::call::{Answer, CallContext, arguments, prepared, prepared_read};
use crate::tools::error::{ErrorKind, ToolError};
use crate::tools::history::moved_copy;
use crate::tools::history::restore_target::{self, RestoreTarget};
use crate::tools::history::step_list::Steps;
use crate::tools::report::job_status;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-manage",
    title: "Manage",
    read_only: false,
    destructive: true,
    description: |_| "Undo, the user's too; Set files (.als, .svcset).".to_owned(),
    params: &[
        Param::new(
            "action",
            ParamKind::Choice(&["undo", "redo", "restore", "cancel", "open", "save", "import", "export"]),
            "restore: one object; cancel: a job; import: add its tracks; export: with samples",
        )
        .required(),
        Param::new("steps", ParamKind::IntegerIn(1, MAX_STEPS), "undo, redo: how many; 1 when omitted"),
        Param::new(
            "step",
            ParamKind::IntegerFrom(0),
            "undo, redo: the step to go to; restore: as after this one, else before its last change",
        ),
        Param::new("path", ParamKind::Text, "restore: clip, track, scene or device, also one that is gone"),
        Param::new("id", ParamKind::Text, "restore: as path; cancel: the job's id"),
        Param::new("file", ParamKind::Text, "open, save, import, export: absolute path"),
        Param::new("salvage", ParamKind::Boolean, "open, import: a damaged Live Set as far as it can be read"),
    ],
    aliases: &[PATHS, ARRANGED_CLIP, OBJECT_INDICES],
    left_out_in_small_model: true,
    reads_files: |arguments| arguments.contains_key("file"),
    small: |_| false,
    prepare: Prepare::Seeing(|map, view| {
        let args: Args = arguments(map)?;
        args.refuse_out_of_scope()?;
        Ok(match args.action.as_str() {
            "cancel" => {
                let jobs = view.device.jobs.clone();
                prepared_read(|_, _| Ok(()), move |(), _| cancel(&jobs, &args), |_| false)
            }
            "open" | "import" => set_files::take(&args.action, args.file()?, args.salvage.unwrap_or_default(), view)?,
            "save" | "export" => set_files::write(&args.action, args.file()?, view)?,
            "restore" => prepared(move |session, call| restore(session, &call.budget, &args)),
            _ => prepared(move |session, call| run(session, call, &args)),
        })
    }),
};

const MAX_STEPS: i64 = 50;

#[derive(Deserialize)]
struct Args {
    action: String,
    steps: Option<u64>,
    step: Option<u64>,
    path: Option<String>,
    id: Option<String>,
    file: Option<String>,
    salvage: Option<bool>,
}

impl Args {
    fn refuse_out_of_scope(&self) -> Result<(), ToolError> {
        let belongs = |parameter, sent, read_by| ParamScope { parameter, sent, read_by };
        let scopes = [
            belongs("steps", self.steps.is_some(), &["undo", "redo"][..]),
            belongs("step", self.step.is_some(), &["undo", "redo", "restore"]),
            belongs("path", sent(&self.path).is_some(), &["restore"]),
            belongs("id", sent(&self.id).is_some(), &["restore", "cancel"]),
            belongs("file", sent(&self.file).is_some(), &["open", "save", "import", "export"]),
            belongs("salvage", self.salvage.is_some(), &["open", "import"]),
        ];
        refuse_out_of_scope("action", Some(&self.action), &scopes)?;
        match (self.steps, self.step) {
            (Some(_), Some(_)) => Err(ToolError::about("step", "send steps, how many, or step, which one; not both")),
            _ => Ok(()),
        }
    }
}

impl Args {
    fn file(&self) -> Result<&str, ToolError> {
        let file = sent(&self.file).map(|file| file.trim());
        file.ok_or_else(|| ToolError::about("file", format!("{} needs a file, as an absolute path", self.action)))
    }
}

fn sent(text: &Option<String>) -> Option<&String> {
    text.as_ref().filter(|text| !text.trim().is_empty())
}

fn cancel(jobs: &Jobs, args: &Args) -> Result<Answer, ToolError> {
    let id = sent(&args.id).map(|id| id.trim());
    let id = id.ok_or_else(|| ToolError::about("id", "cancel needs a job's id; svc-read-job lists them"))?;
    let status = jobs.cancel(id, "svc-manage was asked to").map_err(|why| ToolError::about("id", why))?;
    Ok(job_status::whole(&status).into())
}

/// One direction through the history.
struct Direction {
    function: &'static str,
    can: &'static str,
    field: &'static str,
}

const UNDO: Direction = Direction { function: "undo", can: "can_undo", field: "undone" };
const REDO: Direction = Direction { function: "redo", can: "can_redo", field: "redone" };

impl Direction {
    /// The steps that lie this way, the nearest first.
    fn ahead(&self, steps: &Steps) -> Vec<StepFacts> {
        let is_redo = self.function == REDO.function;
        let mut ahead: Vec<StepFacts> = steps.all().into_iter().filter(|step| step.undone == is_redo).collect();
        if is_redo {
            ahead.reverse();
        }
        ahead
    }

    /// How many steps lead to the Set as after that one.
    fn distance(&self, steps: &Steps, to: u64) -> Result<u64, ToolError> {
        let ahead = self.ahead(steps);
        let is_redo = self.function == REDO.function;
        let found = match is_redo {
            true => ahead.iter().position(|step| step.number == to).map(|at| at + 1),
            // The Set as after a step is the Set before the next one.
            false if to == steps.oldest() => Some(ahead.len()),
            false => ahead.iter().position(|step| step.number == to),
        };
        match found {
            Some(0) => Err(ToolError::about("step", format!("the Set is as after step {to} already"))),
            Some(distance) => Ok(distance as u64),
            None if to == steps.now() => {
                Err(ToolError::about("step", format!("the Set is as after step {to} already")))
            }
            None if steps.all().iter().any(|step| step.number == to) => {
                let (way, other) = if is_redo { ("done", "undo") } else { ("undone", "redo") };
                Err(ToolError::about("step", format!("step {to} is {way}; {other} goes there")))
            }
            None => Err(steps.not_kept("step", to)),
        }
    }
}

fn run(session: &mut dyn Session, call: &mut CallContext, args: &Args) -> Result<Value, ToolError> {
    let budget = &call.budget.clone();
    let song = model_read::song(session)?;
    let way = if args.action == "undo" { UNDO } else { REDO };
    // A host may know its steps only one by one.
    let steps = match Steps::of(session, budget).map_err(ToolError::from) {
        Ok(steps) => Some(steps),
        Err(error) if error.kind == ErrorKind::Unable && args.step.is_none() => None,
        Err(error) => return Err(error),
    };
    let wanted = match (&steps, args.step) {
        (Some(steps), Some(to)) => way.distance(steps, to)?,
        _ => args.steps.unwrap_or(1),
    };
    let mut done: u64 = 0;
    let mut said = Vec::new();
    while done < wanted && flag(session, song, way.can)? {
        if let Model::Text(text) = session.call(song, way.function, &[])? {
            said.extend(Some(text).filter(|text| !text.trim().is_empty()));
        }
        done += 1;
    }
    if done == 0 {
        let nothing = ToolError::new(format!("there is nothing to {}", way.function));
        let why = steps.as_ref().and_then(Steps::beginning).filter(|_| way.function == UNDO.function);
        return Err(why.into_iter().fold(nothing, |nothing, why| nothing.and(&why)));
    }
    let mut result = Map::new();
    result.insert(way.field.to_owned(), json!(done));
    if let Some(steps) = &steps {
        let mut ahead = way.ahead(steps);
        ahead.truncate(usize::try_from(done).unwrap_or(usize::MAX));
        let told = steps.told_all(&ahead)?;
        if let Some(how) = Steps::remark_on_more(&told) {
            result.insert("detail".to_owned(), json!(how));
        }
        result.insert("steps".to_owned(), Value::Array(told));
        let (from, to) = (steps.now(), Steps::of(session, budget)?.now());
        call.stepped = Some(StepWay { from, to });
        result.insert("now".to_owned(), json!(to));
    } else {
        // A host that keeps no list may still have a word for each.
        let told = match said.is_empty() {
            true => format!("the host does not say what was {}: read the Set", way.field),
            false => format!("all that the host says of it: {}; read the Set", said.join(", ")),
        };
        result.insert("detail".to_owned(), json!(told));
    }
    result.insert("canUndo".to_owned(), json!(flag(session, song, "can_undo")?));
    result.insert("canRedo".to_owned(), json!(flag(session, song, "can_redo")?));
    if done < wanted {
        let mut why = format!("there is nothing more to {}", way.function);
        if let Some(beginning) = steps.as_ref().and_then(Steps::beginning).filter(|_| way.function == UNDO.function) {
            why = format!("{why}: {beginning}");
        }
        result.insert("stopped".to_owned(), json!(why));
    }
    Ok(Value::Object(result))
}

fn restore(session: &mut dyn Session, budget: &Budget, args: &Args) -> Result<Value, ToolError> {
    session.capability(Capability::Restore)?;
    let steps = Steps::of(session, budget)?;
    let (id, path) = (sent(&args.id), sent(&args.path));
    let RestoreTarget { object, step, changed_by } = restore_target::find(session, &steps, id, path, args.step)?;
    let was_there = model_read::is_there(session, object)?;
    let mut lists = if was_there { Vec::new() } else { ListBefore::of_song(session)? };
    let restored = session.restore(object, step)?;
    let mut entry = id_and_path(session, object)?;
    entry.insert("step".to_owned(), json!(step));
    entry.insert("restored".to_owned(), json!(restored.changed));
    let mut remarks = restored.remarks;
    if let Some(number) = changed_by.filter(|number| steps.is_restore(*number)) {
        remarks.push(format!(
            "its newest change, step {number}, was a restore, and this took that back; to go further back send step, the \
             number of an earlier one (svc-read-history lists them)"
        ));
    }
    if !was_there {
        remarks.extend(moved_copy::remark(session, &steps, object)?);
    }
    let is_track_or_scene = matches!(model_read::class(session, object)?, Some("Track" | "Scene"));
    if !was_there && !is_track_or_scene && model_read::is_there(session, object)? {
        lists.extend(ListBefore::without_device(session, object)?);
    }
    for list in lists {
        remarks.extend(list.describe(session, &[])?);
    }
    if !restored.changed {
        remarks = vec![format!("it is as it was after step {step}")];
    }
    if !remarks.is_empty() {
        entry.insert("detail".to_owned(), json!(remarks.join("; ")));
    }
    Ok(Value::Object(entry))
}
