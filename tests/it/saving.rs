//! What becomes of changes: kept through kills, told when they cannot be kept, and of a large Set as of a small one.

use crate::support::child::{Device, PATIENCE, Start, wait_until};
use crate::support::http::{Client, once};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use svc_device::device::change_log::{Change, ChangeLog};
use svc_device::device::state::{self, LogNames, StateParts};
use svc_device::service::Settings;
use svc_device::set::Document;
use svc_device::set::edit::saved_changes::SavedChanges;

#[path = "../../benches/support/large_set.rs"]
#[allow(dead_code, reason = "shared with the benchmarks")]
mod large_set;
use large_set::large_state;

fn state_file(folder: &Path) -> PathBuf {
    folder.join("state.json")
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn is_told(warnings: &[String]) -> bool {
    warnings.iter().any(|text| text.starts_with("saved: false. The Set could not be written"))
}

/// Asks it to end; its exit code and what it said on stderr.
fn end(mut device: Device) -> (Option<i32>, String) {
    device.signal("TERM");
    let status = device.ended(PATIENCE).expect("it ends");
    (status.code(), device.stderr().all())
}

/// As [`end`], and holds it up while it saves, as a slow disk would.
fn end_held_up(mut device: Device, folder: &Path) -> (Option<i32>, String) {
    device.signal("TERM");
    // The state in the making lies beside the one before for as long as it is written.
    let give_up = Instant::now() + PATIENCE;
    while !files(folder).iter().any(|name| name.ends_with(".new")) && Instant::now() < give_up {
        std::hint::spin_loop();
    }
    device.signal("STOP");
    // Longer than it takes to be told.
    std::thread::sleep(Duration::from_millis(1200));
    device.signal("CONT");
    let status = device.ended(PATIENCE).expect("it ends");
    (status.code(), device.stderr().all())
}

/// Enough notes that no room is left for them where room is short.
fn many_notes(path: &str) -> Value {
    json!({ "path": path, "notes": "n/16 C3 1|1x250@n/16", "length": "20bar" })
}

/// Goes on changing things until a change is told not to be saved.
fn until_told(device: &Device) {
    let mut scene = 0;
    let told = wait_until(PATIENCE, || {
        scene = (scene + 1) % 8;
        is_told(&device.warnings("svc-create-clip", many_notes(&format!("t0/s{scene}")))).then_some(())
    });
    assert!(told.is_some(), "a write says that it is not saved");
}

fn everywhere_told(device: &Device) {
    assert!(is_told(&device.warnings("svc-update-track", json!({ "path": "t0", "name": "told" }))));
    assert!(is_told(&device.warnings("svc-connect", json!({}))));
    assert!(device.warnings("svc-read-live-set", json!({})).is_empty(), "a read changes nothing");
    let why = device.config()["saveFailure"].clone();
    assert!(why.as_str().is_some_and(|why| why.contains("could not be written")), "{why}");
}

fn times(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

/// A limit of the size of a file stands for a full disk and a used-up quota; that of the system would end the program.
#[test]
fn a_save_that_fails_is_told_everywhere_until_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let device = Start::new().data_dir(folder.path()).after("ulimit -f 40").start();
    assert_eq!(device.config()["saveFailure"], Value::Null);
    until_told(&device);
    everywhere_told(&device);
    let whole = fs::read_to_string(state_file(folder.path())).unwrap();
    assert!(state::load(&whole).is_ok(), "what was saved before is whole");
    let (code, said) = end(device);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("the last changes are not saved"), "{said}");
    assert_eq!(times(&said, "Trying again"), 1, "once for the change of state: {said}");
}

/// Where a file system can be mounted for one process; elsewhere the limit above has to do.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mount = format!("mount -t tmpfs -o size=48k tmpfs {}", folder.path().display());
    let can = Command::new("unshare").args(["-rm", "sh", "-c", &mount]).output();
    if !can.is_ok_and(|output| output.status.success()) {
        eprintln!("no file system can be mounted here");
        return;
    }
    // The shell goes on inside what `unshare` opened for it.
    let inside = format!(
        "if [ -z \"$SVC_INSIDE\" ]; then exec env SVC_INSIDE=1 unshare -rm sh -c '{mount} && exec \"$0\" \"$@\"' \"$0\" \"$@\"; fi; true"
    );
    let device = Start::new().data_dir(folder.path()).after(&inside).start();
    until_told(&device);
    everywhere_told(&device);
    let (code, said) = end(device);
    assert_eq!(code, Some(1), "{said}");
}

/// A folder in the file's place cannot be written over by anyone, whatever the user may do.
#[test]
fn a_save_that_works_again_is_told_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let file = state_file(folder.path());
    let device = Start::new().data_dir(folder.path()).start();
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    device.call("svc-update-track", json!({ "path": "t0", "name": "first" }));
    device.stderr().wait_for("could not be written").expect("it is said");
    everywhere_told(&device);
    fs::remove_dir(&file).unwrap();
    device.stderr().wait_for("written to the disk again").expect("it is said");
    assert_eq!(device.config()["saveFailure"], Value::Null);
    assert!(!is_told(&device.warnings("svc-update-track", json!({ "path": "t1", "name": "second" }))));
    assert_eq!(end(device).0, Some(0));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("told") && text.contains("second"), "{text}");
    assert_eq!(files(folder.path()), ["state.json"]);
}

#[test]
fn what_is_no_file_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let huge = folder.path().join("huge.json");
    fs::File::create(&huge).unwrap().set_len(1 << 40).unwrap();
    let link = folder.path().join("link.json");
    symlink("/dev/zero", &link).unwrap();
    for (file, why) in [
        (pipe.as_path(), "is a pipe"),
        (Path::new("/dev/zero"), "is a device"),
        (&link, "is a device"),
        (&huge, "is larger than any Set"),
    ] {
        let (code, _, said) =
            Start::new().data_dir(folder.path()).args(["--open".into(), file.as_os_str().to_owned()]).run();
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(why) && said.contains("--open"), "{said}");
    }
    fs::rename(&pipe, state_file(folder.path())).unwrap();
    let (code, _, said) = Start::new().data_dir(folder.path()).run();
    assert_eq!((code, said.contains("is a pipe")), (Some(1), true), "{said}");
}

#[test]
fn the_lock_is_on_the_file_whatever_it_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let (song, link) = (folder.path().join("song.json"), folder.path().join("link.json"));
    symlink("song.json", &link).unwrap();
    let open = |file: &Path| {
        Start::new().data_dir(&folder.path().join("data")).args(["--open".into(), file.as_os_str().to_owned()])
    };
    let refused = |file: &Path| {
        let (code, _, said) = open(file).run();
        assert!(code == Some(1) && said.contains("another svc-device has"), "{file:?}: {code:?} {said}");
    };
    let device = open(&link).start();
    assert_eq!(fs::metadata(&song).unwrap().mode() & 0o777, 0o666 & !umask(), "as the system makes it");
    fs::set_permissions(&song, fs::Permissions::from_mode(0o640)).unwrap();
    refused(&song);
    refused(&link);
    device.call("svc-update-track", json!({ "path": "t0", "name": "through the link" }));
    let written = || fs::read_to_string(&song).ok().filter(|text| text.contains("through the link"));
    wait_until(PATIENCE, written).expect("it is written");
    // The name that the lock has is removed, then the one of the file.
    fs::remove_file(folder.path().join(".song.json.lock")).unwrap();
    refused(&song);
    refused(&link);
    assert_eq!(end(device).0, Some(0));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&song).unwrap().mode() & 0o777, 0o640, "a document keeps its mode");
    let device = open(&song).start();
    fs::remove_file(&song).unwrap();
    refused(&link);
    assert_eq!(device.call("svc-read-track", json!({ "path": "t0" }))["name"], "through the link");
}

fn umask() -> u32 {
    let said = Command::new("sh").args(["-c", "umask"]).output().unwrap().stdout;
    u32::from_str_radix(String::from_utf8(said).unwrap().trim(), 8).unwrap()
}

#[test]
fn nobody_else_may_look_into_the_data_folder() {
    let above = tempfile::tempdir().unwrap();
    let folder = above.path().join("data");
    let device = Start::new().data_dir(&folder).start();
    device.call("svc-context", json!({ "scope": "global", "action": "write", "content": "Who I am, in a line." }));
    let fact = json!({ "scope": "memory", "action": "write", "name": "a", "description": "d", "content": "c" });
    device.call("svc-context", fact);
    device.call("svc-update-track", json!({ "path": "t0", "name": "kept" }));
    let log = wait_until(PATIENCE, || files(&folder).into_iter().find(|name| name.ends_with(".log")));
    let mut seen = vec![folder.clone()];
    let mut at = 0;
    while let Some(path) = seen.get(at).cloned() {
        let Ok(about) = fs::metadata(&path) else {
            at += 1;
            continue;
        };
        let most = if about.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(about.mode() & 0o777, most, "{path:?}");
        if about.is_dir() {
            seen.extend(files(&path).into_iter().map(|name| path.join(name)));
        }
        at += 1;
    }
    assert!(log.is_some() && seen.len() > 5, "{seen:?}");
}

/// The number of the last change that is there; a new Set has none.
fn kept_number(device: &Device) -> usize {
    let name = device.call("svc-read-track", json!({ "path": "t0" }))["name"].clone();
    let name = name.as_str().expect("a name");
    name.parse().unwrap_or_else(|_| if name == "1-MIDI" { 0 } else { panic!("{name}") })
}

/// Each device is killed while a client goes on changing things as fast as it can.
#[test]
fn a_kill_under_load_loses_less_than_a_tenth_of_a_second() {
    const KILLS: usize = 50;
    struct Sent {
        number: usize,
        sent: Instant,
        answered: Instant,
        warned: bool,
    }
    let folder = tempfile::tempdir().unwrap();
    let (mut all, mut lost) = (0, Vec::new());
    let mut first = 0;
    for round in 0..KILLS {
        let mut device = Start::new().data_dir(folder.path()).start();
        let kept = kept_number(&device);
        assert!(kept >= first, "what was there before is: {kept} of {first}");
        first = kept;
        let answered = Arc::new(AtomicUsize::new(0));
        let (addr, count, from) = (device.addr(), answered.clone(), first + 1);
        let client = std::thread::spawn(move || {
            let (mut client, mut log) = (Client::connect(addr), Vec::new());
            for number in from.. {
                let sent = Instant::now();
                let body = match number % 5 {
                    0 => json!({ "path": "t0", "name": number.to_string(), "color": "#FF0000" }),
                    _ => json!({ "path": "t0", "name": number.to_string() }),
                };
                let head = format!(
                    "POST /api/tools/svc-update-track HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                    addr.port(),
                    body.to_string().len()
                );
                if !client.send((head + &body.to_string()).as_bytes()) {
                    break;
                }
                let Some(reply) = client.reply() else { break };
                let warned = reply.json()["warnings"].to_string().contains("saved: false");
                log.push(Sent { number, sent, answered: Instant::now(), warned });
                count.fetch_add(1, Ordering::Release);
            }
            log
        });
        let wanted = 5 + 37 * round % 400;
        wait_until(PATIENCE, || (answered.load(Ordering::Acquire) >= wanted).then_some(()))
            .expect("calls are answered");
        device.kill();
        let log = client.join().expect("the client ends");
        drop(device);
        let mut device = Start::new().data_dir(folder.path()).start();
        assert_eq!(device.config()["heldState"], Value::Null, "round {round}");
        let kept = kept_number(&device);
        let gone: Vec<&Sent> = log.iter().filter(|sent| sent.number > kept && !sent.warned).collect();
        // Measured from inside: from when the first was surely done to when the last surely was not.
        if let (Some(oldest), Some(newest)) = (gone.first(), gone.last()) {
            let span = newest.sent.saturating_duration_since(oldest.answered);
            assert!(span <= Duration::from_millis(100), "round {round}: {} calls in {span:?}", gone.len());
        }
        all += log.len();
        lost.push(gone.len());
        first = kept;
        device.kill();
    }
    lost.sort_unstable();
    println!("{all} calls, {KILLS} kills, lost: {} at most, {} in the middle", lost[KILLS - 1], lost[KILLS / 2]);
}

/// How often the threads slept that neither serve nor play.
#[cfg(target_os = "linux")]
fn sleeps_of_others(device: &Device) -> usize {
    let tasks = fs::read_dir(format!("/proc/{}/task", device.process())).unwrap();
    let sleeps = tasks.map(|task| {
        let folder = task.unwrap().path();
        // A thread may end meanwhile.
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
        if ["svc-http", "svc-output"].contains(&read("comm").trim()) {
            return 0;
        }
        let status = read("status");
        let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        count.map_or(0, |count| count.trim().parse::<usize>().unwrap())
    });
    sleeps.sum()
}

/// What has to follow a write, saving and showing it, follows several at once.
#[cfg(target_os = "linux")]
#[test]
fn writes_wake_other_threads_seldom() {
    const WRITES: usize = 3000;
    let device = Device::start();
    let write = |number: usize| {
        let body = json!({ "path": "t0", "name": number.to_string() }).to_string();
        format!(
            "POST /api/tools/svc-update-track HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            device.addr().port(),
            body.len()
        )
    };
    let mut client = Client::connect(device.addr());
    let before = sleeps_of_others(&device);
    for first in (0..WRITES).step_by(50) {
        let several: String = (first..first + 50).map(write).collect();
        assert!(client.send(several.as_bytes()));
        for number in first..first + 50 {
            assert_eq!(client.reply().map(|reply| reply.status), Some(200), "{number}");
        }
    }
    let sleeps = sleeps_of_others(&device).saturating_sub(before);
    assert!(sleeps < WRITES / 2, "{sleeps} wake-ups for {WRITES} writes");
    println!("{sleeps} wake-ups for {WRITES} writes");
}

/// A value of `/proc/PID/status` in bytes.
#[cfg(target_os = "linux")]
fn memory(device: &Device, name: &str) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", device.process())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("the value is there");
    line.trim_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().unwrap() * 1024
}

#[cfg(target_os = "linux")]
#[test]
fn a_large_set_is_opened_in_little_memory_and_saved_before_the_end() {
    let small = Device::start();
    let base = memory(&small, "VmHWM:");
    drop(small);
    let folder = tempfile::tempdir().unwrap();
    let text = large_state(24);
    fs::write(state_file(folder.path()), &text).unwrap();
    // As much address space as an empty device takes, and three times the file.
    let mut device = Start::new().data_dir(folder.path()).start();
    assert_eq!(device.config()["heldState"], Value::Null);
    let peak = memory(&device, "VmHWM:").saturating_sub(base);
    assert!(peak <= 3 * text.len(), "opening took {peak} bytes, the file has {}", text.len());
    println!("{} bytes of file, {peak} at the peak", text.len());

    // The whole state is not written when the end is asked for. On a quick machine it may be before the process can be
    // held up, so there are some tries.
    for attempt in 1..=5 {
        let name = format!("at the last moment, {attempt}");
        device.call("svc-update-track", json!({ "path": "t1", "name": name }));
        let peak = memory(&device, "VmHWM:").saturating_sub(base);
        assert!(peak <= 3 * text.len(), "writing took {peak} bytes");
        let (code, said) = end_held_up(device, folder.path());
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(files(folder.path()), ["state.json"]);
        let saved = fs::read_to_string(state_file(folder.path())).unwrap();
        assert!(saved.contains(&name) && saved.len() > text.len());
        if said.contains("still saving the Set, 1 s so far") && said.contains("saving the Set took") {
            return;
        }
        device = Start::new().data_dir(folder.path()).start();
    }
    panic!("nobody was told that the Set was still being saved");
}

/// What was needed for a while goes back: texts of answers, versions that nothing keeps.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn memory_that_was_needed_for_a_while_goes_back() {
    let folder = tempfile::tempdir().unwrap();
    let text = large_state(12);
    fs::write(state_file(folder.path()), &text).unwrap();
    let device = Start::new().data_dir(folder.path()).start();
    let rest = memory(&device, "VmRSS:");
    let paths: Vec<String> = (0..8).map(|scene| format!("t0/s{scene}")).collect();
    let body = json!({ "path": paths.join(","), "include": ["notes"] }).to_string();
    let read = |headers: &str| once(device.addr(), "POST", "/api/tools/svc-read-clip", headers, &body);
    let reply = read("x-svc-notation: midi-json\r\n");
    assert_eq!(reply.status, 200, "{:.300}", String::from_utf8_lossy(&reply.body));
    println!("an answer of {} bytes", reply.body.len());
    let peak = memory(&device, "VmHWM:");
    assert!(peak > rest + text.len() / 2, "there is a peak: {rest}, then {peak}");
    let back = wait_until(PATIENCE, || {
        let now = memory(&device, "VmRSS:");
        (now <= rest + text.len() / 2).then_some(now)
    });
    let now = memory(&device, "VmRSS:");
    assert!(back.is_some(), "{rest} before, {peak} at the peak, {now} now, for {} bytes of file", text.len());
    println!("{rest} before, {peak} at the peak, {now} now");
}

/// What a killed device had not written as a whole is in the log, and a document that was made elsewhere has none.
#[test]
fn a_set_without_a_log_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(state_file(folder.path()), state::save(&Settings::default(), &Document::new_set(), "", 0)).unwrap();
    let mut device = Start::new().data_dir(folder.path()).start();
    for n in 0..20 {
        device.call("svc-update-track", json!({ "path": "t0", "name": format!("number {n}") }));
    }
    device.change_config(json!({ "smallModelMode": true }));
    let saved = wait_until(PATIENCE, || {
        device.warnings("svc-select", json!({})).is_empty().then_some(())?;
        let text = fs::read_to_string(state_file(folder.path())).ok()?;
        let log = files(folder.path()).into_iter().find(|name| name.ends_with(".log"));
        let log = log.map(|name| fs::read_to_string(folder.path().join(name)).unwrap_or_default()).unwrap_or_default();
        let has = |part: &str| text.contains(part) || log.contains(part);
        (has("number 19") && has("\"smallModelMode\":true")).then_some(())
    });
    saved.expect("it is on the disk");
    device.kill();
    let device = Start::new().data_dir(folder.path()).start();
    assert_eq!(device.call("svc-read-track", json!({ "path": "t0" }))["name"], "number 19");
    assert_eq!(device.config()["smallModelMode"], true);
    assert_eq!(end(device).0, Some(0));
    assert_eq!(files(folder.path()), ["state.json"]);
    assert_eq!(track_name_after_a_start(folder.path()), "number 19");
}

#[test]
fn a_log_that_is_damaged_or_of_another_state_is_named_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let [base, one, two] = ["none", "one", "two"].map(|name| {
        let mut document = Document::new_set();
        Arc::make_mut(&mut document.song).name = name.to_owned();
        document
    });
    let (own, other) = ("0123456789abcdef", "fedcba9876543210");
    let settings = Settings::default();
    let log = Some(LogNames { log: own, ended: "" });
    let parts = StateParts { settings: &settings, document: &base, id: "", revision: 0, log };
    fs::write(state_file(folder.path()), parts.to_text()).unwrap();
    let path = |name: &str, ending: &str| folder.path().join(format!(".state.json.{name}.{ending}"));
    let mut log = ChangeLog::create(path(own, "log")).unwrap();
    for (before, after) in [(&base, &one), (&one, &two)] {
        log.append(&Change { set: SavedChanges::between(before, after).as_ref(), settings: None }).unwrap();
    }
    let mut lines = fs::read(path(own, "log")).unwrap();
    *lines.last_chunk_mut::<5>().unwrap() = *b"#####";
    lines.push(b'\n');
    fs::write(path(own, "log"), &lines).unwrap();
    fs::write(path(other, "log"), "changes\n").unwrap();

    let device = Start::new().data_dir(folder.path()).start();
    let (code, said) = end(device);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("could not all be read: its line 2") && said.contains(".damaged"), "{said}");
    assert!(said.contains(&format!(".{other}.log holds changes of another version")), "{said}");
    assert_eq!(fs::read(path(own, "damaged")).unwrap(), lines);
    assert_eq!(fs::read_to_string(path(other, "log")).unwrap(), "changes\n");
    let saved = state::load(&fs::read_to_string(state_file(folder.path())).unwrap()).unwrap();
    assert_eq!(saved.document.song.name, "one", "as far as the log can be read");
    let names = [format!(".state.json.{own}.damaged"), format!(".state.json.{other}.log"), "state.json".to_owned()];
    assert_eq!(files(folder.path()), names);
}

fn track_name_after_a_start(folder: &Path) -> Value {
    let device = Start::new().data_dir(folder).start();
    let reply = once(device.addr(), "POST", "/api/tools/svc-read-track", "", "{\"path\":\"t0\"}");
    reply.json()["result"]["name"].clone()
}
