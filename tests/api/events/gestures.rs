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

fn fader(api: &Api, headers: &str, db: i32) {
    let told = api.envelope("svc-update-track", headers, &json!({"path": "t0", "gainDb": db}));
    assert_eq!(told["isError"], false, "{told}");
}

/// The lines of the last calls, the oldest first, with their steps.
fn lines(api: &Api) -> Vec<(Value, Value)> {
    let calls = api.request("GET", "/api/calls", "", "").json();
    let calls = calls["calls"].as_array().expect("calls").iter().rev();
    calls.map(|call| (call["line"].clone(), call["historyStep"].clone())).collect()
}

#[test]
fn each_call_of_a_gesture_tells_what_it_did_itself() {
    let api = Api::new();
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=call", "");
    let levels = [0, -6, -7, -8, -9, -10, -11, -12];
    levels[1..].iter().for_each(|db| fader(&api, "x-svc-gesture: fader 7\r\n", *db));
    let last = levels.len() - 1;
    let told: Vec<Value> = (0..last).map(|_| stream.next_of("call").data["line"].clone()).collect();
    let expected: Vec<Value> =
        levels.windows(2).map(|db| json!(format!("t0 \"1-MIDI\": gainDb {} -> {}", db[0], db[1]))).collect();
    assert_eq!(told, expected);
    assert_eq!(lines(&api), expected.into_iter().map(|line| (line, json!(last))).collect::<Vec<_>>());
}

/// Whom nobody followed when they were made: only the step as a whole is kept, which is no call's own.
#[test]
fn a_call_of_a_gesture_that_nobody_followed_tells_what_it_asked() {
    let api = Api::new();
    let gesture = "x-svc-gesture: fader 7\r\n";
    fader(&api, gesture, -3);
    assert_eq!(lines(&api), [(json!("t0 \"1-MIDI\": gainDb 0 -> -3"), json!(1))]);
    fader(&api, gesture, -4);
    fader(&api, gesture, -5);
    let expected = [
        (json!("t0 \"1-MIDI\": gainDb 0 -> -3"), json!(3)),
        (json!("Update Track: t0 gainDb -4"), json!(3)),
        (json!("Update Track: t0 gainDb -5"), json!(3)),
    ];
    assert_eq!(lines(&api), expected);
}

/// What somebody else did in between ends the step, whatever the client calls its gesture.
#[test]
fn a_call_names_the_step_that_it_is_a_part_of() {
    let api = Api::new();
    let gesture = "x-svc-gesture: fader 7\r\n";
    fader(&api, gesture, -3);
    fader(&api, "", -4);
    fader(&api, gesture, -5);
    let told = |from, to, step: u32| (json!(format!("t0 \"1-MIDI\": gainDb {from} -> {to}")), json!(step));
    assert_eq!(lines(&api), [told(0, -3, 1), told(-3, -4, 2), told(-4, -5, 3)]);
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
