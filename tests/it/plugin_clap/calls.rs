//! Calls and the host's main thread: whatever it does, calls are answered, and one that fails leaves the Set as it was.

use super::{Api, Build, Library, Saved, Service, clap, in_own_process, started};
use crate::support::api::local;
use crate::support::http::once;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

const CALLS: usize = 20;
const MAIN: &str = "the main thread";

/// Makes calls that tell their thread; how many ran on each, and the longest time.
fn threads_of_calls(service: Service) -> (HashMap<String, usize>, Duration) {
    let library = Library::load(&clap(Build::Checked));
    let (mut instance, port) = started(&library);
    let mut threads: HashMap<String, usize> = HashMap::new();
    let mut longest = Duration::ZERO;
    instance.run(service, |_| {
        let mut api = Api::connect(port);
        for _ in 0..CALLS {
            let before = Instant::now();
            let answer = api.call("svc-test", json!({ "behave": "well" }));
            longest = longest.max(before.elapsed());
            // The plugin's own threads have names; this thread, which is not of its making, has none for it.
            *threads.entry(answer["thread"].as_str().unwrap_or(MAIN).to_owned()).or_default() += 1;
        }
    });
    (threads, longest)
}

fn count(threads: &HashMap<String, usize>, names: &[&str]) -> usize {
    names.iter().filter_map(|name| threads.get(*name)).sum()
}

#[test]
fn a_host_that_comes_at_once_runs_the_calls_on_its_main_thread() {
    in_own_process(|| {
        let (threads, longest) = threads_of_calls(Service::AtOnce);
        // On a busy machine the main thread may be late now and then.
        assert!(count(&threads, &[MAIN]) * 2 > CALLS, "{threads:?}");
        assert_eq!(count(&threads, &[MAIN, "svc-waker"]), CALLS, "{threads:?}");
        assert!(longest < Duration::from_millis(500), "{longest:?}");
    });
}

#[test]
fn a_host_that_comes_now_and_then_shares_the_calls_with_a_stand_in() {
    in_own_process(|| {
        let (threads, longest) = threads_of_calls(Service::Every(Duration::from_millis(16)));
        assert!(count(&threads, &["svc-waker"]) > 0, "the host is later than 5 ms most times: {threads:?}");
        assert_eq!(count(&threads, &[MAIN, "svc-waker"]), CALLS, "{threads:?}");
        assert!(longest < Duration::from_millis(500), "{longest:?}");
    });
}

#[test]
fn a_host_that_never_comes_is_stood_in_for() {
    in_own_process(|| {
        let (threads, longest) = threads_of_calls(Service::Never);
        assert_eq!(threads, HashMap::from([("svc-waker".to_owned(), CALLS)]));
        assert!(longest < Duration::from_millis(500), "{longest:?}");
    });
}

#[test]
fn a_call_that_fails_leaves_the_set_as_it_was() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Checked));
        let (mut instance, port) = started(&library);
        let mut api = Api::connect(port);
        for service in [Service::AtOnce, Service::Never] {
            let state = instance.save();
            let overview = instance.run(service, |_| api.read_all());
            let cases = [
                ("?timeoutMs=60", json!({ "behave": "sleep", "sleep": "250" }), 504, "errorCode", json!("timeout")),
                ("", json!({ "behave": "panic" }), 500, "errorCode", Value::Null),
                ("", json!({ "behave": "fail" }), 200, "isError", json!(true)),
            ];
            for (query, arguments, status, member, value) in cases {
                let before = Instant::now();
                let reply = instance.run(service, |_| api.post("svc-test", query, &arguments));
                let body = reply.json();
                assert_eq!((reply.status, &body[member]), (status, &value), "{arguments}: {body}");
                if status == 504 {
                    // The host's main thread is inside the call all the time; its caller does not wait for that.
                    assert!(before.elapsed() >= Duration::from_millis(60), "{:?}", before.elapsed());
                }
                // Answered behind it in the queue, so by now it has run to its end.
                let after = instance.run(service, |_| api.read_all());
                assert_eq!(after, overview, "{arguments}");
                assert_eq!(instance.save(), state, "{arguments}: the saved state, byte for byte");
            }
            let text = Saved::read(&state).text;
            let changed = instance.run(service, |_| {
                api.call("svc-test", json!({ "behave": "well" }));
                api.read_all()
            });
            assert_eq!(changed["set"]["tempo"], json!(77), "the control: a call that ends well does change it");
            let scenes = |all: &Value| all["set"]["scenes"].as_array().map(Vec::len);
            assert_eq!(scenes(&changed), scenes(&overview).map(|count| count + 1));
            assert_ne!(Saved::read(&instance.save()).text, text);
        }
    });
}

#[test]
fn one_call_more_than_the_queue_holds_is_told_to_come_again() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Checked));
        let (mut instance, port) = started(&library);
        instance.run(Service::AtOnce, |_| {
            // Calls that wait behind this one stay in the queue, also when nobody waits for them any more.
            let holder = thread::spawn(move || {
                once(local(port), "POST", "/api/tools/svc-test", "", r#"{"behave":"sleep","sleep":"2000"}"#)
            });
            let end = Instant::now() + Duration::from_secs(10);
            let until_refused = move || {
                let mut api = Api::connect(port);
                let mut waited = 0;
                loop {
                    assert!(Instant::now() < end, "never refused; {waited} of this script's calls waited");
                    let reply = api.post("svc-test", "?timeoutMs=1", &json!({"behave": "fail"}));
                    match reply.status {
                        504 => waited += 1,
                        200 => {}
                        _ => return (waited, reply),
                    }
                }
            };
            let scripts: Vec<_> = (0..16).map(|_| thread::spawn(until_refused)).collect();
            let mut waited = 0;
            for script in scripts {
                let (its_waited, refusal) = script.join().expect("a script");
                waited += its_waited;
                assert_eq!(refusal.status, 503);
                assert!(refusal.json()["error"].as_str().is_some_and(|text| text.contains("256 calls wait")));
            }
            // Before the holder came, a few may have been too slow for their millisecond.
            assert!((256..400).contains(&waited), "{waited}");
            assert_eq!(holder.join().expect("the holder").status, 200);
            // The holder's answer comes before the rest of the queue is gone.
            let mut api = Api::connect(port);
            while api.post("svc-test", "", &json!({"behave": "fail"})).status == 503 {
                assert!(Instant::now() < end, "the queue stays full");
            }
            api.call("svc-read-live-set", json!({}));
        });
    });
}

/// The checked build aborts if `process` allocates: here it plays while the Set changes under it as fast as it goes.
#[test]
fn playing_allocates_nothing_while_scripts_rewrite_the_set() {
    use crate::support::song::{Daw, hung};
    use std::sync::atomic::{AtomicUsize, Ordering};

    const TRACKS: usize = 16;
    const CALLS_PER_SCRIPT: usize = 700;
    const SCRIPTS: usize = 3;

    fn notes(seed: usize) -> Value {
        (0..24).map(|n| json!({ "p": 30 + (seed * 7 + n * 5) % 60, "t": (n as f64) / 6.0, "d": 0.3 })).collect()
    }

    fn script(port: u16, number: usize, done: &AtomicUsize) {
        let mut api = Api::connect(port);
        for call in 0..CALLS_PER_SCRIPT {
            let track = (call * SCRIPTS + number) % TRACKS;
            // Tracks 2 and 3 of a new Set are audio tracks.
            let slot = format!("t{}/s{}", if track < 2 { track } else { track + 2 }, call % 2);
            match call % 5 {
                0 => api.call("svc-create-clip", json!({ "path": slot, "length": "1bar", "notes": notes(call) })),
                1 => api.call("svc-playback", json!({ "action": "play-scene", "path": format!("s{}", call % 2) })),
                2 => api.call("svc-read-clip", json!({ "path": slot, "include": ["*"] })),
                _ => api.call("svc-update-clip", json!({ "path": slot, "notes": notes(call + number) })),
            };
            done.fetch_add(1, Ordering::Relaxed);
        }
    }

    in_own_process(|| {
        let library = Library::load(&clap(Build::Checked));
        let (mut instance, port) = started(&library);
        instance.run(Service::AtOnce, |audio| {
            let mut api = Api::connect(port);
            api.call("svc-create-track", json!({ "path": vec!["t+"; TRACKS - 2].join(",") }));
            for track in (0..2).chain(4..TRACKS + 2) {
                let path = format!("t{track}/s0,t{track}/s1");
                api.call("svc-create-clip", json!({ "path": path, "length": "1bar", "notes": notes(track) }));
            }
            let mut daw = Daw::new(audio, 140.0);
            api.call("svc-playback", json!({ "action": "play-scene", "path": "s0" }));
            daw.play();
            let done = AtomicUsize::new(0);
            thread::scope(|scope| {
                let scripts: Vec<_> = (0..SCRIPTS)
                    .map(|number| {
                        let done = &done;
                        scope.spawn(move || script(port, number, done))
                    })
                    .collect();
                while scripts.iter().any(|script| !script.is_finished()) {
                    daw.blocks(6);
                    // A jump back, as a loop in the host.
                    if daw.beat > 64.0 {
                        daw.beat = 32.0;
                        daw.set_tempo(90.0 + (daw.sample % 97) as f64);
                    }
                    // Faster than a real host, but not so fast that the scripts starve.
                    thread::yield_now();
                }
            });
            assert_eq!(done.into_inner(), SCRIPTS * CALLS_PER_SCRIPT);
            assert!(daw.heard.len() > 2_000, "{} events", daw.heard.len());
            daw.stop();
            daw.blocks(2);
            assert_eq!(hung(&daw.heard), []);
        });
    });
}
