//! What is told of a change, a call, the settings and what plays.

use super::Stream;
use crate::support::Api;
use serde_json::{Value, json};

/// The next change of the Set.
fn change(stream: &mut Stream) -> Value {
    stream.next_of("set").data
}

#[test]
fn a_change_is_told_with_what_it_changed_and_who_made_it() {
    let api = Api::new();
    let (mut stream, hello) = Stream::open(&api, "/api/events", "");
    assert_eq!(
        (&hello["instance"], &hello["gap"], &hello["host"]["kind"]),
        (&json!("test"), &json!(false), &json!("embedded"))
    );
    let made = api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    let told = change(&mut stream);
    let clip = json!({"id": made["id"], "path": "t0/s0", "class": "clip", "kind": "made"});
    assert_eq!(told["changed"], json!([clip]));
    assert_eq!(
        (&told["tool"], &told["who"], &told["client"]),
        (&json!("svc-create-clip"), &json!("rest"), &json!("rest"))
    );
    assert_eq!((&told["label"], &told["readAnew"]), (&json!("made clip t0/s0 (1 note)"), &json!(false)));
    assert_eq!((&told["revision"], &told["historyStep"]), (&json!(hello["revision"].as_u64().unwrap() + 1), &json!(1)));
    // The call that made it follows, in the same words.
    let call = stream.next_of("call").data;
    assert_eq!((&call["line"], &call["historyStep"], &call["changed"]), (&told["label"], &json!(1), &told["changed"]));
    assert_eq!(
        (&call["tool"], &call["via"], &call["status"]),
        (&json!("svc-create-clip"), &json!("rest"), &json!(200))
    );
}

/// Each act, and the tools of the changes that it tells of: a batch is one, a dry run, a refusal and a read are none.
#[test]
fn each_act_tells_of_so_many_changes() {
    let api = Api::new();
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=set", "");
    let calls = json!([
        {"tool": "svc-update-live-set", "arguments": {"tempo": 99}},
        {"tool": "svc-create-track", "arguments": {"path": "t+,t+", "type": "midi"}},
    ]);
    let rename = json!({"path": "t0", "name": "Lead"});
    let cases: [(&str, &str, Value, &[&str]); 8] = [
        ("svc-update-track", "", rename.clone(), &["svc-update-track"]),
        ("svc-update-track", "x-svc-dry-run: true\r\n", json!({"path": "t0", "name": "X"}), &[]),
        ("svc-batch", "", json!({"calls": calls, "dryRun": true}), &[]),
        ("svc-batch", "", json!({"calls": calls}), &["svc-batch"]),
        ("svc-read-live-set", "", json!({}), &[]),
        ("svc-update-track", "", json!({"path": "t99", "name": "X"}), &[]),
        ("svc-manage", "", json!({"action": "undo"}), &["svc-manage"]),
        ("svc-manage", "", json!({"action": "redo"}), &["svc-manage"]),
    ];
    let mut revision = 0;
    for (tool, headers, arguments, expected) in cases {
        api.envelope(tool, headers, &arguments);
        for tool in expected {
            let told = change(&mut stream);
            revision += 1;
            assert_eq!((&told["tool"], &told["revision"]), (&json!(tool), &json!(revision)), "{arguments}: {told}");
        }
    }
    // Nothing else was told before this one.
    api.ok("svc-update-live-set", json!({"tempo": 77}));
    assert_eq!(change(&mut stream)["revision"], revision + 1);
}

#[test]
fn undo_tells_what_is_different_and_makes_no_step() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=set", "");
    for (action, kind) in [("undo", "deleted"), ("redo", "made")] {
        api.ok("svc-manage", json!({"action": action}));
        let told = change(&mut stream);
        assert_eq!((&told["changed"][0]["kind"], &told["changed"][0]["path"]), (&json!(kind), &json!("t0/s0")));
        assert_eq!(told["historyStep"], Value::Null, "{told}");
    }
}

#[test]
fn another_set_is_to_be_read_anew() {
    let api = Api::new();
    let saved = api.saved();
    let (mut stream, hello) = Stream::open(&api, "/api/events?kinds=set", "");
    api.device.load_state(&saved);
    let told = change(&mut stream);
    assert_eq!((&told["readAnew"], &told["who"], &told["changed"]), (&json!(true), &json!("host"), &json!([])));
    assert!(told["revision"].as_u64() > hello["revision"].as_u64(), "{told}");
}

#[test]
fn a_change_of_many_objects_lists_two_hundred() {
    let api = Api::new();
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=set", "");
    api.ok("svc-create-track", json!({"path": format!("t+{}", ",t+".repeat(99)), "type": "midi"}));
    assert_eq!(change(&mut stream)["readAnew"], false);
    let paths: Vec<String> = (0..300).map(|at| format!("t{}/s{}", 4 + at % 100, at / 100)).collect();
    api.ok("svc-create-clip", json!({"path": paths.join(","), "notes": "C3 1|1"}));
    let told = change(&mut stream);
    assert_eq!((told["changed"].as_array().map(Vec::len), &told["readAnew"]), (Some(200), &json!(true)));
    assert!(told["label"].as_str().is_some_and(|label| label.ends_with("and 296 more")), "{}", told["label"]);
}

#[test]
fn settings_are_told_however_they_were_changed() {
    let api = Api::new();
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=settings", "");
    api.post("/config", "", &json!({"notation": "stark"}));
    let told = stream.next_of("settings").data;
    assert_eq!(told, api.request("GET", "/config", "", "").json());
    let tools = told["availableTools"].as_array().expect("tools");
    assert!(tools.iter().any(|tool| tool["name"] == "svc-connect" && tool["title"].is_string()), "{tools:?}");
    assert_eq!(told["sampleFolderStatus"], Value::Null, "there is no folder");
    api.device.service.edit_settings(|settings| settings.timeout_ms = 4_321);
    assert_eq!(stream.wait_for("settings", |told| told["timeoutMs"] == 4_321).data["notation"], "stark");
}

#[test]
fn what_plays_is_told_as_it_plays() {
    let api = Api::new();
    let clip = api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1", "length": "1bar"}));
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=playback", "");
    let first = stream.next_of("playback").data;
    assert_eq!((&first["isPlaying"], &first["playing"], &first["waiting"]), (&json!(false), &json!([]), &json!([])));
    api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0"}));
    let playing = stream.wait_for("playback", |told| told["playing"] != json!([])).data;
    let row = &playing["playing"][0];
    assert_eq!((&row[0], &row[1], &row[5]), (&json!(0), &json!(0), &clip["id"]), "{playing}");
    assert_eq!((&row[3], &row[4]), (&json!(0.0), &json!(4.0)), "where it begins and how long it is");
    let beat = playing["beat"].as_f64().expect("a position");
    let later = stream.wait_for("playback", |told| told["beat"].as_f64().is_some_and(|now| now > beat)).data;
    assert_eq!(later["isPlaying"], true);
    // It waits for its boundary, and then has stopped.
    api.ok("svc-update-live-set", json!({"tempo": 400}));
    api.ok("svc-playback", json!({"action": "stop-session-clips", "path": "t0/s0"}));
    stream.wait_for("playback", |told| told["stopped"] == json!([0]) && told["waiting"] == json!([]));
    api.ok("svc-select", json!({"path": "s1"}));
    stream.wait_for("playback", |told| told["selection"]["sceneId"].is_string());
}
