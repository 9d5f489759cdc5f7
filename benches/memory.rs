//! What the device keeps of the machine while nobody asks it anything: memory, threads, processor time; and how fast
//! the file of a large Set is opened and saved.
//!
//! With the feature `standalone` the real `svc-device` is measured as a process of its own; without it, a device inside
//! this benchmark, whose own memory is then part of the numbers. Reads `/proc`, so the numbers are Linux's.

#[path = "support/client.rs"]
mod client;
#[path = "support/large_set.rs"]
mod large_set;
mod support;

use client::{Client, calls_per_second, request};
use std::time::{Duration, Instant};
use support::{Table, rounds};
use svc_device::device::state::StateParts;
use svc_device::device::state_file::StateFile;

fn main() {
    if !std::path::Path::new("/proc/self/status").exists() {
        println!("no /proc here: memory and threads are measured on Linux only");
        return;
    }
    let device = subject::start();
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

fn read(process: u32, file: &str) -> String {
    std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default()
}

/// A number of `/proc/<pid>/status`; memory is in kB.
fn status(process: u32, field: &str) -> u64 {
    number_behind(&read(process, "status"), field)
}

fn number_behind(text: &str, field: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or_default()
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

#[cfg(feature = "standalone")]
mod subject {
    use std::io::{BufRead, BufReader};
    use std::process::{Child, Command, Stdio};

    pub const NAME: &str = "svc-device --headless, a process of its own";

    pub struct Subject {
        child: Child,
        port: u16,
        _data: tempfile::TempDir,
    }

    pub fn start() -> Subject {
        let data = tempfile::tempdir().expect("a folder for the device");
        let mut child = Command::new(env!("CARGO_BIN_EXE_svc-device"))
            .args(["--headless", "--port", "0", "--data-dir"])
            .arg(data.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("svc-device starts");
        let mut lines = BufReader::new(child.stdout.take().expect("stdout is piped")).lines().map_while(Result::ok);
        let port = lines
            .find_map(|line| line.rsplit_once("listening on http://127.0.0.1:")?.1.trim_end_matches('/').parse().ok())
            .expect("svc-device says where it listens");
        // Keeps the pipe open.
        std::thread::spawn(move || lines.for_each(drop));
        Subject { child, port, _data: data }
    }

    impl Subject {
        pub fn process(&self) -> u32 {
            self.child.id()
        }

        pub fn port(&self) -> u16 {
            self.port
        }
    }

    impl Drop for Subject {
        fn drop(&mut self) {
            // It may have ended by itself.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

#[cfg(not(feature = "standalone"))]
mod subject {
    use std::sync::Arc;
    use std::time::{Duration, Instant};
    use svc_device::device::{Config, Device, Persistence, ServerStatus};
    use svc_device::playback::Engine;
    use svc_device::service::Settings;
    use svc_device::service::pump::SliceThread;
    use svc_device::set::Document;

    pub const NAME: &str = "a device inside the benchmark (build with the feature `standalone` for the real process)";

    pub struct Subject {
        _device: Arc<Device>,
        _engine: Engine,
        port: u16,
    }

    pub fn start() -> Subject {
        let (device, engine) = Device::new(Config {
            instance: "benchmark".to_owned(),
            settings: Settings::default(),
            document: Document::new_set(),
            own_clock: true,
            port_override: Some(0),
            persistence: Persistence::Nowhere,
            on_change: Box::new(|| {}),
        });
        device.start(SliceThread::Model).expect("the device starts");
        match device.wait_for_server(Duration::from_secs(10)) {
            ServerStatus::Listening { port } => Subject { _device: device, _engine: engine, port },
            other => panic!("the server does not listen: {other:?}"),
        }
    }

    impl Subject {
        pub fn process(&self) -> u32 {
            std::process::id()
        }

        pub fn port(&self) -> u16 {
            self.port
        }
    }
}
