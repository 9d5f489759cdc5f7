//! Automation of the Arrangement, as it is heard: measured on the samples.

use crate::heard::{HALF_SINE, playing, sine};
use crate::offline_mix::{RATE, first_scene, is_near, level, samples};
use crate::support::Api;
use serde_json::{Value, json};
use svc_device::render::offline::{OfflineRender, RenderSettings, Tail};
use svc_device::render::wish::Wish;

/// What is heard of a range of the Arrangement: the main output's left and right, and the same of its first audio
/// track.
struct Rendered {
    main: [Vec<f32>; 2],
    track: [Vec<f32>; 2],
}

fn rendered(api: &Api, from: &str, to: &str, block_frames: usize) -> Rendered {
    let document = api.device.set.committed().document.clone();
    let wish = Wish { from: Some(from.to_owned()), to: Some(to.to_owned()), ..Wish::default() };
    let stretch = wish.stretch(&document).expect("a range");
    let settings = RenderSettings { stretch, rate_hz: RATE as u32, seed: 1, tail: Tail::Seconds(0.25), block_frames };
    let mut render = OfflineRender::new(&document, &samples(api), &settings, false);
    let place = render.tracks().iter().position(|track| track.name.contains("Audio")).expect("the audio track");
    let mut made = Rendered { main: Default::default(), track: Default::default() };
    while render.advance() {
        for (to, from) in [(&mut made.main, render.main()), (&mut made.track, render.track(place).expect("its signal"))]
        {
            to[0].extend(from.left);
            to[1].extend(from.right);
        }
    }
    made
}

/// The number of a parameter of a track's mixer.
fn mixer(api: &Api, track: &str, name: &str) -> u64 {
    let id = api.get(&format!("{track} mixer_device"), name).to_string();
    id.chars().filter(char::is_ascii_digit).collect::<String>().parse().expect("an id")
}

/// A track (`tracks 2`, `returns 0`, `main`), a parameter, and points.
type Lane<'a> = (&'a str, u64, &'a [(f64, f64)]);

/// The same Set with automation in its Arrangement. No call draws it; files bring it.
fn automate(api: &Api, lanes: &[Lane]) {
    let mut state: Value = serde_json::from_str(&api.device.save_state()).expect("a state");
    for (track, parameter, points) in lanes {
        let points: Vec<Value> = points.iter().map(|(time, value)| json!({"time": time, "value": value})).collect();
        let track = match track.split_once(' ') {
            Some((list, at)) => &mut state["set"][list][at.parse::<usize>().expect("a place")],
            None => &mut state["set"][*track],
        };
        if track["automation"].is_null() {
            track["automation"] = json!([]);
        }
        track["automation"].as_array_mut().expect("a list").push(json!({"parameter": parameter, "points": points}));
    }
    api.device.load_state(&state.to_string());
}

/// An Api whose third track plays a sine of 441 Hz for two bars of the Arrangement.
fn arranged() -> (Api, tempfile::TempDir) {
    let (api, folder) = playing();
    let file = sine(&folder, 441.0);
    for at in ["1|1", "2|1"] {
        api.ok("svc-create-clip", json!({"path": format!("t2[{at}]"), "sampleFile": file, "warping": false}));
    }
    (api, folder)
}

const TRACK: &str = "live_set tracks 2";
/// Raw volumes of 0 dB and -12 dB.
const LOUD: f64 = 0.85;
const QUIET: f64 = 0.55;

#[test]
fn the_arrangement_moves_what_it_has_automation_for() {
    let (api, _folder) = arranged();
    api.ok("svc-create-device", json!({"device": "Utility", "path": "t2/d0"}));
    let read = api.ok("svc-read-device", json!({"path": "t2/d0", "include": ["params"], "paramSearch": "Output"}));
    let output: u64 = read["parameters"][0]["id"].as_str().expect("an id").parse().expect("a number");
    let main = mixer(&api, "live_set master_track", "volume");
    automate(
        &api,
        &[
            ("tracks 2", mixer(&api, TRACK, "volume"), &[(1.0, LOUD), (1.0, QUIET), (3.0, QUIET), (3.0, LOUD)]),
            ("tracks 2", mixer(&api, TRACK, "panning"), &[(4.0, 0.0), (4.0, 1.0)]),
            ("tracks 2", output, &[(6.0, 0.0), (6.0, -1.0)]),
            ("main", main, &[(2.0, LOUD), (2.0, QUIET)]),
        ],
    );
    let made = rendered(&api, "1|1", "3|1", 1_024);
    let left = |from: f64, to: f64| level(&made.track[0], from, to);
    is_near(left(0.1, 0.48), HALF_SINE, 0.1, "the first beat");
    is_near(left(0.52, 1.48), HALF_SINE - 12.0, 0.1, "the next two");
    is_near(left(1.52, 1.98), HALF_SINE, 0.1, "the fourth");
    assert_eq!(left(2.02, 2.9), f64::NEG_INFINITY, "panned to the right");
    is_near(level(&made.track[1], 2.02, 2.9), HALF_SINE + 3.01, 0.1, "the right side");
    assert!(level(&made.track[1], 3.05, 3.9) < -90.0, "Utility's output");
    // To the frame: the ramp of a fader begins there.
    let jump = made.main[0].iter().zip(&made.track[0]).position(|(main, track)| (main - track).abs() > 1e-6);
    assert!((48_000..48_020).contains(&jump.expect("the main fader moves")), "{jump:?}");
    is_near(level(&made.main[0], 1.02, 1.48), HALF_SINE - 24.0, 0.1, "behind both faders");
    assert_eq!(api.ok("svc-read-track", json!({"path": "t2"}))["sounds"], "exact");
}

#[test]
fn blocks_and_where_playing_starts_make_no_difference() {
    let (api, _folder) = arranged();
    let volume = mixer(&api, TRACK, "volume");
    automate(&api, &[("tracks 2", volume, &[(0.5, LOUD), (3.5, QUIET), (6.0, LOUD)])]);
    let meant = rendered(&api, "1|1", "3|1", 1_024);
    for block in [17, 64, 4_096] {
        assert!(rendered(&api, "1|1", "3|1", block).track == meant.track, "blocks of {block}");
    }
    let late = rendered(&api, "1|3", "3|1", 1_024);
    for second in [0.1, 0.4, 0.9, 1.6, 2.4] {
        let (found, meant) =
            (level(&late.track[0], second, second + 0.05), level(&meant.track[0], second + 1.0, second + 1.05));
        is_near(found, meant, 0.02, &format!("{second} s behind 1|3"));
    }
    // Once the song has stopped, the fader stays where it is: an ending that is faded out stays faded out.
    automate(&api, &[("main", mixer(&api, "live_set master_track", "volume"), &[(7.0, LOUD), (8.0, 0.0)])]);
    api.ok("svc-create-device", json!({"device": "Reverb", "path": "t2/d0"}));
    let faded = rendered(&api, "1|1", "3|1", 1_024);
    assert!(level(&faded.track[0], 4.05, 4.2) > -60.0, "there is a tail");
    assert_eq!(level(&faded.main[0], 4.01, 4.2), f64::NEG_INFINITY, "and it is not heard");
}

#[test]
fn a_clip_of_the_session_takes_the_track_away() {
    let (api, _folder) = arranged();
    let (volume, main) = (mixer(&api, TRACK, "volume"), mixer(&api, "live_set master_track", "volume"));
    automate(&api, &[("tracks 2", volume, &[(0.0, QUIET)]), ("main", main, &[(0.0, QUIET)])]);
    let made = first_scene(&api, 1.0);
    is_near(level(&made.track(2).left, 0.1, 0.9), HALF_SINE, 0.1, "the track is the Session's");
    is_near(level(&made.main.left, 0.1, 0.9), HALF_SINE - 12.0, 0.1, "the main track is not");
}

#[test]
fn what_is_written_is_overridden_until_it_is_enabled_again() {
    let (api, _folder) = arranged();
    let (volume, pan) = (mixer(&api, TRACK, "volume"), mixer(&api, TRACK, "panning"));
    automate(&api, &[("tracks 2", volume, &[(0.0, QUIET)]), ("tracks 2", pan, &[(0.0, 1.0)])]);
    let right = || level(&rendered(&api, "1|1", "2|1", 1_024).track[1], 0.1, 1.9);
    let strip = || api.ok("svc-read-track", json!({"path": "t2", "include": ["mixer"]}));
    let states = || {
        ["volume", "panning"]
            .map(|name| api.get(&format!("{TRACK} mixer_device {name}"), "automation_state")[0].clone())
    };
    let enabled = || api.get("live_set", "re_enable_automation_enabled")[0].clone();
    is_near(right(), HALF_SINE - 12.0 + 3.01, 0.1, "both are moved");
    assert_eq!((states(), enabled()), ([json!(1), json!(1)], json!(0)));
    // A written fader counts; the pan goes on.
    api.ok("svc-update-track", json!({"path": "t2", "gainDb": -20}));
    is_near(right(), HALF_SINE - 20.0 + 3.01, 0.1, "as written");
    assert_eq!((states(), enabled()), ([json!(2), json!(1)], json!(1)));
    let read = strip();
    assert_eq!(read["automation"], json!(["gainDb (overridden)", "pan"]), "{read}");
    assert!(read["detail"].as_str().unwrap().contains("-12.0 dB at 1|1 (overridden)"), "{read}");
    // Undo takes it back with what was written.
    api.call("live_set", "undo", json!([]));
    is_near(right(), HALF_SINE - 12.0 + 3.01, 0.1, "undone");
    assert_eq!(states(), [json!(1), json!(1)]);
    // One by one, and all at once.
    for (target, all) in [(format!("{TRACK} mixer_device volume"), false), ("live_set".to_owned(), true)] {
        api.ok("svc-update-track", json!({"path": "t2", "gainDb": -20, "pan": 0}));
        assert_eq!(states(), [json!(2), json!(2)]);
        api.call(&target, "re_enable_automation", json!([]));
        assert_eq!(states(), [json!(1), json!(if all { 1 } else { 2 })], "{target}");
    }
    is_near(right(), HALF_SINE - 12.0 + 3.01, 0.1, "both are moved again");
    assert_eq!(enabled(), json!(0));
}

#[test]
fn what_the_arrangement_does_not_move_is_said() {
    let (api, _folder) = arranged();
    api.ok("svc-create-device", json!({"device": "Saturator", "path": "t2/d0"}));
    let read = api.ok("svc-read-device", json!({"path": "t2/d0", "include": ["params"], "paramSearch": "Type"}));
    let shape: u64 = read["parameters"][0]["id"].as_str().expect("an id").parse().expect("a number");
    automate(&api, &[("tracks 2", shape, &[(0.0, 0.0), (2.0, 3.0)])]);
    let sounds = api.ok("svc-read-track", json!({"path": "t2"}))["sounds"].as_str().expect("a text").to_owned();
    assert_eq!(sounds, "approximate: Saturator, no envelope moves Type");
    let values = json!({"path": "t2/d0", "include": ["param-values"], "paramSearch": "Type"});
    let read = api.ok("svc-read-device", values);
    assert!(read.to_string().contains("no envelope moves it here"), "{read}");
}
