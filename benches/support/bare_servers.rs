//! Servers that do nothing but give one answer: what is left of a call when nothing is done for it. Each is a process
//! of its own, as the device is: this program, started once more.

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

const SERVE: &str = "--serve";

/// How a bare server works.
#[derive(Clone, Copy)]
pub enum Kind {
    /// As one would write it in C: a thread for each connection that reads a request, writes the answer and waits.
    Blocking,
    /// `hyper` and nothing else, on one thread with a runtime of its own, as the device's server is.
    Hyper,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Blocking => "blocking",
            Kind::Hyper => "hyper",
        }
    }
}

/// A bare server, until it is dropped.
pub struct BareServer {
    child: Child,
    port: u16,
}

impl BareServer {
    /// One that gives this answer to whatever is asked.
    pub fn start(kind: Kind, answer: &[u8]) -> BareServer {
        let program = std::env::current_exe().expect("this program has a path");
        let mut child = Command::new(program)
            .args([SERVE, kind.name(), &answer.len().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts again");
        child.stdin.as_mut().expect("stdin is piped").write_all(answer).expect("it reads the answer");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout is piped")).read_line(&mut line).expect("it says its port");
        BareServer { child, port: line.trim().parse().expect("a port") }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for BareServer {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        // It has nothing to tell.
        let _ = self.child.wait();
    }
}

/// For the first line of `main`: whether this process is such a server. It has then served until it was let go.
pub fn was_one() -> bool {
    let arguments: Vec<String> = std::env::args().skip(1).take(3).collect();
    let [serve, kind, length] = arguments.as_slice() else { return false };
    if serve != SERVE {
        return false;
    }
    let mut answer = vec![0; length.parse().expect("a length")];
    let mut stdin = std::io::stdin().lock();
    stdin.read_exact(&mut answer).expect("the answer");
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    println!("{}", listener.local_addr().expect("bound").port());
    let is_blocking = kind == Kind::Blocking.name();
    std::thread::spawn(move || if is_blocking { blocking(&listener, &answer) } else { with_hyper(listener, &answer) });
    // Ends when whoever started it does, too.
    let _ = stdin.read(&mut [0]);
    true
}

fn blocking(listener: &TcpListener, body: &[u8]) {
    let mut answer =
        format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len())
            .into_bytes();
    answer.extend_from_slice(body);
    for stream in listener.incoming().map_while(Result::ok) {
        let answer = answer.clone();
        std::thread::spawn(move || answer_each(stream, &answer));
    }
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

fn with_hyper(listener: TcpListener, body: &[u8]) {
    listener.set_nonblocking(true).expect("a socket option");
    let answer = Bytes::copy_from_slice(body);
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
}
