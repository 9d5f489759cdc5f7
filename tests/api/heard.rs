//! What is in the Set is heard, as its labels say: measured on the samples.

use crate::offline_mix::{first_scene, frequency, is_near, level};
use crate::sample_tree::{put, wav};
use crate::support::Api;
use serde_json::{Value, json};
use svc_device::object_model::default_sound::DefaultSound;
use svc_device::object_model::device_sounds::{DeviceSound, Heard, all};
use svc_device::object_model::native_devices::{DeviceCategory, by_name};
use tempfile::TempDir;

/// Two seconds of a sine at 44.1 kHz, with an amplitude of a half.
pub fn sine(folder: &TempDir, hz: f64) -> String {
    let at = |n: u32| (std::f64::consts::TAU * hz * f64::from(n) / 44_100.0).sin();
    let samples: Vec<f32> = (0..88_200).map(|n| (0.5 * at(n)) as f32).collect();
    put(folder.path(), &format!("sine {hz}.wav"), &wav(&samples)).to_str().expect("a path in UTF-8").to_owned()
}

/// A sine of an amplitude of a half, dBFS of its root mean square.
pub const HALF_SINE: f64 = -9.031;

/// An Api whose third track, the first of audio, plays a sine of 441 Hz that is not warped, and whose returns are
/// empty.
pub fn playing() -> (Api, TempDir) {
    let (api, folder) = (Api::raw_enabled(), TempDir::new().expect("a folder"));
    api.ok("svc-delete", json!({"type": "device", "path": "rt0/d0,rt1/d0"}));
    let clip = json!({"path": "t2/s0", "sampleFile": sine(&folder, 441.0), "warping": false});
    api.ok("svc-create-clip", clip);
    (api, folder)
}

#[test]
fn the_first_calls_of_the_readme_sound() {
    let api = Api::new();
    let beat = "v110 n/16 C1 1|1,3 D1 1|2,4 v70 F#1 1|1x8@n/8";
    let chords = "v90 n/2 C3 Eb3 G3 1|1 Ab2 C3 Eb3 1|3 n/1 Bb2 D3 F3 2|1";
    api.ok("svc-create-clip", json!({"path": "t0/s0", "name": "Beat", "notes": beat}));
    api.ok("svc-create-clip", json!({"path": "t1/s0", "length": "2bar", "notes": chords}));
    let made = first_scene(&api, 4.0);
    for (track, sounds) in [(0, "stand-in: plays as the default drum kit"), (1, "stand-in: plays as the default keys")]
    {
        let loudness = level(&made.track(track).left, 0.0, 4.0);
        assert!((-45.0..-8.0).contains(&loudness), "t{track} has {loudness} dB");
        assert_eq!(api.ok("svc-read-track", json!({"path": format!("t{track}")}))["sounds"], sounds);
    }
    let peak = made.main.interleaved().iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    assert!((0.05..1.0).contains(&peak), "{peak}");
    // Each beat has a hit: the kit plays what the notes say.
    for beat in 0..4 {
        let hit = level(&made.track(0).left, f64::from(beat) * 0.5, f64::from(beat) * 0.5 + 0.05);
        assert!(hit > -40.0, "beat {beat}: {hit} dB");
    }
}

#[test]
fn what_is_muted_or_beside_a_solo_is_silent() {
    let (api, _folder) = playing();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    is_near(level(&first_scene(&api, 1.0).track(2).left, 0.1, 1.0), HALF_SINE, 0.1, "at first");
    for (call, silent, why) in [
        (json!({"path": "t2", "mute": true}), true, "silent: it is muted"),
        (json!({"path": "t2", "mute": false}), false, "exact"),
        (json!({"path": "t0", "solo": true}), true, "silent: another one is soloed"),
        (json!({"path": "t0,t2", "solo": "false,true"}), false, "exact"),
        (json!({"path": "t2", "solo": false, "gainDb": -70}), true, "silent: its volume is at -inf dB"),
    ] {
        api.ok("svc-update-track", call.clone());
        let made = first_scene(&api, 0.5);
        let is_silent = made.track(2).left.iter().all(|x| *x == 0.0);
        assert_eq!(is_silent, silent, "{call}");
        assert_eq!(api.ok("svc-read-track", json!({"path": "t2"}))["sounds"], why, "{call}");
        // The other track goes on.
        assert!(level(&made.main.left, 0.1, 0.5) > -60.0, "{call}");
        assert_eq!(api.ok("svc-read-track", json!({"path": "mt"}))["sounds"], "exact", "{call}");
    }
}

/// A return leaves of all others what goes to it, however it gets there, and what is said of them is what is heard.
#[test]
fn a_soloed_return_leaves_what_is_sent_to_it() {
    let (api, _folder) = playing();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    api.ok("svc-update-track", json!({"path": "t2", "sendReturn": "A", "sendGainDb": -6}));
    let sounds = |path: &str| api.ok("svc-read-track", json!({"path": path}))["sounds"].clone();
    let nothing_there = "silent: A-Return is soloed, and nothing of it goes there";
    for (call, main_db, track, other_return) in [
        (json!({"path": "t2", "solo": true}), Some(HALF_SINE + 3.53), "exact", "exact"),
        (json!({"path": "t2", "solo": false}), None, "exact", "exact"),
        (json!({"path": "rt0", "solo": true}), Some(HALF_SINE - 6.0), "exact", nothing_there),
        (json!({"path": "t2", "gainDb": -4}), Some(HALF_SINE - 10.0), "exact", nothing_there),
        // From one return to the other.
        (json!({"path": "rt0,rt1", "solo": "false,true"}), Some(f64::NEG_INFINITY), "B", "exact"),
        (json!({"path": "t2", "sendReturn": "B", "sendGainDb": -20}), Some(HALF_SINE - 24.0), "exact", "exact"),
        (json!({"path": "rt0,rt1", "solo": "true,false"}), Some(HALF_SINE - 10.0), "exact", nothing_there),
        // Soloed beside it, the track is heard itself too.
        (json!({"path": "t2", "solo": true}), Some(HALF_SINE - 4.0 + 3.53), "exact", nothing_there),
    ] {
        api.ok("svc-update-track", call.clone());
        if let Some(db) = main_db {
            let found = level(&first_scene(&api, 0.5).main.left, 0.1, 0.5);
            assert!(found == db || (found - db).abs() < 0.1, "{call}: {found} dB, not {db}");
        }
        let track = if track == "B" { "silent: B-Return is soloed, and nothing of it goes there" } else { track };
        assert_eq!((sounds("t2"), sounds("rt1")), (json!(track), json!(other_return)), "{call}");
        let states =
            ["t0", "t2", "rt0", "rt1"].map(|path| api.ok("svc-read-track", json!({"path": path}))["state"].clone());
        assert!(
            call["solo"].is_null() || states.contains(&json!("muted-via-solo")) == (call["solo"] != false),
            "{call}"
        );
    }
    // What is rendered says so of each track.
    api.ok("svc-update-track", json!({"path": "t2", "solo": false}));
    let heard = crate::render::render(&api, json!({"path": "s0", "length": "1bar", "tail": 0}));
    let silent = |name: &str| crate::render::named(&heard["silent"], name)["why"].clone();
    assert_eq!(silent("3-Audio"), "A-Return is soloed, and it is heard there alone");
    assert_eq!(silent("1-MIDI"), "A-Return is soloed, and nothing of it goes there");
    assert!(crate::render::named(&heard["tracks"], "A-Return")["lufs"].is_f64(), "{heard}");
}

#[test]
fn faders_pans_and_sends_do_what_their_labels_say() {
    let (api, _folder) = playing();
    let left = |made: &crate::offline_mix::Made| level(&made.track(2).left, 0.1, 1.0);
    let right = |made: &crate::offline_mix::Made| level(&made.track(2).right, 0.1, 1.0);
    for db in [6.0, 0.0, -7.3, -18.0, -31.0, -52.0] {
        api.ok("svc-update-track", json!({"path": "t2", "gainDb": db}));
        is_near(left(&first_scene(&api, 1.0)), HALF_SINE + db, 0.1, &format!("a fader at {db} dB"));
    }
    api.ok("svc-update-track", json!({"path": "t2", "gainDb": 0}));
    // Constant power: 0 dB in the middle, 3 dB more on the one side where the other is silent.
    for pan in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        api.ok("svc-update-track", json!({"path": "t2", "pan": pan}));
        let made = first_scene(&api, 1.0);
        let turn = (pan + 1.0) * std::f64::consts::FRAC_PI_4;
        for (found, gain) in [(left(&made), turn.cos()), (right(&made), turn.sin())] {
            if gain < 1e-6 {
                assert_eq!(found, f64::NEG_INFINITY, "pan {pan}");
            } else {
                let meant = HALF_SINE + 20.0 * (gain * std::f64::consts::SQRT_2).log10();
                is_near(found, meant, 0.1, &format!("pan {pan}"));
            }
        }
    }
    api.ok("svc-update-track", json!({"path": "t2", "pan": 0}));
    for db in [0.0, -12.0, -24.5] {
        api.ok("svc-update-track", json!({"path": "t2", "gainDb": -3, "sendReturn": "A", "sendGainDb": db}));
        let made = first_scene(&api, 1.0);
        is_near(level(&made.return_track(0).left, 0.1, 1.0), HALF_SINE - 3.0 + db, 0.1, &format!("a send of {db} dB"));
        assert_eq!(level(&made.return_track(1).left, 0.1, 1.0), f64::NEG_INFINITY);
    }
    // The main fader is behind all.
    api.ok("svc-update-track", json!({"path": "mt", "gainDb": -10}));
    api.ok("svc-update-track", json!({"path": "t2", "gainDb": 0, "sendReturn": "A", "sendGainDb": -70}));
    is_near(level(&first_scene(&api, 1.0).main.left, 0.1, 1.0), HALF_SINE - 10.0, 0.1, "the main fader");
}

#[test]
fn an_audio_clip_plays_at_its_gain_and_pitch() {
    let (api, folder) = playing();
    for (gain, shift, warping, hz) in
        [(0.0, 0.0, false, 441.0), (-6.5, 0.0, false, 441.0), (3.0, 7.0, false, 660.8), (0.0, -12.0, true, 220.5)]
    {
        // At 120 beats a minute the file is four beats long, and its warped clip goes at its own tempo.
        let call = json!({"path": "t2/s0", "sampleFile": sine(&folder, 441.0), "warping": warping, "warpMode": "tones",
                          "gainDb": gain, "pitchShift": shift});
        api.envelope("svc-create-clip", "", &call);
        let made = first_scene(&api, 1.0);
        let what = format!("{gain} dB, {shift} st, warped: {warping}");
        // Grains that overlap are not always in phase.
        is_near(level(&made.track(2).left, 0.1, 0.9), HALF_SINE + gain, if warping { 1.0 } else { 0.1 }, &what);
        is_near(frequency(&made.track(2).left, 0.1, 0.9), hz, 0.003 * hz, &what);
    }
    // A loop goes on; without one the clip ends.
    for (looping, sounds) in [(true, true), (false, false)] {
        let call = json!({"path": "t2/s0", "sampleFile": sine(&folder, 441.0), "warpMode": "repitch"});
        api.envelope("svc-create-clip", "", &call);
        api.ok("svc-update-clip", json!({"path": "t2/s0", "looping": looping}));
        let made = first_scene(&api, 3.0);
        assert_eq!(level(&made.track(2).left, 2.2, 2.9) > -20.0, sounds, "looping: {looping}");
    }
}

#[test]
fn a_simpler_plays_its_sample_at_the_pitch_of_the_key() {
    let (api, folder) = playing();
    let sample = json!({"name": "sample", "value": sine(&folder, 441.0)});
    let volume = json!({"name": "Volume", "value": "0 dB"});
    let even = json!({"name": "Vol < Vel", "value": "0 %"});
    let made =
        api.ok("svc-create-device", json!({"device": "Simpler", "path": "t0", "params": [sample, volume, even]}));
    assert!(made["sounds"].as_str().is_some_and(|text| text.starts_with("approximate: ")), "{made}");
    for (key, transpose, hz) in [("C3", "0 st", 441.0), ("C4", "0 st", 882.0), ("G2", "5 st", 441.0)] {
        let params = json!([{"name": "Transpose", "value": transpose}]);
        api.ok("svc-update-device", json!({"path": "t0/inst", "params": params}));
        api.envelope("svc-create-clip", "", &json!({"path": "t0/s0", "notes": format!("n/2 {key} 1|1")}));
        let made = first_scene(&api, 1.0);
        is_near(frequency(&made.track(0).left, 0.1, 0.8), hz, 0.002 * hz, key);
        is_near(level(&made.track(0).left, 0.1, 0.8), HALF_SINE, 0.2, key);
    }
}

/// Each effect does to a sine of 441 Hz what its labels say, in dB.
#[test]
fn effects_do_what_their_labels_say() {
    let (api, _folder) = playing();
    let param = |name: &str, value: Value| json!({"name": name, "value": value});
    for (device, params, change) in [
        ("Utility", vec![param("Output", json!("-9 dB"))], -9.0),
        ("Utility", vec![param("Mute", json!("On"))], f64::NEG_INFINITY),
        (
            "EQ Eight",
            vec![
                param("2 Filter Type A", json!("Bell")),
                param("2 Frequency A", json!("441 Hz")),
                param("2 Gain A", json!("6 dB")),
            ],
            6.0,
        ),
        ("EQ Eight", vec![param("Output", json!("-5 dB"))], -5.0),
        // A peak of -6.02 dB, 20 dB over the threshold, at 4 : 1 without a knee.
        (
            "Compressor",
            vec![
                param("Threshold", json!("-26.02 dB")),
                param("Ratio", json!(4)),
                param("Knee", json!("0 dB")),
                param("Model", json!("Peak")),
                param("S/C EQ On", json!("Off")),
                param("Attack", json!("0.01 ms")),
                param("Release", json!("3 s")),
            ],
            -15.0,
        ),
        ("Limiter", vec![param("Ceiling", json!("-12 dB")), param("Release", json!("3 s"))], -5.98),
        ("Saturator", vec![param("Type", json!("Digital Clip")), param("Drive", json!("4 dB"))], 4.0),
        ("Delay", vec![param("Dry/Wet", json!("0 %"))], 0.0),
        ("Reverb", vec![param("Dry/Wet", json!("0 %"))], 0.0),
        ("Auto Filter", vec![param("Frequency", json!("20 kHz"))], 0.0),
        (
            "EQ Three",
            vec![param("GainMid", json!("-6 dB")), param("FreqLo", json!("50 Hz")), param("FreqHi", json!("18 kHz"))],
            -6.0,
        ),
        ("Channel EQ", vec![param("Output", json!("-4 dB"))], -4.0),
        ("Gate", vec![param("Threshold", json!("-3 dB")), param("Floor", json!("-40 dB"))], -40.0),
        ("Glue Compressor", vec![param("Output", json!("3 dB"))], 3.0),
        ("Redux", vec![param("Dry/Wet", json!("0 %"))], 0.0),
        ("Auto Pan-Tremolo", vec![param("Amount", json!("0 %"))], 0.0),
        ("Echo", vec![param("Dry Wet", json!("0 %"))], 0.0),
        // What has no code leaves the signal as it is.
        ("Corpus", vec![], 0.0),
    ] {
        let made = api.ok("svc-create-device", json!({"device": device, "path": "t2/d0", "params": params}));
        let without_code = device == "Corpus";
        assert_eq!(made["sounds"] == "stand-in: bypassed, it has no code here", without_code, "{made}");
        let heard = level(&first_scene(&api, 1.0).track(2).left, 0.4, 1.0) - HALF_SINE;
        if change == f64::NEG_INFINITY {
            assert_eq!(heard, change, "{device}");
        } else {
            is_near(heard, change, 0.3, &format!("{device} {params:?}"));
        }
        api.ok("svc-delete", json!({"type": "device", "path": "t2/d0"}));
    }
}

#[test]
fn sound_goes_where_the_routing_says() {
    let (api, _folder) = playing();
    let main = |made: &crate::offline_mix::Made| level(&made.main.left, 0.1, 0.5);
    is_near(main(&first_scene(&api, 0.5)), HALF_SINE, 0.1, "to the main track");
    // A group has a fader of its own, and mutes what is in it.
    let group = api.ok("svc-create-track", json!({"path": "t+", "type": "audio", "name": "Bus"}));
    let bus = group["path"].as_str().expect("a path").to_owned();
    let at = bus.trim_start_matches('t').parse::<usize>().expect("a number");
    let choose =
        |path: &str, member: &str, name: &str| api.set(&format!("live_set tracks {path}"), member, json!(name));
    choose("2", "current_output_routing", "Bus");
    // What is not monitored is not heard.
    assert_eq!(main(&first_scene(&api, 0.5)), f64::NEG_INFINITY);
    api.set(&format!("live_set tracks {at}"), "current_monitoring_state", json!(0));
    is_near(main(&first_scene(&api, 0.5)), HALF_SINE, 0.1, "through a track that monitors its input");
    api.ok("svc-update-track", json!({"path": bus, "gainDb": -6}));
    is_near(main(&first_scene(&api, 0.5)), HALF_SINE - 6.0, 0.1, "and its fader");
    choose("2", "current_output_routing", "Sends Only");
    api.ok("svc-update-track", json!({"path": "t2", "sendReturn": "B", "sendGainDb": -3}));
    is_near(main(&first_scene(&api, 0.5)), HALF_SINE - 3.0, 0.1, "by a send alone");
    // A track takes another one's signal as its input, beside what goes to the main track.
    choose("2", "current_output_routing", "Main");
    api.ok("svc-update-track", json!({"path": "t2", "sendReturn": "B", "sendGainDb": -70}));
    let name = api.ok("svc-read-track", json!({"path": "t2"}))["name"].as_str().expect("a name").to_owned();
    choose(&at.to_string(), "current_input_routing", &name);
    let both = HALF_SINE + 20.0 * (1.0 + 10f64.powf(-6.0 / 20.0)).log10();
    is_near(main(&first_scene(&api, 0.5)), both, 0.1, "as an input");
    choose("2", "current_output_routing", "Ext. Out");
    let sounds = || api.ok("svc-read-track", json!({"path": "t2"}))["sounds"].clone();
    assert_eq!(sounds(), "exact", "the other track still takes it");
    api.set(&format!("live_set tracks {at}"), "current_monitoring_state", json!(2));
    assert_eq!(sounds(), "silent: it goes to Ext. Out, which is not there");
}

#[test]
fn pads_and_chains_play_what_they_hold() {
    let (api, folder) = playing();
    let pad = |note: &str, hz: f64| json!({"name": format!("p{note}/sample"), "value": sine(&folder, hz)});
    let params = json!([pad("C1", 441.0), pad("D1", 882.0)]);
    let made = api.ok("svc-create-device", json!({"device": "Drum Rack", "path": "t0", "params": params}));
    assert_eq!(made["sounds"], "approximate: Simpler", "{made}");
    for (key, hz) in [("C1", Some(441.0)), ("D1", Some(882.0)), ("E1", None)] {
        api.envelope("svc-create-clip", "", &json!({"path": "t0/s0", "notes": format!("n/2 {key} 1|1")}));
        let signal = first_scene(&api, 1.0);
        let signal = &signal.track(0).left;
        match hz {
            Some(hz) => is_near(frequency(signal, 0.1, 0.8), hz, 0.002 * hz, key),
            None => assert!(signal.iter().all(|x| *x == 0.0), "{key} is no pad"),
        }
    }
    // A chain's fader, and its mute.
    let pad_level = || level(&first_scene(&api, 1.0).track(0).left, 0.1, 0.8);
    api.envelope("svc-create-clip", "", &json!({"path": "t0/s0", "notes": "n/2 C1 1|1"}));
    let whole = pad_level();
    api.ok("svc-update-device", json!({"path": "t0/d0/pC1", "gainDb": -9}));
    is_near(pad_level(), whole - 9.0, 0.1, "a pad's fader");
    api.ok("svc-update-device", json!({"path": "t0/d0/pC1", "mute": true}));
    assert_eq!(pad_level(), f64::NEG_INFINITY, "a pad's mute");
    let sounds = api.ok("svc-read-track", json!({"path": "t0"}))["sounds"].to_string();
    assert!(sounds.contains("silent: 1 note on ") && sounds.contains(", which is muted"), "{sounds}");
}

#[test]
fn note_effects_change_what_instruments_play() {
    let (api, folder) = playing();
    let sample = json!({"name": "sample", "value": sine(&folder, 441.0)});
    api.ok("svc-create-device", json!({"device": "Simpler", "path": "t0", "params": [sample]}));
    let octave = json!([{"name": "Pitch", "value": "12 st"}]);
    let made = api.ok("svc-create-device", json!({"device": "Pitch", "path": "t0/d0", "params": octave}));
    assert_eq!(made["sounds"], "exact");
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "n/2 C3 1|1"}));
    is_near(frequency(&first_scene(&api, 1.0).track(0).left, 0.1, 0.8), 882.0, 2.0, "an octave up");
}

#[test]
fn a_default_sound_is_kept_until_the_track_gets_another_name() {
    let api = Api::new();
    let sounds = || api.ok("svc-read-track", json!({"path": "t0"}))["sounds"].as_str().expect("a text").to_owned();
    let plays_as = |sound: &str| format!("stand-in: plays as the default {sound}");
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "n/2 E1 1|1 G1 1|3"}));
    assert_eq!(sounds(), plays_as("bass"));
    // Other notes do not make another sound of it, another name does, and undo goes back.
    api.envelope("svc-create-clip", "", &json!({"path": "t0/s0,t0/s1", "notes": "n/2 C4 E4 G4 1|1,3"}));
    assert_eq!(sounds(), plays_as("bass"));
    api.ok("svc-update-track", json!({"path": "t0", "name": "Warm Pad"}));
    assert_eq!(sounds(), plays_as("pad"));
    api.ok("svc-update-track", json!({"path": "t0", "name": "Stuff"}));
    assert_eq!(sounds(), plays_as("keys"));
    api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!(sounds(), plays_as("pad"));
    let saved = api.saved();
    assert!(saved.contains("\"chosen_sound\":\"pad\""), "{saved}");
    // Made with a name, a track says at once what it will sound as.
    let made_track = api.ok("svc-create-track", json!({"path": "t+", "name": "808 Kit"}));
    assert_eq!(made_track["sounds"], plays_as("808 kit"));
    // An instrument takes over; one without code plays as the track would.
    let made = api.ok("svc-create-device", json!({"device": "Wavetable", "path": "t0"}));
    assert_eq!(made["sounds"], plays_as("pad"));
    assert_eq!(api.ok("svc-create-device", json!({"device": "Tension", "path": "t1"}))["sounds"], plays_as("pluck"));
    let path = made_track["path"].as_str().expect("a path");
    let made = api.ok("svc-create-device", json!({"device": "Simpler", "path": path}));
    assert_eq!(made["sounds"], "silent: it has no sample");
}

#[test]
fn a_sample_that_is_gone_is_said() {
    let (api, folder) = playing();
    std::fs::remove_file(folder.path().join("sine 441.wav")).expect("the file goes");
    let made = first_scene(&api, 0.3);
    assert!(made.track(2).left.iter().all(|x| *x == 0.0));
    let why = "silent: sine 441.wav: the file cannot be played; why is told of files in the sample folder and in \
               allowedFolders";
    assert_eq!(api.ok("svc-read-track", json!({"path": "t2"}))["sounds"], why);
}

#[test]
fn a_name_that_says_several_drums_is_a_kit() {
    let api = Api::new();
    for (name, sound) in [
        ("Kick & Snare", "drum kit"),
        ("Kick/Drums", "drum kit"),
        ("Kick + Hats", "drum kit"),
        ("KickSnare", "drum kit"),
        ("Kick Perc", "drum kit"),
        ("BD SD", "drum kit"),
        ("Bass Drum & Clap", "drum kit"),
        ("Drums (Sub Kick)", "drum kit"),
        ("808 Kick & Snare", "808 kit"),
        ("909 Kick, Hats", "909 kit"),
        ("Kick", "kick"),
        ("Kick 2", "kick"),
        ("Kick Drum", "kick"),
        ("Bass Drum", "kick"),
        ("808 Kick", "kick"),
    ] {
        let made = api.ok("svc-create-track", json!({"path": "t+", "name": name}));
        assert_eq!(made["sounds"], format!("stand-in: plays as the default {sound}"), "{name}");
    }
}

#[test]
fn notes_where_a_drum_rack_has_no_pad_are_told() {
    let (api, folder) = playing();
    let pad = |note: &str| json!({"name": format!("p{note}/sample"), "value": sine(&folder, 441.0)});
    api.ok(
        "svc-create-device",
        json!({"device": "Drum Rack", "path": "t0", "params": [pad("C1"), pad("D1"), pad("A#1")]}),
    );
    let hats = "8 notes on Gb1 where the rack has no pad";
    for (notes, sounds, rendered) in [
        ("n/8 C1 1|1 D1 1|2 A#1 1|3", "approximate: Drum Rack", None),
        ("n/8 C1 1|1 F#1 1|1x8@n/8", "approximate: Drum Rack, NOTED", Some(hats)),
        ("n/8 F#1 1|1x8@n/8", "silent: NOTED", Some(hats)),
        (
            "n/8 C1 1|1 E1 F1 F#1 G1 G#1 1|2",
            "approximate: Drum Rack, 5 notes on E1, F1, Gb1 and 2 more keys where the rack has no pad",
            Some("5 notes on E1, F1, Gb1 and 2 more keys where the rack has no pad"),
        ),
    ] {
        api.envelope("svc-create-clip", "", &json!({"path": "t0/s0", "notes": notes}));
        let read = api.ok("svc-read-track", json!({"path": "t0"}));
        assert_eq!(read["sounds"], sounds.replace("NOTED", hats), "{notes}");
        let heard = crate::render::render(&api, json!({"path": "s0"}));
        let told = [&heard["notes"], &heard["silent"]].map(Value::to_string).concat();
        assert_eq!(told.contains("no pad"), rendered.is_some(), "{told}");
        assert!(rendered.is_none_or(|rendered| told.contains(rendered)), "{told}");
    }
    // So are those on pads that are muted, beside a soloed one, or turned down.
    api.envelope("svc-create-clip", "", &json!({"path": "t0/s0", "notes": "n/8 C1 1|1 D1 1|1,2 A#1 1|3,4"}));
    let pads = |what: Value, said: &[&str]| {
        for (pad, key) in [("C1", "kick"), ("D1", "snare"), ("A#1", "hat")] {
            let mut call = json!({"path": format!("t0/d0/p{pad}"), "mute": false, "solo": false, "gainDb": 0});
            call.as_object_mut().expect("a call").extend(what[key].as_object().cloned().unwrap_or_default());
            api.ok("svc-update-device", call);
        }
        let sounds = api.ok("svc-read-track", json!({"path": "t0"}))["sounds"].to_string();
        let heard = crate::render::render(&api, json!({"path": "s0"}));
        let told = [&heard["notes"], &heard["silent"]].map(Value::to_string).concat();
        for words in ["which is muted", "which are muted", "beside a pad that is soloed", "with the volume at -inf dB"]
        {
            let is_said = said.iter().any(|said| said.contains(words));
            assert_eq!((sounds.contains(words), told.contains(words)), (is_said, is_said), "{what}: {sounds}: {told}");
        }
        assert!(said.iter().all(|said| sounds.contains(said) && told.contains(said)), "{what}: {sounds}: {told}");
    };
    pads(json!({}), &[]);
    pads(json!({"snare": {"mute": true}}), &["2 notes on ", ", which is muted"]);
    pads(json!({"snare": {"mute": true}, "kick": {"mute": true}}), &["3 notes on ", ", which are muted"]);
    pads(json!({"snare": {"solo": true}}), &["3 notes on ", ", beside a pad that is soloed"]);
    pads(json!({"hat": {"gainDb": -70}}), &["2 notes on ", ", with the volume at -inf dB"]);
    let all = json!({"kick": {"mute": true}, "snare": {"mute": true}, "hat": {"mute": true}});
    for (pad, key) in [("C1", "kick"), ("D1", "snare"), ("A#1", "hat")] {
        api.ok("svc-update-device", json!({"path": format!("t0/d0/p{pad}"), "mute": all[key]["mute"], "gainDb": 0}));
    }
    assert_eq!(api.ok("svc-read-track", json!({"path": "t0"}))["sounds"], "silent: all its chains are muted");
    for pad in ["C1", "D1", "A#1"] {
        api.ok("svc-update-device", json!({"path": format!("t0/d0/p{pad}"), "mute": false}));
    }
    // What a note effect makes of them, nobody knows beforehand.
    api.ok("svc-create-device", json!({"device": "Pitch", "path": "t0/d0"}));
    let read = api.ok("svc-read-track", json!({"path": "t0"}));
    assert_eq!(read["sounds"], "approximate: Drum Rack");
}

#[test]
fn drift_plays_its_own_parameters() {
    let api = Api::new();
    let param = |name: &str, value: &str| json!({"name": name, "value": value});
    let params = json!([
        param("Osc 1 Wave", "Sine"),
        param("Osc 2 On", "Off"),
        param("Osc 1 Shape Mod Amt", "0 %"),
        param("Drift", "0 %"),
        param("Transpose", "12 st"),
    ]);
    let made = api.ok("svc-create-device", json!({"device": "Drift", "path": "t0", "params": params}));
    assert!(made["sounds"].as_str().is_some_and(|text| text.starts_with("approximate: ")), "{made}");
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "n/2 A3 1|1"}));
    let signal = first_scene(&api, 1.0);
    is_near(frequency(&signal.track(0).left, 0.2, 0.8), 880.0, 3.0, "A4");
}

/// Of every native device: what the call that makes it says, what a read says, and what the table says.
#[test]
fn every_device_says_how_it_is_heard() {
    let api = Api::new();
    for DeviceSound { name, heard, otherwise } in all() {
        let class = by_name(name).expect("a native device");
        let path = if class.category == DeviceCategory::AudioEffect { "t2/d0" } else { "t0/d0" };
        let meant = match heard {
            _ if name == "Simpler" => "silent: it has no sample".to_owned(),
            Heard::Exact => "exact".to_owned(),
            Heard::Approximate => format!("approximate: {otherwise}"),
            Heard::Chains if class.category == DeviceCategory::Instrument => {
                "silent: none of its chains holds an instrument".to_owned()
            }
            Heard::Chains => "exact".to_owned(),
            Heard::Samples(sound) | Heard::StandIn(sound) => {
                format!("stand-in: plays as the default {}", sound.unwrap_or(DefaultSound::Keys).name())
            }
            Heard::Bypassed => "stand-in: bypassed, it has no code here".to_owned(),
        };
        let made = api.ok("svc-create-device", json!({"device": name, "path": path}));
        let read = api.ok("svc-read-device", json!({"path": path}));
        assert_eq!((&made["sounds"], &read["sounds"]), (&json!(meant), &json!(meant)), "{name}");
        api.ok("svc-delete", json!({"type": "device", "path": path}));
    }
}

#[test]
fn every_kind_of_track_says_how_it_is_heard() {
    let api = Api::new();
    let sounds = |path: &str| api.ok("svc-read-track", json!({"path": path}))["sounds"].clone();
    assert_eq!((sounds("t0"), sounds("t2")), (json!("stand-in: plays as the default keys"), json!("exact")));
    assert_eq!((sounds("rt0"), sounds("mt")), (json!("approximate: Reverb"), json!("exact")));
    api.ok("svc-create-device", json!({"device": "Corpus", "path": "t2/d0"}));
    assert_eq!(sounds("t2"), "approximate: Corpus (bypassed)");
    api.ok("svc-update-track", json!({"path": "mt", "gainDb": -70}));
    assert_eq!(sounds("mt"), "silent: its volume is at -inf dB");
}
