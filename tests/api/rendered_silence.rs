//! Why nothing is heard of a track, and how near what is heard is to what the Set says.

use crate::render::{named, notes, render};
use crate::support::Api;
use serde_json::{Value, json};

const CHORDS: &str = "v90 n/2 A2 C3 E3 1|1 F2 A2 C3 1|3";
const TRACK: &str = "live_set tracks 1";
const MIXER: &str = "live_set tracks 1 mixer_device";
const MAIN_MIXER: &str = "live_set master_track mixer_device crossfader";

fn set(path: &str, property: &str, value: Value) -> (&'static str, Value) {
    ("svc-live-api", json!({"path": path, "operations": [{"type": "set", "property": property, "value": value}]}))
}

fn update(arguments: Value) -> (&'static str, Value) {
    ("svc-update-track", arguments)
}

/// Chords on the second track, what is done to them, and what is said of the track then.
#[test]
fn what_is_silent_says_why() {
    let to_return = || update(json!({"path": "t1", "sendReturn": "A", "sendGainDb": 0}));
    let nowhere = |to: &str| update(json!({"path": "t1", "outputRoutingType": to}));
    for (calls, why) in [
        (vec![update(json!({"path": "t1", "mute": true}))], Some("it is muted")),
        (vec![nowhere("Ext. Out")], Some("it goes to Ext. Out, which is not there")),
        (vec![nowhere("Ext. Out"), to_return()], None),
        (vec![nowhere("Sends Only")], Some("it goes to its sends alone, which are at -inf dB")),
        (vec![nowhere("Sends Only"), to_return()], None),
        (vec![nowhere("3-Audio")], Some("it goes to 3-Audio, which does not monitor its input")),
        (vec![nowhere("3-Audio"), set("live_set tracks 2", "current_monitoring_state", json!(0))], None),
        (
            vec![set(MIXER, "crossfade_assign", json!(0)), set(MAIN_MIXER, "value", json!(1))],
            Some("it is on side A, and the crossfader stands at B"),
        ),
        (vec![set(MIXER, "crossfade_assign", json!(2)), set(MAIN_MIXER, "value", json!(1))], None),
        (vec![set(&format!("{TRACK} clip_slots 0 clip"), "muted", json!(1))], Some("its clips are deactivated")),
        (
            // A chance that does not come.
            vec![("svc-create-clip", json!({"path": "t1/s0", "notes": "p0.01 v90 n/1 C3 1|1"}))],
            Some("what plays here is silent: no note or sound of its clips came, or a device lets nothing through"),
        ),
    ] {
        let api = Api::raw_enabled();
        // Without an instrument, notes leave it.
        api.ok("svc-create-device", json!({"path": "t1", "device": "Operator"}));
        api.ok("svc-create-clip", json!({"path": "t1/s0", "notes": CHORDS}));
        for (tool, arguments) in &calls {
            api.ok(tool, arguments.clone());
        }
        let heard = render(&api, json!({"path": "s0", "length": "1bar", "tail": 0}));
        let Some(why) = why else {
            assert!(heard["lufs"].is_f64(), "{calls:?}: {heard}");
            assert!(named(&heard["tracks"], "2-MIDI")["lufs"].is_f64(), "{calls:?}: {heard}");
            continue;
        };
        assert_eq!(named(&heard["silent"], "2-MIDI")["why"], why, "{calls:?}");
        assert!(heard["lufs"].is_null(), "{calls:?}: {heard}");
        assert!(heard["tracks"].as_array().expect("tracks").iter().all(|track| track["name"] != "2-MIDI"), "{heard}");
        // What the track says of itself is no other.
        let sounds = api.ok("svc-read-track", json!({"path": "t1"}))["sounds"].clone();
        let own = format!("silent: {why}");
        assert!(sounds == own.as_str() || !why.starts_with("it "), "{calls:?}: {sounds}");
    }
}

#[test]
fn a_main_track_that_is_turned_down_is_said() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t1/s0", "notes": CHORDS}));
    api.ok("svc-update-track", json!({"path": "mt", "gainDb": -70}));
    let heard = render(&api, json!({"path": "s0", "length": "1bar", "tail": 0}));
    assert!(notes(&heard).contains(&"the main track is silent: its volume is at -inf dB"), "{heard}");
}

#[test]
fn what_is_heard_says_how_near_it_is() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": CHORDS}));
    api.ok("svc-create-clip", json!({"path": "t1/s0", "notes": CHORDS}));
    api.ok("svc-create-device", json!({"path": "t0", "device": "Operator"}));
    api.ok("svc-create-device", json!({"path": "t1", "device": "Wavetable"}));
    let heard = render(&api, json!({"path": "s0", "length": "1bar", "tail": 0}));
    for (path, name) in [("t0", "1-MIDI"), ("t1", "2-MIDI")] {
        let sounds = api.ok("svc-read-track", json!({"path": path}))["sounds"].clone();
        assert!(sounds.is_string(), "{path}: {sounds}");
        assert_eq!(named(&heard["tracks"], name)["sounds"], sounds, "{path}: {heard}");
    }
}

/// Chords on the second track and what it goes to: nothing comes to the main track, and that is told.
#[test]
fn a_way_is_followed_to_its_end() {
    let to = |path: &str, name: &str| update(json!({"path": path, "outputRoutingType": name}));
    let into = |path: &str| update(json!({"path": path, "monitoringState": "in"}));
    let through = |calls: Vec<(&'static str, Value)>| {
        let mut all = vec![to("t1", "3-Audio"), into("t2"), to("t2", "4-Audio"), into("t3")];
        all.extend(calls);
        all
    };
    let muted = || update(json!({"path": "t3", "mute": true}));
    let sent = |path: &str| update(json!({"path": path, "sendReturn": "A", "sendGainDb": 0}));
    for (calls, why) in [
        (vec![], None),
        (
            vec![to("t3", "3-Audio")],
            Some("it goes to 3-Audio, which goes to 4-Audio, which goes to 3-Audio, from where it comes back"),
        ),
        (vec![to("t3", "3-Audio"), sent("t3")], None),
        (vec![muted()], Some("it goes to 3-Audio, which goes to 4-Audio, which is muted")),
        (vec![muted(), sent("t2")], None),
        (
            vec![muted(), sent("t1"), update(json!({"path": "rt0", "mute": true}))],
            Some("it goes to 3-Audio, which goes to 4-Audio, which is muted"),
        ),
        (
            vec![to("t3", "Sends Only")],
            Some("it goes to 3-Audio, which goes to 4-Audio, which goes to its sends alone, which are at -inf dB"),
        ),
        (vec![update(json!({"path": "t2", "gainDb": -70}))], Some("it goes to 3-Audio, whose volume is at -inf dB")),
        (
            vec![update(json!({"path": "t1", "solo": true}))],
            Some("it goes to 3-Audio, beside which another one is soloed"),
        ),
    ] {
        let api = Api::raw_enabled();
        api.ok("svc-create-device", json!({"path": "t1", "device": "Operator"}));
        api.ok("svc-create-clip", json!({"path": "t1/s0", "notes": CHORDS}));
        let calls = through(calls);
        for (tool, arguments) in &calls {
            api.ok(tool, arguments.clone());
        }
        let heard = render(&api, json!({"path": "s0", "length": "1bar", "tail": 0}));
        let sounds = api.ok("svc-read-track", json!({"path": "t1"}))["sounds"].clone();
        assert_eq!(heard["lufs"].is_null(), why.is_some(), "{calls:?}: {heard}");
        match why {
            Some(why) => {
                assert_eq!(named(&heard["silent"], "2-MIDI")["why"], why, "{calls:?}");
                assert_eq!(sounds, format!("silent: {why}"), "{calls:?}");
            }
            None => assert!(named(&heard["tracks"], "2-MIDI")["lufs"].is_f64(), "{calls:?}: {heard}"),
        }
    }
}

#[test]
fn a_track_whose_notes_another_one_plays_is_no_silent_one() {
    let api = Api::raw_enabled();
    api.ok("svc-update-track", json!({"path": "t0,t1", "name": "Lead,Bass"}));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": CHORDS}));
    api.ok("svc-update-track", json!({"path": "t0", "outputRoutingType": "Bass"}));
    api.ok("svc-update-track", json!({"path": "t1", "monitoringState": "in"}));
    let sounds = || api.ok("svc-read-track", json!({"path": "t0"}))["sounds"].clone();
    let heard = render(&api, json!({"path": "s0", "length": "1bar", "tail": 0}));
    assert!(named(&heard["tracks"], "Bass")["lufs"].is_f64(), "{heard}");
    assert_eq!(named(&heard["silent"], "Lead")["why"], "its notes are played by Bass");
    assert!(notes(&heard).iter().all(|note| !note.contains("Lead")), "{heard}");
    assert_eq!(sounds(), "approximate: its notes are played by Bass");
    api.ok("svc-update-track", json!({"path": "t1", "mute": true}));
    let heard = render(&api, json!({"path": "s0", "length": "1bar", "tail": 0}));
    let why = "its notes are played by Bass, which is muted";
    assert_eq!(named(&heard["silent"], "Lead")["why"], why);
    assert_eq!(sounds(), format!("silent: {why}"));
}

/// What is made on the second track, and why nothing is heard then; in reads too where they can know.
#[test]
fn devices_that_let_nothing_through_and_clips_without_notes_say_so() {
    let clip = |notes: &str| ("svc-create-clip", json!({"path": "t1/s0", "notes": notes, "length": "1bar"}));
    let device =
        |name: &str, params: Value| ("svc-create-device", json!({"path": "t1", "device": name, "params": params}));
    let switched_off =
        ("svc-update-device", json!({"path": "t1/d0", "params": [{"name": "Device On", "value": "Off"}]}));
    let param = |name: &str, value: &str| json!([{"name": name, "value": value}]);
    for (calls, why, is_read) in [
        (vec![device("Operator", param("Volume", "-inf dB"))], "the Operator's volume is at -inf dB", true),
        (vec![device("Operator", json!([])), device("Utility", param("Mute", "On"))], "Utility is set to Mute", true),
        (
            vec![device("Operator", json!([])), device("Utility", param("Output", "-inf dB"))],
            "the Utility's gain is at -inf dB",
            true,
        ),
        (vec![device("Operator", json!([])), switched_off], "Operator is switched off", true),
        (vec![clip("")], "its clips here hold no notes", false),
        (vec![clip("p0 v90 n/4 C3 1|1 G3 1|3")], "the notes of its clips here have a chance of 0", false),
        (vec![clip("v90 n/4 C3 2|1")], "the notes of its clips here lie behind the end of what is played", false),
    ] {
        let api = Api::raw_enabled();
        api.ok("svc-create-clip", json!({"path": "t1/s0", "notes": CHORDS}));
        for (tool, arguments) in &calls {
            api.ok(tool, arguments.clone());
        }
        let heard = render(&api, json!({"path": "s0", "length": "1bar", "tail": 0}));
        assert_eq!(named(&heard["silent"], "2-MIDI")["why"], why, "{calls:?}");
        let sounds = api.ok("svc-read-track", json!({"path": "t1"}))["sounds"].clone();
        assert_eq!(sounds == format!("silent: {why}"), is_read, "{calls:?}: {sounds}");
    }
}
