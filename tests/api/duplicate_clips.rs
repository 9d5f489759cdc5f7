//! `svc-duplicate`: clips to slots, timelines and take lanes, as long as asked, and over each other.

use super::duplicate::{TOOL, detail, paths, read, warned, with_clip};
use serde_json::json;

#[test]
fn a_midi_clip_goes_to_midi_tracks_only() {
    let api = with_clip();
    let list = api
        .ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t0[1|1],t2[1|1]", "arrangementLength": "2bar"}));
    let audio = api.id("live_set tracks 2");
    assert_eq!(list[0], json!({"id": list[0]["id"], "path": "t0[1|1]", "type": "midi", "arrangementLength": "2bar"}));
    assert_eq!(
        list[1],
        json!({"path": "t2[1|1]", "ok": false, "detail": format!("t2 (id {audio}) is an audio track; the clip is MIDI")})
    );
}

/// What cannot be as long as asked is not copied at all.
#[test]
fn a_length_past_the_last_position_copies_nothing() {
    let api = with_clip();
    // Bar 394,200 is the last there is.
    let far = "t0[394200|1]";
    for arguments in [
        json!({"type": "clip", "path": "t0/s0", "toPath": far, "arrangementLength": "8bar"}),
        json!({"type": "scene", "path": "s0", "toPath": "[394200|1]", "arrangementLength": "8bar"}),
    ] {
        let said = api.refused(TOOL, arguments);
        assert!(said.starts_with("arrangementLength") && said.contains("394201|1"), "{said}");
    }
    api.ok("svc-create-clip", json!({"path": "t0[9|1]", "notes": "C3 1|1", "length": "1bar"}));
    let move_there = json!({"path": "t0[9|1]", "toPath": far, "arrangementLength": "8bar"});
    assert!(api.refused("svc-update-clip", move_there).starts_with("arrangementLength"));
    for (kind, path, far, near) in [("clip", "t0/s0", far, "t0[1|1]"), ("scene", "s0", "[394200|1]", "[1|1]")] {
        let list = api.ok(
            TOOL,
            json!({"type": kind, "path": path, "toPath": format!("{far},{near}"), "arrangementLength": "8bar"}),
        );
        assert_eq!((&list[0]["path"], &list[0]["ok"]), (&json!(far), &json!(false)), "{list}");
        assert!(detail(&list[0]).contains("past the last position"), "{list}");
        assert_eq!(list[1]["path"], near, "{list}");
    }
    let clips = read(&api, "svc-read-track", "t0", json!(["arrangement-clips"]));
    assert!(!clips.to_string().contains("394200"), "{clips}");
}

#[test]
fn clips_onto_take_lanes_and_off_them() {
    let api = with_clip();
    api.ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t0[1|1],t0[5|1]"}));
    let lane = api.ok(TOOL, json!({"type": "track", "path": "t0", "toPath": "t1/l1", "name": "Alt"}));
    assert_eq!((&lane["path"], &lane["created"]), (&json!("t1/l1"), &json!("l0-l1")), "{lane}");
    let clips: Vec<&str> = paths(&lane["clips"]);
    assert_eq!(clips, ["t1/l1[1|1]", "t1/l1[5|1]"]);
    assert_eq!(read(&api, "svc-read-track", "t1/l1", json!([]))["name"], "Alt");
    let read_notes = |path: &str| read(&api, "svc-read-clip", path, json!(["notes"]))["notes"].clone();
    assert_eq!(read_notes("t1/l1[1|1]"), read_notes("t0/s0"));
    // Two new lanes, of a lane.
    let list = api.ok(TOOL, json!({"type": "track", "path": "t1/l1", "toPath": "t0/l+,t0/l+"}));
    assert_eq!((paths(&list), &list[1]["created"]), (vec!["t0/l0", "t0/l1"], &json!("l1")));
    // Promoted to a main lane.
    let track = api.ok(TOOL, json!({"type": "track", "path": "t0/l0", "toPath": "t1"}));
    assert_eq!((&track["path"], track.get("created")), (&json!("t1"), None), "{track}");
    assert_eq!(paths(&track["clips"]), ["t1[1|1]", "t1[5|1]"]);
    let empty = api.ok(TOOL, json!({"type": "track", "path": "t1/l0", "toPath": "t0/l2"}));
    assert!(detail(&empty).contains("no clips") && empty["clips"] == json!([]), "{empty}");
    let named =
        api.ok(TOOL, json!({"type": "track", "path": "t0/l0", "toPath": "t1", "name": "x", "color": "#FF94A6"}));
    assert!(detail(&named).contains("name ignored") && detail(&named).contains("color ignored"), "{named}");
    for (arguments, words) in [
        (json!({"path": "t0/l0", "toPath": "t0/l0"}), "onto itself"),
        (json!({"path": "t0", "toPath": "t2/l0"}), "is an audio track"),
        (json!({"path": "t0", "toPath": "t1"}), "take lane"),
        (json!({"path": "t0", "toPath": "t1/l10"}), "at most 10"),
        (json!({"path": "t0", "toPath": "t1/s0"}), "take lane"),
        (json!({"path": "t0/l0"}), "toPath"),
        (json!({"path": "t0", "toPath": "t1/l0", "withoutClips": false}), "withoutClips"),
        (json!({"path": "t0", "toPath": "t1/l0", "count": 2, "routeToSource": true}), "routeToSource"),
    ] {
        let mut arguments = arguments;
        arguments["type"] = json!("track");
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
}

#[test]
fn clips_go_anywhere_and_leave_their_source() {
    let api = with_clip();
    let before = read(&api, "svc-read-clip", "t0/s0", json!(["notes", "timing"]));
    let list = api.ok(
        TOOL,
        json!({"type": "clip", "path": "t0/s0", "toPath": "t1/s9,[3|1],t1/l0[1|1],t1[1|1]", "name": "a,b,c,d", "color": "#FF94A6"}),
    );
    assert_eq!(paths(&list), ["t1/s9", "t0[3|1]", "t1/l0[1|1]", "t1[1|1]"]);
    assert_eq!((&list[0]["created"], &list[2]["created"]), (&json!("s8-s9"), &json!("l0")));
    assert_eq!(read(&api, "svc-read-clip", "t0/s0", json!(["notes", "timing"])), before, "the source is as it was");
    for (path, name) in [("t1/s9", "a"), ("t0[3|1]", "b"), ("t1/l0[1|1]", "c"), ("t1[1|1]", "d")] {
        let clip = read(&api, "svc-read-clip", path, json!(["notes", "color"]));
        assert_eq!(
            (&clip["notes"], &clip["name"], &clip["color"]),
            (&before["notes"], &json!(name), &json!("#FF94A6"))
        );
    }
    // A lane or track alone keeps a clip's own time; one position serves several clips, each on its own lane.
    let list = api.ok(TOOL, json!({"type": "clip", "path": "t0[3|1]", "toPath": "t1,t1/l1"}));
    assert_eq!(paths(&list), ["t1[3|1]", "t1/l1[3|1]"]);
    let list = api.ok(TOOL, json!({"type": "clip", "path": "t0[3|1],t1/l1[3|1]", "toPath": "[20|1]"}));
    assert_eq!(paths(&list), ["t0[20|1]", "t1/l1[20|1]"]);
    let text = api.refused(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t1"}));
    assert!(text.contains("session clip"), "{text}");
    // Onto others, with an account; onto itself.
    let entry = api.ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t1/s9"}));
    assert!(detail(&entry).contains("replaced the clip"), "{entry}");
    let entry = api.ok(TOOL, json!({"type": "clip", "path": "t0[20|1]", "toPath": "t0[21|1]"}));
    assert!(detail(&entry).contains("shortened"), "{entry}");
    let list = api.ok(TOOL, json!({"type": "clip", "path": "t0[3|1]", "toPath": "[3|1],[30|1]"}));
    assert_eq!(paths(&list), ["t0[3|1]", "t0[30|1]"], "the copy onto its source is made last");
    for (arguments, words) in [
        (json!({"path": "t0/s0"}), "toPath"),
        (json!({"path": "t0/s0", "toPath": "t1/l+"}), "write t1/l+[1|1]"),
        (json!({"path": "t0/s0", "toPath": "rt0"}), "no clip"),
        (json!({"path": "t0/s0", "toPath": "t0/d0"}), "slot"),
        (json!({"path": "t0/s0,t1/s9", "toPath": "t0/s5"}), "one for each"),
        (json!({"path": "t0/s0", "toPath": "t0/s5", "arrangementLength": "4"}), "arrangementLength"),
        (json!({"path": "t0/s0", "toPath": "t0/s5", "transforms": "velocty = 1"}), "transforms"),
        (json!({"path": "t0/s0", "toPath": "t0/s5", "count": 2}), "count belongs to type track and scene"),
        (json!({"path": "t0/s0", "toPath": "t0/s5,t0/s6", "name": "a,b,c"}), "3 values"),
    ] {
        let mut arguments = arguments;
        arguments["type"] = json!("clip");
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
}

#[test]
fn a_copy_covers_what_is_asked_and_no_more() {
    let api = with_clip();
    // A neighbour that a copy of the whole clip would go over.
    api.ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t0[10|1]", "name": "Neighbour"}));
    let entry =
        api.ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t0[9|1]", "arrangementLength": "1bar"}));
    assert_eq!(
        entry,
        json!({
            "id": entry["id"], "path": "t0[9|1]", "type": "midi", "arrangementLength": "1bar",
            "detail": "1 note lies at or past the clip's end (2|1) now and no longer plays",
        }),
        "nothing was overwritten"
    );
    let length = |path: &str| read(&api, "svc-read-clip", path, json!([]))["arrangementLength"].clone();
    assert_eq!((length("t0[9|1]"), length("t0[10|1]")), (json!("1bar"), json!("2bar")));
    assert_eq!(
        read(&api, "svc-read-track", "t0", json!([]))["arrangementClipCount"],
        2,
        "nothing waits behind the end"
    );
    // Tiles follow their entry, the last one partial.
    let list = api.ok(
        TOOL,
        json!({"type": "clip", "path": "t0/s0", "toPath": "t1[1|1],t1[21|1]", "arrangementLength": "5bar,1bar", "name": "x"}),
    );
    assert_eq!(paths(&list), ["t1[1|1]", "t1[3|1]", "t1[5|1]", "t1[21|1]"]);
    assert_eq!((length("t1[3|1]"), length("t1[5|1]")), (json!("2bar"), json!("1bar")));
    let (entry, warnings) =
        warned(&api, json!({"type": "clip", "path": "t0/s0", "toPath": "t1/s0", "arrangementLength": "5bar"}));
    assert!(warnings[0].starts_with("arrangementLength ignored") && entry["path"] == "t1/s0", "{warnings:?}");
    let entry =
        api.ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t1/l0[1|1]", "arrangementLength": "5bar"}));
    assert!(detail(&entry).contains("arrangementLength ignored"), "{entry}");
}

#[test]
fn copies_that_cover_each_other() {
    let api = with_clip();
    let list =
        api.ok(TOOL, json!({"type": "clip", "path": "t0/s0", "toPath": "t0[1|1],t0[2|1],t0[2|1]", "name": "a,b,c"}));
    assert!(detail(&list[0]).contains("shortened by") && detail(&list[0]).contains("t0[2|1]"), "{list}");
    assert!(
        list[1]["ok"] == false && list[1].get("id").is_none() && detail(&list[1]).contains("named again later"),
        "{list}"
    );
    assert_eq!(list[2]["path"], "t0[2|1]");
    assert_eq!(read(&api, "svc-read-clip", "t0[2|1]", json!([]))["name"], "c");
    assert_eq!(read(&api, "svc-read-clip", "t0[1|1]", json!([]))["arrangementLength"], "1bar");
    // A source named twice is two copies.
    let list = api.ok(TOOL, json!({"type": "clip", "path": "t0/s0,t0/s0", "toPath": "t1/s0,t1/s1"}));
    assert_eq!(paths(&list), ["t1/s0", "t1/s1"]);
    // No order keeps both sources until they are read.
    api.ok("svc-update-clip", json!({"path": "t1/s0,t1/s1", "name": "one,two"}));
    let text = api.refused(TOOL, json!({"type": "clip", "path": "t1/s0,t1/s1", "toPath": "t1/s1,t1/s0"}));
    assert!(text.contains("each other"), "{text}");
    let list = api.ok(TOOL, json!({"type": "clip", "path": "t1/s0,t1/s1", "toPath": "t1/s1,t1/s2"}));
    assert_eq!(paths(&list), ["t1/s1", "t1/s2"]);
    let name = |path: &str| read(&api, "svc-read-clip", path, json!([]))["name"].clone();
    assert_eq!((name("t1/s1"), name("t1/s2")), (json!("one"), json!("two")));
}

#[test]
fn transforms_count_over_the_copies() {
    let api = with_clip();
    let list = api.ok(
        TOOL,
        json!({"type": "clip", "path": "t0/s0,t9/s0,t0/s0", "toPath": "t0/s1,t0/s2,t0/s3", "transforms": "velocity = 10 + clip.index * 10"}),
    );
    assert_eq!((&list[0]["transformed"], &list[2]["transformed"]), (&json!(3), &json!(3)), "{list}");
    assert!(list[1]["ok"] == false && list[1]["path"] == "t9/s0", "{list}");
    for (path, velocity) in [("t0/s1", "v10 "), ("t0/s3", "v30 ")] {
        let notes = read(&api, "svc-read-clip", path, json!(["notes"]))["notes"].clone();
        assert!(notes.as_str().is_some_and(|notes| notes.contains(velocity)), "{path}: {notes}");
    }
    // Tiles are copies of what the transform made.
    let list = api.ok(
        TOOL,
        json!({"type": "clip", "path": "t0/s0", "toPath": "t1[1|1]", "arrangementLength": "4bar", "transforms": "velocity = 33"}),
    );
    assert_eq!(paths(&list), ["t1[1|1]", "t1[3|1]"]);
    let notes = read(&api, "svc-read-clip", "t1[3|1]", json!(["notes"]))["notes"].clone();
    assert!(notes.as_str().is_some_and(|notes| notes.contains("v33 ")), "{notes}");
}

/// The paths are those after the call, and what is gone has no id.
#[test]
fn copies_over_each_other_say_what_is_left() {
    // Where the copies of two bars go and how long they get; path and detail of each entry, the lane then.
    for (to, length, entries, then) in [
        (
            "t1[5|1],t1[4|1]",
            None,
            vec![("t1[6|1]", "shortened by t1[4|1], named later in this call"), ("t1[4|1]", "")],
            vec!["t1[4|1] 2bar", "t1[6|1] 1bar"],
        ),
        (
            "t1[5|1],t1[4|1]",
            Some("4bar"),
            vec![
                ("t1[5|1]", "overwritten by t1[4|1], named later in this call"),
                ("t1[8|1]", ""),
                ("t1[4|1]", ""),
                ("t1[6|1]", ""),
            ],
            vec!["t1[4|1] 2bar", "t1[6|1] 2bar", "t1[8|1] 1bar"],
        ),
        (
            "t1[5|1],t1[7|1]",
            Some("4bar"),
            vec![("t1[5|1]", "shortened by t1[7|1], named later in this call"), ("t1[7|1]", ""), ("t1[9|1]", "")],
            vec!["t1[5|1] 2bar", "t1[7|1] 2bar", "t1[9|1] 2bar"],
        ),
        ("t1[5|1],t1[7|1]", None, vec![("t1[5|1]", ""), ("t1[7|1]", "")], vec!["t1[5|1] 2bar", "t1[7|1] 2bar"]),
    ] {
        let api = with_clip();
        let mut call = json!({"type": "clip", "path": "t0/s0", "toPath": to});
        if let Some(length) = length {
            call["arrangementLength"] = json!(length);
        }
        let list = api.ok(TOOL, call.clone());
        let list = list.as_array().expect("a list");
        let got: Vec<(&str, &str)> =
            list.iter().map(|entry| (entry["path"].as_str().unwrap_or_default(), detail(entry))).collect();
        assert_eq!(got, entries, "{call}");
        assert!(list.iter().all(|entry| entry.get("id").is_none() == detail(entry).starts_with("overw")), "{list:?}");
        let track = read(&api, "svc-read-track", "t1", json!(["arrangement-clips"]));
        let clips = track["arrangementClips"].as_array().cloned().unwrap_or_default();
        let lane: Vec<String> =
            clips.iter().map(|c| format!("{} {}", c["path"], c["arrangementLength"]).replace('"', "")).collect();
        assert_eq!(lane, then, "{call}");
    }
}
