//! The published catalogue against a table of expected parameters, kept apart from the tools' own declarations.
//! See D26 in `docs/decisions.md`.

use crate::support::Api;
use serde_json::{Value, json};

const EXPECTED: &str = include_str!("expected_parameters.txt");

/// Where the catalogue is another than the table says, and why.
const DEVIATIONS: &[(&str, &str, &str)] = &[
    (
        "svc-manage",
        "action",
        "undo and redo, and restore, cancel and files of our own: installing the device and a host script is done by `cargo xtask`",
    ),
    ("svc-create-clip", "seed", "what is drawn at random can be had again"),
    ("svc-create-clip", "code", "a debug build's parameter: it would run a script that the caller sends"),
    ("svc-create-clip", "notes", "a list too: different notes for each place in one call"),
    ("svc-duplicate", "count", "it has an upper end too: a Set has at most 1000 scenes"),
    ("svc-update-clip", "code", "for debug builds"),
    ("svc-update-clip", "warpOp", "for debug builds"),
    ("svc-update-clip", "warpBeatTime", "for debug builds"),
    ("svc-update-clip", "warpSampleTime", "for debug builds"),
    ("svc-update-clip", "warpDistance", "for debug builds"),
    ("svc-manage", "userLibrary", "it belongs to the actions that are not here"),
];

/// What was added to the table, and why.
const ADDED: &[(&str, &str, &str)] = &[
    ("svc-create-clip", "seed", "what is drawn at random can be had again"),
    ("svc-update-clip", "seed", "what is drawn at random can be had again"),
    ("svc-create-clip", "sourceTempo", "a loop fits the bars only when its own tempo is known"),
    ("svc-update-clip", "sourceTempo", "a file that states no tempo, or a wrong one, is told its own"),
    ("svc-read-clip", "include", "image: a picture of the notes"),
    ("svc-duplicate", "transformTracks", "a copied scene's chords change and its drums do not, in one call"),
    ("svc-update-live-set", "metronome", "the page and the window have its switch, and act by tools alone"),
    ("svc-read-job", "id", "a tool of ours: work that takes long is a job, whose progress and answer are asked for"),
    ("svc-manage", "id", "cancel, an action of ours, ends a job; restore, another, brings an object back"),
    ("svc-manage", "file", "Sets are opened, saved, imported and exported, actions of ours, without Live"),
    ("svc-manage", "salvage", "as file: what could be read of a damaged Live Set is worth more than nothing"),
    ("svc-manage", "path", "restore, an action of ours, brings one object back and leaves the rest"),
    ("svc-manage", "step", "undo and redo go to a step of the history, and restore takes the object from one"),
    (
        "svc-read-history",
        "diff",
        "a tool of ours: who did what can be known, and what is different, without reading the Set",
    ),
    ("svc-read-history", "from", "as diff"),
    ("svc-read-history", "to", "as diff"),
    ("svc-read-history", "file", "as diff: what changed since a Set was saved"),
    ("svc-read-history", "before", "a long history is read in pages"),
    ("svc-read-history", "limit", "a long history is read in pages"),
    ("svc-batch", "calls", "a tool of ours: a plan of many calls is made as one, and taken back as one"),
    ("svc-batch", "dryRun", "clients of MCP set headers for a connection, not for a call"),
    (
        "svc-playback",
        "action",
        "start-transport and stop-transport, of ours: Live's Play and Stop leave launched clips launched, stop does not",
    ),
    ("svc-library", "action", "reindex, of ours: the folders are looked through when somebody asks"),
    ("svc-render", "path", "a tool of ours: who has no ears is told what sounds, and gets a file"),
    ("svc-render", "start", "as path"),
    ("svc-render", "length", "as path"),
    ("svc-render", "file", "as path"),
    ("svc-render", "stems", "as path"),
    ("svc-render", "rate", "as path"),
    ("svc-render", "bits", "as path"),
    ("svc-render", "tail", "as path"),
    ("svc-render", "normalize", "as path"),
    ("svc-render", "seed", "as path"),
    ("svc-render", "strict", "as path"),
    ("svc-render", "overwrite", "as path"),
    ("svc-render", "include", "as path"),
];

/// A parameter that callers send and no tool takes: what a write made is shown with svc-select.
const NOT_TAKEN: &[&str] = &["focus"];

struct Expected<'a> {
    name: &'a str,
    read_only: bool,
    full_only: bool,
    title: &'a str,
    params: Vec<Vec<&'a str>>,
}

fn expected() -> Vec<Expected<'static>> {
    let mut tools: Vec<Expected> = Vec::new();
    for line in EXPECTED.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let Some(name) = cells[0].strip_prefix("# svc-") {
            tools.push(Expected {
                name: line.split_whitespace().nth(1).expect(name),
                title: cells[1],
                read_only: cells[2] == "read",
                full_only: cells.len() > 3,
                params: Vec::new(),
            });
        } else if !line.starts_with('#') {
            tools.last_mut().expect("a tool").params.push(cells);
        }
    }
    tools
}

fn deviates(tool: &str, param: &str) -> bool {
    DEVIATIONS.iter().any(|(t, p, _)| (*t, *p) == (tool, param))
}

fn listed(api: &Api, headers: &str) -> Vec<Value> {
    let body = api.request("GET", "/api/tools", headers, "").json();
    body["tools"].as_array().expect("tools").clone()
}

#[test]
fn the_catalogue_is_as_expected() {
    let api = Api::new();
    for (small, headers) in [(false, ""), (true, "x-svc-small-model-mode: true\r\n")] {
        let list = listed(&api, headers);
        for tool in expected() {
            let found = list.iter().find(|t| t["name"] == tool.name);
            assert_eq!(found.is_some(), !(small && tool.full_only), "{} (small: {small})", tool.name);
            let Some(found) = found else { continue };
            assert_eq!(found["title"], tool.title);
            assert_eq!(found["annotations"]["readOnlyHint"], tool.read_only, "{}", tool.name);
            assert_eq!(found["annotations"]["destructiveHint"], !tool.read_only, "{}", tool.name);
            let schema = &found["inputSchema"];
            let shown: Vec<&str> =
                schema["properties"].as_object().expect("properties").keys().map(String::as_str).collect();
            let visible = |cells: &&Vec<&str>| cells[2] == "published" || (cells[2] == "full" && !small);
            let mut wanted: Vec<&str> = tool.params.iter().filter(visible).map(|cells| cells[0]).collect();
            wanted.retain(|name| !deviates(tool.name, name) || shown.contains(name));
            let sorted = |mut names: Vec<&'static str>| {
                names.sort_unstable();
                names
            };
            let leaked = |names: Vec<&str>| -> Vec<&'static str> {
                names.into_iter().map(|name| &*Box::leak(name.to_owned().into_boxed_str())).collect()
            };
            assert_eq!(sorted(leaked(shown)), sorted(leaked(wanted)), "{} (small: {small})", tool.name);
            for cells in tool.params.iter().filter(visible).filter(|cells| !deviates(tool.name, cells[0])) {
                check(&tool, cells, schema, small);
            }
        }
    }
}

fn check(tool: &Expected, cells: &[&str], schema: &Value, small: bool) {
    let (name, place) = (cells[0], format!("{} {} (small: {small})", tool.name, cells[0]));
    let property = &schema["properties"][name];
    // Of several types the first is the plain one, which small models are shown alone.
    let types = property["type"].as_array().map_or(std::slice::from_ref(&property["type"]), Vec::as_slice);
    assert_eq!(types[0], cells[1].trim_end_matches('!'), "{place}");
    assert!(types.len() == 1 || !small, "{place}: {types:?}");
    let required = schema["required"].as_array().is_some_and(|list| list.contains(&json!(name)));
    assert_eq!(required, cells[1].ends_with('!'), "{place}");
    assert!(property["description"].as_str().is_some_and(|text| !text.is_empty()), "{place}");
    let values = cells.get(3).copied().unwrap_or_default();
    if let Some((low, high)) = values.split_once("..") {
        let number = |text: &str| text.parse::<f64>().ok();
        assert_eq!(
            (property["minimum"].as_f64(), property["maximum"].as_f64()),
            (number(low), number(high)),
            "{place}"
        );
    } else if !values.is_empty() {
        let drops: Vec<&str> = cells.get(4).map_or(Vec::new(), |cell| cell.split(' ').collect());
        let wanted: Vec<&str> = values.split(' ').filter(|word| !(small && drops.contains(word))).collect();
        let shown = if cells[1].starts_with("array") { &property["items"]["enum"] } else { &property["enum"] };
        assert_eq!(*shown, json!(wanted), "{place}");
    }
    assert!(property["anyOf"].is_null() && property["oneOf"].is_null(), "{place}");
}

/// A value of a device's parameter is a number or a text, as it is taught; small models are shown one type for it.
#[test]
fn values_of_parameters_are_numbers_and_texts() {
    let api = Api::new();
    for (headers, types) in [("", json!(["string", "number"])), ("x-svc-small-model-mode: true\r\n", json!("string"))] {
        for tool in listed(&api, headers) {
            let value = &tool["inputSchema"]["properties"]["params"]["items"]["properties"]["value"];
            if tool["inputSchema"]["properties"].get("params").is_some() {
                assert_eq!(value["type"], types, "{} {headers}", tool["name"]);
            }
        }
    }
}

/// What is not published is validated all the same: it is no unexpected argument.
#[test]
fn hidden_parameters_are_known() {
    let api = Api::new();
    for tool in expected() {
        for cells in tool.params.iter().filter(|cells| matches!(cells[2], "alias" | "deprecated")) {
            let body = api.bad(tool.name, json!({ cells[0]: {} }));
            // A required parameter that is left out is another fault.
            let faults = body["details"].as_array().expect("faults");
            let known = faults.iter().any(|fault| fault["path"] == format!("/{}", cells[0]));
            assert!(known, "{} {}: {body}", tool.name, cells[0]);
        }
    }
}

/// Deviations are of parameters that the table has.
#[test]
fn deviations_deviate() {
    for (tool, param, why) in DEVIATIONS.iter().chain(ADDED) {
        let known = expected().iter().any(|t| t.name == *tool && t.params.iter().any(|cells| cells[0] == *param));
        assert!(known && !why.is_empty(), "{tool} {param}");
    }
    let api = Api::new();
    for tool in expected() {
        for name in NOT_TAKEN {
            assert!(tool.params.iter().all(|cells| cells[0] != *name), "{} {name}", tool.name);
        }
    }
    let warned = api.envelope("svc-update-track", "", &json!({"path": "t0", "name": "x", "focus": true}));
    assert_eq!(warned["warnings"], json!(["ignored unexpected argument(s): focus"]));
}

/// What a client pays before it has done anything: bytes / 4.
#[test]
fn the_catalogue_stays_small() {
    let api = Api::new();
    for (headers, most) in [("", 9_000), ("x-svc-small-model-mode: true\r\n", 4_500)] {
        let tools = listed(&api, headers);
        let tools: Vec<&Value> = tools.iter().filter(|tool| tool["name"] != "svc-test").collect();
        let tokens = json!(tools).to_string().len() / 4;
        assert!(tokens < most, "{tokens} tokens, of {most} ({headers})");
    }
}
