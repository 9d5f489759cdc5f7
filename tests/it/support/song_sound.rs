//! The song as sound: what a host hears, beside what our own driver makes of the same Set and the same notes.

use super::api::Api;
use super::song::{
    AudioThread, BASS, DRUMS, Daw, Heard, PAD, Run, SAMPLE_RATE, TRACK_OUTPUTS, TRIPLETS, expected, sorted,
};
use serde_json::json;
use std::time::{Duration, Instant};
use svc_device::device::state;
use svc_device::sound::mix::mix_settings;
use svc_device::sound::samples::SampleCache;
use svc_sound::engine::{Engine, EventKind};
use svc_sound::instruments::Note;
use svc_sound::offline::{Piece, PieceEvent, Stems, render};
use svc_sound::plan::{Plan, StateStore};

/// Waits until the plugin plays by the newest Set, by a key that is played into it: it falls silent with a switch that
/// is thrown last and thrown back, and sounds again. Then until that has faded.
fn wait_until_it_sounds(daw: &mut Daw, api: &mut Api) {
    api.call("svc-select", json!({ "path": "t5" }));
    let end = Instant::now() + Duration::from_secs(20);
    for mute in [true, false] {
        api.call("svc-update-track", json!({ "path": "t5", "mute": mute }));
        while (peak_of_a_key(daw) == 0.0) != mute {
            assert!(Instant::now() < end, "a key is heard, but for a muted track (now {mute})");
        }
    }
    while peak(&daw.audio.take_added()) > 0.0 || daw.block_count == 0 {
        daw.blocks(40);
        assert!(Instant::now() < end, "a key fades");
    }
}

fn peak_of_a_key(daw: &mut Daw) -> f32 {
    let key = Heard { sample: 0, on: true, channel: 0, pitch: 40, velocity: 0.9 };
    daw.block_with(vec![key]);
    daw.blocks(40);
    daw.block_with(vec![Heard { on: false, ..key }]);
    peak(&daw.audio.take_added())
}

fn peak(sound: &[Vec<f32>; 2]) -> f32 {
    sound.iter().flatten().fold(0.0, |peak, value| peak.max(value.abs()))
}

/// What is played: two bars.
const BEATS: f64 = 8.0;
const FRAMES: usize = (BEATS * 0.5 * SAMPLE_RATE) as usize;

/// Plays two bars of the song, which is written already and whose state was `saved`, and holds the sound against what
/// our own driver makes of the same Set and the same notes: within half a decibel.
pub fn perform_as_sound(audio: &mut dyn AudioThread, api: &mut Api, saved: &str) {
    let mut daw = Daw::new(audio, 120.0);
    let heard = two_bars(&mut daw, api);
    assert_alike("the main output", &heard, &rendered(saved).0);
    assert!(daw.audio.take_tracks().is_empty(), "a host that asks for nothing more has the main output alone");
    api.configure(json!({ "sound": false }));
    daw.blocks(20);
    daw.audio.take_added();
    daw.run_to(2.0 * BEATS);
    let silent = daw.audio.take_added();
    assert!(silent.iter().flatten().all(|value| *value == 0.0), "switched off, audio passes through as it is");
}

/// The same where each track has an output of its own: it is heard there, and the main output has the whole mix.
pub fn perform_by_tracks(audio: &mut dyn AudioThread, api: &mut Api, saved: &str) {
    let mut daw = Daw::new(audio, 120.0);
    let heard = two_bars(&mut daw, api);
    let tracks = daw.audio.take_tracks();
    let (main, stems) = rendered(saved);
    assert_alike("the main output", &heard, &main);
    assert_eq!(tracks.len(), TRACK_OUTPUTS);
    for (at, track) in tracks.iter().enumerate() {
        match stems.get(at).filter(|stem| peak(stem) > 0.0) {
            Some(stem) => assert_alike(&format!("output {}", at + 1), track, stem),
            None => assert_eq!(peak(track), 0.0, "nothing plays on track {}", at + 1),
        }
    }
    assert_eq!(stems.iter().filter(|stem| peak(stem) > 0.0).count(), 4, "the song has four tracks that play");
    api.configure(json!({ "sound": false }));
    daw.blocks(20);
    daw.audio.take_tracks();
    daw.run_to(2.0 * BEATS);
    assert!(daw.audio.take_tracks().iter().all(|track| peak(track) == 0.0), "switched off");
}

/// Plays two bars of the first scene, and gives what the main output had of them.
fn two_bars(daw: &mut Daw, api: &mut Api) -> [Vec<f32>; 2] {
    wait_until_it_sounds(daw, api);
    api.call("svc-playback", json!({ "action": "play-scene", "path": "s0" }));
    daw.blocks(1);
    daw.audio.take_added();
    daw.audio.take_tracks();
    daw.play();
    daw.run_to(BEATS);
    daw.audio.take_added()
}

/// Fails unless both are heard, and are as loud within half a decibel.
fn assert_alike(what: &str, heard: &[Vec<f32>; 2], wanted: &[Vec<f32>; 2]) {
    let level = |sound: &[Vec<f32>; 2]| {
        let power: f64 = sound.iter().flatten().map(|value| f64::from(*value).powi(2)).sum();
        10.0 * (power / sound[0].len() as f64).log10()
    };
    let (heard, wanted) = (level(heard), level(wanted));
    assert!(wanted > -50.0 && (heard - wanted).abs() < 0.5, "{what}: {heard:.2} dB beside {wanted:.2} dB");
}

/// Two bars of the song's first scene, at 120 beats a minute, by the sound engine's own driver: the main output and the
/// tracks.
fn rendered(saved: &str) -> ([Vec<f32>; 2], Vec<[Vec<f32>; 2]>) {
    let document = state::load(saved).expect("a state").document;
    let runs = [&BASS, &TRIPLETS, &DRUMS, &PAD].map(|clip| Run { clip, from: 0.0, to: BEATS });
    let events = sorted(&expected(&runs, |beat| (beat * 60.0 / 120.0 * SAMPLE_RATE).round() as u64));
    let track_of = |channel: u8| document.tracks.iter().find(|track| track.midi_channel == Some(channel));
    let mut open = std::collections::HashMap::new();
    let events: Vec<PieceEvent> = (0..)
        .zip(&events)
        .map(|(number, event)| {
            let (key, pitch) = ((event.channel, event.pitch), event.pitch);
            let kind = if event.on {
                open.insert(key, number);
                EventKind::NoteOn(Note { id: number, pitch, velocity: event.velocity as f32 })
            } else {
                EventKind::NoteOff { id: open.get(&key).copied().expect("an on before"), pitch }
            };
            PieceEvent { frame: event.sample, track: track_of(event.channel).expect("a track").serial, kind }
        })
        .collect();
    let mix = mix_settings(&document, &SampleCache::default());
    let mut plan = Plan::new(mix, &mut StateStore::new(SAMPLE_RATE as f32));
    let piece = Piece { events: &events, frames: FRAMES, tempo_bpm: 120.0, block: 512 };
    let mut stems = Stems::of(document.tracks.iter().map(|track| track.serial));
    let made = render(&mut Engine::new(), &mut plan, &piece, &mut stems);
    let stem = |serial| stems.get(serial).map(|stem| [stem.left.clone(), stem.right.clone()]).expect("a stem");
    ([made.left, made.right], document.tracks.iter().map(|track| stem(track.serial)).collect())
}
