//! Every call that the skills and the pages show does what it says, on a Set with something of everything.

use crate::stage::{Stage, calls, pages};
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
