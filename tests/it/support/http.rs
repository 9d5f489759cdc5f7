//! A client that sends exactly the bytes it is told to and reads exactly what comes back.

use serde_json::Value;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// No answer of a healthy server takes this long.
pub const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error} in {:?}", String::from_utf8_lossy(&self.body)))
    }

    pub fn closes(&self) -> bool {
        self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

pub struct Client {
    pub stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub fn connect(addr: SocketAddr) -> Client {
        let stream = TcpStream::connect_timeout(&addr, PATIENCE).expect("the server accepts");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket option");
        stream.set_write_timeout(Some(PATIENCE)).expect("a socket option");
        stream.set_nodelay(true).expect("a socket option");
        Client { stream, buffer: Vec::new() }
    }

    /// A server that closed already makes sending fail; what it said is still read.
    pub fn send(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    pub fn half_close(&mut self) {
        // Fails when the server has closed already.
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// The next answer; `None` when the server closes first. Panics when the server says nothing at all.
    pub fn reply(&mut self) -> Option<Reply> {
        loop {
            if let Some((reply, used)) = parse(&self.buffer) {
                self.buffer.drain(..used);
                if reply.status != 100 {
                    return Some(reply);
                }
            } else if !self.read_more() {
                assert!(self.buffer.is_empty(), "half an answer: {:?}", String::from_utf8_lossy(&self.buffer));
                return None;
            }
        }
    }

    /// Waits for the server to close; true when nothing more came.
    pub fn closed(&mut self) -> bool {
        while self.read_more() {}
        self.buffer.is_empty()
    }

    fn read_more(&mut self) -> bool {
        let mut chunk = vec![0; 64 * 1024];
        match self.stream.read(&mut chunk) {
            Ok(count) => {
                self.buffer.extend_from_slice(&chunk[..count]);
                count > 0
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                panic!("neither an answer nor a close within {PATIENCE:?}")
            }
            Err(_) => false,
        }
    }

    pub fn request(&mut self, method: &str, target: &str, headers: &str, body: &str) -> Reply {
        let port = self.stream.peer_addr().expect("connected").port();
        let length = if body.is_empty() && method != "POST" {
            String::new()
        } else {
            format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len())
        };
        let head = format!("{method} {target} HTTP/1.1\r\nHost: localhost:{port}\r\n{headers}{length}\r\n");
        self.send((head + body).as_bytes());
        self.reply().expect("an answer")
    }
}

/// One request on a connection of its own.
pub fn once(addr: SocketAddr, method: &str, target: &str, headers: &str, body: &str) -> Reply {
    Client::connect(addr).request(method, target, headers, body)
}

/// The first whole answer in the bytes, and how many bytes it took.
fn parse(bytes: &[u8]) -> Option<(Reply, usize)> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).expect("an ASCII head");
    let mut lines = head.split("\r\n");
    let mut words = lines.next()?.split(' ');
    assert!(matches!(words.next(), Some("HTTP/1.1" | "HTTP/1.0")), "not HTTP: {head}");
    let status = words.next().and_then(|word| word.parse().ok()).expect("a status");
    let headers: Vec<(String, String)> = lines
        .map(|line| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned())).expect("a header"))
        .collect();
    let mut reply = Reply { status, headers, body: Vec::new() };
    let length = reply.header("content-length").map_or(0, |text| text.parse().expect("a length"));
    let start = end + 4;
    reply.body = bytes.get(start..start + length)?.to_vec();
    Some((reply, start + length))
}
