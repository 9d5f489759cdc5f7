//! How steps are told: in the words that reads show, what was moved as moved, and the same after undo and redo.

use crate::support::Api;
use serde_json::{Value, json};

type Call = (&'static str, Value);

fn newest(api: &Api) -> Vec<String> {
    let steps = api.ok("svc-read-history", json!({"limit": 1}))["steps"].clone();
    let changes = steps[0]["changes"].as_array().unwrap_or_else(|| panic!("{steps}"));
    changes.iter().map(|text| text.as_str().expect("a sentence").to_owned()).collect()
}

fn line() -> Call {
    ("svc-create-clip", json!({"path": "t0/s0", "name": "Lead", "notes": "n/16 C3 1|1x16@n/16", "length": "1bar"}))
}

/// What is made first, the call, and how its step is told.
#[test]
fn steps_are_told_in_the_words_of_reads() {
    let lead = "t0/s0 \"Lead\": ";
    let update = |arguments: Value| ("svc-update-clip", arguments);
    let rack = || -> Vec<Call> {
        vec![
            ("svc-create-device", json!({"path": "t0", "device": "Operator"})),
            ("svc-update-device", json!({"path": "t0/d0", "wrapInRack": true})),
        ]
    };
    let table: Vec<(Vec<Call>, Call, Vec<String>)> = vec![
        (
            vec![line()],
            update(json!({"path": "t0/s0", "transforms": "pitch += 2"})),
            vec![format!("{lead}16 notes transposed by +2")],
        ),
        (
            vec![line()],
            update(json!({"path": "t0/s0", "transforms": "timing += 0.25"})),
            vec![format!("{lead}16 notes moved by +0.25 quarter notes")],
        ),
        (
            vec![line()],
            update(json!({"path": "t0/s0", "transforms": "C3 1|1-<1|1.75: timing += 0.1"})),
            // The last reached into the next.
            vec![format!("{lead}3 notes moved by +0.1 quarter notes, length of 1 note changed")],
        ),
        (
            vec![line()],
            update(json!({"path": "t0/s0", "transforms": "velocity = 60\nduration = 0.1"})),
            vec![format!("{lead}velocity of 16 notes changed, length of 16 notes changed")],
        ),
        (
            vec![line()],
            update(json!({"path": "t0/s0", "notes": "D3 1|2", "preTransforms": "C3 1|1-<1|1.5: delete"})),
            vec![format!("{lead}16 notes -> 15 (1 added, 2 removed)")],
        ),
        (
            vec![line()],
            update(json!({"path": "t0/s0", "toPath": "t0/s3"})),
            vec!["moved clip t0/s0 -> t0/s3 \"Lead\" (id <id> there)".to_owned()],
        ),
        (vec![line()], line(), vec!["made clip t0/s0 \"Lead\" anew (id <id>)".to_owned()]),
        (
            vec![line()],
            ("svc-create-clip", {
                let mut again = line().1;
                again["path"] = json!("t1/s0,t0/s0");
                again
            }),
            vec![
                "made clip t0/s0 \"Lead\" anew (id <id>)".to_owned(),
                "made clip t1/s0 \"Lead\" (16 notes)".to_owned(),
            ],
        ),
        (
            vec![],
            ("svc-update-track", json!({"path": "t0", "inputRoutingType": "No Input", "monitoringState": "in"})),
            vec!["t0 \"1-MIDI\": inputRoutingType All Ins -> No Input, monitoringState auto -> in".to_owned()],
        ),
        (
            vec![],
            ("svc-create-scene", json!({"path": "s1", "name": "Verse", "tempo": 99, "timeSignature": "6/8"})),
            vec!["made scene s1 \"Verse\" (tempo 99, timeSignature 6/8)".to_owned()],
        ),
        (
            vec![],
            ("svc-create-track", json!({"path": "t2", "type": "audio", "name": "Voice"})),
            vec!["made audio track t2 \"Voice\"".to_owned()],
        ),
        (
            vec![],
            ("svc-create-device", json!({"path": "t0", "device": "Operator", "name": "Lead"})),
            vec!["made device t0/d0 \"Lead\" (Operator)".to_owned()],
        ),
        (
            vec![],
            (
                "svc-playback",
                json!({"action": "update-arrangement", "loop": true, "loopStart": "3|1", "loopEnd": "5|1"}),
            ),
            vec!["the Set: loop false -> true, loopEnd 7|1 -> 5|1".to_owned()],
        ),
        (
            rack(),
            ("svc-update-device", json!({"path": "t0/d0", "actions": ["mapMacro(1, \"Volume\")"]})),
            vec![
                "t0/d0 \"Instrument Rack\": macro 1 none -> Volume (-inf dB to 6.0 dB), Volume 0 -> -18 dB".to_owned(),
            ],
        ),
        (
            rack(),
            ("svc-update-device", json!({"path": "t0/d0", "actions": ["nameMacro(1, \"Loudness\")"]})),
            vec!["t0/d0 \"Instrument Rack\": name of macro 1 none -> Loudness".to_owned()],
        ),
        (
            rack(),
            ("svc-update-device", json!({"path": "t0/d0/c0", "gainDb": -9, "name": "Low"})),
            vec!["t0/d0/c0 \"Low\": name \"Chain\" -> \"Low\", gainDb 0 -> -9".to_owned()],
        ),
        (
            vec![("svc-create-device", json!({"path": "t0", "device": "Simpler"}))],
            ("svc-update-device", json!({"path": "t0/d0", "params": [{"name": "playbackMode", "value": "One-Shot"}]})),
            vec!["t0/d0 \"Simpler\": playbackMode classic -> one-shot".to_owned()],
        ),
    ];
    for (made, (tool, arguments), want) in table {
        let api = Api::new();
        for (tool, arguments) in made {
            api.ok(tool, arguments);
        }
        let done = api.ok(tool, arguments.clone());
        let of_one = if done.is_array() { &done[1] } else { &done };
        let id = of_one["id"].as_str().unwrap_or_default();
        let want: Vec<String> = want.iter().map(|text| text.replace("<id>", id)).collect();
        let told = newest(&api);
        assert_eq!(told, want, "{tool} {arguments}");
        // As often as it is undone and redone.
        for _ in 0..2 {
            api.ok("svc-manage", json!({"action": "undo"}));
            assert_eq!(newest(&api), told, "{tool} {arguments}: undone");
            api.ok("svc-manage", json!({"action": "redo"}));
            assert_eq!(newest(&api), told, "{tool} {arguments}: redone");
        }
    }
}

#[test]
fn what_became_of_notes_is_counted() {
    let api = Api::new();
    let (tool, arguments) = line();
    api.ok(tool, arguments);
    api.ok("svc-update-clip", json!({"path": "t0/s0", "transforms": "pitch += 2"}));
    let change = api.ok("svc-read-history", json!({"diff": true}))["changes"][0].clone();
    assert_eq!(
        change["notes"],
        json!({"before": 16, "after": 16, "added": 0, "removed": 0, "changed": 16, "transposed": 16, "semitones": 2})
    );
    api.ok("svc-update-clip", json!({"path": "t0/s0", "transforms": "timing += 0.1"}));
    let change = api.ok("svc-read-history", json!({"diff": true}))["changes"][0].clone();
    let notes = &change["notes"];
    assert_eq!((&notes["changed"], &notes["moved"], &notes["beats"]), (&json!(16), &json!(16), &json!(0.1)));
}

/// Whoever asks learns why older steps are not there.
#[test]
fn a_loaded_set_says_that_the_history_begins_with_it() {
    let api = Api::new();
    let fresh = api.ok("svc-read-history", json!({}));
    assert_eq!(fresh["detail"], Value::Null);
    assert!(!api.refused("svc-manage", json!({"action": "undo"})).contains("loaded"));
    api.ok("svc-update-live-set", json!({"tempo": 99}));
    api.device.load_state(&api.saved());
    let loaded = "the history begins with the Set as it was loaded";
    let says = |answer: &Value| answer["detail"].as_str().is_some_and(|text| text.contains(loaded));
    let list = api.ok("svc-read-history", json!({}));
    assert!(says(&list), "{list}");
    let why = api.refused("svc-manage", json!({"action": "undo"}));
    assert!(why.contains("nothing to undo") && why.contains(loaded), "{why}");
    // On the page that reaches it, and where undo stops.
    for tempo in [70, 80] {
        api.ok("svc-update-live-set", json!({ "tempo": tempo }));
    }
    assert!(!says(&api.ok("svc-read-history", json!({"limit": 1}))));
    assert!(says(&api.ok("svc-read-history", json!({}))));
    let undone = api.ok("svc-manage", json!({"action": "undo", "steps": 5}));
    assert!(undone["stopped"].as_str().is_some_and(|text| text.contains(loaded)), "{undone}");
}
