//! `svc-update-clip`: the region of a clip that sounds, with warping on and off, and what it covers of the timeline.

use super::clip_updates::{TOOL, WAV, detail, midi, timing};
use crate::support::Api;
use serde_json::{Value, json};

#[test]
fn the_region() {
    // What is asked of a looping clip of 4 bars; its start, length, looping and firstStart then, and words of the
    // detail.
    for (call, start, length, looping, first, words) in [
        (json!({"start": "2|1"}), "2|1", "4bar", true, None, "no longer play"),
        (json!({"length": "2bar"}), "1|1", "2bar", true, None, ""),
        (json!({"start": "9|1", "length": "1bar"}), "9|1", "1bar", true, None, "no longer play"),
        (json!({"start": "1|1-n/4", "length": "1bar"}), "1|1-n/4", "1bar", true, None, "no longer play"),
        (json!({"looping": false}), "1|1", "4bar", false, None, ""),
        (json!({"looping": false, "start": "2|1", "length": "1bar"}), "2|1", "1bar", false, None, "no longer play"),
        (json!({"firstStart": "3|1"}), "1|1", "4bar", true, Some("3|1"), ""),
        (json!({"firstStart": "3|1", "length": "1bar"}), "1|1", "1bar", true, Some("3|1"), "no longer play"),
        (json!({"looping": false, "firstStart": "3|1"}), "1|1", "4bar", false, None, "firstStart ignored"),
        (json!({"timeSignature": "3/4", "length": "2bar"}), "1|1", "2bar", true, None, ""),
    ] {
        for at in ["t0/s0", "t0[3|1]"] {
            let api = Api::raw_enabled();
            midi(&api, "t0/s0");
            if at == "t0[3|1]" {
                api.ok(TOOL, json!({"path": "t0/s0", "toPath": at}));
            }
            let mut asked = call.clone();
            asked["path"] = json!(at);
            let entry = api.ok(TOOL, asked);
            let read = timing(&api, at);
            assert_eq!(
                (&read["start"], &read["length"], &read["looping"]),
                (&json!(start), &json!(length), &json!(looping)),
                "{at} {call}: {read}"
            );
            assert_eq!(read.get("firstStart"), first.map(|first| json!(first)).as_ref(), "{at} {call}: {read}");
            assert!(detail(&entry).contains(words), "{at} {call}: {entry}");
            if at == "t0/s0" {
                assert_eq!(detail(&entry).is_empty(), words.is_empty(), "{call}: {entry}");
            }
        }
    }
    // There and back, what sounds is the same.
    let api = Api::raw_enabled();
    midi(&api, "t0/s0");
    api.ok(TOOL, json!({"path": "t0/s0", "start": "2|1", "length": "2bar"}));
    let before = timing(&api, "t0/s0");
    for looping in [false, true] {
        api.ok(TOOL, json!({"path": "t0/s0", "looping": looping}));
        let now = timing(&api, "t0/s0");
        assert_eq!((&now["start"], &now["end"], &now["looping"]), (&before["start"], &before["end"], &json!(looping)));
    }
    // A region that grows on the timeline goes over what follows, and says so.
    api.call("live_set tracks 1", "create_midi_clip", json!([0, 4]));
    api.call("live_set tracks 1", "create_midi_clip", json!([4, 8]));
    let entry = api.ok(TOOL, json!({"path": "t1[1|1]", "looping": false, "length": "2bar"}));
    assert!(detail(&entry).contains("shortened t1[3|1] (id "), "{entry}");
    // Turned off, a loop that was repeated on the timeline plays once.
    let id = api.id("live_set tracks 1 arrangement_clips 1");
    api.ok(TOOL, json!({"id": id, "looping": true, "length": "n/2"}));
    let entry = api.ok(TOOL, json!({"id": id, "looping": false}));
    assert!(detail(&entry).contains("covers n/2 of the timeline now"), "{entry}");
}

#[test]
fn warping_off_and_on_keeps_what_sounds() {
    let api = Api::raw_enabled();
    let length = |api: &Api| {
        let read = timing(api, "t2/s0");
        (read["start"].clone(), read["length"].clone())
    };
    // Half a second is a beat.
    api.ok("svc-create-clip", json!({"path": "t2/s0", "sampleFile": WAV, "warping": true}));
    for call in [
        json!({"warping": false}),
        json!({"warping": true}),
        json!({"warping": true}),
        json!({"warping": false}),
        json!({"looping": true}),
        json!({"looping": false}),
        json!({"warping": false}),
        json!({"warping": true, "looping": true}),
    ] {
        let mut call = call;
        call["path"] = json!("t2/s0");
        api.ok(TOOL, call.clone());
        assert_eq!(length(&api), (json!("1|1"), json!("n/4")), "{call}");
    }
    // Of a part of the file too, whatever its markers were before.
    api.ok(TOOL, json!({"path": "t2/s0", "warping": true, "looping": false, "length": "n/16"}));
    api.ok(TOOL, json!({"path": "t2/s0", "warping": false}));
    assert_eq!(length(&api).1, "n/4", "the whole file");
    api.ok(TOOL, json!({"path": "t2/s0", "warping": true}));
    assert_eq!(length(&api).1, "n/4");
    api.ok(TOOL, json!({"path": "t2/s0", "warping": false}));
    api.ok(TOOL, json!({"path": "t2/s0", "start": "1|1.5", "length": "n/16"}));
    api.ok(TOOL, json!({"path": "t2/s0", "looping": true}));
    assert_eq!(length(&api), (json!("1|1.5"), json!("n/16")));
}

#[test]
fn an_unwarped_clip_stays_inside_its_file() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t2/s0", "sampleFile": WAV, "warping": false}));
    let said = api.refused(TOOL, json!({"path": "t2/s0", "length": "99bar"}));
    assert!(said.contains("length") && said.contains("from 1|1 to 1|2 (n/4)"), "{said}");
    assert!(!said.contains("loop_end") && !said.contains("seconds"), "{said}");
}

/// At tempos at which the file ends between the decimals that are shown: nothing shown lies past its end, and what is
/// shown is taken back.
#[test]
fn the_shown_length_of_an_unwarped_clip_can_be_written() {
    for path in ["t2/s0", "t2[1|1]"] {
        let api = Api::raw_enabled();
        api.ok("svc-create-clip", json!({"path": path, "sampleFile": WAV, "warping": false}));
        for tempo in [113.0, 97.0, 120.0, 133.33, 61.7, 128.01] {
            api.ok("svc-update-live-set", json!({ "tempo": tempo }));
            let read = timing(&api, path);
            let ends = 0.5 * tempo / 60.0;
            let shown = api_beats(&read["length"]);
            assert!(shown <= ends + 1e-9 && ends - shown < 2e-4, "{path} {tempo}: {read}");
            for call in [
                json!({"length": read["length"]}),
                json!({"start": read["start"], "length": read["length"]}),
                json!({"start": "1|1", "length": "n/16"}),
                json!({"length": read["length"]}),
            ] {
                let mut call = call;
                call["path"] = json!(path);
                let entry = api.ok(TOOL, call.clone());
                assert_eq!(entry.get("detail"), None, "{path} {tempo} {call}: {entry}");
            }
            assert_eq!(timing(&api, path)["length"], read["length"], "{path} {tempo}");
            if path == "t2[1|1]" {
                let entry = api.ok(TOOL, json!({"path": path, "arrangementLength": read["arrangementLength"]}));
                assert_eq!(entry.get("detail"), None, "{path} {tempo}: {entry}");
            }
        }
        // The unit of transforms is that of every other clip: beats.
        api.ok("svc-update-live-set", json!({"tempo": 240}));
        api.ok(TOOL, json!({"path": path, "warping": false}));
        let entry = api.ok(TOOL, json!({"path": path, "transforms": "gain = 0 - clip.duration"}));
        assert_eq!(entry.get("gainDb").or(entry.get("gain")), Some(&json!(-2)), "{path}: {entry}");
    }
}

/// `n0.9417/4`, `n/4` and the like, in quarter beats.
fn api_beats(shown: &Value) -> f64 {
    let text = shown.as_str().expect("a length");
    svc_device::music::duration::parse(text, svc_device::music::Meter::COMMON).expect("a length")
}

/// What a region or a length cannot be is said of the parameter that asks for it.
#[test]
fn a_refusal_names_no_member_of_the_object_model() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t2/s0,t2[5|1]", "sampleFile": WAV, "warping": false}));
    midi(&api, "t0/s0,t0[1|1]");
    for call in [
        json!({"path": "t2/s0", "start": "99|1"}),
        json!({"path": "t2/s0", "start": "1|1-n/4"}),
        json!({"path": "t2[5|1]", "start": "99|1"}),
        json!({"path": "t2[5|1]", "start": "99|1", "length": "1bar"}),
        json!({"path": "t2/s0", "length": "4bar", "start": "1|1.5"}),
        json!({"path": "t0[1|1]", "length": "400000000bar"}),
        json!({"path": "t0/s0", "start": "900000000|1"}),
    ] {
        let said = api.refused(TOOL, call.clone());
        for member in
            ["loop_start", "loop_end", "start_marker", "end_marker", "start_time", "end_time", "position must"]
        {
            assert!(!said.contains(member), "{call}: {said}");
        }
    }
}

/// Seconds on the timeline are as many beats as the tempo makes of them, whenever the clip was laid there.
#[test]
fn an_unwarped_clip_has_one_length_at_every_tempo() {
    let api = Api::raw_enabled();
    let clip = api.ok("svc-create-clip", json!({"path": "t2[1|1]", "sampleFile": WAV, "warping": false}));
    let read = |api: &Api| {
        let read = timing(api, "t2[1|1]");
        (read["arrangementLength"].clone(), read["length"].clone())
    };
    assert_eq!(clip["length"], "n/4");
    assert_eq!(read(&api), (json!("n/4"), json!("n/4")));
    for (tempo, length) in [(240, "n/2"), (60, "n/8"), (120, "n/4")] {
        api.ok("svc-update-live-set", json!({"tempo": tempo}));
        assert_eq!(read(&api), (json!(length), json!(length)), "{tempo}");
    }
    // What is shown can be written, shorter, as it is and longer.
    api.ok("svc-update-live-set", json!({"tempo": 240}));
    for length in ["n/2", "n/4", "n/2", "n/8"] {
        let entry = api.ok(TOOL, json!({"path": "t2[1|1]", "arrangementLength": length}));
        assert_eq!(entry.get("detail"), None, "{entry}");
        assert_eq!(read(&api), (json!(length), json!(length)));
        assert_eq!(
            api.get("live_set tracks 2 arrangement_clips 0", "end_time")[0],
            if length == "n/2" {
                2.0
            } else if length == "n/4" {
                1.0
            } else {
                0.5
            }
        );
    }
}

/// A start past the end takes the region along and what the clip covers stays; a length that is sent counts from there.
#[test]
fn a_start_past_the_end_of_an_unlooped_clip_spares_its_neighbours() {
    let plain = |path: &str| json!({"path": path, "notes": "C3 1|1", "length": "1bar", "looping": false});
    // The made clips; the write to the first of them; its start, length and what it covers; how many are left.
    let cases = [
        (vec![plain("t0[1|1],t0[2|1],t0[3|1]")], json!({"start": "3|1"}), ("3|1", "1bar"), 3),
        (vec![plain("t0[1|1],t0[2|1],t0[3|1]")], json!({"start": "2|1", "length": "1bar"}), ("2|1", "1bar"), 3),
        (vec![plain("t0[1|1],t0[2|1],t0[3|1]")], json!({"start": "9|1", "length": "n/2"}), ("9|1", "n/2"), 3),
        (vec![plain("t0[1|1],t0[2|1],t0[3|1]")], json!({"start": "9|1", "length": "2bar"}), ("9|1", "2bar"), 2),
        (vec![plain("t0[1|1],t0[2|1]")], json!({"start": "1|1-n/4"}), ("1|1-n/4", "1bar"), 2),
        (vec![plain("t0/l0[1|1],t0/l0[2|1]")], json!({"start": "4|1"}), ("4|1", "1bar"), 2),
        (
            vec![json!({"path": "t0[1|1],t0[2|1]", "notes": "C3 1|1", "length": "1bar", "looping": true})],
            json!({"start": "3|1", "looping": false}),
            ("3|1", "1bar"),
            2,
        ),
    ];
    for (made, write, (start, length), left) in cases {
        let api = Api::new();
        api.ok("svc-update-track", json!({"path": "t0/l0"}));
        made.iter().for_each(|clips| drop(api.ok("svc-create-clip", clips.clone())));
        let path = made[0]["path"].as_str().unwrap().split(',').next().unwrap().to_owned();
        let mut arguments = write.clone();
        arguments["path"] = json!(path);
        let entry = api.ok(TOOL, arguments);
        let read = timing(&api, &path);
        assert_eq!((&read["start"], &read["length"]), (&json!(start), &json!(length)), "{write}: {entry} {read}");
        assert_eq!(read["arrangementLength"], json!(length), "{write}");
        let lane = path.split('[').next().unwrap();
        let listed = api.ok("svc-read-track", json!({"path": lane, "include": ["arrangement-clips"]}));
        let clips = listed["arrangementClips"].as_array().or(listed["clips"].as_array());
        assert_eq!(clips.map(Vec::len), Some(left), "{write}: {entry} {listed}");
        let told = entry["detail"].as_str().is_some_and(|detail| detail.contains("t0["));
        assert_eq!(told, left < made[0]["path"].as_str().unwrap().split(',').count(), "{write}: {entry}");
    }
    // An unwarped clip slides through its file.
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t2[1|1]", "sampleFile": WAV, "warping": false}));
    api.ok(TOOL, json!({"path": "t2[1|1]", "length": "n/64"}));
    api.ok("svc-create-clip", json!({"path": "t2[1|1.0625]", "sampleFile": WAV, "warping": false}));
    let entry = api.ok(TOOL, json!({"path": "t2[1|1]", "start": "1|1.75"}));
    assert_eq!(entry.get("detail"), None, "{entry}");
    assert_eq!(timing(&api, "t2[1|1]")["length"], "n/64");
    assert_eq!(timing(&api, "t2[1|1.0625]")["length"], "n/4");
}

/// What a faster tempo makes of an unwarped clip ends where the next one begins, until the tempo is back.
#[test]
fn clips_of_a_lane_never_overlap_at_any_tempo() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t2[1|1],t2[1|2]", "sampleFile": WAV, "warping": false}));
    for (tempo, covers) in [(240, ["n/4", "n/2"]), (60, ["n/8", "n/8"]), (120, ["n/4", "n/4"])] {
        api.ok("svc-update-live-set", json!({"tempo": tempo}));
        let read = ["t2[1|1]", "t2[1|2]"].map(|path| timing(&api, path)["arrangementLength"].clone());
        assert_eq!(json!(read), json!(covers), "{tempo}");
    }
}

/// The host's own words for a region are none of a caller's, and nothing is left half done.
#[test]
fn a_region_past_the_last_beat_is_refused_by_its_parameter() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar", "looping": true}));
    let far = json!({"start": "200000|1", "length": "200000bar"});
    let on = |path: &str, rest: &Value| {
        let mut arguments = rest.clone();
        arguments["path"] = json!(path);
        arguments
    };
    for (tool, arguments, parameter) in [
        ("svc-create-clip", on("t0[1|1]", &far), "length"),
        ("svc-create-clip", on("t0/s1", &far), "length"),
        ("svc-create-clip", on("t0/s1", &json!({"start": "250001|1"})), "start"),
        (TOOL, on("t0/s0", &far), "length"),
        (TOOL, on("t0/s0", &json!({"start": "250001|1"})), "start"),
        (TOOL, on("t0/s0", &json!({"firstStart": "250001|1"})), "firstStart"),
    ] {
        let said = api.refused(tool, arguments.clone());
        assert!(said.starts_with(&format!("{parameter}: ")) && said.contains("1000000"), "{arguments}: {said}");
        assert!(!said.contains("loop_end") && !said.contains("marker"), "{arguments}: {said}");
    }
    api.ok(TOOL, json!({"path": "t0/s0", "start": "250000|1", "length": "1bar"}));
}

#[test]
fn a_first_start_there_and_back_leaves_a_read_as_it_was() {
    let api = Api::new();
    api.ok(
        "svc-create-clip",
        json!({"path": "t0/s0", "length": "1bar", "looping": true, "notes": "C3 1|1 D3 3|1 E3 9|1"}),
    );
    let read = || api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["timing", "notes"]}));
    let before = read();
    let first = |at: &str| api.ok(TOOL, json!({"path": "t0/s0", "firstStart": at}));
    first("9|1");
    assert_eq!(read()["firstStart"], "9|1");
    assert!(read()["notes"].as_str().is_some_and(|notes| notes.contains("E3")), "it plays from there: {}", read());
    first("1|1");
    assert_eq!(read(), before);
    for at in ["5|1", "9|1", "7|1", "1|2"] {
        first(at);
    }
    first("1|1");
    assert_eq!(read(), before);
}
