//! Chains and pads: mixer, colours, names, what drum chains have; a pad is all its layers.

use super::{TOOL, detail, silent, undone};
use crate::delete::with_racks;
use crate::support::Api;
use crate::table::change_document;
use serde_json::{Value, json};

const RACK: &str = "live_set tracks 0 devices 0";

fn near(value: &Value, wanted: f64) -> bool {
    value[0].as_f64().is_some_and(|value| (value - wanted).abs() < 1e-3)
}

fn chain(at: usize) -> String {
    format!("{RACK} chains {at}")
}

#[test]
fn what_lands_as_asked_is_not_said_again() {
    let api = with_racks();
    for (path, values, at, member, want) in [
        ("t0/d0/pD1/c0", json!({"name": "Snr"}), 2, "name", json!(["Snr"])),
        ("t0/d0/pD1", json!({"name": "Rim"}), 2, "name", json!(["Rim"])),
        ("t0/d0/pC1/c1", json!({"mute": true}), 1, "mute", json!([1])),
        ("t0/d0/pC1/c1", json!({"mute": false}), 1, "mute", json!([0])),
        ("t0/d0/pD1", json!({"solo": true}), 2, "solo", json!([1])),
        ("t0/d0/pD1", json!({"color": "#ff94a6"}), 2, "color", json!([0xFF94A6])),
        ("t0/d0/pD1", json!({"chokeGroup": 3}), 2, "choke_group", json!([3])),
        ("t0/d0/pD1/c0", json!({"chokeGroup": 0}), 2, "choke_group", json!([0])),
        ("t0/d0/pD1/c0", json!({"mappedPitch": "d3"}), 2, "out_note", json!([62])),
        ("t0/d0/pD1", json!({"mappedPitch": "Gb1"}), 2, "out_note", json!([42])),
    ] {
        let mut arguments = values.clone();
        arguments["path"] = json!(path);
        silent(&api, arguments.clone());
        assert_eq!(api.get(&chain(at), member), want, "{arguments}");
    }
    for (path, values, member, want) in [
        ("t0/d0/pD1", json!({"gainDb": -6}), "volume", 0.7),
        ("t0/d0/pD1/c0", json!({"gainDb": 6}), "volume", 1.0),
        ("t0/d0/pD1/c0", json!({"pan": -0.25}), "panning", -0.25),
        ("t0/d0/pD1", json!({"pan": "1"}), "panning", 1.0),
    ] {
        let mut arguments = values.clone();
        arguments["path"] = json!(path);
        silent(&api, arguments.clone());
        let value = api.get(&format!("{} mixer_device {member}", chain(2)), "value");
        assert!(near(&value, want), "{arguments}: {value}");
    }
    for path in ["t0/d0/pD1", "t0/d0/pD1/c0"] {
        let entry = api.ok(TOOL, json!({"path": path, "gainDb": -70}));
        assert_eq!(
            (&entry["gainDb"], detail(&entry)),
            (&json!("-inf"), "gainDb reads -inf, which is silence"),
            "{path}"
        );
    }
    assert!(near(&api.get(&format!("{} mixer_device volume", chain(2)), "value"), 0.0));
    // A chain of another rack, and the pad of all notes, which is no object.
    silent(&api, json!({"path": "t1/d0/c0", "name": "Lows", "gainDb": -3, "pan": 0.5, "mute": true, "solo": true}));
    let all = api.ok(TOOL, json!({"path": "t0/d0/p*", "mute": true, "chokeGroup": 2}));
    assert_eq!(all, json!({"path": "t0/d0/p*", "chokeGroup": 2}));
    assert_eq!((api.get(&chain(3), "mute"), api.get(&chain(3), "choke_group")), (json!([1]), json!([2])));
    // The palette has its own colours.
    let entry = api.ok(TOOL, json!({"path": "t0/d0/pD1/c0", "color": "#123456"}));
    let landed = entry["color"].as_str().expect("a colour").to_owned();
    assert!(landed != "#123456" && detail(&entry).contains(&landed), "{entry}");
}

#[test]
fn a_pad_is_all_its_layers() {
    let api = with_racks();
    let both = |member: &str| [api.get(&chain(0), member), api.get(&chain(1), member)];
    undone(
        &api,
        || (both("mute"), both("choke_group"), both("out_note"), both("color")),
        || {
            silent(
                &api,
                json!({"path": "t0/d0/pC1", "mute": true, "solo": true, "chokeGroup": 5, "mappedPitch": "C2", "color": "#FF94A6"}),
            );
        },
    );
    for (member, want) in [("mute", 1), ("solo", 1), ("choke_group", 5), ("out_note", 48), ("color", 0xFF94A6)] {
        assert_eq!(both(member), [json!([want]), json!([want])], "{member}");
    }
    assert_eq!(api.get(&chain(2), "mute"), json!([0]), "another pad");
    // What only one layer can have.
    let layers = "the pad has 2 layers, so name one: t0/d0/pC1/c0, t0/d0/pC1/c1";
    for (values, names) in [
        (json!({"name": "X"}), "name"),
        (json!({"gainDb": -6, "pan": 0}), "gainDb, pan"),
        (json!({"name": "X", "sendGainDb": -6, "sendReturn": "a"}), "name, sendGainDb, sendReturn"),
        (json!({"sends": [{"return": "a", "gainDb": -6}]}), "sends"),
    ] {
        let mut arguments = values;
        arguments["path"] = json!("t0/d0/pC1");
        assert_eq!(api.refused(TOOL, arguments.clone()), format!("{names} ignored: {layers}"));
        arguments["mute"] = json!(false);
        let entry = api.ok(TOOL, arguments);
        assert_eq!((&entry["path"], detail(&entry)), (&json!("t0/d0/pC1"), &*format!("{names} ignored: {layers}")));
    }
    assert_eq!(both("name"), [json!(["Kick"]), json!(["Click"])]);
    // Nothing on it, nothing to write.
    for values in
        [json!({"mute": true}), json!({"chokeGroup": 1}), json!({"toPath": "t0/d0/pF1"}), json!({"name": "X"})]
    {
        let mut arguments = values;
        arguments["path"] = json!("t0/d0/pE1");
        assert!(api.refused(TOOL, arguments.clone()).contains("the pad pE1 is empty"), "{arguments}");
    }
}

/// The Drum Rack on t0 with two return chains.
fn with_returns() -> Api {
    let api = with_racks();
    change_document(&api, |set, serial| {
        let held = &mut set["tracks"][0]["devices"][0]["rack"];
        let mut returns = Vec::new();
        for name in ["a Room", "b Echo"] {
            let mut made = held["chains"][3].clone();
            made["serial"] = serial().into();
            made["name"] = name.into();
            made["sends"] = json!([0.0, 0.0]);
            returns.push(made);
        }
        held["return_chains"] = json!(returns);
        let chains = held["chains"].as_array_mut().expect("chains").iter_mut();
        chains.for_each(|chain| chain["sends"] = json!([0.0, 0.0]));
    });
    api
}

#[test]
fn chains_send_to_the_return_chains_of_their_rack() {
    let api = with_returns();
    let send = |at: usize, to: usize| api.get(&format!("{} mixer_device sends {to}", chain(at)), "value");
    let id = api.id(&format!("{RACK} return_chains 1"));
    for (path, values, at, to) in [
        ("t0/d0/pD1/c0", json!({"sendGainDb": 0, "sendReturn": "a"}), 2, 0),
        ("t0/d0/pD1", json!({"sends": [{"return": "B Echo", "gainDb": 0}]}), 2, 1),
        ("t0/d0/pC1/c1", json!({"sends": [{"return": id, "gainDb": 0}]}), 1, 1),
    ] {
        let mut arguments = values.clone();
        arguments["path"] = json!(path);
        silent(&api, arguments.clone());
        assert!(near(&send(at, to), 1.0), "{arguments}: {}", send(at, to));
    }
    let entry = api.ok(TOOL, json!({"path": "t0/d0/pD1/c0", "sendGainDb": -70, "sendReturn": "a"}));
    assert_eq!(entry["sends"][0]["gainDb"], "-inf", "{entry}");
    assert!(near(&send(2, 0), 0.0));
    silent(&api, json!({"path": "t0/d0/pD1/c0", "sendGainDb": 0, "sendReturn": "a"}));
    // Return tracks are none of them.
    for to in ["rt0", "A-Reverb", "z"] {
        let text = api.refused(TOOL, json!({"path": "t0/d0/pD1/c0", "sendGainDb": -6, "sendReturn": to}));
        assert!(text.contains("there are a Room, b Echo"), "{to}: {text}");
    }
    let entry = api.ok(
        TOOL,
        json!({"path": "t0/d0/pD1/c0", "sends": [{"return": "a", "gainDb": -12}, {"return": "x", "gainDb": -6}]}),
    );
    assert_eq!((&entry["sends"][0]["return"], &entry["sends"][0]["ok"]), (&json!("x"), &json!(false)), "{entry}");
    // A return pairs with its target.
    silent(&api, json!({"path": "t0/d0/rc0", "name": "a Hall", "mute": true, "gainDb": -6}));
    let list = api.ok(TOOL, json!({"path": "t0/d0/pD1/c0,t0/d0/pC1/c0", "sendGainDb": 0, "sendReturn": "a,b"}));
    assert_eq!(list.as_array().map(Vec::len), Some(2));
    assert!(near(&send(2, 0), 1.0) && near(&send(0, 1), 1.0) && near(&send(0, 0), 0.0));
    assert!(api.refused(TOOL, json!({"path": "t0/d0/rc0", "chokeGroup": 1})).contains("chokeGroup ignored"));
    assert!(api.refused(TOOL, json!({"path": "t0/d0/rc0", "toPath": "t0/d0/pC1"})).contains("keeps its place"));
}
