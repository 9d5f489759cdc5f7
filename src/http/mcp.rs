//! `/mcp`: the Model Context Protocol on the same server. The limits of a body and its media type are ours, everything
//! inside it is [`crate::mcp`]'s; refusals are JSON-RPC errors.

use super::backend::Backend;
use super::body::{check_media_type, read_bytes};
use super::errors::Refusal;
use super::parsing_room::room_for;
use super::response::{CloseAfter, Endless};
use super::rest::profile_headers;
use crate::events::EventHub;
use crate::mcp::{Endpoint, LONG_BYTES, Listening, Messages, RpcError, Server, Toolbox, refusal_response};
use crate::service::{Answer, CallFailure, CallRequest, ProfileHeaders, ToolList};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{ALLOW, HeaderValue};
use axum::http::{Method, Response};
use axum::routing::any;
use serde_json::Value;
use std::sync::Arc;

/// A backend as the protocol sees it.
struct BackendToolbox<B>(Arc<B>);

impl<B: Backend> Toolbox for BackendToolbox<B> {
    fn tools(&self, headers: &ProfileHeaders) -> ToolList {
        self.0.tools(headers)
    }

    fn events(&self) -> &Arc<EventHub> {
        self.0.events()
    }

    fn json_output(&self) -> bool {
        self.0.json_output()
    }

    fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> impl Future<Output = Option<T>> + Send {
        self.0.off_thread(work)
    }

    fn call(&self, request: CallRequest) -> impl Future<Output = Result<Answer, CallFailure>> + Send {
        self.0.call(request)
    }

    fn save_warning(&self) -> impl Future<Output = Option<String>> + Send {
        self.0.save_warning()
    }
}

pub fn routes<B: Backend>(backend: Arc<B>) -> Router<Arc<B>> {
    let endpoint = Arc::new(Endpoint::new(Server::new(Arc::new(BackendToolbox(backend.clone())))));
    let serve = move |request: Request| {
        let (endpoint, backend) = (endpoint.clone(), backend.clone());
        async move {
            if request.method() != Method::POST {
                let mut response = RpcError::OnlyPost.into_response(&Value::Null);
                response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST, OPTIONS"));
                return response;
            }
            let (mut parts, body) = request.into_parts();
            let read = async {
                check_media_type(&parts.headers)?;
                read_bytes(&parts.headers, body).await
            };
            match read.await {
                Ok(bytes) => {
                    let room = room_for(bytes.len()).await;
                    let _room = match room {
                        Ok(room) => room,
                        Err(refusal) => return json_rpc_refusal(&refusal),
                    };
                    let headers = profile_headers(&parts.headers);
                    parts.extensions.insert(headers);
                    let messages = if bytes.len() > LONG_BYTES {
                        backend.off_thread(move || Messages::read(&bytes)).await
                    } else {
                        Some(Messages::read(&bytes))
                    };
                    let Some(messages) = messages else { return json_rpc_refusal(&Refusal::Internal) };
                    let answer = endpoint.answer_messages(&parts, messages).await;
                    if !answer.is_long() {
                        let mut response = answer.write();
                        if response.extensions_mut().remove::<Listening>().is_some() {
                            response.extensions_mut().insert(Endless);
                        }
                        return response;
                    }
                    let written = backend.off_thread(move || answer.write()).await;
                    written.unwrap_or_else(|| json_rpc_refusal(&Refusal::Internal))
                }
                Err(refusal) => json_rpc_refusal(&refusal),
            }
        }
    };
    Router::new().route("/mcp", any(serve))
}

fn json_rpc_refusal(refusal: &Refusal) -> Response<Body> {
    const INVALID_REQUEST: i32 = -32600;
    let mut response = refusal_response(refusal.status(), INVALID_REQUEST, &refusal.to_string());
    if refusal.closes() {
        response.extensions_mut().insert(CloseAfter);
    }
    response
}
