//! `/openapi.json`: the tool routes and the settings as an OpenAPI 3.1 description. The tools are those that the request
//! sees, with the schemas that its list shows; what does not depend on the request is in `openapi/frame.json`.

use super::Backend;
use super::door::{check_method, ok};
use super::errors::Refusal;
use super::rest::profile_headers;
use crate::service::ToolDescriptor;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use axum::routing::any;
use serde_json::{Value, json};
use std::sync::Arc;

const FRAME: &str = include_str!("openapi/frame.json");
/// Arguments that go well on a new Set, by tool, in the notation `barbeat`.
const EXAMPLES: &str = include_str!("openapi/examples.json");

pub fn routes<B: Backend>() -> Router<Arc<B>> {
    Router::new().route("/openapi.json", any(openapi::<B>))
}

async fn openapi<B: Backend>(State(backend): State<Arc<B>>, request: Request) -> Result<Response<Body>, Refusal> {
    check_method(request.method(), "GET, HEAD, OPTIONS")?;
    let tools = backend.tools(&profile_headers(request.headers()));
    Ok(ok(described(&tools).ok_or(Refusal::Internal)?.to_string()))
}

/// `None` where the frame is broken, which a test rules out.
fn described(tools: &[ToolDescriptor]) -> Option<Value> {
    let mut page: Value = serde_json::from_str(FRAME).ok()?;
    let examples: Value = serde_json::from_str(EXAMPLES).ok()?;
    *page.pointer_mut("/info/version")? = json!(crate::VERSION);
    let paths = page.get_mut("paths")?.as_object_mut()?;
    for tool in tools {
        paths.insert(format!("/api/tools/{}", tool.name), json!({ "post": operation(tool, examples.get(&tool.name)) }));
    }
    Some(page)
}

fn operation(tool: &ToolDescriptor, examples: Option<&Value>) -> Value {
    let shared = |kind: &str, name: &str| json!({ "$ref": format!("#/components/{kind}/{name}") });
    let parameters: Vec<Value> = ["format", "timeoutMs", "disabledTools", "smallModelMode", "notation", "liveApi"]
        .map(|name| shared("parameters", name))
        .into();
    let mut body = json!({ "schema": tool.input_schema });
    if let Some(examples) = examples {
        body["examples"] = examples.clone();
    }
    json!({
        "tags": ["tools"],
        "operationId": tool.name,
        "summary": tool.title,
        "description": tool.description,
        "parameters": parameters,
        "requestBody": { "required": true, "content": { "application/json": body } },
        "responses": {
            "200": {
                "description": "The tool ran: its result, or its refusal with `isError`.",
                "content": { "application/json": { "schema": shared("schemas", "Result") } },
            },
            "400": shared("responses", "Arguments"),
            "404": shared("responses", "NoTool"),
            "504": shared("responses", "TimedOut"),
            "default": shared("responses", "Refused"),
        },
    })
}
