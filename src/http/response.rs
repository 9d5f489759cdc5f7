//! JSON answers.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{Response, StatusCode};

/// Marks an answer after which the connection ends.
#[derive(Clone, Copy)]
pub struct CloseAfter;

/// Marks a stream that goes on as long as somebody reads it: it need not be waited for when the server stops.
#[derive(Clone, Copy)]
pub struct Endless;

/// Marks an answer that is read for as long as that takes, while its bytes flow.
#[derive(Clone, Copy)]
pub struct Streamed;

/// A JSON answer.
pub fn json(status: StatusCode, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// 200 with a JSON body.
pub fn ok(body: impl Into<Body>) -> Response<Body> {
    json(StatusCode::OK, body)
}
