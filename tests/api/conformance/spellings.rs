//! Other names and old spellings: each does what the published parameter does, and a warning shows what to send.

use super::{SUBJECTS, stage, warned};
use serde_json::{Value, json};

const EXPECTED: &str = include_str!("../expected_parameters.txt");

/// How an unpublished parameter is said, and the same call without it.
struct Spelling {
    tool: &'static str,
    /// The parameter that the case is about.
    name: &'static str,
    old: fn() -> Value,
    new: fn() -> Value,
}

const fn case(tool: &'static str, name: &'static str, old: fn() -> Value, new: fn() -> Value) -> Spelling {
    Spelling { tool, name, old, new }
}

const SPELLINGS: &[Spelling] = &[
    case("svc-create-track", "paths", || json!({"paths": "t+,rt+"}), || json!({"path": "t+,rt+"})),
    case("svc-create-track", "trackIndex", || json!({"trackIndex": 1}), || json!({"path": "t1"})),
    case("svc-create-track", "count", || json!({"count": 2, "path": "t+"}), || json!({"path": "t+,t+"})),
    case(
        "svc-update-track",
        "paths",
        || json!({"paths": "t0,mt", "pan": 0.5}),
        || json!({"path": "t0,mt", "pan": 0.5}),
    ),
    case(
        "svc-update-track",
        "inputRoutingTypeId",
        || json!({"path": "t2", "inputRoutingTypeId": "No Input"}),
        || json!({"path": "t2", "inputRoutingType": "No Input"}),
    ),
    case("svc-create-scene", "paths", || json!({"paths": "s+"}), || json!({"path": "s+"})),
    case("svc-create-scene", "sceneIndex", || json!({"sceneIndex": 1}), || json!({"path": "s1"})),
    case("svc-create-scene", "count", || json!({"count": 2, "path": "s+"}), || json!({"path": "s+,s+"})),
    case("svc-update-scene", "paths", || json!({"paths": "s0", "tempo": 90}), || json!({"path": "s0", "tempo": 90})),
    case("svc-delete", "paths", || json!({"type": "scene", "paths": "s1"}), || json!({"type": "scene", "path": "s1"})),
    case(
        "svc-duplicate",
        "paths",
        || json!({"type": "scene", "paths": "s1"}),
        || json!({"type": "scene", "path": "s1"}),
    ),
    case(
        "svc-duplicate",
        "toSlot",
        || json!({"type": "clip", "path": "t0/s0", "toSlot": "0/3"}),
        || json!({"type": "clip", "path": "t0/s0", "toPath": "t0/s3"}),
    ),
    case(
        "svc-duplicate",
        "arrangementStart",
        || json!({"type": "scene", "path": "s0", "arrangementStart": "5|1"}),
        || json!({"type": "scene", "path": "s0", "toPath": "[5|1]"}),
    ),
    case(
        "svc-duplicate",
        "locator",
        || json!({"type": "clip", "path": "t0/s0", "locator": "B"}),
        || json!({"type": "clip", "path": "t0/s0", "toPath": "[loc:B]"}),
    ),
    case(
        "svc-duplicate",
        "takeLane",
        || json!({"type": "clip", "path": "t0/s0", "arrangementStart": "5|1", "takeLane": "1"}),
        || json!({"type": "clip", "path": "t0/s0", "toPath": "t0/l0[5|1]"}),
    ),
    case(
        "svc-duplicate",
        "takeLaneName",
        || json!({"type": "clip", "path": "t0/s0", "toPath": "t0/l0[5|1]", "takeLaneName": "Takes"}),
        || json!({"type": "clip", "path": "t0/s0", "toPath": "t0/l0[5|1]"}),
    ),
    case(
        "svc-playback",
        "paths",
        || json!({"action": "play-session-clips", "paths": "t0/s0"}),
        || json!({"action": "play-session-clips", "path": "t0/s0"}),
    ),
    case(
        "svc-playback",
        "slots",
        || json!({"action": "stop-session-clips", "slots": "0/0,1/1"}),
        || json!({"action": "stop-session-clips", "path": "t0/s0,t1/s1"}),
    ),
    case(
        "svc-playback",
        "sceneIndex",
        || json!({"action": "play-scene", "sceneIndex": 1}),
        || json!({"action": "play-scene", "path": "s1"}),
    ),
    case(
        "svc-playback",
        "startLocator",
        || json!({"action": "update-arrangement", "startLocator": "B"}),
        || json!({"action": "update-arrangement", "startTime": "loc:B"}),
    ),
    case(
        "svc-playback",
        "loopStartLocator",
        || json!({"action": "update-arrangement", "loopStartLocator": "B"}),
        || json!({"action": "update-arrangement", "loopStart": "loc:B"}),
    ),
    case(
        "svc-playback",
        "loopEndLocator",
        || json!({"action": "stop", "loopStart": "1|1", "loopEndLocator": "B"}),
        || json!({"action": "stop", "loopStart": "1|1", "loopEnd": "loc:B"}),
    ),
    case("svc-create-clip", "paths", || json!({"paths": "t0/s4"}), || json!({"path": "t0/s4"})),
    case("svc-create-clip", "slot", || json!({"slot": "0/4"}), || json!({"path": "t0/s4"})),
    case("svc-create-clip", "trackIndex", || json!({"trackIndex": 0, "sceneIndex": 4}), || json!({"path": "t0/s4"})),
    case("svc-create-clip", "sceneIndex", || json!({"trackIndex": 1, "sceneIndex": 4}), || json!({"path": "t1/s4"})),
    case(
        "svc-create-clip",
        "arrangementStart",
        || json!({"path": "t0", "arrangementStart": "5|1"}),
        || json!({"path": "t0[5|1]"}),
    ),
    case(
        "svc-create-clip",
        "takeLane",
        || json!({"path": "t0[5|1]", "takeLane": "1"}),
        || json!({"path": "t0/l0[5|1]"}),
    ),
    case(
        "svc-create-clip",
        "takeLaneName",
        || json!({"path": "t0/l0[5|1]", "takeLaneName": "Takes"}),
        || json!({"path": "t0/l0[5|1]"}),
    ),
    case(
        "svc-update-clip",
        "paths",
        || json!({"paths": "t0/s0", "notes": "C3 1|1"}),
        || json!({"path": "t0/s0", "notes": "C3 1|1"}),
    ),
    case(
        "svc-update-clip",
        "toSlot",
        || json!({"path": "t0/s0", "toSlot": "0/5"}),
        || json!({"path": "t0/s0", "toPath": "t0/s5"}),
    ),
    case(
        "svc-update-clip",
        "arrangementStart",
        || json!({"path": "t0[1|1]", "arrangementStart": "9|1"}),
        || json!({"path": "t0[1|1]", "toPath": "[9|1]"}),
    ),
    case(
        "svc-update-clip",
        "split",
        || json!({"path": "t0[1|1]", "split": "1|3"}),
        || json!({"path": "t0[1|1]", "arrangementSplit": "1|3"}),
    ),
    case(
        "svc-create-device",
        "paths",
        || json!({"paths": "mt", "device": "Reverb"}),
        || json!({"path": "mt", "device": "Reverb"}),
    ),
    case(
        "svc-create-device",
        "deviceName",
        || json!({"path": "mt", "deviceName": "Reverb"}),
        || json!({"path": "mt", "device": "Reverb"}),
    ),
    case(
        "svc-update-device",
        "paths",
        || json!({"paths": "rt0/d0", "name": "Space"}),
        || json!({"path": "rt0/d0", "name": "Space"}),
    ),
];

/// Routing identifiers are the host's own, so what they say depends on the Set.
const ELSEWHERE: &[&str] = &["inputRoutingChannelId", "outputRoutingTypeId", "outputRoutingChannelId", "ids"];

fn api() -> crate::support::Api {
    let api = stage();
    api.ok("svc-update-live-set", json!({"locatorOperation": "rename", "locatorTime": "2|1", "locatorName": "B"}));
    api.ok("svc-create-clip", json!({"path": "t0[1|1]", "length": "2bar"}));
    api
}

#[test]
fn old_spellings_do_the_same_and_warn() {
    for Spelling { tool, name, old, new } in SPELLINGS {
        let (one, other) = (api(), api());
        let (old, new) = (old(), new());
        let (result, warnings) = warned(&one, tool, &old);
        let expected = other.ok(tool, new.clone());
        assert_eq!(result, expected, "{tool} {old} and {new}");
        let about: Vec<&String> = warnings.iter().filter(|text| text.contains(&format!("\"{name}\""))).collect();
        assert_eq!(about.len(), 1, "{tool} {old}: {warnings:?}");
        assert!(about[0].contains("deprecated") || about[0].contains("fallback"), "{tool} {old}: {warnings:?}");
        if *name != "takeLaneName" {
            assert!(one.kept().same_as(&other.kept()), "{tool} {old} and {new} write the same");
        }
        // A blank or null one was not sent, and is no matter for a warning.
        for nothing in [json!(null), json!(" ")] {
            if nothing.is_string() && old[*name].is_number() {
                continue;
            }
            let mut silent = new.clone();
            silent[*name] = nothing;
            let (_, warnings) = warned(&api(), tool, &silent);
            assert!(warnings.is_empty(), "{tool} {silent}: {warnings:?}");
        }
    }
}

/// The table of spellings holds every unpublished parameter of the write tools.
#[test]
fn every_old_spelling_has_a_case() {
    let mut tool = "";
    for line in EXPECTED.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let Some(head) = cells[0].strip_prefix("# svc-") {
            tool = if cells[2] == "write" { head } else { "" };
        } else if !tool.is_empty() && cells.len() > 2 && matches!(cells[2], "alias" | "deprecated") {
            let known = |case: &Spelling| case.tool.strip_prefix("svc-") == Some(tool) && case.name == cells[0];
            let in_scope = SUBJECTS.iter().any(|subject| subject.tool.strip_prefix("svc-") == Some(tool));
            assert!(
                !in_scope || ELSEWHERE.contains(&cells[0]) || SPELLINGS.iter().any(known),
                "svc-{tool} {} has no case",
                cells[0]
            );
        }
    }
}

/// Two parameters for one target are refused, even where they agree.
#[test]
fn a_target_said_twice_is_refused() {
    for subject in SUBJECTS.iter().filter(|subject| subject.key == "path") {
        let mut arguments = subject.call(subject.good[0], "n");
        arguments["paths"] = arguments["path"].clone();
        let text = api().refused(subject.tool, arguments);
        assert!(text.contains("\"paths\"") && text.contains("leave out"), "{}: {text}", subject.tool);
    }
    let table = [
        ("svc-update-clip", json!({"path": "t0/s0", "toPath": "t0/s5", "toSlot": "0/5"}), "toSlot"),
        (
            "svc-update-clip",
            json!({"path": "t0[1|1]", "toPath": "t0[5|1]", "arrangementStart": "5|1"}),
            "arrangementStart",
        ),
        ("svc-update-clip", json!({"path": "t0[1|1]", "arrangementSplit": "2|1", "split": "2|1"}), "split"),
        ("svc-create-clip", json!({"path": "t0/s4", "slot": "0/4"}), "slot"),
        ("svc-create-clip", json!({"path": "t0/s4", "trackIndex": 0}), "trackIndex"),
        ("svc-create-clip", json!({"path": "t0/l0[1|1]", "takeLane": "1"}), "takeLane"),
        ("svc-create-clip", json!({"path": "t0[1|1]", "arrangementStart": "1|1"}), "arrangementStart"),
        ("svc-create-track", json!({"path": "t1", "trackIndex": 1}), "trackIndex"),
        ("svc-create-scene", json!({"path": "s1", "sceneIndex": 1}), "sceneIndex"),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": "t0/s5", "toSlot": "0/5"}), "toSlot"),
        (
            "svc-duplicate",
            json!({"type": "clip", "path": "t0/s0", "toPath": "[5|1]", "arrangementStart": "5|1"}),
            "arrangementStart",
        ),
        (
            "svc-duplicate",
            json!({"type": "clip", "path": "t0/s0", "arrangementStart": "2|1", "locator": "B"}),
            "locator",
        ),
        (
            "svc-duplicate",
            json!({"type": "clip", "path": "t0/s0", "toPath": "t0/l0[5|1]", "takeLane": "1"}),
            "takeLane",
        ),
        ("svc-playback", json!({"action": "play-scene", "path": "s1", "sceneIndex": 1}), "sceneIndex"),
        ("svc-playback", json!({"action": "stop-session-clips", "path": "t0/s0", "slots": "0/0"}), "slots"),
        ("svc-playback", json!({"action": "stop", "startTime": "2|1", "startLocator": "B"}), "startLocator"),
    ];
    let api = api();
    for (tool, arguments, extra) in table {
        let text = api.refused(tool, arguments.clone());
        assert!(
            text.contains(&format!("\"{extra}\"")) && text.contains("deprecated")
                || extra == "trackIndex" && text.contains(extra),
            "{tool} {arguments}: {text}"
        );
    }
}

/// Calls in old spellings, in the order of the table.
pub fn old_spellings() -> Vec<(&'static str, Value)> {
    SPELLINGS.iter().map(|spelling| (spelling.tool, (spelling.old)())).collect()
}
