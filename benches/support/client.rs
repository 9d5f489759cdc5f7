//! An HTTP client that costs as little as can be: keep-alive, a prepared request, no more parsing than
//! the length needs.

use std::io::{Read, Write};
use std::net::TcpStream;

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
