//! Requests and what they are answered.

use super::http::{Client, once};
use super::{Options, Running};
use serde_json::{Value, json};

/// Method, target, extra headers, body; status, a pointer into the answer, what stands there.
type Case = (&'static str, &'static str, &'static str, &'static str, u16, &'static str, Value);

#[test]
fn every_route_and_refusal() {
    let running = Running::with(Options::default());
    let read = "/api/tools/svc-read-live-set";
    let cases: Vec<Case> = vec![
        ("GET", "/", "", "", 200, "/tools", json!("/api/tools")),
        ("GET", "/api/tools", "", "", 200, "/tools/0/name", json!("svc-read-live-set")),
        (
            "GET",
            "/api/tools",
            "x-svc-disabled-tools: svc-read-live-set\r\n",
            "",
            200,
            "/tools/0/name",
            json!("svc-connect"),
        ),
        ("POST", read, "", "{\"a\":1}", 200, "/result/arguments/a", json!(1)),
        ("POST", read, "", "{}", 200, "/isError", json!(false)),
        ("POST", read, "X-SVC-Notation: stark\r\n", "{}", 200, "/result/notation", json!("stark")),
        ("POST", "/api/tools/svc-read-live-set?timeoutMs=55000", "", "{}", 200, "/result/timeoutMs", json!(55000)),
        ("POST", "/api/tools/svc%2Dread-live-set", "", "{}", 200, "/isError", json!(false)),
        ("POST", "/api/tools/svc-connect", "", "{}", 200, "/appended/1", json!("Next")),
        ("POST", "/api/tools/svc-connect", "", "{}", 200, "/warnings/0", json!("careful")),
        (
            "POST",
            "/api/tools/svc-connect?format=compact",
            "",
            "{}",
            200,
            "",
            json!({"result": "{connected:true,\"C#1\":null}\nWARNING: careful\n# Skills\nNext", "isError": false}),
        ),
        ("GET", "/config", "", "", 200, "/notation", json!("barbeat")),
        ("POST", "/config", "", "{}", 200, "/notation", json!("stark")),
        ("POST", "/config", "", "{\"bad\":1}", 400, "/error", json!("bad: is bad; tools: unknown")),
        ("POST", "/config", "", "{\"bad\":1}", 400, "/fields/bad", json!("is bad")),
        ("POST", "/config", "", "{\"bad\":1}", 400, "/validToolNames/0", json!("svc-connect")),
        ("POST", "/config", "", "[]", 400, "/error", json!("The body must be a JSON object, but it is an array.")),
        ("DELETE", "/config", "", "", 405, "/details", Value::Null),
        ("GET", "/nowhere", "", "", 404, "/details", Value::Null),
        ("GET", "/api/tools/", "", "", 404, "/details", Value::Null),
        ("POST", "/api/tools/a/b", "", "{}", 404, "/details", Value::Null),
        ("POST", "/api/tools/%ff", "", "{}", 404, "/details", Value::Null),
        ("POST", "/api/tools", "", "{}", 405, "/details", Value::Null),
        ("GET", read, "", "", 405, "/details", Value::Null),
        ("POST", "/api/tools/invalid", "", "{}", 400, "/details/0/path", json!("a")),
        ("POST", "/api/tools/busy", "", "{}", 503, "/error", json!("the queue is full")),
        ("POST", "/api/tools/slow", "", "{}", 504, "/errorCode", json!("timeout")),
        ("POST", "/api/tools/broken", "", "{}", 500, "/error", json!("the Set was replaced")),
        ("POST", "/api/tools/vanished", "", "{}", 404, "/result", Value::Null),
        ("POST", "/api/tools/panic", "", "{}", 500, "/error", json!("Internal server error")),
        // The order of the checks: each of these is wrong in this and in every later respect.
        (
            "PUT",
            "/api/tools/no-such?format=x",
            "Host: evil\r\nOrigin: http://evil\r\n",
            "x",
            400,
            "/details",
            Value::Null,
        ),
        ("PUT", "/api/tools/no-such?format=x", "Origin: http://evil\r\n", "x", 403, "/details", Value::Null),
        ("PUT", "/api/tools/no-such?format=x", "Content-Type: text/plain\r\n", "x", 404, "/details", Value::Null),
        (
            "POST",
            read,
            "x-svc-disabled-tools: svc-read-live-set\r\nContent-Type: text/plain\r\n",
            "x",
            404,
            "/details",
            Value::Null,
        ),
        ("PUT", "/api/tools/invalid?format=x", "Content-Type: text/plain\r\n", "x", 405, "/details", Value::Null),
        ("POST", "/api/tools/invalid?format=x", "Content-Type: text/plain\r\n", "x", 415, "/details", Value::Null),
        ("POST", "/api/tools/invalid?format=x&timeoutMs=0", "", "{", 400, "/details", Value::Null),
        (
            "POST",
            "/api/tools/invalid?format=x&timeoutMs=0",
            "",
            "{}",
            400,
            "/error",
            json!("`format` must be `json` or `compact`, not `x`."),
        ),
        (
            "POST",
            "/api/tools/invalid?timeoutMs=0",
            "",
            "{}",
            400,
            "/error",
            json!("`timeoutMs` must be a whole number of milliseconds from 1 to 55000, not `0`."),
        ),
        ("POST", read, "", "", 400, "/details", Value::Null),
        ("POST", read, "", "null", 400, "/error", json!("The body must be a JSON object, but it is null.")),
    ];
    let mut client = Client::connect(running.addr());
    for (method, target, headers, body, status, pointer, expected) in cases {
        let reply = client.request(method, target, headers, body);
        let case = format!("{method} {target} {headers:?} {body:?}");
        assert_eq!(reply.status, status, "{case}: {}", String::from_utf8_lossy(&reply.body));
        assert_eq!(reply.header("content-type"), Some("application/json"), "{case}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{case}");
        assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"), "{case}");
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{case}");
        let answer = reply.json();
        assert_eq!(answer.pointer(pointer).cloned().unwrap_or_default(), expected, "{case}: {answer}");
        assert_eq!(answer.get("error").is_some(), status != 200, "{case}");
        assert_eq!(reply.header("allow").is_some(), status == 405, "{case}");
        if reply.closes() {
            client = Client::connect(running.addr());
        }
    }
}

#[test]
fn refusals_with_a_body_at_hand_keep_the_connection() {
    let running = Running::with(Options::default());
    let mut client = Client::connect(running.addr());
    for _ in 0..3 {
        let reply = client.request("POST", "/api/tools/no-such", "", "{\"a\":1}");
        assert_eq!((reply.status, reply.closes()), (404, false));
    }
}

#[test]
fn two_megabytes_are_taken_and_one_byte_more_is_not() {
    let running = Running::with(Options::default());
    let fitting = format!("{{\"a\":\"{}\"}}", "x".repeat(2_097_152 - 8));
    assert_eq!(fitting.len(), 2_097_152);
    for body in [fitting.clone(), fitting + " "] {
        let reply = once(running.addr(), "POST", "/api/tools/svc-read-live-set", "", &body);
        let (status, closes) = if body.len() == 2_097_152 { (200, false) } else { (413, true) };
        assert_eq!((reply.status, reply.closes()), (status, closes));
    }
}

#[test]
fn pages_are_told_what_they_may() {
    let local = "Origin: http://localhost:5173\r\n";
    let foreign = "Origin: https://evil.example\r\n";
    let own = "Origin: http://localhost:PORT\r\n";
    let read = "/api/tools/svc-read-live-set";
    let reflected = Some("http://localhost:5173");
    // Remote pages allowed; method, target, headers, body; status, who may read.
    let cases = [
        (false, "GET", "/api/tools", local, "", 200, reflected),
        (false, "POST", read, local, "{}", 200, reflected),
        (false, "POST", "/api/tools/no-such", local, "{}", 404, reflected),
        (false, "OPTIONS", read, local, "", 200, reflected),
        (false, "OPTIONS", read, foreign, "", 403, None),
        (false, "GET", "/api/tools", foreign, "", 403, None),
        (false, "GET", "/config", foreign, "", 403, None),
        (false, "POST", read, foreign, "{}", 403, None),
        (false, "GET", "/api/tools", "Origin: null\r\n", "", 403, None),
        (false, "GET", "/api/tools", "", "", 200, None),
        (false, "POST", "/config", local, "{}", 403, reflected),
        (false, "POST", "/config", "", "{}", 200, None),
        (false, "GET", "/api/tools", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n", "", 403, None),
        (false, "GET", "/", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n", "", 403, None),
        (false, "GET", "/", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n", "", 200, None),
        (true, "POST", read, foreign, "{}", 200, Some("*")),
        (true, "OPTIONS", read, foreign, "", 200, Some("*")),
        (true, "GET", "/config", foreign, "", 200, Some("*")),
        (true, "POST", "/config", foreign, "{}", 403, Some("*")),
        (true, "POST", "/config", own, "{}", 200, Some("*")),
    ];
    let servers = [false, true].map(|remote_cors| Running::with(Options { remote_cors, ..Options::default() }));
    for (remote, method, target, headers, body, status, readers) in cases {
        let running = &servers[usize::from(remote)];
        let headers = headers.replace("PORT", &running.server.port().to_string());
        let reply = once(running.addr(), method, target, &headers, body);
        let case = format!("{remote} {method} {target} {headers:?}");
        assert_eq!(reply.status, status, "{case}");
        assert_eq!(reply.header("access-control-allow-origin"), readers, "{case}");
        // What is at `/` is a page for browsers and JSON for programs.
        let varies = if target == "/" && status == 200 { Some("Accept") } else { None };
        assert_eq!(reply.header("vary"), readers.filter(|who| *who != "*").map(|_| "Origin").or(varies), "{case}");
        assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"), "{case}");
        if method == "OPTIONS" && status == 200 {
            assert!(reply.body.is_empty(), "{case}");
            assert_eq!(reply.header("access-control-allow-headers"), Some("*, Authorization"), "{case}");
        }
    }
}

#[test]
fn a_head_request_gets_the_head_alone() {
    let running = Running::with(Options::default());
    let mut client = Client::connect(running.addr());
    let request =
        format!("HEAD /config HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n", running.server.port());
    client.send(request.as_bytes());
    let mut text = String::new();
    std::io::Read::read_to_string(&mut client.stream, &mut text).expect("a head");
    assert!(text.starts_with("HTTP/1.1 200 OK\r\n") && text.ends_with("\r\n\r\n"), "{text}");
}
