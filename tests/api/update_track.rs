//! `svc-update-track`: every parameter, what a track lacks, sends, routings, take lanes.

use crate::support::Api;
use serde_json::{Value, json};

const TOOL: &str = "svc-update-track";

fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

fn read(api: &Api, path: &str, include: Value) -> Value {
    api.ok("svc-read-track", json!({"path": path, "include": include}))
}

fn mixer(api: &Api, path: &str) -> Value {
    read(api, path, json!(["mixer"]))
}

/// A call that landed as asked says only whose it was.
fn silent(api: &Api, arguments: Value) {
    let entry = crate::support::without_changed(api.ok(TOOL, arguments.clone()));
    let mut wanted = json!({"id": entry["id"], "path": arguments["path"]});
    if let Some(name) = arguments.get("name") {
        wanted["name"] = name.clone();
    }
    assert_eq!(entry, wanted, "{arguments}");
}

#[test]
fn what_lands_as_asked_is_not_said_again() {
    let api = Api::new();
    for (values, includes, want) in [
        (json!({"name": "Lead"}), json!([]), json!({"name": "Lead"})),
        (json!({"color": "#ff94a6"}), json!(["color"]), json!({"color": "#FF94A6"})),
        (json!({"gainDb": -6.5}), json!(["mixer"]), json!({"gainDb": -6.5})),
        (json!({"gainDb": "6"}), json!(["mixer"]), json!({"gainDb": 6})),
        (json!({"pan": -0.25}), json!(["mixer"]), json!({"pan": -0.25})),
        (
            json!({"panningMode": "split", "leftPan": -0.5, "rightPan": 0.25}),
            json!(["mixer"]),
            json!({"panningMode": "split", "leftPan": -0.5, "rightPan": 0.25}),
        ),
        (json!({"panningMode": "stereo", "pan": 1}), json!(["mixer"]), json!({"pan": 1})),
        (json!({"mute": true}), json!([]), json!({"state": "muted"})),
        (json!({"mute": false, "solo": true}), json!([]), json!({"state": "soloed"})),
        (json!({"solo": false, "arm": true}), json!([]), json!({"isArmed": true})),
        (json!({"monitoringState": "in"}), json!(["routings"]), json!({"monitoringState": "in"})),
        (json!({"monitoringState": "off"}), json!(["routings"]), json!({"monitoringState": "off"})),
        (
            json!({"sendGainDb": -12, "sendReturn": "A"}),
            json!(["mixer"]),
            json!({"sends": [{"gainDb": -12, "return": "A-Reverb", "returnId": "8"}, {"gainDb": "-inf", "return": "B-Delay", "returnId": "10"}]}),
        ),
    ] {
        let mut arguments = values.clone();
        arguments["path"] = json!("t0");
        silent(&api, arguments);
        let track = read(&api, "t0", includes);
        for (field, value) in want.as_object().expect("fields") {
            if field == "sends" {
                for (at, send) in value.as_array().expect("sends").iter().enumerate() {
                    assert_eq!(
                        (&track[field][at]["gainDb"], &track[field][at]["return"]),
                        (&send["gainDb"], &send["return"])
                    );
                }
                continue;
            }
            assert_eq!(track[field], *value, "{values} {field}");
        }
    }
    // One call, several tracks, return and main among them.
    let list = api.ok(TOOL, json!({"path": "t1,rt0,mt", "gainDb": -3, "pan": 0.5, "name": "a,A-b,c"}));
    for (entry, path) in list.as_array().expect("three").iter().zip(["t1", "rt0", "mt"]) {
        assert_eq!(*entry, json!({"id": entry["id"], "path": path, "name": entry["name"]}));
        assert_eq!((&mixer(&api, path)["gainDb"], &mixer(&api, path)["pan"]), (&json!(-3), &json!(0.5)), "{path}");
    }
}

/// What reads back as a word is always said, though it is what was asked for.
#[test]
fn silence_is_said() {
    let api = Api::new();
    for path in ["t0", "rt0", "mt"] {
        let entry = api.ok(TOOL, json!({"path": path, "gainDb": -70}));
        let detail = "gainDb reads -inf, which is silence";
        assert_eq!(entry, json!({"id": entry["id"], "path": path, "gainDb": "-inf", "detail": detail}));
        assert_eq!(mixer(&api, path)["gainDb"], "-inf");
    }
    let entry =
        api.ok(TOOL, json!({"path": "t0", "sends": [{"return": "B", "gainDb": -70}, {"return": "A", "gainDb": -6}]}));
    assert_eq!(entry["sends"].as_array().map(Vec::len), Some(1), "{entry}");
    let send = &entry["sends"][0];
    assert_eq!((&send["return"], &send["gainDb"]), (&json!("B-Delay"), &json!("-inf")), "{entry}");
    assert!(send["detail"].as_str().is_some_and(|text| text.contains("silence")), "{entry}");
}

#[test]
fn a_track_and_a_new_take_lane_in_one_call() {
    let api = Api::new();
    api.ok(TOOL, json!({"path": "t2/l+"}));
    let list = api.ok(
        TOOL,
        json!({"path": "t0,t2/l+", "name": "Lead,take B", "sends": [{"return": "A", "gainDb": -6}, {"return": "Z", "gainDb": -6}]}),
    );
    assert_eq!(
        list,
        json!([
            {"id": list[0]["id"], "path": "t0", "name": "Lead",
             "sends": [{"return": "Z", "ok": false, "detail": "no return fits \"Z\"; there are A-Reverb, B-Delay"}]},
            {"id": list[1]["id"], "path": "t2/l1", "created": "l1", "name": "take B", "detail": "sends ignored: a take lane has only a name"},
        ])
    );
    assert_eq!(read(&api, "t2/l1", json!([]))["name"], "take B");
    assert_eq!((&mixer(&api, "t0")["sends"][0]["gainDb"], &mixer(&api, "t0")["name"]), (&json!(-6), &json!("Lead")));
}

#[test]
fn what_a_track_lacks_is_refused_on_its_entry() {
    let api = Api::new();
    for (path, values, words) in [
        ("t0", json!({"leftPan": 0}), "stereo mode"),
        ("t0", json!({"rightPan": 0}), "stereo mode"),
        ("mt", json!({"mute": true}), "main track"),
        ("mt", json!({"solo": true}), "main track"),
        ("rt0", json!({"arm": true}), "cannot be armed"),
        ("mt", json!({"arm": true}), "cannot be armed"),
        ("rt0", json!({"monitoringState": "in"}), "monitoring"),
        ("rt0", json!({"inputRoutingType": "Ext. In"}), "no input routing"),
        ("mt", json!({"outputRoutingType": "Main"}), "no output routing"),
        ("t0", json!({"inputRoutingType": "Nowhere"}), "All Ins"),
        ("t2", json!({"outputRoutingType": "Nowhere"}), "Sends Only"),
        ("mt", json!({"sendGainDb": -6, "sendReturn": "A"}), "no send to A-Reverb"),
        ("t0", json!({"sendGainDb": -6, "sendReturn": "Q"}), "A-Reverb, B-Delay"),
    ] {
        // Alone it is the call's refusal.
        let mut arguments = values.clone();
        arguments["path"] = json!(path);
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
        // Beside another target, that one's skip.
        arguments["path"] = json!(format!("{path},t77"));
        let list = api.ok(TOOL, arguments.clone());
        assert_eq!((&list[0]["path"], &list[0]["ok"]), (&json!(path), &json!(false)), "{list}");
        // Beside something that lands, a detail (of a send: its own).
        arguments["path"] = json!(path);
        arguments["color"] = json!("#FF94A6");
        let entry = api.ok(TOOL, arguments.clone());
        assert!(entry.get("ok").is_none() && entry["id"].is_string(), "{entry}");
        let said = if entry["sends"].is_array() { detail(&entry["sends"][0]) } else { detail(&entry) };
        assert!(said.contains(words), "{arguments}: {entry}");
    }
    // Switching off what is not there needs no doing.
    for (path, values) in [
        ("mt", json!({"mute": false})),
        ("mt", json!({"solo": false})),
        ("rt0", json!({"arm": false})),
        ("rt0", json!({"monitoringState": "off"})),
    ] {
        let mut arguments = values.clone();
        arguments["path"] = json!(path);
        let before = api.saved();
        let entry = api.ok(TOOL, arguments);
        assert!(entry.get("ok").is_none() && entry["detail"].is_string(), "{values}: {entry}");
        assert_eq!(api.saved(), before);
    }
    // A mode that governed the call is said.
    silent(&api, json!({"path": "t0", "panningMode": "split"}));
    let entry = api.ok(TOOL, json!({"path": "t0", "leftPan": -0.5}));
    assert_eq!(entry, json!({"id": entry["id"], "path": "t0", "panningMode": "split"}));
    let entry = api.ok(TOOL, json!({"path": "t0", "pan": 0, "gainDb": -1}));
    assert!(entry["panningMode"] == "split" && detail(&entry).contains("leftPan and rightPan"), "{entry}");
    assert!(api.refused(TOOL, json!({"path": "t0", "pan": 0})).contains("split mode"));
}

#[test]
fn malformed_calls() {
    let api = Api::new();
    for (arguments, words) in [
        (json!({"path": "t0"}), "nothing to write"),
        (json!({"path": "t0", "sends": []}), "nothing to write"),
        (json!({"path": "t0", "inputRoutingType": " "}), "inputRoutingType: \"\" is not available"),
        (json!({"path": "t0", "gainDb": null}), "nothing to write"),
        (json!({"path": "t0", "sendGainDb": -6}), "sendReturn"),
        (json!({"path": "t0", "sendReturn": "A", "gainDb": 0}), "sendGainDb"),
        (
            json!({"path": "t0", "sendReturn": "A", "sendGainDb": 0, "sends": [{"return": "A", "gainDb": 0}]}),
            "one of them",
        ),
        (json!({"path": "t0,t1", "sendReturn": "A,B,A", "sendGainDb": 0}), "3 values"),
        (json!({"path": "t0,t1", "outputRoutingType": "Main,,"}), "outputRoutingType"),
        (json!({"path": "t0", "outputRoutingType": "Main", "outputRoutingTypeId": "5"}), "outputRoutingTypeId"),
        (json!({"path": "t+", "name": "x"}), "svc-create-track"),
        (json!({"path": "t0/s0", "name": "x"}), "track"),
    ] {
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
    for (arguments, path) in [
        (json!({"path": "t0", "gainDb": 6.1}), "/gainDb"),
        (json!({"path": "t0", "pan": -1.01}), "/pan"),
        (json!({"path": "t0", "mute": "false"}), "/mute"),
        (json!({"path": "t0", "panningMode": ""}), "/panningMode"),
        (json!({"path": "t0", "monitoringState": "on"}), "/monitoringState"),
        (json!({"path": "t0", "sends": [{"return": "A"}]}), "/sends/0/gainDb"),
        (json!({"path": "t0", "sends": [{"return": "A", "gainDb": 1}]}), "/sends/0/gainDb"),
    ] {
        assert_eq!(api.bad(TOOL, arguments.clone())["details"][0]["path"], path, "{arguments}");
    }
}

#[test]
fn sends() {
    let api = Api::new();
    // A return by every name it has, and the pair over two tracks.
    let id = read(&api, "rt1", json!([]))["id"].as_str().expect("an id").to_owned();
    for (level, to) in [(-1, id.as_str()), (-2, "b-delay"), (-3, "rt1"), (-4, "B")] {
        silent(&api, json!({"path": "t0", "sendGainDb": level, "sendReturn": to}));
        assert_eq!(mixer(&api, "t0")["sends"][1]["gainDb"], level, "{to}");
    }
    api.ok(TOOL, json!({"path": "t0,t1", "sendGainDb": -9, "sendReturn": "A,B"}));
    assert_eq!(mixer(&api, "t0")["sends"][0]["gainDb"], -9);
    assert_eq!(
        (&mixer(&api, "t1")["sends"][0]["gainDb"], &mixer(&api, "t1")["sends"][1]["gainDb"]),
        (&json!("-inf"), &json!(-9))
    );
    // Twice: the last level counts, and only that is written.
    let entry = api.ok(
        TOOL,
        json!({"path": "t0", "sends": [{"return": "A", "gainDb": -20}, {"return": "rt0", "gainDb": -30}, {"return": "B", "gainDb": 0}]}),
    );
    let sends = entry["sends"].as_array().expect("one says something");
    assert_eq!(
        (sends.len(), &sends[0]["return"], &sends[1]["gainDb"]),
        (2, &json!("A-Reverb"), &json!(-30)),
        "{entry}"
    );
    assert!(detail(&sends[0]).contains("later") && sends[0].get("ok").is_none(), "{entry}");
    assert_eq!(mixer(&api, "t0")["sends"][0]["gainDb"], -30);
    // A text that fits two is settled and said.
    api.ok(TOOL, json!({"path": "rt1", "name": "a"}));
    let entry = api.ok(TOOL, json!({"path": "t0", "sendReturn": "A", "sendGainDb": -5}));
    let send = &entry["sends"][0];
    assert!(send["return"] == "A-Reverb" && detail(send).contains("its letter") && send["returnId"] != id, "{entry}");
}

#[test]
fn routings() {
    let api = Api::new();
    let available = read(&api, "t0", json!(["available-routings"]));
    let no_input = available["availableInputRoutingTypes"].as_array().expect("a list").last().expect("one").clone();
    assert_eq!(no_input["name"], "No Input");
    silent(&api, json!({"path": "t0", "inputRoutingType": no_input["inputId"]}));
    let input = |path: &str| read(&api, path, json!(["routings"]));
    assert_eq!(input("t0")["inputRoutingType"], no_input);
    // The type first: the channel is one of its own.
    silent(&api, json!({"path": "t0", "inputRoutingChannel": "ch. 3", "inputRoutingType": "All Ins"}));
    assert_eq!(input("t0")["inputRoutingChannel"]["name"], "Ch. 3");
    // The type it has already keeps its channel.
    silent(&api, json!({"path": "t0", "inputRoutingType": "All Ins"}));
    assert_eq!(input("t0")["inputRoutingChannel"]["name"], "Ch. 3");
    // A type that is not there takes its channel along; the output is another matter.
    let entry = api.ok(
        TOOL,
        json!({"path": "t2", "inputRoutingType": "Moon", "inputRoutingChannel": "1", "outputRoutingType": "Sends Only"}),
    );
    assert!(detail(&entry).contains("Moon") && detail(&entry).contains("inputRoutingChannel: left"), "{entry}");
    assert_eq!(input("t2")["outputRoutingType"]["name"], "Sends Only");
    // Lists pair.
    api.ok(TOOL, json!({"path": "t2,t3", "outputRoutingType": "Main,Ext. Out", "outputRoutingChannel": ""}));
    assert_eq!(input("t2")["outputRoutingType"]["name"], "Main");
    assert_eq!(input("t3")["outputRoutingType"]["name"], "Ext. Out");
    // The names of earlier versions.
    for (old, new, value) in [
        ("inputRoutingTypeId", "inputRoutingType", "4"),
        ("inputRoutingChannelId", "inputRoutingChannel", "0"),
        ("outputRoutingTypeId", "outputRoutingType", "6"),
        ("outputRoutingChannelId", "outputRoutingChannel", "0"),
    ] {
        let envelope = api.envelope(TOOL, "", &json!({"path": "t2", old: value}));
        let warning = envelope["warnings"][0].as_str().expect("a warning");
        assert!(envelope["isError"] == false && warning.contains(&format!("{new}: \"{value}\"")), "{envelope}");
    }
    assert_eq!(input("t2")["outputRoutingType"]["name"], "Sends Only");
}

#[test]
fn take_lanes() {
    let api = Api::new();
    // Made up to the one that is named.
    let entry = api.ok(TOOL, json!({"path": "t0/l2", "name": "Three"}));
    assert_eq!(entry, json!({"id": entry["id"], "path": "t0/l2", "created": "l0-l2", "name": "Three"}));
    // One that is there is renamed; by id too.
    let named = |name: &str| json!({"id": entry["id"], "path": "t0/l2", "name": name});
    assert_eq!(api.ok(TOOL, json!({"path": "t0/l2", "name": "3"})), named("3"));
    silent(&api, json!({"path": "t0/l0", "name": "One"}));
    assert_eq!(api.ok(TOOL, json!({"id": entry["id"], "name": "III"})), named("III"));
    let lanes = read(&api, "t0", json!(["arrangement-clips"]))["takeLanes"].clone();
    let names: Vec<&Value> = lanes.as_array().expect("three").iter().map(|lane| &lane["name"]).collect();
    assert_eq!(names, ["One", "Take Lane 2", "III"]);
    // Two new ones are two; a lane to be made counts as something to write.
    let list = api.ok(TOOL, json!({"path": "t0/l+,t0/l+,t1/l1"}));
    for (entry, (path, created)) in
        list.as_array().expect("three").iter().zip([("t0/l3", "l3"), ("t0/l4", "l4"), ("t1/l1", "l0-l1")])
    {
        assert_eq!(*entry, json!({"id": entry["id"], "path": path, "created": created}));
    }
    assert!(api.refused(TOOL, json!({"path": "t0/l4"})).contains("nothing to write"));
    // One lane by two names: the last counts.
    let list = api.ok(TOOL, json!({"path": "t0/l5,t0/l5", "name": "a,b"}));
    assert!(list[0].get("ok").is_none() && detail(&list[0]).contains("later"), "{list}");
    assert_eq!((&list[1]["created"], &read(&api, "t0/l5", json!([]))["name"]), (&json!("l5"), &json!("b")));
    // A lane past the cap is its own fault alone.
    assert!(api.refused(TOOL, json!({"path": "t0/l10", "name": "x"})).contains("at most 10"));
    let list = api.ok(TOOL, json!({"path": "t1/l10,t0/l9,t0/l+,t1", "name": "x"}));
    for (at, path) in [(0, "t1/l10"), (2, "t0/l+")] {
        assert!(list[at]["ok"] == false && list[at]["path"] == path, "{list}");
        assert!(detail(&list[at]).contains("at most 10"), "{list}");
    }
    assert_eq!((&list[1]["created"], &list[3]["path"]), (&json!("l6-l9"), &json!("t1")), "{list}");
    assert_eq!(read(&api, "t1", json!([]))["takeLaneCount"], 2);
    // A lane has only a name: nothing else alone, the rest beside it.
    assert!(api.refused(TOOL, json!({"path": "t0/l0", "mute": true})).contains("only a name"));
    let entry = api.ok(TOOL, json!({"path": "t0/l0", "mute": true, "color": "#FF0000", "name": "x"}));
    assert_eq!(entry["detail"], "color, mute ignored: a take lane has only a name");
    // What has no lanes.
    assert!(api.refused(TOOL, json!({"path": "t9/l0", "name": "x"})).contains("t9"));
    assert!(api.refused(TOOL, json!({"path": "rt0/l+", "name": "x"})).contains("no take lanes"));
}

#[test]
fn a_group_has_no_take_lanes_and_no_input() {
    let api = Api::raw_enabled();
    crate::groups::make(&api);
    let path = "t3";
    let list = api.ok(TOOL, json!({"path": format!("{path}/l0,t0"), "name": "x"}));
    assert!(list[0]["ok"] == false && detail(&list[0]).contains("only MIDI and audio"), "{list}");
    for values in [json!({"inputRoutingType": "Ext. In"}), json!({"arm": true})] {
        let mut arguments = values;
        arguments["path"] = json!(path);
        api.refused(TOOL, arguments);
    }
}

/// What a read shows of a strip can be written: a pan as its label, silence as its word.
#[test]
fn levels_are_written_as_they_are_read() {
    let api = Api::new();
    for (sent, pan, label, gain) in [
        (json!({"pan": "20L", "gainDb": "-6 dB"}), json!(-0.4), "20L", json!(-6)),
        (json!({"pan": "C", "gainDb": "-inf"}), json!(0), "C", json!("-inf")),
        (json!({"pan": "50r", "gainDb": "-3.5"}), json!(1), "50R", json!(-3.5)),
        (json!({"pan": -0.5, "gainDb": 0}), json!(-0.5), "25L", json!(0)),
    ] {
        let mut call = sent.clone();
        call["path"] = json!("t0");
        api.ok("svc-update-track", call);
        let read = api.ok("svc-read-track", json!({"path": "t0", "include": ["mixer"]}));
        assert_eq!((&read["pan"], &read["panLabel"], &read["gainDb"]), (&pan, &json!(label), &gain), "{sent}: {read}");
    }
    let sends = json!([{"return": "A", "gainDb": "-inf"}, {"return": "B", "gainDb": -12}]);
    api.ok("svc-update-track", json!({"path": "t0", "sends": sends}));
    let read = api.ok("svc-read-track", json!({"path": "t0", "include": ["mixer"]}));
    assert_eq!((&read["sends"][0]["gainDb"], &read["sends"][1]["gainDb"]), (&json!("-inf"), &json!(-12)), "{read}");
    for wrong in [json!({"pan": "left"}), json!({"pan": "60L"}), json!({"gainDb": "loud"}), json!({"gainDb": "inf"})] {
        let mut call = wrong.clone();
        call["path"] = json!("t0");
        let said = api.refused("svc-update-track", call);
        let (name, text) = wrong.as_object().and_then(|sent| sent.iter().next()).expect("one");
        assert!(said.starts_with(&format!("{name}: {text} is no level; send ")), "{wrong}: {said}");
    }
    let sends = json!([{"return": "A", "gainDb": "loud"}]);
    let said = api.refused("svc-update-track", json!({"path": "t0", "sends": sends}));
    assert!(said.contains("gainDb of sends is a number"), "{said}");
    // A number outside the range is a fault of the arguments, as it stands in the schema; so is another type.
    for wrong in [json!({"pan": 2}), json!({"gainDb": 6.5}), json!({"pan": [1]}), json!({"gainDb": true})] {
        let mut call = wrong;
        call["path"] = json!("t0");
        api.bad("svc-update-track", call);
    }
    let none = api.refused("svc-update-track", json!({"path": "t0", "mute": []}));
    assert!(none.contains("mute has 0 values for 1 targets"), "{none}");
}

/// Levels pair with the targets, as texts do.
#[test]
fn levels_pair_with_the_targets() {
    let api = Api::new();
    for (sent, levels) in [
        (json!({"gainDb": "0,-4"}), [0.0, -4.0]),
        (json!({"gainDb": "-6 dB, -12 dB"}), [-6.0, -12.0]),
        (json!({"gainDb": [-1, "-2"]}), [-1.0, -2.0]),
        (json!({"gainDb": -3}), [-3.0, -3.0]),
    ] {
        let mut call = sent.clone();
        call["path"] = json!("t0,t1");
        api.ok("svc-update-track", call);
        let read = api.ok("svc-read-track", json!({"path": "t0,t1", "include": ["mixer"]}));
        let gains: Vec<f64> = (0..2).filter_map(|at| read[at]["gainDb"].as_f64()).collect();
        assert_eq!(gains, levels, "{sent}");
    }
    api.ok("svc-update-track", json!({"path": "t0,t1", "pan": "20L,C", "sendGainDb": "-6,-12", "sendReturn": "A"}));
    let read = api.ok("svc-read-track", json!({"path": "t0,t1", "include": ["mixer"]}));
    let told = |at: usize| (read[at]["panLabel"].clone(), read[at]["sends"][0]["gainDb"].clone());
    assert_eq!((told(0), told(1)), ((json!("20L"), json!(-6)), (json!("C"), json!(-12))));
    let wrong = api.refused("svc-update-track", json!({"path": "t0,t1,t2", "gainDb": "0,-4"}));
    assert!(wrong.contains("gainDb has 2 values for 3 targets"), "{wrong}");
    let wrong = api.refused("svc-update-track", json!({"path": "t0,t1", "gainDb": "0,loud"}));
    assert!(wrong.contains("is no level"), "{wrong}");
}
