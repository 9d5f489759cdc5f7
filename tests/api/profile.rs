//! The per-request headers: each of their rules, on the list, on calls and on what `svc-connect` teaches.

use crate::support::Api;
use serde_json::{Value, json};
use svc_device::service::{Notation, Settings};

fn names(api: &Api, headers: &str) -> Vec<String> {
    let listed = api.request("GET", "/api/tools", headers, "").json();
    let tools = listed["tools"].as_array().expect("a list").iter();
    tools.map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

fn has(api: &Api, headers: &str, tool: &str) -> bool {
    let listed = names(api, headers).iter().any(|name| name == tool);
    let called = api.post(&format!("/api/tools/{tool}"), headers, &json!({})).status != 404;
    assert_eq!(listed, called, "{tool} with {headers:?}: the list and the calls agree");
    listed
}

fn tool(api: &Api, headers: &str, name: &str) -> Value {
    let listed = api.request("GET", "/api/tools", headers, "").json();
    let found = listed["tools"].as_array().expect("a list").iter().find(|tool| tool["name"] == name);
    found.expect("listed").clone()
}

fn skills(api: &Api, headers: &str) -> String {
    api.envelope("svc-connect", headers, &json!({}))["appended"][0].as_str().expect("skills").to_owned()
}

const FIRST_TOOLS: &[&str] = &[
    "svc-connect",
    "svc-context",
    "svc-manage",
    "svc-read-live-set",
    "svc-update-live-set",
    "svc-read-track",
    "svc-create-track",
    "svc-update-track",
    "svc-read-scene",
    "svc-create-scene",
    "svc-update-scene",
    "svc-read-clip",
    "svc-create-clip",
    "svc-update-clip",
    "svc-read-device",
    "svc-create-device",
    "svc-update-device",
    "svc-delete",
    "svc-duplicate",
    "svc-select",
    "svc-playback",
    "svc-render",
    "svc-library",
    "svc-read-history",
    "svc-read-job",
    "svc-batch",
];

#[test]
fn the_list_describes_every_tool_and_hides_the_raw_one() {
    let api = Api::new();
    let shown: Vec<String> = names(&api, "").into_iter().filter(|name| name != "svc-test").collect();
    assert_eq!(shown, FIRST_TOOLS);
    let listed = api.request("GET", "/api/tools", "x-svc-live-api: true\r\n", "").json();
    for tool in listed["tools"].as_array().expect("a list") {
        let name = tool["name"].as_str().expect("a name");
        for text in ["title", "description"] {
            assert!(tool[text].as_str().is_some_and(|t| !t.is_empty()), "{name} {text}");
        }
        let reads = name.starts_with("svc-read") || ["svc-connect", "svc-select", "svc-library"].contains(&name);
        assert_eq!(tool["annotations"], json!({"readOnlyHint": reads, "destructiveHint": !reads}), "{name}");
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object", "{name}");
        for (param, schema) in schema["properties"].as_object().expect("properties") {
            // Levels are texts too, switches and notes lists; small models are shown one type.
            let plain = |kind: &Value| kind.is_string();
            let types = schema["type"].as_array().map_or(plain(&schema["type"]), |types| types.iter().all(plain));
            assert!(types, "{name} {param} has plain types: {schema}");
            if name != "svc-test" {
                assert!(schema["description"].as_str().is_some_and(|d| !d.is_empty()), "{name} {param} is described");
            }
        }
        for required in schema["required"].as_array().into_iter().flatten() {
            assert!(schema["properties"].get(required.as_str().expect("a name")).is_some(), "{name} {required}");
        }
        assert!(jsonschema::validator_for(schema).is_ok(), "{name}: a schema that clients can use");
    }
}

#[test]
fn withheld_tools_are_not_listed_and_not_called() {
    let api = Api::new();
    let cases = [
        ("x-svc-disabled-tools: svc-delete\r\n", "svc-delete", false),
        ("x-svc-disabled-tools: svc-delete\r\n", "svc-connect", true),
        ("x-svc-disabled-tools:  svc-connect , svc-delete \r\n", "svc-connect", false),
        ("x-svc-disabled-tools: nonsense,,svc-delete\r\n", "svc-delete", false),
        ("x-svc-disabled-tools: SVC-DELETE\r\n", "svc-delete", true),
        ("x-svc-disabled-tools: delete\r\n", "svc-delete", true),
        ("x-svc-disabled-tools: \r\n", "svc-delete", true),
        ("x-svc-disabled-tools: svc-connect\r\nx-svc-disabled-tools: svc-delete\r\n", "svc-delete", false),
    ];
    for (headers, tool, expected) in cases {
        assert_eq!(has(&api, headers, tool), expected, "{tool} with {headers:?}");
    }
    assert!(has(&api, "", "svc-delete"), "nothing is remembered");
}

#[test]
fn the_raw_tool_is_granted_and_withheld_by_request() {
    let cases = [
        // the device's toggle, headers, there
        (false, "", false),
        (false, "x-svc-live-api: true\r\n", true),
        (false, "x-svc-live-api: false\r\n", false),
        (false, "x-svc-live-api: TRUE\r\n", false),
        (false, "x-svc-live-api: 1\r\n", false),
        (false, "x-svc-live-api: true\r\nx-svc-disabled-tools: svc-live-api\r\n", false),
        (true, "", true),
        (true, "x-svc-live-api: false\r\n", false),
        (true, "x-svc-live-api: nonsense\r\n", true),
        (true, "x-svc-disabled-tools: svc-live-api\r\n", false),
        (true, "x-svc-live-api: true\r\nx-svc-disabled-tools: svc-live-api\r\n", false),
    ];
    for device_on in [false, true] {
        let api = if device_on { Api::raw_enabled() } else { Api::new() };
        for (_, headers, expected) in cases.iter().filter(|case| case.0 == device_on) {
            assert_eq!(has(&api, headers, "svc-live-api"), *expected, "device {device_on}, {headers:?}");
        }
    }
}

#[test]
fn a_whitelist_without_the_raw_tool_stays_without_it() {
    let api = Api::new();
    let body = json!({"liveApiEnabled": true, "tools": ["svc-connect"]});
    assert_eq!(api.post("/config", "", &body).status, 200);
    assert!(!has(&api, "", "svc-live-api"));
    assert!(has(&api, "x-svc-live-api: true\r\n", "svc-live-api"), "an explicit grant adds it");
}

#[test]
fn notation_follows_the_request_everywhere() {
    let api = Api::new();
    let midi_json = "x-svc-notation: midi-json\r\n";
    let notes_of = |headers: &str| {
        let description = &tool(&api, headers, "svc-create-clip")["inputSchema"]["properties"]["notes"]["description"];
        description.as_str().expect("described").to_owned()
    };
    // list
    assert!(notes_of("").contains("1|1"), "{}", notes_of(""));
    assert!(notes_of(midi_json).contains("p:60"), "{}", notes_of(midi_json));
    for name in ["svc-create-clip", "svc-update-clip", "svc-read-clip"] {
        let describe = |headers| tool(&api, headers, name)["description"].as_str().expect("a text").to_owned();
        assert!(describe(midi_json).contains("midi-json") && describe("").contains("barbeat"), "{name}");
    }
    // skills
    assert_ne!(skills(&api, ""), skills(&api, midi_json));
    assert!(skills(&api, midi_json).contains("midi-json"));
    // parse: an array, and the same as text; barbeat reads neither
    let create = |headers: &str, notes: Value| {
        api.post("/api/tools/svc-create-clip", headers, &json!({"path": "t0/s0", "notes": notes}))
    };
    let array = json!([{"p": 60, "t": 0, "d": 1, "v": 100}, {"p": 64, "t": 1.5, "d": 0.5, "v": 80}]);
    assert_eq!(create(midi_json, array.clone()).json()["result"]["noteCount"], 2);
    assert_eq!(create(midi_json, json!(array.to_string())).json()["result"]["noteCount"], 2);
    assert_eq!(create("", array.clone()).status, 400);
    let refused = create(midi_json, json!("C3 1|1")).json();
    assert_eq!(refused["isError"], true, "{refused}");
    // format
    let read = |headers: &str| {
        api.envelope("svc-read-clip", headers, &json!({"path": "t0/s0", "include": ["notes"]}))["result"]["notes"]
            .clone()
    };
    assert_eq!(read(midi_json), array);
    assert_eq!(read(""), "v100 n/4 C3 1|1\nv80 n/8 E3 1|2.5");
    // Absent or unrecognised: the device's own.
    for headers in ["x-svc-notation: nonsense\r\n", "x-svc-notation: \r\n", "x-svc-notation: MIDI-JSON\r\n"] {
        assert_eq!(read(headers), read(""), "{headers:?}");
    }
    let device = Api::with(Settings { notation: Notation::MidiJson, ..Settings::default() });
    device.ok("svc-create-clip", json!({"path": "t0/s0", "notes": array}));
    assert!(device.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}))["notes"].is_array());
    let barbeat = json!({"path": "t0/s1", "notes": "C3 1|1"});
    assert_eq!(device.envelope("svc-create-clip", "x-svc-notation: barbeat\r\n", &barbeat)["isError"], false);
}

#[test]
fn small_model_mode_shrinks_schemas_and_skills() {
    let api = Api::new();
    let small = "x-svc-small-model-mode: true\r\n";
    let size = |headers: &str| api.request("GET", "/api/tools", headers, "").body.len();
    assert!(size(small) < size(""), "{} < {}", size(small), size(""));
    assert!(skills(&api, small).len() < skills(&api, "").len());
    assert_eq!(size("x-svc-small-model-mode: yes\r\n"), size(""));
    // Only what is shown shrinks: what the full schema knows is still taken.
    let call = json!({"path": "t0", "include": ["*"]});
    assert_eq!(api.envelope("svc-read-track", small, &call)["isError"], false);
    let device = Api::with(Settings { small_model_mode: true, ..Settings::default() });
    assert_eq!(device.request("GET", "/api/tools", "", "").body.len(), size(small));
    assert_eq!(device.request("GET", "/api/tools", "x-svc-small-model-mode: false\r\n", "").body.len(), size(""));
}

#[test]
fn skills_leave_out_what_teaches_a_withheld_tool() {
    let api = Api::new();
    for small in ["", "x-svc-small-model-mode: true\r\n"] {
        for notation in ["barbeat", "midi-json"] {
            let profile = format!("{small}x-svc-notation: {notation}\r\n");
            let whole = skills(&api, &profile);
            for withheld in FIRST_TOOLS.iter().filter(|name| **name != "svc-connect") {
                let rest = skills(&api, &format!("{profile}x-svc-disabled-tools: {withheld}\r\n"));
                assert!(!rest.contains(withheld), "{profile:?} without {withheld} still names it:\n{rest}");
            }
            let without = skills(&api, &format!("{profile}x-svc-disabled-tools: svc-playback\r\n"));
            assert!(without.len() < whole.len(), "{profile:?}");
        }
    }
}

#[test]
fn the_mcp_format_header_means_nothing_here() {
    let api = Api::new();
    let envelope = api.envelope("svc-read-live-set", "x-svc-format: compact\r\n", &json!({}));
    assert!(envelope["result"].is_object());
    assert_eq!(api.post("/config", "", &json!({"jsonOutput": true})).status, 200);
    let reply = api.post("/api/tools/svc-read-live-set?format=compact", "", &json!({})).json();
    assert!(reply["result"].is_string(), "the device's JSON output is for MCP");
}
