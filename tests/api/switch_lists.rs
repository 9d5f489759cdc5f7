//! Switches pair with the targets as texts do: one for all, or one for each.

use crate::support::Api;
use serde_json::{Value, json};

fn states(api: &Api, tool: &str, paths: &str, include: Value, field: &str) -> Vec<Value> {
    let list = api.ok(tool, json!({"path": paths, "include": include}));
    list.as_array().expect("several").iter().map(|one| one.get(field).cloned().unwrap_or(Value::Null)).collect()
}

#[test]
fn a_switch_pairs_with_its_targets() {
    let api = Api::new();
    let clips = |paths: &str| states(&api, "svc-read-clip", paths, json!(["timing"]), "looping");
    for list in [json!("true,false"), json!([true, false])] {
        api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1", "length": "1bar", "looping": list}));
        assert_eq!(clips("t0/s0,t0/s1"), [true, false], "{list}");
        api.ok("svc-update-clip", json!({"path": "t0/s0,t0/s1", "looping": " false , true "}));
        assert_eq!(clips("t0/s0,t0/s1"), [false, true], "{list}");
    }
    api.ok("svc-update-track", json!({"path": "t0,t1,rt0", "mute": "true,false,true", "arm": [true, false, false]}));
    let tracks = |field: &str| states(&api, "svc-read-track", "t0,t1,rt0", json!([]), field);
    assert_eq!(tracks("state"), [json!("muted"), Value::Null, json!("muted")]);
    assert_eq!(tracks("isArmed"), [json!(true), Value::Null, Value::Null]);
    api.ok("svc-create-track", json!({"path": "t+,t+", "mute": "false,true"}));
    assert_eq!(states(&api, "svc-read-track", "t4,t5", json!([]), "state"), [Value::Null, json!("muted")]);
    api.ok("svc-create-device", json!({"device": "Instrument Rack", "path": "t0"}));
    api.ok("svc-create-device", json!({"device": "Drift", "path": "t0/d0/c1"}));
    api.ok("svc-update-device", json!({"path": "t0/d0/c0,t0/d0/c1", "mute": "false,true"}));
    let chains = api.ok("svc-read-device", json!({"path": "t0/d0/c0,t0/d0/c1"}));
    assert_eq!((chains[0].get("state"), &chains[1]["state"]), (None, &json!("muted")), "{chains}");
    // One for all.
    api.ok("svc-update-clip", json!({"path": "t0/s0,t0/s1", "looping": [true]}));
    assert_eq!(clips("t0/s0,t0/s1"), [true, true]);
}

#[test]
fn what_is_no_switch_is_refused() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1", "length": "1bar"}));
    let said = api.refused("svc-update-clip", json!({"path": "t0/s0,t0/s1", "looping": "true,false,true"}));
    assert_eq!(said, "looping has 3 values for 2 targets; give one value, or one for each target");
    for wrong in [json!("true"), json!("true,maybe"), json!("true,,false"), json!(1), json!([]), json!(["true"])] {
        let body = api.bad("svc-update-clip", json!({"path": "t0/s0,t0/s1", "looping": wrong}));
        assert!(body["error"].as_str().is_some_and(|text| text.contains("looping")), "{wrong}: {body}");
    }
    let body = api.bad("svc-update-track", json!({"path": "t0,t1", "mute": "yes,no"}));
    assert!(body["error"].as_str().is_some_and(|text| text.contains("\"true,false\"")), "{body}");
    // What is one for the whole call is no list.
    api.bad("svc-update-clip", json!({"path": "t0/s0,t0/s1", "duplicateLoop": "true,false"}));
}
