//! Clips that get longer, or could, by one call of `svc-update-clip`: each covers at no moment more than its result
//! does, ends where a later one of the call begins, and stays where it is when it is refused.

use crate::laid_clips::{call, lane, made};
use crate::sample_tree::{put, wav};
use crate::support::Api;
use serde_json::{Value, json};

const BAR_SECONDS: f64 = 2.0;

/// The call with more parameters.
fn and(arguments: Value, more: &Value) -> Value {
    let mut arguments = arguments;
    arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    arguments
}

fn said(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

/// Clips of a file of four bars, a bar each: name and place.
fn audio(folder: &tempfile::TempDir, places: &[(&str, &str)]) -> Api {
    let file = put(folder.path(), "four.wav", &wav(&vec![0.1; (4.0 * BAR_SECONDS * 44_100.0) as usize]));
    let file = file.to_str().expect("a text");
    let api = Api::new();
    for (name, path) in places {
        api.ok("svc-create-clip", json!({"path": "t2/s7", "sampleFile": file, "name": name}));
        api.ok("svc-update-clip", json!({"path": "t2/s7", "length": "1bar", "toPath": path}));
    }
    api
}

#[test]
fn unlooped_clips_spare_their_neighbours() {
    for on in ["t0", "t0/l0"] {
        for more in [
            json!({"arrangementLength": "1bar"}),
            json!({"arrangementLength": "n/2", "start": "2|1"}),
            json!({"arrangementLength": "1bar", "toPath": "[1|1]"}),
            json!({"arrangementLength": "1bar", "duplicateLoop": true}),
            json!({"arrangementLength": "1bar", "toPath": "t0[9|1]"}),
            json!({"toPath": "t0[9|1]"}),
            json!({"toPath": "t1"}),
            json!({"toPath": "t0/s0"}),
        ] {
            let stays = !more.to_string().contains("9|1") && more.get("toPath").is_none_or(|to| to == "[1|1]");
            if on == "t0/l0" && stays {
                // Clips of take lanes take no length on the timeline.
                continue;
            }
            let api = made(&[(&format!("{on}[1|1]"), "4bar", "A", true)]);
            if on == "t0" {
                api.ok("svc-update-clip", json!({"path": "t0[1|1]", "arrangementLength": "1bar"}));
            } else {
                api.ok("svc-create-clip", json!({"path": "t0/l0[2|1]", "length": "3bar", "name": "B"}));
            }
            let places = format!("{on}[2|1],{on}[4|1]");
            api.ok("svc-create-clip", json!({"path": places, "length": "1bar", "name": "B,C"}));
            let before = lane(&api, on);
            let arguments = and(json!({"path": format!("{on}[1|1]"), "looping": false}), &more);
            let answer = call(&api, "svc-update-clip", &arguments);
            let after = lane(&api, on);
            let is_there = |clip: &&String| clip.starts_with('A') || after.contains(clip);
            assert!(before.iter().all(|clip| is_there(&clip)), "{arguments}: {after:?} {answer}");
            assert!(!said(&answer).contains("overwrote"), "{arguments}: {answer}");
        }
    }
}

#[test]
fn unwarped_clips_spare_their_neighbours() {
    let folder = tempfile::tempdir().expect("a folder");
    for on in ["t2", "t2/l0"] {
        for more in [
            json!({"toPath": "[9|1]"}),
            json!({"toPath": "t3"}),
            json!({"toPath": "t2/s0"}),
            json!({"toPath": "t3/l0[1|1]"}),
            json!({"toPath": "t2[9|1]", "arrangementLength": "1bar"}),
            json!({"arrangementLength": "1bar"}),
        ] {
            if on == "t2/l0" && more.get("toPath").is_none() {
                continue;
            }
            let places = [("A", format!("{on}[1|1]")), ("B", format!("{on}[2|1]")), ("C", format!("{on}[4|1]"))];
            let api = audio(&folder, &places.each_ref().map(|(name, path)| (*name, path.as_str())));
            let arguments = and(json!({"path": format!("{on}[1|1]"), "warping": false}), &more);
            let answer = call(&api, "svc-update-clip", &arguments);
            let after = lane(&api, on);
            for kept in [format!("B {on}[2|1] 1bar"), format!("C {on}[4|1] 1bar")] {
                assert!(after.contains(&kept), "{arguments}: {after:?} {answer}");
            }
            assert!(!said(&answer).contains("overwrote"), "{arguments}: {answer}");
        }
    }
    // Alone it plays the whole file.
    let api = audio(&folder, &[("A", "t2[1|1]"), ("B", "t2[6|1]")]);
    api.ok("svc-update-clip", json!({"path": "t2[1|1]", "warping": false}));
    assert_eq!(lane(&api, "t2"), ["A t2[1|1] 4bar", "B t2[6|1] 1bar"]);
}

#[test]
fn growing_clips_end_at_later_targets() {
    for on in ["t0", "t0/l0"] {
        for (more, length, room) in [
            (json!({"duplicateLoop": true}), "2bar", "1bar+n/2"),
            (json!({"length": "4bar"}), "4bar", "1bar+n/2"),
            (json!({"start": "1|2", "length": "2bar"}), "2bar", "1bar+n/2"),
        ] {
            // Where B is, and how much of the lane A has then.
            for (b, left) in [("[2|1]", "1bar"), ("[2|3]", room)] {
                let a = format!("{on}[1|1]");
                let b = format!("{on}{b}");
                let api = made(&[(&a, "1bar", "A", false), (&b, "1bar", "B", false)]);
                let arguments = and(json!({"path": format!("{a},{b}")}), &more);
                let list = call(&api, "svc-update-clip", &arguments);
                let then = lane(&api, on);
                assert_eq!(then, [format!("A {a} {left}"), format!("B {b} {length}")], "{arguments}: {list}");
                assert!(said(&list[0]).contains("is named later in this call"), "{arguments}: {list}");
                // In the other order the later one goes over a part of the earlier.
                let api = made(&[(&a, "1bar", "A", false), (&b, "1bar", "B", false)]);
                let list = call(&api, "svc-update-clip", &and(json!({"path": format!("{b},{a}")}), &more));
                let then = lane(&api, on);
                assert!(then.contains(&format!("A {a} {length}")), "{arguments}: {then:?} {list}");
                assert_eq!(then.len(), 2, "{arguments}: {then:?} {list}");
            }
        }
    }
    // A loop that is laid short, and unlooped.
    let api = made(&[("t0[1|1]", "4bar", "A", true)]);
    api.ok("svc-update-clip", json!({"path": "t0[1|1]", "arrangementLength": "1bar"}));
    api.ok("svc-create-clip", json!({"path": "t0[3|1]", "length": "1bar", "name": "B"}));
    call(&api, "svc-update-clip", &json!({"path": "t0[1|1],t0[3|1]", "looping": false}));
    assert_eq!(lane(&api, "t0"), ["A t0[1|1] 2bar", "B t0[3|1] 1bar"]);
    let folder = tempfile::tempdir().expect("a folder");
    for (more, length) in [(json!({"warping": false}), "4bar"), (json!({"sourceTempo": 240}), "2bar")] {
        let api = audio(&folder, &[("A", "t2[1|1]"), ("B", "t2[2|1]")]);
        let list = call(&api, "svc-update-clip", &and(json!({"path": "t2[1|1],t2[2|1]"}), &more));
        assert_eq!(lane(&api, "t2"), ["A t2[1|1] 1bar".to_owned(), format!("B t2[2|1] {length}")], "{more}: {list}");
        assert!(!said(&list[0]).contains("not as asked"), "{list}");
    }
}

#[test]
fn refused_targets_stay_in_place() {
    let too_high = "pitch += 200";
    for on in ["t0", "t0/l0"] {
        for more in [json!({"length": "4bar"}), json!({"duplicateLoop": true})] {
            for by_id in [false, true] {
                let (a, b) = (format!("{on}[3|1]"), format!("{on}[4|1]"));
                let api = made(&[(&b, "1bar", "B", false), ("t1[1|1]", "1bar", "other", false)]);
                let clip = json!({"path": a, "length": "1bar", "looping": false, "name": "A", "notes": "C3 D3 1|1"});
                let id = api.ok("svc-create-clip", clip)["id"].clone();
                let other = api.ok("svc-read-clip", json!({"path": "t1[1|1]"}))["id"].clone();
                let named = if by_id {
                    json!({"id": format!("{},{}", id.as_str().unwrap(), other.as_str().unwrap())})
                } else {
                    json!({"path": format!("{a},t1[1|1]")})
                };
                let (before, main) = (lane(&api, on), lane(&api, "t0"));
                let arguments = and(named, &json!({"toPath": "[1|1],[9|1]", "transforms": too_high}));
                let arguments = and(arguments, &more);
                let list = call(&api, "svc-update-clip", &arguments);
                assert_eq!((&list[0]["ok"], list[1].get("ok")), (&json!(false), None), "{arguments}: {list}");
                assert!(!said(&list[0]).contains("already changed"), "{list}");
                assert_eq!((lane(&api, on), lane(&api, "t0")), (before, main), "{arguments}: {list}");
                assert_eq!(api.ok("svc-read-clip", json!({"path": a}))["id"], id, "{list}");
            }
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let api = audio(&folder, &[("A", "t2[3|1]"), ("B", "t2[9|1]")]);
    api.ok("svc-update-clip", json!({"path": "t2[3|1]", "warping": false, "arrangementLength": "1bar"}));
    api.ok("svc-update-clip", json!({"path": "t2[9|1]", "toPath": "[4|1]"}));
    let before = lane(&api, "t2");
    let list =
        call(&api, "svc-update-clip", &json!({"path": "t2[3|1],t2[4|1]", "toPath": "[1|1],[4|1]", "length": "8bar"}));
    assert_eq!(list[0]["ok"], false, "{list}");
    assert_eq!(lane(&api, "t2")[0], before[0], "{list}");
}

#[test]
fn refused_targets_that_waited_return() {
    let notes = |first: &str, second: &str| {
        let api = Api::new();
        let clips = json!({"path": "t0[1|1],t0[2|1]", "length": "1bar", "name": "A,B", "notes": [first, second]});
        api.ok("svc-create-clip", clips);
        let arguments = json!({"path": "t0[2|1],t0[1|1]", "toPath": "[1|3],[2|1]", "transforms": "pitch += 200"});
        let list = call(&api, "svc-update-clip", &arguments);
        assert_eq!(list[1]["ok"], false, "{list}");
        (lane(&api, "t0"), list)
    };
    // B goes over the place of A, which waits; both are refused, or A alone.
    let (then, list) = notes("C3 D3 1|1", "C3 D3 1|1");
    assert_eq!(then, ["A t0[1|1] 1bar", "B t0[2|1] 1bar"], "{list}");
    assert!(said(&list[1]).contains("it is back at t0[1|1] (id "), "{list}");
    let (then, list) = notes("C3 D3 1|1", "C3 1|1");
    assert_eq!(then, ["B t0[1|3] 1bar", "A t0[3|2] 1bar"], "{list}");
    assert!(said(&list[1]).contains("it was put aside and is at t0[3|2] (id "), "{list}");
}

#[test]
fn overwritten_refused_targets_are_named() {
    let api = made(&[("t0[1|1]", "1bar", "A", true), ("t0[2|1]", "1bar", "B", true), ("t0[3|1]", "1bar", "C", true)]);
    let arguments = json!({"path": "t0[1|1],t0[2|1],t0[3|1]", "toPath": "[2|1],[3|1],t2[1|1]"});
    let list = call(&api, "svc-update-clip", &arguments);
    let gone = json!({"path": "t0[3|1]", "ok": false, "deleted": true});
    assert_eq!((&list[2]["path"], &list[2]["ok"], &list[2]["deleted"]), (&gone["path"], &gone["ok"], &gone["deleted"]));
    assert!(said(&list[2]).ends_with("the clip is MIDI; overwritten by t0[3|1], in this call"), "{list}");
    assert!(said(&list[1]).contains("overwrote t0[3|1] (id "), "{list}");
    // So is what takes the place of one that could not be written.
    let api = made(&[("t0[1|1]", "1bar", "A", true), ("t0[3|1]", "1bar", "B", true)]);
    api.ok("svc-update-clip", json!({"path": "t0[3|1]", "toPath": "t0[2|1]", "notes": "C3 D3 1|1"}));
    let arguments = json!({"path": "t0[2|1],t0[1|1]", "transforms": "pitch += 200", "arrangementLength": "3bar"});
    let list = call(&api, "svc-update-clip", &arguments);
    assert_eq!((&list[0]["ok"], &list[0]["deleted"]), (&json!(false), &json!(true)), "{list}");
    assert!(said(&list[0]).contains("; overwritten by t0[1|1] (id "), "{list}");
    // None is lengthened over one that stays.
    let api = made(&[("t0[1|1]", "1bar", "A", false), ("t0[2|1]", "1bar", "B", false)]);
    let grown = json!({"path": "t0[1|1],t0[2|1]", "start": "1|1,1000000|1", "length": "4bar"});
    let list = call(&api, "svc-update-clip", &grown);
    assert_eq!(list[1]["ok"], false, "{list}");
    assert_eq!(lane(&api, "t0"), ["A t0[1|1] 1bar", "B t0[2|1] 1bar"], "{list}");
}

#[test]
fn lengths_are_those_at_the_end() {
    for on in ["t0", "t0/l0"] {
        let (a, b) = (format!("{on}[1|1]"), format!("{on}[11|1]"));
        let api = made(&[(&a, "2bar", "A", false), (&b, "2bar", "B", false)]);
        let arguments = json!({"path": format!("{a},{b}"), "toPath": format!("{a},{on}[2|1]"), "duplicateLoop": true});
        let list = call(&api, "svc-update-clip", &arguments);
        let read = api.ok("svc-read-clip", json!({"path": a, "include": ["timing"]}));
        assert_eq!((&list[0]["length"], &read["length"]), (&json!("1bar"), &json!("1bar")), "{list}");
        assert_eq!(list[1]["length"], "4bar", "{list}");
    }
    // The entry's remark says the same.
    let folder = tempfile::tempdir().expect("a folder");
    let api = audio(&folder, &[("A", "t2[1|1]"), ("B", "t2[11|1]")]);
    let arguments = json!({"path": "t2[1|1],t2[11|1]", "toPath": "[1|1],[3|1]", "warping": false});
    let list = call(&api, "svc-update-clip", &arguments);
    assert!(said(&list[0]).contains("covers 2bar"), "{list}");
}

#[test]
fn what_leaves_a_lane_stays_short() {
    for to in ["t0", "t0/s0", "t1/l0[1|1]"] {
        for more in [json!({"length": "3bar"}), json!({"duplicateLoop": true})] {
            let api = made(&[("t0/l0[1|1]", "1bar", "A", false)]);
            call(&api, "svc-update-clip", &and(json!({"path": "t0/l0[1|1]", "toPath": to}), &more));
            assert_eq!(lane(&api, "t0/l0"), ["moved: A t0/l0[1|1] 1bar"], "{to} {more}");
        }
    }
}

#[test]
fn shortened_notes_exist_at_the_end() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s2", "length": "1bar", "notes": "n/16 C3 1|1,1.1"}));
    let quantized = json!({"path": "t0/s2", "notes": "n/4 C3 1|1.2", "quantize": 1, "quantizeGrid": "1/4"});
    let entry = api.ok("svc-update-clip", quantized);
    assert_eq!(entry["noteCount"], 1, "{entry}");
    assert!(!said(&entry).contains("shortened"), "{entry}");
    // A note that is still there is named.
    api.ok("svc-create-clip", json!({"path": "t0/s3", "length": "1bar", "notes": "C3 1|1"}));
    let quantized = json!({"path": "t0/s3", "notes": "C3 1|1.5", "quantize": 0.1, "quantizeGrid": "1/16"});
    let entry = api.ok("svc-update-clip", quantized);
    assert!(said(&entry).contains("1 note was shortened"), "{entry}");
}

#[test]
fn paths_are_those_before_the_call() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0[5|1.3333]", "length": "1bar", "name": "trimmed"}));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "n/12"}));
    let copy = json!({"type": "clip", "path": "t0/s0", "toPath": "t0[5|1]", "arrangementLength": "4bar"});
    let list = api.ok("svc-duplicate", copy);
    assert!(said(&list[0]).contains("overwrote t0[5|1.3333] (id "), "{list}");
}
