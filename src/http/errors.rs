//! Every answer that is not 200: one list, with its status, its text and its body. All bodies are JSON objects with
//! `error`; some add `errorCode`, `details` or what is wrong with each member of `/config`.

use super::response::{CloseAfter, json};
use crate::service::{CallFailure, ConfigRefusal, excerpt};
use crate::transfers::TransferError;
use axum::body::Body;
use axum::http::header::{ALLOW, HeaderValue, WWW_AUTHENTICATE};
use axum::http::{Method, Response, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Map, Value};

/// Why a request got no 200. The text is what the caller reads under `error`.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Refusal {
    #[error("This is not a valid HTTP/1.1 request: {0}.")]
    NotHttp(String),
    #[error("The connection was closed in the middle of a request head.")]
    HeadIncomplete,
    #[error("The length of the body is ambiguous: {0}.")]
    Framing(&'static str),
    #[error("The request needs exactly one Host header: a host name with an optional port.")]
    HostMalformed,
    #[error("The body could not be read: {0}.")]
    BodyBroken(&'static str),
    #[error("The body is not valid JSON: {0}. Send a JSON object, `{{}}` when there is nothing to say.")]
    NotJson(String),
    #[error("The body must be a JSON object, but it is {0}.")]
    NotAnObject(&'static str),
    #[error("`{0}` is given twice in the query; give it once.")]
    ParameterTwice(&'static str),
    #[error("`format` must be `json` or `compact`, not `{0}`.")]
    BadFormat(String),
    #[error("`timeoutMs` must be a whole number of milliseconds from 1 to {max}, not `{0}`.", max = crate::service::settings::MAX_TIMEOUT_MS)]
    BadTimeout(String),
    #[error("`dryRun` must be `true` or `false`, not `{0}`.")]
    BadDryRun(String),
    #[error("`clip` must be the id of a clip, a whole number, not `{0}`.")]
    BadClip(String),
    #[error("`kinds` must be a list of set, playback, call, job, settings and log, not `{0}`.")]
    BadKind(String),
    #[error("`name` must be the name of the file in the query, such as `?name=song.als`.")]
    NoFileName,
    #[error("{message}")]
    InvalidArguments { message: String, details: Value },
    #[error("{}", fields_text(.0))]
    Config(ConfigRefusal),

    #[error("Host `{0}` is not served here; use localhost, 127.0.0.1 or [::1] with the server's port.")]
    HostForeign(String),
    #[error(
        "Pages of origin `{0}` may not use this server; set ENABLE_REMOTE_CORS=true in its environment to allow them."
    )]
    OriginForeign(String),
    #[error(
        "Pages of other sites may not use this server; set ENABLE_REMOTE_CORS=true in its environment to allow them."
    )]
    CrossSite,
    #[error("Settings can be written only by the server's own pages and by programs that are no browser.")]
    ConfigOrigin,

    #[error("Files can be sent only by the server's own page and by programs that are no browser.")]
    FileOrigin,

    #[error("This device wants its token with every call: send the header `Authorization: Bearer ...`.")]
    NoToken,

    #[error("Nothing is served at `{0}`; tools are listed at /api/tools.")]
    NoSuchPath(String),
    #[error("There is no clip of id {0}.")]
    NoSuchClip(u64),
    #[error("{}", no_tool_text(.0))]
    NoSuchTool(String),
    #[error("`{method}` is not possible here; use {allow}.")]
    Method { method: String, allow: &'static str },
    #[error("The request head was not complete within {0} s.")]
    HeadTimeout(u64),
    #[error("The request body was not complete within {0} s.")]
    BodyTimeout(u64),
    #[error("The request came too slowly, and others wait for a connection; send it in one go.")]
    TooSlow,
    #[error("The file came slower than 4 kB a second; nothing of it was kept.")]
    FileTooSlow,
    #[error("The request body is larger than {max} bytes.", max = super::limits::MAX_BODY_BYTES)]
    BodyTooLarge,
    #[error("The request target is longer than {max} bytes.", max = super::limits::MAX_TARGET_BYTES)]
    TargetTooLong,
    #[error("The body must be sent as `Content-Type: application/json`, in UTF-8 and without a content coding.")]
    MediaType,
    #[error("A file must be sent as `Content-Type: application/octet-stream`, without a content coding.")]
    FileMediaType,
    #[error("The only expectation served is `100-continue`.")]
    Expectation,
    #[error(
        "The request head is too large: at most {lines} header lines and {bytes} bytes.",
        lines = super::limits::MAX_HEADERS,
        bytes = super::limits::MAX_HEAD_BYTES
    )]
    HeadTooLarge,
    #[error("Only HTTP/1.1 and HTTP/1.0 are served.")]
    Version,

    #[error("Internal server error")]
    Internal,
    #[error("{0}")]
    Failed(String),
    #[error("There are too many connections; close some, or try again.")]
    TooManyConnections,
    #[error(
        "Several long bodies are being worked on already; send it again when they are done, or send less at a time."
    )]
    ManyLongBodies,
    #[error("The server is stopping.")]
    Stopping,
    #[error("{0}")]
    Transfer(TransferError),
    #[error("{0}")]
    Busy(String),
    #[error("{0}")]
    TimedOut(String),
}

impl Refusal {
    pub fn status(&self) -> StatusCode {
        use Refusal::*;
        match self {
            NotHttp(_)
            | HeadIncomplete
            | Framing(_)
            | HostMalformed
            | BodyBroken(_)
            | NotJson(_)
            | NotAnObject(_)
            | ParameterTwice(_)
            | BadFormat(_)
            | BadTimeout(_)
            | BadDryRun(_)
            | BadClip(_)
            | BadKind(_)
            | NoFileName
            | InvalidArguments { .. }
            | Config(_) => StatusCode::BAD_REQUEST,
            HostForeign(_) | OriginForeign(_) | CrossSite | ConfigOrigin | FileOrigin => StatusCode::FORBIDDEN,
            NoToken => StatusCode::UNAUTHORIZED,
            NoSuchPath(_) | NoSuchTool(_) | NoSuchClip(_) => StatusCode::NOT_FOUND,
            Method { .. } => StatusCode::METHOD_NOT_ALLOWED,
            HeadTimeout(_) | BodyTimeout(_) | TooSlow | FileTooSlow => StatusCode::REQUEST_TIMEOUT,
            BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            TargetTooLong => StatusCode::URI_TOO_LONG,
            MediaType | FileMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Expectation => StatusCode::EXPECTATION_FAILED,
            HeadTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Version => StatusCode::HTTP_VERSION_NOT_SUPPORTED,
            Internal | Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
            TooManyConnections | ManyLongBodies | Stopping | Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            TimedOut(_) => StatusCode::GATEWAY_TIMEOUT,
            Transfer(error) => transfer_status(error),
        }
    }

    /// Whether the connection closes: where the next request would begin is unknown or not worth waiting for.
    pub fn closes(&self) -> bool {
        matches!(self.status().as_u16(), 408 | 413) || matches!(self, Refusal::Framing(_) | Refusal::BodyBroken(_))
    }

    fn body(&self) -> Vec<u8> {
        let mut body = Map::new();
        body.insert("error".to_owned(), Value::String(self.to_string()));
        match self {
            Refusal::TimedOut(_) => {
                body.insert("errorCode".to_owned(), Value::from("timeout"));
            }
            Refusal::InvalidArguments { details, .. } => {
                body.insert("details".to_owned(), details.clone());
            }
            Refusal::Config(refusal) => {
                let fields: Map<String, Value> =
                    refusal.fields.iter().map(|(name, text)| (name.clone(), Value::from(text.as_str()))).collect();
                body.insert("fields".to_owned(), Value::Object(fields));
                if let Some(names) = &refusal.valid_tool_names {
                    body.insert("validToolNames".to_owned(), Value::from(names.as_slice()));
                }
            }
            _ => {}
        }
        Value::Object(body).to_string().into_bytes()
    }

    /// The whole answer as bytes of HTTP, for a connection that has no request to answer.
    pub fn to_raw_bytes(&self) -> Vec<u8> {
        let status = self.status();
        let body = self.body();
        let mut bytes = format!(
            "HTTP/1.1 {} {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\
             x-content-type-options: nosniff\r\ncross-origin-resource-policy: same-origin\r\ncache-control: no-store\r\n\r\n",
            status.as_u16(),
            status.canonical_reason().unwrap_or("Error"),
            body.len()
        )
        .into_bytes();
        bytes.extend_from_slice(&body);
        bytes
    }
}

fn transfer_status(error: &TransferError) -> StatusCode {
    match error {
        TransferError::Empty => StatusCode::BAD_REQUEST,
        TransferError::NotThere(_) => StatusCode::NOT_FOUND,
        TransferError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        TransferError::Kind { .. } | TransferError::NoAudio { .. } => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        TransferError::NoFolder | TransferError::TooManyAtATime => StatusCode::SERVICE_UNAVAILABLE,
        TransferError::TooManySamples { .. } | TransferError::DiskFull => StatusCode::INSUFFICIENT_STORAGE,
        TransferError::Disk(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response<Body> {
        let closes = self.closes();
        let mut response = json(self.status(), self.body());
        if let Refusal::Method { allow, .. } = self {
            response.headers_mut().insert(ALLOW, HeaderValue::from_static(allow));
        }
        if response.status() == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if closes {
            response.extensions_mut().insert(CloseAfter);
        }
        response
    }
}

impl From<CallFailure> for Refusal {
    fn from(failure: CallFailure) -> Self {
        match failure {
            CallFailure::NoSuchTool(name) => Refusal::NoSuchTool(excerpt(&name)),
            CallFailure::InvalidArguments { message, details } => Refusal::InvalidArguments { message, details },
            CallFailure::QueueFull(text) => Refusal::Busy(text),
            CallFailure::TimedOut(text) => Refusal::TimedOut(text),
            CallFailure::Internal(text) => Refusal::Failed(text),
        }
    }
}

/// A tool that this request does not see. The raw tool is off until it is switched on, so its text says how.
fn no_tool_text(name: &str) -> String {
    if name == crate::service::LIVE_API_TOOL {
        return format!(
            "The tool `{name}` is not enabled for this request. Switch it on with POST /config {{\"liveApiEnabled\": true}}, or \
             for one request with the header `x-svc-live-api: true`; where the open project asks for it, with POST /config \
             {{\"permissionRequest\": \"grant\"}}. A name in `x-svc-disabled-tools` stays withheld."
        );
    }
    format!("There is no tool `{name}` for this request: it is unknown, disabled or withheld. See GET /api/tools.")
}

fn fields_text(refusal: &ConfigRefusal) -> String {
    let parts: Vec<String> = refusal.fields.iter().map(|(name, text)| format!("{name}: {text}")).collect();
    parts.join("; ")
}

/// Refuses every method but those in `allow`, a list as the `Allow` header has it.
pub fn check_method(method: &Method, allow: &'static str) -> Result<(), Refusal> {
    if allow.split(", ").any(|name| name == method.as_str()) {
        return Ok(());
    }
    Err(Refusal::Method { method: excerpt(method.as_str()), allow })
}
