//! `svc-connect`: the first call of a session. Gives an overview of the Set and teaches how to use the tools.

use crate::object_model::Capability;
use crate::skills::{self, EmptyContexts, SkillRequest, SkillsText};
use crate::tools::address::model_read;
use crate::tools::call::{Answer, prepared_with_finish};
use crate::tools::error::{ErrorKind, ToolError};
use crate::tools::read::set_fields::{self, SetInclude};
use crate::tools::read::written::{self, AnswerStyle};
use crate::tools::request::RequestContext;
use crate::tools::tool::{Prepare, Tool};
use crate::user_store::MemoryIndex;
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
    left_out_in_small_model: false,
    // The user's own context and skills are files.
    reads_files: |_| true,
    small: |_| false,
    prepare: Prepare::Seeing(|_, view| {
        let taught = ConnectText::read(view);
        let view = view.clone();
        Ok(prepared_with_finish(
            |session, call| {
                let unable = [Capability::DryRun, Capability::History, Capability::Restore];
                let why = unable.into_iter().filter_map(|wanted| session.capability(wanted).err());
                call.warnings.extend(why.map(|why| why.to_string()));
                let include = SetInclude::default();
                let parts = || Ok(vec![set_fields::part(include)]);
                let gathered = session.reachable().map_err(ToolError::from).and_then(|()| {
                    model_read::through_snapshot(session, &parts, |session| set_fields::gather(session, include))
                });
                // Who begins is told what is missing, and is taught all the same.
                let overview = match gathered {
                    Ok(overview) => Some(overview),
                    Err(why) if why.kind == ErrorKind::Unreachable => {
                        call.warnings.push(why.text);
                        None
                    }
                    Err(why) => return Err(why),
                };
                Ok(((session.kind(), session.live_version().to_owned(), session.link_facts()), overview))
            },
            move |((kind, live_version, link), overview), call| {
                let style = AnswerStyle { notation: view.notation, json: true, as_text: false };
                call.warnings.extend(taught.warnings);
                let mut result = json!({
                    "connected": overview.is_some(),
                    "svcVersion": crate::VERSION,
                    "abletonLiveVersion": live_version,
                    "host": kind,
                    "instance": view.device.instance,
                });
                let overview = overview.map(|overview| written::to_value(overview, style));
                for (member, value) in [("liveSet", overview), ("link", link)] {
                    if let Some(value) = value {
                        result[member] = value;
                    }
                }
                Answer { result: result.into(), appended: taught.blocks, job: None }
            },
            |_| false,
        ))
    }),
};

/// Memory entries that are listed; where there are more, the text says how to get the rest.
const MAX_LISTED_ENTRIES: usize = 100;

/// The text blocks: the skills, then the stored context, then what to do next. Never empty.
struct ConnectText {
    blocks: Vec<String>,
    warnings: Vec<String>,
}

impl ConnectText {
    fn read(view: &RequestContext) -> ConnectText {
        let store = &view.device.user_store;
        let (user_files, problems) = store.skill_files();
        let request = SkillRequest {
            notation: view.notation,
            small_model_mode: view.small_model_mode,
            tools: &view.tools,
            takes_back: (view.at_rest.0)().capability(Capability::DryRun).is_ok(),
            user_files: &user_files,
        };
        let SkillsText { text, warnings } = skills::compose(&request);
        let project = view.device.project.context();
        // A context that cannot be read is there, so it does not count as empty.
        let global = store.global_context().map_err(|why| store.remark(why.to_string())).ok();
        let memory = store.memory_index().map_err(|why| store.remark(why.to_string())).ok();
        let has_folder = store.has_folder();
        let empty = EmptyContexts {
            project: project.trim().is_empty(),
            global: has_folder && global.as_ref().is_some_and(|text| text.trim().is_empty()),
            memory: has_folder && memory.as_ref().is_some_and(|index| index.entries.is_empty()),
        };
        let mut blocks = vec![text];
        let documents = [
            ("Project context (this Live Set):", project),
            ("Global context (all projects):", global.unwrap_or_default()),
        ];
        let written = documents.iter().filter(|(_, text)| !text.trim().is_empty());
        blocks.extend(written.map(|(label, text)| format!("{label}\n\n{}", text.trim())));
        if let Some(index) = memory {
            if !index.entries.is_empty() {
                blocks.push(memory_block(&index, view.tools.contains(&"svc-context")));
            }
            for problem in index.problems {
                store.remark(problem);
            }
        }
        blocks.push(skills::next_step(&request, empty));
        for remark in problems.into_iter().chain(warnings) {
            store.remark(remark);
        }
        let mut warnings = store.take_remarks();
        warnings.extend(view.device.project.permission_request());
        ConnectText { blocks, warnings }
    }
}

fn memory_block(index: &MemoryIndex, can_read: bool) -> String {
    let mut text = "Memory index.".to_owned();
    if can_read {
        text.push_str(
            " When a description fits what is asked, read the entry: svc-context with scope memory and its name.",
        );
    }
    text.push('\n');
    for line in index.lines().take(MAX_LISTED_ENTRIES) {
        text.push('\n');
        text.push_str(&line);
    }
    let more = index.entries.len().saturating_sub(MAX_LISTED_ENTRIES);
    if more > 0 {
        text.push_str(&format!("\n\n{more} more are listed by svc-context, scope memory."));
    }
    text
}
