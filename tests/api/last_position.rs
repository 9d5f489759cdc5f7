//! The last position of the Arrangement, quarter beat 1,576,800: no tool lays a clip over it, whichever argument would.
//! Bar 394,200 is the last one in 4/4.

use super::clip_updates::{TOOL, WAV, detail};
use crate::support::Api;
use serde_json::{Value, json};

/// A MIDI clip of two bars in a slot, one of a bar at the beginning of the timeline, and one of a bar, unlooped, that
/// ends a bar before the last position.
fn set() -> Api {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1", "length": "2bar"}));
    api.ok("svc-create-clip", json!({"path": "t0[1|1]", "notes": "C3 1|1", "length": "1bar", "looping": false}));
    api.ok("svc-create-clip", json!({"path": "t0[394199|1]", "notes": "C3 1|1", "length": "1bar", "looping": false}));
    api
}

#[test]
fn nothing_ends_past_it() {
    let api = set();
    // The tool, its arguments, which of them the text names, and how much room there is.
    for (tool, arguments, named, room) in [
        ("svc-create-clip", json!({"path": "t0[394200|1]", "length": "5bar"}), "length", "1bar"),
        ("svc-create-clip", json!({"path": "t0[394200|1]", "notes": "C3 9|1"}), "path", "1bar"),
        ("svc-create-clip", json!({"path": "t0[394200|3]", "notes": "C3 1|1"}), "path", "n/2"),
        ("svc-create-clip", json!({"path": "t0[394201|1]"}), "path", "none"),
        ("svc-create-clip", json!({"path": "t0/l0[394200|1]", "length": "2bar"}), "length", "1bar"),
        ("svc-create-clip", json!({"path": "t0[394200|1]", "start": "3|1", "length": "2bar"}), "length", "1bar"),
        ("svc-create-clip", json!({"path": "t2[394200|4.5]", "sampleFile": WAV}), "path", "n/8"),
        (TOOL, json!({"path": "t0[394199|1]", "length": "3bar"}), "length", "2bar"),
        (TOOL, json!({"path": "t0[394199|1]", "start": "2|1", "length": "3bar"}), "length", "2bar"),
        (TOOL, json!({"path": "t0[394199|1]", "arrangementLength": "3bar"}), "arrangementLength", "2bar"),
        (TOOL, json!({"path": "t0/s0", "toPath": "t0[394200|1]"}), "toPath", "1bar"),
        (TOOL, json!({"path": "t0[1|1]", "toPath": "[394200|3]"}), "toPath", "n/2"),
        (TOOL, json!({"path": "t0[1|1]", "toPath": "[394200|1]", "length": "2bar"}), "length", "1bar"),
        (TOOL, json!({"path": "t0[1|1]", "toPath": "[394200|1]", "duplicateLoop": true}), "toPath", "1bar"),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t0[394200|1]"}), "toPath", "1bar"),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t0/l0[394200|1]"}), "toPath", "1bar"),
        ("svc-duplicate", json!({"type": "scene", "path": "s0", "toPath": "[394200|1]"}), "toPath", "1bar"),
    ] {
        let said = api.refused(tool, arguments.clone());
        assert!(said.starts_with(&format!("{named}: ")), "{arguments}: {said}");
        assert!(said.contains("past the last position of the arrangement, 394201|1"), "{arguments}: {said}");
        assert!(said.ends_with(&format!("room for {room}")), "{arguments}: {said}");
    }
}

#[test]
fn up_to_it_everything_goes() {
    for (tool, arguments) in [
        ("svc-create-clip", json!({"path": "t0[394200|1]", "length": "1bar"})),
        ("svc-create-clip", json!({"path": "t0[394200|4]", "length": "n/4"})),
        ("svc-create-clip", json!({"path": "t2[394200|4]", "sampleFile": WAV})),
        (TOOL, json!({"path": "t0[394199|1]", "length": "2bar"})),
        (TOOL, json!({"path": "t0[394199|1]", "duplicateLoop": true})),
        (TOOL, json!({"path": "t0[394199|1]", "arrangementLength": "2bar"})),
        // The loop of a clip on the timeline is as long as it likes.
        (TOOL, json!({"path": "t0[394199|1]", "looping": true, "length": "8bar"})),
        (TOOL, json!({"path": "t0/s0", "toPath": "t0[394199|1]"})),
        (TOOL, json!({"path": "t0/s0", "toPath": "t0[394200|1]", "arrangementLength": "1bar"})),
        (TOOL, json!({"path": "t0[1|1]", "toPath": "[394200|1]"})),
        ("svc-duplicate", json!({"type": "clip", "path": "t0[1|1]", "toPath": "[394200|1]"})),
    ] {
        let api = set();
        let entry = api.ok(tool, arguments.clone());
        assert!(entry["id"].is_string(), "{arguments}: {entry}");
        let clips = api.ok("svc-read-track", json!({"path": "t0", "include": ["arrangement-clips"]}));
        assert!(!clips.to_string().contains("394201"), "{arguments}: {clips}");
    }
    // Doubled once more it would end behind.
    let api = set();
    api.ok(TOOL, json!({"path": "t0[394199|1]", "duplicateLoop": true}));
    let said = api.refused(TOOL, json!({"path": "t0[394199|1]", "duplicateLoop": true}));
    assert!(said.starts_with("duplicateLoop: "), "{said}");
}

#[test]
fn the_others_of_the_call_are_carried_out() {
    let skipped = |entry: &Value, path: &str| {
        assert_eq!((&entry["path"], &entry["ok"]), (&json!(path), &json!(false)), "{entry}");
        assert!(detail(entry).contains("past the last position"), "{entry}");
    };
    let api = set();
    let list = api.ok("svc-create-clip", json!({"path": "t0[394200|1],t0[9|1]", "length": "2bar"}));
    skipped(&list[0], "t0[394200|1]");
    assert!(list[1]["id"].is_string(), "{list}");
    let list = api.ok(TOOL, json!({"path": "t0[394199|1],t0[1|1]", "length": "3bar", "name": "a,b"}));
    skipped(&list[0], "t0[394199|1]");
    assert!(list[1]["id"].is_string(), "{list}");
    let list = api.ok("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t0[394200|1],t0[20|1]"}));
    skipped(&list[0], "t0[394200|1]");
    assert!(list[1]["id"].is_string(), "{list}");
    // A place that cannot be taken takes nothing from an earlier one.
    let list = api.ok("svc-create-clip", json!({"path": "t0[394200|2],t0[394200|1]", "length": "n/4,2bar"}));
    assert!(list[0]["id"].is_string(), "{list}");
    skipped(&list[1], "t0[394200|1]");
}

/// What needs a place to wait for a moment finds one in a gap, where a clip ends at the last position.
#[test]
fn a_lane_that_is_used_to_its_end_can_be_worked_on() {
    let spans = |api: &Api| {
        let read = api.ok("svc-read-track", json!({"path": "t0", "include": ["arrangement-clips"]}));
        let clips = read["arrangementClips"].as_array().cloned().unwrap_or_default();
        clips
            .iter()
            .map(|clip| format!("{} {}", clip["path"], clip["arrangementLength"]).replace('"', ""))
            .collect::<Vec<_>>()
    };
    // What is asked of two looped bars at 5|1; the lane then, but for the clip in the last bar.
    for (tool, call, then) in [
        (TOOL, json!({"path": "t0[5|1]", "toPath": "[6|1]"}), vec!["t0[6|1] 2bar"]),
        (TOOL, json!({"path": "t0[5|1]", "toPath": "[4|3]"}), vec!["t0[4|3] 2bar"]),
        (TOOL, json!({"path": "t0[5|1]", "arrangementLength": "3bar"}), vec!["t0[5|1] 2bar", "t0[7|1] 1bar"]),
        (
            "svc-duplicate",
            json!({"type": "clip", "path": "t0[5|1]", "toPath": "[9|1]", "arrangementLength": "1bar"}),
            vec!["t0[5|1] 2bar", "t0[9|1] 1bar"],
        ),
    ] {
        let api = Api::raw_enabled();
        api.ok("svc-create-clip", json!({"path": "t0[5|1],t0[394200|1]", "notes": "C3 1|1", "length": "2bar,1bar"}));
        let entry = api.ok(tool, call.clone());
        assert!(entry.get("detail").is_none(), "{call}: {entry}");
        let mut wanted: Vec<String> = then.iter().map(|clip| (*clip).to_owned()).collect();
        wanted.push("t0[394200|1] 1bar".to_owned());
        assert_eq!(spans(&api), wanted, "{call}: {entry}");
    }
    // A lane without a gap has no such place: nothing is done.
    let api = Api::raw_enabled();
    api.call("live_set tracks 0", "create_midi_clip", json!([0, 900_000]));
    api.call("live_set tracks 0", "create_midi_clip", json!([900_000, 676_800]));
    assert!(api.refused(TOOL, json!({"path": "t0[1|1]", "toPath": "[1|3]"})).contains("room"));
    // One that is to be shorter makes the room itself, as far as it is enough; else it stays as it was.
    let call = json!({"path": "t0[1|1],t1[1|1]", "toPath": "[1|3]", "arrangementLength": "200000bar"});
    let list = api.ok(TOOL, call);
    assert!(list[0]["ok"] == false && spans(&api)[0].ends_with(" 225000bar"), "{list} {:?}", spans(&api));
    api.ok(TOOL, json!({"path": "t0[1|1]", "toPath": "[1|3]", "arrangementLength": "9bar"}));
    assert_eq!(spans(&api)[0], "t0[1|3] 9bar");
}
