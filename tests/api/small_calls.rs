//! Small calls are applied on the thread that read them, and nobody can tell but by the thread's name.

use crate::http::Client;
use crate::support::Api;
use serde_json::{Value, json};

const HERE: &str = "svc-http";
const THE_PUMPS: &str = "svc-model";

fn scenes(api: &Api) -> u64 {
    api.count("sceneCount")
}

/// What each call says of its thread, and how many scenes there are then: `well` makes one.
#[test]
fn a_call_is_applied_once_whatever_thread_does_it() {
    let api = Api::raw_enabled();
    for (call, thread, scenes_then) in [
        (json!({"behave": "well"}), THE_PUMPS, 9),
        (json!({"behave": "well", "small": true}), HERE, 10),
        (json!({"behave": "well", "small": false}), THE_PUMPS, 11),
        // Marked small, and takes longer than a small call may: what it did is dropped, and it waits for its turn.
        (json!({"behave": "sleep", "sleep": "20", "small": true}), THE_PUMPS, 12),
    ] {
        assert_eq!(api.ok("svc-test", call.clone())["thread"], thread, "{call}");
        assert_eq!(scenes(&api), scenes_then, "{call}");
    }
    // Each is one step.
    for scenes_then in [11, 10, 9, 8] {
        api.call("live_set", "undo", json!([]));
        assert_eq!(scenes(&api), scenes_then);
    }
    assert_eq!(api.get("live_set", "can_undo"), json!([0]));
}

#[test]
fn a_small_call_that_fails_leaves_the_set_as_it_was() {
    let api = Api::new();
    let before = api.saved();
    let post = |target: &str, call: Value| api.post(target, "", &call).status;
    assert_eq!(post("/api/tools/svc-test", json!({"behave": "panic", "small": true})), 500);
    assert_eq!(api.saved(), before);
    assert_eq!(api.refused("svc-test", json!({"behave": "fail", "small": true})), "failed as asked");
    let late = json!({"behave": "sleep", "sleep": "600", "small": true});
    assert_eq!(post("/api/tools/svc-test?timeoutMs=80", late), 504);
    // This one waits for the sleeper to end.
    assert_eq!(api.ok("svc-read-live-set", json!({}))["sceneCount"], 8);
    assert_eq!(api.saved(), before);
}

#[test]
fn a_small_call_does_not_overtake_one_that_waits() {
    let api = Api::new();
    let addr = api.addr;
    let post = move |query: &str, call: Value| {
        Client::connect(addr).request("POST", &format!("/api/tools/svc-test{query}"), "", &call.to_string())
    };
    std::thread::scope(|scope| {
        let holder = scope.spawn(move || post("?timeoutMs=20000", json!({"behave": "sleep", "sleep": "2000"})));
        // A call with 1 ms always goes into the queue, and is late once the holder has the Set.
        while post("?timeoutMs=1", json!({"behave": "fail"})).status != 504 {}
        let reply = post("?timeoutMs=20000", json!({"behave": "well", "small": true})).json();
        assert_eq!(reply["result"]["thread"], THE_PUMPS, "{reply}");
        assert_eq!(holder.join().expect("the holder ends").status, 200);
    });
    assert_eq!(api.ok("svc-test", json!({"behave": "well", "small": true}))["thread"], HERE);
}

/// One that only reads needs nobody's leave: it is told of the Set as it was committed last.
#[test]
fn a_small_read_waits_for_nobody() {
    let api = Api::new();
    let addr = api.addr;
    let post = move |query: &str, call: Value| {
        Client::connect(addr).request("POST", &format!("/api/tools/svc-test{query}"), "", &call.to_string())
    };
    std::thread::scope(|scope| {
        // It changes the tempo, and then holds the Set until nobody waits for it any more.
        let holder = scope.spawn(move || post("?timeoutMs=4000", json!({"behave": "sleep", "sleep": "4300"})));
        // A call with 1 ms always goes into the queue, and is late once the holder has the Set.
        while post("?timeoutMs=1", json!({"behave": "fail"})).status != 504 {}
        for (tool, arguments) in [
            ("svc-read-live-set", json!({})),
            ("svc-read-live-set", json!({"include": ["*"]})),
            ("svc-read-track", json!({"path": "t0"})),
            ("svc-read-scene", json!({"path": "s0"})),
            ("svc-read-device", json!({"path": "rt0/d0"})),
        ] {
            let answer = api.ok(tool, arguments);
            assert!(answer.get("tempo").is_none_or(|tempo| tempo == 120), "{answer}");
        }
        assert!(!holder.is_finished(), "a read waited for the holder");
        assert_eq!(holder.join().expect("the holder ends").status, 504);
    });
}

#[test]
fn a_small_read_sees_what_was_answered_before() {
    let api = Api::raw_enabled();
    for (at, name) in (0..200).map(|at| (at, format!("Name {at}"))) {
        api.ok("svc-update-track", json!({"path": "t0", "name": name}));
        assert_eq!(api.ok("svc-read-track", json!({"path": "t0"}))["name"], name);
        if at % 10 == 9 {
            api.call("live_set", "undo", json!([]));
            assert_eq!(api.ok("svc-read-track", json!({"path": "t0"}))["name"], format!("Name {}", at - 1));
        }
    }
    // What runs beside the document, too.
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"}));
    let launched = || {
        let clip = api.ok("svc-read-clip", json!({"path": "t0/s0"}));
        clip.get("triggered").or(clip.get("playing")).is_some()
    };
    assert!(!launched());
    api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0"}));
    assert!(launched());
}

/// No matter how small its arguments are, a call that reads a file or goes through all notes of a clip is no small one:
/// it would keep everybody else's calls from being read.
#[test]
fn every_tool_says_which_of_its_calls_are_small() {
    use svc_device::tools::registry;
    let is_small = |tool: &str, arguments: Value| {
        let tool = registry::all().iter().find(|known| known.name == tool).expect("a tool");
        (tool.small)(arguments.as_object().expect("an object"))
    };
    for (tool, arguments, small) in [
        ("svc-read-live-set", json!({}), true),
        ("svc-read-track", json!({"path": "t0"}), true),
        ("svc-update-clip", json!({"path": "t0/s0", "name": "A"}), true),
        ("svc-update-clip", json!({"path": "t0/s0", "transforms": "velocity += 1"}), false),
        ("svc-update-clip", json!({"path": "t0/s0", "quantize": 1}), false),
        ("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}), true),
        ("svc-create-clip", json!({"path": "t0/s0", "sampleFile": "a.wav"}), false),
        ("svc-update-device", json!({"path": "t0/d0", "params": "1: 2"}), true),
        ("svc-update-device", json!({"path": "t0/d0", "toPath": "t1"}), false),
        ("svc-duplicate", json!({"type": "track", "path": "t0"}), false),
        ("svc-library", json!({}), false),
        ("svc-connect", json!({}), false),
        ("svc-context", json!({}), false),
        ("svc-live-api", json!({}), false),
    ] {
        assert_eq!(is_small(tool, arguments.clone()), small, "{tool} {arguments}");
    }
}
