//! A clip that a call lays covers what its result covers and nothing else, and every source is read before the first
//! write: in every order of the targets, between Session, Arrangement and take lanes.

use crate::settled_answers::names_what_is_there;
use crate::support::Api;
use serde_json::{Value, json};

/// Name, path and length of the clips of a lane.
pub fn lane(api: &Api, path: &str) -> Vec<String> {
    let read = api.ok("svc-read-track", json!({"path": path, "include": ["arrangement-clips"]}));
    let clips = read["arrangementClips"].as_array().or(read["clips"].as_array()).cloned().unwrap_or_default();
    let word = |clip: &Value, field: &str| clip[field].as_str().unwrap_or_default().to_owned();
    clips.iter().map(|c| ["name", "path", "arrangementLength"].map(|field| word(c, field)).join(" ")).collect()
}

pub fn made(places: &[(&str, &str, &str, bool)]) -> Api {
    let api = Api::new();
    for (path, length, name, looping) in places {
        let call = json!({"path": path, "length": length, "name": name, "looping": looping, "notes": "C3 1|1"});
        api.ok("svc-create-clip", call);
    }
    api
}

pub fn call(api: &Api, tool: &str, arguments: &Value) -> Value {
    let answer = api.ok(tool, arguments.clone());
    names_what_is_there(api, &answer).unwrap_or_else(|why| panic!("{tool} {arguments}: {why}\n{answer}"));
    answer
}

#[test]
fn a_shorter_move_spares_its_neighbours() {
    for looping in [true, false] {
        // Where the moved clip of four bars is, in each view.
        for from in ["t0[21|1]", "t0/s0", "t1[21|1]", "t0/l0[21|1]", "t0[3|1]"] {
            for length in ["1bar", "n/2"] {
                let api = made(&[("t0[6|1]", "1bar", "neighbour", looping), (from, "4bar", "moved", looping)]);
                if from == "t0[3|1]" {
                    api.ok("svc-create-clip", json!({"path": "t0[6|1]", "length": "1bar", "name": "neighbour"}));
                }
                let arguments = json!({"path": from, "toPath": "t0[5|1]", "arrangementLength": length});
                let answer = call(&api, "svc-update-clip", &arguments);
                let shown = api.ok("svc-read-clip", json!({"path": "t0[5|1]"}));
                assert_eq!(shown["name"], "moved", "{answer}");
                let then = lane(&api, "t0");
                assert!(then.contains(&"neighbour t0[6|1] 1bar".to_owned()), "{arguments}: {then:?} {answer}");
            }
        }
    }
}

#[test]
fn a_shorter_move_spares_later_targets() {
    for (paths, places) in [("t0[21|1],t0[6|1]", "[5|1],[30|1]"), ("t0[6|1],t0[21|1]", "[30|1],[5|1]")] {
        for first in ["t0[21|1]", "t0/s0", "t0/l0[21|1]"] {
            let api = made(&[("t0[6|1]", "1bar", "second", true), (first, "4bar", "first", true)]);
            let paths = paths.replace("t0[21|1]", first);
            let places = places.replace('[', "t0[");
            let arguments = json!({"path": paths, "toPath": places, "arrangementLength": "1bar"});
            call(&api, "svc-update-clip", &arguments);
            assert_eq!(lane(&api, "t0"), ["first t0[5|1] 1bar", "second t0[30|1] 1bar"], "{arguments}");
        }
    }
}

#[test]
fn a_growing_move_spares_its_neighbours() {
    for by_id in [false, true] {
        let api = made(&[("t0[1|1]", "1bar", "moved", false), ("t0[2|1]", "1bar", "neighbour", false)]);
        let id = api.ok("svc-read-clip", json!({"path": "t0[1|1]"}))["id"].clone();
        let mut arguments = json!({"length": "4bar", "toPath": "t0[21|1]"});
        arguments[if by_id { "id" } else { "path" }] = if by_id { id } else { json!("t0[1|1]") };
        call(&api, "svc-update-clip", &arguments);
        assert_eq!(lane(&api, "t0"), ["neighbour t0[2|1] 1bar", "moved t0[21|1] 4bar"], "{arguments}");
    }
    // Off a take lane, where what it leaves stays.
    let api = made(&[("t0/l0[1|1]", "1bar", "moved", false), ("t0/l0[2|1]", "1bar", "neighbour", false)]);
    call(&api, "svc-update-clip", &json!({"path": "t0/l0[1|1]", "length": "4bar", "toPath": "t0[21|1]"}));
    assert_eq!(lane(&api, "t0"), ["moved t0[21|1] 4bar"]);
    assert_eq!(lane(&api, "t0/l0"), ["moved: moved t0/l0[1|1] 1bar", "neighbour t0/l0[2|1] 1bar"]);
    // Doubled, and shorter in the end than its region on the way.
    for more in [
        json!({"duplicateLoop": true, "toPath": "t0[21|1]"}),
        json!({"duplicateLoop": true, "arrangementLength": "1bar"}),
        json!({"length": "4bar", "arrangementLength": "1bar"}),
    ] {
        let api = made(&[("t0[1|1]", "1bar", "moved", false), ("t0[2|1]", "1bar", "neighbour", false)]);
        let mut arguments = json!({"path": "t0[1|1]"});
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        call(&api, "svc-update-clip", &arguments);
        let then = lane(&api, "t0");
        assert!(then.contains(&"neighbour t0[2|1] 1bar".to_owned()), "{arguments}: {then:?}");
    }
}

#[test]
fn copies_over_their_source_are_whole() {
    for looping in [true, false] {
        for (to, lengths) in [("[1|1]", "3bar"), ("[1|1],[9|1]", "3bar"), ("[9|1],[1|1]", "3bar"), ("[1|3]", "3bar")] {
            let api = made(&[("t0[1|1]", "1bar", "loop", looping)]);
            let arguments = json!({"type": "clip", "path": "t0[1|1]", "toPath": to, "arrangementLength": lengths});
            let answer = call(&api, "svc-duplicate", &arguments);
            assert!(!answer.to_string().contains("no such object"), "{arguments}: {answer}");
            assert!(!answer.to_string().contains("already changed"), "{arguments}: {answer}");
            let clips = if looping { 3 } else { 1 };
            let copies = to.split(',').count() * clips + usize::from(to == "[1|3]");
            assert_eq!(lane(&api, "t0").len(), copies, "{arguments}: {:?}", lane(&api, "t0"));
        }
    }
}

#[test]
fn copies_over_one_source_are_made() {
    for on in ["t0", "t0/l0"] {
        for to in ["[2|1],[1|3]", "[1|3],[2|1]", "[9|1],[2|1]", "[2|1],[9|1]"] {
            let api = made(&[(&format!("{on}[1|1]"), "2bar", "source", true)]);
            let arguments = json!({"type": "clip", "path": format!("{on}[1|1]"), "toPath": to, "name": "a,b"});
            let list = call(&api, "svc-duplicate", &arguments);
            assert!(list[0].get("ok").is_none() && list[1].get("ok").is_none(), "{on} {to}: {list}");
            let names: Vec<String> =
                lane(&api, on).iter().map(|clip| clip.split(' ').next().unwrap_or_default().to_owned()).collect();
            assert!(["a", "b"].iter().all(|name| names.contains(&(*name).to_owned())), "{on} {to}: {names:?}");
        }
    }
}

#[test]
fn sources_are_read_before_copies() {
    // A pad that gets a copy is copied as it was.
    for (path, to) in [("pC1,pD1", "pD1,pE1"), ("pD1,pC1", "pE1,pD1")] {
        let api = Api::new();
        api.ok("svc-create-device", json!({"path": "t0", "device": "Drum Rack"}));
        api.ok("svc-create-device", json!({"path": "t0/d0/pC1/c+,t0/d0/pD1/c+", "device": "Simpler"}));
        let of_rack = |list: &str| list.split(',').map(|pad| format!("t0/d0/{pad}")).collect::<Vec<_>>().join(",");
        let arguments = json!({"type": "drum-pad", "path": of_rack(path), "toPath": of_rack(to)});
        call(&api, "svc-duplicate", &arguments);
        for (pad, layers) in [("pC1/c1", false), ("pD1/c1", true), ("pE1/c0", true), ("pE1/c1", false)] {
            let read = api.envelope("svc-read-device", "", &json!({"path": format!("t0/d0/{pad}")}));
            assert_eq!(read["isError"] == false, layers, "{arguments}: {pad}");
        }
    }
    // A rack that gets a copy is copied without it.
    for (path, to) in [("t0/d0,t0/d1", "t0/d1/c0,t1"), ("t0/d1,t0/d0", "t1,t0/d1/c0")] {
        let api = Api::new();
        api.ok("svc-create-device", json!({"path": "t0,t0", "device": "Reverb,Audio Effect Rack"}));
        api.ok("svc-create-device", json!({"path": "t0/d1/c+", "device": "Delay"}));
        call(&api, "svc-duplicate", &json!({"type": "device", "path": path, "toPath": to}));
        let inside = api.ok("svc-read-track", json!({"path": "t1", "include": ["devices"]}));
        assert!(
            !inside.to_string().contains("Reverb") && inside.to_string().to_lowercase().contains("rack"),
            "{path}: {inside}"
        );
        assert!(api.envelope("svc-read-device", "", &json!({"path": "t1/d0/c0/d1"}))["isError"] == true);
    }
    // Lanes that go onto each other.
    for (path, to) in [("t0/l0,t0/l1", "t0/l1,t0/l2"), ("t0/l1,t0/l0", "t0/l2,t0/l1")] {
        let api = made(&[("t0/l0[1|1]", "1bar", "a", true), ("t0/l1[1|1]", "1bar", "b", true)]);
        call(&api, "svc-duplicate", &json!({"type": "track", "path": path, "toPath": to}));
        assert_eq!(lane(&api, "t0/l1"), ["a t0/l1[1|1] 1bar"]);
        assert_eq!(lane(&api, "t0/l2"), ["b t0/l2[1|1] 1bar"]);
    }
}

#[test]
fn sources_are_read_before_nested_copies() {
    // A group in a group, and a member of it.
    for path in ["t2,t4,t5", "t5,t4,t2", "t4,t2,t5"] {
        let api = Api::new();
        api.ok("svc-create-track", json!({"path": "t+,t+,t+"}));
        api.edit_saved(|set| {
            for (at, group) in [(3, 2), (4, 2), (5, 4)] {
                set["tracks"][group]["kind"] = json!("group");
                set["tracks"][at]["group"] = set["tracks"][group]["serial"].clone();
            }
            set["tracks"][3]["kind"] = json!("midi");
        });
        let tracks = || api.ok("svc-read-live-set", json!({"include": ["tracks"]}))["tracks"].as_array().map(Vec::len);
        let before = tracks();
        api.ok("svc-duplicate", json!({"type": "track", "path": path}));
        assert_eq!(tracks(), before.map(|before| before + 4 + 2 + 1), "{path}");
    }
    // A device in a rack, and the rack; its chain, and a device in a rack inside it.
    for (kind, path) in [
        ("device", "t2/d0,t2/d0/c0/d0"),
        ("device", "t2/d0/c0/d0,t2/d0"),
        ("chain", "t2/d0/c0,t2/d0/c0/d0/c0"),
        ("chain", "t2/d0/c0/d0/c0,t2/d0/c0"),
    ] {
        let api = Api::new();
        for rack in ["t2", "t2/d0/c+"] {
            api.ok("svc-create-device", json!({"path": rack, "device": "Audio Effect Rack"}));
        }
        api.ok("svc-create-device", json!({"path": "t2/d0/c0/d0/c+", "device": "Reverb"}));
        call(&api, "svc-duplicate", &json!({"type": kind, "path": path}));
        let read = json!({"path": "t2/d0,t2/d1", "include": ["chains"], "maxDepth": 5});
        let all = match kind {
            "device" => api.ok("svc-read-device", read),
            _ => api.ok("svc-read-device", json!({"path": "t2/d0", "include": ["chains"], "maxDepth": 5})),
        };
        assert_eq!(all.to_string().matches("audio-effect: Reverb").count(), 3, "{path}: {all}");
    }
    // A pad that holds a rack, and a pad of that rack.
    for (path, to) in [("pC1,pC1/c0/d0/pC1", "pD1,pC1/c0/d0/pD1"), ("pC1/c0/d0/pC1,pC1", "pC1/c0/d0/pD1,pD1")] {
        let api = Api::new();
        api.ok("svc-create-device", json!({"path": "t0,t1", "device": "Drum Rack"}));
        api.ok("svc-create-device", json!({"path": "t0/d0/pE1/c+,t1/d0/pC1/c+", "device": "Reverb,Simpler"}));
        let inside = json!({"type": "device", "path": "t1/d0", "toPath": "t0/d0/pC1/c+"});
        api.ok("svc-duplicate", inside);
        let of_rack = |list: &str| list.split(',').map(|pad| format!("t0/d0/{pad}")).collect::<Vec<_>>().join(",");
        call(&api, "svc-duplicate", &json!({"type": "drum-pad", "path": of_rack(path), "toPath": of_rack(to)}));
        for (pad, is_there) in [("pC1/c0/d0/pD1/c0", true), ("pD1/c0/d0/pC1/c0", true), ("pD1/c0/d0/pD1/c0", false)] {
            let read = api.envelope("svc-read-device", "", &json!({"path": format!("t0/d0/{pad}")}));
            assert_eq!(read["isError"] == false, is_there, "{path}: {pad}");
        }
    }
}

#[test]
fn lanes_copied_onto_one_tell_losses() {
    let stage = || {
        made(&[
            ("t0[1|1]", "4bar", "A", true),
            ("t1[2|1]", "1bar", "B", true),
            ("t1[4|1]", "4bar", "C", true),
            ("t1[11|1]", "1bar", "D", true),
        ])
    };
    let lanes = |path: &str, to: &str| {
        let api = stage();
        let list = call(&api, "svc-duplicate", &json!({"type": "track", "path": path, "toPath": to}));
        (api, list)
    };
    let (api, list) = lanes("t1,t0", "t1/l0,t1/l0");
    let said = list[0]["detail"].as_str().unwrap_or_default();
    assert!(said.contains("1 of its clips: overwritten by the copy of t0 (id "), "{list}");
    assert!(said.contains("t1/l0[5|1] (id ") && said.contains("): shortened by the copy of t0 (id "), "{list}");
    assert!(said.contains("named later in this call") && !said.contains("stayed behind"), "{list}");
    assert_eq!(list[0]["clips"].as_array().map(Vec::len), Some(2), "{list}");
    assert_eq!(lane(&api, "t1/l0"), ["A t1/l0[1|1] 4bar", "C t1/l0[5|1] 3bar", "D t1/l0[11|1] 1bar"]);
    // In the other order nothing is gone, but cut in two.
    let (_, list) = lanes("t0,t1", "t1/l0,t1/l0");
    let said = list[0]["detail"].as_str().unwrap_or_default();
    assert!(
        said.contains("shortened by the copy of t1 (id ") && said.contains("it goes on at t1/l0[3|1] (id "),
        "{list}"
    );
    // The same source twice, and one whose clips all lie where those of another go.
    let (_, list) = lanes("t0,t0", "t1/l0,t1/l0");
    assert_eq!((&list[0]["ok"], list[1].get("ok"), &list[1]["created"]), (&json!(false), None, &json!("l0")), "{list}");
    let api = made(&[("t0[1|1]", "4bar", "A", true), ("t1[2|1]", "1bar", "B", true)]);
    let list = call(&api, "svc-duplicate", &json!({"type": "track", "path": "t1,t0", "toPath": "t1/l0,t1/l0"}));
    assert_eq!((&list[0]["ok"], list[1].get("ok")), (&json!(false), None), "{list}");
    // Each source as it was before the call.
    let (_, list) = lanes("t0,t1", "t1/l0,t0/l0");
    assert!(!list.to_string().contains("stayed behind"), "{list}");
    let (_, list) = lanes("t0,t0", "t1/l+,t1/l+");
    assert!(list.as_array().is_some_and(|list| list.iter().all(|one| one.get("ok").is_none())), "{list}");
}

#[test]
fn only_what_goes_on_is_split() {
    let stage =
        || made(&[("t0[1|1]", "2bar", "big", true), ("t0[5|1]", "1bar", "one", true), ("t0/s0", "1bar", "slot", true)]);
    for (tool, arguments) in [
        ("svc-update-clip", json!({"path": "t0[5|1]", "toPath": "[2|1]"})),
        ("svc-update-clip", json!({"path": "t0/s0", "toPath": "t0[2|1]"})),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t0[2|1]"})),
        ("svc-duplicate", json!({"type": "clip", "path": "t0[1|1]", "toPath": "[2|1]", "arrangementLength": "1bar"})),
        ("svc-duplicate", json!({"type": "scene", "path": "s0", "toPath": "[2|1]", "arrangementLength": "1bar"})),
        ("svc-create-clip", json!({"path": "t0[2|1]", "length": "1bar"})),
    ] {
        let api = stage();
        let answer = call(&api, tool, &arguments);
        let said = answer["detail"].as_str().unwrap_or_default();
        assert!(said.contains("shortened t0[1|1] (id ") && !said.contains("split"), "{arguments}: {answer}");
    }
    // In its middle it is.
    let api = made(&[("t0[1|1]", "3bar", "big", true)]);
    let answer = call(&api, "svc-create-clip", &json!({"path": "t0[2|1]", "length": "1bar"}));
    let said = answer["detail"].as_str().unwrap_or_default();
    assert!(said.contains("split t0[1|1] (id ") && said.contains("into t0[1|1] and t0[3|1] (id "), "{answer}");
}

#[test]
fn scenes_and_parts_spare_their_neighbours() {
    // A scene that is laid out shorter than its clips, one copy and several.
    for to in ["[5|1]", "[5|1],[21|1]"] {
        let api = made(&[("t0/s0", "4bar", "a", true), ("t1/s0", "4bar", "b", false), ("t0[6|1]", "1bar", "n", true)]);
        let arguments = json!({"type": "scene", "path": "s0", "toPath": to, "arrangementLength": "1bar"});
        call(&api, "svc-duplicate", &arguments);
        assert!(lane(&api, "t0").contains(&"n t0[6|1] 1bar".to_owned()), "{arguments}: {:?}", lane(&api, "t0"));
    }
    // With count it stays in the Session, and the length is told to be ignored.
    let api = made(&[("t0/s0", "4bar", "a", true)]);
    let copy = json!({"type": "scene", "path": "s0", "count": 2, "arrangementLength": "1bar"});
    let envelope = api.envelope("svc-duplicate", "", &copy);
    assert!(envelope.to_string().contains("arrangementLength ignored"), "{envelope}");
    assert!(lane(&api, "t0").is_empty());
    // A part that is copied out of a longer clip, by a cut and a copy of the piece.
    let api = made(&[("t0[1|1]", "4bar", "long", false)]);
    call(&api, "svc-update-clip", &json!({"path": "t0[1|1]", "arrangementSplit": "2|1,3|1"}));
    call(
        &api,
        "svc-duplicate",
        &json!({"type": "clip", "path": "t0[2|1]", "toPath": "[2|1]", "arrangementLength": "1bar"}),
    );
    let then: Vec<String> = lane(&api, "t0").iter().map(|clip| clip.replace("long ", "")).collect();
    assert_eq!(then, ["t0[1|1] 1bar", "t0[2|1] 1bar", "t0[3|1] 2bar"]);
}

#[test]
fn notes_that_quantizing_loses_are_counted() {
    // Notes, what is quantized and how; the notes counted and left out, and those that are there.
    for (notes, more, quantized, lost, there) in [
        ("n/16 v100 C3 1|1 v50 C3 1|1.1 v20 C3 1|1.3", json!({}), 1, 2, 1),
        ("n/16 C3 1|1 D3 1|1.1", json!({}), 1, 0, 2),
        ("n/16 C3 1|1 C3 1|1.1 D3 1|1.1", json!({"quantizePitch": "C3"}), 1, 1, 2),
        ("n/16 C3 1|1,2", json!({}), 0, 0, 2),
    ] {
        for path in ["t0/s0", "t0[1|1]", "t0/l0[1|1]"] {
            let api = Api::new();
            api.ok("svc-create-clip", json!({"path": path, "length": "1bar", "notes": notes}));
            let mut call = json!({"path": path, "quantize": 1, "quantizeGrid": "1/4"});
            call.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            let entry = api.ok("svc-update-clip", call);
            let said = entry["detail"].as_str().unwrap_or_default();
            let left_out = format!("{lost} note{} left out", if lost == 1 { " was" } else { "s were" });
            assert_eq!(said.contains(&left_out), lost > 0, "{notes} {path}: {entry}");
            assert_eq!(entry["quantized"].as_u64().unwrap_or_default(), quantized, "{notes} {path}: {entry}");
            assert_eq!(entry["noteCount"], there, "{notes} {path}: {entry}");
        }
    }
}

#[test]
fn places_named_twice_are_done_once() {
    for (tool, arguments) in [
        ("svc-create-clip", json!({"path": "t0/s0,t0/s0", "name": "a,b"})),
        ("svc-create-clip", json!({"path": "t0[1|1],t0[1|1]", "name": "a,b"})),
        ("svc-create-clip", json!({"path": "t0/l0[1|1],t0/l0[1|1]", "name": "a,b"})),
        ("svc-duplicate", json!({"type": "clip", "path": "t1/s0", "toPath": "t0/s0,t0/s0", "name": "a,b"})),
        ("svc-duplicate", json!({"type": "clip", "path": "t1/s0", "toPath": "t0[1|1],t0[1|1]", "name": "a,b"})),
    ] {
        let api = made(&[("t1/s0", "1bar", "source", true)]);
        let list = call(&api, tool, &arguments);
        assert_eq!((&list[0]["ok"], list[1].get("ok")), (&json!(false), None), "{arguments}: {list}");
    }
    let api = Api::new();
    let call = json!({"locatorOperation": "create", "locatorTime": "5|1,5|1", "locatorName": "a,b"});
    let list = api.ok("svc-update-live-set", call)["locator"].clone();
    assert_eq!((&list[0]["ok"], list[1].get("ok")), (&json!(false), None), "{list}");
    // An object that is named twice did change.
    let list = api.ok("svc-update-track", json!({"path": "t0,t0", "name": "a,b"}));
    assert_eq!(list[0].get("ok"), None, "{list}");
}
