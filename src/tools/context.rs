//! `svc-context`: reads and writes the stored context. All of it happens when the call has committed, on a worker:
//! files are looked at and written in one step, and the Set has no part in it. See D18 in `docs/decisions.md`.

use crate::tools::arguments::action_params::{self, ParamScope, sent};
use crate::tools::call::{CallContext, arguments, prepared_read};
use crate::tools::error::ToolError;
use crate::tools::request::DeviceFacts;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use crate::user_store::{
    self, MAX_CONTENT_CHARS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS, MemoryIndex, SidecarProblem, StoreError, lost_lines,
};
use serde::Deserialize;
use serde_json::json;

pub static TOOL: Tool = Tool {
    name: "svc-context",
    title: "Context",
    read_only: false,
    destructive: true,
    description: |view| {
        let memory = if view.small_model_mode { "" } else { ", facts for certain moments by name (memory)" };
        format!(
            "Reads and writes what is remembered: of this Set (project), of the user (global){memory}. Writing project or \
             global replaces it: read it first and send all of it."
        )
    },
    params: &[
        Param::new(
            "action",
            ParamKind::Choice(&["read", "write", "delete"]),
            "read when omitted; delete is for memory",
        )
        .small_model_drops(&["delete"]),
        Param::new("scope", ParamKind::Choice(&["project", "global", "memory"]), "project when omitted")
            .small_model_drops(&["memory"]),
        Param::new(
            "content",
            ParamKind::Text,
            "write: the whole text, at most 10000 characters; an empty one clears a document",
        ),
        Param::new("name", ParamKind::Text, "memory entry; a read without it lists all").hidden_in_small_model(),
        Param::new("description", ParamKind::Text, "memory write: one line that says when the entry matters")
            .hidden_in_small_model(),
        Param::new("force", ParamKind::Boolean, "write although nothing of the stored document is kept"),
    ],
    aliases: &[],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| false,
    prepare: Prepare::Seeing(|map, view| {
        let action = ContextAction::read(arguments(map)?)?;
        let device = view.device.clone();
        Ok(prepared_read(
            |_, _| Ok(()),
            move |(), call| Ok(json!({ "content": action.run(&device, call)? }).into()),
            |()| true,
        ))
    }),
};

#[derive(Deserialize)]
struct Args {
    action: Option<String>,
    scope: Option<String>,
    content: Option<String>,
    name: Option<String>,
    description: Option<String>,
    force: Option<bool>,
}

/// What a call asks for.
#[derive(Debug, PartialEq)]
enum ContextAction {
    ReadProject,
    ReadGlobal,
    WriteProject { text: String, force: bool },
    WriteGlobal { text: String, force: bool },
    ListMemory,
    ReadEntry(String),
    WriteEntry { name: String, description: String, body: String },
    DeleteEntry(String),
}

impl ContextAction {
    fn read(args: Args) -> Result<ContextAction, ToolError> {
        let action = args.action.as_deref().unwrap_or("read");
        let scope = args.scope.as_deref().unwrap_or("project");
        refuse_unread_parameters(&args, scope, action)?;
        for (parameter, text, most) in [
            ("content", &args.content, MAX_CONTENT_CHARS),
            ("name", &args.name, MAX_NAME_CHARS),
            ("description", &args.description, MAX_DESCRIPTION_CHARS),
        ] {
            let long = text.as_ref().map_or(0, |text| text.chars().count());
            if long > most {
                return Err(ToolError::new(format!("{parameter} has {long} characters; it takes at most {most}")));
            }
        }
        let said = |text: Option<String>| text.filter(|text| sent(Some(text)));
        match (scope, action) {
            ("memory", "write") => {
                let missing: Vec<&str> =
                    [("name", &args.name), ("content", &args.content), ("description", &args.description)]
                        .into_iter()
                        .filter(|(_, text)| !sent(text.as_ref()))
                        .map(|(name, _)| name)
                        .collect();
                match (said(args.name), said(args.description), said(args.content)) {
                    (Some(name), Some(description), Some(body)) => {
                        Ok(ContextAction::WriteEntry { name, description, body })
                    }
                    _ => Err(ToolError::new(format!(
                        "a memory write needs name, description (one line that says when the entry matters) and content; {} is \
                         missing",
                        missing.join(" and ")
                    ))),
                }
            }
            ("memory", "delete") => {
                let name = said(args.name);
                name.map(ContextAction::DeleteEntry)
                    .ok_or_else(|| ToolError::new("delete needs the name of the memory entry"))
            }
            ("memory", _) => Ok(said(args.name).map_or(ContextAction::ListMemory, ContextAction::ReadEntry)),
            (scope, "write") => {
                // A blank text counts here: it empties the document.
                let text = args.content.filter(|text| text.trim() != "null");
                let text = text.ok_or_else(|| {
                    ToolError::new("write needs content, the whole document; an empty text clears it")
                })?;
                let text = if text.trim().is_empty() { String::new() } else { text };
                let force = args.force == Some(true);
                Ok(if scope == "global" {
                    ContextAction::WriteGlobal { text, force }
                } else {
                    ContextAction::WriteProject { text, force }
                })
            }
            (scope, "delete") => Err(ToolError::new(format!(
                "delete is for entries of scope memory; to empty the {scope} document, write it with content \"\""
            ))),
            ("global", _) => Ok(ContextAction::ReadGlobal),
            _ => Ok(ContextAction::ReadProject),
        }
    }

    fn run(self, device: &DeviceFacts, call: &mut CallContext) -> Result<String, ToolError> {
        let store = &device.user_store;
        let done = match self {
            ContextAction::ReadProject => Ok(device.project.context()),
            ContextAction::ReadGlobal => Ok(store.global_context()?),
            ContextAction::WriteProject { text, force } => write_project(device, text, force, call),
            ContextAction::WriteGlobal { text, force } => {
                Ok(store.write_global_context(&text, force).map(|()| text)?)
            }
            ContextAction::ListMemory => Ok(index_text(device, store.memory_index()?)),
            ContextAction::ReadEntry(name) => Ok(match store.memory_entry(&name)? {
                Some(body) => body,
                None => format!("There is no memory entry `{}`.", user_store::slug(&name)),
            }),
            ContextAction::WriteEntry { name, description, body } => {
                Ok(index_text(device, store.write_memory_entry(&name, &description, &body)?))
            }
            ContextAction::DeleteEntry(name) => {
                if matches!(store.memory_entry(&name), Ok(None)) {
                    let slug = user_store::slug(&name);
                    call.warnings.push(format!("nothing to delete: there is no memory entry `{slug}`"));
                }
                Ok(index_text(device, store.delete_memory_entry(&name)?))
            }
        };
        call.warnings.extend(store.take_remarks());
        done
    }
}

impl From<StoreError> for ToolError {
    fn from(error: StoreError) -> Self {
        ToolError::new(error.to_string())
    }
}

/// Refuses parameters that only another scope or action reads.
fn refuse_unread_parameters(args: &Args, scope: &str, action: &str) -> Result<(), ToolError> {
    let both = format!("{scope} {action}");
    let rules: [(&str, &str, &str, bool, &[&str]); 4] = [
        ("scope", scope, "name", sent(args.name.as_ref()), &["memory"]),
        ("action", action, "content", sent(args.content.as_ref()), &["write"]),
        ("scope and action", &both, "description", sent(args.description.as_ref()), &["memory write"]),
        ("scope and action", &both, "force", args.force == Some(true), &["project write", "global write"]),
    ];
    rules.into_iter().try_for_each(|(selector, chosen, parameter, sent, to)| {
        action_params::refuse_out_of_scope(selector, Some(chosen), &[ParamScope { parameter, sent, read_by: to }])
    })
}

fn write_project(device: &DeviceFacts, text: String, force: bool, call: &mut CallContext) -> Result<String, ToolError> {
    if !force && let Some(lost) = lost_lines(&device.project.context(), &text) {
        return Err(StoreError::WouldLose(lost).into());
    }
    device.project.set_context(&text, device.generation)?;
    match device.user_store.sidecar().map_or(Ok(()), |sidecar| sidecar.follow(&text)) {
        Ok(()) => {}
        Err(odd @ SidecarProblem::Odd(_)) => {
            device.user_store.remark(odd.to_string());
        }
        // Told each time: this text is not in the file.
        Err(failed @ SidecarProblem::NotWritten(_)) => call.warnings.push(failed.to_string()),
    }
    Ok(text)
}

fn index_text(device: &DeviceFacts, index: MemoryIndex) -> String {
    let text = index.to_string();
    index.problems.into_iter().for_each(|problem| {
        device.user_store.remark(problem);
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn read(args: Value) -> Result<ContextAction, String> {
        ContextAction::read(serde_json::from_value(args).unwrap()).map_err(|e| e.to_string())
    }

    #[test]
    fn what_a_call_asks_for() {
        let text = |text: &str| text.to_owned();
        for (args, work) in [
            (json!({}), ContextAction::ReadProject),
            (json!({"content": "", "name": "null", "force": false}), ContextAction::ReadProject),
            (json!({"scope": "global"}), ContextAction::ReadGlobal),
            (json!({"action": "write", "content": "a"}), ContextAction::WriteProject { text: text("a"), force: false }),
            (
                json!({"action": "write", "content": " \n"}),
                ContextAction::WriteProject { text: text(""), force: false },
            ),
            (
                json!({"action": "write", "scope": "global", "content": " a\n", "force": true}),
                ContextAction::WriteGlobal { text: text(" a\n"), force: true },
            ),
            (json!({"scope": "memory"}), ContextAction::ListMemory),
            (json!({"scope": "memory", "name": " "}), ContextAction::ListMemory),
            (json!({"scope": "memory", "name": "A b"}), ContextAction::ReadEntry(text("A b"))),
            (
                json!({"action": "write", "scope": "memory", "name": "a", "description": "b", "content": "c"}),
                ContextAction::WriteEntry { name: text("a"), description: text("b"), body: text("c") },
            ),
            (json!({"action": "delete", "scope": "memory", "name": "a"}), ContextAction::DeleteEntry(text("a"))),
        ] {
            assert_eq!(read(args.clone()), Ok(work), "{args}");
        }
    }

    #[test]
    fn what_is_refused() {
        let long = |n| "x".repeat(n);
        for (args, part) in [
            (json!({"action": "write"}), "write needs content"),
            (json!({"action": "write", "content": "null"}), "write needs content"),
            (json!({"action": "write", "scope": "memory"}), "name and content and description is missing"),
            (
                json!({"action": "write", "scope": "memory", "name": "a", "content": "c", "description": " "}),
                "description is missing",
            ),
            (
                json!({"action": "write", "scope": "memory", "name": "a", "content": "", "description": "d"}),
                "content is missing",
            ),
            (json!({"action": "delete", "scope": "memory"}), "needs the name"),
            (json!({"action": "delete"}), "delete is for entries of scope memory"),
            (json!({"action": "delete", "scope": "global"}), "to empty the global document"),
            (json!({"name": "a"}), "name belongs to scope memory; this call has scope project"),
            (json!({"scope": "global", "action": "write", "content": "a", "name": "a"}), "name belongs"),
            (json!({"content": "a"}), "content belongs to action write; this call has action read"),
            (json!({"scope": "memory", "action": "delete", "name": "a", "content": "x"}), "content belongs"),
            (json!({"scope": "memory", "name": "a", "description": "x"}), "description belongs"),
            (json!({"action": "write", "content": "a", "description": "x"}), "description belongs"),
            (json!({"force": true}), "force belongs"),
            (
                json!({"scope": "memory", "action": "write", "name": "a", "content": "c", "description": "d", "force": true}),
                "force belongs to scope and action project write and global write",
            ),
            (
                json!({"action": "write", "content": long(10_001)}),
                "content has 10001 characters; it takes at most 10000",
            ),
            (json!({"scope": "memory", "name": long(201)}), "name has 201"),
            (
                json!({"scope": "memory", "action": "write", "name": "a", "content": "c", "description": long(501)}),
                "description has 501",
            ),
        ] {
            let refusal = read(args.clone()).expect_err("refused");
            assert!(refusal.contains(part), "{args}: {refusal}");
        }
        assert!(read(json!({"action": "write", "content": "ü".repeat(10_000)})).is_ok());
    }
}
