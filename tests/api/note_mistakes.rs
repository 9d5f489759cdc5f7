//! Notes and transforms that cannot be read, or come to more than can be kept: what is told, and that nothing is
//! changed.

use super::note_work::{FOUR, notes};
use crate::support::Api;
use serde_json::{Value, json};

#[test]
fn wrong_transforms_change_nothing() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1", "notes": FOUR, "timeSignature": "4/4,2/2"}));
    // tool, argument, text, words that the refusal holds
    for (argument, text, words) in [
        ("transforms", "velosity = 3", vec!["line 1, column 1", "velosity", "Did you mean velocity = 3"]),
        ("preTransforms", "v+1\nvelocity = bar.x", vec!["line 2, column 12", "bar.x"]),
        ("transforms", "foo = 1\nbar = 2", vec!["line 1", "line 2"]),
        ("preTransforms", "velocity = ramp(1)", vec!["2 arguments"]),
        ("transforms", "timing += swing(0.1)", vec!["swing"]),
    ] {
        let said = api.refused("svc-update-clip", json!({"path": "t0/s0,t0/s1", "name": "X", argument: text}));
        assert!(said.starts_with(&format!("{argument}: ")), "{said}");
        for word in words {
            assert!(said.contains(word), "{text}: {said}");
        }
    }
    let said = api.refused("svc-create-clip", json!({"path": "t0/s0", "notes": FOUR, "transforms": "velosity = 3"}));
    assert!(said.starts_with("transforms: ") && said.contains("velosity"), "{said}");
    // Lines for audio clips are not judged on MIDI clips, and do nothing.
    let said = api.refused("svc-update-clip", json!({"path": "t0/s0", "transforms": "gain = curve(1, 2, 0)"}));
    assert!(said.contains("audio"), "{said}");
    // Wrong in one meter only: that clip stays as it is; wrong in all of them refuses.
    let swing = "timing = swing(n/8)";
    let list = api.ok("svc-update-clip", json!({"path": "t0/s0,t0/s1", "name": "A,B", "transforms": swing}));
    assert_eq!((&list[0]["ok"], list[1].get("ok")), (&json!(false), None), "{list}");
    assert!(list[0]["detail"].as_str().is_some_and(|d| d.contains("smaller than its grid")), "{list}");
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s0"})).get("name"), None, "nothing of it was done");
    api.refused("svc-update-clip", json!({"path": "t0/s0", "transforms": swing}));
    api.ok("svc-create-clip", json!({"path": "t0/s2", "notes": FOUR}));
    api.refused("svc-update-clip", json!({"path": "t0/s0,t0/s2", "transforms": swing}));
    // So it is with new clips, and with notes.
    for (argument, text) in [("transforms", swing), ("notes", "C3 1|1x2@1bar-n/1")] {
        let mut arguments = json!({"path": "t1/s0,t1/s1", "notes": FOUR, "timeSignature": "4/4,3/2"});
        arguments[argument] = json!(text);
        let list = api.ok("svc-create-clip", arguments.clone());
        assert_eq!((&list[0]["ok"], list[1].get("ok")), (&json!(false), None), "{list}");
        arguments["timeSignature"] = json!("4/4");
        api.refused("svc-create-clip", arguments);
    }
    // A step that the Set's meter would not allow, but the clip's does.
    api.ok("svc-create-clip", json!({"path": "t1/s3", "timeSignature": "3/2"}));
    api.ok("svc-update-clip", json!({"path": "t1/s3", "notes": "C3 1|1x2@1bar-n/1"}));
    // Too much is refused as a whole.
    let many = json!({"path": "t0/s0", "notes": "C3 1|1x2000@n/16", "transforms": "ratchet(51)"});
    assert!(api.refused("svc-create-clip", many).contains("100000"));
}

#[test]
fn the_limit_that_comes_first_is_named() {
    let api = Api::new();
    let refused = |notation: &str, notes: Value| {
        let reply = api.post(
            "/api/tools/svc-create-clip",
            &format!("x-svc-notation: {notation}\r\n"),
            &json!({"path": "t0/s0", "notes": notes}),
        );
        (reply.status, reply.json().to_string())
    };
    let mib = 1024 * 1024;
    let many: Vec<Value> = vec![json!({"p":1,"t":1}); 100_001];
    for (notation, notes, status, words) in [
        // 1 MiB of text comes before its notes are counted, 2 MB of body before anything.
        ("barbeat", json!("C3 1|1x200000 ".repeat(mib / 10)), 200, "1 MiB"),
        ("barbeat", json!("C3 1|1x200000@n/64"), 200, "more than 100000"),
        ("midi-json", json!(format!("[{}]", vec!["{p:1,t:1}"; 100_001].join(","))), 200, "more than 100000"),
        ("midi-json", json!(format!("[{}]", vec!["{p:1,t:1}"; 110_000].join(","))), 200, "1 MiB"),
        ("midi-json", json!(many), 200, "more than 100000"),
        ("stark", json!("kick: X*100001"), 200, "more than 100000"),
        ("stark", json!(" ".repeat(mib + 1)), 200, "1 MiB"),
        ("barbeat", json!(" ".repeat(2 * 1024 * 1024)), 413, "2"),
    ] {
        let (found, said) = refused(notation, notes);
        assert_eq!(found, status, "{words}: {said}");
        assert!(said.contains(words), "{words}: {said}");
    }
    let said = api.refused("svc-update-clip", json!({"path": "t0/s0", "transforms": "#".repeat(mib + 1)}));
    assert!(said.contains("1 MiB"), "{said}");
}

#[test]
fn all_texts_of_a_call_tell_their_mistakes_together() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": FOUR}));
    let text = |arguments: Value, tool: &str| api.refused(tool, arguments);
    // What is sent, what is told of, and what is not.
    for (tool, sent, told, untold) in [
        (
            "svc-update-clip",
            json!({"preTransforms": "deleet", "notes": "C3 1|0", "transforms": "velosity = 3"}),
            vec!["preTransforms: ", "Did you mean delete ?", "notes: ", "1|1", "transforms: ", "velocity = 3"],
            vec!["syntax errors"],
        ),
        ("svc-update-clip", json!({"notes": "C3 1|1", "transforms": "foo = 3"}), vec!["transforms: "], vec!["notes: "]),
        (
            "svc-update-clip",
            json!({"preTransforms": "ratchet(1)", "transforms": "velocity = C3"}),
            vec!["preTransforms: ", "2 pieces", "\ntransforms: ", "pitch only"],
            vec![],
        ),
        (
            "svc-create-clip",
            json!({"notes": "C3D3E3 1|1", "transforms": "foo = 3"}),
            vec!["notes: ", "C3 D3 E3", "transforms: "],
            vec![],
        ),
        // Wrong in every meter, beside notes that cannot be read.
        (
            "svc-create-clip",
            json!({"notes": "C3 1|0", "transforms": "ratchet(1)"}),
            vec!["notes: ", "transforms: "],
            vec![],
        ),
        (
            "svc-create-clip",
            json!({"notes": "64 ".repeat(30), "transforms": "foo = 3\n".repeat(4)}),
            vec!["transforms: ", "line 4, ", "notes: ", "column 16 "],
            vec!["column 19 "],
        ),
        (
            "svc-update-clip",
            json!({"notes": "64", "preTransforms": "foo = 3\n".repeat(12), "transforms": "bar = 4"}),
            vec!["preTransforms: ", "line 10, ", "transforms has mistakes too", "notes has mistakes too"],
            vec!["bar = 4"],
        ),
    ] {
        let mut arguments = sent.clone();
        arguments["path"] = json!("t0/s0");
        let said = text(arguments, tool);
        assert!(told.iter().all(|told| said.contains(told)), "{sent}: {said}");
        assert!(!untold.iter().any(|untold| said.contains(untold)), "{sent}: {said}");
    }
    assert_eq!(notes(&api, "t0/s0"), "v70 n/4 D3 1|1\nv80 F3 1|2\nv90 A3 1|3\nv100 D3 1|4");
}

#[test]
fn a_refused_length_names_its_argument_and_limit() {
    let api = Api::new();
    for (notation, sent, said) in [
        ("midi-json", json!({"notes": "[{p:60,t:1000001,d:1}]"}), ["notes: ", "1000000 quarter beats"]),
        ("midi-json", json!({"notes": [{"p": 60, "t": 9e8}]}), ["notes: ", "1000000 quarter beats"]),
        ("barbeat", json!({"notes": "C3 300000|1"}), ["notes: ", "1000000 quarter beats"]),
        ("barbeat", json!({"length": "250001bar"}), ["length: ", "1000000"]),
    ] {
        let mut arguments = sent;
        arguments["path"] = json!("t0/s0");
        let envelope = api.envelope("svc-create-clip", &format!("x-svc-notation: {notation}\r\n"), &arguments);
        let text = envelope.to_string();
        assert!(envelope["isError"] == true && said.iter().all(|said| text.contains(said)), "{arguments}: {envelope}");
    }
    // A clip may be as long as that, and notes may lie past its end.
    for arguments in [json!({"length": "250000bar"}), json!({"length": "1bar", "notes": "C3 300000|1"})] {
        let mut arguments = arguments;
        arguments["path"] = json!("t0/s0");
        api.ok("svc-create-clip", arguments);
    }
}

#[test]
fn a_pitch_that_does_not_exist_is_told_of_by_its_own_number() {
    let api = Api::new();
    for (pitch, said) in [
        ("C9999999", "pitch C9999999 (120000012) is outside"),
        ("C-9999999", "pitch C-9999999 (-119999964) "),
        ("C99999999999", "(above 1,000,000,000) "),
    ] {
        let envelope =
            api.envelope("svc-create-clip", "", &json!({"path": "t0/s0", "notes": format!("{pitch} E3 1|1")}));
        let warnings = envelope["warnings"].to_string();
        assert!(warnings.contains(said), "{pitch}: {envelope}");
    }
}

/// What is wrong for the kind of clip is told with what cannot be read at all, and only for a kind that the call is
/// about.
#[test]
fn faults_of_a_kind_are_told_with_mistakes_of_syntax() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    let curve = "velocity = curve(1, 2, 0)";
    let alone = api.refused("svc-update-clip", json!({"path": "t0/s0", "transforms": curve}));
    assert!(alone.starts_with("transforms: ") && alone.contains("curve"), "{alone}");
    for (argument, text) in [("preTransforms", "velocity ++ 1"), ("notes", "C3 1|1 nonsense")] {
        let both = api.refused("svc-update-clip", json!({"path": "t0/s0", argument: text, "transforms": curve}));
        assert!(both.contains(&format!("{argument}: ")) && both.contains(&alone), "{both}");
        // Of a clip that is not there, no kind is known.
        let one = api.refused("svc-update-clip", json!({"path": "t0/s7", argument: text, "transforms": curve}));
        assert!(one.contains(&format!("{argument}: ")) && !one.contains("curve"), "{one}");
    }
}
