//! `svc-device.exe`: it answers, saves, yields a file to nobody, and says what Windows has not.

use super::wine::{Running, Wine};
use crate::support::child::{PATIENCE, wait_until};
use serde_json::json;
use std::fs;

#[test]
fn a_device_that_was_killed_is_gone_on_with() {
    let Some(wine) = Wine::here() else { return };
    let folder = wine.folder();
    let mut device = wine.device(&folder.there, &[]);
    device.api().call("svc-update-track", json!({ "path": "t0", "name": "before the kill" }));
    let is_written = || {
        let mut files =
            folder.names("").into_iter().filter(|name| name.starts_with(".state.json") || name == "state.json");
        files
            .any(|name| fs::read_to_string(folder.here().join(name)).is_ok_and(|text| text.contains("before the kill")))
            .then_some(())
    };
    assert!(wait_until(PATIENCE, is_written).is_some(), "a change is written while the device runs");
    device.kill();
    let device = wine.device(&folder.there, &[]);
    assert_eq!(device.api().call("svc-read-track", json!({ "path": "t0" }))["name"], "before the kill");
}

#[test]
fn two_devices_never_have_one_file() {
    let Some(wine) = Wine::here() else { return };
    let folder = wine.folder();
    let data = format!(r"{}\data", folder.there);
    let mut first = wine.device(&data, &[]);
    first.api();
    // However the file is spelled.
    let spelled = [data.clone(), data.to_lowercase(), data.replace('\\', "/"), format!(r"\\?\{data}")];
    for again in &spelled {
        let (status, _, stderr) = wine.device(again, &[]).end();
        assert_eq!(status.code(), Some(1), "{again}: {stderr}");
        assert!(stderr.contains("another svc-device has") && stderr.contains("open; close that one"), "{stderr}");
        assert!(!stderr.contains(r"\\?\"), "{stderr}");
    }
    let lock = folder.here().join("data/.state.json.lock");
    assert!(lock.exists());
    first.kill();
    assert!(wait_until(PATIENCE, || (!lock.exists()).then_some(())).is_some(), "Windows takes the lock away itself");
    wine.device(&data, &[]).api();
}

#[test]
fn what_windows_has_not_is_said() {
    let Some(wine) = Wine::here() else { return };
    let folder = wine.folder();
    let device = wine.device(&folder.there, &[]);
    device.api();
    let (status, _, stderr) = wine.device(&format!(r"{}\other", folder.there), &["--midi-out", "no such port"]).end();
    assert_eq!(status.code(), Some(1), "{stderr}");
    device.stderr_has("name an existing one with --midi-out NAME");
    assert!(stderr.contains("--midi-out \"no such port\"") && stderr.contains("MIDI port"), "{stderr}");
}

/// Wine tells nobody who may look into a folder, and so does the doctor, where Windows would be believed too soon.
#[test]
fn the_doctor_says_only_what_the_system_tells() {
    let Some(wine) = Wine::here() else { return };
    let folder = wine.folder();
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr()).expect("a port").port();
    let mut command = wine.command(&wine.built("svc-device.exe"));
    command.args(["doctor", "--data-dir", &folder.there, "--port", &free.to_string()]);
    let (status, stdout, stderr) = Running::start(&mut command).end();
    assert!(status.success(), "{stdout} {stderr}");
    assert!(stdout.contains("can be written; the system does not tell who else may look into it"), "{stdout}");
    assert!(stdout.contains(&format!("{free} is free")) && !stdout.contains("for you alone"), "{stdout}");
}
