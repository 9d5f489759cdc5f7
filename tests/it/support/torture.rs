//! What a hostile or broken client may do. Every case ends in a clear JSON answer or a clean close, and another client
//! is served meanwhile.

use super::http::{Client, Reply, once};
use std::net::SocketAddr;

/// A tool that every device has and that takes `{}`.
const TOOL: &str = "/api/tools/svc-read-live-set";

/// Runs all cases. `alive` says whether the server's process still runs.
pub fn torture(addr: SocketAddr, alive: &mut dyn FnMut() -> bool) {
    let mut check = |case: &str| {
        assert!(alive(), "{case}: the server died");
        assert_served(addr, case);
    };
    malformed_requests(addr, &mut check);
    unended_requests(addr, &mut check);
    slow_clients(addr, &mut check);
    idle_connections(addr, &mut check);
    pipelining(addr, &mut check);
    half_closed(addr, &mut check);
    clients_that_leave(addr, &mut check);
}

fn assert_served(addr: SocketAddr, case: &str) {
    let mut other = Client::connect(addr);
    assert_eq!(other.request("GET", "/api/tools", "", "").status, 200, "another client, {case}");
    assert_eq!(other.request("POST", TOOL, "", "{}").status, 200, "another client's call, {case}");
}

/// What may come back.
enum Expected {
    /// This status as JSON, then a close.
    Refused(u16),
    /// This status as JSON; the connection may live on.
    Answered(u16),
}
use Expected::{Answered, Refused};

fn malformed_requests(addr: SocketAddr, check: &mut dyn FnMut(&str)) {
    let host = format!("Host: localhost:{}\r\n", addr.port());
    let post = |headers: &str, body: &str| {
        format!("POST {TOOL} HTTP/1.1\r\n{host}Content-Type: application/json\r\n{headers}\r\n{body}").into_bytes()
    };
    let get = |headers: &str| format!("GET /api/tools HTTP/1.1\r\n{host}{headers}\r\n").into_bytes();
    let smuggled = format!("GET /config HTTP/1.1\r\n{host}\r\n");
    let mut latin1 = get("x-svc-notation: caf?\r\n");
    for byte in &mut latin1 {
        if *byte == b'?' {
            *byte = 0xe9;
        }
    }
    let mut latin1_name = get("x-caf?: 1\r\n");
    for byte in &mut latin1_name {
        if *byte == b'?' {
            *byte = 0xe9;
        }
    }
    let many_headers: String = (0..80).map(|index| format!("x-{index}: 1\r\n")).collect();
    let chunked = "Transfer-Encoding: chunked\r\n";
    let cases: Vec<(&str, Vec<u8>, Expected)> = vec![
        ("a length of 10^14", post("Content-Length: 100000000000000\r\n", ""), Refused(413)),
        (
            "a length of 10^14, asking first",
            post("Expect: 100-continue\r\nContent-Length: 100000000000000\r\n", ""),
            Refused(413),
        ),
        ("a length past 64 bits", post("Content-Length: 99999999999999999999999\r\n", ""), Refused(400)),
        ("a length at the edge of 64 bits", post("Content-Length: 18446744073709551615\r\n", ""), Refused(413)),
        ("one byte over 2 MB", post("Content-Length: 2097153\r\n", ""), Refused(413)),
        ("a length of abc", post("Content-Length: abc\r\n", &smuggled), Refused(400)),
        ("a length of -5", post("Content-Length: -5\r\n", &smuggled), Refused(400)),
        ("a length of +2", post("Content-Length: +2\r\n", "{}"), Refused(400)),
        ("a length of 2, 2", post("Content-Length: 2, 2\r\n", "{}"), Refused(400)),
        ("an empty length", post("Content-Length:\r\n", &smuggled), Refused(400)),
        ("two lengths", post("Content-Length: 2\r\nContent-Length: 50\r\n", "{}"), Refused(400)),
        ("one length twice", post("Content-Length: 2\r\nContent-Length: 2\r\n", "{}"), Refused(400)),
        (
            "length, then coding",
            post(&format!("Content-Length: 4\r\n{chunked}"), &format!("0\r\n\r\n{smuggled}")),
            Refused(400),
        ),
        (
            "coding, then length",
            post(&format!("{chunked}Content-Length: 4\r\n"), &format!("0\r\n\r\n{smuggled}")),
            Refused(400),
        ),
        ("coding twice", post(&format!("{chunked}{chunked}"), "2\r\n{}\r\n0\r\n\r\n"), Refused(400)),
        ("a packed coding", post("Transfer-Encoding: gzip, chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"), Refused(400)),
        ("coding not chunked", post("Transfer-Encoding: identity\r\n", &smuggled), Refused(400)),
        ("coding in disguise", post("Transfer-Encoding : chunked\r\n", &smuggled), Refused(400)),
        ("good chunks", post(chunked, "1\r\n{\r\n1;x=y\r\n}\r\n0\r\n\r\n"), Refused(200)),
        ("good chunks, then smuggled bytes", post(chunked, &format!("2\r\n{{}}\r\n0\r\n\r\n{smuggled}")), Refused(200)),
        ("a chunk size of zz", post(chunked, "zz\r\n{}\r\n0\r\n\r\n"), Refused(400)),
        ("a chunk size of -1", post(chunked, "-1\r\n{}\r\n0\r\n\r\n"), Refused(400)),
        ("a chunk size past 64 bits", post(chunked, "fffffffffffffffff\r\n{}"), Refused(400)),
        ("a huge chunk", post(chunked, &format!("300000\r\n{}", "x".repeat(0x30_0000))), Refused(413)),
        ("a chunk longer than it says", post(chunked, "1\r\n{}\r\n0\r\n\r\n"), Refused(400)),
        ("an expectation of more", post("Expect: the-unexpected\r\nContent-Length: 2\r\n", "{}"), Refused(417)),
        ("a plain expectation", post("Expect: 100-Continue\r\nContent-Length: 2\r\n", "{}"), Answered(200)),
        ("an expectation without a body", get("Expect: 100-continue\r\n"), Answered(200)),
        ("a non-ASCII byte in a value", latin1, Answered(200)),
        ("a non-ASCII byte in a name", latin1_name, Refused(400)),
        ("a line without colon", get("no colon here\r\n"), Refused(400)),
        ("a folded line", get("x-a: 1\r\n  2\r\n"), Refused(400)),
        ("a zero byte", get("x-a: 1\0\r\n"), Refused(400)),
        ("80 header lines", get(&many_headers), Refused(431)),
        ("a header of 1 MB", get(&format!("x-a: {}\r\n", "a".repeat(1 << 20))), Refused(431)),
        ("a target of 9 kB", format!("GET /{} HTTP/1.1\r\n{host}\r\n", "a".repeat(9000)).into_bytes(), Answered(414)),
        ("a target of 1 MB", format!("GET /{} HTTP/1.1\r\n{host}\r\n", "a".repeat(1 << 20)).into_bytes(), Refused(431)),
        ("garbage", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n".to_vec(), Refused(400)),
        ("a garbage line", b"hello there\r\n\r\n".to_vec(), Refused(400)),
        ("HTTP/2.0", format!("GET / HTTP/2.0\r\n{host}\r\n").into_bytes(), Refused(505)),
        ("the HTTP/2 preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(), Refused(505)),
        ("HTTP/1.0", format!("GET /api/tools HTTP/1.0\r\n{host}\r\n").into_bytes(), Refused(200)),
        ("bare line feeds", get("x-a: 1\r\n").into_iter().filter(|byte| *byte != b'\r').collect(), Answered(200)),
        ("no Host", b"GET /api/tools HTTP/1.1\r\n\r\n".to_vec(), Answered(400)),
        ("two Hosts", get(&host), Answered(400)),
        ("a foreign Host", b"GET /api/tools HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_vec(), Answered(403)),
        ("CONNECT", format!("CONNECT evil.example:443 HTTP/1.1\r\n{host}\r\n").into_bytes(), Answered(403)),
        ("a star", format!("GET * HTTP/1.1\r\n{host}\r\n").into_bytes(), Answered(404)),
        (
            "deep JSON",
            {
                let deep = "[".repeat(100_000);
                post(&format!("Content-Length: {}\r\n", deep.len()), &deep)
            },
            Answered(400),
        ),
        (
            "broken UTF-8",
            {
                let mut bytes = post("Content-Length: 4\r\n", "\"??\"");
                for byte in bytes.iter_mut().rev().take(3) {
                    if *byte == b'?' {
                        *byte = 0xff;
                    }
                }
                bytes
            },
            Answered(400),
        ),
    ];
    for (case, bytes, then) in cases {
        let mut client = Client::connect(addr);
        client.send(&bytes);
        let reply = client.reply().unwrap_or_else(|| panic!("{case}: closed without a word"));
        let status = match then {
            Answered(status) | Refused(status) => status,
        };
        assert_eq!(reply.status, status, "{case}: {}", String::from_utf8_lossy(&reply.body));
        assert_is_json(&reply, case);
        if matches!(then, Refused(_)) {
            assert!(client.closed(), "{case}: something came after the answer");
        }
        check(case);
    }
}

fn assert_is_json(reply: &Reply, case: &str) {
    assert_eq!(reply.header("content-type"), Some("application/json"), "{case}");
    assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"), "{case}");
    let body = reply.json();
    assert_eq!(body["error"].is_string(), reply.status != 200, "{case}: {body}");
}

fn unended_requests(addr: SocketAddr, check: &mut dyn FnMut(&str)) {
    let host = format!("Host: localhost:{}\r\n", addr.port());
    let stalled: Vec<Client> = (0..4)
        .map(|_| {
            let mut client = Client::connect(addr);
            client.send(
                format!(
                    "POST {TOOL} HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{{"
                )
                .as_bytes(),
            );
            client
        })
        .collect();
    check("4 stalled bodies");
    let stalled_heads: Vec<Client> = (0..8)
        .map(|_| {
            let mut client = Client::connect(addr);
            client.send(b"POST /api/tools/x HT");
            client
        })
        .collect();
    check("8 stalled heads");
    drop((stalled, stalled_heads));
    check("stalled clients that left");

    for (case, start, piece) in [
        ("an endless header line", "GET / HTTP/1.1\r\nx-a: ", "a".repeat(4096)),
        ("endless header lines", "GET / HTTP/1.1\r\n", "x-a: 1\r\n".repeat(512)),
        ("an endless request line", "GET /", "a".repeat(4096)),
    ] {
        let mut client = Client::connect(addr);
        client.send(start.as_bytes());
        let mut sent = 0_usize;
        while client.send(piece.as_bytes()) && sent < 60 << 20 {
            sent += piece.len();
            if client.stream.set_nonblocking(true).is_ok() && client.stream.peek(&mut [0]).is_ok() {
                break;
            }
            client.stream.set_nonblocking(false).expect("a socket option");
        }
        client.stream.set_nonblocking(false).expect("a socket option");
        let reply = client.reply().unwrap_or_else(|| panic!("{case}: closed without a word"));
        assert_eq!(reply.status, 431, "{case}");
        assert!(sent < 8 << 20, "{case}: {sent} bytes were taken");
        check(case);
    }
    let mut client = Client::connect(addr);
    client.send(
        format!("POST {TOOL} HTTP/1.1\r\n{host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
            .as_bytes(),
    );
    let piece = format!("1000\r\n{}\r\n", " ".repeat(4096));
    let sent = (0..1024).take_while(|_| client.send(piece.as_bytes())).count();
    assert!(sent >= 512, "4 kB chunks are taken up to 2 MB, not {sent}");
    assert_eq!(client.reply().map(|reply| reply.status), Some(413), "an endless chunked body");
    check("an endless chunked body");
}

/// More clients than there are seats, none of which ever ends its request.
fn slow_clients(addr: SocketAddr, check: &mut dyn FnMut(&str)) {
    const CLIENTS: usize = 70;
    let mut kept = Client::connect(addr);
    assert_eq!(kept.request("GET", "/", "", "").status, 200);
    let head = format!("POST {TOOL} HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\n", addr.port());
    for (case, start) in [
        ("70 slow heads", head.clone()),
        ("70 slow bodies", format!("{head}Content-Length: 5000\r\n\r\n")),
        ("70 slow chunks", format!("{head}Transfer-Encoding: chunked\r\n\r\n1000\r\n")),
    ] {
        let mut slow: Vec<Client> = Vec::new();
        for _ in 0..CLIENTS {
            let mut client = Client::connect(addr);
            client.send(start.as_bytes());
            slow.push(client);
        }
        check(case);
        for _ in 0..10 {
            for client in &mut slow {
                // Those that lost their seats cannot send any more.
                client.send(b" ");
            }
            check(case);
            assert_eq!(kept.request("GET", "/", "", "").status, 200, "a connection that was there before, {case}");
        }
    }
}

fn idle_connections(addr: SocketAddr, check: &mut dyn FnMut(&str)) {
    let mut idle: Vec<Client> = Vec::new();
    for index in 0..300 {
        idle.push(Client::connect(addr));
        if index % 50 == 0 {
            check("idle connections piling up");
        }
    }
    check("300 idle connections");
    let mut kept: Vec<Client> = (0..100)
        .map(|_| {
            let mut client = Client::connect(addr);
            assert_eq!(client.request("GET", "/", "", "").status, 200);
            client
        })
        .collect();
    check("100 idle connections that have been used");
    let newest = kept.last_mut().expect("one of 100");
    assert_eq!(newest.request("GET", "/", "", "").status, 200, "the newest is not closed for older ones");
}

fn pipelining(addr: SocketAddr, check: &mut dyn FnMut(&str)) {
    let host = format!("Host: localhost:{}\r\n", addr.port());
    let get = format!("GET /api/tools HTTP/1.1\r\n{host}\r\n");
    let post = format!("POST {TOOL} HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}");
    let missing = format!("GET /missing HTTP/1.1\r\n{host}\r\n");
    let mut client = Client::connect(addr);
    client.send([get.as_str(), &post, &missing].concat().repeat(10).as_bytes());
    for round in 0..10 {
        for status in [200, 200, 404] {
            let reply = client.reply().unwrap_or_else(|| panic!("round {round}: closed"));
            assert_eq!(reply.status, status, "round {round}: answers come in order");
        }
    }
    check("pipelined requests");

    let mut client = Client::connect(addr);
    client.send([get.as_str(), "rubbish\r\n\r\n"].concat().as_bytes());
    assert_eq!(client.reply().map(|reply| reply.status), Some(200));
    assert_eq!(client.reply().map(|reply| reply.status), Some(400), "rubbish behind a good request");
    assert!(client.closed());
    check("pipelined rubbish");

    let mut slow = Client::connect(addr);
    let burst = get.repeat(200);
    let mut writer = slow.stream.try_clone().expect("a second handle");
    let sender = std::thread::spawn(move || std::io::Write::write_all(&mut writer, burst.as_bytes()).is_ok());
    check("a client that does not read its many answers");
    for index in 0..200 {
        assert_eq!(slow.reply().map(|reply| reply.status), Some(200), "big answer {index}");
    }
    assert!(sender.join().expect("the sender"), "all requests were taken");
}

fn half_closed(addr: SocketAddr, check: &mut dyn FnMut(&str)) {
    let host = format!("Host: localhost:{}\r\n", addr.port());
    let post = |length: usize| {
        format!("POST {TOOL} HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{{}}")
    };
    let cases = [
        ("a whole request", post(2), Some(200)),
        ("a list", format!("GET /api/tools HTTP/1.1\r\n{host}\r\n"), Some(200)),
        ("half a body", post(9), Some(400)),
        ("half a head", "GET /api/to".to_owned(), Some(400)),
        ("nothing", String::new(), None),
    ];
    for (case, bytes, status) in cases {
        let mut client = Client::connect(addr);
        client.send(bytes.as_bytes());
        client.half_close();
        let reply = client.reply();
        assert_eq!(reply.as_ref().map(|reply| reply.status), status, "{case}, then a half-close");
        if let Some(reply) = reply {
            assert!(serde_json::from_slice::<serde_json::Value>(&reply.body).is_ok(), "{case}");
        }
        assert!(client.closed(), "{case}");
        check(case);
    }
}

fn clients_that_leave(addr: SocketAddr, check: &mut dyn FnMut(&str)) {
    for _ in 0..100 {
        let mut client = Client::connect(addr);
        client.send(format!("GET /api/tools HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", addr.port()).repeat(5).as_bytes());
    }
    check("100 clients that leave before they read");
    assert_eq!(once(addr, "GET", "/", "", "").status, 200);
}
