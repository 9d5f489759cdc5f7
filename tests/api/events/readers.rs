//! Readers: those who come back, those who are too slow, those who are too many, and those who may not.

use super::Stream;
use crate::support::Api;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use svc_device::events::Kind;

const PATIENCE: Duration = Duration::from_secs(20);

fn tempo(api: &Api, tempo: u32) {
    api.ok("svc-update-live-set", json!({"tempo": tempo}));
}

#[test]
fn who_comes_back_is_told_what_it_missed() {
    let api = Api::new();
    let (mut stream, hello) = Stream::open(&api, "/api/events?kinds=set", "");
    tempo(&api, 90);
    let seen = stream.next_of("set").id.expect("an id");
    drop(stream);
    tempo(&api, 91);
    tempo(&api, 92);
    let cases = [
        (format!("Last-Event-ID: {seen}\r\n"), String::new(), false, vec![2, 3]),
        (String::new(), format!("&lastEventId={seen}"), false, vec![2, 3]),
        // The header counts.
        (format!("Last-Event-ID: {seen}\r\n"), "&lastEventId=nonsense".to_owned(), false, vec![2, 3]),
        (
            format!("Last-Event-ID: {}\r\n", hello["lastEventId"].as_str().expect("an id")),
            String::new(),
            false,
            vec![1, 2, 3],
        ),
        // Of another run of the device, of the future, and what is none.
        ("Last-Event-ID: 123-1\r\n".to_owned(), String::new(), true, vec![]),
        (format!("Last-Event-ID: {}9\r\n", seen), String::new(), true, vec![]),
        ("Last-Event-ID: x\r\n".to_owned(), String::new(), true, vec![]),
        (String::new(), String::new(), false, vec![]),
    ];
    for (headers, query, gap, expected) in cases {
        let (mut stream, hello) = Stream::open(&api, &format!("/api/events?kinds=set{query}"), &headers);
        assert_eq!((&hello["gap"], &hello["revision"]), (&json!(gap), &json!(3)), "{headers}{query}");
        let told: Vec<u64> =
            expected.iter().map(|_| stream.next_of("set").data["revision"].as_u64().expect("a number")).collect();
        assert_eq!(told, expected, "{headers}{query}");
    }
}

#[test]
fn what_happened_while_nobody_followed_is_a_gap() {
    let api = Api::new();
    let before = api.device.events().last_id();
    tempo(&api, 90);
    let (_, hello) = Stream::open(&api, "/api/events", &format!("Last-Event-ID: {before}\r\n"));
    assert_eq!(hello["gap"], true);
}

#[test]
fn sixteen_follow_and_the_next_is_told_why_not() {
    let api = Api::new();
    let mut readers: Vec<Stream> = (0..16).map(|_| Stream::open(&api, "/api/events", "").0).collect();
    let reply = api.request("GET", "/api/events", "", "");
    assert_eq!(reply.status, 503);
    let why = reply.json()["error"].as_str().expect("a text").to_owned();
    assert!(why.starts_with("16 readers follow the events already"), "{why}");
    // Everybody else is served, and all of them are told.
    tempo(&api, 91);
    for reader in &mut readers {
        assert_eq!(reader.next_of("set").data["revision"], 1);
    }
    // A place is free as soon as somebody is gone.
    drop(readers.pop());
    let end = Instant::now() + PATIENCE;
    while Stream::ask(&api, "/api/events", "").status != 200 {
        assert!(Instant::now() < end, "the place of a reader that is gone is given to another");
    }
}

#[test]
fn who_does_not_read_holds_up_nobody_and_is_told_of_the_gap() {
    let api = Api::new();
    let (mut stalled, _) = Stream::open(&api, "/api/events", "");
    // More than a socket holds.
    let long = json!({ "text": "x".repeat(100_000) }).to_string();
    for _ in 0..400 {
        api.device.events().put(Kind::Log, long.clone());
        api.device.events().announce();
    }
    let (mut quick, _) = Stream::open(&api, "/api/events?kinds=set", "");
    tempo(&api, 91);
    assert_eq!(quick.next_of("set").data["revision"], 1);
    let (events, bytes) = api.device.events().kept();
    assert!(events <= 1_024 && bytes <= 1 << 20, "{events} events, {bytes} bytes are kept");
    let gap = stalled.next_of("gap");
    assert!(gap.id.is_some() && gap.data["revision"].is_u64(), "{gap:?}");
}

/// Every edit is told once and in order, many in one piece; of a thousand no more is kept than of a hundred.
#[test]
fn a_thousand_edits_are_told_in_order_in_few_pieces_and_kept_within_bounds() {
    let api = Api::new();
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=set", "");
    let begun = Instant::now();
    let reader = std::thread::spawn(move || {
        let in_order = (1..=1_000).all(|revision| stream.next_of("set").data["revision"] == revision);
        (in_order, stream.pieces)
    });
    let mut client = crate::http::Client::connect(api.addr);
    for n in 0..1_000 {
        let body = json!({ "tempo": 100 + n % 2 }).to_string();
        assert_eq!(client.request("POST", "/api/tools/svc-update-live-set", "", &body).status, 200);
    }
    let (in_order, pieces) = reader.join().expect("a reader");
    assert!(in_order, "each edit is told, in order");
    // One in 10 ms, one more whenever what plays may be told (34 ms), and those that are full. Each edit as a piece of
    // its own would be a thousand.
    let most = 20 + begun.elapsed().as_millis() / 10 + begun.elapsed().as_millis() / 34;
    assert!(u128::from(pieces) <= most, "{pieces} pieces, {most} at most");
    let (events, bytes) = api.device.events().kept();
    assert!(events <= 1_024 && bytes <= 1 << 20, "{events} events, {bytes} bytes are kept");
    let calls = api.request("GET", "/api/calls", "", "").json();
    assert_eq!(calls["calls"].as_array().map(Vec::len), Some(200));
}

/// What comes after a rest is not kept back for what may come behind it: then none would be told within that time, on
/// the quickest machine.
#[test]
fn the_first_of_what_happens_is_told_at_once() {
    const GATHERED: Duration = Duration::from_millis(10);
    let api = Api::new();
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=set", "");
    let mut tries = 0..200;
    let is_at_once = tries.any(|n| {
        // Until nothing is gathered any more; nobody tells of that.
        std::thread::sleep(2 * GATHERED);
        let begun = Instant::now();
        tempo(&api, 60 + n);
        stream.next_of("set");
        begun.elapsed() < GATHERED
    });
    assert!(is_at_once, "each change was kept back");
}

#[test]
fn a_foreign_page_and_a_wrong_question_get_nothing() {
    let api = Api::new();
    let cases = [
        ("/api/events", "Origin: http://evil.example\r\n", 403),
        ("/api/view", "Origin: http://evil.example\r\n", 403),
        ("/api/calls", "Origin: http://evil.example\r\n", 403),
        ("/api/events", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n", 403),
        ("/api/view", "Sec-Fetch-Site: cross-site\r\n", 403),
        ("/api/events?kinds=nonsense", "", 400),
        ("/api/events?kinds=", "", 400),
        ("/api/events?kinds=set&kinds=call", "", 400),
        ("/api/view?clip=x", "", 400),
        ("/api/view?clip=9999", "", 404),
    ];
    for (target, headers, status) in cases {
        let reply = api.request("GET", target, headers, "");
        assert_eq!(reply.status, status, "{target} {headers}");
        let body: Value = reply.json();
        assert!(body["error"].is_string() && body.as_object().is_some_and(|body| body.len() == 1), "{body}");
    }
    for target in ["/api/events", "/api/view", "/api/calls"] {
        assert_eq!(api.request("POST", target, "", "{}").status, 405, "{target}");
    }
    assert!(!api.device.events().has_readers());
    // A page of this machine may.
    Stream::open(&api, "/api/events", "Origin: http://localhost:5173\r\n");
}

#[test]
fn a_stream_ends_when_the_device_does() {
    let api = Api::new();
    let (mut stream, _) = Stream::open(&api, "/api/events", "");
    api.device.stop();
    while stream.next().is_some() {}
}
