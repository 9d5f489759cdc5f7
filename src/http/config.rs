//! `/config`: the device's settings, read by everybody who may talk to the server, written by its own pages and by
//! programs that are no browser.

use super::backend::Backend;
use super::body::{check_media_type, read_object};
use super::errors::{Refusal, check_method};
use super::origin::is_own_page;
use super::response::ok;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Method, Response};
use axum::routing::any;
use std::sync::Arc;

pub fn routes<B: Backend>() -> Router<Arc<B>> {
    Router::new().route("/config", any(config::<B>))
}

async fn config<B: Backend>(State(backend): State<Arc<B>>, request: Request) -> Result<Response<Body>, Refusal> {
    if request.method() != Method::POST {
        check_method(request.method(), "GET, HEAD, POST, OPTIONS")?;
        return Ok(ok(backend.config().to_string()));
    }
    let (parts, body) = request.into_parts();
    if !is_own_page(&parts.headers) {
        return Err(Refusal::ConfigOrigin);
    }
    check_media_type(&parts.headers)?;
    let members = read_object(&parts.headers, body).await?;
    let settings = backend.change_config(&members).await.map_err(Refusal::Config)?;
    Ok(ok(settings.to_string()))
}
