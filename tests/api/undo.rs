//! The law of undo: whatever was done through the raw tool, undoing it all gives the Set as it was, and redoing it all the
//! Set as it had become.

use crate::support::Api;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Mutex;
use svc_device::set::Document;

/// A place in the Set, taken modulo what is there.
fn path(kind: u8, a: usize, b: usize) -> String {
    let (a, b) = (a % 6, b % 10);
    match kind % 10 {
        0 => "live_set".to_owned(),
        1 => format!("live_set tracks {a}"),
        2 => format!("live_set scenes {b}"),
        3 => format!("live_set tracks {} clip_slots {b}", a % 2),
        // Where the Set of the test has its clips.
        4 => ["0 clip_slots 0", "0 clip_slots 1", "1 clip_slots 0", "1 clip_slots 2"]
            .map(|slot| format!("live_set tracks {slot} clip"))[a % 4]
            .clone(),
        5 => format!("live_set tracks {a} mixer_device {}", ["volume", "panning", "sends 0", "track_activator"][b % 4]),
        6 => format!("live_set tracks {a} mixer_device"),
        7 => format!("live_set return_tracks {}", a % 2),
        9 => format!("live_set tracks {} arrangement_clips {}", a % 2, b % 3),
        _ => format!("live_set return_tracks {} devices 0 parameters {b}", a % 2),
    }
}

/// Operations that fit the kind of object at the place, with values that are mostly legal.
fn operation(kind: u8, which: u8, number: f64, a: usize, b: usize) -> (String, Value) {
    let set = |property: &str, value: Value| {
        let own = property.trim_start_matches("placed ");
        ("set ".to_owned() + property, json!({"type": "set", "property": own, "value": value}))
    };
    let call = |method: &str, args: Value| {
        let own = method.trim_start_matches("placed ");
        ("call ".to_owned() + method, json!({"type": "call", "method": own, "args": args}))
    };
    let text = json!(format!("n{}", a % 7));
    let note = json!({"notes": [{"pitch": 36 + a % 60, "start_time": (b % 32) as f64 / 4.0, "duration": 0.25 + number, "velocity": 1.0 + 126.0 * number}]});
    let index = |count: usize| json!([a % count]);
    match kind % 10 {
        0 => match which % 15 {
            0 => set("tempo", json!(20.0 + 900.0 * number)),
            1 => set("loop", json!(which / 14 % 2)),
            2 => set("loop_start", json!(64.0 * number)),
            3 => set("root_note", json!(a % 12)),
            4 => set("scale_name", json!(["Minor", "Dorian", "Kumoi"][a % 3])),
            5 => set("signature_numerator", json!(1 + a % 12)),
            6 => set("metronome", json!(a % 2)),
            7 => call("create_midi_track", json!([-1])),
            8 => call("create_audio_track", index(4)),
            9 => call("create_scene", index(6)),
            10 => call("delete_track", index(6)),
            11 => call("delete_scene", index(8)),
            12 => call("duplicate_track", index(5)),
            14 => call("set_or_delete_cue", json!([])),
            _ => call("duplicate_scene", index(8)),
        },
        1 | 7 => match which % 9 {
            6 | 7 if kind % 10 == 1 => call("create_midi_clip", json!([b % 24, 1 + which % 12])),
            8 if kind % 10 == 1 => call("create_take_lane", json!([])),
            0 => set("name", text),
            1 => set("color_index", json!(a % 70)),
            2 => set("mute", json!(a % 2)),
            3 => set("solo", json!(b % 2)),
            4 if kind % 10 == 1 => set("arm", json!(b % 2)),
            4 => set("color", json!(a * 90_000 % 0x100_0000)),
            _ => set("is_showing_chains", json!(a % 2)),
        },
        2 => match which % 4 {
            0 => set("name", text),
            1 => set("tempo", json!(30.0 + 900.0 * number)),
            2 => set("time_signature_numerator", json!(1 + a % 20)),
            _ => set("color_index", json!(b)),
        },
        3 => match which % 4 {
            0 | 1 => call("create_clip", json!([1 + b % 8])),
            2 => call("delete_clip", json!([])),
            _ => set("has_stop_button", json!(a % 2)),
        },
        4 => match which % 10 {
            0 => set("name", text),
            1 => set("loop_end", json!(0.25 + 16.0 * number)),
            2 => set("looping", json!(b % 2)),
            3 => set("muted", json!(b % 2)),
            4 | 5 => call("add_new_notes", json!([note])),
            6 => call("remove_notes_extended", json!([60, 1 + a % 60, number * 4.0, 16])),
            7 => call("quantize", json!([1 + a % 8, number])),
            8 => call("duplicate_loop", json!([])),
            _ => call("crop", json!([])),
        },
        9 => match which % 6 {
            0 => set("placed looping", json!(0)),
            1 => set("placed loop_end", json!(0.25 + 16.0 * number)),
            2 => set("placed loop_start", json!(4.0 * number)),
            3 => call("placed add_new_notes", json!([note])),
            4 => call("placed duplicate_loop", json!([])),
            _ => set("placed name", text),
        },
        6 => match which % 2 {
            0 => set("crossfade_assign", json!(a % 3)),
            _ => set("panning_mode", json!(b % 2)),
        },
        _ => set("value", json!(number)),
    }
}

#[derive(Clone, Debug)]
struct Act {
    path: String,
    name: String,
    operation: Value,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act =
        (0u8..10, any::<u8>(), 0.0f64..1.0, any::<u16>(), any::<u16>()).prop_map(|(kind, which, number, a, b)| {
            let (a, b) = (usize::from(a), usize::from(b));
            let (name, operation) = operation(kind, which, number, a, b);
            Act { path: path(kind, a, b), name, operation }
        });
    proptest::collection::vec(act, 1..14)
}

/// Everything that is saved but the counter of ids, which never goes back.
fn saved(document: &Document) -> Document {
    Document { next_serial: 0, ..document.clone() }
}

/// The first line that two documents do not share.
fn difference(a: &Document, b: &Document) -> String {
    let (a, b) = (format!("{:#?}", saved(a)), format!("{:#?}", saved(b)));
    let other = a.lines().zip(b.lines()).enumerate().find(|(_, (a, b))| a != b);
    format!("{other:?}")
}

#[test]
fn undoing_all_gives_the_set_before_and_redoing_all_the_set_after() {
    // Sent, and accepted: an operation that changed the Set.
    let counts: Mutex<BTreeMap<String, (u32, u32)>> = Mutex::new(BTreeMap::new());
    let config = ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() };
    let api = Api::raw_enabled();
    let fresh = api.saved();
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let law = |acts: Vec<Act>| {
        api.device.load_state(&fresh);
        api.ok(
            "svc-create-clip",
            json!({"path": "t0/s0,t0/s1,t1/s0,t1/s2", "length": "1bar", "notes": "n/8 C3 1|1.1x5@n/4 C5 2|2.3x4@n/16"}),
        );
        for (track, start) in [(0, 0), (0, 8), (0, 20), (1, 4), (1, 6), (1, 12)] {
            api.call(&format!("live_set tracks {track}"), "create_midi_clip", json!([start, 6]));
        }
        let before = api.document();
        let mut states = vec![before.clone()];
        for act in &acts {
            let last = api.document();
            // One call each, so one step each.
            api.raw(&act.path, json!([act.operation]));
            let now = api.document();
            let changed = saved(&now) != saved(&last);
            let mut counts = counts.lock().expect("no panic while counting");
            let entry = counts.entry(act.name.clone()).or_default();
            entry.0 += 1;
            entry.1 += u32::from(changed);
            if changed {
                states.push(now);
            }
        }
        let all = |function: &str| {
            let can = format!("can_{function}");
            let mut seen = vec![api.document()];
            while api.get("live_set", &can) == json!([1]) && seen.len() < states.len() {
                api.call("live_set", function, json!([]));
                seen.push(api.document());
            }
            seen
        };
        let undone = all("undo");
        prop_assert_eq!(undone.len(), states.len(), "one step for each call that changed something");
        for (undone, state) in undone.iter().rev().zip(&states) {
            prop_assert!(saved(undone) == saved(state), "undo brings back each state: {}", difference(undone, state));
        }
        prop_assert!(
            undone.iter().all(|d| d.next_serial == undone[0].next_serial),
            "the counter of ids never goes back"
        );
        let redone = all("redo");
        prop_assert_eq!(redone.len(), states.len());
        for (redone, state) in redone.iter().zip(&states) {
            prop_assert!(saved(redone) == saved(state), "redo brings back each state: {}", difference(redone, state));
        }
        prop_assert_eq!(api.get("live_set", "can_redo"), json!([0]));
        Ok(())
    };
    if let Err(error) = runner.run(&acts(), law) {
        panic!("{error}");
    }
    let counts = counts.into_inner().expect("no panic while counting");
    let (sent, accepted) = counts.values().fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1));
    let never: Vec<&String> = counts.iter().filter(|(_, n)| n.1 == 0).map(|(name, _)| name).collect();
    println!("{accepted} of {sent} operations changed the Set: {counts:?}");
    assert!(accepted * 10 >= sent * 3, "{accepted} of {sent}");
    assert!(never.is_empty(), "never accepted: {never:?}");
}

/// The same law over everything that the API shows, for calls of the named tools.
#[test]
fn a_tool_call_is_one_step() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1,2", "length": "1bar"}));
    let shown = || {
        let set = api.ok("svc-read-live-set", json!({"include": ["*"]}));
        let tracks = api.ok("svc-read-track", json!({"path": "t0,t1,t2,rt0,mt", "include": ["*"]}));
        (set, tracks)
    };
    let calls = [
        ("svc-create-clip", json!({"path": "t0/s1,t1/s9", "notes": "E3 1|1"})),
        ("svc-create-clip", json!({"path": "t0/s0", "notes": "G3 1|1", "name": "New"})),
        ("svc-update-clip", json!({"path": "t0/s0", "notes": "A3 1|3", "name": "X"})),
        ("svc-update-track", json!({"path": "t0,rt0,mt", "name": "A,B,C", "color": "#FF0000"})),
        ("svc-create-track", json!({"path": "t0,t+,rt+"})),
        ("svc-delete", json!({"type": "scene", "path": "s0,s1"})),
        ("svc-delete", json!({"type": "track", "path": "t0,rt0"})),
        ("svc-delete", json!({"type": "clip", "path": "t0/s0"})),
    ];
    for (tool, arguments) in calls {
        let before = shown();
        let reply = api.envelope(tool, "", &arguments);
        assert_eq!(reply["isError"], false, "{tool} {arguments}: {reply}");
        let after = shown();
        api.call("live_set", "undo", json!([]));
        assert_eq!(shown(), before, "{tool} {arguments} undone");
        api.call("live_set", "redo", json!([]));
        assert_eq!(shown(), after, "{tool} {arguments} redone");
        api.call("live_set", "undo", json!([]));
    }
}

/// Every way in which the Set changes is a change of what is saved, too.
#[test]
fn what_is_saved_follows_undo_and_launches() {
    let api = Api::raw_enabled();
    let tempo = || api.document().song.tempo_bpm;
    api.set("live_set", "tempo", json!(90));
    assert_eq!(tempo(), 90.0);
    api.call("live_set", "undo", json!([]));
    assert_eq!(tempo(), 120.0);
    api.call("live_set", "redo", json!([]));
    assert_eq!(tempo(), 90.0);
    api.set("live_set scenes 0", "tempo", json!(77));
    api.call("live_set scenes 0", "fire", json!([]));
    assert_eq!(tempo(), 77.0);
    assert_eq!(api.ok("svc-read-live-set", json!({}))["tempo"], 77);
    // A held state takes no undo, which is a write like others.
    api.device.load_state("not a state");
    let text = api.raw_refused("live_set", json!([{"type": "call", "method": "undo"}]));
    assert!(text.contains("nothing was written"), "{text}");
}

/// A call that comes in after a state was loaded runs on that state, also while the turn before it is just ending.
#[test]
fn a_call_after_a_load_is_not_lost() {
    let api = Api::new();
    let fresh = api.saved();
    for round in 0..300 {
        api.device.load_state(&fresh);
        let name = format!("round {round}");
        api.ok("svc-update-track", json!({"path": "t0", "name": name}));
        assert_eq!(api.ok("svc-read-track", json!({"path": "t0"}))["name"], name);
    }
}
