//! Statuses, query parameters, argument rules: what every call is held to, whatever the tool.

use crate::http::Client;
use crate::support::Api;
use serde_json::{Value, json};

#[test]
fn every_status_and_its_body() {
    let api = Api::new();
    let read = "/api/tools/svc-read-live-set";
    let raw = "/api/tools/svc-live-api";
    let big = format!(r#"{{"x":"{}"}}"#, "x".repeat(2_097_152));
    // method, target, headers, body, status, what the error names
    let cases = [
        ("GET", "/api/tools", "", "", 200, ""),
        ("GET", "/config", "", "", 200, ""),
        ("POST", read, "", "{}", 200, ""),
        ("POST", read, "", "", 400, "JSON"),
        ("POST", read, "", "{", 400, "JSON"),
        ("POST", read, "", "[]", 400, "object"),
        ("POST", read, "", "null", 400, "object"),
        ("POST", read, "", "3", 400, "object"),
        ("POST", "/api/tools/svc-read-live-set?format=xml", "", "{}", 400, "format"),
        ("POST", "/api/tools/svc-read-live-set?format=", "", "{}", 400, "format"),
        ("POST", "/api/tools/svc-read-live-set?timeoutMs=0", "", "{}", 400, "timeoutMs"),
        ("POST", "/api/tools/svc-read-live-set?timeoutMs=55001", "", "{}", 400, "timeoutMs"),
        ("POST", "/api/tools/svc-read-live-set?timeoutMs=1.5", "", "{}", 400, "timeoutMs"),
        ("POST", "/api/tools/svc-read-live-set?timeoutMs=soon", "", "{}", 400, "timeoutMs"),
        ("POST", read, "", r#"{"include":"tracks"}"#, 400, "include"),
        ("POST", "/api/tools/svc-nonsense", "", "{}", 404, "svc-nonsense"),
        ("POST", raw, "", "{}", 404, "svc-live-api"),
        ("POST", read, "x-svc-disabled-tools: svc-read-live-set\r\n", "{}", 404, "svc-read-live-set"),
        ("GET", "/nowhere", "", "", 404, "/nowhere"),
        ("GET", read, "", "", 405, "POST"),
        ("DELETE", read, "", "", 405, "POST"),
        ("POST", "/api/tools", "", "{}", 405, "GET"),
        ("PUT", "/config", "", "{}", 405, "POST"),
        ("POST", read, "", &big, 413, "2097152"),
        ("POST", "/config", "", &big, 413, "2097152"),
    ];
    for (method, target, headers, body, status, named) in cases {
        let reply = api.request(method, target, headers, body);
        let shown: String = body.chars().take(60).collect();
        assert_eq!(reply.status, status, "{method} {target} {shown}: {}", reply.json());
        if status != 200 {
            let answer = reply.json();
            let error = answer["error"].as_str().expect("error is a text");
            assert!(error.contains(named), "{method} {target} {shown}: {error:?} does not name {named}");
            assert!(answer.get("result").is_none() && answer.get("isError").is_none(), "{answer}");
        }
        if status == 405 {
            assert!(reply.header("allow").is_some_and(|allow| allow.contains(named)), "{method} {target}");
        }
    }
}

#[test]
fn the_body_must_be_called_json() {
    let api = Api::new();
    for media in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
        let mut client = Client::connect(api.addr);
        client.send(
            format!(
                "POST /api/tools/svc-connect HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: {media}\r\nContent-Length: 2\r\n\r\n{{}}",
                api.addr.port()
            )
            .as_bytes(),
        );
        let reply = client.reply().expect("an answer");
        assert_eq!(reply.status, 415, "{media}");
        assert!(reply.json()["error"].as_str().is_some_and(|e| e.contains("application/json")), "{}", reply.json());
    }
}

#[test]
fn checks_come_in_the_promised_order() {
    let api = Api::new();
    // Each request breaks every later rule too.
    let all_wrong = "?format=xml&timeoutMs=0";
    let cases = [
        ("POST", format!("/api/tools/svc-nonsense{all_wrong}"), "{", 404, "svc-nonsense"),
        ("PUT", format!("/api/tools/svc-create-clip{all_wrong}"), "{", 405, "POST"),
        ("POST", format!("/api/tools/svc-create-clip{all_wrong}"), "{", 400, "JSON"),
        ("POST", format!("/api/tools/svc-create-clip{all_wrong}"), "{}", 400, "format"),
        ("POST", "/api/tools/svc-create-clip?timeoutMs=0".to_owned(), "{}", 400, "timeoutMs"),
        ("POST", "/api/tools/svc-delete".to_owned(), "{}", 400, "type"),
    ];
    for (method, target, body, status, named) in cases {
        let reply = api.request(method, &target, "", body);
        assert_eq!(reply.status, status, "{method} {target}");
        let error = reply.json()["error"].as_str().expect("a text").to_owned();
        assert!(error.contains(named), "{method} {target}: {error}");
    }
}

/// Name, arguments, the place of the first fault, a word of the message, whether `allowed` lists the choices.
#[test]
fn a_schema_fault_says_where_what_and_what_would_be_right() {
    let api = Api::raw_enabled();
    let many: Vec<Value> = (0..51).map(|_| json!({"type": "exists"})).collect();
    let cases = [
        ("svc-delete", json!({}), "/type", "required", false),
        ("svc-delete", json!({"path": "t0", "type": null}), "/type", "required", false),
        ("svc-create-clip", json!({"path": "t0/s0", "looping": "false"}), "/looping", "true or false", false),
        ("svc-create-clip", json!({"path": "t0/s0", "looping": 1}), "/looping", "true or false", false),
        ("svc-create-clip", json!({"path": "t0/s0", "looping": ""}), "/looping", "true or false", false),
        ("svc-create-clip", json!({"path": ["t0/s0"]}), "/path", "text", false),
        ("svc-create-clip", json!({"path": "t0/s0", "notes": [{"p": 60}]}), "/notes/0", "text", false),
        ("svc-read-clip", json!({"path": "t0/s0", "include": ["nots"]}), "/include/0", "notes", true),
        ("svc-read-clip", json!({"path": "t0/s0", "include": "notes"}), "/include", "list", false),
        ("svc-read-clip", json!({"path": "t0/s0", "include": ""}), "/include", "list", false),
        ("svc-create-track", json!({"type": "group"}), "/type", "midi, audio, not", true),
        ("svc-create-track", json!({"type": ""}), "/type", "midi, audio", true),
        ("svc-delete", json!({"path": "t0"}), "/type", "required", false),
        ("svc-playback", json!({"action": "play"}), "/action", "play-scene", true),
        ("svc-live-api", json!({"path": "live_set"}), "/operations", "required", false),
        ("svc-live-api", json!({"path": "live_set", "operations": []}), "/operations", "at least 1", false),
        ("svc-live-api", json!({"path": "live_set", "operations": many}), "/operations", "at most 50", false),
        (
            "svc-live-api",
            json!({"path": "live_set", "operations": [{"type": "peek"}]}),
            "/operations/0/type",
            "getcount",
            true,
        ),
        (
            "svc-live-api",
            json!({"path": "live_set", "operations": [{"property": "tempo"}]}),
            "/operations/0/type",
            "required",
            false,
        ),
        ("svc-live-api", json!({"path": "live_set", "operations": [7]}), "/operations/0", "object", false),
    ];
    for (tool, arguments, path, word, has_allowed) in cases {
        let body = api.bad(tool, arguments.clone());
        let fault = &body["details"][0];
        assert_eq!(fault["path"], path, "{tool} {arguments}: {body}");
        let message = fault["message"].as_str().expect("a text");
        assert!(message.contains(word), "{tool} {arguments}: {message}");
        assert_eq!(fault["allowed"].is_array(), has_allowed, "{tool} {arguments}: {fault}");
        let error = body["error"].as_str().expect("a text");
        assert!(error.contains(tool) && error.contains(message), "{error}");
        // A caller reads the argument's own name, not a pointer alone.
        let name = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        assert!(message.contains(name), "{tool} {arguments}: {message}");
    }
    // Every fault is told at once.
    let body = api.bad("svc-create-clip", json!({"looping": "yes", "name": [], "path": "t0/s0", "gainDb": 25}));
    assert_eq!(body["details"].as_array().map(Vec::len), Some(3), "{body}");
}

#[test]
fn a_long_wrong_value_is_not_sent_back_whole() {
    let api = Api::new();
    let body = api.bad("svc-delete", json!({"type": "x".repeat(100_000)}));
    assert!(body.to_string().len() < 2_000, "{} bytes", body.to_string().len());
}

#[test]
fn unknown_arguments_are_dropped_with_the_fixed_warning() {
    let api = Api::new();
    let cases = [
        (json!({"pth": "t0"}), json!(["ignored unexpected argument(s): pth"])),
        (json!({"a": 1, "include": [], "b": null}), json!(["ignored unexpected argument(s): a, b"])),
    ];
    for (arguments, warnings) in cases {
        let envelope = api.envelope("svc-read-live-set", "", &arguments);
        assert_eq!((&envelope["isError"], &envelope["warnings"]), (&json!(false), &warnings), "{arguments}");
    }
    let envelope = api.envelope("svc-read-live-set", "", &json!({}));
    assert!(envelope.get("warnings").is_none() && envelope.get("appended").is_none(), "{envelope}");
}

#[test]
fn null_is_not_sent() {
    let api = Api::new();
    let with_nulls =
        json!({"path": "t0/s0", "name": null, "timeSignature": null, "length": null, "looping": null, "notes": null});
    let entry = api.ok("svc-create-clip", with_nulls);
    assert_eq!(entry["length"], "1bar");
    assert!(
        api.refused("svc-update-clip", json!({"path": "t0/s0", "name": null, "notes": null})).contains("name, notes")
    );
    api.ok("svc-read-clip", json!({"path": "t0/s0", "id": null, "include": null}));
}

#[test]
fn scalars_are_brought_to_the_published_type() {
    let api = Api::new();
    let id = api.ok("svc-read-track", json!({"path": "t0"}))["id"].clone();
    assert!(id.is_string(), "an id is a text: {id}");
    let number: i64 = id.as_str().and_then(|id| id.parse().ok()).expect("digits");
    // A bare number for an id, a number as a name, a list as its JSON text.
    assert_eq!(api.ok("svc-read-track", json!({"id": number}))["id"], id);
    api.ok("svc-update-track", json!({"id": number, "name": 808}));
    let track = api.ok("svc-read-track", json!({"path": "t0", "include": "[\"color\"]"}));
    assert_eq!(track["name"], "808");
    assert!(track["color"].is_string(), "{track}");
}

#[test]
fn formats_give_the_same_data() {
    let api = Api::new();
    let compact = |target: &str, body: Value| api.post(target, "", &body).json();
    let json_of = api.ok("svc-read-live-set", json!({}));
    let text = compact("/api/tools/svc-read-live-set?format=compact", json!({}));
    assert_eq!(
        text,
        json!({"result": "{tempo:120,timeSignature:\"4/4\",sceneCount:8,regularTrackCount:4,returnTrackCount:2}", "isError": false})
    );
    assert_eq!(json_of["tempo"], 120);
    let warned = compact("/api/tools/svc-read-live-set?format=compact", json!({"x": 1}));
    let result = warned["result"].as_str().expect("compact is a text");
    assert!(result.ends_with("\nWARNING: ignored unexpected argument(s): x"), "{result}");
    assert!(warned.get("warnings").is_none(), "{warned}");
    let connected = compact("/api/tools/svc-connect?format=compact", json!({}));
    assert!(connected.get("appended").is_none(), "blocks are inside the result");
    assert!(connected["result"].as_str().is_some_and(|text| text.contains("\n# ")), "{connected}");
    // A refusal is a plain text in either format.
    for format in ["json", "compact"] {
        let refused = compact(&format!("/api/tools/svc-read-track?format={format}"), json!({"path": "t9"}));
        assert_eq!(refused, json!({"result": "t9: this Set has 4 regular tracks, counted from 0", "isError": true}));
    }
}

#[test]
fn connect_always_appends_skills_and_a_next_step() {
    let api = Api::new();
    let envelope = api.envelope("svc-connect", "", &json!({}));
    let result = &envelope["result"];
    assert_eq!(result["connected"], true);
    assert_eq!(result["host"], "embedded");
    assert_eq!(result["instance"], "test");
    assert!(result["svcVersion"].is_string() && result["abletonLiveVersion"].is_string(), "{result}");
    assert_eq!(result["liveSet"], api.ok("svc-read-live-set", json!({})));
    let appended = envelope["appended"].as_array().expect("appended");
    assert_eq!(appended.len(), 2);
    assert!(appended[1].as_str().is_some_and(|next| next.contains("project context")), "names the empty layer");

    api.post("/config", "", &json!({"projectContext": "A slow song."}));
    let envelope = api.envelope("svc-connect", "", &json!({}));
    let appended = envelope["appended"].as_array().expect("appended");
    assert_eq!(appended.len(), 3);
    assert_eq!(appended[1], "Project context (this Live Set):\n\nA slow song.");
    assert!(appended[2].as_str().is_some_and(|next| !next.contains("Nothing is stored")), "{}", appended[2]);
}

#[cfg(feature = "test-tools")]
mod misbehaving {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn a_timeout_is_504_and_leaves_the_set_as_it_was() {
        let api = Api::new();
        api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
        let before = api.saved();
        let started = Instant::now();
        let reply = api.post("/api/tools/svc-test?timeoutMs=80", "", &json!({"behave": "sleep", "sleep": "600"}));
        assert!(started.elapsed() < Duration::from_millis(500), "the clock wins: {:?}", started.elapsed());
        assert_eq!(reply.status, 504);
        let body = reply.json();
        assert_eq!(body["errorCode"], "timeout");
        assert!(body["error"].as_str().is_some_and(|e| e.contains("svc-test") && e.contains("80 ms")), "{body}");
        assert_eq!(body.as_object().map(serde_json::Map::len), Some(2), "no partial results: {body}");
        // The first of these calls waits for the sleeper to end.
        assert_eq!(api.get("live_set", "tempo"), json!([120]));
        let set = api.ok("svc-read-live-set", json!({}));
        assert_eq!((&set["tempo"], &set["sceneCount"]), (&json!(120), &json!(8)));
        assert_eq!(api.saved(), before);
        assert_eq!(api.get("live_set", "can_redo"), json!([0]));
    }

    #[test]
    fn the_devices_own_timeout_counts_too() {
        let api = Api::new();
        assert_eq!(api.post("/config", "", &json!({"timeoutMs": 60})).status, 200);
        assert_eq!(api.post("/api/tools/svc-test", "", &json!({"behave": "sleep", "sleep": "300"})).status, 504);
        let reply = api.post("/api/tools/svc-test?timeoutMs=5000", "", &json!({"behave": "sleep", "sleep": "100"}));
        assert_eq!(reply.status, 200, "the request's own wins: {}", reply.json());
    }

    #[test]
    fn a_panic_is_500_and_leaves_the_set_as_it_was() {
        let api = Api::new();
        let before = api.saved();
        let reply = api.post("/api/tools/svc-test", "", &json!({"behave": "panic"}));
        assert_eq!(reply.status, 500);
        let body = reply.json();
        assert!(body["error"].is_string() && body.get("errorCode").is_none(), "{body}");
        assert!(!body.to_string().contains(".rs"), "no stack trace: {body}");
        assert_eq!(api.saved(), before);
        assert_eq!(api.ok("svc-read-live-set", json!({}))["sceneCount"], 8);
    }

    #[test]
    fn a_failing_tool_is_200_and_leaves_the_set_as_it_was() {
        let api = Api::new();
        assert_eq!(api.refused("svc-test", json!({"behave": "fail"})), "failed as asked");
        assert_eq!(api.ok("svc-test", json!({"behave": "well"}))["thread"], "svc-model");
        assert_eq!(api.ok("svc-read-live-set", json!({}))["sceneCount"], 9);
    }

    #[test]
    fn a_full_queue_is_503_and_the_next_call_after_it_is_served() {
        let api = Api::new();
        let addr = api.addr;
        let holder = std::thread::spawn(move || {
            let target = "/api/tools/svc-test?timeoutMs=20000";
            Client::connect(addr).request("POST", target, "", r#"{"behave":"sleep","sleep":"4000"}"#).status
        });
        // Calls whose time is up still hold their place until the Set is free.
        let mut client = Client::connect(api.addr);
        let body = r#"{"name":"Late","path":"t0"}"#;
        let mut timed_out = 0;
        let full = loop {
            let reply = client.request("POST", "/api/tools/svc-update-track?timeoutMs=1", "", body);
            match reply.status {
                504 => timed_out += 1,
                // Before the holder came.
                200 => {}
                _ => break reply,
            }
            assert!(timed_out < 400, "the queue is bounded");
        };
        assert_eq!(full.status, 503);
        let answer = full.json();
        assert!(answer["error"].as_str().is_some_and(|e| e.contains("256") && e.contains("try again")), "{answer}");
        assert!(timed_out >= 256, "{timed_out}");
        let listed = client.request("GET", "/api/tools", "", "");
        assert_eq!(listed.status, 200, "what needs no Set is served all the same");
        assert_eq!(holder.join().expect("the holder ends"), 200);
        // The holder's answer may be here before the calls that waited behind it are thrown away.
        let served = loop {
            let reply = client.request("POST", "/api/tools/svc-read-track", "", r#"{"path": "t0"}"#);
            if reply.status != 503 {
                break reply.json();
            }
        };
        let track = &served["result"];
        assert!(["1-MIDI", "Late"].contains(&track["name"].as_str().unwrap_or_default()), "{track}");
    }

    /// A call that gets the Set with less than a tenth of its time left begins nothing new. With nothing done that is a
    /// time-out; a read of one target runs to its end.
    #[test]
    fn a_call_that_comes_to_nothing_in_time_is_504() {
        let api = Api::new();
        api.ok("svc-create-clip", json!({"path": "t0/s0,t1/s0", "length": "1bar"}));
        let before = api.saved();
        let addr = api.addr;
        let post =
            move |target: &str, body: Value| Client::connect(addr).request("POST", target, "", &body.to_string());
        let calls = [
            // Too long to be small, so that it waits for its turn.
            ("svc-read-track", json!({"path": vec!["t0,t1"; 200].join(",")}), false),
            ("svc-read-clip", json!({"path": format!("t0/s0{}", " ".repeat(1100))}), true),
            ("svc-update-track", json!({"path": "t0", "name": "X"}), false),
            ("svc-update-track", json!({"path": "t0,t1", "name": "X"}), false),
            ("svc-update-clip", json!({"path": "t0/s0,t1/s0", "name": "X"}), false),
            ("svc-create-clip", json!({"path": "t0/s1,t1/s1"}), false),
            ("svc-create-track", json!({"path": "t+,t+"}), false),
            ("svc-delete", json!({"type": "clip", "path": "t0/s0,t1/s0"}), false),
            ("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0,t1/s0"}), false),
        ];
        std::thread::scope(|scope| {
            let holder = json!({"behave": "sleep", "sleep": "9500"});
            let holder = scope.spawn(move || post("/api/tools/svc-test?timeoutMs=3500", holder).status);
            // Nothing outside tells that the holder has the Set; the times below leave it 400 ms either way.
            std::thread::sleep(Duration::from_millis(100));
            let waiting: Vec<_> = calls
                .iter()
                .map(|(tool, arguments, runs)| {
                    let target = format!("/api/tools/{tool}?timeoutMs=10000");
                    (tool, runs, scope.spawn(move || post(&target, arguments.clone())))
                })
                .collect();
            for (tool, runs, reply) in waiting {
                let reply = reply.join().expect("an answer");
                let body = reply.json();
                if *runs {
                    assert!(body["result"]["id"].is_string(), "{tool}: {body}");
                } else {
                    assert_eq!((reply.status, &body["errorCode"]), (504, &json!("timeout")), "{tool}: {body}");
                    assert!(body["error"].as_str().is_some_and(|e| e.contains("10000 ms")), "{tool}: {body}");
                    assert_eq!(body.as_object().map(serde_json::Map::len), Some(2), "no partial results: {body}");
                }
            }
            assert_eq!(holder.join().expect("an answer"), 504);
        });
        assert_eq!(api.saved(), before);
    }

    /// Whatever time it has: 504 is of a call that did nothing, and what did something says what it did not come to.
    #[test]
    fn what_is_done_in_part_is_200_and_says_what_was_not_reached() {
        let api = Api::new();
        let notes: Vec<String> = (0..6_000).map(|at| format!("C{} {}|1", at % 7, at + 1)).collect();
        let slots = (0..8).map(|scene| format!("t0/s{scene}")).collect::<Vec<_>>().join(",");
        api.ok("svc-create-clip", json!({"path": slots, "notes": notes.join(" ")}));
        let raised = json!({"path": slots, "transforms": "velocity += 1"});
        let mut seen = [false; 3];
        let mut timeout_ms = 1;
        while !seen[2] {
            let before = api.saved();
            let reply = api.post(&format!("/api/tools/svc-update-clip?timeoutMs={timeout_ms}"), "", &raised);
            let body = reply.json();
            let entries = body["result"].as_array().map_or(&[][..], Vec::as_slice);
            let reached = entries.iter().filter(|entry| entry.get("ok").is_none()).count();
            for entry in entries.iter().filter(|entry| entry.get("ok").is_some()) {
                assert!(entry["detail"].as_str().is_some_and(|d| d.contains("send it again")), "{entry}");
            }
            match (reply.status, reached) {
                (504, _) => assert_eq!((&body["errorCode"], api.saved()), (&json!("timeout"), before), "{body}"),
                (200, 1..) => assert_ne!(api.saved(), before, "{body}"),
                _ => panic!("{timeout_ms} ms: {body}"),
            }
            seen[usize::from(reached > 0) + usize::from(reached == 8)] = true;
            timeout_ms += 1 + timeout_ms / 20;
        }
        // Whether some time lies between too little and enough hangs on the machine.
        assert!(seen[0], "1 ms is too little");
    }
}
