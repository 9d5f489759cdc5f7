//! A Live Set as a file: told in words and as JSON (`info`), written as our own (`convert`), and opened (`--open`).

use crate::support::child::{PATIENCE, Start, wait_until};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value as Json, json};
use std::io::Write;
use std::path::Path;
use std::process::Command;

const SET: &str = include_str!("../../src/live_files/tests/one_of_each.xml");

fn info(words: &[&str]) -> (Option<i32>, String, String) {
    run("info", words)
}

fn run(command: &str, words: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_svc-device")).arg(command).args(words).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn saved(folder: &Path, xml: &[u8]) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(xml).expect("compressed");
    let path = folder.join("song.als");
    std::fs::write(&path, encoder.finish().expect("compressed")).expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_set_is_told_in_words_and_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = saved(folder.path(), SET.as_bytes());
    let (code, out, error) = info(&[&path]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    for line in [
        format!("{path}: saved by Ableton Live 12.3.6"),
        "133.5 BPM, 7/8, A Dorian".to_owned(),
        "group  Band & Co".to_owned(),
        "midi   2-Operator in Band & Co: 1 Session and 1 Arrangement clips, 4 notes".to_owned(),
        "return A-Plate".to_owned(),
        "2 scenes, 2 locators".to_owned(),
        "unknown: 1 LiveSet/Hologram".to_owned(),
    ] {
        assert!(out.lines().any(|found| found == line), "{line}:\n{out}");
    }
    let (code, out, _) = info(&["--json", &path]);
    let told: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &told["file"], &told["tempo"]), (Some(0), &json!(path), &json!(133.5)));
    assert_eq!(
        told["tracks"][1],
        json!({"name": "2-Operator", "kind": "midi", "color": told["tracks"][1]["color"], "group": "Band & Co",
            "sessionClips": 1, "arrangementClips": 1, "notes": 4})
    );
    assert_eq!(told["scenes"][0]["timeSignature"], "5/4");
    assert_eq!(told["locators"], json!([{"name": "Verse", "beat": 8.0}, {"name": "Chorus", "beat": 32.0}]));
    assert_eq!(told["report"]["leftOut"]["settings of Echo"], 1);
    // One of its samples lies beside another Set only.
    assert_eq!(told["report"]["leftOut"]["audio clips whose sample has no known length"], 2);
}

#[test]
fn a_refusal_is_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let cut = saved(folder.path(), &SET.as_bytes()[..3_000]);
    let old = folder.path().join("old.als");
    std::fs::write(&old, [0xAB, 0x1E, 0x56, 0x78, 0, 0]).expect("written");
    for (path, why) in [
        (cut.as_str(), "the file is damaged at /Ableton/LiveSet/Tracks/"),
        (cut.as_str(), "--salvage"),
        (old.to_str().expect("UTF-8"), "the file is no Live Set: it was saved by Live 7 or before, in a binary format"),
        ("/nowhere/song.als", "the file could not be read"),
        ("/nowhere/song.svcset", "there is no such file"),
        (folder.path().to_str().expect("UTF-8"), "it is no file"),
    ] {
        let (code, out, error) = info(&[path]);
        assert_eq!((code, out.as_str(), error.lines().count()), (Some(1), "", 1), "{error}");
        assert!(error.starts_with(&format!("svc-device: {path}: ")) && error.contains(why), "{error}");
    }
}

#[test]
fn plain_presets_and_damaged_files_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = folder.path().join("plain.xml");
    std::fs::write(&plain, SET).expect("written");
    let (code, out, _) = info(&[plain.to_str().expect("UTF-8")]);
    assert!(code == Some(0) && out.contains("133.5 BPM"), "{out}");
    let preset = folder.path().join("trim.adv");
    std::fs::write(&preset, "<Ableton><StereoGain><UserName Value=\"Trim\"/></StereoGain></Ableton>").expect("written");
    let (code, out, _) = info(&[preset.to_str().expect("UTF-8")]);
    assert!(
        code == Some(0) && out.contains("a preset; svc-create-device makes the device\n\nUtility \"Trim\""),
        "{out}"
    );
    let (_, out, _) = info(&[preset.to_str().expect("UTF-8"), "--json"]);
    let told: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!(told["preset"]["class"], "StereoGain");
    let cut = saved(folder.path(), &SET.as_bytes()[..3_000]);
    let (code, out, _) = info(&[&cut, "--salvage"]);
    assert!(code == Some(0) && out.contains("\ncut off: the file is damaged at /Ableton/LiveSet/Tracks/"), "{out}");
}

#[test]
fn a_set_is_written_as_our_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = saved(folder.path(), SET.as_bytes());
    let at = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (packed, plain) = (at("song.svcset"), at("song.json"));
    let (code, out, error) = run("convert", &[&path, &packed]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(out.starts_with(&format!("{packed}: written from {path}\n")) && out.contains(" left out, "), "{out}");
    assert_eq!(run("convert", &[&packed, &plain]).0, Some(0));
    let told = |file: &str| {
        let mut told: Json = serde_json::from_str(&info(&[file, "--json"]).1).expect("JSON");
        for member in ["file", "creator", "report"] {
            told[member].take();
        }
        told
    };
    assert_eq!((told(&packed), told(&plain)), (told(&path), told(&path)));
    assert!(info(&[&packed]).1.starts_with(&format!("{packed}: saved by SVC Device\n133.5 BPM, 7/8, A Dorian\n")));
    for (from, to, why) in [
        (path.as_str(), packed.as_str(), "is there already"),
        (&path, &at("song.als"), "ends in .svcset or .json"),
        (&at("gone.svcset"), &at("new.svcset"), "there is no such file"),
        (&path, "/nowhere/new.svcset", "there is no folder /nowhere"),
    ] {
        let (code, out, error) = run("convert", &[from, to]);
        assert_eq!((code, out.as_str(), error.lines().count()), (Some(1), "", 1), "{error}");
        assert!(error.contains(why), "{error}");
    }
    assert!(!Path::new(&at("new.svcset")).exists());
}

#[test]
fn changes_to_a_live_set_are_kept_beside_it_through_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = saved(folder.path(), SET.as_bytes());
    let bytes = std::fs::read(&path).expect("a file");
    let own = folder.path().join("song.svcset");
    let mut device = Start::new().args(["--open", &path]).start();
    assert_eq!(device.call("svc-read-live-set", json!({}))["tempo"], 133.5);
    assert!(device.warnings("svc-update-track", json!({"path": "t1", "name": "mine"})).is_empty());
    // The change is in the log beside the file, or in the file itself.
    let first = std::fs::read(&own).expect("a file");
    let is_log = |entry: std::fs::DirEntry| entry.path().extension().is_some_and(|ending| ending == "log");
    let kept = wait_until(PATIENCE, || {
        let mut beside = std::fs::read_dir(folder.path()).expect("a folder").flatten();
        let logged = beside.any(|entry| entry.metadata().is_ok_and(|about| about.len() > 0) && is_log(entry));
        (logged || std::fs::read(&own).is_ok_and(|now| now != first)).then_some(())
    });
    kept.expect("the change is kept");
    device.kill();
    let (code, _, error) = Start::new().args(["--open", &path]).run();
    assert!(code == Some(1) && error.contains(&format!("--open {}", own.display())), "{error}");
    let again = Start::new().args(["--open".as_ref(), own.as_os_str()]).start();
    assert_eq!(again.call("svc-read-track", json!({"path": "t1"}))["name"], "mine");
    assert_eq!(std::fs::read(&path).expect("a file"), bytes);
}

/// Where the disk takes nothing, that is all that is said, with a way that works; nothing half-written stays.
#[cfg(unix)]
#[test]
fn a_live_set_that_cannot_be_kept_is_refused_with_a_way_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = saved(folder.path(), SET.as_bytes());
    let data = folder.path().join("data");
    let own = folder.path().join("song.svcset");
    // Less than the Set needs; the system would end the program at that.
    let tight = || Start::new().data_dir(&data).after("ulimit -f 1");
    let (code, out, error) = tight().args(["--open", &path]).run();
    let why = format!("the changes to {path} would be kept beside it, and {} cannot be written: ", own.display());
    assert_eq!((code, out.as_str(), error.lines().count()), (Some(1), "", 1), "{error}");
    assert!(error.contains(&why) && error.contains(&format!("svc-device convert \"{path}\" FILE.svcset")), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").flatten().filter(is_half).count(), 0);
    assert!(!own.exists());

    let limited = format!("ulimit -f 1; exec {} convert {path} {}", env!("CARGO_BIN_EXE_svc-device"), own.display());
    let output = Command::new("sh").args(["-c", &limited]).output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{error}");
    assert!(error.contains(&format!("{} could not be written: ", own.display())), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").flatten().filter(is_half).count(), 0);
}

#[cfg(unix)]
fn is_half(entry: &std::fs::DirEntry) -> bool {
    entry.file_name().to_string_lossy().ends_with(".new")
}

/// Samples that were collected beside a Set are found there after both were moved.
#[test]
fn a_moved_set_is_opened_with_its_samples() {
    let folder = tempfile::tempdir().expect("a folder");
    let inside = folder.path().canonicalize().expect("a folder");
    let (there, moved) = (inside.join("there"), inside.join("moved"));
    std::fs::create_dir(&there).expect("a folder");
    let sample = inside.join("loop.wav");
    let sound = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audio/half.wav");
    std::fs::copy(sound, &sample).expect("a sound");
    let device = Start::new().start();
    device.change_config(json!({ "allowedFolders": [inside] }));
    device.call("svc-create-clip", json!({"path": "t2/s0", "sampleFile": sample}));
    let told = device.call("svc-manage", json!({"action": "export", "file": there.join("mine.svcset")}));
    assert_eq!(told["samples"], 1, "{told}");
    drop(device);
    std::fs::rename(&there, &moved).expect("moved");
    std::fs::remove_file(&sample).expect("removed");
    let own = moved.join("mine.svcset");
    let path = |device: &crate::support::child::Device| {
        device.call("svc-read-clip", json!({"path": "t2/s0", "include": ["sample"]}))["sampleFile"].clone()
    };
    let here = json!(moved.join("mine Samples/loop.wav"));
    let device = Start::new().args(["--open".as_ref(), own.as_os_str()]).start();
    assert_eq!(path(&device), here);
    // Written as another file, it names them there too.
    let plain = moved.join("plain.json");
    assert_eq!(run("convert", &[own.to_str().expect("UTF-8"), plain.to_str().expect("UTF-8")]).0, Some(0));
    assert!(std::fs::read_to_string(&plain).expect("a file").contains("moved/mine Samples/loop.wav"));
    // It stays so, however the device ends.
    device.call("svc-update-track", json!({"path": "t0", "name": "mine"}));
    drop(device);
    let device = Start::new().args(["--open".as_ref(), own.as_os_str()]).start();
    assert_eq!((path(&device), std::fs::read_dir(moved.join("mine Samples")).expect("there").count()), (here, 1));
}

fn saved_as(folder: &Path, name: &str, xml: &str) -> String {
    let path = saved(folder, xml.as_bytes());
    let other = folder.join(name);
    std::fs::rename(path, &other).expect("renamed");
    other.to_str().expect("UTF-8").to_owned()
}

#[test]
fn two_files_are_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = saved_as(folder.path(), "old.als", SET);
    let new = saved_as(folder.path(), "new.als", &SET.replace("Band &amp; Co", "Choir").replace("133.5", "140"));
    let (code, out, error) = run("diff", &[&old, &old]);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("hold the same"), "{out}");
    let (code, out, error) = run("diff", &[&old, &new]);
    assert_eq!((code, error.as_str()), (Some(1), ""), "{out}");
    for part in ["2 objects differ", "the Set: tempo 133.5 -> 140", "name \"Band & Co\" -> \"Choir\""] {
        assert!(out.contains(part), "{part}:\n{out}");
    }
    let (code, out, _) = run("diff", &["--json", &old, &new]);
    let told: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, told["changes"].as_array().map(Vec::len)), (Some(1), Some(2)), "{told}");
    let own = folder.path().join("own.svcset");
    let own = own.to_str().expect("UTF-8");
    assert_eq!(run("convert", &[&old, own]).0, Some(0));
    assert_eq!(run("diff", &[&old, own]).0, Some(0), "{}", run("diff", &[&old, own]).1);
    assert_eq!(run("diff", &[&old, "/nowhere/a.als"]).0, Some(2));
    assert_eq!(run("diff", &[&old]).0, Some(2), "wrong arguments");
}

#[test]
fn a_file_is_looked_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = saved(folder.path(), SET.as_bytes());
    let (code, out, error) = run("lint", &[&path]);
    assert_eq!((code, error.as_str()), (Some(1), ""), "{out}");
    for part in ["Missing samples (", "/nowhere/Gone.wav: there is no such file", "1 frozen, read as unfrozen"] {
        assert!(out.contains(part), "{part}:\n{out}");
    }
    let (code, out, _) = run("lint", &["--json", &path]);
    let told: Json = serde_json::from_str(&out).expect("JSON");
    let findings = told["findings"].as_array().expect("a list");
    assert_eq!((code, &told["file"]), (Some(1), &json!(path)));
    assert!(findings.iter().all(|one| one["kind"].is_string() && one["why"].is_string()), "{told}");
    assert_eq!(run("lint", &["/nowhere/a.als"]).0, Some(2));
    std::fs::write(folder.path().join("half.wav"), b"\0\0\0\x20ftypM4A \0\0\0\0").expect("written");
    let (_, out, _) = run("lint", &[&path]);
    assert!(out.contains("Samples that cannot be played (1") && out.contains("half.wav: it is "), "{out}");
    let (_, out, _) = run("info", &[&path]);
    assert!(out.contains("\nsamples that cannot be played: ") && !out.contains("missing samples: half.wav"), "{out}");
    // A Set in which there is nothing to find.
    let clip = "<MidiClip Time=\"0\"><CurrentStart Value=\"0\"/><CurrentEnd Value=\"4\"/><Loop><LoopStart Value=\"0\"/>\
                <LoopEnd Value=\"4\"/><LoopOn Value=\"true\"/></Loop><Notes><KeyTracks><KeyTrack><Notes>\
                <MidiNoteEvent Time=\"0\" Duration=\"1\" Velocity=\"100\"/></Notes><MidiKey Value=\"60\"/></KeyTrack>\
                </KeyTracks></Notes></MidiClip>";
    let clean = format!(
        "<Ableton Creator=\"Ableton Live 12.0\"><LiveSet><Tracks><MidiTrack Id=\"1\"><DeviceChain><MainSequencer>\
         <ClipSlotList><ClipSlot><ClipSlot><Value>{clip}</Value></ClipSlot></ClipSlot></ClipSlotList></MainSequencer>\
         </DeviceChain></MidiTrack></Tracks><MainTrack/><Scenes><Scene/></Scenes></LiveSet></Ableton>"
    );
    let (code, out, _) = run("lint", &[&saved_as(folder.path(), "clean.als", &clean)]);
    assert!(code == Some(0) && out.contains("nothing was found"), "{out}");
}

#[test]
fn names_move_no_cursor() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = saved(folder.path(), SET.replace("Band &amp; Co", "Band&#x9b;2J&#x202e;").as_bytes());
    for (command, words) in [("info", vec![path.as_str()]), ("lint", vec![&path]), ("diff", vec![&path, &path])] {
        let (_, out, _) = run(command, &words);
        let moves = |c: &char| *c != '\n' && (c.is_control() || *c == '\u{202e}');
        assert_eq!(out.chars().find(moves), None, "{command}: {out:?}");
    }
}
