//! `svc-create-device`: where a device can go, what is made on the way, and what is refused.

use crate::support::{Api, without_moves};
use serde_json::{Value, json};

const CREATE: &str = "svc-create-device";

fn kinds(api: &Api, path: &str) -> Vec<String> {
    let track = api.ok("svc-read-track", json!({"path": path, "include": ["devices"]}));
    let types = track["devices"].as_array().expect("devices").iter();
    types.map(|d| d["type"].as_str().expect("a type").rsplit(": ").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn without_a_device_it_lists_what_can_be_made() {
    let api = Api::new();
    let list = api.ok(CREATE, json!({}));
    assert_eq!(
        list.as_object().map(|o| o.keys().cloned().collect::<Vec<_>>()),
        Some(vec!["instruments".to_owned(), "midiEffects".to_owned(), "audioEffects".to_owned()])
    );
    assert!(list["instruments"].as_array().expect("names").contains(&json!("Drum Rack")));
    assert!(list["midiEffects"].as_array().expect("names").contains(&json!("Arpeggiator")));
    assert!(list["audioEffects"].as_array().expect("names").contains(&json!("EQ Eight")));
    assert_eq!(api.ok(CREATE, json!({"device": "", "preset": null})), list);
    let body = api.envelope(CREATE, "", &json!({"path": "t0", "name": "x"}));
    assert_eq!(
        (&body["result"], &body["warnings"]),
        (&list, &json!(["path, name ignored: without device and preset nothing is made"]))
    );
}

#[test]
fn places_of_every_kind() {
    let api = Api::new();
    for (device, path, landed, created) in [
        ("Operator", "t0", "t0/d0", None),
        ("Reverb", "t0/d+", "t0/d1", None),
        ("Arpeggiator", "t0/d0", "t0/d0", None),
        ("Chord", "t0/d+", "t0/d1", None),
        ("Delay", "t0/d3", "t0/d3", None),
        ("Echo", "t0/d5", "t0/d5", None),
        ("Limiter", "mt", "mt/d0", None),
        ("Limiter", "rt1/d0", "rt1/d0", None),
        ("EQ Three", "t2/d0", "t2/d0", None),
        ("Instrument Rack", "t1", "t1/d0", None),
        ("Drift", "t1/d0/c+", "t1/d0/c0/d0", Some("c0")),
        ("Redux", "t1/d0/c0/d+", "t1/d0/c0/d1", None),
        ("Tension", "t1/d0/c3", "t1/d0/c3/d0", Some("c1-c3")),
        ("Velocity", "t1/inst/c3/d0", "t1/d0/c3/d0", None),
        ("Audio Effect Rack", "t2", "t2/d1", None),
        ("Amp", "t2/afx1/c+", "t2/d1/c0/d0", Some("c0")),
        ("MIDI Effect Rack", "t1/d0", "t1/d0", None),
        ("Scale", "t1/mfx0/c+", "t1/d0/c0/d0", Some("c0")),
    ] {
        let entry = without_moves(api.ok(CREATE, json!({"device": device, "path": path})));
        let case = format!("{device} {path}: {entry}");
        assert_eq!((&entry["path"], entry["created"].as_str()), (&json!(landed), created), "{case}");
        assert!(entry["id"].is_string() && entry.get("detail").is_none() && entry.get("params").is_none(), "{case}");
        assert_eq!(api.ok("svc-read-device", json!({"path": landed}))["id"], entry["id"], "{case}");
    }
    assert_eq!(kinds(&api, "t0"), ["Arpeggiator", "Chord", "Operator", "Delay", "Reverb", "Echo"]);
}

#[test]
fn pads_take_devices_and_layers() {
    let api = Api::new();
    api.ok(CREATE, json!({"device": "Drum Rack", "path": "t0"}));
    for (device, path, landed, created) in [
        ("Simpler", "t0/d0/pC1", "t0/d0/pC1/c0/d0", Some("c0")),
        ("Reverb", "t0/d0/pC1", "t0/d0/pC1/c0/d1", None),
        ("Operator", "t0/d0/pC1/c+", "t0/d0/pC1/c1/d0", Some("c1")),
        ("Drum Rack", "t0/inst/pD1/d0", "t0/d0/pD1/c0/d0", Some("c0")),
        ("Simpler", "t0/d0/pD1/d0/pE2", "t0/d0/pD1/c0/d0/pE2/c0/d0", Some("c0")),
    ] {
        let entry = api.ok(CREATE, json!({"device": device, "path": path}));
        assert_eq!((&entry["path"], entry["created"].as_str()), (&json!(landed), created), "{path}: {entry}");
    }
    let rack = api.ok("svc-read-device", json!({"path": "t0/d0", "include": ["chains"], "maxDepth": 2}));
    let inner = &rack["drumPads"][1]["chains"][0]["devices"][0]["drumPads"][0];
    assert_eq!((&inner["path"], inner.get("id")), (&json!("t0/d0/pD1/c0/d0/pE2"), None), "{rack}");
}

#[test]
fn reasons_that_a_device_cannot_land() {
    let api = Api::new();
    api.ok(CREATE, json!({"device": "Operator,Audio Effect Rack,MIDI Effect Rack", "path": "t0,t2,t1"}));
    for (device, path, why) in [
        ("Drift", "t0", "an instrument already"),
        ("Drift", "t2", "audio effects only"),
        ("Drift", "rt0", "audio effects only"),
        ("Arpeggiator", "mt", "audio effects only"),
        ("Reverb", "t0/d0", "cannot stand at that index, only at 1"),
        ("Drift", "t2/d0/c+", "audio effects only"),
        ("Reverb", "t1/d0/c+", "MIDI effects only"),
        ("Reverb", "t0/d0/c+", "is no rack"),
        ("Reverb", "t99", "regular tracks"),
        ("Reverb", "t0/d0/pC1", "no Drum Rack"),
        ("Amp", "t2/d0/c16", "at most 16"),
        ("Amp", "t2/d0/rc0", "return chains"),
    ] {
        let text = api.refused(CREATE, json!({"device": device, "path": path}));
        assert!(text.contains(why), "{device} {path}: {text}");
        // Beside one that goes well it is a skip, and makes nothing on the way.
        let list = api.ok(CREATE, json!({"device": format!("{device},Utility"), "path": format!("{path},mt")}));
        assert_eq!((&list[0]["path"], &list[0]["ok"]), (&json!(path), &json!(false)), "{list}");
        assert!(list[0]["detail"].as_str().is_some_and(|text| text.contains(why)), "{list}");
        assert!(list[1]["id"].is_string(), "{list}");
    }
    let rack = api.ok("svc-read-device", json!({"path": "t2/d0", "include": ["chains"]}));
    assert_eq!(rack["chains"], json!([]));
}

/// An audio effect may stand before there is an instrument, which then goes in front of it.
#[test]
fn audio_effects_stand_before_there_is_an_instrument() {
    let api = Api::new();
    for (device, path, landed, created) in [
        ("Reverb", "t0", "t0/d0", None),
        ("Delay", "t0/d0", "t0/d0", None),
        ("Operator", "t0/d+", "t0/d0", None),
        ("Arpeggiator", "t0", "t0/d0", None),
        ("Echo", "t0/d2", "t0/d2", None),
        ("Instrument Rack", "t1", "t1/d0", None),
        ("Redux", "t1/d0/c+", "t1/d0/c0/d0", Some("c0")),
        ("Drift", "t1/d0/c0", "t1/d0/c0/d0", None),
        ("Amp", "t1/d0/c0/d1", "t1/d0/c0/d1", None),
    ] {
        let entry = api.ok(CREATE, json!({"device": device, "path": path}));
        let case = format!("{device} {path}: {entry}");
        assert_eq!((&entry["path"], entry["created"].as_str()), (&json!(landed), created), "{case}");
        assert!(entry["type"].as_str().is_some_and(|kind| kind.contains(':') || kind.ends_with("rack")), "{case}");
    }
    assert_eq!(kinds(&api, "t0"), ["Arpeggiator", "Operator", "Echo", "Delay", "Reverb"]);
    let chain = api.ok("svc-read-device", json!({"path": "t1/d0", "include": ["chains"], "maxDepth": 1}));
    let devices = chain["chains"][0]["devices"].as_array().expect("devices").iter();
    let devices: Vec<&str> = devices.filter_map(|device| device["type"].as_str()).collect();
    assert_eq!(devices, ["instrument: Drift", "audio-effect: Amp", "audio-effect: Redux"]);
    // On a pad, and a copy.
    api.ok(CREATE, json!({"device": "Drum Rack", "path": "t1/d0/c+"}));
    let entry = api.ok(CREATE, json!({"device": "Redux", "path": "t1/d0/c1/d0/pC1"}));
    assert_eq!(entry["path"], "t1/d0/c1/d0/pC1/c0/d0", "{entry}");
    api.ok("svc-create-track", json!({"path": "t2"}));
    let copy = api.ok("svc-duplicate", json!({"type": "device", "path": "t0/d4", "toPath": "t2"}));
    assert_eq!(copy["path"], "t2/d0", "{copy}");
    let copy = api.ok("svc-duplicate", json!({"type": "device", "path": "t0/d1", "toPath": "t2/d1"}));
    assert_eq!(copy["path"], "t2/d0", "in front of it: {copy}");
}

/// Past the end is the end, which is told.
#[test]
fn a_place_past_the_end_is_the_end() {
    let api = Api::new();
    let entry = api.ok(CREATE, json!({"device": "Operator", "path": "t0/d9"}));
    assert_eq!(
        (&entry["path"], &entry["detail"]),
        (&json!("t0/d0"), &json!("d9 is past the end, so it stands at the end, d0"))
    );
    let list = api.ok(CREATE, json!({"device": "Reverb,Limiter", "path": "t0/d7,mt/d0"}));
    assert_eq!(
        (&list[0]["path"], &list[0]["detail"], list[1].get("detail")),
        (&json!("t0/d1"), &json!("d7 is past the end, so it stands at the end, d1"), None)
    );
}

/// What does not fit names the place, and what is in the way.
#[test]
fn a_refused_device_says_where() {
    let api = Api::new();
    api.ok(CREATE, json!({"device": "Operator,Audio Effect Rack,MIDI Effect Rack", "path": "t0,t2,t1"}));
    let named = |tool: &str, path: &str| {
        format!("{path} (id {})", api.ok(tool, json!({"path": path}))["id"].as_str().expect("an id"))
    };
    let track = |path: &str| named("svc-read-track", path);
    let device = |path: &str| named("svc-read-device", path);
    for (made, path, text) in [
        ("Drift", "t0", format!("{}: there is an instrument already, {}", track("t0"), device("t0/d0"))),
        ("Drift", "rt0", format!("{}: audio effects only", track("rt0"))),
        ("Drift", "t2/d0/c+", format!("{}: the chains of an Audio Effect Rack", device("t2/d0"))),
    ] {
        let refused = api.refused(CREATE, json!({"device": made, "path": path}));
        assert!(refused.contains(&text), "{refused} should say {text}");
    }
}

#[test]
fn calls_that_no_set_could_carry_out() {
    let api = Api::new();
    for (arguments, why) in [
        (json!({"device": "Operator"}), "path says where"),
        (json!({"device": "Opperator", "path": "t0"}), "the nearest is \"Operator\""),
        (json!({"device": "Serum", "path": "t0"}), "no native device"),
        (json!({"device": "External Instrument", "path": "t0"}), "running Live"),
        (json!({"device": "Reverb", "path": "t0/d0,t0/d1"}), "in one container"),
        (json!({"device": "Reverb", "path": "t0/s0"}), "devices go to a track or chain"),
        (json!({"device": "Reverb", "path": "t+"}), "devices go to a track or chain"),
        (json!({"device": "Reverb", "path": "t0/inst"}), "d<n>"),
        (json!({"device": "Reverb", "path": "nonsense"}), "nonsense"),
        (json!({"device": "Reverb", "path": "rt0,,rt1"}), "is empty"),
        (json!({"device": "Reverb,Delay,Echo", "path": "rt0,rt1"}), "3 values for 2"),
        (json!({"device": "Reverb", "path": "rt0,rt1", "name": "a,b,c"}), "3 values for 2"),
    ] {
        let text = api.refused(CREATE, arguments.clone());
        assert!(text.contains(why), "{arguments}: {text}");
    }
}

#[test]
fn names_pair_and_params_are_for_all() {
    let api = Api::new();
    let params = json!([{"name": "Device On", "value": "off"}]);
    let list =
        api.ok(CREATE, json!({"device": "Reverb,Redux", "path": "mt,rt0", "name": "Hall,Crush", "params": params}));
    assert_eq!(list.as_array().map(Vec::len), Some(2));
    for (entry, name) in list.as_array().expect("entries").iter().zip(["Hall", "Crush"]) {
        let read = api.ok(
            "svc-read-device",
            json!({"path": entry["path"], "paramSearch": "Device On", "include": ["param-values"]}),
        );
        assert_eq!((&read["name"], &entry["params"][0]["name"]), (&json!(name), &json!("Device On")), "{read}");
        assert!(entry["params"][0].get("ok").is_none(), "{entry}");
    }
    // The end is where its kind goes.
    let entry = api.ok(CREATE, json!({"device": "Chord", "path": "t1/d0"}));
    assert_eq!(entry.get("detail"), None, "{entry}");
    api.ok(CREATE, json!({"device": "Operator", "path": "t1/d1"}));
    let entry = api.ok(CREATE, json!({"device": "Pitch", "path": "t1/d2"}));
    assert_eq!(entry["path"], "t1/d1");
    assert!(entry["detail"].as_str().is_some_and(|text| text.contains("where its kind goes")), "{entry}");
    // Appended twice to one track: each entry tells where its device stands at the end.
    let list = api.ok(CREATE, json!({"device": "Operator,Arpeggiator", "path": "t0,t0"}));
    assert_eq!((&list[0]["path"], &list[1]["path"]), (&json!("t0/d1"), &json!("t0/d0")), "{list}");
}

#[test]
fn earlier_names_warn_and_work() {
    let api = Api::new();
    let body = api.envelope(CREATE, "", &json!({"deviceName": "Reverb", "paths": "mt"}));
    assert_eq!(body["result"]["path"], "mt/d0", "{body}");
    let warnings: Vec<&str> = body["warnings"].as_array().expect("warnings").iter().filter_map(Value::as_str).collect();
    assert!(warnings.iter().any(|text| text.contains("send device: \"Reverb\" instead")), "{warnings:?}");
    assert!(warnings.iter().any(|text| text.contains("the parameter is path")), "{warnings:?}");
    let text = api.refused(CREATE, json!({"deviceName": "Reverb", "device": "Reverb", "path": "mt"}));
    assert!(text.contains("device already says it"), "{text}");
}

#[test]
fn one_call_is_one_undo_step() {
    let api = Api::new();
    let before = api.ok("svc-read-live-set", json!({"include": ["*"]}));
    let params = json!([{"name": "pC1/sample", "value": "/nowhere.wav"}]);
    api.ok(CREATE, json!({"device": "Drum Rack,Reverb", "path": "t0,mt", "name": "Kit,Room", "params": params}));
    api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!(api.ok("svc-read-live-set", json!({"include": ["*"]})), before);
}
