//! JSON answers.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{Response, StatusCode};

/// Marks an answer after which the connection ends.
#[derive(Clone, Copy)]
pub struct CloseAfter;

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
