//! The tools of the Set itself, its scenes and its selection, each by what it says it does.

use crate::support::Api;
use serde_json::{Value, json};

/// The result and the warnings of a call that goes well.
fn warned(api: &Api, tool: &str, arguments: Value) -> (Value, Vec<String>) {
    let envelope = api.envelope(tool, "", &arguments);
    assert_eq!(envelope["isError"], false, "{tool} {arguments}: {envelope}");
    let warnings = envelope["warnings"].as_array().cloned().unwrap_or_default();
    (envelope["result"].clone(), warnings.iter().map(|w| w.as_str().expect("a text").to_owned()).collect())
}

fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

/// A name that several locators have names none of them.
/// Places less than 0.001 quarter beats apart are one.
#[test]
fn a_place_named_twice_gets_one_locator() {
    let api = Api::new();
    let args = json!({"locatorOperation": "create", "locatorTime": "3|1,3|1.0005", "locatorName": "p,q"});
    let answer = api.ok("svc-update-live-set", args);
    assert!(detail(&answer["locator"][0]).contains("later"), "{answer}");
    let read = api.ok("svc-read-live-set", json!({"include": ["locators"]}));
    assert_eq!(read["locators"].as_array().map(Vec::len), Some(1), "{read}");
}

#[test]
fn namesakes_among_locators_are_told_apart_by_their_ids() {
    let api = Api::new();
    let made = api.ok(
        "svc-update-live-set",
        json!({"locatorOperation": "create", "locatorTime": "5|1,9|1,17|1", "locatorName": "Verse,Verse,Chorus"}),
    );
    let id = |at: usize| made["locator"][at]["id"].as_str().expect("an id").to_owned();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    for (tool, arguments) in [
        ("svc-create-clip", json!({"path": "t0[loc:Verse]", "notes": "C3 1|1"})),
        ("svc-playback", json!({"action": "play-arrangement", "startTime": "loc:Verse"})),
        ("svc-duplicate", json!({"type": "scene", "path": "s0", "toPath": "[loc:Verse]"})),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t0[loc:Verse]"})),
        ("svc-update-live-set", json!({"locatorOperation": "rename", "locatorTime": "loc:Verse", "locatorName": "A"})),
    ] {
        let said = api.refused(tool, arguments.clone());
        let both = [format!("id {} at 5|1", id(0)), format!("id {} at 9|1", id(1)), format!("loc:{}", id(0))];
        assert!(both.iter().all(|one| said.contains(one)), "{tool} {arguments}: {said}");
    }
    let list =
        api.ok("svc-create-clip", json!({"path": format!("t0[loc:{}],t0[loc:Chorus]", id(1)), "notes": "C3 1|1"}));
    assert_eq!((&list[0]["path"], &list[1]["path"]), (&json!("t0[9|1]"), &json!("t0[17|1]")), "{list}");
}

/// A blank name is a name: none.
#[test]
fn a_blank_name_is_taken_away_from_a_locator() {
    let api = Api::new();
    let create = json!({"locatorOperation": "create", "locatorTime": "5|1", "locatorName": "Verse"});
    let id = api.ok("svc-update-live-set", create)["locator"]["id"].clone();
    api.ok("svc-update-live-set", json!({"locatorOperation": "rename", "locatorId": id, "locatorName": ""}));
    let locators = api.ok("svc-read-live-set", json!({"include": ["locators"]}))["locators"].clone();
    assert!(!locators.to_string().contains("Verse") && locators[0]["id"] == id, "{locators}");
    // To delete, it names none.
    let said = api.refused("svc-update-live-set", json!({"locatorOperation": "delete", "locatorName": ""}));
    assert!(said.contains("needs locatorId"), "{said}");
}

#[test]
fn tempo_meter_and_scale() {
    let api = Api::raw_enabled();
    let id = api.id("live_set");
    assert_eq!(api.ok("svc-update-live-set", json!({"tempo": 96.5, "timeSignature": "6/8"})), json!({ "id": id }));
    assert_eq!(api.ok("svc-update-live-set", json!({"tempo": "97"})), json!({ "id": id }), "a number as text");
    let answer = api.ok("svc-update-live-set", json!({"scale": "f# dorian"}));
    assert_eq!(answer, json!({"id": id, "scale": "Gb Dorian", "scalePitches": "Gb,Ab,A,B,Db,Eb,E"}));
    let set = api.ok("svc-read-live-set", json!({}));
    assert_eq!((&set["tempo"], &set["timeSignature"], &set["scale"]), (&json!(97), &json!("6/8"), &json!("Gb Dorian")));
    assert_eq!(api.ok("svc-update-live-set", json!({"scale": ""})), json!({"id": id, "scale": ""}));
    assert_eq!(api.ok("svc-read-live-set", json!({})).get("scale"), None);
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
fn locators() {
    let api = Api::raw_enabled();
    let answer = api.ok(
        "svc-update-live-set",
        json!({"locatorOperation": "create", "locatorTime": "9|1,1|1,5|1", "locatorName": "Verse,Start,A\\, B"}),
    );
    let entries = answer["locator"].as_array().expect("three").clone();
    assert_eq!(entries.len(), 3);
    assert_eq!(entries[0].as_object().map(|e| e.len()), Some(2), "what was sent is not echoed: {answer}");
    let list = api.ok("svc-read-live-set", json!({"include": ["locators"]}))["locators"].clone();
    assert_eq!(
        list,
        json!([{"id": entries[1]["id"], "name": "Start", "time": "1|1"}, {"id": entries[2]["id"], "name": "A, B", "time": "5|1"},
               {"id": entries[0]["id"], "name": "Verse", "time": "9|1"}])
    );
    // One is there already: without a name nothing needs doing, with one it is a mistake.
    let answer = api.ok("svc-update-live-set", json!({"locatorOperation": "create", "locatorTime": "loc:Verse"}));
    assert!(detail(&answer["locator"]).contains("already") && answer["locator"].get("ok").is_none(), "{answer}");
    let answer = api.ok(
        "svc-update-live-set",
        json!({"tempo": 99, "locatorOperation": "create", "locatorTime": "9|1", "locatorName": "X"}),
    );
    assert_eq!((&answer["locator"]["time"], &answer["locator"]["ok"]), (&json!("9|1"), &json!(false)), "{answer}");
    assert!(detail(&answer["locator"]).contains("rename"), "{answer}");
    assert_eq!(api.ok("svc-read-live-set", json!({}))["tempo"], 99, "what else was asked landed");
    let call = json!({"locatorOperation": "create", "locatorTime": "9|1", "locatorName": "X"});
    assert!(api.refused("svc-update-live-set", call).contains("already stands at 9|1"));

    // The document's example: one that is new and one that is not.
    let call = json!({"locatorOperation": "create", "locatorTime": "3|1,9|1", "locatorName": "N"});
    let answer = api.ok("svc-update-live-set", call);
    assert_eq!(answer["locator"][0]["operation"], "create");
    assert_eq!((&answer["locator"][1]["time"], &answer["locator"][1]["ok"]), (&json!("9|1"), &json!(false)));

    // What was left to a later mention that landed nothing landed nothing either.
    let call = json!({"locatorOperation": "rename", "locatorTime": "9|1,88|1,88|1", "locatorName": "Verse,q,r"});
    let answer = api.ok("svc-update-live-set", call);
    assert!(detail(&answer["locator"][1]).contains("later mention") && answer["locator"][1]["ok"] == false, "{answer}");

    // The same locator by two addresses: the last mention acts.
    let verse = entries[0]["id"].as_str().expect("an id");
    let answer = api.ok(
        "svc-update-live-set",
        json!({"locatorOperation": "rename", "locatorId": verse, "locatorTime": "9|1", "locatorName": "One,Two"}),
    );
    assert!(answer["locator"][0].get("ok").is_none() && detail(&answer["locator"][0]).contains("later"), "{answer}");
    assert_eq!(answer["locator"][1], json!({"operation": "rename", "id": verse}));
    let names = |api: &Api| -> Vec<Value> {
        let set = api.ok("svc-read-live-set", json!({"include": ["locators"]}));
        set["locators"].as_array().expect("a list").iter().map(|l| l["name"].clone()).collect()
    };
    assert_eq!(names(&api), ["Start", "N", "A, B", "Two"]);
    let missing = json!({"locatorOperation": "rename", "locatorTime": "77|1", "locatorName": "Z"});
    assert!(api.refused("svc-update-live-set", missing).contains("77|1"));
    let track = api.id("live_set tracks 0");
    let wrong = json!({"locatorOperation": "delete", "locatorId": track});
    assert!(api.refused("svc-update-live-set", wrong).contains("is a track"));

    let answer = api.ok("svc-update-live-set", json!({"locatorOperation": "delete", "locatorTime": "77|1,3|1"}));
    assert!(detail(&answer["locator"][0]).contains("nothing to delete") && answer["locator"][0].get("ok").is_none());
    assert_eq!(answer["locator"][1]["operation"], "delete");
    api.ok(
        "svc-update-live-set",
        json!({"locatorOperation": "create", "locatorTime": "20|1,21|1", "locatorName": "Two"}),
    );
    let answer = api.ok("svc-update-live-set", json!({"locatorOperation": "delete", "locatorName": "Two"}));
    assert_eq!(answer["locator"], json!({"operation": "delete", "count": 3, "name": "Two"}));
    assert_eq!(names(&api), ["Start", "A, B"]);
    // Times are in the meter that the call leaves behind.
    let call = json!({"timeSignature": "3/4", "locatorOperation": "create", "locatorTime": "2|1"});
    let id = api.ok("svc-update-live-set", call)["locator"]["id"].clone();
    let at = api.raw(&format!("id {}", id.as_str().expect("an id")), json!([{"type": "get", "property": "time"}]));
    assert_eq!(at[0], json!([3]));
    let (_, warnings) = warned(
        &api,
        "svc-update-live-set",
        json!({"locatorOperation": "delete", "locatorTime": "2|1", "locatorName": "Q"}),
    );
    assert!(warnings[0].starts_with("locatorName ignored: "), "{warnings:?}");
}

#[test]
fn scenes_are_made() {
    let api = Api::new();
    // The document's example, on a Set of eight scenes.
    let list = api.ok("svc-create-scene", json!({"path": "s10,s+", "name": "Break,End", "tempo": 90}));
    assert_eq!(
        list,
        json!([{"id": list[0]["id"], "path": "s10", "created": "s8-s9"}, {"id": list[1]["id"], "path": "s11"}])
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
        (json!({"path": "s1000"}), "1001"),
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
    assert_eq!((&empty["path"], &empty["clips"]), (&json!("s8"), &json!([])), "{empty}");
    assert!(detail(&empty).contains("no session clip plays"));
    api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0,t1/s2"}));
    api.wait_for("live_set tracks 0", "playing_slot_index", json!([0]));
    api.wait_for("live_set tracks 1", "playing_slot_index", json!([2]));
    let scene = api.ok("svc-create-scene", json!({"capture": true, "path": "s3", "name": "Now"}));
    let paths: Vec<&Value> = scene["clips"].as_array().expect("two").iter().map(|clip| &clip["path"]).collect();
    assert_eq!((&scene["path"], paths), (&json!("s4"), vec![&json!("t0/s4"), &json!("t1/s4")]), "{scene}");
    let read = api.ok("svc-read-scene", json!({"path": "s4", "include": ["clips", "notes"]}));
    assert_eq!((&read["name"], &read["clips"][0]["type"]), (&json!("Now (5)"), &json!("midi")), "{read}");
    assert_eq!((read["clips"][0].get("view"), read.get("clipCount")), (None, None));
    assert!(read["clips"][1]["notes"].as_str().is_some_and(|notes| notes.contains("C3")));
    assert!(api.refused("svc-create-scene", json!({"capture": true, "path": "s99"})).contains("s99"));
}

#[test]
fn scenes_are_read_and_updated() {
    let api = Api::raw_enabled();
    let id = api.id("live_set scenes 2");
    // The document's example.
    let list = api.ok("svc-update-scene", json!({"id": id, "path": "s40", "name": "A,B", "timeSignature": "7/8"}));
    assert_eq!(list[0], json!({"id": id, "path": "s2"}));
    assert_eq!((&list[1]["path"], &list[1]["ok"]), (&json!("s40"), &json!(false)));
    assert!(detail(&list[1]).contains("svc-create-scene"), "{list}");
    api.ok("svc-update-scene", json!({"path": "s2", "name": "Drop", "tempo": 128, "timeSignature": "disabled"}));
    assert_eq!(
        api.ok("svc-read-scene", json!({"path": "s2"})),
        json!({"id": id, "path": "s2", "name": "Drop (3)", "clipCount": 0, "tempo": 128})
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
    let before = api.document();
    for tempo in [100, 101, 102] {
        api.ok("svc-update-live-set", json!({ "tempo": tempo }));
    }
    let after = api.document();
    let answer = api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!(answer, json!({"undone": 1, "canUndo": true, "canRedo": true}));
    assert_eq!(api.ok("svc-read-live-set", json!({}))["tempo"], 101);
    let answer = api.ok("svc-manage", json!({"action": "undo", "steps": 5}));
    assert_eq!((&answer["undone"], &answer["canUndo"]), (&json!(2), &json!(false)));
    assert!(answer["stopped"].as_str().is_some_and(|why| why.contains("nothing more")), "{answer}");
    assert!(api.document().same_as(&before));
    assert_eq!(api.ok("svc-manage", json!({"action": "redo", "steps": "3"}))["redone"], 3);
    assert!(api.document().same_as(&after));
    for arguments in [
        json!({"action": "undo", "steps": 0}),
        json!({"action": "undo", "steps": 51}),
        json!({"action": "add-svc"}),
        json!({"steps": 1}),
    ] {
        api.bad("svc-manage", arguments);
    }
    let small = api.post("/api/tools/svc-manage", "x-svc-small-model-mode: true\r\n", &json!({"action": "undo"}));
    assert_eq!(small.status, 404);
}

#[test]
fn selecting() {
    let api = Api::raw_enabled();
    let clip = api.ok("svc-create-clip", json!({"path": "t0/s3", "length": "1bar"}))["id"].clone();
    let track = json!({"id": api.id("live_set tracks 0"), "path": "t0", "type": "midi"});
    let clip = json!({"id": clip, "path": "t0/s3"});
    // The document's example.
    assert_eq!(
        api.ok("svc-select", json!({"path": "t0/s3", "view": "arrangement"})),
        json!({"view": "session", "selectedTrack": track, "selectedClip": clip})
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
        assert_eq!(answer["selectedTrack"].get("type").is_some(), path == "t2", "{answer}");
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
fn tracks_in_full() {
    let api = Api::raw_enabled();
    api.call("live_set tracks 1", "create_midi_clip", json!([16, 8]));
    api.call("live_set tracks 1", "create_take_lane", json!([]));
    api.call("live_set tracks 1 take_lanes 0", "create_midi_clip", json!([0, 4]));
    let plain = api.ok("svc-read-track", json!({"path": "t1"}));
    assert_eq!((&plain["arrangementClipCount"], &plain["takeLaneCount"]), (&json!(1), &json!(1)));
    // The document's example: a track with clips, and one that is not there.
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
