//! What the device keeps of the machine while nobody asks it anything: memory, threads, processor time; and how fast
//! the file of a large Set is opened and saved.
//!
//! With the feature `standalone` the real `svc-device` is measured as a process of its own; without it, a device inside
//! this benchmark, whose own memory is then part of the numbers. Reads `/proc`, so the numbers are Linux's.

#[path = "support/client.rs"]
mod client;
#[path = "support/large_set.rs"]
mod large_set;
#[path = "support/load.rs"]
mod load;
#[path = "support/process.rs"]
mod process;
#[path = "support/subject.rs"]
#[allow(dead_code, reason = "shared; a device inside this process cannot be started again")]
mod subject;
mod support;

use client::{Client, request};
use load::calls_per_second;
use process::{number_behind, read, status};
use std::time::{Duration, Instant};
use support::{Table, rounds};
use svc_device::device::state::StateParts;
use svc_device::device::state_file::StateFile;

fn main() {
    if !std::path::Path::new("/proc/self/status").exists() {
        println!("no /proc here: memory and threads are measured on Linux only");
        return;
    }
    let device = subject::start(None);
    let (process, port) = (device.process(), device.port());
    println!("{}", subject::NAME);
    let mut table = Table::new(&["at rest", "memory", "of it its own", "threads", "processor", "woken a second"]);
    table.row("just started", rest(process));
    let small = request(port, "svc-read-live-set", "{}");
    Client::connect(port).call(&small);
    table.row("after the first call", rest(process));
    let calls =
        calls_per_second(port, std::slice::from_ref(&small), 32, Duration::from_millis(rounds(5000) as u64)) as u64 * 5;
    table.row(&format!("after some {calls} calls on 32 connections"), rest(process));
    table.print();
    println!("threads: {}", threads(process).join(", "));
    drop(device);
    large_file();
    #[cfg(feature = "standalone")]
    fullest_set();
}

/// A Set with as many notes as one takes: opened, changed, saved at the end, opened again.
#[cfg(feature = "standalone")]
fn fullest_set() {
    const NOTES: usize = 2_000_000;
    let text = large_set::large_state(NOTES * large_set::BYTES_OF_A_NOTE / 1_000_000);
    let mut table = Table::new(&["a Set of 2,000,000 notes", "time", "memory at the peak", "of the file"]);
    let mut row = |what: &str, begun: Instant, process: u32| {
        let peak = status(process, "VmHWM") as f64 * 1024.0;
        let cells = [
            format!("{:.2} s", begun.elapsed().as_secs_f64()),
            format!("{:.0} MB", peak / 1e6),
            format!("{:.1}x", peak / text.len() as f64),
        ];
        table.row(what, cells);
    };
    let begun = Instant::now();
    let device = subject::start(Some(&text));
    row(&format!("started with its {:.0} MB", text.len() as f64 / 1e6), begun, device.process());
    let (begun, port) = (Instant::now(), device.port());
    let name = r#"{"path":"t1","name":"as full as can be"}"#;
    Client::connect(port).call(&request(port, "svc-update-track", name));
    row("a track renamed", begun, device.process());
    let one_more = request(port, "svc-create-clip", r#"{"path":"t1/s0","notes":"C3 1|1"}"#);
    let refused = String::from_utf8_lossy(Client::connect(port).send(&one_more)).into_owned();
    assert!(refused.contains("takes 2000000 at most"), "{refused}");
    let begun = Instant::now();
    let device = device.restart();
    row("ended, which saves it, and started again", begun, device.process());
    let port = device.port();
    let read = request(port, "svc-read-track", r#"{"path":"t1"}"#);
    let kept = String::from_utf8_lossy(Client::connect(port).call(&read)).into_owned();
    assert!(kept.contains("as full as can be"), "{kept}");
    table.print();
}

/// Opens and saves the file of a large Set, in this process.
fn large_file() {
    let folder = tempfile::tempdir().expect("a folder for the Set");
    let text = large_set::large_state(rounds(200));
    let megabytes = text.len() as f64 / 1e6;
    let file = StateFile::new(folder.path(), None);
    std::fs::write(file.path(), &text).expect("the file is written");
    drop(text);
    let begun = Instant::now();
    let state = file.read().expect("the file is read").expect("it is there").expect("it is a Set");
    let opened = begun.elapsed();
    let parts = StateParts {
        settings: &state.settings,
        document: &state.document,
        id: &state.id,
        revision: state.revision,
        log: None,
    };
    let begun = Instant::now();
    file.stage(|to| parts.write(to)).and_then(|staged| file.put_in_place(staged)).expect("the file is written");
    let saved = begun.elapsed();
    let mut table = Table::new(&["a large Set", "time", "speed"]);
    for (what, time) in [("opened", opened), ("saved, with the disk's word for it", saved)] {
        let seconds = time.as_secs_f64();
        table.row(
            &format!("{megabytes:.0} MB {what}"),
            [format!("{seconds:.2} s"), format!("{:.0} MB/s", megabytes / seconds)],
        );
    }
    table.print();
}

/// Watches a process that has nothing to do for a while.
fn rest(process: u32) -> [String; 5] {
    // Long enough for what follows a change (the Set is written) to be over.
    std::thread::sleep(Duration::from_secs(1));
    let before = (processor_ticks(process), wakes(process));
    let time = Duration::from_millis(rounds(3000) as u64);
    std::thread::sleep(time);
    let ticks = processor_ticks(process).saturating_sub(before.0) as f64;
    let wakes = wakes(process).saturating_sub(before.1) as f64;
    let megabytes = |field| format!("{:.1} MB", status(process, field) as f64 / 1024.0);
    [
        megabytes("VmRSS"),
        megabytes("RssAnon"),
        threads(process).len().to_string(),
        // A tick is 10 ms.
        format!("{:.1} %", ticks / time.as_secs_f64()),
        format!("{:.1}", wakes / time.as_secs_f64()),
    ]
}

/// User and system time so far.
fn processor_ticks(process: u32) -> u64 {
    let stat = read(process, "stat");
    // The name in parentheses may hold spaces; user and system time are the 12th and 13th words behind it.
    let words = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().skip(11).take(2);
    words.filter_map(|word| word.parse::<u64>().ok()).sum()
}

/// The ids of a process's threads.
fn tasks(process: u32) -> Vec<String> {
    let entries = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

fn threads(process: u32) -> Vec<String> {
    tasks(process).iter().map(|task| read(process, &format!("task/{task}/comm")).trim().to_owned()).collect()
}

/// How often its threads have gone to sleep by themselves, thus been woken.
fn wakes(process: u32) -> u64 {
    let of = |task: &String| number_behind(&read(process, &format!("task/{task}/status")), "voluntary_ctxt_switches");
    tasks(process).iter().map(of).sum()
}
