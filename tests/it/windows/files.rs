//! Paths as Windows spells them, files that others have open, and folders of samples.

use super::wine::{Api, Wine};
use crate::support::child::{PATIENCE, wait_until};
use serde_json::{Value, json};
use std::fs;
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
