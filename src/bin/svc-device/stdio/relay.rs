//! Lines from stdin to a device's `/mcp`, answers to stdout.
//!
//! Every request goes out at once, so that a long call keeps nobody waiting; answers come in the order they are ready, as
//! the protocol allows. A cancelled request is dropped, which ends it at the device too. Invariant: nothing but answers is
//! written to stdout, one to a line.

use super::message::Message;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{ACCEPT, CONTENT_TYPE};
use hyper::{Method, Request};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::{AbortHandle, JoinSet};

type Http = Client<HttpConnector, Full<Bytes>>;

/// The way to a device.
#[derive(Clone)]
pub struct Relay {
    http: Http,
    addr: SocketAddr,
    /// Sent with each request.
    headers: Arc<[(String, String)]>,
    /// The version that a handshake agreed on.
    agreed: Arc<Mutex<Option<String>>>,
}

impl Relay {
    pub fn new(addr: SocketAddr, headers: Vec<(String, String)>) -> Relay {
        let http = Client::builder(TokioExecutor::new()).build_http();
        Relay { http, addr, headers: headers.into(), agreed: Arc::default() }
    }

    /// Whether a device answers there: its name, if something does.
    pub async fn name(&self) -> Option<String> {
        let request = Request::get(format!("http://{}/", self.addr)).body(Full::default()).ok()?;
        let body = self.http.request(request).await.ok()?.into_body().collect().await.ok()?.to_bytes();
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
            Ok(body) => body,
            Err(why) => {
                let text = format!(
                    "the device at http://{} does not answer ({why}); open its project again, or restart this server to have \
                     a device without a window",
                    self.addr
                );
                let error = json!({"jsonrpc": "2.0", "id": message.id, "error": {"code": -32603, "message": text}});
                error.to_string().into()
            }
        };
        if message.method.as_deref() == Some("initialize")
            && let Ok(value) = serde_json::from_slice::<Value>(&answer)
            && let Ok(mut agreed) = self.agreed.lock()
        {
            *agreed = value.pointer("/result/protocolVersion").and_then(Value::as_str).map(str::to_owned);
        }
        if message.is_answered() && !answer.is_empty() {
            say(&answer);
        }
    }

    async fn post(&self, message: &Message, line: String) -> Result<Bytes, NoAnswer> {
        let agreed = self.agreed.lock().ok().and_then(|agreed| agreed.clone());
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
        Ok(answer.into_body().collect().await?.to_bytes())
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
    Body(#[from] hyper::Error),
}

/// Writes a line. A client that is gone reads nothing, and ends us by closing our stdin.
fn say(answer: &[u8]) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(answer).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
}
