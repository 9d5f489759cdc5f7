//! A write answers with what it set, as reads show it.

use crate::support::Api;
use serde_json::{Value, json};

/// A Set with a clip, a Drum Rack with a pad, an EQ and a locator.
fn stage() -> Api {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1", "length": "2bar"}));
    api.ok("svc-create-device", json!({"path": "t1/d+,t1/d0/pC1,t2/d+", "device": "Drum Rack,Simpler,EQ Eight"}));
    api.ok("svc-update-live-set", json!({"locatorOperation": "create", "locatorTime": "5|1", "locatorName": "Verse"}));
    api
}

#[test]
fn writes_answer_what_they_set() {
    for (tool, arguments, pointer, value) in [
        ("svc-update-live-set", json!({"tempo": 82}), "/tempo", json!(82)),
        ("svc-update-live-set", json!({"timeSignature": "6/8"}), "/timeSignature", json!("6/8")),
        ("svc-update-live-set", json!({"scale": "d minor"}), "/scale", json!("D Minor")),
        (
            "svc-update-live-set",
            json!({"locatorOperation": "create", "locatorTime": "9|1,17|1", "locatorName": "A,B"}),
            "/locator/1",
            json!({"operation": "create", "name": "B", "time": "17|1"}),
        ),
        (
            "svc-update-live-set",
            json!({"locatorOperation": "create", "locatorTime": "9|1"}),
            "/locator",
            json!({"operation": "create", "name": "1", "time": "9|1"}),
        ),
        (
            "svc-update-live-set",
            json!({"locatorOperation": "rename", "locatorTime": "5|1", "locatorName": "Chorus"}),
            "/locator",
            json!({"operation": "rename", "name": "Chorus", "time": "5|1"}),
        ),
        (
            "svc-update-live-set",
            json!({"locatorOperation": "delete", "locatorTime": "5|1"}),
            "/locator",
            json!({"operation": "delete", "name": "Verse", "time": "5|1"}),
        ),
        ("svc-create-track", json!({"path": "t+", "name": "Bass"}), "/name", json!("Bass")),
        ("svc-update-track", json!({"path": "t0", "name": "Keys"}), "/name", json!("Keys")),
        ("svc-update-track", json!({"path": "t0", "name": ""}), "/name", json!("1-MIDI")),
        ("svc-update-track", json!({"path": "t0/l0", "name": "Take"}), "/name", json!("Take")),
        ("svc-create-scene", json!({"path": "s+", "name": "Drop"}), "/name", json!("Drop (9)")),
        ("svc-update-scene", json!({"path": "s1", "name": "Drop (2)"}), "/name", json!("Drop (2)")),
        ("svc-create-clip", json!({"path": "t0/s1", "name": "Riff"}), "/name", json!("Riff")),
        ("svc-update-clip", json!({"path": "t0/s0", "name": "Riff"}), "/name", json!("Riff")),
        ("svc-update-device", json!({"path": "t2/d0", "name": "Cut"}), "/name", json!("Cut")),
        ("svc-update-device", json!({"path": "t1/d0/pC1", "name": "Kick"}), "/name", json!("Kick")),
        ("svc-update-device", json!({"path": "t1/d0/pC1", "chokeGroup": 3}), "/chokeGroup", json!(3)),
        ("svc-update-device", json!({"path": "t1/d0/pC1/c0", "mappedPitch": "d1"}), "/mappedPitch", json!("D1")),
        ("svc-duplicate", json!({"type": "track", "path": "t0", "name": "Copy"}), "/name", json!("Copy")),
        ("svc-duplicate", json!({"type": "scene", "path": "s0", "name": "Copy"}), "/name", json!("Copy (2)")),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t0/s3"}), "/length", json!("2bar")),
        (
            "svc-duplicate",
            json!({"type": "clip", "path": "t0/s0", "toPath": "t0[1|1]"}),
            "/arrangementLength",
            json!("2bar"),
        ),
        (
            "svc-duplicate",
            json!({"type": "clip", "path": "t0/s0", "toPath": "t0[1|1]", "arrangementLength": "3bar"}),
            "/1/arrangementLength",
            json!("1bar"),
        ),
        (
            "svc-update-device",
            json!({"path": "t2/d0", "params": [{"name": "1 Filter Type A", "value": "Low Shelf"}]}),
            "/params/0",
            json!({"value": "Low Shelf", "raw": 2.0}),
        ),
        (
            "svc-update-device",
            json!({"path": "t2/d0", "params": [{"name": "1 Filter On A", "value": "on"}]}),
            "/params/0",
            json!({"value": "On", "raw": 1.0}),
        ),
    ] {
        let answer = stage().ok(tool, arguments.clone());
        let found = answer.pointer(pointer).unwrap_or(&Value::Null);
        match value.as_object() {
            Some(fields) => {
                for (field, value) in fields {
                    assert_eq!(&found[field], value, "{tool} {arguments}: {answer}");
                }
            }
            None => assert_eq!(*found, value, "{tool} {arguments}: {answer}"),
        }
    }
}
