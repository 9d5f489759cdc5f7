//! Notes before 1|1: a clip whose region begins there plays them, and only one that does not is told so.

use crate::support::Api;
use serde_json::{Value, json};

fn warnings(envelope: &Value) -> Vec<String> {
    assert_eq!(envelope["isError"], false, "{envelope}");
    let list = envelope["warnings"].as_array().cloned().unwrap_or_default();
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[test]
fn only_a_pickup_that_does_not_play_is_warned_of() {
    let notes = "C3 1|1-n/8 n/4 D3 1|1";
    let past = |start: &str| format!("1|1-n/8 is 0.5 quarter beats before the clip's start ({start})");
    // What else is said of the region; the warning.
    let cases = [
        (json!({}), Some(past("1|1"))),
        (json!({"start": "1|1"}), Some(past("1|1"))),
        (json!({"start": "1|1-n/8", "length": "1bar"}), None),
        (json!({"start": "1|1-n/4", "length": "1bar"}), None),
        (
            json!({"start": "1|1-n/16", "length": "1bar"}),
            Some("1|1-n/8 is 0.25 quarter beats before the clip's start (1|1-n/16)".to_owned()),
        ),
        // Where a looping clip enters first, it plays once.
        (json!({"start": "1|1", "length": "1bar", "looping": true, "firstStart": "1|1-n/4"}), None),
        (json!({"start": "1|1", "length": "1bar", "looping": false, "firstStart": "1|1-n/4"}), Some(past("1|1"))),
        (json!({"start": "1|1-n/4", "length": "1bar", "looping": true, "firstStart": "1|2"}), None),
    ];
    for at in ["t0/s0", "t0[5|1]"] {
        for (region, warning) in &cases {
            let api = Api::raw_enabled();
            let mut call = region.clone();
            call["path"] = json!(at);
            call["notes"] = json!(notes);
            let said = warnings(&api.envelope("svc-create-clip", "", &call));
            assert_eq!(said, warning.iter().cloned().collect::<Vec<_>>(), "create {call}");
            // The same notes, written into a clip with that region.
            let api = Api::raw_enabled();
            api.ok("svc-create-clip", json!({"path": at, "length": "1bar"}));
            let said = warnings(&api.envelope("svc-update-clip", "", &call));
            assert_eq!(said, warning.iter().cloned().collect::<Vec<_>>(), "update {call}");
        }
    }
    // Of several clips, one that does not play it is enough.
    let api = Api::raw_enabled();
    let call = json!({"path": "t0/s0,t0/s1", "notes": notes, "start": "1|1-n/8,1|1", "length": "1bar"});
    assert_eq!(warnings(&api.envelope("svc-create-clip", "", &call)), [past("1|1")]);
    let call = json!({"path": "t0/s0,t0/s1", "notes": notes});
    assert_eq!(warnings(&api.envelope("svc-update-clip", "", &call)), [past("1|1")]);
}
