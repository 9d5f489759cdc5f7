//! `svc-duplicate`: devices, chains and drum pads.

use super::duplicate::{TOOL, detail, paths};
use crate::delete::{chains, with_racks};
use serde_json::{Value, json};

#[test]
fn devices_go_to_tracks_and_chains() {
    let api = with_racks();
    for effect in ["Reverb", "Delay"] {
        api.call("live_set tracks 2", "insert_device", json!([effect]));
    }
    let names = |path: &str| -> Vec<Value> {
        let count = api.raw(path, json!([{"type": "getcount", "property": "devices"}]))[0].as_u64().expect("a count");
        (0..count).map(|at| api.get(&format!("{path} devices {at}"), "name")[0].clone()).collect()
    };
    let copy = api.ok(TOOL, json!({"type": "device", "path": "t2/d0", "name": "Room"}));
    assert_eq!(
        (copy["path"].as_str(), names("live_set tracks 2")),
        (Some("t2/d1"), vec![json!("Reverb"), json!("Room"), json!("Delay")])
    );
    let list = api.ok(TOOL, json!({"type": "device", "path": "t2/d2", "toPath": "t3,rt0/d0,mt/d+,t3/d+"}));
    assert_eq!(paths(&list), ["t3/d0", "rt0/d0", "mt/d0", "t3/d1"], "{list}");
    assert_eq!(names("live_set return_tracks 0"), ["Delay", "Reverb"]);
}

#[test]
fn devices_make_chains_on_the_way() {
    let api = with_racks();
    api.call("live_set tracks 2", "insert_device", json!(["Audio Effect Rack"]));
    api.call("live_set tracks 2", "insert_device", json!(["Reverb"]));
    let copy = api.ok(TOOL, json!({"type": "device", "path": "t2/d1", "toPath": "t2/d0/c2"}));
    assert_eq!((&copy["path"], &copy["created"]), (&json!("t2/d0/c2/d0"), &json!("c0-c2")), "{copy}");
    let copy = api.ok(TOOL, json!({"type": "device", "path": "t2/d1", "toPath": "t2/d0/c+"}));
    assert_eq!((&copy["path"], &copy["created"]), (&json!("t2/d0/c3/d0"), &json!("c3")), "{copy}");
    // An instrument onto an empty pad.
    api.call("live_set tracks 1 devices 0 chains 0 devices 0 chains 0", "insert_device", json!(["Operator"]));
    let copy = api.ok(TOOL, json!({"type": "device", "path": "t1/d0/c0/d0/pC1/d0", "toPath": "t0/d0/pF1"}));
    assert_eq!((&copy["path"], &copy["created"]), (&json!("t0/d0/pF1/c0/d0"), &json!("c0")), "{copy}");
    let entry = api.ok(TOOL, json!({"type": "device", "path": "t2/d1", "toPath": "t2/d+", "color": "#FF94A6"}));
    assert!(detail(&entry).contains("no colour"), "{entry}");
    for (path, to, words) in [
        ("t2/d1", "t2/d0/c99", "at most 16"),
        ("t2/d1", "t0/d0/c+", "pC1/c+"),
        ("t2/d1", "t2/d1/c0", "no rack"),
        ("t2/d1", "t2/afx0", "d<n>"),
        ("t2/d1", "t0/s0", "track or chain"),
        ("t2/d1", "t2/d0,t2/d1", "renumbers"),
        ("t0/d0", "t3", "audio effects only"),
        ("t0/d0", "", "already"),
        ("t2/d9", "t3", "t2"),
    ] {
        let to = Some(to).filter(|to| !to.is_empty());
        let text = api.refused(TOOL, json!({"type": "device", "path": path, "toPath": to}));
        assert!(text.contains(words), "{path} {to:?}: {text}");
    }
    // Past the end is the end.
    let copy = api.ok(TOOL, json!({"type": "device", "path": "t2/d1", "toPath": "t2/d9"}));
    assert_eq!((&copy["path"], &copy["type"]), (&json!("t2/d3"), &json!("audio-effect: Reverb")), "{copy}");
    assert!(detail(&copy).contains("d9 is past the end"), "{copy}");
}

#[test]
fn chains_go_to_racks_of_their_kind() {
    let api = with_racks();
    const RACK: &str = "live_set tracks 0 devices 0";
    api.call(&format!("{RACK} chains 0"), "insert_device", json!(["Operator"]));
    api.set(&format!("{RACK} chains 0"), "mute", json!(1));
    let copy = api.ok(TOOL, json!({"type": "chain", "path": "t0/d0/pC1/c0", "name": "Kick 2"}));
    assert_eq!((&copy["path"], chains(&api, RACK)[1].as_str()), (&json!("t0/d0/pC1/c1"), Some("Kick 2")), "{copy}");
    assert_eq!(api.get(&format!("{RACK} chains 1"), "mute"), json!([1]));
    assert_eq!(api.get(&format!("{RACK} chains 1 devices 0"), "name"), json!(["Operator"]));
    // Another rack of the kind: it keeps its pad, or gets one.
    let list =
        api.ok(TOOL, json!({"type": "chain", "path": "t0/d0/pD1/c0", "toPath": "t1/d0/c0/d0/c+,t1/d0/c0/d0/pE1/c+"}));
    assert_eq!(paths(&list), ["t1/d0/c0/d0/pD1/c0", "t1/d0/c0/d0/pE1/c0"], "{list}");
    api.call("live_set tracks 2", "insert_device", json!(["Audio Effect Rack"]));
    api.call("live_set tracks 2 devices 0", "insert_chain", json!([]));
    let list = api.ok(TOOL, json!({"type": "chain", "path": "t2/d0/c0", "toPath": "t2/d0/c+,t2/d0"}));
    assert_eq!(paths(&list), ["t2/d0/c1", "t2/d0/c2"]);
    for (path, to, words) in [
        ("t2/d0/c0", "t0/d0", "the chain is one of an"),
        ("t0/d0/pC1/c0", "t0/d0/c1", "pC1/c+"),
        ("t0/d0/pC1/c0", "t0", "rack of the same kind"),
        ("t0/d0/pC1/c0", "t0/d0/p*", "all notes"),
        ("t2/d0/c9", "", "3 chains"),
    ] {
        let to = Some(to).filter(|to| !to.is_empty());
        let text = api.refused(TOOL, json!({"type": "chain", "path": path, "toPath": to}));
        assert!(text.contains(words), "{path} {to:?}: {text}");
    }
    let copy = api.ok(TOOL, json!({"type": "chain", "path": "t2/d0/c0", "toPath": "t2/d0/c9"}));
    assert_eq!(copy["path"], "t2/d0/c3");
    assert!(detail(&copy).contains("c9 is past the end"), "{copy}");
    // A layer that is copied to a taken pad goes first.
    let copy =
        api.ok(TOOL, json!({"type": "chain", "path": "t0/d0/pD1/c0", "toPath": "t0/d0/pC1/c+", "name": "First"}));
    assert_eq!((&copy["path"], chains(&api, RACK)[0].as_str()), (&json!("t0/d0/pC1/c0"), Some("First")), "{copy}");
}

#[test]
fn drum_pads_go_to_pads_of_their_rack() {
    let api = with_racks();
    const RACK: &str = "live_set tracks 0 devices 0";
    let list =
        api.ok(TOOL, json!({"type": "drum-pad", "path": "t0/d0/pC1", "toPath": "t0/d0/pF1,t0/d0/pD1", "name": "x,y"}));
    assert_eq!(paths(&list), ["t0/d0/pF1", "t0/d0/pD1"]);
    assert!(list[0]["id"].is_string() && list[0].get("detail").is_none(), "{list}");
    assert!(detail(&list[1]).contains("layered"), "{list}");
    assert_eq!(chains(&api, RACK), ["Kick", "Click", "y", "y", "Snare", "All", "x", "x"], "in front of what was there");
    // Inside another rack a pad is no object; the chains for all notes can be a source.
    let pad = api.ok(TOOL, json!({"type": "drum-pad", "path": "t1/d0/c0/d0/pC1", "toPath": "t1/d0/c0/d0/pE1"}));
    assert_eq!(pad, json!({"path": "t1/d0/c0/d0/pE1"}));
    assert_eq!(
        api.ok(TOOL, json!({"type": "drum-pad", "path": "t0/d0/p*", "toPath": "t0/d0/pG1"}))["path"],
        "t0/d0/pG1"
    );
    for (path, to, words) in [
        ("t0/d0/pC1", "", "toPath"),
        ("t0/d0/pC1", "t0/d0/pC1", "onto itself"),
        ("t0/d0/pC1", "t1/d0/c0/d0/pC1", "own rack"),
        ("t0/d0/pC1", "t0/d0/p*", "all notes"),
        ("t0/d0/pC1", "t0/d0/c0", "pD1"),
        ("t0/d0/pC3", "t0/d0/pC4", "empty"),
        ("t0/d0", "t0/d0/pC4", "drum pad"),
    ] {
        let text = api.refused(TOOL, json!({"type": "drum-pad", "path": path, "toPath": to}));
        assert!(text.contains(words), "{path} {to}: {text}");
    }
}
