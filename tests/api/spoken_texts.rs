//! What texts advise can be done, and what they leave out is said.

use super::clip_updates::{TOOL, WAV, detail};
use crate::support::Api;
use serde_json::{Value, json};

fn text(value: &Value) -> String {
    value["detail"].as_str().or(value.as_str()).unwrap_or_default().to_owned()
}

/// A clip of a take lane stays where it is; each text names a call that helps, and that call goes well.
#[test]
fn advice_about_take_lane_clips_can_be_followed() {
    let refused = |api: &Api, path: &str| json!(api.refused("svc-delete", json!({"type": "clip", "path": path})));
    let moved = |api: &Api, path: &str| api.ok(TOOL, json!({"path": path, "toPath": "t0[9|1]"}));
    let longer = |api: &Api, path: &str| {
        api.ok(
            "svc-duplicate",
            json!({"type": "clip", "path": path, "toPath": "t0/l1[5|1]", "arrangementLength": "2bar"}),
        )
    };
    type Case<'a> = (&'a str, &'a dyn Fn(&Api, &str) -> Value, &'a str, &'a str, Value, Value);
    // The clip, what is tried; words of the advice; the tool that does it, its arguments, what its entry has then.
    let cases: [Case; 4] = [
        (
            "t0/l0[1|1]",
            &refused,
            "svc-update-clip empties it (preTransforms: \"delete\")",
            TOOL,
            json!({"path": "t0/l0[1|1]", "preTransforms": "delete"}),
            json!({"noteCount": 0}),
        ),
        (
            "t2/l0[1|1]",
            &refused,
            "svc-update-clip turns it down (gainDb: -70)",
            TOOL,
            json!({"path": "t2/l0[1|1]", "gainDb": -70}),
            json!({"gainDb": "-inf"}),
        ),
        (
            "t0/l0[1|1]",
            &moved,
            "delete it by hand, or have svc-create-clip write over it",
            "svc-create-clip",
            json!({"path": "t0/l0[1|1]", "notes": "C3 1|1", "length": "1bar"}),
            json!({"noteCount": 1}),
        ),
        (
            "t0/l0[1|1]",
            &longer,
            "svc-update-clip moves it to its track, with a length (toPath: \"t0\", arrangementLength)",
            TOOL,
            json!({"path": "t0/l1[5|1]", "toPath": "t0", "arrangementLength": "2bar"}),
            json!([{"path": "t0[5|1]"}, {"path": "t0[6|1]"}]),
        ),
    ];
    for (path, attempt, words, tool, arguments, then) in cases {
        let api = Api::raw_enabled();
        if path.starts_with("t0") {
            api.ok("svc-create-clip", json!({"path": path, "notes": "C3 1|1,3", "length": "1bar"}));
        } else {
            api.ok("svc-create-clip", json!({"path": path, "sampleFile": WAV}));
        }
        let said = text(&attempt(&api, path));
        assert!(said.contains(words), "{path}: {said}");
        let entry = api.ok(tool, arguments.clone());
        let pairs: Vec<(&Value, &Value)> = match then.as_array() {
            Some(list) => (0..list.len()).map(|at| (&list[at], &entry[at])).collect(),
            None => vec![(&then, &entry)],
        };
        for (wanted, entry) in pairs {
            for (field, value) in wanted.as_object().into_iter().flatten() {
                assert_eq!(entry[field], *value, "{arguments}: {entry}");
            }
        }
    }
}

/// -70 is silence, and reads back as a word, for clips as for tracks.
#[test]
fn the_lowest_gain_of_an_audio_clip_is_told_as_a_word() {
    let api = Api::raw_enabled();
    let asked = json!({"path": "t2/s0", "sampleFile": WAV, "gainDb": -70});
    for (tool, call, gain, words) in [
        ("svc-create-clip", asked, json!("-inf"), "gainDb reads -inf, which is silence"),
        (TOOL, json!({"path": "t2/s0", "gainDb": -6}), Value::Null, ""),
        (TOOL, json!({"path": "t2/s0", "gainDb": -70}), json!("-inf"), "gainDb reads -inf, which is silence"),
        (TOOL, json!({"path": "t2/s0", "pitchShift": 1}), Value::Null, ""),
        (TOOL, json!({"path": "t2/s0", "transforms": "gain = -70"}), json!("-inf"), ""),
        (TOOL, json!({"path": "t2/s0", "transforms": "gain = -3"}), json!(-3), ""),
        (
            "svc-duplicate",
            json!({"type": "clip", "path": "t2/s0", "toPath": "t2/s1", "transforms": "gain = -70"}),
            json!("-inf"),
            "",
        ),
    ] {
        let entry = api.ok(tool, call.clone());
        assert_eq!((&entry["gainDb"], detail(&entry)), (&gain, words), "{call}: {entry}");
    }
    let read = api.ok("svc-read-clip", json!({"path": "t2/s1", "include": ["sample"]}));
    assert_eq!(read["gainDb"], "-inf", "{read}");
}

/// Each line of `envelopes` draws from scratch: of two for one parameter, the first says that it is not drawn.
#[test]
fn a_second_line_for_one_parameter_is_told() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1", "length": "4bar"}));
    let volume = api.id("live_set tracks 0 mixer_device volume");
    let first = |by: usize| format!("envelopes line 1 is not drawn: line {by} writes the same parameter from scratch");
    for (lines, said) in [
        ("volume: 1|1 0 / 2|1 0.5\npan: 1|1 0".to_owned(), String::new()),
        ("volume: 1|1 0 / 2|1 0.5\nvolume: 3|1 0.25".to_owned(), first(2)),
        (format!("volume: 1|1 0\npan: 1|1 0\n{volume}: 3|1 0.25"), first(3)),
        ("volume: 1|1 0\nvolume:".to_owned(), first(2)),
        (
            "volume: 1|1 0\nvolume: 2|1 0\nvolume: 3|1 0.25".to_owned(),
            format!("{}; envelopes line 2 is not drawn: line 3 writes the same parameter from scratch", first(2)),
        ),
    ] {
        let entry = api.ok(TOOL, json!({"path": "t0/s0", "envelopes": lines}));
        assert_eq!(detail(&entry), said, "{lines}: {entry}");
    }
    let read = api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["envelopes"]})).to_string();
    assert!(read.contains("0.25"), "the last line stands: {read}");
}
