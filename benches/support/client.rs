//! HTTP clients that cost as little as can be: keep-alive, a prepared request, no more parsing than the length needs.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A call of a tool, as bytes.
pub fn request(port: u16, tool: &str, body: &str) -> Vec<u8> {
    post(port, &format!("/api/tools/{tool}"), body)
}

pub fn post(port: u16, path: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// How many bytes the first answer in `bytes` takes in all, once its head is here.
pub fn answer_length(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(bytes.get(..end)?).ok()?;
    let field = head.lines().find_map(|line| line.strip_prefix("content-length: "))?;
    Some(end + field.parse::<usize>().ok()?)
}

/// One connection, one call at a time.
pub struct Client {
    stream: TcpStream,
    answer: Vec<u8>,
}

impl Client {
    pub fn connect(port: u16) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the server accepts");
        stream.set_nodelay(true).expect("a socket option");
        Client { stream, answer: Vec::new() }
    }

    /// Sends and reads the whole answer; gives it with its head.
    pub fn send(&mut self, request: &[u8]) -> &[u8] {
        self.stream.write_all(request).expect("the server reads");
        self.answer.clear();
        let mut chunk = [0; 16 * 1024];
        while answer_length(&self.answer) != Some(self.answer.len()) {
            let count = self.stream.read(&mut chunk).expect("the server answers");
            assert!(count > 0, "the server closed: {}", String::from_utf8_lossy(&self.answer));
            self.answer.extend_from_slice(&chunk[..count]);
        }
        &self.answer
    }

    /// As [`Client::send`], for an answer that has to be a success; gives its body.
    pub fn call(&mut self, request: &[u8]) -> &[u8] {
        let answer = self.send(request);
        let text = || String::from_utf8_lossy(&answer[..answer.len().min(300)]);
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", text());
        let body = answer.windows(4).position(|four| four == b"\r\n\r\n").map_or(0, |at| at + 4);
        &answer[body..]
    }
}

/// Calls a second that `connections` make together, each one call at a time and each of `requests` in its turn, all
/// driven by this thread.
pub fn calls_per_second(port: u16, requests: &[Vec<u8>], connections: usize, time: Duration) -> f64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().expect("a runtime");
    let tasks = tokio::task::LocalSet::new();
    let start = Instant::now();
    let counts: Vec<_> =
        (0..connections).map(|_| tasks.spawn_local(keep_calling(port, requests.to_vec(), start + time))).collect();
    let calls = runtime.block_on(tasks.run_until(async {
        let mut calls = 0;
        for count in counts {
            calls += count.await.expect("a client ends well");
        }
        calls
    }));
    calls as f64 / start.elapsed().as_secs_f64()
}

async fn keep_calling(port: u16, requests: Vec<Vec<u8>>, until: Instant) -> u64 {
    let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.expect("the server accepts");
    stream.set_nodelay(true).expect("a socket option");
    let (mut calls, mut answer) = (0, Vec::with_capacity(4096));
    for request in requests.iter().cycle() {
        if Instant::now() >= until {
            break;
        }
        stream.write_all(request).await.expect("the server reads");
        answer.clear();
        while answer_length(&answer) != Some(answer.len()) {
            let count = stream.read_buf(&mut answer).await.expect("the server answers");
            assert!(count > 0, "the server closed");
        }
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
        calls += 1;
    }
    calls
}
