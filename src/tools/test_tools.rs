//! A tool that exists only in test builds: it shows what happens to the Set when a call takes too long, panics or
//! fails, and starts jobs that go on when the test says so.

use crate::jobs::{JobProgress, Jobs};
use crate::object_model::{Scope, Session};
use crate::tools::address::model_read;
use crate::tools::call::{Answer, CallContext, arguments, prepared, prepared_read};
use crate::tools::error::ToolError;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use crossbeam_channel::{Sender, unbounded};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

pub static TOOL: Tool = Tool {
    name: "svc-test",
    title: "Test",
    read_only: false,
    destructive: true,
    description: |_| "Misbehaves on request, after changing the tempo.".to_owned(),
    params: &[
        Param::new("behave", ParamKind::Choice(&["well", "panic", "fail", "sleep", "job", "step"]), "how to end")
            .required(),
        Param::new("sleep", ParamKind::Text, "milliseconds that the Set is held for"),
        Param::new("job", ParamKind::Text, "job: its name; step: the name of the job that takes a step of three"),
        Param::new("small", ParamKind::Boolean, "may be applied on the thread that read it"),
        Param::new("endless", ParamKind::Choice(&["prepare", "apply", "finish"]), "reads the Set there and never ends"),
    ],
    aliases: &[],
    left_out_in_small_model: false,
    reads_files: |map| map.contains_key("endless"),
    small: |map| map.get("small") == Some(&Value::Bool(true)),
    prepare: Prepare::Seeing(|map, view| {
        let args: Args = arguments(map)?;
        if let "job" | "step" = args.behave.as_str() {
            let (device, name) = (view.device.clone(), args.job.unwrap_or_default());
            let starts = args.behave == "job";
            let finish =
                move |(), _: &mut CallContext| if starts { start(&device.jobs, name) } else { Ok(step(&name)) };
            return Ok(prepared_read(|_, _| Ok(()), finish, |_| false));
        }
        match args.endless.as_deref() {
            Some("prepare") => read_for_ever((view.at_rest.0)().as_ref()),
            Some("apply") => Ok(prepared(|session, _| read_for_ever(session))),
            Some(_) => {
                let snapshot = |session: &mut dyn Session, _: &mut CallContext| {
                    let parts = || Ok(Vec::new());
                    Ok(session.snapshot(&Scope::new(&parts))?)
                };
                let read = |snapshot: Option<Box<dyn Session + Send>>, _: &mut CallContext| match snapshot {
                    Some(snapshot) => read_for_ever(snapshot.as_ref()),
                    None => Ok(Value::Null.into()),
                };
                Ok(prepared_read(snapshot, read, |_| true))
            }
            None => Ok(prepared(move |session, call| run(session, call, &args))),
        }
    }),
};

/// A loop as a tool may have one by mistake: it looks at nothing but the Set.
fn read_for_ever<T>(session: &dyn Session) -> Result<T, ToolError> {
    loop {
        model_read::number(session, model_read::song(session)?, "tempo")?;
    }
}

#[derive(Deserialize)]
struct Args {
    behave: String,
    sleep: Option<String>,
    endless: Option<String>,
    job: Option<String>,
}

/// The jobs that wait for a step, by name.
static WAITING: Mutex<BTreeMap<String, Sender<()>>> = Mutex::new(BTreeMap::new());
const STEPS: u64 = 3;

/// A job of three steps, each of which is asked for by its name.
fn start(jobs: &Jobs, name: String) -> Result<Answer, ToolError> {
    let (step, steps) = unbounded();
    WAITING.lock().insert(name, step.clone());
    let job = jobs.start("svc-test", "taking steps", move |control| {
        let wake = step.clone();
        control.on_cancel(move || _ = wake.send(()));
        for done in 0..STEPS {
            control.report(JobProgress { done, total: Some(STEPS), text: format!("step {done} of {STEPS}") });
            let _ = steps.recv();
            if control.is_cancelled() {
                return Err("cancelled".to_owned());
            }
        }
        Ok(json!({ "steps": STEPS }))
    });
    let job = job.map_err(|why| ToolError::new(why.to_string()))?;
    Ok(Answer { job: Some(Arc::new(job)), ..Answer::default() })
}

fn step(name: &str) -> Answer {
    let sent = WAITING.lock().get(name).is_some_and(|step| step.send(()).is_ok());
    json!({ "stepped": sent }).into()
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
