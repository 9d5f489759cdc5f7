//! `open`, `save`, `import` and `export` of `svc-manage`: Sets in files.

use crate::support::Api;
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use svc_device::device::packed_state;
use svc_device::device::set_files::read_set_file;
use svc_device::device::state::StateParts;
use svc_device::live_files::{SampleSearch, read_set};
use svc_device::object_model::default_sound::DefaultSound;
use svc_device::paths::AllowedFolders;
use svc_device::service::Settings;
use svc_device::set::Document;

#[path = "../laws/set_files.rs"]
mod laws;

const LIVE_SET: &str = include_str!("../../src/live_files/tests/one_of_each.xml");

pub fn in_folder(folder: &Path) -> Api {
    let allowed_folders = vec![folder.to_str().unwrap().to_owned()];
    Api::with(Settings { allowed_folders, ..Settings::default() })
}

pub fn live_set(folder: &Path) -> PathBuf {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(LIVE_SET.as_bytes()).unwrap();
    let path = folder.join("song.als");
    std::fs::write(&path, packer.finish().unwrap()).unwrap();
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audio/half.wav"), folder.join("half.wav"))
        .unwrap();
    path
}

fn manage(api: &Api, action: &str, file: &Path) -> Value {
    api.ok("svc-manage", json!({"action": action, "file": file}))
}

fn set_of(api: &Api) -> Value {
    serde_json::from_str::<Value>(&api.device.save_state()).unwrap()["set"].take()
}

/// Whatever a Set holds, its file holds it, and the same bytes each time.
pub fn comes_back(document: &Document) {
    let packed = |document: &Document| {
        let parts = StateParts { settings: &Settings::default(), document, id: "a", revision: 1, log: None };
        let mut bytes = Vec::new();
        packed_state::write(&mut bytes, |to| parts.write(to)).unwrap();
        bytes
    };
    let bytes = packed(document);
    let read = packed_state::read(bytes.as_slice()).unwrap().document;
    assert_eq!(&read, document);
    assert_eq!(packed(&read), bytes);
}

proptest! {
    /// Of Sets as files of Live may spell them, with everything that can be read.
    #[test]
    fn any_set_that_was_read_comes_back(
        at in 0usize..LIVE_SET.len(), length in 0usize..40, put in "[<>/=\"A-Za-z0-9. -]{0,12}",
    ) {
        let mut xml = LIVE_SET.as_bytes().to_vec();
        xml.splice(at..(at + length).min(xml.len()), put.bytes());
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(&xml).unwrap();
        if let Ok(read) = read_set(packer.finish().unwrap().as_slice(), SampleSearch::default()) {
            comes_back(&read.document);
        }
    }
}

/// 2: saved before devices could be kept by their names alone. 3: before chains had zones. 4: before Impulses had
/// samples, and tracks delays. 5: before audio clips had fades.
#[test]
fn a_set_of_an_older_format_is_read() {
    for format in [2, 3, 4, 5, 6] {
        let name = format!("tests/fixtures/set-format-{format}.svcset");
        let read =
            read_set_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name), &AllowedFolders::default()).unwrap();
        let names = read.document().tracks.iter().map(|track| read.document().track_name(track));
        assert_eq!(names.collect::<Vec<_>>(), ["Band & Co", "2-Operator", "Take"]);
        comes_back(read.document());
    }
}

#[test]
fn a_damaged_set_is_opened_up_to_its_damage() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (in_folder(folder.path()), folder.path().join("cut.als"));
    let behind = LIVE_SET.find("</GroupTrack>").unwrap() + "</GroupTrack>".len();
    std::fs::write(&path, &LIVE_SET[..behind]).unwrap();
    let refused = api.refused("svc-manage", json!({"action": "open", "file": path}));
    assert!(refused.contains("salvage: true"), "{refused}");
    let opened = api.ok("svc-manage", json!({"action": "open", "file": path, "salvage": true}));
    assert_eq!((&opened["tracks"], &opened["scenes"]), (&json!(1), &json!(1)));
    let cut = opened["willSoundDifferent"][0].as_str().unwrap();
    assert!(cut.starts_with("cut off: the file is damaged at /Ableton/LiveSet"), "{cut}");
    let refused = api.refused("svc-manage", json!({"action": "save", "file": path, "salvage": true}));
    assert!(refused.contains("salvage"), "{refused}");
}

/// What is kept of a file and has no member in the object model, and what was not read of it, is told where it stands.
#[test]
fn devices_say_what_was_kept_and_what_was_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
    manage(&api, "open", &path);
    let detail = |path: &str| api.ok("svc-read-device", json!({"path": path}))["detail"].clone();
    let parameter = |name: &str| {
        let read =
            api.ok("svc-read-device", json!({"path": "t1/d2", "include": ["param-values"], "paramSearch": name}));
        read["parameters"][0]["detail"].clone()
    };
    let unread = detail("t1/d2").as_str().unwrap().to_owned();
    assert!(unread.ends_with("of its parameters were not read from the file, and are as in a new device"), "{unread}");
    let not_read = json!("not read from the file: as in a new device");
    assert_eq!((parameter("Feedback"), parameter("Dry Wet")), (Value::Null, not_read));
    // What is written is known.
    api.ok("svc-update-device", json!({"path": "t1/d2", "params": [{"name": "Dry Wet", "value": 40}]}));
    assert_eq!(parameter("Dry Wet"), Value::Null);
    let count = |text: &str| text.split(' ').next().unwrap().parse::<u32>().unwrap();
    assert_eq!(count(detail("t1/d2").as_str().unwrap()) + 1, count(&unread));
    api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!(detail("t1/d2"), unread);

    let zones = "sounds at keys C-1 to B3, velocities 11 to 99, chain selector 5 to 40 with fades from 8 to 33";
    assert_eq!(detail("t1/d6/c0"), zones);
    let samples = detail("t1/d6/c0/d0").as_str().unwrap().to_owned();
    assert!(
        samples.contains("samples: half.wav (keys C0 to B2 with fades from F#0 to D2, velocities 20 to 90"),
        "{samples}"
    );
    assert!(samples.ends_with("High.wav"), "{samples}");
    let slots = detail("t1/d11").as_str().unwrap().to_owned();
    assert!(slots.ends_with("samples: half.wav (slot 2, D3), half.wav (slot 7, B3)"), "{slots}");
    // Its samples are collected with the others.
    let told = manage(&api, "export", &folder.path().join("out.svcset"));
    assert_eq!(told["missingSamples"], json!(["/nowhere/Gone.wav", "/nowhere/High.wav"]), "{told}");
}

#[test]
fn track_delays_are_kept_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
    manage(&api, "open", &path);
    let told = |api: &Api| {
        ["t0", "t1", "t2"].map(|path| {
            let detail = api.ok("svc-read-track", json!({"path": path}))["detail"].clone();
            detail.as_str().unwrap_or_default().split("; ").find(|part| part.contains("delay")).map(str::to_owned)
        })
    };
    let delay = |by: &str| Some(format!("track delay {by}"));
    assert_eq!(told(&api), [None, delay("-441 samples"), delay("5.25 ms")]);
    // It goes with a copy, and through a file of our own.
    let file = folder.path().join("kept.svcset");
    manage(&api, "save", &file);
    let copy = api.ok("svc-duplicate", json!({"path": "t2", "type": "track"}));
    let read = api.ok("svc-read-track", json!({"path": copy["path"]}));
    assert!(read["detail"].as_str().is_some_and(|detail| detail.contains("track delay 5.25 ms")), "{read}");
    manage(&api, "open", &file);
    assert_eq!(told(&api), [None, delay("-441 samples"), delay("5.25 ms")]);
}

/// What the Arrangement moves is told by reads, and moves the copy's own in a copy.
#[test]
fn automation_of_the_arrangement_is_read_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
    manage(&api, "open", &path);
    let strip = |path: &str| api.ok("svc-read-track", json!({"path": path, "include": ["mixer"]}));
    let told = |read: &Value, what: &str| {
        let detail = read["detail"].as_str().unwrap_or_default().to_owned();
        assert!(detail.split("; ").any(|told| told == what), "{what}: {read}");
    };
    let riff = strip("t1");
    assert_eq!(riff["automation"], json!(["gainDb", "leftPan"]));
    told(&riff, "gainDb is moved by the Arrangement: 0.0 dB at 1|1, -6.0 dB at 5|1");
    told(&strip("t0"), "send A-Plate is moved by the Arrangement: -6.0 dB at 3|1");
    // A Set with it is saved, opened and imported.
    let own = folder.path().join("own.svcset");
    manage(&api, "save", &own);
    manage(&api, "open", &own);
    told(&strip("t1"), "gainDb is moved by the Arrangement: 0.0 dB at 1|1, -6.0 dB at 5|1");
    let other = in_folder(folder.path());
    manage(&other, "import", &own);
    let imported = other.ok("svc-read-track", json!({"path": "t4", "include": ["mixer"]}));
    told(&imported, "send C-Plate is moved by the Arrangement: -6.0 dB at 2|4");
    // A copy's are its own, also those in its clips.
    api.ok("svc-duplicate", json!({"type": "track", "path": "t1"}));
    told(&strip("t2"), "gainDb is moved by the Arrangement: 0.0 dB at 1|1, -6.0 dB at 5|1");
    let set = set_of(&api);
    let parameters = |track: usize| -> Vec<u64> {
        let track = &set["tracks"][track];
        let drawn = track["session"][0]["clip"]["envelopes"].as_array().unwrap();
        let all = drawn.iter().chain(track["automation"].as_array().unwrap());
        all.map(|envelope| envelope["parameter"].as_u64().unwrap()).collect()
    };
    let (was, is) = (parameters(1), parameters(2));
    assert_eq!((was.len(), is.len()), (4, 4));
    assert!(was.iter().all(|parameter| !is.contains(parameter)), "{was:?} {is:?}");
}

/// Saved before devices could be kept by their names alone, and before tracks kept the default sound they were given.
#[test]
fn sets_of_older_formats_are_read() {
    for (file, midi_track, sound) in [
        ("set-format-2.svcset", "2-Operator", DefaultSound::Keys),
        ("set-format-3-sounds.svcset", "Deep Bass", DefaultSound::Bass),
        ("set-format-4.svcset", "2-Operator", DefaultSound::Keys),
    ] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(file);
        let read = read_set_file(&file, &AllowedFolders::default()).unwrap();
        let names: Vec<String> = read.document().tracks.iter().map(|track| read.document().track_name(track)).collect();
        assert_eq!(names, ["Band & Co", midi_track, "Take"]);
        let sounds: Vec<Option<DefaultSound>> =
            read.document().tracks.iter().map(|track| track.default_sound()).collect();
        assert_eq!(sounds, [None, Some(sound), None]);
        comes_back(read.document());
    }
}

/// The seeds of the fuzz targets, and each of them cut off and spoilt.
#[test]
fn the_laws_hold_of_seeds_and_what_becomes_of_them() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let mut tried = 0;
    for (folder, law) in [("live_set", laws::live_set as fn(&[u8])), ("svcset", laws::state)] {
        for entry in std::fs::read_dir(corpus.join(folder)).unwrap().flatten() {
            let seed = std::fs::read(entry.path()).unwrap();
            law(&seed);
            laws::compressed_live_set(&seed);
            for at in (0..seed.len()).step_by(seed.len() / 50 + 1) {
                law(&seed[..at]);
                let mut spoilt = seed.clone();
                spoilt[at] ^= 0x10;
                law(&spoilt);
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn a_live_set_is_opened_as_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
    api.ok("svc-update-track", json!({"path": "t0", "name": "Before"}));
    let before = set_of(&api);
    let bytes = std::fs::read(&path).unwrap();
    let told = manage(&api, "open", &path);
    assert_eq!(
        (&told["savedBy"], &told["tracks"], &told["scenes"]),
        (&json!("Ableton Live 12.3.6"), &json!(3), &json!(2))
    );
    assert_eq!(told["leftOut"]["links between tracks"], 1);
    assert_eq!(told["unknown"]["device/FrequencyShifter"], 1);
    assert_eq!(told["missingSamples"], json!(["/nowhere/High.wav", "/nowhere/Gone.wav"]));
    let track = api.ok("svc-read-track", json!({"path": "t1", "include": ["devices"]}));
    assert_eq!(track["name"], "2-Operator");
    let shown: Vec<&str> = track["devices"].as_array().unwrap().iter().filter_map(|d| d["name"].as_str()).collect();
    assert!(shown.contains(&"Ring") && shown.contains(&"Wobble"), "{track}");
    let clip = api.ok("svc-read-clip", json!({"path": "t1/s1"}));
    assert_eq!(clip["name"], "Riff");
    // Nothing of the file has an id that something of the Set before had.
    let opened = set_of(&api);
    assert!(opened["tracks"][0]["serial"].as_u64() >= before["next_serial"].as_u64());
    api.ok("svc-manage", json!({"action": "undo"}));
    let mut back = set_of(&api);
    back["next_serial"] = before["next_serial"].clone();
    assert_eq!(back, before);
    api.ok("svc-manage", json!({"action": "redo"}));
    assert_eq!(set_of(&api), opened);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn tracks_are_imported_behind_those_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
    let told = manage(&api, "import", &path);
    // The send to the other one is switched off.
    let unused = "1 return tracks that none of its tracks uses";
    assert_eq!(told["detail"], format!("not imported: {unused}, the tempo, time signature and scale"));
    let set = api.ok("svc-read-live-set", json!({"include": ["tracks"]}));
    let names: Vec<&str> = set["tracks"].as_array().unwrap().iter().filter_map(|t| t["name"].as_str()).collect();
    assert_eq!(names, ["1-MIDI", "2-MIDI", "3-Audio", "4-Audio", "Band & Co", "6-Operator", "Take"]);
    assert_eq!(set["tempo"], 120.0);
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t5/s1"}))["name"], "Riff");
    let document = set_of(&api);
    let [group, inside] = [4, 5].map(|at| &document["tracks"][at]);
    assert_eq!((&inside["group"], &inside["midi_channel"]), (&group["serial"], &json!(2)));
    // What the group sends to comes along, behind the two return tracks that are here.
    let names = |list: &str| -> Vec<Value> {
        document[list].as_array().unwrap().iter().map(|track| track["name"].clone()).collect()
    };
    assert_eq!(names("returns")[2..], ["Plate"]);
    assert_eq!(group["mixer"]["sends"], json!([0.0, 0.0, 0.85]));
    for track in document["tracks"].as_array().unwrap()[0..4].iter().chain(document["returns"].as_array().unwrap()) {
        assert_eq!(track["mixer"]["sends"].as_array().unwrap()[2..], [0.0]);
    }
    assert_eq!(names("cue_points"), ["Verse", "Chorus"]);
    let routed = inside["stored"]["output_routing_type"].as_u64();
    assert_eq!(routed, document["tracks"][6]["serial"].as_u64().map(|serial| serial + 1000));
    let clip = &inside["session"][0]["clip"];
    assert_eq!(clip["groove"], document["grooves"][0]["serial"]);
    let again = manage(&api, "import", &path);
    assert_eq!(
        again["detail"],
        format!(
            "not imported: {unused}, 2 locators at the place of one that is here, the tempo, time signature and scale"
        )
    );
    let twice = set_of(&api);
    assert_eq!((twice["tracks"].as_array().unwrap().len(), twice["scenes"].as_array().unwrap().len()), (10, 8));
    api.ok("svc-manage", json!({"action": "undo", "steps": 2}));
    assert_eq!(set_of(&api)["tracks"].as_array().unwrap().len(), 4);
}

/// A Live Clip is a Set of one track with its clip and devices: it comes as that track.
#[test]
fn a_live_clip_becomes_a_track() {
    let folder = tempfile::tempdir().unwrap();
    let clip = r#"<MidiClip Id="0" Time="0"><CurrentStart Value="0"/><CurrentEnd Value="4"/><Loop><LoopStart Value="0"/>
        <LoopEnd Value="4"/><StartRelative Value="0"/><LoopOn Value="true"/><OutMarker Value="4"/></Loop>
        <Name Value="Bass line"/><Color Value="5"/><Notes><KeyTracks><KeyTrack Id="0"><Notes><MidiNoteEvent Time="1"
        Duration="0.5" Velocity="90"/></Notes><MidiKey Value="36"/></KeyTrack></KeyTracks></Notes></MidiClip>"#;
    let xml = format!(
        r#"<Ableton MajorVersion="5" MinorVersion="11.0_11300"><LiveSet><Tracks><MidiTrack Id="3"><Name><UserName
        Value="Bass"/></Name><DeviceChain><MainSequencer><ClipSlotList><ClipSlot Id="0"><ClipSlot><Value>{clip}</Value>
        </ClipSlot></ClipSlot></ClipSlotList></MainSequencer><DeviceChain><Devices><MidiPitcher><Pitch><Manual
        Value="12"/></Pitch></MidiPitcher></Devices></DeviceChain></DeviceChain></MidiTrack></Tracks><MasterTrack/>
        <Scenes><Scene Id="0"/></Scenes></LiveSet></Ableton>"#
    );
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(xml.as_bytes()).unwrap();
    let path = folder.path().join("Bass line.alc");
    std::fs::write(&path, packer.finish().unwrap()).unwrap();
    let api = in_folder(folder.path());
    manage(&api, "import", &path);
    let track = api.ok("svc-read-track", json!({"path": "t4", "include": ["devices", "session-clips"]}));
    assert_eq!((&track["name"], &track["sessionClips"][0]["name"]), (&json!("Bass"), &json!("Bass line")), "{track}");
    assert_eq!(track["devices"][0]["type"], "midi-effect: Pitch", "{track}");
    // Where a preset is asked for, it is told where to go.
    let refusal = api.refused("svc-create-device", json!({"preset": folder.path().join("x.adv"), "path": "t0"}));
    assert!(refusal.contains("allowedFolders"), "{refusal}");
}

/// Return tracks come along as far as tracks use them, by whatever way, and as many as a Set may have.
#[test]
fn return_tracks_that_are_used_are_imported() {
    let folder = tempfile::tempdir().unwrap();
    let other = in_folder(folder.path());
    // A and B are there; t0 sends to C, C to D, t1 leaves by E, and nothing goes to F.
    for _ in 0..4 {
        other.ok("svc-create-track", json!({"path": "rt+"}));
    }
    other.edit_saved(|set| {
        for (track, name) in set["returns"].as_array_mut().unwrap().iter_mut().zip(["A", "B", "C", "D", "E", "F"]) {
            track["name"] = json!(name);
        }
        set["tracks"][0]["mixer"]["sends"][2] = json!(0.85);
        set["returns"][2]["mixer"]["sends"][3] = json!(0.5);
        let to = set["returns"][4]["serial"].as_u64().unwrap() + 1000;
        set["tracks"][1]["stored"] = json!({"output_routing_type": to});
    });
    let file = folder.path().join("other.svcset");
    manage(&other, "save", &file);

    let api = in_folder(folder.path());
    let told = manage(&api, "import", &file);
    let left = "3 return tracks that none of its tracks uses, the tempo, time signature and scale";
    assert_eq!(told["detail"], format!("not imported: {left}"));
    let set = set_of(&api);
    let names: Vec<&str> = set["returns"].as_array().unwrap().iter().filter_map(|t| t["name"].as_str()).collect();
    assert_eq!(names[names.len() - 3..], ["C", "D", "E"], "{names:?}");
    assert_eq!(set["tracks"][4]["mixer"]["sends"].as_array().unwrap()[2..].iter().filter(|s| **s != 0.0).count(), 1);
    assert!(set["returns"][2]["mixer"]["sends"][3].as_f64().unwrap() > 0.0);
    let routed = set["tracks"][5]["stored"]["output_routing_type"].as_u64();
    assert_eq!(routed, set["returns"][4]["serial"].as_u64().map(|serial| serial + 1000));
    // Five, eight, eleven, and of the next three one.
    for _ in 0..2 {
        manage(&api, "import", &file);
    }
    let told = manage(&api, "import", &file);
    let left = "2 return tracks, with the sends to them: a Set has at most 12";
    assert!(told["detail"].as_str().unwrap().contains(left), "{told}");
    assert_eq!(set_of(&api)["returns"].as_array().unwrap().len(), 12);
}

#[test]
fn a_set_is_saved_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
    manage(&api, "open", &path);
    api.ok("svc-context", json!({"action": "write", "scope": "project", "content": "of the song"}));
    let saved = folder.path().join("mine.svcset");
    let told = manage(&api, "save", &saved);
    assert_eq!(told["bytes"].as_u64(), Some(std::fs::metadata(&saved).unwrap().len()));
    let read = read_set_file(&saved, &AllowedFolders::default()).unwrap();
    assert_eq!(serde_json::to_value(read.document()).unwrap(), set_of(&api));
    // Another time over the same file.
    api.ok("svc-update-live-set", json!({"tempo": 99}));
    manage(&api, "save", &saved);
    let other = in_folder(folder.path());
    let told = manage(&other, "open", &saved);
    assert_eq!((&told["savedBy"], told.get("leftOut")), (&json!("SVC Device"), None));
    assert_eq!(other.ok("svc-read-live-set", json!({}))["tempo"], 99.0);
    assert_eq!(other.ok("svc-read-clip", json!({"path": "t1/s1"}))["name"], "Riff");
}

#[test]
fn a_set_is_exported_with_its_samples_and_moved() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
    manage(&api, "open", &path);
    let there = folder.path().join("there");
    std::fs::create_dir(&there).unwrap();
    let told = manage(&api, "export", &there.join("mine.svcset"));
    assert_eq!(
        (&told["samples"], &told["missingSamples"]),
        (&json!(1), &json!(["/nowhere/Gone.wav", "/nowhere/High.wav"]))
    );
    let copy = there.join("mine Samples/half.wav");
    assert_eq!(std::fs::read(&copy).unwrap(), std::fs::read(folder.path().join("half.wav")).unwrap());
    // Exporting again copies nothing twice.
    manage(&api, "export", &there.join("mine.svcset"));
    assert_eq!(std::fs::read_dir(there.join("mine Samples")).unwrap().count(), 1);
    let moved = folder.path().join("moved");
    std::fs::rename(&there, &moved).unwrap();
    let other = in_folder(folder.path());
    manage(&other, "open", &moved.join("mine.svcset"));
    let placed = &set_of(&other)["tracks"][2]["arrangement"][0]["clip"]["content"]["audio"]["file_path"];
    assert_eq!(placed.as_str(), moved.canonicalize().unwrap().join("mine Samples/half.wav").to_str());
}

/// Nobody has tried to load a sample when the Set is read for the first time.
#[test]
fn what_is_missing_is_told_when_a_set_is_opened_and_by_the_first_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
    let made = in_folder(folder.path());
    let half = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audio/half.wav");
    let names = ["Kick.wav", "Loop.wav", "Snare.wav"];
    for name in names {
        std::fs::copy(&half, at(name)).unwrap();
    }
    let pads =
        json!([{"name": "pC1/sample", "value": at("Kick.wav")}, {"name": "pD1/sample", "value": at("Snare.wav")}]);
    made.ok("svc-create-device", json!({"device": "Drum Rack", "path": "t0", "params": pads}));
    made.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C1 1|1 D1 1|2"}));
    made.ok("svc-create-clip", json!({"path": "t2/s0", "sampleFile": at("Loop.wav")}));
    let whole = at("song.svcset");
    manage(&made, "save", &whole);
    names.iter().for_each(|name| std::fs::remove_file(at(name)).unwrap());
    for (action, rack_track, loop_track) in [("open", "t0", "t2"), ("import", "t4", "t6")] {
        let api = in_folder(folder.path());
        let told = manage(&api, action, &whole);
        assert_eq!(told["missingSamples"], json!(names.map(at)), "{action}: {told}");
        let sounds = |tool: &str, path: String| api.ok(tool, json!({"path": path}))["sounds"].clone();
        let gone = |name: &str| format!("{name}: there is no such file");
        let rack = format!("silent: no instrument in its chains sounds: {}, {}", gone("Kick.wav"), gone("Snare.wav"));
        assert_eq!(sounds("svc-read-track", rack_track.to_owned()), rack, "{action}");
        assert_eq!(sounds("svc-read-device", format!("{rack_track}/d0")), rack, "{action}");
        let pad = format!("silent: {}", gone("Kick.wav"));
        assert_eq!(sounds("svc-read-device", format!("{rack_track}/d0/pC1/d0")), pad, "{action}");
        assert_eq!(sounds("svc-read-track", loop_track.to_owned()), format!("silent: {}", gone("Loop.wav")));
        let heard = crate::render::render(&api, json!({"path": "s0"}));
        if action == "open" {
            let why = heard["silent"].as_array().unwrap().iter().find(|one| one["path"] == "t0").unwrap();
            assert_eq!(why["why"], rack["silent: ".len()..]);
        }
        // A file that came back is played.
        std::fs::copy(&half, at("Kick.wav")).unwrap();
        crate::render::render(&api, json!({"path": "s0"}));
        let some = format!("approximate: Simpler, Simpler (silent: {})", gone("Snare.wav"));
        assert_eq!(sounds("svc-read-device", format!("{rack_track}/d0")), some, "{action}");
        let some = format!("approximate: Drum Rack (partly silent: {})", gone("Snare.wav"));
        assert_eq!(sounds("svc-read-track", rack_track.to_owned()), some, "{action}");
        std::fs::remove_file(at("Kick.wav")).unwrap();
    }
}

/// A folder is made where there is a sample to put into it, and nothing is left of an export that fails.
#[test]
fn an_export_leaves_no_more_than_it_has_to() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().map(|at| at.file_name()).collect();
        names.sort();
        names
    };
    let told = manage(&api, "export", &folder.path().join("bare.svcset"));
    assert_eq!(told["samples"], 0, "{told}");
    assert!(!folder.path().join("bare Samples").exists());
    manage(&api, "open", &path);
    std::fs::write(folder.path().join("full Samples"), "in the way").unwrap();
    let before = names();
    let refused = api.refused("svc-manage", json!({"action": "export", "file": folder.path().join("full.svcset")}));
    assert!(refused.contains("the folder of its samples cannot be made"), "{refused}");
    assert_eq!(names(), before);
}

#[cfg(feature = "test-tools")]
pub mod as_jobs {
    use super::*;
    use std::time::{Duration, Instant};

    /// Jobs that keep all others waiting, until they are stepped on.
    pub fn occupy(api: &Api, name: &str) -> [String; 2] {
        let names = ["one", "two"].map(|which| format!("{name} {which}"));
        std::thread::scope(|threads| {
            for job in &names {
                threads.spawn(move || api.ok("svc-test", json!({"behave": "job", "job": job})));
            }
        });
        names
    }

    pub fn set_free(api: &Api, names: &[String]) {
        for job in names {
            for _ in 0..3 {
                api.ok("svc-test", json!({"behave": "step", "job": job}));
            }
        }
    }

    fn ended(api: &Api, id: &Value) -> Value {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let job = api.ok("svc-read-job", json!({"id": id}));
            if job["state"] != "waiting" && job["state"] != "running" {
                return job;
            }
            assert!(Instant::now() < end, "{job} never ends");
        }
    }

    fn track_names(api: &Api) -> Vec<String> {
        let set = api.ok("svc-read-live-set", json!({"include": ["tracks"]}));
        set["tracks"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn an_import_commits_against_the_set_as_it_is_then() {
        let folder = tempfile::tempdir().unwrap();
        let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
        let others = occupy(&api, "import");
        let answer = manage(&api, "import", &path);
        let id = &answer["job"]["id"];
        assert_eq!((&answer["job"]["state"], &answer["job"]["tool"]), (&json!("waiting"), &json!("svc-manage")));
        assert_eq!(answer["job"]["title"].as_str(), Some(format!("import {}", path.display()).as_str()));
        api.ok("svc-update-track", json!({"path": "t0", "name": "Meanwhile"}));
        set_free(&api, &others);
        let done = ended(&api, id);
        assert_eq!((&done["state"], &done["result"]["tracks"]), (&json!("done"), &json!(3)), "{done}");
        let bytes = std::fs::metadata(&path).unwrap().len();
        assert_eq!((&done["progress"]["done"], &done["progress"]["total"]), (&json!(bytes), &json!(bytes)), "{done}");
        assert!(done["progress"]["text"].as_str().unwrap().ends_with("song.als: 100 %"), "{done}");
        assert_eq!(track_names(&api)[0..5], ["Meanwhile", "2-MIDI", "3-Audio", "4-Audio", "Band & Co"]);
        let steps = api.ok("svc-read-history", json!({}));
        assert_eq!(steps["steps"][0]["tool"], "svc-manage", "{steps}");
        api.ok("svc-manage", json!({"action": "undo"}));
        assert_eq!(track_names(&api), ["Meanwhile", "2-MIDI", "3-Audio", "4-Audio"]);
    }

    #[test]
    fn one_that_is_cancelled_leaves_no_step_and_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
        manage(&api, "open", &path);
        let before = (api.saved(), std::fs::read_dir(folder.path()).unwrap().count());
        let others = occupy(&api, "cancelled");
        let ids: Vec<Value> = std::thread::scope(|threads| {
            let start = |action, file: PathBuf| {
                let api = &api;
                threads.spawn(move || manage(api, action, &file)["job"]["id"].clone())
            };
            let jobs = [start("open", path.clone()), start("export", folder.path().join("mine.svcset"))];
            jobs.into_iter().map(|job| job.join().unwrap()).collect()
        });
        for id in &ids {
            let cancelled = api.ok("svc-manage", json!({"action": "cancel", "id": id}));
            assert_eq!(cancelled["state"], "cancelled", "{cancelled}");
        }
        set_free(&api, &others);
        // Whoever comes next has its turn behind them.
        let next = manage(&api, "save", &folder.path().join("next.svcset"));
        assert!(next["bytes"].as_u64().is_some(), "{next}");
        std::fs::remove_file(folder.path().join("next.svcset")).unwrap();
        assert_eq!((api.saved(), std::fs::read_dir(folder.path()).unwrap().count()), before);
    }

    #[test]
    fn another_project_ends_what_was_begun_for_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
        let others = occupy(&api, "project");
        let id = manage(&api, "import", &path)["job"]["id"].clone();
        let saved = api.saved();
        api.device.load_state(&saved);
        set_free(&api, &others);
        let end = ended(&api, &id);
        // It is cancelled, or finds the other project there if it was faster.
        let why = ["another project was loaded", "the Set was replaced while the call ran; send it again"];
        assert!(end["detail"].as_str().is_some_and(|detail| why.contains(&detail)), "{end}");
        assert_eq!(track_names(&api).len(), 4);
    }
}

/// A device that cannot write its state.
pub fn without_a_disk(folder: &Path) -> Api {
    let data = folder.join("data");
    // Something that no file replaces lies where the state is to be.
    std::fs::create_dir_all(data.join("state.json/in the way")).unwrap();
    let state = svc_device::device::state_file::StateFile::new(&data, None);
    let allowed_folders = vec![folder.to_str().unwrap().to_owned()];
    let settings = Settings { allowed_folders, ..Settings::default() };
    Api::keeping(settings, svc_device::device::Persistence::File(state))
}

/// An answer speaks of its own change too: of one that takes long to be saved, and of one that cannot be.
#[test]
fn an_answer_says_what_of_its_own_change_is_not_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (without_a_disk(folder.path()), live_set(folder.path()));
    let answer = api.envelope("svc-manage", "", &json!({"action": "open", "file": path}));
    assert_eq!(answer["isError"], false, "{answer}");
    // Why not, or, on a busy disk, that it is not there yet.
    assert!(answer["warnings"].to_string().contains("saved: false. The "), "{answer}");
    assert_eq!(api.ok("svc-read-live-set", json!({}))["tempo"], 133.5);
}

#[test]
fn what_is_refused_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (outside, inside) = (tempfile::tempdir().unwrap(), folder.path());
    let (api, live) = (in_folder(inside), live_set(inside));
    let elsewhere = live_set(outside.path());
    std::fs::write(inside.join("text.svcset"), "no Set").unwrap();
    std::os::unix::fs::symlink(&elsewhere, inside.join("link.als")).unwrap();
    let at = |name: &str| inside.join(name).to_str().unwrap().to_owned();
    let allowed = "only in the folders that allowedFolders and sampleFolder name";
    for (action, file, why) in [
        ("open", elsewhere.to_str().unwrap().to_owned(), allowed),
        ("open", outside.path().join("gone.als").to_str().unwrap().to_owned(), allowed),
        ("save", outside.path().join("new.svcset").to_str().unwrap().to_owned(), allowed),
        ("open", at("link.als"), allowed),
        ("open", format!("{}/../x.als", inside.display()), "without .."),
        ("open", "song.als".to_owned(), "absolute path"),
        ("open", at("gone.als"), "there is no such file"),
        ("open", at("text.svcset"), "damaged"),
        ("open", at("half.wav"), "it is no Set: an .als of Ableton Live is one, or an .svcset or .json of SVC Device"),
        ("import", at("half.wav"), "it is no Set"),
        ("save", at("song.als"), "ends in .svcset"),
        ("save", at("text.svcset"), "stays as it is"),
        ("export", at("no/new.svcset"), "there is no such file or folder"),
    ] {
        let refused = api.refused("svc-manage", json!({"action": action, "file": file}));
        assert!(refused.contains(why), "{action} {file}: {refused}");
    }
    assert!(api.refused("svc-manage", json!({"action": "open"})).contains("open needs a file"));
    assert!(api.refused("svc-manage", json!({"action": "undo", "file": live})).contains("file"));
    assert_eq!(std::fs::read(inside.join("text.svcset")).unwrap(), b"no Set");
    assert!(!outside.path().join("new.svcset").exists());
}

#[test]
fn reopened_sets_take_few_ids() {
    let folder = tempfile::tempdir().unwrap();
    let (api, file) = (in_folder(folder.path()), folder.path().join("mine.svcset"));
    let mut next = Vec::new();
    for _ in 0..4 {
        manage(&api, "save", &file);
        manage(&api, "open", &file);
        next.push(set_of(&api)["next_serial"].as_u64().unwrap());
    }
    let grown: Vec<u64> = next.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(grown.iter().all(|by| *by == grown[0] && *by < 100), "{next:?}");
}

/// Beside the Set lies a file of its sample's name that is no sound here.
#[test]
fn samples_of_other_kinds_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
    let sample = folder.path().join("half.wav");
    std::fs::write(&sample, b"\0\0\0\x20ftypM4A \0\0\0\0").unwrap();
    let opened = manage(&api, "open", &path);
    let why = opened["unplayableSamples"][sample.to_str().unwrap()].as_str().unwrap_or_else(|| panic!("{opened}"));
    assert!(why.starts_with("it is an MPEG-4 file"), "{why}");
    assert!(!opened["missingSamples"].to_string().contains("half.wav"), "{opened}");
}

/// Its reason stays known where no sound is made.
#[test]
fn saved_sets_name_unplayable_samples() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
    manage(&api, "open", &path);
    let own = folder.path().join("mine.svcset");
    manage(&api, "save", &own);
    std::fs::write(folder.path().join("half.wav"), "no sound").unwrap();
    let opened = manage(&in_folder(folder.path()), "open", &own);
    let why = &opened["unplayableSamples"][folder.path().join("half.wav").to_str().unwrap()];
    assert!(why.as_str().is_some_and(|why| why.starts_with("the file is no WAV")), "{opened}");
}
