//! `svc-playback`, by what it says it does: the Arrangement's start and loop, launching, stopping, and every old
//! spelling. That what it starts is heard is shown by playback's own tests and in a host.

use crate::groups;
use crate::support::Api;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const SONG: &str = "live_set";

/// Clips in t0 and t1, an empty slot in t3, fast enough to wait for a bar.
fn set() -> Api {
    let api = Api::raw_enabled();
    api.set(SONG, "tempo", json!(999));
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1,t1/s1", "notes": "C3 1|1", "length": "1bar"}));
    api.ok(
        "svc-update-live-set",
        json!({"locatorOperation": "create", "locatorTime": "3|1,9|1", "locatorName": "Verse,Chorus"}),
    );
    api
}

fn song(api: &Api) -> (Value, Value, Value, Value) {
    let one = |member| api.get(SONG, member)[0].clone();
    (one("start_time"), one("loop"), one("loop_start"), one("loop_length"))
}

/// The transport runs and has moved on: what is launched now waits for its boundary, and does not start with the
/// transport.
fn wait_until_it_runs(api: &Api) {
    let from = api.get(SONG, "start_time")[0].as_f64().expect("a number");
    let end = Instant::now() + Duration::from_secs(10);
    while api.get(SONG, "current_song_time")[0].as_f64().is_none_or(|at| at <= from) {
        assert!(Instant::now() < end, "the transport stands at {from}");
    }
}

#[test]
fn the_arrangements_start_and_loop() {
    let api = set();
    // The loop is at 1|1 to 2|1 to begin with; arguments beside the action, answer, and the Set after.
    api.ok(
        "svc-playback",
        json!({"action": "update-arrangement", "loopStart": "1|1", "loopEnd": "2|1", "loop": false}),
    );
    let table = [
        (json!({"startTime": "5|1"}), json!({}), (16, 0, 0, 4)),
        (json!({"startTime": "loc:Verse"}), json!({"startTime": "3|1"}), (8, 0, 0, 4)),
        (json!({"loop": true}), json!({"loopStart": "1|1", "loopEnd": "2|1"}), (8, 1, 0, 4)),
        (json!({"loop": false}), json!({}), (8, 0, 0, 4)),
        // One bound takes the other with it, and is meant to be heard.
        (json!({"loopStart": "3|1"}), json!({"loop": true, "loopEnd": "4|1"}), (8, 1, 8, 4)),
        (json!({"loopEnd": "9|1"}), json!({"loop": true, "loopStart": "8|1"}), (8, 1, 28, 4)),
        (json!({"loopEnd": "2|1"}), json!({"loop": true, "loopStart": "1|1"}), (8, 1, 0, 4)),
        (json!({"loopStart": "2|1", "loopEnd": "4|1"}), json!({"loop": true}), (8, 1, 4, 8)),
        (json!({"loopStart": "4|1", "loop": false}), json!({"loopEnd": "6|1"}), (8, 0, 12, 8)),
        (
            json!({"loopStart": "loc:Verse", "loopEnd": "loc:Chorus", "startTime": "1|1", "loop": true}),
            json!({"loopStart": "3|1", "loopEnd": "9|1"}),
            (0, 1, 8, 24),
        ),
        (json!({}), json!({}), (0, 1, 8, 24)),
    ];
    for (arguments, answer, after) in table {
        let mut call = arguments.clone();
        call["action"] = json!("update-arrangement");
        let mut expected = answer;
        expected["playing"] = json!(false);
        assert_eq!(api.ok("svc-playback", call), expected, "{arguments}");
        assert_eq!(song(&api), (json!(after.0), json!(after.1), json!(after.2), json!(after.3)), "{arguments}");
    }
    let before = song(&api);
    let refusals = [
        (json!({"loopStart": "5|1", "loopEnd": "5|1"}), "behind loopStart"),
        (json!({"loopStart": "5|1", "loopEnd": "3|1", "loop": false}), "behind loopStart"),
        (json!({"loopEnd": "2|1", "loop": false}), "before 1|1"),
        (json!({"loopStart": "0|1"}), "loopStart"),
        (json!({"startTime": "1|1-n/4"}), "before 1|1"),
        (json!({"startTime": "Verse"}), "loc:"),
        (json!({"startTime": "loc:Nowhere"}), "Nowhere"),
        (json!({"startTime": "loc:"}), "loc:"),
        (json!({"loopEnd": "5|1", "startTime": "x"}), "startTime"),
    ];
    for (arguments, words) in refusals {
        for action in ["update-arrangement", "play-arrangement", "stop"] {
            let mut call = arguments.clone();
            call["action"] = json!(action);
            let text = api.refused("svc-playback", call);
            assert!(text.contains(words), "{action} {arguments}: {text}");
            assert_eq!(song(&api), before, "{action} {arguments}");
        }
    }
    assert_eq!(api.get(SONG, "is_playing"), json!([0]), "what is refused starts nothing");
}

#[test]
fn playing_the_arrangement() {
    let api = set();
    api.ok(
        "svc-playback",
        json!({"action": "update-arrangement", "loopStart": "1|1", "loopEnd": "3|1", "loop": false}),
    );
    let answer = api.ok("svc-playback", json!({"action": "play-arrangement"}));
    assert_eq!(answer, json!({"playing": true, "startTime": "1|1", "loop": false}));
    api.wait_for(SONG, "is_playing", json!([1]));
    // A launched clip has its track; playing the Arrangement gives it back.
    api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0"}));
    api.wait_for("live_set tracks 0", "playing_slot_index", json!([0]));
    assert_eq!(api.get(SONG, "back_to_arranger"), json!([1]));
    let answer = api.ok("svc-playback", json!({"action": "play-arrangement", "startTime": "loc:Chorus", "loop": true}));
    assert_eq!(answer, json!({"playing": true, "startTime": "9|1", "loopStart": "1|1", "loopEnd": "3|1"}));
    assert_eq!(
        (api.get(SONG, "back_to_arranger"), api.get("live_set tracks 0", "playing_slot_index")),
        (json!([0]), json!([-1]))
    );
    let answer = api.ok("svc-playback", json!({"action": "play-arrangement", "startTime": "1|1"}));
    let expected = json!({"playing": true, "startTime": "1|1", "loop": true, "loopStart": "1|1", "loopEnd": "3|1"});
    assert_eq!(answer, expected);
    // The transport goes round in it.
    for _ in 0..50 {
        let at = api.get(SONG, "current_song_time")[0].as_f64().expect("a number");
        assert!((0.0..8.01).contains(&at), "{at}");
    }
    // Stopping keeps the start marker, or parks it.
    api.ok("svc-playback", json!({"action": "play-arrangement", "startTime": "2|1"}));
    assert_eq!(api.ok("svc-playback", json!({"action": "stop"})), json!({"playing": false}));
    assert_eq!(api.ok("svc-playback", json!({"action": "stop"})), json!({"playing": false}));
    assert_eq!(song(&api).0, json!(4), "a second stop leaves it, too");
    let answer = api.ok("svc-playback", json!({"action": "stop", "startTime": "loc:Verse", "loop": false}));
    assert_eq!(answer, json!({"playing": false, "startTime": "3|1"}));
    assert_eq!((song(&api).0, song(&api).1), (json!(8), json!(0)));
}

#[test]
fn several_start_together() {
    let api = set();
    // One waits for eight bars, the other for nothing.
    api.set(SONG, "tempo", json!(20));
    api.set("live_set tracks 0 clip_slots 1 clip", "launch_quantization", json!(2));
    api.set("live_set tracks 1 clip_slots 1 clip", "launch_quantization", json!(1));
    api.ok("svc-playback", json!({"action": "play-arrangement"}));
    wait_until_it_runs(&api);
    // A clip and an empty slot.
    let answer = api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s1,t3/s1"}));
    let clip = api.id("live_set tracks 0 clip_slots 1 clip");
    let skip = json!({"path": "t3/s1", "ok": false, "detail": "t3/s1 is empty, nothing to launch"});
    assert_eq!(answer, json!({"playing": true, "clip": [{"id": clip, "path": "t0/s1"}, skip]}));
    // One alone waits for its boundary.
    assert_eq!(api.get("live_set tracks 0", "fired_slot_index"), json!([1]));
    let answer = api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s1,t1/s1"}));
    assert_eq!(answer["clip"].as_array().map(Vec::len), Some(2), "{answer}");
    api.wait_for("live_set tracks 0", "playing_slot_index", json!([1]));
    api.wait_for("live_set tracks 1", "playing_slot_index", json!([1]));
    let starts: Vec<Value> =
        [0, 1].map(|at| api.get(&format!("live_set tracks {at} clip_slots 1 clip"), "start_time")).to_vec();
    assert_eq!(starts, [json!([0]), json!([0])], "at the start marker");
    // Nothing but failures: `playing` is as found, and each says why.
    let answer = api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t3/s0,t3/s1"}));
    assert_eq!(answer["playing"], true);
    assert!(answer["clip"].as_array().is_some_and(|list| list.iter().all(|e| e["ok"] == false)), "{answer}");
    api.ok("svc-playback", json!({"action": "stop"}));
    let answer = api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t3/s0,t3/s1"}));
    assert_eq!(answer["playing"], false, "nothing was touched");
}

/// As Live's buttons Play and Stop: tracks keep what was launched on them.
#[test]
fn the_clock_alone_leaves_what_is_launched() {
    let api = set();
    let act = |action: &str| api.ok("svc-playback", json!({"action": action}));
    let is_launched = |slot: i64| api.wait_for("live_set tracks 0", "playing_slot_index", json!([slot]));
    let runs = |runs: u8| api.wait_for(SONG, "is_playing", json!([runs]));
    api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0"}));
    is_launched(0);
    // Stopped before its first block, the clip would still wait for the clock.
    wait_until_it_runs(&api);
    assert_eq!(act("stop-transport"), json!({"playing": false}));
    runs(0);
    is_launched(0);
    api.ok("svc-playback", json!({"action": "update-arrangement", "startTime": "3|1"}));
    // Live would go to the beginning, and take the start marker along.
    assert_eq!(act("stop-transport"), json!({"playing": false, "detail": "the transport stands already"}));
    assert_eq!(act("start-transport"), json!({"playing": true, "startTime": "3|1"}));
    runs(1);
    wait_until_it_runs(&api);
    is_launched(0);
    assert_eq!(api.get(SONG, "back_to_arranger"), json!([1]), "the clip has the track, and not the Arrangement");
    assert_eq!(act("start-transport"), json!({"playing": true, "startTime": "3|1"}), "it starts over");
    // What stop stopped, no start plays again.
    act("stop");
    runs(0);
    act("start-transport");
    runs(1);
    is_launched(-2);
}

#[test]
fn group_slots() {
    let api = Api::raw_enabled();
    groups::make(&api);
    api.set(SONG, "tempo", json!(999));
    api.ok("svc-create-clip", json!({"path": "t4/s0,t5/s0,t4/s1", "notes": "C3 1|1", "length": "1bar"}));
    let say =
        |action: &str, path: &str| api.ok("svc-playback", json!({"action": action, "path": path}))["clip"].clone();
    assert_eq!(
        say("play-session-clips", "t3/s0"),
        json!({"path": "t3/s0", "detail": "a group slot: launched t4/s0, t5/s0"})
    );
    api.wait_for("live_set tracks 5", "playing_slot_index", json!([0]));
    assert_eq!(
        say("play-session-clips", "t3/s1"),
        json!({"path": "t3/s1", "detail": "a group slot: launched t4/s1; stopped t5"})
    );
    api.wait_for("live_set tracks 4", "playing_slot_index", json!([1]));
    api.wait_for("live_set tracks 5", "playing_slot_index", json!([-2]));
    let text = api.refused("svc-playback", json!({"action": "play-session-clips", "path": "t3/s2"}));
    assert!(text.contains("no member"), "{text}");
    assert_eq!(api.get("live_set tracks 4", "playing_slot_index"), json!([1]), "a group without clips stops nothing");
    assert_eq!(say("stop-session-clips", "t3/s5"), json!({"path": "t3/s5", "detail": "a group slot: stopped t4"}));
    api.wait_for("live_set tracks 4", "playing_slot_index", json!([-2]));
    let nothing = json!({"path": "t3/s5", "detail": "a group slot: nothing in the group was playing"});
    assert_eq!(say("stop-session-clips", "t3/s5"), nothing);
}

#[test]
fn old_spellings_and_other_names() {
    let api = set();
    let clip = api.id("live_set tracks 0 clip_slots 0 clip");
    // What is sent, what the warning shows, and where it is seen that it was meant so.
    let table = [
        (json!({"action": "play-scene", "sceneIndex": 1}), "send path: \"s1\"", "/scene/path", json!("s1")),
        (json!({"action": "play-scene", "slots": "0/1"}), "send path: \"t0/s1\"", "/scene/path", json!("s1")),
        (json!({"action": "play-scene", "path": "0/1"}), "send path: \"t0/s1\"", "/scene/path", json!("s1")),
        (json!({"action": "play-scene", "paths": "t1/s1"}), "the parameter is path", "/scene/path", json!("s1")),
        (json!({"action": "play-session-clips", "slots": "0/0"}), "send path: \"t0/s0\"", "/clip/path", json!("t0/s0")),
        (json!({"action": "play-session-clips", "ids": clip}), "the parameter is id", "/clip/id", json!(clip)),
        (json!({"action": "stop-session-clips", "path": "0/5"}), "send path: \"t0/s5\"", "/clip/path", json!("t0/s5")),
        (
            json!({"action": "update-arrangement", "startLocator": "Verse"}),
            "send startTime: \"loc:Verse\"",
            "/startTime",
            json!("3|1"),
        ),
        (
            json!({"action": "update-arrangement", "loopStartLocator": "Verse"}),
            "send loopStart: \"loc:Verse\"",
            "/loopStart",
            json!("3|1"),
        ),
        (
            json!({"action": "stop", "loopEndLocator": "loc:Chorus"}),
            "send loopEnd: \"loc:Chorus\"",
            "/loopEnd",
            json!("9|1"),
        ),
    ];
    for (arguments, warning, pointer, value) in table {
        let answer = api.envelope("svc-playback", "", &arguments);
        assert_eq!(answer["result"].pointer(pointer), Some(&value), "{arguments}: {answer}");
        let warnings: Vec<&str> =
            answer["warnings"].as_array().expect("warnings").iter().filter_map(Value::as_str).collect();
        assert!(warnings.len() == 1 && warnings[0].contains(warning), "{arguments}: {warnings:?}");
    }
    let refusals = [
        (json!({"action": "play-scene", "sceneIndex": 1, "path": "s1"}), "path already says it"),
        (
            json!({"action": "update-arrangement", "startLocator": "Verse", "startTime": "3|1"}),
            "startTime already says it",
        ),
        (json!({"action": "play-session-clips", "sceneIndex": 1}), "sceneIndex belongs to action play-scene"),
        (json!({"action": "stop", "slots": "0/1"}), "slots belongs to action"),
        (json!({"action": "play-scene", "path": "s0", "startLocator": "Verse"}), "startLocator belongs to action"),
        (json!({"action": "play-scene", "path": "s0", "loop": false}), "loop belongs to action"),
        (json!({"action": "stop-all-session-clips", "startTime": "1|1"}), "startTime belongs to action"),
        (json!({"action": "play-arrangement", "path": "t0/s0"}), "path belongs to action"),
        (json!({"action": "update-arrangement", "id": clip}), "id belongs to action"),
        (json!({"action": "play-scene", "id": "s0"}), "is a path"),
        (json!({"action": "play-scene", "path": "s+"}), "svc-create-scene"),
        (json!({"action": "play-scene", "path": "s0", "id": clip, "ids": clip}), "id already says it"),
    ];
    for (arguments, words) in refusals {
        let text = api.refused("svc-playback", arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
    // Null, blank and the word null were not sent.
    api.ok("svc-playback", json!({"action": "stop", "path": "null", "id": " ", "loopStart": null, "startLocator": ""}));
    api.ok("svc-playback", json!({"action": "stop-all-session-clips", "startTime": "null", "loop": null}));
}

#[test]
fn a_fired_clip_that_goes_leaves_its_track_to_the_arrangement() {
    let api = set();
    api.set(SONG, "tempo", json!(20));
    api.ok("svc-playback", json!({"action": "play-arrangement", "startTime": "1|2"}));
    wait_until_it_runs(&api);
    api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0"}));
    assert_eq!(api.get("live_set tracks 0", "fired_slot_index"), json!([0]));
    api.ok("svc-delete", json!({"type": "clip", "path": "t0/s0"}));
    assert_eq!(api.get("live_set tracks 0", "back_to_arranger"), json!([0]));
}
