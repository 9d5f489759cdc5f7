//! `svc-create-clip`: what a new clip costs those that lie on its place, of its own call and from before.

use super::new_clips::{TOOL, detail, pairs, timeline};
use crate::support::Api;
use serde_json::json;

/// Paths of clips on the timeline, with how much of it they cover.
type Lane = &'static [(&'static str, &'static str)];

/// Where a clip of what length lies, where one of two bars is laid, words of the account, and what lies there then.
type Overwritten = (&'static str, &'static str, &'static str, &'static [&'static str], Lane);

#[test]
fn what_a_clip_costs_is_told() {
    let cases: [Overwritten; 7] = [
        ("t0[5|1]", "2bar", "t0[5|1]", &["overwrote t0[5|1] (id"], &[("t0[5|1]", "2bar")]),
        ("t0[6|1]", "1bar", "t0[5|1]", &["overwrote t0[6|1] (id"], &[("t0[5|1]", "2bar")]),
        ("t0[4|1]", "2bar", "t0[5|1]", &["shortened t0[4|1] (id"], &[("t0[4|1]", "1bar"), ("t0[5|1]", "2bar")]),
        (
            "t0[6|1]",
            "3bar",
            "t0[5|1]",
            &["shortened t0[7|1] (id", "began at t0[6|1]"],
            &[("t0[5|1]", "2bar"), ("t0[7|1]", "2bar")],
        ),
        (
            "t0[4|1]",
            "4bar",
            "t0[5|1]",
            &["split t0[4|1] (id", "into t0[4|1] and t0[7|1] (id"],
            &[("t0[4|1]", "1bar"), ("t0[5|1]", "2bar"), ("t0[7|1]", "1bar")],
        ),
        ("t0[3|1]", "2bar", "t0[5|1]", &[""], &[("t0[3|1]", "2bar"), ("t0[5|1]", "2bar")]),
        ("t0[7|1]", "2bar", "t0[5|1]", &[""], &[("t0[5|1]", "2bar"), ("t0[7|1]", "2bar")]),
    ];
    for (there, length, laid, told, after) in cases {
        let api = Api::new();
        api.ok(TOOL, json!({"path": there, "length": length}));
        let entry = api.ok(TOOL, json!({"path": laid, "length": "2bar"}));
        assert!(told.iter().all(|words| detail(&entry).contains(words)), "{there} {length}: {entry}");
        assert_eq!(entry.get("detail").is_none(), told[0].is_empty(), "{there} {length}: {entry}");
        assert_eq!(timeline(&api, "t0"), pairs(after), "{there} {length}");
    }
    // Of several, each is told.
    let api = Api::new();
    api.ok(TOOL, json!({"path": "t0[1|1],t0[3|1],t0[4|1]", "length": "2bar,1bar,2bar"}));
    let entry = api.ok(TOOL, json!({"path": "t0[2|1]", "length": "3bar"}));
    let told: Vec<&str> = detail(&entry).split("; ").collect();
    assert!(told.len() == 3 && told[1].starts_with("overwrote t0[3|1]"), "{entry}");
}

#[test]
fn clips_of_one_call_over_each_other() {
    // Places and lengths; which entries are left to a later one, with a word of why; what lies there then.
    type Case = (&'static str, &'static str, &'static [(usize, &'static str)], Lane);
    let cases: [Case; 6] = [
        ("t0[5|1],t0[5|1]", "2bar,1bar", &[(0, "named again later")], &[("t0[5|1]", "1bar")]),
        (
            "t0[5|1],t0[4|1]",
            "1bar,4bar",
            &[(0, "t0[4|1], later in this call, takes its place")],
            &[("t0[4|1]", "4bar")],
        ),
        ("t0[5|1],t0[6|1]", "2bar,2bar", &[], &[("t0[5|1]", "1bar"), ("t0[6|1]", "2bar")]),
        ("t0[5|1],t0[6|1]", "3bar,1bar", &[], &[("t0[5|1]", "1bar"), ("t0[6|1]", "1bar"), ("t0[7|1]", "1bar")]),
        (
            "t0[5|1],t0[4|1],t0[6|1]",
            "2bar,2bar,1bar",
            &[(0, "nothing of it is left: t0[4|1], t0[6|1]")],
            &[("t0[4|1]", "2bar"), ("t0[6|1]", "1bar")],
        ),
        ("t0[5|1],t1[5|1],t0/s0", "1bar,1bar,1bar", &[], &[("t0[5|1]", "1bar")]),
    ];
    for (path, length, left, after) in cases {
        let api = Api::new();
        let list = api.ok(TOOL, json!({"path": path, "length": length}));
        for (at, entry) in list.as_array().expect("entries").iter().enumerate() {
            match left.iter().find(|(of, _)| *of == at) {
                Some((_, words)) => {
                    assert!(entry.get("id").is_none(), "{path}: {list}");
                    assert_eq!(entry["ok"] == false, !words.contains("nothing of it is left"), "{path}: {list}");
                    assert_eq!(entry["deleted"] == true, words.contains("nothing of it is left"), "{path}: {list}");
                    assert!(detail(entry).contains(words), "{path}: {list}");
                }
                None => assert!(entry["id"].is_string(), "{path}: {list}"),
            }
        }
        assert_eq!(timeline(&api, "t0"), pairs(after), "{path}");
    }
    let api = Api::new();
    let list = api.ok(TOOL, json!({"path": "t0[5|1],t0[6|1]", "length": "3bar,1bar"}));
    assert!(detail(&list[0]).starts_with("split by t0[6|1], later in this call; it goes on at t0[7|1] (id"), "{list}");
    assert_eq!(list[1].get("detail"), None, "what the call made is told on its own entry: {list}");
    let list = api.ok(TOOL, json!({"path": "t1[6|1],t1[5|1]", "length": "2bar,2bar"}));
    assert_eq!((&list[0]["path"], detail(&list[0])), (&json!("t1[7|1]"), "shortened by t1[5|1], later in this call"));
    // What was left to a place where nothing landed landed nothing either.
    let list = api.ok(TOOL, json!({"path": "t2/s0,t0/s1,t2/s0", "length": "1bar"}));
    assert!(list[0]["ok"] == false && list[2]["ok"] == false && list[1]["id"].is_string(), "{list}");
}
