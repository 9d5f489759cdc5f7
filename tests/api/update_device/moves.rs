//! Moves: devices between tracks, chains and pads; pads and their layers within their rack.

use super::{TOOL, detail, devices, insert, undone};
use crate::delete::{chains, with_racks};
use crate::support::{Api, without_moves};
use serde_json::{Value, json};

/// t0: Arpeggiator, Operator, Reverb. t2 (audio): Delay, Echo, Audio Effect Rack without chains.
fn stage() -> Api {
    let api = Api::raw_enabled();
    insert(&api, "live_set tracks 0", &["Arpeggiator", "Operator", "Reverb"]);
    insert(&api, "live_set tracks 2", &["Delay", "Echo", "Audio Effect Rack"]);
    api
}

fn moved(api: &Api, from: &str, to: &str) -> Value {
    match api.ok(TOOL, json!({"path": from, "toPath": to})) {
        Value::Array(entries) => entries.into_iter().map(without_moves).collect(),
        entry => crate::support::without_changed(without_moves(entry)),
    }
}

#[test]
fn devices_go_where_their_kind_may_stand() {
    for (from, to, lands) in [
        ("t2/d0", "t2/d1", "t2/d1"),
        ("t2/d0", "t2/d+", "t2/d2"),
        ("t2/d0", "t2", "t2/d2"),
        ("t2/d2", "t2/d0", "t2/d0"),
        ("t2/d1", "t2/d1", "t2/d1"),
        ("t2/d1", "t0/d+", "t0/d3"),
        ("t2/d1", "t0/d2", "t0/d2"),
        ("t2/afx1", "rt0/d0", "rt0/d0"),
        ("t2/d1", "mt", "mt/d0"),
        ("t0/d1", "t1", "t1/d0"),
        ("t0/d1", "t1/d0", "t1/d0"),
        ("t0/d0", "t1/d+", "t1/d0"),
        ("t0/mfx0", "t0/d0", "t0/d0"),
        ("t0/d0", "t0/d+", "t0/d0"),
    ] {
        let api = stage();
        let id = api.ok(TOOL, json!({"path": from, "name": "It"}))["id"].clone();
        assert_eq!(moved(&api, from, to), json!({"id": id, "path": lands}), "{from} to {to}");
    }
    for (from, to, words) in [
        ("t2/d0", "t0/d0", "the nearest place is d2"),
        ("t0/d2", "t0/d0", "the nearest place is d2"),
        ("t0/d0", "t0/d2", "the nearest place is d0"),
        ("t0/d0", "rt0/d+", "audio effects only"),
        ("t0/d1", "t2", "audio effects only"),
        ("t0/d1", "t2/d2/c0", "take audio effects only"),
        ("t2/d0", "t9/d0", "t9"),
        ("t2/d0", "t2/d1/c0", "is no rack"),
        ("t2/d2", "t2/d2/c0", "into itself"),
        ("t2/d2", "t2/d2/c+", "into itself"),
        ("t2/d0", "t2/d2/c16", "at most 16"),
    ] {
        let api = stage();
        let text = api.refused(TOOL, json!({"path": from, "toPath": to}));
        assert!(text.contains(words), "{from} to {to}: {text}");
        // Beside something that lands it is told, and nothing is moved.
        let all = || (devices(&api, "live_set tracks 0"), devices(&api, "live_set tracks 2"));
        let before = all();
        let entry = api.ok(TOOL, json!({"path": from, "toPath": to, "abCompare": "save", "name": ""}));
        assert!(detail(&entry).contains(words), "{from} to {to}: {entry}");
        assert_eq!(all(), before, "{from} to {to}");
    }
    // An audio effect needs no instrument, and past the end is the end.
    assert_eq!(moved(&stage(), "t2/d0", "t1")["path"], "t1/d0");
    let entry = moved(&stage(), "t2/d0", "t2/d7");
    assert_eq!((&entry["path"], detail(&entry)), (&json!("t2/d2"), "d7 is past the end, so it stands at the end, d2"));
    // The end is behind those of its kind, which is told where another place was named.
    let entry = moved(&stage(), "t0/d0", "t0/d3");
    assert_eq!((&entry["path"], detail(&entry)), (&json!("t0/d0"), "not at d3 but where its kind goes"));
    assert!(moved(&stage(), "t2/d0", "t2/d3").get("detail").is_none());
    // Two instruments.
    let api = stage();
    insert(&api, "live_set tracks 1", &["Drift"]);
    assert!(api.refused(TOOL, json!({"path": "t0/d1", "toPath": "t1"})).contains("already"));
}

#[test]
fn undo_takes_a_move_back() {
    let api = stage();
    let all = || {
        (
            devices(&api, "live_set tracks 0"),
            devices(&api, "live_set tracks 2"),
            chains(&api, "live_set tracks 2 devices 0"),
        )
    };
    // The first device of t2 once the others are gone is the rack, so that its chains are looked at.
    moved(&api, "t2/d2", "t2/d0");
    undone(&api, all, || drop(moved(&api, "t2/d1", "t2/d0/c1")));
    undone(&api, all, || drop(moved(&api, "t0/d2", "t2/d+")));
}

/// A chain on the way is made, and what a call has moved before does not change what its places mean.
#[test]
fn places_are_those_of_before_the_call() {
    let api = stage();
    let list = moved(&api, "t2/d0,t2/d1", "t2/d2/c1,t2/d2/c0");
    assert_eq!(
        list,
        json!([
            {"id": list[0]["id"], "path": "t2/d0/c1/d0", "created": "c0-c1"},
            {"id": list[1]["id"], "path": "t2/d0/c0/d0"},
        ])
    );
    let api = stage();
    let list = moved(&api, "t2/d0,t2/d1", "t2/d2/c+,t2/d2/c+");
    assert_eq!((&list[0]["path"], &list[0]["created"]), (&json!("t2/d0/c0/d0"), &json!("c0")), "{list}");
    assert_eq!((&list[1]["path"], &list[1]["created"]), (&json!("t2/d0/c1/d0"), &json!("c1")), "{list}");
    // The first goes into a rack that the second moves away; both are told where they stand in the end.
    let list = moved(&api, "t0/d2,t2/d0", "t2/d0/c0,rt0/d0");
    assert_eq!((&list[0]["path"], &list[1]["path"]), (&json!("rt0/d0/c0/d1"), &json!("rt0/d0")), "{list}");
    // A target named twice goes to its last place only.
    let list = moved(&api, "rt0/d1,rt0/d1", "t2/d+,t3/d+");
    assert!(detail(&list[0]).contains("later") && list[1]["path"] == "t3/d0", "{list}");
}

#[test]
fn a_devices_trim_goes_along_only_into_an_empty_chain_of_its_rack() {
    let stage = |devices: &[&str]| {
        let api = stage();
        moved(&api, "t2/d0", "t2/d2/c0");
        insert(&api, "live_set tracks 2 devices 1 chains 0", devices);
        api.ok(TOOL, json!({"path": "t2/d1/c0", "gainDb": -6, "pan": 0.5}));
        api
    };
    let trim = |api: &Api, chain: usize| {
        let of = |member: &str| {
            let path = format!("live_set tracks 2 devices 1 chains {chain} mixer_device {member}");
            (api.get(&path, "value")[0].as_f64().expect("a number") * 100.0).round()
        };
        (of("volume"), of("panning"))
    };
    let api = stage(&[]);
    let entry = moved(&api, "t2/d1/c0/d0", "t2/d1/c+");
    assert_eq!(entry["path"], "t2/d1/c1/d0");
    assert!(detail(&entry).contains("-6 dB, pan 0.5, went along"), "{entry}");
    assert_eq!((trim(&api, 0), trim(&api, 1)), ((85.0, 0.0), (70.0, 50.0)));
    // Not where another device stays behind, not out of the rack, not into a chain with a trim or a device of its own.
    let left = |api: &Api, to: &str| {
        let entry = moved(api, "t2/d1/c0/d0", to);
        assert!(detail(&entry).contains("was left there"), "{to}: {entry}");
        assert_eq!(trim(api, 0), (70.0, 50.0), "{to}");
    };
    left(&stage(&["Redux"]), "t2/d1/c1");
    left(&stage(&[]), "t2/d+");
    let api = stage(&[]);
    moved(&api, "t2/d0", "t2/d1/c1");
    let entry = moved(&api, "t2/d0/c0/d0", "t2/d0/c1");
    assert!(detail(&entry).contains("was left there"), "{entry}");
    // Within its chain there is nothing to say.
    let api = stage(&["Redux"]);
    assert!(moved(&api, "t2/d1/c0/d0", "t2/d1/c0/d1").get("detail").is_none());
}

#[test]
fn devices_move_onto_pads_and_between_layers() {
    let api = with_racks();
    insert(&api, "live_set tracks 0 devices 0 chains 0", &["Simpler", "Reverb"]);
    for (from, to, lands, created) in [
        ("t0/d0/pC1/c0/d0", "t0/d0/pC1/c1", "t0/d0/pC1/c1/d0", None),
        ("t0/d0/pC1/c1/d0", "t0/d0/pE1", "t0/d0/pE1/c0/d0", Some("c0")),
        ("t0/d0/pE1/d0", "t0/d0/pE1/c+", "t0/d0/pE1/c1/d0", Some("c1")),
        ("t0/d0/pE1/c1/d0", "t0/d0/pD1/d+", "t0/d0/pD1/c0/d0", None),
        ("t0/d0/pD1/d0", "t1/d0/c0/d0/pC1", "t1/d0/c0/d0/pC1/c0/d0", None),
        ("t1/d0/c0/d0/pC1/d0", "t1/d0/c0/d0/pF1", "t1/d0/c0/d0/pF1/c0/d0", Some("c0")),
    ] {
        let entry = moved(&api, from, to);
        assert_eq!((&entry["path"], entry["created"].as_str()), (&json!(lands), created), "{from} to {to}: {entry}");
        assert!(entry.get("detail").is_none(), "{entry}");
    }
    let text = api.refused(TOOL, json!({"path": "t1/d0/c0/d0/pF1/d0", "toPath": "t0/d0/c+"}));
    assert!(text.contains("belongs to a pad"), "{text}");
}

#[test]
fn pads_and_layers_move_within_their_rack() {
    let api = with_racks();
    let notes = || (0..4).map(|at| api.get(&format!("live_set tracks 0 devices 0 chains {at}"), "in_note")[0].clone());
    let rack = "live_set tracks 0 devices 0";
    undone(
        &api,
        || notes().collect::<Vec<_>>(),
        || {
            let entry = moved(&api, "t0/d0/pC1", "t0/d0/pE1");
            assert_eq!(entry, json!({"id": api.id(&format!("{rack} drum_pads 40")), "path": "t0/d0/pE1"}));
        },
    );
    assert_eq!(notes().collect::<Vec<_>>(), [40, 40, 38, -1].map(|n| json!(n)));
    let entry = moved(&api, "t0/d0/pD1", "t0/d0/pE1");
    assert_eq!((&entry["path"], detail(&entry)), (&json!("t0/d0/pE1"), "pE1 held 2 chains; it is layered on it"));
    let layer = api.id(&format!("{rack} chains 1"));
    assert_eq!(moved(&api, "t0/d0/pE1/c1", "t0/d0/pF1"), json!({"id": layer, "path": "t0/d0/pF1/c0"}));
    let entry = moved(&api, "t0/d0/pE1/c1", "t0/d0/pF1/c+");
    assert_eq!((&entry["path"], detail(&entry)), (&json!("t0/d0/pF1/c1"), "pF1 held 1 chain; it is layered on it"));
    // The chain for all notes can leave its pad; onto its own pad there is nowhere to go.
    assert_eq!(moved(&api, "t0/d0/p*", "t0/d0/pG1")["path"], "t0/d0/pG1");
    assert_eq!(moved(&api, "t0/d0/pG1", "t0/d0/pG1").get("detail"), None);
    // Values and a move in one call: the values are on the layers that moved.
    let entry = api.ok(TOOL, json!({"path": "t0/d0/pG1", "toPath": "t0/d0/pA1", "chokeGroup": 4, "name": "Open"}));
    assert_eq!((&entry["path"], entry.get("detail")), (&json!("t0/d0/pA1"), None), "{entry}");
    assert_eq!(
        (api.get(&format!("{rack} chains 3"), "choke_group"), &*chains(&api, rack)),
        (json!([4]), &[json!("Kick"), json!("Click"), json!("Snare"), json!("Open")][..])
    );
    // In a rack inside a rack a pad is no object.
    assert_eq!(moved(&api, "t1/d0/c0/d0/pC1", "t1/d0/c0/d0/pD1"), json!({"path": "t1/d0/c0/d0/pD1"}));
    for (from, to, words) in [
        ("t0/d0/pE1", "t1/d0/c0/d0/pC1", "within their own rack"),
        ("t0/d0/pF1/c0", "t1/d0/c0/d0/pC1", "within their own rack"),
        ("t0/d0/pE1", "t0/d0/p*", "no path makes a chain for all notes"),
        ("t0/d0/pE1", "t2/d+", "moves to a pad"),
        ("t0/d0/pE1", "t0/d0/pD1/d0", "moves to a pad"),
        ("t0/d0/pF1/c0", "t0/d0/pF1/c1", "behind those that are there"),
        ("t1/d0/c0", "t1/d0/c1", "keeps its place"),
    ] {
        let text = api.refused(TOOL, json!({"path": from, "toPath": to}));
        assert!(text.contains(words), "{from} to {to}: {text}");
    }
}

/// What a pad holds is looked at before the first one moves.
#[test]
fn two_pads_change_places() {
    let api = with_racks();
    let notes = || (0..3).map(|at| api.get(&format!("live_set tracks 0 devices 0 chains {at}"), "in_note")[0].clone());
    let choke =
        || (0..3).map(|at| api.get(&format!("live_set tracks 0 devices 0 chains {at}"), "choke_group")[0].clone());
    let list = api.ok(
        TOOL,
        json!({"path": "t0/d0/pC1,t0/d0/pD1", "toPath": "t0/d0/pD1,t0/d0/pC1", "color": "#FF0000,#00FF00", "chokeGroup": 3}),
    );
    assert_eq!((&list[0]["path"], &list[1]["path"]), (&json!("t0/d0/pD1"), &json!("t0/d0/pC1")), "{list}");
    assert_eq!((detail(&list[0]).contains("layered"), detail(&list[1]).contains("layered")), (false, false), "{list}");
    assert_eq!(notes().collect::<Vec<_>>(), [38, 38, 36].map(|n| json!(n)));
    assert_eq!(choke().collect::<Vec<_>>(), [3, 3, 3].map(|n| json!(n)));
    let color = |at: usize| api.get(&format!("live_set tracks 0 devices 0 chains {at}"), "color");
    assert!(color(0) == color(1) && color(0) != color(2), "each pad's own");
    // Round in a ring of three, one of them empty before.
    let list = moved(&api, "t0/d0/pC1,t0/d0/pD1", "t0/d0/pD1,t0/d0/pE1");
    assert!(list[0].get("detail").is_none() && list[1].get("detail").is_none(), "{list}");
    assert_eq!(notes().collect::<Vec<_>>(), [40, 40, 38].map(|n| json!(n)));
    // What stays there is told of.
    let list = moved(&api, "t0/d0/pD1,t0/d0/pE1/c0", "t0/d0/pE1,t0/d0/pD1");
    assert_eq!(detail(&list[0]), "pE1 held 1 chain; it is layered on it", "{list}");
    assert_eq!(notes().collect::<Vec<_>>(), [38, 40, 40].map(|n| json!(n)));
}
