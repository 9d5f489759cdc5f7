//! One small HTTP GET to this machine, and a look at the texts in a JSON answer: all that `doctor` needs.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(3);
/// More than any `/config` answer; a stranger on the port can't fill our memory.
const MOST_BYTES: usize = 1 << 20;

#[derive(Debug, PartialEq)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

/// `GET path` from 127.0.0.1; an error says in words what the other side did.
pub fn get(port: u16, path: &str) -> Result<Answer, String> {
    exchange(port, path).map_err(|error| error.to_string())?.ok_or_else(|| "it gives no HTTP answer".to_owned())
}

fn exchange(port: u16, path: &str) -> std::io::Result<Option<Answer>> {
    let until = Instant::now() + PATIENCE;
    let mut stream = TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), PATIENCE)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: application/json\r\nConnection: close\r\n\r\n"
    )?;
    let mut received = Vec::new();
    let mut piece = [0; 4096];
    loop {
        if let Some(answer) = parse(&received, false) {
            return Ok(Some(answer));
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || received.len() > MOST_BYTES {
            return Ok(None);
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut piece) {
            Ok(0) => return Ok(parse(&received, true)),
            Ok(count) => received.extend_from_slice(piece.get(..count).unwrap_or_default()),
            Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {}
            Err(error) => return Err(error),
        }
    }
}

/// The answer in these bytes, once it is whole: by its `Content-Length`, or when the other side has closed.
fn parse(received: &[u8], closed: bool) -> Option<Answer> {
    let end = received.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(received.get(..end)?).ok()?;
    let body = received.get(end + 4..)?;
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    first.next().filter(|version| version.starts_with("HTTP/1."))?;
    let status = first.next()?.parse().ok()?;
    let length = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.trim().parse::<usize>().ok());
    let body = match length {
        Some(length) => body.get(..length)?,
        None if closed => body,
        None => return None,
    };
    Some(Answer { status, body: String::from_utf8_lossy(body).into_owned() })
}

/// The text of a member of the outermost JSON object: `None` if it is absent, no text, or the JSON is broken before it.
pub fn json_text(json: &str, member: &str) -> Option<String> {
    let mut characters = json.chars();
    let mut depth = 0_usize;
    // At depth 1: whether the text that comes is a member's name, and the name read last.
    let (mut name_comes, mut name) = (false, None);
    while let Some(character) = characters.next() {
        match character {
            '{' | '[' => {
                depth += 1;
                name_comes = depth == 1 && character == '{';
            }
            '}' | ']' => depth = depth.checked_sub(1)?,
            ',' if depth == 1 => name_comes = true,
            ':' if depth == 1 => name_comes = false,
            '"' => {
                let text = text(&mut characters)?;
                if depth == 1 && name_comes {
                    name = Some(text);
                } else if depth == 1 && name.as_deref() == Some(member) {
                    return Some(text);
                }
            }
            _ => {}
        }
    }
    None
}

/// The rest of a JSON text after its opening quote.
fn text(characters: &mut std::str::Chars<'_>) -> Option<String> {
    let mut text = String::new();
    loop {
        match characters.next()? {
            '"' => return Some(text),
            '\\' => text.push(match characters.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'u' => {
                    let code: Option<u32> =
                        (0..4).try_fold(0, |code, _| Some(code * 16 + characters.next()?.to_digit(16)?));
                    // Half of a pair is shown as such: nothing that is looked for here needs the other half.
                    char::from_u32(code?).unwrap_or(char::REPLACEMENT_CHARACTER)
                }
                other => other,
            }),
            other => text.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn only_texts_of_the_outermost_object_count() {
        for (json, expected) in [
            (r#"{"version": "1.2"}"#, Some("1.2")),
            (r#"{"a": {"version": "no"}, "b": ["version", "no"], "version": "1.2"}"#, Some("1.2")),
            (r#"{"a": "version", "b": "no"}"#, None),
            (r#"{"version": 3, "b": "no"}"#, None),
            (r#"{"version": {"x": "no"}}"#, None),
            (r#"{"a": "\"version\": \"no\"", "version": "a\"\u00e9\n"}"#, Some("a\"é\n")),
            (r#"["version", "no"]"#, None),
            (r#"{"version": "cut"#, None),
            (r#"}{"version": "no"}"#, None),
            ("", None),
        ] {
            assert_eq!(json_text(json, "version").as_deref(), expected, "{json}");
        }
    }

    #[test]
    fn an_answer_ends_by_its_length_or_by_the_close() {
        let answer = |status, body: &str| Some(Answer { status, body: body.to_owned() });
        for (bytes, closed, expected) in [
            ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", false, answer(200, "{}")),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}more", false, answer(200, "{}")),
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}", false, None),
            ("HTTP/1.1 404 Not Found\r\n\r\nx", false, None),
            ("HTTP/1.1 404 Not Found\r\n\r\nx", true, answer(404, "x")),
            ("SSH-2.0-OpenSSH\r\n\r\n", true, None),
            ("HTTP/1.1 2x OK\r\n\r\n", true, None),
            ("", true, None),
        ] {
            assert_eq!(parse(bytes.as_bytes(), closed), expected, "{bytes:?} {closed}");
        }
    }

    #[test]
    fn a_get_reads_the_answer_and_names_this_host() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).expect("a request head");
                head.push(byte[0]);
            }
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").expect("written");
            String::from_utf8(head).expect("text")
        });
        assert_eq!(get(port, "/config"), Ok(Answer { status: 200, body: "{}".to_owned() }));
        let head = server.join().expect("served");
        assert!(head.starts_with("GET /config HTTP/1.1\r\n"), "{head}");
        assert!(head.contains(&format!("Host: 127.0.0.1:{port}\r\n")), "{head}");
    }
}
