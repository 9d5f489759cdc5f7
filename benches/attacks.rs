//! How long a small call takes while something else on this machine sends the device what costs it most, legal or not.
//!
//! What is sent is sent over and over, by as many clients as a row says, until the small calls are measured.

#[path = "support/client.rs"]
mod client;
#[path = "support/large_set.rs"]
#[allow(dead_code, reason = "shared; this uses a part of it")]
mod large_set;
#[path = "support/samples.rs"]
mod samples;
#[path = "support/subject.rs"]
#[allow(dead_code, reason = "shared; this uses a part of it")]
mod subject;
mod support;

use client::{Client, request};
use samples::Samples;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use support::{Table, rounds, wanted};

/// The Set has eight clips of about 100,000 notes, `t0/s0` to `t0/s7`.
const SET_MEGABYTES: usize = 120;

fn main() {
    let device = subject::start(Some(&large_set::large_state(SET_MEGABYTES)));
    let port = device.port();
    let sparse = sparse_audio();
    let mut table = Table::new(&["svc-read-live-set meanwhile", "p50", "p99", "max", "attacks", "answered"]);
    let quiet = small_calls(port, &AtomicU64::new(0));
    table.row("nothing else", quiet);
    for attack in attacks(port, &sparse.path().join("endless.mp3").to_string_lossy()) {
        if wanted(attack.name) {
            table.row(attack.name, under(&attack, port));
        }
    }
    table.print();
}

/// What is sent, by how many clients at a time.
struct Attack {
    name: &'static str,
    clients: usize,
    send: Sending,
}

enum Sending {
    /// The whole request, then the answer is read.
    Requests(Vec<u8>),
    /// Heads that never end, a byte at a time on each of so many sockets.
    TricklingHeads(usize),
}

fn attacks(port: u16, endless: &str) -> Vec<Attack> {
    let call = |tool: &str, body: String| Sending::Requests(request(port, tool, &body));
    let same_path = |times: usize| vec!["t0/s0"; times].join(",");
    let ones = vec!["1"; 600_000].join(",");
    let notes: Vec<String> = (0..20_000).map(|at| format!("C{} {}|1", at % 7, at + 1)).collect();
    let clips = |fields: &str| format!(r#"{{"path":"t0/s0,t0/s1,t0/s2,t0/s3",{fields}}}"#);
    let mcp = |body: String| {
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        Sending::Requests(head.into_bytes())
    };
    let get =
        |path: &str| Sending::Requests(format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").into_bytes());
    let rows: Vec<(&'static str, usize, Sending)> = vec![
        ("70 sockets whose heads trickle", 1, Sending::TricklingHeads(70)),
        ("a track named 1,000 times, written", 2, call("svc-update-track", named_often())),
        ("2 MB of wrong words in include", 2, call("svc-read-live-set", format!(r#"{{"include":[{ones}]}}"#))),
        (
            "a clip named 250,000 times, read",
            2,
            call("svc-read-clip", format!(r#"{{"path":"{}"}}"#, same_path(250_000))),
        ),
        ("a clip named 1,000 times, read", 2, call("svc-read-clip", format!(r#"{{"path":"{}"}}"#, same_path(1_000)))),
        (
            "a clip named 1,000 times, written",
            2,
            call("svc-update-clip", format!(r#"{{"path":"{}","name":"x"}}"#, same_path(1_000))),
        ),
        ("100,000 notes read as text", 2, call("svc-read-clip", r#"{"path":"t0/s0","include":["notes"]}"#.to_owned())),
        ("four pictures of 100,000 notes", 2, call("svc-read-clip", clips(r#""include":["image"]"#))),
        (
            "100,000 notes transformed",
            2,
            call("svc-update-clip", r#"{"path":"t0/s0","transforms":"velocity += 1"}"#.to_owned()),
        ),
        (
            "20,000 notes written",
            2,
            call("svc-create-clip", format!(r#"{{"path":"t1/s0","notes":"{}"}}"#, notes.join(" "))),
        ),
        (
            "a sound file of 300 GB named",
            2,
            call("svc-create-clip", format!(r#"{{"path":"t2/s0","sampleFile":"{endless}"}}"#)),
        ),
        ("2 MB of brackets", 2, call("svc-read-live-set", "[".repeat(2_000_000))),
        ("everything of the Set read", 2, call("svc-read-live-set", r#"{"include":["*"]}"#.to_owned())),
        ("/openapi.json", 4, get("/openapi.json")),
        ("the list of tools over MCP", 4, mcp(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.to_owned())),
        (
            "2 MB of a call over MCP",
            2,
            mcp(format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"svc-read-live-set","arguments":{{"include":[{ones}]}}}}}}"#
            )),
        ),
        ("small calls of others", 4, call("svc-read-live-set", "{}".to_owned())),
    ];
    rows.into_iter().map(|(name, clients, send)| Attack { name, clients, send }).collect()
}

fn named_often() -> String {
    format!(r#"{{"path":"{}","arm":true}}"#, vec!["t0"; 1_000].join(","))
}

/// A file that claims 300 GB and takes no room.
fn sparse_audio() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("endless.mp3");
    // Some frames of an MP3 of 44.1 kHz and 128 kbit/s; the rest is a hole.
    let mut frame = vec![0; 417];
    frame[..4].copy_from_slice(&[0xff, 0xfb, 0x90, 0x64]);
    std::fs::write(&path, frame.repeat(20)).expect("the file is written");
    let file = std::fs::OpenOptions::new().write(true).open(&path).expect("it is opened");
    file.set_len(300_000_000_000).expect("it gets its length");
    folder
}

fn under(attack: &Attack, port: u16) -> Vec<String> {
    let (stop, made) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..attack.clients {
            scope.spawn(|| attack.send.until(&stop, &made, port));
        }
        // The first of them has to be on its way.
        std::thread::sleep(Duration::from_millis(300));
        made.store(0, Ordering::Relaxed);
        let mut cells = small_calls(port, &made);
        cells.push(attack.send.answer(port));
        stop.store(true, Ordering::Relaxed);
        cells
    })
}

/// p50, p99 and maximum of small calls, one after the other for three seconds, and how many attacks there were a
/// second.
fn small_calls(port: u16, made: &AtomicU64) -> Vec<String> {
    let small = request(port, "svc-read-live-set", "{}");
    let mut client = Client::connect(port);
    let mut samples = Samples::default();
    let (begun, time) = (Instant::now(), Duration::from_millis(rounds(3_000) as u64));
    while begun.elapsed() < time {
        samples.time(|| client.call(&small).len());
        // A script does something between two calls.
        std::thread::sleep(Duration::from_micros(200));
    }
    let a_second = made.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64();
    let attacks = if a_second == 0.0 { String::new() } else { format!("{a_second:.1}/s") };
    samples.cells().into_iter().chain([attacks]).collect()
}

impl Sending {
    /// What one of them is answered: the status, and whether it was refused.
    fn answer(&self, port: u16) -> String {
        let Sending::Requests(request) = self else { return String::new() };
        let answer = Client::connect(port).send(request).to_vec();
        let text = String::from_utf8_lossy(&answer);
        let status = text.split(' ').nth(1).unwrap_or_default();
        if std::env::args().any(|argument| argument == "--answers") {
            println!("{}", text.split("\r\n\r\n").nth(1).unwrap_or_default().chars().take(300).collect::<String>());
        }
        let refused = text.contains("\"isError\":true");
        if refused { format!("{status}, isError") } else { status.to_owned() }
    }

    fn until(&self, stop: &AtomicBool, made: &AtomicU64, port: u16) {
        match self {
            Sending::Requests(request) => {
                while !stop.load(Ordering::Relaxed) {
                    // Whatever the device answers, and also where it hangs up.
                    let _ = requests(request, stop, made, port);
                }
            }
            Sending::TricklingHeads(sockets) => trickle(*sockets, stop, made, port),
        }
    }
}

fn requests(request: &[u8], stop: &AtomicBool, made: &AtomicU64, port: u16) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    let mut answer = vec![0; 1 << 16];
    while !stop.load(Ordering::Relaxed) {
        stream.write_all(request)?;
        let mut head: Vec<u8> = Vec::new();
        let left = loop {
            let count = stream.read(&mut answer)?;
            if count == 0 {
                return Ok(());
            }
            head.extend_from_slice(&answer[..count]);
            if let Some(length) = client::answer_length(&head) {
                break length.saturating_sub(head.len());
            }
        };
        std::io::copy(&mut (&mut stream).take(left as u64), &mut std::io::sink())?;
        made.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}

fn trickle(count: usize, stop: &AtomicBool, made: &AtomicU64, port: u16) {
    let open = || {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
        stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ").ok()?;
        Some(stream)
    };
    let mut sockets: Vec<Option<TcpStream>> = (0..count).map(|_| open()).collect();
    while !stop.load(Ordering::Relaxed) {
        for socket in &mut sockets {
            if socket.as_mut().is_none_or(|stream| stream.write_all(b"x").is_err()) {
                *socket = open();
                made.fetch_add(1, Ordering::Relaxed);
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
