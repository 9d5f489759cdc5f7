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
            vec![("t0[3|1]", "shortened by t0[1|1] (id #A), named later in this call"), ("t0[1|1]", "")],
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
        let said = |text: &str| text.replace("#A", &ids[0]).replace("#B", &ids[1]);
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
            if let Some(id) = entry.get("id") {
                assert_eq!(api.ok("svc-read-clip", json!({ "id": id }))["path"], entry["path"], "{call}: {list}");
            }
        }
    }
    // Where none can go first without the other's end, nothing is done.
    let (api, _) = neighbours(unlooped);
    let call = json!({"path": "t0[1|1],t0[2|1]", "length": "4bar,1bar", "toPath": "t1[1|1],t1[2|1]"});
    assert!(api.refused(TOOL, call).contains("none can go first"));
    // One that is cut in two says where it goes on.
    let call = json!({"path": "t0[1|1],t0[2|1]", "length": "1bar,n/4", "toPath": "t1[1|1],t1[1|2]"});
    let list = api.ok(TOOL, call);
    let goes_on = "shortened by t1[1|2], named later in this call; it goes on at t1[1|3] (id ";
    assert!(detail(&list[0]).starts_with(goes_on), "{list}");
    assert_eq!(lane(&api, "t1"), ["A t1[1|1] n/4", "B t1[1|2] n/4", "A t1[1|3] n/2"]);
}
