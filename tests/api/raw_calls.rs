//! What each operation of the raw tool gives: on an object, on a missing one, and on a member that is not there.

use crate::support::Api;
use serde_json::{Value, json};

const CLIP: &str = "live_set tracks 0 clip_slots 0 clip";

fn with_clip() -> Api {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "name": "Beat", "notes": "C3 1|1", "length": "1bar"}));
    api
}

#[test]
fn every_operation_on_an_object() {
    let api = with_clip();
    let track = api.id("live_set tracks 0");
    let number = |id: &str| id.parse::<u64>().expect("digits");
    let slots: Vec<String> = (0..8).map(|at| api.id(&format!("live_set tracks 0 clip_slots {at}"))).collect();
    let pairs: Vec<Value> = slots.iter().flat_map(|id| [json!("id"), json!(number(id))]).collect();
    let ids: Vec<String> = slots.iter().map(|id| format!("id {id}")).collect();
    let clip = api.id(CLIP);
    let song = "live_set";
    let track_path = "live_set tracks 0";
    // start, operation, result
    let cases = [
        (song, json!({"type": "get", "property": "tempo"}), json!([120])),
        (song, json!({"type": "get", "property": "loop"}), json!([0])),
        (song, json!({"type": "get", "property": "scale_name"}), json!(["Major"])),
        (song, json!({"type": "get", "property": "scale_intervals"}), json!([0, 2, 4, 5, 7, 9, 11])),
        (song, json!({"type": "get", "property": "cue_points"}), json!([])),
        (song, json!({"type": "get", "property": "nonsense"}), json!(1)),
        ("live_set master_track", json!({"type": "get", "property": "arm"}), json!(1)),
        (track_path, json!({"type": "get", "property": "clip_slots"}), json!(pairs)),
        (track_path, json!({"type": "get", "property": "group_track"}), json!(["id", 0])),
        (CLIP, json!({"type": "get", "property": "canonical_parent"}), json!(["id", number(&slots[0])])),
        (
            "live_set tracks 0 mixer_device track_activator",
            json!({"type": "get", "property": "value_items"}),
            json!(["Off", "On"]),
        ),
        (song, json!({"type": "set", "property": "tempo", "value": 121}), json!(1)),
        (song, json!({"type": "set", "property": "tempo", "value": "fast"}), json!(1)),
        (song, json!({"type": "set_property", "property": "tempo", "value": 122.5}), json!(122.5)),
        (song, json!({"type": "set_property", "property": "tempo", "value": null}), Value::Null),
        (song, json!({"type": "set_property", "property": "nonsense", "value": [1]}), json!([1])),
        (song, json!({"type": "call", "method": "stop_playing"}), json!(["id", 0])),
        (song, json!({"type": "call", "method": "nonsense"}), json!(1)),
        (song, json!({"type": "call", "method": "create_scene", "args": [99]}), json!(1)),
        (
            "live_set tracks 0 mixer_device volume",
            json!({"type": "call", "method": "str_for_value", "args": [0.85]}),
            json!(["0.0 dB"]),
        ),
        (song, json!({"type": "goto", "value": "live_set tracks 0"}), json!("undefined")),
        (song, json!({"type": "goto", "value": "nonsense"}), json!("undefined")),
        (song, json!({"type": "set_path", "value": ""}), json!("undefined")),
        (song, json!({"type": "set_mode", "value": 1}), json!("undefined")),
        (track_path, json!({"type": "getcount", "property": "clip_slots"}), json!(8)),
        (track_path, json!({"type": "getcount", "property": "mixer_device"}), json!(1)),
        (track_path, json!({"type": "getcount", "property": "group_track"}), json!(0)),
        (track_path, json!({"type": "getcount", "property": "name"}), json!(0)),
        (track_path, json!({"type": "getstring", "property": "name"}), json!("1-MIDI")),
        (track_path, json!({"type": "getstring", "property": "mute"}), json!("0")),
        (song, json!({"type": "getstring", "property": "signature_numerator"}), json!("4")),
        (song, json!({"type": "getstring", "property": "nonsense"}), json!(1)),
        (track_path, json!({"type": "getProperty", "property": "name"}), json!("1-MIDI")),
        (track_path, json!({"type": "getProperty", "property": "nonsense"}), json!("undefined")),
        (song, json!({"type": "getProperty", "property": "scale_intervals"}), json!(0)),
        (
            "live_set tracks 0 mixer_device track_activator",
            json!({"type": "getProperty", "property": "value_items"}),
            json!("Off"),
        ),
        (track_path, json!({"type": "getChildIds", "property": "clip_slots"}), json!(ids)),
        (track_path, json!({"type": "getChildIds", "property": "devices"}), json!([])),
        (track_path, json!({"type": "getChildIds", "property": "nonsense"}), json!([])),
        (CLIP, json!({"type": "getChildIds", "property": "canonical_parent"}), json!([format!("id {}", slots[0])])),
        (track_path, json!({"type": "exists"}), json!(true)),
        (track_path, json!({"type": "getColor"}), json!("#FF94A6")),
        (song, json!({"type": "getColor"}), Value::Null),
        (track_path, json!({"type": "setColor", "value": "#1aff2f"}), json!(1)),
        (track_path, json!({"type": "get_property", "property": "id"}), json!(track)),
        (track_path, json!({"type": "get_property", "property": "path"}), json!("live_set tracks 0")),
        (track_path, json!({"type": "get_property", "property": "unquotedpath"}), json!("live_set tracks 0")),
        (track_path, json!({"type": "get_property", "property": "type"}), json!("Track")),
        ("live_set view", json!({"type": "get_property", "property": "type"}), json!("View")),
        (track_path, json!({"type": "get_property", "property": "mode"}), json!(0)),
        (track_path, json!({"type": "get_property", "property": "valid"}), json!(1)),
        (track_path, json!({"type": "get_property", "property": "property"}), json!("")),
        (track_path, json!({"type": "get_property", "property": "patcher"}), json!("undefined")),
        (track_path, json!({"type": "call_method", "method": "getProperty", "args": ["name"]}), json!("1-MIDI")),
        (track_path, json!({"type": "call_method", "method": "getcount", "args": ["clip_slots"]}), json!(8)),
        (track_path, json!({"type": "call_method", "method": "getChildIds", "args": ["devices"]}), json!([])),
        (track_path, json!({"type": "call_method", "method": "get", "args": ["name"]}), json!(["1-MIDI"])),
        (track_path, json!({"type": "call_method", "method": "set", "args": ["arm", 1]}), json!(1)),
        (track_path, json!({"type": "call_method", "method": "call", "args": ["stop_all_clips"]}), json!(["id", 0])),
        (track_path, json!({"type": "call_method", "method": "getstring", "args": ["name"]}), json!("1-MIDI")),
        (track_path, json!({"type": "call_method", "method": "exists"}), json!(true)),
        (track_path, json!({"type": "call_method", "method": "goto", "args": ["live_set"]}), json!("undefined")),
        (
            "live_set tracks 0",
            json!({"type": "call_method", "method": "child", "args": ["clip_slots", 0, "clip"]}),
            json!({"id": clip, "path": CLIP}),
        ),
        (
            "live_set tracks 0",
            json!({"type": "call_method", "method": "child", "args": ["clip_slots", 99]}),
            json!({"id": "0", "path": ""}),
        ),
    ];
    for (path, operation, expected) in cases {
        // One call each, undone after, so that no case sees another.
        let results = api.raw(path, json!([operation.clone()]));
        assert_eq!(results, [expected], "{operation} on {path}");
        if !operation["type"].as_str().is_some_and(|t| t.starts_with("get")) {
            api.set("live_set", "tempo", json!(120));
        }
    }
    assert_eq!(
        api.raw("live_set tracks 0", json!([{"type": "getColor"}]))[0],
        "#1AFF2F",
        "lower case is read, upper written"
    );
}

#[test]
fn every_operation_on_a_missing_object() {
    let api = with_clip();
    let dead = {
        let id = api.id(CLIP);
        api.call("live_set tracks 0 clip_slots 0", "delete_clip", json!([]));
        format!("id {id}")
    };
    let before = api.saved();
    let missing = [
        "",
        "nonsense",
        "live_set nonsense",
        "live_set tracks",
        "live_set tracks 99",
        "live_set tracks -1",
        "live_set tracks x",
        "live_set tracks 0 clip_slots 0 clip",
        "id 0",
        "id 999999",
        "id x",
        "0",
        "this_device",
        "control_surfaces 0",
        "live_set tracks 0 clip_slots 3 clip name",
        "tracks 0",
        &dead,
    ];
    let cases = [
        (json!({"type": "get", "property": "name"}), json!(1)),
        (json!({"type": "set", "property": "name", "value": "x"}), json!(1)),
        (json!({"type": "set_property", "property": "name", "value": "x"}), json!("x")),
        (json!({"type": "call", "method": "fire"}), json!(1)),
        (json!({"type": "getcount", "property": "clip_slots"}), json!(0)),
        (json!({"type": "getstring", "property": "name"}), json!(1)),
        (json!({"type": "info"}), json!("No object")),
        (json!({"type": "getProperty", "property": "name"}), json!("undefined")),
        (json!({"type": "getChildIds", "property": "clip_slots"}), json!([])),
        (json!({"type": "exists"}), json!(false)),
        (json!({"type": "getColor"}), Value::Null),
        (json!({"type": "setColor", "value": "#FFFFFF"}), json!(1)),
        (json!({"type": "get_property", "property": "id"}), json!("0")),
        (json!({"type": "get_property", "property": "path"}), json!("")),
        (json!({"type": "get_property", "property": "type"}), json!("")),
        (json!({"type": "get_property", "property": "info"}), json!("No object")),
        (json!({"type": "get_property", "property": "valid"}), json!(1)),
        (
            json!({"type": "get_property", "property": "children"}),
            json!(["this_device", "control_surfaces", "live_app", "live_set"]),
        ),
        (json!({"type": "call_method", "method": "getProperty", "args": ["name"]}), json!("undefined")),
        (json!({"type": "call_method", "method": "getChildIds", "args": ["devices"]}), json!([])),
        (json!({"type": "call_method", "method": "child", "args": ["clip_slots", 0]}), json!({"id": "0", "path": ""})),
    ];
    let operations: Vec<&Value> = cases.iter().map(|(operation, _)| operation).collect();
    let expected: Vec<&Value> = cases.iter().map(|(_, result)| result).collect();
    for path in missing {
        let results = api.raw(path, json!(operations));
        for ((got, wanted), operation) in results.iter().zip(&expected).zip(&operations) {
            assert_eq!(got, *wanted, "{operation} on {path:?}");
        }
    }
    assert_eq!(api.saved(), before);
}

#[test]
fn the_whole_answer() {
    let api = Api::raw_enabled();
    let track = api.id("live_set tracks 0");
    let operations = json!([
        {"type": "get", "property": "tempo"},
        {"type": "goto", "value": "live_set tracks 0"},
        {"type": "getProperty", "property": "name"},
        {"type": "getProperty", "property": "nonsense"}
    ]);
    let expected = json!({"path": "live_set tracks 0", "id": track, "results": [
        {"operation": {"type": "get", "property": "tempo"}, "result": [120]},
        {"operation": {"type": "goto", "value": "live_set tracks 0"}},
        {"operation": {"type": "getProperty", "property": "name"}, "result": "1-MIDI"},
        {"operation": {"type": "getProperty", "property": "nonsense"}}
    ]});
    assert_eq!(api.raw_call("live_set", operations), expected);
    let nowhere = api.raw_call("live_set tracks 0", json!([{"type": "set_path", "value": ""}]));
    assert_eq!((&nowhere["path"], &nowhere["id"]), (&json!(""), &json!("0")));
}

#[test]
fn info_has_lives_layout() {
    let api = with_clip();
    for path in [
        "live_set",
        "live_set view",
        "live_set tracks 0",
        "live_set tracks 2",
        "live_set return_tracks 0",
        "live_set master_track",
        "live_set tracks 0 mixer_device",
        "live_set tracks 0 clip_slots 0",
        CLIP,
        "live_set scenes 0",
        "live_set return_tracks 0 devices 0",
        "live_set return_tracks 0 devices 0 parameters 1",
        "live_app",
    ] {
        let id = api.id(path);
        let info = api.raw(path, json!([{"type": "info"}])).remove(0);
        let info = info.as_str().expect("a text");
        let lines: Vec<&str> = info.lines().collect();
        assert_eq!(lines[0], format!("id {id}"), "{path}");
        assert!(lines[1].starts_with("type ") && lines[2].starts_with("description "), "{path}: {info}");
        assert_eq!(lines.last(), Some(&"done"), "{path}");
        let words: Vec<Vec<&str>> = lines[3..lines.len() - 1].iter().map(|line| line.split(' ').collect()).collect();
        let order = ["children", "child", "property", "function"];
        let section = |word: &str| order.iter().position(|s| *s == word).unwrap_or_else(|| panic!("{path}: {word}"));
        assert!(words.is_sorted_by_key(|line| (section(line[0]), line[1])), "{path}: {info}");
        for line in &words {
            match line[0] {
                "property" => assert_ne!(api.get(path, line[1]), json!(1), "{path}: {line:?} is listed, so it reads"),
                "children" => assert!(api.get(path, line[1]).is_array(), "{path}: {line:?}"),
                _ => {}
            }
        }
        // What the wrapper says of its children is what info lists.
        let listed: Vec<&str> = words.iter().filter(|line| line[0].starts_with("child")).map(|line| line[1]).collect();
        let mut field = api.raw(path, json!([{"type": "get_property", "property": "children"}])).remove(0);
        let field = field.as_array_mut().expect("a list");
        field.sort_by_key(|name| name.as_str().unwrap_or_default().to_owned());
        let mut sorted = listed.clone();
        sorted.sort_unstable();
        assert_eq!(*field, sorted, "{path}");
    }
    let info = |path: &str| api.raw(path, json!([{"type": "info"}])).remove(0).as_str().unwrap_or_default().to_owned();
    assert!(info("live_set tracks 0").contains("\nproperty arm bool\n"));
    assert!(!info("live_set master_track").contains("\nproperty arm "), "only what the object has");
    assert!(!info(CLIP).contains("is_session_clip"), "only what this side reaches");
    assert!(info("live_set").contains("\nfunction create_midi_track\n"));
    assert!(!info("live_set").contains("begin_undo_step"));
}
