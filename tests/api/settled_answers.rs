//! An answer is written after the last write of its call: every path and name in it is the one that a read of its id
//! gives then.

use crate::groups;
use crate::support::Api;
use serde_json::{Value, json};

/// The tool that reads what stands at such a path.
fn reader(path: &str) -> &'static str {
    let is_device = path.split('/').nth(1).is_some_and(|step| !step.starts_with(['s', 'l']));
    match path {
        _ if is_device => "svc-read-device",
        _ if path.contains('[') || path.contains("/s") => "svc-read-clip",
        _ if path.starts_with('s') => "svc-read-scene",
        _ => "svc-read-track",
    }
}

/// What a read of that id gives; `None` where there is no such object (any more).
fn read(api: &Api, path: &str, id: &str) -> Option<Value> {
    let read = api.envelope(reader(path), "", &json!({"id": id}));
    (read["isError"] == false).then(|| read["result"].clone())
}

/// Each `PATH (id N)` of a text.
fn mentions(text: &str) -> Vec<(&str, &str)> {
    let mention = |(at, opens): (usize, &str)| {
        let path = text[..at].rsplit([' ', '(']).next().unwrap_or_default();
        let id = text[at + opens.len()..].split(')').next().unwrap_or_default();
        (path, id)
    };
    text.match_indices(" (id ")
        .map(mention)
        .filter(|(path, id)| !path.is_empty() && id.parse::<u64>().is_ok())
        .collect()
}

/// Why an answer names something otherwise than a read of its id does.
pub fn names_what_is_there(api: &Api, answer: &Value) -> Result<(), String> {
    match answer {
        Value::Array(items) => items.iter().try_for_each(|item| names_what_is_there(api, item)),
        Value::Object(map) => {
            if let (Some(id), Some(path)) = (answer["id"].as_str(), answer["path"].as_str())
                && let Some(now) = read(api, path, id)
            {
                let is_named = now["path"] == path && answer.get("name").is_none_or(|name| *name == now["name"]);
                if !is_named {
                    return Err(format!("{answer} is {} {}", now["path"], now["name"]));
                }
            }
            map.values().try_for_each(|value| names_what_is_there(api, value))
        }
        Value::String(text) => {
            for (path, id) in mentions(text) {
                if let Some(now) = read(api, path, id)
                    && now["path"] != path
                {
                    return Err(format!("{path} (id {id}) is {}: {text}", now["path"]));
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn holds(api: &Api, tool: &str, arguments: Value) -> Value {
    let answer = api.ok(tool, arguments.clone());
    names_what_is_there(api, &answer).unwrap_or_else(|why| panic!("{tool} {arguments}: {why}\n{answer}"));
    answer
}

#[test]
fn copies_say_where_they_ended() {
    for (kind, orders) in [("scene", ["s3,s1", "s1,s3", "s0,s0,s2"]), ("track", ["t1,t0", "t0,t1", "t2,t0,t1"])] {
        for path in orders {
            for count in [1, 2] {
                let api = Api::new();
                api.ok("svc-create-clip", json!({"path": "t0/s0,t1/s1,t0[1|1]", "notes": "C3 1|1"}));
                for more in [json!({}), json!({"name": "x"}), json!({"transforms": "pitch += 1"})] {
                    let mut call = json!({"type": kind, "path": path, "count": count});
                    call.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
                    holds(&api, "svc-duplicate", call);
                }
            }
        }
    }
}

#[test]
fn routed_copies_name_their_source() {
    for path in ["t1,t0", "t0,t1"] {
        let api = Api::new();
        let list = holds(&api, "svc-duplicate", json!({"type": "track", "path": path, "routeToSource": true}));
        assert!(list[0]["detail"].as_str().is_some_and(|said| said.contains("its output goes to t")), "{list}");
    }
}

/// The group at t3 with the members t4 and t5.
fn grouped() -> Api {
    let api = Api::raw_enabled();
    groups::make(&api);
    api
}

#[test]
fn copied_members_are_where_said() {
    for path in ["t3,t0", "t0,t3", "t3,t3", "t3"] {
        let api = grouped();
        let answer = holds(&api, "svc-duplicate", json!({"type": "track", "path": path}));
        assert!(answer.to_string().contains("its members came along"), "{answer}");
    }
}

#[test]
fn copied_groups_list_the_clips_inside() {
    for more in [json!({}), json!({"transforms": "pitch += 12"})] {
        let api = grouped();
        api.ok("svc-create-clip", json!({"path": "t4/s0,t5/s0,t5[1|1]", "notes": "C3 1|1"}));
        let mut call = json!({"type": "track", "path": "t3"});
        call.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let answer = holds(&api, "svc-duplicate", call);
        let paths: Vec<&str> =
            answer["clips"].as_array().expect("clips").iter().filter_map(|clip| clip["path"].as_str()).collect();
        assert_eq!(paths, ["t7/s0", "t8/s0", "t8[1|1]"], "{answer}");
    }
}

#[test]
fn chains_that_were_shifted_are_told() {
    let with_chains = || {
        let api = Api::new();
        api.ok("svc-create-device", json!({"path": "t1", "device": "Audio Effect Rack"}));
        api.ok("svc-create-device", json!({"path": "t1/d0/c+,t1/d0/c+", "device": "Reverb,Delay"}));
        api
    };
    let with_pads = || {
        let api = Api::new();
        api.ok("svc-create-device", json!({"path": "t0", "device": "Drum Rack"}));
        api.ok("svc-create-device", json!({"path": "t0/d0/pC1/c+,t0/d0/pC1/c+,t0/d0/pD1/c+", "device": "Simpler"}));
        api
    };
    let shifted = |rack: &str| format!("what was {rack}/c1 is now {rack}/c2");
    let answer = holds(&with_chains(), "svc-duplicate", json!({"type": "chain", "path": "t1/d0/c0"}));
    assert!(answer["detail"].as_str().is_some_and(|said| said.contains(&shifted("t1/d0"))), "{answer}");
    let answer = holds(&with_chains(), "svc-duplicate", json!({"type": "chain", "path": "t1/d0/c1"}));
    assert!(!answer.to_string().contains("what was"), "{answer}");
    let answer = holds(&with_pads(), "svc-duplicate", json!({"type": "chain", "path": "t0/d0/pC1/c0"}));
    assert!(answer["detail"].as_str().is_some_and(|said| said.contains(&shifted("t0/d0/pC1"))), "{answer}");
    let pad = json!({"type": "drum-pad", "path": "t0/d0/pC1", "toPath": "t0/d0/pD1"});
    let answer = holds(&with_pads(), "svc-duplicate", pad);
    assert!(
        answer["detail"].as_str().is_some_and(|said| said.contains("what was t0/d0/pD1/c0 is now t0/d0/pD1/c2")),
        "{answer}"
    );
    let answer = holds(&with_pads(), "svc-delete", json!({"type": "chain", "path": "t0/d0/pC1/c0"}));
    assert!(
        answer["detail"].as_str().is_some_and(|said| said.contains("what was t0/d0/pC1/c1 is now t0/d0/pC1/c0")),
        "{answer}"
    );
}

#[test]
fn rests_are_where_they_are_said() {
    // Of a clip of eight bars: the places of the new clips, in each order, and on a take lane.
    for (lane, path) in [
        ("t0", "t0[2|1],t0[3|1]"),
        ("t0", "t0[3|1],t0[2|1]"),
        ("t0", "t0[2|1],t0[4|1],t0[6|1]"),
        ("t0", "t0[1|1],t0[5|1]"),
        ("t0/l0", "t0/l0[2|1],t0/l0[3|1]"),
        ("t0/l0", "t0/l0[6|1],t0/l0[2|1]"),
    ] {
        let api = Api::new();
        api.ok("svc-create-clip", json!({"path": format!("{lane}[1|1]"), "length": "8bar", "name": "big"}));
        let list = holds(&api, "svc-create-clip", json!({"path": path, "length": "1bar"}));
        assert!(list[0]["detail"].is_string(), "{list}");
        let api = Api::new();
        api.ok("svc-create-clip", json!({"path": format!("{lane}[1|1]"), "length": "8bar", "name": "big"}));
        api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"}));
        holds(&api, "svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": path}));
    }
}

#[test]
fn passing_clips_are_not_told() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0[1|1]", "length": "8bar", "name": "big"}));
    let big = api.ok("svc-read-clip", json!({"path": "t0[1|1]"}))["id"].clone();
    // The rest behind the first clip is taken whole by the second.
    let list = holds(&api, "svc-create-clip", json!({"path": "t0[2|1],t0[3|1]", "length": "1bar,6bar"}));
    let said = format!("shortened t0[1|1] (id {})", big.as_str().expect("an id"));
    assert_eq!((&list[0]["detail"], &list[1]["detail"]), (&json!(said), &json!(said)), "{list}");
}

#[test]
fn shifts_begin_before_the_call() {
    let whole = "what was t2/d0 is now t2/d1, those behind it moved along; what was t2/d0/c0/d0 is now t2/d1/c0/d1";
    for (tool, arguments) in [
        ("svc-create-device", json!({"path": "t2/d0,t2/d0/c0/d0", "device": "Delay"})),
        ("svc-duplicate", json!({"type": "device", "path": "t2/d1", "toPath": "t2/d0,t2/d0/c0/d0"})),
        ("svc-update-device", json!({"path": "rt0/d0,rt1/d0", "toPath": "t2/d0,t2/d0/c0/d0"})),
    ] {
        let api = Api::new();
        api.ok("svc-create-device", json!({"path": "t2", "device": "Audio Effect Rack"}));
        api.ok("svc-create-device", json!({"path": "t2/d0/c+,t2", "device": "Reverb,Compressor"}));
        let list = holds(&api, tool, arguments.clone());
        assert_eq!(list[1]["detail"], whole, "{arguments}: {list}");
    }
}

#[test]
fn devices_inside_wrapped_racks_are_found() {
    let api = Api::new();
    api.ok("svc-create-device", json!({"path": "t2,rt1", "device": "EQ Eight,Audio Effect Rack"}));
    api.ok("svc-create-device", json!({"path": "rt1/d1/c+", "device": "Reverb"}));
    let inner = api.ok("svc-read-device", json!({"path": "rt1/d1/c0/d0"}))["id"].clone();
    let rack = holds(&api, "svc-update-device", json!({"path": "t2/d0,rt1/d1,rt1/d1/c0/d0", "wrapInRack": true}));
    let said = format!("t2/d0/c0/d1/c0/d0 (id {}) comes along", inner.as_str().expect("an id"));
    assert!(rack["detail"].as_str().is_some_and(|detail| detail.contains(&said)), "{rack}");
}

#[test]
fn rests_of_own_copies_stay_unnamed() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "4bar", "looping": false}));
    api.ok("svc-create-clip", json!({"path": "t0/s1", "length": "1bar"}));
    let call = json!({"type": "clip", "path": "t0/s0,t0/s1", "toPath": "t0[1|1],t0[2|1]", "arrangementLength": "4bar"});
    let list = holds(&api, "svc-duplicate", call);
    assert!(!list.to_string().contains("overwrote"), "{list}");
    assert_eq!(list[0]["detail"], "shortened by t0[2|1], named later in this call", "{list}");
}

#[test]
fn restoring_names_shifted_paths() {
    let api = Api::new();
    api.ok("svc-create-device", json!({"path": "t2,t2", "device": "Reverb,Delay"}));
    for (kind, path, said) in [
        ("track", "t1", "what was t1 is now t2, those behind it moved along"),
        ("scene", "s2", "what was s2 is now s3, those behind it moved along"),
        ("device", "t2/d0", "what was t2/d0 is now t2/d1"),
    ] {
        api.ok("svc-delete", json!({"type": kind, "path": path}));
        let restored = api.ok("svc-manage", json!({"action": "restore", "path": path}));
        let detail = restored["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(said), "{restored}");
    }
    // A device that is in its place already shifts nothing.
    api.ok("svc-update-track", json!({"path": "t1", "name": "other"}));
    let restored = api.ok("svc-manage", json!({"action": "restore", "path": "t1"}));
    assert!(!restored.to_string().contains("what was"), "{restored}");
}
