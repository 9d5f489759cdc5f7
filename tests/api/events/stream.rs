//! A client of `/api/events`, which reads chunks and events of a socket.

use crate::support::Api;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Nothing here takes this long unless it is broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// An event as it was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    pub kind: String,
    pub id: Option<String>,
    pub data: Value,
}

pub struct Stream {
    reader: BufReader<TcpStream>,
    pub status: u16,
    pub head: String,
    /// Chunks that were read.
    pub pieces: u32,
    text: String,
}

impl Stream {
    /// Asks, and reads the head of the answer.
    pub fn ask(api: &Api, target: &str, headers: &str) -> Stream {
        Stream::send(api, "GET", target, headers, "")
    }

    /// As [`Stream::ask`], with something to be told about.
    pub fn post(api: &Api, target: &str, headers: &str, body: &str) -> Stream {
        Stream::send(api, "POST", target, &format!("{headers}Content-Length: {}\r\n", body.len()), body)
    }

    fn send(api: &Api, method: &str, target: &str, headers: &str, body: &str) -> Stream {
        let mut socket = TcpStream::connect(api.addr).expect("the server accepts");
        socket.set_read_timeout(Some(PATIENCE)).expect("a socket option");
        let host = format!("Host: localhost:{}\r\n", api.addr.port());
        write!(socket, "{method} {target} HTTP/1.1\r\n{host}{headers}\r\n{body}").expect("it is sent");
        let mut reader = BufReader::new(socket);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(reader.read_line(&mut head).expect("a head") > 0, "the head ends: {head}");
        }
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
        Stream { reader, status, head, pieces: 0, text: String::new() }
    }

    /// A stream that has said hello; what it said.
    pub fn open(api: &Api, target: &str, headers: &str) -> (Stream, Value) {
        let mut stream = Stream::ask(api, target, headers);
        assert_eq!(stream.status, 200, "{}", stream.head);
        assert!(stream.head.contains("content-type: text/event-stream"), "{}", stream.head);
        let hello = stream.next().expect("a hello");
        assert_eq!(hello.kind, "hello");
        (stream, hello.data)
    }

    /// The next event; `None` where the stream ends.
    pub fn next(&mut self) -> Option<Told> {
        loop {
            if let Some(end) = self.text.find("\n\n") {
                let event: String = self.text.drain(..end + 2).collect();
                match read(&event) {
                    Some(told) => return Some(told),
                    None => continue,
                }
            }
            let chunk = self.next_chunk()?;
            self.text.push_str(&chunk);
        }
    }

    /// What was written next, as it stands there; `None` where the stream ends.
    pub fn next_chunk(&mut self) -> Option<String> {
        let mut size = String::new();
        if self.reader.read_line(&mut size).ok()? == 0 {
            return None;
        }
        let size = usize::from_str_radix(size.trim(), 16).expect("the length of a chunk");
        let mut chunk = vec![0; size + 2];
        self.reader.read_exact(&mut chunk).ok()?;
        if size == 0 {
            return None;
        }
        self.pieces += 1;
        chunk.truncate(size);
        Some(String::from_utf8(chunk).expect("text"))
    }

    /// The next event of that kind.
    pub fn next_of(&mut self, kind: &str) -> Told {
        loop {
            let told = self.next().expect("the stream goes on");
            if told.kind == kind {
                return told;
            }
        }
    }

    /// The next event of that kind that is as it should be.
    pub fn wait_for(&mut self, kind: &str, is_it: impl Fn(&Value) -> bool) -> Told {
        loop {
            let told = self.next_of(kind);
            if is_it(&told.data) {
                return told;
            }
        }
    }
}

/// `None` for a comment.
fn read(event: &str) -> Option<Told> {
    let field = |name: &str| {
        let lines: Vec<&str> = event.lines().filter_map(|line| line.strip_prefix(name)).collect();
        assert!(lines.len() <= 1, "each field stands once: {event}");
        lines.first().map(|text| (*text).to_owned())
    };
    if event.starts_with(':') {
        return None;
    }
    let data = field("data: ").expect("data");
    let data = serde_json::from_str(&data).unwrap_or_else(|error| panic!("{error}: {data}"));
    Some(Told { kind: field("event: ").expect("a kind"), id: field("id: "), data })
}
