//! What tool calls on a large Set take: how long one holds the guard of the Set (the host's main thread, where a plugin
//! runs in one), and the whole call. Aim: no call here holds the main thread over 8 ms.
//!
//! `--unmetered` leaves out that each step of a call is counted, to see what that costs; best by counted instructions
//! (`valgrind --tool=callgrind`).

#[path = "support/samples.rs"]
mod samples;
#[path = "support/sets.rs"]
mod sets;
mod support;

use samples::Samples;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::{Table, rounds, wanted};
use svc_device::music::Meter;
use svc_device::notation::Notation;
use svc_device::object_model::ObjectModel;
use svc_device::playback::{Publisher, Snapshot, channel};
use svc_device::set::{Document, SetState};
use svc_device::tools;
use svc_device::tools::answer_text::Format;
use svc_device::tools::budget::{Budget, TimeLimit};
use svc_device::tools::call::CallContext;
use svc_device::tools::request::RequestContext;

const TRACKS: usize = 200;
const SCENES: usize = 200;
const CLIPS: usize = 5_000;
const NOTES: u32 = 20;

fn view() -> RequestContext {
    RequestContext {
        notation: Notation::Barbeat,
        small_model_mode: false,
        tools: tools::registry::all().iter().map(|tool| tool.name).collect(),
        device: Arc::default(),
        json: true,
        as_text: true,
        may_last: false,
        song_meter: Meter::default(),
        at_rest: tools::request::CommittedSet(Arc::new(|| Box::new(SetState::alone()))),
        chosen_file: None,
        budget: Default::default(),
    }
}

/// Places in a list, as paths of slots: one clip on each of the first tracks.
fn slots(places: &[(usize, usize)], count: usize) -> String {
    let paths: Vec<String> = places.iter().take(count).map(|(track, scene)| format!("t{track}/s{scene}")).collect();
    paths.join(",")
}

fn calls(places: &[(usize, usize)]) -> Vec<(&'static str, &'static str, Value)> {
    let all = json!(["*"]);
    let tracks: Vec<String> = (0..TRACKS).map(|at| format!("t{at}")).collect();
    let scenes: Vec<String> = (0..SCENES).map(|at| format!("s{at}")).collect();
    vec![
        ("read-live-set", "svc-read-live-set", json!({})),
        ("read-live-set *", "svc-read-live-set", json!({"include": all})),
        ("read-track", "svc-read-track", json!({"path": "t7"})),
        ("read-track *, one", "svc-read-track", json!({"path": "t7", "include": all})),
        ("read-track *, all 200", "svc-read-track", json!({"path": tracks.join(","), "include": all})),
        ("read-scene *, one", "svc-read-scene", json!({"path": "s7", "include": all})),
        ("read-scene *, all 200", "svc-read-scene", json!({"path": scenes.join(","), "include": all})),
        ("read-clip *, one", "svc-read-clip", json!({"path": slots(places, 1), "include": all})),
        ("read-clip *, 1,000", "svc-read-clip", json!({"path": slots(places, 1_000), "include": all})),
        ("select, nothing asked", "svc-select", json!({})),
        (
            "update-clip, 100 with transforms",
            "svc-update-clip",
            json!({"path": slots(places, 100), "transforms": "velocity += rand(10)\ntiming += 0.01 * clip.index"}),
        ),
        ("update-track, 200 names", "svc-update-track", json!({"path": tracks.join(","), "name": "Same"})),
        (
            "create-clip, 100 in the Arrangement",
            "svc-create-clip",
            json!({"path": (0..100).map(|at| format!("t{at}[9|1]")).collect::<Vec<_>>().join(","), "notes": "n/8 C3 1|1x16@n/8"}),
        ),
        ("duplicate, a scene of 200 clips", "svc-duplicate", json!({"type": "scene", "path": "s0"})),
        (
            "duplicate, that scene to the Arrangement",
            "svc-duplicate",
            json!({"type": "scene", "path": "s0", "toPath": "[17|1]"}),
        ),
        ("duplicate, a track of 25 clips", "svc-duplicate", json!({"type": "track", "path": "t3"})),
        ("delete, a scene of 200 clips", "svc-delete", json!({"type": "scene", "path": "s0"})),
        ("playback, a scene of 200 clips", "svc-playback", json!({"action": "play-scene", "path": "s0"})),
    ]
}

/// What one call took: on a worker before and after, and with the guard.
struct Took {
    held: Samples,
    whole: Samples,
    answer_bytes: usize,
}

fn measure(set: &SetState, tool: &str, arguments: &Map<String, Value>) -> Took {
    let tool = tools::registry::all().iter().find(|known| known.name == tool).expect("a tool");
    let view = view();
    let (mut publisher, _engine): (Publisher, _) = channel();
    let unmetered = std::env::args().any(|argument| argument == "--unmetered");
    let mut took = Took { held: Samples::default(), whole: Samples::default(), answer_bytes: 0 };
    for _ in 0..rounds(50) {
        let arguments = arguments.clone();
        let (answer, _working) = took.whole.time(|| {
            let mut job = tool.prepare(arguments, &view).expect("arguments that can be read");
            let limit = TimeLimit { started: Instant::now(), timeout: Duration::from_secs(30) };
            let mut context = CallContext::new(Budget::new(limit));
            let working = took.held.time(|| {
                let mut working = set.clone();
                working.begin_step(tool.name);
                let applied = if unmetered {
                    job.apply(&mut working, &mut context)
                } else {
                    tools::call::apply(&mut *job, &mut working, &mut context)
                };
                applied.unwrap_or_else(|refusal| panic!("{}: {refusal}", tool.name));
                working.settle().expect("what was written lands");
                working.end_step();
                if !tool.read_only {
                    publisher.publish(Snapshot {
                        document: working.document.clone(),
                        launches: working.runtime.launches.iter().cloned().collect(),
                        transport: working.runtime.transport,
                        own_clock: true,
                    });
                }
                working
            });
            (job.finish(&mut context).expect("an answer").result.text(Format::Json).into_owned(), working)
        });
        took.answer_bytes = answer.len();
    }
    took
}

/// What is measured on one Set.
fn measure_all(table: &mut Table, document: Document, calls: Vec<(&str, &str, Value)>) {
    let mut set = SetState::alone();
    set.replace_document(document);
    for (name, tool, arguments) in calls {
        let Value::Object(arguments) = arguments else { continue };
        if !wanted(name) {
            continue;
        }
        let took = measure(&set, tool, &arguments);
        let whole = took.whole.at(0.5).as_secs_f64();
        let share = format!("{:.0} %", took.held.at(0.5).as_secs_f64() / whole * 100.0);
        let (bytes, rate) = (took.answer_bytes as f64 / 1e3, took.answer_bytes as f64 / 1e6 / whole);
        let answer = [format!("{bytes:.1} kB"), format!("{rate:.0} MB/s")];
        let [p50, p99, max] = took.held.cells();
        table.row(name, [p50, p99, max, share].into_iter().chain(took.whole.cells()).chain(answer));
    }
}

fn main() {
    let mut table =
        Table::new(&["", "guard held p50", "p99", "max", "share", "whole call p50", "p99", "max", "answer", ""]);
    let (mut document, places) = sets::large(TRACKS, SCENES, CLIPS, NOTES);
    sets::fill_first_scene(&mut document, NOTES);
    measure_all(&mut table, document, calls(&places));
    let (full, _) = sets::large(TRACKS, SCENES, TRACKS * SCENES, 1);
    measure_all(
        &mut table,
        full,
        vec![
            ("a clip in every slot: read-live-set *", "svc-read-live-set", json!({"include": ["*"]})),
            ("a clip in every slot: read-track", "svc-read-track", json!({"path": "t7"})),
        ],
    );
    table.print();
}
