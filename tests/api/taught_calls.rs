//! Every call that the skills and the pages show does what it says, on a Set with something of everything.

use crate::stage::{Stage, calls, pages};
use crate::support::Api;
use svc_device::notation::Notation;

/// The calls of one page, in order; in its own notation where it is about one.
fn try_page(name: &str, text: &str) -> (usize, Vec<String>) {
    let calls = calls(text).unwrap_or_else(|why| panic!("{name}: {why}"));
    if calls.is_empty() {
        return (0, Vec::new());
    }
    let notation = Notation::ALL.into_iter().find(|notation| name.starts_with(notation.name())).unwrap_or_default();
    let headers = format!("x-svc-notation: {}\r\n", notation.name());
    let stage = Stage::set();
    let (mut tried, mut wrong) = (0, Vec::new());
    for call in calls {
        tried += 1;
        wrong.extend(
            stage.run(&call, &headers).err().map(|why| format!("{name}: {} {}: {why}", call.tool, call.arguments)),
        );
    }
    (tried, wrong)
}

#[test]
fn every_call_in_the_skills() {
    let (mut tried, mut wrong) = (0, Vec::new());
    for (name, text) in pages("src/skills") {
        let (count, mut failures) = try_page(&name, &text);
        tried += count;
        wrong.append(&mut failures);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried >= 40, "{tried} calls");
}

/// The recipes have a test of their own.
#[test]
fn every_call_in_the_pages() {
    let mut wrong = Vec::new();
    for (name, text) in pages("docs").into_iter().chain(pages(".")).filter(|(name, _)| name != "recipes") {
        wrong.extend(try_page(&name, &text).1);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is named as a tool is one.
#[test]
fn every_tool_that_the_skills_name() {
    let stage = Stage::empty();
    for (name, text) in pages("src/skills") {
        let named =
            text.split('`').filter_map(|code| code.split_whitespace().next()).filter(|word| word.starts_with("svc-"));
        for tool in named {
            assert!(stage.has_tool(tool), "{name} names {tool}");
        }
    }
}

/// Over MCP a small model's call is taken only as its schemas show it: what it is taught is in them.
#[test]
fn small_models_are_taught_what_they_are_shown() {
    let api = Api::new();
    let listed = api.request("GET", "/api/tools", "x-svc-small-model-mode: true\r\n", "").json();
    let tools = listed["tools"].as_array().expect("tools");
    let mut tried = 0;
    for (name, text) in pages("src/skills").into_iter().filter(|(name, _)| name.ends_with("-small") || name == "basic")
    {
        for call in calls(&text).unwrap_or_else(|why| panic!("{name}: {why}")) {
            let tool = tools.iter().find(|tool| tool["name"] == call.tool.as_str());
            let shown = &tool.unwrap_or_else(|| panic!("{name}: {}", call.tool))["inputSchema"]["properties"];
            for (parameter, value) in call.arguments.as_object().expect("arguments") {
                let place = format!("{name}: {} {parameter} {value}", call.tool);
                let schema = shown.get(parameter).unwrap_or_else(|| panic!("{place} is not shown"));
                let words = schema["enum"].as_array().or(schema["items"]["enum"].as_array());
                let sent = value.as_array().map_or_else(|| vec![value.clone()], Clone::clone);
                let known = words.is_none_or(|words| sent.iter().all(|word| words.contains(word)));
                assert!(known, "{place} is not shown");
                tried += 1;
            }
        }
    }
    assert!(tried >= 20, "{tried}");
}
