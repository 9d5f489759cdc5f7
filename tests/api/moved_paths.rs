//! What stands behind something that a call puts in or takes away has another path afterwards, and the answer says so.

use crate::support::Api;
use serde_json::{Value, json};

/// Three tracks of which the first has a MIDI effect, an instrument and two audio effects.
fn stage() -> Api {
    let api = Api::new();
    api.ok("svc-delete", json!({"type": "track", "path": "t3"}));
    for device in ["Arpeggiator", "Operator", "EQ Eight", "Reverb"] {
        api.ok("svc-create-device", json!({"path": "t0", "device": device}));
    }
    api
}

/// The last entry of an answer.
fn last(answer: &Value) -> &Value {
    answer.as_array().map_or(answer, |entries| entries.last().expect("an entry"))
}

#[test]
fn what_was_shifted_is_told() {
    for (tool, arguments, said) in [
        ("svc-create-track", json!({"path": "t1"}), Some("what was t1 is now t2, those behind it moved along")),
        ("svc-create-track", json!({"path": "t2", "name": "X"}), Some("what was t2 is now t3")),
        (
            "svc-create-track",
            json!({"path": "t0,t2"}),
            Some("what was t0 to t1 is now t1 to t2, what was t2 is now t4"),
        ),
        ("svc-create-track", json!({"path": "t+,t3"}), None),
        ("svc-create-track", json!({"path": "rt+"}), None),
        ("svc-create-scene", json!({"path": "s2"}), Some("what was s2 is now s3, those behind it moved along")),
        ("svc-create-scene", json!({"path": "s+"}), None),
        ("svc-create-scene", json!({"path": "s9"}), None),
        (
            "svc-create-scene",
            json!({"path": "s0", "capture": true}),
            Some("what was s0 is now s1, those behind it moved along"),
        ),
        (
            "svc-delete",
            json!({"type": "track", "path": "t0"}),
            Some("what was t1 is now t0, those behind it moved along"),
        ),
        ("svc-delete", json!({"type": "track", "path": "t2"}), None),
        ("svc-delete", json!({"type": "track", "path": "rt0"}), Some("what was rt1 is now rt0")),
        (
            "svc-delete",
            json!({"type": "scene", "path": "s0,s3"}),
            Some("what was s1 to s2 is now s0 to s1, what was s4 is now s2, those behind it moved along"),
        ),
        ("svc-delete", json!({"type": "scene", "path": "s99"}), None),
        ("svc-delete", json!({"type": "device", "path": "t0/d2"}), Some("what was t0/d3 is now t0/d2")),
        (
            "svc-duplicate",
            json!({"type": "track", "path": "t0"}),
            Some("what was t1 is now t2, those behind it moved along"),
        ),
        ("svc-duplicate", json!({"type": "track", "path": "t2"}), None),
        (
            "svc-duplicate",
            json!({"type": "scene", "path": "s5", "count": 2}),
            Some("what was s6 is now s8, those behind it moved along"),
        ),
        (
            "svc-duplicate",
            json!({"type": "device", "path": "t0/d2", "toPath": "t0/d2"}),
            Some("what was t0/d2 is now t0/d3, those behind it moved along"),
        ),
        ("svc-duplicate", json!({"type": "device", "path": "t0/d2", "toPath": "rt0"}), None),
        // It goes in front of the instrument.
        (
            "svc-create-device",
            json!({"path": "t0", "device": "Scale"}),
            Some("what was t0/d1 is now t0/d2, those behind it moved along"),
        ),
        ("svc-create-device", json!({"path": "t0", "device": "Saturator"}), None),
        ("svc-update-device", json!({"path": "t0/d2", "toPath": "rt0"}), Some("what was t0/d3 is now t0/d2")),
        ("svc-update-device", json!({"path": "t0/d2", "toPath": "t0/d+"}), Some("what was t0/d3 is now t0/d2")),
        (
            "svc-update-device",
            json!({"path": "t0/d0,t0/d1", "wrapInRack": true}),
            Some("what was t0/d2 is now t0/d1, those behind it moved along"),
        ),
        ("svc-update-device", json!({"path": "t0/d2", "name": "X"}), None),
    ] {
        let answer = stage().ok(tool, arguments.clone());
        let detail = last(&answer)["detail"].as_str().unwrap_or_default();
        match said {
            Some(said) => assert!(detail.ends_with(said), "{tool} {arguments}: {answer}"),
            None => assert!(!detail.contains("is now"), "{tool} {arguments}: {answer}"),
        }
    }
}

/// Each sentence is true: what stood at the first path is read at the second.
#[test]
fn what_is_told_is_where_it_is() {
    let api = Api::new();
    let name = |path: &str| api.ok("svc-read-track", json!({"path": path}))["id"].clone();
    let before = name("t1");
    let answer = api.ok("svc-create-track", json!({"path": "t0,t1,t1", "name": "A,B,C"}));
    let detail = last(&answer)["detail"].as_str().expect("a detail");
    let to = detail.split("what was t1 is now ").nth(1).expect(detail).split(',').next().expect(detail);
    assert_eq!(name(to), before, "{answer}");
}

/// Where an earlier item of a call makes the place, a later one goes there.
#[test]
fn later_items_see_what_earlier_ones_made() {
    let api = Api::new();
    let made = api.ok(
        "svc-create-device",
        json!({"path": "t0/d+,t0/d0/c+,t0/d0/c1,t0/d0/c0/d+", "device": "Instrument Rack,Operator,Analog,Reverb"}),
    );
    let paths: Vec<&str> = made.as_array().expect("entries").iter().filter_map(|one| one["path"].as_str()).collect();
    assert_eq!(paths, ["t0/d0", "t0/d0/c0/d0", "t0/d0/c1/d0", "t0/d0/c0/d1"], "{made}");
    let pads = api.ok("svc-create-device", json!({"path": "t1/d+,t1/d0/pC1", "device": "Drum Rack,Simpler"}));
    assert_eq!(last(&pads)["path"], json!("t1/d0/pC1/c0/d0"), "{pads}");
    // A rack, and into it what stood beside it.
    api.ok("svc-create-device", json!({"path": "t2", "device": "Audio Effect Rack"}));
    api.ok("svc-create-device", json!({"path": "t2", "device": "Reverb"}));
    let moved = api.ok("svc-update-device", json!({"path": "t2/d0,t2/d1", "toPath": "t3/d+,t3/d0/c+"}));
    assert_eq!(last(&moved)["path"], json!("t3/d0/c0/d0"), "{moved}");
    let copied =
        api.ok("svc-duplicate", json!({"type": "device", "path": "t3/d0,t0/d0/c0/d1", "toPath": "t2/d+,t2/d0/c0/d+"}));
    assert_eq!(last(&copied)["path"], json!("t2/d0/c0/d1"), "{copied}");
    // What nothing makes stays a skip, and says so as the Set is by then.
    let envelope = api.envelope("svc-create-device", "", &json!({"path": "t2/d+,t2/d7/c+", "device": "Reverb,Reverb"}));
    assert_eq!(envelope["result"][1]["ok"], json!(false), "{envelope}");
    assert!(envelope["result"][1]["detail"].as_str().is_some_and(|why| why.contains("t2 has 2 devices")), "{envelope}");
}
