//! The note functions of a clip.

use crate::support::Api;
use serde_json::{Value, json};

const CLIP: &str = "live_set tracks 0 clip_slots 0 clip";

fn empty_clip() -> Api {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "2bar"}));
    api
}

fn note(pitch: u8, start: f64, duration: f64) -> Value {
    json!({"pitch": pitch, "start_time": start, "duration": duration})
}

fn add(api: &Api, notes: Value) -> Value {
    api.call(CLIP, "add_new_notes", json!([{ "notes": notes }]))
}

/// A note call answers one JSON text in a list.
fn listed(answer: &Value) -> Vec<Value> {
    let text = answer[0].as_str().unwrap_or_else(|| panic!("a JSON text: {answer}"));
    let parsed: Value = serde_json::from_str(text).expect("JSON");
    parsed["notes"].as_array().expect("notes").clone()
}

fn all(api: &Api) -> Vec<Value> {
    listed(&api.call(CLIP, "get_all_notes_extended", json!([])))
}

fn pitches(notes: &[Value]) -> Vec<u64> {
    notes.iter().map(|note| note["pitch"].as_u64().expect("a pitch")).collect()
}

#[test]
fn adding_and_getting_all() {
    let api = empty_clip();
    let ids = add(
        &api,
        json!([note(60, 0.0, 1.0), {"pitch": 64, "start_time": 1.5, "duration": 0.25, "velocity": 80.5, "mute": 1,
        "probability": 0.5, "velocity_deviation": -10, "release_velocity": 30}]),
    );
    assert_eq!(ids, json!([1, 2]));
    assert_eq!(
        all(&api),
        [
            json!({"note_id": 1, "pitch": 60, "start_time": 0.0, "duration": 1.0, "velocity": 100.0, "mute": 0, "probability": 1.0,
                   "velocity_deviation": 0.0, "release_velocity": 64.0}),
            json!({"note_id": 2, "pitch": 64, "start_time": 1.5, "duration": 0.25, "velocity": 80.5, "mute": 1, "probability": 0.5,
                   "velocity_deviation": -10.0, "release_velocity": 30.0}),
        ]
    );
    let short = listed(&api.call(CLIP, "get_all_notes_extended", json!([{"return": ["pitch", "note_id"]}])));
    assert_eq!(short[0], json!({"note_id": 1, "pitch": 60}));
    // As a JSON text, too; and ids are never used again.
    let text = json!({"notes": [note(67, 2.0, 1.0)]}).to_string();
    assert_eq!(api.call(CLIP, "add_new_notes", json!([text])), json!([3]));
    api.call(CLIP, "remove_notes_by_id", json!([3]));
    assert_eq!(add(&api, json!([note(67, 2.0, 1.0)])), json!([4]));
    // Notes outside the loop and before beat 0 are kept.
    assert_eq!(add(&api, json!([note(50, -1.0, 0.5), note(50, 100.0, 1.0)])), json!([5, 6]));
    assert_eq!(all(&api).len(), 5);
}

#[test]
fn wrong_notes_change_nothing() {
    let api = empty_clip();
    add(&api, json!([note(60, 0.0, 1.0)]));
    let before = api.saved();
    let with = |key: &str, value: Value| {
        let mut note = note(60, 2.0, 1.0);
        note[key] = value;
        json!([note])
    };
    for notes in [
        json!([{"pitch": 60, "start_time": 0}]),
        json!([{"start_time": 0, "duration": 1}]),
        with("pitch", json!(128)),
        with("pitch", json!(-1)),
        with("pitch", json!(60.5)),
        with("pitch", json!("C3")),
        with("duration", json!(0)),
        with("duration", json!(-1)),
        with("start_time", json!(1e12)),
        with("velocity", json!(128)),
        with("probability", json!(1.5)),
        with("velocity_deviation", json!(128)),
        with("release_velocity", json!(-1)),
        json!([note(61, 0.0, 1.0), 5]),
        json!("x"),
    ] {
        assert_eq!(add(&api, notes.clone()), 1, "{notes}");
        assert_eq!(api.saved(), before, "{notes}");
    }
    for args in [json!([]), json!(["no json"]), json!([{}]), json!([{"notes": 3}]), json!([1, 2])] {
        assert_eq!(api.call(CLIP, "add_new_notes", args.clone()), 1, "{args}");
    }
    assert_eq!(api.saved(), before);
}

#[test]
fn equal_pitches_do_not_overlap() {
    let api = empty_clip();
    add(&api, json!([note(60, 0.0, 4.0)]));
    add(&api, json!([note(60, 1.0, 1.0)]));
    let notes = all(&api);
    assert_eq!((&notes[0]["duration"], &notes[1]["start_time"]), (&json!(1.0), &json!(1.0)));
    add(&api, json!([note(60, 1.0, 2.0)]));
    assert_eq!(all(&api).iter().map(|n| n["note_id"].clone()).collect::<Vec<_>>(), [json!(1), json!(3)]);
}

#[test]
fn areas_of_pitch_and_time() {
    let api = empty_clip();
    add(&api, json!([note(60, 0.0, 1.0), note(62, 1.0, 1.0), note(64, 2.0, 1.0), note(60, 3.0, 1.0)]));
    let cases = [
        (json!([0, 128, 0, 8]), vec![60, 62, 64, 60]),
        (json!([60, 2, 0, 8]), vec![60, 60]),
        (json!([60, 3, 0, 2]), vec![60, 62]),
        (json!([0, 128, 0.5, 1.5]), vec![62]),
        (json!([0, 128, 1, 1]), vec![62]),
        (json!([0, 0, 0, 8]), vec![]),
        (json!([0, 128, 0, 0]), vec![]),
        (json!([{"from_pitch": 62, "pitch_span": 3, "from_time": 0, "time_span": 8}]), vec![62, 64]),
        (
            json!([{"from_pitch": 62, "pitch_span": 3, "from_time": 0, "time_span": 8, "return": ["pitch"]}]),
            vec![62, 64],
        ),
    ];
    for (args, expected) in cases {
        assert_eq!(pitches(&listed(&api.call(CLIP, "get_notes_extended", args.clone()))), expected, "{args}");
    }
    let one = listed(&api.call(
        CLIP,
        "get_notes_extended",
        json!([{"from_pitch": 62, "pitch_span": 1, "from_time": 0, "time_span": 8, "return": ["pitch"]}]),
    ));
    assert_eq!(one, [json!({"pitch": 62})]);
    let before = api.saved();
    for args in [json!([0, 128]), json!([0, 128, 0]), json!([0, 128, 0, "x"]), json!([{"from_pitch": 1}]), json!([])] {
        assert_eq!(api.call(CLIP, "get_notes_extended", args.clone()), 1, "{args}");
        assert_eq!(api.call(CLIP, "remove_notes_extended", args.clone()), 1, "{args}");
    }
    assert_eq!(api.saved(), before);
    assert_eq!(api.call(CLIP, "remove_notes_extended", json!([60, 1, 0, 2])), json!(["id", 0]));
    assert_eq!(pitches(&all(&api)), [62, 64, 60]);
    let dictionary = json!([{"from_pitch": 62, "pitch_span": 1, "from_time": 0, "time_span": 8}]);
    assert_eq!(api.call(CLIP, "remove_notes_extended", dictionary), 1, "removing takes numbers only");
    api.call(CLIP, "remove_notes_extended", json!([62, 1, 0, 8]));
    assert_eq!(pitches(&all(&api)), [64, 60]);
    api.call(CLIP, "remove_notes_extended", json!([0, 128, -1000, 2000]));
    assert_eq!(all(&api).len(), 0);
}

#[test]
fn notes_by_id() {
    let api = empty_clip();
    add(&api, json!([note(60, 0.0, 1.0), note(62, 1.0, 1.0), note(64, 2.0, 1.0)]));
    for args in [json!([1, 3]), json!([[1, 3]]), json!([{"note_ids": [1, 3]}])] {
        assert_eq!(pitches(&listed(&api.call(CLIP, "get_notes_by_id", args.clone()))), [60, 64], "{args}");
    }
    let short = listed(&api.call(CLIP, "get_notes_by_id", json!([{"note_ids": [2], "return": ["start_time"]}])));
    assert_eq!(short, [json!({"start_time": 1.0})]);
    let before = api.saved();
    for args in [json!([9]), json!([1, 9]), json!([[1, 9]]), json!(["x"]), json!([])] {
        assert_eq!(api.call(CLIP, "get_notes_by_id", args.clone()), 1, "{args}");
        assert_eq!(api.call(CLIP, "remove_notes_by_id", args.clone()), 1, "{args}");
    }
    assert_eq!(api.saved(), before);
    api.call(CLIP, "remove_notes_by_id", json!([[1, 3]]));
    assert_eq!(pitches(&all(&api)), [62]);
}

#[test]
fn modifying_notes() {
    let api = empty_clip();
    add(&api, json!([note(60, 0.0, 1.0), note(62, 1.0, 1.0)]));
    let modify = |notes: Value| api.call(CLIP, "apply_note_modifications", json!([{ "notes": notes }]));
    assert_eq!(modify(json!([{"note_id": 1, "pitch": 72, "velocity": 64}])), json!(["id", 0]));
    let notes = all(&api);
    let changed = notes.iter().find(|n| n["note_id"] == 1).expect("the id stays");
    assert_eq!(
        (&changed["pitch"], &changed["velocity"], &changed["duration"]),
        (&json!(72), &json!(64.0), &json!(1.0)),
        "what is not sent stays"
    );
    let before = api.saved();
    for notes in [
        json!([{"note_id": 1, "pitch": 61}, {"note_id": 99, "pitch": 61}]),
        json!([{"pitch": 61}]),
        json!([{"note_id": 1, "pitch": 200}]),
        json!([{"note_id": 1, "duration": 0}]),
    ] {
        assert_eq!(modify(notes.clone()), 1, "{notes}");
        assert_eq!(api.saved(), before, "{notes}: the whole call is ignored");
    }
    // What a read gives can be sent back.
    let answer = api.call(CLIP, "get_all_notes_extended", json!([]));
    assert_eq!(api.call(CLIP, "apply_note_modifications", json!([answer[0]])), json!(["id", 0]));
    assert_eq!(api.saved(), before);
}

#[test]
fn duplicating_and_quantizing() {
    let api = empty_clip();
    add(&api, json!([note(60, 0.1, 0.5), note(62, 1.15, 0.5)]));
    let new = api.call(
        CLIP,
        "duplicate_notes_by_id",
        json!([{"note_ids": [1, 2], "destination_time": 4, "transposition_amount": 12}]),
    );
    assert_eq!(new, json!([3, 4]));
    let notes = all(&api);
    let starts: Vec<f64> = notes.iter().map(|n| n["start_time"].as_f64().expect("a number")).collect();
    assert_eq!(pitches(&notes), [60, 62, 72, 74]);
    for (start, expected) in starts.iter().zip([0.1, 1.15, 4.0, 5.05]) {
        assert!((start - expected).abs() < 1e-9, "{starts:?}");
    }
    api.call(CLIP, "quantize", json!([1, 1.0]));
    let starts: Vec<f64> = all(&api).iter().map(|n| n["start_time"].as_f64().expect("a number")).collect();
    assert_eq!(starts, [0.0, 1.0, 4.0, 5.0]);
    api.call(CLIP, "duplicate_region", json!([0, 2, 2]));
    assert_eq!(pitches(&all(&api)), [60, 62, 60, 62, 72, 74]);
    api.call(CLIP, "duplicate_region", json!([0, 1, 3, 60, 7]));
    let last = all(&api).into_iter().filter(|n| n["start_time"] == 3.0).collect::<Vec<_>>();
    assert_eq!(pitches(&last), [62, 67]);
    let before = all(&api).len();
    let length = api.get(CLIP, "length")[0].as_f64().expect("a number");
    api.call(CLIP, "duplicate_loop", json!([]));
    assert_eq!(api.get(CLIP, "length")[0].as_f64(), Some(2.0 * length));
    assert_eq!(all(&api).len(), 2 * before);
    api.set(CLIP, "loop_end", json!(2));
    api.call(CLIP, "crop", json!([]));
    assert_eq!(pitches(&all(&api)), [60, 62]);
    let before = api.saved();
    for (method, args) in [
        ("quantize", json!([99, 1])),
        ("quantize", json!([1, 2])),
        ("quantize", json!([1])),
        ("quantize_pitch", json!([200, 1, 1])),
        ("duplicate_notes_by_id", json!([99])),
        ("duplicate_region", json!([0, 0, 4])),
    ] {
        assert_eq!(api.call(CLIP, method, args.clone()), 1, "{method} {args}");
        assert_eq!(api.saved(), before, "{method} {args}");
    }
    add(&api, json!([note(60, 1.9, 0.05)]));
    api.call(CLIP, "quantize_pitch", json!([60, 2, 0.5]));
    let moved = all(&api);
    assert!(
        moved.iter().any(|n| (n["start_time"].as_f64().unwrap_or_default() - 1.95).abs() < 1e-9),
        "half the way: {moved:?}"
    );
}

#[test]
fn an_audio_track_has_no_such_notes_and_undo_takes_them_back() {
    let api = empty_clip();
    let before = api.saved();
    add(&api, json!([note(60, 0.0, 1.0)]));
    assert_eq!(all(&api).len(), 1);
    api.call("live_set", "undo", json!([]));
    assert_eq!(all(&api).len(), 0);
    api.call("live_set", "redo", json!([]));
    assert_eq!(all(&api).len(), 1);
    assert_ne!(api.saved(), before);
}
