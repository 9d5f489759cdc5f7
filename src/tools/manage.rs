//! `svc-manage`: stepping through the undo history, and cancelling jobs. It writes no step of its own.

use crate::jobs::Jobs;
use crate::object_model::Session;
use crate::tools::address::model_read::{self, flag};
use crate::tools::arguments::action_params::{ParamScope, refuse_out_of_scope};
use crate::tools::call::{Answer, arguments, prepared, prepared_read};
use crate::tools::error::ToolError;
use crate::tools::report::job_status;
use crate::tools::tool::{Param, ParamKind, Tool};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-manage",
    title: "Manage",
    read_only: false,
    destructive: true,
    description: |_| {
        "Undoes or redoes changes to the Set, or cancels a job. The history holds everybody's changes, the user's too; a call \
         is one step. Read the Set afterwards."
            .to_owned()
    },
    params: &[
        Param::new("action", ParamKind::Choice(&["undo", "redo", "cancel"]), "step back or forward, or end a job")
            .required(),
        Param::new("steps", ParamKind::IntegerIn(1, MAX_STEPS), "undo, redo: how many steps; 1 when omitted"),
        Param::new("id", ParamKind::Text, "cancel: the job's id, such as job-1"),
    ],
    aliases: &[],
    left_out_in_small_model: true,
    reads_files: |_| false,
    small: |_| false,
    prepare: |map, view| {
        let args: Args = arguments(map)?;
        args.refuse_out_of_scope()?;
        if args.action == "cancel" {
            let jobs = view.device.jobs.clone();
            return Ok(prepared_read(|_, _| Ok(()), move |(), _| cancel(&jobs, &args), |_| false));
        }
        Ok(prepared(move |session, _| run(session, &args)))
    },
};

const MAX_STEPS: i64 = 50;

#[derive(Deserialize)]
struct Args {
    action: String,
    steps: Option<i64>,
    id: Option<String>,
}

impl Args {
    fn refuse_out_of_scope(&self) -> Result<(), ToolError> {
        let belongs = |parameter, sent, read_by| ParamScope { parameter, sent, read_by };
        let scopes = [
            belongs("steps", self.steps.is_some(), &["undo", "redo"][..]),
            belongs("id", self.job_id().is_some(), &["cancel"]),
        ];
        refuse_out_of_scope("action", Some(&self.action), &scopes)
    }

    fn job_id(&self) -> Option<&str> {
        self.id.as_deref().map(str::trim).filter(|id| !id.is_empty())
    }
}

fn cancel(jobs: &Jobs, args: &Args) -> Result<Answer, ToolError> {
    let id = args.job_id().ok_or_else(|| ToolError::about("id", "cancel needs a job's id; svc-read-job lists them"))?;
    let status = jobs.cancel(id, "svc-manage was asked to").map_err(|why| ToolError::about("id", why))?;
    Ok(job_status::whole(&status).into())
}

fn run(session: &mut dyn Session, args: &Args) -> Result<Value, ToolError> {
    let song = model_read::song(session)?;
    let (function, can, field) =
        if args.action == "undo" { ("undo", "can_undo", "undone") } else { ("redo", "can_redo", "redone") };
    let wanted = args.steps.unwrap_or(1);
    let mut done = 0;
    while done < wanted && flag(session, song, can)? {
        session.call(song, function, &[])?;
        done += 1;
    }
    if done == 0 {
        return Err(ToolError::new(format!("there is nothing to {function}")));
    }
    let mut result = Map::new();
    result.insert(field.to_owned(), json!(done));
    result.insert("canUndo".to_owned(), json!(flag(session, song, "can_undo")?));
    result.insert("canRedo".to_owned(), json!(flag(session, song, "can_redo")?));
    if done < wanted {
        result.insert("stopped".to_owned(), json!(format!("there is nothing more to {function}")));
    }
    Ok(Value::Object(result))
}
