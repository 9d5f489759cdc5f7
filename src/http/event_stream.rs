//! `/api/events`: what happens, as a stream of Server-Sent Events. A reader that does not read holds up nobody: its
//! stream is written only as fast as it is read, from what everybody's readers share.

use super::backend::Backend;
use super::errors::{Refusal, check_method};
use super::query::one_value;
use super::response::Endless;
use crate::events::{Event, Kind, Next, Reader};
use crate::service::excerpt;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderMap, Method, Response};
use axum::routing::any;
use hyper::body::{Body as HttpBody, Frame};
use serde_json::{Map, Value};
use std::convert::Infallible;
use std::fmt::Write;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

/// How often a stream on which nothing happens says that it is still there.
const KEEP_ALIVE_EVERY: Duration = Duration::from_secs(10);
/// Events that are there are written together up to about this size.
const PIECE_BYTES: usize = 16 * 1024;
/// The header in which a reader that comes back says what it read last.
const LAST_EVENT_ID: &str = "last-event-id";

pub fn routes<B: Backend>() -> Router<Arc<B>> {
    Router::new().route("/api/events", any(events::<B>))
}

async fn events<B: Backend>(State(backend): State<Arc<B>>, request: Request) -> Result<Response<Body>, Refusal> {
    check_method(request.method(), "GET, HEAD, OPTIONS")?;
    let query = request.uri().query().unwrap_or_default();
    let kinds = match one_value(query, "kinds")? {
        Some(list) => kinds(&list)?,
        None => Kind::ALL.to_vec(),
    };
    let after = last_event_id(request.headers()).or(one_value(query, "lastEventId")?);
    let mut response = Response::new(Body::empty());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    response.extensions_mut().insert(Endless);
    if request.method() == Method::HEAD {
        return Ok(response);
    }
    let begin = if kinds.contains(&Kind::Playback) { Reader::begin } else { Reader::begin_without_playback };
    let begun = begin(backend.events(), after.as_deref());
    let (reader, is_gap) = begun.map_err(|full| Refusal::Busy(full.to_string()))?;
    // After the reader began: what happens from here on comes behind it.
    let resumes = after.is_some() && !is_gap;
    let hello = hello(backend.greeting(), &reader, is_gap, resumes);
    let told = Told { reader, kinds, backend };
    *response.body_mut() = Body::new(EventBody { next: Some(Box::pin(async move { (told, hello) })) });
    Ok(response)
}

/// The kinds that a reader asks for, such as `set,call`.
fn kinds(list: &str) -> Result<Vec<Kind>, Refusal> {
    let kind = |name: &str| Kind::from_name(name.trim()).ok_or_else(|| Refusal::BadKind(excerpt(name)));
    list.split(',').map(kind).collect()
}

fn last_event_id(headers: &HeaderMap) -> Option<String> {
    headers.get(LAST_EVENT_ID)?.to_str().ok().map(str::to_owned)
}

/// What a stream begins with. Where the reader goes on, it has no id: what was read last is what the reader says.
fn hello(mut greeting: Map<String, Value>, reader: &Reader, is_gap: bool, resumes: bool) -> Bytes {
    let last = reader.last_id();
    greeting.insert("gap".to_owned(), is_gap.into());
    greeting.insert("lastEventId".to_owned(), last.as_str().into());
    let mut text = String::new();
    write_event(&mut text, "hello", (!resumes).then_some(last), &Value::Object(greeting).to_string());
    text.into()
}

fn write_event(text: &mut String, kind: &str, id: Option<String>, data: &str) {
    let id = id.map_or_else(String::new, |id| format!("id: {id}\n"));
    let written = write!(text, "event: {kind}\n{id}data: {data}\n\n");
    debug_assert!(written.is_ok(), "a String takes every write");
}

/// A reader, and what it is told.
struct Told<B> {
    reader: Reader,
    kinds: Vec<Kind>,
    backend: Arc<B>,
}

impl<B: Backend> Told<B> {
    /// What is there to be told, or what comes next.
    async fn piece(mut self) -> (Self, Bytes) {
        let keep_alive = Instant::now() + KEEP_ALIVE_EVERY;
        loop {
            let mut text = String::new();
            while text.len() < PIECE_BYTES {
                let Some(next) = self.reader.take() else { break };
                self.write(&mut text, next);
            }
            if !text.is_empty() {
                return (self, text.into());
            }
            // Counted from the last write: what is of no kind that it asked for ends a wait as well.
            if tokio::time::timeout_at(keep_alive.into(), self.reader.wait()).await.is_err() {
                return (self, Bytes::from_static(b": \n\n"));
            }
        }
    }

    fn write(&self, text: &mut String, next: Next) {
        match next {
            Next::Event(Event { number, kind, data }) if self.kinds.contains(&kind) => {
                let id = (number > 0).then(|| self.reader.hub().id(number));
                write_event(text, kind.name(), id, &data);
            }
            Next::Event(_) => {}
            Next::Gap => {
                let id = self.reader.hub().last_id();
                write_event(text, "gap", Some(id), &Value::Object(self.backend.greeting()).to_string());
            }
        }
    }
}

type NextPiece<B> = Pin<Box<dyn Future<Output = (Told<B>, Bytes)> + Send>>;

/// The stream. The next piece is made when the one before has left.
struct EventBody<B> {
    next: Option<NextPiece<B>>,
}

impl<B: Backend> HttpBody for EventBody<B> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Some(next) = &mut self.next else { return Poll::Ready(None) };
        let (told, piece) = ready!(next.as_mut().poll(cx));
        self.next = Some(Box::pin(told.piece()));
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }
}
