//! What a call leaves out, or behind, is told: cuts that cut nothing, blank places, rounded levels, what a lane does
//! not take, envelopes on the timeline, a view that what is selected does not have.

use crate::support::Api;
use serde_json::{Value, json};

fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

#[test]
fn positions_that_cut_nothing_are_told() {
    let api = Api::new();
    let clip = json!({"path": "t0[1|1],t0[9|1],t1[1|1]", "length": "4bar", "looping": false});
    api.ok("svc-create-clip", clip);
    let list = api.ok("svc-update-clip", json!({"path": "t0[1|1]", "arrangementSplit": "2|1,9|1,1|1"}));
    assert_eq!(detail(&list[0]), "nothing was cut at 9|1, 1|1: not inside the clip", "{list}");
    let entry = api.ok("svc-update-clip", json!({"path": "t1[1|1]", "arrangementSplit": "9|1"}));
    assert_eq!(detail(&entry), "nothing was cut: no position of arrangementSplit lies inside it");
    // Of several clips: a position that is in none of them. One that is in another clip has done its work.
    let call = json!({"path": "t0[9|1],t1[1|1]", "arrangementSplit": "10|1,30|1"});
    let reply = api.envelope("svc-update-clip", "", &call);
    assert_eq!(reply["warnings"], json!(["arrangementSplit cuts nothing at 30|1: inside none of the clips"]));
    assert!(reply["result"].as_array().expect("three").iter().all(|entry| entry.get("detail").is_none()), "{reply}");
}

#[test]
fn a_blank_place_is_told() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"}));
    api.ok("svc-create-device", json!({"device": "Operator", "path": "t0"}));
    for (tool, arguments) in [
        ("svc-update-clip", json!({"path": "t0/s0", "name": "x", "toPath": ""})),
        ("svc-update-device", json!({"path": "t0/d0", "name": "x", "toPath": " "})),
        ("svc-duplicate", json!({"type": "scene", "path": "s0", "toPath": ""})),
        ("svc-duplicate", json!({"type": "track", "path": "t0", "toPath": ""})),
    ] {
        let reply = api.envelope(tool, "", &arguments);
        let warning = reply["warnings"][0].as_str().unwrap_or_default();
        assert!(
            reply["isError"] == false && warning.starts_with("toPath ignored: it is blank"),
            "{arguments}: {reply}"
        );
    }
}

#[test]
fn a_rounded_level_is_told() {
    let api = Api::new();
    let sends = json!([{"return": "A", "gainDb": -6.123456}, {"return": "B", "gainDb": -6.12}]);
    let entry = api.ok("svc-update-track", json!({"path": "t0", "sends": sends}));
    assert_eq!(entry["sends"].as_array().map(Vec::len), Some(1), "{entry}");
    assert_eq!((&entry["sends"][0]["return"], &entry["sends"][0]["gainDb"]), (&json!("A-Reverb"), &json!(-6.12)));
    assert_eq!(detail(&entry["sends"][0]), "gainDb was rounded to hundredths");
    let entry = api.ok("svc-update-track", json!({"path": "t0", "gainDb": -12.3456}));
    assert_eq!((&entry["gainDb"], detail(&entry)), (&json!(-12.35), "gainDb was rounded to hundredths"), "{entry}");
}

#[test]
fn what_a_lane_does_not_take_is_told() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1,t0[1|1],t0/l0[1|1]", "length": "1bar"}));
    let entry = api.ok("svc-duplicate", json!({"type": "track", "path": "t0", "toPath": "t1/l0"}));
    let said = "2 session clips and 1 take lane stayed behind: only clips of the main lane are copied";
    assert_eq!(detail(&entry), said, "{entry}");
    // The lane itself leaves nothing.
    let entry = api.ok("svc-duplicate", json!({"type": "track", "path": "t0/l0", "toPath": "t1/l1"}));
    assert!(!detail(&entry).contains("behind"), "{entry}");
}

#[test]
fn envelopes_on_the_timeline_are_told() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "2bar"}));
    let drawn = api.ok("svc-update-clip", json!({"path": "t0/s0", "envelopes": "volume: 1|1 -6 / 2|1 0\npan: 1|1 C"}));
    let counts: Vec<(&str, u64)> = drawn["envelopes"]
        .as_array()
        .expect("two")
        .iter()
        .map(|one| (one["parameter"].as_str().unwrap_or_default(), one["pointCount"].as_u64().unwrap_or_default()))
        .collect();
    assert_eq!(counts, [("Track Volume", 2), ("Track Panning", 1)], "{drawn}");
    let read = api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["envelopes"]}));
    assert_eq!((&read["envelopeCount"], &read["envelopes"][0]["parameter"]), (&json!(2), &json!("Track Volume")));
    let copy = api.ok("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t0[5|1]"}));
    assert!(detail(&copy).contains("automation of the track"), "{copy}");
    let read = api.ok("svc-read-clip", json!({"path": "t0[5|1]", "include": ["envelopes"]}));
    assert!(detail(&read).contains("automation of its track"), "{read}");
    assert!(api.ok("svc-read-clip", json!({"path": "t0[5|1]", "include": ["timing"]})).get("detail").is_none());
}

#[test]
fn a_view_that_conflicts_is_told() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0[1|1]", "length": "1bar"}));
    for (path, asked, shown) in
        [("t0/s0", "arrangement", "session"), ("s2", "arrangement", "session"), ("t0[1|1]", "session", "arrangement")]
    {
        let answer = api.ok("svc-select", json!({"path": path, "view": asked}));
        assert_eq!(answer["view"], shown, "{answer}");
        assert_eq!(detail(&answer), format!("view {asked} ignored: what is selected is shown in the {shown}"));
        assert!(api.ok("svc-select", json!({"path": path, "view": shown})).get("detail").is_none());
    }
    assert!(api.ok("svc-select", json!({"path": "t0", "view": "arrangement"})).get("detail").is_none());
}
