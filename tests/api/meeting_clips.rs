//! `svc-update-clip`: clips of one call that come to lie over each other. The lane is as if they had been written in
//! the order of the call, and each entry says what its clip lost.

use super::clip_updates::{TOOL, detail};
use crate::support::Api;
use serde_json::{Value, json};

/// Name, path and length of the clips of a track's main lane.
fn lane(api: &Api, track: &str) -> Vec<String> {
    let read = api.ok("svc-read-track", json!({"path": track, "include": ["arrangement-clips"]}));
    let clips = read["arrangementClips"].as_array().cloned().unwrap_or_default();
    let word = |clip: &Value, field: &str| clip[field].as_str().unwrap_or_default().to_owned();
    clips.iter().map(|c| ["name", "path", "arrangementLength"].map(|field| word(c, field)).join(" ")).collect()
}

/// A at bar 1 and B at bar 2, a bar each; `#A` and `#B` stand for their ids.
fn neighbours(looping: bool) -> (Api, [String; 2]) {
    let api = Api::raw_enabled();
    let call =
        json!({"path": "t0[1|1],t0[2|1]", "name": "A,B", "notes": "C3 1|1", "length": "1bar", "looping": looping});
    let list = api.ok("svc-create-clip", call);
    let ids = [0, 1].map(|at| list[at]["id"].as_str().expect("an id").to_owned());
    (api, ids)
}

#[test]
fn each_says_what_it_lost() {
    let unlooped = false;
    let looped = true;
    // Whether they loop, what is asked; path and detail of each entry, a clip that is gone without an id; track and
    // lane then.
    for (looping, call, entries, track, then) in [
        // Only lengths: the first ends where the second begins.
        (
            unlooped,
            json!({"path": "t0[1|1],t0[2|1]", "arrangementLength": "2bar"}),
            vec![("t0[1|1]", "shortened: t0[2|1] (id #B) is named later in this call"), ("t0[2|1]", "")],
            "t0",
            vec!["A t0[1|1] 1bar", "B t0[2|1] 2bar"],
        ),
        (
            looped,
            json!({"path": "t0[2|1],t0[1|1]", "arrangementLength": "2bar"}),
            vec![
                ("t0[2|1]", "overwritten by t0[1|1] (id #A), named later in this call"),
                ("t0[3|1]", ""),
                ("t0[1|1]", ""),
                ("t0[2|1]", ""),
            ],
            "t0",
            vec!["A t0[1|1] 1bar", "A t0[2|1] 1bar", "B t0[3|1] 1bar"],
        ),
        // The second makes way, so the first is as long as asked.
        (
            unlooped,
            json!({"path": "t0[1|1],t0[2|1]", "arrangementLength": "2bar", "toPath": "t0[1|1],t0[9|1]"}),
            vec![("t0[1|1]", "it is at t0[1|1] already"), ("t0[9|1]", "")],
            "t0",
            vec!["A t0[1|1] 2bar", "B t0[9|1] 2bar"],
        ),
        // It makes way a part of the way: the first ends where it will begin, not where it was.
        (
            unlooped,
            json!({"path": "t0[1|1],t0[2|1]", "arrangementLength": "4bar", "toPath": "t0[1|1],t0[4|1]"}),
            vec![
                ("t0[1|1]", "it is at t0[1|1] already; shortened: t0[4|1] is named later in this call"),
                ("t0[4|1]", ""),
            ],
            "t0",
            vec!["A t0[1|1] 3bar", "B t0[4|1] 4bar"],
        ),
        (
            looped,
            json!({"path": "t0[1|1],t0[2|1]", "arrangementLength": "4bar", "toPath": "t0[9|1],t0[11|1]"}),
            vec![
                ("t0[9|1]", "shortened: t0[11|1] is named later in this call"),
                ("t0[10|1]", ""),
                ("t0[11|1]", ""),
                ("t0[12|1]", ""),
                ("t0[13|1]", ""),
                ("t0[14|1]", ""),
            ],
            "t0",
            vec![
                "A t0[9|1] 1bar",
                "A t0[10|1] 1bar",
                "B t0[11|1] 1bar",
                "B t0[12|1] 1bar",
                "B t0[13|1] 1bar",
                "B t0[14|1] 1bar",
            ],
        ),
        (
            looped,
            json!({"path": "t0[1|1],t0[2|1]", "arrangementLength": "2bar", "toPath": "t1"}),
            vec![("t1[1|1]", "shortened: t1[2|1] is named later in this call"), ("t1[2|1]", ""), ("t1[3|1]", "")],
            "t1",
            vec!["A t1[1|1] 1bar", "B t1[2|1] 1bar", "B t1[3|1] 1bar"],
        ),
        // The later one comes from in front: of the tiles, what is left is listed.
        (
            looped,
            json!({"path": "t0[1|1],t0[2|1]", "arrangementLength": "4bar", "toPath": "t0[11|1],t0[9|1]"}),
            vec![
                ("t0[1|1]", "overwritten by t0[9|1], named later in this call"),
                ("t0[13|1]", ""),
                ("t0[14|1]", ""),
                ("t0[9|1]", ""),
                ("t0[10|1]", ""),
                ("t0[11|1]", ""),
                ("t0[12|1]", ""),
            ],
            "t0",
            vec![
                "B t0[9|1] 1bar",
                "B t0[10|1] 1bar",
                "B t0[11|1] 1bar",
                "B t0[12|1] 1bar",
                "A t0[13|1] 1bar",
                "A t0[14|1] 1bar",
            ],
        ),
        // Without lengths, too: what a region and a move cost.
        (
            unlooped,
            json!({"path": "t0[2|1],t0[1|1]", "length": "2bar"}),
            vec![
                (
                    "t0[3|1]",
                    "shortened by t0[1|1] (id #A), named later in this call; 1 note lies outside of what the clip plays now \
                     (2|1 to 3|1) and no longer plays",
                ),
                ("t0[1|1]", ""),
            ],
            "t0",
            vec!["A t0[1|1] 2bar", "B t0[3|1] 1bar"],
        ),
        (
            unlooped,
            json!({"path": "t0[1|1],t0[2|1]", "toPath": "t0[9|1],t0[9|3]"}),
            vec![("t0[9|1]", "shortened by t0[9|3], named later in this call"), ("t0[9|3]", "")],
            "t0",
            vec!["A t0[9|1] n/2", "B t0[9|3] 1bar"],
        ),
        // What grows before it moves goes over none that comes after it: that one waits beside them.
        (
            unlooped,
            json!({"path": "t0[1|1],t0[2|1]", "length": "4bar,1bar", "toPath": "t1[1|1],t1[2|1]"}),
            vec![
                ("t1[1|1]", "shortened by t1[2|1], named later in this call; it goes on at t1[3|1] (id #tail)"),
                ("t1[2|1]", ""),
            ],
            "t1",
            vec!["A t1[1|1] 1bar", "B t1[2|1] 1bar", "A t1[3|1] 2bar"],
        ),
        // What grows before it moves lets those that it would go over go first.
        (
            unlooped,
            json!({"path": "t0[1|1],t0[2|1]", "length": "4bar,1bar", "toPath": "t1[1|1],t1[9|1]"}),
            vec![("t1[1|1]", ""), ("t1[9|1]", "")],
            "t1",
            vec!["A t1[1|1] 4bar", "B t1[9|1] 1bar"],
        ),
    ] {
        let (api, ids) = neighbours(looping);
        let list = api.ok(TOOL, call.clone());
        let has_tail = entries.iter().any(|(_, text)| text.contains("#tail"));
        let third = format!("live_set tracks {} arrangement_clips 2", &track[1..]);
        let tail = if has_tail { api.id(&third) } else { String::new() };
        let said = |text: &str| text.replace("#A", &ids[0]).replace("#B", &ids[1]).replace("#tail", &tail);
        let got: Vec<(String, String)> = list
            .as_array()
            .expect("a list")
            .iter()
            .map(|entry| (entry["path"].as_str().unwrap_or_default().to_owned(), detail(entry).to_owned()))
            .collect();
        let want: Vec<(String, String)> = entries.iter().map(|(path, text)| ((*path).to_owned(), said(text))).collect();
        assert_eq!(got, want, "{call}: {list}");
        assert_eq!(lane(&api, track), then, "{call}: {list}");
        for entry in list.as_array().into_iter().flatten() {
            let is_gone = detail(entry).starts_with("overwritten by");
            assert_eq!(entry.get("id").is_none(), is_gone, "{call}: {list}");
            assert_eq!(entry.get("deleted"), is_gone.then_some(&json!(true)), "{call}: {list}");
            if let Some(id) = entry.get("id") {
                assert_eq!(api.ok("svc-read-clip", json!({ "id": id }))["path"], entry["path"], "{call}: {list}");
            }
        }
    }
    // Where none can go first without the other's end, nothing is done.
    let (api, _) = neighbours(unlooped);
    let call = json!({"path": "t0[1|1],t0[2|1]", "toPath": "t0[2|1],t0[1|1]"});
    assert!(api.refused(TOOL, call).contains("none can go first"));
    // One that is cut in two says where it goes on.
    let call = json!({"path": "t0[1|1],t0[2|1]", "length": "1bar,n/4", "toPath": "t1[1|1],t1[1|2]"});
    let list = api.ok(TOOL, call);
    let goes_on = "shortened by t1[1|2], named later in this call; it goes on at t1[1|3] (id ";
    assert!(detail(&list[0]).starts_with(goes_on), "{list}");
    assert_eq!(lane(&api, "t1"), ["A t1[1|1] n/4", "B t1[1|2] n/4", "A t1[1|3] n/2"]);
}

/// What an entry says of notes is what a read says of the clip once the call is done.
#[test]
fn entries_say_what_is_there_after_the_last_step() {
    let four = "C3 1|1 D3 2|1 E3 3|1 F3 4|1";
    for (looping, call, words) in [
        // Longer by a later step: all of them play.
        (true, json!({"looping": false, "notes": four, "arrangementLength": "4bar"}), ""),
        (false, json!({"notes": four, "arrangementLength": "4bar"}), ""),
        (false, json!({"notes": four, "arrangementLength": "4bar", "toPath": "t1[9|1]"}), ""),
        // Shorter by one: what does not play is told.
        (false, json!({"length": "4bar", "notes": four, "arrangementLength": "2bar"}), "2 notes start at or past"),
        (false, json!({"notes": four, "arrangementLength": "2bar"}), "2 notes start at or past the clip's end (3|1)"),
        // Cut: each note plays in one of the pieces.
        (false, json!({"length": "4bar", "notes": four, "arrangementSplit": "3|1"}), ""),
        (true, json!({"looping": false, "arrangementLength": "2bar"}), ""),
    ] {
        let api = Api::raw_enabled();
        let made = json!({"path": "t0[1|1]", "notes": "C3 1|1", "length": "1bar", "looping": looping});
        let id = api.ok("svc-create-clip", made)["id"].clone();
        let mut sent = call.clone();
        sent["id"] = id;
        let answer = api.ok(TOOL, sent);
        let entry = answer.get(0).unwrap_or(&answer);
        let said = detail(entry);
        let not_played = said.contains("will not play");
        assert!(said.contains(words) && not_played != words.is_empty(), "{call}: {answer}");
        assert!(!said.contains("covers"), "the length that was asked for is there: {answer}");
        let read = api.ok("svc-read-clip", json!({"id": entry["id"], "include": ["timing"]}));
        if call.get("notes").is_some() {
            assert_eq!(entry["noteCount"], read["noteCount"], "{call}: {answer}");
        }
        for field in ["length", "start"] {
            assert!(entry.get(field).is_none_or(|said| *said == read[field]), "{call}: {answer} {read}");
        }
    }
    // What a later clip of the call takes is counted too.
    let (api, _) = neighbours(false);
    let call = json!({"path": "t0[1|1],t0[2|1]", "notes": "C3 1|1,3", "toPath": "t1[9|1],t1[9|2]"});
    let list = api.ok(TOOL, call);
    assert!(detail(&list[0]).contains("1 note starts at or past the clip's end (1|2) and will not play"), "{list}");
    let list = api.ok("svc-create-clip", json!({"path": "t0[20|1],t0[21|1]", "notes": "C3 1|1", "length": "2bar"}));
    let read = api.ok("svc-read-clip", json!({"path": "t0[20|1]"}));
    assert_eq!(list[0]["noteCount"], read["noteCount"], "{list}");
}

/// A clip that is no more has an entry without the id that named it.
#[test]
fn a_clip_that_is_gone_is_said_to_be_deleted() {
    let gone = |entry: &Value, path: &str| {
        assert_eq!((entry.get("id"), &entry["deleted"], &entry["path"]), (None, &json!(true), &json!(path)), "{entry}");
        assert!(!detail(entry).is_empty(), "{entry}");
    };
    let (api, [a, b]) = neighbours(true);
    let list = api.ok(TOOL, json!({"id": format!("{b},{a}"), "arrangementLength": "2bar"}));
    gone(&list[0], "t0[2|1]");
    assert_eq!(list[0].get("ok"), None, "it was written, and then written over: {list}");
    // Gone before its turn came: nothing of it was carried out.
    let (api, [a, b]) = neighbours(false);
    let list = api.ok(TOOL, json!({"id": format!("{a},{b}"), "toPath": "t0[2|1],t2[1|1]"}));
    gone(&list[1], "t0[2|1]");
    assert_eq!(list[1]["ok"], false, "{list}");
    // Copies and new clips alike.
    api.ok("svc-create-clip", json!({"path": "t0[3|1]", "length": "1bar"}));
    let call =
        json!({"type": "clip", "path": "t0[3|1],t0[3|1]", "toPath": "t1[5|1],t1[4|1]", "arrangementLength": "3bar"});
    gone(&api.ok("svc-duplicate", call)[0], "t1[5|1]");
    let list = api.ok("svc-create-clip", json!({"path": "t1[12|1],t1[11|1],t1[13|1]", "length": "2bar,2bar,1bar"}));
    gone(&list[0], "t1[12|1]");
}

/// What is left to a clip that takes all of its place was not carried out.
#[test]
fn what_a_later_clip_replaces_is_not_ok() {
    let (api, _) = neighbours(false);
    for (tool, call) in [
        (TOOL, json!({"path": "t0[1|1],t0[2|1]", "toPath": "t1[9|1],t1[9|1]"})),
        ("svc-duplicate", json!({"type": "clip", "path": "t0[1|1],t1[9|1]", "toPath": "t0[20|1],t0[20|1]"})),
        ("svc-duplicate", json!({"type": "scene", "path": "s0,s1", "toPath": "[30|1],[30|1]"})),
        ("svc-create-clip", json!({"path": "t0[41|1],t0[40|1]", "length": "1bar,4bar"})),
    ] {
        api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1", "length": "1bar"}));
        let list = api.ok(tool, call.clone());
        assert_eq!((&list[0]["ok"], list[1].get("ok")), (&json!(false), None), "{call}: {list}");
        assert!(detail(&list[0]).starts_with("not carried out"), "{call}: {list}");
    }
    // Named twice, the later mention did it.
    let list = api.ok(TOOL, json!({"path": "t0[1|1],t0[1|1]", "name": "x,y"}));
    assert_eq!(list[0].get("ok"), None, "{list}");
}

/// A clip that goes where a shorter one of the call is, which stays or lands there too, does not end it.
#[test]
fn a_long_and_a_short_clip_go_to_one_place_in_either_order() {
    let set = || {
        let api = Api::raw_enabled();
        let call = json!({"path": "t0[1|1],t0[9|1]", "name": "long,short", "length": "4bar,1bar", "looping": false, "notes": "C3 1|1"});
        api.ok("svc-create-clip", call);
        api
    };
    for (path, to, then) in [
        ("t0[1|1],t0[9|1]", "t0[9|1],t0[9|1]", vec!["short t0[9|1] 1bar", "long t0[10|1] 3bar"]),
        ("t0[1|1],t0[9|1]", "t0[8|1],t0[9|1]", vec!["long t0[8|1] 1bar", "short t0[9|1] 1bar", "long t0[10|1] 2bar"]),
        ("t0[1|1],t0[9|1]", "t0[20|1],t0[20|1]", vec!["short t0[20|1] 1bar", "long t0[21|1] 3bar"]),
        ("t0[9|1],t0[1|1]", "t0[9|1],t0[9|1]", vec!["long t0[9|1] 4bar"]),
    ] {
        let api = set();
        let list = api.ok(TOOL, json!({"path": path, "toPath": to}));
        assert_eq!(lane(&api, "t0"), then, "{path} to {to}: {list}");
        for entry in list.as_array().into_iter().flatten() {
            match entry.get("id") {
                Some(id) => {
                    assert_eq!(api.ok("svc-read-clip", json!({ "id": id }))["path"], entry["path"], "{list}");
                }
                None => assert_eq!((&entry["ok"], &entry["deleted"]), (&json!(false), &json!(true)), "{list}"),
            }
        }
    }
    // Copies: both sources stay, but for what the copies cover.
    let api = set();
    let list = api.ok("svc-duplicate", json!({"type": "clip", "path": "t0[1|1],t0[9|1]", "toPath": "t0[9|1],t0[9|1]"}));
    assert_eq!(lane(&api, "t0"), ["long t0[1|1] 4bar", "short t0[9|1] 1bar", "long t0[10|1] 3bar"], "{list}");
    // Each in the other's place, none can go first.
    let api = set();
    let call = json!({"path": "t0[1|1],t0[9|1]", "toPath": "t0[9|1],t0[1|1]"});
    assert!(api.refused(TOOL, call).contains("none can go first"));
}

/// What is left of a clip that moved off a take lane is told as it is when all are written.
#[test]
fn what_a_move_leaves_on_a_lane_is_looked_up_at_the_end() {
    let api = Api::raw_enabled();
    let call = json!({"path": "t0/l0[1|1],t0[9|1]", "name": "A,B", "notes": "C3 1|1", "length": "1bar"});
    api.ok("svc-create-clip", call);
    let list = api.ok(TOOL, json!({"path": "t0/l0[1|1],t0[9|1]", "toPath": "t0[1|1],t0/l0[1|1]"}));
    assert!(!detail(&list[0]).contains("left at") && !detail(&list[0]).contains("by hand"), "{list}");
    assert!(!list.to_string().contains("overwrote"), "it lives on at t0[1|1]: {list}");
    assert_eq!(lane(&api, "t0"), ["A t0[1|1] 1bar"]);
    // A part of it is left, and its place is said.
    let call = json!({"path": "t1/l0[1|1],t1[9|1]", "name": "A,B", "notes": "C3 1|1", "length": "2bar,1bar"});
    api.ok("svc-create-clip", call);
    let list = api.ok(TOOL, json!({"path": "t1/l0[1|1],t1[9|1]", "toPath": "t1[1|1],t1/l0[1|1]"}));
    assert!(detail(&list[0]).contains("left at t1/l0[2|1] (id "), "{list}");
    assert!(!list[1].to_string().contains("shortened"), "{list}");
}
