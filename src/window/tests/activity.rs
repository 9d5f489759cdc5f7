//! The list of calls, and the last of them below everything.

use super::fixture::full_set;
use super::{User, model_of, plain};
use crate::window::acts::{self, ToolCall};
use crate::window::clock::time_of_day;
use crate::window::model::{Action, WindowModel};
use crate::window::shown::{Shown, ShownCall};
use crate::window::tab::Tab;
use egui::{Event, Pos2};
use serde_json::{Value, json};
use std::sync::Arc;

fn call(call: ToolCall) -> [Action; 1] {
    [Action::Call(call)]
}

#[test]
fn activity_lists_calls_with_a_way_back() {
    let entry = |id: u64, step: Option<u64>| {
        let entry = json!({
            "id": id, "at": "2026-11-23T17:40:00.123Z", "client": "claude-code", "via": "mcp",
            "tool": "svc-create-clip", "arguments": { "path": "t0/s0", "name": "It's" }, "argumentsCut": null,
            "line": "made clip t0/s0 \"Bass\"", "milliseconds": 1.84, "status": 200, "isError": false,
            "warnings": ["mind the gap"], "historyStep": step, "followsStep": step.map(|_| 2),
            "isDryRun": false,
        });
        Arc::new(ShownCall::of(&entry))
    };
    let model =
        model_of(Shown { calls: Arc::new(vec![entry(8, Some(4)), entry(7, None)]), ..Shown::clone(&plain().shown) });
    let mut user = User::at(Tab::Activity);
    let curl = concat!(
        "curl -s http://127.0.0.1:3350/api/tools/svc-create-clip -H 'Content-Type: application/json' ",
        r#"-d '{"path":"t0/s0","name":"It'\''s"}'"#
    );
    assert_eq!(user.click(&model, "Copy call 8 as curl"), [Action::Copy(curl.to_owned())]);
    assert!(user.sees("Copied call 8 as curl") && user.sees("Copy call 7 as curl"), "{:?}", user.names());
    assert!(user.sees("Warning"), "the last line tells it, too: {:?}", user.names());
    assert_eq!(user.click(&model, "Undo from call 8"), call(acts::undo_to(2)));
    assert!(!user.sees("Undo from call 7"), "it changed nothing");
    let time = time_of_day("2026-11-23T17:40:00.123Z");
    let row = format!("{time} claude-code svc-create-clip: made clip t0/s0 \"Bass\"");
    assert!(user.sees(&row), "{:?}", user.names());
    user.frame(&plain(), Vec::new());
    assert!(user.sees("No call yet"), "{:?}", user.names());
}

/// A call as the list of calls tells it.
fn entry(id: u64, change: Value) -> Arc<ShownCall> {
    let mut entry = json!({
        "id": id, "at": "2026-11-23T17:40:00.123Z", "client": "claude-code", "via": "mcp",
        "tool": "svc-update-track", "arguments": {}, "line": format!("line {id}"), "milliseconds": 1.84,
        "status": 200, "isError": false, "warnings": [], "historyStep": id, "followsStep": id - 1, "isDryRun": false,
        "gesture": null,
    });
    let members = change.as_object().cloned().unwrap_or_default();
    entry.as_object_mut().unwrap().extend(members);
    Arc::new(ShownCall::of(&entry))
}

fn of_calls(calls: Vec<Arc<ShownCall>>) -> WindowModel {
    model_of(Shown { calls: Arc::new(calls), ..Shown::clone(&plain().shown) })
}

fn listed(user: &User) -> Vec<&str> {
    user.tree.iter().filter(|found| found.role == egui::Role::ListItem).map(|found| found.name.as_str()).collect()
}

#[test]
fn the_keyboard_stays_at_a_call_when_another_comes_in() {
    let calls = |ids: &[u64]| of_calls(ids.iter().map(|id| entry(*id, json!({}))).collect());
    let mut user = User::at(Tab::Activity);
    user.frame(&calls(&[2, 1]), Vec::new());
    user.focus(&calls(&[2, 1]), "Undo from call 1");
    for _ in 0..3 {
        user.frame(&calls(&[3, 2, 1]), Vec::new());
    }
    assert_eq!(user.focused, "Undo from call 1");
}

/// What an assistant did stays in sight while the user clicks through its clips.
#[test]
fn what_the_window_only_selects_is_no_news() {
    let window = |id, tool: &str, more: Value| {
        let mut change = json!({ "client": "window", "via": "window", "tool": tool, "historyStep": null });
        change.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        entry(id, change)
    };
    let model = of_calls(vec![
        window(9, "svc-select", json!({})),
        window(8, "svc-select", json!({ "via": "page", "client": "page" })),
        window(7, "svc-context", json!({ "arguments": { "action": "read" } })),
        entry(6, json!({ "tool": "svc-select" })),
        window(5, "svc-select", json!({ "isError": true })),
        window(4, "svc-context", json!({ "arguments": { "action": "write" } })),
    ]);
    let mut user = User::at(Tab::Session);
    user.frame(&model, Vec::new());
    assert!(user.sees("line 6") && !user.sees("line 9"), "the last call: {:?}", user.names());
    let mut user = User::at(Tab::Activity);
    user.frame(&model, Vec::new());
    let shown = |user: &User| -> Vec<u64> {
        let id = |name: &&str| name.rsplit_once("line ").and_then(|(_, id)| id.parse().ok());
        listed(user).iter().filter_map(id).collect()
    };
    assert_eq!(shown(&user), [6, 5, 4]);
    user.click(&model, "List what window and page asked, too (3)");
    assert_eq!(shown(&user), [9, 8, 7, 6, 5, 4]);
    user.click(&model, "Leave out what window and page asked");
    assert_eq!(shown(&user), [6, 5, 4]);
}

/// Of what was undone there is nothing to undo, whether it can be redone or something else took its place.
#[test]
fn what_was_undone_says_so() {
    let mut set = full_set(2, 2, "Clip");
    set.song.history_step = 10;
    let step = |id: u64, step: u64, follows: u64| entry(id, json!({ "historyStep": step, "followsStep": follows }));
    let arguments = json!({ "action": "undo" });
    let undo = json!({ "tool": "svc-manage", "arguments": arguments, "historyStep": null, "followsStep": null });
    // Step 10 took the place of 8 and 9; 11 was undone after it.
    let calls = vec![entry(9, undo), step(8, 11, 10), step(7, 10, 7), step(6, 9, 8), step(5, 8, 7), step(4, 7, 6)];
    let model = model_of(Shown { calls: Arc::new(calls), set: Some(Arc::new(set)), ..Shown::clone(&plain().shown) });
    let mut user = User::at(Tab::Activity);
    user.frame(&model, Vec::new());
    let undone = |id: u64| user.names().iter().any(|name| name.ends_with(&format!("line {id}, undone")));
    let has_button = |id: u64| user.sees(&format!("Undo from call {id}"));
    for (id, is_undone) in [(8, true), (7, false), (6, true), (5, true), (4, false)] {
        assert_eq!((undone(id), has_button(id)), (is_undone, !is_undone), "call {id}: {:?}", user.names());
    }
}

#[test]
fn a_drag_is_one_row_of_activity() {
    let drag = |id: u64, client: &str, gesture: &str| {
        entry(
            id,
            json!({ "client": client, "via": "window", "gesture": gesture, "historyStep": id,
            "followsStep": if gesture == "window 2" { 6 } else { id - 1 } }),
        )
    };
    let model = of_calls(vec![
        drag(9, "window", "window 2"),
        drag(8, "window", "window 2"),
        drag(7, "window", "window 2"),
        drag(6, "window", "window 1"),
        drag(5, "other", "window 1"),
        entry(4, json!({})),
        entry(3, json!({})),
    ]);
    let mut user = User::at(Tab::Activity);
    user.frame(&model, Vec::new());
    let lines: Vec<String> =
        listed(&user).iter().filter_map(|name| Some(name.split_once(": ")?.1.to_owned())).collect();
    assert_eq!(lines, ["line 9, 3 calls", "line 6", "line 5", "line 4", "line 3"]);
    assert_eq!(user.click(&model, "Undo from call 9"), call(acts::undo_to(6)));
}

/// Rows do not move below a pointer that is about to act on one of them.
#[test]
fn rows_stand_still_under_the_pointer() {
    let calls = |count: u64| of_calls((1..=count).rev().map(|id| entry(id, json!({}))).collect());
    let mut user = User::at(Tab::Activity);
    user.frame(&calls(2), Vec::new());
    user.frame(&calls(2), Vec::new());
    let undo = user.find("Undo from call 2").place.center();
    user.frame(&calls(2), vec![Event::PointerMoved(undo)]);
    user.frame(&calls(4), Vec::new());
    assert!(!user.sees("Undo from call 4") && user.find("Undo from call 2").place.contains(undo));
    let actions = user.press(&calls(4), undo);
    assert_eq!(actions, call(acts::undo_to(1)));
    user.frame(&calls(4), vec![Event::PointerMoved(Pos2::new(300.0, undo.y))]);
    user.frame(&calls(4), Vec::new());
    assert!(user.sees("Undo from call 4"), "{:?}", user.names());
}
