//! The server on real sockets over a made-up backend.

mod answers;
mod life;
mod mcp;
mod writes;

#[path = "../../../tests/it/support/http.rs"]
pub mod http;
#[path = "../../../tests/it/support/torture.rs"]
mod torture;

use super::{Backend, Limits, Options, Server};
use crate::events::EventHub;
use crate::service::{
    Annotations, Answer, CallFailure, CallRequest, ConfigRefusal, ProfileHeaders, ToolDescriptor, ToolList,
};
use crate::transfers::Transfers;
use serde_json::{Map, Value, json};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use tokio::sync::Notify;

/// Tools: `svc-read-live-set` echoes its request, `svc-connect` has blocks, the others do what their names say.
pub struct Fake {
    /// Releases one waiting `wait`.
    pub release: Notify,
    /// `began` and `dropped` of each `wait`.
    pub events: parking_lot::Mutex<Sender<&'static str>>,
    /// Work that was done on another thread than the server's.
    pub off_thread: AtomicUsize,
    pub hub: Arc<EventHub>,
}

const TOOLS: [&str; 10] =
    ["svc-read-live-set", "svc-connect", "wait", "panic", "big", "invalid", "busy", "slow", "broken", "vanished"];

/// A call may ask for an event of these; `hold` keeps the server's thread for a while.
const TOLD: [&str; 3] = ["first", "second", "hold"];

impl Fake {
    fn tell(&self, event: Option<&Value>) {
        let Some(event) = TOLD.into_iter().find(|told| event.is_some_and(|event| event == told)) else { return };
        let _ = self.events.lock().send(event);
        if event == "hold" {
            std::thread::sleep(Duration::from_millis(400));
        }
    }
}

struct Gone<'a>(&'a Fake);

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        let _ = self.0.events.lock().send("dropped");
    }
}

impl Backend for Fake {
    fn tools(&self, headers: &ProfileHeaders) -> ToolList {
        let seen = TOOLS.iter().filter(|name| self.has_tool(name, headers));
        seen.map(|name| ToolDescriptor {
            name: (*name).to_owned(),
            title: (*name).to_owned(),
            description: "x".repeat(4000),
            annotations: Annotations { read_only_hint: true, destructive_hint: false },
            input_schema: json!({"type": "object", "properties": {}}),
        })
        .collect()
    }

    fn has_tool(&self, name: &str, headers: &ProfileHeaders) -> bool {
        let withheld = headers.disabled_tools.as_deref().unwrap_or_default();
        TOOLS.contains(&name) && !withheld.split(',').any(|tool| tool == name)
    }

    async fn off_thread<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        self.off_thread.fetch_add(1, Ordering::Relaxed);
        let (sender, done) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || sender.send(work()).ok());
        done.await.ok()
    }

    async fn save_warning(&self) -> Option<String> {
        None
    }

    async fn call(&self, request: CallRequest) -> Result<Answer, CallFailure> {
        let answer = |result: Value| Answer {
            result: result.into(),
            is_error: false,
            warnings: vec![],
            appended: vec![],
            job: None,
        };
        match request.tool.as_str() {
            "svc-connect" => Ok(Answer {
                warnings: vec!["careful".to_owned()],
                appended: vec!["# Skills".to_owned(), "Next".to_owned()],
                ..answer(json!({"connected": true, "C#1": null}))
            }),
            "wait" => {
                let gone = Gone(self);
                let _ = self.events.lock().send("began");
                self.release.notified().await;
                std::mem::forget(gone);
                Ok(answer(json!("released")))
            }
            "panic" => panic!("as asked"),
            "big" => Ok(answer(json!("x".repeat(5_000_000)))),
            "invalid" => {
                Err(CallFailure::InvalidArguments { message: "bad".to_owned(), details: json!([{"path": "a"}]) })
            }
            "busy" => Err(CallFailure::QueueFull("the queue is full".to_owned())),
            "slow" => Err(CallFailure::TimedOut("too slow".to_owned())),
            "broken" => Err(CallFailure::Internal("the Set was replaced".to_owned())),
            "vanished" => Err(CallFailure::NoSuchTool(request.tool)),
            _ => {
                self.tell(request.arguments.get("event"));
                Ok(answer(json!({
                    "arguments": request.arguments,
                    "timeoutMs": request.timeout.map(|timeout| timeout.as_millis() as u64),
                    "notation": request.headers.notation,
                })))
            }
        }
    }

    fn json_output(&self) -> bool {
        false
    }

    fn events(&self) -> &Arc<EventHub> {
        &self.hub
    }

    fn greeting(&self) -> Map<String, Value> {
        Map::new()
    }

    async fn view(&self) -> Option<String> {
        Some("{}".to_owned())
    }

    async fn clip_view(&self, _: u64) -> Option<Option<String>> {
        Some(None)
    }

    fn transfers(&self) -> Option<&Arc<Transfers>> {
        None
    }

    async fn last_calls(&self) -> Option<String> {
        Some("{}".to_owned())
    }

    fn config(&self) -> Value {
        json!({"notation": "barbeat"})
    }

    async fn change_config(&self, members: &Map<String, Value>) -> Result<Value, ConfigRefusal> {
        if members.contains_key("bad") {
            return Err(ConfigRefusal {
                fields: vec![("bad".to_owned(), "is bad".to_owned()), ("tools".to_owned(), "unknown".to_owned())],
                valid_tool_names: Some(vec!["svc-connect".to_owned()]),
            });
        }
        Ok(json!({"notation": "stark"}))
    }
}

pub struct Running {
    pub server: Server,
    pub backend: Arc<Fake>,
    pub events: Receiver<&'static str>,
}

impl Running {
    pub fn with(options: Options) -> Running {
        let (sender, events) = channel();
        let backend = Arc::new(Fake {
            release: Notify::new(),
            events: parking_lot::Mutex::new(sender),
            off_thread: AtomicUsize::new(0),
            hub: EventHub::new(Box::new(|| {})),
        });
        let server = Server::start(backend.clone(), 0, options).expect("a free port");
        Running { server, backend, events }
    }

    pub fn limited(limits: Limits) -> Running {
        Running::with(Options { limits, ..Options::default() })
    }

    pub fn addr(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.server.port()))
    }

    pub fn event(&self) -> &'static str {
        self.events.recv_timeout(Duration::from_secs(10)).expect("an event")
    }
}

#[test]
fn hostile_clients() {
    let running = Running::with(Options::default());
    torture::torture(running.addr(), &mut || true);
}
