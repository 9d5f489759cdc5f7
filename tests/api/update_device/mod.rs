//! `svc-update-device`: which targets there are, what fits them, and how entries name them. What is written has rooms
//! of its own.

mod chains;
mod devices;
mod macros;
mod moves;
mod wrap;

use crate::delete::with_racks;
use crate::support::Api;
use serde_json::{Value, json};

pub const TOOL: &str = "svc-update-device";
pub const WAV: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/half.wav");

pub fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

/// A call that landed as asked says only whose it was, and names, choke groups and pitches as they are.
pub fn silent(api: &Api, arguments: Value) {
    let mut entry = api.ok(TOOL, arguments.clone());
    drop_answered(&mut entry);
    assert_eq!(entry, json!({"id": entry["id"], "path": arguments["path"]}), "{arguments}");
    assert!(entry["id"].is_string(), "{arguments}: {entry}");
}

/// Takes away what answers say again of what was set.
fn drop_answered(entry: &mut Value) {
    if let Some(fields) = entry.as_object_mut() {
        fields.retain(|field, _| !["name", "chokeGroup", "mappedPitch", "changed"].contains(&field.as_str()));
    }
}

/// Puts devices onto a track or chain, each at the end of its kind.
pub fn insert(api: &Api, on: &str, names: &[&str]) {
    for name in names {
        api.call(on, "insert_device", json!([name]));
    }
}

/// The names of the devices of a track or chain.
pub fn devices(api: &Api, on: &str) -> Vec<String> {
    let count = api.raw(on, json!([{"type": "getcount", "property": "devices"}]))[0].as_u64().expect("a count");
    let name = |at| api.get(&format!("{on} devices {at}"), "name")[0].as_str().expect("a name").to_owned();
    (0..count).map(name).collect()
}

/// What undo gives is what there was: asked of a part of the Set before and after.
pub fn undone<T: PartialEq + std::fmt::Debug>(api: &Api, look: impl Fn() -> T, change: impl FnOnce()) {
    let before = look();
    change();
    assert_ne!(look(), before, "it changed something");
    api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!(look(), before, "undone");
    api.ok("svc-manage", json!({"action": "redo"}));
}

#[test]
fn a_device_that_is_there_and_one_that_is_not() {
    let api = Api::raw_enabled();
    insert(&api, "live_set tracks 2", &["Reverb", "Delay"]);
    let frequency = api.id("live_set tracks 2 devices 1 parameters 15");
    let list = api.ok(
        TOOL,
        json!({"path": "t2/d1,t2/d9", "params": [{"name": "Filter Freq", "value": "1.2 kHz"}, {"name": "Gloss", "value": "3"}]}),
    );
    let gloss = &list[0]["params"][1];
    assert!(detail(gloss).contains("no parameter"), "{list}");
    assert_eq!(
        list,
        json!([
            {"id": list[0]["id"], "path": "t2/d1", "params": [
                {"id": frequency, "name": "Filter Freq", "value": 1200},
                {"name": "Gloss", "ok": false, "detail": gloss["detail"]},
            ]},
            {"path": "t2/d9", "ok": false, "detail": "t2 has 2 devices (d0-d1)"},
        ])
    );
}

#[test]
fn a_call_that_writes_nothing_is_refused() {
    let api = with_racks();
    for more in [
        json!({}),
        json!({"force": true}),
        json!({"wrapInRack": false}),
        json!({"toPath": " "}),
        json!({"actions": []}),
        json!({"params": []}),
        json!({"sends": []}),
        json!({"name": null, "color": null}),
    ] {
        let mut arguments = more;
        arguments["path"] = json!("t0/d0");
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.starts_with("nothing to write"), "{arguments}: {text}");
    }
    assert!(api.refused(TOOL, json!({"name": "X"})).contains("t0/d0, t0/d0/c0 or t0/d0/pC1"));
}

#[test]
fn whole_calls_that_are_refused() {
    let api = with_racks();
    for (arguments, words) in [
        (json!({"path": "t0", "name": "X"}), "svc-read-track"),
        (json!({"path": "s0", "name": "X"}), "device, chain or pad"),
        (json!({"path": "t0/s0", "name": "X"}), "device, chain or pad"),
        (json!({"path": "t0/d+", "name": "X"}), "svc-create-device"),
        (json!({"path": "t1/d0/c+", "name": "X"}), "svc-create-device"),
        (json!({"path": "t0/d0/d0", "name": "X"}), "d0"),
        (json!({"path": "t0/c0", "name": "X"}), "c0"),
        (json!({"path": "t0/d0/pC1", "mappedPitch": "H9"}), "mappedPitch"),
        (json!({"path": "t0/d0/pC1", "color": "red"}), "#RRGGBB"),
        (json!({"path": "t0/d0/pC1", "sendGainDb": -6}), "sendReturn"),
        (json!({"path": "t0/d0/pC1", "sendReturn": "a"}), "sendGainDb"),
        (json!({"path": "t0/d0", "actions": ["warpAs("]}), "no call"),
        (json!({"path": "t0/d0", "params": [{"name": "A"}]}), "no value"),
        (json!({"path": "t0/d0", "params": [{"value": "1"}]}), "neither name nor id"),
        (json!({"path": "t0/d0,t1/d0", "toPath": "t1/d+"}), "1 place for 2 targets"),
        (json!({"path": "t0/d0", "toPath": "t1/s0"}), "devices go to a track or chain"),
        (json!({"path": "t0/d0,t1/d0", "toPath": "t2/d0,t2/d1"}), "one container"),
        (json!({"path": "t0/d0", "macroVariationIndex": 1}), "belongs to macroVariation load and delete"),
        (json!({"path": "t0/d0", "macroVariation": "create", "macroVariationIndex": 1}), "belongs to"),
        (json!({"path": "t0/d0", "macroVariation": "load"}), "need macroVariationIndex"),
        (json!({"path": "t0/d0", "macroVariation": "delete"}), "need macroVariationIndex"),
        (json!({"path": "t0/d0,t0/d0/pC1", "name": "a,b,c"}), "3 values for 2 targets"),
    ] {
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
    let envelope = api.envelope(TOOL, "", &json!({"path": "t0/d0", "name": "X", "force": true}));
    assert_eq!(envelope["warnings"], json!(["force ignored: only a sample for a pad needs it"]));
    for arguments in [
        json!({"path": "t0/d0", "macroCount": 17}),
        json!({"path": "t0/d0", "chokeGroup": -1}),
        json!({"path": "t0/d0", "gainDb": 6.5}),
        json!({"path": "t0/d0", "pan": 2}),
        json!({"path": "t0/d0", "abCompare": "c"}),
        json!({"path": "t0/d0", "macroVariation": "store"}),
        json!({"path": "t0/d0", "mute": "yes"}),
        json!({"path": "t0/d0", "actions": [1]}),
    ] {
        api.bad(TOOL, arguments);
    }
    // One parameter by its name and by its id: the last is written.
    let volume = api.id("live_set return_tracks 0 devices 0 parameters 1");
    let name = api.get("live_set return_tracks 0 devices 0 parameters 1", "name")[0].clone();
    let params = json!([{"name": name, "value": "1"}, {"id": volume, "value": "2"}]);
    let entry = api.ok(TOOL, json!({"path": "rt0/d0", "name": "X", "params": params}));
    let said = entry["params"][0]["detail"].as_str().unwrap_or_default();
    assert!(said.contains("named again later") && entry["params"][1].get("detail").is_none(), "{entry}");
}

#[test]
fn ids_and_paths_of_every_kind_add_up() {
    let api = with_racks();
    let ids: Vec<String> = [
        "live_set return_tracks 0 devices 0",
        "live_set tracks 0 devices 0 chains 2",
        "live_set tracks 0 devices 0 drum_pads 36",
    ]
    .map(|path| api.id(path))
    .to_vec();
    let list = api.ok(TOOL, json!({"id": ids.join(","), "path": "t1/d0/c0,t1/d0/c0/d0/pC1", "mute": true}));
    let list = list.as_array().expect("five");
    // A device has no mute.
    assert_eq!(list[0]["id"], ids[0].as_str());
    assert!(list[0]["ok"] == false && detail(&list[0]).contains("mute ignored"), "{list:?}");
    assert_eq!(list[1], json!({"id": ids[1], "path": "t0/d0/pD1/c0"}));
    assert_eq!(list[2], json!({"id": ids[2], "path": "t0/d0/pC1"}));
    assert_eq!(list[3], json!({"id": list[3]["id"], "path": "t1/d0/c0"}));
    // A pad of a Drum Rack in another rack is no object.
    assert_eq!(list[4], json!({"path": "t1/d0/c0/d0/pC1"}));
    assert_eq!(api.get("live_set tracks 1 devices 0 chains 0 devices 0 chains 0", "mute"), json!([1]));

    let track = api.id("live_set tracks 0");
    let text = api.refused(TOOL, json!({"id": track, "name": "X"}));
    assert!(text.contains("is a track, no device, chain or pad"), "{text}");
    assert!(api.refused(TOOL, json!({"id": "t0/d0", "name": "X"})).contains("send it as path"));
}

#[test]
fn a_target_is_told_as_it_was_spelled_through_a_pad() {
    let api = with_racks();
    insert(&api, "live_set tracks 0 devices 0 chains 2", &["Simpler", "Reverb"]);
    insert(&api, "live_set tracks 1 devices 0 chains 0 devices 0 chains 0", &["Simpler"]);
    for (sent, told) in [
        ("t0/d0/pD1/d1", "t0/d0/pD1/d1"),
        ("t0/d0/pD1/c0/d1", "t0/d0/pD1/c0/d1"),
        ("t0/d0/pD1/inst", "t0/d0/pD1/d0"),
        ("t0/inst/pD1/d0", "t0/d0/pD1/c0/d0"),
        ("t0/d0/pD1/c0", "t0/d0/pD1/c0"),
        ("t1/d0/c0/d0/pC1/d0", "t1/d0/c0/d0/pC1/d0"),
        ("t1/inst/c0/inst/pC1/inst", "t1/d0/c0/d0/pC1/c0/d0"),
        ("t0/inst", "t0/d0"),
        ("rt0/afx0", "rt0/d0"),
    ] {
        let entry = crate::support::without_changed(api.ok(TOOL, json!({"path": sent, "name": "X"})));
        assert_eq!(entry, json!({"id": entry["id"], "path": told, "name": "X"}), "{sent}");
    }
    // Counted over the whole rack: taken, with a warning that shows the other way.
    let envelope = api.envelope(TOOL, "", &json!({"path": "t0/d0/c2/d0", "name": "Y"}));
    assert_eq!(envelope["result"]["path"], "t0/d0/pD1/c0/d0", "{envelope}");
    assert!(envelope["warnings"][0].as_str().is_some_and(|w| w.contains("t0/d0/pD1/c0")), "{envelope}");
    // A pad of the rack that only holds the Drum Rack.
    let text = api.refused(TOOL, json!({"path": "t1/d0/pC1", "mute": true}));
    assert!(text.contains("t1/d0/c0/d0/pC1"), "{text}");
}

#[test]
fn what_does_not_fit_is_told_and_alone_it_is_a_skip() {
    let api = with_racks();
    for (path, misfit, words) in [
        ("t0/d0", json!({"mute": true, "gainDb": -6}), "mute, gainDb ignored"),
        ("t0/d0", json!({"sendGainDb": -6, "sendReturn": "a"}), "sendGainDb, sendReturn ignored"),
        ("t0/d0", json!({"chokeGroup": 1, "mappedPitch": "C3"}), "chokeGroup, mappedPitch ignored"),
        ("t0/d0", json!({"abCompare": "a"}), "no A/B compare"),
        ("rt0/d0", json!({"macroCount": 4}), "is no rack"),
        (
            "rt0/d0",
            json!({"macroVariation": "load", "macroVariationIndex": 0}),
            "macroVariation, macroVariationIndex ignored",
        ),
        ("t0/d0/pD1/c0", json!({"abCompare": "a", "actions": ["x"]}), "actions, abCompare ignored: for devices"),
        ("t0/d0/pD1", json!({"params": [{"name": "A", "value": "1"}]}), "params ignored: for devices"),
        ("t1/d0/c0", json!({"chokeGroup": 1}), "no chain of a drum pad"),
        ("t1/d0/c0", json!({"sends": [{"return": "A", "gainDb": -6}]}), "the rack has no return chains"),
    ] {
        let mut arguments = misfit.clone();
        arguments["path"] = json!(path);
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
        // Beside something that fits it is a remark.
        arguments["name"] = json!("Fits");
        let entry = api.ok(TOOL, arguments.clone());
        let said = entry["sends"].to_string() + detail(&entry);
        assert!(entry.get("ok").is_none() && said.contains(words), "{arguments}: {entry}");
    }
}

#[test]
fn a_target_that_an_earlier_one_took_away_is_a_skip() {
    let api = with_racks();
    insert(&api, "live_set tracks 0 devices 0 chains 2", &["Operator"]);
    let write = |force: bool| json!({"path": "t0/d0,t0/d0/pD1/d0", "name": "Kit,Gone", "force": force, "params": [{"name": "pD1/sample", "value": WAV}]});
    let list = api.ok(TOOL, write(false));
    assert!(detail(&list[0]["params"][0]).contains("force"), "{list}");
    assert_eq!(devices(&api, "live_set tracks 0 devices 0 chains 2"), ["Gone"]);
    let list = api.ok(TOOL, write(true));
    assert_eq!(
        (&list[0]["id"], &list[1]["ok"]),
        (&json!(api.id("live_set tracks 0 devices 0")), &json!(false)),
        "{list}"
    );
    assert_eq!(list[1]["path"], "t0/d0/pD1/d0");
    assert!(detail(&list[1]).contains("took it away"), "{list}");
    assert_eq!(devices(&api, "live_set tracks 0 devices 0 chains 2"), ["Simpler"]);
}
