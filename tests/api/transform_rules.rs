//! Rules of transforms that all tools share: how clips are counted, what is judged before anything is written, what is
//! told.

use crate::support::Api;
use serde_json::{Value, json};

const FOUR: &str = "v70 D3 1|1 v80 F3 1|2 v90 A3 1|3 v100 D3 1|4";

fn entry_notes(api: &Api, path: &str) -> Value {
    api.ok("svc-read-clip", json!({"path": path, "include": ["notes"]}))["notes"].clone()
}

fn velocity(api: &Api, path: &str) -> Value {
    let arguments = json!({"path": path, "include": ["notes"]});
    let envelope = api.envelope("svc-read-clip", "x-svc-notation: midi-json\r\n", &arguments);
    envelope["result"]["notes"][0]["v"].clone()
}

fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

#[test]
fn a_place_in_the_list_is_a_place_whatever_becomes_of_it() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1,t0/s2", "notes": "C3 1|1"}));
    let values = "velocity = clipseq(10, 20, 30) + clip.count";
    // t0/s7 is empty: names and transforms pair alike.
    let list = api.ok("svc-update-clip", json!({"path": "t0/s0,t0/s7,t0/s2", "name": "A,B,C", "transforms": values}));
    assert_eq!(list[1]["ok"], false, "{list}");
    assert_eq!([velocity(&api, "t0/s0"), velocity(&api, "t0/s2")], [13, 33]);
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s2"}))["name"], "C");
    // Named twice: the mention that is written counts.
    api.ok("svc-update-clip", json!({"path": "t0/s0,t0/s1,t0/s0", "transforms": values}));
    assert_eq!([velocity(&api, "t0/s0"), velocity(&api, "t0/s1")], [33, 23]);
    api.ok("svc-create-clip", json!({"path": "t1/s0,t1/s1,t1/s0", "notes": "C3 1|1", "transforms": values}));
    assert_eq!([velocity(&api, "t1/s0"), velocity(&api, "t1/s1")], [33, 23]);
    // A missing source holds the place of all its copies.
    let list = api.ok(
        "svc-duplicate",
        json!({"type": "clip", "path": "t0/s0,t0/s7,t0/s1", "toPath": "t1/s3,t1/s4,t1/s5", "name": "A,B,C", "transforms": values}),
    );
    assert_eq!(list[1]["ok"], false, "{list}");
    assert_eq!([velocity(&api, "t1/s3"), velocity(&api, "t1/s5")], [13, 33]);
    // So does a copy that gives way to a later one.
    api.ok(
        "svc-duplicate",
        json!({"type": "clip", "path": "t0/s0", "toPath": "t1/s0,t1/s6,t1/s0", "transforms": values}),
    );
    assert_eq!([velocity(&api, "t1/s0"), velocity(&api, "t1/s6")], [33, 23]);
}

#[test]
fn a_copy_that_cannot_take_the_transforms_is_not_made() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": FOUR}));
    api.ok("svc-create-clip", json!({"path": "t0/s1", "notes": FOUR, "timeSignature": "7/8"}));
    api.ok("svc-create-clip", json!({"path": "t0/s5", "notes": "C3 1|1", "name": "Old"}));
    // One piece in 4/4, four in 7/8.
    let transforms = "ratchet(1bar - 3)";
    let old = || (api.ok("svc-read-clip", json!({"path": "t0/s5"})), entry_notes(&api, "t0/s5"));
    let before = old();
    let said = api.refused(
        "svc-duplicate",
        json!({"type": "clip", "path": "t0/s0", "toPath": "t0/s5", "transforms": transforms}),
    );
    assert!(said.contains("transforms") && said.contains("in 4/4 this is 1"), "{said}");
    assert_eq!(old(), before);
    // Wrong for all.
    api.refused(
        "svc-duplicate",
        json!({"type": "clip", "path": "t0/s0,t0/s0", "toPath": "t0/s5,t0/s6", "transforms": transforms}),
    );
    assert_eq!(old(), before);
    // Wrong for one.
    let list = api.ok(
        "svc-duplicate",
        json!({"type": "clip", "path": "t0/s0,t0/s1", "toPath": "t0/s5,t0/s6", "transforms": transforms}),
    );
    assert_eq!((&list[0]["path"], &list[0]["ok"]), (&json!("t0/s5"), &json!(false)), "{list}");
    assert!(detail(&list[0]).contains("in 4/4"), "{list}");
    assert!(list[1].get("ok").is_none() && list[1]["transformed"] == 16, "{list}");
    assert_eq!(old(), before);
}

#[test]
fn copies_draw_from_the_seed() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": FOUR}));
    let copy = |to: &str, seed: Option<i64>| {
        let transforms = "velocity = rand(10, 110)";
        let mut arguments = json!({"type": "clip", "path": "t0/s0", "toPath": to, "transforms": transforms});
        if let Some(seed) = seed {
            arguments["seed"] = json!(seed);
        }
        let entry = api.ok("svc-duplicate", arguments);
        assert!(entry["seed"].is_u64() && seed.is_none_or(|seed| entry["seed"] == seed), "{entry}");
        entry_notes(&api, to)
    };
    let first = copy("t0/s1", Some(7));
    assert_eq!(copy("t0/s2", Some(7)), first);
    assert_ne!(copy("t0/s3", Some(8)), first);
    assert_ne!(copy("t0/s4", None), copy("t0/s5", None));
    let plain = json!({"type": "clip", "path": "t0/s0", "toPath": "t0/s6", "seed": 3});
    let envelope = api.envelope("svc-duplicate", "", &plain);
    assert!(envelope["warnings"][0].as_str().is_some_and(|w| w.starts_with("seed ignored")), "{envelope}");
    assert!(api.refused("svc-duplicate", json!({"type": "device", "path": "t0/d0", "seed": 3})).contains("seed"));
}

/// Also those far outside the region, which no read shows.
#[test]
fn every_note_of_a_clip_is_reached() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": FOUR, "length": "1bar"}));
    let edit = |arguments: Value| {
        let mut call = arguments;
        call["path"] = json!("t0/s0");
        api.ok("svc-update-clip", call)
    };
    let starts = || {
        let all = api.call("live_set tracks 0 clip_slots 0 clip", "get_all_notes_extended", json!([]));
        let all: Value = serde_json::from_str(all[0].as_str().expect("a text")).expect("JSON");
        let starts = all["notes"].as_array().expect("notes").iter();
        starts.map(|note| note["start_time"].as_f64().expect("a number")).collect::<Vec<_>>()
    };
    edit(json!({"transforms": "F3: timing = 100"}));
    let far = starts().into_iter().filter(|start| *start > 90.0).count();
    assert_eq!((starts().len(), far), (4, 1));
    for argument in ["transforms", "preTransforms"] {
        let entry = edit(json!({ argument: "velocity += 1" }));
        assert_eq!(entry["transformed"], 4, "{argument}: {entry}");
        edit(json!({ argument: "timing += 100" }));
    }
    assert!(starts().iter().all(|start| *start > 190.0), "{:?}", starts());
    let entry = edit(json!({"preTransforms": "delete"}));
    assert_eq!((&entry["deletedNotes"], &entry["noteCount"], starts().len()), (&json!(4), &json!(0), 0), "{entry}");
    // Muted notes alone.
    let muted = json!({"notes": [{"pitch": 62, "start_time": 1.0, "duration": 1.0, "mute": 1}]});
    api.call("live_set tracks 0 clip_slots 0 clip", "add_new_notes", json!([muted]));
    assert!(detail(&edit(json!({"transforms": "v+1"}))).contains("no notes but muted ones"));
}

/// A muted note is in no notation, so what becomes of it is told.
#[test]
fn muted_notes_that_are_overwritten_or_cut_are_told() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "4bar"}));
    let muted = |pitch: i64, start: f64| json!({"pitch": pitch, "start_time": start, "duration": 2.0, "mute": 1});
    let notes = json!({"notes": [muted(60, 0.0), muted(62, 0.0), muted(64, 0.0)]});
    api.call("live_set tracks 0 clip_slots 0 clip", "add_new_notes", json!([notes]));
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "n/4 C3 1|1 D3 1|2"}));
    let said = detail(&entry);
    assert!(said.contains("1 muted note was overwritten: a note was put on its pitch and start"), "{entry}");
    assert!(said.contains("1 note (muted) was shortened: another of its pitch starts inside it"), "{entry}");
    assert_eq!((&entry["noteCount"], &entry["mutedNotes"]), (&json!(2), &json!(2)), "{entry}");
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s0", "transforms": "C3: velocity = 90"}));
    assert!(!detail(&entry).contains("muted"), "{entry}");
}

#[test]
fn reports_say_which_text_they_are_of() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0"}));
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s0", "preTransforms": "v50", "notes": "C3 1|1"}));
    assert_eq!(detail(&entry), "there are no notes, so preTransforms did nothing", "{entry}");
    let both = json!({"path": "t0/s0", "preTransforms": "gain = 1\nv1", "transforms": "v1\ngain = 1"});
    let entry = api.ok("svc-update-clip", both);
    for words in ["preTransforms line 1: gain", "; transforms line 2: gain"] {
        assert!(detail(&entry).contains(words), "{entry}");
    }
    let said = api.refused("svc-update-clip", json!({"path": "t0/s0", "transforms": "ratchet(1)"}));
    assert!(said.starts_with("transforms: mistake at line 1, column 9") && !said.contains("syntax"), "{said}");
    let long = format!("velocity = seq({})", vec!["1"; 400_000].join(","));
    let notes: Vec<Value> = (0..100).map(|at| json!({"p": 60, "t": at, "d": 1, "v": 90})).collect();
    let sent = json!({"path": "t0/s1", "notes": notes, "transforms": long});
    let envelope = api.envelope("svc-create-clip", "x-svc-notation: midi-json\r\n", &sent);
    let said = envelope["result"].as_str().unwrap_or_default();
    assert!(said.contains("length of its values") && said.contains("25 million"), "{envelope}");
}

#[test]
fn deleted_are_notes_that_the_clip_held() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": FOUR}));
    let entry =
        api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "C3 E3 1|1", "transforms": "C3-E3: delete"}));
    assert_eq!(entry["deletedNotes"], 2, "D3 twice, and not the two that were written: {entry}");
    let entry = api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "C3 1|1", "transforms": "C3: delete"}));
    assert!(entry.get("deletedNotes").is_none(), "{entry}");
}

#[test]
fn cuts_of_the_song_are_in_its_meter() {
    let api = Api::new();
    api.ok("svc-update-live-set", json!({"timeSignature": "3/4"}));
    api.ok("svc-create-clip", json!({"path": "t0[201|1]", "timeSignature": "4/4", "notes": "n/1 C3 1|1"}));
    let cut = |transforms: &str| {
        api.ok("svc-update-clip", json!({"path": "t0[201|1]", "transforms": transforms}))["noteCount"].clone()
    };
    assert_eq!(cut("split(151|2, sync)"), 1);
    assert_eq!(cut("split(201|2, sync)"), 2);
}

/// Two notes become one pitch, which is found out only from the notes.
#[test]
fn folded_pitches_refuse_their_copy_alone() {
    let folds = "pitch += 200";
    for (to, kept, more) in [
        (["t0[2|1]", "t0[5|1]"], "t0[2|1]", json!({})),
        (["t0[2|1]", "t0[5|1]"], "t0[2|1]", json!({"arrangementLength": "3bar"})),
        (["t0/l0[2|1]", "t0/l0[5|1]"], "t0/l0[2|1]", json!({})),
        (["t0/s3", "t0/s4"], "t0/s3", json!({})),
    ] {
        for by_id in [false, true] {
            let api = Api::new();
            let made = api.ok(
                "svc-create-clip",
                json!({"path": format!("t0/s0,t1/s0,{kept}"), "length": "1bar", "name": "S,T,B",
                    "notes": ["C3 D3 1|1", "C3 1|1", "E3 1|1"]}),
            );
            let before = entry_notes(&api, kept);
            let mut call = json!({"type": "clip", "path": "t0/s0,t1/s0", "toPath": to.join(","), "transforms": folds});
            if by_id {
                call["id"] = json!(format!("{},{}", made[0]["id"].as_str().unwrap(), made[1]["id"].as_str().unwrap()));
                call.as_object_mut().unwrap().remove("path");
            }
            call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let list = api.ok("svc-duplicate", call.clone());
            assert_eq!((&list[0]["path"], &list[0]["ok"]), (&json!(to[0]), &json!(false)), "{call}: {list}");
            assert!(detail(&list[0]).contains("transforms") && !detail(&list[0]).contains("already"), "{list}");
            assert_eq!((list[1].get("ok"), &list[1]["transformed"]), (None, &json!(1)), "{call}: {list}");
            assert_eq!(api.ok("svc-read-clip", json!({"path": kept}))["name"], "B", "{call}");
            assert_eq!(entry_notes(&api, kept), before, "{call}");
        }
    }
    // A copy that is not made leaves the earlier copy at its place.
    let api = Api::new();
    let clips = json!({"path": "t0/s0,t1/s0", "length": "1bar", "notes": ["C3 1|1", "C3 D3 1|1"]});
    api.ok("svc-create-clip", clips);
    let call = json!({"type": "clip", "path": "t0/s0,t1/s0", "toPath": "t0[2|1],t0[2|1]", "transforms": folds});
    let list = api.ok("svc-duplicate", call);
    assert_eq!((list[0].get("ok"), &list[1]["ok"]), (None, &json!(false)), "{list}");
}

#[test]
fn untransformable_clips_leave_scenes() {
    let folds = "pitch += 200";
    for (call, kept) in [
        (json!({"type": "scene", "path": "s0", "toPath": "[2|1]"}), ["t0[2|1]", "t1[2|1]"]),
        (json!({"type": "scene", "path": "s0"}), ["t0/s1", "t1/s1"]),
        (json!({"type": "track", "path": "t0,t1"}), ["t1/s0", "t3/s0"]),
    ] {
        let api = Api::new();
        let clips = json!({"path": "t0/s0,t1/s0", "length": "1bar", "name": "S,T", "notes": ["C3 D3 1|1", "C3 1|1"]});
        api.ok("svc-create-clip", clips);
        api.ok("svc-create-clip", json!({"path": "t0[2|1]", "length": "1bar", "name": "B", "notes": "E3 1|1"}));
        let mut call = call;
        call["transforms"] = json!(folds);
        let answer = api.ok("svc-duplicate", call.clone());
        let first = if answer.is_array() { &answer[0] } else { &answer };
        assert!(detail(first).contains(if call["toPath"].is_null() { "left out" } else { "not copied" }), "{answer}");
        let laid = |path: &str| api.envelope("svc-read-clip", "", &json!({"path": path}))["result"].clone();
        assert_ne!(laid(kept[0])["name"], "S", "{call}: {answer}");
        assert_eq!(laid(kept[1])["name"], "T", "{call}: {answer}");
        assert_eq!(laid("t0[2|1]")["name"], "B", "{call}: {answer}");
    }
    // A copy that is not made leaves the earlier copy at its place.
    let api = Api::new();
    api.ok(
        "svc-create-clip",
        json!({"path": "t0/s0,t0/s1,t1/s1", "length": "1bar", "name": "A,B,C",
        "notes": ["C3 1|1", "C3 D3 1|1", "C3 1|1"]}),
    );
    let call = json!({"type": "scene", "path": "s0,s1", "toPath": "[2|1],[2|1]", "transforms": folds});
    let list = api.ok("svc-duplicate", call);
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t0[2|1]"}))["name"], "A", "{list}");
    assert_eq!(list[0].get("ok"), None, "{list}");
    // None of the clips can take them.
    for call in [
        json!({"type": "scene", "path": "s0", "toPath": "[2|1]"}),
        json!({"type": "scene", "path": "s0"}),
        json!({"type": "track", "path": "t0"}),
    ] {
        let api = Api::new();
        api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar", "notes": "C3 D3 1|1"}));
        let mut call = call;
        call["transforms"] = json!(folds);
        assert!(api.refused("svc-duplicate", call).contains("transforms"));
    }
}
