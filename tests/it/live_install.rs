//! `svc-device live` and `svc-device doctor` as their users meet them: folders, exit codes, and what is said.

use crate::support::child::{Device, PATIENCE, Start, wait_until};
use crate::support::fake_live::{FakeLive, bridge_file};
use crate::support::http::once;
use serde_json::json;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A home of its own, with a User Library that somebody has to name.
struct Home(TempDir);

impl Home {
    fn new() -> Home {
        let home = Home(tempfile::tempdir().expect("a folder"));
        fs::create_dir_all(home.library().join("Presets")).expect("a library");
        home
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn library(&self) -> PathBuf {
        self.at("My Music/User Library")
    }

    fn script(&self) -> PathBuf {
        self.library().join("Remote Scripts/SvcDevice")
    }

    /// Runs the program with these words: exit code, stdout and stderr.
    fn run<S: AsRef<OsStr>>(&self, words: &[S], stdin: &str) -> (Option<i32>, String, String) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_svc-device"))
            .args(words)
            .env("HOME", self.0.path())
            .env("USERPROFILE", self.0.path())
            .env_remove("APPDATA")
            .env_remove("OneDrive")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("svc-device starts");
        // One that ends without reading has closed its side.
        let _ = child.stdin.take().expect("stdin is piped").write_all(stdin.as_bytes());
        let output = child.wait_with_output().expect("it ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    fn live(&self, action: &str) -> (Option<i32>, String, String) {
        self.run(&["live", action], "")
    }

    fn live_in(&self, action: &str, library: &Path) -> (Option<i32>, String, String) {
        self.run(&["live".as_ref(), action.as_ref(), "--user-library".as_ref(), library.as_os_str()], "")
    }
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).expect("a file")))
        .collect();
    files.sort();
    files
}

#[test]
fn the_script_is_installed_looked_at_updated_and_removed() {
    let home = Home::new();
    let (script, library) = (home.script(), home.library());
    let (code, said, _) = home.live_in("status", &library);
    assert!(code == Some(1) && said.starts_with("not installed: "), "{code:?} {said}");
    assert!(!library.join("Remote Scripts").exists(), "looking writes nothing");

    let (code, said, why) = home.live_in("install", &library);
    assert_eq!(code, Some(0), "{why}");
    for part in [script.to_str().unwrap(), "Restart Live", "Settings > Link, Tempo & MIDI > Control Surface"] {
        assert!(said.contains(part), "{said}");
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("live-script/SvcDevice");
    assert!(files(&script) == files(&source), "it is the script of this project, byte for byte");

    // The folder is known from now on.
    let (code, said, _) = home.live("status");
    assert!(code == Some(0) && said.starts_with("installed: ") && said.contains("named by you"), "{code:?} {said}");
    let (code, said, _) = home.live("install");
    assert!(code == Some(0) && said.contains("installed already"), "{said}");

    fs::write(script.join("pump.py"), "# mine\n").unwrap();
    let (code, said, _) = home.live("status");
    assert!(code == Some(1) && said.starts_with("outdated: ") && said.contains("edited by hand"), "{said}");
    let (code, said, _) = home.live("install");
    let backup = library.join("Remote Scripts/SvcDevice-backup");
    assert!(code == Some(0) && said.contains(&format!("It is kept as {}.", backup.display())), "{said}");
    assert_eq!(fs::read_to_string(backup.join("pump.py")).unwrap(), "# mine\n");

    let (code, said, _) = home.live("remove");
    assert_eq!(code, Some(0));
    for gone in [&script, &backup] {
        assert!(said.contains(gone.to_str().unwrap()) && !gone.exists(), "{said}");
    }
    let (code, said, _) = home.live_in("remove", &library);
    assert!(code == Some(0) && said.contains("no script to remove"), "{said}");
}

/// A device that is linked knows what Live runs, whatever lies on the disk.
#[test]
fn the_status_knows_what_live_runs() {
    let home = Home::new();
    assert_eq!(home.live_in("install", &home.library()).0, Some(0));
    let device = Start::new().args(["--host", "live"]).start();
    let status = |home: &Home| {
        let words = ["live", "status", "--data-dir", device.data_dir().to_str().unwrap(), "--user-library"];
        home.run(&[&words[..], &[home.library().to_str().unwrap()]].concat(), "")
    };
    let (code, said, _) = status(&home);
    assert!(code == Some(0) && said.contains("What Live runs is not known"), "{said}");
    // The script as it was an update ago.
    let older = home.at("older/SvcDevice");
    fs::create_dir_all(&older).unwrap();
    for (name, bytes) in files(&home.script()) {
        fs::write(older.join(name), bytes).unwrap();
    }
    let live = FakeLive::start(&bridge_file(&device), json!({ "script": older }));
    let linked =
        |state: &str| wait_until(PATIENCE, || (device.config()["host"]["live"]["state"] == state).then_some(()));
    linked("linked").expect("the same script");
    let (code, said, _) = status(&home);
    assert!(code == Some(0) && said.starts_with("installed: ") && said.contains("Live runs the script"), "{said}");
    drop(live);
    linked("lost").expect("gone");
    fs::write(older.join("late.py"), fs::read_to_string(older.join("late.py")).unwrap() + "\n# An older one.\n")
        .unwrap();
    let _live = FakeLive::start(&bridge_file(&device), json!({ "script": older }));
    linked("linked").expect("the older one");
    let (code, said, _) = status(&home);
    assert!(code == Some(1) && said.starts_with("running another version: "), "{said}");
    assert!(said.contains("Next: Restart Live."), "{said}");
}

#[test]
fn what_cannot_be_done_is_said_and_changes_nothing() {
    let home = Home::new();
    fs::write(home.at("file"), "x").unwrap();
    fs::create_dir_all(home.at("theirs/Remote Scripts/SvcDevice")).unwrap();
    fs::write(home.at("theirs/Remote Scripts/SvcDevice/__init__.py"), "theirs").unwrap();
    fs::create_dir_all(home.at("User Remote Scripts")).unwrap();
    for (action, library, words) in [
        ("install", home.at("absent"), "is not there; name it with --user-library DIR"),
        ("status", home.at("absent"), "is not there"),
        ("install", home.at("file"), "is no folder"),
        ("install", home.at("User Remote Scripts"), "Live loads no script from it"),
        ("install", home.library().join("Remote Scripts"), "name the folder above it"),
        ("remove", home.at("theirs"), "holds no script of ours and was left alone"),
    ] {
        let (code, said, why) = home.live_in(action, &library);
        assert!(
            code == Some(1) && said.is_empty() && why.contains(words),
            "{action} {library:?}: {code:?} {said}{why}"
        );
    }
    assert_eq!(fs::read_to_string(home.at("theirs/Remote Scripts/SvcDevice/__init__.py")).unwrap(), "theirs");
    assert!(!home.at("absent").exists() && !home.at(".svc/live-user-library").exists(), "nothing is remembered");
    // Even the superuser cannot write there.
    #[cfg(target_os = "linux")]
    {
        let (code, _, why) = home.live_in("install", Path::new("/sys"));
        assert!(code == Some(1) && why.contains("/sys/Remote Scripts cannot be written"), "{why}");
        let (code, _, why) = home.live("install");
        assert!(code == Some(1) && why.contains("does not run on this system"), "{why}");
    }
    for (words, part) in [
        (&["live"][..], "live needs install, status, remove or check"),
        (&["live", "instal"], "not \"instal\""),
        (&["live", "install", "--port", "1"], "--port goes with"),
    ] {
        let (code, _, why) = home.run(words, "");
        assert!(code == Some(2) && why.contains(part), "{words:?}: {code:?} {why}");
    }
    let (code, said, _) = home.run(&["live", "--help"], "");
    assert!(code == Some(0) && said.contains("--user-library DIR"), "{said}");
}

fn check(home: &Home, device: &Device, more: &[&str], stdin: &str) -> (Option<i32>, String) {
    let port = device.addr().port().to_string();
    let (code, said, why) = home.run(&[&["live", "check", "--port", &port], more].concat(), stdin);
    (code, said + &why)
}

#[test]
fn the_check_goes_through_its_steps_and_leaves_the_set_as_it_was() {
    let (home, device) = (Home::new(), Start::new().start());
    let set = || once(device.addr(), "POST", "/api/tools/svc-read-live-set", "", r#"{"include":["tracks"]}"#).json();
    let before = set();
    let (code, said) = check(&home, &device, &["--yes"], "");
    assert!(code == Some(1) && said.contains("does not drive Live") && said.contains("11 not reached"), "{said}");
    let (code, said) = check(&home, &device, &["--yes", "--any-host"], "");
    assert_eq!(code, Some(0), "{said}");
    let report = said.split("----- report, to send -----").nth(1).expect("a report");
    assert!(
        report.contains("host: embedded\n") && report.contains("10 right, 0 wrong, 2 left out, 0 not reached"),
        "{said}"
    );
    for step in ["connect", "read", "turns", "tempo", "tempo back", "track", "clip", "playback", "stop", "undo"] {
        assert!(report.contains(&format!("[right] {step}: ")), "{step}: {report}");
    }
    assert!(report.contains("C3 1|1, E3 1|2, G3 1|3, C4 1|4"), "{report}");
    assert_eq!(set(), before);

    // Somebody sees something else, then ends it: what was made goes.
    let (code, said) = check(&home, &device, &["--any-host"], "\nit still shows 127\n\n\nq\n");
    assert_eq!(code, Some(1), "{said}");
    for part in
        ["[WRONG] tempo back: ", "the person sees: it still shows 127", "[ended here] playback: ", "Taking back"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(set(), before);
    // Nobody answers at all.
    let (code, said) = check(&home, &device, &["--any-host"], "");
    assert!(code == Some(1) && said.contains("[ended here] tempo: "), "{said}");
    assert_eq!(set(), before);
}

#[test]
fn the_check_wants_a_device_and_its_token() {
    let home = Home::new();
    let device = Start::new().start();
    let token = "0123456789abcdef-check";
    device.change_config(json!({ "token": token }));
    let (code, said) = check(&home, &device, &["--yes", "--any-host"], "");
    assert!(code == Some(1) && said.contains("name it with --token-file"), "{said}");
    fs::write(home.at("token"), token).unwrap();
    let file = home.at("token");
    let (code, said) = check(&home, &device, &["--yes", "--any-host", "--token-file", file.to_str().unwrap()], "");
    assert_eq!(code, Some(0), "{said}");
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let (code, _, why) = home.run(&["live", "check", "--port", &free], "");
    assert!(code == Some(1) && why.contains("no device answers on port"), "{why}");
}

#[test]
fn the_doctor_says_what_is_wrong_and_where() {
    let (home, device) = (Home::new(), Start::new().start());
    let port = device.addr().port().to_string();
    let doctor = |more: &[&str]| {
        let (code, said, why) = home.run(&[&["doctor", "--port", port.as_str()], more].concat(), "");
        assert_eq!(why, "");
        (code, said)
    };
    let (code, said) = doctor(&[]);
    assert!(code == Some(0) && said.contains("Nothing is wrong."), "{said}");
    assert!(said.contains(&format!("{port}: standalone, process {}", device.process())), "{said}");
    assert!(!home.at(".svc").exists(), "it makes nothing");

    let library = home.library();
    let (code, said) = doctor(&["--user-library", library.to_str().unwrap()]);
    assert!(code == Some(0) && said.contains(home.script().to_str().unwrap()), "{said}");
    assert_eq!(home.live_in("install", &library).0, Some(0));
    fs::write(home.script().join("pump.py"), "").unwrap();
    fs::write(home.at(".svc/token"), "short").unwrap();
    fs::write(home.at(".svc/state.json"), "{").unwrap();
    fs::create_dir_all(home.at(".svc/bridge")).unwrap();
    let listening = device.addr().port();
    for (name, text) in
        [("1.json", format!("{{\"port\":{listening},\"pid\":1,\"kind\":\"plugin\"}}")), ("2.json", "no".to_owned())]
    {
        fs::write(home.at(".svc/bridge").join(name), text).unwrap();
    }
    let samples = home.at("no samples");
    fs::create_dir(&samples).unwrap();
    device.change_config(json!({ "sampleFolder": samples.to_str().unwrap() }));
    fs::remove_dir(&samples).unwrap();
    let (code, said) = doctor(&[]);
    assert_eq!(code, Some(1), "{said}");
    let lines: Vec<String> = said.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for (start, part) in [
        ("ok version", env!("CARGO_PKG_VERSION")),
        ("ok data folder", "for you alone"),
        ("WRONG settings", "cannot be read"),
        ("WRONG token", "Write it anew, or remove the file"),
        ("WRONG folders", "no samples cannot be listed"),
        ("WRONG Live script", "edited by hand"),
        ("ok Live link plugin, process 1", "listens for the script"),
        ("WRONG Live link", "2.json is no file of a device"),
    ] {
        let found = lines.iter().any(|line| line.starts_with(start) && line.contains(part));
        assert!(found, "{start} ... {part}: {said}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(home.at(".svc"), fs::Permissions::from_mode(0o755)).unwrap();
        let (_, said) = doctor(&[]);
        assert!(said.contains("chmod 700"), "{said}");
    }
}

#[test]
fn the_doctor_knows_who_has_the_port() {
    let home = Home::new();
    // Something that accepts and says nothing a browser would understand.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let answering = std::thread::spawn(move || {
        for stream in taken.incoming().flatten().take(1) {
            drop(stream);
        }
        taken
    });
    let (code, said, _) = home.run(&["doctor", "--port", &port], "");
    assert!(code == Some(1) && said.contains(&format!("{port} is taken by")), "{said}");
    drop(answering.join().expect("it ends"));
    let (code, said, _) = home.run(&["doctor", "--port", &port], "");
    assert!(code == Some(0) && said.contains(&format!("{port} is free")), "{said}");
}
