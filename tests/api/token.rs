//! The token: off by default; once it is set, every call has to show it, and nothing else ever does.

use crate::events::Stream;
use crate::mcp::MODERN;
use crate::support::Api;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const TOKEN: &str = "correct-horse-battery-staple";

#[test]
fn with_a_token_every_call_has_to_show_it() {
    let folder = tempfile::tempdir().unwrap();
    let api = Api::in_folder(folder.path());
    assert_eq!(api.request("GET", "/config", "", "").json()["tokenRequired"], false);
    for bad in [json!("short"), json!("with a space in it"), json!(5), json!("x".repeat(201))] {
        let reply = api.post("/config", "", &json!({ "token": bad }));
        assert_eq!(reply.status, 400, "{bad}");
        let body = reply.json().to_string();
        assert!(body.contains("16 to 200") || body.contains("text or null"), "{body}");
        assert!(!bad.is_string() || !body.contains(bad.as_str().unwrap_or_default()), "{body}");
    }
    let set = api.post("/config", "", &json!({ "token": TOKEN }));
    assert_eq!((set.status, &set.json()["tokenRequired"], &set.json()["ignored"]), (200, &json!(true), &json!([])));

    let bearer = format!("Authorization: Bearer {TOKEN}\r\n");
    let wrong = "Authorization: Bearer correct-horse-battery-stapl0\r\n";
    let read = "/api/tools/svc-read-live-set";
    let calls = [
        ("GET", "/api/tools", ""),
        ("GET", "/config", ""),
        ("POST", "/config", "{}"),
        ("GET", "/openapi.json", ""),
        ("POST", read, "{}"),
        ("POST", "/mcp", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
    ];
    for (method, target, body) in calls {
        for headers in ["", wrong] {
            let reply = api.request(method, target, headers, body);
            assert_eq!(reply.status, 401, "{method} {target} {headers}");
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
            assert!(reply.json()["error"].as_str().is_some_and(|text| text.contains("Authorization")));
        }
        let reply = api.request(method, target, &bearer, body);
        assert_eq!(reply.status, 200, "{method} {target}: {}", reply.json());
        assert!(!String::from_utf8_lossy(&reply.body).contains(TOKEN), "{method} {target}");
    }
    assert_eq!(api.request("GET", "/nowhere", "", "").status, 401, "nothing is told of what there is");
    assert_eq!(api.request("GET", "/", "", "").status, 200, "the page is open");
    assert_eq!(api.request("GET", "/config", "Origin: http://evil.example\r\n", "").status, 403, "origins come first");
    assert!(!api.saved().contains(TOKEN), "never in a state");
}

/// A stream is told nothing more once its request would be refused, and who comes back is.
#[test]
fn streams_that_do_not_show_the_token_in_force_end() {
    let folder = tempfile::tempdir().unwrap();
    let api = Api::in_folder(folder.path());
    let bearer = |token: &str| format!("Authorization: Bearer {token}\r\n");
    let (old, new) = (bearer(TOKEN), bearer("another-horse-battery-staple"));
    let rename = |headers: &str, name: &str| {
        api.envelope("svc-update-track", headers, &json!({"path": "t0", "name": name}));
    };
    let rest =
        |mut stream: Stream| -> Vec<Value> { std::iter::from_fn(|| stream.next()).map(|told| told.data).collect() };
    let listen = |headers: &str| {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        });
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
            "notifications": {"resourceSubscriptions": ["svc://live-set"]}, "_meta": meta}});
        let headers = format!(
            "{headers}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             MCP-Protocol-Version: {MODERN}\r\nMcp-Method: subscriptions/listen\r\n"
        );
        let stream = Stream::post(&api, "/mcp", &headers, &message.to_string());
        assert_eq!(stream.status, 200, "{}", stream.head);
        stream
    };
    let (open, _) = Stream::open(&api, "/api/events?kinds=set", "");
    let (mut early, _) = Stream::open(&api, "/api/events?kinds=set", &old);
    let mut listening = listen("");
    listening.next_chunk().expect("that it listens");
    api.post("/config", "", &json!({ "token": TOKEN }));
    rename(&old, "Secret");
    assert_eq!(rest(open), Vec::<Value>::new());
    assert_eq!(listening.next_chunk(), None);
    assert_eq!(Stream::ask(&api, "/api/events", "").status, 401);
    // Who showed what is in force now goes on, until that is another one.
    assert!(early.next_of("set").data["label"].as_str().is_some_and(|line| line.contains("Secret")));
    let mut shown = listen(&old);
    shown.next_chunk().expect("that it listens");
    api.post("/config", &old, &json!({ "token": "another-horse-battery-staple" }));
    rename(&new, "More");
    assert_eq!(rest(early), Vec::<Value>::new());
    assert_eq!(shown.next_chunk(), None);
    let (mut open, _) = Stream::open(&api, "/api/events?kinds=set", &new);
    api.post("/config", &new, &json!({ "token": null }));
    rename("", "Open");
    open.wait_for("set", |told| told["label"].as_str().is_some_and(|line| line.contains("Open")));
}

#[test]
fn the_token_is_kept_for_the_user_and_taken_away_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    let bearer = format!("Authorization: Bearer {TOKEN}\r\n");
    let wait_for_file = |there: bool| {
        let end = Instant::now() + Duration::from_secs(10);
        while file.exists() != there {
            assert!(Instant::now() < end, "the token's file: wanted {there}");
            std::thread::yield_now();
        }
    };
    let api = Api::in_folder(folder.path());
    api.post("/config", "", &json!({ "token": TOKEN }));
    wait_for_file(true);
    drop(api);
    let state = std::fs::read_to_string(folder.path().join("state.json")).unwrap_or_default();
    assert!(!state.contains(TOKEN), "{state}");

    let api = Api::in_folder(folder.path());
    assert_eq!(api.request("GET", "/config", "", "").status, 401, "from the first call on");
    let reply = api.request("POST", "/config", &bearer, &json!({ "token": Value::Null }).to_string());
    assert_eq!((reply.status, &reply.json()["tokenRequired"]), (200, &json!(false)));
    assert_eq!(api.request("GET", "/config", "", "").status, 200);
    wait_for_file(false);
    drop(api);

    std::fs::write(&file, "no token").unwrap();
    let api = Api::in_folder(folder.path());
    assert_eq!(api.request("GET", "/config", &bearer, "").status, 401, "one that cannot be read opens nothing");
    assert_eq!(api.request("GET", "/", "", "").status, 200);
}

/// Devices of one user, whose sets are their own.
#[test]
fn a_running_device_follows_the_token_of_the_user() {
    let folder = tempfile::tempdir().unwrap();
    let bearer = |token: &str| format!("Authorization: Bearer {token}\r\n");
    let (one, other) = (Api::in_folder(folder.path()), Api::in_folder(folder.path()));
    let status = |headers: &str| other.request("GET", "/config", headers, "").status;
    let wait_for = |headers: &str, wanted: u16| {
        let end = Instant::now() + Duration::from_secs(10);
        while status(headers) != wanted {
            assert!(Instant::now() < end, "{headers}: wanted {wanted}");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    assert_eq!(status(""), 200);
    one.post("/config", "", &json!({ "token": TOKEN }));
    wait_for("", 401);
    assert_eq!(status(&bearer(TOKEN)), 200);
    // By hand: another one, nonsense, none.
    let file = folder.path().join("token");
    std::fs::write(&file, "another-token-of-the-user").unwrap();
    wait_for(&bearer("another-token-of-the-user"), 200);
    assert_eq!(status(&bearer(TOKEN)), 401);
    std::fs::write(&file, "no token").unwrap();
    wait_for(&bearer("another-token-of-the-user"), 401);
    std::fs::remove_file(&file).unwrap();
    wait_for("", 200);
    // What is set here is not taken for what lies there.
    let set = other.post("/config", "", &json!({ "token": TOKEN }));
    assert_eq!(set.status, 200);
    assert_eq!((status(""), status(&bearer(TOKEN))), (401, 200));
    let end = Instant::now() + Duration::from_secs(10);
    while one.request("GET", "/config", "", "").status != 401 {
        assert!(Instant::now() < end, "the first one follows, too");
        std::thread::sleep(Duration::from_millis(5));
    }
}
