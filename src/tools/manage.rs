//! `svc-manage`: stepping through the undo history. It writes no step of its own.

use crate::object_model::Session;
use crate::tools::address::model_read::{self, flag};
use crate::tools::call::{arguments, prepared};
use crate::tools::error::ToolError;
use crate::tools::tool::{Param, ParamKind, Tool};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-manage",
    title: "Manage",
    read_only: false,
    destructive: true,
    description: |_| {
        "Undoes or redoes changes to the Set. The history holds everybody's changes, the user's too; a call is one step. Read \
         the Set afterwards."
            .to_owned()
    },
    params: &[
        Param::new("action", ParamKind::Choice(&["undo", "redo"]), "which way to step").required(),
        Param::new("steps", ParamKind::IntegerIn(1, MAX_STEPS), "how many steps; 1 when omitted"),
    ],
    aliases: &[],
    left_out_in_small_model: true,
    reads_files: |_| false,
    prepare: |map, _| {
        let args: Args = arguments(map)?;
        Ok(prepared(move |session, _| run(session, &args)))
    },
};

const MAX_STEPS: i64 = 50;

#[derive(Deserialize)]
struct Args {
    action: String,
    steps: Option<i64>,
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
