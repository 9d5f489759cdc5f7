//! The answer to a message that cannot be served: an HTTP status and a JSON-RPC error.

use super::protocol::{MAX_BATCH, MAX_MESSAGE_BYTES, MAX_MESSAGE_VALUES, SUPPORTED_VERSIONS};
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{Response, StatusCode};
use serde_json::{Value, json};

pub(super) const NO_METHOD: i32 = -32601;
pub(super) const INTERNAL_ERROR: i32 = -32603;

/// Why a message is refused. The text is the error's `message`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RpcError {
    #[error("This endpoint answers in `application/json`; let `Accept` name it.")]
    NotAcceptable,
    #[error("`subscriptions/listen` is answered as a stream; let `Accept` name `text/event-stream` too.")]
    OnlyAsStream,
    #[error("The body is not valid JSON: {0}.")]
    NotJson(String),
    #[error("The body must be a JSON-RPC 2.0 message: {0}.")]
    NotAMessage(&'static str),
    #[error("Batches exist only in protocol version 2025-03-26; send one message a request.")]
    Batch,
    #[error("A batch holds from 1 to {max} messages, not {0}.", max = MAX_BATCH)]
    BatchLength(usize),
    #[error(
        "The body is too long: without the `arguments` of `tools/call` it holds at most {bytes} bytes and {values} values.",
        bytes = MAX_MESSAGE_BYTES,
        values = MAX_MESSAGE_VALUES
    )]
    TooLong,
    #[error("`initialize` cannot be part of a batch.")]
    InitializeInBatch,
    #[error("`params` must be an object.")]
    Params,
    #[error("Unsupported protocol version")]
    Version(String),
    #[error("There is no stream to open and no session to end here: send each message as its own POST.")]
    OnlyPost,
    #[error("{0}")]
    Http(String),
    #[error("There is no method `{0}` here.")]
    NoMethod(String),
    #[error("Internal error")]
    Internal,
}

impl RpcError {
    /// The JSON-RPC error code.
    pub fn code(&self) -> i32 {
        match self {
            RpcError::NotJson(_) => -32700,
            RpcError::NoMethod(_) => NO_METHOD,
            RpcError::Params => -32602,
            RpcError::Version(_) => -32022,
            RpcError::OnlyPost => -32000,
            RpcError::Internal => INTERNAL_ERROR,
            _ => -32600,
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            RpcError::NotAcceptable | RpcError::OnlyAsStream => StatusCode::NOT_ACCEPTABLE,
            RpcError::OnlyPost => StatusCode::METHOD_NOT_ALLOWED,
            RpcError::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            RpcError::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    /// The JSON-RPC error response to the request of that id; `null` when it is not known.
    pub fn response(&self, id: &Value) -> Value {
        let mut error = json!({ "code": self.code(), "message": self.to_string() });
        if let (RpcError::Version(requested), Some(error)) = (self, error.as_object_mut()) {
            let data = json!({ "supported": SUPPORTED_VERSIONS, "requested": requested });
            error.insert("data".to_owned(), data);
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    }

    pub fn into_response(self, id: &Value) -> Response<Body> {
        json_response(self.status(), self.response(id).to_string())
    }
}

/// The answer to a request that HTTP itself refuses with this status and text.
pub fn refusal_response(status: StatusCode, code: i32, text: &str) -> Response<Body> {
    let body = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": text } });
    json_response(status, body.to_string())
}

pub(super) fn json_response(status: StatusCode, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
