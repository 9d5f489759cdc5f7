//! Fields that programs look for: what a track is, whose track a clip is on, empty lists, what was made.

use crate::support::Api;
use serde_json::{Value, json};

#[test]
fn every_track_says_what_it_is() {
    let api = Api::raw_enabled();
    crate::groups::make(&api);
    let set = api.ok("svc-read-live-set", json!({"include": ["tracks"]}));
    let mut kinds: Vec<(String, String)> = Vec::new();
    let lists = [&set["tracks"], &set["returnTracks"]].into_iter().filter_map(Value::as_array).flatten();
    for track in lists.chain([&set["mainTrack"]]) {
        let text = |field: &str| track[field].as_str().unwrap_or_default().to_owned();
        kinds.push((text("path"), text("type")));
        let read = api.ok("svc-read-track", json!({"path": track["path"]}));
        let selected = api.ok("svc-select", json!({"path": track["path"]}));
        assert_eq!((&read["type"], &selected["selectedTrack"]["type"]), (&track["type"], &track["type"]), "{track}");
    }
    let of = |wanted: &str| {
        kinds.iter().filter(|(_, kind)| kind == wanted).map(|(path, _)| path.as_str()).collect::<Vec<_>>()
    };
    assert_eq!((of("return"), of("main")), (vec!["rt0", "rt1"], vec!["mt"]));
    assert!(!of("midi").is_empty() && !of("audio").is_empty() && !of("group").is_empty(), "{kinds:?}");
    assert!(of("group").contains(&"t3"), "{kinds:?}");
}

#[test]
fn lists_that_were_asked_for_are_there_when_empty() {
    let api = Api::new();
    let include = json!(["session-clips", "arrangement-clips"]);
    for track in api.ok("svc-read-track", json!({"path": "t0,rt0,mt", "include": include})).as_array().expect("three") {
        assert_eq!((&track["sessionClips"], &track["arrangementClips"]), (&json!([]), &json!([])), "{track}");
    }
    assert_eq!(api.ok("svc-read-scene", json!({"path": "s0", "include": ["clips"]}))["clips"], json!([]));
    for arguments in [json!({"type": "track", "path": "t0"}), json!({"type": "scene", "path": "s0"})] {
        assert_eq!(api.ok("svc-duplicate", arguments.clone())["clips"], json!([]), "{arguments}");
        let mut without = arguments;
        without["withoutClips"] = json!(true);
        assert_eq!(api.ok("svc-duplicate", without.clone()).get("clips"), None, "{without}");
    }
}

#[test]
fn a_scenes_clips_say_whose_they_are() {
    let api = Api::new();
    api.ok("svc-update-track", json!({"path": "t0,t1", "name": "Bass,Lead"}));
    api.ok("svc-create-clip", json!({"path": "t0/s1,t1/s1", "notes": "C3 1|1"}));
    api.ok("svc-update-scene", json!({"path": "s1", "name": "Drop"}));
    for include in [json!(["clips"]), json!(["clips", "notes"]), json!(["*"])] {
        let scene = api.ok("svc-read-scene", json!({"path": "s1", "include": include}));
        assert_eq!((&scene["name"], &scene["plainName"]), (&json!("Drop (2)"), &json!("Drop")), "{scene}");
        let names: Vec<&Value> =
            scene["clips"].as_array().expect("two").iter().map(|clip| &clip["trackName"]).collect();
        assert_eq!(names, ["Bass", "Lead"], "{scene}");
    }
    assert_eq!(api.ok("svc-read-scene", json!({"path": "s2"}))["plainName"], "");
    // The plain name written back is the name.
    api.ok("svc-update-scene", json!({"path": "s1", "name": "Drop"}));
    assert_eq!(api.ok("svc-read-scene", json!({"path": "s1"}))["name"], "Drop (2)");
}

/// `type` and `path` of what was made, so that it need not be read for that.
#[test]
fn what_was_made_says_what_and_where_it_is() {
    let api = Api::new();
    for (tool, arguments, made) in [
        ("svc-create-track", json!({"path": "t+", "type": "audio"}), ("t4", "audio")),
        ("svc-create-track", json!({"path": "t0"}), ("t0", "midi")),
        ("svc-create-track", json!({"path": "rt+"}), ("rt2", "return")),
        ("svc-create-device", json!({"device": "Operator", "path": "t0"}), ("t0/d0", "instrument: Operator")),
        ("svc-create-device", json!({"device": "Drum Rack", "path": "t1"}), ("t1/d0", "drum-rack")),
        ("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"}), ("t0/s0", "midi")),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t0[5|1]"}), ("t0[5|1]", "midi")),
        (
            "svc-duplicate",
            json!({"type": "device", "path": "t0/d0", "toPath": "t2"}),
            ("t2/d0", "instrument: Operator"),
        ),
        ("svc-duplicate", json!({"type": "track", "path": "t0"}), ("t1", "midi")),
    ] {
        let entry = api.ok(tool, arguments.clone());
        assert_eq!((&entry["path"], &entry["type"]), (&json!(made.0), &json!(made.1)), "{tool} {arguments}: {entry}");
    }
}
