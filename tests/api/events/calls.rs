//! The last calls, whoever made them.

use super::Stream;
use crate::mcp::{MODERN, ask};
use crate::support::Api;
use serde_json::{Value, json};

fn last(api: &Api) -> Value {
    api.request("GET", "/api/calls", "", "").json()["calls"][0].clone()
}

#[test]
fn each_call_is_there_with_what_it_did() {
    let api = Api::new();
    let dry = "x-svc-dry-run: true\r\n";
    type Case<'a> = (&'a str, &'a str, Value, &'a str, Value);
    let cases: [Case<'_>; 6] = [
        ("svc-create-clip", "", json!({"path": "t0/s0", "notes": "C3 1|1"}), "made clip t0/s0 (1 note)", json!(1)),
        (
            "svc-update-track",
            "",
            json!({"path": "t0", "name": "Lead"}),
            "t0 \"Lead\": name \"1-MIDI\" -> \"Lead\"",
            json!(2),
        ),
        ("svc-read-track", "", json!({"path": "t0"}), "Read Track: t0", Value::Null),
        ("svc-update-track", dry, json!({"path": "t0", "name": "X"}), "Dry run: Update Track: t0", Value::Null),
        ("svc-playback", "", json!({"action": "play-scene", "path": "s0"}), "Playback: play-scene s0", Value::Null),
        (
            "svc-manage",
            "",
            json!({"action": "undo"}),
            "Manage: undo: t0 \"1-MIDI\": name \"Lead\" -> \"1-MIDI\"",
            Value::Null,
        ),
    ];
    for (tool, headers, arguments, line, step) in cases {
        let (status, body) = api.answered(tool, headers, &arguments);
        assert_eq!(status, 200, "{body}");
        let call = last(&api);
        assert_eq!((&call["tool"], &call["line"], &call["historyStep"]), (&json!(tool), &json!(line), &step), "{call}");
        assert_eq!((&call["arguments"], &call["argumentsCut"]), (&arguments, &Value::Null), "{call}");
        assert_eq!((&call["isError"], &call["status"], &call["via"]), (&json!(false), &json!(200), &json!("rest")));
        assert_eq!(call["isDryRun"], headers == dry, "{call}");
        assert!(call["milliseconds"].as_f64().is_some_and(|ms| ms >= 0.0), "{call}");
    }
}

/// A call says which step its own stands on: those between the two were undone, and are gone.
#[test]
fn what_took_the_place_of_undone_steps_says_so() {
    let api = Api::new();
    let rename = |name: &str| {
        api.answered("svc-update-track", "", &json!({"path": "t0", "name": name}));
        let call = last(&api);
        [call["historyStep"].clone(), call["followsStep"].clone()]
    };
    assert_eq!(rename("A"), [json!(1), json!(0)]);
    assert_eq!(rename("B"), [json!(2), json!(1)]);
    assert_eq!(rename("C"), [json!(3), json!(2)]);
    api.answered("svc-manage", "", &json!({"action": "undo", "steps": 2}));
    assert_eq!(last(&api)["followsStep"], Value::Null);
    assert_eq!(rename("D"), [json!(4), json!(1)]);
}

/// Renames a track and steps back and on; what each of the steps back and on is told as.
fn stepped(api: &Api) -> Vec<String> {
    let name = |name: &str| drop(api.ok("svc-update-track", json!({"path": "t0", "name": name})));
    ["A", "B", "C"].into_iter().for_each(name);
    for arguments in [
        json!({"action": "undo", "steps": 2}),
        json!({"action": "redo"}),
        json!({"action": "undo", "step": 0}),
        json!({"action": "redo", "steps": 3}),
    ] {
        api.ok("svc-manage", arguments);
    }
    let told = [
        "Manage: undo: t0 \"A\": name \"C\" -> \"A\"",
        "Manage: redo: t0 \"B\": name \"A\" -> \"B\"",
        "Manage: undo: t0 \"1-MIDI\": name \"B\" -> \"1-MIDI\"",
        "Manage: redo: t0 \"C\": name \"1-MIDI\" -> \"C\"",
    ];
    told.map(str::to_owned).to_vec()
}

/// The lines of what stepped back or on, the oldest first.
fn stepped_lines(api: &Api) -> Vec<Value> {
    let calls = api.request("GET", "/api/calls", "", "").json();
    let calls = calls["calls"].as_array().expect("calls").iter().rev();
    calls.filter(|call| call["tool"] == "svc-manage").map(|call| call["line"].clone()).collect()
}

#[test]
fn undo_and_redo_tell_what_they_changed_whoever_followed() {
    let api = Api::new();
    assert_eq!(stepped(&api).into_iter().map(Value::from).collect::<Vec<_>>(), stepped_lines(&api));

    let api = Api::new();
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=call", "");
    let expected = stepped(&api);
    // Something else takes the place of what was undone, the moment that it was.
    api.ok("svc-manage", json!({"action": "undo"}));
    api.ok("svc-update-track", json!({"path": "t0", "name": "D"}));
    let undone = "Manage: undo: t0 \"B\": name \"C\" -> \"B\"".to_owned();
    let expected: Vec<Value> = expected.into_iter().chain([undone]).map(Value::from).collect();
    let told = (0..9).map(|_| stream.next_of("call").data).filter(|call| call["tool"] == "svc-manage");
    assert_eq!(told.map(|call| call["line"].clone()).collect::<Vec<_>>(), expected);
    assert_eq!(stepped_lines(&api), expected, "and to who comes later");
}

/// Nobody followed, and what was undone is no longer kept: what was asked is all that is known.
#[test]
fn an_undo_of_what_is_gone_tells_what_was_asked() {
    let api = Api::new();
    api.ok("svc-update-track", json!({"path": "t0", "name": "A"}));
    api.ok("svc-manage", json!({"action": "undo"}));
    api.ok("svc-update-track", json!({"path": "t0", "name": "B"}));
    assert_eq!(stepped_lines(&api), ["Manage: undo"]);
}

#[test]
fn what_was_refused_says_why() {
    let api = Api::new();
    let (_, refused) = api.answered("svc-read-track", "", &json!({"path": "t99"}));
    let call = last(&api);
    assert_eq!((&call["isError"], &call["status"], &call["line"]), (&json!(true), &json!(200), &refused["result"]));
    let (status, body) = api.answered("svc-update-live-set", "", &json!({"tempo": 5}));
    let call = last(&api);
    assert_eq!((status, &call["status"], &call["isError"]), (400, &json!(400), &json!(true)));
    assert_eq!(call["line"], body["error"]);
}

#[test]
fn what_is_long_is_cut() {
    let api = Api::new();
    let long = json!({"path": "t0", "name": "ü".repeat(5_000)});
    api.answered("svc-update-track", "", &long);
    let call = last(&api);
    assert_eq!(call["arguments"], Value::Null);
    let cut = call["argumentsCut"].as_str().expect("how they begin");
    assert!(cut.len() <= 2_000 && long.to_string().starts_with(cut), "{cut}");
    assert!(call.to_string().len() < 6_000, "{} bytes", call.to_string().len());
}

#[test]
fn calls_over_mcp_are_there_too() {
    let api = Api::new();
    ask(
        &api,
        MODERN,
        "",
        "tools/call",
        json!({"name": "svc-update-track", "arguments": {"path": "t0", "name": "Lead"}}),
    );
    let call = last(&api);
    assert_eq!((&call["via"], &call["client"], &call["historyStep"]), (&json!("mcp"), &json!("test"), &json!(1)));
    ask(&api, MODERN, "", "resources/read", json!({"uri": "svc://tracks/0"}));
    assert_eq!((&last(&api)["tool"], &last(&api)["via"]), (&json!("svc-read-track"), &json!("mcp")));
}

/// Nothing of it was done, which its line says, and some of it, which its warnings say.
#[test]
fn what_was_left_out_is_told() {
    let api = Api::new();
    let (_, answer) = api.answered("svc-create-clip", "", &json!({"path": "t77/s0,t88/s0", "notes": "C3 1|1"}));
    let why = answer["result"][0]["detail"].as_str().expect("why not").to_owned();
    let call = last(&api);
    assert_eq!((&call["isError"], &call["historyStep"]), (&json!(false), &Value::Null));
    assert!(call["line"].as_str().is_some_and(|line| line.contains(&why)), "{call}");
    assert_eq!(call["warnings"].as_array().map(Vec::len), Some(2), "{call}");
    api.answered("svc-create-clip", "", &json!({"path": "t0/s0,t88/s0", "notes": "C3 1|1"}));
    let call = last(&api);
    assert_eq!(call["line"], "made clip t0/s0 (1 note)");
    assert!(call["warnings"][0].as_str().is_some_and(|warning| warning.starts_with("t88/s0: ")), "{call}");
}
