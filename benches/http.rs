//! What a call costs over HTTP, beside a bare `hyper` server that gives the same answer to the same client.
//!
//! The two take turns, so that whatever else the machine does troubles both.

#[path = "support/client.rs"]
mod client;
#[path = "support/samples.rs"]
mod samples;
mod support;

use client::{Client, calls_per_second, request};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use samples::Samples;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use support::{Table, rounds};
use svc_device::device::{Config, Device, Persistence, ServerStatus};
use svc_device::service::pump::SliceThread;
use svc_device::service::{CallRequest, ProfileHeaders, Settings};
use svc_device::set::Document;
use svc_device::set::document::{Clip, Scene, Track, TrackKind};

/// A small call may take this many times what the bare server takes.
const AIM: f64 = 1.5;
const SMALL_CALL: &str = "svc-read-live-set";

fn main() {
    let (device, port) = start(Document::new_set());
    let small = request(port, SMALL_CALL, "{}");
    let answer = Client::connect(port).call(&small).to_vec();
    let echo = echo_server(answer);

    let mut table = Table::new(&["round trip", "p50", "p99", "max"]);
    let [ours, bare, awake] = small_calls(&small, port, echo);
    table.row("bare hyper server, same answer", bare.cells());
    table.row("  the same, a core kept awake", awake.cells());
    table.row("svc-read-live-set", ours.cells());
    let times = |of: &Samples| [0.5, 0.99].map(|share| ratio(ours.at(share), of.at(share)));
    table.row(&format!("  times the bare server (aim: {AIM}x)"), times(&bare));
    table.row("  times the same, a core kept awake", times(&awake));
    table.row("  without HTTP", without_http(&device).cells());
    table.row("svc-create-clip, 10,000 notes", ten_thousand_notes(port).cells());
    drop(device);
    let (_device, big) = start(big_set());
    let (samples, bytes) = read_everything(big);
    table.row(&format!("svc-read-live-set *, 200 x 200 clips, {} kB", bytes / 1000), samples.cells());
    table.print();

    println!();
    let mut table = Table::new(&["calls a second", "1 connection", "4", "32"]);
    let (device, port) = start(Document::new_set());
    let small = request(port, SMALL_CALL, "{}");
    for (name, port) in [("bare hyper server, same answer", echo), (SMALL_CALL, port)] {
        let time = Duration::from_millis(rounds(2000) as u64);
        table.row(
            name,
            [1, 4, 32].map(|connections| format!("{:.0}", calls_per_second(port, &small, connections, time))),
        );
    }
    table.print();
    drop(device);
}

fn start(document: Document) -> (Arc<Device>, u16) {
    let (device, _engine) = Device::new(Config {
        instance: "benchmark".to_owned(),
        settings: Settings::default(),
        document,
        own_clock: true,
        port_override: Some(0),
        persistence: Persistence::Nowhere,
        on_change: Box::new(|| {}),
    });
    device.start(SliceThread::Model).expect("the device starts");
    match device.wait_for_server(Duration::from_secs(10)) {
        ServerStatus::Listening { port } => (device, port),
        other => panic!("the server does not listen: {other:?}"),
    }
}

/// `hyper` and nothing else, on one thread with a runtime of its own, as the device's server is.
fn echo_server(answer: Vec<u8>) -> u16 {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    listener.set_nonblocking(true).expect("a socket option");
    let port = listener.local_addr().expect("bound").port();
    let answer = Bytes::from(answer);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            loop {
                let Ok((stream, _)) = listener.accept().await else { continue };
                // Fails only when the client is gone.
                let _ = stream.set_nodelay(true);
                let answer = answer.clone();
                let service = service_fn(move |request: Request<Incoming>| {
                    let answer = answer.clone();
                    async move {
                        let _ = request.into_body().collect().await;
                        let response = Response::builder().header("content-type", "application/json");
                        Ok::<_, Infallible>(response.body(Full::new(answer)).unwrap_or_default())
                    }
                });
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        });
    });
    port
}

fn ratio(ours: Duration, theirs: Duration) -> String {
    format!("{:.2}x", ours.as_secs_f64() / theirs.as_secs_f64())
}

/// The device, the bare server, and the bare server while a thread keeps a core from sleeping. The device's own threads
/// do that for a moment after each call; where waking a core is dear (in a virtual machine, say) that alone can make it
/// look faster than the bare server, so the third shows what is left of that.
fn small_calls(small: &[u8], port: u16, echo: u16) -> [Samples; 3] {
    let mut sides = [(port, false), (echo, false), (echo, true)]
        .map(|(port, awake)| (Client::connect(port), awake, Samples::default()));
    for (client, ..) in &mut sides {
        for _ in 0..rounds(2000) {
            client.call(small);
        }
    }
    for _ in 0..rounds(40) {
        for (client, awake, samples) in &mut sides {
            let over = AtomicBool::new(!*awake);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
                for _ in 0..500 {
                    samples.time(|| client.call(small).len());
                }
                over.store(true, Ordering::Relaxed);
            });
        }
    }
    sides.map(|(_, _, samples)| samples)
}

/// The same call, asked of the service: the checks, the pump's thread and back, the answer.
fn without_http(device: &Device) -> Samples {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let mut samples = Samples::default();
    for _ in 0..rounds(20_000) {
        let call = device.service.call(CallRequest {
            tool: SMALL_CALL.to_owned(),
            arguments: serde_json::Map::new(),
            headers: ProfileHeaders::default(),
            timeout: None,
            json: true,
            published_only: false,
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
