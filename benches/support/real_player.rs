//! The player of a whole device in this process, paced as a sound card paces it, while somebody calls its API or not.

#[path = "client.rs"]
mod client;
#[path = "device_inside.rs"]
mod device_inside;

use super::samples::Samples;
use super::support::rounds;
use client::{Client, request};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use svc_device::playback::Block;
use svc_device::set::Document;
use svc_device::sound::player::Player;

pub const FRAMES: u32 = 64;
const SAMPLE_RATE: f64 = 48_000.0;
const TRACKS: usize = 16;
/// Between two calls.
const CALL: Duration = Duration::from_millis(1);

/// Steps of the control's sum, about 0.1 ms.
const CONTROL_STEPS: usize = 5_000;

/// What was measured: the audio thread's own time of each block, and how many calls came in a second.
pub struct Measured {
    pub blocks: Samples,
    pub calls_a_second: f64,
}

/// How long a block lasts.
pub fn budget() -> Duration {
    Duration::from_secs_f64(f64::from(FRAMES) / SAMPLE_RATE)
}

/// Without calls, and with a thousand a second: reads and writes by turns.
pub fn measure() -> [Measured; 2] {
    let (device, mut player, port) = device_inside::start(Document::new_set());
    player.control().set_rate(SAMPLE_RATE as f32);
    furnish(port);
    // Plans come from a thread of their own.
    play(&mut player, rounds(2_000));
    let quiet = Measured { blocks: play(&mut player, rounds(30_000)), calls_a_second: 0.0 };
    let (stop, calls) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let caller = {
        let (stop, calls) = (stop.clone(), calls.clone());
        std::thread::spawn(move || keep_calling(port, &stop, &calls))
    };
    let start = Instant::now();
    let blocks = play(&mut player, rounds(30_000));
    let calls_a_second = calls.load(Ordering::Relaxed) as f64 / start.elapsed().as_secs_f64();
    stop.store(true, Ordering::Relaxed);
    caller.join().expect("the caller ends well");
    drop(device);
    [quiet, Measured { blocks, calls_a_second }]
}

/// Sixteen tracks of chords with EQ Eight and Compressor, each to both returns, all playing.
fn furnish(port: u16) {
    let mut client = Client::connect(port);
    let mut call = |tool: &str, body: String| {
        client.call(&request(port, tool, &body));
    };
    call("svc-delete", r#"{"type":"track","path":"t2,t3"}"#.to_owned());
    for track in 0..TRACKS {
        let name = ["Keys", "Pad", "Pluck", "Organ", "Bell", "Voice", "Keys", "Pad"][track % 8];
        match track {
            0 | 1 => call("svc-update-track", format!(r#"{{"path":"t{track}","name":"{name}"}}"#)),
            _ => call("svc-create-track", format!(r#"{{"path":"t+","type":"midi","name":"{name}"}}"#)),
        }
        let notes = "v100 n/1 C3 F3 Bb3 Eb4 1|1";
        call("svc-create-clip", format!(r#"{{"path":"t{track}/s0","length":"1bar","notes":"{notes}"}}"#));
        for device in ["EQ Eight", "Compressor"] {
            call("svc-create-device", format!(r#"{{"path":"t{track}/d+","device":"{device}"}}"#));
        }
        for send in ["A", "B"] {
            call("svc-update-track", format!(r#"{{"path":"t{track}","sendReturn":"{send}","sendGainDb":-12}}"#));
        }
    }
    call("svc-playback", r#"{"action":"play-scene","path":"s0"}"#.to_owned());
}

/// Plays blocks when they are due.
fn play(player: &mut Player, blocks: usize) -> Samples {
    let mut samples = Samples::default();
    let (mut left, mut right) = ([0.0; FRAMES as usize], [0.0; FRAMES as usize]);
    let (start, mut loudest) = (Instant::now(), 0.0f32);
    for at in 0..blocks {
        let due = start + budget() * at as u32;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        let block = Block { sample_rate: SAMPLE_RATE, frames: FRAMES, host: None };
        let before = thread_time();
        player.process(&block, &mut |_| true);
        player.render(&block, &mut left, &mut right);
        samples.add(thread_time().saturating_sub(before));
        loudest = left.iter().fold(loudest, |peak, value| peak.max(value.abs()));
    }
    assert!(loudest > 0.01, "the Set has to play");
    samples
}

/// A sum that is the same in each block, when blocks are due: what its times differ by is the machine's.
pub fn control() -> Samples {
    let (mut samples, mut sums) = (Samples::default(), [0.5f32; 16]);
    let start = Instant::now();
    for at in 0..rounds(30_000) {
        let due = start + budget() * at as u32;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        let before = thread_time();
        for _ in 0..CONTROL_STEPS {
            for sum in &mut sums {
                *sum = std::hint::black_box(*sum * 0.999 + 0.001);
            }
        }
        samples.add(thread_time().saturating_sub(before));
    }
    samples
}

fn keep_calling(port: u16, stop: &AtomicBool, calls: &AtomicU64) {
    let mut client = Client::connect(port);
    let requests = [
        request(port, "svc-read-live-set", "{}"),
        request(port, "svc-update-track", r#"{"path":"t0","gainDb":-1}"#),
        request(port, "svc-read-track", r#"{"path":"t3"}"#),
        request(port, "svc-update-track", r#"{"path":"t0","gainDb":0}"#),
    ];
    let start = Instant::now();
    for (at, one) in requests.iter().cycle().enumerate() {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        std::thread::sleep((start + CALL * at as u32).saturating_duration_since(Instant::now()));
        client.call(one);
        calls.fetch_add(1, Ordering::Relaxed);
    }
}

/// What this thread has had of a processor; where threads have no clock of their own, time on the wall.
#[cfg(unix)]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn thread_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}
