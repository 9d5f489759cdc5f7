//! Twelve short songs through the renderer, with every device that sounds: bits that were accepted, the same whatever
//! block is made at a time and whoever listens, and stems whose sum goes into the main track.

use crate::sample_tree::{put, sound, wav};
use crate::support::Api;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use svc_device::object_model::device_sounds::{Heard, all};
use svc_device::render::offline::{OfflineRender, RenderSettings, Signal, Tail};
use svc_device::render::render_files::{ChosenBy, RenderFiles};
use svc_device::render::rendered::{Unwatched, render};
use svc_device::render::sound_file::Bits;
use svc_device::render::wish::Wish;
use svc_device::set::Document;
use svc_device::sound::samples::SampleCache;

type Parameters = &'static [(&'static str, &'static str)];

/// What a new Set becomes by calls: devices by the place they go to, then clips. A sample stands by its file's name.
struct Song {
    name: &'static str,
    /// Of the bits of the mix and of each track.
    accepted: u64,
    tracks: &'static str,
    devices: &'static [(&'static str, &'static str, Parameters)],
    clips: &'static [(&'static str, &'static str)],
    more: &'static [(&'static str, &'static str)],
}

const KIT: &str = "v110 n/16 C1 1|1,2.5 D1 1|2 v70 F#1 1|1x4@n/8";
const LINE: &str = "v90 n/8 C2 1|1 Eb2 1|1.5 G2 1|2 v60 Bb1 1|2.5";
const CHORD: &str = "v80 n/4 C3 Eb3 G3 1|1 Ab2 C3 F3 1|2";
const KICK: &str = "kick.wav";
const TONE: &str = "tone 120bpm.wav";
const SAMPLES: [(&str, u64); 2] = [(KICK, 7), (TONE, 11)];

const SONGS: [Song; 12] = [
    Song {
        name: "default sounds",
        accepted: 0xb7eb_e72d_e6f9_b3be,
        tracks: "",
        devices: &[],
        clips: &[("t0/s0", KIT), ("t1/s0", CHORD)],
        more: &[
            ("svc-update-track", r#"{"path": "t1", "sendReturn": "A", "sendGainDb": -6, "gainDb": -6, "pan": -0.4}"#),
            ("svc-update-track", r#"{"path": "t0", "gainDb": -6, "sendReturn": "B", "sendGainDb": -9}"#),
        ],
    },
    Song {
        name: "drift",
        accepted: 0x0a50_ea1c_efd4_5211,
        tracks: "",
        devices: &[
            ("t0", "Drift", &[]),
            ("t0", "Auto Filter", &[("Frequency", "800 Hz"), ("LFO Amount", "40 %")]),
            ("t0", "Saturator", &[("Drive", "12 dB"), ("Output", "-9 dB")]),
            ("t0", "Utility", &[("Balance", "30R"), ("Output", "-3 dB")]),
        ],
        clips: &[("t0/s0", LINE)],
        more: &[],
    },
    Song {
        name: "operator",
        accepted: 0x86ca_b027_7ff1_2132,
        tracks: "",
        devices: &[
            ("t0", "Operator", &[]),
            ("t0", "Chorus-Ensemble", &[]),
            ("t1", "Operator", &[]),
            ("t1", "Phaser-Flanger", &[("Mod Freq", "3 Hz")]),
            ("rt1", "Reverb", &[]),
        ],
        clips: &[("t0/s0", CHORD), ("t1/s0", LINE)],
        more: &[("svc-update-track", r#"{"path": "t0", "sendReturn": "B", "sendGainDb": -6}"#)],
    },
    Song {
        name: "kit of samples",
        accepted: 0xd15c_6930_9c90_8f8d,
        tracks: "",
        devices: &[
            ("t0", "Drum Rack", &[]),
            ("t0/d0/pC1", "Simpler", &[("sample", KICK)]),
            ("t0/d0/pD1", "Drum Sampler", &[]),
            ("t0/d0/pF#1", "Simpler", &[("sample", TONE)]),
            ("t0", "Drum Buss", &[("Drive", "40 %"), ("Output", "-6 dB")]),
            ("t0", "Glue Compressor", &[("Threshold", "-25 dB")]),
        ],
        clips: &[("t0/s0", KIT)],
        more: &[],
    },
    Song {
        name: "samplers",
        accepted: 0x395c_bcaa_1e83_0279,
        tracks: "",
        devices: &[
            ("t0", "Simpler", &[("sample", TONE)]),
            ("t0", "Echo", &[]),
            ("t1", "Sampler", &[]),
            ("t1", "Delay", &[]),
        ],
        clips: &[("t0/s0", LINE), ("t1/s0", CHORD)],
        more: &[],
    },
    Song {
        name: "audio clips",
        accepted: 0xdecd_8bd6_d3ad_9466,
        tracks: "t+",
        devices: &[
            ("t2", "EQ Three", &[("GainLo", "-12 dB")]),
            ("t3", "Channel EQ", &[("Mid Gain", "9 dB")]),
            ("t3", "Auto Pan-Tremolo", &[("Frequency", "5 Hz")]),
        ],
        clips: &[("t2/s0", TONE), ("t3/s0", KICK)],
        more: &[("svc-update-clip", r#"{"path": "t2/s0", "warpMode": "tones", "pitchShift": 3}"#)],
    },
    Song {
        name: "stand-ins",
        accepted: 0xa6d5_d08d_5976_c33e,
        tracks: "t+,t+,t+,t+,t+",
        devices: &[
            ("t0", "Analog", &[]),
            ("t1", "Wavetable", &[]),
            ("t4", "Meld", &[]),
            ("t5", "Electric", &[]),
            ("t6", "Tension", &[]),
            ("t7", "Collision", &[]),
            ("t8", "Impulse", &[]),
        ],
        clips: &[
            ("t0/s0", LINE),
            ("t1/s0", LINE),
            ("t4/s0", LINE),
            ("t5/s0", CHORD),
            ("t6/s0", LINE),
            ("t7/s0", LINE),
            ("t8/s0", KIT),
        ],
        more: &[("svc-update-track", r#"{"path": "t0,t1,t4,t5,t6,t7,t8", "gainDb": -12}"#)],
    },
    Song {
        name: "arpeggio",
        accepted: 0xfce2_57c8_af5c_3c05,
        tracks: "",
        devices: &[
            ("t0", "Drift", &[]),
            ("t0", "Arpeggiator", &[("Style", "UpDown"), ("Synced Rate", "1/16")]),
            ("t0", "Pitch", &[("Pitch", "7 st")]),
            ("t0", "Velocity", &[("Out Hi", "70")]),
        ],
        clips: &[("t0/s0", CHORD)],
        more: &[],
    },
    Song {
        name: "note effects",
        accepted: 0x87a7_0bb7_2427_2d35,
        tracks: "",
        devices: &[
            ("t0", "Operator", &[]),
            ("t0", "MIDI Effect Rack", &[]),
            ("t0/d0/c+", "Chord", &[("Shift1", "7 st")]),
            ("t1", "Drift", &[]),
            ("t1", "Random", &[("Chance", "100 %"), ("Choices", "7")]),
            ("t1", "Scale", &[("InternalScale", "Minor")]),
            ("t1", "Note Length", &[("Time Length", "60 ms")]),
        ],
        clips: &[("t0/s0", LINE), ("t1/s0", "v90 n/16 p0.6 C3 1|1x8@n/16 E3 1|1x4@n/8")],
        more: &[],
    },
    Song {
        name: "dynamics",
        accepted: 0x4e51_02d9_4824_5bd7,
        tracks: "",
        devices: &[
            ("t0", "Gate", &[("Threshold", "-20 dB")]),
            ("t1", "EQ Eight", &[("3 Gain A", "8 dB"), ("2 Filter Type A", "High Pass 48dB")]),
            ("t1", "Compressor", &[("Threshold", "-35 dB"), ("Makeup", "On")]),
            ("t1", "Reverb", &[]),
        ],
        clips: &[("t0/s0", KIT), ("t1/s0", CHORD)],
        more: &[("svc-update-track", r#"{"path": "t0,t1", "gainDb": "-6,-9"}"#)],
    },
    Song {
        name: "racks",
        accepted: 0x17dd_bf01_815a_eaa5,
        tracks: "",
        devices: &[
            ("t0", "Instrument Rack", &[]),
            ("t0/d0/c+", "Drift", &[]),
            ("t0/d0/c+", "Operator", &[]),
            ("t0", "Audio Effect Rack", &[]),
            ("t0/d1/c+", "Redux", &[("Bit Depth", "6"), ("Sample Rate", "9 kHz")]),
            ("t0", "Spectrum", &[]),
            ("t0", "Tuner", &[]),
        ],
        clips: &[("t0/s0", LINE)],
        more: &[("svc-update-track", r#"{"path": "t0", "gainDb": -9}"#)],
    },
    Song {
        name: "main",
        accepted: 0xefcb_28fc_ea7c_518a,
        tracks: "",
        devices: &[("mt", "Limiter", &[("Input Gain", "12 dB")])],
        clips: &[("t0/s0", KIT), ("t1/s0", LINE)],
        more: &[
            ("svc-update-track", r#"{"path": "t0,t1", "gainDb": "-6,-9"}"#),
            ("svc-update-scene", r#"{"path": "s0", "tempo": 97.5}"#),
            ("svc-update-clip", r#"{"path": "t1/s0", "envelopes": "volume: 1|1 0 / 1|2 -12"}"#),
        ],
    },
];

/// A song that was made: its Set, what it names, and the devices in it by id with their names.
struct Made {
    api: Api,
    samples: SampleCache,
    devices: Vec<(String, &'static str)>,
}

impl Made {
    fn of(song: &Song, folder: &Path) -> Made {
        let api = Api::new();
        let file = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
        if !song.tracks.is_empty() {
            api.ok("svc-create-track", json!({"path": song.tracks}));
        }
        let mut devices = Vec::new();
        for (path, device, parameters) in song.devices {
            let value = |value: &str| if value.ends_with(".wav") { file(value) } else { value.to_owned() };
            let params: Vec<Value> =
                parameters.iter().map(|(name, set)| json!({"name": name, "value": value(set)})).collect();
            let made = api.ok("svc-create-device", json!({"path": path, "device": device, "params": params}));
            assert!(!made.to_string().contains("\"ok\":false"), "{}: {made}", song.name);
            devices.push((made["id"].as_str().expect("an id").to_owned(), *device));
        }
        for (path, content) in song.clips {
            let arguments = match content.ends_with(".wav") {
                true => json!({"path": path, "sampleFile": file(content)}),
                false => json!({"path": path, "notes": content, "length": "1bar"}),
            };
            api.envelope("svc-create-clip", "", &arguments);
        }
        for (tool, arguments) in song.more {
            let arguments: Value = serde_json::from_str(arguments).expect("JSON");
            let done = api.ok(tool, arguments);
            assert!(!done.to_string().contains("\"ok\":false"), "{}: {done}", song.name);
        }
        let samples = crate::offline_mix::samples(&api);
        Made { api, samples, devices }
    }

    fn document(&self) -> Document {
        self.api.device.set.committed().document.clone()
    }
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, seed) in SAMPLES {
        put(folder.path(), name, &wav(&sound(seed, 0.5)));
    }
    folder
}

/// Half a bar of the first scene and a little of its tail.
fn settings(document: &Document, block_frames: usize) -> RenderSettings {
    let wish = Wish { scene: Some("s0".to_owned()), bars: Some(0.5), ..Wish::default() };
    let stretch = wish.stretch(document).expect("the scene has clips");
    RenderSettings { stretch, rate_hz: 48_000, seed: 1, tail: Tail::Seconds(0.1), block_frames }
}

/// The bits of the mix and of each track.
fn bits(made: &Made, block_frames: usize, parts: bool) -> Vec<Vec<u32>> {
    let document = made.document();
    let mut render = OfflineRender::new(&document, &made.samples, &settings(&document, block_frames), parts);
    let mut bits = vec![Vec::new(); render.tracks().len() + 1];
    while render.advance() {
        let of = |signal: Signal| -> Vec<u32> {
            signal.left.iter().zip(signal.right).flat_map(|(left, right)| [left.to_bits(), right.to_bits()]).collect()
        };
        let tracks = (0..render.tracks().len()).map(|at| render.track(at).expect("every track has a signal"));
        bits.iter_mut()
            .zip([render.main()].into_iter().chain(tracks))
            .for_each(|(bits, signal)| bits.extend(of(signal)));
    }
    bits
}

fn hash(bits: &[Vec<u32>]) -> u64 {
    // FNV-1a.
    let bytes = bits.iter().flatten().flat_map(|bits| bits.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The list was made on Linux: what parameters show goes through the system's powers and logarithms, and those of
/// others differ in their last bits. What is equal among each other here is so on every system.
#[test]
fn songs_have_the_bits_that_were_accepted_in_blocks_of_any_size() {
    let folder = folder();
    let mut is = Vec::new();
    for song in &SONGS {
        let made = Made::of(song, folder.path());
        let meant = bits(&made, 1_024, false);
        for (block, parts) in [(1, false), (17, true), (64, false), (4_096, true)] {
            assert!(bits(&made, block, parts) == meant, "{} in blocks of {block}", song.name);
        }
        is.push((song.name, hash(&meant), song.accepted));
    }
    let differs = is.iter().any(|(_, is, accepted)| is != accepted);
    let listed: String = is.iter().map(|(name, hash, _)| format!("{name}: {hash:#018x}\n")).collect();
    assert!(!differs || !cfg!(all(target_os = "linux", target_arch = "x86_64")), "these are:\n{listed}");
}

/// Each device of the table that is not passed by is in a song, and without it the song is another.
#[test]
fn each_device_that_sounds_is_heard_in_a_song() {
    let folder = folder();
    let (mut heard, mut wrong) = (BTreeSet::new(), Vec::new());
    for song in &SONGS {
        let made = Made::of(song, folder.path());
        let whole = bits(&made, 1_024, false);
        assert!(whole[0].iter().any(|bits| f32::from_bits(*bits).abs() > 0.02), "{} sounds", song.name);
        for (id, device) in &made.devices {
            let switch = |to: &str| {
                let params = json!([{"name": "Device On", "value": to}]);
                made.api.ok("svc-update-device", json!({"id": id, "params": params}));
            };
            switch("off");
            let changes_nothing = ["Spectrum", "Tuner"].contains(device);
            if (bits(&made, 1_024, false)[0] == whole[0]) != changes_nothing {
                wrong.push(format!("{}: {device}", song.name));
            }
            switch("on");
            heard.insert(*device);
        }
    }
    assert!(wrong.is_empty(), "it makes no difference, or one where it should not: {wrong:?}");
    let sounding: BTreeSet<&str> = all().filter(|line| line.heard != Heard::Bypassed).map(|line| line.name).collect();
    assert_eq!(heard, sounding, "every device that sounds, and no other");
}

/// The mix as a file, and its stems where they are asked for.
fn files(made: &Made, folder: &Path, stems: bool) -> (Vec<u8>, Vec<Vec<f32>>) {
    let (document, mix) = (made.document(), folder.join("mix.wav"));
    let stems = stems.then(|| folder.join("stems")).inspect(|stems| std::fs::create_dir_all(stems).expect("a folder"));
    let files = RenderFiles {
        chosen_by: ChosenBy::Hand,
        mix: Some(mix.clone()),
        midi: None,
        stems,
        bits: Bits::Float,
        loudness: None,
    };
    let rendered = render(&document, &made.samples, &settings(&document, 1_024), &files, &Unwatched).expect("rendered");
    (std::fs::read(&mix).expect("a file"), rendered.stem_files.iter().map(|file| floats(file)).collect())
}

fn floats(file: &Path) -> Vec<f32> {
    let mut reader = hound::WavReader::open(file).expect("a WAV file");
    reader.samples::<f32>().map(|sample| sample.expect("a sample")).collect()
}

/// Those of a song whose main track does something are the stems of what goes into it.
#[test]
fn stems_of_every_song_add_up_to_what_goes_into_the_main_track() {
    let (samples, out) = (folder(), tempfile::tempdir().expect("a folder"));
    for song in &SONGS {
        let made = Made::of(song, samples.path());
        let (with, stems) = files(&made, out.path(), true);
        assert!(with == files(&made, out.path(), false).0, "{}: the mix is the same without stems", song.name);
        assert!(!stems.is_empty(), "{}", song.name);
        if song.devices.iter().any(|(path, ..)| *path == "mt") {
            made.api.ok("svc-delete", json!({"type": "device", "path": "mt/d0"}));
            let (plain, same) = files(&made, out.path(), true);
            assert!(plain != with && same == stems, "{}: stems lie before the main track's devices", song.name);
        }
        let mix = floats(&out.path().join("mix.wav"));
        let peak = mix.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
        assert!((0.02..0.89).contains(&peak), "{}: {peak}: the safety clip is straight", song.name);
        for (at, sample) in mix.iter().enumerate() {
            let sum: f32 = stems.iter().map(|stem| stem[at]).sum();
            assert!((sum - sample).abs() < 1e-6, "{}: sample {at}: {sum}, not {sample}", song.name);
        }
    }
}
