//! `wrapInRack`: one rack, one chain, the devices in series.

use super::{TOOL, detail, devices, insert, undone};
use crate::delete::with_racks;
use crate::support::{Api, without_moves};
use serde_json::{Value, json};

/// t0: Arpeggiator, Pitch, Operator, Reverb, Delay. t2 (audio): Delay, Echo, Redux.
fn stage() -> Api {
    let api = Api::raw_enabled();
    insert(&api, "live_set tracks 0", &["Arpeggiator", "Pitch", "Operator", "Reverb", "Delay"]);
    insert(&api, "live_set tracks 2", &["Delay", "Echo", "Redux"]);
    api
}

fn wrap(api: &Api, path: &str) -> Value {
    without_moves(api.ok(TOOL, json!({"path": path, "wrapInRack": true})))
}

#[test]
fn each_kind_in_call_order_where_the_instrument_or_the_first_stood() {
    for (path, on, rack, track, chain) in [
        (
            "t0/d4,t0/d1,t0/d2,t0/d0,t0/d3",
            "t0/d0",
            "Instrument Rack",
            vec!["Instrument Rack"],
            vec!["Pitch", "Arpeggiator", "Operator", "Delay", "Reverb"],
        ),
        (
            "t0/d2",
            "t0/d2",
            "Instrument Rack",
            vec!["Arpeggiator", "Pitch", "Instrument Rack", "Reverb", "Delay"],
            vec!["Operator"],
        ),
        (
            "t0/d1,t0/inst",
            "t0/d1",
            "Instrument Rack",
            vec!["Arpeggiator", "Instrument Rack", "Reverb", "Delay"],
            vec!["Pitch", "Operator"],
        ),
        (
            "t0/d1,t0/d0",
            "t0/d0",
            "MIDI Effect Rack",
            vec!["MIDI Effect Rack", "Operator", "Reverb", "Delay"],
            vec!["Pitch", "Arpeggiator"],
        ),
        (
            "t0/d4",
            "t0/d4",
            "Audio Effect Rack",
            vec!["Arpeggiator", "Pitch", "Operator", "Reverb", "Audio Effect Rack"],
            vec!["Delay"],
        ),
    ] {
        let api = stage();
        let look = || devices(&api, "live_set tracks 0");
        let ids = || {
            (0..5).map(|at| {
                api.raw_call(&format!("live_set tracks 0 devices {at}"), json!([{"type": "exists"}]))["id"].clone()
            })
        };
        let before: Vec<Value> = ids().collect();
        undone(&api, look, || {
            let entry = wrap(&api, path);
            assert_eq!(entry, json!({"id": entry["id"], "path": on, "deviceCount": chain.len()}), "{path}");
        });
        assert_eq!(look(), track, "{path}");
        let rack_path = format!("live_set tracks 0 devices {}", on.trim_start_matches("t0/d"));
        assert_eq!(api.get(&rack_path, "class_display_name"), json!([rack]));
        assert_eq!(devices(&api, &format!("{rack_path} chains 0")), chain, "{path}");
        assert_eq!(api.ok("svc-read-live-set", json!({}))["regularTrackCount"], 4, "{path}: no track is left over");
        // They are the same devices, not copies.
        let inside = api.id(&format!("{rack_path} chains 0 devices 0"));
        assert!(before.contains(&json!(inside)), "{path}");
    }
}

#[test]
fn from_several_places_to_one() {
    let api = stage();
    // The rack stands where the first named stood.
    let entry = wrap(&api, "t2/d2,rt0/d0,t2/d0");
    assert_eq!((&entry["path"], &entry["deviceCount"]), (&json!("t2/d1"), &json!(3)), "{entry}");
    assert_eq!(devices(&api, "live_set tracks 2"), ["Echo", "Audio Effect Rack"]);
    assert_eq!(devices(&api, "live_set tracks 2 devices 1 chains 0"), ["Redux", "Reverb", "Delay"]);
    assert_eq!(devices(&api, "live_set return_tracks 0"), Vec::<String>::new());
    // A place and a name for the rack.
    let entry = without_moves(
        api.ok(TOOL, json!({"path": "t0/d2,t0/d0", "wrapInRack": true, "toPath": "t1/d+", "name": "Lead, wide"})),
    );
    assert_eq!(
        (&entry["path"], &entry["deviceCount"], entry.get("detail")),
        (&json!("t1/d0"), &json!(2), None),
        "{entry}"
    );
    assert_eq!(devices(&api, "live_set tracks 1"), ["Lead, wide"]);
    let entry = api.ok(TOOL, json!({"path": "t2/d0", "wrapInRack": true, "toPath": "t2/d1/c1"}));
    assert_eq!((&entry["path"], &entry["created"]), (&json!("t2/d0/c1/d0"), &json!("c1")), "{entry}");
    // In a chain, around a Drum Rack.
    let api = with_racks();
    let entry = wrap(&api, "t1/d0/c0/d0");
    assert_eq!(entry["path"], "t1/d0/c0/d0");
    assert_eq!(devices(&api, "live_set tracks 1 devices 0 chains 0 devices 0 chains 0"), ["Drum Rack"]);
}

#[test]
fn what_is_left_out_is_told() {
    let api = with_racks();
    insert(&api, "live_set tracks 0 devices 0 chains 2", &["Simpler"]);
    insert(&api, "live_set tracks 0", &["Reverb"]);
    let entry = wrap(&api, "t0/d0,t0/d0/pD1/d0,t0/d9,t0/d0/pC1,t1/d0/c0,t0/d0,t0/d1");
    assert_eq!((&entry["path"], &entry["deviceCount"]), (&json!("t0/d0"), &json!(2)), "{entry}");
    for words in
        ["t0/d9: t0 has 2 devices (d0-d1)", "comes along in its rack", "t0/d0/pC1 (id", "t1/d0/c0 (id", "is no device"]
    {
        assert!(detail(&entry).contains(words), "{words}: {entry}");
    }
    // What only an update does is left to one.
    let envelope =
        api.envelope(TOOL, "", &json!({"path": "rt0/d0", "wrapInRack": true, "mute": true, "abCompare": "a"}));
    assert_eq!(envelope["result"]["deviceCount"], 1, "{envelope}");
    assert_eq!(envelope["warnings"], json!(["abCompare, mute ignored: wrapInRack only puts devices into a new rack"]));
}

#[test]
fn what_cannot_be_wrapped_is_refused_and_undone() {
    let api = stage();
    insert(&api, "live_set tracks 1", &["Drift"]);
    for (arguments, words) in [
        (json!({"path": "t0/d2,t1/d0"}), "one instrument"),
        (json!({"path": "t0/d0,t2/d0"}), "only with an instrument between them"),
        (json!({"path": "t0/d9,t3/d0"}), "nothing to wrap: t0/d9: t0 has 5 devices (d0-d4)"),
        (json!({"path": "t0/d2", "toPath": "t1/d+,t0/d+"}), "one place"),
        (json!({"path": "t0/d2", "toPath": "t2/d+"}), "audio effects only"),
        (json!({"path": "t0/d2", "toPath": "t1/d+"}), "already"),
        (json!({"path": "t0/d0", "toPath": "t2/d0"}), "audio effects only"),
    ] {
        let mut arguments = arguments;
        arguments["wrapInRack"] = json!(true);
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
    let text = api.refused(TOOL, json!({"path": "t1/afx0", "wrapInRack": true}));
    assert_eq!(text.matches("t1/afx0").count(), 1, "{text}");
    let api = with_racks();
    assert!(api.refused(TOOL, json!({"path": "t1/d0/c0", "wrapInRack": true})).contains("nothing to wrap"));
    assert!(
        api.refused(TOOL, json!({"path": "t1/d0", "wrapInRack": true, "toPath": "t1/d0/c0"}))
            .contains("cannot go into")
    );
}
