//! Notes, transforms and chance through `svc-create-clip` and `svc-update-clip`.

use crate::support::Api;
use serde_json::{Value, json};

pub(super) const FOUR: &str = "v70 D3 1|1 v80 F3 1|2 v90 A3 1|3 v100 D3 1|4";

pub(super) fn notes(api: &Api, path: &str) -> Value {
    let entry = api.ok("svc-read-clip", json!({"path": path, "include": ["notes"]}));
    entry["notes"].clone()
}

fn in_notation(api: &Api, notation: &str, tool: &str, arguments: Value) -> Value {
    let envelope = api.envelope(tool, &format!("x-svc-notation: {notation}\r\n"), &arguments);
    assert_eq!(envelope["isError"], false, "{tool} {arguments}: {envelope}");
    envelope["result"].clone()
}

fn json_notes(api: &Api, path: &str) -> Vec<Value> {
    let entry = in_notation(api, "midi-json", "svc-read-clip", json!({"path": path, "include": ["notes"]}));
    entry["notes"].as_array().cloned().unwrap_or_default()
}

#[test]
fn a_new_clip_is_transformed() {
    let api = Api::new();
    // transforms, the notes that become of the four, transformed, deletedNotes
    for (transforms, left, transformed, deleted) in [
        ("D3: velocity += 12", "v82 n/4 D3 1|1\nv80 F3 1|2\nv90 A3 1|3\nv112 D3 1|4", 2, None),
        ("merge()", "v70 n/1 D3 1|1\nv80 n/4 F3 1|2\nv90 A3 1|3", 1, Some(1)),
        ("F3-A3: delete", "v70 n/4 D3 1|1\nv100 D3 1|4", 0, Some(2)),
        ("G7: v1", "v70 n/4 D3 1|1\nv80 F3 1|2\nv90 A3 1|3\nv100 D3 1|4", 0, None),
        ("# only a comment", "v70 n/4 D3 1|1\nv80 F3 1|2\nv90 A3 1|3\nv100 D3 1|4", 0, None),
    ] {
        let entry = api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": FOUR, "transforms": transforms}));
        assert_eq!(entry["transformed"], transformed, "{transforms}: {entry}");
        assert_eq!(entry.get("deletedNotes").cloned(), deleted.map(|n: u32| json!(n)), "{transforms}: {entry}");
        assert_eq!(entry["length"], "1bar", "transforms change no length: {entry}");
        assert_eq!(notes(&api, "t0/s0"), left, "{transforms}");
        api.ok("svc-delete", json!({"type": "clip", "path": "t0/s0"}));
    }
    let plain = api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": FOUR, "transforms": " "}));
    assert!(plain.get("transformed").is_none(), "a blank text was not sent: {plain}");
    // Without notes there is nothing to do, and the entry says so.
    let empty = api.ok("svc-create-clip", json!({"path": "t0/s1", "transforms": "v+1"}));
    assert!(empty["detail"].as_str().is_some_and(|d| d.contains("no notes")), "{empty}");
    // What the lines have to say is on the entry.
    let told =
        api.ok("svc-create-clip", json!({"path": "t0/s2", "notes": FOUR, "transforms": "gain = 3\nD3: ratchet(99)"}));
    for words in ["line 1: gain", "line 2"] {
        assert!(told["detail"].as_str().is_some_and(|d| d.contains(words)), "{told}");
    }
}

#[test]
fn before_notes_after() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": FOUR}));
    let entry = api.ok(
        "svc-update-clip",
        json!({
            "path": "t0/s0",
            "transforms": "velocity += 1",
            "notes": "v50 n/8 C3 1|1 A3 1|3",
            "preTransforms": "velocity = 10\nD3: delete",
        }),
    );
    // The new A3 takes the place of the one that was there; all notes get the last line.
    assert_eq!(notes(&api, "t0/s0"), "v51 n/8 C3 1|1\nv11 n/4 F3 1|2\nv51 n/8 A3 1|3");
    assert_eq!((&entry["noteCount"], &entry["transformed"], &entry["deletedNotes"]), (&json!(3), &json!(3), &json!(2)));
    // Each alone, and a clip that has nothing to run on.
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s0", "preTransforms": "C3: v60"}));
    assert_eq!((&entry["noteCount"], &entry["transformed"]), (&json!(3), &json!(1)));
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s0", "transforms": "delete"}));
    assert_eq!((&entry["noteCount"], &entry["transformed"], &entry["deletedNotes"]), (&json!(0), &json!(0), &json!(3)));
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s0", "transforms": "delete", "name": "X"}));
    assert!(entry["detail"].as_str().is_some_and(|d| d.contains("no notes")), "{entry}");
    // One step of undo for all of it.
    let before = notes(&api, "t0/s0");
    api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": FOUR, "transforms": "v+1\nratchet(2)"}));
    let raw = |operation: Value| api.raw("live_set", json!([operation]));
    raw(json!({"type": "call", "method": "undo"}));
    assert_eq!(notes(&api, "t0/s0"), before);
}

#[test]
fn muted_notes_are_passed_over_unless_a_note_lands_on_them() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 E3 1|1"}));
    let clip = "live_set tracks 0 clip_slots 0 clip";
    let muted = json!({"notes": [{"pitch": 62, "start_time": 1.0, "duration": 1.0, "mute": 1}]});
    api.call(clip, "add_new_notes", json!([muted]));
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s0", "transforms": "pitch += 1"}));
    assert_eq!((&entry["noteCount"], &entry["transformed"]), (&json!(2), &json!(2)));
    let read = api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}));
    assert_eq!((&read["notes"], &read["mutedNotes"]), (&json!("v100 n/4 Db3 F3 1|1"), &json!(1)));
    api.ok("svc-update-clip", json!({"path": "t0/s0", "transforms": "Db3: D3\nD3: timing = 1"}));
    let read = api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}));
    assert!(read.get("mutedNotes").is_none(), "{read}");
}

#[test]
fn clips_of_one_call_are_counted_in_its_order() {
    let api = Api::new();
    let index = "velocity = 10 * clip.index + clip.count";
    let list =
        api.ok("svc-create-clip", json!({"path": "t0/s0,t1/s0,t0/s0,t0/s1", "notes": "C3 1|1", "transforms": index}));
    assert_eq!(list.as_array().map(Vec::len), Some(4));
    let velocity = |path: &str| json_notes(&api, path)[0]["v"].clone();
    // t0/s0 is named again later, and holds its first place all the same.
    assert_eq!([velocity("t1/s0"), velocity("t0/s0"), velocity("t0/s1")], [14, 24, 34]);
    let list =
        api.ok("svc-update-clip", json!({"path": "t0/s1,t0/s5,t1/s0", "transforms": "velocity = clipseq(40, 50, 60)"}));
    assert_eq!(list[1]["ok"], false);
    assert_eq!([velocity("t0/s1"), velocity("t1/s0"), velocity("t0/s0")], [40, 60, 24]);
}

#[test]
fn the_sets_scale_and_the_clips_own_facts_are_known() {
    let api = Api::raw_enabled();
    api.set("live_set", "root_note", json!(2));
    api.set("live_set", "scale_name", json!("Major"));
    let step = json!({"path": "t0/s0", "notes": "D3 F#3 1|1", "transforms": "pitch = step(note.pitch, 2)"});
    api.ok("svc-create-clip", step.clone());
    assert_eq!(notes(&api, "t0/s0"), "v100 n/4 E3 Ab3 1|1", "the scale is off");
    api.set("live_set", "scale_mode", json!(1));
    api.ok(
        "svc-create-clip",
        json!({"path": "t0/s1", "notes": "D3 F#3 1|1", "transforms": "pitch = step(note.pitch, 2)"}),
    );
    assert_eq!(notes(&api, "t0/s1"), "v100 n/4 Gb3 A3 1|1");
    api.ok("svc-update-clip", json!({"path": "t0/s0", "transforms": "pitch = snap(note.pitch)"}));
    assert_eq!(notes(&api, "t0/s0"), "v100 n/4 E3 A3 1|1");
    // Meter, length and end: 6/8 counts eighths; legato reaches to the loop's end.
    api.ok(
        "svc-create-clip",
        json!({"path": "t0/s2", "timeSignature": "6/8", "length": "2bar", "notes": "n/8 C3 1|1,4",
               "transforms": "velocity = clip.duration\nduration = legato()"}),
    );
    assert_eq!(notes(&api, "t0/s2"), "v12 n/4d C3 1|1\nn9/8 C3 1|4");
    api.ok(
        "svc-update-clip",
        json!({"path": "t0/s2", "transforms": "velocity = clip.duration * 2\nC3: n/8\nduration = legato()"}),
    );
    assert_eq!(notes(&api, "t0/s2"), "v24 n/4d C3 1|1\nn9/8 C3 1|4");
    // There is no arrangement position in the session, and that is said.
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s2", "transforms": "velocity = 60 + clip.position"}));
    assert!(entry["detail"].as_str().is_some_and(|d| d.contains("clip.position is 0")), "{entry}");
}

#[test]
fn a_seed_repeats_a_call_and_is_said() {
    let api = Api::new();
    let make = |seed: Option<i64>, path: &str| {
        let mut arguments = json!({
            "path": path,
            "notes": "kick: X x ^ X x ^ X x",
            "transforms": "velocity += 5 * rand()\ntiming += choose(0, 0.01, 0.02)",
        });
        if let Some(seed) = seed {
            arguments["seed"] = json!(seed);
        }
        let entry = in_notation(&api, "stark", "svc-create-clip", arguments);
        (entry, path.split(',').map(|path| json_notes(&api, path)).collect::<Vec<_>>())
    };
    let (entry, first) = make(Some(7), "t0/s0");
    assert_eq!(entry["seed"], 7);
    assert_eq!(make(Some(7), "t0/s1").1, first);
    assert_ne!(make(Some(8), "t0/s1").1, first);
    assert_ne!(make(Some(-7), "t0/s1").1, first);
    let (entry, fresh) = make(None, "t0/s1");
    assert_ne!(fresh, first);
    // The one that was drawn is said, and repeats the call.
    assert_eq!(make(entry["seed"].as_i64(), "t0/s1").1, fresh, "{entry}");
    let plain = api.ok("svc-create-clip", json!({"path": "t0/s4", "notes": "C3 1|1", "transforms": "v+1"}));
    assert!(plain.get("seed").is_none(), "nothing was drawn: {plain}");
    assert_ne!(make(None, "t0/s1").1, fresh);
    // In one call each clip draws anew from the one source.
    let (list, both) = make(Some(7), "t1/s0,t1/s1");
    assert_eq!((&list[0]["seed"], &list[1]["seed"]), (&json!(7), &json!(7)));
    assert_eq!(both[0], first[0]);
    assert_ne!(both[0], both[1]);
    assert_eq!(make(Some(7), "t0/s2,t0/s3").1, both);
    // The same on an update.
    let change = |path: &str, seed: i64| {
        let entry =
            api.ok("svc-update-clip", json!({"path": path, "transforms": "velocity = rand(1, 127)", "seed": seed}));
        assert_eq!(entry["seed"], seed);
        json_notes(&api, path)
    };
    make(Some(7), "t0/s0,t0/s1");
    assert_eq!(change("t0/s2", 3), change("t0/s2", 3));
    assert_ne!(change("t0/s2", 3), change("t0/s2", 4));
    // Where nothing can draw it is said to be for nothing.
    let envelope = api.envelope("svc-update-clip", "", &json!({"path": "t0/s0", "name": "X", "seed": 1}));
    assert_eq!(envelope["warnings"], json!(["seed ignored: it is for notes and transforms, and none were sent"]));
    assert!(envelope["result"].get("seed").is_none());
    // A text of digits is a number too; a broken number is not.
    assert_eq!(api.ok("svc-create-clip", json!({"path": "t0/s5", "notes": "C3 1|1", "seed": "12"}))["seed"], 12);
    assert_eq!(api.ok("svc-create-clip", json!({"path": "t0/s5", "notes": "C3 1|1", "seed": 12.0}))["seed"], 12);
    for seed in [json!(1.5), json!("x"), json!(9007199254740992i64), json!(true)] {
        let bad = api.bad("svc-create-clip", json!({"path": "t0/s5", "notes": "C3 1|1", "seed": seed}));
        assert_eq!(bad["details"][0]["path"], "/seed", "{bad}");
    }
}

#[test]
fn notes_left_out_of_a_text_are_counted() {
    let api = Api::new();
    for (notation, notes, transforms, dropped) in [
        ("barbeat", "C3 1|1 C3 1|1 C3 1|2", "", "1 note was"),
        ("midi-json", "[{p:60,t:0},{p:60,t:0},{p:60,t:0.0005}]", "", "2 notes were"),
        ("stark", "melody: C\nmelody: C", "", "1 note was"),
        ("barbeat", "C3 1|1,2,3", "timing = 0", "2 notes were"),
        ("barbeat", "C3 1|1 C3 1|1 C3 1|2", "timing = 0", "2 notes were"),
    ] {
        let arguments = json!({"path": "t0/s0", "length": "1bar", "notes": notes, "transforms": transforms});
        let made = in_notation(&api, notation, "svc-create-clip", arguments);
        assert!(made["detail"].as_str().is_some_and(|d| d.contains(dropped)), "{notes}: {made}");
        api.ok("svc-delete", json!({"type": "clip", "path": "t0/s0"}));
    }
    // To replace a note that was there is what an update is for.
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "v5 C3 1|1"}));
    assert!(entry.get("detail").is_none(), "{entry}");
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "v5 C3 1|1 C3 1|1"}));
    assert!(entry["detail"].as_str().is_some_and(|d| d.contains("1 note was")), "{entry}");
}

#[test]
fn a_read_says_what_its_notation_cannot() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "4bar", "notes": "n2/1 C3 1|1.1 p0.5 n/4 C3 4|1"}));
    let read = in_notation(&api, "stark", "svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}));
    for words in ["1 with a start up to 0.1", "1 cut to 6", "1 without chance"] {
        assert!(read["detail"].as_str().is_some_and(|d| d.contains(words)), "{words}: {read}");
    }
    let exact = api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}));
    assert!(exact.get("detail").is_none(), "{exact}");
}

#[test]
fn audio_clips_take_gain_and_pitch() {
    let api = Api::raw_enabled();
    let wav = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/half.wav");
    for scene in [0, 1] {
        let slot = format!("live_set tracks 2 clip_slots {scene}");
        api.call(&slot, "create_audio_clip", json!([wav]));
        api.set(&format!("{slot} clip"), "gain", json!(0.4));
    }
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": FOUR}));
    let update = |arguments: Value| api.ok("svc-update-clip", arguments);
    // Each kind of clip takes the lines that are for it, and says which were not.
    let both = "gain = -9 * clip.index\nvelocity = 50\npitchShift = -2.5";
    let list = update(json!({"path": "t0/s0,t2/s0,t2/s1", "transforms": both, "seed": 3}));
    assert_eq!(list[0]["transformed"], 4, "{list}");
    assert!(list[0]["detail"].as_str().is_some_and(|d| d.contains("line 1") && d.contains("line 3")), "{list}");
    assert_eq!((&list[1]["gainDb"], &list[1]["pitchShift"], &list[1]["seed"]), (&json!(-9), &json!(-2.5), &json!(3)));
    assert_eq!(list[2]["gainDb"], -18, "{list}");
    assert!(list[2]["detail"].as_str().is_some_and(|d| d.contains("line 2")), "{list}");
    let clip = "live_set tracks 2 clip_slots 0 clip";
    assert_eq!(api.get(clip, "gain_display_string"), json!(["-9.00 dB"]));
    assert_eq!((api.get(clip, "pitch_coarse"), api.get(clip, "pitch_fine")), (json!([-2]), json!([-50])));
    // Each sees what was there before.
    let entry = update(json!({"path": "t2/s0", "transforms": "gain *= 0.5\ngain += 1\npitchShift += audio.gain"}));
    assert_eq!((&entry["gainDb"], &entry["pitchShift"]), (&json!(-3.5), &json!(-6)), "{entry}");
    assert_eq!(update(json!({"path": "t2/s0", "transforms": "gain = -999\npitchShift = 99"}))["gainDb"], "-inf");
    // What an audio clip cannot take is said, and alone it is a skip.
    let entry = update(json!({"path": "t2/s0", "notes": "C3 1|1", "preTransforms": "v1", "transforms": "gain = 0"}));
    assert!(entry["detail"].as_str().is_some_and(|d| d.contains("notes, preTransforms ignored")), "{entry}");
    assert!(update(json!({"path": "t2/s0", "notes": "C3 1|1", "name": "X"}))["detail"].is_string());
    for arguments in [json!({"notes": "C3 1|1"}), json!({"preTransforms": "gain = 1"}), json!({"transforms": "v1"})] {
        let mut arguments = arguments;
        arguments["path"] = json!("t2/s0");
        api.refused("svc-update-clip", arguments);
    }
    let refused = api.refused("svc-update-clip", json!({"path": "t2/s0", "transforms": "gain = curve(1, 2, 0)"}));
    assert!(refused.contains("above 0"), "{refused}");
}

#[test]
fn an_arrangement_clip_knows_its_place() {
    let api = Api::raw_enabled();
    let made = api.call("live_set tracks 0", "create_midi_clip", json!([8, 4]));
    let clip = "live_set tracks 0 arrangement_clips 0";
    let id = api.id(clip);
    let note = json!({"notes": [{"pitch": 60, "start_time": 0, "duration": 1}, {"pitch": 62, "start_time": 1, "duration": 1}]});
    api.call(clip, "add_new_notes", json!([note]));
    let entry = api.ok(
        "svc-update-clip",
        json!({"id": id, "transforms": "velocity = clip.position + 10 * clip.duration\ntiming += 0.5 * cos(2bar, sync)"}),
    );
    assert!(entry.get("detail").is_none(), "{entry} {made}");
    let notes = api.call(clip, "get_all_notes_extended", json!([]));
    let text = notes[0].as_str().map_or_else(|| notes.to_string(), str::to_owned);
    // At 8 and 9 of the song two bars' cosine is 1 and 0.707.
    assert!(text.contains("\"velocity\":48") && text.contains("\"start_time\":0.5"), "{text}");
    assert!(text.contains("\"start_time\":1.35355"), "{text}");
}

#[test]
fn clips_on_a_drum_rack_are_read_a_pitch_a_line() {
    let api = Api::raw_enabled();
    let beat = "v100 n/16 C1 1|1x4@n/4 F#1 1|1,3 v70 C1 2|1";
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "2bar", "notes": beat}));
    let melodic = notes(&api, "t0/s0");
    api.call("live_set tracks 0", "insert_device", json!(["Drum Rack"]));
    assert_eq!(notes(&api, "t0/s0"), "v100 n/16 C1 1|1,2,3,4 v70 C1 2|1\nv100 Gb1 1|1,3");
    let read = |notation: &str| {
        in_notation(&api, notation, "svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}))["notes"].clone()
    };
    assert_eq!(read("stark"), "kick /16: X z/8. X z/8. X z/8. X z/8. x\nhihat /16: X z/4. z X");
    // In a track with another device nothing is different.
    api.ok("svc-create-clip", json!({"path": "t1/s0", "length": "2bar", "notes": beat}));
    api.call("live_set tracks 1", "insert_device", json!(["Reverb"]));
    assert_eq!(notes(&api, "t1/s0"), melodic);
}

#[test]
fn an_array_carries_numbers_without_noise() {
    let api = Api::raw_enabled();
    api.ok(
        "svc-create-clip",
        json!({"path": "t0/s0", "length": "2bar", "notes": "n/8t C3 1|1.333 D3 1|1+n/12 E3 2|2.7"}),
    );
    let listed = json_notes(&api, "t0/s0");
    let times: Vec<String> = listed.iter().map(|n| format!("{} {}", n["t"], n["d"])).collect();
    assert_eq!(times, ["0.333 0.3333333333333333", "0.3333333333333333 0.3333333333333333", "5.7 0.3333333333333333"]);
    // What was read goes back as it is, as an array and as text.
    for sent in [json!(listed), json!(Value::from(listed.clone()).to_string())] {
        in_notation(&api, "midi-json", "svc-create-clip", json!({"path": "t0/s1", "length": "2bar", "notes": sent}));
        assert_eq!(json_notes(&api, "t0/s1"), listed);
    }
    let text = api.envelope(
        "svc-read-clip?format=compact",
        "x-svc-notation: midi-json\r\n",
        &json!({"path": "t0/s0", "include": ["notes"]}),
    );
    let text = text["result"].as_str().expect("a text").to_owned();
    assert!(text.contains("{p:60,t:0.333,d:1/3,v:100}") && text.contains("{p:62,t:1/3"), "{text}");
}

#[test]
fn small_models_are_shown_less_and_may_send_all_of_it() {
    let api = Api::new();
    let shown = |headers: &str, name: &str| -> Vec<String> {
        let listed = api.request("GET", "/api/tools", headers, "").json();
        let tool = listed["tools"].as_array().and_then(|list| list.iter().find(|tool| tool["name"] == name)).cloned();
        let schema = tool.expect("listed")["inputSchema"]["properties"].clone();
        schema.as_object().expect("properties").keys().cloned().collect()
    };
    let small = "x-svc-small-model-mode: true\r\n";
    for name in ["svc-create-clip", "svc-update-clip"] {
        for hidden in ["transforms", "seed"] {
            assert!(!shown(small, name).contains(&hidden.to_owned()), "{name}");
            assert!(shown("", name).contains(&hidden.to_owned()), "{name}");
        }
    }
    let sent = json!({"path": "t0/s0", "notes": FOUR, "transforms": "v+1", "seed": 5});
    let envelope = api.envelope("svc-create-clip", small, &sent);
    assert_eq!((&envelope["result"]["transformed"], envelope.get("warnings")), (&json!(4), None), "{envelope}");
}
