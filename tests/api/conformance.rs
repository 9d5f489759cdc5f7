//! The same cases over every write tool that takes a list of targets: what a list means does not depend on the tool.

use crate::support::Api;
use serde_json::{Value, json};

/// A write tool, with what names two targets of it that are there, one that is not, and what it writes.
struct Subject {
    tool: &'static str,
    /// The parameter that names targets.
    key: &'static str,
    good: [&'static str; 2],
    /// Can be read and names nothing; none where every place is good.
    missing: Option<&'static str>,
    /// Cannot be read, or names another kind of object.
    unreadable: &'static [&'static str],
    /// A text value that pairs with the targets.
    pairs: &'static str,
    more: fn() -> Value,
}

const SUBJECTS: &[Subject] = &[
    Subject {
        tool: "svc-update-track",
        key: "path",
        good: ["t1", "rt0"],
        missing: Some("t99"),
        unreadable: &["x", "s0", "t0/d0", "t0/", "t+"],
        pairs: "name",
        more: || json!({}),
    },
    Subject {
        tool: "svc-update-scene",
        key: "path",
        good: ["s3", "s0"],
        missing: Some("s99"),
        unreadable: &["x", "t0", "t0/s0", "s-1", "s+"],
        pairs: "name",
        more: || json!({}),
    },
    Subject {
        tool: "svc-update-clip",
        key: "path",
        good: ["t1/s1", "t0/s0"],
        missing: Some("t0/s7"),
        unreadable: &["x", "s0", "t0", "t0/d0", "[1|1]", "t0/l+"],
        pairs: "name",
        more: || json!({}),
    },
    Subject {
        tool: "svc-update-device",
        key: "path",
        good: ["rt1/d0", "rt0/d0"],
        missing: Some("t0/d9"),
        unreadable: &["x", "s0", "t0", "t0/s0", "t0/d+", "t0/d0/d0"],
        pairs: "name",
        more: || json!({}),
    },
    Subject {
        tool: "svc-create-track",
        key: "path",
        good: ["t1", "rt+"],
        missing: None,
        unreadable: &["x", "s0", "rt0", "t0/s0", "s+"],
        pairs: "name",
        more: || json!({}),
    },
    Subject {
        tool: "svc-create-scene",
        key: "path",
        good: ["s+", "s1"],
        missing: None,
        unreadable: &["x", "t0", "t+", "t0/s0"],
        pairs: "name",
        more: || json!({}),
    },
    Subject {
        tool: "svc-create-clip",
        key: "path",
        good: ["t1/s2", "t0/s3"],
        missing: Some("t99/s0"),
        unreadable: &["x", "s0", "t0", "t0/d0"],
        pairs: "name",
        more: || json!({"length": "1bar"}),
    },
    Subject {
        tool: "svc-create-device",
        key: "path",
        good: ["mt", "rt0"],
        missing: Some("t99"),
        unreadable: &["x", "s0", "t0/s0", "t0/inst", "t+", "[1|1]"],
        pairs: "name",
        more: || json!({"device": "Reverb"}),
    },
    Subject {
        tool: "svc-update-live-set",
        key: "locatorTime",
        good: ["2|1", "1|1"],
        missing: Some("99|1"),
        unreadable: &["x", "2", "t0", "1|1-n/4"],
        pairs: "locatorName",
        more: || json!({"locatorOperation": "rename"}),
    },
];

impl Subject {
    fn call(&self, targets: &str, name: &str) -> Value {
        let mut arguments = (self.more)();
        arguments[self.key] = json!(targets);
        arguments[self.pairs] = json!(name);
        arguments
    }

    fn entries(&self, mut result: Value) -> Value {
        if self.tool == "svc-update-live-set" { result["locator"].take() } else { result }
    }
}

/// A Set with what the subjects name.
fn stage() -> Api {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t1/s1", "length": "1bar"}));
    api.ok("svc-update-live-set", json!({"locatorOperation": "create", "locatorTime": "1|1,2|1"}));
    api
}

#[test]
fn entries_come_in_call_order_and_a_lone_one_is_unwrapped() {
    for subject in SUBJECTS {
        let api = stage();
        let list = subject.entries(api.ok(subject.tool, subject.call(&subject.good.join(", "), "a,b,")));
        let list = list.as_array().unwrap_or_else(|| panic!("{}: {list}", subject.tool));
        assert_eq!(list.len(), 2, "{}", subject.tool);
        assert!(list.iter().all(|entry| entry["id"].is_string() && entry.get("ok").is_none()), "{list:?}");
        if subject.tool.starts_with("svc-update") && subject.key == "path" {
            assert_eq!((&list[0]["path"], &list[1]["path"]), (&json!(subject.good[0]), &json!(subject.good[1])));
        }
        let api = stage();
        let one = subject.entries(api.ok(subject.tool, subject.call(subject.good[0], "a, with a comma")));
        assert!(one.is_object(), "{}: {one}", subject.tool);
    }
}

#[test]
fn what_is_not_there_is_a_skip_and_alone_an_error() {
    for subject in SUBJECTS {
        let Some(missing) = subject.missing else { continue };
        let api = stage();
        let list = subject.entries(api.ok(subject.tool, subject.call(&format!("{missing},{}", subject.good[0]), "n")));
        let key = if subject.key == "path" { "path" } else { "time" };
        assert_eq!((&list[0][key], &list[0]["ok"]), (&json!(missing), &json!(false)), "{}: {list}", subject.tool);
        assert!(list[0]["detail"].is_string() && list[1]["id"].is_string(), "{}: {list}", subject.tool);
        let why = list[0]["detail"].as_str().expect("a text").to_owned();
        let alone = stage().refused(subject.tool, subject.call(missing, "n"));
        assert_eq!(alone, why, "{}: the text that the entry would have had", subject.tool);
    }
}

#[test]
fn a_malformed_call_is_refused_and_writes_nothing() {
    for subject in SUBJECTS {
        let api = stage();
        let [one, two] = subject.good;
        for unreadable in subject.unreadable {
            let text = api.refused(subject.tool, subject.call(&format!("{one},{unreadable}"), "n"));
            assert!(!text.is_empty() && text.len() < 600, "{} {unreadable}: {text}", subject.tool);
        }
        for (targets, name) in [
            (format!("{one},,{two}"), "n"),
            (",".to_owned(), "n"),
            (format!(",{one}"), "n"),
            (format!("{one},{two}"), "a,b,c"),
            (format!("{one},{two},{one}"), "a,b"),
            (format!("{one},{two}"), "a,,b"),
        ] {
            let text = api.refused(subject.tool, subject.call(&targets, name));
            assert!(text.contains(subject.key) || text.contains(subject.pairs), "{} {targets}: {text}", subject.tool);
        }
    }
}

#[test]
fn a_target_named_twice_is_written_once_by_its_last_mention() {
    for subject in SUBJECTS.iter().filter(|subject| subject.tool.starts_with("svc-update")) {
        let api = stage();
        let one = subject.good[0];
        let list = subject.entries(api.ok(subject.tool, subject.call(&format!("{one},{one},{one}"), "a,b,c")));
        for earlier in [0, 1] {
            assert!(list[earlier].get("ok").is_none() && list[earlier]["detail"].is_string(), "{}", subject.tool);
        }
        assert!(list[2]["id"].is_string() && list[2].get("detail").is_none(), "{}: {list}", subject.tool);
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

/// With no time left at all, nothing is begun, and every target is told to be sent again.
#[test]
fn what_is_not_reached_in_time_is_told_to_be_sent_again() {
    for subject in SUBJECTS {
        let api = stage();
        let before = api.saved();
        let target = format!("/api/tools/{}?timeoutMs=50", subject.tool);
        // A busy machine may not even get to it in 50 ms: then the whole call is told to have changed nothing.
        let answers = std::iter::repeat_with(|| api.post(&target, "", &subject.call(&subject.good.join(","), "a,b")));
        let reply = answers.take(50).find(|reply| reply.status == 200).expect("one is in time");
        let list = subject.entries(reply.json()["result"].clone());
        for at in [0, 1] {
            assert_eq!(list[at]["ok"], false, "{}: {list}", subject.tool);
            assert!(list[at]["detail"].as_str().is_some_and(|d| d.contains("send it again")), "{list}");
        }
        assert_eq!(api.saved(), before, "{}", subject.tool);
    }
}
