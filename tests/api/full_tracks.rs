//! `svc-read-track` and `svc-create-track`: all that can be read of a track, and made with it.

use super::session_tools::{detail, warned};
use crate::support::Api;
use serde_json::{Value, json};

#[test]
fn tracks_in_full() {
    let api = Api::raw_enabled();
    api.call("live_set tracks 1", "create_midi_clip", json!([16, 8]));
    api.call("live_set tracks 1", "create_take_lane", json!([]));
    api.call("live_set tracks 1 take_lanes 0", "create_midi_clip", json!([0, 4]));
    let plain = api.ok("svc-read-track", json!({"path": "t1"}));
    assert_eq!((&plain["arrangementClipCount"], &plain["takeLaneCount"]), (&json!(1), &json!(1)));
    // A track with clips, and one that is not there.
    let list = api.ok("svc-read-track", json!({"path": "t1,t9", "include": ["mixer", "arrangement-clips"]}));
    let clip = &list[0]["arrangementClips"][0];
    assert_eq!((&clip["path"], &clip["arrangementLength"]), (&json!("t1[5|1]"), &json!("2bar")), "{list}");
    assert_eq!((list[0].get("arrangementClipCount"), clip.get("type")), (None, None));
    assert_eq!(list[0]["takeLanes"][0]["clips"][0]["path"], "t1/l0[1|1]");
    assert_eq!(
        list[1],
        json!({"path": "t9", "ok": false, "detail": "t9: this Set has 4 regular tracks, counted from 0"})
    );
    let lane = api.ok("svc-read-track", json!({"path": "t1/l0", "include": ["*"]}));
    assert_eq!(
        (&lane["path"], lane.get("gainDb"), lane["clips"].as_array().map(Vec::len)),
        (&json!("t1/l0"), None, Some(1))
    );
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t1[6|2]"}))["path"], "t1[5|1]", "the clip that covers it");

    let routed = api.ok("svc-read-track", json!({"path": "t0", "include": ["routings", "available-routings"]}));
    assert_eq!(routed["inputRoutingType"], json!({"name": "All Ins", "inputId": "1"}), "{routed}");
    assert_eq!(routed["monitoringState"], "auto");
    assert!(routed["availableOutputRoutingTypes"].as_array().is_some_and(|list| !list.is_empty()), "{routed}");
    let main = api.ok("svc-read-track", json!({"path": "mt", "include": ["routings", "available-routings"]}));
    for field in ["inputRoutingType", "inputRoutingChannel", "outputRoutingType", "outputRoutingChannel"] {
        assert_eq!(main.get(field), Some(&Value::Null), "{field}");
    }
    assert_eq!(main["availableInputRoutingTypes"], json!([]));
    assert_eq!(
        api.ok("svc-read-track", json!({"path": "rt0", "include": ["routings"]}))["inputRoutingType"],
        Value::Null
    );

    api.call("live_set tracks 0", "insert_device", json!(["Drum Rack"]));
    api.call("live_set tracks 0 devices 0", "insert_chain", json!([0]));
    api.set("live_set tracks 0 devices 0 chains 0", "in_note", json!(36));
    api.set("live_set tracks 0 devices 0 chains 0", "name", json!("Boom"));
    for (notation, key) in [("barbeat", "C1"), ("stark", "kick"), ("midi-json", "36")] {
        let headers = format!("x-svc-notation: {notation}\r\n");
        let track = api.envelope("svc-read-track", &headers, &json!({"path": "t0", "include": ["drum-map"]}));
        assert_eq!(track["result"]["drumMap"], json!({ key: "Boom" }), "{notation}");
        assert_eq!(track["result"]["drumRackPath"], "t0/d0");
    }
    let devices = api.ok("svc-read-track", json!({"path": "t0", "include": ["devices"]}));
    assert_eq!(devices["devices"][0]["type"], "drum-rack");
    for (arguments, path) in [
        (json!({"trackIndex": 1}), "t1"),
        (json!({"trackIndex": 1, "trackType": "return"}), "rt1"),
        (json!({"trackType": "master"}), "mt"),
    ] {
        let (track, warnings) = warned(&api, "svc-read-track", arguments.clone());
        assert_eq!(track["path"], path, "{arguments}");
        assert!(warnings.len() == 1 && warnings[0].contains(path), "{warnings:?}");
    }
}

#[test]
fn tracks_are_made_in_full() {
    let api = Api::new();
    let list = api.ok(
        "svc-create-track",
        json!({"path": "t+,t1", "name": "Pad,Ghost", "color": "#123456", "mute": true, "arm": true}),
    );
    assert_eq!((&list[0]["path"], &list[1]["path"]), (&json!("t5"), &json!("t1")));
    let track = api.ok("svc-read-track", json!({"path": "t5"}));
    assert_eq!((&track["state"], &track["isArmed"]), (&json!("muted"), &json!(true)));
    let entry = api.ok("svc-create-track", json!({"path": "rt+", "arm": true, "solo": true}));
    assert!(detail(&entry).contains("cannot be armed"), "{entry}");
    for (arguments, paths, words) in [
        (json!({"trackIndex": -1}), json!(["t6"]), "\"t+\""),
        (json!({"trackIndex": 0, "count": 2}), json!(["t0", "t1"]), "\"t0\""),
        (json!({"count": 2}), json!(["t9", "t10"]), "\"t+,t+\""),
        (json!({"paths": "t+"}), json!(["t11"]), "fallback"),
        (json!({"type": "return"}), json!(["rt3"]), "\"rt+\""),
    ] {
        let (answer, warnings) = warned(&api, "svc-create-track", arguments.clone());
        let entries = if answer.is_array() { answer.as_array().cloned().unwrap_or_default() } else { vec![answer] };
        let made: Vec<Value> = entries.iter().map(|entry| entry["path"].clone()).collect();
        assert_eq!(json!(made), paths, "{arguments}");
        assert!(warnings[0].contains(words), "{arguments}: {warnings:?}");
    }
    for (arguments, words) in [
        (json!({"path": "t+,t+", "count": 2}), "count"),
        (json!({"count": 101}), "100"),
        (json!({"path": "t1", "trackIndex": 1}), "leave out"),
        (json!({"path": "rt1"}), "rt+"),
    ] {
        let text = api.refused("svc-create-track", arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
    assert_eq!(
        api.post("/api/tools/svc-create-track", "", &json!({"mute": "false"})).status,
        400,
        "booleans are strict"
    );
}
