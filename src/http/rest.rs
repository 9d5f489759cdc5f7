//! The tool routes: list and call. The checks of a call run in the order that the interface promises: 404, 405, 415,
//! 413, JSON, `format`, `timeoutMs`; the arguments are checked behind the [`Backend`].

use super::backend::Backend;
use super::body::{check_media_type, object_of, read_bytes};
use super::errors::{Refusal, check_method};
use super::made_once::MadeOnce;
use super::parsing_room::room_for;
use super::query::CallQuery;
use super::response::ok;
use crate::service::Via;
use crate::service::profile::header;
use crate::service::{CallRequest, ProfileHeaders, envelope, excerpt};
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Response};
use axum::routing::any;
use serde_json::json;
use std::sync::Arc;

/// Bodies longer than this are parsed away from the server's thread.
const LARGE_BODY_BYTES: usize = 16 * 1024;

/// Who calls over REST, as the history tells it.
const WHO: &str = "rest";

pub fn routes<B: Backend>() -> Router<Arc<B>> {
    let lists = Arc::new(MadeOnce::default());
    let list = move |State(backend): State<Arc<B>>, request: Request| {
        let lists = lists.clone();
        async move { list(&*backend, &lists, &request) }
    };
    Router::new().route("/api/tools", any(list)).route("/api/tools/{name}", any(call::<B>)).fallback(not_found)
}

async fn not_found(request: Request) -> Refusal {
    Refusal::NoSuchPath(excerpt(request.uri().path()))
}

fn list(backend: &impl Backend, lists: &MadeOnce, request: &Request) -> Result<Response<Body>, Refusal> {
    check_method(request.method(), "GET, HEAD, OPTIONS")?;
    let tools = backend.tools(&profile_headers(request.headers()));
    let text = lists.get(&tools, || Some(json!({ "tools": &*tools }).to_string()));
    Ok(ok(text.ok_or(Refusal::Internal)?))
}

async fn call<B: Backend>(
    State(backend): State<Arc<B>>,
    name: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response<Body>, Refusal> {
    let (parts, body) = request.into_parts();
    let Ok(Path(tool)) = name else {
        return Err(Refusal::NoSuchTool(excerpt(parts.uri.path())));
    };
    let mut headers = profile_headers(&parts.headers);
    if !backend.has_tool(&tool, &headers) {
        return Err(Refusal::NoSuchTool(excerpt(&tool)));
    }
    check_method(&parts.method, "POST, OPTIONS")?;
    check_media_type(&parts.headers)?;
    let bytes = read_bytes(&parts.headers, body).await?;
    // Until the call is done: what it holds is made of its arguments.
    let _room = room_for(bytes.len()).await?;
    let arguments = if bytes.len() > LARGE_BODY_BYTES {
        backend.off_thread(move || object_of(&bytes)).await.ok_or(Refusal::Internal)?
    } else {
        object_of(&bytes)
    }?;
    let query = CallQuery::parse(parts.uri.query().unwrap_or_default())?;
    // Either asks for it.
    if query.dry_run && headers.asks_for_dry_run() == Ok(false) {
        headers.dry_run = Some("true".to_owned());
    }
    let answer = backend
        .call(CallRequest {
            tool,
            arguments,
            who: headers.caller(Via::Rest, WHO),
            headers,
            timeout: query.timeout,
            json: query.format == envelope::Format::Json,
            as_text: true,
            published_only: false,
            chosen_file: None,
        })
        .await?;
    if !envelope::is_large(&answer) {
        return Ok(ok(envelope::assemble(&answer, query.format)));
    }
    let body = backend.off_thread(move || envelope::assemble(&answer, query.format)).await;
    Ok(ok(body.ok_or(Refusal::Internal)?))
}

/// The profile headers as they came. A header given in several lines counts as one list; what is not text counts as
/// absent.
pub fn profile_headers(headers: &HeaderMap) -> ProfileHeaders {
    let text = |name: &'static str| {
        let mut values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        let first = values.next()?.to_owned();
        Some(values.fold(first, |list, value| format!("{list},{value}")))
    };
    ProfileHeaders {
        disabled_tools: text(header::DISABLED_TOOLS),
        small_model_mode: text(header::SMALL_MODEL_MODE),
        notation: text(header::NOTATION),
        live_api: text(header::LIVE_API),
        format: text(header::FORMAT),
        dry_run: text(header::DRY_RUN),
        client: text(header::CLIENT),
        gesture: text(header::GESTURE),
    }
}
