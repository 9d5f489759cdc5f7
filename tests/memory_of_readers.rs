//! Memory at most that readers need for input made to be expensive: files of a Set, states of a plugin, bodies of
//! calls.
#![cfg(target_os = "linux")]

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use svc_device::device::set_files::read_set_file;
use svc_device::device::state;
use svc_device::paths::AllowedFolders;
use svc_device::set::Document;
use svc_device::set::edit::saved_set;
use svc_device::user_store::Presets;

const MOST_MB: u64 = 700;
const INPUTS: usize = 1_000;
/// Of each kind one is large: so many pieces.
const LARGE: usize = 1_000_000;
const SMALL: usize = 200;

/// Values that take much more than their text where they are kept as JSON.
const ZEROS: &str = "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,";

/// The most memory that a process has had.
fn highest_mb(process: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a status");
    let line = status.lines().find(|line| line.starts_with("VmHWM")).expect("the highest memory");
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<u64>().ok()).expect("a number") / 1024
}

/// A beginning, a piece that comes again and again, and an end.
fn kinds(set: &str) -> Vec<(String, &'static str, String)> {
    let track = r#"{"set":{"song":{},"tracks":["#;
    let of = |head: &str, piece: &'static str, tail: &str| (head.to_owned(), piece, tail.to_owned());
    let rest = set.strip_prefix('{').unwrap_or_default();
    vec![
        of(r#"{"x":["#, r#"{"a":0},"#, &format!("0],{rest}")),
        of(r#"{"x":["#, "[],", &format!("0],{rest}")),
        of(r#"{"x":{"#, r#""a":{"b":[]},"#, &format!("\"z\":0}},{rest}")),
        of(r#"{"x":""#, "nnnnnnnn", &format!("\",{rest}")),
        of(r#"{"format":5,"settings":{"disabledTools":["#, r#"{"a":0},"#, "0]}}"),
        of(r#"{"format":5,"settings":{"allowedFolders":["#, r#""/a","#, "\"/b\"]}}"),
        of(r#"{"format":5,"settings":{"projectContext":""#, "nnnnnnnn", "\"}}"),
        of(r#"{"format":5,"id":["#, "[[]],", "0]}"),
        of(r#"{"format":5,"set":{"scenes":["#, "{},", "{}]}}"),
        of(r#"{"format":5,"set":{"scenes":["#, r#"{"serial":1,"name":""},"#, "{}]}}"),
        of(r#"{"format":5,"set":{"cue_points":["#, r#"{"serial":1,"time":0,"name":""},"#, "{}]}}"),
        of(r#"{"format":5,"set":{"grooves":["#, "{},", "{}]}}"),
        of(r#"{"format":5,"set":{"song":{"stored":{"#, r#""a":[{}],"#, "\"z\":0}}}"),
        of(r#"{"format":5,"set":{"song":{"stored":{"a":["#, r#"{"a":0},"#, "0]}}}}"),
        of(r#"{"format":5,"set":{"song":{"stored":{"a":["#, ZEROS, "0]}}}}"),
        of(r#"{"format":5,"set":{"grooves":[{"serial":1,"notes":null,"stored":{"base":["#, ZEROS, "0]}}]}}"),
        of(r#"{"format":5,"set":"#, "[", "]"),
        of(r#"{"format":5,"set":{"tracks":["#, r#"{"serial":1,"devices":[{}]},"#, "{}]}}"),
        of(track, "{},", "{}]}}"),
        of("[", "{},", "{}]"),
        of(
            r#"<?xml version="1.0"?><Ableton><LiveSet><Tracks>"#,
            r#"<MidiTrack Id="1"/>"#,
            "</Tracks></LiveSet></Ableton>",
        ),
        of(
            r#"<?xml version="1.0"?><Ableton><LiveSet><Scenes>"#,
            "<Scene><Name/></Scene>",
            "</Scenes></LiveSet></Ableton>",
        ),
        of(r#"<?xml version="1.0"?><Ableton>"#, "<a>", "</Ableton>"),
        of(r#"<?xml version="1.0"?><Ableton><a b=""#, "nnnnnnnn", "\"/></Ableton>"),
    ]
}

#[test]
fn hostile_files_take_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let set = saved_set::save(&Document::new_set());
    let kinds = kinds(&set);
    for number in 0..INPUTS {
        let Some((head, piece, tail)) = kinds.get(number % kinds.len()) else { continue };
        let round = number / kinds.len();
        let count = if round == 0 { LARGE } else { SMALL * round };
        let is_packed = head.starts_with('<') || round.is_multiple_of(2);
        let file = folder.path().join(if head.starts_with('<') { "x.als" } else { "x.svcset" });
        let out = std::fs::File::create(&file).expect("a file");
        let block = piece.repeat(1_000);
        let write = |to: &mut dyn Write| -> std::io::Result<()> {
            to.write_all(head.as_bytes())?;
            (0..count.div_ceil(1_000)).try_for_each(|_| to.write_all(block.as_bytes()))?;
            to.write_all(tail.as_bytes())
        };
        if is_packed {
            let mut gzip = GzEncoder::new(out, Compression::fast());
            write(&mut gzip).and_then(|()| gzip.finish().map(drop)).expect("written");
        } else {
            write(&mut std::io::BufWriter::new(out)).expect("written");
        }
        let read = read_set_file(&file, &AllowedFolders::default());
        let highest = highest_mb("self");
        assert!(highest < MOST_MB, "{highest} MB after {number}, {head} {piece}: {:?}", read.err());
    }
}

#[test]
fn hostile_plugin_states_take_little_memory() {
    let set = saved_set::save(&Document::new_set());
    for (head, piece, tail) in kinds(&set).into_iter().filter(|(head, ..)| !head.starts_with('<')) {
        let read = state::load(&format!("{head}{}{tail}", piece.repeat(LARGE)));
        let highest = highest_mb("self");
        assert!(highest < MOST_MB, "{highest} MB after {head} {piece}: {:?}", read.err());
    }
}

/// A log as the device writes it beside a file: its lines state their checksums.
fn log_of(json: &str) -> String {
    let sum = json
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
    format!("{sum:016x} {json}\n")
}

#[test]
fn hostile_logs_take_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("song.svcset");
    let set = saved_set::save(&Document::new_set());
    let set = set.strip_prefix('{').expect("an object");
    std::fs::write(&file, format!("{{\"log\":\"0123456789abcdef\",{set}")).expect("written");
    let log = folder.path().join(".song.svcset.0123456789abcdef.log");
    let groove = r#"{"set":{"next_serial":99,"grooves":[{"serial":50,"notes":null,"stored":{"base":["#;
    std::fs::write(&log, log_of(r#"{"set":{"next_serial":900001}}"#)).expect("written");
    let good = read_set_file(&file, &AllowedFolders::default()).expect("a Set");
    assert_eq!(good.document().next_serial, 900_001, "the log is read");
    for (head, piece, tail) in [
        (r#"{"settings":{"x":["#, r#"{"a":0},"#, "0]}}"),
        (r#"{"settings":{"x":["#, "[],", "0]}}"),
        (groove, ZEROS, "0]}}]}}"),
        (groove, r#"{"a":[0]},"#, "0]}}]}}"),
        (r#"{"set":{"next_serial":99,"scenes":{"changed":["#, "{},", "{}]}}}"),
    ] {
        std::fs::write(&log, log_of(&format!("{head}{}{tail}", piece.repeat(2 * LARGE)))).expect("written");
        let read = read_set_file(&file, &AllowedFolders::default());
        let highest = highest_mb("self");
        assert!(highest < MOST_MB, "{highest} MB after {head} {piece}: {:?}", read.err());
    }
    std::fs::write(&log, "0".repeat(100 << 20)).expect("written");
    assert!(read_set_file(&file, &AllowedFolders::default()).is_ok(), "a line that does not end is none");
    assert!(highest_mb("self") < MOST_MB);
}

#[test]
fn hostile_presets_take_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let presets = Presets::new(Some(folder.path().to_owned()));
    let file = presets.save("Simpler", "Kick", serde_json::json!({})).expect("saved").file;
    for (head, piece) in [
        (r#""saved":{"stored":{"a":["#, r#"{"a":0},"#),
        (r#""saved":{"stored":{"a":["#, "[0],"),
        (r#""saved":{"stored":{"a":["#, ZEROS),
    ] {
        let body = piece.repeat((8_000_000) / piece.len());
        let text = format!(
            r#"{{"format":"svc-device-preset","version":1,"device":"Simpler","name":"Kick",{head}{body}0]}}}}}}"#
        );
        std::fs::write(&file, text).expect("written");
        let refused = presets.load("Kick", None, &[]).expect_err("it is refused").to_string();
        assert!(refused.contains("far more memory"), "{refused}");
        let highest = highest_mb("self");
        assert!(highest < MOST_MB, "{highest} MB after {head} {piece}");
    }
    std::fs::remove_file(&file).expect("removed");
    presets.save("Simpler", "Kick", serde_json::json!({"a": vec![0.5; 400_000]})).expect("it is not too much");
    assert!(presets.load("Kick", None, &[]).is_ok(), "what was written is read");
}

struct Device {
    child: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Device {
    fn start() -> Device {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc-device"));
        command.args(["--headless", "--port", "0", "--data-dir"]).arg(folder.path());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let address = line.trim().rsplit_once("http://").expect("an address").1.to_owned();
        Device { child, address, _folder: folder }
    }

    /// The status line of the answer; an error where the connection ended before one.
    fn post(&self, path: &str, body: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(&self.address)?;
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, \
             text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body.as_bytes())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned())
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends as many bodies at once as the server reads at once, each of the greatest length.
#[test]
fn hostile_bodies_take_little_memory() {
    const BODY: usize = 2_000_000;
    const AT_ONCE: usize = 16;
    const PIECES: [&str; 2] = [r#"{"a":0},"#, r#""$1.id","#];
    let device = Device::start();
    let mcp = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc-batch","arguments":{"calls":["#;
    for (path, head, tail, pieces) in [
        ("/api/tools/svc-batch", r#"{"calls":["#, "0]}", &PIECES[..]),
        ("/api/tools/svc-create-clip", r#"{"path":["#, "0]}", &PIECES[..1]),
        ("/api/tools/svc-create-clip", r#"{"unknown":["#, "0]}", &PIECES[..1]),
        ("/mcp", mcp, "0]}}}", &PIECES[..1]),
        ("/config", r#"{"allowedFolders":["#, "0]}", &PIECES[..1]),
    ] {
        for piece in pieces {
            let body = format!("{head}{}{tail}", piece.repeat(BODY / piece.len()));
            std::thread::scope(|scope| {
                for _ in 0..AT_ONCE {
                    // A body that is refused before it is read may end the connection.
                    scope.spawn(|| device.post(path, &body));
                }
            });
            let highest = highest_mb(&device.child.id().to_string());
            assert!(highest < MOST_MB, "{highest} MB after {path} {piece}");
        }
    }
    let after = device.post("/api/tools/svc-read-live-set", "{}").expect("it answers");
    assert!(after.contains("200"), "{after}");
}
