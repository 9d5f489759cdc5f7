//! Writes through the raw tool: what lands, what is refused, and that a refused write changes nothing.

use crate::support::Api;
use serde_json::{Value, json};

const CLIP: &str = "live_set tracks 0 clip_slots 0 clip";
const SCENE: &str = "live_set scenes 0";

fn with_clip() -> Api {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1", "length": "2bar"}));
    api
}

#[test]
fn a_refused_write_changes_nothing() {
    let api = with_clip();
    let volume = "live_set tracks 0 mixer_device volume";
    let cases = [
        // read-only
        ("live_set", "can_undo", json!(1)),
        ("live_set", "scale_intervals", json!([0, 1])),
        ("live_set tracks 0", "has_midi_input", json!(0)),
        ("live_set tracks 0", "mixer_device", json!("id 5")),
        (CLIP, "length", json!(2)),
        (CLIP, "is_midi_clip", json!(0)),
        (volume, "name", json!("x")),
        (volume, "max", json!(2)),
        // wrong type
        ("live_set", "tempo", json!("fast")),
        ("live_set", "tempo", json!(true)),
        ("live_set", "tempo", Value::Null),
        ("live_set", "tempo", json!({"bpm": 100})),
        ("live_set", "tempo", json!([100, 110])),
        ("live_set", "loop", json!("yes")),
        ("live_set", "loop", json!(2)),
        ("live_set", "root_note", json!(1.5)),
        ("live_set tracks 0", "name", json!({"a": 1})),
        ("live_set tracks 0", "name", Value::Null),
        ("live_set tracks 0", "mute", json!("true")),
        (volume, "value", json!("loud")),
        // unknown
        ("live_set", "nonsense", json!(1)),
        ("live_set", "tempo ", json!(99)),
        (CLIP, "notes", json!([])),
        (CLIP, "is_session_clip", json!(0)),
        ("live_set master_track", "arm", json!(1)),
        ("live_set master_track", "mute", json!(1)),
        ("live_set return_tracks 0", "arm", json!(1)),
        (CLIP, "warping", json!(1)),
        // out of range
        ("live_set", "tempo", json!(19.99)),
        ("live_set", "tempo", json!(999.01)),
        ("live_set", "tempo", json!(1e300)),
        ("live_set", "root_note", json!(12)),
        ("live_set", "scale_name", json!("Nonsense")),
        ("live_set", "scale_name", json!("MINOR")),
        ("live_set", "signature_denominator", json!(3)),
        ("live_set", "signature_numerator", json!(0)),
        ("live_set", "signature_numerator", json!(100)),
        ("live_set", "clip_trigger_quantization", json!(14)),
        ("live_set", "loop_length", json!(0)),
        ("live_set", "loop_length", json!(-4)),
        ("live_set", "loop_start", json!(-1)),
        ("live_set", "swing_amount", json!(1.01)),
        ("live_set tracks 0", "color_index", json!(70)),
        ("live_set tracks 0", "color", json!(0x0100_0000)),
        ("live_set tracks 0", "color", json!(-1)),
        ("live_set tracks 0", "current_monitoring_state", json!(3)),
        ("live_set tracks 0 mixer_device", "crossfade_assign", json!(3)),
        ("live_set tracks 0 mixer_device", "panning_mode", json!(2)),
        (volume, "value", json!(1.01)),
        (volume, "value", json!(-0.01)),
        ("live_set tracks 0 mixer_device panning", "value", json!(2)),
        (CLIP, "launch_mode", json!(4)),
        (CLIP, "launch_quantization", json!(15)),
        (CLIP, "loop_start", json!(8)),
        (CLIP, "loop_end", json!(0)),
        (CLIP, "start_marker", json!(9)),
        (CLIP, "end_marker", json!(0)),
        (CLIP, "loop_end", json!(1e9)),
        (CLIP, "signature_denominator", json!(5)),
        (SCENE, "tempo", json!(10)),
        (SCENE, "tempo", json!(-2)),
        (SCENE, "time_signature_numerator", json!(0)),
        (SCENE, "time_signature_denominator", json!(3)),
    ];
    let before = api.saved();
    for (path, property, value) in cases {
        let read = api.get(path, property);
        assert_eq!(api.set(path, property, value.clone()), read, "{path} {property} = {value}");
        assert_eq!(api.saved(), before, "{path} {property} = {value}");
    }
    assert_eq!(api.get("live_set", "can_undo"), json!([1]));
    api.call("live_set", "undo", json!([]));
    assert_eq!(api.get("live_set", "can_undo"), json!([0]), "no refused write made a step");
}

#[test]
fn what_is_written_reads_back() {
    let api = with_clip();
    let cases = [
        ("live_set", "tempo", json!(96.25), json!([96.25])),
        ("live_set", "tempo", json!(20), json!([20])),
        ("live_set", "tempo", json!([99]), json!([99])),
        ("live_set", "signature_denominator", json!(8), json!([8])),
        ("live_set", "scale_mode", json!(true), json!([1])),
        ("live_set", "scale_mode", json!(0), json!([0])),
        ("live_set", "scale_name", json!("Dorian #4"), json!(["Dorian #4"])),
        ("live_set tracks 0", "name", json!("808"), json!([808])),
        ("live_set tracks 0", "name", json!(808), json!([808])),
        ("live_set tracks 0", "name", json!("Kick \"A\", Ü"), json!(["Kick \"A\", Ü"])),
        ("live_set tracks 0", "name", json!(""), json!(["1-MIDI"])),
        ("live_set tracks 0", "color", json!(0xFF94A6), json!([0xFF94A6])),
        ("live_set tracks 0", "color", json!(0xFF94A5), json!([0xFF94A6])),
        ("live_set tracks 0", "color_index", json!(14), json!([14])),
        ("live_set tracks 0", "mute", json!(1), json!([1])),
        ("live_set tracks 0 mixer_device", "panning_mode", json!(1), json!([1])),
        ("live_set tracks 0 mixer_device volume", "value", json!(0.4), json!([0.4])),
        ("live_set tracks 0 mixer_device sends 0", "value", json!(1), json!([1])),
        ("live_set tracks 0 clip_slots 1", "has_stop_button", json!(0), json!([0])),
        ("live_set return_tracks 0 devices 0", "name", json!("Room"), json!(["Room"])),
        (CLIP, "name", json!("Beat"), json!(["Beat"])),
        (CLIP, "launch_mode", json!(2), json!([2])),
        (CLIP, "muted", json!(1), json!([1])),
        (SCENE, "name", json!("Intro"), json!(["Intro"])),
    ];
    for (path, property, value, expected) in cases {
        assert_eq!(api.set(path, property, value.clone()), expected, "{path} {property} = {value}");
    }
}

#[test]
fn things_that_mirror_each_other() {
    let api = with_clip();
    let track = "live_set tracks 0";
    let activator = "live_set tracks 0 mixer_device track_activator";
    api.set(track, "mute", json!(1));
    assert_eq!(api.get(activator, "value"), json!([0]));
    api.set(activator, "value", json!(1));
    assert_eq!(api.get(track, "mute"), json!([0]));
    api.set("live_set", "tempo", json!(130));
    let tempo = "live_set master_track mixer_device song_tempo";
    assert_eq!(api.get(tempo, "value"), json!([130]));
    api.set(tempo, "value", json!(90));
    assert_eq!(api.get("live_set", "tempo"), json!([90]));
    api.set(track, "color_index", json!(0));
    assert_eq!(api.get(track, "color"), json!([0xFF94A6]));
    assert_eq!(
        api.raw(track, json!([{"type": "setColor", "value": "#ff94a7"}, {"type": "getColor"}])),
        [json!(1), json!("#FF94A6")]
    );
    let on = "live_set return_tracks 0 devices 0 parameters 0";
    api.set(on, "value", json!(0));
    assert_eq!(api.get("live_set return_tracks 0 devices 0", "is_active"), json!([0]));
    api.set("live_set", "root_note", json!(9));
    api.set("live_set", "scale_name", json!("Minor"));
    assert_eq!(api.get("live_set", "scale_intervals"), json!([0, 2, 3, 5, 7, 8, 10]));
}

#[test]
fn a_clips_two_regions() {
    let api = with_clip();
    let read =
        |names: &[&str]| names.iter().map(|name| api.get(CLIP, name)[0].as_f64().expect(name)).collect::<Vec<_>>();
    let all = ["loop_start", "loop_end", "start_marker", "end_marker", "length"];
    assert_eq!(read(&all), [0.0, 8.0, 0.0, 8.0, 8.0]);
    api.set(CLIP, "loop_start", json!(2));
    api.set(CLIP, "loop_end", json!(6));
    assert_eq!(read(&all), [2.0, 6.0, 0.0, 8.0, 4.0], "the loop is its own");
    api.set(CLIP, "position", json!(3));
    assert_eq!(read(&all), [3.0, 7.0, 0.0, 8.0, 4.0], "position moves the loop and keeps its length");
    api.set(CLIP, "start_marker", json!(1));
    api.set(CLIP, "looping", json!(0));
    assert_eq!(read(&all), [1.0, 8.0, 1.0, 8.0, 7.0], "without looping the markers are what plays");
    api.set(CLIP, "start_marker", json!(4));
    assert_eq!(read(&all), [1.0, 8.0, 1.0, 8.0, 7.0], "its own write is ignored");
    api.set(CLIP, "loop_start", json!(2));
    assert_eq!(read(&all), [2.0, 8.0, 2.0, 8.0, 6.0], "start_marker follows");
    api.set(CLIP, "looping", json!(1));
    assert_eq!(read(&all), [3.0, 7.0, 2.0, 8.0, 4.0], "the loop brace was kept");
}

#[test]
fn a_scenes_tempo_and_meter_switch_themselves_on_and_off() {
    let api = Api::raw_enabled();
    let get = |name: &str| api.get(SCENE, name)[0].clone();
    assert_eq!((get("tempo"), get("tempo_enabled")), (json!(-1), json!(0)));
    api.set(SCENE, "tempo", json!(90));
    assert_eq!((get("tempo"), get("tempo_enabled")), (json!(90), json!(1)));
    assert_eq!(api.set(SCENE, "tempo", json!(-1)), json!([-1]));
    assert_eq!(get("tempo_enabled"), json!(0), "-1 turns it off");
    api.set(SCENE, "tempo", json!(90));
    api.set(SCENE, "tempo_enabled", json!(0));
    assert_eq!(get("tempo"), json!(-1));
    assert_eq!((get("time_signature_numerator"), get("time_signature_denominator")), (json!(-1), json!(-1)));
    api.set(SCENE, "time_signature_numerator", json!(7));
    assert_eq!(
        (get("time_signature_numerator"), get("time_signature_denominator")),
        (json!(7), json!(4)),
        "the other half starts at 4"
    );
    assert_eq!(get("time_signature_enabled"), json!(1));
    api.set(SCENE, "time_signature_denominator", json!(8));
    assert_eq!((get("time_signature_numerator"), get("time_signature_denominator")), (json!(7), json!(8)));
    api.set(SCENE, "time_signature_denominator", json!(-1));
    assert_eq!((get("time_signature_numerator"), get("time_signature_enabled")), (json!(-1), json!(0)));
    // Launching it brings its tempo and meter to the Set, which is no undo step of its own.
    api.set(SCENE, "tempo", json!(77));
    api.set(SCENE, "time_signature_numerator", json!(3));
    api.call(SCENE, "fire", json!([]));
    assert_eq!((api.get("live_set", "tempo"), api.get("live_set", "signature_numerator")), (json!([77]), json!([3])));
}

#[test]
fn functions_of_the_grid() {
    let api = with_clip();
    let slot = |track: u8, scene: u8| format!("live_set tracks {track} clip_slots {scene}");
    let is_made = |answer: &Value| answer[0] == "id" && answer[1].as_u64().is_some_and(|id| id > 0);
    assert!(is_made(&api.call(&slot(0, 1), "create_clip", json!([4]))));
    let before = api.saved();
    for (path, method, args) in [
        (slot(0, 1), "create_clip", json!([4])),
        (slot(0, 2), "create_clip", json!([0])),
        (slot(0, 2), "create_clip", json!([-1])),
        (slot(0, 2), "create_clip", json!([])),
        (slot(0, 2), "create_clip", json!(["4"])),
        (slot(2, 0), "create_clip", json!([4])),
        (slot(0, 5), "delete_clip", json!([])),
        (slot(0, 5), "duplicate_clip_to", json!([format!("id {}", api.id(&slot(0, 6)))])),
        (slot(0, 0), "duplicate_clip_to", json!([format!("id {}", api.id(&slot(2, 6)))])),
        (slot(0, 0), "duplicate_clip_to", json!(["id 999999"])),
        ("live_set".to_owned(), "create_midi_track", json!([99])),
        ("live_set".to_owned(), "create_midi_track", json!([-2])),
        ("live_set".to_owned(), "create_midi_track", json!(["x"])),
        ("live_set".to_owned(), "delete_track", json!([4])),
        ("live_set".to_owned(), "delete_track", json!([-1])),
        ("live_set".to_owned(), "delete_track", json!([])),
        ("live_set".to_owned(), "delete_scene", json!([8])),
        ("live_set".to_owned(), "delete_return_track", json!([2])),
        ("live_set".to_owned(), "duplicate_track", json!([4])),
        ("live_set".to_owned(), "create_scene", json!([0, 0])),
        ("live_set".to_owned(), "begin_undo_step", json!([])),
    ] {
        assert_eq!(api.call(&path, method, args.clone()), 1, "{path} {method} {args}");
        assert_eq!(api.saved(), before, "{path} {method} {args}");
    }
    // Both spellings of an object; an occupied slot is overwritten.
    let source = api.id(&format!("{} clip", slot(0, 0)));
    let target = api.id(&slot(1, 3));
    assert_eq!(api.call(&slot(0, 0), "duplicate_clip_to", json!([format!("id {target}")])), json!(["id", 0]));
    let first = api.id(&format!("{} clip", slot(1, 3)));
    let number = target.parse::<u64>().expect("digits");
    assert_eq!(api.call(&slot(0, 0), "duplicate_clip_to", json!([["id", number]])), json!(["id", 0]));
    assert_ne!(api.id(&format!("{} clip", slot(1, 3))), first);
    assert_eq!(api.call("live_set tracks 0", "delete_clip", json!([format!("id {source}")])), json!(["id", 0]));
    assert_eq!(api.get(&slot(0, 0), "has_clip"), json!([0]));

    assert!(is_made(&api.call("live_set", "create_audio_track", json!([]))));
    assert!(is_made(&api.call("live_set", "create_return_track", json!([]))));
    assert!(is_made(&api.call("live_set", "create_scene", json!([-1]))));
    assert_eq!(api.raw("live_set tracks 0 mixer_device", json!([{"type": "getcount", "property": "sends"}]))[0], 3);
    assert_eq!(api.raw("live_set tracks 4", json!([{"type": "getcount", "property": "clip_slots"}]))[0], 9);
    api.call("live_set", "duplicate_track", json!([1]));
    assert_eq!(api.get("live_set tracks 2 clip_slots 3", "has_clip"), json!([1]));
    assert_eq!(
        api.raw("live_set view selected_track", json!([{"type": "get_property", "property": "path"}]))[0],
        "live_set tracks 2"
    );
    api.call("live_set", "duplicate_scene", json!([3]));
    assert_eq!(api.get("live_set tracks 1 clip_slots 4", "has_clip"), json!([1]));
    assert_eq!(api.get("live_set scenes 4", "is_empty"), json!([0]));
    // The last ones stay.
    for _ in 0..9 {
        api.call("live_set", "delete_scene", json!([0]));
    }
    assert_eq!(api.call("live_set", "delete_scene", json!([0])), 1);
    assert_eq!(api.raw("live_set", json!([{"type": "getcount", "property": "scenes"}]))[0], 1);
}

#[test]
fn parameters_show_what_they_hold() {
    let api = Api::raw_enabled();
    let volume = "live_set tracks 0 mixer_device volume";
    assert_eq!(api.get(volume, "default_value"), json!([0.85]));
    assert_eq!(api.get(volume, "value_items"), 1, "not a quantized one");
    assert_eq!((api.get(volume, "min"), api.get(volume, "max")), (json!([0]), json!([1])));
    for (raw, label, db) in
        [(0.85, "0.0 dB", 0.0), (1.0, "6.0 dB", 6.0), (0.75, "-4.0 dB", -4.0), (0.4, "-18.0 dB", -18.0)]
    {
        assert_eq!(api.call(volume, "str_for_value", json!([raw])), json!([label]));
        api.set(volume, "value", json!(raw));
        let shown = api.get(volume, "display_value")[0].as_f64().expect("a number");
        assert!((shown - db).abs() < 0.01, "{raw}: {shown}");
    }
    assert_eq!(api.call(volume, "str_for_value", json!([0])), json!(["-inf dB"]));
    let on = "live_set return_tracks 0 devices 0 parameters 0";
    assert_eq!((api.get(on, "name"), api.get(on, "is_quantized")), (json!(["Device On"]), json!([1])));
    assert_eq!(api.get(on, "value_items"), json!(["Off", "On"]));
    assert_eq!(api.get(on, "default_value"), 1, "value_items and default_value exclude each other");
    let pan = "live_set tracks 0 mixer_device panning";
    for (raw, label) in [(0.0, "C"), (-1.0, "50L"), (1.0, "50R"), (0.5, "25R")] {
        assert_eq!(api.call(pan, "str_for_value", json!([raw])), json!([label]));
    }
}

/// A number that the parameter cannot show writes nothing.
#[test]
fn a_shown_value_outside_the_range_is_not_written() {
    let api = Api::raw_enabled();
    for parameter in ["volume", "panning"] {
        let path = format!("live_set tracks 0 mixer_device {parameter}");
        let before = api.get(&path, "value");
        for wrong in [1e9, -1e9, 100.0, -500.0] {
            api.raw(&path, json!([{"type": "set", "property": "display_value", "value": wrong}]));
            assert_eq!(api.get(&path, "value"), before, "{parameter} {wrong}");
        }
    }
}
