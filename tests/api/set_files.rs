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

fn in_folder(folder: &Path) -> Api {
    let allowed_folders = vec![folder.to_str().unwrap().to_owned()];
    Api::with(Settings { allowed_folders, ..Settings::default() })
}

fn live_set(folder: &Path) -> PathBuf {
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

/// Saved before devices could be kept by their names alone, and before tracks kept the default sound they were given.
#[test]
fn sets_of_older_formats_are_read() {
    for (file, midi_track, sound) in [
        ("set-format-2.svcset", "2-Operator", DefaultSound::Keys),
        ("set-format-3.svcset", "Deep Bass", DefaultSound::Bass),
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
    assert_eq!(told["leftOut"]["track delays"], 1);
    assert_eq!(told["unknown"]["device/FrequencyShifter"], 1);
    assert_eq!(told["missingSamples"], json!(["/nowhere/Gone.wav"]));
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
    for what in ["2 return tracks", "2 locators", "the tempo, time signature and scale"] {
        assert!(told["detail"].as_str().unwrap().contains(what), "{told}");
    }
    let set = api.ok("svc-read-live-set", json!({"include": ["tracks"]}));
    let names: Vec<&str> = set["tracks"].as_array().unwrap().iter().filter_map(|t| t["name"].as_str()).collect();
    assert_eq!(names, ["1-MIDI", "2-MIDI", "3-Audio", "4-Audio", "Band & Co", "6-Operator", "Take"]);
    assert_eq!(set["tempo"], 120.0);
    assert_eq!(api.ok("svc-read-clip", json!({"path": "t5/s1"}))["name"], "Riff");
    let document = set_of(&api);
    let [group, inside] = [4, 5].map(|at| &document["tracks"][at]);
    assert_eq!((&inside["group"], &inside["midi_channel"]), (&group["serial"], &json!(2)));
    assert_eq!(inside["mixer"]["sends"], json!([0.0, 0.0]));
    let routed = inside["stored"]["output_routing_type"].as_u64();
    assert_eq!(routed, document["tracks"][6]["serial"].as_u64().map(|serial| serial + 1000));
    let clip = &inside["session"][0]["clip"];
    assert_eq!(clip["groove"], document["grooves"][0]["serial"]);
    manage(&api, "import", &path);
    let twice = set_of(&api);
    assert_eq!((twice["tracks"].as_array().unwrap().len(), twice["scenes"].as_array().unwrap().len()), (10, 8));
    api.ok("svc-manage", json!({"action": "undo", "steps": 2}));
    assert_eq!(set_of(&api)["tracks"].as_array().unwrap().len(), 4);
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
    assert_eq!((&told["samples"], &told["missingSamples"]), (&json!(1), &json!(["/nowhere/Gone.wav"])));
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
        ("import", at("half.wav"), "damaged"),
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
