//! The device's own page in a browser: `/` where a page is asked for, and the files that it names. They are built from
//! `web/`, hold nothing of the Set and ask for it as everybody else does.

use super::errors::{Refusal, check_method};
use super::response::ok;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue,
    IF_NONE_MATCH, REFERRER_POLICY, VARY,
};
use axum::http::{Response, StatusCode};
use axum::routing::any;
use serde_json::json;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Where the page's files are, which a token does not guard: they hold nothing.
pub const FILES: &str = "/assets/";

/// What the page may do: load its own files and talk to this very host and port.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Kept apart from windows of other pages.
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// A file that is part of the program.
struct PageFile {
    kind: &'static str,
    bytes: &'static [u8],
}

const INDEX: PageFile =
    PageFile { kind: "text/html; charset=utf-8", bytes: include_bytes!("../../web/dist/index.html") };
const SCRIPT: PageFile =
    PageFile { kind: "text/javascript; charset=utf-8", bytes: include_bytes!("../../web/dist/app.js") };
const STYLE: PageFile = PageFile { kind: "text/css; charset=utf-8", bytes: include_bytes!("../../web/dist/app.css") };

pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/", any(index))
        .route("/assets/app.js", any(|request: Request| async move { file(&SCRIPT, &request) }))
        .route("/assets/app.css", any(|request: Request| async move { file(&STYLE, &request) }))
}

async fn index(request: Request) -> Result<Response<Body>, Refusal> {
    if wants_page(request.headers()) {
        let mut response = file(&INDEX, &request)?;
        response.headers_mut().insert(VARY, HeaderValue::from_static("Accept"));
        return Ok(response);
    }
    check_method(request.method(), "GET, HEAD, OPTIONS")?;
    let body = json!({
        "name": env!("CARGO_PKG_NAME"),
        "version": env!("CARGO_PKG_VERSION"),
        "tools": "/api/tools",
        "view": "/api/view",
        "calls": "/api/calls",
        "events": "/api/events",
        "files": "/api/files",
        "config": "/config",
        "mcp": "/mcp",
        "openapi": "/openapi.json",
    });
    let mut response = ok(body.to_string());
    response.headers_mut().insert(VARY, HeaderValue::from_static("Accept"));
    Ok(response)
}

/// Whether a browser asks, and not a program, which names no media type or another.
fn wants_page(headers: &HeaderMap) -> bool {
    let mut ranges = headers.get_all(ACCEPT).iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    ranges.any(|range| {
        let mut parts = range.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
        let is_html = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(b"text/html"));
        is_html && !parts.any(|parameter| matches!(parameter, b"q=0" | b"Q=0" | b"q=0.0" | b"q=0.00" | b"q=0.000"))
    })
}

fn file(file: &PageFile, request: &Request) -> Result<Response<Body>, Refusal> {
    check_method(request.method(), "GET, HEAD, OPTIONS")?;
    let mut hasher = DefaultHasher::new();
    file.bytes.hash(&mut hasher);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let known = request.headers().get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let is_known = known.flat_map(|list| list.split(',')).any(|known| known.trim().trim_start_matches("W/") == tag);
    let mut response = Response::new(if is_known { Body::empty() } else { Body::from(file.bytes) });
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.kind));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
    // Another version of the device may be there next time.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    Ok(response)
}
