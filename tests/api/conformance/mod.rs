//! The same cases over every write tool: what a list, a skip, a refusal or an old spelling means does not depend on the
//! tool.

mod destinations;
mod spellings;
mod whole_call;

pub use spellings::old_spellings;

use crate::support::Api;
use serde_json::{Value, json};

/// A write tool, with what names two targets of it that are there, one that is not, and what it writes.
struct Subject {
    tool: &'static str,
    /// The parameter that names targets.
    key: &'static str,
    good: [&'static str; 2],
    missing: Missing,
    /// Cannot be read, or names another kind of object.
    unreadable: &'static [&'static str],
    /// A text value that pairs with the targets.
    pairs: Option<&'static str>,
    twice: Twice,
    more: fn() -> Value,
}

/// A target that can be read and names nothing.
enum Missing {
    /// Every place is good.
    None,
    Skip(&'static str),
    /// There is nothing to do for it.
    NoOp(&'static str),
}

/// What a target named twice is.
#[derive(PartialEq)]
enum Twice {
    /// One object, written by its last mention.
    Last,
    /// Another object each time.
    Another,
    /// One object that is gone after.
    Gone,
}

const SUBJECTS: &[Subject] = &[
    Subject {
        tool: "svc-update-track",
        key: "path",
        good: ["t1", "rt0"],
        missing: Missing::Skip("t99"),
        unreadable: &["x", "s0", "t0/d0", "t0/", "t+"],
        pairs: Some("name"),
        twice: Twice::Last,
        more: || json!({}),
    },
    Subject {
        tool: "svc-update-scene",
        key: "path",
        good: ["s3", "s0"],
        missing: Missing::Skip("s99"),
        unreadable: &["x", "t0", "t0/s0", "s-1", "s+"],
        pairs: Some("name"),
        twice: Twice::Last,
        more: || json!({}),
    },
    Subject {
        tool: "svc-update-clip",
        key: "path",
        good: ["t1/s1", "t0/s0"],
        missing: Missing::Skip("t0/s7"),
        unreadable: &["x", "s0", "t0", "t0/d0", "[1|1]", "t0/l+"],
        pairs: Some("name"),
        twice: Twice::Last,
        more: || json!({}),
    },
    Subject {
        tool: "svc-update-device",
        key: "path",
        good: ["rt1/d0", "rt0/d0"],
        missing: Missing::Skip("t0/d9"),
        unreadable: &["x", "s0", "t0", "t0/s0", "t0/d+", "t0/d0/d0"],
        pairs: Some("name"),
        twice: Twice::Last,
        more: || json!({}),
    },
    Subject {
        tool: "svc-create-track",
        key: "path",
        good: ["t1", "rt+"],
        missing: Missing::None,
        unreadable: &["x", "s0", "rt0", "t0/s0", "s+"],
        pairs: Some("name"),
        twice: Twice::Another,
        more: || json!({}),
    },
    Subject {
        tool: "svc-create-scene",
        key: "path",
        good: ["s+", "s1"],
        missing: Missing::None,
        unreadable: &["x", "t0", "t+", "t0/s0"],
        pairs: Some("name"),
        twice: Twice::Another,
        more: || json!({}),
    },
    Subject {
        tool: "svc-create-clip",
        key: "path",
        good: ["t1/s2", "t0/s3"],
        missing: Missing::Skip("t99/s0"),
        unreadable: &["x", "s0", "t0", "t0/d0", "t0/l+", "rt0/s0"],
        pairs: Some("name"),
        twice: Twice::Last,
        more: || json!({"length": "1bar"}),
    },
    Subject {
        tool: "svc-create-device",
        key: "path",
        good: ["mt", "rt0"],
        missing: Missing::Skip("t99"),
        unreadable: &["x", "s0", "t0/s0", "t0/inst", "t+", "[1|1]"],
        pairs: Some("name"),
        twice: Twice::Another,
        more: || json!({"device": "Reverb"}),
    },
    Subject {
        tool: "svc-update-live-set",
        key: "locatorTime",
        good: ["2|1", "1|1"],
        missing: Missing::Skip("99|1"),
        unreadable: &["x", "2", "t0", "1|1-n/4"],
        pairs: Some("locatorName"),
        twice: Twice::Last,
        more: || json!({"locatorOperation": "rename"}),
    },
    Subject {
        tool: "svc-duplicate",
        key: "path",
        good: ["s3", "s0"],
        missing: Missing::Skip("s99"),
        unreadable: &["x", "s0/", "s-1"],
        pairs: Some("name"),
        twice: Twice::Another,
        more: || json!({"type": "scene"}),
    },
    Subject {
        tool: "svc-duplicate",
        key: "path",
        good: ["t1", "t0"],
        missing: Missing::Skip("t99"),
        unreadable: &["x", "t0/"],
        pairs: Some("name"),
        twice: Twice::Another,
        more: || json!({"type": "track"}),
    },
    Subject {
        tool: "svc-duplicate",
        key: "path",
        good: ["t1/s1", "t0/s0"],
        missing: Missing::Skip("t0/s7"),
        unreadable: &["x", "t0/"],
        pairs: Some("name"),
        twice: Twice::Last,
        more: || json!({"type": "clip", "toPath": "[9|1]"}),
    },
    Subject {
        tool: "svc-delete",
        key: "path",
        good: ["t1/s1", "t0/s0"],
        missing: Missing::NoOp("t0/s7"),
        unreadable: &["x", "t0/", "t0[1|1"],
        pairs: None,
        twice: Twice::Gone,
        more: || json!({"type": "clip"}),
    },
    Subject {
        tool: "svc-delete",
        key: "path",
        good: ["s1", "s3"],
        missing: Missing::NoOp("s99"),
        unreadable: &["x", "s-1"],
        pairs: None,
        twice: Twice::Gone,
        more: || json!({"type": "scene"}),
    },
    Subject {
        tool: "svc-playback",
        key: "path",
        good: ["t1/s1", "t0/s0"],
        missing: Missing::Skip("t0/s7"),
        unreadable: &["x", "s0", "t0", "t0/d0", "[1|1]"],
        pairs: None,
        twice: Twice::Last,
        more: || json!({"action": "play-session-clips"}),
    },
    Subject {
        tool: "svc-playback",
        key: "path",
        good: ["t1/s1", "t0/s0"],
        missing: Missing::Skip("t0/s99"),
        unreadable: &["x", "s0", "t0", "t0/d0", "[1|1]"],
        pairs: None,
        twice: Twice::Last,
        more: || json!({"action": "stop-session-clips"}),
    },
];

impl Subject {
    fn call(&self, targets: &str, name: &str) -> Value {
        let mut arguments = (self.more)();
        arguments[self.key] = json!(targets);
        if let Some(pairs) = self.pairs {
            arguments[pairs] = json!(name);
        }
        arguments
    }

    fn entries(&self, mut result: Value) -> Value {
        match self.tool {
            "svc-update-live-set" => result["locator"].take(),
            "svc-playback" => result["clip"].take(),
            _ => result,
        }
    }

    /// What an entry says that something was done to: an object, or one that was.
    fn names(&self, entry: &Value) -> bool {
        entry.get("ok").is_none() && (entry["id"].is_string() || entry["deletedPath"].is_string())
    }
}

/// A Set with what the subjects name.
fn stage() -> Api {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t1/s1", "length": "1bar"}));
    api.ok("svc-update-live-set", json!({"locatorOperation": "create", "locatorTime": "1|1,2|1"}));
    api
}

/// The result of a call that goes well, whatever it warns of, and its warnings.
fn warned(api: &Api, tool: &str, arguments: &Value) -> (Value, Vec<String>) {
    let mut envelope = api.envelope(tool, "", arguments);
    assert_eq!(envelope["isError"], false, "{tool} {arguments}: {envelope}");
    let warnings = envelope["warnings"].as_array().cloned().unwrap_or_default();
    (envelope["result"].take(), warnings.iter().filter_map(|w| w.as_str().map(str::to_owned)).collect())
}

#[test]
fn entries_come_in_call_order_and_a_lone_one_is_unwrapped() {
    for subject in SUBJECTS {
        let api = stage();
        let list = subject.entries(api.ok(subject.tool, subject.call(&subject.good.join(", "), "a,b,")));
        let list = list.as_array().unwrap_or_else(|| panic!("{}: {list}", subject.tool));
        assert_eq!(list.len(), 2, "{}", subject.tool);
        assert!(list.iter().all(|entry| subject.names(entry)), "{}: {list:?}", subject.tool);
        let place = match subject.tool {
            "svc-delete" => "deletedPath",
            "svc-duplicate" | "svc-create-track" | "svc-create-scene" | "svc-create-device" | "svc-update-live-set" => {
                ""
            }
            _ => "path",
        };
        if !place.is_empty() {
            let places = (&list[0][place], &list[1][place]);
            assert_eq!(places, (&json!(subject.good[0]), &json!(subject.good[1])), "{}", subject.tool);
        }
        let api = stage();
        let one = subject.entries(api.ok(subject.tool, subject.call(subject.good[0], "a, with a comma")));
        assert!(one.is_object(), "{}: {one}", subject.tool);
    }
}

#[test]
fn what_is_not_there_is_a_skip_and_alone_an_error() {
    for subject in SUBJECTS {
        let (missing, skips) = match subject.missing {
            Missing::None => continue,
            Missing::Skip(missing) => (missing, true),
            Missing::NoOp(missing) => (missing, false),
        };
        let api = stage();
        let [one, two] = subject.good;
        let list = subject.entries(api.ok(subject.tool, subject.call(&format!("{one},{missing},{two}"), "n")));
        let key = if subject.key == "path" { "path" } else { "time" };
        assert_eq!((&list[1][key], &list[1]["ok"]), (&json!(missing), &json!(false)), "{}: {list}", subject.tool);
        assert!(list[1]["detail"].is_string(), "{}: {list}", subject.tool);
        assert!(subject.names(&list[0]) && subject.names(&list[2]), "the others go on: {}: {list}", subject.tool);
        let why = list[1]["detail"].as_str().expect("a text").to_owned();
        if skips {
            let alone = stage().refused(subject.tool, subject.call(missing, "n"));
            assert_eq!(alone, why, "{}: the text that the entry would have had", subject.tool);
        } else {
            let alone = subject.entries(stage().ok(subject.tool, subject.call(missing, "n")));
            assert_eq!((&alone["ok"], &alone["detail"]), (&json!(false), &json!(why)), "{}", subject.tool);
        }
    }
}

#[test]
fn a_malformed_call_is_refused_and_writes_nothing() {
    for subject in SUBJECTS {
        let api = stage();
        let [one, two] = subject.good;
        for unreadable in subject.unreadable {
            let alone = api.refused(subject.tool, subject.call(unreadable, "n"));
            assert!(!alone.is_empty() && alone.len() < 600, "{} {unreadable}: {alone}", subject.tool);
            let list = subject.call(&format!("{one},{unreadable}"), "n");
            let entries = subject.entries(stage().ok(subject.tool, list));
            assert!(subject.names(&entries[0]), "the other goes on: {}: {entries}", subject.tool);
            assert_eq!(entries[1]["ok"], json!(false), "{} {unreadable}: {entries}", subject.tool);
            assert!(entries[1]["detail"].as_str().is_some_and(|why| why.len() < 600), "{entries}");
        }
        let holes = [(format!("{one},,{two}"), "n"), (",".to_owned(), "n"), (format!(",{one}"), "n")];
        let lengths = [
            (format!("{one},{two}"), "a,b,c"),
            (format!("{one},{two},{one}"), "a,b"),
            (format!("{one},{two}"), "a,,b"),
        ];
        let pairs = subject.pairs.unwrap_or("path");
        for (targets, name) in holes.into_iter().chain(lengths.into_iter().filter(|_| subject.pairs.is_some())) {
            let text = api.refused(subject.tool, subject.call(&targets, name));
            assert!(text.contains(subject.key) || text.contains(pairs), "{} {targets}: {text}", subject.tool);
        }
        // No target at all; blank ones were not sent.
        let creates = subject.tool == "svc-create-scene" || subject.tool == "svc-create-track";
        for none in [json!(""), json!("  "), Value::Null] {
            let mut arguments = subject.call("", "n");
            arguments[subject.key] = none;
            if !creates {
                api.refused(subject.tool, arguments);
            }
        }
    }
}

#[test]
fn a_target_named_twice_is_written_once_by_its_last_mention() {
    for subject in SUBJECTS {
        let api = stage();
        let one = subject.good[0];
        let arguments = subject.call(&format!("{one},{one},{one}"), "a,b,c");
        let list = subject.entries(api.ok(subject.tool, arguments));
        match subject.twice {
            Twice::Last => {
                for earlier in [0, 1] {
                    let said = list[earlier]["detail"].as_str().unwrap_or_default();
                    // For a place that is named again nothing was done.
                    let is_place = matches!(subject.tool, "svc-create-clip" | "svc-duplicate");
                    let is_skip = list[earlier].get("ok").is_some();
                    assert!(is_skip == is_place && said.contains("later"), "{}: {list}", subject.tool);
                }
                assert!(subject.names(&list[2]), "{}: {list}", subject.tool);
                // A slot that was filled by nothing of the call before it has nothing to tell.
                assert!(list[2].get("detail").is_none(), "{}: {list}", subject.tool);
            }
            Twice::Another => {
                let ids: std::collections::BTreeSet<&str> = (0..3).filter_map(|at| list[at]["id"].as_str()).collect();
                assert_eq!(ids.len(), 3, "{}: {list}", subject.tool);
            }
            Twice::Gone => assert!((0..3).all(|at| list[at].get("ok").is_none()), "{}: {list}", subject.tool),
        }
    }
}

/// What was left to a later mention where nothing landed is a skip too, along chains.
#[test]
fn what_a_later_mention_did_not_do_is_a_skip() {
    let api = stage();
    let audio = json!({"path": "t0/s0,t0/s0,t0/s0,t1/s1", "gainDb": -3});
    let text = api.refused("svc-update-clip", json!({"path": "t0/s0", "gainDb": -3}));
    assert!(text.contains("is MIDI"), "{text}");
    let list = api.ok("svc-update-clip", audio);
    for at in 0..3 {
        assert_eq!(list[at]["ok"], false, "{list}");
        assert!(list[at]["detail"].as_str().is_some_and(|d| d.contains("is MIDI")), "{list}");
    }
}

#[test]
fn unknown_names_are_dropped_and_nulls_are_not_sent() {
    for subject in SUBJECTS {
        let api = stage();
        let mut arguments = subject.call(subject.good[0], "n");
        arguments["frobnicate"] = json!(1);
        arguments["color"] = Value::Null;
        arguments["paths"] = Value::Null;
        let envelope = api.envelope(subject.tool, "", &arguments);
        assert_eq!(envelope["isError"], false, "{}: {envelope}", subject.tool);
        let warnings = envelope["warnings"].as_array().expect("a warning");
        // A tool without such a parameter says so of the null ones too.
        assert!(
            warnings.len() == 1
                && warnings[0]
                    .as_str()
                    .is_some_and(|w| { w.starts_with("ignored unexpected argument(s): ") && w.contains("frobnicate") }),
            "{}: {envelope}",
            subject.tool
        );
    }
}

/// With no time left at all, nothing is begun: that is a time-out, however many targets there are.
#[test]
fn a_call_without_time_is_504_and_changes_nothing() {
    for subject in SUBJECTS {
        let api = stage();
        let before = api.saved();
        let target = format!("/api/tools/{}?timeoutMs=50", subject.tool);
        for targets in [subject.good.join(","), subject.good[0].to_owned()] {
            let reply = api.post(&target, "", &subject.call(&targets, "a,b"));
            let body = reply.json();
            assert_eq!((reply.status, &body["errorCode"]), (504, &json!("timeout")), "{}: {body}", subject.tool);
            assert!(body["error"].as_str().is_some_and(|why| why.contains("the Set is unchanged")), "{body}");
        }
        assert_eq!(api.saved(), before, "{}", subject.tool);
    }
}
