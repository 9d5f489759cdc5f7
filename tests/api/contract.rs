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
    let before = api.kept();
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
    assert!(api.kept().same_as(&before));
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

/// The ways in which a target was once named by numbers.
const BY_NUMBER: [&str; 6] = ["track", "track+scene", "scene", "slot", "track+start", "track+device"];

/// What is sent of each of [`BY_NUMBER`], and the path that it stands for.
fn numbers(way: &str) -> (Value, &'static str) {
    match way {
        "track" => (json!({"trackIndex": 0}), "t0"),
        "track+scene" => (json!({"trackIndex": 0, "sceneIndex": 0}), "t0/s0"),
        "scene" => (json!({"sceneIndex": 0}), "s0"),
        "slot" => (json!({"slot": "0/0"}), "t0/s0"),
        "track+start" => (json!({"trackIndex": 0, "arrangementStart": "5|1"}), "t0[5|1]"),
        _ => (json!({"trackIndex": 0, "deviceIndex": 0}), "t0/d0"),
    }
}

/// Of each tool that takes a path: what goes beside it, and the ways whose target it can name. The others are told.
const TAKES_NUMBERS: &[(&str, &str, &[&str])] = &[
    ("svc-read-track", "{}", &["track"]),
    ("svc-create-track", "{}", &["track"]),
    ("svc-update-track", r#"{"name":"x"}"#, &["track"]),
    ("svc-read-scene", "{}", &["scene"]),
    ("svc-create-scene", "{}", &["scene"]),
    ("svc-update-scene", r#"{"name":"x"}"#, &["scene"]),
    ("svc-read-clip", "{}", &["track+scene", "slot", "track+start"]),
    ("svc-create-clip", r#"{"length":"1bar"}"#, &["track+scene", "slot", "track+start"]),
    ("svc-update-clip", r#"{"name":"x"}"#, &["track+scene", "slot", "track+start"]),
    ("svc-read-device", "{}", &["track+device"]),
    ("svc-create-device", r#"{"device":"Arpeggiator"}"#, &["track", "track+device"]),
    ("svc-update-device", r#"{"name":"x"}"#, &["track+device"]),
    ("svc-delete", r#"{"type":"track"}"#, &["track"]),
    ("svc-delete", r#"{"type":"scene"}"#, &["scene"]),
    ("svc-delete", r#"{"type":"clip"}"#, &["track+scene", "slot", "track+start"]),
    ("svc-delete", r#"{"type":"device"}"#, &["track+device"]),
    ("svc-duplicate", r#"{"type":"track"}"#, &["track"]),
    ("svc-duplicate", r#"{"type":"scene"}"#, &["scene"]),
    ("svc-duplicate", r#"{"type":"clip","toPath":"t0/s3"}"#, &["track+scene", "slot", "track+start"]),
    ("svc-duplicate", r#"{"type":"device","toPath":"t1"}"#, &["track+device"]),
    ("svc-playback", r#"{"action":"play-session-clips"}"#, &["track+scene", "slot"]),
    ("svc-playback", r#"{"action":"stop-session-clips"}"#, &["track+scene", "slot"]),
    ("svc-playback", r#"{"action":"play-scene"}"#, &["track+scene", "scene", "slot"]),
    ("svc-render", r#"{"tail":0}"#, &["scene"]),
    ("svc-select", "{}", &["track", "track+scene", "scene", "slot", "track+start", "track+device"]),
    (
        "svc-manage",
        r#"{"action":"restore"}"#,
        &["track", "track+scene", "scene", "slot", "track+start", "track+device"],
    ),
];

#[test]
fn every_tool_with_a_path_takes_the_numbers_that_name_its_target() {
    let listed = Api::new().request("GET", "/api/tools", "", "").json();
    for tool in listed["tools"].as_array().expect("a list") {
        let has_path = tool["inputSchema"]["properties"].get("path").is_some();
        let name = tool["name"].as_str().expect("a name");
        assert_eq!(has_path, TAKES_NUMBERS.iter().any(|(row, ..)| *row == name), "{name}");
    }
    for (tool, beside, taken) in TAKES_NUMBERS {
        for way in BY_NUMBER {
            let api = stage();
            api.ok("svc-create-clip", json!({"path": "t0[5|1]", "length": "1bar"}));
            // What is restored differs from what it was.
            api.ok("svc-update-track", json!({"path": "t0", "name": "Changed"}));
            api.ok("svc-update-scene", json!({"path": "s0", "name": "Changed"}));
            api.ok("svc-update-clip", json!({"path": "t0/s0,t0[5|1]", "name": "Changed"}));
            api.ok("svc-update-device", json!({"path": "t0/d0", "name": "Changed"}));
            let before = api.kept();
            let mut call: Value = serde_json::from_str(beside).expect("arguments");
            let (sent, path) = numbers(way);
            for (name, value) in sent.as_object().expect("members") {
                call[name] = value.clone();
            }
            let envelope = api.envelope(tool, "", &call);
            if !taken.contains(&way) {
                let is_refused = envelope["isError"] == true && api.kept().same_as(&before);
                let is_told = warnings(&envelope).iter().any(|w| w.contains("ignored"));
                assert!(is_refused || is_told, "{tool} {call} is passed over: {envelope}");
                continue;
            }
            assert_eq!(envelope["isError"], json!(false), "{tool} {call}: {envelope}");
            let instead = format!("send path: \"{path}\" instead");
            assert!(warnings(&envelope).iter().any(|w| w.contains(&instead)), "{tool} {call}: {envelope}");
        }
    }
}

#[test]
fn a_start_beside_a_clip_that_is_named_says_where_it_goes() {
    let api = stage();
    api.ok("svc-create-clip", json!({"path": "t0[5|1]", "length": "1bar"}));
    for (call, from, to) in [
        (json!({"slot": "0/0", "arrangementStart": "9|1"}), "t0/s0", "t0[9|1]"),
        (json!({"path": "t0[5|1]", "arrangementStart": "13|1"}), "t0[5|1]", "t0[13|1]"),
    ] {
        assert_eq!(api.envelope("svc-update-clip", "", &call)["result"]["path"], to, "{from}");
    }
    for (tool, call, words) in [
        ("svc-read-clip", json!({"path": "t0/s1", "arrangementStart": "5|1"}), "leave out"),
        ("svc-read-clip", json!({"id": "5", "arrangementStart": "5|1"}), "leave out"),
        ("svc-read-clip", json!({"arrangementStart": "5|1"}), "t0[5|1]"),
        ("svc-delete", json!({"type": "track", "trackIndex": 0, "arrangementStart": "5|1"}), "type track"),
        ("svc-playback", json!({"action": "stop-session-clips", "slot": "0/0", "slots": "0/0"}), "path"),
    ] {
        assert!(api.refused(tool, call.clone()).contains(words), "{tool} {call}");
    }
    let read = api.envelope("svc-read-clip", "", &json!({"path": "t0", "arrangementStart": "9|1"}));
    assert_eq!(read["result"]["path"], "t0[9|1]", "{read}");
}

/// What stands in `type` is what is taken; small models are shown one plain type.
#[test]
fn types_list_what_is_taken() {
    let api = Api::new();
    for notation in ["barbeat", "midi-json", "stark"] {
        for (small, level, switch) in [
            (false, json!(["number", "string"]), json!(["boolean", "array"])),
            (true, json!("number"), json!("boolean")),
        ] {
            let headers = format!("x-svc-notation: {notation}\r\nx-svc-small-model-mode: {small}\r\n");
            let list = api.request("GET", "/api/tools", &headers, "").json();
            let type_of = |tool: &str, path: &str| {
                let tools = list["tools"].as_array().expect("a list");
                let tool = tools.iter().find(|one| one["name"] == tool).expect("it is listed");
                tool["inputSchema"].pointer(&format!("/properties/{path}/type")).cloned()
            };
            for (tool, names) in [
                ("svc-update-track", &["gainDb", "pan", "leftPan", "rightPan", "sendGainDb"][..]),
                ("svc-create-clip", &["gainDb"]),
                ("svc-update-clip", &["gainDb"]),
                ("svc-update-device", &["gainDb", "pan", "sendGainDb"]),
            ] {
                for name in names {
                    assert!(type_of(tool, name).is_none_or(|kind| kind == level), "{headers}{tool} {name}");
                }
            }
            for (tool, names) in [
                ("svc-create-track", &["mute", "solo", "arm"][..]),
                ("svc-update-track", &["mute", "solo", "arm"]),
                ("svc-create-clip", &["looping", "warping"]),
                ("svc-update-clip", &["looping", "warping"]),
                ("svc-update-device", &["mute", "solo"]),
            ] {
                for name in names {
                    assert!(type_of(tool, name).is_none_or(|kind| kind == switch), "{headers}{tool} {name}");
                }
            }
            let send = type_of("svc-update-track", "sends/items/properties/gainDb");
            assert!(send.is_none_or(|kind| kind == level), "{headers}");
        }
    }
    let entry =
        api.ok("svc-update-track", json!({"path": "t0,t1", "pan": "20L", "gainDb": "-inf", "mute": [true, false]}));
    assert!(entry[0].get("ok").is_none() && entry[1].get("ok").is_none(), "{entry}");
}

/// `1 bar` is `1bar` in every text.
#[test]
fn bars_are_read_with_spaces_in_notes_and_transforms() {
    let api = stage();
    for (notes, transforms) in [
        ("1 bar C3 1|1", "duration = 1 bar"),
        ("2 bars C3 1|1x2@1 bar", "timing += 1 bar - n/4"),
        ("1 bar+n/4 C3 1|1", "timing += 2 bars + n/4"),
    ] {
        let with_spaces = json!({"path": "t1/s0", "notes": notes, "length": "8 bars", "transforms": transforms});
        let joined = |text: &str| text.replace("1 bar", "1bar").replace("2 bars", "2bars");
        api.ok("svc-create-clip", with_spaces);
        let read = |path: &str| api.ok("svc-read-clip", json!({"path": path, "include": ["notes"]}))["notes"].clone();
        api.ok(
            "svc-create-clip",
            json!({"path": "t1/s1", "notes": joined(notes), "length": "8bar", "transforms": joined(transforms)}),
        );
        assert_eq!(read("t1/s0"), read("t1/s1"), "{notes} {transforms}");
    }
}

/// What is told of a place that is past the end.
#[test]
fn a_place_past_the_end_says_where_it_went() {
    let api = stage();
    let tracks = api.ok("svc-create-track", json!({"path": "t9999,t+"}));
    assert_eq!(tracks[0]["detail"], "t9999 is past the end, so it stands at the end, t4", "{tracks}");
    assert_eq!(tracks[1].get("detail"), None, "{tracks}");
    assert_eq!(
        api.ok("svc-create-track", json!({"path": "t6"})).get("detail"),
        None,
        "the place right behind the last"
    );
    assert!(api.refused("svc-create-scene", json!({"path": "s9999"})).contains("s999"));
    assert_eq!(api.ok("svc-create-scene", json!({"path": "s9"}))["created"], "s8");
    let device = api.ok("svc-create-device", json!({"path": "mt/d99", "device": "Reverb"}));
    assert_eq!(device["detail"], "d99 is past the end, so it stands at the end, d0", "{device}");
}

/// A deletion that has nothing to delete, in any notation.
#[test]
fn a_deletion_that_finds_no_note_is_told() {
    let api = stage();
    for (notation, notes, found) in [
        ("midi-json", json!([{"p": 60, "t": 0, "v": -5}, {"p": 62, "t": 1}]), "1 deletion"),
        ("midi-json", json!([{"p": 60, "t": 0, "v": 0}, {"p": 61, "t": 0, "v": 0}, {"p": 62, "t": 1}]), "2 deletions"),
        ("barbeat", json!("C3 1|1 v0 D3 1|2"), "1 deletion"),
    ] {
        let headers = format!("x-svc-notation: {notation}\r\n");
        let reply = api.envelope("svc-create-clip", &headers, &json!({"path": "t1/s0", "notes": notes}));
        let said = format!("{found} (velocity 0 or less) found no note");
        assert!(warnings(&reply).iter().any(|warning| **warning == said), "{notation}: {reply}");
    }
    // One that does find its note says nothing.
    let reply = api.envelope("svc-create-clip", "", &json!({"path": "t1/s1", "notes": "C3 1|1 v0 C3 1|1"}));
    assert_eq!(reply.get("warnings"), None, "{reply}");
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
    let before = api.kept();
    for transforms in [
        "pitch -= 60",
        "pitch += 100",
        "velocity = 1\npitch -= 40",
        "pitch = 200",
        "pitch = -1",
        "pitch *= 10",
        "pitch *= -1",
        "pitch /= 0.1",
    ] {
        let text = api.refused("svc-update-clip", json!({"path": "t0/s0", "transforms": transforms}));
        assert!(text.contains("different pitches") && text.contains("end of the range"), "{transforms}: {text}");
        assert!(api.kept().same_as(&before), "{transforms}");
    }
    // A line that names a pitch of the range, its ends included, says itself what becomes of them; so does one for a
    // single pitch.
    for transforms in ["pitch = 127", "pitch = C-2", "pitch = G8", "pitch = clamp(note.pitch * 10, 0, 127)"] {
        stage().ok("svc-update-clip", json!({"path": "t0/s0", "transforms": transforms}));
    }
    // Of several clips, only those that it would happen to.
    api.ok("svc-update-clip", json!({"path": "t0/s1", "transforms": "pitch += 50"}));
    let list = api.ok("svc-update-clip", json!({"path": "t0/s0,t0/s1", "transforms": "pitch -= 40"}));
    assert_eq!((&list[0]["ok"], list[1].get("ok")), (&json!(false), None), "{list}");
}
