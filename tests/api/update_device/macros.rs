//! Macros of racks: mapped, named, moved, read, taken back, saved and copied.

use super::TOOL;
use crate::support::Api;
use serde_json::{Value, json};

/// An Instrument Rack on t0 with two Operators side by side.
fn rack() -> Api {
    with_rack(Api::new())
}

fn with_rack(api: Api) -> Api {
    api.ok("svc-create-device", json!({"device": "Instrument Rack", "path": "t0"}));
    api.ok("svc-create-device", json!({"device": "Operator", "path": "t0/d0/c0,t0/d0/c1"}));
    api
}

fn act(api: &Api, actions: &[&str]) -> Value {
    api.ok(TOOL, json!({"path": "t0/d0", "actions": actions}))
}

fn macros(api: &Api, path: &str) -> Value {
    api.ok("svc-read-device", json!({"path": path, "include": ["params"], "paramSearch": "Macro 1"}))["macros"].clone()
}

/// The entry of the first parameter that a search finds.
fn parameter(api: &Api, path: &str, search: &str) -> Value {
    let include = json!(["param-values"]);
    let read = api.ok("svc-read-device", json!({"path": path, "include": include, "paramSearch": search}));
    read["parameters"][0].clone()
}

#[test]
fn a_macro_is_mapped_named_moved_and_unmapped() {
    let api = rack();
    let set = || svc_device::set::edit::saved_set::save(&api.document());
    let before = set();
    let freq = parameter(&api, "t0/d0/c0/d0", "Filter Freq")["value"].clone();
    let done = act(
        &api,
        &[
            "mapMacro(1, \"c0/d0/Filter Freq\", 200, \"8 kHz\")",
            "nameMacro(1, \"Brightness\")",
            "mapMacro(\"Brightness\", \"c1/d0/Volume\", \"-20 dB\", \"-6 dB\")",
        ],
    );
    let entries = done["actions"].as_array().expect("actions");
    assert!(entries.iter().all(|entry| entry.get("ok").is_none()), "{done}");
    // The macro goes to where its first parameter stands, or to the nearest end; the next ones go to the macro.
    assert!(freq.as_f64().is_some_and(|freq| freq > 8000.0), "{freq}");
    assert!(entries[0]["detail"].as_str().is_some_and(|text| text.starts_with("Filter Freq is 8000 now")), "{done}");
    assert!(entries[2]["detail"].as_str().is_some_and(|text| text.starts_with("Volume is ")), "{done}");
    let of = macros(&api, "t0/d0");
    assert_eq!((&of["hasMappings"], of["mappings"].as_array().map(Vec::len)), (&json!(true), Some(2)), "{of}");
    let first = &of["mappings"][0];
    assert_eq!(
        (&first["macro"], &first["parameter"], &first["path"]),
        (&json!(1), &json!("Filter Freq"), &json!("t0/d0/c0/d0"))
    );
    assert_eq!((&of["mappings"][1]["from"], &of["mappings"][1]["to"]), (&json!("-20 dB"), &json!("-6.0 dB")), "{of}");
    assert_eq!(parameter(&api, "t0/d0", "Brightness")["name"], "Brightness (Macro 1)");
    // Moving the macro, by its name, moves both; what it moves takes no writes.
    for (value, level) in [("127 raw", -6), ("0 raw", -20)] {
        api.ok(TOOL, json!({"path": "t0/d0", "params": [{"name": "Brightness", "value": value}]}));
        assert_eq!(parameter(&api, "t0/d0/c1/d0", "Volume")["value"], level, "{value}");
    }
    let owned = parameter(&api, "t0/d0/c0/d0", "Filter Freq");
    assert_eq!((&owned["value"], &owned["enabled"]), (&json!(200), &json!(false)), "{owned}");
    // One of them goes its own way again, then all.
    act(&api, &["unmapMacro(1, \"c1/d0/Volume\")"]);
    assert_eq!(macros(&api, "t0/d0")["mappings"].as_array().map(Vec::len), Some(1));
    act(&api, &["unmapMacro(\"Brightness\")", "nameMacro(1, \"\")"]);
    assert_eq!(macros(&api, "t0/d0"), json!({"count": 8, "hasMappings": false}));
    assert_eq!(parameter(&api, "t0/d0", "Macro 1")["name"], "Macro 1");
    assert_eq!(parameter(&api, "t0/d0/c0/d0", "Filter Freq").get("enabled"), None);
    // Four calls changed something: the macro stood at its upper end already.
    let undone: Vec<Value> = (0..4).map(|_| api.ok("svc-manage", json!({"action": "undo"}))).collect();
    assert_eq!(set(), before, "{undone:?}");
}

#[test]
fn a_macro_moves_a_chains_fader() {
    let api = rack();
    let set = || svc_device::set::edit::saved_set::save(&api.document());
    let before = set();
    act(&api, &["mapMacro(1, \"c1/gainDb\", \"-20 dB\", \"0 dB\")"]);
    let first = macros(&api, "t0/d0")["mappings"][0].clone();
    let want = json!({
        "macro": 1, "parameter": "Chain Volume", "path": "t0/d0/c1", "from": "-20.0 dB", "to": "0.0 dB"
    });
    assert_eq!(first, want);
    let volume = "live_set tracks 0 devices 0 chains 1 mixer_device volume";
    for (value, level) in [("127 raw", 0.0), ("0 raw", -20.0)] {
        api.ok(TOOL, json!({"path": "t0/d0", "params": [{"name": "Macro 1", "value": value}]}));
        let shown = api.get(volume, "display_value")[0].as_f64().expect("a number");
        assert!((shown - level).abs() < 0.05, "{value}: {shown}");
    }
    act(&api, &["unmapMacro(1, \"c1/gainDb\")"]);
    assert_eq!(macros(&api, "t0/d0"), json!({"count": 8, "hasMappings": false}));
    // The macro stood where the fader did, at its upper end.
    let undone: Vec<Value> = (0..3).map(|_| api.ok("svc-manage", json!({"action": "undo"}))).collect();
    assert_eq!(set(), before, "{undone:?}");
}

#[test]
fn what_no_macro_can_do_is_told() {
    let api = rack();
    api.ok("svc-create-device", json!({"device": "Auto Filter", "path": "t0"}));
    act(&api, &["mapMacro(2, \"c0/d0/Tone\")"]);
    let before = api.kept();
    for (action, why) in [
        ("mapMacro(0, \"c0/d0/Volume\")", "from 1 to 16"),
        ("mapMacro(\"Bright\", \"c0/d0/Volume\")", "no macro of the rack is called"),
        ("mapMacro(1)", "it is written mapMacro(macro"),
        ("mapMacro(1, \"Volume\")", "2 devices in the rack have it"),
        ("mapMacro(1, \"Wobble\")", "no device in the rack"),
        ("mapMacro(1, \"c0/name\")", "no parameter that a macro could move"),
        ("mapMacro(1, \"c0/d0/Tone\")", "moved by a macro already"),
        ("mapMacro(1, \"c0/d0/Volume\", 0, 0)", "two values"),
        ("mapMacro(1, \"c0/d0/Volume\", -6, \"20 Hz\")", "Hz"),
        ("mapMacro(1, \"c5/d0/Volume\")", "counted from 0"),
        ("unmapMacro(3)", "moves nothing"),
        ("unmapMacro(2, \"c0/d0/Volume\")", "does not move that"),
    ] {
        let refusal = api.refused(TOOL, json!({"path": "t0/d0", "actions": [action]}));
        assert!(refusal.contains(why), "{action}: {refusal}");
        assert!(api.kept().same_as(&before), "{action}");
    }
    // What is no rack has no such actions.
    let refusal = api.refused(TOOL, json!({"path": "t0/d1", "actions": ["mapMacro(1, \"Frequency\")"]}));
    assert!(refusal.contains("has no action mapMacro"), "{refusal}");
}

#[test]
fn mappings_go_with_copies_presets_and_the_saved_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = with_rack(Api::in_folder(folder.path()));
    act(&api, &["mapMacro(3, \"c0/d0/Tone\")", "nameMacro(3, \"Tint\")", "savePreset(\"Tinted\")"]);
    let mapping = |path: &str| {
        let of = macros(&api, path);
        (of["mappings"][0]["macro"].clone(), of["mappings"][0]["path"].clone())
    };
    api.ok("svc-duplicate", json!({"type": "device", "path": "t0/d0", "toPath": "t1"}));
    assert_eq!(mapping("t1/d0"), (json!(3), json!("t1/d0/c0/d0")));
    api.ok("svc-delete", json!({"type": "device", "path": "t1/d0"}));
    api.ok("svc-create-device", json!({"preset": "Tinted", "path": "t1"}));
    assert_eq!(mapping("t1/d0"), (json!(3), json!("t1/d0/c0/d0")));
    assert_eq!(parameter(&api, "t1/d0", "Tint")["name"], "Tint (Macro 3)");
    // What a document says of them is checked.
    for (index, name, is_fine) in [("2", "Tint", true), ("16", "Tint", false), ("2", " ", false)] {
        let mut saved: Value = serde_json::from_str(&api.saved()).expect("a Set");
        let rack = &mut saved["set"]["tracks"][0]["devices"][0]["rack"];
        assert_eq!(rack["macro_names"], json!({"2": "Tint"}));
        rack["macro_names"] = json!({ index: name });
        let loaded = svc_device::set::edit::saved_set::load(&saved.to_string());
        assert_eq!(loaded.is_ok(), is_fine, "{index} {name:?}");
    }
}

/// In the units of the parameter, as its labels have them.
#[test]
fn a_range_past_what_the_parameter_shows_is_refused_in_its_units() {
    let api = rack();
    for (action, why) in [
        ("mapMacro(1, \"c0/d0/Volume\", -20, 100)", "100 is outside its range, -inf dB to 6.0 dB"),
        ("mapMacro(1, \"c0/d0/Volume\", \"-20 dB\", \"12 dB\")", "12 dB is outside its range, -inf dB to 6.0 dB"),
        ("mapMacro(1, \"c0/d0/Tone\", 0, 500)", "500 is outside its range, 0.0 % to 100 %"),
    ] {
        let text = api.refused(TOOL, json!({"path": "t0/d0", "actions": [action]}));
        assert!(text.contains(why), "{action}: {text}");
    }
}
