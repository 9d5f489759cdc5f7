//! The laws of entries, held against every tool here that takes lists: order, a lone target unwrapped, a target named
//! twice, list lengths, holes, skips and refusals.

use crate::support::Api;
use serde_json::{Value, json};
use svc_device::tools::answer_text::{Format, text_of};

/// A Set with clips in t0/s0, t0/s1, t1/s0.
fn with_clips() -> Api {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1,t1/s0", "notes": "C3 1|1,2,3", "name": "A,B,C"}));
    api
}

/// Tool, the arguments beside the target, three targets that are there, one that is not, one of another kind.
struct Case {
    tool: &'static str,
    rest: Value,
    there: [&'static str; 3],
    missing: &'static str,
    /// A path that no call of this tool can read as a target.
    foreign: &'static str,
    writes: bool,
}

fn cases() -> Vec<Case> {
    let case = |tool, rest, there, missing, foreign, writes| Case { tool, rest, there, missing, foreign, writes };
    vec![
        case("svc-read-track", json!({}), ["t1", "rt0", "mt"], "t9", "s0", false),
        case("svc-update-track", json!({"name": "X"}), ["t1", "rt0", "mt"], "rt9", "t0/s0", true),
        case("svc-read-clip", json!({}), ["t1/s0", "t0/s1", "t0/s0"], "t0/s5", "t0", false),
        case("svc-update-clip", json!({"name": "X"}), ["t1/s0", "t0/s1", "t0/s0"], "t9/s0", "s0", true),
        case("svc-create-clip", json!({"notes": "C3 1|1"}), ["t1/s3", "t0/s4", "t0/s3"], "t9/s0", "t0", true),
        case("svc-delete", json!({"type": "clip"}), ["t1/s0", "t0/s1", "t0/s0"], "t2/s0", "", true),
    ]
}

fn with(rest: &Value, key: &str, value: impl Into<Value>) -> Value {
    let mut arguments = rest.clone();
    arguments[key] = value.into();
    arguments
}

fn path_of(entry: &Value) -> &Value {
    entry.get("path").or_else(|| entry.get("deletedPath")).unwrap_or(&Value::Null)
}

#[test]
fn entries_come_in_call_order_and_a_lone_one_stands_alone() {
    for case in cases() {
        let api = with_clips();
        let list = api.ok(case.tool, with(&case.rest, "path", case.there.join(", ")));
        let paths: Vec<&Value> = list.as_array().expect("an array").iter().map(path_of).collect();
        assert_eq!(paths, case.there.iter().collect::<Vec<_>>(), "{}", case.tool);

        let api = with_clips();
        let lone = api.ok(case.tool, with(&case.rest, "path", case.there[0]));
        assert_eq!(path_of(&lone), case.there[0], "{}", case.tool);
        let api = with_clips();
        let trailing = api.ok(case.tool, with(&case.rest, "path", format!("{},", case.there[0])));
        assert_eq!(path_of(&trailing), case.there[0], "{}: one comma at the end is harmless", case.tool);
    }
}

#[test]
fn id_and_path_add_up() {
    for case in cases().into_iter().filter(|case| case.tool != "svc-create-clip") {
        let api = with_clips();
        let reader = if case.tool.ends_with("track") { "svc-read-track" } else { "svc-read-clip" };
        let id = api.ok(reader, json!({"path": case.there[1]}))["id"].as_str().expect("an id").to_owned();
        let both = with(&with(&case.rest, "path", case.there[0]), "id", id.clone());
        let list = api.ok(case.tool, both);
        let ids: Vec<&Value> = list.as_array().expect("two").iter().map(|entry| &entry["id"]).collect();
        assert_eq!(ids.len(), 2, "{}", case.tool);
        assert!(ids.contains(&&json!(id)), "{}: {list}", case.tool);
    }
}

#[test]
fn a_miss_is_a_skip_with_the_callers_spelling_and_alone_it_is_an_error() {
    for case in cases().into_iter().filter(|case| case.tool != "svc-delete") {
        let api = with_clips();
        let list = api.ok(case.tool, with(&case.rest, "path", format!("{},{}", case.there[0], case.missing)));
        assert_eq!(path_of(&list[0]), case.there[0], "{}", case.tool);
        let skip = list[1].as_object().expect("an entry");
        assert_eq!(skip.keys().collect::<Vec<_>>(), ["path", "ok", "detail"], "{}: {list}", case.tool);
        assert_eq!((&skip["path"], &skip["ok"]), (&json!(case.missing), &json!(false)), "{}", case.tool);
        let alone = api.refused(case.tool, with(&case.rest, "path", case.missing));
        assert_eq!(skip["detail"], alone, "{}: the same words alone", case.tool);
        assert!(alone.contains(case.missing) || alone.contains("t9"), "{}: names the target: {alone}", case.tool);
        assert!(list[0].get("ok").is_none(), "ok appears only as false");
    }
    // By id: dead, and of another kind.
    let api = with_clips();
    let scene = api.id("live_set scenes 0");
    for (tool, rest) in [
        ("svc-read-track", json!({})),
        ("svc-update-track", json!({"name": "X"})),
        ("svc-read-clip", json!({})),
        ("svc-update-clip", json!({"name": "X"})),
    ] {
        let kind = tool.rsplit('-').next().unwrap_or_default();
        let text = api.refused(tool, with(&rest, "id", scene.clone()));
        assert!(text.contains("scene") && text.contains(kind) && text.contains(&scene), "{tool}: {text}");
        let text = api.refused(tool, with(&rest, "id", "987654321"));
        assert!(text.contains("987654321"), "{tool}: {text}");
    }
}

#[test]
fn deleting_what_is_not_there_needs_no_doing() {
    let api = with_clips();
    for (kind, path) in [("track", "t9"), ("scene", "s99"), ("clip", "t0/s5"), ("clip", "t9/s0")] {
        let entry = api.ok("svc-delete", json!({"type": kind, "path": path}));
        assert_eq!((&entry["path"], &entry["ok"]), (&json!(path), &json!(false)), "{entry}");
        assert!(entry["detail"].as_str().is_some_and(|d| d.contains("nothing there")), "{entry}");
    }
    let entry = api.ok("svc-delete", json!({"type": "clip", "id": "987654321"}));
    assert_eq!(entry["id"], "987654321");
    // Another kind is a skip of that target; the rest is done.
    let track = api.id("live_set tracks 0");
    let list = api.ok("svc-delete", json!({"type": "clip", "id": track, "path": "t0/s0,t1,t0/s1"}));
    let list = list.as_array().expect("four").clone();
    assert_eq!(list.len(), 4);
    let skipped: Vec<bool> = list.iter().map(|entry| entry["ok"] == false).collect();
    assert_eq!(skipped, [true, false, true, false], "{list:?}");
    assert_eq!(list[2]["path"], "t1");
    api.refused("svc-delete", json!({"type": "clip", "path": "t1"}));
}

#[test]
fn a_target_named_twice_is_written_once_the_last_time() {
    let api = with_clips();
    let id = api.ok("svc-read-clip", json!({"path": "t0/s0"}))["id"].as_str().expect("an id").to_owned();
    let list = api.ok("svc-update-clip", json!({"id": id, "path": "t0/s1,t0/s0", "name": "one,two,three"}));
    assert_eq!(list[0]["id"], id);
    assert!(list[0].get("ok").is_none() && list[0]["detail"].is_string(), "{list}");
    assert!(list[0].get("path").is_none(), "keyed as it was sent: {list}");
    assert_eq!((&list[2]["path"], list[2].get("detail")), (&json!("t0/s0"), None));
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s0"}))["name"], "three");

    let list = api.ok("svc-update-track", json!({"path": "t0,t0", "color": "#FF94A6,#1AFF2F"}));
    assert!(list[0]["detail"].as_str().is_some_and(|d| d.contains("later")), "{list}");
    assert_eq!(api.ok("svc-read-track", json!({"path": "t0", "include": ["color"]}))["color"], "#1AFF2F");

    let list = api.ok("svc-create-clip", json!({"path": "t0/s4,t0/s4", "name": "first,second"}));
    assert!(list[0].get("id").is_none() && list[0]["detail"].is_string(), "{list}");
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s4"}))["name"], "second");

    let list = api.ok("svc-delete", json!({"type": "clip", "path": "t0/s4,t0/s4"}));
    assert_eq!(list[0], list[1], "deleted once, said twice");
    let list = api.ok("svc-read-track", json!({"path": "t0,t0"}));
    assert_eq!(list[0], list[1], "reads repeat");
    // Two new tracks are two objects.
    let list = api.ok("svc-create-track", json!({"path": "t+,t+"}));
    assert_ne!(list[0]["id"], list[1]["id"]);
}

#[test]
fn what_was_to_be_replaced_by_a_failing_later_one_is_a_skip_too() {
    let api = with_clips();
    for (tool, rest, path) in [
        ("svc-create-clip", json!({"notes": "C3 1|1"}), "t2/s0,t2/s0,t0/s5"),
        ("svc-create-clip", json!({"notes": "C3 1|1"}), "t9/s0,t9/s0,t0/s5"),
    ] {
        let list = api.ok(tool, with(&rest, "path", path));
        assert_eq!((&list[0]["ok"], &list[1]["ok"]), (&json!(false), &json!(false)), "{tool} {path}: {list}");
        assert!(list[2].get("ok").is_none(), "{list}");
    }
}

#[test]
fn lists_pair_or_the_call_is_refused_and_nothing_is_written() {
    let api = with_clips();
    let cases = [
        ("svc-update-track", json!({"path": "t0,t1,rt0", "name": "a,b"}), "name"),
        ("svc-update-track", json!({"path": "t0,t1", "name": "a,b,c"}), "name"),
        ("svc-update-track", json!({"path": "t0,t1", "color": "#FFFFFF,#000000,#FF0000"}), "color"),
        ("svc-update-track", json!({"path": "t0,t1", "name": "a,,b"}), "name"),
        ("svc-update-track", json!({"path": "t0,t1", "name": ","}), "name"),
        ("svc-update-track", json!({"path": "t0,t1", "name": ",b"}), "name"),
        ("svc-update-track", json!({"path": "t0,t1", "color": "#FFFFFF,red"}), "color"),
        ("svc-update-clip", json!({"path": "t0/s0,t0/s1", "name": "a,b,c"}), "name"),
        ("svc-create-clip", json!({"path": "t0/s5,t0/s6", "name": "a,b,c"}), "name"),
        ("svc-create-clip", json!({"path": "t0/s5,t0/s6", "length": "1bar,2bar,3bar"}), "length"),
        ("svc-create-clip", json!({"path": "t0/s5,t0/s6", "timeSignature": "4/4,3/4,2/4"}), "timeSignature"),
        ("svc-create-clip", json!({"path": "t0/s5,t0/s6", "length": "1bar,soon"}), "length"),
        ("svc-create-clip", json!({"path": "t0/s5,t0/s6", "timeSignature": "4/4,3/5"}), "timeSignature"),
        ("svc-create-track", json!({"path": "t+,t+,t+", "name": "a,b"}), "name"),
        ("svc-create-track", json!({"path": "t+,t+", "color": "#FF0000,#00FF00,#0000FF"}), "color"),
    ];
    for (tool, arguments, named) in cases {
        let text = api.refused(tool, arguments.clone());
        assert!(text.starts_with(named), "{tool} {arguments}: {text}");
    }
}

#[test]
fn holes_refuse_the_whole_call_and_an_unreadable_target_is_its_entrys_failure() {
    for case in cases() {
        let api = with_clips();
        let (a, b) = (case.there[0], case.there[1]);
        for (path, named) in [
            (format!("{a},,{b}"), "entry 2"),
            (format!(",{a}"), "entry 1"),
            (",".to_owned(), "entry 1"),
            (format!("{a},,"), "entry 2"),
        ] {
            if path.ends_with(',') && case.foreign.is_empty() && !path.ends_with(",,") && path != "," {
                continue;
            }
            let text = api.refused(case.tool, with(&case.rest, "path", path.clone()));
            assert!(text.starts_with("path") && text.contains(named), "{} {path}: {text}", case.tool);
        }
        for named in ["nonsense", "t-1", "t0/d0/d1", case.foreign].into_iter().filter(|named| !named.is_empty()) {
            let text = api.refused(case.tool, with(&case.rest, "path", named));
            assert!(text.starts_with("path") && text.contains(named), "{} {named}: {text}", case.tool);
            let list = with(&case.rest, "path", format!("{a},{named}"));
            // Places where something is made are all read before anything is.
            if case.tool == "svc-create-clip" {
                api.refused(case.tool, list);
                continue;
            }
            let entries = with_clips().ok(case.tool, list);
            assert!(entries[0].get("ok").is_none(), "{} {named}: the other goes on: {entries}", case.tool);
            assert_eq!((&entries[1]["path"], &entries[1]["ok"]), (&json!(named), &json!(false)), "{entries}");
            assert!(entries[1]["detail"].as_str().is_some_and(|why| why.contains(named)), "{entries}");
        }
        if case.tool != "svc-create-clip" {
            let text = api.refused(case.tool, case.rest.clone());
            assert!(text.contains("path") && text.contains("id"), "{}: no target: {text}", case.tool);
            let text = api.refused(case.tool, with(&with(&case.rest, "path", ""), "id", "  "));
            assert!(text.contains("path"), "{}: blank targets are none: {text}", case.tool);
            let text = api.refused(case.tool, with(&case.rest, "id", case.there[0]));
            assert!(text.contains(&format!("path: \"{}\"", case.there[0])), "{}: {text}", case.tool);
            let text = api.refused(case.tool, with(&case.rest, "id", "abc"));
            assert!(text.starts_with("id") && text.contains("abc"), "{}: {text}", case.tool);
        }
        if case.writes && case.tool.starts_with("svc-update") {
            let text = api.refused(case.tool, json!({"path": case.there[0]}));
            assert!(text.contains("name"), "{}: says what could be written: {text}", case.tool);
        }
    }
}

#[test]
fn commas_inside_values() {
    let api = with_clips();
    let name = |path: &str| api.ok("svc-read-track", json!({"path": path}))["name"].clone();
    // One target: a comma is ordinary text.
    api.ok("svc-update-track", json!({"path": "t0", "name": "Kick, Snare"}));
    assert_eq!(name("t0"), "Kick, Snare");
    // Several: cut, an escaped one stays, other backslashes are left alone.
    api.ok("svc-update-track", json!({"path": "t0,t1", "name": "A\\,B, C:\\x"}));
    assert_eq!((name("t0"), name("t1")), (json!("A,B"), json!("C:\\x")));
    api.ok("svc-update-track", json!({"path": "t0,t1", "name": "Both"}));
    assert_eq!((name("t0"), name("t1")), (json!("Both"), json!("Both")));
    // A blank name takes the names of all away.
    api.ok("svc-update-track", json!({"path": "t0,t1", "name": ""}));
    assert_eq!((name("t0"), name("t1")), (json!("1-MIDI"), json!("2-MIDI")));
}

#[test]
fn blank_texts_clear_and_blank_paths_are_not_sent() {
    let api = with_clips();
    api.ok("svc-update-clip", json!({"path": "t0/s0", "name": ""}));
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s0"})).get("name"), None);
    assert_eq!(api.ok("svc-create-track", json!({"path": ""}))["path"], "t4");
    assert!(api.refused("svc-create-clip", json!({"path": ""})).starts_with("path"));
    let clip = api.ok("svc-create-clip", json!({"path": "t0/s6", "notes": "", "transforms": "", "name": ""}));
    assert_eq!((&clip["length"], &clip["noteCount"]), (&json!("1bar"), &json!(0)));
}

/// A value that has a format is never passed over because it is blank: the call is refused and names it. Blank
/// destinations and lengths on the timeline count as nothing.
#[test]
fn a_blank_value_beside_others_is_refused_by_name() {
    let api = with_clips();
    let position = json!({"action": "play-arrangement", "loopStart": "1|1"});
    for (tool, rest, blanks) in [
        ("svc-create-track", json!({"name": "N"}), &["color"][..]),
        ("svc-update-track", json!({"path": "t0", "name": "N"}), &["color", "sendReturn"]),
        ("svc-create-scene", json!({"path": "s+", "name": "N"}), &["color", "timeSignature"]),
        ("svc-update-scene", json!({"path": "s0,s1", "name": "N"}), &["color", "timeSignature"]),
        (
            "svc-create-clip",
            json!({"path": "t0/s7", "name": "N"}),
            &["color", "timeSignature", "start", "length", "firstStart", "sampleFile"],
        ),
        (
            "svc-update-clip",
            json!({"path": "t0/s0", "name": "N"}),
            &["color", "timeSignature", "start", "length", "firstStart", "quantizePitch"],
        ),
        ("svc-duplicate", json!({"type": "track", "path": "t0", "name": "N"}), &["color"]),
        ("svc-update-live-set", json!({"tempo": 99}), &["timeSignature"]),
        ("svc-create-device", json!({"path": "t1", "device": "Reverb"}), &["preset"]),
        ("svc-create-device", json!({"path": "t1", "preset": "P"}), &["device"]),
        ("svc-playback", position, &["startTime", "loopEnd"]),
    ] {
        for blank in blanks {
            for value in ["", "  "] {
                let text = api.refused(tool, with(&rest, blank, value));
                assert!(text.starts_with(&format!("{blank} is blank")), "{tool} {blank}: {text}");
            }
            let null = with(&rest, blank, Value::Null);
            if *blank != "device" && tool != "svc-create-device" {
                api.ok(tool, null);
            }
        }
    }
    // A routing's blank is a name, which some channels have.
    for routing in ["inputRoutingType", "inputRoutingChannel", "outputRoutingType"] {
        let entry = api.ok("svc-update-track", with(&json!({"path": "t0", "name": "N"}), routing, ""));
        let said = entry["detail"].as_str().unwrap_or_default();
        assert!(said.starts_with(&format!("{routing}: \"\" is not available; there is ")), "{entry}");
    }
    for nothing in ["arrangementLength", "arrangementSplit", "transforms", "envelopes"] {
        api.ok("svc-update-clip", with(&json!({"path": "t0/s0", "name": "N"}), nothing, ""));
    }
}

#[test]
fn a_refusal_names_the_argument_and_what_would_be_right() {
    let api = with_clips();
    // tool, arguments, every word the text must hold
    let cases: [(&str, Value, &[&str]); 14] = [
        ("svc-read-clip", json!({"path": "t0"}), &["path", "t0", "clip", "t0/s0"]),
        ("svc-read-clip", json!({"path": "t0/s7"}), &["t0/s7", "empty"]),
        ("svc-read-clip", json!({"path": "t0/s8"}), &["t0/s8", "8 scenes", "from 0"]),
        ("svc-read-track", json!({"path": "t0/s0"}), &["path", "track", "mt"]),
        ("svc-create-clip", json!({"path": "t2/s0"}), &["t2/s0", "audio", "MIDI"]),
        ("svc-create-clip", json!({"path": "rt0/s0"}), &["path", "rt0/s0"]),
        ("svc-create-clip", json!({"path": "t0/s1000"}), &["path", "s1000", "s999"]),
        ("svc-create-clip", json!({"path": "t0/s5", "length": "4"}), &["length", "4bar"]),
        ("svc-create-clip", json!({"path": "t0/s5", "length": "0bar"}), &["length"]),
        ("svc-create-clip", json!({"path": "t0/s5", "timeSignature": "4"}), &["timeSignature", "\"4\"", "4/4"]),
        ("svc-create-clip", json!({"path": "t0/s5", "notes": "H3 1|1"}), &["notes", "H3"]),
        ("svc-update-track", json!({"path": "t0", "color": "red"}), &["color", "red", "#RRGGBB"]),
        ("svc-create-track", json!({"path": "rt0"}), &["path", "rt0", "rt+"]),
        ("svc-create-track", json!({"path": "s+"}), &["path", "s+", "t+"]),
    ];
    for (tool, arguments, words) in cases {
        let text = api.refused(tool, arguments.clone());
        for word in words {
            assert!(text.contains(word), "{tool} {arguments}: {text:?} lacks {word:?}");
        }
    }
}

#[test]
fn json_and_compact_give_the_same_entries() {
    for case in cases().into_iter().filter(|case| !case.writes) {
        let api = with_clips();
        let arguments = with(&case.rest, "path", format!("{},{}", case.there.join(","), case.missing));
        let plain = api.ok(case.tool, arguments.clone());
        let reply = api.post(&format!("/api/tools/{}?format=compact", case.tool), "", &arguments).json();
        let text = reply["result"].as_str().expect("a text");
        assert_eq!(text, text_of(&plain, Format::Compact), "{}", case.tool);
        assert!(!text.contains(": ") || text.contains('"'), "no whitespace outside texts");
    }
}
