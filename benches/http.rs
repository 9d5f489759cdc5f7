//! What a call costs over HTTP, on a quiet machine and on one whose cores are all busy, beside bare servers that give
//! the same answer to the same client; and in a plugin host.
//!
//! The device is the program that ships, and each server is a process of its own; this one is the client. All take
//! turns, so that whatever else the machine does troubles each of them.

#[path = "support/bare_servers.rs"]
mod bare_servers;
#[path = "support/busy.rs"]
mod busy;
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "shared with the tests; this uses a part of it")]
#[path = "support/clap.rs"]
mod clap;
#[path = "support/client.rs"]
mod client;
#[path = "support/cores.rs"]
mod cores;
#[path = "support/load.rs"]
mod load;
#[path = "support/process.rs"]
#[allow(dead_code, reason = "shared; this uses a part of it")]
mod process;
#[path = "support/readers.rs"]
mod readers;
#[path = "support/samples.rs"]
mod samples;
#[path = "support/subject.rs"]
#[allow(dead_code, reason = "shared; this uses a part of it")]
mod subject;
mod support;

use bare_servers::{BareServer, Kind};
use busy::Busy;
use client::{Client, request};
use load::calls_per_second;
use readers::Readers;
use samples::Samples;
use std::time::{Duration, Instant};
use subject::Subject;
use support::{Table, rounds, wanted};
use svc_device::device::state;
use svc_device::service::{CallRequest, ProfileHeaders, Settings};
use svc_device::service::{Caller, Via};
use svc_device::set::Document;
use svc_device::set::document::{Clip, Scene, Track, TrackKind};

const SMALL_CALL: &str = "svc-read-live-set";
const SMALL_WRITE: &str = "svc-update-track";
const BATCH: &str = "svc-batch";
/// Calls in a batch.
const BATCH_CALLS: usize = 50;

fn main() {
    if busy::was_one() || bare_servers::was_one() {
        return;
    }
    #[cfg(target_os = "linux")]
    if clap::was_host(SMALL_CALL, SMALL_WRITE) {
        return;
    }
    if wanted("small calls") {
        small_calls();
    }
    if wanted("calls a second") {
        calls_a_second();
    }
    if wanted("followed calls") {
        followed_calls();
    }
    if wanted("edits a second") {
        edits_a_second("where the system puts them", ANYWHERE);
        if cores::can_place() {
            // The readers are threads of the benchmark: on a core of their own they take nothing from the devices.
            edits_a_second("devices on a core, callers and readers on another", ["1", "0"]);
        }
    }
    if wanted("large calls") {
        large_calls();
    }
    #[cfg(target_os = "linux")]
    if wanted("CLAP") {
        clap::run();
    }
}

/// A device with a new Set, and bare servers that give the answer of its [`SMALL_CALL`].
struct Servers {
    device: Subject,
    blocking: BareServer,
    hyper: BareServer,
}

impl Servers {
    fn start() -> Servers {
        let device = subject::start(None);
        let request = request(device.port(), SMALL_CALL, "{}");
        let answer = Client::connect(device.port()).call(&request).to_vec();
        let [blocking, hyper] = [Kind::Blocking, Kind::Hyper].map(|kind| BareServer::start(kind, &answer));
        Servers { device, blocking, hyper }
    }

    /// Keeps each of them on these cores, and this process, the client, on those.
    fn place(&self, servers: &str, client: &str) {
        for process in [self.device.process(), self.blocking.process(), self.hyper.process()] {
            cores::place(process, servers);
        }
        cores::place(std::process::id(), client);
    }
}

/// What the machine does meanwhile, and where the processes run.
struct Surroundings {
    name: &'static str,
    is_busy: bool,
    /// Of the servers, of the client.
    cores: [&'static str; 2],
}

/// Wherever the system puts them.
const ANYWHERE: [&str; 2] = ["0-1023", "0-1023"];

fn surroundings() -> Vec<Surroundings> {
    let mut all = vec![Surroundings { name: "quiet machine (aim: 1.3x)", is_busy: false, cores: ANYWHERE }];
    if cores::can_place() {
        all.push(Surroundings { name: "quiet, client and server share a core", is_busy: false, cores: ["1", "1"] });
        all.push(Surroundings { name: "quiet, each has its own core", is_busy: false, cores: ["1", "0"] });
    }
    all.push(Surroundings { name: "both cores busy (aim: 4x, 10x)", is_busy: true, cores: ANYWHERE });
    all
}

/// A write that changes the Set each time.
fn renaming(port: u16) -> [Vec<u8>; 2] {
    ["A", "B"].map(|name| request(port, SMALL_WRITE, &format!(r#"{{"path":"t0","name":"{name}"}}"#)))
}

/// As many of them in one batch as it takes.
fn renaming_many(port: u16) -> [Vec<u8>; 2] {
    ["A", "B"].map(|name| {
        let calls: Vec<String> = (0..BATCH_CALLS)
            .map(|n| format!(r#"{{"tool":"{SMALL_WRITE}","arguments":{{"path":"t{}","name":"{name}"}}}}"#, n % 4))
            .collect();
        request(port, BATCH, &format!(r#"{{"calls":[{}]}}"#, calls.join(",")))
    })
}

fn small_calls() {
    let servers = Servers::start();
    let mut table = Table::new(&["a small call", "p50", "p99", "max", "p50", "p99"]);
    for Surroundings { name, is_busy, cores } in surroundings() {
        servers.place(cores[0], cores[1]);
        let busy = is_busy.then(Busy::start);
        let [blocking, hyper, read, write, batch] = one_by_one(&servers, if is_busy { 10 } else { 20 });
        drop(busy);
        table.row(name, []);
        for (name, samples) in [
            ("bare blocking server, same answer", &blocking),
            ("bare hyper server, same answer", &hyper),
            (SMALL_CALL, &read),
            (SMALL_WRITE, &write),
        ] {
            let times = [0.5, 0.99].map(|share| ratio(samples.at(share), blocking.at(share)));
            table.row(&format!("  {name}"), samples.cells().into_iter().chain(times));
        }
        // Beside one of its calls.
        let times = [0.5, 0.99].map(|share| ratio(batch.at(share), write.at(share)));
        let name = format!("  {BATCH} of {BATCH_CALLS} {SMALL_WRITE} (aim: 3x one)");
        table.row(&name, batch.cells().into_iter().chain(times));
    }
    servers.place(ANYWHERE[0], ANYWHERE[1]);
    table.row(&format!("{SMALL_CALL} without HTTP"), without_http().cells());
    table.print();
    println!();
}

/// The bare servers, a read, a write, a batch of writes.
fn one_by_one(servers: &Servers, turns: usize) -> [Samples; 5] {
    let read = |port: u16| {
        let request = request(port, SMALL_CALL, "{}");
        [request.clone(), request]
    };
    let (blocking, hyper, device) = (servers.blocking.port(), servers.hyper.port(), servers.device.port());
    let mut sides = [
        (blocking, read(blocking)),
        (hyper, read(hyper)),
        (device, read(device)),
        (device, renaming(device)),
        (device, renaming_many(device)),
    ]
    .map(|(port, requests)| (Client::connect(port), requests, Samples::default()));
    for (client, requests, _) in &mut sides {
        for n in 0..rounds(2000) {
            client.call(&requests[n % 2]);
        }
    }
    for _ in 0..rounds(turns) {
        for (client, requests, samples) in &mut sides {
            for n in 0..500 {
                samples.time(|| client.call(&requests[n % 2]).len());
            }
        }
    }
    sides.map(|(_, _, samples)| samples)
}

fn calls_a_second() {
    let servers = Servers::start();
    let time = Duration::from_millis(rounds(2000) as u64);
    let mut table = Table::new(&["calls a second", "1 connection", "4", "32"]);
    for Surroundings { name, is_busy, cores } in surroundings() {
        servers.place(cores[0], cores[1]);
        let _busy = is_busy.then(Busy::start);
        table.row(name.split(" (").next().unwrap_or(name), []);
        for (name, port, write) in [
            ("bare blocking server, same answer", servers.blocking.port(), false),
            ("bare hyper server, same answer", servers.hyper.port(), false),
            ("svc-read-live-set (aim: 100000 at four, own core)", servers.device.port(), false),
            (SMALL_WRITE, servers.device.port(), true),
        ] {
            let requests = if write { renaming(port).to_vec() } else { vec![request(port, SMALL_CALL, "{}")] };
            let speed = |connections| format!("{:.0}", calls_per_second(port, &requests, connections, time));
            table.row(&format!("  {name}"), [1, 4, 32].map(speed));
        }
    }
    table.print();
    println!();
}

/// The same calls of two devices, one of which tells sixteen readers of each.
fn followed_calls() {
    const READERS: usize = 16;
    let devices = [subject::start(None), subject::start(None)];
    let readers = Readers::start(devices[1].port(), READERS);
    let mut table = Table::new(&["calls that are told", "p50", "p99", "max", "p50", "p99"]);
    for (name, is_write) in [(SMALL_CALL, false), (SMALL_WRITE, true)] {
        let mut sides = devices.each_ref().map(|device| {
            let port = device.port();
            let read = || std::array::from_fn(|_| request(port, SMALL_CALL, "{}"));
            let requests = if is_write { renaming(port) } else { read() };
            (Client::connect(port), requests, Samples::default())
        });
        let before = readers.bytes();
        let turns = rounds(20);
        for _ in 0..turns {
            for (client, requests, samples) in &mut sides {
                for n in 0..500 {
                    samples.time(|| client.call(&requests[n % 2]).len());
                }
            }
        }
        let [(_, _, alone), (_, _, followed)] = sides;
        table.row(&format!("{name}, nobody follows"), alone.cells());
        let times = [0.5, 0.99].map(|share| ratio(followed.at(share), alone.at(share)));
        table.row(&format!("{name}, {READERS} readers"), followed.cells().into_iter().chain(times));
        let told = (readers.bytes() - before) as usize / (turns * 500 * READERS);
        table.row(&format!("  {told} bytes to each reader a call"), []);
    }
    table.print();
    println!();
}

/// A thousand edits a second of two devices, one of which sixteen readers follow, one of them stalled: what a call
/// takes, and whether the devices grow by it. The one that nobody follows keeps its history, too.
fn edits_a_second(placed: &str, cores: [&str; 2]) {
    const READERS: usize = 16;
    const STALLED: usize = 1;
    const PACE: Duration = Duration::from_millis(1);
    let seconds = rounds(20);
    let devices = [subject::start(None), subject::start(None)];
    for device in &devices {
        cores::place(device.process(), cores[0]);
    }
    cores::place(std::process::id(), cores[1]);
    let readers = Readers::some_stalled(devices[1].port(), READERS, STALLED);
    let mut sides = devices
        .each_ref()
        .map(|device| (Client::connect(device.port()), renaming(device.port()), Samples::default(), Vec::new()));
    let resident = |device: &Subject| process::status(device.process(), "VmRSS") as f64 / 1024.0;
    let begun = Instant::now();
    let mut late = 0;
    for second in 0..seconds {
        for n in 0..1_000 {
            for (client, requests, samples, _) in &mut sides {
                samples.time(|| client.call(&requests[n % 2]).len());
            }
            let next = begun + PACE * (second * 1_000 + n + 1) as u32;
            match next.checked_duration_since(Instant::now()) {
                Some(rest) => std::thread::sleep(rest),
                None => late += 1,
            }
        }
        for (device, (.., memory)) in devices.iter().zip(&mut sides) {
            memory.push(resident(device));
        }
    }
    let taken = begun.elapsed().as_secs_f64();
    let edits = seconds * 1_000;
    let name = format!("{SMALL_WRITE}, {:.0} a second", edits as f64 / taken);
    let mut table = Table::new(&[&name, "p50", "p99", "max", "p50", "p99"]);
    let [(_, _, alone, quiet), (_, _, followed, told)] = sides;
    table.row("nobody follows", alone.cells());
    let times = [0.5, 0.99].map(|share| ratio(followed.at(share), alone.at(share)));
    let name = format!("{READERS} readers, {STALLED} of them stalled");
    table.row(&name, followed.cells().into_iter().chain(times));
    table.print();
    let each = (READERS - STALLED) as f64;
    let per_edit = readers.bytes() as f64 / (edits as f64 * each);
    let per_second = readers.pieces() as f64 / (taken * each);
    println!("{placed}: {edits} edits of each, {late} later than their millisecond;");
    println!("{per_edit:.0} bytes to each reader an edit, in {per_second:.0} pieces a second");
    let mut table = Table::new(&["memory of the process, MB", "after 1 s", "half", "all", "grown in the second half"]);
    for (name, memory) in [("nobody follows", quiet), (name.as_str(), told)] {
        let at = |index: usize| memory.get(index).copied().unwrap_or_default();
        let (first, half, last) = (at(0), at(seconds / 2), at(seconds - 1));
        let cells = [first, half, last, last - half].map(|megabytes| format!("{megabytes:.1}"));
        table.row(name, cells);
    }
    table.print();
    println!();
    cores::place(std::process::id(), ANYWHERE[1]);
}

fn large_calls() {
    let mut table = Table::new(&["large calls", "p50", "p99", "max"]);
    let device = subject::start(None);
    table.row("svc-create-clip, 10,000 notes", ten_thousand_notes(device.port()).cells());
    drop(device);
    let big = subject::start(Some(&state::save(&Settings::default(), &big_set(), "", 0)));
    let (samples, bytes) = read_everything(big.port());
    table.row(&format!("svc-read-live-set *, 200 x 200 clips, {} kB (aim: 3 ms)", bytes / 1000), samples.cells());
    table.print();
    println!();
}

fn ratio(ours: Duration, theirs: Duration) -> String {
    format!("{:.2}x", ours.as_secs_f64() / theirs.as_secs_f64())
}

/// The same call, asked of the service: the checks, the pump's thread and back, the answer.
fn without_http() -> Samples {
    let (device, ..) = subject::device_inside::start(Document::new_set());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let mut samples = Samples::default();
    for _ in 0..rounds(20_000) {
        let call = device.service.call(CallRequest {
            as_text: true,
            tool: SMALL_CALL.to_owned(),
            arguments: serde_json::Map::new(),
            headers: ProfileHeaders::default(),
            timeout: None,
            json: true,
            published_only: false,
            who: Caller::new(Via::Rest, "bench"),
            chosen_file: None,
        });
        let answer = samples.time(|| runtime.block_on(call)).expect("an answer");
        assert!(!answer.is_error);
    }
    samples
}

fn ten_thousand_notes(port: u16) -> Samples {
    let notes: String = (0..10_000)
        .map(|n| format!("v{} C{} {}|{} ", 60 + n % 60, n % 7, 1 + n / 16, 1.0 + f64::from(n % 16) / 4.0))
        .collect();
    let arguments = serde_json::json!({ "path": "t0/s0", "notes": format!("n/16 {notes}") });
    let request = request(port, "svc-create-clip", &arguments.to_string());
    let (mut client, mut samples) = (Client::connect(port), Samples::default());
    for _ in 0..rounds(50) {
        let answer = samples.time(|| client.call(&request).to_vec());
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(answer.contains("\"noteCount\":10000"), "{answer}");
    }
    samples
}

/// 200 MIDI tracks, 200 scenes, a clip in every slot.
fn big_set() -> Document {
    let mut set = Document::new_set();
    let mut serial = set.next_serial;
    let mut fresh = || {
        serial += 1;
        serial
    };
    for at in set.scenes.len()..200 {
        set.insert_scene(at, Scene::new(fresh()));
    }
    for at in set.tracks.len()..200 {
        set.insert_track(at, Track::new(fresh(), TrackKind::Midi, 1, 2));
    }
    let tracks: Vec<u32> = set.tracks.iter().filter(|t| t.kind == TrackKind::Midi).map(|t| t.serial).collect();
    let scenes: Vec<u32> = set.scenes.iter().map(|scene| scene.serial).collect();
    for track in tracks {
        for scene in &scenes {
            set.put_clip(track, *scene, Clip::midi(fresh(), 4.0, 1, set.song.signature));
        }
    }
    set.next_serial = fresh();
    set
}

fn read_everything(port: u16) -> (Samples, usize) {
    let request = request(port, SMALL_CALL, r#"{"include":["*"]}"#);
    let (mut client, mut samples, mut bytes) = (Client::connect(port), Samples::default(), 0);
    for _ in 0..rounds(50) {
        bytes = samples.time(|| client.call(&request).len());
    }
    (samples, bytes)
}
