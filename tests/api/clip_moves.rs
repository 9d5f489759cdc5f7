//! `svc-update-clip`: where clips are. Moves, lengths, cuts, take lanes, and what they cost the clips around.

use crate::support::Api;
use serde_json::{Value, json};

const TOOL: &str = "svc-update-clip";

/// Puts a MIDI clip on the timeline: track, quarter beats, its name. It holds a note on each of its beats.
fn place(api: &Api, track: usize, start: u32, length: u32, name: &str) -> String {
    let path = format!("live_set tracks {track}");
    api.call(&path, "create_midi_clip", json!([start, length]));
    let spelled = format!("t{track}[{}|{}]", start / 4 + 1, start % 4 + 1);
    let clip = api.ok("svc-read-clip", json!({ "path": spelled }));
    assert_eq!(clip["path"], spelled);
    let id = clip["id"].as_str().expect("an id").to_owned();
    api.ok(TOOL, json!({"id": id, "name": name, "looping": false}));
    id
}

/// The clips of a lane: name, first and last beat.
fn lane(api: &Api, path: &str) -> Vec<(String, f64, f64)> {
    let count = api.raw_call(path, json!([{"type": "getcount", "property": "arrangement_clips"}]));
    let count = count["results"][0]["result"].as_u64().expect("a count");
    (0..count)
        .map(|at| {
            let clip = format!("{path} arrangement_clips {at}");
            let number = |member| api.get(&clip, member)[0].as_f64().expect("a number");
            (
                api.get(&clip, "name")[0].as_str().unwrap_or_default().to_owned(),
                number("start_time"),
                number("end_time"),
            )
        })
        .collect()
}

fn main_lane(api: &Api, track: usize) -> Vec<(String, f64, f64)> {
    lane(api, &format!("live_set tracks {track}"))
}

fn spans(list: &[(&str, f64, f64)]) -> Vec<(String, f64, f64)> {
    list.iter().map(|(name, start, end)| ((*name).to_owned(), *start, *end)).collect()
}

fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

#[test]
fn between_slots() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1,t0/s2", "notes": "C3 1|1", "name": "A,B,C"}));
    // In a chain each waits for the next to be gone.
    let list = api.ok(TOOL, json!({"path": "t0/s0,t0/s1,t0/s2", "toPath": "t0/s1,t0/s2,t1/s9"}));
    for (at, path) in ["t0/s1", "t0/s2", "t1/s9"].iter().enumerate() {
        assert_eq!(list[at]["path"], *path, "{list}");
        assert!(list[at]["id"].is_string() && list[at].get("detail").is_none(), "{list}");
    }
    assert_eq!(list[2]["created"], "s8-s9", "{list}");
    let name = |path: &str| api.ok("svc-read-clip", json!({ "path": path }))["name"].clone();
    assert_eq!([name("t0/s1"), name("t0/s2"), name("t1/s9")], ["A", "B", "C"]);
    assert!(api.refused("svc-read-clip", json!({"path": "t0/s0"})).contains("empty"));
    // Round in a circle none can go first.
    let circle = json!({"path": "t0/s1,t0/s2", "toPath": "t0/s2,t0/s1"});
    assert!(api.refused(TOOL, circle).contains("each other"));
    // What is there is replaced, and said.
    let entry = api.ok(TOOL, json!({"path": "t0/s1", "toPath": "t0/s2"}));
    assert_eq!(detail(&entry), "replaced the clip that was at t0/s2");
    assert_eq!(name("t0/s2"), "A");
    // It is there already.
    let entry = api.ok(TOOL, json!({"path": "t0/s2", "toPath": "t0/s2"}));
    assert!(detail(&entry).contains("already") && entry.get("ok").is_none(), "{entry}");
    // Old texts for slots.
    let envelope = api.envelope(TOOL, "", &json!({"path": "t0/s2", "toPath": "0/3"}));
    assert_eq!(envelope["result"]["path"], "t0/s3");
    assert!(envelope["warnings"][0].as_str().is_some_and(|w| w.contains("t0/s3")), "{envelope}");
}

#[test]
fn the_later_one_takes_the_place() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1,t0/s2", "notes": "C3 1|1", "name": "A,B,C"}));
    let list = api.ok(TOOL, json!({"path": "t0/s0,t0/s1,t0/s2", "toPath": "t0/s5,t0/s5,t0/s5"}));
    assert_eq!(
        (&list[0]["path"], &list[1]["path"], &list[2]["path"]),
        (&json!("t0/s0"), &json!("t0/s1"), &json!("t0/s5"))
    );
    for at in [0, 1] {
        assert!(list[at]["ok"] == false && detail(&list[at]).contains("takes its place"), "{list}");
    }
    assert!(detail(&list[0]).contains("t0/s5"), "{list}");
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s0"}))["name"], "A", "left as it was");
    // When the later one lands nothing, what gave way to it landed nothing either.
    let list = api.ok(TOOL, json!({"path": "t0/s0,t0/s0,t9/s0", "toPath": "t0/s6,t0/s7,t0/s6"}));
    assert!(list[0].get("ok").is_none() && list[2]["ok"] == false, "{list}");
    assert_eq!(list[1]["path"], "t0/s7");
    // On the timeline: all of it, or a part.
    let ids = [place(&api, 1, 0, 4, "X"), place(&api, 1, 8, 8, "Y")];
    let list = api.ok(TOOL, json!({"id": ids.join(","), "toPath": "t0[10|1],t0[9|3]"}));
    assert!(
        detail(&list[0]).contains("t0[9|3], later in this call, takes its place") && list[0]["id"] == json!(ids[0]),
        "{list}"
    );
    assert_eq!(main_lane(&api, 0), spans(&[("Y", 34.0, 42.0)]));
    let ids = [place(&api, 1, 0, 4, "X"), place(&api, 1, 8, 8, "Z")];
    let list = api.ok(TOOL, json!({"id": ids.join(","), "toPath": "t0[20|1],t0[20|3]"}));
    assert!(detail(&list[0]).contains("shortened by t0[20|3]"), "{list}");
    assert!(detail(&list[1]).is_empty(), "said once: {list}");
    assert_eq!(main_lane(&api, 0)[1..], spans(&[("X", 76.0, 78.0), ("Z", 78.0, 86.0)]));
}

#[test]
fn between_session_and_arrangement() {
    let api = Api::raw_enabled();
    let notes = "v100 n/4 C3 E3 1|1\nG3 2|1";
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": notes, "name": "A", "length": "2bar"}));
    let read = |path: &str| api.ok("svc-read-clip", json!({"path": path, "include": ["notes", "timing", "color"]}));
    let before = read("t0/s0");
    let entry = api.ok(TOOL, json!({"path": "t0/s0", "toPath": "[5|1]"}));
    assert_eq!((&entry["path"], entry.get("detail")), (&json!("t0[5|1]"), None), "{entry}");
    let there = read("t0[5|1]");
    assert_eq!(there["arrangementLength"], "2bar");
    let entry = api.ok(TOOL, json!({"path": "t0[6|2]", "toPath": "t1/s3"}));
    assert_eq!((&entry["path"], entry.get("detail")), (&json!("t1/s3"), None), "{entry}");
    assert_eq!(main_lane(&api, 0), []);
    let after = read("t1/s3");
    for field in ["name", "notes", "start", "end", "looping", "color", "timeSignature"] {
        assert_eq!((&there[field], &after[field]), (&before[field], &before[field]), "{field}");
    }
    // A track alone keeps the time, a moment alone the lane; a session clip has no time to keep.
    let said = api.refused(TOOL, json!({"path": "t1/s3", "toPath": "t0"}));
    assert!(said.contains("t0[1|1]"), "{said}");
    let id = place(&api, 0, 8, 4, "B");
    let entry = api.ok(TOOL, json!({"id": id, "toPath": "t1"}));
    assert_eq!(entry["path"], "t1[3|1]");
    api.ok(
        "svc-update-live-set",
        json!({"locatorOperation": "create", "locatorTime": "7|1", "locatorName": "Drop, 1"}),
    );
    let entry = api.ok(TOOL, json!({"path": "t1[3|1]", "toPath": "[loc:Drop, 1]"}));
    assert_eq!(entry["path"], "t1[7|1]", "{entry}");
    // Onto itself, both ways along its lane.
    for (to, from) in [("[7|3]", 26.0), ("[7|2]", 25.0), ("[8|1]", 28.0)] {
        api.ok(TOOL, json!({"id": api.id("live_set tracks 1 arrangement_clips 0"), "toPath": to}));
        assert_eq!(main_lane(&api, 1), spans(&[("B", from, from + 4.0)]));
    }
    // Shared places, and ones that cannot be.
    let ids = [place(&api, 0, 0, 4, "C"), place(&api, 1, 0, 4, "D")].join(",");
    let list = api.ok(TOOL, json!({"id": ids, "toPath": "[20|1]"}));
    assert_eq!((&list[0]["path"], &list[1]["path"]), (&json!("t0[20|1]"), &json!("t1[20|1]")));
    for to in ["t0[3|1]", "t0/s0", "t0[1|1],t0[2|1],t0[3|1]"] {
        let ids = format!("{},{}", list[0]["id"].as_str().unwrap(), list[1]["id"].as_str().unwrap());
        assert!(api.refused(TOOL, json!({"id": ids, "toPath": to})).contains("toPath"), "{to}");
    }
}

#[test]
fn a_place_that_cannot_be_is_refused_or_skipped() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1", "notes": "C3 1|1"}));
    for (to, words) in [
        ("x", "no path"),
        ("mt", "main tracks"),
        ("rt0", "main tracks"),
        ("s0", "clips go to"),
        ("t0/d0", "clips go to"),
        ("t+", "clips go to"),
        ("t0/l+", "l+[1|1]"),
        ("t0/s1000", "s999"),
        ("t0/s0,,t0/s1", "empty"),
    ] {
        let said = api.refused(TOOL, json!({"path": "t0/s0", "name": "N", "toPath": to}));
        assert!((said.contains("toPath") || to == "t0/l+") && said.contains(words), "{to}: {said}");
    }
    // Those depend on the Set: nothing of what was asked of that clip is done.
    for (to, words) in [
        ("t2/s0", "t2 (id "),
        ("t9/s0", "t9"),
        ("t2[1|1]", "is an audio track; the clip is MIDI"),
        ("[loc:Nowhere]", "Nowhere"),
        ("t0/l10[1|1]", "l9"),
        ("t0[1|1-n/4]", "before 1|1"),
    ] {
        let list = api.ok(TOOL, json!({"path": "t0/s0,t0/s1", "name": "N", "toPath": format!("{to},t0/s1")}));
        assert_eq!((&list[0]["path"], &list[0]["ok"]), (&json!("t0/s0"), &json!(false)), "{list}");
        assert!(detail(&list[0]).contains(words), "{to}: {list}");
        assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s0"})).get("name"), None);
        assert!(api.refused(TOOL, json!({"path": "t0/s0", "name": "N", "toPath": to})).contains(words));
    }
}

#[test]
fn what_lies_in_the_way_is_told() {
    for (to, lane_after, words) in [
        ("t0[2|1]", vec![("N", 4.0, 8.0), ("B", 8.0, 16.0)], "overwrote t0[2|1] (id "),
        ("t0[2|3]", vec![("A", 4.0, 6.0), ("N", 6.0, 10.0), ("B", 10.0, 16.0)], "shortened t0[2|1] (id "),
        ("t0[3|2]", vec![("A", 4.0, 8.0), ("B", 8.0, 9.0), ("N", 9.0, 13.0), ("B", 13.0, 16.0)], "split t0[3|1] (id "),
        ("t0[10|1]", vec![("A", 4.0, 8.0), ("B", 8.0, 16.0), ("N", 36.0, 40.0)], ""),
    ] {
        let api = Api::raw_enabled();
        place(&api, 0, 4, 4, "A");
        place(&api, 0, 8, 8, "B");
        let new = place(&api, 1, 0, 4, "N");
        let entry = api.ok(TOOL, json!({"id": new, "toPath": to}));
        assert!(detail(&entry).contains(words) && detail(&entry).is_empty() == words.is_empty(), "{to}: {entry}");
        assert_eq!(main_lane(&api, 0), spans(&lane_after), "{to}");
        match to {
            "t0[2|3]" => {
                let both = detail(&entry);
                assert!(both.contains("; shortened t0[3|3] (id ") && both.contains("which began at t0[3|1]"), "{both}");
            }
            "t0[3|2]" => assert!(detail(&entry).contains("into t0[3|1] and t0[4|2] (id "), "{entry}"),
            _ => {}
        }
    }
}

#[test]
fn the_length_on_the_timeline() {
    // Looping, its loop, length before, length wanted; the lane after, and the start of each clip in its content.
    type Case = (bool, u32, u32, &'static str, Vec<(f64, f64, f64)>);
    let cases: Vec<Case> = vec![
        (false, 4, 4, "2bar", vec![(0.0, 8.0, 0.0)]),
        (false, 8, 8, "1bar", vec![(0.0, 4.0, 0.0)]),
        (true, 4, 4, "n/2", vec![(0.0, 2.0, 0.0)]),
        (true, 4, 4, "3bar", vec![(0.0, 4.0, 0.0), (4.0, 8.0, 0.0), (8.0, 12.0, 0.0)]),
        (true, 4, 4, "2bar+n/2", vec![(0.0, 4.0, 0.0), (4.0, 8.0, 0.0), (8.0, 10.0, 0.0)]),
        // A splinter of a loop grows to the loop first; one that does not end with the loop goes on in its middle.
        (true, 8, 2, "4bar", vec![(0.0, 8.0, 0.0), (8.0, 16.0, 0.0)]),
        (true, 4, 6, "3bar", vec![(0.0, 6.0, 0.0), (6.0, 12.0, 2.0)]),
        (true, 4, 4, "1bar", vec![(0.0, 4.0, 0.0)]),
    ];
    for (looping, loop_beats, length, wanted, after) in cases {
        let api = Api::raw_enabled();
        let id = place(&api, 0, 0, length, "A");
        let clip = "live_set tracks 0 arrangement_clips 0";
        if looping {
            api.set(clip, "looping", json!(1));
            api.set(clip, "loop_end", json!(loop_beats));
        }
        let answer = api.ok(TOOL, json!({"id": id, "arrangementLength": wanted}));
        let entries: Vec<Value> = match answer {
            Value::Array(list) => list,
            one => vec![one],
        };
        assert_eq!(entries.len(), after.len(), "{wanted}: {entries:?}");
        assert_eq!(entries[0]["id"], json!(id));
        for (entry, (start, ..)) in entries.iter().zip(&after) {
            let at = *start as u32;
            assert_eq!(entry["path"], format!("t0[{}|{}]", at / 4 + 1, at % 4 + 1), "{entries:?}");
            assert!(entry.get("detail").is_none(), "{entries:?}");
        }
        let lane: Vec<(f64, f64, f64)> = (0..after.len())
            .map(|at| {
                let member = |name| {
                    api.get(&format!("live_set tracks 0 arrangement_clips {at}"), name)[0].as_f64().expect("a number")
                };
                (member("start_time"), member("end_time"), member("start_marker"))
            })
            .collect();
        assert_eq!(lane, after, "{wanted}");
        assert_eq!(main_lane(&api, 0).len(), after.len(), "nothing was left over");
        let read = api.ok("svc-read-clip", json!({"id": id}));
        if after.len() == 1 {
            let bars = |text: &str| text.to_owned();
            assert!([bars(wanted), "n/2".to_owned()].iter().any(|w| read["arrangementLength"] == json!(w)), "{read}");
        }
    }
}

#[test]
fn lengths_that_cannot_be_and_what_they_run_into() {
    let api = Api::raw_enabled();
    let wav = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/half.wav");
    api.call("live_set tracks 2", "create_audio_clip", json!([wav, 0]));
    // Half a second at 120 BPM is a beat.
    let entry = api.ok(TOOL, json!({"path": "t2[1|1]", "arrangementLength": "n/8"}));
    assert!(entry.get("detail").is_none(), "{entry}");
    let entry = api.ok(TOOL, json!({"path": "t2[1|1]", "arrangementLength": "1bar"}));
    assert!(detail(&entry).contains("ends there: it covers n/4"), "{entry}");
    assert_eq!(main_lane(&api, 2), spans(&[("half", 0.0, 1.0)]));
    api.ok(TOOL, json!({"path": "t2[1|1]", "name": "x"}));
    let entry = api.ok(TOOL, json!({"path": "t2[1|1]", "arrangementLength": "1bar", "name": "half"}));
    assert!(detail(&entry).contains("nothing more to show"), "{entry}");
    // A session clip, a take lane, no length at all.
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    let entry = api.ok(TOOL, json!({"path": "t0/s0", "arrangementLength": "2bar", "name": "S"}));
    assert!(detail(&entry).contains("session clip: arrangementLength ignored"), "{entry}");
    assert!(api.refused(TOOL, json!({"path": "t0/s0", "arrangementLength": "2bar"})).contains("session clip"));
    for length in ["4", "0bar", "1bar-n/1", "x"] {
        let said = api.refused(TOOL, json!({"path": "t2[1|1]", "arrangementLength": length}));
        assert!(said.contains("arrangementLength"), "{length}: {said}");
    }
    // Longer, over what follows.
    let first = place(&api, 0, 0, 4, "A");
    place(&api, 0, 6, 4, "B");
    let entry = api.ok(TOOL, json!({"id": first, "arrangementLength": "2bar"}));
    assert!(
        detail(&entry).contains("shortened t0[3|1] (id ") && detail(&entry).ends_with("began at t0[2|3]"),
        "{entry}"
    );
    assert_eq!(main_lane(&api, 0), spans(&[("A", 0.0, 8.0), ("B", 8.0, 10.0)]));
    // Of two in one call the later one keeps its place.
    api.ok(TOOL, json!({"id": first, "arrangementLength": "1bar"}));
    let list = api.ok(TOOL, json!({"path": "t0[1|1],t0[3|1]", "arrangementLength": "3bar,1bar"}));
    assert!(detail(&list[0]).contains("takes its place") || detail(&list[0]).contains("shortened"), "{list}");
    assert_eq!(main_lane(&api, 0).last(), spans(&[("B", 8.0, 12.0)]).last());
    // Moving and lengthening in one call.
    let moved = api.ok(TOOL, json!({"path": "t0[1|1]", "toPath": "t1[2|1]", "arrangementLength": "2bar"}));
    assert_eq!(moved["path"], "t1[2|1]");
    assert_eq!(main_lane(&api, 1), spans(&[("A", 4.0, 12.0)]));
}

#[test]
fn cuts() {
    let api = Api::raw_enabled();
    let id = place(&api, 0, 4, 12, "A");
    let notes = json!({"id": id, "notes": "C3 1|1 D3 2|1 E3 3|1"});
    api.ok(TOOL, notes);
    let list = api.ok(TOOL, json!({"id": id, "arrangementSplit": "4|1, 3|1, 9|1", "name": "P", "color": "#FF3636"}));
    assert_eq!(list.as_array().map(Vec::len), Some(3), "{list}");
    assert_eq!(list[0]["id"], json!(id));
    for (at, path) in ["t0[2|1]", "t0[3|1]", "t0[4|1]"].iter().enumerate() {
        assert_eq!(list[at]["path"], *path, "{list}");
        let read = api.ok("svc-read-clip", json!({"path": path, "include": ["color", "notes"]}));
        assert_eq!((&read["name"], &read["color"]), (&json!("P"), &json!("#FF3636")));
    }
    assert_eq!(main_lane(&api, 0), spans(&[("P", 4.0, 8.0), ("P", 8.0, 12.0), ("P", 12.0, 16.0)]));
    // A position at an edge or outside is passed over, for one clip; when none cuts anything, that is said.
    let list = api.ok(TOOL, json!({"path": "t0[2|1],t0[3|1]", "arrangementSplit": "2|3"}));
    assert_eq!(list.as_array().map(Vec::len), Some(3), "{list}");
    assert!(list[2].get("detail").is_none() && list[2].get("ok").is_none(), "{list}");
    let entry = api.ok(TOOL, json!({"path": "t0[3|1]", "arrangementSplit": "3|1,77|1"}));
    assert!(detail(&entry).contains("nothing was cut") && entry.get("ok").is_none(), "{entry}");
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    assert!(api.refused(TOOL, json!({"path": "t0/s0", "arrangementSplit": "1|3"})).contains("session clip"));
    let many = (2..36).map(|bar| format!("{bar}|1")).collect::<Vec<_>>().join(",");
    for (more, words) in [
        (json!({"arrangementSplit": "3"}), "arrangementSplit"),
        (json!({"arrangementSplit": "loc:Nowhere"}), "Nowhere"),
        (json!({"arrangementSplit": many}), "32"),
        (json!({"arrangementSplit": "3|1", "toPath": "t1"}), "toPath"),
        (json!({"arrangementSplit": "3|1", "arrangementLength": "1bar"}), "arrangementLength"),
        (json!({"arrangementSplit": "3|1", "split": "1|2"}), "deprecated"),
        // Unreadable for one clip refuses all: a cut cannot be undone.
        (json!({"arrangementSplit": "3|3", "length": "1bar-n/1"}), "length"),
    ] {
        let mut call = more;
        call["path"] = json!("t0[3|1]");
        let said = api.refused(TOOL, call.clone());
        assert!(said.contains(words), "{call}: {said}");
    }
    // The old spelling counts from the clip's own beginning.
    let envelope = api.envelope(TOOL, "", &json!({"path": "t0[4|1]", "split": "1|2"}));
    assert_eq!(envelope["result"][1]["path"], "t0[4|2]", "{envelope}");
    assert!(envelope["warnings"][0].as_str().is_some_and(|w| w.contains("arrangementSplit")), "{envelope}");
}

#[test]
fn take_lanes() {
    let api = Api::raw_enabled();
    let id = place(&api, 0, 0, 4, "A");
    api.ok(TOOL, json!({"id": id, "notes": "C3 1|1"}));
    // Onto a lane that is not there yet.
    let entry = api.ok(TOOL, json!({"id": id, "toPath": "t0/l1"}));
    assert_eq!((&entry["path"], &entry["created"]), (&json!("t0/l1[1|1]"), &json!("l0-l1")), "{entry}");
    assert_eq!(main_lane(&api, 0), []);
    // What is on a lane keeps its length and is not cut.
    let on_lane = entry["id"].as_str().expect("an id").to_owned();
    for more in [json!({"arrangementLength": "2bar"}), json!({"arrangementSplit": "1|3"})] {
        let mut call = more;
        call["id"] = json!(on_lane);
        assert!(api.refused(TOOL, call.clone()).contains("take lane"));
        call["name"] = json!("A");
        assert!(detail(&api.ok(TOOL, call)).contains("take lane"));
    }
    // Off it: a new clip, and a leftover that cannot be deleted.
    let entry = api.ok(TOOL, json!({"id": on_lane, "toPath": "t0[3|1]"}));
    assert_eq!(entry["path"], "t0[3|1]");
    assert!(detail(&entry).contains(&format!("t0/l1[1|1] (id {on_lane})")) && detail(&entry).contains("by hand"));
    let left = api.ok("svc-read-clip", json!({"id": on_lane}));
    assert_eq!((&left["muted"], &left["noteCount"], &left["name"]), (&json!(true), &json!(0), &json!("moved: A")));
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t0[3|1]"}))["noteCount"], 1);
    // A bare moment keeps the lane, and both halves of what it cuts through are emptied.
    let lane_clip = api.ok(TOOL, json!({"path": "t0[3|1]", "toPath": "t0/l0[9|1]"}));
    let moved = api.ok(TOOL, json!({"id": lane_clip["id"], "toPath": "[9|3]"}));
    assert_eq!(moved["path"], "t0/l0[9|3]", "{moved}");
    let lanes = lane(&api, "live_set tracks 0 take_lanes 0");
    assert_eq!(lanes, spans(&[("moved: A", 32.0, 34.0), ("A", 34.0, 38.0)]));
}

#[test]
fn earlier_spellings_of_a_place() {
    let api = Api::raw_enabled();
    let warned = |arguments: Value| {
        let envelope = api.envelope(TOOL, "", &arguments);
        assert_eq!(envelope["isError"], false, "{arguments}: {envelope}");
        let warnings = envelope["warnings"].as_array().cloned().unwrap_or_default();
        assert_eq!(warnings.len(), 1, "{envelope}");
        (envelope["result"].clone(), warnings[0].as_str().unwrap_or_default().to_owned())
    };
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1", "notes": "C3 1|1"}));
    let (result, warning) = warned(json!({"path": "t0/s0", "toSlot": "0/3"}));
    assert_eq!(result["path"], "t0/s3");
    assert_eq!(warning, "\"toSlot\" is deprecated and will be removed; send toPath: \"t0/s3\" instead");
    let (result, warning) = warned(json!({"path": "t0/s3,t0/s1", "arrangementStart": "5|1,9|1"}));
    assert_eq!((&result[0]["path"], &result[1]["path"]), (&json!("t0[5|1]"), &json!("t0[9|1]")), "{result}");
    assert!(warning.contains("toPath: \"[5|1],[9|1]\""), "{warning}");
    // A track for all of them, beside a position for each.
    let (result, warning) = warned(json!({"path": "t0[5|1],t0[9|1]", "toPath": "t1", "arrangementStart": "1|1,2|1"}));
    assert_eq!((&result[0]["path"], &result[1]["path"]), (&json!("t1[1|1]"), &json!("t1[2|1]")), "{result}");
    assert!(warning.contains("t1[1|1],t1[2|1]"), "{warning}");
    for more in [
        json!({"toPath": "t0/s0", "toSlot": "0/0"}),
        json!({"toPath": "t0[1|1]", "arrangementStart": "1|1"}),
        json!({"toPath": "t0/s0", "arrangementStart": "1|1"}),
        json!({"toSlot": "0/0", "arrangementStart": "1|1"}),
    ] {
        let mut call = more;
        call["path"] = json!("t1[1|1]");
        let said = api.refused(TOOL, call.clone());
        assert!(said.contains("deprecated") && said.contains("leave out"), "{call}: {said}");
    }
    for blank in ["toPath", "toSlot", "arrangementStart", "arrangementLength", "arrangementSplit", "split"] {
        assert!(api.refused(TOOL, json!({"path": "t1[1|1]", blank: ""})).contains("nothing to write"), "{blank}");
    }
    assert!(api.refused(TOOL, json!({"path": "t1[1|1]", "duplicateLoop": false})).contains("nothing to write"));
}

#[test]
fn lengths_beyond_all_bounds_are_refused_before_anything_is_done() {
    let api = Api::raw_enabled();
    let clip = "live_set tracks 0 arrangement_clips 0";
    place(&api, 0, 0, 1, "A");
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "n/4", "looping": true}));
    let before = main_lane(&api, 0);
    for looping in [0, 1] {
        api.set(clip, "looping", json!(looping));
        let said = api.refused(TOOL, json!({"path": "t0[1|1]", "arrangementLength": "999999bar"}));
        assert!(said.contains("999999bar") && said.contains("1000000"), "{said}");
    }
    // Too many copies, counted over the call.
    for call in [
        json!({"path": "t0[1|1]", "arrangementLength": "2000bar"}),
        json!({"path": "t0/s0", "toPath": "t1[1|1]", "arrangementLength": "2000bar"}),
    ] {
        let said = api.refused(TOOL, call.clone());
        for words in ["7999 copies", "at most 1000", "looping off"] {
            assert!(said.contains(words), "{call}: {said}");
        }
    }
    for call in [
        json!({"type": "clip", "path": "t0/s0", "toPath": "t1[1|1]", "arrangementLength": "2000bar"}),
        json!({"type": "clip", "path": "t0/s0", "toPath": "t1[1|1],t1[500|1]", "arrangementLength": "150bar"}),
        json!({"type": "scene", "path": "s0", "toPath": "[1|1]", "arrangementLength": "2000bar"}),
    ] {
        let said = api.refused("svc-duplicate", call.clone());
        assert!(said.contains("at most 1000"), "{call}: {said}");
    }
    assert_eq!((main_lane(&api, 0), main_lane(&api, 1).len()), (before, 0));
    let list = api.ok(TOOL, json!({"path": "t0[1|1]", "arrangementLength": "200bar"}));
    assert_eq!(list.as_array().map(Vec::len), Some(800));
    // Past the last position of the arrangement.
    place(&api, 1, 1_500_000, 4, "B");
    let said = api.refused(TOOL, json!({"path": "t1[375001|1]", "arrangementLength": "100000bar"}));
    assert!(said.contains("last position"), "{said}");
}

#[test]
fn copies_over_their_own_source_say_so() {
    let api = Api::raw_enabled();
    place(&api, 0, 0, 8, "A");
    // Each is made of the whole clip, also where the one before it went over that.
    let list = api.ok("svc-duplicate", json!({"type": "clip", "path": "t0[1|1]", "toPath": "t0[2|1],t0[2|3]"}));
    assert_eq!(main_lane(&api, 0), spans(&[("A", 0.0, 4.0), ("A", 4.0, 6.0), ("A", 6.0, 14.0)]), "{list}");
    assert!(detail(&list[0]).starts_with("shortened t0[1|1]"), "{list}");
    assert_eq!(detail(&list[1]), "", "{list}");
    // Of a clip on a take lane, where none can be deleted, the copy waits on the main lane.
    api.ok("svc-create-clip", json!({"path": "t1/l0[1|1]", "length": "2bar"}));
    let call = json!({"type": "clip", "path": "t1/l0[1|1]", "toPath": "t1/l0[2|1],t1/l0[2|3]"});
    let list = api.ok("svc-duplicate", call);
    assert_eq!((&list[0]["path"], &list[1]["path"]), (&json!("t1/l0[2|1]"), &json!("t1/l0[2|3]")), "{list}");
    assert!(main_lane(&api, 1).is_empty(), "{list}");
}
