//! The door between the parser and the rooms: every request passes here once on its way in (head limits, `Host`,
//! `Origin`) and once on its way out (headers that every answer has, whether the connection lives on). A panic behind the
//! door becomes 500, a stop becomes 503.

use super::body::TimedBody;
use super::errors::{CloseAfter, Refusal, json};
use super::limits::{Limits, MAX_TARGET_BYTES};
use super::origin::{self, Readers};
use super::watchdog::{Phase, Stage, Vitals};
use super::{Options, framing};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, EXPECT, HeaderValue, TRANSFER_ENCODING, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, Request, Response, StatusCode};
use axum::response::IntoResponse;
use axum::routing::future::RouteFuture;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use std::convert::Infallible;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_service::Service as _;

/// What all connections of a server share.
pub struct House {
    pub router: Router,
    pub port: u16,
    pub options: Options,
}

impl House {
    pub fn limits(&self) -> &Limits {
        &self.options.limits
    }
}

/// One connection's door.
pub struct Door {
    house: Arc<House>,
    router: Router,
    vitals: Arc<Vitals>,
}

impl Door {
    pub fn new(house: Arc<House>, vitals: Arc<Vitals>) -> Self {
        let router = house.router.clone();
        Door { house, router, vitals }
    }

    fn admit(&self, request: &Request<Incoming>) -> Result<Readers, Refusal> {
        let headers = request.headers();
        if request.uri().path_and_query().is_some_and(|target| target.as_str().len() > MAX_TARGET_BYTES) {
            return Err(Refusal::TargetTooLong);
        }
        if headers.get_all(EXPECT).iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"100-continue")) {
            return Err(Refusal::Expectation);
        }
        if !request.body().is_end_stream() || headers.contains_key(axum::http::header::CONTENT_LENGTH) {
            framing::check(request.method(), request.uri(), headers, &self.vitals)?;
        }
        origin::admit(request.uri(), headers, self.house.port, self.house.options.remote_cors)
    }
}

impl hyper::service::Service<Request<Incoming>> for Door {
    type Response = Response<Outgoing>;
    type Error = Infallible;
    type Future = Visit;

    fn call(&self, request: Request<Incoming>) -> Visit {
        let has_body = !request.body().is_end_stream();
        self.vitals.begin_request(has_body);
        let chunked = request.headers().contains_key(TRANSFER_ENCODING);
        let mut visit =
            Visit { vitals: self.vitals.clone(), readers: Readers::NoPage, chunked, task: Task::Settled(None) };
        match self.admit(&request) {
            Err(refusal) => {
                if has_body {
                    self.vitals.body_abandoned();
                }
                visit.task = Task::Settled(Some(refusal.into_response()));
            }
            Ok(readers) => {
                visit.readers = readers;
                if request.method() == Method::OPTIONS {
                    if has_body {
                        self.vitals.body_abandoned();
                    }
                    visit.task = Task::Settled(Some(preflight(&visit.readers, &request)));
                } else {
                    let awaits_consent = request.headers().contains_key(EXPECT);
                    let limits = self.house.limits();
                    let request = request.map(|body| TimedBody::new(body, self.vitals.clone(), limits, awaits_consent));
                    visit.task = Task::Routed(Box::pin(self.router.clone().call(request)));
                }
            }
        }
        visit
    }
}

/// Says what is possible; a browser asks this before it lets a page call.
fn preflight(readers: &Readers, request: &Request<Incoming>) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(ALLOW, HeaderValue::from_static(allowed(request.uri().path())));
    readers.announce_preflight(request.headers(), headers);
    response
}

/// What each place answers, as its route says too.
fn allowed(path: &str) -> &'static str {
    match path {
        "/config" => "GET, HEAD, POST, OPTIONS",
        "/mcp" => "POST, OPTIONS",
        _ if path.starts_with("/api/tools/") => "POST, OPTIONS",
        _ => "GET, HEAD, OPTIONS",
    }
}

enum Task {
    Settled(Option<Response<Body>>),
    Routed(Pin<Box<RouteFuture<Infallible>>>),
}

/// One request on its way through the rooms.
pub struct Visit {
    vitals: Arc<Vitals>,
    readers: Readers,
    chunked: bool,
    task: Task,
}

impl Future for Visit {
    type Output = Result<Response<Outgoing>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let response = match &mut self.task {
            Task::Settled(response) => response.take().unwrap_or_else(|| Refusal::Internal.into_response()),
            Task::Routed(route) => match catch_unwind(AssertUnwindSafe(|| route.as_mut().poll(cx))) {
                Ok(Poll::Ready(Ok(response))) => response,
                Ok(Poll::Pending) if self.vitals.stage() >= Stage::Cancelled => Refusal::Stopping.into_response(),
                Ok(Poll::Pending) => return Poll::Pending,
                Err(_) => Refusal::Internal.into_response(),
            },
        };
        // Ends what is left of the request, body included, before its fate is judged.
        self.task = Task::Settled(None);
        Poll::Ready(Ok(self.see_out(response)))
    }
}

impl Visit {
    fn see_out(&self, mut response: Response<Body>) -> Response<Outgoing> {
        self.vitals.enter(Phase::Answer);
        let closes = self.chunked
            || self.vitals.body_unread()
            || self.vitals.stage() >= Stage::Draining
            || response.extensions_mut().remove::<CloseAfter>().is_some();
        if response.status().is_client_error() && !response.headers().contains_key(CONTENT_TYPE) {
            // An answer of the router itself, which has no words.
            response = json(response.status(), Bytes::from_static(b"{\"error\":\"The request could not be served.\"}"));
        }
        let headers = response.headers_mut();
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        self.readers.announce(headers);
        if closes {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response.map(|body| Outgoing { body, vitals: self.vitals.clone() })
    }
}

/// An answer's body; when the parser lets go of it, it has it all.
pub struct Outgoing {
    body: Body,
    vitals: Arc<Vitals>,
}

impl HttpBody for Outgoing {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Outgoing {
    fn drop(&mut self) {
        self.vitals.answer_complete();
    }
}

/// Refuses every method but those in `allow`, a list as the `Allow` header has it.
pub fn check_method(method: &Method, allow: &'static str) -> Result<(), Refusal> {
    if allow.split(", ").any(|name| name == method.as_str()) {
        return Ok(());
    }
    Err(Refusal::Method { method: super::errors::shown(method.as_str()), allow })
}

/// 200 with a JSON body.
pub fn ok(body: impl Into<Body>) -> Response<Body> {
    json(StatusCode::OK, body)
}
