//! Any program may hold the port, and any text may lie in a file or a setting: commands that meet them end soon, need
//! little memory, keep the token, and print no faked line.

use crate::support::child::{PATIENCE, ended};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const TOKEN: &str = "0123456789abcdefXYZ";
/// The commands that ask the program on a port.
const LOOKS: [&[&str]; 4] = [&["doctor"], &["live", "status"], &["live", "check", "--yes"], &["mcp"]];

/// A program on a port: what it does with a connection whose request it has read.
fn stranger(serve: impl Fn(TcpStream, &str) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let serve = Arc::new(serve);
    std::thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let serve = serve.clone();
            std::thread::spawn(move || {
                let (mut head, mut byte) = (String::new(), [0]);
                while !head.ends_with("\r\n\r\n") && connection.read(&mut byte).is_ok_and(|read| read > 0) {
                    head.push(char::from(byte[0]));
                }
                serve(connection, &head);
            });
        }
    });
    port
}

/// Runs a command with this folder as home: it must end. What it prints.
fn said(home: &Path, words: &[&str]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_svc-device"))
        .args(words)
        .env("HOME", home)
        .env("USERPROFILE", home)
        .env("JACK_DEFAULT_SERVER", "svc-device-test-without-server")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("svc-device starts");
    if ended(&mut child, PATIENCE).is_none() {
        let _ = child.kill();
        panic!("{words:?} does not end");
    }
    let output = child.wait_with_output().expect("it has ended");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

fn look(home: &Path, words: &[&str], port: u16) -> String {
    let (port, folder) = (port.to_string(), home.join("data"));
    let rest = ["--port", &port, "--data-dir", folder.to_str().expect("UTF-8")];
    said(home, &[words, &rest].concat())
}

#[test]
fn answers_without_end_are_left() {
    for is_slow in [false, true] {
        for words in LOOKS {
            let home = tempfile::tempdir().expect("a home");
            let sent = Arc::new(AtomicUsize::new(0));
            let counted = sent.clone();
            let port = stranger(move |mut connection, _| {
                let piece = vec![b'x'; if is_slow { 1 } else { 64 * 1024 }];
                let _ = connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"a\":\"");
                while connection.write_all(&piece).is_ok() {
                    counted.fetch_add(piece.len(), Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(if is_slow { 300 } else { 0 }));
                }
            });
            look(home.path(), words, port);
            let sent = sent.load(Ordering::Relaxed);
            assert!(sent < 16_000_000, "{words:?}: {sent} bytes were taken");
        }
    }
}

#[test]
fn only_devices_are_shown_the_token() {
    for (name, is_shown) in [("nginx", false), (env!("CARGO_PKG_NAME"), true)] {
        for words in LOOKS {
            let home = tempfile::tempdir().expect("a home");
            let folder = home.path().join("data");
            std::fs::create_dir(&folder).expect("made");
            std::fs::write(folder.join("token"), TOKEN).expect("written");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let only_mine = std::fs::Permissions::from_mode(0o600);
                std::fs::set_permissions(folder.join("token"), only_mine).expect("set");
            }
            let heads = Arc::new(Mutex::new(Vec::new()));
            let heard = heads.clone();
            let port = stranger(move |mut connection, head| {
                heard.lock().expect("whole").push(head.to_owned());
                let body = json!({"name": name, "version": "0"}).to_string();
                let length = body.len();
                let _ = write!(
                    connection,
                    "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
            });
            look(home.path(), words, port);
            let heads = heads.lock().expect("whole");
            let with_token: Vec<&String> = heads.iter().filter(|head| head.contains(TOKEN)).collect();
            assert!(!heads.is_empty(), "{words:?} asks who is there");
            assert!(!heads[0].contains(TOKEN), "{words:?}: {}", heads[0]);
            // A client on stdin has asked nothing yet.
            let asks_more = is_shown && words != ["mcp"];
            assert_eq!(!with_token.is_empty(), asks_more, "{words:?} {name}: {heads:?}");
        }
    }
}

const FAKE: &str = "FAKED LINE";

fn fake(before: &str) -> String {
    format!("{before}\n{FAKE}\r{FAKE}\u{2028}x")
}

/// The state in a fixture, changed.
fn changed_state(change: impl Fn(&mut Value)) -> String {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/beat.svcset");
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(fixture).expect("there")).read_to_string(&mut text).expect("a Set");
    let mut state: Value = serde_json::from_str(&text).expect("JSON");
    change(&mut state);
    state.to_string()
}

fn write_set(file: &str, change: impl Fn(&mut Value)) {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(changed_state(change).as_bytes()).expect("packed");
    std::fs::write(file, packed.finish().expect("packed")).expect("written");
}

#[track_caller]
fn assert_no_fake(what: &str, said: &str) {
    let faked = said.split(['\n', '\r', '\u{2028}']).find(|line| line.trim().starts_with(FAKE));
    assert!(faked.is_none(), "{what}: {said}");
}

#[test]
fn no_command_prints_a_faked_line() {
    let home = tempfile::tempdir().expect("a home");
    let at = |name: &str| home.path().join(name).to_str().expect("UTF-8").to_owned();
    let (named, damaged, other) = (at("named.svcset"), at("damaged.svcset"), at("other.svcset"));
    write_set(&named, |state| {
        for (index, track) in state["set"]["tracks"].as_array_mut().expect("tracks").iter_mut().enumerate() {
            track["name"] = json!(fake(&index.to_string()));
            for slot in track["session"].as_array_mut().into_iter().flatten() {
                slot["clip"]["name"] = json!(fake("clip"));
            }
        }
    });
    write_set(&damaged, |state| state["set"]["tracks"][0]["kind"] = json!(fake("x")));
    write_set(&other, |_| {});
    let out = at("out.svcset");
    let mut told = false;
    for file in [&named, &damaged] {
        for words in [
            &["info", file][..],
            &["info", file, "--json"],
            &["lint", file],
            &["diff", file, &other],
            &["convert", file, &out],
            &["render", file],
            &["render", file, "--scene", "s0", "--bars", "1"],
            &["render", file, "--strict", "--scene", "s0", "--bars", "1"],
        ] {
            let said = said(home.path(), words);
            told |= said.contains(&format!("\\u000a{FAKE}"));
            assert_no_fake(&format!("{words:?}"), &said);
        }
    }
    assert!(told, "names are shown, with their breaks written out");
    for words in [
        &["info", &fake("none")][..],
        &["render", &fake("none")],
        &["convert", &fake("none"), &out],
        &["--headless", "--open", &fake("/none/x"), "--token-file", &fake("none")],
        &["doctor", "--port", "1", "--token-file", &fake("none")],
        &["live", "status", "--port", "1", "--token-file", &fake("none")],
        &["live", "install", "--user-library", &fake("/none")],
        &["mcp", "--port", "1", "--token-file", &fake("none")],
        &[&fake("--none")],
    ] {
        assert_no_fake(&format!("{words:?}"), &said(home.path(), words));
    }
}

#[test]
fn a_doctor_prints_no_faked_line() {
    let home = tempfile::tempdir().expect("a home");
    let folder = home.path().join("data");
    std::fs::create_dir(&folder).expect("made");
    let state = changed_state(|state| {
        state["settings"]["sampleFolder"] = json!(fake("/none"));
        state["settings"]["allowedFolders"] = json!([fake("/none")]);
    });
    std::fs::write(folder.join("state.json"), state).expect("written");
    assert_no_fake("settings", &look(home.path(), &["doctor"], 1));
    let port = stranger(|mut connection, _| {
        let body = json!({
            "name": env!("CARGO_PKG_NAME"), "version": fake("0"), "instance": fake("x"), "saveFailure": fake("x"),
            "heldState": fake("x"), "sampleFolder": fake("/none"), "soundOutput": {"name": fake("x")},
            "host": {"name": fake("x"), "live": {"scriptVersion": fake("1"), "state": fake("x")}},
            "permissionRequest": fake("x"),
        });
        let body = body.to_string();
        let _ =
            write!(connection, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
    });
    for words in LOOKS {
        assert_no_fake(&format!("{words:?}"), &look(home.path(), words, port));
    }
}
