//! Calls with their answers, as they were recorded: random walks over the session tools, the calls of the skills and
//! the pages, old spellings. An answer that differs by one character fails. The files hold the calls too, so that an
//! edited page changes no question.
//!
//! Where a change is meant, `SVC_RENEW_ANSWERS=1` records the answers anew; the failures of a run before it show what
//! changes.

use crate::conformance::old_spellings;
use crate::session_walk;
use crate::stage::{Stage, calls, pages};
use crate::support::Api;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// Walks, and the calls of each.
const WALKS: usize = 40;
const STEPS: usize = 48;
/// Every third call of a walk reads.
const READ_EVERY: usize = 3;

/// Members that lead back up or sideways.
const UPWARDS: [&str; 2] = ["canonical_parent", "group_track"];
/// Members that a clock moves.
const TIMED: [&str; 2] = ["current_song_time", "playing_position"];

/// The Set that a session begins with.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
enum Start {
    /// A new Set with a few clips.
    Clips,
    /// The stage of the taught calls.
    Stage,
}

/// A device, and what it was asked in order.
#[derive(Debug, Deserialize, Serialize)]
struct Session {
    name: String,
    start: Start,
    /// Headers of each request; the answers are text (`compact`) or JSON.
    headers: String,
    calls: Vec<Asked>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Asked {
    tool: String,
    arguments: Value,
    #[serde(default)]
    answer: String,
}

impl Asked {
    fn new(tool: &str, arguments: Value) -> Asked {
        Asked { tool: tool.to_owned(), arguments, answer: String::new() }
    }
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/answers/embedded.jsonl.gz")
}

fn headers(number: usize) -> String {
    let format = if number.is_multiple_of(2) { "json" } else { "compact" };
    format!("x-svc-format: {format}\r\n")
}

/// Whether the answer depends on how far the clock is.
fn is_timed(tool: &str, arguments: &Value) -> bool {
    tool == "svc-playback" || tool == "svc-render" || arguments["action"] == "launch"
}

fn walks() -> Vec<Session> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (write, read) = (session_walk::call(), session_walk::read());
    let mut draw = |step: usize| {
        let strategy = if step.is_multiple_of(READ_EVERY) { &read } else { &write };
        strategy.new_tree(&mut runner).expect("a call").current()
    };
    let mut session = |number: usize| {
        let drawn = (0..STEPS).map(&mut draw).filter(|(tool, arguments)| !is_timed(tool, arguments));
        let calls = drawn.map(|(tool, arguments)| Asked::new(tool, arguments)).collect();
        Session { name: format!("walk {number}"), start: Start::Clips, headers: headers(number), calls }
    };
    (0..WALKS).map(&mut session).collect()
}

fn taught() -> Vec<Session> {
    let mut sessions = Vec::new();
    for (name, text) in pages("src/skills").into_iter().chain(pages("docs")).chain(pages(".")) {
        let calls = calls(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
        let calls = calls.into_iter().filter(|call| !is_timed(&call.tool, &call.arguments));
        let calls: Vec<Asked> = calls.map(|call| Asked::new(&call.tool, call.arguments)).collect();
        if !calls.is_empty() {
            let headers = headers(sessions.len());
            sessions.push(Session { name: format!("page {name}"), start: Start::Stage, headers, calls });
        }
    }
    sessions
}

/// Each on the same Set: undo follows it.
fn spellings() -> Session {
    let undo = || Asked::new("svc-manage", json!({"action": "undo"}));
    let asked = old_spellings().into_iter().flat_map(|(tool, arguments)| [Asked::new(tool, arguments), undo()]);
    let calls = asked.filter(|asked| !is_timed(&asked.tool, &asked.arguments)).collect();
    Session { name: "old spellings".to_owned(), start: Start::Clips, headers: headers(0), calls }
}

/// The papers of the API: what clients see of it, in every profile.
fn papers() -> Vec<Session> {
    let profiles = [
        "",
        "x-svc-small-model-mode: true\r\n",
        "x-svc-live-api: true\r\n",
        "x-svc-notation: midi-json\r\n",
        "x-svc-notation: stark\r\n",
        "x-svc-disabled-tools: svc-delete,svc-render\r\n",
    ];
    let session = |headers: &str| {
        let calls = ["GET /api/tools", "GET /openapi.json"].map(|target| Asked::new(target, Value::Null));
        let name = format!("papers {}", headers.trim());
        Session { name, start: Start::Clips, headers: headers.to_owned(), calls: calls.into() }
    };
    profiles.map(session).into()
}

/// The members of the objects, found by what each says of itself; of a list the first two.
fn object_model() -> Session {
    const OPERATIONS: usize = 50;
    let headers = "x-svc-live-api: true\r\n".to_owned();
    let place = Place::new(Start::Stage);
    let raw = |path: &str, operations: Vec<Value>| {
        Asked::new("svc-live-api", json!({"path": path, "operations": operations}))
    };
    let results = |asked: &Asked| -> Vec<Value> {
        let answer = place.ask(asked, &headers);
        let body: Value = serde_json::from_str(answer.split_once(' ').expect("a status").1).expect("JSON");
        let list = body["result"]["results"].as_array().cloned().unwrap_or_default();
        list.into_iter().map(|entry| entry["result"].clone()).collect()
    };
    let texts = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (mut calls, mut open, mut seen) = (Vec::new(), vec!["live_set".to_owned()], BTreeSet::new());
    while let Some(path) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let property = |name: &str| json!({"type": "get_property", "property": name});
        let about = raw(&path, vec![property("type"), property("info"), property("children")]);
        let found = results(&about);
        calls.push(about);
        let [_, info, children] = &found[..] else { continue };
        let lines = info.as_str().unwrap_or_default().lines();
        let mut names: Vec<&str> = lines.filter_map(|line| line.strip_prefix("property ")?.split(' ').next()).collect();
        names.retain(|name| !TIMED.contains(name));
        let gets: Vec<Value> = names.iter().map(|name| json!({"type": "get", "property": name})).collect();
        calls.extend(gets.chunks(OPERATIONS).map(|part| raw(&path, part.to_vec())));
        let mut below = texts(children);
        below.retain(|name| !UPWARDS.contains(&name.as_str()));
        let ids: Vec<Value> = below.iter().map(|name| json!({"type": "getChildIds", "property": name})).collect();
        for (part, names) in ids.chunks(OPERATIONS).zip(below.chunks(OPERATIONS)) {
            let asked = raw(&path, part.to_vec());
            for (list, name) in results(&asked).iter().zip(names) {
                let count = list.as_array().map_or(0, Vec::len);
                open.extend((0..count.min(2)).map(|at| format!("{path} {name} {at}")));
            }
            calls.push(asked);
        }
    }
    Session { name: "object model".to_owned(), start: Start::Stage, headers, calls }
}

/// A device in the state that a session begins with, and the way to ask it.
enum Place {
    Plain(Box<Api>),
    Stage(Box<Stage>),
}

impl Place {
    fn new(start: Start) -> Place {
        match start {
            Start::Stage => Place::Stage(Box::new(Stage::set())),
            Start::Clips => {
                let api = Api::raw_enabled();
                let notes = "n/8 C3 1|1.1x8@n/8 E3 2|1";
                let clips =
                    json!({"path": "t0/s0,t0/s1,t1/s1,t0[1|1],t0[2|1],t1[1|1]", "notes": notes, "length": "1bar"});
                api.envelope("svc-create-clip", "", &clips);
                Place::Plain(Box::new(api))
            }
        }
    }

    fn api(&self) -> &Api {
        match self {
            Place::Plain(api) => api,
            Place::Stage(stage) => &stage.api,
        }
    }

    fn ask(&self, asked: &Asked, headers: &str) -> String {
        if let Some(target) = asked.tool.strip_prefix("GET ") {
            let reply = self.api().request("GET", target, headers, "");
            return format!("{} {}", reply.status, reply.json());
        }
        let answer = match self {
            Place::Plain(api) => api.answered(&asked.tool, headers, &asked.arguments),
            Place::Stage(stage) => stage.answered(&asked.tool, headers, &asked.arguments),
        };
        without_times(answer)
    }
}

/// Without the places that time fills: when a step was made, and how far the disk is behind.
fn without_times((status, mut body): (u16, Value)) -> String {
    if let Some(warnings) = body.get_mut("warnings").and_then(Value::as_array_mut) {
        warnings.retain(|text| !text.as_str().is_some_and(|text| text.ends_with("are not on the disk yet")));
        if warnings.is_empty() {
            body.as_object_mut().expect("an envelope").shift_remove("warnings");
        }
    }
    let mut text = format!("{status} {body}");
    // As JSON, and as compact text within JSON.
    for opening in ["\"at\":\"", "\"age\":\"", "at:\\\"", "age:\\\""] {
        text = blanked(&text, opening);
    }
    text
}

/// The text without what lies between each opening, where a name begins, and the next quotation mark.
fn blanked(text: &str, opening: &str) -> String {
    let mut parts = text.split(opening);
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_name = !result.ends_with(|before: char| before.is_alphanumeric());
        let value_end = part.find(['"', '\\']).filter(|_| is_name).unwrap_or(0);
        result.push_str(opening);
        result.push_str(&part[value_end..]);
    }
    result
}

fn recorded() -> Vec<Session> {
    let file = File::open(file()).expect("the answers are recorded: see the head of this file");
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    lines.map(|line| serde_json::from_str(&line.expect("text")).expect("a session")).collect()
}

fn record() {
    let mut sessions = walks();
    sessions.extend(taught());
    sessions.push(spellings());
    sessions.extend(papers());
    sessions.push(object_model());
    for session in &mut sessions {
        let place = Place::new(session.start);
        for asked in &mut session.calls {
            asked.answer = place.ask(asked, &session.headers);
        }
    }
    std::fs::create_dir_all(file().parent().expect("a folder")).expect("a folder");
    // The same bytes each time: no name and no time in the head.
    let mut packed = GzEncoder::new(File::create(file()).expect("a file"), Compression::best());
    for session in &sessions {
        serde_json::to_writer(&mut packed, session).expect("written");
        packed.write_all(b"\n").expect("written");
    }
    packed.finish().expect("written");
}

#[test]
fn answers_are_as_recorded() {
    if std::env::var_os("SVC_RENEW_ANSWERS").is_some() {
        record();
    }
    let sessions = recorded();
    let count: usize = sessions.iter().map(|session| session.calls.len()).sum();
    assert!(count >= 1_000, "{count} calls");
    let mut wrong = Vec::new();
    for Session { name, start, headers, calls } in &sessions {
        let place = Place::new(*start);
        for (at, asked) in calls.iter().enumerate() {
            let answer = place.ask(asked, headers);
            if answer != asked.answer {
                let Asked { tool, arguments, answer: before } = asked;
                wrong.push(format!("{name}, call {at}: {tool} {arguments}\n  was {before}\n  is  {answer}"));
                // Later answers may differ for that alone.
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{} sessions differ:\n{}", wrong.len(), wrong.join("\n"));
}
