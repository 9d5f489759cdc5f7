//! A tool that exists only in test builds: it shows what happens to the Set when a call takes too long, panics or
//! fails.

use crate::object_model::Session;
use crate::tools::address::model_read;
use crate::tools::call::{CallContext, arguments, prepared};
use crate::tools::error::ToolError;
use crate::tools::tool::{Param, ParamKind, Tool};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

pub static TOOL: Tool = Tool {
    name: "svc-test",
    title: "Test",
    read_only: false,
    destructive: true,
    description: |_| "Misbehaves on request, after changing the tempo.".to_owned(),
    params: &[
        Param::new("behave", ParamKind::Choice(&["well", "panic", "fail", "sleep"]), "how to end").required(),
        Param::new("sleep", ParamKind::Text, "milliseconds that the Set is held for"),
    ],
    aliases: &[],
    left_out_in_small_model: false,
    reads_files: |_| false,
    prepare: |map, _| {
        let args: Args = arguments(map)?;
        Ok(prepared(move |session, call| run(session, call, &args)))
    },
};

#[derive(Deserialize)]
struct Args {
    behave: String,
    sleep: Option<String>,
}

fn run(session: &mut dyn Session, _: &mut CallContext, args: &Args) -> Result<Value, ToolError> {
    let song = model_read::song(session)?;
    session.set(song, "tempo", 77.0.into())?;
    session.call(song, "create_scene", &[(-1).into()])?;
    match args.behave.as_str() {
        "panic" => panic!("asked to"),
        "fail" => return Err(ToolError::new("failed as asked")),
        _ => {}
    }
    // A tool that holds the Set for this long is a bug; this one shows that the clock still wins.
    if let Some(ms) = args.sleep.as_deref().and_then(|ms| ms.parse().ok()) {
        std::thread::sleep(Duration::from_millis(ms));
    }
    Ok(json!({ "thread": std::thread::current().name() }))
}
