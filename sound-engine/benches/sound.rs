//! What the audio thread spends on a block of 64 frames at 48 kHz, in time of its thread: what others do on the machine
//! does not count.

use svc_sound::effects::*;
use svc_sound::engine::{Block, Engine, Event, EventKind};
use svc_sound::instruments::{Note, Role};
use svc_sound::plan::settings::*;
use svc_sound::plan::{Plan, StateStore};

const RATE: f32 = 48_000.0;
const FRAMES: usize = 64;
const MAIN: u32 = 999;
/// About 0.1 ms.
const CONTROL_STEPS: usize = 5_000;

fn main() {
    // `--quick` shows that it works, and so does `cargo test`, which starts it without `--bench`.
    let given = |name: &str| std::env::args().any(|argument| argument == name);
    let rounds = if given("--bench") && !given("--quick") { 40_000 } else { 400 };
    println!("64 frames at 48 kHz: 1,333 µs; thread time");
    println!("{:<52} {:>9} {:>9} {:>9} {:>9} {:>12}", "", "p50", "p99", "p99.9", "max", "share p99.9");
    for (name, mix, voices) in [
        ("an empty Set", song(0, false), 0),
        ("16 tracks with EQ Eight and Compressor, silent", song(16, true), 0),
        ("the same, 64 voices, Reverb and Delay on returns", song(16, true), 4),
        ("64 voices without effects", song(16, false), 4),
    ] {
        print(name, &measure(mix, voices, rounds));
    }
    print("a fixed sum instead: what the machine adds", &control(rounds));
}

/// The sorted times of blocks as a row.
fn print(name: &str, times: &[u64]) {
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize] as f64 / 1000.0;
    let share = at(0.999) / (FRAMES as f64 / f64::from(RATE) * 1e6) * 100.0;
    println!(
        "{name:<52} {:>6.1} µs {:>6.1} µs {:>6.1} µs {:>6.1} µs {share:>10.2} %",
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0)
    );
}

/// The sorted times of a sum that is the same in each round and touches no memory. Where its p99.9 lies far above its
/// p50, processors are shared with other machines, and so do those of the rows above.
fn control(rounds: usize) -> Vec<u64> {
    let mut sums = [0.5f32; 16];
    let mut times: Vec<u64> = (0..rounds)
        .map(|_| {
            let before = thread_time();
            for _ in 0..CONTROL_STEPS {
                for sum in &mut sums {
                    *sum = std::hint::black_box(*sum * 0.999 + 0.001);
                }
            }
            thread_time() - before
        })
        .collect();
    times.sort_unstable();
    times
}

/// Nanoseconds that this thread has had of a processor.
#[cfg(unix)]
fn thread_time() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Where threads have no clock of their own: nanoseconds on the wall.
#[cfg(not(unix))]
fn thread_time() -> u64 {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_nanos() as u64
}

/// Tracks of all roles that play chords; with effects, each through both and to both returns.
fn song(tracks: u32, effects: bool) -> MixSettings {
    let roles = [Role::Keys, Role::Pad, Role::Pluck, Role::Organ, Role::Bell, Role::Voice, Role::Keys, Role::Pad];
    let effect = |id: u64, settings: EffectSettings| DeviceSettings {
        id,
        on: true,
        device: Device::Effect { settings, sidechain: None },
    };
    let band = |hz: f32| EqBand { on: true, band_type: BandType::Bell, hz, gain_db: 2.0, q: 0.8 };
    let bands = [60.0, 150.0, 300.0, 700.0, 1500.0, 3000.0, 6000.0, 12_000.0].map(band);
    let mut all: Vec<TrackSettings> = (0..tracks)
        .map(|id| {
            let mut track = TrackSettings::new(id);
            let role = roles[id as usize % roles.len()];
            let number = u64::from(id) * 10;
            track.devices.push(DeviceSettings { id: number, on: true, device: Device::Instrument(role.instrument()) });
            if effects {
                let eq = EqEightSettings { bands, scale: 1.0, output_db: 0.0 };
                let compressor = CompressorSettings { threshold_db: -30.0, ..CompressorSettings::default() };
                track.devices.push(effect(number + 1, EffectSettings::EqEight(eq)));
                track.devices.push(effect(number + 2, EffectSettings::Compressor(compressor)));
                let send = |to: u32| Send { to, gain_db: -12.0, before_fader: false };
                track.sends = vec![send(500), send(501)];
            }
            track
        })
        .collect();
    if effects {
        let mut reverb = TrackSettings::new(500);
        reverb
            .devices
            .push(effect(5_000, EffectSettings::Reverb(ReverbSettings { mix: 1.0, ..ReverbSettings::default() })));
        let mut delay = TrackSettings::new(501);
        delay
            .devices
            .push(effect(5_001, EffectSettings::Delay(DelaySettings { mix: 1.0, ..DelaySettings::default() })));
        all.extend([reverb, delay]);
    }
    MixSettings { tracks: all, main: TrackSettings::new(MAIN), crossfade: 0.0, soft_clip: true }
}

/// The sorted times of blocks. Each track holds `voices` notes, which begin anew every second, track after track.
fn measure(mix: MixSettings, voices: u8, rounds: usize) -> Vec<u64> {
    let tracks = mix.tracks.iter().filter(|track| track.id < 100).count() as u32;
    let mut plan = Plan::new(mix, &mut StateStore::new(RATE));
    let mut engine = Engine::new();
    let (mut left, mut right) = ([0.0; FRAMES], [0.0; FRAMES]);
    let (mut times, mut events) = (Vec::with_capacity(rounds), Vec::new());
    for round in 0..rounds {
        events.clear();
        for track in 0..tracks {
            // Another track every 62 ms.
            if (round + 47 * track as usize).is_multiple_of(750) || round == 0 {
                events.push(Event { frame: 0, track, kind: EventKind::FadeNotes });
                events.extend((0..voices).map(|n| {
                    let note = Note { id: round as u64, pitch: 48 + 5 * n + (track % 5) as u8, velocity: 0.8 };
                    Event { frame: 0, track, kind: EventKind::NoteOn(note) }
                }));
            }
        }
        let block = Block { tempo_bpm: 120.0, events: &events };
        let before = thread_time();
        engine.process(&mut plan, &block, (&mut left, &mut right), &mut ());
        times.push(thread_time() - before);
    }
    times.sort_unstable();
    times
}
