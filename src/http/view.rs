//! `/api/view` and `/api/calls`: what a page draws, in one piece.

use super::backend::Backend;
use super::errors::{Refusal, check_method};
use super::query::one_value;
use super::response::ok;
use crate::service::excerpt;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use axum::routing::any;
use std::sync::Arc;

pub fn routes<B: Backend>() -> Router<Arc<B>> {
    Router::new().route("/api/view", any(view::<B>)).route("/api/calls", any(calls::<B>))
}

async fn view<B: Backend>(State(backend): State<Arc<B>>, request: Request) -> Result<Response<Body>, Refusal> {
    check_method(request.method(), "GET, HEAD, OPTIONS")?;
    let Some(clip) = one_value(request.uri().query().unwrap_or_default(), "clip")? else {
        return Ok(ok(backend.view().await.ok_or(Refusal::Internal)?));
    };
    let id = clip.parse().map_err(|_| Refusal::BadClip(excerpt(&clip)))?;
    let view = backend.clip_view(id).await.ok_or(Refusal::Internal)?;
    Ok(ok(view.ok_or(Refusal::NoSuchClip(id))?))
}

async fn calls<B: Backend>(State(backend): State<Arc<B>>, request: Request) -> Result<Response<Body>, Refusal> {
    check_method(request.method(), "GET, HEAD, OPTIONS")?;
    Ok(ok(backend.last_calls().await.ok_or(Refusal::Internal)?))
}
