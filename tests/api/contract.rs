//! Sentences of the contract that no other file here tells, a table for each.

use crate::support::Api;
use serde_json::{Value, json};

fn warnings(envelope: &Value) -> Vec<&str> {
    envelope["warnings"].as_array().map_or(Vec::new(), |list| list.iter().filter_map(Value::as_str).collect())
}

/// A Set with a clip of three notes, a device and a locator.
fn stage() -> Api {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1", "notes": "C1 1|1 E1 1|2 G1 1|3", "length": "1bar"}));
    api.ok("svc-create-device", json!({"path": "t0", "device": "Operator"}));
    api
}

#[test]
fn a_call_whose_only_values_are_unknown_changes_nothing_and_succeeds() {
    let api = stage();
    let before = api.document();
    for (tool, arguments) in [
        ("svc-update-track", json!({"path": "t0", "nmae": "X"})),
        ("svc-update-scene", json!({"path": "s0", "nmae": "X"})),
        ("svc-update-clip", json!({"path": "t0/s0", "nmae": "X"})),
        ("svc-update-device", json!({"path": "t0/d0", "nmae": "X"})),
        ("svc-update-live-set", json!({"tmepo": 99})),
    ] {
        let envelope = api.envelope(tool, "", &arguments);
        assert_eq!(envelope["isError"], json!(false), "{tool}: {envelope}");
        assert_eq!(envelope["result"]["changed"], json!(false), "{tool}: {envelope}");
        assert!(warnings(&envelope).iter().any(|w| w.starts_with("ignored unexpected argument(s): ")), "{envelope}");
    }
    assert!(api.document().same_as(&before));
    // Targets and nothing at all stay a mistake.
    assert!(api.refused("svc-update-track", json!({"path": "t0"})).starts_with("nothing to write"));
}

#[test]
fn notes_are_published_as_the_notation_takes_them() {
    let api = Api::new();
    for (headers, kind) in [
        ("x-svc-notation: midi-json\r\n", json!(["string", "array"])),
        ("x-svc-notation: midi-json\r\nx-svc-small-model-mode: true\r\n", json!("array")),
        ("x-svc-notation: barbeat\r\n", json!(["string", "array"])),
        ("x-svc-notation: stark\r\nx-svc-small-model-mode: true\r\n", json!("string")),
    ] {
        let list = api.request("GET", "/api/tools", headers, "").json();
        let tools = list["tools"].as_array().expect("a list");
        let create = tools.iter().find(|tool| tool["name"] == "svc-create-clip").expect("it is listed");
        assert_eq!(create["inputSchema"]["properties"]["notes"]["type"], kind, "{headers}");
    }
}

#[test]
fn a_write_of_the_wrong_type_answers_1_and_changes_nothing() {
    let api = stage();
    for (path, property, value) in [
        ("live_set tracks 0", "name", json!(808)),
        ("live_set tracks 0", "name", json!(true)),
        ("live_set tracks 0", "color_index", json!("red")),
        ("live_set scenes 0", "tempo_enabled", json!("on")),
        ("live_set", "tempo", json!("120")),
    ] {
        let before = api.get(path, property);
        let answers = api.raw(path, json!([{"type": "set", "property": property, "value": value}]));
        assert_eq!(answers[0], json!(1), "{path} {property}");
        assert_eq!(api.get(path, property), before, "{path} {property} = {value}");
    }
}

#[test]
fn numbers_of_old_name_the_target_of_every_tool() {
    for (tool, arguments, path) in [
        ("svc-read-track", json!({"trackIndex": 1}), "t1"),
        ("svc-update-track", json!({"trackIndex": 1, "mute": true}), "t1"),
        ("svc-update-track", json!({"trackIndex": 0, "trackType": "return", "mute": true}), "rt0"),
        ("svc-read-scene", json!({"sceneIndex": 1}), "s1"),
        ("svc-update-scene", json!({"sceneIndex": 1, "name": "x"}), "s1"),
        ("svc-read-clip", json!({"trackIndex": 0, "sceneIndex": 0}), "t0/s0"),
        ("svc-update-clip", json!({"trackIndex": 0, "sceneIndex": 0, "name": "x"}), "t0/s0"),
        ("svc-update-clip", json!({"slot": "0/0", "name": "x"}), "t0/s0"),
        ("svc-create-clip", json!({"trackIndex": 1, "sceneIndex": 1, "length": "1bar"}), "t1/s1"),
        ("svc-read-device", json!({"trackIndex": 0, "deviceIndex": 0}), "t0/d0"),
        ("svc-update-device", json!({"trackIndex": 0, "deviceIndex": 0, "name": "x"}), "t0/d0"),
        ("svc-update-device", json!({"devicePath": "t0/d0", "name": "x"}), "t0/d0"),
        ("svc-create-device", json!({"trackIndex": 1, "device": "Operator"}), "t1"),
        ("svc-delete", json!({"type": "track", "trackIndex": 1}), "t1"),
        ("svc-delete", json!({"type": "scene", "sceneIndex": 1}), "s1"),
        ("svc-delete", json!({"type": "clip", "trackIndex": 0, "sceneIndex": 0}), "t0/s0"),
        ("svc-delete", json!({"type": "clip", "slot": "0/0"}), "t0/s0"),
        ("svc-delete", json!({"type": "device", "trackIndex": 0, "deviceIndex": 0}), "t0/d0"),
        ("svc-duplicate", json!({"type": "track", "trackIndex": 1}), "t1"),
        ("svc-duplicate", json!({"type": "scene", "sceneIndex": 0}), "s0"),
        ("svc-duplicate", json!({"type": "clip", "trackIndex": 0, "sceneIndex": 0, "toPath": "t0/s2"}), "t0/s0"),
        ("svc-playback", json!({"action": "play-scene", "sceneIndex": 0}), "s0"),
        ("svc-playback", json!({"action": "play-session-clips", "trackIndex": 0, "sceneIndex": 0}), "t0/s0"),
        ("svc-select", json!({"trackIndex": 0, "sceneIndex": 0}), "t0/s0"),
    ] {
        let api = stage();
        let envelope = api.envelope(tool, "", &arguments);
        assert_eq!(envelope["isError"], json!(false), "{tool} {arguments}: {envelope}");
        let instead = format!("send path: \"{path}\" instead");
        assert!(warnings(&envelope).iter().any(|w| w.contains(&instead)), "{tool} {arguments}: {envelope}");
    }
}

#[test]
fn lengths_are_read_with_spaces() {
    let api = Api::new();
    for (length, shown) in [("1 bar", "1bar"), ("2 bars", "2bar"), ("1bar + n/4", "1bar+n/4")] {
        api.ok("svc-create-clip", json!({"path": "t0/s0", "length": length}));
        assert_eq!(
            api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["*"]}))["length"],
            json!(shown),
            "{length}"
        );
    }
}

#[test]
fn what_is_brought_into_range_is_counted() {
    let api = stage();
    let notes = json!([{"p": 140, "t": 0}, {"p": 60, "t": 1, "v": 300}, {"p": 61, "t": 2, "c": 1.5}]);
    let envelope = api.envelope(
        "svc-create-clip",
        "x-svc-notation: midi-json\r\n",
        &json!({"path": "t1/s0", "length": "1bar", "notes": notes}),
    );
    for words in ["p (pitch, 0 to 127) brought into range for 1 note", "v (velocity", "c (probability"] {
        assert!(envelope.to_string().contains(words), "{words}: {envelope}");
    }
    for (transforms, words) in [
        ("velocity += 100", "the velocity of 3 notes brought into the range 1 to 127"),
        ("probability = 2", "the probability of 3 notes brought into the range 0 to 1"),
        ("G1: pitch += 100", "the pitch of 1 note brought into the range C-2 to G8 (0 to 127)"),
    ] {
        let entry = stage().ok("svc-update-clip", json!({"path": "t0/s0", "transforms": transforms}));
        assert!(entry["detail"].as_str().is_some_and(|d| d.contains(words)), "{transforms}: {entry}");
    }
}

#[test]
fn different_pitches_are_never_folded_onto_one() {
    let api = stage();
    let before = api.document();
    for transforms in ["pitch -= 60", "pitch += 100", "velocity = 1\npitch -= 40"] {
        let text = api.refused("svc-update-clip", json!({"path": "t0/s0", "transforms": transforms}));
        assert!(text.contains("different pitches") && text.contains("end of the range"), "{transforms}: {text}");
        assert!(api.document().same_as(&before), "{transforms}");
    }
    // Of several clips, only those that it would happen to.
    api.ok("svc-update-clip", json!({"path": "t0/s1", "transforms": "pitch += 50"}));
    let list = api.ok("svc-update-clip", json!({"path": "t0/s0,t0/s1", "transforms": "pitch -= 40"}));
    assert_eq!((&list[0]["ok"], list[1].get("ok")), (&json!(false), None), "{list}");
}
