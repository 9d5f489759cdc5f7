//! What is in the Set is heard: a device whose player is this test, block by block.

use crate::sample_tree::{put, wav};
use crate::support::Api;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use svc_device::device::Persistence;
use svc_device::playback::{Block, Event};
use svc_device::service::Settings;
use svc_device::sound::Key;
use svc_device::sound::player::Player;

const RATE: f64 = 48_000.0;
const FRAMES: usize = 256;
/// Plans are made by a thread that shares two cores with others.
const PATIENCE: Duration = Duration::from_secs(20);

/// A device and who plays it.
struct Rig {
    api: Api,
    player: Player,
    /// MIDI events of all blocks so far.
    midi: Vec<Event>,
    last: f32,
    /// The greatest step from one sample to the next in all blocks since it was asked for.
    step: f32,
}

impl Rig {
    fn new() -> Rig {
        Rig::with(Settings { live_api_enabled: true, ..Settings::default() })
    }

    fn with(settings: Settings) -> Rig {
        let (api, player) = Api::without_player(settings, Persistence::Nowhere);
        player.control().set_rate(RATE as f32);
        let mut rig = Rig { api, player, midi: Vec::new(), last: 0.0, step: 0.0 };
        if rig.player.control().is_on() {
            rig.wait_for_plan(0);
        }
        rig
    }

    /// Makes a block, with these keys played into it, and gives its peak.
    fn block_with(&mut self, keys: &[Key]) -> f32 {
        let block = Block { sample_rate: RATE, frames: FRAMES as u32, host: None };
        let (mut left, mut right) = ([9.0f32; FRAMES], [9.0f32; FRAMES]);
        let midi = &mut self.midi;
        self.player.process(&block, &mut |event| {
            midi.push(event);
            true
        });
        keys.iter().for_each(|key| self.player.key(*key));
        self.player.render(&block, &mut left, &mut right);
        for value in left {
            assert!(value.is_finite() && value.abs() <= 1.0);
            self.step = self.step.max((value - self.last).abs());
            self.last = value;
        }
        left.iter().chain(&right).fold(0.0, |peak, value| peak.max(value.abs()))
    }

    fn block(&mut self) -> f32 {
        self.block_with(&[])
    }

    /// The greatest peak of some seconds.
    fn seconds(&mut self, seconds: f64) -> f32 {
        (0..(seconds * RATE) as usize / FRAMES).map(|_| self.block()).fold(0.0, f32::max)
    }

    /// Makes blocks, at the pace at which plans come, until there is something to hear or not.
    fn until(&mut self, what: &str, wanted: impl Fn(f32) -> bool) {
        let end = Instant::now() + PATIENCE;
        // A peak of one block says little: sounds have quiet moments.
        while !wanted((0..20).map(|_| self.block()).fold(0.0, f32::max)) {
            assert!(Instant::now() < end, "{what}");
            std::thread::yield_now();
        }
    }

    /// Makes blocks until another plan than those before was made, and is played.
    fn wait_for_plan(&mut self, before: u64) {
        let end = Instant::now() + PATIENCE;
        while self.player.control().plans() <= before {
            self.block();
            assert!(Instant::now() < end, "no plan after the {before}th");
            std::thread::yield_now();
        }
        self.block();
    }

    /// Waits until no plan is due any more, and gives how many there were.
    fn settled_plans(&mut self) -> u64 {
        let (mut plans, mut since) = (self.player.control().plans(), Instant::now());
        while since.elapsed() < Duration::from_millis(400) {
            self.block();
            std::thread::yield_now();
            if self.player.control().plans() != plans {
                (plans, since) = (self.player.control().plans(), Instant::now());
            }
        }
        plans
    }

    fn clip(&self, path: &str, notes: &str) {
        self.api.ok("svc-create-clip", json!({"path": path, "notes": notes, "length": "1bar", "looping": true}));
    }

    fn launch(&self, path: &str) {
        self.api.ok("svc-playback", json!({"action": "play-session-clips", "path": path}));
    }

    fn stop(&self) {
        self.api.ok("svc-playback", json!({"action": "stop"}));
    }

    fn config(&self, change: Value) -> Value {
        let reply = self.api.post("/config", "", &change);
        assert_eq!(reply.status, 200, "{}", reply.json());
        reply.json()
    }
}

#[test]
fn a_launched_clip_is_heard_and_a_stop_ends_it() {
    let mut rig = Rig::new();
    assert_eq!(rig.seconds(0.2), 0.0, "a new Set is silent");
    rig.clip("t0/s0", "C3 1|1 D3 1|2 E3 1|3 F3 1|4");
    rig.launch("t0/s0");
    rig.until("the clip is heard", |peak| peak > 0.02);
    assert!(!rig.midi.is_empty(), "its notes leave as MIDI too");
    rig.stop();
    rig.until("its end is silent", |peak| peak == 0.0);
}

#[test]
fn edits_that_nobody_hears_make_no_plan() {
    let mut rig = Rig::new();
    rig.clip("t0/s0", "C3 1|1");
    rig.launch("t0/s0");
    rig.until("the clip is heard", |peak| peak > 0.02);
    let before = rig.settled_plans();
    for (tool, arguments) in [
        ("svc-update-clip", json!({"path": "t0/s0", "notes": "D3 1|1 E3 1|3"})),
        ("svc-update-clip", json!({"path": "t0/s0", "name": "Another"})),
        ("svc-update-live-set", json!({"tempo": 140})),
        ("svc-update-track", json!({"path": "t1", "color": "#ff0000"})),
    ] {
        rig.api.ok(tool, arguments);
        assert_eq!(rig.settled_plans(), before, "{tool}");
    }
    rig.api.ok("svc-update-track", json!({"path": "t0", "gainDb": -70}));
    rig.until("a fader is heard", |peak| peak < 0.001);
    assert!((before + 1..=before + 2).contains(&rig.settled_plans()), "one, and one without what it faded");
}

#[test]
fn notes_go_on_through_edits_and_nothing_clicks() {
    let mut rig = Rig::new();
    rig.api.ok("svc-update-track", json!({"path": "t0", "name": "Pad"}));
    // Longer than all that follows takes: a pad that begins anew is quiet at first.
    rig.api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "64bar C2 1|1", "length": "64bar"}));
    // A note keeps the instrument that it began with.
    rig.settled_plans();
    rig.launch("t0/s0");
    rig.until("the pad is heard", |peak| peak > 0.02);
    rig.seconds(0.5);
    rig.step = 0.0;
    rig.seconds(0.2);
    let own = rig.step;
    let edits = [
        ("svc-update-track", json!({"path": "t0", "gainDb": -3, "pan": 0.4})),
        ("svc-create-device", json!({"path": "t0/d0", "device": "Utility"})),
        ("svc-create-track", json!({"path": "t+"})),
        ("svc-update-track", json!({"path": "t1", "mute": true})),
        ("svc-update-track", json!({"path": "t0", "mute": true})),
        ("svc-update-track", json!({"path": "t0", "mute": false})),
        ("svc-delete", json!({"path": "t0/d0", "type": "device"})),
    ];
    for (tool, arguments) in edits {
        let before = rig.player.control().plans();
        rig.api.ok(tool, arguments.clone());
        rig.wait_for_plan(before);
        let peak = rig.seconds(0.1);
        assert!(rig.step <= own * 1.5 + 0.02, "{tool} {arguments}: a step of {} beside {own}", rig.step);
        let is_muted = arguments["path"] == "t0" && arguments["mute"] == true;
        assert!(is_muted || peak > 0.005, "{tool} {arguments}: the note goes on, {peak}");
    }
}

#[test]
fn the_switches_act_at_once() {
    let mut rig = Rig::new();
    rig.clip("t0/s0", "C3 1|1 C3 1|2 C3 1|3 C3 1|4");
    rig.launch("t0/s0");
    rig.until("the clip is heard", |peak| peak > 0.02);
    let shown = rig.config(json!({"sound": false}));
    assert_eq!(shown["sound"], false);
    rig.until("switched off it is silent", |peak| peak == 0.0);
    rig.midi.clear();
    rig.seconds(2.0);
    assert!(!rig.midi.is_empty(), "notes still leave");
    rig.config(json!({"sound": true, "midiOut": false}));
    rig.until("switched on it is heard", |peak| peak > 0.02);
    rig.seconds(1.0);
    rig.midi.clear();
    rig.seconds(3.0);
    assert_eq!(rig.midi, [], "no note leaves");
}

#[test]
fn what_was_saved_before_there_was_sound_stays_silent() {
    let rig = Rig::new();
    let mut state: Value = serde_json::from_str(&rig.api.saved()).expect("a state is JSON");
    assert_eq!(state["settings"]["sound"], true);
    state["settings"].as_object_mut().expect("settings").remove("sound");
    rig.api.device.load_state(&state.to_string());
    assert_eq!(rig.api.request("GET", "/config", "", "").json()["sound"], false);
    // From then on it is said.
    let again: Value = serde_json::from_str(&rig.api.saved()).expect("a state is JSON");
    assert_eq!(again["settings"]["sound"], false);
    // A device of its own has nothing that it would double.
    let old = Settings { sound: None, ..Settings::default() };
    let own = Rig::with(old);
    assert_eq!(own.api.request("GET", "/config", "", "").json()["sound"], true);
}

#[test]
fn another_hosts_set_leaves_this_one_silent() {
    let mut rig = Rig::new();
    rig.clip("t0/s0", "C3 1|1 C3 1|2 C3 1|3 C3 1|4");
    rig.launch("t0/s0");
    rig.until("the clip is heard", |peak| peak > 0.02);
    rig.api.device.set.set_silent(true);
    rig.api.device.sound.set_silenced(true);
    rig.until("it is silent", |peak| peak == 0.0);
    rig.seconds(0.5);
    rig.midi.clear();
    rig.seconds(2.0);
    assert_eq!(rig.midi, []);
}

#[test]
fn a_keyboard_plays_the_armed_track_else_the_selected_one() {
    let mut rig = Rig::new();
    let key = |pitch, velocity| Key { sample: 3, channel: 0, pitch, velocity };
    let meter = |rig: &Rig, track: usize| {
        let level = rig.api.get(&format!("live_set tracks {track}"), "output_meter_level");
        level[0].as_f64().expect("a number") > 0.0
    };
    rig.api.ok("svc-create-track", json!({"path": "t+"}));
    for (calls, heard) in [
        (vec![("svc-select", json!({"path": "t0"}))], 0),
        (vec![("svc-select", json!({"path": "t1"}))], 1),
        (vec![("svc-update-track", json!({"path": "t0", "arm": true}))], 0),
    ] {
        for (tool, arguments) in calls {
            rig.api.ok(tool, arguments);
        }
        rig.settled_plans();
        assert!(rig.block_with(&[key(60, Some(0.8))]) >= 0.0 && rig.seconds(0.1) > 0.01, "{heard}");
        assert!(meter(&rig, heard) && !meter(&rig, 1 - heard), "track {heard} and no other");
        rig.block_with(&[key(60, None)]);
        rig.until("the key is let go", |peak| peak == 0.0);
        // Meters fall for a while.
        rig.seconds(5.0);
    }
}

/// The selected track's keys go on to whoever has it as its input, behind its note effects, and end there too.
#[test]
fn a_keyboard_is_heard_where_its_tracks_notes_go() {
    let mut rig = Rig::new();
    let key = |pitch, velocity| Key { sample: 3, channel: 0, pitch, velocity };
    rig.api.ok("svc-create-track", json!({"path": "t+"}));
    let name = rig.api.ok("svc-read-track", json!({"path": "t0"}))["name"].clone();
    rig.api.set("live_set tracks 1", "current_monitoring_state", json!(0));
    rig.api.set("live_set tracks 1", "current_input_routing", name);
    for arm in [None, Some("t0"), Some("t1")] {
        match arm {
            None => drop(rig.api.ok("svc-select", json!({"path": "t0"}))),
            Some(path) => drop(rig.api.ok("svc-update-track", json!({"path": path, "arm": true}))),
        }
        rig.settled_plans();
        rig.block_with(&[key(60, Some(0.8))]);
        rig.seconds(0.1);
        let heard = [0, 1].map(|track| {
            let level = rig.api.get(&format!("live_set tracks {track}"), "output_meter_level");
            level[0].as_f64().expect("a number")
        });
        // Both are armed in the end: the key sounds once on each, so both are as loud.
        assert!(heard[0] > 0.0 && (heard[0] - heard[1]).abs() < 0.02, "{arm:?}: {heard:?}");
        rig.block_with(&[key(60, None)]);
        rig.until("the key is let go", |peak| peak == 0.0);
        rig.seconds(5.0);
    }
}

#[test]
fn meters_tell_what_is_heard() {
    let mut rig = Rig::new();
    let level = |rig: &Rig, path: &str, member: &str| rig.api.get(path, member)[0].as_f64().expect("a number");
    let (track, main) = ("live_set tracks 0", "live_set master_track");
    assert_eq!(level(&rig, main, "output_meter_left"), 0.0);
    rig.clip("t0/s0", "C3 1|1 C3 1|2 C3 1|3 C3 1|4");
    rig.launch("t0/s0");
    rig.until("the clip is heard", |peak| peak > 0.02);
    let loud = level(&rig, track, "output_meter_level");
    assert!((0.2..=1.0).contains(&loud), "{loud}");
    for member in ["output_meter_left", "output_meter_right", "output_meter_level"] {
        let shown = level(&rig, main, member);
        assert!((shown - loud).abs() < 0.1, "{member}: {shown} beside {loud}");
    }
    assert_eq!(level(&rig, "live_set tracks 1", "output_meter_level"), 0.0);
    rig.stop();
    rig.until("its end is silent", |peak| peak == 0.0);
    rig.seconds(6.0);
    assert_eq!(level(&rig, main, "output_meter_level"), 0.0);
}

#[test]
fn the_metronome_clicks_on_each_beat() {
    let mut rig = Rig::new();
    rig.api.set("live_set", "metronome", json!(1));
    rig.api.call("live_set", "start_playing", json!([]));
    rig.until("a click is heard", |peak| peak > 0.1);
    // Four beats in two seconds, with silence between them.
    let peaks: Vec<bool> = (0..(2.0 * RATE) as usize / FRAMES).map(|_| rig.block() > 0.0).collect();
    let begins = peaks.windows(2).filter(|pair| !pair[0] && pair[1]).count();
    assert!((3..=5).contains(&begins), "{begins}");
    rig.api.set("live_set", "metronome", json!(0));
    rig.seconds(0.2);
    assert_eq!(rig.seconds(2.0), 0.0);
}

/// Three seconds of a tone, in a folder of its own.
fn tone_file(folder: &std::path::Path) -> String {
    let tone: Vec<f32> = (0..3 * 44_100).map(|n| 0.5 * (n as f32 * 0.06).sin()).collect();
    put(folder, "tone.wav", &wav(&tone)).display().to_string()
}

#[test]
fn audio_clips_are_heard_where_they_are_launched_and_where_they_lie() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = tone_file(folder.path());
    for (path, warping, start) in [
        ("t2/s0", true, json!({"action": "play-session-clips", "path": "t2/s0"})),
        ("t2/s0", false, json!({"action": "play-scene", "path": "s0"})),
        ("t2[2|1]", true, json!({"action": "play-arrangement"})),
        ("t2[1|3]", false, json!({"action": "play-arrangement"})),
    ] {
        let mut rig = Rig::new();
        rig.api.ok("svc-create-clip", json!({"path": path, "sampleFile": file, "warping": warping}));
        rig.settled_plans();
        assert_eq!(rig.seconds(0.2), 0.0, "{path}: nothing was started");
        rig.api.ok("svc-playback", start);
        rig.until("the clip is heard", |peak| peak > 0.2);
        assert_eq!(rig.midi, [], "{path}");
        rig.stop();
        rig.until("a stop ends it", |peak| peak == 0.0);
    }
}

#[test]
fn an_audio_clip_stops_by_itself_and_by_its_track() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = tone_file(folder.path());
    let mut rig = Rig::new();
    rig.api.ok("svc-create-clip", json!({"path": "t2/s0", "sampleFile": file, "warping": false}));
    rig.settled_plans();
    rig.launch("t2/s0");
    rig.until("the clip is heard", |peak| peak > 0.2);
    // Three seconds of it, and a return's delay and reverb, to which nothing goes.
    rig.until("it ends by itself", |peak| peak == 0.0);
    assert_eq!(rig.api.get("live_set tracks 2", "playing_slot_index"), json!([-2]));
    rig.launch("t2/s0");
    rig.until("it is launched again", |peak| peak > 0.2);
    rig.api.ok("svc-playback", json!({"action": "stop-session-clips", "path": "t2/s0"}));
    rig.until("its stop button ends it", |peak| peak == 0.0);
}

#[test]
fn a_note_of_a_track_that_was_just_made_is_heard() {
    let mut rig = Rig::new();
    rig.api.ok("svc-create-track", json!({"path": "t+", "name": "Organ"}));
    // Played once: what is lost does not come again.
    let clip = json!({"path": "t4/s0", "notes": "512bar C3 1|1", "length": "512bar", "looping": false});
    rig.api.ok("svc-create-clip", clip);
    rig.launch("t4/s0");
    rig.until("its only note is heard", |peak| peak > 0.02);
}
