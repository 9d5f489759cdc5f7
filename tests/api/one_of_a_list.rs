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
    let with_preset = |tool: &str, path: &str| {
        let call = json!({"path": path, "preset": "Warm,None"});
        let list = api.ok(tool, call);
        assert!(list[0].get("ok").is_none() && list[1]["ok"] == false, "{tool}: {list}");
        assert!(list[1]["detail"].as_str().is_some_and(|said| said.contains("None")), "{tool}: {list}");
    };
    api.ok("svc-update-device", json!({"path": "mt/d0", "actions": ["savePreset(\"Warm\")"]}));
    with_preset("svc-create-device", "rt0,rt1");
    with_preset("svc-update-device", "rt0/d1,rt1/d0");
    assert!(api.refused("svc-update-device", json!({"path": "rt0/d1,rt1/d0", "preset": "None"})).contains("None"));
    let actions = json!(["nonsense(", "savePreset(\"Kept\")", "savePreset(1,"]);
    let reply = api.envelope("svc-update-device", "", &json!({"path": "mt/d0", "actions": actions}));
    let done = &reply["result"]["actions"];
    assert_eq!((&done[0]["ok"], done[1].get("ok"), &done[2]["ok"]), (&json!(false), None, &json!(false)), "{reply}");
    assert!(done[0]["detail"].as_str().is_some_and(|said| said.contains("is no call")), "{reply}");
}

/// One that cannot be read at all: the others are done.
#[test]
fn a_place_that_cannot_be_read_is_its_entrys_failure() {
    for (tool, arguments, bad, words) in [
        ("svc-create-clip", json!({"path": "t1/s0,zz", "length": "1bar"}), 1, "zz"),
        ("svc-create-clip", json!({"path": "t0//,t1/s0", "length": "1bar"}), 0, "t0//"),
        ("svc-create-clip", json!({"path": "t1/s0,rt0/s0", "length": "1bar"}), 1, "rt0/s0"),
        ("svc-create-device", json!({"device": "Reverb", "path": "zz,mt"}), 0, "zz"),
        ("svc-create-device", json!({"device": "Reverb", "path": "mt,t0/s0"}), 1, "t0/s0"),
        ("svc-create-device", json!({"device": "Reverb,Revreb", "path": "mt,rt0"}), 1, "Revreb"),
        ("svc-create-scene", json!({"path": "s+,zz"}), 1, "zz"),
        ("svc-create-scene", json!({"path": "t0,s1"}), 0, "t0"),
        ("svc-create-track", json!({"path": "zz,t+"}), 0, "zz"),
        ("svc-create-track", json!({"path": "t1,rt0"}), 1, "rt+"),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t1/s0,zz"}), 1, "zz"),
        ("svc-duplicate", json!({"type": "clip", "path": "zz,t0/s0", "toPath": "t1/s0,t1/s1"}), 0, "zz"),
        ("svc-duplicate", json!({"type": "device", "path": "mt/d0", "toPath": "t0//,rt0"}), 0, "t0//"),
        ("svc-duplicate", json!({"type": "scene", "path": "s0", "toPath": "[9|1],zz"}), 1, "zz"),
        ("svc-duplicate", json!({"type": "scene", "path": "s0", "toPath": "[loc:None],[9|1]"}), 0, "None"),
        ("svc-duplicate", json!({"type": "track", "path": "t0", "toPath": "t1/l0,zz"}), 1, "zz"),
        ("svc-duplicate", json!({"type": "drum-pad", "path": "t1/d0/pC1", "toPath": "zz,t1/d0/pD1"}), 0, "zz"),
        ("svc-duplicate", json!({"type": "chain", "path": "t1/d0/pC1/c0", "toPath": "t1/d0/pD1,zz"}), 1, "zz"),
        ("svc-update-clip", json!({"path": "t0/s0,t0/s1", "toPath": "t1/s0,zz"}), 1, "zz"),
        ("svc-update-clip", json!({"path": "t0/s0,t0/s1", "toPath": "s3,t1/s0"}), 0, "s3"),
        ("svc-update-clip", json!({"path": "t0/s0,t0/s1", "toPath": "t1/s0,mt"}), 1, "mt"),
        ("svc-update-clip", json!({"path": "t0/s0,t0/s1", "toPath": "t1/s0,t0/d0"}), 1, "t0/d0"),
        ("svc-update-clip", json!({"path": "t0//,t0/s1", "name": "x"}), 0, "t0//"),
        ("svc-update-device", json!({"path": "mt/d0,t1/d0", "toPath": "rt0,zz"}), 1, "zz"),
        ("svc-update-device", json!({"path": "zz,t1/d0", "name": "x"}), 0, "zz"),
        ("svc-delete", json!({"type": "clip", "path": "zz,t0/s1"}), 0, "zz"),
        ("svc-read-clip", json!({"path": "zz,t0/s1"}), 0, "zz"),
    ] {
        let api = stage();
        api.ok("svc-create-device", json!({"device": "Simpler", "path": "t1/d0/pC1"}));
        let list = api.ok(tool, arguments.clone());
        assert_eq!(list.as_array().map(Vec::len), Some(2), "{tool} {arguments}: {list}");
        let (bad, good): (&Value, &Value) = (&list[bad], &list[1 - bad]);
        let said = bad["detail"].as_str().unwrap_or_default();
        assert!(bad["ok"] == false && said.contains(words), "{tool} {arguments}: {list}");
        assert!(!said.starts_with("toPath: toPath"), "{list}");
        assert!(good["path"].is_string() && good.get("ok").is_none() || tool == "svc-delete", "{arguments}: {list}");
    }
    // Alone, or for all places, it is the call's.
    for (tool, arguments) in [
        ("svc-create-clip", json!({"path": "zz", "length": "1bar"})),
        ("svc-create-device", json!({"device": "Reverb", "path": "zz"})),
        ("svc-create-device", json!({"device": "zz", "path": "mt,rt0"})),
        ("svc-create-scene", json!({"path": "zz"})),
        ("svc-create-track", json!({"path": "zz"})),
        ("svc-duplicate", json!({"type": "device", "path": "mt/d0", "toPath": "zz"})),
        ("svc-update-clip", json!({"path": "t0/s0", "toPath": "zz"})),
        ("svc-update-device", json!({"path": "mt/d0", "toPath": "zz"})),
    ] {
        assert!(stage().refused(tool, arguments.clone()).contains("zz"), "{tool} {arguments}");
    }
}

/// A parameter named twice is written as it was named last, and a line of envelopes that is none leaves the others.
#[test]
fn a_doubled_parameter_and_an_unknown_line_leave_the_others() {
    let api = stage();
    let params = json!([
        {"name": "Dry/Wet", "value": 20}, {"name": "Decay Time", "value": "2 s"}, {"name": "Dry/Wet", "value": 30},
    ]);
    let entry = api.ok("svc-update-device", json!({"path": "mt/d0", "params": params}));
    let said = |at: usize| entry["params"][at]["detail"].as_str().unwrap_or_default();
    assert!(said(0).contains("named again later") && said(1).is_empty() && said(2).is_empty(), "{entry}");
    let read = api.ok("svc-read-device", json!({"path": "mt/d0", "include": ["param-values"], "paramSearch": "Dry"}));
    assert_eq!(read["parameters"][0]["value"], 30, "{read}");
    let made = api.ok("svc-create-device", json!({"device": "Reverb", "path": "rt0", "params": params}));
    assert_eq!(made["params"].as_array().map(Vec::len), Some(3), "{made}");
    for bad in ["lodness: 1|1 0", "no line", "99999: 1|1 0", "volume: 1|1 loud"] {
        let api = stage();
        let lines = format!("{bad}\npan: 1|1 20L");
        let entry = api.ok("svc-update-clip", json!({"path": "t0/s0", "envelopes": lines}));
        let items = &entry["envelopes"];
        assert!(items[0]["ok"] == false && items[0]["line"] == 1 && items[0]["detail"].is_string(), "{bad}: {entry}");
        assert_eq!((&items[1]["pointCount"], items[1].get("ok")), (&json!(1), None), "{bad}: {entry}");
        assert!(api.refused("svc-update-clip", json!({"path": "t0/s0", "envelopes": bad})).contains("line 1"), "{bad}");
    }
}

/// Of locators: one that cannot be read, one that is not there, and the others.
#[test]
fn one_of_several_locators() {
    let api = stage();
    let created = json!({"locatorOperation": "create", "locatorTime": "5|1,zz,9|1"});
    let list = api.ok("svc-update-live-set", created)["locator"].clone();
    assert!(list[0]["id"].is_string() && list[1]["ok"] == false && list[2]["id"].is_string(), "{list}");
    let gone = json!({"locatorOperation": "delete", "locatorTime": "33|1,5|1,loc:None", "locatorName": "Nobody"});
    let list = api.ok("svc-update-live-set", gone)["locator"].clone();
    assert_eq!(
        (&list[0]["ok"], list[1].get("ok"), &list[2]["ok"], &list[3]["ok"]),
        (&json!(false), None, &json!(false), &json!(false)),
        "{list}"
    );
    for alone in [json!({"locatorTime": "33|1"}), json!({"locatorName": "Nobody"}), json!({"locatorId": "99999"})] {
        let mut call = alone;
        call["locatorOperation"] = json!("delete");
        let envelope = api.envelope("svc-update-live-set", "", &call);
        assert_eq!(
            (&envelope["isError"], &envelope["result"]["locator"]["ok"]),
            (&json!(false), &json!(false)),
            "{envelope}"
        );
    }
    assert!(
        api.refused("svc-update-live-set", json!({"locatorOperation": "delete", "locatorTime": "zz"})).contains("zz")
    );
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
