//! What is written of a change to the log beside a state: it makes the version before the version after, and costs what
//! the change cost.

use crate::support::Api;
use serde_json::json;
use svc_device::set::Document;
use svc_device::set::edit::saved_changes::SavedChanges;
use svc_device::set::edit::saved_set;

/// As it comes back from a file.
fn reopened(document: &Document) -> Document {
    saved_set::load(&saved_set::save(document)).expect("it was saved").document
}

/// Whether what is written of the difference leads from one document to the other.
pub fn lead_from_to(before: &Document, after: &Document) -> Result<(), String> {
    let mut changed = reopened(before);
    if let Some(changes) = SavedChanges::between(before, after) {
        let text = serde_json::to_string(&changes).map_err(|e| e.to_string())?;
        let read: SavedChanges = serde_json::from_str(&text).map_err(|e| format!("{e} in {text}"))?;
        read.apply(&mut changed).map_err(|e| format!("{e} in {text}"))?;
    }
    changed.rebuild_index();
    if changed == reopened(after) { Ok(()) } else { Err("what is written of the change makes another Set".to_owned()) }
}

#[test]
fn they_cost_what_the_change_cost() {
    let api = Api::new();
    api.ok("svc-create-scene", json!({"path": vec!["s+"; 90].join(",")}));
    let paths: Vec<String> = (0..90).flat_map(|scene| [format!("t0/s{scene}"), format!("t1/s{scene}")]).collect();
    api.ok("svc-create-clip", json!({"path": paths.join(","), "notes": "n/8 C3 1|1.1x8@n/8"}));
    let whole = saved_set::save(&api.document()).len();
    for (tool, arguments, most) in [
        ("svc-update-clip", json!({"path": "t1/s40", "name": "one"}), 3_000),
        ("svc-update-track", json!({"path": "t0", "name": "a track"}), 1_000),
        ("svc-update-scene", json!({"path": "s7", "name": "a scene"}), 500),
        ("svc-update-live-set", json!({"tempo": 99}), 1_000),
        ("svc-delete", json!({"path": "t1/s40", "type": "clip"}), 1_000),
        ("svc-create-scene", json!({"path": "s3"}), 2_000),
        ("svc-create-track", json!({"path": "t1"}), 2_000),
    ] {
        let before = api.document();
        api.ok(tool, arguments.clone());
        let after = api.document();
        lead_from_to(&before, &after).unwrap_or_else(|why| panic!("{tool} {arguments}: {why}"));
        let changes = SavedChanges::between(&before, &after).expect("something changed");
        let bytes = serde_json::to_string(&changes).expect("JSON").len();
        assert!(bytes <= most, "{tool} {arguments}: {bytes} bytes of {whole}");
    }
    assert!(SavedChanges::between(&api.document(), &api.document()).is_none());
}
