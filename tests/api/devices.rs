//! `svc-read-device`: devices, chains and pads, what each include adds, and how deep.

use crate::support::Api;
use serde_json::{Value, json};

const READ: &str = "svc-read-device";
const CREATE: &str = "svc-create-device";

fn read(api: &Api, path: &str, include: Value) -> Value {
    api.ok(READ, json!({"path": path, "include": include}))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().map_or_else(Vec::new, |map| map.keys().map(String::as_str).collect())
}

/// A Drum Rack with two pads, one of them layered, and an Instrument Rack with a rack inside.
fn stage() -> Api {
    let api = Api::new();
    for (device, path, name) in [
        ("Drum Rack", "t0", "Kit"),
        ("Simpler", "t0/d0/pC1", "Kick"),
        ("Operator", "t0/d0/pC1/c+", "Sub"),
        ("Simpler", "t0/d0/pD1", "Snare"),
        ("Instrument Rack", "t1", "Instrument Rack"),
        ("Operator", "t1/d0/c+", "Operator"),
        ("Reverb", "t1/d0/c0", "Reverb"),
        ("Instrument Rack", "t1/d0/c+", "Inner"),
        ("Analog", "t1/d0/c1/d0/c+", "Analog"),
    ] {
        api.ok(CREATE, json!({"device": device, "path": path, "name": name}));
    }
    api
}

#[test]
fn what_a_device_is() {
    let api = stage();
    for (path, kind, name) in [
        ("rt0/d0", "audio-effect: Reverb", None),
        ("t0/d0", "drum-rack", Some("Kit")),
        ("t0/inst", "drum-rack", Some("Kit")),
        ("t1/d0", "instrument-rack", None),
        ("t1/d0/c0/d0", "instrument: Operator", None),
        ("t1/d0/c0/afx0", "audio-effect: Reverb", None),
        ("t0/d0/pC1/d0", "instrument: Simpler", Some("Kick")),
        ("t0/d0/pC1/c1/d0", "instrument: Operator", Some("Sub")),
    ] {
        let device = read(&api, path, json!([]));
        assert_eq!((&device["type"], device.get("name")), (&json!(kind), name.map(|n| json!(n)).as_ref()), "{device}");
        assert!(keys(&device).iter().all(|key| ["id", "path", "type", "name", "sounds"].contains(key)), "{device}");
        // What is answered can be sent back.
        let again = read(&api, device["path"].as_str().expect("a path"), json!([]));
        let by_id = api.ok(READ, json!({"id": device["id"]}));
        assert_eq!((&again, &by_id), (&device, &device));
    }
    let off = json!([{"name": "Device On", "value": "off"}]);
    api.ok(CREATE, json!({"device": "Delay", "path": "mt", "params": off}));
    assert_eq!(read(&api, "mt/d0", json!([]))["deactivated"], true);
}

#[test]
fn each_include_adds_its_own() {
    let api = stage();
    for (path, include, adds) in [
        ("t0/d0", "chains", &["drumPads"][..]),
        ("t0/d0", "drum-pads", &["drumPads"]),
        ("t0/d0", "return-chains", &["returnChains"]),
        ("t0/d0", "drum-map", &["drumMap", "drumRackPath"]),
        ("t0/d0", "params", &["parameters", "variations", "macros"]),
        ("t1/d0", "chains", &["chains"]),
        ("t1/d0", "drum-map", &["drumMap"]),
        ("rt0/d0", "chains", &[]),
        ("rt0/d0", "params", &["parameters", "abCompare"]),
        ("rt0/d0", "param-values", &["parameters", "abCompare"]),
        ("rt0/d0", "actions", &["actions"]),
        ("rt0/d0", "options", &["options"]),
        ("rt0/d0", "sample", &[]),
    ] {
        let plain = read(&api, path, json!([]));
        let more = read(&api, path, json!([include]));
        let added: Vec<&str> = keys(&more).into_iter().filter(|key| plain.get(key).is_none()).collect();
        assert_eq!(added, adds, "{path} {include}");
    }
    let params = read(&api, "rt0/d0", json!(["params"]));
    assert!(params["parameters"].as_array().expect("a list").iter().all(|p| keys(p) == ["id", "name"]), "{params}");
    assert_eq!(params["abCompare"], "a");
    let rack = read(&api, "t1/d0", json!(["params"]));
    assert_eq!(rack["variations"], json!({"count": 0, "selected": null}));
    assert_eq!(rack["macros"], json!({"count": 8, "hasMappings": false}));
    let actions = read(&api, "t0/d0/pC1/d0", json!(["actions"]))["actions"].clone();
    let named: Vec<&Value> = actions.as_array().expect("actions").iter().map(|a| &a["name"]).collect();
    assert!(named.contains(&&json!("warpAs")) && named.contains(&&json!("savePreset")), "{actions}");
    assert!(!named.contains(&&json!("crop")), "only what can be done is told of");
    assert!(actions.as_array().expect("actions").iter().all(|a| keys(a) == ["name", "signature", "description"]));
}

#[test]
fn depth_opens_racks_level_by_level() {
    let api = stage();
    let at = |depth: u64| api.ok(READ, json!({"path": "t1/d0", "include": ["chains"], "maxDepth": depth}));
    let flat = at(0);
    assert_eq!(flat["chains"][0]["deviceCount"], 2);
    assert!(flat["chains"][0].get("devices").is_none());
    let one = at(1);
    assert_eq!(one["chains"][0]["devices"][1]["type"], "audio-effect: Reverb");
    assert!(one["chains"][1]["devices"][0].get("chains").is_none());
    let two = at(2);
    let inner = &two["chains"][1]["devices"][0]["chains"][0];
    assert_eq!(
        (&inner["path"], &inner["devices"][0]["type"]),
        (&json!("t1/d0/c1/d0/c0"), &json!("instrument: Analog"))
    );
    assert_eq!(at(9), two);
    api.bad(READ, json!({"path": "t1/d0", "maxDepth": -1}));
}

/// `[{"id":"71","path":"t2/d0/pC1","note":36,"pitch":"C1","name":"Kick","chainCount":1}]`
#[test]
fn pads_and_their_layers() {
    let api = stage();
    let rack = read(&api, "t0/d0", json!(["drum-pads"]));
    let pads = rack["drumPads"].as_array().expect("pads");
    assert_eq!(keys(&pads[1]), ["id", "path", "note", "pitch", "name", "chainCount"]);
    assert_eq!((&pads[0]["path"], &pads[0]["chainCount"]), (&json!("t0/d0/pC1"), &json!(2)));
    assert_eq!((&pads[1]["pitch"], &pads[1]["note"]), (&json!("D1"), &json!(38)));
    // A pad alone, with its layers.
    let pad = api.ok(READ, json!({"path": "t0/d0/pC1", "include": ["chains"], "maxDepth": 1}));
    let layer = &pad["chains"][1];
    assert_eq!((&layer["path"], &layer["type"]), (&json!("t0/d0/pC1/c1"), &json!("drum-chain")));
    assert_eq!((&layer["mappedPitch"], &layer["devices"][0]["name"]), (&json!("C3"), &json!("Sub")));
    assert_eq!(api.ok(READ, json!({"id": pad["id"], "include": ["chains"], "maxDepth": 1})), pad);
    // An empty pad is one all the same.
    let empty = read(&api, "t0/d0/pE1", json!([]));
    assert_eq!((&empty["note"], &empty["chainCount"]), (&json!(40), &json!(0)));
    // A pad without an instrument.
    let chain = api.id("live_set tracks 0 devices 0");
    api.call("live_set tracks 0 devices 0", "insert_chain", json!([]));
    let rack = read(&api, "t0/d0", json!(["drum-pads"]));
    let last = rack["drumPads"].as_array().and_then(|pads| pads.last()).cloned().unwrap_or_default();
    assert_eq!(
        (&last["note"], &last["pitch"], &last["hasInstrument"]),
        (&json!(-1), &json!("*"), &json!(false)),
        "{chain}"
    );
    assert_eq!(last["path"], "t0/d0/p*");
    assert_eq!(read(&api, "t0/d0/p*", json!([])), last);
    assert_eq!(rack["drumPads"][0].get("hasInstrument"), None);
}

#[test]
fn chains_show_what_is_not_as_a_new_one_has_it() {
    let api = stage();
    let chain = read(&api, "t1/d0/c0", json!([]));
    assert_eq!(keys(&chain), ["id", "path", "type", "name", "devices"]);
    assert_eq!((&chain["type"], &chain["devices"][0]["path"]), (&json!("chain"), &json!("t1/d0/c0/d0")));
    let at = "live_set tracks 1 devices 0 chains 0";
    api.set(at, "mute", json!(1));
    api.set(at, "color", json!(0xFF0000));
    api.set(&format!("{at} mixer_device volume"), "value", json!(0.5));
    api.set(&format!("{at} mixer_device panning"), "value", json!(-0.5));
    let chain = read(&api, "t1/d0/c0", json!([]));
    assert_eq!(
        (&chain["gainDb"], &chain["pan"], &chain["state"]),
        (&json!(-14), &json!(-0.5), &json!("muted")),
        "{chain}"
    );
    assert!(chain["color"].as_str().is_some_and(|color| color.starts_with('#')), "{chain}");
    api.set("live_set tracks 1 devices 0 chains 1", "solo", json!(1));
    let rack = read(&api, "t1/d0", json!(["chains"]));
    assert_eq!((&rack["hasSoloedChain"], &rack["chains"][1]["state"]), (&json!(true), &json!("soloed")));
}

#[test]
fn several_targets_misses_and_other_kinds() {
    let api = stage();
    let list = api.ok(READ, json!({"path": "rt0/d0,t0/d9,t1/d0/c0,t0/d0/pC1"}));
    let list = list.as_array().expect("a list");
    assert_eq!((list.len(), &list[1]["path"], &list[1]["ok"]), (4, &json!("t0/d9"), &json!(false)));
    assert!(list[1]["detail"].as_str().is_some_and(|text| text.contains("has 1 device (d0)")), "{}", list[1]);
    assert_eq!((&list[2]["type"], &list[3]["pitch"]), (&json!("chain"), &json!("C1")));
    for (arguments, why) in [
        (json!({"path": "t0"}), "t0 is a track"),
        (json!({"path": "t0/s0"}), "names no device"),
        (json!({"path": "t0/d+"}), "svc-create-device makes"),
        (json!({"path": "t0/d9"}), "has 1 device (d0)"),
        (json!({"path": "t0/c0"}), "c0"),
        (json!({"path": "rt0/inst"}), "holds no instrument"),
        (json!({"id": "t0/d0"}), "is a path"),
        (json!({"id": "999999"}), "any more"),
        (json!({"id": api.ok("svc-read-track", json!({"path": "t0"}))["id"]}), "no device, chain or pad"),
        (json!({}), "name at least one"),
        (json!({"path": "t1/d0/pC1"}), "no Drum Rack"),
    ] {
        let text = api.refused(READ, arguments.clone());
        assert!(text.contains(why), "{arguments}: {text}");
    }
}

#[test]
fn other_names_and_other_spellings_warn() {
    let api = stage();
    let id = api.ok(READ, json!({"path": "rt0/d0"}))["id"].clone();
    for (arguments, why) in [
        (json!({"deviceId": id}), "\"deviceId\" was accepted as a fallback; the parameter is id"),
        (json!({"ids": id}), "\"ids\""),
        (json!({"paths": "rt0/d0"}), "\"paths\""),
        (json!({"path": "t0/d0/c2"}), "answers write it t0/d0/pD1/c0"),
        (json!({"path": "t0/d0/c2,t0/d0/c0"}), "answers write it"),
    ] {
        let body = api.envelope(READ, "", &arguments);
        assert_eq!(body["isError"], false, "{body}");
        let warnings = body["warnings"].as_array().expect("warnings");
        assert!(warnings.len() == 1 && warnings[0].as_str().is_some_and(|text| text.contains(why)), "{warnings:?}");
    }
}

#[test]
fn the_modulation_matrix_is_shown() {
    let api = Api::new();
    api.ok(CREATE, json!({"device": "Wavetable", "path": "t0"}));
    let at = "live_set tracks 0 devices 0";
    let names = api.ok(READ, json!({"path": "t0/d0", "include": ["params"]}));
    let all = names["parameters"].as_array().expect("parameters");
    let target = all.iter().find(|p| p["name"] == "Osc 1 Pos").unwrap_or(&all[5]);
    let id = target["id"].as_str().expect("an id");
    api.call(at, "add_parameter_to_modulation_matrix", json!([format!("id {id}")]));
    api.call(at, "set_modulation_value", json!([0, 3, 0.25]));
    let read = api.ok(READ, json!({"path": "t0/d0", "include": ["options"]}));
    assert_eq!(read["modulations"], json!([{"target": target["name"], "source": "LFO 1", "amount": 0.25}]));
    assert_eq!(read["options"]["paramOptions"]["monoPoly"], json!(["mono", "poly"]));
}

#[test]
fn a_parameter_under_an_envelope_is_automated() {
    let api = Api::new();
    api.ok(CREATE, json!({"device": "Operator", "path": "t0"}));
    let volume = || {
        let read = api.ok(READ, json!({"path": "t0/d0", "include": ["param-values"], "paramSearch": "Volume"}));
        read["parameters"][0].clone()
    };
    let id = volume()["id"].as_str().expect("an id").to_owned();
    assert_eq!(volume().get("automation"), None);
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"}));
    api.ok("svc-update-clip", json!({"path": "t0/s0", "envelopes": format!("{id}: 1|1 0.5 / 1|3 0.8")}));
    api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0"}));
    api.wait_for("live_set tracks 0", "playing_slot_index", json!([0]));
    assert_eq!(volume()["automation"], "active");
}

#[test]
fn a_search_takes_terms_and_looks_at_options() {
    let api = Api::new();
    api.ok(CREATE, json!({"device": "Simpler,Auto Filter", "path": "t0,t2"}));
    let found = |path: &str, search: &str| -> Vec<String> {
        let read = api.ok(READ, json!({"path": path, "paramSearch": search}));
        let all = read["parameters"].as_array().expect("parameters");
        all.iter().map(|p| p["name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let (frequency, resonance) = (found("t2/d0", "frequency"), found("t2/d0", "Resonance"));
    assert!(!frequency.is_empty() && !resonance.is_empty());
    let both = found("t2/d0", " frequency, RESONANCE,");
    assert_eq!(both.len(), frequency.len() + resonance.iter().filter(|name| !frequency.contains(name)).count());
    // What a setting can be set to finds it: steps of parameters, and of what is no parameter.
    let highpass = found("t2/d0", "high");
    assert!(highpass.iter().any(|name| name.contains("Type")), "{highpass:?}");
    assert_eq!(found("t0/d0", "one-shot"), ["playbackMode"]);
    assert_eq!(found("t0/d0", "no such thing"), [""; 0]);
}

/// What was asked for by its name is answered: nothing there is null.
#[test]
fn a_drum_map_of_nothing_is_null() {
    let api = Api::new();
    api.ok("svc-create-device", json!({"device": "Operator", "path": "t0"}));
    for (tool, path) in [("svc-read-track", "t0"), ("svc-read-track", "t1"), ("svc-read-device", "t0/d0")] {
        let read = api.ok(tool, json!({"path": path, "include": ["drum-map"]}));
        assert_eq!(read.get("drumMap"), Some(&Value::Null), "{read}");
        let all = api.ok(tool, json!({"path": path, "include": ["*"]}));
        assert_eq!(all.get("drumMap"), None, "{path}");
    }
}

#[test]
fn a_search_without_a_term_is_refused() {
    let api = Api::new();
    for blank in [",", ",,", " , "] {
        let text = api.refused("svc-read-device", json!({"path": "rt0/d0", "paramSearch": blank}));
        assert!(text.contains("paramSearch: ") && text.contains("has no term"), "{blank}: {text}");
    }
    // Left blank it is none.
    let read = api.ok("svc-read-device", json!({"path": "rt0/d0", "paramSearch": " "}));
    assert_eq!(read.get("parameters"), None, "{read}");
}
