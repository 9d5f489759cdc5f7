//! Tools: listed and called as each request's headers ask, in the forms that the protocol has for answers and errors.

use super::{LEGACY, MODERN, ask, ask_with, texts};
#[cfg(feature = "test-tools")]
use crate::http::Client;
use crate::support::Api;
use serde_json::{Value, json};
use svc_device::service::Settings;

fn list(api: &Api, version: &str, headers: &str) -> Vec<Value> {
    ask(api, version, headers, "tools/list", json!({}))["tools"].as_array().expect("tools").clone()
}

fn names(api: &Api, headers: &str) -> Vec<String> {
    let tools = list(api, MODERN, headers).into_iter();
    tools.map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

fn call(api: &Api, version: &str, headers: &str, tool: &str, arguments: Value) -> Value {
    ask(api, version, headers, "tools/call", json!({"name": tool, "arguments": arguments}))
}

#[test]
fn the_list_is_that_of_rest() {
    let api = Api::new();
    let profiles = [
        "",
        "x-svc-disabled-tools: svc-delete, svc-connect\r\n",
        "x-svc-live-api: true\r\n",
        "x-svc-notation: midi-json\r\n",
        "x-svc-small-model-mode: true\r\n",
    ];
    let mut seen: Vec<Vec<Value>> = Vec::new();
    for headers in profiles {
        let rest = api.request("GET", "/api/tools", headers, "").json();
        let rest = rest["tools"].as_array().expect("tools");
        for version in [LEGACY[0], LEGACY[2], MODERN] {
            let listed = list(&api, version, headers);
            assert_eq!(listed.len(), rest.len(), "{headers}");
            for (tool, expected) in listed.iter().zip(rest) {
                for member in ["name", "title", "description", "inputSchema"] {
                    assert_eq!(tool[member], expected[member], "{headers} {member}");
                }
                for hint in ["readOnlyHint", "destructiveHint"] {
                    assert_eq!(tool["annotations"][hint], expected["annotations"][hint], "{headers} {hint}");
                }
            }
        }
        let listed = list(&api, MODERN, headers);
        assert!(!seen.contains(&listed), "{headers} changes what is listed");
        seen.push(listed);
    }
    let result = ask(&api, MODERN, "", "tools/list", json!({}));
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(0), &json!("private")));
    assert!(ask(&api, LEGACY[2], "", "tools/list", json!({})).get("ttlMs").is_none(), "older clients get no hints");
}

#[test]
fn a_call_answers_in_compact_text() {
    let api = Api::new();
    for version in [LEGACY[0], LEGACY[1], LEGACY[2], MODERN] {
        let result = call(&api, version, "", "svc-read-live-set", json!({}));
        let texts = texts(&result);
        assert_eq!(texts.len(), 1);
        assert!(texts[0].starts_with('{') && texts[0].contains("tempo:120,"), "{texts:?}");
        assert_eq!((&result["isError"], result.get("structuredContent")), (&json!(false), None));
    }
}

#[test]
fn json_output_is_asked_for_by_request_or_setting() {
    let cases = [
        // the setting, the header, JSON
        (false, "", false),
        (false, "x-svc-format: json\r\n", true),
        (false, "x-svc-format: nonsense\r\n", false),
        (true, "", true),
        (true, "x-svc-format: compact\r\n", false),
        (true, "x-svc-format: JSON\r\n", true),
    ];
    for setting in [false, true] {
        let api = Api::with(Settings { json_output: setting, ..Settings::default() });
        let rest = api.ok("svc-read-live-set", json!({}));
        for (_, headers, json_output) in cases.iter().filter(|case| case.0 == setting) {
            let result = call(&api, MODERN, headers, "svc-read-live-set", json!({}));
            let expected = json_output.then(|| rest.clone());
            assert_eq!(result.get("structuredContent"), expected.as_ref(), "{setting} {headers}");
            let read: Option<Value> = serde_json::from_str(&texts(&result)[0]).ok();
            assert_eq!(read, expected, "the text says the same: {setting} {headers}");
        }
        // The header is of MCP alone.
        let envelope = api.envelope("svc-read-live-set", "x-svc-format: compact\r\n", &json!({}));
        assert!(envelope["result"].is_object());
    }
}

/// Several objects are a list, which only the newest version takes as a value.
#[test]
fn a_list_is_a_value_where_the_version_has_it() {
    let api = Api::new();
    let arguments = json!({"path": "t0,t1"});
    let rest = api.ok("svc-read-track", arguments.clone());
    assert_eq!(rest.as_array().map(Vec::len), Some(2), "{rest}");
    for (version, value) in [(LEGACY[0], None), (LEGACY[1], None), (LEGACY[2], None), (MODERN, Some(&rest))] {
        let result = call(&api, version, "x-svc-format: json\r\n", "svc-read-track", arguments.clone());
        assert_eq!(result.get("structuredContent"), value, "{version}");
        assert_eq!(serde_json::from_str::<Value>(&texts(&result)[0]).expect("JSON"), rest, "{version}");
        let compact = call(&api, version, "", "svc-read-track", arguments.clone());
        assert_eq!(compact.get("structuredContent"), None, "{version}");
    }
}

#[test]
fn warnings_and_blocks_are_items_of_their_own() {
    let api = Api::new();
    for headers in ["", "x-svc-format: json\r\n"] {
        let rest = api.envelope("svc-connect", "", &json!({}));
        let result = call(&api, MODERN, headers, "svc-connect", json!({"nonsense": 1}));
        let texts = texts(&result);
        assert!(texts[0].starts_with('{'), "{}", texts[0]);
        assert_eq!(texts[1], "WARNING: ignored unexpected argument(s): nonsense");
        assert_eq!(json!(texts[2..]), rest["appended"], "the blocks, in order");
    }
}

/// REST takes in any mode what there is; MCP takes what it shows.
#[test]
fn in_small_model_mode_only_what_is_shown_is_taken() {
    const SMALL: &str = "x-svc-small-model-mode: true\r\n";
    let api = Api::new();
    for (tool, arguments, said) in [
        (
            "svc-context",
            json!({"scope": "memory"}),
            "scope must be one of project, global in small-model mode, not \"memory\"",
        ),
        ("svc-context", json!({"action": "delete"}), "action must be one of read, write"),
        ("svc-library", json!({"action": "list-categories"}), "action must be one of search, list-tags"),
        ("svc-read-track", json!({"path": "t0", "include": ["session-clips", "*"]}), "include.1 must be one of"),
        ("svc-read-live-set", json!({"include": ["locators"]}), "include.0 must be one of"),
    ] {
        let result = call(&api, MODERN, SMALL, tool, arguments.clone());
        assert_eq!(result["isError"], true, "{tool} {arguments}");
        assert!(texts(&result)[0].contains(said), "{tool} {arguments}: {:?}", texts(&result));
        let rest = api.post(&format!("/api/tools/{tool}"), SMALL, &arguments);
        assert_eq!(rest.status, 200, "{tool} {arguments}: {}", rest.json());
        let full = call(&api, MODERN, "", tool, arguments.clone());
        assert!(!texts(&full)[0].contains("must be one of"), "{tool} {arguments}: {:?}", texts(&full));
    }
    // A parameter that is not shown is one that is not expected, by another name too; a setting says the same as the
    // header.
    let device = Api::with(Settings { small_model_mode: true, ..Settings::default() });
    for (api, headers) in [(&api, SMALL), (&device, "")] {
        for (name, value) in [
            ("searches", json!([{"query": "a"}, {"query": "b"}])),
            ("queries", json!([{"query": "a"}, {"query": "b"}])),
        ] {
            let arguments = json!({name: value});
            let result = call(api, MODERN, headers, "svc-library", arguments.clone());
            let warning = format!("WARNING: ignored unexpected argument(s): {name}");
            assert!(texts(&result).contains(&warning), "{:?}", texts(&result));
            let rest = api.envelope("svc-library", headers, &arguments);
            assert!(rest["result"].get("results").is_some(), "{rest}");
        }
        // Other names for what is shown stay.
        let result = call(api, MODERN, headers, "svc-read-track", json!({"paths": "t0", "include": ["session-clips"]}));
        assert_eq!(result["isError"], false, "{result}");
    }
}

#[test]
fn a_refused_call_is_a_result_and_changes_nothing() {
    let api = Api::new();
    let before = api.saved();
    let cases = [
        // The tool refuses; the schema refuses.
        ("svc-read-track", json!({"path": "t99"}), "t99"),
        ("svc-create-clip", json!({"path": "t0/s0", "notes": "nonsense"}), "nonsense"),
        ("svc-read-track", json!({"path": "t0", "include": ["nonsense"]}), "must be one of"),
        ("svc-playback", json!({}), "action is required"),
    ];
    for (tool, arguments, said) in cases {
        for version in [LEGACY[0], MODERN] {
            let result = call(&api, version, "x-svc-format: json\r\n", tool, arguments.clone());
            assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
            assert!(texts(&result)[0].contains(said), "{tool} {arguments}: {result}");
            assert_eq!(result.get("structuredContent"), None);
        }
    }
    assert_eq!(api.saved(), before);
}

#[test]
fn a_withheld_tool_is_an_unknown_one() {
    let api = Api::new();
    for (headers, tool) in [("", "svc-live-api"), ("x-svc-disabled-tools: svc-delete\r\n", "svc-delete")] {
        assert!(!names(&api, headers).iter().any(|name| name == tool));
        let reply = ask_with(&api, MODERN, headers, "tools/call", json!({"name": tool}));
        assert_eq!(reply.json()["error"]["code"], -32602, "{tool}");
    }
    let raw = json!({"path": "live_set", "operations": [{"type": "get", "property": "tempo"}]});
    let result = call(&api, MODERN, "x-svc-live-api: true\r\n", "svc-live-api", raw);
    assert_eq!(result["isError"], false, "{result}");
}

#[test]
fn a_call_is_the_same_call_as_over_rest() {
    let api = Api::new();
    let beat = json!({"path": "t0/s0", "notes": "C3 1|1"});
    assert_eq!(call(&api, LEGACY[2], "", "svc-create-clip", beat)["isError"], false);
    // Notes follow the request's notation here too.
    let midi = json!({"path": "t1/s0", "notes": [{"p": 60, "t": 0, "d": 1, "v": 100}]});
    let result = call(&api, LEGACY[2], "x-svc-notation: midi-json\r\n", "svc-create-clip", midi);
    assert_eq!(result["isError"], false, "{result}");
    let read = json!({"path": "t1/s0", "include": ["notes"]});
    let text = texts(&call(&api, LEGACY[2], "x-svc-notation: midi-json\r\n", "svc-read-clip", read)).remove(0);
    assert!(text.contains("p:60"), "{text}");
    // Each is one undo step, named and undone like any other.
    let undo = json!([{"type": "call", "method": "undo"}]);
    api.raw("live_set", undo);
    assert_eq!(api.get("live_set tracks 1 clip_slots 0", "has_clip"), json!([0]));
    assert_eq!(api.get("live_set tracks 0 clip_slots 0", "has_clip"), json!([1]));
}

#[test]
fn batches_and_dry_runs_over_mcp() {
    let api = Api::new();
    let calls = json!({"calls": [
        {"tool": "svc-create-track", "arguments": {"path": "t+,t+"}},
        {"tool": "svc-create-clip", "arguments": {"path": "$1.path/s0", "notes": "C3 1|1"}},
        {"tool": "svc-read-clip", "arguments": {"id": "$2.id", "include": ["image"]}},
    ]});
    for version in [LEGACY[2], MODERN] {
        let tracks = api.count("regularTrackCount");
        let dry = call(&api, version, "x-svc-dry-run: true\r\nx-svc-format: json\r\n", "svc-batch", calls.clone());
        assert_eq!(dry["content"][3]["text"], "WARNING: dry run: nothing was kept", "{dry}");
        assert_eq!(api.count("regularTrackCount"), tracks);
        let done = call(&api, version, "x-svc-format: json\r\n", "svc-batch", calls.clone());
        assert_eq!(api.count("regularTrackCount"), tracks + 2);
        let kinds: Vec<&Value> = done["content"].as_array().expect("items").iter().map(|item| &item["type"]).collect();
        assert_eq!(kinds, ["text", "image", "image"], "the pictures of all calls are carried apart");
        assert_eq!(done["structuredContent"]["results"][2]["result"][1]["image"], "picture 2", "{done}");
        assert_eq!(done["structuredContent"], dry["structuredContent"]);

        let unknown = call(&api, version, "x-svc-dry-run: maybe\r\n", "svc-create-track", json!({"path": "t+"}));
        assert_eq!(unknown["isError"], true, "{unknown}");
        assert!(texts(&unknown)[0].contains("x-svc-dry-run must be `true` or `false`, not `maybe`"), "{unknown}");
        let refused = call(&api, version, "", "svc-batch", json!({"calls": [{"tool": "svc-update-track"}]}));
        assert!(
            refused["isError"] == true && texts(&refused)[0].starts_with("call 1 (svc-update-track): "),
            "{refused}"
        );
        assert_eq!(api.count("regularTrackCount"), tracks + 2);
    }
    // Small models are not shown it, and are answered all the same.
    assert!(!names(&api, "x-svc-small-model-mode: true\r\n").contains(&"svc-batch".to_owned()));
}

#[cfg(feature = "test-tools")]
#[test]
fn a_panic_and_a_late_call_are_answered() {
    // Writing a backtrace can take longer than the timeout of the late call.
    let (api, hurried) = (Api::new(), Api::with(Settings { timeout_ms: 300, ..Settings::default() }));
    for version in [LEGACY[1], MODERN] {
        let reply =
            ask_with(&api, version, "", "tools/call", json!({"name": "svc-test", "arguments": {"behave": "panic"}}));
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (500, &json!(-32603)), "{}", reply.json());
        let late = call(&hurried, version, "", "svc-test", json!({"behave": "sleep", "sleep": "600"}));
        assert_eq!(late["isError"], true, "{late}");
        assert!(texts(&late)[0].contains("300 ms"), "{late}");
    }
    let rushed = Api::with(Settings { timeout_ms: 50, ..Settings::default() });
    for version in [LEGACY[1], MODERN] {
        let late = call(&rushed, version, "", "svc-update-track", json!({"path": "t0,t1", "name": "X"}));
        assert_eq!(late["isError"], true, "{late}");
        assert!(texts(&late)[0].contains("50 ms; the Set is unchanged"), "{late}");
    }
}

#[cfg(feature = "test-tools")]
#[test]
fn a_call_whose_client_is_gone_is_not_begun() {
    let api = Api::new();
    let body = |tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        let text = super::request("tools/call", &params).to_string();
        let length = text.len();
        format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{text}",
            api.addr.port()
        )
    };
    let mut busy = Client::connect(api.addr);
    busy.send(body("svc-test", json!({"behave": "sleep", "sleep": "1500"})).as_bytes());
    let mut gone = Client::connect(api.addr);
    gone.send(body("svc-update-track", json!({"path": "t0", "name": "Never"})).as_bytes());
    drop(gone);
    assert_eq!(busy.reply().expect("an answer").status, 200);
    // Behind whatever waits.
    api.ok("svc-select", json!({}));
    assert_ne!(api.ok("svc-read-track", json!({"path": "t0"}))["name"], "Never");
}
