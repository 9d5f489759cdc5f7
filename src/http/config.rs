//! `/config`: the device's settings, read by everybody who may talk to the server, written by its own pages and by
//! programs that are no browser.

use super::backend::Backend;
use super::body::{check_media_type, object_of, read_bytes};
use super::errors::{Refusal, check_method};
use super::origin::is_own_page;
use super::parsing_room::room_for;
use super::response::ok;
use crate::service::ConfigRefusal;
use crate::service::config::new_folder_faults;
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
    let bytes = read_bytes(&parts.headers, body).await?;
    let _room = room_for(bytes.len()).await?;
    // Parsed, and the folders in it looked at, away from the server's thread.
    let before = backend.config();
    let read = backend.off_thread(move || {
        let members = object_of(&bytes)?;
        let faults = new_folder_faults(&members, &before);
        Ok::<_, Refusal>((members, faults))
    });
    let (members, faults) = read.await.ok_or(Refusal::Internal)??;
    if !faults.is_empty() {
        return Err(Refusal::Config(ConfigRefusal { fields: faults, valid_tool_names: None }));
    }
    let settings = backend.change_config(&members).await.map_err(Refusal::Config)?;
    Ok(ok(settings.to_string()))
}
