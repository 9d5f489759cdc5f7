//! `/api/files`: files that come from a browser and leave for one.

use crate::events::Stream;
use crate::http::{Client, Reply};
use crate::set_files::live_set;
use crate::support::Api;
use serde_json::{Value, json};
use std::fs;
use std::net::Shutdown;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use svc_device::transfers::Transfers;

const PATIENCE: Duration = Duration::from_secs(30);
const BYTES: &str = "Content-Type: application/octet-stream\r\n";

fn head(api: &Api, query: &str, headers: &str, length: usize) -> String {
    let port = api.addr.port();
    let headers = headers.replace("PORT", &port.to_string());
    format!("POST /api/files{query} HTTP/1.1\r\nHost: localhost:{port}\r\n{headers}Content-Length: {length}\r\n\r\n")
}

fn sent(api: &Api, query: &str, headers: &str, bytes: &[u8]) -> Reply {
    let mut client = Client::connect(api.addr);
    client.send(head(api, query, headers, bytes.len()).as_bytes());
    client.send(bytes);
    client.reply().expect("an answer")
}

/// What is answered of a file that comes whole.
fn upload(api: &Api, name: &str, bytes: &[u8]) -> Value {
    let name: String = name.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let reply = sent(api, &format!("?name={name}"), BYTES, bytes);
    assert_eq!(reply.status, 200, "{}", reply.json());
    reply.json()
}

/// A WAV file; no two are the same.
fn sample(at: usize) -> Vec<u8> {
    let sound = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audio/half.wav")).unwrap();
    [sound, format!("LIST{at:04}").into_bytes()].concat()
}

/// All that lies in the folder, with what is in the making.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

fn came(root: &Path) -> Vec<PathBuf> {
    files_below(&root.join("transfers"))
}

fn fetched(api: &Api, method: &str, target: &str, headers: &str) -> Reply {
    Client::connect(api.addr).request(method, target, headers, "")
}

#[test]
fn a_file_lies_under_a_clean_name_of_its_own() {
    let root = tempfile::tempdir().unwrap();
    let api = Api::in_folder(root.path());
    let cases = [
        ("kick.wav", "samples/kick.wav", "sample"),
        ("kick.wav", "samples/kick (2).wav", "sample"),
        ("Größe 🎹.WAV", "samples/Größe 🎹.WAV", "sample"),
        ("../../state.als", "sets/state.als", "set"),
        ("..\\..\\state.als", "sets/state (2).als", "set"),
        ("/etc/song.svcset", "sets/song.svcset", "set"),
        ("C:\\Windows\\song.svcset", "sets/song (2).svcset", "set"),
        ("nul.svcset", "sets/_nul.svcset", "set"),
        (".als", "sets/file.als", "set"),
        ("a\u{202E}b\n.als", "sets/ab_.als", "set"),
    ];
    for (at, (name, lies, is_for)) in cases.into_iter().enumerate() {
        let content = if is_for == "sample" { sample(at) } else { format!("content {at}").into_bytes() };
        let answer = upload(&api, name, &content);
        let file = root.path().join("transfers").join(lies);
        let expected = json!({
            "file": file, "name": file.file_name().unwrap().to_str(), "bytes": content.len(), "use": is_for
        });
        assert_eq!(answer, expected, "{name:?}");
        assert_eq!(fs::read(&file).unwrap(), content, "{name:?}");
    }
    assert_eq!(came(root.path()).len(), cases.len(), "no other file was written");
}

#[test]
fn what_is_refused_says_why_and_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    let api = Api::in_folder(root.path());
    let with = |origin: &str| format!("{BYTES}Origin: {origin}\r\n");
    let json_type = "Content-Type: application/json\r\n";
    let zipped = format!("{BYTES}Content-Encoding: gzip\r\n");
    let cross_site = format!("{BYTES}Sec-Fetch-Site: cross-site\r\n");
    let cases: [(&str, &str, &[u8], u16, &str); 14] = [
        ("", BYTES, b"x", 400, "`name`"),
        ("?name=%20", BYTES, b"x", 400, "`name`"),
        ("?name=a.wav&name=b.wav", BYTES, b"x", 400, "twice"),
        ("?name=a.wav", BYTES, b"", 400, "empty"),
        (
            "?name=song.txt",
            BYTES,
            b"x",
            415,
            "`song.txt` is no file for this device: it takes Sets (.als, .alc, .svcset)",
        ),
        ("?name=song", BYTES, b"x", 415, ".flac"),
        ("?name=bad.wav", BYTES, b"no audio", 415, "`bad.wav` is no audio file that can be read"),
        ("?name=a.wav", json_type, b"x", 415, "application/octet-stream"),
        ("?name=a.wav", "", b"x", 415, "application/octet-stream"),
        ("?name=a.wav", &zipped, b"x", 415, "content coding"),
        ("?name=a.wav", &with("http://evil.example"), b"x", 403, "evil.example"),
        ("?name=a.wav", &with("http://localhost:5173"), b"x", 403, "own page"),
        ("?name=a.wav", &with("null"), b"x", 403, "null"),
        ("?name=a.wav", &cross_site, b"x", 403, "other sites"),
    ];
    for (query, headers, bytes, status, named) in cases {
        let reply = sent(&api, query, headers, bytes);
        let error = reply.json()["error"].as_str().unwrap_or_default().to_owned();
        assert_eq!((reply.status, error.contains(named)), (status, true), "{query} {headers:?}: {error}");
    }
    // Refused by its length alone, before a byte of it came.
    let mut client = Client::connect(api.addr);
    client.send(head(&api, "?name=a.wav", BYTES, (512 << 20) + 1).as_bytes());
    let reply = client.reply().unwrap();
    assert_eq!((reply.status, reply.closes()), (413, true), "{}", reply.json());
    assert!(reply.json()["error"].as_str().unwrap().contains("536870912 bytes"), "{}", reply.json());
    let put = fetched(&api, "PUT", "/api/files?name=a.wav", BYTES);
    assert_eq!((put.status, put.header("allow")), (405, Some("GET, HEAD, POST, OPTIONS")));
    assert_eq!(came(root.path()), [] as [PathBuf; 0]);
    assert_eq!(sent(&api, "?name=a.als", &with("http://localhost:PORT"), b"x").status, 200, "the device's own page");
    // With Live as the host each device of a test has a folder.
    let without_folder = Api::new().request("GET", "/api/files", "", "");
    assert_eq!(without_folder.status, if crate::live_seat::is_wanted() { 200 } else { 503 });
}

#[test]
fn a_file_that_is_cut_off_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    let api = Api::in_folder(root.path());
    let wait_until = |is_so: &dyn Fn(&[PathBuf]) -> bool, what: &str| {
        let end = Instant::now() + PATIENCE;
        while !is_so(&came(root.path())) {
            assert!(Instant::now() < end, "{what}: {:?}", came(root.path()));
            std::thread::yield_now();
        }
    };
    for shutdown in [Shutdown::Write, Shutdown::Both] {
        let mut client = Client::connect(api.addr);
        client.send(head(&api, "?name=long.wav", BYTES, 5_000_000).as_bytes());
        client.send(&vec![7; 3_000_000]);
        wait_until(&|files| files.len() == 1, "it is on its way");
        client.stream.shutdown(shutdown).unwrap();
        wait_until(&<[PathBuf]>::is_empty, "nothing is left");
    }
    // One under way when the device stops goes with it.
    let mut client = Client::connect(api.addr);
    client.send(head(&api, "?name=long.wav", BYTES, 5_000_000).as_bytes());
    client.send(&[7; 1000]);
    wait_until(&|files| files.len() == 1, "it is on its way");
    api.device.stop();
    wait_until(&<[PathBuf]>::is_empty, "nothing is left of what a stop cut off");
}

/// In chunks, without a length, as a program sends what it makes while it sends it.
#[test]
fn a_file_without_a_length_comes_in_chunks() {
    let root = tempfile::tempdir().unwrap();
    let api = Api::in_folder(root.path());
    let mut client = Client::connect(api.addr);
    let head = head(&api, "?name=a.als", BYTES, 0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    client.send(head.as_bytes());
    let piece = vec![b'x'; 300_000];
    for _ in 0..4 {
        client.send(format!("{:x}\r\n", piece.len()).as_bytes());
        client.send(&piece);
        client.send(b"\r\n");
    }
    client.send(b"0\r\n\r\n");
    let reply = client.reply().unwrap();
    assert_eq!((reply.status, &reply.json()["bytes"]), (200, &json!(1_200_000)), "{}", reply.json());
    assert_eq!(fs::metadata(root.path().join("transfers/sets/a.als")).unwrap().len(), 1_200_000);
}

#[test]
fn two_of_one_name_come_at_once() {
    let root = tempfile::tempdir().unwrap();
    let api = Api::in_folder(root.path());
    let contents = [vec![b'a'; 2_000_000], vec![b'b'; 2_000_000]];
    let answers: Vec<Value> = std::thread::scope(|threads| {
        let both: Vec<_> = contents.iter().map(|bytes| threads.spawn(|| upload(&api, "take.als", bytes))).collect();
        both.into_iter().map(|one| one.join().unwrap()).collect()
    });
    for (answer, content) in answers.iter().zip(&contents) {
        assert_eq!(&fs::read(answer["file"].as_str().unwrap()).unwrap(), content, "{answer}");
    }
    let mut names: Vec<&str> = answers.iter().map(|answer| answer["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["take (2).als", "take.als"]);
    // Four at a time; a fifth is told so.
    let mut coming: Vec<Client> = (0..4).map(|_| Client::connect(api.addr)).collect();
    for client in &mut coming {
        client.send(head(&api, "?name=slow.als", BYTES, 10).as_bytes());
    }
    let end = Instant::now() + PATIENCE;
    while came(root.path()).len() < 6 {
        assert!(Instant::now() < end, "{:?}", came(root.path()));
        std::thread::yield_now();
    }
    let refused = sent(&api, "?name=fifth.wav", BYTES, b"x");
    assert_eq!(refused.status, 503, "{}", refused.json());
    for mut client in coming {
        client.send(b"0123456789");
        assert_eq!(client.reply().unwrap().status, 200);
    }
}

#[test]
fn a_set_that_came_is_opened_imported_and_undone() {
    let (root, made) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let api = Api::in_folder(root.path());
    let before = api.kept();
    let answer = upload(&api, "song.als", &fs::read(live_set(made.path())).unwrap());
    let opened = api.ok("svc-manage", json!({"action": "open", "file": answer["file"]}));
    assert_eq!((&opened["tracks"], &opened["scenes"]), (&json!(3), &json!(2)), "{opened}");
    // Its sample did not come with it, and that is said.
    assert!(opened["missingSamples"].to_string().contains("half.wav"), "{opened}");
    api.ok("svc-manage", json!({"action": "undo"}));
    assert!(api.kept().same_as(&before), "one step");
    let tracks = api.count("regularTrackCount");
    api.ok("svc-manage", json!({"action": "import", "file": answer["file"]}));
    assert!(api.count("regularTrackCount") > tracks);
    // What lies elsewhere is no more allowed than before.
    let elsewhere = made.path().join("song.als");
    let refused = api.refused("svc-manage", json!({"action": "open", "file": elsewhere}));
    assert!(refused.contains("allowedFolders"), "{refused}");
    let beside = root.path().join("transfers/sets/../../state.json");
    let refused = api.refused("svc-manage", json!({"action": "open", "file": beside}));
    assert!(refused.contains("without .."), "{refused}");
}

#[test]
fn a_sample_that_came_is_put_into_a_slot() {
    let root = tempfile::tempdir().unwrap();
    let api = Api::in_folder(root.path());
    let sound = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audio/half.wav")).unwrap();
    let answer = upload(&api, "half 🥁.wav", &sound);
    let clip = api.ok("svc-create-clip", json!({"path": "t2/s0", "sampleFile": answer["file"]}));
    assert!(clip.get("ok").is_none(), "{clip}");
    let read = api.ok("svc-read-clip", json!({"path": "t2/s0", "include": ["*"]}));
    assert!(read.to_string().contains("half 🥁"), "{read}");
}

#[test]
fn what_the_device_wrote_leaves_and_nothing_else() {
    let root = tempfile::tempdir().unwrap();
    let api = Api::in_folder(root.path());
    upload(&api, "a.svcset", b"came, and does not leave");
    let listed = api.request("GET", "/api/files", "", "").json();
    let folder = PathBuf::from(listed["folder"].as_str().unwrap());
    assert_eq!((&listed["files"], &listed["maxBytes"]), (&json!([]), &json!(512 << 20)), "{listed}");
    fs::write(folder.join("put there.svcset"), "x").unwrap();
    let written = folder.join("Größe 🎹.svcset");
    api.ok("svc-manage", json!({"action": "save", "file": written}));
    let listed = api.request("GET", "/api/files", "", "").json();
    let bytes = fs::read(&written).unwrap();
    let href = "/api/files/Gr%C3%B6%C3%9Fe%20%F0%9F%8E%B9.svcset";
    let expected = json!([{"name": "Größe 🎹.svcset", "bytes": bytes.len(), "href": href}]);
    assert_eq!(listed["files"], expected);
    let reply = fetched(&api, "GET", href, "");
    assert_eq!((reply.status, &reply.body), (200, &bytes));
    assert_eq!(reply.header("content-type"), Some("application/octet-stream"));
    let disposition = "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%F0%9F%8E%B9.svcset";
    assert_eq!(reply.header("content-disposition"), Some(disposition));
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    for target in [
        "/api/files/put%20there.svcset",
        "/api/files/a.svcset",
        "/api/files/..%2f..%2fstate.json",
        "/api/files/%2e%2e%2fsets%2fa.svcset",
        "/api/files/%ff",
        "/api/files/nothing.svcset",
    ] {
        let reply = api.request("GET", target, "", "");
        assert_eq!(reply.status, 404, "{target}: {}", reply.json());
    }
    let foreign = "Origin: http://evil.example\r\n";
    for target in ["/api/files", href] {
        assert_eq!(fetched(&api, "GET", target, foreign).status, 403, "{target}");
        assert_eq!(fetched(&api, "GET", target, "Sec-Fetch-Site: cross-site\r\n").status, 403, "{target}");
    }
    assert_eq!(fetched(&api, "POST", href, "").status, 405);
    // One that the user took away is not there any more.
    fs::remove_file(&written).unwrap();
    assert_eq!(api.request("GET", href, "", "").status, 404);
    assert_eq!(api.request("GET", "/api/files", "", "").json()["files"], json!([]));
}

#[test]
fn what_was_rendered_leaves_too() {
    let root = tempfile::tempdir().unwrap();
    let api = Api::in_folder(root.path());
    let folder = api.request("GET", "/api/files", "", "").json()["folder"].as_str().unwrap().to_owned();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    let file = Path::new(&folder).join("mix.wav");
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=job", "");
    let answer = api.ok("svc-render", json!({"path": "s0", "length": "1bar", "tail": 0, "file": file}));
    if answer.get("job").is_some() {
        stream.wait_for("job", |job| job["state"] == "done");
    }
    let reply = fetched(&api, "GET", "/api/files/mix.wav", "");
    assert_eq!((reply.status, &reply.body), (200, &fs::read(&file).unwrap()));
    assert!(reply.body.starts_with(b"RIFF"));
}

/// What a device that was killed left goes when the next one starts, and nothing that still comes to another one.
#[cfg(unix)]
#[test]
fn what_a_killed_device_left_goes_at_the_start() {
    let root = tempfile::tempdir().unwrap();
    let mut coming = Transfers::new(root.path()).begin("long.als", None).unwrap();
    let there = came(root.path());
    let left = root.path().join("transfers/samples/.upload-1-1.part");
    fs::create_dir_all(left.parent().unwrap()).unwrap();
    fs::write(&left, "left").unwrap();
    let _api = Api::in_folder(root.path());
    let end = Instant::now() + PATIENCE;
    while came(root.path()) != there {
        assert!(Instant::now() < end, "{:?}", came(root.path()));
        std::thread::yield_now();
    }
    coming.write(b"x").unwrap();
    assert_eq!(fs::read(coming.finish().unwrap().file).unwrap(), b"x");
}

/// A job is told from when a caller knows of it until it has ended, and to who comes later while it is under way.
#[cfg(feature = "test-tools")]
#[test]
fn a_job_is_told_until_it_has_ended() {
    let api = Api::new();
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=job", "");
    let id = api.ok("svc-test", json!({"behave": "job", "job": "transfers told"}))["job"]["id"].clone();
    let is_running = |job: &Value| job["id"] == id && job["state"] == "running";
    let told = stream.wait_for("job", is_running);
    assert_eq!((&told.data["tool"], told.data.get("result")), (&json!("svc-test"), None), "{:?}", told.data);
    let (mut later, _) = Stream::open(&api, "/api/events?kinds=job", "");
    later.wait_for("job", is_running);
    api.ok("svc-manage", json!({"action": "cancel", "id": id}));
    for stream in [&mut stream, &mut later] {
        let ended = stream.wait_for("job", |job| job["id"] == id && job["state"] == "cancelled");
        assert_eq!(ended.data["detail"], "svc-manage was asked to");
    }
}
