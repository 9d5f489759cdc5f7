//! `svc-device doctor` on what a user may find: the plugins and who scanned them, who holds the port, the last save.

use crate::support::child::Start;
use serde_json::json;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs it with this folder as home: its exit code, and its lines with single spaces.
fn doctor(home: &Path, words: &[&str]) -> (Option<i32>, Vec<String>) {
    let output = Command::new(env!("CARGO_BIN_EXE_svc-device"))
        .arg("doctor")
        .args(words)
        .env("HOME", home)
        .env("USERPROFILE", home)
        .env("APPDATA", home.join("AppData"))
        .env("LOCALAPPDATA", home.join("LocalAppData"))
        .env("COMMONPROGRAMFILES", home.join("CommonFiles"))
        .env_remove("XDG_CACHE_HOME")
        .env_remove("XDG_CONFIG_HOME")
        .output()
        .expect("svc-device starts");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    let lines = said.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    (output.status.code(), lines)
}

#[track_caller]
fn assert_line(lines: &[String], start: &str, part: &str) {
    let found = lines.iter().any(|line| line.starts_with(start) && line.contains(part));
    assert!(found, "{start} ... {part}: {lines:#?}");
}

/// A port that nothing has while this test holds none of it.
fn free_port() -> String {
    TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound").port().to_string()
}

fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().expect("inside a folder")).expect("made");
    fs::write(file, text).expect("written");
}

/// The library of the user's own VST3 plugin, on this system.
fn vst3_library(home: &Path) -> PathBuf {
    let arch = std::env::consts::ARCH;
    home.join(match std::env::consts::OS {
        "macos" => "Library/Audio/Plug-Ins/VST3/SVC Device.vst3/Contents/MacOS/SVC Device".to_owned(),
        "windows" => format!("LocalAppData/Programs/Common/VST3/SVC Device.vst3/Contents/{arch}-win/SVC Device.vst3"),
        _ => format!(".vst3/SVC Device.vst3/Contents/{arch}-linux/SVC Device.so"),
    })
}

#[test]
fn it_finds_the_plugins_and_judges_their_versions() {
    let home = tempfile::tempdir().expect("a home");
    let port = free_port();
    let (code, lines) = doctor(home.path(), &["--port", &port]);
    assert_eq!(code, Some(0), "{lines:#?}");
    assert_line(&lines, "note plugin no CLAP in", "copy \"SVC Device.clap\" there");
    assert_line(&lines, "note plugin no VST3 in", "copy \"SVC Device.vst3\" there");
    let tells_of_scans = lines.iter().any(|line| line.starts_with("note scan ") || line.starts_with("ok scan "));
    assert!(!tells_of_scans, "nothing is there to be scanned: {lines:#?}");

    let library = vst3_library(home.path());
    let own = env!("CARGO_PKG_VERSION");
    for (text, code, start, part) in [
        (format!("\0svc-device-version={own};\0"), 0, format!("ok plugin VST3 {own} in"), "SVC Device.vst3"),
        (
            "\0svc-device-version=0.0.9;\0".to_owned(),
            1,
            "WRONG plugin".to_owned(),
            "is version 0.0.9, and this program is",
        ),
        ("another".to_owned(), 1, "WRONG plugin".to_owned(), "is no SVC Device"),
    ] {
        write(&library, &text);
        let (ended, lines) = doctor(home.path(), &["--port", &port]);
        assert_eq!(ended, Some(code), "{lines:#?}");
        assert_line(&lines, &start, part);
        assert_line(&lines, "note scan", "scan for plugins in your DAW");
    }
    fs::remove_file(&library).expect("removed");
    let (code, lines) = doctor(home.path(), &["--port", &port]);
    assert_eq!(code, Some(1), "{lines:#?}");
    assert_line(&lines, "WRONG plugin", "holds nothing for");
}

/// Where Ardour and REAPER keep their lists on Linux.
#[cfg(target_os = "linux")]
#[test]
fn it_knows_who_scanned_the_plugin() {
    let home = tempfile::tempdir().expect("a home");
    let port = free_port();
    write(&vst3_library(home.path()), &format!("svc-device-version={};", env!("CARGO_PKG_VERSION")));
    let ardour = home.path().join(".cache/ardour7/vst/0123.v3i");
    for (list, text, part) in [
        (ardour.clone(), "<VST3Cache bundle=\"/x/Other.vst3\"/>", "scan for plugins"),
        (ardour, "<VST3Cache bundle=\"/x/SVC Device.vst3\"/>", "scanned by Ardour"),
        (
            home.path().join(".config/REAPER/reaper-vstplugins64.ini"),
            "[vstcache]\nSVC_Device.vst3=00,1,SVC Device!!!VSTi\n",
            "scanned by Ardour, REAPER",
        ),
    ] {
        write(&list, text);
        let (code, lines) = doctor(home.path(), &["--port", &port]);
        assert_eq!(code, Some(0), "{lines:#?}");
        assert!(lines.iter().any(|line| line.contains(" scan ") && line.contains(part)), "{part}: {lines:#?}");
    }
}

#[test]
fn it_names_who_holds_the_port() {
    let home = tempfile::tempdir().expect("a home");
    let held = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = held.local_addr().expect("bound").port().to_string();
    // Who comes is sent away, so that nobody waits for an answer; the port stays held.
    let sender = std::thread::spawn(move || {
        held.incoming().flatten().take(1).for_each(drop);
        held
    });
    let (code, lines) = doctor(home.path(), &["--port", &port]);
    assert_eq!(code, Some(1), "{lines:#?}");
    let who =
        if cfg!(target_os = "linux") { format!("(process {})", std::process::id()) } else { "taken by".to_owned() };
    assert_line(&lines, &format!("WRONG port {port} is taken by"), &who);
    sender.join().expect("it ends");
}

#[test]
fn it_tells_the_last_save() {
    let (home, data) = (tempfile::tempdir().expect("a home"), tempfile::tempdir().expect("a folder"));
    let folder = data.path().to_str().expect("UTF-8");
    let (_, lines) = doctor(home.path(), &["--port", &free_port(), "--data-dir", folder]);
    assert_line(&lines, "ok last save", "has saved nothing yet");
    let device = Start::new().data_dir(data.path()).start();
    device.call("svc-create-clip", json!({ "path": "t0/s0", "notes": "C3 1|1" }));
    let written = crate::support::child::wait_until(crate::support::child::PATIENCE, || {
        let (_, lines) = doctor(home.path(), &["--port", &free_port(), "--data-dir", folder]);
        lines.iter().any(|line| line.starts_with("ok last save") && line.contains("wrote its Set")).then_some(())
    });
    assert!(written.is_some(), "the device saves and the doctor sees it");
}
