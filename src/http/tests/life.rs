//! Deadlines, the cap, clients that leave, and the server's end.

use super::http::{Client, once};
use super::{Options, Running};
use crate::http::{Limits, Server, StartError, Stopped};
use std::net::{Ipv6Addr, SocketAddr, TcpListener};
use std::time::{Duration, Instant};

fn short() -> Limits {
    let ms = Duration::from_millis;
    Limits {
        head: ms(80),
        body: ms(80),
        idle: ms(150),
        write: ms(300),
        half_close: ms(50),
        drain: ms(200),
        ..Limits::default()
    }
}

#[test]
fn stalled_heads_and_bodies_are_408_and_idle_ones_closed() {
    let running = Running::limited(short());
    let host = format!("Host: localhost:{}\r\n", running.server.port());
    let post = format!("POST /api/tools/svc-read-live-set HTTP/1.1\r\n{host}Content-Type: application/json\r\n");
    let cases = [
        ("a head", "GET /api/tools HTTP/1.1\r\n".to_owned(), Some(408)),
        ("a body", format!("{post}Content-Length: 9\r\n\r\n{{"), Some(408)),
        ("a chunked body", format!("{post}Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n"), Some(408)),
        ("a body to be asked for", format!("{post}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n"), Some(408)),
        ("a request", String::new(), None),
    ];
    for (case, bytes, status) in cases {
        let mut client = Client::connect(running.addr());
        client.send(bytes.as_bytes());
        let reply = client.reply();
        assert_eq!(reply.as_ref().map(|reply| reply.status), status, "awaiting {case}");
        assert!(reply.is_none_or(|reply| reply.closes() && reply.json()["error"].is_string()), "{case}");
        assert!(client.closed(), "{case}");
    }
    let mut used = Client::connect(running.addr());
    assert_eq!(used.request("GET", "/", "", "").status, 200);
    assert!(used.closed(), "idle after an answer");
}

#[test]
fn requests_in_one_piece_take_turns() {
    const EACH: usize = 10;
    let running = Running::with(Options::default());
    let port = running.server.port();
    let request = |event: &str| {
        let body = format!("{{\"event\":\"{event}\"}}");
        let head =
            format!("Host: localhost:{port}\r\nContent-Type: application/json\r\nContent-Length: {}", body.len());
        format!("POST /api/tools/svc-read-live-set HTTP/1.1\r\n{head}\r\n\r\n{body}")
    };
    let [mut first, mut second, mut holds] = [(); 3].map(|()| Client::connect(running.addr()));
    for client in [&mut first, &mut second] {
        assert_eq!(client.request("GET", "/", "", "").status, 200, "it has its seat");
    }
    holds.send(request("hold").as_bytes());
    assert_eq!(running.event(), "hold");
    first.send(request("first").repeat(EACH).as_bytes());
    second.send(request("second").repeat(EACH).as_bytes());
    let order: Vec<&str> = (0..2 * EACH).map(|_| running.event()).collect();
    let longest = order.chunk_by(|a, b| a == b).map(<[&str]>::len).max();
    assert!(longest.is_some_and(|longest| longest <= 2), "{order:?}");
    for client in [&mut first, &mut second] {
        assert!((0..EACH).all(|_| client.reply().is_some_and(|reply| reply.status == 200)));
    }
}

#[test]
fn a_head_that_drips_is_not_endless() {
    let running = Running::limited(short());
    let mut client = Client::connect(running.addr());
    let start = Instant::now();
    while client.send(b"x") && start.elapsed() < Duration::from_secs(5) {
        client.stream.set_read_timeout(Some(Duration::from_millis(10))).expect("a socket option");
        if client.stream.peek(&mut [0]).is_ok() {
            break;
        }
    }
    client.stream.set_read_timeout(Some(super::http::PATIENCE)).expect("a socket option");
    assert_eq!(client.reply().map(|reply| reply.status), Some(408));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn an_answer_nobody_reads_is_given_up() {
    let running = Running::limited(short());
    let mut client = Client::connect(running.addr());
    let request = format!(
        "POST /api/tools/big HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}",
        running.server.port()
    );
    client.send(request.repeat(4).as_bytes());
    // The server closes although nothing was read; reading only starts when writing has become impossible.
    let start = Instant::now();
    while client.send(b"\r\n") {
        assert!(start.elapsed() < Duration::from_secs(10), "the connection is never given up");
        std::thread::yield_now();
    }
}

#[test]
fn a_waiting_call_keeps_nobody_waiting_and_ends_with_its_client() {
    let running = Running::limited(short());
    let mut waiting: Vec<Client> = (0..5)
        .map(|_| {
            let mut client = Client::connect(running.addr());
            client.send(
                format!("POST /api/tools/wait HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}", running.server.port()).as_bytes(),
            );
            assert_eq!(running.event(), "began");
            client
        })
        .collect();
    assert_eq!(once(running.addr(), "GET", "/api/tools", "", "").status, 200);
    drop(waiting.pop());
    assert_eq!(running.event(), "dropped", "a call without a client is dropped");
    running.backend.release.notify_waiters();
    for mut client in waiting {
        assert_eq!(client.reply().expect("an answer").json()["result"], "released");
    }
}

#[test]
fn past_the_cap_idle_ones_go_first_and_busy_ones_stay() {
    let running = Running::limited(Limits { connections: 3, ..Limits::default() });
    let call = format!(
        "POST /api/tools/wait HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}",
        running.server.port()
    );
    let mut busy: Vec<Client> = Vec::new();
    for _ in 0..2 {
        let mut client = Client::connect(running.addr());
        client.send(call.as_bytes());
        assert_eq!(running.event(), "began");
        busy.push(client);
    }
    let mut idle = Client::connect(running.addr());
    assert_eq!(idle.request("GET", "/", "", "").status, 200);
    let mut third = Client::connect(running.addr());
    third.send(call.as_bytes());
    assert_eq!(running.event(), "began", "the idle one made room");
    assert!(idle.closed());
    let mut refused = Client::connect(running.addr());
    let reply = refused.request("GET", "/", "", "");
    assert_eq!((reply.status, reply.closes()), (503, true));
    assert!(reply.json()["error"].is_string());
    running.backend.release.notify_waiters();
    for mut client in busy.into_iter().chain([third]) {
        assert_eq!(client.reply().map(|reply| reply.status), Some(200));
    }
}

#[test]
fn past_the_cap_the_slow_go_before_the_idle() {
    let running = Running::limited(Limits { connections: 16, ..Limits::default() });
    let (addr, port) = (running.addr(), running.server.port());
    let mut kept = Client::connect(addr);
    assert_eq!(kept.request("GET", "/", "", "").status, 200);
    let mut calling = Client::connect(addr);
    calling.send(wait_call(port).as_bytes());
    assert_eq!(running.event(), "began");
    let post = format!("POST /api/tools/svc-read-live-set HTTP/1.1\r\nHost: localhost:{port}\r\n");
    let body = format!("{post}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{{");
    let big = wait_call(port).replace("/wait", "/big").repeat(8);
    for (case, bytes, told) in [("a head", &post, Some(408)), ("a body", &body, Some(408)), ("an answer", &big, None)] {
        let mut slow: Vec<Client> = (0..30)
            .map(|_| {
                let mut client = Client::connect(addr);
                client.send(bytes.as_bytes());
                // A call that still runs keeps its seat; this one is over once its answer has begun to come.
                if told.is_none() {
                    client.stream.peek(&mut [0]).expect("an answer under way");
                }
                client
            })
            .collect();
        for round in 0..5 {
            let status = once(addr, "GET", "/", "", "").status;
            assert_eq!(status, 200, "a quick client beside slow ones, {case}, {round}");
        }
        if told.is_some() {
            let first = slow.first_mut().expect("one of them");
            assert_eq!(first.reply().map(|reply| reply.status), told, "{case}: who loses its seat is told");
            assert!(first.closed(), "{case}");
        }
    }
    assert_eq!(kept.request("GET", "/", "", "").status, 200, "who was there before stays");
    running.backend.release.notify_one();
    assert_eq!(calling.reply().map(|reply| reply.status), Some(200), "a call is no slow request");
}

#[test]
fn stopping_answers_or_closes_everybody() {
    let running = Running::with(Options::default());
    let (addr, port) = (running.addr(), running.server.port());
    let host = format!("Host: localhost:{port}\r\n");
    let mut idle = Client::connect(addr);
    let mut used = Client::connect(addr);
    assert_eq!(used.request("GET", "/", "", "").status, 200);
    let mut half = Client::connect(addr);
    half.send(b"GET / HT");
    let mut stalled = Client::connect(addr);
    let post = |tool: &str, length: u32| {
        format!(
            "POST /api/tools/{tool} HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{{}}"
        )
    };
    stalled.send(post("svc-read-live-set", 9).as_bytes());
    let mut waiting = Client::connect(addr);
    waiting.send(post("wait", 2).as_bytes());
    assert_eq!(running.event(), "began");
    let start = Instant::now();
    assert_eq!(running.server.stop(), Stopped::Joined);
    assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
    assert_eq!(running.events.recv().ok(), Some("dropped"));
    assert!(idle.closed() && used.closed() && half.closed());
    for client in [&mut stalled, &mut waiting] {
        let reply = client.reply().expect("an answer");
        assert_eq!((reply.status, reply.closes()), (503, true));
        assert!(client.closed());
    }
    TcpListener::bind(addr).expect("the port is free");
}

#[test]
fn a_call_that_ends_in_time_is_answered_while_stopping() {
    let running = Running::limited(Limits { stop_grace: Duration::from_millis(400), ..Limits::default() });
    let mut client = Client::connect(running.addr());
    client.send(
        format!("POST /api/tools/wait HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}", running.server.port())
            .as_bytes(),
    );
    assert_eq!(running.event(), "began");
    let backend = running.backend.clone();
    let stopping = std::thread::spawn(move || running.server.stop());
    backend.release.notify_one();
    let reply = client.reply().expect("an answer");
    assert_eq!(reply.json()["result"], "released");
    assert_eq!(stopping.join().expect("no panic"), Stopped::Joined);
}

#[test]
fn starting_and_stopping_leaves_nothing_behind() {
    let count = || std::fs::read_dir("/proc/self/task").map_or(0, |tasks| tasks.flatten().filter(is_ours).count());
    fn is_ours(task: &std::fs::DirEntry) -> bool {
        std::fs::read_to_string(task.path().join("comm")).is_ok_and(|name| name.trim() == "svc-http")
    }
    for _ in 0..20 {
        let running = Running::with(Options::default());
        let mut client = Client::connect(running.addr());
        assert_eq!(client.request("GET", "/", "", "").status, 200);
        drop(running.server);
        assert!(client.closed());
    }
    // Other tests run servers of their own at the same time, but not twenty.
    assert!(count() < 20, "{} threads", count());
}

#[test]
fn a_taken_port_is_named_and_both_loopbacks_are_served() {
    let running = Running::with(Options::default());
    let port = running.server.port();
    let error = Server::start(running.backend.clone(), port, Options::default()).err().expect("taken");
    assert!(matches!(error, StartError::PortTaken(taken) if taken == port), "{error}");
    let v6 = SocketAddr::from((Ipv6Addr::LOCALHOST, port));
    // Without IPv6 there is nothing to be served.
    if std::net::TcpStream::connect(v6).is_ok() {
        assert_eq!(once(v6, "GET", "/api/tools", "", "").status, 200);
    }
}

#[test]
fn a_client_that_only_closed_its_sending_side_reads_its_answer() {
    let running = Running::limited(Limits { half_close: Duration::from_secs(60), ..Limits::default() });
    let mut client = Client::connect(running.addr());
    client.send(wait_call(running.server.port()).as_bytes());
    assert_eq!(running.event(), "began");
    client.half_close();
    // Served after the close, so the server has seen it.
    assert_eq!(once(running.addr(), "GET", "/", "", "").status, 200);
    running.backend.release.notify_one();
    assert_eq!(client.reply().expect("an answer").json()["result"], "released");
    assert!(client.closed());
}

#[test]
fn a_body_refused_unread_is_still_taken_from_the_wire() {
    let running = Running::with(Options::default());
    let body = vec![b'x'; 24 << 20];
    let mut client = Client::connect(running.addr());
    client.send(
        format!(
            "POST /api/tools/svc-read-live-set HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            running.server.port(),
            body.len()
        )
        .as_bytes(),
    );
    assert_eq!(client.reply().map(|reply| reply.status), Some(413));
    assert!(client.send(&body), "closing over unread bytes would have reset the connection");
    client.half_close();
    assert!(client.closed());
}

fn wait_call(port: u16) -> String {
    format!(
        "POST /api/tools/wait HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: 2\r\n\r\n{{}}"
    )
}
