//! The VST3 plugin in Ardour, a DAW that others wrote: the Set follows its transport, what the plugin plays is recorded
//! on other tracks, notes to the tick and sound, and a session that is closed and opened again has the Set.
//!
//! `cargo xtask test` installs Ardour on Debian and Ubuntu; where it is not, the test says so and passes.

use crate::bundle::vst3_bundle;
use crate::support::api::{Api, Saved, free_port, listens};
use crate::support::ardour::{Ardour, RecordedNote, Session, TICKS_PER_BEAT, session_file};
use crate::support::child::{PATIENCE, wait_until};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The session's, at the tempo that Ardour starts with.
const SAMPLES_PER_BEAT: i64 = 24_000;
const BEATS_PER_BAR: i64 = 4;

/// A clip of one bar: start and length of its notes in ticks, pitch, velocity.
struct Clip {
    path: &'static str,
    notes: &'static [(i64, i64, u8, u8)],
}

/// Two tracks, which leave on two channels. Quarters, a 16th off the beat, an eighth up to the bar; a 64th, triplets.
const FIRST_SCENE: [Clip; 2] = [
    Clip {
        path: "t0/s0",
        notes: &[(0, 1920, 60, 100), (1920, 1920, 64, 100), (4320, 480, 67, 70), (6720, 960, 72, 70)],
    },
    Clip { path: "t1/s0", notes: &[(0, 120, 36, 127), (640, 640, 38, 1), (1280, 640, 38, 1)] },
];

/// Launched while the transport rolls.
const NEXT: Clip = Clip { path: "t0/s1", notes: &[(0, 3840, 57, 90), (3840, 3840, 57, 90)] };

#[test]
fn a_session_follows_records_and_comes_back() {
    let Some(ardour) = Ardour::installed() else {
        println!("skipped: there is no Ardour 7 or 8 here; Debian's package is called ardour");
        return;
    };
    let scratch = tempfile::tempdir().expect("a folder");
    let (home, folder) = (scratch.path().join("home"), scratch.path().join("song"));
    fs::create_dir(&home).expect("a home");
    ardour.scan(&home, &vst3_bundle());

    let mut session = ardour.session(&home, &folder);
    session.run("create");
    session.run("save");
    session.close();
    let port = free_port();
    give_port(&session_file(&folder), port);

    let mut session = ardour.session(&home, &folder);
    session.run("open");
    let mut api = Api::connect(port);
    for clip in FIRST_SCENE.iter().chain([&NEXT]) {
        let made = write(&mut api, clip);
        assert_eq!(made["noteCount"], clip.notes.len(), "{made}");
    }
    let written = api.read_all();
    play_and_record(&mut session, &mut api);
    assert_recorded(&session.notes());
    let loudest = session.loudest().expect("the sound is recorded");
    assert!((0.01..=1.0).contains(&loudest), "the sound is recorded beside the notes: {loudest}");
    follow_the_playhead(&mut session, &mut api);
    session.run("save");
    session.close();
    assert!(!listens(port), "the server goes with the session");

    let mut session = ardour.session(&home, &folder);
    session.run("open");
    assert_eq!(Api::connect(port).read_all(), written, "the Set came back with the session");
    assert_recorded(&session.notes());
    session.close();
}

fn write(api: &mut Api, clip: &Clip) -> Value {
    let beats = |ticks: i64| ticks as f64 / TICKS_PER_BEAT as f64;
    let note = |&(start, length, pitch, velocity): &(i64, i64, u8, u8)| json!({ "p": pitch, "t": beats(start), "d": beats(length), "v": velocity });
    let notes: Vec<Value> = clip.notes.iter().map(note).collect();
    api.call("svc-create-clip", json!({ "path": clip.path, "notes": notes, "length": "1bar" }))
}

/// Two bars and more of the first scene, then the next clip, which waits for its bar.
fn play_and_record(session: &mut Session, api: &mut Api) {
    let armed = api.call("svc-playback", json!({ "action": "play-scene", "path": "s0" }));
    assert_eq!(armed["playing"], false, "the transport stands: {armed}");
    assert!(armed["detail"].as_str().is_some_and(|text| text.contains("transport")), "{armed}");
    session.run("arm");
    session.run("roll");
    roll_to(session, (2 * BEATS_PER_BAR + 1) * SAMPLES_PER_BEAT);
    assert_eq!(api.call("svc-read-live-set", json!({}))["isPlaying"], true);
    api.call("svc-playback", json!({ "action": "play-session-clips", "path": NEXT.path }));
    let playing = |api: &mut Api| api.call("svc-read-track", json!({ "path": "t0" }))["playingSlotIndex"] == 1;
    let begun = wait_until(PATIENCE, || playing(api).then_some(()));
    assert!(begun.is_some(), "the next clip begins with its bar: {:?}", session.transport());
    let bar = session.transport().1 / SAMPLES_PER_BEAT / BEATS_PER_BAR;
    roll_to(session, ((bar + 2) * BEATS_PER_BAR + 1) * SAMPLES_PER_BEAT);
    session.run("stop");
    let stands = wait_until(PATIENCE, || (!session.transport().0).then_some(()));
    assert!(stands.is_some(), "the transport stops");
    let shown = wait_until(PATIENCE, || (api.call("svc-read-live-set", json!({}))["isPlaying"] != true).then_some(()));
    assert!(shown.is_some(), "the Set stands with it");
}

fn roll_to(session: &mut Session, sample: i64) {
    let there = wait_until(PATIENCE, || (session.transport().1 >= sample).then_some(()));
    assert!(there.is_some(), "the transport rolls to {sample}: {:?}", session.transport());
}

/// Whole bars of the first clip, then at a bar's start whole bars of the other; the second track goes on beside them.
fn assert_recorded(notes: &[RecordedNote]) {
    let bar = BEATS_PER_BAR * TICKS_PER_BEAT;
    let change = notes.iter().find(|note| note.pitch == NEXT.notes[0].2).expect("the second clip").start / bar;
    assert!(change >= 3, "it was launched in the third bar: {notes:?}");
    // The bar in which the transport stopped is not whole.
    let last = notes.iter().map(|note| note.start / bar).max().expect("notes");
    assert!(last >= change + 2, "two bars of the second clip: {notes:?}");
    let mut wanted: Vec<RecordedNote> = (0..last)
        .flat_map(|at| {
            let first = if at < change { &FIRST_SCENE[0] } else { &NEXT };
            [(0, first), (1, &FIRST_SCENE[1])].into_iter().flat_map(move |(channel, clip)| {
                clip.notes.iter().map(move |&(start, length, pitch, velocity)| RecordedNote {
                    start: at * bar + start,
                    length,
                    channel,
                    pitch,
                    velocity,
                })
            })
        })
        .collect();
    wanted.sort_unstable();
    let whole: Vec<RecordedNote> = notes.iter().copied().filter(|note| note.start < last * bar).collect();
    assert_eq!(whole, wanted);
}

/// The place in the song is Ardour's, at Ardour's tempo.
fn follow_the_playhead(session: &mut Session, api: &mut Api) {
    const TEMPO_BPM: f64 = 133.0;
    const SECONDS: f64 = 4.0;
    session.run(&format!("tempo {TEMPO_BPM}"));
    session.run(&format!("locate {}", SECONDS * 48_000.0));
    let wanted = SECONDS * TEMPO_BPM / 60.0;
    let mut beats = f64::NAN;
    let operations = json!([{ "type": "get", "property": "current_song_time" }]);
    let there = wait_until(PATIENCE, || {
        let read = api.call("svc-live-api", json!({ "path": "live_set", "operations": operations }));
        beats = read["results"][0]["result"][0].as_f64().unwrap_or(f64::NAN);
        ((beats - wanted).abs() < 0.001).then_some(())
    });
    assert!(there.is_some(), "the Set is at beat {beats} and not at {wanted}");
}

/// Has the device of a saved session listen on this port.
fn give_port(file: &Path, port: u16) {
    let text = fs::read_to_string(file).expect("a saved session");
    let (before, rest) = text.split_once("<chunk>").expect("a plugin's state");
    let (chunk, after) = rest.split_once("</chunk>").expect("its end");
    let preset = BASE64_STANDARD.decode(chunk.trim()).expect("base64");
    let chunk = BASE64_STANDARD.encode(with_port(&preset, port));
    fs::write(file, format!("{before}<chunk>{chunk}</chunk>{after}")).expect("written");
}

/// A VST3 preset: a head with the place of a list, the component's state, then that list: two entries, each with four
/// letters, a place and a length.
fn with_port(preset: &[u8], port: u16) -> Vec<u8> {
    const HEAD: usize = 48;
    let number = |at: usize| -> usize {
        let bytes = preset[at..at + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(bytes).try_into().expect("a place in memory")
    };
    let list = number(40);
    assert_eq!((&preset[..4], &preset[list..list + 4]), (&b"VST3"[..], &b"List"[..]));
    let (component, controller) = (list + 8, list + 28);
    assert_eq!((&preset[component..component + 4], &preset[controller..controller + 4]), (&b"Comp"[..], &b"Cont"[..]));
    assert_eq!((number(component + 4), number(controller + 12)), (HEAD, 0), "only the component has a state");
    let state = Saved::read(&preset[HEAD..HEAD + number(component + 12)]).with_port(port).bytes();
    let length = (state.len() as u64).to_le_bytes();
    let end = ((HEAD + state.len()) as u64).to_le_bytes();
    [
        &preset[..40],
        &end,
        &state,
        &preset[list..component + 12],
        &length,
        &preset[controller..controller + 4],
        &end,
        &preset[controller + 12..],
    ]
    .concat()
}
