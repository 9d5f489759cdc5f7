//! `svc-connect`: the first call of a session. Says where the caller is and teaches what it needs.

use super::shared::gathered::NoteStyle;
use super::shared::overview::{self, SetInclude};
use super::{Answer, Tool, View, job_with_finish};
use crate::skills;
use serde_json::json;

pub static TOOL: Tool = Tool {
    name: "svc-connect",
    title: "Connect",
    read_only: true,
    destructive: false,
    description: |_| {
        "Call this first: connects to the Set, gives its overview, and teaches how to use the other tools.".to_owned()
    },
    params: &[],
    hidden: &[],
    withheld_in_small_model: false,
    reads_files: |_| false,
    prepare: |_, view| {
        let view = view.clone();
        Ok(job_with_finish(
            |session, _| {
                let host = (session.kind(), session.live_version().to_owned());
                Ok((host, overview::gather(session, SetInclude::default())?))
            },
            move |((kind, live_version), overview), _| {
                let style = NoteStyle { notation: view.notation, json: true };
                Answer {
                    result: json!({
                        "connected": true,
                        "svcVersion": crate::VERSION,
                        "abletonLiveVersion": live_version,
                        "host": kind,
                        "instance": view.device.instance,
                        "liveSet": overview.into_json(style),
                    }),
                    appended: blocks(&view),
                }
            },
            |_| false,
        ))
    },
};

/// Skills, then the context that is there, then what to do next: never empty.
fn blocks(view: &View) -> Vec<String> {
    let mut blocks = vec![skills::compose(view.notation, view.small_model_mode, &view.tools)];
    let context = view.device.project_context.trim();
    if !context.is_empty() {
        blocks.push(format!("Project context (this Live Set):\n\n{context}"));
    }
    blocks.push(skills::next_step(context.is_empty()));
    blocks
}
