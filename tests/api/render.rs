//! `svc-render`: what a Set sounds like, in numbers and words, and as files.

use crate::sample_tree::{put, wav};
use crate::support::Api;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use svc_device::render::offline::{OfflineRender, RenderSettings, Tail};
use svc_device::render::wish::Wish;
use svc_device::service::Settings;
use svc_device::set::Document;
use svc_device::sound::samples::SampleCache;

const PATIENCE: Duration = Duration::from_secs(60);
const BEAT: &str = "v110 n/16 C1 1|1,3 D1 1|2,4 v70 F#1 1|1x8@n/8";
const CHORDS: &str = "v90 n/2 C3 Eb3 G3 1|1 Ab2 C3 Eb3 1|3 n/1 Bb2 D3 F3 2|1";

fn in_folder(folder: &Path) -> Api {
    let allowed_folders = vec![folder.to_str().unwrap().to_owned()];
    Api::with(Settings { allowed_folders, ..Settings::default() })
}

/// The first calls of the README.
fn beat_and_chords(api: &Api) {
    api.ok("svc-create-clip", json!({"path": "t0/s0", "name": "Beat", "notes": BEAT}));
    api.ok("svc-create-clip", json!({"path": "t1/s0", "length": "2bar", "notes": CHORDS}));
}

pub fn render(api: &Api, arguments: Value) -> Value {
    let answer = api.ok("svc-render", arguments);
    let Some(id) = answer["job"]["id"].as_str() else { return answer };
    ended(api, id)["result"].clone()
}

/// A job once it is no longer under way.
fn ended(api: &Api, id: &str) -> Value {
    let end = Instant::now() + PATIENCE;
    loop {
        let job = api.ok("svc-read-job", json!({"id": id}));
        if job["state"] != "running" && job["state"] != "waiting" {
            return job;
        }
        assert!(Instant::now() < end, "{job} never ends");
    }
}

pub fn named<'a>(list: &'a Value, name: &str) -> &'a Value {
    let found = list.as_array().and_then(|list| list.iter().find(|item| item["name"] == name));
    found.unwrap_or_else(|| panic!("no {name} in {list}"))
}

pub fn notes(answer: &Value) -> Vec<&str> {
    answer["notes"].as_array().expect("notes").iter().map(|note| note.as_str().expect("a sentence")).collect()
}

fn says(answer: &Value, words: &str) -> bool {
    notes(answer).iter().any(|note| note.contains(words))
}

#[test]
fn a_scene_is_listened_to() {
    let api = Api::new();
    beat_and_chords(&api);
    let before = api.saved();
    let heard = render(&api, json!({"path": "s0"}));
    assert_eq!(api.saved(), before, "nothing is changed");
    // Two bars at 120 and a tail.
    let seconds = heard["seconds"].as_f64().expect("seconds");
    assert!((4.5..9.0).contains(&seconds), "{seconds}");
    assert!((-40.0..-8.0).contains(&heard["lufs"].as_f64().expect("a loudness")), "{heard}");
    let drums = &named(&heard["tracks"], "1-MIDI")["drums"];
    for drum in ["Kick", "Snare", "Closed hat"] {
        assert!(named(drums, drum)["lufs"].is_f64(), "{drums}");
    }
    let chords = named(&heard["tracks"], "2-MIDI");
    assert!(chords["drums"].is_null() && chords["path"] == "t1", "{chords}");
    for band in ["low", "lowMid", "highMid", "high"] {
        assert!(chords["bandsDb"][band].is_number(), "{chords}");
    }
    assert_eq!(heard["tempoBpm"]["set"], 120.0);
    assert_eq!(named(&heard["silent"], "3-Audio")["why"], "no clip of it plays here");
    assert!(notes(&heard).iter().all(|note| !note.contains("3-Audio")), "{heard}");
    assert!(heard["image"].is_null() && heard["file"].is_null());
    let picture = render(&api, json!({"path": "s0", "include": ["image"]}));
    assert!(picture["image"].as_str().expect("a picture").starts_with("data:image/png;base64,iVBOR"));
}

/// The only scene with clips needs no name; of several, they are named.
#[test]
fn what_is_meant_is_found_or_asked_for() {
    let api = Api::new();
    let refused = |arguments: Value, words: &str| {
        let why = api.refused("svc-render", arguments.clone());
        assert!(why.contains(words), "{arguments}: {why}");
    };
    refused(json!({}), "path: there is no clip in this Set");
    beat_and_chords(&api);
    assert_eq!(render(&api, json!({"tail": 0}))["seconds"], 4.0);
    assert_eq!(render(&api, json!({"path": "s0", "length": "3bar", "tail": 0.5}))["seconds"], 6.5);
    for (arguments, words) in [
        (json!({"path": "s9"}), "path: there is no scene s9; it is s0 to s7, or a scene's name"),
        (json!({"path": "s1"}), "path: s1 has no clip"),
        (json!({"path": "t0"}), "path: there is no scene t0"),
        (json!({"path": "s0", "start": "1|1"}), "start: it is a place in the Arrangement"),
        (json!({"path": "s0", "length": "0bar"}), "length: 0bar is no length above 0"),
        (json!({"path": "s0", "length": "soon"}), "length: \"soon\" is no length"),
        (json!({"path": "s0", "length": "3000bar"}), "length: 6000 s are too long: at most 3600 s"),
        (json!({"start": "soon"}), "start: \"soon\" is no position"),
        (json!({"start": "1|1"}), "start: there is no clip in the Arrangement"),
        (json!({"path": "s0", "rate": 45_000}), "rate: it is one of 44100, 48000, 88200, 96000, not 45000"),
        (json!({"path": "s0", "tail": 601}), "tail: it is from 0 to 600 seconds, not 601"),
        (json!({"path": "s0", "bits": 20}), "bits: it is 16, 24 or 32 (floating point), not 20"),
        (json!({"path": "s0", "normalize": "loud"}), "normalize: it is a loudness, such as -14LUFS, or a peak"),
        (json!({"path": "s0", "strict": true}), "strict: these do not sound as the Set says: 1-MIDI (stand-in: plays"),
        (json!({"path": "s0", "file": "mix.wav"}), "file: mix.wav: name it by its absolute path"),
        (
            json!({"path": "s0", "file": "/mix.mp3"}),
            "file: /mix.mp3: it ends in .wav or .flac, or in .mid for the notes",
        ),
        (json!({"path": "s0", "file": "/mix.wav"}), "sound is written only in the folders that allowedFolders"),
        (json!({"path": "s0", "stems": "/stems"}), "sound is written only in the folders that allowedFolders"),
    ] {
        refused(arguments, words);
    }
    api.ok("svc-create-clip", json!({"path": "t0/s3", "notes": "C1 1|1"}));
    refused(json!({}), "path: the Arrangement is empty; name a scene that has clips, such as s0 or s3");
    api.ok("svc-create-clip", json!({"path": "t0[3|1]", "notes": "C1 1|1", "length": "2bar"}));
    assert_eq!(render(&api, json!({"tail": 0}))["seconds"], 8.0, "the Arrangement, from its beginning");
    assert_eq!(render(&api, json!({"start": "3|1", "tail": 0}))["seconds"], 4.0);
    refused(json!({"start": "9|1"}), "start: the last clip ends at 5|1");
    assert_eq!(render(&api, json!({"start": "3|3", "length": "1bar", "tail": 0}))["seconds"], 2.0);
}

#[test]
fn what_the_set_says_is_heard() {
    let api = Api::new();
    beat_and_chords(&api);
    let heard = |change: Value| {
        api.ok("svc-update-track", change);
        render(&api, json!({"path": "s0"}))
    };
    let lufs = |answer: &Value, name: &str| named(&answer["tracks"], name)["lufs"].as_f64().expect("a loudness");
    let first = render(&api, json!({"path": "s0"}));
    let softer = heard(json!({"path": "t1", "gainDb": -20}));
    assert!((lufs(&first, "2-MIDI") - lufs(&softer, "2-MIDI") - 20.0).abs() < 0.3, "{softer}");
    assert!(says(&softer, "2-MIDI is ") && !says(&first, "2-MIDI is "), "{first} {softer}");
    let muted = heard(json!({"path": "t1", "mute": true}));
    assert_eq!(named(&muted["silent"], "2-MIDI")["why"], "it is muted");
    assert!(says(&muted, "2-MIDI is silent"), "{muted}");
    let beside = heard(json!({"path": "t1,t0", "mute": "false,false", "solo": "true,false"}));
    assert_eq!(named(&beside["silent"], "1-MIDI")["why"], "another one is soloed");
    api.ok("svc-update-track", json!({"path": "t1", "solo": false, "gainDb": 0}));
    let loud = heard(json!({"path": "t0,t1", "gainDb": 6}));
    assert!(lufs(&loud, "2-MIDI") > lufs(&first, "2-MIDI") + 5.0, "{loud}");
}

/// A kit's drums one by one: the snare alone gets softer, and is told of.
#[test]
fn drums_are_held_against_each_other() {
    let api = Api::new();
    let heard = |velocity: u8| {
        let notes = format!("v110 n/16 C1 1|1,3 v{velocity} D1 1|2,4");
        api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": notes}));
        render(&api, json!({"path": "s0"}))
    };
    let below = |answer: &Value| {
        let drums = &named(&answer["tracks"], "1-MIDI")["drums"];
        let lufs = |name: &str| named(drums, name)["lufs"].as_f64().expect("a loudness");
        lufs("Kick") - lufs("Snare")
    };
    let (soft, loud) = (heard(20), heard(120));
    assert!(below(&soft) > below(&loud) + 5.0, "{} {}", below(&soft), below(&loud));
    // By its keys it is found in the clip.
    assert_eq!(named(&named(&soft["tracks"], "1-MIDI")["drums"], "Snare")["keys"], "D1", "{soft}");
    assert!(says(&soft, &format!("in 1-MIDI, Snare is {:.0} LU below Kick", below(&soft))), "{soft}");
    assert!(!says(&loud, "Snare"), "{loud}");
}

/// Both channels of a WAV file, in floating point.
fn read(path: &Path) -> Vec<f32> {
    let mut reader = hound::WavReader::open(path).expect("a WAV file");
    match reader.spec().sample_format {
        hound::SampleFormat::Float => reader.samples::<f32>().map(|sample| sample.unwrap()).collect(),
        hound::SampleFormat::Int => {
            let full = (1_i64 << (reader.spec().bits_per_sample - 1)) as f32;
            reader.samples::<i32>().map(|sample| sample.unwrap() as f32 / full).collect()
        }
    }
}

#[test]
fn files_hold_what_was_heard_and_the_same_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let api = in_folder(folder.path());
    beat_and_chords(&api);
    let written = |name: &str, more: Value| {
        let path = folder.path().join(name);
        let mut arguments = json!({"path": "s0", "file": path, "tail": 1});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = render(&api, arguments);
        assert_eq!(answer["file"], path.to_str().unwrap(), "{answer}");
        (std::fs::read(&path).unwrap(), read(&path), answer)
    };
    let (bytes, samples, _) = written("one.wav", json!({"bits": 32}));
    assert_eq!(samples.len(), 2 * 5 * 48_000);
    assert_eq!(written("one.wav", json!({"bits": 32})).0, bytes, "what is there is replaced, by the same");
    for (bits, step) in [(16, 2.0 / 32_768.0), (24, 1.0 / 8_388_608.0)] {
        let (_, coarse, _) = written("coarse.wav", json!({"bits": bits}));
        let apart = samples.iter().zip(&coarse).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart <= step && coarse.len() == samples.len(), "{bits} bits: {apart}");
    }
    assert_eq!(written("slow.wav", json!({"rate": 44_100})).1.len(), 2 * 5 * 44_100);
    for (wanted, member) in [("-20LUFS", "lufs"), ("-3dBTP", "truePeakDbtp")] {
        let (_, _, answer) = written("level.wav", json!({"normalize": wanted}));
        let level: f64 = wanted.trim_end_matches(|c: char| c.is_alphabetic()).parse().unwrap();
        assert!((answer[member].as_f64().unwrap() - level).abs() < 0.11, "{wanted}: {answer}");
        assert!(answer["normalizedDb"].is_f64());
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

/// What was played, in ticks of 960 a beat: kicks and snares of a bar, on the channel of drums.
#[test]
fn notes_are_written_as_midi() {
    let folder = tempfile::tempdir().unwrap();
    let api = in_folder(folder.path());
    beat_and_chords(&api);
    let file = folder.path().join("notes.mid");
    let answer = render(&api, json!({"path": "s0", "length": "1bar", "tail": 0, "file": file}));
    assert_eq!(answer["file"], file.to_str().unwrap());
    assert_eq!(walk(folder.path()), std::slice::from_ref(&file));
    let bytes = std::fs::read(&file).unwrap();
    assert_eq!(bytes[..14], *b"MThd\0\0\0\x06\0\x01\0\x03\x03\xC0", "the song and two tracks");
    let count = |message: [u8; 3]| bytes.windows(3).filter(|window| *window == message).count();
    assert_eq!((count([0x99, 36, 110]), count([0x99, 38, 110]), count([0x99, 42, 70])), (2, 2, 8));
    assert_eq!((count([0x89, 36, 0]), count([0x80, 60, 0])), (2, 2), "each note ends, those at the end too");
    assert_eq!(count([0x90, 60, 90]), 2, "the chords of a bar");
}

/// The notes of a file are those that the instruments get, on the tracks that play them.
#[test]
fn note_effects_and_ways_of_notes_are_in_the_midi() {
    let folder = tempfile::tempdir().unwrap();
    let api = in_folder(folder.path());
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "v90 n/1 C3 1|1", "length": "1bar"}));
    let count = |message: &[u8]| {
        let file = folder.path().join("notes.mid");
        let of = json!({"path": "s0", "length": "1bar", "tail": 0, "file": file});
        render(&api, of);
        let bytes = std::fs::read(&file).unwrap();
        bytes.windows(message.len()).filter(|window| *window == message).count()
    };
    let on = |pitch: u8| count(&[0x90, pitch, 90]);
    assert_eq!((on(60), on(67)), (1, 0));
    api.ok("svc-create-device", json!({"path": "t0", "device": "Chord"}));
    api.ok("svc-update-device", json!({"path": "t0/d0", "params": [{"name": "Shift1", "value": "7 st"}]}));
    assert_eq!((on(60), on(67), count(&[0x80, 67, 0])), (1, 1, 1), "a chord of two notes, which end");
    api.ok("svc-delete", json!({"type": "device", "path": "t0/d0"}));
    // An arpeggiator in sixteenths, at its very frames, and nothing behind the end.
    api.ok("svc-create-device", json!({"path": "t0", "device": "Arpeggiator"}));
    api.ok("svc-update-device", json!({"path": "t0/d0", "params": [{"name": "Synced Rate", "value": "1/16"}]}));
    assert_eq!(on(60), 16, "sixteen steps of a bar");
    api.ok("svc-delete", json!({"type": "device", "path": "t0/d0"}));
    // What another track plays is written on that one alone.
    api.ok("svc-create-device", json!({"path": "t1", "device": "Pitch"}));
    api.ok("svc-update-device", json!({"path": "t1/d0", "params": [{"name": "Pitch", "value": "12 st"}]}));
    api.ok("svc-update-track", json!({"path": "t0", "outputRoutingType": "2-MIDI"}));
    api.ok("svc-update-track", json!({"path": "t1", "monitoringState": "in"}));
    assert_eq!((on(60), on(72)), (0, 1));
}

/// With chance, another seed draws otherwise.
#[test]
fn a_seed_draws_the_chances() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "v100 n/16 p0.5 F#1 1|1x16@n/16"}));
    let mut heard = BTreeMap::new();
    for seed in [1, 2, 3, 1] {
        let answer = render(&api, json!({"path": "s0", "seed": seed, "length": "4bar"}));
        let before = heard.insert(seed, answer.clone());
        assert!(before.is_none_or(|before| before == answer), "seed {seed} is the same each time");
    }
    let different: std::collections::BTreeSet<String> =
        heard.values().map(|answer| answer["lufs"].to_string()).collect();
    assert!(different.len() > 1, "{different:?}");
    assert_eq!(render(&api, json!({"path": "s0", "length": "4bar"})), heard[&1], "without one, it is 1");
}

/// What goes into the main track's devices is the sum of the stems; nothing there, it is the mix.
#[test]
fn stems_add_up_to_the_mix() {
    let folder = tempfile::tempdir().unwrap();
    let api = in_folder(folder.path());
    beat_and_chords(&api);
    api.ok("svc-update-track", json!({"path": "t1", "sendReturn": "A", "sendGainDb": -6, "gainDb": -6, "pan": -0.4}));
    api.ok("svc-update-track", json!({"path": "t0", "gainDb": -9}));
    let (mix, stems) = (folder.path().join("mix.wav"), folder.path().join("stems"));
    let alone = render(&api, json!({"path": "s0", "file": mix, "bits": 32}));
    let without = std::fs::read(&mix).unwrap();
    let answer = render(&api, json!({"path": "s0", "file": mix, "stems": stems, "bits": 32}));
    assert_eq!(std::fs::read(&mix).unwrap(), without, "the mix is the same with stems");
    assert_eq!(answer["lufs"], alone["lufs"]);
    let files: Vec<String> = serde_json::from_value(answer["stems"].clone()).unwrap();
    let last = |path: &String| Path::new(path).file_name().unwrap().to_str().unwrap().to_owned();
    let names: Vec<String> = files.iter().map(last).collect();
    assert_eq!(names, ["01 1-MIDI.wav", "02 2-MIDI.wav", "05 A-Reverb.wav"], "what is silent has no file");
    assert_eq!(walk(&stems).len(), 3);
    let mix = read(&mix);
    let mut sum = vec![0.0_f32; mix.len()];
    for file in &files {
        let stem = read(Path::new(file));
        assert_eq!(stem.len(), mix.len(), "{file}");
        sum.iter_mut().zip(stem).for_each(|(sum, sample)| *sum += sample);
    }
    let apart = sum.iter().zip(&mix).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(apart < 1e-6, "{apart}");
    assert!(mix.iter().any(|sample| sample.abs() > 0.05));
}

/// A Set with something of everything: chance, automation of a return's delay, an audio clip, arrangement and scene.
fn busy(folder: &Path) -> Api {
    let api = in_folder(folder);
    beat_and_chords(&api);
    let sine: Vec<f32> = (0..48_000).map(|n| (0.3 * (0.05 * f64::from(n)).sin()) as f32).collect();
    let file = put(folder, "sine 120bpm.wav", &wav(&sine));
    api.ok("svc-create-clip", json!({"path": "t2/s0", "sampleFile": file}));
    api.ok("svc-update-track", json!({"path": "t1", "sendReturn": "B", "sendGainDb": -3}));
    api.ok("svc-create-clip", json!({"path": "t0[1|1]", "length": "2bar", "notes": BEAT}));
    api.ok("svc-create-clip", json!({"path": "t1[2|1]", "length": "1bar", "notes": CHORDS}));
    api
}

/// All samples of the mix and of each track.
fn samples(document: &Document, samples: &SampleCache, wish: &Wish, block_frames: usize, parts: bool) -> Vec<Vec<u32>> {
    let stretch = wish.stretch(document).unwrap();
    let settings = RenderSettings { stretch, rate_hz: 48_000, seed: 1, tail: Tail::UntilSilent, block_frames };
    let mut render = OfflineRender::new(document, samples, &settings, parts);
    let mut made = vec![Vec::new(); render.tracks().len() + 1];
    while render.advance() {
        let mut push = |at: usize, signal: svc_device::render::offline::Signal| {
            let both = signal.left.iter().zip(signal.right).flat_map(|(left, right)| [left.to_bits(), right.to_bits()]);
            made[at].extend(both);
        };
        push(0, render.main());
        (1..=render.tracks().len()).for_each(|at| push(at, render.track(at - 1).unwrap()));
    }
    made
}

#[test]
fn blocks_make_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    let api = busy(folder.path());
    let document = api.device.set.committed().document.clone();
    let cache = crate::offline_mix::samples(&api);
    let scene = Wish { scene: Some("s0".to_owned()), length: Some("1bar".to_owned()), ..Wish::default() };
    let part = Wish { from: Some("1|3".to_owned()), to: Some("2|4".to_owned()), ..Wish::default() };
    for wish in [scene, part] {
        let meant = samples(&document, &cache, &wish, 1_024, true);
        assert!(meant[0].iter().any(|bits| *bits != 0), "it sounds");
        for (block, parts) in [(1, false), (17, true), (64, false), (4_096, true)] {
            assert!(samples(&document, &cache, &wish, block, parts) == meant, "{wish:?} in blocks of {block}");
        }
    }
}

/// A scene that takes long enough to be a job.
const LONG: &str = "700bar";

#[test]
fn what_takes_long_is_a_job_and_one_that_is_cancelled_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let api = in_folder(folder.path());
    beat_and_chords(&api);
    let (file, stems) = (folder.path().join("long.wav"), folder.path().join("stems"));
    let answer = api.ok("svc-render", json!({"path": "s0", "length": LONG, "file": file, "stems": stems}));
    let id = answer["job"]["id"].as_str().expect("a job").to_owned();
    assert_eq!((&answer["job"]["tool"], &answer["job"]["title"]), (&json!("svc-render"), &json!("rendering s0")));
    let end = Instant::now() + PATIENCE;
    let progress = loop {
        let job = api.ok("svc-read-job", json!({"id": id}));
        assert_eq!(job["state"], "running", "{job}");
        if job["progress"]["done"].as_u64().is_some_and(|done| done > 0) {
            break job["progress"].clone();
        }
        assert!(Instant::now() < end, "no progress");
    };
    assert_eq!(progress["total"], 700 * 96_000);
    assert!(progress["text"].as_str().unwrap().starts_with("rendering s0: "), "{progress}");
    // The Set is free meanwhile, and what is rendered is the Set as it was.
    api.ok("svc-delete", json!({"path": "t0/s0", "type": "clip"}));
    api.ok("svc-manage", json!({"action": "cancel", "id": id}));
    assert_eq!(ended(&api, &id)["state"], "cancelled");
    let files = || walk(folder.path());
    let end = Instant::now() + PATIENCE;
    while !files().is_empty() {
        assert!(Instant::now() < end, "{:?}", files());
    }
}

/// Every file below a folder.
fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

/// A folder that cannot be written: what is wrong is told, and nothing is left.
#[test]
fn a_missing_sample_is_told_and_refused_where_asked() {
    let folder = tempfile::tempdir().unwrap();
    let api = in_folder(folder.path());
    let file = put(folder.path(), "gone.wav", &wav(&[0.25; 48_000]));
    api.ok("svc-create-clip", json!({"path": "t2/s0", "sampleFile": file}));
    assert!(named(&render(&api, json!({"path": "s0"}))["tracks"], "3-Audio")["lufs"].is_f64());
    std::fs::remove_file(&file).unwrap();
    let heard = render(&api, json!({"path": "s0"}));
    let why = named(&heard["silent"], "3-Audio")["why"].as_str().unwrap().to_owned();
    assert!(why.contains("no such file") || why.contains("not be"), "{why}");
    assert_eq!(notes(&heard), ["nothing sounds"]);
    let refused = api.refused("svc-render", json!({"path": "s0", "strict": true}));
    assert!(refused.contains("3-Audio (silent: "), "{refused}");
}
