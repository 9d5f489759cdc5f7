//! `svc-create-clip`: each place, what is written there and what it costs, MIDI and audio.

use crate::support::Api;
use serde_json::{Value, json};

pub(super) const TOOL: &str = "svc-create-clip";

pub(super) fn file(name: &str) -> String {
    format!("{}/tests/fixtures/audio/{name}", env!("CARGO_MANIFEST_DIR"))
}

pub(super) fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

pub(super) fn read(api: &Api, path: &str, include: &[&str]) -> Value {
    api.ok("svc-read-clip", json!({ "path": path, "include": include }))
}

/// The paths and lengths of a track's clips on the timeline.
pub(super) fn timeline(api: &Api, track: &str) -> Vec<(String, String)> {
    let track = api.ok("svc-read-track", json!({ "path": track, "include": ["arrangement-clips"] }));
    let text = |clip: &Value, field: &str| clip[field].as_str().expect(field).to_owned();
    let clips = track["arrangementClips"].as_array().expect("clips").iter();
    clips.map(|clip| (text(clip, "path"), text(clip, "arrangementLength"))).collect()
}

pub(super) fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn slots_and_the_arrangement_in_one_call() {
    let api = Api::new();
    api.ok(TOOL, json!({"path": "t1[5|1]", "length": "1bar"}));
    // A slot past the last scene and a place on the timeline.
    let list = api.ok(TOOL, json!({"path": "t0/s9,t1[5|1]", "notes": "v96 n/8 C3 1|1x8@n/8", "name": "Arp,Arp arr"}));
    let entry = |at: usize, field: &str| list[at][field].clone();
    assert_eq!(
        list[0],
        json!({"id": entry(0, "id"), "path": "t0/s9", "type": "midi", "name": "Arp", "noteCount": 8, "length": "1bar",
               "created": "s8-s9"})
    );
    assert_eq!(
        (entry(1, "path"), entry(1, "noteCount"), entry(1, "length")),
        (json!("t1[5|1]"), json!(8), json!("1bar"))
    );
    assert!(detail(&list[1]).starts_with("overwrote t1[5|1] (id "), "{list}");
    let clip = read(&api, "t1[5|1]", &["notes"]);
    assert_eq!(
        (&clip["name"], &clip["view"], &clip["arrangementLength"]),
        (&json!("Arp arr"), &json!("arrangement"), &json!("1bar"))
    );
    assert!(clip["notes"].as_str().is_some_and(|notes| notes.contains("C3")), "{clip}");
}

#[test]
fn take_lanes_are_made_up_to_the_one_that_is_named() {
    let api = Api::new();
    let list = api.ok(TOOL, json!({"path": "t0/l1[5|1],t0/l0[5|1],t0/s0", "notes": "C3 1|1"}));
    assert_eq!((&list[0]["path"], &list[0]["created"]), (&json!("t0/l1[5|1]"), &json!("l0-l1")), "{list}");
    assert!(detail(&list[0]).contains("take lane") && list[1].get("created").is_none(), "{list}");
    assert_eq!(list[2].get("detail"), None, "{list}");
    let track = api.ok("svc-read-track", json!({"path": "t0", "include": ["arrangement-clips"]}));
    assert_eq!(track["arrangementClips"], json!([]));
    assert_eq!(track["takeLanes"].as_array().map(Vec::len), Some(2), "{track}");
    assert_eq!(read(&api, "t0/l1[5|3]", &[])["id"], list[0]["id"], "covers that moment");
    let entry = api.ok(TOOL, json!({"path": "t0/l1[5|1]", "length": "2bar"}));
    assert!(detail(&entry).contains("overwrote t0/l1[5|1] (id"), "{entry}");
    let text = api.refused(TOOL, json!({"path": "t0/l10[1|1]"}));
    assert!(text.contains("at most 10"), "{text}");
    let entry = api.ok(TOOL, json!({"path": "t2/l0[1|1]", "sampleFile": file("half.wav")}));
    assert_eq!((&entry["path"], &entry["created"]), (&json!("t2/l0[1|1]"), &json!("l0")));
}

#[test]
fn places_at_locators() {
    let api = Api::new();
    let call = json!({"locatorOperation": "create", "locatorTime": "9|1,3|1", "locatorName": "Verse\\, two,B"});
    let id = api.ok("svc-update-live-set", call)["locator"][1]["id"].clone();
    let by_id = format!("t1/l0[loc:{}]", id.as_str().expect("an id"));
    let list = api.ok(TOOL, json!({"path": format!("t0[loc:Verse, two],{by_id},t0[loc:Nowhere]"), "length": "1bar"}));
    assert_eq!((&list[0]["path"], &list[1]["path"]), (&json!("t0[9|1]"), &json!("t1/l0[3|1]")), "{list}");
    assert_eq!((&list[2]["path"], &list[2]["ok"]), (&json!("t0[loc:Nowhere]"), &json!(false)));
    assert!(api.refused(TOOL, json!({"path": "t0[loc:Nowhere]"})).contains("Nowhere"));
}

#[test]
fn positions_follow_the_song_and_lengths_the_clip() {
    let api = Api::new();
    api.ok("svc-update-live-set", json!({"timeSignature": "3/4"}));
    let entry = api.ok(TOOL, json!({"path": "t0[3|1]", "timeSignature": "6/8", "length": "2bar"}));
    assert_eq!(entry["path"], "t0[3|1]");
    let clip = read(&api, "t0[3|1]", &["timing"]);
    assert_eq!((&clip["timeSignature"], &clip["length"], &clip["end"]), (&json!("6/8"), &json!("2bar"), &json!("3|1")));
    assert_eq!(clip["arrangementLength"], "2bar", "six quarters of a song in 3/4");
}

/// What is sent; start, end, length, looping and firstStart as they are read then.
#[test]
fn regions_are_written_as_asked() {
    let cases = [
        (json!({}), ["1|1", "2|1", "1bar", "true", ""]),
        (json!({"length": "3bar"}), ["1|1", "4|1", "3bar", "true", ""]),
        (json!({"start": "3|1", "length": "2bar"}), ["3|1", "5|1", "2bar", "true", ""]),
        (json!({"start": "2|3"}), ["2|3", "3|3", "1bar", "true", ""]),
        (json!({"start": "2|3", "notes": "C3 3|1"}), ["2|3", "4|1", "1bar+n/2", "true", ""]),
        (json!({"start": "1|1-n/4", "length": "1bar"}), ["1|1-n/4", "1|4", "1bar", "true", ""]),
        (json!({"start": "2|1", "length": "1bar", "looping": false}), ["2|1", "3|1", "1bar", "false", ""]),
        (json!({"looping": true, "firstStart": "1|3", "length": "2bar"}), ["1|1", "3|1", "2bar", "true", "1|3"]),
        (
            json!({"start": "5|1", "length": "1bar", "looping": true, "firstStart": "4|1"}),
            ["5|1", "6|1", "1bar", "true", "4|1"],
        ),
    ];
    let api = Api::new();
    for (sent, [start, end, length, looping, first]) in cases {
        for path in ["t0/s0", "t1[9|1]", "t1/l0[9|1]"] {
            let mut call = sent.clone();
            call["path"] = json!(path);
            let entry = api.ok(TOOL, call);
            assert_eq!(entry.get("length").is_some(), sent.get("length").is_none(), "{sent}: {entry}");
            let clip = read(&api, path, &["timing"]);
            let shown = ["start", "end", "length"].map(|field| clip[field].as_str().unwrap_or_default().to_owned());
            assert_eq!(shown, [start, end, length], "{sent} {path}: {clip}");
            assert_eq!(clip["looping"].to_string(), looping, "{sent} {path}");
            assert_eq!(clip["firstStart"].as_str().unwrap_or_default(), first, "{sent} {path}");
            if path != "t0/s0" {
                assert_eq!(clip["arrangementLength"], length, "{sent} {path}");
            }
        }
    }
    let entry = api.ok(TOOL, json!({"path": "t0/s0", "firstStart": "1|2", "length": "1bar"}));
    assert_eq!(detail(&entry).split("; ").next(), Some("firstStart ignored: it needs looping: true"), "{entry}");
    let text = api.refused(TOOL, json!({"path": "t0/s0", "firstStart": "3|1", "length": "1bar", "looping": true}));
    assert!(text.contains("firstStart"), "{text}");
    // Switching looping later keeps what sounds.
    let list =
        api.ok(TOOL, json!({"path": "t0/s0,t0/s1", "start": "2|1,3|1", "length": "1bar,2bar", "color": "#FF0000"}));
    assert!(list[0]["color"].is_string() && detail(&list[0]).contains("#FF0000"), "{list}");
    assert_eq!(read(&api, "t0/s1", &["timing"])["end"], "5|1");
}

#[test]
fn pickups_that_no_read_reaches_are_told_of() {
    let api = Api::new();
    let envelope = api.envelope(TOOL, "", &json!({"path": "t0/s0", "notes": "C3 1|1-n3/1", "length": "1bar"}));
    let entry = envelope["result"].clone();
    assert_eq!(entry["noteCount"], 0, "{envelope}");
    assert!(detail(&entry).contains("1 note starts more than the clip's length before its start"), "{entry}");
}

#[test]
fn notes_in_the_arrangement_are_counted_as_they_are_read() {
    let api = Api::new();
    let entry = api.ok(TOOL, json!({"path": "t0[9|1]", "notes": "C3 1|1 2|1 6|1", "length": "2bar"}));
    assert_eq!(entry["noteCount"], 2, "what lies a length past the end is not shown: {entry}");
    assert!(detail(&entry).starts_with("1 note starts at or past the clip's end (3|1)"), "{entry}");
    let entry = api.ok(TOOL, json!({"path": "t0[1|1]", "notes": "C3 1|1", "length": "2bar"}));
    assert_eq!(entry.get("detail"), None, "{entry}");
    let list = api.ok(
        TOOL,
        json!({"path": "t0[20|1],t0[30|1]", "notes": "C3 1|1", "length": "1bar", "transforms": "pitch += clip.index"}),
    );
    assert_eq!((&list[0]["transformed"], &list[1]["transformed"]), (&json!(0), &json!(1)), "{list}");
    // A transform may ask where the clip stands.
    let entry =
        api.ok(TOOL, json!({"path": "t0[3|1]", "notes": "v1 C3 1|1", "transforms": "velocity = clip.position"}));
    assert_eq!(entry["transformed"], 1, "{entry}");
    assert!(read(&api, "t0[3|1]", &["notes"])["notes"].as_str().is_some_and(|notes| notes.contains("v8")));
}

#[test]
fn what_was_made_in_the_session_is_launched() {
    let api = Api::raw_enabled();
    let list = api.ok(TOOL, json!({"path": "t0/s0,t1/s2,t0[5|1]", "length": "1bar", "auto": "play-clip"}));
    assert!(list[0].get("detail").is_none(), "{list}");
    api.wait_for("live_set tracks 0", "playing_slot_index", json!([0]));
    api.wait_for("live_set tracks 1", "playing_slot_index", json!([2]));
    let entry = api.ok(TOOL, json!({"path": "t0/s2", "length": "1bar", "auto": "play-scene"}));
    assert_eq!(entry.get("ok"), None);
    api.wait_for("live_set tracks 0", "playing_slot_index", json!([2]));
    for arguments in [
        json!({"path": "t0[1|1]", "length": "1bar", "auto": "play-clip"}),
        json!({"path": "t0[1|1],t2/s0", "length": "1bar", "auto": "play-scene"}),
    ] {
        let envelope = api.envelope(TOOL, "", &arguments);
        assert_eq!(envelope["warnings"][0], "auto ignored: no session clip was made to launch", "{envelope}");
    }
    assert_eq!(api.bad(TOOL, json!({"path": "t0/s0", "auto": "play"}))["details"][0]["path"], "/auto");
}

/// Old spellings, where the clip lands, and what the warnings say to send.
#[test]
fn deprecated_places_warn_and_work() {
    for (sent, landed, words) in [
        (json!({"slot": "0/3"}), vec!["t0/s3"], vec!["\"slot\" is deprecated", "path: \"t0/s3\""]),
        (json!({"slot": "0/3,1/0"}), vec!["t0/s3", "t1/s0"], vec!["path: \"t0/s3,t1/s0\""]),
        (json!({"path": "0/3"}), vec!["t0/s3"], vec!["\"0/3\" is an old spelling; send path: \"t0/s3\""]),
        (json!({"paths": "t0/s3"}), vec!["t0/s3"], vec!["\"paths\" was accepted as a fallback"]),
        (
            json!({"trackIndex": 1, "sceneIndex": 2}),
            vec!["t1/s2"],
            vec!["\"trackIndex\" and \"sceneIndex\" were accepted as a fallback; send path: \"t1/s2\""],
        ),
        (
            json!({"trackIndex": 1, "arrangementStart": "5|1,9|1"}),
            vec!["t1[5|1]", "t1[9|1]"],
            vec!["path: \"t1[5|1],t1[9|1]\"", "\"arrangementStart\" is deprecated"],
        ),
        (
            json!({"trackIndex": 1, "arrangementStart": "5|1", "takeLane": 2}),
            vec!["t1/l1[5|1]"],
            vec!["fallback", "takeLane 0 was the main lane"],
        ),
        (json!({"trackIndex": "0", "slot": "1/1"}), vec!["t1/s1"], vec!["trackIndex", "slot"]),
        (json!({"path": "t0[5|1]", "takeLane": "0"}), vec!["t0[5|1]"], vec!["\"takeLane\" is deprecated"]),
        (
            json!({"path": "t0/s0", "takeLane": "1"}),
            vec!["t0/s0"],
            vec!["takeLane ignored for session clips", "takeLane"],
        ),
    ] {
        let api = Api::new();
        let mut call = sent.clone();
        call["length"] = json!("1bar");
        let envelope = api.envelope(TOOL, "", &call);
        assert_eq!(envelope["isError"], false, "{sent}: {envelope}");
        let entries = match &envelope["result"] {
            Value::Array(entries) => entries.clone(),
            one => vec![one.clone()],
        };
        let paths: Vec<&str> = entries.iter().map(|entry| entry["path"].as_str().unwrap_or_default()).collect();
        assert_eq!(paths, landed, "{sent}");
        let warnings = envelope["warnings"].to_string().replace("\\\"", "\"");
        assert!(words.iter().all(|words| warnings.contains(words)), "{sent}: {warnings}");
    }
    let api = Api::new();
    let call = json!({"path": "t0/l0[1|1]", "takeLaneName": "alt", "length": "1bar"});
    let envelope = api.envelope(TOOL, "", &call);
    assert!(envelope["warnings"][0].as_str().is_some_and(|w| w.contains("svc-update-track")), "{envelope}");
    assert_eq!(api.ok("svc-read-track", json!({"path": "t0/l0"}))["name"], "alt");
    let envelope = api.envelope(TOOL, "", &json!({"path": "t0/s0", "takeLaneName": "alt"}));
    assert_eq!(envelope["warnings"].as_array().map(Vec::len), Some(2), "{envelope}");
    // Blank ones say nothing.
    api.ok(TOOL, json!({"path": "t0/s0", "slot": "", "arrangementStart": " ", "takeLane": null, "takeLaneName": ""}));
}

#[test]
fn calls_that_are_refused() {
    let api = Api::new();
    for (arguments, words) in [
        (json!({}), "path says where"),
        (json!({"path": " "}), "path says where"),
        (json!({"path": "t0"}), "t0[5|1]"),
        (json!({"path": "t0/l1"}), "t0/l1[5|1]"),
        (json!({"path": "t0/l+"}), "t0/l+[5|1]"),
        (json!({"path": "[5|1]"}), "t0[5|1]"),
        (json!({"path": "rt0"}), "holds no clips"),
        (json!({"path": "mt[1|1]"}), "hold no clips"),
        (json!({"path": "s0"}), "slot"),
        (json!({"path": "t0/d0"}), "clips go to a slot"),
        (json!({"path": "t+"}), "slot"),
        (json!({"path": "t0/s1000"}), "s999"),
        (json!({"path": "t0[1|1-n/4]"}), "before 1|1"),
        (json!({"path": "t0[400000|1]"}), "past the end"),
        (json!({"path": "t0/s0", "start": "x"}), "start: "),
        (json!({"path": "t0/s0,t0/s1", "start": "1|1,x"}), "start: "),
        (json!({"path": "t0/s0", "start": "900000|1"}), "start: "),
        (json!({"path": "t0/s0", "length": "0bar"}), "length: "),
        (json!({"path": "t0/s0", "firstStart": "x", "looping": true}), "firstStart: "),
        (json!({"path": "t0/s0", "color": "red"}), "color"),
        (json!({"path": "t0/s0,t0/s1", "color": "#000000,,#FFFFFF"}), "color"),
        (json!({"path": "t0/s0,t0/s1", "firstStart": "1|1,1|2,1|3", "looping": true}), "firstStart"),
        (json!({"path": "t2/s0,t2/s1", "sampleFile": "/a.wav,/b.wav,/c.wav"}), "sampleFile"),
        (json!({"path": "t0/s0", "slot": "0/0"}), "\"slot\" (deprecated)"),
        (json!({"path": "t0/s0", "trackIndex": 0}), "\"trackIndex\""),
        (json!({"path": "t0[5|1]", "arrangementStart": "5|1"}), "arrangementStart"),
        (json!({"path": "t0/l0[5|1]", "takeLane": "1"}), "takeLane"),
        (json!({"trackIndex": 0}), "t0/s0"),
        (json!({"path": "t0/s0", "notes": "C3 nonsense"}), "notes"),
        (json!({"path": "t9/s0"}), "4 regular tracks"),
    ] {
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
}

#[test]
fn notes_that_one_clips_meter_cannot_read_skip_that_clip() {
    let api = Api::new();
    let call = json!({"path": "t0/s0,t0[5|1]", "notes": "C3 1|4", "timeSignature": "4/4,3/4"});
    let list = api.ok(TOOL, call);
    assert!(list[0]["id"].is_string(), "{list}");
    if list[1].get("ok").is_some() {
        assert!(detail(&list[1]).starts_with("notes: "), "{list}");
        assert_eq!(timeline(&api, "t0"), []);
    }
}

#[test]
fn a_group_track_holds_no_clips() {
    let api = Api::raw_enabled();
    api.edit_saved(|set| {
        set["tracks"][3]["kind"] = json!("group");
        let group = set["tracks"][3]["serial"].clone();
        let member = set["tracks"][2].clone();
        set["tracks"][2] = set["tracks"][3].clone();
        set["tracks"][3] = member;
        set["tracks"][3]["group"] = group;
    });
    let list = api.ok(TOOL, json!({"path": "t2/s0,t0/s0,t2[1|1]", "length": "1bar", "auto": "play-clip"}));
    for at in [0, 2] {
        assert!(list[at]["ok"] == false && detail(&list[at]).contains("group track"), "{list}");
    }
    assert!(api.refused("svc-read-clip", json!({"path": "t2/s0"})).contains("group track"));
    // Scenes are captured and read past it.
    api.ok(TOOL, json!({"path": "t3/s0", "sampleFile": file("half.wav")}));
    // Looped, it plays for as long as a busy machine takes to capture it.
    api.ok("svc-update-clip", json!({"path": "t3/s0", "looping": true}));
    api.ok("svc-playback", json!({"action": "play-session-clips", "path": "t3/s0"}));
    api.wait_for("live_set tracks 0", "playing_slot_index", json!([0]));
    api.wait_for("live_set tracks 3", "playing_slot_index", json!([0]));
    let scene = api.ok("svc-create-scene", json!({"capture": true, "path": "s0"}));
    let paths: Vec<&Value> = scene["clips"].as_array().expect("clips").iter().map(|clip| &clip["path"]).collect();
    assert_eq!(paths, [&json!("t0/s0"), &json!("t3/s0")], "{scene}");
    assert_eq!(api.ok("svc-read-scene", json!({"path": "s0"}))["clipCount"], 2);
}

#[test]
fn a_clip_without_notes_on_an_audio_track_wants_a_file() {
    let api = Api::new();
    let said = api.refused(TOOL, json!({"path": "t2/s0", "length": "1bar"}));
    assert!(said.contains("sampleFile") && !said.contains("notes"), "{said}");
    let said = api.refused(TOOL, json!({"path": "t2/s0", "notes": "C3 1|1"}));
    assert!(said.contains("notes need a MIDI track"), "{said}");
}

/// One text for all places, or a list with a text for each.
#[test]
fn each_place_may_have_notes_of_its_own() {
    let api = Api::new();
    let call = |notation: &str, arguments: Value| {
        api.envelope("svc-create-clip", &format!("x-svc-notation: {notation}\r\n"), &arguments)
    };
    let count = |path: &str| api.ok("svc-read-clip", json!({"path": path}))["noteCount"].clone();
    for (notation, notes) in [
        ("barbeat", json!(["C3 1|1", "C1 1|1,2,3", ""])),
        ("stark", json!(["kick: X", "kick: X X X", ""])),
        ("midi-json", json!([[{"p": 60, "t": 0}], [{"p": 60, "t": 0}, {"p": 60, "t": 1}, {"p": 60, "t": 2}], []])),
        ("midi-json", json!(["[{p:60,t:0}]", "[{p:60,t:0},{p:60,t:1},{p:60,t:2}]", "[]"])),
    ] {
        let made = call(notation, json!({"path": "t0/s0,t1/s0,t0/s1", "notes": notes, "length": "1bar"}));
        assert_eq!(made["isError"], false, "{notation} {made}");
        let counts = [count("t0/s0"), count("t1/s0"), count("t0/s1")];
        assert_eq!(counts, [json!(1), json!(3), json!(0)], "{notation} {notes}: {made}");
    }
    // One of a list, and one list of notes, is for all.
    for (notation, notes) in
        [("barbeat", json!(["C3 1|1,2"])), ("midi-json", json!([{"p": 60, "t": 0}, {"p": 62, "t": 1}]))]
    {
        call(notation, json!({"path": "t0/s0,t1/s0", "notes": notes}));
        assert_eq!((count("t0/s0"), count("t1/s0")), (json!(2), json!(2)), "{notation}");
    }
    // What is wrong in one of them refuses the call and names it; what is not clear too.
    let before = api.ok("svc-read-live-set", json!({"include": ["*"]}));
    for (notation, notes, said) in [
        ("barbeat", json!(["C3 1|1", "H9 1|1"]), "notes.1: "),
        ("barbeat", json!(["C3 1|1", "D3 1|1", "E3 1|1"]), "3 items for 2 places"),
        ("midi-json", json!([[{"p": 60, "t": 0}], {"p": 60, "t": 0}]), "notes.1 is a single note"),
        ("stark", json!(["kick: X", "kick ! X"]), "notes.1: "),
    ] {
        let told = call(notation, json!({"path": "t0/s5,t1/s5", "notes": notes}));
        let text = told["result"].as_str().unwrap_or_default();
        assert!(told["isError"] == true && text.contains(said), "{notation} {notes}: {told}");
        assert_eq!(api.ok("svc-read-live-set", json!({"include": ["*"]})), before);
    }
}
