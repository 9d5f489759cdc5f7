//! The law of undo: whatever was done through the raw tool, undoing it all gives the Set as it was, and redoing it all
//! the Set as it had become.

use crate::saved_changes;
use crate::support::Api;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Mutex;
use svc_device::set::Document;

/// Kinds of places.
const KINDS: u8 = 17;

/// A place in the Set, taken modulo what is there.
fn path(kind: u8, a: usize, b: usize) -> String {
    let (a, b) = (a % 6, b % 10);
    match kind % KINDS {
        0 | 9 => "live_set".to_owned(),
        1 => format!("live_set tracks {a}"),
        10 => format!("live_set tracks {}", a % 3),
        2 => format!("live_set scenes {b}"),
        3 => format!("live_set tracks {} clip_slots {b}", a % 2),
        // Where the Set of the test has its clips.
        4 | 11 => ["0 clip_slots 0", "0 clip_slots 1", "1 clip_slots 0", "1 clip_slots 2"]
            .map(|slot| format!("live_set tracks {slot} clip"))[a % 4]
            .clone(),
        5 => format!("live_set tracks {a} mixer_device {}", ["volume", "panning", "sends 0", "track_activator"][b % 4]),
        6 => format!("live_set tracks {a} mixer_device"),
        7 => format!("live_set return_tracks {}", a % 2),
        8 => format!("live_set return_tracks {} devices 0 parameters {b}", a % 2),
        12 => format!("live_set return_tracks {} devices 0", a % 2),
        13 => "live_set tuning_system".to_owned(),
        14 => format!("live_set tracks {}", a % 3),
        15 => format!("live_set tracks 0 arrangement_clips {}", b % 2),
        _ => ["live_set", "live_set cue_points 0", "live_set tracks 0 take_lanes 0"][a % 3].to_owned(),
    }
}

/// Operations that fit the kind of object at the place, with values that are mostly legal.
fn operation(kind: u8, which: u8, number: f64, a: usize, b: usize) -> (String, Value) {
    let set = |property: &str, value: Value| {
        ("set ".to_owned() + property, json!({"type": "set", "property": property, "value": value}))
    };
    let call = |method: &str, args: Value| {
        ("call ".to_owned() + method, json!({"type": "call", "method": method, "args": args}))
    };
    let text = json!(format!("n{}", a % 7));
    let note = json!({"notes": [{"pitch": 36 + a % 60, "start_time": (b % 32) as f64 / 4.0, "duration": 0.25 + number, "velocity": 1.0 + 126.0 * number}]});
    let index = |count: usize| json!([a % count]);
    match kind % KINDS {
        0 => match which % 14 {
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
            _ => call("duplicate_scene", index(8)),
        },
        9 => match which % 14 {
            0 => set("signature_denominator", json!([1, 2, 4, 8, 16][a % 5])),
            1 => set("loop_length", json!(0.5 + 16.0 * number)),
            2 => set("clip_trigger_quantization", json!(a % 14)),
            3 => set("scale_mode", json!(a % 2)),
            4 => set("swing_amount", json!(number)),
            5 => set("groove_amount", json!(number)),
            6 => set("midi_recording_quantization", json!(a % 9)),
            7 => set(["punch_in", "punch_out"][b % 2], json!(a % 2)),
            8 => set(["overdub", "arrangement_overdub"][b % 2], json!(a % 2)),
            9 => set(["session_automation_record", "tempo_follower_enabled"][b % 2], json!(a % 2)),
            10 => call("create_return_track", json!([])),
            11 => call("delete_return_track", index(3)),
            12 => call("capture_and_insert_scene", json!([a % 2])),
            _ => call("create_midi_track", index(6)),
        },
        1 | 7 => match which % 6 {
            0 => set("name", text),
            1 => set("color_index", json!(a % 70)),
            2 => set("mute", json!(a % 2)),
            3 => set("solo", json!(b % 2)),
            4 if kind % KINDS == 1 => set("arm", json!(b % 2)),
            4 => set("color", json!(a * 90_000 % 0x100_0000)),
            5 if kind % KINDS == 7 && b.is_multiple_of(3) => call("delete_device", json!([0])),
            _ => set("current_output_routing", json!(["Main", "Sends Only", "Ext. Out", "No Output"][b % 4])),
        },
        10 => match which % 5 {
            0 => set("current_monitoring_state", json!(b % 3)),
            1 => set("implicit_arm", json!(b % 2)),
            2 => set("input_routing_channel", json!({"identifier": b % 4})),
            3 => call("duplicate_clip_slot", json!([b % 2])),
            _ => call("insert_device", Value::Array(vec![json!(["Drift", "Utility", "Arpeggiator", "Reverb"][b % 4])])),
        },
        2 => match which % 8 {
            0 => set("name", text),
            1 => set("tempo", json!(30.0 + 900.0 * number)),
            2 => set("time_signature_numerator", json!(1 + a % 20)),
            3 => set("color_index", json!(b)),
            4 => set("tempo_enabled", json!(a % 2)),
            5 => set("time_signature_denominator", json!([1, 2, 4, 8, 16][a % 5])),
            6 => set("time_signature_enabled", json!(a % 2)),
            _ => set("color", json!(a * 90_000 % 0x100_0000)),
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
        11 => match which % 10 {
            0 => set("launch_mode", json!(b % 4)),
            1 => set("launch_quantization", json!(b % 15)),
            2 => set("legato", json!(b % 2)),
            3 => set("color_index", json!(a % 70)),
            4 => set("signature_numerator", json!(1 + a % 12)),
            5 => set("loop_start", json!(2.0 * number)),
            6 => set("start_marker", json!(2.0 * number)),
            7 => set("end_marker", json!(4.0 + 4.0 * number)),
            8 => set("position", json!(4.0 * number)),
            _ => call("remove_notes_by_id", json!([[1 + a % 3]])),
        },
        6 => match which % 2 {
            0 => set("crossfade_assign", json!(a % 3)),
            _ => set("panning_mode", json!(b % 2)),
        },
        12 => set("name", text),
        14 => match which % 4 {
            0..=2 => call("create_midi_clip", json!([(b % 16) as f64 + number, 1.0 + 8.0 * number])),
            _ => call("create_take_lane", json!([])),
        },
        15 => match which % 6 {
            0 => set("name", text),
            1 => set("muted", json!(b % 2)),
            2 => set("loop_end", json!(0.25 + 8.0 * number)),
            3 => set("looping", json!(b % 2)),
            4 => call("add_new_notes", json!([note])),
            _ => call("duplicate_loop", json!([])),
        },
        16 => match a % 3 {
            0 => call("set_or_delete_cue", json!([])),
            1 => set("name", text),
            _ => match which % 3 {
                0 => set("name", text),
                _ => call("create_midi_clip", json!([(b % 16) as f64 + number, 1.0 + 8.0 * number])),
            },
        },
        13 => match which % 3 {
            0 => set("name", text),
            1 => set("reference_pitch", json!({"index_in_octave": a % 13, "octave": 3, "frequency": 400.0 + number})),
            _ => set("highest_note", json!({"index_in_octave": a % 12, "octave": b % 10})),
        },
        _ => set("value", json!(number)),
    }
}

/// Operations that launch, select or look: none of them ever changes the Set or makes a step.
fn live_operation(which: u8, a: usize, b: usize) -> (String, Value) {
    let set = |property: &str, value: Value| json!({"type": "set", "property": property, "value": value});
    let call = |method: &str, args: Value| json!({"type": "call", "method": method, "args": args});
    let slot = format!("live_set tracks {} clip_slots {}", a % 4, b % 3);
    let song = "live_set".to_owned();
    match which % 12 {
        0 => (slot, call("fire", json!([]))),
        1 => (slot, call("stop", json!([]))),
        2 => (slot, call("set_fire_button_state", json!([a % 2]))),
        3 => (format!("live_set tracks {}", a % 4), call("stop_all_clips", json!([a % 2]))),
        4 => (song, call(["start_playing", "stop_playing", "continue_playing"][a % 3], json!([]))),
        5 => (song, set("back_to_arranger", json!(0))),
        6 => (song, set("current_song_time", json!(b % 64))),
        7 => ("live_set view".to_owned(), set("selected_scene", json!("id 10"))),
        8 => (
            "live_app view".to_owned(),
            call("show_view", Value::Array(vec![json!(["Arranger", "Session", "Browser"][a % 3])])),
        ),
        9 => ("live_set tracks 0 view".to_owned(), set("is_collapsed", json!(a % 2))),
        10 => (song, set("record_mode", json!(a % 2))),
        _ => (song, set(["nudge_up", "nudge_down"][b % 2], json!(a % 2))),
    }
}

#[derive(Clone, Debug)]
struct Act {
    path: String,
    /// `None` for those that never change the Set.
    name: Option<String>,
    operation: Value,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = (0..KINDS + 2, any::<u8>(), 0.0f64..1.0, any::<u16>(), any::<u16>());
    let act = act.prop_map(|(kind, which, number, a, b)| {
        let (a, b) = (usize::from(a), usize::from(b));
        if kind >= KINDS {
            let (path, operation) = live_operation(which, a, b);
            return Act { path, name: None, operation };
        }
        let (name, operation) = operation(kind, which, number, a, b);
        Act { path: path(kind, a, b), name: Some(name), operation }
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
    let config = ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() };
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
        for start in [0, 8] {
            api.call("live_set tracks 0", "create_midi_clip", json!([start, 4]));
        }
        api.call("live_set tracks 0", "create_take_lane", json!([]));
        // Loaded as saved, with nothing to undo.
        api.device.load_state(&api.saved());
        let before = api.document();
        let mut states = vec![before.clone()];
        for act in &acts {
            let last = api.document();
            // One call each, so one step each.
            api.raw(&act.path, json!([act.operation]));
            let now = api.document();
            let changed = saved(&now) != saved(&last);
            saved_changes::lead_from_to(&last, &now).map_err(|why| TestCaseError::fail(format!("{act:?}: {why}")))?;
            match &act.name {
                Some(name) => {
                    let mut counts = counts.lock().expect("no panic while counting");
                    let entry = counts.entry(name.clone()).or_default();
                    entry.0 += 1;
                    entry.1 += u32::from(changed);
                }
                None => prop_assert!(!changed, "{act:?} changes nothing: {}", difference(&last, &now)),
            }
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
        ("svc-update-device", json!({"path": "rt0/d0,rt1/d0", "name": "A,B", "toPath": "rt1/d+,mt"})),
        ("svc-update-device", json!({"path": "rt0/d0", "wrapInRack": true})),
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

/// Launching is no edit: what it wrote to the tempo and the meter is of no step, and no step takes it back.
#[test]
fn what_a_launch_wrote_outlives_steps_that_are_undone() {
    let api = Api::raw_enabled();
    let plays = || {
        let set = api.ok("svc-read-live-set", json!({}));
        (set["tempo"].clone(), set["timeSignature"].clone())
    };
    let newest = || api.ok("svc-read-history", json!({"limit": 1}))["steps"][0]["changes"].clone();
    let launch = |scene: usize| {
        api.ok("svc-playback", json!({"action": "play-scene", "path": format!("s{scene}")}));
    };
    api.ok("svc-update-scene", json!({"path": "s2", "tempo": 80, "timeSignature": "6/8"}));
    api.ok("svc-update-scene", json!({"path": "s3", "tempo": 77}));
    api.ok("svc-update-track", json!({"path": "t0", "name": "Lead"}));
    launch(2);
    let renamed = json!(["t0 \"Lead\": name \"1-MIDI\" -> \"Lead\""]);
    assert_eq!((plays(), newest()), ((json!(80), json!("6/8")), renamed.clone()));
    api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!(plays(), (json!(80), json!("6/8")), "undone is the name alone");
    launch(3);
    let redone = api.ok("svc-manage", json!({"action": "redo"}));
    assert_eq!(plays(), (json!(77), json!("6/8")), "redone is the name alone: {redone}");
    assert_eq!(newest(), renamed, "what was launched meanwhile is of no step");
    // A step that changed the tempo takes it back, and the meter stays.
    api.ok("svc-update-live-set", json!({"tempo": 90}));
    launch(2);
    api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!(plays(), (json!(77), json!("6/8")));
    api.ok("svc-manage", json!({"action": "redo"}));
    assert_eq!((plays(), newest()), ((json!(90), json!("6/8")), json!(["the Set: tempo 77 -> 90"])));
}

/// A gesture that a launch falls into is still that of the fader alone.
#[test]
fn a_launch_within_a_gesture_is_no_part_of_it() {
    let api = Api::new();
    let gesture = "x-svc-gesture: fader 7\r\n";
    let fader = |db: i32| api.envelope("svc-update-track", gesture, &json!({"path": "t0", "gainDb": db}));
    api.ok("svc-update-scene", json!({"path": "s2", "tempo": 80}));
    fader(-3);
    api.ok("svc-playback", json!({"action": "play-scene", "path": "s2"}));
    fader(-4);
    let step = api.ok("svc-read-history", json!({"limit": 1}))["steps"][0]["changes"].clone();
    assert_eq!(step, json!(["t0 \"1-MIDI\": gainDb 0 -> -4"]));
    api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!(api.ok("svc-read-live-set", json!({}))["tempo"], 80);
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
