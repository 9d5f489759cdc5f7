//! `/config`: every member, and that a change is whole or not at all.

use crate::http::Client;
use crate::support::Api;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use svc_device::device::Persistence;
use svc_device::device::recovery::JournalFolder;
use svc_device::service::Settings;

/// Nothing here takes this long unless it is broken.
const PATIENCE: Duration = Duration::from_secs(20);

fn config(api: &Api) -> Value {
    api.request("GET", "/config", "", "").json()
}

#[test]
fn the_settings_object() {
    let api = Api::new();
    let mut shown = config(&api);
    let tools = shown["tools"].take();
    assert!(tools.as_array().is_some_and(|list| list.contains(&json!("svc-connect"))), "{tools}");
    assert!(!tools.to_string().contains("svc-live-api"), "{tools}");
    let available = shown["availableTools"].take();
    let titled = |tool: &Value| tool["name"].is_string() && tool["title"].is_string();
    assert!(available.as_array().is_some_and(|list| list.iter().all(titled) && list.len() >= 20), "{available}");
    assert!(shown["version"].take().is_string());
    assert!(shown["listeningPort"].take().is_u64());
    let expected = json!({
        "projectContext": "", "sampleFolder": "", "smallModelMode": false, "jsonOutput": false, "liveApiEnabled": false,
        "notation": "barbeat", "tools": null, "port": 3350, "timeoutMs": 30000,
        "availableTools": null, "sampleFolderStatus": null, "allowedFolders": [], "ownClock": false, "sound": true, "midiOut": true, "soundOutput": null, "soundStatus": {"text": "Nobody plays it yet.", "isUnheard": false}, "instance": "test", "version": null, "heldState": null, "recovery": null, "saveFailure": null, "listeningPort": null,
        "permissionRequest": null, "tokenRequired": false, "hostChoice": "auto",
        "host": {"kind": "embedded", "offer": null, "live": {
            "state": "notListening", "text": "Ableton Live cannot be linked: there is no folder for the user's files",
            "liveVersion": null, "scriptVersion": null, "sourceHash": null, "tick": null, "tickGapMs": null, "exchanges": 0
        }}
    });
    assert_eq!(shown, expected);
}

#[test]
fn every_member_lands_and_is_answered() {
    let api = Api::new();
    let cases = [
        ("projectContext", json!("Slow."), json!("Slow.")),
        ("projectContext", Value::Null, json!("")),
        ("sampleFolder", json!("/usr"), json!("/usr")),
        ("sampleFolder", json!(""), json!("")),
        ("sampleFolder", Value::Null, json!("")),
        ("smallModelMode", json!(true), json!(true)),
        ("jsonOutput", json!(true), json!(true)),
        ("liveApiEnabled", json!(true), json!(true)),
        ("notation", json!("midi-json"), json!("midi-json")),
        ("timeoutMs", json!(1), json!(1)),
        ("timeoutMs", json!(55_000), json!(55_000)),
        ("timeoutMs", json!(9.0), json!(9)),
        ("allowedFolders", json!(["/usr", "/tmp"]), json!(["/usr", "/tmp"])),
        ("ownClock", json!(true), json!(true)),
        ("sound", json!(false), json!(false)),
        ("sound", json!(true), json!(true)),
        ("midiOut", json!(false), json!(false)),
        ("hostChoice", json!("embedded"), json!("embedded")),
        ("hostChoice", json!("auto"), json!("auto")),
        ("tools", json!(["svc-delete", "svc-connect"]), json!(["svc-connect", "svc-delete"])),
        ("tools", json!([]), json!([])),
    ];
    for (member, sent, expected) in cases {
        let reply = api.post("/config", "", &json!({member: sent}));
        assert_eq!(reply.status, 200, "{member} {sent}: {}", reply.json());
        let mut answer = reply.json();
        assert_eq!(answer["ignored"], json!([]), "{member}");
        assert_eq!(answer[member], expected, "{member} {sent}");
        answer.as_object_mut().expect("an object").remove("ignored");
        let mut after = config(&api);
        // The link and the sound follow the choice in their own time, and the index its folder.
        for shown in [&mut answer, &mut after] {
            let follows = |name: &str| ["host", "soundStatus", "sampleFolderStatus"].contains(&name);
            shown.as_object_mut().expect("an object").retain(|name, _| !follows(name));
        }
        assert_eq!(answer, after, "{member}: the answer is the settings after the change");
    }
}

/// What is said of the sample folder is said of the one that is set, from the answer on that sets it.
#[test]
fn the_state_of_the_sample_folder_is_that_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (full, samples) = (folder.path().join("full"), folder.path().join("samples"));
    std::fs::create_dir(&full).unwrap();
    let sound = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/half.wav");
    std::fs::copy(sound, full.join("a.wav")).unwrap();
    std::fs::create_dir(&samples).unwrap();
    let api = Api::new();
    let wait_for = |expected: &str| {
        let end = Instant::now() + PATIENCE;
        while config(&api)["sampleFolderStatus"] != expected {
            assert!(Instant::now() < end, "{} for {expected}", config(&api)["sampleFolderStatus"]);
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    let set = |path: &Path| {
        let reply = api.post("/config", "", &json!({"sampleFolder": path})).json();
        reply["sampleFolderStatus"].as_str().expect("a state").to_owned()
    };
    for _ in 0..20 {
        set(&full);
        wait_for("1 files and folders");
        let told = set(&samples);
        assert!(!told.starts_with("1 files"), "{told}");
        let now = config(&api)["sampleFolderStatus"].to_string();
        assert!(!now.contains("1 files"), "{now}");
    }
    wait_for("0 files and folders");
    let none = api.post("/config", "", &json!({"sampleFolder": null})).json();
    assert_eq!(none["sampleFolderStatus"], Value::Null);
}

#[test]
fn a_bad_member_refuses_all_and_every_bad_one_is_named() {
    let api = Api::new();
    // member, bad value, what the text says would be right
    let bad = [
        ("projectContext", json!(5), "text or null"),
        ("projectContext", json!("x".repeat(10_001)), "10000 characters"),
        ("sampleFolder", json!("relative/folder"), "absolute"),
        ("sampleFolder", json!(false), "text or null"),
        ("sampleFolder", json!("/"), "not the root"),
        ("sampleFolder", json!("/../."), "not the root"),
        ("smallModelMode", json!("true"), "true or false"),
        ("smallModelMode", Value::Null, "true or false"),
        ("jsonOutput", json!(1), "true or false"),
        ("liveApiEnabled", json!("true"), "true or false"),
        ("ownClock", json!([]), "true or false"),
        ("sound", Value::Null, "true or false"),
        ("midiOut", json!(1), "true or false"),
        ("startFresh", json!("yes"), "true or false"),
        ("notation", json!("Barbeat"), "midi-json"),
        ("notation", Value::Null, "midi-json"),
        ("port", json!(80), "1024 to 65535"),
        ("port", json!(65_536), "1024 to 65535"),
        ("port", json!("3350"), "1024 to 65535"),
        ("port", json!(3350.5), "1024 to 65535"),
        ("timeoutMs", json!(0), "1 to 55000"),
        ("timeoutMs", json!(55_001), "1 to 55000"),
        ("allowedFolders", json!("/a"), "list"),
        ("allowedFolders", json!(["a"]), "absolute"),
        ("allowedFolders", json!(["/a", "/"]), "not the root"),
        ("allowedFolders", json!(vec!["/a"; 101]), "at most 100"),
        ("permissionRequest", json!("yes"), "grant or dismiss"),
        ("token", json!("short"), "16 to 200"),
        ("tools", json!("svc-connect"), "list"),
        ("tools", json!(["svc-nope"]), "svc-nope"),
        ("tools", json!(["svc-live-api"]), "svc-live-api"),
    ];
    let before = config(&api);
    for (member, value, right) in &bad {
        let reply = api.post("/config", "", &json!({"jsonOutput": true, "x": 1, *member: value}));
        let body = reply.json();
        assert_eq!(reply.status, 400, "{member} {value}: {body}");
        let text = body["fields"][*member].as_str().unwrap_or_else(|| panic!("{member} {value}: {body}"));
        assert!(text.contains(right), "{member} {value}: {text}");
        assert_eq!(body["error"], format!("{member}: {text}"));
        assert_eq!(body.get("validToolNames").is_some(), *member == "tools", "{body}");
        assert_eq!(config(&api), before, "{member} {value} changed something");
    }
    let two = json!({"notation": "x", "smallModelMode": 3, "startFresh": 1, "tools": ["nope"]});
    let body = api.post("/config", "", &two).json();
    let fields = body["fields"].as_object().expect("fields");
    assert_eq!(fields.len(), 4, "{body}");
    let joined: Vec<String> =
        fields.iter().map(|(name, text)| format!("{name}: {}", text.as_str().unwrap_or_default())).collect();
    assert_eq!(body["error"], joined.join("; "));
    let valid = body["validToolNames"].as_array().expect("valid names");
    assert!(valid.contains(&json!("svc-connect")) && !valid.contains(&json!("svc-live-api")), "{body}");
}

#[test]
fn the_raw_tool_is_a_legal_name_once_it_is_on() {
    let api = Api::new();
    let both = json!({"tools": ["svc-connect", "svc-live-api"], "liveApiEnabled": true});
    let reply = api.post("/config", "", &both);
    assert_eq!(reply.json()["tools"], json!(["svc-connect", "svc-live-api"]));
    let body = api.post("/config", "", &json!({"tools": ["nope"]})).json();
    assert!(body["validToolNames"].as_array().is_some_and(|names| names.contains(&json!("svc-live-api"))), "{body}");
    let off = api.post("/config", "", &json!({"liveApiEnabled": false})).json();
    assert_eq!(off["tools"], json!(["svc-connect"]), "switching it off takes it out of the tools");
    let on = api.post("/config", "", &json!({"liveApiEnabled": true})).json();
    assert_eq!(on["tools"], json!(["svc-connect", "svc-live-api"]), "and on puts it back");
}

#[test]
fn a_disabled_tool_is_gone_for_everybody() {
    let api = Api::new();
    api.post("/config", "", &json!({"tools": ["svc-connect"]}));
    assert_eq!(api.post("/api/tools/svc-delete", "", &json!({})).status, 404);
    let listed = api.request("GET", "/api/tools", "", "").json();
    assert_eq!(listed["tools"].as_array().map(Vec::len), Some(1));
}

#[test]
fn unknown_members_are_ignored_and_told() {
    let api = Api::new();
    let reply = api.post("/config", "", &json!({"notatoin": "midi-json", "x": 1, "smallModelMode": true}));
    assert_eq!(reply.status, 200);
    let body = reply.json();
    assert_eq!((&body["ignored"], &body["smallModelMode"]), (&json!(["notatoin", "x"]), &json!(true)));
}

#[test]
fn pages_of_other_origins_do_not_write_settings() {
    let api = Api::new();
    let port = api.addr.port();
    let cases = [
        (String::new(), 200),
        (format!("Origin: http://localhost:{port}\r\n"), 200),
        ("Origin: http://localhost:5173\r\n".to_owned(), 403),
        (format!("Origin: http://127.0.0.1:{port}\r\n"), 403),
        ("Origin: https://evil.example\r\n".to_owned(), 403),
        ("Origin: null\r\n".to_owned(), 403),
    ];
    for (headers, status) in cases {
        let before = config(&api);
        let reply = api.post("/config", &headers, &json!({"smallModelMode": before["smallModelMode"] == json!(false)}));
        assert_eq!(reply.status, status, "{headers:?}");
        if status == 403 {
            assert!(reply.json()["error"].is_string());
            assert_eq!(config(&api), before, "{headers:?}");
        }
    }
}

#[test]
fn config_bodies_follow_the_same_rules() {
    let api = Api::new();
    for (body, status) in [("{}", 200), ("", 400), ("[]", 400), ("{\"a\":", 400)] {
        assert_eq!(api.request("POST", "/config", "", body).status, status, "{body:?}");
    }
    let mut client = Client::connect(api.addr);
    client.send(
        format!(
            "POST /config HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}",
            api.addr.port()
        )
        .as_bytes(),
    );
    assert_eq!(client.reply().expect("an answer").status, 415);
}

#[test]
fn a_state_that_cannot_be_read_takes_no_writes_until_a_fresh_start() {
    let api = Api::new();
    api.ok("svc-update-track", json!({"path": "t0", "name": "Keys"}));
    api.device.load_state("not a state");
    assert!(config(&api)["heldState"].is_string(), "told");
    assert_eq!(api.saved(), "not a state", "given back as it came");
    assert_eq!(api.ok("svc-read-track", json!({"path": "t0"}))["name"], "Keys", "reading works");
    let text = api.refused("svc-update-track", json!({"path": "t0", "name": "Lead"}));
    assert!(text.contains("startFresh"), "says the way out: {text}");
    assert_eq!(api.post("/config", "", &json!({"startFresh": false})).status, 200);
    assert!(config(&api)["heldState"].is_string());
    let reply = api.post("/config", "", &json!({"startFresh": true})).json();
    assert_eq!((&reply["heldState"], &reply["ignored"]), (&Value::Null, &json!([])));
    // The Set is put in place by the next turn.
    let envelope = api.envelope("svc-update-track", "", &json!({"path": "t0", "name": "Lead"}));
    assert_eq!(envelope["isError"], false, "{envelope}");
}

/// In a plugin the project keeps the Set; what the journal beside it cannot keep is told all the same.
#[test]
fn a_journal_that_cannot_be_written_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let in_the_way = folder.path().join("file");
    std::fs::write(&in_the_way, "").unwrap();
    let journals = JournalFolder::in_folder(in_the_way.join("recovery"));
    let api = Api::keeping(Settings::default(), Persistence::Journal(journals));
    assert_eq!(config(&api)["saveFailure"], Value::Null);
    api.ok("svc-update-track", json!({"path": "t0", "name": "a"}));
    let end = Instant::now() + Duration::from_secs(10);
    while config(&api)["saveFailure"].is_null() {
        assert!(Instant::now() < end, "it is told");
    }
    for (tool, arguments, told) in [
        ("svc-update-track", json!({"path": "t0", "name": "b"}), true),
        ("svc-connect", json!({}), true),
        ("svc-read-track", json!({"path": "t0"}), false),
    ] {
        let warnings = api.envelope(tool, "", &arguments)["warnings"].to_string();
        assert_eq!(warnings.contains("saved: false. The journal of the Set could not be"), told, "{tool}: {warnings}");
    }
}
