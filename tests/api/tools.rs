//! The named tools, each by what it says it does.

use crate::support::Api;
use serde_json::{Value, json};

#[test]
fn whole_limits_are_written_without_a_fraction() {
    let api = Api::new();
    for (tool, arguments, words) in [
        ("svc-update-live-set", json!({"tempo": 1000}), "tempo must be 999 or less, not 1000"),
        ("svc-update-live-set", json!({"tempo": 3}), "tempo must be 20 or more, not 3"),
        ("svc-update-track", json!({"path": "t0", "gainDb": 7.5}), "gainDb must be 6 or less, not 7.5"),
        ("svc-manage", json!({"action": "undo", "steps": 51}), "steps must be 50 or less, not 51"),
    ] {
        let body = api.bad(tool, arguments);
        assert_eq!(body["details"][0]["message"], words, "{body}");
    }
}

#[test]
fn the_overview_of_a_set() {
    let api = Api::raw_enabled();
    assert_eq!(
        api.ok("svc-read-live-set", json!({})),
        json!({"tempo": 120, "timeSignature": "4/4", "sceneCount": 8, "regularTrackCount": 4, "returnTrackCount": 2})
    );
    api.set("live_set", "tempo", json!(96.504));
    api.set("live_set", "signature_numerator", json!(6));
    api.set("live_set", "signature_denominator", json!(8));
    api.set("live_set", "root_note", json!(6));
    api.set("live_set", "scale_name", json!("Dorian"));
    api.set("live_set", "scale_mode", json!(1));
    let set = api.ok("svc-read-live-set", json!({"include": ["tracks"]}));
    assert_eq!((&set["tempo"], &set["timeSignature"]), (&json!(96.5), &json!("6/8")));
    assert_eq!((&set["scale"], &set["scalePitches"]), (&json!("Gb Dorian"), &json!("Gb,Ab,A,B,Db,Eb,E")));
    assert_eq!(set.get("regularTrackCount").or(set.get("returnTrackCount")), None);
    let paths = |list: &Value| list.as_array().expect("a list").iter().map(|t| t["path"].clone()).collect::<Vec<_>>();
    assert_eq!(paths(&set["tracks"]), ["t0", "t1", "t2", "t3"]);
    assert_eq!(paths(&set["returnTracks"]), ["rt0", "rt1"]);
    assert_eq!(set["mainTrack"]["path"], "mt");
    for (at, path) in ["t0", "t3"].into_iter().enumerate() {
        assert_eq!(set["tracks"][at * 3], api.ok("svc-read-track", json!({"path": path})), "as read alone");
    }
    let set = api.ok("svc-read-live-set", json!({"include": ["*"]}));
    assert_eq!(set["scenes"].as_array().map(Vec::len), Some(8));
    assert_eq!(set.get("sceneCount"), None);
    assert!(set["tracks"][0]["gainDb"].is_number() && set["tracks"][0]["color"].is_string(), "{}", set["tracks"][0]);
    // By themselves, mixer and color add nothing.
    assert_eq!(
        api.ok("svc-read-live-set", json!({"include": ["mixer", "color"]})),
        api.ok("svc-read-live-set", json!({}))
    );
}

/// Each MIDI track leaves on a channel of its own, by the port that whoever plays the Set has named.
#[test]
fn a_midi_track_says_where_its_notes_leave() {
    let api = Api::new();
    let output = |path: &str| api.ok("svc-read-track", json!({ "path": path }))["midiOutput"].clone();
    assert_eq!(output("t0"), json!({"channel": 1, "port": "the plug-in's MIDI output"}));
    api.device.set.midi_port().set_name("JACK port test:notes");
    assert_eq!(output("t1"), json!({"channel": 2, "port": "JACK port test:notes"}));
}

#[test]
fn reading_tracks() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s2", "name": "A,B", "notes": "C3 1|1", "length": "2bar"}));
    let id = |path: &str| api.id(path);
    let mut track = api.ok("svc-read-track", json!({"path": "t0"}));
    track.as_object_mut().expect("an object").shift_remove("midiOutput");
    assert_eq!(
        track,
        json!({"id": id("live_set tracks 0"), "path": "t0", "name": "1-MIDI", "type": "midi",
               "sounds": "stand-in: plays as the default keys", "sessionClipCount": 2,
               "arrangementClipCount": 0, "deviceCount": 0})
    );
    let audio = api.ok("svc-read-track", json!({"path": "t2"}));
    assert_eq!((&audio["type"], audio.get("midiOutput")), (&json!("audio"), None));
    assert_eq!(
        api.ok("svc-read-track", json!({"path": "rt0"})),
        json!({"id": id("live_set return_tracks 0"), "path": "rt0", "name": "A-Reverb", "type": "return",
               "sounds": "approximate: Reverb", "deviceCount": 1})
    );
    assert_eq!(
        api.ok("svc-read-track", json!({"path": "mt"})),
        json!({"id": id("live_set master_track"), "path": "mt", "name": "Main", "type": "main", "sounds": "exact", "deviceCount": 0})
    );
    let track = api.ok("svc-read-track", json!({"path": "t0", "include": ["session-clips", "notes", "timing"]}));
    assert_eq!(track.get("sessionClipCount"), None);
    let clip = &track["sessionClips"][0];
    assert_eq!(
        *clip,
        json!({"id": id("live_set tracks 0 clip_slots 0 clip"), "name": "A", "path": "t0/s0", "timeSignature": "4/4",
               "looping": true, "start": "1|1", "end": "3|1", "length": "2bar", "noteCount": 1,
               "notes": "v100 n/4 C3 1|1"})
    );
    let track = api.ok("svc-read-track", json!({"path": "t0", "include": ["notes", "timing"]}));
    assert_eq!(track["sessionClipCount"], 2, "notes and timing are nothing by themselves");
    let track = api.ok("svc-read-track", json!({"path": "t0", "include": ["mixer"]}));
    assert_eq!((&track["gainDb"], &track["pan"], &track["panLabel"]), (&json!(0), &json!(0), &json!("C")));
    assert_eq!(
        track["sends"][0],
        json!({"gainDb": "-inf", "return": "A-Reverb", "returnId": id("live_set return_tracks 0")})
    );
    let returns = api.ok("svc-read-track", json!({"path": "rt0", "include": ["devices", "mixer"]}));
    assert_eq!(returns["devices"][0]["type"], "audio-effect: Reverb");
    assert_eq!(returns.get("deviceCount"), None);
    let all = api.ok("svc-read-track", json!({"path": "mt", "include": ["*"]}));
    assert!(all["devices"].is_array() && all["gainDb"].is_number() && all["color"].is_string(), "{all}");

    let state = |api: &Api| api.ok("svc-read-track", json!({"path": "t0"})).get("state").cloned();
    for (mute, solo, other_solo, expected) in [
        (0, 0, 0, None),
        (1, 0, 0, Some("muted")),
        (0, 1, 0, Some("soloed")),
        (1, 1, 0, Some("muted-and-soloed")),
        (0, 0, 1, Some("muted-via-solo")),
        (1, 0, 1, Some("muted-also-via-solo")),
    ] {
        api.set("live_set tracks 0", "mute", json!(mute));
        api.set("live_set tracks 0", "solo", json!(solo));
        api.set("live_set tracks 1", "solo", json!(other_solo));
        assert_eq!(state(&api), expected.map(Value::from), "{mute} {solo} {other_solo}");
    }
    api.set("live_set tracks 0", "arm", json!(1));
    assert_eq!(api.ok("svc-read-track", json!({"path": "t0"}))["isArmed"], true);
}

#[test]
fn making_clips() {
    let api = Api::raw_enabled();
    let entry = api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "v90 n/8 C3 E3 1|1,3 2|2"}));
    assert_eq!(
        entry,
        json!({"id": api.id("live_set tracks 0 clip_slots 0 clip"), "path": "t0/s0", "type": "midi", "noteCount": 6,
               "length": "2bar"})
    );
    // Of what was sent, the name is said.
    let entry = api.ok(
        "svc-create-clip",
        json!({"path": "t0/s1", "length": "1bar+n/4", "name": "X", "timeSignature": "6/8", "looping": false}),
    );
    assert_eq!(entry, json!({"id": entry["id"], "path": "t0/s1", "type": "midi", "name": "X", "noteCount": 0}));
    let clip = api.ok("svc-read-clip", json!({"path": "t0/s1", "include": ["*"]}));
    assert_eq!(
        (
            &clip["name"],
            &clip["timeSignature"],
            &clip["looping"],
            &clip["start"],
            &clip["length"],
            &clip["type"],
            &clip["view"]
        ),
        (
            &json!("X"),
            &json!("6/8"),
            &json!(false),
            &json!("1|1"),
            &json!("1bar+n/4"),
            &json!("midi"),
            &json!("session")
        )
    );
    assert!(clip.get("notes").is_none() && clip["noteCount"] == 0, "no notes, none shown: {clip}");
    assert_eq!(clip["color"], api.ok("svc-read-track", json!({"path": "t0", "include": ["color"]}))["color"]);
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s0"}))["noteCount"], 6);
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["timing"]}))["looping"], true);

    // Lengths when none is sent: whole bars that hold the last note's start; one bar without notes.
    for (notes, meter, length) in [
        ("", "4/4", "1bar"),
        ("C3 1|4.9", "4/4", "1bar"),
        ("C3 2|1", "4/4", "2bar"),
        ("n/1 C3 1|4", "4/4", "1bar"),
        ("C3 3|7", "7/8", "3bar"),
    ] {
        let entry = api.ok("svc-create-clip", json!({"path": "t1/s0", "notes": notes, "timeSignature": meter}));
        assert_eq!(entry["length"], length, "{notes} in {meter}");
    }
    // An occupied slot is replaced, and said.
    let before = api.id("live_set tracks 0 clip_slots 0 clip");
    let entry = api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    assert_ne!(entry["id"], before);
    assert!(entry["detail"].as_str().is_some_and(|d| d.contains("replaced") && d.contains("t0/s0")), "{entry}");
    // Scenes are made up to the slot.
    let list = api.ok("svc-create-clip", json!({"path": "t0/s9,t1/s10,t0/s8", "length": "1bar"}));
    assert_eq!(
        (&list[0]["created"], &list[1]["created"], list[2].get("created")),
        (&json!("s8-s9"), &json!("s10"), None)
    );
    assert_eq!(api.ok("svc-read-live-set", json!({}))["sceneCount"], 11);
    // A target that cannot take a clip makes no scenes.
    let list = api.ok("svc-create-clip", json!({"path": "t2/s40,t0/s5", "length": "1bar"}));
    assert_eq!(list[0]["ok"], false);
    assert_eq!(api.ok("svc-read-live-set", json!({}))["sceneCount"], 11);
    // Text values pair by place, notes go to every clip.
    api.ok("svc-create-clip", json!({"path": "t0/s3,t1/s3", "notes": "C3 1|1x4@n/4", "name": "L,R", "timeSignature": "4/4,3/4", "length": "1bar,2bar"}));
    let right = api.ok("svc-read-clip", json!({"path": "t1/s3", "include": ["timing", "notes"]}));
    assert_eq!(
        (&right["name"], &right["timeSignature"], &right["length"]),
        (&json!("R"), &json!("3/4"), &json!("2bar"))
    );
    assert_eq!(right["notes"], "v100 n/4 C3 1|1,2,3\nC3 2|1");
}

#[test]
fn notes_read_back_as_they_were_written() {
    let api = Api::raw_enabled();
    for meter in ["4/4", "6/8", "7/8", "3/2"] {
        for notes in ["v100 n/4 C3 1|1", "v80-100 n/8 Eb3 1|1,2\nv64 n/16 p0.5 C1 2|1.5", "v100 n/12 C3 1|1+n/12"] {
            api.ok(
                "svc-create-clip",
                json!({"path": "t0/s0", "notes": notes, "timeSignature": meter, "length": "2bar"}),
            );
            let read = |path: &str| {
                let clip = api.ok("svc-read-clip", json!({"path": path, "include": ["notes"]}));
                clip["notes"].as_str().expect("notes").to_owned()
            };
            let once = read("t0/s0");
            api.ok(
                "svc-create-clip",
                json!({"path": "t0/s1", "notes": once, "timeSignature": meter, "length": "2bar"}),
            );
            assert_eq!(read("t0/s1"), once, "{notes} in {meter}");
            let all = |at: u8| {
                api.call(&format!("live_set tracks 0 clip_slots {at} clip"), "get_all_notes_extended", json!([]))
            };
            assert_eq!(all(0), all(1), "{notes} in {meter}: {once}");
        }
    }
}

#[test]
fn updating_clips_merges() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "v100 n/4 C3 1|1,2", "length": "1bar"}));
    let read = || api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}))["notes"].clone();
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "v60 C3 1|2 E3 1|3"}));
    assert_eq!(entry["noteCount"], 3);
    assert_eq!(read(), "v100 n/4 C3 1|1\nv60 C3 1|2\nE3 1|3");
    api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "v0 C3 1|1"}));
    assert_eq!(read(), "v60 n/4 C3 1|2\nE3 1|3");
    api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "// nothing"}));
    assert_eq!(read(), "v60 n/4 C3 1|2\nE3 1|3", "no notes merge into nothing");
    // Muted notes are hidden from reads and stay.
    api.call(
        "live_set tracks 0 clip_slots 0 clip",
        "add_new_notes",
        json!([{"notes": [{"pitch": 72, "start_time": 0, "duration": 1, "mute": 1}]}]),
    );
    let clip = api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}));
    assert_eq!((&clip["mutedNotes"], &clip["notes"]), (&json!(1), &json!("v60 n/4 C3 1|2\nE3 1|3")));
    api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "G3 1|4"}));
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}))["mutedNotes"], 1);
    // Many clips at once.
    api.ok("svc-create-clip", json!({"path": "t0/s1,t1/s1", "length": "1bar"}));
    let list = api.ok("svc-update-clip", json!({"path": "t0/s1,t1/s1", "notes": "C3 1|1", "name": "a,b"}));
    assert_eq!((&list[0]["noteCount"], &list[1]["noteCount"]), (&json!(1), &json!(1)));
}

#[test]
fn making_tracks() {
    let api = Api::raw_enabled();
    let entry = api.ok("svc-create-track", json!({}));
    assert_eq!(entry["path"], "t4");
    assert_eq!(api.ok("svc-read-track", json!({"path": "t4"}))["name"], "5-MIDI");
    // Counted from the Set before the call; entries give the final place.
    let list = api.ok("svc-create-track", json!({"path": "t1,t+,t1,t99,rt+", "name": "a,b,c,d,e", "type": "audio"}));
    let paths: Vec<&Value> = list.as_array().expect("five").iter().map(|e| &e["path"]).collect();
    assert_eq!(paths, ["t1", "t7", "t2", "t8", "rt2"], "{list}");
    for (path, name) in
        [("t0", "1-MIDI"), ("t1", "a"), ("t2", "c"), ("t3", "4-MIDI"), ("t7", "b"), ("t8", "d"), ("rt2", "C-e")]
    {
        assert_eq!(api.ok("svc-read-track", json!({"path": path}))["name"], name, "{path}");
    }
    assert_eq!(api.ok("svc-read-track", json!({"path": "t1"}))["type"], "audio");
    // A colour that the palette has is not said again; another one is.
    assert_eq!(api.ok("svc-create-track", json!({"color": "#ff94a6"})).get("color"), None);
    let entry = api.ok("svc-create-track", json!({"color": "#123456"}));
    assert!(entry["color"].is_string() && entry["detail"].as_str().is_some_and(|d| d.contains("#123456")), "{entry}");
    let list = ["t+"; 101].join(",");
    assert!(api.refused("svc-create-track", json!({"path": list})).contains("100"));
    // Returns end at 12: what fits is made, the rest is said.
    let ten = ["rt+"; 10].join(",");
    let list = api.ok("svc-create-track", json!({ "path": ten }));
    assert_eq!(list[8]["path"], "rt11", "{list}");
    assert!(list[9]["detail"].as_str().is_some_and(|d| d.contains("12")) && list[9]["ok"] == false, "{list}");
    assert!(api.refused("svc-create-track", json!({"path": "rt+"})).contains("12"));
}

#[test]
fn updating_tracks() {
    let api = Api::new();
    let list = api.ok("svc-update-track", json!({"path": "t0,rt0,mt", "name": "Keys,A-Room,Out", "color": "#FF94A6"}));
    for entry in list.as_array().expect("three") {
        assert_eq!(
            entry.as_object().map(|e| e.keys().cloned().collect::<Vec<_>>()),
            Some(vec!["id".into(), "path".into(), "name".into()])
        );
    }
    for (path, name) in [("t0", "Keys"), ("rt0", "A-Room"), ("mt", "Out")] {
        let track = api.ok("svc-read-track", json!({"path": path, "include": ["color"]}));
        assert_eq!((&track["name"], &track["color"]), (&json!(name), &json!("#FF94A6")), "{path}");
    }
    let entry = api.ok("svc-update-track", json!({"path": "t0", "color": "#123456"}));
    assert_eq!(entry["color"], api.ok("svc-read-track", json!({"path": "t0", "include": ["color"]}))["color"]);
}

#[test]
fn deleting() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t1/s1", "length": "1bar"}));
    let ids: Vec<String> = (0..4).map(|at| api.id(&format!("live_set tracks {at}"))).collect();
    let entry = api.ok("svc-delete", json!({"type": "track", "path": "t2"}));
    assert_eq!(entry, json!({"id": ids[2], "deletedPath": "t2", "detail": "what was t3 is now t2"}));
    // Addresses are those before the call.
    let list = api.ok("svc-delete", json!({"type": "scene", "path": "s0,s1,s7"}));
    let paths: Vec<&Value> = list.as_array().expect("three").iter().map(|e| &e["deletedPath"]).collect();
    assert_eq!(paths, ["s0", "s1", "s7"]);
    assert_eq!(api.ok("svc-read-live-set", json!({}))["sceneCount"], 5);
    assert_eq!(
        api.raw("live_set tracks 0 clip_slots 0 clip", json!([{"type": "exists"}]))[0],
        false,
        "its clips went along"
    );
    // From the highest position down: the lowest track is what stays of all of them.
    let list = api.ok("svc-delete", json!({"type": "track", "path": "t0,t1,t2"}));
    assert_eq!(list[0]["ok"], false, "{list}");
    assert!(list[0]["detail"].as_str().is_some_and(|d| d.contains("last track") && d.contains("t0")), "{list}");
    assert_eq!((&list[1]["deletedPath"], &list[2]["deletedPath"]), (&json!("t1"), &json!("t2")), "{list}");
    assert_eq!(api.id("live_set tracks 0"), ids[0]);
    for (kind, path, words) in [("track", "t0", "last track"), ("track", "mt", "main track")] {
        assert!(api.refused("svc-delete", json!({"type": kind, "path": path})).contains(words), "{kind} {path}");
    }
    let entry = api.ok("svc-delete", json!({"type": "track", "path": "rt0"}));
    assert_eq!(entry["deletedPath"], "rt0");
    assert_eq!(api.ok("svc-read-track", json!({"path": "rt0"}))["name"], "A-Delay", "letters follow the place");
}

#[test]
fn playing_scenes_and_clips() {
    let api = Api::raw_enabled();
    api.set("live_set", "tempo", json!(999));
    api.ok("svc-create-clip", json!({"path": "t0/s0,t1/s0,t0/s1", "notes": "C3 1|1", "length": "1bar"}));
    let scene = api.id("live_set scenes 0");
    let clip = api.id("live_set tracks 0 clip_slots 0 clip");
    let playing =
        |at: u8, slot: i64| api.wait_for(&format!("live_set tracks {at}"), "playing_slot_index", json!([slot]));

    let answer = api.ok("svc-playback", json!({"action": "play-scene", "path": "s0"}));
    assert_eq!(answer, json!({"playing": true, "scene": {"id": scene, "path": "s0"}}));
    playing(0, 0);
    playing(1, 0);
    assert_eq!(api.ok("svc-read-live-set", json!({}))["isPlaying"], true);
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s0"}))["playing"], true);
    assert_eq!(api.ok("svc-read-track", json!({"path": "t0"}))["playingSlotIndex"], 0);

    let answer = api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s1"}));
    assert_eq!((&answer["playing"], &answer["clip"]["path"]), (&json!(true), &json!("t0/s1")));
    playing(0, 1);
    let answer = api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t3/s0", "id": clip}));
    let entries = answer["clip"].as_array().expect("two").clone();
    let skip = entries.iter().find(|e| e["ok"] == false).expect("one is skipped");
    assert_eq!(skip["path"], "t3/s0");
    assert!(skip["detail"].as_str().is_some_and(|d| d.contains("t3/s0 is empty")), "{skip}");
    playing(0, 0);
    let answer = api.ok("svc-playback", json!({"action": "stop-session-clips", "path": "t0/s5"}));
    assert_eq!(answer["clip"], json!({"path": "t0/s5"}), "an empty slot still stops its track");
    playing(0, -2);
    playing(1, 0);
    let answer = api.ok("svc-playback", json!({"action": "stop-all-session-clips"}));
    assert_eq!(answer["playing"], true, "the transport runs on");
    playing(1, -2);
    assert_eq!(api.ok("svc-playback", json!({"action": "stop"})), json!({"playing": false}));
    api.wait_for("live_set", "is_playing", json!([0]));
    assert_eq!(api.ok("svc-playback", json!({"action": "stop"}))["playing"], false);

    // A clip or slot in it names the scene, too; two scenes do not.
    for target in [json!({"path": "t0/s0"}), json!({"id": clip}), json!({"id": scene, "path": "t1/s0"})] {
        let mut arguments = target.clone();
        arguments["action"] = json!("play-scene");
        assert_eq!(api.ok("svc-playback", arguments)["scene"]["path"], "s0", "{target}");
    }
    let refusals = [
        (json!({"action": "play-scene", "path": "s0,s1"}), "two"),
        (json!({"action": "play-scene"}), "s0"),
        (json!({"action": "play-scene", "path": "t0"}), "names no scene"),
        (json!({"action": "play-scene", "path": "s99"}), "8 scenes"),
        (json!({"action": "play-scene", "id": "x"}), "\"x\" is no id"),
        (json!({"action": "play-session-clips"}), "path"),
        (json!({"action": "play-session-clips", "path": "s3"}), "t0/s0"),
        (json!({"action": "play-session-clips", "path": "t0/s6"}), "t0/s6 is empty"),
        (json!({"action": "stop", "path": "t0/s0"}), "path belongs to"),
        (json!({"action": "stop-all-session-clips", "id": "4"}), "id belongs to"),
    ];
    for (arguments, words) in refusals {
        let text = api.refused("svc-playback", arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
    // A parameter that is null or blank was not sent.
    api.ok("svc-playback", json!({"action": "stop", "path": "", "id": null}));
}

#[test]
fn a_clip_named_twice_is_fired_once() {
    let api = Api::raw_enabled();
    api.set("live_set", "tempo", json!(999));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1", "length": "1bar"}));
    let clip = "live_set tracks 0 clip_slots 0 clip";
    api.set(clip, "launch_mode", json!(2));
    let answer = api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0", "id": api.id(clip)}));
    let entries = answer["clip"].as_array().expect("two entries");
    assert!(entries[0]["detail"].is_string() && entries[0].get("ok").is_none(), "{answer}");
    assert_eq!(entries[1].get("detail"), None, "{answer}");
    api.wait_for(clip, "is_playing", json!([1]));
    // Toggle: firing it again stops it; twice would start it again.
    api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0,t0/s0"}));
    api.wait_for("live_set tracks 0", "playing_slot_index", json!([-2]));
}

#[test]
fn what_will_not_play_or_was_shared_is_said_where_it_is_so() {
    let api = Api::new();
    let past = api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar", "notes": "C3 1|1 2|1 3|1"}));
    let shown = api.ok("svc-read-clip", json!({"path": "t0/s0"}))["noteCount"].clone();
    assert_eq!(past["noteCount"], shown, "a write counts what a read shows");
    assert!(past["detail"].as_str().is_some_and(|d| d.contains("2 notes") && d.contains("2|1")), "{past}");
    let fine = api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "v0 C3 2|1 3|1"}));
    assert!(fine.get("detail").is_none() || fine["detail"].as_str().is_some_and(|d| d.contains("1 note")), "{fine}");
    // One target has one text, as it was sent; of several a comma is escaped.
    for (path, name, read) in [("t0/s0", "A\\,B", "A\\,B"), ("t0/s0", "A,B", "A,B"), ("t1/s0,t0/s0", "C,A\\,B", "A,B")]
    {
        api.ok("svc-create-clip", json!({"path": "t1/s0", "notes": "C3 1|1"}));
        api.ok("svc-update-clip", json!({"path": path, "name": name}));
        assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s0"}))["name"], read, "{path} {name}");
    }
    // Of many new tracks only those past the sixteenth channel share one.
    let twenty = ["t+"; 20].join(",");
    let made = api.ok("svc-create-track", json!({ "path": twenty }));
    let said: Vec<bool> = made.as_array().expect("20").iter().map(|e| e["detail"].is_string()).collect();
    assert_eq!(said, [[false; 14].as_slice(), &[true; 6]].concat(), "{made}");
    // Replacing what plays says that it stopped.
    api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t0/s0"}));
    let entry = api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    assert!(entry["detail"].as_str().is_some_and(|d| d.contains("was playing")), "{entry}");
    let wrong = api.bad("svc-create-clip", json!({"path": "t0/s0", "notes": [{"p": 60, "t": 0}]}));
    assert!(wrong["error"].as_str().is_some_and(|e| e.contains("x-svc-notation: midi-json")), "{wrong}");
}
