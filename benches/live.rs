//! What a call on a running Live costs, on the fake Live of the tests: what the fake itself takes is taken off again,
//! and each access of Live's objects is counted with a stated time instead. So it is the device's and the script's time
//! with Live's ticks, and nothing of Live's own work.

#[allow(dead_code, reason = "shared with the tests; this uses a part of it")]
#[path = "../tests/it/support/child.rs"]
mod child;
#[allow(dead_code, reason = "shared with the tests; this uses a part of it")]
#[path = "../tests/it/support/fake_live.rs"]
mod fake_live;
#[allow(dead_code, reason = "shared with the tests; this uses a part of it")]
#[path = "../tests/it/support/fake_live_process.rs"]
mod fake_live_process;
#[allow(dead_code, reason = "shared with the tests; this uses a part of it")]
#[path = "../tests/it/support/http.rs"]
mod http;
#[allow(dead_code, reason = "shared with the tests; this uses a part of it")]
#[path = "../tests/it/support/script.rs"]
mod script;

use fake_live::{Linked, linked};
use http::Client;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const TICK_MS: f64 = 17.0;
/// What each access of an object of Live's is taken to cost.
const ACCESS_US: f64 = 1.0;
const CALLS: usize = 200;

/// Public projects of the same kind, as they report themselves.
const PEERS: [(&str, &str); 5] = [
    ("AbletonOSC, one property", "99-101 ms mean, 205-310 ms where a reply needs two ticks"),
    ("ableton-js, one property", "35-50 ms with its fast timer, 300 ms without"),
    ("JSON socket with schedule_message", "100-200 ms a command"),
    ("a script with threads for its sockets", "1-4 ticks of 34 ms a result"),
    ("Max for Live, one track / a Set of 120 objects", "11.6 ms / 29 ms"),
];

fn main() {
    let live = linked(json!({
        "own_time": true, "tick_ms": TICK_MS, "access_us": ACCESS_US,
        "set": { "midi": 100, "audio": 0, "scenes": 100 },
    }));
    live.live.ask("fill", json!({ "scenes": 20 }));
    println!("ticks of {TICK_MS} ms, {ACCESS_US} us an access; the Set: 100 tracks, 100 scenes, 2,000 clips");
    println!("{:44} {:>9} {:>9} {:>9}   wanted", "", "median ms", "p95 ms", "most ms");
    // The ids of what is read are given, and its listeners added, by the first read.
    measure(&live, READ_ALL.1);
    let track = r#"svc-read-track {"path": "t0"}"#;
    report("a call after a pause", "a tick + 3", &mut sampled(&live, 40, track, Duration::from_millis(40)));
    report("calls one behind the other", "p50 of 2", &mut in_a_row(&live, CALLS, track));
    report(READ_ALL.0, "150", &mut sampled(&live, 5, READ_ALL.1, Duration::from_millis(100)));
    report(
        "svc-update-track, ten tracks",
        "",
        &mut sampled(
            &live,
            20,
            r#"svc-update-track {"path": "t0,t1,t2,t3,t4,t5,t6,t7,t8,t9", "name": "A,B,C,D,E,F,G,H,I,J"}"#,
            Duration::from_millis(40),
        ),
    );
    hold(&live);
    println!("\nas others report themselves:");
    for (who, what) in PEERS {
        println!("{who:44} {what}");
    }
    live.assert_orderly();
}

const READ_ALL: (&str, &str) = ("svc-read-live-set, everything", r#"svc-read-live-set {"include": ["*"]}"#);

/// What a call took, in milliseconds.
struct Call {
    /// As in a Live: without what the fake took.
    all: f64,
    /// Of that, the script: in all, and in its longest turn.
    script: f64,
    longest: f64,
    accesses: f64,
}

fn number(told: &Value, name: &str) -> f64 {
    told[name].as_f64().expect("a number")
}

fn measure(live: &Linked, line: &str) -> Call {
    let (tool, arguments) = line.split_once(' ').expect("a tool and its arguments");
    let mut client = Client::connect(live.device.addr());
    live.live.ask("turns", json!({}));
    let began = Instant::now();
    let reply = client.request("POST", &format!("/api/tools/{tool}?timeoutMs=55000"), "", arguments);
    let took = began.elapsed().as_secs_f64() * 1000.0;
    let turns = live.live.ask("turns", json!({}));
    assert_eq!((reply.status, &reply.json()["isError"]), (200, &json!(false)), "{line}");
    let held = number(&turns, "held_ms");
    Call {
        all: took - number(&turns, "real_ms") + held,
        script: held,
        longest: number(&turns, "longest_ms"),
        accesses: number(&turns, "accesses"),
    }
}

fn sampled(live: &Linked, times: usize, line: &str, pause: Duration) -> Vec<Call> {
    let one = |_| {
        std::thread::sleep(pause);
        measure(live, line)
    };
    (0..times).map(one).collect()
}

/// Calls of one client without a pause, each of one exchange with Live. What the fake takes is taken off by what it had
/// taken at each answer, since to ask it in between would have each call wait for a turn.
fn in_a_row(live: &Linked, times: usize, line: &str) -> Vec<Call> {
    let (tool, arguments) = line.split_once(' ').expect("a tool and its arguments");
    let mut client = Client::connect(live.device.addr());
    live.live.ask("turns", json!({}));
    let took: Vec<f64> = (0..times)
        .map(|_| {
            let began = Instant::now();
            let reply = client.request("POST", &format!("/api/tools/{tool}?timeoutMs=55000"), "", arguments);
            assert_eq!((reply.status, &reply.json()["isError"]), (200, &json!(false)), "{line}");
            began.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    let turns = live.live.ask("turns", json!({}));
    let late: Vec<f64> =
        turns["answers_late_ms"].as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
    assert_eq!(late.len(), times, "one exchange each");
    let before = std::iter::once(0.0).chain(late.iter().copied());
    let each = |name: &str| number(&turns, name) / times as f64;
    let call = |(took, (late, before)): (f64, (&f64, f64))| Call {
        all: took - (late - before),
        script: each("held_ms"),
        longest: number(&turns, "longest_ms"),
        accesses: each("accesses"),
    };
    took.into_iter().zip(late.iter().zip(before)).map(call).collect()
}

fn report(what: &str, wanted: &str, calls: &mut [Call]) {
    calls.sort_by(|a, b| a.all.total_cmp(&b.all));
    let at = |share: usize| calls.get(calls.len().saturating_sub(1) * share / 100).map_or(0.0, |call| call.all);
    println!("{what:44} {:9.2} {:9.2} {:9.2}   {wanted}", at(50), at(95), at(100));
    let mean = |of: fn(&Call) -> f64| calls.iter().map(of).sum::<f64>() / calls.len() as f64;
    let longest = calls.iter().map(|call| call.longest).fold(0.0, f64::max);
    let (script, accesses) = (mean(|call| call.script), mean(|call| call.accesses));
    println!("  of that the script {script:.2}, with {accesses:.0} accesses; its longest turn {longest:.2}");
}

/// What the script costs while nobody calls.
fn hold(live: &Linked) {
    live.live.ask("turns", json!({}));
    std::thread::sleep(Duration::from_secs(3));
    let turns = live.live.ask("turns", json!({}));
    let idle = number(&turns, "idle_ms") / number(&turns, "idle_turns").max(1.0);
    println!("{:44} {idle:9.3} {:9} {:9}   0.05", "a turn while nobody calls", "", "");
}
