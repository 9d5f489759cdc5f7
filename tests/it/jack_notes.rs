//! The notes that the device sends over JACK, read by another JACK client from a real server: the right ones, in order,
//! exact to the sample.

use crate::support::child::{Device, Heard, PATIENCE, Start, wait_until};
use serde_json::json;
use std::collections::BTreeMap;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// At 120 beats a minute and 48 kHz.
const FRAMES_PER_BEAT: i64 = 24_000;
const BAR: i64 = 4 * FRAMES_PER_BEAT;

/// A server of our own, without a sound card. It waits for its clients in each cycle, so a busy machine makes it slow
/// but loses nothing.
pub struct Server {
    child: Child,
    name: String,
    _alone: MutexGuard<'static, ()>,
}

/// JACK's registry has room for eight servers of a user, and keeps entries of servers that were killed.
static ONE_SERVER: Mutex<()> = Mutex::new(());

impl Server {
    pub fn start(name: &str) -> Server {
        let alone = ONE_SERVER.lock().unwrap_or_else(PoisonError::into_inner);
        let name = format!("svc-device-test-{name}-{}", std::process::id());
        let child = Command::new("jackd")
            .args(["--name", &name, "--no-realtime", "--sync", "--timeout", "20000"])
            .args(["-d", "dummy", "-r", "48000", "-p", "256"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("jackd runs; cargo xtask test installs it");
        Server { child, name, _alone: alone }
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Asked politely it clears its shared memory away.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        if crate::support::child::ended(&mut self.child, std::time::Duration::from_secs(5)).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

struct Recorder {
    child: Child,
    heard: Heard,
    stdin: Option<ChildStdin>,
}

impl Recorder {
    /// Waits until the server runs and it has reached it.
    fn start(server: &Server) -> Recorder {
        let python = std::env::var_os("SVC_PYTHON")
            .expect("SVC_PYTHON names a Python that has JACK-Client; cargo xtask test makes one");
        let mut child = Command::new(python)
            .args(["-c", include_str!("support/jack_recorder.py"), "SVC Device:notes"])
            .env("JACK_DEFAULT_SERVER", &server.name)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python runs");
        let stdin = child.stdin.take();
        let heard = Heard::listen(child.stdout.take().expect("stdout is piped"));
        let recorder = Recorder { child, heard, stdin };
        assert!(recorder.heard.wait_for("server").is_some(), "it reaches the server");
        recorder
    }

    fn wait_until_connected(&self) {
        assert!(self.heard.wait_for("ready").is_some(), "it finds the device's port");
    }

    /// Waits for an event that comes this long after the first.
    fn wait_for_frames(&self, frames: i64) {
        let found = self.heard.wait(|lines| {
            let mut times = lines.iter().filter_map(|line| Some(message(line)?.0));
            let first = times.next()?;
            times.next_back().filter(|last| last - first >= frames)
        });
        assert!(found.is_some(), "{frames} frames of music: {}", self.heard.so_far());
    }

    /// Everything it heard: the frame after the first event, and the bytes.
    fn finish(mut self) -> Vec<(i64, [u8; 3])> {
        drop(self.stdin.take());
        let events: Vec<(i64, [u8; 3])> = self.heard.all().lines().filter_map(message).collect();
        let first = events.first().map_or(0, |event| event.0);
        events.into_iter().map(|(frame, bytes)| (frame - first, bytes)).collect()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn message(line: &str) -> Option<(i64, [u8; 3])> {
    let (frame, hex) = line.split_once(' ')?;
    let bytes = u32::from_str_radix(hex, 16).ok()?.to_be_bytes();
    assert_eq!(hex.len(), 6, "three bytes: {line}");
    Some((frame.parse().ok()?, [bytes[1], bytes[2], bytes[3]]))
}

fn start(server: &Server) -> Device {
    let device = Start::new().env("JACK_DEFAULT_SERVER", server.name.as_str()).start();
    assert!(device.stderr().wait_for("notes go to the JACK port \"SVC Device:notes\"").is_some());
    device
}

/// What a bar of each track holds: beats in thousandths, length likewise, pitch, velocity.
type Bar = Vec<(i64, i64, u8, u8)>;

#[test]
fn a_scene_of_four_tracks_is_exact_to_the_sample() {
    let server = Server::start("exact");
    let recorder = Recorder::start(&server);
    let mut device = start(&server);
    recorder.wait_until_connected();
    device.call("svc-create-track", json!({ "path": "t2,t2" }));

    let tracks: [(&str, Bar); 4] = [
        ("v100 n/4 C3 1|1,2,3,4", (0..4).map(|beat| (beat * 1000, 1000, 60, 100)).collect()),
        ("v90 n/16 C1 1|1x8@n/8", (0..8).map(|eighth| (eighth * 500, 250, 36, 90)).collect()),
        ("v64 n/1 C3 E3 G3 1|1", [60, 64, 67].map(|pitch| (0, 4000, pitch, 64)).to_vec()),
        (
            "v127 n/16 D4 1|1.25,2.5 v1 n/8 D4 1|4.75",
            vec![(250, 250, 74, 127), (1500, 250, 74, 127), (3750, 250, 74, 1)],
        ),
    ];
    for (track, (notes, _)) in tracks.iter().enumerate() {
        let path = format!("t{track}/s0");
        let made = device.call("svc-create-clip", json!({ "path": path, "notes": notes, "length": "1bar" }));
        assert_eq!(made["path"], path, "{made}");
    }
    let launched = device.call("svc-playback", json!({ "action": "play-scene", "path": "s0" }));
    assert_eq!(launched["playing"], true);
    recorder.wait_for_frames(2 * BAR + FRAMES_PER_BEAT / 2);
    device.signal("TERM");
    assert_eq!(device.ended(PATIENCE).expect("it ends").code(), Some(0), "{}", device.stderr().all());
    let events = recorder.finish();

    let mut expected = Vec::new();
    for (channel, (_, bar)) in (0_u8..).zip(&tracks) {
        for repeat in 0..3 {
            for (start, length, pitch, velocity) in bar {
                let on = repeat * BAR + start * FRAMES_PER_BEAT / 1000;
                // A note ends with its clip's loop at the latest.
                let off = (on + length * FRAMES_PER_BEAT / 1000).min((repeat + 1) * BAR);
                expected.push((on, 1, [0x90 | channel, *pitch, *velocity]));
                expected.push((off, 0, [0x80 | channel, *pitch, 0]));
            }
        }
    }
    expected.sort_unstable();
    // Release velocities are the notes' own; which they are is not what is asked here.
    let plain = |[status, pitch, velocity]: [u8; 3]| [status, pitch, if status < 0x90 { 0 } else { velocity }];
    let heard: Vec<_> =
        events.iter().map(|(frame, bytes)| (*frame, u8::from(bytes[0] >= 0x90), plain(*bytes))).collect();
    assert!(heard.is_sorted_by_key(|(frame, is_on, _)| (*frame, *is_on)), "in time, offs before ons: {heard:?}");
    let mut exact: Vec<_> = heard.iter().copied().filter(|(frame, ..)| *frame < 2 * BAR).collect();
    exact.sort_unstable();
    let wanted: Vec<_> = expected.into_iter().filter(|(frame, ..)| *frame < 2 * BAR).collect();
    assert_eq!(exact, wanted);
    assert_silent_at_the_end(&events);
}

#[test]
fn on_the_way_out_every_sounding_note_gets_its_off() {
    let server = Server::start("offs");
    let recorder = Recorder::start(&server);
    let mut device = start(&server);
    recorder.wait_until_connected();
    device.call("svc-create-clip", json!({ "path": "t0/s0", "notes": "n/1 C3 E3 G3 1|1", "length": "4bar" }));
    device.call("svc-create-clip", json!({ "path": "t1/s0", "notes": "n/1 C1 1|1", "length": "4bar" }));
    device.call("svc-playback", json!({ "action": "play-scene", "path": "s0" }));
    let sounding =
        recorder.heard.wait(|lines| (lines.iter().filter_map(|line| message(line)).count() == 4).then_some(()));
    assert!(sounding.is_some());
    device.signal("TERM");
    assert_eq!(device.ended(PATIENCE).expect("it ends").code(), Some(0));
    let events = recorder.finish();
    assert_eq!(events.len(), 8, "{events:?}");
    assert!(events.iter().skip(4).all(|(frame, _)| *frame < BAR), "they came with the end: {events:?}");
    assert_silent_at_the_end(&events);
}

#[test]
fn when_the_server_goes_the_device_goes_on() {
    let server = Server::start("gone");
    let recorder = Recorder::start(&server);
    let mut device = start(&server);
    recorder.wait_until_connected();
    device.call("svc-create-clip", json!({ "path": "t0/s0", "notes": "C3 1|1" }));
    drop(server);
    assert!(device.stderr().wait_for("the JACK server is gone").is_some());
    device.call("svc-playback", json!({ "action": "play-scene", "path": "s0" }));
    let plays = || device.call("svc-read-track", json!({ "path": "t0" }))["playingSlotIndex"] == 0;
    assert!(wait_until(PATIENCE, || plays().then_some(())).is_some());
    device.signal("TERM");
    assert_eq!(device.ended(PATIENCE).expect("it ends").code(), Some(0));
}

/// Every note-on is followed by its off.
fn assert_silent_at_the_end(events: &[(i64, [u8; 3])]) {
    let mut sounding = BTreeMap::new();
    for (frame, [status, pitch, _]) in events {
        let key = (status & 0x0f, *pitch);
        match status & 0xf0 {
            0x90 => assert_eq!(sounding.insert(key, *frame), None, "{key:?} sounds already"),
            0x80 => assert!(sounding.remove(&key).is_some(), "{key:?} at {frame} did not sound"),
            other => panic!("status {other:#x}"),
        }
    }
    assert!(sounding.is_empty(), "{sounding:?} sounds on");
}
