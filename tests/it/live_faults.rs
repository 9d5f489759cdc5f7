//! What goes wrong between a device and a Live, each with its answer: nothing hangs, nothing is written twice, nothing
//! is left behind. `docs/live.md` has the table for users.

use crate::support::child::{Device, PATIENCE, Start, wait_until};
use crate::support::fake_live::{FakeLive, Linked, bridge_file, linked};
use crate::support::http::{Client, Reply, once};
use crate::support::script_side::ScriptSide;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use svc_device::device::recovery::JournalFolder;
use svc_device::device::{Config, Device as InProcess, Persistence, ServerStatus};
use svc_device::service::Settings;
use svc_device::service::hosts::HostChoice;
use svc_device::service::pump::SliceThread;
use svc_device::set::Document;

/// What happens in the middle of a call, and what comes of it.
struct Fault {
    what: &'static str,
    /// A tool, how long it may take in milliseconds, and its arguments.
    call: (&'static str, u32, &'static str),
    /// It happens after so many answers of the script.
    after: u32,
    then: Value,
    status: u16,
    /// Parts of the answer.
    says: &'static [&'static str],
    /// What was written in Live by then, how often.
    writes: &'static [(&'static str, usize)],
    /// What mends it, and where the link stands in between.
    state: &'static str,
    mend: Value,
}

const NAMES: (&str, u32, &str) = ("svc-update-track", 20_000, r#"{"path": "t0,t1", "name": "A,B"}"#);
const LOCATORS: (&str, u32, &str) =
    ("svc-update-live-set", 20_000, r#"{"locatorOperation": "create", "locatorTime": "5|1,9|1,13|1"}"#);
/// The playhead goes there, the locator is made, the playhead comes back.
const ONE_LOCATOR: &[(&str, usize)] = &[("current_song_time", 2), ("set_or_delete_cue", 1)];
const STAYS: &str = "what it had changed in Live by then stays, and Live's undo takes it back";

fn faults() -> Vec<Fault> {
    let restart = json!([{"op": "disconnect"}, {"op": "load"}]);
    let dialog = json!([{"op": "dialog", "text": "Save changes?"}]);
    let within = |(tool, _, arguments): (&'static str, u32, &'static str), ms| (tool, ms, arguments);
    vec![
        Fault {
            what: "the script is restarted before anything is written",
            call: NAMES,
            after: 1,
            then: restart.clone(),
            status: 200,
            says: &[r#""isError":true"#],
            writes: &[],
            state: "linked",
            mend: json!([]),
        },
        Fault {
            what: "the script is restarted between two targets",
            call: LOCATORS,
            after: 4,
            then: restart,
            status: 200,
            says: &[r#""name":"1""#, r#""time":"9|1","ok":false"#, r#""time":"13|1","ok":false"#],
            writes: ONE_LOCATOR,
            state: "linked",
            mend: json!([]),
        },
        Fault {
            what: "another Set is opened between two targets",
            call: LOCATORS,
            after: 4,
            then: json!([{"op": "reload", "midi": 2, "audio": 0}]),
            status: 200,
            says: &[r#""name":"1""#, r#""time":"9|1","ok":false"#, r#""time":"13|1","ok":false"#],
            writes: ONE_LOCATOR,
            state: "linked",
            mend: json!([]),
        },
        Fault {
            what: "the script is switched off",
            call: NAMES,
            after: 1,
            then: json!([{"op": "disconnect"}]),
            status: 200,
            says: &["the link to Ableton Live was lost", "SvcDevice is its Control Surface"],
            writes: &[],
            state: "lost",
            mend: json!([{"op": "load"}]),
        },
        Fault {
            what: "a dialog opens before anything is written",
            call: within(NAMES, 900),
            after: 1,
            then: dialog.clone(),
            status: 504,
            // The request that writes lies in the socket, and is not run when the dialog is closed.
            says: &["900 ms"],
            writes: &[],
            state: "stalled",
            mend: json!([{"op": "close_dialog"}]),
        },
        Fault {
            what: "a dialog opens between two targets",
            call: within(LOCATORS, 900),
            after: 4,
            then: dialog,
            status: 504,
            says: &["900 ms", STAYS],
            writes: ONE_LOCATOR,
            state: "stalled",
            mend: json!([{"op": "close_dialog"}]),
        },
        Fault {
            what: "the user deletes a target",
            call: NAMES,
            after: 1,
            then: json!([{"op": "user_call", "path": "live_set", "function": "delete_track", "args": [0]}]),
            status: 200,
            says: &[r#"{"path":"t0","ok":false,"detail":"there is no such object (any more)"}"#, r#""name":"B""#],
            writes: &[("name", 1)],
            state: "linked",
            mend: json!([]),
        },
    ]
}

/// Sends a call without waiting for its answer.
fn send(addr: SocketAddr, (tool, ms, arguments): (&str, u32, &str)) -> Client {
    let mut client = Client::connect(addr);
    let head = format!(
        "POST /api/tools/{tool}?timeoutMs={ms} HTTP/1.1\r\nHost: {addr}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        arguments.len()
    );
    assert!(client.send((head + arguments).as_bytes()), "the device takes the call");
    client
}

/// Every call is answered.
#[track_caller]
fn answer(client: &mut Client) -> Reply {
    client.reply().expect("the call is answered")
}

fn call(device: &Device, call: (&str, u32, &str)) -> Reply {
    answer(&mut send(device.addr(), call))
}

/// Whether the call goes well; while a Set is being opened it does not.
fn done(device: &Device, made: (&str, u32, &str)) -> Option<()> {
    let reply = call(device, made);
    (reply.status == 200 && reply.json()["isError"] == false).then_some(())
}

/// The script's writes from the first `seen` on, by what was written.
fn writes(live: &FakeLive, seen: usize) -> BTreeMap<String, usize> {
    let all = live.ask("writes", json!({}));
    let mut counted = BTreeMap::new();
    for write in all.as_array().expect("writes").iter().skip(seen) {
        *counted.entry(write[0].as_str().expect("a name").to_owned()).or_default() += 1;
    }
    counted
}

fn write_count(live: &FakeLive) -> usize {
    live.ask("writes", json!({})).as_array().expect("writes").len()
}

/// What a link takes of the device's process: its threads and its sockets.
#[cfg(target_os = "linux")]
fn taken(process: u32) -> (usize, usize) {
    let in_folder = |name: &str| std::fs::read_dir(format!("/proc/{process}/{name}")).into_iter().flatten().flatten();
    let threads = in_folder("task").filter(|task| {
        std::fs::read_to_string(task.path().join("comm")).is_ok_and(|name| name.starts_with("svc-bridge"))
    });
    let sockets = in_folder("fd")
        .filter(|fd| std::fs::read_link(fd.path()).is_ok_and(|target| target.to_string_lossy().starts_with("socket:")));
    (threads.count(), sockets.count())
}

#[cfg(not(target_os = "linux"))]
fn taken(_: u32) -> (usize, usize) {
    (0, 0)
}

/// What is taken while no script is linked, once the threads that wait for one are there: who listens, and who applies
/// the calls for Live. A thread has its name a moment after it began.
fn taken_at_rest(process: u32) -> (usize, usize) {
    let waiting = if cfg!(target_os = "linux") { 2 } else { 0 };
    let there = wait_until(PATIENCE, || Some(taken(process)).filter(|now| now.0 >= waiting));
    there.unwrap_or_else(|| panic!("threads and sockets: {:?}", taken(process)))
}

/// Nothing of what a fault took is kept.
#[track_caller]
fn assert_given_back(process: u32, before: (usize, usize)) {
    let back = wait_until(PATIENCE, || Some(taken(process)).filter(|now| now.0 <= before.0 && now.1 <= before.1));
    assert!(back.is_some(), "threads and sockets: {:?}, and {before:?} before", taken(process));
}

#[test]
fn what_happens_in_a_call() {
    let Linked { device, live } = linked(json!({}));
    let pair = Linked { device, live };
    let before = taken(pair.device.process());
    for fault in faults() {
        let Fault { what, .. } = fault;
        pair.live.ask("reload", json!({}));
        let named = json!({"path": "t0", "name": what}).to_string();
        let again = || done(&pair.device, ("svc-update-track", 20_000, &named));
        wait_until(PATIENCE, again).unwrap_or_else(|| panic!("before {what}: {}", pair.host()));
        let seen = write_count(&pair.live);
        pair.live.ask("interrupt", json!({"answers": fault.after, "then": fault.then}));
        let reply = call(&pair.device, fault.call);
        let said = reply.json().to_string();
        assert_eq!(reply.status, fault.status, "{what}: {said}");
        for part in fault.says {
            assert!(said.contains(part), "{what}: {part:?} is not said in {said}");
        }
        pair.wait_for(fault.state);
        for command in fault.mend.as_array().expect("commands") {
            let op = command["op"].as_str().expect("an op");
            pair.live.ask(op, json!({}));
        }
        pair.wait_for("linked");
        wait_until(PATIENCE, again).unwrap_or_else(|| panic!("after {what}: {}", pair.host()));
        let mut wanted: BTreeMap<String, usize> =
            fault.writes.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
        // The call that shows that all is well again.
        *wanted.entry("name".to_owned()).or_default() += 1;
        assert_eq!(writes(&pair.live, seen), wanted, "{what}");
        pair.assert_orderly();
        assert_given_back(pair.device.process(), before);
    }
}

/// What a tool found is what it changes, wherever a user has moved it meanwhile.
#[test]
fn what_a_user_moves_is_still_what_was_meant() {
    let insert = json!([{"op": "user_call", "path": "live_set", "function": "create_midi_track", "args": [0]}]);
    let scene = json!([{"op": "user_call", "path": "live_set", "function": "create_scene", "args": [0]}]);
    let cases = [
        ("svc-update-track", r#"{"path": "t0,t1", "name": "A,B"}"#, &insert, "tracks"),
        ("svc-delete", r#"{"type": "track", "path": "t0,t1"}"#, &insert, "tracks"),
        ("svc-delete", r#"{"type": "scene", "path": "s0,s2"}"#, &scene, "scenes"),
        ("svc-duplicate", r#"{"type": "track", "path": "t0"}"#, &insert, "tracks"),
    ];
    let pair = linked(json!({}));
    for (tool, arguments, edit, list) in cases {
        let mut after = 1;
        loop {
            pair.live.ask("reload", json!({}));
            let ready = || done(&pair.device, ("svc-read-live-set", 20_000, "{}"));
            wait_until(PATIENCE, ready).unwrap_or_else(|| panic!("{tool}: {}", pair.host()));
            let objects = |path: &str| pair.live.ask("get", json!({"path": path, "member": list}));
            let before = objects("live_set");
            let exchanges = pair.exchanges();
            pair.live.ask("interrupt", json!({"answers": after, "then": edit}));
            let reply = call(&pair.device, (tool, 20_000, arguments));
            let said = reply.json();
            let used = pair.exchanges() - exchanges;
            // A call that took no more answers than that was over before.
            let was_edited = used > after;
            pair.live.ask("end_interruption", json!({}));
            let now = objects("live_set");
            let (now, before) = (now.as_array().expect("a list"), before.as_array().expect("a list"));
            let gone: Vec<usize> = (0..before.len()).filter(|at| !now.contains(&before[*at])).collect();
            let meant: &[usize] = match (tool, list) {
                ("svc-delete", "tracks") => &[0, 1],
                ("svc-delete", _) => &[0, 2],
                _ => &[],
            };
            assert_eq!((&said["isError"], &gone[..]), (&json!(false), meant), "{tool} after {after}: {said}");
            if was_edited {
                let users = now.iter().filter(|one| !before.contains(one)).count();
                assert!(users >= 1, "{tool} after {after}: what the user made is gone; {said}");
            }
            pair.assert_orderly();
            if !was_edited {
                break;
            }
            after += 1;
        }
        assert!(after > 1, "{tool} was never interrupted");
    }
}

/// Bytes that are no answer end the link, and the call says so.
#[test]
fn answers_that_are_none() {
    let device = Start::new().args(["--host", "live"]).start();
    let above = (8 * 1024 * 1024 + 1_u32).to_be_bytes();
    let before = taken_at_rest(device.process());
    for (what, bytes) in [
        ("half a frame", &b"\0\0\0\x40{\"kind\": \"ans"[..]),
        ("a frame above the cap", &above),
        ("what is no object", b"\0\0\0\x02[]"),
        ("another protocol", b"HTTP/1.1 200 OK\r\n\r\n"),
        ("nothing", b""),
    ] {
        let mut script = ScriptSide::linked(&bridge_file(&device), "a");
        let mut asked = send(device.addr(), ("svc-manage", 20_000, r#"{"action": "undo"}"#));
        let request = script.next().expect("a request");
        assert_eq!(request["kind"], "read", "{what}: {request}");
        script.write(bytes);
        drop(script);
        let reply = answer(&mut asked);
        let said = reply.json().to_string();
        let lost = said.contains("the link to Ableton Live was lost before it answered");
        assert!(reply.status == 200 && lost && said.contains("nothing was changed in Live"), "{what}: {said}");
        drop(asked);
        let lost = wait_until(PATIENCE, || Some(device.config()).filter(|it| it["host"]["live"]["state"] == "lost"));
        assert!(lost.is_some(), "{what}: {}", device.config()["host"]);
        assert_given_back(device.process(), before);
    }
}

/// Who does not say in time who it is is closed, and there are never more than a few of them.
#[test]
fn connections_that_say_nothing() {
    let device = Start::new().args(["--host", "live"]).start();
    let before = taken_at_rest(device.process());
    let mut silent: Vec<ScriptSide> = (0..40).map(|_| ScriptSide::connect(&bridge_file(&device))).collect();
    for (at, one) in silent.iter_mut().enumerate() {
        // Half a greeting, and one that is longer than a greeting may be.
        let length: u32 = if at % 2 == 0 { 900 } else { 70_000 };
        one.write(&length.to_be_bytes());
        one.write(b"{\"kind\": \"hel");
    }
    // The acceptor and sixteen connections.
    assert!(taken(device.process()).0 <= before.0 + 16, "{:?}", taken(device.process()));
    for one in &mut silent {
        assert_eq!(one.next(), None, "told nothing");
    }
    assert_eq!(device.config()["host"]["live"]["state"], "notSeen");
    drop(silent);
    assert_given_back(device.process(), before);
    let refused = device.try_call("svc-read-live-set", &json!({})).expect_err("there is no Live");
    assert!(refused.to_string().contains("was not seen yet: open Live and choose SvcDevice"), "{refused}");
    ScriptSide::linked(&bridge_file(&device), "a");
}

/// A copy of the script with one text for another.
fn altered_script(folder: &Path, file: &str, from: &str, to: &str) -> String {
    let copy = folder.join("SvcDevice");
    std::fs::create_dir(&copy).expect("a folder");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/live-script/SvcDevice")).expect("the script") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "py") {
            let text = std::fs::read_to_string(&path).expect("a text");
            let name = path.file_name().expect("a name");
            let text = if name == file { text.replace(from, to) } else { text };
            std::fs::write(copy.join(name), text).expect("written");
        }
    }
    copy.display().to_string()
}

#[test]
fn a_script_of_another_protocol_or_with_another_token() {
    let device = Start::new().args(["--host", "live"]).start();
    let folder = tempfile::tempdir().expect("a folder");
    let script = altered_script(folder.path(), "version.py", "PROTOCOL = 1", "PROTOCOL = 7");
    let newer = FakeLive::start(&bridge_file(&device), json!({ "script": script }));
    let state = |wanted: &str| {
        wait_until(PATIENCE, || Some(device.config()["host"]["live"].take()).filter(|live| live["state"] == wanted))
    };
    let refused = state("refused").expect("refused");
    let text = refused["text"].as_str().unwrap_or_default().to_owned();
    assert!(text.contains("it speaks protocol 7, and this device 1; run `svc-device live install`"), "{text}");
    let said = device.try_call("svc-read-live-set", &json!({})).expect_err("there is no link").to_string();
    assert!(said.contains("run `svc-device live install`, then restart Live"), "{said}");
    let logged = || newer.ask("log", json!({})).to_string();
    wait_until(PATIENCE, || logged().contains("this device 1").then_some(())).unwrap_or_else(|| panic!("{}", logged()));
    drop(newer);

    // A token that is not this device's: it is told nothing, and tries again each second.
    let own = bridge_file(&device);
    let mut told: Value = serde_json::from_slice(&std::fs::read(&own).expect("a file")).expect("JSON");
    told["token"] = "0".repeat(64).into();
    let file = folder.path().join("wrong.json");
    std::fs::write(&file, told.to_string()).expect("written");
    #[cfg(unix)]
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("private");
    let stranger = FakeLive::start(&file, json!({}));
    let mut refusals = 0;
    wait_until(PATIENCE, || {
        refusals = stranger.ask("connects", json!({})).as_u64().expect("a count");
        (refusals >= 2).then_some(())
    })
    .unwrap_or_else(|| panic!("it tried {refusals} times"));
    assert_eq!(
        (stranger.ask("incidents", json!({})), &device.config()["host"]["live"]["state"]),
        (json!([]), &json!("refused"))
    );
    // The right one links as ever.
    drop(stranger);
    let _live = FakeLive::start(&own, json!({}));
    state("linked").expect("linked");
}

/// The device is killed while Live has its request; the next one is found by itself, and nothing is done twice.
#[test]
fn a_device_that_is_killed_in_a_call() {
    let home = tempfile::tempdir().expect("a home");
    let data = home.path().join(".svc");
    let start = || Start::new().data_dir(&data).args(["--host", "live"]).start();
    let mut device = start();
    let live = FakeLive::start_at_home(home.path(), json!({}));
    let linked = |device: &Device| {
        let is_linked = || Some(()).filter(|()| device.config()["host"]["live"]["state"] == "linked");
        wait_until(PATIENCE, is_linked).unwrap_or_else(|| panic!("{}", device.config()["host"]));
    };
    linked(&device);
    let exchanges = |device: &Device| device.config()["host"]["live"]["exchanges"].as_u64().expect("a count");
    let before = exchanges(&device);
    live.ask("interrupt", json!({"answers": 1, "then": [{"op": "dialog", "text": "Save changes?"}]}));
    let asked = send(device.addr(), NAMES);
    wait_until(PATIENCE, || (exchanges(&device) >= before + 2).then_some(())).expect("the second request");
    device.kill();
    drop(asked);
    live.ask("close_dialog", json!({}));
    let next = start();
    linked(&next);
    assert_eq!(write_count(&live), 0, "what the dead device asked for was not begun");
    assert_eq!(call(&next, NAMES).json()["isError"], false);
    assert_eq!(writes(&live, 0), BTreeMap::from([("name".to_owned(), 2)]));
    assert_eq!((live.ask("incidents", json!({})), live.ask("sockets", json!({}))), (json!([]), json!(1)));
}

/// A device inside this process, as a plugin is inside Live's.
fn in_process(folder: &Path) -> (std::sync::Arc<InProcess>, SocketAddr) {
    let (device, _engine) = InProcess::new(Config {
        instance: "test".to_owned(),
        settings: Settings::default(),
        document: Document::new_set(),
        own_clock: true,
        port_override: Some(0),
        host_override: Some(HostChoice::Live),
        persistence: Persistence::Journal(JournalFolder::in_folder(folder.join("recovery"))),
        on_change: Box::new(|| {}),
    });
    device.start(SliceThread::Model).expect("it starts");
    let ServerStatus::Listening { port } = device.wait_for_server(PATIENCE) else { panic!("it listens") };
    (device, SocketAddr::from(([127, 0, 0, 1], port)))
}

/// Two plugins in one Live, and the first of them is removed while Live has its request.
#[test]
fn two_devices_in_one_process_and_one_that_goes_in_a_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, at_first) = in_process(folder.path());
    let (second, at_second) = in_process(folder.path());
    let file = folder.path().join("bridge").join(format!("{}.json", std::process::id()));
    let live = FakeLive::start(&file, json!({}));
    let host = |addr| once(addr, "GET", "/config", "", "").json()["host"]["live"].take();
    let until = |addr, state: &str| {
        wait_until(PATIENCE, || Some(host(addr)).filter(|live| live["state"] == state))
            .unwrap_or_else(|| panic!("{state}: {}", host(addr)))
    };
    until(at_first, "linked");
    // The first tells where it takes calls as soon as it does.
    let taken = format!("another SVC Device in this process listens for it, on port {}", at_first.port());
    wait_until(PATIENCE, || host(at_second).to_string().contains(&taken).then_some(()))
        .unwrap_or_else(|| panic!("{taken}: {}", host(at_second)));
    assert_eq!(host(at_second)["state"], "notListening");
    let refused = once(at_second, "POST", "/api/tools/svc-read-live-set", "", "{}").json();
    assert!(refused["isError"] == true && refused.to_string().contains(&at_first.port().to_string()), "{refused}");

    live.ask("dialog", json!({"text": "Save changes?"}));
    let before = host(at_first)["exchanges"].as_u64();
    let mut asked = send(at_first, NAMES);
    wait_until(PATIENCE, || (host(at_first)["exchanges"].as_u64() > before).then_some(())).expect("a request");
    // It does not wait for Live: whoever removes a plugin waits for it.
    assert!(first.stop(), "every thread of it has ended");
    drop(first);
    let reply = answer(&mut asked);
    let said = reply.json().to_string();
    assert!(matches!(reply.status, 200 | 500 | 503), "{} {said}", reply.status);
    live.ask("close_dialog", json!({}));
    // The other one drives now.
    until(at_second, "linked");
    let done = once(at_second, "POST", "/api/tools/svc-update-track", "", NAMES.2).json();
    assert_eq!(
        (&done["isError"], writes(&live, 0)),
        (&json!(false), BTreeMap::from([("name".to_owned(), 2)])),
        "{done}"
    );
    assert_eq!((live.ask("incidents", json!({})), live.ask("sockets", json!({}))), (json!([]), json!(1)));
    assert!(second.stop());
}
