//! `svc-update-live-set`: locators, by name, id and place.

use super::session_tools::detail;
use crate::support::Api;
use serde_json::{Value, json};

/// Places less than 0.001 quarter beats apart are one.
#[test]
fn a_place_named_twice_gets_one_locator() {
    let api = Api::new();
    let args = json!({"locatorOperation": "create", "locatorTime": "3|1,3|1.0005", "locatorName": "p,q"});
    let answer = api.ok("svc-update-live-set", args);
    assert!(detail(&answer["locator"][0]).contains("later"), "{answer}");
    let read = api.ok("svc-read-live-set", json!({"include": ["locators"]}));
    assert_eq!(read["locators"].as_array().map(Vec::len), Some(1), "{read}");
}

/// A name is a locator's whole name before it is an id, whatever stands in it, wherever a locator is named.
#[test]
fn locators_are_found_by_exact_names() {
    let api = Api::new();
    let names = ["57", "Chorus [B]", "A, B", " Verse ", "Out]", "In["];
    let times = ["5|1", "9|1", "13|1", "17|1", "21|1", "25|1"];
    let made = api.ok("svc-update-live-set", json!({"locatorOperation": "create", "locatorTime": times.join(",")}));
    let id = |at: usize| made["locator"][at]["id"].as_str().expect("an id").to_owned();
    for (at, name) in names.iter().enumerate() {
        let name = if at == 0 { id(1) } else { (*name).to_owned() };
        api.ok("svc-update-live-set", json!({"locatorOperation": "rename", "locatorId": id(at), "locatorName": name}));
    }
    // The first is called as the second one's id.
    let digits = id(1);
    let spellings: [(&str, &str); 9] = [
        (&digits, "5|1"),
        ("Chorus [B]", "9|1"),
        ("A\\, B", "13|1"),
        (" Verse ", "17|1"),
        ("Verse", "17|1"),
        ("Out]", "21|1"),
        ("Out\\]", "21|1"),
        ("In\\[", "25|1"),
        ("In[", "25|1"),
    ];
    for (name, at) in spellings {
        let path = format!("t0[loc:{name}]");
        let clip = api.ok("svc-create-clip", json!({"path": path, "length": "1bar"}));
        assert_eq!(clip["path"], format!("t0[{at}]"), "{path}: {clip}");
        let start = api.ok("svc-playback", json!({"action": "update-arrangement", "startTime": format!("loc:{name}")}));
        assert_eq!(start["startTime"], at, "{name}: {start}");
        let render = json!({"start": format!("loc:{name}"), "length": "n/16", "tail": 0});
        assert!(!crate::render::render(&api, render)["seconds"].is_null(), "{name}");
        if !name.ends_with('[') || name.contains('\\') {
            // Beside others in a list.
            let list = api.ok("svc-create-clip", json!({"path": format!("{path},t1[1|1]"), "length": "1bar"}));
            assert_eq!(list[0]["path"], format!("t0[{at}]"), "{path}: {list}");
            api.ok("svc-create-clip", json!({"path": "t1[1|1]", "length": "40bar"}));
            let split = json!({"path": "t1[1|1]", "arrangementSplit": format!("loc:{name},33|1")});
            let cut = api.ok("svc-update-clip", split);
            assert_eq!(cut[1]["path"], format!("t1[{at}]"), "{name}: {cut}");
        }
    }
    // An id is taken where nothing is called so.
    let clip = api.ok("svc-create-clip", json!({"path": format!("t0[loc:{}]", id(3)), "length": "1bar"}));
    assert_eq!(clip["path"], "t0[17|1]");
    let gone = json!({"locatorOperation": "delete", "locatorName": " Verse ,A\\, B"});
    let gone = api.ok("svc-update-live-set", gone)["locator"].clone();
    assert_eq!((&gone[0]["count"], &gone[1]["count"]), (&json!(1), &json!(1)), "{gone}");
}

/// A name that several locators have names none of them.
#[test]
fn namesakes_among_locators_are_told_apart_by_their_ids() {
    let api = Api::new();
    let made = api.ok(
        "svc-update-live-set",
        json!({"locatorOperation": "create", "locatorTime": "5|1,9|1,17|1", "locatorName": "Verse,Verse,Chorus"}),
    );
    let id = |at: usize| made["locator"][at]["id"].as_str().expect("an id").to_owned();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    for (tool, arguments) in [
        ("svc-create-clip", json!({"path": "t0[loc:Verse]", "notes": "C3 1|1"})),
        ("svc-playback", json!({"action": "play-arrangement", "startTime": "loc:Verse"})),
        ("svc-duplicate", json!({"type": "scene", "path": "s0", "toPath": "[loc:Verse]"})),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t0[loc:Verse]"})),
        ("svc-update-live-set", json!({"locatorOperation": "rename", "locatorTime": "loc:Verse", "locatorName": "A"})),
        ("svc-render", json!({"start": "loc:Verse", "length": "1bar"})),
        ("svc-render", json!({"start": "loc: Verse", "length": "1bar"})),
    ] {
        let said = api.refused(tool, arguments.clone());
        let both = [format!("id {} at 5|1", id(0)), format!("id {} at 9|1", id(1)), format!("loc:{}", id(0))];
        assert!(both.iter().all(|one| said.contains(one)), "{tool} {arguments}: {said}");
    }
    let list =
        api.ok("svc-create-clip", json!({"path": format!("t0[loc:{}],t0[loc:Chorus]", id(1)), "notes": "C3 1|1"}));
    assert_eq!((&list[0]["path"], &list[1]["path"]), (&json!("t0[9|1]"), &json!("t0[17|1]")), "{list}");
}

/// A blank name is a name: none.
#[test]
fn a_blank_name_is_taken_away_from_a_locator() {
    let api = Api::new();
    let create = json!({"locatorOperation": "create", "locatorTime": "5|1", "locatorName": "Verse"});
    let id = api.ok("svc-update-live-set", create)["locator"]["id"].clone();
    api.ok("svc-update-live-set", json!({"locatorOperation": "rename", "locatorId": id, "locatorName": ""}));
    let locators = api.ok("svc-read-live-set", json!({"include": ["locators"]}))["locators"].clone();
    assert!(!locators.to_string().contains("Verse") && locators[0]["id"] == id, "{locators}");
    // To delete, it names none.
    let said = api.refused("svc-update-live-set", json!({"locatorOperation": "delete", "locatorName": ""}));
    assert!(said.contains("needs locatorId"), "{said}");
}

#[test]
fn locators() {
    let api = Api::raw_enabled();
    let answer = api.ok(
        "svc-update-live-set",
        json!({"locatorOperation": "create", "locatorTime": "9|1,1|1,5|1", "locatorName": "Verse,Start,A\\, B"}),
    );
    let entries = answer["locator"].as_array().expect("three").clone();
    assert_eq!(entries.len(), 3);
    assert_eq!(
        entries[0],
        json!({"operation": "create", "id": entries[0]["id"], "name": "Verse", "time": "9|1"}),
        "{answer}"
    );
    let list = api.ok("svc-read-live-set", json!({"include": ["locators"]}))["locators"].clone();
    assert_eq!(
        list,
        json!([{"id": entries[1]["id"], "name": "Start", "time": "1|1", "position": "1|1"},
               {"id": entries[2]["id"], "name": "A, B", "time": "5|1", "position": "5|1"},
               {"id": entries[0]["id"], "name": "Verse", "time": "9|1", "position": "9|1"}])
    );
    // One is there already: without a name nothing needs doing, with one it is a mistake.
    let answer = api.ok("svc-update-live-set", json!({"locatorOperation": "create", "locatorTime": "loc:Verse"}));
    assert!(detail(&answer["locator"]).contains("already") && answer["locator"].get("ok").is_none(), "{answer}");
    let answer = api.ok(
        "svc-update-live-set",
        json!({"tempo": 99, "locatorOperation": "create", "locatorTime": "9|1", "locatorName": "X"}),
    );
    assert_eq!((&answer["locator"]["time"], &answer["locator"]["ok"]), (&json!("9|1"), &json!(false)), "{answer}");
    assert!(detail(&answer["locator"]).contains("rename"), "{answer}");
    assert_eq!(api.ok("svc-read-live-set", json!({}))["tempo"], 99, "what else was asked landed");
    let call = json!({"locatorOperation": "create", "locatorTime": "9|1", "locatorName": "X"});
    assert!(api.refused("svc-update-live-set", call).contains("already stands at 9|1"));

    // One that is new and one that is not.
    let call = json!({"locatorOperation": "create", "locatorTime": "3|1,9|1", "locatorName": "N"});
    let answer = api.ok("svc-update-live-set", call);
    assert_eq!(answer["locator"][0]["operation"], "create");
    assert_eq!((&answer["locator"][1]["time"], &answer["locator"][1]["ok"]), (&json!("9|1"), &json!(false)));

    // What was left to a later mention that landed nothing landed nothing either.
    let call = json!({"locatorOperation": "rename", "locatorTime": "9|1,88|1,88|1", "locatorName": "Verse,q,r"});
    let answer = api.ok("svc-update-live-set", call);
    assert!(detail(&answer["locator"][1]).contains("later mention") && answer["locator"][1]["ok"] == false, "{answer}");

    // The same locator by two addresses: the last mention acts.
    let verse = entries[0]["id"].as_str().expect("an id");
    let answer = api.ok(
        "svc-update-live-set",
        json!({"locatorOperation": "rename", "locatorId": verse, "locatorTime": "9|1", "locatorName": "One,Two"}),
    );
    assert!(answer["locator"][0].get("ok").is_none() && detail(&answer["locator"][0]).contains("later"), "{answer}");
    assert_eq!(answer["locator"][1], json!({"operation": "rename", "id": verse, "name": "Two", "time": "9|1"}));
    let names = |api: &Api| -> Vec<Value> {
        let set = api.ok("svc-read-live-set", json!({"include": ["locators"]}));
        set["locators"].as_array().expect("a list").iter().map(|l| l["name"].clone()).collect()
    };
    assert_eq!(names(&api), ["Start", "N", "A, B", "Two"]);
    let missing = json!({"locatorOperation": "rename", "locatorTime": "77|1", "locatorName": "Z"});
    assert!(api.refused("svc-update-live-set", missing).contains("77|1"));
    let track = api.id("live_set tracks 0");
    let wrong = json!({"locatorOperation": "delete", "locatorId": track});
    assert!(api.refused("svc-update-live-set", wrong).contains("is a track"));

    let answer = api.ok("svc-update-live-set", json!({"locatorOperation": "delete", "locatorTime": "77|1,3|1"}));
    assert!(detail(&answer["locator"][0]).contains("nothing to delete") && answer["locator"][0]["ok"] == false);
    assert_eq!(answer["locator"][1]["operation"], "delete");
    api.ok(
        "svc-update-live-set",
        json!({"locatorOperation": "create", "locatorTime": "20|1,21|1", "locatorName": "Two"}),
    );
    let answer = api.ok("svc-update-live-set", json!({"locatorOperation": "delete", "locatorName": "Two"}));
    assert_eq!(answer["locator"], json!({"operation": "delete", "count": 3, "name": "Two"}));
    assert_eq!(names(&api), ["Start", "A, B"]);
    // Times are in the meter that the call leaves behind.
    let call = json!({"timeSignature": "3/4", "locatorOperation": "create", "locatorTime": "2|1"});
    let id = api.ok("svc-update-live-set", call)["locator"]["id"].clone();
    let at = api.raw(&format!("id {}", id.as_str().expect("an id")), json!([{"type": "get", "property": "time"}]));
    assert_eq!(at[0], json!([3]));
}

/// By id, by time and by name in one call, each with its entry; a comma parts names, but not inside the whole name of a
/// locator.
#[test]
fn locators_are_deleted_by_id_time_and_name_at_once() {
    let api = Api::new();
    let created = api.ok(
        "svc-update-live-set",
        json!({"locatorOperation": "create", "locatorTime": "1|1,5|1,9|1,13|1,17|1,21|1,25|1",
               "locatorName": "Start,Verse,Chorus,Verse,Out,A\\, B,Keep"}),
    );
    let id = |at: usize| created["locator"][at]["id"].clone();
    let answer = api.ok(
        "svc-update-live-set",
        json!({"locatorOperation": "delete", "locatorId": id(3), "locatorTime": "9|1", "locatorName": "Verse,Out,None"}),
    );
    assert_eq!(
        answer["locator"],
        json!([
            {"operation": "delete", "id": id(3), "name": "Verse", "time": "13|1"},
            {"operation": "delete", "id": id(2), "name": "Chorus", "time": "9|1"},
            {"operation": "delete", "count": 1, "name": "Verse",
             "detail": "others of that name were named in this call already"},
            {"operation": "delete", "count": 1, "name": "Out"},
            {"operation": "delete", "count": 0, "name": "None", "ok": false, "detail": "no locator has that name; nothing to delete"},
        ])
    );
    let answer = api.ok("svc-update-live-set", json!({"locatorOperation": "delete", "locatorName": "A, B"}));
    assert_eq!(answer["locator"], json!({"operation": "delete", "count": 1, "name": "A, B"}));
    let left = api.ok("svc-read-live-set", json!({"include": ["locators"]}))["locators"].clone();
    let names: Vec<&Value> = left.as_array().expect("two").iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["Start", "Keep"]);
    let said = api.refused("svc-update-live-set", json!({"locatorOperation": "delete", "locatorName": "Start,,Keep"}));
    assert!(said.contains("locatorName") && said.contains("empty"), "{said}");
}
