//! `svc-duplicate`: six kinds of object, their places, and what counts over all copies.

use crate::support::Api;
use serde_json::{Value, json};

pub(super) const TOOL: &str = "svc-duplicate";

pub(super) fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

pub(super) fn warned(api: &Api, arguments: Value) -> (Value, Vec<String>) {
    let envelope = api.envelope(TOOL, "", &arguments);
    assert_eq!(envelope["isError"], false, "{arguments}: {envelope}");
    let warnings = envelope["warnings"].as_array().cloned().unwrap_or_default();
    (envelope["result"].clone(), warnings.iter().map(|w| w.as_str().expect("a text").to_owned()).collect())
}

pub(super) fn paths(list: &Value) -> Vec<&str> {
    list.as_array()
        .unwrap_or_else(|| panic!("a list: {list}"))
        .iter()
        .map(|e| e["path"].as_str().unwrap_or("-"))
        .collect()
}

fn names(api: &Api, kind: &str, count: usize) -> Vec<Value> {
    (0..count).map(|at| api.get(&format!("live_set {kind} {at}"), "name")[0].clone()).collect()
}

pub(super) fn read(api: &Api, tool: &str, path: &str, include: Value) -> Value {
    api.ok(tool, json!({"path": path, "include": include}))
}

/// `t0/s0`: a looped MIDI clip of two bars with three notes.
pub(super) fn with_clip() -> Api {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1,2 D3 2|1", "length": "2bar", "name": "Beat"}));
    api
}

/// Copies of scenes over each other: one that is covered is not made, one that is partly covered says so.
#[test]
fn scenes_laid_over_each_other_say_what_they_cost() {
    let api = with_clip();
    let clips = || {
        let track = read(&api, "svc-read-track", "t0", json!(["arrangement-clips", "timing"]));
        let list = track["arrangementClips"].as_array().cloned().unwrap_or_default();
        list.iter().map(|clip| (clip["path"].clone(), clip["arrangementLength"].clone())).collect::<Vec<_>>()
    };
    let list = api.ok(TOOL, json!({"type": "scene", "path": "s0", "toPath": "[5|1],[6|1]"}));
    assert_eq!(list[0]["clips"].as_array().map(Vec::len), Some(1), "{list}");
    assert_eq!(detail(&list[0]), "shortened by what is named later in this call: [6|1]");
    assert_eq!(list[1].get("detail"), None, "{list}");
    assert_eq!(clips(), [(json!("t0[5|1]"), json!("1bar")), (json!("t0[6|1]"), json!("2bar"))]);
    let list = api.ok(TOOL, json!({"type": "scene", "path": "s0", "toPath": "[9|1],[9|1]", "name": "a,b"}));
    assert_eq!(
        list[0],
        json!({"path": "[9|1]", "ok": false, "detail": "named again later in this call; the later one was carried out"})
    );
    assert_eq!(read(&api, "svc-read-clip", "t0[9|1]", json!([]))["name"], "b");
    // A longer copy split by a later one keeps no clip that is gone.
    let list = api
        .ok(TOOL, json!({"type": "scene", "path": "s0", "toPath": "[20|1],[22|1]", "arrangementLength": "4bar,2bar"}));
    assert_eq!(list[0]["clips"].as_array().map(Vec::len), Some(1), "{list}");
    assert_eq!(detail(&list[0]), "partly overwritten by what is named later in this call: [22|1]");
}

#[test]
fn tracks_stand_behind_their_source() {
    let api = with_clip();
    let copy = api.ok(TOOL, json!({"type": "track", "path": "t0", "name": "Copy"}));
    assert_eq!(copy["path"], "t1");
    assert_eq!(copy["clips"], json!([{"id": copy["clips"][0]["id"], "path": "t1/s0"}]), "{copy}");
    assert_eq!(read(&api, "svc-read-clip", "t1/s0", json!([]))["name"], "Beat");
    // Names count over every copy of every source, first copy first.
    let list = api.ok(
        TOOL,
        json!({"type": "track", "path": "t0,t2", "count": 2, "name": "a,b,c,d", "withoutClips": true, "color": "#FF94A6"}),
    );
    assert_eq!(paths(&list), ["t1", "t2", "t5", "t6"], "where they stand after the call: {list}");
    let all = names(&api, "tracks", 7);
    assert_eq!([&all[1], &all[2], &all[3], &all[5], &all[6]], ["a", "b", "Copy", "c", "d"]);
    assert_eq!(read(&api, "svc-read-track", "t1", json!([]))["sessionClipCount"], 0);
    // Devices stay away when asked.
    api.call("live_set tracks 0", "insert_device", json!(["Operator"]));
    for (without, devices) in [(json!(false), 1), (json!(true), 0)] {
        let copy = api.ok(TOOL, json!({"type": "track", "path": "t0", "withoutDevices": without}));
        assert_eq!(
            read(&api, "svc-read-track", copy["path"].as_str().expect("a path"), json!([]))["deviceCount"],
            devices
        );
    }
    // What cannot be copied is a skip in the place of each of its copies.
    let list = api.ok(TOOL, json!({"type": "track", "path": "rt0,t99,t0", "count": 2, "name": "a,b,c,d,e,f"}));
    assert_eq!(paths(&list), ["rt0", "rt0", "t99", "t99", "t1", "t2"]);
    assert!(
        list[0]["ok"] == false && list[3]["ok"] == false && detail(&list[0]).contains("cannot be copied"),
        "{list}"
    );
    assert_eq!(names(&api, "tracks", 3)[1..], ["e", "f"]);
    assert!(api.refused(TOOL, json!({"type": "track", "path": "t0", "count": 101})).contains("at most 100"));
}

#[test]
fn a_group_brings_its_members() {
    let api = Api::raw_enabled();
    crate::groups::make(&api);
    let copy = api.ok(TOOL, json!({"type": "track", "path": "t3"}));
    assert_eq!(copy["path"], "t6");
    assert!(detail(&copy).contains("its members came along: t7 (id ") && detail(&copy).contains("t8 (id "), "{copy}");
    assert!(api.refused(TOOL, json!({"type": "track", "path": "t3", "routeToSource": true})).contains("group track"));
}

#[test]
fn a_copy_routed_to_its_source() {
    let api = with_clip();
    api.call("live_set tracks 0", "insert_device", json!(["Operator"]));
    api.ok("svc-update-track", json!({"path": "t0,t1", "name": "Synth"}));
    let source = api.id("live_set tracks 0");
    let (copy, warnings) = warned(
        &api,
        json!({"type": "track", "path": "t0", "routeToSource": true, "withoutClips": false, "name": "Play"}),
    );
    assert_eq!(
        (copy["path"].as_str(), copy.get("clips"), warnings.len()),
        (Some("t1"), None, 1),
        "{copy} {warnings:?}"
    );
    for words in ["t0", "No Input", "armed"] {
        assert!(detail(&copy).contains(words), "{words}: {copy}");
    }
    // Another track of the same name is not taken for the source.
    let routing =
        api.get("live_set tracks 1", "output_routing_type")[0].as_str().map(str::to_owned).expect("a dictionary");
    let source_track = read(&api, "svc-read-track", "t0", json!(["routings"]));
    assert_eq!(
        (&source_track["isArmed"], &source_track["inputRoutingType"]["name"]),
        (&json!(true), &json!("No Input"))
    );
    assert!(routing.contains("Synth"), "{routing}");
    let copied = read(&api, "svc-read-track", "t1", json!(["available-routings", "routings"]));
    let same: Vec<&Value> = copied["availableOutputRoutingTypes"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|entry| entry["name"] == "Synth")
        .collect();
    assert_eq!((same.len(), &copied["outputRoutingType"]), (2, same[0]), "the first of the two is t0 (id {source})");
    assert_eq!((&copied["deviceCount"], &copied["sessionClipCount"]), (&json!(0), &json!(0)));
}

#[test]
fn scenes() {
    let api = with_clip();
    api.ok("svc-create-clip", json!({"path": "t1/s0", "length": "1bar"}));
    let list = api.ok(TOOL, json!({"type": "scene", "path": "s0", "count": 2, "name": "A,B"}));
    assert_eq!(paths(&list), ["s1", "s2"]);
    assert_eq!(paths(&list[0]["clips"]), ["t0/s1", "t1/s1"], "{list}");
    assert_eq!(names(&api, "scenes", 4), ["", "A", "B", ""]);
    let bare = api.ok(TOOL, json!({"type": "scene", "path": "s0", "withoutClips": true}));
    assert_eq!((&bare["path"], bare.get("clips")), (&json!("s1"), None), "{bare}");
    assert_eq!(read(&api, "svc-read-scene", "s1", json!([]))["clipCount"], 0);
    let (_, warnings) = warned(&api, json!({"type": "scene", "path": "s0", "arrangementLength": "4bar"}));
    assert!(warnings[0].starts_with("arrangementLength ignored: "), "{warnings:?}");
    assert!(api.refused(TOOL, json!({"type": "scene", "path": "s0", "count": 996})).contains("1000"));

    // Onto the arrangement, each clip on its own track.
    let list = api.ok(
        TOOL,
        json!({"type": "scene", "path": "s0", "toPath": "[9|1],[17|1]", "arrangementLength": "2bar,1bar", "name": "V,W"}),
    );
    assert_eq!(paths(&list), ["[9|1]", "[17|1]"]);
    assert_eq!(paths(&list[0]["clips"]), ["t0[9|1]", "t1[9|1]", "t1[10|1]"], "the short one is tiled: {list}");
    assert_eq!(paths(&list[1]["clips"]), ["t0[17|1]", "t1[17|1]"]);
    let first = read(&api, "svc-read-clip", "t0[17|1]", json!([]));
    assert_eq!((&first["arrangementLength"], &first["name"]), (&json!("1bar"), &json!("W")));
    let empty = api.ok(TOOL, json!({"type": "scene", "path": "s9", "toPath": "[1|1]"}));
    assert!(empty["clips"] == json!([]) && detail(&empty).contains("no clips"), "{empty}");
    for (arguments, words) in [
        (json!({"path": "s0", "toPath": "s4"}), "a position"),
        (json!({"path": "s0", "toPath": "t0[1|1]"}), "a position"),
        (json!({"path": "s0,s1", "toPath": "[1|1]"}), "one for each"),
        (json!({"path": "s0", "toPath": "[1|1],[2|1]", "count": 2}), "count"),
        (json!({"path": "s0", "toPath": "[1|1]", "withoutClips": true}), "withoutClips"),
        (json!({"path": "s0", "toPath": "[loc:Nowhere]"}), "Nowhere"),
    ] {
        let mut arguments = arguments;
        arguments["type"] = json!("scene");
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
    let (_, warnings) = warned(&api, json!({"type": "scene", "path": "s0", "toPath": "[40|1]", "count": 3}));
    assert!(warnings[0].starts_with("count ignored: "), "{warnings:?}");
}

/// Without a length a scene is as long as its longest clip: shorter loops are repeated up to there.
#[test]
fn a_scene_in_the_arrangement_is_as_long_as_its_longest_clip() {
    let api = with_clip();
    api.ok("svc-create-clip", json!({"path": "t1/s0", "notes": "C3 1|1", "length": "n/2d", "name": "Loop"}));
    let file = format!("{}/tests/fixtures/audio/half.wav", env!("CARGO_MANIFEST_DIR"));
    api.ok("svc-create-clip", json!({"path": "t2/s0", "sampleFile": file}));
    let copy = api.ok(TOOL, json!({"type": "scene", "path": "s0", "toPath": "[9|1]"}));
    assert_eq!(paths(&copy["clips"]), ["t0[9|1]", "t1[9|1]", "t1[9|4]", "t1[10|3]", "t2[9|1]"], "{copy}");
    let covers = |path: &str| read(&api, "svc-read-clip", path, json!([]))["arrangementLength"].clone();
    assert_eq!([covers("t0[9|1]"), covers("t1[10|3]"), covers("t2[9|1]")], ["2bar", "n/2", "n/4"]);
    // Scenes behind each other have room; what is covered by the tiles is told.
    api.ok("svc-create-clip", json!({"path": "t1[21|1]", "length": "1bar"}));
    let copy = api.ok(TOOL, json!({"type": "scene", "path": "s0", "toPath": "[20|1]"}));
    assert!(detail(&copy).contains("overwrote t1[21|1]"), "{copy}");
    let list = api.ok(TOOL, json!({"type": "scene", "path": "s0,s0", "toPath": "[31|1],[30|1]"}));
    assert!(detail(&list[0]).contains("by what is named later in this call: [30|1]"), "{list}");
}

/// What a loop plays before it comes to its beginning is played on the timeline too, and the loop behind it.
#[test]
fn a_loop_with_a_pre_roll_keeps_it_on_the_timeline() {
    for (tool, call) in [
        (TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t0[9|1]"})),
        (TOOL, json!({"type": "scene", "path": "s0", "toPath": "[9|1]"})),
        ("svc-update-clip", json!({"path": "t0/s0", "toPath": "t0[9|1]"})),
        (TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t0/l0[9|1]"})),
    ] {
        let api = Api::raw_enabled();
        let made = json!({"path": "t0/s0", "notes": "C3 1|1 D3 3|1", "start": "3|1", "length": "1bar", "looping": true,
                          "firstStart": "1|1"});
        api.ok("svc-create-clip", made);
        // The second of two neighbours is in the way of the loop.
        api.ok("svc-create-clip", json!({"path": "t0[10|1]", "length": "1bar"}));
        let answer = api.ok(tool, call.clone());
        let path = if call["toPath"] == "t0/l0[9|1]" { "t0/l0[9|1]" } else { "t0[9|1]" };
        let copy = read(&api, "svc-read-clip", path, json!(["timing"]));
        let shown = ["arrangementLength", "start", "length", "firstStart"].map(|field| copy[field].clone());
        assert_eq!(shown, ["3bar", "3|1", "1bar", "1|1"], "{call}: {copy}");
        let covered = detail(&answer).contains("overwrote t0[10|1]");
        assert_eq!(covered, path == "t0[9|1]", "{call}: {answer}");
    }
    // With a length, tiles go on where the loop begins again.
    let api = Api::raw_enabled();
    let made = json!({"path": "t0/s0", "notes": "C3 1|1", "start": "2|1", "length": "1bar", "looping": true, "firstStart": "1|1"});
    api.ok("svc-create-clip", made);
    let list = api.ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t0[9|1]", "arrangementLength": "4bar"}));
    assert_eq!(paths(&list), ["t0[9|1]", "t0[11|1]"]);
    let tile = read(&api, "svc-read-clip", "t0[11|1]", json!(["timing"]));
    assert_eq!((&tile["start"], tile.get("firstStart")), (&json!("2|1"), None), "{tile}");
}

#[test]
fn the_spellings_before() {
    for (old, path, words) in [
        (json!({"toSlot": "1/4"}), "t1/s4", "toPath: \"t1/s4\""),
        (json!({"arrangementStart": "5|1"}), "t0[5|1]", "toPath: \"[5|1]\""),
        (json!({"locator": "Verse"}), "t0[9|1]", "toPath: \"[loc:Verse]\""),
        (json!({"takeLane": "1", "arrangementStart": "5|1"}), "t0/l0[5|1]", "toPath: \"t0/l0[5|1]\""),
        (json!({"toPath": "t1", "arrangementStart": "5|1"}), "t1[5|1]", "toPath: \"t1[5|1]\""),
    ] {
        let api = with_clip();
        api.ok(
            "svc-update-live-set",
            json!({"locatorOperation": "create", "locatorTime": "9|1", "locatorName": "Verse"}),
        );
        let mut arguments = old;
        arguments["type"] = json!("clip");
        arguments["path"] = json!("t0/s0");
        let (entry, warnings) = warned(&api, arguments.clone());
        assert_eq!(entry["path"], path, "{arguments}");
        assert!(
            warnings.len() == 1 && warnings[0].contains(words) && warnings[0].contains("deprecated"),
            "{warnings:?}"
        );
    }
    let api = with_clip();
    let (entry, warnings) =
        warned(&api, json!({"type": "clip", "path": "t0/s0", "toPath": "t1/l0[1|1]", "takeLaneName": "Solo"}));
    assert!(entry["id"].is_string() && warnings[0].contains("svc-update-track"), "{warnings:?}");
    assert_eq!(read(&api, "svc-read-track", "t1/l0", json!([]))["name"], "Solo");
    let (entry, warnings) = warned(&api, json!({"type": "track", "path": "t0", "arrangementStart": "5|1"}));
    assert!(entry["path"] == "t1" && warnings[0].contains("ignored"), "{warnings:?}");
}

#[test]
fn parameters_of_another_type() {
    let api = with_clip();
    for (kind, parameter, value) in [
        ("clip", "count", json!(2)),
        ("device", "withoutClips", json!(true)),
        ("scene", "withoutDevices", json!(true)),
        ("clip", "routeToSource", json!(true)),
        ("device", "transforms", json!("velocity = 1")),
        ("scene", "toSlot", json!("0/1")),
        ("track", "takeLane", json!("1")),
        ("chain", "takeLaneName", json!("x")),
        ("device", "arrangementStart", json!("1|1")),
        ("drum-pad", "locator", json!("A")),
        ("track", "arrangementLength", json!("1bar")),
    ] {
        let text = api.refused(TOOL, json!({"type": kind, "path": "t0", parameter: value}));
        assert!(text.contains(&format!("{parameter} belongs to type")), "{kind} {parameter}: {text}");
    }
}

/// The clips of a copied scene or track are transformed; of a scene, where it is said, only those on some tracks.
#[test]
fn transforms_reach_the_clips_of_copied_scenes_and_tracks() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t1/s0", "notes": "v100 C3 1|1,2", "length": "1bar"}));
    let notes = |path: &str| api.ok("svc-read-clip", json!({"path": path, "include": ["notes"]}))["notes"].clone();
    let up = "pitch += 12";
    let copied = api.ok(
        "svc-duplicate",
        json!({"type": "scene", "path": "s0", "name": "Two", "transforms": up, "transformTracks": "t1"}),
    );
    let clips = copied["clips"].as_array().expect("clips");
    assert_eq!(clips.len(), 2, "{copied}");
    assert_eq!((clips[0].get("transformed"), &clips[1]["transformed"]), (None, &json!(2)), "{copied}");
    assert!(notes("t0/s1").to_string().contains("C3") && notes("t1/s1").to_string().contains("C4"));
    assert!(notes("t1/s0").to_string().contains("C3"), "the source keeps its notes");
    // Onto the timeline too, and tracks with all their clips; clip.index counts.
    let laid = api.ok("svc-duplicate", json!({"type": "scene", "path": "s0", "toPath": "[1|1]", "transforms": up}));
    assert_eq!(laid["clips"][1]["transformed"], 2, "{laid}");
    assert!(notes("t0[1|1]").to_string().contains("C4"));
    let track = api.ok(
        "svc-duplicate",
        json!({"type": "track", "path": "t0", "transforms": "velocity = 10 + clip.index\npitch += clip.count"}),
    );
    assert_eq!(track["clips"].as_array().map(Vec::len), Some(3), "{track}");
    assert!(notes("t1/s1").to_string().contains("v11 "), "{}", notes("t1/s1"));
    for (arguments, said) in [
        (json!({"type": "scene", "path": "s0", "transforms": "pitch = oops("}), "transforms"),
        (json!({"type": "scene", "path": "s0", "transforms": up, "transformTracks": "bass"}), "no track"),
        (json!({"type": "track", "path": "t0", "transforms": up, "transformTracks": "t0"}), "belongs to type scene"),
    ] {
        assert!(api.refused("svc-duplicate", arguments.clone()).contains(said), "{arguments}");
    }
}
