//! What refuses a whole call: nothing to do, a parameter of another action, a blank where a number belongs. And what
//! does not suit one target: a `detail` on its entry, or the whole call's refusal when it was all that was asked.

use super::{SUBJECTS, stage};
use serde_json::{Value, json};

#[test]
fn nothing_to_do_is_refused() {
    let clip = "t0/s0";
    let table = [
        ("svc-update-track", json!({"path": "t0"}), true),
        ("svc-update-track", json!({"path": "t0", "name": null, "pan": null}), true),
        ("svc-update-track", json!({"path": "t0/l+"}), false),
        ("svc-update-track", json!({"path": "t0", "name": ""}), false),
        ("svc-update-scene", json!({"path": "s0"}), true),
        ("svc-update-scene", json!({"path": "s0", "timeSignature": null}), true),
        ("svc-update-clip", json!({"path": clip}), true),
        ("svc-update-clip", json!({"path": clip, "duplicateLoop": false}), true),
        ("svc-update-clip", json!({"path": clip, "toPath": ""}), true),
        ("svc-update-clip", json!({"path": clip, "toSlot": " ", "arrangementStart": ""}), true),
        ("svc-update-clip", json!({"path": clip, "arrangementLength": "", "arrangementSplit": " ", "split": ""}), true),
        ("svc-update-clip", json!({"path": clip, "name": ""}), false),
        ("svc-update-clip", json!({"path": clip, "notes": ""}), false),
        ("svc-update-live-set", json!({}), true),
        ("svc-update-live-set", json!({"tempo": null}), true),
        ("svc-update-live-set", json!({"scale": ""}), false),
    ];
    for (tool, arguments, refused) in table {
        let api = stage();
        if refused {
            let text = api.refused(tool, arguments.clone());
            assert!(text.contains("nothing to") || text.contains("send"), "{tool} {arguments}: {text}");
        } else {
            api.ok(tool, arguments);
        }
    }
}

/// Each parameter with each action that does not read it.
#[test]
fn a_parameter_of_another_action_is_refused() {
    const PLAYBACK: [&str; 9] = [
        "play-arrangement",
        "update-arrangement",
        "play-scene",
        "play-session-clips",
        "stop-session-clips",
        "stop-all-session-clips",
        "stop",
        "start-transport",
        "stop-transport",
    ];
    const KINDS: [&str; 6] = ["track", "scene", "clip", "device", "drum-pad", "chain"];
    let api = stage();
    let check = |tool: &str, selector: &str, all: &[&str], parameter: &str, value: Value, readers: &[&str]| {
        for action in all.iter().filter(|action| !readers.contains(action)) {
            let mut arguments = json!({ selector: action, parameter: value });
            if tool == "svc-duplicate" {
                arguments["path"] = json!("t0");
            }
            let text = api.refused(tool, arguments.clone());
            let told = text.contains(parameter) && text.contains(action) && readers.iter().all(|r| text.contains(r));
            assert!(told, "{tool} {arguments}: {text}");
            // Filled in by a client that knows no better, it was not sent.
            for nothing in [json!(null), json!(""), json!("null")] {
                if nothing.is_string() && !value.is_string() {
                    continue;
                }
                let mut arguments = json!({ selector: action, parameter: nothing });
                if tool == "svc-duplicate" {
                    arguments["path"] = json!("t0");
                }
                let envelope = api.envelope(tool, "", &arguments);
                let text = envelope["result"].as_str().unwrap_or_default();
                assert!(!text.contains("belongs to"), "{tool} {arguments}: {text}");
            }
        }
    };
    let arrangement = ["play-arrangement", "update-arrangement", "stop"];
    let targets = ["play-scene", "play-session-clips", "stop-session-clips"];
    for parameter in ["startTime", "loopStart", "loopEnd"] {
        check("svc-playback", "action", &PLAYBACK, parameter, json!("1|1"), &arrangement);
    }
    for parameter in ["startLocator", "loopStartLocator", "loopEndLocator"] {
        check("svc-playback", "action", &PLAYBACK, parameter, json!("A"), &arrangement);
    }
    check("svc-playback", "action", &PLAYBACK, "loop", json!(true), &arrangement);
    check("svc-playback", "action", &PLAYBACK, "path", json!("t0/s0"), &targets);
    check("svc-playback", "action", &PLAYBACK, "id", json!("5"), &targets);
    check("svc-playback", "action", &PLAYBACK, "slots", json!("0/0"), &targets);
    check("svc-playback", "action", &PLAYBACK, "sceneIndex", json!(0), &["play-scene"]);
    for (parameter, value, readers) in [
        ("count", json!(2), &["track", "scene"][..]),
        ("withoutClips", json!(true), &["track", "scene"]),
        ("withoutDevices", json!(true), &["track"]),
        ("routeToSource", json!(true), &["track"]),
        ("transforms", json!("velocity += 1"), &["clip", "scene", "track"]),
        ("toSlot", json!("0/1"), &["clip"]),
        ("takeLane", json!("1"), &["clip"]),
        ("takeLaneName", json!("x"), &["clip", "track"]),
        ("arrangementStart", json!("5|1"), &["track", "scene", "clip"]),
        ("locator", json!("A"), &["track", "scene", "clip"]),
        ("arrangementLength", json!("1bar"), &["clip", "scene"]),
    ] {
        check("svc-duplicate", "type", &KINDS, parameter, value, readers);
    }
    // Locators: each parameter needs the operation, the id those that work on one that is there.
    for arguments in [
        json!({"locatorTime": "1|1"}),
        json!({"locatorId": "7"}),
        json!({"locatorName": "x"}),
        json!({"locatorOperation": "create", "locatorId": "7"}),
    ] {
        let text = api.refused("svc-update-live-set", arguments.clone());
        assert!(text.contains("locator"), "{arguments}: {text}");
    }
}

/// A blank is a text, and no number, flag, word or list: 400, with the parameter's name.
#[test]
fn a_blank_is_only_a_text() {
    let api = stage();
    for (tool, parameter) in [
        ("svc-update-live-set", "tempo"),
        ("svc-update-live-set", "locatorOperation"),
        ("svc-create-track", "type"),
        ("svc-create-track", "mute"),
        ("svc-update-track", "arm"),
        ("svc-update-track", "sends"),
        ("svc-create-scene", "capture"),
        ("svc-create-scene", "tempo"),
        ("svc-update-scene", "tempo"),
        ("svc-create-clip", "looping"),
        ("svc-create-clip", "seed"),
        ("svc-create-clip", "auto"),
        ("svc-update-clip", "quantize"),
        ("svc-update-clip", "warpMode"),
        ("svc-update-clip", "duplicateLoop"),
        ("svc-delete", "type"),
        ("svc-duplicate", "count"),
        ("svc-duplicate", "withoutClips"),
        ("svc-playback", "action"),
        ("svc-playback", "loop"),
        ("svc-manage", "steps"),
    ] {
        let body = api.bad(tool, json!({ parameter: " " }));
        let faults = body["details"].as_array().expect("faults");
        assert!(faults.iter().any(|fault| fault["path"] == format!("/{parameter}")), "{tool} {parameter}: {body}");
        // The word is no flag either.
        if ["mute", "arm", "capture", "looping", "duplicateLoop", "withoutClips", "loop"].contains(&parameter) {
            api.bad(tool, json!({ parameter: "false" }));
        }
    }
}

/// What does not suit one target is told on its entry; alone it refuses the call.
#[test]
fn what_does_not_suit_a_target() {
    let table = [
        ("svc-update-clip", "t0/s0", json!({"gainDb": -3}), "gainDb"),
        ("svc-update-clip", "t0/s0", json!({"warping": false}), "warping"),
        ("svc-update-clip", "t0/s0", json!({"arrangementLength": "2bar"}), "arrangementLength"),
        ("svc-update-clip", "t0/s0", json!({"arrangementSplit": "1|3"}), "arrangementSplit"),
        ("svc-update-track", "mt", json!({"arm": true}), "arm"),
        ("svc-update-track", "mt", json!({"solo": true}), "solo"),
        ("svc-update-track", "rt0", json!({"monitoringState": "in"}), "monitoringState"),
        ("svc-update-track", "mt", json!({"sendGainDb": -6, "sendReturn": "A"}), "send"),
    ];
    for (tool, path, asked, word) in table {
        let api = stage();
        let mut arguments = asked.clone();
        arguments["path"] = json!(path);
        let alone = api.refused(tool, arguments.clone());
        assert!(alone.contains(word), "{tool} {arguments}: {alone}");
        arguments["color"] = json!("#FF0000");
        let entry = api.envelope(tool, "", &arguments)["result"].take();
        // A send is an entry of its own inside the track's.
        let said = [&entry["detail"], &entry["sends"][0]["detail"]].map(|text| text.as_str().unwrap_or_default());
        assert!(entry.get("ok").is_none() && said.join(" ").contains(word), "{tool} {arguments}: {entry}");
    }
}

/// A later fault of one target keeps what landed before, and says it; the call goes on.
#[test]
fn a_failure_after_a_change_says_what_landed() {
    let api = stage();
    // The second destination is an audio track: a copy of a MIDI clip cannot go there, its name could.
    let list = api.ok("svc-update-clip", json!({"path": "t0/s0,t1/s1", "name": "A,B", "toPath": "t2/s3,t1/s3"}));
    assert_eq!(list[0]["ok"], false, "what can be known before is checked before: {list}");
    assert_eq!(list[1]["path"], "t1/s3", "{list}");
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s0"})).get("name"), None, "nothing of it was done");
}

/// Every tool of the table changes the Set in one step that undo takes back.
#[test]
fn one_call_is_one_step_back() {
    for subject in SUBJECTS.iter().filter(|subject| subject.tool != "svc-playback") {
        let api = stage();
        let before = api.kept();
        api.ok(subject.tool, subject.call(&subject.good.join(","), "a,b"));
        assert!(!api.kept().same_as(&before), "{}", subject.tool);
        api.ok("svc-manage", json!({"action": "undo"}));
        assert!(api.kept().same_as(&before), "{}", subject.tool);
    }
}
