//! Every tool that reads, of every kind of object that another tool can make, with everything that it can include: an
//! answer, and no error.

use crate::new_clips::file;
use crate::support::Api;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const CREATE: &str = "svc-create-device";

/// Makes tracks of each kind, scenes, locators, clips in each place, take lanes, racks in racks, pads with layers.
fn full_set() -> Api {
    let api = Api::raw_enabled();
    for (tool, arguments) in [
        ("svc-create-track", json!({"path": "t+", "name": "Keys"})),
        ("svc-create-track", json!({"path": "t+", "type": "audio", "name": "Voice"})),
        ("svc-create-track", json!({"path": "rt+", "name": "Echo"})),
        ("svc-create-scene", json!({"path": "s+", "name": "Drop"})),
        ("svc-update-live-set", json!({"locatorOperation": "create", "locatorTime": "3|1", "locatorName": "Intro"})),
        ("svc-create-clip", json!({"path": "t0/s0,t0[1|1],t0/l0[1|1]", "notes": "C3 1|1,2,3", "length": "2bar"})),
        ("svc-create-clip", json!({"path": "t2/s0,t2[1|1],t2/l0[1|1]", "sampleFile": file("half.wav")})),
        ("svc-update-clip", json!({"path": "t0/s0", "envelopes": "volume: 1|1 -6 / 2|1 0"})),
    ] {
        let (status, body) = api.answered(tool, "", &arguments);
        assert!(status == 200 && body["isError"] == false, "{tool} {arguments}: {body}");
    }
    api
}

/// Every path that stands in an answer.
fn paths(answer: &Value, found: &mut Vec<String>) {
    match answer {
        Value::Object(members) => {
            let path = members.get("path").and_then(Value::as_str);
            found.extend(path.map(str::to_owned));
            members.values().for_each(|value| paths(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| paths(value, found)),
        _ => {}
    }
}

/// The reads that a path is for.
fn reads(path: &str) -> Vec<(&'static str, Value)> {
    let everything = json!(["*"]);
    let is_lane = path.rsplit('/').next().is_some_and(|part| part.starts_with('l') && !part.contains('['));
    if path.starts_with('s') {
        return vec![("svc-read-scene", json!({"path": path, "include": everything}))];
    }
    if path.contains('[') || path.contains("/s") {
        return vec![
            ("svc-read-clip", json!({"path": path, "include": everything})),
            ("svc-read-clip", json!({"path": path, "include": ["envelopes", "image"]})),
        ];
    }
    if !path.contains('/') || is_lane {
        return vec![("svc-read-track", json!({"path": path, "include": everything}))];
    }
    let deep = json!({"path": path, "include": everything, "maxDepth": 4});
    vec![("svc-read-device", json!({"path": path, "include": everything})), ("svc-read-device", deep)]
}

/// Reads all that answers name, beginning with the Set and its tracks; gives how often each tool was asked.
fn read_all(api: &Api, about: &str) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    let mut read = |tool: &'static str, arguments: Value| {
        let (status, body) = api.answered(tool, "", &arguments);
        assert!(status == 200 && body["isError"] == false, "{about}: {tool} {arguments}: {body}");
        *counts.entry(tool).or_insert(0) += 1;
        let mut found = Vec::new();
        paths(&body["result"], &mut found);
        found
    };
    let mut waiting: VecDeque<String> = ["mt", "rt0", "rt2"].map(str::to_owned).into();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    waiting.extend(read("svc-read-live-set", json!({"include": ["*"]})));
    while let Some(path) = waiting.pop_front() {
        if seen.insert(path.clone()) {
            for (tool, arguments) in reads(&path) {
                waiting.extend(read(tool, arguments));
            }
        }
    }
    read("svc-read-history", json!({"limit": 50}));
    read("svc-read-history", json!({"diff": true, "from": 0}));
    read("svc-read-job", json!({}));
    for page in ["/api/view", "/config"] {
        assert_eq!(api.request("GET", page, "", "").status, 200, "{about}: {page}");
    }
    counts
}

#[test]
fn every_device_is_read_with_everything() {
    let api = full_set();
    let list = api.ok(CREATE, json!({}));
    let mut devices = 0;
    for (kind, names) in list.as_object().expect("kinds") {
        let place = if kind == "audioEffects" { "t3" } else { "t1" };
        for device in names.as_array().expect("names") {
            let made = api.ok(CREATE, json!({"device": device, "path": place}));
            let path = made["path"].as_str().expect("a path").to_owned();
            for (tool, arguments) in reads(&path) {
                let (status, body) = api.answered(tool, "", &arguments);
                assert!(status == 200 && body["isError"] == false, "{device}: {tool} {arguments}: {body}");
            }
            let (status, body) = api.answered("svc-read-track", "", &json!({"path": place, "include": ["*"]}));
            assert!(status == 200 && body["isError"] == false, "{device}: {body}");
            api.ok("svc-delete", json!({"type": "device", "path": path}));
            devices += 1;
        }
    }
    assert_eq!(devices, 65);
}

/// Racks with chains, their chains inside of other racks, pads with layers, return chains.
#[test]
fn every_place_is_read_with_everything() {
    let racks = [
        ("MIDI Effect Rack", "t1", "Pitch"),
        ("Instrument Rack", "t1", "Operator"),
        ("Audio Effect Rack", "t3", "Reverb"),
    ];
    for (rack, track, device) in racks {
        let api = full_set();
        api.ok(CREATE, json!({"device": rack, "path": track}));
        api.ok(CREATE, json!({"device": device, "path": format!("{track}/d0/c+")}));
        api.ok(CREATE, json!({"device": rack, "path": format!("{track}/d0/c+")}));
        api.ok(CREATE, json!({"device": device, "path": format!("{track}/d0/c1/d0/c+")}));
        let counts = read_all(&api, rack);
        assert!(counts["svc-read-device"] >= 8 && counts["svc-read-clip"] >= 8, "{rack}: {counts:?}");
        let read = api.ok("svc-read-device", json!({"path": format!("{track}/d0"), "include": ["*"], "maxDepth": 3}));
        assert_eq!(read["chains"].as_array().map(Vec::len), Some(2), "{read}");
        changed_and_read(&api, rack, track);
    }
    let api = full_set();
    api.ok(CREATE, json!({"device": "Drum Rack", "path": "t1"}));
    api.ok(CREATE, json!({"device": "Simpler", "path": "t1/d0/pC1"}));
    api.ok(CREATE, json!({"device": "Operator", "path": "t1/d0/pC1/c+"}));
    api.ok(CREATE, json!({"device": "Instrument Rack", "path": "t1/d0/pD1"}));
    let counts = read_all(&api, "Drum Rack");
    assert!(counts["svc-read-device"] >= 8, "{counts:?}");
}

/// What else tools do with a chain: none of it breaks a read.
fn changed_and_read(api: &Api, rack: &str, track: &str) {
    let chain = format!("{track}/d0/c0");
    for (tool, arguments) in [
        ("svc-update-device", json!({"path": chain, "name": "Up", "mute": true})),
        ("svc-update-device", json!({"path": chain, "gainDb": -6, "pan": 0.5})),
        ("svc-duplicate", json!({"type": "chain", "path": chain})),
        ("svc-duplicate", json!({"type": "device", "path": format!("{track}/d0")})),
        ("svc-duplicate", json!({"type": "track", "path": track})),
        ("svc-delete", json!({"type": "chain", "path": format!("{track}/d0/c1")})),
        ("svc-manage", json!({"action": "undo"})),
    ] {
        let (status, body) = api.answered(tool, "", &arguments);
        let told = body.to_string();
        assert!(status == 200 && !told.contains("has no member"), "{rack}: {tool} {arguments}: {told}");
    }
    read_all(api, &format!("{rack}, changed"));
}

#[test]
fn chains_of_midi_racks_have_only_a_switch() {
    let api = Api::raw_enabled();
    api.ok(CREATE, json!({"device": "MIDI Effect Rack", "path": "t1"}));
    api.ok(CREATE, json!({"device": "Pitch", "path": "t1/d0/c+"}));
    let read = api.ok("svc-read-device", json!({"path": "t1/d0/c0", "include": ["*"]}));
    assert!(read.get("gainDb").is_none() && read.get("pan").is_none() && read.get("sends").is_none(), "{read}");
    let refused = api.ok("svc-update-device", json!({"path": "t1/d0/c0", "name": "Up", "gainDb": -6}));
    assert!(refused["detail"].as_str().is_some_and(|detail| detail.contains("gainDb")), "{refused}");
    api.ok("svc-update-device", json!({"path": "t1/d0/c0", "mute": true}));
    let read = api.ok("svc-read-device", json!({"path": "t1/d0", "include": ["chains"]}));
    assert_eq!((&read["chains"][0]["name"], &read["chains"][0]["state"]), (&json!("Up"), &json!("muted")), "{read}");
}
