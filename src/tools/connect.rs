//! `svc-connect`: the first call of a session. Says where the caller is and teaches what it needs.

use crate::skills::{self, Composed, Empty, Pupil};
use crate::tools::call::{Answer, prepared_with_finish};
use crate::tools::read::gathered::NoteStyle;
use crate::tools::read::set_fields::{self, SetInclude};
use crate::tools::request::RequestContext;
use crate::tools::tool::Tool;
use crate::user_store::Index;
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
    aliases: &[],
    withheld_in_small_model: false,
    // The user's own context and skills.
    reads_files: |_| true,
    prepare: |_, view| {
        let taught = Taught::read(view);
        let view = view.clone();
        Ok(prepared_with_finish(
            |session, _| {
                let host = (session.kind(), session.live_version().to_owned());
                Ok((host, set_fields::gather(session, SetInclude::default())?))
            },
            move |((kind, live_version), overview), call| {
                let style = NoteStyle { notation: view.notation, json: true };
                call.warnings.extend(taught.warnings);
                Answer {
                    result: json!({
                        "connected": true,
                        "svcVersion": crate::VERSION,
                        "abletonLiveVersion": live_version,
                        "host": kind,
                        "instance": view.device.instance,
                        "liveSet": overview.into_json(style),
                    }),
                    appended: taught.blocks,
                }
            },
            |_| false,
        ))
    },
};

/// Memory entries that are listed; who has more is told where the rest is.
const LISTED_ENTRIES: usize = 100;

/// Skills, then the context that is there, then what to do next: never empty.
struct Taught {
    blocks: Vec<String>,
    warnings: Vec<String>,
}

impl Taught {
    fn read(view: &RequestContext) -> Taught {
        let store = &view.device.user_store;
        let (own, odd) = store.skills();
        let pupil =
            Pupil { notation: view.notation, small_model_mode: view.small_model_mode, tools: &view.tools, own: &own };
        let Composed { text, warnings } = skills::compose(&pupil);
        let project = view.device.project.context();
        // What cannot be read is there, and so not empty.
        let global = store.global().map_err(|why| store.remark(why.to_string())).ok();
        let memory = store.index().map_err(|why| store.remark(why.to_string())).ok();
        let there = store.has_folder();
        let empty = Empty {
            project: project.trim().is_empty(),
            global: there && global.as_ref().is_some_and(|text| text.trim().is_empty()),
            memory: there && memory.as_ref().is_some_and(|index| index.entries.is_empty()),
        };
        let mut blocks = vec![text];
        let documents = [
            ("Project context (this Live Set):", project),
            ("Global context (all projects):", global.unwrap_or_default()),
        ];
        let written = documents.iter().filter(|(_, text)| !text.trim().is_empty());
        blocks.extend(written.map(|(label, text)| format!("{label}\n\n{}", text.trim())));
        if let Some(index) = memory {
            if !index.entries.is_empty() && !view.small_model_mode {
                blocks.push(memory_block(&index, view.tools.contains(&"svc-context")));
            }
            for odd in index.odd {
                store.remark(odd);
            }
        }
        blocks.push(skills::next_step(&pupil, empty));
        for remark in odd.into_iter().chain(warnings) {
            store.remark(remark);
        }
        Taught { blocks, warnings: store.take_remarks() }
    }
}

fn memory_block(index: &Index, can_read: bool) -> String {
    let mut text = "Memory index.".to_owned();
    if can_read {
        text.push_str(
            " When a description fits what is asked, read the entry: svc-context with scope memory and its name.",
        );
    }
    text.push('\n');
    for line in index.lines().take(LISTED_ENTRIES) {
        text.push('\n');
        text.push_str(&line);
    }
    let more = index.entries.len().saturating_sub(LISTED_ENTRIES);
    if more > 0 {
        text.push_str(&format!("\n\n{more} more are listed by svc-context, scope memory."));
    }
    text
}
