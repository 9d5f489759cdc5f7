//! The history: `svc-read-history`, and `undo` and `redo` of `svc-manage` to a step.

use crate::mcp;
use crate::support::Api;
use serde_json::{Value, json};

fn steps(api: &Api) -> Vec<Value> {
    api.ok("svc-read-history", json!({"limit": 200}))["steps"].as_array().expect("steps").clone()
}

fn words(step: &Value) -> Vec<&str> {
    step["changes"].as_array().expect("changes").iter().map(|text| text.as_str().expect("a sentence")).collect()
}

fn difference(api: &Api, arguments: Value) -> Vec<Value> {
    let mut arguments = arguments;
    arguments["diff"] = json!(true);
    api.ok("svc-read-history", arguments)["changes"].as_array().expect("changes").clone()
}

#[test]
fn steps_say_who_did_what_and_when() {
    let api = Api::new();
    let empty = api.ok("svc-read-history", json!({}));
    assert_eq!(empty, json!({"now": 0, "oldest": 0, "steps": []}));
    api.ok("svc-update-live-set", json!({"tempo": 99}));
    mcp::ask(
        &api,
        mcp::MODERN,
        "",
        "tools/call",
        json!({"name": "svc-update-track", "arguments": {"path": "t0", "name": "Lead"}}),
    );
    mcp::ask(
        &api,
        "2025-11-25",
        "User-Agent: sequencer/2.1 (x11)\r\n",
        "tools/call",
        json!({"name": "svc-update-track", "arguments": {"path": "t1", "name": "Bass"}}),
    );
    let list = steps(&api);
    let seen: Vec<_> = list.iter().map(|step| (&step["step"], &step["tool"], &step["who"])).collect();
    let (three, two, one) = (json!(3), json!(2), json!(1));
    let (track, set) = (json!("svc-update-track"), json!("svc-update-live-set"));
    let (agent, client, rest) = (json!("sequencer/2.1"), json!("test"), json!("rest"));
    assert_eq!(seen, [(&three, &track, &agent), (&two, &track, &client), (&one, &set, &rest)]);
    for step in &list {
        let at = step["at"].as_str().expect("a time");
        assert!(at.len() == 20 && at.ends_with('Z') && at.as_bytes()[10] == b'T', "{step}");
        assert!(step["age"].as_str().is_some_and(|age| age.ends_with(" s") || age.ends_with(" min")), "{step}");
    }
    assert_eq!(words(&list[2]), ["the Set: tempo 120 -> 99"]);
    assert!(words(&list[1])[0].starts_with("t0 \"Lead\": name ") && words(&list[1])[0].ends_with("-> \"Lead\""));
}

#[test]
fn what_each_step_changed_in_words() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "name": "Lead", "notes": "C3 1|1,2,3,4"}));
    // The call, and its step in words; the last one first.
    let table: [(&str, Value, &[&str]); 18] = [
        ("svc-create-clip", json!({"path": "t1/s0", "notes": "C3 1|1"}), &["made clip t1/s0 (1 note)"]),
        (
            "svc-update-clip",
            json!({"path": "t0/s0", "notes": "C3 1|1,2", "noteUpdateMode": "replace"}),
            &["t0/s0 \"Lead\": 4 notes -> 2"],
        ),
        ("svc-update-clip", json!({"path": "t0/s0", "transforms": "v-10"}), &[]),
        ("svc-update-clip", json!({"path": "t0/s0", "looping": false}), &["t0/s0 \"Lead\": looping true -> false"]),
        ("svc-update-clip", json!({"path": "t0/s0", "toPath": "t0/s3"}), &[]),
        ("svc-update-clip", json!({"path": "t0/s3", "toPath": "t0/s0"}), &[]),
        ("svc-update-track", json!({"path": "t0", "gainDb": -6}), &["t0 \"1-MIDI\": gainDb 0 -> -6"]),
        ("svc-update-track", json!({"path": "t0", "mute": true}), &["t0 \"1-MIDI\": state active -> muted"]),
        ("svc-create-track", json!({"path": "t+", "name": "Pad"}), &["made midi track t4 \"Pad\""]),
        ("svc-create-device", json!({"path": "t0", "device": "Operator"}), &["made device t0/d0 \"Operator\""]),
        ("svc-update-device", json!({"path": "t0/d0", "params": [{"name": "Volume", "value": "-6 dB"}]}), &[]),
        ("svc-create-device", json!({"path": "t2", "device": "Utility"}), &["made device t2/d0 \"Utility\""]),
        (
            "svc-update-device",
            json!({"path": "t2/d0", "toPath": "t3/d0"}),
            &["moved device t2/d0 -> t3/d0 \"Utility\""],
        ),
        ("svc-create-scene", json!({"path": "s0", "name": "Intro"}), &["made scene s0 \"Intro\""]),
        ("svc-update-scene", json!({"path": "s0", "tempo": 90}), &["s0 \"Intro\": tempo none -> 90"]),
        (
            "svc-update-live-set",
            json!({"locatorOperation": "create", "locatorTime": "5|1", "locatorName": "Drop"}),
            &["made locator \"Drop\""],
        ),
        ("svc-delete", json!({"type": "scene", "path": "s1"}), &["deleted scene s1 (2 clips)"]),
        ("svc-delete", json!({"type": "track", "path": "t0"}), &["deleted midi track t0 \"1-MIDI\" (1 device)"]),
    ];
    for (tool, arguments, want) in table {
        let before = api.kept();
        let envelope = api.envelope(tool, "", &arguments);
        assert_eq!(envelope["isError"], false, "{tool} {arguments}: {envelope}");
        if api.kept().same_as(&before) {
            continue;
        }
        let newest = steps(&api).remove(0);
        assert_eq!(newest["tool"], tool);
        if want.is_empty() {
            assert!(!words(&newest).is_empty(), "{tool} {arguments}: {newest}");
        } else {
            assert_eq!(words(&newest), want, "{tool} {arguments}");
        }
    }
}

#[test]
fn a_difference_is_told_by_object() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "name": "Lead", "notes": "C3 1|1,2,3,4"}));
    let id = api.ok("svc-read-clip", json!({"path": "t0/s0"}))["id"].clone();
    api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "D3 1|2", "name": "Melody"}));
    api.ok("svc-update-live-set", json!({"tempo": 90}));
    api.ok("svc-create-clip", json!({"path": "t1/s1", "notes": "C3 1|1"}));
    let bass = api.ok("svc-read-clip", json!({"path": "t1/s1"}))["id"].clone();

    let since_first = difference(&api, json!({"from": 1}));
    let of = |id: &Value| since_first.iter().find(|change| change["id"] == *id).expect("told").clone();
    let (lead, new) = (of(&id), of(&bass));
    assert_eq!((&lead["kind"], &lead["path"], &lead["type"]), (&json!("changed"), &json!("t0/s0"), &json!("clip")));
    assert_eq!(lead["properties"], json!({"name": {"old": "Lead", "new": "Melody"}}));
    assert_eq!(lead["notes"], json!({"before": 4, "after": 5, "added": 1, "removed": 0, "changed": 0}));
    assert_eq!((&new["kind"], &new["notes"]), (&json!("made"), &json!({"after": 1})));
    let set = since_first.iter().find(|change| change["type"] == "set").expect("the Set");
    assert_eq!(set["properties"], json!({"tempo": {"old": 120, "new": 90}}));
    assert_eq!(since_first.len(), 3, "{since_first:?}");

    // The other way round, of one step, of the newest, and of nothing.
    let back = difference(&api, json!({"from": 4, "to": 1}));
    let gone = back.iter().find(|change| change["id"] == bass).expect("told");
    assert_eq!(
        (&gone["kind"], &gone["path"], &gone["notes"]),
        (&json!("deleted"), &json!("t1/s1"), &json!({"before": 1}))
    );
    assert_eq!(difference(&api, json!({"to": 3})).len(), 1);
    assert_eq!(difference(&api, json!({})), [new]);
    assert_eq!(difference(&api, json!({"from": 2, "to": 2})), [] as [Value; 0]);

    // Of many objects the first, and how many more.
    let all = api.ok("svc-read-history", json!({"diff": true, "from": 0, "limit": 1}));
    assert_eq!((all["changes"].as_array().map(Vec::len), &all["more"]), (Some(1), &json!(2)), "{all}");
}

#[test]
fn what_is_not_told_is_counted_with_how_to_see_it() {
    let api = Api::new();
    let path: Vec<String> = (0..8).map(|scene| format!("t0/s{scene}")).collect();
    api.ok("svc-create-clip", json!({"path": path.join(","), "notes": "C3 1|1"}));
    let says = |answer: &Value, words: &str| {
        assert!(answer["detail"].as_str().is_some_and(|detail| detail.contains(words)), "{words}: {answer}");
    };
    let list = api.ok("svc-read-history", json!({}));
    let step = &list["steps"][0];
    let (told, more) = (words(step).len(), step["moreChanges"].as_u64().expect("more"));
    assert_eq!(told, 6, "{step}");
    says(&list, r#"svc-read-history {"diff": true, "to": N} tells all"#);
    // As it says.
    let all = api.ok("svc-read-history", json!({"diff": true, "to": 1}));
    assert_eq!(all["changes"].as_array().map(Vec::len), Some(told + more as usize), "{all}");
    assert_eq!((&all["more"], &all["detail"]), (&Value::Null, &Value::Null));
    let undone = api.ok("svc-manage", json!({"action": "undo"}));
    says(&undone, r#"{"diff": true, "to": N}"#);
    api.ok("svc-manage", json!({"action": "redo"}));
    let few = api.ok("svc-read-history", json!({"diff": true, "to": 1, "limit": 1}));
    assert_eq!(few["more"], told + more as usize - 1, "{few}");
    says(&few, "send limit, up to 200");
    // Nothing more, nothing said.
    api.ok("svc-update-live-set", json!({"tempo": 99}));
    let newest = api.ok("svc-read-history", json!({"limit": 1}));
    assert_eq!((&newest["steps"][0]["moreChanges"], &newest["detail"]), (&Value::Null, &Value::Null), "{newest}");
}

#[test]
fn a_difference_of_a_parameter_is_told_as_it_is_shown() {
    let api = Api::new();
    api.ok("svc-update-device", json!({"path": "rt0/d0", "params": [{"name": "Dry/Wet", "value": "20 %"}]}));
    let told = difference(&api, json!({}));
    let (path, properties) = (&told[0]["path"], &told[0]["properties"]["Dry/Wet"]);
    assert_eq!((told.len(), path), (1, &json!("rt0/d0")), "{told:?}");
    assert!(properties["new"].as_str().is_some_and(|text| text.starts_with("20")), "{told:?}");
    api.ok("svc-update-track", json!({"path": "t0", "sendGainDb": -12, "sendReturn": "A"}));
    let told = difference(&api, json!({}));
    let sends = told[0]["properties"].as_object().expect("properties");
    assert!(sends.len() == 1 && sends.keys().all(|name| name.starts_with("send ")), "{told:?}");
    assert!(sends.values().all(|send| send["new"] == -12), "{told:?}");
}

#[test]
fn the_list_is_read_in_pages() {
    let api = Api::new();
    for tempo in 100..130 {
        api.ok("svc-update-live-set", json!({ "tempo": tempo }));
    }
    let (mut seen, mut before) = (Vec::new(), Value::Null);
    loop {
        let page = api.ok("svc-read-history", json!({"limit": 8, "before": before}));
        seen.extend(
            page["steps"].as_array().expect("steps").iter().map(|step| step["step"].as_u64().expect("a number")),
        );
        before = page["older"]["before"].clone();
        if before.is_null() {
            break;
        }
        assert_eq!(page["older"]["steps"], 30 - seen.len());
    }
    assert_eq!(seen, (1..=30).rev().collect::<Vec<u64>>());
    assert_eq!(api.ok("svc-read-history", json!({}))["steps"].as_array().map(Vec::len), Some(20));
}

#[test]
fn undo_and_redo_go_to_a_step_and_say_what_they_did() {
    let api = Api::new();
    let mut states = vec![api.kept()];
    for tempo in 100..105 {
        api.ok("svc-update-live-set", json!({ "tempo": tempo }));
        states.push(api.kept());
    }
    let manage = |arguments: Value| api.ok("svc-manage", arguments);
    let undone = manage(json!({"action": "undo", "step": 2}));
    assert_eq!((&undone["undone"], &undone["now"]), (&json!(3), &json!(2)), "{undone}");
    let told: Vec<&Value> = undone["steps"].as_array().expect("steps").iter().map(|step| &step["step"]).collect();
    assert_eq!(told, [&json!(5), &json!(4), &json!(3)]);
    assert_eq!(undone["steps"][0]["changes"], json!(["the Set: tempo 103 -> 104"]));
    assert_eq!(
        (&undone["steps"][0]["tool"], &undone["steps"][0]["who"]),
        (&json!("svc-update-live-set"), &json!("rest"))
    );
    assert!(api.kept().same_as(&states[2]));

    // They are still there, and said to be undone.
    let list = api.ok("svc-read-history", json!({}));
    let marks: Vec<bool> = list["steps"].as_array().expect("steps").iter().map(|s| s["undone"] == true).collect();
    assert_eq!(marks, [true, true, true, false, false]);
    assert!(list["detail"].as_str().is_some_and(|text| text.contains("redone until")), "{list}");
    assert_eq!(difference(&api, json!({"from": 2, "to": 5})).len(), 1, "they can be compared with");

    let redone = manage(json!({"action": "redo", "step": 4}));
    assert_eq!((&redone["redone"], &redone["now"], &redone["steps"][0]["step"]), (&json!(2), &json!(4), &json!(3)));
    assert!(api.kept().same_as(&states[4]));
    manage(json!({"action": "undo", "step": 0}));
    assert!(api.kept().same_as(&states[0]));
    manage(json!({"action": "redo", "step": 5}));
    assert!(api.kept().same_as(&states[5]));

    // A new change drops what was undone, and numbers are never given again.
    manage(json!({"action": "undo", "step": 3}));
    api.ok("svc-update-live-set", json!({"tempo": 60}));
    let numbers: Vec<Value> = steps(&api).iter().map(|step| step["step"].clone()).collect();
    assert_eq!(numbers, [6, 3, 2, 1]);
    assert!(api.refused("svc-manage", json!({"action": "redo", "step": 4})).contains("there is no step 4"));
}

#[test]
fn a_step_that_is_not_there_is_refused_with_those_that_are() {
    let api = Api::new();
    let only = api.refused("svc-manage", json!({"action": "undo", "step": 7}));
    assert!(only.contains("step: there is no step 7: only step 0 is kept"), "{only}");
    for tempo in [100, 101, 102] {
        api.ok("svc-update-live-set", json!({ "tempo": tempo }));
    }
    api.ok("svc-manage", json!({"action": "undo"}));
    let range = "kept are the steps from 0 to 3";
    for (tool, arguments, says) in [
        ("svc-manage", json!({"action": "undo", "step": 9}), range),
        ("svc-manage", json!({"action": "redo", "step": 9}), range),
        ("svc-manage", json!({"action": "undo", "step": 2}), "the Set is as after step 2 already"),
        ("svc-manage", json!({"action": "redo", "step": 2}), "the Set is as after step 2 already"),
        ("svc-manage", json!({"action": "undo", "step": 3}), "step 3 is undone; redo goes there"),
        ("svc-manage", json!({"action": "redo", "step": 1}), "step 1 is done; undo goes there"),
        ("svc-manage", json!({"action": "undo", "step": 1, "steps": 1}), "not both"),
        ("svc-manage", json!({"action": "cancel", "step": 1}), "step belongs to action undo, redo and restore"),
        ("svc-manage", json!({"action": "undo", "path": "t0"}), "path belongs to action restore"),
        ("svc-read-history", json!({"diff": true, "from": 9}), range),
        ("svc-read-history", json!({"diff": true, "to": 9}), "to: there is no step 9"),
        ("svc-read-history", json!({"from": 1}), "from goes with diff: true"),
        ("svc-read-history", json!({"diff": true, "before": 2}), "before pages the list"),
    ] {
        let text = api.refused(tool, arguments.clone());
        assert!(text.contains(says), "{tool} {arguments}: {text}");
    }
    for arguments in [json!({"limit": 0}), json!({"limit": 201}), json!({"before": -1}), json!({"diff": "yes"})] {
        api.bad("svc-read-history", arguments);
    }
}

#[test]
fn a_loaded_set_begins_anew_with_numbers_of_its_own() {
    let api = Api::new();
    api.ok("svc-update-live-set", json!({"tempo": 99}));
    api.device.load_state(&api.saved());
    let list = api.ok("svc-read-history", json!({}));
    assert_eq!((&list["now"], &list["oldest"], &list["steps"]), (&json!(2), &json!(2), &json!([])), "{list}");
    assert!(api.refused("svc-manage", json!({"action": "undo", "step": 1})).contains("there is no step 1"));
}

#[test]
fn the_list_says_how_far_back_it_reaches() {
    let api = Api::new();
    for at in 0..=500 {
        api.ok("svc-update-live-set", json!({ "tempo": 60 + at % 100 }));
    }
    let list = api.ok("svc-read-history", json!({"limit": 1}));
    assert_eq!((&list["now"], &list["oldest"]), (&json!(501), &json!(1)), "{list}");
    assert!(list["detail"].as_str().is_some_and(|text| text.contains("500 steps or 256 MB")), "{list}");
    assert!(api.refused("svc-manage", json!({"action": "undo", "step": 0})).contains("from 1 to 501"));
    assert_eq!(api.ok("svc-manage", json!({"action": "undo", "step": 1}))["undone"], 500);
}

#[test]
fn small_models_see_the_list_and_reading_changes_nothing() {
    let api = Api::new();
    api.ok("svc-update-live-set", json!({"tempo": 99}));
    api.ok("svc-manage", json!({"action": "undo"}));
    let (saved, small) = (api.saved(), "x-svc-small-model-mode: true\r\n");
    let list = api.envelope("svc-read-history", small, &json!({}));
    assert_eq!(list["result"]["steps"][0]["undone"], true, "{list}");
    difference(&api, json!({}));
    assert_eq!(api.saved(), saved);
    api.ok("svc-manage", json!({"action": "redo"}));
}
