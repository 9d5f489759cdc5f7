//! `svc-read-history` with a file: what is different between a Set that was saved and the Set as it is.

use crate::set_files::{in_folder, live_set};
use crate::support::Api;
use serde_json::{Value, json};
use std::path::Path;

const TOOL: &str = "svc-read-history";

fn compared(api: &Api, file: &Path) -> Vec<Value> {
    let read = api.ok(TOOL, json!({"diff": true, "file": file, "limit": 200}));
    assert_eq!((&read["from"], &read["to"]), (&json!(file), &json!("now")), "{read}");
    read["changes"].as_array().expect("a list").clone()
}

#[test]
fn a_saved_set_is_compared_with_now() {
    let folder = tempfile::tempdir().unwrap();
    let (api, file) = (in_folder(folder.path()), folder.path().join("song.svcset"));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "name": "Riff", "notes": "C3 1|1,2,3", "length": "1bar"}));
    api.ok("svc-update-track", json!({"path": "t0", "name": "Lead"}));
    api.ok("svc-manage", json!({"action": "save", "file": file}));
    assert_eq!(compared(&api, &file), [json!(null); 0]);
    api.ok("svc-update-track", json!({"path": "t0", "name": "Melody"}));
    api.ok("svc-update-live-set", json!({"tempo": 130}));
    api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "C3 1|4"}));
    let found = compared(&api, &file);
    let of = |kind: &str| found.iter().find(|change| change["type"] == kind).unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!(of("track")["properties"]["name"], json!({"old": "Lead", "new": "Melody"}), "{found:?}");
    assert_eq!((&of("track")["kind"], &of("track")["path"]), (&json!("changed"), &json!("t0")));
    assert_eq!(of("set")["properties"]["tempo"], json!({"old": 120, "new": 130}), "{found:?}");
    assert_eq!(of("clip")["path"], "t0/s0", "{found:?}");
    assert_eq!(found.len(), 3, "{found:?}");
    // As after an earlier step.
    let earlier = api.ok(TOOL, json!({"diff": true, "file": file, "to": 2}));
    assert_eq!((&earlier["changes"], &earlier["to"]), (&json!([]), &json!(2)), "{earlier}");
}

#[test]
fn an_opened_live_set_is_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let (api, file) = (in_folder(folder.path()), live_set(folder.path()));
    api.ok("svc-manage", json!({"action": "open", "file": file}));
    assert_eq!(compared(&api, &file), [json!(null); 0]);
    api.ok("svc-delete", json!({"type": "track", "path": "t0"}));
    let found = compared(&api, &file);
    let kinds: Vec<&Value> = found.iter().filter(|one| one["type"] == "track").map(|one| &one["kind"]).collect();
    // The group, with the track in it.
    assert_eq!(kinds, ["deleted", "deleted"], "{found:?}");
}

#[test]
fn files_to_compare_have_to_be_allowed() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (api, file) = (in_folder(folder.path()), live_set(other.path()));
    for (arguments, part) in [
        (json!({"diff": true, "file": file}), "allowedFolders"),
        (json!({"diff": true, "file": "song.als"}), "absolute path"),
        (json!({"diff": true, "file": folder.path().join("none.als")}), "no such file"),
        (json!({"file": file}), "file goes with diff: true"),
        (json!({"diff": true, "from": 0, "file": file}), "not both"),
    ] {
        let why = api.refused(TOOL, arguments.clone());
        assert!(why.contains(part), "{arguments}: {why}");
    }
}
