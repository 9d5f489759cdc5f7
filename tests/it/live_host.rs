//! The device on a running Live: the real script of `live-script/` in the fake Live of `tests/fake_live/`, driven over
//! HTTP.

use crate::support::child::{PATIENCE, Start, wait_until};
use crate::support::fake_live::{FakeLive, bridge_file, linked};
use crate::support::http::once;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

const AUDIO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio");

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn of_the_machine(warning: &str) -> bool {
    warning.starts_with("Live's undo takes") || warning.starts_with("saved: ")
}

fn post(addr: SocketAddr, line: &str) -> Value {
    let (tool, arguments) = line.split_once(' ').expect("a tool and its arguments");
    // The fake Live takes its time on a busy machine.
    let target = format!("/api/tools/{tool}?timeoutMs=55000");
    let reply = once(addr, "POST", &target, "x-svc-live-api: true\r\n", arguments);
    let mut answer = reply.json();
    answer["status"] = reply.status.into();
    // Whether programs come in one tick, and when what changed is on the disk, hangs on the machine.
    if let Some(warnings) = answer.get_mut("warnings").and_then(Value::as_array_mut) {
        warnings.retain(|warning| !warning.as_str().is_some_and(of_the_machine));
        if warnings.is_empty() {
            answer.as_object_mut().expect("an object").remove("warnings");
        }
    }
    answer
}

/// Ids are each host's own.
fn without_ids(value: &mut Value, key: &str) {
    match value {
        Value::Object(map) => map.iter_mut().for_each(|(key, value)| without_ids(value, key)),
        Value::Array(list) => list.iter_mut().for_each(|value| without_ids(value, key)),
        _ if key == "id" || key.ends_with("Id") => *value = "an id".into(),
        Value::String(text) => {
            let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            for at in 1..words.len() {
                let before = words[at - 1].trim_start_matches(|c: char| !c.is_alphanumeric());
                if before.ends_with("id") && words[at].starts_with(|c: char| c.is_ascii_digit()) {
                    words[at] = words[at].trim_start_matches(|c: char| c.is_ascii_digit()).to_owned();
                }
            }
            *text = words.join(" ");
        }
        _ => {}
    }
}

/// Pointers to where two answers differ.
fn differences(one: &Value, other: &Value, at: &str, found: &mut Vec<String>) {
    match (one, other) {
        (Value::Object(a), Value::Object(b)) => {
            let only_there = b.keys().filter(|key| !a.contains_key(*key));
            for key in a.keys().chain(only_there) {
                let null = Value::Null;
                differences(a.get(key).unwrap_or(&null), b.get(key).unwrap_or(&null), &format!("{at}/{key}"), found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).for_each(|(a, b)| differences(a, b, at, found));
        }
        _ if one != other => found.push(at.to_owned()),
        _ => {}
    }
}

/// A line of a list: its call, and how many requests to Live it has at most: eight, or the number in front of it.
fn limited(line: &str) -> (u64, &str) {
    let told = line.split_once(' ').and_then(|(number, call)| Some((number.parse().ok()?, call)));
    told.unwrap_or((8, line))
}

/// Makes the calls on both hosts; they answer the same but for what is listed, and take few exchanges. A difference is
/// a part of the call's line, a part of the pointer into the answer, what it is, and of which parameters that is said.
fn compare(calls: &str, listed: &str) {
    compare_in(json!({}), calls, listed);
}

/// The same, in a Live of its own kind.
fn compare_in(live: Value, calls: &str, listed: &str) {
    let embedded = Start::new().args(["--host", "embedded"]).start();
    let live = linked(live);
    for addr in [embedded.addr(), live.device.addr()] {
        let folders = json!({ "allowedFolders": [AUDIO] }).to_string();
        assert_eq!(once(addr, "POST", "/config", "", &folders).status, 200);
    }
    let listed: Vec<(&str, &str)> = lines(listed)
        .map(|line| {
            let mut parts = line.split(" | ");
            (parts.next().expect("a call"), parts.next().expect("a pointer"))
        })
        .collect();
    let (mut wrong, mut used) = (Vec::new(), vec![false; listed.len()]);
    for (most, line) in lines(calls).map(limited) {
        let mut here = post(embedded.addr(), line);
        let before = live.exchanges();
        let mut there = post(live.device.addr(), line);
        let exchanges = live.exchanges() - before;
        without_ids(&mut here, "");
        without_ids(&mut there, "");
        if exchanges > most {
            wrong.push(format!("{line}\n  {exchanges} exchanges, at most {most}"));
        }
        let mut found = Vec::new();
        differences(&here, &there, "", &mut found);
        for at in found {
            match listed.iter().position(|(call, pointer)| line.contains(call) && at.contains(pointer)) {
                Some(known) => used[known] = true,
                None => {
                    let part = |answer: &Value| answer.pointer(&at).unwrap_or(answer).to_string();
                    wrong.push(format!("{line}\n  {at}\n  embedded: {}\n  live: {}", part(&here), part(&there)));
                }
            }
        }
    }
    for ((call, pointer), used) in listed.iter().zip(used) {
        if !used {
            wrong.push(format!("{call} | {pointer}: listed, and no different"));
        }
    }
    live.assert_orderly();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Calls that are made on both hosts, and where their answers differ.
const SESSION: (&str, &str) = (include_str!("live_host/calls.txt"), include_str!("live_host/differences.txt"));
const ARRANGEMENT: (&str, &str) =
    (include_str!("live_host/arrangement.txt"), include_str!("live_host/arrangement_differences.txt"));
const DEVICES: (&str, &str) = (include_str!("live_host/devices.txt"), include_str!("live_host/device_differences.txt"));
const SAMPLES: (&str, &str) = (include_str!("live_host/audio.txt"), include_str!("live_host/audio_differences.txt"));
const DRUMS: (&str, &str) = (include_str!("live_host/drums.txt"), include_str!("live_host/drum_differences.txt"));
const ENVELOPES: (&str, &str) =
    (include_str!("live_host/envelopes.txt"), include_str!("live_host/envelope_differences.txt"));
const CATALOGUE: (&str, &str) =
    (include_str!("live_host/catalogue.txt"), include_str!("live_host/catalogue_differences.txt"));
const MANY: (&str, &str) = (include_str!("live_host/many.txt"), include_str!("live_host/many_differences.txt"));
const REST: (&str, &str) = (include_str!("live_host/rest.txt"), include_str!("live_host/rest_differences.txt"));
/// What each tool takes.
const PARAMETERS: &str = include_str!("../api/expected_parameters.txt");
/// Tools that have nothing to do with which Set they work on.
const OF_THE_DEVICE: [(&str, &str); 3] = [
    ("svc-context", "the project's texts lie in the device; with Live its own Set's"),
    ("svc-library", "sample folders are the device's; devices and presets of Live are found by `svc-create-device`"),
    ("svc-read-job", "conversions by Live are no jobs"),
];

#[test]
fn the_session_answers_as_on_the_embedded_set() {
    compare(SESSION.0, SESSION.1);
}

#[test]
fn the_arrangement_answers_as_on_the_embedded_set() {
    compare(ARRANGEMENT.0, ARRANGEMENT.1);
}

#[test]
fn audio_clips_answer_as_on_the_embedded_set() {
    compare(&SAMPLES.0.replace("AUDIO", AUDIO), SAMPLES.1);
}

#[test]
fn drums_answer_as_on_the_embedded_set() {
    compare_in(json!({ "version": [12, 4, 6] }), &DRUMS.0.replace("AUDIO", AUDIO), DRUMS.1);
}

#[test]
fn envelopes_answer_as_on_the_embedded_set() {
    compare_in(json!({ "version": [12, 4, 6] }), &ENVELOPES.0.replace("AUDIO", AUDIO), ENVELOPES.1);
}

#[test]
fn the_rest_of_the_catalogue_answers_as_on_the_embedded_set() {
    compare(CATALOGUE.0, CATALOGUE.1);
}

/// Whether new audio clips are warped is what the user set in Live; a call that says it is heeded.
#[test]
fn new_audio_clips_are_warped_as_the_user_prefers() {
    let live = linked(json!({ "warps_new_clips": false }));
    let file = format!("{AUDIO}/half.wav");
    let made = live.device.call("svc-create-clip", json!({"path": "t2/s0,t2[5|1]", "sampleFile": file}));
    assert_eq!((&made[0]["warping"], &made[1]["warping"]), (&json!(false), &json!(false)), "{made}");
    live.device.call("svc-create-clip", json!({"path": "t2/s1,t2[9|1]", "sampleFile": file, "warping": true}));
    for path in ["t2/s1", "t2[9|1]"] {
        let read = live.device.call("svc-read-clip", json!({"path": path, "include": ["*"]}));
        assert_eq!((&read["warping"], &read["length"]), (&json!(true), &json!("n/4")), "{read}");
    }
    live.assert_orderly();
}

#[test]
fn devices_answer_as_on_the_embedded_set() {
    compare(DEVICES.0, DEVICES.1);
}

#[test]
fn what_is_seldom_sent_answers_as_on_the_embedded_set() {
    compare_in(json!({ "version": [12, 4, 6] }), &REST.0.replace("AUDIO", AUDIO), REST.1);
}

/// The calls of a list, those of batches one by one: tool and arguments.
fn calls_of(list: &str) -> Vec<(String, Value)> {
    let call = |line: &str| {
        let (tool, arguments) = limited(line).1.split_once(' ').expect("a tool and its arguments");
        (tool.to_owned(), serde_json::from_str::<Value>(arguments).expect("an object"))
    };
    let inner = |calls: &Value| -> Vec<(String, Value)> {
        let calls = calls.as_array().into_iter().flatten();
        calls.map(|call| (call["tool"].as_str().expect("a tool").to_owned(), call["arguments"].clone())).collect()
    };
    lines(list).map(call).flat_map(|(tool, told)| inner(&told["calls"]).into_iter().chain([(tool, told)])).collect()
}

/// Each tool's parameters that are published, in the order of the catalogue.
fn published() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut tools: Vec<(&str, Vec<&str>)> = vec![("svc-connect", vec![]), ("svc-live-api", vec!["path", "operations"])];
    for line in PARAMETERS.lines() {
        let mut parts = line.split(" | ");
        if let Some(tool) = line.strip_prefix("# ").filter(|line| line.starts_with("svc-")) {
            tools.push((tool.split(" | ").next().unwrap_or(tool), Vec::new()));
        } else if let (Some(name), Some(_), Some("published" | "full"), Some((_, parameters))) =
            (parts.next(), parts.next(), parts.next(), tools.last_mut())
        {
            parameters.push(name);
        }
    }
    tools
}

/// How a tool's parameters are on a Live, by the lists: the parameters, and what is said of them.
fn verdicts(tool: &str, parameters: &[&str]) -> Vec<(String, String)> {
    let mut said: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut compared = BTreeSet::new();
    for (calls, listed) in [SESSION, ARRANGEMENT, DEVICES, SAMPLES, DRUMS, ENVELOPES, CATALOGUE, MANY, REST] {
        for (_, arguments) in calls_of(calls).into_iter().filter(|(of, _)| of == tool) {
            compared.extend(arguments.as_object().expect("an object").keys().cloned());
        }
        let own: Vec<&str> = lines(calls).map(|line| limited(line).1).filter(|line| line.starts_with(tool)).collect();
        for difference in lines(listed) {
            let [call, _, verdict, of] = difference.split(" | ").collect::<Vec<_>>()[..] else {
                panic!("four parts: {difference}")
            };
            let is_kind = ["differs: ", "Live cannot: "].iter().any(|kind| verdict.starts_with(kind));
            assert!(is_kind, "{difference}");
            for name in of.split(' ').filter(|name| *name != "-" && own.iter().any(|line| line.contains(call))) {
                if name == "answer" || parameters.contains(&name) {
                    let known = said.entry(name).or_default();
                    known.retain(|other| *other != verdict);
                    known.push(verdict);
                }
            }
        }
    }
    let missing: Vec<&&str> = parameters.iter().filter(|name| !compared.contains(**name)).collect();
    assert!(missing.is_empty(), "{tool}: no list has a call with {missing:?}");
    let like: Vec<String> =
        parameters.iter().filter(|name| !said.contains_key(**name)).map(|name| format!("`{name}`")).collect();
    let mut rows: Vec<(String, String)> = Vec::new();
    if !like.is_empty() {
        rows.push((like.join(", "), "as on the embedded Set".to_owned()));
    }
    for name in parameters.iter().chain(&["answer"]) {
        if let Some(verdicts) = said.get(*name) {
            let name = if *name == "answer" { "its answer".to_owned() } else { format!("`{name}`") };
            let verdict = verdicts.join("; ").replace("; differs: ", "; ");
            match rows.iter_mut().find(|(_, known)| *known == verdict) {
                Some((names, _)) => *names += &format!(", {name}"),
                None => rows.push((name, verdict)),
            }
        }
    }
    rows
}

/// The table of `docs/live.md`: each parameter of each tool, and how it is on a Live.
#[test]
fn the_page_says_what_was_compared() {
    let mut table = "| Tool | Parameters | On a Live |\n|---|---|---|\n".to_owned();
    for (tool, parameters) in published() {
        let of_the_device = OF_THE_DEVICE.iter().find(|(name, _)| *name == tool);
        let rows = match of_the_device {
            Some((_, why)) => vec![("all".to_owned(), format!("as on the embedded Set: {why}"))],
            None if parameters.is_empty() => vec![(String::new(), "as on the embedded Set".to_owned())],
            None => verdicts(tool, &parameters),
        };
        for (at, (parameters, verdict)) in rows.into_iter().enumerate() {
            let tool = if at == 0 { format!("`{tool}`") } else { String::new() };
            table += &format!("| {tool} | {parameters} | {verdict} |\n");
        }
    }
    let page = include_str!("../../docs/live.md");
    assert!(page.contains(&table), "docs/live.md does not have this table:\n\n{table}");
}

/// Many targets take few exchanges, and the answers are those of one at a time.
#[test]
fn many_targets_answer_as_on_the_embedded_set() {
    compare(MANY.0, MANY.1);
}

/// A call, and how many requests to Live it has at most.
const MOST: [(&str, u64); 6] = [
    (r#"svc-read-live-set {"include": ["*"]}"#, 6),
    (r#"svc-read-track {"path": "t0", "include": ["*"]}"#, 2),
    (r#"svc-update-track {"path": "t0,t1,t2,t3,t4,t5,t6,t7,t8,t9", "name": "A,B,C,D,E,F,G,H,I,J", "mute": true}"#, 3),
    (
        r##"svc-update-track {"path": "t0,t1,t2,t3,t4,t5,t6,t7,t8,t9", "name": "A,B,C,D,E,F,G,H,I,J", "color": "#FF3636"}"##,
        3,
    ),
    (r#"svc-update-track {"path": "t0,t1", "gainDb": -6, "pan": 0.5}"#, 8),
    (r#"svc-delete {"type": "scene", "path": "s9"}"#, 8),
];

#[test]
fn a_large_set_takes_as_few_exchanges() {
    let live = linked(json!({ "set": { "midi": 100, "audio": 0, "scenes": 100 } }));
    live.live.ask("fill", json!({ "scenes": 20 }));
    let mut wrong = Vec::new();
    let notes: Vec<String> = (0..2_500)
        .map(|bar| format!("{} {}|1,2,3,4", ["C3", "D3", "E3", "F3", "G3", "A3", "B3"][bar % 7], bar + 1))
        .collect();
    let create = json!({ "path": "t0/s50", "length": "2500bar", "notes": notes.join("\n") });
    let create = format!("svc-create-clip {create}");
    for (line, most) in MOST.iter().copied().chain([(create.as_str(), 4)]) {
        let before = live.exchanges();
        let answer = post(live.device.addr(), line);
        let exchanges = live.exchanges() - before;
        let line: String = line.chars().take(90).collect();
        println!("{exchanges} {line}");
        if answer["isError"] != false || exchanges > most {
            let answer: String = answer.to_string().chars().take(300).collect();
            wrong.push(format!("{line}: {exchanges} exchanges, at most {most}; {answer}"));
        }
    }
    live.assert_orderly();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_one_call_writes_is_one_step_of_undo() {
    // With long ticks all requests of a call come in one.
    let live = linked(json!({ "tick_ms": 100 }));
    for line in [
        r#"svc-create-track {"path": "t+", "name": "Lead"}"#,
        r#"svc-update-track {"path": "t0,t1", "name": "A,B", "mute": true}"#,
        r#"svc-create-clip {"path": "t0/s0", "length": "1bar", "notes": "C3 1|1"}"#,
    ] {
        let before = live.live.ask("steps", json!({})).as_u64().expect("a count");
        let answer = post(live.device.addr(), line);
        assert_eq!(answer["isError"], false, "{line}: {answer}");
        let steps = live.live.ask("steps", json!({})).as_u64().expect("a count") - before;
        let said = once(live.device.addr(), "GET", "/config", "", "").status;
        assert_eq!((steps, said), (1, 200), "{line}");
    }
    let undone = live.device.call("svc-manage", json!({"action": "undo"}));
    assert_eq!(undone["detail"], "all that the host says of it: Undo; read the Set");
    assert_eq!(live.live.ask("label", json!({"path": "live_set tracks 0 clip_slots 0 clip"})), Value::Null);
    live.assert_orderly();
}

/// Who undoes what was never done loses the step before.
#[test]
fn a_call_that_changed_nothing_says_so() {
    let live = linked(json!({}));
    for line in [
        r#"svc-create-device {"path": "t0", "device": "Nonesuch"}"#,
        r#"svc-update-live-set {"locatorOperation": "create", "locatorTime": "4|1", "locatorName": "P"}"#,
    ] {
        if line.contains("locator") {
            live.live.ask("user_set", json!({"path": "live_set", "member": "is_playing", "value": true}));
        }
        let before = live.live.ask("steps", json!({}));
        let answer = post(live.device.addr(), line).to_string();
        assert!(!answer.contains("Live's undo takes it back"), "{line}: {answer}");
        assert_eq!(live.live.ask("steps", json!({})), before, "{line}");
    }
}

#[test]
fn a_track_with_the_plugin_stays() {
    let live = linked(json!({}));
    live.live.ask("add_device", json!({ "path": "live_set tracks 1", "name": "SVC Device" }));
    let answer = live.device.call("svc-delete", json!({"type": "track", "path": "t0,t1"}));
    assert_eq!((answer[0].get("ok"), &answer[1]["ok"]), (None, &json!(false)), "{answer}");
    assert!(answer[1]["detail"].as_str().is_some_and(|text| text.contains("SVC Device plugin")), "{answer}");
    let device = live.device.try_call("svc-delete", &json!({"type": "device", "path": "t0/d0"}));
    assert!(device.is_err(), "{device:?}");
    for (of, function) in [("live_set", "delete_track"), ("live_set tracks 0", "delete_device")] {
        let raw = json!({"path": of, "operations": [{"type": "call", "method": function, "args": [0]}]});
        let answer = post(live.device.addr(), &format!("svc-live-api {raw}"));
        assert_eq!(answer["result"]["results"][0]["result"], 1, "{answer}");
    }
    let stays = live.device.call("svc-read-device", json!({"path": "t0/d0"}));
    assert_eq!(stays["type"], "instrument: SVC Device", "{stays}");
    let copy = live.device.call("svc-duplicate", json!({"type": "track", "path": "t0"}));
    assert!(copy["detail"].as_str().is_some_and(|text| text.contains("stays on its track alone")), "{copy}");
    live.assert_orderly();
}

/// Plug-ins, Max devices and presets come from Live's browser, onto a track of their own and from there to their place:
/// what does not fit changes nothing.
#[test]
fn what_the_browser_has_is_loaded() {
    let live = linked(json!({}));
    let plug_in = json!({"path": "t0", "device": "massive synth", "name": "Lead", "params": [{"name": "Cutoff", "value": "25 %"}]});
    let made = live.device.call("svc-create-device", plug_in);
    assert_eq!((&made["path"], &made["params"][0]["value"]), (&json!("t0/d0"), &json!(25)), "{made}");
    let wrong = |line: &str, words: &str| {
        let answer = post(live.device.addr(), line);
        let said = answer["result"].as_str().unwrap_or_default().to_owned();
        assert!(answer["isError"] == true && said.contains(words), "{line}: {answer}");
    };
    wrong(r#"svc-create-device {"path": "t0", "device": "Raum"}"#, "say which");
    wrong(r#"svc-create-device {"path": "t0", "device": "Opperator"}"#, "the nearest is");
    wrong(r#"svc-create-device {"path": "t2", "preset": "Bell"}"#, "MIDI devices need a MIDI track");
    wrong(r#"svc-create-device {"path": "t0", "preset": "Bell"}"#, "instrument already");
    let both = live.device.call("svc-create-device", json!({"path": "t0/d+,t2", "device": "VST3/Maker/Raum"}));
    assert_eq!((&both[0]["path"], &both[1]["path"]), (&json!("t0/d1"), &json!("t2/d0")), "{both}");
    let preset = json!({"path": "t1", "preset": "Hall", "device": "Reverb"});
    live.device.call("svc-create-device", preset);
    let swapped = live.device.call("svc-update-device", json!({"path": "t0/d0", "preset": "Warm Pad"}));
    assert_eq!(swapped["path"], "t0/d0", "{swapped}");
    wrong(r#"svc-update-device {"path": "t0/d1", "preset": "Warm Pad"}"#, "another kind of device");
    let read = live.device.call("svc-read-track", json!({"path": "t0,t1", "include": ["devices"]}));
    let names = |track: usize| -> Vec<&Value> {
        read[track]["devices"].as_array().into_iter().flatten().map(|device| &device["name"]).collect()
    };
    assert_eq!((names(0)[0], names(1)), (&json!("Warm Pad"), vec![&json!("Hall")]), "{read}");
    assert_eq!(live.device.call("svc-read-live-set", json!({}))["regularTrackCount"], 4);
    live.assert_orderly();
}

/// Audio is converted by Live's own functions, whose track comes with a later tick.
#[test]
fn audio_is_converted_by_live() {
    let live = linked(json!({}));
    live.device.call("svc-create-clip", json!({"path": "t2/s0", "sampleFile": format!("{AUDIO}/half.wav")}));
    for (to, device) in
        [("drums", "Operator"), ("melody", "Operator"), ("simpler", "Simpler"), ("drum-rack", "Drum Rack")]
    {
        let entry = live.device.call("svc-update-clip", json!({"path": "t2/s0", "convert": to}));
        assert_eq!(entry["converted"]["track"]["path"], "t3", "{to}: {entry}");
        let track = live.device.call("svc-read-track", json!({"path": "t3"}));
        assert_eq!(track["instrument"], device, "{to}: {track}");
    }
    live.assert_orderly();
    let cannot = linked(json!({ "converts": false }));
    cannot.device.call("svc-create-clip", json!({"path": "t2/s0", "sampleFile": format!("{AUDIO}/half.wav")}));
    let refused = cannot.device.try_call("svc-update-clip", &json!({"path": "t2/s0", "convert": "melody"}));
    let refused = refused.expect_err("a refusal");
    assert!(refused.to_string().contains("cannot be converted"), "{refused}");
    cannot.assert_orderly();
}

/// What an older Live lacks is said with the version that has it, in the entry of each target.
#[test]
fn an_older_live_says_what_it_needs() {
    let without = ["Track.Track.insert_device", "Track.Track.create_midi_clip", "Track.Track.duplicate_device"];
    let live = linked(json!({ "without": without }));
    for (line, needs) in [
        (r#"svc-create-device {"path": "t0", "device": "Reverb"}"#, "12.3"),
        (r#"svc-create-clip {"path": "t0[5|1]", "length": "1bar", "notes": "C3 1|1"}"#, "12.2"),
        (r#"svc-duplicate {"type": "device", "path": "rt0/d0"}"#, "12.3"),
    ] {
        let answer = post(live.device.addr(), line);
        let said = answer["result"].as_str().unwrap_or_default().to_owned();
        assert!(answer["isError"] == true && said.contains(&format!("needs Live {needs}")), "{line}: {answer}");
    }
    // Nothing is made for a sample that cannot be loaded.
    live.live.ask("add_device", json!({ "path": "live_set tracks 0", "name": "Drum Rack" }));
    let sample = json!({"path": "t0/d0", "params": [{"name": "pC1/sample", "value": format!("{AUDIO}/half.wav")}]});
    let kit = live.device.try_call("svc-update-device", &sample).expect_err("a refusal");
    assert!(kit.to_string().contains("needs Live 12.4"), "{kit}");
    assert_eq!(live.live.ask("get", json!({"path": "live_set tracks 0 devices 0", "member": "chains"})), json!([]));
    let both = live.device.call("svc-create-device", json!({"path": "t0,t1", "device": "Reverb"}));
    for entry in [&both[0], &both[1]] {
        assert!(entry["detail"].as_str().is_some_and(|said| said.contains("needs Live 12.3")), "{both}");
    }
    // Nothing is begun that cannot be ended.
    let before = live.live.ask("steps", json!({}));
    let wrapped = live.device.try_call("svc-update-device", &json!({"path": "rt0/d0", "wrapInRack": true}));
    assert!(wrapped.is_err_and(|why| why.to_string().contains("making racks needs Live 12.3")));
    assert_eq!(live.live.ask("steps", json!({})), before);
    live.assert_orderly();
}

/// A locator that Live puts on its grid instead is taken back, in its own entry; the others are made.
#[test]
fn locators_stand_where_they_were_asked_for() {
    let live = linked(json!({ "cue_grid": 4.0 }));
    let create = json!({"locatorOperation": "create", "locatorTime": "5|1,5|2,9|1", "locatorName": "A,B,C"});
    let made = live.device.call("svc-update-live-set", create)["locator"].take();
    assert!(made[1]["detail"].as_str().is_some_and(|said| said.contains("grid")), "{made}");
    let read = live.device.call("svc-read-live-set", json!({"include": ["locators"]}));
    let names: Vec<&Value> = read["locators"].as_array().expect("locators").iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["A", "C"], "{read}");
    live.assert_orderly();
}

/// Auto begins with the Set inside the device and takes Live when its script comes while nobody calls.
/// A call that waits for Live is told when Live is no longer worked on, and leaves the bridge to who comes next.
#[test]
fn a_switch_ends_what_waits_for_live() {
    let live = linked(json!({}));
    let addr = live.device.addr();
    live.live.ask("dialog", json!({ "text": "Save changes?" }));
    let before = live.exchanges();
    let reply = std::thread::scope(|scope| {
        let target = "/api/tools/svc-update-track?timeoutMs=55000";
        let waits = scope.spawn(|| once(addr, "POST", target, "", r#"{"path": "t0", "name": "Late"}"#));
        wait_until(PATIENCE, || (live.exchanges() > before).then_some(())).expect("the call is at it");
        once(addr, "POST", "/config", "", r#"{"hostChoice": "embedded"}"#);
        waits.join().expect("no panic")
    });
    assert!(reply.status != 504, "{}", reply.json());
    assert_eq!(reply.json()["isError"], true);
    once(addr, "POST", "/config", "", r#"{"hostChoice": "live"}"#);
    live.live.ask("close_dialog", json!({}));
    live.wait_for("linked");
    assert_eq!(live.device.call("svc-read-track", json!({"path": "t0"}))["name"], "1-MIDI");
    live.assert_orderly();
}

#[test]
fn hosts_are_chosen() {
    let device = Start::new().start();
    let host = |kind: &str| wait_until(PATIENCE, || Some(device.config()["host"].take()).filter(|h| h["kind"] == kind));
    let start = host("embedded").expect("the embedded Set first");
    assert_eq!((&start["live"]["state"], &start["offer"]), (&json!("notSeen"), &Value::Null));
    assert!(start["live"]["text"].as_str().is_some_and(|text| text.contains("Control Surface")), "{start}");
    device.call("svc-update-live-set", json!({"tempo": 77}));
    // Somebody called a moment ago: a switch is offered.
    let live = FakeLive::start(&bridge_file(&device), json!({}));
    let offered =
        wait_until(PATIENCE, || Some(device.config()["host"].take()).filter(|host| host["offer"].is_string()));
    assert_eq!(offered.expect("an offer")["kind"], "embedded");
    let warned = device.warnings("svc-connect", json!({}));
    assert!(warned.iter().any(|warning| warning.contains("hostChoice")), "{warned:?}");
    // Nor is it made later by itself, when the script comes anew.
    live.ask("reload", json!({}));
    let linked_again =
        wait_until(PATIENCE, || Some(device.config()["host"]["live"]["text"].take()).filter(|t| t.is_string()));
    assert!(linked_again.is_some() && device.config()["host"]["kind"] == "embedded");
    // The next call goes where the answer says.
    assert_eq!(device.change_config(json!({"hostChoice": "live"}))["host"]["kind"], "live");
    let linked =
        wait_until(PATIENCE, || Some(device.config()["host"].take()).filter(|h| h["live"]["state"] == "linked"));
    let linked = linked.expect("live by choice");
    assert_eq!((&linked["live"]["state"], &linked["live"]["tick"]), (&json!("linked"), &json!("timer")));
    assert_eq!(device.call("svc-read-live-set", json!({}))["tempo"], 120);
    let connected = device.call("svc-connect", json!({}));
    assert_eq!((&connected["host"], &connected["link"]["scriptVersion"]), (&json!("live"), &json!("0.1.0")));
    let told = device.warnings("svc-connect", json!({}));
    assert!(told.iter().any(|warning| warning.contains("no dry runs on Ableton Live")), "{told:?}");
    // Another Live is told that this one is linked, and calls go on to it.
    let other = FakeLive::start(&bridge_file(&device), json!({"set": {"midi": 9}}));
    let refused = wait_until(PATIENCE, || {
        Some(other.ask("log", json!({}))).filter(|log| log.to_string().contains("another Live"))
    });
    assert!(refused.is_some(), "{}", other.ask("log", json!({})));
    for _ in 0..5 {
        assert_eq!(device.call("svc-read-live-set", json!({}))["regularTrackCount"], 4);
    }
    drop(other);
    device.call("svc-context", json!({"scope": "project", "action": "write", "content": "Slow."}));
    // The link is lost: nothing falls back without a word.
    drop(live);
    let refused = wait_until(PATIENCE, || device.try_call("svc-read-live-set", &json!({})).err());
    let refused = refused.expect("an error");
    assert!(refused.as_str().is_some_and(|text| text.contains("the link to Ableton Live was lost")), "{refused}");
    assert_eq!(device.config()["host"]["kind"], "live");
    device.change_config(json!({"hostChoice": "embedded"}));
    host("embedded").expect("the embedded Set by choice");
    assert_eq!(device.call("svc-read-live-set", json!({}))["tempo"], 77);
    assert!(!bridge_file(&device).exists() || device.config()["host"]["live"]["state"] == "notListening");
    let bad = once(device.addr(), "POST", "/config", "", r#"{"hostChoice": "max"}"#);
    assert!(bad.status == 400 && bad.json().to_string().contains("auto, embedded or live"), "{}", bad.json());
}

/// A new user's first call: no Live was seen yet.
#[test]
fn connecting_without_a_link_says_what_is_missing_and_teaches() {
    let device = Start::new().args(["--host", "live"]).start();
    let reply = once(device.addr(), "POST", "/api/tools/svc-connect", "", "{}").json();
    let connected = &reply["result"];
    assert_eq!((&reply["isError"], &connected["connected"]), (&json!(false), &json!(false)), "{reply}");
    assert_eq!((&connected["host"], &connected["link"]["state"]), (&json!("live"), &json!("notSeen")), "{connected}");
    let mends = |text: &Value| text.as_str().is_some_and(|text| text.contains("choose SvcDevice as a Control Surface"));
    assert!(mends(&connected["link"]["text"]) && reply["warnings"].as_array().is_some_and(|all| all.iter().any(mends)));
    let taught = reply["appended"][0].as_str().expect("the skills");
    // What only a host can promise that takes back.
    for (part, is_there) in [
        ("# Several calls as one", true),
        ("all or nothing", false),
        ("\"dryRun\"", false),
        ("nothing at all was changed", false),
        ("lists the steps", false),
        ("@keeps", false),
        ("@takes-back", false),
    ] {
        assert_eq!(taught.contains(part), is_there, "{part}");
    }
    device.change_config(json!({"hostChoice": "embedded"}));
    let taught = once(device.addr(), "POST", "/api/tools/svc-connect", "", "{}").json()["appended"][0].take();
    let taught = taught.as_str().expect("the skills");
    assert!(taught.contains("all or nothing") && taught.contains("lists the steps") && !taught.contains("@keeps"));
}

/// What could not be made is told in its own entry; the others are made.
#[test]
fn what_live_refuses_is_told_of_its_target() {
    let live = linked(json!({}));
    let returns = ["rt+"; 12].join(",");
    let made = live.device.call("svc-create-track", json!({ "path": returns }));
    let (good, bad): (Vec<_>, Vec<_>) =
        made.as_array().expect("entries").iter().partition(|entry| entry["id"].is_string());
    assert_eq!((good.len(), bad.len()), (10, 2), "{made}");
    assert!(bad.iter().all(|entry| entry["ok"] == false && entry["detail"] == "Too many return tracks"), "{made}");
    let gone = live.device.call("svc-delete", json!({"type": "track", "path": "t0,t1,t2,t3"}));
    assert_eq!((gone[0]["ok"].clone(), gone[3]["deletedPath"].clone()), (json!(false), json!("t3")), "{gone}");
    assert!(gone[0]["detail"].as_str().is_some_and(|why| why.contains("last track cannot be deleted")), "{gone}");
    live.assert_orderly();
}

/// A dialog stops Live; a call that waited too long changed nothing and says so.
#[test]
fn a_live_that_does_not_answer() {
    let live = linked(json!({}));
    live.live.ask("dialog", json!({ "text": "Save changes?" }));
    let reply = once(
        live.device.addr(),
        "POST",
        "/api/tools/svc-update-track?timeoutMs=700",
        "",
        r#"{"path": "t0", "name": "Late"}"#,
    );
    let said = reply.json();
    let error = said["error"].as_str().unwrap_or_default();
    assert!(reply.status == 504 && error.contains("nothing was changed in Live"), "{said}");
    assert!(error.contains("a dialog is open in it") && !error.contains("fewer targets"), "{said}");
    live.wait_for("stalled");
    // Who begins now is told at once what is the matter, and taught all the same.
    let reply = once(live.device.addr(), "POST", "/api/tools/svc-connect", "", "{}").json();
    let connected = &reply["result"];
    assert_eq!((&reply["isError"], &connected["connected"]), (&json!(false), &json!(false)), "{reply}");
    assert!(
        connected["link"]["text"].as_str().is_some_and(|text| text.contains("a dialog is open in it")),
        "{connected}"
    );
    assert!(connected.get("liveSet").is_none() && reply["appended"][0].is_string(), "{connected}");
    live.live.ask("close_dialog", json!({}));
    live.wait_for("linked");
    assert_eq!(live.device.call("svc-read-track", json!({"path": "t0"}))["name"], "1-MIDI");
    live.assert_orderly();
}
