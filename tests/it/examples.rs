//! The example songs against a fresh device: they end well, the Set holds what they say, and running one again changes
//! nothing but the ids of its clips.

use crate::support::child::Device;
use crate::support::http::Client;
use crate::support::script::{self, ScriptOutput};
use serde_json::{Value, json};
use std::process::Command;

struct Song {
    interpreter: fn() -> Command,
    file: &'static str,
    /// Name and colour, in the order of the summary.
    tracks: [(&'static str, &'static str); 4],
    /// Name and length of the first two rows.
    scenes: [(&'static str, &'static str); 2],
}

const SONGS: [Song; 2] = [
    Song {
        interpreter: script::python,
        file: "song.py",
        tracks: [("Drums", "#FF3636"), ("Bass", "#FFF034"), ("Chords", "#25FFA8"), ("Lead", "#5480E4")],
        scenes: [("Verse", "4bar"), ("Chorus", "8bar")],
    },
    Song {
        interpreter: script::node,
        file: "song.mjs",
        tracks: [("Drums", "#FFA529"), ("Bass", "#10A4EE"), ("Chords", "#D86CE4"), ("Lead", "#BFFB00")],
        scenes: [("Verse", "8bar"), ("Chorus", "4bar")],
    },
];

impl Song {
    fn play(&self, arguments: &[&str], svc_url: Option<&str>) -> ScriptOutput {
        let mut command = (self.interpreter)();
        command.arg(format!("{}/examples/{}", env!("CARGO_MANIFEST_DIR"), self.file)).args(arguments);
        command.env_remove("SVC_URL").envs(svc_url.map(|url| ("SVC_URL", url)));
        script::run(command, "")
    }
}

fn call(client: &mut Client, tool: &str, arguments: &Value) -> Value {
    let answer = client.request("POST", &format!("/api/tools/{tool}"), "", &arguments.to_string()).json();
    assert_eq!(answer["isError"], false, "{tool} {arguments}: {answer}");
    answer["result"].clone()
}

/// Every regular track with all that a read shows of it, and the clips' notes.
fn tracks(client: &mut Client) -> Vec<Value> {
    let set = call(client, "svc-read-live-set", &json!({ "include": ["tracks"] }));
    let paths: Vec<&str> =
        set["tracks"].as_array().expect("tracks").iter().filter_map(|t| t["path"].as_str()).collect();
    let include = ["session-clips", "timing", "notes", "color"];
    let tracks = call(client, "svc-read-track", &json!({ "path": paths.join(","), "include": include }));
    tracks.as_array().expect("several tracks").clone()
}

fn count_notes(client: &mut Client, path: &str) -> u64 {
    let clip = call(client, "svc-read-clip", &json!({ "path": path }));
    clip["noteCount"].as_u64().expect("a MIDI clip")
}

/// What the song should have printed, told from the Set as it is.
fn summary(song: &Song, client: &mut Client, tracks: &[Value]) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, color) in song.tracks {
        let mut named = tracks.iter().filter(|track| track["name"] == name);
        let track = named.next().unwrap_or_else(|| panic!("{}: no track {name}", song.file));
        assert!(named.next().is_none(), "{}: {name} is there twice", song.file);
        assert_eq!(track["color"], color, "{}: {name}", song.file);
        let path = track["path"].as_str().expect("a path");
        let clips = track["sessionClips"].as_array().expect("clips");
        assert_eq!(clips.len(), song.scenes.len(), "{}: {name}: {clips:?}", song.file);
        let mut parts = Vec::new();
        for (row, ((scene, length), clip)) in song.scenes.into_iter().zip(clips).enumerate() {
            let slot = format!("{path}/s{row}");
            let clip_name = format!("{scene} {name}");
            assert_eq!(
                [&clip["path"], &clip["name"], &clip["length"], &clip["timeSignature"], &clip["looping"]],
                [&json!(slot), &json!(clip_name), &json!(length), &json!("4/4"), &json!(true)],
                "{}",
                song.file
            );
            let notes = count_notes(client, &slot);
            assert!(notes >= 3, "{}: {clip_name} is a part", song.file);
            parts.push(format!("{clip_name} ({length}, {notes} notes)"));
        }
        lines.push(format!("{path:<4}{name:<8}{}", parts.join(", ")));
    }
    lines
}

/// What must be the same when a song is built again.
fn lasting(tracks: &[Value]) -> Vec<Value> {
    let clip = |clip: &Value| json!([clip["path"], clip["name"], clip["length"], clip["notes"]]);
    let track = |track: &Value| {
        let clips: Vec<Value> = track["sessionClips"].as_array().into_iter().flatten().map(clip).collect();
        json!([track["id"], track["path"], track["name"], track["color"], clips])
    };
    tracks.iter().map(track).collect()
}

#[test]
fn songs_are_built_and_built_again() {
    for song in &SONGS {
        let device = Device::start();
        let url = format!("http://{}", device.addr());
        let mut client = Client::connect(device.addr());
        let before = tracks(&mut client).len();
        let mut first_time = None;
        // The address comes as an argument the first time, out of the environment the second.
        for (arguments, svc_url) in [(&[url.as_str()][..], None), (&[][..], Some(url.as_str()))] {
            let ran = song.play(arguments, svc_url);
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}: {}", song.file, ran.stdout);
            let tracks = tracks(&mut client);
            assert_eq!(tracks.len(), before + song.tracks.len(), "{}", song.file);
            let lines: Vec<&str> = ran.stdout.lines().collect();
            let [hello, parts @ .., playing] = lines.as_slice() else { panic!("{}: {lines:?}", song.file) };
            assert!(hello.starts_with("Connected to "), "{hello}");
            assert_eq!(parts, summary(song, &mut client, &tracks), "{}", song.file);
            assert_eq!(*playing, "The verse plays.", "{}", song.file);
            let set = call(&mut client, "svc-read-live-set", &json!({}));
            assert_eq!(set["isPlaying"], true, "{}: {set}", song.file);
            let now = lasting(&tracks);
            assert_eq!(*first_time.get_or_insert(now.clone()), now, "{}: the second time", song.file);
        }
    }
}

#[test]
fn songs_say_when_no_device_answers() {
    let free = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port").local_addr().expect("bound");
    // A server of another kind.
    let other = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let other_url = format!("http://{}", other.local_addr().expect("bound"));
    let answering = std::thread::spawn(move || {
        for _ in &SONGS {
            let (mut stream, _) = other.accept().expect("a client");
            let mut request = [0; 4096];
            let _ = std::io::Read::read(&mut stream, &mut request);
            let page = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>";
            let _ = std::io::Write::write_all(&mut stream, page);
        }
    });
    for song in &SONGS {
        let none = format!("http://{free}");
        for (url, words) in [
            (&none, format!("No device answers at {none} (")),
            (&other_url, format!("What answers at {other_url} is not an SVC Device.")),
        ] {
            let ran = song.play(&[url], None);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}: {}", song.file, ran.stderr);
            assert!(ran.stderr.starts_with(&words), "{}: {}", song.file, ran.stderr);
        }
    }
    answering.join().expect("both came");
}

fn walk(arguments: &[&str], url: &str) -> ScriptOutput {
    let mut command = script::python();
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/walk.py")).args(arguments).env("SVC_URL", url);
    script::run(command, "")
}

#[test]
fn the_walk_shows_the_whole_model() {
    let device = Device::start();
    let url = format!("http://{}", device.addr());
    let mut client = Client::connect(device.addr());
    call(
        &mut client,
        "svc-create-clip",
        &json!({ "path": "t0/s2", "name": "Übung", "length": "1bar", "notes": "C3 1|1" }),
    );
    let raw = |client: &mut Client, path: &str, function: &str, args: Value| {
        let operations = json!([{ "type": "call", "method": function, "args": args }]);
        let body = json!({ "path": path, "operations": operations }).to_string();
        client.request("POST", "/api/tools/svc-live-api", "x-svc-live-api: true\r\n", &body).json()
    };
    for (path, function, args) in [
        ("live_set tracks 1", "insert_device", json!(["Instrument Rack"])),
        ("live_set tracks 1 devices 0", "insert_chain", json!([])),
        ("live_set tracks 1 devices 0 chains 0", "insert_device", json!(["Operator"])),
        ("live_set tracks 0", "create_midi_clip", json!([4, 8])),
    ] {
        let answer = raw(&mut client, path, function, args);
        assert_eq!(answer["result"]["results"][0]["result"][0], "id", "{function}: {answer}");
    }

    let whole = walk(&[], &url);
    assert_eq!((whole.code, whole.stderr.as_str()), (Some(0), ""), "{}", whole.stdout);
    let lines: Vec<&str> = whole.stdout.lines().collect();
    let count = |kind: &str| {
        let shown = |line: &&&str| {
            line.split(": ").nth(1).is_some_and(|text| text == kind || text.starts_with(&format!("{kind} \"")))
        };
        lines.iter().filter(shown).count()
    };
    for (kind, number) in
        [("Song", 1), ("Track", 7), ("Scene", 8), ("ClipSlot", 4 * 8), ("Clip", 2), ("RackDevice", 1), ("Chain", 1)]
    {
        assert_eq!(count(kind), number, "{kind} in\n{}", whole.stdout);
    }
    // A scene's slots are shown where they live, and pointed at from the scene.
    assert!(lines.contains(&"    clip_slots 0: -> live_set tracks 0 clip_slots 0"), "{}", whole.stdout);
    assert!(lines.contains(&"      clip: Clip \"Übung\""), "{}", whole.stdout);
    let objects = lines.len() - 1 - lines.iter().filter(|line| line.contains(": -> ")).count();
    assert!(lines.last().is_some_and(|line| line.starts_with(&format!("{objects} objects ("))), "{:?}", lines.last());

    let floor = walk(&["--depth", "1"], &url).stdout;
    assert!(!floor.contains("\n    ") && floor.contains("\n  tracks 3: Track \"4-Audio\"\n"), "{floor}");
    let values = walk(&["--values", "--depth", "0"], &url).stdout;
    assert!(values.contains("\n    tempo = 120\n"), "{values}");
    let part = walk(&["--root", "live_set scenes 0", "--depth", "0"], &url).stdout;
    assert!(part.starts_with("live_set scenes 0: Scene\n1 objects"), "{part}");
    let nowhere = walk(&["--root", "live_set tracks 99"], &url);
    assert_eq!((nowhere.code, nowhere.stderr.trim()), (Some(1), "There is no object at live_set tracks 99."));
}
