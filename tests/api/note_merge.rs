//! What `notes` does to the notes that are there, and which of two in one place stays.

use crate::support::Api;
use serde_json::{Value, json};

fn in_notation(api: &Api, notation: &str, tool: &str, arguments: &Value) -> Value {
    let envelope = api.envelope(tool, &format!("x-svc-notation: {notation}\r\n"), arguments);
    assert_eq!(envelope["isError"], false, "{tool} {arguments}: {envelope}");
    envelope["result"].clone()
}

fn notes(api: &Api) -> Value {
    let entry = api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}));
    entry.get("notes").cloned().unwrap_or_default()
}

/// Two notes of one text in one place are one too many only after the transforms, which may part them.
#[test]
fn notes_of_one_place_are_transformed_first() {
    for (text, transforms, left, detail) in [
        ("v100 C3 1|1 v50 C3 1|1", None, "v50 n/4 C3 1|1", Some("1 note was left out")),
        ("v100 C3 1|1 v50 C3 1|1", Some("v+1"), "v51 n/4 C3 1|1", Some("1 note was left out")),
        ("v100 C3 1|1 v50 C3 1|1", Some("where(note.velocity < 80): timing += 1"), "v100 n/4 C3 1|1\nv50 C3 1|2", None),
        ("v100 C3 1|1 v50 C3 1|1.0005", Some("where(note.velocity < 80): pitch += 7"), "v100 n/4 C3 v50 G3 1|1", None),
        ("v100 C3 1|1 v0 C3 1|1 v50 C3 1|1", Some("timing += 1"), "v50 n/4 C3 1|2", None),
    ] {
        for update in [false, true] {
            let api = Api::new();
            let mut call = json!({"path": "t0/s0", "notes": text});
            if let Some(transforms) = transforms {
                call["transforms"] = json!(transforms);
            }
            if update {
                api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "v90 C3 1|1", "length": "1bar"}));
            }
            let tool = if update { "svc-update-clip" } else { "svc-create-clip" };
            let entry = api.ok(tool, call);
            let shown = notes(&api).as_str().unwrap_or_default().replace("n/4 ", "");
            assert_eq!(shown, left.replace("n/4 ", ""), "{tool} {text} {transforms:?}");
            let told = entry["detail"].as_str().unwrap_or_default();
            assert_eq!(told.contains("left out"), detail.is_some(), "{tool} {text} {transforms:?}: {entry}");
            assert!(detail.is_none_or(|words| told.contains(words)), "{entry}");
        }
    }
}

/// A new note takes the place of the clip's own before the transforms run.
#[test]
fn a_new_note_takes_the_old_ones_place_first() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "v90 C3 1|1"}));
    let call = json!({"path": "t0/s0", "notes": "v50 C3 1|1", "transforms": "where(note.velocity < 80): timing += 1"});
    let entry = api.ok("svc-update-clip", call);
    assert_eq!((notes(&api), entry.get("detail")), (json!("v50 n/4 C3 1|2"), None), "{entry}");
}

#[test]
fn a_blank_clears_the_clip() {
    // notation, the argument, whether it clears
    for (notation, sent, clears) in [
        ("barbeat", json!(""), true),
        ("barbeat", json!(" \n\t"), true),
        ("barbeat", json!("// nothing yet"), false),
        ("stark", json!(" "), true),
        ("midi-json", json!(""), true),
        ("midi-json", json!("[ ]\n"), true),
        ("midi-json", json!([]), true),
    ] {
        let api = Api::new();
        api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1,2", "length": "1bar"}));
        let entry = in_notation(&api, notation, "svc-update-clip", &json!({"path": "t0/s0", "notes": sent}));
        assert_eq!(entry["noteCount"], if clears { 0 } else { 2 }, "{notation} {sent}: {entry}");
        let told = entry["detail"].as_str().is_some_and(|detail| detail.contains("2 notes were cleared"));
        assert_eq!(told, clears, "{notation} {sent}: {entry}");
        if clears {
            api.ok("svc-manage", json!({"action": "undo"}));
        }
        assert_eq!(notes(&api), "v100 n/4 C3 1|1,2", "{notation} {sent}");
    }
    // What a read does not show is not touched, and the clip may be empty before.
    let api = Api::new();
    let entry = api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "", "length": "1bar"}));
    assert!(entry.get("detail").is_none(), "{entry}");
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "", "name": "Empty"}));
    assert_eq!(entry["detail"], "no note was changed", "{entry}");
}

/// What transforms move to where nothing plays is told, before the clip as behind it.
#[test]
fn notes_that_transforms_move_out_of_the_clip_are_told_of() {
    for (transforms, told) in [
        ("timing += 0.01", None),
        ("timing -= 0.01", Some("1 note starts before the clip's start (1|1) and will not play")),
        ("1|1-1|2: timing -= 2", Some("2 notes start before the clip's start (1|1) and will not play")),
        ("1|4: timing += 1", Some("1 note starts at or past the clip's end (2|1) and will not play")),
    ] {
        for update in [false, true] {
            let api = Api::new();
            let notes = "n/16 C3 1|1,2,3,4";
            let mut call = json!({"path": "t0/s0", "notes": notes, "length": "1bar", "transforms": transforms});
            if update {
                api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": notes, "length": "1bar"}));
                call = json!({"path": "t0/s0", "transforms": transforms});
            }
            let entry = api.ok(if update { "svc-update-clip" } else { "svc-create-clip" }, call);
            assert_eq!(entry.get("detail").and_then(Value::as_str), told, "{transforms}: {entry}");
        }
    }
}
