//! Return tracks keep their letter: what they are called, and by what they are found.

use crate::support::Api;
use serde_json::{Value, json};

const TOOL: &str = "svc-update-track";

fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

fn name(api: &Api, path: &str) -> Value {
    api.ok("svc-read-track", json!({ "path": path }))["name"].clone()
}

#[test]
fn a_name_stands_behind_the_letter() {
    let api = Api::raw_enabled();
    // What is sent, what is shown then, whether that is as asked.
    for (sent, shown, as_asked) in [
        ("Room", "A-Room", false),
        ("A-Room", "A-Room", true),
        ("B-Room", "A-B-Room", false),
        ("A-", "A-", true),
        ("# Hall", "A Hall", false),
        ("Ä", "A-Ä", false),
    ] {
        let entry = api.ok(TOOL, json!({"path": "rt0", "name": sent}));
        assert_eq!(name(&api, "rt0"), shown, "{sent}");
        assert_eq!(entry["name"], shown, "{sent}: {entry}");
        assert_eq!(detail(&entry).contains("letter"), !as_asked && sent != "# Hall", "{sent}: {entry}");
    }
    // None of its own: that of its first device again.
    let entry = api.ok(TOOL, json!({"path": "rt0", "name": ""}));
    assert_eq!((name(&api, "rt0"), entry.get("detail")), (json!("A-Reverb"), None));
    // The raw tool too.
    api.set("live_set return_tracks 1", "name", json!("Echo"));
    assert_eq!(api.get("live_set return_tracks 1", "name"), json!(["B-Echo"]));
    api.set("live_set return_tracks 1", "name", json!("B-Dub"));
    assert_eq!(api.get("live_set return_tracks 1", "name"), json!(["B-Dub"]));
    let entry = api.ok("svc-create-track", json!({"path": "rt+,rt+", "name": "Foo,D-Bar"}));
    assert_eq!((&entry[0]["name"], &entry[1]["name"]), (&json!("C-Foo"), &json!("D-Bar")), "{entry}");
    assert_eq!((name(&api, "rt2"), name(&api, "rt3")), (json!("C-Foo"), json!("D-Bar")));
    // A number stands for itself in the names of other tracks.
    let entry = api.ok(TOOL, json!({"path": "t1", "name": "# Bass"}));
    assert_eq!((&entry["name"], name(&api, "t1")), (&json!("2 Bass"), json!("2 Bass")), "{entry}");
    let entry = api.ok(TOOL, json!({"path": "t0,mt", "name": "A-Foo,Out"}));
    assert_eq!((&entry[0]["name"], &entry[1]["name"]), (&json!("A-Foo"), &json!("Out")), "{entry}");
}

#[test]
fn letters_follow_the_place_and_it_is_said() {
    let api = Api::new();
    api.ok("svc-create-track", json!({"path": "rt+", "name": "Foo"}));
    api.ok(TOOL, json!({"path": "rt1", "name": "Echo"}));
    let entry = api.ok("svc-delete", json!({"type": "track", "path": "rt0"}));
    assert!(
        detail(&entry)
            .starts_with("the returns behind it have new letters: B-Echo is A-Echo, C-Foo is B-Foo; what was"),
        "{entry}"
    );
    assert_eq!((name(&api, "rt0"), name(&api, "rt1")), (json!("A-Echo"), json!("B-Foo")));
    // Of several that go, the first to be deleted says it of those that stay.
    api.ok("svc-create-track", json!({"path": "rt+,rt+", "name": "X,Y"}));
    let list = api.ok("svc-delete", json!({"type": "track", "path": "rt0,rt2"}));
    assert!(list.to_string().matches("new letters").count() == 1, "{list}");
    assert!(detail(&list[0]).contains("B-Foo is A-Foo, D-Y is B-Y"), "{list}");
    let entry = api.ok("svc-delete", json!({"type": "track", "path": "rt1"}));
    assert_eq!(entry.get("detail"), None, "none stands behind it: {entry}");
    // Back it is as before.
    api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!(name(&api, "rt1"), "B-Y");
}

#[test]
fn a_return_is_found_by_letter_full_name_or_the_name_behind_the_letter() {
    let api = Api::new();
    api.ok("svc-create-track", json!({"path": "rt+,rt+", "name": "Long Hall,a"}));
    let level = |at: usize| {
        api.ok("svc-read-track", json!({"path": "t0", "include": ["mixer"]}))["sends"][at]["gainDb"].clone()
    };
    for (gain, to, at) in [
        (-1, "c", 2),
        (-2, "C-Long Hall", 2),
        (-3, "long hall", 2),
        (-4, "Reverb", 0),
        (-5, "B", 1),
        (-6, "delay", 1),
        (-7, "rt2", 2),
        (-8, "D-a", 3),
    ] {
        let entry = api.ok(TOOL, json!({"path": "t0", "sends": [{"return": to, "gainDb": gain}]}));
        assert_eq!((entry.get("sends"), level(at)), (None, json!(gain)), "{to}: {entry}");
    }
    // The letter comes before a name behind a letter, and it is said.
    let entry = api.ok(TOOL, json!({"path": "t0", "sends": [{"return": "a", "gainDb": -9}]}));
    assert_eq!(level(0), -9);
    assert!(detail(&entry["sends"][0]).contains("its letter"), "{entry}");
    let said = api.refused(TOOL, json!({"path": "t0", "sends": [{"return": "Hall", "gainDb": -9}]}));
    assert!(said.contains("A-Reverb, B-Delay, C-Long Hall, D-a"), "{said}");
}

/// Sets of before kept the letter in the name.
#[test]
fn a_saved_name_with_its_letter_is_shown_once() {
    let api = Api::new();
    api.ok(TOOL, json!({"path": "rt0,rt1", "name": "Room,Echo"}));
    api.edit_saved(|set| {
        for (at, name) in ["A-Room", "B-Echo"].iter().enumerate() {
            *set.pointer_mut(&format!("/returns/{at}/name")).expect("a name") = json!(name);
        }
    });
    assert_eq!((name(&api, "rt0"), name(&api, "rt1")), (json!("A-Room"), json!("B-Echo")));
    api.ok("svc-delete", json!({"type": "track", "path": "rt0"}));
    assert_eq!(name(&api, "rt0"), "A-Echo");
}
