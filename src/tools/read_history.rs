//! `svc-read-history`: the steps of undo in words, and what is different between two of them.

use crate::music::excerpt::excerpt;
use crate::object_model::Session;
use crate::object_model::history::Moment;
use crate::object_model::host_values::SetVersion;
use crate::tools::call::{Answer, CallContext, PreparedCall, arguments, prepared_read};
use crate::tools::error::ToolError;
use crate::tools::file_work::{allowed, job};
use crate::tools::history::step_list::{Difference, MOST_OBJECTS_TOLD, Steps};
use crate::tools::request::RequestContext;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::time::SystemTime;

pub static TOOL: Tool = Tool {
    name: "svc-read-history",
    title: "Read History",
    read_only: true,
    destructive: false,
    description: |_| {
        "Lists undo steps, newest first; with diff, what differs between two. Step N is the Set after it.".to_owned()
    },
    params: &[
        Param::new("diff", ParamKind::Boolean, "what differs"),
        Param::new("from", ParamKind::IntegerFrom(0), "diff: a step, else before `to`"),
        Param::new("to", ParamKind::IntegerFrom(0), "diff: a step, else now"),
        Param::new("file", ParamKind::Text, "diff: from a file").hidden_in_small_model(),
        Param::new("before", ParamKind::IntegerFrom(0), "list: older steps").hidden_in_small_model(),
        Param::new("limit", ParamKind::IntegerIn(1, MOST_OBJECTS_TOLD as i64), "most steps (20) or objects (100)")
            .hidden_in_small_model(),
    ],
    aliases: &[],
    left_out_in_small_model: false,
    reads_files: |arguments| arguments.contains_key("file"),
    small: |_| false,
    prepare: Prepare::Seeing(|map, view| {
        let args: Args = arguments(map)?;
        args.refuse_out_of_scope()?;
        if args.is_of_file() {
            return against_file(args, view);
        }
        Ok(prepared_read(
            |session, call| Ok(Steps::of(session, &call.budget)?),
            move |steps, call| answer(&steps, &args, call),
            |_| true,
        ))
    }),
};

const STEPS_LISTED: usize = 20;
const OBJECTS_TOLD: usize = 100;

#[derive(Deserialize)]
struct Args {
    #[serde(default)]
    diff: Option<bool>,
    from: Option<u64>,
    to: Option<u64>,
    file: Option<String>,
    before: Option<u64>,
    limit: Option<usize>,
}

impl Args {
    fn is_diff(&self) -> bool {
        self.diff == Some(true)
    }

    fn is_of_file(&self) -> bool {
        self.file.as_deref().is_some_and(|file| !file.trim().is_empty())
    }

    fn refuse_out_of_scope(&self) -> Result<(), ToolError> {
        if self.is_of_file() && !self.is_diff() {
            return Err(ToolError::about("file", "file goes with diff: true, which compares it with the Set"));
        }
        if self.is_of_file() && self.from.is_some() {
            return Err(ToolError::about("file", "send from, a step, or file, what to compare with; not both"));
        }
        let of_diff = [("from", self.from), ("to", self.to)].into_iter().find(|(_, sent)| sent.is_some());
        match of_diff {
            Some((parameter, _)) if !self.is_diff() => {
                Err(ToolError::about(parameter, format!("{parameter} goes with diff: true; before pages the list")))
            }
            _ if self.is_diff() && self.before.is_some() => {
                Err(ToolError::about("before", "before pages the list; with diff: true send from and to"))
            }
            _ => Ok(()),
        }
    }
}

fn answer(steps: &Steps, args: &Args, call: &CallContext) -> Result<Answer, ToolError> {
    let answer = if args.is_diff() { difference(steps, args) } else { list(steps, args, call) }?;
    Ok(Value::Object(answer).into())
}

fn list(steps: &Steps, args: &Args, call: &CallContext) -> Result<Map<String, Value>, ToolError> {
    let limit = args.limit.unwrap_or(STEPS_LISTED);
    let all = steps.all();
    let mut left = all.iter().filter(|step| args.before.is_none_or(|before| step.number < before));
    let now = SystemTime::now();
    let mut listed = Vec::new();
    for step in left.by_ref().take(limit) {
        call.budget.check()?;
        listed.push(steps.told_with_time(step, now)?);
    }
    let older = left.count();
    let beginning = if older == 0 { steps.beginning() } else { None };
    let mut out = Map::new();
    out.insert("now".to_owned(), json!(steps.now()));
    out.insert("oldest".to_owned(), json!(steps.oldest()));
    if let Some(next) = listed.last().and_then(|step| step.get("step")).filter(|_| older > 0) {
        out.insert("older".to_owned(), json!({ "steps": older, "before": next }));
    }
    let is_undone = all.iter().any(|step| step.undone);
    let remarks: Vec<String> = steps
        .cut()
        .into_iter()
        .chain(beginning)
        .chain(Steps::remark_on_more(&listed).map(str::to_owned))
        .chain(is_undone.then(|| "undone steps can be redone until the Set is changed".to_owned()))
        .collect();
    out.insert("steps".to_owned(), Value::Array(listed));
    if !remarks.is_empty() {
        out.insert("detail".to_owned(), json!(remarks.join("; ")));
    }
    Ok(out)
}

fn difference(steps: &Steps, args: &Args) -> Result<Map<String, Value>, ToolError> {
    let (to, moment_to) = match args.to {
        Some(to) => (to, Moment::After(to)),
        None => (steps.now(), Moment::Now),
    };
    let is_step = |number: u64| steps.all().iter().any(|step| step.number == number);
    let (from, moment_from) = match args.from {
        Some(from) => (from, Moment::After(from)),
        None if is_step(to) => (steps.before(to), Moment::Before(to)),
        // Before the oldest there is nothing to compare with.
        None => (to, moment_to),
    };
    for (parameter, number, moment) in [("to", to, moment_to), ("from", from, moment_from)] {
        if steps.state(moment).is_none() {
            return Err(steps.not_kept(parameter, number));
        }
    }
    let most = args.limit.unwrap_or(OBJECTS_TOLD);
    let found = steps.difference(moment_from, moment_to, most)?.ok_or_else(|| steps.not_kept("from", from))?;
    let mut out = Map::new();
    out.insert("from".to_owned(), json!(from));
    out.insert("to".to_owned(), json!(to));
    found.put_into(&mut out, most, "compare steps that are closer together");
    Ok(out)
}

/// What is different between a Set in a file and the Set as it is now, or as after a step. The file is read by a job.
fn against_file(args: Args, view: &RequestContext) -> Result<Box<dyn PreparedCall>, ToolError> {
    let file = args.file.clone().unwrap_or_default();
    let path = allowed::existing("file", file.trim(), "Sets are read and written", view)?;
    let (device, to) = (view.device.clone(), args.to);
    let most = args.limit.unwrap_or(OBJECTS_TOLD);
    let gather = move |session: &mut dyn Session, call: &mut CallContext| {
        let elsewhere = || ToolError::new("the Set that is open in Ableton Live is not compared with files");
        let Some(to) = to else { return session.version().ok_or_else(elsewhere) };
        let steps = Steps::of(session, &call.budget)?;
        steps.version(Moment::After(to)).ok_or_else(|| steps.not_kept("to", to))
    };
    let finish = move |set: SetVersion, _: &mut CallContext| {
        let facts = device.clone();
        let title = format!("compare with {}", excerpt(&file));
        job::start(&device, TOOL.name, &title, move |work| {
            let about = |why: String| allowed::about("file", &file, &why);
            let read = facts.set_files.read(&path, &facts.allowed_folders(), false, work).map_err(about)?;
            let found = facts.set_files.compare(&read.set, &set, most).map_err(about)?;
            let told = Difference::tell(&*found.before, &*found.after, &found.changes)?;
            let mut out = Map::new();
            out.insert("from".to_owned(), json!(file));
            out.insert("to".to_owned(), to.map_or_else(|| json!("now"), |to| json!(to)));
            told.put_into(&mut out, most, "compare the files with svc-device diff");
            Ok(Value::Object(out))
        })
    };
    Ok(prepared_read(gather, finish, |_| false))
}
