//! Envelopes of clips, as they are heard: measured on the samples.

use crate::heard::{HALF_SINE, playing, sine};
use crate::offline_mix::{first_scene, frequency, is_near, level};
use crate::support::Api;
use serde_json::{Value, json};

/// The id of a device's parameter.
fn parameter(api: &Api, path: &str, name: &str) -> String {
    let read = api.ok("svc-read-device", json!({"path": path, "include": ["params"], "paramSearch": name}));
    let found = read["parameters"].as_array().expect("parameters").iter().find(|one| one["name"] == name);
    found.unwrap_or_else(|| panic!("{name}: {read}"))["id"].as_str().expect("an id").to_owned()
}

fn draw(api: &Api, path: &str, lines: &str) -> Value {
    api.ok("svc-update-clip", json!({"path": path, "envelopes": lines}))
}

/// A looping, warped clip of a sine of 441 Hz, four beats of half a second each.
fn looping(api: &Api, folder: &tempfile::TempDir) {
    let file = sine(folder, 441.0);
    api.ok("svc-create-clip", json!({"path": "t2/s0", "sampleFile": file, "warpMode": "repitch"}));
    api.ok("svc-update-clip", json!({"path": "t2/s0", "looping": true}));
}

#[test]
fn a_fader_a_pan_and_a_send_follow_their_envelopes() {
    let (api, folder) = playing();
    looping(&api, &folder);
    let lines = "volume: 1|1 0 _ 1|2 -12 / 1|4 -24\npan: 1|1 C _ 1|3 50R\nsend0: 1|1 -inf _ 1|2 -6 _ 1|3 -inf";
    draw(&api, "t2/s0", lines);
    let made = first_scene(&api, 4.0);
    for round in [0.0, 2.0] {
        let left = |from: f64, to: f64| level(&made.track(2).left, round + from, round + to);
        is_near(left(0.1, 0.48), HALF_SINE, 0.1, "the first beat");
        is_near(left(0.54, 0.56), HALF_SINE - 12.5, 0.5, "it jumps at the second");
        // Half way between two raw values, which lie on a fader's curve; the right side alone, 3 dB up.
        assert_eq!(left(1.02, 1.5), f64::NEG_INFINITY);
        let right = |from: f64, to: f64| level(&made.track(2).right, round + from, round + to);
        is_near(right(1.6, 1.95), HALF_SINE - 24.0 + 3.01, 0.2, "the last beat");
        assert!(right(1.1, 1.15) > right(1.2, 1.25) && right(1.2, 1.25) > right(1.4, 1.45), "it falls");
        let sent = |from: f64, to: f64| level(&made.return_track(0).left, round + from, round + to);
        assert_eq!((sent(0.1, 0.48), sent(1.1, 1.9)), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        is_near(sent(0.54, 0.58), HALF_SINE - 12.6 - 6.0, 0.6, "the send");
    }
    assert_eq!(api.ok("svc-read-track", json!({"path": "t2"}))["sounds"], "exact");
}

#[test]
fn both_sides_of_a_split_pan_follow_their_envelopes() {
    let (api, folder) = playing();
    looping(&api, &folder);
    api.ok("svc-update-track", json!({"path": "t2", "panningMode": "split", "leftPan": -1, "rightPan": 1}));
    let sides = |from: f64, to: f64| {
        let made = first_scene(&api, 2.0);
        [&made.track(2).left, &made.track(2).right].map(|side| level(side, from, to))
    };
    let near = |found: [f64; 2], meant: [f64; 2], what: &str| {
        found.iter().zip(meant).for_each(|(found, meant)| match meant == f64::NEG_INFINITY {
            true => assert_eq!(*found, meant, "{what}"),
            false => is_near(*found, meant, 0.1, what),
        });
    };
    near(sides(0.1, 1.9), [HALF_SINE; 2], "each on its side");
    api.ok("svc-update-track", json!({"path": "t2", "panningMode": "split", "leftPan": 0, "rightPan": 1}));
    // The left channel in the middle, 3 dB down, on top of the right one.
    let both = 20.0 * (1.0 + std::f64::consts::FRAC_1_SQRT_2).log10();
    near(sides(0.1, 1.9), [HALF_SINE - 3.01, HALF_SINE + both], "as written");
    let id = |name: &str| {
        let id = api.get("live_set tracks 2 mixer_device", name).to_string();
        id.chars().filter(char::is_ascii_digit).collect::<String>()
    };
    let lines =
        format!("{}: 1|1 50L _ 1|2 50R\n{}: 1|1 50R _ 1|4 50L", id("left_split_stereo"), id("right_split_stereo"));
    assert_eq!(draw(&api, "t2/s0", &lines).get("detail"), None);
    near(sides(0.1, 0.45), [HALF_SINE; 2], "the first beat");
    near(sides(0.55, 1.45), [f64::NEG_INFINITY, HALF_SINE + 6.02], "both on the right");
    near(sides(1.55, 1.95), [HALF_SINE; 2], "each on the other's side");
    let read = api.ok("svc-read-track", json!({"path": "t2"}));
    assert_eq!(read["sounds"], "exact", "{read}");
}

#[test]
fn parameters_of_devices_and_chains_follow_in_their_own_units() {
    let (api, folder) = playing();
    looping(&api, &folder);
    api.ok("svc-create-device", json!({"device": "Utility", "path": "t2/d0"}));
    let gain = parameter(&api, "t2/d0", "Output");
    draw(&api, "t2/s0", &format!("{gain}: 1|1 0 / 1|3 -20 _ 1|4 6"));
    let left = |from: f64, to: f64| level(&first_scene(&api, 2.0).track(2).left, from, to);
    is_near(left(0.0, 0.02), HALF_SINE, 1.0, "it begins where the knob stands");
    is_near(left(1.05, 1.45), HALF_SINE - 20.0, 0.2, "-20 dB");
    is_near(left(1.55, 1.95), HALF_SINE + 6.0, 0.2, "6 dB");
    // A device that is switched off and on.
    let switch = parameter(&api, "t2/d0", "Device On");
    api.ok("svc-update-device", json!({"path": "t2/d0", "params": [{"name": "Output", "value": "-30 dB"}]}));
    draw(&api, "t2/s0", &format!("{gain}:\n{switch}: 1|1 On _ 1|2 Off _ 1|3 On"));
    is_near(left(0.1, 0.45), HALF_SINE - 30.0, 0.2, "on");
    is_near(left(0.55, 0.95), HALF_SINE, 0.2, "off");
    is_near(left(1.1, 1.9), HALF_SINE - 30.0, 0.2, "on again");
    api.ok("svc-delete", json!({"type": "device", "path": "t2/d0"}));
    // The macro of a rack moves what is mapped to it, and a chain's fader moves too.
    api.ok("svc-create-device", json!({"device": "Utility", "path": "t2/d0"}));
    api.ok("svc-update-device", json!({"path": "t2/d0", "wrapInRack": true}));
    let fader = api.get("live_set tracks 2 devices 0 chains 0 mixer_device", "volume").to_string();
    let fader: String = fader.chars().filter(char::is_ascii_digit).collect();
    draw(&api, "t2/s0", &format!("{fader}: 1|1 0 _ 1|3 -18"));
    is_near(left(0.1, 0.9), HALF_SINE, 0.2, "a chain's fader");
    is_near(left(1.1, 1.9), HALF_SINE - 18.0, 0.2, "a chain's fader, lower");
}

#[test]
fn a_filter_that_is_open_is_swept_shut() {
    let (api, folder) = playing();
    let sample = json!({"name": "sample", "value": sine(&folder, 4410.0)});
    api.ok("svc-create-device", json!({"device": "Simpler", "path": "t0", "params": [sample]}));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "n/1 C3 1|1", "length": "1bar", "looping": true}));
    let bright = level(&first_scene(&api, 2.0).track(0).left, 0.2, 1.8);
    let cutoff = parameter(&api, "t0/inst", "Filter Freq");
    draw(&api, "t0/s0", &format!("{cutoff}: 1|1 22000 _ 1|3 100"));
    let made = first_scene(&api, 2.0);
    is_near(level(&made.track(0).left, 0.2, 0.9), bright, 0.5, "open");
    assert!(level(&made.track(0).left, 1.1, 1.8) < bright - 40.0, "shut");
    // Semitones are steps.
    let transpose = parameter(&api, "t0/inst", "Transpose");
    api.ok("svc-create-clip", json!({"path": "t0/s1", "notes": "C3 1|1"}));
    api.envelope("svc-create-clip", "", &json!({"path": "t0/s0", "notes": "n/8 C3 1|1 C3 1|3"}));
    draw(&api, "t0/s0", &format!("{cutoff}:\n{transpose}: 1|1 0 _ 1|2 12"));
    let made = first_scene(&api, 2.0);
    is_near(frequency(&made.track(0).left, 0.02, 0.2), 4410.0, 20.0, "as it is");
    is_near(frequency(&made.track(0).left, 1.02, 1.2), 8820.0, 40.0, "an octave up");
}

#[test]
fn what_no_envelope_moves_is_said() {
    let (api, folder) = playing();
    looping(&api, &folder);
    api.ok("svc-create-device", json!({"device": "Saturator", "path": "t2/d0"}));
    let (shape, drive) = (parameter(&api, "t2/d0", "Type"), parameter(&api, "t2/d0", "Drive"));
    let drawn = draw(&api, "t2/s0", &format!("{drive}: 1|1 0 / 1|4 12\n{shape}: 1|1 Soft Sine _ 1|3 Hard Curve"));
    assert_eq!(drawn["detail"], "envelopes line 2: silent: no envelope moves it here", "{drawn}");
    let sounds = api.ok("svc-read-track", json!({"path": "t2"}))["sounds"].as_str().expect("a text").to_owned();
    assert_eq!(sounds, "approximate: Saturator, no envelope moves Type");
}

/// A clip that loops two beats and starts behind them plays what lies there, and never its loop.
#[test]
fn a_clip_entered_past_its_loop_plays_on() {
    let (api, folder) = playing();
    // Two seconds are four beats; from the third on the file is twice as high.
    let at = |n: u32| (std::f64::consts::TAU * if n < 44_100 { 441.0 } else { 882.0 } * f64::from(n) / 44_100.0).sin();
    let samples: Vec<f32> = (0..88_200).map(|n| (0.5 * at(n)) as f32).collect();
    let file = crate::sample_tree::put(folder.path(), "two.wav", &crate::sample_tree::wav(&samples));
    api.ok("svc-create-clip", json!({"path": "t2/s0", "sampleFile": file, "warpMode": "repitch"}));
    api.ok("svc-update-clip", json!({"path": "t2/s0", "looping": true}));
    let clip = "live_set tracks 2 clip_slots 0 clip";
    for (member, value) in [("loop_end", 2.0), ("start_marker", 2.0)] {
        api.set(clip, member, json!(value));
    }
    let made = first_scene(&api, 2.0);
    is_near(frequency(&made.track(2).left, 0.1, 0.9), 882.0, 2.0, "behind the loop");
    assert!(level(&made.track(2).left, 1.1, 1.9) < -80.0, "behind the file there is nothing, and no loop");
}

#[test]
fn notes_go_from_track_to_track() {
    let (api, folder) = playing();
    let sample = json!({"name": "sample", "value": sine(&folder, 441.0)});
    let volume = json!({"name": "Volume", "value": "0 dB"});
    api.ok("svc-create-device", json!({"device": "Simpler", "path": "t1", "params": [sample, volume]}));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "n/2 C3 1|1"}));
    let heard = || {
        let made = first_scene(&api, 1.0);
        [0, 1].map(|at| level(&made.track(at).left, 0.1, 0.8) > -60.0)
    };
    let sounds = |path: &str| api.ok("svc-read-track", json!({"path": path}))["sounds"].clone();
    let name = |path: &str| api.ok("svc-read-track", json!({"path": path}))["name"].as_str().unwrap().to_owned();
    assert_eq!(heard(), [true, false]);
    // Its input is the other one: both play.
    api.set("live_set tracks 1", "current_input_routing", json!(name("t0")));
    assert_eq!(heard(), [true, false], "it does not monitor its input");
    api.set("live_set tracks 1", "current_monitoring_state", json!(0));
    assert_eq!(heard(), [true, true]);
    // Its output is the other one, whose input is no matter then.
    api.set("live_set tracks 1", "current_input_routing", json!("All Ins"));
    api.set("live_set tracks 0", "current_output_routing", json!(name("t1")));
    assert_eq!(heard(), [false, true]);
    assert_eq!(sounds("t0"), format!("approximate: its notes are played by {}", name("t1")));
    api.set("live_set tracks 1", "current_monitoring_state", json!(2));
    assert_eq!(heard(), [false, false]);
    assert_eq!(sounds("t0"), format!("silent: its notes go to {}, which does not monitor its input", name("t1")));
    // In a ring they go once around, and not again.
    api.set("live_set tracks 1", "current_monitoring_state", json!(0));
    api.set("live_set tracks 0", "current_monitoring_state", json!(0));
    api.set("live_set tracks 0", "current_output_routing", json!("No Output"));
    api.set("live_set tracks 0", "current_input_routing", json!(name("t1")));
    api.set("live_set tracks 1", "current_input_routing", json!(name("t0")));
    assert_eq!(heard(), [true, true]);
    assert!(sounds("t0").as_str().unwrap().contains("do not come back"), "{}", sounds("t0"));
}

/// A Pitch device an octave up on the track that gives its notes: the tap says whether others get what it makes.
#[test]
fn note_effects_are_heard_where_the_tap_is_behind_them() {
    let (api, folder) = playing();
    let sample = json!({"name": "sample", "value": sine(&folder, 441.0)});
    api.ok("svc-create-device", json!({"device": "Simpler", "path": "t1", "params": [sample]}));
    let octave = json!([{"name": "Pitch", "value": 12}]);
    api.ok("svc-create-device", json!({"device": "Pitch", "path": "t0/d0", "params": octave}));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "n/2 C3 1|1"}));
    let name = api.ok("svc-read-track", json!({"path": "t0"}))["name"].clone();
    api.set("live_set tracks 1", "current_monitoring_state", json!(0));
    api.set("live_set tracks 1", "current_input_routing", name);
    let hz = || frequency(&first_scene(&api, 1.0).track(1).left, 0.1, 0.8);
    is_near(hz(), 441.0, 3.0, "Pre FX, as at first");
    for (tap, meant) in [("Post FX", 882.0), ("Post Mixer", 882.0), ("Pre FX", 441.0)] {
        api.set("live_set tracks 1", "current_input_sub_routing", json!(tap));
        is_near(hz(), meant, 5.0, tap);
    }
    assert_eq!(api.ok("svc-read-track", json!({"path": "t0"}))["sounds"], "stand-in: plays as the default keys");
    // What a track sends on comes behind its devices.
    api.set("live_set tracks 1", "current_input_routing", json!("All Ins"));
    let name = api.ok("svc-read-track", json!({"path": "t1"}))["name"].clone();
    api.set("live_set tracks 0", "current_output_routing", name);
    is_near(hz(), 882.0, 5.0, "its output");
}

/// A clip that its envelope faded out stays out while the end of the stretch rings on, and half a second later the
/// tail is over.
#[test]
fn what_an_envelope_faded_out_stays_out_in_the_tail() {
    let api = Api::new();
    api.ok("svc-update-track", json!({"path": "t1", "name": "Pad"}));
    api.ok("svc-create-clip", json!({"path": "t1/s1", "notes": "v90 n/1 C3 E3 G3 1|1", "length": "1bar"}));
    draw(&api, "t1/s1", "volume: 1|1 0 / 1|3 -inf");
    let heard = crate::render::render(&api, json!({"path": "s1"}));
    assert_eq!(heard["seconds"], 2.5, "{heard}");
    assert!(heard["lufs"].as_f64().is_some_and(|lufs| lufs < -20.0), "{heard}");
}
