//! Servers that do nothing but give one answer: what is left of a call when nothing is done for it.

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

/// As one would write it in C: a thread for each connection that reads a request, writes the answer and waits. Gives
/// its port.
pub fn blocking(body: &[u8]) -> u16 {
    let mut answer =
        format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len())
            .into_bytes();
    answer.extend_from_slice(body);
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let answer = answer.clone();
            std::thread::spawn(move || answer_each(stream, &answer));
        }
    });
    port
}

/// Ends when the client is gone.
fn answer_each(mut stream: TcpStream, answer: &[u8]) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let (mut chunk, mut bytes) = ([0; 16 * 1024], Vec::new());
    loop {
        while let Some(length) = request_length(&bytes).filter(|length| *length <= bytes.len()) {
            stream.write_all(answer).ok()?;
            bytes.drain(..length);
        }
        match stream.read(&mut chunk).ok()? {
            0 => return None,
            count => bytes.extend_from_slice(chunk.get(..count)?),
        }
    }
}

/// How many bytes the first request takes in all, once its head is here.
fn request_length(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(bytes.get(..end)?).ok()?;
    let field = head.lines().find_map(|line| line.strip_prefix("Content-Length: "))?;
    Some(end + field.parse::<usize>().ok()?)
}

/// `hyper` and nothing else, on one thread with a runtime of its own, as the device's server is. Gives its port.
pub fn hyper(body: &[u8]) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    listener.set_nonblocking(true).expect("a socket option");
    let port = listener.local_addr().expect("bound").port();
    let answer = Bytes::copy_from_slice(body);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            loop {
                let Ok((stream, _)) = listener.accept().await else { continue };
                // Fails only when the client is gone.
                let _ = stream.set_nodelay(true);
                let answer = answer.clone();
                let service = service_fn(move |request: Request<Incoming>| {
                    let answer = answer.clone();
                    async move {
                        let _ = request.into_body().collect().await;
                        let response = Response::builder().header("content-type", "application/json");
                        Ok::<_, Infallible>(response.body(Full::new(answer)).unwrap_or_default())
                    }
                });
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        });
    });
    port
}
