//! Calls of one gesture are one undo step.

use super::Stream;
use crate::support::Api;
use serde_json::{Value, json};

fn tempo(api: &Api, headers: &str, tempo: u32) {
    assert_eq!(api.envelope("svc-update-live-set", headers, &json!({"tempo": tempo}))["isError"], false);
}

/// The undo steps that are there, the newest first: their words.
fn steps(api: &Api) -> Vec<Value> {
    let listed = api.ok("svc-read-history", json!({}));
    listed["steps"].as_array().expect("steps").iter().map(|step| step["changes"][0].clone()).collect()
}

#[test]
fn each_gesture_is_one_step() {
    let (a, b) = ("x-svc-client: page\r\nx-svc-gesture: 1\r\n", "x-svc-client: page\r\nx-svc-gesture: 2\r\n");
    let (other, none) = ("x-svc-client: script\r\nx-svc-gesture: 1\r\n", "x-svc-client: page\r\n");
    type Case<'a> = (&'a [(&'a str, u32)], &'a [&'a str]);
    let cases: [Case<'_>; 7] = [
        (&[(a, 100), (a, 101), (a, 102)], &["the Set: tempo 120 -> 102"]),
        (&[(a, 100), (b, 101)], &["the Set: tempo 100 -> 101", "the Set: tempo 120 -> 100"]),
        (&[(none, 100), (none, 101)], &["the Set: tempo 100 -> 101", "the Set: tempo 120 -> 100"]),
        // Of another client, and what somebody else did in between.
        (&[(a, 100), (other, 101)], &["the Set: tempo 100 -> 101", "the Set: tempo 120 -> 100"]),
        (
            &[(a, 100), (none, 101), (a, 102)],
            &["the Set: tempo 101 -> 102", "the Set: tempo 100 -> 101", "the Set: tempo 120 -> 100"],
        ),
        // It ends where it began.
        (&[(a, 100), (a, 120)], &[]),
        (&[(a, 100), (a, 120), (a, 130)], &["the Set: tempo 120 -> 130"]),
    ];
    for (calls, expected) in cases {
        let api = Api::new();
        calls.iter().for_each(|(headers, bpm)| tempo(&api, headers, *bpm));
        assert_eq!(steps(&api), expected, "{calls:?}");
        expected.iter().for_each(|_| drop(api.ok("svc-manage", json!({"action": "undo"}))));
        assert_eq!(api.ok("svc-read-live-set", json!({}))["tempo"], 120, "{calls:?}");
    }
}

#[test]
fn what_was_undone_is_not_gone_on_with() {
    let api = Api::new();
    let gesture = "x-svc-gesture: 1\r\n";
    tempo(&api, "", 90);
    tempo(&api, gesture, 100);
    api.ok("svc-manage", json!({"action": "undo"}));
    tempo(&api, gesture, 101);
    assert_eq!(steps(&api), ["the Set: tempo 90 -> 101", "the Set: tempo 120 -> 90"]);
}

/// The numbers of steps are never given twice, and the calls of a gesture name the step that they are a part of.
#[test]
fn the_calls_of_a_gesture_share_its_step() {
    let api = Api::new();
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=set", "");
    for bpm in [100, 101, 102] {
        tempo(&api, "x-svc-client: page\r\nx-svc-gesture: fader 7\r\n", bpm);
    }
    let told: Vec<Value> = (0..3).map(|_| stream.next_of("set").data["historyStep"].clone()).collect();
    assert_eq!(told, [1, 2, 3]);
    let calls = api.request("GET", "/api/calls", "", "").json();
    for call in calls["calls"].as_array().expect("calls") {
        assert_eq!((&call["historyStep"], &call["gesture"]), (&json!(3), &json!("fader 7")));
        assert_eq!((&call["client"], &call["via"]), (&json!("page"), &json!("page")));
    }
}

#[test]
fn names_that_are_none_are_refused() {
    let api = Api::new();
    let long = "x".repeat(65);
    for (header, value) in
        [("x-svc-gesture", ""), ("x-svc-gesture", &long), ("x-svc-client", ""), ("x-svc-client", &long)]
    {
        let reply = api.post("/api/tools/svc-read-live-set", &format!("{header}: {value}\r\n"), &json!({}));
        let why = reply.json()["error"].as_str().expect("a text").to_owned();
        assert_eq!(reply.status, 400, "{header}: {value}");
        assert!(why.starts_with(&format!("{header} must be 1 to 64 ASCII characters")), "{why}");
    }
}
