//! Every setting is in force when the change of it is answered: the next call depends on it, at once.

use crate::support::Api;
use serde_json::{Value, json};
use std::path::Path;

const ROUNDS: usize = 12;

/// A preset of Ableton Live's in a folder.
fn preset_in(folder: &Path) -> String {
    let path = folder.join("Some.adv");
    let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Ableton MajorVersion=\"5\" MinorVersion=\"12.0_12049\" \
               Creator=\"Ableton Live 12.0\"><StereoGain><On><Manual Value=\"true\"/></On></StereoGain></Ableton>";
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, xml.as_bytes()).expect("in memory");
    std::fs::write(&path, packed.finish().expect("in memory")).expect("a folder");
    path.to_str().expect("a text").to_owned()
}

fn set(api: &Api, members: Value) -> Value {
    let reply = api.post("/config", "", &members);
    assert_eq!(reply.status, 200, "{members}: {}", reply.json());
    let answer = reply.json();
    assert!(answer.get("detail").is_none(), "{answer}");
    answer
}

/// The text of a refusal, or nothing.
fn refusal(api: &Api, tool: &str, headers: &str, arguments: Value) -> String {
    let (_, body) = api.answered(tool, headers, &arguments);
    if body["isError"] == false { String::new() } else { body.to_string() }
}

#[test]
fn folders_are_open_when_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let (preset, path) = (preset_in(folder.path()), folder.path().to_str().expect("a text"));
    let saved = folder.path().join("song.svcset");
    for round in 0..ROUNDS {
        let api = Api::new();
        let members = if round % 2 == 0 { json!({"allowedFolders": [path]}) } else { json!({"sampleFolder": path}) };
        set(&api, members.clone());
        assert_eq!(refusal(&api, "svc-create-device", "", json!({"path": "t0", "preset": preset})), "", "{members}");
        set(&api, json!({"allowedFolders": [], "sampleFolder": null}));
        let closed = refusal(&api, "svc-create-device", "", json!({"path": "t0", "preset": preset}));
        assert!(closed.contains("allowedFolders"), "{round}: {closed}");
        set(&api, members);
        assert_eq!(refusal(&api, "svc-manage", "", json!({"action": "save", "file": saved})), "");
        let found = api.ok("svc-library", json!({"action": "search", "query": "Some"}));
        assert!(!found.to_string().contains("no folder is indexed"), "{found}");
    }
}

#[test]
fn tools_are_switched_when_answered() {
    let api = Api::new();
    for _ in 0..ROUNDS {
        set(&api, json!({"tools": ["svc-connect"]}));
        assert_eq!(api.answered("svc-read-track", "", &json!({"path": "t0"})).0, 404);
        set(&api, json!({"tools": ["svc-connect", "svc-read-track"]}));
        assert_eq!(api.answered("svc-read-track", "", &json!({"path": "t0"})).0, 200);
        set(&api, json!({"liveApiEnabled": true, "tools": ["svc-live-api", "svc-read-track", "svc-create-clip"]}));
        assert_eq!(
            api.answered(
                "svc-live-api",
                "",
                &json!({"path": "live_set", "operations": [{"type": "get", "property": "tempo"}]})
            )
            .0 / 100,
            2
        );
        set(&api, json!({"liveApiEnabled": false}));
        assert_eq!(api.answered("svc-live-api", "", &json!({"path": "live_set"})).0, 404);
    }
}

#[test]
fn profiles_and_limits_are_those_answered() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1", "length": "1bar"}));
    let notes = || api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}))["notes"].clone();
    let listed = |small: bool| {
        let list = api.request("GET", "/api/tools", "", "").json().to_string();
        assert_eq!(list.contains("svc-manage"), !small, "small {small}");
    };
    for _ in 0..ROUNDS {
        set(&api, json!({"notation": "midi-json"}));
        assert!(!notes().to_string().contains("C3"), "{}", notes());
        set(&api, json!({"notation": "barbeat"}));
        assert!(notes().to_string().contains("C3"), "{}", notes());
        set(&api, json!({"smallModelMode": true}));
        listed(true);
        set(&api, json!({"smallModelMode": false}));
        listed(false);
        let context = "Slow and dark.";
        set(&api, json!({"projectContext": context}));
        assert!(api.ok("svc-context", json!({"action": "read"})).to_string().contains(context));
        set(&api, json!({"projectContext": null}));
        assert!(!api.ok("svc-context", json!({"action": "read"})).to_string().contains(context));
    }
}

#[test]
fn a_token_is_wanted_when_answered() {
    let api = Api::new();
    for round in 0..ROUNDS {
        let token = format!("0123456789abcdef0123456789abcd{round:02}");
        let bearer = format!("Authorization: Bearer {token}\r\n");
        set(&api, json!({"token": token}));
        assert_eq!(api.request("GET", "/config", "", "").status, 401);
        assert_eq!(api.request("GET", "/config", &bearer, "").status, 200);
        assert_eq!(api.post("/config", &bearer, &json!({"token": null})).status, 200);
        assert_eq!(api.request("GET", "/config", "", "").status, 200);
    }
}

#[test]
fn clock_host_and_sound_are_as_answered() {
    let api = Api::new();
    for round in 0..ROUNDS {
        let on = round % 2 == 0;
        let told = set(&api, json!({"sound": on, "midiOut": !on, "ownClock": on, "hostChoice": "live"}));
        assert_eq!(told["host"]["kind"], "live", "{told}");
        let refused = refusal(&api, "svc-read-track", "", json!({"path": "t0"}));
        assert!(refused.contains("Live"), "{refused}");
        let told = set(&api, json!({"hostChoice": "embedded"}));
        assert_eq!(told["host"]["kind"], "embedded", "{told}");
        assert_eq!(refusal(&api, "svc-read-track", "", json!({"path": "t0"})), "");
        let shown = api.request("GET", "/config", "", "").json();
        assert_eq!((&shown["sound"], &shown["midiOut"], &shown["ownClock"]), (&json!(on), &json!(!on), &json!(on)));
    }
}
