//! `svc-device` as its users meet it: started, used over HTTP, ended in every way, started again.

use crate::support::api::free_port;
use crate::support::child::{Device, PATIENCE, Start, wait_until};
use crate::support::http::{Client, once};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use svc_device::device::state;

/// Asked to end, it ends within this; the machine may be busy.
const END_LIMIT: Duration = Duration::from_secs(5);

fn state_file(folder: &Path) -> PathBuf {
    folder.join("state.json")
}

fn json_in(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).expect("the file is there")).expect("JSON")
}

/// Ends it as a terminal would; it must have written everything by then.
fn end(mut device: Device) {
    device.signal("INT");
    let status = device.ended(END_LIMIT).expect("it ends");
    assert_eq!(status.code(), Some(0), "{}", device.stderr().all());
}

fn clip_notes(device: &Device, path: &str) -> Value {
    device.call("svc-read-clip", json!({ "path": path, "include": ["notes"] }))["notes"].clone()
}

#[test]
fn it_says_once_that_it_listens_and_serves_settings_and_tools() {
    let device = Device::start();
    let config = device.config();
    assert_eq!(config["port"], 3350, "the flag is not the setting");
    assert_eq!(config["instance"], format!("standalone, process {}", device.process()));
    let tools = once(device.addr(), "GET", "/api/tools", "", "").json();
    let names: Vec<&str> = tools["tools"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"svc-connect") && names.contains(&"svc-playback"), "{names:?}");
    assert!(device.stderr().wait_for("no MIDI output").is_some() || device.stderr().so_far().contains("MIDI port"));
    assert_eq!(device.stdout().so_far().lines().count(), 1, "{}", device.stdout().so_far());
}

#[test]
fn what_was_made_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let device = Start::new().data_dir(folder.path()).start();
    device.call("svc-create-clip", json!({ "path": "t0/s0", "name": "Bass", "notes": "v80 n/8 C1 1|1x8@n/8" }));
    device.call("svc-create-clip", json!({ "path": "t1/s9", "notes": "v99 n/4 C3 E3 1|1,3" }));
    device.call("svc-update-track", json!({ "path": "t1", "name": "Lead" }));
    device.change_config(json!({ "notation": "midi-json" }));
    let before = [clip_notes(&device, "t0/s0"), clip_notes(&device, "t1/s9")];
    let overview = device.call("svc-read-live-set", json!({}));
    end(device);

    let device = Start::new().data_dir(folder.path()).start();
    assert_eq!([clip_notes(&device, "t0/s0"), clip_notes(&device, "t1/s9")], before);
    assert!(before.iter().all(|notes| notes.to_string().len() > 20), "{before:?}");
    assert_eq!(device.call("svc-read-live-set", json!({})), overview);
    assert_eq!(device.call("svc-read-track", json!({ "path": "t1" }))["name"], "Lead");
    assert_eq!(device.config()["notation"], "midi-json");
}

/// A change that was answered is written even when the end follows at once.
#[test]
fn the_last_change_is_written_at_the_end() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let mut device = Start::new().data_dir(folder.path()).start();
        device.call("svc-update-track", json!({ "path": "t1", "name": "at the last moment" }));
        device.signal(signal);
        let status = device.ended(END_LIMIT).expect("it ends");
        assert_eq!(status.code(), Some(0), "{signal}");
        let text = fs::read_to_string(state_file(folder.path())).unwrap();
        assert!(text.contains("at the last moment"), "{signal}: {text}");
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["state.json"], "nothing else stays");
    }
}

#[test]
fn a_change_is_written_while_the_device_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mut device = Start::new().data_dir(folder.path()).start();
    device.call("svc-update-track", json!({ "path": "t0", "name": "written soon" }));
    let file = state_file(folder.path());
    let written = wait_until(PATIENCE, || fs::read_to_string(&file).ok().filter(|text| text.contains("written soon")));
    assert!(written.is_some());
    device.kill();
    let device = Start::new().data_dir(folder.path()).start();
    assert_eq!(device.call("svc-read-track", json!({ "path": "t0" }))["name"], "written soon");
}

#[test]
fn flags_are_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let device = Start::new().data_dir(folder.path()).start();
    let flag = device.addr().port();
    assert_eq!(device.change_config(json!({ "smallModelMode": true }))["port"], 3350);
    end(device);
    let settings = &json_in(&state_file(folder.path()))["settings"];
    assert_eq!((&settings["port"], &settings["smallModelMode"]), (&json!(3350), &json!(true)));

    // A saved port counts when there is no flag, and yields when there is one.
    let device = Start::new().data_dir(folder.path()).start();
    assert_eq!(device.change_config(json!({ "port": flag }))["port"], json!(flag));
    end(device);
    let device = Start::new().data_dir(folder.path()).start();
    assert_eq!(device.config()["port"], json!(flag));
    assert_ne!(device.addr().port(), flag);
}

#[test]
fn a_port_listens_when_answered() {
    let folder = tempfile::tempdir().unwrap();
    let first = free_port();
    // Without the flag, so that the setting counts.
    let device = Start::new().data_dir(folder.path()).start();
    device.change_config(json!({ "port": first }));
    end(device);
    let device = Start::new().data_dir(folder.path()).saved_port().start();
    let mut addr = device.addr();
    assert_eq!(addr.port(), first);
    for _ in 0..6 {
        let next = free_port();
        let answer = once(addr, "POST", "/config", "", &json!({ "port": next }).to_string());
        assert_eq!((answer.status, &answer.json()["listeningPort"]), (200, &json!(next)));
        addr.set_port(next);
        assert_eq!(once(addr, "GET", "/config", "", "").json()["port"], json!(next));
    }
}

#[test]
fn open_works_on_the_named_file() {
    let folder = tempfile::tempdir().unwrap();
    let song = folder.path().join("new folder").join("song.json");
    let data = folder.path().join("data");
    let open = || Start::new().data_dir(&data).args(["--open".into(), song.clone().into_os_string()]).start();
    let device = open();
    assert!(state::load(&fs::read_to_string(&song).unwrap()).is_ok(), "a missing file is made at once");
    device.call("svc-update-track", json!({ "path": "t0", "name": "of the song" }));
    end(device);
    assert!(!state_file(&data).exists(), "the folder's own state is not touched");

    let device = open();
    assert_eq!(device.call("svc-read-track", json!({ "path": "t0" }))["name"], "of the song");
    end(device);
    let device = Start::new().data_dir(&data).start();
    assert_eq!(device.call("svc-read-track", json!({ "path": "t0" }))["name"], "1-MIDI");
}

#[test]
fn an_opened_file_has_the_permissions_that_its_user_granted() {
    let folder = tempfile::tempdir().unwrap();
    let song = folder.path().join("song.json");
    let data = folder.path().join("data");
    let open = || Start::new().data_dir(&data).args(["--open".into(), song.clone().into_os_string()]).start();
    end(open());
    // As somebody else could send it.
    let mut state: serde_json::Value = serde_json::from_str(&fs::read_to_string(&song).unwrap()).unwrap();
    state["id"] = json!("0123456789abcdef0123456789abcd05");
    state["settings"]["allowedFolders"] = json!(["/usr"]);
    state["settings"]["liveApiEnabled"] = json!(true);
    fs::write(&song, state.to_string()).unwrap();
    let device = open();
    let config = device.config();
    assert_eq!((&config["allowedFolders"], &config["liveApiEnabled"]), (&json!([]), &json!(false)), "{config}");
    assert_eq!(config["permissionRequest"]["allowedFolders"], json!(["/usr"]));
    device.change_config(json!({ "permissionRequest": "grant" }));
    device.call("svc-update-track", json!({ "path": "t0", "name": "changed" }));
    end(device);
    let device = open();
    let config = device.config();
    assert_eq!((&config["allowedFolders"], &config["liveApiEnabled"]), (&json!(["/usr"]), &json!(true)), "{config}");
    assert_eq!(config["permissionRequest"], json!(null));
    end(device);
    // Another user's device knows nothing of that.
    let other = folder.path().join("other");
    let device = Start::new().data_dir(&other).args(["--open".into(), song.clone().into_os_string()]).start();
    assert_eq!(device.config()["allowedFolders"], json!([]));
}

#[test]
fn a_token_file_is_wanted_with_every_call() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my token");
    for (text, why) in [(None, "there is no file"), (Some("short"), "must be 16 to 200")] {
        if let Some(text) = text {
            fs::write(&file, text).unwrap();
        }
        let (code, _, stderr) = Start::new().args(["--token-file".into(), file.clone().into_os_string()]).run();
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.contains(why) && text.is_none_or(|text| !stderr.contains(text)), "{stderr}");
    }
    fs::write(&file, "0123456789abcdef\n").unwrap();
    let data = folder.path().join("data");
    let start = Start::new().data_dir(&data).args(["--token-file".into(), file.clone().into_os_string()]);
    let device = start.start();
    let ask = |headers: &str| once(device.addr(), "GET", "/api/tools", headers, "").status;
    assert_eq!(ask(""), 401);
    assert_eq!(ask("Authorization: Bearer 0123456789abcdef\r\n"), 200);
    assert!(!device.stderr().so_far().contains("0123456789abcdef"));
    end(device);
    let state = fs::read_to_string(state_file(&data)).unwrap();
    assert!(!state.contains("0123456789abcdef") && !data.join("token").exists(), "it is kept where it was");
}

#[test]
fn one_file_is_for_one_device_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut device = Start::new().data_dir(folder.path()).start();
    let (code, stdout, stderr) = Start::new().data_dir(folder.path()).run();
    assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
    assert!(stderr.contains("another svc-device has") && stderr.contains("--data-dir"), "{stderr}");
    assert!(device.is_alive());
    device.kill();
    // One that was killed blocks nobody.
    end(Start::new().data_dir(folder.path()).start());
}

#[test]
fn signals_end_it_at_once_with_clients_connected() {
    for signal in ["TERM", "INT"] {
        let mut device = Device::start();
        let addr = device.addr();
        let mut idle = Client::connect(addr);
        assert_eq!(idle.request("GET", "/api/tools", "", "").status, 200);
        let mut silent = Client::connect(addr);
        let mut halfway = Client::connect(addr);
        halfway.send(format!("POST /api/tools/svc-connect HTTP/1.1\r\nHost: localhost:{}\r\n", addr.port()).as_bytes());
        // Holds the Set; its client must still hear something.
        let mut busy = Client::connect(addr);
        let body = json!({ "behave": "well", "sleep": "2000" }).to_string();
        let head = format!(
            "POST /api/tools/svc-test HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            addr.port(),
            body.len()
        );
        busy.send((head + &body).as_bytes());
        // Another call is served only after the busy one began, or waits behind it; a read needs no Set.
        assert_eq!(idle.request("GET", "/config", "", "").status, 200);
        let asked = Instant::now();
        device.signal(signal);
        let status = device.ended(END_LIMIT).expect("it ends");
        assert_eq!(status.code(), Some(0), "{signal}: {}", device.stderr().all());
        assert!(asked.elapsed() < Duration::from_secs(4), "{signal}: {:?}", asked.elapsed());
        let answer = busy.reply().expect("the call under way is answered");
        assert!(answer.json()["error"].is_string() || answer.status == 200, "{answer:?}");
        assert!(idle.closed() && silent.closed());
        let _ = halfway.reply();
    }
}

#[test]
fn a_taken_port_is_said_with_what_to_do() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let (code, stdout, stderr) = Start::new().port(port).run();
    assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
    assert!(stderr.contains(&format!("port {port} is taken")) && stderr.contains("--port 0"), "{stderr}");
    assert!(!stderr.contains("Trying again"), "{stderr}");
}

#[test]
fn arguments_are_answered() {
    for (arguments, code, out, err) in [
        (&["--help"][..], 0, "Usage: svc-device [--headless] [--port N] [--open FILE] [--data-dir DIR]", ""),
        (&["--version"], 0, concat!("svc-device ", env!("CARGO_PKG_VERSION")), ""),
        (&["--prot"], 2, "", "--prot"),
        (&["--port", "70000"], 2, "", "--port takes a number from 0 to 65535, not \"70000\""),
        (&["--open"], 2, "", "--open needs a file"),
        (&["song.json"], 2, "", "song.json"),
    ] {
        let (ended_with, stdout, stderr) = Start::new().args(arguments.iter().copied()).run();
        assert_eq!(ended_with, Some(code), "{arguments:?}: {stderr}");
        assert!(stdout.contains(out) && stderr.contains(err), "{arguments:?}: {stdout}{stderr}");
        assert_eq!((stdout.is_empty(), stderr.is_empty()), (out.is_empty(), err.is_empty()), "{arguments:?}");
    }
}

#[test]
fn a_state_that_cannot_be_read_is_kept_byte_for_byte() {
    let whole = state::save(&Default::default(), &svc_device::set::Document::new_set(), &"0".repeat(32), 0);
    let newer = whole.replacen(&format!("\"format\":{}", svc_device::set::edit::saved_set::FORMAT), "\"format\":99", 1);
    assert_ne!(newer, whole);
    let mut not_text = whole.clone().into_bytes();
    not_text.extend_from_slice(b"\xff\xfe");
    for (bytes, reason) in [
        (whole.as_bytes()[..whole.len() / 2].to_vec(), "damaged"),
        (Vec::new(), "damaged"),
        (not_text, "no UTF-8"),
        (newer.into_bytes(), "newer version"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = state_file(folder.path());
        fs::write(&file, &bytes).unwrap();
        let device = Start::new().data_dir(folder.path()).start();
        let said = device.stderr().wait_for(reason).expect("it is said on stderr");
        assert!(said.contains("state.json"), "{said}");
        assert!(device.config()["heldState"].as_str().unwrap().contains(reason));
        device.call("svc-read-live-set", json!({}));
        let refusal = device.try_call("svc-create-track", &json!({})).unwrap_err();
        assert!(refusal.as_str().unwrap().contains(reason), "{refusal}");
        device.change_config(json!({ "smallModelMode": true }));
        end(device);
        assert_eq!(fs::read(&file).unwrap(), bytes, "{reason}");

        // The user may give it up.
        let device = Start::new().data_dir(folder.path()).start();
        assert_eq!(device.change_config(json!({ "startFresh": true }))["heldState"], Value::Null);
        device.call("svc-create-track", json!({}));
        end(device);
        assert!(state::load(&fs::read_to_string(&file).unwrap()).is_ok());
    }
}

/// The files in the making that get this name in this folder.
fn halves_of(folder: &Path, name: &str) -> BTreeSet<OsString> {
    let start = format!(".{name}.");
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    files.filter(|file| file.to_string_lossy().starts_with(&start)).collect()
}

/// Each device is killed at the moment it begins to write.
#[test]
fn a_kill_while_it_writes_leaves_a_whole_file() {
    const KILLS: u32 = 20;
    let folder = tempfile::tempdir().unwrap();
    let file = state_file(folder.path());
    let device = Start::new().data_dir(folder.path()).start();
    // Enough that writing takes its time.
    let paths: Vec<String> = (0..4).map(|slot| format!("t{}/s{}", slot % 2, slot / 2)).collect();
    device.call("svc-create-clip", json!({ "path": paths.join(","), "notes": "n/16 C3 1|1x250@n/16" }));
    device.call("svc-update-track", json!({ "path": "t0", "name": "round 0" }));
    end(device);
    let mut caught = 0;
    for round in 1..=KILLS {
        let mut device = Start::new().data_dir(folder.path()).start();
        assert_eq!(device.config()["heldState"], Value::Null, "round {round}");
        let name = device.call("svc-read-track", json!({ "path": "t0" }))["name"].clone();
        let last = name.as_str().and_then(|name| name.strip_prefix("round ")?.split(' ').next()?.parse().ok());
        assert!(last.is_some_and(|last: u32| last < round), "round {round}: {name}");
        assert_eq!(device.call("svc-read-clip", json!({ "path": "t1/s1" }))["noteCount"], 250);

        let before = halves_of(folder.path(), "state.json");
        let begun = || !halves_of(folder.path(), "state.json").is_subset(&before);
        let mut change_at = Instant::now();
        let mut change = 0;
        let give_up = Instant::now() + PATIENCE;
        while !begun() && Instant::now() < give_up {
            // One write may have slipped through between two looks.
            if Instant::now() >= change_at {
                device.call("svc-update-track", json!({ "path": "t0", "name": format!("round {round} {change}") }));
                change += 1;
                change_at = Instant::now() + Duration::from_millis(400);
            }
            std::thread::sleep(Duration::from_micros(100));
        }
        device.kill();
        caught += u32::from(begun());
        let text = fs::read_to_string(&file).unwrap();
        state::load(&text).unwrap_or_else(|error| panic!("round {round}: {error}"));
    }
    assert!(caught > 0, "no kill came while the file was being written");
    end(Start::new().data_dir(folder.path()).start());
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["state.json"], "what the kills left is cleared away");
}

/// A text that shows whether it is whole, and whose first line every other one keeps.
fn context_text(n: usize) -> String {
    let lines: String = (0..200).map(|line| format!("\n{n}: line {line} of what was told")).collect();
    format!("The one line that stays.{lines}\nend of {n}")
}

/// Each device is killed while it writes what a client has it remember.
#[test]
fn a_kill_while_context_is_written_leaves_whole_files() {
    const KILLS: usize = 50;
    let folder = tempfile::tempdir().unwrap();
    let is_whole = |text: &str| {
        let n = text.rsplit("end of ").next().and_then(|n| n.parse().ok());
        n.is_some_and(|n| text == context_text(n))
    };
    let device = Start::new().data_dir(folder.path()).start();
    device.call("svc-context", json!({ "scope": "global", "action": "write", "content": context_text(0) }));
    end(device);
    let mut caught = 0;
    for round in 0..=KILLS {
        let mut device = Start::new().data_dir(folder.path()).start();
        let global = device.call("svc-context", json!({ "scope": "global" }))["content"].clone();
        assert!(is_whole(global.as_str().unwrap()), "round {round}: {global}");
        let index = device.call("svc-context", json!({ "scope": "memory" }))["content"].clone();
        if index.as_str().unwrap().contains("- `fact`") {
            let fact = device.call("svc-context", json!({ "scope": "memory", "name": "fact" }))["content"].clone();
            assert!(is_whole(fact.as_str().unwrap()), "round {round}: {fact}");
        } else {
            assert_eq!(index, "# Memory\n\nNo entries.", "round {round}");
        }
        if round == KILLS {
            end(device);
            break;
        }
        let addr = device.addr();
        let (place, name) = match round % 2 {
            0 => (folder.path().to_owned(), "context.md"),
            _ => (folder.path().join("memory"), "fact.md"),
        };
        let before = halves_of(&place, name);
        let begun = || !halves_of(&place, name).is_subset(&before);
        // Goes on until the device is gone.
        let client = std::thread::spawn(move || {
            for n in 0.. {
                let what = match n % 2 {
                    0 => json!({ "scope": "global", "content": context_text(n) }),
                    _ => json!({ "scope": "memory", "name": "fact", "description": "d", "content": context_text(n) }),
                };
                let mut body = what;
                body["action"] = json!("write");
                let body = body.to_string();
                let Ok(stream) = std::net::TcpStream::connect(addr) else { return };
                drop(stream);
                let mut client = Client::connect(addr);
                let head = format!(
                    "POST /api/tools/svc-context HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                    addr.port(),
                    body.len()
                );
                match client.send((head + &body).as_bytes()).then(|| client.reply()).flatten() {
                    Some(reply) => assert_eq!((reply.status, &reply.json()["isError"]), (200, &json!(false))),
                    None => return,
                }
            }
        });
        let give_up = Instant::now() + PATIENCE;
        while !begun() && Instant::now() < give_up {
            std::hint::spin_loop();
        }
        device.kill();
        // It may have found nobody to connect to, just as the device was killed.
        let _ = client.join();
        caught += u32::from(begun());
    }
    assert!(caught > 10, "{caught} kills came while a file was being written");
}

#[test]
fn a_launched_scene_plays_by_the_devices_own_clock() {
    let device = Device::start();
    device.call("svc-create-clip", json!({ "path": "t0/s1,t1/s1", "notes": "C3 1|1" }));
    let launched = device.call("svc-playback", json!({ "action": "play-scene", "path": "s1" }));
    assert_eq!(launched["playing"], true, "{launched}");
    let playing = |track: &str| device.call("svc-read-track", json!({ "path": track }))["playingSlotIndex"].clone();
    for (track, slot) in [("t0", json!(1)), ("t1", json!(1))] {
        assert!(wait_until(PATIENCE, || (playing(track) == slot).then_some(())).is_some(), "{track}");
    }
    device.call("svc-playback", json!({ "action": "stop" }));
    let stopped = wait_until(PATIENCE, || (playing("t0") != json!(1)).then_some(()));
    assert!(stopped.is_some());
}

#[cfg(target_os = "linux")]
mod window {
    use super::*;
    use crate::support::display::Display;

    #[test]
    fn signals_end_it_with_its_window_open() {
        let display = Display::start();
        for signal in ["TERM", "INT"] {
            let mut device = Start::new().with_window().env("DISPLAY", display.name()).start();
            device.call("svc-connect", json!({}));
            device.signal(signal);
            let status = device.ended(END_LIMIT).expect("it ends");
            let said = device.stderr().all();
            assert_eq!(status.code(), Some(0), "{signal}: {said}");
            assert!(!said.contains("no window"), "{said}");
        }
    }

    #[test]
    fn with_a_window_a_taken_port_is_waited_for() {
        let display = Display::start();
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        // It is set free as soon as the device says that it waits; only then it can listen.
        let start = Start::new().with_window().env("DISPLAY", display.name()).port(port);
        let device = start.start_once(|stderr| {
            assert!(stderr.wait_for("Trying again").is_some(), "{}", stderr.so_far());
            drop(taken);
        });
        assert_eq!(device.addr().port(), port);
    }

    #[test]
    fn without_a_display_it_runs_without_a_window() {
        let device = Start::new().with_window().env("DISPLAY", "").start();
        assert!(device.stderr().wait_for("no display").is_some());
        device.call("svc-connect", json!({}));
        let broken = Start::new().with_window().env("DISPLAY", ":4711").start();
        assert!(broken.stderr().wait_for("no window").is_some());
        broken.call("svc-connect", json!({}));
        end(broken);
    }
}
