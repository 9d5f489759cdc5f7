//! Samples: into a Simpler, onto the pads of a Drum Rack, and what stands in the way.

use crate::support::Api;
use serde_json::{Value, json};

const CREATE: &str = "svc-create-device";

fn wav() -> String {
    format!("{}/tests/fixtures/audio/half.wav", env!("CARGO_MANIFEST_DIR"))
}

fn read(api: &Api, path: &str) -> Value {
    api.ok("svc-read-device", json!({"path": path, "include": ["*"], "maxDepth": 4}))
}

fn sample(name: &str) -> Value {
    json!({"name": name, "value": wav()})
}

#[test]
fn a_simpler_loads_a_sample_and_tells_of_it() {
    let api = Api::new();
    let params =
        json!([sample("sample"), {"name": "gainDb", "value": "-6 dB"}, {"name": "playbackMode", "value": "one-shot"}]);
    let made = api.ok(CREATE, json!({"device": "Simpler", "path": "t0", "params": params}));
    assert_eq!(
        made["params"],
        json!([{"name": "sample"}, {"name": "gainDb", "value": -6}, {"name": "playbackMode", "value": "one-shot"}])
    );
    let device = read(&api, "t0/inst");
    assert_eq!((&device["sample"], &device["type"]), (&json!(wav()), &json!("instrument: Simpler")));
    let value = |name: &str| {
        let all = device["parameters"].as_array().expect("parameters");
        all.iter().find(|p| p["name"] == name).map(|p| p["value"].clone()).unwrap_or_default()
    };
    assert_eq!((value("sample"), value("gainDb"), value("multiSampleMode")), (json!(wav()), json!(-6), json!(false)));
    // Half a second at 120 is a beat.
    assert_eq!(value("estimatedPlaybackLength"), 1);
}

/// `{"device":"Drum Rack","path":"t3/d+","params":[{"name":"pC1/sample","value":"/smp/k.wav"}]}`
#[test]
fn a_sample_onto_a_pad_makes_its_chain_and_simpler() {
    let api = Api::new();
    let made = api.ok(CREATE, json!({"device": "Drum Rack", "path": "t0/d+", "params": [sample("pC1/sample")]}));
    assert_eq!(
        made,
        json!({"id": made["id"], "path": "t0/d0", "type": "drum-rack", "params": [{"name": "pC1/sample"}],
               "sounds": "approximate: Simpler"})
    );
    let rack = read(&api, "t0/d0");
    let pads = rack["drumPads"].as_array().expect("pads");
    assert_eq!(pads.len(), 1);
    assert_eq!(
        (&pads[0]["path"], &pads[0]["note"], &pads[0]["pitch"]),
        (&json!("t0/d0/pC1"), &json!(36), &json!("C1"))
    );
    assert_eq!(pads[0]["chains"][0]["devices"][0]["type"], "instrument: Simpler");
    assert_eq!(read(&api, "t0/d0/pC1/d0")["sample"], wav());
}

/// The device of an empty pad or chain is the Simpler that the sample makes.
#[test]
fn a_sample_for_the_device_of_an_empty_pad_makes_it() {
    let api = Api::new();
    let names = ["pC#1/d0/sample", "pD1/inst/sample", "pE1/c0/d0/sample"];
    let params: Vec<Value> = names.iter().map(|name| sample(name)).collect();
    let made = api.ok(CREATE, json!({"device": "Drum Rack", "path": "t0", "params": params}));
    let refused: Vec<&Value> =
        made["params"].as_array().expect("items").iter().filter(|one| one["ok"] == false).collect();
    assert!(refused.is_empty(), "{made}");
    for pad in ["pC#1", "pD1", "pE1"] {
        let device = read(&api, &format!("t0/d0/{pad}/d0"));
        assert_eq!((&device["type"], &device["sample"]), (&json!("instrument: Simpler"), &json!(wav())), "{pad}");
    }
    // A pad whose chain holds no instrument yet; one that has another device there keeps it.
    api.ok(CREATE, json!({"device": "Reverb", "path": "t0/d0/pF1"}));
    let entry = api.ok("svc-update-device", json!({"path": "t0/d0", "params": [sample("pF1/inst/sample")]}));
    assert!(entry["params"][0].get("ok").is_none(), "{entry}");
    assert_eq!(read(&api, "t0/d0/pF1/d0")["sample"], wav());
    let said = api.refused("svc-update-device", json!({"path": "t0/d0", "params": [sample("pF1/d1/sample")]}));
    assert!(said.contains("only a Simpler"), "{said}");
    let said = api.refused("svc-update-device", json!({"path": "t0/d0", "params": [sample("pG1/d1/sample")]}));
    assert!(said.contains("empty"), "{said}");
}

#[test]
fn a_kit_of_sixteen_pads_in_one_call() {
    let api = Api::new();
    let names = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"];
    let pads: Vec<String> = (0..16).map(|at| format!("p{}{}", names[at % 12], 1 + at / 12)).collect();
    let params: Vec<Value> = pads.iter().map(|pad| sample(&format!("{pad}/sample"))).collect();
    let made = api.ok(CREATE, json!({"device": "Drum Rack", "path": "t0", "params": params}));
    assert!(
        made["params"].as_array().expect("params").iter().all(|p| p.as_object().map(serde_json::Map::len) == Some(1))
    );
    let rack = read(&api, "t0/d0");
    let notes: Vec<i64> =
        rack["drumPads"].as_array().expect("pads").iter().filter_map(|pad| pad["note"].as_i64()).collect();
    assert_eq!(notes, (36..52).collect::<Vec<i64>>());
    assert_eq!(rack["drumMap"].as_object().map(serde_json::Map::len), Some(16));
    // Each chain is called as its sound is.
    assert_eq!(rack["drumMap"]["C1"], "half", "{}", rack["drumMap"]);
    assert!(rack["drumPads"].as_array().expect("pads").iter().all(|pad| pad["chains"][0]["name"] == "half"), "{rack}");
}

#[test]
fn what_stands_in_the_way_of_a_sample() {
    let api = Api::new();
    let one = |name: &str, value: Value| {
        let params = json!([{"name": name, "value": value}]);
        let mut made = api.ok(CREATE, json!({"device": "Drum Rack", "path": "t1", "params": params}));
        let state = api.ok("svc-read-device", json!({"path": made["path"], "include": ["drum-pads"]}));
        api.ok("svc-delete", json!({"type": "device", "path": made["path"]}));
        (made["params"][0].take(), state["drumPads"].take_len())
    };
    for (name, value, why) in [
        ("sample", json!(wav()), "pC1/sample"),
        ("pC1/sample", json!("/no/such/file.wav"), "no audio file that can be read"),
        ("pC1/sample", json!("kick.wav"), "absolute path"),
        ("pC1/sample", Value::Null, "absolute path"),
        ("pX/sample", json!(wav()), "no path inside the device"),
        ("pC1/Volume", json!("1"), "the pad is empty; \"pC1/sample\""),
        ("c0/sample", json!(wav()), "belongs to a pad"),
    ] {
        let (entry, pads) = one(name, value.clone());
        let case = format!("{name} {value}: {entry}");
        assert_eq!((&entry["ok"], &entry["name"]), (&json!(false), &json!(name)), "{case}");
        assert!(entry["detail"].as_str().is_some_and(|text| text.contains(why)), "{case}");
        assert_eq!(pads, 0, "{case}: nothing is made for what cannot be loaded");
    }
}

trait TakeLen {
    fn take_len(&self) -> usize;
}

impl TakeLen for Value {
    fn take_len(&self) -> usize {
        self.as_array().map_or(0, Vec::len)
    }
}

/// The same pad by two spellings is one place; the last mention counts.
#[test]
fn a_pad_named_twice_is_loaded_by_its_last_mention() {
    let api = Api::new();
    let params = json!([sample("pC1/sample"), sample("pc1/sample")]);
    let made = api.ok(CREATE, json!({"device": "Drum Rack", "path": "t0", "params": params}));
    assert!(made["params"][0]["detail"].as_str().is_some_and(|text| text.contains("later")), "{made}");
    assert!(made["params"][0].get("ok").is_none());
    assert_eq!(made["params"][1], json!({"name": "pc1/sample"}));
    assert_eq!(read(&api, "t0/d0")["drumPads"][0]["chains"].take_len(), 1);
    // Where the later lands nothing, the earlier did not either.
    let params = json!([sample("pC1/sample"), {"name": "pC1/sample", "value": "/no.wav"}]);
    let made = api.ok(CREATE, json!({"device": "Drum Rack", "path": "t1", "params": params}));
    assert_eq!((&made["params"][0]["ok"], &made["params"][1]["ok"]), (&json!(false), &json!(false)), "{made}");
}

#[test]
fn samples_go_to_the_instrument_wherever_it_sits() {
    let api = Api::new();
    // A pad with a Drum Rack inside, its pad named on the way.
    api.ok(CREATE, json!({"device": "Drum Rack", "path": "t0"}));
    let inner = api.ok(CREATE, json!({"device": "Drum Rack", "path": "t0/d0/pC1", "params": [sample("pD1/sample")]}));
    assert_eq!(inner["path"], "t0/d0/pC1/c0/d0", "{inner}");
    assert_eq!(inner["created"], "c0", "{inner}");
    assert_eq!(read(&api, "t0/d0/pC1/d0/pD1/d0")["sample"], wav());
}

#[test]
fn chains_made_on_the_way_are_told() {
    let api = Api::new();
    let made = api.ok(CREATE, json!({"device": "Drum Rack", "path": "t0", "params": [sample("pC1/c2/sample")]}));
    assert_eq!(made["params"], json!([{"name": "pC1/c2/sample", "created": "c0-c2"}]));
    let write = |name: &str| {
        api.envelope("svc-update-device", "", &json!({"path": "t0/d0", "params": [sample(name), sample("pD1/sample")]}))
    };
    // What is there keeps its name; a chain by its place in the rack is told as answers write it, once.
    let envelope = write("c0/sample");
    let warnings = envelope["warnings"].as_array().expect("a warning");
    assert_eq!(warnings.len(), 1, "{envelope}");
    assert!(warnings[0].as_str().is_some_and(|w| w.contains("c0") && w.contains("t0/d0/pC1/c0")), "{envelope}");
    assert!(write("pC1/c1/sample").get("warnings").is_none_or(|w| w.as_array().is_some_and(Vec::is_empty)));
    let names: Vec<Value> = read(&api, "t0/d0")["drumPads"][0]["chains"]
        .as_array()
        .expect("layers")
        .iter()
        .map(|chain| chain["name"].clone())
        .collect();
    assert_eq!((names.len(), &names[2]), (3, &json!("half")));
    assert_ne!(names[0], "half");
}

fn set(name: &str, value: impl Into<Value>) -> Value {
    json!({"name": name, "value": value.into()})
}

/// Sample, name, choke group, playback mode and level of each pad, in one call and in any order.
#[test]
fn a_whole_kit_in_one_call() {
    let api = Api::new();
    let params = json!([
        set("pC1/name", "Kick"),
        sample("pC1/sample"),
        sample("pF#1/sample"),
        set("pF#1/name", "Closed"),
        set("pF#1/chokeGroup", 1),
        sample("pA#1/sample"),
        set("pA#1/name", "Open"),
        set("pA#1/chokeGroup", "1"),
        set("pA#1/playbackMode", "classic"),
        set("pA#1/gainDb", "-6 dB"),
        set("pA#1/d0/Volume", "-3 dB"),
    ]);
    let made = api.ok(CREATE, json!({"device": "Drum Rack", "path": "t0", "params": params}));
    let items = made["params"].as_array().expect("params");
    assert!(items.iter().all(|item| item.get("detail").is_none() && item.get("ok").is_none()), "{made}");
    let names: Vec<&Value> = items.iter().map(|item| &item["name"]).collect();
    assert_eq!(names.len(), 11);
    assert_eq!((names[0], names[8]), (&json!("pC1/name"), &json!("pA#1/playbackMode")), "in the order of the call");
    let rack = read(&api, "t0/d0");
    assert_eq!(rack["drumMap"], json!({"C1": "Kick", "Gb1": "Closed", "Bb1": "Open"}), "{rack}");
    assert_eq!(rack["drumSamples"], json!({"C1": wav(), "Gb1": wav(), "Bb1": wav()}));
    assert_eq!(rack["chokeGroups"], json!({"Gb1": 1, "Bb1": 1}));
    let mode = |path: &str| {
        let device = api
            .ok("svc-read-device", json!({"path": path, "include": ["param-values"], "paramSearch": "playbackMode"}));
        device["parameters"][0]["value"].clone()
    };
    // Pads are made in one-shot.
    assert_eq!((mode("t0/d0/pC1/d0"), mode("t0/d0/pBb1/d0")), (json!("one-shot"), json!("classic")));
    assert_eq!(api.ok("svc-read-device", json!({"path": "t0/d0/pBb1/c0"}))["gainDb"], -6);
    // The same of a rack that is there.
    let params =
        json!([set("pC1/name", "Deep"), set("pC1/chokeGroup", 2), sample("pD1/sample"), set("pD1/name", "Snare")]);
    api.ok("svc-update-device", json!({"path": "t0/d0", "params": params}));
    let map = api.ok("svc-read-track", json!({"path": "t0", "include": ["drum-map"]}));
    assert_eq!((&map["drumMap"]["C1"], &map["drumMap"]["D1"]), (&json!("Deep"), &json!("Snare")), "{map}");
    assert_eq!(map["chokeGroups"]["C1"], 2);
}

#[test]
fn what_is_wrong_behind_a_path_is_told() {
    let api = Api::new();
    let kit = json!([sample("pC1/sample")]);
    api.ok(CREATE, json!({"device": "Drum Rack", "path": "t0", "params": kit}));
    api.ok(CREATE, json!({"device": "Audio Effect Rack", "path": "t0"}));
    api.ok(CREATE, json!({"device": "EQ Eight", "path": "t0/d1/c0"}));
    for (rack, name, value, why) in [
        ("t0/d0", "pC1/chokeGroup", json!(17), "0 (none) to 16"),
        ("t0/d0", "pC1/chokeGroup", json!("open"), "0 (none) to 16"),
        ("t0/d0", "pC1/playbackMode", json!("loop"), "one-shot"),
        ("t0/d0", "pC1/Nothing", json!(1), "no parameter of that name"),
        ("t0/d0", "pE1/name", json!("Hat"), "the pad is empty"),
        ("t0/d0", "pC1/name", Value::Null, "send a value"),
        ("t0/d1", "c0/chokeGroup", json!(1), "no chain of a drum pad"),
        ("t0/d1", "c3/name", json!("x"), "counted from 0"),
    ] {
        let params = json!([{"name": name, "value": value}, {"name": "Device On", "value": "on"}]);
        let told = api.ok("svc-update-device", json!({"path": rack, "params": params}));
        let entry = &told["params"][0];
        assert_eq!(entry["ok"], false, "{name} {value}: {told}");
        assert!(entry["detail"].as_str().is_some_and(|text| text.contains(why)), "{name} {value}: {told}");
    }
    // Slashes in names of parameters, two spellings of one place, and the only device of a chain.
    let params = json!([set("c0/d0/1 Gain A", -3), set("c0/1 Gain A", -4), set("c0/pan", "20L")]);
    let told = api.ok("svc-update-device", json!({"path": "t0/d1", "params": params}));
    assert!(told["params"][0]["detail"].as_str().is_some_and(|text| text.contains("later")), "{told}");
    let gain = api
        .ok("svc-read-device", json!({"path": "t0/d1/c0/d0", "include": ["param-values"], "paramSearch": "1 Gain A"}));
    assert_eq!(gain["parameters"][0]["value"], -4, "{gain}");
    assert_eq!(api.ok("svc-read-device", json!({"path": "t0/d1/c0"}))["panLabel"], "20L");
}

/// A sample that fails does not fill the pad, and what is asked of the pad in the same call says so.
#[test]
fn a_pad_stays_empty_when_its_sample_fails() {
    let api = Api::new();
    api.ok("svc-create-device", json!({"device": "Drum Rack", "path": "t0"}));
    for (name, sample) in
        [("pGb1/chokeGroup", "pGb1/sample"), ("pF#1/name", "pGb1/sample"), ("pGb1/gainDb", "pF#1/sample")]
    {
        let params = json!([{"name": name, "value": "3"}, {"name": sample, "value": "/no/such.wav"}]);
        let entry = api.refused("svc-update-device", json!({"path": "t0/d0", "params": params}));
        assert!(entry.contains(&format!("{name}: the pad is empty, as \"{sample}\" was not loaded")), "{entry}");
        assert!(!entry.contains("in the same call fills it"), "{entry}");
        let made = api.ok("svc-create-device", json!({"device": "Drum Rack", "path": "t1", "params": params}));
        assert!(!made.to_string().contains("in the same call"), "{made}");
        api.ok("svc-delete", json!({"type": "device", "path": "t1/d0"}));
    }
    // Another pad's sample changes nothing of it.
    let params = json!([{"name": "pC1/chokeGroup", "value": 3}, {"name": "pGb1/sample", "value": "/no/such.wav"}]);
    let entry = api.refused("svc-update-device", json!({"path": "t0/d0", "params": params}));
    assert!(entry.contains("\"pC1/sample\" in the same call fills it"), "{entry}");
}

#[test]
fn simplers_of_many_channels_are_silent() {
    let api = Api::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("six.wav");
    // The head of a sound of one channel, as one of six.
    let mut bytes = crate::sample_tree::wav(&[0.5; 600]);
    (bytes[22], bytes[32]) = (6, 12);
    std::fs::write(&file, bytes).unwrap();
    let params = json!([{"name": "sample", "value": file}]);
    let made = api.ok(CREATE, json!({"device": "Simpler", "path": "t0", "params": params}));
    for sounds in [&made["sounds"], &api.ok("svc-read-device", json!({"path": "t0/inst"}))["sounds"]] {
        assert!(sounds.as_str().is_some_and(|text| text.contains("six.wav: it has 6 channels")), "{sounds}");
    }
}
