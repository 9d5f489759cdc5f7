//! What a notation cannot take or say, and what the tools tell of it.

use crate::support::Api;
use serde_json::{Value, json};

fn headers(notation: &str, small: bool) -> String {
    format!("x-svc-notation: {notation}\r\nx-svc-small-model-mode: {small}\r\n")
}

fn call(api: &Api, notation: &str, tool: &str, arguments: &Value) -> Value {
    api.envelope(tool, &headers(notation, false), arguments)
}

fn read(api: &Api, notation: &str) -> Value {
    let envelope = call(api, notation, "svc-read-clip", &json!({"path": "t0/s0", "include": ["notes"]}));
    envelope["result"].clone()
}

#[test]
fn a_list_without_a_usable_note_changes_nothing() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1 E3 1|3"}));
    let before = read(&api, "midi-json");
    for (notes, said) in [
        (json!([{"pitch": 45, "time": 1}, {"pitch": 47, "time": 2}]), "did you mean t?"),
        (json!("[{pitch:45,time:1}]"), "did you mean t?"),
        (json!([{"p": 60, "t": 0, "d": 0}]), "not above 0"),
    ] {
        for tool in ["svc-create-clip", "svc-update-clip"] {
            let envelope = call(&api, "midi-json", tool, &json!({"path": "t0/s0", "notes": notes}));
            let text = envelope["result"].as_str().unwrap_or_default();
            assert!(envelope["isError"] == true && text.contains(said), "{tool}: {envelope}");
            assert_eq!(read(&api, "midi-json"), before, "{tool} {notes}");
        }
    }
    // One that can be used, and the others are told of.
    let notes = json!([{"p": 60, "t": 0}, {"p": 45, "time": 1}]);
    let envelope = call(&api, "midi-json", "svc-create-clip", &json!({"path": "t0/s0", "notes": notes}));
    assert!(envelope["isError"] == false && envelope.to_string().contains("did you mean t?"), "{envelope}");
    assert_eq!(envelope["result"]["noteCount"], 1, "{envelope}");
}

#[test]
fn notes_before_all_that_is_shown_are_told_of() {
    let api = Api::new();
    let detail = |entry: &Value| entry["result"]["detail"].as_str().unwrap_or_default().to_owned();
    for (notes, told) in [
        ("[{p:60,t:-5},{p:61,t:0}]", Some("1 note starts more than the clip's length before")),
        ("[{p:60,t:-5},{p:62,t:-9},{p:61,t:0}]", Some("2 notes start more than the clip's length before")),
        ("[{p:60,t:-4},{p:61,t:0}]", None),
    ] {
        let arguments = json!({"path": "t0/s0", "length": "1bar", "notes": notes});
        let made = call(&api, "midi-json", "svc-create-clip", &arguments);
        let updated = call(&api, "midi-json", "svc-update-clip", &json!({"path": "t0/s0", "notes": "[{p:70,t:1}]"}));
        for entry in [&made, &updated] {
            match told {
                Some(told) => assert!(detail(entry).contains(told), "{entry}"),
                None => assert!(!detail(entry).contains("length before"), "{entry}"),
            }
        }
    }
}

#[test]
fn a_pickup_read_as_stark_leaves_the_downbeat_where_it_is() {
    let api = Api::new();
    let notes = "[{p:60,t:-2,v:105},{p:62,t:0,v:105},{p:64,t:1,v:105}]";
    call(&api, "midi-json", "svc-create-clip", &json!({"path": "t0/s0", "length": "1bar", "notes": notes}));
    let shown = read(&api, "stark");
    assert_eq!(shown["notes"], "melody: D E", "{shown}");
    assert!(shown["detail"].as_str().is_some_and(|d| d.contains("1 left out, before 1|1")), "{shown}");
}

#[test]
fn descriptions_say_what_can_be_sent() {
    let api = Api::new();
    let tool = |notation: &str, small: bool, name: &str| {
        let listed = api.request("GET", "/api/tools", &headers(notation, small), "").json();
        let found = listed["tools"].as_array().and_then(|list| list.iter().find(|tool| tool["name"] == name)).cloned();
        found.expect("listed")
    };
    for small in [false, true] {
        for (notation, deletes) in [("barbeat", "velocity 0"), ("midi-json", "velocity 0"), ("stark", "preTransforms")]
        {
            let tool = tool(notation, small, "svc-update-clip");
            let said = tool["description"].as_str().unwrap_or_default();
            assert!(said.contains(&format!("{deletes} delete")), "{notation}: {said}");
            assert!(tool["inputSchema"]["properties"]["preTransforms"].is_object(), "{tool}");
        }
        let include = tool("barbeat", small, "svc-read-clip")["inputSchema"]["properties"]["include"].clone();
        for word in ["envelopes", "image"] {
            assert_eq!(include["description"].as_str().unwrap_or_default().contains(word), !small, "{include}");
        }
    }
}
