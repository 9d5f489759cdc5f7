//! The launch state machine, played: what fires, waits, plays and stops, by launch mode, quantization and button.

use crate::support::Api;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const TRACK: &str = "live_set tracks 0";

/// Clips in the first two slots of the first track, a bar long each, at a tempo at which a bar takes its time.
fn api() -> Api {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1", "notes": "C3 1|1", "length": "1bar"}));
    api.set("live_set", "tempo", json!(20));
    api
}

fn slot(scene: usize) -> String {
    format!("{TRACK} clip_slots {scene}")
}

fn clip(scene: usize) -> String {
    format!("{TRACK} clip_slots {scene} clip")
}

/// `(playing_slot_index, fired_slot_index)`.
fn state(api: &Api) -> (i64, i64) {
    let read = |member: &str| api.get(TRACK, member)[0].as_i64().expect("an index");
    (read("playing_slot_index"), read("fired_slot_index"))
}

fn wait(api: &Api, playing: i64) {
    api.wait_for(TRACK, "playing_slot_index", json!([playing]));
    // The beginning is a boundary too: what is launched while the song stands there need not wait.
    let begun = || api.get("live_set", "current_song_time")[0].as_f64().is_some_and(|beats| beats > 0.0);
    until("the song goes on from its beginning", || playing < 0 || begun());
}

/// Asks until it is so.
fn until(what: &str, mut so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(10);
    while !so() {
        assert!(Instant::now() < end, "{what}");
    }
}

/// The clip of that slot, without a boundary to wait for.
fn at_once(api: &Api, scene: usize, mode: i64) {
    api.set(&clip(scene), "launch_mode", json!(mode));
    api.set(&clip(scene), "launch_quantization", json!(1));
}

#[test]
fn a_toggle_stops_when_it_plays() {
    let api = api();
    at_once(&api, 0, 2);
    // Whatever launches it: its slot, itself, its scene, the button.
    let ways: [(String, &str, Value); 4] = [
        (slot(0), "fire", json!([])),
        (clip(0), "fire", json!([])),
        ("live_set scenes 0".to_owned(), "fire", json!([])),
        (clip(0), "set_fire_button_state", json!([1])),
    ];
    for (path, function, args) in ways {
        api.call(&path, function, args.clone());
        wait(&api, 0);
        api.call(&path, function, args);
        wait(&api, -2);
        assert_eq!(api.get(&clip(0), "is_playing"), json!([0]), "{path} {function}");
        api.call(&path, "set_fire_button_state", json!([0]));
        assert_eq!(state(&api), (-2, -1), "letting go changes nothing");
    }
}

#[test]
fn a_gate_plays_while_it_is_held() {
    let api = api();
    at_once(&api, 0, 1);
    for path in [slot(0), clip(0), "live_set scenes 0".to_owned()] {
        api.call(&path, "set_fire_button_state", json!([1]));
        wait(&api, 0);
        api.call(&path, "set_fire_button_state", json!([0]));
        wait(&api, -2);
    }
    // Let go before its boundary it never starts, and what plays goes on.
    api.set(&clip(0), "launch_quantization", json!(2));
    at_once(&api, 1, 0);
    api.call(&clip(1), "fire", json!([]));
    wait(&api, 1);
    api.call(&slot(0), "set_fire_button_state", json!([1]));
    assert_eq!((state(&api), api.get(&slot(0), "is_triggered")), ((1, 0), json!([1])));
    api.call(&slot(0), "set_fire_button_state", json!([0]));
    assert_eq!((state(&api), api.get(&slot(0), "is_triggered")), ((1, -1), json!([0])));
    assert_eq!(api.get(&clip(1), "is_playing"), json!([1]));
    // Of a track that never launched anything, nothing is left.
    api.set("live_set", "back_to_arranger", json!(0));
    api.call(&slot(0), "set_fire_button_state", json!([1]));
    assert_eq!(state(&api), (-1, 0));
    api.call(&slot(0), "set_fire_button_state", json!([0]));
    assert_eq!((state(&api), api.get(TRACK, "back_to_arranger")), ((-1, -1), json!([0])));
    // Letting go of the button of another clip is nothing to it.
    api.call(&clip(1), "fire", json!([]));
    wait(&api, 1);
    api.call(&slot(0), "set_fire_button_state", json!([0]));
    assert_eq!(state(&api), (1, -1));
}

#[test]
fn a_trigger_and_a_repeat_play_on_when_they_are_let_go() {
    let api = api();
    for mode in [0, 3] {
        at_once(&api, 0, mode);
        api.call(&slot(0), "set_fire_button_state", json!([1]));
        wait(&api, 0);
        api.call(&slot(0), "set_fire_button_state", json!([0]));
        assert_eq!(state(&api), (0, -1));
    }
    // Held at each quarter: it never comes further than one.
    api.set("live_set", "tempo", json!(300));
    api.set(&clip(0), "launch_quantization", json!(8));
    api.call(&slot(0), "set_fire_button_state", json!([1]));
    let mut begun = 0;
    let mut last = 0.0;
    until("it starts over", || {
        let at = api.get(&clip(0), "playing_position")[0].as_f64().expect("a number");
        // The first reads may still be of the launch before.
        begun += i32::from(at < last);
        assert!(begun < 2 || at <= 1.0 + 1e-6, "{at}");
        last = at;
        begun == 4
    });
    api.call(&slot(0), "set_fire_button_state", json!([0]));
    until("let go, it gets to its second half", || {
        api.get(&clip(0), "playing_position")[0].as_f64().is_some_and(|at| at > 2.0)
    });
}

#[test]
fn an_order_waits_for_the_boundary_that_is_asked_for() {
    let api = api();
    api.call(&clip(0), "fire", json!([]));
    wait(&api, 0);
    assert_eq!(api.get("live_set", "is_playing"), json!([1]), "with the transport stopped, firing starts it at once");
    // Global: one bar. Asked for: none. Refused: what is no quantization.
    api.call(&slot(1), "fire", json!([null, 0]));
    wait(&api, 1);
    at_once(&api, 0, 0);
    api.set("live_set", "clip_trigger_quantization", json!(1));
    api.call(&slot(0), "fire", json!([null, 1]));
    assert_eq!(state(&api), (1, 0), "asked for: eight bars, though the clip itself waits for nothing");
    assert_eq!(api.call(&slot(0), "fire", json!([null, 14])), json!(1));
    api.call(&clip(0), "stop", json!([]));
    assert_eq!(state(&api), (1, -1), "a launch that waits is taken back; what plays goes on");
    api.call(&clip(0), "stop", json!([]));
    assert_eq!(state(&api), (1, -1), "stops only if this clip plays");
    api.call(&clip(1), "stop", json!([]));
    assert_eq!(state(&api), (1, -2));
    api.set(&clip(0), "is_playing", json!(1));
    wait(&api, 0);
    api.set(&clip(0), "is_playing", json!(0));
    wait(&api, -2);
    // Stopping what is stopped is nothing.
    api.call(TRACK, "stop_all_clips", json!([]));
    api.call("live_set", "stop_all_clips", json!([]));
    assert_eq!(state(&api), (-2, -1));
}

#[test]
fn an_empty_slot_stops_by_its_stop_button() {
    let api = api();
    api.set("live_set", "clip_trigger_quantization", json!(1));
    api.call(&clip(0), "fire", json!([]));
    wait(&api, 0);
    api.set(&slot(2), "has_stop_button", json!(0));
    api.call(&slot(2), "fire", json!([]));
    assert_eq!(state(&api), (0, -1), "without a stop button nothing happens");
    api.call(&slot(3), "fire", json!([]));
    let blinks = |at: usize| api.get(&slot(at), "is_triggered");
    assert_eq!((state(&api), blinks(3), blinks(2), blinks(0)), ((0, -2), json!([1]), json!([0]), json!([0])));
    api.call(&slot(3), "fire", json!([null, 0]));
    wait(&api, -2);
    assert_eq!(blinks(3), json!([0]));
}

#[test]
fn an_armed_track_would_record_which_takes_a_running_live() {
    let api = api();
    api.set(TRACK, "arm", json!(1));
    let before = state(&api);
    for (function, args) in [("fire", json!([])), ("fire", json!([4])), ("set_fire_button_state", json!([1]))] {
        assert_eq!(api.call(&slot(4), function, args), json!(1), "{function}");
        assert_eq!(state(&api), before);
    }
    assert_eq!(api.get("live_set", "is_playing"), json!([0]), "what is refused starts nothing");
    assert_eq!(api.call(&slot(0), "fire", json!([4])), json!(["id", 0]), "there is a clip to launch");
    wait(&api, 0);
    for path in [slot(0), slot(4)] {
        assert_eq!((api.get(&path, "will_record_on_start"), api.get(&path, "is_recording")), (json!([0]), json!([0])));
    }
}

/// Orders that come within one block: what was shown as done is done before the next one waits.
#[test]
fn an_order_that_needs_no_boundary_is_not_lost_to_the_next() {
    let launch = |scene: usize, quantum: i64| json!([{"type": "goto", "value": slot(scene)}, {"type": "call", "method": "fire", "args": [null, quantum]}]);
    let both = |api: &Api, first: Value, then: Value| {
        let operations: Vec<Value> =
            [first, then].iter().flat_map(|list| list.as_array().cloned().unwrap_or_default()).collect();
        api.raw_call("live_set", json!(operations));
    };
    let api = api();
    api.set("live_set", "tempo", json!(20));
    api.call(&clip(0), "fire", json!([]));
    wait(&api, 0);
    // A launch at once, then one that waits: the first plays meanwhile, as was said.
    both(&api, launch(1, 0), launch(0, 1));
    assert_eq!(state(&api), (1, 0));
    let position = || api.get(&clip(1), "playing_position")[0].as_f64().expect("a number");
    until("the first of them plays", || position() > 0.0);
    assert_eq!((state(&api), api.get(&clip(1), "is_playing")), ((1, 0), json!([1])));
    // Taken back, it plays on.
    api.call(&clip(0), "stop", json!([]));
    assert_eq!(state(&api), (1, -1));
    // A stop at once, and a launch that waits.
    both(
        &api,
        json!([{"type": "goto", "value": TRACK}, {"type": "call", "method": "stop_all_clips", "args": [0]}]),
        launch(0, 1),
    );
    assert_eq!(state(&api), (-2, 0));
    let time = || api.get("live_set", "current_song_time");
    let before = time();
    until("another block", || time() != before);
    let before = time();
    until("and another", || time() != before);
    assert_eq!((state(&api), api.get(&clip(1), "is_playing")), ((-2, 0), json!([0])));
    // A clip that is gone by then leaves the track to what follows.
    both(&api, launch(1, 0), json!([{"type": "goto", "value": slot(1)}, {"type": "call", "method": "delete_clip"}]));
    both(&api, launch(0, 0), launch(0, 0));
    wait(&api, 0);
}

#[test]
fn a_scene_launches_its_row() {
    let api = api();
    api.set("live_set", "clip_trigger_quantization", json!(1));
    api.ok("svc-create-clip", json!({"path": "t1/s0", "length": "1bar"}));
    let selected = || api.raw_call("live_set view selected_scene", json!([{"type": "exists"}]))["path"].clone();
    api.call("live_set scenes 0", "fire", json!([]));
    wait(&api, 0);
    api.wait_for("live_set tracks 1", "playing_slot_index", json!([0]));
    assert_eq!((selected(), api.get("live_set scenes 0", "is_triggered")), (json!("live_set scenes 0"), json!([0])));
    // Its stop buttons are launched with it; the second argument keeps the selection.
    api.call("live_set scenes 1", "fire", json!([0, 0]));
    assert_eq!((state(&api), api.get("live_set tracks 1", "fired_slot_index")), ((0, 1), json!([-2])));
    assert_eq!((selected(), api.get("live_set scenes 1", "is_triggered")), (json!("live_set scenes 0"), json!([1])));
    // The selected one, whichever is asked, and on to the next.
    api.call("live_set scenes 5", "fire_as_selected", json!([]));
    assert_eq!((state(&api).1, selected()), (0, json!("live_set scenes 1")));
    let last = format!("id {}", api.id("live_set scenes 7"));
    api.set("live_set view", "selected_scene", json!(last));
    api.call("live_set scenes 0", "fire_as_selected", json!([]));
    assert_eq!((state(&api), selected()), ((0, -2), json!("live_set scenes 7")));
}

#[test]
fn legato_and_jumps_move_within_the_clip() {
    let api = api();
    at_once(&api, 0, 0);
    at_once(&api, 1, 0);
    api.call(&clip(0), "fire", json!([]));
    wait(&api, 0);
    let position = |scene: usize| api.get(&clip(scene), "playing_position")[0].as_f64().expect("a number");
    assert!(position(0) < 1.0, "a beat takes three seconds of its clock");
    api.call(TRACK, "jump_in_running_session_clip", json!([2.5]));
    until("it jumps forward", || position(0) >= 2.5);
    api.call("live_set scenes 1", "fire", json!([1]));
    wait(&api, 1);
    assert!(position(1) >= 2.5, "forced legato takes the position over: {}", position(1));
    api.call(TRACK, "jump_in_running_session_clip", json!([-2.5]));
    until("it jumps back", || position(1) < 2.5);
    api.call(&clip(0), "fire", json!([]));
    wait(&api, 0);
    assert!(position(0) < 1.0, "without legato it starts at its beginning");
    assert_eq!(api.get("live_set", "can_undo"), json!([1]));
    assert_eq!(
        api.call("live_set tracks 1", "jump_in_running_session_clip", json!([1])),
        json!(["id", 0]),
        "nothing plays there"
    );
}

#[test]
fn captured_scenes_hold_what_plays() {
    let api = api();
    api.ok("svc-create-clip", json!({"path": "t1/s3", "length": "1bar", "name": "Bass"}));
    api.call(&clip(1), "fire", json!([]));
    api.call("live_set tracks 1 clip_slots 3", "fire", json!([]));
    wait(&api, 1);
    api.wait_for("live_set tracks 1", "playing_slot_index", json!([3]));
    api.set("live_set view", "selected_scene", json!(format!("id {}", api.id("live_set scenes 2"))));
    api.call("live_set", "capture_and_insert_scene", json!([]));
    let has = |track: usize, scene: usize| {
        api.get(&format!("live_set tracks {track} clip_slots {scene}"), "has_clip") == json!([1])
    };
    assert!(has(0, 3) && has(1, 3) && has(1, 4), "below the selected one; the others move down");
    assert_eq!(api.get("live_set tracks 1 clip_slots 3 clip", "name"), json!(["Bass"]));
    assert_ne!(api.id("live_set tracks 1 clip_slots 3 clip"), api.id("live_set tracks 1 clip_slots 4 clip"));
    assert_eq!(api.get("live_set tracks 1", "playing_slot_index"), json!([4]), "what plays is the one that was copied");
    // All but the selected track.
    api.set("live_set view", "selected_track", json!(format!("id {}", api.id(TRACK))));
    api.call("live_set", "capture_and_insert_scene", json!([1]));
    assert!(!has(0, 4) && has(1, 4));
    for step in ["undo", "undo"] {
        api.call("live_set", step, json!([]));
    }
    assert!(!has(0, 3) && has(1, 3));
}
