//! The service that the parser hands each request of a connection to. A request passes here once on its way in (head
//! limits, `Host`, `Origin`) and its answer once on its way out (headers that every answer has, whether the connection
//! stays open). A panic of the router becomes 500, a stop becomes 503.

use super::allowed_stream::{Shown, Watched};
use super::bearer;
use super::body::TimedBody;
use super::connection_state::{ConnectionState, Phase, ShutdownStage};
use super::errors::Refusal;
use super::files;
use super::framing;
use super::limits::{Limits, MAX_TARGET_BYTES};
use super::options::Options;
use super::origin::{self, CorsPolicy};
use super::response::{CloseAfter, Endless, Streamed, json};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, EXPECT, HeaderName, HeaderValue, TRANSFER_ENCODING,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, Request, Response};
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

/// Keeps browsers from handing an answer to a page of another origin as a picture, a script or the like.
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// What all connections of a server share.
pub struct ServerContext {
    pub router: Router,
    pub port: u16,
    pub options: Options,
}

impl ServerContext {
    pub fn limits(&self) -> &Limits {
        &self.options.limits
    }
}

/// Answers the requests of one connection.
pub struct ConnectionService {
    context: Arc<ServerContext>,
    router: Router,
    state: Arc<ConnectionState>,
}

impl ConnectionService {
    pub fn new(context: Arc<ServerContext>, state: Arc<ConnectionState>) -> Self {
        let router = context.router.clone();
        ConnectionService { context, router, state }
    }

    /// Refuses a request whose head shows that it is not served here.
    fn check_head(&self, request: &Request<Incoming>) -> Result<CorsPolicy, Refusal> {
        let headers = request.headers();
        if request.uri().path_and_query().is_some_and(|target| target.as_str().len() > MAX_TARGET_BYTES) {
            return Err(Refusal::TargetTooLong);
        }
        if headers.get_all(EXPECT).iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"100-continue")) {
            return Err(Refusal::Expectation);
        }
        if !request.body().is_end_stream() || headers.contains_key(axum::http::header::CONTENT_LENGTH) {
            framing::check(request.method(), request.uri(), headers, &self.state)?;
        }
        let options = &self.context.options;
        let cors = origin::check(request.uri(), headers, self.context.port, options.remote_cors)?;
        // Browsers ask without it what they may send with it.
        if request.method() != Method::OPTIONS {
            bearer::check(request.uri(), headers, &options.access)?;
        }
        Ok(cors)
    }
}

impl hyper::service::Service<Request<Incoming>> for ConnectionService {
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn call(&self, request: Request<Incoming>) -> ResponseFuture {
        let has_body = !request.body().is_end_stream();
        self.state.begin_request(has_body);
        let chunked = request.headers().contains_key(TRANSFER_ENCODING);
        let mut future = ResponseFuture {
            state: self.state.clone(),
            cors: CorsPolicy::NoHeaders,
            chunked,
            shown: Some(Shown::by(request.headers(), &self.context.options.access)),
            has_waited: false,
            progress: Progress::Answered(None),
        };
        match self.check_head(&request) {
            Err(refusal) => {
                if has_body {
                    self.state.body_abandoned();
                }
                future.progress = Progress::Answered(Some(refusal.into_response()));
            }
            Ok(cors) => {
                future.cors = cors;
                if request.method() == Method::OPTIONS {
                    if has_body {
                        self.state.body_abandoned();
                    }
                    future.progress = Progress::Answered(Some(preflight(&future.cors, &request)));
                } else {
                    if request.method() == Method::POST && request.uri().path() == files::PATH {
                        self.state.expect_file();
                    }
                    let awaits_continue = request.headers().contains_key(EXPECT);
                    let limits = self.context.limits();
                    let request = request.map(|body| TimedBody::new(body, self.state.clone(), limits, awaits_continue));
                    future.progress = Progress::Routed(Box::pin(self.router.clone().call(request)));
                }
            }
        }
        future
    }
}

/// Answers `OPTIONS`: a browser asks what is possible before it lets a page call.
fn preflight(cors: &CorsPolicy, request: &Request<Incoming>) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(ALLOW, HeaderValue::from_static(allowed_methods(request.uri().path())));
    cors.write_preflight_headers(request.headers(), headers);
    response
}

/// The methods of each path, as its route says too.
fn allowed_methods(path: &str) -> &'static str {
    match path {
        "/config" | files::PATH => "GET, HEAD, POST, OPTIONS",
        "/mcp" => "POST, OPTIONS",
        _ if path.starts_with("/api/tools/") => "POST, OPTIONS",
        _ => "GET, HEAD, OPTIONS",
    }
}

enum Progress {
    /// Answered without the router.
    Answered(Option<Response<Body>>),
    Routed(Pin<Box<RouteFuture<Infallible>>>),
}

/// The answer to one request, while it is made.
pub struct ResponseFuture {
    state: Arc<ConnectionState>,
    cors: CorsPolicy,
    chunked: bool,
    /// Until it is answered.
    shown: Option<Shown>,
    /// All other connections have had their turn since the request came.
    has_waited: bool,
    progress: Progress,
}

impl Future for ResponseFuture {
    type Output = Result<Response<ResponseBody>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // Requests that came in one piece are answered in turn with those of others.
        if !self.has_waited {
            self.has_waited = true;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let response = match &mut self.progress {
            Progress::Answered(response) => response.take().unwrap_or_else(|| Refusal::Internal.into_response()),
            Progress::Routed(route) => match catch_unwind(AssertUnwindSafe(|| route.as_mut().poll(cx))) {
                Ok(Poll::Ready(Ok(response))) => response,
                Ok(Poll::Pending) if self.state.shutdown_stage() == ShutdownStage::Cancelled => {
                    Refusal::Stopping.into_response()
                }
                Ok(Poll::Pending) => return Poll::Pending,
                Err(_) => Refusal::Internal.into_response(),
            },
        };
        // Drops what is left of the request, body included: only then is it known whether its body was read to the end.
        self.progress = Progress::Answered(None);
        Poll::Ready(Ok(self.finish_response(response)))
    }
}

impl ResponseFuture {
    fn finish_response(&mut self, mut response: Response<Body>) -> Response<ResponseBody> {
        let is_stream = response.extensions_mut().remove::<Streamed>().is_some()
            || response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
        self.state.enter(if is_stream { Phase::Stream } else { Phase::Answer });
        let closes = self.chunked
            || self.state.body_unread()
            || self.state.shutdown_stage() >= ShutdownStage::Draining
            || response.extensions_mut().remove::<CloseAfter>().is_some();
        if response.status().is_client_error() && !response.headers().contains_key(CONTENT_TYPE) {
            // An answer of the router itself, which has no body.
            response = json(response.status(), Bytes::from_static(b"{\"error\":\"The request could not be served.\"}"));
        }
        let headers = response.headers_mut();
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
        headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        self.cors.write_headers(headers);
        if closes {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        let is_endless = response.extensions_mut().remove::<Endless>().is_some();
        let endless = self.shown.take().filter(|_| is_endless).map(Shown::watched);
        response.map(|body| ResponseBody { body, state: self.state.clone(), endless })
    }
}

/// An answer's body. The parser drops it when it has all of it.
pub struct ResponseBody {
    body: Body,
    state: Arc<ConnectionState>,
    /// Of a stream that has no end of its own: until when it goes on.
    endless: Option<Watched>,
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let ResponseBody { body, state, endless } = &mut *self;
        let Some(endless) = endless else { return Pin::new(body).poll_frame(cx) };
        if state.shutdown_stage() >= ShutdownStage::Draining || endless.is_over(cx) {
            return Poll::Ready(None);
        }
        match Pin::new(body).poll_frame(cx) {
            // It may be of after a change that came while it was made.
            Poll::Ready(_) if endless.is_over(cx) => Poll::Ready(None),
            told => told,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for ResponseBody {
    fn drop(&mut self) {
        self.state.answer_complete();
    }
}
