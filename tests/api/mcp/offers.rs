//! Resources and prompts: there when the tools behind them are, and saying what those say.

use super::{LEGACY, MODERN, ask, ask_with};
use crate::support::Api;
use serde_json::{Value, json};

fn all(list: &Value, member: &str) -> Vec<String> {
    list.as_array().expect("a list").iter().map(|item| item[member].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn resources_follow_the_tools() {
    let api = Api::new();
    for version in [LEGACY[0], LEGACY[2], MODERN] {
        let listed = ask(&api, version, "", "resources/list", json!({}));
        assert_eq!(all(&listed["resources"], "uri"), ["svc://live-set", "svc://skills"]);
        let templates = ask(&api, version, "", "resources/templates/list", json!({}));
        assert_eq!(
            all(&templates["resourceTemplates"], "uriTemplate"),
            ["svc://skills/{part}", "svc://tracks/{n}", "svc://clips/{id}"]
        );
    }
    let withheld = "x-svc-disabled-tools: svc-connect, svc-read-track\r\n";
    let listed = ask(&api, MODERN, withheld, "resources/list", json!({}));
    assert_eq!(all(&listed["resources"], "uri"), ["svc://live-set"]);
    let templates = ask(&api, MODERN, withheld, "resources/templates/list", json!({}));
    assert_eq!(all(&templates["resourceTemplates"], "uriTemplate"), ["svc://clips/{id}"]);
    for uri in ["svc://skills", "svc://skills/working-with-the-set", "svc://tracks/0"] {
        assert!(ask_with(&api, MODERN, withheld, "resources/read", json!({"uri": uri})).json()["error"].is_object());
    }
}

#[test]
fn a_resource_says_what_its_tool_says() {
    let api = Api::new();
    let made = api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    let id = made["id"].as_str().expect("an id");
    let clip = format!("svc://clips/{id}");
    let everything = json!(["*"]);
    let cases = [
        ("svc://live-set", api.ok("svc-read-live-set", json!({"include": everything}))),
        ("svc://tracks/0", api.ok("svc-read-track", json!({"path": "t0", "include": everything}))),
        (&clip, api.ok("svc-read-clip", json!({"id": id, "include": everything}))),
    ];
    for (uri, expected) in cases {
        for version in [LEGACY[0], MODERN] {
            let read = ask(&api, version, "", "resources/read", json!({"uri": uri}));
            let content = &read["contents"][0];
            assert_eq!((&content["uri"], &content["mimeType"]), (&json!(uri), &json!("application/json")));
            let said: Value = serde_json::from_str(content["text"].as_str().expect("a text")).expect("JSON");
            assert_eq!(said, expected, "{uri}");
        }
    }
    for headers in ["", "x-svc-notation: stark\r\n", "x-svc-small-model-mode: true\r\n"] {
        let read = ask(&api, MODERN, headers, "resources/read", json!({"uri": "svc://skills"}));
        let taught = &api.envelope("svc-connect", headers, &json!({}))["appended"][0];
        assert_eq!((&read["contents"][0]["text"], &read["contents"][0]["mimeType"]), (taught, &json!("text/markdown")));
    }
}

#[test]
fn the_skills_in_parts() {
    let api = Api::new();
    let read = |headers: &str, part: &str| {
        ask_with(&api, MODERN, headers, "resources/read", json!({"uri": format!("svc://skills/{part}")})).json()
    };
    for (headers, part, begins) in [
        ("", "arrangement", None),
        ("", "session-and-arrangement", Some("# Session and Arrangement\n")),
        ("", "notes-barbeat", Some("# Notes: barbeat\n")),
        ("x-svc-notation: stark\r\n", "notes-barbeat", None),
        ("x-svc-notation: stark\r\n", "notes-stark", Some("# Notes: stark\n")),
        ("x-svc-small-model-mode: true\r\n", "clips", Some("# Clips\n")),
        ("x-svc-disabled-tools: svc-library\r\n", "library", None),
        ("", "library", Some("# Library\n")),
    ] {
        let body = read(headers, part);
        let text = body["result"]["contents"][0]["text"].as_str();
        assert_eq!(text.is_some(), begins.is_some(), "{headers:?} {part}: {body}");
        assert!(begins.is_none_or(|begins| text.is_some_and(|text| text.starts_with(begins))), "{body}");
    }
}

#[test]
fn what_is_no_resource() {
    let api = Api::new();
    for uri in ["svc://nonsense", "svc://tracks/99", "svc://tracks/0,1", "svc://clips/999999", "file:///etc/passwd"] {
        for (version, code) in [(LEGACY[2], -32002), (MODERN, -32602)] {
            let body = ask_with(&api, version, "", "resources/read", json!({"uri": uri})).json();
            assert_eq!(body["error"]["code"], code, "{version} {uri}: {body}");
            assert_eq!(body["error"]["data"]["uri"], uri);
            assert!(body["error"]["message"].as_str().is_some_and(|text| !text.is_empty()), "{body}");
        }
    }
}

#[test]
fn prompts() {
    let api = Api::new();
    for version in [LEGACY[0], MODERN] {
        let listed = ask(&api, version, "", "prompts/list", json!({}));
        assert_eq!(all(&listed["prompts"], "name"), ["start-session", "build-a-beat", "review-arrangement"]);
        let got =
            ask(&api, version, "", "prompts/get", json!({"name": "build-a-beat", "arguments": {"style": "house"}}));
        let message = &got["messages"][0];
        assert_eq!((&message["role"], &message["content"]["type"]), (&json!("user"), &json!("text")));
        let text = message["content"]["text"].as_str().expect("a text");
        assert!(text.contains("Style: house.") && text.contains("Length: 2bar."), "{text}");
    }
    let withheld = "x-svc-disabled-tools: svc-playback\r\n";
    let listed = ask(&api, MODERN, withheld, "prompts/list", json!({}));
    assert_eq!(all(&listed["prompts"], "name"), ["start-session", "review-arrangement"]);
    let cases = [
        ("", json!({"name": "nonsense"})),
        (withheld, json!({"name": "build-a-beat"})),
        ("", json!({"name": "build-a-beat", "arguments": {"style": "x".repeat(501)}})),
    ];
    for (headers, params) in cases {
        let body = ask_with(&api, MODERN, headers, "prompts/get", params).json();
        assert_eq!(body["error"]["code"], -32602, "{body}");
    }
}
