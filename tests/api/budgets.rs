//! What one call may use up: targets, the details of a refusal, objects, time. Sizes and counts are compared, never
//! times.

use crate::support::Api;
use serde_json::{Value, json};

fn named(one: &str, count: usize) -> String {
    vec![one; count].join(",")
}

/// A target that names what a later one names again, and nothing landed there: each entry says why once, not what all
/// later ones said.
#[test]
fn entries_left_to_a_later_one_do_not_quote_each_other() {
    let api = Api::new();
    api.ok("svc-create-track", json!({"path": "rt+"}));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    api.ok("svc-create-device", json!({"path": "t0", "device": "Simpler"}));
    for (tool, path, asked) in [
        ("svc-update-track", "rt0", json!({"arm": true})),
        ("svc-update-clip", "t0/s0", json!({"gainDb": -3})),
        ("svc-update-device", "t0/d0", json!({"gainDb": -3})),
    ] {
        let bytes = |count: usize| {
            let mut arguments = asked.clone();
            arguments["path"] = json!(named(path, count));
            let envelope = api.envelope(tool, "", &arguments);
            let list = envelope["result"].as_array().expect("a list").clone();
            assert_eq!(list.len(), count);
            for entry in &list[..count - 1] {
                let detail = entry["detail"].as_str().expect("a detail");
                assert_eq!((&entry["ok"], detail.matches("left to").count()), (&json!(false), 1), "{tool}: {entry}");
            }
            envelope.to_string().len()
        };
        let (half, whole) = (bytes(150), bytes(300));
        assert!(whole < half * 21 / 10, "{tool}: {half} bytes of 150 targets, {whole} of 300");
    }
}

/// Every tool with a list of words or of objects, sent one that is all wrong.
#[test]
fn a_refusal_lists_twenty_faults_and_counts_the_rest() {
    let api = Api::raw_enabled();
    for (tool, name, item) in [
        ("svc-read-live-set", "include", json!(1)),
        ("svc-read-track", "include", json!("x")),
        ("svc-read-clip", "include", json!("x")),
        ("svc-update-device", "actions", json!(1)),
        ("svc-update-device", "params", json!({"name": 1})),
        ("svc-update-track", "sends", json!({})),
        ("svc-live-api", "operations", json!({})),
        ("svc-library", "searches", json!({"kind": 1})),
    ] {
        for count in [40, 900, 100_000] {
            let mut arguments = json!({"path": "t0"});
            arguments[name] = Value::Array(vec![item.clone(); count]);
            let bad = api.bad(tool, arguments);
            let details = bad["details"].as_array().expect("details");
            assert!(details.len() <= 21, "{tool} {name} × {count}: {} details", details.len());
            assert!(bad.to_string().len() < 16_000, "{tool} {name} × {count}: {} bytes", bad.to_string().len());
        }
    }
    let bad = api.bad("svc-read-live-set", json!({"include": vec![1; 40]}));
    assert_eq!(bad["details"].as_array().map(Vec::len), Some(21));
    assert_eq!(bad["details"][20], json!({"path": "", "message": "60 more faults are not listed"}));
    assert!(bad["error"].as_str().is_some_and(|text| text.ends_with(" more") && text.len() < 600), "{bad}");
    // What is ignored is listed up to an end too.
    let unknown: Value = (0..1_000).map(|at| (format!("x{at:03}"), json!(1))).collect::<serde_json::Map<_, _>>().into();
    let envelope = api.envelope("svc-read-live-set", "", &unknown);
    let warning = envelope["warnings"][0].as_str().expect("a warning");
    assert!(warning.len() < 400 && warning.ends_with("and 995 more"), "{warning}");
}

/// Every tool that takes a list of targets.
#[test]
fn a_call_names_a_thousand_targets_at_most() {
    let api = Api::new();
    let cases = [
        ("svc-read-clip", "path", "t0/s0", json!({})),
        ("svc-read-track", "path", "t0", json!({})),
        ("svc-read-scene", "path", "s0", json!({})),
        ("svc-read-device", "path", "t0/d0", json!({})),
        ("svc-read-clip", "id", "5", json!({})),
        ("svc-update-clip", "path", "t0/s0", json!({"name": "X"})),
        ("svc-update-track", "path", "t0", json!({"name": "X"})),
        ("svc-update-scene", "path", "s0", json!({"name": "X"})),
        ("svc-update-device", "path", "t0/d0", json!({"name": "X"})),
        ("svc-create-clip", "path", "t0/s0", json!({"notes": "C3 1|1"})),
        ("svc-create-device", "path", "t0", json!({"device": "Reverb"})),
        ("svc-delete", "path", "t0/s0", json!({"type": "clip"})),
        ("svc-duplicate", "path", "t0/s0", json!({"type": "clip", "toPath": "t1"})),
        ("svc-playback", "path", "t0/s0", json!({"action": "play-session-clips"})),
        ("svc-update-live-set", "locatorTime", "1|1", json!({"locatorOperation": "create"})),
    ];
    for (tool, list, one, asked) in cases {
        let mut arguments = asked.clone();
        arguments[list] = json!(named(one, 1_001));
        let text = api.refused(tool, arguments.clone());
        for word in [list, "1001", "1000"] {
            assert!(text.contains(word), "{tool}: {text}");
        }
        assert!(text.len() < 400, "{tool}: {text}");
        arguments[list] = json!(named(one, 1_000));
        let envelope = api.envelope(tool, "", &arguments);
        let refusal = envelope["result"].as_str().unwrap_or_default();
        assert!(!refusal.contains("at most 1000"), "{tool}: {refusal}");
    }
    // Both lists together are one call's.
    let both = json!({"path": named("t0", 600), "id": named("5", 600)});
    assert!(api.refused("svc-read-track", both).contains("1200"));
    let listed = api.request("GET", "/api/tools", "", "").json();
    for tool in listed["tools"].as_array().expect("a list") {
        let properties = tool["inputSchema"]["properties"].as_object().expect("properties");
        for (name, schema) in properties {
            let about = schema["description"].as_str().unwrap_or_default();
            if about.contains("comma-separated") {
                assert!(about.contains("up to 1000"), "{} {name}: {about}", tool["name"]);
            }
        }
    }
}

/// It is read and written out once, and repeated.
#[test]
fn what_a_read_names_twice_is_repeated() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "8bar", "notes": "C3 1|1,2,3,4 D3 2|1,2,3,4"}));
    api.ok("svc-create-device", json!({"path": "t0", "device": "Simpler"}));
    for (tool, path, include) in [
        ("svc-read-clip", "t0/s0", "notes"),
        ("svc-read-track", "t0", "session-clips"),
        ("svc-read-scene", "s0", "clips"),
        ("svc-read-device", "t0/d0", "params"),
    ] {
        let one = api.ok(tool, json!({"path": path, "include": [include]}));
        let id = one["id"].as_str().expect("an id");
        let list = api.ok(tool, json!({"path": named(path, 3), "id": id, "include": [include]}));
        assert_eq!(list, json!([one, one, one, one]), "{tool}");
    }
}

#[test]
fn lists_of_settings_have_an_end() {
    let api = Api::new();
    let param = json!({"name": "Dry/Wet", "value": "1"});
    for (tool, arguments, path, most) in [
        ("svc-update-device", json!({"path": "t0/d0", "params": vec![param.clone(); 1_001]}), "/params", "1000"),
        ("svc-update-device", json!({"path": "t0/d0", "actions": vec!["reverse"; 1_001]}), "/actions", "1000"),
        (
            "svc-update-track",
            json!({"path": "t0", "sends": vec![json!({"return": "A", "gainDb": 0}); 1_001]}),
            "/sends",
            "1000",
        ),
        ("svc-read-track", json!({"path": "t0", "include": vec!["notes"; 101]}), "/include", "100"),
    ] {
        let bad = api.bad(tool, arguments);
        assert_eq!(bad["details"][0]["path"], path);
        assert!(bad["details"][0]["message"].as_str().is_some_and(|text| text.contains(most)), "{tool}: {bad}");
    }
    let sends = json!({"path": named("t0", 1_000), "sends": vec![json!({"return": "A", "gainDb": 0}); 21]});
    assert!(api.refused("svc-update-track", sends).contains("20000"));
    let params: Vec<Value> = (0..21).map(|at| json!({"name": format!("x{at}"), "value": "1"})).collect();
    assert!(
        api.refused("svc-update-device", json!({"path": named("t0/d0", 1_000), "params": params})).contains("20000")
    );
}

/// A clip of a hundred thousand notes on the first slots of a track, as many as are asked for.
fn with_long_clips(count: usize) -> Api {
    let api = Api::new();
    let made = api.envelope("svc-create-clip", "", &json!({"path": "t0/s0", "notes": "C3 1|1x100000@n/64"}));
    assert_eq!(made["result"]["noteCount"], 100_000, "{made}");
    if count > 8 {
        api.ok("svc-create-scene", json!({"path": named("s+", count - 8)}));
    }
    if count > 1 {
        let places: Vec<String> = (1..count).map(|at| format!("t0/s{at}")).collect();
        api.ok("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": places.join(",")}));
    }
    api
}

#[test]
fn an_answer_has_an_end() {
    let api = with_long_clips(1);
    let read = |count: usize| {
        let arguments = json!({"path": named("t0/s0", count), "include": ["notes"]});
        let reply = api.post("/api/tools/svc-read-clip", "x-svc-notation: midi-json\r\n", &arguments);
        (reply.status, reply.json())
    };
    let (status, one) = read(1);
    assert_eq!((status, &one["isError"]), (200, &json!(false)));
    let length = one.to_string().len();
    let (status, refused) = read(16 * 1024 * 1024 / length + 1);
    assert_eq!((status, &refused["isError"]), (200, &json!(true)));
    assert!(refused["result"].as_str().is_some_and(|text| text.contains("16 MB")), "{refused}");
}

/// Wherever a tool works without end, its thread is free once the call has timed out.
#[test]
fn a_call_that_timed_out_leaves_the_model_thread_free() {
    let api = Api::new();
    for place in ["prepare", "apply", "finish"] {
        // One more than there are workers.
        for _ in 0..3 {
            let arguments = json!({"behave": "well", "endless": place});
            let reply = api.post("/api/tools/svc-test?timeoutMs=100", "", &arguments);
            let body = reply.json();
            assert_eq!(reply.status, 504, "{place}: {body}");
            let error = body["error"].as_str().unwrap_or_default();
            assert!(error.contains("100 ms") && error.contains("timeoutMs"), "{place}: {error}");
        }
    }
    // On the model thread, and on a worker.
    api.ok("svc-update-live-set", json!({"tempo": 99}));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": format!("C3 1|1 //{}", "x".repeat(20_000))}));
}

#[test]
fn a_set_holds_two_million_notes() {
    let api = with_long_clips(20);
    let more = json!({"type": "clip", "path": "t0/s0", "toPath": "t1/s0"});
    let refused = api.envelope("svc-duplicate", "", &more);
    let text = refused["result"].as_str().unwrap_or_default();
    assert!(refused["isError"] == true && text.contains("2000000"), "{text}");
    let one = api.envelope("svc-create-clip", "", &json!({"path": "t1/s0", "notes": "C3 1|1"}));
    assert!(one["result"].to_string().contains("2000000"), "{one}");
    api.ok("svc-delete", json!({"type": "clip", "path": "t0/s1"}));
    api.ok("svc-duplicate", more);
}
