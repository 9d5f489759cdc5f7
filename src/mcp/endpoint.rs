//! One `POST` to the endpoint, answered.
//!
//! `rmcp` speaks the protocol: the handshake and its absence, versions, header checks, the forms of results. It is used
//! without sessions, one message at a time; only an answer that is waited for with a progress token is a stream. What
//! it leaves open is done around it: the JSON-RPC of the body is checked first (`rmcp` would answer in plain text),
//! batches are taken apart, its remaining plain texts become JSON-RPC errors, an internal error gets its HTTP status,
//! and a method that is not there a text. Nothing here depends on what the server behind it offers. See D33 in
//! `docs/decisions.md`.

use super::exchange::{AnswerForm, EndpointAnswer, Message, Messages, Sent};
use super::long_parts::LongTexts;
use super::message::{self, MessageKind, RefusedMessage};
use super::open_requests::OpenRequests;
use super::progress::MayStream;
use super::protocol::{FIRST_VERSION, MAX_MESSAGE_BYTES, SUPPORTED_VERSIONS, VERSION_HEADER};
use super::rpc_error::{INTERNAL_ERROR, NO_METHOD, RpcError, json_response, refusal_response};
use crate::service::{excerpt, long_excerpt};
use axum::body::{Body, Bytes};
use axum::http::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// The request whose answer is a stream of changes.
const LISTEN: &str = "subscriptions/listen";

/// Larger answers are no errors, so they need no second look: `rmcp`'s repeat a message and headers at most, and a sign
/// of them is written with up to six.
const MAX_ERROR_BYTES: usize = 6 * 2 * MAX_MESSAGE_BYTES;

/// The codes of errors that `rmcp` alone gives: headers that say something else than the message, and messages that
/// are none.
const RMCP_ERRORS: [i32; 3] = [-32020, -32022, -32600];

/// How often a stream on which nothing happens says that it is still there.
const KEEP_ALIVE_EVERY: Duration = Duration::from_secs(10);

/// Among the extensions of a response: the client listens, and its stream goes on until one of both ends it.
#[derive(Clone, Copy)]
pub struct Listening;

/// A server of the protocol, reached over HTTP.
pub struct Endpoint<H> {
    service: StreamableHttpService<H, NeverSessionManager>,
    open: OpenRequests,
}

impl<H: ServerHandler + Clone> Endpoint<H> {
    pub fn new(server: H) -> Self {
        // `Host` and `Origin` are checked by the HTTP server, for every path.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_sse_keep_alive(Some(KEEP_ALIVE_EVERY))
            .with_sse_retry(None);
        let sessions = Arc::new(NeverSessionManager::default());
        let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
        Endpoint { service, open: OpenRequests::default() }
    }

    /// Answers a POST, all of it on this thread.
    pub async fn answer(&self, parts: &Parts, body: &[u8]) -> Response<Body> {
        self.answer_messages(parts, Messages::read(body)).await.write()
    }

    /// Answers the messages of a POST. What is among the extensions of `parts` reaches the server's handlers.
    pub async fn answer_messages(&self, parts: &Parts, messages: Messages) -> EndpointAnswer {
        if !accepts_json(&parts.headers) {
            return RpcError::NotAcceptable.into_response(&Value::Null).into();
        }
        match messages.0 {
            Err(refused) => refused.error.into_response(&refused.id).into(),
            Ok(Sent::One(message)) => match self.answer_message(parts, &message).await {
                Ok(answer) => answer,
                Err(refused) => refused.error.into_response(&refused.id).into(),
            },
            Ok(Sent::Batch(messages)) => self.answer_batch(parts, &messages).await,
        }
    }

    async fn answer_message(&self, parts: &Parts, message: &Message) -> Result<EndpointAnswer, RefusedMessage> {
        let kind = message::kind(&message.json)?;
        check_version(&parts.headers).map_err(|error| RefusedMessage { error, id: message::id_of(&message.json) })?;
        match kind {
            MessageKind::Notification => {
                self.take_notification(&message.json);
                Ok(accepted().into())
            }
            MessageKind::Request { .. } => {
                let (answer, long) = self.forward(parts, message, accepts_streams(&parts.headers)).await;
                if long.is_empty() {
                    return Ok(answer.into());
                }
                let (head, body) = answer.into_parts();
                let whole = body.collect().await.map(|body| body.to_bytes());
                let one = whole.map(|body| EndpointAnswer { head, form: AnswerForm::One(body, long) });
                Ok(one.unwrap_or_else(|_| RpcError::Internal.into_response(&message::id_of(&message.json)).into()))
            }
        }
    }

    async fn answer_batch(&self, parts: &Parts, messages: &[Message]) -> EndpointAnswer {
        match check_version(&parts.headers) {
            Ok(FIRST_VERSION) => {}
            Ok(_) => return RpcError::Batch.into_response(&Value::Null).into(),
            Err(error) => return error.into_response(&Value::Null).into(),
        }
        let mut answers: Vec<(Bytes, LongTexts)> = Vec::new();
        let plain = |answer: Value| (Bytes::from(answer.to_string()), LongTexts::default());
        for message in messages {
            let id = || message::id_of(&message.json);
            let answer = match message::kind(&message.json) {
                Ok(MessageKind::Request { is_initialize: true }) => {
                    Some(plain(RpcError::InitializeInBatch.response(&id())))
                }
                Err(RefusedMessage { error, id }) => Some(plain(error.response(&id))),
                Ok(MessageKind::Notification) => {
                    self.take_notification(&message.json);
                    None
                }
                Ok(MessageKind::Request { .. }) => {
                    let (answer, long) = self.forward(parts, message, false).await;
                    let whole = answer.into_body().collect().await.map(|body| body.to_bytes());
                    Some(match whole {
                        Ok(body) => (body, long),
                        Err(_) => plain(RpcError::Internal.response(&id())),
                    })
                }
            };
            answers.extend(answer);
        }
        if answers.is_empty() {
            return accepted().into();
        }
        let (head, _) = json_response(StatusCode::OK, Body::empty()).into_parts();
        EndpointAnswer { head, form: AnswerForm::Batch(answers) }
    }

    /// Of all that clients notify of, only that a request is cancelled changes anything here.
    fn take_notification(&self, message: &Value) {
        let is_cancel = message.get("method").and_then(Value::as_str) == Some("notifications/cancelled");
        if let Some(id) = message.pointer("/params/requestId").filter(|_| is_cancel) {
            self.open.cancel(id);
        }
    }

    /// Has `rmcp` answer one request that was found well-formed, as a stream only if it may.
    async fn forward(&self, parts: &Parts, message: &Message, may_stream: bool) -> (Response<Body>, LongTexts) {
        let Message { json: message, arguments } = message;
        let listens = message.get("method").and_then(Value::as_str) == Some(LISTEN);
        if listens && !may_stream {
            let refused = RpcError::OnlyAsStream.into_response(&message::id_of(message));
            return (refused, LongTexts::default());
        }
        // Lives as long as this future and the stream it gives, which are dropped when the client is gone.
        let (request, gone) = self.open.open(&message::id_of(message));
        let mut parts = parts.clone();
        let long = LongTexts::default();
        parts.extensions.insert(gone);
        parts.extensions.insert(long.clone());
        parts.extensions.insert(arguments.clone());
        if may_stream {
            parts.extensions.insert(MayStream);
        }
        // Programs without an SDK, such as curl, name one media type or none; `rmcp` insists on both.
        parts.headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        let body = Full::new(Bytes::from(message.to_string()));
        let response = self.service.handle(Request::from_parts(parts, body)).await.map(Body::new);
        // A server that announces something before its answer sends a stream of events.
        if media_type(&response).starts_with(b"text/event-stream") {
            let held = move |frame| {
                let _open = &request;
                frame
            };
            let mut response = response.map(|body| Body::new(body.map_frame(held)));
            if listens {
                response.extensions_mut().insert(Listening);
            }
            return (response, long);
        }
        (adjust_response(response, message).await, long)
    }
}

fn accepted() -> Response<Body> {
    let mut accepted = Response::new(Body::empty());
    *accepted.status_mut() = StatusCode::ACCEPTED;
    accepted
}

/// `rmcp`'s answer as this endpoint gives it.
async fn adjust_response(response: Response<Body>, message: &Value) -> Response<Body> {
    let has_type = !media_type(&response).is_empty();
    let (mut parts, body) = response.into_parts();
    let Ok(body) = body.collect().await else {
        return RpcError::Internal.into_response(&message::id_of(message));
    };
    let body = body.to_bytes();
    if !has_type {
        if parts.status.is_server_error() {
            return RpcError::Internal.into_response(&message::id_of(message));
        }
        return refusal_response(parts.status, -32600, &long_excerpt(&String::from_utf8_lossy(&body)));
    }
    let code = if body.len() <= MAX_ERROR_BYTES { error_code(&body) } else { None };
    match code {
        Some(INTERNAL_ERROR) => parts.status = StatusCode::INTERNAL_SERVER_ERROR,
        // `rmcp` would answer with the name of the method alone.
        Some(NO_METHOD) => {
            let named = message.get("method").and_then(Value::as_str).unwrap_or_default();
            let error = RpcError::NoMethod(excerpt(named));
            return json_response(parts.status, error.response(&message::id_of(message)).to_string());
        }
        // Its own texts, which repeat headers and messages as they are.
        Some(code) if RMCP_ERRORS.contains(&code) => {
            if let Some(error) = shortened(&body) {
                return json_response(parts.status, error.to_string());
            }
        }
        _ => {}
    }
    Response::from_parts(parts, Body::from(body))
}

/// An error response with a short text.
fn shortened(body: &[u8]) -> Option<Value> {
    let mut response: Value = serde_json::from_slice(body).ok()?;
    let text = response.pointer_mut("/error/message")?;
    let short = long_excerpt(text.as_str()?);
    *text = Value::String(short);
    Some(response)
}

fn media_type(response: &Response<Body>) -> &[u8] {
    response.headers().get(CONTENT_TYPE).map_or(&[], |value| value.as_bytes())
}

/// The code of a JSON-RPC error response.
fn error_code(body: &[u8]) -> Option<i32> {
    #[derive(Deserialize)]
    struct Error {
        code: i32,
    }
    #[derive(Deserialize)]
    struct Envelope {
        error: Option<Error>,
        #[serde(rename = "result")]
        _result: Option<IgnoredAny>,
    }
    serde_json::from_slice::<Envelope>(body).ok()?.error.map(|error| error.code)
}

/// The version that a request names, or the one that it means by naming none.
fn check_version(headers: &HeaderMap) -> Result<&'static str, RpcError> {
    let mut named = headers.get_all(VERSION_HEADER).iter();
    let Some(first) = named.next() else {
        return Ok(FIRST_VERSION);
    };
    let known = SUPPORTED_VERSIONS.into_iter().find(|version| first.as_bytes() == version.as_bytes());
    match (known, named.next()) {
        (Some(version), None) => Ok(version),
        _ => Err(RpcError::Version(excerpt(&String::from_utf8_lossy(first.as_bytes())))),
    }
}

/// Whether a client says that it reads streams of events.
fn accepts_streams(headers: &HeaderMap) -> bool {
    let mut ranges = headers.get_all(ACCEPT).iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    ranges.any(|range| {
        let name = range.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        name.eq_ignore_ascii_case(b"text/event-stream")
    })
}

/// Whether a client takes JSON. One that does not say takes anything.
fn accepts_json(headers: &HeaderMap) -> bool {
    let mut ranges = headers.get_all(ACCEPT).iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    if !headers.contains_key(ACCEPT) {
        return true;
    }
    ranges.any(|range| {
        let mut parts = range.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
        let named = parts.next().is_some_and(|name| {
            [&b"application/json"[..], b"application/*", b"*/*"].iter().any(|taken| name.eq_ignore_ascii_case(taken))
        });
        named && !parts.any(|parameter| matches!(parameter, b"q=0" | b"Q=0" | b"q=0.0" | b"q=0.00" | b"q=0.000"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, values: &[&'static str]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for value in values {
            map.append(name, HeaderValue::from_static(value));
        }
        map
    }

    #[test]
    fn accept() {
        let cases: [(&[&str], bool); 10] = [
            (&[], true),
            (&["application/json, text/event-stream"], true),
            (&["application/json"], true),
            (&["*/*"], true),
            (&["text/html", "application/*;q=0.5"], true),
            (&["text/event-stream"], false),
            (&["text/html"], false),
            (&["application/json;q=0"], false),
            (&["application/jsonl"], false),
            (&[""], false),
        ];
        for (values, expected) in cases {
            assert_eq!(accepts_json(&headers("accept", values)), expected, "{values:?}");
        }
    }

    #[test]
    fn versions() {
        let cases: [(&[&str], Option<&str>); 7] = [
            (&[], Some("2025-03-26")),
            (&["2025-03-26"], Some("2025-03-26")),
            (&["2026-07-28"], Some("2026-07-28")),
            (&["2024-11-05"], None),
            (&["2027-01-01"], None),
            (&[""], None),
            (&["2025-06-18", "2025-06-18"], None),
        ];
        for (values, expected) in cases {
            assert_eq!(check_version(&headers(VERSION_HEADER, values)).ok(), expected, "{values:?}");
        }
    }

    #[test]
    fn only_errors_have_a_code() {
        let cases = [
            (r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}"#, Some(-32603)),
            (r#"{"jsonrpc":"2.0","id":1,"result":{"error":{"code":-32603}}}"#, None),
            ("x", None),
        ];
        for (body, expected) in cases {
            assert_eq!(error_code(body.as_bytes()), expected, "{body}");
        }
    }
}
