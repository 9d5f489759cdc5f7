//! `/mcp` over a backend that does what real ones should not.

use super::http::Client;
use super::{Options, Running};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

fn call(tool: &str) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}}).to_string()
}

#[test]
fn failures_of_a_call() {
    let running = Running::with(Options::default());
    let cases = [
        ("panic", 500, Some(-32603)),
        ("broken", 500, Some(-32603)),
        ("vanished", 200, Some(-32602)),
        ("invalid", 200, None),
        ("busy", 200, None),
        ("slow", 200, None),
    ];
    // One connection for all: none of them ends it.
    let mut client = Client::connect(running.addr());
    for (tool, status, code) in cases {
        let reply = client.request("POST", "/mcp", "", &call(tool));
        let body = reply.json();
        assert_eq!((reply.status, body["error"]["code"].as_i64()), (status, code), "{tool}: {body}");
        assert_eq!(body["result"]["isError"].as_bool(), code.is_none().then_some(true), "{tool}: {body}");
    }
    let big = client.request("POST", "/mcp", "", &call("big")).json();
    assert_eq!(big["result"]["content"][0]["text"].as_str().map(str::len), Some(5_000_002), "with its quotes");
}

#[test]
fn what_is_long_is_read_and_written_on_a_worker() {
    let running = Running::with(Options::default());
    let mut client = Client::connect(running.addr());
    let echo = |notes: &str| {
        let params = json!({"name": "svc-read-live-set", "arguments": {"notes": notes}});
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string()
    };
    const ECHO_BYTES: usize = "{arguments:{notes:\"\"},timeoutMs:null,notation:null}".len();
    let long = "x".repeat(20_000);
    // Read: once for the body. Written: once for the result, once for the answer around it.
    for (body, text_bytes, off_thread) in [
        (call("svc-connect"), 27, 0),
        (echo("x"), ECHO_BYTES + 1, 0),
        (echo(&long), ECHO_BYTES + 20_000, 3),
        (call("big"), 5_000_002, 2),
        (format!("[{},{}]", echo(&long), echo(&long)), ECHO_BYTES + 20_000, 4),
    ] {
        let before = running.backend.off_thread.load(Ordering::Relaxed);
        let answer = client.request("POST", "/mcp", "", &body).json();
        let one = answer.get(0).unwrap_or(&answer);
        assert_eq!(one["result"]["content"][0]["text"].as_str().map(str::len), Some(text_bytes));
        assert_eq!(running.backend.off_thread.load(Ordering::Relaxed) - before, off_thread, "{text_bytes}");
    }
}

#[test]
fn a_call_ends_with_its_client() {
    let running = Running::with(Options::default());
    let mut client = Client::connect(running.addr());
    let body = call("wait");
    let head = format!("Host: localhost:{}\r\nContent-Type: application/json\r\n", running.addr().port());
    client.send(format!("POST /mcp HTTP/1.1\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    assert_eq!(running.event(), "began");
    let begun = std::time::Instant::now();
    drop(client);
    assert_eq!(running.event(), "dropped");
    // The server watches a half-closed connection for 250 ms; `rmcp` alone would work on for two seconds more.
    assert!(begun.elapsed() < std::time::Duration::from_millis(1500), "{:?}", begun.elapsed());
    assert_eq!(Client::connect(running.addr()).request("POST", "/mcp", "", &call("svc-connect")).json()["id"], 1);
}

#[test]
fn the_index_names_it() {
    let running = Running::with(Options::default());
    let index: Value = Client::connect(running.addr()).request("GET", "/", "", "").json();
    assert_eq!(index["mcp"], "/mcp");
}
