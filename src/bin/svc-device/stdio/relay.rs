//! Lines from stdin to a device's `/mcp`, answers to stdout.
//!
//! Every request goes out at once, so that a long call keeps nobody waiting; answers come in the order they are ready,
//! as the protocol allows. A cancelled request is dropped, which ends it at the device too. Invariant: nothing but
//! answers is written to stdout, one to a line.

use super::message::Message;
use crate::heard_body::{ASK_LIMIT, MAX_ABOUT_BYTES, MAX_PARSED_BYTES, MAX_PASSED_BYTES, read_within};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{ACCEPT, CONTENT_TYPE};
use hyper::{Method, Request, StatusCode};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::{AbortHandle, JoinSet};

/// How long an answer may take from its first byte to its last: a device writes it in one go.
const BODY_LIMIT: Duration = Duration::from_secs(60);

type Http = Client<HttpConnector, Full<Bytes>>;

/// A client of a device's `/mcp`.
#[derive(Clone)]
pub struct Relay {
    http: Http,
    addr: SocketAddr,
    /// Sent with each request.
    headers: Arc<[(String, String)]>,
    /// The version that a handshake agreed on.
    agreed_version: Arc<Mutex<Option<String>>>,
}

impl Relay {
    pub fn new(addr: SocketAddr, headers: Vec<(String, String)>) -> Relay {
        let http = Client::builder(TokioExecutor::new()).build_http();
        Relay { http, addr, headers: headers.into(), agreed_version: Arc::default() }
    }

    /// Whether a device answers there: its name, if something does. What takes too long about it, or says too much, has
    /// an empty one.
    pub async fn name(&self) -> Option<String> {
        tokio::time::timeout(ASK_LIMIT, self.ask_name()).await.unwrap_or_else(|_| Some(String::new()))
    }

    async fn ask_name(&self) -> Option<String> {
        let request = Request::get(format!("http://{}/", self.addr)).body(Full::default()).ok()?;
        let answer = self.http.request(request).await.ok()?;
        let body = read_within(answer.into_body(), MAX_ABOUT_BYTES).await.unwrap_or_default();
        let index: Value = serde_json::from_slice(&body).unwrap_or_default();
        Some(index["name"].as_str().unwrap_or_default().to_owned())
    }

    /// Serves the lines until there are no more and all are answered.
    pub async fn run(&self, mut lines: UnboundedReceiver<String>) {
        let mut under_way = JoinSet::new();
        let mut by_id: HashMap<String, AbortHandle> = HashMap::new();
        while let Some(line) = lines.recv().await {
            while under_way.try_join_next().is_some() {}
            by_id.retain(|_, task| !task.is_finished());
            let message = Message::read(&line);
            if let Some(request) = &message.cancels {
                if let Some(task) = by_id.remove(&request.to_string()) {
                    task.abort();
                }
                continue;
            }
            let id = message.id.as_ref().map(Value::to_string);
            let relay = self.clone();
            let handshake = message.method.as_deref() == Some("initialize");
            if handshake {
                // What follows needs the version that is agreed on here.
                relay.serve(message, line).await;
                continue;
            }
            let task = under_way.spawn(async move { relay.serve(message, line).await });
            by_id.extend(id.map(|id| (id, task)));
        }
        while under_way.join_next().await.is_some() {}
    }

    async fn serve(&self, message: Message, line: String) {
        let answer = match self.post(&message, line).await {
            Ok(Reply::Streamed) => return,
            Ok(Reply::Whole(status, body)) if status.is_success() => body,
            Ok(Reply::Whole(status, body)) => refusal(message.id.as_ref(), status, body),
            Err(why) => error(
                message.id.as_ref(),
                &format!(
                    "the device at http://{} does not answer ({why}); open its project again, or restart this server to have \
                     a device without a window",
                    self.addr
                ),
            ),
        };
        if message.method.as_deref() == Some("initialize")
            && answer.len() <= MAX_PARSED_BYTES
            && let Ok(value) = serde_json::from_slice::<Value>(&answer)
            && let Ok(mut agreed) = self.agreed_version.lock()
        {
            *agreed = value.pointer("/result/protocolVersion").and_then(Value::as_str).map(str::to_owned);
        }
        if message.is_answered() && !answer.is_empty() {
            write_line(&answer);
        }
    }

    async fn post(&self, message: &Message, line: String) -> Result<Reply, NoAnswer> {
        let agreed = self.agreed_version.lock().ok().and_then(|agreed| agreed.clone());
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(format!("http://{}/mcp", self.addr))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream");
        for (name, value) in self.headers.iter() {
            request = request.header(name, value);
        }
        for (name, value) in message.headers(agreed.as_deref()) {
            request = request.header(name, value);
        }
        let request = request.body(Full::from(line))?;
        let answer = self.http.request(request).await?;
        let media_type = answer.headers().get(CONTENT_TYPE).map_or(&[][..], |value| value.as_bytes());
        if !media_type.starts_with(b"text/event-stream") {
            let status = answer.status();
            let body = tokio::time::timeout(BODY_LIMIT, read_within(answer.into_body(), MAX_PASSED_BYTES)).await;
            return Ok(Reply::Whole(status, body.map_err(|_| NoAnswer::Late)?.map_err(NoAnswer::Body)?));
        }
        // Progress, and the answer at the end.
        let (mut body, mut events) = (answer.into_body(), EventLines::default());
        while let Some(frame) = body.frame().await {
            let Ok(data) = frame.map_err(|why| NoAnswer::Body(why.to_string()))?.into_data() else { continue };
            events.take(&data).iter().for_each(|message| write_line(message));
            if events.0.len() > MAX_PASSED_BYTES {
                return Err(NoAnswer::Body("a message of its stream is too long".to_owned()));
            }
        }
        Ok(Reply::Streamed)
    }
}

/// What a device replies to a message.
enum Reply {
    Whole(StatusCode, Bytes),
    /// Its messages are written already.
    Streamed,
}

/// The messages of a stream of events. The device writes each as one line of `data`.
#[derive(Default)]
struct EventLines(Vec<u8>);

impl EventLines {
    /// The messages that are complete with these bytes.
    fn take(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut messages = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.0.extend_from_slice(piece);
            if !piece.ends_with(b"\n") {
                break;
            }
            let line = std::mem::take(&mut self.0);
            let data = line.strip_prefix(b"data:").unwrap_or_default().trim_ascii();
            if !data.is_empty() {
                messages.push(data.to_vec());
            }
        }
        messages
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
enum NoAnswer {
    #[error("{0}")]
    Request(#[from] hyper::http::Error),
    #[error("{0}")]
    Connection(#[from] Error),
    #[error("{0}")]
    Body(String),
    #[error("the answer began and did not end")]
    Late,
}

/// What HTTP refuses, as an answer. Over HTTP, the refusal of a body that was not read (because it is too large) has no
/// id, and one of the head is no message of the protocol at all; here the client waits for an answer with its id.
fn refusal(id: Option<&Value>, status: StatusCode, body: Bytes) -> Bytes {
    let parsed = if body.len() <= MAX_PARSED_BYTES { serde_json::from_slice(&body).ok() } else { None };
    let Some(Value::Object(mut answer)) = parsed else {
        return error(id, &format!("the device answers with the HTTP status {status}"));
    };
    if !answer.contains_key("jsonrpc") {
        let why = answer.get("error").and_then(Value::as_str).unwrap_or_default();
        return error(id, &format!("the device refuses the request ({status}): {why}"));
    }
    match id {
        Some(id) if answer.get("id").is_none_or(Value::is_null) => {
            answer.insert("id".to_owned(), id.clone());
            Value::Object(answer).to_string().into()
        }
        _ => body,
    }
}

fn error(id: Option<&Value>, text: &str) -> Bytes {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": text}}).to_string().into()
}

/// Writes a line. A client that is gone reads nothing, and ends us by closing our stdin.
fn write_line(answer: &[u8]) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(answer).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_a_stream_are_lines_however_they_come() {
        let stream = b"id: 0\r\ndata: {\"a\":1}\n\n: still here\n\ndata:\ndata: {\"b\":2}\r\n\r\n";
        for size in 1..=stream.len() {
            let mut events = EventLines::default();
            let messages: Vec<Vec<u8>> = stream.chunks(size).flat_map(|bytes| events.take(bytes)).collect();
            assert_eq!(messages, [b"{\"a\":1}", b"{\"b\":2}"], "in pieces of {size}");
        }
    }

    #[test]
    fn refusals() {
        let error = |id: Value, code: i32, text: &str| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}});
        let known = json!("a");
        let cases = [
            (Some(&known), error(Value::Null, -32600, "x").to_string(), error(known.clone(), -32600, "x")),
            (None, error(Value::Null, -32700, "x").to_string(), error(Value::Null, -32700, "x")),
            (Some(&known), error(known.clone(), -32602, "x").to_string(), error(known.clone(), -32602, "x")),
            (
                Some(&known),
                json!({"error": "not from there"}).to_string(),
                error(known.clone(), -32603, "the device refuses the request (400 Bad Request): not from there"),
            ),
            (
                Some(&known),
                "<html>".to_owned(),
                error(known.clone(), -32603, "the device answers with the HTTP status 400 Bad Request"),
            ),
        ];
        for (id, body, expected) in cases {
            let answer = refusal(id, StatusCode::BAD_REQUEST, body.clone().into());
            assert_eq!(serde_json::from_slice::<Value>(&answer).expect("JSON"), expected, "{body}");
        }
    }
}
