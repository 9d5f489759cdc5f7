//! The tools of the Set itself, its scenes and its selection, each by what it says it does.

use crate::support::Api;
use serde_json::{Value, json};

/// The result and the warnings of a call that goes well.
pub(super) fn warned(api: &Api, tool: &str, arguments: Value) -> (Value, Vec<String>) {
    let envelope = api.envelope(tool, "", &arguments);
    assert_eq!(envelope["isError"], false, "{tool} {arguments}: {envelope}");
    let warnings = envelope["warnings"].as_array().cloned().unwrap_or_default();
    (envelope["result"].clone(), warnings.iter().map(|w| w.as_str().expect("a text").to_owned()).collect())
}

pub(super) fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

#[test]
fn the_metronome_is_switched_and_undone() {
    let api = Api::raw_enabled();
    let id = api.id("live_set");
    for is_on in [true, false, true] {
        let entry = api.ok("svc-update-live-set", json!({"metronome": is_on}));
        assert_eq!(entry, json!({"id": id, "metronome": is_on}));
        assert_eq!(api.get("live_set", "metronome"), json!([u8::from(is_on)]));
    }
    api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!(api.get("live_set", "metronome"), json!([0]), "one step");
    assert_eq!(api.bad("svc-update-live-set", json!({"metronome": "loud"}))["details"][0]["path"], "/metronome");
}

#[test]
fn tempo_meter_and_scale() {
    let api = Api::raw_enabled();
    let id = api.id("live_set");
    assert_eq!(
        api.ok("svc-update-live-set", json!({"tempo": 96.5, "timeSignature": "6/8"})),
        json!({"id": id, "tempo": 96.5, "timeSignature": "6/8"})
    );
    assert_eq!(
        api.ok("svc-update-live-set", json!({"tempo": "97"})),
        json!({"id": id, "tempo": 97}),
        "a number as text"
    );
    let answer = api.ok("svc-update-live-set", json!({"scale": "f# dorian"}));
    let pitches = "Gb,Ab,A,B,Db,Eb,E";
    let told = "Live names f# dorian Gb Dorian";
    assert_eq!(answer, json!({"id": id, "detail": told, "scale": "Gb Dorian", "scalePitches": pitches}));
    let set = api.ok("svc-read-live-set", json!({}));
    assert_eq!((&set["tempo"], &set["timeSignature"], &set["scale"]), (&json!(97), &json!("6/8"), &json!("Gb Dorian")));
    assert_eq!(api.ok("svc-update-live-set", json!({"scale": ""})), json!({"id": id, "scale": ""}));
    assert_eq!(api.ok("svc-read-live-set", json!({})).get("scale"), None);
    for is_on in [true, false] {
        let switched = api.ok("svc-update-live-set", json!({"metronome": is_on}));
        assert_eq!(switched, json!({"id": id, "metronome": is_on}));
        assert_eq!(api.get("live_set", "metronome"), json!([u8::from(is_on)]));
    }
    for (arguments, words) in [
        (json!({}), "nothing to write"),
        (json!({"tempo": null}), "nothing to write"),
        (json!({"timeSignature": "6/7", "tempo": 100}), "timeSignature"),
        (json!({"scale": "H Minor", "tempo": 100}), "Roots"),
        (json!({"scale": "C Klingon"}), "Messiaen 7"),
        (json!({"locatorTime": "1|1"}), "no locatorOperation"),
        (json!({"locatorOperation": "create", "locatorId": "4"}), "delete and rename"),
        (json!({"locatorOperation": "create"}), "locatorTime"),
        (json!({"locatorOperation": "rename", "locatorTime": "1|1"}), "locatorName"),
        (json!({"locatorOperation": "delete"}), "locatorId"),
        (json!({"locatorOperation": "create", "locatorTime": "1|1,,2|1"}), "empty"),
        (json!({"locatorOperation": "create", "locatorTime": "Verse"}), "bar|beat"),
        (json!({"locatorOperation": "create", "locatorTime": "1|1-n/4", "tempo": 90}), "before 1|1"),
        (json!({"locatorOperation": "create", "locatorTime": "loc:Nowhere", "tempo": 90}), "Nowhere"),
        (json!({"locatorOperation": "create", "locatorTime": "1|1,2|1", "locatorName": "A,B,C"}), "3 values"),
    ] {
        let text = api.refused("svc-update-live-set", arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
    for arguments in [json!({"tempo": 19.9}), json!({"tempo": 1000}), json!({"tempo": ""}), json!({"tempo": "inf"})] {
        assert_eq!(api.bad("svc-update-live-set", arguments)["details"][0]["path"], "/tempo");
    }
}

#[test]
fn scenes_are_made() {
    let api = Api::new();
    // A place past the end and an `s+`, on a Set of eight scenes.
    let list = api.ok("svc-create-scene", json!({"path": "s10,s+", "name": "Break,End", "tempo": 90}));
    assert_eq!(
        list,
        json!([{"id": list[0]["id"], "path": "s10", "created": "s8-s9", "name": "Break (11)"},
               {"id": list[1]["id"], "path": "s11", "name": "End (12)"}])
    );
    let read = |path: &str| api.ok("svc-read-scene", json!({ "path": path }));
    assert_eq!((&read("s10")["name"], &read("s10")["tempo"]), (&json!("Break (11)"), &json!(90)));
    assert_eq!(read("s9")["name"], "10");
    let scene = api.ok("svc-create-scene", json!({"path": "s13"}));
    assert_eq!((&scene["path"], &scene["created"]), (&json!("s13"), &json!("s12")));
    // Two at one place stand in the order of the call.
    let list = api.ok("svc-create-scene", json!({"path": "s1,s1", "name": "a,b", "timeSignature": "7/8,disabled"}));
    assert_eq!((&list[0]["path"], &list[1]["path"]), (&json!("s1"), &json!("s2")), "{list}");
    assert_eq!((&read("s1")["name"], &read("s2")["name"]), (&json!("a (2)"), &json!("b (3)")));
    assert_eq!((&read("s1")["timeSignature"], read("s2").get("timeSignature")), (&json!("7/8"), None));
    let entry = api.ok("svc-create-scene", json!({"path": "s0", "color": "#123456"}));
    assert!(entry["color"].is_string() && detail(&entry).contains("#123456"), "{entry}");
    for (arguments, words) in [
        (json!({}), "s+"),
        (json!({"path": ""}), "s+"),
        (json!({"path": "t0"}), "no place for a scene"),
        (json!({"path": "s+,,s+"}), "empty"),
        (json!({"path": "s+,s+", "name": "a,b,c"}), "3 values"),
        (json!({"path": "s+", "tempo": 19}), "20"),
        (json!({"path": "s+", "timeSignature": "4/5"}), "disabled"),
        (json!({"path": "s1000"}), "s999"),
        (json!({"path": "s+,s+", "capture": true}), "one scene"),
        (json!({"path": "s+,s+", "count": 2}), "count"),
        (json!({"capture": true, "count": 1}), "count"),
        (json!({"count": 2000}), "1000"),
        (json!({"path": "s1", "sceneIndex": 1}), "sceneIndex"),
    ] {
        let text = api.refused("svc-create-scene", arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
    let (list, warnings) = warned(&api, "svc-create-scene", json!({"sceneIndex": 2, "count": 2}));
    assert_eq!((&list[0]["path"], &list[1]["path"]), (&json!("s2"), &json!("s3")));
    assert!(warnings[0].contains("path: \"s2\"") && warnings[1].contains("path: \"s2,s2\""), "{warnings:?}");
}

#[test]
fn a_scene_is_captured() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t1/s2", "notes": "C3 1|1", "length": "1bar", "name": "x,y"}));
    let empty = api.ok("svc-create-scene", json!({"capture": true, "path": "s7", "name": "None"}));
    assert_eq!((&empty["path"], &empty["clips"]), (&json!("s7"), &json!([])), "{empty}");
    assert!(detail(&empty).contains("no session clip plays"));
    api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0,t1/s2"}));
    api.wait_for("live_set tracks 0", "playing_slot_index", json!([0]));
    api.wait_for("live_set tracks 1", "playing_slot_index", json!([2]));
    let scene = api.ok("svc-create-scene", json!({"capture": true, "path": "s3", "name": "Now"}));
    let paths: Vec<&Value> = scene["clips"].as_array().expect("two").iter().map(|clip| &clip["path"]).collect();
    assert_eq!((&scene["path"], paths), (&json!("s3"), vec![&json!("t0/s3"), &json!("t1/s3")]), "{scene}");
    let read = api.ok("svc-read-scene", json!({"path": "s3", "include": ["clips", "notes"]}));
    assert_eq!((&read["name"], &read["clips"][0]["type"]), (&json!("Now (4)"), &json!("midi")), "{read}");
    assert_eq!((&read["plainName"], &read["clips"][1]["trackName"]), (&json!("Now"), &json!("2-MIDI")), "{read}");
    assert_eq!((read["clips"][0].get("view"), read.get("clipCount")), (None, None));
    assert!(read["clips"][1]["notes"].as_str().is_some_and(|notes| notes.contains("C3")));
    // As in creating: the first place, the end, past the end; below the selected scene where none is named.
    let count = api.ok("svc-read-live-set", json!({}))["sceneCount"].as_u64().expect("a count");
    for (path, lands, created) in [
        (json!("s0"), 0, None),
        (json!("s+"), count + 1, None),
        (json!(format!("s{}", count + 4)), count + 4, Some(format!("s{}-s{}", count + 2, count + 3))),
        (json!(null), count + 5, None),
    ] {
        let scene = api.ok("svc-create-scene", json!({"capture": true, "path": path}));
        assert_eq!(scene["path"], format!("s{lands}"), "{path}: {scene}");
        assert_eq!(scene["created"].as_str(), created.as_deref(), "{path}: {scene}");
        assert_eq!(scene["clips"].as_array().map(Vec::len), Some(2), "{path}: {scene}");
    }
    assert_eq!(api.ok("svc-read-live-set", json!({}))["sceneCount"], count + 6);
    assert!(api.refused("svc-create-scene", json!({"capture": true, "path": "s1000"})).contains("s999"));
}

#[test]
fn scenes_are_read_and_updated() {
    let api = Api::raw_enabled();
    let id = api.id("live_set scenes 2");
    // By id and by a path that is not there.
    let list = api.ok("svc-update-scene", json!({"id": id, "path": "s40", "name": "A,B", "timeSignature": "7/8"}));
    assert_eq!(list[0], json!({"id": id, "path": "s2", "name": "A (3)"}));
    assert_eq!((&list[1]["path"], &list[1]["ok"]), (&json!("s40"), &json!(false)));
    assert!(detail(&list[1]).contains("svc-create-scene"), "{list}");
    api.ok("svc-update-scene", json!({"path": "s2", "name": "Drop", "tempo": 128, "timeSignature": "disabled"}));
    assert_eq!(
        api.ok("svc-read-scene", json!({"path": "s2"})),
        json!({"id": id, "path": "s2", "name": "Drop (3)", "plainName": "Drop", "clipCount": 0, "tempo": 128})
    );
    // The shown name, written back, is the name; so is the number of a scene without one.
    for (written, stored) in [("Drop (3)", "Drop"), ("Drop (4)", "Drop (4)"), ("3", ""), ("", "")] {
        api.ok("svc-update-scene", json!({"path": "s2", "name": written}));
        assert_eq!(api.get("live_set scenes 2", "name"), json!([stored]), "{written}");
    }
    api.ok("svc-update-scene", json!({"path": "s2", "tempo": -1, "color": "#FF94A6"}));
    let scene = api.ok("svc-read-scene", json!({"path": "s2", "include": ["color"]}));
    assert_eq!((scene.get("tempo"), &scene["color"], &scene["name"]), (None, &json!("#FF94A6"), &json!("3")));
    // Named twice: the last wins.
    let list = api.ok("svc-update-scene", json!({"path": "s1,s1", "name": "a,b"}));
    assert!(list[0].get("ok").is_none() && detail(&list[0]).contains("later"), "{list}");
    assert_eq!(api.get("live_set scenes 1", "name"), json!(["b"]));
    for (arguments, words) in [
        (json!({"path": "s1"}), "nothing to write"),
        (json!({"name": "x"}), "at least one scene"),
        (json!({"path": "t0", "name": "x"}), "names no scene"),
        (json!({"path": "s+", "name": "x"}), "svc-create-scene"),
        (json!({"path": "s99", "name": "x"}), "8 scenes"),
        (json!({"id": "s1", "name": "x"}), "send it as path"),
        (json!({"path": "s1", "tempo": 5}), "20"),
        (json!({"path": "s1,s2", "timeSignature": "4/4,x"}), "\"x\""),
    ] {
        let text = api.refused("svc-update-scene", arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
    let (_, warnings) = warned(&api, "svc-update-scene", json!({"paths": "s1", "name": "z", "nmae": 1}));
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings.iter().any(|w| w == "ignored unexpected argument(s): nmae"));
    assert!(warnings.iter().any(|w| w.contains("\"paths\"") && w.contains("fallback")));
    let (scene, warnings) = warned(&api, "svc-read-scene", json!({"sceneIndex": 1, "sceneId": null}));
    assert_eq!(scene["path"], "s1");
    assert!(warnings.len() == 1 && warnings[0].contains("send path: \"s1\" instead"), "{warnings:?}");
    assert!(api.refused("svc-read-scene", json!({"id": "4", "ids": "4"})).contains("leave out \"ids\""));
    assert!(api.refused("svc-read-scene", json!({"sceneId": "4", "ids": "4"})).contains("same thing"));
}

#[test]
fn undo_and_redo() {
    let api = Api::new();
    assert!(api.refused("svc-manage", json!({"action": "undo"})).contains("nothing to undo"));
    let before = api.kept();
    for tempo in [100, 101, 102] {
        api.ok("svc-update-live-set", json!({ "tempo": tempo }));
    }
    let after = api.kept();
    let answer = api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!((&answer["undone"], &answer["canUndo"], &answer["canRedo"]), (&json!(1), &json!(true), &json!(true)));
    assert_eq!(api.ok("svc-read-live-set", json!({}))["tempo"], 101);
    let answer = api.ok("svc-manage", json!({"action": "undo", "steps": 5}));
    assert_eq!((&answer["undone"], &answer["canUndo"]), (&json!(2), &json!(false)));
    assert!(answer["stopped"].as_str().is_some_and(|why| why.contains("nothing more")), "{answer}");
    assert!(api.kept().same_as(&before));
    assert_eq!(api.ok("svc-manage", json!({"action": "redo", "steps": "3"}))["redone"], 3);
    assert!(api.kept().same_as(&after));
    for arguments in [
        json!({"action": "undo", "steps": 0}),
        json!({"action": "undo", "steps": 51}),
        json!({"action": "add-svc"}),
        json!({"steps": 1}),
    ] {
        api.bad("svc-manage", arguments);
    }
    // Not listed for small models, and answered all the same.
    let small = api.post("/api/tools/svc-manage", "x-svc-small-model-mode: true\r\n", &json!({"action": "undo"}));
    assert_eq!(small.status, 200);
}

#[test]
fn selecting() {
    let api = Api::raw_enabled();
    let clip = api.ok("svc-create-clip", json!({"path": "t0/s3", "length": "1bar"}))["id"].clone();
    let track = json!({"id": api.id("live_set tracks 0"), "path": "t0", "type": "midi"});
    let clip = json!({"id": clip, "path": "t0/s3"});
    // By id and by a path that is not there.
    assert_eq!(
        api.ok("svc-select", json!({"path": "t0/s3", "view": "arrangement"})),
        json!({"view": "session", "selectedTrack": track, "selectedClip": clip,
               "detail": "view arrangement ignored: what is selected is shown in the session"})
    );
    let scene = json!({"id": api.id("live_set scenes 3"), "path": "s3"});
    assert_eq!(
        api.ok("svc-select", json!({})),
        json!({"view": "session", "selectedTrack": track, "selectedScene": scene, "selectedClip": clip})
    );
    assert_eq!(api.ok("svc-select", json!({"id": clip["id"], "path": "t0/s3"}))["selectedClip"], clip, "one thing");
    let empty = api.ok("svc-select", json!({"path": "t1/s4"}));
    assert_eq!((empty.get("selectedClip"), &empty["selectedScene"]["path"]), (None, &json!("s4")));
    assert_eq!(api.ok("svc-select", json!({"view": "arrangement"})), json!({"view": "arrangement"}));
    for path in ["t2", "rt1", "mt"] {
        let answer = api.ok("svc-select", json!({ "path": path }));
        assert_eq!(answer["selectedTrack"]["path"], path);
        let kind = [("t2", "audio"), ("rt1", "return"), ("mt", "main")].into_iter().find(|(of, _)| *of == path);
        assert_eq!(answer["selectedTrack"]["type"].as_str(), kind.map(|(_, kind)| kind), "{answer}");
    }
    assert_eq!(api.ok("svc-select", json!({"path": "s5"}))["view"], "session");

    api.call("live_set tracks 1", "create_midi_clip", json!([16, 8]));
    let answer = api.ok("svc-select", json!({"path": "t1[6|1]", "view": "session"}));
    assert_eq!((&answer["view"], &answer["selectedClip"]["path"]), (&json!("arrangement"), &json!("t1[5|1]")));

    let device = api.ok("svc-select", json!({"path": "rt0/d0", "openPluginWindow": true}));
    assert_eq!(device["selectedDevice"]["path"], "rt0/d0");
    assert!(detail(&device["selectedDevice"]).contains("no plug-in"), "{device}");
    let device = api.ok("svc-select", json!({"path": "rt0/d0", "openPluginWindow": false}));
    assert!(detail(&device["selectedDevice"]).contains("no plug-in"), "{device}");
    // What a client fills in by itself says nothing: this reads.
    let state = api.ok("svc-select", json!({"path": "null", "id": " ", "openPluginWindow": false}));
    assert_eq!(state, api.ok("svc-select", json!({})));
    assert_eq!(state["selectedDevice"]["path"], "rt0/d0");
    let plain = api.ok("svc-select", json!({"path": "mt", "openPluginWindow": false}));
    assert_eq!(plain["selectedTrack"]["path"], "mt");
    api.ok("svc-select", json!({"path": "rt0/d0"}));
    api.call("live_set tracks 1", "insert_device", json!(["Drum Rack"]));
    api.call("live_set tracks 1 devices 0", "insert_chain", json!([0]));
    let answer = api.ok("svc-select", json!({"path": "t1/inst/pC1"}));
    assert_eq!(answer["selectedDrumPad"]["path"], "t1/d0/pC1", "{answer}");
    let (answer, warnings) = warned(&api, "svc-select", json!({"path": "t1/d0/c0"}));
    let shown = answer["selectedChain"]["path"].as_str().expect("a path").to_owned();
    assert!(shown.starts_with("t1/d0/p") && shown.ends_with("/c0"), "{answer}");
    assert!(warnings[0].contains(&shown), "{warnings:?}");
    assert_eq!(api.ok("svc-select", json!({ "path": shown }))["selectedChain"]["path"], shown, "paths go back in");

    let before = api.saved();
    for (arguments, path) in [
        (json!({"trackIndex": 2}), "t2"),
        (json!({"trackIndex": 1, "trackType": "return"}), "rt1"),
        (json!({"trackType": "master"}), "mt"),
        (json!({"sceneIndex": 2}), "s2"),
        (json!({"slot": "0/3"}), "t0/s3"),
        (json!({"devicePath": "rt0/d0"}), "rt0/d0"),
    ] {
        let (_, warnings) = warned(&api, "svc-select", arguments.clone());
        assert!(warnings.len() == 1 && warnings[0].contains(&format!("\"{path}\"")), "{arguments}: {warnings:?}");
    }
    assert_eq!(api.saved(), before, "selecting changes no Set");
    for (arguments, words) in [
        (json!({"path": "t0,t1"}), "no list"),
        (json!({"path": "t0", "id": clip["id"]}), "different"),
        (json!({"id": "1999999999"}), "no object"),
        (json!({"path": "t0/d7"}), "no devices"),
        (json!({"path": "t0/l0"}), "cannot"),
        (json!({"path": "[5|1]"}), "names nothing"),
        (json!({"path": "t+"}), "new"),
        (json!({"path": "t0[5|1]"}), "covers"),
        (json!({"path": "t0", "trackIndex": 0}), "leave out"),
        (json!({"openPluginWindow": true}), "plug-in"),
        (json!({"id": api.id("live_set tracks 0 mixer_device")}), "mixer"),
    ] {
        let text = api.refused("svc-select", arguments.clone());
        assert!(text.contains(words) || words == "cannot", "{arguments}: {text}");
    }
}

#[test]
fn old_slot_texts_are_read() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s3", "length": "1bar"}));
    let (clip, warnings) = warned(&api, "svc-read-clip", json!({"path": "0/3"}));
    assert_eq!(clip["path"], "t0/s3");
    assert!(warnings.len() == 1 && warnings[0].contains("\"t0/s3\""), "{warnings:?}");
    let (list, _) = warned(&api, "svc-read-clip", json!({"path": "0/3,0/4"}));
    assert_eq!((&list[1]["path"], &list[1]["ok"]), (&json!("0/4"), &json!(false)), "as it was sent");
}

#[test]
fn clips_on_the_timeline_by_path() {
    let api = Api::raw_enabled();
    api.call("live_set tracks 1", "create_midi_clip", json!([16, 8]));
    api.call("live_set tracks 1", "create_take_lane", json!([]));
    api.call("live_set tracks 1 take_lanes 0", "create_midi_clip", json!([0, 4]));
    api.ok("svc-update-live-set", json!({"locatorOperation": "create", "locatorTime": "6|1", "locatorName": "A, B/2"}));
    let entry = api.ok("svc-update-clip", json!({"path": "t1[loc:A, B/2]", "name": "long"}));
    assert_eq!(entry["path"], "t1[5|1]");
    // The end of a clip is no part of it.
    assert!(api.refused("svc-read-clip", json!({"path": "t1[7|1]"})).contains("covers"));
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t1[6|4.99]"}))["name"], "long");
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t1/l0[1|2]"}))["path"], "t1/l0[1|1]");
    assert!(api.refused("svc-read-clip", json!({"path": "t1/l7[1|2]"})).contains("1 take lane,"));
    for action in ["play-session-clips", "stop-session-clips"] {
        let text = api.refused("svc-playback", json!({"action": action, "path": "t1[5|1]"}));
        assert!(text.contains("arrangement clip"), "{text}");
    }
    let text = api.refused("svc-delete", json!({"type": "clip", "path": "t1/l0[1|1]"}));
    assert!(text.contains("take lanes cannot"), "{text}");
    let entry = api.ok("svc-delete", json!({"type": "clip", "path": "t1[5|2]"}));
    assert_eq!(entry["deletedPath"], "t1[5|1]");
    assert_eq!(api.ok("svc-read-track", json!({"path": "t1"}))["arrangementClipCount"], 0);
}

#[test]
fn a_root_is_no_scale() {
    let said = Api::new().refused("svc-update-live-set", json!({"scale": "C"}));
    assert!(said.contains("\"C\" is a root alone") && said.contains("C Minor"), "{said}");
}
