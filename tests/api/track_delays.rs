//! Delays of tracks, as they are heard: sound, stems, notes in a file, MIDI, a keyboard and the metronome.

use crate::heard::playing;
use crate::offline_mix::{RATE, samples};
use crate::support::Api;
use serde_json::{Value, json};
use std::sync::Arc;
use svc_device::playback::{
    self, Block, Event, LaunchAction, LaunchOrder, LaunchQuantum, Publisher, Snapshot, TrackLaunch, TransportAction,
    TransportOrder,
};
use svc_device::render::offline::{OfflineRender, RenderSettings, Tail};
use svc_device::render::wish::Wish;
use svc_device::set::Document;
use svc_device::set::document::TrackDelay;
use svc_device::set::runtime::keyboard_tracks::KeyboardTracks;
use svc_device::sound::Key;
use svc_device::sound::control::SoundControl;
use svc_device::sound::player::{self, Player, PlayerParts};
use svc_device::sound::publisher::PlanPublisher;
use svc_device::sound::samples::SampleCache;

const MS: fn(f64) -> Option<TrackDelay> = |by| Some(TrackDelay::Milliseconds(by));
const SAMPLES: fn(i64) -> Option<TrackDelay> = |by| Some(TrackDelay::Samples(by));

/// A Set whose first track plays keys on its left, and whose first audio track plays a clip on its right.
fn two_sides() -> (Api, tempfile::TempDir) {
    let (api, folder) = playing();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "v100 n/8 C3 1|1 E3 1|1.25"}));
    api.ok("svc-update-track", json!({"path": "t0,t2", "pan": "-1,1"}));
    (api, folder)
}

fn document(api: &Api, delays: [Option<TrackDelay>; 2]) -> Document {
    let mut document = api.device.set.committed().document.clone();
    for (at, delay) in [0, 2].into_iter().zip(delays) {
        let serial = document.tracks[at].serial;
        document.tracks.edit(serial, |track| track.delay = delay).expect("a track");
    }
    document
}

/// Left and right of the mix, and of each stem the same; with the notes' begins in beats.
struct Rendered {
    mix: [Vec<f32>; 2],
    stems: Vec<[Vec<f32>; 2]>,
    begins: Vec<f64>,
}

fn rendered(document: &Document, samples: &SampleCache, block_frames: usize) -> Rendered {
    let wish = Wish { scene: Some("s0".to_owned()), bars: Some(0.25), ..Wish::default() };
    let stretch = wish.stretch(document).expect("the scene has clips");
    let settings = RenderSettings { stretch, rate_hz: RATE as u32, seed: 1, tail: Tail::Seconds(0.2), block_frames };
    let mut render = OfflineRender::new(document, samples, &settings, false);
    let stems: Vec<usize> = (0..render.tracks().len()).filter(|at| render.tracks()[*at].is_stem).collect();
    let mut made =
        Rendered { mix: Default::default(), stems: vec![Default::default(); stems.len()], begins: Vec::new() };
    while render.advance() {
        let of_stems = stems.iter().map(|at| render.track(*at).expect("its signal"));
        let to = std::iter::once(&mut made.mix).chain(&mut made.stems);
        for (to, from) in to.zip(std::iter::once(render.main()).chain(of_stems)) {
            to[0].extend(from.left);
            to[1].extend(from.right);
        }
    }
    let played = render.played();
    let begins = played.iter().flat_map(|track| &track.events).filter(|event| event.velocity.is_some());
    made.begins = begins.map(|event| event.beats).collect();
    made
}

/// Whether `is` has what `plain` has so many frames later, or earlier; what is before the beginning is cut.
fn is_moved(is: &[f32], plain: &[f32], by: i64) -> bool {
    let after = by.max(0) as usize;
    let cut = (-by).max(0) as usize;
    is[..after].iter().all(|x| *x == 0.0)
        && is[after..].iter().zip(&plain[cut..]).all(|(is, plain)| is.to_bits() == plain.to_bits())
}

#[test]
fn renders_have_each_track_by_its_delay_to_the_frame() {
    let (api, _folder) = two_sides();
    let samples = samples(&api);
    let plain = rendered(&document(&api, [None, None]), &samples, 1_024);
    assert!(plain.mix.iter().all(|side| side.iter().fold(0.0f32, |peak, x| peak.max(x.abs())) > 0.1));
    for (delays, frames, blocks) in [
        ([MS(5.0), None], [240, 0], &[1_024usize][..]),
        ([None, SAMPLES(441)], [0, 441], &[64]),
        ([MS(-10.0), None], [-480, 0], &[1, 17, 64, 4_096]),
        ([SAMPLES(7), MS(-100.0)], [7, -4_800], &[17, 1_024]),
        ([SAMPLES(-3), SAMPLES(-1)], [-3, -1], &[64]),
        ([MS(-400.0), MS(150.0)], [-19_200, 7_200], &[1_024]),
    ] {
        for block in blocks {
            let what = format!("{delays:?} in blocks of {block}");
            let made = rendered(&document(&api, delays), &samples, *block);
            assert_eq!(made.mix[0].len(), plain.mix[0].len(), "{what}");
            for side in [0, 1] {
                assert!(is_moved(&made.mix[side], &plain.mix[side], frames[side]), "side {side}, {what}");
            }
            // Stems are where they are in the mix, and add up to it.
            for (frame, sum) in made.mix[0].iter().enumerate() {
                let parts: f32 = made.stems.iter().map(|stem| stem[0][frame]).sum();
                assert!((parts - sum).abs() < 1e-5, "frame {frame}, {what}");
            }
            let beats = |frames: i64| frames as f64 / 24_000.0;
            let begins: Vec<f64> = plain.begins.iter().map(|at| (at + beats(frames[0])).clamp(0.0, 1.0)).collect();
            let is_near = begins.iter().zip(&made.begins).all(|(is, meant)| (is - meant).abs() < 1e-9);
            assert!(
                is_near && (frames[0] == -19_200 || begins.len() == made.begins.len()),
                "{:?}, {what}",
                made.begins
            );
        }
    }
}

/// Who plays it as it comes.
struct Rig {
    snapshots: Publisher,
    plans: PlanPublisher,
    player: Player,
    samples: SampleCache,
    left: Vec<f32>,
    right: Vec<f32>,
    /// Frames of ons and offs.
    midi: Vec<(u64, bool)>,
    order: u64,
    launches: Vec<TrackLaunch>,
}

impl Rig {
    fn new(document: &Document, samples: SampleCache, plays: bool) -> Rig {
        let (snapshots, engine) = playback::channel();
        let (control, _) = SoundControl::new();
        control.set_on(true);
        let keyboard_tracks = Arc::<KeyboardTracks>::default();
        keyboard_tracks.set(document.tracks.iter().take(1).map(|track| track.serial));
        let clock = snapshots.clock().clone();
        let parts = PlayerParts { engine, clock, keyboard_tracks, levels: Arc::default(), control };
        let (plans, mut player) = player::channel(parts);
        player.open_at(RATE);
        let (left, right, midi) = Default::default();
        let play = |clip: u32| LaunchAction::Play { clip, legato: false };
        let scene = document.scenes.first().expect("a scene").serial;
        let launches = document.tracks.iter().filter_map(|track| {
            let action = play(track.session.get(scene)?.serial);
            Some(TrackLaunch::new(track.serial, LaunchOrder { number: 1, action, quantum: LaunchQuantum::None }))
        });
        let launches = if plays { launches.collect() } else { Vec::new() };
        let mut rig = Rig { snapshots, plans, player, samples, left, right, midi, order: 1, launches };
        rig.publish(document, plays);
        rig
    }

    fn publish(&mut self, document: &Document, plays: bool) {
        let action = if plays { TransportAction::Start { at: 0.0 } } else { TransportAction::Stop };
        let transport = TransportOrder { number: self.order, action };
        let launches = self.launches.clone();
        self.snapshots.publish(Snapshot { document: document.clone(), launches, transport, own_clock: true });
        self.plans.publish(document, RATE, &self.samples);
    }

    fn block(&mut self, frames: usize, keys: &[Key]) {
        let block = Block { sample_rate: f64::from(RATE), frames: frames as u32, host: None };
        let begin = self.left.len();
        let midi = &mut self.midi;
        self.player.process(&block, &mut |event| {
            let (sample, on) = match event {
                Event::NoteOn { sample, .. } => (sample, true),
                Event::NoteOff { sample, .. } => (sample, false),
            };
            midi.push((begin as u64 + u64::from(sample), on));
            true
        });
        keys.iter().for_each(|key| self.player.key(*key));
        self.left.resize(begin + frames, 0.0);
        self.right.resize(begin + frames, 0.0);
        self.player.render(&block, &mut self.left[begin..], &mut self.right[begin..]);
    }

    fn run_to(&mut self, end: usize, block: usize) {
        while self.left.len() < end {
            self.block(block.min(end - self.left.len()), &[]);
        }
    }
}

/// What has no delay comes after the latency, what is early before it; MIDI leaves when its track is heard.
#[test]
fn what_is_played_is_late_as_a_whole_where_a_track_is_early() {
    let (api, _folder) = two_sides();
    let run = |delays, block| {
        let document = document(&api, delays);
        let mut rig = Rig::new(&document, samples(&api), true);
        let latency = i64::from(rig.player.latency(f64::from(RATE)));
        rig.run_to(20_000, block);
        (rig, latency)
    };
    let (plain, none) = run([None, None], 512);
    assert_eq!((none, plain.midi.len() >= 3), (0, true));
    for (delays, frames, meant) in [
        ([MS(-10.0), None], [-480, 0], 480),
        ([MS(4.0), SAMPLES(-100)], [192, -100], 100),
        ([None, MS(3.0)], [0, 144], 0),
    ] {
        for block in [1, 17, 64, 4_096] {
            let (rig, latency) = run(delays, block);
            let what = format!("{delays:?} in blocks of {block}");
            assert_eq!(latency, meant, "{what}");
            assert!(is_moved(&rig.left, &plain.left, latency + frames[0]), "{what}");
            assert!(is_moved(&rig.right, &plain.right, latency + frames[1]), "{what}");
            let late = (latency + frames[0]) as u64;
            let midi: Vec<_> =
                plain.midi.iter().map(|(at, on)| (at + late, *on)).filter(|(at, _)| *at < 20_000).collect();
            assert_eq!(rig.midi, midi, "{what}");
        }
    }
}

#[test]
fn a_keyboard_follows_its_track() {
    let (api, _folder) = two_sides();
    let run = |delays| {
        let document = document(&api, delays);
        let mut rig = Rig::new(&document, samples(&api), false);
        rig.block(64, &[]);
        rig.block(64, &[Key { sample: 3, channel: 0, pitch: 60, velocity: Some(0.8) }]);
        rig.run_to(10_000, 64);
        rig.left
    };
    let plain = run([None, None]);
    assert!(plain[67..2_000].iter().any(|x| x.abs() > 0.01));
    for (delays, late) in [([MS(10.0), None], 480), ([MS(-10.0), None], 0), ([None, MS(-10.0)], 480)] {
        assert!(is_moved(&run(delays), &plain, late), "{delays:?}");
    }
}

#[test]
fn the_metronome_is_as_late_as_the_music() {
    let api = Api::new();
    let run = |delay| {
        let mut document = document(&api, [delay, None]);
        Arc::make_mut(&mut document.song).stored.insert("metronome".to_owned(), json!(true));
        let mut rig = Rig::new(&document, SampleCache::default(), true);
        rig.run_to(60_000, 512);
        rig.left
    };
    let plain = run(None);
    assert!(plain[24_000..25_000].iter().any(|x| x.abs() > 0.01));
    for (delay, late) in [(MS(-10.0), 480), (MS(10.0), 0), (MS(-1_000.0), 48_000)] {
        let (is, late) = (run(delay), late as usize);
        // A click's level is worked out anew with each block.
        let is_near = is[late..].iter().zip(&plain).all(|(is, plain)| (is - plain).abs() < 1e-5);
        assert!(is_near && is[..late].iter().all(|x| *x == 0.0), "{delay:?}");
    }
}

#[test]
fn a_delay_that_changes_while_it_plays_neither_clicks_nor_hangs() {
    let (api, _folder) = two_sides();
    let mut rig = Rig::new(&document(&api, [None, None]), samples(&api), true);
    let delays = [[None, MS(20.0)], [None, MS(-20.0)], [MS(-50.0), None], [None, None], [MS(300.0), SAMPLES(1)]];
    for (at, delays) in delays.into_iter().enumerate() {
        rig.run_to((at + 1) * 10_000, 256);
        rig.publish(&document(&api, delays), true);
    }
    rig.run_to(80_000, 256);
    let step = rig.right.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0f32, f32::max);
    // The tone's own is 0.04, with 3 dB of a pan; where a delay grows shorter it is heard twice for so long.
    assert!((0.03..0.12).contains(&step), "{step}");
    rig.order = 2;
    rig.publish(&document(&api, [None, None]), false);
    rig.run_to(200_000, 256);
    let mut held = 0i32;
    rig.midi.iter().for_each(|(_, on)| held += if *on { 1 } else { -1 });
    assert_eq!(held, 0, "{:?}", rig.midi);
}

#[test]
fn what_is_not_played_of_a_delay_says_so() {
    let api = Api::new();
    let set = |at: &str, delay: Value| {
        let mut state: Value = serde_json::from_str(&api.device.save_state()).expect("a state");
        let track = if at == "mt" { &mut state["set"]["main"] } else { &mut state["set"]["tracks"][0] };
        track["delay"] = delay;
        api.device.load_state(&state.to_string());
        api.ok("svc-read-track", json!({"path": at}))["detail"].as_str().unwrap_or_default().to_owned()
    };
    let beyond = "(kept, and not played: Live has none beyond 1,000 ms)";
    for (at, delay, told) in [
        ("t0", json!({"milliseconds": -5.25}), "track delay -5.25 ms".to_owned()),
        ("t0", json!({"samples": 192_000}), "track delay 192000 samples".to_owned()),
        ("t0", json!({"milliseconds": 1_000.5}), format!("track delay 1000.5 ms {beyond}")),
        ("t0", json!({"samples": -192_001}), format!("track delay -192001 samples {beyond}")),
        (
            "mt",
            json!({"milliseconds": 3.0}),
            "track delay 3 ms (kept, and not played: nothing is heard beside the main track)".to_owned(),
        ),
    ] {
        let detail = set(at, delay.clone());
        assert!(detail.split("; ").any(|part| part == told), "{delay}: {detail}");
    }
}
