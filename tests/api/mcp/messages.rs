//! What the endpoint takes and refuses, before any tool has a word.

use super::{BOTH_TYPES, LEGACY, MODERN, ask, ask_with, initialize, meta, post, request};
use crate::http::Client;
use crate::support::Api;
use serde_json::{Value, json};

/// Status and JSON-RPC error code.
fn refusal(api: &Api, headers: &str, body: &str) -> (u16, i64) {
    let reply = post(api, headers, body);
    let error = reply.json();
    assert_eq!(error["jsonrpc"], "2.0", "{error}");
    assert!(error["error"]["message"].as_str().is_some_and(|text| !text.is_empty()), "{error}");
    (reply.status, error["error"]["code"].as_i64().expect("a code"))
}

#[test]
fn a_handshake_agrees_on_a_version_and_leaves_nothing() {
    let api = Api::new();
    let cases = [
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        // What has no handshake, is too old, or is unknown: the newest that has one.
        ("2026-07-28", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ];
    for (asked, agreed) in cases {
        let reply = post(&api, BOTH_TYPES, &initialize(asked).to_string());
        assert_eq!(reply.status, 200, "{asked}");
        let result = &reply.json()["result"];
        assert_eq!(result["protocolVersion"], agreed, "{asked}");
        assert_eq!(result["serverInfo"]["name"], "svc-device");
        assert_eq!(result["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        assert!(result["capabilities"]["tools"].is_object(), "{result}");
        assert!(
            result["instructions"].as_str().is_some_and(|text| text.contains("Call svc-connect first")),
            "{result}"
        );
    }
    let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(post(&api, BOTH_TYPES, &done.to_string()).status, 202);
    for version in LEGACY {
        assert_eq!(ask(&api, version, "", "ping", json!({})), json!({}));
    }
}

#[test]
fn instructions_do_not_name_a_tool_that_is_withheld() {
    let api = Api::new();
    let headers = format!("{BOTH_TYPES}x-svc-disabled-tools: svc-connect\r\n");
    let legacy = post(&api, &headers, &initialize("2025-11-25").to_string()).json();
    let modern = ask(&api, MODERN, "x-svc-disabled-tools: svc-connect\r\n", "server/discover", json!({}));
    for text in [&legacy["result"]["instructions"], &modern["instructions"]] {
        assert!(text.as_str().is_some_and(|text| !text.is_empty() && !text.contains("svc-connect")), "{text}");
    }
}

#[test]
fn discovery_stands_in_for_the_handshake() {
    let api = Api::new();
    let found = ask(&api, MODERN, "", "server/discover", json!({}));
    assert_eq!(found["supportedVersions"], json!([LEGACY[0], LEGACY[1], LEGACY[2], MODERN]));
    assert!(found["capabilities"]["tools"].is_object());
    assert!(found["instructions"].as_str().is_some_and(|text| text.contains("Call svc-connect first")));
    assert_eq!(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "svc-device");
    assert_eq!((&found["ttlMs"], &found["cacheScope"]), (&json!(0), &json!("private")));
}

#[test]
fn only_post_is_served() {
    let api = Api::new();
    for method in ["GET", "DELETE", "PUT"] {
        let reply = Client::connect(api.addr).request(method, "/mcp", BOTH_TYPES, "");
        assert_eq!((reply.status, reply.header("allow")), (405, Some("POST, OPTIONS")), "{method}");
        let body = reply.json();
        assert_eq!((&body["error"]["code"], &body["id"]), (&json!(-32000), &Value::Null), "{method}");
    }
}

#[test]
fn bodies_that_are_no_message() {
    let api = Api::new();
    let deep = format!("{}{}", "[".repeat(2000), "]".repeat(2000));
    let deep_arguments = request("tools/call", &json!({"name": "svc-connect", "arguments": {"a": 0}}))
        .to_string()
        .replace("\"a\":0", &format!("\"a\":{deep}"));
    let cases = [
        ("", (400, -32700)),
        ("{", (400, -32700)),
        ("\u{feff}{}", (400, -32700)),
        (deep.as_str(), (400, -32700)),
        (deep_arguments.as_str(), (400, -32700)),
        ("null", (400, -32600)),
        ("\"ping\"", (400, -32600)),
        ("{}", (400, -32600)),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, (400, -32600)),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, (400, -32600)),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, (400, -32600)),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, (400, -32600)),
        (r#"{"jsonrpc":"2.0","id":1}"#, (400, -32600)),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, (400, -32600)),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, (400, -32600)),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#, (400, -32600)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, (400, -32602)),
        ("[]", (400, -32600)),
    ];
    for (body, expected) in cases {
        let start: String = body.chars().take(80).collect();
        assert_eq!(refusal(&api, BOTH_TYPES, body), expected, "{start}");
    }
    // The id comes back when it could be read.
    let body = post(&api, BOTH_TYPES, r#"{"jsonrpc":"1.0","id":"me","method":"ping"}"#).json();
    assert_eq!(body["id"], "me");
}

#[test]
fn methods_and_their_parameters() {
    let api = Api::new();
    let cases = [
        ("nonsense", json!({}), -32601),
        ("resources/unsubscribe", json!({}), -32601),
        ("tools/call", json!({}), -32602),
        ("tools/call", json!({"name": 5}), -32602),
        ("tools/call", json!({"name": "svc-connect", "arguments": [1]}), -32602),
        ("tools/call", json!({"name": "svc-nonsense"}), -32602),
        ("tools/list", json!({"cursor": "next"}), -32602),
        ("initialize", json!({}), -32602),
    ];
    for (method, params, code) in cases {
        for version in LEGACY {
            let reply = ask_with(&api, version, "", method, params.clone());
            let body = reply.json();
            assert_eq!((reply.status, body["error"]["code"].as_i64()), (200, Some(code)), "{version} {method}: {body}");
            assert_eq!(body["id"], 7, "{method}");
            if code == -32601 {
                assert_eq!(body["error"]["message"], format!("There is no method `{method}` here."), "{version}");
            }
        }
    }
    // 2026-07-28 has no ping, and says 404 to what it does not know.
    let mut params = initialize(MODERN)["params"].take();
    params["level"] = json!("info");
    for method in ["nonsense", "ping", "logging/setLevel", "initialize"] {
        let reply = ask_with(&api, MODERN, "", method, params.clone());
        let body = reply.json();
        assert_eq!((reply.status, &body["error"]["code"]), (404, &json!(-32601)), "{method}: {body}");
        assert_eq!(body["error"]["message"], format!("There is no method `{method}` here."));
        assert_eq!(body["id"], 7, "{method}");
    }
    let reply = ask_with(&api, MODERN, "", "tools/call", json!({"name": "svc-nonsense"}));
    assert_eq!(reply.json()["error"]["code"], -32602);
}

#[test]
fn versions_and_headers_of_a_request_without_handshake() {
    let api = Api::new();
    let list = |version: &str| request("tools/list", &json!({"_meta": meta(version)})).to_string();
    let call =
        request("tools/call", &json!({"name": "svc-connect", "arguments": {}, "_meta": meta(MODERN)})).to_string();
    let bare = request("tools/list", &json!({})).to_string();
    let mut poor = meta(MODERN);
    poor.as_object_mut().expect("an object").remove("io.modelcontextprotocol/clientCapabilities");
    let poor = request("tools/list", &json!({ "_meta": poor })).to_string();
    let version = format!("MCP-Protocol-Version: {MODERN}\r\n");
    let with = |rest: &str| format!("{version}{rest}");
    let cases = [
        // headers, body, status and code; 0 is an answer
        (with("Mcp-Method: tools/list\r\n"), &list(MODERN), (200, 0)),
        (version.clone(), &list(MODERN), (400, -32020)),
        (with("Mcp-Method: tools/call\r\n"), &list(MODERN), (400, -32020)),
        (with("Mcp-Method: tools/list\r\nMcp-Method: tools/list\r\n"), &list(MODERN), (400, -32020)),
        ("Mcp-Method: tools/list\r\n".to_owned(), &list(MODERN), (400, -32020)),
        ("MCP-Protocol-Version: 2025-11-25\r\nMcp-Method: tools/list\r\n".to_owned(), &list(MODERN), (400, -32020)),
        (with("Mcp-Method: tools/call\r\nMcp-Name: svc-connect\r\n"), &call, (200, 0)),
        // The same name in the encoding for what a header cannot carry.
        (with("Mcp-Method: tools/call\r\nMcp-Name: =?base64?c3ZjLWNvbm5lY3Q=?=\r\n"), &call, (200, 0)),
        (with("Mcp-Method: tools/call\r\n"), &call, (400, -32020)),
        (with("Mcp-Method: tools/call\r\nMcp-Name: svc-delete\r\n"), &call, (400, -32020)),
        (with("Mcp-Method: tools/list\r\n"), &bare, (400, -32602)),
        (with("Mcp-Method: tools/list\r\n"), &poor, (400, -32602)),
        (
            "MCP-Protocol-Version: 2027-01-01\r\nMcp-Method: tools/list\r\n".to_owned(),
            &list("2027-01-01"),
            (400, -32022),
        ),
        ("MCP-Protocol-Version: 2024-11-05\r\n".to_owned(), &bare, (400, -32022)),
        ("MCP-Protocol-Version: nonsense\r\n".to_owned(), &bare, (400, -32022)),
        ("MCP-Protocol-Version: 2025-11-25\r\nMCP-Protocol-Version: 2025-11-25\r\n".to_owned(), &bare, (400, -32022)),
        // No version: the oldest.
        (String::new(), &bare, (200, 0)),
    ];
    for (headers, body, expected) in cases {
        let reply = post(&api, &format!("{BOTH_TYPES}{headers}"), body);
        let code = reply.json()["error"]["code"].as_i64().unwrap_or(0);
        assert_eq!((reply.status, code), expected, "{headers} {body}: {}", reply.json());
        assert_eq!(reply.json()["id"], 7);
    }
    let told = post(&api, "MCP-Protocol-Version: 2024-11-05\r\n", &bare).json();
    let data = &told["error"]["data"];
    assert_eq!(data, &json!({"requested": "2024-11-05", "supported": [LEGACY[0], LEGACY[1], LEGACY[2], MODERN]}));
}

#[test]
fn batches_are_of_the_first_version_alone() {
    let api = Api::new();
    let ping = |id: u32| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let mixed = json!([ping(1), note, initialize("2025-03-26"), {"jsonrpc": "2.0", "id": 3}, ping(4)]).to_string();
    for headers in ["", "MCP-Protocol-Version: 2025-03-26\r\n"] {
        let reply = post(&api, headers, &mixed);
        assert_eq!(reply.status, 200);
        let answers = reply.json();
        let brief: Vec<(Value, Value)> = answers
            .as_array()
            .expect("a batch")
            .iter()
            .map(|answer| (answer["id"].clone(), answer.get("result").unwrap_or(&answer["error"]["code"]).clone()))
            .collect();
        let expected =
            [(json!(1), json!({})), (json!(7), json!(-32600)), (json!(3), json!(-32600)), (json!(4), json!({}))];
        assert_eq!(brief, expected);
        assert_eq!(post(&api, headers, &json!([note, note]).to_string()).status, 202);
        let many: Vec<Value> = (0..101).map(ping).collect();
        assert_eq!(refusal(&api, headers, &json!(many).to_string()), (400, -32600));
    }
    for version in ["2025-06-18", "2025-11-25", MODERN] {
        let headers = format!("MCP-Protocol-Version: {version}\r\n");
        assert_eq!(refusal(&api, &headers, &json!([ping(1)]).to_string()), (400, -32600), "{version}");
    }
}

#[test]
fn only_call_arguments_may_be_long() {
    let api = Api::new();
    let many = json!(vec![json!({"b": 1}); 20_000]);
    let handshake = json!({"protocolVersion": "2025-06-18", "capabilities": {"experimental": {"a": {"x": many}}}});
    for (method, params) in [
        ("initialize", handshake),
        ("ping", json!({"x": many})),
        ("tools/call", json!({"name": "svc-connect", "_meta": {"x": many}})),
        ("subscriptions/listen", json!({"filter": {"x": many}})),
    ] {
        let one = request(method, &params);
        for (body, id) in [(one.to_string(), json!(7)), (json!([one]).to_string(), Value::Null)] {
            let reply = post(&api, BOTH_TYPES, &body);
            let error = &reply.json()["error"];
            assert_eq!((reply.status, &reply.json()["id"], &error["code"]), (413, &id, &json!(-32600)), "{method}");
            assert!(error["message"].as_str().is_some_and(|text| text.contains("65536")), "{error}");
        }
    }
    let call = request("tools/call", &json!({"name": "svc-read-track", "arguments": {"path": many}}));
    assert_eq!(post(&api, BOTH_TYPES, &call.to_string()).json()["result"]["isError"], json!(true));
}

#[test]
fn http_refuses_in_the_form_of_the_protocol() {
    let api = Api::new();
    let ping = request("ping", &json!({})).to_string();
    for (accept, expected) in [
        ("", 200),
        ("Accept: */*\r\n", 200),
        ("Accept: application/json\r\n", 200),
        ("Accept: application/json, text/event-stream\r\n", 200),
        ("Accept: text/event-stream\r\n", 406),
        ("Accept: text/html\r\n", 406),
    ] {
        let reply = post(&api, accept, &ping);
        assert_eq!(reply.status, expected, "{accept}");
        assert_eq!(reply.json()["error"]["code"].as_i64(), (expected == 406).then_some(-32600), "{accept}");
    }
    let port = api.addr.port();
    let raw = |head: &str, body: &str| {
        let mut client = Client::connect(api.addr);
        client.send(format!("POST /mcp HTTP/1.1\r\n{head}\r\n{body}").as_bytes());
        client.reply().expect("an answer")
    };
    let host = format!("Host: localhost:{port}\r\n");
    let length = format!("Content-Length: {}\r\n", ping.len());
    for kind in ["", "Content-Type: text/plain\r\n", "Content-Type: application/json; charset=latin1\r\n"] {
        let reply = raw(&format!("{host}{kind}{length}"), &ping);
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (415, &json!(-32600)), "{kind}");
    }
    let large = raw(&format!("{host}Content-Type: application/json\r\nContent-Length: 2097153\r\n"), "");
    assert_eq!((large.status, &large.json()["error"]["code"], large.closes()), (413, &json!(-32600), true));
    let json = "Content-Type: application/json\r\n";
    for (head, expected) in [
        (format!("Host: evil.example:{port}\r\n{json}{length}"), 403),
        (format!("{host}Origin: https://evil.example\r\n{json}{length}"), 403),
        (format!("{host}Origin: null\r\n{json}{length}"), 403),
        (format!("{host}Origin: http://localhost:6274\r\n{json}{length}"), 200),
    ] {
        let reply = raw(&head, &ping);
        assert_eq!(reply.status, expected, "{head}");
        reply.json();
    }
}
