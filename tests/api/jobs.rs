//! Jobs over HTTP: work that outlasts its call, read with `svc-read-job` and cancelled with `svc-manage`.

use crate::sample_tree::{put, sound, wav};
use crate::support::Api;
use serde_json::{Value, json};
use std::fs::OpenOptions;
use std::path::Path;
use std::time::{Duration, Instant};
use svc_device::library::Phase;
use svc_device::service::Settings;

const PATIENCE: Duration = Duration::from_secs(60);

fn indexed(folder: &Path) -> Api {
    let sample_folder = folder.to_str().unwrap().to_owned();
    let api = Api::with(Settings { sample_folder, ..Settings::default() });
    let progress = api.device.library().wait(PATIENCE, |progress| progress.phase == Phase::Complete);
    assert_eq!(progress.phase, Phase::Complete, "{progress:?}");
    api
}

/// A file with a second of sound at its front and nothing behind it: `bytes` long, and next to nothing on the disk.
fn sparse(folder: &Path, name: &str, bytes: u64) {
    let sound = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audio/half.mp3");
    std::fs::copy(sound, folder.join(name)).unwrap();
    OpenOptions::new().write(true).open(folder.join(name)).unwrap().set_len(bytes).unwrap();
}

/// Silence that takes seconds to read and has no bytes on the disk.
fn long_silence(folder: &Path, name: &str) {
    const DATA_BYTES: u32 = 3_900_000_000;
    let mut head = wav(&[0.0; 16]);
    let size = u32::try_from(head.len() - 8 - 32).unwrap() + DATA_BYTES;
    head.truncate(44);
    head.splice(4..8, size.to_le_bytes());
    head.splice(40..44, DATA_BYTES.to_le_bytes());
    put(folder, name, &head);
    let file = OpenOptions::new().write(true).open(folder.join(name)).unwrap();
    file.set_len(u64::from(DATA_BYTES) + 44).unwrap();
}

fn reindex(api: &Api) -> Value {
    api.ok("svc-library", json!({"action": "reindex"}))
}

fn job(api: &Api, id: &Value) -> Value {
    api.ok("svc-read-job", json!({"id": id}))
}

/// The job once it is in that state.
fn job_in_state(api: &Api, id: &Value, state: &str) -> Value {
    let end = Instant::now() + PATIENCE;
    loop {
        let job = job(api, id);
        if job["state"] == state {
            return job;
        }
        assert!(Instant::now() < end, "{job} never is {state}");
    }
}

#[test]
fn a_short_reindex_answers_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for n in 0..4_u64 {
        put(root, &format!("Kick {n}.wav"), &wav(&sound(n, 0.1)));
    }
    put(root, "Deep/groove.mid", b"MThd");
    let api = indexed(root);
    let before = api.saved();
    let found = json!({"files": 5, "new": 0, "changed": 0, "gone": 0, "unreadable": []});
    assert_eq!(reindex(&api), found);

    put(root, "Kick 0.wav", &wav(&sound(9, 0.2)));
    std::fs::remove_file(root.join("Kick 1.wav")).unwrap();
    put(root, "Deep/Snare.wav", &wav(&sound(10, 0.1)));
    put(root, "broken.wav", b"RIFF of nothing");
    let broken = root.join("broken.wav").to_str().unwrap().to_owned();
    let why = "the file is no WAV, AIFF, FLAC, MP3 or Ogg Vorbis audio, or it is damaged";
    assert_eq!(
        reindex(&api),
        json!({"files": 6, "new": 2, "changed": 1, "gone": 1, "unreadable": [{"path": broken, "reason": why}]})
    );
    for n in 0..25 {
        put(root, &format!("broken {n}.wav"), b"");
    }
    let many = reindex(&api);
    assert_eq!((many["unreadable"].as_array().map(Vec::len), &many["moreUnreadable"]), (Some(20), &json!(6)));
    assert_eq!(api.ok("svc-read-job", json!({})), json!({"jobs": []}), "nobody was told of a job");
    assert_eq!(api.saved(), before, "it is no step");
}

#[test]
fn without_a_folder_there_is_nothing_to_index() {
    let api = Api::new();
    let refused = api.refused("svc-library", json!({"action": "reindex"}));
    assert!(refused.starts_with("no folder is indexed: name the folder"), "{refused}");
    let refused = api.refused("svc-library", json!({"action": "reindex", "query": "kick"}));
    assert!(refused.contains("query"), "{refused}");
}

/// Before files were read within limits, one of these kept its reader busy for ever.
#[test]
fn an_endless_file_holds_up_nobody() {
    let folder = tempfile::tempdir().unwrap();
    sparse(folder.path(), "endless.mp3", 300_000_000_000);
    sparse(folder.path(), "long.mp3", 1_500_000_000);
    put(folder.path(), "z.wav", &wav(&sound(1, 0.1)));
    let api = indexed(folder.path());
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let too_long = [
        ("endless.mp3", "too long to be read: it has 300 GB, and at most 4 GB are read"),
        ("long.mp3", "too long to be read: there is no sound in 32 MB of it"),
    ];
    let named: Vec<Value> = too_long.iter().map(|(name, why)| json!({"path": path(name), "reason": why})).collect();
    let found = reindex(&api);
    assert_eq!((&found["files"], &found["unreadable"]), (&json!(3), &json!(named)));
    assert_eq!(api.ok("svc-library", json!({}))["items"][0]["name"], "z.wav", "the files behind it are known");

    let files = [path("endless.mp3"), path("long.mp3"), path("z.wav")].join(",");
    let clips = api.ok("svc-create-clip", json!({"path": "t2/s0,t2/s1,t2/s2", "sampleFile": files}));
    let detail = |at: usize| clips[at]["detail"].as_str().unwrap_or_default().to_owned();
    assert!(detail(0).contains("too long to be read: it has 300 GB, and at most 2 GB are read"), "{clips}");
    assert!(detail(1).contains("too long to be read: there is no sound in 32 MB of it"), "{clips}");
    assert!(clips[2].get("ok").is_none(), "{clips}");
}

#[test]
fn a_long_reindex_is_a_job_that_can_be_read_and_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.wav", &wav(&sound(1, 0.1)));
    let api = indexed(folder.path());
    long_silence(folder.path(), "long.wav");
    let answer = reindex(&api);
    let id = &answer["job"]["id"];
    assert_eq!((id, &answer["job"]["state"]), (&json!("job-1"), &json!("running")), "{answer}");
    assert!(answer["job"]["detail"].as_str().is_some_and(|text| text.contains("svc-read-job")), "{answer}");
    let running = job(&api, id);
    assert_eq!((&running["tool"], running.get("result")), (&json!("svc-library"), None), "{running}");
    assert_eq!(running["progress"], json!({"done": 2, "total": 3, "text": "reading files: 0 of 1 (0 %)"}));
    assert_eq!(api.ok("svc-read-job", json!({}))["jobs"], json!([running]));

    let cancelled = api.ok("svc-manage", json!({"action": "cancel", "id": id}));
    assert_eq!(cancelled["state"], "cancelled", "{cancelled}");
    let stopped = api.device.library().wait(PATIENCE, |progress| progress.is_complete());
    assert_eq!((stopped.phase, stopped.read, stopped.to_read), (Phase::Stopped, 0, 1), "the reading ended too");
    let refused = api.refused("svc-manage", json!({"action": "cancel", "id": id}));
    assert_eq!(refused, "id: job-1 has ended already: it is cancelled");
    // The next look goes on with it; another project ends the job that follows.
    let second = reindex(&api)["job"]["id"].clone();
    let saved = api.saved();
    api.device.load_state(&saved);
    let ended = job(&api, &second);
    assert_eq!((&ended["state"], &ended["detail"]), (&json!("cancelled"), &json!("another project was loaded")));
}

#[test]
fn calls_about_jobs_that_are_not_there_are_refused() {
    let api = Api::new();
    for (tool, arguments, said) in [
        ("svc-read-job", json!({"id": "job-9"}), "id: there is no job job-9; leave id out"),
        ("svc-manage", json!({"action": "cancel", "id": "job-9"}), "id: there is no job job-9; svc-read-job lists"),
        ("svc-manage", json!({"action": "cancel"}), "id: cancel needs a job's id; svc-read-job lists them"),
        ("svc-manage", json!({"action": "cancel", "id": "job-1", "steps": 2}), "steps"),
        ("svc-manage", json!({"action": "undo", "id": "job-1"}), "id"),
    ] {
        let refused = api.refused(tool, arguments.clone());
        assert!(refused.starts_with(said), "{arguments}: {refused}");
    }
}

#[cfg(feature = "test-tools")]
#[test]
fn two_jobs_run_eight_wait_and_one_more_is_refused() {
    let api = Api::new();
    let start = |name: &str| json!({"behave": "job", "job": format!("budget {name}")});
    let names: Vec<String> = (0..10).map(|n| n.to_string()).collect();
    let states: Vec<Value> = std::thread::scope(|threads| {
        let calls: Vec<_> = names
            .iter()
            .map(|name| threads.spawn(|| api.ok("svc-test", start(name))["job"]["state"].clone()))
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    assert_eq!(states.iter().filter(|state| **state == "running").count(), 2, "{states:?}");
    assert_eq!(states.iter().filter(|state| **state == "waiting").count(), 8, "{states:?}");
    let refused = api.refused("svc-test", start("one more"));
    assert!(refused.starts_with("2 jobs run and 8 wait"), "{refused}");

    let jobs = api.ok("svc-read-job", json!({}))["jobs"].as_array().unwrap().clone();
    let running = jobs.iter().find(|job| job["state"] == "running").unwrap();
    api.ok("svc-manage", json!({"action": "cancel", "id": running["id"]}));
    let next = jobs.iter().find(|job| job["state"] == "waiting").unwrap();
    job_in_state(&api, &next["id"], "running");
    let small = api.envelope("svc-read-job", "x-svc-small-model-mode: true\r\n", &json!({"id": next["id"]}));
    assert_eq!(small["isError"], false, "small models read jobs too: {small}");
}

#[cfg(feature = "test-tools")]
#[test]
fn a_job_that_ends_gives_its_answer_for_a_while() {
    let api = Api::new();
    let id = api.ok("svc-test", json!({"behave": "job", "job": "answer"}))["job"]["id"].clone();
    for _ in 0..3 {
        api.ok("svc-test", json!({"behave": "step", "job": "answer"}));
    }
    let done = job_in_state(&api, &id, "done");
    assert_eq!((&done["result"], &done["progress"]["total"]), (&json!({"steps": 3}), &json!(3)), "{done}");
    assert_eq!(job(&api, &id), done, "and again");
}
