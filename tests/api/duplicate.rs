//! `svc-duplicate`: six kinds of object, their places, and what counts over all copies.

use crate::delete::{chains, with_racks};
use crate::support::Api;
use serde_json::{Value, json};

const TOOL: &str = "svc-duplicate";

fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

fn warned(api: &Api, arguments: Value) -> (Value, Vec<String>) {
    let envelope = api.envelope(TOOL, "", &arguments);
    assert_eq!(envelope["isError"], false, "{arguments}: {envelope}");
    let warnings = envelope["warnings"].as_array().cloned().unwrap_or_default();
    (envelope["result"].clone(), warnings.iter().map(|w| w.as_str().expect("a text").to_owned()).collect())
}

fn paths(list: &Value) -> Vec<&str> {
    list.as_array()
        .unwrap_or_else(|| panic!("a list: {list}"))
        .iter()
        .map(|e| e["path"].as_str().unwrap_or("-"))
        .collect()
}

fn names(api: &Api, kind: &str, count: usize) -> Vec<Value> {
    (0..count).map(|at| api.get(&format!("live_set {kind} {at}"), "name")[0].clone()).collect()
}

fn read(api: &Api, tool: &str, path: &str, include: Value) -> Value {
    api.ok(tool, json!({"path": path, "include": include}))
}

/// `t0/s0`: a looped MIDI clip of two bars with three notes.
fn with_clip() -> Api {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1,2 D3 2|1", "length": "2bar", "name": "Beat"}));
    api
}

#[test]
fn the_documents_example() {
    let api = with_clip();
    let list = api
        .ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t0[1|1],t2[1|1]", "arrangementLength": "2bar"}));
    let audio = api.id("live_set tracks 2");
    assert_eq!(list[0], json!({"id": list[0]["id"], "path": "t0[1|1]"}));
    assert_eq!(
        list[1],
        json!({"path": "t2[1|1]", "ok": false, "detail": format!("t2 (id {audio}) is an audio track; the clip is MIDI")})
    );
}

/// What cannot be as long as asked is not copied at all.
#[test]
fn a_length_past_the_last_position_copies_nothing() {
    let api = with_clip();
    // Bar 394,200 is the last there is.
    let far = "t0[394200|1]";
    for arguments in [
        json!({"type": "clip", "path": "t0/s0", "toPath": far, "arrangementLength": "8bar"}),
        json!({"type": "scene", "path": "s0", "toPath": "[394200|1]", "arrangementLength": "8bar"}),
    ] {
        let said = api.refused(TOOL, arguments);
        assert!(said.starts_with("arrangementLength") && said.contains("394201|1"), "{said}");
    }
    api.ok("svc-create-clip", json!({"path": "t0[9|1]", "notes": "C3 1|1", "length": "1bar"}));
    let move_there = json!({"path": "t0[9|1]", "toPath": far, "arrangementLength": "8bar"});
    assert!(api.refused("svc-update-clip", move_there).starts_with("arrangementLength"));
    for (kind, path, far, near) in [("clip", "t0/s0", far, "t0[1|1]"), ("scene", "s0", "[394200|1]", "[1|1]")] {
        let list = api.ok(
            TOOL,
            json!({"type": kind, "path": path, "toPath": format!("{far},{near}"), "arrangementLength": "8bar"}),
        );
        assert_eq!((&list[0]["path"], &list[0]["ok"]), (&json!(far), &json!(false)), "{list}");
        assert!(detail(&list[0]).contains("past the last position"), "{list}");
        assert_eq!(list[1]["path"], near, "{list}");
    }
    let clips = read(&api, "svc-read-track", "t0", json!(["arrangement-clips"]));
    assert!(!clips.to_string().contains("394200"), "{clips}");
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
        json!({"path": "[9|1]", "detail": "not carried out: [9|1], later in this call, takes its place"})
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
fn clips_onto_take_lanes_and_off_them() {
    let api = with_clip();
    api.ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t0[1|1],t0[5|1]"}));
    let lane = api.ok(TOOL, json!({"type": "track", "path": "t0", "toPath": "t1/l1", "name": "Alt"}));
    assert_eq!((&lane["path"], &lane["created"]), (&json!("t1/l1"), &json!("l0-l1")), "{lane}");
    let clips: Vec<&str> = paths(&lane["clips"]);
    assert_eq!(clips, ["t1/l1[1|1]", "t1/l1[5|1]"]);
    assert_eq!(read(&api, "svc-read-track", "t1/l1", json!([]))["name"], "Alt");
    let read_notes = |path: &str| read(&api, "svc-read-clip", path, json!(["notes"]))["notes"].clone();
    assert_eq!(read_notes("t1/l1[1|1]"), read_notes("t0/s0"));
    // Two new lanes, of a lane.
    let list = api.ok(TOOL, json!({"type": "track", "path": "t1/l1", "toPath": "t0/l+,t0/l+"}));
    assert_eq!((paths(&list), &list[1]["created"]), (vec!["t0/l0", "t0/l1"], &json!("l1")));
    // Promoted to a main lane.
    let track = api.ok(TOOL, json!({"type": "track", "path": "t0/l0", "toPath": "t1"}));
    assert_eq!((&track["path"], track.get("created")), (&json!("t1"), None), "{track}");
    assert_eq!(paths(&track["clips"]), ["t1[1|1]", "t1[5|1]"]);
    let empty = api.ok(TOOL, json!({"type": "track", "path": "t1/l0", "toPath": "t0/l2"}));
    assert!(detail(&empty).contains("no clips") && empty["clips"] == json!([]), "{empty}");
    let named =
        api.ok(TOOL, json!({"type": "track", "path": "t0/l0", "toPath": "t1", "name": "x", "color": "#FF94A6"}));
    assert!(detail(&named).contains("name ignored") && detail(&named).contains("color ignored"), "{named}");
    for (arguments, words) in [
        (json!({"path": "t0/l0", "toPath": "t0/l0"}), "onto itself"),
        (json!({"path": "t0", "toPath": "t2/l0"}), "is an audio track"),
        (json!({"path": "t0", "toPath": "t1"}), "take lane"),
        (json!({"path": "t0", "toPath": "t1/l10"}), "at most 10"),
        (json!({"path": "t0", "toPath": "t1/l9,t1/l+"}), "at most 10"),
        (json!({"path": "t0", "toPath": "t1/s0"}), "take lane"),
        (json!({"path": "t0/l0"}), "toPath"),
        (json!({"path": "t0", "toPath": "t1/l0", "withoutClips": false}), "withoutClips"),
        (json!({"path": "t0", "toPath": "t1/l0", "count": 2, "routeToSource": true}), "routeToSource"),
    ] {
        let mut arguments = arguments;
        arguments["type"] = json!("track");
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
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

#[test]
fn clips_go_anywhere_and_leave_their_source() {
    let api = with_clip();
    let before = read(&api, "svc-read-clip", "t0/s0", json!(["notes", "timing"]));
    let list = api.ok(
        TOOL,
        json!({"type": "clip", "path": "t0/s0", "toPath": "t1/s9,[3|1],t1/l0[1|1],t1[1|1]", "name": "a,b,c,d", "color": "#FF94A6"}),
    );
    assert_eq!(paths(&list), ["t1/s9", "t0[3|1]", "t1/l0[1|1]", "t1[1|1]"]);
    assert_eq!((&list[0]["created"], &list[2]["created"]), (&json!("s8-s9"), &json!("l0")));
    assert_eq!(read(&api, "svc-read-clip", "t0/s0", json!(["notes", "timing"])), before, "the source is as it was");
    for (path, name) in [("t1/s9", "a"), ("t0[3|1]", "b"), ("t1/l0[1|1]", "c"), ("t1[1|1]", "d")] {
        let clip = read(&api, "svc-read-clip", path, json!(["notes", "color"]));
        assert_eq!(
            (&clip["notes"], &clip["name"], &clip["color"]),
            (&before["notes"], &json!(name), &json!("#FF94A6"))
        );
    }
    // A lane or track alone keeps a clip's own time; one position serves several clips, each on its own lane.
    let list = api.ok(TOOL, json!({"type": "clip", "path": "t0[3|1]", "toPath": "t1,t1/l1"}));
    assert_eq!(paths(&list), ["t1[3|1]", "t1/l1[3|1]"]);
    let list = api.ok(TOOL, json!({"type": "clip", "path": "t0[3|1],t1/l1[3|1]", "toPath": "[20|1]"}));
    assert_eq!(paths(&list), ["t0[20|1]", "t1/l1[20|1]"]);
    let text = api.refused(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t1"}));
    assert!(text.contains("session clip"), "{text}");
    // Onto others, with an account; onto itself.
    let entry = api.ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t1/s9"}));
    assert!(detail(&entry).contains("replaced the clip"), "{entry}");
    let entry = api.ok(TOOL, json!({"type": "clip", "path": "t0[20|1]", "toPath": "t0[21|1]"}));
    assert!(detail(&entry).contains("shortened"), "{entry}");
    let list = api.ok(TOOL, json!({"type": "clip", "path": "t0[3|1]", "toPath": "[3|1],[30|1]"}));
    assert_eq!(paths(&list), ["t0[3|1]", "t0[30|1]"], "the copy onto its source is made last");
    for (arguments, words) in [
        (json!({"path": "t0/s0"}), "toPath"),
        (json!({"path": "t0/s0", "toPath": "t1/l+"}), "svc-update-track"),
        (json!({"path": "t0/s0", "toPath": "rt0"}), "no clip"),
        (json!({"path": "t0/s0", "toPath": "t0/d0"}), "slot"),
        (json!({"path": "t0/s0,t1/s9", "toPath": "t0/s5"}), "one for each"),
        (json!({"path": "t0/s0", "toPath": "t0/s5", "arrangementLength": "4"}), "arrangementLength"),
        (json!({"path": "t0/s0", "toPath": "t0/s5", "transforms": "velocty = 1"}), "transforms"),
        (json!({"path": "t0/s0", "toPath": "t0/s5", "count": 2}), "count belongs to type track and scene"),
        (json!({"path": "t0/s0", "toPath": "t0/s5,t0/s6", "name": "a,b,c"}), "3 values"),
    ] {
        let mut arguments = arguments;
        arguments["type"] = json!("clip");
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
}

#[test]
fn a_copy_covers_what_is_asked_and_no_more() {
    let api = with_clip();
    // A neighbour that a copy of the whole clip would go over.
    api.ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t0[10|1]", "name": "Neighbour"}));
    let entry =
        api.ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t0[9|1]", "arrangementLength": "1bar"}));
    assert_eq!(entry, json!({"id": entry["id"], "path": "t0[9|1]"}), "nothing was overwritten");
    let length = |path: &str| read(&api, "svc-read-clip", path, json!([]))["arrangementLength"].clone();
    assert_eq!((length("t0[9|1]"), length("t0[10|1]")), (json!("1bar"), json!("2bar")));
    assert_eq!(
        read(&api, "svc-read-track", "t0", json!([]))["arrangementClipCount"],
        2,
        "nothing waits behind the end"
    );
    // Tiles follow their entry, the last one partial.
    let list = api.ok(
        TOOL,
        json!({"type": "clip", "path": "t0/s0", "toPath": "t1[1|1],t1[21|1]", "arrangementLength": "5bar,1bar", "name": "x"}),
    );
    assert_eq!(paths(&list), ["t1[1|1]", "t1[3|1]", "t1[5|1]", "t1[21|1]"]);
    assert_eq!((length("t1[3|1]"), length("t1[5|1]")), (json!("2bar"), json!("1bar")));
    let (entry, warnings) =
        warned(&api, json!({"type": "clip", "path": "t0/s0", "toPath": "t1/s0", "arrangementLength": "5bar"}));
    assert!(warnings[0].starts_with("arrangementLength ignored") && entry["path"] == "t1/s0", "{warnings:?}");
    let entry =
        api.ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t1/l0[1|1]", "arrangementLength": "5bar"}));
    assert!(detail(&entry).contains("arrangementLength ignored"), "{entry}");
}

#[test]
fn copies_that_cover_each_other() {
    let api = with_clip();
    let list =
        api.ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t0[1|1],t0[2|1],t0[2|1]", "name": "a,b,c"}));
    assert!(detail(&list[0]).contains("shortened by") && detail(&list[0]).contains("t0[2|1]"), "{list}");
    assert!(
        list[1].get("ok").is_none() && list[1].get("id").is_none() && detail(&list[1]).contains("takes its place"),
        "{list}"
    );
    assert_eq!(list[2]["path"], "t0[2|1]");
    assert_eq!(read(&api, "svc-read-clip", "t0[2|1]", json!([]))["name"], "c");
    assert_eq!(read(&api, "svc-read-clip", "t0[1|1]", json!([]))["arrangementLength"], "1bar");
    // A source named twice is two copies.
    let list = api.ok(TOOL, json!({"type": "clip", "path": "t0/s0,t0/s0", "toPath": "t1/s0,t1/s1"}));
    assert_eq!(paths(&list), ["t1/s0", "t1/s1"]);
    // No order keeps both sources until they are read.
    api.ok("svc-update-clip", json!({"path": "t1/s0,t1/s1", "name": "one,two"}));
    let text = api.refused(TOOL, json!({"type": "clip", "path": "t1/s0,t1/s1", "toPath": "t1/s1,t1/s0"}));
    assert!(text.contains("each other"), "{text}");
    let list = api.ok(TOOL, json!({"type": "clip", "path": "t1/s0,t1/s1", "toPath": "t1/s1,t1/s2"}));
    assert_eq!(paths(&list), ["t1/s1", "t1/s2"]);
    let name = |path: &str| read(&api, "svc-read-clip", path, json!([]))["name"].clone();
    assert_eq!((name("t1/s1"), name("t1/s2")), (json!("one"), json!("two")));
}

#[test]
fn transforms_count_over_the_copies() {
    let api = with_clip();
    let list = api.ok(
        TOOL,
        json!({"type": "clip", "path": "t0/s0,t9/s0,t0/s0", "toPath": "t0/s1,t0/s2,t0/s3", "transforms": "velocity = 10 + clip.index * 10"}),
    );
    assert_eq!((&list[0]["transformed"], &list[2]["transformed"]), (&json!(3), &json!(3)), "{list}");
    assert!(list[1]["ok"] == false && list[1]["path"] == "t9/s0", "{list}");
    for (path, velocity) in [("t0/s1", "v10 "), ("t0/s3", "v30 ")] {
        let notes = read(&api, "svc-read-clip", path, json!(["notes"]))["notes"].clone();
        assert!(notes.as_str().is_some_and(|notes| notes.contains(velocity)), "{path}: {notes}");
    }
    // Tiles are copies of what the transform made.
    let list = api.ok(
        TOOL,
        json!({"type": "clip", "path": "t0/s0", "toPath": "t1[1|1]", "arrangementLength": "4bar", "transforms": "velocity = 33"}),
    );
    assert_eq!(paths(&list), ["t1[1|1]", "t1[3|1]"]);
    let notes = read(&api, "svc-read-clip", "t1[3|1]", json!(["notes"]))["notes"].clone();
    assert!(notes.as_str().is_some_and(|notes| notes.contains("v33 ")), "{notes}");
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
        ("track", "transforms", json!("velocity = 1")),
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

#[test]
fn devices_go_to_tracks_and_chains() {
    let api = with_racks();
    for effect in ["Reverb", "Delay"] {
        api.call("live_set tracks 2", "insert_device", json!([effect]));
    }
    let names = |path: &str| -> Vec<Value> {
        let count = api.raw(path, json!([{"type": "getcount", "property": "devices"}]))[0].as_u64().expect("a count");
        (0..count).map(|at| api.get(&format!("{path} devices {at}"), "name")[0].clone()).collect()
    };
    let copy = api.ok(TOOL, json!({"type": "device", "path": "t2/d0", "name": "Room"}));
    assert_eq!(
        (copy["path"].as_str(), names("live_set tracks 2")),
        (Some("t2/d1"), vec![json!("Reverb"), json!("Room"), json!("Delay")])
    );
    let list = api.ok(TOOL, json!({"type": "device", "path": "t2/d2", "toPath": "t3,rt0/d0,mt/d+,t3/d+"}));
    assert_eq!(paths(&list), ["t3/d0", "rt0/d0", "mt/d0", "t3/d1"], "{list}");
    assert_eq!(names("live_set return_tracks 0"), ["Delay", "Reverb"]);
}

#[test]
fn devices_make_chains_on_the_way() {
    let api = with_racks();
    api.call("live_set tracks 2", "insert_device", json!(["Audio Effect Rack"]));
    api.call("live_set tracks 2", "insert_device", json!(["Reverb"]));
    let copy = api.ok(TOOL, json!({"type": "device", "path": "t2/d1", "toPath": "t2/d0/c2"}));
    assert_eq!((&copy["path"], &copy["created"]), (&json!("t2/d0/c2/d0"), &json!("c0-c2")), "{copy}");
    let copy = api.ok(TOOL, json!({"type": "device", "path": "t2/d1", "toPath": "t2/d0/c+"}));
    assert_eq!((&copy["path"], &copy["created"]), (&json!("t2/d0/c3/d0"), &json!("c3")), "{copy}");
    // An instrument onto an empty pad.
    api.call("live_set tracks 1 devices 0 chains 0 devices 0 chains 0", "insert_device", json!(["Operator"]));
    let copy = api.ok(TOOL, json!({"type": "device", "path": "t1/d0/c0/d0/pC1/d0", "toPath": "t0/d0/pF1"}));
    assert_eq!((&copy["path"], &copy["created"]), (&json!("t0/d0/pF1/c0/d0"), &json!("c0")), "{copy}");
    let entry = api.ok(TOOL, json!({"type": "device", "path": "t2/d1", "toPath": "t2/d+", "color": "#FF94A6"}));
    assert!(detail(&entry).contains("no colour"), "{entry}");
    for (path, to, words) in [
        ("t2/d1", "t2/d9", "holds 3 devices"),
        ("t2/d1", "t2/d0/c99", "at most 16"),
        ("t2/d1", "t0/d0/c+", "pC1/c+"),
        ("t2/d1", "t2/d1/c0", "no rack"),
        ("t2/d1", "t2/afx0", "d<n>"),
        ("t2/d1", "t0/s0", "track or chain"),
        ("t2/d1", "t2/d0,t2/d1", "renumbers"),
        ("t0/d0", "t3", "audio effects only"),
        ("t0/d0", "", "already"),
        ("t2/d9", "t3", "t2"),
    ] {
        let text = api.refused(TOOL, json!({"type": "device", "path": path, "toPath": to}));
        assert!(text.contains(words), "{path} {to}: {text}");
    }
}

#[test]
fn chains_go_to_racks_of_their_kind() {
    let api = with_racks();
    const RACK: &str = "live_set tracks 0 devices 0";
    api.call(&format!("{RACK} chains 0"), "insert_device", json!(["Operator"]));
    api.set(&format!("{RACK} chains 0"), "mute", json!(1));
    let copy = api.ok(TOOL, json!({"type": "chain", "path": "t0/d0/pC1/c0", "name": "Kick 2"}));
    assert_eq!((&copy["path"], chains(&api, RACK)[1].as_str()), (&json!("t0/d0/pC1/c1"), Some("Kick 2")), "{copy}");
    assert_eq!(api.get(&format!("{RACK} chains 1"), "mute"), json!([1]));
    assert_eq!(api.get(&format!("{RACK} chains 1 devices 0"), "name"), json!(["Operator"]));
    // Another rack of the kind: it keeps its pad, or gets one.
    let list =
        api.ok(TOOL, json!({"type": "chain", "path": "t0/d0/pD1/c0", "toPath": "t1/d0/c0/d0/c+,t1/d0/c0/d0/pE1/c+"}));
    assert_eq!(paths(&list), ["t1/d0/c0/d0/pD1/c0", "t1/d0/c0/d0/pE1/c0"], "{list}");
    api.call("live_set tracks 2", "insert_device", json!(["Audio Effect Rack"]));
    api.call("live_set tracks 2 devices 0", "insert_chain", json!([]));
    let list = api.ok(TOOL, json!({"type": "chain", "path": "t2/d0/c0", "toPath": "t2/d0/c+,t2/d0"}));
    assert_eq!(paths(&list), ["t2/d0/c1", "t2/d0/c2"]);
    for (path, to, words) in [
        ("t2/d0/c0", "t0/d0", "the chain is one of an"),
        ("t0/d0/pC1/c0", "t0/d0/c1", "pC1/c+"),
        ("t0/d0/pC1/c0", "t0", "rack of the same kind"),
        ("t0/d0/pC1/c0", "t0/d0/p*", "all notes"),
        ("t2/d0/c0", "t2/d0/c9", "holds 3 chains"),
        ("t2/d0/c9", "", "3 chains"),
    ] {
        let text = api.refused(TOOL, json!({"type": "chain", "path": path, "toPath": to}));
        assert!(text.contains(words), "{path} {to}: {text}");
    }
}

#[test]
fn drum_pads_go_to_pads_of_their_rack() {
    let api = with_racks();
    const RACK: &str = "live_set tracks 0 devices 0";
    let list =
        api.ok(TOOL, json!({"type": "drum-pad", "path": "t0/d0/pC1", "toPath": "t0/d0/pF1,t0/d0/pD1", "name": "x,y"}));
    assert_eq!(paths(&list), ["t0/d0/pF1", "t0/d0/pD1"]);
    assert!(list[0]["id"].is_string() && list[0].get("detail").is_none(), "{list}");
    assert!(detail(&list[1]).contains("layered"), "{list}");
    assert_eq!(chains(&api, RACK), ["Kick", "Click", "Snare", "All", "x", "x", "y", "y"]);
    // Inside another rack a pad is no object; the chains for all notes can be a source.
    let pad = api.ok(TOOL, json!({"type": "drum-pad", "path": "t1/d0/c0/d0/pC1", "toPath": "t1/d0/c0/d0/pE1"}));
    assert_eq!(pad, json!({"path": "t1/d0/c0/d0/pE1"}));
    assert_eq!(
        api.ok(TOOL, json!({"type": "drum-pad", "path": "t0/d0/p*", "toPath": "t0/d0/pG1"}))["path"],
        "t0/d0/pG1"
    );
    for (path, to, words) in [
        ("t0/d0/pC1", "", "toPath"),
        ("t0/d0/pC1", "t0/d0/pC1", "onto itself"),
        ("t0/d0/pC1", "t1/d0/c0/d0/pC1", "own rack"),
        ("t0/d0/pC1", "t0/d0/p*", "all notes"),
        ("t0/d0/pC1", "t0/d0/c0", "pD1"),
        ("t0/d0/pC3", "t0/d0/pC4", "empty"),
        ("t0/d0", "t0/d0/pC4", "drum pad"),
    ] {
        let text = api.refused(TOOL, json!({"type": "drum-pad", "path": path, "toPath": to}));
        assert!(text.contains(words), "{path} {to}: {text}");
    }
}
