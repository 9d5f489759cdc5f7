//! What is wrong with one target, place or item of a list is its entry's failure: the others are done.

use crate::support::Api;
use serde_json::{Value, json};

fn stage() -> Api {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1,t0[1|1]", "notes": "C3 1|1", "length": "1bar"}));
    api.ok("svc-create-device", json!({"device": "Drum Rack,Reverb", "path": "t1,mt"}));
    api
}

#[test]
fn a_place_that_cannot_be_is_its_entrys_failure() {
    for (tool, arguments, bad, words) in [
        ("svc-create-clip", json!({"path": "t1/s1000,t1/s0", "length": "1bar"}), 0, "s999"),
        ("svc-create-clip", json!({"path": "t1/s0,t1/l10[1|1]", "length": "1bar"}), 1, "at most 10"),
        ("svc-create-clip", json!({"path": "t1[900000|1],t1/s0", "length": "1bar"}), 0, "past the end"),
        ("svc-create-scene", json!({"path": "s+,s1000"}), 1, "s999"),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t1/s0,t1/s1000"}), 1, "s999"),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t1/l10[1|1],t1/s0"}), 0, "at most 10"),
        ("svc-duplicate", json!({"type": "track", "path": "t0", "toPath": "t1/l10,t1/l0"}), 0, "at most 10"),
        ("svc-update-clip", json!({"path": "t0/s0,t0/s1", "toPath": "t1/s1000,t1/s0"}), 0, "s999"),
        ("svc-update-clip", json!({"path": "t0/s0,t0/s1", "toPath": "t1/s0,t1/l10[1|1]"}), 1, "at most 10"),
        ("svc-update-track", json!({"path": "t1,t0/l10", "name": "x"}), 1, "at most 10"),
        ("svc-update-scene", json!({"path": "s1000,s0", "name": "x"}), 0, "s1000"),
    ] {
        let api = stage();
        let list = api.ok(tool, arguments.clone());
        assert_eq!(list.as_array().map(Vec::len), Some(2), "{tool} {arguments}: {list}");
        let (bad, good): (&Value, &Value) = (&list[bad], &list[1 - bad]);
        let said = bad["detail"].as_str().unwrap_or_default();
        assert!(bad["ok"] == false && said.contains(words), "{tool} {arguments}: {list}");
        assert!(good["id"].is_string() && good.get("ok").is_none(), "{tool} {arguments}: {list}");
    }
    // Alone it is a refusal.
    for (tool, arguments, words) in [
        ("svc-create-clip", json!({"path": "t1/s1000", "length": "1bar"}), "s999"),
        ("svc-duplicate", json!({"type": "track", "path": "t0", "toPath": "t1/l10"}), "at most 10"),
        ("svc-update-clip", json!({"path": "t0/s0", "toPath": "t1/s1000"}), "s999"),
        ("svc-update-track", json!({"path": "t0/l10", "name": "x"}), "at most 10"),
        ("svc-update-device", json!({"path": "t1/d0", "actions": ["nonsense("]}), "is no call"),
    ] {
        assert!(stage().refused(tool, arguments.clone()).contains(words), "{tool} {arguments}");
    }
}

#[test]
fn an_item_that_cannot_be_done_leaves_the_others() {
    let api = stage();
    let params = json!([{"name": "Gloss", "value": 3}, {"name": "Dry/Wet", "value": 20}]);
    let entry = api.ok("svc-update-device", json!({"path": "mt/d0", "params": params}));
    assert_eq!((&entry["params"][0]["ok"], entry["params"][1].get("ok")), (&json!(false), None), "{entry}");
    let folder = tempfile::tempdir().expect("a folder");
    let api = Api::in_folder(folder.path());
    api.ok("svc-create-device", json!({"device": "Reverb", "path": "mt"}));
    let actions = json!(["nonsense(", "savePreset(\"Kept\")", "savePreset(1,"]);
    let reply = api.envelope("svc-update-device", "", &json!({"path": "mt/d0", "actions": actions}));
    let done = &reply["result"]["actions"];
    assert_eq!((&done[0]["ok"], done[1].get("ok"), &done[2]["ok"]), (&json!(false), None, &json!(false)), "{reply}");
    assert!(done[0]["detail"].as_str().is_some_and(|said| said.contains("is no call")), "{reply}");
}

/// `l+` is one more lane for each time it is named, counted with those that are named by number.
#[test]
fn a_new_lane_is_made_by_every_tool_that_takes_one() {
    let lanes = |api: &Api, track: &str| {
        let read = api.ok("svc-read-track", json!({"path": track}));
        read["takeLaneCount"].as_u64().unwrap_or(0)
    };
    let paths = |list: &Value| -> Vec<String> {
        let one = std::slice::from_ref(list);
        let all = list.as_array().map_or(one, Vec::as_slice).iter();
        all.map(|entry| entry["path"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let api = stage();
    let list =
        api.ok("svc-create-clip", json!({"path": "t0/l+[1|1],t0/l+[1|1],t0/l3[5|1],t0/l+[9|1]", "length": "1bar"}));
    assert_eq!(paths(&list), ["t0/l0[1|1]", "t0/l1[1|1]", "t0/l3[5|1]", "t0/l4[9|1]"], "{list}");
    assert_eq!((&list[0]["created"], &list[2]["created"]), (&json!("l0"), &json!("l2-l3")), "{list}");
    assert_eq!(lanes(&api, "t0"), 5);
    let list = api.ok("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t1/l+[1|1],t1/l+[5|1]"}));
    assert_eq!(paths(&list), ["t1/l0[1|1]", "t1/l1[5|1]"], "{list}");
    // One place for several clips is one lane; each keeps its time.
    let list = api.ok("svc-duplicate", json!({"type": "clip", "path": "t0[1|1],t0/l3[5|1]", "toPath": "t1/l+"}));
    assert_eq!(paths(&list), ["t1/l2[1|1]", "t1/l2[5|1]"], "{list}");
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s1", "toPath": "t1/l+[9|1]"}));
    assert_eq!((&entry["path"], &entry["created"]), (&json!("t1/l3[9|1]"), &json!("l3")), "{entry}");
    assert_eq!(api.ok("svc-duplicate", json!({"type": "track", "path": "t0", "toPath": "t1/l+"}))["path"], "t1/l4");
    assert_eq!(lanes(&api, "t1"), 5);
    // A track that is not there is said of its place.
    let list = api.ok("svc-create-clip", json!({"path": "t9/l+[1|1],t1/s3", "length": "1bar"}));
    assert!(list[0]["ok"] == false && list[0]["path"] == "t9/l+[1|1]" && list[1]["id"].is_string(), "{list}");
    let said = api.refused("svc-read-clip", json!({"path": "t0/l+[1|1]"}));
    assert!(said.contains("new take lane"), "{said}");
}
