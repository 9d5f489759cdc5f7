//! `svc-read-clip`: what each include adds, for every kind and place of clip.

use crate::support::Api;
use serde_json::{Value, json};

const TOOL: &str = "svc-read-clip";

fn keys(entry: &Value) -> Vec<&str> {
    entry.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn set() -> Api {
    let api = Api::raw_enabled();
    api.ok(
        "svc-create-clip",
        json!({"path": "t0/s0,t0[5|1],t0/l0[5|1]", "notes": "v100 n/4 C1 1|1,3 2|1,3", "name": "Beat", "color": "#FF3636"}),
    );
    let file = format!("{}/tests/fixtures/audio/half.wav", env!("CARGO_MANIFEST_DIR"));
    api.ok("svc-create-clip", json!({"path": "t2/s0,t2[5|1]", "sampleFile": file, "gainDb": -6, "pitchShift": 2}));
    api
}

#[test]
fn a_clip_and_an_empty_slot() {
    let api = set();
    let list = api.ok(TOOL, json!({"path": "t0/s0,t0/s5", "include": ["timing", "notes"]}));
    assert_eq!(
        list,
        json!([{"id": list[0]["id"], "type": "midi", "name": "Beat", "view": "session", "path": "t0/s0", "timeSignature": "4/4",
                "looping": true, "start": "1|1", "end": "3|1", "length": "2bar", "noteCount": 4, "notes": list[0]["notes"]},
               {"path": "t0/s5", "ok": false, "detail": "t0/s5 is empty"}])
    );
    assert!(list[0]["notes"].as_str().is_some_and(|notes| notes.contains("C1 1|1,3")), "{list}");
}

#[test]
fn each_include_adds_its_fields() {
    let api = set();
    let session = ["id", "type", "name", "view", "path"];
    let placed = ["id", "type", "name", "view", "path", "arrangementLength"];
    let timing = ["timeSignature", "looping", "start", "end", "length"];
    type Fields<'a> = &'a [&'a str];
    let cases: [(&str, Fields, Fields, Fields); 14] = [
        ("t0/s0", &[], &session, &["noteCount"]),
        ("t0[5|1]", &[], &placed, &["noteCount"]),
        ("t0/l0[6|1]", &[], &placed, &["noteCount"]),
        ("t2/s0", &[], &session, &[]),
        ("t2[5|1]", &[], &placed, &[]),
        ("t0/s0", &["timing"], &session, &["timeSignature", "looping", "start", "end", "length", "noteCount"]),
        ("t0/s0", &["notes"], &session, &["noteCount", "notes"]),
        ("t0/s0", &["color"], &session, &["color", "noteCount"]),
        ("t0/s0", &["sample", "warp", "envelopes"], &session, &["noteCount"]),
        ("t2/s0", &["sample"], &session, &["sampleFile", "gainDb", "pitchShift"]),
        ("t2/s0", &["warp"], &session, &["sampleLength", "sampleRate", "warping", "warpMode", "sourceTempo"]),
        ("t2/s0", &["notes"], &session, &[]),
        ("t2[5|1]", &["timing"], &placed, &timing),
        (
            "t0[5|1]",
            &["*"],
            &placed,
            &["color", "detail", "timeSignature", "looping", "start", "end", "length", "noteCount", "notes"],
        ),
    ];
    for (path, include, base, added) in cases {
        let clip = api.ok(TOOL, json!({ "path": path, "include": include }));
        let mut wanted: Vec<&str> = base.iter().chain(added).copied().collect();
        let mut shown = keys(&clip);
        wanted.sort_unstable();
        shown.sort_unstable();
        assert_eq!(shown, wanted, "{path} {include:?}: {clip}");
    }
    let clip = api.ok(TOOL, json!({"path": "t2/s0", "include": ["sample", "warp"]}));
    assert_eq!(
        (&clip["gainDb"], &clip["pitchShift"], &clip["sampleLength"], &clip["sampleRate"]),
        (&json!(-6), &json!(2), &json!(11_025), &json!(22_050))
    );
}

#[test]
fn states_are_shown_when_they_are_so() {
    let api = set();
    api.set("live_set tracks 0 clip_slots 0 clip", "muted", json!(1));
    let clip = api.ok(TOOL, json!({"path": "t0/s0"}));
    assert_eq!((&clip["muted"], clip.get("playing")), (&json!(true), None));
    api.set("live_set tracks 0 clip_slots 0 clip", "muted", json!(0));
    api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0"}));
    api.wait_for("live_set tracks 0", "playing_slot_index", json!([0]));
    let clip = api.ok(TOOL, json!({"path": "t0/s0"}));
    assert_eq!((&clip["playing"], clip.get("muted")), (&json!(true), None));
    let notes = json!([{"notes": [{"pitch": 40, "start_time": 0, "duration": 1, "mute": 1}]}]);
    api.call("live_set tracks 0 clip_slots 0 clip", "add_new_notes", notes);
    let clip = api.ok(TOOL, json!({"path": "t0/s0", "include": ["notes"]}));
    assert_eq!((&clip["mutedNotes"], &clip["noteCount"]), (&json!(1), &json!(4)));
    assert_eq!(api.ok(TOOL, json!({"path": "t0/s0"}))["noteCount"], 4);
}

#[test]
fn envelopes_of_session_clips() {
    let api = set();
    let id = |path: &str| api.id(path);
    let [volume, pan] = [id("live_set tracks 0 mixer_device volume"), id("live_set tracks 0 mixer_device panning")];
    let number = |id: &str| id.parse::<u64>().expect("digits");
    api.edit_saved(|set| {
        let many: Vec<Value> = (0..600).map(|at| json!({"time": at, "value": 0.5})).collect();
        set["tracks"][0]["session"][0]["clip"]["envelopes"] = json!([
            {"parameter": number(&volume), "points": [{"time": 0, "value": 0.5}, {"time": 4, "value": 0.85}]},
            {"parameter": number(&pan), "points": many},
        ]);
    });
    let clip = api.ok(TOOL, json!({"path": "t0/s0", "include": ["envelopes"]}));
    assert_eq!(clip["envs"], true, "{clip}");
    let list = &clip["envelopes"];
    assert_eq!(
        list[0],
        json!({"name": "Track Volume", "parameter": "Track Volume", "id": volume, "unit": "dB", "absolute": true,
               "pointCount": 2, "events": "1|1 -14 / 2|1 0"})
    );
    assert_eq!((&clip["envelopeCount"], &list[1]["pointCount"]), (&json!(2), &json!(600)), "{clip}");
    assert_eq!((&list[1]["id"], &list[1]["truncated"]), (&json!(pan), &json!(true)));
    assert_eq!(list[1]["detail"], "the first 500 of 600 points");
    let clip = api.ok(TOOL, json!({"path": "t0/s0"}));
    assert_eq!((&clip["envs"], clip.get("envelopes")), (&json!(true), None));
    let track = api.ok("svc-read-track", json!({"path": "t0", "include": ["*"]}));
    assert_eq!(track["sessionClips"][0].get("envelopes"), None, "{track}");
    api.call("live_set tracks 0 clip_slots 0 clip", "clear_all_envelopes", json!([]));
    let clip = api.ok(TOOL, json!({"path": "t0/s0", "include": ["envelopes"]}));
    assert_eq!((clip.get("envs"), clip.get("envelopes")), (None, None));
}

#[test]
fn deprecated_names_warn_and_work() {
    let api = set();
    let id = api.ok(TOOL, json!({"path": "t0/s0"}))["id"].clone();
    for (sent, words) in [
        (json!({"slot": "0/0"}), "\"slot\" is deprecated and will be removed; send path: \"t0/s0\""),
        (json!({"trackIndex": 0, "sceneIndex": 0}), "send path: \"t0/s0\""),
        (json!({"paths": "t0/s0"}), "\"paths\" was accepted as a fallback"),
        (json!({"path": "0/0"}), "send path: \"t0/s0\""),
        (json!({"ids": id}), "\"ids\""),
        (json!({"clipId": id}), "\"clipId\""),
    ] {
        let envelope = api.envelope(TOOL, "", &sent);
        assert_eq!((&envelope["isError"], &envelope["result"]["id"]), (&json!(false), &id), "{sent}: {envelope}");
        let warnings = envelope["warnings"].as_array().expect("a warning");
        assert!(warnings.len() == 1 && warnings[0].as_str().is_some_and(|w| w.contains(words)), "{sent}: {envelope}");
    }
    for (sent, words) in [
        (json!({"slot": "0/0", "path": "t0/s0"}), "already says it"),
        (json!({"slot": "0/0", "trackIndex": 0}), "already says it"),
        (json!({"trackIndex": 3}), "t3/s0"),
        (json!({"sceneIndex": 3}), "t0/s3"),
        (json!({"path": "t0"}), "t0[5|1]"),
        (json!({"path": "[5|1]"}), "t0[5|1]"),
        (json!({"path": "t0[50|1]"}), "no clip of t0 covers"),
    ] {
        let text = api.refused(TOOL, sent.clone());
        assert!(text.contains(words), "{sent}: {text}");
    }
}

/// Long notes that another clip of the answer has are pointed to, not repeated; a lone clip, short notes and other ones
/// are written out.
#[test]
fn notes_of_copies_are_told_once() {
    let api = Api::new();
    let long = "v100 n/8 C3 1|1x8@n/8 D3 2|1x8@n/8 v90 E3 3|1,2,3,4 v80 G3 4|1.5,3.5 v70 Bb3 4|2.25";
    let notes = json!([long, "C3 1|1", long.replace("v70", "v71"), "C3 1|1"]);
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1,t0/s2,t1/s1", "notes": notes, "length": "4bar"}));
    api.ok("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t0/s3,t1/s0"}));
    for (headers, is_array) in
        [("", false), ("x-svc-notation: midi-json\r\n", true), ("x-svc-notation: stark\r\n", false)]
    {
        let read = |arguments: Value| api.envelope("svc-read-clip", headers, &arguments)["result"].clone();
        let many = read(json!({"path": "t0/s0,t0/s1,t0/s2,t0/s3,t1/s0,t1/s1", "include": ["notes"]}));
        let same: Vec<Option<&Value>> =
            many.as_array().expect("a list").iter().map(|clip| clip.get("sameNotesAs")).collect();
        let first = &many[0]["id"];
        assert_eq!(same, [None, None, None, Some(first), Some(first), None], "{headers} {many}");
        for (at, clip) in many.as_array().expect("a list").iter().enumerate() {
            let notes = clip.get("notes").filter(|notes| notes.is_array() == is_array);
            assert_eq!(notes.is_none(), [3, 4].contains(&at), "{headers} {clip}");
        }
        let alone = read(json!({"path": "t1/s0", "include": ["notes"]}));
        assert_eq!((alone.get("sameNotesAs"), &alone["notes"]), (None, &many[0]["notes"]), "{headers}");
        let track =
            api.envelope("svc-read-track", headers, &json!({"path": "t0", "include": ["session-clips", "notes"]}));
        assert_eq!(track.to_string().matches("sameNotesAs").count(), 1, "{headers} {track}");
    }
}

/// Drums are drums wherever the Drum Rack stands: a line a pitch.
#[test]
fn drums_are_drums_inside_racks_too() {
    let notes = "C1 1|1,3 D1 1|2,4 Gb1 1|1,2,3,4";
    for (at, places) in
        [vec!["t0"], vec!["t0", "t0/d0/c0"], vec!["t0", "t0/d0/c0", "t0/d0/c0/d0/c0"]].iter().enumerate()
    {
        let api = Api::new();
        api.ok("svc-create-clip", json!({"path": "t0/s0,t0[1|1],t1/s0", "notes": notes, "length": "1bar"}));
        let read = |path: &str, notation: &str| {
            let read = api.envelope(
                TOOL,
                &format!("x-svc-notation: {notation}\r\n"),
                &json!({"path": path, "include": ["notes"]}),
            );
            read["result"]["notes"].clone()
        };
        let plain = read("t1/s0", "barbeat");
        let (drums, others) = places.split_last().expect("a place");
        for path in others {
            api.ok("svc-create-device", json!({"path": path, "device": "Instrument Rack"}));
        }
        api.ok("svc-create-device", json!({"path": drums, "device": "Drum Rack"}));
        for path in ["t0/s0", "t0[1|1]"] {
            assert_ne!(read(path, "barbeat"), plain, "{at}: {path}");
            let lines = read(path, "stark");
            assert!(lines.as_str().is_some_and(|text| text.contains("kick")), "{at}: {path}: {lines}");
        }
        let nested = api.ok("svc-read-track", json!({"path": "t0", "include": ["session-clips", "notes"]}));
        assert_eq!(nested["sessionClips"][0]["notes"], read("t0/s0", "barbeat"), "{at}: {nested}");
    }
}
