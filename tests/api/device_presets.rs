//! Presets of our own: made from files in the user's folder, by name or absolute file.

use crate::support::Api;
use serde_json::{Value, json};
use std::fs;

const CREATE: &str = "svc-create-device";
const UPDATE: &str = "svc-update-device";
const HALF: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/half.wav");

/// Writes the preset that a device would be saved as.
fn save(api: &Api, device: &str, path: &str, name: &str) {
    let set: Value = serde_json::from_str(&api.saved()).expect("a state is JSON");
    let id = api.ok("svc-read-device", json!({"path": path}))["id"].clone();
    let saved = find(&set, id.as_str().expect("an id")).unwrap_or_else(|| panic!("{path} is in the Set"));
    api.device.service.presets().save(device, name, saved.clone()).expect("it is saved");
}

/// The object with a class and that id, anywhere.
fn find<'a>(value: &'a Value, id: &str) -> Option<&'a Value> {
    if value.get("class_name").is_some() && value["serial"].as_u64() == id.parse().ok() {
        return Some(value);
    }
    match value {
        Value::Array(list) => list.iter().find_map(|item| find(item, id)),
        Value::Object(map) => map.values().find_map(|item| find(item, id)),
        _ => None,
    }
}

#[test]
fn a_preset_is_made_listed_and_refused_by_name() {
    let dir = tempfile::tempdir().expect("a folder");
    let api = Api::in_folder(dir.path());
    let params = json!([{"name": "Attack", "value": "80 ms"}]);
    api.ok(CREATE, json!({"device": "Compressor", "path": "mt", "name": "Glue", "params": params}));
    api.ok(CREATE, json!({"device": "Instrument Rack", "path": "t0"}));
    api.ok(CREATE, json!({"device": "Operator", "path": "t0/d0/c+", "name": "Bell"}));
    save(&api, "Compressor", "mt/d0", "Slow Glue");
    save(&api, "Instrument Rack", "t0/d0", "Keys");
    save(&api, "Operator", "t0/d0/c0/d0", "Keys");
    assert_eq!(
        api.ok(CREATE, json!({}))["presets"],
        json!({"Compressor": ["Slow Glue"], "Instrument Rack": ["Keys"], "Operator": ["Keys"]})
    );
    let made = api.ok(CREATE, json!({"preset": "slow glue", "path": "rt0"}));
    assert_eq!(made["path"], "rt0/d1", "{made}");
    let read =
        api.ok("svc-read-device", json!({"path": "rt0/d1", "include": ["param-values"], "paramSearch": "Attack"}));
    assert_eq!((&read["name"], &read["parameters"][0]["value"]), (&json!("Glue"), &json!(80)));
    assert_ne!(read["id"], api.ok("svc-read-device", json!({"path": "mt/d0"}))["id"], "ids of its own");
    // A rack with what is in it; a name and params on top.
    let made = api.ok(CREATE, json!({"device": "Instrument Rack", "preset": "Keys", "path": "t1", "name": "Mine"}));
    let rack = api.ok("svc-read-device", json!({"path": made["path"], "include": ["chains"], "maxDepth": 1}));
    assert_eq!((&rack["name"], &rack["chains"][0]["devices"][0]["name"]), (&json!("Mine"), &json!("Bell")));
    let file = dir.path().join("presets/Compressor/Slow Glue.svcpreset.json");
    api.ok(CREATE, json!({"preset": file.to_str(), "path": "rt1"}));
    for (arguments, why) in [
        (
            json!({"preset": "Keys", "path": "t1"}),
            "several presets are called \"Keys\": Instrument Rack/Keys, Operator/Keys",
        ),
        (json!({"preset": "Slow Glu", "path": "mt"}), "the nearest is \"Slow Glue\""),
        (json!({"preset": "Slow Glue", "device": "Limiter", "path": "mt"}), "is for Compressor, not for Limiter"),
        (json!({"preset": "query:Synths#Operator", "path": "t1"}), "only a running Live has"),
        (json!({"preset": "/etc/passwd", "path": "t1"}), "allowedFolders"),
        (json!({"preset": "../../x", "path": "t1"}), "no preset"),
        (json!({"preset": "Slow Glue"}), "path says where"),
        (json!({"preset": "Operator/Keys", "path": "t0"}), "an instrument already"),
    ] {
        let text = api.refused(CREATE, arguments.clone());
        assert!(text.contains(why), "{arguments}: {text}");
        assert!(!text.contains(dir.path().to_str().expect("a path")), "{text}");
    }
}

/// Presets that Ableton Live saved, from the folders that the user has allowed.
#[test]
fn a_preset_of_live_is_made_and_put_in_the_place_of_a_device() {
    const RACK: &str = include_str!("../../src/live_files/tests/drum_rack.xml");
    let dir = tempfile::tempdir().expect("a folder");
    let (samples, elsewhere) = (dir.path().join("samples"), dir.path().join("elsewhere"));
    let packed = |folder: &std::path::Path, name: &str, xml: &str| {
        fs::create_dir_all(folder).expect("a folder");
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packer, xml.as_bytes()).expect("it is packed");
        fs::write(folder.join(name), packer.finish().expect("it is packed")).expect("a file");
        folder.join(name)
    };
    let kit = packed(&samples, "Kit.adg", RACK);
    let pitch = "<Ableton><MidiPitcher><Pitch><Manual Value=\"-12\"/></Pitch></MidiPitcher></Ableton>";
    let down = packed(&samples, "Octave Down.ADV", pitch);
    let outside = packed(&elsewhere, "Kit.adg", RACK);
    let damaged = packed(&samples, "damaged.adg", &RACK[..600]);
    let sample_folder = samples.to_str().expect("a path").to_owned();
    let settings = svc_device::service::Settings { sample_folder, ..Default::default() };
    let api = Api::with(settings);

    let made = api.ok(CREATE, json!({"preset": kit, "path": "t0"}));
    let detail = made["detail"].as_str().expect("a detail");
    assert!(detail.contains("missing samples: half.wav"), "{made}");
    let rack = api.ok("svc-read-device", json!({"path": made["path"], "include": ["drum-pads"]}));
    assert_eq!((&rack["name"], &rack["drumPads"][0]["name"]), (&json!("Kit"), &json!("Snare")));
    assert_eq!(rack["drumPads"][0]["pitch"], "D1");
    let made = api.ok(CREATE, json!({"preset": down, "path": "t1", "device": "Pitch"}));
    let read =
        api.ok("svc-read-device", json!({"path": made["path"], "include": ["param-values"], "paramSearch": "Pitch"}));
    assert_eq!((&read["name"], &read["parameters"][0]["value"]), (&json!("Octave Down"), &json!(-12)));
    api.ok(CREATE, json!({"device": "Arpeggiator", "path": "t1"}));
    let swapped = api.ok(UPDATE, json!({"path": "t1/d1", "preset": down}));
    assert_eq!(api.ok("svc-read-device", json!({"path": swapped["path"]}))["name"], "Octave Down");

    for (arguments, why) in [
        (json!({"preset": outside, "path": "t1"}), "allowedFolders"),
        (json!({"preset": samples.join("gone.adg"), "path": "t1"}), "allowedFolders"),
        (json!({"preset": damaged, "path": "t1"}), "damaged at /Ableton/GroupDevicePreset"),
        (json!({"preset": down, "device": "Limiter", "path": "mt"}), "is for Pitch, not for Limiter"),
        (json!({"preset": "Kit.adg", "path": "t1"}), "no preset"),
    ] {
        let text = api.refused(CREATE, arguments.clone());
        assert!(text.contains(why), "{arguments}: {text}");
        assert!(!text.contains(dir.path().to_str().expect("a path")), "{text}");
    }
}

/// A rack of thousands of devices: read by a job, which answers as the call while it can.
#[test]
fn a_large_preset_is_a_job() {
    let dir = tempfile::tempdir().expect("a folder");
    // Names that do not compress, as states of plug-ins do not.
    let mut seed = 1_u64;
    let mut name = || {
        let part = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            format!("{seed:016x}")
        };
        std::iter::repeat_with(part).take(10).collect::<String>()
    };
    let device = |name: String| {
        format!(
            "<AbletonDevicePreset><Device><MidiPitcher><UserName Value=\"{name}\"/></MidiPitcher></Device>\
             </AbletonDevicePreset>"
        )
    };
    let devices: String = (0..1_700).map(|_| device(name())).collect();
    let rack = format!(
        "<Ableton><GroupDevicePreset><Device><MidiEffectGroupDevice/></Device><BranchPresets><MidiEffectBranchPreset>\
         <DevicePresets>{devices}</DevicePresets></MidiEffectBranchPreset></BranchPresets></GroupDevicePreset></Ableton>"
    );
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packer, rack.as_bytes()).expect("it is packed");
    let file = dir.path().join("Many.adg");
    fs::write(&file, packer.finish().expect("it is packed")).expect("a file");
    assert!(fs::metadata(&file).expect("a file").len() > 128 << 10);
    let sample_folder = dir.path().to_str().expect("a path").to_owned();
    let api = Api::with(svc_device::service::Settings { sample_folder, ..Default::default() });
    let tracks = || serde_json::from_str::<Value>(&api.saved()).expect("a state is JSON")["set"]["tracks"].take();
    let before = tracks();
    let mut made = api.ok(CREATE, json!({"preset": file, "path": "t0"}));
    while made["job"].is_object() || made["state"] == "running" || made["state"] == "waiting" {
        let id = made["job"]["id"].as_str().or(made["id"].as_str()).expect("an id").to_owned();
        made = api.ok("svc-read-job", json!({"id": id}));
    }
    let made = if made["result"].is_object() { made["result"].clone() } else { made };
    assert_eq!((&made["path"], &made["type"]), (&json!("t0/d0"), &json!("midi-effect-rack")), "{made}");
    let inside = tracks()[0]["devices"][0]["rack"]["chains"][0]["devices"].as_array().map(Vec::len);
    assert_eq!(inside, Some(1_700), "{made}");
    // One step; and no job where nothing may outlast the call.
    api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!(tracks(), before);
    let tried = api.envelope(CREATE, "", &json!({"preset": file, "path": "t0", "dryRun": true}));
    assert_eq!(tried["result"]["type"], "midi-effect-rack", "{tried}");
    assert_eq!(tracks(), before);
}

#[test]
fn a_damaged_preset_makes_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let api = Api::in_folder(dir.path());
    api.ok(CREATE, json!({"device": "Compressor", "path": "mt"}));
    save(&api, "Compressor", "mt/d0", "Good");
    let file = dir.path().join("presets/Compressor/Good.svcpreset.json");
    let good: Value = serde_json::from_str(&fs::read_to_string(&file).expect("a file")).expect("JSON");
    type Spoil = fn(&mut Value);
    let table: [(Spoil, &str); 6] = [
        (|preset| preset["version"] = json!(99), "newer version"),
        (|preset| preset["format"] = json!("als"), "damaged"),
        (|preset| preset["saved"]["values"] = json!([1]), "cannot be"),
        (|preset| preset["saved"]["values"][0] = json!(1e9), "cannot be"),
        (|preset| preset["saved"]["class_name"] = json!("Nothing"), "cannot be"),
        (|preset| preset["saved"] = json!("text"), "cannot be read"),
    ];
    for (at, (spoil, why)) in table.iter().enumerate() {
        let mut bad = good.clone();
        spoil(&mut bad);
        fs::write(dir.path().join(format!("presets/Compressor/Bad {at}.svcpreset.json")), bad.to_string())
            .expect("a file");
        let text = api.refused(CREATE, json!({"preset": format!("Bad {at}"), "path": "mt"}));
        assert!(text.contains(why), "{why}: {text}");
    }
}

#[test]
fn drum_chains_named_by_their_place_in_the_rack_are_told_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let api = Api::in_folder(dir.path());
    let kit = json!([{"name": "pC1/sample", "value": HALF}, {"name": "pD1/sample", "value": HALF}]);
    api.ok(CREATE, json!({"device": "Drum Rack", "path": "t0", "params": kit}));
    save(&api, "Drum Rack", "t0/d0", "Kit");
    let chain = json!([{"name": "c1/sample", "value": HALF}, {"name": "c0/sample", "value": HALF}]);
    for (tool, arguments, spelled) in [
        (CREATE, json!({"preset": "Kit", "path": "t1", "params": chain}), "t1/d0/pD1/c0"),
        (CREATE, json!({"device": "Redux", "path": "t0/d0/c1/d+,t0/d0/c0"}), "t0/d0/pD1/c0"),
        (UPDATE, json!({"path": "t1/d0", "preset": "Kit", "params": chain}), "t1/d0/pD1/c0"),
        (UPDATE, json!({"path": "t0/d0/pD1/d1", "toPath": "t0/d0/c0"}), "t0/d0/pC1/c0"),
        ("svc-duplicate", json!({"type": "device", "path": "t0/d0/pC1/d1", "toPath": "t0/d0/c1"}), "t0/d0/pD1/c0"),
    ] {
        let envelope = api.envelope(tool, "", &arguments);
        assert_eq!(envelope["isError"], false, "{arguments}: {envelope}");
        let warnings = envelope["warnings"].as_array().cloned().unwrap_or_default();
        assert_eq!(warnings.len(), 1, "{arguments}: {envelope}");
        assert!(warnings[0].as_str().is_some_and(|told| told.contains(spelled)), "{arguments}: {envelope}");
    }
    let fine = api.envelope(CREATE, "", &json!({"device": "Redux", "path": "t0/d0/pD1"}));
    assert!(fine.get("warnings").is_none_or(|told| told.as_array().is_some_and(Vec::is_empty)), "{fine}");
}

#[test]
fn what_a_preset_takes_away_with_a_rack_is_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let api = Api::in_folder(dir.path());
    api.ok(CREATE, json!({"device": "Instrument Rack", "path": "t0"}));
    api.ok(CREATE, json!({"device": "Operator,Drift", "path": "t0/d0/c+,t0/d0/c+"}));
    api.ok(UPDATE, json!({"path": "t0/d0/c0,t0/d0/c1", "name": "Low,High"}));
    api.ok(CREATE, json!({"device": "Operator", "path": "t1"}));
    save(&api, "Operator", "t1/d0", "Bell");
    api.ok(CREATE, json!({"device": "Audio Effect Rack", "path": "mt"}));
    save(&api, "Audio Effect Rack", "mt/d0", "Empty");
    let entry = api.ok(UPDATE, json!({"path": "t0/d0", "preset": "Bell"}));
    let detail = entry["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("2 chains (\"Low\", \"High\") with 2 devices"), "{entry}");
    for (path, preset) in [("t0/d0", "Bell"), ("mt/d0", "Empty")] {
        let entry = api.ok(UPDATE, json!({"path": path, "preset": preset}));
        assert_eq!(entry.get("detail"), None, "nothing went with it: {entry}");
    }
}

#[test]
fn presets_are_found_by_the_library() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = Api::in_folder(folder.path());
    api.ok(CREATE, json!({"device": "Operator", "path": "t0"}));
    let save = |name: &str| {
        api.ok("svc-update-device", json!({"path": "t0/d0", "actions": [format!("savePreset(\"{name}\")")]}));
    };
    ["Dark Bass", "Bright Bass"].into_iter().for_each(save);
    for (query, found) in [
        ("", vec!["Bright Bass", "Dark Bass"]),
        ("dark", vec!["Dark Bass"]),
        ("oper*bright", vec!["Bright Bass"]),
        ("lead", vec![]),
    ] {
        let result = api.ok("svc-library", json!({"kind": "preset", "query": query}));
        let names: Vec<&Value> = result["items"].as_array().expect("items").iter().map(|item| &item["name"]).collect();
        assert_eq!(names, found, "{query}: {result}");
    }
    let found =
        api.ok("svc-library", json!({"searches": [{"kind": "preset", "query": "dark bass"}, {"query": "kick"}]}));
    let item = &found["results"][0]["items"][0];
    assert_eq!((&item["device"], &item["preset"]), (&json!("Operator"), &json!("Operator/Dark Bass")), "{found}");
    // What it gives is what makes it.
    let made = api.ok(CREATE, json!({"preset": item["preset"], "path": "t1"}));
    assert_eq!(api.ok("svc-read-device", json!({"path": made["path"]}))["type"], "instrument: Operator");
    let first = api.ok("svc-library", json!({"kind": "preset", "limit": 1}));
    assert!(first["detail"].as_str().is_some_and(|text| text.contains("1 of 2 are shown")), "{first}");
}
