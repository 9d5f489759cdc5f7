//! `svc-batch`: calls made in order as one.

use crate::http::Client;
use crate::session_walk;
use crate::support::Api;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::atomic::AtomicUsize;
use svc_device::object_model::ObjectModel;
use svc_device::set::SetState;
use svc_device::tools::batch::references::{self, Entry, Filling, Made, entries_of};
use svc_device::tools::budget::Budget;
use svc_device::tools::{batch as batch_tool, registry};

fn batch(calls: &[(&str, Value)]) -> Value {
    let calls = calls.iter().map(|(tool, arguments)| json!({"tool": tool, "arguments": arguments}));
    json!({ "calls": calls.collect::<Vec<_>>() })
}

/// The results of a batch that goes well.
fn results(api: &Api, calls: &[(&str, Value)]) -> Vec<Value> {
    api.ok("svc-batch", batch(calls))["results"].as_array().expect("results").clone()
}

/// All that would be saved, but how often something was.
fn saved(api: &Api) -> Value {
    let mut state: Value = serde_json::from_str(&api.saved()).expect("a state is JSON");
    state["revision"].take();
    state
}

/// Each of them one call, in order, referring to what those before it made.
fn a_song() -> Vec<(&'static str, Value)> {
    vec![
        ("svc-create-track", json!({"path": "t+,t+", "name": "Bass,Keys"})),
        ("svc-create-clip", json!({"path": "$1.path/s0", "notes": "C3 1|1,2", "name": "A,B"})),
        ("svc-update-clip", json!({"id": "$2.2.id", "notes": "E3 1|3"})),
        ("svc-create-device", json!({"path": "$1.1.path", "device": "Operator"})),
        (
            "svc-update-device",
            json!({"id": "$4.id", "params": [{"name": "Volume", "value": "-6 dB"}], "name": "costs $$1.id"}),
        ),
        ("svc-duplicate", json!({"type": "clip", "id": "$2.1.id", "toPath": "$1.2.path/s1"})),
        ("svc-read-clip", json!({"id": "$2.id,$6.id", "include": ["notes"]})),
    ]
}

/// The sign of a reference may be escaped in it.
#[test]
fn a_reference_is_found_in_arguments_sent_as_a_text() {
    let api = Api::new();
    let text = r#"{"path": "\u00241.path", "name": "By reference"}"#;
    let done = results(&api, &[("svc-create-track", json!({"path": "t+"})), ("svc-update-track", json!(text))]);
    assert_eq!(done[1]["result"]["path"], done[0]["result"]["path"], "{done:?}");
    assert_eq!(done[1]["result"]["name"], "By reference");
}

#[test]
fn later_calls_see_and_name_what_earlier_ones_made() {
    let api = Api::raw_enabled();
    let before = api.kept();
    let done = results(&api, &a_song());
    let tools: Vec<&str> = done.iter().map(|one| one["tool"].as_str().expect("a tool")).collect();
    assert_eq!(tools, a_song().iter().map(|(tool, _)| *tool).collect::<Vec<_>>());
    assert!(done.iter().all(|one| one.get("warnings").is_none()), "{done:?}");
    let tracks = &done[0]["result"];
    assert_eq!((&tracks[0]["path"], &tracks[1]["path"]), (&json!("t4"), &json!("t5")));
    assert_eq!(done[1]["result"][1]["path"], "t5/s0");
    assert_eq!(done[6]["result"].as_array().expect("three clips").len(), 3);
    let notes: Vec<&str> = (0..3).map(|at| done[6]["result"][at]["notes"].as_str().expect("notes")).collect();
    assert_eq!(notes[0], notes[2], "a copy");
    assert!(notes[1].contains("E3"), "{notes:?}");
    assert_eq!(api.ok("svc-read-device", json!({"path": "t4/d0"}))["name"], "costs $1.id");

    let after = api.kept();
    api.ok("svc-manage", json!({"action": "undo"}));
    assert!(api.kept().same_as(&before), "one step");
    assert_eq!(api.get("live_set", "can_undo"), json!([0]));
    api.ok("svc-manage", json!({"action": "redo"}));
    assert!(api.kept().same_as(&after));
}

#[test]
fn a_path_is_the_one_that_the_object_has_by_then() {
    let api = Api::new();
    let done = results(
        &api,
        &[
            ("svc-create-track", json!({"path": "t0", "name": "First"})),
            ("svc-create-track", json!({"path": "t0", "name": "Before it"})),
            ("svc-update-track", json!({"path": "$1.path", "color": "#FF0000"})),
        ],
    );
    assert_eq!(done[0]["result"]["path"], "t0");
    assert_eq!(done[2]["result"]["path"], "t1");
    assert_eq!(done[2]["result"]["id"], done[0]["result"]["id"]);
}

/// What is said of the Set is read after the calls before: notes in the meter that it has by then.
#[test]
fn a_call_is_prepared_for_the_set_as_it_is_by_then() {
    let api = Api::new();
    let calls = [
        ("svc-update-live-set", json!({"timeSignature": "3/4"})),
        ("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 2|1", "length": "2bar"})),
        ("svc-read-clip", json!({"id": "$2.id", "include": ["timing"]})),
    ];
    let together = results(&api, &calls);
    let one_by_one = Api::new();
    let ids = one_by_one.ok(calls[0].0, calls[0].1.clone());
    assert_eq!(together[0]["result"], ids);
    assert_eq!(together[1]["result"], one_by_one.ok(calls[1].0, calls[1].1.clone()));
    assert!(api.kept().same_as(&one_by_one.kept()));
}

#[test]
fn a_refusal_names_the_call_and_the_argument_and_leaves_the_set() {
    let api = Api::new();
    let track = ("svc-create-track", json!({"path": "t+,t+"}));
    let rename = |path: &str| ("svc-update-track", json!({"path": path, "name": "A"}));
    let kept = "; no call of the batch was kept";
    for (calls, expected) in [
        // The argument, the place inside it, and what would be right.
        (
            vec![track.clone(), rename("$2.id")],
            "call 2 (svc-update-track): path: $2.id: there is no call 2 before this one",
        ),
        (vec![track.clone(), rename("$0.id")], "$0.id: there is no call 0 before this one; calls count from 1"),
        (vec![track.clone(), rename("$1.3.path")], "path: $1.3.path: call 1 has 2 entries, counted from 1"),
        (vec![track.clone(), rename("$1.name")], "$1.name: a reference asks for id or path"),
        (
            vec![track.clone(), ("svc-update-track", json!({"path": "t0", "sends": [{"return": "$1.nothing"}]}))],
            "call 2 (svc-update-track): sends.0.return: $1.nothing",
        ),
        (
            vec![("svc-update-track", json!({"path": "t0,t99", "name": "A"})), rename("$1.id")],
            "path: $1.id: entry 2 of call 1 has no id (",
        ),
        (vec![("svc-read-live-set", json!({})), rename("$1.id")], "entry 1 of call 1 has no id"),
        (
            vec![track.clone(), ("svc-delete", json!({"type": "track", "id": "$1.1.id"})), rename("$1.1.id")],
            "$1.1.id: what call 1 answered there, id ",
        ),
        // What the schema says, what the tool says, when the call is read and when it is made.
        (
            vec![track.clone(), ("svc-update-track", json!({"path": "t0", "pan": 2}))],
            "call 2 (svc-update-track): pan must be 1",
        ),
        (
            vec![track.clone(), ("svc-create-clip", json!({"path": "t0/s0", "notes": "H9"}))],
            "call 2 (svc-create-clip): notes: ",
        ),
        (vec![track.clone(), rename("t99")], "call 2 (svc-update-track): "),
        (
            vec![track.clone(), ("svc-update-track", json!({"path": "t0", "nme": "x", "pan": "a"}))],
            "; ignored unexpected",
        ),
        (
            vec![track.clone(), ("svc-nonsense", json!({}))],
            "call 2 (svc-nonsense): no tool svc-nonsense is enabled here",
        ),
        (vec![track.clone(), ("svc-raed-clip", json!({}))], "the nearest is svc-read-clip"),
        (vec![track.clone(), ("svc-test", json!({"behave": "fail"}))], "call 2 (svc-test): failed as asked"),
        // More than one call may have.
        (
            vec![rename(&["t0"; 400].join(",")); 3],
            "call 3 (svc-update-track): with it the batch has 1200 targets; all its calls together have at most 1000",
        ),
        (
            vec![("svc-create-track", json!({"path": (["t+"; 60].join(","))})); 2],
            "with it the batch has 120 new tracks; all its calls together have at most 100",
        ),
    ] {
        let text = api.refused("svc-batch", batch(&calls));
        let is_about_references = expected.contains("ignored unexpected");
        assert!(is_about_references || text.contains(expected), "{expected}: {text}");
        assert!(text.ends_with(kept), "{text}");
    }
    // What no batch holds is refused before anything is done.
    for (tool, arguments) in [
        ("svc-batch", json!({"calls": []})),
        ("svc-manage", json!({"action": "undo"})),
        ("svc-connect", json!({})),
        ("svc-library", json!({})),
        ("svc-read-job", json!({})),
        ("svc-live-api", json!({"path": "live_set", "operations": []})),
        ("svc-context", json!({"action": "write", "content": "x"})),
    ] {
        let text = api.refused("svc-batch", batch(&[("svc-test", json!({"behave": "panic"})), (tool, arguments)]));
        assert!(text.starts_with(&format!("call 2 ({tool}): {tool} has no place in a batch: ")), "{text}");
    }
    assert!(api.refused("svc-manage", json!({"action": "undo"})).contains("nothing to undo"));
}

#[test]
fn the_schema_says_how_many() {
    let api = Api::new();
    let call = json!({"tool": "svc-read-live-set"});
    for (arguments, path) in [
        (json!({}), "/calls"),
        (json!({"calls": []}), "/calls"),
        (json!({"calls": vec![call.clone(); 51]}), "/calls"),
        (json!({"calls": [{"arguments": {}}]}), "/calls/0/tool"),
        (json!({"calls": [{"tool": "svc-read-live-set", "arguments": 5}]}), "/calls/0/arguments"),
        (json!({"calls": [{"tool": "svc-read-live-set", "args": {}}]}), "/calls/0"),
        (json!({"calls": [call.clone()], "dryRun": "true"}), "/dryRun"),
    ] {
        assert_eq!(api.bad("svc-batch", arguments.clone())["details"][0]["path"], path, "{arguments}");
    }
    // A list, and arguments, as a text of JSON.
    let text = json!([{"tool": "svc-update-live-set", "arguments": "{\"tempo\": 90}"}]).to_string();
    assert_eq!(api.ok("svc-batch", json!({"calls": text}))["results"][0]["tool"], "svc-update-live-set");
    let text = api.refused("svc-batch", json!({"calls": [{"tool": "svc-read-live-set", "arguments": "x"}]}));
    assert!(text.starts_with("call 1 (svc-read-live-set): arguments: an object, or a text of JSON"), "{text}");
    assert_eq!(api.ok("svc-batch", json!({"calls": vec![call; 50]}))["results"].as_array().map(Vec::len), Some(50));
}

/// As of a call alone: old spellings, texts for numbers, unknown names, entries that are not done.
#[test]
fn each_call_is_read_as_if_it_were_alone() {
    let api = Api::new();
    let calls = [
        ("svc-update-track", json!({"path": "t0,t99", "name": "A"})),
        ("svc-create-track", json!({"trackIndex": 0, "name": 5})),
        ("svc-update-track", json!({"ids": "$2.id", "pan": "20L", "nonsense": 1})),
        ("svc-update-track", json!({"path": "t0", "nonsense": 1})),
        ("svc-create-clip", json!({"path": "$2.path/s0", "length": "1bar", "color": null})),
    ];
    let envelope = api.envelope("svc-batch", "", &batch(&calls));
    assert_eq!((&envelope["isError"], envelope.get("warnings")), (&json!(false), None), "{envelope}");
    let done = &envelope["result"]["results"];
    assert_eq!(done[0]["result"][1]["ok"], false, "an entry that is not done refuses nothing");
    assert!(done[1]["warnings"][0].as_str().is_some_and(|text| text.contains("trackIndex")), "{done}");
    assert_eq!(done[2]["warnings"].as_array().map(Vec::len), Some(2), "{done}");
    assert_eq!(done[3]["result"]["changed"], false, "{done}");
    let track = api.ok("svc-read-track", json!({"path": "t0", "include": ["mixer", "session-clips"]}));
    assert_eq!((&track["name"], &track["pan"]), (&json!("5"), &json!(-0.4)), "{track}");

    // The request's own headers hold inside.
    let calls =
        batch(&[("svc-create-clip", json!({"path": "t0/s3", "notes": [{"pitch": 60, "start": 0, "duration": 1}]}))]);
    let refused = api.envelope("svc-batch", "", &calls);
    assert_eq!(refused["isError"], true, "{refused}");
    let taken = api.envelope("svc-batch", "x-svc-notation: midi-json\r\n", &calls);
    assert_eq!(taken["isError"], false, "{taken}");
    let withheld = api.envelope(
        "svc-batch",
        "x-svc-disabled-tools: svc-delete\r\n",
        &batch(&[("svc-delete", json!({"type": "track", "path": "t0"}))]),
    );
    assert!(
        withheld["result"].as_str().is_some_and(|text| text.contains("no tool svc-delete is enabled")),
        "{withheld}"
    );
}

#[test]
fn entries_are_looked_up_in_the_set() {
    let set = SetState::alone();
    let song = set.resolve("live_set").unwrap().unwrap();
    let track = set.resolve("live_set tracks 1").unwrap().unwrap();
    let answers = [
        json!({"id": track.0.to_string(), "path": "t7"}),
        json!([{"id": track.0.to_string()}, {"path": "t99", "ok": false, "detail": "no such track"}]),
        json!({"id": "9007199254740991", "path": "t1"}),
        json!("a text"),
        json!({"id": song.0.to_string()}),
    ];
    let entries: Vec<Vec<Entry>> = answers.iter().map(entries_of).collect();
    let made: Vec<Made> = entries.iter().map(|entries| Made { entries }).collect();
    let (budget, bytes) = (Budget::default(), AtomicUsize::new(0));
    let filling = Filling { made: &made, session: &set, budget: &budget, bytes: &bytes };
    let fill = |value: Value| {
        references::fill(Map::from_iter([("a".to_owned(), value)]), &filling).map(|mut map| map["a"].take())
    };
    for (sent, expected) in [
        (json!("$1.id"), json!(track.0.to_string())),
        // As it is now, whatever the answer said.
        (json!({"b": ["$1.path/s0", 7, null]}), json!({"b": ["t1/s0", 7, null]})),
        (json!("$2.1.path"), json!("t1")),
    ] {
        assert_eq!(fill(sent.clone()).expect("references"), expected, "{sent}");
    }
    for (sent, expected) in [
        (json!("$2.id"), "a: $2.id: entry 2 of call 2 has no id (no such track); name the entries that have one"),
        (json!(["$2.2.id"]), "a.0: $2.2.id: entry 2"),
        (json!({"b": "$2.3.id"}), "a.b: $2.3.id: call 2 has 2 entries"),
        (json!("$3.id"), "is gone by now"),
        (json!("$4.id"), "call 4 answered nothing that has an id"),
        (json!("$5.path"), "has no path"),
        (json!("$6.id"), "no call 6 before this one"),
        (json!("$0.id"), "no call 0 before this one; calls count from 1"),
    ] {
        let why = fill(sent.clone()).expect_err("a refusal").text;
        assert!(why.contains(expected), "{sent}: {why}");
    }
}

/// What an entry lists has ids too: the clips of a scene in the Arrangement, locators.
#[test]
fn a_reference_reaches_what_an_entry_lists() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t1/s0", "notes": "C3 1|1"}));
    let lay = || ("svc-duplicate", json!({"type": "scene", "path": "s0", "toPath": "[1|1]"}));
    let locators =
        ("svc-update-live-set", json!({"locatorOperation": "create", "locatorTime": "1|1,5|1", "locatorName": "A,B"}));
    let rename = |id: &str, name: &str| {
        ("svc-update-live-set", json!({"locatorOperation": "rename", "locatorId": id, "locatorName": name}))
    };
    let done = results(
        &api,
        &[
            lay(),
            ("svc-update-clip", json!({"id": "$1.clips.id", "name": "Both"})),
            ("svc-update-clip", json!({"path": "$1.clips.2.path", "name": "Second"})),
            locators,
            rename("$4.locator.2.id", "Drop"),
        ],
    );
    let names: Vec<Value> =
        ["t0[1|1]", "t1[1|1]"].map(|path| api.ok("svc-read-clip", json!({ "path": path }))["name"].clone()).to_vec();
    assert_eq!(names, ["Both", "Second"], "{done:?}");
    let set = api.ok("svc-read-live-set", json!({"include": ["locators"]}));
    let named: Vec<&Value> = set["locators"].as_array().expect("locators").iter().map(|one| &one["name"]).collect();
    assert_eq!(named, ["A", "Drop"], "{set}");
    // A lone one is no list.
    let lone = ("svc-update-live-set", json!({"locatorOperation": "create", "locatorTime": "9|1"}));
    results(&api, &[lone, rename("$1.locator.id", "Outro")]);
    let before = api.saved();
    for (reference, why) in [
        ("$1.id", "entry 1 of call 1 has no id; what it lists has: $1.clips.id"),
        ("$1.clips.3.id", "clips of entry 1 of call 1 has 2 entries, counted from 1"),
        ("$1.clip.id", "entry 1 of call 1 has no list clip; it has clips"),
        ("$1.clips[0].id", "$1.clips: a reference asks for id or path, of an entry ($1.2.id) or of what it lists"),
        ("$1.2.clips.id", "call 1 has 1 entry, counted from 1"),
    ] {
        let text = api.refused("svc-batch", batch(&[lay(), ("svc-read-clip", json!({"id": reference}))]));
        assert!(text.contains(why), "{reference}: {text}");
    }
    assert_eq!(api.saved(), before);
}

/// What is saved as a file is there when all is done.
#[test]
fn a_preset_of_the_same_batch_is_not_there_yet() {
    let store = tempfile::tempdir().expect("a folder");
    let api = Api::in_folder(store.path());
    api.ok("svc-create-device", json!({"path": "t0", "device": "Operator"}));
    let save = ("svc-update-device", json!({"path": "t0/d0", "actions": ["savePreset(\"Mine\")"]}));
    let load = ("svc-create-device", json!({"path": "t1", "preset": "Mine"}));
    let text = api.refused("svc-batch", batch(&[save.clone(), load.clone()]));
    assert!(text.contains("presets are written when the batch has ended"), "{text}");
    let alone = api.refused("svc-batch", batch(std::slice::from_ref(&load)));
    assert!(!alone.contains("batch has ended"), "{alone}");
    let saved = results(&api, &[save]);
    assert_eq!(saved[0]["result"]["actions"][0]["preset"], "Operator/Mine", "{saved:?}");
    results(&api, &[load]);
}

/// Whoever adds a tool says in `src/tools/batch/eligible.rs` whether a batch may hold it.
#[test]
fn every_tool_is_decided_on() {
    for tool in registry::all() {
        assert!(batch_tool::holds(tool.name).is_some(), "{}", tool.name);
    }
    assert_eq!((batch_tool::holds("svc-batch"), batch_tool::holds("svc-delete")), (Some(false), Some(true)));
}

/// Small calls are made where they are read; longer ones by a worker, and never by whoever has the Set.
#[test]
fn which_thread_makes_the_calls() {
    let api = Api::new();
    let well = |small: bool| ("svc-test", json!({"behave": "well", "small": small}));
    for (calls, expected, tries) in [
        // A machine that is busy may need longer than the millisecond: one of so many tries has to keep to it.
        (vec![well(true), well(true)], "svc-http", 20),
        (vec![well(true), well(false)], "svc-worker", 1),
        // What is not done within its millisecond is dropped, and made by a worker.
        (vec![well(true), ("svc-test", json!({"behave": "sleep", "sleep": "20", "small": true}))], "svc-worker", 1),
    ] {
        let is_made_there = (0..tries).any(|_| {
            let scenes = api.count("sceneCount");
            let done = results(&api, &calls);
            assert_eq!(api.count("sceneCount"), scenes + 2, "{calls:?}: once");
            done.iter().all(|one| one["result"]["thread"].as_str().expect("a thread").starts_with(expected))
        });
        assert!(is_made_there, "{calls:?}: never all by {expected}");
    }
}

#[test]
fn a_batch_that_panics_or_runs_out_of_time_leaves_the_set() {
    let api = Api::new();
    let before = api.saved();
    let post = |query: &str, last: Value| {
        let calls = batch(&[("svc-create-track", json!({"path": "t+"})), ("svc-test", last)]);
        api.post(&format!("/api/tools/svc-batch{query}"), "", &calls).status
    };
    assert_eq!(post("", json!({"behave": "panic"})), 500);
    assert_eq!(post("?timeoutMs=100", json!({"behave": "sleep", "sleep": "400"})), 504);
    assert_eq!(post("?timeoutMs=100", json!({"behave": "well", "endless": "apply"})), 504);
    assert_eq!(api.saved(), before);
    // One that would be done by half for want of time is not done at all.
    let calls = batch(&[
        ("svc-test", json!({"behave": "sleep", "sleep": "160"})),
        ("svc-create-track", json!({"path": "t+,t+"})),
    ]);
    assert_eq!(api.post("/api/tools/svc-batch?timeoutMs=200", "", &calls).status, 504);
    assert_eq!(api.saved(), before);
}

/// Others go on while a batch is made, lose nothing, and do not keep it from ending however much they write.
#[test]
fn others_go_on_meanwhile() {
    let api = Api::new();
    let sleep = ("svc-test", json!({"behave": "sleep", "sleep": "150"}));
    let calls = batch(&[("svc-create-track", json!({"path": "t+", "name": "Batch"})), sleep.clone(), sleep]);
    let addr = api.addr;
    std::thread::scope(|scope| {
        let batch = scope.spawn(move || {
            Client::connect(addr).request("POST", "/api/tools/svc-batch", "", &calls.to_string()).json()
        });
        let (mut written, mut read) = (0, 0);
        while !batch.is_finished() {
            written += 1;
            api.ok("svc-update-track", json!({"path": "t0", "name": format!("Write {written}")}));
            read += usize::from(api.ok("svc-read-live-set", json!({}))["sceneCount"].is_number());
        }
        let answer = batch.join().expect("the batch ends");
        assert_eq!(answer["isError"], false, "{answer}");
        assert!(written > 1 && read == written, "{written} writes, {read} reads");
        let set = api.ok("svc-read-live-set", json!({"include": ["tracks"]}));
        let names: Vec<&str> =
            set["tracks"].as_array().expect("tracks").iter().filter_map(|track| track["name"].as_str()).collect();
        assert_eq!(names.first().copied(), Some(format!("Write {written}").as_str()), "{names:?}");
        assert_eq!(names.iter().filter(|name| **name == "Batch").count(), 1, "{names:?}");
        assert_eq!(api.count("sceneCount"), 10);
    });
}

/// What sounds follows each call as if it were alone: a clip that is launched and then deleted is not playing.
#[test]
fn what_is_launched_and_deleted_again_is_not_playing() {
    let api = Api::raw_enabled();
    results(
        &api,
        &[
            ("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"})),
            ("svc-playback", json!({"action": "play-session-clips", "path": "$1.path"})),
            ("svc-delete", json!({"type": "clip", "id": "$1.id"})),
            ("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"})),
        ],
    );
    assert_eq!(api.get("live_set tracks 0", "fired_slot_index"), json!([-1]));
    // Stopped: it was about to play.
    assert_eq!(api.get("live_set tracks 0", "playing_slot_index"), json!([-2]));
}

/// Of each call what it answered, until one is refused: its place.
fn one_by_one(api: &Api, calls: &[(&'static str, Value)]) -> Result<Vec<Value>, usize> {
    let answers = calls.iter().enumerate().map(|(at, (tool, arguments))| {
        let reply = api.post(&format!("/api/tools/{tool}"), "", arguments);
        let mut body = reply.json();
        if reply.status != 200 || body["isError"] == true {
            return Err(at);
        }
        let mut one = Map::from_iter([("tool".to_owned(), json!(tool)), ("result".to_owned(), body["result"].take())]);
        if let Some(warnings) = body.get("warnings") {
            one.insert("warnings".to_owned(), warnings.clone());
        }
        Ok(Value::Object(one))
    });
    answers.collect()
}

#[test]
fn a_batch_is_its_calls_one_by_one_in_one_step_or_nothing() {
    let api = Api::raw_enabled();
    api.ok(
        "svc-create-clip",
        json!({"path": "t0/s0,t0/s1,t1/s1", "notes": "n/8 C3 1|1.1x8@n/8 E3 2|1", "length": "2bar", "looping": true}),
    );
    let fresh = api.saved();
    let (mut well, mut refused) = (0, 0);
    let rng = proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha);
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let one = prop_oneof![4 => session_walk::call(), 1 => session_walk::read()];
    let mut shares = session_walk::Shares::default();
    let calls = proptest::collection::vec(one, 1..9).prop_map(|calls| {
        // Playing goes on while the calls are made one by one, and manage has no place in a batch.
        calls.into_iter().filter(|(tool, _)| !matches!(*tool, "svc-manage" | "svc-playback")).collect::<Vec<_>>()
    });
    for _ in 0..120 {
        let mut calls = proptest::strategy::ValueTree::current(&calls.new_tree(&mut runner).expect("calls"));
        if calls.is_empty() {
            continue;
        }
        api.device.load_state(&fresh);
        let mut alone = one_by_one(&api, &calls);
        let refused_at = alone.as_ref().err().copied();
        for (at, (tool, _)) in calls.iter().enumerate().take(refused_at.map_or(calls.len(), |at| at + 1)) {
            shares.count(tool, refused_at != Some(at));
        }
        if let Err(at) = alone {
            // It refuses the whole; the calls before it are one more batch.
            api.device.load_state(&fresh);
            api.ok("svc-read-live-set", json!({}));
            let text = api.refused("svc-batch", batch(&calls));
            assert!(text.starts_with(&format!("call {} ({}): ", at + 1, calls[at].0)), "{calls:?}: {text}");
            assert_eq!(api.saved(), fresh, "byte for byte: {calls:?}");
            refused += 1;
            calls.truncate(at);
            if calls.is_empty() {
                continue;
            }
            alone = one_by_one(&api, &calls);
        }
        let alone = alone.expect("they went well before");
        let set_alone = saved(&api);
        api.device.load_state(&fresh);
        let before = api.kept();
        let together = api.envelope("svc-batch", "", &batch(&calls));
        assert_eq!(together["result"]["results"], json!(alone), "{calls:?}");
        assert_eq!(saved(&api), set_alone, "{calls:?}");
        well += 1;
        if !api.kept().same_as(&before) {
            api.ok("svc-manage", json!({"action": "undo"}));
        }
        assert!(api.kept().same_as(&before), "undone in one step: {calls:?}");
        assert_eq!(api.get("live_set", "can_undo"), json!([0]), "{calls:?}");
    }
    assert!(well > 40 && refused > 10, "{well} went well, {refused} were refused");
    // Every tool that a batch holds but svc-playback, svc-context and svc-test.
    shares.assert_fair(17);
}
