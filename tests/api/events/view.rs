//! The Set in one piece, against what the tools say of it.

use super::Stream;
use crate::sample_tree::{put, sound, wav};
use crate::support::Api;
use serde_json::{Value, json};
use svc_device::service::Settings;

fn view(api: &Api) -> Value {
    let reply = api.request("GET", "/api/view", "", "");
    assert_eq!(reply.status, 200);
    reply.json()
}

#[test]
fn a_new_set_and_what_is_made_in_it() {
    let api = Api::raw_enabled();
    let new = view(&api);
    assert_eq!((&new["revision"], &new["slots"], &new["arrangement"]["clips"]), (&json!(0), &json!([]), &json!([])));
    assert_eq!((new["palette"].as_array().map(Vec::len), &new["palette"][0]), (Some(70), &json!("#FF94A6")));
    let paths: Vec<&Value> = new["tracks"].as_array().expect("tracks").iter().map(|track| &track["path"]).collect();
    let read = api.ok("svc-read-live-set", json!({"include": ["*"]}));
    let regular = read["tracks"].as_array().expect("tracks").len();
    assert_eq!(paths.first(), Some(&&json!("t0")));
    assert_eq!(paths[regular..], [&json!("rt0"), &json!("rt1"), &json!("mt")]);

    let clip =
        api.ok("svc-create-clip", json!({"path": "t0/s2", "notes": "C3 D3 1|1", "length": "2bar", "name": "Bass"}));
    let placed = api.ok("svc-create-clip", json!({"path": "t1[3|1]", "notes": "C3 1|1", "length": "1bar"}));
    api.ok(
        "svc-update-track",
        json!({"path": "t0", "name": "Lead", "color": "#00BFAF", "gainDb": -6, "pan": 0.5, "mute": true}),
    );
    api.ok("svc-update-live-set", json!({"tempo": 99, "timeSignature": "3/4"}));
    api.raw("live_set", json!([{"type": "set", "property": "metronome", "value": true}]));
    let now = view(&api);
    let row = &now["slots"][0];
    assert_eq!(
        (&row[0], &row[1], &row[2], &row[3], &row[6], &row[9]),
        (&json!(0), &json!(2), &clip["id"], &json!("Bass"), &json!(false), &json!(2)),
        "{row}"
    );
    let row = &now["arrangement"]["clips"][0];
    assert_eq!((&row[0], &row[1], &row[2], &row[3]), (&placed["id"], &json!(1), &json!(8.0), &json!(12.0)), "{row}");
    let track = &now["tracks"][0];
    assert_eq!((&track["name"], &track["color"], &track["isMuted"]), (&json!("Lead"), &json!("#00BFAF"), &json!(true)));
    assert_eq!((&track["volumeDb"], &track["pan"], &track["kind"]), (&json!(-6.0), &json!(0.5), &json!("midi")));
    let song = &now["song"];
    assert_eq!((&song["tempoBpm"], &song["meter"], &song["metronome"]), (&json!(99.0), &json!("3/4"), &json!(true)));
    assert_eq!((&song["canUndo"], &song["historyStep"]), (&json!(true), &json!(5)));
    assert_eq!(now["revision"], 5);
    let named: Vec<&Value> = now["tracks"].as_array().unwrap().iter().map(|track| &track["sounds"]).collect();
    let told = api.ok("svc-read-track", json!({"path": "t0", "include": ["*"]}));
    assert_eq!(named[0], &told["sounds"]);
}

#[test]
fn a_clip_with_its_notes_and_pads() {
    let api = Api::raw_enabled();
    api.raw("live_set tracks 0", json!([{"type": "call", "method": "insert_device", "args": ["Drum Rack"]}]));
    api.raw("live_set tracks 0 devices 0", json!([{"type": "call", "method": "insert_chain", "args": []}]));
    api.set("live_set tracks 0 devices 0 chains 0", "in_note", json!(36));
    api.set("live_set tracks 0 devices 0 chains 0", "name", json!("Kick"));
    let clip = api
        .ok("svc-create-clip", json!({"path": "t0/s0", "notes": "v80 p0.5 C1 1|1 v100 p1 D1 1|2", "length": "1bar"}));
    let id = clip["id"].as_str().expect("an id");
    let view = api.request("GET", &format!("/api/view?clip={id}"), "", "").json();
    assert_eq!((&view["path"], &view["isAudio"], &view["lengthBeats"]), (&json!("t0/s0"), &json!(false), &json!(4.0)));
    assert_eq!(view["notes"]["pitch"], json!([36, 38]));
    assert_eq!(view["notes"]["startBeat"], json!([0.0, 1.0]));
    assert_eq!(view["notes"]["velocity"], json!([80.0, 100.0]));
    assert_eq!(view["notes"]["probability"], json!([0.5, 1.0]));
    assert_eq!(view["waveform"], Value::Null);
    assert_eq!(view["padNames"], json!({"36": "Kick"}));
}

#[test]
fn a_beat_without_a_rack_has_the_drums_of_the_default_kit() {
    let api = Api::new();
    api.ok("svc-update-track", json!({"path": "t0", "name": "Drums"}));
    let clip = api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C1 1|1 D1 1|2 Gb1 1|3"}));
    let view = api.request("GET", &format!("/api/view?clip={}", clip["id"].as_str().unwrap()), "", "").json();
    assert_eq!(view["padNames"], json!({"36": "Kick", "38": "Snare", "42": "Closed hat"}));
    let all = api.request("GET", "/api/view", "", "").json();
    assert_eq!((&all["tracks"][0]["isDrums"], &all["tracks"][1]["isDrums"]), (&json!(true), &json!(false)));
}

#[test]
fn a_clip_with_its_waveform() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "Loud.wav", &wav(&sound(1, 1.0)));
    let settings = Settings {
        sample_folder: folder.path().to_str().unwrap().to_owned(),
        live_api_enabled: true,
        ..Settings::default()
    };
    let api = Api::with(settings);
    api.ok("svc-create-track", json!({"type": "audio"}));
    let path = folder.path().join("Loud.wav");
    let tracks = view(&api)["tracks"].as_array().unwrap().iter().position(|track| track["kind"] == "audio").unwrap();
    let clip = api.ok("svc-create-clip", json!({"path": format!("t{tracks}/s0"), "sampleFile": path}));
    let target = format!("/api/view?clip={}", clip["id"].as_str().expect("an id"));
    let told = api.request("GET", &target, "", "").json();
    let waveform = &told["waveform"];
    let peaks = waveform["peaks"].as_array().expect("peaks");
    assert!((900..=1_000).contains(&peaks.len()), "{} peaks", peaks.len());
    let in_order = |peak: &Value| peak[0].as_f64() <= peak[1].as_f64() && peak[1].as_f64() <= Some(1.0);
    assert!(peaks.iter().all(in_order) && peaks.iter().any(|peak| peak[1].as_f64() > Some(0.1)));
    assert_eq!((&waveform["file"], &waveform["why"], &told["notes"]), (&json!("Loud.wav"), &Value::Null, &Value::Null));
    std::fs::remove_file(&path).unwrap();
    let gone = api.request("GET", &target, "", "").json();
    assert_eq!(gone["waveform"]["peaks"], json!([]));
    assert!(gone["waveform"]["why"].is_string(), "{gone}");
}

/// All times of a clip are of one unit, whatever the tempo: seconds of the file where it is not warped.
#[test]
fn the_times_of_an_audio_clip_are_of_one_unit() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "Long.wav", &wav(&sound(1, 4.0)));
    let settings = Settings {
        sample_folder: folder.path().to_str().unwrap().to_owned(),
        live_api_enabled: true,
        ..Settings::default()
    };
    let api = Api::with(settings);
    api.ok("svc-update-live-set", json!({"tempo": 121}));
    api.ok("svc-create-track", json!({"type": "audio"}));
    let tracks = view(&api)["tracks"].as_array().unwrap().iter().position(|track| track["kind"] == "audio").unwrap();
    let path = format!("t{tracks}/s0");
    let made = api.ok("svc-create-clip", json!({"path": path, "sampleFile": folder.path().join("Long.wav")}));
    let target = format!("/api/view?clip={}", made["id"].as_str().expect("an id"));
    let near = |value: &Value, expected: f64| value.as_f64().is_some_and(|value| (value - expected).abs() < 0.001);
    for (warping, tempo, is_in_seconds, length) in
        [(true, 121.0, false, 4.0 * 121.0 / 60.0), (false, 121.0, true, 4.0), (false, 90.0, true, 4.0)]
    {
        api.ok("svc-update-live-set", json!({"tempo": tempo}));
        api.ok("svc-update-clip", json!({"path": path, "warping": warping}));
        let clip = api.request("GET", &target, "", "").json();
        assert_eq!(clip["isInSeconds"], is_in_seconds, "{clip}");
        for (what, value) in [
            ("lengthBeats", &clip["lengthBeats"]),
            ("loop", &clip["loop"]["lengthBeats"]),
            ("end", &clip["markers"]["endBeat"]),
        ] {
            assert!(near(value, length), "{what}, warped {warping}, at {tempo} BPM: {value} for {length}");
        }
        assert!(near(&clip["markers"]["startBeat"], 0.0) && near(&clip["waveform"]["seconds"], 4.0), "{clip}");
    }
}

/// Two hundred tracks of two hundred scenes, every slot with a clip: in one answer, of so many bytes a slot.
#[test]
fn a_large_set_is_one_short_answer() {
    let api = Api::new();
    api.edit_saved(|set| {
        let clip = json!({
            "name": "Clip", "color": 3, "signature": {"numerator": 4, "denominator": 4}, "looping": true,
            "loop_start": 0.0, "loop_end": 4.0, "start_marker": 0.0, "end_marker": 4.0,
            "content": {"midi": {"list": [], "next_id": 1}},
        });
        let mut serial = set["next_serial"].as_u64().expect("a count");
        let mut next = || {
            serial += 1;
            serial - 1
        };
        let scene = set["scenes"][0].clone();
        let scenes: Vec<Value> = (0..200)
            .map(|_| {
                let mut scene = scene.clone();
                scene["serial"] = next().into();
                scene
            })
            .collect();
        let track = set["tracks"][0].clone();
        let tracks: Vec<Value> = (0..200)
            .map(|_| {
                let mut track = track.clone();
                track["serial"] = next().into();
                let clips = scenes.iter().map(|scene| {
                    let mut clip = clip.clone();
                    clip["serial"] = next().into();
                    json!({"scene": scene["serial"], "clip": clip})
                });
                track["session"] = clips.collect();
                track
            })
            .collect();
        (set["scenes"], set["tracks"]) = (scenes.into(), tracks.into());
        set["next_serial"] = next().into();
    });
    let reply = api.request("GET", "/api/view", "", "");
    let told = reply.json();
    let slots = told["slots"].as_array().expect("slots");
    assert_eq!(slots.len(), 40_000);
    assert!(reply.body.len() < 60 * 40_000, "{} bytes", reply.body.len());
    assert_eq!((&slots[39_999][0], &slots[39_999][1]), (&json!(199), &json!(199)));
}

#[test]
fn of_a_set_in_live_there_is_a_reason() {
    let api = Api::new();
    let (mut stream, _) = Stream::open(&api, "/api/events", "");
    api.post("/config", "", &json!({"hostChoice": "live"}));
    stream.wait_for("set", |told| told["readAnew"] == true && told["who"] == "host");
    let told = view(&api);
    assert_eq!((&told["host"]["kind"], &told["host"]["showsSet"]), (&json!("live"), &json!(false)));
    // No Live was seen, so that nothing is known of a Set in it.
    let why = told["host"]["reason"].as_str().expect("a reason");
    assert!(why.contains("Ableton Live") && why.contains("reach none") && !why.contains("Set that is open"), "{why}");
    assert_eq!(told["host"]["isReachable"], false);
    assert_eq!((&told["song"], &told["tracks"], &told["slots"]), (&Value::Null, &json!([]), &json!([])));
    assert_eq!(api.request("GET", "/api/view?clip=1", "", "").status, 404);
    api.post("/config", "", &json!({"hostChoice": "embedded"}));
    stream.wait_for("set", |told| told["readAnew"] == true && told["who"] == "host");
    assert_eq!(view(&api)["host"]["kind"], "embedded");
}
