//! The local HTTP server: listener, limits, origin rules, and the routes of the tools, the settings and the Model Context
//! Protocol.
//!
//! The life of a request: [`listener`] accepts and counts, [`connection`] drives the parser under the deadlines of
//! [`watchdog`], [`door`] checks the head and the origin, [`rest`], [`config`], [`openapi`] and [`mcp`] answer through a [`Backend`].
//!
//! Invariants: only loopback addresses are bound. Nothing that a client sends or leaves out ends the process, holds a
//! place for ever, or keeps other clients waiting. Every answer is JSON and leaves in one write. When
//! [`Server::stop`] returns, every socket is closed and the thread has ended, or the caller is told that it has not.

mod body;
mod config;
mod connection;
mod door;
mod errors;
mod framing;
mod limits;
mod listener;
mod mcp;
mod openapi;
mod origin;
mod query;
mod rest;
#[cfg(test)]
mod tests;
mod watchdog;
mod wire;

pub use limits::Limits;

use crate::service::{Answer, CallFailure, CallRequest, ConfigRefusal, ProfileHeaders, ToolDescriptor};
use axum::body::Bytes;
use door::House;
use listener::Hall;
use serde_json::{Map, Value};
use std::future::Future;
use std::net::TcpListener as StdListener;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// What the server serves. Everything but `call` is answered on the server's own thread and must not block.
pub trait Backend: Send + Sync + 'static {
    /// What this request sees.
    fn tools(&self, headers: &ProfileHeaders) -> Vec<ToolDescriptor>;
    /// The same as the JSON text `{"tools":[...]}`.
    fn tools_body(&self, headers: &ProfileHeaders) -> Bytes {
        Bytes::from(serde_json::json!({ "tools": self.tools(headers) }).to_string())
    }
    /// Whether this request sees the tool. Asked before anything else about a call is judged.
    fn has_tool(&self, name: &str, headers: &ProfileHeaders) -> bool;
    /// Runs a tool. The future is dropped when the client is gone or the server stops.
    fn call(&self, request: CallRequest) -> impl Future<Output = Result<Answer, CallFailure>> + Send;
    /// Whether MCP clients that do not say get JSON instead of compact text.
    fn json_output(&self) -> bool;
    /// The whole settings object.
    fn config(&self) -> Value;
    /// Changes settings, all or none; answers the whole object after the change.
    fn change_config(&self, members: &Map<String, Value>) -> Result<Value, ConfigRefusal>;
}

/// How a server treats its clients.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub limits: Limits,
    /// Pages of other machines may call tools. Settings stay closed to them.
    pub remote_cors: bool,
}

impl Options {
    /// The usual limits; remote pages are allowed by `ENABLE_REMOTE_CORS=true`, exactly so.
    pub fn from_environment() -> Self {
        Options {
            limits: Limits::default(),
            remote_cors: std::env::var("ENABLE_REMOTE_CORS").is_ok_and(|value| value == "true"),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("port {0} is taken by another program or another device; choose another port or close the other one")]
    PortTaken(u16),
    #[error("cannot listen on 127.0.0.1:{port}: {reason}")]
    Bind { port: u16, reason: std::io::Error },
    #[error("cannot start the server's thread: {0}")]
    Thread(std::io::Error),
}

/// How a stop went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Stopped {
    /// Every socket is closed and the thread has ended.
    Joined,
    /// The thread hangs in the backend. The library that holds its code must stay loaded.
    StillRunning,
}

/// The longest that [`Server::stop`] waits for its thread.
const STOP_LIMIT: Duration = Duration::from_millis(500);

/// A running server. Stops when dropped.
pub struct Server {
    port: u16,
    running: Option<Running>,
}

struct Running {
    stop: oneshot::Sender<()>,
    ended: Receiver<()>,
    thread: JoinHandle<()>,
}

impl Server {
    /// Listens on 127.0.0.1 and, where it can be had, [::1]. Port 0 picks a free port.
    pub fn start<B: Backend>(backend: Arc<B>, port: u16, options: Options) -> Result<Server, StartError> {
        let (port, listeners) = listener::bind(port).map_err(|reason| match reason.kind() {
            std::io::ErrorKind::AddrInUse => StartError::PortTaken(port),
            _ => StartError::Bind { port, reason },
        })?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()
            .map_err(StartError::Thread)?;
        let router = rest::routes::<B>()
            .merge(config::routes::<B>())
            .merge(openapi::routes::<B>())
            .merge(mcp::routes(backend.clone()))
            .with_state(backend);
        let house = Arc::new(House { router, port, options });
        let (stop, stopped) = oneshot::channel();
        let (end, ended) = sync_channel(1);
        let thread = std::thread::Builder::new()
            .name("svc-http".to_owned())
            .spawn(move || {
                // Dropped last, when the runtime and all its tasks and sockets are gone.
                let _end: SyncSender<()> = end;
                runtime.block_on(serve(house, listeners, stopped));
                drop(runtime);
            })
            .map_err(StartError::Thread)?;
        Ok(Server { port, running: Some(Running { stop, ended, thread }) })
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Closes every socket. Requests under way are answered, with 503 if they don't end at once. Takes at most 500 ms.
    pub fn stop(mut self) -> Stopped {
        self.shut()
    }

    fn shut(&mut self) -> Stopped {
        let Some(Running { stop, ended, thread }) = self.running.take() else {
            return Stopped::Joined;
        };
        // An error means that the thread has ended already.
        let _ = stop.send(());
        match ended.recv_timeout(STOP_LIMIT) {
            Err(RecvTimeoutError::Timeout) => Stopped::StillRunning,
            _ => {
                // A panic was reported where it happened.
                let _ = thread.join();
                Stopped::Joined
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.shut();
    }
}

async fn serve(house: Arc<House>, listeners: Vec<StdListener>, stopped: oneshot::Receiver<()>) {
    let hall = Arc::new(Hall::new(house));
    let mut loops = Vec::new();
    for listener in listeners {
        // Fails only outside a runtime with I/O.
        if let Ok(listener) = TcpListener::from_std(listener) {
            loops.push(tokio::spawn(hall.clone().accept(listener)));
        }
    }
    // An error means that the `Server` is gone, which is a stop too.
    let _ = stopped.await;
    for task in loops {
        task.abort();
        let _ = task.await;
    }
    hall.close().await;
}
