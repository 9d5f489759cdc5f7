//! Dry runs: the answer of a call, and nothing kept.

use crate::session_walk;
use crate::support::Api;
use proptest::prelude::*;
use serde_json::{Value, json};

const MARK: &str = "dry run: nothing was kept";
const HEADER: &str = "x-svc-dry-run: true\r\n";

/// The answer without its mark, which is the last of its warnings.
fn unmarked(mut envelope: Value) -> Value {
    let warnings = envelope["warnings"].as_array_mut().expect("it is marked");
    assert_eq!(warnings.pop(), Some(json!(MARK)));
    if warnings.is_empty() {
        envelope.as_object_mut().expect("an envelope").remove("warnings");
    }
    envelope
}

fn dry(api: &Api, tool: &str, arguments: &Value) -> Value {
    let before = (api.saved(), api.device.set.committed().revision);
    let envelope = unmarked(api.envelope(tool, HEADER, arguments));
    assert_eq!((api.saved(), api.device.set.committed().revision), before, "{tool} {arguments}");
    envelope
}

#[test]
fn a_dry_run_answers_as_the_call_would_and_keeps_nothing() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1", "name": "A"}));
    for (tool, arguments) in [
        ("svc-connect", json!({})),
        ("svc-read-live-set", json!({"include": ["*"]})),
        ("svc-update-live-set", json!({"tempo": 99})),
        ("svc-create-track", json!({"path": "t0,rt+"})),
        ("svc-update-track", json!({"path": "t0,t99", "name": "A", "nonsense": 1})),
        ("svc-update-track", json!({"path": "t99", "name": "A"})),
        ("svc-update-track", json!({"path": "t0", "nonsense": 1})),
        ("svc-create-clip", json!({"path": "t0/s9,t0[1|1]", "notes": "C3 1|1", "auto": "play-clip"})),
        ("svc-create-clip", json!({"path": "t0/s1", "notes": "H"})),
        ("svc-create-device", json!({"path": "t0", "device": "Operator"})),
        ("svc-duplicate", json!({"type": "track", "path": "t0"})),
        ("svc-select", json!({"path": "t1"})),
        ("svc-delete", json!({"type": "track", "path": "t0"})),
        ("svc-context", json!({})),
        ("svc-library", json!({"query": "kick"})),
        (
            "svc-batch",
            json!({"calls": [
                {"tool": "svc-create-track", "arguments": {"path": "t+"}},
                {"tool": "svc-create-clip", "arguments": {"path": "$1.path/s0", "notes": "C3 1|1"}},
            ]}),
        ),
        ("svc-batch", json!({"calls": [{"tool": "svc-delete", "arguments": {"type": "track", "path": "t99"}}]})),
    ] {
        let tried = dry(&api, tool, &arguments);
        assert_eq!(tried, api.envelope(tool, "", &arguments), "{tool} {arguments}");
    }
}

#[test]
fn every_way_to_ask_for_one() {
    let api = Api::new();
    let arguments = json!({"path": "t+"});
    let batch = json!({"calls": [{"tool": "svc-create-track", "arguments": arguments}], "dryRun": true});
    for (target, headers, body, is_dry) in [
        ("svc-create-track?dryRun=true", "", &arguments, true),
        ("svc-create-track?dryRun=true&format=compact", "", &arguments, true),
        ("svc-create-track", HEADER, &arguments, true),
        ("svc-create-track", "x-svc-dry-run:  true \r\n", &arguments, true),
        ("svc-batch", "", &batch, true),
        // One that asks for it is enough.
        ("svc-create-track?dryRun=true", "x-svc-dry-run: false\r\n", &arguments, true),
        ("svc-create-track?dryRun=false", HEADER, &arguments, true),
        ("svc-create-track?dryRun=false", "x-svc-dry-run: false\r\n", &arguments, false),
    ] {
        let tracks = api.document().tracks.len();
        let reply = api.post(&format!("/api/tools/{target}"), headers, body);
        assert_eq!(reply.status, 200, "{}", reply.json());
        assert_eq!(reply.json().to_string().contains(MARK), is_dry, "{target} {headers}: {}", reply.json());
        assert_eq!(api.document().tracks.len(), tracks + usize::from(!is_dry), "{target} {headers}");
    }
    for (target, headers, named) in [
        ("svc-create-track?dryRun=1", "", "`dryRun` must be `true` or `false`, not `1`"),
        ("svc-create-track?dryRun=", "", "`dryRun` must"),
        ("svc-create-track?dryRun=true&dryRun=true", "", "`dryRun` is given twice"),
        ("svc-create-track", "x-svc-dry-run: yes\r\n", "x-svc-dry-run must be `true` or `false`, not `yes`"),
        ("svc-create-track?dryRun=true", "x-svc-dry-run: \r\n", "x-svc-dry-run must"),
        ("svc-create-track", "x-svc-dry-run: true\r\nx-svc-dry-run: true\r\n", "x-svc-dry-run must"),
    ] {
        let before = api.saved();
        let reply = api.post(&format!("/api/tools/{target}"), headers, &arguments);
        assert_eq!(reply.status, 400, "{target} {headers}");
        assert!(reply.json()["error"].as_str().is_some_and(|text| text.contains(named)), "{}", reply.json());
        assert_eq!(api.saved(), before);
    }
}

const PLAYBACK_INSIDE: &str = "call 1 (svc-playback): there is no dry run of this: what it starts and stops is heard; \
                               leave it out of the dry run";

#[test]
fn what_is_done_outside_of_the_set_has_none() {
    let api = Api::new();
    api.ok("svc-create-track", json!({"path": "t+"}));
    let batch = |tool: &str, arguments: Value| json!({"calls": [{"tool": tool, "arguments": arguments}]});
    for (tool, arguments, why) in [
        ("svc-manage", json!({"action": "undo"}), "it steps through what is kept"),
        ("svc-playback", json!({"action": "stop"}), "is heard"),
        ("svc-context", json!({"action": "write", "content": "x"}), "it writes a file"),
        ("svc-library", json!({"action": "reindex"}), "it starts a job"),
        ("svc-update-device", json!({"path": "rt0/d0", "actions": ["savePreset(\"x\")"]}), "savePreset writes a file"),
        ("svc-batch", batch("svc-playback", json!({"action": "stop"})), PLAYBACK_INSIDE),
    ] {
        let envelope = dry(&api, tool, &arguments);
        assert_eq!(envelope["isError"], true, "{tool}: {envelope}");
        assert!(envelope["result"].as_str().is_some_and(|text| text.contains(why)), "{tool}: {envelope}");
    }
    assert_eq!(api.ok("svc-manage", json!({"action": "undo"}))["undone"], 1);
}

/// What was drawn can be drawn again; where nothing was, no seed is named.
#[test]
fn the_seed_that_was_drawn_is_named() {
    let api = Api::new();
    let calls = |create: Value| {
        json!({"calls": [
            {"tool": "svc-create-clip", "arguments": create},
            {"tool": "svc-read-clip", "arguments": {"id": "$1.id", "include": ["notes"]}},
        ]})
    };
    let create = json!({"path": "t0/s0", "notes": "C3 1|1,2,3,4", "transforms": "velocity = 60 + 40 * rand()"});
    let tried = dry(&api, "svc-batch", &calls(create.clone()));
    let seed = tried["result"]["results"][0]["result"]["seed"].clone();
    assert!(seed.as_i64().is_some_and(|seed| (0..1 << 53).contains(&seed)), "{tried}");
    let mut same = create.clone();
    same["seed"] = seed;
    assert_eq!(api.envelope("svc-batch", "", &calls(same)), tried);
    // A call that is no dry run names what its transforms drew from, too.
    assert!(api.ok("svc-create-clip", create)["seed"].is_i64());

    for (tool, arguments, draws) in [
        ("svc-create-clip", json!({"path": "t0/s1", "notes": "C3 1|1"}), false),
        ("svc-create-clip", json!({"path": "t0/s1", "notes": "C3 1|1", "transforms": "velocity += 5"}), false),
        ("svc-update-clip", json!({"path": "t0/s0", "transforms": "pitch = choose(60, 62)"}), true),
        ("svc-update-clip", json!({"path": "t0/s0", "notes": "D3 1|1"}), false),
        (
            "svc-duplicate",
            json!({"type": "clip", "path": "t0/s0", "toPath": "t0/s2", "transforms": "velocity = 60 + 40 * rand()"}),
            true,
        ),
    ] {
        let tried = dry(&api, tool, &arguments);
        assert_eq!(tried["isError"], false, "{tried}");
        assert_eq!(tried["result"].get("seed").is_some(), draws, "{tool} {arguments}: {tried}");
    }
}

/// Calls that draw at random.
fn drawing() -> impl Strategy<Value = (&'static str, Value)> {
    let paths = prop::sample::select(vec!["t0/s0", "t0/s1", "t1/s1", "t0[1|1]"]);
    let draws = prop::sample::select(vec![
        "velocity = 60 + 40 * rand()",
        "pitch = choose(60, 62, 67)",
        "timing += 0.1 * rand()\nvelocity += 5",
    ]);
    (paths, draws, any::<bool>()).prop_map(|(path, transforms, is_new)| match is_new {
        true => ("svc-create-clip", json!({"path": path, "notes": "C3 1|1,2,3,4", "transforms": transforms})),
        false => ("svc-update-clip", json!({"path": path, "transforms": transforms})),
    })
}

#[test]
fn any_call_answers_the_same_when_it_is_made() {
    let api = Api::raw_enabled();
    let rng = proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha);
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let mut shares = session_walk::Shares::default();
    let mut drawn = 0;
    let call = prop_oneof![6 => session_walk::call(), 2 => session_walk::read(), 1 => drawing()];
    for _ in 0..500 {
        let (tool, mut arguments) =
            proptest::strategy::ValueTree::current(&call.new_tree(&mut runner).expect("a call"));
        if matches!(tool, "svc-manage" | "svc-playback") {
            continue;
        }
        let before = api.saved();
        let tried = api.post(&format!("/api/tools/{tool}"), HEADER, &arguments);
        assert_eq!(api.saved(), before, "{tool} {arguments}");
        // What was drawn is drawn again with the seed that the answer names.
        if let Some(seed) = tried.json()["result"].get("seed") {
            arguments["seed"] = seed.clone();
            drawn += 1;
        }
        let made = api.post(&format!("/api/tools/{tool}"), "", &arguments);
        assert_eq!(tried.status, made.status, "{tool} {arguments}");
        if made.status == 200 {
            assert_eq!(unmarked(tried.json()), made.json(), "{tool} {arguments}");
        }
        shares.count(tool, made.status == 200 && made.json()["isError"] == false);
    }
    assert!(drawn > 10, "{drawn} drew at random");
    shares.assert_fair(17);
}

/// What is meant to be tried is not kept because it was asked for in another place than it is taught.
#[test]
fn a_dry_run_asked_for_as_an_argument_is_one() {
    let api = Api::new();
    for name in ["dryRun", "dryrun", "dry_run", "dry-run"] {
        let delete = json!({"type": "track", "path": "t0", name: true});
        let envelope = api.envelope("svc-delete", "", &delete);
        assert_eq!(envelope["warnings"][0], MARK, "{name}: {envelope}");
        let path = format!("/api/tools/svc-delete?{name}=true");
        let reply = api.post(&path, "", &json!({"type": "track", "path": "t0"}));
        assert!(String::from_utf8_lossy(&reply.body).contains(MARK), "{name}");
        let said = api.refused("svc-batch", json!({"calls": [{"tool": "svc-delete", "arguments": delete}]}));
        assert!(said.contains("dryRun: a batch is a dry run as a whole"), "{name}: {said}");
    }
    let calls = json!([{"tool": "svc-delete", "arguments": {"type": "track", "path": "t0"}}]);
    let tried = api.envelope("svc-batch", "", &json!({"calls": calls, "dryrun": true}));
    assert_eq!(tried["warnings"][0], MARK, "{tried}");
    assert_eq!(api.ok("svc-read-live-set", json!({}))["regularTrackCount"], 4);
    // What says no is no wish for one.
    api.ok("svc-delete", json!({"type": "track", "path": "t0", "dryRun": false}));
    assert_eq!(api.ok("svc-read-live-set", json!({}))["regularTrackCount"], 3);
}
