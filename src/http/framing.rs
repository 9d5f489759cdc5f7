//! A request must say once and clearly where its body ends, or a second request could hide in the first. The parser
//! refuses malformed and differing lengths itself and always closes after `Transfer-Encoding`. It accepts a length that
//! is given twice and a length beside a transfer coding, so these are looked for in the bytes that came.

use super::connection_state::ConnectionState;
use super::errors::Refusal;
use super::limits::MAX_HEADERS;
use axum::http::header::{HeaderMap, TRANSFER_ENCODING};
use axum::http::{Method, Uri};

/// Refuses a request whose body length is said twice, or in a coding other than plain `chunked`.
pub fn check(method: &Method, uri: &Uri, headers: &HeaderMap, state: &ConnectionState) -> Result<(), Refusal> {
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    if let Some(coding) = codings.next()
        && (codings.next().is_some() || !coding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"chunked"))
    {
        return Err(Refusal::Framing("the only transfer coding served is a single `chunked`"));
    }
    state.with_head(|bytes| check_raw(method, uri, bytes))
}

/// The lines of the head as they came. Bytes that do not begin with this very request (it was pipelined) are not
/// checked: the parser's own rules hold, and a connection that used a transfer coding is closed after it.
fn check_raw(method: &Method, uri: &Uri, bytes: &[u8]) -> Result<(), Refusal> {
    let start = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(0);
    let mut lines = bytes.get(start..).unwrap_or_default().split(|byte| *byte == b'\n');
    let request_line = lines.next().unwrap_or_default();
    let mut words = request_line.split(|byte| *byte == b' ');
    if words.next() != Some(method.as_str().as_bytes()) || !begins_with_path(words.next().unwrap_or_default(), uri) {
        return Ok(());
    }
    let (mut lengths, mut codings) = (0_u32, 0_u32);
    for line in lines {
        match line.first() {
            None | Some(b'\r') => break,
            Some(b'c' | b'C') if is_header(line, b"content-length") => lengths = lengths.saturating_add(1),
            Some(b't' | b'T') if is_header(line, b"transfer-encoding") => codings = codings.saturating_add(1),
            _ => {}
        }
    }
    match (lengths, codings) {
        (0 | 1, 0) | (0, 1) => Ok(()),
        (_, 0) => Err(Refusal::Framing("Content-Length is given more than once")),
        _ => Err(Refusal::Framing("Transfer-Encoding stands beside Content-Length or is given more than once")),
    }
}

/// Whether these bytes hold a complete head within the limits.
pub fn head_fits(bytes: &[u8]) -> bool {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').skip(1);
    let mut headers = 0_usize;
    for line in lines {
        if matches!(line, b"\r\n" | b"\n") {
            return headers <= MAX_HEADERS;
        }
        headers = headers.saturating_add(1);
    }
    false
}

fn begins_with_path(target: &[u8], uri: &Uri) -> bool {
    uri.scheme().is_some() || target.starts_with(uri.path().as_bytes())
}

fn is_header(line: &[u8], name: &[u8]) -> bool {
    line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)) && line.get(name.len()) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_counted_in_the_raw_head() {
        let cases: [(&str, bool); 9] = [
            ("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nContent-Length: 2\r\n", true),
            ("\r\nPOST /a?b HTTP/1.1\r\ncontent-length: 1\r\nContent-Length: 1\r\n\r\n", false),
            ("POST /a HTTP/1.1\nContent-LENGTH: 1\ntransfer-encoding: chunked\n\n", false),
            ("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", false),
            ("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", true),
            ("POST /a HTTP/1.1\r\nContent-Length-X: 1\r\nContent-Length: 1\r\n\r\n", true),
            ("GET /a HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", true),
            ("POST /other HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", true),
            ("", true),
        ];
        for (head, fine) in cases {
            assert_eq!(
                check_raw(&Method::POST, &Uri::from_static("/a"), head.as_bytes()).is_ok(),
                fine,
                "{head:?}: another method or path means another request"
            );
        }
    }
}
