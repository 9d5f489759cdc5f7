//! Paths as Windows spells them, files that others have open, and folders of samples.

use super::wine::{Api, Running, Wine, device_arguments};
use crate::support::child::{PATIENCE, wait_until};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Every spelling of a data folder is served, and what is saved is found again by the same one.
#[test]
fn data_folders_are_served_however_they_are_spelled() {
    let Some(wine) = Wine::here() else { return };
    let folder = wine.folder();
    wine.share("svc-test-data", "share", folder.here());
    let there = &folder.there;
    let long = format!(r"{there}\{}\{}\{}", "a".repeat(100), "b".repeat(100), "c".repeat(100));
    let spellings = [
        format!(r"{there}\Ünï cödé ♪"),
        format!("{}/slashes/and more", there.replace('\\', "/")),
        format!(r"{}\small drive", there.replacen("C:", "c:", 1)),
        format!(r"\\?\{there}\spelled out"),
        r"\\svc-test-data\share\of a share".to_owned(),
        long,
    ];
    for (at, data) in spellings.iter().enumerate() {
        let name = format!("folder {at}");
        let mut device = wine.device_in_console(data);
        device.api().call("svc-update-track", json!({ "path": "t0", "name": name }));
        device.say("ctrl-c");
        device.wait_for("ended 0x0");
        let again = wine.device(data, &[]);
        assert_eq!(again.api().call("svc-read-track", json!({ "path": "t0" }))["name"], json!(name), "{data}");
    }
}

#[test]
fn names_that_windows_keeps_for_itself_are_refused_as_documents() {
    let Some(wine) = Wine::here() else { return };
    let folder = wine.folder();
    for (name, why) in [
        ("NUL", "Windows keeps that name for itself"),
        ("con.json", "Windows keeps that name for itself"),
        ("COM1.json", "Windows keeps that name for itself"),
        ("song.json:hidden", "a character that no file"),
        ("song.", "drops a dot"),
    ] {
        let file = format!(r"{}\{name}", folder.there);
        let (status, _, stderr) = wine.device(&folder.there, &["--open", &file]).end();
        assert_eq!(status.code(), Some(1), "{name}: {stderr}");
        assert!(stderr.contains(why) && stderr.contains(name), "{name}: {stderr}");
    }
    assert_eq!(folder.names(""), [""; 0], "nothing was made");
}

/// A scanner or a backup that reads a file holds its replacement up, and does not stop it.
#[test]
fn a_file_that_somebody_reads_is_replaced_when_they_are_done() {
    let Some(wine) = Wine::here() else { return };
    let folder = wine.folder();
    let device = wine.device(&folder.there, &[]);
    let api = device.api();
    let write = |api: &Api, content: &str| {
        api.try_call("svc-context", &json!({ "action": "write", "scope": "global", "content": content, "force": true }))
    };
    write(&api, "the first text").expect("written");
    let file = folder.here().join("context.md");
    assert_eq!(fs::read_to_string(&file).expect("there").trim(), "the first text");
    let mut reader = wine.host("hold", format!(r"{}\context.md", folder.there));
    reader.wait_for("held");
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| write(&api, "the second text"));
        let is_staged = || {
            let names = folder.names("");
            names.iter().any(|name| name.starts_with(".context.md.") && name.ends_with(".new")).then_some(())
        };
        assert!(wait_until(PATIENCE, is_staged).is_some(), "it is written beside the file");
        assert_eq!(fs::read_to_string(&file).expect("there").trim(), "the first text", "the old one is whole");
        reader.say("");
        writing.join().expect("no panic").expect("it is written");
    });
    assert_eq!(fs::read_to_string(&file).expect("there").trim(), "the second text");
    reader.goes_well();
    assert!(!folder.names("").iter().any(|name| name.ends_with(".new")), "{:?}", folder.names(""));
}

/// Folders of samples by every spelling; what is added while the device runs is found, too.
#[test]
fn samples_are_found_however_their_folder_is_spelled() {
    let Some(wine) = Wine::here() else { return };
    let folder = wine.folder();
    let samples = folder.here().join("Sämples");
    fs::create_dir(&samples).expect("a folder");
    wine.share("svc-test-samples", "share", folder.here());
    let sound = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audio/half.wav");
    fs::copy(&sound, samples.join("first kick.wav")).expect("a sound");
    let device = wine.device(&format!(r"{}\data", folder.there), &[]);
    let api = device.api();
    let there = &folder.there;
    let spellings = [
        format!(r"{there}\Sämples"),
        format!("{}/Sämples", there.replacen("C:", "c:", 1).replace('\\', "/")),
        format!(r"\\?\{there}\Sämples"),
        r"\\svc-test-samples\share\Sämples".to_owned(),
    ];
    for (at, spelled) in spellings.iter().enumerate() {
        let (status, answer) = api.configure(json!({ "sampleFolder": spelled }));
        assert_eq!((status, &answer["sampleFolder"]), (200, &json!(spelled)));
        finds(&api, "first kick", spelled);
        let name = format!("late snare {at}");
        fs::copy(&sound, samples.join(format!("{name}.wav"))).expect("a sound");
        let path = finds(&api, &name, spelled);
        let clip = api.call("svc-create-clip", json!({ "path": format!("t2/s{at}"), "sampleFile": path }));
        assert_eq!(clip["type"], "audio", "{clip}");
    }
    for root in [r"C:\", r"\\svc-test-samples\share", "C:", "Sämples"] {
        let (status, answer) = api.configure(json!({ "sampleFolder": root }));
        assert_eq!(status, 400, "{root}: {answer}");
    }
}

/// The path of the one sound of this name.
#[track_caller]
fn finds(api: &Api, name: &str, folder: &str) -> String {
    let found = wait_until(PATIENCE, || {
        let found = api.call("svc-library", json!({ "query": name }));
        let items: Vec<Value> = found["items"].as_array().cloned().unwrap_or_default();
        items.iter().find_map(|item| {
            let path = item["path"].as_str()?;
            path.ends_with(&format!("{name}.wav")).then(|| path.to_owned())
        })
    });
    found.unwrap_or_else(|| panic!("{name} in {folder}: {}", api.call("svc-library", json!({ "query": name }))))
}

/// What is said of a file that the device does not look for.
const NOT_ASKED: &str = "allowedFolders name no more is told, and network shares are not asked";

/// Whoever opens a file on a share has Windows log on to its server; a call may not choose which.
#[test]
fn shares_are_asked_only_where_the_user_has_named_them() {
    let Some(wine) = Wine::here() else { return };
    let folder = wine.folder();
    let sounds = folder.here().join("Sounds");
    fs::create_dir(&sounds).expect("a folder");
    let sound = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audio/half.wav");
    fs::copy(sound, sounds.join("loop.wav")).expect("a sound");
    wine.share("svc-test-foreign", "share", folder.here());
    let mut command = wine.command(&wine.built("svc-device.exe"));
    // Wine tells which files it is asked for.
    command.args(device_arguments(&format!(r"{}\data", folder.there))).env("WINEDEBUG", "+file");
    let device = Running::start(&mut command);
    let api = device.api();
    let shares = [
        r"\\svc-test-foreign\share\Sounds\loop.wav",
        "//svc-test-foreign/share/Sounds/loop.wav",
        r"\\?\UNC\svc-test-foreign\share\Sounds\loop.wav",
        r"//?/unc/svc-test-foreign/share/Sounds/loop.wav",
    ];
    let device_path = format!(r"\\.\{}\Sounds\loop.wav", folder.there);
    let make = |path: &str| api.try_call("svc-create-clip", &json!({ "path": "t2/s0", "sampleFile": path }));
    for path in shares.into_iter().chain([device_path.as_str()]) {
        let refusal = make(path).expect_err(path);
        assert!(refusal.as_str().is_some_and(|text| text.contains(NOT_ASKED)), "{path}: {refusal}");
        let similar = api.call("svc-library", json!({ "action": "find-similar", "similarTo": path }));
        assert_eq!(similar["seed"]["found"], json!(false), "{path}: {similar}");
        let preset =
            api.try_call("svc-create-device", &json!({ "path": "t1", "preset": format!("{path}.svcpreset.json") }));
        assert!(preset.expect_err(path).as_str().is_some_and(|text| text.contains("allowedFolders")), "{path}");
        let set = api.try_call("svc-manage", &json!({ "action": "open", "file": format!("{path}.svcset") }));
        assert!(set.expect_err(path).as_str().is_some_and(|text| text.contains("allowedFolders")), "{path}");
    }
    // What lies on this disk is read wherever it lies.
    make(&format!(r"{}\Sounds\loop.wav", folder.there)).expect("a clip");
    device.stderr_has("Sounds\\\\loop.wav");
    assert!(!device.stderr_so_far().contains("svc-test-foreign"), "the system was asked for the share");

    let (status, answer) = api.configure(json!({ "allowedFolders": [r"\\svc-test-foreign\share\Sounds"] }));
    assert_eq!(status, 200, "{answer}");
    for path in shares {
        make(path).unwrap_or_else(|why| panic!("{path}: {why}"));
    }
    make(r"\\svc-test-foreign\share\Sounds\..\Sounds\loop.wav").expect_err("it climbs");

    // What a Set names is no word of its user's.
    let (status, answer) = api.configure(json!({ "allowedFolders": [folder.there] }));
    assert_eq!(status, 200, "{answer}");
    let file = format!(r"{}\out.svcset", folder.there);
    let exported = api.call("svc-manage", json!({ "action": "export", "file": file }));
    assert_eq!(exported["samples"], json!(0), "{exported}");
    assert_eq!(exported["missingSamples"].as_array().map(Vec::len), Some(1), "{exported}");
    let refusal =
        api.try_call("svc-update-clip", &json!({ "path": "t2/s0", "convert": "simpler" })).expect_err("refused");
    assert!(refusal.as_str().is_some_and(|text| text.contains(NOT_ASKED)), "{refusal}");
}

/// A Live Set that somebody else made may name any server; its samples are looked for beside it.
#[test]
fn a_live_set_chooses_no_server() {
    let Some(wine) = Wine::here() else { return };
    let folder = wine.folder();
    let sound = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audio/half.wav");
    fs::copy(&sound, folder.here().join("loop.wav")).expect("a sound");
    wine.share("svc-test-set", "share", folder.here());
    // A clip's sample and one of a Sampler's.
    let set = |path: &str| {
        let xml = include_str!("../../../src/live_files/tests/one_of_each.xml");
        xml.replace("/nowhere/Gone.wav", path).replace("/nowhere/High.wav", path)
    };
    let missing = |path: &str, file: &str| {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(set(path).as_bytes()).expect("packed");
        fs::write(folder.here().join("song.als"), packed.finish().expect("packed")).expect("written");
        let mut command = wine.command(&wine.built("svc-device.exe"));
        let (status, stdout, stderr) = Running::start(command.args(["info", file])).end();
        assert!(status.success(), "{stdout} {stderr}");
        stdout.lines().any(|line| line.starts_with("missing samples: ") && line.contains(path))
    };
    // Nor where its samples are loaded to be heard.
    let heard = |path: &str| {
        let mut command = wine.command(&wine.built("svc-device.exe"));
        let (file, out) = (format!(r"{}\song.als", folder.there), format!(r"{}\out.wav", folder.there));
        command.args(["render", &file, "-o", &out, "--from", "1|1", "--to", "2|1"]).env("WINEDEBUG", "+file");
        let (status, stdout, stderr) = Running::start(&mut command).end();
        assert!(matches!(status.code(), Some(0 | 3)), "{path}: {stdout} {stderr}");
        stderr
    };
    let share = "//svc-test-set/share/loop.wav";
    let here = format!(r"{}\song.als", folder.there);
    assert!(missing(share, &here), "the share was asked");
    assert!(!heard(share).contains("svc-test-set"), "the share was asked for what is to be heard");
    assert!(!missing(&format!(r"{}\loop.wav", folder.there), &here), "a sample on this disk is found");
    assert!(!missing(share, r"\\svc-test-set\share\song.als"), "the user has opened a Set on that share");
}
