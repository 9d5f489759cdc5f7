//! What an entry tells of what was done to notes beside what was asked.

use crate::support::Api;
use serde_json::{Value, json};

const UPDATE: &str = "svc-update-clip";

/// A Set with a clip of four notes, one of them a pitch of its own.
fn stage() -> Api {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1,2,3 G3 1|4", "length": "1bar"}));
    api
}

fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

#[test]
fn each_line_of_transforms_says_what_it_matched() {
    let api = stage();
    let text = "C3: v+1\nC5: v+9\nG3: v-1";
    let entry = api.ok(UPDATE, json!({"path": "t0/s0", "transforms": text}));
    assert_eq!(entry["notesByLine"], json!({"transforms": [3, 0, 1]}), "{entry}");
    assert!(detail(&entry).contains("line 2: no note matched"), "{entry}");
    let made = api.ok("svc-create-clip", json!({"path": "t0/s1", "notes": "C3 1|1", "transforms": text}));
    assert_eq!(made["notesByLine"], json!({"transforms": [1, 0, 0]}), "{made}");
    // One line is told by `transformed`.
    let entry = api.ok(UPDATE, json!({"path": "t0/s0", "transforms": "v+1"}));
    assert_eq!((entry.get("notesByLine"), &entry["transformed"]), (None, &json!(4)), "{entry}");
}

#[test]
fn merged_notes_are_counted() {
    for (notes, written, replaced, deleted) in [
        ("E3 1|1", 1, None, None),
        ("v80 C3 1|1 E3 1|2", 2, Some(1), None),
        ("v0 C3 1|1,2", 0, None, Some(2)),
        ("v0 C3 1|1 v90 C3 1|2 D3 1|3", 2, Some(1), Some(1)),
    ] {
        let entry = stage().ok(UPDATE, json!({"path": "t0/s0", "notes": notes}));
        let count = |field: &str| entry.get(field).and_then(Value::as_u64);
        assert_eq!(
            (count("notesWritten"), count("notesReplaced"), count("notesDeleted")),
            (Some(written), replaced, deleted),
            "{notes}: {entry}"
        );
    }
}

#[test]
fn what_changes_no_note_says_so_and_makes_no_undo_step() {
    for arguments in [
        json!({"path": "t0/s0", "transforms": "C7: v+1"}),
        json!({"path": "t0/s0", "transforms": "velocity += 0"}),
        json!({"path": "t0/s0", "notes": "v100 n/4 C3 1|1"}),
    ] {
        let api = stage();
        let before = api.kept();
        let entry = api.ok(UPDATE, arguments.clone());
        assert_eq!(entry["changed"], json!(false), "{arguments}: {entry}");
        assert!(detail(&entry).contains("no note was changed"), "{entry}");
        assert!(api.kept().same_as(&before));
        // The newest step is still the one that made the clip.
        api.ok("svc-manage", json!({"action": "undo"}));
        assert!(api.refused("svc-read-clip", json!({"path": "t0/s0"})).contains("is empty"));
    }
    let entry = stage().ok(UPDATE, json!({"path": "t0/s0", "transforms": "v+1"}));
    assert_eq!(entry.get("changed"), None, "{entry}");
}

#[test]
fn shortened_notes_are_counted() {
    let entry = stage().ok(UPDATE, json!({"path": "t0/s0", "transforms": "C3: duration = 1.5"}));
    assert!(detail(&entry).contains("2 notes were shortened"), "{entry}");
    let entry = stage().ok(UPDATE, json!({"path": "t0/s0", "transforms": "duration = 0.5"}));
    assert!(!detail(&entry).contains("shortened"), "{entry}");
}

#[test]
fn a_count_of_notes_stands_beside_the_notes() {
    let clip = stage().ok("svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}));
    assert_eq!(clip["noteCount"], json!(4), "{clip}");
}

/// Notes that sound past the clip's end are cut where it loops or ends.
#[test]
fn notes_that_run_past_the_end_are_counted() {
    let api = Api::new();
    let made = api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "n/2 C3 1|1,4 E3 1|4", "length": "1bar"}));
    assert!(detail(&made).contains("2 notes run past the clip's end (2|1) and are cut there"), "{made}");
    let one = api.ok(UPDATE, json!({"path": "t0/s0", "transforms": "E3: n/4"}));
    assert!(detail(&one).contains("1 note runs past the clip's end (2|1) and is cut there"), "{one}");
    let none = api.ok(UPDATE, json!({"path": "t0/s0", "transforms": "1|4: n/4"}));
    assert!(!detail(&none).contains("past"), "{none}");
    let copy = json!({"type": "clip", "path": "t0/s0", "toPath": "t0/s1", "transforms": "duration *= 4"});
    let copied = api.ok("svc-duplicate", copy);
    assert!(detail(&copied).contains("2 notes run past"), "{copied}");
    assert_eq!(copied["noteCount"], json!(3), "{copied}");
}

/// An update that leaves the Set as it was says so of each target, and nothing is there to be undone.
#[test]
fn updates_that_change_nothing_say_so() {
    let api = stage();
    api.ok("svc-create-device", json!({"path": "t1", "device": "Operator"}));
    let same = [
        ("svc-update-track", json!({"path": "t0,t1", "name": "Keys", "gainDb": -6, "mute": true})),
        ("svc-update-scene", json!({"path": "s1", "name": "Verse", "tempo": 90})),
        ("svc-update-clip", json!({"path": "t0/s0", "name": "Riff", "length": "1bar"})),
        (
            "svc-update-device",
            json!({"path": "t1/d0", "name": "Lead", "params": [{"name": "Volume", "value": "-6 dB"}]}),
        ),
        ("svc-update-live-set", json!({"tempo": 96, "timeSignature": "3/4", "scale": "D Minor"})),
    ];
    for (tool, arguments) in same {
        let first = api.ok(tool, arguments.clone());
        let entries = |answer: &Value| answer.as_array().cloned().unwrap_or_else(|| vec![answer.clone()]);
        assert!(entries(&first).iter().all(|entry| entry.get("changed").is_none()), "{tool}: {first}");
        let before = api.kept();
        let again = api.ok(tool, arguments.clone());
        assert!(entries(&again).iter().all(|entry| entry["changed"] == json!(false)), "{tool}: {again}");
        assert!(api.kept().same_as(&before));
        // The newest step is the first of the two calls.
        api.ok("svc-manage", json!({"action": "undo"}));
        assert!(!api.kept().same_as(&before), "{tool}");
    }
}
