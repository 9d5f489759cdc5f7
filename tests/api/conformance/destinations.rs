//! Destinations: each can receive one object, so they are never shared, but for those that leave the lane or the time
//! open.

use super::stage;
use serde_json::json;

#[test]
fn a_place_takes_one_object() {
    let two = "t0/s0,t1/s1";
    let table = [
        // Tool, arguments, whether it is refused.
        ("svc-update-clip", json!({"path": two, "toPath": "t0/s5"}), true),
        ("svc-update-clip", json!({"path": two, "toPath": "t0[5|1]"}), true),
        ("svc-update-clip", json!({"path": two, "toPath": "t0/s5,t1/s5,t1/s6"}), true),
        ("svc-update-clip", json!({"path": two, "toPath": "t0/s5,,t1/s5"}), true),
        ("svc-update-clip", json!({"path": two, "toPath": "t0/s5,t0/l+[1|1]"}), false),
        ("svc-update-clip", json!({"path": two, "toPath": "[5|1]"}), false),
        ("svc-update-clip", json!({"path": two, "toPath": "t0/s5,t1/s5"}), false),
        ("svc-duplicate", json!({"type": "clip", "path": two, "toPath": "t0/s5"}), true),
        ("svc-duplicate", json!({"type": "clip", "path": two, "toPath": "t0/s5,t1/s5,t1/s6"}), true),
        ("svc-duplicate", json!({"type": "clip", "path": two, "toPath": "t0/s5,,t1/s5"}), true),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0"}), true),
        ("svc-duplicate", json!({"type": "clip", "path": two, "toPath": "[5|1]"}), false),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t0/s5,t1/s5,[5|1]"}), false),
        ("svc-duplicate", json!({"type": "scene", "path": "s0,s1", "toPath": "[5|1]"}), true),
        ("svc-duplicate", json!({"type": "scene", "path": "s0,s1", "toPath": "[5|1],[9|1]"}), false),
        ("svc-duplicate", json!({"type": "scene", "path": "s0", "toPath": "t0[5|1]"}), true),
        ("svc-duplicate", json!({"type": "scene", "path": "s0", "toPath": "[5|1],[9|1]", "count": 2}), true),
        ("svc-duplicate", json!({"type": "track", "path": "t0", "toPath": "t1/l0", "count": 2}), true),
        ("svc-duplicate", json!({"type": "track", "path": "t0", "toPath": "t1/l0", "withoutClips": true}), true),
        ("svc-duplicate", json!({"type": "track", "path": "t0", "toPath": "t1/l0", "withoutDevices": true}), true),
        ("svc-duplicate", json!({"type": "track", "path": "t0", "toPath": "t1/l0", "routeToSource": true}), true),
        ("svc-create-track", json!({"path": "t+,t+", "count": 2}), true),
        ("svc-create-scene", json!({"path": "s+,s+", "count": 2}), true),
    ];
    for (tool, arguments, refused) in table {
        let api = stage();
        if refused {
            let text = api.refused(tool, arguments.clone());
            assert!(text.len() < 600, "{tool} {arguments}: {text}");
        } else {
            let list = api.ok(tool, arguments.clone());
            let skipped = list.as_array().is_none_or(|list| list.iter().any(|entry| entry.get("ok").is_some()));
            assert!(!skipped, "{tool} {arguments}: {list}");
        }
    }
}

/// A later clip of the call that goes to the same place, or covers one whole, is the one that is made.
#[test]
fn what_is_replaced_later_is_not_done() {
    let two = "t0/s0,t1/s1";
    let table = [
        ("svc-create-clip", json!({"path": "t0/s4,t0/s4", "length": "1bar,2bar"})),
        ("svc-create-clip", json!({"path": "t0[5|1],t0[5|1]", "length": "1bar,2bar"})),
        ("svc-create-clip", json!({"path": "t0[5|1],t0[4|1]", "length": "1bar,4bar"})),
        ("svc-update-clip", json!({"path": two, "toPath": "t0/s5,t0/s5"})),
        ("svc-update-clip", json!({"path": two, "toPath": "t0[5|1],t0[5|1]"})),
        ("svc-duplicate", json!({"type": "clip", "path": two, "toPath": "t0/s5,t0/s5"})),
        ("svc-duplicate", json!({"type": "clip", "path": two, "toPath": "t0[5|1],t0[5|1]"})),
    ];
    for (tool, arguments) in table {
        let list = stage().ok(tool, arguments.clone());
        let said = list[0]["detail"].as_str().unwrap_or_default();
        assert!(said.contains("later in this call"), "{tool} {arguments}: {list}");
        assert_eq!(list[0]["ok"], false, "{tool} {arguments}: {list}");
        assert!(list[1]["id"].is_string() && list[1].get("ok").is_none(), "{tool} {arguments}: {list}");
    }
    // One that is covered in part comes first, and says that it was shortened.
    for (tool, arguments) in [
        ("svc-create-clip", json!({"path": "t0[5|1],t0[6|1]", "length": "2bar,2bar"})),
        ("svc-duplicate", json!({"type": "clip", "path": two, "toPath": "t0[5|1],t0[5|3]"})),
        ("svc-update-clip", json!({"path": two, "toPath": "t0[5|1],t0[5|3]"})),
    ] {
        let list = stage().ok(tool, arguments.clone());
        let said = list[0]["detail"].as_str().unwrap_or_default();
        assert!(list[0]["id"].is_string() && said.contains("shortened"), "{tool} {arguments}: {list}");
    }
}

/// Half a source names many clips; half a destination keeps the other half.
#[test]
fn sources_are_whole() {
    let api = stage();
    for path in ["t0", "[5|1]", "t0/l0"] {
        let text = api.refused("svc-update-clip", json!({"path": path, "name": "x"}));
        assert!(text.contains("t0/s0") || text.contains("t0[5|1]"), "{path}: {text}");
        api.refused("svc-create-clip", json!({"path": path, "length": "1bar"}));
    }
    let entry = api.ok("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "[5|1]"}));
    assert_eq!(entry["path"], "t0[5|1]", "its own track");
    let entry = api.ok("svc-duplicate", json!({"type": "clip", "path": "t0[5|1]", "toPath": "t1"}));
    assert_eq!(entry["path"], "t1[5|1]", "its own time");
}
