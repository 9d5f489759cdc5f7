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
            vec![("svc-create-clip", json!({"path": "t1/s0", "notes": format!("p0 {CHORDS}")}))],
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
