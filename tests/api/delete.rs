//! `svc-delete`: six kinds of object, groups, and what is never deleted.

use crate::support::Api;
use serde_json::{Value, json};

const TOOL: &str = "svc-delete";

fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

fn delete(api: &Api, kind: &str, path: &str) -> Value {
    api.ok(TOOL, json!({"type": kind, "path": path}))
}

/// A Drum Rack at t0/d0 with two layers on C1 (Kick, Click), one on D1 (Snare), one for all notes; behind it an
/// Instrument Rack is on t1 with a Drum Rack inside that has a layer on C1.
pub fn with_racks() -> Api {
    let api = Api::raw_enabled();
    drums(&api, "live_set tracks 0", &[("Kick", 36), ("Click", 36), ("Snare", 38), ("All", -1)]);
    api.call("live_set tracks 1", "insert_device", json!(["Instrument Rack"]));
    api.call("live_set tracks 1 devices 0", "insert_chain", json!([]));
    drums(&api, "live_set tracks 1 devices 0 chains 0", &[("Inner", 36)]);
    api
}

fn drums(api: &Api, on: &str, chains: &[(&str, i64)]) {
    api.call(on, "insert_device", json!(["Drum Rack"]));
    let rack = format!("{on} devices 0");
    for (at, (name, note)) in chains.iter().enumerate() {
        api.call(&rack, "insert_chain", json!([]));
        let chain = format!("{rack} chains {at}");
        api.set(&chain, "in_note", json!(note));
        api.set(&chain, "name", json!(name));
    }
}

/// The names of a rack's chains.
pub fn chains(api: &Api, rack: &str) -> Vec<Value> {
    let count = api.raw(rack, json!([{"type": "getcount", "property": "chains"}]))[0].as_u64().expect("a count");
    (0..count).map(|at| api.get(&format!("{rack} chains {at}"), "name")[0].clone()).collect()
}

#[test]
fn a_track_that_is_there_and_one_that_is_not() {
    let api = Api::new();
    let id = api.ok("svc-read-track", json!({"path": "t3"}))["id"].clone();
    let list = delete(&api, "track", "t3,t99");
    assert_eq!(list[0], json!({"id": id, "deletedPath": "t3"}));
    assert_eq!(list[1]["path"], "t99");
    assert!(detail(&list[1]).starts_with("nothing there to delete") && list[1]["ok"] == false, "{list}");
}

#[test]
fn addresses_are_those_of_before_the_call() {
    let api = Api::raw_enabled();
    for (at, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        api.set(&format!("live_set tracks {at}"), "name", json!(name));
        api.set(&format!("live_set scenes {at}"), "name", json!(name));
    }
    let list = delete(&api, "track", "t0,t2,t0");
    let paths: Vec<&Value> = list.as_array().expect("three").iter().map(|entry| &entry["deletedPath"]).collect();
    assert_eq!(paths, ["t0", "t2", "t0"]);
    assert_eq!(
        (api.get("live_set tracks 0", "name"), api.get("live_set tracks 1", "name")),
        (json!(["b"]), json!(["d"]))
    );
    delete(&api, "scene", "s0,s1,s2");
    assert_eq!(api.get("live_set scenes 0", "name"), json!(["d"]));
    assert_eq!(delete(&api, "track", "rt0")["deletedPath"], "rt0");
    // The last ones stay.
    let list = delete(&api, "track", "t0,t1");
    assert!(
        list[0]["ok"] == false && detail(&list[0]).contains("last track") && list[1]["deletedPath"] == "t1",
        "{list}"
    );
    assert!(api.refused(TOOL, json!({"type": "track", "path": "mt"})).contains("main track"));
    let list = delete(&api, "scene", "s0,s1,s2,s3,s4");
    assert!(list[0]["ok"] == false && detail(&list[0]).contains("last scene"), "{list}");
}

#[test]
fn clips_of_slots_lanes_and_take_lanes() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"}));
    api.call("live_set tracks 0", "create_midi_clip", json!([0, 4]));
    api.call("live_set tracks 0", "create_midi_clip", json!([8, 4]));
    api.ok("svc-update-track", json!({"path": "t0/l0"}));
    api.call("live_set tracks 0 take_lanes 0", "create_midi_clip", json!([0, 4]));
    let list = delete(&api, "clip", "t0[1|1],t0/s0,t0[3|2],t0/l0[1|1],t0[20|1]");
    let paths: Vec<Option<&str>> =
        list.as_array().expect("five").iter().map(|entry| entry["deletedPath"].as_str()).collect();
    assert_eq!(paths, [Some("t0[1|1]"), Some("t0/s0"), Some("t0[3|1]"), None, None], "{list}");
    assert!(list[3]["ok"] == false && detail(&list[3]).contains("take lanes"), "{list}");
    assert!(list[4]["ok"] == false && detail(&list[4]).contains("nothing there"), "{list}");
    let track = api.ok("svc-read-track", json!({"path": "t0"}));
    assert_eq!((&track["sessionClipCount"], &track["arrangementClipCount"]), (&json!(0), &json!(0)));
    assert!(api.refused(TOOL, json!({"type": "track", "path": "t0/l0"})).contains("take lanes cannot be deleted"));
}

#[test]
fn groups_take_their_members_along() {
    // t3 is a group of t4 and t5.
    let grouped = || {
        let api = Api::raw_enabled();
        crate::groups::make(&api);
        api
    };
    let api = grouped();
    let (first, second) = (api.id("live_set tracks 4"), api.id("live_set tracks 5"));
    let entry = delete(&api, "track", "t3");
    assert_eq!(entry["deletedPath"], "t3");
    assert_eq!(detail(&entry), format!("its members went with it: t4 (id {first}), t5 (id {second})"));
    assert_eq!(api.ok("svc-read-live-set", json!({}))["regularTrackCount"], 3);
    // A member that is named too has its own plain entry.
    let api = grouped();
    let list = delete(&api, "track", "t5,t3,t4,t0");
    let plain = |at: usize, path: &str| {
        assert_eq!(list[at], json!({"id": list[at]["id"], "deletedPath": path}), "{list}");
    };
    plain(0, "t5");
    plain(2, "t4");
    assert_eq!(
        (&list[3]["deletedPath"], detail(&list[3])),
        (&json!("t0"), "what was t1 to t2 is now t0 to t1"),
        "the last one tells what moved: {list}"
    );
    assert_eq!(list[1]["deletedPath"], "t3");
    assert_eq!(api.ok("svc-read-live-set", json!({}))["regularTrackCount"], 2);
    // A group is never left empty.
    let api = grouped();
    let list = delete(&api, "track", "t4,t5");
    assert!(
        list[0]["ok"] == false && detail(&list[0]).contains("delete t3") && list[1]["deletedPath"] == "t5",
        "{list}"
    );
    assert!(api.refused(TOOL, json!({"type": "track", "path": "t4"})).contains("only track of its group"));
    // Nested: the nearest group that can go.
    let api = grouped();
    api.edit_saved(|set| {
        set["tracks"][4]["kind"] = json!("group");
        set["tracks"][5]["group"] = set["tracks"][4]["serial"].clone();
    });
    let text = api.refused(TOOL, json!({"type": "track", "path": "t5"}));
    assert!(text.contains("delete t3 "), "{text}");
}

#[test]
fn devices() {
    let api = with_racks();
    for effect in ["Reverb", "Delay", "Echo"] {
        api.call("live_set tracks 2", "insert_device", json!([effect]));
    }
    let list = delete(&api, "device", "t2/d0,t2/afx2,t1/d0/c0/d0,t1/inst,t2/d9,t2");
    let gone: Vec<Option<&str>> = list.as_array().expect("six").iter().map(|e| e["deletedPath"].as_str()).collect();
    assert_eq!(gone, [Some("t2/d0"), Some("t2/d2"), Some("t1/d0/c0/d0"), Some("t1/d0"), None, None], "{list}");
    assert!(detail(&list[4]).contains("nothing there") && list[4]["ok"] == false, "{list}");
    assert!(list[5]["ok"] == false && detail(&list[5]).contains("device"), "a track is another kind: {list}");
    assert_eq!(api.get("live_set tracks 2 devices 0", "name"), json!(["Delay"]));
    assert_eq!(api.ok("svc-read-track", json!({"path": "t1"}))["deviceCount"], 0);
    assert_eq!(delete(&api, "device", "rt0/d0")["deletedPath"], "rt0/d0");
    for (path, words) in
        [("t0/d0/pC1", "names no device"), ("t0/d+", "svc-create-device"), ("t0/d0/c0", "names no device")]
    {
        let text = api.refused(TOOL, json!({"type": "device", "path": path}));
        assert!(text.contains(words), "{path}: {text}");
    }
}

#[test]
fn pads_and_their_layers() {
    let api = with_racks();
    const RACK: &str = "live_set tracks 0 devices 0";
    assert_eq!(chains(&api, RACK), ["Kick", "Click", "Snare", "All"]);
    // One layer of a pad of two; the pad keeps the other.
    let list = delete(&api, "chain", "t0/d0/pC1/c0,t0/d0/p*/c0,t0/d0/pC1/c7");
    assert_eq!((&list[0]["deletedPath"], &list[1]["deletedPath"]), (&json!("t0/d0/pC1/c0"), &json!("t0/d0/p*/c0")));
    assert!(detail(&list[2]).contains("nothing there"), "{list}");
    assert_eq!(chains(&api, RACK), ["Click", "Snare"]);
    assert_eq!(api.get(&format!("{RACK} chains 0"), "in_note"), json!([36]));
    // By its place in the rack: said once how answers spell it.
    let envelope = api.envelope(TOOL, "", &json!({"type": "chain", "path": "t0/d0/c1,t0/d0/c0"}));
    assert_eq!(envelope["result"][0]["deletedPath"], "t0/d0/pD1/c0");
    assert_eq!(envelope["warnings"].as_array().map(Vec::len), Some(1), "{envelope}");
    assert!(chains(&api, RACK).is_empty());

    let api = with_racks();
    let pad = delete(&api, "drum-pad", "t0/d0/pC1");
    assert_eq!(pad, json!({"id": pad["id"], "path": "t0/d0/pC1"}), "cleared, not removed");
    assert_eq!(chains(&api, RACK), ["Snare", "All"]);
    let pad = delete(&api, "drum-pad", "t0/d0/pC1");
    assert!(pad["path"] == "t0/d0/pC1" && detail(&pad).contains("nothing there") && pad["ok"] == false, "{pad}");
    for (kind, path, words) in [
        ("chain", "t1/d0/c0", "only layers of a drum pad"),
        ("chain", "t1/d0/c0/d0/pC1/c0", "inside another rack"),
        ("drum-pad", "t1/d0/c0/d0/pC1", "t1/d0/c0/d0/pC1/c0"),
        ("drum-pad", "t0/d0/p*", "t0/d0/p*/c0"),
        ("drum-pad", "t0/d0", "drum pad"),
        ("chain", "t0/d0/pD1", "chain"),
    ] {
        let text = api.refused(TOOL, json!({"type": kind, "path": path}));
        assert!(text.contains(words), "{kind} {path}: {text}");
    }
}

#[test]
fn malformed_calls() {
    let api = Api::new();
    for (arguments, words) in [
        (json!({"type": "track"}), "name at least one track"),
        (json!({"type": "chain", "path": ""}), "name at least one chain"),
        (json!({"type": "track", "path": "t0,,t1"}), "empty"),
        (json!({"type": "track", "path": "x"}), "no path"),
        (json!({"type": "device", "path": "t0/d0/d1"}), "no path"),
        (json!({"type": "track", "id": "t0"}), "send it as path"),
        (json!({"type": "track", "path": "t0", "paths": "t0"}), "paths"),
    ] {
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
    assert_eq!(api.bad(TOOL, json!({"path": "t0"}))["details"][0]["path"], "/type");
    assert_eq!(api.bad(TOOL, json!({"type": "pad", "path": "t0"}))["details"][0]["path"], "/type");
    // Ids add up with paths; another kind is a skip of its own.
    let api = Api::raw_enabled();
    let (track, scene) = (api.id("live_set tracks 2"), api.id("live_set scenes 1"));
    let list = api.ok(TOOL, json!({"type": "track", "id": format!("{track},{scene},999999"), "path": "t0"}));
    assert_eq!((&list[0]["deletedPath"], &list[3]["deletedPath"]), (&json!("t2"), &json!("t0")));
    assert!(list[1]["ok"] == false && detail(&list[1]).contains("is a scene"), "{list}");
    assert!(list[2]["id"] == "999999" && detail(&list[2]).contains("nothing there"), "{list}");
}

#[test]
fn a_member_that_went_with_its_group_is_no_failure() {
    // t0 holds t1 and t2, t2 holds t3.
    let api = Api::raw_enabled();
    while api.ok("svc-read-live-set", json!({}))["regularTrackCount"].as_u64().expect("a count") < 7 {
        api.call("live_set", "create_midi_track", json!([-1]));
    }
    api.edit_saved(|set| {
        for (group, members) in [(0, [1, 2].as_slice()), (2, &[3])] {
            set["tracks"][group]["kind"] = json!("group");
            let serial = set["tracks"][group]["serial"].clone();
            for member in members {
                set["tracks"][*member]["group"] = serial.clone();
            }
        }
    });
    let ids: Vec<String> = (0..7).map(|at| api.id(&format!("live_set tracks {at}"))).collect();
    let list = delete(&api, "track", "t0,t1,t2,t3,t4,t5,t6");
    let left = api.ok("svc-read-live-set", json!({}))["regularTrackCount"].clone();
    let gone: Vec<bool> = list.as_array().expect("seven").iter().map(|entry| entry.get("ok").is_none()).collect();
    assert_eq!(gone.iter().filter(|gone| !**gone).count(), left.as_u64().expect("a count") as usize, "{list}");
    assert_eq!(list[3], json!({"id": ids[3], "deletedPath": "t3"}), "{list}");
    assert_eq!(list[0]["ok"], false, "{list}");
}
