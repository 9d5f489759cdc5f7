//! A client of a running device, for commands that look at it: one request at a time, each within a time and a size.
//!
//! Invariant: the token is shown only to what has said that it is a device. Any program may hold the port.

use crate::heard_body::{ASK_LIMIT, MAX_ABOUT_BYTES, MAX_PARSED_BYTES, read_within};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE};
use hyper::{Method, Request, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use std::cell::Cell;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};
use svc_device::live_script::RunningScript;
use svc_device::service::access::Token;
use tokio::runtime::{Builder, Runtime};

/// How long a call may take: longer than the device lets it.
const CALL_LIMIT: Duration = Duration::from_secs(60);

/// A device on this machine.
pub struct DeviceClient {
    runtime: Runtime,
    http: Client<HttpConnector, Full<Bytes>>,
    addr: SocketAddr,
    token: Option<Token>,
    /// The program on the port has identified itself as svc-device.
    is_device: Cell<bool>,
}

/// A request to the program on the port.
struct Asked<'a> {
    method: Method,
    target: &'a str,
    body: Option<&'a Value>,
    limit: Duration,
    max_bytes: usize,
}

impl Asked<'_> {
    /// A look at the device itself.
    fn about(target: &str) -> Asked<'_> {
        Asked { method: Method::GET, target, body: None, limit: ASK_LIMIT, max_bytes: MAX_ABOUT_BYTES }
    }
}

/// What a port answers.
#[derive(Clone, Debug, PartialEq)]
pub enum PortAnswer {
    /// A device, with this version.
    Device { version: String },
    /// Something that speaks HTTP and is no device.
    Other,
    /// Nothing that speaks HTTP.
    Silence,
}

/// What a tool answered.
#[derive(Clone, Debug)]
pub struct Called {
    pub result: Value,
    pub warnings: Vec<String>,
    pub took: Duration,
}

impl DeviceClient {
    pub fn new(port: u16, token: Option<Token>) -> Result<DeviceClient, String> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|e| format!("cannot start: {e}"))?;
        let http = Client::builder(TokioExecutor::new()).build_http();
        let addr = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        Ok(DeviceClient { runtime, http, addr, token, is_device: Cell::new(false) })
    }

    /// Asks the program on the port what it is, without sending the token.
    pub fn who(&self) -> PortAnswer {
        match self.send(Asked::about("/"), None) {
            Ok((_, index)) if index["name"] == env!("CARGO_PKG_NAME") => {
                self.is_device.set(true);
                PortAnswer::Device { version: index["version"].as_str().unwrap_or_default().to_owned() }
            }
            Ok(_) => PortAnswer::Other,
            Err(_) => PortAnswer::Silence,
        }
    }

    /// The settings, with what the device knows of itself. The error is a sentence.
    pub fn config(&self) -> Result<Value, String> {
        match self.send_to_device(Asked::about("/config"))? {
            (StatusCode::OK, config) => Ok(config),
            (status, body) => Err(refusal(status, &body)),
        }
    }

    /// The script that runs in the Live that the device is linked with; `None` where it is not linked.
    pub fn running_script(&self) -> Option<RunningScript> {
        running_script(&self.config().ok()?)
    }

    /// Calls a tool. The error is what the tool or the device said.
    pub fn call(&self, tool: &str, arguments: &Value) -> Result<Called, String> {
        let start = Instant::now();
        let (status, body) = self.send_to_device(Asked {
            method: Method::POST,
            target: &format!("/api/tools/{tool}"),
            body: Some(arguments),
            limit: CALL_LIMIT,
            max_bytes: MAX_PARSED_BYTES,
        })?;
        let took = start.elapsed();
        if status != StatusCode::OK {
            return Err(refusal(status, &body));
        }
        let result = body["result"].clone();
        if body["isError"] == json!(true) {
            return Err(result.as_str().map_or_else(|| result.to_string(), str::to_owned));
        }
        let warnings = serde_json::from_value(body["warnings"].clone()).unwrap_or_default();
        Ok(Called { result, warnings, took })
    }

    /// Sends with the token, once what answers is known to be a device.
    fn send_to_device(&self, asked: Asked) -> Result<(StatusCode, Value), String> {
        if !self.is_device.get() {
            match self.who() {
                PortAnswer::Device { .. } => {}
                PortAnswer::Other => return Err(format!("something other than svc-device is at http://{}", self.addr)),
                PortAnswer::Silence => return Err(format!("no device answers at http://{}", self.addr)),
            }
        }
        self.send(asked, self.token.as_ref())
    }

    fn send(&self, asked: Asked, token: Option<&Token>) -> Result<(StatusCode, Value), String> {
        let Asked { method, target, body, limit, max_bytes } = asked;
        let mut request = Request::builder().method(method).uri(format!("http://{}{target}", self.addr));
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {}", token.as_str()));
        }
        if body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = request.body(Full::from(body)).map_err(|e| e.to_string())?;
        let exchange = async {
            let answer = self.http.request(request).await.map_err(|e| e.to_string())?;
            let status = answer.status();
            let bytes = read_within(answer.into_body(), max_bytes).await?;
            Ok((status, serde_json::from_slice(&bytes).unwrap_or_default()))
        };
        let within = async { tokio::time::timeout(limit, exchange).await };
        let no_answer = |why: String| format!("the device at http://{} does not answer: {why}", self.addr);
        match self.runtime.block_on(within) {
            Ok(answer) => answer.map_err(no_answer),
            Err(_) => Err(no_answer(format!("nothing came for {} seconds", limit.as_secs()))),
        }
    }
}

/// The script that runs in the Live that a device is linked with, as its settings tell it.
pub fn running_script(config: &Value) -> Option<RunningScript> {
    let live = &config["host"]["live"];
    let text = |name: &str| live[name].as_str().map(str::to_owned);
    Some(RunningScript { version: text("scriptVersion")?, source_hash: text("sourceHash").unwrap_or_default() })
}

fn refusal(status: StatusCode, body: &Value) -> String {
    match status {
        StatusCode::UNAUTHORIZED => "the device wants a token that was not shown; name it with --token-file".to_owned(),
        _ => format!("the device refuses ({status}): {}", body["error"].as_str().unwrap_or_default()),
    }
}
