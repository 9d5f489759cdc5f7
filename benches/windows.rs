//! The device for Windows beside the one for Linux: the same calls over HTTP on the same machine, in turns.
//!
//! Both are built as they ship. The one for Windows runs under wine, which is not Windows: what is looked for is a part
//! of our own that Windows makes slow, not how fast a Windows machine is.

#[path = "support/client.rs"]
mod client;
#[path = "support/samples.rs"]
#[allow(dead_code, reason = "shared; this uses a part of it")]
mod samples;
#[path = "support/sets.rs"]
#[allow(dead_code, reason = "shared; this uses a part of it")]
mod sets;
#[path = "support/subject.rs"]
#[allow(dead_code, reason = "shared; this uses a part of it")]
mod subject;
mod support;

use client::{Client, request};
use samples::{Samples, spoken};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use subject::Subject;
use support::{Table, rounds};
use svc_device::device::state;
use svc_device::service::Settings;

/// Turns that the two take.
const TURNS: usize = 20;

/// What is asked, how often in a turn, and what the calls do; each call of a row is another one than the last.
struct Row {
    name: &'static str,
    calls: usize,
    requests: fn(&Device) -> Vec<Vec<u8>>,
}

/// One of the two devices.
struct Device {
    subject: Subject,
    /// Its data folder, in which Sets may be saved, as its system spells it.
    folder: String,
}

fn main() {
    let Some(wine) = Wine::here() else {
        println!("not measured: `cargo xtask bench windows` builds the device for Windows and names wine, on Linux");
        return;
    };
    let (document, _) = sets::large(100, 100, 2_000, 50);
    let large = state::save(&Settings::default(), &document, "", 0);
    let mut table =
        Table::new(&["under wine, beside Linux", "p50", "p99", "p50 of Linux", "p99 of Linux", "p50", "p99"]);
    let small_rows = [
        Row {
            name: "svc-read-live-set",
            calls: 500,
            requests: |device| vec![device.ask("svc-read-live-set", json!({}))],
        },
        Row { name: "svc-update-track", calls: 500, requests: renaming },
        Row { name: "svc-create-clip, 10,000 notes", calls: 5, requests: ten_thousand_notes },
    ];
    compare(&mut table, &wine, None, &small_rows);
    table.row("a Set of 100 x 100 places, 2,000 clips, 100,000 notes", []);
    let large_rows = [
        Row {
            name: "  svc-read-live-set *",
            calls: 5,
            requests: |device| vec![device.ask("svc-read-live-set", json!({ "include": ["*"] }))],
        },
        Row { name: "  svc-manage save", calls: 2, requests: saving },
    ];
    compare(&mut table, &wine, Some(&large), &large_rows);
    table.print();
}

/// Measures the rows on a device of each system that has opened this state.
fn compare(table: &mut Table, wine: &Wine, state: Option<&str>, rows: &[Row]) {
    let devices = [wine.device(state), linux_device(state)];
    let mut clients = devices.each_ref().map(|device| Client::connect(device.subject.port()));
    for (device, client) in devices.iter().zip(&mut clients) {
        let allowed = json!({ "allowedFolders": [device.folder] }).to_string();
        client.call(&client::post(device.subject.port(), "/config", &allowed));
    }
    for row in rows {
        let requests = devices.each_ref().map(row.requests);
        let mut samples = [Samples::default(), Samples::default()];
        for turn in 0..rounds(TURNS) + 1 {
            for ((client, requests), samples) in clients.iter_mut().zip(&requests).zip(&mut samples) {
                for request in requests.iter().cycle().take(row.calls) {
                    let mut first = Samples::default();
                    // The first turn warms up.
                    let samples = if turn == 0 { &mut first } else { &mut *samples };
                    let answer = samples.time(|| client.call(request).to_vec());
                    let is_refused = answer.windows(14).any(|part| part == br#""isError":true"#);
                    assert!(!is_refused, "{}", String::from_utf8_lossy(&answer));
                }
            }
        }
        let [windows, linux] = samples.each_ref().map(|samples| [0.5, 0.99].map(|share| samples.at(share)));
        let times = windows.iter().zip(&linux).map(|(windows, linux)| windows.as_secs_f64() / linux.as_secs_f64());
        let times: Vec<String> = times.map(|times| format!("{times:.2}x")).collect();
        table.row(row.name, windows.into_iter().chain(linux).map(spoken).chain(times));
    }
}

impl Device {
    fn ask(&self, tool: &str, arguments: Value) -> Vec<u8> {
        request(self.subject.port(), tool, &arguments.to_string())
    }
}

fn renaming(device: &Device) -> Vec<Vec<u8>> {
    ["A", "B"].map(|name| device.ask("svc-update-track", json!({ "path": "t0", "name": name }))).into()
}

fn ten_thousand_notes(device: &Device) -> Vec<Vec<u8>> {
    let note = |n: u32| format!("v{} C{} {}|{} ", 60 + n % 60, n % 7, 1 + n / 16, 1.0 + f64::from(n % 16) / 4.0);
    let notes: String = (0..10_000).map(note).collect();
    vec![device.ask("svc-create-clip", json!({ "path": "t0/s0", "notes": format!("n/16 {notes}") }))]
}

/// The whole Set into one of two files, each of which is replaced.
fn saving(device: &Device) -> Vec<Vec<u8>> {
    let separator = if device.folder.starts_with('/') { '/' } else { '\\' };
    let files = ["one", "two"].map(|name| format!("{}{separator}{name}.svcset", device.folder));
    files.map(|file| device.ask("svc-manage", json!({ "action": "save", "file": file }))).into()
}

fn linux_device(state: Option<&str>) -> Device {
    let subject = subject::start(state);
    Device { folder: subject.data_folder().display().to_string(), subject }
}

/// Wine, and the device that was built for it.
struct Wine {
    loader: PathBuf,
    prefix: PathBuf,
    program: PathBuf,
}

impl Wine {
    fn here() -> Option<Wine> {
        let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let (loader, prefix, folder) = (path("SVC_WINE")?, path("SVC_WINE_PREFIX")?, path("SVC_WINDOWS")?);
        Some(Wine { loader, prefix, program: folder.join("svc-device.exe") })
    }

    fn device(&self, state: Option<&str>) -> Device {
        let drive = self.prefix.join("drive_c");
        let data = tempfile::Builder::new().prefix("svc-bench-").tempdir_in(drive).expect("a folder on wine's disk");
        if let Some(text) = state {
            std::fs::write(data.path().join("state.json"), text).expect("the state is written");
        }
        let folder = format!(r"C:\{}", name_of(data.path()));
        let mut command = Command::new(&self.loader);
        command
            .arg(&self.program)
            .args(["--headless", "--port", "0", "--data-dir", &folder])
            .env("WINEPREFIX", &self.prefix)
            .env("WINEDEBUG", "-all")
            .env("WINEDLLOVERRIDES", "mscoree=;mshtml=;winemenubuilder.exe=")
            .stderr(Stdio::null());
        Device { subject: subject::of(&mut command, data), folder }
    }
}

fn name_of(folder: &Path) -> String {
    folder.file_name().expect("a name").to_string_lossy().into_owned()
}
