//! Arguments made from every published schema, most of them fitting and some not: whatever is sent, the answer has the
//! shape of an answer, and a call that is refused changes nothing.

use crate::support::Api;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::BoxedStrategy;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Paths of everything, by the word in a tool's name that says which of them it takes.
const PATHS: &[(&str, &[&str])] = &[
    ("track", &["t0", "t1", "t2", "rt0", "mt", "t0,t1", "rt0,rt1", "t+", "rt+", "t0/l0", "t0/l+"]),
    ("scene", &["s0", "s1", "s3", "s0,s1", "s+", "s2"]),
    (
        "clip",
        &[
            "t0/s0",
            "t0/s1",
            "t1/s0",
            "t0/s0,t1/s0",
            "t0[1|1]",
            "t0[3|1]",
            "t1/s4",
            "t0/s0,t0[1|1]",
            "t1[2|1]",
            "t0/l1[1|1]",
        ],
    ),
    (
        "device",
        &["rt0/d0", "rt1/d0", "t0/d0", "t0/inst", "t0/d0/c0", "t0/d0/pC1", "t0/d+", "mt/d0", "t0/d0/c+", "mt", "rt0"],
    ),
    (
        "live-api",
        &["live_set", "live_set tracks 0", "live_set scenes 1", "live_set tracks 0 clip_slots 0 clip", "id 1"],
    ),
    ("", &["t9", "t0/s7", "[5|1]", "t0[loc:A]", "t0/s9", "t0/s2,t1/s2"]),
];

/// Texts that fit other parameters, so that calls get past the reading of their arguments.
const FITTING: &[(&[&str], &[&str])] = &[
    (&["id", "locatorId"], &["1", "2", "5", "9", "12", "17", "20", "33", "40", "5,6", "999"]),
    (&["color"], &["#FF0000", "#00ff00,#0000FF", "#123456"]),
    (&["timeSignature"], &["3/4", "7/8", "4/4,6/8", "disabled"]),
    (&["length", "arrangementLength"], &["1bar", "n/4", "2bar+n/8", "1bar,2bar", "3bar"]),
    (
        &["start", "firstStart", "startTime", "loopStart", "loopEnd", "locatorTime", "arrangementSplit"],
        &["1|1", "2|1", "1|2.5", "3|1,5|1", "loc:A", "5|1+n/8"],
    ),
    (
        &["notes"],
        &["C3 1|1", "v90 n/8 C3 E3 1|1,2,3,4", "[]", "C3: X x . z", "[{\"p\":\"C3\",\"t\":\"1|1\",\"d\":1,\"v\":100}]"],
    ),
    (
        &["transforms", "preTransforms"],
        &["velocity += 5", "C3: delete", "timing += rand(0.1)", "pitch += clip.index", "gain = -3"],
    ),
    (&["scale"], &["C Minor", "Gb Dorian"]),
    (&["quantizePitch", "mappedPitch"], &["C3"]),
    (&["actions"], &["reverse", "warpAs(4)", "clear", "savePreset(\"\")", "f("]),
    (&["envelopes"], &["volume: 1|1 0.5 / 2|1 0.8", "pan:"]),
    (&["sendReturn", "return"], &["A", "rt0", "B", "A-Reverb"]),
    (&["type"], &["get", "set", "call", "info", "getChildren", "getProperty", "exists"]),
    (&["property"], &["tempo", "name", "is_playing", "tracks", "color"]),
    (&["device"], &["Reverb", "Operator", "Drum Rack", "Simpler", "Audio Effect Rack", "Chord"]),
    (&["value"], &["50 %", "-6 dB", "on", "1", "C3", "-inf"]),
    (&["paramSearch"], &["dry", "o"]),
    (&["content"], &["A slow song.", "A slow song.\nWith a break.", ""]),
    (&["method"], &["create_scene", "stop_all_clips", "undo", "fire"]),
];

/// Mostly paths of the tool's own kind.
fn paths(tool: &str) -> BoxedStrategy<String> {
    let all: Vec<&str> = PATHS.iter().flat_map(|(_, paths)| *paths).copied().collect();
    let own = PATHS.iter().find(|(kind, _)| tool.ends_with(kind)).map_or(&[][..], |(_, paths)| *paths);
    let any = select(all).prop_map(str::to_owned);
    let Some(there) = own.get(..2) else { return any.boxed() };
    // The first two are there from the beginning.
    let [own, there] = [own, there].map(|paths| select(paths).prop_map(str::to_owned));
    prop_oneof![4 => own, 2 => there, 1 => any].boxed()
}

fn texts(tool: &str, name: &str) -> BoxedStrategy<String> {
    if matches!(name, "path" | "toPath") {
        return paths(tool);
    }
    match FITTING.iter().find(|(names, _)| names.contains(&name)) {
        Some((_, texts)) => select(*texts).prop_map(str::to_owned).boxed(),
        None => prop_oneof![Just("a".to_owned()), Just("a,b".to_owned()), "\\PC{0,20}"].boxed(),
    }
}

/// Calls for a batch, of which some refer to the one before.
fn inner_calls() -> Vec<Value> {
    vec![
        json!({"tool": "svc-create-track", "arguments": {"path": "t+"}}),
        json!({"tool": "svc-update-track", "arguments": {"path": "t0", "name": "A"}}),
        json!({"tool": "svc-update-track", "arguments": {"id": "$1.id", "name": "B"}}),
        json!({"tool": "svc-create-clip", "arguments": {"path": "$1.path/s0", "notes": "C3 1|1"}}),
        json!({"tool": "svc-read-live-set"}),
        json!({"tool": "svc-read-track", "arguments": {"path": "t0,t1"}}),
        json!({"tool": "svc-manage", "arguments": {"action": "undo"}}),
        json!({"tool": "svc-delete", "arguments": {"type": "scene", "path": "s9", "x": "$$1.id"}}),
    ]
}

/// Values for one schema: mostly ones that it allows.
fn value(tool: &str, name: &str, schema: &Value) -> BoxedStrategy<Value> {
    let good = good_value(tool, name, schema);
    prop_oneof![
        40 => good,
        1 => Just(Value::Null),
        1 => "\\PC{0,12}".prop_map(Value::from),
        1 => select(vec![json!(""), json!("null"), json!(-1), json!(1e300), json!(0.5), json!(true), json!([]), json!({}), json!(",")]),
    ]
    .boxed()
}

fn good_value(tool: &str, name: &str, schema: &Value) -> BoxedStrategy<Value> {
    if tool == "svc-batch" && name == "calls" && schema["type"] == "object" {
        return select(inner_calls()).boxed();
    }
    if let Some(words) = schema["enum"].as_array() {
        return select(words.clone()).boxed();
    }
    let bound = |key: &str, or: f64| schema[key].as_f64().unwrap_or(or);
    match schema["type"].as_str() {
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        Some("integer") => {
            let (low, high) = (bound("minimum", -3.0) as i64, bound("maximum", 12.0) as i64);
            (low..=high).prop_map(Value::from).boxed()
        }
        Some("number") => {
            let (low, high) = (bound("minimum", -10.0), bound("maximum", 200.0));
            prop_oneof![Just(low), Just(high), low..=high].prop_map(Value::from).boxed()
        }
        Some("array") => {
            let items = schema["items"].clone();
            proptest::collection::vec(value(tool, name, &items), 0..4).prop_map(Value::from).boxed()
        }
        Some("object") => arguments(tool, schema),
        // The raw tool's values are any JSON; a text stands for it.
        _ => texts(tool, name).prop_map(Value::from).boxed(),
    }
}

/// Arguments for a schema of an object: what is required nearly always, of the rest a few, now and then something else.
fn arguments(tool: &str, schema: &Value) -> BoxedStrategy<Value> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let none = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none);
    let few = 2.0 / properties.len().max(4) as f64;
    let mut all: BoxedStrategy<Vec<(String, Value)>> = Just(Vec::new()).boxed();
    for (name, property) in properties {
        let chance = match name.as_str() {
            _ if required.contains(&json!(name)) => 0.97,
            // Only one of its actions reads them.
            "path" | "step" | "file" if tool == "svc-manage" => 0.1,
            "path" => 0.9,
            // Of its many parameters most fit only what few paths here name.
            "name" if tool == "svc-update-device" => 0.6,
            // An operation with what only others read is refused; most read a property.
            "property" if tool == "svc-live-api" => 0.6,
            "value" | "method" | "args" if tool == "svc-live-api" => 0.1,
            // A target by its number rarely fits a path of another target.
            "id" => 0.05,
            _ => few,
        };
        let one = proptest::option::weighted(chance, value(tool, name, property));
        let name = name.clone();
        all = (all, one)
            .prop_map(move |(mut list, one)| {
                list.extend(one.map(|value| (name.clone(), value)));
                list
            })
            .boxed();
    }
    (all, proptest::option::weighted(0.03, "[a-z_]{1,8}"))
        .prop_map(|(list, odd)| {
            let odd = odd.map(|name| (name, json!(1)));
            Value::Object(list.into_iter().chain(odd).collect())
        })
        .boxed()
}

/// What every answer has, whatever was asked.
fn check(status: u16, body: &Value) -> Result<bool, String> {
    match status {
        400 if body["error"].is_string() => Ok(false),
        200 => {
            let texts = |list: &Value| list.as_array().is_some_and(|list| list.iter().all(Value::is_string));
            let failed = body["isError"].as_bool().ok_or("isError is a boolean")?;
            if failed && body["result"].as_str().is_none_or(|text| text.is_empty()) {
                return Err("an error says what was wrong".to_owned());
            }
            if body.get("result").is_none() || body.get("warnings").is_some_and(|list| !texts(list)) {
                return Err("a result, and warnings are texts".to_owned());
            }
            Ok(!failed)
        }
        _ => Err(format!("status {status}")),
    }
}

/// Words like `loop_end` in what is said of a call: members of the object model, which only the raw tool speaks of.
fn inner_names(body: &Value) -> Vec<&str> {
    let mut texts = vec![&body["warnings"], &body["error"], &body["details"]];
    match &body["result"] {
        Value::Array(entries) => texts.extend(entries.iter().map(|entry| &entry["detail"])),
        Value::Object(entry) => texts.extend(entry.get("detail")),
        result => texts.push(result),
    }
    let mut found = Vec::new();
    while let Some(text) = texts.pop() {
        match text {
            Value::Array(list) => texts.extend(list),
            Value::Object(map) => texts.extend(map.values()),
            Value::String(text) => {
                let words = text.split(|c: char| !(c.is_ascii_lowercase() || c == '_'));
                found.extend(words.filter(|word| word.trim_matches('_').contains('_')));
            }
            _ => {}
        }
    }
    found
}

#[test]
fn whatever_is_sent_is_answered() {
    let api = Api::raw_enabled();
    api.ok(
        "svc-create-clip",
        json!({"path": "t0/s0,t0/s1,t1/s0", "notes": "n/8 C3 1|1.1x8@n/8 E3 2|1", "length": "2bar"}),
    );
    api.ok("svc-update-live-set", json!({"locatorOperation": "create", "locatorTime": "3|1", "locatorName": "A"}));
    for start in [0, 8] {
        api.call("live_set tracks 0", "create_midi_clip", json!([start, 4]));
    }
    let fresh = api.saved();
    let counts: Mutex<BTreeMap<String, (u32, u32)>> = Mutex::default();
    for notation in ["barbeat", "midi-json", "stark"] {
        let headers = format!("x-svc-notation: {notation}\r\nx-svc-live-api: true\r\n");
        let list = api.request("GET", "/api/tools", &headers, "").json();
        let tools: Vec<(String, BoxedStrategy<Value>)> = list["tools"]
            .as_array()
            .expect("tools")
            .iter()
            .filter(|tool| tool["name"] != "svc-test")
            .map(|tool| {
                let name = tool["name"].as_str().expect("a name");
                (name.to_owned(), arguments(name, &tool["inputSchema"]))
            })
            .collect();
        let calls = select((0..tools.len()).collect::<Vec<_>>()).prop_flat_map(move |at| {
            let name = tools[at].0.clone();
            tools[at].1.clone().prop_map(move |arguments| (name.clone(), arguments))
        });
        let config = ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() };
        let rng = proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha);
        let mut runner = proptest::test_runner::TestRunner::new_with_rng(config, rng);
        let law = |calls: Vec<(String, Value)>| {
            api.device.load_state(&fresh);
            let mut before = api.saved();
            for (tool, arguments) in calls {
                let reply = api.post(&format!("/api/tools/{tool}"), &headers, &arguments);
                let body = reply.json();
                let went = check(reply.status, &body)
                    .map_err(|why| TestCaseError::fail(format!("{tool} {arguments}: {why}: {body}")))?;
                if tool != "svc-live-api" {
                    let sent = arguments.to_string();
                    let inner = inner_names(&body).into_iter().find(|name| !sent.contains(name));
                    prop_assert!(inner.is_none(), "{tool} {arguments} names {inner:?}: {body}");
                }
                let after = api.saved();
                prop_assert!(went || after == before, "{tool} {arguments} is refused and changes the Set: {body}");
                before = after;
                let mut counts = counts.lock().expect("no panic while counting");
                let count = counts.entry(tool).or_default();
                *count = (count.0 + 1, count.1 + u32::from(went));
            }
            Ok(())
        };
        if let Err(error) = runner.run(&proptest::collection::vec(calls, 1..60), law) {
            panic!("{notation}: {error}");
        }
    }
    let counts = counts.into_inner().expect("no panic while counting");
    let (sent, accepted) = counts.values().fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1));
    println!("{accepted} of {sent} calls went well: {counts:?}");
    assert!(accepted * 10 >= sent * 3, "{accepted} of {sent}: {counts:?}");
    assert!(counts.values().all(|(_, accepted)| *accepted > 0), "{counts:?}");
}
