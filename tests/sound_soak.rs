//! Random edits over HTTP, launches and device changes while the player plays the Set: nothing is allocated or freed on
//! the audio thread, no number is none, nothing steps above its bound, and in the end all is silent and every note off.
//!
//! `SOAK_EDITS=100000 cargo test --test sound_soak --release` takes its time; without it a few hundred are made. A file
//! of its own, because the counting allocator counts for a whole binary.

#[path = "../benches/support/client.rs"]
mod client;
#[path = "support/counting_allocator.rs"]
mod counting_allocator;
#[path = "../benches/support/device_inside.rs"]
mod device_inside;
#[path = "support/dice.rs"]
mod dice;

use client::{Client, request};
use counting_allocator::watched;
use dice::Dice;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use svc_device::device::Device;
use svc_device::playback::{Block, Event};
use svc_device::set::Document;
use svc_device::sound::player::Player;

const RATE: f64 = 48_000.0;
const FRAMES: usize = 64;
/// The sounds are sines of up to 400 Hz, an eighth of full scale each; what they make together moves no faster.
const LARGEST_STEP: f32 = 0.35;
const MOST_TRACKS: u64 = 7;

/// A device in this process, and a connection to it.
struct Rig {
    _device: Arc<Device>,
    client: Client,
    port: u16,
    played: Played,
}

/// Whoever plays, and what was heard of it.
struct Played {
    player: Player,
    left: [f32; FRAMES],
    right: [f32; FRAMES],
    last: (f32, f32),
    largest_step: f32,
    peak: f32,
    /// Notes that sound at the MIDI output, by channel and pitch.
    sounding: [[i32; 128]; 16],
    notes: u64,
    silent_blocks: u64,
}

impl Played {
    /// Plays blocks, and says of each what must not be.
    fn blocks(&mut self, count: u64) {
        for _ in 0..count {
            let Played { player, left, right, sounding, notes, .. } = self;
            let block = Block { sample_rate: RATE, frames: FRAMES as u32, host: None };
            let allocations = watched(|| {
                player.process(&block, &mut |event| {
                    let (change, channel, pitch) = match event {
                        Event::NoteOn { channel, pitch, .. } => (1, channel, pitch),
                        Event::NoteOff { channel, pitch, .. } => (-1, channel, pitch),
                    };
                    sounding[usize::from(channel & 15)][usize::from(pitch & 127)] += change;
                    *notes += u64::from(change > 0);
                    true
                });
                player.render(&block, left, right);
            });
            assert_eq!(allocations, 0, "allocated or freed on the audio thread");
            for (l, r) in self.left.iter().zip(&self.right) {
                assert!(l.is_finite() && r.is_finite(), "{l} {r}");
                let step = (l - self.last.0).abs().max((r - self.last.1).abs());
                self.largest_step = self.largest_step.max(step);
                self.peak = self.peak.max(l.abs()).max(r.abs());
                self.last = (*l, *r);
            }
            let silent = self.left.iter().chain(&self.right).all(|x| *x == 0.0);
            self.silent_blocks = if silent { self.silent_blocks + 1 } else { 0 };
        }
    }
}

impl Rig {
    fn new() -> Rig {
        let (device, player, port) = device_inside::start(Document::new_set());
        player.control().set_rate(RATE as f32);
        let played = Played {
            player,
            left: [0.0; FRAMES],
            right: [0.0; FRAMES],
            last: (0.0, 0.0),
            largest_step: 0.0,
            peak: 0.0,
            sounding: [[0; 128]; 16],
            notes: 0,
            silent_blocks: 0,
        };
        Rig { _device: device, client: Client::connect(port), port, played }
    }

    /// The whole answer of a call, which may refuse what it is asked for.
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.client.call(&request(self.port, tool, &arguments.to_string()));
        serde_json::from_slice(answer).expect("JSON")
    }

    fn ok(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.call(tool, &arguments);
        assert_eq!(answer["isError"], false, "{tool} {arguments}: {answer}");
        answer["result"].clone()
    }

    /// A sine for a track, and a clip that plays it.
    fn furnish(&mut self, track: u64, dice: &mut Dice) {
        self.ok("svc-create-device", json!({"device": "Operator", "path": format!("t{track}/d0")}));
        let notes = ["v90 n/8 C2 1|1x8 G3 1|2x4", "v70 n/2 C3 Eb3 G3 1|1,3", "v100 n/16 G2 1|1x16", "v80 n/1 A3 1|1"];
        for slot in 0..2 {
            let path = format!("t{track}/s{slot}");
            self.ok("svc-create-clip", json!({"path": path, "length": "1bar", "notes": dice.one_of(&notes)}));
        }
    }
}

const EFFECTS: [&str; 9] = [
    "Reverb",
    "Delay",
    "EQ Eight",
    "Compressor",
    "Utility",
    "Auto Filter",
    "Chorus-Ensemble",
    "Limiter",
    "Phaser-Flanger",
];

/// One edit. Some are refused, as what they name went with an earlier one.
fn edit(dice: &mut Dice, tracks: u64) -> (&'static str, Value) {
    let track = dice.roll(tracks);
    let path = format!("t{track}");
    let number = |dice: &mut Dice, from: i64, to: i64| from + dice.roll((to - from + 1) as u64) as i64;
    match dice.roll(14) {
        0 => ("svc-update-track", json!({"path": path, "mute": dice.roll(2) == 0})),
        1 => ("svc-update-track", json!({"path": path, "solo": dice.roll(3) == 0})),
        2 => ("svc-update-track", json!({"path": path, "gainDb": number(dice, -30, 0)})),
        3 => ("svc-update-track", json!({"path": path, "pan": number(dice, -10, 10) as f64 / 10.0})),
        4 => {
            let send = dice.one_of(&["A", "B"]);
            ("svc-update-track", json!({"path": path, "sendReturn": send, "sendGainDb": number(dice, -40, -12)}))
        }
        5 => ("svc-create-device", json!({"device": dice.one_of(&EFFECTS), "path": format!("{path}/d1")})),
        // More often than one comes, as many are not there: else there would be hundreds after a while.
        6 | 7 => ("svc-delete", json!({"type": "device", "path": format!("{path}/d{}", number(dice, 1, 3))})),
        8 => {
            let params = json!([{"name": "Panorama", "value": number(dice, -1, 1)}]);
            ("svc-update-device", json!({"path": format!("{path}/d0"), "params": params}))
        }
        9 => {
            let params = json!([{"name": "Device On", "value": dice.one_of(&["On", "Off"])}]);
            ("svc-update-device", json!({"path": format!("{path}/d{}", number(dice, 0, 2)), "params": params}))
        }
        // Who stops as often as he launches has silence most of the time, as both wait for the bar.
        10 if dice.roll(4) == 0 => {
            ("svc-playback", json!({"action": "stop-session-clips", "path": format!("{path}/s0")}))
        }
        10 | 11 => {
            let path = format!("{path}/s{}", dice.roll(2));
            ("svc-playback", json!({"action": "play-session-clips", "path": path}))
        }
        12 => ("svc-update-live-set", json!({"tempo": number(dice, 60, 180)})),
        _ => ("svc-manage", json!({"action": "undo"})),
    }
}

#[test]
fn whatever_is_called_the_player_plays_on() {
    let edits: u64 = std::env::var("SOAK_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    let (mut rig, mut dice) = (Rig::new(), Dice(0x9e37_79b9_7f4a_7c15));
    // The audio tracks of a new Set have nothing to play.
    rig.ok("svc-delete", json!({"type": "track", "path": "t2,t3"}));
    for track in 0..MOST_TRACKS {
        if track > 1 {
            rig.ok("svc-create-track", json!({"path": "t+", "type": "midi"}));
        }
        rig.furnish(track, &mut dice);
    }
    rig.ok("svc-playback", json!({"action": "play-scene", "path": "s0"}));
    // Plans come from a thread of their own.
    while rig.played.peak == 0.0 {
        rig.played.blocks(50);
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut carried_out = 0;
    for round in 0..edits {
        let (tool, arguments) = edit(&mut dice, MOST_TRACKS);
        let answer = rig.call(tool, &arguments);
        carried_out += u64::from(answer["isError"] == false);
        rig.played.blocks(1 + dice.roll(40));
        let step = rig.played.largest_step;
        assert!(step < LARGEST_STEP, "edit {round}, {tool} {arguments}: a step of {step}");
    }
    assert!(carried_out > edits / 2, "{carried_out} of {edits} were carried out");
    assert!(rig.played.peak > 0.05 && rig.played.notes > edits / 10, "{} {}", rig.played.peak, rig.played.notes);
    rig.ok("svc-playback", json!({"action": "stop"}));
    for _ in 0..600 {
        rig.played.blocks(75);
        if rig.played.silent_blocks > 2_000 {
            break;
        }
    }
    assert!(rig.played.silent_blocks > 2_000, "it sounds for ever");
    assert!(rig.played.sounding.iter().flatten().all(|count| *count == 0), "a note hangs at the MIDI output");
}
