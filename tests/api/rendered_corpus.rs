//! What is heard of fifty loops and twenty songs that the renderer made of a Set: their tempo and their key.

#[path = "../../audio-analysis/tests/heard/songs_in_keys.rs"]
mod songs_in_keys;

use crate::support::Api;
use serde_json::json;
use songs_in_keys::{SongInKey, twenty};
use svc_analysis::{key, tempo};
use svc_device::music::pitch::class_name;
use svc_device::render::offline::{BLOCK_FRAMES, OfflineRender, RenderSettings, Tail};
use svc_device::render::wish::Wish;
use svc_device::sound::samples::SampleCache;

const RATE_HZ: u32 = 48_000;
/// By their names they play kits, bass, keys and the like.
const TRACKS: [&str; 8] = ["Drums", "Drums 808", "Drums 909", "Bass", "Keys", "Pluck", "Organ", "Lead"];
const EIGHTHS: &str = "v70 F#1 1|1x8@n/8";

/// Bars that go round: tracks with their notes.
const LOOPS: [(&str, &[(usize, &str)]); 10] = [
    ("four on the floor", &[(2, "v110 n/16 C1 1|1,2,3,4 D1 1|2,4 v70 F#1 1|1.5,2.5,3.5,4.5")]),
    ("rock", &[(0, "v110 n/16 C1 1|1,3,3.5 D1 1|2,4 v70 F#1 1|1x8@n/8")]),
    ("swung", &[(1, "v110 n/16 C1 1|1,2.66,3 D1 1|2,4 v70 F#1 1|1,1.66,2,2.66,3,3.66,4,4.66")]),
    ("break", &[(0, "v110 n/16 C1 1|1,1.5,3.5 D1 1|2,2.75,3.25,4 v70 F#1 1|1x8@n/8")]),
    ("dembow", &[(0, "v110 n/16 C1 1|1,2,3,4 D1 1|1.75,2.5,3.75,4.5 v70 F#1 1|1x16@n/16")]),
    ("kick and bass", &[(0, "v110 n/16 C1 1|1,2,3,4"), (3, "v100 n/8 A0 1|1.5,2.5 C1 1|3.5 G0 1|4.5")]),
    ("chords and hats", &[(0, EIGHTHS), (4, "v90 n7/16 A2 C3 E3 1|1,3")]),
    ("bass alone", &[(3, "v100 n/8 A0 1|1,1.5,2.5 A1 1|2 C1 1|3,3.5 G0 1|4 G1 1|4.5")]),
    ("plucks", &[(0, "v110 n/16 C1 1|1,3"), (5, "v100 n/16 A3 1|1,3 C4 1|1.5,2.5,4 E4 1|2,3.5 A4 1|4.5")]),
    (
        "band",
        &[
            (0, "v110 n/16 C1 1|1,2.5,3 D1 1|2,4 v70 F#1 1|1x8@n/8"),
            (3, "v100 n/4 A0 1|1,2.5 C1 1|3"),
            (6, "v80 n3/16 A2 C3 E3 1|1,2,3,4"),
            (7, "v90 n/8 A4 1|1 G4 1|1.75 E4 1|2.5 C4 1|4"),
        ],
    ),
];

/// A Set with eight tracks.
fn stage() -> Api {
    let api = Api::new();
    api.ok("svc-create-track", json!({"path": "t+,t+,t+,t+"}));
    // The two audio tracks of a new Set go.
    api.ok("svc-delete", json!({"type": "track", "path": "t2,t3"}));
    api.ok("svc-create-track", json!({"path": "t+,t+"}));
    let paths: Vec<String> = (0..TRACKS.len()).map(|at| format!("t{at}")).collect();
    api.ok("svc-update-track", json!({"path": paths.join(","), "name": TRACKS.join(",")}));
    api
}

/// A scene as the renderer makes it, both channels as one.
fn rendered(api: &Api, scene: usize, bars: f64) -> Vec<f32> {
    let document = api.document();
    let wish = Wish { scene: Some(format!("s{scene}")), bars: Some(bars), ..Wish::default() };
    let stretch = wish.stretch(&document).expect("the scene has clips");
    let settings =
        RenderSettings { stretch, rate_hz: RATE_HZ, seed: 1, tail: Tail::Seconds(0.0), block_frames: BLOCK_FRAMES };
    let mut render = OfflineRender::new(&document, &SampleCache::default(), &settings, false);
    let mut mono = Vec::new();
    while render.advance() {
        let main = render.main();
        mono.extend(main.left.iter().zip(main.right).map(|(left, right)| 0.5 * (left + right)));
    }
    mono
}

#[test]
fn most_rendered_loops_are_heard_at_their_tempo() {
    let api = stage();
    api.ok("svc-create-scene", json!({"path": "s+,s+"}));
    for (scene, (_, parts)) in LOOPS.iter().enumerate() {
        for (track, notes) in *parts {
            api.ok("svc-create-clip", json!({"path": format!("t{track}/s{scene}"), "notes": notes, "length": "1bar"}));
        }
    }
    let mut missed = Vec::new();
    for bpm in [84.0, 97.5, 112.0, 126.0, 143.0] {
        api.ok("svc-update-live-set", json!({"tempo": bpm}));
        for (scene, (name, _)) in LOOPS.iter().enumerate() {
            let heard = tempo::hear(&rendered(&api, scene, 4.0), RATE_HZ.into());
            if heard.is_none_or(|heard| (heard.bpm / bpm - 1.0).abs() > 0.02) {
                missed.push(format!("{name} at {bpm}: {heard:?}"));
            }
        }
    }
    assert!(missed.len() <= 5, "{} of 50:\n{}", missed.len(), missed.join("\n"));
}

/// A pitch by its degree in a scale, from C of an octave up.
fn pitch(tonic: u8, scale: &[u8; 7], degree: usize, octave: i8) -> String {
    let semitones = usize::from(tonic) + usize::from(scale[degree % 7]) + 12 * (degree / 7);
    let class = class_name(u8::try_from(semitones % 12).expect("a class"));
    format!("{class}{}", i64::from(octave) + i64::try_from(semitones / 12).expect("an octave"))
}

/// Four bars that go round: chords, their roots in the bass, a line over them that ends on the tonic.
fn put(api: &Api, song: &SongInKey) {
    let SongInKey { tonic, scale, roots, has_drums, .. } = *song;
    let (mut chords, mut bass) = (String::from("v80 n/1"), String::from("v100 n/4"));
    let mut line = String::from("v80 n/8");
    for (bar, root) in roots.into_iter().enumerate() {
        let at = bar + 1;
        let name = |degree: usize, octave: i8| pitch(tonic, scale, degree, octave);
        chords += &format!(" {} {} {} {at}|1", name(root, 2), name(root + 2, 2), name(root + 4, 2));
        bass += &format!(" {} {at}|1,2,3,4", name(root, if root > 4 { 0 } else { 1 }));
        for (n, step) in [4, 2, 3, 1, 0].into_iter().enumerate() {
            line += &format!(" {} {at}|{}", name(root % 3 + step, 3), 1.0 + 0.75 * n as f64);
        }
    }
    line += &format!(" n/4 {} 4|4", pitch(tonic, scale, 7, 3));
    for (track, notes) in [(4, &chords), (3, &bass), (7, &line)] {
        api.envelope("svc-create-clip", "", &json!({"path": format!("t{track}/s0"), "notes": notes, "length": "4bar"}));
    }
    if has_drums {
        let beat = "v100 n/16 C1 1|1,2,3,4 D1 1|1.5,2.5,3.5,4.5";
        api.envelope("svc-create-clip", "", &json!({"path": "t0/s0", "notes": beat, "length": "1bar"}));
    }
}

/// One in minor is heard in the major of its sixth degree, with little confidence.
#[test]
fn most_rendered_songs_are_heard_in_their_key() {
    let mut missed = Vec::new();
    for song in twenty() {
        let api = stage();
        put(&api, &song);
        let heard = key::hear(&rendered(&api, 0, 8.0), RATE_HZ.into());
        if !song.is_heard_as(heard) {
            missed.push(format!("{song:?}: {heard:?}"));
        }
    }
    assert!(missed.len() <= 1, "{} of 20:\n{}", missed.len(), missed.join("\n"));
}
