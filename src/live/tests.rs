//! The bridge, with the other side played by the test.

use super::bridge_file::DeviceKind;
use super::frames::{FrameCutter, MAX_FRAME_BYTES, pack};
use super::*;
use crossbeam_channel::{Receiver, unbounded};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);

struct Device {
    bridge: Bridge,
    changes: Receiver<()>,
    _folder: tempfile::TempDir,
}

fn device() -> Device {
    let folder = tempfile::tempdir().unwrap();
    let (told, changes) = unbounded();
    let bridge =
        Bridge::start(folder.path(), DeviceKind::Plugin, Default::default(), move |_| _ = told.send(())).unwrap();
    Device { bridge, changes, _folder: folder }
}

impl Device {
    fn wait(&self, wanted: impl Fn(&LinkState) -> bool) -> LinkState {
        let end = Instant::now() + PATIENCE;
        loop {
            let state = self.bridge.state();
            if wanted(&state) {
                return state;
            }
            assert!(self.changes.recv_deadline(end).is_ok(), "{state:?}");
        }
    }

    fn request(&self, within: Duration) -> Result<Map<String, Value>, RequestError> {
        let Value::Object(message) = json!({ "kind": "program", "steps": [] }) else { panic!() };
        self.bridge.request(self.bridge.sets(), message, Instant::now() + within)
    }
}

/// The script's side of a connection.
struct Script {
    stream: TcpStream,
    cutter: FrameCutter,
}

impl Script {
    fn connect(file: &Path) -> (Script, String) {
        let told: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let port = u16::try_from(told["port"].as_u64().unwrap()).unwrap();
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        // A test that waits for what never comes fails.
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        (Script { stream, cutter: FrameCutter::default() }, told["token"].as_str().unwrap().to_owned())
    }

    fn send(&mut self, message: &Value) {
        self.stream.write_all(&pack(message).unwrap()).unwrap();
    }

    /// The next message that is no beat.
    fn next(&mut self) -> Option<Value> {
        loop {
            let message = Value::Object(self.cutter.next(&mut self.stream).ok()?);
            if message["kind"] != "beat" {
                return Some(message);
            }
        }
    }

    fn linked(file: &Path) -> Script {
        let (mut script, token) = Script::connect(file);
        script.send(&hello(&token, PROTOCOL));
        assert_eq!(script.next().unwrap()["kind"], "welcome");
        script
    }
}

fn hello(token: &str, protocol: u32) -> Value {
    json!({ "kind": "hello", "protocol": protocol, "token": token, "script_version": "0.1.0", "live_version": "12.4.1",
            "pid": 1, "set": "a" })
}

#[test]
fn who_may_link() {
    let device = device();
    let file = &device.bridge.file();
    let (mut stranger, token) = Script::connect(file);
    stranger.send(&hello(&"0".repeat(64), PROTOCOL));
    assert_eq!((stranger.next(), device.bridge.state()), (None, LinkState::NotSeen), "told nothing");
    let (mut older, _) = Script::connect(file);
    older.send(&hello(&token, PROTOCOL + 1));
    let refused = older.next().unwrap();
    assert!(refused["text"].as_str().unwrap().contains("it speaks protocol 2, and this device 1"), "{refused}");
    assert!(matches!(device.wait(|state| *state != LinkState::NotSeen), LinkState::Refused { .. }));
    let (mut unfinished, _) = Script::connect(file);
    unfinished.send(&json!({ "kind": "hello", "protocol": PROTOCOL, "token": token }));
    assert!(unfinished.next().unwrap()["text"].as_str().unwrap().contains("script_version"));
    let (mut flood, _) = Script::connect(file);
    flood.stream.write_all(&u32::try_from(MAX_FRAME_BYTES + 1).unwrap().to_be_bytes()).unwrap();
    assert_eq!(flood.next(), None);

    // Again and again: the welcome could overtake the link now and then.
    for _ in 0..200 {
        let _script = Script::linked(file);
        let linked = LinkState::Linked { live_version: "12.4.1".to_owned(), script_version: "0.1.0".to_owned() };
        assert_eq!(device.bridge.state(), linked, "who was welcomed is linked");
    }
}

#[test]
fn requests_and_what_becomes_of_them() {
    let device = device();
    assert!(matches!(device.request(PATIENCE), Err(RequestError::NotAsked(why)) if why.contains("Control Surface")));
    let mut script = Script::linked(&device.bridge.file());
    assert!(matches!(device.request(Duration::ZERO), Err(RequestError::NotAsked(_))));
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| device.request(PATIENCE));
        let request = script.next().unwrap();
        assert!(request["expires_at_ms"].is_u64() && request["kind"] == "program", "{request}");
        script.send(&json!({ "kind": "answer", "id": 999, "ok": true }));
        script.send(&json!({ "kind": "answer", "id": request["id"], "ok": true, "results": [] }));
        assert_eq!(asked.join().unwrap().unwrap()["results"], json!([]));

        let asked = scope.spawn(|| device.request(PATIENCE));
        let id = script.next().unwrap()["id"].clone();
        let error = json!({ "code": "expired", "text": "its time had passed", "started": false });
        script.send(&json!({ "kind": "answer", "id": id, "ok": false, "error": error }));
        let refused = asked.join().unwrap().unwrap_err();
        assert!(
            matches!(&refused, RequestError::Refused { code, started: false, .. } if code == "expired"),
            "{refused:?}"
        );

        let asked = scope.spawn(|| device.request(Duration::from_millis(300)));
        let id = script.next().unwrap()["id"].clone();
        assert!(matches!(asked.join().unwrap(), Err(RequestError::NoAnswer(_))));
        assert_eq!(script.next(), Some(json!({ "kind": "cancel", "id": id })));

        let asked = scope.spawn(|| device.request(PATIENCE));
        script.next().unwrap();
        script.send(&json!({ "kind": "bye" }));
        assert!(matches!(asked.join().unwrap(), Err(RequestError::NoAnswer(why)) if why.contains("lost")));
    });
    let lost = device.wait(|state| matches!(state, LinkState::Lost { .. }));
    assert!(lost.sentence().contains("another Set is being opened"), "{lost:?}");
    assert!(matches!(device.request(PATIENCE), Err(RequestError::NotAsked(why)) if why.contains("was lost")));
}

#[test]
fn ids_go_on_behind_those_of_the_script_before() {
    let device = device();
    let first = Script::linked(&device.bridge.file());
    device.bridge.note_id(41);
    // The newest drives: a Set that was loaded anew says no goodbye if Live was in a hurry.
    let (mut second, token) = Script::connect(&device.bridge.file());
    second.send(&hello(&token, PROTOCOL));
    assert_eq!(second.next().unwrap()["first_id"], 42);
    assert_eq!(device.bridge.links(), 2, "who was welcomed is linked");
    drop(first);
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| device.request(PATIENCE));
        let id = second.next().unwrap()["id"].clone();
        second.send(&json!({ "kind": "answer", "id": id, "ok": true }));
        asked.join().unwrap().unwrap();
    });
}

#[test]
fn the_script_hears_from_the_device_and_tells_of_itself() {
    let device = device();
    let mut script = Script::linked(&device.bridge.file());
    let beat = script.cutter.next(&mut script.stream).unwrap();
    assert_eq!(beat["kind"], "beat");
    script.send(&json!({ "kind": "beat", "tick_gap_ms": 120.5, "dialogs": 1, "dialog": "Save changes?" }));
    device.wait(|_| device.bridge.beat().is_some_and(|beat| beat.dialogs == 1 && beat.tick_gap_ms == 120.5));
    let stalled = device.wait(|state| matches!(state, LinkState::Stalled { .. }));
    assert!(stalled.sentence().contains("Save changes?"), "{stalled:?}");
    let file = device.bridge.file();
    drop(device);
    assert!(!file.exists());
    assert_eq!(script.next(), None, "the link ends with the device");
}
