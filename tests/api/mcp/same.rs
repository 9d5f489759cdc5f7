//! One call over each interface, on the same Set: REST as JSON, REST as compact text, MCP. They give the same data.

use super::{LEGACY, MODERN, ask, texts};
use crate::support::Api;
use serde_json::{Value, json};
use svc_device::tools::answer_text::{Format, text_of};

/// A call or more of each tool that the catalogue lists, reading, writing, skipping, warning and refused.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("svc-connect", json!({})),
        ("svc-context", json!({"action": "write", "content": "A slow song."})),
        ("svc-context", json!({"action": "delete", "scope": "global"})),
        ("svc-manage", json!({"action": "undo"})),
        ("svc-read-live-set", json!({"include": ["*"]})),
        ("svc-update-live-set", json!({"tempo": 99, "scale": "c minor"})),
        ("svc-update-live-set", json!({"locatorOperation": "create", "locatorTime": "1|1,3|1", "locatorName": "A"})),
        ("svc-read-track", json!({"path": "t0,rt0,mt", "include": ["*"]})),
        ("svc-read-track", json!({"path": "t0,t99"})),
        ("svc-create-track", json!({"path": "t+,rt+", "name": "New", "count": null})),
        ("svc-create-track", json!({"trackIndex": 1})),
        ("svc-update-track", json!({"path": "t0,t99", "name": "A,B", "color": "#123456"})),
        ("svc-read-scene", json!({"path": "s0,s1", "include": ["*"]})),
        ("svc-create-scene", json!({"path": "s+", "tempo": 90, "name": "Drop"})),
        ("svc-update-scene", json!({"path": "s0", "timeSignature": "7/8"})),
        ("svc-read-clip", json!({"path": "t0/s0", "include": ["*"]})),
        ("svc-create-clip", json!({"path": "t0/s9,t0/s0", "notes": "C3 1|1,2", "name": "a,b"})),
        ("svc-update-clip", json!({"path": "t0/s0,t0/s5", "notes": "E3 1|1", "nonsense": 1})),
        ("svc-update-clip", json!({"path": "t0/s0"})),
        (
            "svc-update-device",
            json!({"path": "rt0/d0,t9/d0", "name": "A,B", "mute": true, "params": [{"name": "Gloss", "value": "1"}]}),
        ),
        ("svc-update-device", json!({"path": "rt0/d0"})),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t1/s0,t9/s0"})),
        ("svc-read-device", json!({"path": "rt0/d0,rt0/d9", "include": ["*"]})),
        ("svc-read-device", json!({"deviceId": "12", "maxDepth": 2})),
        ("svc-create-device", json!({})),
        (
            "svc-create-device",
            json!({"device": "Reverb,Operator", "path": "mt,mt", "params": [{"name": "Dry/Wet", "value": "5 %"}]}),
        ),
        ("svc-create-device", json!({"device": "Opperator", "path": "t0"})),
        ("svc-delete", json!({"type": "scene", "path": "s1,s99"})),
        ("svc-select", json!({"path": "t0/s0"})),
        ("svc-select", json!({})),
        ("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0,t0/s9"})),
        ("svc-render", json!({"path": "s9"})),
        ("svc-library", json!({"query": "kick"})),
        ("svc-library", json!({"action": "reindex"})),
        ("svc-read-history", json!({"from": 1})),
        ("svc-read-job", json!({})),
        (
            "svc-batch",
            json!({"calls": [
                {"tool": "svc-create-track", "arguments": {"path": "t+,t+"}},
                {"tool": "svc-update-track", "arguments": {"path": "$1.path,t99", "name": "A", "nonsense": 1}},
            ]}),
        ),
        ("svc-batch", json!({"calls": [{"tool": "svc-delete", "arguments": {"type": "track", "path": "t99"}}]})),
        ("svc-batch", json!({"calls": [{"tool": "svc-create-track"}], "dryRun": true})),
        ("svc-read-job", json!({"id": "job-9"})),
    ]
}

#[test]
fn rest_compact_and_mcp_give_the_same_data() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1", "notes": "C3 1|1,2", "name": "a,b"}));
    let fresh = api.saved();
    let over_mcp = |version: &str, headers: &str, tool: &str, arguments: &Value| {
        api.device.load_state(&fresh);
        ask(&api, version, headers, "tools/call", json!({"name": tool, "arguments": arguments}))
    };
    for (tool, arguments) in calls() {
        let place = format!("{tool} {arguments}");
        api.device.load_state(&fresh);
        let rest = api.envelope(tool, "", &arguments);
        api.device.load_state(&fresh);
        let short = api.post(&format!("/api/tools/{tool}?format=compact"), "", &arguments).json();
        let said = |key: &str| -> Vec<String> {
            let texts = rest[key].as_array().cloned().unwrap_or_default();
            texts.iter().map(|text| text.as_str().expect("a text").to_owned()).collect()
        };
        let text = match &rest["result"] {
            Value::String(error) if rest["isError"] == true => error.clone(),
            result => text_of(result, Format::Compact),
        };
        let warnings = said("warnings").into_iter().map(|warning| format!("WARNING: {warning}"));
        let more: Vec<String> = warnings.chain(said("appended")).collect();
        // Compact text holds it all, but for an error, which stands alone.
        let whole =
            if rest["isError"] == true { text.clone() } else { [&[text.clone()][..], &more].concat().join("\n") };
        assert_eq!((&short["result"], &short["isError"]), (&json!(whole), &rest["isError"]), "{place}");
        for version in [LEGACY[2], MODERN] {
            let compact = over_mcp(version, "", tool, &arguments);
            assert_eq!(texts(&compact), [&[text.clone()][..], &more].concat(), "{place} over MCP {version}");
            assert_eq!(compact["isError"], rest["isError"], "{place} over MCP {version}");
            let full = over_mcp(version, "x-svc-format: json\r\n", tool, &arguments);
            let items = texts(&full);
            assert_eq!(items[1..], more, "{place} over MCP {version}");
            if rest["isError"] == false {
                let read: Value = serde_json::from_str(&items[0]).expect("JSON");
                assert_eq!(read, rest["result"], "{place} over MCP {version}");
            }
        }
    }
}

#[test]
fn every_tool_is_called() {
    let api = Api::new();
    let list = api.request("GET", "/api/tools", "", "").json();
    let called: Vec<&str> = calls().iter().map(|(tool, _)| *tool).collect();
    for tool in list["tools"].as_array().expect("tools") {
        let name = tool["name"].as_str().expect("a name");
        assert!(called.contains(&name) || name == "svc-test", "{name} is called over each interface");
    }
}
