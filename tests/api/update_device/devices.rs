//! Devices: name, macros and their snapshots, A/B, actions, parameters.

use super::{TOOL, WAV, detail, insert, silent, undone};
use crate::support::Api;
use serde_json::{Value, json};

const RACK: &str = "live_set tracks 0 devices 0";

/// An Instrument Rack on t0 whose macros 1 and 6 move parameters of the Operator in it.
fn mapped() -> Api {
    let api = Api::raw_enabled();
    insert(&api, "live_set tracks 0", &["Instrument Rack"]);
    api.call(RACK, "insert_chain", json!([]));
    insert(&api, &format!("{RACK} chains 0"), &["Operator"]);
    api.edit_saved(|set| {
        let rack = &mut set["tracks"][0]["devices"][0]["rack"];
        let operator = rack["chains"][0]["devices"][0]["serial"].clone();
        let mapping = |index, parameter| {
            json!({"macro_index": index, "device": operator, "parameter": parameter, "at_0": 0.0, "at_127": 1.0})
        };
        rack["mappings"] = json!([mapping(0, 4), mapping(5, 8)]);
    });
    api
}

#[test]
fn names() {
    let api = Api::raw_enabled();
    silent(&api, json!({"path": "rt0/d0", "name": "Hall, large"}));
    assert_eq!(api.get("live_set return_tracks 0 devices 0", "name"), json!(["Hall, large"]));
    let list = api.ok(TOOL, json!({"path": "rt0/d0,rt1/d0", "name": "A,B"}));
    assert_eq!(list.as_array().map(Vec::len), Some(2));
    assert_eq!(api.get("live_set return_tracks 1 devices 0", "name"), json!(["B"]));
    api.ok(TOOL, json!({"path": "rt0/d0,rt1/d0", "name": ""}));
    assert_eq!(api.get("live_set return_tracks 1 devices 0", "name"), json!(["Delay"]), "its own name again");
}

#[test]
fn macros_are_shown_in_pairs() {
    for (asked, shown, said) in [
        (8, 8, None),
        (10, 10, None),
        (16, 16, None),
        (9, 10, Some("in pairs")),
        (15, 16, Some("in pairs")),
        (0, 1, Some("no fewer")),
    ] {
        let api = mapped();
        let entry = api.ok(TOOL, json!({"path": "t0/d0", "macroCount": asked}));
        assert_eq!(api.get(RACK, "visible_macro_count"), json!([shown]), "{asked}");
        assert_eq!(entry["macroCount"].as_i64(), said.map(|_| shown), "{asked}: {entry}");
        let hidden = shown < 6;
        assert_eq!(detail(&entry).is_empty(), said.is_none() && !hidden, "{asked}: {entry}");
        assert!(said.is_none_or(|said| detail(&entry).contains(said)), "{asked}: {entry}");
    }
    let api = mapped();
    let entry = api.ok(TOOL, json!({"path": "t0/d0", "macroCount": 4}));
    assert_eq!(detail(&entry), "macros that are mapped and hidden now: 6 (Tone); their mappings stay");
    assert_eq!(api.get(RACK, "has_macro_mappings"), json!([1]));
    // Already hidden, it is no news.
    silent(&api, json!({"path": "t0/d0", "macroCount": 2}));
}

#[test]
fn snapshots_of_macros() {
    let api = mapped();
    let first = || api.get(&format!("{RACK} parameters 1"), "value")[0].as_f64().expect("a number");
    let count = || api.get(RACK, "variation_count")[0].as_i64();
    let set = |value: f64| api.set(&format!("{RACK} parameters 1"), "value", json!(value));
    for (word, index, words) in
        [("load", Some(0), "no variations"), ("delete", Some(0), "no variations"), ("revert", None, "no variations")]
    {
        let text = api.refused(TOOL, json!({"path": "t0/d0", "macroVariation": word, "macroVariationIndex": index}));
        assert!(text.contains(words), "{word}: {text}");
    }
    set(20.0);
    undone(&api, count, || silent(&api, json!({"path": "t0/d0", "macroVariation": "create"})));
    set(90.0);
    silent(&api, json!({"path": "t0/d0", "macroVariation": "create"}));
    silent(&api, json!({"path": "t0/d0", "macroVariation": "load", "macroVariationIndex": 0}));
    assert_eq!((first(), count()), (20.0, Some(2)));
    set(50.0);
    silent(&api, json!({"path": "t0/d0", "macroVariation": "revert"}));
    assert_eq!(first(), 20.0);
    assert!(
        api.refused(TOOL, json!({"path": "t0/d0", "macroVariation": "load", "macroVariationIndex": 2}))
            .contains("0 to 1")
    );
    silent(&api, json!({"path": "t0/d0", "macroVariation": "delete", "macroVariationIndex": 0}));
    assert_eq!(count(), Some(1));
    silent(&api, json!({"path": "t0/d0", "macroVariation": "load", "macroVariationIndex": 0}));
    assert_eq!(first(), 90.0);
    let drawn: Vec<f64> = (0..4)
        .map(|_| {
            silent(&api, json!({"path": "t0/d0", "macroVariation": "randomize"}));
            first()
        })
        .collect();
    assert!(drawn.iter().any(|value| *value != 90.0), "{drawn:?}");
    // A snapshot is of what the same call wrote; one is loaded before that.
    let name = api.get(&format!("{RACK} parameters 2"), "name")[0].clone();
    let entry =
        api.ok(TOOL, json!({"path": "t0/d0", "macroVariation": "create", "params": [{"name": name, "value": "77"}]}));
    assert!(entry["params"][0].get("ok").is_none(), "{entry}");
    api.set(&format!("{RACK} parameters 2"), "value", json!(1));
    silent(&api, json!({"path": "t0/d0", "macroVariation": "load", "macroVariationIndex": 1}));
    assert_eq!(api.get(&format!("{RACK} parameters 2"), "value")[0].as_f64().map(f64::round), Some(77.0));
    // Nothing mapped, nothing to draw.
    insert(&api, "live_set tracks 2", &["Audio Effect Rack"]);
    assert!(api.refused(TOOL, json!({"path": "t2/d0", "macroVariation": "randomize"})).contains("has none"));
}

#[test]
fn the_other_state_of_a_device() {
    let api = Api::raw_enabled();
    let reverb = "live_set return_tracks 0 devices 0";
    let (size, is_b) = (format!("{reverb} parameters 1"), || api.get(reverb, "is_using_compare_preset_b"));
    let before = api.get(&size, "value");
    silent(&api, json!({"path": "rt0/d0", "abCompare": "save"}));
    silent(&api, json!({"path": "rt0/d0", "abCompare": "b"}));
    assert_eq!(is_b(), json!([1]));
    api.set(&size, "value", json!(0.9));
    silent(&api, json!({"path": "rt0/d0", "abCompare": "a"}));
    assert_eq!((is_b(), api.get(&size, "value")), (json!([0]), before));
    undone(&api, || (is_b(), api.get(&size, "value")), || silent(&api, json!({"path": "rt0/d0", "abCompare": "b"})));
    assert_eq!(api.get(&size, "value"), json!([0.9]));
    insert(&api, "live_set tracks 2", &["Audio Effect Rack"]);
    assert!(api.refused(TOOL, json!({"path": "t2/d0", "abCompare": "a"})).contains("t2/d0 (id"));
}

fn actions(api: &Api, path: &str, list: Value) -> Value {
    api.ok(TOOL, json!({"path": path, "actions": list}))
}

#[test]
fn actions_in_call_syntax() {
    let api = Api::raw_enabled();
    insert(&api, "live_set tracks 0", &["Simpler"]);
    let simpler = "live_set tracks 0 devices 0";
    // Without a sample there is nothing to do them to.
    for action in ["warpAs(4)", "warpOn", "insertSlice(10)"] {
        let text = api.refused(TOOL, json!({"path": "t0/d0", "actions": [action]}));
        assert!(text.contains("sample"), "{action}: {text}");
    }
    api.ok(TOOL, json!({"path": "t0/d0", "params": [{"name": "sample", "value": WAV}]}));
    let slices = || api.get(&format!("{simpler} sample"), "slices");
    let before = slices();
    undone(&api, slices, || {
        let entry = actions(&api, "t0/d0", json!(["insertSlice(4000)", "warpOn()", " WARPOFF "]));
        assert_eq!(
            entry,
            json!({"id": entry["id"], "path": "t0/d0", "actions":
                [{"action": "insertSlice(4000)"}, {"action": "warpOn()"}, {"action": " WARPOFF "}]})
        );
    });
    assert!(slices().as_array().is_some_and(|now| now.contains(&json!(4000))));
    for call in ["removeSlice(4001)", "moveSlice(4001, 9)"] {
        let text = api.refused(TOOL, json!({"path": "t0/d0", "actions": [call]}));
        assert!(text.contains("slices begin at ") && text.contains("4000"), "{text}");
    }
    for call in ["moveSlice(4000, 5000)", "removeSlice(5000)", "insertSlice(300)", "resetSlices", "clearSlices"] {
        assert!(actions(&api, "t0/d0", json!([call]))["actions"][0].get("ok").is_none(), "{call}");
    }
    actions(&api, "t0/d0", json!(["resetSlices"]));
    assert_eq!(slices(), before);
    // What fails says why; the rest is done.
    let entry =
        actions(&api, "t0/d0", json!(["revers", "reverse", "moveSlice(1)", "warpAs(1.5)", "warpOn(1)", "warpOn"]));
    let said: Vec<&str> = entry["actions"].as_array().expect("six").iter().map(detail).collect();
    let there_are = "there are warpAs(beats), warpDouble, warpHalf, insertSlice(frame)";
    for (said, words) in
        said.iter().zip([there_are, "running Live", "moveSlice(from, to)", "warpAs(beats)", "it is written warpOn", ""])
    {
        assert!(said.contains(words), "{said}: {words}");
    }
    assert_eq!(entry["actions"][5], json!({"action": "warpOn"}));
    assert_eq!(api.get(&format!("{simpler} sample"), "warping"), json!([1]));
    assert!(
        !said.first().is_some_and(|said| said.contains("crop")),
        "what this host cannot do is not offered: {said:?}"
    );
    // Alone they are the refusal.
    let text = api.refused(TOOL, json!({"path": "t0/d0", "actions": ["frob", "crop(1)"]}));
    assert!(text.contains("frob") && text.contains("crop(1)"), "{text}");
}

#[test]
fn a_modulation_matrix_is_written_by_actions() {
    let api = Api::raw_enabled();
    insert(&api, "live_set tracks 0", &["Wavetable"]);
    let device = "live_set tracks 0 devices 0";
    actions(&api, "t0/d0", json!(["setModulation(\"Osc 1 Pos\", \"lfo 1\", 0.5)", "addModulationTarget('Osc 1 Pan')"]));
    let names = api.get(device, "visible_modulation_target_names");
    let row = names.as_array().expect("a list").iter().position(|name| name == "Osc 1 Pos").expect("the row");
    // LFO 1 is the source at 3.
    assert_eq!(api.call(device, "get_modulation_value", json!([row, 3])), json!([0.5]));
    assert!(names.as_array().is_some_and(|names| names.contains(&json!("Osc 1 Pan"))), "{names}");
    // A source by the name that reads show, or as the matrix abbreviates it.
    for (column, source) in [(5, "Velocity"), (7, "Pitch Bend"), (8, "Pressure"), (9, "Mod Wheel"), (10, "Random")] {
        actions(&api, "t0/d0", json!([format!("setModulation('Osc 1 Pos', '{source}', 0.25)")]));
        assert_eq!(api.call(device, "get_modulation_value", json!([row, column])), json!([0.25]), "{source}");
    }
    for (column, source) in [(5, "Vel"), (7, "pb"), (8, "Press"), (9, "Mod"), (10, "Rand")] {
        actions(&api, "t0/d0", json!([format!("setModulation('Osc 1 Pos', '{source}', -0.5)")]));
        assert_eq!(api.call(device, "get_modulation_value", json!([row, column])), json!([-0.5]), "{source}");
    }
    // Whatever is read can be written.
    let read = api.ok("svc-read-device", json!({"path": "t0/d0", "include": ["options"]}));
    let sources = read["options"]["modulationSources"].as_array().expect("sources").iter();
    for source in sources.map(|s| s.as_str().expect("a name")) {
        let entry = actions(&api, "t0/d0", json!([format!("setModulation('Osc 1 Pan', '{source}', 1)")]));
        assert!(entry["actions"][0].get("ok").is_none(), "{entry}");
    }
    for (call, words) in [
        ("setModulation(\"Osc 1 Pos\", \"Moon\", 0.5)", "there are Amp"),
        ("setModulation(\"Osc 1 Poz\", \"Amp\", 0.5)", "the nearest is \"Osc 1 Pos\""),
        ("setModulation(\"Osc 1 On\", \"Amp\", 0.5)", "cannot be modulated"),
        ("setModulation(\"Osc 1 Pos\", \"Amp\", 1.5)", "from -1 to 1"),
        ("setModulation(\"Osc 1 Pos\")", "it is written setModulation"),
    ] {
        let text = api.refused(TOOL, json!({"path": "t0/d0", "actions": [call]}));
        assert!(text.contains(words), "{call}: {text}");
    }
}

#[test]
fn other_actions() {
    let api = Api::raw_enabled();
    insert(&api, "live_set tracks 2", &["Looper"]);
    insert(&api, "live_set tracks 0", &["CC Control"]);
    assert!(actions(&api, "t2/d0", json!(["stop", "clear"]))["actions"][1].get("ok").is_none());
    for call in ["record", "halfSpeed", "exportToClipSlot(\"t2/s0\")"] {
        assert!(api.refused(TOOL, json!({"path": "t2/d0", "actions": [call]})).contains("running Live"), "{call}");
    }
    assert!(actions(&api, "t0/d0", json!(["resend"]))["actions"][0].get("ok").is_none());
    // A device and its parameter in one call; the list may come as text.
    let entry = api.ok(
        TOOL,
        json!({"path": "t2/d0", "actions": "[\"stop\"]", "params": "[{\"name\":\"Device On\",\"value\":\"off\"}]"}),
    );
    assert_eq!(entry["params"][0]["value"], "Off", "{entry}");
    assert_eq!(entry["actions"], json!([{"action": "stop"}]));
}

#[test]
fn params_are_the_same_for_every_target() {
    let api = Api::raw_enabled();
    insert(&api, "live_set tracks 2", &["Delay", "Delay", "Reverb"]);
    let list = api.ok(
        TOOL,
        json!({"path": "t2/d0,t2/d1,t2/d2", "params": [{"name": "Filter Freq", "value": 500}], "name": "A,B,C"}),
    );
    let frequency =
        |at: usize| api.get(&format!("live_set tracks 2 devices {at} parameters 15"), "display_value")[0].clone();
    for at in [0, 1] {
        assert_eq!(list[at]["params"][0].get("detail"), None, "{list}");
        assert_eq!(frequency(at).as_f64().map(f64::round), Some(500.0));
    }
    assert_eq!(list[2]["params"][0]["ok"], false, "{list}");
    // All that was asked of it failed: a skip.
    let list = api.ok(TOOL, json!({"path": "t2/d0,t2/d2", "params": [{"name": "Filter Freq", "value": 600}]}));
    assert_eq!(
        (&list[1]["path"], &list[1]["ok"], list[1].get("params")),
        (&json!("t2/d2"), &json!(false), None),
        "{list}"
    );
}

/// Presets need a folder of the user's own.
struct Kept {
    api: Api,
    _folder: tempfile::TempDir,
}

fn kept() -> Kept {
    let folder = tempfile::tempdir().expect("a folder");
    let api = Api::in_folder(folder.path());
    Kept { api, _folder: folder }
}

#[test]
fn presets_are_saved_by_an_action_and_swapped_in() {
    let Kept { api, .. } = &kept();
    insert(api, "live_set tracks 2", &["Delay", "Reverb"]);
    insert(api, "live_set tracks 0", &["Operator"]);
    let frequency = |at: usize| {
        api.get(&format!("live_set tracks 2 devices {at} parameters 15"), "display_value")[0].as_f64().map(f64::round)
    };
    let entry = api.ok(
        TOOL,
        json!({"path": "t2/d0", "params": [{"name": "Filter Freq", "value": 300}], "actions": ["savePreset(\"Dark\")"]}),
    );
    assert_eq!(entry["actions"], json!([{"action": "savePreset(\"Dark\")"}]), "{entry}");
    let again = actions(api, "t2/d0", json!(["savePreset(\"dark\")"]));
    assert!(detail(&again["actions"][0]).contains("replaced"), "{again}");
    assert!(api.refused(TOOL, json!({"path": "t2/d0", "actions": ["savePreset(\"a/b\")"]})).contains("a slash"));
    assert!(api.refused(TOOL, json!({"path": "t2/d0", "actions": ["savePreset"]})).contains("savePreset(\"name\")"));
    api.ok(TOOL, json!({"path": "t2/d0", "params": [{"name": "Filter Freq", "value": 5000}]}));
    // In its place, with an id of its own; what else the call asks is asked of the new one.
    let old = api.id("live_set tracks 2 devices 0");
    undone(
        api,
        || frequency(0),
        || {
            let entry = api.ok(TOOL, json!({"path": "t2/d0", "preset": "DARK", "name": "Swapped"}));
            assert_eq!(entry, json!({"id": api.id("live_set tracks 2 devices 0"), "path": "t2/d0", "name": "Swapped"}));
            assert_ne!(entry["id"], old.as_str());
        },
    );
    assert_eq!(
        (frequency(0), super::devices(api, "live_set tracks 2")),
        (Some(300.0), vec!["Swapped".to_owned(), "Reverb".to_owned()])
    );
    // An instrument gives its place too, and a rack with what it holds: a later target in it is gone.
    actions(api, "t0/d0", json!(["savePreset(\"Bell\")"]));
    let entry = api.ok(TOOL, json!({"path": "t0/d0", "preset": "Bell", "toPath": "t1/d0"}));
    assert_eq!(entry, json!({"id": api.id("live_set tracks 1 devices 0"), "path": "t1/d0"}));
    api.ok(TOOL, json!({"path": "t1/d0", "wrapInRack": true}));
    actions(api, "t1/d0", json!(["savePreset(\"Wrapped\")"]));
    let list = api.ok(TOOL, json!({"path": "t1/d0,t1/d0/c0,t1/d0/c0/d0", "preset": "Wrapped", "name": "A,B,C"}));
    assert!(list[0]["path"] == "t1/d0" && detail(&list[0]).contains("1 chain (\"Chain\") with 1 device"), "{list}");
    for at in [1, 2] {
        assert!(list[at]["ok"] == false && detail(&list[at]).contains("took it away"), "{list}");
    }
    assert_eq!(super::devices(api, "live_set tracks 1 devices 0 chains 0"), ["Operator"]);
    for (path, preset, words) in [
        ("t2/d0", "Bell", "another kind of device"),
        ("t1/d0", "Dark", "another kind of device"),
        ("t2/d0", "Nothing", "there is no preset \"Nothing\""),
        ("t1/d0/c0", "Bell", "preset ignored"),
    ] {
        let text = api.refused(TOOL, json!({"path": path, "preset": preset}));
        assert!(text.contains(words), "{path} {preset}: {text}");
    }
    // Where several devices have one of that name, the target's own is meant.
    actions(api, "t2/d1", json!(["savePreset(\"Dark\")"]));
    let list = api.ok(TOOL, json!({"path": "t2/d0,t2/d1", "preset": "Dark", "name": "A,B"}));
    assert!(list[0].get("detail").is_none() && list[1].get("detail").is_none(), "{list}");
    assert_eq!(api.get("live_set tracks 2 devices 1", "class_display_name"), json!(["Reverb"]));
}
